//! What holds for every position and every action of Nearspace's dice, build and engine rules.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::chance::{Rng, seeded};
use proptest::prelude::*;
use sightline::rules::nearspace::*;
use sightline::rules::{Odds, Place, Span, Verdict, from_json};

const A: PlayerId = PlayerId::A;

const SIZES: [u8; 6] = [4, 6, 8, 10, 12, 20];

fn start(rng: &mut Rng) -> Position {
    let mut setup = Setup::default();
    for id in PlayerId::ALL.iter().take(1 + rng.below(2)) {
        let mut player = PlayerSetup::new(*id);
        player.homeworld = rng.below(8) as u16;
        player.artifice = Span::known(player.homeworld);
        player.resource = Span::known(rng.below(12) as u16);
        player.hand = (0..rng.below(5))
            .map(|_| Place::Known(rng.pick(CardKind::ALL)))
            .collect();
        player.engine = (0..rng.below(5))
            .map(|_| EngineDie::idle(rng.pick(&SIZES)))
            .collect();
        player.wanted = rng.chance(60).then(|| rng.below(60) as u16);
        setup.players.push(player);
    }
    for _ in 0..rng.below(5) {
        setup.sectors.push(Sector {
            kind: Place::Known(rng.pick(SectorKind::ALL)),
            owner: rng.chance(50).then_some(A),
            a: Place::Known(rng.chance(60)),
            b: Place::Known(rng.chance(40)),
        });
    }
    let mut print = Print::default();
    print.build.unspent_is_lost = rng.chance(70);
    print.engine.charges_ahead = 1 + rng.below(2) as u8;
    let (position, problems) = setup.resolve(&print);
    assert!(problems.is_empty(), "{problems:?}");
    position
}

/// Something legal by chance: what these rules offer, or what comes in from elsewhere.
fn choose(rng: &mut Rng, position: &Position) -> Action {
    let player = position.table().turn;
    let own = position.player(player).unwrap();
    let phase = position.table().phase;
    if phase == Phase::Engine {
        let idle = own.engine.iter().filter(|d| d.state == DieState::Idle);
        let shows = idle
            .map(|d| rng.below(usize::from(d.size)) as u16 + 1)
            .collect();
        return Action::Roll { player, shows };
    }
    if phase == Phase::Build {
        let size = rng.pick(&SIZES);
        match rng.below(10) {
            0 | 1 => {
                return Action::Income {
                    player,
                    cp: 1 + rng.below(12) as u16,
                };
            }
            2 if own.projects.len() < 6 => {
                let purpose = rng.pick(&[
                    Purpose::Ship { size },
                    Purpose::EngineDie { size },
                    Purpose::Hero,
                    Purpose::Artifice,
                ]);
                return Action::Begin {
                    player,
                    purpose,
                    cost: 1 + rng.below(12) as u16,
                };
            }
            3 if own.cp.min > 0 => {
                let purpose = rng.pick(&[Purpose::Event, Purpose::Directive]);
                let cost = 1 + rng.below(usize::from(own.cp.min)) as u16;
                return Action::Buy {
                    player,
                    purpose,
                    cost,
                };
            }
            4 if !position.table().sectors.is_empty() => {
                let sector = rng.below(position.table().sectors.len());
                return Action::Presence {
                    player,
                    sector,
                    present: rng.chance(70),
                };
            }
            _ => {}
        }
    }
    let mut legal = position.legal_actions();
    let kind = |a: &Action| std::mem::discriminant(a);
    let mut kinds: Vec<_> = legal.iter().map(kind).collect();
    kinds.dedup();
    let wanted = rng.pick(&kinds);
    legal.retain(|a| kind(a) == wanted);
    legal.swap_remove(rng.below(legal.len()))
}

fn position(seed: u64) -> Position {
    let mut rng = Rng(seed);
    let mut position = start(&mut rng);
    for _ in 0..rng.below(40) {
        let action = choose(&mut rng, &position);
        position
            .act(&action)
            .unwrap_or_else(|e| panic!("{action}: {e}\n{position}"));
    }
    position
}

/// What a player has put into everything that is not finished.
fn banked(position: &Position, id: PlayerId) -> u32 {
    let projects = &position.player(id).unwrap().projects;
    projects
        .iter()
        .map(|p| u32::from(p.banked.value().unwrap()))
        .sum()
}

