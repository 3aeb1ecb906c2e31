//! Actions turn one position into the next. What is illegal, or depends on what is not known, is
//! refused with its reason, and the position is handed back unchanged.

mod correct;
mod course;
mod crystals;
mod dice;
mod fire;
mod legal;
mod tractor;

use super::action::Action;
use super::call::Because;
use super::change::{Change, Edits};
use super::flow::{Claim, Freeze};
use super::position::Position;
use super::reason::Reason;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::standing::firm;
use crate::rules::played;

pub(crate) use tractor::Pull;

/// An action that was refused, with the position as it was.
pub type Refused = crate::rules::Refused<Position, Reason>;

impl Position {
    /// The position after an action, and the change, which can be inverted.
    ///
    /// # Errors
    ///
    /// [`Refused`] with this position, unchanged, and the reason.
    pub fn play(self, action: &Action) -> Result<(Position, Change), Box<Refused>> {
        played(self, |position| position.act(action))
    }

    /// Carries out an action in place.
    ///
    /// # Errors
    ///
    /// The reason for which it is refused; the position is then unchanged.
    pub fn act(&mut self, action: &Action) -> Result<Change, Because> {
        let mut edits = Edits::new(self);
        match play(&mut edits, action) {
            Ok(()) => {
                correct::doubt_overfull(&mut edits);
                course::settle_halves(&mut edits);
                Ok(edits.done())
            }
            // Dropped here, the edits take themselves back.
            Err(reason) => Err(crate::rules::Because(reason)),
        }
    }

    /// The ship, if it may act while the play runs.
    pub(crate) fn may_act(&self, id: ShipId) -> Result<&Ship, Reason> {
        let flow = &self.flow;
        let stopped = match (flow.stop, flow.next) {
            (Some(Claim { ship: by, freeze }), _) => Err(Reason::Stopped { by, freeze }),
            (_, Some(Claim { ship: by, freeze })) => Err(Reason::Claimed { by, freeze }),
            _ => Ok(()),
        };
        let owed = flow.owed.iter().find(|o| o.ship() == id);
        let owed = owed.map_or(Ok(()), |owed| Err(Reason::First { owed: *owed }));
        firm([self.standing(&[id]), stopped, owed])?;
        self.ship(id).ok_or(Reason::NoSuchShip { ship: id })
    }

    /// The ship, if it may stop the play now.
    pub(crate) fn may_freeze(&self, id: ShipId, wanted: Freeze) -> Result<&Ship, Reason> {
        let flow = &self.flow;
        let stopped = match (flow.stop, flow.next) {
            (Some(Claim { ship: by, freeze }), _) => Err(Reason::Stopped { by, freeze }),
            (_, Some(Claim { ship: by, freeze })) if (by, freeze) != (id, wanted) => {
                Err(Reason::Claimed { by, freeze })
            }
            _ => Ok(()),
        };
        let owed = flow.owed.first();
        let owed = owed.map_or(Ok(()), |owed| Err(Reason::First { owed: *owed }));
        firm([self.standing(&[id]), stopped, owed])?;
        self.ship(id).ok_or(Reason::NoSuchShip { ship: id })
    }

    /// The ship, if it flies in a game that goes on.
    pub(crate) fn alive(&self, id: ShipId) -> Result<&Ship, Reason> {
        self.standing(&[id])?;
        self.ship(id).ok_or(Reason::NoSuchShip { ship: id })
    }
}

fn play(edits: &mut Edits<'_>, action: &Action) -> Result<(), Reason> {
    match action {
        Action::Route { ship, number } => dice::route(edits, *ship, *number),
        Action::Place { ship, spot, symbol } => dice::place(edits, *ship, *spot, *symbol),
        Action::Take { ship, spot, symbol } => dice::take(edits, *ship, *spot, *symbol),
        Action::Damage { ship, from } => dice::damage(edits, *ship, *from),
        Action::Discard { ship, spot, symbol } => dice::discard(edits, *ship, *spot, *symbol),
        Action::Override { ship, spot, symbol } => {
            dice::override_station(edits, *ship, *spot, *symbol)
        }
        Action::PlaceSaved { ship, slot, symbol } => {
            dice::place_saved(edits, *ship, *slot, *symbol)
        }
        Action::StartMove { ship } => course::start(edits, *ship),
        Action::Move { ship } => course::go(edits, *ship),
        Action::Fire {
            ship,
            torpedoes,
            target,
            tubes,
        } => fire::fire(edits, *ship, *torpedoes, *target, tubes),
        Action::ChooseSector { sector } => fire::choose_sector(edits, *sector),
        Action::Blast { symbol } => fire::blast(edits, *symbol),
        Action::ReturnCrystal { number } => crystals::give_back(edits, *number),
        Action::Tractor {
            ship,
            target,
            to,
            enter_by,
        } => tractor::push(edits, *ship, *target, *to, *enter_by),
        Action::PullCrystal { ship, square } => tractor::pull(edits, *ship, *square),
        Action::ReleaseMine { ship } => tractor::release(edits, *ship),
        Action::Warp { ship } => crystals::warp(edits, *ship),
        Action::WarpRoll { numbers } => crystals::warp_roll(edits, *numbers),
        Action::WarpAgain => crystals::warp_again(edits),
        Action::WarpTo { number, enter_by } => crystals::warp_to(edits, *number, *enter_by),
        Action::Surge { ship } => crystals::surge(edits, *ship),
        Action::Claim { ship, freeze } => claim(edits, *ship, *freeze),
        Action::Waive => waive(edits),
        Action::Resume => resume(edits),
        Action::Correct(correction) => {
            correct::correct(edits, correction)?;
            fire::look_again(edits)
        }
    }
}

fn claim(edits: &mut Edits<'_>, id: ShipId, freeze: Freeze) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.alive(id)?;
    let Some(stop) = position.flow.stop else {
        return Err(Reason::NotStopped);
    };
    let opponent = position
        .ship(stop.ship)
        .is_none_or(|by| by.team != ship.team);
    if !opponent {
        return Err(Reason::NotOpponent { of: stop.ship });
    }
    if let Some(Claim { ship: by, freeze }) = position.flow.next {
        return Err(Reason::Claimed { by, freeze });
    }
    edits.flow(|flow| flow.next = Some(Claim { ship: id, freeze }));
    Ok(())
}

fn waive(edits: &mut Edits<'_>) -> Result<(), Reason> {
    if edits.position().flow.next.is_none() {
        return Err(Reason::NotAsked);
    }
    edits.flow(|flow| flow.next = None);
    Ok(())
}

fn resume(edits: &mut Edits<'_>) -> Result<(), Reason> {
    // A claimed state may hold a launch that only waits to be counted.
    let launch = edits.position().flow.launch.clone();
    fire::settle(edits)?;
    if launch != edits.position().flow.launch {
        return Ok(());
    }
    let position = edits.position();
    let flow = &position.flow;
    if flow.stop.is_none() {
        return Err(Reason::NotStopped);
    }
    if let Some(owed) = flow.owed.first() {
        return Err(Reason::First { owed: *owed });
    }
    let returning = flow.returning && position.used_crystals.min > 0;
    if flow.launch.is_some() || flow.warp.is_some() || returning {
        return Err(Reason::NotFinished);
    }
    let next_is_gone = flow
        .next
        .is_some_and(|next| position.alive(next.ship).is_err());
    edits.flow(|flow| {
        flow.stop = None;
        flow.returning = false;
        if next_is_gone {
            flow.next = None;
        }
    });
    Ok(())
}
