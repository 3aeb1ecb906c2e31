//! Every change is a value that can be inverted.

use super::flow::Flow;
use super::position::Position;
use super::ship::Ship;
use super::zone::Zone;

/// One ship, or where the game stands, before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Edit {
    /// A ship and its console.
    Ship { was: Box<Ship>, now: Box<Ship> },
    /// Where the game stands.
    Flow { was: Box<Flow>, now: Box<Flow> },
}

impl Edit {
    fn inverse(&self) -> Edit {
        let mut edit = self.clone();
        match &mut edit {
            Edit::Ship { was, now } => std::mem::swap(was, now),
            Edit::Flow { was, now } => std::mem::swap(was, now),
        }
        edit
    }

    /// The place that changes.
    pub fn zone(&self) -> Zone {
        match self {
            Edit::Ship { was, .. } => Zone::Console(was.id),
            Edit::Flow { .. } => Zone::Table,
        }
    }
}

/// What an action did: enough to undo it, to do it again, and to show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    edits: Vec<Edit>,
}

impl Change {
    /// What changed between two positions of one game.
    pub(crate) fn between(was: &Position, now: &Position) -> Change {
        let mut edits = Vec::new();
        for (was, now) in was.ships.iter().zip(&now.ships) {
            if was != now {
                edits.push(Edit::Ship {
                    was: Box::new(was.clone()),
                    now: Box::new(now.clone()),
                });
            }
        }
        if was.flow != now.flow {
            edits.push(Edit::Flow {
                was: Box::new(was.flow.clone()),
                now: Box::new(now.flow.clone()),
            });
        }
        Change { edits }
    }

    /// What changed.
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

impl Position {
    /// Does a change again, or takes one back: `position.replay(&change.inverse())`.
    ///
    /// # Errors
    ///
    /// The place that is not as the change found it; the position is then as before.
    pub fn replay(&mut self, change: &Change) -> Result<(), Zone> {
        let mut next = self.clone();
        for edit in &change.edits {
            match edit {
                Edit::Ship { was, now } => {
                    let ship = next.ships.iter_mut().find(|s| *s == was.as_ref());
                    let ship = ship.ok_or(edit.zone())?;
                    *ship = now.as_ref().clone();
                }
                Edit::Flow { was, now } => {
                    if next.flow != **was {
                        return Err(edit.zone());
                    }
                    next.flow = now.as_ref().clone();
                }
            }
        }
        *self = next;
        Ok(())
    }
}
