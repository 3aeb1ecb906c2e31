//! Torpedo tubes.

use std::fmt;
use std::str::FromStr;

use super::ship_id::ParseNounError;
use crate::rules::string_serde;

/// The side of a ship on which a torpedo tube is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Ahead.
    Front,
    /// Astern.
    Rear,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Front, Side::Rear];
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Front => "front",
            Side::Rear => "rear",
        })
    }
}

impl FromStr for Side {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "front" => Ok(Side::Front),
            "rear" => Ok(Side::Rear),
            _ => Err(ParseNounError::new(
                text,
                "a side with tubes",
                "write front or rear",
            )),
        }
    }
}

string_serde!(Side, "Side", "front or rear");

/// The most tubes a side of a ship may have in a copy's data.
pub const MAX_TUBES_A_SIDE: u8 = 3;

/// A torpedo tube, such as `front-1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tube {
    side: Side,
    number: u8,
}

impl Tube {
    /// Tube `number` (from 1, at most [`MAX_TUBES_A_SIDE`]) of a side.
    pub fn new(side: Side, number: u8) -> Option<Tube> {
        (1..=MAX_TUBES_A_SIDE)
            .contains(&number)
            .then_some(Tube { side, number })
    }

    /// Every tube there can be, front before rear.
    pub fn all() -> impl Iterator<Item = Tube> {
        Side::ALL
            .into_iter()
            .flat_map(|side| (1..=MAX_TUBES_A_SIDE).map(move |number| Tube { side, number }))
    }

    /// Front or rear.
    pub fn side(self) -> Side {
        self.side
    }

    /// Counted from 1 on its side.
    pub fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.side, self.number)
    }
}

impl fmt::Debug for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Tube {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('-')
            .and_then(|(side, number)| Tube::new(side.parse().ok()?, number.parse().ok()?))
            .ok_or_else(|| {
                ParseNounError::new(text, "a tube", "write front-1, front-2, rear-1 or rear-2")
            })
    }
}

string_serde!(
    Tube,
    "Tube",
    "a torpedo tube: front-1, front-2, rear-1 or rear-2"
);
