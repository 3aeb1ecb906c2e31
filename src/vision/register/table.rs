//! The table's plane, where surfaces that were found tell how it lies.

use std::sync::Arc;

use opencv::{core::Mat, prelude::*};

use super::{
    hypothesis::Hypothesis,
    map::{self, Map},
};
use crate::geometry::{self, Point, Sighted};

/// How far from the surface that gives the plane it reaches.
const REACH_MM: f64 = 1800.0;

/// A surface whose corners are farther off, root mean square, from where the table that they all lie on has them (pixels, or this part of its
/// diagonal) tells nothing of it: it lies on something, or is not there. Twice what [`geometry::Joint::view_of`] lets be, which asks about one place.
const OFF: (f64, f64) = (6.0, 0.04);

/// The plane that surfaces lie on together, millimetres to pixels, in the frame of the first of them that does; the first says most of it. Alone each says
/// little of what is far from it.
pub(super) fn plane(mut lying: Vec<(&Hypothesis, [f64; 2])>, grey: &Mat) -> Option<Map> {
    let picture = [grey.cols(), grey.rows()].map(|n| u32::try_from(n).unwrap_or(0));
    while let [(first, size_mm), _, ..] = lying[..] {
        let sighted = |(h, size_mm): &(&Hypothesis, [f64; 2])| Sighted {
            corners_px: h.corners,
            print: Arc::default(),
            size_mm: *size_mm,
            height_mm: 0.0,
            laid: None,
        };
        let sighted: Vec<Sighted> = lying.iter().map(sighted).collect();
        let worst = if let Some(joint) = geometry::joint(&sighted, None, picture) {
            let off = joint.errors_px.iter().zip(&lying).map(|(off, (h, _))| {
                let [a, _, c, _] = h.corners.0;
                off / OFF.0.max(OFF.1 * (c - a).norm())
            });
            let worst = off.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
            if worst.1 <= 1.0 {
                let corners = joint.table().corners(size_mm);
                let together = corners.and_then(|c| map::of_corners(&c, size_mm));
                return Some(together.unwrap_or(first.map));
            }
            worst.0
        } else {
            // one may lie where the first one's plane has no table
            lying.len() - 1
        };
        // of two that do not agree the one that says more is believed
        lying.remove(if lying.len() == 2 { 1 } else { worst });
    }
    lying.first().map(|(h, _)| h.map)
}

/// What of a table's plane is in a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    /// Millimetres on the plane.
    pub low: Point,
    pub high: Point,
    /// Pixels a millimetre, in the middle of its range.
    pub per_mm: f64,
}

