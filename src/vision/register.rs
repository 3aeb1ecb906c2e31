//! Finds a copy's displays and boards in a picture by their reference pictures.
//!
//! Features (SIFT) give hypotheses by robust matching (USAC MAGSAC), several a surface, since displays of
//! one copy share print. A hypothesis is believed for what it explains: the surface is laid flat by
//! it and compared block by block with the reference, so that dice and hands cost only the blocks they
//! cover. Blocks are then matched once more near where they should be, and the map is fitted to them.

use opencv::{
    calib3d,
    core::{self, DMatch, KeyPoint, Mat, Point2f, Ptr, Rect, Scalar, Size, Vector},
    features2d, imgproc,
    prelude::*,
};

use super::{crop, eye::VisionError};
use crate::{
    capture::{Picture, still},
    copy::{Status, Surface},
    geometry::{Point, Quad},
};

/// Pixels a millimetre in which blocks are compared.
const FINE: f64 = 3.0;
/// A block's side in millimetres: half a die, so that one die covers few.
const BLOCK_MM: f64 = 10.0;
/// Grey levels that a block's print must vary by to say anything.
const TEXTURE: f64 = 4.0;
/// Correlation from which on a block shows what the reference shows.
const SAME: f64 = 0.6;
/// Share of the comparable blocks that must agree for `unsure` and for `sure`, and how much of the
/// surface's print must be in the picture for `sure`.
const POSSIBLE: f64 = 0.45;
const SURE: f64 = 0.6;
const SEEN: f64 = 0.4;
/// Features looked for in a reference and in a picture.
const OF_REFERENCE: i32 = 1500;
const OF_PICTURE: i32 = 6000;
/// Hypotheses tried for each surface.
const TRIES: usize = 6;

/// A surface found in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// The surface's id.
    pub surface: String,
    /// From its own upper left, clockwise, in pixels; they may lie outside the picture.
    pub corners: Quad,
    pub status: Status,
    /// Share of the comparable blocks that show what the reference shows.
    pub agreement: f64,
    /// Share of the printed blocks that could be compared: in the picture.
    pub seen: f64,
}

/// One surface's reference, ready to be looked for.
struct Reference {
    id: String,
    size_mm: [f64; 2],
    points_mm: Vec<Point2f>,
    descriptors: Mat,
    /// The flat picture at [`FINE`], grey, a little blurred, 32-bit.
    flat: Mat,
    /// Blocks (upper left, pixels of `flat`) that have print.
    blocks: Vec<Rect>,
}

/// Looks for a copy's surfaces.
pub struct Registrar {
    references: Vec<Reference>,
    features: Ptr<features2d::SIFT>,
}

/// A way a surface may lie.
struct Hypothesis {
    /// Millimetres to pixels.
    map: Mat,
    corners: Quad,
    agreement: f64,
    compared: usize,
}

impl Registrar {
    /// Takes the reference pictures of all surfaces that have one.
    ///
    /// # Errors
    /// A reference picture that cannot be read.
    pub fn new(surfaces: &[Surface]) -> Result<Self, VisionError> {
        let mut references = Vec::new();
        for s in surfaces {
            if let Some(path) = &s.reference {
                let (picture, _) = still::load(path)?;
                let reference = Reference::of(&s.id, s.size_mm, &picture)?;
                references.push(reference);
            }
        }
        Ok(Self {
            references,
            features: sift(OF_PICTURE)?,
        })
    }

