//! Squares of the map, and the ways a ship can face.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ship_id::ParseNounError;
use crate::rules::string_serde;

/// A square: columns count from the left (x, east is +), rows from the bottom (y, north is +),
/// both from 0. As JSON: `[x, y]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "(i64, i64)", into = "(i16, i16)")]
#[schemars(with = "(i16, i16)")]
pub struct Square {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
}

impl Square {
    /// The square in column `x` and row `y`.
    pub const fn new(x: i16, y: i16) -> Square {
        Square { x, y }
    }

    /// The square one step away.
    pub fn step(self, to: Facing) -> Square {
        let (dx, dy) = to.vector();
        self.offset(dx, dy)
    }

    /// The square `dx` columns and `dy` rows away.
    pub fn offset(self, dx: i32, dy: i32) -> Square {
        let add = |a: i16, d: i32| {
            let sum = i32::from(a).saturating_add(d);
            sum.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
        };
        Square::new(add(self.x, dx), add(self.y, dy))
    }

    /// Columns and rows from here to there.
    pub fn vector_to(self, other: Square) -> (i32, i32) {
        (
            i32::from(other.x) - i32::from(self.x),
            i32::from(other.y) - i32::from(self.y),
        )
    }

    /// The eight squares around, from the north clockwise; some may lie off the map.
    pub fn around(self) -> [Square; 8] {
        [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ]
        .map(|(dx, dy)| self.offset(dx, dy))
    }
}

impl TryFrom<(i64, i64)> for Square {
    type Error = String;

    fn try_from((x, y): (i64, i64)) -> Result<Square, String> {
        match (i16::try_from(x), i16::try_from(y)) {
            (Ok(x), Ok(y)) => Ok(Square { x, y }),
            _ => Err(format!("[{x},{y}] is off any map")),
        }
    }
}

impl From<(i16, i16)> for Square {
    fn from((x, y): (i16, i16)) -> Square {
        Square { x, y }
    }
}

impl From<Square> for (i16, i16) {
    fn from(s: Square) -> (i16, i16) {
        (s.x, s.y)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}]", self.x, self.y)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.strip_prefix('[')
            .and_then(|t| t.strip_suffix(']'))
            .and_then(|t| t.split_once(','))
            .and_then(|(x, y)| Some(Square::new(x.trim().parse().ok()?, y.trim().parse().ok()?)))
            .ok_or_else(|| {
                ParseNounError::new(text, "a square", "write [column,row] from the bottom left")
            })
    }
}

/// One of the four directions: where a ship faces, or which edge of a square is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facing {
    /// Up the map.
    N,
    /// To the right.
    E,
    /// Down the map.
    S,
    /// To the left.
    W,
}

impl Facing {
    /// All four, from the north clockwise.
    pub const ALL: [Facing; 4] = [Facing::N, Facing::E, Facing::S, Facing::W];

    /// One step in this direction.
    pub fn vector(self) -> (i32, i32) {
        match self {
            Facing::N => (0, 1),
            Facing::E => (1, 0),
            Facing::S => (0, -1),
            Facing::W => (-1, 0),
        }
    }

    /// A quarter turn clockwise.
    pub fn right(self) -> Facing {
        match self {
            Facing::N => Facing::E,
            Facing::E => Facing::S,
            Facing::S => Facing::W,
            Facing::W => Facing::N,
        }
    }

    /// A quarter turn anticlockwise.
    pub fn left(self) -> Facing {
        self.right().opposite()
    }

    /// Half a turn.
    pub fn opposite(self) -> Facing {
        match self {
            Facing::N => Facing::S,
            Facing::E => Facing::W,
            Facing::S => Facing::N,
            Facing::W => Facing::E,
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Facing::N => 0,
            Facing::E => 1,
            Facing::S => 2,
            Facing::W => 3,
        }
    }
}

impl fmt::Display for Facing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Facing::N => "N",
            Facing::E => "E",
            Facing::S => "S",
            Facing::W => "W",
        })
    }
}

impl FromStr for Facing {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "N" | "n" => Ok(Facing::N),
            "E" | "e" => Ok(Facing::E),
            "S" | "s" => Ok(Facing::S),
            "W" | "w" => Ok(Facing::W),
            _ => Err(ParseNounError::new(text, "a facing", "write N, E, S or W")),
        }
    }
}

string_serde!(Facing, "Facing", "N, E, S or W; north is up the map");

/// Where in its square a ship stands: alone, or in the half at one of the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Half {
    /// The square is its own.
    #[default]
    Whole,
    /// In the half at this edge.
    At(Facing),
}

impl Half {
    /// All five.
    pub const ALL: [Half; 5] = [
        Half::Whole,
        Half::At(Facing::N),
        Half::At(Facing::E),
        Half::At(Facing::S),
        Half::At(Facing::W),
    ];
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Half::Whole => f.write_str("whole"),
            Half::At(edge) => edge.fmt(f),
        }
    }
}

impl FromStr for Half {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "whole" => Ok(Half::Whole),
            _ => text.parse().map(Half::At).map_err(|_| {
                ParseNounError::new(
                    text,
                    "a half of a square",
                    "write N, E, S, W for the edge it stands at, or whole",
                )
            }),
        }
    }
}

string_serde!(
    Half,
    "Half",
    "the edge of its square at which a ship stands (N, E, S, W), or whole where it is alone"
);
