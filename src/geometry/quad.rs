use geo::{Area, Contains, Distance, Euclidean};
use nalgebra::Vector2;

use super::Point;

/// Four corners, clockwise as seen in a picture (y down), from the thing's own upper left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad(pub [Point; 4]);

impl Quad {
    pub fn from_pairs(pairs: [[f64; 2]; 4]) -> Self {
        Self(pairs.map(|[x, y]| Point::new(x, y)))
    }

    pub fn pairs(&self) -> [[f64; 2]; 4] {
        self.0.map(|p| [p.x, p.y])
    }

    pub fn centre(&self) -> Point {
        let sum = self
            .0
            .iter()
            .fold(nalgebra::Vector2::zeros(), |s, p| s + p.coords);
        Point::from(sum / 4.0)
    }

    pub fn area(&self) -> f64 {
        self.polygon().unsigned_area()
    }

    /// Square root of the area: the side of the square it would be.
    pub fn side(&self) -> f64 {
        self.area().sqrt()
    }

    /// How far the corners lie from those of the square that is nearest to them, root of the mean square, of both axes together.
    pub fn out_of_square(&self) -> f64 {
        let middle = self.centre();
        // a quarter turn brings each corner of a square to the first
        let corners = self.0.iter().enumerate();
        let turned = corners.map(|(k, p)| {
            let v = p - middle;
            match k {
                0 => v,
                1 => Vector2::new(v.y, -v.x),
                2 => -v,
                _ => Vector2::new(-v.y, v.x),
            }
        });
        let turned: Vec<Vector2<f64>> = turned.collect();
        let mean = turned.iter().sum::<Vector2<f64>>() / 4.0;
        let off = turned.iter().map(|v| (v - mean).norm_squared());
        (off.sum::<f64>() / 4.0).sqrt()
    }

    /// The same corners, numbered from `turns` corners further on (a quarter turn clockwise each).
    pub fn turned(&self, turns: usize) -> Self {
        Self(std::array::from_fn(|i| self.0[(i + turns) % 4]))
    }

    /// The one whose sides' middles are this one's corners: what a diamond is drawn in.
    pub fn about(&self) -> Self {
        let [a, b, c, d] = self.0;
        let middle = self.centre().coords;
        Self([
            d + a.coords - middle,
            a + b.coords - middle,
            b + c.coords - middle,
            c + d.coords - middle,
        ])
    }

    /// Grown about its centre.
    pub fn scaled(&self, by: f64) -> Self {
        let c = self.centre();
        Self(self.0.map(|p| c + (p - c) * by))
    }

    /// Whether it is convex and its corners run clockwise as seen in a picture (y down), none of them
    /// on a line with its neighbours.
    pub fn is_clockwise(&self) -> bool {
        (0..4).all(|i| {
            let [a, b, c] = [0, 1, 2].map(|k| self.0[(i + k) % 4]);
            (b - a).perp(&(c - b)) > 1e-6
        })
    }

    pub fn polygon(&self) -> geo::Polygon<f64> {
        geo::Polygon::new(self.0.iter().map(|p| (p.x, p.y)).collect(), vec![])
    }

    pub fn contains(&self, p: Point) -> bool {
        self.polygon().contains(&geo::Point::new(p.x, p.y))
    }

    /// Direction of the upper edge in degrees, clockwise from the picture's x axis, -180 to 180.
    pub fn heading_deg(&self) -> f64 {
        let [a, b, c, d] = self.0;
        let edge = (b - a) + (c - d);
        edge.y.atan2(edge.x).to_degrees()
    }

    /// Distance of `p` from the nearest edge, inside or outside.
    pub fn edge_distance(&self, p: Point) -> f64 {
        Euclidean.distance(&geo::Point::new(p.x, p.y), self.polygon().exterior())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Quad {
        Quad::from_pairs([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    }

    #[test]
    fn turning_four_times_comes_home() {
        assert_eq!(square().turned(4), square());
        assert_eq!(square().turned(1).0[0], Point::new(4.0, 0.0));
    }

    #[test]
    fn a_diamond_is_drawn_in_the_square_about_it() {
        let diamond = Quad::from_pairs([[2.0, 0.0], [4.0, 2.0], [2.0, 4.0], [0.0, 2.0]]);
        assert_eq!(diamond.about(), square());
    }

    #[test]
    fn heading_follows_the_upper_edge() {
        assert!(square().heading_deg().abs() < 1e-9);
        assert!((square().turned(1).heading_deg() - 90.0).abs() < 1e-9);
    }

    #[test]
    fn area_centre_and_edges() {
        assert!((square().area() - 16.0).abs() < 1e-9);
        assert_eq!(square().centre(), Point::new(2.0, 2.0));
        assert!(square().contains(Point::new(1.0, 1.0)));
        assert!(!square().contains(Point::new(5.0, 1.0)));
        assert!((square().edge_distance(Point::new(1.0, 2.0)) - 1.0).abs() < 1e-9);
    }
}
