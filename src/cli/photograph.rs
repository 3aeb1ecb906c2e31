//! `enrol --camera`: takes the photographs that an enrolment still wants, one after the other.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, BufRead},
    path::Path,
    sync::mpsc,
    thread,
};

use super::{UserError, say};
use crate::{
    capture::{Next, Picture, Source, SourceEvent},
    copy::{self, Outline, Owner},
    session::CRYSTAL,
    vision::{Enrolled, Enroller, VisionError},
};

/// A photograph that an enrolment asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wanted {
    /// Its file's name in `enrol/`, without the ending.
    pub name: String,
    /// What it should show, in words for the person at the table.
    pub shows: String,
    how: How,
}

/// How it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    Face,
    Surface([f64; 2], f64),
    Piece(Option<Outline>),
}

/// Photographs of each face: under different lights they tell more than one can.
const OF_A_FACE: usize = 2;

/// All photographs that a copy wants, in the order in which a person takes them most easily.
pub(super) fn wanted(owner: &Owner) -> Vec<Wanted> {
    let mut all = Vec::new();
    let mut add = |name: String, shows: String, how: How| all.push(Wanted { name, shows, how });
    if let Some(b) = &owner.board {
        let how = How::Surface([b.width_mm, b.height_mm], b.thickness_mm);
        add("board".to_owned(), "the empty board, whole".to_owned(), how);
    }
    for team in &owner.teams {
        for station in owner.displays.keys() {
            let Some(size) = owner.card_mm.of(station) else {
                continue;
            };
            let how = How::Surface(size, owner.card_thickness_mm);
            let shows = format!("{team}'s empty {station} display, whole");
            add(format!("display_{team}_{station}"), shows, how);
        }
    }
    for (kind, faces) in &owner.faces {
        let once: BTreeSet<&String> = faces.iter().collect();
        for face in once {
            for n in 1..=OF_A_FACE {
                let shows = if n == 1 {
                    format!(
                        "one {kind} die with {face} up and upright, filling a third of the picture"
                    )
                } else {
                    format!("the same die, turned and lit a little otherwise ({kind} {face})")
                };
                add(format!("die_{kind}_{face}_{n}"), shows, How::Face);
            }
        }
    }
    if owner.board.is_some() {
        for team in &owner.teams {
            for (letter, way) in [("N", "up"), ("E", "right"), ("S", "down"), ("W", "left")] {
                let shows = format!("{team}'s ship alone, its nose {way} in the picture");
                add(format!("ship_{team}_{letter}"), shows, How::Piece(None));
            }
        }
    }
    for (name, token) in &owner.tokens {
        let shown = if name == CRYSTAL {
            (CRYSTAL.to_owned(), "one crystal alone".to_owned())
        } else {
            (format!("token_{name}"), format!("the {name} token alone"))
        };
        add(shown.0, shown.1, How::Piece(Some(token.outline)));
        for side in token.back.keys() {
            let shows = format!("the same token turned over: {side}");
            add(
                format!("token_{name}_{side}"),
                shows,
                How::Piece(Some(token.outline)),
            );
        }
    }
    all
}

/// What the person at the table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// Enter: take it.
    Take,
    /// Take it although something is amiss.
    Keep,
    Skip,
    Quit,
}

impl Word {
    fn of(line: &str) -> Option<Self> {
        match line.trim().to_ascii_lowercase().as_str() {
            "" => Some(Self::Take),
            "k" | "keep" => Some(Self::Keep),
            "s" | "skip" => Some(Self::Skip),
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
                        complain!("Enter takes it, k keeps it all the same, s skips it, q stops")
                    }
                }
            }
            let _ = tell.send(Word::Quit);
        })?;
    Ok(words)
}

/// Asks for each photograph that `folder` does not hold, and puts it there. What was taken stays where somebody
/// stops; the next time goes on from there.
pub(super) fn take(
    owner: &Owner,
    folder: &Path,
    enroller: &mut Enroller,
    source: &mut dyn Source,
    words: &mpsc::Receiver<Word>,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .map_err(|e| UserError(format!("{}: {}", folder.display(), copy::in_words(&e))))?;
    let there = |w: &Wanted| {
        ["jpg", "jpeg", "png"]
            .iter()
            .any(|e| folder.join(format!("{}.{e}", w.name)).exists())
    };
    let missing: Vec<Wanted> = wanted(owner).into_iter().filter(|w| !there(w)).collect();
    let n = missing.len();
    if owner.tokens.is_empty() {
        complain!(
            "sightline: owner.json lists no tokens: none is asked for; mines, tokens and crystals are known only with their photographs"
        );
    }
    say(&format!(
        "{n} photographs to take; Enter takes one, s skips it, q stops (what was taken is kept)"
    ))?;
    for (i, want) in missing.iter().enumerate() {
        say(&format!("{} of {n}: show {}", i + 1, want.shows))?;
        loop {
            let Some((word, picture)) = told(source, words)? else {
                return Ok(());
            };
            match (word, picture) {
                (Word::Quit, _) => return Ok(()),
                (Word::Skip, _) => break,
                (_, None) => {
                    complain!("no picture from the camera yet: wait a moment and press Enter again")
                }
                (word, Some(picture)) => {
                    let found = look(enroller, &picture, want.how)?;
                    let amiss = match &found {
                        None => Some("what it should show is not found in the picture".to_owned()),
                        Some(e) => e.flaws.first().map(|f| format!("it {f}")),
                    };
                    if let Some(amiss) = amiss.filter(|_| word == Word::Take) {
                        complain!(
                            "{amiss}; Enter tries again, k keeps it all the same, s skips it"
                        );
                        continue;
                    }
                    copy::write(&folder.join(format!("{}.png", want.name)), png(&picture)?)?;
                    break;
                }
            }
        }
    }
    Ok(())
}

fn look(
    enroller: &mut Enroller,
    picture: &Picture,
    how: How,
) -> Result<Option<Enrolled>, VisionError> {
    match how {
        How::Face => enroller.face(picture, None),
        How::Surface(size, thick) => enroller.surface(picture, size, thick, None),
        How::Piece(outline) => enroller.piece(picture, None, outline, None),
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

fn png(picture: &Picture) -> anyhow::Result<Vec<u8>> {
    use image::ImageEncoder;
    let mut out = Vec::new();
    image::codecs::png::PngEncoder::new(&mut out).write_image(
        picture.rgb(),
        picture.width(),
        picture.height(),
        image::ExtendedColorType::Rgb8,
    )?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, time::Duration};

    use super::*;
    use crate::{
        capture::{CameraId, CaptureError, Frame, still},
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
    fn each_face_is_wanted_once_however_often_the_die_has_it() {
        let names: Vec<String> = wanted(&owner()).into_iter().map(|w| w.name).collect();
        assert_eq!(
            names,
            [
                "die_energy_1_1",
                "die_energy_1_2",
                "die_energy_2_1",
                "die_energy_2_2"
            ]
        );
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
        take(&owner(), dir.path(), &mut enroller, &mut source, &words).expect("taken");
        let there = |n: &str| dir.path().join(n).exists();
        assert!(there("die_energy_1_1.png"));
        assert!(!there("die_energy_1_2.png"), "it was skipped");
        assert!(!there("die_energy_2_1.png"), "it was stopped before");
    }
}
