//! Dice whose place looks as it did when they were last seen there: whether they are found in a frame or not, they lie there, if they were dice.

use std::collections::BTreeMap;

use crate::{
    capture::Picture,
    copy::Status,
    geometry::Quad,
    table::{Look, Table},
    vision::{Patch, VisionError},
};

/// What was taken for a die and is none lies where a die was seen that is no farther off than this part of its side. Set by judgement.
const THERE: f64 = 0.5;

/// A die has moved that is so far from where it lay, as a part of its side: less is jitter, as it is to a track.
const MOVED: f64 = 0.2;

/// What one camera last saw of a die that lies still.
struct Seen {
    face: Quad,
    look: Patch,
}

/// What one camera last saw of dice that lie still, by their numbers.
#[derive(Default)]
pub(super) struct Untouched(BTreeMap<u64, Seen>);

impl Untouched {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Tells a look which of them look in its frame as they did when they were last seen: where they lay, pixels by the same light, but for noise. Of
    /// what is `none`, though it was read as a die, no more is kept.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn tell(
        &mut self,
        picture: &Picture,
        none: &[Quad],
        look: &mut Look,
    ) -> Result<(), VisionError> {
        let is_at = |a: &Quad, b: &Quad| (a.centre() - b.centre()).norm() < THERE * b.side();
        self.0
            .retain(|_, seen| !none.iter().any(|n| is_at(n, &seen.face)));
        for (id, seen) in &self.0 {
            if Patch::in_picture(picture, &seen.face)?.is(&seen.look) {
                look.untouched.push(*id);
            }
        }
        Ok(())
    }

    /// Takes what the table holds after a look: how those look that were seen in its frame, and none that is gone. Of those that were not seen it keeps
    /// how they looked, for a hand before them goes again.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn renew(
        &mut self,
        picture: &Picture,
        look: &Look,
        table: &Table,
    ) -> Result<(), VisionError> {
        // one that another camera sees better is that one's to know
        let own = || table.dice.iter().filter(|d| d.camera == look.camera);
        self.0.retain(|id, _| own().any(|d| d.id == *id));
        for die in own() {
            let seen = die.frame == look.frame && die.status() != Status::Hidden;
            match (seen, die.settled) {
                (true, true) => {
                    let seen = Seen {
                        face: die.polygon,
                        look: Patch::in_picture(picture, &die.polygon)?,
                    };
                    self.0.insert(die.id, seen);
                }
                // what was out of sight is not known to lie still at first, and lies there all the same
                (true, false) => {
                    let off = |seen: &Seen| (seen.face.centre() - die.polygon.centre()).norm();
                    let moved = |seen: &Seen| off(seen) > MOVED * die.polygon.side();
                    if self.0.get(&die.id).is_some_and(moved) {
                        self.0.remove(&die.id);
                    }
                }
                (false, _) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use super::*;
    use crate::{
        copy::Shape,
        table::{DieSeen, Foot, Tracker},
        vision::{Reading, Sighting},
    };

    /// A grey table with a face of chequers on it, if it is there, whose pixels are so much lighter.
    fn picture(die: Option<u32>, lighter: u8) -> Picture {
        let mut rgb = Vec::new();
        for (y, x) in (0..120_u32).flat_map(|y| (0..160_u32).map(move |x| (y, x))) {
            let on =
                die.is_some_and(|left| (left..left + 40).contains(&x) && (40..80).contains(&y));
            let v = match on {
                true => 60 + 120 * ((x / 10 + y / 10) % 2) as u8,
                false => 100,
            };
            rgb.extend([v + lighter; 3]);
        }
        Picture::from_rgb(160, 120, rgb).unwrap()
    }

    fn face(left: f64) -> Quad {
        let right = left + 40.0;
        Quad::from_pairs([[left, 40.0], [right, 40.0], [right, 80.0], [left, 80.0]])
    }

    fn look(frame: u64, camera: &str, dice: &[f64]) -> Look {
        let seen = |left: &f64| DieSeen {
            sighting: Sighting {
                shape: Shape::D6,
                score: 0.9,
                there: 0.9,
                polygon: face(*left),
                error: 0.03,
                reading: Reading {
                    kind: None,
                    face: None,
                    status: Status::Unsure,
                    confidence: 0.5,
                    kind_sure: false,
                    likeness: 0.9,
                    next: None,
                    others: Vec::new(),
                    alike_after_deg: 360,
                },
            },
            foot: Foot {
                lies: None,
                table_mm: None,
            },
            size_mm: 16.0,
        };
        Look {
            camera: camera.to_owned(),
            frame,
            at: Duration::from_millis(100 * frame),
            dice: dice.iter().map(seen).collect(),
            pieces: Vec::new(),
            covers: Vec::new(),
            sees: Vec::new(),
            blind: true,
            untouched: Vec::new(),
        }
    }

    /// One that has seen a die lie at 50 for so many looks.
    fn after(looks: u64) -> (Untouched, Tracker) {
        let (mut untouched, mut tracker) = (Untouched::default(), Tracker::default());
        for frame in 0..looks {
            let look = look(frame, "a", &[50.0]);
            let table = tracker.add(&look);
            untouched
                .renew(&picture(Some(50), 0), &look, &table)
                .unwrap();
        }
        (untouched, tracker)
    }

    #[test]
    fn what_lies_as_it_lay_is_untouched_and_what_was_pushed_or_taken_is_not() {
        let (mut all, _) = after(5);
        let mut told = |shown: &Picture, none: &[Quad]| {
            let mut look = look(9, "a", &[]);
            all.tell(shown, none, &mut look).unwrap();
            look.untouched
        };
        assert_eq!(told(&picture(Some(50), 0), &[]), [1]);
        // in a little more light, too
        assert_eq!(told(&picture(Some(50), 15), &[]), [1]);
        for die in [None, Some(56), Some(100)] {
            assert!(told(&picture(die, 0), &[]).is_empty(), "{die:?}");
        }
        assert_eq!(told(&picture(Some(50), 0), &[face(100.0)]), [1]);
        // it was print, and is that for good
        assert!(told(&picture(Some(50), 0), &[face(52.0)]).is_empty());
        assert!(told(&picture(Some(50), 0), &[]).is_empty());
    }

    #[test]
    fn only_what_lay_still_is_kept_and_what_is_gone_is_not() {
        let told = |all: &mut Untouched| {
            let mut look = look(99, "a", &[]);
            all.tell(&picture(Some(50), 0), &[], &mut look).unwrap();
            look.untouched
        };
        let (mut rolls, _) = after(1);
        assert!(told(&mut rolls).is_empty());
        // somebody pushes it, and it is seen to
        let (mut all, mut tracker) = after(5);
        for frame in 5..8 {
            let look = look(frame, "a", &[75.0]);
            let table = tracker.add(&look);
            all.renew(&picture(Some(75), 0), &look, &table).unwrap();
        }
        assert!(told(&mut all).is_empty());
        // another camera sees it better now
        let (mut all, mut tracker) = after(5);
        let mut table = tracker.table(Duration::from_secs(1), 9);
        for die in &mut table.dice {
            die.camera = "b".to_owned();
        }
        all.renew(&picture(Some(50), 0), &look(9, "a", &[]), &table)
            .unwrap();
        assert!(told(&mut all).is_empty());
        // the table has it no more
        let (mut all, _) = after(5);
        all.renew(&picture(None, 0), &look(9, "a", &[]), &Table::default())
            .unwrap();
        assert!(told(&mut all).is_empty());
    }
}
