//! Surfaces laid flat: their prints, and what a camera sees of them.

use std::sync::Arc;

use opencv::{
    core::{self, BORDER_CONSTANT, BORDER_REPLICATE, Mat, Scalar, Size},
    imgproc,
    prelude::*,
};

use super::{
    super::{
        crop,
        eye::VisionError,
        register::{Map, apply, of_corners},
    },
    Last,
    maps::STRIDE,
};
use crate::{
    capture::still,
    copy::Surface,
    geometry::{Drift, Point, Quad, View},
    rig::Tray,
};

/// The nets' sizes go down by this.
pub(super) const WHOLE: usize = 16;
/// Pixels of the flattened picture around the surface.
pub(super) const RIM: usize = 16;
/// Pixels of a picture that go into one of the flat one at most: more are averaged first.
pub(super) const DENSEST: f64 = 2.4;
/// The longest side of a flat picture.
pub(super) const LONGEST: f64 = 1500.0;
/// Pixels of the doubled flat picture from one place to the next that is worked out where a lens bends lines.
pub(super) const COARSE: usize = 16;
/// Pixels a millimetre of what has no squares.
pub(super) const PER_MM: f64 = 1.0;

/// Correlation, over all colours, from which on a place shows just what is printed there; pixels of such a place to each
/// side of its middle at least; and deviation of a print, as the net takes it, that says something.
const PRINTED: f32 = 0.85;
const LEAST_HALF: f64 = 5.0;
const TEXTURE: f32 = 0.1;

/// A surface's print, laid flat at the working scale.
pub(super) struct Flat {
    pub id: String,
    /// It has squares, on which ships stand.
    pub is_board: bool,
    pub size_mm: [f64; 2],
    pub per_mm: f64,
    pub size_px: [usize; 2],
    /// Planes of the print, as the net takes them, and its picture.
    pub print: Vec<f32>,
    pub picture: Mat,
    pub last: Option<Last>,
    /// Where its pixels came from when it was last laid.
    bend: Option<Bend>,
}

/// Where in a picture the pixels of a surface laid flat come from, as long as it is seen as then.
struct Bend {
    cast: Cast,
    scale: [f64; 2],
    from: Mat,
}

impl Flat {
    /// Whether a place of the flat picture (its planes as the net takes them) shows just what is printed there: then
    /// nothing lies on it.
    pub fn is_printed(&self, now: &[f32], at: Point, half: f64) -> bool {
        let [w, h] = self.size_px.map(|n| n as i64);
        let half = half.max(LEAST_HALF).round() as i64;
        let (x, y) = (at.x.round() as i64, at.y.round() as i64);
        let is_in = |v: i64, most: i64| v > half && v + half + 1 < most;
        if !is_in(x, w) || !is_in(y, h) {
            return false;
        }
        // each plane about its own mean there
        let cut = |planes: &[f32], dx: i64, dy: i64| -> Vec<f32> {
            let mut out = Vec::new();
            for plane in planes.chunks_exact((w * h) as usize).take(3) {
                let first = out.len();
                for row in y + dy - half..=y + dy + half {
                    let from = (row * w + x + dx - half) as usize;
                    out.extend(plane.iter().skip(from).take(2 * half as usize + 1));
                }
                let own = out.split_at_mut(first).1;
                let mean = own.iter().sum::<f32>() / own.len().max(1) as f32;
                own.iter_mut().for_each(|v| *v -= mean);
            }
            out
        };
        let times = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let print = cut(&self.print, 0, 0);
        let was = times(&print, &print);
        if was < TEXTURE * TEXTURE * print.len() as f32 {
            return false;
        }
        // a pixel's play each way
        (-1..=1).any(|dy| {
            (-1..=1).any(|dx| {
                let seen = cut(now, dx, dy);
                let is = times(&seen, &seen);
                is > 0.0 && times(&seen, &print) >= PRINTED * (is * was).sqrt()
            })
        })
    }