    /// Whether there is anything to look for.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// All surfaces that are seen, each at most once; of two in one place the likelier.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn find(&mut self, picture: &Picture) -> Result<Vec<Registered>, VisionError> {
        if self.references.is_empty() {
            return Ok(Vec::new());
        }
        let grey = grey(&crop::mat(picture)?)?;
        let (keypoints, descriptors) = describe(&mut self.features, &grey)?;
        let mut found = Vec::new();
        for reference in &self.references {
            let Some(best) = reference.hypotheses(&grey, &keypoints, &descriptors)? else {
                continue;
            };
            let best = reference.tuned(&grey, best)?;
            if best.agreement < POSSIBLE {
                continue;
            }
            let seen = best.compared as f64 / reference.blocks.len().max(1) as f64;
            let sure = best.agreement >= SURE && seen >= SEEN;
            found.push(Registered {
                surface: reference.id.clone(),
                corners: best.corners,
                status: if sure { Status::Sure } else { Status::Unsure },
                agreement: best.agreement,
                seen,
            });
        }
        // cards do not lie in each other: where two are claimed, what explains more stays
        found.sort_by(|a, b| (b.agreement * b.seen).total_cmp(&(a.agreement * a.seen)));
        let mut kept: Vec<Registered> = Vec::new();
        for r in found {
            let free = kept.iter().all(|k| {
                let (a, b) = (r.corners.polygon(), k.corners.polygon());
                crate::geometry::covered(&a, &b) < 0.3 && crate::geometry::covered(&b, &a) < 0.3
            });
            if free {
                kept.push(r);
            }
        }
        Ok(kept)
    }
}

fn sift(features: i32) -> Result<Ptr<features2d::SIFT>, VisionError> {
    Ok(features2d::SIFT::create(features, 3, 0.02, 10.0, 1.6)?)
}

fn grey(rgb: &Mat) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::cvt_color_def(rgb, &mut out, imgproc::COLOR_RGB2GRAY)?;
    Ok(out)
}

fn describe(
    sift: &mut Ptr<features2d::SIFT>,
    grey: &Mat,
) -> Result<(Vector<KeyPoint>, Mat), VisionError> {
    let (mut keypoints, mut descriptors) = (Vector::new(), Mat::default());
    let no_mask = core::no_array();
    sift.detect_and_compute_def(grey, &no_mask, &mut keypoints, &mut descriptors)?;
    Ok((keypoints, descriptors))
}

/// Grey in 32 bits, softened, as blocks are compared.
fn softened(grey: &Mat) -> Result<Mat, VisionError> {
    let (mut soft, mut out) = (Mat::default(), Mat::default());
    imgproc::gaussian_blur_def(grey, &mut soft, Size::new(0, 0), 1.0)?;
    soft.convert_to_def(&mut out, core::CV_32F)?;
    Ok(out)
}

fn part(picture: &Mat, at: Rect) -> Result<Mat, VisionError> {
    Ok(Mat::roi(picture, at)?.try_clone()?)
}

fn deviation(m: &Mat) -> Result<f64, VisionError> {
    let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
    core::mean_std_dev_def(m, &mut mean, &mut deviation)?;
    Ok(deviation[0])
}

/// Least eigenvalue of a block's mean structure tensor: print that fixes it in both directions.
fn least_gradient(m: &Mat) -> Result<f64, VisionError> {
    let v: &[f32] = m.data_typed()?;
    let (w, h) = (m.cols() as usize, m.rows() as usize);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for y in 0..h - 1 {
        for x in 0..w - 1 {
            let here = f64::from(v[y * w + x]);
            let gx = f64::from(v[y * w + x + 1]) - here;
            let gy = f64::from(v[(y + 1) * w + x]) - here;
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
        }
    }
    let n = ((w - 1) * (h - 1)) as f64;
    let (xx, xy, yy) = (xx / n, xy / n, yy / n);
    Ok((xx + yy) / 2.0 - (((xx - yy) / 2.0).powi(2) + xy * xy).sqrt())
}

/// `a b` for 3x3 matrices of doubles.
fn product(a: &Mat, b: &Mat) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    core::gemm_def(a, b, 1.0, &core::no_array(), 0.0, &mut out)?;
    Ok(out)
}

/// Millimetres of a pixel of the flat picture: pixel 0 is the middle of the first one.
fn mm_of_flat() -> Result<Mat, VisionError> {
    let (k, half) = (1.0 / FINE, 0.5 / FINE);
    Ok(Mat::from_slice_2d(&[
        [k, 0.0, half],
        [0.0, k, half],
        [0.0, 0.0, 1.0],
    ])?)
}

