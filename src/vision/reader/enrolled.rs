//! A copy's faces, as a reader takes them in from their pictures.

use std::path::{Path, PathBuf};

use opencv::core::Mat;

use super::{
    Reader,
    judge::{AT_BEST, SURE},
};
use crate::{
    capture::still,
    copy::{Copy, Shape},
    geometry::Quad,
    vision::{
        VisionError, colour, crop,
        gallery::{Alike, Gallery, Kept, Misnamed, fits, inner_face},
        ink,
        refiner::Dice,
        solids::{self, sides},
        stored::{self, Stored},
    },
};

/// A tetrahedron has so many sides that may be seen from above.
const SIDES_OF_D4: usize = 3;

impl Reader {
    /// Takes a copy's faces in place of those there were. Vectors that are not kept beside the copy, or were
    /// made by another model, are made from the pictures: a new model needs no new enrolment. Returns the
    /// faces that are too alike.
    ///
    /// # Errors
    /// Only where a library fails: a picture that cannot be read is as one that is missing.
    pub fn enrol(&mut self, copy: &Copy) -> Result<Vec<Alike>, VisionError> {
        let stored = self.take(copy)?;
        // a copy on a disk that cannot be written to is as good: the vectors are made again next time
        let _ = stored.close(false);
        self.alike()
    }

    /// The same, and keeps the vectors beside the copy.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn enrol_and_keep(&mut self, copy: &Copy) -> Result<Vec<Alike>, VisionError> {
        let stored = self.take(copy)?;
        stored.close(true)?;
        self.alike()
    }

    fn take(&mut self, copy: &Copy) -> Result<Stored<Kept>, VisionError> {
        let (file, shapes) = match self.dice {
            Dice::Cubes => (stored::FACES, &[Shape::D6][..]),
            Dice::Solids => (stored::SOLIDS, &solids::SHAPES[..]),
        };
        let mut stored = Stored::open(copy, file, &self.model.info.sha256);
        self.unread.clear();
        self.galleries.clear();
        for &shape in shapes {
            let mut shown = Vec::new();
            for kind in copy.dice.iter().filter(|d| d.shape == shape) {
                for face in &kind.faces {
                    let mut all = Vec::new();
                    for path in &face.pictures {
                        match self.kept(path, shape, &mut stored) {
                            Ok(kept) => all.extend(kept.into_iter().map(|k| (path.clone(), k))),
                            // the others may do
                            Err(e @ (VisionError::Picture(_) | VisionError::Enrolment { .. })) => {
                                self.unread.push(e);
                            }
                            Err(e) => return Err(e),
                        }
                    }
                    shown.push((kind, face, all));
                }
            }
            if !shown.is_empty() {
                if let Some(comparer) = self.comparer.as_mut() {
                    let files = |all: &Vec<(PathBuf, Kept)>| -> Vec<PathBuf> {
                        all.iter().map(|(path, _)| path.clone()).collect()
                    };
                    let faces: Vec<_> = shown.iter().map(|(_, _, all)| files(all)).collect();
                    comparer.enrol(&faces, self.margin)?;
                }
                let mut gallery = Gallery::new(shown, self.near);
                if shape != Shape::D6 {
                    gallery.upright_only();
                }
                self.galleries.insert(shape, gallery);
            }
        }
        Ok(stored)
    }

    /// Pictures that seem to be of another face than the copy says.
    pub fn misnamed(&self) -> Vec<Misnamed> {
        // pictures of a d4 show other sides each, with other figures beside the one that counts
        let each = self.galleries.iter().filter(|(s, _)| **s != Shape::D4);
        each.flat_map(|(_, g)| g.misnamed()).collect()
    }

    /// Pairs of faces that cannot be told apart surely, most alike first: neither by their vectors nor by their pictures beside each other.
    fn alike(&mut self) -> Result<Vec<Alike>, VisionError> {
        let [by_odds, by_likeness, bias] = self.sure;
        let odds = ((SURE / (1.0 - SURE)).ln() - bias - by_likeness * (1.0 - AT_BEST)) / by_odds;
        let mut all: Vec<Alike> = Vec::new();
        for (shape, gallery) in &self.galleries {
            for pair in gallery.alike(1.0 - odds / self.scale, self.scale) {
                let comparer = self.comparer.as_mut().filter(|_| *shape == Shape::D6);
                let apart = match comparer {
                    Some(comparer) => comparer.are_apart(pair.numbers, &pair.quarters)?,
                    None => false,
                };
                if !apart {
                    all.push(pair);
                }
            }
        }
        all.sort_by(|x, y| y.likeness.total_cmp(&x.likeness));
        Ok(all)
    }

    /// An enrolment picture's vectors and colour, as kept or made from it: one of them, but of a d4 one for each side that is seen.
    fn kept(
        &mut self,
        path: &Path,
        shape: Shape,
        stored: &mut Stored<Kept>,
    ) -> Result<Vec<Kept>, VisionError> {
        let names: Vec<Option<String>> = match (shape, stored::name(path)) {
            (Shape::D4, name) => (0..SIDES_OF_D4)
                .map(|i| name.as_ref().map(|n| format!("{n}#{i}")))
                .collect(),
            (_, name) => vec![name],
        };
        let middles = if self.closer.is_some() { 4 } else { 0 };
        let fit = |k: &Kept, dim: usize| {
            let mut all = k.turns.iter().chain(&k.middles);
            k.ink.is_some() && k.middles.len() == middles && all.all(|v| stored::is_unit(v, dim))
        };
        let dim = self.dim;
        let there: Option<Vec<Kept>> = names
            .iter()
            .map(|n| stored.get(n.as_ref()?, |k| fit(k, dim)))
            .collect();
        if let Some(kept) = there {
            return Ok(kept);
        }
        let (picture, _) = still::load(path)?;
        fits(path, &picture)?;
        let mat = crop::mat(&picture)?;
        let faces = match shape {
            Shape::D4 => sides::in_picture(&mat, self.margin)?,
            _ => {
                let square = inner_face(picture.width(), picture.height(), self.margin);
                vec![shape.printed(&square)]
            }
        };
        let mut out = Vec::new();
        for (inner, name) in faces.into_iter().zip(names) {
            let looks = [Some(inner), self.closer.map(|part| inner.scaled(part))];
            let jobs: Vec<(&Mat, Quad)> = looks
                .into_iter()
                .flatten()
                .flat_map(|face| (0..4).map(move |t| face.turned(t)))
                .map(|face| (&mat, face))
                .collect();
            let mut vectors = self.embed(&jobs)?.into_iter();
            let kept = Kept {
                turns: [(); 4].map(|()| vectors.next().unwrap_or_default()),
                middles: vectors.collect(),
                colour: colour::of_face(&mat, &inner)?,
                ink: Some(ink::of_face(&mat, &inner)?),
            };
            if let Some(name) = name {
                stored.put(name, kept.clone());
            }
            out.push(kept);
        }
        Ok(out)
    }
}
