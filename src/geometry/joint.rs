//! One camera and everything flat that it sees on one table, fitted together: the camera's pose, its focal
//! length and how its lens bends where no lens is known, and where each rectangle lies (bundle adjustment of the corners,
//! or of print where it was found, by Levenberg and Marquardt's method).

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, Matrix4, Rotation3, Vector3};

use super::{Homography, Laid, Lens, Point, Pose, Quad, View, focal_from_rectangle};

/// A webcam's focal length where nothing tells it, in picture widths, and how wrong that may be (standard error of its
/// logarithm): 50 to 90 degrees across.
pub const USUAL_FOCAL: (f64, f64) = (0.78, 0.3);
/// How much a webcam's lens usually bends (standard deviation of k1), and by how much it is let to.
const USUAL_BEND: f64 = 0.08;
const MOST_BEND: f64 = 0.2;

/// A rectangle on the table as a camera sees it.
#[derive(Debug, Clone)]
pub struct Sighted {
    /// Those outside the picture are where its plane would have them.
    pub corners_px: Quad,
    /// Places on it, millimetres, each with the pixel where it is seen: they say more than the corners, where there are
    /// enough of them.
    pub print: Arc<Vec<(Point, Point)>>,
    pub size_mm: [f64; 2],
    /// Of its face over the table.
    pub height_mm: f64,
    /// Where it lies, if that is known already.
    pub laid: Option<Laid>,
}

/// What the corners say together.
#[derive(Debug, Clone)]
pub struct Joint {
    pub lens: Lens,
    /// Where the camera stands in the table's frame.
    pub pose: Pose,
    /// Where each rectangle lies, in the order given.
    pub laid: Vec<Laid>,
    /// Root mean square of the distance between places seen and places computed, pixels: of all, and of each rectangle.
    pub error_px: f64,
    pub errors_px: Vec<f64>,
    /// How the camera sees the table's frame.
    table: View,
}

const ROUNDS: usize = 60;
/// What a corner may be off by, for the errors of focal length and turn.
const CORNER_PX: f64 = 0.5;
/// A rectangle that the common camera sees farther off than this (pixels, or this part of its diagonal) lies on another
/// plane.
const ELSEWHERE: (f64, f64) = (3.0, 0.02);

/// Places on a rectangle and where they are seen: some of its print, all over it, or its corners, or what of a grid on it
/// lies in the picture; and what each counts for, so that all together count as four corners, or print as so many more of
/// them as it is spread.
#[derive(Debug, Clone)]
struct Marks {
    places: Vec<(Point, Point)>,
    weight: f64,
    printed: bool,
}

/// Print is taken from so many parts of a surface along each side, one place each, and wants to be in so many of them. What
/// it counts for, in corners.
const PARTS: usize = 5;
const LEAST_PARTS: usize = 10;
const AS_CORNERS: f64 = 12.0;

/// The place of the print that is nearest to the middle of each part of a surface.
fn spread(print: &[(Point, Point)], [w, h]: [f64; 2]) -> Vec<(Point, Point)> {
    let mut best: [Option<(f64, (Point, Point))>; PARTS * PARTS] = [None; PARTS * PARTS];
    for (at, px) in print {
        let part = |v: f64, of: f64| {
            let part = (v / of * PARTS as f64)
                .floor()
                .clamp(0.0, PARTS as f64 - 1.0);
            (part as usize, v - (part + 0.5) * of / PARTS as f64)
        };
        let ((x, dx), (y, dy)) = (part(at.x, w), part(at.y, h));
        let far = dx.hypot(dy);
        if let Some(best) = best.get_mut(y * PARTS + x)
            && best.is_none_or(|(least, _)| far < least)
        {
            *best = Some((far, (*at, *px)));
        }
    }
    best.into_iter().flatten().map(|(_, place)| place).collect()
}

