//! From sightings to what lies where: tracks over frames and cameras, votes, and patience.
//!
//! A die that rolls is not a placed die; one frame is no evidence; what a hand covers is `hidden`
//! and keeps its last sure reading; what lies on a display goes along when the display is moved.

mod look;
mod pieces;
mod prior;
mod track;
mod tracker;
mod votes;

pub use look::{Cover, DieSeen, Foot, Look, PieceSeen};
pub use pieces::Piece;
pub use prior::Prior;
pub use tracker::Tracker;

use std::time::Duration;

use crate::{
    copy::{Shape, Status},
    geometry::{Point, Quad},
    vision::{Reading, Sighting},
};

/// A die on the table, as agreed so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Die {
    /// The same die in the same place keeps its number.
    pub id: u64,
    pub shape: Shape,
    /// The top face in pixels, from the symbol's own upper left, clockwise; of one with three corners the square about it.
    pub polygon: Quad,
    /// Standard error of its middle along each axis, as a part of its side.
    pub error: f64,
    pub reading: Reading,
    /// The last reading that was sure, while the present one is not.
    pub last_sure: Option<String>,
    /// Whether it has lain still long enough to count as placed.
    pub settled: bool,
    /// Since when it has lain where it lies.
    pub still_since: Duration,
    /// Where it stands, where that was worked out when it was seen.
    pub foot: Option<Foot>,
    /// The camera and its frame that show `polygon`.
    pub camera: String,
    pub frame: u64,
    /// The top face in the pixels of other cameras that see it now.
    pub elsewhere: Vec<(String, Quad)>,
}

impl Die {
    /// The corners of its top face, as many as it has.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        let corners = self.shape.outline(&self.polygon);
        corners.iter().map(|p: &Point| [p.x, p.y]).collect()
    }

    /// The top face in a camera's pixels; `None` where that one does not show it.
    pub fn polygon_in(&self, camera: &str) -> Option<&Quad> {
        if self.camera == camera {
            return Some(&self.polygon);
        }
        let mut elsewhere = self.elsewhere.iter();
        elsewhere.find(|(c, _)| c == camera).map(|(_, q)| q)
    }
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
    /// The frame after which it is so.
    pub frame: u64,
    pub dice: Vec<Die>,
    /// Miniatures and tokens.
    pub pieces: Vec<Piece>,
    /// What cannot be seen now by any camera that should.
    pub covers: Vec<Cover>,
    /// Miniatures that were surely seen before: one that is nowhere is in a hand, and not unknown to the eye.
    pub met: Vec<String>,
}

/// One still picture is all there is: every sighting counts as it was read.
pub fn snapshot(sightings: &[Sighting], pieces: &[PieceSeen], covers: &[Cover]) -> Table {
    let dice = sightings
        .iter()
        .zip(1..)
        .map(|(s, id)| Die {
            id,
            shape: s.shape,
            polygon: s.polygon,
            error: s.error,
            reading: s.reading.clone(),
            last_sure: None,
            settled: true,
            still_since: Duration::ZERO,
            foot: None,
            camera: String::new(),
            elsewhere: Vec::new(),
            frame: 0,
        })
        .collect();
    let pieces = pieces.iter().zip(1..);
    Table {
        dice,
        pieces: pieces
            .map(|(seen, id)| pieces::PieceTrack::at_once(id, seen))
            .collect(),
        covers: covers.to_vec(),
        ..Table::default()
    }
}
