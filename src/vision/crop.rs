//! Pictures to tensors: scaling, rectifying.

use opencv::{
    boxed_ref::BoxedRef,
    core::{BORDER_REPLICATE, Mat, Point2f, Rect, Scalar, Size, ToInputArray, Vec3b, Vector},
    imgproc,
    prelude::*,
};

use super::eye::VisionError;
use crate::{
    capture::Picture,
    geometry::{Point, Quad},
};

/// The picture's pixels in a matrix of OpenCV's.
pub(super) fn mat(picture: &Picture) -> Result<Mat, VisionError> {
    Ok(borrowed(picture)?.try_clone()?)
}

/// The same where they lie, without a copy.
pub(super) fn borrowed(picture: &Picture) -> Result<BoxedRef<'_, Mat>, VisionError> {
    let (rows, cols) = (picture.height() as i32, picture.width() as i32);
    Ok(Mat::new_rows_cols_with_bytes::<Vec3b>(
        rows,
        cols,
        picture.rgb(),
    )?)
}

/// The same picture with these polygons (pixels) painted over in one grey.
///
/// # Errors
/// Only where a library fails.
pub fn masked(picture: &Picture, masks: &[Vec<Point>]) -> Result<Picture, VisionError> {
    if masks.is_empty() {
        return Ok(picture.clone());
    }
    let mut out = mat(picture)?;
    for mask in masks {
        let corners: Vector<opencv::core::Point> = mask
            .iter()
            .map(|p| opencv::core::Point::new(p.x.round() as i32, p.y.round() as i32))
            .collect();
        imgproc::fill_poly_def(&mut out, &corners, Scalar::all(127.0))?;
    }
    Picture::from_rgb(picture.width(), picture.height(), out.data_bytes()?)
        .ok_or_else(|| VisionError::Failed("a masked picture has another size".to_owned()))
}

/// Scaled to `width` x `height`, by area means when smaller.
pub(super) fn scaled(
    picture: &(impl MatTraitConst + ToInputArray),
    width: i32,
    height: i32,
) -> Result<Mat, VisionError> {
    if picture.cols() == width && picture.rows() == height {
        return Ok(picture.try_clone()?);
    }
    let how = if width < picture.cols() {
        imgproc::INTER_AREA
    } else {
        imgproc::INTER_LINEAR
    };
    let mut out = Mat::default();
    imgproc::resize(picture, &mut out, Size::new(width, height), 0.0, 0.0, how)?;
    Ok(out)
}

/// A top face seen straight on, `size` x `size` pixels, with a margin of `margin` of its side all
/// round. Large faces are averaged down first, so that nothing is skipped.
///
/// # Errors
/// Where the corners make no quadrilateral.
pub fn rectify(
    picture: &(impl MatTraitConst + ToInputArray),
    face: &Quad,
    size: i32,
    margin: f64,
) -> Result<Mat, VisionError> {
    let mut corners = *face;
    let side = face.side();
    let mut reduced = None;
    if side > 1.6 * f64::from(size) {
        let k = 1.2 * f64::from(size) / side;
        let (c, r) = (face.centre(), side * 1.3);
        let clamp = |v: f64, max: i32| (v.clamp(0.0, f64::from(max))) as i32;
        let (x0, y0) = (
            clamp(c.x - r, picture.cols()),
            clamp(c.y - r, picture.rows()),
        );
        let (x1, y1) = (
            clamp(c.x + r + 2.0, picture.cols()),
            clamp(c.y + r + 2.0, picture.rows()),
        );
        if x1 > x0 && y1 > y0 {
            let part = Mat::roi(picture, Rect::new(x0, y0, x1 - x0, y1 - y0))?;
            let (w, h) = (
                (f64::from(x1 - x0) * k).round().max(1.0),
                (f64::from(y1 - y0) * k).round().max(1.0),
            );
            let mut small = Mat::default();
            imgproc::resize(
                &part,
                &mut small,
                Size::new(w as i32, h as i32),
                0.0,
                0.0,
                imgproc::INTER_AREA,
            )?;
            let (kx, ky) = (w / f64::from(x1 - x0), h / f64::from(y1 - y0));
            corners = Quad(corners.0.map(|p| {
                Point::new(
                    (p.x - f64::from(x0) + 0.5) * kx - 0.5,
                    (p.y - f64::from(y0) + 0.5) * ky - 0.5,
                )
            }));
            reduced = Some(small);
        }
    }
    let lo = f64::from(size) * margin / (1.0 + 2.0 * margin) - 0.5;
    let hi = f64::from(size) * (1.0 + margin) / (1.0 + 2.0 * margin) - 0.5;
    let to =
        [[lo, lo], [hi, lo], [hi, hi], [lo, hi]].map(|[x, y]| Point2f::new(x as f32, y as f32));
    let from = corners.0.map(|p| Point2f::new(p.x as f32, p.y as f32));
    let (from, to) = (Mat::from_slice(&from)?, Mat::from_slice(&to)?);
    let h = imgproc::get_perspective_transform(&from, &to, opencv::core::DECOMP_LU)?;
    let mut out = Mat::default();
    let seen = match &reduced {
        Some(small) => small.input_array()?,
        None => picture.input_array()?,
    };
    imgproc::warp_perspective(
        &seen,
        &mut out,
        &h,
        Size::new(size, size),
        imgproc::INTER_LINEAR,
        BORDER_REPLICATE,
        Scalar::default(),
    )?;
    Ok(out)
}

