//! Mine tokens: no more lie on the map and on the displays than the box has. A token that has
//! gone off, or was shot, is out of the game (Tractor Beams: Mines).

use super::board::Board;
use super::print::Print;
use super::ship::Ship;
use super::ship_id::ShipId;

/// The mine tokens of a table, counted.
pub(crate) struct MineTokens<'a> {
    /// Tokens in the box.
    pub(crate) exist: u16,
    /// Tokens that surely lie somewhere.
    pub(crate) seen: u16,
    ships: &'a [Ship],
}

impl MineTokens<'_> {
    pub(crate) fn of<'a>(board: &Board, ships: &'a [Ship], print: &Print) -> MineTokens<'a> {
        let each = u16::from(print.mines_a_ship);
        let on_map = board.cells().map(|(_, c)| c.mines.min);
        let on_displays = ships.iter().map(|s| s.mines.min);
        MineTokens {
            exist: each.saturating_mul(ships.len().clamp(2, 64) as u16),
            seen: on_map.chain(on_displays).fold(0, u16::saturating_add),
            ships,
        }
    }

    /// The most tokens that may lie on a ship's display, by what surely lies elsewhere.
    pub(crate) fn room(&self, id: ShipId) -> u16 {
        let own = self.ships.iter().find(|s| s.id == id);
        let elsewhere = self.seen.saturating_sub(own.map_or(0, |s| s.mines.min));
        self.exist.saturating_sub(elsewhere)
    }
}
