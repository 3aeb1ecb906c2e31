//! The rules of Thunderstruck Duel one by one, on small tables.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sightline::rules::thunderstruck::*;
use sightline::rules::{Explain as _, Place, Span, Verdict};

const A: ShipId = ShipId::A;
const B: ShipId = ShipId::B;
const C: ShipId = ShipId::C;

fn on(print: &Print, text: &str) -> Position {
    let setup: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (position, problems) = setup.resolve(print);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    position
}

fn read(text: &str) -> Position {
    on(&Print::default(), text)
}

fn act(position: &Position, action: &Action) -> Position {
    match position.clone().play(action) {
        Ok((after, _)) => after,
        Err(refused) => panic!("{action}: {}\n{position}", refused.because),
    }
}

fn refusal(position: &Position, action: &Action) -> Reason {
    let refused = position
        .clone()
        .play(action)
        .expect_err("this should be refused");
    assert_eq!(&refused.position, position);
    refused.because.0
}

fn cube(at: Spot, does: CubeUse) -> Action {
    Action::Cube { ship: A, at, does }
}

fn to(spot: Spot) -> CubeUse {
    CubeUse::Move { to: spot }
}

fn boost(ship: ShipId, from: &[Spot]) -> Action {
    let from = from.to_vec();
    Action::Boost { ship, from }
}

fn fire(ship: ShipId, from: Spot, target: ShipId, way: Heading) -> Action {
    let aim = Some(Aim { target, way });
    Action::Fire { ship, from, aim }
}

fn at(position: &Position, ship: ShipId) -> u8 {
    position.ship(ship).unwrap().space().known().unwrap().at
}

/// Three boosts in one round, with two cubes: the third die and a used space.
#[test]
fn trip_burn() {
    let mut position = read(
        "a 1.0 clockwise\n  boost-1: 2\n  boost-2: 3\n  manoeuvre-1: 1\n  power-1: 4\n  cubes 2\nb 1.20 clockwise\n",
    );
    position = act(&position, &boost(A, &[Spot::Boost1]));
    position = act(&position, &boost(A, &[Spot::Boost2]));
    position = act(&position, &cube(Spot::Power1, to(Spot::Boost1)));
    // Moved, it is actioned at once, and by nothing else.
    assert_eq!(
        refusal(&position, &cube(Spot::Boost1, CubeUse::Raise)),
        Reason::Moved { spot: Spot::Boost1 }
    );
    assert_eq!(
        refusal(&position, &Action::Manoeuvre { ship: A }),
        Reason::Acting { spot: Spot::Boost1 }
    );
    position = act(&position, &boost(A, &[Spot::Boost1]));
    assert_eq!(at(&position, A), 9);
    assert_eq!(position.ship(A).unwrap().boosted().len(), 3);
}

/// One weapon left, fired twice.
#[test]
fn double_barrel() {
    let position = read(
        "a 1.0 clockwise\n  fire-1: 6\n  power-1: 5\n  damage fire-2\n  cubes 1\nb 1.5 clockwise\n  shields rear mid\n  boost-1: 1\n  power-1: 1\n",
    );
    let shot = fire(A, Spot::Fire1, B, Heading::Clockwise);
    let hit = act(&position, &shot);
    let answer = |shield, damage| Action::Answer {
        ship: B,
        shield,
        damage,
    };
    let next = act(&hit, &answer(Shield::Mid, Spot::Power2));
    let next = act(&next, &boost(B, &[Spot::Boost1]));
    // The damaged space takes no die.
    assert_eq!(
        refusal(&next, &cube(Spot::Power1, to(Spot::Fire2))),
        Reason::Damaged { spot: Spot::Fire2 }
    );
    let next = act(&next, &cube(Spot::Power1, to(Spot::Fire1)));
    // b is six spaces away now, and the moved die shows 5.
    let call = next.call(What::Fire {
        ship: A,
        from: Spot::Fire1,
        target: B,
    });
    assert_eq!(
        (call.verdict, call.missing.as_slice()),
        (Verdict::Miss, &[Missing::Reach(1)][..])
    );
}

