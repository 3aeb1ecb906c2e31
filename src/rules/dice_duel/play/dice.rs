//! Dice handed out, placed, taken off, lost.

use crate::rules::Span;
use crate::rules::dice_duel::action::obstacle_spots;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::dice_box::DiceBox;
use crate::rules::dice_duel::flow::Owed;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::SavedDie;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::symbol::{DieKind, Faces, Symbol};
use crate::rules::dice_duel::zone::{HelmSlot, Spot, Station, Zone};

/// Energy dice of a ship that lie on no display and not on the damage track.
pub(super) fn energy_elsewhere(position: &Position, ship: &Ship) -> Span {
    let play = ship.energy_in_play(&position.print);
    let placed = ship.dice_on_displays(DieKind::Energy);
    Span {
        min: play.min.saturating_sub(placed.max),
        max: play.max.saturating_sub(placed.min),
    }
}

/// The die to take: one that surely shows the symbol, else one that may.
fn find(dice: &DiceBox, symbol: Symbol) -> Option<usize> {
    let sure = |d: &Faces| d.known() == Some(symbol);
    let may = |d: &Faces| d.contains(symbol);
    let list = dice.dice();
    list.iter()
        .position(sure)
        .or_else(|| list.iter().position(may))
}

/// An energy die that surely lies there.
fn find_energy(dice: &DiceBox) -> Option<usize> {
    dice.dice()
        .iter()
        .position(|d| d.is_present() && d.symbols().all(|s| s.fits(DieKind::Energy)))
}

pub(super) fn route(edits: &mut Edits<'_>, id: ShipId, number: u8) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    let Some(station) = position.print.route(number) else {
        return Err(Reason::EnergyPowersNothing { number });
    };
    let symbol = Symbol::energy(number).ok_or(Reason::EnergyPowersNothing { number })?;
    let pool = ship.dice(Spot::Pool);
    let sure = |d: &Faces| d.known() == Some(symbol);
    let from_pool = pool
        .dice()
        .iter()
        .position(sure)
        .or_else(|| find_energy(pool));
    if from_pool.is_none() && energy_elsewhere(position, ship).min == 0 {
        return Err(match pool.is_empty() {
            true => Reason::NoEnergyDie,
            false => Reason::Unknown {
                at: Zone::On(id, Spot::Pool),
            },
        });
    }
    if let Some(index) = from_pool {
        edits.dice(id, Spot::Pool, |dice| {
            dice.take_at(index);
        });
    }
    edits.dice(id, Spot::Energy(station), |dice| {
        dice.push(Faces::one(symbol));
    });
    Ok(())
}

/// What every placing of a station die asks, however it is paid for.
fn placeable(position: &Position, ship: &Ship, spot: Spot, symbol: Symbol) -> Result<(), Reason> {
    let energy = matches!(spot, Spot::Pool | Spot::Energy(_));
    if energy || !position.print.legal(spot).contains(symbol) {
        return Err(Reason::MayNotLie { symbol, spot });
    }
    if spot.is_slot() {
        match ship.slot_filled(spot) {
            Some(false) => {}
            Some(true) => return Err(Reason::SlotFull { spot }),
            None => {
                return Err(Reason::Unknown {
                    at: Zone::On(ship.id(), spot),
                });
            }
        }
    }
    Ok(())
}

fn die_free(position: &Position, ship: &Ship, station: Station) -> Result<(), Reason> {
    let kind = station.die_kind();
    let all = u16::from(position.print.dice_of(kind));
    let placed = ship.dice_on_displays(kind);
    if placed.max < all {
        Ok(())
    } else if placed.min >= all {
        Err(Reason::NoDieFree { station })
    } else {
        Err(Reason::Unknown {
            at: Zone::Display(ship.id(), station),
        })
    }
}

pub(super) fn place(
    edits: &mut Edits<'_>,
    id: ShipId,
    spot: Spot,
    symbol: Symbol,
) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    placeable(position, ship, spot, symbol)?;
    let station = spot.station();
    die_free(position, ship, station)?;
    let energy = ship.dice(Spot::Energy(station));
    let Some(index) = find_energy(energy) else {
        return Err(match energy.is_empty() {
            true => Reason::NoEnergyAt { station },
            false => Reason::Unknown {
                at: Zone::On(id, Spot::Energy(station)),
            },
        });
    };
    let mut back = None;
    edits.dice(id, Spot::Energy(station), |dice| back = dice.take_at(index));
    if let Some(die) = back {
        edits.dice(id, Spot::Pool, |dice| {
            dice.push(die);
        });
    }
    edits.dice(id, spot, |dice| {
        dice.push(Faces::one(symbol));
    });
    Ok(())
}

