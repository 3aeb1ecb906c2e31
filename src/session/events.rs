//! What happened to dice from table to table.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::Serialize;

use super::Placing;
use crate::{
    copy::Status,
    geometry::Quad,
    table::{Die, Table},
    vision::Reading,
};

/// What a die did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It came to lie still, and was read; or it has lain for 0.4 s on a display, a board or a tray, or on bare table where one of these is in
    /// sight, and is not surely read: `status` says which.
    Placed,
    /// It lies as it lay, and is surely read now: when it was placed, it was not. If it was hidden, it is seen again.
    Read,
    /// It is gone.
    Taken,
    /// It shows another face than before, in the same place.
    Turned,
    /// It was seen all the way, and came to lie still in another zone or, on bare table or in a tray, elsewhere.
    Moved,
    /// Something covers it.
    Hidden,
    /// It was hidden, and is seen again as it lay.
    Shown,
    /// It lies as it lay, but in another zone, or it is sure now in which: a display was found, or moved.
    Rezoned,
}

/// Where something can be looked up: the frame, and what to cut out of it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
pub struct Evidence {
    /// The frame's number with its source.
    pub frame: u64,
    /// Left, top, width and height in pixels of the frame; may reach over its edges.
    pub crop: [f64; 4],
}

impl Evidence {
    /// What lies at these places, with some of what is around.
    pub(super) fn of<'a>(frame: u64, outlines: impl IntoIterator<Item = &'a Quad>) -> Self {
        const MARGIN: f64 = 0.5;
        let points: Vec<_> = outlines.into_iter().flat_map(|q| q.0).collect();
        let edge = |f: fn(f64, f64) -> f64, of: fn(&crate::geometry::Point) -> f64| {
            points.iter().map(of).reduce(f)
        };
        let (Some(left), Some(right), Some(top), Some(bottom)) = (
            edge(f64::min, |p| p.x),
            edge(f64::max, |p| p.x),
            edge(f64::min, |p| p.y),
            edge(f64::max, |p| p.y),
        ) else {
            return Self {
                frame,
                crop: [0.0; 4],
            };
        };
        let (w, h) = (right - left, bottom - top);
        let crop = [
            left - MARGIN * w,
            top - MARGIN * h,
            w * (1.0 + 2.0 * MARGIN),
            h * (1.0 + 2.0 * MARGIN),
        ];
        Self {
            frame,
            crop: crop.map(|v| v.round()),
        }
    }
}

/// Something that happened to a die at a time.
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
    /// Whose frame it is, where several cameras look at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// Its top face in pixels of the frame, clockwise from the face's own upper left.
    pub polygon: Vec<[f64; 2]>,
    /// Where it lies, or lay.
    #[serde(flatten)]
    pub placing: Placing,
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// What was last told of a die.
#[derive(Debug, Clone)]
struct Told {
    die: Die,
    placing: Placing,
    hidden: bool,
}

/// How long a die lies before it is told of though it is not surely read: somebody put it there, whatever it shows. What is surely read is told of
/// as soon as it lies still. With a second 95 % were told within 1.05 and 1.27 s of two films, within 0.58 and 0.69 since, and nothing that is not there (calibration/films.md).
const UNREAD_FOR: Duration = Duration::from_millis(400);

/// What was last told of each die: what is told once is not told again, however its reading flickers between.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    told: BTreeMap<u64, Told>,
}

fn event(at: Duration, change: Change, die: &Die, placing: &Placing) -> Event {
    Event {
        at_s: at.as_secs_f64(),
        change,
        die: die.id,
        kind: die.reading.kind.clone(),
        face: die.reading.face.clone(),
        status: die.status(),
        camera: (!die.camera.is_empty()).then(|| die.camera.clone()),
        polygon: die
            .outline()
            .into_iter()
            .map(|p| p.map(|v| (v * 100.0).round() / 100.0))
            .collect(),
        placing: placing.clone(),
        evidence: Evidence::of(die.frame, [&die.polygon]),
    }
}

