//! The reader thread and its mailbox against a device that is made up.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use super::*;

const PATIENCE: Patience = Patience {
    stalled: Duration::from_millis(150),
    first_frame: Duration::from_millis(300),
    reopen: Duration::from_millis(350),
    retry: Duration::from_millis(20),
    hung: Duration::from_millis(400),
};

#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Works,
    Silent,
    Unplugged,
    Busy,
    Hangs,
    Panics,
}

/// A camera of two hundred frames a second that does what the test wants.
struct Fake {
    mood: Mutex<Mood>,
    opened: AtomicU32,
}

impl Fake {
    fn new(mood: Mood) -> Arc<Self> {
        Arc::new(Self {
            mood: Mutex::new(mood),
            opened: AtomicU32::new(0),
        })
    }

    fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn mood(&self) -> Mood {
        *self.mood.lock().unwrap()
    }
}

struct Plug(Arc<Fake>);

impl Opener for Plug {
    fn open(&self) -> Result<Box<dyn Device>, Fault> {
        match self.0.mood() {
            Mood::Unplugged => Err(Fault::Gone("no plug".into())),
            Mood::Busy => Err(Fault::Failed("busy".into())),
            _ => {
                self.0.opened.fetch_add(1, SeqCst);
                let format = Format {
                    width: 1,
                    height: 1,
                    fourcc: "RGB3".into(),
                    frames_per_second: 200.0,
                };
                Ok(Box::new(Stream {
                    fake: Arc::clone(&self.0),
                    format,
                    count: 40,
                }))
            }
        }
    }
}

struct Stream {
    fake: Arc<Fake>,
    format: Format,
    count: u64,
}

impl Device for Stream {
    fn format(&self) -> &Format {
        &self.format
    }

    fn next(&mut self) -> Result<Taken, Fault> {
        thread::sleep(Duration::from_millis(5));
        match self.fake.mood() {
            Mood::Works => {
                self.count += 1;
                Ok(Taken::Picture {
                    picture: Picture::from_rgb(1, 1, [1, 2, 3]).unwrap(),
                    captured: Instant::now(),
                    sequence: self.count,
                })
            }
            Mood::Silent | Mood::Busy => Ok(Taken::Nothing),
            Mood::Unplugged => Err(Fault::Gone("pulled out".into())),
            Mood::Hangs => loop {
                thread::park();
            },
            Mood::Panics => panic!("a driver's panic, as the test wants it"),
        }
    }
}

fn start(fake: &Arc<Fake>) -> Result<Live, CaptureError> {
    Live::start(
        CameraId("fake".into()),
        Arc::new(Plug(Arc::clone(fake))),
        PATIENCE,
    )
}

/// What comes until `wanted` says so, at most two seconds.
fn until(live: &mut Live, wanted: impl Fn(&Next) -> bool) -> Next {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(2) {
        let next = live.next().unwrap();
        if wanted(&next) {
            return next;
        }
    }
    panic!("did not come");
}

fn is_frame(next: &Next) -> bool {
    matches!(next, Next::Frame(_))
}

fn is_opened(next: &Next) -> bool {
    matches!(next, Next::Event(SourceEvent::Opened(_)))
}

fn is_lost(next: &Next) -> bool {
    matches!(next, Next::Event(SourceEvent::Lost { .. }))
}

fn is_stalled(next: &Next) -> bool {
    matches!(next, Next::Event(SourceEvent::Stalled { .. }))
}

#[test]
fn whoever_is_slow_gets_the_newest_frame_and_sees_that_others_passed() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    assert!(
        is_opened(&live.next().unwrap()),
        "the event comes before the first frame"
    );
    let Next::Frame(first) = until(&mut live, is_frame) else {
        panic!()
    };
    thread::sleep(Duration::from_millis(200));
    let Next::Frame(frame) = live.next().unwrap() else {
        panic!()
    };
    assert!(frame.captured.unwrap().elapsed() < Duration::from_millis(100));
    assert!(
        frame.sequence > first.sequence + 10,
        "{} {}",
        first.sequence,
        frame.sequence
    );
    assert!(frame.at > first.at + Duration::from_millis(100));
    assert!(live.overtaken() >= 10);
}

