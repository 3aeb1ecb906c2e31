//! Positions and plays made from a seed, for the other tests of Dice Duel. It has no test of its
//! own.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use sightline::rules::dice_duel::*;
use sightline::rules::{Place, Span};

/// SplitMix64: small, and the same on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.draw() % 100 < percent
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

pub fn ids(n: usize) -> Vec<ShipId> {
    ["white", "black", "white-2", "black-2"]
        .iter()
        .take(n)
        .map(|s| s.parse().unwrap())
        .collect()
}

fn square(rng: &mut Rng, print: &Print) -> Square {
    Square::new(
        rng.below(print.cols() as usize) as i16,
        rng.below(print.rows() as usize) as i16,
    )
}

/// A legal table in which everything is known.
pub fn table(rng: &mut Rng, print: &Print) -> Setup {
    let mut setup = Setup::default();
    let count = if rng.chance(20) { 4 } else { 2 };
    let ids = ids(count);
    let near = square(rng, print);
    for id in &ids {
        let mut ship = ShipSetup::new(*id);
        ship.team = Some(id.as_str().split('-').next().unwrap().parse().unwrap());
        let mut at = square(rng, print);
        if rng.chance(60) {
            // Close together, where things happen.
            at = near.offset(rng.below(5) as i32 - 2, rng.below(5) as i32 - 2);
            at = if print.on_map(at) { at } else { near };
        }
        let shared = setup
            .ships
            .iter()
            .filter(|s| s.square == Place::Known(at))
            .count();
        if shared > 1 {
            at = Square::new(setup.ships.len() as i16, 0);
        }
        ship.square = Place::Known(at);
        ship.facing = Place::Known(rng.pick(&Facing::ALL));
        setup.ships.push(ship);
    }
    // Opposite halves for pairs, and no third ship in a square.
    for i in 0..count {
        let same: Vec<usize> = (0..count)
            .filter(|j| setup.ships[*j].square == setup.ships[i].square)
            .collect();
        match same.as_slice() {
            [a, b] if *a == i => {
                let edge = rng.pick(&Facing::ALL);
                setup.ships[*a].half = Place::Known(Half::At(edge));
                setup.ships[*b].half = Place::Known(Half::At(edge.opposite()));
            }
            [_] => setup.ships[i].half = Place::Known(Half::Whole),
            [_, _] => {}
            _ => {
                let free = (0..print.cols())
                    .map(|x| Square::new(x, print.rows() - 1))
                    .find(|s| !setup.ships.iter().any(|o| o.square == Place::Known(*s)));
                setup.ships[i].square = Place::Known(free.unwrap());
                return table(rng, print);
            }
        }
    }
    let mut crystals = u16::from(print.crystals);
    for (i, id) in ids.iter().copied().enumerate() {
        let held = rng.below(3).min(usize::from(crystals)) as u16;
        crystals -= held;
        let surged = u16::from(rng.chance(15) && crystals > 0);
        crystals -= surged;
        let damage = rng.below(3) as u16;
        setup.ships[i].crystals = Span::known(held);
        setup.ships[i].mines = Some(Span::known(rng.below(3) as u16));
        setup.ships[i].damage = Damage {
            dice: Span::known(damage),
            crystals: Span::known(surged),
        };
        dice(rng, print, id, damage as u8, &mut setup);
    }
    let used = rng.below(3).min(usize::from(crystals)) as u16;
    setup.used_crystals = Span::known(used);
    tokens(rng, print, crystals - used, &mut setup);
    setup
}

fn dice(rng: &mut Rng, print: &Print, id: ShipId, damage: u8, setup: &mut Setup) {
    let mut put = |at: Spot, symbol: Symbol| {
        setup.dice.push(DieSetup::new(Zone::On(id, at), symbol));
    };
    for _ in damage..print.dice_of(DieKind::Energy) {
        let n = rng.below(6) as u8 + 1;
        match print.route(n) {
            _ if rng.chance(10) => {}
            Some(station) if rng.chance(60) => {
                put(Spot::Energy(station), Symbol::energy(n).unwrap())
            }
            _ => put(Spot::Pool, Symbol::energy(n).unwrap()),
        }
    }
    let helm = rng.chance(50);
    for slot in HelmSlot::ALL {
        if helm || rng.chance(40) {
            let faces: Vec<Symbol> = Spot::Helm(slot).legal().symbols().collect();
            put(Spot::Helm(slot), rng.pick(&faces));
        }
    }
    let mut weapons = print.dice_of(DieKind::Weapon);
    let tubes: Vec<Tube> = print.tubes().collect();
    let first = rng.below(tubes.len());
    for i in 0..tubes.len() {
        let tube = tubes[(first + i) % tubes.len()];
        let full = rng.chance(55);
        for part in Part::ALL {
            if weapons > 0 && (full || rng.chance(30)) {
                weapons -= 1;
                let faces: Vec<Symbol> = Spot::Tube(tube, part).legal().symbols().collect();
                put(Spot::Tube(tube, part), rng.pick(&faces));
            }
        }
    }
    for _ in 0..print.dice_of(DieKind::Sensor) {
        match rng.below(5) {
            0 => put(Spot::Lock, Symbol::Lock1),
            1 | 2 => put(Spot::Lock, Symbol::Lock2),
            3 => put(Spot::Jammer, rng.pick(&[Symbol::Jammer1, Symbol::Jammer2])),
            _ => {}
        }
    }
    let favourite = rng.pick(&Sector::ALL);
    for _ in 0..print.dice_of(DieKind::Shield) {
        let sector = if rng.chance(50) {
            favourite
        } else {
            rng.pick(&Sector::ALL)
        };
        if rng.chance(80) {
            put(Spot::Shield(sector), sector.symbol());
        }
    }
    let (mut a, mut b) = (false, false);
    for _ in 0..print.dice_of(DieKind::Tractor) {
        match rng.below(6) {
            0 if !a => {
                a = true;
                put(Spot::MineA, rng.pick(&[Symbol::MineA, Symbol::MineAB]));
            }
            1 if !b => {
                b = true;
                put(Spot::MineB, Symbol::MineB);
            }
            2 => {}
            3 => put(Spot::Beam, Symbol::Beam1),
            _ => put(Spot::Beam, Symbol::Beam2),
        }
    }
}

