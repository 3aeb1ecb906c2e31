//! What one side's tubes lack to hit a ship.

use crate::rules::dice_duel::bearing::{arc, offset};
use crate::rules::dice_duel::call::{Call, Missing, Turn, What};
use crate::rules::dice_duel::launch::{Aim, Shot};
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::symbol::Part;
use crate::rules::dice_duel::zone::{Side, Spot, Tube, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    /// Whether one side's tubes would hit a ship.
    pub(super) fn side_verdict(
        &self,
        ship: &Ship,
        shot: &Shot,
        side: Side,
        target: &Ship,
    ) -> Verdict {
        let gone = [ship, target].map(|s| s.destroyed(&self.print));
        let found = shot.from(side);
        if gone.contains(&Some(true)) || !found.can {
            Verdict::Cannot
        } else if !found.cannot && gone == [Some(false); 2] {
            Verdict::Hit
        } else {
            Verdict::Unsure
        }
    }

    pub(super) fn side_call(&self, ship: &Ship, shot: &Shot, side: Side, target: &Ship) -> Call {
        let verdict = self.side_verdict(ship, shot, side, target);
        let what = What::Side {
            ship: ship.id,
            side,
            target: target.id,
        };
        let mut call = Call::new(what, verdict);
        for gone in [ship, target] {
            if gone.destroyed(&self.print) == Some(true) {
                call.why(Reason::Destroyed { ship: gone.id });
                return call;
            }
        }
        // The tube that lacks least, the first of equals.
        let lacks = |tube: &Tube| {
            let spots = Part::ALL.map(|p| Spot::Tube(*tube, p));
            spots.map(|s| u8::from(ship.slot_filled(s) == Some(false)))
        };
        let best = self
            .print
            .tubes_on(side)
            .min_by_key(|t| lacks(t).into_iter().sum::<u8>());
        if let Some(tube) = best {
            for (part, lacks) in Part::ALL.into_iter().zip(lacks(&tube)) {
                if lacks > 0 {
                    call.missing.push(Missing::Part(tube, part));
                }
                let spot = Spot::Tube(tube, part);
                if verdict == Verdict::Unsure && ship.slot_filled(spot).is_none() {
                    call.unsure_on.push(Zone::On(ship.id, spot));
                }
            }
        }
        self.missing_line(&mut call, ship, shot, side, target);
        call.numbers.range = Some(shot.range);
        call.numbers.lock = Some(shot.lock);
        call.numbers.jammers = Some(shot.jammers);
        call.numbers.need = Some(shot.need);
        call.why(Reason::Lock {
            lock: shot.lock,
            range: shot.range,
            jammers: shot.jammers,
            need: shot.need,
        });
        if shot.lock.max < shot.need.min
            || (verdict != Verdict::Unsure && shot.lock.min < shot.need.max)
        {
            call.missing.push(Missing::Lock(Span {
                min: shot.need.min.saturating_sub(shot.lock.max),
                max: shot.need.max.saturating_sub(shot.lock.min),
            }));
        }
        if verdict == Verdict::Unsure {
            let mut doubt = |open: bool, zone: Zone| {
                if open && !call.unsure_on.contains(&zone) {
                    call.unsure_on.push(zone);
                }
            };
            for s in [ship, target] {
                // in one square the halves say on which side the other lies
                let halved = s.half.is_known() || shot.range.min > 0;
                let stands = s.square.is_known() && s.facing.is_known() && shot.directed && halved;
                doubt(!stands, Zone::Ship(s.id));
                let whole = s.destroyed(&self.print).is_some();
                doubt(!whole, Zone::Damage(s.id, None));
            }
            if shot.line.is_none_or(|l| l.blocked.is_none()) {
                for zone in self.rifts_between(ship, Aim::Ship(target)) {
                    doubt(true, zone);
                }
            }
            let undecided = shot.lock.min < shot.need.max;
            let (lock, jam) = (shot.lock.value(), shot.jammers.value());
            doubt(undecided && lock.is_none(), Zone::On(ship.id, Spot::Lock));
            doubt(
                undecided && jam.is_none(),
                Zone::On(target.id, Spot::Jammer),
            );
        }
        call
    }

    fn missing_line(&self, call: &mut Call, ship: &Ship, shot: &Shot, side: Side, target: &Ship) {
        if !shot.directed {
            call.missing.push(Missing::Direction);
            call.why(Reason::NoDirection);
            return;
        }
        if shot.line.is_some_and(|l| l.blocked == Some(true)) {
            call.missing.push(Missing::ClearLine);
            call.why(Reason::RiftBetween);
        }
        let Some(bearing) = shot.side else { return };
        let on_edge = shot.line.is_some_and(|l| l.on_edge);
        call.numbers.arc = bearing;
        call.why(match bearing {
            Some(side) => Reason::InArc { side, on_edge },
            None => Reason::Abeam,
        });
        if bearing == Some(side) {
            return;
        }
        let (Some(a), Some(b)) = (ship.placement(), target.placement()) else {
            return;
        };
        let Some(offset) = offset(a, b) else {
            return;
        };
        let edge = self.print.options.arc;
        let turn = Turn::ALL
            .into_iter()
            .find(|t| arc(t.of(a.facing), offset, edge) == Some(side));
        call.missing.push(match turn {
            Some(turn) => Missing::Turn(turn, side),
            None => Missing::OffDiagonal,
        });
    }
}
