//! How far a surface's print lies from where one flat map has it: an unknown lens bends it, and card warps.

use nalgebra::Vector2;

use super::{Homography, Point, Quad};

/// So many of the nearest measured places count, if they are no farther away than this, in millimetres.
const NEAREST: usize = 8;
const FARTHEST_MM: f64 = 80.0;
/// Places nearer than this count alike.
const ALIKE_MM: f64 = 10.0;
/// What is measured where no noise is left, millimetres along both axes together.
const LEAST_MM: f64 = 0.2;
/// What is made up for may be off by this part of itself, and by this part of how far it was measured away.
const PART: f64 = 0.25;
const AWAY: f64 = 0.02;

/// Measured places of a surface and how far each is shifted, in millimetres of its frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drift(Vec<(Point, Vector2<f64>)>);

/// What is known of the shift at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shifted {
    /// What the map takes for `p` shows the surface's place `p - by`.
    pub by: Vector2<f64>,
    /// How far off that may be, of both axes together.
    pub error_mm: f64,
}

impl Drift {
    /// From places of the surface, each with where the map has what is seen of it.
    pub fn new(seen: impl IntoIterator<Item = (Point, Point)>) -> Self {
        Self(seen.into_iter().map(|(at, to)| (at, to - at)).collect())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The shift at a place: the mean of those measured nearest, nearer ones counting more; `None` where none is near.
    pub fn at(&self, p: Point) -> Option<Shifted> {
        let mut near: Vec<(f64, Vector2<f64>)> = self
            .0
            .iter()
            .map(|(at, by)| ((at - p).norm(), *by))
            .filter(|(far, _)| *far <= FARTHEST_MM)
            .collect();
        if near.len() > NEAREST {
            near.select_nth_unstable_by(NEAREST - 1, |a, b| a.0.total_cmp(&b.0));
            near.truncate(NEAREST);
        }
        let nearest = near.iter().map(|n| n.0).min_by(f64::total_cmp)?;
        let weight = |far: f64| 1.0 / (far * far + ALIKE_MM * ALIKE_MM);
        let total: f64 = near.iter().map(|(far, _)| weight(*far)).sum();
        let by = near
            .iter()
            .fold(Vector2::zeros(), |sum, (far, by)| sum + by * weight(*far))
            / total;
        let spread = near
            .iter()
            .map(|(far, one)| weight(*far) * (one - by).norm_squared())
            .sum::<f64>()
            / total;
        let square =
            LEAST_MM.powi(2) + spread + (PART * by.norm()).powi(2) + (AWAY * nearest).powi(2);
        Some(Shifted {
            by,
            error_mm: square.sqrt(),
        })
    }

    /// The measured places, each with the pixel where it is seen, under the map that the drift was measured beside.
    pub fn pixels(&self, pixel: impl Fn(Point) -> Option<Point>) -> Vec<(Point, Point)> {
        let each = self.0.iter();
        each.filter_map(|(at, by)| Some((*at, pixel(at + by)?)))
            .collect()
    }

    /// Corners of the surface where what is measured near them has them, in pixels; `corners_px` are those of the map that
    /// it was measured beside.
    pub fn straightened(&self, corners_px: &Quad, [w, h]: [f64; 2]) -> Option<Quad> {
        let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
        let map = Homography::between(&flat, corners_px)?;
        let mut corners = [Point::origin(); 4];
        for (corner, at) in corners.iter_mut().zip(&flat.0) {
            let by = self.at(*at).map_or_else(Vector2::zeros, |s| s.by);
            *corner = map.apply(at + by)?;
        }
        Some(Quad(corners))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Lens;

    const SIZE: [f64; 2] = [500.0, 400.0];

    /// A board seen from straight above by a lens that bends it, 2 pixels a millimetre, in the middle of the picture.
    fn pixel(p: Point) -> Point {
        let lens = Lens {
            distortion: [-0.15, 0.0, 0.0, 0.0, 0.0],
            ..Lens::ideal(1280, 960, 1000.0, 0.0)
        };
        let view = crate::geometry::View::of_pose(
            &crate::geometry::Pose {
                at_mm: [250.0, 200.0, 500.0],
                turn_deg: [0.0; 3],
            },
            lens,
        );
        view.pixel(p, 0.0).expect("before the camera")
    }

    fn measured(map: &Homography) -> Drift {
        let places = (0..25).flat_map(|x| (0..20).map(move |y| (x, y)));
        let places = places
            .map(|(x, y)| Point::new(10.0 + 20.0 * f64::from(x), 10.0 + 20.0 * f64::from(y)))
            // a hand lies there
            .filter(|p| (p - Point::new(120.0, 120.0)).norm() > 50.0);
        Drift::new(places.filter_map(|p| Some((p, map.apply(pixel(p))?))))
    }

    #[test]
    fn a_bent_board_is_known_everywhere() {
        let flat = Quad::from_pairs([[0.0, 0.0], [500.0, 0.0], [500.0, 400.0], [0.0, 400.0]]);
        // fitted to the board's middle alone, as what most print agrees on would be
        let inner = Quad::from_pairs([
            [150.0, 120.0],
            [350.0, 120.0],
            [350.0, 280.0],
            [150.0, 280.0],
        ]);
        let to = Homography::between(&inner, &Quad(inner.0.map(pixel))).expect("a map");
        let corners = Quad(flat.0.map(|p| to.apply(p).expect("a pixel")));
        let back = Homography::between(&corners, &flat).expect("a map");
        let drift = measured(&back);
        let off = |map: &Homography, p: Point, by: Vector2<f64>| {
            (map.apply(pixel(p)).expect("a place") - by - p).norm()
        };
        let far = Point::new(480.0, 380.0);
        assert!(off(&back, far, Vector2::zeros()) > 8.0, "the lens bends it");
        let straight = drift.straightened(&corners, SIZE).expect("straightened");
        let map = Homography::between(&straight, &flat).expect("a map");
        let seen = drift.pixels(|p| to.apply(p));
        let rest = Drift::new(
            seen.into_iter()
                .map(|(at, px)| (at, map.apply(px).expect("a place"))),
        );
        for (x, y) in [
            (480.0, 380.0),
            (250.0, 200.0),
            (30.0, 200.0),
            (120.0, 120.0),
            (260.0, 10.0),
        ] {
            let p = Point::new(x, y);
            let shifted = rest
                .at(map.apply(pixel(p)).expect("a place"))
                .expect("measured");
            let off = off(&map, p, shifted.by);
            assert!(off < 2.0 * shifted.error_mm, "{p}: {off} of {shifted:?}");
            assert!(off < 1.0, "{p}: {off}");
        }
        for (corner, p) in straight.0.iter().zip(&flat.0) {
            let true_px = pixel(*p);
            let before = (corners.0[0] - pixel(flat.0[0])).norm();
            assert!((corner - true_px).norm() < before / 3.0, "{p}");
        }
    }

    #[test]
    fn where_nothing_is_measured_nothing_is_known() {
        let drift = Drift::new([(Point::new(10.0, 10.0), Point::new(10.5, 10.0))]);
        let here = drift.at(Point::new(20.0, 10.0)).expect("near");
        assert!((here.by.x - 0.5).abs() < 1e-9 && here.error_mm > 0.2);
        assert_eq!(drift.at(Point::new(200.0, 10.0)), None);
        assert_eq!(Drift::default().at(Point::origin()), None);
    }
}
