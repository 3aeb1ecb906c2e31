//! `enrol --camera`: takes the photographs that an enrolment still wants, one after the other.

use std::{
    io::{self, BufRead},
    sync::mpsc,
    thread,
};

use super::say;
use crate::{
    capture::{Next, Picture, Source, SourceEvent},
    copy,
    session::{KeepError, Sitting},
    vision::Enroller,
};

/// What the person at the table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// Enter: take it.
    Take,
    /// Take it although something is amiss.
    Keep,
    Skip,
    /// Takes the last one back.
    Back,
    Quit,
}

impl Word {
    fn of(line: &str) -> Option<Self> {
        match line.trim().to_ascii_lowercase().as_str() {
            "" => Some(Self::Take),
            "k" | "keep" => Some(Self::Keep),
            "s" | "skip" => Some(Self::Skip),
            "b" | "back" => Some(Self::Back),
            "q" | "quit" => Some(Self::Quit),
            _ => None,
        }
    }
}

/// Words typed on standard input; the end of it is the last word.
pub(super) fn typed() -> io::Result<mpsc::Receiver<Word>> {
    let (tell, words) = mpsc::channel();
    thread::Builder::new()
        .name("typing".to_owned())
        .spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                match Word::of(&line) {
                    Some(word) => {
                        if tell.send(word).is_err() {
                            return;
                        }
                    }
                    None => {
                        complain!("Enter takes it, k keeps it all the same, s skips it, b goes back, q stops")
                    }
                }
            }
            let _ = tell.send(Word::Quit);
        })?;
    Ok(words)
}

/// Asks for each photograph of the sitting, and keeps it. What was taken stays where somebody stops; the next time goes on
/// from there.
pub(super) fn take(
    sitting: &mut Sitting,
    enroller: &mut Enroller,
    source: &mut dyn Source,
    words: &mpsc::Receiver<Word>,
) -> anyhow::Result<()> {
    let n = sitting.of();
    say(&format!(
        "{n} photographs to take; Enter takes one, s skips it, b goes back to the one before, q stops (what was taken is kept)"
    ))?;
    while let Some(want) = sitting.now().cloned() {
        say(&format!(
            "{} of {n}: show {}",
            sitting.past() + 1,
            want.shows
        ))?;
        loop {
            let Some((word, picture)) = told(source, words)? else {
                return Ok(());
            };
            match (word, picture) {
                (Word::Quit, _) => return Ok(()),
                (Word::Skip, _) => sitting.skip(),
                (Word::Back, _) => match sitting.back() {
                    Ok(true) => {}
                    Ok(false) => {
                        complain!("this is the first one");
                        continue;
                    }
                    Err(e) => {
                        complain!("the photograph before stays: it {}", copy::in_words(&e));
                        continue;
                    }
                },
                (_, None) => {
                    complain!(
                        "no picture from the camera yet: wait a moment and press Enter again"
                    );
                    continue;
                }
                (word, Some(picture)) => {
                    let found = want.how.look(enroller, &picture, None)?;
                    if let Some(amiss) = want
                        .how
                        .amiss(found.as_ref())
                        .filter(|_| word == Word::Take)
                    {
                        complain!(
                            "{amiss}; Enter tries again, k keeps it all the same, s skips it"
                        );
                        continue;
                    }
                    sitting.keep(&picture).map_err(unkept)?;
                }
            }
            break;
        }
    }
    Ok(())
}

fn unkept(error: KeepError) -> anyhow::Error {
    match error {
        KeepError::Write(error) => error.into(),
        other => other.into(),
    }
}

/// Waits for the next word, and the newest picture then; `None` when the camera's recording is over.
fn told(
    source: &mut dyn Source,
    words: &mpsc::Receiver<Word>,
) -> anyhow::Result<Option<(Word, Option<Picture>)>> {
    let mut newest = None;
    loop {
        match source.next()? {
            Next::Frame(frame) => newest = Some(frame.picture),
            Next::Event(SourceEvent::Opened(_)) | Next::Pending => {}
            Next::Event(_) => {
                newest = None;
                complain!("the camera is gone; plug it in again");
            }
            Next::Skipped(error) => complain!("sightline: {error}"),
            Next::End => return Ok(None),
        }
        match words.try_recv() {
            Ok(word) => return Ok(Some((word, newest))),
            Err(mpsc::TryRecvError::Empty) => {}
            Err(mpsc::TryRecvError::Disconnected) => return Ok(Some((Word::Quit, newest))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, time::Duration};

    use super::*;
    use crate::{
        capture::{CameraId, CaptureError, Frame, still},
        copy::Owner,
        vision::models_folder,
    };

    /// Shows one picture after the other, for ever the last one.
    struct Shows(CameraId, VecDeque<Picture>);

    impl Source for Shows {
        fn camera(&self) -> &CameraId {
            &self.0
        }

        fn is_live(&self) -> bool {
            true
        }

        fn next(&mut self) -> Result<Next, CaptureError> {
            let picture = match self.1.len() {
                0 | 1 => self.1.front().cloned(),
                _ => self.1.pop_front(),
            };
            Ok(picture.map_or(Next::End, |picture| {
                Next::Frame(Frame {
                    picture,
                    camera: self.0.clone(),
                    at: Duration::ZERO,
                    captured: None,
                    sequence: 0,
                    file: None,
                })
            }))
        }
    }

    fn owner() -> Owner {
        serde_json::from_str(r#"{"die_mm": 16, "faces": {"energy": ["1", "2", "2"]}}"#)
            .expect("an owner")
    }

    #[test]
    fn a_picture_of_nothing_is_asked_for_again_and_what_was_taken_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut enroller = Enroller::open(&models_folder(), 2).expect("the models");
        let die = copy::shipped("plain-dice").join("faces/1-a.png");
        let (die, _) = still::load(&die).expect("a face");
        let bare = Picture::from_rgb(320, 240, vec![90; 320 * 240 * 3]).expect("a picture");
        let (tell, words) = mpsc::channel();
        // of nothing, refused; then kept all the same; then stopped
        for word in [Word::Take, Word::Keep, Word::Skip, Word::Quit] {
            tell.send(word).expect("heard");
        }
        let mut source = Shows(
            CameraId("shows".to_owned()),
            [bare.clone(), bare, die].into(),
        );
        let mut sitting = Sitting::begin(&owner(), dir.path()).expect("begun");
        take(&mut sitting, &mut enroller, &mut source, &words).expect("taken");
        let there = |n: &str| dir.path().join(n).exists();
        assert!(there("die_energy_1_1.png"));
        assert!(!there("die_energy_1_2.png"), "it was skipped");
        assert!(!there("die_energy_2_1.png"), "it was stopped before");
    }
}
