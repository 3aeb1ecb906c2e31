//! The faces of a copy as a reader knows them: vectors of the pictures that were taken of each, in each of their turns.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    colour::{Colour, Palette},
    eye::VisionError,
    ink::Inks,
};
use crate::{
    capture::Picture,
    copy::{DieKind, Face, Near, NearFrom},
    geometry::Quad,
};

/// What an enrolment picture became.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Unit vectors, one a quarter turn.
    pub turns: [Vec<f32>; 4],
    /// The same of the face's middle alone; empty where the reader does not look closer.
    #[serde(default)]
    pub middles: Vec<Vec<f32>>,
    pub colour: Colour,
    /// How much lighter its print is than its body; nothing where an older program kept it.
    #[serde(default)]
    pub ink: Option<f64>,
}

/// A face of a copy.
pub(super) struct Known {
    pub kind: String,
    pub face: String,
    /// Likeness below which nothing is this face.
    pub near: f64,
    /// The least turn in degrees after which it looks the same.
    pub alike_after_deg: u16,
}

/// One enrolled picture of a face, in one turn.
pub(super) struct Shown {
    /// Index of the face.
    pub face: usize,
    /// Which of the enrolled pictures it is.
    picture: usize,
    /// Quarter turns that bring the face's own upper left to the first corner.
    pub turn: usize,
    pub vector: Vec<f32>,
    /// Of its middle, where the reader looks closer.
    pub middle: Option<Vec<f32>>,
}

/// All faces of a copy.
#[derive(Default)]
pub(super) struct Gallery {
    pub faces: Vec<Known>,
    pub pictures: Vec<Shown>,
    /// Their files, one a picture.
    files: Vec<PathBuf>,
    pub palette: Palette,
    pub inks: Inks,
}

/// A picture that is more like another face of its kind than like the other pictures of its own, which are like each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Misnamed {
    pub file: PathBuf,
    /// The kind, the face that it is said to show, and the one that it is more like.
    pub kind: String,
    pub said: String,
    pub like: String,
}

/// So much more a picture must be like another face to be said to be of that one.
const MISNAMED: f64 = 0.05;

/// Likeness of a face to itself turned from which on the two cannot be told apart.
const SAME: f64 = 0.8;

/// What live pictures may be less like an enrolled face than enrolment pictures are like each other: they
/// are smaller, blurred and lit otherwise.
const LIVE: f64 = 0.15;

/// Two faces of a copy that are too alike: by its vector alone even a print that is exactly like the one is not `sure`.
#[derive(Debug, Clone, PartialEq)]
pub struct Alike {
    /// Kind and face of both.
    pub faces: [String; 2],
    /// Their numbers in the gallery.
    pub(super) numbers: [usize; 2],
    /// Cosine of their likest pictures.
    pub likeness: f64,
    /// The quarter turns by which the one is like the other; unturned they differ.
    pub turned: Option<usize>,
    /// All by which it is, none among them.
    pub(super) quarters: Vec<usize>,
}

impl Gallery {
    /// Of each face, what its pictures became; `least` is the model's own likeness below which nothing is a face.
    pub fn new(shown: Vec<(&DieKind, &Face, Vec<(PathBuf, Kept)>)>, least: f64) -> Self {
        let mut gallery = Self::default();
        let (mut colours, mut inks) = (Vec::new(), Vec::new());
        let mut picture = 0;
        let mut nears = Vec::new();
        for (kind, face, kept) in shown {
            nears.push(kind.near);
            let index = gallery.faces.len();
            gallery.faces.push(Known {
                kind: kind.kind.clone(),
                face: face.face.clone(),
                near: least,
                alike_after_deg: 360,
            });
            for (file, kept) in kept {
                gallery.files.push(file);
                colours.push((kind.kind.clone(), kept.colour));
                inks.extend(kept.ink.map(|ink| (kind.kind.clone(), ink)));
                let mut middles = kept.middles.into_iter();
                let turns = kept.turns.into_iter().enumerate();
                gallery.pictures.extend(turns.map(|(turn, vector)| Shown {
                    face: index,
                    picture,
                    turn,
                    vector,
                    middle: middles.next(),
                }));
                picture += 1;
            }
        }
        gallery.palette = Palette::new(&colours);
        gallery.inks = Inks::new(&inks);
        let accepted = gallery.accepted(least);
        for (index, near) in nears.into_iter().enumerate() {
            let symmetry = gallery.symmetry(index);
            let face = &mut gallery.faces[index];
            face.alike_after_deg = symmetry;
            match near {
                Some(Near::Is(near)) => face.near = near,
                Some(Near::From(NearFrom::Pictures)) => {
                    face.near = accepted.get(&face.kind).copied().unwrap_or(least);
                }
                None => {}
            }
        }
        gallery
    }

