//! What may be done now.

use crate::rules::thunderstruck::action::{Action, Aim, Course, CubeUse};
use crate::rules::thunderstruck::flow::{Owed, Phase};
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::spot::{Duty, Shield, ShipId, Spot};
use crate::rules::thunderstruck::track::Heading;

impl Position {
    /// Every action that would be accepted, but for corrections, and for what a lifted screen
    /// shows: those plans are as many as rolls (see [`Position::legal_plans`]).
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut list = self.proposals();
        list.retain(|action| self.clone().act(action).is_ok());
        list
    }

    fn proposals(&self) -> Vec<Action> {
        let mut list = Vec::new();
        match self.flow.phase {
            Phase::Planning => {
                for ship in &self.ships {
                    list.push(Action::Reroll { ship: ship.id });
                    list.push(Action::Ready { ship: ship.id });
                }
            }
            Phase::RoundEnd => {
                list.push(Action::NextRound { reflex: None });
                for ship in &self.ships {
                    let reflex = Some(ship.id);
                    list.push(Action::NextRound { reflex });
                }
            }
            Phase::Actions => {
                for owed in &self.flow.owed {
                    self.propose_owed(*owed, &mut list);
                }
                if self.flow.owed.is_empty() {
                    self.propose_turn(self.flow.turn, &mut list);
                }
            }
        }
        list
    }

    fn propose_owed(&self, owed: Owed, list: &mut Vec<Action>) {
        match owed {
            Owed::Answer { ship, .. } => {
                for shield in Shield::ALL {
                    list.extend(Spot::ALL.iter().map(|spot| Action::Answer {
                        ship,
                        shield: *shield,
                        damage: *spot,
                    }));
                }
            }
            Owed::Steer { ship, .. } => {
                let mut courses = vec![Course::Flip, Course::Nothing];
                for to in self.field().spaces() {
                    let headings = Heading::ALL.iter().copied();
                    courses.extend(headings.map(|heading| Course::Warp { to, heading }));
                }
                list.extend(
                    courses
                        .into_iter()
                        .map(|course| Action::Steer { ship, course }),
                );
            }
        }
    }

    fn propose_turn(&self, ship: ShipId, list: &mut Vec<Action>) {
        let there = |spot: &Spot| {
            self.ship(ship)
                .is_some_and(|own| own.die(*spot).may_be_there())
        };
        for spot in Spot::ALL.iter().copied().filter(there) {
            match spot.duty() {
                Duty::Boost => list.push(Action::Boost {
                    ship,
                    from: vec![spot],
                }),
                Duty::Power => list.push(Action::Power { ship, from: spot }),
                Duty::Shield => {
                    let shield = spot.shield();
                    list.extend(shield.map(|shield| Action::Shield { ship, shield }));
                }
                Duty::Manoeuvre => {}
                Duty::Fire => {
                    list.push(Action::Fire {
                        ship,
                        from: spot,
                        aim: None,
                    });
                    for other in &self.ships {
                        list.extend(Heading::ALL.iter().map(|way| Action::Fire {
                            ship,
                            from: spot,
                            aim: Some(Aim {
                                target: other.id,
                                way: *way,
                            }),
                        }));
                    }
                }
            }
            let at = spot;
            for does in [CubeUse::Raise, CubeUse::Lower] {
                list.push(Action::Cube { ship, at, does });
            }
            list.extend(Spot::ALL.iter().map(|to| Action::Cube {
                ship,
                at,
                does: CubeUse::Move { to: *to },
            }));
        }
        list.push(Action::Boost {
            ship,
            from: Duty::Boost.spots().to_vec(),
        });
        list.push(Action::Manoeuvre { ship });
    }
}
