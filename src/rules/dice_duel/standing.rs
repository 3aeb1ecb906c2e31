//! Who flies, and whether the game goes on, where damage is not known: every way in which the
//! ships that may be destroyed are or are not is looked at, at most 256 of them.

use super::position::Position;
use super::reason::Reason;
use super::resolve::MAX_SHIPS;
use super::ship::Ship;
use super::ship_id::ShipId;
use super::zone::Zone;

/// Ships by their place in the list, as bits.
type Fleet = u16;

/// Of several checks, what stands: a refusal that holds whatever is unknown, else the first
/// unknown, else nothing.
pub(crate) fn firm<const N: usize>(checks: [Result<(), Reason>; N]) -> Result<(), Reason> {
    let mut open = Ok(());
    for check in checks {
        match check {
            Ok(()) => {}
            Err(Reason::Unknown { .. }) => open = open.and(check),
            Err(_) => return check,
        }
    }
    open
}

/// Every subset of a fleet, the empty one first.
fn subsets(of: Fleet) -> impl Iterator<Item = Fleet> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let now: Fleet = next?;
        // Counting in the bits of `of` alone.
        let more = (now | !of).wrapping_add(1) & of;
        next = (more != 0).then_some(more);
        Some(now)
    })
}

impl Position {
    /// Ships that are surely destroyed, and those that may be.
    fn losses(&self) -> (Fleet, Fleet) {
        let (mut dead, mut open) = (0, 0);
        for (i, ship) in self.ships.iter().take(MAX_SHIPS).enumerate() {
            match ship.destroyed(&self.print) {
                Some(true) => dead |= 1 << i,
                Some(false) => {}
                None => open |= 1 << i,
            }
        }
        (dead, open)
    }

    /// The side that has won once these ships are destroyed.
    fn winner_without(&self, dead: Fleet) -> Option<ShipId> {
        if dead == 0 {
            return None;
        }
        let flying = self.ships.iter().enumerate();
        let mut flying = flying.filter(|(i, _)| dead & (1 << i) == 0);
        let (_, first) = flying.next()?;
        let all = flying.all(|(_, s)| s.team == first.team);
        all.then_some(first.team)
    }

    /// Whether a ship flies as long as there is anything to do: it is not destroyed, or the game is
    /// over if it is.
    pub(crate) fn holds_its_square(&self, ship: &Ship) -> bool {
        let Some(destroyed) = ship.destroyed(&self.print) else {
            let here = self.ships.iter().take(MAX_SHIPS);
            let at = here.enumerate().find(|(_, s)| s.id == ship.id);
            let alone: Fleet = at.map_or(0, |(i, _)| 1 << i);
            return self.winner_without(self.losses().0 | alone).is_some();
        };
        !destroyed
    }

    /// Why a game in which these ships are destroyed gives the named ships nothing to do.
    fn lost(&self, named: &[ShipId], dead: Fleet) -> Option<Reason> {
        if let Some(winner) = self.winner_without(dead) {
            return Some(Reason::Over { winner });
        }
        let mut ships = self.ships.iter().enumerate();
        ships
            .find(|(i, s)| dead & (1 << i) != 0 && named.contains(&s.id))
            .map(|(_, s)| Reason::Destroyed { ship: s.id })
    }

    /// Whether the named ships are there and fly, in a game that nobody has won.
    pub(crate) fn standing(&self, named: &[ShipId]) -> Result<(), Reason> {
        for id in named {
            if self.ship(*id).is_none() {
                return Err(Reason::NoSuchShip { ship: *id });
            }
        }
        let (dead, open) = self.losses();
        let first = self.lost(named, dead);
        if open != 0 {
            let differs = |sub: Fleet| self.lost(named, dead | sub).is_some() != first.is_some();
            if subsets(open).any(differs) {
                let at = self.damage_waits(named).first().copied();
                let at = at.unwrap_or(Zone::Damage(ShipId::WHITE, None));
                return Err(Reason::Unknown { at });
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// The damage on which it depends whether the named ships have anything to do.
    pub(crate) fn damage_waits(&self, named: &[ShipId]) -> Vec<Zone> {
        let (dead, open) = self.losses();
        let lost = |sub: Fleet| self.lost(named, dead | sub).is_some();
        let ships = self.ships.iter().enumerate();
        ships
            .filter(|(i, _)| {
                let bit: Fleet = 1 << i;
                open & bit != 0 && subsets(open & !bit).any(|sub| lost(sub) != lost(sub | bit))
            })
            .map(|(_, s)| Zone::Damage(s.id, None))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_comes_once() {
        assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
        assert_eq!(subsets(0b101).collect::<Vec<_>>(), [0, 1, 0b100, 0b101]);
        assert_eq!(subsets(0xff).count(), 256);
    }
}