impl Ledger {
    /// Takes the next table, and where each of its dice lies. `measured` says of a die whether its camera sees a surface, so that what is not as
    /// large as a die is known for none.
    pub fn follow(
        &mut self,
        table: &Table,
        placings: &[Placing],
        measured: impl Fn(&Die) -> bool,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for (die, placing) in table.dice.iter().zip(placings) {
            let told = self.told.get_mut(&die.id);
            // what was told of as a guess is followed as one, until it is surely read
            let guessed = told.as_ref().is_none_or(|t| t.die.status() != Status::Sure);
            let sure = (die.settled && die.status() == Status::Sure)
                || (guessed && is_there(table.at, die, measured(die)));
            let change = match &told {
                Some(t) if die.status() == Status::Hidden => (!t.hidden).then_some(Change::Hidden),
                None if sure => Some(Change::Placed),
                Some(t) if sure => t.change(die, placing),
                _ => None,
            };
            let as_told = told.as_ref().and_then(|t| t.still(die, change));
            let die = as_told.as_ref().unwrap_or(die);
            if change != Some(Change::Hidden) {
                if sure {
                    let now = Told {
                        die: die.clone(),
                        placing: told.map_or_else(|| placing.clone(), |t| t.known(placing)),
                        hidden: false,
                    };
                    self.told.insert(die.id, now);
                }
            } else if let Some(told) = told {
                told.hidden = true;
            }
            events.extend(change.map(|c| event(table.at, c, die, placing)));
        }
        let gone = |id: &u64| table.dice.iter().all(|d| d.id != *id);
        self.told.retain(|id, told| {
            if gone(id) {
                events.push(event(table.at, Change::Taken, &told.die, &told.placing));
            }
            !gone(id)
        });
        events
    }
}

/// Whether a die that is not surely read has lain for so long on a surface that is surely found that it is told of: what is printed
/// there is known, so that it is no print; or on bare table, where it is `measured`.
fn is_there(at: Duration, die: &Die, measured: bool) -> bool {
    let on = die.foot.as_ref().and_then(|f| f.lies.as_ref());
    die.settled
        && die.status() == Status::Unsure
        && on.map_or(measured, |lies| lies.status == Status::Sure)
        && at.saturating_sub(die.still_since) >= UNREAD_FOR
}

impl Told {
    /// The die as it was told, where it lies as it lay and nothing more is sure of it now: a guess is worth as much as another, made in a few looks when a hand
    /// has left it.
    fn still(&self, die: &Die, change: Option<Change>) -> Option<Die> {
        let lies = match change {
            Some(Change::Hidden) => self.die.status() == Status::Unsure,
            None | Some(Change::Shown | Change::Rezoned) => {
                let kind_sure = die.reading.kind_sure && !self.die.reading.kind_sure;
                die.status() == Status::Unsure && !kind_sure && !self.lay_elsewhere(die)
            }
            Some(_) => false,
        };
        lies.then(|| Die {
            reading: Reading {
                status: die.status(),
                ..self.die.reading.clone()
            },
            ..die.clone()
        })
    }

    /// What a die did that lies still and is sure, since it was last told of.
    fn change(&self, die: &Die, placing: &Placing) -> Option<Change> {
        self.done(die, placing)
            .or(self.hidden.then_some(Change::Shown))
    }

    fn done(&self, die: &Die, placing: &Placing) -> Option<Change> {
        let guess = self.die.status() != Status::Sure;
        if !guess
            && (&self.die.reading.kind, &self.die.reading.face)
                != (&die.reading.kind, &die.reading.face)
        {
            return Some(Change::Turned);
        }
        let sure = |p: &Placing| (p.zone_status == Status::Sure).then(|| p.zone.clone());
        let (was, now) = (sure(&self.placing), sure(placing));
        if guess && die.status() == Status::Sure && (now.is_none() || was.is_none() || was == now) {
            return Some(Change::Read);
        }
        let lies_anew = die.still_since > self.die.still_since;
        if now.is_some() && was != now {
            return Some(if lies_anew && was.is_some() {
                Change::Moved
            } else {
                Change::Rezoned
            });
        }
        // within a zone, a die that is pushed is where it was
        let free = placing.zone.as_deref() == Some("table");
        (lies_anew && free && self.lay_elsewhere(die)).then_some(Change::Moved)
    }

    /// Whether it lies half a side or more from where it was told to lie; where no camera saw it there that sees it here, that
    /// is known in the table's frame alone.
    fn lay_elsewhere(&self, die: &Die) -> bool {
        if let Some(was) = self.die.polygon_in(&die.camera) {
            let apart = (was.centre() - die.polygon.centre()).norm();
            return apart > 0.5 * die.polygon.side();
        }
        let at = |die: &Die| die.foot.as_ref().and_then(|f| f.table_mm);
        let (was, now) = (at(&self.die), at(die));
        was.zip(now).is_some_and(|([ax, ay], [bx, by])| {
            let size_mm = 16.0;
            (ax - bx).hypot(ay - by) > 0.5 * size_mm
        })
    }