/// The other way.
fn flat_of_mm() -> Result<Mat, VisionError> {
    Ok(Mat::from_slice_2d(&[
        [FINE, 0.0, -0.5],
        [0.0, FINE, -0.5],
        [0.0, 0.0, 1.0],
    ])?)
}

/// Where a 3x3 matrix takes a point.
fn mapped(map: &Mat, p: Point) -> Option<Point> {
    let m: &[f64] = map.data_typed().ok()?;
    let [a, b, c, d, e, f, g, h, i] = <[f64; 9]>::try_from(m).ok()?;
    let w = g * p.x + h * p.y + i;
    (w.abs() > 1e-9).then(|| Point::new((a * p.x + b * p.y + c) / w, (d * p.x + e * p.y + f) / w))
}

/// Whether four corners can be a card's: its front, convex, not much longer on one side.
fn plausible(q: &Quad) -> bool {
    if !q.is_clockwise() {
        return false;
    }
    let side = |i: usize| (q.0[(i + 1) % 4] - q.0[i]).norm();
    let even = |a: f64, b: f64| a.max(b) < 2.5 * a.min(b);
    (0..4).all(|i| side(i) > 40.0) && even(side(0), side(2)) && even(side(1), side(3))
}

fn homography(
    from: &Vector<Point2f>,
    to: &Vector<Point2f>,
    within_px: f64,
) -> Result<Option<(Mat, Vec<bool>)>, VisionError> {
    let mut inliers = Mat::default();
    let map = calib3d::find_homography(from, to, &mut inliers, calib3d::USAC_MAGSAC, within_px)?;
    if map.empty() {
        return Ok(None);
    }
    let inliers = inliers.data_typed::<u8>()?.iter().map(|i| *i > 0).collect();
    Ok(Some((map, inliers)))
}

impl Reference {
    fn of(id: &str, size_mm: [f64; 2], picture: &Picture) -> Result<Self, VisionError> {
        let rgb = crop::mat(picture)?;
        let grey = grey(&rgb)?;
        let (keypoints, descriptors) = describe(&mut sift(OF_REFERENCE)?, &grey)?;
        let per_mm = [
            f64::from(grey.cols()) / size_mm[0],
            f64::from(grey.rows()) / size_mm[1],
        ];
        let points_mm = keypoints
            .iter()
            .map(|k| {
                let p = k.pt();
                Point2f::new(
                    ((f64::from(p.x) + 0.5) / per_mm[0]) as f32,
                    ((f64::from(p.y) + 0.5) / per_mm[1]) as f32,
                )
            })
            .collect();
        let size = Size::new(
            (size_mm[0] * FINE).round() as i32,
            (size_mm[1] * FINE).round() as i32,
        );
        let fine = crop::scaled(&grey, size.width, size.height)?;
        let flat = softened(&fine)?;
        let side = (BLOCK_MM * FINE) as i32;
        let mut blocks = Vec::new();
        for y in (0..=size.height - side).step_by(side as usize) {
            for x in (0..=size.width - side).step_by(side as usize) {
                let at = Rect::new(x, y, side, side);
                if deviation(&part(&flat, at)?)? >= TEXTURE {
                    blocks.push(at);
                }
            }
        }
        Ok(Self {
            id: id.to_owned(),
            size_mm,
            points_mm,
            descriptors,
            flat,
            blocks,
        })
    }

    fn corners(&self, map: &Mat) -> Option<Quad> {
        let [w, h] = self.size_mm;
        let mut out = [Point::origin(); 4];
        for (o, [x, y]) in out.iter_mut().zip([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]) {
            *o = mapped(map, Point::new(x, y))?;
        }
        Some(Quad(out))
    }

