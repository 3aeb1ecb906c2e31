//! What speaks for a surface's lying where it was found, when too little of its print agrees for that alone to say so: dice, shadows and blur take as much of it
//! away as a wrong place does. A logistic regression of five witnesses.

use super::{hypothesis::Hypothesis, map};
use crate::{
    geometry::Point,
    vision::{lab::Lab, side},
};

/// Of the picture's colours, pixels.
pub(super) const SOFT: f64 = 1.2;
/// How far from where it should be a side's edge is looked for.
const ASIDE_MM: f64 = 3.0;
const ASIDE_PX: std::ops::RangeInclusive<f64> = 2.0..=20.0;
/// So much of a side must be in the picture for its edge to be looked for, at so many places along it, and so far from the picture's rim.
const WHOLE: f64 = 0.8;
const PLACES: u32 = 20;
const RIM_PX: f64 = 2.0;
/// What is along an edge less than this part of a side, on the mean, speaks against it.
const EDGED: f64 = 0.5;
/// Beyond this it says no more how much of the print is in the picture.
const MOST_SEEN: f64 = 0.6;

/// What the witnesses count for log-odds, and besides: a logistic regression (`models/train/grounds.py`).
const BY_AGREEMENT: f64 = 9.749;
const BY_STRANGE: f64 = -2.823;
const BY_REPEATED: f64 = -3.105;
const BY_SEEN: f64 = 9.381;
const BY_EDGED: f64 = 1.161;
const BESIDES: f64 = -6.542;

/// It is sure from these log-odds on, unless a repetition of its print explains more than this part of what it does.
const ENOUGH: f64 = 3.5;
const REPEATED: f64 = 0.75;

/// The witnesses.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Grounds {
    /// The share of the blocks compared that agree.
    pub agreement: f64,
    /// What is bare on it and not in the picture, as a part of that and of its print that is as it is on it.
    pub strange: f64,
    /// What a repetition of its print further on explains, as a part of what it explains there.
    pub repeated: f64,
    /// The share of its print that is in the picture.
    pub seen: f64,
    /// The share of each side that is in the picture that lies along an edge, less [`EDGED`], all together.
    pub edged: f64,
}

impl Grounds {
    pub(super) fn of(h: &Hypothesis, size_mm: [f64; 2], lab: &Lab) -> Self {
        let (w, d) = (lab.width as f64 - 1.0, lab.height as f64 - 1.0);
        let inside =
            |p: &Point| p.x > RIM_PX && p.y > RIM_PX && p.x < w - RIM_PX && p.y < d - RIM_PX;
        let reach = ASIDE_MM * map::density(&h.corners, size_mm);
        let reach = reach.clamp(*ASIDE_PX.start(), *ASIDE_PX.end());
        let side = |i: usize| {
            let (from, to) = (h.corners.0[i], h.corners.0[(i + 1) % 4]);
            let at = |k: u32| from + (to - from) * (f64::from(k) / f64::from(PLACES));
            let part = (0..=PLACES).filter(|k| inside(&at(*k))).count() as f64;
            (part >= WHOLE * f64::from(PLACES + 1)).then(|| {
                let line = side::line(lab, &h.corners, i, reach, 0.0);
                line.map_or(0.0, |line| line.support) - EDGED
            })
        };
        Self {
            agreement: h.agreement,
            strange: h.strange_mm2 / (h.strange_mm2 + h.same_mm2).max(1.0),
            repeated: h.repeated,
            seen: h.seen.min(MOST_SEEN),
            edged: (0..4).filter_map(side).sum(),
        }
    }

    /// Log-odds that it lies there.
    pub fn odds(&self) -> f64 {
        BY_AGREEMENT * self.agreement
            + BY_STRANGE * self.strange
            + BY_REPEATED * self.repeated
            + BY_SEEN * self.seen
            + BY_EDGED * self.edged
            + BESIDES
    }

    pub(super) fn are_enough(&self) -> bool {
        self.odds() >= ENOUGH && self.repeated <= REPEATED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geometry::Quad, vision::register::Map};
    use opencv::{
        core::{CV_8UC3, Mat, Rect, Scalar},
        imgproc,
    };

    /// A light card of 240 by 160 pixels on dark ground, two pixels a millimetre.
    fn lab() -> Lab {
        let ground = Scalar::new(60.0, 70.0, 60.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(400, 600, CV_8UC3, ground).unwrap();
        let card = Rect::new(100, 120, 240, 160);
        let light = Scalar::new(220.0, 215.0, 200.0, 0.0);
        imgproc::rectangle(&mut mat, card, light, imgproc::FILLED, imgproc::LINE_8, 0).unwrap();
        Lab::of(&mat, SOFT).unwrap()
    }

    fn found(x: f64, y: f64) -> Hypothesis {
        let corners = [
            [x, y],
            [x + 239.0, y],
            [x + 239.0, y + 159.0],
            [x, y + 159.0],
        ];
        Hypothesis {
            map: Map::identity(),
            corners: Quad::from_pairs(corners),
            agreement: 0.5,
            compared: 60,
            seen: 1.0,
            strange_mm2: 500.0,
            same_mm2: 1500.0,
            repeated: 0.0,
        }
    }

    #[test]
    fn edges_along_its_sides_speak_for_a_surface() {
        let lab = lab();
        let of = |x: f64, y: f64| Grounds::of(&found(x, y), [120.0, 80.0], &lab);
        let (there, beside) = (of(100.0, 120.0), of(130.0, 150.0));
        assert!(there.edged > 1.8, "{there:?}");
        assert!(beside.edged < -1.8, "{beside:?}");
        assert_eq!((there.strange, there.seen), (0.25, MOST_SEEN));
        assert!(there.are_enough() && !beside.are_enough());
        let again = Grounds {
            repeated: 0.8,
            ..there
        };
        assert!(!again.are_enough(), "its print explains as much further on");
        // of one that is half beyond the picture's edge one side is left to see
        let beyond = of(-140.0, 120.0);
        assert!(beyond.edged < 0.6 && beyond.edged > -0.6, "{beyond:?}");
    }
}
