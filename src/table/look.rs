//! What one camera's frame shows, as plain data: the tracker's input.

use std::time::Duration;

use crate::{
    copy::Status,
    geometry::{Point, Quad},
    rig::Lies,
    vision::Sighting,
};

/// Where a die that did not move stands is taken from what was known of it just before, if its error was so many times less. Set by judgement.
const BETTER: f64 = 1.25;

/// Where something stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Foot {
    /// On which display, board or tray; `None` beside all that were found.
    pub lies: Option<Lies>,
    /// In the rig's table frame; `None` where no rig says how the camera stands.
    pub table_mm: Option<[f64; 2]>,
}

/// A die that one frame shows.
#[derive(Debug, Clone, PartialEq)]
pub struct DieSeen {
    pub sighting: Sighting,
    pub foot: Foot,
    /// A cube's edge; what else is at hand for other shapes.
    pub size_mm: f64,
}

/// A miniature or a token that one frame shows.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceSeen {
    /// The copy's word for it: a miniature's id, or a token's kind and side with a blank between.
    pub what: String,
    /// All that it may be; `None` for nothing of the copy. Empty where nobody says.
    pub may_be: Vec<Option<String>>,
    /// There is only one of it on the table: a miniature.
    pub only: bool,
    pub foot: Foot,
    /// Clockwise from the surface's x axis; `None` for what has no front.
    pub heading_deg: Option<f64>,
    /// Whether it may not be turned by a quarter or a half.
    pub heading_sure: bool,
    /// Whether it is this, and stands there.
    pub status: Status,
    /// Chance that it is this, 0 to 1.
    pub confidence: f64,
    /// Pixels of the frame.
    pub polygon: Quad,
}

/// Part of what a camera looks at, where a hand or something else is in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover {
    /// The display, board or tray; `None` for a part of the picture.
    pub surface: Option<String>,
    /// Millimetres of the surface, or pixels of the picture; the whole of it where `None`.
    pub part: Option<Quad>,
}

/// What one frame shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    pub camera: String,
    /// The frame's number with its source.
    pub frame: u64,
    /// On the source's own clock; all cameras of a rig share one.
    pub at: Duration,
    pub dice: Vec<DieSeen>,
    pub pieces: Vec<PieceSeen>,
    /// What is known to be covered.
    pub covers: Vec<Cover>,
    /// Displays, boards and trays that the camera surely sees, wholly within its picture.
    pub sees: Vec<String>,
    /// Whether more may be covered than is known: nobody looks for hands, or not everywhere.
    pub blind: bool,
    /// Dice of the table, by their numbers, whose place looks as it did when this camera last saw them there.
    pub untouched: Vec<u64>,
}

/// A place in as many frames of reference as it is known in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot {
    pub camera: String,
    pub polygon: Quad,
    /// As a sighting's.
    pub error: f64,
    pub foot: Foot,
    pub size_mm: f64,
}

impl Spot {
    /// How far two places are apart, in sides of a die: on the surface where both lie on one, else in the
    /// table's frame, else in the picture of one camera. `None` where they share no frame of reference.
    pub fn apart(&self, other: &Spot) -> Option<f64> {
        let mm = |a: [f64; 2], b: [f64; 2]| {
            (a[0] - b[0]).hypot(a[1] - b[1]) / self.size_mm.max(other.size_mm).max(1.0)
        };
        if let (Some(a), Some(b)) = (&self.foot.lies, &other.foot.lies)
            && a.surface == b.surface
        {
            return Some(mm(a.at_mm, b.at_mm));
        }
        if let (Some(a), Some(b)) = (self.foot.table_mm, other.foot.table_mm) {
            return Some(mm(a, b));
        }
        (self.camera == other.camera).then(|| {
            let side = self.polygon.side().max(other.polygon.side()).max(1.0);
            (self.polygon.centre() - other.polygon.centre()).norm() / side
        })
    }

    /// Whether it is known much better on which spot of the same surface this stands than where the other one does.
    pub fn stands_better(&self, other: &Spot) -> bool {
        let (Some(a), Some(b)) = (&self.foot.lies, &other.foot.lies) else {
            return false;
        };
        let as_large = self.size_mm == other.size_mm;
        as_large
            && a.surface == b.surface
            && a.status == b.status
            && a.error_mm * BETTER < b.error_mm
    }
}

impl Cover {
    /// Whether it hides a place that `camera`, whose look it is of, would see.
    pub(super) fn hides(&self, spot: &Spot) -> bool {
        let point = match &self.surface {
            Some(id) => {
                let lies = spot.foot.lies.as_ref().filter(|l| l.surface == *id);
                let Some(lies) = lies else { return false };
                Point::new(lies.at_mm[0], lies.at_mm[1])
            }
            None => spot.polygon.centre(),
        };
        self.part.is_none_or(|part| part.contains(point))
    }
}
