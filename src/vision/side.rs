//! A side of a card in a photograph: the lines that lie along it, averaged along the side.

use nalgebra::Vector2;
use opencv::{
    core::{self, Vector},
    imgproc,
};

use super::lab::Lab;
use crate::geometry::{Point, Quad};

/// Pixels between samples across a side.
const STEP: f64 = 0.25;
/// How clear a line is at least, of the clearest; by how much two differ at their ends, together; and how many are tried.
const FAINT: f64 = 0.25;
const APART_PX: f64 = 4.0;
const LINES: usize = 6;
/// Places along a side, and over how many samples of it each is averaged.
const PLACES: usize = 18;
const AVERAGED: usize = 25;

/// How much colour changes across a side: for each of [`PLACES`] along it, the change a pixel at each
/// offset (outwards positive).
pub(super) struct Across {
    pub change: Vec<Vec<f32>>,
    offsets: Vec<f64>,
    places: Vec<Point>,
    outwards: Vector2<f64>,
}

pub(super) fn across(lab: &Lab, q: &Quad, side: usize, reach: f64) -> Across {
    let (a, b) = (q.0[side], q.0[(side + 1) % 4]);
    let along = (b - a).normalize();
    // clockwise with y down: outwards is to the left of the way
    let outwards = Vector2::new(along.y, -along.x);
    let half = 4;
    let n = (2.0 * (reach + 1.0) / STEP).round() as usize + 1;
    let offset = |j: usize| -reach - 1.0 + STEP * j as f64;
    let mut change = Vec::with_capacity(PLACES);
    let mut places = Vec::with_capacity(PLACES);
    let spread = 0.84 / PLACES as f64;
    for i in 0..PLACES {
        let middle = 0.08 + spread * (i as f64 + 0.5);
        places.push(a + (b - a) * middle);
        let mut mean = vec![[0.0_f32; 3]; n];
        for s in 0..AVERAGED {
            let t = middle + spread * 1.8 * ((s as f64 + 0.5) / AVERAGED as f64 - 0.5);
            let p = a + (b - a) * t;
            for (j, m) in mean.iter_mut().enumerate() {
                let v = lab.at(p + outwards * offset(j));
                for (m, v) in m.iter_mut().zip(v) {
                    *m += v / AVERAGED as f32;
                }
            }
        }
        change.push(
            (half..n - half)
                .map(|j| {
                    let (x, y) = (mean[j - half], mean[j + half]);
                    let d: f32 = (0..3).map(|c| (x[c] - y[c]).powi(2)).sum();
                    d.sqrt() / (2.0 * half as f32 * STEP as f32)
                })
                .collect(),
        );
    }
    Across {
        change,
        offsets: (half..n - half).map(offset).collect(),
        places,
        outwards,
    }
}

/// A line through a point, in a direction.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub at: Point,
    pub along: Vector2<f64>,
    /// The share of the side that lies on it.
    pub support: f64,
}

/// Straight lines across a side, by how far out each lies at the side's two ends.
struct Crossed {
    across: Across,
    /// Place along the side, how far out, and how clear an edge is there.
    peaks: Vec<(usize, f64, f32)>,
    /// How clear a line is in all, and how far out its two ends are.
    tried: Vec<(f64, f64, f64)>,
}

fn crossed(lab: &Lab, q: &Quad, side: usize, reach: f64) -> Option<Crossed> {
    let a = across(lab, q, side, reach);
    let mut peaks: Vec<(usize, f64, f32)> = Vec::new();
    for (place, c) in a.change.iter().enumerate() {
        for j in 1..c.len().saturating_sub(1) {
            if c[j] > 1.0 && c[j] >= c[j - 1] && c[j] > c[j + 1] {
                let bend = c[j - 1] - 2.0 * c[j] + c[j + 1];
                let part = if bend == 0.0 {
                    0.0
                } else {
                    0.5 * (c[j - 1] - c[j + 1]) / bend
                };
                peaks.push((place, a.offsets[j] + f64::from(part) * STEP, c[j].min(12.0)));
            }
        }
    }
    if peaks.len() < PLACES / 2 {
        return None;
    }
    let mut tried: Vec<(f64, f64, f64)> = Vec::new();
    let n = (2.0 * reach / 0.5).round() as usize + 1;
    for i in 0..n {
        for j in 0..n {
            let (e0, e1) = (-reach + 0.5 * i as f64, -reach + 0.5 * j as f64);
            let mut on = [0.0_f32; PLACES];
            for (place, offset, clear) in &peaks {
                if (offset - height(e0, e1, *place)).abs() < 0.6 {
                    on[*place] = on[*place].max(*clear);
                }
            }
            let share = on.iter().filter(|c| **c > 0.0).count() as f64 / PLACES as f64;
            if share > 0.55 {
                tried.push((f64::from(on.iter().sum::<f32>()), e0, e1));
            }
        }
    }
    let across = a;
    Some(Crossed {
        across,
        peaks,
        tried,
    })
}