fn check(position: &Position) {
    let (again, problems) = position.to_setup().resolve(position.print());
    assert!(problems.is_empty(), "{problems:?}\n{position}");
    assert_eq!(&again, position);
    for player in &position.table().players {
        assert!(
            u32::from(player.spent) <= u32::from(position.energy(player.id).max),
            "{position}"
        );
        for project in &player.projects {
            assert!(project.purpose.can_be_banked() && project.banked.max <= project.cost);
            if let Some(sector) = project.purpose.sector() {
                assert_ne!(
                    position.table().sectors[sector].presence(player.id),
                    &Place::Known(false),
                    "{position}"
                );
            }
        }
    }
}

/// So many build and engine actions; returns how many turns were ended.
fn play(seed: u64, actions: usize) -> usize {
    let mut rng = Rng(seed);
    let mut position = start(&mut rng);
    let mut turns = 0;
    for _ in 0..actions {
        let action = choose(&mut rng, &position);
        let before = position.clone();
        let id = before.table().turn;
        let change = position
            .act(&action)
            .unwrap_or_else(|e| panic!("seed {seed}: {action}: {e}\n{before}"));
        check(&position);
        let mut back = position.clone();
        back.replay(&change.inverse())
            .expect("a change can be undone");
        assert_eq!(back, before, "seed {seed}: {action}");
        let (was, now) = (before.player(id).unwrap(), position.player(id).unwrap());
        // Engine dice are never lost: they are built, or they stay.
        let built = matches!(&action, Action::Complete { project, .. } if matches!(was.projects[*project].purpose, Purpose::EngineDie { .. }));
        assert_eq!(now.engine.len(), was.engine.len() + usize::from(built));
        // Cards are conserved between the hand and the Resource, but for those that are played.
        let played = matches!(action, Action::Cycle { .. })
            || matches!(&action, Action::Complete { with: Some(with), .. } if with.from == id && with.source != Source::Nowhere);
        let cards = |p: &PlayerSetup| p.hand.len() + usize::from(p.resource.value().unwrap());
        assert_eq!(
            cards(now) + usize::from(played),
            cards(was),
            "{action}\n{before}"
        );
        match &action {
            Action::Invest { points, .. } => {
                let pools = |p: &PlayerSetup| {
                    u32::from(p.cp.value().unwrap()) + u32::from(p.artifice.value().unwrap())
                };
                assert_eq!(pools(was), pools(now) + u32::from(*points));
                assert_eq!(
                    banked(&before, id) + u32::from(*points),
                    banked(&position, id)
                );
            }
            Action::Complete { .. } | Action::Presence { .. } => {}
            _ => assert_eq!(
                banked(&before, id),
                banked(&position, id),
                "points stay where they are: {action}"
            ),
        }
        if matches!(action, Action::EndTurn { .. }) {
            turns += 1;
            // What was kept lies as it lay, all else is rolled again.
            for (was, now) in was.engine.iter().zip(&now.engine) {
                match was.state {
                    DieState::Kept => {
                        assert_eq!((now.state, now.shows), (DieState::Stored, was.shows))
                    }
                    _ => assert_eq!(*now, EngineDie::idle(was.size)),
                }
            }
        }
    }
    turns
}

#[test]
fn random_turns_break_nothing() {
    for seed in 0..30 {
        play(seed, 60);
    }
}

/// Last measured: 10,021 turns, 62,600 actions, no broken invariant, 10 s on a shared core
/// (`cargo test --release --no-default-features --test rules nearspace::properties -- --ignored
/// --nocapture`; this crate at opt-level 1, its dependencies at 3).
#[test]
#[ignore = "long: ./run soak"]
fn soak_ten_thousand_random_turns() {
    let (mut turns, mut seed) = (0, 0);
    while turns < 10_000 {
        turns += play(seed, 200);
        seed += 1;
    }
    println!("{turns} turns, {} actions", seed * 200);
}

/// Whether the list names actions of this kind, and these amounts.
fn listed(action: &Action) -> bool {
    match action {
        Action::Invest { points, .. } => *points <= MOST_LISTED,
        Action::Spend { energy, .. } => *energy <= MOST_LISTED,
        Action::Begin { purpose, .. } => purpose.sector().is_some(),
        Action::Complete {
            with: Some(with), ..
        } => match with.source {
            Source::Resource { passed, .. } => passed < 10,
            _ => true,
        },
        _ => true,
    }
}

