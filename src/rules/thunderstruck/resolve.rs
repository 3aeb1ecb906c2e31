//! From a set-up to a position: what is illegal is taken off, as the rules say, what is unclear
//! becomes unknown, and both are said.

use std::sync::Arc;

use super::fault::{Fault, Problem};
use super::flow::{Flow, Owed, Phase, Screen};
use super::pips::Pips;
use super::position::Position;
use super::print::Print;
use super::setup::{Setup, ShipSetup};
use super::ship::Ship;
use super::spot::{Duty, Shield, ShipId, Spot};
use super::track::Field;
use super::zone::Zone;
use crate::rules::{Place, Span};

type Problems = Vec<Problem>;

fn say(problems: &mut Problems, at: Zone, fault: Fault) {
    problems.push(Problem { at, fault });
}

/// A place in its one normal form: what may be there once each, in order.
pub(crate) fn normal<T: Ord + Copy>(place: &Place<T>, all: &[T]) -> Place<T> {
    let Some(values) = place.candidates() else {
        return Place::Unknown;
    };
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    match values.as_slice() {
        [] => Place::Unknown,
        [one] => Place::Known(*one),
        _ if values == all => Place::Unknown,
        _ => Place::OneOf(values),
    }
}

impl Setup {
    /// The position that is claimed, and what was wrong or unknown on the way. Never fails: an
    /// offending die is taken off, and what cannot be decided is unknown.
    ///
    /// Of a console whose screen stands nothing is taken in: two set-ups that differ only there
    /// give the same position and the same problems.
    pub fn resolve(&self, print: &Print) -> (Position, Problems) {
        let mut problems = Vec::new();
        let mut claims: Vec<&ShipSetup> = Vec::new();
        for ship in &self.ships {
            if claims.iter().any(|s| s.id == ship.id) {
                say(&mut problems, Zone::Ship(ship.id), Fault::ShipTwice);
            } else {
                claims.push(ship);
            }
        }
        claims.sort_by_key(|s| s.id);
        if let [alone] = claims.as_slice()
            && let Some(missing) = ShipId::ALL.iter().find(|id| **id != alone.id)
        {
            say(&mut problems, Zone::Ship(*missing), Fault::Alone);
        }
        let field = print.field(claims.len());
        let phase = self.flow.phase;
        let mut ships: Vec<Ship> = claims
            .iter()
            .map(|claim| {
                let exempt: &[Spot] = match phase == Phase::Actions && self.flow.turn == claim.id {
                    true => &self.flow.acting,
                    false => &[],
                };
                read_ship(claim, print, field, exempt, &mut problems)
            })
            .collect();
        part_shared_spaces(&mut ships, &mut problems);
        let flow = read_flow(&self.flow, print, &ships, &mut problems);
        for ship in &mut ships {
            if phase == Phase::Planning && !ship.retired && !ship.screen.hides() {
                check_plan(ship, &mut problems);
            }
            if phase == Phase::Actions && !ship.retired && ship.screen.hides() {
                say(&mut problems, Zone::Console(ship.id), Fault::ScreenStands);
            }
        }
        let position = Position {
            print: Arc::new(print.clone()),
            ships,
            flow,
        };
        for ship in &position.ships {
            let (seen, exist) = (ship.dice_count().min, position.dice_of(ship.id));
            if !ship.screen.hides() && seen > exist {
                let at = Zone::Console(ship.id);
                say(&mut problems, at, Fault::TooManyDice { seen, exist });
            }
        }
        (position, problems)
    }
}

