//! What has to leave the displays, ticked off as it leaves.

use std::time::Duration;

use super::happening::{Foul, Happened, Happening};
use crate::{
    rules::{
        Verdict,
        dice_duel::{Change, Edit, Spot, Zone},
    },
    session::{Evidence, scene::Scene},
};

#[derive(Debug, Clone, PartialEq)]
struct Item {
    zone: Zone,
    dice: Vec<u64>,
    evidence: Evidence,
}

/// A list of dice that have to leave.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CleanUp {
    items: Vec<Item>,
    /// From when on it is a foul that they lie there.
    due: Option<Duration>,
    told: Vec<(Foul, Zone)>,
}

impl CleanUp {
    /// Adds what a change of the rules takes off, as it lay in `scene`; said at a time of its own, as what was declared is judged by
    /// a table before it.
    pub fn add(&mut self, at: Duration, change: &Change, scene: &Scene) -> Option<Happening> {
        let mut zones = Vec::new();
        for edit in change.edits() {
            let Edit::Dice {
                ship,
                spot,
                was,
                now,
            } = edit
            else {
                continue;
            };
            let zone = Zone::On(*ship, *spot);
            let known = self.items.iter().any(|i| i.zone == zone);
            if now.dice().len() >= was.dice().len() || known || !now.is_empty() {
                continue;
            }
            let dice: Vec<u64> = scene.dice_in(zone).map(|d| d.id).collect();
            let evidence = scene.dice_in(zone).next().map(|d| d.evidence);
            if let Some(evidence) = evidence {
                zones.push(zone);
                self.items.push(Item {
                    zone,
                    dice,
                    evidence,
                });
            }
        }
        let evidence = self.items.first()?.evidence;
        (!zones.is_empty()).then(|| Happening::new(at, Happened::CleanUpBegins { zones }, evidence))
    }

    pub fn is_done(&self) -> bool {
        self.items.is_empty()
    }

    /// From now on nothing of it may lie there.
    pub fn due(&mut self, at: Duration) {
        if !self.is_done() {
            self.due.get_or_insert(at);
        }
    }

    /// The dice that should not lie where they lie.
    pub fn dice(&self) -> impl Iterator<Item = u64> + '_ {
        self.items.iter().flat_map(|i| i.dice.iter().copied())
    }

    /// Fouls that were told of `later` and not of this: they end when the game goes back to this.
    pub fn ended_since(&self, later: &CleanUp, at: Duration) -> Vec<Happening> {
        let gone = later.told.iter().filter(|t| !self.told.contains(t));
        gone.map(|(foul, zone)| {
            let (foul, at_zone) = (*foul, *zone);
            let what = Happened::FoulEnds { foul, at: at_zone };
            Happening::new(at, what, Evidence::default())
        })
        .collect()
    }

    /// The places that dice have still to leave.
    pub fn zones(&self) -> impl Iterator<Item = Zone> + '_ {
        self.items.iter().map(|i| i.zone)
    }

    pub fn follow(&mut self, scene: &Scene) -> Vec<Happening> {
        if self.is_done() {
            return Vec::new();
        }
        let mut out = Vec::new();
        let told = &mut self.told;
        self.items.retain_mut(|item| {
            item.dice.retain(|id| {
                let die = scene.die(*id);
                let there = |d: &crate::session::SceneDie| {
                    let zone = d.sure_zone();
                    zone.is_none() || zone == Some(item.zone)
                };
                die.is_some_and(there)
            });
            if !item.dice.is_empty() {
                return true;
            }
            let zone = item.zone;
            let what = Happened::CleanedUp { zone, left: 0 };
            out.push(Happening::new(scene.at, what, item.evidence));
            told.retain(|(foul, at)| {
                if *at == zone {
                    let what = Happened::FoulEnds {
                        foul: *foul,
                        at: zone,
                    };
                    out.push(Happening::new(scene.at, what, item.evidence));
                }
                *at != zone
            });
            false
        });
        if self.is_done() {
            let evidence = Evidence::of(scene.frame, []);
            out.push(Happening::new(scene.at, Happened::CleanUpDone, evidence));
            self.due = None;
        }
        if self.due.is_some_and(|due| scene.at >= due) {
            for item in &self.items {
                let foul = match item.zone {
                    Zone::On(_, Spot::Shield(_)) => Foul::ShieldsLeftStanding,
                    Zone::On(_, Spot::Jammer) => Foul::JammersLeft,
                    _ => Foul::DiceLeft,
                };
                let seen = |id: &u64| scene.die(*id).is_some_and(|d| d.is_sure());
                if self.told.contains(&(foul, item.zone)) || !item.dice.iter().any(seen) {
                    continue;
                }
                self.told.push((foul, item.zone));
                let what = Happened::FoulBegins {
                    foul,
                    at: item.zone,
                    verdict: Verdict::Must,
                };
                let about = item.dice.clone();
                out.push(Happening::new(scene.at, what, item.evidence).about(about));
            }
        }
        out
    }
}
