//! Whether what was read as a die's top lies as one would: sides of dice are read as surely, and print on cards is. A logistic regression of four witnesses.

/// What is known of how it lies, beside its print.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Stance {
    /// The detector's score.
    pub score: f64,
    /// How much larger it is than its kind's top would be there, as a logarithm.
    pub size: f64,
    /// How far its corners lie from those of a square there, as a part of its side, root of the mean square.
    pub skewed: f64,
    /// How much better it fits a top that lies than a side that stands, as [`flatter`] has it.
    pub flatter: f64,
    /// It is where another one's side would be taken for a top.
    pub may_be_a_side: bool,
}

/// Beyond this a size, and how much flatter, say no more; and what an outline is off by anyway, as a part of a side.
const LARGEST: f64 = 0.6;
const FLATTEST: f64 = 2.0;
const OFF: f64 = 0.02;

/// What the witnesses count for log-odds, and besides: a logistic regression (`models/train/stance.py`) on 2,574 that were surely read, of any score, on 12 made
/// copies that trained nothing (`tables.py`, seeds 4750, 3750, 900); 84 of them are no top, or another face.
const BY_SCORE: f64 = 0.58;
const BY_SIZE: f64 = -9.91;
const BY_FLATTER: f64 = 2.33;
const BY_SIDE: f64 = -1.04;
const BESIDES: f64 = 1.05;

/// What is so many times as large as its kind's top would be, or as small, is a die of another size, or leans, or is print, however it lies. An outline's own
/// error, and that of a die on another one, is less.
const MOST: f64 = 4.0 / 3.0;

/// What is farther from a square is none, whatever else it fits worse: two tops that touch, taken for one, are no side either. Of 16 sides and other things that
/// were surely read on three made copies (seed 4750) 12 were farther, of 970 tops not one in a hundred.
const SKEWED: f64 = 0.12;

/// What was surely read stays sure from these log-odds on: by fits on ten of the copies, and without the two limits above, 2,442 of those on the other two, ten of
/// them wrong, and 58 right ones do not.
const STANDS: f64 = 2.5;

/// From these on, as large as its kind's top but for this part, and where no other one's side would be, how it lies bears out a surface that is not surely found:
/// what is laid elsewhere makes a square of a die's size of hardly any outline. Set by judgement; all 66 that had these log-odds of what was surely read where the
/// surface was not sure, on three made copies (of seeds 8400 and 8600), are right.
const CLEARLY: f64 = 4.0;
const AS_LARGE: f64 = 1.1;

/// How much better four corners fit a top that lies than a side that stands, both given as how far they are from either, as parts of a side.
pub(super) fn flatter(lying: f64, standing: f64) -> f64 {
    let ratio = ((standing.min(LARGEST) + OFF) / (lying + OFF)).ln();
    ratio.clamp(-FLATTEST, FLATTEST)
}

impl Stance {
    /// Log-odds that it is a top.
    pub fn odds(&self) -> f64 {
        let score = self.score.clamp(1e-4, 1.0 - 1e-4);
        BY_SCORE * (score / (1.0 - score)).ln()
            + BY_SIZE * self.size.abs().min(LARGEST)
            + BY_FLATTER * self.flatter
            + if self.may_be_a_side { BY_SIDE } else { 0.0 }
            + BESIDES
    }

    /// Whether it so clearly lies as a top that this bears out the surface that it was asked of.
    pub fn is_clear(&self) -> bool {
        let as_large = self.size.abs() <= AS_LARGE.ln() && !self.may_be_a_side;
        as_large && self.odds() >= CLEARLY && !self.is_doubtful()
    }

    /// Whether it may well be none.
    pub fn is_doubtful(&self) -> bool {
        // what is no number stands for nothing
        let square = self.size.abs() <= MOST.ln() && self.skewed <= SKEWED;
        let stands = square && self.odds() >= STANDS;
        !stands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_is_as_large_as_its_kind_and_lies() {
        let top = Stance {
            score: 0.8,
            size: 0.02,
            skewed: 0.02,
            flatter: flatter(0.02, 0.3),
            may_be_a_side: false,
        };
        assert!(!top.is_doubtful());
        let of = |change: &dyn Fn(&mut Stance)| {
            let mut s = top;
            change(&mut s);
            s
        };
        // each takes from it, and none but another size by itself too much
        let less: [&dyn Fn(&mut Stance); 4] = [
            &|s| s.size = -0.35,
            &|s| s.score = 0.45,
            &|s| s.may_be_a_side = true,
            &|s| s.flatter = flatter(0.06, 0.3),
        ];
        let odds = less.map(|change| of(change));
        assert!(odds.iter().all(|s| s.odds() < top.odds()));
        assert_eq!(odds.map(|s| s.is_doubtful()), [true, false, false, false]);
        // a side that is read as surely as a top
        let side = of(&|s| {
            s.score = 0.6;
            s.size = 0.15;
            s.flatter = flatter(0.12, 0.06);
        });
        assert!(side.is_doubtful());
        assert!(of(&|s| s.flatter = f64::NAN).is_doubtful());
        // two tops that touch, as one: no side is so long
        let both = of(&|s| {
            s.skewed = 0.135;
            s.flatter = flatter(0.135, 0.7);
        });
        assert!(both.odds() > STANDS && both.is_doubtful());
        // it is no better for being nearly none at all
        assert_eq!(flatter(5.0, 0.0), -FLATTEST);
        assert_eq!(flatter(0.0, 9.0), FLATTEST);
    }
}
