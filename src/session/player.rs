//! The whole line in one place: frames in, views out.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use super::{
    Declaration, Duel, Event, GameState, Happening, Judged, MiniReport, Placing, Session,
    SurfaceEvent, SurfaceReport, TokenReport, ZoneOutline,
};
use crate::{
    capture::{CameraId, CaptureError, Frame, Next, Picture, Source, SourceEvent},
    copy::Status,
    geometry::Quad,
    rig::{Marked, Sight},
    table::{Die, Piece, Table, Tracker},
    vision::{Eye, Gate, PieceSighting, Seen, VisionError, masked},
};

/// Everything that is known after one frame.
#[derive(Debug, Clone)]
pub struct View {
    pub picture: Picture,
    pub camera: CameraId,
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
const LOOKING: Duration = Duration::from_millis(120);

/// A source, an eye and a session, run frame by frame.
pub struct Player {
    source: Box<dyn Source>,
    gate: Gate,
    eye: Eye,
    tracker: Tracker,
    session: Session,
    notes: Vec<String>,
    /// The camera of the rig that took a recording, where somebody said which.
    taken_by: Option<String>,
    sight: Sight,
    /// The last frame's time.
    at: Duration,
    /// Until when a recording's last frame is being looked at.
    busy_until: Duration,
    /// The last frame, where it was not looked at.
    passed: Option<Frame>,
    /// Nothing had changed in the last frame.
    rests: bool,
    /// What looking at the last frame cost that was looked at.
    seeing: Duration,
    /// What came of declarations since the last frame.
    declared: Vec<Happening>,
    /// What is still to be declared in a recording, in order of time.
    script: VecDeque<(Duration, Declaration)>,
    last: Option<Last>,
    /// What a camera that was lost leaves known, to be told next.
    left: Option<Box<View>>,
}

/// The last table, the surfaces it was seen with, and the picture that showed it.
struct Last {
    table: Table,
    sight: Sight,
    picture: Pictured,
}

/// A frame as a view shows it.
#[derive(Clone)]
struct Pictured {
    picture: Picture,
    camera: CameraId,
    at: Duration,
    sequence: u64,
    captured: Option<Instant>,
    seeing: Duration,
    examined: bool,
}

impl Pictured {
    fn of(frame: &Frame, seeing: Duration, examined: bool) -> Self {
        Self {
            picture: frame.picture.clone(),
            camera: frame.camera.clone(),
            at: frame.at,
            sequence: frame.sequence,
            captured: frame.captured,
            seeing,
            examined,
        }
    }
}

impl Last {
    /// Whether nothing on it is still being made out.
    fn is_quiet(&self) -> bool {
        let mut dice = self.table.dice.iter();
        let mut surfaces = self.sight.seen().iter();
        dice.all(|d| d.settled && d.status() != Status::Hidden)
            && surfaces.all(|s| s.status != Status::Hidden)
    }
}

impl Player {
    pub fn new(source: Box<dyn Source>, eye: Eye, session: Session) -> Self {
        Self {
            source,
            gate: Gate::default(),
            eye,
            tracker: Tracker::default(),
            session,
            notes: Vec::new(),
            taken_by: None,
            sight: Sight::plain([0, 0]),
            at: Duration::ZERO,
            busy_until: Duration::ZERO,
            passed: None,
            rests: false,
            seeing: Duration::ZERO,
            declared: Vec::new(),
            script: VecDeque::new(),
            last: None,
            left: None,
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
        let Last {
            table,
            sight,
            picture,
        } = self.last.take()?;
        let view = self.view(table, sight, &picture);
        Some(view)
    }

    /// Says which camera of the rig took a recording; the only one, where nobody says.
    #[must_use]
    pub fn taken_by(mut self, camera: Option<String>) -> Self {
        self.taken_by = camera;
        self
    }

    /// Keeps what a person showed in the newest picture with four corners, and looks there.
    pub fn mark(&mut self, what: &Marked, corners: Quad) {
        let camera = self.taken_with();
        let size = self.sight.size_px();
        self.session.mark(&camera, size, what, corners);
        if let Marked::Surface(surface) = what {
            self.eye.expect(surface, corners);
        }
        self.sight_anew();
    }

    /// Forgets the trays and masks that were shown in this camera's pictures.
    pub fn unmark(&mut self) {
        let camera = self.taken_with();
        self.session.unmark(&camera);
        self.sight_anew();
    }

    /// What the rig calls the camera.
    fn taken_with(&self) -> String {
        // a recording is of the rig's only camera, where nothing else is said
        let only = match &self.session.rig().cameras[..] {
            [only] if !self.source.is_live() => only.id.clone(),
            _ => None,
        };
        let known = self.taken_by.clone().or(only);
        known.unwrap_or_else(|| self.camera().0.clone())
    }

    /// The rig says something else of the camera than it did.
    fn sight_anew(&mut self) {
        let camera = self.taken_with();
        (self.sight, _) = self
            .session
            .rig()
            .sight(Some(&camera), self.sight.size_px());
        self.gate.clear();
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn is_live(&self) -> bool {
        self.source.is_live()
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
                if let Some(frame) = self.passed.take() {
                    self.busy_until = Duration::ZERO;
                    return Ok(Step::View(Box::new(self.look(&frame)?)));
                }
                if !self.script.is_empty() {
                    self.notes.push(format!(
                        "{} declarations are later than the recording's end: nobody heard them",
                        self.script.len()
                    ));
                    self.script.clear();
                }
                self.answered().unwrap_or(Step::End)
            }
        })
    }

