//! What once was wrong in Diceland, each table as it was found.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};
use sightline::rules::diceland::*;
use sightline::rules::{Core as _, Form, Verdict, from_json};

fn table(things: Value, dice: Value, more: Value) -> Value {
    let mut state = json!({ "setup": {
        "table": { "edge_mm": [[0, 0], [1500, 0], [1500, 900], [0, 900]], "things": things },
        "dice": dice,
        "flow": { "stage": { "turn": "one" } },
    } });
    for (key, value) in more.as_object().unwrap() {
        if key == "print" {
            state[key] = value.clone();
        } else {
            state["setup"][key] = value.clone();
        }
    }
    state
}

fn die(id: &str, owner: &str, kind: &str, face: &str, at: [f64; 2], turn: f64, e: f64) -> Value {
    json!({ "id": id, "owner": owner, "kind": kind, "face": face, "at_mm": at,
        "heading_deg": turn, "error": { "corner_mm": e } })
}

fn read(state: &Value) -> Judgement {
    State::from_json(state.to_string().as_bytes())
        .unwrap()
        .judge()
}

fn call(judgement: &Judgement, start: &str) -> Call {
    let calls = &judgement.calls;
    let found = calls.iter().find(|c| c.what.to_string() == start);
    let all: Vec<String> = calls.iter().map(|c| c.to_string()).collect();
    found
        .unwrap_or_else(|| panic!("no {start} in {all:#?}"))
        .clone()
}

fn id(name: &str) -> DieId {
    name.parse().unwrap()
}

/// The runt is killed first, and nothing is in the warlord's way any more when its turn comes.
#[test]
fn an_all_range_shot_is_judged_target_by_target() {
    let state = table(
        json!([]),
        json!([
            die(
                "frig",
                "one",
                "terran-frigate",
                "2",
                [750.0, 800.0],
                0.0,
                0.1
            ),
            die("runt", "two", "garthan-runt", "1", [750.0, 400.0], 0.0, 0.1),
            die(
                "warlord",
                "two",
                "urluquai-warlord",
                "5",
                [750.0, 341.5],
                180.0,
                0.1
            ),
        ]),
        json!({}),
    );
    let judgement = read(&state);
    let told = call(&judgement, "frig: fire at warlord");
    let fire = Action::Fire {
        die: id("frig"),
        target: None,
    };
    let (then, _) = judgement.position.play(&fire).unwrap();
    let up = *then.die(id("warlord")).unwrap().face().known().unwrap();
    assert!(
        matches!(told.numbers.outcomes[..], [Outcome::Damage { to, .. }] if to == up),
        "{told}"
    );
}

/// The die that rolled away was in its own target's way.
#[test]
fn a_shot_after_a_roll_is_judged_from_where_the_die_then_lies() {
    let state = table(
        json!([]),
        json!([
            die(
                "stalk",
                "one",
                "urluquai-stalker",
                "4",
                [700.0, 500.0],
                0.0,
                0.03
            ),
            die(
                "war",
                "two",
                "urluquai-warlord",
                "5",
                [700.0, 441.0],
                180.0,
                0.03
            ),
        ]),
        json!({ "print": { "options": { "roll_error_mm": 0.0 } } }),
    );
    let judgement = read(&state);
    let told = call(&judgement, "stalk: roll by left, then fire at war");
    let (then, _) = judgement
        .position
        .play(&Action::Manoeuvre {
            die: id("stalk"),
            corner: Corner::Left,
        })
        .unwrap();
    let (then, _) = then
        .play(&Action::Fire {
            die: id("stalk"),
            target: Some(id("war")),
        })
        .unwrap();
    let up = *then.die(id("war")).unwrap().face().known().unwrap();
    assert!(
        matches!(told.numbers.outcomes[..], [Outcome::Damage { to, .. }] if to == up),
        "{told}"
    );
}