fn tokens(rng: &mut Rng, print: &Print, crystals: u16, setup: &mut Setup) {
    let mut free: Vec<Square> = Vec::new();
    for y in 0..print.rows() {
        for x in 0..print.cols() {
            free.push(Square::new(x, y));
        }
    }
    let mut put = |rng: &mut Rng, kind: TokenKind, free: &mut Vec<Square>| {
        let at = free.swap_remove(rng.below(free.len()));
        setup.tokens.push(TokenSetup {
            kind: Place::Known(kind),
            at: Zone::Board(at),
        });
    };
    for _ in 0..rng.below(8) {
        put(rng, TokenKind::Ground(Terrain::Asteroid), &mut free);
    }
    for _ in 0..rng.below(8) {
        put(rng, TokenKind::Ground(Terrain::Nebula), &mut free);
    }
    if rng.chance(30) {
        put(rng, TokenKind::Ground(Terrain::Wormhole), &mut free);
        put(rng, TokenKind::Ground(Terrain::Wormhole), &mut free);
    }
    if print.options.original_tiles {
        for _ in 0..rng.below(5) {
            put(rng, TokenKind::Ground(Terrain::Rift), &mut free);
        }
        for _ in 0..rng.below(10) {
            let arrow = Terrain::Gravity(rng.pick(&Facing::ALL));
            put(rng, TokenKind::Ground(arrow), &mut free);
        }
    }
    let mut squares = Vec::new();
    for _ in 0..rng.below(4) {
        let at = square(rng, print);
        if !squares.contains(&at) {
            squares.push(at);
            setup.tokens.push(TokenSetup {
                kind: Place::Known(TokenKind::Mine),
                at: Zone::Board(at),
            });
        }
    }
    for _ in 0..crystals {
        if rng.chance(80) {
            setup.tokens.push(TokenSetup {
                kind: Place::Known(TokenKind::Crystal),
                at: Zone::Board(square(rng, print)),
            });
        }
    }
}

/// A print with the options that change what happens, by chance.
pub fn print(rng: &mut Rng) -> Print {
    let mut print = Print::default();
    let options = &mut print.options;
    if rng.chance(30) {
        options.arc = ArcEdge::QuadrantExclusive;
    }
    if rng.chance(30) {
        options.edge_forward_two = EdgeMove::Clip;
    }
    options.original_tiles = rng.chance(30);
    options.fire_two_removes_other_side = rng.chance(30);
    options.side_shot_removes_all_declared = rng.chance(70);
    options.failed_tractor_removes_dice = rng.chance(30);
    options.half_is_kept = rng.chance(30);
    options.warp_arrival_enters = rng.chance(70);
    options.wormhole_entry_acts = rng.chance(70);
    options.rift_blocks_at_its_own_square = rng.chance(70);
    print
}

pub fn position(seed: u64) -> Position {
    let mut rng = Rng(seed);
    let print = print(&mut rng);
    table(&mut rng, &print).resolve(&print).0
}

/// The start of a game with tokens laid out.
pub fn start(seed: u64, lineup: Lineup) -> Position {
    let mut rng = Rng(seed);
    let print = print(&mut rng);
    let mut setup = Setup::start(&print, lineup);
    let mut scratch = Setup::default();
    tokens(&mut rng, &print, 0, &mut scratch);
    let laid = |t: &TokenSetup| matches!(t.kind, Place::Known(TokenKind::Ground(_)));
    setup.tokens.extend(scratch.tokens.into_iter().filter(laid));
    setup.resolve(&print).0
}

/// A legal action by chance: first its kind, so that rare things happen too.
pub fn choose(rng: &mut Rng, position: &Position) -> Option<Action> {
    let legal = position.legal_actions();
    let kind = |a: &Action| std::mem::discriminant(a);
    let mut kinds: Vec<_> = legal.iter().map(kind).collect();
    kinds.dedup();
    let wanted = *kinds.get(rng.below(kinds.len()))?;
    let of_kind: Vec<&Action> = legal.iter().filter(|a| kind(a) == wanted).collect();
    // Dice are placed far more often than taken off again.
    if matches!(of_kind[0], Action::Take { .. }) && !rng.chance(15) && kinds.len() > 1 {
        return choose(rng, position);
    }
    Some(of_kind[rng.below(of_kind.len())].clone())
}
