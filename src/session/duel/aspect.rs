//! What table and record can disagree on: all that does not simply lie where it lies.

use crate::rules::dice_duel::{Damage, Position, Setup, ShipId, ShipSetup, Zone};
use crate::rules::{Place, Span};
use crate::session::scene::Scene;

/// Something of a game that only what people do can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Aspect {
    /// A ship's square and facing.
    Stand(ShipId),
    Crystals(ShipId),
    Damage(ShipId),
    /// Crystals that lie on the map.
    MapCrystals,
    Used,
    /// Mines that lie on the map.
    Mines,
}

impl Aspect {
    pub fn all(position: &Position) -> Vec<Aspect> {
        let ships = position.ships().iter().map(|s| s.id());
        let of = |id| [Aspect::Stand(id), Aspect::Crystals(id), Aspect::Damage(id)];
        let map = [Aspect::MapCrystals, Aspect::Used, Aspect::Mines];
        ships.flat_map(of).chain(map).collect()
    }

    pub fn zone(self) -> Zone {
        match self {
            Aspect::Stand(ship) => Zone::Ship(ship),
            Aspect::Crystals(ship) => Zone::Crystals(ship),
            Aspect::Damage(ship) => Zone::Damage(ship, None),
            Aspect::MapCrystals | Aspect::Mines => Zone::Map,
            Aspect::Used => Zone::UsedCrystals,
        }
    }

    /// Whether anybody looks at it.
    pub fn is_watched(self, scene: &Scene) -> bool {
        match self {
            Aspect::Stand(_) | Aspect::Damage(_) => !scene.ships.is_empty(),
            _ => scene.tokens.is_some() && !scene.tokens_away,
        }
    }

    /// What a position says of it, in words; `None` where it is not known.
    pub fn value(self, position: &Position) -> Option<String> {
        let one = |n: Span| n.value().map(|n| n.to_string());
        let cells = |of: fn(&crate::rules::dice_duel::Cell) -> Span| {
            let mut list = Vec::new();
            for (square, cell) in position.board().cells() {
                match of(&cell).value() {
                    Some(0) => {}
                    Some(n) => list.push(format!("{n} on {square}")),
                    None => return None,
                }
            }
            Some(list.join(", "))
        };
        match self {
            Aspect::Stand(id) => {
                let ship = position.ship(id)?;
                let (square, facing) = (ship.square().known()?, ship.facing().known()?);
                Some(format!("{square} {facing}"))
            }
            Aspect::Crystals(id) => one(position.ship(id)?.crystals()),
            Aspect::Damage(id) => one(position.ship(id)?.damage().total()),
            Aspect::MapCrystals => cells(|c| c.crystals),
            Aspect::Used => one(position.used_crystals()),
            Aspect::Mines => cells(|c| c.mines),
        }
    }
}

/// Crystals that a position surely accounts for: what is missing is in a hand.
pub(super) fn crystals(position: &Position) -> u16 {
    let ships = position.ships().iter();
    let held = ships.map(|s| s.crystals().min.saturating_add(s.damage().crystals.min));
    let map = position.board().cells().map(|(_, c)| c.crystals.min);
    held.chain(map)
        .fold(position.used_crystals().min, u16::saturating_add)
}

/// What the rules are told: the scene, and the record's word on what nobody looks at. Dice of these numbers are
/// left out.
pub(super) fn told(scene: &Scene, record: Option<&Position>, without: &[u64]) -> Setup {
    let mut setup = scene.setup(without);
    let Some(record) = record else { return setup };
    let recorded = record.to_setup();
    setup.flow = recorded.flow;
    let mut ships = Vec::new();
    for old in recorded.ships {
        let seen = setup.ships.iter().find(|s| s.id == old.id);
        let mut ship = match seen {
            Some(seen) => seen.clone(),
            // a miniature that is not seen is in a hand
            None if scene.met.contains(&old.id) => ShipSetup {
                square: Place::Unknown,
                facing: Place::Unknown,
                ..old.clone()
            },
            None => old.clone(),
        };
        ship.team = old.team;
        // of a damage display that is not there the record is all there is
        let unseen = |z: &Zone| matches!(z, Zone::Damage(of, _) if *of == old.id);
        if !scene.unseen.iter().any(unseen) {
            ship.damage = Damage::default();
        } else {
            ship.damage = old.damage;
        }
        ship.crystals = old.crystals;
        if scene.tokens.is_none() {
            ship.mines = old.mines;
            ship.damage.crystals = old.damage.crystals;
        } else {
            ship.mines = None;
            if scene.crystals_seen.contains(&old.id) {
                ship.crystals = Span::known(0);
            }
        }
        ships.push(ship);
    }
    let known: Vec<ShipId> = ships.iter().map(|s| s.id).collect();
    ships.extend(setup.ships.into_iter().filter(|s| !known.contains(&s.id)));
    setup.ships = ships;
    if scene.tokens.is_none() {
        setup.tokens = recorded.tokens;
        setup.used_crystals = recorded.used_crystals;
    }
    setup
}
