//! The program as a user meets it: what it prints, what it refuses, in which words and with which status.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "vision", feature = "camera"))]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn plain() -> PathBuf {
    root().join("calibration/copies/plain-dice")
}

fn sightline(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sightline"))
        .args(args)
        .env_remove("OPENCV_FFMPEG_LOGLEVEL")
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One sentence on standard error, no panic, the status of what a user can mend.
fn refused(out: &Output) -> String {
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert_eq!(err.lines().count(), 1, "one sentence: {err}");
    assert!(
        err.starts_with("sightline: ") && !err.contains("panicked"),
        "{err}"
    );
    err
}

fn read(images: &[&Path]) -> Output {
    let copy = plain();
    let mut args = vec!["read", "--copy", copy.to_str().expect("utf-8"), "--json"];
    args.extend(images.iter().map(|p| p.to_str().expect("utf-8")));
    sightline(&args)
}

fn lines(out: &Output) -> Vec<Value> {
    text(&out.stdout)
        .lines()
        .map(|l| serde_json::from_str(l).expect("a JSON line"))
        .collect()
}

/// A still of the demo's clip, where all dice lie: known from how the clip is made.
fn still(folder: &Path) -> PathBuf {
    use opencv::{core::Vector, imgcodecs, prelude::*, videoio};
    let clip = root().join("calibration/demo/energy.mp4");
    let mut video =
        videoio::VideoCapture::from_file(clip.to_str().expect("utf-8"), videoio::CAP_FFMPEG)
            .expect("videoio");
    let mut frame = opencv::core::Mat::default();
    for _ in 0..40 {
        assert!(video.read(&mut frame).expect("a frame"));
    }
    let path = folder.join("still.png");
    imgcodecs::imwrite(path.to_str().expect("utf-8"), &frame, &Vector::new()).expect("written");
    path
}

#[test]
fn a_picture_of_white_dice_leads_to_calls() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = read(&[&still(dir.path())]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let line = lines(&out).remove(0);
    for key in [
        "image", "size", "surfaces", "dice", "minis", "tokens", "setup", "problems", "calls",
    ] {
        assert!(line.get(key).is_some(), "no {key} in {line}");
    }
    let mut sure: Vec<&str> = line["dice"]
        .as_array()
        .expect("dice")
        .iter()
        .filter(|d| d["status"] == "sure")
        .filter_map(|d| d["face"].as_str())
        .collect();
    sure.sort_unstable();
    // light has eaten the pips of the red five: it may be read, but never as anything else
    sure.retain(|face| *face != "5");
    assert_eq!(sure, ["2", "4", "6", "6"]);
    let said: Vec<&str> = line["calls"]
        .as_array()
        .expect("calls")
        .iter()
        .filter_map(|c| c["text"].as_str())
        .collect();
    assert!(said.contains(&"energy die 4 → Shields"), "{said:?}");
    assert_eq!(
        said.iter().filter(|s| **s == "six: roll again").count(),
        2,
        "{said:?}"
    );
    // the blue die has numerals: it is none of this copy's, and is never read as sure
    assert!(line["dice"].as_array().expect("dice").len() >= 5);
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let good = still(dir.path());
    let broken = dir.path().join("broken.jpg");
    fs::write(&broken, b"").expect("written");
    let out = read(&[&good, &broken, &good]);
    let err = refused(&out);
    assert!(err.contains("broken.jpg"), "{err}");
    assert_eq!(lines(&out).len(), 2);

    let half = dir.path().join("half.png");
    let bytes = fs::read(&good).expect("read");
    fs::write(&half, &bytes[..bytes.len() / 2]).expect("written");
    assert!(refused(&read(&[&half])).contains("half.png"));
    assert!(refused(&read(&[&dir.path().join("none.png")])).contains("none.png"));
}

#[test]
fn a_wrong_copy_names_file_line_and_field() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(
        dir.path().join("copy.toml"),
        "format = 1\nname = \"x\"\ngame = \"dice-duel\"\nsize = 3\ndice = []\n",
    )
    .expect("written");
    let folder = dir.path().to_str().expect("utf-8");
    let err = refused(&sightline(&["read", "--copy", folder, "--json", "a.png"]));
    assert!(err.contains("copy.toml:4: unknown field `size`"), "{err}");
    let err = refused(&sightline(&[
        "read",
        "--copy",
        "no/such/folder",
        "--json",
        "a.png",
    ]));
    assert!(err.contains("no/such/folder"), "{err}");
}

