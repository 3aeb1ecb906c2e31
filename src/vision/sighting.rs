use crate::{
    copy::{Shape, Status},
    geometry::Quad,
};

/// One thing seen in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub shape: Shape,
    /// The detector's score for a die being here, 0 to 1. Not a chance: see `there`.
    pub score: f64,
    /// Chance that a die is here, 0 to 1: the detector's score and the print's likeness together.
    pub there: f64,
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
    /// Cosine of the print's vector to that of the likest enrolled picture, -1 to 1.
    pub likeness: f64,
    /// The next best face.
    pub next: Option<Next>,
    /// The face looks the same after this turn: 90, 180 or 360 degrees. What its heading may be is
    /// known up to that.
    pub alike_after_deg: u16,
}

/// A face that came second.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    pub kind: String,
    pub face: String,
    /// Chance that it is right, 0 to 1.
    pub confidence: f64,
}
