//! Lays a surface's map exactly onto a picture, from nearby: inverse compositional alignment (Baker and
//! Matthews 2004), block by block, so that what covers a block neither pulls nor costs more than it.

use nalgebra::{SMatrix, SVector};
use opencv::{
    core::{self, Mat, Rect, Size},
    imgproc,
    prelude::*,
};

use super::map::{self, Map};
use crate::{
    geometry::{Point, Quad},
    vision::{crop, eye::VisionError},
};

/// Pixels along the longer side of the sheets a surface is aligned on, coarse to fine, and along a block's.
const SHEETS: [(f64, i32); 3] = [(64.0, 10), (128.0, 13), (256.0, 16)];
/// A sheet may be so much finer than the picture.
const FINER: f64 = 1.5;
/// Grey levels a block's print must vary by.
const TEXTURE: f32 = 4.0;
/// Correlation from which a block has a say in where the surface lies, and from which it shows what the
/// reference shows.
const HAS_SAY: f32 = 0.35;
const SAME: f32 = 0.6;
/// Share of blocks that must agree for a surface's shape to be fitted, and not only its place.
pub(super) const ALIKE: f64 = 0.3;
/// Turns and shifts that are tried for a surface that is not where it was.
const TURNS_DEG: [f64; 11] = [
    0.0, -6.0, 6.0, -12.0, 12.0, -18.0, 18.0, -24.0, 24.0, -30.0, 30.0,
];
const SHIFT_MM: f64 = 32.0;
/// Of those, so many are followed up.
const FOLLOWED_UP: usize = 4;

/// A picture and its halves, so that a coarse sheet skips no pixels.
pub(in crate::vision) struct Pyramid(Vec<Mat>);

impl Pyramid {
    pub fn of(grey: Mat) -> Result<Self, VisionError> {
        let mut all = vec![grey];
        for _ in 0..2 {
            let Some(last) = all.last() else { break };
            let (w, h) = (last.cols() / 2, last.rows() / 2);
            if w < 16 || h < 16 {
                break;
            }
            all.push(crop::scaled(last, w, h)?);
        }
        Ok(Self(all))
    }

    pub fn full(&self) -> &Mat {
        &self.0[0]
    }

    /// The picture fit for a sheet, and the map into it.
    pub(super) fn fit(&self, map: &Map, density: f64, per_mm: f64) -> (&Mat, Map) {
        let mut at = 0;
        let mut k = 1.0;
        while at + 1 < self.0.len() && density * k > 1.7 * per_mm {
            at += 1;
            k /= 2.0;
        }
        let shift = 0.5 * k - 0.5;
        let down = Map::new(k, 0.0, shift, 0.0, k, shift, 0.0, 0.0, 1.0);
        (&self.0[at], down * map)
    }
}

/// A surface's reference, ready to be aligned.
pub(in crate::vision) struct Aligner {
    size_mm: [f64; 2],
    sheets: Vec<Sheet>,
}

struct Sheet {
    per_mm: f64,
    size: Size,
    /// Grey, softened.
    flat: Mat,
    /// Gradients, per unit of the normalised coordinates.
    across: Vec<f32>,
    down: Vec<f32>,
    blocks: Vec<Block>,
    /// Pixels a unit of the normalised coordinates, whose origin is the middle.
    unit: f32,
}

struct Block {
    at: Rect,
    mean: f32,
    norm: f32,
    /// Its part of the normal equations.
    square: SMatrix<f64, 8, 8>,
}

/// How a surface may have moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::vision) enum Freedom {
    /// On its plane.
    Slid,
    /// Anyhow: the camera moved, or the map was not exact.
    Any,
}

/// Where a surface was found to lie.
#[derive(Debug, Clone)]
pub(in crate::vision) struct Fit {
    pub map: Map,
    /// Share of the comparable blocks that show what the reference shows.
    pub agreement: f64,
    /// Share of all printed blocks that lie in the picture.
    pub seen: f64,
}

impl Fit {
    pub fn explains(&self) -> f64 {
        self.agreement * self.seen
    }
}

/// One step's outcome: the fit before it, and by how many of the sheet's pixels the farthest corner moved.
struct Stepped {
    before: Fit,
    after: Map,
    moved: f64,
}

/// Directions that a small change of a map moves the point (x, y) in, in normalised coordinates: shifts,
/// turn, size, the two shears, the two tilts.
fn directions(x: f32, y: f32) -> [[f32; 2]; 8] {
    [
        [1.0, 0.0],
        [0.0, 1.0],
        [-y, x],
        [x, y],
        [x, -y],
        [y, x],
        [x * x, x * y],
        [x * y, y * y],
    ]
}

