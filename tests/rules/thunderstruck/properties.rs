//! What holds for every position and every action of Thunderstruck Duel.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::chance::{Rng, seeded};
use proptest::prelude::*;
use sightline::rules::thunderstruck::*;
use sightline::rules::{Fault as _, MAX_INPUT_BYTES, Place, Span, Verdict, from_json};

fn print(rng: &mut Rng) -> Print {
    let mut print = Print::default();
    let options = &mut print.options;
    options.fire = rng.pick(FireWay::ALL);
    options.reflex_to = rng.pick(ReflexTo::ALL);
    options.distance_counts_ships = rng.chance(60);
    options.alone_wins_contest = rng.chance(70);
    options.ends_at_first_loss = rng.chance(20);
    print.numbers.rounds = rng.pick(&[1, 6, 12]);
    if rng.chance(30) {
        // Narrow loops, where ships meet.
        print.two_players.sectors = vec![7];
        print.two_players.starts[1].space = Space::new(1, 3);
        print.two_players.warps = vec![Warp {
            sector: 1,
            first: 0,
            last: 6,
            to: vec![Space::new(1, 2), Space::new(1, 5)],
        }];
        print.three_players.sectors = vec![5, 4];
        print.three_players.starts[1].space = Space::new(1, 3);
        print.three_players.warps = vec![
            Warp {
                sector: 1,
                first: 0,
                last: 4,
                to: vec![Space::new(2, 0), Space::new(1, 2)],
            },
            Warp {
                sector: 2,
                first: 0,
                last: 3,
                to: vec![Space::new(1, 1), Space::new(2, 3)],
            },
        ];
    }
    print.check("print").expect("the test's print is broken");
    print
}

fn plan(rng: &mut Rng, position: &Position, ship: ShipId) -> Plan {
    for _ in 0..60 {
        let mut free: Vec<Spot> = Spot::ALL.to_vec();
        let mut plan = Plan::default();
        for i in 0..position.dice_of(ship) {
            let shows = rng.below(6) as u8 + 1;
            let wanted = match i {
                0 => Duty::Boost.spots(),
                1 => Duty::Manoeuvre.spots(),
                _ => Spot::ALL,
            };
            let spots: Vec<Spot> = free
                .iter()
                .copied()
                .filter(|s| wanted.contains(s))
                .collect();
            if spots.is_empty() {
                plan.aside.push(shows);
                continue;
            }
            let at = rng.pick(&spots);
            free.retain(|s| *s != at);
            plan.dice.push(Placed { at, shows });
        }
        if position.plan_faults(ship, &plan).is_empty() {
            return plan;
        }
    }
    let roll: Vec<u8> = (0..position.dice_of(ship))
        .map(|_| rng.below(6) as u8 + 1)
        .collect();
    position
        .legal_plans(ship, &roll, 1)
        .pop()
        .expect("every roll has a legal plan")
}

/// A legal action by chance: first its kind, so that rare things happen too.
fn choose(rng: &mut Rng, position: &Position) -> Option<Action> {
    if position.outcome().is_some() {
        return None;
    }
    let mut kinds: Vec<Action> = position.legal_actions();
    let hidden: Vec<ShipId> = position
        .ships()
        .iter()
        .filter(|s| !s.is_retired() && s.screen() == Screen::Ready)
        .map(Ship::id)
        .collect();
    if position.flow().phase == Phase::Planning
        && !position.ships().iter().any(|s| s.screen() == Screen::Up)
    {
        let ship = rng.pick(&hidden);
        return Some(Action::Reveal {
            ship,
            plan: plan(rng, position, ship),
        });
    }
    let kind = |a: &Action| std::mem::discriminant(a);
    let mut all: Vec<_> = kinds.iter().map(kind).collect();
    all.dedup();
    let wanted = *all.get(rng.below(all.len()))?;
    kinds.retain(|a| kind(a) == wanted);
    // Cubes are spent now and then, and a re-roll does not go on for ever.
    if matches!(kinds[0], Action::Cube { .. } | Action::Reroll { .. })
        && all.len() > 1
        && rng.chance(60)
    {
        return choose(rng, position);
    }
    let index = rng.below(kinds.len());
    Some(kinds.swap_remove(index))
}

fn start(rng: &mut Rng) -> Position {
    let print = print(rng);
    let ships = 2 + rng.below(2);
    Setup::start(&print, ships).resolve(&print).0
}

