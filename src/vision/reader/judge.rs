//! What the looks at a die say that it shows, and how sure that is.

use super::{
    Reader,
    compare::{Evidence, Said},
};
use crate::{
    copy::{Shape, Status},
    geometry::Quad,
    vision::{
        Next, Reading,
        colour::{OWN, Own},
        detector::Detection,
        gallery::dot,
    },
};

/// A face is `sure` when the chance that it is right is at least this.
pub(super) const SURE: f64 = 0.99;
/// So many faces are told of after the two likeliest. Set by judgement.
const OTHERS: usize = 12;

/// What is left at least of a face's chance where its middle is like another's: glare or wear in one place must not outweigh the whole.
const DOUBTED: f64 = 0.03;

/// Likeness of a face that is well seen: what `sure_likeness` counts from.
pub(super) const AT_BEST: f64 = 0.9;

/// What one look at a die gave: the vectors of what may be its face, in each of the ways in which it may be.
pub(super) struct Look(pub Vec<Print>);

/// What a die's vectors come to, and what pictures beside it say.
pub(super) struct Judged {
    pub reading: Reading,
    /// Chance that its kind is right.
    pub of_kind: f64,
    /// Its turn, in quarters, and the outline that it was likest in.
    pub turn: usize,
    pub outline: Option<Quad>,
}

impl From<Reading> for Judged {
    fn from(reading: Reading) -> Self {
        Self {
            reading,
            of_kind: 0.0,
            turn: 0,
            outline: None,
        }
    }
}

/// A face's vector, were this its outline or near it.
pub(super) struct Print {
    pub outline: Quad,
    pub vector: Vec<f32>,
    /// Of the face's middle, where the reader looks closer.
    pub middle: Option<Vec<f32>>,
}

/// Doubts a reading of a die that is one of the copy's by its colour with the chance `own` only, were its print no witness; its kind is right with
/// the chance `kind` but for that. What has the print of one kind in another one's colour may be another game's.
pub(super) fn doubt_colour(reading: &mut Reading, kind: f64, own: &Own) {
    let as_read = reading
        .kind
        .as_deref()
        .map_or_else(|| own.of_any(), |k| own.of(k));
    reading.confidence *= as_read;
    reading.kind_sure &= kind * as_read >= SURE;
    if own.of_any() < OWN {
        reading.status = Status::Unknown;
    } else if reading.status == Status::Sure && reading.confidence < SURE {
        reading.status = Status::Unsure;
    }
}

/// Chance that a face is right that has this share of all evidence and this likeness; what its log-odds and its likeness (less [`AT_BEST`]) count, and besides.
pub(super) fn chance([by_odds, by_likeness, bias]: [f64; 3], share: f64, likeness: f64) -> f64 {
    let share = share.clamp(1e-12, 1.0 - 1e-12);
    let odds = by_odds * (share / (1.0 - share)).ln() + by_likeness * (likeness - AT_BEST) + bias;
    1.0 / (1.0 + (-odds).exp())
}

impl Reader {
    /// Chance that a die is there, from two witnesses: a logistic regression on pictures that the
    /// models were not trained on (`models/train/fit.py`).
    pub(super) fn there(&self, score: f64, likeness: f64) -> f64 {
        let [by_score, by_likeness, bias] = self.there;
        let score = score.clamp(1e-6, 1.0 - 1e-6);
        let odds = by_score * (score / (1.0 - score)).ln() + by_likeness * likeness + bias;
        1.0 / (1.0 + (-odds).exp())
    }

    /// The same were its print a face's own.
    pub(in crate::vision) fn there_at_most(&self, score: f64) -> f64 {
        self.there(score, 1.0)
    }

