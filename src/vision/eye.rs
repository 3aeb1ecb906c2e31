use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Sighting,
    detector::{Detector, Effort},
    follow::Follower,
    reader::{Alike, Reader},
    register::{Registered, Registrar},
};
use crate::{
    capture::{CaptureError, Picture},
    copy::{Copy, WriteError},
    geometry::Quad,
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

/// Detector and reader, with one copy enrolled.
pub struct Eye {
    detector: Detector,
    reader: Reader,
    alike: Vec<Alike>,
    registrar: Registrar,
    follower: Follower,
}

impl Eye {
    /// Loads both models from `models` and enrols `copy`.
    ///
    /// # Errors
    /// A missing runtime, a model that does not match what this program expects, or an enrolment
    /// picture that cannot be read.
    pub fn open(models: &Path, copy: &Copy, threads: usize) -> Result<Self, VisionError> {
        let detector = Detector::load(&models.join("dice-detector.onnx"), threads)?;
        let mut reader = Reader::load(&models.join("dice-reader.onnx"), threads)?;
        let alike = reader.enrol(copy)?;
        Ok(Self {
            detector,
            reader,
            alike,
            registrar: Registrar::new(&copy.surfaces)?,
            follower: Follower::default(),
        })
    }

    /// Faces of the copy that are too alike to be told apart surely, most alike first.
    pub fn alike(&self) -> &[Alike] {
        &self.alike
    }

    /// Everything that is seen in one picture, best first.
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

    /// The copy's displays and boards that a picture shows.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn surfaces(&mut self, picture: &Picture) -> Result<Vec<Registered>, VisionError> {
        self.registrar.find(picture)
    }

    /// The same for the next frame of many: what was found is followed, and what is missing is looked for bit by
    /// bit. `at` is the frame's time on its source's clock.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn follow(
        &mut self,
        picture: &Picture,
        at: Duration,
    ) -> Result<Vec<Registered>, VisionError> {
        self.follower.follow(&self.registrar, picture, at)
    }

    /// Says where a surface should lie in the next frame: it is looked for there first.
    pub fn expect(&mut self, surface: &str, at: Quad) {
        self.follower.expect(&self.registrar, surface, at);
    }

    /// Forgets where surfaces lie: another camera is looked through.
    pub fn forget(&mut self) {
        self.follower.clear();
    }

    pub fn detector(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }
}
