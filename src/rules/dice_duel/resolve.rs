//! From claims to a position: nothing fails as a whole. What may not lie where it lies is taken
//! off, what was not read becomes unknown, and both are said.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::board::{Board, Grounds, Terrain, TokenKind};
use super::dice_box::DiceBox;
use super::fault::{Fault, Problem};
use super::flow::Flow;
use super::position::{LooseDie, Position};
use super::print::Print;
use super::setup::{DieSetup, Setup, ShipSetup, Showing};
use super::ship::Ship;
use super::ship_id::ShipId;
use super::square::Square;
use super::stand::{Halved, halves};
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{Spot, Station, Zone};
use crate::rules::{Place, Span};

impl Setup {
    /// The position these claims describe, and all that was wrong or unknown on the way there.
    /// Never fails as a whole: an offending die is taken off, or its place becomes unknown.
    pub fn resolve(&self, print: &Print) -> (Position, Vec<Problem>) {
        let mut work = Resolver {
            print,
            board: Board::new(print.cols(), print.rows()),
            ships: Vec::new(),
            loose: Vec::new(),
            used: self.used_crystals,
            slots: Vec::new(),
            spill: Ship::new(ShipId::WHITE, ShipId::WHITE),
            seen: BTreeMap::new(),
            mines: Vec::new(),
            problems: Vec::new(),
        };
        work.ships(self);
        for die in &self.dice {
            work.die(die);
        }
        work.full_slots();
        for token in &self.tokens {
            work.token(&token.kind, token.at);
        }
        work.hidden(&self.hidden);
        work.counts();
        work.map();
        work.mine_tokens(self);
        work.halves();
        let flow = work.flow(&self.flow);
        let Resolver {
            board,
            ships,
            loose,
            used,
            problems,
            ..
        } = work;
        let position = Position {
            print: Arc::new(print.clone()),
            board,
            ships,
            loose,
            used_crystals: used,
            flow,
        };
        (position, problems)
    }
}

/// More ships than any table holds; a file with more is not read to its end.
pub const MAX_SHIPS: usize = 8;

