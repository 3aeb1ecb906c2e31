//! Why a call is what it is: each step as data, put into words only when shown.

use std::fmt;

use serde::Serialize;

use super::ship_id::ShipId;
use super::symbol::Faces;
use super::zone::Station;
use crate::rules::{Explain, Game, Rule};

/// One step of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Reason {
    /// An energy die's number powers a station.
    EnergyPowers {
        /// The number.
        number: u8,
        /// The station.
        station: Station,
    },
    /// An energy die's number powers nothing.
    EnergyPowersNothing {
        /// The number.
        number: u8,
    },
    /// What a die shows is not sure.
    NotRead {
        /// What it may show.
        #[serde(serialize_with = "super::call::faces")]
        shows: Faces,
    },
    /// The play is stopped.
    Stopped {
        /// By whom.
        by: ShipId,
    },
}

impl Explain for Reason {
    fn rule(&self) -> Rule {
        let section = match self {
            Reason::EnergyPowers { .. } => "Basic Game Flow: How Stations Work",
            Reason::EnergyPowersNothing { .. } => "Engineering",
            Reason::NotRead { .. } => "Other Rules About Dice And Displays",
            Reason::Stopped { .. } => "Launching Torpedoes",
        };
        Rule {
            game: Game::DiceDuel,
            section,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::EnergyPowers { number, station } => {
                write!(f, "{number} is the number of {}", station.title())
            }
            Reason::EnergyPowersNothing { number } => {
                write!(
                    f,
                    "no station has the number {number}; the die is rolled again"
                )
            }
            Reason::NotRead { shows } => write!(f, "the die may show {shows}"),
            Reason::Stopped { by } => write!(f, "the play is stopped by {by}"),
        }
    }
}
