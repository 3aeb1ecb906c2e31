//! From sightings to what lies where: tracks over frames, votes, and patience.
//!
//! A die that rolls is not a placed die; one frame is no evidence; what a hand covers is `hidden`
//! and keeps its last sure reading.

mod settler;

pub use settler::{Settler, snapshot};

use std::time::Duration;

use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    vision::Reading,
};

/// A die on the table, as agreed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Die {
    /// The same die in the same place keeps its number.
    pub id: u64,
    pub shape: Shape,
    /// The top face in pixels, from the symbol's own upper left, clockwise.
    pub polygon: Quad,
    pub reading: Reading,
    /// The last reading that was sure, while the present one is not.
    pub last_sure: Option<String>,
    /// Whether it has lain still long enough to count as placed.
    pub settled: bool,
}

impl Die {
    pub fn status(&self) -> Status {
        self.reading.status
    }
}

/// What lies on the table at a time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    pub at: Duration,
    pub dice: Vec<Die>,
}
