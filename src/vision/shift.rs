//! Places where a face's outline may truly lie: a face is read at several of them.

use crate::geometry::Quad;

/// Where a face's outline may truly lie, from where it was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    scale: f64,
    /// In units of the face's side.
    right: f64,
    down: f64,
    /// Clockwise in the picture.
    turn_deg: f64,
}

const fn shifted(scale: f64, right: f64, down: f64) -> Shift {
    Shift {
        scale,
        right,
        down,
        turn_deg: 0.0,
    }
}

const fn turned(scale: f64, turn_deg: f64) -> Shift {
    Shift {
        scale,
        right: 0.0,
        down: 0.0,
        turn_deg,
    }
}

impl Shift {
    pub fn of(self, face: &Quad) -> Quad {
        let side = face.side();
        let shift = nalgebra::Vector2::new(self.right * side, self.down * side);
        let turn = nalgebra::Rotation2::new(self.turn_deg.to_radians());
        let middle = face.centre();
        let corners = face.scaled(self.scale).0;
        Quad(corners.map(|p| middle + turn * (p - middle) + shift))
    }
}

/// Outlines are off by as much as that after they were refined, now and then. Every face is read at the first;
/// what is not sure then, at the near ones, and what is not sure then, at all.
pub(super) const VIEWS: [Shift; 17] = [
    shifted(1.0, 0.0, 0.0),
    shifted(1.0, 0.04, 0.04),
    shifted(1.0, -0.04, -0.04),
    shifted(1.0, 0.045, 0.0),
    shifted(1.0, -0.045, 0.0),
    shifted(1.0, 0.0, 0.045),
    shifted(1.0, 0.0, -0.045),
    shifted(0.97, 0.0, 0.0),
    shifted(1.04, 0.0, 0.0),
    shifted(0.97, 0.045, 0.0),
    shifted(0.97, -0.045, 0.0),
    shifted(0.97, 0.0, 0.045),
    shifted(0.97, 0.0, -0.045),
    turned(1.0, 4.0),
    turned(1.0, -4.0),
    turned(1.02, 8.0),
    turned(1.02, -8.0),
];
pub(super) const FIRST_VIEWS: usize = 1;
pub(super) const NEAR_VIEWS: usize = 6;
/// How many of them an outline gets that was taken from the other dice of the picture.
pub(super) const AS_OTHERS_VIEWS: usize = 7;