struct Resolver<'a> {
    print: &'a Print,
    board: Board,
    ships: Vec<Ship>,
    loose: Vec<LooseDie>,
    used: Span,
    /// Dice in slots, which are put together at the end.
    slots: Vec<(ShipId, Spot, Faces)>,
    /// Ships beyond [`MAX_SHIPS`] are put together here and forgotten.
    spill: Ship,
    /// Dice that surely exist, wherever they lie but on the damage display, by ship and kind.
    seen: BTreeMap<(ShipId, DieKind), u16>,
    /// Mine tokens seen on displays.
    mines: Vec<(ShipId, Span)>,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    fn problem(&mut self, at: Zone, fault: Fault) {
        self.problems.push(Problem { at, fault });
    }

    fn ship(&mut self, id: ShipId) -> &mut Ship {
        let index = self.ships.iter().position(|s| s.id == id);
        if index.is_none() {
            if self.ships.len() < MAX_SHIPS {
                self.ships.push(Ship::new(id, id));
            } else {
                self.spill = Ship::new(id, id);
                self.problem(Zone::Ship(id), Fault::TooManyShips);
                return &mut self.spill;
            }
        }
        let index = index.unwrap_or(self.ships.len().saturating_sub(1));
        self.ships.get_mut(index).unwrap_or(&mut self.spill)
    }

    fn ships(&mut self, setup: &Setup) {
        for claim in &setup.ships {
            if self.ships.iter().any(|s| s.id == claim.id) {
                self.problem(Zone::Ship(claim.id), Fault::ShipTwice);
                let ship = self.ship(claim.id);
                ship.square = Place::Unknown;
                ship.facing = Place::Unknown;
                ship.half = Place::Unknown;
                continue;
            }
            self.ship_claim(claim);
        }
    }

    fn ship_claim(&mut self, claim: &ShipSetup) {
        let at = Zone::Ship(claim.id);
        let square = match claim.square.candidates() {
            None => Place::Unknown,
            Some(squares) => {
                for off in squares.iter().filter(|s| !self.print.on_map(**s)) {
                    self.problems.push(Problem {
                        at,
                        fault: Fault::ShipOffMap { square: *off },
                    });
                }
                narrowed(
                    squares
                        .iter()
                        .copied()
                        .filter(|s| self.print.on_map(*s))
                        .collect(),
                )
            }
        };
        let facing = claim
            .facing
            .candidates()
            .map_or(Place::Unknown, |f| narrowed(f.to_vec()));
        let half = claim
            .half
            .candidates()
            .map_or(Place::Unknown, |h| narrowed(h.to_vec()));
        if !square.is_known() || !facing.is_known() {
            self.problem(at, Fault::ShipUnsure);
        }
        let hull = u16::from(self.print.numbers.hull);
        let crystals_in_box = u16::from(self.print.crystals);
        let mut crystals = claim.crystals;
        if crystals.min > crystals_in_box {
            self.problem(
                Zone::Crystals(claim.id),
                Fault::TooManyCrystals {
                    seen: crystals.min,
                    exist: crystals_in_box,
                },
            );
            crystals = Span::between(0, crystals_in_box);
        }
        let mut damage = claim.damage;
        if damage.total().min > hull {
            self.problem(
                Zone::Damage(claim.id, None),
                Fault::TooMuchDamage {
                    seen: damage.total().min,
                    hull,
                },
            );
            damage.dice = Span::between(0, hull);
            damage.crystals = Span::between(0, hull);
        }
        let most_mines = u16::from(self.print.mines_a_ship);
        let ship = self.ship(claim.id);
        ship.team = claim.team.unwrap_or(claim.id);
        ship.square = square;
        ship.facing = facing;
        ship.half = half;
        ship.crystals = Span::between(
            crystals.min.min(crystals_in_box),
            crystals.max.min(crystals_in_box),
        );
        ship.mines = claim.mines.map_or(Span::known(most_mines), |m| {
            Span::between(m.min.min(most_mines), m.max.min(most_mines))
        });
        ship.damage = damage;
    }

    fn die(&mut self, die: &DieSetup) {
        let zones: &[Zone] = die.at.candidates().unwrap_or(&[Zone::Table]);
        let Some(first) = zones.first().copied() else {
            return;
        };
        let one_place = zones.len() == 1;
        let kind = die.kind.or_else(|| kind_of(&die.means));
        let faces = match (&die.means, kind) {
            (Place::Unknown, Some(kind)) => Some(kind.symbols()),
            (Place::Unknown, None) => None,
            (means, _) => Some(
                means
                    .candidates()
                    .unwrap_or_default()
                    .iter()
                    .map(|s| match s {
                        Showing::Nothing => Faces::ABSENT,
                        Showing::Symbol(s) => Faces::one(as_kind(*s, die.kind)),
                    })
                    .fold(Faces::NONE, Faces::union),
            ),
        };
        if !one_place {
            self.problem(first, Fault::UnsureZone);
        }
        for zone in zones {
            let faces = if one_place {
                faces
            } else {
                faces.map(Faces::or_absent)
            };
            self.die_at(*zone, kind, faces, one_place);
        }
    }

    /// One die in one place it may be in. `faces` is `None` for a die of which nothing is known.
    fn die_at(&mut self, at: Zone, kind: Option<DieKind>, faces: Option<Faces>, only: bool) {
        let sure = only && faces.is_none_or(Faces::is_present);
        match at {
            Zone::On(ship, spot) => self.die_on(at, ship, spot, kind, faces, sure),
            Zone::Display(ship, station) => {
                self.ship(ship);
                self.note(ship, kind, sure);
                // Returned energy dice may lie anywhere on the engineering display.
                if station == Station::Engineering && kind == Some(DieKind::Energy) {
                    self.die_on(
                        Zone::On(ship, Spot::Pool),
                        ship,
                        Spot::Pool,
                        kind,
                        faces,
                        false,
                    );
                    return;
                }
                if only {
                    self.problem(at, Fault::OutsideZones);
                }
            }
            Zone::Damage(ship, _) => {
                let energy = faces.is_none_or(|f| f.symbols().any(|s| s.fits(DieKind::Energy)));
                if !energy {
                    self.problem(at, Fault::NotDamage);
                    return;
                }
                let known = sure && kind == Some(DieKind::Energy);
                if only && !known {
                    self.problem(at, Fault::ForeignDie);
                }
                let hull = u16::from(self.print.numbers.hull);
                let damage = &mut self.ship(ship).damage;
                damage.dice = damage.dice.plus(Span::between(u16::from(known), 1));
                let seen = damage.total().min;
                if seen > hull {
                    damage.dice = Span::between(0, hull);
                    self.problem(at, Fault::TooMuchDamage { seen, hull });
                }
            }
            Zone::Table | Zone::Beside(_) => {
                if let Some(ship) = at.ship() {
                    self.ship(ship);
                    self.note(ship, kind, sure);
                }
                if let (Some(kind), Some(faces)) = (kind, faces) {
                    // A symbol is of no use beside the displays, but an energy number is.
                    if kind == DieKind::Energy && !faces.is_known() && only {
                        self.problem(at, Fault::UnsureDie { shows: faces });
                    }
                    self.loose.push(LooseDie { at, kind, faces });
                }
            }
            Zone::Crystals(ship) | Zone::Ship(ship) => {
                self.note(ship, kind, sure);
            }
            Zone::Board(_) | Zone::Map | Zone::UsedCrystals => {}
        }
    }

    fn note(&mut self, ship: ShipId, kind: Option<DieKind>, sure: bool) {
        if sure && let Some(kind) = kind {
            let n = self.seen.entry((ship, kind)).or_default();
            *n = n.saturating_add(1);
        }
    }

    fn die_on(
        &mut self,
        at: Zone,
        ship: ShipId,
        spot: Spot,
        kind: Option<DieKind>,
        faces: Option<Faces>,
        sure: bool,
    ) {
        self.ship(ship);
        self.note(ship, kind, sure);
        let legal = self.print.legal(spot);
        if legal.is_empty() {
            self.problem(at, Fault::NoSuchPlace);
            return;
        }
        let Some(faces) = faces else {
            self.problem(at, Fault::ForeignDie);
            self.put(ship, spot, legal.or_absent());
            return;
        };
        let fits = faces.intersection(legal);
        let wants = spot.die_kind();
        if fits.is_empty() {
            // Nothing it may show belongs here: it is taken off, as the book says.
            let Some(shows) = faces.symbols().next() else {
                return;
            };
            let is = kind.unwrap_or(wants);
            let station_die = is != DieKind::Energy;
            let symbol = faces.known();
            let unusable = symbol.is_some_and(|s| {
                s == Symbol::Expansion
                    || (matches!(spot, Spot::Tube(..)) && s.blasts() > 0 && s.part().is_none())
            });
            if unusable && self.print.options.expansion_symbols && shows == Symbol::Expansion {
                return;
            }
            let fault = if matches!(spot, Spot::Energy(_)) && station_die {
                Fault::StationDieInEnergy { kind: is }
            } else if is != wants && shows.kind().is_some() {
                Fault::WrongKind { kind: is, wants }
            } else if unusable {
                Fault::UnusableSymbol { shows }
            } else {
                Fault::WrongZone {
                    shows: faces.present(),
                }
            };
            self.problem(at, fault);
            return;
        }
        if !faces.is_known() {
            self.problem(at, Fault::UnsureDie { shows: faces });
        }
        // If it is what does not belong here, it is taken off; so it may as well not be there.
        let die = if faces.is_subset(legal) {
            fits
        } else {
            fits.or_absent()
        };
        if let (Spot::Energy(station), Some(number)) =
            (spot, die.known().and_then(Symbol::energy_number))
            && self.print.route(number) != Some(station)
        {
            self.problem(at, Fault::WrongEnergyNumber { number, station });
            if !self.print.options.energy_number_is_soft {
                return;
            }
        }
        self.put(ship, spot, die);
    }

    fn put(&mut self, ship: ShipId, spot: Spot, die: Faces) {
        if spot.is_slot() {
            self.slots.push((ship, spot, die));
            return;
        }
        let room = self
            .ship(ship)
            .dice_mut(spot)
            .is_some_and(|dice| dice.push(die));
        if !room {
            self.problem(Zone::On(ship, spot), Fault::Crowded);
        }
    }

    /// Two legal dice in one slot: one of them counts, and which is not known.
    fn full_slots(&mut self) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.sort_by_key(|(ship, spot, _)| (*ship, spot.index()));
        let mut rest = slots.as_slice();
        while let Some((ship, spot, _)) = rest.first().copied() {
            let end = rest
                .iter()
                .position(|(s, p, _)| (*s, *p) != (ship, spot))
                .unwrap_or(rest.len());
            let (here, others) = rest.split_at(end);
            rest = others;
            let sure = here.iter().filter(|(_, _, d)| d.is_present()).count();
            let mut die = here
                .iter()
                .fold(Faces::NONE, |all, (_, _, d)| all.union(*d));
            if sure > 0 {
                die = die.present();
            }
            if sure > 1 {
                self.problem(
                    Zone::On(ship, spot),
                    Fault::SlotTaken {
                        dice: sure.min(255) as u8,
                    },
                );
            }
            if let Some(dice) = self.ship(ship).dice_mut(spot) {
                dice.push(die);
            }
        }
    }

    fn token(&mut self, kind: &Place<TokenKind>, at: Zone) {
        // A thing that was not read may be anything that lies on a map.
        let mut any_kind = vec![TokenKind::Nothing, TokenKind::Mine, TokenKind::Crystal];
        any_kind.extend(self.hidden_grounds(true).into_iter().map(TokenKind::Ground));
        let kinds = kind.candidates().unwrap_or(&any_kind);
        let all = |wanted: TokenKind| kinds.iter().all(|k| *k == wanted);
        let any = |wanted: TokenKind| kinds.contains(&wanted);
        let one = |wanted: TokenKind| Span::between(u16::from(all(wanted)), 1);
        match at {
            Zone::Board(square) => self.token_on(square, kinds, kind.is_known()),
            Zone::UsedCrystals if any(TokenKind::Crystal) => {
                self.used = self.used.plus(one(TokenKind::Crystal));
            }
            Zone::Crystals(ship) if any(TokenKind::Crystal) => {
                let more = one(TokenKind::Crystal);
                let ship = self.ship(ship);
                ship.crystals = ship.crystals.plus(more);
            }
            Zone::Damage(ship, _) if any(TokenKind::Crystal) => {
                let more = one(TokenKind::Crystal);
                let hull = u16::from(self.print.numbers.hull);
                let damage = &mut self.ship(ship).damage;
                damage.crystals = damage.crystals.plus(more);
                let seen = damage.total().min;
                if seen > hull {
                    damage.crystals = Span::between(0, hull);
                    self.problem(at, Fault::TooMuchDamage { seen, hull });
                }
            }
            Zone::On(ship, Spot::MineA | Spot::MineB | Spot::Beam | Spot::Energy(_))
            | Zone::Display(ship, _)
                if any(TokenKind::Mine) =>
            {
                let more = one(TokenKind::Mine);
                self.ship(ship);
                self.mines.push((ship, more));
            }
            Zone::Table | Zone::Beside(_) => {}
            _ if any(TokenKind::Nothing) => {}
            _ => self.problem(at, Fault::TokenMisplaced),
        }
    }

    fn token_on(&mut self, square: Square, kinds: &[TokenKind], known: bool) {
        let at = Zone::Board(square);
        let Some(cell) = self.board.cell_mut(square) else {
            self.problem(at, Fault::TokenOffMap);
            return;
        };
        let mut faults = Vec::new();
        if !known && kinds.len() > 1 {
            faults.push(Fault::TokenUnsure);
        }
        let maybe = |wanted: fn(&TokenKind) -> bool| {
            let any = kinds.iter().any(wanted);
            let all = kinds.iter().all(wanted);
            any.then(|| Span::between(u16::from(all), 1))
        };
        if let Some(more) = maybe(|k| *k == TokenKind::Crystal) {
            cell.crystals = cell.crystals.plus(more);
        }
        if let Some(more) = maybe(|k| *k == TokenKind::Mine) {
            let sum = cell.mines.plus(more);
            if sum.min > 1 {
                faults.push(Fault::TwoMines);
            }
            cell.mines = Span::between(sum.min.min(1), 1);
        }
        let is_ground = |k: &TokenKind| matches!(k, TokenKind::Ground(_));
        if let Some(more) = maybe(is_ground) {
            let mut grounds = Grounds::NONE;
            for kind in kinds {
                if let TokenKind::Ground(terrain) = kind {
                    grounds = grounds.with(*terrain);
                }
            }
            if more.min == 0 {
                grounds = grounds.with(Terrain::Open);
            }
            if cell.ground.may_act() {
                faults.push(Fault::TwoTokens);
                for terrain in cell.ground.iter() {
                    grounds = grounds.with(terrain);
                }
            }
            cell.ground = grounds;
            let options = &self.print.options;
            let tiles = grounds
                .iter()
                .any(|t| matches!(t, Terrain::Rift | Terrain::Gravity(_)));
            let wormhole = grounds.known() == Some(Terrain::Wormhole);
            if (tiles && !options.original_tiles) || (wormhole && !options.wormholes) {
                faults.push(Fault::NotInPlay);
            }
            let board = &self.print.board;
            let marked = board.crystal_squares.contains(&square)
                || board.starts.iter().any(|s| s.square == square);
            if marked && (known || !options.tokens_on_marked_squares) {
                faults.push(Fault::OnMarkedSquare);
            }
        }
        for fault in faults {
            self.problem(at, fault);
        }
    }

    /// Dice of a kind that no place accounts for.
    fn unaccounted(&self, ship: ShipId, kind: DieKind) -> u8 {
        let seen = self.seen.get(&(ship, kind)).copied().unwrap_or(0);
        let all = u16::from(self.print.dice_of(kind));
        let gone = seen.saturating_add(self.damage_dice(ship, kind));
        all.saturating_sub(gone) as u8
    }

    fn damage_dice(&self, ship: ShipId, kind: DieKind) -> u16 {
        let ship = self.ships.iter().find(|s| s.id == ship);
        match kind {
            DieKind::Energy => ship.map_or(0, |s| s.damage.dice.min),
            _ => 0,
        }
    }

    fn hidden(&mut self, zones: &[Zone]) {
        let wormholes = self
            .board
            .cells()
            .filter(|(_, c)| c.ground.contains(Terrain::Wormhole))
            .count();
        let hidden_squares = zones.iter().filter(|z| matches!(z, Zone::Board(_))).count();
        let mut seen = Vec::new();
        for zone in zones {
            if seen.contains(zone) {
                continue;
            }
            seen.push(*zone);
            if seen.len() > 4096 {
                break;
            }
            self.problem(*zone, Fault::Hidden);
            match *zone {
                Zone::On(ship, spot) => self.hide_spot(ship, spot),
                Zone::Display(ship, station) => {
                    for spot in Spot::all().filter(|s| s.station() == station) {
                        self.hide_spot(ship, spot);
                    }
                }
                Zone::Damage(ship, _) => {
                    let hull = u16::from(self.print.numbers.hull);
                    let ship = self.ship(ship);
                    ship.damage.dice.max = hull.max(ship.damage.dice.max);
                }
                Zone::Crystals(ship) => {
                    let all = u16::from(self.print.crystals);
                    let ship = self.ship(ship);
                    ship.crystals.max = all.max(ship.crystals.max);
                }
                Zone::UsedCrystals => {
                    self.used.max = u16::from(self.print.crystals).max(self.used.max);
                }
                Zone::Ship(ship) => {
                    let ship = self.ship(ship);
                    ship.square = Place::Unknown;
                    ship.facing = Place::Unknown;
                    ship.half = Place::Unknown;
                }
                Zone::Board(square) => {
                    let more_wormholes = self.print.options.wormholes
                        && wormholes < 2
                        && wormholes + hidden_squares >= 2;
                    let crystals = u16::from(self.print.crystals);
                    let grounds = self.hidden_grounds(more_wormholes);
                    if let Some(cell) = self.board.cell_mut(square) {
                        if !cell.ground.may_act() {
                            for terrain in grounds {
                                cell.ground = cell.ground.with(terrain);
                            }
                        }
                        cell.mines.max = 1;
                        cell.crystals.max = crystals.max(cell.crystals.max);
                    }
                }
                Zone::Map | Zone::Beside(_) | Zone::Table => {}
            }
        }
    }

    /// What may lie on a square that was not seen.
    fn hidden_grounds(&self, wormholes: bool) -> Vec<Terrain> {
        Terrain::ALL
            .into_iter()
            .filter(|t| match t {
                Terrain::Open => false,
                Terrain::Asteroid | Terrain::Nebula => true,
                Terrain::Wormhole => wormholes && self.print.options.wormholes,
                Terrain::Rift | Terrain::Gravity(_) => self.print.options.original_tiles,
            })
            .collect()
    }

    fn hide_spot(&mut self, ship: ShipId, spot: Spot) {
        let legal = self.print.legal(spot);
        self.ship(ship);
        let missing = self.unaccounted(ship, spot.die_kind());
        if legal.is_empty() || missing == 0 {
            return;
        }
        let Some(dice) = self.ship(ship).dice_mut(spot) else {
            return;
        };
        let wanted = if spot.is_slot() {
            usize::from(dice.is_empty())
        } else {
            usize::from(missing)
        };
        // What is hidden here shows what may lie here; what may not would be taken off.
        for _ in 0..wanted {
            if !dice.push(legal.or_absent()) {
                break;
            }
        }
    }

    /// More dice than a ship has: none of that kind is believed on its own.
    fn counts(&mut self) {
        let ids: Vec<ShipId> = self.ships.iter().map(|s| s.id).collect();
        for id in ids {
            for kind in DieKind::ALL {
                let exist = self.print.dice_of(kind);
                let seen = self
                    .seen
                    .get(&(id, kind))
                    .copied()
                    .unwrap_or(0)
                    .saturating_add(self.damage_dice(id, kind));
                if seen <= u16::from(exist) {
                    continue;
                }
                self.problem(
                    Zone::Display(id, station_of(kind)),
                    Fault::TooManyDice { kind, seen, exist },
                );
                let ship = self.ship(id);
                for spot in Spot::all().filter(|s| s.die_kind() == kind) {
                    if let Some(dice) = ship.dice_mut(spot) {
                        dice.doubt();
                    }
                }
            }
        }
    }

    fn map(&mut self) {
        let wormholes = self
            .board
            .cells()
            .filter(|(_, c)| c.ground.known() == Some(Terrain::Wormhole))
            .count();
        if wormholes != 0 && wormholes != 2 {
            let ends: Vec<Square> = self
                .board
                .cells()
                .filter(|(_, c)| c.ground.known() == Some(Terrain::Wormhole))
                .map(|(s, _)| s)
                .collect();
            let others = self
                .board
                .cells()
                .any(|(_, c)| c.ground.known().is_none() && c.ground.contains(Terrain::Wormhole));
            for end in ends {
                if !(wormholes == 1 && others) {
                    self.problem(
                        Zone::Board(end),
                        Fault::Wormholes {
                            count: wormholes.min(255) as u8,
                        },
                    );
                }
            }
        }
        let held = self
            .ships
            .iter()
            .flat_map(|s| [s.crystals.min, s.damage.crystals.min])
            .fold(0, u16::saturating_add);
        let on_map = self
            .board
            .cells()
            .fold(0, |n: u16, (_, c)| n.saturating_add(c.crystals.min));
        let seen = held.saturating_add(on_map).saturating_add(self.used.min);
        let exist = u16::from(self.print.crystals);
        if seen > exist {
            self.problem(Zone::Map, Fault::TooManyCrystals { seen, exist });
        }
    }

    fn mine_tokens(&mut self, setup: &Setup) {
        let most = u16::from(self.print.mines_a_ship);
        let listed = std::mem::take(&mut self.mines);
        let ids: Vec<ShipId> = self.ships.iter().map(|s| s.id).collect();
        for id in ids {
            let said = setup.ships.iter().any(|s| s.id == id && s.mines.is_some());
            let counted = listed
                .iter()
                .filter(|(ship, _)| *ship == id)
                .fold(None, |sum: Option<Span>, (_, n)| {
                    Some(sum.map_or(*n, |s| s.plus(*n)))
                });
            if said {
                continue;
            }
            let tokens = counted.unwrap_or(Span::known(most));
            self.ship(id).mines = Span::between(tokens.min.min(most), tokens.max.min(most));
        }
        let on_map = self
            .board
            .cells()
            .fold(0, |n: u16, (_, c)| n.saturating_add(c.mines.min));
        let exist = most.saturating_mul(self.ships.len().clamp(2, 64) as u16);
        if on_map > exist {
            self.problem(
                Zone::Map,
                Fault::TooManyMines {
                    seen: on_map,
                    exist,
                },
            );
        }
    }

    fn halves(&mut self) {
        for Halved { ship, half, with } in halves(&self.ships, self.print) {
            if let Some(with) = with {
                self.problem(Zone::Ship(ship), Fault::HalvesUnclear { with });
            }
            self.ship(ship).half = half;
        }
    }

    /// A game that waits for what cannot be would wait for ever.
    fn flow(&mut self, claim: &Flow) -> Flow {
        let there = |id: ShipId| self.ships.iter().any(|s| s.id == id);
        let at = match claim.ships().find(|id| !there(*id)) {
            Some(id) => Zone::Ship(id),
            None if !claim.can_be() => Zone::Map,
            None => return claim.clone(),
        };
        self.problem(at, Fault::FlowUnclear);
        Flow::default()
    }
}

