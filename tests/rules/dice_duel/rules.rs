//! The rules that no worked case of the book covers, and every option.

// A test that cannot go on should stop at the line that says why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::field_reassign_with_default
)]

use sightline::rules::dice_duel::*;
use sightline::rules::{Because, Explain, Place, Span, Verdict, from_json};

const WHITE: ShipId = ShipId::WHITE;
const BLACK: ShipId = ShipId::BLACK;

fn on(print: &Print, text: &str) -> Position {
    let setup: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    setup.resolve(print).0
}

fn read(text: &str) -> Position {
    on(&Print::default(), text)
}

fn id(name: &str) -> ShipId {
    name.parse().unwrap()
}

fn spot(name: &str) -> Spot {
    name.parse().unwrap()
}

fn act(position: &Position, action: &Action) -> Position {
    match position.clone().play(action) {
        Ok((after, _)) => after,
        Err(refused) => panic!("{action}: {}\n{position}", refused.because),
    }
}

fn refused(position: &Position, action: &Action) -> Reason {
    match position.clone().play(action) {
        Ok(_) => panic!("{action} was accepted\n{position}"),
        Err(refused) => {
            assert_eq!(&refused.position, position, "handed back unchanged");
            let Because(reason) = refused.because;
            reason
        }
    }
}

fn tubes(names: &[&str]) -> Vec<Tube> {
    names.iter().map(|t| t.parse().unwrap()).collect()
}

fn fire_by(ship: ShipId, n: u8, target: ShipId, names: &[&str]) -> Action {
    Action::Fire {
        ship,
        torpedoes: n,
        target: Target::Ship(target),
        tubes: tubes(names),
    }
}

fn fire(n: u8, names: &[&str]) -> Action {
    fire_by(WHITE, n, BLACK, names)
}

fn go() -> Action {
    Action::Move { ship: WHITE }
}

fn launch(position: &Position, torpedoes: u8) -> Call {
    let what = What::Launch {
        ship: WHITE,
        torpedoes,
        target: Target::Ship(BLACK),
    };
    position.call(what).unwrap()
}

fn stands(position: &Position, ship: ShipId) -> String {
    position
        .ship(ship)
        .unwrap()
        .placement()
        .unwrap()
        .to_string()
}

fn loaded(names: &[&str]) -> String {
    names
        .iter()
        .map(|t| {
            format!(
                "  weapons.{t}.nose: NOSE\n  weapons.{t}.body: BODY\n  weapons.{t}.tail: TAIL\n"
            )
        })
        .collect()
}

fn dice(position: &Position, ship: ShipId, at: &str) -> String {
    position.ship(ship).unwrap().dice(spot(at)).to_string()
}

fn helm(a: &str, b: &str, c: &str) -> String {
    format!("  helm.A: {a}\n  helm.B: {b}\n  helm.C: {c}\n")
}

/// An 8-row map from the rows that are not empty, counted from the bottom.
fn map(rows: &[(i16, &str)]) -> String {
    (0..8i16)
        .rev()
        .map(|y| {
            let row = rows.iter().find(|(at, _)| *at == y).map(|(_, r)| *r);
            format!("{}\n", row.unwrap_or(". . . . . . . . . ."))
        })
        .collect()
}

// ---------------------------------------------------------------------------------------------
// Launches

#[test]
fn fire_two_with_one_in_front_and_one_in_the_rear_launches_the_one_that_bears() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L2\nblack [4,4] N\n  sensors.jammer: J1\n",
        loaded(&["front-1", "rear-2"])
    );
    let position = read(&text);
    assert_eq!(
        refused(&position, &fire(2, &["front-1", "rear-2"])),
        Reason::NotThatTube {
            tube: tubes(&["rear-2"])[0]
        }
    );
    let after = act(&position, &fire(2, &["front-1"]));
    assert_eq!(dice(&after, WHITE, "weapons.rear-2.nose"), "NOSE");

    let mut print = Print::default();
    print.options.fire_two_removes_other_side = true;
    let position = on(&print, &text);
    let after = act(&position, &fire(2, &["front-1", "rear-2"]));
    assert_eq!(dice(&after, WHITE, "weapons.rear-2.nose"), "");
}

#[test]
fn at_a_target_abeam_all_that_was_declared_leaves_unless_the_copy_says_one() {
    let text = format!(
        "white [4,4] N\n{}  sensors.lock: L2 L2\nblack [7,4] N\n  sensors.jammer: J2\n",
        loaded(&["front-1", "rear-1"])
    );
    let position = read(&text);
    let call = launch(&position, 2);
    assert_eq!(call.verdict, Verdict::Miss);
    assert!(call.because.contains(&Because(Reason::Abeam)));
    assert!(
        call.leaves.iter().all(|l| l.from.ship() == Some(WHITE)),
        "{call:?}"
    );
    let after = act(&position, &fire(2, &["front-1", "rear-1"]));
    assert_eq!(dice(&after, WHITE, "sensors.lock"), "");
    assert_eq!(dice(&after, BLACK, "sensors.jammer"), "J2");

    let mut print = Print::default();
    print.options.side_shot_removes_all_declared = false;
    let position = on(&print, &text);
    refused(&position, &fire(2, &["front-1", "rear-1"]));
    act(&position, &fire(2, &["rear-1"]));
}

#[test]
fn where_more_are_loaded_than_leave_the_players_choose() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L1\nblack [4,3] N\n",
        loaded(&["front-1", "front-2"])
    );
    let position = read(&text);
    let call = launch(&position, 1);
    let choice = Choice::Tubes {
        leave: 1,
        of: tubes(&["front-1", "front-2"]),
    };
    assert_eq!(call.choices, [choice]);
    assert_eq!(
        refused(&position, &fire(1, &[])),
        Reason::SayTubes { leave: 1 }
    );
    assert_eq!(
        refused(&position, &fire(1, &["front-1", "front-2"])),
        Reason::SayTubes { leave: 1 }
    );
    let after = act(&position, &fire(1, &["front-2"]));
    assert_eq!(dice(&after, WHITE, "weapons.front-1.body"), "BODY");
    assert_eq!(dice(&after, WHITE, "weapons.front-2.body"), "");
}

