//! A whole number that is known, or known to lie between two others.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `min..=max`, both inclusive. As JSON a known value is a number, an unknown one `[min, max]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The least it can be.
    pub min: u16,
    /// The most it can be.
    pub max: u16,
}

impl Span {
    /// A value that is known.
    pub const fn known(n: u16) -> Span {
        Span { min: n, max: n }
    }

    /// Between two values, in either order.
    pub fn between(a: u16, b: u16) -> Span {
        Span {
            min: a.min(b),
            max: a.max(b),
        }
    }

    /// The value, where there is only one.
    pub fn value(self) -> Option<u16> {
        (self.min == self.max).then_some(self.min)
    }

    /// Whether `n` is possible.
    pub fn contains(self, n: u16) -> bool {
        self.min <= n && n <= self.max
    }

    /// The least span that holds both.
    pub fn union(self, other: Span) -> Span {
        Span {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The sum of two independent values.
    pub fn plus(self, other: Span) -> Span {
        Span {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    /// Every bound less `n`, not below nothing.
    pub fn less(self, n: u16) -> Span {
        Span {
            min: self.min.saturating_sub(n),
            max: self.max.saturating_sub(n),
        }
    }

    /// Every bound and `n` more.
    pub fn and(self, n: u16) -> Span {
        self.plus(Span::known(n))
    }
}

impl From<u16> for Span {
    fn from(n: u16) -> Span {
        Span::known(n)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(n) => write!(f, "{n}"),
            None => write!(f, "{} to {}", self.min, self.max),
        }
    }
}

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (least, most) = text.split_once(" to ").unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(min), Ok(max)) if min <= max => Ok(Span { min, max }),
            _ => Err(format!("{text:?} is not a span: write 3, or 2 to 5")),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value() {
            Some(n) => serializer.serialize_u16(n),
            None => (self.min, self.max).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or [least, most]")
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Span, E> {
                u16::try_from(n)
                    .map(Span::known)
                    .map_err(|_| E::custom(format!("{n} is too large a number")))
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Span, E> {
                u16::try_from(n)
                    .map(Span::known)
                    .map_err(|_| E::custom(format!("{n} is not a count")))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Span, A::Error> {
                let short = || de::Error::custom("a span has two numbers: [least, most]");
                let min: u16 = seq.next_element()?.ok_or_else(short)?;
                let max: u16 = seq.next_element()?.ok_or_else(short)?;
                if seq.next_element::<u16>()?.is_some() {
                    return Err(short());
                }
                if min > max {
                    return Err(de::Error::custom(format!(
                        "the least ({min}) is more than the most ({max})"
                    )));
                }
                Ok(Span { min, max })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "a whole number, or [least, most] where it is not known",
            "oneOf": [
                { "type": "integer", "minimum": 0, "maximum": 65535 },
                { "type": "array", "items": { "type": "integer", "minimum": 0 },
                  "minItems": 2, "maxItems": 2 }
            ]
        })
    }
}
