//! What a die may show.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::noun::ParseNounError;

/// The faces of a die.
pub const FACES: u8 = 6;

/// A set of what may lie on a space: no die, or one that shows 1 to 6. Never empty. As JSON a
/// number, a list of numbers, `null` for a die of which nothing is read, or text: `-` no die, `?`
/// any number, `|` between what may be (`-|2|3`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pips(u8);

impl Pips {
    /// Certainly no die.
    pub const NONE: Pips = Pips(1);
    /// A die, showing anything.
    pub const ANY: Pips = Pips(0b111_1110);
    /// A die showing anything, or none.
    pub const MAYBE: Pips = Pips(0b111_1111);

    /// A die that shows `n`; `None` where no die has that face.
    pub fn known(n: u8) -> Option<Pips> {
        (1..=FACES).contains(&n).then(|| Pips(1 << n))
    }

    fn of_bits(bits: u8) -> Option<Pips> {
        let bits = bits & Self::MAYBE.0;
        (bits != 0).then_some(Pips(bits))
    }

    /// Whether there may be no die.
    pub fn may_be_absent(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether there may be a die.
    pub fn may_be_there(self) -> bool {
        self.0 & Self::ANY.0 != 0
    }

    /// The numbers it may show, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (1..=FACES).filter(move |n| self.0 & (1 << n) != 0)
    }

    /// Every single content this may be, each as a set of one.
    pub fn each(self) -> impl Iterator<Item = Pips> {
        (0..=FACES)
            .map(|n| Pips(1 << n))
            .filter(move |p| self.0 & p.0 != 0)
    }

    /// Whether exactly one content is left.
    pub fn is_known(self) -> bool {
        self.0.count_ones() == 1
    }

    /// What it shows, if that is known: `Some(None)` is certainly no die.
    pub fn content(self) -> Option<Option<u8>> {
        self.is_known().then(|| self.numbers().next())
    }

    /// What either may be.
    #[must_use]
    pub fn or(self, other: Pips) -> Pips {
        Pips(self.0 | other.0)
    }

    /// Only the numbers for which `keep` holds; a die that showed another is taken off.
    #[must_use]
    pub fn keep(self, keep: impl Fn(u8) -> bool) -> Pips {
        let mut bits = self.0 & 1;
        for n in self.numbers() {
            bits |= if keep(n) { 1 << n } else { 1 };
        }
        Pips(bits)
    }

    /// Whether everything `other` may be is possible here.
    pub fn holds(self, other: Pips) -> bool {
        self.0 | other.0 == self.0
    }
}

impl fmt::Display for Pips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.may_be_absent() {
            f.write_str(if self.may_be_there() { "-|" } else { "-" })?;
        }
        if self.0 | 1 == Self::MAYBE.0 {
            return f.write_str("?");
        }
        for (i, n) in self.numbers().enumerate() {
            write!(f, "{}{n}", if i > 0 { "|" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Pips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Pips {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || {
            let hint = "write a number from 1 to 6, ? for any, - for no die, | between several";
            ParseNounError::new(text, "what a die may show", hint)
        };
        let mut bits = 0;
        for part in text.split('|') {
            bits |= match part {
                "-" => Pips::NONE.0,
                "?" => Pips::ANY.0,
                n => {
                    let n = n.parse().map_err(|_| wrong())?;
                    Pips::known(n).ok_or_else(wrong)?.0
                }
            };
        }
        Pips::of_bits(bits).ok_or_else(wrong)
    }
}

impl Serialize for Pips {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.content() {
            Some(Some(n)) => serializer.serialize_u8(n),
            _ if *self == Pips::ANY => serializer.serialize_unit(),
            _ if !self.may_be_absent() => serializer.collect_seq(self.numbers()),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Pips {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Pips;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 1 to 6, a list of them, null, or text such as -|2|3")
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Pips, E> {
                let die = u8::try_from(n).ok().and_then(Pips::known);
                die.ok_or_else(|| E::custom(format!("no die shows {n}: write 1 to 6")))
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Pips, E> {
                Err(E::custom(format!("no die shows {n}: write 1 to 6")))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Pips, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Pips, E> {
                Ok(Pips::ANY)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Pips, A::Error> {
                let mut bits = 0;
                while let Some(n) = seq.next_element::<u8>()? {
                    let die = Pips::known(n)
                        .ok_or_else(|| de::Error::custom(format!("no die shows {n}")))?;
                    bits |= die.0;
                }
                Pips::of_bits(bits).ok_or_else(|| {
                    de::Error::custom("an empty list says that nothing is possible: write null")
                })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Pips {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pips".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = json_schema!({ "type": "integer", "minimum": 1, "maximum": 6 });
        json_schema!({
            "description": "what a die shows: a number, a list of those it may show, null where it was not read, or text such as -|2|3 where there may be no die",
            "anyOf": [
                number,
                { "type": "array", "items": number, "minItems": 1 },
                { "type": "null" },
                { "type": "string" }
            ]
        })
    }
}
