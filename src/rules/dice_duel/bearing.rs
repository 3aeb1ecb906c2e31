//! Range, arcs, shield sectors, and what a line of fire crosses. All in whole squares.

use std::fmt;
use std::str::FromStr;

use super::board::{Board, Grounds, Terrain};
use super::print::{ArcEdge, Print};
use super::ship::Placement;
use super::ship_id::ParseNounError;
use super::square::{Facing, Half, Square};
use super::zone::{Sector, Side};

/// Squares from one to the other, never counted diagonally; wormholes do not shorten it.
pub fn range(a: Square, b: Square) -> u16 {
    let (dx, dy) = a.vector_to(b);
    // Two differences of 16-bit numbers; their sum fits 18 bits.
    (dx.unsigned_abs() + dy.unsigned_abs()).min(u32::from(u16::MAX)) as u16
}

/// Columns and rows from one ship to another. Within one square the halves act as one step
/// between them; `None` where they leave no direction.
pub fn offset(from: Placement, to: Placement) -> Option<(i32, i32)> {
    let (dx, dy) = from.square.vector_to(to.square);
    if (dx, dy) != (0, 0) {
        return Some((dx, dy));
    }
    match (from.half, to.half) {
        (Half::At(a), Half::At(b)) if a.opposite() == b => Some(b.vector()),
        _ => None,
    }
}

/// An offset as a ship sees it: along its facing, and to its right.
fn seen_from(facing: Facing, (dx, dy): (i32, i32)) -> (i32, i32) {
    let along = |f: Facing| {
        let (x, y) = f.vector();
        dx * x + dy * y
    };
    (along(facing), along(facing.right()))
}

/// The side whose tubes bear on something at this offset; `None` where it is abeam.
pub fn arc(facing: Facing, offset: (i32, i32), edge: ArcEdge) -> Option<Side> {
    let (ahead, right) = seen_from(facing, offset);
    let within = match edge {
        ArcEdge::QuadrantInclusive => right.abs() <= ahead.abs(),
        ArcEdge::QuadrantExclusive => right.abs() < ahead.abs(),
    };
    match ahead.signum() {
        1 if within => Some(Side::Front),
        -1 if within => Some(Side::Rear),
        _ => None,
    }
}

/// Whether an offset lies exactly on a diagonal.
pub fn is_diagonal((dx, dy): (i32, i32)) -> bool {
    dx.abs() == dy.abs() && dx != 0
}

/// A set of shield sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sectors(u8);

impl Sectors {
    /// No sector.
    pub const NONE: Sectors = Sectors(0);

    /// Only this.
    pub fn one(sector: Sector) -> Sectors {
        Sectors(1 << sector.index())
    }

    /// Either set.
    #[must_use]
    pub fn union(self, other: Sectors) -> Sectors {
        Sectors(self.0 | other.0)
    }

    /// Whether it is one of them.
    pub fn contains(self, sector: Sector) -> bool {
        self.0 & (1 << sector.index()) != 0
    }

    /// In the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Sector> {
        Sector::ALL.into_iter().filter(move |s| self.contains(*s))
    }

    /// How many.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The only one.
    pub fn single(self) -> Option<Sector> {
        if self.len() == 1 {
            self.iter().next()
        } else {
            None
        }
    }
}

/// `2`, `1|2` where there are two, `-` for none.
impl fmt::Display for Sectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (i, sector) in self.iter().enumerate() {
            write!(f, "{}{sector}", if i > 0 { "|" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Sectors {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Sectors::NONE);
        }
        let one = |t: &str| t.parse().map(Sectors::one);
        text.split('|')
            .try_fold(Sectors::NONE, |all, t| Ok(all.union(one(t)?)))
    }
}

/// The sectors of a target that face a shooter at `offset` from it: one, or two on a diagonal.
pub fn sectors(target_facing: Facing, offset: (i32, i32)) -> Sectors {
    let (ahead, right) = seen_from(target_facing, offset);
    let mut found = Sectors::NONE;
    if ahead != 0 && right.abs() <= ahead.abs() {
        found = found.union(Sectors::one(if ahead > 0 {
            Sector::Front
        } else {
            Sector::Back
        }));
    }
    if right != 0 && ahead.abs() <= right.abs() {
        found = found.union(Sectors::one(if right > 0 {
            Sector::Right
        } else {
            Sector::Left
        }));
    }
    found
}

/// Whether the line between the centres of `a` and `b` meets the interior of `square`.
pub fn line_meets(a: Square, b: Square, square: Square) -> bool {
    let ((dx, dy), (sx, sy)) = (a.vector_to(b), a.vector_to(square));
    // Doubled, so that a square reaches one to each side of its centre; 64-bit, so that nothing
    // overflows.
    let (dx, dy, sx, sy) = (
        2 * i64::from(dx),
        2 * i64::from(dy),
        2 * i64::from(sx),
        2 * i64::from(sy),
    );
    let apart = |d: i64, s: i64| d.max(0) < s || d.min(0) > s;
    // The open square spans s-1 to s+1; all coordinates here are even, so ≤ s-1 is < s.
    if apart(dx, sx) || apart(dy, sy) {
        return false;
    }
    (dx, dy) == (0, 0) || (dx * sy - dy * sx).abs() < dx.abs() + dy.abs()
}

/// The squares that a line between two squares may meet: those beside it on every step along its
/// longer side. More than it meets, never fewer.
fn along(a: Square, b: Square) -> impl Iterator<Item = Square> {
    let (dx, dy) = a.vector_to(b);
    let long = dx.abs().max(dy.abs());
    (0..=long).flat_map(move |step| {
        // On squares of which the line meets the interior, it is less than one off the middle.
        let at = |d: i32| match long {
            0 => 0,
            _ => (d * step).div_euclid(long),
        };
        let (x, y) = (at(dx), at(dy));
        let flat = dx.abs() >= dy.abs();
        (-1..=2).map(move |off| match flat {
            true => a.offset(x, y + off),
            false => a.offset(x + off, y),
        })
    })
}

/// Whether a rift blocks the line: surely, surely not, or `None` where that is not known.
pub(crate) fn rift_blocks(board: &Board, print: &Print, a: Square, b: Square) -> Option<bool> {
    let mut blocked = Some(false);
    for (_, ground) in rifts_on_line(board, print, a, b) {
        if ground.known().is_some() {
            return Some(true);
        }
        blocked = None;
    }
    blocked
}

/// The squares on a line that are, or may be, rifts that block it.
pub(crate) fn rifts_on_line<'a>(
    board: &'a Board,
    print: &'a Print,
    a: Square,
    b: Square,
) -> impl Iterator<Item = (Square, Grounds)> + 'a {
    let at_ends = print.options.rift_blocks_at_its_own_square;
    along(a, b)
        .filter(move |s| board.contains(*s) && (at_ends || (*s != a && *s != b)))
        .map(|s| (s, board.cell(s).ground))
        .filter(move |(s, ground)| ground.contains(Terrain::Rift) && line_meets(a, b, *s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_square_that_a_line_meets_is_left_out() {
        let a = Square::new(10, 10);
        for dx in -9..=9 {
            for dy in -9..=9 {
                let b = a.offset(dx, dy);
                let beside: Vec<Square> = along(a, b).collect();
                for x in 0..=20 {
                    for y in 0..=20 {
                        let square = Square::new(x, y);
                        let met = line_meets(a, b, square);
                        assert!(!met || beside.contains(&square), "{a} {b} {square}");
                    }
                }
            }
        }
    }
}
