//! The faces of a copy as they were enrolled: each one's features, and its print in three turns.

use opencv::{
    core::{self, Mat, Size, Vector},
    imgproc,
    prelude::*,
};

use super::place::about_middle;
use crate::{
    capture::Picture,
    geometry::{Point, Quad, triangle_in},
    vision::{
        VisionError, crop, gallery,
        register::{Descriptors, Map, apply, describe, grey, sift},
    },
};

/// Pixels of the square about a face as it is compared, its margin included; the margin as a part of the face's edge.
pub(super) const FRAME: i32 = 96;
pub(super) const MARGIN: f64 = 0.2;
/// The part of a face that is compared: its edges are worn, and the last thing to be known exactly.
pub(super) const WITHIN: f64 = 0.95;
/// Pixels of the same in which an enrolled face's features are looked for.
const LARGE: i32 = 224;
/// Features looked for in a face.
const OF_A_FACE: i32 = 120;

/// A face of the copy.
pub(super) struct Known {
    pub(super) kind: String,
    pub(super) face: String,
}

/// A feature of an enrolled face: its place in the unit square, its size as a part of that, its angle.
pub(super) struct Feature {
    pub(super) at: Point,
    pub(super) size: f64,
    pub(super) angle_deg: f64,
}

/// One enrolled picture of a face.
pub(super) struct Shown {
    pub(super) face: usize,
    pub(super) features: Vec<Feature>,
    pub(super) descriptors: Descriptors,
    /// The square about it, grey, for each third of a turn that it may be seen in.
    pub(super) grey: [Mat; 3],
    /// The print of the triangle in these, each colour about its mean, as a unit vector.
    pub(super) prints: [Vec<f32>; 3],
}

/// Pixels of a frame to the unit square.
pub(super) fn unit_of_frame() -> Map {
    let k = (1.0 + 2.0 * MARGIN) / f64::from(FRAME);
    let off = 0.5 * k - MARGIN;
    Map::new(k, 0.0, off, 0.0, k, off, 0.0, 0.0, 1.0)
}

/// The triangle in a square of `size` pixels with its margin, drawn in by a part; 8 bits.
pub(super) fn triangle(size: i32, drawn_in: f64) -> Result<Mat, VisionError> {
    let n = f64::from(size);
    let edge = n / (1.0 + 2.0 * MARGIN) * drawn_in;
    let (lo, hi) = ((n - edge) / 2.0 - 0.5, (n + edge) / 2.0 - 0.5);
    let square = Quad::from_pairs([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]);
    let mut mask = Mat::zeros(size, size, core::CV_8U)?.to_mat()?;
    let corners = triangle_in(&square).unwrap_or([Point::origin(); 3]);
    let ring: Vector<core::Point> = corners
        .iter()
        .map(|p| core::Point::new(p.x.round() as i32, p.y.round() as i32))
        .collect();
    imgproc::fill_convex_poly_def(&mut mask, &ring, core::Scalar::all(255.0))?;
    Ok(mask)
}

/// The print within a mask, softened, each colour about its mean, as a unit vector.
pub(super) fn print(square: &Mat, mask: &Mat) -> Result<Vec<f32>, VisionError> {
    let mut soft = Mat::default();
    imgproc::gaussian_blur_def(square, &mut soft, Size::new(0, 0), 1.2)?;
    let pixels = soft.data_typed::<core::Vec3b>()?;
    let within = mask.data_bytes()?;
    let mut out = Vec::with_capacity(3 * within.len() / 2);
    for colour in 0..3 {
        let from = out.len();
        let inside = pixels.iter().zip(within).filter(|(_, m)| **m > 0);
        out.extend(inside.map(|(p, _)| f32::from(p[colour])));
        let mean = out[from..].iter().sum::<f32>() / (out.len() - from).max(1) as f32;
        out[from..].iter_mut().for_each(|v| *v -= mean);
    }
    let norm = out.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
    out.iter_mut().for_each(|v| *v /= norm);
    Ok(out)
}

/// What a face lying in a square of a picture looks like in each third of a turn.
pub(in crate::vision) fn prints(rgb: &Mat, square: &Quad) -> Result<[Vec<f32>; 3], VisionError> {
    let mask = triangle(FRAME, WITHIN)?;
    let mut out: [Vec<f32>; 3] = Default::default();
    for (turn, out) in out.iter_mut().enumerate() {
        let seen = crop::rectify(rgb, &seen_turned(square, turn), FRAME, MARGIN)?;
        *out = print(&seen, &mask)?;
    }
    Ok(out)
}

/// The square in which a face is seen turned by so many thirds.
fn seen_turned(square: &Quad, turn: usize) -> Quad {
    let back = about_middle(3 - turn);
    let [a, b, _, d] = square.0;
    let corner = |[x, y]: [f64; 2]| {
        let p = apply(&back, Point::new(x, y)).unwrap_or(Point::new(x, y));
        a + (b - a) * p.x + (d - a) * p.y
    };
    Quad([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(corner))
}

/// A face's features where its square is so many pixels wide.
fn features(
    rgb: &Mat,
    inner: &Quad,
    size: i32,
) -> Result<(Vec<Feature>, Descriptors), VisionError> {
    let flat = crop::rectify(rgb, inner, size, MARGIN)?;
    let (keypoints, descriptors) = describe(
        &mut sift(OF_A_FACE)?,
        &grey(&flat)?,
        &triangle(size, WITHIN)?,
    )?;
    let k = (1.0 + 2.0 * MARGIN) / f64::from(size);
    let unit = |v: f32| (f64::from(v) + 0.5) * k - MARGIN;
    let features = keypoints.iter().map(|p| Feature {
        at: Point::new(unit(p.at.x), unit(p.at.y)),
        size: p.size * k,
        angle_deg: p.angle_deg,
    });
    Ok((features.collect(), descriptors))
}

impl Shown {
    pub(super) fn of(picture: &Picture, face: usize, mask: &Mat) -> Result<Self, VisionError> {
        let rgb = crop::mat(picture)?;
        let inner = gallery::inner_face(picture.width(), picture.height(), MARGIN);
        // of a face that is seen small the finest features are not
        let (mut features, fine) = self::features(&rgb, &inner, LARGE)?;
        let (coarser, coarse) = self::features(&rgb, &inner, LARGE / 2)?;
        features.extend(coarser);
        // a face that is seen a third of a turn on has, in the square it was laid flat in, its own corners there
        let mut greys: [Mat; 3] = [Mat::default(), Mat::default(), Mat::default()];
        let mut prints: [Vec<f32>; 3] = Default::default();
        for turn in 0..3 {
            let square = crop::rectify(&rgb, &seen_turned(&inner, turn), FRAME, MARGIN)?;
            greys[turn] = grey(&square)?;
            prints[turn] = print(&square, mask)?;
        }
        Ok(Self {
            face,
            features,
            descriptors: Descriptors::joined(&[fine, coarse]),
            grey: greys,
            prints,
        })
    }
}
