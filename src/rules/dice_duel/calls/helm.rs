//! What a move by helm would do.

use super::{leaves, may_leave, refuse};
use crate::rules::dice_duel::action::obstacle_spots;
use crate::rules::dice_duel::call::{Call, Choice, Missing, What};
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::zone::{HelmSlot, Spot, Station, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    pub(super) fn helm_call(&self, ship: &Ship) -> Call {
        let what = What::Helm { ship: ship.id };
        let mut call = Call::new(what, self.helm_verdict(ship));
        match self.helm_course(ship) {
            Err(Reason::HelmWaits { empty }) => {
                call.why(Reason::HelmWaits { empty });
                call.missing.push(Missing::HelmDice(empty));
            }
            Err(Reason::Unknown { .. }) => {
                let waits = self.helm_waits_for(ship);
                // That it has to move is one thing, where it gets to another.
                for slot in HelmSlot::ALL {
                    let spot = Spot::Helm(slot);
                    let open = ship.slot_filled(spot).is_none();
                    if call.verdict == Verdict::Unsure && open {
                        call.unsure_on.push(Zone::On(ship.id, spot));
                    }
                }
                if call.verdict == Verdict::Must {
                    call.why(Reason::HelmReady);
                    for slot in HelmSlot::ALL {
                        leaves(&mut call, ship, Spot::Helm(slot));
                    }
                    for (open, station) in [
                        (waits.shields, Station::Shields),
                        (waits.sensors, Station::Sensors),
                    ] {
                        for spot in obstacle_spots(station).iter().filter(|_| open) {
                            may_leave(&mut call, ship, *spot);
                        }
                    }
                }
                for at in waits.zones {
                    call.why(Reason::CourseOpen { at });
                }
            }
            Err(reason) => call.why(reason),
            Ok(ready) => {
                call.why(Reason::HelmReady);
                let course = ready.course;
                let numbers = &self.print.numbers;
                if let Some((square, facing)) = course.end {
                    call.why(Reason::HelmEnds { square });
                    call.numbers.facing = Some(facing);
                }
                for square in &course.mines {
                    call.why(Reason::MineGoesOff { square: *square });
                }
                let met = course.met;
                let shields = met.asteroids.saturating_mul(numbers.asteroid_shields);
                let sensors = met.nebulas.saturating_mul(numbers.nebula_sensors);
                if met.rifts > 0 {
                    call.why(Reason::Rift);
                } else if shields > 0 {
                    call.why(Reason::Asteroids { dice: shields });
                    choose_discard(&mut call, ship, Station::Shields, shields);
                }
                if sensors > 0 {
                    call.why(Reason::Nebula { dice: sensors });
                    choose_discard(&mut call, ship, Station::Sensors, sensors);
                }
                if course.saved > 0 {
                    call.why(Reason::GravityKeeps { dice: course.saved });
                }
                if course.c_dropped {
                    call.why(Reason::GravityStops);
                }
                for slot in HelmSlot::ALL {
                    leaves(&mut call, ship, Spot::Helm(slot));
                }
                call.numbers.path = course.path;
            }
        }
        match self.may_act(ship.id) {
            Err(Reason::Unknown { .. }) if call.verdict == Verdict::Cannot => {}
            gate => refuse(&mut call, gate.map(|_| ())),
        }
        call
    }
}

pub(super) fn choose_discard(call: &mut Call, ship: &Ship, station: Station, dice: u8) {
    let spots = obstacle_spots(station);
    let there = spots.iter().map(|s| ship.dice(*s).count());
    let there = there.fold(Span::known(0), Span::plus);
    let dice_taken = u16::from(dice);
    if there.max > dice_taken {
        call.choices.push(Choice::Discard {
            by: ship.id,
            station,
            dice,
        });
    }
    for spot in spots {
        if there.max <= dice_taken {
            leaves(call, ship, *spot);
        } else if there.min <= dice_taken {
            // Whether there is anything to choose depends on a die that was not read.
            may_leave(call, ship, *spot);
        }
    }
}
