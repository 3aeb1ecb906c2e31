//! What can be wrong with a table.

use std::fmt;

use super::noun::{Phase, PlayerId};
use super::setup::Purpose;
use crate::rules::{Game, Rule, Span};

/// Something wrong on the way from a set-up to a position.
pub type Problem = crate::rules::Problem<super::zone::Zone, Fault>;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A player named twice.
    PlayerTwice,
    /// The player whose turn it is said to be is not there.
    NoTurn {
        /// Whose.
        player: PlayerId,
    },
    /// More things than a table holds: the rest is left out.
    TooMany,
    /// Points on what is never banked: the project is left out.
    NeverBanked {
        /// What.
        purpose: Purpose,
    },
    /// A project that cannot be: left out.
    NoSuchProject,
    /// More points than it costs.
    OverBanked {
        /// What is banked.
        banked: Span,
        /// What it costs.
        cost: u16,
    },
    /// A Homeworld is terraformed: the points count for nothing.
    HomeworldTerraformed,
    /// Terraforming without presence: what was invested is lost.
    PresenceLost,
    /// A number that the die does not have.
    NoSuchFace {
        /// Its facets.
        size: u8,
    },
    /// An engine die is doing what belongs to another part of the turn.
    WrongPhase {
        /// The part.
        phase: Phase,
    },
    /// More energy spent than there is.
    Overspent {
        /// What the dice give.
        energy: Span,
    },
    /// A count larger than any.
    TooMuch,
    /// Not sure what this is.
    Unsure,
}

impl crate::rules::Fault for Fault {
    fn code(&self) -> &'static str {
        match self {
            Fault::PlayerTwice => "player_twice",
            Fault::NoTurn { .. } => "no_such_turn",
            Fault::TooMany => "too_many",
            Fault::NeverBanked { .. } => "never_banked",
            Fault::NoSuchProject => "no_such_project",
            Fault::OverBanked { .. } => "over_banked",
            Fault::HomeworldTerraformed => "homeworld_terraformed",
            Fault::PresenceLost => "presence_lost",
            Fault::NoSuchFace { .. } => "no_such_face",
            Fault::WrongPhase { .. } => "wrong_phase",
            Fault::Overspent { .. } => "overspent",
            Fault::TooMuch => "too_much",
            Fault::Unsure => "unsure",
        }
    }

    fn rule(&self) -> Option<Rule> {
        let section = match self {
            Fault::NeverBanked { .. } | Fault::OverBanked { .. } => "3. Build: Banking CP",
            Fault::HomeworldTerraformed | Fault::PresenceLost => "3. Build: Terraforming",
            Fault::NoSuchFace { .. } => "The Dice: Irregular Dice",
            Fault::WrongPhase { .. } | Fault::Overspent { .. } => "4. Engine Dice: Engine Storing",
            _ => return None,
        };
        Some(Rule {
            game: Game::Nearspace,
            section,
        })
    }

    fn is_soft(&self) -> bool {
        matches!(self, Fault::Unsure)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::PlayerTwice => f.write_str("named twice"),
            Fault::NoTurn { player } => write!(f, "it cannot be the turn of {player}"),
            Fault::TooMany => f.write_str("more than a table holds: the rest is left out"),
            Fault::NeverBanked { purpose } => {
                write!(f, "{purpose} is never banked: take the points off")
            }
            Fault::NoSuchProject => f.write_str("this cannot be under construction"),
            Fault::OverBanked { banked, cost } => {
                write!(f, "{banked} points are banked, but it costs {cost}")
            }
            Fault::HomeworldTerraformed => f.write_str("a Homeworld is never terraformed"),
            Fault::PresenceLost => {
                f.write_str("without presence what was invested is lost: take the points off")
            }
            Fault::NoSuchFace { size } => write!(f, "no such number on a d{size}"),
            Fault::WrongPhase { phase } => write!(f, "cannot be while the turn is at: {phase}"),
            Fault::Overspent { energy } => write!(f, "more is spent than the {energy} E there are"),
            Fault::TooMuch => f.write_str("a count larger than any"),
            Fault::Unsure => f.write_str("not sure what this is"),
        }
    }
}
