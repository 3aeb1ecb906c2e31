//! `sightline enrol` as an owner meets it: any names, photographs of other things, fields that are none.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "vision", feature = "camera"))]

use std::{fs, path::Path, process::Command};

use image::{Rgb, RgbImage, imageops};

/// A die of the plain copy from straight above, on a plain ground.
fn die(folder: &Path, name: &str, face: &str) {
    let picture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("calibration/copies/plain-dice/faces")
        .join(format!("{face}.png"));
    let shown = image::open(picture).expect("a face").to_rgb8();
    let (w, h) = shown.dimensions();
    // the face without the margin round it
    let m = (f64::from(w) * 0.2 / 1.4).round() as u32;
    let shown = imageops::crop_imm(&shown, m, m, w - 2 * m, h - 2 * m).to_image();
    let mut ground = RgbImage::from_pixel(480, 480, Rgb([70, 120, 90]));
    let at = i64::from((480 - shown.width()) / 2);
    imageops::overlay(&mut ground, &shown, at, at);
    let soft = imageops::blur(&ground, 1.0);
    soft.save(folder.join(format!("{name}.png")))
        .expect("saved");
}

/// A card: wide, plain, with a square on it.
fn card(folder: &Path, name: &str) {
    let mut picture = RgbImage::from_pixel(480, 480, Rgb([70, 120, 90]));
    let mut fill = |[x, y, w, h]: [u32; 4], colour: [u8; 3]| {
        let part = RgbImage::from_pixel(w, h, Rgb(colour));
        imageops::overlay(&mut picture, &part, i64::from(x), i64::from(y));
    };
    fill([60, 110, 360, 260], [230, 225, 210]);
    fill([90, 150, 90, 90], [40, 60, 140]);
    picture
        .save(folder.join(format!("{name}.png")))
        .expect("saved");
}

#[test]
fn an_owners_own_names_do_and_what_is_amiss_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let photographs = dir.path().join("enrol");
    fs::create_dir(&photographs).expect("made");
    for (name, face) in [
        ("die_spark_uno_1", "1-a"),
        ("die_spark_uno_2", "1-b"),
        ("die_spark_uno_3", "1-e"),
        ("die_spark_due_1", "2-a"),
        ("die_spark_due_2", "2-b"),
        // another face
        ("die_spark_due_3", "5-a"),
    ] {
        die(&photographs, name, face);
    }
    card(&photographs, "die_spark_tre_1");
    fs::write(photographs.join("die_spark_uno_2.corners.json"), "[[1, 2]]").expect("written");
    let owner = serde_json::json!({
        "die_mm": 16, "die_milimetres": 16, "faces": {"spark": ["uno", "due", "due", "tre", "sei"]},
        "kinds": {"spark": "energy"},
        "symbols": {"spark": {"uno": "1", "due": "2", "tre": "3", "sei": "6"}},
        "dice_per_team": {"spark": 5}, "rules": {"numbers": {"hull": 6}},
    });
    fs::write(dir.path().join("owner.json"), owner.to_string()).expect("written");
    let copy = dir.path().join("copy");
    let out = Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(["enrol", "--from"])
        .arg(dir.path())
        .arg("--copy")
        .arg(&copy)
        .output()
        .expect("the program starts");
    let (said, printed) = (
        String::from_utf8_lossy(&out.stderr).into_owned(),
        String::from_utf8_lossy(&out.stdout).into_owned(),
    );
    assert_eq!(out.status.code(), Some(2), "{said}");
    for amiss in [
        "owner.json:1: die_milimetres: nothing is known of such a field",
        "die_spark_uno_2.corners.json:1: four corners are wanted",
        "die_spark_due_3: is unlike the other photographs of this face",
    ] {
        assert!(said.contains(amiss), "{amiss}: {said}");
    }
    assert!(said.contains("die_spark_tre_1"), "a card is no die: {said}");
    let missing = printed.lines().last().expect("a last line");
    assert!(
        missing.starts_with("still missing: ") && missing.contains("die_spark_sei_1"),
        "{printed}"
    );
    let written = sightline::copy::load(&copy).expect("a copy");
    let [spark] = written.dice.as_slice() else {
        panic!("one kind: {:?}", written.dice);
    };
    assert_eq!(spark.means.as_deref(), Some("energy"));
    let means: Vec<(&str, u32, usize)> = spark
        .faces
        .iter()
        .map(|f| (f.means.as_str(), f.count, f.pictures.len()))
        .collect();
    assert_eq!(&means[..2], [("1", 1, 2), ("2", 2, 2)]);
    assert_eq!((spark.each, written.rules.is_some()), (Some(5), true));
}

/// What `enrol` says of a folder with this `owner.json`; its status, too.
fn said_of(folder: &Path, owner: &serde_json::Value) -> (Option<i32>, String) {
    let text = serde_json::to_string_pretty(owner).expect("text");
    fs::write(folder.join("owner.json"), text).expect("written");
    let out = Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(["enrol", "--from"])
        .arg(folder)
        .arg("--copy")
        .arg(folder.join("copy"))
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    (out.status.code(), said)
}