fn any_action(rng: &mut Rng, position: &Position) -> Action {
    let player = rng.pick(PlayerId::ALL);
    let index = rng.below(5);
    let drawn = rng.chance(60).then(|| rng.pick(CardKind::ALL));
    match rng.below(9) {
        0 => Action::Cycle {
            player,
            card: index,
            drawn,
        },
        1 => Action::Begin {
            player,
            purpose: Purpose::Terraform { sector: index },
            cost: rng.pick(&[5, 10, 1]),
        },
        2 => Action::Invest {
            player,
            project: index,
            points: rng.below(14) as u16,
        },
        3 => Action::Complete {
            player,
            project: index,
            with: rng.chance(70).then(|| Replacement {
                from: rng.pick(PlayerId::ALL),
                source: match rng.below(3) {
                    0 => Source::Hand {
                        card: rng.below(5),
                        drawn,
                    },
                    1 => Source::Resource {
                        passed: rng.below(4) as u16,
                        found: rng.pick(CardKind::ALL),
                    },
                    _ => Source::Nowhere,
                },
                becomes: rng.pick(SectorKind::ALL),
            }),
        },
        4 => Action::EndBuild { player },
        5 => Action::Charge {
            player,
            remove: index,
            reroll: rng.below(5),
            shows: rng.below(14) as u16,
        },
        6 => Action::Keep { player, die: index },
        7 => Action::Spend {
            player,
            energy: rng.below(30) as u16,
        },
        _ if position.table().phase != Phase::Engine => Action::EndTurn { player },
        _ => Action::Charge {
            player,
            remove: 0,
            reroll: 1,
            shows: 1,
        },
    }
}

fn blur(rng: &mut Rng, setup: &mut Setup) {
    let n = rng.below(setup.players.len());
    let player = &mut setup.players[n];
    let wider = |rng: &mut Rng, span: Span| span.union(Span::known(rng.below(15) as u16));
    match rng.below(7) {
        0 => player.cp = wider(rng, player.cp),
        1 => player.artifice = wider(rng, player.artifice),
        2 if !player.hand.is_empty() => {
            let i = rng.below(player.hand.len());
            player.hand[i] = Place::Unknown;
        }
        3 if !player.projects.is_empty() => {
            let i = rng.below(player.projects.len());
            let project = &mut player.projects[i];
            project.banked = project
                .banked
                .union(Span::known(rng.below(usize::from(project.cost) + 1) as u16));
        }
        4 if !player.engine.is_empty() => {
            let i = rng.below(player.engine.len());
            let die = &mut player.engine[i];
            if die.state.shows() {
                die.shows = Span::between(1, u16::from(die.size));
            }
        }
        _ if !setup.sectors.is_empty() => {
            let i = rng.below(setup.sectors.len());
            match rng.below(3) {
                0 => setup.sectors[i].kind = Place::Unknown,
                1 => setup.sectors[i].a = Place::Unknown,
                _ => setup.sectors[i].b = Place::Unknown,
            }
        }
        _ => player.resource = wider(rng, player.resource),
    }
}

