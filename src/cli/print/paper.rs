//! Sizes of paper, and what a page leaves for drawings.

use clap::ValueEnum;

/// What printers leave white at each edge.
pub(super) const MARGIN_MM: f64 = 10.0;
/// The strip with the bar at a page's foot.
pub(super) const FOOT_MM: f64 = 10.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Paper {
    A4,
    Letter,
}

impl Paper {
    /// Width and height.
    pub fn size_mm(self) -> [f64; 2] {
        match self {
            Self::A4 => [210.0, 297.0],
            Self::Letter => [215.9, 279.4],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::Letter => "Letter",
        }
    }

    /// Width and height of what lies between the margins, over the foot.
    pub fn room_mm(self) -> [f64; 2] {
        let [w, h] = self.size_mm();
        [w - 2.0 * MARGIN_MM, h - 2.0 * MARGIN_MM - FOOT_MM]
    }
}

/// PDF's unit is a point.
pub(super) fn points(mm: f64) -> f32 {
    (mm * 72.0 / 25.4) as f32
}