    /// The surface as the picture shows it, laid flat like the reference, and where it is in the picture.
    fn laid_flat(&self, grey: &Mat, map: &Mat) -> Result<(Mat, Mat), VisionError> {
        // flat pixels to picture pixels; `WARP_INVERSE_MAP` wants just that
        let from_flat = product(map, &mm_of_flat()?)?;
        let size = self.flat.size()?;
        let how = imgproc::INTER_LINEAR | imgproc::WARP_INVERSE_MAP;
        let (mut flat, mut inside) = (Mat::default(), Mat::default());
        let none = Scalar::default();
        imgproc::warp_perspective(
            grey,
            &mut flat,
            &from_flat,
            size,
            how,
            core::BORDER_CONSTANT,
            none,
        )?;
        let white = Mat::new_rows_cols_with_default(
            grey.rows(),
            grey.cols(),
            core::CV_8U,
            Scalar::all(255.0),
        )?;
        imgproc::warp_perspective(
            &white,
            &mut inside,
            &from_flat,
            size,
            how,
            core::BORDER_CONSTANT,
            none,
        )?;
        Ok((softened(&flat)?, inside))
    }

    fn weighed(&self, grey: &Mat, map: Mat) -> Result<Option<Hypothesis>, VisionError> {
        let Some(corners) = self.corners(&map).filter(plausible) else {
            return Ok(None);
        };
        let (flat, inside) = self.laid_flat(grey, &map)?;
        let (mut same, mut compared) = (0, 0);
        for at in &self.blocks {
            let (mut least, mut most) = (0.0, 0.0);
            core::min_max_loc(
                &part(&inside, *at)?,
                Some(&mut least),
                Some(&mut most),
                None,
                None,
                &core::no_array(),
            )?;
            if least < 255.0 {
                continue;
            }
            compared += 1;
            let mut likeness = Mat::default();
            imgproc::match_template_def(
                &part(&flat, *at)?,
                &part(&self.flat, *at)?,
                &mut likeness,
                imgproc::TM_CCOEFF_NORMED,
            )?;
            if f64::from(*likeness.at::<f32>(0)?) > SAME {
                same += 1;
            }
        }
        Ok((compared >= 8).then_some(Hypothesis {
            map,
            corners,
            agreement: f64::from(same) / compared as f64,
            compared,
        }))
    }

    /// The hypothesis that explains most.
    fn hypotheses(
        &self,
        grey: &Mat,
        keypoints: &Vector<KeyPoint>,
        descriptors: &Mat,
    ) -> Result<Option<Hypothesis>, VisionError> {
        if self.descriptors.rows() < 10 || descriptors.rows() < 10 {
            return Ok(None);
        }
        let matcher = features2d::BFMatcher::create(core::NORM_L2, false)?;
        let mut matches: Vector<Vector<DMatch>> = Vector::new();
        matcher.knn_train_match_def(&self.descriptors, descriptors, &mut matches, 3)?;
        // the same print may stand on several displays: its second and third likest are tried, too
        let mut pairs: Vec<(Point2f, Point2f)> = Vec::new();
        for near in &matches {
            let Some(farthest) = near.iter().map(|m| m.distance).reduce(f32::max) else {
                continue;
            };
            let second = near.get(1).map_or(f32::MAX, |m| m.distance);
            for (rank, m) in near.iter().enumerate() {
                let stands_out =
                    m.distance < 0.85 * farthest || rank == 0 && m.distance < 0.9 * second;
                let Some(from) = self.points_mm.get(m.query_idx as usize) else {
                    continue;
                };
                if stands_out {
                    pairs.push((*from, keypoints.get(m.train_idx as usize)?.pt()));
                }
            }
        }
        let mut best: Option<Hypothesis> = None;
        for _ in 0..TRIES {
            if pairs.len() < 10 {
                break;
            }
            let from: Vector<Point2f> = pairs.iter().map(|p| p.0).collect();
            let to: Vector<Point2f> = pairs.iter().map(|p| p.1).collect();
            let Some((map, inliers)) = homography(&from, &to, 3.0)? else {
                break;
            };
            if inliers.iter().filter(|i| **i).count() < 10 {
                break;
            }
            if let Some(h) = self.weighed(grey, map)?
                && best.as_ref().is_none_or(|b| h.agreement > b.agreement)
            {
                best = Some(h);
            }
            if best.as_ref().is_some_and(|b| b.agreement > SURE) {
                break;
            }
            let mut keep = inliers.iter().map(|i| !i);
            pairs.retain(|_| keep.next().unwrap_or(false));
        }
        Ok(best)
    }

