//! The whole line in one place: frames in, views out.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    Declaration, Duel, Event, GameState, Happening, Judged, MiniReport, Placing, Session,
    SurfaceEvent, SurfaceReport, TokenReport, ZoneOutline,
    post::{Looked, Pictured, Post},
    steady::Steady,
};
use crate::{
    capture::{CameraId, CaptureError, Frame, Next, Picture, Source, SourceEvent},
    geometry::Quad,
    rig::{Marked, Sight},
    table::{Die, Piece, Table, Tracker},
    vision::{Eye, PieceSighting, Seen, VisionError, masked},
};

/// Everything that is known after one frame.
#[derive(Debug, Clone)]
pub struct View {
    pub picture: Picture,
    pub camera: CameraId,
    /// How many cameras look at the table.
    pub cameras: usize,
    /// On the source's own clock.
    pub at: Duration,
    pub sequence: u64,
    pub dice: Vec<Die>,
    /// Where each of `dice` lies.
    pub placings: Vec<Placing>,
    /// Miniatures and tokens.
    pub pieces: Vec<Piece>,
    pub minis: Vec<MiniReport>,
    pub tokens: Vec<TokenReport>,
    /// Displays, boards and trays.
    pub surfaces: Vec<SurfaceReport>,
    /// Zones and squares of those that are seen.
    pub zones: Vec<ZoneOutline>,
    pub judged: Judged,
    /// The game as it stands; none of games that are not followed.
    pub game: Option<GameState>,
    pub events: Vec<Event>,
    pub surface_events: Vec<SurfaceEvent>,
    /// What happened in the game.
    pub happenings: Vec<Happening>,
    /// How old the frame was when it was announced; `None` for recordings.
    pub age: Option<Duration>,
    /// What seeing cost, of the last frame that was looked at.
    pub seeing: Duration,
    /// Whether the frame was looked at; not where nothing had changed since the last one that was.
    pub examined: bool,
}

impl View {
    /// The camera's name, where there are several.
    pub fn one_of_several(&self) -> Option<&str> {
        (self.cameras > 1).then_some(self.camera.0.as_str())
    }
}

/// What one step of the line gave.
#[derive(Debug)]
pub enum Step {
    View(Box<View>),
    Source(SourceEvent),
    Skipped(CaptureError),
    Pending,
    End,
}

/// What looking at a frame of a recording is taken to cost, on the recording's clock: the frames that come in that time a
/// live program would not have seen. So the same file gives the same lines, however fast the machine is.
const LOOKING: Duration = Duration::from_millis(90);
/// The same of a glance at dice that came to lie: of one it took 5 ms, of seven 9.
const GLANCING: Duration = Duration::from_millis(10);
/// And what looking through one for paper octahedra is.
const THROUGH: Duration = Duration::from_millis(1200);
/// And what one step of the search for surfaces that are missing is taken to cost.
const SEARCHING: Duration = Duration::from_millis(50);

/// A source, an eye for each of its cameras, and a session, run frame by frame.
pub struct Player {
    source: Box<dyn Source>,
    posts: Vec<Post>,
    tracker: Tracker,
    session: Session,
    notes: Vec<String>,
    /// The camera of the rig that took a recording, where somebody said which.
    taken_by: Option<String>,
    /// The last frame's time.
    at: Duration,
    /// What came of declarations since the last frame.
    declared: Vec<Happening>,
    /// What is still to be declared in a recording, in order of time.
    script: VecDeque<(Duration, Declaration)>,
    /// The last table, and the camera whose frame made it.
    last: Option<(Table, String)>,
    /// What a camera that was lost leaves known, to be told next.
    left: Option<Box<View>>,
    steady: Steady,
}

impl Player {
    pub fn new(source: Box<dyn Source>, eye: Eye, session: Session) -> Self {
        Self::with_eyes(source, eye, Vec::new(), session)
    }

    /// The same with an eye for each camera of the source: the first one's, and those of the others.
    pub fn with_eyes(
        source: Box<dyn Source>,
        first: Eye,
        others: Vec<Eye>,
        session: Session,
    ) -> Self {
        let live = source.is_live();
        let eyes = std::iter::once(first).chain(others).map(|mut eye| {
            if live {
                eye.search_beside();
            }
            eye
        });
        Self {
            source,
            posts: eyes.map(Post::new).collect(),
            tracker: Tracker::default(),
            session,
            notes: Vec::new(),
            taken_by: None,
            at: Duration::ZERO,
            declared: Vec::new(),
            script: VecDeque::new(),
            last: None,
            left: None,
            steady: Steady::default(),
        }
    }

