//! A surface's reference at one scale, in blocks, and how many of them a picture shows.

use geo::Intersects;
use opencv::{
    core::{Mat, Rect},
    imgproc,
    prelude::*,
};

use super::map::{self, Map};
use crate::{
    geometry::Point,
    vision::{crop, eye::VisionError},
};

/// Grey levels that a block's print must vary by to say anything.
pub(super) const TEXTURE: f64 = 4.0;
/// A block that varies by less has no print; and one that varies by more shows something.
const BARE: f64 = 2.0;
pub(super) const SHOWN: f64 = 8.0;
/// Correlation from which on a block shows what the reference shows.
pub(super) const SAME: f32 = 0.6;

/// What of a block may be hidden along an edge and leave it to be compared. Set by judgement.
const STRIP: f64 = 0.15;

/// The reference at one scale.
pub(super) struct Level {
    pub per_mm: f64,
    /// Side of a block, pixels.
    pub side: i32,
    /// Grey, a little blurred, 32-bit.
    pub flat: Mat,
    /// Blocks that have print.
    pub blocks: Vec<Block>,
    /// Blocks that have none.
    pub bare: Vec<Rect>,
}

/// What comparing block by block comes to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Compared {
    /// Printed blocks that lie in the picture, and those that show what the reference shows.
    pub printed: usize,
    pub same: usize,
    /// Bare blocks that lie in the picture where it shows something.
    pub strange: usize,
}

pub(super) struct Block {
    pub at: Rect,
    pub mean: f32,
    /// Root of the sum of squares about the mean.
    pub norm: f32,
}

pub(super) fn part(picture: &Mat, at: Rect) -> Result<Mat, VisionError> {
    Ok(Mat::roi(picture, at)?.try_clone()?)
}

/// Rows of a block in a flat picture `width` pixels wide.
fn rows(pixels: &[f32], width: usize, at: Rect) -> impl Iterator<Item = &[f32]> {
    let (x, y) = (at.x.max(0) as usize, at.y.max(0) as usize);
    let (w, h) = (at.width as usize, at.height as usize);
    (y..y + h).filter_map(move |row| pixels.get(row * width + x..row * width + x + w))
}

/// Mean, and the root of the sum of squares about it.
pub(super) fn moments(pixels: &[f32], width: usize, at: Rect) -> (f32, f32) {
    let (mut sum, mut square, mut n) = (0.0_f32, 0.0_f32, 0.0_f32);
    for row in rows(pixels, width, at) {
        for v in row {
            sum += v;
            square += v * v;
        }
        n += row.len() as f32;
    }
    let mean = sum / n.max(1.0);
    (mean, (square - sum * mean).max(0.0).sqrt())
}

/// Least eigenvalue of a block's mean structure tensor: print that fixes it in both directions.
pub(super) fn least_gradient(pixels: &[f32], width: usize, at: Rect) -> f64 {
    let (mut xx, mut xy, mut yy, mut n) = (0.0, 0.0, 0.0, 0.0);
    let mut above: Option<&[f32]> = None;
    for row in rows(pixels, width, at) {
        if let Some(above) = above {
            for (pair, below) in above.windows(2).zip(row) {
                let gx = f64::from(pair[1] - pair[0]);
                let gy = f64::from(below - pair[0]);
                xx += gx * gx;
                xy += gx * gy;
                yy += gy * gy;
                n += 1.0;
            }
        }
        above = Some(row);
    }
    let n = f64::max(n, 1.0);
    let (xx, xy, yy) = (xx / n, xy / n, yy / n);
    (xx + yy) / 2.0 - (((xx - yy) / 2.0).powi(2) + xy * xy).sqrt()
}

impl Level {
    pub fn of(
        grey: &Mat,
        size_mm: [f64; 2],
        per_mm: f64,
        block_mm: f64,
    ) -> Result<Self, VisionError> {
        let [w, h] = size_mm.map(|v| (v * per_mm).round().max(8.0) as i32);
        let flat = map::softened(&crop::scaled(grey, w, h)?)?;
        let side = ((block_mm * per_mm) as i32).min(w).min(h);
        let (mut blocks, mut bare) = (Vec::new(), Vec::new());
        let pixels: &[f32] = flat.data_typed()?;
        for y in (0..=h - side).step_by(side as usize) {
            for x in (0..=w - side).step_by(side as usize) {
                let at = Rect::new(x, y, side, side);
                let (mean, norm) = moments(pixels, w as usize, at);
                let texture = f64::from(norm) / f64::from(side);
                if texture >= TEXTURE {
                    blocks.push(Block { at, mean, norm });
                } else if texture < BARE {
                    bare.push(at);
                }
            }
        }
        Ok(Self {
            per_mm,
            side,
            flat,
            blocks,
            bare,
        })
    }

