//! A camera's view of a flat surface: lens, pose, and where a line of sight meets a height.

use std::f64::consts::PI;

use nalgebra::{Matrix2x4, Matrix3, Matrix4, Rotation3, Vector2, Vector3};

use super::{Homography, Point, Quad};

/// A pinhole with OpenCV's distortion (k1, k2, p1, p2, k3). Pixels; an integer coordinate is the
/// pixel's centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lens {
    pub focal_px: [f64; 2],
    pub centre_px: [f64; 2],
    pub distortion: [f64; 5],
    /// Standard error of the focal length, as a part of it.
    pub focal_error: f64,
}

impl Lens {
    /// Square pixels, the optical axis through the middle of the picture, no distortion.
    pub fn ideal(width: u32, height: u32, focal_px: f64, focal_error: f64) -> Self {
        Self {
            focal_px: [focal_px; 2],
            centre_px: [
                (f64::from(width) - 1.0) / 2.0,
                (f64::from(height) - 1.0) / 2.0,
            ],
            distortion: [0.0; 5],
            focal_error,
        }
    }

    /// Direction of a pixel's line of sight as (x, y, 1) in the camera's frame.
    fn ray(&self, p: Point) -> Vector3<f64> {
        let xd = (p.x - self.centre_px[0]) / self.focal_px[0];
        let yd = (p.y - self.centre_px[1]) / self.focal_px[1];
        let (mut x, mut y) = (xd, yd);
        // the distortion has no closed inverse; this fixed point is OpenCV's, too
        for _ in 0..20 {
            let (dx, dy, radial) = self.bend(x, y);
            x = (xd - dx) / radial;
            y = (yd - dy) / radial;
        }
        Vector3::new(x, y, 1.0)
    }

    /// Tangential shift and radial factor at normalised coordinates.
    fn bend(&self, x: f64, y: f64) -> (f64, f64, f64) {
        let [k1, k2, p1, p2, k3] = self.distortion;
        let r2 = x * x + y * y;
        let radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3));
        let dx = 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x);
        let dy = p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y;
        (dx, dy, radial)
    }

    fn pixel(&self, v: Vector3<f64>) -> Point {
        let (x, y) = (v.x / v.z, v.y / v.z);
        let (dx, dy, radial) = self.bend(x, y);
        Point::new(
            (x * radial + dx) * self.focal_px[0] + self.centre_px[0],
            (y * radial + dy) * self.focal_px[1] + self.centre_px[1],
        )
    }
}

/// A surface as a camera sees it. The surface's frame is millimetres from its upper left, x right,
/// y down, z up towards the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    lens: Lens,
    /// Columns: the surface's x, its y, and into the surface, in the camera's frame.
    axes: Matrix3<f64>,
    /// The surface's upper left in the camera's frame, millimetres.
    origin: Vector3<f64>,
    /// From lines of sight (x, y at distance 1) to places on the surface, where its own corners say better than a pose that
    /// it shares with others.
    flat: Option<Homography>,
    /// Covariance of the camera's turn about its own axes (radians) and of the focal length's logarithm.
    doubt: Matrix4<f64>,
}

/// Where a camera stands in a flat frame (the table's, or a surface's).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Its optical centre: x, y, and the height over the frame's plane; millimetres.
    pub at_mm: [f64; 3],
    /// The turn that takes the frame's x, its y and the way into it to the camera's right, down and forward:
    /// axis times angle (Rodrigues' vector), degrees.
    pub turn_deg: [f64; 3],
}

/// Where a surface lies in the table's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laid {
    /// Its upper left corner.
    pub at_mm: [f64; 2],
    /// Of its x axis, clockwise from the table's.
    pub turn_deg: f64,
    /// Of its face over the table.
    pub height_mm: f64,
}

/// Where a line of sight meets a plane parallel to a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meets {
    /// Millimetres on the surface.
    pub at: Point,
    /// Standard error in millimetres: of the pixel, and of the focal length where it is not sure.
    pub error_mm: f64,
    /// Angle between the line of sight and the surface's upright, in degrees.
    pub slant_deg: f64,
}