impl Marks {
    fn of(s: &Sighted, [width, height]: [u32; 2]) -> Option<Self> {
        const GRID: u32 = 4;
        let [w, h] = s.size_mm;
        let places = spread(&s.print, s.size_mm);
        if places.len() >= LEAST_PARTS {
            return Some(Self {
                weight: (AS_CORNERS / places.len() as f64).sqrt(),
                places,
                printed: true,
            });
        }
        let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
        let inside = |p: &Point| {
            (-1.0..=f64::from(width)).contains(&p.x) && (-1.0..=f64::from(height)).contains(&p.y)
        };
        let mut places: Vec<(Point, Point)> = flat.0.into_iter().zip(s.corners_px.0).collect();
        if !s.corners_px.0.iter().all(inside) {
            let seen = Homography::between(&flat, &s.corners_px)?;
            let grid = (0..=GRID * GRID + 2 * GRID).map(|i| {
                let step = |k: u32| f64::from(k) / f64::from(GRID);
                Point::new(w * step(i % (GRID + 1)), h * step(i / (GRID + 1)))
            });
            let grid: Vec<_> = grid.filter_map(|at| Some((at, seen.apply(at)?))).collect();
            let shown: Vec<_> = grid.into_iter().filter(|(_, p)| inside(p)).collect();
            if shown.len() > places.len() {
                places = shown;
            }
        }
        let weight = (4.0 / places.len() as f64).sqrt();
        Some(Self {
            places,
            weight,
            printed: false,
        })
    }

    /// How many numbers it counts for.
    fn counts(&self) -> f64 {
        2.0 * self.weight * self.weight * self.places.len() as f64
    }
}

/// Unknowns of one fit and where they stand in its vector.
struct Fit<'a> {
    seen: &'a [Sighted],
    marks: Vec<Marks>,
    lens: Lens,
    free_lens: bool,
    /// Whether how the lens bends is sought, too: corners alone do not say it.
    free_bend: bool,
    /// Logarithm of a usual focal length over the lens's.
    usual: f64,
    /// The first is the frame's origin where none is known.
    pinned: bool,
    /// What a corner is off by, as far as is known: what the usual focal length is weighed against. A lens that bends and
    /// sizes that were measured with a ruler leave more over than corners that were found badly.
    noise_px: f64,
}

/// Fits camera and rectangles in a picture of this width and height. Where no rectangle is known, the table's frame starts
/// under the first one's upper left corner, x along its upper edge. Where no lens is known, square pixels and a centred
/// axis are taken, and a focal length that is a usual one as far as the corners do not say; and where print was found, a lens that bends (k1) as far as
/// that says so. `None` where they do not fix
/// a camera.
pub fn joint(seen: &[Sighted], lens: Option<Lens>, picture: [u32; 2]) -> Option<Joint> {
    let [w, h] = picture;
    let usual = USUAL_FOCAL.0 * f64::from(w);
    let free_lens = lens.is_none();
    let lens = lens.unwrap_or_else(|| {
        let guess = seen
            .iter()
            .filter_map(|s| focal_from_rectangle(&s.corners_px, s.size_mm, (w, h), 1.0))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(usual, |g| g.0);
        Lens::ideal(w, h, guess, 0.0)
    });
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
    let marks: Vec<Marks> = seen
        .iter()
        .map(|s| Marks::of(s, picture))
        .collect::<Option<_>>()?;
    let mut fit = Fit {
        seen,
        lens,
        free_lens,
        free_bend: free_lens && marks.iter().any(|m| m.printed),
        marks,
        usual: (usual / lens.focal_px[0]).ln(),
        pinned,
        noise_px: CORNER_PX,
    };
    // What is small, or far off, looks nearly the same tilted the other way about the line of sight (the two minima of a
    // planar pose; Schweighofer and Pinz 2006): both are tried, and the picture is taken to stand upright.
    let other = pinned.then(|| table.tilted_back(first.size_mm));
    let both = |fit: &Fit<'_>| match (
        fit.run(&table),
        other.as_ref().and_then(|table| fit.run(table)),
    ) {
        (Some(a), Some(b)) if fit.worse(&a, &b) > 0.0 => Some((b, Some(a))),
        (Some(a), b) => Some((a, b)),
        (None, b) => Some((b?, None)),
    };
    let (mut best, mut other) = both(&fit)?;
    let noise_px = fit.noise(&best);
    if free_lens && noise_px > 1.5 * CORNER_PX {
        fit.noise_px = noise_px;
        (best, other) = both(&fit)?;
    }
    fit.done(&best, other.as_ref())
}

/// Unknowns, and what they leave over.
type Found = (DVector<f64>, DVector<f64>);

impl Joint {
    /// How the camera sees the table's frame.
    pub const fn table(&self) -> &View {
        &self.table
    }