    /// Where it lies: what was sure stays until something else is.
    fn known(&self, placing: &Placing) -> Placing {
        let sure = |p: &Placing| p.zone_status == Status::Sure;
        if sure(&self.placing) && !sure(placing) {
            self.placing.clone()
        } else {
            placing.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{copy::Shape, rig::Lies, table::Foot, vision::Reading};

    type Lying<'a> = (u64, &'a str, Status, &'a str, u64);

    /// A table with these dice: number, face, status, zone (unsure with a `?`), and the second since which each
    /// lies still.
    fn table(at: u64, dice: &[Lying<'_>]) -> (Table, Vec<Placing>) {
        let placings = dice
            .iter()
            .map(|(_, _, _, zone, _)| Placing {
                zone: Some(zone.trim_end_matches('?').to_owned()),
                zone_status: if zone.ends_with('?') {
                    Status::Unsure
                } else {
                    Status::Sure
                },
                ..Placing::default()
            })
            .collect();
        let dice = dice
            .iter()
            .map(|(id, face, status, _, since)| Die {
                id: *id,
                shape: Shape::D6,
                polygon: Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
                    .shifted(*since as f64),
                error: 0.1,
                reading: Reading {
                    kind: Some("pip".into()),
                    face: Some((*face).into()),
                    status: *status,
                    confidence: 1.0,
                    kind_sure: true,
                    likeness: 1.0,
                    next: None,
                    others: Vec::new(),
                    alike_after_deg: 360,
                },
                last_sure: (*status != Status::Sure).then(|| (*face).to_owned()),
                settled: *status != Status::Unsure,
                still_since: Duration::from_secs(*since),
                foot: None,
                camera: String::new(),
                elsewhere: Vec::new(),
                frame: at,
            })
            .collect();
        let table = Table {
            at: Duration::from_secs(at),
            dice,
            ..Table::default()
        };
        (table, placings)
    }

    trait Shifted {
        fn shifted(self, by: f64) -> Self;
    }

    impl Shifted for Quad {
        fn shifted(self, by: f64) -> Self {
            Self(self.0.map(|p| crate::geometry::Point::new(p.x + by, p.y)))
        }
    }

    fn told(tables: &[&[Lying<'_>]]) -> Vec<Change> {
        let mut ledger = Ledger::default();
        let mut changes = Vec::new();
        for (at, dice) in tables.iter().enumerate() {
            let (table, placings) = table(at as u64, dice);
            changes.extend(
                ledger
                    .follow(&table, &placings, |_| false)
                    .iter()
                    .map(|e| e.change),
            );
        }
        changes
    }

    use Change::{Hidden, Moved, Placed, Rezoned, Shown, Taken, Turned};
    use Status::{Hidden as Covered, Sure, Unsure};

    #[test]
    fn a_die_is_placed_turned_hidden_and_taken_once_each() {
        assert_eq!(
            told(&[
                &[],
                &[(1, "4", Unsure, "table", 0)],
                &[(1, "4", Sure, "table", 0)],
                &[(1, "4", Unsure, "table", 0)],
                &[(1, "4", Sure, "table", 0)],
                &[(1, "5", Sure, "table", 0)],
                &[(1, "5", Covered, "table", 0)],
                &[(1, "5", Covered, "table", 0)],
                &[(1, "5", Sure, "table", 0)],
                &[(1, "5", Covered, "table", 0)],
                &[],
            ]),
            [Placed, Turned, Hidden, Shown, Hidden, Taken]
        );
        assert_eq!(
            told(&[
                &[(1, "4", Sure, "table", 0)],
                &[(1, "4", Covered, "table", 0)],
                &[(1, "5", Sure, "table", 2)],
            ]),
            [Placed, Hidden, Turned]
        );
        assert_eq!(told(&[&[(1, "4", Unsure, "table", 0)], &[]]), []);
    }

    #[test]
    fn what_lies_on_a_display_is_told_of_though_it_is_not_surely_read() {
        let on = |at: u64, face: &str, status: Status, found: Status| {
            let (mut table, placings) = table(at, &[(1, face, status, "helm.A", 0)]);
            let die = table.dice.first_mut().expect("a die");
            die.settled = true;
            die.foot = Some(Foot {
                lies: Some(Lies {
                    surface: "helm".to_owned(),
                    status: found,
                    at_mm: [9.0, 9.0],
                    error_mm: 0.5,
                    heading_deg: 0.0,
                }),
                table_mm: None,
            });
            (table, placings)
        };
        let told = |lies: &[(u64, &str, Status)], found: Status| -> Vec<(Change, Status)> {
            let mut ledger = Ledger::default();
            let tables = lies
                .iter()
                .map(|(at, face, status)| on(*at, face, *status, found));
            let all =
                tables.flat_map(|(table, placings)| ledger.follow(&table, &placings, |_| false));
            all.map(|e| (e.change, e.status)).collect()
        };
        let lies = [
            (0, "4", Unsure),
            (1, "4", Unsure),
            (2, "5", Unsure),
            (3, "4", Sure),
            (4, "4", Unsure),
            (5, "4", Sure),
        ];
        assert_eq!(told(&lies, Sure), [(Placed, Unsure), (Change::Read, Sure)]);
        // whatever passed over it meanwhile, and whatever the guesses were, nobody turned it
        let passed = [
            (0, "4", Unsure),
            (1, "4", Unsure),
            (2, "4", Covered),
            (3, "5", Unsure),
            (4, "4", Covered),
            (5, "5", Sure),
            (6, "5", Covered),
            (7, "5", Sure),
        ];
        assert_eq!(
            told(&passed, Sure),
            [
                (Placed, Unsure),
                (Hidden, Covered),
                (Shown, Unsure),
                (Hidden, Covered),
                (Change::Read, Sure),
                (Hidden, Covered),
                (Shown, Sure),
            ]
        );
        // of a display that is not surely found, its print may look like a die
        assert_eq!(told(&lies, Unsure), [(Placed, Sure)]);
    }

    #[test]
    fn a_guess_is_told_as_before_when_a_hand_has_left_it() {
        let told = |lies: &[(u64, &str, Status, u64)]| -> Vec<(Change, Option<String>)> {
            let mut ledger = Ledger::default();
            let mut told = Vec::new();
            for (at, face, status, since) in lies {
                let (mut table, placings) = table(*at, &[(1, face, *status, "lock", *since)]);
                table.dice.iter_mut().for_each(|die| die.settled = true);
                let events = ledger.follow(&table, &placings, |_| true);
                told.extend(events.into_iter().map(|e| (e.change, e.face)));
            }
            told
        };
        let of = |all: &[(Change, &str)]| -> Vec<(Change, Option<String>)> {
            all.iter()
                .map(|(c, face)| (*c, Some((*face).to_owned())))
                .collect()
        };
        let lies = [
            (0, "4", Unsure, 0),
            (1, "4", Unsure, 0),
            (2, "5", Unsure, 0),
            (3, "5", Covered, 0),
            (4, "6", Unsure, 0),
            (5, "6", Sure, 0),
        ];
        let as_before = of(&[
            (Placed, "4"),
            (Hidden, "4"),
            (Shown, "4"),
            (Change::Read, "6"),
        ]);
        assert_eq!(told(&lies), as_before);
        // what was pushed within its zone may have been turned
        let pushed = [
            (0, "4", Unsure, 0),
            (1, "4", Unsure, 0),
            (3, "4", Covered, 0),
            (9, "6", Unsure, 4),
        ];
        assert_eq!(
            told(&pushed),
            of(&[(Placed, "4"), (Hidden, "4"), (Shown, "6")])
        );
    }

    #[test]
    fn what_lies_on_bare_table_is_told_of_as_a_guess_where_a_surface_says_how_large_it_is() {
        let told = |measured: bool| -> Vec<(Change, Status)> {
            let mut ledger = Ledger::default();
            let tables = [(0, Unsure), (1, Unsure), (2, Sure)].map(|(at, status)| {
                let (mut table, placings) = table(at, &[(1, "4", status, "table?", 0)]);
                table.dice.iter_mut().for_each(|die| die.settled = true);
                (table, placings)
            });
            let all = tables.iter();
            let all =
                all.flat_map(|(table, placings)| ledger.follow(table, placings, |_| measured));
            all.map(|e| (e.change, e.status)).collect()
        };
        assert_eq!(told(true), [(Placed, Unsure), (Change::Read, Sure)]);
        assert_eq!(told(false), [(Placed, Sure)]);
    }

    #[test]
    fn a_die_is_moved_by_a_hand_and_rezoned_by_its_display() {
        assert_eq!(
            told(&[
                &[(1, "4", Sure, "table", 0)],
                &[(1, "4", Unsure, "table", 1)],
                &[(1, "4", Sure, "helm.A", 2)],
            ]),
            [Placed, Moved]
        );
        assert_eq!(
            told(&[
                &[(1, "4", Sure, "table?", 0)],
                &[(1, "4", Sure, "helm.A", 0)],
                &[(1, "4", Sure, "helm.A?", 0)],
                &[(1, "4", Sure, "helm.A", 0)],
                &[(1, "4", Sure, "helm.B", 0)],
            ]),
            [Placed, Rezoned, Rezoned]
        );
        // pushed within its zone it is where it was; on bare table it lies elsewhere
        assert_eq!(
            told(&[&[(1, "4", Sure, "lock", 0)], &[(1, "4", Sure, "lock", 9)]]),
            [Placed]
        );
        assert_eq!(
            told(&[&[(1, "4", Sure, "table", 0)], &[(1, "4", Sure, "table", 9)]]),
            [Placed, Moved]
        );
    }

    #[test]
    fn evidence_holds_the_die_and_some_of_what_is_around() {
        let quad = Quad::from_pairs([[10.0, 20.0], [30.0, 20.0], [30.0, 40.0], [10.0, 40.0]]);
        let evidence = Evidence::of(7, [&quad]);
        assert_eq!(evidence.frame, 7);
        assert_eq!(evidence.crop, [0.0, 10.0, 40.0, 40.0]);
    }
}