    /// Of faces that are looked at in each of their turns one is enough.
    pub fn upright_only(&mut self) {
        self.pictures.retain(|p| p.turn == 0);
        for face in &mut self.faces {
            face.alike_after_deg = 360;
        }
    }

    /// Each kind's own likeness below which a print is none of its faces. Kinds with one picture a face tell nothing.
    fn accepted(&self, least: f64) -> BTreeMap<String, f64> {
        let each = self.own_likeness().into_iter();
        each.map(|(kind, mut likeness)| {
            likeness.sort_by(f64::total_cmp);
            // of fifty and more one bad photograph does not open the door; of fewer the worst counts, and `misnamed` tells
            // of a bad one
            let low = likeness.get(likeness.len() / 50).copied().unwrap_or(-1.0);
            (kind, (low - LIVE).max(least))
        })
        .collect()
    }

    fn of(&self, face: usize) -> impl Iterator<Item = &Shown> {
        self.pictures.iter().filter(move |e| e.face == face)
    }

    fn upright(&self) -> impl Iterator<Item = &Shown> {
        self.pictures.iter().filter(|e| e.turn == 0)
    }

    /// How like each kind's faces are to themselves from picture to picture: for each enrolled picture, its
    /// likeness to the other pictures of its face, the best of them.
    fn own_likeness(&self) -> BTreeMap<String, Vec<f64>> {
        let mut out: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for a in self.upright() {
            let others = self.of(a.face).filter(|b| b.picture != a.picture);
            if let Some(best) = others.map(|b| dot(&a.vector, &b.vector)).reduce(f64::max) {
                let kind = self.faces[a.face].kind.clone();
                out.entry(kind).or_default().push(best);
            }
        }
        out
    }

    /// Whether pictures of one face, which are so like each other, are nearly as like another face: then nobody can say
    /// which of the two a further picture shows.
    fn are_alike(&self, own: &[&Shown], other: usize, each_other: f64) -> bool {
        let mut pairs = own
            .iter()
            .flat_map(|b| self.of(other).map(|c| dot(&b.vector, &c.vector)));
        pairs.any(|like| like > each_other - MISNAMED)
    }

    /// Pictures that seem to be of another face of their kind: of faces with three pictures or more, since of two nobody can
    /// say which is wrong.
    pub fn misnamed(&self) -> Vec<Misnamed> {
        let mut out = Vec::new();
        for a in self.upright() {
            let own: Vec<&Shown> = self
                .of(a.face)
                .filter(|b| b.turn == 0 && b.picture != a.picture)
                .collect();
            let to_own = own.iter().map(|b| dot(&a.vector, &b.vector));
            let to_own = to_own.fold(-1.0, f64::max);
            let each_other = own.iter().enumerate().flat_map(|(i, b)| {
                let later = own.get(i + 1..).unwrap_or_default();
                later.iter().map(|c| dot(&b.vector, &c.vector))
            });
            let Some(each_other) = each_other.reduce(f64::max) else {
                continue;
            };
            let kind = &self.faces[a.face].kind;
            let others = self.pictures.iter();
            let others = others.filter(|b| b.face != a.face && self.faces[b.face].kind == *kind);
            let likest = others
                .map(|b| (dot(&a.vector, &b.vector), b.face))
                .max_by(|x, y| x.0.total_cmp(&y.0));
            if let Some((like, other)) = likest
                && like > to_own + MISNAMED
                && each_other > to_own + MISNAMED
                && !self.are_alike(&own, other, each_other)
            {
                out.push(Misnamed {
                    file: self.files[a.picture].clone(),
                    kind: kind.clone(),
                    said: self.faces[a.face].face.clone(),
                    like: self.faces[other].face.clone(),
                });
            }
        }
        out
    }

    /// The least turn after which a face looks the same: its pictures in one turn against the others
    /// in another.
    fn symmetry(&self, face: usize) -> u16 {
        let of = |turn: usize| self.of(face).filter(move |e| e.turn == turn);
        let likeness = |turn: usize| {
            let (mut sum, mut n) = (0.0, 0);
            for a in of(0) {
                for b in of(turn) {
                    sum += dot(&a.vector, &b.vector);
                    n += 1;
                }
            }
            if n == 0 { -1.0 } else { sum / f64::from(n) }
        };
        if likeness(1) > SAME {
            90
        } else if likeness(2) > SAME {
            180
        } else {
            360
        }
    }