    /// How the camera sees a rectangle on this table, in its own frame: tilted as the whole table is, and laid where its own
    /// corners are. `None` where it does not lie on the table.
    pub fn view_of(&self, s: &Sighted, picture: [u32; 2]) -> Option<View> {
        let marks = Marks::of(s, picture)?.places;
        let mut turned = [0.0, 0.0];
        let on: Vec<Point> = marks
            .iter()
            .map(|(_, px)| Some(self.table.meets(*px, s.height_mm, 1.0)?.at))
            .collect::<Option<_>>()?;
        let n = marks.len() as f64;
        let middle = |all: &mut dyn Iterator<Item = Point>| {
            let sum = all.fold([0.0, 0.0], |[x, y], p| [x + p.x, y + p.y]);
            Point::new(sum[0] / n, sum[1] / n)
        };
        let from = middle(&mut marks.iter().map(|m| m.0));
        let to = middle(&mut on.iter().copied());
        for ((at, _), on) in marks.iter().zip(&on) {
            let (a, b) = (at - from, on - to);
            turned[0] += a.x * b.x + a.y * b.y;
            turned[1] += a.x * b.y - a.y * b.x;
        }
        let laid = Laid {
            at_mm: [0.0; 2],
            turn_deg: turned[1].atan2(turned[0]).to_degrees(),
            height_mm: s.height_mm,
        };
        let view = self.table.of_laid(&laid).slid_to(&marks)?;
        let mut square = 0.0;
        for (at, px) in &marks {
            square += (view.pixel(*at, 0.0)? - px).norm_squared();
        }
        let [a, _, c, _] = s.corners_px.0;
        let most = ELSEWHERE.0.max(ELSEWHERE.1 * (c - a).norm());
        ((square / n).sqrt() < most).then(|| view.held_by(&marks))
    }
}

