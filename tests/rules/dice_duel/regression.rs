//! What once broke, and a person who read the calls saw it.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};
use sightline::rules::dice_duel::*;
use sightline::rules::{Fault as _, Place, Span, Verdict, from_json};

fn read(state: &Value) -> Result<Judgement, String> {
    let state = State::from_json(state.to_string().as_bytes());
    state.map(|s| s.judge()).map_err(|e| e.to_string())
}

fn judge(ships: Value, dice: &[(&str, Value)], tokens: Value) -> Judgement {
    let dice: Vec<Value> = dice
        .iter()
        .map(|(at, means)| json!({"at": at, "means": means}))
        .collect();
    read(&json!({"setup": {"ships": ships, "dice": dice, "tokens": tokens}})).unwrap()
}

fn codes(judgement: &Judgement) -> Vec<String> {
    let all = judgement.problems.iter();
    all.map(|p| format!("{} {}", p.at, p.fault.code()))
        .collect()
}

fn call(judgement: &Judgement, what: &str) -> Call {
    let what: What = what.parse().unwrap();
    judgement.position.call(what).unwrap()
}

fn leaves(call: &Call, zone: &str) -> Option<(u16, u16)> {
    let zone: Zone = zone.parse().unwrap();
    let found = call.leaves.iter().find(|l| l.from == zone)?;
    Some((found.count.min, found.count.max))
}

fn torpedo(tube: &str) -> Vec<(String, Value)> {
    ["nose", "body", "tail"]
        .map(|p| (format!("white.weapons.{tube}.{p}"), json!(p.to_uppercase())))
        .to_vec()
}

fn duel(facing: Value, more: Vec<(String, Value)>) -> Judgement {
    let mut dice = more;
    dice.extend((0..4).map(|_| ("white.sensors.lock".to_string(), json!("L2"))));
    dice.push(("black.sensors.jammer".into(), json!("J1")));
    let dice: Vec<(&str, Value)> = dice
        .iter()
        .map(|(at, m)| (at.as_str(), m.clone()))
        .collect();
    judge(
        json!([{"id": "white", "square": [4,3], "facing": facing},
               {"id": "black", "square": [4,5], "facing": "S"}]),
        &dice,
        json!([]),
    )
}

#[test]
fn an_unread_tube_does_not_hide_the_dice_that_surely_leave() {
    let mut dice = torpedo("front-1");
    dice.extend(torpedo("rear-2"));
    dice[5].1 = json!(["TAIL", "-"]);
    let call = call(&duel(json!("N"), dice), "white: fire 1 at black");
    assert_eq!(call.verdict, Verdict::Hit);
    assert_eq!(call.numbers.torpedoes, Some(1));
    for part in ["nose", "body", "tail"] {
        let zone = format!("white.weapons.front-1.{part}");
        assert_eq!(leaves(&call, &zone), Some((1, 1)), "{}", call.explain());
    }
    assert_eq!(leaves(&call, "white.weapons.rear-2.nose"), None);
    assert_eq!(leaves(&call, "black.sensors.jammer"), Some((1, 1)));
}

#[test]
fn a_second_tube_that_may_be_loaded_is_a_choice_that_may_be() {
    let mut dice = torpedo("front-1");
    dice.extend(torpedo("front-2"));
    dice[5].1 = json!(["TAIL", "-"]);
    let call = call(&duel(json!("N"), dice), "white: fire 1 at black");
    assert_eq!(call.verdict, Verdict::Hit);
    for tube in ["front-1", "front-2"] {
        let zone = format!("white.weapons.{tube}.body");
        assert_eq!(leaves(&call, &zone), Some((0, 1)), "{}", call.explain());
    }
    assert!(matches!(call.choices.first(), Some(Choice::Tubes { leave: 1, of }) if of.len() == 2));
    assert_eq!(leaves(&call, "black.sensors.jammer"), Some((1, 1)));
}

#[test]
fn a_sure_miss_takes_its_torpedo_whichever_way_the_ship_faces() {
    let call = call(
        &duel(json!(["N", "E"]), torpedo("rear-1")),
        "white: fire 1 at black",
    );
    assert_eq!(call.verdict, Verdict::Miss);
    assert_eq!(leaves(&call, "white.weapons.rear-1.nose"), Some((1, 1)));
    assert_eq!(leaves(&call, "black.sensors.jammer"), None);
}

