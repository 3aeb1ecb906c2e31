//! Square markers that an owner has stuck on a display or board (ArUco; Garrido-Jurado and others 2014).
//!
//! Nobody writes down where they are: they are found in the surface's reference picture. Two displays with the
//! same print are told apart by them, and dark or plain ones are found by them.

use std::collections::BTreeMap;

use opencv::{
    aruco, calib3d,
    core::{self, Mat, Point2f, Vector},
    prelude::*,
};

use super::map::{self, Map};
use crate::{geometry::Point, vision::eye::VisionError};

/// Markers on a sheet, their side in millimetres, and the white rim that each needs to be seen.
pub const ON_A_SHEET: i32 = 24;
pub const SIDE_MM: f64 = 15.0;
pub const RIM_MM: f64 = 3.0;

/// Markers by number, with their corners from the upper left, clockwise.
pub(in crate::vision) type Markers = BTreeMap<i32, [Point; 4]>;

/// Another one than the calibration board's, so that this is not taken for a display.
fn dictionary() -> Result<core::Ptr<aruco::Dictionary>, VisionError> {
    Ok(aruco::get_predefined_dictionary(
        aruco::PREDEFINED_DICTIONARY_NAME::DICT_4X4_50,
    )?)
}

/// A marker, `pixels` wide and high, a byte a pixel: 0 or 255. A multiple of 6 is exact.
///
/// # Errors
/// Only where a library fails, or there is no marker of this number.
pub fn drawn(number: i32, pixels: i32) -> Result<Vec<u8>, VisionError> {
    let mut out = Mat::default();
    aruco::draw_marker(&dictionary()?, number, pixels, &mut out, 1)?;
    Ok(out.data_bytes()?.to_vec())
}

/// The markers a picture shows. One that is there twice tells nothing and is left out.
pub(super) fn seen(grey: &Mat) -> Result<Markers, VisionError> {
    let (mut corners, mut ids) = (Vector::<Vector<Point2f>>::new(), Vector::<i32>::new());
    let mut how = aruco::DetectorParameters::create()?;
    how.set_corner_refinement_method(aruco::CornerRefineMethod::CORNER_REFINE_SUBPIX as i32);
    let mut rejected = Vector::<Vector<Point2f>>::new();
    aruco::detect_markers(
        grey,
        &dictionary()?,
        &mut corners,
        &mut ids,
        &how,
        &mut rejected,
    )?;
    let mut found: BTreeMap<i32, Vec<[Point; 4]>> = BTreeMap::new();
    for (id, c) in ids.iter().zip(&corners) {
        let c: Vec<Point> = c
            .iter()
            .map(|p| Point::new(f64::from(p.x), f64::from(p.y)))
            .collect();
        if let Ok(c) = c.try_into() {
            found.entry(id).or_default().push(c);
        }
    }
    let once = found
        .into_iter()
        .filter_map(|(id, all)| match all.as_slice() {
            [one] => Some((id, *one)),
            _ => None,
        });
    Ok(once.collect())
}

/// The markers on a surface, in its millimetres, from its reference picture.
pub(super) fn of_reference(grey: &Mat, size_mm: [f64; 2]) -> Result<Markers, VisionError> {
    let per_mm = [
        f64::from(grey.cols()) / size_mm[0],
        f64::from(grey.rows()) / size_mm[1],
    ];
    // a rim, so that a marker at the very edge has one
    let rim = 16;
    let mut wider = Mat::default();
    core::copy_make_border(
        grey,
        &mut wider,
        rim,
        rim,
        rim,
        rim,
        core::BORDER_CONSTANT,
        core::Scalar::all(255.0),
    )?;
    let mm = |p: Point| {
        Point::new(
            (p.x - f64::from(rim) + 0.5) / per_mm[0],
            (p.y - f64::from(rim) + 0.5) / per_mm[1],
        )
    };
    let all = seen(&wider)?;
    Ok(all.into_iter().map(|(id, c)| (id, c.map(mm))).collect())
}

/// The map of a surface of which the picture shows some markers; `None` where it shows none.
pub(super) fn lies(on: &Markers, in_picture: &Markers) -> Result<Option<Map>, VisionError> {
    let (mut from, mut to) = (Vector::<Point2f>::new(), Vector::<Point2f>::new());
    let single = |p: &Point| Point2f::new(p.x as f32, p.y as f32);
    for (id, at) in on {
        if let Some(there) = in_picture.get(id) {
            from.extend(at.iter().map(single));
            to.extend(there.iter().map(single));
        }
    }
    if from.is_empty() {
        return Ok(None);
    }
    let mut inliers = Mat::default();
    // of one marker all corners count; of several, one may be of another surface that has the same
    let map = calib3d::find_homography(&from, &to, &mut inliers, calib3d::RANSAC, 3.0)?;
    Ok(map::from_mat(&map).and_then(map::scaled))
}