impl Table {
    /// By the plane's map, millimetres to pixels; `None` where too little of it is seen.
    pub fn of(grey: &Mat, plane: &Map) -> Option<Self> {
        let to_plane = map::back(plane)?;
        let (w, h) = (f64::from(grey.cols() - 1), f64::from(grey.rows() - 1));
        let mut places = Vec::new();
        for i in 0..=32 {
            for j in 0..=18 {
                let p = Point::new(w * f64::from(i) / 32.0, h * f64::from(j) / 18.0);
                let near = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
                    .map(|[x, y]| map::apply(&to_plane, Point::new(p.x + x, p.y + y)));
                let [Some(a), Some(b), Some(c)] = near else {
                    continue;
                };
                let per_mm = 2.0 / (b - a).perp(&(c - a)).abs().sqrt().max(1e-6);
                if a.coords.norm() < REACH_MM && per_mm > 0.35 {
                    places.push((a, per_mm));
                }
            }
        }
        if places.len() < 12 {
            return None;
        }
        let mut fine: Vec<f64> = places.iter().map(|p| p.1).collect();
        fine.sort_by(f64::total_cmp);
        let mut all = places.iter().map(|p| p.0);
        let first = all.next()?;
        let (low, high) = all.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
        Some(Self {
            low,
            high,
            per_mm: fine.get(fine.len() / 2).copied()?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        geometry::{Laid, Lens, Pose, Quad, View},
        vision::register::shape::out_of_shape,
    };

    const CARD: [f64; 2] = [150.0, 110.0];

    fn seen(x: f64, y: f64, turn_deg: f64, size_mm: [f64; 2]) -> Quad {
        let camera = Pose {
            at_mm: [210.0, 520.0, 640.0],
            turn_deg: [-35.0, 3.0, -2.0],
        };
        let laid = Laid {
            at_mm: [x, y],
            turn_deg,
            height_mm: 0.0,
        };
        let view = View::of_pose(&camera, Lens::ideal(1280, 720, 1000.0, 0.0));
        view.of_laid(&laid).corners(size_mm).unwrap()
    }

    fn found(mut corners: Quad, off_px: [[f64; 2]; 4]) -> Hypothesis {
        for (p, [x, y]) in corners.0.iter_mut().zip(off_px) {
            p.x += x;
            p.y += y;
        }
        Hypothesis {
            map: map::of_corners(&corners, CARD).unwrap(),
            corners,
            agreement: 0.8,
            compared: 40,
            seen: 1.0,
            strange_mm2: 0.0,
            same_mm2: 10_000.0,
            repeated: 0.0,
        }
    }

    #[test]
    fn surfaces_tell_the_table_better_together() {
        let grey = Mat::new_rows_cols_with_default(720, 1280, opencv::core::CV_8U, 0.into());
        let grey = grey.unwrap();
        let a_little = [[2.0, 1.0], [-1.5, 1.0], [1.0, -2.0], [0.0, 2.0]];
        let one = found(seen(0.0, 0.0, 0.0, CARD), a_little);
        let other = found(seen(230.0, 260.0, 172.0, CARD), a_little);
        let wrong = [[40.0, 0.0], [0.0, 30.0], [-20.0, 0.0], [0.0, 0.0]];
        let wrong = found(seen(20.0, 190.0, -9.0, CARD), wrong);
        let third = [90.0, 60.0];
        let off = |all: &[&Hypothesis]| {
            let plane = plane(all.iter().map(|h| (*h, CARD)).collect(), &grey).unwrap();
            out_of_shape(&seen(330.0, 120.0, 40.0, third), third, &plane).unwrap()
        };
        let (alone, together) = (off(&[&one]), off(&[&one, &other]));
        assert!(
            together < 0.03 && together < alone / 2.0,
            "{alone} {together}"
        );
        // what lies on no table with them is left out
        for all in [[&one, &other, &wrong], [&wrong, &one, &other]] {
            let with_one_wrong = off(&all);
            assert!(with_one_wrong < 0.03, "{with_one_wrong}");
        }
    }

    #[test]
    fn a_horizon_in_the_picture_is_no_table() {
        // a camera that looks ahead, 15 degrees down: the picture's first rows are over the horizon
        let camera = Pose {
            at_mm: [0.0, 900.0, 260.0],
            turn_deg: [-75.0, 0.0, 0.0],
        };
        let view = View::of_pose(&camera, Lens::ideal(1280, 720, 1000.0, 0.0));
        let lies = |x: f64, y: f64| {
            let at_mm = [x, y];
            let laid = Laid {
                at_mm,
                turn_deg: 4.0,
                height_mm: 0.0,
            };
            view.of_laid(&laid).corners(CARD).unwrap()
        };
        let (near, far) = (lies(-100.0, 200.0), lies(60.0, -50.0));
        let plane = map::of_corners(&near, CARD).unwrap();
        assert!(out_of_shape(&near, CARD, &plane).unwrap() < 1e-6);
        assert!(out_of_shape(&far, CARD, &plane).unwrap() < 1e-6);
        let sky = Quad::from_pairs([[600.0, 10.0], [700.0, 10.0], [700.0, 40.0], [600.0, 40.0]]);
        assert_eq!(out_of_shape(&sky, CARD, &plane), None);
        let grey = Mat::new_rows_cols_with_default(720, 1280, opencv::core::CV_8U, 0.into());
        let table = Table::of(&grey.unwrap(), &plane).unwrap();
        for corner in near.0.iter().chain(&far.0) {
            let at = map::apply(&map::back(&plane).unwrap(), *corner).unwrap();
            let on = |v: f64, low: f64, high: f64| (low..=high).contains(&v);
            assert!(on(at.x, table.low.x, table.high.x), "{at}");
            assert!(on(at.y, table.low.y, table.high.y), "{at}");
        }
    }
}