pub(super) fn narrowed<T: Ord>(mut values: Vec<T>) -> Place<T> {
    values.sort();
    values.dedup();
    match values.len() {
        0 => Place::Unknown,
        1 => values.pop().map_or(Place::Unknown, Place::Known),
        _ => Place::OneOf(values),
    }
}

/// On a shield die, 1 to 4 may be written for S1 to S4.
fn as_kind(symbol: Symbol, kind: Option<DieKind>) -> Symbol {
    match (kind, symbol) {
        (Some(DieKind::Shield), Symbol::Energy1) => Symbol::Shield1,
        (Some(DieKind::Shield), Symbol::Energy2) => Symbol::Shield2,
        (Some(DieKind::Shield), Symbol::Energy3) => Symbol::Shield3,
        (Some(DieKind::Shield), Symbol::Energy4) => Symbol::Shield4,
        _ => symbol,
    }
}

/// The kind all the symbols a die may show agree on.
fn kind_of(means: &Place<Showing>) -> Option<DieKind> {
    let mut kind = None;
    for showing in means.candidates()? {
        let Showing::Symbol(symbol) = showing else {
            continue;
        };
        match (symbol.kind(), kind) {
            (None, _) => {}
            (Some(is), None) => kind = Some(is),
            (Some(is), Some(was)) if is != was => return None,
            _ => {}
        }
    }
    kind
}

fn station_of(kind: DieKind) -> Station {
    Station::ALL
        .into_iter()
        .find(|s| s.die_kind() == kind)
        .unwrap_or(Station::Engineering)
}

impl DiceBox {
    /// A box with one die that is known.
    pub fn of(symbol: Symbol) -> DiceBox {
        [Faces::one(symbol)].into_iter().collect()
    }
}
