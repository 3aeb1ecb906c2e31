//! A die on the table: where its corners are, and how far that is known.
//!
//! The frame is the table's: millimetres, x right, y down as seen from above. A heading is the
//! turn of the top face's print in degrees, clockwise as seen, 0 where its upper corner points
//! up the page (towards -y).

use nalgebra::{Matrix3, Matrix6, SVector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::face::Corner;
use super::mm::{settle, settle_finely};
use super::print::Print;

/// A point or a direction on the table.
pub type Vec2 = nalgebra::Vector2<f64>;

/// No table is larger: coordinates beyond this many mm are refused.
pub const MAX_MM: f64 = 100_000.0;

/// How far a die's place is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// A hundred dice at 300 bytes are nothing, and a pose that is `Copy` keeps the geometry plain.
#[allow(clippy::large_enum_variant)]
pub enum PoseError {
    /// The standard deviation of each corner of the top face, mm along each axis, the corners
    /// being read independently: half a millimetre at both ends of a baseline is seven at half a
    /// metre. Like the other two it is no bound; what is too close to call is
    /// [`Options::sigmas`](super::Options::sigmas) times as wide. A die that is moved as one
    /// piece so that no corner leaves its deviation stays well within three of them.
    CornerMm(f64),
    /// The covariance of x (mm), y (mm) and heading (radians), the die moving as one piece.
    PoseCovariance([[f64; 3]; 3]),
    /// The covariance of the corners' coordinates in mm²: x and y of the print's upper corner,
    /// then of the others, clockwise.
    CornerCovariance([[f64; 6]; 6]),
}

/// Where a die lies flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The middle of its top face, mm. It stands above the middle of the one it lies on.
    pub at_mm: [f64; 2],
    /// The turn of the print, degrees clockwise.
    pub heading_deg: f64,
    /// How far that is known.
    pub error: PoseError,
}

impl PoseError {
    /// Whether these are numbers that an error can have: finite, symmetric, nothing less than
    /// none.
    pub(crate) fn is_sane(&self) -> bool {
        fn square<const N: usize>(m: &[[f64; N]; N], most: f64) -> bool {
            let whole = m.iter().flatten().all(|x| x.abs() <= most);
            let even = (0..N).all(|i| (0..i).all(|j| (m[i][j] - m[j][i]).abs() <= 1e-6));
            whole && even && is_covariance(m)
        }
        match self {
            PoseError::CornerMm(e) => (0.0..=10_000.0).contains(e),
            PoseError::PoseCovariance(m) => square(m, 1e6),
            PoseError::CornerCovariance(m) => square(m, 1e6),
        }
    }

    /// With digits that survive being written and read.
    pub(crate) fn settled(&self) -> PoseError {
        match self {
            PoseError::CornerMm(e) => PoseError::CornerMm(settle(*e)),
            PoseError::PoseCovariance(m) => {
                PoseError::PoseCovariance(m.map(|r| r.map(settle_finely)))
            }
            PoseError::CornerCovariance(m) => {
                PoseError::CornerCovariance(m.map(|r| r.map(settle_finely)))
            }
        }
    }
}

/// Whether no direction has a variance below nothing, but for what rounding may take
/// away: scaled to correlations, the matrix has a Cholesky factor.
fn is_covariance<const N: usize>(m: &[[f64; N]; N]) -> bool {
    if (0..N).any(|i| m[i][i] < 0.0) {
        return false;
    }
    // A variance of nothing correlates with nothing.
    let scale: [f64; N] = std::array::from_fn(|i| m[i][i].max(1e-9).sqrt());
    let c = |i: usize, j: usize| {
        let lost = if i == j {
            1e-6 + 6e-9 / (scale[i] * scale[i])
        } else {
            0.0
        };
        (m[i][j] + m[j][i]) / 2.0 / (scale[i] * scale[j]) + lost
    };
    let mut factor = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = c(i, j) - known;
            if i == j {
                if rest <= 0.0 {
                    return false;
                }
                factor[i][i] = rest.sqrt();
            } else {
                factor[i][j] = rest / factor[j][j];
            }
        }
    }
    true
}

