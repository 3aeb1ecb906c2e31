//! From the table to what is announced. Here, and only here, `table` meets `rules`.

mod events;
#[cfg(feature = "vision")]
mod player;
mod report;
mod setup;

pub use events::{Change, Event};
#[cfg(feature = "vision")]
pub use player::{Player, Step, StepError, View};
pub use report::{DieReport, NextReport, PictureReport, SpokenCall};

use crate::{
    copy::Copy,
    rig::Rig,
    rules::dice_duel::{Call, Print, Problem, Setup},
    table::Table,
};

/// What the rules say of a table.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    pub setup: Setup,
    pub problems: Vec<Problem>,
    pub calls: Vec<Call>,
}

/// A game being watched: a copy, a rig, and what was last on the table.
#[derive(Debug)]
pub struct Session {
    copy: Copy,
    rig: Rig,
    print: Print,
    last: Table,
}

impl Session {
    pub fn new(copy: Copy, rig: Rig) -> Self {
        Self {
            copy,
            rig,
            print: Print::default(),
            last: Table::default(),
        }
    }

    pub fn copy(&self) -> &Copy {
        &self.copy
    }

    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// What the rules say of this table: its setup, what is wrong with it, what may be announced.
    pub fn judge(&self, table: &Table) -> Judged {
        let setup = setup::from_table(table, &self.copy);
        let (position, problems) = setup.resolve(&self.print);
        Judged {
            calls: position.calls(),
            setup,
            problems,
        }
    }

    /// Starts anew with an empty table.
    pub fn forget(&mut self) {
        self.last = Table::default();
    }

    /// Takes the next table: what happened since the last one.
    pub fn follow(&mut self, table: &Table) -> Vec<Event> {
        let events = events::between(&self.last, table);
        self.last = table.clone();
        events
    }
}