#[test]
fn a_miss_in_the_arc_takes_the_jammers_and_leaves_the_shields() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L1\nblack [4,4] N\n  sensors.jammer: J2\n  sensors.lock: L2\n  shields.3: S3\n",
        loaded(&["front-1"])
    );
    let position = read(&text);
    let call = launch(&position, 1);
    assert_eq!(call.verdict, Verdict::Miss);
    let from: Vec<String> = call.leaves.iter().map(|l| l.from.to_string()).collect();
    assert_eq!(
        from,
        [
            "white.weapons.front-1.nose",
            "white.weapons.front-1.body",
            "white.weapons.front-1.tail",
            "white.sensors.lock",
            "black.sensors.jammer",
        ]
    );
    let after = act(&position, &fire(1, &["front-1"]));
    assert_eq!(dice(&after, BLACK, "sensors.jammer"), "");
    assert_eq!(dice(&after, BLACK, "sensors.lock"), "L2");
    assert_eq!(dice(&after, BLACK, "shields.3"), "S3");
}

#[test]
fn what_a_call_says_leaves_is_what_leaves() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L2\nblack [5,3] S\n  shields.2: S2 S2 S2\nused 1\n",
        loaded(&["front-1"])
    );
    let position = read(&text);
    let call = launch(&position, 1);
    assert_eq!(call.verdict, Verdict::Hit, "{}", call.explain());
    let after = act(&position, &fire(1, &["front-1"]));
    for leaving in &call.leaves {
        if let Zone::On(ship, spot) = leaving.from {
            assert!(
                after.ship(ship).unwrap().dice(spot).is_empty(),
                "{}",
                leaving.from
            );
        }
    }
    assert_eq!(after.flow().owed, [], "three dice stop every torpedo");
    let stronger = Reason::Stronger {
        sector: Sector::Right,
        other: Sector::Front,
    };
    assert!(call.because.contains(&Because(stronger)));
    assert!(
        call.because
            .contains(&Because(Reason::StopsAll { dice: 3 }))
    );
    assert_eq!(call.numbers.odds.unwrap().damage.to_string(), "0");
    // What was used comes back after this launch, and not before play goes on.
    assert_eq!(refused(&after, &Action::Resume), Reason::NotFinished);
    let after = act(&after, &Action::ReturnCrystal { number: 3 });
    let there = after.print().crystal_square(3).unwrap();
    assert_eq!(after.board().cell(there).crystals.value(), Some(1));
    act(&after, &Action::Resume);
}

#[test]
fn on_a_tied_diagonal_the_defender_chooses_and_then_the_dice_are_rolled() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2\nblack [6,4] S\n  engineering.pool: 1 2\n  shields.1: S1\n  shields.2: S2\n",
        loaded(&["front-1", "front-2"])
    );
    let position = read(&text);
    let after = act(&position, &fire(2, &["front-1", "front-2"]));
    let blast = Action::Blast {
        symbol: Symbol::Blast1,
    };
    assert_eq!(refused(&after, &blast), Reason::NotAsked);
    let wrong = Action::ChooseSector {
        sector: Sector::Back,
    };
    assert_eq!(
        refused(&after, &wrong),
        Reason::NotThatSector {
            sector: Sector::Back
        }
    );
    let after = act(
        &after,
        &Action::ChooseSector {
            sector: Sector::Right,
        },
    );
    assert_eq!(
        dice(&after, BLACK, "shields.2"),
        "S2",
        "until the rolls are made"
    );
    let none = Action::Blast {
        symbol: Symbol::Nose,
    };
    let other = Action::Blast {
        symbol: Symbol::NoseBlast1,
    };
    assert_eq!(
        refused(&after, &other),
        Reason::NoSuchFace {
            symbol: Symbol::NoseBlast1
        }
    );
    let after = act(&act(&after, &none), &blast);
    assert_eq!(after.flow().owed, [Owed::Damage { ship: BLACK }]);
    assert_eq!(dice(&after, BLACK, "shields.2"), "");
    assert_eq!(dice(&after, BLACK, "shields.1"), "S1");
    assert!(matches!(
        refused(&after, &Action::Resume),
        Reason::First { .. }
    ));
    let pay = Action::Damage {
        ship: BLACK,
        from: Some(Spot::Pool),
    };
    let after = act(&act(&after, &pay), &Action::Resume);
    assert_eq!(after.flow(), &Flow::default());
    assert_eq!(dice(&after, BLACK, "engineering.pool"), "2");
}

#[test]
fn a_diagonal_is_in_the_arc_unless_the_copy_says_not() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2\nblack [6,4] S\n",
        loaded(&["front-1"])
    );
    assert_eq!(launch(&read(&text), 1).verdict, Verdict::Hit);
    let mut print = Print::default();
    print.options.arc = ArcEdge::QuadrantExclusive;
    let position = on(&print, &text);
    assert_eq!(launch(&position, 1).verdict, Verdict::Miss);
    assert_eq!(
        position.missing(WHITE, Side::Front, BLACK),
        [Missing::OffDiagonal]
    );
}

#[test]
fn nothing_loaded_cannot_be_fired_and_a_third_torpedo_is_never_declared() {
    let position =
        read("white [4,2] N\n  sensors.lock: L2\n  weapons.front-1.nose: NOSE\nblack [4,3] S\n");
    assert_eq!(refused(&position, &fire(1, &[])), Reason::NothingLoaded);
    assert_eq!(launch(&position, 1).verdict, Verdict::Cannot);
    assert_eq!(
        refused(&position, &fire(3, &[])),
        Reason::OneOrTwo { declared: 3 }
    );
}

#[test]
fn a_torpedo_takes_a_mine_away_but_not_one_under_the_ship() {
    let at = |y: i16| {
        format!(
            "{}white [0,0] N\n{}  sensors.lock: L2\nblack [9,7] S\n  sensors.jammer: J2\n",
            map(&[(y, ".* . . . . . . . . .")]),
            loaded(&["front-1"])
        )
    };
    let mine = |y| Action::Fire {
        ship: WHITE,
        torpedoes: 1,
        target: Target::Mine(Square::new(0, y)),
        tubes: tubes(&["front-1"]),
    };
    let after = act(&read(&at(2)), &mine(2));
    assert_eq!(after.board().cell(Square::new(0, 2)).mines, Span::known(0));
    assert_eq!(dice(&after, BLACK, "sensors.jammer"), "J2");
    let after = act(&read(&at(3)), &mine(3));
    assert_eq!(
        after.board().cell(Square::new(0, 3)).mines,
        Span::known(1),
        "out of lock: a miss"
    );
    assert_eq!(
        refused(&read(&at(0)), &mine(0)),
        Reason::OwnSquare {
            square: Square::new(0, 0)
        }
    );
    assert_eq!(
        refused(&read(&at(0)), &mine(1)),
        Reason::NoMine {
            square: Square::new(0, 1)
        }
    );
}