impl Pose {
    /// With digits that survive being written and read, and a heading from 0 to below 360.
    #[must_use]
    pub fn settled(&self) -> Pose {
        let turn = settle(self.heading_deg.rem_euclid(360.0));
        Pose {
            at_mm: self.at_mm.map(settle),
            heading_deg: if turn >= 360.0 { 0.0 } else { turn },
            error: self.error.settled(),
        }
    }

    /// The pose after a corner of its top face is pressed: the die rolls over the edge below
    /// that corner, lies one radius further that way, and shows a face whose corner `back`
    /// points the opposite way. Rule text, section "Maneuvering a Die"; facts, 2.3.
    #[must_use]
    pub fn rolled(&self, corner: Corner, back: Corner, radius_mm: f64) -> Pose {
        let way = direction(self.heading_deg, corner);
        let [x, y] = self.at_mm;
        let heading = self.heading_deg + 180.0 + 120.0 * (corner.index() as f64)
            - 120.0 * (back.index() as f64);
        let error = match self.error {
            PoseError::CornerMm(e) => PoseError::CornerMm(e),
            PoseError::PoseCovariance(m) => carry(matrix3(&m), way * radius_mm),
            PoseError::CornerCovariance(m) => {
                let corners = Corner::ALL.map(|c| direction(self.heading_deg, c) * radius_mm);
                carry(as_one_piece(&matrix6(&m), &corners), way * radius_mm)
            }
        };
        Pose {
            at_mm: [x + way.x * radius_mm, y + way.y * radius_mm],
            heading_deg: heading.rem_euclid(360.0),
            error,
        }
    }

    /// The pose with an error of so many mm on top, in place and, at the corners, in turn.
    #[must_use]
    pub(crate) fn blurred(&self, mm: f64, radius_mm: f64) -> Pose {
        let error = match self.error {
            PoseError::CornerMm(e) => PoseError::CornerMm(e.hypot(mm)),
            PoseError::PoseCovariance(mut m) => {
                m[0][0] += mm * mm;
                m[1][1] += mm * mm;
                m[2][2] += (mm / radius_mm).powi(2);
                PoseError::PoseCovariance(m)
            }
            PoseError::CornerCovariance(mut m) => {
                for (i, row) in m.iter_mut().enumerate() {
                    row[i] += mm * mm;
                }
                PoseError::CornerCovariance(m)
            }
        };
        Pose { error, ..*self }
    }
}

fn matrix3(m: &[[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| m[i][j])
}

fn matrix6(m: &[[f64; 6]; 6]) -> Matrix6<f64> {
    Matrix6::from_fn(|i, j| m[i][j])
}

/// The covariance of a pose that is shifted by `by`, a direction that turns with the die.
fn carry(m: Matrix3<f64>, by: Vec2) -> PoseError {
    let mut turn = Matrix3::identity();
    turn[(0, 2)] = -by.y;
    turn[(1, 2)] = by.x;
    let m = turn * m * turn.transpose();
    PoseError::PoseCovariance([0, 1, 2].map(|i| [0, 1, 2].map(|j| m[(i, j)])))
}

/// The covariance of the pose that fits three corners best.
fn as_one_piece(m: &Matrix6<f64>, corners: &[Vec2; 3]) -> Matrix3<f64> {
    let spread: f64 = corners.iter().map(|c| c.norm_squared()).sum();
    let fit = nalgebra::SMatrix::<f64, 3, 6>::from_fn(|row, col| {
        let corner = corners[col / 2];
        match (row, col % 2) {
            (0, 0) | (1, 1) => 1.0 / 3.0,
            (2, 0) => -corner.y / spread,
            (2, 1) => corner.x / spread,
            _ => 0.0,
        }
    });
    fit * m * fit.transpose()
}

/// Where a corner of a top face points, of length 1.
pub fn direction(heading_deg: f64, corner: Corner) -> Vec2 {
    let turn = (heading_deg + 120.0 * corner.index() as f64 - 90.0).to_radians();
    Vec2::new(turn.cos(), turn.sin())
}

/// How the error of three corners is put together.
#[derive(Clone, Debug, PartialEq)]
enum Spread {
    /// Each coordinate by itself; a variance.
    Each(f64),
    /// As one piece.
    Pose(Matrix3<f64>),
    /// In any way.
    Corners(Box<Matrix6<f64>>),
}

/// A top face: its corners in mm, in the order of [`Corner::ALL`], and their covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct TopFace {
    corners: [Vec2; 3],
    centre: Vec2,
    heading_deg: f64,
    /// Where each corner points, of length 1: asked for with every line of sight.
    ways: [Vec2; 3],
    edge_mm: f64,
    spread: Spread,
}

