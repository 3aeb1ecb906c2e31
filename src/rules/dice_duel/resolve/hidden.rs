//! What could not be seen: whatever is not accounted for may lie there.

use super::Resolver;
use crate::rules::Place;
use crate::rules::dice_duel::board::{Cell, Terrain};
use crate::rules::dice_duel::fault::Fault;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::symbol::DieKind;
use crate::rules::dice_duel::zone::{Spot, Zone};

impl Resolver<'_> {
    /// Dice of a kind that no place accounts for.
    pub(super) fn unaccounted(&self, ship: ShipId, kind: DieKind) -> u8 {
        let seen = self.seen.get(&(ship, kind)).copied().unwrap_or(0);
        let all = u16::from(self.print.dice_of(kind));
        let gone = seen.saturating_add(self.damage_dice(ship, kind));
        all.saturating_sub(gone) as u8
    }

    pub(super) fn damage_dice(&self, ship: ShipId, kind: DieKind) -> u16 {
        let ship = self.ships.iter().find(|s| s.id == ship);
        match kind {
            DieKind::Energy => ship.map_or(0, |s| s.damage.dice.min),
            _ => 0,
        }
    }

    pub(super) fn hidden(&mut self, zones: &[Zone]) {
        // Of two ends, those that surely lie elsewhere are not here.
        let sure = |c: &Cell| c.ground.known() == Some(Terrain::Wormhole);
        let wormholes = self.board.cells().filter(|(_, c)| sure(c)).count();
        let perhaps = |c: &Cell| c.ground.contains(Terrain::Wormhole) && !sure(c);
        let perhaps = self.board.cells().filter(|(_, c)| perhaps(c)).count();
        let hidden_squares = zones.iter().filter(|z| matches!(z, Zone::Board(_))).count();
        let mut seen = Vec::new();
        for zone in zones {
            if seen.contains(zone) {
                continue;
            }
            seen.push(*zone);
            if seen.len() > 4096 {
                break;
            }
            self.problem(*zone, Fault::Hidden);
            match *zone {
                Zone::On(ship, spot) => self.hide_spot(ship, spot),
                Zone::Display(ship, station) => {
                    for spot in Spot::all().filter(|s| s.station() == station) {
                        self.hide_spot(ship, spot);
                    }
                }
                Zone::Damage(ship, _) => {
                    let hull = u16::from(self.print.numbers.hull);
                    let ship = self.ship(ship);
                    ship.damage.dice.max = hull.max(ship.damage.dice.max);
                }
                Zone::Crystals(ship) => {
                    let all = u16::from(self.print.crystals);
                    let ship = self.ship(ship);
                    ship.crystals.max = all.max(ship.crystals.max);
                }
                Zone::UsedCrystals => {
                    self.used.max = u16::from(self.print.crystals).max(self.used.max);
                }
                Zone::Ship(ship) => {
                    let ship = self.ship(ship);
                    ship.put(Place::Unknown);
                    ship.facing = Place::Unknown;
                    ship.half = Place::Unknown;
                }
                Zone::Board(square) => {
                    let more_wormholes = self.print.options.wormholes
                        && wormholes < 2
                        && wormholes + perhaps + hidden_squares >= 2;
                    let crystals = u16::from(self.print.crystals);
                    let grounds = self.hidden_grounds(more_wormholes);
                    if let Some(cell) = self.board.cell_mut(square) {
                        if !cell.ground.may_act() {
                            for terrain in grounds {
                                cell.ground = cell.ground.with(terrain);
                            }
                        }
                        cell.mines.max = 1;
                        cell.crystals.max = crystals.max(cell.crystals.max);
                    }
                }
                Zone::Map | Zone::Beside(_) | Zone::Table => {}
            }
        }
    }

    /// What may lie on a square that was not seen.
    pub(super) fn hidden_grounds(&self, wormholes: bool) -> Vec<Terrain> {
        Terrain::ALL
            .into_iter()
            .filter(|t| match t {
                Terrain::Open => false,
                Terrain::Asteroid | Terrain::Nebula => true,
                Terrain::Wormhole => wormholes && self.print.in_play(*t),
                Terrain::Rift | Terrain::Gravity(_) => self.print.in_play(*t),
            })
            .collect()
    }

    pub(super) fn hide_spot(&mut self, ship: ShipId, spot: Spot) {
        let legal = self.print.legal(spot);
        self.ship(ship);
        let missing = self.unaccounted(ship, spot.die_kind());
        if legal.is_empty() || missing == 0 {
            return;
        }
        let Some(dice) = self.ship(ship).dice_mut(spot) else {
            return;
        };
        let wanted = if spot.is_slot() {
            usize::from(dice.is_empty())
        } else {
            usize::from(missing)
        };
        // What is hidden here shows what may lie here; what may not would be taken off.
        for _ in 0..wanted {
            if !dice.push(legal.or_absent()) {
                break;
            }
        }
    }
}