#[test]
fn the_fourth_damage_destroys_and_ends_the_game() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L1\nblack [4,3] N\n  damage 2 dice 1 crystals\n  helm.energy: 5\n",
        loaded(&["front-1", "front-2"])
    );
    let position = read(&text);
    let call = launch(&position, 1);
    assert_eq!(call.numbers.odds.unwrap().destruction.to_string(), "1");
    let after = act(&position, &fire(2, &["front-1", "front-2"]));
    assert_eq!(after.flow().owed.len(), 1, "no more than the ship has left");
    let from = |s| Action::Damage {
        ship: BLACK,
        from: s,
    };
    assert_eq!(
        refused(&after, &from(Some(Spot::Pool))),
        Reason::NoEnergyDie
    );
    let after = act(&after, &from(Some(spot("helm.energy"))));
    assert_eq!(after.winner(), Some(WHITE));
    let after = act(&after, &Action::Resume);
    assert_eq!(
        refused(
            &after,
            &Action::Route {
                ship: WHITE,
                number: 1
            }
        ),
        Reason::Over { winner: WHITE }
    );
}

// ---------------------------------------------------------------------------------------------
// Moving

#[test]
fn a_move_that_ends_on_a_ship_pushes_it_and_one_that_passes_does_not() {
    let text = |c: &str| format!("white [4,2] N\n{}black [4,4] E\n", helm("F1", "F1", c));
    let after = act(&read(&text("F1")), &go());
    assert_eq!(stands(&after, WHITE), "[4,5] N");
    assert_eq!(stands(&after, BLACK), "[4,4] E");

    let mut print = Print::default();
    let position = on(
        &print,
        &format!("white [4,2] N\n{}black [4,5] E\n", helm("F1", "F1", "FR")),
    );
    let after = act(&position, &go());
    assert_eq!(stands(&after, WHITE), "[4,5] E in the S half");
    assert_eq!(stands(&after, BLACK), "[4,5] E in the N half");

    // When one leaves, the other has the square to itself; a copy may play otherwise.
    let leave = |position: &Position| {
        let told = ["A", "B", "C"]
            .into_iter()
            .fold(position.clone(), |p, slot| {
                let spot = spot(&format!("helm.{slot}"));
                let dice = vec![Faces::one(Symbol::Forward1)];
                act(
                    &p,
                    &Action::Correct(Correction::Dice {
                        ship: WHITE,
                        spot,
                        dice,
                    }),
                )
            });
        act(&told, &go())
    };
    assert_eq!(stands(&leave(&after), BLACK), "[4,5] E");
    print.options.half_is_kept = true;
    let kept = on(&print, &after.to_string());
    assert_eq!(stands(&leave(&kept), BLACK), "[4,5] E in the N half");
}

#[test]
fn a_ship_that_cannot_move_at_all_stays_in_its_half() {
    let text = format!(
        "white [0,7] N half S\n{}black [0,7] S half N\n",
        helm("F1", "F2", "FU")
    );
    let after = act(&read(&text), &go());
    assert_eq!(stands(&after, WHITE), "[0,7] S in the S half");
    assert_eq!(stands(&after, BLACK), "[0,7] S in the N half");
}

#[test]
fn forward_two_at_the_edge_stays_or_clips() {
    let text = format!("white [4,6] N\n{}black [9,0] S\n", helm("F2", "FR", "F1"));
    let call = read(&text).call(What::Helm { ship: WHITE }).unwrap();
    assert_eq!(call.numbers.path, [Square::new(4, 7), Square::new(5, 7)]);
    let mut print = Print::default();
    print.options.edge_forward_two = EdgeMove::Clip;
    let call = on(&print, &text).call(What::Helm { ship: WHITE }).unwrap();
    assert_eq!(call.numbers.path, [Square::new(4, 7), Square::new(5, 7)]);
    // The same squares, but by other dice: F2 clips to the edge, FR only turns.
    let end = |print: &Print| stands(&act(&on(print, &text.replace("F1", "FU")), &go()), WHITE);
    assert_eq!(end(&Print::default()), "[5,7] W");
    assert_eq!(end(&print), "[5,7] W");
    let short = text
        .replace("helm.B: FR", "helm.B: F2")
        .replace("helm.C: F1", "helm.C: FR");
    assert_eq!(stands(&act(&read(&short), &go()), WHITE), "[4,7] E");
    let far = short
        .replace("[4,6]", "[4,5]")
        .replace("helm.A: F2", "helm.A: F1");
    assert_eq!(stands(&act(&read(&far), &go()), WHITE), "[4,7] E");
    assert_eq!(stands(&act(&on(&print, &far), &go()), WHITE), "[4,7] E");
    let two = "white [4,6] N\n  helm.A: FU\n  helm.B: FU\n  helm.C: F2\nblack [9,0] S\n";
    assert_eq!(stands(&act(&read(two), &go()), WHITE), "[4,6] N");
    assert_eq!(stands(&act(&on(&print, two), &go()), WHITE), "[4,7] N");
}