#[test]
fn a_model_that_does_not_match_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let models = dir.path().to_str().expect("utf-8");
    let copy = plain();
    let with = || {
        sightline(&[
            "read",
            "--copy",
            copy.to_str().expect("utf-8"),
            "--json",
            "--models",
            models,
            "a.png",
        ])
    };
    let detector = dir.path().join("dice-detector.onnx");
    assert!(refused(&with()).contains("dice-detector.onnx"));
    fs::write(&detector, b"not a model").expect("written");
    assert!(refused(&with()).contains("not an ONNX model"));
    // the reader in the detector's place: another model, with other inputs
    fs::copy(root().join("models/dice-reader.onnx"), &detector).expect("copied");
    let err = refused(&with());
    assert!(
        err.contains("dice-reader") && err.contains("dice-detector"),
        "{err}"
    );
    fs::write(&detector, b"").expect("written");
    assert!(refused(&with()).contains("is empty (0 bytes)"));
}

/// A copy of the detector with some of its bytes replaced by as many others.
fn altered_detector(folder: &Path, from: &[u8], to: &[u8]) {
    let mut bytes = fs::read(root().join("models/dice-detector.onnx")).expect("read");
    let at = bytes.windows(from.len()).position(|w| w == from);
    let at = at.expect("the model is as this test knows it");
    assert_eq!(from.len(), to.len());
    bytes[at..at + to.len()].copy_from_slice(to);
    fs::write(folder.join("dice-detector.onnx"), bytes).expect("written");
    for other in ["dice-reader.onnx", "face-refiner.onnx"] {
        fs::copy(root().join("models").join(other), folder.join(other)).expect("copied");
    }
}

fn read_with(models: &Path, image: &Path) -> Output {
    let copy = plain();
    let [copy, models, image] = [&copy, models, image].map(|p| p.to_str().expect("utf-8"));
    sightline(&["read", "--copy", copy, "--json", "--models", models, image])
}

/// Right in name, kind and version, but its pictures are of one height: the dimension `h`
/// (`dim_param`, field 2) becomes 64 (`dim_value`, field 1, a number in two bytes).
#[test]
fn a_model_with_other_inputs_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    altered_detector(
        dir.path(),
        b"images\x12\x18\n\x16\x08\x01\x12\x12\n\x02\x08\x01\n\x02\x08\x03\n\x03\x12\x01h",
        b"images\x12\x18\n\x16\x08\x01\x12\x12\n\x02\x08\x01\n\x02\x08\x03\n\x03\x08\xC0\x00",
    );
    let err = refused(&read_with(dir.path(), Path::new("a.png")));
    assert!(
        err.contains("dice-detector.onnx: its input is [1, 3, 64, -1]"),
        "{err}"
    );
}

/// Weights of the layer that says where dice are, as no numbers: layers in 8 bits have none that could be.
#[test]
fn a_model_that_answers_with_no_numbers_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let good = fs::read(root().join("models/dice-detector.onnx")).expect("read");
    let name = b"heat.1.weightJ\x80\x01";
    let at = good
        .windows(name.len())
        .position(|w| w == name)
        .expect("its last layer");
    let weights = &good[at..at + name.len() + 16];
    let nan = [&name[..], &f32::NAN.to_le_bytes().repeat(4)].concat();
    altered_detector(dir.path(), weights, &nan);
    let err = refused(&read_with(dir.path(), &still(dir.path())));
    assert!(
        err.contains("dice-detector.onnx: the model is damaged"),
        "{err}"
    );
}

#[test]
fn what_cannot_be_written_is_said_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("missing/a.pdf");
    let err = refused(&sightline(&[
        "print",
        "charuco",
        "--out",
        out.to_str().expect("utf-8"),
    ]));
    assert!(
        err.contains("a.pdf: cannot be written: the folder"),
        "{err}"
    );
}

/// A pipe that nobody writes into would be waited for without end.
#[test]
#[cfg(unix)]
fn pipes_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let pipe = |name: &str| {
        let path = dir.path().join(name);
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        path.to_str().expect("utf-8").to_owned()
    };
    let (copy, folder) = (plain(), dir.path().to_str().expect("utf-8"));
    let copy = copy.to_str().expect("utf-8");
    pipe("copy.toml");
    let (rig, video) = (pipe("rig.toml"), pipe("a.mp4"));
    pipe("dice-detector.onnx");
    for (args, part) in [
        (vec!["read", "--copy", folder, "a.png"], "copy.toml"),
        (
            vec!["read", "--copy", copy, "--rig", &rig, "a.png"],
            "rig.toml",
        ),
        (
            vec!["read", "--copy", copy, "--models", folder, "a.png"],
            "dice-detector.onnx",
        ),
        (
            vec!["run", "--copy", copy, "--json", "--video", &video],
            "a.mp4",
        ),
    ] {
        let err = refused(&sightline(&args));
        assert!(err.contains(part), "{err}");
    }
}

