//! Names: of a die on the table, of a kind of die, of a team, a class and a face.

use std::fmt;
use std::str::FromStr;

use crate::rules::{string_serde, told_as_text};

const LONGEST: usize = 23;

/// What is not a noun of the game, and what would have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {noun}: {hint}")]
pub struct ParseNounError {
    text: String,
    noun: &'static str,
    hint: &'static str,
}

impl ParseNounError {
    pub(crate) fn new(text: &str, noun: &'static str, hint: &'static str) -> Self {
        let text = text.chars().take(60).collect();
        ParseNounError { text, noun, hint }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name {
    bytes: [u8; LONGEST],
    len: u8,
}

impl Name {
    fn parse(text: &str) -> Option<Name> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if text.is_empty() || text.len() > LONGEST || !text.bytes().all(plain) {
            return None;
        }
        let mut bytes = [0; LONGEST];
        for (to, from) in bytes.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Some(Name {
            bytes,
            len: u8::try_from(text.len()).ok()?,
        })
    }

    fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// The beginning of what people call something, to be told in a reason; at most 23 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(Name);

impl Label {
    pub(crate) fn of(text: &str) -> Label {
        let mut name = Name {
            bytes: [0; LONGEST],
            len: 0,
        };
        for c in text.chars().filter(|c| !c.is_control()) {
            let at = usize::from(name.len);
            let Some(to) = name.bytes.get_mut(at..at + c.len_utf8()) else {
                break;
            };
            c.encode_utf8(to);
            // Not above 23.
            name.len = u8::try_from(at + c.len_utf8()).unwrap_or(name.len);
        }
        Label(name)
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

told_as_text!(Label, "Label", "the beginning of a name");

macro_rules! name {
    ($type:ident, $name:literal, $noun:literal, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(Name);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = ParseNounError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Name::parse(text).map($type).ok_or_else(|| {
                    let hint = "up to 23 small letters, digits and hyphens";
                    ParseNounError::new(text, $noun, hint)
                })
            }
        }

        string_serde!($type, $name, $what);
    };
}

name!(
    DieId,
    "DieId",
    "the name of a die",
    "one die of one army, such as scout-1: up to 23 small letters, digits and hyphens"
);
name!(
    KindId,
    "KindId",
    "the name of a kind of die",
    "a kind of die in the catalogue, such as terran-scout: up to 23 small letters, digits and hyphens"
);
name!(
    Team,
    "Team",
    "the name of a team",
    "a team, such as terran: up to 23 small letters, digits and hyphens"
);
name!(
    Class,
    "Class",
    "the name of a class",
    "a class of dice, such as fighter: up to 23 small letters, digits and hyphens"
);
name!(
    FaceId,
    "FaceId",
    "the name of a face",
    "a face of a kind of die: its side number, and a letter where a die has that number more than once (8, 1, 1b)"
);
