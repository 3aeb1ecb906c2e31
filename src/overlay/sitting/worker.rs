//! What goes on beside the sitting's window: one thread takes the camera's newest picture, another looks at what it shows
//! and keeps photographs.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use eframe::egui;

use crate::{
    capture::{Next, Picture, Source, SourceEvent},
    copy,
    geometry::Quad,
    session::{How, Sitting},
    vision::Enroller,
};

/// How long it is waited for a word before the newest picture is looked for again.
const WAITS: Duration = Duration::from_millis(40);
/// A recording's next picture is not waited for longer.
const MOST_WAIT: Duration = Duration::from_secs(2);

/// What a person says.
#[derive(Debug, Clone)]
pub(super) enum Word {
    /// Take this picture, if nothing is amiss with it.
    Take(Picture),
    /// Take it although something is.
    Keep(Picture),
    Skip,
    /// Take the last one back.
    Back,
}

/// What is wanted now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Asked {
    /// How many are done with, of how many.
    pub past: usize,
    pub of: usize,
    pub taken: usize,
    /// What the next is to show, and how it is looked at; none where all are done with.
    pub shows: Option<(String, How)>,
}

impl From<&Sitting> for Asked {
    fn from(sitting: &Sitting) -> Self {
        Self {
            past: sitting.past(),
            of: sitting.of(),
            taken: sitting.taken(),
            shows: sitting.now().map(|w| (w.shows.clone(), w.how)),
        }
    }
}

/// What one of the newest pictures shows of what is wanted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// Which it is that was looked for, by how many were done with before.
    pub past: usize,
    pub corners: Option<Quad>,
    /// What is amiss, to be read on after the picture.
    pub amiss: Option<String>,
}

/// What the window shows, the newest only.
#[derive(Default)]
pub(super) struct Shown {
    /// The camera's newest picture, and its number.
    pub frame: Option<(u64, Picture)>,
    /// What happened to the camera.
    pub camera: Option<String>,
    pub asked: Asked,
    pub finding: Option<Finding>,
    /// What came of the last word: whether it did what was meant, and a sentence.
    pub said: Option<(bool, String)>,
    /// A word was said and is not yet heard out.
    pub busy: bool,
}

pub(super) type Shared = Arc<Mutex<Shown>>;

/// The threads of a sitting; dropped, they end, and a photograph that is being kept is whole.
pub(super) struct Workers {
    words: Option<mpsc::Sender<Word>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub fn start(
        sitting: Sitting,
        enroller: Enroller,
        source: Box<dyn Source>,
        shared: &Shared,
        ctx: &egui::Context,
    ) -> io::Result<Self> {
        let told = Told {
            shared: Arc::clone(shared),
            ctx: ctx.clone(),
        };
        told.tell(|s| s.asked = Asked::from(&sitting));
        let (words, heard) = mpsc::channel();
        let mut workers = Self {
            words: Some(words),
            stop: Arc::default(),
            threads: Vec::new(),
        };
        let (stop, newest) = (Arc::clone(&workers.stop), told.clone());
        let camera = thread::Builder::new().name("camera".to_owned());
        let camera = camera.spawn(move || watch(source, &newest, &stop))?;
        workers.threads.push(camera);
        let looker = Looker {
            sitting,
            enroller,
            told,
            looked: None,
        };
        let looking = thread::Builder::new().name("looking".to_owned());
        let looking = looking.spawn(move || looker.run(&heard))?;
        workers.threads.push(looking);
        Ok(workers)
    }