    /// Chance that the likeliest face is right: a logistic regression on made copies that trained nothing
    /// (`models/train/sure.py`): of what the sum of evidence calls 90 to 99 % sure, more than 99 % is right there.
    fn right(&self, shape: Shape, share: f64, likeness: f64, sure: Option<[f64; 3]>) -> f64 {
        let by_vectors = || {
            let [by_odds, by_likeness, all] = self.sure;
            let bias = self.biases.get(&shape).unwrap_or(&all);
            [by_odds, by_likeness, *bias]
        };
        chance(sure.unwrap_or_else(by_vectors), share, likeness)
    }

    /// The best face for one die's vectors, one a view, its turn, and the outline it was likest in.
    ///
    /// Which view is right is not known: a face's chance is summed over the views (all equally likely
    /// beforehand), with exp(scale · likeness) as the evidence, times the face's weight: how well the die's
    /// colour goes with its kind. What is no enrolled face competes with the likeness it was trained at. Where the reader looks closer,
    /// the faces' middles are a second witness.
    pub(super) fn judge(&self, d: &Detection, looks: &[Look], weights: &[f64]) -> Judged {
        let evidence = self.evidence(d, looks, weights);
        self.told(d, evidence.as_ref(), None)
    }

    /// The same where pictures of some faces were held beside it, with what they say. What its vectors are sure of they may doubt, and of the rest
    /// they may make sure.
    pub(super) fn judge_beside(
        &self,
        d: &Detection,
        looks: &[Look],
        weights: &[f64],
        said: &Said,
    ) -> Judged {
        let evidence = self.evidence(d, looks, weights);
        let mut told = self.told(d, evidence.as_ref(), None);
        let beside = self.comparer.as_ref().zip(evidence.as_ref());
        let (Some((comparer, evidence)), Some((_, likeliest))) = (beside, said.odds.first()) else {
            return told;
        };
        if told.reading.status != Status::Sure {
            let both = evidence.beside(said, comparer.weights);
            let chosen = both.shared(evidence, said, comparer.chooser.weights);
            let [before, likeliest] = [&both, &chosen].map(|e| e.order().into_iter().next());
            // another one by the choice is no better: of the dice of twelve made copies that this made another face about as many were right before (`models/train/sure.py`)
            if before != likeliest {
                let mut told = self.told(d, Some(&both), Some([comparer.sure; 2]));
                if told.reading.status == Status::Sure {
                    told.reading.status = Status::Unsure;
                }
                return told;
            }
            // a kind is as sure as vectors and pictures are of it: its faces have no more together for a choice
            let is_chosen = likeliest.is_some_and(|face| said.is_chosen(face));
            let of_face = if is_chosen {
                comparer.chooser.sure
            } else {
                comparer.sure
            };
            return self.told(d, Some(&chosen), Some([of_face, comparer.sure]));
        }
        let still = comparer.still(*likeliest);
        if still < SURE {
            told.reading.confidence = told.reading.confidence.min(still);
            // no other face was asked about: it is not the next one either
            told.reading.next = None;
            told.reading.doubt();
        }
        told
    }

    /// What the looks at a die say of each face; nothing of one whose shape the copy has no dice of.
    pub(super) fn evidence(
        &self,
        d: &Detection,
        looks: &[Look],
        weights: &[f64],
    ) -> Option<Evidence> {
        let gallery = self.galleries.get(&d.shape)?;
        let faces = gallery.faces.len();
        let (mut evidence, mut closer) = (vec![0.0; faces], vec![0.0; faces]);
        let mut best = vec![(f64::MIN, 0_usize, None); faces];
        // likeness is at most 1, so this cannot overflow
        let chance = |likeness: f64| (self.scale * (likeness - 1.0)).exp();
        for look in looks {
            let (mut here, mut middles) = (vec![f64::MIN; faces], vec![f64::MIN; faces]);
            for (turn, print) in look.0.iter().enumerate() {
                for e in &gallery.pictures {
                    let likeness = dot(&print.vector, &e.vector);
                    here[e.face] = likeness.max(here[e.face]);
                    if likeness > best[e.face].0 {
                        best[e.face] = (likeness, turn + e.turn, Some(print.outline));
                    }
                    if let (Some(a), Some(b)) = (&print.middle, &e.middle) {
                        middles[e.face] = dot(a, b).max(middles[e.face]);
                    }
                }
            }
            for (sum, likeness) in evidence.iter_mut().zip(here) {
                *sum += chance(likeness);
            }
            for (sum, likeness) in closer.iter_mut().zip(middles) {
                *sum += chance(likeness);
            }
        }
        let mut none = looks.len() as f64 * chance(self.none);
        if self.closer.is_some() {
            // two witnesses, each of whom is asked about every face and about none
            none *= none;
            let least = DOUBTED * closer.iter().copied().fold(0.0, f64::max);
            for (sum, closer) in evidence.iter_mut().zip(closer) {
                *sum *= closer.max(least);
            }
        }
        for (sum, weight) in evidence.iter_mut().zip(weights) {
            *sum *= weight;
        }
        Some(Evidence {
            faces: evidence,
            none,
            colour: weights.to_vec(),
            best,
        })
    }