/// The focal length at which four corners are a rectangle of this size, for square pixels and a
/// centred lens; with its standard error (as a part of it) for corners known to `error_px`.
/// `None` where the view is so nearly straight down that any focal length will do.
pub fn focal_from_rectangle(
    corners: &Quad,
    size_mm: [f64; 2],
    (width, height): (u32, u32),
    error_px: f64,
) -> Option<(f64, f64)> {
    let lens = Lens::ideal(width, height, 1.0, 0.0);
    let of = |q: &Quad| {
        let [w, h] = size_mm;
        let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
        let centred =
            Quad(q.0.map(|p| Point::new(p.x - lens.centre_px[0], p.y - lens.centre_px[1])));
        focal_squared(Homography::between(&flat, &centred)?.matrix())
    };
    let f2 = of(corners)?;
    // how far it moves when corners are off, corner by corner
    let mut spread = 0.0;
    for i in 0..8 {
        let mut moved = *corners;
        let p = &mut moved.0[i / 2];
        if i % 2 == 0 {
            p.x += error_px;
        } else {
            p.y += error_px;
        }
        let m2 = of(&moved)?;
        spread += (m2.max(0.0).sqrt() - f2.max(0.0).sqrt()).powi(2);
    }
    let f = f2.sqrt();
    let error = spread.sqrt() / f;
    // webcams see between 25 and 130 degrees across
    let plausible = f > 0.23 * f64::from(width) && f < 2.3 * f64::from(width);
    (plausible && error < 0.25).then_some((f, error))
}

/// Least squares of the two conditions on a homography's columns (orthogonal, of one length), which
/// are linear in 1 / f² (Zhang 2000, section 2.3, with one unknown).
fn focal_squared(h: &Matrix3<f64>) -> Option<f64> {
    let (a, b) = (h.column(0), h.column(1));
    let (p1, q1) = (a[0] * b[0] + a[1] * b[1], a[2] * b[2]);
    let (p2, q2) = (
        a[0] * a[0] + a[1] * a[1] - b[0] * b[0] - b[1] * b[1],
        a[2] * a[2] - b[2] * b[2],
    );
    // p / f² + q = 0 for both
    let (pp, pq) = (p1 * p1 + p2 * p2, p1 * q1 + p2 * q2);
    let inverse = -pq / pp;
    (inverse.is_finite() && inverse > 0.0).then(|| 1.0 / inverse)
}

impl View {
    /// The pose at which a rectangle of `size_mm` appears at these corners (upper left, then
    /// clockwise as the surface is read). `None` where they are no view of a rectangle's front.
    pub fn of_rectangle(corners: &Quad, size_mm: [f64; 2], lens: Lens) -> Option<Self> {
        let [w, h] = size_mm;
        let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
        let straight = Quad(corners.0.map(|p| {
            let r = lens.ray(p);
            Point::new(r.x, r.y)
        }));
        let m = *Homography::between(&flat, &straight)?.matrix();
        let scale = (m.column(0).norm() * m.column(1).norm()).sqrt();
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        // the surface lies before the camera
        let m = m / (if m[(2, 2)] < 0.0 { -scale } else { scale });
        let (x, y) = (m.column(0).into_owned(), m.column(1).into_owned());
        // the nearest rotation to columns that noise has bent
        let svd = Matrix3::from_columns(&[x, y, x.cross(&y)]).svd(true, true);
        let axes = svd.u? * svd.v_t?;
        let view = Self {
            lens,
            axes,
            origin: m.column(2).into_owned(),
            flat: None,
            doubt: of_focal(&lens),
        };
        // into the surface is away from the camera
        (axes.determinant() > 0.0 && axes.column(2).dot(&view.origin) > 0.0).then_some(view)
    }

    /// The view of a frame in which the camera stands so.
    pub fn of_pose(pose: &Pose, lens: Lens) -> Self {
        let turn = Vector3::from(pose.turn_deg.map(f64::to_radians));
        let axes = *Rotation3::new(turn).matrix();
        let [x, y, z] = pose.at_mm;
        Self {
            lens,
            axes,
            origin: -(axes * Vector3::new(x, y, -z)),
            flat: None,
            doubt: of_focal(&lens),
        }
    }

    pub fn lens(&self) -> &Lens {
        &self.lens
    }

    /// Where the camera stands in the frame.
    pub fn pose(&self) -> Pose {
        let at = -(self.axes.transpose() * self.origin);
        let turn = Rotation3::from_matrix_unchecked(self.axes).scaled_axis();
        Pose {
            at_mm: [at.x, at.y, -at.z],
            turn_deg: turn.map(f64::to_degrees).into(),
        }
    }

