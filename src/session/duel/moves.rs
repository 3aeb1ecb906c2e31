//! Ships that move: what their helm dice said, and whether the hand did that.

use std::{collections::BTreeMap, time::Duration};

use super::{
    agree::Memory,
    aspect::Aspect,
    happening::{Foul, Happened, Happening},
};
use crate::{
    rules::{
        Verdict,
        dice_duel::{HelmSlot, Position, ShipId, Spot, Square, What, Zone},
    },
    session::{Evidence, scene::Scene},
};

/// How long a miniature has to stand before its move is judged.
const STANDS: Duration = Duration::from_millis(500);
/// How long it may rest on a square that its course passes.
const RESTS: Duration = Duration::from_secs(3);
/// How long after its dice were last hidden a helm may have been complete under a hand.
const HIDDEN: Duration = Duration::from_secs(3);

/// What was told of the ships.
#[derive(Debug, Clone, Default)]
pub(super) struct Moves {
    squares: BTreeMap<ShipId, Square>,
    complete: BTreeMap<ShipId, bool>,
    told: BTreeMap<ShipId, Foul>,
    begun: bool,
}

fn evidence(scene: &Scene, ship: ShipId) -> Evidence {
    let mut ships = scene.ships.iter();
    let found = ships.find(|s| s.ship == ship).map(|s| s.evidence);
    found.unwrap_or_else(|| Evidence::of(scene.frame, []))
}

impl Moves {
    /// Squares that are entered, and helms that are complete.
    pub fn note(&mut self, scene: &Scene, seen: &Position, out: &mut Vec<Happening>) {
        let first = !std::mem::replace(&mut self.begun, true);
        for ship in &scene.ships {
            let Some(square) = ship.claim.square.known() else {
                continue;
            };
            if self.squares.insert(ship.ship, *square) != Some(*square) && !first {
                let what = Happened::Entered {
                    ship: ship.ship,
                    square: *square,
                    facing: ship.claim.facing.known().copied(),
                };
                out.push(Happening::new(scene.at, what, ship.evidence));
            }
        }
        for ship in seen.ships().iter().map(|s| s.id()) {
            let filled = |slot: &HelmSlot| {
                let zone = Zone::On(ship, Spot::Helm(*slot));
                let mut dice = scene.dice_in(zone);
                (dice.any(|d| d.is_sure()), scene.hides(zone))
            };
            let slots = HelmSlot::ALL.map(|s| filled(&s));
            if slots.iter().any(|(_, hidden)| *hidden) {
                continue;
            }
            let dice = seen.ship(ship).and_then(|s| s.helm_dice());
            let all = dice.is_some() && slots.iter().all(|(sure, _)| *sure);
            let was = self.complete.insert(ship, all);
            if all && was != Some(true) {
                let dice = HelmSlot::ALL.iter().flat_map(|slot| {
                    let zone = Zone::On(ship, Spot::Helm(*slot));
                    scene.dice_in(zone).map(|d| d.id)
                });
                let what = Happened::HelmComplete { ship };
                let mut crops = scene.dice_in(Zone::On(ship, Spot::Helm(HelmSlot::C)));
                let at = crops
                    .next()
                    .map_or(Evidence::of(scene.frame, []), |d| d.evidence);
                out.push(Happening::new(scene.at, what, at).about(dice.collect()));
                let call = seen.call(What::Helm { ship });
                out.extend(call.map(|c| Happening::judged(scene.at, &c, at)));
            }
        }
    }

    /// Ships that stand where nothing brings them.
    pub fn fouls(
        &mut self,
        scene: &Scene,
        memory: &Memory,
        record: &Position,
        open: &[(Aspect, String)],
        busy: bool,
    ) -> Vec<Happening> {
        let mut out = Vec::new();
        let moved = |ship: &ShipId| open.iter().any(|(a, _)| *a == Aspect::Stand(*ship));
        self.told.retain(|ship, foul| {
            let ends = !moved(ship);
            if ends {
                let what = Happened::FoulEnds {
                    foul: *foul,
                    at: Zone::Ship(*ship),
                };
                out.push(Happening::new(scene.at, what, evidence(scene, *ship)));
            }
            !ends
        });
        if busy {
            return out;
        }
        for mini in &scene.ships {
            let ship = mini.ship;
            let stands = scene.at.saturating_sub(mini.still_since);
            if !moved(&ship) || self.told.contains_key(&ship) || stands < STANDS {
                continue;
            }
            let since = mini.still_since;
            let (foul, verdict) = match memory.helm(ship, since, record) {
                Helm::Complete { path } => {
                    let square = mini.claim.square.known();
                    let passes = square.is_some_and(|s| path.contains(s));
                    if passes && stands < RESTS {
                        continue;
                    }
                    (Foul::MovedElsewhere, Verdict::Must)
                }
                Helm::Waits => (Foul::MovedWithoutHelm, Verdict::Must),
                Helm::Unknown => (Foul::MovedWithoutHelm, Verdict::Unsure),
            };
            self.told.insert(ship, foul);
            let moved = Happened::ShipMoved {
                ship,
                announced: false,
            };
            out.push(Happening::new(scene.at, moved, mini.evidence));
            let what = Happened::FoulBegins {
                foul,
                at: Zone::Ship(ship),
                verdict,
            };
            out.push(Happening::new(scene.at, what, mini.evidence));
        }
        out
    }
}

/// What the helm of a ship said before it moved.
enum Helm {
    /// It had to move, along these squares.
    Complete {
        path: Vec<Square>,
    },
    Waits,
    /// Hands hid it.
    Unknown,
}

impl Memory {
    /// What a ship's helm said in the last seconds before it came to stand.
    fn helm(&self, ship: ShipId, before: Duration, record: &Position) -> Helm {
        let stood = Aspect::Stand(ship).value(record);
        let mut hidden = false;
        for moment in self.different() {
            // its dice count from where it stood
            let there = Aspect::Stand(ship).value(&moment.position) == stood;
            let call = moment.position.call(What::Helm { ship });
            match call.filter(|_| there).map(|c| (c.verdict, c.numbers.path)) {
                Some((Verdict::Must, path)) => return Helm::Complete { path },
                Some((Verdict::Unsure, _)) => {
                    hidden |= moment.scene.at + HIDDEN >= before;
                }
                _ => {}
            }
            let slot = |s: &HelmSlot| moment.scene.hides(Zone::On(ship, Spot::Helm(*s)));
            hidden |= HelmSlot::ALL.iter().any(slot) && moment.scene.at + HIDDEN >= before;
        }
        if hidden { Helm::Unknown } else { Helm::Waits }
    }
}
