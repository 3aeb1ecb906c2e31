//! The list of what may be done. It is made by proposing every action whose parts are there and
//! asking the rules: the list cannot offer what the rules refuse.

use crate::rules::dice_duel::action::{Action, obstacle_spots};
use crate::rules::dice_duel::flow::{Freeze, Owed, Target};
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::square::Facing;
use crate::rules::dice_duel::symbol::{DieKind, Symbol};
use crate::rules::dice_duel::zone::{HelmSlot, Sector, Spot, Station};

impl Position {
    /// Everything that may be done now, corrections apart: those are always heard. Where a die
    /// is rolled, every face is listed.
    pub fn legal_actions(&self) -> Vec<Action> {
        let mut probe = self.clone();
        let mut list = Vec::new();
        for action in self.proposals() {
            if let Ok(change) = probe.act(&action) {
                // The probe goes back to where it was; it cannot fail, nothing came between.
                let back = probe.replay(&change.inverse());
                debug_assert_eq!(back, Ok(()));
                list.push(action);
            }
        }
        list
    }

    /// Whether an action may be done now.
    pub fn is_legal(&self, action: &Action) -> bool {
        self.clone().act(action).is_ok()
    }

    fn proposals(&self) -> Vec<Action> {
        let mut list = vec![Action::Resume, Action::Waive, Action::WarpAgain];
        let flow = &self.flow;
        if let Some(launch) = &flow.launch {
            list.extend(Sector::ALL.map(|sector| Action::ChooseSector { sector }));
            if launch.sectors.len() == 1 {
                let mut faces = self.print.faces_of(DieKind::Weapon).to_vec();
                faces.sort_unstable();
                faces.dedup();
                list.extend(faces.into_iter().map(|symbol| Action::Blast { symbol }));
            }
        }
        if flow.returning {
            list.extend((1..=6).map(|number| Action::ReturnCrystal { number }));
        }
        if let Some(warp) = &flow.warp {
            if warp.to_roll {
                for a in 1..=6 {
                    list.extend((1..=6).map(|b| Action::WarpRoll { numbers: [a, b] }));
                }
            }
            let edges = std::iter::once(None).chain(Facing::ALL.into_iter().map(Some));
            for enter_by in edges {
                list.extend((1..=6).map(|number| Action::WarpTo { number, enter_by }));
            }
        }
        for owed in &flow.owed {
            if let Owed::Discard { ship, station, .. } = owed
                && let Some(ship) = self.ship(*ship)
            {
                for spot in obstacle_spots(*station) {
                    for symbol in symbols(ship, *spot) {
                        let id = ship.id();
                        let action = Action::Discard {
                            ship: id,
                            spot: *spot,
                            symbol,
                        };
                        if !list.contains(&action) {
                            list.push(action);
                        }
                    }
                }
            }
        }
        for ship in &self.ships {
            self.propose_for(ship, &mut list);
        }
        list
    }

    fn propose_for(&self, own: &Ship, list: &mut Vec<Action>) {
        let ship = own.id();
        let energy = std::iter::once(Spot::Pool).chain(Station::POWERED.map(Spot::Energy));
        list.push(Action::Damage { ship, from: None });
        list.extend(energy.map(|spot| Action::Damage {
            ship,
            from: Some(spot),
        }));
        list.extend((1..=6).map(|number| Action::Route { ship, number }));
        let station_spots = Spot::all().filter(|s| !matches!(s, Spot::Pool | Spot::Energy(_)));
        for spot in station_spots {
            for symbol in symbols(own, spot) {
                list.push(Action::Take { ship, spot, symbol });
            }
            for symbol in self.print.legal(spot).symbols() {
                list.push(Action::Place { ship, spot, symbol });
                list.push(Action::Override { ship, spot, symbol });
            }
        }
        for slot in HelmSlot::ALL {
            for symbol in Spot::Helm(slot).legal().symbols() {
                list.push(Action::PlaceSaved { ship, slot, symbol });
            }
        }
        list.push(Action::StartMove { ship });
        list.push(Action::Move { ship });
        self.propose_shots(own, list);
        for other in &self.ships {
            for to in self.push_squares(other.id()) {
                let edges = std::iter::once(None).chain(Facing::ALL.into_iter().map(Some));
                list.extend(edges.map(|enter_by| Action::Tractor {
                    ship,
                    target: other.id(),
                    to,
                    enter_by,
                }));
            }
        }
        for (square, cell) in self.board.cells() {
            if cell.crystals.max > 0 {
                list.push(Action::PullCrystal { ship, square });
            }
        }
        list.push(Action::ReleaseMine { ship });
        list.push(Action::Warp { ship });
        list.push(Action::Surge { ship });
        for freeze in [Freeze::Fire, Freeze::Tractor, Freeze::Warp] {
            list.push(Action::Claim { ship, freeze });
        }
    }

    fn propose_shots(&self, own: &Ship, list: &mut Vec<Action>) {
        let ships = self.ships.iter().map(|s| Target::Ship(s.id()));
        let mines = self
            .board
            .cells()
            .filter(|(_, c)| c.mines.max > 0)
            .map(|(s, _)| Target::Mine(s));
        let loaded = self.loaded(own).surely;
        let choices = || {
            let pairs = loaded
                .iter()
                .enumerate()
                .flat_map(|(i, a)| loaded.iter().skip(i + 1).map(move |b| vec![*a, *b]));
            let ones = loaded.iter().map(|t| vec![*t]);
            let none = self.print.options.fire_unloaded.then(Vec::new);
            ones.chain(pairs).chain(none)
        };
        for target in ships.chain(mines) {
            for torpedoes in 1..=2 {
                list.extend(choices().map(|tubes| Action::Fire {
                    ship: own.id(),
                    torpedoes,
                    target,
                    tubes,
                }));
            }
        }
    }
}

/// What may be taken from a place, each symbol once.
fn symbols(ship: &Ship, spot: Spot) -> Vec<Symbol> {
    let dice = ship.dice(spot).dice().iter();
    let mut all: Vec<Symbol> = dice.flat_map(|d| d.symbols()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
