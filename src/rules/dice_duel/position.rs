//! What the rules reason over.

use std::sync::Arc;

use super::board::{Board, Cell, Terrain, TokenKind};
use super::flow::Flow;
use super::print::Print;
use super::setup::{DieSetup, Setup, ShipSetup, Showing, TokenSetup};
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::Square;
use super::symbol::{DieKind, Faces};
use super::zone::{Spot, Zone};
use crate::rules::{Place, Span};

/// A die that lies beside the displays: being rolled, or waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LooseDie {
    /// Where: `table`, `white.table`, or a display's bare part.
    pub at: Zone,
    /// Its kind.
    pub kind: DieKind,
    /// What it may show.
    pub faces: Faces,
}

/// A state of the game in which every die lies where it may, and what is not known is marked so.
/// Made by [`Setup::resolve`] only, so it holds no illegal die; it does not promise that the
/// state can arise in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) print: Arc<Print>,
    pub(crate) board: Board,
    pub(crate) ships: Vec<Ship>,
    pub(crate) loose: Vec<LooseDie>,
    pub(crate) used_crystals: Span,
    pub(crate) flow: Flow,
}

impl Position {
    /// The copy and its options.
    pub fn print(&self) -> &Print {
        &self.print
    }

    /// The map.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The ships.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// A ship by its name.
    pub fn ship(&self, id: ShipId) -> Option<&Ship> {
        self.ships.iter().find(|s| s.id == id)
    }

    pub(crate) fn ship_mut(&mut self, id: ShipId) -> Option<&mut Ship> {
        self.ships.iter_mut().find(|s| s.id == id)
    }

    /// Dice beside the displays.
    pub fn loose(&self) -> &[LooseDie] {
        &self.loose
    }

    /// Crystals in the used box.
    pub fn used_crystals(&self) -> Span {
        self.used_crystals
    }

    /// Where the game stands.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The last side with a ship left, once there is one; `None` while the game goes on, or
    /// where that depends on what is not known.
    pub fn winner(&self) -> Option<ShipId> {
        let mut alive: Option<ShipId> = None;
        let mut lost = false;
        for ship in &self.ships {
            match ship.destroyed(&self.print) {
                Some(true) => lost = true,
                Some(false) if alive.is_none_or(|team| team == ship.team) => {
                    alive = Some(ship.team);
                }
                _ => return None,
            }
        }
        alive.filter(|_| lost)
    }

    /// The same state as claims: `position.to_setup().resolve(position.print())` is the position
    /// again.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            used_crystals: self.used_crystals,
            flow: self.flow.clone(),
            ..Setup::default()
        };
        for ship in &self.ships {
            setup.ships.push(ShipSetup {
                id: ship.id,
                team: (ship.team != ship.id).then_some(ship.team),
                square: ship.said.clone(),
                facing: ship.facing.clone(),
                half: ship.half.clone(),
                crystals: ship.crystals,
                mines: Some(ship.mines),
                damage: ship.damage,
            });
            for spot in Spot::all() {
                for die in ship.dice(spot).dice() {
                    setup
                        .dice
                        .push(claim(Zone::On(ship.id, spot), *die, spot.die_kind()));
                }
            }
        }
        for die in &self.loose {
            setup.dice.push(claim(die.at, die.faces, die.kind));
        }
        for (square, cell) in self.board.cells() {
            setup.tokens.extend(cell_tokens(square, cell));
        }
        setup
    }
}

pub(super) fn claim(at: Zone, faces: Faces, kind: DieKind) -> DieSetup {
    let mut showing: Vec<Showing> = faces.symbols().map(Showing::Symbol).collect();
    if faces.may_be_absent() {
        showing.insert(0, Showing::Nothing);
    }
    // A helm die saved among the energy is no energy die; then the symbol says what it is.
    let said = faces.symbols().all(|s| s.kind().is_some());
    DieSetup {
        at: Place::Known(at),
        kind: (!said).then_some(kind),
        means: match showing.as_slice() {
            [one] => Place::Known(*one),
            _ => Place::OneOf(showing),
        },
    }
}

/// What lies on a square, as claims.
pub(super) fn cell_tokens(square: Square, cell: Cell) -> Vec<TokenSetup> {
    let at = Zone::Board(square);
    let mut tokens = Vec::new();
    let mut put = |kind| tokens.push(TokenSetup { kind, at });
    let grounds: Vec<TokenKind> = cell
        .ground
        .iter()
        .map(|t| match t {
            Terrain::Open => TokenKind::Nothing,
            _ => TokenKind::Ground(t),
        })
        .collect();
    match grounds.as_slice() {
        [TokenKind::Nothing] => {}
        [one] => put(Place::Known(*one)),
        _ => put(Place::OneOf(grounds)),
    }
    for (kind, count) in [
        (TokenKind::Mine, cell.mines),
        (TokenKind::Crystal, cell.crystals),
    ] {
        for n in 0..count.max {
            put(if n < count.min {
                Place::Known(kind)
            } else {
                Place::OneOf(vec![kind, TokenKind::Nothing])
            });
        }
    }
    tokens
}
