//! Where each die surely lay last, and what that says when it changes.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    rules::dice_duel::{DieKind, ShipId, Spot, Station, Symbol, Zone},
    session::{Evidence, scene::Scene},
};

/// A die that came to lie somewhere, or left it, surely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fact {
    pub at: Duration,
    pub die: u64,
    pub kind: Option<DieKind>,
    pub shows: Option<Symbol>,
    pub from: Option<Zone>,
    pub to: Option<Zone>,
    pub evidence: Evidence,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Laid {
    zone: Zone,
    kind: Option<DieKind>,
    shows: Option<Symbol>,
    evidence: Evidence,
}

/// Where each die surely lay last.
#[derive(Debug, Clone, Default)]
pub(super) struct Lying {
    laid: BTreeMap<u64, Laid>,
    begun: bool,
}

impl Lying {
    /// What changed; nothing of what lay there when the watch began.
    pub fn follow(&mut self, scene: &Scene) -> Vec<Fact> {
        let mut facts = Vec::new();
        let gone = |id: &u64| scene.die(*id).is_none();
        self.laid.retain(|id, was| {
            if gone(id) {
                facts.push(Fact {
                    at: scene.at,
                    die: *id,
                    kind: was.kind,
                    shows: was.shows,
                    from: Some(was.zone),
                    to: None,
                    evidence: was.evidence,
                });
            }
            !gone(id)
        });
        for die in &scene.dice {
            let Some(zone) = die.sure_zone() else {
                continue;
            };
            let now = Laid {
                zone,
                kind: die.kind,
                shows: die.shows,
                evidence: die.evidence,
            };
            let was = self.laid.insert(die.id, now);
            if was.is_none_or(|w| w.zone != zone) {
                facts.push(Fact {
                    at: scene.at,
                    die: die.id,
                    kind: die.kind,
                    shows: die.shows,
                    from: was.map(|w| w.zone),
                    to: Some(zone),
                    evidence: die.evidence,
                });
            }
        }
        if !std::mem::replace(&mut self.begun, true) {
            facts.clear();
        }
        facts
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Fact {
    /// A station die that came onto its display from elsewhere.
    pub fn placed(&self) -> Option<(ShipId, Spot)> {
        let (Some(Zone::On(ship, spot)), Some(kind)) = (self.to, self.kind) else {
            return None;
        };
        let energy = matches!(spot, Spot::Pool | Spot::Energy(_));
        let within =
            matches!(self.from, Some(Zone::On(s, p)) if (s, p.station()) == (ship, spot.station()));
        (!energy && !within && kind == spot.die_kind()).then_some((ship, spot))
    }

    /// An energy die that left a station, but not as damage.
    pub fn returned(&self) -> Option<(ShipId, Station)> {
        match (self.from, self.to, self.kind) {
            (_, Some(Zone::Damage(..)), _) => None,
            (Some(Zone::On(ship, Spot::Energy(station))), _, Some(DieKind::Energy)) => {
                Some((ship, station))
            }
            _ => None,
        }
    }

    /// An energy die that came to a station.
    pub fn given(&self) -> Option<(ShipId, Station)> {
        match (self.to, self.kind) {
            (Some(Zone::On(ship, Spot::Energy(station))), Some(DieKind::Energy)) => {
                Some((ship, station))
            }
            _ => None,
        }
    }
}
