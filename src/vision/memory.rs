//! What was read of dice in the last frame, so that those that lie as they lay need not be read again at once.

use super::{Sighting, detector::Detection, gallery::dot};
use crate::{copy::Status, geometry::Quad};

/// A die lies where it lay if it is off by no more than this part of its side, and looks as it did from this cosine on.
const SAME_PLACE: f64 = 0.1;
const SAME_LOOK: f64 = 0.97;
/// What is sure is read again after so many frames, what is not sooner: a reading that is repeated is no other vote.
const READ_AGAIN: u32 = 3;
const DOUBT_AGAIN: u32 = 1;

/// Dice of the last frame, for the next one.
#[derive(Default)]
pub(super) struct Memory(Vec<Remembered>);

/// A die as it was when it was read.
pub(super) struct Remembered {
    face: Quad,
    /// What its face looked like where it was found.
    vector: Vec<f32>,
    pub sighting: Sighting,
    /// It was read so in the frame before, too.
    twice: bool,
    /// Frames since it was read.
    uses: u32,
}

impl Memory {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes out what is remembered of a die.
    pub fn recall(&mut self, d: &Detection, vector: &[f32]) -> Option<Remembered> {
        let at = self.0.iter().position(|r| r.is(d, vector))?;
        Some(self.0.swap_remove(at))
    }
}

impl FromIterator<Remembered> for Memory {
    fn from_iter<I: IntoIterator<Item = Remembered>>(dice: I) -> Self {
        Self(dice.into_iter().collect())
    }
}

impl Remembered {
    /// A die that was read now; `before` is what was remembered of it.
    pub fn new(face: Quad, vector: Vec<f32>, sighting: &Sighting, before: Option<&Self>) -> Self {
        Self {
            face,
            vector,
            twice: before.is_some_and(|r| r.agrees(sighting)),
            sighting: sighting.clone(),
            uses: 0,
        }
    }

    /// Taken for one frame more, as it was when it was read: what changes slowly has changed at last.
    pub fn used(self) -> Self {
        Self {
            uses: self.uses + 1,
            ..self
        }
    }

    /// Whether it need not be read again.
    pub fn lasts(&self, d: &Detection) -> bool {
        if self.sighting.reading.status == Status::Sure {
            self.twice && self.uses < READ_AGAIN && d.score >= 0.5
        } else {
            self.uses < DOUBT_AGAIN
        }
    }

    fn is(&self, d: &Detection, vector: &[f32]) -> bool {
        let corners = self.face.0.iter().zip(&d.face.0);
        let off = corners.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        off <= SAME_PLACE * d.face.side() && dot(&self.vector, vector) >= SAME_LOOK
    }

    fn agrees(&self, sighting: &Sighting) -> bool {
        let of = |s: &Sighting| {
            let r = &s.reading;
            (r.status, r.kind.clone(), r.face.clone())
        };
        of(&self.sighting) == of(sighting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{copy::Shape, geometry::Point, vision::Reading};

    fn die(x: f64, score: f64, status: Status) -> (Detection, Sighting) {
        let face = Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]);
        let reading = Reading {
            kind: Some("helm".to_owned()),
            face: Some("F1".to_owned()),
            status,
            confidence: 0.99,
            likeness: 0.9,
            next: None,
            alike_after_deg: 360,
        };
        let detection = Detection {
            shape: Shape::D6,
            score,
            centre: Point::new(x + 20.0, 20.0),
            face,
        };
        let sighting = Sighting {
            shape: Shape::D6,
            score,
            there: 0.9,
            error: 0.1,
            polygon: face,
            reading,
        };
        (detection, sighting)
    }

    #[test]
    fn one_sure_reading_is_not_repeated_and_two_are_for_some_frames() {
        let (d, s) = die(0.0, 0.9, Status::Sure);
        let look = vec![1.0, 0.0];
        let first = Remembered::new(d.face, look.clone(), &s, None);
        assert!(!first.lasts(&d));
        let mut kept = Remembered::new(d.face, look, &s, Some(&first));
        for _ in 0..READ_AGAIN {
            assert!(kept.lasts(&d));
            kept = kept.used();
        }
        assert!(!kept.lasts(&d));
        // what may be no die after all is read again
        let kept = Remembered::new(d.face, vec![1.0, 0.0], &s, Some(&first));
        assert!(!kept.lasts(&die(0.0, 0.4, Status::Sure).0));
    }

    #[test]
    fn a_die_that_moved_or_looks_otherwise_is_another() {
        let (d, s) = die(0.0, 0.9, Status::Unsure);
        let memory = || Memory::from_iter([Remembered::new(d.face, vec![1.0, 0.0], &s, None)]);
        assert!(memory().recall(&d, &[1.0, 0.0]).is_some());
        assert!(
            memory()
                .recall(&die(5.0, 0.9, Status::Unsure).0, &[1.0, 0.0])
                .is_none()
        );
        assert!(memory().recall(&d, &[0.8, 0.6]).is_none());
    }
}
