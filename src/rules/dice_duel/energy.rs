//! Engineering: where energy dice go, and what stations may roll.

use super::call::{Call, What};
use super::pending::Pending;
use super::position::Position;
use super::reason::Reason;
use super::ship::Ship;
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{Spot, Station, Zone};
use crate::rules::{Span, Verdict};

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
        if shows.may_be_absent() {
            return (Verdict::Unsure, None);
        }
        let mut routes = shows.symbols().map(|s| {
            let number = s.energy_number()?;
            self.print.route(number)
        });
        let Some(first) = routes.next() else {
            return (Verdict::Unsure, None);
        };
        if routes.any(|r| r != first) {
            return (Verdict::Unsure, None);
        }
        match first {
            Some(station) => (Verdict::May, Some(station)),
            None => (Verdict::Must, None),
        }
    }

    pub(super) fn energy_call(&self, at: Zone, shows: Faces) -> Call {
        let (verdict, station) = self.energy_verdict(shows);
        let mut call = Call::new(What::Energy { at, shows, station }, verdict);
        call.why(match shows.known().and_then(Symbol::energy_number) {
            None => Reason::NotRead { shows },
            Some(number) => match station {
                Some(station) => Reason::EnergyPowers { number, station },
                None => Reason::EnergyPowersNothing { number },
            },
        });
        if verdict == Verdict::Unsure {
            call.unsure_on.push(at);
        }
        call
    }

    /// Whether a station with energy may roll, and how many dice.
    pub(super) fn roll_verdict(&self, ship: &Ship, station: Station) -> Option<(Verdict, Span)> {
        if ship.dice(Spot::Energy(station)).is_empty() {
            return None;
        }
        let (placed, _) = self.placed(ship, station);
        let dice = ship.rollable_besides(placed, &self.print, station);
        let verdict = match (dice.min, dice.max) {
            (1.., _) => Verdict::May,
            (0, 0) => Verdict::Cannot,
            _ => Verdict::Unsure,
        };
        Some((verdict, dice))
    }

    pub(super) fn roll_call(&self, ship: &Ship, station: Station) -> Option<Call> {
        let (verdict, dice) = self.roll_verdict(ship, station)?;
        let what = What::Roll {
            ship: ship.id,
            station,
        };
        let mut call = Call::new(what, verdict);
        call.numbers.dice = Some(dice);
        let kind = station.die_kind();
        let all = u16::from(self.print.dice_of(kind));
        let (placed, waits) = self.placed(ship, station);
        call.why(Reason::Allowance {
            station,
            energy: ship.dice(Spot::Energy(station)).count(),
            free: Span::between(
                all.saturating_sub(placed.max),
                all.saturating_sub(placed.min),
            ),
        });
        if verdict == Verdict::Unsure {
            call.unsure_on
                .push(Zone::On(ship.id, Spot::Energy(station)));
            if placed.value().is_none() {
                call.unsure_on.push(Zone::Display(ship.id, station));
            }
            call.unsure_on.extend(waits);
        }
        Some(call)
    }

    /// How many of a station's dice lie on its ship's displays, and what that waits for besides what lies there: shields
    /// leave with the launch that struck them, and whether one has may depend on what is not known.
    fn placed(&self, ship: &Ship, station: Station) -> (Span, Vec<Zone>) {
        let placed = ship.dice_on_displays(station.die_kind());
        let launch = self.flow.launch.as_ref();
        let launch = launch.filter(|l| l.target == ship.id && station == Station::Shields);
        match launch.map(|l| (l, self.pending(l))) {
            Some((launch, Pending::Unknown { at, .. })) => {
                let struck = launch.sectors.iter().map(|s| Spot::Shield(*s));
                let most = struck.map(|s| ship.dice(s).count().max).sum::<u16>();
                let least = placed.min.saturating_sub(most);
                (Span::between(least, placed.max), at)
            }
            _ => (placed, Vec::new()),
        }
    }
}
