//! What the detector of pieces answers, taken apart.

use std::ops::Range;

use opencv::{
    core::{self, Mat},
    imgproc,
    prelude::*,
};

use super::super::{Form, eye::VisionError};
use crate::geometry::{Point, Quad};

/// What the map holds a cell; `models/train/nets.py` says the same.
pub(super) const CHANNELS: usize = 21;
pub(super) const STRIDE: usize = 4;
/// Half of a piece's length at the map's zero, pixels.
pub(super) const HALF: f64 = 12.0;
/// The same of a die's edge.
const HALF_DIE: f64 = 8.0;
/// Two pieces of one form are no nearer to each other than this part of the larger one's half.
pub(super) const APART: f64 = 0.6;
/// The same of dice, which stand beside each other, a whole edge apart.
const DICE_APART: f64 = 1.6;
/// Where the map says what covers the surface.
pub(super) const COVER: usize = 4;
/// What stands, by the channel that says how likely it does, and the channels that say where, how turned (of ships and dice)
/// and how large.
pub(super) const KINDS: [(Option<Form>, Range<usize>); 4] = [
    (Some(Form::Ship), 5..10),
    (Some(Form::Token), 10..13),
    (Some(Form::Crystal), 13..16),
    (None, 16..21),
];

/// What the detector answers.
pub(super) struct Maps<'a> {
    pub values: &'a [f32],
    pub w: usize,
    pub h: usize,
}

/// A piece or a die in pixels of the flat picture.
pub(super) struct Peak {
    /// `None` for a die.
    pub form: Option<Form>,
    pub score: f64,
    pub at: Point,
    pub half: f64,
    pub heading: f64,
    pub pointed: f64,
}

pub(super) fn sigmoid(v: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(v)).exp())
}

/// The likeliest of what is said of each place, best first.
pub(super) fn alone(mut all: Vec<Peak>) -> Vec<Peak> {
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Peak> = Vec::new();
    for p in all {
        // a ship may stand on a token and a crystal lie on one; what is as large as a crystal in one place is one
        let clash = |k: &Peak| {
            let (small, large) = (k.half.min(p.half), k.half.max(p.half));
            let near = (k.at - p.at).norm();
            match (k.form, p.form) {
                (None, None) => near <= DICE_APART * large,
                (a, b) if a == b => near <= APART * large,
                (Some(Form::Ship), Some(Form::Token)) | (Some(Form::Token), Some(Form::Ship)) => {
                    false
                }
                _ => near <= APART * small && large < 1.5 * small,
            }
        };
        if !kept.iter().any(clash) {
            kept.push(p);
        }
    }
    kept
}

impl Maps<'_> {
    pub fn at(&self, channel: usize, x: usize, y: usize) -> f32 {
        let i = (channel * self.h + y) * self.w + x;
        self.values.get(i).copied().unwrap_or(f32::MIN)
    }

    /// Local maxima, best first; of two in one place the better.
    pub fn peaks(&self, threshold: f64) -> Vec<Peak> {
        let mut all = Vec::new();
        for (channel, (form, geometry)) in KINDS.into_iter().enumerate() {
            let first = geometry.start;
            for y in 0..self.h {
                for x in 0..self.w {
                    let v = self.at(channel, x, y);
                    let score = sigmoid(v);
                    let mut around =
                        (y.saturating_sub(1)..=(y + 1).min(self.h - 1)).flat_map(|j| {
                            (x.saturating_sub(1)..=(x + 1).min(self.w - 1)).map(move |i| (i, j))
                        });
                    if score < threshold || around.any(|(i, j)| self.at(channel, i, j) > v) {
                        continue;
                    }
                    // each form has its own: a ship may stand on a token
                    let g = |c: usize| f64::from(self.at(first + c, x, y));
                    let turned = matches!(form, Some(Form::Ship) | None);
                    let half = g(if turned { 4 } else { 2 });
                    let (zero, folds) = match form {
                        None => (HALF_DIE, 4.0),
                        Some(_) => (HALF, 1.0),
                    };
                    let place =
                        |cell: usize, off: f64| (cell as f64 + off + 0.5) * STRIDE as f64 - 0.5;
                    all.push(Peak {
                        form,
                        score,
                        at: Point::new(place(x, g(0)), place(y, g(1))),
                        half: zero * half.clamp(-2.0, 2.0).exp(),
                        heading: (g(3).atan2(g(2)).to_degrees() / folds).rem_euclid(360.0),
                        pointed: if turned { g(2).hypot(g(3)) } else { 0.0 },
                    });
                }
            }
        }
        alone(all)
    }

    /// Runs of cells that show neither the surface nor anything of the game, in pixels of the flat picture, if they are
    /// not `outside` the camera's; specks are noise. Those `within` are a cell from the edge.
    pub fn covers(&self, outside: &[bool], within: bool) -> Result<Vec<Quad>, VisionError> {
        let mask: Vec<u8> = (0..self.h)
            .flat_map(|y| (0..self.w).map(move |x| (x, y)))
            .zip(outside)
            .map(|((x, y), out)| u8::from(!out && self.at(COVER, x, y) > 0.0) * 255)
            .collect();
        let mask = Mat::from_slice(&mask)?
            .reshape(1, self.h as i32)?
            .try_clone()?;
        let kernel = Mat::ones(3, 3, core::CV_8U)?.to_mat()?;
        let mut large = Mat::default();
        imgproc::morphology_ex_def(&mask, &mut large, imgproc::MORPH_OPEN, &kernel)?;
        if within {
            let whole = std::mem::take(&mut large);
            imgproc::erode_def(&whole, &mut large, &kernel)?;
        }
        let mut out = Vec::new();
        for y in 0..self.h {
            let mut from = None;
            for x in 0..=self.w {
                let hidden = x < self.w && *large.at_2d::<u8>(y as i32, x as i32)? > 0;
                match (from, hidden) {
                    (None, true) => from = Some(x),
                    (Some(start), false) => {
                        let edge = |cell: usize| (cell * STRIDE) as f64 - 0.5;
                        let (x0, y0, x1, y1) = (edge(start), edge(y), edge(x), edge(y + 1));
                        out.push(Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]));
                        from = None;
                    }
                    _ => {}
                }
            }
        }
        Ok(out)
    }
}
