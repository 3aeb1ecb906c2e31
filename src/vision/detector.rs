//! Finds dice: a small fully convolutional network looks at a picture at several scales.

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
    /// The top face in pixels of the picture, or the square that stands for it; which corner comes first means nothing yet.
    pub face: Quad,
    /// Of a d4, its point.
    pub point: Option<Point>,
    /// Where it can be read; of a cube nothing but its top face.
    pub reads: Vec<Quad>,
    /// Chance that it is of this shape, if a die is there, 0 to 1.
    pub shaped: f64,
    /// It lies on none of the picture's surfaces, whose prints may look like dice, as far as these are known.
    pub on_table: bool,
}

impl Detection {
    /// A cube whose top face this is.
    pub fn cube(score: f64, centre: Point, face: Quad) -> Self {
        Self {
            shape: Shape::D6,
            score,
            centre,
            face,
            point: None,
            reads: Vec::new(),
            shaped: 1.0,
            on_table: false,
        }
    }

    /// Where its print may be seen, in each of the turns in which it may stand.
    pub fn prints(&self) -> Vec<Quad> {
        match self.shape {
            Shape::D6 => vec![self.face],
            _ => self.reads.clone(),
        }
    }
}

/// A fully convolutional network that says what lies where, and what it is given.
pub(super) struct Maps {
    model: Model,
    stride: usize,
    channels: usize,
    area: f64,
    threshold: f64,
    mean: f32,
    std: f32,
    /// What the net is given; kept, for it is as large every time.
    input: Vec<f32>,
}

/// What it said of one picture at one scale.
pub(super) struct Map {
    values: Vec<f32>,
    /// Cells in a row, and rows.
    size: [usize; 2],
    stride: f64,
    /// Pixels of the picture a pixel of the network's input.
    pub enlarged: [f64; 2],
}

impl Maps {
    /// # Errors
    /// A model that is missing, is none, or is not of this format and for these shapes.
    pub fn load(
        path: &Path,
        model: &str,
        shapes: &str,
        channels: usize,
        threads: usize,
    ) -> Result<Self, VisionError> {
        let dims = [Dim::Is(1), Dim::Is(3), Dim::Free, Dim::Free];
        let model = Model::load(path, model, 1, dims, 4, threads)?;
        let info = &model.info;
        let said: String = info.get("shapes")?;
        if said != shapes {
            return Err(info.wrong(format!(
                "it finds shapes \"{said}\", but {shapes} is expected"
            )));
        }
        let stride = info.get("stride")?;
        if ![4, 8, 16].contains(&stride) {
            return Err(info.wrong(format!(
                "its metadata sightline.stride is {stride}, but 4, 8 or 16 is expected"
            )));
        }
        Ok(Self {
            stride,
            channels,
            area: info.within("area", 1e4, 16e6)?,
            threshold: info.within("threshold", 0.01, 0.99)?,
            mean: info.within("mean", 0.0, 255.0)? as f32,
            std: info.within("std", 1.0, 255.0)? as f32,
            input: Vec::new(),
            model,
        })
    }

    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// One map a scale at which a picture is worth looking at.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn of(&mut self, picture: &Picture, effort: Effort) -> Result<Vec<Map>, VisionError> {
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
        scales
            .into_iter()
            .map(|scale| self.pass(&mat, scale))
            .collect()
    }

    /// The map of a whole picture at the one scale that the network was made for.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn whole(
        &mut self,
        picture: &(impl MatTraitConst + ToInputArray),
    ) -> Result<Map, VisionError> {
        let pixels = f64::from(picture.cols()) * f64::from(picture.rows());
        self.pass(picture, (self.area / pixels).sqrt())
    }

    fn pass(
        &mut self,
        picture: &(impl MatTraitConst + ToInputArray),
        scale: f64,
    ) -> Result<Map, VisionError> {
        let (w, h) = (f64::from(picture.cols()), f64::from(picture.rows()));
        let (sw, sh) = ((w * scale).round().max(32.0), (h * scale).round().max(32.0));
        let small = crop::scaled(picture, sw as i32, sh as i32)?;
        let pad = |v: f64| (v as usize).div_ceil(32) * 32;
        let (pw, ph) = (pad(sw), pad(sh));
        self.input.clear();
        crop::append_planes(&small, pw, ph, self.mean, self.std, &mut self.input)?;
        let (mh, mw) = (ph / self.stride, pw / self.stride);
        let expected = [1, self.channels, mh, mw];
        Ok(Map {
            values: self.model.run([1, 3, ph, pw], &self.input, &expected)?,
            size: [mw, mh],
            stride: self.stride as f64,
            enlarged: [w / sw, h / sh],
        })
    }
}

impl Map {
    fn at(&self, channel: usize, x: usize, y: usize) -> f32 {
        let [w, h] = self.size;
        let i = channel * w * h + y * w + x;
        self.values.get(i).copied().unwrap_or(f32::MIN)
    }

