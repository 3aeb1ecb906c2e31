//! The dice that lie in one place.

use std::fmt;

use super::print::MAX_DICE_OF_A_KIND;
use super::ship_id::ParseNounError;
use super::symbol::{Faces, Symbol};
use crate::rules::Span;

const ROOM: usize = MAX_DICE_OF_A_KIND as usize;

/// Up to eight dice, each with what it may show. Kept in one order, so that equal boxes compare
/// equal however they were filled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DiceBox {
    dice: [Faces; ROOM],
    len: u8,
}

impl Default for DiceBox {
    fn default() -> Self {
        DiceBox::EMPTY
    }
}

impl DiceBox {
    /// No dice.
    pub const EMPTY: DiceBox = DiceBox {
        dice: [Faces::NONE; ROOM],
        len: 0,
    };

    /// A box with one die that is known.
    pub fn of(symbol: Symbol) -> DiceBox {
        [Faces::one(symbol)].into_iter().collect()
    }

    /// The dice, those that may not be there included.
    pub fn dice(&self) -> &[Faces] {
        self.dice.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Whether no die can be there.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether every die and its face are known.
    pub fn is_known(&self) -> bool {
        self.dice().iter().all(|d| d.is_known() && d.is_present())
    }

    /// How many dice there are.
    pub fn count(&self) -> Span {
        let sure = self.dice().iter().filter(|d| d.is_present()).count();
        Span {
            min: sure as u16,
            max: u16::from(self.len),
        }
    }

    /// Puts a die in; `false` if there is no more room. What can only be absent is left out.
    pub fn push(&mut self, die: Faces) -> bool {
        if !die.may_be_present() {
            return true;
        }
        let Some(room) = self.dice.get_mut(usize::from(self.len)) else {
            return false;
        };
        *room = die;
        self.len += 1;
        self.sort();
        true
    }

    fn sort(&mut self) {
        if let Some(dice) = self.dice.get_mut(..usize::from(self.len)) {
            dice.sort_unstable_by_key(|d| (d.may_be_absent(), d.order()));
        }
    }

    /// Takes out the die at an index of [`DiceBox::dice`].
    pub fn take_at(&mut self, index: usize) -> Option<Faces> {
        let die = *self.dice().get(index)?;
        let end = usize::from(self.len);
        self.dice.get_mut(index..end)?.rotate_left(1);
        self.len -= 1;
        if let Some(last) = self.dice.get_mut(usize::from(self.len)) {
            *last = Faces::NONE;
        }
        Some(die)
    }

    /// Takes out a die that is known to show this.
    pub fn take(&mut self, symbol: Symbol) -> bool {
        let known = |d: &Faces| d.known() == Some(symbol);
        match self.dice().iter().position(known) {
            Some(index) => self.take_at(index).is_some(),
            None => false,
        }
    }

    /// Every sum of points that is possible, as a set.
    pub fn sums(&self, points: impl Fn(Symbol) -> u8) -> Sums {
        self.dice().iter().fold(Sums::ZERO, |sums, die| {
            if let Some(symbol) = die.known() {
                return sums.shifted(points(symbol));
            }
            let mut next = Sums(0);
            if die.may_be_absent() {
                next = next.union(sums);
            }
            for symbol in die.symbols() {
                next = next.union(sums.shifted(points(symbol)));
            }
            next
        })
    }

    /// Every number of dice that is possible, as a set.
    pub fn counts(&self) -> Sums {
        self.sums(|_| 1)
    }

    /// Makes every die one that may not be there.
    pub(crate) fn doubt(&mut self) {
        for die in self.dice.iter_mut().take(usize::from(self.len)) {
            *die = die.or_absent();
        }
        self.sort();
    }
}

impl FromIterator<Faces> for DiceBox {
    fn from_iter<I: IntoIterator<Item = Faces>>(dice: I) -> DiceBox {
        let mut to = DiceBox::EMPTY;
        for die in dice {
            to.push(die);
        }
        to
    }
}

/// The dice, separated by spaces.
impl fmt::Display for DiceBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, die) in self.dice().iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            fmt::Display::fmt(die, f)?;
        }
        Ok(())
    }
}

impl std::str::FromStr for DiceBox {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut dice = DiceBox::EMPTY;
        for die in text.split_whitespace() {
            if !dice.push(die.parse()?) {
                return Err(ParseNounError::new(
                    text,
                    "what lies in one place",
                    "at most eight dice fit",
                ));
            }
        }
        Ok(dice)
    }
}

impl fmt::Debug for DiceBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// A set of small whole numbers (0 to 31): what a sum or a count may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sums(u32);

impl Sums {
    /// Surely 0.
    pub const ZERO: Sums = Sums(1);

    /// Surely `n`.
    pub fn one(n: u8) -> Sums {
        Sums(1u32.checked_shl(u32::from(n)).unwrap_or(1 << 31))
    }

    /// Nothing is possible.
    pub const NONE: Sums = Sums(0);

    /// Either set.
    pub fn union(self, other: Sums) -> Sums {
        Sums(self.0 | other.0)
    }

    fn shifted(self, by: u8) -> Sums {
        Sums(self.0.checked_shl(u32::from(by)).unwrap_or(0))
    }

    /// Whether `n` is possible.
    pub fn contains(self, n: u8) -> bool {
        self.0
            .checked_shr(u32::from(n))
            .is_some_and(|bits| bits & 1 == 1)
    }

    /// The least and the most.
    pub fn span(self) -> Span {
        if self.0 == 0 {
            return Span::known(0);
        }
        Span {
            min: self.0.trailing_zeros() as u16,
            max: 31 - self.0.leading_zeros() as u16,
        }
    }

    /// The values, from the least.
    pub fn values(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |n| self.contains(*n))
    }

    /// Whether only one value is possible.
    pub fn is_known(self) -> bool {
        self.0.is_power_of_two()
    }
}
