//! Holds what a die shows beside its owner's pictures of the faces that it may be.
//!
//! A vector says of a face what sets it apart from any other; of faces that are one icon with another little number, it says less than light and a
//! shifted outline change. Seen beside each other they are told apart where a person tells them apart.

use std::path::{Path, PathBuf};

use opencv::core::Mat;

use super::{
    choose::{self, Candidate, Chooser},
    judge::{SURE, chance},
};
use crate::{
    capture::still,
    geometry::Quad,
    vision::{
        VisionError, crop,
        gallery::inner_face,
        model::{Dim, Model},
    },
};

/// So many of a die's likeliest faces are looked at beside their pictures, and of each so many pictures.
const FACES: usize = 4;
const PICTURES: usize = 3;
/// A face is, if it is so likely by its vectors, as a part of the likeliest.
const LEAST: f64 = 1e-3;
/// As many pairs are looked at at once: more are no faster, and take more memory for good.
const BATCH: usize = 16;

/// What pictures say of a die: the log-odds of the faces that were held beside it, likeliest by its vectors first; and, of each kind whose faces were held against each other, what came
/// of it for each, log-odds as well.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    pub odds: Vec<(usize, f64)>,
    pub choices: Vec<Vec<(usize, f64)>>,
}

impl Said {
    /// Whether this face was held against another one.
    pub fn is_chosen(&self, face: usize) -> bool {
        self.choices.iter().flatten().any(|(f, _)| *f == face)
    }
}

/// What the looks at a die come to: of each of the copy's faces how well it goes with them, and of none.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub faces: Vec<f64>,
    pub none: f64,
    /// What of each face's is its colour's doing: how well the die's goes with its kind.
    pub colour: Vec<f64>,
    /// Of each face the greatest likeness, the quarter turns it was in and the outline.
    pub best: Vec<(f64, usize, Option<Quad>)>,
}

impl Evidence {
    /// Faces by number, likeliest first.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.faces.len()).collect();
        order.sort_by(|a, b| self.faces[*b].total_cmp(&self.faces[*a]));
        order
    }

    /// The greatest likeness of any face.
    pub fn likeness(&self) -> f64 {
        self.best.iter().map(|b| b.0).fold(-1.0, f64::max)
    }

    /// The faces to be held beside it, each with the outline in which it is upright.
    pub fn likely(&self) -> Vec<(usize, Quad)> {
        let order = self.order();
        let least = LEAST * order.first().map_or(0.0, |i| self.faces[*i]);
        let likely = order.into_iter().take(FACES);
        let likely = likely.filter(|i| self.faces[*i] > 0.0 && self.faces[*i] >= least);
        likely
            .filter_map(|i| {
                let (_, turn, outline) = self.best[i];
                Some((i, outline?.turned((4 - turn % 4) % 4)))
            })
            .collect()
    }

    /// The same with what faces held beside it say; `weights`: what the logarithms of both count, where colour counts whole.
    pub fn beside(&self, said: &Said, weights: [f64; 2]) -> Self {
        let [by_vectors, by_pictures] = weights;
        // what was not asked about is as little like it as the least of those that were
        let least = said.odds.iter().map(|(_, o)| *o).fold(0.0, f64::min);
        let of = |i: usize| {
            let mut all = said.odds.iter();
            all.find(|(f, _)| *f == i).map_or(least, |(_, o)| *o)
        };
        let log = |e: f64| e.max(1e-300).ln();
        let faces = self.faces.iter().zip(&self.colour).enumerate();
        let faces: Vec<f64> = faces
            .map(|(i, (e, colour))| {
                let vectors = log(*e) - log(*colour);
                by_vectors * vectors + by_pictures * of(i) + log(*colour)
            })
            .collect();
        let none = by_vectors * log(self.none);
        let most = faces.iter().copied().fold(none, f64::max);
        Self {
            faces: faces.into_iter().map(|v| (v - most).exp()).collect(),
            none: (none - most).exp(),
            colour: self.colour.clone(),
            best: self.best.clone(),
        }
    }

    /// This, which vectors and pictures came to, with what each kind's faces have of it shared among those that were held against each other: by the `vectors`, the pictures and
    /// the choice, whose logarithms count as much as the weights say. No kind has more for it, or less.
    pub fn shared(&self, vectors: &Self, said: &Said, weights: [f64; 3]) -> Self {
        let [by_vectors, by_pictures, by_choice] = weights;
        let mut shared = self.clone();
        for choice in &said.choices {
            let all = choice.iter().map(|(face, score)| {
                let (_, odds) = said.odds.iter().find(|(f, _)| f == face)?;
                // its colour is one with the others'
                let own = vectors.faces.get(*face)?.max(1e-300).ln();
                Some((
                    *face,
                    by_vectors * own + by_pictures * odds + by_choice * score,
                ))
            });
            let all: Vec<(usize, f64)> = all.flatten().collect();
            let most = all.iter().map(|(_, v)| *v).fold(f64::MIN, f64::max);
            let total: f64 = all.iter().map(|(_, v)| (v - most).exp()).sum();
            let have: f64 = all.iter().filter_map(|(f, _)| self.faces.get(*f)).sum();
            for (face, v) in all {
                if let Some(of) = shared.faces.get_mut(face) {
                    *of = have * (v - most).exp() / total;
                }
            }
        }
        shared
    }
}