    pub fn of(
        surface: &Surface,
        square: f64,
        (mean, std): (f32, f32),
    ) -> Result<Option<Self>, VisionError> {
        let Some(path) = &surface.reference else {
            return Ok(None);
        };
        let (picture, _) = still::load(path)?;
        let per_mm = surface
            .grid
            .as_ref()
            .map_or(PER_MM, |g| square / g.square_mm);
        let [w, h] = surface.size_mm;
        let per_mm = per_mm.min(LONGEST / w.max(h));
        let size_px = surface
            .size_mm
            .map(|mm| ((mm * per_mm) as usize + 2 * RIM).div_ceil(WHOLE) * WHOLE);
        let mut flat = Self {
            id: surface.id.clone(),
            is_board: surface.grid.is_some(),
            size_mm: surface.size_mm,
            per_mm,
            size_px,
            print: Vec::new(),
            picture: Mat::default(),
            last: None,
            bend: None,
        };
        let (kx, ky) = (
            f64::from(picture.width()) / w,
            f64::from(picture.height()) / h,
        );
        let to_picture = Map::new(kx, 0.0, -0.5, 0.0, ky, -0.5, 0.0, 0.0, 1.0);
        let twice = flat.warp(&crop::mat(&picture)?, &to_picture, BORDER_CONSTANT)?;
        let [pw, ph] = size_px;
        let print = crop::scaled(&twice, pw as i32, ph as i32)?;
        crop::append_planes(&print, pw, ph, mean, std, &mut flat.print)?;
        flat.picture = print;
        Ok(Some(flat))
    }

    /// Millimetres of a pixel of the flat picture.
    pub fn mm(&self, x: f64, y: f64) -> Point {
        let mm = |v: f64| (v + 0.5 - RIM as f64) / self.per_mm;
        Point::new(mm(x), mm(y))
    }

    /// The middle of a cell of the map.
    pub fn cell(&self, x: usize, y: usize) -> Point {
        let middle = |v: usize| (v as f64 + 0.5) * STRIDE as f64 - 0.5;
        self.mm(middle(x), middle(y))
    }

    /// The part of a quadrilateral that is on the surface, if any is; its sides are level.
    pub fn inside(&self, q: &Quad) -> Option<Quad> {
        let [w, h] = self.size_mm;
        let on =
            q.0.map(|p| Point::new(p.x.clamp(0.0, w), p.y.clamp(0.0, h)));
        Some(Quad(on)).filter(|q| q.area() > 1.0)
    }

    /// What a camera sees of the surface, laid flat at twice the working scale.
    pub fn laid(&mut self, picture: &mut Sizes, cast: &Cast) -> Result<Mat, VisionError> {
        let (picture, scale) = picture.at(cast.density)?;
        let to = |v: f64, k: f64| (v + 0.5) / k - 0.5;
        if cast.view.is_none() && cast.drift.is_none() {
            let [kx, ky] = scale;
            let shrink = Map::new(
                1.0 / kx,
                0.0,
                to(0.0, kx),
                0.0,
                1.0 / ky,
                to(0.0, ky),
                0.0,
                0.0,
                1.0,
            );
            return self.warp(picture, &(shrink * cast.map), BORDER_REPLICATE);
        }
        let as_then = |b: &Bend| b.scale == scale && b.cast.is_same(cast);
        let from = match self.bend.take().filter(as_then) {
            Some(bend) => bend.from,
            None => self.sources(cast, scale)?,
        };
        let size = self.size_px.map(|n| 2 * n as i32);
        let mut map = Mat::default();
        imgproc::resize(
            &from,
            &mut map,
            Size::new(size[0], size[1]),
            0.0,
            0.0,
            imgproc::INTER_LINEAR,
        )?;
        let mut out = Mat::default();
        imgproc::remap(
            picture,
            &mut out,
            &map,
            &core::no_array(),
            imgproc::INTER_LINEAR,
            BORDER_REPLICATE,
            Scalar::all(127.0),
        )?;
        self.bend = Some(Bend {
            cast: cast.clone(),
            scale,
            from,
        });
        Ok(out)
    }

