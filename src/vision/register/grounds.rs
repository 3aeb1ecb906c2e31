//! What speaks for a surface's lying where it was found, when too little of its print agrees for that alone to say so: dice, shadows and blur take as much of it
//! away as a wrong place does. A logistic regression of five witnesses.

use opencv::{
    core::{Mat, Rect},
    prelude::*,
};

use super::{
    Care, Registered, Registrar, align::Pyramid, grey, hypothesis::Hypothesis, map,
    trial::is_rivalled,
};
use crate::{
    capture::Picture,
    geometry::{Point, Quad},
    vision::{crop, eye::VisionError, lab::Lab, side},
};

/// Of the picture's colours, pixels; and so much about it is looked at.
const SOFT: f64 = 1.2;
const ABOUT_PX: f64 = 32.0;
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

/// What the witnesses count for log-odds, in the order that [`Grounds`] has them, and besides: a logistic regression (`models/train/grounds.py`) on 399 displays
/// and boards of 23 made copies that trained nothing (`tables.py`, seeds 4750, 3750, 900, 8100, 8400, 8500, 8600) that were found and not sure by their print; 369
/// of them lie there.
const FOUND: ([f64; 5], f64) = ([9.749, -2.823, -3.105, 9.381, 1.161], -6.542);
/// It is sure from these log-odds on. By fits on the other copies 288 of those 399 have them, 268 of which are within the limits below, and two of these lie
/// elsewhere (before it is asked whether another one may lie there). The others' places in the picture are off by 0.31 mm in the middle and by 1.17 at most of
/// 95 in a hundred: as much as those of the 1,492 are that are sure by their print.
const ENOUGH: f64 = 3.5;
/// Nor is one whose print's repetition explains more than this part of what it does, of which less than this is in the picture, or on which more is bare and not
/// in the picture than is as it is on it. Set by judgement.
const REPEATED: f64 = 0.75;
const LEAST_SEEN: f64 = 0.2;
const MOST_STRANGE: f64 = 0.5;
/// The same of places at which a surface that was missing was tried, where too little of its print agrees for it to be found by that and no other one explains
/// nearly as much: 153 places on 10 made copies (seeds 8100, 8400, 8600, and one of 8700), at 20 of which it lies; by a build that printed them, which is not kept.
const TRIED: ([f64; 5], f64) = ([7.01, -3.66, -3.82, 0.0, 1.72], -2.41);
/// It is likely there from these log-odds on, where so much of its print agrees (more than by chance), within the limits above: by fits on the other copies 19
/// have them, 15 of which are right, and with the limits and a known table 14 of 16, of 11 surfaces. It is never sure by that.
const LIKELY: f64 = 0.0;
const LEAST_AGREEMENT: f64 = 0.2;

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
    /// Of a surface of that size in a picture, RGB.
    ///
    /// # Errors
    /// Only where a library fails.
    pub(super) fn of(
        h: &Hypothesis,
        size_mm: [f64; 2],
        rgb: &impl MatTraitConst,
    ) -> Result<Self, VisionError> {
        Ok(Self {
            agreement: h.agreement,
            strange: strange(h),
            repeated: h.repeated,
            seen: h.seen.min(MOST_SEEN),
            edged: edged(&h.corners, map::density(&h.corners, size_mm), rgb)?,
        })
    }

    /// Log-odds that it lies where it was found.
    pub fn odds(&self) -> f64 {
        self.counted(&FOUND)
    }

    fn counted(&self, (counts, besides): &([f64; 5], f64)) -> f64 {
        let each = [
            self.agreement,
            self.strange,
            self.repeated,
            self.seen,
            self.edged,
        ];
        counts.iter().zip(each).map(|(c, v)| c * v).sum::<f64>() + besides
    }

    /// Whether it is likely there, where it was but tried.
    pub(super) fn are_likely(&self) -> bool {
        let counts = self.agreement >= LEAST_AGREEMENT
            && self.strange <= MOST_STRANGE
            && self.repeated <= REPEATED
            && self.seen >= LEAST_SEEN;
        counts && self.counted(&TRIED) >= LIKELY
    }

    /// Whether they make it sure, if no other surface may lie there.
    pub(super) fn are_enough(&self, h: &Hypothesis) -> bool {
        may_be_sure(h) && self.odds() >= ENOUGH
    }
}

