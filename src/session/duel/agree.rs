//! The record of a game against the table: what explains a change, and what is said where nothing does.

use std::{collections::VecDeque, time::Duration};

use serde_json::{Map, Value};

use super::{
    aspect::{Aspect, crystals},
    happening::{Happened, Happening},
};
use crate::{
    rules::dice_duel::{
        Action, Change, Correction, Damage, Facing, Position, ShipId, Spot, Square, Station, Zone,
    },
    rules::{Place, Span},
    session::{Evidence, scene::Scene},
};

/// How long table and record may disagree before it is said.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the table has to be still, after that, for the game to go on from it.
const STILL: Duration = Duration::from_secs(3);
/// How long hands have for what a declaration, or the dice, say.
const HANDS: Duration = Duration::from_secs(10);
/// How far back what explains a change may lie.
const MEMORY: Duration = Duration::from_secs(10);

/// A table as it was, as the rules see it.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub scene: Scene,
    pub position: Position,
}

/// The last tables, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    moments: VecDeque<Moment>,
}

impl Memory {
    pub fn push(&mut self, scene: &Scene, position: &Position) {
        let old = |m: &Moment| m.scene.at + MEMORY < scene.at;
        while self.moments.len() > 1 && self.moments.front().is_some_and(old) {
            self.moments.pop_front();
        }
        self.moments.push_back(Moment {
            scene: scene.clone(),
            position: position.clone(),
        });
    }

    /// The last table at a time, or before.
    pub fn at(&self, at: Duration) -> Option<&Moment> {
        self.moments.iter().rev().find(|m| m.scene.at <= at)
    }

    /// Tables that differ, newest first; of those that follow each other closely one.
    pub fn different(&self) -> impl Iterator<Item = &Moment> {
        const APART: Duration = Duration::from_millis(200);
        let mut last: Option<&Moment> = None;
        self.moments.iter().rev().filter(move |m| {
            let new =
                last.is_none_or(|l| l.position != m.position && m.scene.at + APART <= l.scene.at);
            if new {
                last = Some(m);
            }
            new
        })
    }

    pub fn clear(&mut self) {
        self.moments.clear();
    }
}

/// A disagreement.
#[derive(Debug, Clone)]
struct Gap {
    /// Where, and what the table says there.
    seen: Vec<(Aspect, String)>,
    since: Duration,
    told: Option<Duration>,
    /// What the table has shown for so long, unchanged.
    still_since: Duration,
}

/// What explains a change of the table.
#[derive(Debug)]
pub(super) struct Explained {
    pub action: Action,
    pub change: Change,
    pub record: Position,
    /// The table from which it was done.
    pub base: Scene,
}

/// Follows where the table and the record of a game disagree.
#[derive(Debug, Clone, Default)]
pub(super) struct Agreement {
    gap: Option<Gap>,
    /// What hands have still to do, and until when.
    due: Vec<(Aspect, Duration)>,
    /// What a person said of it stands, while the table shows this.
    overruled: Vec<(Aspect, String)>,
}

/// Where the table surely says something else than the record: what it says.
pub(super) fn differing(
    scene: &Scene,
    seen: &Position,
    record: &Position,
) -> Vec<(Aspect, String)> {
    // a crystal that is in a hand is missing, and not yet anywhere else
    let in_hand = crystals(seen) < crystals(record);
    let mut list = Vec::new();
    for aspect in Aspect::all(record) {
        let of_crystals = matches!(
            aspect,
            Aspect::Crystals(_) | Aspect::MapCrystals | Aspect::Used
        );
        if !aspect.is_watched(scene) || (of_crystals && in_hand) {
            continue;
        }
        if let (Some(now), Some(then)) = (aspect.value(seen), aspect.value(record))
            && now != then
        {
            list.push((aspect, now));
        }
    }
    list
}

