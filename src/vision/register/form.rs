//! A picture in a form that features are looked for in: as it is, lightened, or the table laid flat.

use std::collections::HashMap;

use opencv::{
    core::{Mat, Point2f, Size, Vector},
    imgproc,
    prelude::*,
};

use super::{
    Keypoint, Seek,
    align::Pyramid,
    company::{LEAST, Paired, companies},
    described,
    descriptors::Descriptors,
    hypothesis::Hypothesis,
    map::{self, Map},
    outline::Place,
    reference::Care,
    search::{CLEAR, free},
    table::Table,
    trial::{better, weighed_fully},
};
use crate::{
    geometry::Point,
    vision::{crop, detector::Effort, eye::VisionError},
};

/// Features looked for in two million pixels; more in larger still pictures, up to the second number.
const FEATURES: f64 = 6000.0;
const FEATURES_MOST: f64 = 18_000.0;
/// Pixels of a live picture in which features are looked for; a larger one is scaled down.
const LIVE_PIXELS: f64 = 2.1e6;
/// Hypotheses tried for each surface in each form.
const TRIES: usize = 6;
/// Pixels of a table laid flat, at most, and of a card.
const FLAT_PIXELS: f64 = 8.0e6;
const CARD_PIXELS: f64 = 1.0e6;
/// What is laid flat about a card, as a part of it: where a network sees its corners is rough. Set by judgement, as the next.
const ABOUT: f64 = 0.2;
/// How far features of a card that is laid flat may differ in size from its reference's, as a logarithm.
const AS_LARGE: f64 = 0.6;

/// How the features of a form are turned into hypotheses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    /// Any map of a plane.
    Anyhow,
    /// Any map of a plane that leaves it about as large; pixels of the form a millimetre.
    Card(f64),
    /// A shift and a turn on the plane; pixels of the form a millimetre.
    OnPlane(f64),
}

/// A form of the picture, with its features.
pub(super) struct Form {
    how: How,
    keypoints: Vec<Keypoint>,
    descriptors: Descriptors,
    /// The form's pixels to the picture's, for [`How::OnPlane`] to millimetres on the plane.
    back: Map,
    /// For [`How::OnPlane`]: millimetres on the plane to the picture's pixels.
    plane: Option<Map>,
}

/// Local contrast evened out, so that a surface in the shade has as many features as one in the light.
fn lightened(grey: &Mat) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::create_clahe(3.0, Size::new(12, 8))?.apply(grey, &mut out)?;
    Ok(out)
}

fn how_many(grey: &Mat, effort: Effort) -> i32 {
    if effort == Effort::Live {
        return FEATURES as i32;
    }
    let area = f64::from(grey.cols()) * f64::from(grey.rows());
    (FEATURES * area / 2.0e6).clamp(FEATURES, FEATURES_MOST) as i32
}

impl Form {
    pub(super) fn plain(
        grey: &Mat,
        by: f64,
        light: bool,
        effort: Effort,
    ) -> Result<Self, VisionError> {
        let area = f64::from(grey.cols()) * f64::from(grey.rows());
        let by = match effort {
            Effort::Live => by.min((LIVE_PIXELS / area).sqrt()),
            _ => by,
        };
        let (w, h) = (f64::from(grey.cols()) * by, f64::from(grey.rows()) * by);
        let mut picture = crop::scaled(grey, w.round() as i32, h.round() as i32)?;
        if light {
            picture = lightened(&picture)?;
        }
        let (keypoints, descriptors) = described(how_many(&picture, effort), &picture, effort)?;
        Ok(Self {
            how: How::Anyhow,
            keypoints,
            descriptors,
            back: Map::new(
                1.0 / by,
                0.0,
                0.5 / by - 0.5,
                0.0,
                1.0 / by,
                0.5 / by - 0.5,
                0.0,
                0.0,
                1.0,
            ),
            plane: None,
        })
    }

