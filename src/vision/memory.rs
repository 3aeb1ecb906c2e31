//! What was read of dice in the last frame (and what was none in the last few), so that those that lie as they lay need not be read again at once.

use opencv::{core::ToInputArray, prelude::*};

use super::{Sighting, crop, detector::Detection, eye::VisionError};
use crate::{capture::Picture, copy::Status, geometry::Quad};

/// A die lies where it lay if it is off by no more than this part of its side.
const SAME_PLACE: f64 = 0.1;
/// Side of the small picture that a face is compared by, pixels, and its margin.
const SIDE: i32 = 16;
const MARGIN: f64 = 0.1;
/// It looks as it did if no more than this part of what varies in it is otherwise, and this many grey levels (root of the
/// mean square) that are a camera's noise; and if it is not lighter or darker by more levels than the last.
const OTHERWISE: f32 = 0.05;
const NOISE: f32 = 4.0;
const LIGHT: f32 = 24.0;
/// What is sure is read again after so many frames for each time that it was read alike before, what is not sooner: a
/// reading that is repeated is no other vote. And after so many at most.
const READ_AGAIN: (u32, u32) = (3, 9);
const DOUBT_AGAIN: (u32, u32) = (1, 9);
/// The same of what is none.
const NONE_AGAIN: (u32, u32) = (3, 9);
/// What is a die by less than this chance is none, whatever its print may have been taken for: spots of a display's print are read otherwise in
/// every frame.
pub(super) const NONE: f64 = 0.2;
/// What was read so near, as a part of its side, is looked at in every way the next time.
const HERE: f64 = 0.25;
/// What was looked at in every way and is none is looked at so again after so many frames, and hastily meanwhile: its outline is another in every
/// frame, and its print stays what it is. Set by judgement.
const WHOLE_AGAIN: u32 = 18;
/// What is no die is remembered for so many frames in which it was not found: spots are found in one frame and not in the next.
const UNSEEN: u32 = 9;

/// Dice of the last frame, and what was none in the last few, for the next one.
#[derive(Default)]
pub(super) struct Memory(Vec<Remembered>);

/// What a face looks like, small.
#[derive(Debug, Clone)]
pub(crate) struct Patch(Vec<f32>);

impl Patch {
    /// # Errors
    /// Where the corners make no quadrilateral.
    pub fn in_picture(picture: &Picture, face: &Quad) -> Result<Self, VisionError> {
        Self::of(&crop::borrowed(picture)?, face)
    }

    /// # Errors
    /// Where the corners make no quadrilateral.
    pub(super) fn of(
        picture: &(impl MatTraitConst + ToInputArray),
        face: &Quad,
    ) -> Result<Self, VisionError> {
        let small = crop::rectify(picture, face, SIDE, MARGIN)?;
        let pixels = small.data_typed::<opencv::core::Vec3b>()?;
        Ok(Self(
            pixels.iter().flat_map(|p| p.0).map(f32::from).collect(),
        ))
    }

    /// Whether it is the same face in the same light, but for a camera's noise.
    pub fn is(&self, other: &Self) -> bool {
        let n = self.0.len() as f32;
        if self.0.len() != other.0.len() || self.0.is_empty() {
            return false;
        }
        let mean = |of: &[f32]| of.iter().sum::<f32>() / n;
        let (a, b) = (mean(&self.0), mean(&other.0));
        let (mut varies, mut differs) = (0.0, 0.0);
        for (p, q) in self.0.iter().zip(&other.0) {
            varies += (p - a).powi(2);
            differs += (p - a - q + b).powi(2);
        }
        (a - b).abs() <= LIGHT && differs <= OTHERWISE * varies + n * NOISE * NOISE
    }
}

/// A die as it was when it was read.
pub(super) struct Remembered {
    face: Quad,
    /// What its face looked like where it was found.
    look: Patch,
    pub sighting: Sighting,
    /// How often in a row it was read so.
    times: u32,
    /// Frames since it was read.
    uses: u32,
    /// It was looked at only until it seemed to be none, and nothing about there in every way.
    hasty: bool,
    /// Frames since what lies about there was looked at in every way and was none.
    none_for: Option<u32>,
}

impl Memory {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes out what is remembered of a die.
    pub fn recall(&mut self, d: &Detection, look: &Patch) -> Option<Remembered> {
        let like = self.0.iter().enumerate().filter(|(_, r)| r.is(d, look));
        let (newest, _) = like.min_by_key(|(_, r)| r.uses)?;
        Some(self.0.swap_remove(newest))
    }

    /// Whether something was read about where a detection lies, whatever it looked like.
    pub fn was_here(&self, d: &Detection) -> bool {
        let off = |r: &Remembered| (r.face.centre() - d.face.centre()).norm();
        self.0.iter().any(|r| off(r) < HERE * d.face.side())
    }

