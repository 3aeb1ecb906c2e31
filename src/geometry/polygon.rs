//! Faces with any number of corners, in the square that stands for them wherever a face has four.

use nalgebra::{DMatrix, Vector2};

use super::{Homography, Point, Quad};

/// The corners of a face whose square this is; `unit` has them in the unit square (y down). `None` where the square has no map.
pub fn corners_in(unit: &[[f64; 2]], square: &Quad) -> Option<Vec<Point>> {
    let whole = Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let map = Homography::between(&whole, square)?;
    unit.iter()
        .map(|[x, y]| map.apply(Point::new(*x, *y)))
        .collect()
}

/// The square that stands for a face, seen as the face is, without perspective: by least squares over its corners. `None` where they are not
/// as many as `unit` has, or lie on a line.
pub fn square_of(unit: &[[f64; 2]], corners: &[Point]) -> Option<Quad> {
    if unit.len() != corners.len() {
        return None;
    }
    let from = DMatrix::from_fn(unit.len(), 3, |i, j| unit[i].get(j).copied().unwrap_or(1.0));
    let to = DMatrix::from_fn(corners.len(), 2, |i, j| corners[i][j]);
    let map = from.svd(true, true).solve(&to, 1e-9).ok()?;
    let at = |x: f64, y: f64| {
        let along = |j: usize| map[(0, j)] * x + map[(1, j)] * y + map[(2, j)];
        Point::from(Vector2::new(along(0), along(1)))
    };
    let square = Quad([at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)]);
    (square.area() > 0.0).then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_come_back_from_their_square() {
        let unit = [[0.5, 0.0], [1.0, 0.4], [0.8, 1.0], [0.2, 1.0], [0.0, 0.4]];
        let square = Quad::from_pairs([[10.0, 5.0], [60.0, 15.0], [50.0, 75.0], [0.0, 65.0]]);
        let corners = corners_in(&unit, &square).expect("a map");
        let back = square_of(&unit, &corners).expect("a square");
        for (a, b) in square.0.iter().zip(back.0) {
            assert!((a - b).norm() < 1e-6, "{a} and {b}");
        }
        assert_eq!(square_of(&unit, &corners[..3]), None);
    }
}
