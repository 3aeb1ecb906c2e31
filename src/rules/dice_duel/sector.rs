//! Shield sectors.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::ship_id::ParseNounError;
use super::symbol::Symbol;

/// One of the four sides that shields guard: 1 front, 2 right, 3 back, 4 left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sector {
    /// 1.
    Front,
    /// 2.
    Right,
    /// 3.
    Back,
    /// 4.
    Left,
}

impl Sector {
    /// All four, clockwise.
    pub const ALL: [Sector; 4] = [Sector::Front, Sector::Right, Sector::Back, Sector::Left];

    /// The number on the display.
    pub fn number(self) -> u8 {
        match self {
            Sector::Front => 1,
            Sector::Right => 2,
            Sector::Back => 3,
            Sector::Left => 4,
        }
    }

    /// The sector with that number.
    pub fn from_number(n: u8) -> Option<Sector> {
        Sector::ALL.into_iter().find(|s| s.number() == n)
    }

    /// The shield die that may lie there.
    pub fn symbol(self) -> Symbol {
        match self {
            Sector::Front => Symbol::Shield1,
            Sector::Right => Symbol::Shield2,
            Sector::Back => Symbol::Shield3,
            Sector::Left => Symbol::Shield4,
        }
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.number()) - 1
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl FromStr for Sector {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse()
            .ok()
            .and_then(Sector::from_number)
            .ok_or_else(|| ParseNounError::new(text, "a shield sector", "write 1, 2, 3 or 4"))
    }
}

impl Serialize for Sector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A sector is a number on the display, so it may be written as one: `2` as well as `"2"`.
impl<'de> Deserialize<'de> for Sector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Sector;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a shield sector: 1, 2, 3 or 4")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Sector, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Sector, E> {
                self.visit_str(&n.to_string())
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Sector {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sector".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "a shield sector: 1 front, 2 right, 3 back, 4 left",
            "anyOf": [
                { "type": "string", "enum": ["1", "2", "3", "4"] },
                { "type": "integer", "minimum": 1, "maximum": 4 }
            ]
        })
    }
}