impl Sheet {
    fn of(grey: &Mat, size_mm: [f64; 2], long: f64, side: i32) -> Result<Self, VisionError> {
        let per_mm = long / size_mm[0].max(size_mm[1]);
        let [w, h] = size_mm.map(|v| (v * per_mm).round().max(12.0) as i32);
        let flat = map::softened(&crop::scaled(grey, w, h)?)?;
        let pixels: &[f32] = flat.data_typed()?;
        let (w, h) = (w as usize, h as usize);
        let unit = w.max(h) as f32 / 2.0;
        let (mut across, mut down) = (vec![0.0; w * h], vec![0.0; w * h]);
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let i = y * w + x;
                across[i] = (pixels[i + 1] - pixels[i - 1]) / 2.0 * unit;
                down[i] = (pixels[i + w] - pixels[i - w]) / 2.0 * unit;
            }
        }
        let mut sheet = Self {
            per_mm,
            size: Size::new(w as i32, h as i32),
            across,
            down,
            blocks: Vec::new(),
            unit,
            flat: Mat::default(),
        };
        let side = side.min(w as i32).min(h as i32);
        // the outermost pixels have no gradient, and a card's cut edge is never where the reference's is
        for y in (1..h as i32 - side).step_by(side as usize) {
            for x in (1..w as i32 - side).step_by(side as usize) {
                let at = Rect::new(x, y, side, side);
                let (mut sum, mut squares) = (0.0_f32, 0.0_f32);
                let mut square = SMatrix::zeros();
                sheet.each(at, |i, x, y| {
                    sum += pixels[i];
                    squares += pixels[i] * pixels[i];
                    let j = sheet.slopes(i, x, y);
                    square += j * j.transpose();
                });
                let n = (side * side) as f32;
                let mean = sum / n;
                let norm = (squares - sum * mean).max(0.0).sqrt();
                if norm >= TEXTURE * side as f32 {
                    sheet.blocks.push(Block {
                        at,
                        mean,
                        norm,
                        square,
                    });
                }
            }
        }
        sheet.flat = flat;
        Ok(sheet)
    }

    /// Calls with each pixel of a block: its place in the sheet, and its normalised coordinates.
    fn each(&self, at: Rect, mut call: impl FnMut(usize, f32, f32)) {
        let width = self.size.width as usize;
        let (cx, cy) = (
            (self.size.width - 1) as f32 / 2.0,
            (self.size.height - 1) as f32 / 2.0,
        );
        for row in at.y..at.y + at.height {
            let y = (row as f32 - cy) / self.unit;
            for column in at.x..at.x + at.width {
                let x = (column as f32 - cx) / self.unit;
                call(row as usize * width + column as usize, x, y);
            }
        }
    }

    fn slopes(&self, i: usize, x: f32, y: f32) -> SVector<f64, 8> {
        let (gx, gy) = (self.across[i], self.down[i]);
        let to = directions(x, y);
        SVector::from_fn(|k, _| f64::from(gx * to[k][0] + gy * to[k][1]))
    }

    /// Normalised coordinates to millimetres.
    fn to_mm(&self) -> Map {
        let u = f64::from(self.unit);
        let middle = |n: i32| f64::from(n - 1) / 2.0;
        map::mm_of_flat(self.per_mm)
            * Map::new(
                u,
                0.0,
                middle(self.size.width),
                0.0,
                u,
                middle(self.size.height),
                0.0,
                0.0,
                1.0,
            )
    }

    fn step(
        &self,
        pictures: &Pyramid,
        map: &Map,
        size_mm: [f64; 2],
        freedom: Freedom,
    ) -> Result<Option<Stepped>, VisionError> {
        let Some(corners) = map::corners(map, size_mm) else {
            return Ok(None);
        };
        let density = map::density(&corners, size_mm);
        let (grey, into) = pictures.fit(map, density, self.per_mm);
        let to_picture = into * map::mm_of_flat(self.per_mm);
        let flat = map::softened(&map::laid(grey, &to_picture, self.size)?)?;
        let (is, was): (&[f32], &[f32]) = (flat.data_typed()?, self.flat.data_typed()?);
        let (w, h) = (f64::from(grey.cols() - 1), f64::from(grey.rows() - 1));
        let inside = |at: &Rect| {
            let (x0, y0) = (f64::from(at.x), f64::from(at.y));
            let (x1, y1) = (x0 + f64::from(at.width - 1), y0 + f64::from(at.height - 1));
            [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
                .iter()
                .all(|[x, y]| {
                    map::apply(&to_picture, Point::new(*x, *y))
                        .is_some_and(|p| (0.0..=w).contains(&p.x) && (0.0..=h).contains(&p.y))
                })
        };
        let (mut compared, mut same) = (0_usize, 0_usize);
        let mut square = SMatrix::<f64, 8, 8>::zeros();
        let mut right = SVector::<f64, 8>::zeros();
        for b in &self.blocks {
            if !inside(&b.at) {
                continue;
            }
            compared += 1;
            let n = (b.at.width * b.at.height) as f32;
            let (mut sum, mut squares, mut cross) = (0.0_f32, 0.0_f32, 0.0_f32);
            self.each(b.at, |i, _, _| {
                sum += is[i];
                squares += is[i] * is[i];
                cross += is[i] * (was[i] - b.mean);
            });
            let mean = sum / n;
            let norm = (squares - sum * mean).max(0.0).sqrt();
            if norm < 1e-3 {
                continue;
            }
            let alike = cross / (norm * b.norm);
            same += usize::from(alike > SAME);
            if alike < HAS_SAY {
                continue;
            }
            let gain = b.norm / norm;
            let mut part = [0.0_f32; 8];
            self.each(b.at, |i, x, y| {
                let rest = (is[i] - mean) * gain - (was[i] - b.mean);
                let (rx, ry) = (rest * self.across[i], rest * self.down[i]);
                let to = directions(x, y);
                for (p, t) in part.iter_mut().zip(to) {
                    *p += rx * t[0] + ry * t[1];
                }
            });
            square += b.square;
            right += SVector::from_fn(|k, _| f64::from(part[k]));
        }
        if compared == 0 {
            return Ok(None);
        }
        let before = Fit {
            map: *map,
            agreement: same as f64 / compared as f64,
            seen: compared as f64 / self.blocks.len() as f64,
        };
        let change = match freedom {
            Freedom::Slid => solved::<3>(&square, &right).map(|p| {
                let turn = p[2];
                map::rigid(turn, p[0], p[1])
            }),
            Freedom::Any => solved::<8>(&square, &right).map(|p| {
                Map::new(
                    1.0 + p[3] + p[4],
                    -p[2] + p[5],
                    p[0],
                    p[2] + p[5],
                    1.0 + p[3] - p[4],
                    p[1],
                    -p[6],
                    -p[7],
                    1.0,
                )
            }),
        };
        let Some(back) = change.and_then(|c| c.try_inverse()) else {
            return Ok(Some(Stepped {
                before,
                after: *map,
                moved: 0.0,
            }));
        };
        let to_mm = self.to_mm();
        let Some(after) = to_mm
            .try_inverse()
            .and_then(|from_mm| map::scaled(map * to_mm * back * from_mm))
        else {
            return Ok(None);
        };
        let Some(now) = map::corners(&after, size_mm) else {
            return Ok(None);
        };
        let moved = farthest(&corners, &now) / density * self.per_mm;
        Ok(Some(Stepped {
            before,
            after,
            moved,
        }))
    }
}

