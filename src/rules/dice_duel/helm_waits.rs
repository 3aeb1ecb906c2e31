//! What a move by helm waits for: every place whose content changes where it goes or what it
//! costs.

use std::collections::BTreeSet;

use super::board::{Board, Grounds, Terrain};
use super::helm::Course;
use super::launch::MOST_COMBINATIONS;
use super::position::Position;
use super::ship::{Placement, Ship};
use super::square::Square;
use super::symbol::Symbol;
use super::zone::{HelmSlot, Spot, Zone};
use crate::rules::Span;

/// What was found, and how many courses may still be tried.
struct Search<'a> {
    position: &'a Position,
    squares: BTreeSet<Square>,
    mines: bool,
    shields: bool,
    sensors: bool,
    left: usize,
}

/// What a move by helm waits for.
pub(crate) struct Waits {
    /// The places.
    pub(crate) zones: Vec<Zone>,
    /// It may cost shield dice.
    pub(crate) shields: bool,
    /// It may cost sensor dice.
    pub(crate) sensors: bool,
}

impl Position {
    /// The places a move by helm depends on; none, if nothing that matters is unknown.
    pub(crate) fn helm_waits_for(&self, ship: &Ship) -> Waits {
        let (_, mut zones) = ship.helm_gaps();
        if !ship.square().is_known() || !ship.facing().is_known() {
            zones.push(Zone::Ship(ship.id()));
        }
        let mut search = Search {
            position: self,
            squares: BTreeSet::new(),
            mines: false,
            shields: false,
            sensors: false,
            left: MOST_COMBINATIONS,
        };
        let of = |slot| -> Vec<Symbol> {
            let die = ship.dice(Spot::Helm(slot)).dice().first();
            die.map(|d| d.symbols().collect()).unwrap_or_default()
        };
        for square in ship.squares(&self.board) {
            for facing in ship.facings() {
                let start = Placement::new(square, *facing);
                for a in of(HelmSlot::A) {
                    for b in of(HelmSlot::B) {
                        for c in of(HelmSlot::C) {
                            search.courses(start, &[a, b, c]);
                        }
                    }
                }
            }
        }
        if search.left == 0 {
            // Too much is open to try it all: then all of it is named.
            let open = self.board.cells().filter(|(_, c)| !c.is_known());
            search.squares.extend(open.map(|(s, _)| s));
            (search.shields, search.sensors) = (true, true);
        }
        zones.extend(search.squares.into_iter().map(Zone::Board));
        if search.mines && ship.hull_left(&self.print).is_none() {
            zones.push(Zone::Damage(ship.id(), None));
        }
        Waits {
            zones,
            shields: search.shields,
            sensors: search.sensors,
        }
    }
}

impl Search<'_> {
    /// Every course from one place with dice that are known, over every map there may be.
    fn courses(&mut self, start: Placement, dice: &[Symbol]) {
        let mut maps = vec![self.position.board.clone()];
        while let Some(map) = maps.pop() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let course = Course::of_dice(&map, &self.position.print, start, dice, u16::MAX);
            let known = &self.position.board;
            self.mines |= course.path.iter().any(|s| known.cell(*s).mines.max > 0);
            for square in &course.path {
                let ground = known.cell(*square).ground;
                self.shields |=
                    ground.contains(Terrain::Asteroid) || ground.contains(Terrain::Rift);
                self.sensors |= ground.contains(Terrain::Nebula);
            }
            if let Some(square) = course.unsure.first() {
                self.branch(&map, *square, &mut maps);
            }
        }
    }

    /// The maps in which the content of a square is known, as far as they lead elsewhere.
    fn branch(&mut self, map: &Board, square: Square, maps: &mut Vec<Board>) {
        let cell = map.cell(square);
        if cell.ground.known() == Some(Terrain::Wormhole) && cell.mines.value().is_some() {
            self.other_ends(map, square, maps);
            return;
        }
        self.squares.insert(square);
        let mut tame = false;
        for terrain in cell.ground.iter() {
            // What neither carries nor stops a ship leads on alike.
            if !matches!(terrain, Terrain::Wormhole | Terrain::Gravity(_)) {
                if tame {
                    continue;
                }
                tame = true;
            }
            let mut next = map.clone();
            if let Some(cell) = next.cell_mut(square) {
                cell.ground = Grounds::one(terrain);
                // A mine at most ends a move early; without it every later square is met.
                cell.mines = Span::known(cell.mines.min.min(1));
            }
            maps.push(next);
        }
    }

    /// The maps in which the other end of a wormhole is known.
    fn other_ends(&mut self, map: &Board, square: Square, maps: &mut Vec<Board>) {
        let others: Vec<Square> = map
            .cells()
            .filter(|(s, c)| *s != square && c.ground.contains(Terrain::Wormhole))
            .map(|(s, _)| s)
            .collect();
        let open = |s: &&Square| map.cell(**s).ground.known().is_none();
        if others.iter().filter(open).count() == 0 {
            // One end too few or too many lies on the map, and that is all there is to say.
            self.squares.insert(square);
            return;
        }
        self.squares.extend(others.iter().filter(open));
        for end in &others {
            let mut next = map.clone();
            for other in others
                .iter()
                .filter(|o| map.cell(**o).ground.known().is_none())
            {
                if let Some(cell) = next.cell_mut(*other) {
                    cell.ground = match other == end {
                        true => Grounds::one(Terrain::Wormhole),
                        false => cell.ground.without(Terrain::Wormhole),
                    };
                }
            }
            maps.push(next);
        }
    }
}