impl Agreement {
    /// Hands have some time for what was said to be done.
    pub fn expect(&mut self, change: &Change, at: Duration) {
        use crate::rules::dice_duel::Edit;
        for edit in change.edits() {
            let aspects: &[Aspect] = match edit {
                Edit::Stand { ship, .. } => &[Aspect::Stand(*ship)],
                Edit::Crystals { ship, .. } => &[Aspect::Crystals(*ship)],
                Edit::Damage { ship, .. } => &[Aspect::Damage(*ship), Aspect::Crystals(*ship)],
                Edit::Cell { .. } => &[Aspect::MapCrystals, Aspect::Mines],
                Edit::Used { .. } => &[Aspect::Used],
                _ => &[],
            };
            for aspect in aspects {
                self.due.retain(|(a, _)| a != aspect);
                self.due.push((*aspect, at + HANDS));
            }
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Where table and record disagree now, leaving out what hands have still to do and what a person overruled.
    pub fn open(
        &mut self,
        scene: &Scene,
        seen: &Position,
        record: &Position,
    ) -> Vec<(Aspect, String)> {
        let all = differing(scene, seen, record);
        self.due.retain(|(aspect, until)| {
            let open = all.iter().any(|(a, _)| a == aspect);
            scene.at < *until && (open || aspect.value(seen).is_none())
        });
        // a person's word ends where the table shows something else than when it was given
        self.overruled.retain(|(aspect, shown)| {
            let now = aspect.value(seen);
            now.is_none_or(|now| now == *shown)
        });
        all.into_iter()
            .filter(|open| !self.overruled.contains(open))
            .collect()
    }

    /// Takes the disagreements that nothing explains: says them after two seconds, and whether the game goes on
    /// from the table.
    pub fn follow(
        &mut self,
        scene: &Scene,
        record: &Position,
        open: Vec<(Aspect, String)>,
    ) -> (Vec<Happening>, bool) {
        let now = scene.at;
        let due = |a: &Aspect| self.due.iter().any(|(d, _)| d == a);
        let open: Vec<_> = open.into_iter().filter(|(a, _)| !due(a)).collect();
        if open.is_empty() {
            let told = self.gap.take().is_some_and(|g| g.told.is_some());
            let agreed = Happened::Agreed { by_table: true };
            let out = told.then(|| Happening::new(now, agreed, Evidence::of(scene.frame, [])));
            return (out.into_iter().collect(), false);
        }
        let gap = self.gap.get_or_insert_with(|| Gap {
            seen: open.clone(),
            since: now,
            told: None,
            still_since: now,
        });
        if gap.seen != open {
            gap.seen = open;
            gap.still_since = now;
        }
        if gap.told.is_none() && now >= gap.since + PATIENCE {
            gap.told = Some(now);
            let words = |of: &dyn Fn(&(Aspect, String)) -> Option<String>| {
                let list = gap.seen.iter();
                let said = list.filter_map(|g| Some((g.0.zone().to_string(), of(g)?.into())));
                Value::Object(said.collect::<Map<String, Value>>())
            };
            let what = Happened::Desync {
                at: gap.seen.iter().map(|(a, _)| a.zone()).collect(),
                table: words(&|(_, now)| Some(now.clone())),
                record: words(&|(a, _)| a.value(record)),
            };
            let ships = scene.ships.iter().filter(|s| {
                let stand = Aspect::Stand(s.ship);
                gap.seen.iter().any(|(a, _)| *a == stand)
            });
            let evidence = ships.map(|s| s.evidence).next();
            let evidence = evidence.unwrap_or_else(|| Evidence::of(scene.frame, []));
            return (vec![Happening::new(now, what, evidence)], false);
        }
        let told_for = gap.told.is_some_and(|told| now >= told + STILL);
        (Vec::new(), told_for && now >= gap.still_since + STILL)
    }

    /// A person says that the record is right: what the table shows now is overruled while it shows it.
    pub fn overrule(&mut self) {
        if let Some(gap) = self.gap.take() {
            self.overruled.extend(gap.seen);
        }
    }

    /// Where they disagree, once that was said.
    pub fn told(&self) -> Vec<crate::rules::dice_duel::Zone> {
        let gap = self.gap.iter().filter(|g| g.told.is_some());
        gap.flat_map(|g| g.seen.iter().map(|(a, _)| a.zone()))
            .collect()
    }

    pub fn close(&mut self) {
        self.gap = None;
    }
}

/// The record with the table's word on these.
pub(super) fn adopt(record: &mut Position, seen: &Position, open: &[(Aspect, String)]) {
    for (aspect, _) in open {
        let mut corrections = Vec::new();
        match *aspect {
            Aspect::Stand(id) => {
                if let Some(ship) = seen.ship(id) {
                    corrections.push(Correction::Stand {
                        ship: id,
                        square: ship.square().clone(),
                        facing: ship.facing().clone(),
                        half: Place::Unknown,
                    });
                }
            }
            Aspect::Crystals(id) => {
                let count = seen.ship(id).map_or(Span::known(0), |s| s.crystals());
                corrections.push(Correction::Crystals { ship: id, count });
            }
            Aspect::Damage(id) => {
                let damage = seen.ship(id).map_or(Damage::default(), |s| s.damage());
                corrections.push(Correction::Damage { ship: id, damage });
            }
            Aspect::Used => corrections.push(Correction::Used {
                count: seen.used_crystals(),
            }),
            Aspect::MapCrystals | Aspect::Mines => {
                corrections.extend(seen.board().cells().filter_map(|(square, cell)| {
                    let was = record.board().cell(square);
                    (was != cell).then_some(Correction::Cell { square, cell })
                }));
            }
        }
        for correction in corrections {
            // what cannot be put on any table is left as it was
            let _ = record.act(&Action::Correct(correction));
        }
    }
}

/// What, done on one of the last tables, makes the record say what the table shows.
pub(super) fn explain(
    memory: &Memory,
    record: &Position,
    seen: &Position,
    scene: &Scene,
    open: &[(Aspect, String)],
) -> Option<Explained> {
    let candidates = candidates(record, seen, open);
    for moment in memory.different() {
        for action in &candidates {
            let mut next = moment.position.clone();
            // the dice of that table, and all else of the record
            let all = Aspect::all(record).into_iter();
            let all: Vec<_> = all.map(|a| (a, String::new())).collect();
            adopt(&mut next, record, &all);
            let flow = Correction::Flow(record.flow().clone());
            let _ = next.act(&Action::Correct(flow));
            let Ok(change) = next.act(action) else {
                continue;
            };
            let left = differing(scene, seen, &next);
            let explains = |a: &Aspect| open.iter().any(|(o, _)| o == a);
            if left.iter().any(|(a, _)| explains(a)) {
                continue;
            }
            return Some(Explained {
                action: action.clone(),
                change,
                record: next,
                base: moment.scene.clone(),
            });
        }
    }
    None
}

fn candidates(record: &Position, seen: &Position, open: &[(Aspect, String)]) -> Vec<Action> {
    let mut actions = Vec::new();
    let gone: Vec<Square> = record
        .board()
        .cells()
        .filter(|(s, c)| c.crystals.min > seen.board().cell(*s).crystals.max)
        .map(|(s, _)| s)
        .collect();
    for (aspect, _) in open {
        match *aspect {
            Aspect::Stand(_) => {
                // another ship is pushed into a half by one that comes
                let ships = record.ships().iter().map(|s| s.id());
                actions.extend(ships.map(|ship| Action::Move { ship }));
            }
            Aspect::Crystals(ship) => {
                actions.extend(
                    gone.iter()
                        .map(|s| Action::PullCrystal { ship, square: *s }),
                );
                actions.push(Action::Surge { ship });
            }
            Aspect::Damage(ship) => {
                let energy =
                    [Station::POWERED.map(Spot::Energy).as_slice(), &[Spot::Pool]].concat();
                let from = energy.into_iter().map(Some).chain([None]);
                actions.extend(from.map(|from| Action::Damage { ship, from }));
                actions.push(Action::Surge { ship });
            }
            Aspect::Mines => {
                let ships = record.ships().iter().map(|s| s.id());
                actions.extend(ships.map(|ship| Action::ReleaseMine { ship }));
            }
            Aspect::MapCrystals | Aspect::Used => {
                if record.flow().returning {
                    actions.extend((1..=6).map(|number| Action::ReturnCrystal { number }));
                }
            }
        }
    }
    if let Some(warp) = &record.flow().warp
        && open.iter().any(|(a, _)| *a == Aspect::Stand(warp.ship))
    {
        let edges = [None].into_iter().chain(Facing::ALL.map(Some));
        actions.extend(
            edges.flat_map(|enter_by| {
                (1..=6).map(move |number| Action::WarpTo { number, enter_by })
            }),
        );
    }
    actions.dedup();
    actions
}

/// The ship whose crystals went to the used box, and how many, where that is all that differs.
pub(super) fn spent(
    record: &Position,
    seen: &Position,
    open: &[(Aspect, String)],
) -> Option<(ShipId, u16)> {
    let used = seen.used_crystals().value()?;
    let more = used.checked_sub(record.used_crystals().value()?)?;
    let payer = |id: ShipId| {
        let (was, now) = (record.ship(id)?.crystals(), seen.ship(id)?.crystals());
        (was.value()?.checked_sub(now.value()?)? == more).then_some((id, more))
    };
    match open {
        [(Aspect::Crystals(id), _), (Aspect::Used, _)] if more > 0 => payer(*id),
        _ => None,
    }
}

/// The zone where a crystal came from or went to.
pub(super) fn crystal_zone(
    aspect: Aspect,
    record: &Position,
    seen: &Position,
    more: bool,
) -> Option<Zone> {
    if aspect != Aspect::MapCrystals {
        return Some(aspect.zone());
    }
    let mut cells = seen.board().cells();
    let found = cells.find(|(square, cell)| {
        let was = record.board().cell(*square).crystals.min;
        if more {
            cell.crystals.min > was
        } else {
            cell.crystals.min < was
        }
    });
    found.map(|(square, _)| Zone::Board(square))
}
