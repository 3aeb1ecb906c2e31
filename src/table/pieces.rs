//! Miniatures and tokens over the frames that show them.

use std::time::Duration;

use super::{Foot, Look, PieceSeen, look::Spot};
use crate::{copy::Status, geometry::Quad};

/// As for dice; miniatures are slid, square by square.
const STILL_FRAMES: usize = 3;
const STILL_FOR: Duration = Duration::from_millis(250);
const HIDDEN_FOR: Duration = Duration::from_millis(1500);
const GONE_AFTER: Duration = Duration::from_millis(400);
/// How large a piece is taken to be, for how far it moves.
const SIZE_MM: f64 = 25.0;
/// Moves smaller than this share of a piece, and turns smaller than this, are jitter.
const JITTER: f64 = 0.2;
const TURN_DEG: f64 = 20.0;
/// The same between two cameras, so many times as large.
const TWO_CAMERAS: f64 = 2.0;
/// So many frames in a row must doubt what was sure, for it to be unsure.
const DOUBTS: usize = 5;
/// So many frames in a row must doubt which way it faces: a tail that is taken for the nose every other time is no turn.
const NOSE_DOUBTS: usize = 12;
/// Two pieces of a kind are no nearer to each other, in sizes.
const ROOM: f64 = 0.5;

/// A miniature or a token on the table, as agreed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The same piece keeps its number.
    pub id: u64,
    /// The copy's word for it: a miniature's id, or a token's kind and side with a blank between.
    pub what: String,
    /// All that it may be in the newest frame; `None` for nothing of the copy. Empty where nobody says.
    pub may_be: Vec<Option<String>>,
    pub foot: Foot,
    /// Clockwise from the surface's x axis; `None` for what has no front.
    pub heading_deg: Option<f64>,
    /// Whether it is surely not turned by a quarter or a half from that.
    pub heading_sure: bool,
    /// Whether it is `what`, and stands there: `hidden` while it cannot be seen where it was; `unsure` while it moves.
    pub status: Status,
    /// Chance that it is `what`, 0 to 1.
    pub confidence: f64,
    /// Whether it has stood still long enough.
    pub settled: bool,
    /// Whether it was ever surely read, or is in the newest frame: what never was may be nothing at all.
    pub believed: bool,
    pub still_since: Duration,
    /// In the pixels of the camera that saw it last.
    pub polygon: Quad,
    pub camera: String,
    pub frame: u64,
}

impl Piece {
    /// What is said of it with the way it faces.
    pub fn facing_status(&self) -> Status {
        match self.status {
            Status::Sure if !self.heading_sure => Status::Unsure,
            status => status,
        }
    }
}

/// What several frames agree on: one is no evidence, neither for nor against.
#[derive(Debug, Clone, Copy, Default)]
struct Agreed {
    /// Frames in a row that are sure, and that are not; and what came of them.
    sures: usize,
    doubts: usize,
    known: bool,
}

impl Agreed {
    /// One frame more, which is sure, doubts it, or says nothing of it; so many doubts are believed.
    fn count(&mut self, says: Option<bool>, believed: usize, settled: bool) {
        (self.sures, self.doubts) = match says {
            Some(true) => (self.sures + 1, 0),
            Some(false) => (0, self.doubts + 1),
            None => (self.sures, 0),
        };
        self.known =
            settled && (self.known && self.doubts < believed || self.sures >= STILL_FRAMES);
    }
}

#[derive(Debug, Clone)]
pub(super) struct PieceTrack {
    piece: Piece,
    spot: Spot,
    anchor: Spot,
    anchor_deg: Option<f64>,
    /// Whether that was surely its nose.
    anchor_sure: bool,
    only: bool,
    frames: usize,
    seen: Duration,
    settled: bool,
    agreed: Agreed,
    heading: Agreed,
    covered: bool,
    blind: bool,
    lost: bool,
}

/// The smallest angle between two headings.
fn turned_by(a: Option<f64>, b: Option<f64>) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs(),
        _ => 0.0,
    }
}

fn spot(camera: &str, seen: &PieceSeen) -> Spot {
    Spot {
        camera: camera.to_owned(),
        polygon: seen.polygon,
        error: 0.0,
        foot: seen.foot.clone(),
        size_mm: SIZE_MM,
    }
}

impl PieceTrack {
    pub fn new(id: u64, camera: &str, frame: u64, at: Duration, seen: &PieceSeen) -> Self {
        let here = spot(camera, seen);
        let piece = Piece {
            id,
            what: seen.what.clone(),
            may_be: seen.may_be.clone(),
            foot: seen.foot.clone(),
            heading_deg: seen.heading_deg,
            heading_sure: false,
            status: Status::Unsure,
            confidence: seen.confidence,
            settled: false,
            believed: false,
            still_since: at,
            polygon: seen.polygon,
            camera: camera.to_owned(),
            frame,
        };
        let mut track = Self {
            piece,
            anchor: here.clone(),
            spot: here,
            anchor_deg: seen.heading_deg,
            anchor_sure: seen.heading_sure,
            only: seen.only,
            frames: 0,
            seen: at,
            settled: false,
            agreed: Agreed::default(),
            heading: Agreed::default(),
            covered: false,
            blind: false,
            lost: false,
        };
        track.see(camera, frame, at, seen);
        track
    }

