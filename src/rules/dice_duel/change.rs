//! Every change is a value that can be inverted.

use super::board::Cell;
use super::dice_box::DiceBox;
use super::flow::Flow;
use super::position::Position;
use super::setup::Damage;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::{Facing, Half, Square};
use super::zone::{Spot, Zone};
use crate::rules::{Place, Span};

/// Where a ship stands, with all that may be unknown about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Its square, as it was said.
    pub square: Place<Square>,
    /// Where it faces.
    pub facing: Place<Facing>,
    /// Its half of a shared square.
    pub half: Place<Half>,
}

impl Stand {
    fn of(ship: &Ship) -> Stand {
        Stand {
            square: ship.said.clone(),
            facing: ship.facing.clone(),
            half: ship.half.clone(),
        }
    }
}

/// One place before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Edit {
    /// The dice in a place.
    Dice {
        ship: ShipId,
        spot: Spot,
        was: DiceBox,
        now: DiceBox,
    },
    /// Where a ship stands.
    Stand {
        ship: ShipId,
        was: Box<Stand>,
        now: Box<Stand>,
    },
    /// A ship's crystals.
    Crystals { ship: ShipId, was: Span, now: Span },
    /// A ship's mine tokens.
    Mines { ship: ShipId, was: Span, now: Span },
    /// A ship's damage.
    Damage {
        ship: ShipId,
        was: Damage,
        now: Damage,
    },
    /// A square of the map.
    Cell {
        square: Square,
        was: Cell,
        now: Cell,
    },
    /// The used crystals.
    Used { was: Span, now: Span },
    /// Where the game stands.
    Flow { was: Box<Flow>, now: Box<Flow> },
}

impl Edit {
    fn inverse(&self) -> Edit {
        let mut edit = self.clone();
        match &mut edit {
            Edit::Dice { was, now, .. } => std::mem::swap(was, now),
            Edit::Stand { was, now, .. } => std::mem::swap(was, now),
            Edit::Crystals { was, now, .. } => std::mem::swap(was, now),
            Edit::Mines { was, now, .. } => std::mem::swap(was, now),
            Edit::Damage { was, now, .. } => std::mem::swap(was, now),
            Edit::Cell { was, now, .. } => std::mem::swap(was, now),
            Edit::Used { was, now } => std::mem::swap(was, now),
            Edit::Flow { was, now } => std::mem::swap(was, now),
        }
        edit
    }

    /// The zone that changes.
    pub fn zone(&self) -> Zone {
        match self {
            Edit::Dice { ship, spot, .. } => Zone::On(*ship, *spot),
            Edit::Stand { ship, .. } => Zone::Ship(*ship),
            Edit::Crystals { ship, .. } => Zone::Crystals(*ship),
            Edit::Mines { ship, .. } => Zone::Display(*ship, super::zone::Station::Tractor),
            Edit::Damage { ship, .. } => Zone::Damage(*ship, None),
            Edit::Cell { square, .. } => Zone::Board(*square),
            Edit::Used { .. } => Zone::UsedCrystals,
            Edit::Flow { .. } => Zone::Table,
        }
    }
}

/// What an action did, place by place: enough to undo it, to do it again, and to show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    edits: Vec<Edit>,
}

impl Change {
    /// The places that changed, in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Change {
        Change {
            edits: self.edits.iter().rev().map(Edit::inverse).collect(),
        }
    }
}

/// A position that is being changed; dropped without [`Edits::done`], everything is taken back.
pub(crate) struct Edits<'a> {
    position: &'a mut Position,
    change: Change,
    keep: bool,
}

