//! Which matches of features keep company: each says by its own size and direction how the surface lies about it, and so where the
//! others are (Lowe, *Distinctive image features from scale-invariant keypoints*, 2004, 7.3; with pairs in place of bins, since a
//! slanted view changes size and direction from one end of a board to the other).
//!
//! Robust matching alone is drawn in by maps that take a whole surface to one spot: a corner of a grid is like all others, and every one
//! of them has its likest feature there.

use nalgebra::Vector2;

use crate::geometry::Point;

/// How far another feature may be from where this one puts it: a part of the way there, and pixels. Set by judgement, as the next ones: a
/// feature's own direction and size are off by some ten degrees and a fifth, and a board is half as large at its far end.
const ASTRAY: f64 = 0.35;
const PLAY_PX: f64 = 6.0;
/// How far two features of one surface may differ in their turns, radians, and in their sizes, as logarithms.
const TURNED: f64 = 0.6;
const SIZED: f64 = 0.6;
/// Fewer features of a surface say nothing.
pub(super) const LEAST: usize = 10;

/// A feature of a reference that may be one of a picture's.
pub(super) struct Paired {
    /// Its place among the reference's.
    pub feature: usize,
    /// Millimetres on the surface.
    pub from: Point,
    /// Pixels.
    pub to: Point,
    /// How the surface would be turned, radians, and its pixels a millimetre.
    pub turn: f64,
    pub scale: f64,
}

/// Matches that keep company, the largest company first; each is in one of them at most.
pub(super) fn companies(all: &[Paired], most: usize) -> Vec<Vec<usize>> {
    let beside = beside(all);
    let mut left = vec![true; all.len()];
    let mut out = Vec::new();
    while out.len() < most {
        let mut seen = vec![usize::MAX; all.iter().map(|p| p.feature + 1).max().unwrap_or(0)];
        let mut largest: Option<(usize, usize)> = None;
        for (i, near) in beside.iter().enumerate().filter(|(i, _)| left[*i]) {
            // of one feature only one match can be right
            let mut features = 0;
            for j in near.iter().filter(|j| left[**j]) {
                let last = &mut seen[all[*j].feature];
                features += usize::from(*last != i);
                *last = i;
            }
            if largest.is_none_or(|(most, _)| features > most) {
                largest = Some((features, i));
            }
        }
        let Some((_, seed)) = largest.filter(|(features, _)| *features >= LEAST) else {
            break;
        };
        let company: Vec<usize> = beside[seed].iter().copied().filter(|j| left[*j]).collect();
        for j in &company {
            left[*j] = false;
        }
        out.push(company);
    }
    out
}

/// For each match those, itself too, that lie about where it puts them, turned and sized much as it is.
fn beside(all: &[Paired]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = (0..all.len()).map(|i| vec![i]).collect();
    let poses: Vec<Pose> = all.iter().map(Pose::of).collect();
    for (i, (a, p)) in all.iter().zip(&poses).enumerate() {
        for (j, (b, q)) in all.iter().zip(&poses).enumerate().skip(i + 1) {
            if a.feature != b.feature && p.is_like(q) && p.puts(a, b) && q.puts(b, a) {
                out[i].push(j);
                out[j].push(i);
            }
        }
    }
    out
}

/// How a surface would lie by one match.
struct Pose {
    /// The logarithm of its pixels a millimetre, its turn, and both together as a vector: one millimetre to the right.
    size: f64,
    turn: f64,
    right: Vector2<f64>,
}

impl Pose {
    fn of(p: &Paired) -> Self {
        let (s, c) = p.turn.sin_cos();
        Self {
            size: p.scale.ln(),
            turn: p.turn,
            right: p.scale * Vector2::new(c, s),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        let turn = (other.turn - self.turn + std::f64::consts::PI)
            .rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        (other.size - self.size).abs() < SIZED && turn.abs() < TURNED
    }

    /// Whether another feature is about where `own`, whose pose this is, has it.
    fn puts(&self, own: &Paired, other: &Paired) -> bool {
        let way = other.from - own.from;
        let right = self.right;
        let way = Vector2::new(
            right.x * way.x - right.y * way.y,
            right.y * way.x + right.x * way.y,
        );
        (other.to - own.to - way).norm() < ASTRAY * way.norm() + PLAY_PX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_goes_to_one_spot_keeps_no_company_and_a_slanted_board_does() {
        // 300 mm of a board, half as large at its far end, turned by a quarter
        let seen = |x: f64, y: f64| {
            let near = 1.0 / (1.0 + y / 300.0);
            (Point::new(900.0 - y * near, 200.0 + x * near), near)
        };
        let mut all = Vec::new();
        let mut feature = 0;
        for x in (0..300).step_by(50) {
            for y in (0..300).step_by(50) {
                let (x, y) = (f64::from(x), f64::from(y));
                let (to, scale) = seen(x, y);
                let from = Point::new(x, y);
                let turn = std::f64::consts::FRAC_PI_2;
                for (to, scale) in [(to, scale), (Point::new(400.0, 300.0), 0.2)] {
                    all.push(Paired {
                        feature,
                        from,
                        to,
                        turn,
                        scale,
                    });
                }
                feature += 1;
            }
        }
        let found = companies(&all, 6);
        let first: Vec<&Paired> = found[0].iter().map(|i| &all[*i]).collect();
        assert!(first.len() >= 18, "{}", first.len());
        assert!(first.iter().all(|p| p.scale > 0.2));
        let spots = found.iter().flatten().filter(|i| all[**i].scale == 0.2);
        assert_eq!(spots.count(), 0);
    }
}
