//! What a person hands in: a sentence that names the path, and an example that can be edited.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};
use sightline::rules::dice_duel::*;
use sightline::rules::{Core as _, Document, InputError, MAX_INPUT_BYTES, from_json};

fn example() -> Value {
    serde_json::from_str(EXAMPLE_STATE).unwrap()
}

fn refused(state: &Value) -> String {
    let bytes = serde_json::to_vec(state).unwrap();
    State::from_json(&bytes).expect_err("refused").to_string()
}

#[test]
fn an_unknown_field_is_named_with_its_path() {
    let mut state = example();
    state["setup"]["ships"][1]["colour"] = json!("red");
    let said = refused(&state);
    assert!(
        said.starts_with("setup.ships[1].colour: unknown field `colour`"),
        "{said}"
    );
    let mut state = example();
    state["print"] = json!({"options": {"arcs": "wide"}});
    let said = refused(&state);
    assert!(
        said.starts_with("print.options.arcs: unknown field"),
        "{said}"
    );
    let said = from_json::<Action>(br#"{"fire": {"ship": "white", "torpedos": 1}}"#).unwrap_err();
    assert!(said.to_string().contains("torpedos"), "{said}");
}

#[test]
fn a_word_that_is_no_noun_is_named_with_its_path_and_what_to_write() {
    let mut state = example();
    state["setup"]["dice"][2]["at"] = json!("white.weapon.front-1.nose");
    let said = refused(&state);
    assert!(
        said.starts_with("setup.dice[2].at: \"white.weapon.front-1.nose\" is not a zone"),
        "{said}"
    );
    let mut state = example();
    state["setup"]["dice"][0]["means"] = json!(["NOSE", "nose"]);
    let said = refused(&state);
    assert!(
        said.starts_with("setup.dice[0].means: \"nose\" is not a symbol"),
        "{said}"
    );
    let mut state = example();
    state["setup"]["ships"][0]["facing"] = json!("up");
    assert!(refused(&state).starts_with("setup.ships[0].facing: \"up\" is not a facing"));
}

#[test]
fn what_no_table_can_hold_is_named_with_its_path() {
    let mut state = example();
    state["setup"]["ships"][1]["square"] = json!([10, 0]);
    assert_eq!(
        refused(&state),
        "setup.ships[1].square: [10,0] is off the map: the map has 10 by 8 squares"
    );
    let mut state = example();
    state["setup"]["ships"][1]["damage"] = json!({"dice": 7});
    assert_eq!(
        refused(&state),
        "setup.ships[1].damage: 7 dice and crystals of damage, but 4 destroy a ship"
    );
    let mut state = example();
    for n in 1..=7 {
        let die = json!({"at": format!("white.damage.{n}"), "means": "1"});
        state["setup"]["dice"].as_array_mut().unwrap().push(die);
    }
    let said = refused(&state);
    assert!(
        said.starts_with("setup.dice[16].at: 5 dice on the damage display of white"),
        "{said}"
    );
    let mut state = example();
    state["setup"]["ships"][1]["id"] = json!("white");
    assert!(refused(&state).starts_with("setup.ships[1].id: there are two ships named white"));
    let mut state = example();
    state["setup"]["tokens"][3]["at"] = json!("board[0,8]");
    assert!(refused(&state).starts_with("setup.tokens[3].at: [0,8] is off the map"));
    let mut state = example();
    state["print"] = json!({"board": {"cols": 0}});
    assert!(refused(&state).starts_with("print.board.cols: "));
    let mut state = example();
    state["print"] = json!({"dice": {"weapon": 200}});
    assert!(refused(&state).starts_with("print.dice.weapon: "));
}

#[test]
fn what_is_no_json_or_far_too_large_is_refused() {
    let huge = vec![b' '; MAX_INPUT_BYTES + 1];
    assert_eq!(State::from_json(&huge), Err(InputError::TooLarge));
    for broken in ["", "{", "[]x", "null", "{\"setup\": 3}", "{} {}", "\u{0}"] {
        let said = State::from_json(broken.as_bytes()).unwrap_err().to_string();
        assert!(said.contains("line 1"), "{broken:?}: {said}");
    }
    for (broken, what) in [
        (" ", "nothing stands here"),
        ("{", "breaks off"),
        ("hello", "this is no JSON"),
        ("{} {}", "trailing characters"),
    ] {
        let said = State::from_json(broken.as_bytes()).unwrap_err().to_string();
        assert!(said.contains(what), "{broken:?}: {said}");
        assert!(
            !said.contains("column 0") && !said.contains("(top)"),
            "{said}"
        );
    }
    let deep = "[".repeat(100_000);
    State::from_json(deep.as_bytes()).unwrap_err();
    // Large, but not too large: many claims, which are answered and not refused.
    let dice = vec![r#"{"at":"white.sensors.lock","means":"L1"}"#; 20_000].join(",");
    let many = format!(r#"{{"setup":{{"dice":[{dice}]}}}}"#);
    let judgement = State::from_json(many.as_bytes()).unwrap().judge();
    assert!(judgement.problems.iter().any(|p| p.fault == Fault::Crowded));
}

#[test]
fn the_example_is_judged_and_what_is_printed_can_be_read_again() {
    let state = State::from_json(EXAMPLE_STATE.as_bytes()).unwrap();
    let judgement = state.judge();
    let codes: Vec<String> = judgement.problems.iter().map(|p| p.to_string()).collect();
    assert_eq!(
        codes,
        ["white.sensors.lock: not sure what the die shows: L1|L2"]
    );
    let printed: Value = serde_json::from_str(&serde_json::to_string(&judgement).unwrap()).unwrap();
    assert_eq!(printed["problems"][0]["code"], "unsure_die");
    assert_eq!(printed["problems"][0]["where"], "white.sensors.lock");
    let shot = printed["calls"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["call"] == "launch" && c["ship"] == "white" && c["torpedoes"] == 1)
        .unwrap();
    assert_eq!(shot["verdict"], "hit");
    assert_eq!(shot["lock"], json!([5, 6]));
    assert_eq!(shot["need"], 4);
    assert_eq!(shot["odds"]["damage"], json!({"num": 1, "den": 2}));
    assert_eq!(shot["because"][0]["rule"]["game"], "dice-duel");
    let again = State::from_json(&serde_json::to_vec(&printed["state"]).unwrap()).unwrap();
    assert_eq!(again.judge().position, judgement.position);
    let text = judgement.to_string();
    assert!(text.contains("- white: energy die 4 → Shields"), "{text}");
    assert!(text.contains("- six: roll again"), "{text}");
    let action = from_json::<Action>(EXAMPLE_ACTION.as_bytes()).unwrap();
    let after = judgement.after(&action).unwrap();
    assert!(
        after
            .position
            .ship(ShipId::WHITE)
            .unwrap()
            .dice(Spot::Lock)
            .is_empty()
    );
}

/// Whether a schema allows a value, as far as these schemas go: enough to notice a field that is
/// not described.
#[test]
fn the_schemas_describe_every_field_of_the_examples() {
    let schema = serde_json::to_value(Core.schema(Document::State)).unwrap();
    let known = |name: &str, field: &str| {
        let of = if name.is_empty() {
            &schema
        } else {
            &schema["$defs"][name]
        };
        !of["properties"][field].is_null()
    };
    let state = example();
    for field in state.as_object().unwrap().keys() {
        assert!(known("", field), "{field}");
    }
    for field in state["setup"].as_object().unwrap().keys() {
        assert!(known("Setup", field), "{field}");
    }
    for (list, name) in [
        ("ships", "ShipSetup"),
        ("dice", "DieSetup"),
        ("tokens", "TokenSetup"),
    ] {
        for item in state["setup"][list].as_array().unwrap() {
            for field in item.as_object().unwrap().keys() {
                assert!(known(name, field), "{name}.{field}");
            }
        }
    }
    assert_eq!(schema["additionalProperties"], json!(false));
    let actions = serde_json::to_string(&Core.schema(Document::Action)).unwrap();
    for name in ["fire", "tractor", "warp_to", "correct", "resume"] {
        assert!(actions.contains(&format!("\"{name}\"")), "{name}");
    }
}

/// Facts are cited in our own words: no sentence of the rule texts is in the product. Where the
/// texts are at hand, every run of eight words of theirs is looked for in ours.
#[test]
fn no_sentence_of_the_rule_text_is_in_the_sources() {
    let root = env!("CARGO_MANIFEST_DIR");
    let Ok(rules) = std::fs::read_to_string(format!("{root}/../shared/rules/dice-duel.txt")) else {
        eprintln!("no rule text here: nothing to compare with");
        return;
    };
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let theirs: std::collections::HashSet<Vec<String>> =
        words(&rules).windows(8).map(<[String]>::to_vec).collect();
    let mut folders = vec![std::path::PathBuf::from(format!("{root}/src/rules"))];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap().replace("///", " ");
            for run in words(&text).windows(8) {
                assert!(
                    !theirs.contains(run),
                    "{}: {}",
                    path.display(),
                    run.join(" ")
                );
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 20);
}