/// The first `N` unknowns, the others held at nothing.
fn solved<const N: usize>(
    square: &SMatrix<f64, 8, 8>,
    right: &SVector<f64, 8>,
) -> Option<SVector<f64, N>> {
    let mut a = SMatrix::<f64, N, N>::from_fn(|i, j| square[(i, j)]);
    let b = SVector::<f64, N>::from_fn(|i, _| right[i]);
    let ridge = 1e-6 * a.trace() / N as f64;
    for i in 0..N {
        a[(i, i)] += ridge;
    }
    let p = a.cholesky()?.solve(&b);
    p.iter()
        .all(|v| v.is_finite() && v.abs() < 0.5)
        .then_some(p)
}

/// How far the farthest corner is from where it was.
pub(in crate::vision) fn farthest(a: &Quad, b: &Quad) -> f64 {
    a.0.iter()
        .zip(&b.0)
        .map(|(p, q)| (p - q).norm())
        .fold(0.0, f64::max)
}

impl Aligner {
    pub(super) fn of(grey: &Mat, size_mm: [f64; 2]) -> Result<Self, VisionError> {
        let mut sheets = Vec::new();
        for (long, side) in SHEETS {
            sheets.push(Sheet::of(grey, size_mm, long, side)?);
        }
        Ok(Self { size_mm, sheets })
    }

    /// The finest sheet that the picture can be compared with.
    fn finest(&self, map: &Map) -> usize {
        let density =
            map::corners(map, self.size_mm).map_or(0.0, |c| map::density(&c, self.size_mm));
        let fit = self
            .sheets
            .iter()
            .rposition(|s| s.per_mm <= FINER * density);
        fit.unwrap_or(0)
    }

    /// Follows a surface that lies where the map says, or within a millimetre or two of it: a few small
    /// comparisons.
    pub fn nudged(
        &self,
        pictures: &Pyramid,
        map: &Map,
        freedom: Freedom,
    ) -> Result<Option<Fit>, VisionError> {
        self.refined(pictures, map, self.finest(map), freedom, 6)
    }