/// Which of these followed surfaces, each with a number of its own, are sure by all this. One that another one explains nearly as well there is not.
///
/// # Errors
/// Only where a library fails.
pub(in crate::vision) fn sure_by_grounds(
    registrar: &Registrar,
    picture: &Picture,
    surfaces: &[(usize, &Registered)],
) -> Result<Vec<usize>, VisionError> {
    let mut out = Vec::new();
    if surfaces.is_empty() {
        return Ok(out);
    }
    let rgb = crop::borrowed(picture)?;
    let pictures = Pyramid::of(grey(&rgb)?)?;
    for (i, s) in surfaces {
        let mut seeks = registrar.seeks.iter().enumerate();
        let Some((which, seek)) = seeks.find(|(_, k)| k.reference.id == s.surface) else {
            continue;
        };
        let full = pictures.full();
        let weighed = seek.reference.weighed(full, &s.map, Care::Full)?;
        let Some(mut h) = weighed else {
            continue;
        };
        h.repeated = s.repeated;
        if !may_be_sure(&h) {
            continue;
        }
        let grounds = Grounds::of(&h, seek.reference.size_mm, &rgb)?;
        let asked = (picture, &pictures);
        if grounds.are_enough(&h) && !is_rivalled(which, &h, &registrar.seeks, asked)? {
            out.push(*i);
        }
    }
    Ok(out)
}

/// Whether edges can make it sure at all: what agrees must be more than by chance, and not be outweighed by what is bare on it, nor by a repetition.
fn may_be_sure(h: &Hypothesis) -> bool {
    let counts = h.is_telling() && strange(h) <= MOST_STRANGE;
    counts && h.repeated <= REPEATED && h.seen >= LEAST_SEEN
}

fn strange(h: &Hypothesis) -> f64 {
    h.strange_mm2 / (h.strange_mm2 + h.same_mm2).max(1.0)
}