    /// What was called out in a recording, and when on its clock.
    #[must_use]
    pub fn declared_in(mut self, mut script: Vec<(Duration, Declaration)>) -> Self {
        script.sort_by_key(|(at, _)| *at);
        self.script = script.into();
        self
    }

    /// Takes what somebody declares now: it is told with the next frame.
    pub fn declare(&mut self, said: &Declaration) {
        let said = self.session.declare(self.at, said);
        self.declared.extend(said);
    }

    /// The last picture's view with what was declared since: for when no next frame comes.
    pub fn again(&mut self) -> Option<View> {
        self.steady.clear();
        self.last_seen()
    }

    fn last_seen(&mut self) -> Option<View> {
        let (table, camera) = self.last.take()?;
        let (sight, picture) = self.post(&camera)?.last.clone()?;
        let view = self.view(table, sight, picture);
        Some(view)
    }

    /// Says which camera of the rig took a recording; the only one, where nobody says.
    #[must_use]
    pub fn taken_by(mut self, camera: Option<String>) -> Self {
        self.taken_by = camera;
        self
    }

    /// Keeps what a person showed in a camera's newest picture with four corners, and looks there.
    ///
    /// # Errors
    /// One sentence, where the rig's pictures of this camera are of another shape.
    pub fn mark(&mut self, camera: &CameraId, what: &Marked, corners: Quad) -> Result<(), String> {
        let called = self.called(camera);
        let Some(post) = self.post_mut(&camera.0) else {
            return Ok(());
        };
        let size = post.sight.size_px();
        let rig = self.session.rig_mut();
        rig.mark(&called, size, what, corners)?;
        if let (Marked::Surface(surface), Some(post)) = (what, self.post_mut(&camera.0)) {
            post.eye.expect(surface, corners);
        }
        self.sight_anew(camera, &called);
        Ok(())
    }

    /// Forgets the trays and masks that were shown in a camera's pictures.
    pub fn unmark(&mut self, camera: &CameraId) {
        let called = self.called(camera);
        self.session.rig_mut().unmark(&called);
        self.sight_anew(camera, &called);
    }

    /// What the rig calls a camera.
    fn called(&self, camera: &CameraId) -> String {
        // a recording is of the rig's only camera, where nothing else is said
        let only = match &self.session.rig().cameras[..] {
            [only] if !self.names_its_cameras() => only.id.clone(),
            _ => None,
        };
        // of several each has a name of its own
        let said = self.taken_by.clone().filter(|_| !self.several());
        let known = said.or(only);
        known.unwrap_or_else(|| camera.0.clone())
    }

    /// Whether frames carry the name by which the rig knows their camera.
    fn names_its_cameras(&self) -> bool {
        self.source.is_live() || self.source.cameras() > 1
    }

    /// The rig says something else of the camera than it did.
    fn sight_anew(&mut self, camera: &CameraId, called: &str) {
        let Some(post) = self.post(&camera.0) else {
            return;
        };
        let size = post.sight.size_px();
        let (sight, _) = self.session.rig().sight(Some(called), size);
        if let Some(post) = self.post_mut(&camera.0) {
            post.sight = sight;
            post.sight_lasts = false;
            post.looked = None;
            post.untouched.clear();
            post.gate.clear();
        }
    }

    fn post(&self, camera: &str) -> Option<&Post> {
        let mut posts = self.posts.iter();
        posts.find(|p| p.camera.as_deref() == Some(camera))
    }

    fn post_mut(&mut self, camera: &str) -> Option<&mut Post> {
        let mut posts = self.posts.iter_mut();
        posts.find(|p| p.camera.as_deref() == Some(camera))
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn is_live(&self) -> bool {
        self.source.is_live()
    }

    /// Whether several cameras look at the table.
    pub fn several(&self) -> bool {
        self.source.cameras() > 1
    }

    /// Sentences about what was converted on the way, since last asked.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.source.take_notes());
        notes
    }

