//! Looks again, closely, at what the detector of pieces takes for a miniature, a token or a crystal.
//!
//! The detector's score falls where a place is hard to tell, though that something stands there is plain. The judge sees
//! each such place by itself, upright and filling its picture, beside the print, and says whether it is one and where
//! exactly: `models/train/judge.py`.

use std::path::Path;

use nalgebra::{Rotation2, Vector2};
use opencv::core::Mat;

use super::{
    maps::{Peak, alone, sigmoid},
    reader::norm,
};
use crate::{
    geometry::Point,
    vision::{
        Form, crop,
        eye::VisionError,
        model::{Dim, Model, ModelInfo},
    },
};

/// What it answers of a place: three chances, and where what is there stands, of each form; `models/train/nets.py` says the same.
const ANSWERS: usize = 14;
/// By form: the channel of its chance, and the first of its place.
fn channels(form: Form) -> [usize; 2] {
    match form {
        Form::Ship => [0, 3],
        Form::Token => [1, 8],
        Form::Crystal => [2, 11],
    }
}
/// What points the other way in a mirror.
const MIRRORED: [usize; 4] = [3, 7, 8, 11];
/// How often a place is looked at: again where it was moved to.
const PASSES: usize = 2;
/// What is a piece by less than this chance after one look is none, in a frame of many.
const SELDOM: f64 = 0.02;
/// A piece is no more times (as a logarithm) larger or smaller than the detector thought.
const OTHER_SIZE: f64 = 0.7;

pub(super) struct Judge {
    model: Model,
    norm: (f32, f32),
    /// Pixels of what it sees, for `share` times the length of what is said to be there.
    size: usize,
    share: f64,
    /// How many half lengths a ship's hull lies above its foot.
    lift: f64,
    once: [Counts; 3],
    /// Where a picture was shown to the detector several ways.
    often: [Counts; 3],
    /// The chance from which on something is there.
    pub threshold: f64,
    /// The standard error of a place, pixels.
    pub error_px: f64,
}

/// What its own log-odds of a form count for there being one, and the detector's: `models/train/judge.py` fits it.
struct Counts {
    judge: f64,
    detector: f64,
    bias: f64,
}

impl Counts {
    fn of(info: &ModelInfo, before: &str) -> Result<[Self; 3], VisionError> {
        let of = |form: &str| -> Result<Self, VisionError> {
            let value = |name: &str| info.within(&format!("{before}{form}_{name}"), -20.0, 20.0);
            Ok(Self {
                judge: value("judge")?,
                detector: value("detector")?,
                bias: value("bias")?,
            })
        };
        Ok([of("ship")?, of("token")?, of("crystal")?])
    }
}

/// A surface laid flat: what it shows, at twice the working scale, and its print at that scale.
pub(super) struct Laid<'a> {
    pub twice: &'a Mat,
    pub print: &'a Mat,
}

impl Judge {
    /// # Errors
    /// A model that is missing, or is no judge of this format.
    pub fn load(models: &Path, threads: usize) -> Result<Self, VisionError> {
        let path = models.join("piece-judge.onnx");
        let dims = [Dim::Free, Dim::Is(8), Dim::Any, Dim::Any];
        let model = Model::load(&path, "piece-judge", 1, dims, 2, threads)?;
        let info = &model.info;
        let size: usize = info.get("size")?;
        if !(16..=256).contains(&size) {
            return Err(info.wrong(format!(
                "its metadata sightline.size is {size}, but 16 to 256 is possible"
            )));
        }
        Ok(Self {
            norm: norm(&model)?,
            size,
            share: info.within("share", 1.0, 4.0)?,
            lift: info.within("lift", 0.0, 2.0)?,
            once: Counts::of(info, "")?,
            often: Counts::of(info, "often_")?,
            threshold: info.within("threshold", 0.01, 0.99)?,
            error_px: info.within("error", 0.1, 20.0)?,
            model,
        })
    }

    /// Each piece with its chance as its score, where it stands; of two in one place the likelier. `lean` says how far a
    /// point 1 mm above a pixel of the flat picture seems shifted, mm; `views`, how many ways the detector was shown it.
    ///
    /// # Errors
    /// Where the model or a library fails.
    pub fn judged(
        &mut self,
        laid: &Laid,
        lean: impl Fn(Point) -> Vector2<f64>,
        mut pieces: Vec<Peak>,
        views: usize,
    ) -> Result<Vec<Peak>, VisionError> {
        let hasty = views == 1;
        let mut before: Vec<f64> = pieces.iter().map(|p| p.score).collect();
        for pass in 0..PASSES {
            let first = hasty && pass == 0;
            self.look(laid, &lean, &mut pieces, !first)?;
            if first {
                // most of what is looked at is nothing: one glance tells
                let chances = pieces.iter().zip(&before);
                let chances = chances.map(|(p, before)| self.chance(p, *before, views));
                let stay: Vec<bool> = chances.map(|chance| chance >= SELDOM).collect();
                let mut each = stay.iter();
                before.retain(|_| each.next().is_some_and(|stays| *stays));
                let mut each = stay.iter();
                pieces.retain(|_| each.next().is_some_and(|stays| *stays));
            }
        }
        let chances = pieces.iter().zip(&before);
        let chances = chances.map(|(p, before)| self.chance(p, *before, views));
        let chances: Vec<f64> = chances.collect();
        for (p, chance) in pieces.iter_mut().zip(chances) {
            p.score = chance;
        }
        Ok(alone(pieces))
    }

