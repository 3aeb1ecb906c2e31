//! Where cards may lie by their outlines alone: a plain one has too few features to be found by, but it has four sides.
//!
//! Where a surface is known, its plane is the table's, and a card is a rectangle of its own size there: each side is
//! then looked for as a straight edge of that length, and three of the four are enough, since a hand may lie over one.
//! Where none is known, what is edged by four straight lines in the picture may be one. What a network takes for a card is laid along its edges first.

use opencv::{
    core::{self, Mat, Point as Pixel, Size, ToInputArray},
    imgproc,
    prelude::*,
};

use super::{
    align::Pyramid,
    map::{self, Map},
    table::Table,
};
use crate::{
    geometry::{Point, Quad},
    vision::{
        candidates, crop,
        eye::VisionError,
        lab::Lab,
        side::{self, Line},
    },
};

/// Pixels a millimetre, and pixels in all, of the table laid flat in which rectangles are looked for.
const PER_MM: f64 = 0.5;
const PIXELS: f64 = 250_000.0;
/// Turns that are tried of a quarter turn, and how many of them in one step.
const TURNS: usize = 30;
const AT_ONCE: usize = 5;
/// Grey levels a pixel from which an edge is as clear as can be.
const CLEAR: f32 = 5.0;
/// Sum over four sides of how much of each is edged, the worst one counting half: from here on a rectangle may lie there.
const MAYBE: f32 = 1.6;
/// Rectangles of one size that are taken from one turn, and in all.
const OF_A_TURN: usize = 4;
const IN_ALL: usize = 16;
/// Of two rectangles whose middles are nearer, and that are turned alike, one is meant.
const NEAR_MM: f64 = 14.0;
/// Longer side of the picture in which quadrilaterals are looked for, the least and the most of it that one covers, and
/// how many.
const SMALL: f64 = 960.0;
const LEAST: f64 = 0.003;
const MOST: f64 = 0.7;
const QUADS: usize = 20;
/// What a quadrilateral's proportions may differ from a card's, as a logarithm: a slanted view; and where a network sees a card, the most
/// that a camera sees 60 degrees off the vertical, and a little more.
pub(super) const SLANTED: f64 = 0.5;
pub(super) const TILTED: f64 = 0.9;

/// Looks for rectangles on a plane, some turns at a time.
pub(super) struct Sweep {
    plane: Map,
    table: Table,
    sizes: Vec<[f64; 2]>,
    turn: usize,
    found: Vec<Found>,
}

struct Found {
    clear: f32,
    size_mm: [f64; 2],
    /// On the plane, millimetres; turned by this (radians), or by half a turn more.
    middle: Point,
    turn: f64,
}

/// A surface may lie so: millimetres on it to the picture's pixels.
pub(super) struct Place {
    pub size_mm: [f64; 2],
    pub map: Map,
    /// Half a turn from one that is tried, too.
    pub other_way: bool,
}

/// How much of the edges along each axis there is at each pixel, 0 to 1.
struct Edges {
    width: usize,
    /// Edges that go up and down, and those that go across.
    upright: Mat,
    level: Mat,
}

impl Sweep {
    /// Rectangles of these sizes on a plane (its millimetres to pixels).
    pub fn new(plane: Map, table: Table, sizes: Vec<[f64; 2]>) -> Self {
        Self {
            plane,
            table,
            sizes,
            turn: 0,
            found: Vec::new(),
        }
    }

    /// Tries some more turns; whether that was all.
    pub fn step(&mut self, pictures: &Pyramid) -> Result<bool, VisionError> {
        for _ in 0..AT_ONCE {
            if self.turn >= TURNS {
                break;
            }
            let turn = std::f64::consts::FRAC_PI_2 * self.turn as f64 / TURNS as f64;
            self.turn += 1;
            self.look(pictures, turn)?;
        }
        Ok(self.turn >= TURNS)
    }