/// The net, with a copy's pictures as it takes them.
pub(super) struct Comparer {
    model: Model,
    size: usize,
    margin: f64,
    mean: f32,
    std: f32,
    /// What the logarithms of a face's evidence and of its odds count.
    pub weights: [f64; 2],
    /// As `Reader::sure`, of what both say.
    pub sure: [f64; 3],
    /// What the odds of a face count that its vectors are sure of, and besides.
    still: [f64; 2],
    own: Vec<Vec<Vec<f32>>>,
    pub chooser: Chooser,
}

impl Comparer {
    /// # Errors
    /// A model that is missing, is none, or is not of this format.
    pub fn load(models: &Path, threads: usize) -> Result<Self, VisionError> {
        let dims = [Dim::Free, Dim::Is(6), Dim::Any, Dim::Any];
        let path = models.join("print-comparer.onnx");
        let model = Model::load(&path, "print-comparer", 1, dims, 1, threads)?;
        let info = &model.info;
        let size: usize = info.get("size")?;
        if !(16..=256).contains(&size) {
            return Err(info.wrong(format!("its metadata says size {size}, which cannot be")));
        }
        let margin = info.within("margin", 0.0, 1.0)?;
        let weight = |key: &str| info.within(key, 0.0, 10.0);
        let (mean, std) = (
            info.within("mean", 0.0, 255.0)?,
            info.within("std", 1.0, 255.0)?,
        );
        let faces = [
            ("size", size as f64),
            ("margin", margin),
            ("mean", mean),
            ("std", std),
        ];
        Ok(Self {
            chooser: Chooser::load(models, faces, threads)?,
            size,
            margin,
            mean: mean as f32,
            std: std as f32,
            weights: [weight("weight_vectors")?, weight("weight_pictures")?],
            sure: info.sure()?,
            still: [
                info.within("still_odds", 0.0, 10.0)?,
                info.within("still_bias", -100.0, 100.0)?,
            ],
            own: Vec::new(),
            model,
        })
    }

    /// Chance that a face is right that its vectors are sure of, where its pictures say so with such odds: what lies there may be another game's die
    /// with like pips, or a side that was taken for the top.
    pub fn still(&self, odds: f64) -> f64 {
        let [by_odds, bias] = self.still;
        1.0 / (1.0 + (-by_odds * odds - bias).exp())
    }