    /// Matches blocks near where they should be, and fits the map to them.
    fn tuned(&self, grey: &Mat, mut best: Hypothesis) -> Result<Hypothesis, VisionError> {
        let side = (BLOCK_MM * FINE) as i32;
        for reach_mm in [2.5, 1.2] {
            let reach = (reach_mm * FINE).round() as i32;
            let (flat, inside) = self.laid_flat(grey, &best.map)?;
            let (w, h) = (flat.cols(), flat.rows());
            let (mut from, mut to) = (Vector::<Point2f>::new(), Vector::<Point2f>::new());
            for y in (0..=h - side).step_by(side as usize / 2) {
                for x in (0..=w - side).step_by(side as usize / 2) {
                    let around =
                        Rect::new(x - reach, y - reach, side + 2 * reach, side + 2 * reach);
                    if around.x < 0
                        || around.y < 0
                        || around.x + around.width > w
                        || around.y + around.height > h
                    {
                        continue;
                    }
                    let block = part(&self.flat, Rect::new(x, y, side, side))?;
                    if deviation(&block)? < TEXTURE || least_gradient(&block)? < 0.7 {
                        continue;
                    }
                    let (mut least, mut most) = (0.0, 0.0);
                    core::min_max_loc(
                        &part(&inside, around)?,
                        Some(&mut least),
                        Some(&mut most),
                        None,
                        None,
                        &core::no_array(),
                    )?;
                    if least < 255.0 {
                        continue;
                    }
                    if let Some((dx, dy)) = shift(&part(&flat, around)?, &block)? {
                        let middle = |v: i32| v as f32 + (side - 1) as f32 / 2.0;
                        let r = reach as f32;
                        from.push(Point2f::new(middle(x), middle(y)));
                        to.push(Point2f::new(middle(x) + dx - r, middle(y) + dy - r));
                    }
                }
            }
            if from.len() < 10 {
                continue;
            }
            let Some((bend, inliers)) = homography(&from, &to, 1.0)? else {
                continue;
            };
            if inliers.iter().filter(|i| **i).count() < 10 {
                continue;
            }
            let map = product(
                &product(&best.map, &mm_of_flat()?)?,
                &product(&bend, &flat_of_mm()?)?,
            )?;
            if let Some(better) = self.weighed(grey, map)?
                && better.agreement >= best.agreement - 0.02
            {
                best = better;
            }
        }
        Ok(best)
    }
}

/// Where in `around` a block is, between pixels; `None` where it is not clearly anywhere within.
fn shift(around: &Mat, block: &Mat) -> Result<Option<(f32, f32)>, VisionError> {
    let mut likeness = Mat::default();
    imgproc::match_template_def(around, block, &mut likeness, imgproc::TM_CCOEFF_NORMED)?;
    let (mut most, mut at) = (0.0, core::Point::default());
    core::min_max_loc(
        &likeness,
        None,
        Some(&mut most),
        None,
        Some(&mut at),
        &core::no_array(),
    )?;
    let inside = at.x > 0 && at.y > 0 && at.x < likeness.cols() - 1 && at.y < likeness.rows() - 1;
    if most < 0.7 || !inside {
        return Ok(None);
    }
    let v = |dx: i32, dy: i32| -> Result<f32, VisionError> {
        Ok(*likeness.at_2d::<f32>(at.y + dy, at.x + dx)?)
    };
    // the top of a parabola through three
    let top = |a: f32, b: f32, c: f32| {
        let bend = a - 2.0 * b + c;
        if bend < -1e-6 {
            0.5 * (a - c) / bend
        } else {
            0.0
        }
    };
    let dx = top(v(-1, 0)?, v(0, 0)?, v(1, 0)?);
    let dy = top(v(0, -1)?, v(0, 0)?, v(0, 1)?);
    Ok(Some((at.x as f32 + dx, at.y as f32 + dy)))
}