    pub fn camera(&self) -> &CameraId {
        self.source.camera()
    }

    /// Takes the source's next thing and follows it to its end.
    ///
    /// # Errors
    /// The source cannot go on, or a library failed.
    pub fn step(&mut self) -> Result<Step, StepError> {
        if let Some(view) = self.left.take() {
            return Ok(Step::View(view));
        }
        Ok(match self.source.next()? {
            Next::Frame(frame) => {
                // judged by the table before this frame
                while let Some((_, said)) = self.script.pop_front_if(|(at, _)| *at <= frame.at) {
                    self.declare(&said);
                }
                let view = self.look(&frame)?;
                self.source.rest(!view.examined);
                Step::View(Box::new(view))
            }
            Next::Event(event) => {
                if !matches!(event, SourceEvent::Opened(_)) {
                    self.lose();
                }
                Step::Source(event)
            }
            Next::Skipped(error) => Step::Skipped(error),
            Next::Pending => self.answered().unwrap_or(Step::Pending),
            Next::End => {
                let passed = |p: &&mut Post| p.passed.as_ref().map(|f| f.at);
                let waiting = self.posts.iter_mut().filter(|p| p.passed.is_some());
                let first = waiting.min_by_key(passed);
                if let Some((frame, post)) = first.and_then(|p| Some((p.passed.take()?, p))) {
                    post.busy_until = Duration::ZERO;
                    return Ok(Step::View(Box::new(self.look(&frame)?)));
                }
                if !self.script.is_empty() {
                    self.notes.push(format!(
                        "{} declarations are later than the recording's end: nobody heard them",
                        self.script.len()
                    ));
                    self.script.clear();
                }
                self.session.duel_mut().into_iter().for_each(Duel::end);
                let waits = self.session.duel().is_some_and(Duel::waits);
                let last = waits || self.steady.holds_on() || !self.declared.is_empty();
                let last = last.then(|| self.again()).flatten();
                last.map_or(Step::End, |view| Step::View(Box::new(view)))
            }
        })
    }

    /// What was declared since the last frame is answered though no next frame comes.
    fn answered(&mut self) -> Option<Step> {
        let heard = !self.declared.is_empty();
        let view = heard.then(|| self.last_seen()).flatten()?;
        Some(Step::View(Box::new(view)))
    }

    fn look(&mut self, frame: &Frame) -> Result<View, StepError> {
        let camera = frame.camera.0.as_str();
        let known = |p: &Post| p.camera.as_deref() == Some(camera);
        let place = self.posts.iter().position(known);
        let place = place.or_else(|| self.posts.iter().position(|p| p.camera.is_none()));
        // one whose name has changed is the same camera
        let mut post = self.posts.swap_remove(place.unwrap_or(0));
        post.camera = Some(camera.to_owned());
        let seen = self.look_through(&mut post, frame);
        self.posts.push(post);
        let table = seen?;
        let last = self.posts.last().and_then(|p| p.last.clone());
        let (sight, picture) = last.unwrap_or_else(|| {
            let nothing = Sight::plain([frame.picture.width(), frame.picture.height()]);
            (Arc::new(nothing), Pictured::of(frame, Duration::ZERO))
        });
        Ok(self.view(table, sight, picture))
    }

