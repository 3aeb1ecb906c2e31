//! The sides of a d4, which is read where no face is on top: each seen upright, its point up.

use opencv::{
    core::{CV_8UC1, CV_8UC3, Mat, Point2f, Scalar, Size, Vector, mean_std_dev_def},
    imgproc,
    prelude::*,
};

use crate::{
    copy::Shape,
    geometry::{Point, Quad},
    vision::{crop, eye::VisionError, gallery::inner_face},
};

/// Least part of the triangle that it stands on that a side is seen as: from above each is a third.
const SEEN: f64 = 0.12;
/// Grey levels by which a print differs (standard deviation); what is left out differs by none.
const PRINTED: f64 = 2.0;

/// Each side that is seen, its point first, then its lower right and lower left corners, of a d4 that stands on the triangle with these corners
/// (clockwise) and whose point is there; and the number of that triangle's corner that is its second. The best seen first.
fn sides(base: &[Point], point: Point) -> Vec<(usize, [Point; 3])> {
    let area = |[a, b, c]: [Point; 3]| (b - a).perp(&(c - a)) / 2.0;
    let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| base.get(i).copied()) else {
        return Vec::new();
    };
    let whole = area([a, b, c]);
    let mut all = vec![(0, [point, a, b]), (1, [point, b, c]), (2, [point, c, a])];
    all.retain(|(_, t)| area(*t) > SEEN * whole);
    all.sort_by(|x, y| area(y.1).total_cmp(&area(x.1)));
    all
}

/// Where the print of each side is that is seen.
pub fn seen(base: &[Point], point: Point) -> Vec<Quad> {
    let print = |t: &[Point; 3]| Some(Shape::D4.printed(&Shape::D4.square(t)?));
    let each = sides(base, point);
    each.iter().filter_map(|(_, t)| print(t)).collect()
}

/// The enrolment picture of a d4: as from above, its point in the middle; sides that are not seen are left out.
///
/// # Errors
/// Only where a library fails.
pub fn picture(
    photograph: &Mat,
    base: &[Point],
    point: Point,
    size: i32,
    margin: f64,
) -> Result<Mat, VisionError> {
    let mut out = Mat::new_rows_cols_with_default(size, size, CV_8UC3, Scalar::all(127.0))?;
    let inner = inner_face(size.unsigned_abs(), size.unsigned_abs(), margin);
    let (corners, middle) = (Shape::D4.outline(&inner), inner.centre());
    let at = |p: Point| Point2f::new(p.x as f32, p.y as f32);
    for (i, from) in sides(base, point) {
        let [Some(b), Some(c)] = [i, (i + 1) % 3].map(|k| corners.get(k).copied()) else {
            continue;
        };
        let to = [middle, b, c].map(at);
        let map = imgproc::get_affine_transform_slice(from.map(at), to)?;
        let mut one = Mat::default();
        imgproc::warp_affine_def(photograph, &mut one, &map, Size::new(size, size))?;
        let mut mask = Mat::new_rows_cols_with_default(size, size, CV_8UC1, Scalar::all(0.0))?;
        let outline: Vector<opencv::core::Point> = to
            .iter()
            .map(|p| opencv::core::Point::new(p.x.round() as i32, p.y.round() as i32))
            .collect();
        imgproc::fill_convex_poly_def(&mut mask, &outline, Scalar::all(255.0))?;
        one.copy_to_masked(&mut out, &mask)?;
    }
    Ok(out)
}

/// Where the prints of the sides are that such a picture shows.
///
/// # Errors
/// Only where a library fails.
pub fn in_picture(picture: &Mat, margin: f64) -> Result<Vec<Quad>, VisionError> {
    let inner = inner_face(
        picture.cols().unsigned_abs(),
        picture.rows().unsigned_abs(),
        margin,
    );
    let mut out = Vec::new();
    for print in seen(&Shape::D4.outline(&inner), inner.centre()) {
        let part = crop::rectify(picture, &print.scaled(0.7), 32, 0.0)?;
        let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
        mean_std_dev_def(&part, &mut mean, &mut deviation)?;
        if deviation[0] > PRINTED {
            out.push(print);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use opencv::core::Rect;

    use super::*;

    #[test]
    fn the_side_that_looks_away_is_not_seen() {
        let base = [[50.0, 10.0], [90.0, 80.0], [10.0, 80.0]].map(|[x, y]| Point::new(x, y));
        assert_eq!(seen(&base, Point::new(50.0, 57.0)).len(), 3);
        // seen from below in the picture, its point lies over the far corner
        assert_eq!(seen(&base, Point::new(50.0, 12.0)).len(), 1);
    }

    #[test]
    fn a_picture_from_above_has_the_sides_that_were_seen() {
        let mut photograph =
            Mat::new_rows_cols_with_default(200, 200, CV_8UC3, Scalar::all(60.0)).expect("made");
        for y in (0..200).step_by(10) {
            Mat::roi_mut(&mut photograph, Rect::new(0, y, 200, 5))
                .and_then(|mut p| p.set_scalar(Scalar::all(220.0)))
                .expect("drawn");
        }
        let base = [[100.0, 20.0], [180.0, 160.0], [20.0, 160.0]].map(|[x, y]| Point::new(x, y));
        for (point, sides) in [([100.0, 113.0], 3), ([100.0, 24.0], 1)] {
            let point = Point::new(point[0], point[1]);
            let made = picture(&photograph, &base, point, 120, 0.2).expect("made");
            assert_eq!(in_picture(&made, 0.2).expect("found").len(), sides);
        }
    }
}
