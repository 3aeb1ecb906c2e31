//! A camera that is read as it goes: the newest frame, and what happens to the camera.
//!
//! A thread of its own reads the device and opens it again whenever it comes back. It meets whoever
//! asks at a mailbox that keeps one frame, the newest, and every event, in order. Whoever asks also
//! watches the thread: a driver that never returns is a stall like any other.

use std::{
    collections::VecDeque,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::{
    CameraId, CaptureError, Format, Frame, Next, Picture, RESTING, Source, SourceEvent,
    webcam::{self, Wanted, Webcam},
};

/// Opens one and the same device, now and each time it comes back.
pub trait Opener: Send + Sync + 'static {
    /// # Errors
    /// [`Fault::Gone`] when it is not plugged in, [`Fault::Failed`] when it is but does not open.
    fn open(&self) -> Result<Box<dyn Device>, Fault>;
}

/// An open device that delivers pictures. It stays on the thread that opened it.
pub trait Device {
    /// What the driver really gave.
    fn format(&self) -> &Format;

    /// What it would not be set to, a sentence each, since last asked.
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Waits for the next picture, about 200 ms at most.
    ///
    /// # Errors
    /// The device is of no use any more and must be opened again.
    fn next(&mut self) -> Result<Taken, Fault>;
}

#[derive(Debug)]
pub enum Taken {
    Picture {
        picture: Picture,
        captured: Instant,
        /// The driver's count since the device was opened, from anywhere.
        sequence: u64,
    },
    /// A frame that could not be decoded.
    Broken,
    /// None came in time.
    Nothing,
}

/// Why a device cannot be used, to be read on after the camera's name.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It is not plugged in.
    Gone(String),
    /// It is there, but does not work.
    Failed(String),
}

/// How long to wait for what.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Without a frame for so long, a camera that gave some counts as stalled.
    pub stalled: Duration,
    /// The same for one that was just opened: many need a second for their first frame.
    pub first_frame: Duration,
    /// So long after the last frame a device is closed and opened again.
    pub reopen: Duration,
    /// Between two attempts to open.
    pub retry: Duration,
    /// A driver call that takes longer is given up, with its thread.
    pub hung: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            stalled: Duration::from_millis(1500),
            first_frame: Duration::from_millis(1700),
            reopen: Duration::from_millis(4000),
            retry: Duration::from_millis(300),
            hung: Duration::from_millis(8000),
        }
    }
}

/// How long [`Source::next`] waits.
const WAIT: Duration = Duration::from_millis(250);
/// How long a camera may take to open at first, and to close at last.
const OPENING: Duration = Duration::from_secs(5);
const CLOSING: Duration = Duration::from_secs(1);
/// Threads given up in a driver for good; beyond them a camera stays stalled.
const HUNG_MAX: usize = 3;

/// A camera that is plugged in, or was.
///
/// Dropping it closes the camera; it waits for that for a second at most.
pub struct Live {
    camera: CameraId,
    opener: Arc<dyn Opener>,
    shared: Arc<Shared>,
    /// Closed when the reader ends.
    ended: mpsc::Receiver<()>,
    /// Readers that hung, until they end after all.
    given_up: Vec<mpsc::Receiver<()>>,
}

impl Live {
    /// Opens the camera that `spec` means (see [`webcam::find`]) and follows it from then on by its
    /// identity, whatever device number it comes back with.
    ///
    /// # Errors
    /// It is not there (the sentence lists which cameras are), in use by another program, or offers
    /// nothing that can be read.
    pub fn open(spec: &str, wanted: &Wanted) -> Result<Self, CaptureError> {
        let id = webcam::find(spec)?.id;
        let opener = Webcam {
            id: id.clone(),
            wanted: wanted.clone(),
        };
        Self::start(id, Arc::new(opener), Patience::default())
    }

    /// Reads any device, as [`Live::open`] reads a webcam.
    ///
    /// # Errors
    /// The device does not open.
    pub fn start(
        camera: CameraId,
        opener: Arc<dyn Opener>,
        patience: Patience,
    ) -> Result<Self, CaptureError> {
        let now = Instant::now();
        let shared = Arc::new(Shared {
            camera: camera.clone(),
            patience,
            started: now,
            state: Mutex::new(State {
                queue: VecDeque::new(),
                phase: Phase::Opening,
                since: now,
                heartbeat: now,
                generation: 0,
                next_sequence: 0,
                resting: false,
                fault: None,
                broken: 0,
                overtaken: 0,
                notes: Vec::new(),
            }),
            changed: Condvar::new(),
        });
        let failed = |why: String| CaptureError::Camera {
            camera: camera.0.clone(),
            why,
        };
        let (opened, is_open) = mpsc::sync_channel(1);
        let ended = read_in_thread(&opener, &shared, Some(opened))
            .map_err(|error| failed(format!("cannot be read ({error})")))?;
        let live = Self {
            camera: camera.clone(),
            opener,
            shared,
            ended,
            given_up: Vec::new(),
        };
        match is_open.recv_timeout(OPENING) {
            Ok(Ok(())) => Ok(live),
            Ok(Err(Fault::Gone(why) | Fault::Failed(why))) => {
                Err(failed(format!("cannot be opened: {why}")))
            }
            Err(_) => Err(failed(
                "does not answer: unplug it and plug it in again".into(),
            )),
        }
    }

