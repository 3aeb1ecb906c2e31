//! What happened between two tables.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::Placing;
use crate::{
    copy::Status,
    table::{Die, Table},
};

/// What a die did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It came to lie still, and was read.
    Placed,
    /// It is gone.
    Taken,
    /// It shows another face than before, in the same place.
    Turned,
    /// Something covers it.
    Hidden,
    /// It lies as it lay, but in another zone, or it is sure now in which: a display was found, or moved.
    Rezoned,
}

/// Something that happened at a time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Event {
    /// Seconds on the source's own clock.
    pub at_s: f64,
    pub change: Change,
    /// The die's number.
    pub die: u64,
    pub kind: Option<String>,
    pub face: Option<String>,
    pub status: Status,
    /// Its top face in pixels of the frame, clockwise from the face's own upper left.
    pub polygon: [[f64; 2]; 4],
    /// Where it lies, or lay.
    #[serde(flatten)]
    pub placing: Placing,
}

/// A table, and where its dice lie.
type Lying<'a> = (&'a Table, &'a BTreeMap<u64, Placing>);

pub(super) fn between((before, lay): Lying<'_>, (after, lie): Lying<'_>) -> Vec<Event> {
    let at_s = after.at.as_secs_f64();
    let event = |die: &Die, change| Event {
        placing: lie
            .get(&die.id)
            .or_else(|| lay.get(&die.id))
            .cloned()
            .unwrap_or_default(),
        at_s,
        change,
        die: die.id,
        kind: die.reading.kind.clone(),
        face: die.reading.face.clone(),
        status: die.status(),
        polygon: die
            .polygon
            .pairs()
            .map(|p| p.map(|v| (v * 100.0).round() / 100.0)),
    };
    let known = |d: &Die| d.settled && d.status() == Status::Sure;
    let mut events = Vec::new();
    for die in &after.dice {
        let old = before.dice.iter().find(|d| d.id == die.id);
        let was_known = old.is_some_and(known);
        let change = match die.status() {
            Status::Hidden if was_known => Some(Change::Hidden),
            Status::Sure if known(die) => match old {
                Some(o) if was_known && o.reading.face != die.reading.face => Some(Change::Turned),
                Some(o)
                    if was_known
                        || o.status() == Status::Hidden && o.last_sure == die.reading.face =>
                {
                    rezoned(lay.get(&die.id), lie.get(&die.id)).then_some(Change::Rezoned)
                }
                _ => Some(Change::Placed),
            },
            _ => None,
        };
        events.extend(change.map(|c| event(die, c)));
    }
    for old in &before.dice {
        let counted = known(old) || old.status() == Status::Hidden;
        if counted && after.dice.iter().all(|d| d.id != old.id) {
            events.push(event(old, Change::Taken));
        }
    }
    events
}

/// Whether a die is surely in a zone that it was not surely in before.
fn rezoned(before: Option<&Placing>, now: Option<&Placing>) -> bool {
    let sure = |p: &Placing| (p.zone_status == Status::Sure).then(|| p.zone.clone());
    let now = now.and_then(sure);
    now.is_some() && before.and_then(sure) != now
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{copy::Shape, geometry::Quad, vision::Reading};

    fn table(dice: &[(u64, &str, Status)]) -> Table {
        let dice = dice
            .iter()
            .map(|(id, face, status)| Die {
                id: *id,
                shape: Shape::D6,
                polygon: Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
                reading: Reading {
                    kind: Some("pip".into()),
                    face: Some((*face).into()),
                    status: *status,
                    confidence: 1.0,
                    likeness: 1.0,
                    next: None,
                    alike_after_deg: 360,
                },
                last_sure: (*status != Status::Sure).then(|| (*face).to_owned()),
                settled: true,
            })
            .collect();
        Table {
            at: Duration::from_secs(1),
            dice,
        }
    }

    fn changes(before: &[(u64, &str, Status)], after: &[(u64, &str, Status)]) -> Vec<Change> {
        let nowhere = BTreeMap::new();
        between((&table(before), &nowhere), (&table(after), &nowhere))
            .iter()
            .map(|e| e.change)
            .collect()
    }

    #[test]
    fn a_die_is_placed_turned_hidden_and_taken() {
        use Status::{Hidden, Sure, Unsure};
        assert_eq!(changes(&[], &[(1, "4", Sure)]), [Change::Placed]);
        assert_eq!(
            changes(&[(1, "4", Unsure)], &[(1, "4", Sure)]),
            [Change::Placed]
        );
        assert_eq!(
            changes(&[(1, "4", Sure)], &[(1, "5", Sure)]),
            [Change::Turned]
        );
        assert_eq!(
            changes(&[(1, "4", Sure)], &[(1, "4", Hidden)]),
            [Change::Hidden]
        );
        assert_eq!(changes(&[(1, "4", Hidden)], &[(1, "4", Sure)]), []);
        assert_eq!(changes(&[(1, "4", Hidden)], &[]), [Change::Taken]);
        assert_eq!(changes(&[(1, "4", Unsure)], &[]), []);
    }
}