/// A turned square of a picture: `wide` pixels of it around `middle`, with what points to `angle` (clockwise from
/// up, degrees) up.
pub(super) fn square(
    picture: &Mat,
    middle: Point,
    wide: f64,
    angle: f64,
    size: i32,
) -> Result<Mat, VisionError> {
    let k = f64::from(size) / wide;
    if k < 0.499 {
        // by means of areas first, of what the square can reach
        let reach = (0.75 * wide).ceil() as i32 + 2;
        let (x, y) = (middle.x.round() as i32, middle.y.round() as i32);
        let around = Rect::new(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1)
            & Rect::new(0, 0, picture.cols(), picture.rows());
        if around.width > 1 && around.height > 1 {
            let part = Mat::roi(picture, around)?.try_clone()?;
            // rounded down, so that what is left is small enough
            let less = |n: i32| (f64::from(n) * 2.0 * k).floor().max(1.0);
            let (w, h) = (less(around.width), less(around.height));
            let part = scaled(&part, w as i32, h as i32)?;
            let to = |v: f64, from: i32, n: i32, of: f64| {
                (v - f64::from(from) + 0.5) * of / f64::from(n) - 0.5
            };
            let middle = Point::new(
                to(middle.x, around.x, around.width, w),
                to(middle.y, around.y, around.height, h),
            );
            return square(
                &part,
                middle,
                wide * w / f64::from(around.width),
                angle,
                size,
            );
        }
    }
    let (s, c) = angle.to_radians().sin_cos();
    let (s, c, half) = (k * s, k * c, f64::from(size - 1) / 2.0);
    let rows = [
        c,
        s,
        half - c * middle.x - s * middle.y,
        -s,
        c,
        half + s * middle.x - c * middle.y,
    ];
    let m = Mat::from_slice(&rows)?.reshape(1, 2)?.try_clone()?;
    let mut out = Mat::default();
    imgproc::warp_affine(
        picture,
        &mut out,
        &m,
        Size::new(size, size),
        imgproc::INTER_LINEAR,
        BORDER_REPLICATE,
        Scalar::default(),
    )?;
    Ok(out)
}

/// Appends an 8-bit RGB picture, padded with `mean` to `width` x `height`, as planes of
/// `(value - mean) / std`.
pub(super) fn append_planes(
    picture: &Mat,
    width: usize,
    height: usize,
    mean: f32,
    std: f32,
    out: &mut Vec<f32>,
) -> Result<(), VisionError> {
    let start = out.len();
    let plane = width * height;
    out.resize(start + 3 * plane, 0.0);
    // a byte has few values
    let values: [f32; 256] = std::array::from_fn(|byte| (byte as f32 - mean) / std);
    let value = |byte: u8| values[usize::from(byte)];
    let (r, rest) = out[start..].split_at_mut(plane);
    let (g, b) = rest.split_at_mut(plane);
    for y in 0..picture.rows() {
        let row: &[Vec3b] = picture.at_row(y)?;
        let at = y as usize * width;
        for (((p, r), g), b) in row
            .iter()
            .zip(&mut r[at..at + width])
            .zip(&mut g[at..at + width])
            .zip(&mut b[at..at + width])
        {
            (*r, *g, *b) = (value(p[0]), value(p[1]), value(p[2]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dark, with a light quarter at the upper right, about its middle.
    fn quartered(size: i32) -> Mat {
        let mut m =
            Mat::new_rows_cols_with_default(size, size, opencv::core::CV_8UC3, Scalar::all(20.0))
                .expect("a picture");
        let half = size / 2;
        let part = Rect::new(half, 0, half, half);
        Mat::roi_mut(&mut m, part)
            .and_then(|mut p| p.set_scalar(Scalar::all(220.0)))
            .expect("drawn");
        m
    }

    #[test]
    fn a_square_is_turned_until_its_heading_is_up() {
        // cut as it is, and where it is first made smaller
        for (size, wide) in [(80, 60.0), (400, 300.0)] {
            let middle = Point::new(f64::from(size - 1) / 2.0, f64::from(size - 1) / 2.0);
            for (angle, light) in [
                (0.0, [36, 12]),
                (90.0, [12, 12]),
                (180.0, [12, 36]),
                (270.0, [36, 36]),
            ] {
                let cut = square(&quartered(size), middle, wide, angle, 48).expect("cut");
                for at in [[12, 12], [36, 12], [12, 36], [36, 36]] {
                    let p = *cut.at_2d::<Vec3b>(at[1], at[0]).expect("a pixel");
                    assert_eq!(p[0] > 100, at == light, "{size} {angle} {at:?}");
                }
            }
        }
    }
}
