//! Finds polyhedral dice (d4, d8, d10, d12, d20): a network of its own, since what is a cube's side to the one is a face to the other. It says where
//! a top face lies and of which shape the die is; what is printed there the reader knows, from enrolment.

pub mod sides;

use std::path::Path;

use nalgebra::{Matrix2, Rotation2, Vector2};

use opencv::core::Mat;

use super::{
    Sighting,
    detector::{Cell, Detection, Effort, Maps},
    eye::VisionError,
    gallery::Alike,
    memory::Memory,
    reader::Reader,
};
use crate::{
    capture::Picture,
    copy::{Copy, Shape},
    geometry::{Point, Quad},
};

/// What the map holds a cell; `models/train/nets.py` says the same.
const CHANNELS: usize = 22;
/// The shapes, as the network tells them apart.
pub(super) const SHAPES: [Shape; 5] = [Shape::D4, Shape::D8, Shape::D10, Shape::D12, Shape::D20];
/// First channels of what says how a face is turned, once, three times and five times, of what is up, and of the shapes.
const TURN: [usize; 3] = [9, 11, 13];
const UP: usize = 15;
const SHAPE: usize = 17;
/// How wide a die of each shape is, by the square root of its top face's area; and dice whose middles are no further apart than this part of that
/// are one.
const WIDE: [f64; 5] = [1.5, 1.9, 1.6, 1.7, 2.6];
const SAME: f64 = 0.5;

/// The detector of polyhedral dice, and their reader.
pub struct Solids {
    maps: Maps,
    reader: Reader,
    /// Dice of the last frame.
    dice: Memory,
}

impl Solids {
    /// With the copy's faces, and those of them that are too alike; `None` for a copy that has no such dice.
    ///
    /// # Errors
    /// A model that is missing, or does not match.
    pub fn of(
        models: &Path,
        copy: &Copy,
        threads: usize,
    ) -> Result<Option<(Self, Vec<Alike>)>, VisionError> {
        if !Self::are_in(copy) {
            return Ok(None);
        }
        let mut solids = Self::load(models, threads)?;
        let alike = solids.reader.enrol(copy)?;
        Ok(Some((solids, alike)))
    }

    /// Whether a copy has such dice.
    pub fn are_in(copy: &Copy) -> bool {
        copy.dice.iter().any(|d| SHAPES.contains(&d.shape))
    }

    /// # Errors
    /// A model that is missing, or does not match.
    pub fn load(models: &Path, threads: usize) -> Result<Self, VisionError> {
        let path = models.join("solid-detector.onnx");
        let shapes = SHAPES.map(Shape::name).join(",");
        let maps = Maps::load(&path, "solid-detector", &shapes, CHANNELS, threads)?;
        Ok(Self {
            maps,
            reader: Reader::of_solids(models, threads)?,
            dice: Memory::default(),
        })
    }

    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    pub(super) fn reader_mut(&mut self) -> &mut Reader {
        &mut self.reader
    }

    /// Reads what was found in a picture that is asked about by itself.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn read(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
    ) -> Result<Vec<Sighting>, VisionError> {
        self.dice.clear();
        self.reader.read(picture, found)
    }

    /// Reads what was found in the next frame of many.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn read_next(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
    ) -> Result<Vec<Sighting>, VisionError> {
        self.reader.read_next(picture, found, &mut self.dice, &[])
    }

    /// Takes a found outline for what the face truly is, unless that would be another one.
    ///
    /// # Errors
    /// Only where a library fails.
    pub(super) fn refine(&mut self, mat: &Mat, die: &mut Detection) -> Result<(), VisionError> {
        let refined = self.reader.refined(mat, &[die.face])?;
        if let Some(refined) = refined.into_iter().flatten().next() {
            die.lies_at(refined.face);
        }
        Ok(())
    }

    /// All such dice in the picture, best first.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn detect(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Detection>, VisionError> {
        self.found(picture, effort, None)
    }

    /// The same where it is known which shape they have.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn detect_as(
        &mut self,
        picture: &Picture,
        effort: Effort,
        shape: Shape,
    ) -> Result<Vec<Detection>, VisionError> {
        self.found(picture, effort, Some(shape))
    }

    fn found(
        &mut self,
        picture: &Picture,
        effort: Effort,
        known: Option<Shape>,
    ) -> Result<Vec<Detection>, VisionError> {
        let threshold = self.maps.threshold();
        let mut found = Vec::new();
        for map in self.maps.of(picture, effort)? {
            let peaks = map.peaks(threshold);
            found.extend(
                peaks
                    .iter()
                    .filter_map(|(cell, score)| die(cell, *score, known)),
            );
        }
        found.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
        let mut kept: Vec<(Detection, f64)> = Vec::new();
        for (d, wide) in found {
            let apart =
                |(k, w): &(Detection, f64)| (k.centre - d.centre).norm() > SAME * w.max(wide);
            if kept.iter().all(apart) {
                kept.push((d, wide));
            }
        }
        Ok(kept.into_iter().map(|(d, _)| d).collect())
    }
}

