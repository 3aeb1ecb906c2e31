//! What would make sense: it ranks what is unsure, and never overrides what is sure.

use std::collections::BTreeMap;

use super::Table;
use crate::{copy::Status, vision::Next};

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
            let (Some(kind), Some(face), Some(next)) =
                (&reading.kind, &reading.face, &reading.next)
            else {
                continue;
            };
            let sensible = |k: &String, f: &String| sense.iter().any(|(a, b)| (a, b) == (k, f));
            if sensible(kind, face) || !sensible(&next.kind, &next.face) {
                continue;
            }
            // a kind that is sure by itself is not bent either
            if reading.kind_sure && *kind != next.kind {
                continue;
            }
            let second = Next {
                kind: kind.clone(),
                face: face.clone(),
                confidence: reading.confidence,
            };
            reading.confidence = next.confidence;
            (reading.kind, reading.face) = (Some(next.kind.clone()), Some(next.face.clone()));
            reading.next = Some(second);
        }
    }
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
        // a sure illegal reading is a problem, and is not bent
        assert_eq!(
            best(read("J1", "L1", Status::Sure)),
            faces("J1", "L1", Status::Sure)
        );
    }
}