    /// Pairs of faces that are liker than `limit`, most alike first; `scale` turns likeness into log-chance.
    pub fn alike(&self, limit: f64, scale: f64) -> Vec<Alike> {
        let mut found: Vec<Alike> = Vec::new();
        for (b, y) in self.faces.iter().enumerate() {
            for (a, x) in self.faces[..b].iter().enumerate() {
                // the likest pictures, for each turn of the one
                let mut likest = [-1.0_f64; 4];
                for e in self.of(a).filter(|e| e.turn == 0) {
                    for other in self.of(b) {
                        // what their middles are less alike counts as much
                        let middles = e.middle.as_ref().zip(other.middle.as_ref());
                        let less = middles.map_or(0.0, |(a, b)| 1.0 - dot(a, b));
                        let like = dot(&e.vector, &other.vector) - less;
                        likest[other.turn] = likest[other.turn].max(like);
                    }
                }
                let turn = (0..4).max_by(|i, j| likest[*i].total_cmp(&likest[*j]));
                let turn = turn.unwrap_or(0);
                // what colour adds to the log-chance, in units of likeness
                let told = -self.palette.likeness(&x.kind, &y.kind).ln();
                let is_alike = |turn: usize| likest[turn] - told / scale > limit;
                if is_alike(turn) {
                    found.push(Alike {
                        faces: [x, y].map(|f| format!("{} {}", f.kind, f.face)),
                        numbers: [a, b],
                        likeness: likest[turn],
                        turned: (!is_alike(0)).then_some(turn),
                        quarters: (0..4).filter(|t| is_alike(*t)).collect(),
                    });
                }
            }
        }
        found.sort_by(|x, y| y.likeness.total_cmp(&x.likeness));
        found
    }
}

/// Side of the smallest enrolment picture that shows a symbol well enough.
const LEAST_PICTURE: u32 = 24;

/// Refuses an enrolment picture that shows no upright face: too small, or far from square.
pub(super) fn fits(path: &Path, picture: &Picture) -> Result<(), VisionError> {
    let (w, h) = (picture.width(), picture.height());
    let wrong = |why: String| VisionError::Enrolment {
        path: path.to_owned(),
        why,
    };
    if w.min(h) < LEAST_PICTURE {
        return Err(wrong(format!(
            "is {w}x{h}, too small for a face: it should be at least {LEAST_PICTURE} pixels wide and high"
        )));
    }
    if w.max(h) * 10 > w.min(h) * 13 {
        return Err(wrong(format!(
            "is {w}x{h}, but the picture of a face is square: cut it to the upright face with a margin of a fifth"
        )));
    }
    Ok(())
}

/// Where the face lies in an enrolment picture, which shows a margin round it.
pub(super) fn inner_face(width: u32, height: u32, margin: f64) -> Quad {
    let span = |n: u32| {
        let n = f64::from(n);
        (
            n * margin / (1.0 + 2.0 * margin) - 0.5,
            n * (1.0 + margin) / (1.0 + 2.0 * margin) - 0.5,
        )
    };
    let ((x0, x1), (y0, y1)) = (span(width), span(height));
    Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f64 {
    // eight sums at once: one after the other they would wait for each other
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = a.remainder().iter().zip(b.remainder());
    let rest: f32 = rest.map(|(x, y)| x * y).sum();
    let sums = a.zip(b).fold([0.0_f32; 8], |mut sums, (a, b)| {
        for (sum, (x, y)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += x * y;
        }
        sums
    });
    f64::from(sums.iter().sum::<f32>() + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(face: usize, picture: usize, vector: [f32; 3]) -> Shown {
        let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        Shown {
            face,
            picture,
            turn: 0,
            vector: vector.iter().map(|v| v / norm).collect(),
            middle: None,
        }
    }

    #[test]
    fn a_picture_of_another_face_is_said_to_be_one() {
        let known = |face: &str| Known {
            kind: "helm".into(),
            face: face.into(),
            near: 0.0,
            alike_after_deg: 360,
        };
        let gallery = |third: [f32; 3]| Gallery {
            faces: vec![known("F1"), known("F2")],
            pictures: vec![
                shown(0, 0, [1.0, 0.1, 0.0]),
                shown(0, 1, [1.0, 0.0, 0.1]),
                shown(0, 2, third),
                shown(1, 3, [0.5, 1.0, 0.0]),
                shown(1, 4, [0.5, 1.0, 0.1]),
            ],
            files: (0..5).map(|i| format!("{i}.png").into()).collect(),
            palette: Palette::default(),
            inks: Inks::default(),
        };
        assert_eq!(gallery([1.0, 0.2, 0.2]).misnamed(), []);
        let found = gallery([0.5, 1.0, 0.2]).misnamed();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, PathBuf::from("2.png"));
        assert_eq!([&found[0].said, &found[0].like], ["F1", "F2"]);
    }
}