/// What the network says of a die whose middle lies in a cell, and how wide it is, in pixels of the picture.
fn die(cell: &Cell<'_>, score: f64, known: Option<Shape>) -> Option<(Detection, f64)> {
    let logits: [f64; 5] = std::array::from_fn(|i| cell.value(SHAPE + i));
    let best = match known {
        Some(shape) => SHAPES.iter().position(|s| *s == shape)?,
        None => (0..5).max_by(|a, b| logits[*a].total_cmp(&logits[*b]))?,
    };
    let shaped = 1.0 / logits.iter().map(|l| (l - logits[best]).exp()).sum::<f64>();
    let shape = SHAPES[best];
    let turn = match shape.turns() {
        1 => TURN[0],
        3 => TURN[1],
        _ => TURN[2],
    };
    let (centre, top, size, stretch) = cell.lies();
    let angle = cell.value(turn + 1).atan2(cell.value(turn)) / shape.turns() as f64;
    let up = Vector2::new(cell.value(UP), cell.value(UP + 1)) * size;
    let map = cell.map;
    let corners = corners(shape, top, stretch, angle);
    let corners: Vec<Point> = corners.into_iter().map(|p| map.to_picture(p)).collect();
    if !corners.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
        return None;
    }
    let corners = upright(shape, corners);
    let face = shape.square(&corners).filter(|q| q.area() > 1.0)?;
    let point = (shape == Shape::D4).then(|| map.to_picture(top + up));
    let reads = reads(shape, &face, point);
    let found = Detection {
        shape,
        score,
        centre: map.to_picture(centre),
        face,
        point,
        reads,
        shaped,
        on_table: false,
    };
    let [kx, ky] = map.enlarged;
    Some((found, WIDE[best] * size * (kx * ky).sqrt()))
}

/// The corners of a face of this shape whose area is 1 where nothing stretches it, about the mean of its corners.
fn corners(shape: Shape, middle: Point, stretch: Matrix2<f64>, angle: f64) -> Vec<Point> {
    let unit = Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let mut all = shape.outline(&unit);
    let n = all.len().max(1) as f64;
    let mean = all.iter().map(|p| p.coords).sum::<Vector2<f64>>() / n;
    if shape == Shape::D10 {
        // as flat as the network has it, which no stretching tells from another (train/solids.py)
        let [lo, hi] = [0, 2].map(|i| all[i].y);
        let wide = (all[1].x - all[3].x) / (2.0 * (std::f64::consts::PI / 5.0).sin());
        let by = wide / (hi - lo);
        all.iter_mut()
            .for_each(|p| p.y = mean.y + (p.y - mean.y) * by);
    }
    let area = (0..all.len())
        .map(|i| {
            let (a, b) = (all[i], all[(i + 1) % all.len()]);
            a.coords.perp(&b.coords) / 2.0
        })
        .sum::<f64>()
        .abs();
    let map = stretch * Rotation2::new(angle).matrix() / area.sqrt().max(1e-9);
    all.iter()
        .map(|p| middle + map * (p.coords - mean))
        .collect()
}

/// The same corners from the one that is highest in the picture, where none of them is the first by itself.
fn upright(shape: Shape, mut corners: Vec<Point>) -> Vec<Point> {
    let highest = (0..corners.len()).min_by(|a, b| corners[*a].y.total_cmp(&corners[*b].y));
    if shape.turns() > 1 {
        corners.rotate_left(highest.unwrap_or(0));
    }
    corners
}

/// The square that stands for a face if this corner of it is its own upper one.
pub fn from_corner(shape: Shape, face: &Quad, corner: usize) -> Option<Quad> {
    let mut corners = shape.outline(face);
    if corners.is_empty() {
        return None;
    }
    let k = corner % corners.len();
    corners.rotate_left(k);
    shape.square(&corners)
}

/// Where a die may be read whose top face this is, and, of a d4, whose point is there.
fn reads(shape: Shape, face: &Quad, point: Option<Point>) -> Vec<Quad> {
    match (shape, point) {
        (Shape::D6, _) => Vec::new(),
        (_, Some(point)) => sides::seen(&shape.outline(face), point),
        _ => prints(shape, face),
    }
}

/// Where the print of a top face may be seen, in each of its turns; a d10's may be upside down.
fn prints(shape: Shape, face: &Quad) -> Vec<Quad> {
    let turned = |k| Some(shape.printed(&from_corner(shape, face, k)?));
    match shape {
        Shape::D10 => vec![shape.printed(face), shape.printed(face).turned(2)],
        _ => (0..shape.turns()).filter_map(turned).collect(),
    }
}

impl Detection {
    /// Takes an outline for what its top face truly is.
    pub(super) fn lies_at(&mut self, face: Quad) {
        let moved = face.centre() - self.face.centre();
        self.face = face;
        self.point = self.point.map(|p| p + moved);
        self.reads = reads(self.shape, &face, self.point);
    }

    /// The square that stands for its face if its print was read in this turn; of a d4, whose sides are read, as it is.
    pub fn from_corner(&self, corner: usize) -> Quad {
        match self.shape {
            Shape::D4 | Shape::D10 => self.face,
            shape => from_corner(shape, &self.face, corner).unwrap_or(self.face),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_that_nothing_stretches_has_an_area_of_one() {
        for shape in SHAPES {
            let all = corners(shape, Point::new(5.0, 7.0), Matrix2::identity(), 0.3);
            let area = geo::Polygon::new(all.iter().map(|p| (p.x, p.y)).collect(), vec![]);
            let area = geo::Area::unsigned_area(&area);
            assert!((area - 1.0).abs() < 1e-6, "{}: {area}", shape.name());
        }
    }

    #[test]
    fn a_faces_square_can_begin_at_each_of_its_corners() {
        let all = corners(
            Shape::D12,
            Point::new(50.0, 40.0),
            Matrix2::identity() * 30.0,
            0.1,
        );
        let face = Shape::D12.square(&all).expect("a square");
        let next = from_corner(Shape::D12, &face, 1).expect("another");
        let again = Shape::D12.outline(&next);
        for (a, b) in again.iter().zip(all.iter().cycle().skip(1)) {
            assert!((a - b).norm() < 0.01, "{a} {b}");
        }
    }
}