#[test]
fn a_rate_of_nothing_is_refused_with_what_is_possible() {
    let copy = plain();
    let err = refused(&sightline(&[
        "run",
        "--json",
        "--copy",
        copy.to_str().expect("utf-8"),
        "--images",
        ".",
        "--fps",
        "0",
    ]));
    assert!(err.contains("above 0"), "{err}");
}

/// Two recordings of one table: whose each is must be said, and then every line says it, too.
#[test]
fn several_recordings_are_told_apart_by_their_cameras() {
    let dir = tempfile::tempdir().expect("a folder");
    let plain = plain();
    let mut args = vec![
        "run",
        "--json",
        "--fps",
        "4",
        "--copy",
        plain.to_str().expect("text"),
    ];
    let folders = ["left", "right"].map(|name| {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).expect("a folder");
        let picture = still(&folder);
        for k in 0..5 {
            fs::copy(&picture, folder.join(format!("again-{k}.png"))).expect("copied");
        }
        folder.to_str().expect("text").to_owned()
    });
    for folder in &folders {
        args.extend(["--images", folder]);
    }
    let said = refused(&sightline(&args));
    assert!(
        said.contains("2 recordings") && said.contains("--as"),
        "{said}"
    );
    let rig = dir.path().join("rig.toml");
    let two = "format = 2\n[[cameras]]\nid = \"left\"\nsize_px = [1280, 720]\n[[cameras]]\nid = \"right\"\nsize_px = [1280, 720]\n";
    fs::write(&rig, two).expect("written");
    args.extend([
        "--rig",
        rig.to_str().expect("text"),
        "--as",
        "left",
        "--as",
        "right",
    ]);
    let out = sightline(&args);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let placed = |camera: &str| {
        let events = lines(&out).into_iter().filter(|l| l["type"] == "event");
        let placed = events.filter(|l| l["change"] == "placed" && l["camera"] == camera);
        placed.count()
    };
    assert!(placed("left") >= 4, "{}", text(&out.stdout));
    assert_eq!(placed("left"), placed("right"));
}

/// Watches through cameras of which none is there.
fn without(cameras: &[&str]) -> Output {
    let copy = plain();
    let mut args = vec!["run", "--json", "--copy", copy.to_str().expect("utf-8")];
    args.extend(cameras.iter().flat_map(|id| ["--camera", id]));
    sightline(&args)
}

#[test]
fn a_missing_camera_is_one_sentence() {
    let err = refused(&without(&["no-such-camera"]));
    assert!(err.contains("no-such-camera"), "{err}");
}

#[test]
fn each_missing_camera_of_several_is_named() {
    let both = ["no-such-camera", "nor-such-one"];
    let out = without(&both);
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    for id in both {
        assert_eq!(err.matches(id).count(), 1, "{err}");
    }
}

#[test]
fn a_lens_that_cannot_be_written_is_refused_before_any_view() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("no-folder").join("lens.yaml");
    let err = refused(&sightline(&[
        "calibrate",
        "--images",
        dir.path().to_str().expect("utf-8"),
        "--out",
        out.to_str().expect("utf-8"),
    ]));
    assert!(err.contains("lens.yaml"), "{err}");
}