#[test]
fn cubes_turn_dice_within_their_faces_and_strand_none() {
    let position = read(
        "a 1.0 clockwise\n  boost-1: 6\n  boost-2: 1\n  shield-front: 2\n  manoeuvre-1: 2\n  cubes 2\nb 1.20 clockwise\n",
    );
    let raise = |spot| cube(spot, CubeUse::Raise);
    assert_eq!(
        refusal(&position, &raise(Spot::Boost1)),
        Reason::NoFurther { shows: 6 }
    );
    assert_eq!(
        refusal(&position, &cube(Spot::Boost2, CubeUse::Lower)),
        Reason::NoFurther { shows: 1 }
    );
    // Both dice of a pair may be turned: they are actioned together then.
    let both = act(
        &act(&position, &cube(Spot::Boost1, CubeUse::Lower)),
        &raise(Spot::Boost2),
    );
    assert_eq!(
        refusal(&both, &boost(A, &[Spot::Boost1])),
        Reason::Acting { spot: Spot::Boost2 }
    );
    let both = act(&both, &boost(A, &[Spot::Boost1, Spot::Boost2]));
    assert_eq!(at(&both, A), 7);
    assert_eq!(both.ship(A).unwrap().cubes(), Span::known(0));
    // A 3 raises no front shield; with a cube left it can go on to the rear one.
    let three = act(&position, &raise(Spot::ShieldFront));
    let front = Action::Shield {
        ship: A,
        shield: Shield::Front,
    };
    assert!(matches!(
        refusal(&three, &front),
        Reason::ShieldNumber { shows: 3, .. }
    ));
    let rear = act(&three, &cube(Spot::ShieldFront, to(Spot::ShieldRear)));
    let rear = act(
        &rear,
        &Action::Shield {
            ship: A,
            shield: Shield::Rear,
        },
    );
    assert_eq!(
        rear.ship(A).unwrap().shield(Shield::Rear),
        &Place::Known(true)
    );
    let spent = act(&position, &cube(Spot::ShieldFront, CubeUse::Lower));
    let spent = act(&spent, &raise(Spot::ShieldFront));
    assert_eq!(refusal(&spent, &raise(Spot::ShieldFront)), Reason::NoCube);
    let one = read("a 1.0 clockwise\n  shield-front: 2\n  cubes 1\nb 1.20 clockwise\n");
    assert_eq!(
        refusal(&one, &raise(Spot::ShieldFront)),
        Reason::WouldStrand {
            spot: Spot::ShieldFront
        }
    );
}

#[test]
fn the_last_die_stays_until_its_action_was_carried_out() {
    let position = read(
        "a 1.0 clockwise\n  boost-1: 3\n  manoeuvre-2: 3\n  fire-1: 3\n  cubes 4\nb 1.20 clockwise\n  boost-1: 1\n",
    );
    for (spot, duty) in [
        (Spot::Boost1, Duty::Boost),
        (Spot::Manoeuvre2, Duty::Manoeuvre),
    ] {
        assert_eq!(
            refusal(&position, &cube(spot, to(Spot::Fire2))),
            Reason::LastDie { duty }
        );
    }
    // Within the pair it has not left.
    act(&position, &cube(Spot::Boost1, to(Spot::Boost2)));
    let boosted = position.to_setup();
    let mut boosted = boosted;
    boosted.ships[0].boosted = vec!["2".parse().unwrap()];
    let (boosted, _) = boosted.resolve(&Print::default());
    act(&boosted, &cube(Spot::Boost1, to(Spot::Fire2)));
}

