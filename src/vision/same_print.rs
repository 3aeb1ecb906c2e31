//! Which of a copy's reference pictures show the same print.

use opencv::{
    core::{self, Mat, Size},
    imgcodecs, imgproc,
    prelude::*,
};

use super::eye::VisionError;
use crate::copy::Copy;

/// Longer side of the pictures that are compared: what is printed large is still there.
const LONG: f64 = 96.0;
/// Correlation of lightness from which two prints are one: of six copies the likest two displays have 0.88, as cards of one
/// design do.
const SAME: f64 = 0.93;
/// What the proportions of two such surfaces differ by at most.
const PROPORTIONS: f64 = 1.05;

/// Surfaces, by their ids, whose reference pictures show the same. A picture that cannot be read shows nothing.
///
/// # Errors
/// Only where a library fails.
pub fn same_print(copy: &Copy) -> Result<Vec<[String; 2]>, VisionError> {
    let mut seen: Vec<(&str, f64, Mat)> = Vec::new();
    let mut alike = Vec::new();
    for surface in &copy.surfaces {
        let Some(reference) = &surface.reference else {
            continue;
        };
        let grey = imgcodecs::imread(reference, imgcodecs::IMREAD_GRAYSCALE)?;
        if grey.empty() {
            continue;
        }
        let [w, h] = surface.size_mm;
        let mut small = Mat::default();
        let k = LONG / w.max(h);
        let size = Size::new((w * k).round() as i32, (h * k).round() as i32);
        imgproc::resize(&grey, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        for (other, proportion, before) in &seen {
            let off = (w / h / proportion).max(proportion * h / w);
            if off < PROPORTIONS && correlation(&small, before)? > SAME {
                alike.push([(*other).to_owned(), surface.id.clone()]);
            }
        }
        seen.push((&surface.id, w / h, small));
    }
    Ok(alike)
}

/// Of two pictures' lightness, -1 to 1.
fn correlation(a: &Mat, b: &Mat) -> Result<f64, VisionError> {
    let mut as_large = Mat::default();
    imgproc::resize(b, &mut as_large, a.size()?, 0.0, 0.0, imgproc::INTER_AREA)?;
    let mut out = Mat::default();
    let none = core::no_array();
    imgproc::match_template(a, &as_large, &mut out, imgproc::TM_CCOEFF_NORMED, &none)?;
    Ok(f64::from(*out.at_2d::<f32>(0, 0)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::{load, shipped};

    #[test]
    fn a_display_photographed_twice_is_noticed() {
        let mut copy = load(&shipped("practice")).unwrap();
        assert_eq!(same_print(&copy).unwrap(), Vec::<[String; 2]>::new());
        let helm = copy.surfaces[1].reference.clone();
        copy.surfaces[2].reference = helm;
        let pair = [1, 2].map(|i: usize| copy.surfaces[i].id.clone());
        assert_eq!(same_print(&copy).unwrap(), [pair]);
    }
}
