//! Outlines of things on the table: whether they cross themselves, and the convex parts of those
//! that are not convex. Two convex bodies can be told apart along the normals of their edges; an
//! outline with a bay in it has to be cut first, or what stands in the bay would be in its way.

use super::geometry::Vec2;

/// Twice the area that an outline spans; positive where it runs from x to y.
pub(super) fn twice_area(corners: &[Vec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.perp(b)).sum()
}

/// The side of the line from `a` to `b` on which `c` lies, as twice the area between them.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b - a).perp(&(c - a))
}

/// Whether two edges that are no neighbours meet inside both.
pub(super) fn crosses_itself(corners: &[Vec2]) -> bool {
    let edges: Vec<(Vec2, Vec2)> = corners
        .iter()
        .copied()
        .zip(corners.iter().copied().cycle().skip(1))
        .collect();
    edges.iter().enumerate().any(|(i, (a, b))| {
        edges.iter().take(i).any(|(c, d)| {
            turn(*a, *b, *c) * turn(*a, *b, *d) < 0.0 && turn(*c, *d, *a) * turn(*c, *d, *b) < 0.0
        })
    })
}

/// An outline as convex parts: itself where it is convex, else triangles, an ear cut off at a
/// time. Together they cover it.
pub(super) fn convex_parts(outline: &[Vec2]) -> Vec<Vec<Vec2>> {
    let mut left = outline.to_vec();
    // Its way round, so that an outline and its mirror image are cut alike.
    let round = twice_area(&left).signum();
    let turn = |a, b, c| turn(a, b, c) * round;
    let mut parts = Vec::new();
    while left.len() > 3 && !is_convex(&left, turn) {
        let n = left.len();
        let ear = (0..n).find(|i| {
            let [a, b, c] = [(i + n - 1) % n, *i, (i + 1) % n].map(|k| left[k]);
            turn(a, b, c) > 0.0
                && !left.iter().any(|p| {
                    let corner = *p == a || *p == b || *p == c;
                    !corner
                        && turn(a, b, *p) >= 0.0
                        && turn(b, c, *p) >= 0.0
                        && turn(c, a, *p) >= 0.0
                })
        });
        // Corners in one line make no ear, and take nothing away.
        let flat = || {
            (0..n).find(|i| {
                let [a, b, c] = [(i + n - 1) % n, *i, (i + 1) % n].map(|k| left[k]);
                turn(a, b, c) == 0.0
            })
        };
        let Some(i) = ear.or_else(flat) else {
            // It touches itself somewhere: the whole of it is the safe answer.
            break;
        };
        let [a, c] = [(i + n - 1) % n, (i + 1) % n].map(|k| left[k]);
        let b = left.remove(i);
        if turn(a, b, c) > 0.0 {
            parts.push(vec![a, b, c]);
        }
    }
    parts.push(left);
    parts
}

fn is_convex(corners: &[Vec2], turn: impl Fn(Vec2, Vec2, Vec2) -> f64) -> bool {
    let n = corners.len();
    (0..n).all(|i| {
        let [a, b, c] = [i, (i + 1) % n, (i + 2) % n].map(|k| corners[k]);
        turn(a, b, c) >= 0.0
    })
}
