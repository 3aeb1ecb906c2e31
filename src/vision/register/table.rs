//! The table's plane, where a surface that was found tells how it lies.

use opencv::{core::Mat, prelude::*};

use super::map::{self, Map};
use crate::geometry::Point;

/// How far from the surface that gives the plane it reaches.
const REACH_MM: f64 = 1800.0;

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
        let to_plane = plane.try_inverse().and_then(map::scaled)?;
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