#[test]
fn a_shot_strikes_the_side_it_comes_from() {
    for (heading, way, space, side) in [
        ("clockwise", Heading::Clockwise, 4, Side::Rear),
        ("anticlockwise", Heading::Clockwise, 4, Side::Front),
        ("clockwise", Heading::Anticlockwise, 21, Side::Front),
        ("anticlockwise", Heading::Anticlockwise, 21, Side::Rear),
    ] {
        let text = format!(
            "a 1.0 clockwise\n  fire-1: 4\nb 1.{space} {heading}\n  shields mid\n  boost-1: 1\n"
        );
        let position = read(&text);
        let call = position.call(What::Fire {
            ship: A,
            from: Spot::Fire1,
            target: B,
        });
        assert_eq!(
            (call.verdict, call.numbers.side),
            (Verdict::Hit, Some(side)),
            "{text}"
        );
        let after = act(&position, &fire(A, Spot::Fire1, B, way));
        assert_eq!(after.flow().owed, [Owed::Answer { ship: B, side }]);
        assert_eq!(
            refusal(&position, &fire(A, Spot::Fire1, B, way.opposite())),
            Reason::LongerWay {
                way: way.opposite()
            }
        );
        // Where shots fly ahead only, the one behind is out of reach.
        let mut print = Print::default();
        print.options.fire = FireWay::Ahead;
        let ahead = on(&print, &text).call(What::Fire {
            ship: A,
            from: Spot::Fire1,
            target: B,
        });
        let wanted = if way == Heading::Clockwise {
            Verdict::Hit
        } else {
            Verdict::Miss
        };
        assert_eq!(ahead.verdict, wanted, "{ahead}");
    }
}

#[test]
fn ships_between_count_for_shots_unless_the_copy_says_not() {
    let text = "a 1.0 clockwise\n  fire-1: 3\nb 1.2 clockwise\nc 1.4 clockwise\n";
    let what = What::Fire {
        ship: A,
        from: Spot::Fire1,
        target: C,
    };
    assert_eq!(read(text).call(what.clone()).verdict, Verdict::Miss);
    let mut print = Print::default();
    print.options.distance_counts_ships = false;
    assert_eq!(on(&print, text).call(what).verdict, Verdict::Hit);
}

#[test]
fn damage_goes_where_the_shields_colour_is() {
    let owed = r#"flow {"turn":"a","owed":[{"answer":{"ship":"b","side":"front"}}]}"#;
    let position = read(&format!(
        "a 1.0 clockwise\n  boost-1: 1\nb 1.4 anticlockwise\n  fire-1: 3\n  shield-rear: 3\n  boost-2: 2\n  shields front mid rear\n{owed}\n"
    ));
    let answer = |shield, damage| Action::Answer {
        ship: B,
        shield,
        damage,
    };
    assert_eq!(
        refusal(&position, &answer(Shield::Rear, Spot::Boost1)),
        Reason::NotThatShield {
            shield: Shield::Rear
        }
    );
    let wrong = refusal(&position, &answer(Shield::Front, Spot::Boost1));
    assert_eq!(
        wrong,
        Reason::NotThatColour {
            spot: Spot::Boost1,
            shield: Shield::Front
        }
    );
    assert_eq!(wrong.rule().section, "Actions: Fire");
    // A die on the damaged space goes aside; only the shield that answered comes down.
    let hit = act(&position, &answer(Shield::Front, Spot::Fire1));
    let b = hit.ship(B).unwrap();
    assert_eq!(b.die(Spot::Fire1), Pips::NONE);
    assert_eq!(b.shield(Shield::Front), &Place::Known(false));
    assert_eq!(b.shield(Shield::Mid), &Place::Known(true));
    // The mid shield takes it anywhere, and the token takes a shield down that stands there.
    let hit = act(&position, &answer(Shield::Mid, Spot::ShieldRear));
    let b = hit.ship(B).unwrap();
    assert_eq!(
        (b.die(Spot::ShieldRear), b.shield(Shield::Rear)),
        (Pips::NONE, &Place::Known(false))
    );
    // Where the colour has no space left, anywhere.
    let mut print = Print::default();
    print.console.front = vec![Spot::Power1];
    let setup: Setup = format!(
        "a 1.0 clockwise\nb 1.4 anticlockwise\n  shields front\n  damage power-1\n{owed}\n"
    )
    .parse()
    .unwrap();
    let (position, _) = setup.resolve(&print);
    act(&position, &answer(Shield::Front, Spot::Boost1));
}

