//! The battlefield: one closed loop of spaces a sector.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noun::{ParseNounError, noun};
use crate::rules::string_serde;

/// The longest loop that a battlefield may have.
pub const MAX_LOOP: u8 = 60;

/// A space of the battlefield: the sector, from 1, and the space on its loop, from 0, counted
/// clockwise. Written `1.13`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space {
    /// The sector, from 1.
    pub sector: u8,
    /// The space, from 0, clockwise.
    pub at: u8,
}

impl Space {
    /// A space.
    pub const fn new(sector: u8, at: u8) -> Space {
        Space { sector, at }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.sector, self.at)
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Space {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('.');
        let read = parts.and_then(|(s, a)| Some(Space::new(s.parse().ok()?, a.parse().ok()?)));
        read.ok_or_else(|| {
            ParseNounError::new(
                text,
                "a space of the battlefield",
                "write the sector and the space, such as 1.13",
            )
        })
    }
}

string_serde!(
    Space,
    "Space",
    "a space of the battlefield: the sector from 1, a point, the space from 0 clockwise, such as 1.13"
);

noun! {
    /// The way a ship is headed, or a shot flies, round its loop.
    Heading, "a heading" {
        /// Towards higher numbers.
        Clockwise = "clockwise",
        /// Towards lower numbers.
        Anticlockwise = "anticlockwise",
    }
}

impl Heading {
    /// The other way.
    #[must_use]
    pub fn opposite(self) -> Heading {
        match self {
            Heading::Clockwise => Heading::Anticlockwise,
            Heading::Anticlockwise => Heading::Clockwise,
        }
    }
}

/// Where a ship begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Its space.
    pub space: Space,
    /// Its heading.
    pub heading: Heading,
}

/// Where a ship may warp to from a stretch of spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warp {
    /// The stretch's sector.
    pub sector: u8,
    /// Its first space.
    pub first: u8,
    /// Its last space, that one included.
    pub last: u8,
    /// The spots a ship there may warp to.
    pub to: Vec<Space>,
}

/// A battlefield: loops, starts, warp spots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What it is called; a demo says so.
    pub name: String,
    /// How many spaces the loop of each sector has; one sector or two.
    pub sectors: Vec<u8>,
    /// Where the ships begin, in seating order.
    pub starts: Vec<Start>,
    /// Where one may warp from where.
    pub warps: Vec<Warp>,
}

impl Field {
    /// The spaces of a sector's loop; `None` where there is no such sector.
    pub fn spaces_in(&self, sector: u8) -> Option<u8> {
        let index = usize::from(sector).checked_sub(1)?;
        self.sectors.get(index).copied().filter(|n| *n > 0)
    }

    /// Whether a space is on the battlefield.
    pub fn holds(&self, space: Space) -> bool {
        self.spaces_in(space.sector).is_some_and(|n| space.at < n)
    }

    /// Every space.
    pub fn spaces(&self) -> impl Iterator<Item = Space> + '_ {
        (1u8..)
            .zip(&self.sectors)
            .flat_map(|(sector, n)| (0..*n).map(move |at| Space::new(sector, at)))
    }

    /// The next space along a heading; the space itself where it is off the battlefield.
    pub fn step(&self, from: Space, heading: Heading) -> Space {
        let Some(n) = self.spaces_in(from.sector) else {
            return from;
        };
        let at = match heading {
            Heading::Clockwise if from.at >= n - 1 => 0,
            Heading::Clockwise => from.at + 1,
            Heading::Anticlockwise if from.at == 0 => n - 1,
            Heading::Anticlockwise => from.at - 1,
        };
        Space::new(from.sector, at)
    }

    /// How many steps it is from one space to another along a heading; `None` where they are not
    /// on one loop.
    pub fn steps(&self, from: Space, to: Space, heading: Heading) -> Option<u16> {
        if from.sector != to.sector || !self.holds(from) || !self.holds(to) {
            return None;
        }
        let n = self.spaces_in(from.sector)?;
        let (a, b) = match heading {
            Heading::Clockwise => (from.at, to.at),
            Heading::Anticlockwise => (to.at, from.at),
        };
        Some(u16::from(if b >= a { b - a } else { n - a + b }))
    }

    /// Where a ship comes to that travels `spaces`, and how many others it passes: a space with
    /// another ship on it is not counted, so nobody lands there (Actions: Boost). `None` where the
    /// loop has no free space.
    pub fn travel(
        &self,
        from: Space,
        heading: Heading,
        spaces: u16,
        others: &[Space],
    ) -> Option<(Space, u16)> {
        let n = usize::from(self.spaces_in(from.sector)?);
        let here = others.iter().filter(|s| s.sector == from.sector).count();
        if here >= n {
            return None;
        }
        let (mut at, mut left, mut passed) = (from, spaces, 0u16);
        while left > 0 {
            at = self.step(at, heading);
            if others.contains(&at) {
                passed = passed.saturating_add(1);
            } else {
                left -= 1;
            }
        }
        Some((at, passed))
    }

    /// The spots a ship may warp to from a space, occupied or not, each once.
    pub fn warp_spots(&self, from: Space) -> Vec<Space> {
        let mut spots: Vec<Space> = self
            .warps
            .iter()
            .filter(|w| w.sector == from.sector && (w.first..=w.last).contains(&from.at))
            .flat_map(|w| w.to.iter().copied())
            .filter(|s| self.holds(*s) && *s != from)
            .collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }

    /// The other sector, where there are two.
    pub fn opposite(&self, sector: u8) -> Option<u8> {
        match (self.sectors.len(), sector) {
            (2, 1) => Some(2),
            (2, 2) => Some(1),
            _ => None,
        }
    }
}
