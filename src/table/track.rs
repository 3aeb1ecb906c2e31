//! One die over the frames that show it.

use std::time::Duration;

use super::{Die, DieSeen, Look, look::Spot, votes::Votes};
use crate::copy::{Shape, Status};

/// A die counts as placed when it lay still for so many frames and so long: more frames show it sooner.
const STILL: [(usize, Duration); 2] = [
    (3, Duration::from_millis(200)),
    (4, Duration::from_millis(150)),
];
/// A placed die that is not seen, and of which nobody says that something covers it, is `hidden` for this long,
/// and then gone.
const HIDDEN_FOR: Duration = Duration::from_millis(1500);
/// The same where somebody looks for hands, and there is none: two frames may be read badly.
const GONE_AFTER: Duration = Duration::from_millis(300);
/// The same for a die that has not been placed.
const SLIP_FOR: Duration = Duration::from_millis(120);
/// Moves smaller than this share of a side are jitter.
const JITTER: f64 = 0.2;
/// For so long a worse look at a settled die does not change where it stands: a hand comes near, and goes or covers it. What lasts is
/// something else, as that the die stands on another one.
const WORSE_FOR: Duration = Duration::from_secs(1);
/// A die that is not found is believed in where its place looks as it did for so long. Set by judgement: on cloth that looks like one, dice were found
/// once in half a minute.
const STAYS_FOR: Duration = Duration::from_secs(60);
/// A top face this many pixels wide is read as well as one needs.
const GOOD_SIDE_PX: f64 = 32.0;

/// What one camera last saw of a die.
#[derive(Debug, Clone)]
struct View {
    spot: Spot,
    /// When it was last seen where it stands by that.
    foot_at: Duration,
    frame: u64,
    at: Duration,
    /// The camera's newest frame shows it.
    now: bool,
    /// By how its place looks: as a die it was not found there.
    stayed: bool,
    /// In the camera's newest frame something is before it.
    covered: bool,
    /// Nobody looks for hands with this camera.
    blind: bool,
    /// The camera sends nothing any more.
    lost: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Track {
    pub id: u64,
    pub shape: Shape,
    views: Vec<View>,
    /// Where it was when it began to lie still: slow moves add up.
    anchor: Spot,
    pub votes: Votes,
    still_frames: usize,
    still_since: Duration,
    /// When any camera last saw it, or when one that was lost came back.
    seen: Duration,
    /// When any camera last saw it as a die.
    found: Duration,
    last_sure: Option<String>,
    was_settled: bool,
    /// It has settled since it last moved, though it may have been out of sight since.
    placed: bool,
    /// It was out of sight: what was read before says nothing about what is read now.
    unwatched: bool,
    /// Where the last frame has it, if it lay still elsewhere until then: a hand before a part of it shifts what is taken for its top.
    shifted: Option<Spot>,
}

pub(super) fn spot(camera: &str, seen: &DieSeen) -> Spot {
    Spot {
        camera: camera.to_owned(),
        polygon: seen.sighting.polygon,
        error: seen.sighting.error,
        foot: seen.foot.clone(),
        size_mm: seen.size_mm,
    }
}

impl Track {
    pub fn new(id: u64, camera: &str, frame: u64, at: Duration, seen: &DieSeen) -> Self {
        let anchor = spot(camera, seen);
        let mut track = Self {
            id,
            shape: seen.sighting.shape,
            views: Vec::new(),
            anchor,
            votes: Votes::default(),
            still_frames: 0,
            still_since: at,
            seen: at,
            found: at,
            last_sure: None,
            was_settled: false,
            placed: false,
            unwatched: false,
            shifted: None,
        };
        track.see(camera, frame, at, seen);
        track
    }

    /// How far a die that is seen now is from where this one was last seen, in sides.
    pub fn apart(&self, seen: &Spot) -> Option<f64> {
        let spots = self.views.iter().map(|v| &v.spot).chain(&self.shifted);
        let apart = spots.filter_map(|spot| spot.apart(seen));
        apart.min_by(f64::total_cmp)
    }

    /// Kind and face that are held of it at present.
    pub fn looks_like(&mut self) -> (Option<String>, Option<String>) {
        let reading = self.votes.clone().result();
        (reading.kind, reading.face)
    }

    pub fn is_seen(&self) -> bool {
        self.views.iter().any(|v| v.now)
    }

    /// Whether a camera's newest frame shows it as a die.
    pub fn is_found(&self) -> bool {
        self.views.iter().any(|v| v.now && !v.stayed)
    }

