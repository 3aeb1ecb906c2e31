//! What holds for every position and every action.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "rules_dice_duel_support.rs"]
mod support;

use proptest::prelude::*;
use sightline::rules::dice_duel::*;
use sightline::rules::{Place, Span, Verdict};
use support::{Rng, choose, position, start, table};

const LINEUPS: [Lineup; 3] = [Lineup::Duel, Lineup::TwoASide, Lineup::FreeForAll];

fn lineup(seed: u64) -> Lineup {
    LINEUPS[(seed % 3) as usize]
}

fn settings(cases: u32) -> ProptestConfig {
    // `SIGHTLINE_SOAK=50 cargo test …` tries fifty times as many.
    let times = std::env::var("SIGHTLINE_SOAK").ok();
    let times = times.and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases * times,
        // Cases are seeds, which do not shrink to anything simpler.
        max_shrink_iters: 0,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

// ---------------------------------------------------------------------------------------------
// Symmetry

/// A turn or reflection of the whole table.
#[derive(Clone, Copy, Debug)]
enum Symmetry {
    QuarterTurn,
    Mirror,
}

impl Symmetry {
    fn square(self, s: Square, print: &Print) -> Square {
        match self {
            // Clockwise: what was at the top is at the right.
            Symmetry::QuarterTurn => Square::new(s.y, print.cols() - 1 - s.x),
            Symmetry::Mirror => Square::new(print.cols() - 1 - s.x, s.y),
        }
    }

    fn facing(self, f: Facing) -> Facing {
        match (self, f) {
            (Symmetry::QuarterTurn, f) => f.right(),
            (Symmetry::Mirror, Facing::E | Facing::W) => f.opposite(),
            (Symmetry::Mirror, f) => f,
        }
    }

    fn terrain(self, t: Terrain) -> Terrain {
        match t {
            Terrain::Gravity(f) => Terrain::Gravity(self.facing(f)),
            other => other,
        }
    }

    fn symbol(self, s: Symbol) -> Symbol {
        match (self, s) {
            (Symmetry::Mirror, Symbol::ForwardRight) => Symbol::ForwardLeft,
            (Symmetry::Mirror, Symbol::ForwardLeft) => Symbol::ForwardRight,
            (Symmetry::Mirror, Symbol::Shield2) => Symbol::Shield4,
            (Symmetry::Mirror, Symbol::Shield4) => Symbol::Shield2,
            _ => s,
        }
    }

    fn sector(self, s: Sector) -> Sector {
        match (self, s) {
            (Symmetry::Mirror, Sector::Right) => Sector::Left,
            (Symmetry::Mirror, Sector::Left) => Sector::Right,
            _ => s,
        }
    }

    fn zone(self, z: Zone, print: &Print) -> Zone {
        match z {
            Zone::Board(s) => Zone::Board(self.square(s, print)),
            Zone::On(ship, Spot::Shield(s)) => Zone::On(ship, Spot::Shield(self.sector(s))),
            other => other,
        }
    }

    fn print(self, print: &Print) -> Print {
        let mut turned = print.clone();
        if let Symmetry::QuarterTurn = self {
            std::mem::swap(&mut turned.board.cols, &mut turned.board.rows);
        }
        for s in &mut turned.board.crystal_squares {
            *s = self.square(*s, print);
        }
        turned
    }

    fn table(self, setup: &Setup, print: &Print) -> Setup {
        let mut turned = setup.clone();
        for ship in &mut turned.ships {
            ship.square = map(&ship.square, |s| self.square(s, print));
            ship.facing = map(&ship.facing, |f| self.facing(f));
            ship.half = map(&ship.half, |h| match h {
                Half::At(edge) => Half::At(self.facing(edge)),
                Half::Whole => Half::Whole,
            });
        }
        for die in &mut turned.dice {
            die.at = map(&die.at, |z| self.zone(z, print));
            die.means = map(&die.means, |s| match s {
                Showing::Symbol(s) => Showing::Symbol(self.symbol(s)),
                Showing::Nothing => Showing::Nothing,
            });
        }
        for token in &mut turned.tokens {
            token.at = self.zone(token.at, print);
            token.kind = map(&token.kind, |k| match k {
                TokenKind::Ground(t) => TokenKind::Ground(self.terrain(t)),
                other => other,
            });
        }
        turned
    }

    fn what(self, what: What, print: &Print) -> What {
        match what {
            What::Launch {
                ship,
                torpedoes,
                target: Target::Mine(s),
            } => What::Launch {
                ship,
                torpedoes,
                target: Target::Mine(self.square(s, print)),
            },
            What::Crystal { ship, square } => What::Crystal {
                ship,
                square: self.square(square, print),
            },
            other => other,
        }
    }
}

fn map<T: Copy>(place: &Place<T>, f: impl Fn(T) -> T) -> Place<T> {
    match place {
        Place::Known(v) => Place::Known(f(*v)),
        Place::OneOf(vs) => Place::OneOf(vs.iter().map(|v| f(*v)).collect()),
        Place::Unknown => Place::Unknown,
    }
}

proptest! {
    #![proptest_config(settings(120))]

    #[test]
    fn turning_or_mirroring_the_whole_table_changes_nothing(seed: u64) {
        let mut rng = Rng(seed);
        let print = support::print(&mut rng);
        let setup = table(&mut rng, &print);
        let (position, _) = setup.resolve(&print);
        for symmetry in [Symmetry::QuarterTurn, Symmetry::Mirror] {
            let (turned, problems) = symmetry
                .table(&setup, &print)
                .resolve(&symmetry.print(&print));
            prop_assert!(
                problems.iter().all(|p| matches!(p.fault, Fault::OnMarkedSquare | Fault::NotInPlay)),
                "{problems:?}"
            );
            for call in position.calls() {
                let there = turned.call(symmetry.what(call.what, &print)).unwrap();
                prop_assert_eq!(call.verdict, there.verdict, "{:?} {}", symmetry, call.explain());
                let (a, b) = (&call.numbers, &there.numbers);
                prop_assert_eq!(a.range, b.range);
                prop_assert_eq!(a.arc, b.arc);
                prop_assert_eq!(a.odds, b.odds);
                let mut sectors: Vec<Sector> = a.sectors.iter().map(|s| symmetry.sector(*s)).collect();
                sectors.sort();
                prop_assert_eq!(&sectors, &b.sectors);
                let path: Vec<Square> = a.path.iter().map(|s| symmetry.square(*s, &print)).collect();
                prop_assert_eq!(&path, &b.path);
                prop_assert_eq!(a.facing.map(|f| symmetry.facing(f)), b.facing);
            }
        }
    }
}

#[test]
fn sectors_cover_every_offset_once_and_diagonals_twice() {
    for facing in Facing::ALL {
        for dx in -12..=12 {
            for dy in -12..=12 {
                let found = sectors(facing, (dx, dy)).len();
                let expected = match (dx, dy) {
                    (0, 0) => 0,
                    _ if dx.abs() == dy.abs() => 2,
                    _ => 1,
                };
                assert_eq!(found, expected, "{facing} {dx} {dy}");
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Actions

#[derive(Debug, PartialEq)]
struct Account {
    crystals: u16,
    mines: u16,
    energy: Vec<u16>,
}

/// What there is, wherever it lies.
fn account(position: &Position) -> Account {
    let n = |s: Span| s.value().expect("known");
    let on_map =
        |f: fn(&Cell) -> Span| -> u16 { position.board().cells().map(|(_, c)| n(f(&c))).sum() };
    let ships = position.ships();
    Account {
        crystals: on_map(|c| c.crystals)
            + n(position.used_crystals())
            + ships
                .iter()
                .map(|s| n(s.crystals()) + n(s.damage().crystals))
                .sum::<u16>(),
        mines: on_map(|c| c.mines) + ships.iter().map(|s| n(s.mines())).sum::<u16>(),
        energy: ships
            .iter()
            .map(|s| n(s.dice_on_displays(DieKind::Energy)) + n(s.damage().dice))
            .collect(),
    }
}

fn check_kept(before: &Account, action: &Action, position: &Position) -> Account {
    let after = account(position);
    assert_eq!(before.crystals, after.crystals, "{action}: crystals");
    match action {
        Action::Move { .. }
        | Action::Tractor { .. }
        | Action::WarpTo { .. }
        | Action::Fire { .. } => {
            assert!(after.mines <= before.mines, "{action}: mines");
        }
        _ => assert_eq!(before.mines, after.mines, "{action}: mines"),
    }
    for (i, ship) in position.ships().iter().enumerate() {
        let (was, is) = (before.energy[i], after.energy[i]);
        let new = match action {
            // A die that was being rolled comes to lie somewhere.
            Action::Route { .. } | Action::Damage { .. } => is == was || is == was + 1,
            _ => is == was,
        };
        assert!(
            new,
            "{action}: {} had {was} energy dice, has {is}",
            ship.id()
        );
        assert!(is <= u16::from(position.print().dice.energy));
        for kind in DieKind::ALL {
            let all = u16::from(position.print().dice_of(kind));
            assert!(
                ship.dice_on_displays(kind).max <= all,
                "{action}: {kind} dice"
            );
        }
        let loaded = position
            .print()
            .tubes()
            .filter(|t| ship.loaded(*t) == Some(true))
            .count();
        assert!(loaded <= 2, "{action}: {loaded} torpedoes");
        for spot in Spot::all() {
            for die in ship.dice(spot).dice() {
                assert!(die.is_subset(position.print().legal(spot)), "{spot}: {die}");
            }
            assert!(!spot.is_slot() || ship.dice(spot).dice().len() <= 1);
        }
    }
    after
}

proptest! {
    #![proptest_config(settings(16))]

    #[test]
    fn legal_play_keeps_all_dice_and_every_change_can_be_undone(seed: u64) {
        let mut rng = Rng(seed);
        let mut position = if seed % 2 == 0 {
            start(seed, lineup(seed / 2))
        } else {
            position(seed)
        };
        let mut balance = account(&position);
        let first = position.clone();
        let mut changes = Vec::new();
        for _ in 0..60 {
            let Some(action) = choose(&mut rng, &position) else { break };
            let before = position.clone();
            let (after, change) = position.play(&action).expect("the list is legal");
            let mut back = after.clone();
            prop_assert_eq!(back.replay(&change.inverse()), Ok(()), "{}", &action);
            prop_assert_eq!(&back, &before, "{} undone", &action);
            prop_assert_eq!(back.replay(&change), Ok(()));
            prop_assert_eq!(&back, &after, "{} done again", &action);
            balance = check_kept(&balance, &action, &after);
            changes.push(change);
            position = after;
        }
        for change in changes.iter().rev() {
            prop_assert_eq!(position.replay(&change.inverse()), Ok(()));
        }
        prop_assert_eq!(position, first);
    }

    #[test]
    fn what_the_list_offers_is_accepted_and_all_else_is_refused(seed: u64) {
        let mut rng = Rng(seed);
        let mut position = position(seed);
        for _ in 0..rng.below(12) {
            let Some(action) = choose(&mut rng, &position) else { break };
            position = position.play(&action).expect("the list is legal").0;
        }
        let legal = position.legal_actions();
        let mut probe = position.clone();
        for action in universe(&position) {
            let listed = legal.contains(&action);
            match probe.act(&action) {
                Ok(change) => {
                    prop_assert!(listed, "accepted, not listed: {}", action);
                    prop_assert_eq!(probe.replay(&change.inverse()), Ok(()));
                }
                Err(because) => {
                    prop_assert!(!listed, "listed, refused: {} ({})", action, because);
                }
            }
            prop_assert_eq!(&probe, &position, "{} left something behind", &action);
        }
    }
}

/// Every action that can be written about the ships, spots, symbols, tubes and squares there are.
fn universe(position: &Position) -> Vec<Action> {
    let mut all = vec![Action::Resume, Action::Waive, Action::WarpAgain];
    for symbol in Symbol::ALL {
        all.push(Action::Blast { symbol });
    }
    for sector in Sector::ALL {
        all.push(Action::ChooseSector { sector });
    }
    let edges: Vec<Option<Facing>> = std::iter::once(None).chain(Facing::ALL.map(Some)).collect();
    for number in 0..=7 {
        all.push(Action::ReturnCrystal { number });
        for enter_by in &edges {
            all.push(Action::WarpTo {
                number,
                enter_by: *enter_by,
            });
        }
        for other in 0..=7 {
            all.push(Action::WarpRoll {
                numbers: [number, other],
            });
        }
    }
    let tubes: Vec<Tube> = Tube::all().collect();
    let mut lists: Vec<Vec<Tube>> = vec![vec![]];
    for a in &tubes {
        lists.push(vec![*a]);
        lists.extend(tubes.iter().map(|b| vec![*a, *b]));
    }
    let squares: Vec<Square> = position.board().squares().collect();
    let nobody: ShipId = "nobody".parse().unwrap();
    let ids: Vec<ShipId> = position
        .ships()
        .iter()
        .map(Ship::id)
        .chain([nobody])
        .collect();
    for ship in ids.iter().copied() {
        for number in 0..=7 {
            all.push(Action::Route { ship, number });
        }
        all.push(Action::Damage { ship, from: None });
        for spot in Spot::all() {
            all.push(Action::Damage {
                ship,
                from: Some(spot),
            });
            for symbol in Symbol::ALL {
                all.push(Action::Place { ship, spot, symbol });
                all.push(Action::Take { ship, spot, symbol });
                all.push(Action::Discard { ship, spot, symbol });
                all.push(Action::Override { ship, spot, symbol });
            }
        }
        for slot in HelmSlot::ALL {
            for symbol in Symbol::ALL {
                all.push(Action::PlaceSaved { ship, slot, symbol });
            }
        }
        all.extend([
            Action::StartMove { ship },
            Action::Move { ship },
            Action::ReleaseMine { ship },
            Action::Warp { ship },
            Action::Surge { ship },
        ]);
        for freeze in [Freeze::Fire, Freeze::Tractor, Freeze::Warp] {
            all.push(Action::Claim { ship, freeze });
        }
        for square in &squares {
            all.push(Action::PullCrystal {
                ship,
                square: *square,
            });
        }
        for target in ids.iter().copied() {
            for to in &squares {
                for enter_by in &edges {
                    all.push(Action::Tractor {
                        ship,
                        target,
                        to: *to,
                        enter_by: *enter_by,
                    });
                }
            }
        }
        let mines = squares.iter().map(|s| Target::Mine(*s));
        for target in ids.iter().map(|s| Target::Ship(*s)).chain(mines) {
            let few = matches!(target, Target::Mine(_));
            for tubes in lists.iter().filter(|l| !few || l.len() < 2) {
                for torpedoes in 0..=3 {
                    all.push(Action::Fire {
                        ship,
                        torpedoes,
                        target,
                        tubes: tubes.clone(),
                    });
                }
            }
        }
    }
    all
}

// ---------------------------------------------------------------------------------------------
// Round trips

/// The ships and boards that differ, for a message that fits a screen.
fn difference(a: &Position, b: &Position) -> String {
    let lines = |p: &Position| -> Vec<String> {
        let ships = p.ships().iter().map(|s| {
            let dice: Vec<String> = Spot::all()
                .filter(|spot| !s.dice(*spot).is_empty())
                .map(|spot| format!("{spot}: {}", s.dice(spot)))
                .collect();
            format!(
                "{} {:?} {:?} {:?} {dice:?}",
                s.id(),
                s.square(),
                s.facing(),
                s.half()
            )
        });
        let rest = [format!("{:?} {:?}", p.flow(), p.loose())];
        let cells = p.board().cells().map(|(s, c)| format!("{s} {c}"));
        ships.chain(rest).chain(cells).collect()
    };
    let pairs = lines(a).into_iter().zip(lines(b));
    let differ = pairs.filter(|(a, b)| a != b);
    differ.map(|(a, b)| format!("{a}\n{b}\n")).collect()
}

fn round_trip(seed: u64) {
    let mut rng = Rng(seed);
    let print = support::print(&mut rng);
    let mut setup = table(&mut rng, &print);
    if seed.is_multiple_of(2) {
        blur(&mut rng, &mut setup, 6);
    }
    let (mut position, _) = setup.resolve(&print);
    for _ in 0..rng.below(10) {
        let Some(action) = choose(&mut rng, &position) else {
            break;
        };
        let json = serde_json::to_vec(&action).unwrap();
        assert_eq!(&Action::from_json(&json).unwrap(), &action);
        position = position.play(&action).expect("the list is legal").0;
    }
    let state = State::of(&position);
    let json = serde_json::to_vec(&state).unwrap();
    let again = State::from_json(&json).unwrap().judge().position;
    assert!(again == position, "{}", difference(&again, &position));
    let text = position.to_string();
    let read: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let again = read.resolve(&print).0;
    assert!(
        again == position,
        "{}\n{}",
        difference(&again, &position),
        text
    );
}

/// Seeds that once broke it.
#[test]
fn text_and_json_that_once_differed() {
    for seed in [
        1384072960875224252,
        2840389938671953110,
        7386749418444815256,
    ] {
        round_trip(seed);
    }
}

proptest! {
    #![proptest_config(settings(120))]

    #[test]
    fn text_and_json_say_the_same_as_the_position(seed: u64) {
        round_trip(seed);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}", words in "([a-z0-9.:|@*\\[\\], -]{0,12}\n){0,8}") {
        for text in [text, words] {
            if let Ok(setup) = text.parse::<Setup>() {
                let (position, _) = setup.resolve(&Print::default());
                prop_assert!(position.calls().len() < 10_000);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Unknowns

/// Makes some places unknown, each with the truth among what it may be.
fn blur(rng: &mut Rng, setup: &mut Setup, most: usize) {
    for _ in 0..1 + rng.below(most) {
        blur_one(rng, setup);
    }
}

fn blur_one(rng: &mut Rng, setup: &mut Setup) {
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

proptest! {
    #![proptest_config(settings(400))]

    #[test]
    fn making_a_place_unknown_never_makes_another_call_sure(seed: u64) {
        let mut rng = Rng(seed);
        let print = support::print(&mut rng);
        let setup = table(&mut rng, &print);
        let mut blurred = setup.clone();
        blur(&mut rng, &mut blurred, 4);
        // A hidden zone's dice are not claimed at all.
        let zones: Vec<Zone> = setup.dice.iter().filter_map(|d| d.at.known().copied()).collect();
        if !zones.is_empty() && rng.chance(40) {
            let hidden = rng.pick(&zones);
            blurred.dice.retain(|d| d.at.known() != Some(&hidden));
            blurred.hidden.push(hidden);
        }
        // A square that could not be seen shows nothing of what lies there.
        for _ in 0..rng.below(3) {
            let tokens = blurred.tokens.iter().map(|t| t.at);
            let Some(hidden) = tokens.clone().nth(rng.below(tokens.count())) else { break };
            blurred.tokens.retain(|t| t.at != hidden);
            blurred.hidden.push(hidden);
        }
        let (position, _) = setup.resolve(&print);
        let (unsure, _) = blurred.resolve(&print);
        for (what, truth) in position.verdicts() {
            if matches!(what, What::Energy { .. }) {
                continue;
            }
            let Some(call) = unsure.call(what) else { continue };
            prop_assert!(
                call.verdict == truth || call.verdict == Verdict::Unsure,
                "is {}, called {}\n{}\n{}",
                truth, call.explain(), position, unsure
            );
            if call.verdict == Verdict::Unsure {
                prop_assert!(!call.unsure_on.is_empty(), "unsure on nothing: {}\n{}", call.explain(), unsure);
            } else {
                prop_assert!(call.unsure_on.is_empty(), "sure, and waits: {}", call.explain());
            }
        }
    }

    #[test]
    fn verdicts_alone_are_those_of_the_calls(seed: u64) {
        let mut rng = Rng(seed);
        let print = support::print(&mut rng);
        let mut setup = table(&mut rng, &print);
        if seed % 2 == 0 {
            blur(&mut rng, &mut setup, 4);
        }
        let (position, _) = setup.resolve(&print);
        let calls: Vec<(What, Verdict)> = position.calls().iter().map(|c| (c.what, c.verdict)).collect();
        prop_assert_eq!(calls, position.verdicts());
    }

    /// Every way in which the unknown places can be filled is tried: where they all agree, the
    /// call is sure; and what it waits for is enough to settle it.
    #[test]
    fn a_launch_is_unsure_only_where_the_possible_tables_disagree(seed: u64) {
        let mut rng = Rng(seed);
        let print = Print::default();
        let mut setup = table(&mut rng, &print);
        setup.ships.truncate(2);
        let kept: Vec<ShipId> = setup.ships.iter().map(|s| s.id).collect();
        setup.dice.retain(|d| d.at.known().and_then(|z| z.ship()).is_some_and(|s| kept.contains(&s)));
        if setup.ships[0].square != setup.ships[1].square {
            setup.ships.iter_mut().for_each(|s| s.half = Place::Known(Half::Whole));
        }
        let truth = setup.resolve(&print).0;
        let mut blurred = setup.clone();
        for _ in 0..3 {
            blur_one(&mut rng, &mut blurred);
        }
        blurred.tokens.clone_from(&setup.tokens);
        for (ship, sharp) in blurred.ships.iter_mut().zip(&setup.ships) {
            ship.crystals = sharp.crystals;
            ship.damage = sharp.damage;
        }
        let unsure = blurred.resolve(&print).0;
        let worlds = worlds(&blurred, &print);
        prop_assume!(worlds.len() <= 3000);
        let what = What::Launch {
            ship: ShipId::WHITE,
            torpedoes: 1,
            target: Target::Ship(ShipId::BLACK),
        };
        let verdicts: Vec<Verdict> = worlds.iter().map(|w| w.call(what).unwrap().verdict).collect();
        let agreed = verdicts.iter().all(|v| *v == verdicts[0]);
        let call = unsure.call(what).unwrap();
        if agreed {
            prop_assert_eq!(call.verdict, verdicts[0], "{} worlds agree\n{}\n{}", worlds.len(), unsure, call.explain());
        } else {
            prop_assert_eq!(call.verdict, Verdict::Unsure, "{}", unsure);
            // Told what it waits for, the call is sure.
            let mut told = unsure.clone();
            for zone in &call.unsure_on {
                let correction = match *zone {
                    Zone::On(ship, spot) => Correction::Dice {
                        ship,
                        spot,
                        dice: truth.ship(ship).unwrap().dice(spot).dice().to_vec(),
                    },
                    Zone::Ship(ship) => {
                        let is = truth.ship(ship).unwrap();
                        Correction::Stand {
                            ship,
                            square: is.square().clone(),
                            facing: is.facing().clone(),
                            half: is.half().clone(),
                        }
                    }
                    other => panic!("waits for {other}"),
                };
                told.act(&Action::Correct(correction)).unwrap();
            }
            let after = told.call(what).unwrap();
            prop_assert_eq!(after.verdict, truth.call(what).unwrap().verdict, "{}\n{}", told, after.explain());
        }
    }
}

/// Every table that claims with alternatives allow.
fn worlds(setup: &Setup, print: &Print) -> Vec<Position> {
    let unsure = setup.resolve(print).0;
    let mut worlds = vec![unsure.to_setup()];
    let wide = |n: usize, m: usize| n * m > 3000;
    for i in 0..worlds[0].dice.len() {
        let means: Vec<Showing> = worlds[0].dice[i].means.candidates().unwrap().to_vec();
        let about = matches!(
            worlds[0].dice[i].at.known(),
            Some(Zone::On(_, Spot::Lock | Spot::Jammer | Spot::Tube(..)))
        );
        if means.len() == 1 || !about {
            continue;
        }
        if wide(worlds.len(), means.len()) {
            return vec![unsure; 3001];
        }
        worlds = worlds
            .iter()
            .flat_map(|w| {
                means.iter().map(|m| {
                    let mut w = w.clone();
                    w.dice[i].means = Place::Known(*m);
                    w
                })
            })
            .collect();
    }
    for i in 0..worlds[0].ships.len() {
        let ship = &unsure.ships()[i];
        let squares: Vec<Square> = match ship.square().candidates() {
            Some(s) => s.to_vec(),
            None => unsure.board().squares().collect(),
        };
        let facings = ship.facing().candidates().unwrap_or(&Facing::ALL).to_vec();
        if wide(worlds.len(), squares.len() * facings.len()) {
            return vec![unsure; 3001];
        }
        worlds = worlds
            .iter()
            .flat_map(|w| {
                squares.iter().flat_map(move |s| {
                    let w = w.clone();
                    facings_of(&w, i, *s, ship)
                })
            })
            .collect();
    }
    let mut all = Vec::new();
    for world in worlds {
        let shared = world.ships[0].square == world.ships[1].square;
        if !shared {
            all.push(world.resolve(print).0);
            continue;
        }
        // The halves that are not known are one of four pairs.
        let open = |i: usize| {
            unsure.ships()[i]
                .half()
                .candidates()
                .unwrap_or(&Half::ALL)
                .to_vec()
        };
        for edge in Facing::ALL {
            let (a, b) = (Half::At(edge), Half::At(edge.opposite()));
            if open(0).contains(&a) && open(1).contains(&b) {
                let mut w = world.clone();
                w.ships[0].half = Place::Known(a);
                w.ships[1].half = Place::Known(b);
                all.push(w.resolve(print).0);
            }
        }
    }
    all
}

fn facings_of(world: &Setup, i: usize, square: Square, ship: &Ship) -> Vec<Setup> {
    let facings = ship.facing().candidates().unwrap_or(&Facing::ALL);
    facings
        .iter()
        .map(|f| {
            let mut w = world.clone();
            w.ships[i].square = Place::Known(square);
            w.ships[i].facing = Place::Known(*f);
            w
        })
        .collect()
}
