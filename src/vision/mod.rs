//! From a frame to sightings: find dice, rectify their top faces, read them against a copy.
//!
//! The detector knows shapes, the reader turns a print into a vector; which kind and face it is
//! comes from the copy's enrolment alone.

mod crop;
mod detector;
mod model;
mod reader;
mod runtime;

use std::path::PathBuf;

pub use crop::rectify;
pub use detector::{Detection, Detector, Effort};
pub use model::ModelInfo;
pub use reader::{EnrolmentReport, Reader};
pub use runtime::{Backend, backend, models_folder};

use crate::{
    capture::{CaptureError, Picture},
    copy::{Copy, Shape, Status},
    geometry::Quad,
};

/// One thing seen in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub shape: Shape,
    /// How sure the detector is that a die is here, 0 to 1.
    pub score: f64,
    /// The top face in pixels of the frame, from the symbol's own upper left, clockwise.
    pub polygon: Quad,
    pub reading: Reading,
}

/// What a top face was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Best guesses, also when `unsure`; `None` where nothing enrolled is anything like it.
    pub kind: Option<String>,
    pub face: Option<String>,
    pub status: Status,
    /// Chance that `face` is right, 0 to 1.
    pub confidence: f64,
    /// The next best face.
    pub next: Option<(String, f64)>,
}

/// Why seeing failed; one sentence each.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error(
        "ONNX Runtime was not found (looked for {looked}): run ./run setup, or set ORT_DYLIB_PATH to libonnxruntime.so, or build with --features tract"
    )]
    NoRuntime { looked: String },
    #[error("{}: {why}", path.display())]
    Model { path: PathBuf, why: String },
    #[error(transparent)]
    Picture(#[from] CaptureError),
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

/// Detector and reader, with one copy enrolled.
pub struct Eye {
    detector: Detector,
    reader: Reader,
}

impl Eye {
    /// Loads both models from `models` and enrols `copy`.
    ///
    /// # Errors
    /// A missing runtime, a model that does not match what this program expects, or an enrolment
    /// picture that cannot be read.
    pub fn open(models: &std::path::Path, copy: &Copy, threads: usize) -> Result<Self, VisionError> {
        let detector = Detector::load(&models.join("dice-detector.onnx"), threads)?;
        let mut reader = Reader::load(&models.join("dice-reader.onnx"), threads)?;
        reader.enrol(copy)?;
        Ok(Self { detector, reader })
    }

    /// Everything that is seen in one picture, best first.
    ///
    /// # Errors
    /// Only when a library fails; a picture with nothing in it is an empty list.
    pub fn look(&mut self, picture: &Picture, effort: Effort) -> Result<Vec<Sighting>, VisionError> {
        let found = self.detector.detect(picture, effort)?;
        self.reader.read(picture, found)
    }

    pub fn detector(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }
}