#[test]
fn the_demo_calls_the_game_and_says_the_same_twice() {
    let run = || sightline(&["demo", "--headless", "--pips"]);
    let (one, two) = (run(), run());
    assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout), text(&two.stdout));
    let calls: Vec<Value> = lines(&one)
        .into_iter()
        .filter(|l| l["type"] == "call")
        .collect();
    let sure = |text: &str| calls.iter().any(|c| c["text"] == text);
    for call in [
        "energy die 4 → Shields",
        "energy die 2 → Sensors",
        "six: roll again",
        "energy die 1 → Weapons",
        "energy die 3 → Tractor",
    ] {
        assert!(sure(call), "never said: {call}\n{}", text(&one.stdout));
    }
    let placed = lines(&one)
        .iter()
        .filter(|l| l["change"] == "placed")
        .count();
    assert!(placed >= 6, "{placed} dice were placed");
    for call in &calls {
        let dice = call["dice"].as_array().expect("dice");
        assert_eq!(dice.len(), 1, "of no die: {call}");
        assert_ne!(call["text"], "energy die 1|2|3|4|5|6: unsure", "{call}");
    }
    // what is taken back was said before, and not taken back yet
    let mut standing: Vec<[&Value; 2]> = Vec::new();
    let all = lines(&one);
    for line in &all {
        let said = [&line["text"], &line["dice"]];
        match line["type"].as_str() {
            Some("call") => standing.push(said),
            Some("over") => {
                let at = standing.iter().position(|s| *s == said);
                standing.remove(at.unwrap_or_else(|| panic!("never said: {line}")));
            }
            _ => {}
        }
    }
    assert!(
        standing.len() < calls.len(),
        "in the clip dice are taken away, but no call was"
    );
}

#[test]
fn a_cut_video_gives_what_it_holds_and_one_sentence() {
    let dir = tempfile::tempdir().expect("a folder");
    let cut = dir.path().join("cut.mp4");
    fs::write(&cut, b"").expect("written");
    let copy = plain();
    let run = || {
        sightline(&[
            "run",
            "--json",
            "--copy",
            copy.to_str().expect("utf-8"),
            "--video",
            cut.to_str().expect("utf-8"),
        ])
    };
    assert!(refused(&run()).contains("cut.mp4"));
    // a container whose index comes first, cut in mid-frame
    let clip = fs::read(root().join("tests/data/b_frames_24.mp4")).expect("the clip");
    fs::write(&cut, &clip[..clip.len() * 3 / 4]).expect("written");
    assert!(refused(&run()).contains("cut.mp4"));
}

#[test]
fn schemas_are_json() {
    for name in [
        "read",
        "copy",
        "rig",
        "setup",
        "line",
        "live",
        "declaration",
    ] {
        let out = sightline(&["schema", name]);
        assert_eq!(out.status.code(), Some(0));
        let schema: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        assert!(schema.get("$schema").is_some());
    }
}

/// What somebody fills in by hand is described field by field.
#[test]
fn every_field_of_a_file_is_described() {
    for name in ["copy", "owner", "rig"] {
        let out = sightline(&["schema", name]);
        let schema: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let tables = schema["$defs"].as_object().expect("tables");
        for (table, of) in tables.iter().chain([(&name.to_owned(), &schema)]) {
            for (field, about) in of["properties"].as_object().into_iter().flatten() {
                let described = about.get("description").is_some();
                assert!(described, "{name}: {table}.{field} has no description");
            }
        }
    }
}

#[test]
fn every_reference_in_a_schema_leads_somewhere() {
    fn check(part: &Value, root: &Value) {
        match part {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    let path = reference.strip_prefix('#').expect("a local reference");
                    assert!(root.pointer(path).is_some(), "{reference} leads nowhere");
                }
                fields.values().for_each(|v| check(v, root));
            }
            Value::Array(values) => values.iter().for_each(|v| check(v, root)),
            _ => {}
        }
    }
    for game in ["dice-duel", "diceland", "thunderstruck", "nearspace"] {
        for name in ["setup", "state", "action", "judgement"] {
            let out = Command::new(env!("CARGO_BIN_EXE_sightline"))
                .args(["schema", name, "--game", game])
                .output()
                .expect("the program starts");
            assert!(out.status.success(), "{game} {name}");
            let schema: Value = serde_json::from_slice(&out.stdout).expect("JSON");
            check(&schema, &schema);
        }
    }
}

#[test]
fn the_practice_set_is_printed() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("practice.pdf");
    let file = out.to_str().expect("utf-8");
    for paper in ["a4", "letter"] {
        let printed = sightline(&["print", "practice", "--paper", paper, "--out", file]);
        assert!(printed.status.success(), "{}", text(&printed.stderr));
        assert!(text(&printed.stdout).contains("practice.pdf: 23 pages"));
        assert!(fs::read(&out).expect("written").starts_with(b"%PDF-"));
    }
    let empty = dir.path().to_str().expect("utf-8");
    let err = refused(&sightline(&[
        "print", "practice", "--copy", empty, "--out", file,
    ]));
    assert!(err.contains("print.toml: there is no such file"), "{err}");
    let err = refused(&sightline(&[
        "print", "charuco", "--copy", empty, "--out", file,
    ]));
    assert!(err.contains("--copy goes with `print practice`"), "{err}");
}