#[test]
fn obstacles_on_every_square_add_up_and_the_officer_chooses() {
    let rows = map(&[
        (1, "A . . . . . . . . ."),
        (2, "N . . . . . . . . ."),
        (3, "A . . . . . . . . ."),
    ]);
    let text = format!(
        "{rows}white [0,0] N\n{}  shields.1: S1 S1\n  shields.2: S2\n  sensors.lock: L1 L2\n  sensors.jammer: J2\nblack [9,7] S\n",
        helm("F2", "F1", "F1")
    );
    let position = read(&text);
    let call = position.call(What::Helm { ship: WHITE }).unwrap();
    assert_eq!(call.verdict, Verdict::Must);
    assert_eq!(
        call.choices,
        [Choice::Discard {
            by: WHITE,
            station: Station::Sensors,
            dice: 2
        }]
    );
    let after = act(&position, &go());
    for sector in ["shields.1", "shields.2"] {
        assert_eq!(
            dice(&after, WHITE, sector),
            "",
            "two obstacles take four, so all"
        );
    }
    let owed = Owed::Discard {
        ship: WHITE,
        station: Station::Sensors,
        dice: 2,
    };
    assert_eq!(after.flow().owed, [owed]);
    assert_eq!(
        refused(
            &after,
            &Action::Route {
                ship: WHITE,
                number: 1
            }
        ),
        Reason::First { owed }
    );
    act(
        &after,
        &Action::Route {
            ship: BLACK,
            number: 1,
        },
    );
    let lose = |at: &str, symbol| Action::Discard {
        ship: WHITE,
        spot: spot(at),
        symbol,
    };
    assert_eq!(
        refused(&after, &lose("shields.1", Symbol::Shield1)),
        Reason::NotAsked
    );
    let after = act(&after, &lose("sensors.lock", Symbol::Lock1));
    let after = act(&after, &lose("sensors.jammer", Symbol::Jammer2));
    assert_eq!(after.flow().owed, []);
    assert_eq!(dice(&after, WHITE, "sensors.lock"), "L2");
}