    /// The chance that what was looked at is a piece; `before`, the detector's.
    fn chance(&self, p: &Peak, before: f64, views: usize) -> f64 {
        let counts = if views > 1 { &self.often } else { &self.once };
        let of = p.form.and_then(|form| counts.get(channels(form)[0]));
        of.map_or(p.score, |c| {
            let odds = c.judge * odds(p.score) + c.detector * odds(before) + c.bias;
            1.0 / (1.0 + (-odds).exp())
        })
    }

    /// Looks at each once, and once more in a mirror if it is to.
    fn look(
        &mut self,
        laid: &Laid,
        lean: &impl Fn(Point) -> Vector2<f64>,
        pieces: &mut [Peak],
        in_a_mirror: bool,
    ) -> Result<(), VisionError> {
        if pieces.is_empty() {
            return Ok(());
        }
        let (n, area) = (pieces.len(), self.size * self.size);
        let mut data = Vec::with_capacity(2 * n * 8 * area);
        for p in pieces.iter() {
            self.append(laid, lean, p, &mut data)?;
        }
        let mirrored = if in_a_mirror { 8 * n } else { 0 };
        for plane in 0..mirrored {
            let sign = if plane % 8 == 6 { -1.0 } else { 1.0 };
            for row in plane * self.size..(plane + 1) * self.size {
                let row = row * self.size..(row + 1) * self.size;
                data.extend_from_within(row.clone());
                let from = data.len() - self.size;
                if let Some(row) = data.get_mut(from..) {
                    row.reverse();
                    row.iter_mut().for_each(|v| *v *= sign);
                }
            }
        }
        let shown = n + mirrored / 8;
        let shape = [shown, 8, self.size, self.size];
        let out = self.model.run(shape, &data, &[shown, ANSWERS])?;
        let (as_is, mirrored) = out.split_at(n * ANSWERS);
        let mut mirrored = mirrored.chunks(ANSWERS);
        let answers = as_is.chunks(ANSWERS).map(|a| (a, mirrored.next()));
        for (p, (a, b)) in pieces.iter_mut().zip(answers) {
            let Some(form) = p.form else { continue };
            let [chance, place] = channels(form);
            let value = |i: usize| {
                let a = a.get(i).copied().unwrap_or_default();
                let Some(b) = b.and_then(|b| b.get(i)) else {
                    return a;
                };
                let b = if MIRRORED.contains(&i) { -b } else { *b };
                f32::midpoint(a, b)
            };
            let g = |i: usize| f64::from(value(place + i));
            let turn = upright(p);
            p.score = sigmoid(value(chance));
            p.at += turn * Vector2::new(g(0), g(1)) * p.half;
            p.half *= g(2).clamp(-OTHER_SIZE, OTHER_SIZE).exp();
            if form == Form::Ship {
                p.heading = (p.heading + g(4).atan2(g(3)).to_degrees()).rem_euclid(360.0);
                p.pointed = g(3).hypot(g(4));
            }
        }
        Ok(())
    }

    /// The eight planes of one place.
    fn append(
        &self,
        laid: &Laid,
        lean: &impl Fn(Point) -> Vector2<f64>,
        p: &Peak,
        data: &mut Vec<f32>,
    ) -> Result<(), VisionError> {
        let leans = lean(p.at);
        let ship = p.form == Some(Form::Ship);
        let middle = if ship {
            p.at + leans * p.half * self.lift
        } else {
            p.at
        };
        let (wide, angle) = (
            2.0 * p.half * self.share,
            if ship { p.heading } else { 0.0 },
        );
        let side = self.size as i32;
        let twice = Point::new(middle.x * 2.0 + 0.5, middle.y * 2.0 + 0.5);
        for (picture, middle, wide) in [(laid.twice, twice, 2.0 * wide), (laid.print, middle, wide)]
        {
            let cut = crop::square(picture, middle, wide, angle, side)?;
            crop::append_planes(&cut, self.size, self.size, self.norm.0, self.norm.1, data)?;
        }
        let leans = upright(p).inverse() * leans;
        for v in [leans.x, leans.y] {
            data.extend(std::iter::repeat_n(v as f32, self.size * self.size));
        }
        Ok(())
    }
}

fn odds(score: f64) -> f64 {
    let score = score.clamp(1e-4, 1.0 - 1e-4);
    (score / (1.0 - score)).ln()
}

/// From what is upright in the picture of a place to the flat picture.
fn upright(p: &Peak) -> Rotation2<f64> {
    let ship = p.form == Some(Form::Ship);
    Rotation2::new(if ship { p.heading.to_radians() } else { 0.0 })
}
