//! What looks through one camera, and what it saw last.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::untouched::Untouched;
use crate::{
    capture::{CameraId, Frame, Picture},
    copy::{Shape, Status},
    rig::Sight,
    table::{Die, Table},
    vision::{Eye, Gate, Sighting, Standing, VisionError},
};

/// What looks through one camera.
pub(super) struct Post {
    /// Whose frames it looks at; none before the first one.
    pub camera: Option<String>,
    pub eye: Eye,
    pub gate: Gate,
    pub sight: Sight,
    /// Whether what was last seen was seen with this sight.
    pub sight_lasts: bool,
    /// Until when a recording's last frame is being looked at.
    pub busy_until: Duration,
    /// The last frame, where it was not looked at.
    pub passed: Option<Frame>,
    /// Nothing had changed in the last frame.
    pub rests: bool,
    /// What looking at the last frame cost that was looked at.
    pub seeing: Duration,
    /// The surfaces that were last seen, and the picture that showed them.
    pub last: Option<(Arc<Sight>, Pictured)>,
    /// What the last frame showed that was looked at as a whole.
    pub looked: Option<Looked>,
    /// How dice looked that lie still.
    pub untouched: Untouched,
}

impl Post {
    pub fn new(eye: Eye) -> Self {
        Self {
            camera: None,
            eye,
            gate: Gate::default(),
            sight: Sight::plain([0, 0]),
            sight_lasts: false,
            busy_until: Duration::ZERO,
            passed: None,
            rests: false,
            seeing: Duration::ZERO,
            last: None,
            looked: None,
            untouched: Untouched::default(),
        }
    }

    /// A frame that is not looked at shows what was last seen.
    pub fn shows(&mut self, frame: &Frame) {
        if let Some((_, picture)) = &mut self.last {
            *picture = Pictured {
                examined: false,
                ..Pictured::of(frame, self.seeing)
            };
        }
    }

    /// Whether a die that was surely read is not known to lie still yet.
    pub fn waits_for_dice(&self, table: &Table) -> bool {
        let (Some(looked), Some(camera)) = (&self.looked, &self.camera) else {
            return false;
        };
        !looked.come_to_lie(table, camera).is_empty()
    }

    /// Whether nothing that it saw last is still being made out.
    pub fn is_quiet(&self, table: &Table) -> bool {
        let mine = |camera: &String| self.camera.as_ref() == Some(camera);
        let mut dice = table.dice.iter().filter(|d| mine(&d.camera));
        let seen = self.last.iter().flat_map(|(sight, _)| sight.seen());
        dice.all(|d| d.settled && d.status() != Status::Hidden)
            && seen.into_iter().all(|s| s.status != Status::Hidden)
    }
}

/// A frame as a view shows it.
#[derive(Clone)]
pub(super) struct Pictured {
    pub picture: Picture,
    pub camera: CameraId,
    pub at: Duration,
    pub sequence: u64,
    pub captured: Option<Instant>,
    pub seeing: Duration,
    pub examined: bool,
}

impl Pictured {
    pub fn of(frame: &Frame, seeing: Duration) -> Self {
        Self {
            picture: frame.picture.clone(),
            camera: frame.camera.clone(),
            at: frame.at,
            sequence: frame.sequence,
            captured: frame.captured,
            seeing,
            examined: true,
        }
    }
}

/// So often dice that came to lie are glanced at before all is looked at again, and for so long.
const GLANCES: u32 = 3;
const GLANCE_FOR: Duration = Duration::from_millis(200);
/// A die of the table is the one that was seen so near, in sides.
const ITSELF: f64 = 0.3;

/// What a frame showed that was looked at as a whole: of dice that were seen to lie there the next frames need only show that they still do.
pub(super) struct Looked {
    at: Duration,
    picture: Picture,
    sightings: Vec<Sighting>,
    standing: Option<Standing>,
    glances: u32,
}

impl Looked {
    pub fn new(
        at: Duration,
        picture: Picture,
        sightings: Vec<Sighting>,
        standing: Option<Standing>,
    ) -> Self {
        Self {
            at,
            picture,
            sightings,
            standing,
            glances: 0,
        }
    }

    /// Whether a glance will do, and it is not time to look at all.
    pub fn may_be_glanced_at(&self, now: Duration) -> bool {
        self.glances < GLANCES && now.saturating_sub(self.at) <= GLANCE_FOR
    }

    /// Which of its dice are surely read and not known to lie still yet.
    pub fn come_to_lie(&self, table: &Table, camera: &str) -> Vec<usize> {
        let is = |s: &Sighting, d: &Die| {
            let off = (d.polygon.centre() - s.polygon.centre()).norm();
            off < ITSELF * s.polygon.side()
        };
        let moves = |s: &Sighting| {
            let mut dice = table.dice.iter().filter(|d| d.camera == camera);
            dice.any(|d| !d.settled && d.status() != Status::Hidden && is(s, d))
        };
        let sure = |s: &Sighting| s.shape == Shape::D6 && s.reading.status == Status::Sure;
        let which = self.sightings.iter().enumerate();
        which
            .filter(|(_, s)| sure(s) && moves(s))
            .map(|(i, _)| i)
            .collect()
    }

    /// Those of some dice that lie in this picture as they lay, as it shows them. If none does it is time to look at all.
    pub fn glance(
        &mut self,
        eye: &mut Eye,
        picture: &Picture,
        sight: &Sight,
        which: &[usize],
    ) -> Result<Vec<Sighting>, VisionError> {
        let pictures = [&self.picture, picture];
        let standing = self.standing.as_ref();
        let seen = eye.glance(pictures, sight, standing, &self.sightings, which)?;
        self.glances = match seen.is_empty() {
            true => GLANCES,
            false => self.glances + 1,
        };
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        copy::{load, shipped},
        geometry::Quad,
        rig::Rig,
        session::Session,
        table::Tracker,
        vision::Reading,
    };

    fn seen(x: f64, status: Status) -> Sighting {
        let polygon = Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]);
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there: 0.95,
            polygon,
            error: 0.03,
            reading: Reading {
                kind: Some("helm".to_owned()),
                face: Some("F1".to_owned()),
                status,
                confidence: 0.995,
                kind_sure: true,
                likeness: 0.9,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        }
    }

    #[test]
    fn what_was_surely_read_and_is_not_known_to_lie_still_is_glanced_at() {
        let all = [
            seen(0.0, Status::Sure),
            seen(100.0, Status::Unsure),
            seen(200.0, Status::Sure),
        ];
        let session = Session::new(load(&shipped("practice")).unwrap(), Rig::default()).unwrap();
        let sight = Sight::plain([640, 480]);
        let mut tracker = Tracker::default();
        let mut look = |ms: u64, dice: &[Sighting]| {
            let at = Duration::from_millis(ms);
            tracker.add(&session.look("a", ms, at, dice, None, &sight))
        };
        for ms in [0, 100, 200] {
            look(ms, &all[2..]);
        }
        let table = look(300, &all);
        let picture = Picture::from_rgb(2, 2, vec![0; 12]).unwrap();
        let ms = Duration::from_millis;
        let mut looked = Looked::new(ms(300), picture, all.to_vec(), None);
        assert_eq!(looked.come_to_lie(&table, "a"), [0]);
        assert!(looked.come_to_lie(&table, "b").is_empty());
        assert!(looked.may_be_glanced_at(ms(400)));
        assert!(!looked.may_be_glanced_at(ms(600)), "all is looked at again");
        looked.glances = GLANCES;
        assert!(!looked.may_be_glanced_at(ms(400)));
    }
}
