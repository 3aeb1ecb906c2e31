//! Places of the table, as problems and unknowns name them.

use std::fmt;

use super::spot::{Shield, ShipId, Spot};
use crate::rules::told_as_text;

/// A place of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Zone {
    /// Where a ship stands on the battlefield.
    Ship(ShipId),
    /// Where a ship is headed.
    Heading(ShipId),
    /// The die on a space of a console.
    Die(ShipId, Spot),
    /// The damage token on a space of a console.
    Damage(ShipId, Spot),
    /// A shield token.
    Shield(ShipId, Shield),
    /// A ship's power cubes.
    Cubes(ShipId),
    /// A ship's dice in the Boost area of the battlefield.
    Boosted(ShipId),
    /// A ship's dice on the Manoeuvre token.
    Manoeuvred(ShipId),
    /// The whole console.
    Console(ShipId),
    /// The battlefield and what is beside it.
    Table,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Ship(ship) => write!(f, "{ship}.ship"),
            Zone::Heading(ship) => write!(f, "{ship}.heading"),
            Zone::Die(ship, spot) => write!(f, "{ship}.{spot}"),
            Zone::Damage(ship, spot) => write!(f, "{ship}.damage.{spot}"),
            Zone::Shield(ship, shield) => write!(f, "{ship}.shield.{shield}"),
            Zone::Cubes(ship) => write!(f, "{ship}.cubes"),
            Zone::Boosted(ship) => write!(f, "{ship}.boosted"),
            Zone::Manoeuvred(ship) => write!(f, "{ship}.manoeuvred"),
            Zone::Console(ship) => write!(f, "{ship}.console"),
            Zone::Table => f.write_str("table"),
        }
    }
}

told_as_text!(
    Zone,
    "Zone",
    "a place of the table: a.ship, a.heading, a.fire-1, a.damage.fire-1, a.shield.mid, a.cubes, a.boosted, a.manoeuvred, a.console or table"
);