/// A position some way into a game.
fn position(seed: u64) -> Position {
    let mut rng = Rng(seed);
    let mut position = start(&mut rng);
    for _ in 0..rng.below(120) {
        let Some(action) = choose(&mut rng, &position) else {
            break;
        };
        position
            .act(&action)
            .expect("what the list offers is accepted");
    }
    position
}

/// What no action may break.
fn check(position: &Position) {
    let print = position.print();
    let mut spaces = Vec::new();
    for ship in position.ships() {
        let id = ship.id();
        assert!(
            ship.cubes().max <= u16::from(print.numbers.cubes),
            "{position}"
        );
        let Some(space) = ship.space().known() else {
            assert!(ship.is_retired(), "{position}");
            continue;
        };
        assert!(!spaces.contains(space), "two ships on a space\n{position}");
        spaces.push(*space);
        if !ship.screen().hides() {
            assert!(
                ship.dice_count().min <= position.dice_of(id),
                "dice out of nothing\n{position}"
            );
            for spot in Spot::ALL {
                let hit = ship.damage(*spot) == &Place::Known(true);
                assert!(!hit || ship.die(*spot) == Pips::NONE, "{spot}\n{position}");
                if let (true, Some(shield)) = (hit, spot.shield()) {
                    assert_eq!(ship.shield(shield), &Place::Known(false), "{position}");
                }
            }
        }
        if position.flow().phase == Phase::RoundEnd {
            assert!(
                Spot::ALL.iter().all(|s| ship.die(*s) == Pips::NONE),
                "{position}"
            );
        }
    }
    let (again, problems) = position.to_setup().resolve(print);
    assert_eq!(&again, position);
    assert!(problems.is_empty(), "{problems:?}\n{position}");
}

/// One game by chance; returns how many actions it took.
fn play(seed: u64) -> usize {
    let mut rng = Rng(seed);
    let mut position = start(&mut rng);
    let mut actions = 0;
    while let Some(action) = choose(&mut rng, &position) {
        let before = position.clone();
        let change = position
            .act(&action)
            .unwrap_or_else(|e| panic!("seed {seed}: {action}: {e}\n{before}"));
        check(&position);
        let mut back = position.clone();
        back.replay(&change.inverse())
            .expect("a change can be undone");
        assert_eq!(back, before, "seed {seed}: {action}");
        for (was, now) in before.ships().iter().zip(position.ships()) {
            let more = now.damage_count().min - was.damage_count().min;
            let answers = matches!(action, Action::Answer { ship, .. } if ship == now.id());
            assert_eq!(more, u16::from(answers), "damage comes from hits only");
            // In the action phase a die goes aside or to an area, and never comes back but by a cube.
            if !was.screen().hides() && !now.screen().hides() && !now.is_retired() {
                assert!(
                    now.dice_count().min <= was.dice_count().min,
                    "{action}\n{before}"
                );
            }
        }
        actions += 1;
        assert!(actions < 5000, "seed {seed} does not end");
    }
    assert!(
        position.outcome().is_some(),
        "seed {seed} is stuck\n{position}"
    );
    actions
}

#[test]
fn random_games_come_to_their_end() {
    for seed in 0..60 {
        play(seed);
    }
}

/// Last measured: 10,000 games, 863,276 actions, no broken invariant, 152 s on a shared core
/// (`cargo test --release --no-default-features --test rules thunderstruck::properties -- --ignored
/// --nocapture`; this crate at opt-level 1, its dependencies at 3).
#[test]
#[ignore = "long: ./run soak"]
fn soak_ten_thousand_random_games() {
    let actions: usize = (0..10_000).map(play).sum();
    println!("10000 games, {actions} actions");
}

