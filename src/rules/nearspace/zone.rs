//! Places of the table, as problems and unknowns name them. Things in a list count from 0.

use std::fmt;

use super::noun::PlayerId;
use crate::rules::told_as_text;

/// A place of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Zone {
    /// A player and all that is theirs.
    Player(PlayerId),
    /// CP to spend.
    Cp(PlayerId),
    /// Artifice CP to spend.
    Artifice(PlayerId),
    /// A card of the hand.
    Card(PlayerId, usize),
    /// A project.
    Project(PlayerId, usize),
    /// An engine die.
    Engine(PlayerId, usize),
    /// A sector of Nearspace.
    Sector(usize),
    /// A player's presence in a sector.
    Presence(PlayerId, usize),
    /// A check to judge.
    Check(usize),
    /// A die to judge.
    Die(usize),
    /// The whole table.
    Table,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Player(p) => write!(f, "{p}"),
            Zone::Cp(p) => write!(f, "{p}.cp"),
            Zone::Artifice(p) => write!(f, "{p}.artifice"),
            Zone::Card(p, n) => write!(f, "{p}.hand[{n}]"),
            Zone::Project(p, n) => write!(f, "{p}.projects[{n}]"),
            Zone::Engine(p, n) => write!(f, "{p}.engine[{n}]"),
            Zone::Sector(n) => write!(f, "sectors[{n}]"),
            Zone::Presence(p, n) => write!(f, "sectors[{n}].{p}"),
            Zone::Check(n) => write!(f, "checks[{n}]"),
            Zone::Die(n) => write!(f, "dice[{n}]"),
            Zone::Table => f.write_str("table"),
        }
    }
}

told_as_text!(
    Zone,
    "Zone",
    "a place of the table: a, a.cp, a.artifice, a.hand[0], a.projects[0], a.engine[0], sectors[0], sectors[0].a, checks[0], dice[0] or table"
);
