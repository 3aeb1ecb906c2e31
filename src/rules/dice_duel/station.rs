//! The stations of a ship.

use std::fmt;
use std::str::FromStr;

use super::ship_id::ParseNounError;
use super::symbol::DieKind;
use crate::rules::string_serde;

/// The six stations of a ship, in the order in which its displays are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Station {
    /// Rolls the energy dice and hands them out.
    Engineering,
    /// Moves the ship.
    Helm,
    /// Loads torpedoes.
    Weapons,
    /// Locks on, and jams.
    Sensors,
    /// Guards the four sides.
    Shields,
    /// Pulls crystals and ships, lays mines.
    Tractor,
}

impl Station {
    /// All six.
    pub const ALL: [Station; 6] = [
        Station::Engineering,
        Station::Helm,
        Station::Weapons,
        Station::Sensors,
        Station::Shields,
        Station::Tractor,
    ];

    /// The five that receive energy.
    pub const POWERED: [Station; 5] = [
        Station::Helm,
        Station::Weapons,
        Station::Sensors,
        Station::Shields,
        Station::Tractor,
    ];

    /// The dice this station rolls.
    pub fn die_kind(self) -> DieKind {
        match self {
            Station::Engineering => DieKind::Energy,
            Station::Helm => DieKind::Helm,
            Station::Weapons => DieKind::Weapon,
            Station::Sensors => DieKind::Sensor,
            Station::Shields => DieKind::Shield,
            Station::Tractor => DieKind::Tractor,
        }
    }

    /// The name as people say it.
    pub fn title(self) -> &'static str {
        match self {
            Station::Engineering => "Engineering",
            Station::Helm => "Helm",
            Station::Weapons => "Weapons",
            Station::Sensors => "Sensors",
            Station::Shields => "Shields",
            Station::Tractor => "Tractor",
        }
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Station::Engineering => "engineering",
            Station::Helm => "helm",
            Station::Weapons => "weapons",
            Station::Sensors => "sensors",
            Station::Shields => "shields",
            Station::Tractor => "tractor",
        })
    }
}

impl FromStr for Station {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Station::ALL
            .into_iter()
            .find(|s| s.to_string() == text)
            .ok_or_else(|| {
                ParseNounError::new(
                    text,
                    "a station",
                    "write engineering, helm, weapons, sensors, shields or tractor",
                )
            })
    }
}

string_serde!(
    Station,
    "Station",
    "engineering, helm, weapons, sensors, shields or tractor"
);