    pub fn say(&self, word: Word) {
        let _ = self.words.as_ref().map(|w| w.send(word));
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.words = None;
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[derive(Clone)]
struct Told {
    shared: Shared,
    ctx: egui::Context,
}

impl Told {
    fn tell<T>(&self, change: impl FnOnce(&mut Shown) -> T) -> T {
        let mut shown = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let out = change(&mut shown);
        drop(shown);
        self.ctx.request_repaint();
        out
    }
}

/// Shows the camera's newest picture until it is told to stop. Nothing else is done here, so that it is always the newest.
fn watch(mut source: Box<dyn Source>, told: &Told, stop: &AtomicBool) {
    let began = Instant::now();
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        match source.next() {
            Ok(Next::Frame(frame)) => {
                if frame.captured.is_none() && !source.is_live() {
                    // a recording is shown at its own pace
                    let due = (began + frame.at).saturating_duration_since(Instant::now());
                    thread::sleep(due.min(MOST_WAIT));
                }
                number += 1;
                told.tell(|s| s.frame = Some((number, frame.picture)));
            }
            Ok(Next::Event(SourceEvent::Opened(_))) => told.tell(|s| s.camera = None),
            // what it last showed is no longer what one would take
            Ok(Next::Event(SourceEvent::Lost { .. })) => told.tell(|s| {
                s.frame = None;
                s.camera = Some("The camera is gone; plug it in again.".to_owned());
            }),
            Ok(Next::Event(SourceEvent::Stalled { .. })) => told.tell(|s| {
                s.frame = None;
                s.camera = Some("The camera sends nothing; plug it in anew.".to_owned());
            }),
            Ok(Next::Skipped(error)) => told.tell(|s| s.camera = Some(error.to_string())),
            Ok(Next::Pending) => {}
            Ok(Next::End) => return,
            Err(error) => return told.tell(|s| s.camera = Some(error.to_string())),
        }
    }
}

/// Looks at the newest picture, again and again, and does what is said.
struct Looker {
    sitting: Sitting,
    enroller: Enroller,
    told: Told,
    /// The number of the picture that was looked at last, and for what.
    looked: Option<(u64, usize)>,
}

impl Looker {
    fn run(mut self, words: &mpsc::Receiver<Word>) {
        loop {
            match words.recv_timeout(WAITS) {
                Ok(word) => {
                    let said = self.hear(word);
                    let asked = Asked::from(&self.sitting);
                    self.told.tell(|s| {
                        s.asked = asked;
                        s.said = Some(said);
                        s.busy = false;
                    });
                }
                Err(mpsc::RecvTimeoutError::Timeout) => self.look_on(),
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Does what was said; whether it came to what was meant, and a sentence.
    fn hear(&mut self, word: Word) -> (bool, String) {
        match word {
            Word::Take(picture) => {
                let finding = self.find(&picture);
                let amiss = finding.as_ref().and_then(|f| f.amiss.clone());
                self.told.tell(|s| s.finding = finding);
                match amiss {
                    Some(amiss) => (false, format!("Not taken: {amiss}.")),
                    None => self.keep(&picture),
                }
            }
            Word::Keep(picture) => self.keep(&picture),
            Word::Skip => {
                self.sitting.skip();
                (true, "Skipped.".to_owned())
            }
            Word::Back => match self.sitting.back() {
                Ok(true) => (true, "Once more.".to_owned()),
                Ok(false) => (false, "This is the first one.".to_owned()),
                Err(e) => (
                    false,
                    format!("The photograph before stays: it {}.", copy::in_words(&e)),
                ),
            },
        }
    }

    fn keep(&mut self, picture: &Picture) -> (bool, String) {
        let name = self.sitting.now().map(|w| format!("{}.png", w.name));
        match self.sitting.keep(picture) {
            Ok(()) => (true, format!("Taken: {}.", name.unwrap_or_default())),
            Err(e) => (false, e.to_string()),
        }
    }

    /// Looks at the newest picture, unless it was looked at.
    fn look_on(&mut self) {
        let past = self.sitting.past();
        let newest = self.told.read(|s| s.frame.clone());
        let Some((number, picture)) = newest else {
            return;
        };
        if self.looked == Some((number, past)) {
            return;
        }
        self.looked = Some((number, past));
        let finding = self.find(&picture);
        self.told.tell(|s| s.finding = finding);
    }

    /// What a picture shows of what is wanted; `None` where nothing is.
    fn find(&mut self, picture: &Picture) -> Option<Finding> {
        let how = self.sitting.now()?.how;
        let found = how.look(&mut self.enroller, picture, None);
        let past = self.sitting.past();
        Some(match found {
            Ok(found) => Finding {
                past,
                amiss: how.amiss(found.as_ref()),
                corners: found.map(|f| f.corners),
            },
            Err(e) => Finding {
                past,
                amiss: Some(e.to_string()),
                corners: None,
            },
        })
    }
}

impl Told {
    /// Reads what is shown.
    fn read<T>(&self, of: impl FnOnce(&Shown) -> T) -> T {
        of(&self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        capture::{CameraId, CaptureError, Frame, still},
        copy::Owner,
        vision::models_folder,
    };

    /// A camera that shows what it is told to.
    struct Shows(CameraId, mpsc::Receiver<Next>);

    impl Source for Shows {
        fn camera(&self) -> &CameraId {
            &self.0
        }

        fn is_live(&self) -> bool {
            true
        }

        fn next(&mut self) -> Result<Next, CaptureError> {
            let next = self.1.recv_timeout(Duration::from_millis(20));
            Ok(match next {
                Ok(next) => next,
                Err(mpsc::RecvTimeoutError::Timeout) => Next::Pending,
                Err(mpsc::RecvTimeoutError::Disconnected) => Next::End,
            })
        }
    }

    fn frame(picture: &Picture) -> Next {
        Next::Frame(Frame {
            picture: picture.clone(),
            camera: CameraId("shows".to_owned()),
            at: Duration::ZERO,
            captured: None,
            sequence: 0,
            file: None,
        })
    }

    /// Waits until the window would show it.
    fn until(shared: &Shared, what: &str, is: impl Fn(&Shown) -> bool) {
        let begin = Instant::now();
        while !is(&shared.lock().expect("whole")) {
            assert!(begin.elapsed() < Duration::from_secs(60), "never: {what}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn the_newest_picture_is_shown_whatever_is_looked_at_and_what_was_taken_stays() {
        let text = r#"{"die_mm": 16, "faces": {"energy": ["1", "2"]}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let dir = tempfile::tempdir().expect("a folder");
        let sitting = Sitting::begin(&owner, dir.path()).expect("begun");
        let enroller = Enroller::open(&models_folder(), 2).expect("the models");
        let die = copy::shipped("plain-dice").join("faces/1-a.png");
        let (die, _) = still::load(&die).expect("a face");
        let dark = Picture::from_rgb(320, 240, vec![9; 320 * 240 * 3]).expect("a picture");
        let (camera, shows) = mpsc::channel();
        let source = Box::new(Shows(CameraId("shows".to_owned()), shows));
        let shared = Shared::default();
        let ctx = egui::Context::default();
        let workers = Workers::start(sitting, enroller, source, &shared, &ctx).expect("threads");
        until(&shared, "what is wanted", |s| s.asked.of == 4);
        camera.send(frame(&dark)).expect("shown");
        until(&shared, "that nothing is found", |s| {
            s.finding.as_ref().is_some_and(|f| f.amiss.is_some())
        });
        // looking takes its time, and the newest picture is there all the same
        for _ in 0..50 {
            camera.send(frame(&die)).expect("shown");
        }
        until(&shared, "the newest picture", |s| {
            s.frame.as_ref().is_some_and(|(n, _)| *n == 51)
        });
        let said = |word: Word, of: &str, past: usize| {
            shared.lock().expect("whole").busy = true;
            workers.say(word);
            until(&shared, of, |s| !s.busy);
            let shown = shared.lock().expect("whole");
            let (_, said) = shown.said.clone().expect("a word");
            assert!(said.starts_with(of), "{said} for {of}");
            assert_eq!(shown.asked.past, past);
        };
        said(Word::Back, "This is the first one", 0);
        said(Word::Take(dark.clone()), "Not taken: ", 0);
        said(Word::Keep(dark), "Taken: die_energy_1_1.png", 1);
        said(Word::Skip, "Skipped", 2);
        said(Word::Keep(die.clone()), "Taken: die_energy_2_1.png", 3);
        said(Word::Back, "Once more", 2);
        camera
            .send(Next::Event(SourceEvent::Lost {
                why: "unplugged".to_owned(),
            }))
            .expect("lost");
        until(&shared, "that it is gone", |s| {
            s.frame.is_none() && s.camera.is_some()
        });
        said(Word::Keep(die), "Taken: die_energy_2_1.png", 3);
        drop(workers);
        let there = |n: &str| dir.path().join(n).exists();
        assert!(there("die_energy_1_1.png") && there("die_energy_2_1.png"));
        assert!(!there("die_energy_1_2.png") && !there("die_energy_2_2.png"));
    }
}
