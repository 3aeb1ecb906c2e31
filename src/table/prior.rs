//! What would make sense: it ranks what is unsure, and never overrides what is sure.

use std::collections::BTreeMap;

use super::Table;
use crate::{
    copy::Status,
    vision::{Next, Reading},
};

/// How often a die lies where its face makes no sense, for each time that it lies where it does: a face that makes sense is believed in if it is
/// at least so likely by its print, as a part of the likeliest. One in fifty, by judgement.
const ASTRAY: f64 = 0.02;

/// For dice by number, the kinds and faces that would make sense where each lies, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prior {
    pub faces: BTreeMap<u64, Vec<(String, String)>>,
}

impl Prior {
    /// Puts readings that are unsure and make no sense behind those that do. They stay unsure, and nothing is
    /// read that was not seen.
    pub fn rank(&self, table: &mut Table) {
        for die in &mut table.dice {
            let Some(sense) = self.faces.get(&die.id) else {
                continue;
            };
            let reading = &mut die.reading;
            if reading.status != Status::Unsure {
                continue;
            }
            let (Some(kind), Some(face)) = (&reading.kind, &reading.face) else {
                continue;
            };
            // a kind that is sure by itself is not bent either
            let is_open = |n: &&Next| !reading.kind_sure || n.kind == *kind;
            let sensible = |k: &String, f: &String| sense.iter().any(|(a, b)| (a, b) == (k, f));
            if sensible(kind, face) {
                continue;
            }
            let least = ASTRAY * reading.confidence;
            let makes_sense = |n: &&Next| sensible(&n.kind, &n.face) && n.confidence >= least;
            let next = reading.next.iter().find(makes_sense);
            if let Some(next) = next.filter(is_open).cloned() {
                let second = Next {
                    kind: kind.clone(),
                    face: face.clone(),
                    confidence: reading.confidence,
                };
                take(reading, next, Some(second));
                continue;
            }
            let mut others = reading.others.iter().filter(is_open);
            if let Some(other) = others.find(makes_sense).cloned() {
                // it is one of several, and of none of these two: nothing follows from it
                take(reading, other, None);
            }
        }
    }
}

/// Takes another face for the best, and what came before it for the next.
fn take(reading: &mut Reading, best: Next, next: Option<Next>) {
    reading.confidence = best.confidence;
    (reading.kind, reading.face) = (Some(best.kind), Some(best.face));
    reading.next = next;
    reading.others.clear();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{copy::Shape, geometry::Quad, table::snapshot, vision::Reading, vision::Sighting};

    fn read(face: &str, next: &str, status: Status) -> Table {
        let sighting = Sighting {
            shape: Shape::D6,
            score: 1.0,
            there: 1.0,
            polygon: Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
            error: 0.1,
            reading: Reading {
                kind: Some("sensor".into()),
                face: Some(face.into()),
                status,
                confidence: 0.55,
                kind_sure: true,
                likeness: 0.8,
                next: Some(Next {
                    kind: "sensor".into(),
                    face: next.into(),
                    confidence: 0.4,
                }),
                others: Vec::new(),
                alike_after_deg: 360,
            },
        };
        snapshot(&[sighting], &[], &[])
    }

    #[test]
    fn what_is_unsure_is_ranked_and_what_is_sure_is_not() {
        let lock = |face: &str| ("sensor".to_owned(), face.to_owned());
        let prior = Prior {
            faces: [(1, vec![lock("L1"), lock("L2")])].into(),
        };
        let best = |mut table: Table| {
            prior.rank(&mut table);
            let reading = table.dice[0].reading.clone();
            (reading.face, reading.next.map(|n| n.face), reading.status)
        };
        let faces = |a: &str, b: &str, s| (Some(a.to_owned()), Some(b.to_owned()), s);
        // the illegal one goes behind, and nothing is sure that was not
        assert_eq!(
            best(read("J1", "L1", Status::Unsure)),
            faces("L1", "J1", Status::Unsure)
        );
        // both make sense, or neither: it stays as it was read
        assert_eq!(
            best(read("L2", "L1", Status::Unsure)),
            faces("L2", "L1", Status::Unsure)
        );
        assert_eq!(
            best(read("J1", "J2", Status::Unsure)),
            faces("J1", "J2", Status::Unsure)
        );
        // another kind where only that it is this one is sure: neither
        let mut other = read("J1", "L1", Status::Unsure);
        let mut next = other.dice[0].reading.next.take().unwrap();
        next.kind = "helm".to_owned();
        other.dice[0].reading.next = Some(next);
        let helm = Prior {
            faces: [(1, vec![("helm".to_owned(), "L1".to_owned())])].into(),
        };
        let ranked = |kind_sure: bool| {
            let mut table = other.clone();
            table.dice[0].reading.kind_sure = kind_sure;
            helm.rank(&mut table);
            table.dice[0].reading.kind.clone().unwrap()
        };
        assert_eq!([true, false].map(ranked), ["sensor", "helm"]);
        // neither of the two makes sense: a third does, unless that is hardly what is printed there, and nothing is next to it
        let third = |confidence: f64| {
            let mut table = read("J1", "J2", Status::Unsure);
            let other = |face: &str, confidence| Next {
                kind: "sensor".to_owned(),
                face: face.to_owned(),
                confidence,
            };
            table.dice[0].reading.others = vec![other("J3", 0.01), other("L2", confidence)];
            prior.rank(&mut table);
            let reading = table.dice[0].reading.clone();
            (reading.face.unwrap(), reading.next.is_some())
        };
        let is = [0.02, 0.005].map(third);
        assert_eq!(is, [("L2".to_owned(), false), ("J1".to_owned(), true)]);
        // what is hardly printed there is no better for making sense
        let mut hardly = read("J1", "L1", Status::Unsure);
        hardly.dice[0].reading.next.as_mut().unwrap().confidence = 0.005;
        assert_eq!(best(hardly), faces("J1", "L1", Status::Unsure));
        // a sure illegal reading is a problem, and is not bent
        assert_eq!(
            best(read("J1", "L1", Status::Sure)),
            faces("J1", "L1", Status::Sure)
        );
    }
}
