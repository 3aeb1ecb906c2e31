//! What ships leave to each other: the halves of a square that two share, and the squares that
//! nobody else can be on.

use super::position::Position;
use super::print::Print;
use super::resolve::narrowed;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::{Half, Square};
use crate::rules::Place;

/// A ship whose half is other than was said.
pub(crate) struct Halved {
    pub(crate) ship: ShipId,
    /// What it is.
    pub(crate) half: Place<Half>,
    /// The ship whose half contradicts, or is not known either.
    pub(crate) with: Option<ShipId>,
}

/// What follows for the halves from where the ships stand: nobody has one who is alone, and of
/// two in one square each has the one that the other has not.
pub(crate) fn halves(ships: &[Ship], print: &Print) -> Vec<Halved> {
    let mut found = Vec::new();
    let mut set = |ship: &Ship, half: Place<Half>, with: Option<ShipId>| {
        if with.is_some() || ship.half != half {
            let ship = ship.id;
            found.push(Halved { ship, half, with });
        }
    };
    let flies = |s: &&Ship| s.destroyed(print) != Some(true);
    for ship in ships {
        if !flies(&ship) {
            set(ship, Place::Known(Half::Whole), None);
            continue;
        }
        let mut meets = false;
        let mut shares: Option<(&Ship, usize)> = None;
        for other in ships.iter().filter(|o| o.id != ship.id).filter(flies) {
            match (ship.said.candidates(), other.said.candidates()) {
                (Some([a]), Some([b])) if a == b => {
                    meets = true;
                    let n = shares.map_or(0, |(_, n)| n);
                    shares = Some((other, n + 1));
                }
                (Some(a), Some(b)) => meets |= a.iter().any(|s| b.contains(s)),
                _ => meets = true,
            }
        }
        if !meets {
            if !print.options.half_is_kept || !ship.half.is_known() {
                set(ship, Place::Known(Half::Whole), None);
            }
            continue;
        }
        let Some((other, 1)) = shares else { continue };
        let opposite = |h: &Half| match h {
            Half::At(edge) => Some(Half::At(edge.opposite())),
            Half::Whole => None,
        };
        match (ship.half.known(), other.half.known()) {
            (Some(mine), Some(its)) if opposite(mine) == Some(*its) => {}
            (Some(mine), None) if opposite(mine).is_some() => {}
            (None, Some(its)) if opposite(its).is_some() => {
                let half = opposite(its).map_or(Place::Unknown, Place::Known);
                set(ship, half, None);
            }
            _ => set(ship, Place::Unknown, Some(other.id)),
        }
    }
    found
}

impl Position {
    /// Works out where the ships may be from what was said of them: a square is not shared with a
    /// ship that is surely on it, unless their halves allow it. What was said is kept beside it, so
    /// that nothing stays ruled out by a ship that has left, or of which something else is said.
    pub(crate) fn narrow(&mut self) {
        for ship in &mut self.ships {
            ship.square.clone_from(&ship.said);
        }
        // a ship that is found may in turn leave one square less to another
        for _ in 0..self.ships.len() {
            if self.ships.iter().all(|s| s.square.is_known()) {
                return;
            }
            let left: Vec<Option<Place<Square>>> =
                self.ships.iter().map(|s| self.left_to(s)).collect();
            if left.iter().all(Option::is_none) {
                return;
            }
            for (ship, left) in self.ships.iter_mut().zip(left) {
                if let Some(left) = left {
                    ship.square = left;
                }
            }
        }
    }

    /// Whether a third ship may share a square with two: then any two of them may be in one half of it.
    pub(crate) fn third_may_be_on(&self, square: Square, a: &Ship, b: &Ship) -> bool {
        let others = self.ships.iter().filter(|o| o.id != a.id && o.id != b.id);
        let mut fly = others.filter(|o| o.destroyed(&self.print) != Some(true));
        fly.any(|o| {
            o.said
                .candidates()
                .is_none_or(|said| said.contains(&square))
        })
    }

    /// The squares that the others leave to a ship, where those are fewer than it had; claims that
    /// leave it none rule nothing out.
    fn left_to(&self, ship: &Ship) -> Option<Place<Square>> {
        if ship.square.is_known() || ship.destroyed(&self.print) == Some(true) {
            return None;
        }
        let others = self.ships.iter().filter(|o| o.id != ship.id);
        let apart = others.filter(|o| !ship.may_meet(o) && self.holds_its_square(o));
        let taken = apart.filter_map(|o| Some((o, *o.square.known()?)));
        let taken = taken.filter(|(o, square)| !self.third_may_be_on(*square, ship, o));
        let taken: Vec<Square> = taken.map(|(_, square)| square).collect();
        if !ship.squares(&self.board).any(|s| taken.contains(&s)) {
            return None;
        }
        let free = ship.squares(&self.board).filter(|s| !taken.contains(s));
        let free: Vec<Square> = free.collect();
        (!free.is_empty()).then(|| narrowed(free))
    }
}
