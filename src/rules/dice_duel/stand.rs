//! Which half of its square is whose: halves matter only where two ships share a square.

use super::print::Print;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::Half;
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
            match (ship.square.candidates(), other.square.candidates()) {
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
