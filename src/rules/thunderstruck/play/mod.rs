//! Actions turn one position into the next. What is illegal, or depends on what is not known, is
//! refused with its reason, and the position is handed back unchanged.

mod correct;
mod cube;
mod dice;
mod fire;
mod legal;
mod manoeuvre;
mod planning;
mod round;

use super::action::Action;
use super::change::Change;
use super::flow::Phase;
use super::position::Position;
use super::reason::{Because, Reason};
use super::spot::{ShipId, Spot};
use crate::rules::played;

pub(crate) use dice::{boost_course, power_gain};
pub(crate) use fire::{damage_spots, shot, ways};
pub(crate) use manoeuvre::{contest, steer_options};
pub(crate) use round::reflex;

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
        let mut next = self.clone();
        apply(&mut next, action).map_err(crate::rules::Because)?;
        let change = Change::between(self, &next);
        *self = next;
        Ok(change)
    }

    /// Whether a ship may action a die now.
    pub(crate) fn may_act(&self, ship: ShipId) -> Result<(), Reason> {
        self.get(ship)?;
        if self.ended()?.is_some() {
            return Err(Reason::Over);
        }
        if !self.alive(ship)? {
            return Err(Reason::Retired { ship });
        }
        if self.flow.phase != Phase::Actions {
            return Err(Reason::NotActions);
        }
        if let Some(owed) = self.flow.owed.first() {
            return Err(Reason::First { owed: *owed });
        }
        if self.flow.turn != ship {
            return Err(Reason::NotTurn {
                turn: self.flow.turn,
            });
        }
        if self.get(ship)?.screen.hides() {
            return Err(Reason::BehindScreen { ship });
        }
        Ok(())
    }

    /// Whether these dice may be actioned, though cubes were spent on some.
    pub(crate) fn may_action(&self, ship: ShipId, dice: &[Spot]) -> Result<(), Reason> {
        self.may_act(ship)?;
        match self.flow.acting.iter().find(|s| !dice.contains(s)) {
            Some(spot) => Err(Reason::Acting { spot: *spot }),
            None => Ok(()),
        }
    }

    /// A die was actioned: the next turn, unless something is still to be done.
    fn next_turn(&mut self) -> Result<(), Reason> {
        self.flow.acting.clear();
        self.flow.moved = false;
        if !self.flow.owed.is_empty() || self.ended()?.is_some() {
            return Ok(());
        }
        let turn = self.flow.turn;
        let after = self.ships.iter().filter(|s| s.id > turn);
        let up_to = self.ships.iter().filter(|s| s.id <= turn);
        let order: Vec<ShipId> = after.chain(up_to).map(|s| s.id).collect();
        for id in order {
            if self.alive(id)? && self.has_dice(id)? {
                self.flow.turn = id;
                return Ok(());
            }
        }
        self.flow.phase = Phase::RoundEnd;
        self.flow.turn = self.living_from(self.flow.first)?;
        Ok(())
    }
}

fn apply(position: &mut Position, action: &Action) -> Result<(), Reason> {
    match action {
        Action::Reroll { ship } => planning::reroll(position, *ship),
        Action::Ready { ship } => planning::ready(position, *ship),
        Action::Reveal { ship, plan } => planning::reveal(position, *ship, plan),
        Action::Cube { ship, at, does } => cube::spend(position, *ship, *at, *does),
        Action::Boost { ship, from } => dice::boost(position, *ship, from),
        Action::Manoeuvre { ship } => manoeuvre::manoeuvre(position, *ship),
        Action::Shield { ship, shield } => dice::shield(position, *ship, *shield),
        Action::Fire { ship, from, aim } => fire::fire(position, *ship, *from, *aim),
        Action::Power { ship, from } => dice::power(position, *ship, *from),
        Action::Answer {
            ship,
            shield,
            damage,
        } => fire::answer(position, *ship, *shield, *damage),
        Action::Steer { ship, course } => manoeuvre::steer(position, *ship, *course),
        Action::NextRound { reflex } => round::next(position, *reflex),
        Action::Correct(correction) => correct::correct(position, correction),
    }
}