/// What players said of the place that a die leaves says nothing about where it goes.
#[test]
fn a_ruling_does_not_outlive_a_roll() {
    let table = |rulings: Value| {
        read(&table(
            json!([]),
            json!([
                die(
                    "stalk",
                    "one",
                    "urluquai-stalker",
                    "2",
                    [500.0, 500.0],
                    0.0,
                    0.1
                ),
                die("war", "two", "garthan-runt", "2", [800.0, 600.0], 0.0, 0.1),
            ]),
            json!({ "rulings": rulings }),
        ))
    };
    let shots = |judgement: Judgement| -> Vec<(What, Verdict)> {
        let after = |c: &Call| matches!(c.what, What::Fire { after: Some(_), .. });
        judgement
            .calls
            .iter()
            .filter(|c| after(c))
            .map(|c| (c.what, c.verdict))
            .collect()
    };
    let plain = shots(table(json!([])));
    assert!(!plain.is_empty());
    for arrow in ["top", "right", "left"] {
        for sees in [true, false] {
            let ruled = json!([{ "sees": { "die": "stalk", "arrow": arrow, "target": "war", "sees": sees } }]);
            assert_eq!(shots(table(ruled)), plain);
        }
    }
}

/// A slip of the pen must not throw a die off the table, nor be passed over.
#[test]
fn actions_refuse_what_they_do_not_know_and_miss() {
    for wrong in [
        json!({ "throw": { "throw": { "hand": { "die": "scout" } },
            "land": { "face": "2", "at_mm": [0, 0], "heading_deg": 0 } } }),
        json!({ "throw": { "throw": { "hand": { "die": "scout" } } } }),
        json!({ "throw": { "throw": { "hand": { "die": "scout", "with": 1 } }, "lands": null } }),
        json!({ "throw": { "throw": { "hand": { "die": "scout" } }, "lands": null,
            "knocks": [{ "die": "runt" }] } }),
        json!({ "fire": { "die": "ace", "bogus": 1 } }),
        json!({ "correct": { "score": { "player": "one", "points": 3, "of": 4 } } }),
        json!({ "rule": { "room": { "die": "ace", "corner": "top", "free": true, "why": "so" } } }),
        json!({ "correct": { "flow": { "waiting": [{ "landed": { "die": "ace", "x": 1 } }] } } }),
    ] {
        assert!(
            from_json::<Action>(wrong.to_string().as_bytes()).is_err(),
            "{wrong}"
        );
    }
    let right = json!({ "throw": { "throw": { "hand": { "die": "scout" } }, "lands": null } });
    assert!(from_json::<Action>(right.to_string().as_bytes()).is_ok());
}

/// Turned by as much as its corners are said to be off, the die does not see what it seemed to.
#[test]
fn a_corner_that_is_off_as_far_as_it_says_makes_no_sure_call_false() {
    let dice = |turn: f64, e: f64| {
        read(&json!({ "setup": { "dice": [
            die("m", "one", "terran-frigate", "2b", [500.0, 500.0], turn, e),
            die("t", "two", "garthan-runt", "2", [1020.0, 522.0], 60.0, 0.0),
        ] } }))
    };
    assert_eq!(call(&dice(-0.95, 0.0), "m: see t").verdict, Verdict::Cannot);
    assert_eq!(call(&dice(0.0, 0.5), "m: see t").verdict, Verdict::Unsure);
    assert_eq!(call(&dice(0.0, 0.0), "m: see t").verdict, Verdict::May);
}

/// Two dice cannot lie in each other: neither place can be relied on.
#[test]
fn dice_that_are_misread_give_no_sure_shots() {
    let state = table(
        json!([]),
        json!([
            die(
                "frig",
                "one",
                "terran-frigate",
                "2",
                [750.0, 800.0],
                0.0,
                0.1
            ),
            die("runt", "two", "garthan-runt", "2", [750.0, 400.0], 0.0, 0.1),
            die(
                "war",
                "two",
                "urluquai-warlord",
                "5",
                [750.0, 402.0],
                0.0,
                0.1
            ),
        ]),
        json!({}),
    );
    let judgement = read(&state);
    for name in ["runt", "war"] {
        assert_eq!(
            call(&judgement, &format!("frig: fire at {name}")).verdict,
            Verdict::Unsure
        );
        let told = judgement
            .problems
            .iter()
            .any(|p| p.at == Zone::Die(id(name)) && matches!(p.fault, Fault::Overlaps { .. }));
        assert!(told, "{name} is not told to be misread");
    }
    let again = State::of(&judgement.position).judge().position;
    assert_eq!(again, judgement.position);
}