proptest! {
    #![proptest_config(seeded(120))]

    #[test]
    fn what_the_list_offers_is_accepted_and_all_else_refused(seed: u64) {
        let position = position(seed);
        let legal = position.legal_actions();
        for action in &legal {
            prop_assert!(position.clone().act(action).is_ok(), "{action}\n{position}");
        }
        let mut rng = Rng(seed ^ 1);
        for _ in 0..300 {
            let action = any_action(&mut rng, &position);
            match position.clone().play(&action) {
                Ok(_) => prop_assert!(legal.contains(&action) || !listed(&action), "{action:?} is not offered\n{position}"),
                Err(refused) => {
                    prop_assert_eq!(&refused.position, &position, "a refused action leaves nothing behind");
                    prop_assert!(!legal.contains(&action));
                    let json = serde_json::to_string(&action).unwrap();
                    prop_assert_eq!(&from_json::<Action>(json.as_bytes()).unwrap(), &action);
                }
            }
        }
    }

    #[test]
    fn json_and_text_lead_back_to_the_position(seed: u64) {
        let mut rng = Rng(seed);
        let known = position(seed);
        let mut setup = known.to_setup();
        for _ in 0..rng.below(5) {
            blur(&mut rng, &mut setup);
        }
        setup.checks.push(Check { size: 8, number: rng.below(9) as u8, rolled: rng.chance(50).then(|| Span::between(1, 1 + rng.below(8) as u16)) });
        setup.dice.push(die(&mut rng));
        let (position, _) = setup.resolve(known.print());
        let json = serde_json::to_string(&State::of(&position)).unwrap();
        let judged = State::from_json(json.as_bytes()).unwrap().judge();
        prop_assert_eq!(&judged.position, &position);
        let read: Setup = position.to_string().parse().unwrap();
        prop_assert_eq!(&read.resolve(known.print()).0, &position);
        prop_assert!(serde_json::to_string(&judged).is_ok() && !judged.to_string().is_empty());
    }

    /// A call that is sure with something unknown is the call that holds when it is known.
    #[test]
    fn what_is_unknown_never_makes_another_call_sure(seed: u64) {
        let known = position(seed);
        let mut rng = Rng(seed ^ 2);
        let mut setup = known.to_setup();
        for _ in 0..1 + rng.below(4) {
            blur(&mut rng, &mut setup);
        }
        let (open, _) = setup.resolve(known.print());
        for call in open.calls() {
            if !call.verdict.is_sure() {
                prop_assert!(!call.unsure_on.is_empty(), "{call}");
                continue;
            }
            let truth = known.call(call.what).unwrap();
            prop_assert_eq!(call.verdict, truth.verdict, "{} but {}\n{}\n{}", call, truth, open, known);
            if let (Some(said), Some(is)) = (call.numbers.energy, truth.numbers.energy) {
                prop_assert!(said.min <= is.min && is.max <= said.max);
            }
        }
    }

    #[test]
    fn corrections_are_taken_or_refused_and_undone(seed: u64) {
        let mut position = position(seed);
        let mut rng = Rng(seed ^ 3);
        for _ in 0..12 {
            let player = rng.pick(PlayerId::ALL);
            let index = rng.below(4);
            let count = Span::between(rng.below(15) as u16, rng.below(15) as u16);
            let correction = match rng.below(9) {
                0 => Correction::Cp { player, count },
                1 => Correction::Artifice { player, count },
                2 => Correction::Resource { player, count },
                3 => Correction::Card { player, card: index, kind: Place::Unknown },
                4 => Correction::Banked { player, project: index, points: count },
                5 => Correction::Engine { player, die: index, shows: count },
                6 => Correction::Sector { sector: index, kind: Place::Known(rng.pick(SectorKind::ALL)) },
                7 => Correction::Presence { player, sector: index, present: Place::Known(rng.chance(50)) },
                _ => Correction::Turn { player, phase: rng.pick(Phase::ALL) },
            };
            let before = position.clone();
            match position.act(&Action::Correct(correction)) {
                Ok(change) => {
                    prop_assert_eq!(&position.to_setup().resolve(position.print()).0, &position);
                    let mut back = position.clone();
                    back.replay(&change.inverse()).unwrap();
                    prop_assert_eq!(&back, &before);
                    let _ = (position.legal_actions(), position.calls());
                }
                Err(_) => prop_assert_eq!(&position, &before),
            }
        }
    }

    /// Shuffling a die's facets changes nothing, and a die that was read in full is judged as it
    /// may be judged unread.
    #[test]
    fn dice_are_judged_by_what_they_show(seed: u64) {
        let mut rng = Rng(seed);
        let claim = die(&mut rng);
        let rules = &Print::default().dice;
        let ruling = claim.judge(rules);
        let mut turned = claim.clone();
        for i in (1..turned.faces.len()).rev() {
            turned.faces.swap(i, rng.below(i + 1));
        }
        prop_assert_eq!(&turned.judge(rules), &ruling);
        let mut open = claim.clone();
        if !open.faces.is_empty() {
            let i = rng.below(open.faces.len());
            open.faces[i] = Place::Unknown;
        }
        let unread = open.judge(rules);
        if unread.verdict.is_sure() {
            prop_assert_eq!(unread.verdict, ruling.verdict);
        }
        // Permission never makes an illegal die legal.
        let asked = DieClaim { permission: true, ..claim }.judge(rules);
        prop_assert_eq!(asked.legal, ruling.legal);
        prop_assert_eq!(asked.verdict == Verdict::May, ruling.legal == Some(true));
    }

    /// The chances against every roll, counted one by one.
    #[test]
    fn odds_are_those_of_counting_every_roll(seed: u64) {
        let mut rng = Rng(seed);
        let sizes: Vec<u16> = (0..1 + rng.below(3)).map(|_| rng.pick(&[2, 4, 6, 8])).collect();
        let need = rng.below(26) as u32;
        let mut rolls: Vec<u32> = vec![0];
        for size in &sizes {
            rolls = rolls.iter().flat_map(|sum| (1..=u32::from(*size)).map(move |n| sum + n)).collect();
        }
        let good = rolls.iter().filter(|sum| **sum >= need).count();
        prop_assert_eq!(at_least(&sizes, need), Odds::new(good as u64, rolls.len() as u64));
    }

    /// The best charge against trying each, and each roll of it.
    #[test]
    fn the_best_charge_is_the_best_of_all(seed: u64) {
        let mut rng = Rng(seed);
        let pool: Vec<Shown> = (0..2 + rng.below(3)).map(|_| {
            let size = rng.pick(&[4, 6, 8]);
            Shown { size, shows: 1 + rng.below(usize::from(size)) as u16 }
        }).collect();
        let need = rng.below(30) as u32;
        let fixed = rng.below(6) as u32;
        let sum = |pool: &[Shown]| fixed + pool.iter().map(|d| u32::from(d.shows)).sum::<u32>();
        // As floats: an oracle of another kind than the fractions it checks.
        fn value(pool: &[Shown], fixed: u32, need: u32, charges: u8) -> f64 {
            let sum = fixed + pool.iter().map(|d| u32::from(d.shows)).sum::<u32>();
            if sum >= need { return 1.0 }
            if charges == 0 { return 0.0 }
            tries(pool, fixed, need, charges).into_iter().map(|t| t.1).fold(0.0, f64::max)
        }
        fn tries(pool: &[Shown], fixed: u32, need: u32, charges: u8) -> Vec<((usize, usize), f64)> {
            let mut all = Vec::new();
            for remove in 0..pool.len() {
                for reroll in (0..pool.len()).filter(|i| *i != remove) {
                    let size = pool[reroll].size;
                    let total: f64 = (1..=size).map(|shows| {
                        let mut after = pool.to_vec();
                        after[reroll].shows = shows;
                        after.remove(remove);
                        value(&after, fixed, need, charges - 1)
                    }).sum();
                    all.push(((remove, reroll), total / f64::from(size)));
                }
            }
            all
        }
        for charges in 1..=2 {
            let best = best_charge(&pool, fixed, need, charges).unwrap();
            let all = tries(&pool, fixed, need, charges);
            let most = all.iter().map(|t| t.1).fold(0.0, f64::max);
            let odds = best.odds.num() as f64 / best.odds.den() as f64;
            prop_assert!((odds - most).abs() < 1e-9, "{odds} {most} {pool:?} {need}");
            let named = all.iter().find(|t| t.0 == (best.remove, best.reroll)).unwrap();
            prop_assert!((named.1 - most).abs() < 1e-9);
        }
        prop_assert_eq!(as_it_lies(&pool, fixed, need) == Odds::CERTAIN, sum(&pool) >= need);
    }
}

fn die(rng: &mut Rng) -> DieClaim {
    let size = 1 + rng.below(10) as u8;
    let times = 1 + rng.below(3);
    let mut faces: Vec<u8> = (0..times).flat_map(|_| 1..=size).collect();
    if rng.chance(40) {
        let i = rng.below(faces.len());
        faces[i] = rng.below(12) as u8;
    }
    let mut die = DieClaim::new(faces);
    die.symbols = if rng.chance(30) {
        rng.below(5) as u8
    } else {
        0
    };
    die.foreign_numerals = rng.chance(20);
    die.coin = rng.chance(10);
    die.permission = rng.chance(40);
    die.design = rng.chance(20).then(|| rng.pick(&SIZES));
    die
}
