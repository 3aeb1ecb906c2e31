//! Maps from a surface's millimetres to a picture's pixels, between nalgebra and OpenCV.

use nalgebra::Matrix3;
use opencv::{
    calib3d,
    core::{self, Mat, Point2f, Scalar, Size, ToInputArray, Vector},
    imgproc,
    prelude::*,
};

use crate::{
    geometry::{Homography, Lens, Point, Quad, View, focal_from_rectangle},
    vision::eye::VisionError,
};

/// Millimetres to pixels, or any other projective map of a plane.
pub(in crate::vision) type Map = Matrix3<f64>;

/// Pixels of a flat picture at `per_mm` to millimetres; pixel 0 is the middle of the first one.
pub(in crate::vision) fn mm_of_flat(per_mm: f64) -> Map {
    let (k, half) = (1.0 / per_mm, 0.5 / per_mm);
    Map::new(k, 0.0, half, 0.0, k, half, 0.0, 0.0, 1.0)
}

/// The other way.
pub(in crate::vision) fn flat_of_mm(per_mm: f64) -> Map {
    Map::new(per_mm, 0.0, -0.5, 0.0, per_mm, -0.5, 0.0, 0.0, 1.0)
}

/// A turn by `turn` (clockwise, y down) about the origin and then a shift, in the plane.
pub(in crate::vision) fn rigid(turn: f64, dx: f64, dy: f64) -> Map {
    let (s, c) = turn.sin_cos();
    Map::new(c, -s, dx, s, c, dy, 0.0, 0.0, 1.0)
}

pub(in crate::vision) fn apply(map: &Map, p: Point) -> Option<Point> {
    let v = map * nalgebra::Vector3::new(p.x, p.y, 1.0);
    (v.z > 1e-9).then(|| Point::new(v.x / v.z, v.y / v.z))
}

/// Scaled so that its last entry is 1, where that can be: then `z` is positive before the camera.
pub(in crate::vision) fn scaled(map: Map) -> Option<Map> {
    let k = map[(2, 2)];
    (map.iter().all(|v| v.is_finite()) && k.abs() > 1e-12).then(|| map / k)
}

/// The way back of a surface's map, so that `z` is positive for all that is before the camera as the surface's own origin is. (Scaled by its last
/// entry it would be so for what lies as the picture's first pixel does, and that may be over the horizon.)
pub(in crate::vision) fn back(map: &Map) -> Option<Map> {
    let back = map.try_inverse()? * map[(2, 2)];
    back.iter().all(|v| v.is_finite()).then_some(back)
}

/// A rectangle of `size_mm` where the map takes it; `None` where a part of it is behind the camera.
pub(in crate::vision) fn corners(map: &Map, [w, h]: [f64; 2]) -> Option<Quad> {
    let mut out = [Point::origin(); 4];
    for (o, [x, y]) in out.iter_mut().zip([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]) {
        *o = apply(map, Point::new(x, y))?;
    }
    Some(Quad(out))
}

/// The map that takes a rectangle of `size_mm` to these corners.
pub(in crate::vision) fn of_corners(to: &Quad, [w, h]: [f64; 2]) -> Option<Map> {
    let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
    Homography::between(&flat, to).map(|m| *m.matrix())
}

/// What a corner may be off from where a camera would see it, as a part of the longer diagonal: it is far outside the picture. Set
/// by judgement, with two boards of some 255 made ones so near a camera.
const OUT_OF_PLACE: f64 = 0.08;

/// Whether four corners can be those of a card of `size_mm` in a picture of that many pixels: its front, convex, and not much longer on one
/// side, unless it is what a webcam sees that is so near.
pub(in crate::vision) fn plausible(q: &Quad, size_mm: [f64; 2], picture: (u32, u32)) -> bool {
    if !q.is_clockwise() {
        return false;
    }
    let side = |i: usize| (q.0[(i + 1) % 4] - q.0[i]).norm();
    let even = |a: f64, b: f64| a.max(b) < 2.5 * a.min(b);
    (0..4).all(|i| side(i) > 40.0)
        && (even(side(0), side(2)) && even(side(1), side(3)) || is_seen_so(q, size_mm, picture))
}