/// A die in the bay of an L has room, and what is in its way is called by its name.
#[test]
fn a_bay_is_no_obstacle_and_a_thing_has_a_name() {
    let ell = |x: f64, y: f64| {
        let at = |a: f64, b: f64| [a + x, b + y];
        json!([{ "name": "the bookend", "outline_mm": [at(400.0, 400.0), at(700.0, 400.0),
            at(700.0, 420.0), at(420.0, 420.0), at(420.0, 700.0), at(400.0, 700.0)] }])
    };
    let ace = json!([die(
        "ace",
        "one",
        "terran-fighter-ace",
        "3",
        [560.0, 560.0],
        0.0,
        0.1
    )]);
    let rolls = |things: Value| -> Vec<Call> {
        let judgement = read(&table(things, ace.clone(), json!({})));
        let is_roll = |c: &Call| matches!(c.what, What::Manoeuvre { .. });
        judgement.calls.into_iter().filter(is_roll).collect()
    };
    assert!(!rolls(ell(0.0, 0.0)).is_empty());
    assert!(
        rolls(ell(0.0, 0.0))
            .iter()
            .all(|c| c.verdict == Verdict::May)
    );
    // With an arm of it beside the die, it is not.
    let near = rolls(ell(90.0, 110.0));
    let blocked = near
        .iter()
        .find(|c| c.verdict == Verdict::Cannot)
        .expect("one is blocked");
    assert!(
        blocked
            .explain()
            .to_string()
            .contains("the bookend is in the way"),
        "{}",
        blocked.explain()
    );
    // What crosses itself is no outline.
    let eight =
        json!([{ "name": "x", "outline_mm": [[400, 400], [700, 700], [700, 400], [400, 760]] }]);
    let state = table(eight, ace.clone(), json!({}));
    let error = State::from_json(state.to_string().as_bytes())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("setup.table.things[0].outline_mm"),
        "{error}"
    );
}

/// Every pair of its numbers could be; together they say that a variance is below nothing.
#[test]
fn a_covariance_that_is_none_is_refused() {
    let m = [
        [1.0, 0.9, 0.001_73],
        [0.9, 1.0, -0.001_73],
        [0.001_73, -0.001_73, 3.7e-6],
    ];
    let with = |m: [[f64; 3]; 3]| {
        let mut state = json!({ "setup": { "dice": [
            die("m", "one", "terran-frigate", "2b", [500.0, 500.0], 0.0, 0.1),
        ] } });
        state["setup"]["dice"][0]["error"] = json!({ "pose_covariance": m });
        State::from_json(state.to_string().as_bytes())
    };
    assert!(with(m).is_err());
    let mut sane = m;
    (sane[0][2], sane[2][0]) = (0.001, 0.001);
    (sane[1][2], sane[2][1]) = (0.001, 0.001);
    assert!(with(sane).is_ok());
    assert!(with([[0.0; 3]; 3]).is_ok());
}

