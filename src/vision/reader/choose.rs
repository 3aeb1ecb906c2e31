//! Holds what a die shows between its owner's pictures of two faces of a kind.
//!
//! How well a picture goes with what is seen says of two faces that are one but for a dot mostly how the light falls, which is the same beside either. Between both
//! pictures it shows where they differ.

use std::path::Path;

use crate::{
    geometry::Quad,
    vision::{
        VisionError,
        model::{Dim, Model},
    },
};

/// A face is held against the others that are likely, if by what was said before it is so likely, as a part of the likeliest.
const LIKELY: f64 = 0.01;
/// Two outlines are of one turn, and of one face, if their first corners are no farther apart than this part of a side: views of one face are not, and an outline about
/// another one is.
const SAME_TURN: f64 = 0.2;

/// A face that may be what is seen: its number, the outline in which it is upright, and how likely it is, in any measure.
pub(super) struct Candidate {
    pub face: usize,
    pub outline: Quad,
    pub evidence: f64,
}

/// Those of the candidates that are likely enough to be held against each other.
pub(super) fn likely(mut all: Vec<Candidate>) -> Vec<Candidate> {
    let most = all.iter().map(|c| c.evidence).fold(0.0, f64::max);
    all.retain(|c| c.evidence > 0.0 && c.evidence >= LIKELY * most);
    all
}

/// The candidates of each kind, in the order in which they are given; those of no kind are left out.
pub(super) fn by_kind<'a>(
    all: Vec<Candidate>,
    kind: impl Fn(usize) -> Option<&'a str>,
) -> Vec<Vec<Candidate>> {
    let mut kinds: Vec<(&str, Vec<Candidate>)> = Vec::new();
    for c in all {
        let Some(name) = kind(c.face) else { continue };
        match kinds.iter_mut().find(|(own, _)| *own == name) {
            Some((_, of_kind)) => of_kind.push(c),
            None => kinds.push((name, vec![c])),
        }
    }
    kinds.into_iter().map(|(_, of_kind)| of_kind).collect()
}

/// Whether both are upright in one turn: only such faces are alike.
pub(super) fn turned_alike(a: &Quad, b: &Quad) -> bool {
    let [first, second] = [a, b].map(|q| q.0[0]);
    (first - second).norm() <= SAME_TURN * a.side().min(b.side())
}

/// What each of several is, log-odds, where the jth of the ith row is how much more the ith is than the jth, and nothing where they were not held against each other: two
/// by themselves differ by what was said of them; another one that is as likely in another turn makes that less. (Did it not, 299 of 1,569 doubtful dice of twelve made
/// copies were sure by a fit on others of these, and not 335, two of either wrong, when faces of all kinds were held against each other: `models/train/sure.py`.)
pub(super) fn scores(said: &[Vec<Option<f64>>]) -> Vec<f64> {
    let score = |of: &Vec<Option<f64>>| of.iter().flatten().sum::<f64>() / of.len().max(1) as f64;
    said.iter().map(score).collect()
}

/// The net.
pub(super) struct Chooser {
    model: Model,
    /// What the logarithms of vectors, of pictures and of a choice count among the faces that were held against each other.
    pub weights: [f64; 3],
    /// As `Reader::sure`, of a face that was chosen.
    pub sure: [f64; 3],
}

impl Chooser {
    /// Of faces as the comparer's are: what its file says of them, by key.
    ///
    /// # Errors
    /// A model that is missing, is none, is not of this format, or takes other faces.
    pub fn load(
        models: &Path,
        faces: [(&str, f64); 4],
        threads: usize,
    ) -> Result<Self, VisionError> {
        let dims = [Dim::Free, Dim::Is(9), Dim::Any, Dim::Any];
        let path = models.join("print-chooser.onnx");
        let model = Model::load(&path, "print-chooser", 1, dims, 1, threads)?;
        let info = &model.info;
        for (key, of_comparer) in faces {
            let own: f64 = info.get(key)?;
            if own != of_comparer {
                return Err(info.wrong(format!(
                    "its metadata sightline.{key} is {own}, that of print-comparer.onnx is {of_comparer}"
                )));
            }
        }
        let weight = |key: &str| info.within(key, 0.0, 10.0);
        Ok(Self {
            weights: [
                weight("weight_vectors")?,
                weight("weight_pictures")?,
                weight("weight_choice")?,
            ],
            sure: info.sure()?,
            model,
        })
    }