    /// The table laid flat; `None` where too little of it can be.
    pub(super) fn on_plane(
        grey: &Mat,
        plane: &Map,
        which: usize,
        effort: Effort,
    ) -> Result<Option<Self>, VisionError> {
        let Some(Table { low, high, per_mm }) = Table::of(grey, plane) else {
            return Ok(None);
        };
        let ((x0, x1), (y0, y1)) = ((low.x, high.x), (low.y, high.y));
        let area = (x1 - x0).max(1.0) * (y1 - y0).max(1.0);
        // the second time at another scale
        let wish = if which <= 1 { 1.25 } else { 0.85 } * per_mm;
        let most = match effort {
            Effort::Live => LIVE_PIXELS,
            _ => FLAT_PIXELS,
        };
        let per_mm = wish.min(3.0).min((most / area).sqrt());
        let size = Size::new(
            ((x1 - x0) * per_mm).ceil().max(16.0) as i32,
            ((y1 - y0) * per_mm).ceil().max(16.0) as i32,
        );
        let back = map::rigid(0.0, x0, y0) * map::mm_of_flat(per_mm);
        let flat = lightened(&map::laid(grey, &(plane * back), size)?)?;
        let (keypoints, descriptors) = described(how_many(&flat, effort), &flat, effort)?;
        Ok(Some(Self {
            how: How::OnPlane(per_mm),
            keypoints,
            descriptors,
            back,
            plane: Some(*plane),
        }))
    }

    /// A card laid flat that may lie at this place; `None` where it is too small to show anything.
    pub(super) fn of_card(
        grey: &Mat,
        place: &Place,
        effort: Effort,
    ) -> Result<Option<Self>, VisionError> {
        let [w, h] = place.size_mm;
        let Some(corners) = map::corners(&place.map, place.size_mm) else {
            return Ok(None);
        };
        let [wide, tall] = [w, h].map(|v| v * (1.0 + 2.0 * ABOUT));
        let per_mm = (1.25 * map::density(&corners, place.size_mm))
            .min(3.0)
            .min((CARD_PIXELS / (wide * tall)).sqrt());
        let size = Size::new((wide * per_mm) as i32, (tall * per_mm) as i32);
        if size.width < 40 || size.height < 40 {
            return Ok(None);
        }
        let back = place.map * map::rigid(0.0, -ABOUT * w, -ABOUT * h) * map::mm_of_flat(per_mm);
        let flat = lightened(&map::laid(grey, &back, size)?)?;
        let (keypoints, descriptors) = described(how_many(&flat, effort), &flat, effort)?;
        Ok(Some(Self {
            how: How::Card(per_mm),
            keypoints,
            descriptors,
            back,
            plane: None,
        }))
    }

    /// Whether it shows the table laid flat.
    pub(super) fn is_flat(&self) -> bool {
        self.plane.is_some()
    }

    pub(super) fn look(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        found: &[(usize, Hypothesis)],
    ) -> Result<Option<Hypothesis>, VisionError> {
        let free = |h: &Hypothesis| free(h, seek, found);
        weighed_fully(seek, pictures, self.likeliest(seek, pictures, free)?, free)
    }

    /// What explains most of all that features tell of, not yet laid on with care.
    pub(super) fn likeliest(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        free: impl Fn(&Hypothesis) -> bool,
    ) -> Result<Option<Hypothesis>, VisionError> {
        match self.how {
            How::Anyhow | How::Card(_) => self.anyhow(seek, pictures, free),
            How::OnPlane(per_mm) => self.placed(seek, pictures, per_mm, free),
        }
    }

    /// The map that explains most, of those that many matches agree on.
    fn anyhow(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        free: impl Fn(&Hypothesis) -> bool,
    ) -> Result<Option<Hypothesis>, VisionError> {
        // the same print may stand on several displays: its second and third likest are tried, too
        let mut pairs: Vec<Paired> = Vec::new();
        for near in self.descriptors.nearest(&seek.reference.descriptors, 3) {
            let Some(farthest) = near.last().map(|m| m.distance) else {
                continue;
            };
            let second = near.get(1).map_or(f32::MAX, |m| m.distance);
            for (rank, m) in near.iter().enumerate() {
                let stands_out =
                    m.distance < 0.85 * farthest || rank == 0 && m.distance < 0.9 * second;
                let from = seek.reference.points.get(m.reference);
                if let (true, Some(from), Some(to)) =
                    (stands_out, from, self.keypoints.get(m.picture))
                {
                    let scale = to.size.max(1e-3) / from.size_mm.max(1e-3);
                    let as_large = match self.how {
                        How::Card(per_mm) => (scale / per_mm).ln().abs() < AS_LARGE,
                        _ => true,
                    };
                    if as_large {
                        pairs.push(Paired {
                            feature: m.reference,
                            from: from.at,
                            to: Point::new(f64::from(to.at.x), f64::from(to.at.y)),
                            turn: (to.angle_deg - from.angle_deg).to_radians(),
                            scale,
                        });
                    }
                }
            }
        }
        let mut best: Option<Hypothesis> = None;
        // all of them: a board's squares agree well with a board that is turned, and better with one that is not
        for company in companies(&pairs, TRIES) {
            let members: Vec<&Paired> = company.iter().filter_map(|i| pairs.get(*i)).collect();
            self.fit(seek, pictures, &members, &free, &mut best)?;
        }
        // and all together, where none of them is clear: in a picture of a made copy only that found six displays
        let mut left: Vec<&Paired> = pairs.iter().collect();
        for _ in 0..TRIES {
            if best.as_ref().is_some_and(|b| b.agreement > CLEAR) {
                break;
            }
            let Some(agree) = self.fit(seek, pictures, &left, &free, &mut best)? else {
                break;
            };
            let mut agree = agree.into_iter();
            left.retain(|_| !agree.next().unwrap_or(false));
        }
        Ok(best)
    }

