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

/// The baseline of an arrow, with what every line of sight from it asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline<'a> {
    face: &'a TopFace,
    /// The corners it runs through.
    ends: [usize; 2],
    from: Vec2,
    /// Along the line, one over the length of an edge long: its product with the way to a point
    /// is 0 at one end and 1 at the other.
    along: Vec2,
    /// To the side of the arrow, of length 1.
    up: Vec2,
}

/// A point of a target: where it is, and how it hangs on the corners of the top face.
struct Spot {
    at: Vec2,
    shares: [f64; 3],
}

/// The corners of the top face, then those of the face below, each opposite one of the first.
fn spot(to: &TopFace, i: usize) -> Spot {
    if i < 3 {
        let mut shares = [0.0; 3];
        shares[i] = 1.0;
        let at = to.corners()[i];
        Spot { at, shares }
    } else {
        let mut shares = [2.0 / 3.0; 3];
        shares[i - 3] -= 1.0;
        let at = to.centre() * 2.0 - to.corners()[i - 3];
        Spot { at, shares }
    }
}

impl<'a> Baseline<'a> {
    pub(crate) fn of(face: &'a TopFace, arrow: Corner) -> Baseline<'a> {
        let [a, b] = arrow.others();
        let (from, to) = (face.corner(a), face.corner(b));
        let edge_mm = face.edge_mm();
        Baseline {
            face,
            ends: [a.index(), b.index()],
            from,
            along: (to - from) / (edge_mm * edge_mm),
            up: face.way(arrow),
        }
    }

    fn above(&self, point: Vec2) -> f64 {
        self.up.dot(&(point - self.from))
    }

    /// How far a point of `to`, so far above the line, is known.
    fn sight_of(&self, above_mm: f64, spot: &Spot, to: &TopFace) -> Sight {
        let t = self.along.dot(&(spot.at - self.from));
        let mut line = [0.0; 3];
        line[self.ends[0]] = t - 1.0;
        line[self.ends[1]] = -t;
        let variance =
            self.face.variance_along(self.up, &line) + to.variance_along(self.up, &spot.shares);
        Sight {
            above_mm,
            error_mm: variance.sqrt(),
        }
    }

    /// How far `to` stands above the line: seen is what is even partly above it.
    pub(crate) fn sight(&self, to: &TopFace, part: SeenPart) -> Sight {
        match part {
            SeenPart::TopFace => self.highest_of::<3>(to),
            SeenPart::Silhouette => self.highest_of::<6>(to),
        }
    }

    fn highest_of<const SPOTS: usize>(&self, to: &TopFace) -> Sight {
        let spots: [Spot; SPOTS] = std::array::from_fn(|i| spot(to, i));
        let heights = spots.each_ref().map(|spot| self.above(spot.at));
        let mut highest = 0;
        for i in 1..SPOTS {
            if heights[i] > heights[highest] {
                highest = i;
            }
        }
        let best = self.sight_of(heights[highest], &spots[highest], to);
        if best.sees() == Some(true) {
            return best;
        }
        // The highest corner does not settle it. Another may be known better, and be seen for
        // sure; or be known worse, and keep the answer open.
        let mut open = best;
        for i in (0..SPOTS).filter(|i| *i != highest) {
            let next = self.sight_of(heights[i], &spots[i], to);
            if next.sees() == Some(true) {
                return next;
            }
            if next.above_mm + next.error_mm > open.above_mm + open.error_mm {
                open = next;
            }
        }
        open
    }
}

/// How far `to` stands above the baseline of one of `from`'s arrows: seen is what is even partly
/// above it. Rule text, section "Shooting".
pub fn sight(from: &TopFace, arrow: Corner, to: &TopFace, part: SeenPart) -> Sight {
    Baseline::of(from, arrow).sight(to, part)
}