#[test]
fn a_wormhole_carries_on_and_what_lies_at_both_ends_acts() {
    let rows = map(&[(1, "W* . . . . . . . . ."), (6, ". . . . . . . W* . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}  engineering.pool: 1 2 3\nblack [7,7] E\n",
        helm("F1", "F1", "FR")
    );
    let position = read(&text);
    let after = act(&position, &go());
    // Into the occupied square it comes as it travels: from the south.
    assert_eq!(
        stands(&after, WHITE),
        "[7,7] E in the S half",
        "through the hole, north, and off the edge: no step"
    );
    assert_eq!(after.flow().owed.len(), 2);
    let mut print = Print::default();
    print.options.wormhole_entry_acts = false;
    let after = act(&on(&print, &text), &go());
    assert_eq!(after.flow().owed.len(), 1);
    assert_eq!(after.board().cell(Square::new(0, 1)).mines, Span::known(1));
}

#[test]
fn through_a_wormhole_into_a_ship_it_comes_in_by_its_direction_of_travel() {
    let rows = map(&[(3, "W . . . . . . . . ."), (6, ". . . . . . . W . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}black [7,6] E\n",
        helm("F1", "F1", "F1")
    );
    let after = act(&read(&text), &go());
    assert_eq!(stands(&after, WHITE), "[7,6] N in the S half");
    assert_eq!(stands(&after, BLACK), "[7,6] E in the N half");
}

#[test]
fn a_mine_that_destroys_stops_the_ship_where_it_is() {
    let rows = map(&[(1, ".* . . . . . . . . ."), (2, "A* . . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}  damage 3\n  engineering.pool: 1 2 3\n  shields.1: S1\nblack [9,7] S\n",
        helm("F2", "F1", "F1")
    );
    let after = act(&read(&text), &go());
    assert_eq!(after.flow().owed, [Owed::Damage { ship: WHITE }]);
    assert_eq!(after.board().cell(Square::new(0, 2)).mines, Span::known(1));
    assert_eq!(dice(&after, WHITE, "shields.1"), "S1");
    let after = act(
        &after,
        &Action::Damage {
            ship: WHITE,
            from: Some(Spot::Pool),
        },
    );
    assert_eq!(after.winner(), Some(BLACK));
}

#[test]
fn original_tiles_rifts_and_gravity() {
    let mut print = Print::default();
    print.options.original_tiles = true;
    // Against gravity with A: C is not carried out.
    let rows = map(&[(1, "v . . . . . . . . ."), (2, "^ . . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}black [9,7] S\n",
        helm("F1", "F1", "FR")
    );
    let position = on(&print, &text);
    let call = position.call(What::Helm { ship: WHITE }).unwrap();
    assert!(call.because.contains(&Because(Reason::GravityStops)));
    let after = act(&position, &go());
    assert_eq!(
        stands(&after, WHITE),
        "[0,2] N",
        "C neither moves nor turns"
    );
    assert_eq!(
        dice(&after, WHITE, "helm.energy"),
        "F1",
        "with gravity once: one die is kept"
    );
    let saved = Action::PlaceSaved {
        ship: WHITE,
        slot: HelmSlot::B,
        symbol: Symbol::ForwardAround,
    };
    let after = act(&after, &saved);
    assert_eq!(dice(&after, WHITE, "helm.B"), "FU");
    assert_eq!(
        refused(&after, &saved),
        Reason::SlotFull {
            spot: spot("helm.B")
        }
    );

    // With B it is the same.
    let rows = map(&[(2, "v . . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}black [9,7] S\n",
        helm("F1", "F1", "FR")
    );
    assert_eq!(stands(&act(&on(&print, &text), &go()), WHITE), "[0,2] N");

    // Against gravity with C only: nothing.
    let rows = map(&[(3, "v . . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}black [9,7] S\n",
        helm("F1", "F1", "FR")
    );
    assert_eq!(stands(&act(&on(&print, &text), &go()), WHITE), "[0,3] E");

    // A rift takes all shields, and no torpedo passes it.
    let rows = map(&[(1, "R . . . . . . . . .")]);
    let ships = format!(
        "white [0,0] N\n{}{}  sensors.lock: L2 L2\n  shields.1: S1 S1\n  shields.3: S3\nblack [0,2] S\n",
        helm("F1", "F1", "FR"),
        loaded(&["front-1"])
    );
    let position = on(&print, &format!("{rows}{ships}"));
    let call = launch(&position, 1);
    assert_eq!(call.verdict, Verdict::Miss);
    assert!(call.because.contains(&Because(Reason::RiftBetween)));
    assert_eq!(
        position.missing(WHITE, Side::Front, BLACK),
        [Missing::ClearLine]
    );
    let after = act(&position, &go());
    assert_eq!(dice(&after, WHITE, "shields.1"), "");
    assert_eq!(dice(&after, WHITE, "shields.3"), "");

    // From its own square: as facts.md says it blocks, and a copy may say not.
    let rows = map(&[(0, "R . . . . . . . . .")]);
    let text = format!("{rows}{ships}");
    assert_eq!(launch(&on(&print, &text), 1).verdict, Verdict::Miss);
    print.options.rift_blocks_at_its_own_square = false;
    assert_eq!(launch(&on(&print, &text), 1).verdict, Verdict::Hit);
}

// ---------------------------------------------------------------------------------------------
// Tractor beams, mines, crystals

#[test]
fn a_ship_pushed_diagonally_onto_another_chooses_its_side() {
    let text = "white [4,4] N\n  tractor.beam: T2 T2\nblack [3,3] E\n";
    let position = read(text);
    let push = |enter_by| Action::Tractor {
        ship: WHITE,
        target: BLACK,
        to: Square::new(4, 4),
        enter_by,
    };
    assert_eq!(
        refused(&position, &push(None)),
        Reason::SayEntry { needed: true }
    );
    assert_eq!(
        refused(&position, &push(Some(Facing::N))),
        Reason::SayEntry { needed: true }
    );
    let after = act(&position, &push(Some(Facing::W)));
    assert_eq!(stands(&after, BLACK), "[4,4] E in the W half");
    assert_eq!(stands(&after, WHITE), "[4,4] N in the E half");
    assert_eq!(dice(&after, WHITE, "tractor.beam"), "");
    assert_eq!(after.flow().stop.map(|c| c.freeze), Some(Freeze::Tractor));
    let straight = read("white [4,4] N\n  tractor.beam: T2\nblack [4,3] E\n");
    assert_eq!(
        refused(&straight, &push(Some(Facing::S))),
        Reason::SayEntry { needed: false }
    );
    assert_eq!(
        stands(&act(&straight, &push(None)), BLACK),
        "[4,4] E in the S half"
    );
}

#[test]
fn a_push_ends_on_the_map_beside_the_ship_or_beyond_a_wormhole() {
    let rows = map(&[(1, ". W . . . . . . . ."), (6, ". . . . . . . W . .")]);
    let position = read(&format!(
        "{rows}white [0,1] N\n  tractor.beam: T2\nblack [0,0] E\n"
    ));
    let push = |x, y| Action::Tractor {
        ship: WHITE,
        target: BLACK,
        to: Square::new(x, y),
        enter_by: None,
    };
    assert_eq!(
        refused(&position, &push(-1, 0)),
        Reason::PushOffMap {
            square: Square::new(-1, 0)
        }
    );
    assert_eq!(
        refused(&position, &push(2, 0)),
        Reason::NotAdjacent {
            square: Square::new(2, 0)
        }
    );
    assert_eq!(
        refused(&position, &push(0, 0)),
        Reason::NotAdjacent {
            square: Square::new(0, 0)
        }
    );
    assert_eq!(stands(&act(&position, &push(1, 1)), BLACK), "[7,6] E");
    let own = Action::Tractor {
        ship: WHITE,
        target: WHITE,
        to: Square::new(0, 2),
        enter_by: None,
    };
    assert_eq!(refused(&position, &own), Reason::NotItself);
}

#[test]
fn a_beam_too_weak_leaves_its_dice_unless_the_copy_says_not() {
    let text = "white [0,0] N\n  tractor.beam: T2\n  tractor.mine-A: MINE_A\nblack [3,3] E\n";
    let push = Action::Tractor {
        ship: WHITE,
        target: BLACK,
        to: Square::new(3, 4),
        enter_by: None,
    };
    assert!(matches!(
        refused(&read(text), &push),
        Reason::Strength { .. }
    ));
    let call = read(text)
        .call(What::Tractor {
            ship: WHITE,
            target: BLACK,
        })
        .unwrap();
    assert_eq!(call.missing, [Missing::Strength(Span::known(10))]);
    let mut print = Print::default();
    print.options.failed_tractor_removes_dice = true;
    let after = act(&on(&print, text), &push);
    assert_eq!(dice(&after, WHITE, "tractor.beam"), "");
    assert_eq!(dice(&after, WHITE, "tractor.mine-A"), "");
    assert_eq!(stands(&after, BLACK), "[3,3] E");
}

#[test]
fn a_mine_laid_under_two_ships_goes_off_when_one_comes_back() {
    let text = "white [4,4] N\n  tractor.mine-B: MINE_AB\n  tractor.beam: T2\nblack [9,9] E\n"
        .replace("[9,9]", "[4,6]");
    let position = read(&text);
    let lay = Action::ReleaseMine { ship: WHITE };
    let after = act(&position, &lay);
    assert_eq!(after.ship(WHITE).unwrap().mines(), Span::known(1));
    assert_eq!(refused(&after, &lay), Reason::NotArmed);
    let none = act(
        &position,
        &Action::Correct(Correction::Mines {
            ship: WHITE,
            count: Span::known(0),
        }),
    );
    assert_eq!(refused(&none, &lay), Reason::NoMineLeft);
    let call = after.call(What::Mine { ship: WHITE }).unwrap();
    assert_eq!(call.missing, [Missing::ArmedMine]);
}

#[test]
fn a_jump_enters_its_square_and_may_join_a_friend() {
    let rows = map(&[(6, ". A . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] E\n  crystals 1\n  shields.1: S1\nblack [9,7] S\nwhite-2 [4,4] N\n  team white\n"
    );
    let position = act(&read(&text), &Action::Warp { ship: WHITE });
    let to = |number, enter_by| Action::WarpTo { number, enter_by };
    assert_eq!(refused(&position, &to(1, None)), Reason::NotAsked);
    assert_eq!(
        refused(&position, &Action::WarpRoll { numbers: [0, 3] }),
        Reason::NotThatNumber { number: 0 }
    );
    let rolled = act(&position, &Action::WarpRoll { numbers: [1, 2] });
    assert!(matches!(
        refused(&rolled, &Action::WarpAgain),
        Reason::Crystals { .. }
    ));
    let after = act(&rolled, &to(1, None));
    assert_eq!(stands(&after, WHITE), "[1,6] E");
    assert_eq!(
        dice(&after, WHITE, "shields.1"),
        "",
        "it entered the asteroids"
    );
    assert_eq!(after.used_crystals(), Span::known(1));
    assert_eq!(
        refused(&rolled, &to(2, None)),
        Reason::SayEntry { needed: true }
    );
    let after = act(&rolled, &to(2, Some(Facing::E)));
    assert_eq!(stands(&after, WHITE), "[4,4] E in the E half");
    assert_eq!(stands(&after, id("white-2")), "[4,4] N in the W half");
    let mut print = Print::default();
    print.options.warp_arrival_enters = false;
    let position = act(&on(&print, &text), &Action::Warp { ship: WHITE });
    let after = act(
        &act(&position, &Action::WarpRoll { numbers: [1, 1] }),
        &to(1, None),
    );
    assert_eq!(dice(&after, WHITE, "shields.1"), "S1");
}

#[test]
fn a_surge_needs_two_crystals_and_a_damage_die() {
    let surge = Action::Surge { ship: WHITE };
    let one = read("white [0,0] N\n  crystals 1\n  damage 1\nblack [9,7] S\n");
    assert_eq!(
        refused(&one, &surge),
        Reason::Crystals {
            have: Span::known(1),
            price: 2
        }
    );
    let none = read("white [0,0] N\n  crystals 2\n  damage 0 dice 1 crystals\nblack [9,7] S\n");
    assert_eq!(refused(&none, &surge), Reason::NoDamageDie);
    let call = none.call(What::Surge { ship: WHITE }).unwrap();
    assert_eq!(call.missing, [Missing::DamageDie]);
}

#[test]
fn an_override_needs_no_energy_but_a_die_and_a_place() {
    let put = |at: &str, symbol| Action::Override {
        ship: WHITE,
        spot: spot(at),
        symbol,
    };
    let position =
        read("white [0,0] N\n  crystals 1\n  shields.1: S1 S1 S1\n  helm.A: F1\nblack [9,7] S\n");
    let no_die = Reason::NoDieFree {
        station: Station::Shields,
    };
    assert_eq!(
        refused(&position, &put("shields.2", Symbol::Shield2)),
        no_die
    );
    assert_eq!(
        refused(&position, &put("helm.A", Symbol::Forward2)),
        Reason::SlotFull {
            spot: spot("helm.A")
        }
    );
    let wrong = Reason::MayNotLie {
        symbol: Symbol::Jammer1,
        spot: spot("sensors.lock"),
    };
    assert_eq!(
        refused(&position, &put("sensors.lock", Symbol::Jammer1)),
        wrong
    );
    let exp = Reason::MayNotLie {
        symbol: Symbol::Expansion,
        spot: spot("sensors.lock"),
    };
    assert_eq!(
        refused(&position, &put("sensors.lock", Symbol::Expansion)),
        exp
    );
    let after = act(&position, &put("sensors.lock", Symbol::Lock2));
    assert_eq!(dice(&after, WHITE, "sensors.lock"), "L2");
}

// ---------------------------------------------------------------------------------------------
// Energy

#[test]
fn a_die_is_placed_for_an_energy_die_which_goes_back() {
    let position = read("white [0,0] N\n  engineering.pool: 2 6\nblack [9,7] S\n");
    let route = |number| Action::Route {
        ship: WHITE,
        number,
    };
    let place = Action::Place {
        ship: WHITE,
        spot: spot("sensors.lock"),
        symbol: Symbol::Lock1,
    };
    assert_eq!(
        refused(&position, &route(6)),
        Reason::EnergyPowersNothing { number: 6 }
    );
    assert_eq!(
        refused(&position, &route(0)),
        Reason::EnergyPowersNothing { number: 0 }
    );
    assert_eq!(
        refused(&position, &place),
        Reason::NoEnergyAt {
            station: Station::Sensors
        }
    );
    let after = act(&position, &route(2));
    assert_eq!(
        dice(&after, WHITE, "engineering.pool"),
        "6",
        "the die that shows it goes"
    );
    assert_eq!(dice(&after, WHITE, "sensors.energy"), "2");
    let after = act(&after, &place);
    assert_eq!(dice(&after, WHITE, "engineering.pool"), "2 6");
    let take = Action::Take {
        ship: WHITE,
        spot: spot("sensors.lock"),
        symbol: Symbol::Lock1,
    };
    let after = act(&after, &take);
    assert_eq!(
        refused(&after, &place),
        Reason::NoEnergyAt {
            station: Station::Sensors
        }
    );
    assert_eq!(
        refused(&after, &take),
        Reason::NoSuchDie {
            symbol: Symbol::Lock1,
            spot: spot("sensors.lock")
        }
    );
}

// ---------------------------------------------------------------------------------------------
// Freezes, moving, sides

#[test]
fn while_the_play_is_stopped_nothing_else_goes_on() {
    let ships = format!(
        "white [4,2] N\n{0}  sensors.lock: L2\n  crystals 1\n  tractor.mine-A: MINE_A\n  engineering.pool: 1\nblack [4,4] S\n{0}  sensors.lock: L2\n  tractor.beam: T2 T2\n",
        loaded(&["front-1"])
    );
    let position = read(&ships);
    let claim = |ship, freeze| Action::Claim { ship, freeze };
    assert_eq!(
        refused(&position, &claim(BLACK, Freeze::Fire)),
        Reason::NotStopped
    );
    let stopped = act(&position, &fire(1, &["front-1"]));
    let by = Reason::Stopped {
        by: WHITE,
        freeze: Freeze::Fire,
    };
    for action in [
        Action::Route {
            ship: WHITE,
            number: 1,
        },
        Action::ReleaseMine { ship: WHITE },
        Action::Surge { ship: WHITE },
        fire_by(BLACK, 1, WHITE, &["front-1"]),
        Action::Warp { ship: WHITE },
    ] {
        assert_eq!(refused(&stopped, &action), by, "{action}");
    }
    assert_eq!(
        refused(&stopped, &claim(WHITE, Freeze::Warp)),
        Reason::NotOpponent { of: WHITE }
    );
    let claimed = act(&stopped, &claim(BLACK, Freeze::Tractor));
    let taken = Reason::Claimed {
        by: BLACK,
        freeze: Freeze::Tractor,
    };
    assert_eq!(refused(&claimed, &claim(BLACK, Freeze::Fire)), taken);
    let owed = Action::Damage {
        ship: BLACK,
        from: None,
    };
    let free = act(&act(&claimed, &owed), &Action::Resume);
    assert_eq!(refused(&free, &Action::Warp { ship: WHITE }), taken);
    assert_eq!(
        refused(&free, &fire_by(BLACK, 1, WHITE, &["front-1"])),
        taken
    );
    assert_eq!(
        refused(
            &free,
            &Action::Route {
                ship: WHITE,
                number: 1
            }
        ),
        taken
    );
    assert_eq!(launch(&free, 1).verdict, Verdict::Cannot);
    let push = Action::Tractor {
        ship: BLACK,
        target: WHITE,
        to: Square::new(3, 2),
        enter_by: None,
    };
    let after = act(&free, &push);
    assert_eq!(after.flow().next, None);
    let waived = act(&free, &Action::Waive);
    act(&waived, &Action::Warp { ship: WHITE });
}

#[test]
fn while_a_ship_is_moved_by_hand_some_things_wait() {
    let text = format!(
        "white [4,2] N\n{0}  sensors.lock: L2\n  tractor.mine-A: MINE_A\n  tractor.beam: T2 T2\nblack [4,4] S\n{0}{1}  tractor.beam: T2 T2\n  sensors.lock: L2\n",
        loaded(&["front-1"]),
        helm("F1", "F1", "FR")
    );
    let position = act(&read(&text), &Action::StartMove { ship: BLACK });
    let moving = Reason::Moving { ship: BLACK };
    assert_eq!(refused(&position, &fire(1, &["front-1"])), moving);
    let push = |ship, target, to| Action::Tractor {
        ship,
        target,
        to,
        enter_by: None,
    };
    assert_eq!(
        refused(&position, &push(WHITE, BLACK, Square::new(4, 5))),
        moving
    );
    assert_eq!(
        refused(&position, &push(BLACK, WHITE, Square::new(4, 1))),
        moving
    );
    assert_eq!(
        refused(&position, &Action::ReleaseMine { ship: WHITE }),
        moving
    );
    assert!(
        position.is_legal(&fire_by(BLACK, 1, WHITE, &["front-1"])),
        "only enemies have to wait"
    );
    let after = act(&position, &Action::Move { ship: BLACK });
    assert!(after.flow().moving.is_empty());
    let early = read(&text.replace("helm.C: FR", "helm.A: "));
    assert!(matches!(
        refused(&early, &Action::StartMove { ship: BLACK }),
        Reason::HelmWaits { empty: 1 }
    ));
}

#[test]
fn friends_may_be_towed_and_not_shot() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2\n  tractor.beam: T2\nwhite-2 [4,3] N\n  team white\nblack [4,4] S\nblack-2 [4,5] S\n  team black\n",
        loaded(&["front-1"])
    );
    let position = read(&text);
    let friend = id("white-2");
    assert_eq!(
        refused(&position, &fire_by(WHITE, 1, friend, &["front-1"])),
        Reason::Friendly { ship: friend }
    );
    act(&position, &fire_by(WHITE, 1, id("black-2"), &["front-1"]));
    let push = Action::Tractor {
        ship: WHITE,
        target: friend,
        to: Square::new(5, 3),
        enter_by: None,
    };
    act(&position, &push);
    let targets: Vec<String> = position
        .calls()
        .iter()
        .filter(|c| {
            matches!(
                c.what,
                What::Launch {
                    ship: WHITE,
                    torpedoes: 1,
                    ..
                }
            )
        })
        .map(|c| c.what.to_string())
        .collect();
    assert_eq!(
        targets,
        ["white: fire 1 at black", "white: fire 1 at black-2"]
    );
}

#[test]
fn every_lineup_starts_without_a_problem() {
    let print = Print::default();
    assert_eq!(print.check("print"), Ok(()));
    for (lineup, ships) in [
        (Lineup::Duel, 2),
        (Lineup::TwoASide, 4),
        (Lineup::FreeForAll, 4),
    ] {
        let setup = Setup::start(&print, lineup);
        assert_eq!(setup.check(&print, "setup"), Ok(()));
        let (position, problems) = setup.resolve(&print);
        assert_eq!(problems, []);
        assert_eq!(position.ships().len(), ships);
        assert!(position.is_legal(&Action::Route {
            ship: WHITE,
            number: 1
        }));
        for ship in position.ships() {
            let Place::Known(square) = ship.square() else {
                panic!("{lineup:?}")
            };
            match lineup {
                Lineup::FreeForAll => {
                    assert!(
                        [0, 9].contains(&square.x) && [0, 7].contains(&square.y),
                        "{square}"
                    );
                }
                // The second ship is beside the first, in its row.
                _ => assert!([0, 7].contains(&square.y)),
            }
        }
    }
    let [a, b] = [
        print.board.starts.clone(),
        print.board.second_starts.clone(),
    ];
    for (first, second) in a.iter().zip(&b) {
        assert_eq!(first.square.vector_to(second.square).1, 0);
        assert_eq!(first.square.vector_to(second.square).0.abs(), 1);
    }
}

// ---------------------------------------------------------------------------------------------
// Words

#[test]
fn what_is_missing_is_said_for_every_side_of_tubes() {
    let text = "white [4,4] N\n  weapons.front-1.nose: NOSE\n  weapons.front-1.tail: TAIL\n  weapons.rear-2.body: BODY\n  sensors.lock: L2\nblack [7,4] N\n  sensors.jammer: J1\n";
    let position = read(text);
    let said = |side| -> Vec<String> {
        position
            .missing(WHITE, side, BLACK)
            .iter()
            .map(|m| m.to_string())
            .collect()
    };
    assert_eq!(
        said(Side::Front),
        [
            "one body die in front-1",
            "turn right: front arc",
            "2 more lock"
        ]
    );
    assert_eq!(
        said(Side::Rear),
        [
            "one nose die in rear-2",
            "one tail die in rear-2",
            "turn left: rear arc",
            "2 more lock"
        ]
    );
    let behind = read(&text.replace("[7,4]", "[4,1]"));
    let said: Vec<String> = behind
        .missing(WHITE, Side::Front, BLACK)
        .iter()
        .map(|m| m.to_string())
        .collect();
    assert_eq!(
        said,
        [
            "one body die in front-1",
            "turn around: front arc",
            "2 more lock"
        ]
    );
    let ready = read(&format!(
        "white [4,4] N\n{}  sensors.lock: L1\nblack [4,5] N\n",
        loaded(&["front-2"])
    ));
    assert!(ready.missing(WHITE, Side::Front, BLACK).is_empty());
    let side = What::Side {
        ship: WHITE,
        side: Side::Front,
        target: BLACK,
    };
    assert_eq!(ready.call(side).unwrap().verdict, Verdict::Hit);
}

#[test]
fn a_call_explains_itself_step_by_step_with_its_rules() {
    let state = State::from_json(EXAMPLE_STATE.as_bytes()).unwrap();
    let position = state.judge().position;
    let call = launch(&position, 1);
    assert_eq!(
        call.explain().to_string(),
        "\
white: fire 1 at black: hit, chance of damage 1/2
  - from [4,2] to [5,4] it is 3, counted without diagonals [Launching Torpedoes, A: do they hit]
  - the target is in the front arc [Launching Torpedoes, A: do they hit]
  - 1 loaded on the front side [Launching Torpedoes, A: do they hit]
  - lock 5 to 6 against 4: range 3 and jammers 1 [Launching Torpedoes, A: do they hit]
  - shield sector 2 faces the shooter [Launching Torpedoes, B: do they damage]
  - 1 shield dice there [Launching Torpedoes, B: do they damage]
  - each torpedo must roll a blast [Launching Torpedoes, B: do they damage]
  leaves the table: 1 from white.weapons.front-1.nose, 1 from white.weapons.front-1.body, \
1 from white.weapons.front-1.tail, 3 from white.sensors.lock, 1 from black.sensors.jammer, \
1 from black.shields.2
  chance of damage 1/2, of destruction 0"
    );
    for call in position.calls() {
        for Because(reason) in &call.because {
            assert!(!reason.rule().section.is_empty());
            assert!(!reason.to_string().is_empty());
        }
    }
    let action = from_json::<Action>(EXAMPLE_ACTION.as_bytes()).unwrap();
    let after = state.judge().after(&action).unwrap();
    assert_eq!(
        after.position.flow().launch.as_ref().unwrap().sectors,
        [Sector::Right]
    );
}

#[test]
fn a_hidden_ship_is_judged_by_where_it_can_be() {
    // Two ships that may be anywhere: too many lines to try, so bounds alone decide.
    let text = |lock: &str| {
        format!(
            "white ? ?\n{}  sensors.lock: {lock}\nblack ? ?\n  sensors.jammer: J2 J2\n",
            loaded(&["front-1"])
        )
    };
    let weak = read(&text("L1 L2"));
    assert_eq!(
        launch(&weak, 1).verdict,
        Verdict::Miss,
        "lock 3 never beats jammers 4"
    );
    let strong = read(&text("L2 L2").replace("J2 J2", "J1"));
    let call = launch(&strong, 1);
    assert_eq!(call.verdict, Verdict::Unsure);
    let on: Vec<String> = call.unsure_on.iter().map(|z| z.to_string()).collect();
    assert_eq!(on, ["white.ship", "black.ship"]);
    // What leaves depends on where it is, so the launch itself has to wait for that.
    assert!(matches!(
        refused(&weak, &fire(1, &["front-1"])),
        Reason::Unknown { .. }
    ));
    let somewhere = read(&format!(
        "white [4,4] N\n{}  sensors.lock: L2 L2\nblack [4,6]|[4,7] E\n",
        loaded(&["front-1"])
    ));
    let call = launch(&somewhere, 1);
    assert_eq!(call.verdict, Verdict::Hit);
    assert_eq!(call.numbers.range, Some(Span::between(2, 3)));
}

#[test]
fn a_person_has_the_last_word() {
    let position = read("white [4,4] N\nblack [4,4] S\n");
    let told = act(
        &position,
        &Action::Correct(Correction::Stand {
            ship: BLACK,
            square: Place::Known(Square::new(4, 5)),
            facing: Place::Known(Facing::E),
            half: Place::Unknown,
        }),
    );
    assert_eq!(stands(&told, BLACK), "[4,5] E");
    assert_eq!(stands(&told, WHITE), "[4,4] N", "alone again");
    let off = Correction::Stand {
        ship: BLACK,
        square: Place::Known(Square::new(4, 8)),
        facing: Place::Unknown,
        half: Place::Unknown,
    };
    assert_eq!(
        refused(&told, &Action::Correct(off)),
        Reason::OffMap {
            square: Square::new(4, 8)
        }
    );
    let dice = vec![Faces::one(Symbol::Jammer1)];
    let wrong = Correction::Dice {
        ship: WHITE,
        spot: Spot::Lock,
        dice,
    };
    assert!(matches!(
        refused(&told, &Action::Correct(wrong)),
        Reason::MayNotLie { .. }
    ));
}

#[test]
fn where_an_obstacle_takes_all_there_is_nothing_to_choose() {
    let rows = map(&[(1, "A . . . . . . . . .")]);
    let text = format!(
        "{rows}white [0,0] N\n{}  shields.1: S1\n  shields.2: S2\nblack [9,7] S\n",
        helm("F1", "F1", "F1")
    );
    let after = act(&read(&text), &go());
    assert_eq!(after.flow().owed, [], "two dice of two leave by themselves");
    assert_eq!(dice(&after, WHITE, "shields.1"), "");
    assert_eq!(dice(&after, WHITE, "shields.2"), "");
}

#[test]
fn whether_a_target_still_flies_may_be_what_a_call_waits_for() {
    let text = format!(
        "white [4,2] N\n{}  sensors.lock: L1\n  tractor.beam: T2\nblack [4,3] N\n  damage 3-4\n",
        loaded(&["front-1"])
    );
    let position = read(&text);
    let call = launch(&position, 1);
    assert_eq!(call.verdict, Verdict::Unsure);
    assert_eq!(call.unsure_on, [Zone::Damage(BLACK, None)]);
    let beam = What::Tractor {
        ship: WHITE,
        target: BLACK,
    };
    let call = position.call(beam).unwrap();
    assert_eq!(call.verdict, Verdict::Unsure);
    assert_eq!(call.unsure_on, [Zone::Damage(BLACK, None)]);
}