impl Fit<'_> {
    /// Least squares from where a view of the table's frame has everything.
    fn run(&self, table: &View) -> Option<Found> {
        let mut unknowns = self.begin(table)?;
        let mut rest = self.residuals(&unknowns)?;
        let mut damping = 1e-3;
        for _ in 0..ROUNDS {
            let slopes = self.slopes(&unknowns, &rest)?;
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
            match self.residuals(&next) {
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
        Some((unknowns, rest))
    }

    /// What a corner is off by, as what is left over says; a few numbers say it badly, and count beside as many of corners
    /// that are found as usual.
    fn noise(&self, (unknowns, rest): &Found) -> f64 {
        const USUAL: f64 = 8.0;
        let counts: f64 = self.marks.iter().map(Marks::counts).sum();
        let over = (counts - unknowns.len() as f64).max(0.0);
        let square = rest.norm_squared() + USUAL * CORNER_PX * CORNER_PX;
        (square / (over + USUAL)).sqrt().max(CORNER_PX)
    }

    /// How much worse one answer is than another, as twice the logarithm of their odds.
    fn worse(&self, a: &Found, b: &Found) -> f64 {
        let noise = self.noise(a).min(self.noise(b));
        let left = (a.1.norm_squared() - b.1.norm_squared()) / (noise * noise);
        left + leaning(&a.0) - leaning(&b.0)
    }

    fn done(&self, best: &Found, other: Option<&Found>) -> Option<Joint> {
        let (unknowns, rest) = best;
        let mut lens = self.lens_of(unknowns);
        let slopes = self.slopes(unknowns, rest)?;
        let n = slopes.ncols();
        let noise = self.noise(best);
        // where it has no inverse the camera is not fixed
        let c = (slopes.transpose() * slopes).try_inverse()?;
        // turns are unknown as Rodrigues' vector; what is wanted is by how much the camera may be turned about its axes
        let turn = Rotation3::new(Vector3::new(unknowns[0], unknowns[1], unknowns[2]));
        let mut about = Matrix4::identity();
        for i in 0..3 {
            const STEP: f64 = 1e-6;
            let mut moved = Vector3::new(unknowns[0], unknowns[1], unknowns[2]);
            moved[i] += STEP;
            let by = (Rotation3::new(moved) * turn.inverse()).scaled_axis() / STEP;
            about.fixed_view_mut::<3, 1>(0, i).copy_from(&by);
        }
        let mut part = Matrix4::zeros();
        let focal = n - 1 - usize::from(self.free_bend);
        let which = |i: usize| if i < 3 { i } else { focal };
        let known = if self.free_lens { 4 } else { 3 };
        for (i, j) in (0..known).flat_map(|i| (0..known).map(move |j| (i, j))) {
            part[(i, j)] = c[(which(i), which(j))] * noise * noise;
        }
        let mut doubt = about * part * about.transpose();
        if self.free_lens {
            lens.focal_error = doubt[(3, 3)].sqrt().min(USUAL_FOCAL.1);
        } else {
            doubt[(3, 3)] = lens.focal_error.powi(2);
        }
        if let Some(other) = other {
            // how likely it is the other one, and by how much the camera would be turned then
            let turned = &other.0;
            let share = 1.0 / (1.0 + (self.worse(other, best) / 2.0).min(500.0).exp());
            let turn = |u: &DVector<f64>| Rotation3::new(Vector3::new(u[0], u[1], u[2]));
            let by = (turn(turned) * turn(unknowns).inverse()).scaled_axis();
            let mut part = doubt.fixed_view_mut::<3, 3>(0, 0);
            part += by * by.transpose() * share;
        }
        let mut at = 0;
        let errors_px = self
            .marks
            .iter()
            .map(|m| {
                let k = 2 * m.places.len();
                let mine = rest.rows(at, k);
                at += k;
                (2.0 * mine.norm_squared() / m.counts()).sqrt()
            })
            .collect();
        let pose = Self::pose(unknowns);
        let counts: f64 = self.marks.iter().map(Marks::counts).sum();
        Some(Joint {
            table: View::of_pose(&pose, lens).doubted(doubt),
            pose,
            laid: self.laid_of(unknowns),
            lens,
            error_px: (2.0 * rest.rows(0, at).norm_squared() / counts.max(1.0)).sqrt(),
            errors_px,
        })
    }

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
        out.extend(self.free_lens.then_some(0.0));
        out.extend(self.free_bend.then_some(0.0));
        Some(DVector::from_vec(out))
    }

    /// Logarithm of the focal length over the lens's, and k1, as far as they are sought.
    fn optics(&self, u: &DVector<f64>) -> (Option<f64>, Option<f64>) {
        let mut last = u.iter().rev().copied();
        let bend = if self.free_bend { last.next() } else { None };
        let focal = if self.free_lens { last.next() } else { None };
        (focal, bend)
    }

    fn lens_of(&self, u: &DVector<f64>) -> Lens {
        let mut lens = self.lens;
        let (focal, bend) = self.optics(u);
        if let Some(log) = focal {
            lens.focal_px = lens.focal_px.map(|f| f * log.clamp(-2.0, 2.0).exp());
        }
        if let Some(bend) = bend {
            lens.distortion[0] = bend.clamp(-MOST_BEND, MOST_BEND);
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
        let mut out = Vec::new();
        for (marks, laid) in self.marks.iter().zip(self.laid_of(u)) {
            marks.residuals(&table.of_laid(&laid), &mut out)?;
        }
        // as far off as a usual lens may be counts as much as a corner that is off by its error
        let (focal, bend) = self.optics(u);
        out.extend(focal.map(|log| self.noise_px * (log - self.usual) / USUAL_FOCAL.1));
        out.extend(bend.map(|bend| self.noise_px * bend / USUAL_BEND));
        Some(DVector::from_vec(out))
    }

    fn slopes(&self, u: &DVector<f64>, rest: &DVector<f64>) -> Option<DMatrix<f64>> {
        const STEP: f64 = 1e-6;
        let mut out = DMatrix::zeros(rest.len(), u.len());
        let own = 6..6 + 3 * self.sought().count();
        for i in (0..u.len()).filter(|i| !own.contains(i)) {
            let mut moved = u.clone();
            moved[i] += STEP;
            out.set_column(i, &((self.residuals(&moved)? - rest) / STEP));
        }
        // where one rectangle lies says nothing of the others
        let table = View::of_pose(&Self::pose(u), self.lens_of(u));
        let mut starts = Vec::new();
        let mut start = 0;
        for marks in &self.marks {
            starts.push(start);
            start += 2 * marks.places.len();
        }
        for i in own {
            let mut moved = u.clone();
            moved[i] += STEP;
            let which = self.sought().nth((i - 6) / 3)?;
            let (marks, start) = (self.marks.get(which)?, *starts.get(which)?);
            let laid = *self.laid_of(&moved).get(which)?;
            let mut there = Vec::new();
            marks.residuals(&table.of_laid(&laid), &mut there)?;
            for (k, there) in there.into_iter().enumerate() {
                out[(start + k, i)] = (there - rest[start + k]) / STEP;
            }
        }
        Some(out)
    }
}

impl Marks {
    /// Adds by how much a view of the rectangle has its places elsewhere than they are seen.
    fn residuals(&self, view: &View, out: &mut Vec<f64>) -> Option<()> {
        for (at, was) in &self.places {
            let is = view.pixel(*at, 0.0)?;
            out.extend([is.x - was.x, is.y - was.y].map(|v| v * self.weight));
        }
        Some(())
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

/// How much speaks against a camera that leans so: what is up in its picture should be farther off on the table, or it looks
/// straight down. As twice the logarithm of odds, at most as much as makes one in ninety.
fn leaning(unknowns: &DVector<f64>) -> f64 {
    const ASIDE: f64 = 0.2;
    const BACK: f64 = 0.1;
    const MOST: f64 = 9.0;
    let turn = Rotation3::new(Vector3::new(unknowns[0], unknowns[1], unknowns[2]));
    let down = turn * Vector3::z();
    ((down.x / ASIDE).powi(2) + (down.y.min(0.0) / BACK).powi(2)).min(MOST)
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
                print: Arc::default(),
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
        for (known, by) in [(Some(lens), false), (None, false), (Some(lens), true)] {
            let got = joint(&seen(lens, by), known, [1280, 720]).expect("a camera");
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
    #[test]
    fn print_says_how_an_unknown_lens_bends() {
        let lens = Lens {
            distortion: [-0.12, 0.0, 0.0, 0.0, 0.0],
            ..Lens::ideal(1280, 720, 1000.0, 0.0)
        };
        let table = View::of_pose(&camera(), lens);
        let printed = |mut s: Sighted, laid: Laid| {
            let view = table.of_laid(&laid);
            let places = (0..81).map(|i| {
                let part = |k: i32, of: f64| (f64::from(k) + 0.5) / 9.0 * of;
                Point::new(part(i % 9, SIZE[0]), part(i / 9, SIZE[1]))
            });
            let print = places.map(|at| (at, view.pixel(at, 0.0).expect("seen")));
            s.print = Arc::new(print.collect());
            s
        };
        let all = seen(lens, false).into_iter().zip(self::table());
        let all: Vec<Sighted> = all.map(|(s, laid)| printed(s, laid)).collect();
        let got = joint(&all, None, [1280, 720]).expect("a camera");
        // a usual lens, which does not bend, is weighed against it
        assert!(
            (got.lens.distortion[0] + 0.12).abs() < 0.02,
            "{:?}",
            got.lens
        );
        assert!(
            (got.lens.focal_px[0] - 1000.0).abs() < 5.0,
            "{:?}",
            got.lens
        );
        let bare = joint(&seen(lens, false), None, [1280, 720]).expect("a camera");
        assert_eq!(bare.lens.distortion, [0.0; 5], "corners do not say it");
        assert!(got.error_px < 0.5 * bare.error_px, "{}", got.error_px);
    }
    #[test]
    fn a_board_that_reaches_out_of_a_bent_picture_is_held_by_what_is_seen_of_it() {
        let lens = Lens {
            distortion: [-0.15, 0.0, 0.0, 0.0, 0.0],
            ..Lens::ideal(1280, 720, 1000.0, 0.0)
        };
        let size = [500.0, 400.0];
        let camera = Pose {
            at_mm: [330.0, 420.0, 560.0],
            turn_deg: [-30.0, 0.0, 0.0],
        };
        let view = View::of_pose(&camera, lens);
        let is_in = |p: &Point| (0.0..1279.0).contains(&p.x) && (0.0..719.0).contains(&p.y);
        let places = (0..400).map(|i| {
            let part = |k: i32, of: f64| (f64::from(k) + 0.5) / 20.0 * of;
            Point::new(part(i % 20, size[0]), part(i / 20, size[1]))
        });
        let print = places.filter_map(|at| Some((at, view.pixel(at, 0.0)?)));
        let print: Vec<(Point, Point)> = print.filter(|(_, px)| is_in(px)).collect();
        assert!((200..380).contains(&print.len()), "{}", print.len());
        // its corners are where a map without a bend has them, as registration says
        let seen: Vec<(Point, Point)> = print.clone();
        let flat = Homography::fitted(&seen).expect("a map");
        let corners = [[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]];
        let corners = corners.map(|[x, y]| flat.apply(Point::new(x, y)).expect("before it"));
        let board = Sighted {
            corners_px: Quad(corners),
            print: Arc::new(print.clone()),
            size_mm: size,
            height_mm: 0.0,
            laid: None,
        };
        let got = joint(std::slice::from_ref(&board), None, [1280, 720]).expect("a camera");
        let on = got.view_of(&board, [1280, 720]).expect("on the table");
        for (at, px) in &print {
            let meets = on.meets(*px, 0.0, 1.0).expect("on it");
            assert!((meets.at - at).norm() < 1.5, "{at:?} {:?}", meets.at);
            // and back, on the surface and above it
            for z in [0.0, 16.0] {
                let above = on.meets(*px, z, 1.0).expect("over it").at;
                let back = on.pixel(above, z).expect("seen");
                assert!((back - px).norm() < 0.05, "{px:?} {back:?}");
            }
        }
    }
}
