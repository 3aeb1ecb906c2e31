//! Top faces of polyhedral dice, and sides of those that have none, each cut out of its photograph.

use opencv::core::Mat;

use super::{Enrolled, Enroller, Flaw, lit, png};
use crate::{
    capture::Picture,
    copy::Shape,
    geometry::{Point, Quad},
    vision::{crop, detector::Effort, eye::VisionError, quality, solids::sides},
};

/// Side of an enrolment picture, its margin included; the margin is the reader's own.
const FACE: i32 = 192;
const MARGIN: f64 = 0.2;
/// Variance of the Laplacian below which it is out of focus, and the least width in pixels of what is printed.
const BLURRED: f64 = 25.0;
const SMALL: f64 = 26.0;
/// Least score of what is taken for a die, of one beside it, and the chance that it is of another shape than its name says from which on that is said.
const SEEN: f64 = 0.3;
const BESIDE: f64 = 0.6;
const OTHER: f64 = 0.9;

impl Enroller {
    /// The top face of the die of this shape that lies alone in a photograph; of a d4 the sides that are seen. `corners`, where given, are a
    /// person's word: of the square that stands for it. `None` where no such die is found.
    ///
    /// # Errors
    /// A model that is missing, or a library that fails.
    pub fn solid(
        &mut self,
        picture: &Picture,
        shape: Shape,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        if let Some(corners) = corners {
            return cut(&mat, shape, corners, None).map(Some);
        }
        let solids = self.solids()?;
        let mut found = solids.detect_as(picture, Effort::Still, shape)?;
        let Some(best) = found.first_mut().filter(|d| d.score >= SEEN) else {
            return Ok(None);
        };
        solids.refine(&mat, best)?;
        let best = best.clone();
        let mut taken = cut(&mat, shape, best.face, best.point)?;
        if found.iter().skip(1).any(|d| d.score >= BESIDE) {
            taken.flaws.push(Flaw::NoDie);
        }
        if best.shaped < 1.0 - OTHER {
            taken.flaws.push(Flaw::Unknown);
        }
        Ok(Some(taken))
    }
}

/// A face's enrolment picture, and what is wrong with it; `square` stands for it. A d4's point is in the middle, as from above, where nobody
/// knows better.
pub(super) fn cut(
    photograph: &Mat,
    shape: Shape,
    square: Quad,
    point: Option<Point>,
) -> Result<Enrolled, VisionError> {
    let corners = shape.outline(&square);
    let point = point.unwrap_or_else(|| square.centre());
    let print = match shape {
        Shape::D4 => sides::seen(&corners, point).first().copied(),
        _ => None,
    };
    let print = print.unwrap_or_else(|| shape.printed(&square));
    let seen = crop::rectify(photograph, &print, FACE / 2, MARGIN)?;
    let mut flaws: Vec<Flaw> = lit(photograph, &seen)?.into_iter().collect();
    if !flaws.contains(&Flaw::Dark) && quality::sharpness(&seen)? < BLURRED {
        flaws.push(Flaw::Blurred);
    }
    if print.side() < SMALL {
        flaws.push(Flaw::Small);
    }
    let picture = match shape {
        Shape::D4 => sides::picture(photograph, &corners, point, FACE, MARGIN)?,
        _ => crop::rectify(photograph, &square, FACE, MARGIN)?,
    };
    Ok(Enrolled {
        png: png(&picture)?,
        flaws,
        corners: square,
        outline: None,
        shape: Some(shape),
    })
}
