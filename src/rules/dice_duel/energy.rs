//! Engineering: where energy dice go.

use super::call::{Call, What};
use super::position::Position;
use super::reason::Reason;
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{Spot, Station, Zone};
use crate::rules::Verdict;

impl Position {
    /// Every energy die that waits to be handed out: in a pool, or rolled beside the displays.
    pub(super) fn waiting_energy(&self) -> impl Iterator<Item = (Zone, Faces)> + '_ {
        let pools = self.ships.iter().flat_map(|ship| {
            let at = Zone::On(ship.id, Spot::Pool);
            ship.dice(Spot::Pool)
                .dice()
                .iter()
                .map(move |die| (at, *die))
        });
        let loose = self
            .loose
            .iter()
            .filter(|die| die.kind == DieKind::Energy)
            .map(|die| (die.at, die.faces));
        pools.chain(loose)
    }

    /// Where a die that shows one of `shows` goes: the verdict, and the station if it is one.
    pub(super) fn energy_verdict(&self, shows: Faces) -> (Verdict, Option<Station>) {
        let mut routes = shows
            .symbols()
            .filter_map(Symbol::energy_number)
            .map(|n| self.print.route(n));
        let Some(first) = routes.next() else {
            return (Verdict::Unsure, None);
        };
        if shows.may_be_absent() || routes.any(|r| r != first) {
            return (Verdict::Unsure, None);
        }
        match first {
            Some(station) => (Verdict::May, Some(station)),
            None => (Verdict::Must, None),
        }
    }

    pub(super) fn energy_calls(&self, calls: &mut Vec<Call>) {
        for (at, shows) in self.waiting_energy() {
            let (verdict, station) = self.energy_verdict(shows);
            let reason = match shows.known().and_then(Symbol::energy_number) {
                None => Reason::NotRead { shows },
                Some(number) => match station {
                    Some(station) => Reason::EnergyPowers { number, station },
                    None => Reason::EnergyPowersNothing { number },
                },
            };
            calls.push(Call {
                what: What::Energy { at, shows, station },
                verdict,
                because: vec![crate::rules::Because(reason)],
                unsure_on: match verdict {
                    Verdict::Unsure => vec![at],
                    _ => Vec::new(),
                },
            });
        }
    }

    /// Everything that may be announced.
    pub fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        self.energy_calls(&mut calls);
        calls
    }
}