impl TopFace {
    /// The top face of a die that lies so.
    pub fn of(pose: &Pose, print: &Print) -> TopFace {
        let centre = Vec2::from(pose.at_mm);
        let radius = print.radius_mm();
        let sigmas = print.options.sigmas;
        let ways = Corner::ALL.map(|c| direction(pose.heading_deg, c));
        TopFace {
            corners: ways.map(|way| centre + way * radius),
            centre,
            heading_deg: pose.heading_deg,
            ways,
            edge_mm: radius * 3.0_f64.sqrt(),
            spread: match pose.error {
                PoseError::CornerMm(e) => Spread::Each(e * e * sigmas * sigmas),
                PoseError::PoseCovariance(m) => Spread::Pose(matrix3(&m) * (sigmas * sigmas)),
                PoseError::CornerCovariance(m) => {
                    Spread::Corners(Box::new(matrix6(&m) * (sigmas * sigmas)))
                }
            },
        }
    }

    /// The corners.
    pub fn corners(&self) -> &[Vec2; 3] {
        &self.corners
    }

    /// A corner.
    pub fn corner(&self, corner: Corner) -> Vec2 {
        self.corners[corner.index()]
    }

    /// The middle.
    pub fn centre(&self) -> Vec2 {
        self.centre
    }

    /// Where a corner points, of length 1.
    pub fn way(&self, corner: Corner) -> Vec2 {
        self.ways[corner.index()]
    }

    /// How long an edge is, mm.
    pub(crate) fn edge_mm(&self) -> f64 {
        self.edge_mm
    }

    /// The corners of the face it lies on: each opposite the top corner of its place.
    pub fn foot(&self) -> [Vec2; 3] {
        self.corners.map(|c| self.centre * 2.0 - c)
    }

    /// The variance of the sum of each corner's displacement along its `weights`: how far
    /// anything that depends on the corners is known, to first order.
    pub(crate) fn variance(&self, weights: &[Vec2; 3]) -> f64 {
        let [a, b, c] = weights;
        let variance = match &self.spread {
            Spread::Each(v) => v * (a.norm_squared() + b.norm_squared() + c.norm_squared()),
            Spread::Pose(m) => {
                let shift = a + b + c;
                let mut turn = 0.0;
                for (weight, corner) in weights.iter().zip(&self.corners) {
                    let arm = corner - self.centre;
                    turn += weight.y * arm.x - weight.x * arm.y;
                }
                let g = nalgebra::Vector3::new(shift.x, shift.y, turn);
                (g.transpose() * m * g)[0]
            }
            Spread::Corners(m) => {
                let g = SVector::<f64, 6>::from([a.x, a.y, b.x, b.y, c.x, c.y]);
                (g.transpose() * **m * g)[0]
            }
        };
        variance.max(0.0)
    }

    /// The same where all displacements are along one direction of length 1, as they are for a
    /// line of sight.
    pub(crate) fn variance_along(&self, way: Vec2, weights: &[f64; 3]) -> f64 {
        match &self.spread {
            Spread::Each(v) => v * weights.iter().map(|w| w * w).sum::<f64>(),
            _ => self.variance(&weights.map(|w| way * w)),
        }
    }

    /// The error of its place in its worst direction, mm.
    pub(crate) fn error_mm(&self) -> f64 {
        let worst = (0..3).map(|i| {
            let along = |axis: Vec2| {
                let mut weights = [Vec2::zeros(); 3];
                weights[i] = axis;
                self.variance(&weights)
            };
            // The larger eigenvalue: along the axes alone it would depend on how the table is
            // turned.
            let (x, y) = (along(Vec2::x()), along(Vec2::y()));
            let shared = along(Vec2::new(1.0, 1.0)) - x - y;
            (x + y + (x - y).hypot(shared)) / 2.0
        });
        worst.fold(0.0, f64::max).sqrt()
    }
}