    /// The surface as the picture shows it, laid flat like the reference.
    pub fn laid(&self, grey: &Mat, map: &Map) -> Result<Mat, VisionError> {
        let flat = map::laid(
            grey,
            &(map * map::mm_of_flat(self.per_mm)),
            self.flat.size()?,
        )?;
        map::softened(&flat)
    }

    /// How much the reference varies there, grey levels.
    pub fn texture(&self, at: Rect) -> Result<f64, VisionError> {
        let was: &[f32] = self.flat.data_typed()?;
        let (_, norm) = moments(was, self.flat.cols() as usize, at);
        Ok(f64::from(norm) / f64::from(at.area()).sqrt())
    }

    /// How much a picture varies there.
    pub fn shown(&self, grey: &Mat, map: &Map, at: Rect) -> Result<f64, VisionError> {
        let seen = self.part_laid(grey, map, at)?;
        let whole = Rect::new(0, 0, seen.cols(), seen.rows());
        let (_, norm) = moments(seen.data_typed()?, seen.cols() as usize, whole);
        Ok(f64::from(norm) / f64::from(whole.area()).sqrt())
    }

    /// How far a picture shows there what the reference shows, with a pixel's play each way: correlation, -1 to 1.
    pub fn correlated(&self, grey: &Mat, map: &Map, at: Rect) -> Result<f64, VisionError> {
        let with_play = Rect::new(at.x - 1, at.y - 1, at.width + 2, at.height + 2);
        let mut likeness = Mat::default();
        imgproc::match_template_def(
            &self.part_laid(grey, map, with_play)?,
            &part(&self.flat, at)?,
            &mut likeness,
            imgproc::TM_CCOEFF_NORMED,
        )?;
        let values: &[f32] = likeness.data_typed()?;
        let best = values.iter().copied().reduce(f32::max);
        Ok(best.map_or(0.0, f64::from))
    }

    fn part_laid(&self, grey: &Mat, map: &Map, at: Rect) -> Result<Mat, VisionError> {
        let origin = map::rigid(0.0, f64::from(at.x), f64::from(at.y));
        let to_picture = map * map::mm_of_flat(self.per_mm) * origin;
        map::softened(&map::laid(grey, &to_picture, at.size())?)
    }

    /// How many blocks show what the reference shows, of those that none of `hidden` (millimetres) hides.
    pub fn agreeing(
        &self,
        grey: &Mat,
        map: &Map,
        hidden: &[geo::Polygon],
    ) -> Result<Compared, VisionError> {
        let flat = self.laid(grey, map)?;
        let width = flat.cols() as usize;
        let (is, was): (&[f32], &[f32]) = (flat.data_typed()?, self.flat.data_typed()?);
        let to_picture = map * map::mm_of_flat(self.per_mm);
        let mut out = Compared::default();
        for at in &self.bare {
            if inside(&to_picture, *at, grey) && !self.is_hidden(*at, hidden) {
                let (_, norm) = moments(is, width, *at);
                out.strange += usize::from(f64::from(norm) / f64::from(self.side) >= SHOWN);
            }
        }
        for b in &self.blocks {
            if !inside(&to_picture, b.at, grey) || self.is_hidden(b.at, hidden) {
                continue;
            }
            out.printed += 1;
            let (mean, norm) = moments(is, width, b.at);
            let mut sum = 0.0_f32;
            for (p, q) in rows(is, width, b.at).zip(rows(was, width, b.at)) {
                for (p, q) in p.iter().zip(q) {
                    sum += (p - mean) * (q - b.mean);
                }
            }
            if norm > 1e-3 && sum / (norm * b.norm) > SAME {
                out.same += 1;
            }
        }
        Ok(out)
    }

    /// Whether more of a block is hidden than a strip along its edge.
    fn is_hidden(&self, at: Rect, hidden: &[geo::Polygon]) -> bool {
        let mm = |v: i32, by: f64| (f64::from(v) + by) / self.per_mm;
        let strip = STRIP * f64::from(self.side);
        let block = geo::Rect::new(
            (mm(at.x, strip), mm(at.y, strip)),
            (mm(at.x + at.width, -strip), mm(at.y + at.height, -strip)),
        );
        hidden.iter().any(|body| body.intersects(&block))
    }
}

/// Whether a part of a flat picture lies wholly in the picture.
pub(super) fn inside(to_picture: &Map, at: Rect, picture: &Mat) -> bool {
    let (w, h) = (f64::from(picture.cols() - 1), f64::from(picture.rows() - 1));
    let (x0, y0) = (f64::from(at.x), f64::from(at.y));
    let (x1, y1) = (x0 + f64::from(at.width - 1), y0 + f64::from(at.height - 1));
    [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        .iter()
        .all(|[x, y]| {
            map::apply(to_picture, Point::new(*x, *y))
                .is_some_and(|p| (0.0..=w).contains(&p.x) && (0.0..=h).contains(&p.y))
        })
}
