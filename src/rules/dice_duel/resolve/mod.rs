//! From claims to a position: nothing fails as a whole. What may not lie where it lies is taken
//! off, what was not read becomes unknown, and both are said.

mod counts;
mod dice;
mod hidden;
mod tokens;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::board::Board;
use super::fault::{Fault, Problem};
use super::flow::Flow;
use super::position::{LooseDie, Position};
use super::print::Print;
use super::setup::{Setup, ShipSetup};
use super::ship::Ship;
use super::ship_id::ShipId;
use super::stand::{Halved, halves};
use super::symbol::{DieKind, Faces};
use super::zone::{Spot, Zone};
use crate::rules::{Place, Span};

impl Setup {
    /// The position these claims describe, and all that was wrong or unknown on the way there.
    /// Never fails as a whole: an offending die is taken off, or its place becomes unknown.
    pub fn resolve(&self, print: &Print) -> (Position, Vec<Problem>) {
        let mut work = Resolver {
            print,
            board: Board::new(print.cols(), print.rows()),
            ships: Vec::new(),
            listed: false,
            loose: Vec::new(),
            used: self.used_crystals,
            slots: Vec::new(),
            spill: Ship::new(ShipId::WHITE, ShipId::WHITE),
            seen: BTreeMap::new(),
            mines: Vec::new(),
            problems: Vec::new(),
        };
        work.ships(self);
        work.listed = !work.ships.is_empty();
        for die in &self.dice {
            work.die(die);
        }
        work.full_slots();
        for token in &self.tokens {
            work.token(&token.kind, token.at);
        }
        work.hidden(&self.hidden);
        work.counts();
        work.map();
        work.mine_tokens(self);
        work.halves();
        work.teams();
        let flow = work.flow(&self.flow);
        let Resolver {
            board,
            ships,
            loose,
            used,
            problems,
            ..
        } = work;
        let mut position = Position {
            print: Arc::new(print.clone()),
            board,
            ships,
            loose,
            used_crystals: used,
            flow,
        };
        position.narrow();
        (position, problems)
    }
}

/// More ships than any table holds; a file with more is not read to its end.
pub const MAX_SHIPS: usize = 8;