    /// Fits a map to matches by robust matching, and takes it for the best where it explains more; which of the matches agree with it, `None` where
    /// too few do.
    fn fit(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        matches: &[&Paired],
        free: &impl Fn(&Hypothesis) -> bool,
        best: &mut Option<Hypothesis>,
    ) -> Result<Option<Vec<bool>>, VisionError> {
        if matches.len() < LEAST {
            return Ok(None);
        }
        let single = |p: Point| Point2f::new(p.x as f32, p.y as f32);
        let from: Vector<Point2f> = matches.iter().map(|p| single(p.from)).collect();
        let to: Vector<Point2f> = matches.iter().map(|p| single(p.to)).collect();
        let Some((map, inliers)) = map::agreed(&from, &to, 3.0)? else {
            return Ok(None);
        };
        if inliers.iter().filter(|is| **is).count() < LEAST {
            return Ok(None);
        }
        if let Some(map) = map::scaled(self.back * map)
            && let Some(h) = seek.reference.weighed(pictures.full(), &map, Care::Quick)?
            && best.as_ref().is_none_or(|b| h.explains() > b.explains())
            && free(&h)
        {
            *best = Some(h);
        }
        Ok(Some(inliers))
    }

    /// The place on the plane that explains most, of those that several matches agree on.
    fn placed(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        per_mm: f64,
        free: impl Fn(&Hypothesis) -> bool,
    ) -> Result<Option<Hypothesis>, VisionError> {
        let Some(plane) = self.plane else {
            return Ok(None);
        };
        let [w, h] = seek.reference.size_mm;
        let middle = Point::new(w / 2.0, h / 2.0);
        let mut all: Vec<Match> = Vec::new();
        for near in self.descriptors.nearest(&seek.reference.descriptors, 4) {
            let Some(farthest) = near.last().map(|m| m.distance) else {
                continue;
            };
            for m in &near {
                let Some(from) = seek.reference.points.get(m.reference) else {
                    continue;
                };
                let Some(keypoint) = self.keypoints.get(m.picture) else {
                    continue;
                };
                let size = keypoint.size / per_mm / from.size_mm.max(1e-3);
                if !(0.6..1.7).contains(&size) {
                    continue;
                }
                let p = keypoint.at;
                let Some(to) = map::apply(&self.back, Point::new(f64::from(p.x), f64::from(p.y)))
                else {
                    continue;
                };
                let turn = (keypoint.angle_deg - from.angle_deg).to_radians();
                all.push(Match {
                    feature: m.reference,
                    from: from.at,
                    to,
                    turn,
                    centre: to + turned(middle - from.at, turn),
                    weight: f64::from(1.0 - 0.7 * m.distance / farthest.max(1.0)),
                });
            }
        }
        let mut best: Option<Hypothesis> = None;
        for place in crowded(&all) {
            let Some((turn, shift)) = agreed(&all, place) else {
                continue;
            };
            let map = plane * map::rigid(turn, shift.x, shift.y);
            let Some(map) = map::scaled(map) else {
                continue;
            };
            // far from the surface that gave the plane, the plane is not exact
            better(seek, pictures, &map, &free, &mut best)?;
            if best.as_ref().is_some_and(|b| b.agreement > CLEAR) {
                break;
            }
        }
        Ok(best)
    }
}