fn read_ship(
    claim: &ShipSetup,
    print: &Print,
    field: &Field,
    exempt: &[Spot],
    problems: &mut Problems,
) -> Ship {
    let id = claim.id;
    let mut ship = Ship::new(id);
    read_tokens(claim, &mut ship, problems);
    ship.retired = claim.retired || ship.lost().is_some();
    let fit = u16::from(print.numbers.cubes);
    if claim.cubes.min > fit {
        let seen = claim.cubes.min;
        say(problems, Zone::Cubes(id), Fault::TooManyCubes { seen, fit });
    }
    ship.cubes = Span {
        min: claim.cubes.min.min(fit),
        max: claim.cubes.max.min(fit),
    };
    ship.boosted = area(&claim.boosted);
    ship.manoeuvred = area(&claim.manoeuvred);
    if ship.retired {
        // Its piece and its dice are off the table.
        return ship;
    }
    ship.heading = normal(&claim.heading, super::track::Heading::ALL);
    ship.space = match claim.space.candidates() {
        None => Place::Unknown,
        Some(spaces) => {
            let on: Vec<_> = spaces.iter().copied().filter(|s| field.holds(*s)).collect();
            if let Some(off) = spaces.iter().find(|s| !field.holds(**s)) {
                say(problems, Zone::Ship(id), Fault::OffField { space: *off });
            }
            let all: Vec<_> = field.spaces().collect();
            normal(&Place::OneOf(on), &all)
        }
    };
    if !ship.space.is_known() {
        say(problems, Zone::Ship(id), Fault::Unsure);
    }
    if !ship.heading.is_known() {
        say(problems, Zone::Heading(id), Fault::Unsure);
    }
    ship.screen = claim.screen;
    if ship.screen.hides() {
        ship.dice = [Pips::MAYBE; super::spot::SPOTS];
    } else {
        read_dice(claim, print, exempt, &mut ship, problems);
    }
    ship
}

/// Dice in an area, without those that are certainly none, in order: they lie in a heap.
fn area(dice: &[Pips]) -> Vec<Pips> {
    let mut dice: Vec<Pips> = dice.iter().copied().filter(|d| d.may_be_there()).collect();
    dice.sort_unstable();
    dice
}

fn read_tokens(claim: &ShipSetup, ship: &mut Ship, problems: &mut Problems) {
    let id = claim.id;
    for spot in Spot::ALL {
        let there = if claim.damage.contains(spot) {
            Place::Known(true)
        } else if claim.damage_unsure.contains(spot) {
            say(problems, Zone::Damage(id, *spot), Fault::Unsure);
            Place::Unknown
        } else {
            Place::Known(false)
        };
        ship.set_damage(*spot, there);
    }
    for shield in Shield::ALL {
        let at = Zone::Shield(id, *shield);
        let mut up = if claim.shields.contains(shield) {
            Place::Known(true)
        } else if claim.shields_unsure.contains(shield) {
            say(problems, at, Fault::Unsure);
            Place::Unknown
        } else {
            Place::Known(false)
        };
        match ship.damage(shield.spot()).known() {
            Some(true) => {
                if up == Place::Known(true) {
                    say(problems, at, Fault::ShieldOnDamage);
                }
                up = Place::Known(false);
            }
            // The token may be there, and have taken the shield down.
            None if up == Place::Known(true) => up = Place::Unknown,
            _ => {}
        }
        ship.set_shield(*shield, up);
    }
}

fn read_dice(
    claim: &ShipSetup,
    print: &Print,
    exempt: &[Spot],
    ship: &mut Ship,
    problems: &mut Problems,
) {
    for spot in Spot::ALL {
        let at = Zone::Die(claim.id, *spot);
        let mut pips: Option<Pips> = None;
        let (mut sure, mut absent) = (0usize, true);
        for die in claim.dice.iter().filter(|d| d.shows.may_be_there()) {
            let here = match die.at.candidates() {
                Some(spots) if !spots.contains(spot) => continue,
                Some([_]) => !die.shows.may_be_absent(),
                Some(spots) => spots.iter().all(|s| s == spot) && !die.shows.may_be_absent(),
                None => false,
            };
            if here {
                sure += 1;
                absent = false;
            }
            pips = Some(pips.map_or(die.shows, |p| p.or(die.shows)));
        }
        let Some(pips) = pips else { continue };
        if sure > 1 {
            say(problems, at, Fault::SpotTaken { dice: sure });
        }
        let numbers = pips.numbers().filter_map(Pips::known);
        let shown = numbers.fold(None, |all: Option<Pips>, p| {
            Some(all.map_or(p, |all| all.or(p)))
        });
        let mut pips = match (shown, absent) {
            (Some(shown), true) => shown.or(Pips::NONE),
            (Some(shown), false) => shown,
            (None, _) => continue,
        };
        if !exempt.contains(spot) {
            let kept = pips.keep(|n| print.console.takes(*spot, n));
            if kept == Pips::NONE && !pips.may_be_absent() {
                say(problems, at, Fault::ShieldNumber { shows: pips });
            }
            pips = kept;
        }
        match ship.damage(*spot).known() {
            Some(true) => {
                if !pips.may_be_absent() {
                    say(problems, at, Fault::DieOnDamage);
                }
                pips = Pips::NONE;
            }
            None => pips = pips.or(Pips::NONE),
            Some(false) => {}
        }
        if !pips.is_known() {
            say(problems, at, Fault::Unsure);
        }
        ship.set_die(*spot, pips);
    }
}

