//! Refines outlines of top faces: where a detector's outline is a little off, a small net that sees the die's neighbourhood,
//! laid straight by that outline, says where the corners truly are.

use std::path::Path;

use opencv::{
    core::{Mat, Point2f, Vector},
    imgproc,
};

use super::{
    crop,
    eye::VisionError,
    model::{Dim, Model},
    runtime::models_folder,
};
use crate::geometry::{Point, Quad};

/// Each corner's offset, x and y, and the log of the middle's standard error.
const OUTPUTS: usize = 9;
/// An outline is refined so often: what the second time sees is laid straight by the first.
const ROUNDS: usize = 2;
/// A face that would lie farther off than this part of its side, or be larger or smaller by this factor, is another one.
const FARTHEST: f64 = 0.75;
const GROWTH: f64 = 2.0;

/// What the net says of its own error is believed between these.
const LEAST_ERROR: f64 = 0.01;
const MOST_ERROR: f64 = 0.5;

/// What kind of dice a model has learnt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dice {
    /// Cubes: an outline is laid straight from the side that runs most nearly to the right.
    Cubes,
    /// Polyhedral dice: the square that stands for a face is laid straight as it comes, from the face's own first corner.
    Solids,
}

impl Dice {
    /// The refiner's name among models.
    fn refiner(self) -> &'static str {
        match self {
            Self::Cubes => "face-refiner",
            Self::Solids => "solid-refiner",
        }
    }
}

/// The model `face-refiner.onnx` or `solid-refiner.onnx`.
pub(super) struct Refiner {
    model: Model,
    dice: Dice,
    size: usize,
    margin: f64,
    mean: f32,
    std: f32,
}

impl Refiner {
    /// The refiner of a folder of models, or of the nearest folder over it that has one, or the program's own: it has
    /// learnt from made pictures alone, so that models which leave out a scene of photographs need none of their own.
    ///
    /// # Errors
    /// A model that is missing, is none, or of another format.
    pub fn of(models: &Path, dice: Dice, threads: usize) -> Result<Self, VisionError> {
        let file = format!("{}.onnx", dice.refiner());
        let folders = models.ancestors().take(3).map(Path::to_owned);
        let mut files = folders.chain([models_folder()]).map(|f| f.join(&file));
        let path = files.find(|path| path.is_file());
        Self::load(&path.unwrap_or_else(|| models.join(&file)), dice, threads)
    }

    fn load(path: &Path, dice: Dice, threads: usize) -> Result<Self, VisionError> {
        let dims = [Dim::Free, Dim::Is(3), Dim::Any, Dim::Any];
        let model = Model::load(path, dice.refiner(), 1, dims, 2, threads)?;
        let info = &model.info;
        let size = info.get("size")?;
        if !(16..=256).contains(&size) {
            return Err(info.wrong(format!("its metadata says size {size}, which cannot be")));
        }
        Ok(Self {
            size,
            margin: info.within("margin", 0.0, 2.0)?,
            mean: info.within("mean", 0.0, 255.0)? as f32,
            std: info.within("std", 1.0, 255.0)? as f32,
            dice,
            model,
        })
    }