    /// Frames since what lies about there was looked at in every way and was none; `None` where that is long ago, or the place does not
    /// look as it did.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn was_none(
        &self,
        picture: &(impl MatTraitConst + ToInputArray),
        d: &Detection,
    ) -> Result<Option<u32>, VisionError> {
        let near = |r: &&Remembered| {
            (r.face.centre() - d.face.centre()).norm() < HERE * d.face.side()
                && r.none_for.is_some_and(|frames| frames < WHOLE_AGAIN)
        };
        let newest = self.0.iter().filter(near).min_by_key(|r| r.none_for);
        let Some(newest) = newest else {
            return Ok(None);
        };
        let as_it_did = Patch::of(picture, &newest.face)?.is(&newest.look);
        Ok(newest.none_for.filter(|_| as_it_did))
    }

    /// Takes what was read or recalled in a frame; of the rest it keeps what was no die.
    pub fn renew(&mut self, now: impl IntoIterator<Item = Remembered>) {
        let rest = self.0.drain(..).map(Remembered::used);
        let rest = rest.filter(|r| r.sighting.there < NONE && r.uses < UNSEEN);
        let rest: Vec<Remembered> = rest.collect();
        self.0.extend(now.into_iter().chain(rest));
    }
}

impl Remembered {
    /// A die that was read now; `before` is what was remembered of it.
    pub fn new(face: Quad, look: Patch, sighting: &Sighting, before: Option<&Self>) -> Self {
        Self {
            face,
            look,
            times: match before {
                Some(r) if !r.hasty && r.agrees(sighting) => r.times.saturating_add(1),
                _ => 1,
            },
            sighting: sighting.clone(),
            uses: 0,
            hasty: false,
            none_for: (sighting.there < NONE).then_some(0),
        }
    }

    /// The same if it was looked at `hastily`: then it is looked at anew in the next frame, unless it was in every way not long ago.
    pub fn if_hasty(self, hasty: bool, was_none: Option<u32>) -> Self {
        if !hasty {
            return self;
        }
        Self {
            hasty: was_none.is_none(),
            none_for: was_none.map(|frames| frames + 1),
            ..self
        }
    }

    /// Taken for one frame more, as it was when it was read: what changes slowly has changed at last.
    pub fn used(self) -> Self {
        Self {
            uses: self.uses + 1,
            none_for: self.none_for.map(|frames| frames + 1),
            ..self
        }
    }

    /// Whether it need not be read again; `there` is the chance that it is a die by what was read of it and what the detector says now.
    pub fn lasts(&self, d: &Detection, there: f64) -> bool {
        let within = |(each, most): (u32, u32), times: u32| self.uses < (each * times).min(most);
        if self.sighting.reading.status == Status::Sure {
            within(READ_AGAIN, self.times - 1) && d.score >= 0.5
        } else if self.sighting.there < NONE {
            !self.hasty && there < NONE && within(NONE_AGAIN, self.times)
        } else {
            within(DOUBT_AGAIN, self.times)
        }
    }

    fn is(&self, d: &Detection, look: &Patch) -> bool {
        let corners = self.face.0.iter().zip(&d.face.0);
        let off = corners.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        off <= SAME_PLACE * d.face.side() && self.look.is(look)
    }

    fn agrees(&self, sighting: &Sighting) -> bool {
        if self.sighting.there.max(sighting.there) < NONE {
            return true;
        }
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

    /// A pale face with two dark pips, and more of them at these places.
    fn face(more: &[(i32, i32)]) -> Patch {
        let mut out = Vec::new();
        for (y, x) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
            let on = |(px, py): &(i32, i32)| (x - px).abs() < 2 && (y - py).abs() < 2;
            let dark = [(4, 4), (11, 11)].iter().chain(more).any(on);
            out.extend([if dark { 40.0 } else { 200.0 }; 3]);
        }
        Patch(out)
    }

