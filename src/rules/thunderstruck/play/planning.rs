//! The planning phase: behind the screens, and what the lifted screens show.

use crate::rules::Span;
use crate::rules::thunderstruck::action::{Placed, Plan};
use crate::rules::thunderstruck::flow::{Phase, Screen};
use crate::rules::thunderstruck::pips::Pips;
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::spot::{Duty, SPOTS, ShipId, Spot};

fn planning(position: &Position, ship: ShipId, wanted: Screen) -> Result<(), Reason> {
    let own = position.get(ship)?;
    if position.ended()?.is_some() {
        return Err(Reason::Over);
    }
    if !position.alive(ship)? {
        return Err(Reason::Retired { ship });
    }
    if position.flow.phase != Phase::Planning {
        return Err(Reason::NotPlanning);
    }
    match (own.screen, wanted) {
        (is, wanted) if is == wanted => Ok(()),
        (Screen::Up, _) => Err(Reason::StillPlacing { ship }),
        _ => Err(Reason::AlreadyPlaced { ship }),
    }
}

pub(super) fn reroll(position: &mut Position, ship: ShipId) -> Result<(), Reason> {
    planning(position, ship, Screen::Up)?;
    let left = position.cubes(ship)?.checked_sub(1).ok_or(Reason::NoCube)?;
    position.get_mut(ship)?.cubes = Span::known(left);
    Ok(())
}

pub(super) fn ready(position: &mut Position, ship: ShipId) -> Result<(), Reason> {
    planning(position, ship, Screen::Up)?;
    position.get_mut(ship)?.screen = Screen::Ready;
    Ok(())
}

pub(super) fn reveal(position: &mut Position, ship: ShipId, plan: &Plan) -> Result<(), Reason> {
    planning(position, ship, Screen::Ready)?;
    for other in position.living()? {
        if position.get(other)?.screen == Screen::Up {
            return Err(Reason::StillPlacing { ship: other });
        }
    }
    if let Some(wrong) = position.plan_faults(ship, plan).first() {
        return Err(*wrong);
    }
    let own = position.get_mut(ship)?;
    own.screen = Screen::Off;
    own.dice = [Pips::NONE; SPOTS];
    for die in &plan.dice {
        if let Some(pips) = Pips::known(die.shows) {
            own.set_die(die.at, pips);
        }
    }
    let mut hidden = false;
    for id in position.living()? {
        hidden |= position.get(id)?.screen.hides();
    }
    if !hidden {
        position.flow.phase = Phase::Actions;
        position.flow.turn = position.living_from(position.flow.first)?;
    }
    Ok(())
}

impl Position {
    /// What is wrong with a plan; nothing if it is legal. This reads no plan into the position:
    /// a player may ask it about the own dice while every screen stands.
    pub fn plan_faults(&self, ship: ShipId, plan: &Plan) -> Vec<Reason> {
        let mut faults = Vec::new();
        if self.ship(ship).is_none() {
            return vec![Reason::NoSuchShip { ship }];
        }
        let (told, has) = (plan.dice.len() + plan.aside.len(), self.dice_of(ship));
        if told != usize::from(has) {
            let told = u16::try_from(told).unwrap_or(u16::MAX);
            // Whatever else a longer list claims, it is no plan of this ship.
            return vec![Reason::DiceCount { told, has }];
        }
        let numbers = plan.dice.iter().map(|d| d.shows).chain(plan.aside.clone());
        for shows in numbers {
            if Pips::known(shows).is_none() {
                faults.push(Reason::NoSuchNumber { shows });
            }
        }
        for (i, die) in plan.dice.iter().enumerate() {
            let spot = die.at;
            if plan.dice.iter().take(i).any(|other| other.at == spot) {
                faults.push(Reason::TwoDice { spot });
            }
            match self.damaged(ship, spot) {
                Ok(false) => {}
                Ok(true) => faults.push(Reason::Damaged { spot }),
                Err(unknown) => faults.push(unknown),
            }
            if !self.print.console.takes(spot, die.shows) {
                let shows = die.shows;
                faults.push(Reason::ShieldNumber { spot, shows });
            }
        }
        for duty in [Duty::Boost, Duty::Manoeuvre] {
            if !plan.dice.iter().any(|d| d.at.duty() == duty) {
                faults.push(Reason::NeedsOne { duty });
            }
        }
        for shows in &plan.aside {
            if let Some(fault) = self.could_lie(ship, plan, *shows) {
                faults.push(fault);
            }
        }
        faults
    }

    fn could_lie(&self, ship: ShipId, plan: &Plan, shows: u8) -> Option<Reason> {
        let free = |spot: &&Spot| !plan.dice.iter().any(|d| d.at == **spot);
        for spot in Spot::ALL.iter().filter(free) {
            if !self.print.console.takes(*spot, shows) {
                continue;
            }
            match self.damaged(ship, *spot) {
                Ok(true) => {}
                Ok(false) => return Some(Reason::CouldLie { shows, spot: *spot }),
                Err(unknown) => return Some(unknown),
            }
        }
        None
    }

    /// Every legal plan for a roll, up to a limit: dice that show the same are not told apart.
    pub fn legal_plans(&self, ship: ShipId, roll: &[u8], limit: usize) -> Vec<Plan> {
        let mut plans = Vec::new();
        if roll.len() != usize::from(self.dice_of(ship)) {
            return plans;
        }
        let mut roll = roll.to_vec();
        roll.sort_unstable();
        let mut plan = Plan::default();
        self.place(ship, &mut roll, Spot::ALL, &mut plan, limit, &mut plans);
        plans
    }

    /// Tries every die on the first of the spaces that are left, and none.
    fn place(
        &self,
        ship: ShipId,
        roll: &mut Vec<u8>,
        spots: &[Spot],
        plan: &mut Plan,
        limit: usize,
        plans: &mut Vec<Plan>,
    ) {
        if plans.len() >= limit {
            return;
        }
        let Some((spot, rest)) = spots.split_first() else {
            plan.aside = roll.clone();
            if self.plan_faults(ship, plan).is_empty() {
                plans.push(plan.clone());
            }
            return;
        };
        let mut last = None;
        for i in 0..roll.len() {
            let Some(shows) = roll.get(i).copied() else {
                break;
            };
            if last == Some(shows) {
                continue;
            }
            last = Some(shows);
            roll.remove(i);
            plan.dice.push(Placed { at: *spot, shows });
            self.place(ship, roll, rest, plan, limit, plans);
            plan.dice.pop();
            roll.insert(i, shows);
        }
        self.place(ship, roll, rest, plan, limit, plans);
    }
}
