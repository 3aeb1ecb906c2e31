//! The figures that were reached, on photographs that the models they are measured with never saw:
//! `models/held-out/SCENE` was trained without SCENE. Skipped, with a sentence, where the photographs
//! are not there.
#![cfg(all(feature = "vision", feature = "camera"))]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The folder of photographs; where it is not there, this is said past the harness, which keeps what a passing test prints
/// to itself.
fn photos() -> Option<PathBuf> {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/photos");
    if photos.join("tray.jsonl").is_file() {
        return Some(photos);
    }
    let _ = writeln!(
        std::io::stderr(),
        "skipped: the photographs are not there (looked for ../shared/photos/tray.jsonl)"
    );
    None
}

#[test]
fn held_out_scenes_are_read_no_worse_than_measured() {
    let Some(photos) = photos() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(["eval", "--json", "--photos"])
        .arg(&photos)
        .arg("--held-out")
        .arg(root.join("models/held-out"))
        .arg("--errata")
        .arg(root.join("models/errata.jsonl"))
        .output()
        .expect("the program starts");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = String::from_utf8_lossy(&out.stdout);
    println!("{text}");
    let pooled: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    assert_eq!(pooled["scene"], "pooled");
    let percent = |key: &str| pooled[key]["percent"].as_f64().expect("a share");
    assert!(
        pooled["dice"].as_u64().expect("a count") > 2000,
        "too few dice were counted"
    );
    // What is promised is 98, 98.5, 95, 0.3 and 0.1, and reached with these errata (models/README.md). A processor without
    // the same instructions rounds otherwise: two dice of some two thousand may fall the other way.
    const TWO: f64 = 0.1;
    assert!(percent("found") >= 98.0);
    assert!(percent("read_right") >= 98.5 - TWO);
    assert!(percent("sure") >= 95.0 - TWO);
    assert!(percent("wrong_and_sure") <= 0.3 + TWO);
    assert!(pooled["false_per_picture"].as_f64().expect("a number") <= 0.1);
}

/// From a photograph to a call, on one that was not made for this program.
#[test]
fn a_photograph_leads_to_calls() {
    let Some(photos) = photos() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(["read", "--json", "--copy"])
        .arg(root.join("calibration/copies/plain-dice"))
        .arg(photos.join("tray/00000.jpg"))
        .output()
        .expect("the program starts");
    assert!(out.status.success());
    let report: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let dice = report["dice"].as_array().expect("dice");
    let sure = dice.iter().filter(|d| d["status"] == "sure").count();
    assert!(sure >= 15, "{sure} of its 22 dice");
    let calls = report["calls"].as_array().expect("calls");
    assert!(calls.len() >= sure, "a call for each die: {calls:?}");
}

/// An owner's evening with a copy that nothing was trained on: enrolled unattended, and its tables read.
#[test]
fn an_invented_copy_is_read_no_worse_than_measured() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/table-photos");
    if !tables.join("owner.json").is_file() {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: the pictures of tables are not there (looked for ../shared/table-photos/owner.json)"
        );
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let copy = dir.path().join("copy");
    let run = |args: &[&Path]| {
        let mut sightline = Command::new(env!("CARGO_BIN_EXE_sightline"));
        let out = sightline.args(args).output().expect("the program starts");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{said}");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let word = Path::new;
    run(&[
        word("enrol"),
        word("--from"),
        &tables,
        word("--copy"),
        &copy,
    ]);
    let team = tables.join("team");
    let text = run(&[
        word("eval"),
        word("--json"),
        word("--scenes"),
        &team,
        word("--copy"),
        &copy,
    ]);
    let pooled: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    let percent = |figure: &Value| figure["percent"].as_f64().expect("a share");
    let readable = &pooled["readable"];
    // as calibration/figures.md has them, and two dice or displays the other way
    assert!(percent(&readable["right"]) >= 98.4, "{text}");
    assert!(percent(&readable["sure"]) >= 95.3, "{text}");
    assert!(
        pooled["dice_wrong_and_sure"]["count"]
            .as_u64()
            .expect("a count")
            <= 3,
        "{text}"
    );
    assert_eq!(pooled["zones_wrong_and_sure"]["count"], 0, "{text}");
    assert!(percent(&pooled["displays_exact"]) >= 91.5, "{text}");
}
