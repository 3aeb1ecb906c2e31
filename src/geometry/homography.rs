use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::{Point, Quad};

/// A projective map from one plane to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography(Matrix3<f64>);

impl Homography {
    /// The map that takes the corners of `from` to those of `to`; `None` where three corners lie on
    /// one line.
    pub fn between(from: &Quad, to: &Quad) -> Option<Self> {
        let mut a = SMatrix::<f64, 8, 8>::zeros();
        let mut b = SVector::<f64, 8>::zeros();
        for (i, (p, q)) in from.0.iter().zip(&to.0).enumerate() {
            let rows = [
                [p.x, p.y, 1.0, 0.0, 0.0, 0.0, -q.x * p.x, -q.x * p.y],
                [0.0, 0.0, 0.0, p.x, p.y, 1.0, -q.y * p.x, -q.y * p.y],
            ];
            for (j, row) in rows.iter().enumerate() {
                for (k, v) in row.iter().enumerate() {
                    a[(2 * i + j, k)] = *v;
                }
            }
            b[2 * i] = q.x;
            b[2 * i + 1] = q.y;
        }
        let h = a.lu().solve(&b)?;
        let m = Matrix3::new(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0);
        (h.iter().all(|v| v.is_finite()) && m.determinant().abs() > 1e-12).then_some(Self(m))
    }

    /// Its entries, the last one 1: rows take (x, y, 1).
    pub fn matrix(&self) -> &Matrix3<f64> {
        &self.0
    }

    /// The map that takes places to others, least squares of what is algebraically over (Hartley's normalised DLT); exact for
    /// four. `None` for fewer, for places that are nowhere (a lens bends what is far outside its picture beyond all bounds),
    /// or where they do not fix it.
    pub fn fitted(pairs: &[(Point, Point)]) -> Option<Self> {
        let somewhere = |p: &Point| p.x.is_finite() && p.y.is_finite();
        // a decomposition of what is no number need not end
        if pairs.len() < 4 || !pairs.iter().all(|(p, q)| somewhere(p) && somewhere(q)) {
            return None;
        }
        let n = pairs.len() as f64;
        let even = |of: &dyn Fn(&(Point, Point)) -> Point| {
            let sum = pairs
                .iter()
                .map(|p| of(p).coords)
                .sum::<nalgebra::Vector2<f64>>();
            let middle = sum / n;
            let far = pairs
                .iter()
                .map(|p| (of(p).coords - middle).norm())
                .sum::<f64>()
                / n;
            let k = std::f64::consts::SQRT_2 / far.max(1e-12);
            Matrix3::new(k, 0.0, -k * middle.x, 0.0, k, -k * middle.y, 0.0, 0.0, 1.0)
        };
        let (a, b) = (even(&|p| p.0), even(&|p| p.1));
        let apply = |m: &Matrix3<f64>, p: Point| {
            let v = m * Vector3::new(p.x, p.y, 1.0);
            (v.x, v.y)
        };
        let mut rows = nalgebra::DMatrix::zeros((2 * pairs.len()).max(9), 9);
        for (i, (p, q)) in pairs.iter().enumerate() {
            let ((x, y), (u, v)) = (apply(&a, *p), apply(&b, *q));
            let of_x = [-x, -y, -1.0, 0.0, 0.0, 0.0, u * x, u * y, u];
            let of_y = [0.0, 0.0, 0.0, -x, -y, -1.0, v * x, v * y, v];
            for (k, (s, t)) in of_x.into_iter().zip(of_y).enumerate() {
                rows[(2 * i, k)] = s;
                rows[(2 * i + 1, k)] = t;
            }
        }
        let svd = rows.svd(false, true);
        let least = svd.singular_values.iter().enumerate();
        let least = least.min_by(|a, b| a.1.total_cmp(b.1))?.0;
        let row = svd.v_t?.row(least).into_owned();
        let m = Matrix3::from_row_slice(row.as_slice());
        let m = b.try_inverse()? * m * a;
        (m.determinant().abs() > 1e-15 && m.iter().all(|v| v.is_finite())).then_some(Self(m))
    }

    pub fn inverse(&self) -> Option<Self> {
        self.0.try_inverse().map(Self)
    }

    /// Where a point comes to lie; `None` for points at the horizon.
    pub fn apply(&self, p: Point) -> Option<Point> {
        let v = self.0 * Vector3::new(p.x, p.y, 1.0);
        (v.z.abs() > 1e-12).then(|| Point::new(v.x / v.z, v.y / v.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_corners_and_comes_back() {
        let from = Quad::from_pairs([[0.0, 0.0], [100.0, 0.0], [100.0, 50.0], [0.0, 50.0]]);
        let to = Quad::from_pairs([[12.0, 9.0], [320.0, 31.0], [290.0, 222.0], [33.0, 180.0]]);
        let h = Homography::between(&from, &to).expect("a proper quadrilateral");
        for (p, q) in from.0.iter().zip(&to.0) {
            assert!((h.apply(*p).expect("finite") - q).norm() < 1e-9);
        }
        let back = h.inverse().expect("invertible");
        let p = Point::new(40.0, 20.0);
        let there = h.apply(p).expect("finite");
        assert!((back.apply(there).expect("finite") - p).norm() < 1e-9);
    }

    #[test]
    fn three_corners_on_a_line_are_no_frame() {
        let from = Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]);
        let to = Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert!(Homography::between(&from, &to).is_none());
    }

    #[test]
    fn many_places_say_the_map_and_one_that_is_nowhere_none() {
        let m = Homography(Matrix3::new(
            1.1, 0.2, 30.0, -0.1, 0.9, 12.0, 4e-4, -2e-4, 1.0,
        ));
        let places = (0..30).map(|i| Point::new(f64::from(i % 6) * 31.0, f64::from(i / 6) * 17.0));
        let mut pairs: Vec<_> = places.map(|p| (p, m.apply(p).expect("a place"))).collect();
        let got = Homography::fitted(&pairs).expect("a map");
        for (p, q) in &pairs {
            assert!((got.apply(*p).expect("a place") - q).norm() < 1e-6);
        }
        assert!(Homography::fitted(&pairs[..3]).is_none());
        pairs[7].1.x = f64::NAN;
        assert!(Homography::fitted(&pairs).is_none());
    }
}
