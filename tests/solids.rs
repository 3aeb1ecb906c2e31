//! Polyhedral dice: looked for where a copy has any, by a model that nobody else needs.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "vision")]

use std::{io::Write, path::Path};

use sightline::{
    capture::{Picture, still},
    copy::{self, Shape, Status},
    geometry::Quad,
    vision::{Effort, Enroller, Eye, Flaw, Sighting, models_folder},
};

/// The models in a folder of their own, without this one.
fn models_without(file: &str, to: &Path) {
    for entry in std::fs::read_dir(models_folder()).expect("models") {
        let from = entry.expect("a file").path();
        let name = from.file_name().expect("a name").to_owned();
        if from.extension().is_some_and(|e| e == "onnx") && name != *file {
            std::fs::copy(&from, to.join(name)).expect("copied");
        }
    }
}

#[test]
fn the_models_are_wanted_only_where_a_copy_has_such_dice() {
    for file in [
        "solid-detector.onnx",
        "solid-refiner.onnx",
        "solid-reader.onnx",
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        models_without(file, dir.path());
        let cubes = copy::load(&copy::shipped("plain-dice")).expect("a copy");
        Eye::open(dir.path(), &cubes, 1).expect("opened without");
        if file == "solid-refiner.onnx" {
            // there is one for all, the program's own
            continue;
        }
        let all = copy::load(&copy::shipped("polyhedral")).expect("a copy");
        let said = Eye::open(dir.path(), &all, 1).err().expect("refused");
        assert!(said.is_the_users());
        assert!(said.to_string().contains(file), "{said}");
    }
}

#[test]
fn a_refiner_of_cubes_is_none_of_other_dice() {
    let dir = tempfile::tempdir().expect("a folder");
    models_without("solid-refiner.onnx", dir.path());
    let cubes = dir.path().join("face-refiner.onnx");
    std::fs::copy(cubes, dir.path().join("solid-refiner.onnx")).expect("copied");
    let all = copy::load(&copy::shipped("polyhedral")).expect("a copy");
    let said = Eye::open(dir.path(), &all, 1).err().expect("refused");
    assert!(said.is_the_users());
    assert!(said.to_string().contains("solid-refiner.onnx"), "{said}");
}

#[test]
fn a_model_for_cubes_is_none_for_other_dice() {
    let dir = tempfile::tempdir().expect("a folder");
    models_without("solid-detector.onnx", dir.path());
    let cubes = dir.path().join("dice-detector.onnx");
    std::fs::copy(cubes, dir.path().join("solid-detector.onnx")).expect("copied");
    let all = copy::load(&copy::shipped("polyhedral")).expect("a copy");
    let said = Eye::open(dir.path(), &all, 1).err().expect("refused");
    assert!(said.is_the_users());
    assert!(said.to_string().contains("solid-detector.onnx"), "{said}");
}

#[test]
fn nothing_is_seen_on_an_empty_table() {
    let all = copy::load(&copy::shipped("polyhedral")).expect("a copy");
    let mut eye = Eye::open(&models_folder(), &all, 1).expect("opened");
    assert!(eye.unread().is_empty(), "{:?}", eye.unread());
    let picture = Picture::from_rgb(640, 480, vec![150; 640 * 480 * 3]).expect("a picture");
    assert!(
        eye.look(&picture, Effort::Still)
            .expect("looked")
            .is_empty()
    );
}

#[test]
fn a_face_whose_corners_were_given_is_cut_out_along_them() {
    let picture = Picture::from_rgb(
        400,
        400,
        (0..400 * 400)
            .flat_map(|i| [if (i / 7) % 2 == 0 { 60 } else { 200 }; 3])
            .collect::<Vec<u8>>(),
    )
    .expect("a picture");
    let corners = Quad::from_pairs([
        [100.0, 100.0],
        [300.0, 100.0],
        [300.0, 300.0],
        [100.0, 300.0],
    ]);
    let mut enroller = Enroller::open(&models_folder(), 1).expect("opened");
    for (shape, n) in [
        (Shape::D4, 3),
        (Shape::D8, 3),
        (Shape::D10, 4),
        (Shape::D12, 5),
        (Shape::D20, 3),
    ] {
        let taken = enroller
            .solid(&picture, shape, Some(corners))
            .expect("looked")
            .expect("taken");
        assert_eq!(taken.drawn().len(), n, "{}", shape.name());
        assert!(!taken.flaws.contains(&Flaw::Small), "{}", shape.name());
        let image = image::load_from_memory(&taken.png).expect("a picture");
        assert_eq!(image.width(), image.height());
    }
}

/// Every eighteenth of the photographs of real d20, whose figures are not those that are drawn in the bundled copy.
#[test]
fn real_dice_are_read_by_the_bundled_copy_and_never_wrong_and_sure() {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/photos");
    let Ok(list) = std::fs::read_to_string(photos.join("d20.jsonl")) else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: no ../shared/photos/d20.jsonl here"
        );
        return;
    };
    let all = copy::load(&copy::shipped("polyhedral")).expect("a copy");
    let mut eye = Eye::open(&models_folder(), &all, 2).expect("opened");
    let (mut found, mut right) = (0, 0);
    for line in list.lines().skip(17).step_by(18) {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line of the list");
        let (die, image) = (&row["dice"][0], row["image"].as_str().expect("a name"));
        let [x, y, w, h] = [0, 1, 2, 3].map(|i| die["box"][i].as_f64().expect("a box"));
        let value = die["value"].to_string();
        let (picture, _) = still::load(&photos.join(image)).expect("a picture");
        let seen = eye.look(&picture, Effort::Still).expect("looked");
        let within = |s: &&Sighting| {
            let c = s.polygon.centre();
            (x..x + w).contains(&c.x) && (y..y + h).contains(&c.y) && s.shape != Shape::D6
        };
        let Some(s) = seen.iter().find(within) else {
            continue;
        };
        let is_right = s.shape == Shape::D20 && s.reading.face.as_ref() == Some(&value);
        found += 1;
        right += i32::from(is_right);
        let sure = s.reading.status == Status::Sure;
        assert!(
            is_right || !sure,
            "{image}: {:?}, sure, of a {value}",
            s.reading.face
        );
    }
    // 49 and 30 when it was written
    assert!(found >= 45, "{found} of 50 found");
    assert!(right >= 25, "{right} of 50 right");
}
