//! Every station die that is placed costs an energy die, which goes back to engineering, or a crystal.

use std::time::Duration;

use super::{
    facts::Fact,
    happening::{Foul, Happened, Happening},
};
use crate::{
    rules::{
        Verdict,
        dice_duel::{ShipId, Spot, Station, Symbol, Zone},
    },
    session::{Evidence, scene::Scene},
};

/// How long hands have to bring the energy back.
const GRACE: Duration = Duration::from_secs(3);
/// How long before a die is placed its energy may have gone back.
const AHEAD: Duration = Duration::from_secs(10);
/// How long a die may be in the hand that puts it where it lay.
const PUT_BACK: Duration = Duration::from_secs(2);
/// How long ago a hand was over a display that put a die there which is read only now.
const TOUCHED: Duration = Duration::from_secs(6);
/// How long a place that was hidden has to be seen again before anything is said.
const SEEN_FOR: Duration = Duration::from_millis(700);

#[derive(Debug, Clone)]
struct Debit {
    at: Duration,
    ship: ShipId,
    spot: Spot,
    die: u64,
    shows: Option<Symbol>,
    evidence: Evidence,
    told: bool,
    /// No hand was near: it was there before, or a hand was missed. It takes the energy that pays for it, but nobody is
    /// accused.
    silent: bool,
}

#[derive(Debug, Clone, Copy)]
struct Credit {
    at: Duration,
    ship: ShipId,
    /// `None` for a crystal, which pays for any.
    station: Option<Station>,
}

/// What was placed and what was paid.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    debits: Vec<Debit>,
    credits: Vec<Credit>,
    /// Station dice that were taken off a moment ago: put back, they cost nothing.
    in_hand: Vec<Fact>,
    /// When hands were last over the energy of a ship's station.
    covered: Vec<(ShipId, Station, Duration)>,
    /// When they were last over anything of its display.
    touched: Vec<(ShipId, Station, Duration)>,
}

impl Balance {
    /// A crystal went to the used box: it pays for one die.
    pub fn crystal(&mut self, at: Duration, ship: ShipId) {
        let station = None;
        self.credits.push(Credit { at, ship, station });
    }

    /// `shows_hands`: whether hands over displays are seen.
    pub fn take(&mut self, fact: &Fact, shows_hands: bool) {
        if let Some((ship, station)) = fact.returned() {
            let station = Some(station);
            self.credits.push(Credit {
                at: fact.at,
                ship,
                station,
            });
        }
        if let Some((ship, spot)) = fact.placed() {
            let same = |f: &Fact| {
                let there = matches!(f.from, Some(Zone::On(s, p)) if (s, p.station()) == (ship, spot.station()));
                there && f.shows == fact.shows
            };
            if let Some(back) = self.in_hand.iter().position(same) {
                self.in_hand.remove(back);
                return;
            }
            let mut touched = self.touched.iter();
            let by_hand = touched
                .any(|(s, p, at)| (*s, *p) == (ship, spot.station()) && fact.at <= *at + TOUCHED);
            let silent = shows_hands && !by_hand;
            self.debits.push(Debit {
                at: fact.at,
                ship,
                spot,
                die: fact.die,
                shows: fact.shows,
                evidence: fact.evidence,
                told: false,
                silent,
            });
        } else if let Some(Zone::On(_, spot)) = fact.from
            && !matches!(spot, Spot::Pool | Spot::Energy(_))
            && fact.to.is_none()
        {
            if !self.came_elsewhere(fact) {
                self.in_hand.push(*fact);
            }
        }
    }

