//! What a tractor beam would reach.

use super::{gated, leaves};
use crate::rules::dice_duel::action::TRACTOR_SPOTS;
use crate::rules::dice_duel::call::{Call, Choice, Missing, What};
use crate::rules::dice_duel::play::Pull;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::square::Square;
use crate::rules::dice_duel::zone::{Spot, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    pub(super) fn tractor_call(&self, ship: &Ship, target: &Ship) -> Call {
        let what = What::Tractor {
            ship: ship.id,
            target: target.id,
        };
        let pull = self.pull_ship(ship, target);
        let gate = self.may_tractor(ship.id, target.id);
        let mut call = Call::new(what, gated(gate, pull.verdict));
        explain_pull(&mut call, ship, Some(target), &pull, gate);
        if call.verdict == Verdict::May {
            call.choices.push(Choice::PushTo {
                squares: self.push_squares(target.id),
            });
            for square in self.push_squares(target.id) {
                let push = self.push_to(target, square);
                if let Some(of) = push.ok().map(|p| p.edges).filter(|e| e.len() > 1) {
                    let by = target.id;
                    call.choices.push(Choice::Entry { by, square, of });
                }
            }
            self.beams_leave(ship, &mut call);
        }
        call
    }

    pub(super) fn crystal_call(&self, ship: &Ship, square: Square) -> Call {
        let what = What::Crystal {
            ship: ship.id,
            square,
        };
        let pull = self.pull_crystal(ship, square);
        let gate = self.may_pull(ship.id, square).map(|_| ());
        let mut call = Call::new(what, gated(gate, pull.verdict));
        explain_pull(&mut call, ship, None, &pull, gate);
        if call.verdict == Verdict::May {
            self.beams_leave(ship, &mut call);
        }
        call
    }

    pub(super) fn beams_leave(&self, ship: &Ship, call: &mut Call) {
        for spot in TRACTOR_SPOTS {
            leaves(call, ship, spot);
        }
    }
}

fn explain_pull(
    call: &mut Call,
    ship: &Ship,
    target: Option<&Ship>,
    pull: &Pull,
    gate: Result<(), Reason>,
) {
    if let Err(reason) = gate {
        call.why(reason);
        if let (Reason::Unknown { at }, Verdict::Unsure) = (reason, call.verdict) {
            call.unsure_on.push(at);
        }
    }
    call.numbers.range = Some(pull.range);
    call.numbers.strength = Some(pull.strength);
    call.numbers.need = Some(pull.need);
    call.why(Reason::AnyDirection);
    call.why(Reason::Strength {
        strength: pull.strength,
        range: pull.range,
        need: pull.need,
    });
    if pull.verdict == Verdict::Cannot {
        call.missing.push(Missing::Strength(Span {
            min: pull.need.min.saturating_sub(pull.strength.max),
            max: pull.need.max.saturating_sub(pull.strength.min),
        }));
    }
    if call.verdict == Verdict::Unsure && pull.verdict == Verdict::Unsure {
        if pull.strength.value().is_none() {
            call.unsure_on.push(Zone::On(ship.id, Spot::Beam));
        }
        if pull.range.value().is_none() {
            for s in std::iter::once(ship).chain(target) {
                if !s.square.is_known() {
                    call.unsure_on.push(Zone::Ship(s.id));
                }
            }
        }
    }
}
