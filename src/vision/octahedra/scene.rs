//! A picture in which faces are looked for: its features, and the places that several of them agree on.

use nalgebra::Vector2;
use opencv::{
    calib3d,
    core::{self, Mat, Point2f, Vector},
    prelude::*,
};

use super::{
    place::{LEAST_EDGE, Place, is_a_face},
    shown::Shown,
};
use crate::{
    capture::Picture,
    geometry::Point,
    vision::{
        VisionError, crop,
        detector::Effort,
        register::{Descriptors, Keypoint, Map, describe, grey, rigid, sift},
    },
};

/// Features looked for in a picture, and in one of a live line.
const OF_A_PICTURE: i32 = 14_000;
const OF_A_FRAME: i32 = 6000;
/// A larger picture is scaled down to so many pixels before.
const PIXELS: f64 = 4.2e6;
/// Matches that agree: of the middle as a part of the edge, of the logarithm of the size, and of the turn in degrees; and how many are enough to try.
const MIDDLE: f64 = 0.25;
const SIZE: f64 = 0.45;
const TURN: f64 = 30.0;
const ENOUGH: usize = 3;
/// Places tried for each picture of a face.
const TRIES: usize = 3;

/// A picture in which faces are looked for.
pub(super) struct Scene {
    pub(super) rgb: Mat,
    keypoints: Vec<Keypoint>,
    descriptors: Descriptors,
}

/// A feature of a face that may be one of the picture's, and where the face would lie then.
struct Match {
    feature: usize,
    from: Point,
    to: Point,
    middle: Point,
    edge: f64,
    turn_deg: f64,
}

impl Scene {
    pub(super) fn of(picture: &Picture, effort: Effort) -> Result<Self, VisionError> {
        let rgb = crop::mat(picture)?;
        let whole = grey(&rgb)?;
        let area = f64::from(whole.cols()) * f64::from(whole.rows());
        let k = (PIXELS / area).sqrt().min(1.0);
        let (w, h) = (
            (f64::from(whole.cols()) * k).round() as i32,
            (f64::from(whole.rows()) * k).round() as i32,
        );
        let picture = crop::scaled(&whole, w, h)?;
        let most = match effort {
            Effort::Live => OF_A_FRAME,
            _ => OF_A_PICTURE,
        };
        let (mut keypoints, descriptors) = describe(&mut sift(most)?, &picture, &core::no_array())?;
        for p in &mut keypoints {
            let full = |v: f32| ((f64::from(v) + 0.5) / k - 0.5) as f32;
            p.at = Point2f::new(full(p.at.x), full(p.at.y));
            p.size /= k;
        }
        Ok(Self {
            rgb,
            keypoints,
            descriptors,
        })
    }

    /// Where a face may lie: for each place that several matches agree on, how it may lie there.
    pub(super) fn tried(
        &self,
        which: usize,
        shown: &Shown,
    ) -> Result<Vec<Vec<Place>>, VisionError> {
        let mut all: Vec<Match> = Vec::new();
        for near in self.descriptors.nearest(&shown.descriptors, 3) {
            let Some(farthest) = near.last().map(|m| m.distance) else {
                continue;
            };
            for (rank, m) in near.iter().take(2).enumerate() {
                if rank > 0 && m.distance > 0.9 * farthest {
                    continue;
                }
                let (Some(feature), Some(p)) = (
                    shown.features.get(m.reference),
                    self.keypoints.get(m.picture),
                ) else {
                    continue;
                };
                let edge = p.size / feature.size.max(1e-6);
                if edge < 0.7 * LEAST_EDGE {
                    continue;
                }
                let turn_deg = p.angle_deg - feature.angle_deg;
                let (s, c) = turn_deg.to_radians().sin_cos();
                let off = Point::new(0.5, 0.5) - feature.at;
                let to = Point::new(f64::from(p.at.x), f64::from(p.at.y));
                let middle = to + Vector2::new(c * off.x - s * off.y, s * off.x + c * off.y) * edge;
                all.push(Match {
                    feature: m.reference,
                    from: feature.at,
                    to,
                    middle,
                    edge,
                    turn_deg,
                });
            }
        }
        let mut out = Vec::new();
        for _ in 0..TRIES {
            let with = |seed: &Match| -> Vec<usize> {
                let agrees = |m: &Match| {
                    let turn = (m.turn_deg - seed.turn_deg).rem_euclid(360.0);
                    (m.middle - seed.middle).norm() < MIDDLE * seed.edge
                        && (m.edge / seed.edge).ln().abs() < SIZE
                        && turn.min(360.0 - turn) < TURN
                };
                let all = all.iter().enumerate();
                all.filter(|(_, m)| agrees(m)).map(|(i, _)| i).collect()
            };
            let features = |which: &[usize]| {
                let mut of: Vec<usize> = which.iter().map(|i| all[*i].feature).collect();
                of.sort_unstable();
                of.dedup();
                of.len()
            };
            let groups = all.iter().map(with);
            let best = groups.max_by_key(|g| features(g));
            let Some(group) = best.filter(|g| features(g) >= ENOUGH) else {
                break;
            };
            let agreeing: Vec<&Match> = group.iter().map(|i| &all[*i]).collect();
            out.push(placed(&agreeing, which)?);
            let middle = Point::from(
                agreeing
                    .iter()
                    .map(|m| m.middle.coords)
                    .sum::<Vector2<f64>>()
                    / agreeing.len() as f64,
            );
            let edge = agreeing[0].edge;
            all.retain(|m| (m.middle - middle).norm() > 0.5 * edge);
        }
        Ok(out)
    }
}