    /// How near a piece that is seen now is to this one, if it may be the same: 0 is at the same place.
    pub fn apart(&self, camera: &str, seen: &PieceSeen) -> Option<f64> {
        if self.piece.what != seen.what {
            return None;
        }
        let apart = self.spot.apart(&spot(camera, seen));
        // the one miniature is the same however far it went, where it is surely it
        if self.only && seen.status == Status::Sure {
            return Some(apart.unwrap_or(0.0));
        }
        apart.filter(|a| *a < 1.0)
    }

    pub fn see(&mut self, camera: &str, frame: u64, at: Duration, seen: &PieceSeen) {
        let here = spot(camera, seen);
        let moved = self.anchor.apart(&here);
        let turned = turned_by(self.anchor_deg, seen.heading_deg);
        // two cameras place a piece a little apart
        let play = if self.anchor.camera == camera {
            1.0
        } else {
            TWO_CAMERAS
        };
        let elsewhere = turned > play * TURN_DEG;
        // only what surely faced one way and surely faces another has turned
        let turned = elsewhere && self.anchor_sure && seen.heading_sure;
        if moved.is_none_or(|m| m > play * JITTER) || turned {
            self.frames = 0;
            self.piece.still_since = at;
            self.settled = false;
            self.anchor = here.clone();
            self.anchor_deg = None;
            self.anchor_sure = false;
            self.heading = Agreed::default();
        }
        if self.anchor_deg.is_none() || seen.heading_sure && !self.anchor_sure {
            self.anchor_deg = seen.heading_deg;
            self.anchor_sure = seen.heading_sure;
        }
        self.frames += 1;
        self.seen = at;
        self.spot = here;
        (self.covered, self.lost) = (false, false);
        self.settled |=
            self.frames >= STILL_FRAMES && at.saturating_sub(self.piece.still_since) >= STILL_FOR;
        self.piece.foot = seen.foot.clone();
        self.piece.may_be.clone_from(&seen.may_be);
        self.piece.polygon = seen.polygon;
        camera.clone_into(&mut self.piece.camera);
        self.piece.frame = frame;
        self.piece.confidence = seen.confidence;
        let sure = seen.status == Status::Sure;
        self.agreed.count(Some(sure), DOUBTS, self.settled);
        let faces = match (sure && seen.heading_sure, elsewhere) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            // what is seen the same way, but with less to go by, tells nothing
            (false, false) => None,
        };
        self.heading.count(faces, NOSE_DOUBTS, self.settled);
        if seen.heading_sure || !self.heading.known {
            self.piece.heading_deg = seen.heading_deg;
        }
        self.piece.settled = self.settled;
        self.piece.believed |= self.agreed.known;
        self.piece.heading_sure = self.heading.known;
        self.piece.status = if self.agreed.known {
            Status::Sure
        } else {
            Status::Unsure
        };
    }

    pub fn miss(&mut self, look: &Look) {
        if self.spot.camera != look.camera {
            return;
        }
        self.lost = false;
        self.blind = look.blind;
        self.covered = look.covers.iter().any(|c| c.hides(&self.spot));
        if self.covered {
            self.seen = self.seen.max(look.at);
            self.forget_heading();
        }
        self.piece.status = Status::Hidden;
    }

    /// What has a front may be turned where nobody sees it.
    fn forget_heading(&mut self) {
        if self.anchor_deg.is_some() {
            self.heading = Agreed::default();
            (self.anchor_deg, self.anchor_sure) = (None, false);
        }
    }

    /// Where it stands, and how large it is taken to be, if it is seen.
    pub fn stands(&self) -> Option<(Spot, bool)> {
        (self.piece.status != Status::Hidden).then(|| (self.spot.clone(), self.only))
    }

    /// Whether it is out of sight where another of its kind is seen: it was taken for that one.
    pub fn is_under(&self, (spot, only): &(Spot, bool)) -> bool {
        let apart = self.spot.apart(spot);
        self.piece.status == Status::Hidden && self.only == *only && apart.is_some_and(|a| a < ROOM)
    }

    /// Nothing has changed for a camera: it is seen still, if it was.
    pub fn rest(&mut self, camera: &str, at: Duration) {
        if self.spot.camera == camera && self.piece.status != Status::Hidden {
            self.seen = self.seen.max(at);
        }
    }

    pub fn lose(&mut self, camera: &str) {
        if self.spot.camera == camera {
            self.lost = true;
            self.forget_heading();
            self.piece.status = Status::Hidden;
        }
    }

    pub fn remains(&self, at: Duration) -> bool {
        if self.piece.status != Status::Hidden || self.lost || self.covered {
            return true;
        }
        let patience = if self.blind { HIDDEN_FOR } else { GONE_AFTER };
        self.settled && at.saturating_sub(self.seen) < patience
    }

    /// As a still picture shows it.
    pub fn at_once(id: u64, seen: &PieceSeen) -> Piece {
        let piece = Self::new(id, "", 0, Duration::ZERO, seen).piece;
        Piece {
            status: seen.status,
            heading_sure: seen.heading_sure,
            settled: true,
            believed: true,
            ..piece
        }
    }

    pub fn piece(&self) -> Piece {
        Piece {
            believed: self.piece.believed || self.agreed.sures > 0,
            ..self.piece.clone()
        }
    }
}