#[test]
fn no_fifth_mine_is_laid() {
    let ships = |mines: Value| {
        let mut white = json!({"id": "white", "square": [4,3], "facing": "N"});
        if !mines.is_null() {
            white["mines"] = mines;
        }
        json!([white, {"id": "black", "square": [5,5], "facing": "E"}])
    };
    let armed = [("white.tractor.mine-A", json!("MINE_A"))];
    let mines = |n: i32| -> Value {
        (0..n)
            .map(|i| json!({"kind": "mine", "at": format!("board[{i},1]")}))
            .collect()
    };
    let judgement = judge(ships(Value::Null), &armed, mines(4));
    assert_eq!(codes(&judgement), [""; 0]);
    assert_eq!(
        call(&judgement, "white: lay a mine").verdict,
        Verdict::Cannot
    );
    // Of one mine on the map it is not known whose it was.
    let judgement = judge(ships(Value::Null), &armed, mines(1));
    let white = judgement.position.ship(ShipId::WHITE).unwrap();
    assert_eq!((white.mines().min, white.mines().max), (1, 2));
    assert_eq!(call(&judgement, "white: lay a mine").verdict, Verdict::May);
    let judgement = judge(ships(json!(2)), &armed, mines(4));
    assert_eq!(codes(&judgement), ["board too_many_mines"]);
    assert_ne!(call(&judgement, "white: lay a mine").verdict, Verdict::May);
    let said = read(&json!({"setup": {"ships": ships(json!(9))}})).unwrap_err();
    assert_eq!(
        said,
        "setup.ships[0].mines: 9, but a ship has 2 mine tokens"
    );
}

#[test]
fn a_slip_in_a_ships_name_makes_no_ship() {
    let ships = json!([{"id": "white", "square": [4,3], "facing": "N"},
                       {"id": "black", "square": [4,5], "facing": "N", "damage": {"dice": 4}}]);
    let refused = |field: &str, value: Value| {
        let mut setup = json!({"ships": ships});
        setup[field] = value;
        read(&json!({"setup": setup})).unwrap_err()
    };
    let said = refused("dice", json!([{"at": "blakc.shields.1", "means": "S1"}]));
    assert_eq!(
        said,
        "setup.dice[0].at: no ship blakc: the ships are white, black"
    );
    let said = refused(
        "tokens",
        json!([{"at": "blakc.crystals", "kind": "crystal"}]),
    );
    assert!(
        said.starts_with("setup.tokens[0].at: no ship blakc"),
        "{said}"
    );
    let said = refused("hidden", json!(["blakc.shields"]));
    assert!(said.starts_with("setup.hidden[0]: no ship blakc"), "{said}");
    let said = refused("flow", json!({"moving": ["blakc"]}));
    assert!(said.starts_with("setup.flow: no ship blakc"), "{said}");
    // A camera that misreads a label is not refused; it is said.
    let setup: Setup = serde_json::from_value(json!({
        "ships": ships, "dice": [{"at": "blakc.shields.1", "means": "S1"}]}))
    .unwrap();
    let problems = setup.resolve(&Print::default()).1;
    assert!(problems.iter().any(|p| p.fault.code() == "ship_not_listed"));
    // And a side that nobody else is on is worth a question.
    let judgement = judge(
        json!([{"id": "white", "team": "whtie", "square": [4,3], "facing": "N"},
               {"id": "white-2", "team": "white", "square": [4,5], "facing": "N"},
               {"id": "black", "square": [4,6], "facing": "E"}]),
        &[],
        json!([]),
    );
    assert_eq!(
        codes(&judgement),
        [
            "white.ship alone_on_its_side",
            "white-2.ship alone_on_its_side"
        ]
    );
}

#[test]
fn what_is_forbidden_anyway_does_not_wait_for_damage() {
    let judgement = judge(
        json!([{"id": "white", "square": [6,5], "facing": "N", "damage": {"dice": [3,4]}},
               {"id": "black", "square": [1,1], "facing": "E"}]),
        &[],
        json!([]),
    );
    for what in [
        "black: move",
        "black: lay a mine",
        "black: Station Override",
        "black: Warp Jump",
        "black: Energy Surge",
        "white: Warp Jump",
    ] {
        assert_eq!(call(&judgement, what).verdict, Verdict::Cannot, "{what}");
    }
}