#[test]
fn each_sector_has_its_own_contest() {
    let text = "a 1.0 clockwise\n  manoeuvre-1: 5\nb 1.9 clockwise\n  manoeuvre-1: 2\n  manoeuvre-2: 3\n  boost-1: 1\nc 2.0 clockwise\n  manoeuvre-2: 1\n";
    let position = read(text);
    let call = position.call(What::Manoeuvre { ship: A });
    assert_eq!(call.numbers.winners, [C], "{}", call.explain());
    let after = act(&position, &Action::Manoeuvre { ship: A });
    assert_eq!(
        after.flow().owed,
        [Owed::Steer {
            ship: C,
            warp: false
        }]
    );
    // All manoeuvre dice lie on the token, and there is no second contest this round.
    assert!(after.ships().iter().all(|s| {
        Duty::Manoeuvre
            .spots()
            .iter()
            .all(|m| s.die(*m) == Pips::NONE)
    }));
    assert_eq!(
        refusal(&after, &boost(B, &[Spot::Boost1])),
        Reason::First {
            owed: Owed::Steer {
                ship: C,
                warp: false
            }
        }
    );
    let flipped = act(
        &after,
        &Action::Steer {
            ship: C,
            course: Course::Flip,
        },
    );
    assert_eq!(
        flipped.ship(C).unwrap().heading(),
        &Place::Known(Heading::Anticlockwise)
    );
    assert_eq!(flipped.flow().turn, B, "the next that has a die");
    let mut print = Print::default();
    print.options.alone_wins_contest = false;
    assert!(
        act(&on(&print, text), &Action::Manoeuvre { ship: A })
            .flow()
            .owed
            .is_empty()
    );
}

#[test]
fn a_warp_leads_to_free_warp_spots() {
    let owed = r#"flow {"turn":"a","owed":[{"steer":{"ship":"a","warp":true}}]}"#;
    let warp = |sector, at| Action::Steer {
        ship: A,
        course: Course::Warp {
            to: Space::new(sector, at),
            heading: Heading::Anticlockwise,
        },
    };
    let position = read(&format!(
        "a 1.0 clockwise\nb 1.14 clockwise\n  boost-1: 1\nc 2.0 clockwise\n{owed}\n"
    ));
    assert_eq!(
        refusal(&position, &warp(1, 14)),
        Reason::SpaceTaken {
            space: Space::new(1, 14)
        }
    );
    assert_eq!(
        refusal(&position, &warp(1, 5)),
        Reason::NotWarpSpot {
            space: Space::new(1, 5)
        }
    );
    let there = act(&position, &warp(2, 6));
    let a = there.ship(A).unwrap();
    assert_eq!(
        (a.space(), a.heading()),
        (
            &Place::Known(Space::new(2, 6)),
            &Place::Known(Heading::Anticlockwise)
        )
    );
}

