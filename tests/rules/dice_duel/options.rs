//! The open points of the rule book: each has a default in `demo_print.json`, and each is obeyed.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};
use sightline::rules::dice_duel::*;
use sightline::rules::{Place, Verdict, from_json};

/// A table and the options it is played with.
fn table(options: &Value, setup: &Value) -> Position {
    let state = json!({"print": {"options": options}, "setup": setup});
    let state = State::from_json(state.to_string().as_bytes()).unwrap();
    state.judge().position
}

fn act(position: &Position, action: &Value) -> Result<Position, String> {
    let action = from_json::<Action>(action.to_string().as_bytes()).unwrap();
    let after = position.clone().play(&action);
    after.map(|(p, _)| p).map_err(|r| r.because.to_string())
}

fn ship<'a>(position: &'a Position, name: &str) -> &'a Ship {
    position.ship(name.parse().unwrap()).unwrap()
}

fn verdict(position: &Position, torpedoes: u8, target: Target) -> Verdict {
    let ship = ShipId::WHITE;
    let what = What::Launch {
        ship,
        torpedoes,
        target,
    };
    position.call(what).unwrap().verdict
}

const BLACK: Target = Target::Ship(ShipId::BLACK);

#[test]
fn every_default_is_in_the_data_file() {
    let file: Value = serde_json::from_str(DEMO_PRINT).unwrap();
    assert_eq!(serde_json::to_value(Print::default()).unwrap(), file);
    assert_eq!(
        serde_json::from_str::<Print>("{}").unwrap(),
        Print::default()
    );
    let part: Print = serde_json::from_str(r#"{"options": {"half_is_kept": true}}"#).unwrap();
    assert!(part.options.half_is_kept && part.options.wormholes);
    Print::default().check("print").unwrap();
    // The open points as they are to be played where nobody says otherwise.
    for (option, default) in [
        ("arc", json!("quadrant_inclusive")),
        ("edge_forward_two", json!("whole_die_stays")),
        ("fire_two_removes_other_side", json!(false)),
        ("side_shot_removes_all_declared", json!(true)),
        ("fire_unloaded", json!(false)),
        ("mine_in_own_square", json!("not_a_target")),
        ("warp_arrival_enters", json!(true)),
        ("failed_tractor_removes_dice", json!(false)),
        ("tractor_off_map", json!("forbidden")),
        ("wormhole_entry_acts", json!(true)),
        ("wormhole_half", json!("travel")),
        ("half_is_kept", json!(false)),
        ("passing_takes_half", json!(false)),
        ("energy_number_is_soft", json!(true)),
        ("tokens_on_marked_squares", json!(true)),
        ("gravity_counts_each_square", json!(true)),
        ("saved_helm_die", json!("any_face")),
    ] {
        assert_eq!(file["options"][option], default, "{option}");
    }
}

#[test]
fn the_words_of_options_are_read_and_written() {
    for word in ["forbidden", "stays"] {
        assert_eq!(word.parse::<OffMapPush>().unwrap().to_string(), word);
    }
    for word in ["not_a_target", "front_arc"] {
        assert_eq!(word.parse::<OwnSquareMine>().unwrap().to_string(), word);
    }
    for word in ["travel", "ask"] {
        assert_eq!(word.parse::<WormholeHalf>().unwrap().to_string(), word);
    }
    for word in ["any_face", "as_rolled"] {
        assert_eq!(word.parse::<SavedDie>().unwrap().to_string(), word);
    }
    let said = "maybe".parse::<SavedDie>().unwrap_err().to_string();
    assert!(said.contains("any_face or as_rolled"), "{said}");
}

#[test]
fn fire_with_nothing_loaded_may_be_declared_where_that_is_played() {
    let setup = json!({
        "ships": [{"id": "white", "square": [4,2], "facing": "N"},
                  {"id": "black", "square": [4,4], "facing": "N"}],
        "dice": [{"at": "white.sensors.lock", "means": "L2"},
                 {"at": "black.sensors.jammer", "means": "J1"}]});
    let fire = json!({"fire": {"ship": "white", "torpedoes": 1,
                               "target": {"ship": "black"}, "tubes": []}});
    let position = table(&json!({}), &setup);
    assert_eq!(verdict(&position, 1, BLACK), Verdict::Cannot);
    act(&position, &fire).unwrap_err();

    let position = table(&json!({"fire_unloaded": true}), &setup);
    assert_eq!(verdict(&position, 1, BLACK), Verdict::Miss);
    let after = act(&position, &fire).unwrap();
    assert!(ship(&after, "white").dice(Spot::Lock).is_empty());
    // Nothing flew at it: its jammers stay.
    assert!(!ship(&after, "black").dice(Spot::Jammer).is_empty());
    assert!(
        position
            .legal_actions()
            .iter()
            .any(|a| a.to_string().contains("fire"))
    );
}

#[test]
fn a_mine_in_the_own_square_is_a_target_where_that_is_played() {
    let setup = json!({
        "ships": [{"id": "white", "square": [4,2], "facing": "N", "mines": 1},
                  {"id": "black", "square": [9,7], "facing": "N"}],
        "dice": [{"at": "white.weapons.front-1.nose", "means": "NOSE"},
                 {"at": "white.weapons.front-1.body", "means": "BODY"},
                 {"at": "white.weapons.front-1.tail", "means": "TAIL"},
                 {"at": "white.sensors.lock", "means": "L1"}],
        "tokens": [{"kind": "mine", "at": "board[4,2]"}]});
    let mine = Target::Mine(Square::new(4, 2));
    let fire = json!({"fire": {"ship": "white", "torpedoes": 1,
                               "target": {"mine": [4,2]}, "tubes": ["front-1"]}});
    let position = table(&json!({}), &setup);
    assert_eq!(verdict(&position, 1, mine), Verdict::Cannot);
    act(&position, &fire).unwrap_err();

    let position = table(&json!({"mine_in_own_square": "front_arc"}), &setup);
    assert_eq!(verdict(&position, 1, mine), Verdict::Hit);
    let after = act(&position, &fire).unwrap();
    assert_eq!(after.board().cell(Square::new(4, 2)).mines.max, 0);
}

#[test]
fn a_push_off_the_map_is_forbidden_or_spends_the_beam() {
    let setup = json!({
        "ships": [{"id": "white", "square": [4,1], "facing": "N"},
                  {"id": "black", "square": [5,0], "facing": "N"}],
        "dice": [{"at": "white.tractor.beam", "means": "T2"},
                 {"at": "white.tractor.beam", "means": "T2"}]});
    let push = json!({"tractor": {"ship": "white", "target": "black", "to": [5,-1]}});
    let position = table(&json!({}), &setup);
    let said = act(&position, &push).unwrap_err();
    assert!(said.contains("Tractor Beams"), "{said}");

    let position = table(&json!({"tractor_off_map": "stays"}), &setup);
    let after = act(&position, &push).unwrap();
    assert_eq!(
        ship(&after, "black").square(),
        &Place::Known(Square::new(5, 0))
    );
    assert!(ship(&after, "white").dice(Spot::Beam).is_empty());
    assert_eq!(after.flow().stop.unwrap().freeze, Freeze::Tractor);
}

#[test]
fn behind_a_wormhole_the_half_is_that_of_travel_or_is_asked_for() {
    let setup = json!({
        "ships": [{"id": "white", "square": [4,0], "facing": "N"},
                  {"id": "black", "square": [7,5], "facing": "E"}],
        "dice": [{"at": "white.helm.A", "means": "F1"}, {"at": "white.helm.B", "means": "F1"},
                 {"at": "white.helm.C", "means": "F1"}],
        "tokens": [{"kind": "wormhole", "at": "board[4,3]"},
                   {"kind": "wormhole", "at": "board[7,5]"}]});
    let go = json!({"move": {"ship": "white"}});
    let after = act(&table(&json!({}), &setup), &go).unwrap();
    let half = |p: &Position, name: &str| ship(p, name).half().clone();
    assert_eq!(half(&after, "white"), Place::Known(Half::At(Facing::S)));
    assert_eq!(half(&after, "black"), Place::Known(Half::At(Facing::N)));

    let after = act(&table(&json!({"wormhole_half": "ask"}), &setup), &go).unwrap();
    assert_eq!(
        ship(&after, "white").square(),
        &Place::Known(Square::new(7, 5))
    );
    assert_eq!(half(&after, "white"), Place::Unknown);
    assert_eq!(half(&after, "black"), Place::Unknown);
}

#[test]
fn passing_through_pushes_into_a_half_where_that_is_played() {
    let setup = json!({
        "ships": [{"id": "white", "square": [4,0], "facing": "N"},
                  {"id": "black", "square": [4,2], "facing": "E"}],
        "dice": [{"at": "white.helm.A", "means": "F1"}, {"at": "white.helm.B", "means": "F1"},
                 {"at": "white.helm.C", "means": "F1"}]});
    let half = |options: Value| {
        let after = act(
            &table(&options, &setup),
            &json!({"move": {"ship": "white"}}),
        )
        .unwrap();
        ship(&after, "black").half().clone()
    };
    let whole = Place::Known(Half::Whole);
    assert_eq!(half(json!({})), whole);
    assert_eq!(half(json!({"half_is_kept": true})), whole);
    // Alone again, it is simply in its square, unless halves are kept.
    assert_eq!(half(json!({"passing_takes_half": true})), whole);
    assert_eq!(
        half(json!({"passing_takes_half": true, "half_is_kept": true})),
        Place::Known(Half::At(Facing::N))
    );
}

fn with_gravity() -> Value {
    json!({
        "ships": [{"id": "white", "square": [4,0], "facing": "N"},
                  {"id": "black", "square": [9,7], "facing": "E"}],
        "dice": [{"at": "white.helm.A", "means": "F2"}, {"at": "white.helm.B", "means": "F1"},
                 {"at": "white.helm.C", "means": "F1"}],
        "tokens": [{"kind": "gravity-N", "at": "board[4,1]"},
                   {"kind": "gravity-N", "at": "board[4,2]"}]})
}

#[test]
fn gravity_counts_by_the_square_or_by_the_die() {
    for (each, saved) in [(true, 2), (false, 1)] {
        let options = json!({"original_tiles": true, "gravity_counts_each_square": each});
        let position = table(&options, &with_gravity());
        let after = act(&position, &json!({"move": {"ship": "white"}})).unwrap();
        let kept = ship(&after, "white")
            .dice(Spot::Energy(Station::Helm))
            .count();
        assert_eq!(kept.value(), Some(saved), "{each}");
    }
}

#[test]
fn a_saved_helm_die_is_turned_or_keeps_its_face() {
    for (rule, may) in [("any_face", true), ("as_rolled", false)] {
        let options = json!({"original_tiles": true, "saved_helm_die": rule});
        let position = table(&options, &with_gravity());
        let after = act(&position, &json!({"move": {"ship": "white"}})).unwrap();
        let place = |symbol: &str| {
            let die = json!({"place_saved": {"ship": "white", "slot": "A", "symbol": symbol}});
            act(&after, &die).is_ok()
        };
        assert!(place("F2"), "{rule}");
        assert_eq!(place("FU"), may, "{rule}");
    }
}