    /// The view of a surface that lies so in this view's frame.
    pub fn of_laid(&self, laid: &Laid) -> Self {
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), laid.turn_deg.to_radians());
        let [x, y] = laid.at_mm;
        self.shifted(turn.matrix(), Vector3::new(x, y, -laid.height_mm))
    }

    /// The same camera's view of a frame turned by `turn` and with its origin at `at` in this one's.
    pub(super) fn shifted(&self, turn: &Matrix3<f64>, at: Vector3<f64>) -> Self {
        Self {
            lens: self.lens,
            axes: self.axes * turn,
            origin: self.origin + self.axes * at,
            flat: None,
            doubt: self.doubt,
        }
    }

    /// The view in which a rectangle from the frame's origin, seen at the same place, is tilted by as much to the other side.
    pub(super) fn tilted_back(&self, [w, h]: [f64; 2]) -> Self {
        let middle = Vector3::new(w / 2.0, h / 2.0, 0.0);
        let there = self.origin + self.axes * middle;
        let about = |axis| *Rotation3::new(axis).matrix();
        let axes = about(there.normalize() * PI) * self.axes * about(Vector3::z() * PI);
        Self {
            axes,
            origin: there - axes * middle,
            ..*self
        }
    }

    pub(super) fn doubted(self, doubt: Matrix4<f64>) -> Self {
        Self { doubt, ..self }
    }

    /// The view of a surface that is turned like this one and lies where these places on it (millimetres) are seen
    /// (pixels): least squares of their distances from the lines of sight, each as a part of its own.
    pub(super) fn slid_to(&self, places: &[(Point, Point)]) -> Option<Self> {
        let (mut square, mut right) = (Matrix3::zeros(), Vector3::zeros());
        for (at, px) in places {
            let across = self.lens.ray(*px).normalize().cross_matrix();
            let across = across.transpose() * across;
            square += across;
            right -= across * (self.axes * Vector3::new(at.x, at.y, 0.0));
        }
        let origin = square.try_inverse()? * right;
        (origin.z > 0.0).then_some(Self { origin, ..*self })
    }

    /// The same, with places on the surface where these of it (millimetres) are seen (pixels in the picture: beyond it a lens
    /// bends anyhow).
    pub(super) fn held_by(self, places: &[(Point, Point)]) -> Self {
        let straight = places.iter().map(|(at, px)| {
            let r = self.lens.ray(*px);
            (Point::new(r.x, r.y), *at)
        });
        let straight: Vec<(Point, Point)> = straight.collect();
        Self {
            flat: Homography::fitted(&straight),
            ..self
        }
    }

    /// Where a rectangle of `size_mm` from the frame's origin appears; `None` where a part of it is behind the
    /// camera, or it is seen from below.
    pub fn corners(&self, [w, h]: [f64; 2]) -> Option<Quad> {
        let mut out = [Point::origin(); 4];
        for (o, [x, y]) in out.iter_mut().zip([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]) {
            *o = self.pixel(Point::new(x, y), 0.0)?;
        }
        Some(Quad(out)).filter(Quad::is_clockwise)
    }

    /// The pixel at which a point `z_mm` above the surface appears; `None` behind the camera.
    pub fn pixel(&self, at: Point, z_mm: f64) -> Option<Point> {
        if let Some(back) = self.flat.as_ref().and_then(Homography::inverse) {
            return self.pixel_by(&back, at, z_mm);
        }
        let v = self.origin + self.axes * Vector3::new(at.x, at.y, -z_mm);
        (v.z > 1e-6).then(|| self.lens.pixel(v))
    }

    /// The same where the surface's own places say where it lies: the pixel whose line of sight [`View::meets`] brings here.
    fn pixel_by(&self, back: &Homography, at: Point, z_mm: f64) -> Option<Point> {
        const ROUNDS: usize = 6;
        let mut below = at;
        let mut ray = Vector3::zeros();
        for _ in 0..ROUNDS {
            let straight = back.apply(below)?;
            ray = Vector3::new(straight.x, straight.y, 1.0);
            let on = self.axes.transpose() * ray;
            if on.z <= 1e-6 {
                return None;
            }
            below = at + on.xy() * (z_mm / on.z);
            if z_mm == 0.0 {
                break;
            }
        }
        Some(self.lens.pixel(ray))
    }

    /// Where the line of sight through a pixel known to `error_px` comes to `z_mm` above the surface.
    /// A die's top face seen there has its foot straight below, at the same x and y.
    pub fn meets(&self, pixel: Point, z_mm: f64, error_px: f64) -> Option<Meets> {
        let at = self.cut(pixel, z_mm)?;
        let mut square = 0.0;
        for step in [[error_px, 0.0], [0.0, error_px]] {
            let p = Point::new(pixel.x + step[0], pixel.y + step[1]);
            square += (self.cut(p, z_mm)? - at).norm_squared();
        }
        let ray = self.lens.ray(pixel).normalize();
        let slant = ray.dot(&self.axes.column(2)).clamp(-1.0, 1.0).acos();
        // what is z above the surface slides by z times the slant's tangent, which another turn or focal length changes
        let mut slopes = Matrix2x4::zeros();
        let here = self.slide(pixel, Vector3::zeros(), 0.0);
        for i in 0..4 {
            const STEP: f64 = 1e-5;
            let mut turn = Vector3::zeros();
            if i < 3 {
                turn[i] = STEP;
            }
            let there = self.slide(pixel, turn, if i < 3 { 0.0 } else { STEP });
            slopes.set_column(i, &((there - here) * (z_mm / STEP)));
        }
        square += (slopes * self.doubt * slopes.transpose()).trace().max(0.0);
        Some(Meets {
            at,
            error_mm: square.sqrt(),
            slant_deg: slant.to_degrees(),
        })
    }

    /// How far a line of sight slides on the surface while it sinks by 1, for a camera turned further by `turn` and a focal
    /// length times `exp(log)`.
    fn slide(&self, pixel: Point, turn: Vector3<f64>, log: f64) -> Vector2<f64> {
        let mut ray = self.lens.ray(pixel);
        (ray.x, ray.y) = (ray.x * (-log).exp(), ray.y * (-log).exp());
        let ray = (Rotation3::new(turn) * self.axes).transpose() * ray;
        ray.xy() / ray.z
    }

    fn cut(&self, pixel: Point, z_mm: f64) -> Option<Point> {
        let straight = self.lens.ray(pixel);
        let ray = self.axes.transpose() * straight;
        if let Some(flat) = &self.flat {
            let at = flat.apply(Point::new(straight.x, straight.y))?;
            let up = ray.xy() * (z_mm / ray.z);
            return (ray.z > 0.0).then(|| Point::new(at.x - up.x, at.y - up.y));
        }
        let from = self.axes.transpose() * -self.origin;
        let t = (-z_mm - from.z) / ray.z;
        (t.is_finite() && t > 0.0).then(|| Point::new(from.x + t * ray.x, from.y + t * ray.y))
    }
}

