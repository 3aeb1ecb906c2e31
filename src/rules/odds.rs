//! Chances as exact fractions.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A chance between 0 and 1, always in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Odds {
    num: u64,
    den: u64,
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
    fn what_is_no_chance_is_refused() {
        assert_eq!(Odds::new(1, 0), None);
        assert_eq!(Odds::new(3, 2), None);
        assert_eq!(Odds::NEVER.complement(), Odds::CERTAIN);
    }
}
