//! Every change is a value that can be inverted.

use super::flow::{Flow, Ruling, Stage, Waiting};
use super::geometry::Vec2;
use super::name::DieId;
use super::player::Player;
use super::position::{Die, Position, Thing};
use crate::rules::Span;

/// Everything of a table but its copy: what a person's correction may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    edge: Vec<Vec2>,
    things: Vec<Thing>,
    table_error_mm: Option<f64>,
    score: super::player::ByPlayer<Span>,
    dice: Vec<Die>,
    flow: Flow,
    rulings: Vec<Ruling>,
}

impl Whole {
    pub(crate) fn of(position: &Position) -> Whole {
        Whole {
            edge: position.edge.clone(),
            things: position.things.clone(),
            table_error_mm: position.table_error_mm,
            score: position.score,
            dice: position.dice.clone(),
            flow: position.flow.clone(),
            rulings: position.rulings.clone(),
        }
    }

    fn put(&self, position: &mut Position) {
        let Whole {
            edge,
            things,
            table_error_mm,
            score,
            dice,
            flow,
            rulings,
        } = self.clone();
        position.edge = edge;
        position.things = things;
        position.table_error_mm = table_error_mm;
        position.score = score;
        position.dice = dice;
        position.flow = flow;
        position.rulings = rulings;
    }
}

/// One thing before and after.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Edit {
    /// A die: its face and where it is.
    Die { was: Box<Die>, now: Box<Die> },
    /// A player's points.
    Score {
        player: Player,
        was: Span,
        now: Span,
    },
    /// Where the game stands.
    Flow { was: Box<Flow>, now: Box<Flow> },
    /// What players have said.
    Rulings { was: Vec<Ruling>, now: Vec<Ruling> },
    /// A correction.
    Whole { was: Box<Whole>, now: Box<Whole> },
}

impl Edit {
    fn inverse(&self) -> Edit {
        let mut edit = self.clone();
        match &mut edit {
            Edit::Die { was, now } => std::mem::swap(was, now),
            Edit::Score { was, now, .. } => std::mem::swap(was, now),
            Edit::Flow { was, now } => std::mem::swap(was, now),
            Edit::Rulings { was, now } => std::mem::swap(was, now),
            Edit::Whole { was, now } => std::mem::swap(was, now),
        }
        edit
    }

    /// Whether the position is as it was before the edit.
    fn fits(&self, position: &Position) -> bool {
        match self {
            Edit::Die { was, .. } => position.die(was.id) == Some(was),
            Edit::Score { player, was, .. } => position.score(*player) == *was,
            Edit::Flow { was, .. } => position.flow == **was,
            Edit::Rulings { was, .. } => position.rulings == *was,
            Edit::Whole { was, .. } => Whole::of(position) == **was,
        }
    }

    fn apply(&self, position: &mut Position) {
        match self {
            Edit::Die { now, .. } => {
                if let Some(die) = position.dice.iter_mut().find(|d| d.id == now.id) {
                    die.clone_from(now);
                }
            }
            Edit::Score { player, now, .. } => *position.score.of_mut(*player) = *now,
            Edit::Flow { now, .. } => position.flow.clone_from(now),
            Edit::Rulings { now, .. } => position.rulings.clone_from(now),
            Edit::Whole { now, .. } => now.put(position),
        }
    }
}

/// What an action did: enough to undo it, to do it again, and to show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    edits: Vec<Edit>,
}

impl Change {
    /// What changed, in order.
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

/// A change that does not fit the position it is to be made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this change was made on another position: undo in the order in which things were done")]
pub struct Misfit;

impl Position {
    /// Makes a change that was recorded: to undo, or to do again.
    ///
    /// # Errors
    ///
    /// [`Misfit`], and the position as it was, where the change was made on another position.
    pub fn replay(&mut self, change: &Change) -> Result<(), Misfit> {
        for (done, edit) in change.edits.iter().enumerate() {
            if !edit.fits(self) {
                for edit in change.edits.iter().take(done).rev() {
                    edit.inverse().apply(self);
                }
                return Err(Misfit);
            }
            edit.apply(self);
        }
        Ok(())
    }
}

/// A position that is being changed; dropped without [`Edits::done`], everything is taken back.
pub(crate) struct Edits<'a> {
    position: &'a mut Position,
    change: Change,
    keep: bool,
}

impl<'a> Edits<'a> {
    pub fn new(position: &'a mut Position) -> Edits<'a> {
        Edits {
            position,
            change: Change::default(),
            keep: false,
        }
    }

    pub fn position(&self) -> &Position {
        self.position
    }

    pub fn done(mut self) -> Change {
        self.keep = true;
        std::mem::take(&mut self.change)
    }

    fn make(&mut self, edit: Edit) {
        edit.apply(self.position);
        self.change.edits.push(edit);
    }

    /// Changes a die. What was said about it where it lay no longer holds, and where it leaves
    /// the table nothing waits for it.
    pub fn die(&mut self, id: DieId, change: impl FnOnce(&mut Die)) {
        let Some(was) = self.position.die(id).cloned() else {
            return;
        };
        let mut now = was.clone();
        change(&mut now);
        if now == was {
            return;
        }
        let leaves = was.is_in_play() && !now.is_in_play();
        self.make(Edit::Die {
            was: Box::new(was),
            now: Box::new(now),
        });
        // Whether another die has room to roll may have hung on where this one lay.
        let gone = |r: &Ruling| r.names(id) || matches!(r, Ruling::Room { .. });
        if self.position.rulings.iter().any(gone) {
            let mut now = self.position.rulings.clone();
            now.retain(|r| !gone(r));
            self.rulings(now);
        }
        if leaves && self.position.flow.waiting.iter().any(|w| w.die() == id) {
            self.flow(|flow| flow.waiting.retain(|w| w.die() != id));
        }
    }

    pub fn rulings(&mut self, now: Vec<Ruling>) {
        let was = self.position.rulings.clone();
        self.make(Edit::Rulings { was, now });
    }

    pub fn flow(&mut self, change: impl FnOnce(&mut Flow)) {
        let was = self.position.flow.clone();
        let mut now = was.clone();
        change(&mut now);
        if now != was {
            self.make(Edit::Flow {
                was: Box::new(was),
                now: Box::new(now),
            });
        }
    }

    /// Puts what comes next on top of what waits; the last given is done first.
    pub fn wait(&mut self, what: impl IntoIterator<Item = Waiting>) {
        if self.position.flow.stage != Stage::Free {
            self.flow(|flow| flow.waiting.extend(what));
        }
    }

    /// Adds points, and ends the game where they are enough.
    pub fn score(&mut self, player: Player, points: Span) {
        let was = self.position.score(player);
        let now = was.plus(points);
        if now == was {
            return;
        }
        self.make(Edit::Score { player, was, now });
        if let Some(winner) = self.position.winner() {
            self.flow(|flow| {
                flow.stage = Stage::Over(winner);
                flow.waiting.clear();
                flow.off = None;
            });
        }
    }

    pub fn whole(&mut self, position: &Position) {
        let was = Box::new(Whole::of(self.position));
        let now = Box::new(Whole::of(position));
        if was != now {
            self.make(Edit::Whole { was, now });
        }
    }
}

impl Drop for Edits<'_> {
    fn drop(&mut self) {
        if !self.keep {
            for edit in self.change.edits.iter().rev() {
                edit.inverse().apply(self.position);
            }
        }
    }
}