    /// The table after a frame of a post's camera.
    fn look_through(&mut self, post: &mut Post, frame: &Frame) -> Result<Table, StepError> {
        let size = [frame.picture.width(), frame.picture.height()];
        if post.sight.size_px() != size {
            let called = if self.names_its_cameras() {
                Some(frame.camera.0.as_str())
            } else {
                self.taken_by.as_deref()
            };
            let (sight, notes) = self.session.rig().sight(called, size);
            for (id, corners) in sight.expected() {
                post.eye.expect(id, *corners);
            }
            self.notes.extend(notes);
            let lens = self.session.without_lens(&sight);
            self.notes.extend(lens.map(str::to_owned));
            if self.several() && !sight.stands() {
                self.notes.push(format!(
                    "{}: how it stands is not known: a die on bare table that another camera sees, too, counts twice (sightline rig says how cameras stand, --rig takes it)",
                    frame.camera.0
                ));
            }
            post.sight = sight;
            post.sight_lasts = false;
            post.looked = None;
            post.untouched.clear();
        }
        self.at = frame.at;
        let camera = frame.camera.0.as_str();
        let started = Instant::now();
        let looked = post.last.is_some();
        if !self.source.is_live()
            && frame.at < post.busy_until
            && looked
            && let Some((table, _)) = self.last.take()
        {
            post.passed = Some(frame.clone());
            post.shows(frame);
            return Ok(table);
        }
        post.passed = None;
        let shown = masked(&frame.picture, post.sight.masks())?;
        let open = post.gate.is_open(&shown, frame.at)?;
        let done = post.eye.has_searched(post.gate.changed_at());
        let changed = post.gate.changed_at();
        let looked_through = post.eye.looked_through().is_none_or(|at| at >= changed);
        let quiet = |(table, _): &(Table, String)| post.is_quiet(table) && looked_through;
        if !open && looked && self.last.as_ref().is_some_and(quiet) {
            if done || !post.eye.is_searching(frame.at) {
                post.eye.rest(frame.at);
            } else {
                // only what is missing is still looked for; what that finds the next frames are looked at for
                if post.eye.search_on(&shown, frame.at)? {
                    post.gate.clear();
                }
                let cost = SEARCHING * post.eye.searched();
                post.busy_until = frame.at + cost * self.source.cameras() as u32;
            }
            post.rests = true;
            self.tracker.rest(camera, frame.at);
            let mut table = self.tracker.table(frame.at, frame.sequence);
            post.shows(frame);
            if let Some((sight, _)) = &post.last {
                self.session.rank(&mut table, sight);
            }
            return Ok(table);
        }
        if std::mem::take(&mut post.rests) {
            post.eye.wake(frame.at);
        }
        if let Some(table) = self.glance(post, frame, &shown)? {
            return Ok(table);
        }
        if let Some((table, _)) = &self.last
            && post.waits_for_dice(table)
        {
            post.eye.hurry();
        }
        let Seen {
            mut sightings,
            surfaces,
        } = post.eye.see_next(&shown, frame.at)?;
        // while one camera's frame is looked at those of the others wait; and until all surfaces were looked for once,
        // nothing else is
        let cost = match post.eye.has_searched(Duration::ZERO) {
            true => LOOKING,
            false => Duration::ZERO,
        };
        let through = match post.eye.looked_through() {
            Some(at) if at == frame.at => THROUGH,
            _ => Duration::ZERO,
        };
        let cost = cost + through + SEARCHING * post.eye.searched();
        post.busy_until = frame.at + cost * self.source.cameras() as u32;
        if post.eye.has_searched(Duration::ZERO) {
            post.gate.looked();
        }
        let mut seen = self.session.lie(&surfaces);
        seen.extend(self.session.shown(&post.sight));
        let sight = match &post.last {
            // what lies as it lay is seen as it was seen
            Some((last, _)) if post.sight_lasts && last.shows(&seen) => (**last).clone(),
            _ => post.sight.with_seen(seen),
        };
        post.sight_lasts = true;
        let mut standing = post.eye.standing(&shown, &sight, &mut sightings)?;
        let session = &self.session;
        sightings.retain(|s| session.looks_at(&sight, s.polygon.centre()));
        if let Some(standing) = &mut standing {
            let looked_at = |p: &PieceSighting| session.looks_at(&sight, p.polygon.centre());
            standing.pieces.retain(looked_at);
        }
        post.seeing = started.elapsed();
        let mut look = self.session.look(
            camera,
            frame.sequence,
            frame.at,
            &sightings,
            standing.as_ref(),
            &sight,
        );
        let none = post.eye.none_after_all(&sightings);
        post.untouched.tell(&shown, &none, &mut look)?;
        let mut table = self.tracker.add(&look);
        post.untouched.renew(&shown, &look, &table)?;
        self.session.rank(&mut table, &sight);
        post.last = Some((Arc::new(sight), Pictured::of(frame, post.seeing)));
        post.looked = Some(Looked::new(frame.at, shown, sightings, standing));
        Ok(table)
    }