/// One ally is thrown again, however far the arrows reach.
#[test]
fn an_all_range_jump_ally_names_one() {
    let mut print = Print::default();
    let kind = print.dice.iter_mut().find(|k| {
        k.faces
            .iter()
            .any(|f| f.shot.is_some_and(|s| s.does == Does::JumpAlly))
    });
    let kind = kind.unwrap();
    let (name, mut up) = (kind.id, None);
    for face in &mut kind.faces {
        if let Some(shot) = face.shot.as_mut().filter(|s| s.does == Does::JumpAlly) {
            shot.range = Range::All;
            up = Some(face.id);
        }
    }
    let setup = Setup {
        dice: vec![
            DieSetup::in_play(id("soma"), Player::One, name, up.unwrap(), [0.0, 0.0], 0.0),
            DieSetup::in_play(
                id("near"),
                Player::One,
                "terran-scout".parse().unwrap(),
                "2".parse().unwrap(),
                [0.0, -200.0],
                0.0,
            ),
            DieSetup::in_play(
                id("far"),
                Player::One,
                "terran-scout".parse().unwrap(),
                "2".parse().unwrap(),
                [20.0, -400.0],
                0.0,
            ),
        ],
        ..Setup::default()
    };
    let (position, _) = setup.resolve(&print);
    let throws = position.legal_throws();
    for target in [id("near"), id("far")] {
        let may = position.calls().into_iter().any(|c| {
            c.what
                == What::JumpAlly {
                    die: id("soma"),
                    target,
                }
                && c.verdict == Verdict::May
        });
        assert!(may);
        assert!(throws.contains(&Throw::JumpAlly {
            die: id("soma"),
            target
        }));
    }
}

/// A throw that leaves the table may be a foul too: the die goes into reserve, and what else was
/// called is not thrown any more.
#[test]
fn a_throw_that_left_the_table_may_be_a_foul() {
    let hand = |name: &str, owner: &str, kind: &str| json!({ "id": name, "owner": owner, "kind": kind, "at": "hand" });
    let waiting = |list: Value| {
        let mut state = table(
            json!([]),
            json!([
                hand("scout", "one", "terran-scout"),
                hand("runt", "two", "garthan-runt"),
                die(
                    "ace",
                    "one",
                    "terran-fighter-ace",
                    "3",
                    [560.0, 560.0],
                    0.0,
                    0.1
                ),
            ]),
            json!({}),
        );
        state["setup"]["flow"]["waiting"] = list;
        read(&state).position
    };
    let off = Action::Throw {
        throw: Throw::Hand { die: id("scout") },
        lands: None,
        knocks: Vec::new(),
    };
    let foul = Action::Foul {
        penalty: Penalty::OutOfPlay,
    };
    let calling = json!([{ "calling": { "die": "ace", "left": 2 } }]);
    for start in [waiting(json!([])), waiting(calling)] {
        let (thrown, _) = start.play(&off).unwrap();
        assert!(thrown.legal_actions().contains(&foul));
        let (then, _) = thrown.clone().play(&foul).unwrap();
        assert_eq!(then.flow().stage, Stage::Turn(Player::Two));
        assert!(then.flow().waiting.is_empty());
        assert_eq!(
            then.die(id("scout")).unwrap().lies(),
            &Lies::Reserve { turns_left: 2 }
        );
        // Once something else is done, it is too late.
        if thrown.flow().stage == Stage::Turn(Player::Two) {
            let (later, _) = thrown.play(&Action::Pass).unwrap();
            assert!(later.play(&foul).is_err());
        }
    }
    // Nobody calls a foul out of nothing.
    assert!(waiting(json!([])).play(&foul).is_err());
}

/// Before the first turn somebody is told what to do.
#[test]
fn the_opening_is_announced() {
    let text = |stage: Value| {
        let mut state = table(
            json!([]),
            json!([
                { "id": "scout", "owner": "one", "kind": "terran-scout", "at": "hand" },
                { "id": "runt", "owner": "two", "kind": "garthan-runt", "at": "hand" },
            ]),
            json!({}),
        );
        state["setup"]["flow"]["stage"] = stage;
        Core.judge(state.to_string().as_bytes(), &[], Form::Text)
            .unwrap()
    };
    let choosing = text(json!("choosing"));
    assert!(
        choosing.contains("player two: say who goes first: must"),
        "{choosing}"
    );
    assert!(
        choosing.contains("player one: say who goes first: cannot"),
        "{choosing}"
    );
    let opening = text(json!({ "opening": "one" }));
    assert!(
        opening.contains("scout: open in the centre: may"),
        "{opening}"
    );
    assert!(!opening.contains("runt: open"), "{opening}");
}