    fn look(&mut self, pictures: &Pyramid, turn: f64) -> Result<(), VisionError> {
        let Table {
            low,
            high,
            per_mm: density,
        } = self.table;
        // the part of the table that is seen, as it lies in turned axes
        let back = map::rigid(-turn, 0.0, 0.0);
        let corners = [
            [low.x, low.y],
            [high.x, low.y],
            [high.x, high.y],
            [low.x, high.y],
        ];
        let turned = corners.map(|[x, y]| back * nalgebra::Vector3::new(x, y, 1.0));
        let range = |axis: usize| {
            let all = turned.iter().map(|v| v[axis]);
            all.fold((f64::MAX, f64::MIN), |(lo, hi), v| (lo.min(v), hi.max(v)))
        };
        let ((u0, u1), (v0, v1)) = (range(0), range(1));
        let area = (high.x - low.x).max(1.0) * (high.y - low.y).max(1.0);
        let per_mm = PER_MM.min((PIXELS / area).sqrt());
        let size = Size::new(
            ((u1 - u0) * per_mm).ceil().max(16.0) as i32,
            ((v1 - v0) * per_mm).ceil().max(16.0) as i32,
        );
        let to_table = map::rigid(turn, 0.0, 0.0) * map::rigid(0.0, u0, v0);
        let (grey, into) = pictures.fit(&self.plane, density, per_mm);
        let flat = map::laid(grey, &(into * to_table * map::mm_of_flat(per_mm)), size)?;
        let edges = Edges::of(&flat)?;
        for size_mm in &self.sizes {
            let [w, h] = *size_mm;
            for (extent, quarter) in [([w, h], 0.0), ([h, w], std::f64::consts::FRAC_PI_2)] {
                for (clear, at) in edges.rectangles(extent.map(|v| v * per_mm))? {
                    let at = Point::new((at.x + 0.5) / per_mm, (at.y + 0.5) / per_mm);
                    if let Some(middle) = map::apply(&to_table, at) {
                        self.found.push(Found {
                            clear,
                            size_mm: *size_mm,
                            middle,
                            turn: turn + quarter,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Where surfaces of these sizes may lie, likeliest first; each both ways round.
    pub fn places(mut self) -> Vec<Place> {
        use std::f64::consts::PI;
        self.found.sort_by(|a, b| b.clear.total_cmp(&a.clear));
        let mut kept: Vec<&Found> = Vec::new();
        for f in &self.found {
            let is_same = |k: &&Found| {
                let apart = (k.turn - f.turn).rem_euclid(PI);
                k.size_mm == f.size_mm
                    && (k.middle - f.middle).norm() < NEAR_MM
                    && apart.min(PI - apart) < 0.25
            };
            let of_its_size = kept.iter().filter(|k| k.size_mm == f.size_mm).count();
            if of_its_size < IN_ALL && !kept.iter().any(is_same) {
                kept.push(f);
            }
        }
        let mut out = Vec::new();
        for f in kept {
            let [w, h] = f.size_mm;
            for other_way in [false, true] {
                let half = if other_way { PI } else { 0.0 };
                let map = self.plane
                    * map::rigid(f.turn + half, f.middle.x, f.middle.y)
                    * map::rigid(0.0, -w / 2.0, -h / 2.0);
                out.extend(map::scaled(map).map(|map| Place {
                    size_mm: f.size_mm,
                    map,
                    other_way,
                }));
            }
        }
        out
    }
}

impl Edges {
    fn of(flat: &Mat) -> Result<Self, VisionError> {
        let soft = map::softened(flat)?;
        let (w, h) = (soft.cols() as usize, soft.rows() as usize);
        let (seen, is): (&[u8], &[f32]) = (flat.data_typed()?, soft.data_typed()?);
        let (mut upright, mut level) = (vec![0.0_f32; w * h], vec![0.0_f32; w * h]);
        for y in 2..h.saturating_sub(2) {
            for x in 2..w.saturating_sub(2) {
                let i = y * w + x;
                // beyond the picture it is black; what borders on that has no edge of its own
                if [i - 2, i + 2, i - 2 * w, i + 2 * w]
                    .iter()
                    .any(|j| seen[*j] == 0)
                {
                    continue;
                }
                let across = (is[i + 1] - is[i - 1]).abs() / 2.0;
                let down = (is[i + w] - is[i - w]).abs() / 2.0;
                let both = (across + down).max(1e-3);
                upright[i] = (across / CLEAR).min(1.0) * across / both;
                level[i] = (down / CLEAR).min(1.0) * down / both;
            }
        }
        let as_mat = |v: &[f32]| -> Result<Mat, VisionError> {
            Ok(Mat::from_slice(v)?.reshape(1, h as i32)?.try_clone()?)
        };
        // a pixel's play each way
        let widened = |m: &Mat, kernel: Size| -> Result<Mat, VisionError> {
            let kernel = imgproc::get_structuring_element_def(imgproc::MORPH_RECT, kernel)?;
            let mut out = Mat::default();
            imgproc::dilate_def(m, &mut out, &kernel)?;
            Ok(out)
        };
        Ok(Self {
            width: w,
            upright: widened(&as_mat(&upright)?, Size::new(3, 1))?,
            level: widened(&as_mat(&level)?, Size::new(1, 3))?,
        })
    }

    /// The likeliest rectangles of this width and height, pixels: how clear their sides are, and their middles.
    fn rectangles(&self, [w, h]: [f64; 2]) -> Result<Vec<(f32, Point)>, VisionError> {
        let along = |m: &Mat, size: Size| -> Result<Mat, VisionError> {
            let mut out = Mat::default();
            imgproc::blur(m, &mut out, size, Pixel::new(-1, -1), core::BORDER_CONSTANT)?;
            Ok(out)
        };
        let (tall, wide) = ((h.round() as i32).max(1), (w.round() as i32).max(1));
        let upright = along(&self.upright, Size::new(1, tall))?;
        let level = along(&self.level, Size::new(wide, 1))?;
        let (upright, level): (&[f32], &[f32]) = (upright.data_typed()?, level.data_typed()?);
        let width = self.width;
        let rows = upright.len() / width.max(1);
        let (right, below) = ((w / 2.0).round() as usize, (h / 2.0).round() as usize);
        let mut found: Vec<(f32, Point)> = Vec::new();
        for y in 0..rows {
            for x in 0..width {
                // its middle is seen; a side beyond the picture counts nothing
                let at = |m: &[f32], x: Option<usize>, y: Option<usize>| match (x, y) {
                    (Some(x), Some(y)) if x < width && y < rows => m[y * width + x],
                    _ => 0.0,
                };
                let sides = [
                    at(upright, x.checked_sub(right), Some(y)),
                    at(upright, Some(x + right), Some(y)),
                    at(level, Some(x), y.checked_sub(below)),
                    at(level, Some(x), Some(y + below)),
                ];
                let worst = sides.iter().copied().fold(f32::MAX, f32::min);
                let clear = sides.iter().sum::<f32>() - 0.5 * worst;
                if clear >= MAYBE {
                    found.push((clear, Point::new(x as f64, y as f64)));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let near = 0.1 * w.min(h);
        let mut kept: Vec<(f32, Point)> = Vec::new();
        for f in found {
            if kept.iter().all(|k| (k.1 - f.1).norm() > near) {
                kept.push(f);
                if kept.len() >= OF_A_TURN {
                    break;
                }
            }
        }
        Ok(kept)
    }
}

/// How far from where a network sees a side its edge is looked for, as a part of the card's, and pixels at most; and then once more.
const ASIDE: f64 = 0.14;
const ASIDE_MOST: f64 = 20.0;
const ASIDE_THEN: f64 = 4.0;
/// Pixels of the picture in which edges are looked for by their colours, at most, and its blur.
const COLOURED: f64 = 0.5e6;
const SOFT: f64 = 0.7;

/// A picture's colours, small.
pub(super) struct Colours {
    small: Mat,
    /// The picture's pixels to its own.
    down: Map,
}

impl Colours {
    pub fn of(rgb: &(impl MatTraitConst + ToInputArray)) -> Result<Self, VisionError> {
        let (w, h) = (f64::from(rgb.cols()), f64::from(rgb.rows()));
        let k = (COLOURED / (w * h)).sqrt().min(1.0);
        let size = [w, h].map(|v| (v * k).round().max(1.0));
        let small = crop::scaled(rgb, size[0] as i32, size[1] as i32)?;
        let [kx, ky] = [size[0] / w, size[1] / h];
        let (x, y) = (0.5 * kx - 0.5, 0.5 * ky - 0.5);
        Ok(Self {
            small,
            down: Map::new(kx, 0.0, x, 0.0, ky, y, 0.0, 0.0, 1.0),
        })
    }
}

/// What a network sees, a card's side off by a tenth of it now and then: as it sees it, and with each side laid along the clearest edge
/// near it, the outermost of several.
pub(super) fn sharpened(colours: &Colours, cards: &[Quad]) -> Result<Vec<Quad>, VisionError> {
    let lab = Lab::of(&colours.small, SOFT)?;
    let mut out = Vec::with_capacity(2 * cards.len());
    for card in cards {
        out.push(*card);
        let Some(mut q) = quad(&colours.down, card) else {
            continue;
        };
        let mut laid = true;
        for reach in [(ASIDE * q.side()).min(ASIDE_MOST), ASIDE_THEN] {
            let own = |side: usize| Line {
                at: q.0[side],
                along: (q.0[(side + 1) % 4] - q.0[side]).normalize(),
                support: 0.0,
            };
            let each = [0, 1, 2, 3]
                .map(|side| side::line(&lab, &q, side, reach, 0.0).unwrap_or_else(|| own(side)));
            let [a, b, c, d] = &each;
            match side::corners([a, b, c, d]).filter(Quad::is_clockwise) {
                Some(now) => q = now,
                None => laid = false,
            }
        }
        let up = colours.down.try_inverse().and_then(map::scaled);
        out.extend(up.filter(|_| laid).and_then(|up| quad(&up, &q)));
    }
    Ok(out)
}

/// A quadrilateral where a map takes it.
pub(super) fn quad(map: &Map, q: &Quad) -> Option<Quad> {
    let mut out = q.0;
    for p in &mut out {
        *p = map::apply(map, *p)?;
    }
    Some(Quad(out))
}

/// What four straight edges enclose in a picture, largest first.
pub(super) fn quads(grey: &Mat) -> Result<Vec<Quad>, VisionError> {
    let (w, h) = (f64::from(grey.cols()), f64::from(grey.rows()));
    let k = (SMALL / w.max(h)).min(1.0);
    let small = crop::scaled(grey, (w * k).round() as i32, (h * k).round() as i32)?;
    let mut soft = Mat::default();
    imgproc::gaussian_blur_def(&small, &mut soft, Size::new(0, 0), 1.0)?;
    let area = f64::from(small.cols() * small.rows());
    let mut found: Vec<(f64, Quad)> = Vec::new();
    for mask in masks(&soft)? {
        for (covered, q) in candidates::enclosed(&mask, imgproc::RETR_LIST, LEAST * area)? {
            if covered > MOST * area {
                continue;
            }
            let whole = Quad(q.0.map(|p| Point::new((p.x + 0.5) / k - 0.5, (p.y + 0.5) / k - 0.5)));
            found.push((covered, whole));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Quad> = Vec::new();
    for (_, q) in found {
        let is_new = |o: &Quad| {
            o.0.iter()
                .zip(&q.0)
                .any(|(a, b)| (a - b).norm() > 0.05 * q.side())
        };
        if kept.iter().all(is_new) {
            kept.push(q);
        }
    }
    kept.truncate(QUADS);
    Ok(kept)
}

/// What is dark, what is light, and what lies between edges.
fn masks(grey: &Mat) -> Result<Vec<Mat>, VisionError> {
    let mut out = Vec::new();
    for how in [imgproc::THRESH_BINARY, imgproc::THRESH_BINARY_INV] {
        let mut mask = Mat::default();
        imgproc::threshold(grey, &mut mask, 0.0, 255.0, how | imgproc::THRESH_OTSU)?;
        out.push(mask);
    }
    let kernel = Mat::ones(3, 3, core::CV_8U)?.to_mat()?;
    for limit in [20.0, 50.0] {
        let (mut edges, mut closed) = (Mat::default(), Mat::default());
        imgproc::canny_def(grey, &mut edges, limit, limit * 2.5)?;
        imgproc::morphology_ex_def(&edges, &mut closed, imgproc::MORPH_CLOSE, &kernel)?;
        out.push(closed);
    }
    Ok(out)
}

/// Where a surface of this size may lie, by quadrilaterals in the picture whose proportions may differ so from its own.
pub(super) fn within(quads: &[Quad], size_mm: [f64; 2], slack: f64) -> Vec<Place> {
    let want = (size_mm[0] / size_mm[1]).ln();
    let mut out = Vec::new();
    for q in quads {
        for turn in 0..4 {
            let q = q.turned(turn);
            let side = |i: usize| (q.0[(i + 1) % 4] - q.0[i]).norm();
            let is = ((side(0) + side(2)) / (side(1) + side(3))).ln();
            if (is - want).abs() < slack {
                out.extend(map::of_corners(&q, size_mm).map(|map| Place {
                    size_mm,
                    map,
                    other_way: turn >= 2,
                }));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::geometry::{Laid, Lens, Pose, View};

    #[test]
    fn a_card_that_is_seen_60_degrees_off_the_vertical_has_its_place() {
        let size_mm = [110.0, 80.0];
        let camera = Pose {
            at_mm: [50.0, 690.0, 380.0],
            turn_deg: [-60.0, 0.0, 0.0],
        };
        let view = View::of_pose(&camera, Lens::ideal(1280, 720, 1000.0, 0.0));
        let card = Laid {
            at_mm: [0.0, 0.0],
            turn_deg: 0.0,
            height_mm: 0.0,
        };
        let seen = view.of_laid(&card).corners(size_mm).unwrap();
        let own = |slack: f64| {
            let places = within(&[seen], size_mm, slack);
            let is = |p: &Place| {
                let lies = map::corners(&p.map, size_mm).unwrap();
                lies.0
                    .iter()
                    .zip(&seen.0)
                    .all(|(a, b)| (a - b).norm() < 1.0)
            };
            places.iter().filter(|p| is(p)).count()
        };
        assert_eq!([own(SLANTED), own(TILTED)], [0, 1]);
    }
}