    /// What was declared since the last frame is answered though no next frame comes.
    fn answered(&mut self) -> Option<Step> {
        let heard = !self.declared.is_empty();
        let view = heard.then(|| self.again()).flatten()?;
        Some(Step::View(Box::new(view)))
    }

    fn look(&mut self, frame: &Frame) -> Result<View, StepError> {
        let size = [frame.picture.width(), frame.picture.height()];
        if self.sight.size_px() != size {
            let camera = if self.source.is_live() {
                Some(frame.camera.0.as_str())
            } else {
                self.taken_by.as_deref()
            };
            let (sight, notes) = self.session.rig().sight(camera, size);
            for (id, corners) in sight.expected() {
                self.eye.expect(id, *corners);
            }
            self.notes.extend(notes);
            let lens = self.session.without_lens(&sight);
            self.notes.extend(lens.map(str::to_owned));
            self.sight = sight;
        }
        self.at = frame.at;
        let started = Instant::now();
        if !self.source.is_live()
            && frame.at < self.busy_until
            && let Some(last) = self.last.take()
        {
            self.passed = Some(frame.clone());
            let picture = Pictured::of(frame, self.seeing, false);
            return Ok(self.view(last.table, last.sight, &picture));
        }
        self.passed = None;
        let shown = masked(&frame.picture, self.sight.masks())?;
        let open = self.gate.is_open(&shown, frame.at)?;
        let done = self.eye.has_searched(self.gate.changed_at());
        if !open && let Some(last) = self.last.take_if(|last| done && last.is_quiet()) {
            self.rests = true;
            self.eye.rest(frame.at);
            self.tracker.rest(frame.at);
            let mut table = self.tracker.table(frame.at, frame.sequence);
            self.session.rank(&mut table, &last.sight);
            let picture = Pictured::of(frame, self.seeing, false);
            return Ok(self.view(table, last.sight, &picture));
        }
        if std::mem::take(&mut self.rests) {
            self.eye.wake(frame.at);
        }
        self.busy_until = frame.at + LOOKING;
        let Seen {
            mut sightings,
            surfaces,
        } = self.eye.see_next(&shown, frame.at)?;
        if self.eye.has_searched(Duration::ZERO) {
            self.gate.looked();
        }
        let mut seen = self.session.lie(&surfaces);
        seen.extend(self.session.shown(&self.sight));
        let sight = self.sight.with_seen(seen);
        let mut standing = self.eye.standing(&shown, &sight, &mut sightings)?;
        sightings.retain(|s| sight.looks_at(s.polygon.centre()));
        if let Some(standing) = &mut standing {
            let looked_at = |p: &PieceSighting| sight.looks_at(p.polygon.centre());
            standing.pieces.retain(looked_at);
        }
        self.seeing = started.elapsed();
        let camera = frame.camera.0.as_str();
        let look = self.session.look(
            camera,
            frame.sequence,
            frame.at,
            &sightings,
            standing.as_ref(),
            &sight,
        );
        let mut table = self.tracker.add(&look);
        self.session.rank(&mut table, &sight);
        let picture = Pictured::of(frame, self.seeing, true);
        Ok(self.view(table, sight, &picture))
    }

    /// The camera sends nothing any more: what it saw is hidden until it is back.
    fn lose(&mut self) {
        let Some(Last { sight, picture, .. }) = self.last.take() else {
            return;
        };
        self.gate.clear();
        self.tracker.lose(&picture.camera.0);
        let table = self.tracker.table(picture.at, picture.sequence);
        self.left = Some(Box::new(self.view(table, sight.lost(), &picture)));
    }

    /// Takes a table to its end: the game, what may be called, and what happened.
    fn view(&mut self, table: Table, sight: Sight, picture: &Pictured) -> View {
        let surfaces = self.session.surfaces(&sight);
        let placings: Vec<Placing> = table
            .dice
            .iter()
            .map(|d| self.session.placing(d, &sight))
            .collect();
        let mut happenings = std::mem::take(&mut self.declared);
        happenings.extend(self.session.watch(&table, &sight));
        let view = View {
            picture: picture.picture.clone(),
            camera: picture.camera.clone(),
            at: picture.at,
            sequence: picture.sequence,
            judged: self.session.judge(&table, &sight),
            game: self.session.duel().map(Duel::state),
            events: self.session.follow(&table, &placings),
            surface_events: self.session.follow_surfaces(&surfaces),
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
        self.last = Some(Last {
            table,
            sight,
            picture: picture.clone(),
        });
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