    /// Cells whose score is at least this and none beside them has more, with their scores.
    pub fn peaks(&self, threshold: f64) -> Vec<(Cell<'_>, f64)> {
        let [w, h] = self.size;
        let logit = (threshold / (1.0 - threshold)).ln() as f32;
        let mut out = Vec::new();
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            let v = self.at(0, x, y);
            if v < logit {
                continue;
            }
            let neighbours = (y.saturating_sub(1)..=(y + 1).min(h - 1))
                .flat_map(|j| (x.saturating_sub(1)..=(x + 1).min(w - 1)).map(move |i| (i, j)));
            if neighbours.into_iter().all(|(i, j)| self.at(0, i, j) <= v) {
                let score = 1.0 / (1.0 + (-f64::from(v)).exp());
                out.push((Cell { map: self, x, y }, score));
            }
        }
        out
    }

    /// A place in the network's input as one of the picture.
    pub fn to_picture(&self, p: Point) -> Point {
        let [kx, ky] = self.enlarged;
        Point::new((p.x + 0.5) * kx - 0.5, (p.y + 0.5) * ky - 0.5)
    }
}

/// A cell of a map: what the network says of what has its middle there.
pub(super) struct Cell<'a> {
    pub map: &'a Map,
    x: usize,
    y: usize,
}

impl Cell<'_> {
    pub fn value(&self, channel: usize) -> f64 {
        f64::from(self.map.at(channel, self.x, self.y))
    }

    /// The thing's middle, its size and how it is stretched; pixels of the network's input (`models/train/nets.py`,
    /// channels 1 to 3 and 6 to 8).
    pub fn stretched(&self) -> (Point, f64, nalgebra::Matrix2<f64>) {
        let (g, s) = (|c| self.value(c), self.map.stride);
        let centre = Point::new(
            (self.x as f64 + g(1) + 0.5) * s - 0.5,
            (self.y as f64 + g(2) + 0.5) * s - 0.5,
        );
        let size = 32.0 * g(3).clamp(-3.0, 4.0).exp();
        let stretch = nalgebra::Matrix2::new(g(6), g(7), g(7), g(8)) * size;
        (centre, size, stretch)
    }

    /// The same of a die, with the middle of its top face after its own (channels 4 and 5).
    pub fn lies(&self) -> (Point, Point, f64, nalgebra::Matrix2<f64>) {
        let (centre, size, stretch) = self.stretched();
        let top = centre + nalgebra::Vector2::new(self.value(4), self.value(5)) * size;
        (centre, top, size, stretch)
    }
}

/// The dice detector.
pub struct Detector {
    maps: Maps,
}

impl Detector {
    /// # Errors
    /// A model that is missing, is none, or is not a detector of this format.
    pub fn load(path: &Path, threads: usize) -> Result<Self, VisionError> {
        Ok(Self {
            maps: Maps::load(path, "dice-detector", "d6", CHANNELS, threads)?,
        })
    }

    pub fn info(&self) -> &ModelInfo {
        &self.maps.model.info
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
        let threshold = self.maps.threshold();
        let mut found = Vec::new();
        for map in self.maps.of(picture, effort)? {
            for (cell, score) in map.peaks(threshold) {
                let (centre, top, _, stretch) = cell.lies();
                let turn = nalgebra::Rotation2::new(cell.value(10).atan2(cell.value(9)) / 4.0);
                let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
                    .map(|[x, y]| top + stretch * (turn * nalgebra::Vector2::new(x, y)));
                let face = Quad(corners);
                if face.area() > 1.0 && corners.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
                    let face = Quad(corners.map(|p| map.to_picture(p)));
                    found.push(Detection::cube(score, map.to_picture(centre), face));
                }
            }
        }
        Ok(suppress(found))
    }
}

/// What is so many times as large is another thing: two dice side by side are twice as wide as one, and a die that was found at two scales is
/// found about as large. A card with dice on it looks like a die of its own.
const ANOTHER: f64 = 1.75;

/// Whether two faces are about as large, so that they may be one die's.
pub(super) fn as_large(a: &Quad, b: &Quad) -> bool {
    let (a, b) = (a.side(), b.side());
    a.max(b) < ANOTHER * a.min(b)
}

/// Non-maximum suppression: of faces about as large whose centres lie within half a face, the best stays.
fn suppress(mut found: Vec<Detection>) -> Vec<Detection> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Detection> = Vec::new();
    for d in found {
        let same = |k: &Detection| {
            let half = 0.5 * d.face.side().max(k.face.side());
            as_large(&k.face, &d.face) && (k.face.centre() - d.face.centre()).norm() <= half
        };
        if !kept.iter().any(same) {
            kept.push(d);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(score: f64, x: f64, side: f64) -> Detection {
        let (a, b) = (-side / 2.0, side / 2.0);
        let face = Quad::from_pairs([[x + a, a], [x + b, a], [x + b, b], [x + a, b]]);
        Detection::cube(score, face.centre(), face)
    }

    #[test]
    fn a_card_that_looks_like_a_die_takes_none_of_those_on_it_away() {
        let all = vec![
            found(0.9, 0.0, 200.0),
            found(0.8, 40.0, 32.0),
            found(0.6, -30.0, 32.0),
            // the same die at another scale
            found(0.5, 44.0, 40.0),
        ];
        let kept: Vec<f64> = suppress(all).iter().map(|d| d.score).collect();
        assert_eq!(kept, [0.9, 0.8, 0.6]);
    }
}