/// A feature of the reference that may be one of the table's; millimetres on the surface and on the plane.
struct Match {
    feature: usize,
    from: Point,
    to: Point,
    /// How the surface would be turned, and where its middle would be.
    turn: f64,
    centre: Point,
    weight: f64,
}

fn turned(v: nalgebra::Vector2<f64>, turn: f64) -> nalgebra::Vector2<f64> {
    let (s, c) = turn.sin_cos();
    nalgebra::Vector2::new(c * v.x - s * v.y, s * v.x + c * v.y)
}

/// Places (middle and turn) that most matches speak for, likeliest first.
fn crowded(all: &[Match]) -> Vec<(Point, f64)> {
    const CELL_MM: f64 = 24.0;
    const SECTORS: i64 = 24;
    let sector = |turn: f64| {
        let part = turn.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
        (part * SECTORS as f64) as i64 % SECTORS
    };
    let cell = |p: Point| {
        (
            (p.x / CELL_MM).floor() as i64,
            (p.y / CELL_MM).floor() as i64,
        )
    };
    let mut votes: HashMap<(i64, i64, i64), f64> = HashMap::new();
    for m in all {
        let ((x, y), s) = (cell(m.centre), sector(m.turn));
        *votes.entry((x, y, s)).or_default() += m.weight;
    }
    let around = |key: &(i64, i64, i64)| {
        let mut sum = 0.0;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for ds in -1..=1 {
                    let s = (key.2 + ds).rem_euclid(SECTORS);
                    sum += votes
                        .get(&(key.0 + dx, key.1 + dy, s))
                        .copied()
                        .unwrap_or(0.0);
                }
            }
        }
        sum
    };
    let mut ranked: Vec<((i64, i64, i64), f64)> = votes.keys().map(|k| (*k, around(k))).collect();
    // in an order that does not hang on the hash
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut out: Vec<(Point, f64)> = Vec::new();
    for ((x, y, s), sum) in ranked {
        if out.len() >= TRIES || sum < 2.0 {
            break;
        }
        let place = Point::new((x as f64 + 0.5) * CELL_MM, (y as f64 + 0.5) * CELL_MM);
        let turn = (s as f64 + 0.5) / SECTORS as f64 * std::f64::consts::TAU;
        let apart = out
            .iter()
            .all(|(p, t)| (p - place).norm() > 1.5 * CELL_MM || difference(*t, turn) > 0.5);
        if apart {
            out.push((place, turn));
        }
    }
    out
}

fn difference(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

/// The turn and shift that the matches near a place agree on; `None` for fewer than four features.
fn agreed(all: &[Match], (place, turn): (Point, f64)) -> Option<(f64, nalgebra::Vector2<f64>)> {
    let mut chosen: Vec<&Match> = all
        .iter()
        .filter(|m| (m.centre - place).norm() < 45.0 && difference(m.turn, turn) < 0.5)
        .collect();
    let mut out = None;
    for within in [14.0, 8.0, 5.0] {
        let (angle, shift) = rigid_between(&chosen)?;
        out = Some((angle, shift));
        let fits =
            |m: &&Match| (turned(m.from.coords, angle) + shift - m.to.coords).norm() < within;
        chosen = all.iter().filter(fits).collect();
        let mut features: Vec<usize> = chosen.iter().map(|m| m.feature).collect();
        features.sort_unstable();
        features.dedup();
        if features.len() < 4 {
            return None;
        }
    }
    rigid_between(&chosen).or(out)
}

/// Least squares for a turn and a shift.
fn rigid_between(matches: &[&Match]) -> Option<(f64, nalgebra::Vector2<f64>)> {
    if matches.len() < 2 {
        return None;
    }
    let n = matches.len() as f64;
    let mean = |f: fn(&Match) -> Point| {
        matches
            .iter()
            .fold(nalgebra::Vector2::zeros(), |s, m| s + f(m).coords)
            / n
    };
    let (a, b) = (mean(|m| m.from), mean(|m| m.to));
    let (mut along, mut across) = (0.0, 0.0);
    for m in matches {
        let (p, q) = (m.from.coords - a, m.to.coords - b);
        along += p.dot(&q);
        across += p.perp(&q);
    }
    let turn = across.atan2(along);
    Some((turn, b - turned(a, turn)))
}
