//! Holds what a die shows beside its owner's pictures of the faces that it may be.
//!
//! A vector says of a face what sets it apart from any other; of faces that are one icon with another little number, it says less than light and a
//! shifted outline change. Seen beside each other they are told apart where a person tells them apart.

use std::path::{Path, PathBuf};

use opencv::core::Mat;

use super::judge::{SURE, chance};
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

    /// The same with what faces held beside it say, log-odds each; `weights`: what the logarithms of both count, where colour counts whole.
    pub fn beside(&self, odds: &[(usize, f64)], weights: [f64; 2]) -> Self {
        let [by_vectors, by_pictures] = weights;
        // what was not asked about is as little like it as the least of those that were
        let least = odds.iter().map(|(_, o)| *o).fold(0.0, f64::min);
        let of = |i: usize| {
            odds.iter()
                .find(|(f, _)| *f == i)
                .map_or(least, |(_, o)| *o)
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
        let weight = |key: &str| info.within(key, 0.0, 10.0);
        Ok(Self {
            size,
            margin: info.within("margin", 0.0, 1.0)?,
            mean: info.within("mean", 0.0, 255.0)? as f32,
            std: info.within("std", 1.0, 255.0)? as f32,
            weights: [weight("weight_vectors")?, weight("weight_pictures")?],
            sure: [
                info.within("sure_odds", 0.1, 10.0)?,
                info.within("sure_likeness", -100.0, 100.0)?,
                info.within("sure_bias", -100.0, 100.0)?,
            ],
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
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        copy::{Prints, Shape, Status, load, shipped},
        vision::{
            detector::Detection,
            models_folder,
            reader::{Look, Print, Reader},
        },
    };

    fn square(at: f64) -> Quad {
        Quad::from_pairs([[at, 0.0], [at + 9.0, 0.0], [at + 9.0, 9.0], [at, 9.0]])
    }

    fn evidence(faces: &[f64], none: f64) -> Evidence {
        Evidence {
            faces: faces.to_vec(),
            none,
            colour: vec![1.0; faces.len()],
            best: (0..faces.len())
                .map(|i| (0.8, i % 4, Some(square(10.0 * i as f64))))
                .collect(),
        }
    }

    #[test]
    fn only_likely_faces_are_held_beside_a_die_each_upright() {
        let seen = evidence(&[0.2, 1e-9, 1.0, 0.0, 0.5, 0.4, 0.3], 0.1);
        let likely = seen.likely();
        let faces: Vec<usize> = likely.iter().map(|(f, _)| *f).collect();
        assert_eq!(faces, [2, 4, 5, 6], "no more than {FACES}");
        // the third was likest two quarters on: the corner that was its own first comes first again
        assert_eq!(likely[0].1, square(20.0).turned(2));
        assert_eq!(likely[1].1, square(40.0));
        assert_eq!(likely[2].1, square(50.0).turned(3));
        let one = evidence(&[1.0, 0.0005], 0.0).likely();
        assert_eq!(one.len(), 1, "a thousandth as likely");
        assert_eq!(evidence(&[0.0, 0.0], 1.0).likely(), []);
    }

    #[test]
    fn pictures_and_vectors_count_what_they_weigh_and_none_is_among_them() {
        let seen = evidence(&[1.0, 0.8, 0.01], 0.1);
        let both = seen.beside(&[(0, -2.0), (1, 3.0)], [1.0, 1.0]);
        assert_eq!(both.order(), [1, 0, 2]);
        let ratio = both.faces[1] / both.faces[0];
        assert!((ratio - 0.8 * 5.0_f64.exp()).abs() < 1e-6, "{ratio}");
        // none is asked about with no odds at all, and what was not asked about is as unlike as the least
        assert!((both.none / both.faces[1] - 0.1 / 0.8 * (-3.0_f64).exp()).abs() < 1e-9);
        assert!((both.faces[2] / both.faces[0] - 0.01).abs() < 1e-9);
        assert_eq!(both.best, seen.best);
        let vectors = seen.beside(&[(0, -2.0), (1, 3.0)], [1.0, 0.0]);
        assert_eq!(vectors.order(), seen.order());
        // of what is as likely by half as much colour, the vectors said twice as much: that counts half, the colour whole
        let mut coloured = evidence(&[1.0, 1.0], 0.1);
        coloured.colour[1] = 0.5;
        let half = coloured.beside(&[(0, 0.0), (1, 0.0)], [0.5, 1.0]).faces;
        assert!(
            (half[1] / half[0] - 0.5 * 2.0_f64.sqrt()).abs() < 1e-9,
            "{half:?}"
        );
    }

    #[test]
    fn a_face_is_turned_as_its_corners_are() {
        let planes: Vec<f32> = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]].concat();
        // rows of two: what was the upper right comes to the upper left
        let once: Vec<f32> = [[2.0, 4.0, 1.0, 3.0], [6.0, 8.0, 5.0, 7.0]].concat();
        assert_eq!(turned(&planes, 2, 1), once);
        assert_eq!(turned(&planes, 2, 4), planes);
        assert_eq!(turned(&once, 2, 3), planes);
    }

    /// The practice set's faces, known by all of their pictures but the first, which is what is seen.
    fn practice() -> (Reader, Vec<(String, PathBuf)>) {
        let copy = load(&shipped("practice")).unwrap();
        let mut reader = Reader::among(&models_folder(), Prints::Any, 1).unwrap();
        reader.enrol(&copy).unwrap();
        let faces: Vec<(String, Vec<PathBuf>)> = copy
            .dice
            .iter()
            .filter(|d| d.shape == Shape::D6)
            .flat_map(|d| d.faces.iter().map(|f| (d.kind.clone(), f.pictures.clone())))
            .collect();
        let rest: Vec<Vec<PathBuf>> = faces.iter().map(|(_, all)| all[1..].to_vec()).collect();
        let comparer = reader.comparer.as_mut().unwrap();
        comparer.enrol(&rest, reader.margin).unwrap();
        let firsts = faces.into_iter().map(|(kind, all)| (kind, all[0].clone()));
        (reader, firsts.collect())
    }

    /// The number of a face of the practice set's helm dice.
    fn helm(reader: &Reader, face: &str) -> usize {
        let faces = reader.faces(Shape::D6).iter();
        let mut of_helm = faces.enumerate().filter(|(_, f)| f.kind == "helm");
        of_helm.find(|(_, f)| f.face == face).unwrap().0
    }

    #[test]
    fn a_face_is_likest_its_own_pictures() {
        let (mut reader, faces) = practice();
        let margin = reader.margin;
        let comparer = reader.comparer.as_mut().unwrap();
        for (i, (kind, path)) in faces.iter().enumerate() {
            let (picture, _) = still::load(path).unwrap();
            let mat = crop::mat(&picture).unwrap();
            let seen = inner_face(picture.width(), picture.height(), margin).scaled(1.02);
            let of_kind = (0..faces.len()).filter(|j| faces[*j].0 == *kind);
            let asked = of_kind.map(|j| (j, seen)).collect();
            // another die's answer is its own
            let odds = comparer.odds(&mat, &[Vec::new(), asked]).unwrap();
            assert_eq!(odds[0], []);
            let own = odds[1].iter().find(|(j, _)| *j == i).unwrap().1;
            let others = odds[1].iter().filter(|(j, _)| *j != i);
            let most = others.map(|(_, o)| *o).fold(f64::MIN, f64::max);
            assert!(
                own > 0.0 && own > most + 2.0,
                "{path:?}: {own}, others {most}"
            );
            if kind == "helm" {
                let turned = vec![vec![(i, seen.turned(1))]];
                let turned = comparer.odds(&mat, &turned).unwrap()[0][0].1;
                assert!(turned < own - 2.0, "{path:?}: {own}, turned {turned}");
            }
        }
        let nobody = vec![vec![(faces.len(), square(0.0))]];
        let (picture, _) = still::load(&faces[0].1).unwrap();
        let mat = crop::mat(&picture).unwrap();
        assert_eq!(comparer.odds(&mat, &nobody).unwrap(), [[]]);
    }

    #[test]
    fn what_vectors_leave_between_two_faces_its_picture_tells_however_it_is_turned() {
        let (mut reader, faces) = practice();
        let [right, wrong] = ["F1", "F2"].map(|face| helm(&reader, face));
        let gallery = &reader.galleries[&Shape::D6];
        // both faces, as if each were seen in full
        let prints = |turn: usize, outline: Quad| -> Vec<Print> {
            let of = |face: usize| {
                let mut all = gallery.pictures.iter();
                let shown = all.find(|p| p.face == face && p.turn == turn).unwrap();
                Print {
                    outline,
                    vector: shown.vector.clone(),
                    middle: shown.middle.clone(),
                }
            };
            [right, wrong].map(of).into()
        };
        let (picture, _) = still::load(&faces[right].1).unwrap();
        let mat = crop::mat(&picture).unwrap();
        let upright = inner_face(picture.width(), picture.height(), reader.margin);
        let weights = [vec![1.0; faces.len()]];
        let looks = [0, 1, 2, 3].map(|turn| Look(prints(turn, upright.turned(turn))));
        for (turn, look) in looks.into_iter().enumerate() {
            let outline = upright.turned(turn);
            let die = Detection::cube(0.9, outline.centre(), outline);
            let looks = [vec![look]];
            let judged = reader.judge(&die, &looks[0], &weights[0]).reading;
            assert_eq!(judged.status, Status::Unsure, "{turn}: {judged:?}");
            let dice = [die];
            let ask = |reader: &mut Reader, unlikely: bool| {
                let known = (&[None][..], &[unlikely][..]);
                let beside = reader.beside(&mat, &dice, &looks, &weights, known);
                beside.unwrap().remove(0)
            };
            assert_eq!(ask(&mut reader, true), [], "no die, for all that is seen");
            let odds = ask(&mut reader, false);
            let told = reader.judge_beside(&dice[0], &looks[0], &weights[0], &odds);
            assert_eq!(told.reading.face.as_deref(), Some("F1"), "{turn}");
            assert_eq!(
                told.reading.status,
                Status::Sure,
                "{turn}: {:?}",
                told.reading
            );
            assert_eq!(told.turn % 4, turn);
            // and what is like none of them stays so, whatever its picture says
            let gallery = reader.galleries.get_mut(&Shape::D6).unwrap();
            let near = std::mem::replace(&mut gallery.faces[right].near, 1.1);
            let told = reader.judge_beside(&dice[0], &looks[0], &weights[0], &odds);
            assert_eq!(told.reading.status, Status::Unknown);
            reader.galleries.get_mut(&Shape::D6).unwrap().faces[right].near = near;
        }
    }

    #[test]
    fn what_vectors_are_sure_of_stays_so_where_its_picture_agrees() {
        let (mut reader, faces) = practice();
        let [own, another] = ["F1", "F2"].map(|face| helm(&reader, face));
        let gallery = &reader.galleries[&Shape::D6];
        let mut all = gallery.pictures.iter();
        let shown = all.find(|p| p.face == own && p.turn == 0).unwrap();
        let (vector, middle) = (shown.vector.clone(), shown.middle.clone());
        let weights = [vec![1.0; faces.len()]];
        let mut read = |seen: usize| {
            let (picture, _) = still::load(&faces[seen].1).unwrap();
            let mat = crop::mat(&picture).unwrap();
            let outline = inner_face(picture.width(), picture.height(), reader.margin);
            let looks = [vec![Look(vec![Print {
                outline,
                vector: vector.clone(),
                middle: middle.clone(),
            }])]];
            let dice = [Detection::cube(0.9, outline.centre(), outline)];
            let judged = reader.judge(&dice[0], &looks[0], &weights[0]).reading;
            assert_eq!(judged.status, Status::Sure, "{judged:?}");
            let known = (&[None][..], &[false][..]);
            let odds = reader.beside(&mat, &dice, &looks, &weights, known);
            let odds = odds.unwrap().remove(0);
            let asked: Vec<usize> = odds.iter().map(|(face, _)| *face).collect();
            assert_eq!(asked, [own], "of what is sure nothing else is asked");
            reader
                .judge_beside(&dice[0], &looks[0], &weights[0], &odds)
                .reading
        };
        let agreed = read(own);
        assert!(agreed.status == Status::Sure && agreed.kind_sure);
        let doubted = read(another);
        assert_eq!(doubted.face, agreed.face);
        assert!(doubted.status == Status::Unsure && !doubted.kind_sure);
        assert!(doubted.confidence < SURE, "{}", doubted.confidence);
        assert!(agreed.next.is_some() && doubted.next.is_none());
    }

    #[test]
    fn faces_that_differ_are_apart_and_one_is_not_from_itself() {
        let (mut reader, faces) = practice();
        let helm = faces.iter().position(|(kind, _)| kind == "helm").unwrap();
        let comparer = reader.comparer.as_mut().unwrap();
        let mut apart = |faces, quarters: &[usize]| comparer.are_apart(faces, quarters).unwrap();
        assert!(apart([helm, helm + 1], &[0]));
        assert!(!apart([helm, helm], &[0]));
        assert!(
            !apart([helm, faces.len()], &[0]),
            "of no picture nothing is known"
        );
        // another face that is the same turned: three quarters on it is the first again
        let size = comparer.size;
        let same: Vec<Vec<f32>> = comparer.own[helm]
            .iter()
            .map(|p| turned(p, size, 1))
            .collect();
        comparer.own.push(same);
        let last = comparer.own.len() - 1;
        let mut apart = |quarters: &[usize]| comparer.are_apart([helm, last], quarters).unwrap();
        assert!(apart(&[0]));
        assert!(!apart(&[3]));
        assert!(!apart(&[0, 3]));
    }
}
