//! Plane geometry: points, quadrilaterals, homographies. Pixels or millimetres, never both in one
//! value: names say which. An integer pixel coordinate is the pixel's centre; y points down in
//! pictures and on surfaces.

mod drift;
mod homography;
mod joint;
mod polygon;
mod quad;
mod triangle;
mod view;

pub use drift::{Drift, Shifted};
pub use homography::Homography;
pub use joint::{Joint, Sighted, USUAL_FOCAL, joint};
pub use polygon::{corners_in, square_of};
pub use quad::Quad;
pub use triangle::{TRIANGLE, square_about, triangle_in};
pub use view::{Laid, Lens, Meets, Pose, View, focal_from_rectangle};

/// x to the right, y down.
pub type Point = nalgebra::Point2<f64>;

/// The share of `a`'s area that lies in `b`.
pub fn covered(a: &geo::Polygon<f64>, b: &geo::Polygon<f64>) -> f64 {
    use geo::{Area, BooleanOps};
    let area = a.unsigned_area();
    if area <= 0.0 {
        return 0.0;
    }
    a.intersection(b).unsigned_area() / area
}
