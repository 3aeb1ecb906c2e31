//! Dice: each where it lies, or taken off.

use super::Resolver;
use crate::rules::dice_duel::fault::Fault;
use crate::rules::dice_duel::position::LooseDie;
use crate::rules::dice_duel::setup::{DieSetup, Showing};
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::symbol::{DieKind, Faces, Symbol};
use crate::rules::dice_duel::zone::{Spot, Station, Zone};
use crate::rules::{Place, Span};

impl Resolver<'_> {
    pub(super) fn die(&mut self, die: &DieSetup) {
        let zones: &[Zone] = die.at.candidates().unwrap_or(&[Zone::Table]);
        let Some(first) = zones.first().copied() else {
            return;
        };
        let one_place = zones.len() == 1;
        let kind = die.kind.or_else(|| kind_of(&die.means));
        let faces = match (&die.means, kind) {
            (Place::Unknown, Some(kind)) => Some(kind.symbols()),
            (Place::Unknown, None) => None,
            (means, _) => Some(
                means
                    .candidates()
                    .unwrap_or_default()
                    .iter()
                    .map(|s| match s {
                        Showing::Nothing => Faces::ABSENT,
                        Showing::Symbol(s) => Faces::one(as_kind(*s, die.kind)),
                    })
                    .fold(Faces::NONE, Faces::union),
            ),
        };
        if !one_place {
            self.problem(first, Fault::UnsureZone);
        }
        for zone in zones {
            let faces = if one_place {
                faces
            } else {
                faces.map(Faces::or_absent)
            };
            self.die_at(*zone, kind, faces, one_place);
        }
    }

    /// One die in one place it may be in. `faces` is `None` for a die of which nothing is known.
    pub(super) fn die_at(
        &mut self,
        at: Zone,
        kind: Option<DieKind>,
        faces: Option<Faces>,
        only: bool,
    ) {
        let sure = only && faces.is_none_or(Faces::is_present);
        match at {
            Zone::On(ship, spot) => self.die_on(at, ship, spot, kind, faces, sure),
            Zone::Display(ship, station) => {
                self.ship(ship);
                self.note(ship, kind, sure);
                // Returned energy dice may lie anywhere on the engineering display.
                if station == Station::Engineering && kind == Some(DieKind::Energy) {
                    self.die_on(
                        Zone::On(ship, Spot::Pool),
                        ship,
                        Spot::Pool,
                        kind,
                        faces,
                        false,
                    );
                    return;
                }
                if only {
                    self.problem(at, Fault::OutsideZones);
                }
            }
            Zone::Damage(ship, _) => {
                let energy = faces.is_none_or(|f| f.symbols().any(|s| s.fits(DieKind::Energy)));
                if !energy {
                    if only {
                        self.problem(at, Fault::NotDamage);
                    }
                    return;
                }
                let known = sure && kind == Some(DieKind::Energy);
                if only && !known {
                    self.problem(at, Fault::ForeignDie);
                }
                let hull = u16::from(self.print.numbers.hull);
                let damage = &mut self.ship(ship).damage;
                damage.dice = damage.dice.plus(Span::between(u16::from(known), 1));
                let seen = damage.total().min;
                let over = seen > hull;
                *damage = damage.within(hull);
                if over {
                    damage.dice = Span::between(0, hull);
                    self.problem(at, Fault::TooMuchDamage { seen, hull });
                }
            }
            Zone::Table | Zone::Beside(_) => {
                if let Some(ship) = at.ship() {
                    self.ship(ship);
                    self.note(ship, kind, sure);
                }
                if let (Some(kind), Some(faces)) = (kind, faces) {
                    // A symbol is of no use beside the displays, but an energy number is.
                    if kind == DieKind::Energy && !faces.is_known() && only {
                        self.problem(at, Fault::UnsureDie { shows: faces });
                    }
                    self.loose.push(LooseDie { at, kind, faces });
                }
            }
            Zone::Crystals(ship) | Zone::Ship(ship) => {
                self.note(ship, kind, sure);
            }
            Zone::Board(_) | Zone::Map | Zone::UsedCrystals => {}
        }
    }

    pub(super) fn note(&mut self, ship: ShipId, kind: Option<DieKind>, sure: bool) {
        if sure && let Some(kind) = kind {
            let n = self.seen.entry((ship, kind)).or_default();
            *n = n.saturating_add(1);
        }
    }

    pub(super) fn die_on(
        &mut self,
        at: Zone,
        ship: ShipId,
        spot: Spot,
        kind: Option<DieKind>,
        faces: Option<Faces>,
        sure: bool,
    ) {
        self.ship(ship);
        self.note(ship, kind, sure);
        let legal = self.print.legal(spot);
        if legal.is_empty() {
            self.problem(at, Fault::NoSuchPlace);
            return;
        }
        let Some(faces) = faces else {
            self.problem(at, Fault::ForeignDie);
            self.put(ship, spot, legal.or_absent());
            return;
        };
        let fits = faces.intersection(legal);
        let wants = spot.die_kind();
        if fits.is_empty() {
            if !faces.is_present() {
                // It may lie elsewhere, where it belongs; that its place is not known has been said.
                return;
            }
            // Nothing it may show belongs here: it is taken off, as the book says.
            let Some(shows) = faces.symbols().next() else {
                return;
            };
            let is = kind.unwrap_or(wants);
            let station_die = is != DieKind::Energy;
            let is_unusable = |s: Symbol| {
                s == Symbol::Expansion
                    || (matches!(spot, Spot::Tube(..)) && s.blasts() > 0 && s.part().is_none())
            };
            // whichever of them it shows
            let unusable = faces.symbols().all(is_unusable);
            let expands = faces.symbols().any(|s| s == Symbol::Expansion);
            if self.print.options.expansion_symbols && expands {
                return;
            }
            let fault = if matches!(spot, Spot::Energy(_)) && station_die {
                Fault::StationDieInEnergy { kind: is }
            } else if is != wants {
                Fault::WrongKind { kind: is, wants }
            } else if unusable {
                Fault::UnusableSymbol { shows }
            } else {
                Fault::WrongZone {
                    shows: faces.present(),
                }
            };
            self.problem(at, fault);
            return;
        }
        if !faces.is_known() {
            self.problem(at, Fault::UnsureDie { shows: faces });
        }
        // If it is what does not belong here, it is taken off; so it may as well not be there.
        let die = if faces.is_subset(legal) {
            fits
        } else {
            fits.or_absent()
        };
        if let (Spot::Energy(station), Some(number)) =
            (spot, die.known().and_then(Symbol::energy_number))
            && self.print.route(number) != Some(station)
        {
            self.problem(at, Fault::WrongEnergyNumber { number, station });
            if !self.print.options.energy_number_is_soft {
                return;
            }
        }
        self.put(ship, spot, die);
    }

    pub(super) fn put(&mut self, ship: ShipId, spot: Spot, die: Faces) {
        if spot.is_slot() {
            self.slots.push((ship, spot, die));
            return;
        }
        let room = self
            .ship(ship)
            .dice_mut(spot)
            .is_some_and(|dice| dice.push(die));
        if !room {
            self.problem(Zone::On(ship, spot), Fault::Crowded);
        }
    }

    /// Two legal dice in one slot: one of them counts, and which is not known.
    pub(super) fn full_slots(&mut self) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.sort_by_key(|(ship, spot, _)| (*ship, spot.index()));
        let mut rest = slots.as_slice();
        while let Some((ship, spot, _)) = rest.first().copied() {
            let end = rest
                .iter()
                .position(|(s, p, _)| (*s, *p) != (ship, spot))
                .unwrap_or(rest.len());
            let (here, others) = rest.split_at(end);
            rest = others;
            let sure = here.iter().filter(|(_, _, d)| d.is_present()).count();
            let mut die = here
                .iter()
                .fold(Faces::NONE, |all, (_, _, d)| all.union(*d));
            if sure > 0 {
                die = die.present();
            }
            if sure > 1 {
                self.problem(
                    Zone::On(ship, spot),
                    Fault::SlotTaken {
                        dice: sure.min(255) as u8,
                    },
                );
            }
            if let Some(dice) = self.ship(ship).dice_mut(spot) {
                dice.push(die);
            }
        }
    }
}

/// On a shield die, 1 to 4 may be written for S1 to S4.
fn as_kind(symbol: Symbol, kind: Option<DieKind>) -> Symbol {
    match (kind, symbol) {
        (Some(DieKind::Shield), Symbol::Energy1) => Symbol::Shield1,
        (Some(DieKind::Shield), Symbol::Energy2) => Symbol::Shield2,
        (Some(DieKind::Shield), Symbol::Energy3) => Symbol::Shield3,
        (Some(DieKind::Shield), Symbol::Energy4) => Symbol::Shield4,
        _ => symbol,
    }
}

/// The kind all the symbols a die may show agree on: an expansion is on dice of several kinds, and on none of the others.
fn kind_of(means: &Place<Showing>) -> Option<DieKind> {
    let all = means.candidates()?.iter();
    let mut symbols = all.filter_map(|showing| match showing {
        Showing::Symbol(symbol) => Some(*symbol),
        Showing::Nothing => None,
    });
    let kind = symbols.clone().find_map(Symbol::kind)?;
    symbols.all(|s| s.fits(kind)).then_some(kind)
}