fn any_action(rng: &mut Rng) -> Action {
    let ship = rng.pick(ShipId::ALL);
    let spot = rng.pick(Spot::ALL);
    match rng.below(12) {
        0 => Action::Reroll { ship },
        1 => Action::Ready { ship },
        2 => Action::Cube {
            ship,
            at: spot,
            does: match rng.below(4) {
                0 => CubeUse::Raise,
                1 => CubeUse::Lower,
                _ => CubeUse::Move {
                    to: rng.pick(Spot::ALL),
                },
            },
        },
        3 | 4 => Action::Boost {
            ship,
            from: (0..rng.below(4))
                .map(|_| rng.pick(&[Spot::Boost1, Spot::Boost2, spot]))
                .collect(),
        },
        5 => Action::Manoeuvre { ship },
        6 => Action::Shield {
            ship,
            shield: rng.pick(Shield::ALL),
        },
        7 | 8 => Action::Fire {
            ship,
            from: rng.pick(&[Spot::Fire1, Spot::Fire2, spot]),
            aim: rng.chance(80).then(|| Aim {
                target: rng.pick(ShipId::ALL),
                way: rng.pick(Heading::ALL),
            }),
        },
        9 => Action::Power {
            ship,
            from: rng.pick(&[Spot::Power1, Spot::Power2, spot]),
        },
        10 => Action::Answer {
            ship,
            shield: rng.pick(Shield::ALL),
            damage: spot,
        },
        11 if rng.chance(70) => Action::Steer {
            ship,
            course: match rng.below(5) {
                0 => Course::Flip,
                1 => Course::Nothing,
                _ => Course::Warp {
                    to: Space::new(rng.below(3) as u8, rng.below(25) as u8),
                    heading: rng.pick(Heading::ALL),
                },
            },
        },
        _ => Action::NextRound {
            reflex: rng.chance(60).then_some(ship),
        },
    }
}

