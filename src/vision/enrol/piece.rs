//! Miniatures, tokens and crystals: each cut out of its photograph, and held against what its name says.

use opencv::{
    core::{Mat, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

use super::{A_DISC, Enrolled, Enroller, Flaw, SMEARED_PART, lit, png};
use crate::{
    capture::Picture,
    copy::Outline,
    geometry::{Point, Quad},
    vision::{
        alone::{self, Outlined},
        card, crop,
        eye::VisionError,
        gallery::dot,
    },
};

/// A token that is less like an ellipse is not round.
const HARDLY_ROUND: f64 = 0.9;
/// What part of the smallest rectangle round it a rectangle fills.
const A_RECTANGLE: f64 = 0.96;
/// A view that is turned otherwise is so much liker to the others so (mean cosine).
const CLEARLY: f64 = 0.15;
/// Pixels by which any lens smears an edge.
const A_LENS: f64 = 2.0;
/// A piece's picture is so many times as wide as the piece is long.
const PIECE_SHARE: f64 = 1.5;

impl Enroller {
    /// A piece (miniature, token, crystal) that lies alone in a photograph, in the middle of a square one and a half
    /// times as wide as it is long: along its heading (0 is up, clockwise), or where it is longest. `corners`, where given, are
    /// a person's word: of what it fills.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn piece(
        &mut self,
        picture: &Picture,
        heading_deg: Option<f64>,
        outline: Option<Outline>,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        let mut flaws = Vec::new();
        let (middle, wide, high, longest) = match corners {
            Some(q) => {
                let xs = q.0.map(|p| p.x);
                let ys = q.0.map(|p| p.y);
                let span = |v: [f64; 4]| {
                    let lo = v.into_iter().fold(f64::MAX, f64::min);
                    (lo, v.into_iter().fold(f64::MIN, f64::max) - lo)
                };
                let ((x, w), (y, h)) = (span(xs), span(ys));
                (Point::new(x + w / 2.0, y + h / 2.0), w, h, w.max(h))
            }
            None => {
                let Some(alone) = alone::outlined(&mat)? else {
                    return Ok(None);
                };
                let may_be_die = alone.round() < A_DISC && outline != Some(Outline::Square);
                if may_be_die && self.die_fills(picture, alone.area())? {
                    flaws.push(Flaw::Die);
                } else {
                    flaws.extend(unlike(&alone, outline));
                }
                let at = alone.bounds;
                let middle = |lo: i32, n: i32| f64::from(lo) + f64::from(n - 1) / 2.0;
                (
                    Point::new(middle(at.x, at.width), middle(at.y, at.height)),
                    f64::from(at.width),
                    f64::from(at.height),
                    alone.longest,
                )
            }
        };
        let long = match heading_deg {
            Some(h) if (h / 90.0).round() as i64 % 2 == 0 => high,
            Some(_) => wide,
            None => longest,
        };
        let side = long * PIECE_SHARE;
        let square = crop::square(&mat, middle, side, 0.0, side.min(256.0) as i32)?;
        let (light, _) = card::quality(&square)?;
        flaws.extend(lit(light));
        let length = f64::from(square.cols()) / PIECE_SHARE;
        if card::smear(&square)? > (SMEARED_PART * length).max(A_LENS) {
            flaws.push(Flaw::Blurred);
        }
        if side < 64.0 {
            flaws.push(Flaw::Small);
        }
        let (half, c) = (side / 2.0, middle);
        let (x0, y0, x1, y1) = (c.x - half, c.y - half, c.x + half, c.y + half);
        Ok(Some(Enrolled {
            png: png(&square)?,
            flaws,
            corners: Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]),
        }))
    }

    /// Says of views of one miniature (degrees that its nose points to, clockwise from up) which are turned otherwise than the
    /// others say.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn headings(&mut self, views: &mut [(f64, &mut Enrolled)]) -> Result<(), VisionError> {
        if views.len() < 3 {
            return Ok(());
        }
        let mut each: Vec<Vec<Vec<f32>>> = Vec::new();
        for (heading, view) in views.iter() {
            let bytes = Vector::from_slice(&view.png);
            let bgr = imgcodecs::imdecode(&bytes, imgcodecs::IMREAD_COLOR)?;
            let mut rgb = Mat::default();
            imgproc::cvt_color_def(&bgr, &mut rgb, imgproc::COLOR_BGR2RGB)?;
            let turns = [0.0, 90.0, 180.0, 270.0].map(|t| heading + t);
            each.push(self.pieces.of_picture(&rgb, &turns)?);
        }
        for (i, (_, view)) in views.iter_mut().enumerate() {
            let others = each.iter().enumerate().filter(|(j, _)| *j != i);
            let likeness = |turn: usize| -> f64 {
                let all = others.clone().map(|(_, o)| dot(&each[i][turn], &o[0]));
                all.sum()
            };
            let n = (each.len() - 1) as f64;
            let another = likeness(0) < self.pieces.none * n;
            if another || (1..4).any(|t| likeness(t) > likeness(0) + CLEARLY * n) {
                view.flaws.push(Flaw::Heading);
            }
        }
        Ok(())
    }
}

/// What speaks against its being a piece of that outline.
fn unlike(alone: &Outlined, outline: Option<Outline>) -> Option<Flaw> {
    match outline {
        Some(Outline::Square) => None,
        Some(Outline::Round) if alone.round() < HARDLY_ROUND => Some(Flaw::NotRound),
        _ => (alone.fills() > A_RECTANGLE).then_some(Flaw::Card),
    }
}
