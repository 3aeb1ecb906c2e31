//! Faces with three equal edges, in the square that stands for them wherever a face has four corners.

use super::{Point, Quad, corners_in};

/// The corners of a triangle, each edge 1 long, in the unit square about its middle: its upper one, lower right, lower left; y down.
pub const TRIANGLE: [[f64; 2]; 3] = [
    [0.5, -0.077_350_269_189_6],
    [1.0, 0.788_675_134_594_8],
    [0.0, 0.788_675_134_594_8],
];

/// The triangle whose square this is, from its own upper corner, clockwise; `None` where the square has no map.
pub fn triangle_in(square: &Quad) -> Option<[Point; 3]> {
    corners_in(&TRIANGLE, square)?.try_into().ok()
}

/// The square about the middle of a triangle, as wide as its edges are long, seen as the triangle is (without perspective, which three
/// corners do not tell).
pub fn square_about([up, right, left]: [Point; 3]) -> Quad {
    let middle = Point::from((up.coords + right.coords + left.coords) / 3.0);
    let across = right - left;
    let down = ((right.coords + left.coords) / 2.0 - up.coords) * (2.0 / 3.0_f64.sqrt());
    let corner = |x: f64, y: f64| middle + across * x + down * y;
    Quad([
        corner(-0.5, -0.5),
        corner(0.5, -0.5),
        corner(0.5, 0.5),
        corner(-0.5, 0.5),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_comes_back_from_its_square() {
        let corners = [[40.0, 3.0], [71.0, 66.0], [2.0, 59.0]].map(|[x, y]| Point::new(x, y));
        let square = square_about(corners);
        let back = triangle_in(&square).unwrap();
        for (a, b) in corners.iter().zip(back) {
            assert!((a - b).norm() < 1e-6, "{a} and {b}");
        }
        let middle = Point::from(
            corners
                .iter()
                .map(|c| c.coords)
                .sum::<nalgebra::Vector2<f64>>()
                / 3.0,
        );
        assert!((square.centre() - middle).norm() < 1e-9);
        assert!(square.is_clockwise());
    }
}
