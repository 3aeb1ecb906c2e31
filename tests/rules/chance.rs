//! What tests that are played by chance share: where chance comes from, and how much of it is tried.

#![allow(dead_code, clippy::panic)]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// SplitMix64: small, and the same on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.draw() % 100 < percent
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A number out of the environment; what is no number stops the test, where it would else be
/// thought to have been heeded.
fn said(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse::<u64>();
    Some(number.unwrap_or_else(|_| panic!("{variable}={text}: write a whole number")))
}

/// Any seed, or the one that `SIGHTLINE_SEED` names.
pub fn seeds() -> BoxedStrategy<u64> {
    match said("SIGHTLINE_SEED") {
        Some(seed) => Just(seed).boxed(),
        None => any::<u64>().boxed(),
    }
}

/// So many cases, the same ones every time: whether a change is sound is no matter of luck. `SIGHTLINE_SOAK=50` tries fifty
/// times as many that nobody has tried yet; `./run soak` does.
pub fn settings(cases: u32) -> ProptestConfig {
    let soak = said("SIGHTLINE_SOAK");
    let times = u32::try_from(soak.unwrap_or(1)).unwrap_or(u32::MAX);
    ProptestConfig {
        cases: match said("SIGHTLINE_SEED") {
            Some(_) => 1,
            None => cases.saturating_mul(times),
        },
        rng_seed: match soak {
            Some(_) => RngSeed::Random,
            None => RngSeed::Fixed(1),
        },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The same where a case is a seed, which does not shrink to anything simpler; a failure prints its own.
pub fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        max_shrink_iters: 0,
        ..settings(cases)
    }
}
