//! Whether a die can be rolled: what it would brush on the way, and whether it would still lie
//! on the table. Rule text, section "Maneuvering a Die".
//!
//! The die turns over the edge it stands on, by 70.5 degrees. A die's outline from above is no
//! measure for what it touches (its corners stand alternately on the table and 41.5 mm above it),
//! so the solid itself is turned, step by step, and held against the other solids.

use geo::{Contains, Distance, Euclidean};
use nalgebra::Vector3;

use super::distance::overlap_of;
use super::face::Corner;
use super::geometry::{TopFace, Vec2};
use super::mm::Mm;

type Vec3 = Vector3<f64>;

/// How much room a roll has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// What is left between the die and what it comes nearest to, mm; negative where they would
    /// meet.
    pub mm: f64,
    /// The error of that, mm.
    pub error_mm: f64,
    /// Whether it is at least so much, and was not looked at more closely.
    pub at_least: bool,
}

impl Room {
    /// Room without bounds.
    pub(crate) const WIDE: Room = Room {
        mm: f64::INFINITY,
        error_mm: 0.0,
        at_least: true,
    };

    /// Whether there is room; `None` is too close to call.
    pub fn is_free(&self) -> Option<bool> {
        if self.mm > self.error_mm {
            Some(true)
        } else if self.mm < -self.error_mm {
            Some(false)
        } else {
            None
        }
    }

    /// The room, as it is told.
    pub fn told(&self) -> Mm {
        Mm::new(self.mm)
    }

    /// Its error, as it is told.
    pub fn error(&self) -> Mm {
        Mm::new(self.error_mm)
    }
}

/// An octahedron in space: its middle and its three half diagonals, which stand at right angles.
#[derive(Clone, Copy, Debug)]
struct Solid {
    middle: Vec3,
    halves: [Vec3; 3],
}

impl Solid {
    fn resting(face: &TopFace, height_mm: f64) -> Solid {
        let centre = face.centre();
        let middle = Vec3::new(centre.x, centre.y, height_mm / 2.0);
        let half = |c: Vec2| Vec3::new(c.x, c.y, height_mm) - middle;
        Solid {
            middle,
            halves: face.corners().map(half),
        }
    }

    /// How far it reaches from its middle along a direction.
    fn reach(&self, way: &Vec3) -> f64 {
        self.halves
            .iter()
            .map(|half| half.dot(way).abs())
            .fold(0.0, f64::max)
    }

    fn face_normals(&self) -> [Vec3; 4] {
        let [a, b, c] = self.halves;
        [a + b + c, a + b - c, a - b + c, a - b - c]
    }

    fn edges(&self) -> [Vec3; 6] {
        let [a, b, c] = self.halves;
        [a + b, a - b, b + c, b - c, c + a, c - a]
    }

    /// The room between two solids: along the best of the directions that can part two convex
    /// bodies. Negative where they share some.
    fn room(&self, other: &Solid) -> f64 {
        let between = other.middle - self.middle;
        let mut best = f64::NEG_INFINITY;
        let mut part = |way: Vec3| {
            if let Some(way) = way.try_normalize(1e-6) {
                let room = between.dot(&way).abs() - self.reach(&way) - other.reach(&way);
                best = best.max(room);
            }
        };
        for way in self.face_normals() {
            part(way);
        }
        for way in other.face_normals() {
            part(way);
        }
        for ours in self.edges() {
            for theirs in other.edges() {
                part(ours.cross(&theirs));
            }
        }
        best
    }

    /// The outline from above: both ends of every diagonal, in order around the middle.
    fn outline(&self) -> Vec<Vec2> {
        let middle = self.middle.xy();
        let ends = self.halves.iter().flat_map(|h| [h.xy(), -h.xy()]);
        let points = ends.map(|end| geo::Coord {
            x: middle.x + end.x,
            y: middle.y + end.y,
        });
        hull(points.collect())
    }
}

fn hull(points: Vec<geo::Coord<f64>>) -> Vec<Vec2> {
    use geo::ConvexHull;
    let hull = geo::MultiPoint::from(points.into_iter().map(geo::Point::from).collect::<Vec<_>>())
        .convex_hull();
    let ring = hull.exterior().0.iter().map(|c| Vec2::new(c.x, c.y));
    // The ring ends where it starts.
    ring.skip(1).collect()
}

/// Steps of the turn that are looked at: 3 degrees each.
const STEPS: u32 = 24;

/// What a solid that turns by 3 degrees can hide between two steps, mm: a corner 51 mm from the
/// edge bows out by 0.02.
const BETWEEN_STEPS_MM: f64 = 0.05;

