//! Chances as exact fractions.

use std::cmp::Ordering;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

/// A chance between 0 and 1, always in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Fraction")]
pub struct Odds {
    /// Ways in which it happens.
    num: u64,
    /// Ways there are.
    den: u64,
}

/// A fraction as somebody wrote it, which need not be a chance.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fraction {
    /// Ways in which it happens.
    num: u64,
    /// Ways there are.
    den: u64,
}

impl TryFrom<Fraction> for Odds {
    type Error = String;

    fn try_from(Fraction { num, den }: Fraction) -> Result<Odds, String> {
        Odds::new(num, den).ok_or_else(|| format!("{num}/{den} is not a chance"))
    }
}

impl Ord for Odds {
    fn cmp(&self, other: &Odds) -> Ordering {
        let cross = |a: u64, b: u64| u128::from(a) * u128::from(b);
        cross(self.num, other.den).cmp(&cross(other.num, self.den))
    }
}

impl PartialOrd for Odds {
    fn partial_cmp(&self, other: &Odds) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Odds {
    /// It does not happen.
    pub const NEVER: Odds = Odds { num: 0, den: 1 };
    /// It happens.
    pub const CERTAIN: Odds = Odds { num: 1, den: 1 };

    /// `num` ways out of `den`; `None` where that is no chance (nothing to count, or more ways
    /// than there are).
    pub fn new(num: u64, den: u64) -> Option<Odds> {
        if den == 0 || num > den {
            return None;
        }
        let d = gcd(num, den);
        Some(Odds {
            num: num / d,
            den: den / d,
        })
    }

    /// The numerator, in lowest terms.
    pub fn num(self) -> u64 {
        self.num
    }

    /// The denominator, in lowest terms.
    pub fn den(self) -> u64 {
        self.den
    }

    /// The chance that it does not happen.
    pub fn complement(self) -> Odds {
        Odds {
            num: self.den - self.num,
            den: self.den,
        }
    }

    /// As people say it: a short fraction, else per cent to a tenth.
    pub fn told(self) -> String {
        if self.den < 10_000 {
            return self.to_string();
        }
        let (num, den) = (u128::from(self.num), u128::from(self.den));
        match (num * 1000 + den / 2) / den {
            0 => "below 0.1 %".into(),
            1000 => "above 99.9 %".into(),
            tenths => format!("{}.{} %", tenths / 10, tenths % 10),
        }
    }

    /// The chance that at least `wanted` of `tries` independent tries succeed. `None` if the
    /// fraction outgrows 64 bits.
    pub fn at_least(self, wanted: u32, tries: u32) -> Option<Odds> {
        let den = self.den.checked_pow(tries)?;
        let mut num = 0u64;
        for k in wanted..=tries {
            let ways = choose(tries, k)?
                .checked_mul(self.num.checked_pow(k)?)?
                .checked_mul((self.den - self.num).checked_pow(tries - k)?)?;
            num = num.checked_add(ways)?;
        }
        Odds::new(num, den)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn choose(n: u32, k: u32) -> Option<u64> {
    (0..u64::from(k)).try_fold(1u64, |c, i| {
        Some(c.checked_mul(u64::from(n) - i)? / (i + 1))
    })
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl std::str::FromStr for Odds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        num.parse()
            .ok()
            .and_then(|num| Odds::new(num, den.parse().ok()?))
            .ok_or_else(|| format!("{text:?} is not a chance: write for instance 5/9"))
    }
}

/// A chance that is known, or known to lie between two others, both possible. As JSON a known
/// one is a fraction, another `[least, most]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OddsSpan {
    /// The least it can be.
    pub min: Odds,
    /// The most it can be.
    pub max: Odds,
}

impl OddsSpan {
    /// A chance that is known.
    pub const fn known(odds: Odds) -> OddsSpan {
        OddsSpan {
            min: odds,
            max: odds,
        }
    }

    /// The chance, where there is only one.
    pub fn value(self) -> Option<Odds> {
        (self.min == self.max).then_some(self.min)
    }

    /// The least span that holds both.
    #[must_use]
    pub fn union(self, other: OddsSpan) -> OddsSpan {
        OddsSpan {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

impl fmt::Display for OddsSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(odds) => odds.fmt(f),
            None => write!(f, "{} to {}", self.min, self.max),
        }
    }
}

impl std::str::FromStr for OddsSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (least, most) = text.split_once(" to ").unwrap_or((text, text));
        let span = OddsSpan {
            min: least.parse()?,
            max: most.parse()?,
        };
        if span.min <= span.max {
            Ok(span)
        } else {
            Err(format!("{text:?}: the least chance is more than the most"))
        }
    }
}

impl Serialize for OddsSpan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value() {
            Some(odds) => odds.serialize(serializer),
            None => (self.min, self.max).serialize(serializer),
        }
    }
}

impl JsonSchema for OddsSpan {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OddsSpan".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let odds = generator.subschema_for::<Odds>();
        json_schema!({
            "description": "a chance as a fraction, or [least, most] where it is not known",
            "oneOf": [
                odds,
                { "type": "array", "items": odds, "minItems": 2, "maxItems": 2 }
            ]
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn two_tries_at_a_third_reach_one_in_five_ninths() {
        let third = Odds::new(2, 6).unwrap();
        assert_eq!(third.to_string(), "1/3");
        assert_eq!("1/3".parse(), Ok(third));
        assert!("4/3".parse::<Odds>().is_err());
        assert_eq!(third.at_least(1, 2), Odds::new(5, 9));
        assert_eq!(third.at_least(2, 2), Odds::new(1, 9));
        assert_eq!(third.at_least(0, 2), Some(Odds::CERTAIN));
        assert_eq!(third.at_least(3, 2), Some(Odds::NEVER));
    }

    #[test]
    fn chances_have_an_order_and_a_span() {
        let third = Odds::new(1, 3).unwrap();
        let half = Odds::new(1, 2).unwrap();
        assert!(third < half && Odds::NEVER < third && half < Odds::CERTAIN);
        let span = OddsSpan::known(half).union(OddsSpan::known(third));
        assert_eq!(span.to_string(), "1/3 to 1/2");
        assert_eq!("1/3 to 1/2".parse(), Ok(span));
        assert_eq!("1/2".parse(), Ok(OddsSpan::known(half)));
        assert!("1/2 to 1/3".parse::<OddsSpan>().is_err());
        assert_eq!(
            serde_json::to_string(&span).unwrap(),
            r#"[{"num":1,"den":3},{"num":1,"den":2}]"#
        );
        let read: Odds = serde_json::from_str(r#"{"num":2,"den":6}"#).unwrap();
        assert_eq!(read, third);
        serde_json::from_str::<Odds>(r#"{"num":2,"den":0}"#).unwrap_err();
    }

    #[test]
    fn what_is_no_chance_is_refused() {
        assert_eq!(Odds::new(1, 0), None);
        assert_eq!(Odds::new(3, 2), None);
        assert_eq!(Odds::NEVER.complement(), Odds::CERTAIN);
    }
}