/// How far out a line is at a place along a side.
fn height(e0: f64, e1: f64, place: usize) -> f64 {
    e0 + (e1 - e0) * place as f64 / (PLACES as f64 - 1.0)
}

impl Crossed {
    fn most(&self) -> f64 {
        self.tried.iter().map(|t| t.0).fold(0.0, f64::max)
    }

    /// Laid through the edges that lie on it.
    fn fitted(&self, e0: f64, e1: f64) -> Option<Line> {
        let mut points: Vector<core::Point2f> = Vector::new();
        let mut on = [false; PLACES];
        for (place, offset, _) in &self.peaks {
            if (offset - height(e0, e1, *place)).abs() < 0.6 {
                let p = self.across.places[*place] + self.across.outwards * *offset;
                points.push(core::Point2f::new(p.x as f32, p.y as f32));
                on[*place] = true;
            }
        }
        let mut fitted = core::Vec4f::default();
        imgproc::fit_line(&points, &mut fitted, imgproc::DIST_HUBER, 0.0, 0.01, 0.01).ok()?;
        let [dx, dy, x, y] = fitted.0.map(f64::from);
        Some(Line {
            at: Point::new(x, y),
            along: Vector2::new(dx, dy),
            support: on.iter().filter(|o| **o).count() as f64 / PLACES as f64,
        })
    }
}

/// The line along which a side lies: the outermost of those that are nearly as clear as the clearest,
/// then the clearest within `back` pixels inwards of it (the edge of a thick card shows twice).
pub(super) fn line(lab: &Lab, q: &Quad, side: usize, reach: f64, back: f64) -> Option<Line> {
    let mut crossed = crossed(lab, q, side, reach)?;
    let most = crossed.most();
    crossed.tried.retain(|t| t.0 > 0.5 * most);
    let tried = &crossed.tried;
    let outer = tried
        .iter()
        .map(|t| (t.1 + t.2) / 2.0)
        .fold(f64::MIN, f64::max);
    let (_, e0, e1) = tried
        .iter()
        .copied()
        .filter(|t| (t.1 + t.2) / 2.0 >= outer - 1.6 - back)
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    crossed.fitted(e0, e1)
}

/// The clearest lines near a side.
pub(super) fn lines(lab: &Lab, q: &Quad, side: usize, reach: f64) -> Vec<Line> {
    let Some(mut crossed) = crossed(lab, q, side, reach) else {
        return Vec::new();
    };
    let most = crossed.most();
    crossed.tried.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for t in crossed.tried.iter().filter(|t| t.0 > FAINT * most) {
        let beside = |u: &(f64, f64, f64)| (u.1 - t.1).abs() + (u.2 - t.2).abs() > APART_PX;
        if taken.len() < LINES && taken.iter().all(beside) {
            taken.push(*t);
        }
    }
    let fitted = taken.iter();
    fitted.filter_map(|t| crossed.fitted(t.1, t.2)).collect()
}

/// Where four lines meet, each along a side.
pub(super) fn corners(lines: [&Line; 4]) -> Option<Quad> {
    let mut corners = [Point::origin(); 4];
    for (i, c) in corners.iter_mut().enumerate() {
        *c = crossing(lines[(i + 3) % 4], lines[i])?;
    }
    Some(Quad(corners))
}

fn crossing(a: &Line, b: &Line) -> Option<Point> {
    let m = nalgebra::Matrix2::from_columns(&[a.along, -b.along]);
    let t = m.try_inverse()? * (b.at - a.at);
    Some(a.at + a.along * t.x)
}