    /// Frames that came broken and were dropped.
    pub fn broken(&self) -> u64 {
        self.shared.lock().broken
    }

    /// Frames that were dropped because a newer one came before anybody asked.
    pub fn overtaken(&self) -> u64 {
        self.shared.lock().overtaken
    }

    /// Leaves a reader that hangs in its driver alone and starts another.
    fn give_up_hung_reader(&mut self) {
        self.given_up
            .retain(|ended| ended.try_recv() != Err(mpsc::TryRecvError::Disconnected));
        let mut state = self.shared.lock();
        if state.heartbeat.elapsed() < self.shared.patience.hung || self.given_up.len() >= HUNG_MAX
        {
            return;
        }
        state.generation += 1;
        state.heartbeat = Instant::now();
        drop(state);
        if let Ok(ended) = read_in_thread(&self.opener, &self.shared, None) {
            self.given_up
                .push(std::mem::replace(&mut self.ended, ended));
        }
    }
}

impl Source for Live {
    fn camera(&self) -> &CameraId {
        &self.camera
    }

    fn is_live(&self) -> bool {
        true
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().notes)
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        self.poll(WAIT)
    }

    fn poll(&mut self, wait: Duration) -> Result<Next, CaptureError> {
        let until = Instant::now() + wait;
        self.give_up_hung_reader();
        let mut state = self.shared.lock();
        loop {
            if let Some(next) = state.queue.pop_front() {
                return Ok(next);
            }
            state.watch(&self.shared.patience);
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() && state.queue.is_empty() {
                return Ok(Next::Pending);
            }
            state = self.shared.wait(state, left);
        }
    }

    fn rest(&mut self, resting: bool) {
        let mut state = self.shared.lock();
        let was = std::mem::replace(&mut state.resting, resting);
        drop(state);
        if was && !resting {
            self.shared.changed.notify_all();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.lock().generation = u64::MAX;
        self.shared.changed.notify_all();
        // A reader that hangs in its driver ends whenever the driver lets it.
        let _ = self.ended.recv_timeout(CLOSING);
    }
}

/// What the reader and whoever asks share.
struct Shared {
    camera: CameraId,
    patience: Patience,
    started: Instant,
    state: Mutex<State>,
    /// Something came into the queue, or the generation changed.
    changed: Condvar,
}

struct State {
    /// At most one frame, and the events before and after it.
    queue: VecDeque<Next>,
    phase: Phase,
    /// The last frame, or when the device was opened.
    since: Instant,
    /// When the reader last came back from the driver.
    heartbeat: Instant,
    /// A reader of an older generation has been given up.
    generation: u64,
    next_sequence: u64,
    /// Nothing moves: fewer frames will do.
    resting: bool,
    /// What the driver said when it last failed; gone with the next picture.
    fault: Option<String>,
    broken: u64,
    overtaken: u64,
    /// What the device would not be set to.
    notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Open, without a frame so far.
    Opening,
    Streaming,
    Stalled,
    Lost,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        match self.changed.wait_timeout(state, time) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }
}

impl State {
    fn tell(&mut self, phase: Phase, event: SourceEvent) {
        self.phase = phase;
        self.queue.push_back(Next::Event(event));
    }

    /// Notes a stall, once.
    fn watch(&mut self, patience: &Patience) {
        let silent = self.since.elapsed();
        let limit = match self.phase {
            Phase::Opening => patience.first_frame,
            Phase::Streaming => patience.stalled,
            Phase::Stalled | Phase::Lost => return,
        };
        if silent >= limit {
            let why = self.fault.clone();
            self.tell(Phase::Stalled, SourceEvent::Stalled { silent, why });
        }
    }

    fn lose(&mut self, why: String) {
        if self.phase != Phase::Lost {
            self.tell(Phase::Lost, SourceEvent::Lost { why });
        }
    }

    fn put(&mut self, frame: Frame) {
        let before = self.queue.len();
        self.queue.retain(|next| !matches!(next, Next::Frame(_)));
        self.overtaken += (before - self.queue.len()) as u64;
        self.queue.push_back(Next::Frame(frame));
    }
}

