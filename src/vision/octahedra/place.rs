//! Where a face may lie in a picture, and how it is laid there exactly.

use opencv::{
    core::{self, Mat, TermCriteria},
    prelude::*,
    video,
};

use crate::{
    geometry::{Point, Quad, triangle_in},
    vision::{
        VisionError,
        register::{Map, apply, rigid},
    },
};

/// The least edge of a face, pixels, in which its print is anything.
pub(super) const LEAST_EDGE: f64 = 34.0;

/// Where a face may lie: from the unit square to the picture.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) map: Map,
    /// Which enrolled picture it is like, in which third of a turn, and how like.
    pub(super) shown: usize,
    pub(super) turn: usize,
    pub(super) like: f64,
}

impl Place {
    pub(super) fn square(&self) -> Option<Quad> {
        let unit = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let [a, b, c, d] = unit.map(|[x, y]| apply(&self.map, Point::new(x, y)));
        Some(Quad([a?, b?, c?, d?]))
    }
}

/// Whether a square may be the one about a face: seen from the front, no flatter than one under a camera that looks along the table.
pub(super) fn is_a_face(square: &Quad) -> bool {
    let edge = square.side();
    let Some([a, b, c]) = triangle_in(square) else {
        return false;
    };
    let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| (p - q).norm());
    let (least, most) = sides
        .iter()
        .fold((f64::MAX, 0.0_f64), |(l, m), s| (l.min(*s), m.max(*s)));
    square.is_clockwise() && edge >= LEAST_EDGE && most < 2.6 * least
}

/// Whether two faces' triangles cover each other: one of them is none.
pub(super) fn over(a: &Quad, b: &Quad) -> bool {
    let triangle = |q: &Quad| {
        let ring = triangle_in(q)?.iter().map(|p| (p.x, p.y)).collect();
        Some(geo::Polygon::new(ring, vec![]))
    };
    let (Some(a), Some(b)) = (triangle(a), triangle(b)) else {
        return true;
    };
    crate::geometry::covered(&a, &b).max(crate::geometry::covered(&b, &a)) > 0.3
}

/// Turns the unit square about its middle by so many thirds.
pub(super) fn about_middle(thirds: usize) -> Map {
    let turn = std::f64::consts::TAU / 3.0 * thirds as f64;
    rigid(0.0, 0.5, 0.5) * rigid(turn, 0.0, 0.0) * rigid(0.0, -0.5, -0.5)
}

/// The map from a print's pixels to those of what is seen, by which both are likest within the mask; `None` where none is found.
pub(super) fn aligned(seen: &Mat, print: &Mat, mask: &Mat) -> Result<Option<Map>, VisionError> {
    let mut warp = Mat::eye(2, 3, core::CV_32F)?.to_mat()?;
    let until = TermCriteria::new(core::TermCriteria_COUNT + core::TermCriteria_EPS, 30, 1e-3)?;
    // what is seen is the template, since the mask is the other one's
    let found =
        video::find_transform_ecc(seen, print, &mut warp, video::MOTION_AFFINE, until, mask, 5);
    // says so where it does not come to an end
    if found.is_err() {
        return Ok(None);
    }
    let v: &[f32] = warp.data_typed()?;
    let v: Vec<f64> = v.iter().map(|v| f64::from(*v)).collect();
    let to_print = Map::new(v[0], v[1], v[2], v[3], v[4], v[5], 0.0, 0.0, 1.0);
    Ok(to_print.try_inverse())
}
