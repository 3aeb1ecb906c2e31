//! The name of a ship.

use std::fmt;
use std::str::FromStr;

use crate::rules::string_serde;

/// What is not a noun of the game, and what would have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {noun}: {hint}")]
pub struct ParseNounError {
    pub(crate) text: String,
    pub(crate) noun: &'static str,
    pub(crate) hint: &'static str,
}

impl ParseNounError {
    pub(crate) fn new(text: &str, noun: &'static str, hint: &'static str) -> Self {
        let text = text.chars().take(60).collect();
        ParseNounError { text, noun, hint }
    }
}

const LONGEST: usize = 15;

/// A ship's name, such as `white` or `black-2`: up to 15 small letters, digits and hyphens, a
/// letter first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShipId {
    bytes: [u8; LONGEST],
    len: u8,
}

impl ShipId {
    /// The white ship of the box.
    pub const WHITE: ShipId = ShipId::literal(b"white");
    /// The black ship of the box.
    pub const BLACK: ShipId = ShipId::literal(b"black");

    const fn literal(name: &[u8; 5]) -> ShipId {
        let [a, b, c, d, e] = *name;
        ShipId {
            bytes: [a, b, c, d, e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            len: 5,
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl fmt::Display for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ShipId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ShipId {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = !text.is_empty()
            && text.len() <= LONGEST
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        // Words that begin something else in a zone's name or a position's text.
        let taken = [
            "board",
            "table",
            "used-crystals",
            "used",
            "flow",
            "die",
            "token",
            "hidden",
            "corrected",
        ];
        if !fits || taken.contains(&text) {
            return Err(ParseNounError::new(
                text,
                "a ship's name",
                "up to 15 small letters, digits and hyphens, such as white or black-2",
            ));
        }
        let mut bytes = [0; LONGEST];
        for (to, from) in bytes.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Ok(ShipId {
            bytes,
            len: text.len() as u8,
        })
    }
}

string_serde!(
    ShipId,
    "ShipId",
    "a ship's name, up to 15 small letters, digits and hyphens, such as white or black-2"
);