fn part_shared_spaces(ships: &mut [Ship], problems: &mut Problems) {
    let places: Vec<(ShipId, Place<_>)> = ships.iter().map(|s| (s.id, s.space.clone())).collect();
    for ship in ships {
        let Some(space) = ship.space.known().copied() else {
            continue;
        };
        let same =
            |(id, place): &&(ShipId, Place<_>)| *id != ship.id && *place == Place::Known(space);
        if let Some((with, _)) = places.iter().find(same) {
            let fault = Fault::SharedSpace { with: *with };
            say(problems, Zone::Ship(ship.id), fault);
            ship.space = Place::Unknown;
        }
    }
}

fn check_plan(ship: &Ship, problems: &mut Problems) {
    for duty in [Duty::Boost, Duty::Manoeuvre] {
        let none = |s: &Spot| !ship.die(*s).may_be_there();
        if duty.spots().iter().all(none) {
            say(problems, Zone::Console(ship.id), Fault::NotPlanned { duty });
        }
    }
}

/// Where the game stands, as far as that can be.
fn read_flow(claim: &Flow, print: &Print, ships: &[Ship], problems: &mut Problems) -> Flow {
    let find = |id: ShipId| ships.iter().find(|s| s.id == id);
    let living = |id: ShipId| find(id).is_some_and(|s| !s.retired);
    // Seats from this one on, round the table.
    let next_living = |from: ShipId| {
        let after = ships.iter().filter(|s| s.id >= from);
        let before = ships.iter().filter(|s| s.id < from);
        after.chain(before).find(|s| !s.retired).map(|s| s.id)
    };
    let mut unclear = false;
    let mut flow = claim.clone();
    let round = flow.round.clamp(1, print.numbers.rounds.max(1));
    unclear |= round != flow.round;
    flow.round = round;
    if find(flow.first).is_none() {
        unclear |= !ships.is_empty();
        flow.first = next_living(flow.first).unwrap_or(ShipId::A);
    }
    // A ship that is out keeps the Reflex die until the round ends: it may lie in an area.
    if flow.reflex.is_some_and(|id| find(id).is_none()) {
        unclear = true;
        flow.reflex = None;
    }
    let hidden = |s: &Ship| !s.retired && s.screen != Screen::Off;
    if flow.phase == Phase::Planning && !ships.iter().any(hidden) {
        // Every screen is off: the action phase has begun.
        flow.phase = Phase::Actions;
        flow.turn = next_living(flow.first).unwrap_or(flow.first);
    }
    if flow.phase != Phase::Actions {
        unclear |= !flow.acting.is_empty() || !flow.owed.is_empty() || flow.moved;
        flow.acting.clear();
        flow.owed.clear();
        flow.moved = false;
        flow.turn = next_living(flow.first).unwrap_or(flow.first);
    }
    if !living(flow.turn) {
        unclear |= find(flow.turn).is_none() && !ships.is_empty();
        flow.turn = next_living(flow.turn).unwrap_or(ShipId::A);
        flow.acting.clear();
        flow.moved = false;
    }
    flow.acting.sort_unstable();
    flow.acting.dedup();
    let there = |s: &Spot| find(flow.turn).is_some_and(|ship| ship.die(*s).may_be_there());
    let pair = match flow.acting.as_slice() {
        [] | [_] => true,
        [a, rest @ ..] => {
            matches!(a.duty(), Duty::Boost | Duty::Manoeuvre)
                && rest.iter().all(|s| s.duty() == a.duty())
        }
    };
    if !flow.acting.iter().all(there) || !pair {
        unclear = true;
        flow.acting.clear();
    }
    flow.moved &= !flow.acting.is_empty();
    let mut owed: Vec<Owed> = Vec::new();
    for debt in &flow.owed {
        let can = match debt {
            Owed::Steer { .. } => true,
            Owed::Answer { ship, side } => find(*ship).is_some_and(|ship| {
                let mut up = Shield::ALL.iter().filter(|s| s.answers(*side));
                up.any(|s| ship.shield(*s).known() != Some(&false))
            }),
        };
        if living(debt.ship()) && can && !owed.iter().any(|o| o.ship() == debt.ship()) {
            owed.push(*debt);
        } else {
            unclear = true;
        }
    }
    flow.owed = owed;
    if unclear {
        say(problems, Zone::Table, Fault::FlowUnclear);
    }
    flow
}
