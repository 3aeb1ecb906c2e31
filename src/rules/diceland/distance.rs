//! How far apart two dice are: between the closest points of their top faces. Rule text, section
//! "Shooting Range".

use super::geometry::{TopFace, Vec2};
use super::mm::Mm;
use geo::{Distance, Euclidean};

const HAIR_MM: f64 = 1e-6;

/// The shortest way between two top faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Its length in mm, 0 where they touch.
    pub mm: f64,
    /// From the first to the second, of length 1; where they touch, from middle to middle.
    pub way: Vec2,
    /// How its ends hang on the corners of the first and of the second.
    shares: [[f64; 3]; 2],
}

impl Gap {
    /// The length, as it is told.
    pub fn told(&self) -> Mm {
        Mm::new(self.mm)
    }

    fn weights(&self, end: usize, sign: f64) -> [Vec2; 3] {
        self.shares[end].map(|share| self.way * (share * sign))
    }

    /// The error of its length, mm.
    pub fn error_mm(&self, a: &TopFace, b: &TopFace) -> f64 {
        (a.variance(&self.weights(0, -1.0)) + b.variance(&self.weights(1, 1.0))).sqrt()
    }
}

/// How much nearer one target is than another, and how far that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearer {
    /// The second's distance less the first's, mm.
    pub by_mm: f64,
    /// The error of that, mm; what both share does not count twice.
    pub error_mm: f64,
}

impl Nearer {
    /// Whether the first is nearer; `None` is too close to call. Equal distances stay so: the
    /// players say (facts, 2.4).
    pub fn is(&self) -> Option<bool> {
        (self.by_mm.abs() > self.error_mm + HAIR_MM).then_some(self.by_mm > 0.0)
    }

    /// By how much, either way, as it is told.
    pub fn by(&self) -> Mm {
        Mm::new(self.by_mm.abs())
    }

    /// The error, as it is told.
    pub fn error(&self) -> Mm {
        Mm::new(self.error_mm)
    }
}

/// The gap between two top faces.
pub fn gap(a: &TopFace, b: &TopFace) -> Gap {
    if overlap_mm(a, b) > 0.0 {
        return touching(a, b);
    }
    // Two triangles apart are closest at a corner of one of them.
    let mut best = Gap {
        mm: f64::INFINITY,
        way: Vec2::zeros(),
        shares: [[0.0; 3]; 2],
    };
    for turned in [false, true] {
        let (of, to) = if turned { (b, a) } else { (a, b) };
        for (i, corner) in of.corners().iter().enumerate() {
            for j in 0..3 {
                let k = (j + 1) % 3;
                let (from, edge) = (to.corners()[j], to.corners()[k] - to.corners()[j]);
                let t = (edge.dot(&(corner - from)) / edge.norm_squared()).clamp(0.0, 1.0);
                let way = from + edge * t - corner;
                let mm = way.norm_squared();
                if mm < best.mm {
                    let mut here = [0.0; 3];
                    here[i] = 1.0;
                    let mut there = [0.0; 3];
                    there[j] = 1.0 - t;
                    there[k] = t;
                    best = Gap {
                        mm,
                        way: if turned { -way } else { way },
                        shares: if turned { [there, here] } else { [here, there] },
                    };
                }
            }
        }
    }
    best.mm = best.mm.sqrt();
    if best.mm > HAIR_MM {
        best.way /= best.mm;
        best
    } else {
        touching(a, b)
    }
}

/// No gap. Its error is that of the corners which stand against each other.
fn touching(a: &TopFace, b: &TopFace) -> Gap {
    let between = b.centre() - a.centre();
    let way = between.try_normalize(HAIR_MM).unwrap_or(Vec2::x());
    let furthest = |face: &TopFace, way: Vec2| {
        let mut shares = [0.0; 3];
        let reach = face.corners().map(|c| c.dot(&way));
        let best = (0..3).max_by(|i, j| reach[*i].total_cmp(&reach[*j]));
        shares[best.unwrap_or(0)] = 1.0;
        shares
    };
    Gap {
        mm: 0.0,
        way,
        shares: [furthest(a, way), furthest(b, -way)],
    }
}

/// How deep two top faces lie in each other, mm; negative where they do not.
pub(crate) fn overlap_mm(a: &TopFace, b: &TopFace) -> f64 {
    overlap_of(a.corners(), b.corners())
}

/// The same for any two convex outlines, their corners in order: along the normals of their
/// edges, the least that they share. Where they share nothing, their distance, negative: it does not
/// depend on how an outline that is not convex was cut into parts.
pub(crate) fn overlap_of(a: &[Vec2], b: &[Vec2]) -> f64 {
    let reach = |points: &[Vec2], way: Vec2| {
        points
            .iter()
            .map(|p| p.dot(&way))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| {
                (least.min(x), most.max(x))
            })
    };
    let mut least = f64::INFINITY;
    for outline in [a, b] {
        for (i, from) in outline.iter().enumerate() {
            let Some(to) = outline.get((i + 1) % outline.len()) else {
                continue;
            };
            let edge = to - from;
            let norm = edge.norm();
            if norm <= 0.0 {
                continue;
            }
            let way = Vec2::new(-edge.y, edge.x) / norm;
            let (a_least, a_most) = reach(a, way);
            let (b_least, b_most) = reach(b, way);
            least = least.min((a_most - b_least).min(b_most - a_least));
        }
    }
    if least < 0.0 {
        let polygon = |points: &[Vec2]| {
            let ring: Vec<(f64, f64)> = points.iter().map(|p| (p.x, p.y)).collect();
            geo::Polygon::new(geo::LineString::from(ring), Vec::new())
        };
        return -Euclidean.distance(&polygon(a), &polygon(b));
    }
    least
}

/// Whether `first` is nearer to `from` than `second` is.
pub fn nearer(from: &TopFace, first: (&TopFace, &Gap), second: (&TopFace, &Gap)) -> Nearer {
    let (a, near) = first;
    let (b, far) = second;
    let ours_near = near.weights(0, -1.0);
    let ours_far = far.weights(0, -1.0);
    let ours = [0, 1, 2].map(|i| ours_far[i] - ours_near[i]);
    let variance =
        from.variance(&ours) + a.variance(&near.weights(1, 1.0)) + b.variance(&far.weights(1, 1.0));
    Nearer {
        by_mm: far.mm - near.mm,
        error_mm: variance.sqrt(),
    }
}