/// An affine map between two lists of places, with those that agree on it: by which method, within how far, in how many tries, how surely, and refined how often.
type Estimate = fn(
    &Vector<Point2f>,
    &Vector<Point2f>,
    &mut Mat,
    i32,
    f64,
    usize,
    f64,
    usize,
) -> opencv::Result<Mat>;

/// Where matches that agree may have the face, likeliest first: by an affine map of their places where enough agree on one, by a turn and a size of these, and by what each
/// match says on the mean.
fn placed(agreeing: &[&Match], which: usize) -> Result<Vec<Place>, VisionError> {
    let place = |map: Map| Place {
        map,
        shown: which,
        turn: 0,
        like: 0.0,
    };
    let n = agreeing.len() as f64;
    let point = |p: Point| Point2f::new(p.x as f32, p.y as f32);
    let from: Vector<Point2f> = agreeing.iter().map(|m| point(m.from)).collect();
    let to: Vector<Point2f> = agreeing.iter().map(|m| point(m.to)).collect();
    let (mut s, mut c, mut size) = (0.0, 0.0, 0.0);
    let mut middle = Vector2::zeros();
    for m in agreeing {
        let (sin, cos) = m.turn_deg.to_radians().sin_cos();
        (s, c) = (s + sin, c + cos);
        size += m.edge.ln();
        middle += m.middle.coords;
    }
    let (edge, middle) = ((size / n).exp(), middle / n);
    let within = (0.06 * edge).max(2.0);
    let mut out = Vec::new();
    for (least, any) in [(5, true), (3, false)] {
        if agreeing.len() < least {
            continue;
        }
        let mut inliers = Mat::default();
        let estimate: Estimate = match any {
            true => calib3d::estimate_affine_2d,
            false => calib3d::estimate_affine_partial_2d,
        };
        let found = estimate(
            &from,
            &to,
            &mut inliers,
            calib3d::RANSAC,
            within,
            2000,
            0.99,
            10,
        )?;
        let agree = match inliers.empty() {
            true => 0,
            false => core::count_non_zero(&inliers)?,
        };
        if agree >= if any { 4 } else { 3 }
            && let Ok(v) = found.data_typed::<f64>()
            && let [a, b, c, d, e, f] = *v
        {
            out.push(place(Map::new(a, b, c, d, e, f, 0.0, 0.0, 1.0)));
        }
    }
    let spread = Map::new(edge, 0.0, 0.0, 0.0, edge, 0.0, 0.0, 0.0, 1.0);
    let map = rigid(s.atan2(c), middle.x, middle.y) * spread * rigid(0.0, -0.5, -0.5);
    out.push(place(map));
    out.retain(|p| p.square().is_some_and(|s| is_a_face(&s)));
    Ok(out)
}