    /// Where a hand hides the place that a die was taken from, it is seen to be gone only after it was seen where it went: what lies
    /// there since is no die more. A debt that the one taken off still has goes on with it.
    fn came_elsewhere(&mut self, taken: &Fact) -> bool {
        let Some(Zone::On(ship, from)) = taken.from else {
            return false;
        };
        let moved = self.debits.iter().position(|d| {
            let late = d.at <= taken.at && taken.at <= d.at + GRACE;
            let alike = d.shows == taken.shows && d.spot.station() == from.station();
            d.ship == ship && d.die != taken.die && alike && late && !d.told
        });
        let Some(moved) = moved.map(|i| self.debits.remove(i)) else {
            return false;
        };
        if let Some(owed) = self.debits.iter_mut().find(|d| d.die == taken.die) {
            owed.die = moved.die;
            // what was told of is put right where it was told of
            if !owed.told {
                owed.spot = moved.spot;
            }
        }
        true
    }

    /// Takes the time of the next scene: what is paid is struck out, and what is not, in time, is said.
    pub fn settle(&mut self, scene: &Scene) -> Vec<Happening> {
        let now = scene.at;
        self.note_covers(scene);
        let mut out = Vec::new();
        // the oldest debt is paid first
        let credits = &mut self.credits;
        self.debits.retain(|debit| {
            let pays = |c: &Credit| {
                let of = c.station.is_none_or(|s| s == debit.spot.station());
                c.ship == debit.ship && of && c.at + AHEAD >= debit.at
            };
            let paid = credits.iter().position(pays);
            let left = scene.die(debit.die).is_none();
            if debit.told && (paid.is_some() || left) {
                let what = Happened::FoulEnds {
                    foul: Foul::PlacedWithoutEnergy,
                    at: Zone::On(debit.ship, debit.spot),
                };
                out.push(Happening::new(now, what, debit.evidence).about(vec![debit.die]));
            }
            if let Some(paid) = paid {
                credits.remove(paid);
            }
            let over = left && (debit.told || now > debit.at + GRACE);
            paid.is_none() && !over && !(debit.silent && now > debit.at + AHEAD)
        });
        let covered = &self.covered;
        for debit in self.debits.iter_mut().filter(|d| !d.told && !d.silent) {
            let station = debit.spot.station();
            let hand = covered
                .iter()
                .find(|(s, p, _)| (*s, *p) == (debit.ship, station));
            let hand = hand.map(|(_, _, at)| *at);
            // hands that were there when it was exchanged hid what was
            let hid = hand.is_some_and(|at| at + GRACE >= debit.at);
            let waits = hand.is_some_and(|at| now < at + SEEN_FOR) && now < debit.at + 3 * GRACE;
            if now < debit.at + GRACE || waits {
                continue;
            }
            debit.told = true;
            let what = Happened::FoulBegins {
                foul: Foul::PlacedWithoutEnergy,
                at: Zone::On(debit.ship, debit.spot),
                verdict: if hid { Verdict::Unsure } else { Verdict::Must },
            };
            out.push(Happening::new(now, what, debit.evidence).about(vec![debit.die]));
        }
        self.credits.retain(|c| now <= c.at + AHEAD);
        self.in_hand.retain(|f| now <= f.at + PUT_BACK);
        out
    }

    fn note_covers(&mut self, scene: &Scene) {
        let ships = scene.dice.iter().filter_map(|d| d.at.known()?.ship());
        let ships = ships.chain(scene.hidden.iter().filter_map(|z| z.ship()));
        let mut ships: Vec<ShipId> = ships.collect();
        ships.sort_unstable();
        ships.dedup();
        for ship in ships {
            for station in Station::POWERED {
                if scene.hides(Zone::On(ship, Spot::Energy(station))) {
                    mark(&mut self.covered, ship, station, scene.at);
                }
                if scene.hides_any(ship, station) {
                    mark(&mut self.touched, ship, station, scene.at);
                }
            }
        }
    }
}

fn mark(last: &mut Vec<(ShipId, Station, Duration)>, ship: ShipId, station: Station, at: Duration) {
    last.retain(|(s, p, _)| (*s, *p) != (ship, station));
    last.push((ship, station, at));
}
