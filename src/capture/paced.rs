//! A recording that comes as a camera would: each frame when it is due, and one that nobody took by then is lost to the next.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{CameraId, CaptureError, Frame, Next, RESTING, Source};

/// How long [`Source::next`] waits.
const WAIT: Duration = Duration::from_millis(250);

/// A recording on this machine's clock, which begins when it is first asked.
pub struct Paced {
    camera: CameraId,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// When somebody asked first.
    started: Option<Instant>,
    /// At most one frame, the newest, and all else in order.
    queue: VecDeque<Result<Next, CaptureError>>,
    notes: Vec<String>,
    overtaken: u64,
    /// Nothing moves: fewer frames will do.
    resting: bool,
    /// The time of the last frame that was put in.
    given: Option<Duration>,
    /// The recording's end was told: it stays.
    over: bool,
    dropped: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changes, and so long at most.
    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until a recording's time has come; `None` where nobody is left to ask.
    fn due(&self, at: Duration) -> Option<Instant> {
        let mut state = self.lock();
        loop {
            if state.dropped {
                return None;
            }
            let wait = match state.started {
                None => WAIT,
                Some(started) => {
                    let wait = (started + at).saturating_duration_since(Instant::now());
                    if wait.is_zero() {
                        return Some(started + at);
                    }
                    wait
                }
            };
            state = self.wait(state, wait);
        }
    }

    fn put(&self, next: Result<Next, CaptureError>) {
        let mut state = self.lock();
        if let Ok(Next::Frame(frame)) = &next {
            let soon = |given: Duration| frame.at < given + RESTING;
            if state.resting && state.given.is_some_and(soon) {
                return;
            }
            state.given = Some(frame.at);
            let before = state.queue.len();
            state.queue.retain(|n| !matches!(n, Ok(Next::Frame(_))));
            state.overtaken += (before - state.queue.len()) as u64;
        }
        state.queue.push_back(next);
        drop(state);
        self.changed.notify_all();
    }
}

impl Paced {
    /// Takes a recording over: a thread of its own decodes it, a frame ahead.
    ///
    /// # Errors
    /// The machine has no thread left.
    pub fn new(mut recording: Box<dyn Source>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let camera = recording.camera().clone();
        let out = Arc::clone(&shared);
        thread::Builder::new()
            .name("paced".to_owned())
            .spawn(move || {
                loop {
                    let next = recording.next();
                    let notes = recording.take_notes();
                    if !notes.is_empty() {
                        out.lock().notes.extend(notes);
                    }
                    let over = matches!(next, Ok(Next::End) | Err(_));
                    let next = match next {
                        Ok(Next::Frame(frame)) => match out.due(frame.at) {
                            Some(captured) => Ok(Next::Frame(Frame {
                                captured: Some(captured),
                                ..frame
                            })),
                            None => return,
                        },
                        other => other,
                    };
                    out.put(next);
                    if over {
                        return;
                    }
                }
            })?;
        Ok(Self { camera, shared })
    }

    /// Frames that were lost because a newer one came before anybody asked.
    pub fn overtaken(&self) -> u64 {
        self.shared.lock().overtaken
    }
}

impl Source for Paced {
    fn camera(&self) -> &CameraId {
        &self.camera
    }

    fn is_live(&self) -> bool {
        true
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        self.poll(WAIT)
    }

    fn poll(&mut self, wait: Duration) -> Result<Next, CaptureError> {
        let until = Instant::now() + wait;
        let mut state = self.shared.lock();
        if state.started.is_none() {
            state.started = Some(Instant::now());
            self.shared.changed.notify_all();
        }
        loop {
            if let Some(next) = state.queue.pop_front() {
                state.over = matches!(next, Ok(Next::End));
                return next;
            }
            if state.over {
                return Ok(Next::End);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Next::Pending);
            }
            state = self.shared.wait(state, left);
        }
    }

    fn rest(&mut self, resting: bool) {
        self.shared.lock().resting = resting;
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().notes)
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        self.shared.lock().dropped = true;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Picture;

    /// So many frames, one each ten milliseconds of the recording's clock.
    struct Film(CameraId, u64, u64);

    impl Source for Film {
        fn camera(&self) -> &CameraId {
            &self.0
        }

        fn is_live(&self) -> bool {
            false
        }

        fn next(&mut self) -> Result<Next, CaptureError> {
            if self.1 == self.2 {
                return Ok(Next::End);
            }
            self.1 += 1;
            Ok(Next::Frame(Frame {
                picture: Picture::from_rgb(1, 1, [1, 2, 3]).expect("a picture"),
                at: Duration::from_millis(10 * self.1),
                captured: None,
                sequence: self.1,
                camera: self.0.clone(),
                file: None,
            }))
        }
    }

    #[test]
    fn frames_come_when_they_are_due_and_what_nobody_took_is_lost() {
        let film = Film(CameraId("film".to_owned()), 0, 30);
        let mut paced = Paced::new(Box::new(film)).expect("a thread");
        assert!(paced.is_live());
        // nothing is lost before anybody asks
        thread::sleep(Duration::from_millis(60));
        let began = Instant::now();
        let mut seen = Vec::new();
        loop {
            match paced.next().expect("no error") {
                Next::Frame(frame) => {
                    assert!(began.elapsed() >= frame.at, "too early: {:?}", frame.at);
                    assert!(frame.captured.is_some());
                    seen.push(frame.sequence);
                    // the first takes long: some go by
                    if seen.len() == 1 {
                        thread::sleep(Duration::from_millis(150));
                    }
                }
                Next::End => break,
                Next::Pending => {}
                other => panic!("{other:?}"),
            }
        }
        // how many is the machine's affair
        assert!(paced.overtaken() > 0, "{seen:?}");
        assert!(seen.windows(2).all(|w| w[0] < w[1]), "{seen:?}");
        assert_eq!(seen.last(), Some(&30));
        assert!(matches!(paced.next(), Ok(Next::End)), "it is over for good");
        assert_eq!(paced.overtaken() as usize + seen.len(), 30);
    }

    #[test]
    fn eight_frames_a_second_will_do_while_nothing_moves() {
        let film = Film(CameraId("film".to_owned()), 0, 40);
        let mut paced = Paced::new(Box::new(film)).expect("a thread");
        paced.rest(true);
        let mut seen = Vec::new();
        loop {
            match paced.next().expect("no error") {
                Next::Frame(frame) => seen.push(frame.sequence),
                Next::End => break,
                _ => {}
            }
        }
        // of 400 ms; a machine that is busy may miss one
        assert!(seen.iter().all(|n| [1, 14, 27, 40].contains(n)), "{seen:?}");
        assert_eq!(paced.overtaken() as usize + seen.len(), 4);
    }
}