/// Something else that stands on the table.
#[derive(Clone, Debug)]
pub(crate) enum Other<'a> {
    /// A die.
    Die(&'a TopFace),
    /// Anything upright, by a convex part of its outline, and the error of that, mm.
    Thing(&'a [Vec2], f64),
}

/// Lengths that differ by less than this are the same length.
const ROUNDING_MM: f64 = 1e-6;

/// The room that a die has beside something when one of its corners is pressed.
pub(crate) fn room_beside(face: &TopFace, corner: Corner, height_mm: f64, other: &Other) -> Room {
    let radius = (face.corner(corner) - face.centre()).norm();
    // Rolling sweeps less than three radii from where the die stands.
    let near = match other {
        Other::Die(die) => (die.centre() - face.centre()).norm() - 4.0 * radius,
        Other::Thing(outline, _) => away_mm(face.centre(), outline) - 3.0 * radius,
    };
    let near = near - face.error_mm() - error_of(other);
    if near > 0.0 {
        return Room {
            mm: near,
            error_mm: 0.0,
            at_least: true,
        };
    }
    let way = face.way(corner);
    let forward = Vec3::new(way.x, way.y, 0.0);
    let axis = Vec3::new(way.y, -way.x, 0.0);
    let pivot = Vec3::new(face.centre().x, face.centre().y, 0.0) + forward * (radius / 2.0);
    let start = Solid::resting(face, height_mm);
    let lies = match other {
        Other::Die(die) => Some(Solid::resting(die, height_mm)),
        Other::Thing(..) => None,
    };
    let room = |solid: &Solid| match (other, &lies) {
        (Other::Thing(outline, _), _) => -overlap_of(&solid.outline(), outline),
        (Other::Die(_), Some(die)) => solid.room(die),
        (Other::Die(_), None) => f64::INFINITY,
    };
    // What rests beside the die is not in it, whatever the readings say: a roll that only leads
    // away from it brushes nothing.
    let rest = room(&start);
    let error_mm = face.error_mm() + error_of(other) + BETWEEN_STEPS_MM;
    let whole = (2.0 * height_mm).atan2(radius);
    let mut least = f64::INFINITY;
    for step in 1..=STEPS {
        let angle = whole * f64::from(step) / f64::from(STEPS);
        // The top leans towards the corner that is pressed.
        let turn =
            nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_unchecked(-axis), angle);
        let solid = Solid {
            middle: pivot + turn * (start.middle - pivot),
            halves: start.halves.map(|half| turn * half),
        };
        least = least.min(room(&solid));
        if least < rest.min(0.0) - error_mm {
            break;
        }
    }
    // a roll along what it rests against keeps its distance: rounding must not tell it from one that leads
    // nearer
    if least >= rest - ROUNDING_MM && rest.abs() <= error_mm + ROUNDING_MM {
        return Room {
            mm: least - rest + error_mm + BETWEEN_STEPS_MM,
            error_mm,
            at_least: false,
        };
    }
    Room {
        mm: least - rest.min(0.0),
        error_mm,
        at_least: false,
    }
}

/// Two solids that share less than this are called touching, mm.
pub(crate) const HAIR_MM: f64 = 0.1;

/// How deep two dice that both lie flat would be in each other, mm; negative where they are not.
/// The solids are compared: outlines may overlap where the dice do not touch.
pub(crate) fn overlap_of_solids(a: &TopFace, b: &TopFace, height_mm: f64) -> f64 {
    -Solid::resting(a, height_mm).room(&Solid::resting(b, height_mm))
}

/// How far a point is from a convex outline; nothing inside.
fn away_mm(point: Vec2, outline: &[Vec2]) -> f64 {
    let ring: Vec<(f64, f64)> = outline.iter().map(|p| (p.x, p.y)).collect();
    let outline = geo::Polygon::new(geo::LineString::from(ring), Vec::new());
    Euclidean.distance(&geo::Point::new(point.x, point.y), &outline)
}

fn error_of(other: &Other) -> f64 {
    match other {
        Other::Die(die) => die.error_mm(),
        Other::Thing(_, error_mm) => *error_mm,
    }
}

/// How far inside the table's edge the corners that a die stands on are, mm; negative where one
/// hangs over. Its top corners may: they stand up to 14.7 mm further out.
pub(crate) fn inside(face: &TopFace, edge: &[Vec2], edge_error_mm: f64) -> Room {
    let ring: Vec<(f64, f64)> = edge.iter().map(|p| (p.x, p.y)).collect();
    let table = geo::Polygon::new(geo::LineString::from(ring), Vec::new());
    let least = face
        .foot()
        .iter()
        .map(|corner| {
            let point = geo::Point::new(corner.x, corner.y);
            let mm = Euclidean.distance(&point, table.exterior());
            if table.contains(&point) { mm } else { -mm }
        })
        .fold(f64::INFINITY, f64::min);
    Room {
        mm: least,
        error_mm: face.error_mm() + edge_error_mm,
        at_least: false,
    }
}
