//! Who sees whom: the half-plane of each sight arrow, with the error of its baseline carried
//! along the line.
//!
//! A baseline is known by the two corners it runs through, an edge apart. Half a millimetre at
//! each of them is seven at half a metre: the error grows along the line, and is never a band of
//! one width.

use super::face::Corner;
use super::geometry::{TopFace, Vec2};
use super::mm::Mm;
use super::print::SeenPart;

/// Below this, in mm, two places are one: the error of the arithmetic itself.
const HAIR_MM: f64 = 1e-6;

/// How far a target stands above the baseline of one arrow, and how far that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Its part that reaches furthest: above the line if positive, mm.
    pub above_mm: f64,
    /// The error of that, mm.
    pub error_mm: f64,
}

impl Sight {
    /// Whether it is seen: `None` is too close to call. Where there is no error at all, what
    /// exactly touches the line is not seen (the rule text does not say; facts, 2.4).
    pub fn sees(&self) -> Option<bool> {
        if self.above_mm > self.error_mm + HAIR_MM {
            Some(true)
        } else if self.above_mm < -self.error_mm || self.error_mm == 0.0 {
            Some(false)
        } else {
            None
        }
    }

    /// How far from the line, either way, as it is told.
    pub fn by(&self) -> Mm {
        Mm::new(self.above_mm.abs())
    }

    /// The error, as it is told.
    pub fn error(&self) -> Mm {
        Mm::new(self.error_mm)
    }
}

/// The baseline of an arrow.
#[derive(Clone, Copy, Debug)]
struct Baseline<'a> {
    face: &'a TopFace,
    ends: [usize; 2],
    from: Vec2,
    along: Vec2,
    up: Vec2,
    edge_mm: f64,
}

impl<'a> Baseline<'a> {
    fn of(face: &'a TopFace, arrow: Corner) -> Baseline<'a> {
        let [a, b] = arrow.others();
        let (from, to) = (face.corner(a), face.corner(b));
        let edge_mm = face.edge_mm();
        Baseline {
            face,
            ends: [a.index(), b.index()],
            from,
            along: (to - from) / edge_mm,
            up: face.way(arrow),
            edge_mm,
        }
    }

    fn above(&self, point: Vec2) -> f64 {
        self.up.dot(&(point - self.from))
    }

    /// The variance of the line's own height at the foot of a point.
    fn variance_at(&self, point: Vec2) -> f64 {
        let t = self.along.dot(&(point - self.from)) / self.edge_mm;
        let mut weights = [Vec2::zeros(); 3];
        weights[self.ends[0]] = self.up * (t - 1.0);
        weights[self.ends[1]] = self.up * -t;
        self.face.variance(&weights)
    }
}

/// A point of a target: where it is, and how it hangs on the corners of the top face.
struct Spot {
    at: Vec2,
    shares: [f64; 3],
}

fn top_spot(to: &TopFace, i: usize) -> Spot {
    let mut shares = [0.0; 3];
    shares[i] = 1.0;
    Spot {
        at: to.corners()[i],
        shares,
    }
}

/// A corner of the face below lies opposite a top corner.
fn foot_spot(to: &TopFace, i: usize) -> Spot {
    let mut shares = [2.0 / 3.0; 3];
    shares[i] -= 1.0;
    Spot {
        at: to.foot()[i],
        shares,
    }
}

/// How far `to` stands above the baseline of one of `from`'s arrows: seen is what is even partly
/// above it. Rule text, section "Shooting".
pub fn sight(from: &TopFace, arrow: Corner, to: &TopFace, part: SeenPart) -> Sight {
    let line = Baseline::of(from, arrow);
    let at = |spot: &Spot| {
        let above_mm = line.above(spot.at);
        let theirs = to.variance(&spot.shares.map(|share| line.up * share));
        Sight {
            above_mm,
            error_mm: (line.variance_at(spot.at) + theirs).sqrt(),
        }
    };
    let spots = match part {
        SeenPart::TopFace => 3,
        SeenPart::Silhouette => 6,
    };
    let spot = |i: usize| {
        if i < 3 {
            top_spot(to, i)
        } else {
            foot_spot(to, i - 3)
        }
    };
    let mut highest = spot(0);
    let mut most = line.above(highest.at);
    for i in 1..spots {
        let next = spot(i);
        let above = line.above(next.at);
        if above > most {
            (highest, most) = (next, above);
        }
    }
    let best = at(&highest);
    if best.sees() == Some(true) {
        return best;
    }
    // The highest corner does not settle it. Another may be known better, and be seen for sure;
    // or be known worse, and keep the answer open.
    let mut open = best;
    for i in 0..spots {
        let next = at(&spot(i));
        if next.sees() == Some(true) {
            return next;
        }
        if next.above_mm + next.error_mm > open.above_mm + open.error_mm {
            open = next;
        }
    }
    open
}
