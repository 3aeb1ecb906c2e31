//! Problems of the table, from when they begin to when they end: what flickers is not told.

use std::{collections::BTreeMap, time::Duration};

use super::happening::{Foul, Happened, Happening};
use crate::{
    rules::{
        Fault as _, Verdict,
        dice_duel::{DieKind, Fault, Print, Problem, ShipId, Zone},
    },
    session::{
        Evidence,
        scene::{Scene, SceneDie},
    },
};

/// How long a problem has to be seen before it is told, and to be gone before that is.
pub(in crate::session) const BEGINS: Duration = Duration::from_millis(300);
pub(in crate::session) const ENDS: Duration = Duration::from_millis(500);

#[derive(Debug, Clone)]
struct Trouble {
    problem: Problem,
    since: Duration,
    seen: Duration,
    told: bool,
    evidence: Evidence,
}

/// Since when a die lies still, its number, and where.
type Lain = (Duration, u64, Zone);

/// The problems that there are at present.
#[derive(Debug, Clone, Default)]
pub(super) struct Troubles {
    all: BTreeMap<(String, Zone), Trouble>,
    too_many: BTreeMap<(ShipId, DieKind), (u64, Zone)>,
}

/// Whether a fault is no fault, but something that was not read.
pub(in crate::session) fn is_doubt(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Hidden
            | Fault::UnsureDie { .. }
            // what is surely none of the copy's claims nothing: this one was not read
            | Fault::ForeignDie
            | Fault::UnsureZone
            | Fault::ShipUnsure
            | Fault::TokenUnsure
            | Fault::HalvesUnclear { .. }
            | Fault::FlowUnclear
            | Fault::ShipNotListed
            | Fault::AloneOnItsSide { .. }
    )
}

/// Whether dice that were counted are surely there: what a hand covers may lie elsewhere by now, and what is not surely read or
/// placed may be of another kind. Of all other faults this says nothing.
fn is_counted(problem: &Problem, scene: &Scene, print: &Print) -> bool {
    match &problem.fault {
        Fault::TooManyDice { kind, exist, .. } => {
            let ship = problem.at.ship();
            let theirs = |d: &&SceneDie| {
                d.kind == Some(*kind) && d.sure_zone().is_some_and(|z| z.ship() == ship)
            };
            scene.dice.iter().filter(theirs).count() > usize::from(*exist)
        }
        // no place has less room than there are dice of its kind
        Fault::Crowded => {
            let room = match problem.at {
                Zone::On(_, spot) => usize::from(print.dice_of(spot.die_kind())),
                _ => 0,
            };
            scene.dice_in(problem.at).filter(|d| d.is_sure()).count() > room
        }
        _ => true,
    }
}

impl Troubles {
    pub fn follow(&mut self, scene: &Scene, problems: &[Problem], print: &Print) -> Vec<Happening> {
        let now = scene.at;
        let mut out = Vec::new();
        for problem in problems
            .iter()
            .filter(|p| !is_doubt(&p.fault) && is_counted(p, scene, print))
        {
            let in_zone = || scene.dice_in(problem.at).map(|d| d.evidence).last();
            let evidence = in_zone().unwrap_or_else(|| Evidence::of(scene.frame, []));
            let key = (problem.fault.code().to_owned(), problem.at);
            let trouble = self.all.entry(key).or_insert_with(|| Trouble {
                problem: problem.clone(),
                since: now,
                seen: now,
                told: false,
                evidence,
            });
            trouble.seen = now;
            if !trouble.told && now >= trouble.since + BEGINS {
                trouble.told = true;
                out.push(Happening::problem(now, problem, true, evidence));
            }
        }
        self.all.retain(|_, t| {
            if t.seen == now || (t.told && scene.hides(t.problem.at)) {
                // what a hand covers is as it was
                t.seen = now;
                return true;
            }
            if !t.told {
                return false;
            }
            let over = now >= t.seen + ENDS;
            if over {
                out.push(Happening::problem(now, &t.problem, false, t.evidence));
            }
            !over
        });
        out
    }

    /// Says of more dice on a ship's displays than there are of a kind which is the one too many: that of the
    /// last to come which is the least surely read. It is left out of what the rules are told.
    pub fn one_too_many(&mut self, scene: &Scene, print: &Print) -> (Vec<u64>, Vec<Happening>) {
        let mut out = Vec::new();
        let mut without = Vec::new();
        let mut counted: BTreeMap<(ShipId, DieKind), Vec<Lain>> = BTreeMap::new();
        for die in &scene.dice {
            if let (Some(zone), Some(kind)) = (die.sure_zone(), die.kind)
                && let Zone::On(ship, _) | Zone::Display(ship, _) | Zone::Damage(ship, _) = zone
            {
                let of = counted.entry((ship, kind)).or_default();
                of.push((die.still_since, die.id, zone));
            }
        }
        let told = &mut self.too_many;
        told.retain(|key, (die, zone)| {
            let still = counted
                .get(key)
                .is_some_and(|dice| dice.len() > usize::from(print.dice_of(key.1)));
            let hidden = scene.die(*die).is_some_and(|d| !d.is_sure());
            if !still && !hidden {
                let what = Happened::FoulEnds {
                    foul: Foul::OneTooMany,
                    at: *zone,
                };
                let evidence = Evidence::of(scene.frame, []);
                out.push(Happening::new(scene.at, what, evidence).about(vec![*die]));
            }
            still || hidden
        });
        for ((ship, kind), mut dice) in counted {
            let most = usize::from(print.dice_of(kind));
            if dice.len() <= most {
                continue;
            }
            dice.sort_unstable();
            // which it is shows only where the others lay there before, for a while
            let newest: Vec<_> = dice.split_off(most);
            let before = dice.last().map_or(Duration::ZERO, |d| d.0);
            let told_before = told.get(&(ship, kind)).copied();
            if let ([(since, id, zone)], true) = (
                newest.as_slice(),
                told_before.is_some() || newest.first().is_some_and(|n| n.0 > before + 2 * ENDS),
            ) {
                without.push(*id);
                if told_before.is_none() && scene.at >= *since + BEGINS {
                    told.insert((ship, kind), (*id, *zone));
                    let what = Happened::FoulBegins {
                        foul: Foul::OneTooMany,
                        at: *zone,
                        verdict: Verdict::Unsure,
                    };
                    let evidence = scene.die(*id).map(|d| d.evidence);
                    let evidence = evidence.unwrap_or_else(|| Evidence::of(scene.frame, []));
                    out.push(Happening::new(scene.at, what, evidence).about(vec![*id]));
                }
            }
        }
        (without, out)
    }
}
