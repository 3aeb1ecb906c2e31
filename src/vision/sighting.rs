use crate::{
    copy::{Shape, Status},
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