#[test]
fn while_it_rests_few_frames_are_decoded_and_then_all_again() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    until(&mut live, is_frame);
    live.rest(true);
    until(&mut live, is_frame);
    let Next::Frame(first) = until(&mut live, is_frame) else {
        panic!()
    };
    thread::sleep(Duration::from_millis(600));
    until(&mut live, is_frame);
    let Next::Frame(last) = until(&mut live, is_frame) else {
        panic!()
    };
    // the made-up camera counts what was asked of it
    let decoded = last.sequence - first.sequence;
    assert!((2..=8).contains(&decoded), "{decoded} in some 0.75 s");
    live.rest(false);
    thread::sleep(Duration::from_millis(600));
    let later = |next: &Next| matches!(next, Next::Frame(f) if f.sequence > last.sequence + 15);
    until(&mut live, later);
}

#[test]
fn a_camera_comes_back_as_often_as_it_goes() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    let mut last = None;
    for round in 1..=10 {
        assert!(is_opened(
            &until(&mut live, |next| is_opened(next) || is_lost(next))
        ));
        let Next::Frame(frame) = until(&mut live, is_frame) else {
            panic!()
        };
        assert!(last.is_none_or(|last| frame.sequence > last), "counted on");
        last = Some(frame.sequence);
        fake.set(Mood::Unplugged);
        until(&mut live, is_lost);
        assert!(matches!(live.next().unwrap(), Next::Pending));
        fake.set(Mood::Works);
        assert_eq!(fake.opened.load(SeqCst), round);
    }
    until(&mut live, is_frame);
}

#[test]
fn a_stall_is_told_once_and_its_end_too() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    until(&mut live, is_frame);
    fake.set(Mood::Silent);
    let begin = Instant::now();
    let Next::Event(SourceEvent::Stalled { silent, .. }) = until(&mut live, is_stalled) else {
        panic!()
    };
    assert!(silent >= PATIENCE.stalled && begin.elapsed() < PATIENCE.stalled * 3);
    for mood in [Mood::Silent, Mood::Busy] {
        // Opened anew in vain meanwhile.
        fake.set(mood);
        for _ in 0..2 {
            assert!(matches!(live.next().unwrap(), Next::Pending));
        }
    }
    assert!(fake.opened.load(SeqCst) >= 2);
    fake.set(Mood::Works);
    assert!(is_opened(&until(&mut live, |next| !matches!(
        next,
        Next::Pending
    ))));
    until(&mut live, is_frame);
    fake.set(Mood::Silent);
    until(&mut live, is_stalled);
    fake.set(Mood::Unplugged);
    until(&mut live, is_lost);
}

#[test]
fn a_camera_that_opens_but_shows_nothing_is_stalled() {
    let fake = Fake::new(Mood::Silent);
    let mut live = start(&fake).unwrap();
    assert!(is_stalled(&until(&mut live, |next| !matches!(
        next,
        Next::Pending
    ))));
    fake.set(Mood::Works);
    until(&mut live, is_frame);
}

#[test]
fn no_event_is_lost_while_nobody_asks() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(80));
        fake.set(Mood::Unplugged);
        thread::sleep(Duration::from_millis(80));
        fake.set(Mood::Works);
    }
    thread::sleep(Duration::from_millis(80));
    let mut told = String::new();
    while !told.contains('f') {
        let next = live.next().unwrap();
        told.push(match () {
            () if is_opened(&next) => 'o',
            () if is_lost(&next) => 'l',
            () if is_frame(&next) => 'f',
            () => '?',
        });
    }
    assert_eq!(told, "olololof");
}

#[test]
fn a_driver_that_never_returns_is_a_stall_and_is_left_behind() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    until(&mut live, is_frame);
    fake.set(Mood::Hangs);
    until(&mut live, is_stalled);
    fake.set(Mood::Works);
    until(&mut live, is_frame);
    fake.set(Mood::Hangs);
    until(&mut live, is_stalled);
    let begin = Instant::now();
    drop(live);
    assert!(begin.elapsed() < CLOSING + Duration::from_millis(500));
}

#[test]
fn a_driver_that_panics_is_opened_again() {
    let fake = Fake::new(Mood::Works);
    let mut live = start(&fake).unwrap();
    until(&mut live, is_frame);
    fake.set(Mood::Panics);
    until(&mut live, is_stalled);
    fake.set(Mood::Works);
    until(&mut live, is_frame);
}

#[test]
fn what_does_not_open_at_first_is_an_error() {
    for (mood, expected) in [
        (Mood::Unplugged, "camera 'fake' cannot be opened: no plug"),
        (Mood::Busy, "camera 'fake' cannot be opened: busy"),
    ] {
        let error = start(&Fake::new(mood)).err().unwrap();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn dropping_ends_the_thread() {
    let fake = Fake::new(Mood::Works);
    drop(start(&fake).unwrap());
    assert_eq!(
        Arc::strong_count(&fake),
        1,
        "nobody holds the device any more"
    );
}