struct Resolver<'a> {
    print: &'a Print,
    board: Board,
    ships: Vec<Ship>,
    /// The ships there are have been named; a zone of another is a slip, or a misread label.
    listed: bool,
    loose: Vec<LooseDie>,
    used: Span,
    /// Dice in slots, which are put together at the end.
    slots: Vec<(ShipId, Spot, Faces)>,
    /// Ships beyond [`MAX_SHIPS`] are put together here and forgotten.
    spill: Ship,
    /// Dice that surely exist, wherever they lie but on the damage display, by ship and kind.
    seen: BTreeMap<(ShipId, DieKind), u16>,
    /// Mine tokens seen on displays.
    mines: Vec<(ShipId, Span)>,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    fn problem(&mut self, at: Zone, fault: Fault) {
        self.problems.push(Problem { at, fault });
    }

    fn ship(&mut self, id: ShipId) -> &mut Ship {
        let index = self.ships.iter().position(|s| s.id == id);
        if index.is_none() {
            if self.ships.len() < MAX_SHIPS {
                self.ships.push(Ship::new(id, id));
                if self.listed {
                    self.problem(Zone::Ship(id), Fault::ShipNotListed);
                }
            } else {
                self.spill = Ship::new(id, id);
                self.problem(Zone::Ship(id), Fault::TooManyShips);
                return &mut self.spill;
            }
        }
        let index = index.unwrap_or(self.ships.len().saturating_sub(1));
        self.ships.get_mut(index).unwrap_or(&mut self.spill)
    }

    fn ships(&mut self, setup: &Setup) {
        for claim in &setup.ships {
            if self.ships.iter().any(|s| s.id == claim.id) {
                self.problem(Zone::Ship(claim.id), Fault::ShipTwice);
                let ship = self.ship(claim.id);
                ship.put(Place::Unknown);
                ship.facing = Place::Unknown;
                ship.half = Place::Unknown;
                continue;
            }
            self.ship_claim(claim);
        }
    }

    fn ship_claim(&mut self, claim: &ShipSetup) {
        let at = Zone::Ship(claim.id);
        let square = match claim.square.candidates() {
            None => Place::Unknown,
            Some(squares) => {
                for off in squares.iter().filter(|s| !self.print.on_map(**s)) {
                    self.problems.push(Problem {
                        at,
                        fault: Fault::ShipOffMap { square: *off },
                    });
                }
                narrowed(
                    squares
                        .iter()
                        .copied()
                        .filter(|s| self.print.on_map(*s))
                        .collect(),
                )
            }
        };
        let facing = claim
            .facing
            .candidates()
            .map_or(Place::Unknown, |f| narrowed(f.to_vec()));
        let half = claim
            .half
            .candidates()
            .map_or(Place::Unknown, |h| narrowed(h.to_vec()));
        if !square.is_known() || !facing.is_known() {
            self.problem(at, Fault::ShipUnsure);
        }
        let hull = u16::from(self.print.numbers.hull);
        let crystals_in_box = u16::from(self.print.crystals);
        let mut crystals = claim.crystals;
        if crystals.min > crystals_in_box {
            self.problem(
                Zone::Crystals(claim.id),
                Fault::TooManyCrystals {
                    seen: crystals.min,
                    exist: crystals_in_box,
                },
            );
            crystals = Span::between(0, crystals_in_box);
        }
        let mut damage = claim.damage;
        if damage.total().min > hull {
            self.problem(
                Zone::Damage(claim.id, None),
                Fault::TooMuchDamage {
                    seen: damage.total().min,
                    hull,
                },
            );
            damage.dice = Span::between(0, hull);
            damage.crystals = Span::between(0, hull);
        }
        let ship = self.ship(claim.id);
        ship.team = claim.team.unwrap_or(claim.id);
        ship.put(square);
        ship.facing = facing;
        ship.half = half;
        ship.crystals = Span::between(
            crystals.min.min(crystals_in_box),
            crystals.max.min(crystals_in_box),
        );
        ship.damage = damage.within(hull);
    }

    fn halves(&mut self) {
        // who is settled may settle who shares its square
        for round in 0..=self.ships.len() {
            let mut changed = false;
            for Halved { ship, half, with } in halves(&self.ships, self.print) {
                if let (0, Some(with)) = (round, with) {
                    self.problem(Zone::Ship(ship), Fault::HalvesUnclear { with });
                }
                let ship = self.ship(ship);
                changed |= ship.half != half;
                ship.half = half;
            }
            if !changed {
                return;
            }
        }
    }

    /// A ship alone on its side where that looks like a slip: its side is named after nobody who
    /// is there, or others have sides of several ships.
    fn teams(&mut self) {
        let size = |team: ShipId| self.ships.iter().filter(|s| s.team == team).count();
        let sides = self.ships.iter().any(|s| size(s.team) > 1);
        let alone = self.ships.iter().filter(|s| size(s.team) == 1);
        let alone: Vec<(ShipId, ShipId)> = alone
            .filter(|s| sides || s.team != s.id)
            .map(|s| (s.id, s.team))
            .collect();
        for (id, team) in alone {
            self.problem(Zone::Ship(id), Fault::AloneOnItsSide { team });
        }
    }

    /// A game that waits for what cannot be would wait for ever.
    fn flow(&mut self, claim: &Flow) -> Flow {
        let there = |id: ShipId| self.ships.iter().any(|s| s.id == id);
        let at = match claim.ships().find(|id| !there(*id)) {
            Some(id) => Zone::Ship(id),
            None if !claim.can_be(self.print, &self.ships) => Zone::Map,
            None => return claim.clone(),
        };
        self.problem(at, Fault::FlowUnclear);
        Flow::default()
    }
}

pub(super) fn narrowed<T: Ord>(mut values: Vec<T>) -> Place<T> {
    values.sort();
    values.dedup();
    match values.len() {
        0 => Place::Unknown,
        1 => values.pop().map_or(Place::Unknown, Place::Known),
        _ => Place::OneOf(values),
    }
}