    /// Where each of some pixels of the doubled flat picture comes from, and the others between them: a lens bends it, or
    /// the card is warped.
    fn sources(&self, cast: &Cast, [kx, ky]: [f64; 2]) -> Result<Mat, VisionError> {
        let to = |v: f64, k: f64| (v + 0.5) / k - 0.5;
        let [w, h] = self.size_px.map(|n| 2 * n / COARSE);
        let mut from = Vec::with_capacity(w * h);
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            let at = |v: usize| ((v as f64 + 0.5) * COARSE as f64) / 2.0 - 0.5;
            let px = cast.pixel(self.mm(at(x), at(y)));
            let px = px.map_or([-1.0, -1.0], |p| [to(p.x, kx), to(p.y, ky)]);
            from.push(core::Vec2f::from(px.map(|v| v as f32)));
        }
        Ok(Mat::from_slice(&from)?.reshape(2, h as i32)?.try_clone()?)
    }

    /// A picture laid flat, at twice the working scale; `map` takes millimetres to its pixels.
    pub fn warp(&self, picture: &Mat, map: &Map, border: i32) -> Result<Mat, VisionError> {
        let k = 0.5 / self.per_mm;
        let o = (0.25 - RIM as f64) / self.per_mm;
        let m = map * Map::new(k, 0.0, o, 0.0, k, o, 0.0, 0.0, 1.0);
        let rows: Vec<f64> = m.transpose().iter().copied().collect();
        let m = Mat::from_slice(&rows)?.reshape(1, 3)?.try_clone()?;
        let mut out = Mat::default();
        imgproc::warp_perspective(
            picture,
            &mut out,
            &m,
            Size::new(2 * self.size_px[0] as i32, 2 * self.size_px[1] as i32),
            imgproc::INTER_LINEAR | imgproc::WARP_INVERSE_MAP,
            border,
            Scalar::all(127.0),
        )?;
        Ok(out)
    }
}

/// How a camera sees a surface: millimetres to pixels.
#[derive(Clone)]
pub(super) struct Cast {
    pub corners: Quad,
    pub camera_mm: [f64; 3],
    pub map: Map,
    /// How far its print lies from where the map has it.
    pub drift: Option<Arc<Drift>>,
    /// Where its lens bends lines.
    pub view: Option<View>,
    /// Pixels of the picture for each of the flat one.
    pub density: f64,
}

impl Cast {
    pub fn of(flat: &Flat, tray: &Tray, view: &View) -> Option<Self> {
        let [w, h] = flat.size_mm;
        let bent = view.lens().distortion.iter().any(|k| *k != 0.0);
        Some(Self {
            corners: tray.corners_px,
            camera_mm: view.pose().at_mm,
            map: of_corners(&tray.corners_px, flat.size_mm)?,
            drift: tray.drift.clone(),
            view: bent.then_some(*view),
            density: (tray.corners_px.area() / (w * h)).sqrt() / flat.per_mm,
        })
    }

    pub fn pixel(&self, at: Point) -> Option<Point> {
        let drift = self.drift.as_ref().and_then(|d| d.at(at));
        self.about(drift.map_or(at, |d| at + d.by))
    }

    /// Whether a surface is seen just as it was.
    fn is_same(&self, other: &Self) -> bool {
        let drift = match (&self.drift, &other.drift) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        drift && self.map == other.map && self.view == other.view
    }

    /// The same as far as no print is asked: to some pixels.
    pub fn about(&self, at: Point) -> Option<Point> {
        match &self.view {
            Some(view) => view.pixel(at, 0.0),
            None => apply(&self.map, at),
        }
    }

    pub fn quad(&self, mm: &Quad) -> Option<Quad> {
        let mut out = [Point::origin(); 4];
        for (o, p) in out.iter_mut().zip(mm.0) {
            *o = self.pixel(p)?;
        }
        Some(Quad(out))
    }
}

/// A picture, and less of it where a surface is shown larger than it is wanted.
pub(super) struct Sizes {
    whole: Mat,
    less: Vec<(i32, Mat)>,
}

impl Sizes {
    pub fn of(whole: Mat) -> Self {
        Self {
            whole,
            less: Vec::new(),
        }
    }

    pub fn size(&self) -> [f64; 2] {
        [self.whole.cols(), self.whole.rows()].map(f64::from)
    }

    /// The picture at which no more than `DENSEST` pixels go into one of the flat picture, and how many times
    /// smaller it is, across and down.
    pub fn at(&mut self, density: f64) -> Result<(&Mat, [f64; 2]), VisionError> {
        let by = (density / DENSEST).ceil() as i32;
        if by <= 1 {
            return Ok((&self.whole, [1.0, 1.0]));
        }
        let (w, h) = (self.whole.cols(), self.whole.rows());
        let size = [(w / by).max(1), (h / by).max(1)];
        let less = match self.less.iter().position(|(b, _)| *b == by) {
            Some(i) => i,
            None => {
                let small = crop::scaled(&self.whole, size[0], size[1])?;
                self.less.push((by, small));
                self.less.len() - 1
            }
        };
        let small = self.less.get(less).map_or(&self.whole, |(_, m)| m);
        let scale = [(w, small.cols()), (h, small.rows())];
        Ok((small, scale.map(|(n, m)| f64::from(n) / f64::from(m))))
    }
}