    /// Whether a sighting that would continue it is off where it lies, though nobody has touched it: it is that die's or, beyond that, another one.
    pub fn is_off(&self, seen: &Spot) -> bool {
        self.apart(seen).is_some_and(|apart| apart > JITTER)
    }

    /// It is not found where nothing is in the way: a detector's slip, or it was just taken.
    fn is_slip(&self) -> bool {
        let slip = |v: &View| !v.lost && !v.covered && !v.blind;
        !self.is_seen() && !self.unwatched && self.views.iter().any(slip)
    }

    fn is_shifted_for(&self, camera: &str) -> bool {
        self.shifted.as_ref().is_some_and(|s| s.camera == camera)
    }

    /// What was read and how long it lay still says nothing any more.
    fn unsettle(&mut self, at: Duration) {
        self.votes.clear();
        self.still_frames = 0;
        self.still_since = at;
        self.was_settled = false;
    }

    pub fn see(&mut self, camera: &str, frame: u64, at: Duration, seen: &DieSeen) {
        self.found = at;
        let mut here = spot(camera, seen);
        let unwatched = std::mem::take(&mut self.unwatched);
        if unwatched {
            // what a hand covered may have been turned or changed for another
            self.unsettle(at);
        }
        // two cameras place a die a little apart
        let anchored = self
            .views
            .iter()
            .find(|v| v.spot.camera == camera && self.anchor.camera != camera)
            .map_or(&self.anchor, |v| &v.spot);
        let moved = anchored.apart(&here);
        let new_view = self.views.iter().all(|v| v.spot.camera != camera);
        let moves = moved.is_some_and(|m| m > JITTER && !(new_view && m < 1.0));
        if moves && self.was_settled && self.shifted.is_none() {
            self.shifted = Some(here);
            self.seen = at;
            return;
        }
        if moves || self.is_shifted_for(camera) {
            self.shifted = None;
        }
        match moved {
            Some(_) if moves => {
                // it rolls, or somebody moves it
                self.unsettle(at);
                self.last_sure = None;
                self.placed = false;
                self.anchor = here.clone();
            }
            Some(_) => {}
            // in another frame of reference, and nothing says that it moved
            None => self.anchor = here.clone(),
        }
        // a display was found, or lost, under a die that lies as it lay
        let on = |s: &Spot| s.foot.lies.as_ref().map(|l| l.surface.clone());
        if on(&self.anchor) != on(&here) && moved.is_some_and(|m| m <= JITTER) {
            self.anchor = here.clone();
        }
        // a hand at its edge shifts its outline, and what is nearest to it may be taken for a die below it
        let mut foot_at = at;
        let mut views = self.views.iter().filter(|v| v.spot.camera == camera);
        if self.was_settled
            && !moves
            && !unwatched
            && let Some(old) = views.next()
            && at.saturating_sub(old.foot_at) <= WORSE_FOR
            && old.spot.stands_better(&here)
        {
            here.foot.lies.clone_from(&old.spot.foot.lies);
            foot_at = old.foot_at;
        }
        self.seen = at;
        self.still_frames += 1;
        let view = View {
            spot: here,
            foot_at,
            frame,
            at,
            now: true,
            stayed: false,
            covered: false,
            blind: false,
            lost: false,
        };
        match self.views.iter_mut().find(|v| v.spot.camera == camera) {
            Some(old) => *old = view,
            None => self.views.push(view),
        }
        let sharp = (seen.sighting.polygon.side() / GOOD_SIDE_PX).min(1.0);
        let weight = seen.sighting.there.max(0.05) * sharp * sharp;
        let cameras = self.views.iter().filter(|v| !v.lost).count();
        self.votes
            .cast(weight, seen.sighting.reading.clone(), cameras);
    }

    /// A frame does not show it.
    pub fn miss(&mut self, look: &Look) {
        let (camera, at) = (&look.camera, look.at);
        if self.is_shifted_for(camera) {
            self.shifted = None;
        }
        if let Some(view) = self.views.iter_mut().find(|v| v.spot.camera == *camera) {
            if std::mem::take(&mut view.lost) {
                self.seen = self.seen.max(at);
            }
            view.now = false;
            view.blind = look.blind;
            view.covered = look.covers.iter().any(|c| c.hides(&view.spot));
            if view.covered {
                // patience begins when the hand is gone
                self.seen = self.seen.max(at);
            }
        }
        if !self.is_seen() && !self.is_slip() {
            self.unwatched = true;
        }
    }