    /// The outlines as they truly are, each with its corners in the order in which they came; `None` for one that would be
    /// another face.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn refine(
        &mut self,
        picture: &Mat,
        faces: &[Quad],
    ) -> Result<Vec<Option<Refined>>, VisionError> {
        let mut out = self.once(picture, faces)?;
        for _ in 1..ROUNDS {
            let now: Vec<Quad> = out.iter().map(|r| r.face).collect();
            out = self.once(picture, &now)?;
        }
        let same = |refined: &Refined, found: &Quad| {
            let (face, side) = (&refined.face, found.side());
            let near = (face.centre() - found.centre()).norm() < FARTHEST * side;
            let alike = (side / GROWTH..side * GROWTH).contains(&face.side());
            near && alike && face.is_clockwise()
        };
        let all = out.into_iter().zip(faces);
        Ok(all.map(|(r, found)| same(&r, found).then_some(r)).collect())
    }

    fn once(&mut self, picture: &Mat, faces: &[Quad]) -> Result<Vec<Refined>, VisionError> {
        let turns: Vec<usize> = match self.dice {
            Dice::Cubes => faces.iter().map(first_to_the_right).collect(),
            Dice::Solids => vec![0; faces.len()],
        };
        let upright: Vec<Quad> = faces
            .iter()
            .zip(&turns)
            .map(|(f, t)| f.turned(*t))
            .collect();
        let mut out = Vec::with_capacity(faces.len());
        for batch in upright.chunks(64) {
            let mut data = Vec::with_capacity(batch.len() * 3 * self.size * self.size);
            for face in batch {
                let cut = crop::rectify(picture, face, self.size as i32, self.margin)?;
                crop::append_planes(&cut, self.size, self.size, self.mean, self.std, &mut data)?;
            }
            let (n, size) = (batch.len(), self.size);
            let values = self.model.run([n, 3, size, size], &data, &[n, OUTPUTS])?;
            for (face, offsets) in batch.iter().zip(values.chunks(OUTPUTS)) {
                let error = offsets.last().map_or(0.0, |log| f64::from(*log).exp());
                out.push(Refined {
                    face: moved(face, offsets)?,
                    error: error.clamp(LEAST_ERROR, MOST_ERROR),
                });
            }
        }
        for (refined, turns) in out.iter_mut().zip(turns) {
            refined.face = refined.face.turned((4 - turns) % 4);
        }
        Ok(out)
    }
}

/// An outline, refined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refined {
    pub face: Quad,
    /// Standard error of its middle along each of the picture's axes, as a part of its side.
    pub error: f64,
}

/// Turns that bring a side to the front that runs most nearly to the right in the picture: only so is a top face told from
/// a side face that is as large.
fn first_to_the_right(face: &Quad) -> usize {
    let right = |k: &usize| {
        let [a, b, ..] = face.turned(*k).0;
        (b.x - a.x) / (b - a).norm().max(1e-9)
    };
    (0..4)
        .max_by(|a, b| right(a).total_cmp(&right(b)))
        .unwrap_or(0)
}

/// The corners, moved by offsets in the frame in which `face` is the unit square.
fn moved(face: &Quad, offsets: &[f32]) -> Result<Quad, VisionError> {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0_f32]];
    let from = square.map(|[x, y]| Point2f::new(x, y));
    let to = face.0.map(|p| Point2f::new(p.x as f32, p.y as f32));
    let (from, to) = (Mat::from_slice(&from)?, Mat::from_slice(&to)?);
    let map = imgproc::get_perspective_transform(&from, &to, opencv::core::DECOMP_LU)?;
    let there: Vector<Point2f> = square
        .iter()
        .zip(offsets.chunks(2))
        .map(|([x, y], o)| {
            let of = |i: usize| o.get(i).copied().unwrap_or_default();
            Point2f::new(x + of(0), y + of(1))
        })
        .collect();
    let mut out: Vector<Point2f> = Vector::new();
    opencv::core::perspective_transform(&there, &mut out, &map)?;
    let mut corners = face.0;
    for (corner, p) in corners.iter_mut().zip(&out) {
        *corner = Point::new(p.x.into(), p.y.into());
    }
    Ok(Quad(corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_in_the_frame_of_the_outline() {
        let face = Quad::from_pairs([[10.0, 10.0], [30.0, 10.0], [30.0, 50.0], [10.0, 50.0]]);
        let by = moved(&face, &[0.1, 0.0, 0.1, 0.0, 0.1, 0.0, 0.1, -0.5]).unwrap();
        let expected = [[12.0, 10.0], [32.0, 10.0], [32.0, 50.0], [12.0, 30.0]];
        for (a, b) in by.pairs().iter().zip(expected) {
            assert!(
                (a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3,
                "{by:?}"
            );
        }
    }

    #[test]
    fn the_first_side_runs_to_the_right() {
        let face = Quad::from_pairs([[10.0, 10.0], [30.0, 12.0], [28.0, 32.0], [8.0, 30.0]]);
        for k in 0..4 {
            let turned = face.turned(k);
            assert_eq!(turned.turned(first_to_the_right(&turned)), face);
        }
    }
}