impl<'a> Edits<'a> {
    pub(crate) fn new(position: &'a mut Position) -> Edits<'a> {
        Edits {
            position,
            change: Change::default(),
            keep: false,
        }
    }

    pub(crate) fn position(&self) -> &Position {
        self.position
    }

    pub(crate) fn done(mut self) -> Change {
        self.keep = true;
        std::mem::take(&mut self.change)
    }

    fn record(&mut self, edit: Edit) {
        self.change.edits.push(edit);
    }

    pub(crate) fn dice(&mut self, ship: ShipId, spot: Spot, change: impl FnOnce(&mut DiceBox)) {
        let Some(dice) = self.position.ship_mut(ship).and_then(|s| s.dice_mut(spot)) else {
            return;
        };
        let was = *dice;
        change(dice);
        let now = *dice;
        if was != now {
            self.record(Edit::Dice {
                ship,
                spot,
                was,
                now,
            });
        }
    }

    pub(crate) fn clear(&mut self, ship: ShipId, spot: Spot) {
        self.dice(ship, spot, |dice| *dice = DiceBox::EMPTY);
    }

    pub(crate) fn stand(&mut self, id: ShipId, change: impl FnOnce(&mut Ship)) {
        let Some(ship) = self.position.ship_mut(id) else {
            return;
        };
        let was = Stand::of(ship);
        change(ship);
        let now = Stand::of(ship);
        self.position.narrow();
        if was != now {
            self.record(Edit::Stand {
                ship: id,
                was: Box::new(was),
                now: Box::new(now),
            });
        }
    }

    pub(crate) fn crystals(&mut self, id: ShipId, change: impl FnOnce(Span) -> Span) {
        let Some(ship) = self.position.ship_mut(id) else {
            return;
        };
        let was = ship.crystals;
        let now = change(was);
        ship.crystals = now;
        self.record(Edit::Crystals { ship: id, was, now });
    }

    pub(crate) fn mines(&mut self, id: ShipId, change: impl FnOnce(Span) -> Span) {
        let Some(ship) = self.position.ship_mut(id) else {
            return;
        };
        let was = ship.mines;
        let now = change(was);
        ship.mines = now;
        self.record(Edit::Mines { ship: id, was, now });
    }

    pub(crate) fn damage(&mut self, id: ShipId, change: impl FnOnce(&mut Damage)) {
        let Some(ship) = self.position.ship_mut(id) else {
            return;
        };
        let was = ship.damage;
        change(&mut ship.damage);
        let now = ship.damage;
        self.position.narrow();
        self.record(Edit::Damage { ship: id, was, now });
    }

    pub(crate) fn cell(&mut self, square: Square, change: impl FnOnce(&mut Cell)) {
        let Some(cell) = self.position.board.cell_mut(square) else {
            return;
        };
        let was = *cell;
        change(cell);
        let now = *cell;
        self.record(Edit::Cell { square, was, now });
    }

    pub(crate) fn used(&mut self, change: impl FnOnce(Span) -> Span) {
        let was = self.position.used_crystals;
        let now = change(was);
        self.position.used_crystals = now;
        self.record(Edit::Used { was, now });
    }

    pub(crate) fn flow(&mut self, change: impl FnOnce(&mut Flow)) {
        let was = self.position.flow.clone();
        change(&mut self.position.flow);
        if was != self.position.flow {
            let now = Box::new(self.position.flow.clone());
            self.record(Edit::Flow {
                was: Box::new(was),
                now,
            });
        }
    }
}

impl Drop for Edits<'_> {
    fn drop(&mut self) {
        if !self.keep {
            let back = self.change.inverse();
            for edit in &back.edits {
                self.position.set(edit);
            }
        }
    }
}

impl Position {
    /// Does a change again, or takes one back: `position.replay(&change.inverse())`.
    ///
    /// # Errors
    ///
    /// The zone that does not hold what the change starts from; the position is then as before.
    pub fn replay(&mut self, change: &Change) -> Result<(), Zone> {
        let mut undo = Vec::new();
        for edit in &change.edits {
            if !self.holds(edit) {
                for back in undo.iter().rev() {
                    self.set(back);
                }
                return Err(edit.zone());
            }
            self.set(edit);
            undo.push(edit.inverse());
        }
        Ok(())
    }

    /// Whether the place is as the edit found it.
    fn holds(&self, edit: &Edit) -> bool {
        match edit {
            Edit::Dice {
                ship, spot, was, ..
            } => self.ship(*ship).is_some_and(|s| s.dice(*spot) == was),
            Edit::Stand { ship, was, .. } => {
                self.ship(*ship).is_some_and(|s| Stand::of(s) == **was)
            }
            Edit::Crystals { ship, was, .. } => {
                self.ship(*ship).is_some_and(|s| s.crystals == *was)
            }
            Edit::Mines { ship, was, .. } => self.ship(*ship).is_some_and(|s| s.mines == *was),
            Edit::Damage { ship, was, .. } => self.ship(*ship).is_some_and(|s| s.damage == *was),
            Edit::Cell { square, was, .. } => {
                self.board.contains(*square) && self.board.cell(*square) == *was
            }
            Edit::Used { was, .. } => self.used_crystals == *was,
            Edit::Flow { was, .. } => self.flow == **was,
        }
    }

    fn set(&mut self, edit: &Edit) {
        match edit {
            Edit::Dice {
                ship, spot, now, ..
            } => {
                if let Some(dice) = self.ship_mut(*ship).and_then(|s| s.dice_mut(*spot)) {
                    *dice = *now;
                }
            }
            Edit::Stand { ship, now, .. } => {
                if let Some(ship) = self.ship_mut(*ship) {
                    ship.put(now.square.clone());
                    ship.facing = now.facing.clone();
                    ship.half = now.half.clone();
                }
                self.narrow();
            }
            Edit::Crystals { ship, now, .. } => {
                if let Some(ship) = self.ship_mut(*ship) {
                    ship.crystals = *now;
                }
            }
            Edit::Mines { ship, now, .. } => {
                if let Some(ship) = self.ship_mut(*ship) {
                    ship.mines = *now;
                }
            }
            Edit::Damage { ship, now, .. } => {
                if let Some(ship) = self.ship_mut(*ship) {
                    ship.damage = *now;
                }
                self.narrow();
            }
            Edit::Cell { square, now, .. } => {
                if let Some(cell) = self.board.cell_mut(*square) {
                    *cell = *now;
                }
            }
            Edit::Used { now, .. } => self.used_crystals = *now,
            Edit::Flow { now, .. } => self.flow = (**now).clone(),
        }
    }
}