pub(super) fn take(
    edits: &mut Edits<'_>,
    id: ShipId,
    spot: Spot,
    symbol: Symbol,
) -> Result<(), Reason> {
    let ship = edits.position().may_act(id)?;
    if matches!(spot, Spot::Pool | Spot::Energy(_)) {
        return Err(Reason::NoSuchDie { symbol, spot });
    }
    let index = find(ship.dice(spot), symbol).ok_or(Reason::NoSuchDie { symbol, spot })?;
    edits.dice(id, spot, |dice| {
        dice.take_at(index);
    });
    Ok(())
}

pub(super) fn override_station(
    edits: &mut Edits<'_>,
    id: ShipId,
    spot: Spot,
    symbol: Symbol,
) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    placeable(position, ship, spot, symbol)?;
    die_free(position, ship, spot.station())?;
    super::crystals::pay(edits, id, |numbers| numbers.override_crystals)?;
    edits.dice(id, spot, |dice| {
        dice.push(Faces::one(symbol));
    });
    Ok(())
}

pub(super) fn place_saved(
    edits: &mut Edits<'_>,
    id: ShipId,
    slot: HelmSlot,
    symbol: Symbol,
) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    placeable(position, ship, Spot::Helm(slot), symbol)?;
    let saved = Spot::Energy(Station::Helm);
    let as_rolled = position.print.options.saved_helm_die == SavedDie::AsRolled;
    let may_become = |d: &Faces| {
        let helm = d.is_present() && d.symbols().all(|s| s.fits(DieKind::Helm));
        helm && (!as_rolled || d.known() == Some(symbol))
    };
    let dice = ship.dice(saved).dice();
    let index = dice.iter().position(may_become);
    let index = index.ok_or(Reason::NoSavedDie)?;
    edits.dice(id, saved, |dice| {
        dice.take_at(index);
    });
    edits.dice(id, Spot::Helm(slot), |dice| {
        dice.push(Faces::one(symbol));
    });
    Ok(())
}

pub(super) fn damage(edits: &mut Edits<'_>, id: ShipId, from: Option<Spot>) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
    let owed = Owed::Damage { ship: id };
    if !position.flow.owed.contains(&owed) {
        return Err(Reason::NotAsked);
    }
    let mut index = None;
    match from {
        Some(spot) => {
            let dice = ship.dice(spot);
            let may = |d: &Faces| d.symbols().any(|s| s.fits(DieKind::Energy));
            index = find_energy(dice).or_else(|| dice.dice().iter().position(may));
            if index.is_none() {
                return Err(match spot {
                    Spot::Energy(station) => Reason::NoEnergyAt { station },
                    _ => Reason::NoEnergyDie,
                });
            }
        }
        None if energy_elsewhere(position, ship).max == 0 => return Err(Reason::NoEnergyDie),
        None => {}
    }
    if let (Some(spot), Some(index)) = (from, index) {
        edits.dice(id, spot, |dice| {
            dice.take_at(index);
        });
    }
    let hull = u16::from(edits.position().print.numbers.hull);
    edits.damage(id, |damage| {
        damage.dice = damage.dice.and(1);
        *damage = damage.within(hull);
    });
    let position = edits.position();
    let gone = position.ship(id).and_then(|s| s.destroyed(&position.print)) == Some(true);
    edits.flow(|flow| {
        if gone {
            flow.owed.retain(|o| o.ship() != id);
        } else if let Some(paid) = flow.owed.iter().position(|o| *o == owed) {
            flow.owed.remove(paid);
        }
    });
    Ok(())
}

pub(super) fn discard(
    edits: &mut Edits<'_>,
    id: ShipId,
    spot: Spot,
    symbol: Symbol,
) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
    let station = spot.station();
    let owed = position.flow.owed.iter().position(
        |o| matches!(o, Owed::Discard { ship, station: s, .. } if (*ship, *s) == (id, station)),
    );
    let (Some(owed), true) = (owed, obstacle_spots(station).contains(&spot)) else {
        return Err(Reason::NotAsked);
    };
    let index = find(ship.dice(spot), symbol).ok_or(Reason::NoSuchDie { symbol, spot })?;
    edits.dice(id, spot, |dice| {
        dice.take_at(index);
    });
    let left = edits.position().ship(id).is_some_and(|ship| {
        obstacle_spots(station)
            .iter()
            .any(|s| !ship.dice(*s).is_empty())
    });
    edits.flow(|flow| {
        let done = match flow.owed.get_mut(owed) {
            Some(Owed::Discard { dice, .. }) => {
                *dice = dice.saturating_sub(1);
                *dice == 0 || !left
            }
            _ => false,
        };
        if done {
            flow.owed.remove(owed);
        }
    });
    Ok(())
}
