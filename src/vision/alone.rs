//! The one thing in a photograph: what is unlike its ground, and cut out along its outline.

use opencv::{
    core::{self, Mat, Point as Pixel, Size, Vector},
    imgproc,
    prelude::*,
};

use geo::{Area, BooleanOps, Simplify};

use super::{
    candidates::{SMALL, unlike_the_rim},
    eye::VisionError,
};
use crate::geometry::{Point, Quad};

/// Pixels of the longer side of a photograph in which a thing's outline is sought.
const OUTLINED: f64 = 320.0;

/// Pixels of that picture across which a line is at most.
const LINE: i32 = 7;

/// What is unlike the colours of the picture's rim, and hangs together; `None` where nothing of at least a
/// hundredth of the picture does.
fn unlike_its_ground(picture: &Mat) -> Result<Option<core::Rect>, VisionError> {
    let (w, h) = (f64::from(picture.cols()), f64::from(picture.rows()));
    let k = (SMALL / 2.0 / w.max(h)).min(1.0);
    let (mut small, mut soft, mut lab) = (Mat::default(), Mat::default(), Mat::default());
    let size = Size::new(
        (w * k).round().max(1.0) as i32,
        (h * k).round().max(1.0) as i32,
    );
    imgproc::resize(picture, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
    imgproc::gaussian_blur_def(&small, &mut soft, Size::new(0, 0), 1.5)?;
    imgproc::cvt_color_def(&soft, &mut lab, imgproc::COLOR_RGB2Lab)?;
    let mut best: Option<(f64, core::Rect)> = None;
    for mask in unlike_the_rim(&lab)?.into_iter().take(1) {
        let kernel = Mat::ones(5, 5, core::CV_8U)?.to_mat()?;
        let mut closed = Mat::default();
        imgproc::morphology_ex_def(&mask, &mut closed, imgproc::MORPH_CLOSE, &kernel)?;
        let mut contours: Vector<Vector<Pixel>> = Vector::new();
        imgproc::find_contours_def(
            &closed,
            &mut contours,
            imgproc::RETR_EXTERNAL,
            imgproc::CHAIN_APPROX_NONE,
        )?;
        for contour in contours {
            let area = imgproc::contour_area_def(&contour)?;
            let at = imgproc::bounding_rect(&contour)?;
            let large = area > 0.01 * f64::from(size.width * size.height);
            if large && best.is_none_or(|(a, _)| area > a) {
                best = Some((area, at));
            }
        }
    }
    let back = |v: i32| (f64::from(v) / k).round() as i32;
    Ok(best.map(|(_, r)| core::Rect::new(back(r.x), back(r.y), back(r.width), back(r.height))))
}

fn inner_of(size: Size, rim: i32) -> core::Rect {
    core::Rect::new(rim, rim, size.width - 2 * rim, size.height - 2 * rim)
}

/// The one thing in a photograph, cut out along its outline.
pub(super) struct Outlined {
    pub bounds: core::Rect,
    /// How long it is, turned as it may lie.
    pub longest: f64,
    /// The smallest rectangle round it, clockwise.
    pub corners: Quad,
    /// Width and height of the smallest rectangle round it.
    size: [f64; 2],
    round: f64,
    /// Its convex hull.
    hull: geo::Polygon<f64>,
    /// What it covers.
    pub outline: geo::Polygon<f64>,
}

impl Outlined {
    /// Of its convex hull, in square pixels.
    pub fn area(&self) -> f64 {
        self.hull.unsigned_area()
    }

    /// What part of the smallest rectangle round it it fills.
    pub fn fills(&self) -> f64 {
        self.area() / (self.size[0] * self.size[1]).max(1.0)
    }

    /// How well an ellipse covers it and nothing else: a disc is one from wherever it is seen.
    pub fn round(&self) -> f64 {
        self.round
    }

    pub fn length_by_width(&self) -> f64 {
        let [a, b] = self.size;
        a.max(b) / a.min(b).max(1.0)
    }

    /// How well a quadrilateral covers it and nothing else: what both cover, of what either does.
    pub fn covered_by(&self, quad: &Quad) -> f64 {
        let quad = quad.polygon();
        let both = self.hull.intersection(&quad).unsigned_area();
        both / (self.hull.unsigned_area() + quad.unsigned_area() - both).max(1e-9)
    }
}

/// The one thing in a photograph, cut out along its outline (GrabCut: Rother, Kolmogorov and Blake 2004,
/// started from what is unlike the rim, or from the middle); `None` where there is nothing.
pub(super) fn outlined(picture: &Mat) -> Result<Option<Outlined>, VisionError> {
    let (w, h) = (f64::from(picture.cols()), f64::from(picture.rows()));
    let k = (OUTLINED / w.max(h)).min(1.0);
    let size = Size::new(
        (w * k).round().max(1.0) as i32,
        (h * k).round().max(1.0) as i32,
    );
    let mut small = Mat::default();
    imgproc::resize(picture, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
    let start = match unlike_its_ground(picture)? {
        Some(b) => {
            let to = |v: i32| (f64::from(v) * k).round() as i32;
            core::Rect::new(to(b.x), to(b.y), to(b.width), to(b.height))
        }
        None => core::Rect::new(
            size.width / 4,
            size.height / 4,
            size.width / 2,
            size.height / 2,
        ),
    };
    // GrabCut wants some pixels of both to learn from
    let rim = size.width.min(size.height) / 20;
    if rim < 2 || (start & inner_of(size, rim)).area() < 64 {
        return Ok(None);
    }
    let inner = inner_of(size, rim);
    let mut mask = Mat::new_size_with_default(
        size,
        core::CV_8U,
        core::Scalar::all(f64::from(imgproc::GC_BGD)),
    )?;
    for (at, class) in [
        (inner, imgproc::GC_PR_BGD),
        (start & inner, imgproc::GC_PR_FGD),
    ] {
        if at.width > 0 && at.height > 0 {
            let mut part = Mat::roi_mut(&mut mask, at)?;
            part.set_scalar(core::Scalar::all(f64::from(class)))?;
        }
    }
    let (mut ground, mut thing) = (Mat::default(), Mat::default());
    let with_mask = imgproc::GC_INIT_WITH_MASK;
    let all = core::Rect::default();
    imgproc::grab_cut(
        &small,
        &mut mask,
        all,
        &mut ground,
        &mut thing,
        5,
        with_mask,
    )?;
    let mut shown = Mat::default();
    core::in_range(
        &mask,
        &core::Scalar::all(f64::from(imgproc::GC_PR_FGD)),
        &core::Scalar::all(f64::from(imgproc::GC_PR_FGD)),
        &mut shown,
    )?;
    let shown = without_lines(&shown)?;
    let mut contours: Vector<Vector<Pixel>> = Vector::new();
    let (outer, all_points) = (imgproc::RETR_EXTERNAL, imgproc::CHAIN_APPROX_NONE);
    imgproc::find_contours_def(&shown, &mut contours, outer, all_points)?;
    let mut best: Option<(f64, Vector<Pixel>)> = None;
    for contour in contours {
        let area = imgproc::contour_area_def(&contour)?;
        let large = area > 0.005 * f64::from(size.area());
        if large && best.as_ref().is_none_or(|(a, _)| area > *a) {
            best = Some((area, contour));
        }
    }
    let Some((_, contour)) = best else {
        return Ok(None);
    };
    let round = imgproc::min_area_rect(&contour)?;
    let r = imgproc::bounding_rect(&contour)?;
    let back = |v: i32| (f64::from(v) / k).round() as i32;
    let full = |v: f32| (f64::from(v) + 0.5) / k - 0.5;
    let mut hull: Vector<Pixel> = Vector::new();
    imgproc::convex_hull_def(&contour, &mut hull)?;
    let polygon = |points: &Vector<Pixel>| {
        let ring = points.iter();
        let ring = ring.map(|p| (full(p.x as f32), full(p.y as f32)));
        geo::Polygon::new(ring.collect(), vec![])
    };
    let hull = polygon(&hull);
    Ok(Some(Outlined {
        round: ellipse(&contour, &hull, full)?,
        bounds: core::Rect::new(back(r.x), back(r.y), back(r.width), back(r.height)),
        longest: f64::from(round.size.width.max(round.size.height)) / k,
        size: [round.size.width, round.size.height].map(|v| f64::from(v) / k),
        corners: around(&round, full)?,
        outline: polygon(&contour).simplify(1.0 / k),
        hull,
    }))
}

/// A mask without what is thin and goes on beyond the rest of it, as a seam of the table does: opened, and then as far as the mask reaches
/// about that, so that corners and points stay.
fn without_lines(mask: &Mat) -> Result<Mat, VisionError> {
    let disc = |across: i32| {
        let size = Size::new(across, across);
        imgproc::get_structuring_element_def(imgproc::MORPH_ELLIPSE, size)
    };
    let (mut opened, mut about, mut out) = (Mat::default(), Mat::default(), Mat::default());
    imgproc::morphology_ex_def(mask, &mut opened, imgproc::MORPH_OPEN, &disc(LINE)?)?;
    // what is thin all over is no line beside something
    if 2 * core::count_non_zero(&opened)? < core::count_non_zero(mask)? {
        return Ok(mask.clone());
    }
    imgproc::morphology_ex_def(
        &opened,
        &mut about,
        imgproc::MORPH_DILATE,
        &disc(2 * LINE + 1)?,
    )?;
    core::bitwise_and_def(mask, &about, &mut out)?;
    Ok(out)
}

/// What both a hull and the ellipse that is likest to its contour cover, of what either does.
fn ellipse(
    contour: &Vector<Pixel>,
    hull: &geo::Polygon<f64>,
    full: impl Fn(f32) -> f64,
) -> Result<f64, VisionError> {
    if contour.len() < 5 {
        return Ok(0.0);
    }
    let fitted = imgproc::fit_ellipse(contour)?;
    let turn = f64::from(fitted.angle).to_radians();
    let (sin, cos) = turn.sin_cos();
    let (a, b) = (
        f64::from(fitted.size.width) / 2.0,
        f64::from(fitted.size.height) / 2.0,
    );
    let ring = (0..72).map(|i| {
        let (s, c) = (f64::from(i) * 5.0).to_radians().sin_cos();
        let (x, y) = (a * c * cos - b * s * sin, a * c * sin + b * s * cos);
        let at = |middle: f32, off: f64| full((f64::from(middle) + off) as f32);
        (at(fitted.center.x, x), at(fitted.center.y, y))
    });
    let ellipse = geo::Polygon::new(ring.collect(), vec![]);
    let both = hull.intersection(&ellipse).unsigned_area();
    Ok(both / (hull.unsigned_area() + ellipse.unsigned_area() - both).max(1e-9))
}

/// A rectangle's corners, clockwise, each coordinate as `full` says.
fn around(round: &core::RotatedRect, full: impl Fn(f32) -> f64) -> Result<Quad, VisionError> {
    let mut points = [core::Point2f::default(); 4];
    round.points(&mut points)?;
    let at = |p: core::Point2f| Point::new(full(p.x), full(p.y));
    Ok(Quad(points.map(at)))
}