fn read_in_thread(
    opener: &Arc<dyn Opener>,
    shared: &Arc<Shared>,
    opened: Option<mpsc::SyncSender<Result<(), Fault>>>,
) -> std::io::Result<mpsc::Receiver<()>> {
    let (end, ended) = mpsc::channel();
    let (opener, shared) = (Arc::clone(opener), Arc::clone(shared));
    let generation = shared.lock().generation;
    thread::Builder::new()
        .name(format!("camera {}", shared.camera.0))
        .spawn(move || {
            read(&*opener, &shared, generation, opened);
            // who waits for the end may rely on the device being let go
            drop(opener);
            drop(end);
        })?;
    Ok(ended)
}

/// Opens the device and reads it until told to stop. The first opening is answered through `opened`,
/// and ends the reader when it fails.
fn read(
    opener: &dyn Opener,
    shared: &Shared,
    generation: u64,
    mut opened: Option<mpsc::SyncSender<Result<(), Fault>>>,
) {
    while shared.lock().generation == generation {
        let mut device = guarded(|| opener.open());
        let notes = device.as_mut().map(|d| d.take_notes()).unwrap_or_default();
        let mut state = shared.lock();
        if state.generation != generation {
            return;
        }
        state.heartbeat = Instant::now();
        // opened anew it says the same again
        if opened.is_some() {
            state.notes.extend(notes);
        }
        match &device {
            Ok(_) if state.phase == Phase::Lost || opened.is_some() => {
                state.phase = Phase::Opening;
                state.since = Instant::now();
            }
            // Opening it again does not make a device that fails each time less silent.
            Ok(_) => {}
            Err(Fault::Gone(why)) => state.lose(why.clone()),
            Err(Fault::Failed(why)) => {
                state.fault = Some(why.clone());
                state.watch(&shared.patience);
            }
        }
        drop(state);
        shared.changed.notify_all();
        if let Some(opened) = opened.take() {
            let answer = device.as_ref().map(|_| ()).map_err(Clone::clone);
            let is_over = answer.is_err();
            if opened.send(answer).is_err() || is_over {
                return;
            }
        }
        if let Ok(device) = device {
            stream(device, shared, generation);
        }
        let until = Instant::now() + shared.patience.retry;
        let mut state = shared.lock();
        while state.generation == generation && Instant::now() < until {
            state.heartbeat = Instant::now();
            state = shared.wait(state, until.saturating_duration_since(Instant::now()));
        }
    }
}

/// Reads an open device until it is lost, fails, is silent for too long, or nobody wants it any more.
fn stream(mut device: Box<dyn Device>, shared: &Shared, generation: u64) {
    let opened_at = Instant::now();
    let mut last_frame = opened_at;
    // The driver's count of the first frame, and ours.
    let mut first = None;
    loop {
        let mut state = shared.lock();
        while state.resting
            && state.generation == generation
            && state.phase == Phase::Streaming
            && last_frame.elapsed() < RESTING
        {
            state.heartbeat = Instant::now();
            state = shared.wait(state, RESTING.saturating_sub(last_frame.elapsed()));
        }
        drop(state);
        let taken = guarded(|| device.next());
        let mut state = shared.lock();
        if state.generation != generation {
            break;
        }
        state.heartbeat = Instant::now();
        match taken {
            Ok(Taken::Picture {
                picture,
                captured,
                sequence,
            }) => {
                last_frame = Instant::now();
                state.since = last_frame;
                state.fault = None;
                if state.phase != Phase::Streaming {
                    let format = device.format().clone();
                    state.tell(Phase::Streaming, SourceEvent::Opened(format));
                }
                let (theirs, ours) = *first.get_or_insert((sequence, state.next_sequence));
                let sequence = (ours + sequence.saturating_sub(theirs)).max(state.next_sequence);
                state.next_sequence = sequence + 1;
                state.put(Frame {
                    picture,
                    at: captured.saturating_duration_since(shared.started),
                    captured: Some(captured),
                    sequence,
                    camera: shared.camera.clone(),
                    file: None,
                });
            }
            Ok(Taken::Broken) => state.broken += 1,
            Ok(Taken::Nothing) => {}
            Err(Fault::Gone(why)) => {
                state.lose(why);
                drop(state);
                shared.changed.notify_all();
                break;
            }
            Err(Fault::Failed(why)) => {
                state.fault = Some(why);
                break;
            }
        }
        state.watch(&shared.patience);
        drop(state);
        shared.changed.notify_all();
        if last_frame.elapsed() >= shared.patience.reopen {
            break;
        }
    }
    // A driver's library may panic when it is closed, too.
    let _ = guarded(move || {
        drop(device);
        Ok(())
    });
}

/// The driver's libraries panic on what they do not expect; for us the device failed.
fn guarded<T>(call: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    panic::catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err(Fault::Failed("its driver answers nonsense".into())))
}

#[cfg(test)]
mod tests;
