//! What is not known about whether something may be done at all: every such place, where a
//! refusal names only the first.

use crate::rules::Span;
use crate::rules::dice_duel::call::{Call, What};
use crate::rules::dice_duel::flow::Target;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::OwnSquareMine;
use crate::rules::dice_duel::square::Square;
use crate::rules::dice_duel::zone::{Spot, Station, Zone};

fn open(count: Span, price: u16) -> bool {
    count.min < price && count.max >= price
}

impl Position {
    /// Adds to an unsure call every place on which it depends whether it may be done.
    pub(super) fn name_gates(&self, call: &mut Call) {
        for zone in self.gates(call.what) {
            if !call.unsure_on.contains(&zone) {
                call.unsure_on.push(zone);
            }
        }
    }

    fn gates(&self, what: What) -> Vec<Zone> {
        let mut zones = Vec::new();
        let mut doubt = |open: bool, zone: Zone| {
            if open {
                zones.push(zone);
            }
        };
        if matches!(what, What::Side { .. } | What::Roll { .. }) {
            return zones;
        }
        let Some(ship) = what.ship().and_then(|id| self.ship(id)) else {
            return zones;
        };
        let id = ship.id();
        let other = match what {
            What::Launch {
                target: Target::Ship(target),
                ..
            }
            | What::Tractor { target, .. } => target,
            _ => id,
        };
        for zone in self.damage_waits(&[id, other]) {
            doubt(true, zone);
        }
        let numbers = &self.print.numbers;
        let crystals = |price: u8| open(ship.crystals(), u16::from(price));
        let cell = |square: Square| self.board.cell(square);
        match what {
            What::Launch {
                target: Target::Mine(square),
                ..
            } => {
                doubt(open(cell(square).mines, 1), Zone::Board(square));
                let squares = ship.square().candidates();
                let own = self.print.options.mine_in_own_square;
                let maybe = squares.is_none_or(|s| s.len() > 1 && s.contains(&square));
                doubt(maybe && own == OwnSquareMine::NotATarget, Zone::Ship(id));
            }
            What::Crystal { square, .. } => {
                doubt(open(cell(square).crystals, 1), Zone::Board(square));
            }
            What::Mine { .. } => {
                for spot in [Spot::MineA, Spot::MineB] {
                    let matters = ship.armed().is_none() && ship.slot_filled(spot).is_none();
                    doubt(matters, Zone::On(id, spot));
                }
                doubt(open(ship.mines(), 1), Zone::Display(id, Station::Tractor));
                let mut mines = ship.squares(&self.board).map(|s| cell(s).mines);
                let first = mines.next();
                doubt(mines.any(|m| Some(m) != first), Zone::Ship(id));
                for square in ship.squares(&self.board) {
                    doubt(open(cell(square).mines, 1), Zone::Board(square));
                }
            }
            What::Override { .. } => doubt(crystals(numbers.override_crystals), Zone::Crystals(id)),
            What::Warp { .. } => doubt(crystals(numbers.warp_crystals), Zone::Crystals(id)),
            What::Surge { .. } => {
                doubt(crystals(numbers.surge_crystals), Zone::Crystals(id));
                doubt(open(ship.damage().dice, 1), Zone::Damage(id, None));
            }
            _ => {}
        }
        let mut seen = Vec::with_capacity(zones.len());
        zones.retain(|z| {
            let new = !seen.contains(z);
            seen.push(*z);
            new
        });
        zones
    }
}