#[test]
fn a_mine_may_be_laid_on_either_of_two_free_squares() {
    let judgement = judge(
        json!([{"id": "white", "square": [[6,5],[7,5]], "facing": "N", "mines": 1},
               {"id": "black", "square": [1,1], "facing": "E"}]),
        &[("white.tractor.mine-A", json!("MINE_A"))],
        json!([]),
    );
    let mine = call(&judgement, "white: lay a mine");
    assert_eq!(mine.verdict, Verdict::May);
    assert!(mine.unsure_on.is_empty());
    // Where it comes to lie has to be known before it can.
    let lay = Action::ReleaseMine {
        ship: ShipId::WHITE,
    };
    assert!(!judgement.position.is_legal(&lay));
}

#[test]
fn a_ship_with_three_dice_moves_wherever_that_leads() {
    let judgement = judge(
        json!([{"id": "white", "square": [6,5], "facing": "N"},
               {"id": "black", "square": [1,1], "facing": "E"}]),
        &[
            ("white.helm.A", json!("F1")),
            ("white.helm.B", json!("F1")),
            ("white.helm.C", json!(["FL", "FR"])),
        ],
        json!([]),
    );
    let helm = call(&judgement, "white: move");
    assert_eq!(helm.verdict, Verdict::Must);
    assert!(helm.unsure_on.is_empty());
    let open = "where the move leads depends on white.helm.C";
    assert!(
        helm.explain().to_string().contains(open),
        "{}",
        helm.explain()
    );
}

#[test]
fn a_side_that_hits_from_no_square_cannot() {
    let judgement = judge(
        json!([{"id": "white", "square": [[4,3],[8,3]], "facing": "N"},
               {"id": "black", "square": [6,6], "facing": "S"}]),
        &[
            ("white.weapons.rear-1.nose", json!("NOSE")),
            ("white.weapons.rear-1.body", json!("BODY")),
            ("white.weapons.rear-1.tail", json!("TAIL")),
            ("white.sensors.lock", json!("L1")),
        ],
        json!([]),
    );
    let rear = call(&judgement, "white: rear tubes on black");
    assert_eq!(rear.verdict, Verdict::Cannot, "{}", rear.explain());
}

#[test]
fn a_token_that_is_not_in_play_is_taken_off() {
    let ships = json!([{"id": "white", "square": [4,3], "facing": "N"},
                       {"id": "black", "square": [5,5], "facing": "E"}]);
    let helm = ["A", "B", "C"].map(|slot| format!("white.helm.{slot}"));
    let helm: Vec<(&str, Value)> = helm.iter().map(|s| (s.as_str(), json!("F1"))).collect();
    let judgement = judge(
        ships,
        &helm,
        json!([{"kind": "gravity-N", "at": "board[4,4]"}]),
    );
    assert_eq!(codes(&judgement), ["board[4,4] token_not_in_play"]);
    let cell = judgement.position.board().cell(Square::new(4, 4));
    assert_eq!(cell, Cell::open());
    let go = Action::Move {
        ship: ShipId::WHITE,
    };
    let after = judgement.after(&go).unwrap().position;
    let state = serde_json::to_vec(&State::of(&after)).unwrap();
    let again = State::from_json(&state).unwrap().judge();
    assert_eq!(again.position, after);
    assert!(again.problems.is_empty());
}

#[test]
fn a_claim_that_may_be_is_not_refused_and_one_that_cannot_be_is() {
    let setup = |damage: Value, die: Value, n: usize| {
        json!({"setup": {
            "ships": [{"id": "white", "square": [4,2], "facing": "N"},
                      {"id": "black", "square": [5,4], "facing": "E", "damage": damage}],
            "dice": vec![die; n]}})
    };
    let perhaps = json!({"at": ["black.damage", "table"], "means": "6"});
    read(&setup(json!({}), perhaps, 5)).unwrap();
    let surely = json!({"at": "black.damage", "means": "6"});
    let said = read(&setup(json!({"dice": 1}), surely.clone(), 4)).unwrap_err();
    assert!(
        said.starts_with("setup.dice[3].at: 5 dice on the damage display of black"),
        "{said}"
    );
    read(&setup(json!({"dice": 0}), surely, 4)).unwrap();
    let crystals = |n: Value| {
        json!({"setup": {"ships": [{"id": "white", "square": [4,2], "facing": "N",
                                    "crystals": n}]}})
    };
    read(&crystals(json!([0, 9]))).unwrap();
    read(&crystals(json!(9))).unwrap_err();
}

