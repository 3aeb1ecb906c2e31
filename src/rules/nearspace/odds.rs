//! The chances of engine dice, as exact fractions.

use crate::rules::Odds;

/// Steps of counting that one question may take; beyond it there is no answer.
const MOST_STEPS: usize = 4_000_000;

/// The chance that dice of these sizes show at least `need` together. `None` where the fraction
/// outgrows 64 bits, or there is too much to count.
pub fn at_least(sizes: &[u16], need: u32) -> Option<Odds> {
    // ways[s]: how many rolls of the dice so far show s.
    let mut ways: Vec<u64> = vec![1];
    let mut all = 1u64;
    let mut steps = 0usize;
    for size in sizes {
        let size = usize::from((*size).max(1));
        all = all.checked_mul(size as u64)?;
        steps = steps.checked_add(ways.len().checked_mul(size)?)?;
        if steps > MOST_STEPS {
            return None;
        }
        let mut next = vec![0u64; ways.len() + size];
        for (sum, n) in ways.iter().enumerate() {
            for face in 1..=size {
                // Never more ways than rolls, and those were checked above.
                if let Some(slot) = next.get_mut(sum + face) {
                    *slot = slot.checked_add(*n)?;
                }
            }
        }
        ways = next;
    }
    let need = usize::try_from(need).unwrap_or(usize::MAX);
    let mut good = 0u64;
    for n in ways.iter().skip(need) {
        good = good.checked_add(*n)?;
    }
    Odds::new(good, all)
}

/// A die in a pool: its size and what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shown {
    /// Its facets.
    pub size: u16,
    /// What it shows.
    pub shows: u16,
}

/// One charge: a die is removed from the pool for this turn, another is rolled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charge {
    /// Which die is removed.
    pub remove: usize,
    /// Which is rolled again.
    pub reroll: usize,
    /// The chance to reach what is needed, with the further charges that were looked at.
    pub odds: Odds,
}

/// A fraction with room for sums of odds.
#[derive(Clone, Copy)]
struct Fraction {
    num: u128,
    den: u128,
}

impl Fraction {
    const NEVER: Fraction = Fraction { num: 0, den: 1 };
    const CERTAIN: Fraction = Fraction { num: 1, den: 1 };

    fn plus(self, other: Fraction) -> Option<Fraction> {
        let num = self.num.checked_mul(other.den)?;
        let num = num.checked_add(other.num.checked_mul(self.den)?)?;
        Some(Fraction::reduced(num, self.den.checked_mul(other.den)?))
    }

    fn reduced(num: u128, den: u128) -> Fraction {
        let (mut a, mut b) = (num, den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let d = a.max(1);
        Fraction {
            num: num / d,
            den: den / d,
        }
    }

    fn over(self, n: u128) -> Option<Fraction> {
        let den = self.den.checked_mul(n)?;
        Some(Fraction::reduced(self.num, den))
    }

    fn more_than(self, other: Fraction) -> Option<bool> {
        Some(self.num.checked_mul(other.den)? > other.num.checked_mul(self.den)?)
    }

    fn odds(self) -> Option<Odds> {
        Odds::new(u64::try_from(self.num).ok()?, u64::try_from(self.den).ok()?)
    }
}

/// Which die to charge: the charge with the best chance to bring `fixed` energy and the pool to
/// `need`, where up to `charges` may follow one another and each is decided when the last is
/// seen. The first of equals is named. `None` where no charge is possible, or there is too much
/// to count.
pub fn best_charge(pool: &[Shown], fixed: u32, need: u32, charges: u8) -> Option<Charge> {
    let mut steps = 0;
    let (best, fraction) = search(pool, fixed, need, charges.max(1), &mut steps)?;
    let (remove, reroll) = best?;
    Some(Charge {
        remove,
        reroll,
        odds: fraction.odds()?,
    })
}

type Found = (Option<(usize, usize)>, Fraction);

/// Looks ahead; the depth is the number of charges, which the print bounds.
fn search(pool: &[Shown], fixed: u32, need: u32, charges: u8, steps: &mut usize) -> Option<Found> {
    let sum = pool
        .iter()
        .fold(fixed, |sum, die| sum.saturating_add(u32::from(die.shows)));
    let mut best: Found = (None, Fraction::NEVER);
    for remove in 0..pool.len() {
        for reroll in (0..pool.len()).filter(|i| *i != remove) {
            let (gone, again) = (pool.get(remove)?, pool.get(reroll)?);
            let rest = sum - u32::from(gone.shows) - u32::from(again.shows);
            let chance = chance(pool, (remove, reroll), rest, fixed, need, charges, steps)?;
            if best.0.is_none() || chance.more_than(best.1)? {
                best = (Some((remove, reroll)), chance);
            }
        }
    }
    Some(best)
}

fn chance(
    pool: &[Shown],
    (remove, reroll): (usize, usize),
    rest: u32,
    fixed: u32,
    need: u32,
    charges: u8,
    steps: &mut usize,
) -> Option<Fraction> {
    let again = pool.get(reroll)?;
    let size = again.size.max(1);
    *steps += 1;
    if *steps > MOST_STEPS / 8 {
        return None;
    }
    // What the die has to show; everything from there on is enough.
    let wanted = need.saturating_sub(rest).max(1);
    let enough = u32::from(size).saturating_add(1).saturating_sub(wanted);
    let mut total = Fraction::reduced(u128::from(enough), 1);
    if charges > 1 && pool.len() > 2 {
        for shows in (1..=size).filter(|n| u32::from(*n) < wanted) {
            let mut after: Vec<Shown> = pool.to_vec();
            if let Some(die) = after.get_mut(reroll) {
                die.shows = shows;
            }
            after.remove(remove);
            let (best, further) = search(&after, fixed, need, charges - 1, steps)?;
            if best.is_some() {
                total = total.plus(further)?;
            }
        }
    }
    total.over(u128::from(size))
}

/// The chance without any charge: certain or never, as the dice lie.
pub fn as_it_lies(pool: &[Shown], fixed: u32, need: u32) -> Odds {
    let sum = pool
        .iter()
        .fold(fixed, |sum, die| sum.saturating_add(u32::from(die.shows)));
    let odds = if sum >= need {
        Fraction::CERTAIN
    } else {
        Fraction::NEVER
    };
    odds.odds().unwrap_or(Odds::NEVER)
}