    /// Takes the pictures of each face, in place of those there were; `margin`: what they show round a face, in its sides. One that cannot be read
    /// is left out.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn enrol(&mut self, faces: &[Vec<PathBuf>], margin: f64) -> Result<(), VisionError> {
        self.own.clear();
        for pictures in faces {
            let mut own = Vec::new();
            for path in pictures.iter().take(PICTURES) {
                let Ok((picture, _)) = still::load(path) else {
                    continue;
                };
                let face = inner_face(picture.width(), picture.height(), margin);
                own.push(self.planes(&crop::mat(&picture)?, &face)?);
            }
            self.own.push(own);
        }
        Ok(())
    }

    /// Three planes: an upright face as the net takes it.
    fn planes(&self, mat: &Mat, face: &Quad) -> Result<Vec<f32>, VisionError> {
        let mut out = Vec::with_capacity(3 * self.size * self.size);
        let face = crop::rectify(mat, face, self.size as i32, self.margin)?;
        crop::append_planes(&face, self.size, self.size, self.mean, self.std, &mut out)?;
        Ok(out)
    }

    /// For each die the log-odds that it shows the faces that it is asked about, as they are given; of a face without pictures nothing.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn odds(
        &mut self,
        mat: &Mat,
        dice: &[Vec<(usize, Quad)>],
    ) -> Result<Vec<Vec<(usize, f64)>>, VisionError> {
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        let mut data = Vec::new();
        let mut sums: Vec<Vec<(usize, f64)>> = Vec::with_capacity(dice.len());
        for (die, asked) in dice.iter().enumerate() {
            let mut of_die: Vec<(usize, f64)> = Vec::with_capacity(asked.len());
            let mut seen: Option<(Quad, Vec<f32>)> = None;
            for (face, outline) in asked {
                let own = self.own.get(*face).map_or(&[][..], Vec::as_slice);
                if own.is_empty() {
                    continue;
                }
                let planes = match seen.take() {
                    Some((at, planes)) if at == *outline => planes,
                    _ => self.planes(mat, outline)?,
                };
                for picture in own {
                    pairs.push((die, of_die.len(), own.len()));
                    data.extend_from_slice(&planes);
                    data.extend_from_slice(picture);
                }
                of_die.push((*face, 0.0));
                seen = Some((*outline, planes));
            }
            sums.push(of_die);
            // pairs are large: no more of them are kept than are looked at at once, and one die's
            let last = die + 1 == dice.len();
            if pairs.len() >= BATCH || last {
                let odds = self.run(&data)?;
                for ((die, face, pictures), odds) in pairs.drain(..).zip(odds) {
                    sums[die][face].1 += odds / pictures as f64;
                }
                data.clear();
            }
        }
        Ok(sums)
    }

    /// What is seen of a die between the pictures of those faces of a kind that were `asked` about and are still likely by what was said, for each kind that has two or more
    /// upright in one turn; `kind` says which kind a face is of.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn choose<'a>(
        &mut self,
        mat: &Mat,
        evidence: &Evidence,
        asked: &[(usize, Quad)],
        said: &Said,
        kind: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<Vec<Vec<(usize, f64)>>, VisionError> {
        let both = evidence.beside(said, self.weights);
        let candidate = |(face, outline): &(usize, Quad)| {
            // of a face without pictures nothing was said
            said.odds.iter().find(|(f, _)| f == face)?;
            Some(Candidate {
                face: *face,
                outline: *outline,
                evidence: *both.faces.get(*face)?,
            })
        };
        let likely = choose::likely(asked.iter().filter_map(candidate).collect());
        let mut choices = Vec::new();
        for of_kind in choose::by_kind(likely, kind) {
            let mut odds = vec![vec![None; of_kind.len()]; of_kind.len()];
            for (i, a) in of_kind.iter().enumerate() {
                let rest = of_kind.iter().enumerate().skip(i + 1);
                let alike = rest.filter(|(_, b)| choose::turned_alike(&a.outline, &b.outline));
                let alike: Vec<_> = alike.collect();
                if alike.is_empty() {
                    continue;
                }
                let seen = self.planes(mat, &a.outline)?;
                for (j, b) in alike {
                    let own =
                        [a.face, b.face].map(|f| self.own.get(f).map_or(&[][..], Vec::as_slice));
                    let first = self.chooser.choose(&seen, self.size, own)?;
                    (odds[i][j], odds[j][i]) = (Some(first), Some(-first));
                }
            }
            if odds.iter().flatten().any(Option::is_some) {
                let faces = of_kind.iter().map(|c| c.face);
                choices.push(faces.zip(choose::scores(&odds)).collect());
            }
        }
        Ok(choices)
    }

    /// Whether two faces' pictures, those of the second turned by any of so many quarters, are surely told apart were one of them all that is seen.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn are_apart(
        &mut self,
        [a, b]: [usize; 2],
        quarters: &[usize],
    ) -> Result<bool, VisionError> {
        for &turns in quarters {
            let both = (self.apart(a, b, turns)?, self.apart(b, a, 4 - turns % 4)?);
            let (Some(from_a), Some(from_b)) = both else {
                return Ok(false);
            };
            let odds = self.weights[1] * from_a.min(from_b);
            let share = 1.0 / (1.0 + (-odds).exp());
            if chance(self.sure, share, 1.0) < SURE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How much more a face's pictures are like each other than like another face's that are turned by so many quarters, log-odds: the least that
    /// any of them is; nothing where a face has fewer than two.
    ///
    /// # Errors
    /// Only where a library fails.
    fn apart(
        &mut self,
        face: usize,
        other: usize,
        quarters: usize,
    ) -> Result<Option<f64>, VisionError> {
        let (Some(own), Some(others)) = (self.own.get(face), self.own.get(other)) else {
            return Ok(None);
        };
        if own.len() < 2 || others.is_empty() {
            return Ok(None);
        }
        let others: Vec<Vec<f32>> = others
            .iter()
            .map(|planes| turned(planes, self.size, quarters))
            .collect();
        let mut data = Vec::new();
        for (i, seen) in own.iter().enumerate() {
            let rest = own.iter().enumerate().filter(|(j, _)| *j != i);
            for beside in rest.map(|(_, planes)| planes).chain(&others) {
                data.extend_from_slice(seen);
                data.extend_from_slice(beside);
            }
        }
        let (of_own, each) = (own.len() - 1, own.len() - 1 + others.len());
        let odds = self.run(&data)?;
        let mean = |odds: &[f64]| odds.iter().sum::<f64>() / odds.len() as f64;
        let apart = odds.chunks(each).map(|odds| {
            let (own, others) = odds.split_at(of_own.min(odds.len()));
            mean(own) - mean(others)
        });
        Ok(apart.reduce(f64::min))
    }

    /// What the net says of pairs, one after the other.
    fn run(&mut self, data: &[f32]) -> Result<Vec<f64>, VisionError> {
        let each = 6 * self.size * self.size;
        let mut out = Vec::with_capacity(data.len() / each);
        for pairs in data.chunks(BATCH * each) {
            let (n, size) = (pairs.len() / each, self.size);
            let odds = self.model.run([n, 6, size, size], pairs, &[n])?;
            out.extend(odds.into_iter().map(f64::from));
        }
        Ok(out)
    }
}

/// A face's planes with another corner for the upper left: so many further on, clockwise.
fn turned(planes: &[f32], size: usize, quarters: usize) -> Vec<f32> {
    let mut out = planes.to_vec();
    for _ in 0..quarters % 4 {
        let before = out.clone();
        for (i, value) in out.iter_mut().enumerate() {
            let (plane, y, x) = (i / (size * size), i / size % size, i % size);
            let from = plane * size * size + x * size + (size - 1 - y);
            *value = before.get(from).copied().unwrap_or(*value);
        }
    }
    out
}

#[cfg(test)]
mod tests;