/// Makes something of a set-up unknown, or less known.
fn blur(rng: &mut Rng, setup: &mut Setup) {
    let n = rng.below(setup.ships.len());
    let ship = &mut setup.ships[n];
    match rng.below(9) {
        0 => ship.space = Place::Unknown,
        1 => {
            if let Place::Known(space) = ship.space {
                let near = Space::new(space.sector, if space.at == 0 { 1 } else { space.at - 1 });
                ship.space = Place::OneOf(vec![space, near]);
            }
        }
        2 => ship.heading = Place::Unknown,
        3 | 4 if !ship.dice.is_empty() => {
            let i = rng.below(ship.dice.len());
            let die = &mut ship.dice[i];
            die.shows = match rng.below(3) {
                0 => Pips::ANY,
                1 => die.shows.or(Pips::NONE),
                _ => die.shows.or(Pips::known(rng.below(6) as u8 + 1).unwrap()),
            };
            if rng.chance(20) {
                die.at = Place::Unknown;
            }
        }
        5 => {
            let spot = rng.pick(Spot::ALL);
            ship.damage.retain(|s| *s != spot);
            ship.damage_unsure.push(spot);
        }
        6 => {
            let shield = rng.pick(Shield::ALL);
            ship.shields.retain(|s| *s != shield);
            ship.shields_unsure.push(shield);
        }
        7 => ship.cubes = ship.cubes.union(Span::known(rng.below(5) as u16)),
        _ => {
            for dice in [&mut ship.boosted, &mut ship.manoeuvred] {
                if !dice.is_empty() {
                    let i = rng.below(dice.len());
                    dice[i] = dice[i]
                        .or(Pips::NONE)
                        .or(Pips::known(rng.below(6) as u8 + 1).unwrap());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(seeded(60))]

    #[test]
    fn what_the_list_offers_is_accepted_and_all_else_refused(seed: u64) {
        let position = position(seed);
        let legal = position.legal_actions();
        for action in &legal {
            prop_assert!(position.clone().act(action).is_ok(), "{action}\n{position}");
            let json = serde_json::to_string(action).unwrap();
            prop_assert_eq!(&from_json::<Action>(json.as_bytes()).unwrap(), action);
        }
        let mut rng = Rng(seed ^ 1);
        for _ in 0..400 {
            let action = any_action(&mut rng);
            match position.clone().play(&action) {
                Ok(_) => prop_assert!(legal.contains(&action), "{action} is not offered\n{position}"),
                Err(refused) => {
                    prop_assert_eq!(&refused.position, &position, "a refused action leaves nothing behind");
                    prop_assert!(!legal.contains(&action));
                }
            }
        }
    }

    #[test]
    fn json_and_text_lead_back_to_the_position(seed: u64) {
        let mut rng = Rng(seed);
        let mut setup = position(seed).to_setup();
        let print = position(seed).print().clone();
        for _ in 0..rng.below(4) {
            blur(&mut rng, &mut setup);
        }
        let (position, _) = setup.resolve(&print);
        let json = serde_json::to_string(&State::of(&position)).unwrap();
        let judged = State::from_json(json.as_bytes()).unwrap().judge();
        prop_assert_eq!(&judged.position, &position);
        let read: Setup = position.to_string().parse().unwrap();
        prop_assert_eq!(&read.resolve(&print).0, &position);
        prop_assert!(serde_json::to_string(&judged).is_ok());
        prop_assert!(!judged.to_string().is_empty());
    }

    /// A call that is sure with something unknown is the call that holds when it is known.
    #[test]
    fn what_is_unknown_never_makes_another_call_sure(seed: u64) {
        let known = position(seed);
        let mut rng = Rng(seed ^ 2);
        let mut setup = known.to_setup();
        for _ in 0..1 + rng.below(3) {
            blur(&mut rng, &mut setup);
        }
        let (open, _) = setup.resolve(known.print());
        for call in open.calls() {
            if !call.verdict.is_sure() {
                prop_assert!(!call.unsure_on.is_empty() , "{call}");
                continue;
            }
            let truth = known.call(call.what.clone());
            prop_assert_eq!(call.verdict, truth.verdict, "{} but {}\n{}\n{}", call, truth, open, known);
            if let (Some(to), Verdict::May) = (call.numbers.ends_at, call.verdict) {
                prop_assert_eq!(Some(to), truth.numbers.ends_at);
            }
            if let Some(destroys) = call.numbers.destroys {
                prop_assert_eq!(Some(destroys), truth.numbers.destroys, "{}", call);
            }
        }
        // And what is accepted there would be accepted with everything known.
        for action in open.legal_actions() {
            if !matches!(action, Action::NextRound { .. }) {
                prop_assert!(known.clone().act(&action).is_ok(), "{action}\n{open}\n{known}");
            }
        }
    }

    /// The calls and the actions say the same.
    #[test]
    fn calls_and_actions_agree(seed: u64) {
        let position = position(seed);
        let legal = position.legal_actions();
        for call in position.calls() {
            prop_assert!(call.verdict.is_sure(), "{call}");
            let may = call.now && call.verdict != Verdict::Cannot;
            let offered = match &call.what {
                What::Boost { ship, from } => legal.contains(&Action::Boost { ship: *ship, from: from.clone() }),
                What::Manoeuvre { ship } => legal.contains(&Action::Manoeuvre { ship: *ship }),
                What::Shield { ship, shield } => legal.contains(&Action::Shield { ship: *ship, shield: *shield }),
                What::Power { ship, from } => legal.contains(&Action::Power { ship: *ship, from: *from }),
                What::Reroll { ship } => legal.contains(&Action::Reroll { ship: *ship }),
                What::Fire { ship, from, target } => legal.iter().any(|a| match a {
                    Action::Fire { ship: s, from: f, aim: Some(aim) } => (s, f, aim.target) == (ship, from, *target),
                    _ => false,
                }),
                _ => continue,
            };
            prop_assert_eq!(may, offered, "{}\n{}", call, position);
        }
    }

    /// Two tables that differ only behind a screen are judged alike, to the letter.
    #[test]
    fn nothing_behind_a_screen_is_told(seed: u64) {
        let mut rng = Rng(seed);
        let print = print(&mut rng);
        let mut open = Setup::start(&print, 2 + rng.below(2));
        for ship in &mut open.ships {
            ship.screen = rng.pick(&[Screen::Up, Screen::Ready]);
        }
        if rng.chance(30) {
            // A screen that still stands when it should not hides just as well.
            open.flow.phase = Phase::Actions;
        }
        let mut judge = || {
            let mut setup = open.clone();
            for ship in &mut setup.ships {
                for _ in 0..rng.below(9) {
                    let shows = Pips::known(rng.below(6) as u8 + 1).unwrap();
                    ship.dice.push(DieSetup::new(rng.pick(Spot::ALL), shows));
                }
            }
            let judged = State { print: print.clone(), setup }.judge();
            (serde_json::to_string(&judged).unwrap(), judged.to_string())
        };
        prop_assert_eq!(judge(), judge());
    }

    #[test]
    fn corrections_are_taken_or_refused_and_undone(seed: u64) {
        let mut position = position(seed);
        let mut rng = Rng(seed ^ 3);
        for _ in 0..12 {
            let ship = rng.pick(ShipId::ALL);
            let at = rng.pick(Spot::ALL);
            let shows = rng.pick(&[Pips::NONE, Pips::ANY, Pips::MAYBE, "2|5".parse().unwrap(), "6".parse().unwrap()]);
            let there = match rng.below(3) { 0 => Place::Unknown, n => Place::Known(n == 1) };
            let correction = match rng.below(9) {
                0 => Correction::Die { ship, at, shows },
                1 => Correction::Damage { ship, at, there },
                2 => Correction::Shield { ship, shield: rng.pick(Shield::ALL), up: there },
                3 => Correction::Stand { ship, space: Place::Known(Space::new(1, rng.below(26) as u8)), heading: Place::Unknown },
                4 => Correction::Cubes { ship, count: Span::between(rng.below(9) as u16, rng.below(9) as u16) },
                5 => Correction::Boosted { ship, dice: vec![shows; rng.below(3)] },
                6 => Correction::Manoeuvred { ship, dice: vec![shows; rng.below(3)] },
                7 => Correction::Retired { ship, retired: rng.chance(50) },
                _ => Correction::Screen { ship, screen: rng.pick(Screen::ALL) },
            };
            let before = position.clone();
            match position.act(&Action::Correct(correction)) {
                Ok(change) => {
                    let (again, _) = position.to_setup().resolve(position.print());
                    prop_assert_eq!(&again, &position);
                    let mut back = position.clone();
                    back.replay(&change.inverse()).unwrap();
                    prop_assert_eq!(&back, &before);
                    let _ = position.legal_actions();
                }
                Err(_) => prop_assert_eq!(&position, &before),
            }
        }
    }
}

#[test]
fn the_example_is_read_and_judged() {
    let state = State::from_json(EXAMPLE_STATE.as_bytes()).unwrap();
    let judged = state.judge();
    assert!(
        judged.problems.iter().all(|p| p.fault.is_soft()),
        "{:?}",
        judged.problems
    );
    let text = judged.to_string();
    assert!(text.contains("a: fire-1 at b: hit"), "{text}");
    assert!(text.contains("Actions: Fire"), "{text}");
    let action = from_json::<Action>(EXAMPLE_ACTION.as_bytes()).unwrap();
    let after = judged.clone().after(&action).unwrap();
    assert_eq!(after.calls[0].what, What::Answer { ship: ShipId::B });
    // Were the front shield unsure, the shot would be a hit still, but not known to kill.
    let mut open = state.setup.clone();
    open.ships[1].shields = vec![];
    open.ships[1].shields_unsure = vec![Shield::Front];
    let open = State {
        setup: open,
        ..state
    }
    .judge();
    let shot = What::Fire {
        ship: ShipId::A,
        from: Spot::Fire1,
        target: ShipId::B,
    };
    let shot = open.position.call(shot);
    assert_eq!(
        (shot.verdict, shot.numbers.destroys),
        (Verdict::Hit, None),
        "{shot}"
    );
    let refused = open.clone().after(&action).unwrap_err();
    assert!(refused.to_string().contains("b.shield.front"), "{refused}");
    assert_eq!(refused.position, open.position);
}

#[test]
fn what_cannot_be_is_refused_with_its_path() {
    let wrong = |json: &str| State::from_json(json.as_bytes()).unwrap_err().to_string();
    assert!(
        wrong(r#"{"setup":{"ships":[{"id":"a","space":"1.99"}]}}"#)
            .starts_with("setup.ships[0].space")
    );
    assert!(
        wrong(r#"{"setup":{"ships":[{"id":"a"},{"id":"a"}]}}"#).starts_with("setup.ships[1].id")
    );
    assert!(
        wrong(r#"{"setup":{"ships":[{"id":"a","cubes":9}]}}"#).starts_with("setup.ships[0].cubes")
    );
    assert!(wrong(r#"{"setup":{"flow":{"round":13}}}"#).starts_with("setup.flow.round"));
    assert!(
        wrong(r#"{"setup":{"ships":[{"id":"a","dice":[{"at":"boost-1","shows":7}]}]}}"#)
            .contains("ships[0].dice[0].shows")
    );
    assert!(
        wrong(r#"{"print":{"two_players":{"name":"x","sectors":[3],"starts":[],"warps":[]}}}"#)
            .starts_with("print.two_players.sectors")
    );
    assert!(wrong("[").contains("line 1"));
    assert!(wrong(&" ".repeat(MAX_INPUT_BYTES + 1)).contains("larger"));
}