    fn die(x: f64, score: f64, status: Status) -> (Detection, Sighting) {
        let face = Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]);
        let reading = Reading {
            kind: Some("helm".to_owned()),
            face: Some("F1".to_owned()),
            status,
            confidence: 0.99,
            kind_sure: true,
            likeness: 0.9,
            next: None,
            others: Vec::new(),
            alike_after_deg: 360,
        };
        let detection = Detection::cube(score, Point::new(x + 20.0, 20.0), face);
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
    fn one_sure_reading_is_not_repeated_and_more_are_for_some_frames() {
        let (d, s) = die(0.0, 0.9, Status::Sure);
        let look = face(&[]);
        let first = Remembered::new(d.face, look.clone(), &s, None);
        assert!(!first.lasts(&d, 0.9));
        let lasts = |mut kept: Remembered| {
            let mut frames = 0;
            while kept.lasts(&d, 0.9) {
                kept = kept.used();
                frames += 1;
            }
            (kept, frames)
        };
        let mut last = first;
        for frames in [3, 6, 9, 9] {
            let kept = Remembered::new(d.face, look.clone(), &s, Some(&last));
            let (kept, so_many) = lasts(kept);
            assert_eq!(so_many, frames);
            last = kept;
        }
        // read otherwise, it is as new
        let mut other = s.clone();
        other.reading.face = Some("F2".to_owned());
        let first = Remembered::new(d.face, look, &other, Some(&last));
        assert!(!first.lasts(&d, 0.9));
        // what may be no die after all is read again
        let kept = Remembered::new(d.face, face(&[]), &s, Some(&last));
        assert!(!kept.lasts(&die(0.0, 0.4, Status::Sure).0, 0.9));
    }

    #[test]
    fn what_is_none_is_read_seldom_however_it_was_read_and_remembered_unseen() {
        let (d, mut s) = die(0.0, 0.4, Status::Unsure);
        s.there = 0.1;
        let first = Remembered::new(d.face, face(&[]), &s, None);
        s.reading.face = Some("F2".to_owned());
        let next = Remembered::new(d.face, face(&[]), &s, Some(&first));
        let uses = (0..).scan(Some(next), |last, _| {
            let lasts = |r: &Remembered| r.lasts(&d, 0.1);
            *last = last.take().filter(lasts).map(Remembered::used);
            last.as_ref().map(|_| ())
        });
        assert_eq!(uses.count(), 6);
        // a detector that is surer now says that it is one
        assert!(!Remembered::new(d.face, face(&[]), &s, None).lasts(&d, 0.6));
        let hasty = first.if_hasty(true, None);
        assert!(!hasty.lasts(&d, 0.1));
        assert_eq!(
            Remembered::new(d.face, face(&[]), &s, Some(&hasty)).times,
            1
        );

        let frames = |s: &Sighting| {
            let mut memory = Memory(vec![Remembered::new(d.face, face(&[]), s, None)]);
            let mut n = 0;
            while !memory.0.is_empty() {
                memory.renew([]);
                n += 1;
            }
            n
        };
        assert_eq!(frames(&s), UNSEEN);
        s.there = 0.9;
        assert_eq!(frames(&s), 1);
    }

    #[test]
    fn what_was_none_in_every_way_is_looked_at_hastily_for_some_frames_wherever_its_outline_jumps()
    {
        let (_, mut s) = die(0.0, 0.4, Status::Unsure);
        s.there = 0.1;
        let jumps = |frames: u32| die(20.0 + 6.0 * f64::from(frames % 2), 0.4, Status::Unsure).0;
        // what is printed there, and perhaps a die on it
        let shown = |die: bool| {
            use opencv::core::{CV_8UC3, Mat, Rect, Scalar};
            let mut picture =
                Mat::new_rows_cols_with_default(60, 100, CV_8UC3, Scalar::all(90.0)).unwrap();
            let spot = |picture: &mut Mat, at: Rect, level: f64| {
                opencv::imgproc::rectangle(picture, at, Scalar::all(level), -1, 8, 0).unwrap();
            };
            spot(&mut picture, Rect::new(30, 8, 20, 24), 30.0);
            if die {
                spot(&mut picture, Rect::new(22, 2, 34, 34), 230.0);
            }
            picture
        };
        let bare = shown(false);
        let read = |d: &Detection, hasty: bool, was: Option<u32>| {
            let look = Patch::of(&bare, &d.face).unwrap();
            Remembered::new(d.face, look, &s, None).if_hasty(hasty, was)
        };
        let mut memory = Memory(Vec::new());
        memory.renew([read(&jumps(0), true, None)]);
        assert!(memory.was_here(&jumps(1)));
        assert_eq!(memory.was_none(&bare, &jumps(1)).unwrap(), None);
        memory.renew([read(&jumps(1), false, None)]);
        assert_eq!(
            memory.was_none(&shown(true), &jumps(0)).unwrap(),
            None,
            "a die is laid there"
        );
        let mut frames = 0;
        while let Some(was) = memory.was_none(&bare, &jumps(frames)).unwrap() {
            let now = read(&jumps(frames), true, Some(was));
            assert!(now.lasts(&jumps(frames), 0.1));
            memory.renew([now]);
            frames += 1;
        }
        assert_eq!(frames, WHOLE_AGAIN);
        assert!(memory.was_here(&jumps(0)));
    }

    #[test]
    fn a_die_that_moved_or_looks_otherwise_is_another() {
        let (d, s) = die(0.0, 0.9, Status::Unsure);
        let memory = || Memory(vec![Remembered::new(d.face, face(&[]), &s, None)]);
        assert!(memory().recall(&d, &face(&[])).is_some());
        assert!(
            memory()
                .recall(&die(5.0, 0.9, Status::Unsure).0, &face(&[]))
                .is_none()
        );
        // a pip more
        assert!(memory().recall(&d, &face(&[(8, 4)])).is_none());
        // a camera's noise, and a lamp
        let noisy = |mut look: Patch| {
            let each = look.0.iter_mut().enumerate();
            each.for_each(|(i, v)| *v += 10.0 + 6.0 * ((i * 7919 % 13) as f32 / 6.0 - 1.0));
            look
        };
        assert!(memory().recall(&d, &noisy(face(&[]))).is_some());
        assert!(memory().recall(&d, &noisy(face(&[(8, 4)]))).is_none());
    }
}