    /// Log-odds that what is seen shows the first face and not the second, whose pictures these are: planes, as the comparer has them.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn choose(
        &mut self,
        seen: &[f32],
        size: usize,
        [first, second]: [&[Vec<f32>]; 2],
    ) -> Result<f64, VisionError> {
        let n = first.len().max(second.len());
        if first.is_empty() || second.is_empty() {
            return Ok(0.0);
        }
        let mut data = Vec::with_capacity(3 * n * seen.len());
        let pairs = first.iter().cycle().zip(second.iter().cycle());
        for (a, b) in pairs.take(n) {
            data.extend_from_slice(seen);
            data.extend_from_slice(a);
            data.extend_from_slice(b);
        }
        let odds = self.model.run([n, 9, size, size], &data, &[n])?;
        Ok(odds.into_iter().map(f64::from).sum::<f64>() / n as f64)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn square(turn: usize) -> Quad {
        Quad::from_pairs([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]).turned(turn)
    }

    #[test]
    fn what_is_a_hundredth_as_likely_is_held_against_nothing() {
        let of = |face, evidence| Candidate {
            face,
            outline: square(0),
            evidence,
        };
        let all = vec![
            of(3, 2.0),
            of(1, 0.5),
            of(4, 0.021),
            of(0, 0.019),
            of(2, 0.0),
        ];
        let faces: Vec<usize> = likely(all).iter().map(|c| c.face).collect();
        assert_eq!(faces, [3, 1, 4]);
        assert!(likely(vec![of(0, 0.0)]).is_empty());
    }

    #[test]
    fn candidates_are_held_against_those_of_their_kind() {
        let of = |face| Candidate {
            face,
            outline: square(0),
            evidence: 1.0,
        };
        let kind = |face: usize| ["helm", "energy", "helm", "energy"].get(face).copied();
        let kinds = by_kind([3, 0, 4, 1, 2].map(of).into(), kind);
        let faces = |of_kind: &Vec<Candidate>| of_kind.iter().map(|c| c.face).collect();
        let faces: Vec<Vec<usize>> = kinds.iter().map(faces).collect();
        assert_eq!(faces, [[3, 1], [0, 2]]);
    }

    #[test]
    fn only_outlines_of_one_face_in_one_turn_are_alike() {
        let alike = |other: &Quad| {
            let both = [
                turned_alike(&square(0), other),
                turned_alike(other, &square(0)),
            ];
            assert_eq!(both[0], both[1]);
            both[0]
        };
        assert!((1..4).all(|turn| !alike(&square(turn))));
        // views are moved and scaled by less; the frame about a print is a third larger
        assert!(alike(&square(0).scaled(1.2)) && !alike(&square(0).scaled(1.35)));
    }

    #[test]
    fn scores_differ_by_what_is_said_of_two() {
        let said = [[0.0, 2.0, 5.0], [-2.0, 0.0, 3.0], [-5.0, -3.0, 0.0]];
        let rows = |of: &dyn Fn(usize, usize) -> Option<f64>, n: usize| -> Vec<Vec<Option<f64>>> {
            (0..n).map(|i| (0..n).map(|j| of(i, j)).collect()).collect()
        };
        let all = scores(&rows(&|i, j| (i != j).then(|| said[i][j]), 3));
        assert!((all[0] - all[1] - 2.0).abs() < 1e-9 && (all[1] - all[2] - 3.0).abs() < 1e-9);
        assert!(all.iter().sum::<f64>().abs() < 1e-9);
        // a third that is held against neither leaves two thirds of it
        let of_two = |i: usize, j: usize| (i != j && i < 2 && j < 2).then(|| said[i][j]);
        let [a, b, third]: [f64; 3] = scores(&rows(&of_two, 3)).try_into().unwrap();
        assert!((a - b - 4.0 / 3.0).abs() < 1e-9 && third == 0.0);
        assert_eq!(scores(&rows(&of_two, 2)), [1.0, -1.0]);
        assert_eq!(scores(&rows(&|_, _| None, 1)), [0.0]);
    }
}
