//! Whether all of it can be there at once: dice, wormholes, crystals, mines.

use super::Resolver;
use crate::rules::Span;
use crate::rules::dice_duel::board::Terrain;
use crate::rules::dice_duel::fault::Fault;
use crate::rules::dice_duel::mines::MineTokens;
use crate::rules::dice_duel::setup::Setup;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::Square;
use crate::rules::dice_duel::symbol::DieKind;
use crate::rules::dice_duel::zone::{Spot, Station, Zone};

impl Resolver<'_> {
    /// More dice than a ship has: none of that kind is believed on its own.
    pub(super) fn counts(&mut self) {
        let ids: Vec<ShipId> = self.ships.iter().map(|s| s.id).collect();
        for id in ids {
            for kind in DieKind::ALL {
                let exist = self.print.dice_of(kind);
                let seen = self
                    .seen
                    .get(&(id, kind))
                    .copied()
                    .unwrap_or(0)
                    .saturating_add(self.damage_dice(id, kind));
                if seen <= u16::from(exist) {
                    continue;
                }
                self.problem(
                    Zone::Display(id, station_of(kind)),
                    Fault::TooManyDice { kind, seen, exist },
                );
                let ship = self.ship(id);
                for spot in Spot::all().filter(|s| s.die_kind() == kind) {
                    if let Some(dice) = ship.dice_mut(spot) {
                        dice.doubt();
                    }
                }
            }
        }
    }

    pub(super) fn map(&mut self) {
        let wormholes = self
            .board
            .cells()
            .filter(|(_, c)| c.ground.known() == Some(Terrain::Wormhole))
            .count();
        if wormholes != 0 && wormholes != 2 {
            let ends: Vec<Square> = self
                .board
                .cells()
                .filter(|(_, c)| c.ground.known() == Some(Terrain::Wormhole))
                .map(|(s, _)| s)
                .collect();
            let others = self
                .board
                .cells()
                .any(|(_, c)| c.ground.known().is_none() && c.ground.contains(Terrain::Wormhole));
            for end in ends {
                if !(wormholes == 1 && others) {
                    self.problem(
                        Zone::Board(end),
                        Fault::Wormholes {
                            count: wormholes.min(255) as u8,
                        },
                    );
                }
            }
        }
        let held = self
            .ships
            .iter()
            .flat_map(|s| [s.crystals.min, s.damage.crystals.min])
            .fold(0, u16::saturating_add);
        let on_map = self
            .board
            .cells()
            .fold(0, |n: u16, (_, c)| n.saturating_add(c.crystals.min));
        let seen = held.saturating_add(on_map).saturating_add(self.used.min);
        let exist = u16::from(self.print.crystals);
        if seen > exist {
            self.problem(Zone::Map, Fault::TooManyCrystals { seen, exist });
        }
    }

    /// Mine tokens of which nothing is said are on their ship's display or on the map; and all of
    /// them together are no more than the box has.
    pub(super) fn mine_tokens(&mut self, setup: &Setup) {
        let most = u16::from(self.print.mines_a_ship);
        let listed = std::mem::take(&mut self.mines);
        let ids: Vec<ShipId> = self.ships.iter().map(|s| s.id).collect();
        let on_map = self.board.cells();
        let on_map = on_map.fold(0, |n: u16, (_, c)| n.saturating_add(c.mines.max));
        for id in &ids {
            let said = setup.ships.iter().find(|s| s.id == *id);
            let said = said.and_then(|s| s.mines);
            let here = listed.iter().filter(|(ship, _)| ship == id);
            let counted = here.fold(None, |sum: Option<Span>, (_, n)| {
                Some(sum.map_or(*n, |s| s.plus(*n)))
            });
            let left = Span::between(most.saturating_sub(on_map), most);
            let mines = said.or(counted).unwrap_or(left);
            if mines.min > most {
                let at = Zone::Display(*id, Station::Tractor);
                let (seen, exist) = (mines.min, most);
                self.problem(at, Fault::TooManyMines { seen, exist });
            }
            self.ship(*id).mines = match mines.min > most {
                true => Span::between(0, most),
                false => Span::between(mines.min, mines.max.min(most)),
            };
        }
        let tokens = MineTokens::of(&self.board, &self.ships, self.print);
        if tokens.seen > tokens.exist {
            let (seen, exist) = (tokens.seen, tokens.exist);
            self.problem(Zone::Map, Fault::TooManyMines { seen, exist });
            // One of them is misread, and it is not known which: none on a display is believed.
            for id in &ids {
                let mines = &mut self.ship(*id).mines;
                *mines = Span::between(0, mines.max);
            }
        }
        for id in ids {
            let room = MineTokens::of(&self.board, &self.ships, self.print).room(id);
            let mines = &mut self.ship(id).mines;
            *mines = Span::between(mines.min.min(room), mines.max.min(room));
        }
    }
}

fn station_of(kind: DieKind) -> Station {
    Station::ALL
        .into_iter()
        .find(|s| s.die_kind() == kind)
        .unwrap_or(Station::Engineering)
}