/// Whether a camera sees a rectangle so, at the focal length that its corners tell.
fn is_seen_so(q: &Quad, size_mm: [f64; 2], picture: (u32, u32)) -> bool {
    let seen = || {
        let (focal, _) = focal_from_rectangle(q, size_mm, picture, 1.0)?;
        let lens = Lens::ideal(picture.0, picture.1, focal, 0.0);
        View::of_rectangle(q, size_mm, lens)?.corners(size_mm)
    };
    let Some(seen) = seen() else {
        return false;
    };
    let [a, b, c, d] = q.0;
    let off = |(p, q): (&Point, &Point)| (p - q).norm();
    let worst = seen.0.iter().zip(&q.0).map(off).fold(0.0, f64::max);
    worst < OUT_OF_PLACE * (c - a).norm().max((d - b).norm())
}

/// Pixels a millimetre where a surface lies, on the mean.
pub(in crate::vision) fn density(corners: &Quad, [w, h]: [f64; 2]) -> f64 {
    (corners.area() / (w * h)).sqrt()
}

fn to_mat(map: &Map) -> Result<Mat, VisionError> {
    let row = |i: usize| [map[(i, 0)], map[(i, 1)], map[(i, 2)]];
    Ok(Mat::from_slice_2d(&[row(0), row(1), row(2)])?)
}

pub(super) fn from_mat(m: &Mat) -> Option<Map> {
    let v: &[f64] = m.data_typed().ok()?;
    (v.len() == 9).then(|| Map::from_row_slice(v))
}

/// What the map shows of a picture, `size` pixels large: pixel `p` of it is the picture's at `map p`.
/// Black beyond the picture.
pub(in crate::vision) fn laid(
    picture: &impl ToInputArray,
    map: &Map,
    size: Size,
) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::warp_perspective(
        picture,
        &mut out,
        &to_mat(map)?,
        size,
        imgproc::INTER_LINEAR | imgproc::WARP_INVERSE_MAP,
        core::BORDER_CONSTANT,
        Scalar::default(),
    )?;
    Ok(out)
}

/// Grey in 32 bits, softened, as blocks are compared.
pub(in crate::vision) fn softened(grey: &Mat) -> Result<Mat, VisionError> {
    let (mut soft, mut out) = (Mat::default(), Mat::default());
    imgproc::gaussian_blur_def(grey, &mut soft, Size::new(5, 5), 1.0)?;
    soft.convert_to_def(&mut out, core::CV_32F)?;
    Ok(out)
}

/// The map that most pairs agree on within `within_px`, and which do.
pub(super) fn agreed(
    from: &Vector<Point2f>,
    to: &Vector<Point2f>,
    within_px: f64,
) -> Result<Option<(Map, Vec<bool>)>, VisionError> {
    let mut inliers = Mat::default();
    let map = calib3d::find_homography(from, to, &mut inliers, calib3d::USAC_MAGSAC, within_px)?;
    let Some(map) = from_mat(&map).and_then(scaled) else {
        return Ok(None);
    };
    let inliers = inliers.data_typed::<u8>()?.iter().map(|i| *i > 0).collect();
    Ok(Some((map, inliers)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::geometry::{Laid, Pose};

    const BOARD: [f64; 2] = [575.0, 440.0];

    /// A board seen from that far above its near part, 46 degrees off the vertical.
    fn seen(height_mm: f64) -> Quad {
        let camera = Pose {
            at_mm: [220.0, 400.0, height_mm],
            turn_deg: [-46.0, 0.0, 0.0],
        };
        let laid = Laid {
            at_mm: [0.0; 2],
            turn_deg: 0.0,
            height_mm: 0.0,
        };
        let view = View::of_pose(&camera, Lens::ideal(1280, 720, 900.0, 0.0));
        view.of_laid(&laid).corners(BOARD).unwrap()
    }

    #[test]
    fn a_board_that_is_near_the_camera_is_much_longer_on_its_near_side() {
        let near = seen(200.0);
        let sides = [0, 2].map(|i: usize| (near.0[i + 1] - near.0[i]).norm());
        assert!(sides[1] > 3.0 * sides[0], "{sides:?}");
        assert!(plausible(&near, BOARD, (1280, 720)));
        assert!(plausible(&seen(700.0), BOARD, (1280, 720)));
        // drawn out along one side, as a few of its lines may fit: no webcam sees a board so
        let mut drawn = near;
        drawn.0[2].x += sides[1];
        assert!(!plausible(&drawn, BOARD, (1280, 720)), "{drawn:?}");
    }
}