    fn refined(
        &self,
        pictures: &Pyramid,
        map: &Map,
        sheet: usize,
        freedom: Freedom,
        steps: usize,
    ) -> Result<Option<Fit>, VisionError> {
        let mut map = *map;
        let mut best: Option<Fit> = None;
        for _ in 0..steps {
            let Some(s) = self.sheets.get(sheet) else {
                break;
            };
            let Some(step) = s.step(pictures, &map, self.size_mm, freedom)? else {
                break;
            };
            let better = best
                .as_ref()
                .is_none_or(|b| step.before.agreement >= b.agreement);
            if better {
                best = Some(step.before);
            }
            map = step.after;
            if step.moved < 0.03 {
                // what such a step changes no comparison sees
                if let Some(b) = best.as_mut().filter(|_| better) {
                    b.map = map;
                }
                break;
            }
        }
        Ok(best)
    }

    /// From a map that may be several millimetres off, coarse to fine.
    pub fn settled(&self, pictures: &Pyramid, map: &Map) -> Result<Option<Fit>, VisionError> {
        self.coarse_to_fine(pictures, map, Freedom::Slid)
    }

    /// The same from a map whose shape is not exact either.
    pub fn unfolded(&self, pictures: &Pyramid, map: &Map) -> Result<Option<Fit>, VisionError> {
        self.coarse_to_fine(pictures, map, Freedom::Any)
    }

    fn coarse_to_fine(
        &self,
        pictures: &Pyramid,
        map: &Map,
        freedom: Freedom,
    ) -> Result<Option<Fit>, VisionError> {
        let mut map = *map;
        let mut last = None;
        for sheet in 0..=self.finest(&map) {
            let Some(mut fit) = self.refined(pictures, &map, sheet, Freedom::Slid, 10)? else {
                break;
            };
            if freedom == Freedom::Any && fit.agreement > ALIKE {
                fit = self
                    .refined(pictures, &fit.map, sheet, freedom, 10)?
                    .unwrap_or(fit);
            }
            map = fit.map;
            last = Some(fit);
        }
        Ok(last)
    }

    /// Looks for a surface that was pushed or turned: the likeliest place within some 30 mm and 30 degrees of
    /// where it was.
    pub fn moved(&self, pictures: &Pyramid, map: &Map) -> Result<Option<Fit>, VisionError> {
        let Some(sheet) = self.sheets.first() else {
            return Ok(None);
        };
        let Some(corners) = map::corners(map, self.size_mm) else {
            return Ok(None);
        };
        let density = map::density(&corners, self.size_mm);
        let [w, h] = self.size_mm;
        let margin = (SHIFT_MM * sheet.per_mm).ceil() as i32;
        let size = Size::new(
            sheet.size.width + 2 * margin,
            sheet.size.height + 2 * margin,
        );
        let mut tried: Vec<(f32, Map)> = Vec::new();
        for turn in TURNS_DEG {
            // about the surface's middle
            let turned = map::rigid(0.0, w / 2.0, h / 2.0)
                * map::rigid(turn.to_radians(), 0.0, 0.0)
                * map::rigid(0.0, -w / 2.0, -h / 2.0);
            let of_mm = map * turned;
            let (grey, into) = pictures.fit(&of_mm, density, sheet.per_mm);
            let m = f64::from(margin);
            let to_picture = into * map::mm_of_flat(sheet.per_mm) * map::rigid(0.0, -m, -m);
            let around = map::softened(&map::laid(grey, &to_picture, size)?)?;
            let mut likeness = Mat::default();
            imgproc::match_template_def(
                &around,
                &sheet.flat,
                &mut likeness,
                imgproc::TM_CCOEFF_NORMED,
            )?;
            for _ in 0..2 {
                let (mut most, mut at) = (0.0, core::Point::default());
                core::min_max_loc(
                    &likeness,
                    None,
                    Some(&mut most),
                    None,
                    Some(&mut at),
                    &core::no_array(),
                )?;
                let shift = |v: i32| f64::from(v - margin) / sheet.per_mm;
                tried.push((
                    most as f32,
                    of_mm * map::rigid(0.0, shift(at.x), shift(at.y)),
                ));
                imgproc::circle(
                    &mut likeness,
                    at,
                    5,
                    core::Scalar::all(-1.0),
                    imgproc::FILLED,
                    imgproc::LINE_8,
                    0,
                )?;
            }
        }
        tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<Fit> = None;
        for (_, map) in tried.iter().take(FOLLOWED_UP) {
            let fit = self.settled(pictures, map)?;
            if let Some(fit) = fit
                && best.as_ref().is_none_or(|b| fit.explains() > b.explains())
            {
                best = Some(fit);
            }
        }
        Ok(best)
    }
}
