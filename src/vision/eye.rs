use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Sighting, Standing,
    detector::{Detector, Effort},
    follow::Follower,
    pieces::Pieces,
    reader::{Alike, Reader},
    register::{Registered, Registrar},
};
use crate::{
    capture::{CaptureError, Picture},
    copy::{Copy, Status, WriteError},
    geometry::Quad,
    rig::Sight,
};

/// Why seeing failed; one sentence each.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error(
        "ONNX Runtime was not found (looked for {looked}): run ./run setup, or set ORT_DYLIB_PATH to libonnxruntime.so, or build with --features tract"
    )]
    NoRuntime { looked: String },
    /// An engine was asked for that cannot be had.
    #[error("{0}")]
    Wish(String),
    #[error("{}: {why}", path.display())]
    Enrolment { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    Model { path: PathBuf, why: String },
    #[error(transparent)]
    Picture(#[from] CaptureError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("looking at a picture failed: {0}")]
    Failed(String),
}

impl VisionError {
    /// Whether the user can mend it (exit status 2) or something went wrong in here (1).
    pub fn is_the_users(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }
}

impl From<opencv::Error> for VisionError {
    fn from(e: opencv::Error) -> Self {
        Self::Failed(e.message)
    }
}

/// What is likelier no die than a die is left out.
const THERE: f64 = 0.5;

/// What one picture shows.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Dice, best first; not those that are printed on a surface.
    pub sightings: Vec<Sighting>,
    /// The copy's displays and boards.
    pub surfaces: Vec<Registered>,
}

/// Detector and reader, with one copy enrolled.
pub struct Eye {
    detector: Detector,
    reader: Reader,
    alike: Vec<Alike>,
    registrar: Registrar,
    follower: Follower,
    /// `None` for a copy with no pieces, or no surface to find them on.
    pieces: Option<Pieces>,
}

impl Eye {
    /// Loads both models from `models` and enrols `copy`.
    ///
    /// # Errors
    /// A missing runtime, a model that does not match what this program expects, or an enrolment
    /// picture that cannot be read.
    pub fn open(models: &Path, copy: &Copy, threads: usize) -> Result<Self, VisionError> {
        let detector = Detector::load(&models.join("dice-detector.onnx"), threads)?;
        let mut reader = Reader::load(&models.join(Reader::file(copy.prints)), threads)?;
        let alike = reader.enrol(copy)?;
        Ok(Self {
            detector,
            reader,
            alike,
            registrar: Registrar::new(&copy.surfaces)?,
            follower: Follower::default(),
            pieces: Pieces::open(models, copy, threads)?,
        })
    }

    /// Faces of the copy that are too alike to be told apart surely, most alike first.
    pub fn alike(&self) -> &[Alike] {
        &self.alike
    }

    /// All dice in one picture, best first, whatever they lie on.
    ///
    /// # Errors
    /// Only when a library fails; a picture with nothing in it is an empty list.
    pub fn look(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Sighting>, VisionError> {
        let mut sightings = self.candidates(picture, effort)?;
        sightings.retain(|s| s.there >= THERE);
        Ok(sightings)
    }

    /// The same with what is likelier no die: what the chances are fitted and measured on.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn candidates(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Sighting>, VisionError> {
        let found = self.detector.detect(picture, effort)?;
        self.reader.read(picture, found)
    }

    /// A picture that is asked about by itself, as it is seen with all effort.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see(&mut self, picture: &Picture) -> Result<Seen, VisionError> {
        let sightings = self.look(picture, Effort::Still)?;
        let surfaces = self.registrar.find(picture)?;
        self.seen(picture, sightings, surfaces)
    }

    /// The next frame of many: surfaces that were found are followed, and what is missing is looked for bit by
    /// bit; until all were looked for once no die is sure. `at` is the frame's time on its source's clock.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see_next(&mut self, picture: &Picture, at: Duration) -> Result<Seen, VisionError> {
        let sightings = self.look(picture, Effort::Live)?;
        let surfaces = self.follower.follow(&self.registrar, picture, at)?;
        let mut seen = self.seen(picture, sightings, surfaces)?;
        if !self.has_searched(Duration::ZERO) {
            let sure = seen.sightings.iter_mut().map(|s| &mut s.reading.status);
            sure.filter(|s| **s == Status::Sure)
                .for_each(|s| *s = Status::Unsure);
        }
        Ok(seen)
    }

    fn seen(
        &self,
        picture: &Picture,
        mut sightings: Vec<Sighting>,
        surfaces: Vec<Registered>,
    ) -> Result<Seen, VisionError> {
        let faces: Vec<Quad> = sightings.iter().map(|s| s.polygon).collect();
        let printed = self.registrar.printed(picture, &surfaces, &faces)?;
        let mut printed = printed.into_iter();
        sightings.retain(|_| !printed.next().unwrap_or(false));
        Ok(Seen {
            sightings,
            surfaces,
        })
    }

    /// What stands on the surfaces that `sight` has of this picture, and what hides them; `None` for a copy whose
    /// pieces nobody can tell.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn standing(
        &mut self,
        picture: &Picture,
        sight: &Sight,
    ) -> Result<Option<Standing>, VisionError> {
        let pieces = self.pieces.as_mut();
        pieces.map(|p| p.look(picture, sight)).transpose()
    }

    /// Says where a surface should lie in the next frame: it is looked for there first.
    pub fn expect(&mut self, surface: &str, at: Quad) {
        self.follower.expect(&self.registrar, surface, at);
    }

    /// Whether every display and board was looked for everywhere since a time, or lies where it lay.
    pub fn has_searched(&self, since: Duration) -> bool {
        self.follower.has_searched(&self.registrar, since)
    }

    /// Nothing has changed since the last frame.
    pub fn rest(&mut self, at: Duration) {
        self.follower.rest(at);
    }

    /// Something has changed after nothing had.
    pub fn wake(&mut self, at: Duration) {
        self.follower.wake(at);
    }

    /// Forgets where surfaces lie: another camera is looked through.
    pub fn forget(&mut self) {
        self.follower.clear();
        if let Some(pieces) = &mut self.pieces {
            pieces.clear();
        }
    }

    pub fn detector(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }
}
