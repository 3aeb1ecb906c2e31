//! One camera and everything flat that it sees on one table, fitted together: the camera's pose, its focal
//! length where no lens is known, and where each rectangle lies (bundle adjustment of the corners, by
//! Levenberg and Marquardt's method).

use nalgebra::{DMatrix, DVector, Rotation3, Vector3};

use super::{Laid, Lens, Pose, Quad, View, focal_from_rectangle};

/// A rectangle on the table as a camera sees it.
#[derive(Debug, Clone)]
pub struct Sighted {
    pub corners_px: Quad,
    pub size_mm: [f64; 2],
    /// Of its face over the table.
    pub height_mm: f64,
    /// Where it lies, if that is known already.
    pub laid: Option<Laid>,
}

/// What is known of the lens.
#[derive(Debug, Clone, Copy)]
pub enum Known {
    Lens(Lens),
    /// Only the pictures' width and height: square pixels and a centred axis are taken.
    Size([u32; 2]),
}

/// What the corners say together.
#[derive(Debug, Clone)]
pub struct Joint {
    pub lens: Lens,
    /// Where the camera stands in the table's frame.
    pub pose: Pose,
    /// Where each rectangle lies, in the order given.
    pub laid: Vec<Laid>,
    /// Root mean square of the distance between corners seen and corners computed, pixels.
    pub error_px: f64,
}

const ROUNDS: usize = 60;
/// What a corner may be off by, for the error of the focal length.
const CORNER_PX: f64 = 0.5;

/// Unknowns of one fit and where they stand in its vector.
struct Fit<'a> {
    seen: &'a [Sighted],
    lens: Lens,
    free_lens: bool,
    /// The first is the frame's origin where none is known.
    pinned: bool,
}

/// Fits camera and rectangles. Where no rectangle is known, the table's frame starts under the first one's upper
/// left corner, x along its upper edge. `None` where they do not fix a camera.
pub fn joint(seen: &[Sighted], known: Known) -> Option<Joint> {
    let (lens, free_lens) = match known {
        Known::Lens(lens) => (lens, false),
        Known::Size([w, h]) => {
            let guess = seen
                .iter()
                .filter_map(|s| focal_from_rectangle(&s.corners_px, s.size_mm, (w, h), 1.0))
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map_or(0.8 * f64::from(w), |g| g.0);
            (Lens::ideal(w, h, guess, 0.0), true)
        }
    };
    let pinned = seen.iter().all(|s| s.laid.is_none());
    let origin = |s: &Sighted| Laid {
        at_mm: [0.0; 2],
        turn_deg: 0.0,
        height_mm: s.height_mm,
    };
    // begin with the largest of those whose place is known
    let anchor = |s: &&Sighted| pinned || s.laid.is_some();
    let first = if pinned {
        seen.first()?
    } else {
        seen.iter()
            .filter(anchor)
            .max_by(|a, b| a.corners_px.area().total_cmp(&b.corners_px.area()))?
    };
    let laid = first.laid.unwrap_or_else(|| origin(first));
    let table = View::of_rectangle(&first.corners_px, first.size_mm, lens)?.frame_of(&laid);
    let fit = Fit {
        seen,
        lens,
        free_lens,
        pinned,
    };
    let mut unknowns = fit.begin(&table)?;
    let mut rest = fit.residuals(&unknowns)?;
    let mut damping = 1e-3;
    for _ in 0..ROUNDS {
        let slopes = fit.slopes(&unknowns, &rest)?;
        let square = slopes.transpose() * &slopes;
        let right = slopes.transpose() * &rest;
        let mut damped = square.clone();
        for i in 0..damped.nrows() {
            damped[(i, i)] += damping * (square[(i, i)] + 1e-9);
        }
        let Some(step) = damped.cholesky().map(|c| c.solve(&right)) else {
            damping *= 10.0;
            continue;
        };
        let next = &unknowns - &step;
        match fit.residuals(&next) {
            Some(r) if r.norm_squared() <= rest.norm_squared() => {
                let gained = rest.norm_squared() - r.norm_squared();
                (unknowns, rest) = (next, r);
                damping = (damping / 5.0).max(1e-9);
                if gained < 1e-9 {
                    break;
                }
            }
            _ => damping *= 10.0,
        }
        if damping > 1e9 {
            break;
        }
    }
    let mut lens = fit.lens_of(&unknowns);
    if free_lens {
        let slopes = fit.slopes(&unknowns, &rest)?;
        let square = slopes.transpose() * &slopes;
        let n = square.nrows();
        let variance = square.try_inverse().map_or(0.09, |v| v[(n - 1, n - 1)]);
        let noise = (rest.norm_squared() / rest.len().saturating_sub(n).max(1) as f64)
            .sqrt()
            .max(CORNER_PX);
        lens.focal_error = (variance.sqrt() * noise).min(0.3);
    }
    Some(Joint {
        pose: Fit::pose(&unknowns),
        laid: fit.laid_of(&unknowns),
        lens,
        error_px: (rest.norm_squared() / (rest.len() / 2).max(1) as f64).sqrt(),
    })
}