/// What is not known of a camera of which only the focal length is in doubt. A wrong one tilts the pose that four corners
/// give: what is above the surface slides by about as large a part too far, as it would by the focal length alone.
fn of_focal(lens: &Lens) -> Matrix4<f64> {
    let mut doubt = Matrix4::zeros();
    doubt[(3, 3)] = lens.focal_error.powi(2);
    doubt
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [300.0, 200.0];

    /// A camera 700 mm from a tray's middle, tilted by `tilt` degrees about the tray's x axis.
    fn looking(tilt: f64, lens: Lens) -> View {
        let (s, c) = tilt.to_radians().sin_cos();
        // the surface's x, y and inward axes in the camera's frame
        let axes = Matrix3::from_columns(&[
            Vector3::new(1.0, 0.0, 0.0),
            Vector3::new(0.0, c, -s),
            Vector3::new(0.0, s, c),
        ]);
        let middle = axes * Vector3::new(SIZE[0] / 2.0, SIZE[1] / 2.0, 0.0);
        View {
            lens,
            axes,
            origin: Vector3::new(0.0, 0.0, 700.0) - middle,
            flat: None,
            doubt: Matrix4::zeros(),
        }
    }

    fn corners(view: &View) -> Quad {
        let [w, h] = SIZE;
        Quad([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]].map(|[x, y]| {
            view.pixel(Point::new(x, y), 0.0)
                .expect("before the camera")
        }))
    }

    #[test]
    fn a_foot_is_found_under_its_top_face() {
        let mut lens = Lens::ideal(1280, 720, 900.0, 0.0);
        lens.distortion = [-0.08, 0.02, 0.001, -0.0005, 0.0];
        let truth = looking(38.0, lens);
        let view = View::of_rectangle(&corners(&truth), SIZE, lens).expect("a view");
        for (x, y) in [(10.0, 15.0), (150.0, 100.0), (290.0, 180.0)] {
            let foot = Point::new(x, y);
            let top = truth.pixel(foot, 16.0).expect("seen");
            let meets = view.meets(top, 16.0, 0.3).expect("meets");
            assert!((meets.at - foot).norm() < 0.01, "{meets:?} for {foot}");
            assert!(meets.error_mm < 0.6, "{meets:?}");
            // without the height it would be taken for one that stands elsewhere
            let flat = view.meets(top, 0.0, 0.3).expect("meets").at;
            assert!((flat - foot).norm() > 6.0, "{flat}");
        }
    }

    #[test]
    fn a_focal_length_comes_from_a_rectangle_that_is_seen_at_a_slant() {
        let truth = looking(35.0, Lens::ideal(1280, 720, 900.0, 0.0));
        let (f, error) =
            focal_from_rectangle(&corners(&truth), SIZE, (1280, 720), 0.5).expect("known");
        assert!((f - 900.0).abs() < 0.5 && error < 0.1, "{f} {error}");
        let down = looking(0.0, Lens::ideal(1280, 720, 900.0, 0.0));
        assert_eq!(
            focal_from_rectangle(&corners(&down), SIZE, (1280, 720), 0.5),
            None
        );
    }

    #[test]
    fn a_surface_seen_from_behind_is_none() {
        let view = looking(20.0, Lens::ideal(1280, 720, 900.0, 0.0));
        let Quad([a, b, c, d]) = corners(&view);
        assert!(View::of_rectangle(&Quad([b, a, d, c]), SIZE, *view_lens(&view)).is_none());
    }

    fn view_lens(v: &View) -> &Lens {
        &v.lens
    }
}