    /// The table after a glance at dice that may just have come to lie; `None` where there are none, or they lie there no more, or it
    /// is time to look at all.
    fn glance(
        &mut self,
        post: &mut Post,
        frame: &Frame,
        shown: &Picture,
    ) -> Result<Option<Table>, StepError> {
        let camera = frame.camera.0.as_str();
        let (Some(looked), Some((table, _))) = (&mut post.looked, &self.last) else {
            return Ok(None);
        };
        let which = match looked.may_be_glanced_at(frame.at) {
            true => looked.come_to_lie(table, camera),
            false => Vec::new(),
        };
        let Some((sight, _)) = post.last.clone().filter(|_| !which.is_empty()) else {
            return Ok(None);
        };
        let seen = looked.glance(&mut post.eye, shown, &sight, &which)?;
        if seen.is_empty() {
            return Ok(None);
        }
        let (sequence, at) = (frame.sequence, frame.at);
        let look = self.session.look(camera, sequence, at, &seen, None, &sight);
        let mut table = self.tracker.glance(&look);
        self.session.rank(&mut table, &sight);
        post.busy_until = frame.at + GLANCING * self.source.cameras() as u32;
        post.last = Some((sight, Pictured::of(frame, post.seeing)));
        Ok(Some(table))
    }

    /// The camera sends nothing any more: what it saw is hidden until it is back.
    fn lose(&mut self) {
        // the only camera is the one that is lost, whatever its frames called it
        let only = self.posts.first().and_then(|p| p.camera.clone());
        let only = only.filter(|_| !self.several());
        let camera = only.unwrap_or_else(|| self.source.camera().0.clone());
        let Some(post) = self.post_mut(&camera) else {
            return;
        };
        let Some((sight, picture)) = post.last.take() else {
            return;
        };
        post.gate.clear();
        post.looked = None;
        post.untouched.clear();
        let sight = Arc::new(sight.lost());
        // others still say what it saw last
        post.last = Some((Arc::clone(&sight), picture.clone()));
        self.tracker.lose(&camera);
        // by the clock that the other cameras have gone on by
        let picture = Pictured {
            at: self.at.max(picture.at),
            ..picture
        };
        let table = self.tracker.table(picture.at, picture.sequence);
        // perhaps no later table says it
        self.steady.clear();
        self.left = Some(Box::new(self.view(table, sight, picture)));
    }

    /// Takes a table to its end: the game, what may be called, and what happened.
    fn view(&mut self, table: Table, sight: Arc<Sight>, picture: Pictured) -> View {
        let others = self.posts.iter();
        let others = others.filter(|p| p.camera.as_ref() != Some(&picture.camera.0));
        let others: Vec<(String, Arc<Sight>)> = others
            .filter_map(|p| Some((p.camera.clone()?, Arc::clone(&p.last.as_ref()?.0))))
            .collect();
        let sight = if others.is_empty() {
            sight
        } else {
            Arc::new(Sight::clone(&sight).beside(others))
        };
        let surfaces = self.session.surfaces(&sight);
        let placings: Vec<Placing> = table
            .dice
            .iter()
            .map(|d| self.session.placing(d, &sight))
            .collect();
        let mut happenings = std::mem::take(&mut self.declared);
        happenings.extend(self.session.watch(&table, &sight));
        let mut events = self.session.follow(&table, &placings, &sight);
        if self.source.cameras() == 1 {
            events.iter_mut().for_each(|e| e.camera = None);
        }
        let mut judged = self.session.judge(&table, &sight);
        judged.calls = self.steady.tell(picture.at, judged.calls);
        let view = View {
            picture: picture.picture.clone(),
            camera: picture.camera.clone(),
            cameras: self.source.cameras(),
            at: picture.at,
            sequence: picture.sequence,
            judged,
            game: self.session.duel().map(Duel::state),
            events,
            surface_events: self.session.follow_surfaces(&picture.camera.0, &surfaces),
            happenings,
            zones: self.session.zones(&surfaces),
            surfaces,
            dice: table.dice.clone(),
            minis: self.session.minis(&table),
            tokens: self.session.tokens(&table),
            pieces: table.pieces.clone(),
            placings,
            age: picture.captured.map(|t| t.elapsed()),
            seeing: picture.seeing,
            examined: picture.examined,
        };
        self.last = Some((table, picture.camera.0));
        view
    }
}

/// Why the line stopped.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    #[error(transparent)]
    Capture(#[from] CaptureError),
    #[error(transparent)]
    Vision(#[from] VisionError),
}
