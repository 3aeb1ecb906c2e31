//! Where a card may lie in a photograph: what four straight lines enclose of what is not like the picture's rim, or is edged.

use opencv::{
    core::{self, Mat, Point as Pixel, Scalar, Size, TermCriteria, Vector},
    imgproc,
    prelude::*,
};

use super::eye::VisionError;
use crate::geometry::{Point, Quad};

/// Longer side of the small picture in which candidates are looked for.
pub(super) const SMALL: f64 = 640.0;
/// So many candidates are followed up, largest and best proportioned first.
const CANDIDATES: usize = 8;
/// Narrow is what is so wide at most, of the picture's longer side. Set by judgement: a card's shorter side is twice that.
const NARROW: f64 = 0.12;
/// What the proportions of a candidate may differ from the card's, as a logarithm: a slanted view.
const PROPORTION: f64 = 0.3;

/// Convex quadrilaterals of about the card's proportions, away from the rim.
pub(super) fn candidates(picture: &Mat, size_mm: [f64; 2]) -> Result<Vec<Quad>, VisionError> {
    let (w, h) = (f64::from(picture.cols()), f64::from(picture.rows()));
    let k = (SMALL / w.max(h)).min(1.0);
    let (mut small, mut soft, mut lab) = (Mat::default(), Mat::default(), Mat::default());
    let size = Size::new((w * k).round() as i32, (h * k).round() as i32);
    imgproc::resize(picture, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
    imgproc::gaussian_blur_def(&small, &mut soft, Size::new(0, 0), 1.0)?;
    imgproc::cvt_color_def(&soft, &mut lab, imgproc::COLOR_RGB2Lab)?;
    let mut masks = unlike_the_rim(&lab)?;
    masks.extend(edged(&lab)?);
    let area = f64::from(size.width * size.height);
    let want = (size_mm[0] / size_mm[1]).ln();
    let mut found: Vec<(f64, Quad)> = Vec::new();
    for mask in masks {
        let kernel = Mat::ones(7, 7, core::CV_8U)?.to_mat()?;
        let mut closed = Mat::default();
        imgproc::morphology_ex_def(&mask, &mut closed, imgproc::MORPH_CLOSE, &kernel)?;
        let mut outlines = enclosed(&closed, imgproc::RETR_EXTERNAL, 0.1 * area)?;
        outlines.extend(enclosed(
            &compact(&closed)?,
            imgproc::RETR_EXTERNAL,
            0.1 * area,
        )?);
        for (covered, q) in outlines {
            let sides: Vec<f64> = (0..4).map(|i| (q.0[(i + 1) % 4] - q.0[i]).norm()).collect();
            let is = ((sides[0] + sides[2]) / (sides[1] + sides[3])).ln();
            let off = (is - want).abs();
            let (x1, y1) = (f64::from(size.width) - 4.0, f64::from(size.height) - 4.0);
            let inside =
                q.0.iter()
                    .all(|p| p.x >= 3.0 && p.y >= 3.0 && p.x <= x1 && p.y <= y1);
            if off > PROPORTION || !inside {
                continue;
            }
            let whole = Quad(q.0.map(|p| Point::new((p.x + 0.5) / k - 0.5, (p.y + 0.5) / k - 0.5)));
            found.push((covered / area - off, whole));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    // a mask and what is left of it opened have one outline but for a pixel or two
    let apart = (2.0 / k).max(8.0);
    let mut kept: Vec<Quad> = Vec::new();
    for (_, q) in found {
        let new = kept
            .iter()
            .all(|o| o.0.iter().zip(&q.0).any(|(a, b)| (a - b).amax() > apart));
        if new {
            kept.push(q);
        }
    }
    kept.truncate(CANDIDATES);
    Ok(kept)
}

/// A mask without what is narrow: a streak of light across the ground, or a cable, that the card touches.
fn compact(mask: &Mat) -> Result<Mat, VisionError> {
    let mut contours: Vector<Vector<Pixel>> = Vector::new();
    imgproc::find_contours_def(
        mask,
        &mut contours,
        imgproc::RETR_EXTERNAL,
        imgproc::CHAIN_APPROX_NONE,
    )?;
    let mut filled = Mat::zeros(mask.rows(), mask.cols(), core::CV_8U)?.to_mat()?;
    let all = -1;
    imgproc::draw_contours(
        &mut filled,
        &contours,
        all,
        Scalar::all(255.0),
        imgproc::FILLED,
        imgproc::LINE_8,
        &core::no_array(),
        0,
        Pixel::new(0, 0),
    )?;
    let width = (NARROW * f64::from(mask.cols().max(mask.rows()))).round() as i32;
    let kernel =
        imgproc::get_structuring_element_def(imgproc::MORPH_RECT, Size::new(width, width))?;
    let mut wide = Mat::default();
    imgproc::morphology_ex_def(&filled, &mut wide, imgproc::MORPH_OPEN, &kernel)?;
    Ok(wide)
}

/// What of a mask's parts (as `mode` finds them) four straight lines enclose, with the pixels it covers: `least` or more.
pub(super) fn enclosed(mask: &Mat, mode: i32, least: f64) -> Result<Vec<(f64, Quad)>, VisionError> {
    let mut contours: Vector<Vector<Pixel>> = Vector::new();
    imgproc::find_contours_def(mask, &mut contours, mode, imgproc::CHAIN_APPROX_NONE)?;
    let mut out = Vec::new();
    for contour in contours {
        let mut hull: Vector<Pixel> = Vector::new();
        imgproc::convex_hull_def(&contour, &mut hull)?;
        let covered = imgproc::contour_area_def(&hull)?;
        if covered < least {
            continue;
        }
        if let Some(q) = four_corners(&hull, covered)? {
            out.push((covered, q));
        }
    }
    Ok(out)
}

/// Masks of what differs from all colours of the picture's rim, for several limits.
pub(super) fn unlike_the_rim(lab: &Mat) -> Result<Vec<Mat>, VisionError> {
    let (w, h) = (lab.cols(), lab.rows());
    let pixels: &[core::Vec3b] = lab.data_typed()?;
    let mut rim: Vec<f32> = Vec::new();
    for (i, p) in pixels.iter().enumerate() {
        let (x, y) = (i as i32 % w, i as i32 / w);
        if x < 6 || y < 6 || x >= w - 6 || y >= h - 6 {
            rim.extend(p.0.map(f32::from));
        }
    }
    let rim = Mat::from_slice(&rim)?
        .reshape(1, (rim.len() / 3) as i32)?
        .try_clone()?;
    let (mut labels, mut centres) = (Mat::default(), Mat::default());
    let until = TermCriteria::new(3, 20, 1.0)?;
    core::set_rng_seed(1)?;
    core::kmeans(
        &rim,
        4,
        &mut labels,
        until,
        3,
        core::KMEANS_PP_CENTERS,
        &mut centres,
    )?;
    let centres: Vec<[f32; 3]> = centres
        .data_typed::<f32>()?
        .chunks_exact(3)
        .map(|c| [c[0], c[1], c[2]])
        .collect();
    let unlike: Vec<u8> = pixels
        .iter()
        .map(|p| {
            let p = p.0.map(f32::from);
            let d = centres
                .iter()
                .map(|c| (0..3).map(|i| (p[i] - c[i]).powi(2)).sum::<f32>())
                .fold(f32::MAX, f32::min);
            (d.sqrt() * 2.0).min(255.0) as u8
        })
        .collect();
    let unlike = Mat::from_slice(&unlike)?.reshape(1, h)?.try_clone()?;
    let mut mask = Mat::default();
    let limit = imgproc::threshold(&unlike, &mut mask, 0.0, 255.0, imgproc::THRESH_OTSU)?;
    let mut masks = vec![mask];
    for part in [0.5, 0.75] {
        let mut mask = Mat::default();
        imgproc::threshold(
            &unlike,
            &mut mask,
            limit * part,
            255.0,
            imgproc::THRESH_BINARY,
        )?;
        masks.push(mask);
    }
    Ok(masks)
}

/// Masks of edges in any channel, for several limits.
fn edged(lab: &Mat) -> Result<Vec<Mat>, VisionError> {
    let mut channels: Vector<Mat> = Vector::new();
    core::split(lab, &mut channels)?;
    let mut masks = Vec::new();
    for limit in [20.0, 40.0, 80.0] {
        let mut all = Mat::zeros(lab.rows(), lab.cols(), core::CV_8U)?.to_mat()?;
        for channel in &channels {
            let (mut edges, mut both) = (Mat::default(), Mat::default());
            imgproc::canny_def(&channel, &mut edges, limit, limit * 2.5)?;
            core::bitwise_or_def(&all, &edges, &mut both)?;
            all = both;
        }
        let mut wide = Mat::default();
        let kernel = Mat::ones(3, 3, core::CV_8U)?.to_mat()?;
        imgproc::dilate(
            &all,
            &mut wide,
            &kernel,
            Pixel::new(-1, -1),
            1,
            core::BORDER_CONSTANT,
            Scalar::default(),
        )?;
        masks.push(wide);
    }
    Ok(masks)
}

/// A hull as a quadrilateral from its upper left corner, clockwise; `None` where it is none.
fn four_corners(hull: &Vector<Pixel>, covered: f64) -> Result<Option<Quad>, VisionError> {
    let around = imgproc::arc_length(hull, true)?;
    for step in 1..=8 {
        let mut few: Vector<Pixel> = Vector::new();
        imgproc::approx_poly_dp(hull, &mut few, 0.01 * f64::from(step) * around, true)?;
        if few.len() != 4 {
            continue;
        }
        let mut p: Vec<Point> = few
            .iter()
            .map(|p| Point::new(f64::from(p.x), f64::from(p.y)))
            .collect();
        let mut q = Quad([p[0], p[1], p[2], p[3]]);
        if !q.is_clockwise() {
            p.reverse();
            q = Quad([p[0], p[1], p[2], p[3]]);
        }
        if covered < 0.9 * q.area() {
            return Ok(None);
        }
        let first = (0..4)
            .min_by(|a, b| (q.0[*a].x + q.0[*a].y).total_cmp(&(q.0[*b].x + q.0[*b].y)))
            .unwrap_or(0);
        return Ok(Some(q.turned(first)));
    }
    Ok(None)
}