#[test]
fn a_copy_is_a_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("copy"), "text").expect("written");
    let (code, said) = said_of(dir.path(), &serde_json::json!({}));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("copy: is a file: name a folder"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_copy_of_which_nothing_was_photographed_yet_lacks_everything() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("enrol")).expect("made");
    let owner =
        serde_json::json!({"die_mm": 16, "faces": {"energy": ["1", "2", "3", "4", "5", "6"]}});
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(!said.contains("cannot be written"), "{said}");
    assert!(dir.path().join("copy/copy.toml").is_file(), "{said}");
    assert!(!said.contains("beside owner.json"), "{said}");
    assert!(!said.contains("copy.toml.before"), "{said}");
    // what somebody wrote into it is kept
    let file = dir.path().join("copy/copy.toml");
    let mut words = fs::read_to_string(&file).expect("read");
    words.push_str("# our own\n");
    fs::write(&file, &words).expect("written");
    let (_, said) = said_of(dir.path(), &owner);
    assert!(said.contains("copy.toml.before"), "{said}");
    let before = fs::read_to_string(dir.path().join("copy/copy.toml.before"));
    assert_eq!(before.expect("kept"), words);
    words.push_str("# and more\n");
    fs::write(&file, &words).expect("written");
    said_of(dir.path(), &owner);
    let second = fs::read_to_string(dir.path().join("copy/copy.toml.before-2"));
    assert_eq!(second.expect("kept"), words);
    // one folder too high, and a picture of something else
    die(dir.path(), "die_energy_1_1", "1-a");
    die(dir.path(), "holiday", "1-a");
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("enrol: of those that lie beside owner.json 1 would serve"),
        "{said}"
    );
}

#[test]
fn corners_of_another_photograph_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let photographs = dir.path().join("enrol");
    fs::create_dir(&photographs).expect("made");
    die(&photographs, "die_energy_1_1", "1-a");
    let far = "[[2000, 2000], [2300, 2000], [2300, 2300], [2000, 2300]]";
    fs::write(photographs.join("die_energy_1_1.corners.json"), far).expect("written");
    let owner =
        serde_json::json!({"die_mm": 16, "faces": {"energy": ["1", "2", "3", "4", "5", "6"]}});
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("lie outside it"), "{said}");
    assert!(said.contains("die_energy_1_1.corners.json"), "{said}");
}

#[test]
fn a_wrong_word_is_said_before_any_photograph_is_opened() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owner = serde_json::json!({
        "die_mm": 16, "faces": {"energy": ["1", "2", "3", "4", "5", "6"]},
        "symbols": {"energy": {"6": "NOSE"}},
        "tokens": {"rock": {"size_mm": 40, "means": "asteroids"}},
    });
    // there are no photographs at all
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("owner.json:20: tokens.rock.means: \"asteroids\" is nothing to the rules"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    owner["tokens"]["rock"]["means"] = "asteroid".into();
    // what only the whole copy shows to be wrong
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("owner.json:15: symbols.energy.6: means of face \"6\" of kind \"energy\""),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    // with other words, the photographs are what is missing
    owner["symbols"]["energy"]["6"] = "6".into();
    let (code, said) = said_of(dir.path(), &owner);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("the photographs lie in the folder enrol"),
        "{said}"
    );
}

#[test]
fn many_photographs_that_nothing_asks_for_are_one_line() {
    let dir = tempfile::tempdir().expect("a folder");
    let photographs = dir.path().join("enrol");
    fs::create_dir(&photographs).expect("made");
    die(&photographs, "die_spark_1_1", "1-a");
    for n in 1..=4 {
        die(&photographs, &format!("die_sparks_{n}_1"), "2-a");
    }
    let owner = serde_json::json!({
        "die_mm": 16, "faces": {"spark": ["1"]}, "kinds": {"spark": "energy"}, "card_mm": [150, 110],
        "displays": {"helm": {"A": [[1, 1], [30, 1], [30, 30], [1, 30]]}}, "absent": ["helm/C"],
    });
    let (_, said) = said_of(dir.path(), &owner);
    let unasked: Vec<&str> = said.lines().filter(|l| l.contains("die_sparks")).collect();
    let [unasked] = unasked.as_slice() else {
        panic!("one line: {said}");
    };
    assert!(unasked.contains("die_sparks_1_1, die_sparks_2_1"), "{said}");
    assert_eq!(
        said.matches("no outline of energy, B of helm").count(),
        1,
        "{said}"
    );
}

#[test]
fn corners_of_another_photograph_are_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let photographs = dir.path().join("enrol");
    fs::create_dir(&photographs).expect("made");
    die(&photographs, "die_spark_uno_1", "1-a");
    let corners = photographs.join("die_spark_uno_1.corners.json");
    fs::write(&corners, "[[10, 10], [70, 10], [70, 70], [10, 70]]").expect("written");
    let owner = serde_json::json!({
        "die_mm": 16, "faces": {"spark": ["uno"]}, "kinds": {"spark": "energy"}, "symbols": {"spark": {"uno": "1"}},
    });
    let elsewhere = "die_spark_uno_1: is cut out by the corners that were given";
    let (_, said) = said_of(dir.path(), &owner);
    assert!(said.contains(elsewhere), "{said}");
    fs::remove_file(&corners).expect("gone");
    let (_, said) = said_of(dir.path(), &owner);
    assert!(!said.contains(elsewhere), "{said}");
}