/// The share of each side that is in the picture that lies along an edge, less [`EDGED`], all together; of a surface seen at so many pixels a millimetre.
fn edged(corners: &Quad, per_mm: f64, rgb: &impl MatTraitConst) -> Result<f64, VisionError> {
    let (w, d) = (f64::from(rgb.cols()) - 1.0, f64::from(rgb.rows()) - 1.0);
    let span = |of: fn(&Point) -> f64, most: f64| {
        let all = corners.0.iter().map(of);
        let (low, high) = all.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let low = (low - ABOUT_PX).clamp(0.0, most).floor();
        (low, (high + ABOUT_PX).clamp(low, most).ceil())
    };
    let ((left, right), (top, bottom)) = (span(|p| p.x, w), span(|p| p.y, d));
    let part = [left, top, right - left + 1.0, bottom - top + 1.0].map(|v| v as i32);
    let [x, y, width, height] = part;
    if width < 2 || height < 2 {
        return Ok(0.0);
    }
    let part = Mat::roi(rgb, Rect::new(x, y, width, height))?.try_clone()?;
    let lab = Lab::of(&part, SOFT)?;
    let inside = |p: &Point| p.x > RIM_PX && p.y > RIM_PX && p.x < w - RIM_PX && p.y < d - RIM_PX;
    let here = Quad(corners.0.map(|p| Point::new(p.x - left, p.y - top)));
    let reach = (ASIDE_MM * per_mm).clamp(*ASIDE_PX.start(), *ASIDE_PX.end());
    let side = |i: usize| {
        let (from, to) = (corners.0[i], corners.0[(i + 1) % 4]);
        let at = |k: u32| from + (to - from) * (f64::from(k) / f64::from(PLACES));
        let whole = (0..=PLACES).filter(|k| inside(&at(*k))).count() as f64;
        (whole >= WHOLE * f64::from(PLACES + 1)).then(|| {
            let line = side::line(&lab, &here, i, reach, 0.0);
            line.map_or(0.0, |line| line.support) - EDGED
        })
    };
    Ok((0..4).filter_map(side).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        copy::Status,
        vision::register::{
            Map,
            livery::tests::{RED, table},
        },
    };
    use opencv::{
        core::{CV_8UC3, Scalar},
        imgproc,
    };

    /// A light card of 240 by 160 pixels on dark ground, two pixels a millimetre.
    fn picture() -> Mat {
        let ground = Scalar::new(60.0, 70.0, 60.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(400, 600, CV_8UC3, ground).unwrap();
        let card = Rect::new(100, 120, 240, 160);
        let light = Scalar::new(220.0, 215.0, 200.0, 0.0);
        imgproc::rectangle(&mut mat, card, light, imgproc::FILLED, imgproc::LINE_8, 0).unwrap();
        mat
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
        let picture = picture();
        let of = |x: f64, y: f64| Grounds::of(&found(x, y), [120.0, 80.0], &picture).unwrap();
        let (there, beside) = (of(100.0, 120.0), of(130.0, 150.0));
        assert!(there.edged > 1.8, "{there:?}");
        assert!(beside.edged < -1.8, "{beside:?}");
        assert_eq!((there.strange, there.seen), (0.25, MOST_SEEN));
        let h = found(100.0, 120.0);
        assert!(there.are_enough(&h) && !beside.are_enough(&h));
        // its print explains nearly as much further on; and of a corner of it, however well it agrees
        let again = Hypothesis {
            repeated: 0.8,
            ..h.clone()
        };
        let corner = Hypothesis {
            seen: 0.15,
            ..h.clone()
        };
        let agrees = Grounds {
            agreement: 1.0,
            ..there
        };
        assert!(agrees.are_enough(&h));
        assert!(!agrees.are_enough(&again) && !agrees.are_enough(&corner));
        // a plain card's few blocks, and one that another print outweighs
        let few = Hypothesis {
            compared: 8,
            ..h.clone()
        };
        let other = Hypothesis {
            strange_mm2: 1600.0,
            ..h.clone()
        };
        assert!(!there.are_enough(&few) && !there.are_enough(&other));
        // where it was but tried, a little of its print is enough beside four edges; without them, or without any of it, nothing is
        let tried = |agreement: f64, strange: f64, of: Grounds| {
            let tried = Grounds {
                agreement,
                strange,
                ..of
            };
            tried.are_likely()
        };
        assert!(tried(0.3, 0.25, there) && !tried(0.3, 0.25, beside));
        assert!(!tried(0.1, 0.0, there) && !tried(0.3, 0.6, there));
        // of one that is half beyond the picture's edge one side is left to see
        let beyond = of(-140.0, 120.0);
        assert!(beyond.edged < 0.6 && beyond.edged > -0.6, "{beyond:?}");
    }

    #[test]
    fn a_followed_surface_is_sure_by_its_edges_where_it_lies() {
        let (registrar, picture, _) = table(RED, [1.0; 3]);
        let mut there = registrar.find(&picture).unwrap().remove(0);
        there.status = Status::Unsure;
        let sure = |s: &Registered| sure_by_grounds(&registrar, &picture, &[(7, s)]).unwrap();
        assert_eq!(sure(&there), [7]);
        // beside where it lies, and where a repetition of its print does as well
        let mut beside = there.clone();
        beside.map = map::rigid(0.0, 25.0, 12.0) * there.map;
        assert!(sure(&beside).is_empty());
        let mut again = there.clone();
        again.repeated = 1.0;
        assert!(sure(&again).is_empty());
        assert!(
            sure_by_grounds(&registrar, &picture, &[])
                .unwrap()
                .is_empty()
        );
    }
}