impl Fit<'_> {
    /// Rectangles whose place is sought.
    fn sought(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.seen.len()).filter(|i| {
            self.seen.get(*i).is_some_and(|s| s.laid.is_none()) && !(self.pinned && *i == 0)
        })
    }

    fn begin(&self, table: &View) -> Option<DVector<f64>> {
        let pose = table.pose();
        let mut out: Vec<f64> = pose.turn_deg.iter().map(|v| v.to_radians()).collect();
        out.extend(pose.at_mm.map(|v| v / 100.0));
        for i in self.sought() {
            let s = self.seen.get(i)?;
            let [a, b, _, d] = s.corners_px.0;
            let on = |p| table.meets(p, s.height_mm, 1.0).map(|m| m.at);
            let (a, b, d) = (on(a)?, on(b)?, on(d)?);
            let turn = (b - a).y.atan2((b - a).x);
            let down = (-(d - a).x).atan2((d - a).y);
            // the two edges' directions, averaged
            let turn = turn + 0.5 * (down - turn).sin().asin();
            out.extend([a.x / 100.0, a.y / 100.0, turn]);
        }
        if self.free_lens {
            out.push(0.0);
        }
        Some(DVector::from_vec(out))
    }

    fn lens_of(&self, u: &DVector<f64>) -> Lens {
        let mut lens = self.lens;
        if self.free_lens
            && let Some(log) = u.iter().next_back()
        {
            lens.focal_px = lens.focal_px.map(|f| f * log.clamp(-2.0, 2.0).exp());
        }
        lens
    }

    fn pose(u: &DVector<f64>) -> Pose {
        Pose {
            turn_deg: [u[0], u[1], u[2]].map(f64::to_degrees),
            at_mm: [u[3], u[4], u[5]].map(|v| v * 100.0),
        }
    }

    fn laid_of(&self, u: &DVector<f64>) -> Vec<Laid> {
        let mut next = 6;
        self.seen
            .iter()
            .enumerate()
            .map(|(i, s)| {
                if let Some(laid) = s.laid {
                    return laid;
                }
                let mut laid = Laid {
                    at_mm: [0.0; 2],
                    turn_deg: 0.0,
                    height_mm: s.height_mm,
                };
                if !(self.pinned && i == 0) {
                    laid.at_mm = [u[next] * 100.0, u[next + 1] * 100.0];
                    laid.turn_deg = u[next + 2].to_degrees();
                    next += 3;
                }
                laid
            })
            .collect()
    }

    fn residuals(&self, u: &DVector<f64>) -> Option<DVector<f64>> {
        let table = View::of_pose(&Self::pose(u), self.lens_of(u));
        let mut out = Vec::with_capacity(8 * self.seen.len());
        for (s, laid) in self.seen.iter().zip(self.laid_of(u)) {
            let corners = table.of_laid(&laid).corners(s.size_mm)?;
            for (is, was) in corners.0.iter().zip(&s.corners_px.0) {
                out.extend([is.x - was.x, is.y - was.y]);
            }
        }
        Some(DVector::from_vec(out))
    }

    fn slopes(&self, u: &DVector<f64>, rest: &DVector<f64>) -> Option<DMatrix<f64>> {
        const STEP: f64 = 1e-6;
        let mut out = DMatrix::zeros(rest.len(), u.len());
        for i in 0..u.len() {
            let mut moved = u.clone();
            moved[i] += STEP;
            out.set_column(i, &((self.residuals(&moved)? - rest) / STEP));
        }
        Some(out)
    }
}

