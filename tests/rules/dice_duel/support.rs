//! Positions and plays made from a seed, for the other tests of Dice Duel. It has no test of its
//! own.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

pub use crate::chance::Rng;
use sightline::rules::dice_duel::*;
use sightline::rules::{Place, Span};

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
        let mut damage = rng.below(3) as u16;
        if rng.chance(4) {
            damage = u16::from(print.numbers.hull) - surged;
        }
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
    // No more than the box has, those on displays included.
    let left = usize::from(print.mines_a_ship) * setup.ships.len().max(2);
    let placed = setup.ships.iter().filter_map(|s| s.mines);
    let left = left.saturating_sub(placed.map(|n| usize::from(n.max)).sum());
    for _ in 0..rng.below(4).min(left) {
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
    options.fire_unloaded = rng.chance(20);
    options.gravity_counts_each_square = rng.chance(70);
    options.passing_takes_half = rng.chance(30);
    if rng.chance(20) {
        options.mine_in_own_square = OwnSquareMine::FrontArc;
    }
    if rng.chance(20) {
        options.tractor_off_map = OffMapPush::Stays;
    }
    if rng.chance(20) {
        options.wormhole_half = WormholeHalf::Ask;
    }
    if rng.chance(20) {
        options.saved_helm_die = SavedDie::AsRolled;
    }
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

/// Makes some places unknown, each with the truth among what it may be.
pub fn blur(rng: &mut Rng, setup: &mut Setup, most: usize) {
    for _ in 0..1 + rng.below(most) {
        blur_one(rng, setup);
    }
}

pub fn blur_one(rng: &mut Rng, setup: &mut Setup) {
    match rng.below(10) {
        8 | 9 if !setup.tokens.is_empty() => {
            let i = rng.below(setup.tokens.len());
            let Place::Known(truth) = setup.tokens[i].kind else {
                return;
            };
            let other = rng.pick(&[
                TokenKind::Nothing,
                TokenKind::Mine,
                TokenKind::Crystal,
                TokenKind::Ground(Terrain::Asteroid),
                TokenKind::Ground(Terrain::Nebula),
            ]);
            setup.tokens[i].kind = match rng.below(3) {
                0 => Place::Unknown,
                _ if other == truth => Place::Unknown,
                _ => Place::OneOf(vec![truth, other]),
            };
        }
        0..=4 if !setup.dice.is_empty() => {
            // More often one that launches are about.
            let i = (0..6)
                .map(|_| rng.below(setup.dice.len()))
                .find(|i| {
                    let at = setup.dice[*i].at.known();
                    matches!(
                        at,
                        Some(Zone::On(
                            _,
                            Spot::Lock | Spot::Jammer | Spot::Tube(..) | Spot::Shield(_)
                        ))
                    )
                })
                .unwrap_or(0);
            let die = &mut setup.dice[i];
            let Place::Known(Showing::Symbol(truth)) = die.means else {
                return;
            };
            let Some(kind) = truth.kind() else { return };
            die.kind = Some(kind);
            match rng.below(3) {
                0 => die.means = Place::Unknown,
                1 => {
                    let mut may = vec![Showing::Symbol(truth)];
                    let faces: Vec<Symbol> = kind.symbols().symbols().collect();
                    may.push(Showing::Symbol(rng.pick(&faces)));
                    if rng.chance(50) {
                        may.push(Showing::Nothing);
                    }
                    may.sort();
                    may.dedup();
                    die.means = Place::OneOf(may);
                }
                _ => {
                    if let Place::Known(at) = die.at {
                        die.at = Place::OneOf(vec![at, Zone::Table]);
                    }
                }
            }
        }
        5 | 6 => {
            let i = rng.below(setup.ships.len());
            let ship = &mut setup.ships[i];
            let Place::Known(square) = ship.square else {
                return;
            };
            ship.half = Place::Unknown;
            match rng.below(4) {
                0 => ship.facing = Place::Unknown,
                1 => ship.square = Place::Unknown,
                _ => {
                    let other = square.around()[rng.below(8)];
                    if Print::default().on_map(other) {
                        ship.square = Place::OneOf(vec![square, other]);
                    }
                }
            }
        }
        _ => {
            let i = rng.below(setup.ships.len());
            let ship = &mut setup.ships[i];
            match rng.below(3) {
                0 => {
                    ship.crystals =
                        Span::between(ship.crystals.min.saturating_sub(1), ship.crystals.max + 1)
                }
                1 => {
                    ship.damage.dice = Span::between(
                        ship.damage.dice.min.saturating_sub(1),
                        ship.damage.dice.max + 1,
                    )
                }
                _ => {
                    if let Some(n) = ship.mines {
                        ship.mines = Some(Span::between(n.min.saturating_sub(1), n.max));
                    }
                }
            }
        }
    }
}

/// Something a person may say about a place: mostly what can be, now and then what cannot.
pub fn correction(rng: &mut Rng, position: &Position) -> Correction {
    let print = position.print();
    let mut ids: Vec<ShipId> = position.ships().iter().map(Ship::id).collect();
    if rng.chance(3) {
        ids = vec!["nobody".parse().unwrap()];
    }
    let ship = rng.pick(&ids);
    let count = |rng: &mut Rng, most: usize| {
        let least = rng.below(most + 1) as u16;
        let more = if rng.chance(30) { rng.below(2) } else { 0 };
        Span::between(least, least + more as u16)
    };
    match rng.below(12) {
        0..=4 => {
            let spots: Vec<Spot> = Spot::all().collect();
            let spot = rng.pick(&spots);
            let mut legal: Vec<Symbol> = print.legal(spot).symbols().collect();
            if legal.is_empty() || rng.chance(3) {
                legal = Symbol::ALL.to_vec();
            }
            let most = if spot.is_slot() { 1 } else { 4 };
            let most = if rng.chance(4) { 9 } else { most };
            let dice = (0..rng.below(most + 1))
                .map(|_| {
                    let mut die = Faces::one(rng.pick(&legal));
                    if rng.chance(20) {
                        die = die.union(Faces::one(rng.pick(&legal)));
                    }
                    if rng.chance(15) {
                        die = die.or_absent();
                    }
                    die
                })
                .collect();
            Correction::Dice { ship, spot, dice }
        }
        5..=6 => {
            let mut at = square(rng, print);
            if rng.chance(40) {
                // Onto another ship, or beside it.
                let others: Vec<Square> = position
                    .ships()
                    .iter()
                    .filter_map(|s| s.square().known().copied())
                    .collect();
                if !others.is_empty() {
                    at = rng.pick(&others);
                }
            }
            if rng.chance(3) {
                at = at.offset(i32::from(print.cols()), 0);
            }
            let half = match rng.below(3) {
                0 => Place::Known(rng.pick(&Half::ALL)),
                1 => Place::OneOf(vec![Half::At(Facing::N), Half::At(Facing::S)]),
                _ => Place::Unknown,
            };
            Correction::Stand {
                ship,
                square: match rng.below(8) {
                    0 => Place::Unknown,
                    1 => Place::OneOf(vec![at, square(rng, print)]),
                    _ => Place::Known(at),
                },
                facing: match rng.below(6) {
                    0 => Place::Unknown,
                    _ => Place::Known(rng.pick(&Facing::ALL)),
                },
                half,
            }
        }
        7 => {
            let ground = rng.pick(&Terrain::ALL);
            let mut grounds = Grounds::one(ground);
            if rng.chance(20) {
                grounds = grounds.with(rng.pick(&Terrain::ALL));
            }
            let square = square(rng, print).offset(0, if rng.chance(3) { 99 } else { 0 });
            Correction::Cell {
                square,
                cell: Cell {
                    ground: grounds,
                    mines: Span::between(rng.below(2) as u16, rng.below(2) as u16),
                    crystals: count(rng, 2),
                },
            }
        }
        8 => Correction::Crystals {
            ship,
            count: count(rng, 3),
        },
        9 => Correction::Mines {
            ship,
            count: count(rng, 2),
        },
        10 => Correction::Damage {
            ship,
            damage: Damage {
                dice: count(rng, 2),
                crystals: count(rng, 1),
            },
        },
        _ if rng.chance(50) => Correction::Used {
            count: count(rng, 3),
        },
        _ => {
            let stop = rng.chance(50).then(|| Claim {
                ship,
                freeze: rng.pick(&[Freeze::Fire, Freeze::Tractor, Freeze::Warp]),
            });
            let owed = rng.chance(20).then_some(Owed::Damage { ship });
            Correction::Flow(Flow {
                stop,
                owed: owed.into_iter().collect(),
                returning: rng.chance(10),
                ..Flow::default()
            })
        }
    }
}
