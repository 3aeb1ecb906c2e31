//! Which torpedoes leave their tubes when a launch is declared.

use super::position::Position;
use super::ship::Ship;
use super::symbol::DieKind;
use super::zone::{Side, Tube};

/// Which torpedoes leave after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tubes {
    /// How many fly at the target.
    pub(crate) launched: usize,
    /// How many leave their tubes.
    pub(crate) leave: usize,
    /// Where they are taken from.
    pub(crate) of: Vec<Tube>,
    /// Those that leave in any case.
    pub(crate) must: Vec<Tube>,
}

impl Tubes {
    /// Whether a choice of tubes is one that may be made.
    pub(crate) fn allows(&self, chosen: &[Tube]) -> bool {
        chosen.len() == self.leave
            && chosen.iter().all(|t| self.of.contains(t))
            && self.must.iter().all(|t| chosen.contains(t))
            && chosen.iter().zip(chosen.iter().skip(1)).all(|(a, b)| a < b)
    }
}

/// A ship's tubes by what is known of them.
pub(crate) struct Loaded {
    /// Surely loaded, front before rear.
    pub(crate) surely: Vec<Tube>,
    /// Perhaps.
    pub(crate) perhaps: Vec<Tube>,
}

impl Position {
    /// The tubes of a ship that are, and that may be, loaded.
    pub(crate) fn loaded(&self, ship: &Ship) -> Loaded {
        let by = |wanted: Option<bool>| {
            let tubes = self.print.tubes();
            tubes.filter(|t| ship.loaded(*t) == wanted).collect()
        };
        Loaded {
            surely: by(Some(true)),
            perhaps: by(None),
        }
    }

    /// Every way in which a ship's tubes may be loaded, as far as its dice go.
    pub(crate) fn loadings(&self, ship: &Ship) -> Vec<Vec<Tube>> {
        let Loaded { surely, perhaps } = self.loaded(ship);
        let most = usize::from(self.print.dice_of(DieKind::Weapon) / 3).max(surely.len());
        // At most six tubes, so at most 64 ways.
        (0..1u32 << perhaps.len().min(6))
            .map(|ways| {
                let more = perhaps.iter().enumerate();
                let more = more.filter(|(i, _)| ways & (1 << i) != 0).map(|(_, t)| *t);
                let mut loaded: Vec<Tube> = surely.iter().copied().chain(more).collect();
                loaded.sort_unstable();
                loaded
            })
            .filter(|loaded| loaded.len() <= most)
            .collect()
    }

    /// How many torpedoes leave their tubes, and from which tubes they may be chosen, for a
    /// launch that bears with one side (or none) from tubes that are loaded.
    pub(crate) fn launched(&self, loaded: &[Tube], bears: Option<Side>, declared: u8) -> Tubes {
        let all = loaded.to_vec();
        let bearing: Vec<Tube> = loaded
            .iter()
            .copied()
            .filter(|t| Some(t.side()) == bears)
            .collect();
        let options = &self.print.options;
        let declared = usize::from(declared);
        if bearing.is_empty() {
            let leave = if options.side_shot_removes_all_declared {
                declared.min(all.len())
            } else {
                all.len().min(1)
            };
            return Tubes {
                launched: 0,
                leave,
                of: all,
                must: Vec::new(),
            };
        }
        let launched = declared.min(bearing.len());
        if declared > launched && options.fire_two_removes_other_side {
            let others = all.len() - bearing.len();
            return Tubes {
                launched,
                leave: launched + others.min(declared - launched),
                must: bearing,
                of: all,
            };
        }
        Tubes {
            launched,
            leave: launched,
            of: bearing,
            must: Vec::new(),
        }
    }
}
