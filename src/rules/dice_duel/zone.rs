//! Every named region of the table; the places on displays are in `spot`.

use std::fmt;
use std::str::FromStr;

use super::ship_id::{ParseNounError, ShipId};
use super::square::Square;
use crate::rules::string_serde;

pub use super::sector::Sector;
pub(crate) use super::spot::SPOTS;
pub use super::spot::{HelmSlot, Spot};
pub use super::station::Station;
pub use super::tube::{MAX_TUBES_A_SIDE, Side, Tube};

/// Any named region of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// A place on a ship's display.
    On(ShipId, Spot),
    /// On a ship's display, in none of its places.
    Display(ShipId, Station),
    /// A ship's part of the damage display; its spaces may be numbered.
    Damage(ShipId, Option<u8>),
    /// A ship's crystals.
    Crystals(ShipId),
    /// The bare table beside a ship's displays.
    Beside(ShipId),
    /// The ship itself: its square, facing and half.
    Ship(ShipId),
    /// A square of the map.
    Board(Square),
    /// The map as a whole.
    Map,
    /// Where spent crystals wait.
    UsedCrystals,
    /// The bare table, anywhere.
    Table,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::On(ship, spot) => write!(f, "{ship}.{spot}"),
            Zone::Display(ship, station) => write!(f, "{ship}.{station}"),
            Zone::Damage(ship, None) => write!(f, "{ship}.damage"),
            Zone::Damage(ship, Some(n)) => write!(f, "{ship}.damage.{n}"),
            Zone::Crystals(ship) => write!(f, "{ship}.crystals"),
            Zone::Beside(ship) => write!(f, "{ship}.table"),
            Zone::Ship(ship) => write!(f, "{ship}.ship"),
            Zone::Board(square) => write!(f, "board{square}"),
            Zone::Map => f.write_str("board"),
            Zone::UsedCrystals => f.write_str("board.used-crystals"),
            Zone::Table => f.write_str("table"),
        }
    }
}

impl FromStr for Zone {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Zone::parse(text).ok_or_else(|| {
            ParseNounError::new(
                text,
                "a zone",
                "write for instance white.sensors.lock, black.weapons.rear-1.tail, \
                 white.damage, board[3,4], board.used-crystals or table",
            )
        })
    }
}

impl Zone {
    fn parse(text: &str) -> Option<Zone> {
        match text {
            "table" => return Some(Zone::Table),
            "board" => return Some(Zone::Map),
            "board.used-crystals" => return Some(Zone::UsedCrystals),
            _ => {}
        }
        if let Some(square) = text.strip_prefix("board") {
            return square.parse().ok().map(Zone::Board);
        }
        let (ship, rest) = text.split_once('.')?;
        let ship: ShipId = ship.parse().ok()?;
        match rest {
            "damage" => return Some(Zone::Damage(ship, None)),
            "crystals" => return Some(Zone::Crystals(ship)),
            "table" => return Some(Zone::Beside(ship)),
            "ship" => return Some(Zone::Ship(ship)),
            _ => {}
        }
        if let Some(n) = rest.strip_prefix("damage.") {
            return n.parse().ok().map(|n| Zone::Damage(ship, Some(n)));
        }
        if let Ok(station) = rest.parse() {
            return Some(Zone::Display(ship, station));
        }
        Spot::parse(rest).map(|spot| Zone::On(ship, spot))
    }

    /// Whose zone it is.
    pub fn ship(self) -> Option<ShipId> {
        match self {
            Zone::On(ship, _)
            | Zone::Display(ship, _)
            | Zone::Damage(ship, _)
            | Zone::Crystals(ship)
            | Zone::Beside(ship)
            | Zone::Ship(ship) => Some(ship),
            Zone::Board(_) | Zone::Map | Zone::UsedCrystals | Zone::Table => None,
        }
    }
}

string_serde!(
    Zone,
    "Zone",
    "a named region: white.sensors.lock, black.weapons.rear-1.tail, white.helm.A, white.shields.2, white.tractor.mine-A, white.engineering.pool, white.weapons.energy, white.damage, white.crystals, white.table, board[3,4], board.used-crystals, table"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_spot_has_its_own_place_in_the_order_of_all() {
        let all: Vec<Spot> = Spot::all().collect();
        assert_eq!(all.len(), SPOTS);
        for (i, spot) in all.iter().enumerate() {
            assert_eq!(spot.index(), i, "{spot}");
            assert_eq!(spot.to_string().parse(), Ok(*spot));
        }
    }

    #[test]
    fn only_the_zone_words_of_the_design_are_zones() {
        for text in [
            "white.weapons.front-1.nose",
            "black.helm.A",
            "white.shields.2",
            "board[3,4]",
            "board[-1,0]",
            "table",
            "white.table",
            "white.helm",
            "black-2.damage.4",
            "board.used-crystals",
            "white.crystals",
            "white.ship",
        ] {
            let zone: Zone = text.parse().unwrap();
            assert_eq!(zone.to_string(), text);
        }
        for text in [
            "",
            "white",
            "board[3]",
            "board[3,4",
            "White.helm.A",
            "white.helm.D",
            "white.shields.5",
            "white.weapons.front-4.nose",
            "white.engineering.energy",
            "board.helm.A",
            "white.sensors.lock.1",
        ] {
            assert!(text.parse::<Zone>().is_err(), "{text}");
        }
    }
}