#[test]
fn the_sector_that_nobody_is_left_in_is_closed() {
    let warp = |ship, sector, at| Action::Steer {
        ship,
        course: Course::Warp {
            to: Space::new(sector, at),
            heading: Heading::Clockwise,
        },
    };
    let sectors_offered = |position: &Position| -> Vec<u8> {
        let choices = position.calls().into_iter().flat_map(|call| call.choices);
        let mut sectors: Vec<u8> = choices
            .filter_map(|choice| match choice {
                Choice::Course { of } => Some(of),
                _ => None,
            })
            .flatten()
            .filter_map(|course| match course {
                Course::Warp { to, .. } => Some(to.sector),
                _ => None,
            })
            .collect();
        sectors.dedup();
        sectors
    };
    let owed = |ships: &str| {
        let asked = |ship| format!(r#"{{"steer":{{"ship":"{ship}","warp":true}}}}"#);
        let asked: Vec<_> = ships.chars().map(asked).collect();
        format!(r#"flow {{"turn":"a","owed":[{}]}}"#, asked.join(","))
    };
    let closed = Reason::SectorClosed { sector: 2 };

    // Both that are left are in sector 1: nobody leaves it, and no call offers it.
    let together = read(&format!(
        "a 1.0 clockwise\nb 1.14 clockwise\n  boost-1: 1\nc ? ? retired\n{}\n",
        owed("a")
    ));
    assert_eq!(refusal(&together, &warp(A, 2, 6)), closed);
    assert_eq!(sectors_offered(&together), [1]);
    let legal = together.legal_actions();
    assert!(legal.contains(&warp(A, 1, 21)), "{legal:?}");
    assert!(!legal.contains(&warp(A, 2, 6)), "{legal:?}");
    act(&together, &warp(A, 1, 21));

    // In two sectors, or with all three in play, both sectors are open.
    for others in [
        "b 2.14 clockwise\n  boost-1: 1\nc ? ? retired",
        "b 1.14 clockwise\n  boost-1: 1\nc 1.2 clockwise",
    ] {
        let open = read(&format!("a 1.0 clockwise\n{others}\n{}\n", owed("a")));
        assert_eq!(sectors_offered(&open), [1, 2], "{others}");
        act(&open, &warp(A, 2, 6));
    }

    // As soon as they meet: whoever still has a warp coming has to stay.
    let apart = read(&format!(
        "a 2.0 clockwise\nb 1.14 clockwise\n  boost-1: 1\nc ? ? retired\n{}\n",
        owed("ab")
    ));
    act(&apart, &warp(B, 2, 18));
    let met = act(&apart, &warp(A, 1, 6));
    assert_eq!(refusal(&met, &warp(B, 2, 18)), closed);
    assert_eq!(sectors_offered(&met), [1]);
}

#[test]
fn screens_come_off_together() {
    let print = Print::default();
    let position = Setup::start(&print, 2).resolve(&print).0;
    let plan = Plan {
        dice: [Spot::Boost1, Spot::Manoeuvre1, Spot::Power1, Spot::Power2]
            .map(|at| Placed { at, shows: 6 })
            .to_vec(),
        aside: Vec::new(),
    };
    let reveal = |ship, plan: &Plan| Action::Reveal {
        ship,
        plan: plan.clone(),
    };
    assert_eq!(
        refusal(&position, &reveal(A, &plan)),
        Reason::StillPlacing { ship: A }
    );
    let position = act(&position, &Action::Reroll { ship: A });
    assert_eq!(
        refusal(&position, &Action::Reroll { ship: A }),
        Reason::NoCube
    );
    let position = act(&position, &Action::Ready { ship: A });
    assert_eq!(
        refusal(&position, &reveal(A, &plan)),
        Reason::StillPlacing { ship: B }
    );
    let position = act(&position, &Action::Ready { ship: B });
    let mut short = plan.clone();
    short.aside = vec![short.dice.pop().unwrap().shows];
    assert!(matches!(
        refusal(&position, &reveal(A, &short)),
        Reason::CouldLie { shows: 6, .. }
    ));
    let one = act(&position, &reveal(A, &plan));
    assert_eq!(one.flow().phase, Phase::Planning);
    let both = act(&one, &reveal(B, &plan));
    assert_eq!((both.flow().phase, both.flow().turn), (Phase::Actions, A));
}

#[test]
fn the_marker_goes_round_and_the_dice_come_back() {
    let end = r#"flow {"round":3,"phase":"round_end","first":"b","reflex":"a"}"#;
    let position = read(&format!(
        "a 1.0 clockwise\n  boosted 6 6\n  manoeuvred 4\nb 1.9 clockwise\n  boosted 2\n  manoeuvred 4\nc 2.0 clockwise\n  boosted 3\n  manoeuvred 5\n{end}\n"
    ));
    // b is lowest on Boost and level with the lowest on Manoeuvre; the die goes to an opponent.
    assert_eq!(
        refusal(&position, &Action::NextRound { reflex: Some(B) }),
        Reason::NotReflex { ship: B }
    );
    let next = act(&position, &Action::NextRound { reflex: Some(A) });
    let flow = next.flow();
    assert_eq!(
        (flow.round, flow.phase, flow.first, flow.reflex),
        (4, Phase::Planning, C, Some(A))
    );
    assert_eq!((next.dice_of(A), next.dice_of(B)), (5, 4));
    assert!(
        next.ships()
            .iter()
            .all(|s| s.boosted().is_empty() && s.screen() == Screen::Up)
    );
    // Nobody has to take it.
    assert_eq!(
        act(&position, &Action::NextRound { reflex: None })
            .flow()
            .reflex,
        None
    );
}

/// Found by the soak: a ship that was destroyed with the Reflex die has five dice on the table.
#[test]
fn a_ship_is_destroyed_with_the_reflex_die() {
    let position = read(
        "a 1.0 clockwise\n  fire-1: 6\n  boost-1: 1\nb 1.5 clockwise\n  boosted 1 5 6\n  manoeuvred 1 1\nflow {\"reflex\":\"b\"}\n",
    );
    let after = act(&position, &fire(A, Spot::Fire1, B, Heading::Clockwise));
    assert!(after.ship(B).unwrap().is_retired());
    let (again, problems) = after.to_setup().resolve(after.print());
    assert_eq!((again, problems), (after.clone(), Vec::new()));
    let outcome = after.outcome().unwrap();
    assert_eq!((outcome.winners, outcome.by), (vec![A], EndedBy::LastShip));
    assert_eq!(refusal(&after, &boost(A, &[Spot::Boost1])), Reason::Over);
}

#[test]
fn three_play_on_after_the_first_loss_unless_the_copy_says_not() {
    let text = "a 1.0 clockwise\n  fire-1: 6\n  damage power-1\nb 1.5 clockwise\nc 2.0 clockwise\n  boost-1: 1\n";
    let shot = fire(A, Spot::Fire1, B, Heading::Clockwise);
    let after = act(&read(text), &shot);
    assert_eq!((after.outcome(), after.flow().turn), (None, C));
    let mut print = Print::default();
    print.options.ends_at_first_loss = true;
    let outcome = act(&on(&print, text), &shot).outcome().unwrap();
    assert_eq!((outcome.winners, outcome.by), (vec![C], EndedBy::FirstLoss));
}

#[test]
fn an_illegal_die_is_taken_off_and_said() {
    let judge = |text: &str| {
        let setup: Setup = text.parse().unwrap();
        let (position, problems) = setup.resolve(&Print::default());
        let said = problems.iter().map(ToString::to_string).collect::<Vec<_>>();
        (position, said.join("; "))
    };
    let (position, said) = judge(
        "a 1.0 clockwise\n  shield-front: 4\n  fire-1: 2\n  damage fire-1\nb 1.0 clockwise\n",
    );
    let a = position.ship(A).unwrap();
    assert_eq!(
        (a.die(Spot::ShieldFront), a.die(Spot::Fire1)),
        (Pips::NONE, Pips::NONE)
    );
    assert_eq!((a.space(), a.screen()), (&Place::Unknown, Screen::Off));
    for wanted in [
        "a.shield-front: 4 does not raise",
        "a.fire-1: a die on a damaged space",
        "b.ship: on one space with a",
    ] {
        assert!(said.contains(wanted), "{said}");
    }
    let (_, said) = judge(
        "a 1.0 clockwise\n  fire-1: 4\n  boost-1: 1\nb 1.4 clockwise\n  screen up\nflow {\"phase\":\"planning\"}\n",
    );
    assert!(said.contains("a.console: no die on manoeuvre"), "{said}");
    let (position, said) = judge("a 1.0 clockwise\n  fire-1: 4\n  fire-1: 2\nb 1.4 clockwise\n");
    assert!(said.contains("a.fire-1: 2 dice where one fits"), "{said}");
    let call = position.call(What::Fire {
        ship: A,
        from: Spot::Fire1,
        target: B,
    });
    assert_eq!(call.verdict, Verdict::Unsure, "{call}");
}

#[test]
fn level_on_both_counts_nobody_is_lowest() {
    let end = r#"flow {"phase":"round_end"}"#;
    let lowest = |a: &str, b: &str| {
        let text = format!("a 1.0 clockwise\n{a}b 1.9 clockwise\n{b}{end}\n");
        read(&text).call(What::NextRound).numbers.lowest
    };
    let dice = |boost, manoeuvre| format!("  boosted {boost}\n  manoeuvred {manoeuvre}\n");
    assert_eq!(lowest(&dice(3, 4), &dice(3, 4)), None);
    assert_eq!(lowest(&dice(3, 4), &dice(4, 3)), None);
    assert_eq!(lowest(&dice(3, 4), &dice(3, 5)), Some(A));
    assert_eq!(lowest(&dice(3, 4), &dice(2, 3)), Some(B));
}

/// Whether the ship is still there depends on a token that was not read: so does all it does.
#[test]
fn an_unread_token_that_may_have_destroyed_a_ship_makes_all_it_does_unsure() {
    let text = "a 1.0 clockwise\n  fire-1: 6\nb 1.4 clockwise\n  boost-1: 2\n  shields mid\n  damage fire-1 fire-2?\n";
    let position = text.parse::<Position>().unwrap();
    for what in [
        What::Boost {
            ship: B,
            from: vec![Spot::Boost1],
        },
        What::Fire {
            ship: A,
            from: Spot::Fire1,
            target: B,
        },
    ] {
        let call = position.call(what);
        assert_eq!(call.verdict, Verdict::Unsure, "{call}");
        assert_eq!(call.unsure_on, [Zone::Damage(B, Spot::Fire2)]);
    }
    assert_eq!(position.outcome(), None);
    let shot = fire(A, Spot::Fire1, B, Heading::Clockwise);
    let at = Zone::Damage(B, Spot::Fire2);
    assert_eq!(refusal(&position, &shot), Reason::Unknown { at });
    // One space that is surely whole is enough to be there.
    let whole = text
        .replace("fire-1 fire-2?", "boost-2 fire-2?")
        .parse::<Position>()
        .unwrap();
    let call = whole.call(What::Boost {
        ship: B,
        from: vec![Spot::Boost1],
    });
    assert_eq!(call.verdict, Verdict::May, "{call}");
}

/// A screen that still stands when the screens are off is told: nothing behind it counts.
#[test]
fn a_screen_that_stands_in_the_action_phase_is_a_problem() {
    let mut state: serde_json::Value = serde_json::from_str(EXAMPLE_STATE).unwrap();
    let told = |state: &serde_json::Value| {
        let json = serde_json::to_vec(state).unwrap();
        let problems = State::from_json(&json).unwrap().judge().problems;
        problems.iter().any(|p| p.fault == Fault::ScreenStands)
    };
    assert!(!told(&state));
    state["setup"]["ships"][0]["screen"] = "up".into();
    assert!(told(&state));
}

/// Where damage goes when its colour has no space left is the copy's answer.
#[test]
fn a_full_colour_takes_damage_anywhere_or_does_not_answer() {
    let answers = |full: &str| {
        let mut state: serde_json::Value = serde_json::from_str(EXAMPLE_STATE).unwrap();
        state["print"] = serde_json::json!({
            "console": { "front": ["fire-1"] },
            "options": { "full_colour": full },
        });
        let ship = &mut state["setup"]["ships"][0];
        ship["damage"] = serde_json::json!(["fire-1"]);
        ship["dice"] = serde_json::json!([]);
        ship["shields"] = serde_json::json!(["front"]);
        let owed = serde_json::json!([{ "answer": { "ship": ship["id"], "side": "front" } }]);
        state["setup"]["flow"]["owed"] = owed;
        let json = serde_json::to_vec(&state).unwrap();
        let actions = State::from_json(&json)
            .unwrap()
            .judge()
            .position
            .legal_actions();
        let is_answer = |a: &&Action| matches!(a, Action::Answer { .. });
        actions.iter().filter(is_answer).count()
    };
    assert!(answers("anywhere") > 1);
    assert_eq!(answers("no-answer"), 0);
}

/// Found with a reviewer's eye: a table with one ship was judged as if nobody else played.
#[test]
fn a_ship_alone_is_a_problem_and_a_lost_opponent_is_none() {
    let problems = |other: &str| {
        let json = format!(
            r#"{{"setup":{{"ships":[{{"id":"b","space":"1.3","heading":"clockwise"}}{other}]}}}}"#
        );
        let judgement = State::from_json(json.as_bytes()).unwrap().judge();
        let alone = judgement
            .problems
            .into_iter()
            .filter(|p| p.fault == Fault::Alone);
        alone.map(|p| p.at).collect::<Vec<_>>()
    };
    assert_eq!(problems(""), [Zone::Ship(ShipId::A)]);
    assert!(problems(r#", {"id":"a","retired":true}"#).is_empty());
}