    /// What was before it has left it as it was: what was surely read before holds, and what was not is read anew.
    pub fn is_as_it_was(&mut self) {
        self.unwatched &= self.votes.clone().result().status != Status::Sure;
    }

    /// A frame does not show it, but shows its place as it was: it lies there, and nothing is read of it. A hand before it would change that, and
    /// so would its being taken. What was not found for long is missed all the same: it may never have been a die.
    pub fn stay(&mut self, look: &Look) {
        let (camera, at) = (&look.camera, look.at);
        if at.saturating_sub(self.found) > STAYS_FOR {
            return self.miss(look);
        }
        if self.is_shifted_for(camera) {
            self.shifted = None;
        }
        let mut views = self.views.iter_mut();
        if let Some(view) = views.find(|v| v.spot.camera == *camera) {
            (view.now, view.stayed) = (true, true);
            (view.covered, view.lost) = (false, false);
            view.at = at;
            self.seen = self.seen.max(at);
            self.still_frames += 1;
            self.is_as_it_was();
        }
    }

    /// Nothing has changed for a camera: it is seen still, if it was.
    pub fn rest(&mut self, camera: &str, at: Duration) {
        let mut views = self.views.iter();
        if views.any(|v| v.now && v.spot.camera == camera) {
            self.seen = self.seen.max(at);
        }
    }

    /// The camera sends nothing any more.
    pub fn lose(&mut self, camera: &str) {
        for view in self.views.iter_mut().filter(|v| v.spot.camera == camera) {
            view.now = false;
            view.lost = true;
        }
        if !self.is_seen() {
            self.unwatched = true;
        }
    }

    /// Whether it is still there for all that is known.
    pub fn remains(&self, at: Duration) -> bool {
        if self.is_seen() {
            return true;
        }
        let mut watching = self.views.iter().filter(|v| !v.lost).peekable();
        if watching.peek().is_none() {
            return self.placed;
        }
        if !self.placed {
            // one that rolls is nowhere in particular: a frame or two may be read badly
            return self.is_slip() && at.saturating_sub(self.seen) < SLIP_FOR;
        }
        let mut patience = GONE_AFTER;
        for view in watching {
            if view.covered {
                return true;
            }
            if view.blind {
                patience = HIDDEN_FOR;
            }
        }
        at.saturating_sub(self.seen) < patience
    }

    /// The camera that shows it best, of those that show it now if any does.
    fn best(&self) -> Option<&View> {
        let side = |v: &&View| (v.now, v.spot.polygon.side());
        let all = self.views.iter();
        all.max_by(|a, b| {
            let ((now_a, side_a), (now_b, side_b)) = (side(a), side(b));
            now_a.cmp(&now_b).then(side_a.total_cmp(&side_b))
        })
    }

    pub fn newest_spot(&self) -> &Spot {
        self.best().map_or(&self.anchor, |v| &v.spot)
    }

    pub fn die(&mut self, at: Duration) -> Die {
        let hidden = !self.is_seen() && !self.is_slip();
        let last = self.views.iter().map(|v| v.at).max().unwrap_or(at);
        let settled = if !self.is_seen() {
            self.was_settled
        } else {
            let lay = last.saturating_sub(self.still_since);
            let mut long = STILL.iter();
            long.any(|(frames, time)| self.still_frames >= *frames && lay >= *time)
        };
        let mut reading = self.votes.result();
        if !settled && reading.status == Status::Sure {
            reading.status = Status::Unsure;
        }
        if hidden {
            reading.status = Status::Hidden;
        } else if reading.status == Status::Sure {
            self.last_sure.clone_from(&reading.face);
        }
        self.was_settled = settled;
        self.placed |= settled;
        let last_sure = self
            .last_sure
            .clone()
            .filter(|_| reading.status != Status::Sure);
        let (spot, frame) = match self.best() {
            Some(view) => (&view.spot, view.frame),
            None => (&self.anchor, 0),
        };
        Die {
            id: self.id,
            shape: self.shape,
            polygon: spot.polygon,
            error: spot.error,
            reading,
            last_sure,
            settled,
            still_since: self.still_since,
            foot: Some(spot.foot.clone()),
            camera: spot.camera.clone(),
            elsewhere: self
                .views
                .iter()
                .filter(|v| v.now && v.spot.camera != spot.camera)
                .map(|v| (v.spot.camera.clone(), v.spot.polygon))
                .collect(),
            frame,
        }
    }
}
