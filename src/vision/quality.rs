//! How well a picture can be used: light, sharpness, and how far its edges are smeared.

use opencv::{
    core::{self, Mat, Scalar, Size},
    imgproc,
    prelude::*,
};

use super::eye::VisionError;

/// Part of a picture's pixels that are taken for its steepest edges; by how many pixels a picture is smeared once more;
/// and slopes (of a Sobel operator) below which there are no edges.
const STEEPEST: f64 = 0.01;
const ONCE_MORE: f64 = 1.5;
const FLAT: f64 = 24.0;

/// Mean grey level of an RGB picture (0 to 255), and the level that its brightest fiftieth reaches.
pub(super) fn light(picture: &Mat) -> Result<(f64, f64), VisionError> {
    let mut grey = Mat::default();
    imgproc::cvt_color_def(picture, &mut grey, imgproc::COLOR_RGB2GRAY)?;
    let mut levels = [0_usize; 256];
    for level in grey.data_bytes()? {
        if let Some(count) = levels.get_mut(usize::from(*level)) {
            *count += 1;
        }
    }
    let brightest = (0..256).rev().scan(0, |above, level| {
        *above += levels[level];
        Some((level, *above))
    });
    let fiftieth = levels.iter().sum::<usize>() / 50;
    let mut reached = brightest.skip_while(|(_, above)| *above < fiftieth.max(1));
    let brightest = reached.next().map_or(0, |(level, _)| level);
    Ok((core::mean_def(&grey)?[0], brightest as f64))
}

/// How sharp a picture is: the variance of the Laplacian of the grey picture, the usual measure of focus.
pub(super) fn sharpness(picture: &Mat) -> Result<f64, VisionError> {
    let (mut grey, mut edges) = (Mat::default(), Mat::default());
    imgproc::cvt_color_def(picture, &mut grey, imgproc::COLOR_RGB2GRAY)?;
    imgproc::laplacian_def(&grey, &mut edges, core::CV_64F)?;
    let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
    core::mean_std_dev_def(&edges, &mut mean, &mut deviation)?;
    Ok(deviation[0] * deviation[0])
}

/// How far the steepest edges of an RGB picture are smeared: the deviation, in pixels, of the Gaussian that would smear
/// a sharp edge so; 0 where it has no edges. By how much less steep they become when they are smeared once more (Zhuo and
/// Sim, "Defocus map estimation from a single image", 2011). Noise has steep edges, too: then it is said to be less.
///
/// # Errors
/// Only where a library fails.
pub(super) fn smear(picture: &Mat) -> Result<f64, VisionError> {
    let (mut grey, mut fine) = (Mat::default(), Mat::default());
    imgproc::cvt_color_def(picture, &mut grey, imgproc::COLOR_RGB2GRAY)?;
    grey.convert_to_def(&mut fine, core::CV_32F)?;
    let steepest = |of: &Mat| -> Result<f64, VisionError> {
        let (mut across, mut down, mut all) = (Mat::default(), Mat::default(), Mat::default());
        imgproc::sobel_def(of, &mut across, core::CV_32F, 1, 0)?;
        imgproc::sobel_def(of, &mut down, core::CV_32F, 0, 1)?;
        core::magnitude(&across, &down, &mut all)?;
        let mut slopes = all.data_typed::<f32>()?.to_vec();
        let at = (slopes.len() as f64 * (1.0 - STEEPEST)) as usize;
        let last = slopes.len().saturating_sub(1);
        let (_, slope, _) = slopes.select_nth_unstable_by(at.min(last), f32::total_cmp);
        Ok(f64::from(*slope))
    };
    let mut again = Mat::default();
    imgproc::gaussian_blur_def(&fine, &mut again, Size::new(0, 0), ONCE_MORE)?;
    let (sharp, soft) = (steepest(&fine)?, steepest(&again)?);
    if soft < FLAT || sharp <= soft {
        return Ok(if sharp < FLAT { 0.0 } else { f64::MAX });
    }
    Ok(ONCE_MORE / ((sharp / soft).powi(2) - 1.0).sqrt())
}