impl View {
    /// The view of the frame in which this view's surface lies so.
    fn frame_of(&self, laid: &Laid) -> Self {
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), -laid.turn_deg.to_radians());
        let [x, y] = laid.at_mm;
        let back = turn * Vector3::new(-x, -y, laid.height_mm);
        self.shifted(turn.matrix(), back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [150.0, 110.0];

    fn table() -> Vec<Laid> {
        [
            (0.0, 0.0, 0.0, 1.8),
            (190.0, 12.0, 6.0, 1.8),
            (20.0, 150.0, -9.0, 1.8),
            (230.0, 160.0, 172.0, 1.8),
        ]
        .into_iter()
        .map(|(x, y, turn_deg, height_mm)| Laid {
            at_mm: [x, y],
            turn_deg,
            height_mm,
        })
        .collect()
    }

    fn camera() -> Pose {
        Pose {
            at_mm: [210.0, 520.0, 640.0],
            turn_deg: [-35.0, 3.0, -2.0],
        }
    }

    fn seen(lens: Lens, known: bool) -> Vec<Sighted> {
        let view = View::of_pose(&camera(), lens);
        table()
            .into_iter()
            .enumerate()
            .map(|(i, laid)| Sighted {
                corners_px: view.of_laid(&laid).corners(SIZE).expect("seen"),
                size_mm: SIZE,
                height_mm: laid.height_mm,
                laid: (known && i < 2).then_some(laid),
            })
            .collect()
    }

    fn near(a: &Laid, b: &Laid, mm: f64) -> bool {
        let turn = (a.turn_deg - b.turn_deg).rem_euclid(360.0);
        (a.at_mm[0] - b.at_mm[0]).hypot(a.at_mm[1] - b.at_mm[1]) < mm
            && turn.min(360.0 - turn) < 0.1
    }

    #[test]
    fn a_pose_is_a_view_and_back() {
        let lens = Lens::ideal(1280, 720, 1000.0, 0.0);
        let pose = View::of_pose(&camera(), lens).pose();
        for (a, b) in pose.at_mm.iter().zip(camera().at_mm) {
            assert!((a - b).abs() < 1e-6);
        }
        for (a, b) in pose.turn_deg.iter().zip(camera().turn_deg) {
            assert!((a - b).abs() < 1e-6);
        }
    }

    #[test]
    fn camera_and_surfaces_are_found_together() {
        let lens = Lens::ideal(1280, 720, 1000.0, 0.0);
        for (known, by) in [
            (Known::Lens(lens), false),
            (Known::Size([1280, 720]), false),
            (Known::Lens(lens), true),
        ] {
            let got = joint(&seen(lens, by), known).expect("a camera");
            assert!(got.error_px < 0.01, "{}", got.error_px);
            assert!(
                (got.lens.focal_px[0] - 1000.0).abs() < 1.0,
                "{:?}",
                got.lens
            );
            for (is, was) in got.laid.iter().zip(table()) {
                assert!(near(is, &was, 0.05), "{is:?} for {was:?}");
            }
            for (a, b) in got.pose.at_mm.iter().zip(camera().at_mm) {
                assert!((a - b).abs() < 0.5, "{:?}", got.pose);
            }
        }
    }
}
