//! Finds dice: one pass of a small fully convolutional network, at several scales.

use std::path::Path;

use opencv::{core::ToInputArray, prelude::*};

use super::{
    crop,
    eye::VisionError,
    model::{Dim, Model, ModelInfo},
};
use crate::{
    capture::Picture,
    copy::Shape,
    geometry::{Point, Quad},
};

/// What the detector's map holds a cell; `models/train/nets.py` says the same.
const CHANNELS: usize = 11;

/// How much may be spent on one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A frame of many: the working size and half of it.
    Live,
    /// A picture that is asked about by itself: larger and smaller dice, too.
    Still,
}

/// A die found in a picture, not yet read.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    pub shape: Shape,
    /// 0 to 1.
    pub score: f64,
    /// Middle of the box round the whole die, in pixels of the picture.
    pub centre: Point,
    /// The top face in pixels of the picture; which corner comes first means nothing yet.
    pub face: Quad,
}

/// The dice detector.
pub struct Detector {
    model: Model,
    stride: usize,
    area: f64,
    threshold: f64,
    mean: f32,
    std: f32,
    /// What the net is given; kept, for it is as large every time.
    input: Vec<f32>,
}

impl Detector {
    /// # Errors
    /// A model that is missing, is none, or is not a detector of this format.
    pub fn load(path: &Path, threads: usize) -> Result<Self, VisionError> {
        let model = Model::load(
            path,
            "dice-detector",
            1,
            [Dim::Is(1), Dim::Is(3), Dim::Free, Dim::Free],
            4,
            threads,
        )?;
        let info = &model.info;
        let shapes: String = info.get("shapes")?;
        if shapes != "d6" {
            return Err(info.wrong(format!("it finds shapes \"{shapes}\", but d6 is expected")));
        }
        let stride = info.get("stride")?;
        if ![4, 8, 16].contains(&stride) {
            return Err(info.wrong(format!(
                "its metadata sightline.stride is {stride}, but 4, 8 or 16 is expected"
            )));
        }
        Ok(Self {
            stride,
            area: info.within("area", 1e4, 16e6)?,
            threshold: info.within("threshold", 0.01, 0.99)?,
            mean: info.within("mean", 0.0, 255.0)? as f32,
            std: info.within("std", 1.0, 255.0)? as f32,
            input: Vec::new(),
            model,
        })
    }

    pub fn info(&self) -> &ModelInfo {
        &self.model.info
    }

    /// All dice in the picture, best first.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn detect(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Detection>, VisionError> {
        let mat = crop::borrowed(picture)?;
        let pixels = f64::from(picture.width()) * f64::from(picture.height());
        let base = (self.area / pixels).sqrt();
        let mut scales = vec![base, base / 2.0];
        if effort == Effort::Still {
            scales.push(base / 4.0);
            if base < 0.7 {
                scales.insert(0, (base * 2.0).min(1.0));
            }
        }
        let mut found = Vec::new();
        for scale in scales {
            self.pass(&mat, scale, &mut found)?;
        }
        Ok(suppress(found))
    }

    fn pass(
        &mut self,
        picture: &(impl MatTraitConst + ToInputArray),
        scale: f64,
        found: &mut Vec<Detection>,
    ) -> Result<(), VisionError> {
        let (w, h) = (f64::from(picture.cols()), f64::from(picture.rows()));
        let (sw, sh) = ((w * scale).round().max(32.0), (h * scale).round().max(32.0));
        let small = crop::scaled(picture, sw as i32, sh as i32)?;
        let pad = |v: f64| (v as usize).div_ceil(32) * 32;
        let (pw, ph) = (pad(sw), pad(sh));
        self.input.clear();
        crop::append_planes(&small, pw, ph, self.mean, self.std, &mut self.input)?;
        let (mh, mw) = (ph / self.stride, pw / self.stride);
        let expected = [1, CHANNELS, mh, mw];
        let out = self.model.run([1, 3, ph, pw], &self.input, &expected)?;
        let to_picture =
            |p: Point| Point::new((p.x + 0.5) * w / sw - 0.5, (p.y + 0.5) * h / sh - 0.5);
        for (score, centre, face) in peaks(&out, mw, mh, self.stride, self.threshold) {
            found.push(Detection {
                shape: Shape::D6,
                score,
                centre: to_picture(centre),
                face: Quad(face.0.map(to_picture)),
            });
        }
        Ok(())
    }
}

/// Local maxima of the map, as (score, the die's middle, top face) in pixels of the network's input.
fn peaks(
    map: &[f32],
    w: usize,
    h: usize,
    stride: usize,
    threshold: f64,
) -> Vec<(f64, Point, Quad)> {
    let plane = w * h;
    let at =
        |c: usize, x: usize, y: usize| map.get(c * plane + y * w + x).copied().unwrap_or(f32::MIN);
    let logit = (threshold / (1.0 - threshold)).ln() as f32;
    let mut out = Vec::new();
    for y in 0..h {
        for x in 0..w {
            let v = at(0, x, y);
            if v < logit {
                continue;
            }
            let neighbours = (y.saturating_sub(1)..=(y + 1).min(h - 1))
                .flat_map(|j| (x.saturating_sub(1)..=(x + 1).min(w - 1)).map(move |i| (i, j)));
            if neighbours.into_iter().any(|(i, j)| at(0, i, j) > v) {
                continue;
            }
            let g = |c: usize| f64::from(at(c, x, y));
            let s = stride as f64;
            let centre = Point::new(
                (x as f64 + g(1) + 0.5) * s - 0.5,
                (y as f64 + g(2) + 0.5) * s - 0.5,
            );
            let size = 32.0 * g(3).clamp(-3.0, 4.0).exp();
            let top = centre + nalgebra::Vector2::new(g(4), g(5)) * size;
            let stretch = nalgebra::Matrix2::new(g(6), g(7), g(7), g(8)) * size;
            let turn = nalgebra::Rotation2::new(g(10).atan2(g(9)) / 4.0);
            let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                .map(|[x, y]| top + stretch * (turn * nalgebra::Vector2::new(x, y)));
            let face = Quad(corners);
            if face.area() > 1.0 && corners.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
                out.push((1.0 / (1.0 + (-f64::from(v)).exp()), centre, face));
            }
        }
    }
    out
}

/// Non-maximum suppression: of faces whose centres lie within half a face, the best stays.
fn suppress(mut found: Vec<Detection>) -> Vec<Detection> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Detection> = Vec::new();
    for d in found {
        let (c, s) = (d.face.centre(), d.face.side());
        if kept
            .iter()
            .all(|k| (k.face.centre() - c).norm() > 0.5 * s.max(k.face.side()))
        {
            kept.push(d);
        }
    }
    kept
}