#[test]
fn a_list_is_no_object() {
    for (state, path) in [
        (json!([]), "invalid type"),
        (json!({"setup": []}), "setup"),
        (
            json!({"setup": {"ships": [["white", null, [1,1], "N"]]}}),
            "setup.ships[0]",
        ),
        (json!({"print": {"options": []}}), "print.options"),
        (json!(null), "invalid type"),
    ] {
        let said = read(&state).unwrap_err();
        assert!(said.starts_with(&format!("{path}: ")), "{said}");
        assert!(said.contains("expected an object"), "{said}");
    }
    let said = from_json::<Action>(br#"{"move": ["white"]}"#)
        .unwrap_err()
        .to_string();
    assert!(said.contains("expected an object"), "{said}");
}

#[test]
fn sentences_say_what_to_write() {
    let state = json!({"setup": {"ships": [{"id": "white", "square": [99999, 4], "facing": "N"}]}});
    let said = read(&state).unwrap_err();
    assert!(
        said.starts_with("setup.ships[0].square: [99999,4] is off any map"),
        "{said}"
    );
    for sector in [json!(2), json!("2")] {
        let action = json!({"choose_sector": {"sector": sector}});
        let action = from_json::<Action>(action.to_string().as_bytes()).unwrap();
        let sector = Sector::Right;
        assert_eq!(action, Action::ChooseSector { sector });
    }
    let said = from_json::<Action>(br#"{"choose_sector": {"sector": 5}}"#).unwrap_err();
    assert!(said.to_string().contains("write 1, 2, 3 or 4"), "{said}");
    let state = json!({"setup": {"dice": [{"at": "table", "means": true}]}});
    assert!(
        read(&state)
            .unwrap_err()
            .contains("a symbol (1 to 6 energy")
    );
    // A byte-order mark is no fault of whoever wrote the file.
    State::from_json(b"\xef\xbb\xbf{}").unwrap();
    let deep = State::from_json("[".repeat(100_000).as_bytes()).unwrap_err();
    assert!(deep.to_string().starts_with("invalid type: "), "{deep}");
}

#[test]
fn two_torpedoes_at_a_mine_and_another_crystal_are_called() {
    let mut dice = torpedo("front-1");
    dice.extend(torpedo("front-2"));
    dice.push(("white.sensors.lock".into(), json!("L2")));
    let dice: Vec<(&str, Value)> = dice
        .iter()
        .map(|(at, m)| (at.as_str(), m.clone()))
        .collect();
    let judgement = judge(
        json!([{"id": "white", "square": [4,3], "facing": "N", "crystals": 2},
               {"id": "black", "square": [7,5], "facing": "E"}]),
        &dice,
        json!([{"kind": "mine", "at": "board[4,5]"}]),
    );
    let both = call(&judgement, "white: fire 2 at the mine at [4,5]");
    assert_eq!(both.verdict, Verdict::Hit);
    assert!(judgement.calls.contains(&both));
    let warp = Action::Warp {
        ship: ShipId::WHITE,
    };
    let rolled = Action::WarpRoll { numbers: [1, 2] };
    let judgement = judgement.after(&warp).unwrap().after(&rolled).unwrap();
    let jump = call(&judgement, "white: end of the jump");
    let again = |c: &Choice| matches!(c, Choice::JumpAgain { crystals: 1, .. });
    assert!(jump.choices.iter().any(again), "{}", jump.explain());
    assert!(judgement.position.is_legal(&Action::WarpAgain));
    // Whoever is stopped is told where the rule for that stop stands.
    let stopped = call(&judgement, "black: fire 1 at white")
        .explain()
        .to_string();
    assert!(
        stopped.contains("(warp) [Crystals: Warp Jump]"),
        "{stopped}"
    );
}

#[test]
fn the_game_does_not_wait_for_what_cannot_be() {
    let flow = |flow: Value| {
        let state = json!({"setup": {
            "ships": [{"id": "white", "square": [4,3], "facing": "N"},
                      {"id": "black", "square": [4,5], "facing": "S"}],
            "flow": flow}});
        codes(&read(&state).unwrap())
    };
    let launch = |freeze: &str, target: &str, blasts: Value| {
        json!({"stop": {"ship": "white", "freeze": freeze},
               "launch": {"shooter": "white", "target": target, "tubes": ["front-1"],
                          "sectors": ["1"], "blasts": blasts}})
    };
    assert_eq!(flow(launch("fire", "black", json!([2]))), [""; 0]);
    for wrong in [
        launch("tractor", "black", json!([])),
        launch("fire", "white", json!([])),
        launch("fire", "black", json!([9])),
        json!({"stop": {"ship": "white", "freeze": "fire"}, "warp": {"ship": "white"}}),
        json!({"stop": {"ship": "white", "freeze": "warp"}, "returning": true}),
    ] {
        assert_eq!(flow(wrong.clone()), ["board flow_unclear"], "{wrong}");
    }
}

#[test]
fn a_square_that_another_has_to_itself_is_not_shared() {
    let judgement = judge(
        json!([{"id": "white", "square": [4,7], "facing": "S", "half": "whole"},
               {"id": "black", "square": [[3,6],[4,7]], "facing": "E"}]),
        &[
            ("black.tractor.beam", json!("T2")),
            ("black.tractor.mine-A", json!("MINE_A")),
        ],
        json!([{"kind": "crystal", "at": "board[5,7]"},
               {"kind": "mine", "at": "board[4,7]"}]),
    );
    let verdict = |j: &Judgement, what| call(j, what).verdict;
    let (pull, lay) = ("black: crystal at [5,7]", "black: lay a mine");
    assert_eq!(verdict(&judgement, pull), Verdict::Cannot);
    assert_eq!(verdict(&judgement, lay), Verdict::May);
    // It was not said that black is on the other square: that rests on where white is.
    let text = judgement.position.to_string();
    assert!(text.contains("black [3,6]|[4,7] E"), "{text}");
    let gone = Action::Correct(Correction::Stand {
        ship: ShipId::WHITE,
        square: Place::Known(Square::new(0, 0)),
        facing: Place::Known(Facing::S),
        half: Place::Unknown,
    });
    let judgement = judgement.after(&gone).unwrap();
    assert_eq!(verdict(&judgement, pull), Verdict::Unsure);
    assert_eq!(verdict(&judgement, lay), Verdict::Unsure);
}

#[test]
fn a_ship_that_may_have_been_joined_is_not_alone() {
    let black = |half: Value, damage: i32| {
        json!([{"id": "white", "square": [4,3], "facing": "N"},
               {"id": "black", "square": [[4,4],[8,7]], "facing": "E", "half": half,
                "damage": {"dice": damage}}])
    };
    // Two ahead, around, and one back: onto [4,4].
    let dice = [
        ("white.helm.A", json!("F1")),
        ("white.helm.B", json!("FU")),
        ("white.helm.C", json!("F1")),
    ];
    let go = Action::Move {
        ship: ShipId::WHITE,
    };
    let range = |j: &Judgement| call(j, "white: tractor on black").numbers.range;
    for half in [json!(null), json!("whole")] {
        let judgement = judge(black(half, 0), &dice, json!([])).after(&go).unwrap();
        let there = judgement.position.ship(ShipId::WHITE).unwrap();
        assert_eq!(there.square(), &Place::Known(Square::new(4, 4)));
        assert_eq!(range(&judgement), Some(Span::between(0, 7)));
    }
    // Nor is one that was taken for destroyed, and is not.
    let judgement = judge(black(json!(null), 4), &dice, json!([]));
    let on_it = Action::Correct(Correction::Stand {
        ship: ShipId::WHITE,
        square: Place::Known(Square::new(4, 4)),
        facing: Place::Known(Facing::S),
        half: Place::Unknown,
    });
    let flies = Action::Correct(Correction::Damage {
        ship: ShipId::BLACK,
        damage: Damage::default(),
    });
    let judgement = judgement.after(&on_it).unwrap().after(&flies).unwrap();
    assert_eq!(range(&judgement), Some(Span::between(0, 7)));
}