    /// What is told of a die; where pictures were held beside it, how sure its face is then and how sure its kind, as `sure`.
    fn told(
        &self,
        d: &Detection,
        evidence: Option<&Evidence>,
        compared: Option<[[f64; 3]; 2]>,
    ) -> Judged {
        let nothing = Reading {
            kind: None,
            face: None,
            status: Status::Unknown,
            confidence: 0.0,
            kind_sure: false,
            likeness: -1.0,
            next: None,
            others: Vec::new(),
            alike_after_deg: 360,
        };
        let gallery = self.galleries.get(&d.shape);
        // the copy may have no such dice
        let Some((all, gallery)) = evidence.zip(gallery) else {
            return Judged::from(nothing);
        };
        let (evidence, best, order) = (&all.faces, &all.best, all.order());
        let Some(&first) = order.first() else {
            return Judged::from(nothing);
        };
        let others = order.iter().skip(1).map(|i| evidence[*i]).sum::<f64>() + all.none;
        let total = evidence[first] + others;
        let top = best[first].0;
        let share = evidence[first] / total;
        let [of_face, of_kind] = [0, 1].map(|i| compared.map(|sure| sure[i]));
        let confidence = self.right(d.shape, share, top, of_face) * d.shaped;
        let status = if top < gallery.faces[first].near {
            Status::Unknown
        } else if confidence >= SURE {
            Status::Sure
        } else {
            Status::Unsure
        };
        let face = |i: usize| &gallery.faces[i];
        let kind = &face(first).kind;
        // what is left is the others', as they share it
        let rest = (1.0 - confidence) / others.max(1e-300);
        let after = |i: &usize| Next {
            kind: face(*i).kind.clone(),
            face: face(*i).face.clone(),
            confidence: rest * evidence[*i],
        };
        let all_of_kind = order.iter().filter(|i| face(**i).kind == *kind);
        let share_of_kind = all_of_kind.map(|i| evidence[*i]).sum::<f64>() / total;
        // as much as is asked of a face: a print that is like none tells no kind either; and what is sure of a face is of its kind
        let of_kind = self.right(d.shape, share_of_kind, top, of_kind) * d.shaped;
        let of_kind = of_kind.max(confidence);
        let reading = Reading {
            kind: Some(kind.clone()),
            face: Some(face(first).face.clone()),
            status,
            confidence,
            kind_sure: status != Status::Unknown && of_kind >= SURE,
            // that a die is there, a face says that is likelier by the whole than by its middle
            likeness: match self.closer {
                Some(_) => best.iter().map(|b| b.0).fold(top, f64::max),
                None => top,
            },
            next: order.get(1).map(after),
            others: match status {
                // nothing else is asked of what is sure
                Status::Sure => Vec::new(),
                _ => order.iter().skip(2).take(OTHERS).map(after).collect(),
            },
            alike_after_deg: face(first).alike_after_deg,
        };
        Judged {
            reading,
            of_kind,
            turn: best[first].1,
            outline: best[first].2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        copy::{load, shipped},
        vision::{
            colour::{Light, Palette},
            gallery::inner_face,
            models_folder,
        },
    };

    #[test]
    fn what_is_between_two_faces_of_a_kind_is_surely_of_that_kind_and_between_two_kinds_of_none() {
        let copy = load(&shipped("practice")).unwrap();
        let mut reader = Reader::among(&models_folder(), copy.prints, 1).unwrap();
        reader.enrol(&copy).unwrap();
        let gallery = &reader.galleries[&Shape::D6];
        let between = |a: &[f32], b: &[f32]| -> Vec<f32> {
            let sum: Vec<f32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
            let norm = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
            sum.iter().map(|v| v / norm).collect()
        };
        let read = |a: [&str; 2], b: [&str; 2]| {
            let [a, b] = [a, b].map(|[kind, face]| {
                let is = |f: &crate::vision::gallery::Known| f.kind == kind && f.face == face;
                let mut pictures = gallery.pictures.iter();
                pictures.find(|p| is(&gallery.faces[p.face])).unwrap()
            });
            let outline = inner_face(96, 96, 0.2);
            let middle = a.middle.as_ref().zip(b.middle.as_ref());
            let look = Look(vec![Print {
                outline,
                vector: between(&a.vector, &b.vector),
                middle: middle.map(|(a, b)| between(a, b)),
            }]);
            let die = Detection::cube(0.9, outline.centre(), outline);
            let weights = vec![1.0; gallery.faces.len()];
            reader.judge(&die, &[look], &weights).reading
        };
        let plain = read(["shield", "S1"], ["shield", "S1"]);
        assert!(plain.status == Status::Sure && plain.kind_sure, "{plain:?}");
        let of_one = read(["shield", "S1"], ["shield", "S2"]);
        assert_ne!(of_one.status, Status::Sure, "{of_one:?}");
        assert!(of_one.kind_sure, "{of_one:?}");
        let of_two = read(["shield", "S1"], ["sensor", "L1"]);
        assert!(
            of_two.status != Status::Sure && !of_two.kind_sure,
            "{of_two:?}"
        );
    }

    #[test]
    fn a_colour_that_is_another_game_s_outweighs_a_print() {
        let white = [0.02, -0.05, 5.4];
        let seen = [("energy", white), ("helm", [1.2, 0.0, 4.0])];
        let palette = Palette::new(&seen.map(|(kind, colour)| (kind.to_owned(), colour)));
        let of = |status, colour| {
            let mut reading = Reading {
                kind: Some("energy".to_owned()),
                face: Some("2".to_owned()),
                status,
                confidence: 0.997,
                kind_sure: true,
                likeness: 0.95,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            };
            let own = palette.own(colour, &Light::default());
            doubt_colour(&mut reading, 0.992, &own);
            let sure = reading.confidence >= SURE;
            assert_eq!(reading.kind_sure, sure, "{own:?}");
            (reading.status, sure)
        };
        // three and a half times as far from white as that scatters
        let off = [white[0] - 3.5 * 0.18, white[1], white[2]];
        assert_eq!(of(Status::Sure, white), (Status::Sure, true));
        assert_eq!(of(Status::Sure, off), (Status::Unsure, false));
        assert_eq!(of(Status::Unsure, off), (Status::Unsure, false));
        // an energy die's print in the colour of helm dice is not surely the copy's, and in that of none it is none of them
        assert_eq!(of(Status::Sure, [1.2, 0.0, 4.0]), (Status::Unsure, false));
        for status in [Status::Sure, Status::Unsure, Status::Unknown] {
            assert_eq!(of(status, [-1.0, -0.9, 4.6]), (Status::Unknown, false));
        }
        assert_eq!(of(Status::Unknown, white).0, Status::Unknown);
    }
}
