//! `sightline judge` as a user meets it: what is printed, what is refused, in which words and
//! with which status. Needs no camera, no models and no window.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use sightline::rules::dice_duel::{EXAMPLE_ACTION, EXAMPLE_STATE};

fn sightline(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(args)
        .output()
        .expect("the program starts")
}

fn judge(args: &[&str]) -> Output {
    sightline(&[&["judge", "--game", "dice-duel"], args].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// One sentence on standard error, nothing on standard output, the status of what a user can
/// mend.
fn refused(out: &Output) -> String {
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert_eq!(text(&out.stdout), "");
    assert_eq!(err.lines().count(), 1, "one sentence: {err}");
    assert!(
        err.starts_with("sightline: ") && !err.contains("panicked"),
        "{err}"
    );
    err
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

fn state(folder: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let mut state: Value = serde_json::from_str(EXAMPLE_STATE).unwrap();
    change(&mut state);
    written(folder, "state.json", state.to_string().as_bytes())
}

#[test]
fn bad_input_is_one_sentence_that_names_file_and_path() {
    let dir = tempfile::tempdir().unwrap();
    let said = |change: fn(&mut Value)| {
        let path = state(dir.path(), change);
        let said = refused(&judge(&["--json", path.to_str().unwrap()]));
        let start = format!("sightline: {}: ", path.display());
        said.strip_prefix(&start)
            .unwrap_or_else(|| panic!("{said}"))
            .to_string()
    };
    let unknown = said(|s| s["setup"]["dice"][0]["colour"] = json!("red"));
    assert!(
        unknown.starts_with("setup.dice[0].colour: unknown field"),
        "{unknown}"
    );
    let off = said(|s| s["setup"]["ships"][0]["square"] = json!([4, 8]));
    assert_eq!(
        off,
        "setup.ships[0].square: [4,8] is off the map: the map has 10 by 8 squares\n"
    );
    let seven = said(|s| s["setup"]["ships"][1]["damage"] = json!({"dice": 7}));
    assert_eq!(
        seven,
        "setup.ships[1].damage: 7 dice and crystals of damage, but 4 destroy a ship\n"
    );
    let listed = said(|s| {
        for n in 1..=7 {
            let die = json!({"at": format!("white.damage.{n}"), "means": "1"});
            s["setup"]["dice"].as_array_mut().unwrap().push(die);
        }
    });
    assert!(listed.starts_with("setup.dice[16].at: "), "{listed}");
    let broken = written(dir.path(), "broken.json", b"{\"setup\": {\"ships\": [}");
    let said = refused(&judge(&["--json", broken.to_str().unwrap()]));
    assert!(
        said.contains("setup.ships") && said.contains("line 1"),
        "{said}"
    );
    let missing = dir.path().join("missing.json");
    assert!(refused(&judge(&["--json", missing.to_str().unwrap()])).contains("missing.json"));
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_unread() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("huge.json");
    // A hole: it has the size and takes no room.
    File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let from = std::time::Instant::now();
    let said = refused(&judge(&["--json", path.to_str().unwrap()]));
    assert!(
        said.contains("huge.json") && said.contains("larger than"),
        "{said}"
    );
    assert!(from.elapsed().as_secs() < 10);
    // Also where it is well-formed all along, and where it comes as an action.
    let many = format!("{{\"setup\":{{\"dice\":[{}", "null,".repeat(1 << 20));
    let path = written(dir.path(), "many.json", many.as_bytes());
    refused(&judge(&["--json", path.to_str().unwrap()]));
    let good = state(dir.path(), |_| {});
    let (good, huge) = (good.to_str().unwrap(), path.to_str().unwrap());
    let said = refused(&judge(&["--json", "--action", huge, good]));
    assert!(said.contains("many.json"), "{said}");
}

#[test]
fn the_example_is_judged_played_on_and_explained() {
    let dir = tempfile::tempdir().unwrap();
    let out = judge(&["--example"]);
    assert_eq!(text(&out.stdout).trim_end(), EXAMPLE_STATE.trim_end());
    let state = written(dir.path(), "state.json", &out.stdout);
    let state = state.to_str().unwrap();
    let out = judge(&["--json", state]);
    assert_eq!(out.status.code(), Some(0));
    let judged: Value = serde_json::from_slice(&out.stdout).unwrap();
    for key in ["state", "problems", "calls"] {
        assert!(!judged[key].is_null(), "{key}");
    }
    let action = written(dir.path(), "action.json", EXAMPLE_ACTION.as_bytes());
    let action = action.to_str().unwrap();
    let out = judge(&["--json", "--action", action, state]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let after: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(after["state"]["setup"]["flow"]["stop"]["freeze"], "fire");
    assert_eq!(
        after["calls"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|c| c["call"] == "damage")
            .count(),
        1
    );
    // What was printed is a state again, and the same action is refused there with its reason.
    let again = written(
        dir.path(),
        "after.json",
        after["state"].to_string().as_bytes(),
    );
    let said = refused(&judge(&[
        "--json",
        "--action",
        action,
        again.to_str().unwrap(),
    ]));
    assert!(
        said.contains("action.json") && said.contains("Dice Duel"),
        "{said}"
    );
    let out = judge(&["--explain", state]);
    let said = text(&out.stdout);
    assert!(said.contains("white: fire 1 at black: hit"), "{said}");
    assert!(
        said.contains("[Launching Torpedoes, A: do they hit]"),
        "{said}"
    );
}

#[test]
fn a_state_comes_from_standard_input_too() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(["judge", "--game", "dice-duel", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(EXAMPLE_STATE.as_bytes())
        .unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    serde_json::from_slice::<Value>(&out.stdout).unwrap();
}

#[test]
fn the_schemas_are_printed_with_an_example() {
    for name in ["setup", "state", "action", "judgement"] {
        let out = sightline(&["schema", name, "--game", "dice-duel"]);
        assert_eq!(out.status.code(), Some(0), "{name}: {}", text(&out.stderr));
        let schema: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert!(schema["$schema"].is_string(), "{name}");
        assert!(schema["examples"][0].is_object(), "{name}");
    }
}
