use std::path::{Path, PathBuf};

use super::{
    Sighting,
    detector::{Detector, Effort},
    reader::Reader,
};
use crate::{
    capture::{CaptureError, Picture},
    copy::{Copy, Status},
};

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

/// What is weakly detected and not read either is left out: of the two witnesses, taken as
/// independent, at least one must be right with this chance.
const THERE: f64 = 0.7;

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
    pub fn open(models: &Path, copy: &Copy, threads: usize) -> Result<Self, VisionError> {
        let detector = Detector::load(&models.join("dice-detector.onnx"), threads)?;
        let mut reader = Reader::load(&models.join("dice-reader.onnx"), threads)?;
        reader.enrol(copy)?;
        Ok(Self { detector, reader })
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
        let found = self.detector.detect(picture, effort)?;
        let mut sightings = self.reader.read(picture, found)?;
        sightings.retain(|s| {
            let read = match s.reading.status {
                Status::Unknown => 0.0,
                _ => s.reading.confidence,
            };
            1.0 - (1.0 - s.score) * (1.0 - read) >= THERE
        });
        Ok(sightings)
    }

    pub fn detector(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }
}
