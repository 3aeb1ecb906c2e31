//! Vectors of enrolled faces are kept beside a copy, and made again when they no longer fit.

#![cfg(feature = "vision")]

use std::{fs, path::Path};

use serde_json::Value;
use sightline::{
    copy,
    vision::{Enroller, Eye, Reader, models_folder},
};

fn plain_dice_in(folder: &Path) {
    shipped_in(folder, "plain-dice");
}

fn shipped_in(folder: &Path, name: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("calibration/copies")
        .join(name);
    for entry in walkdir(&from) {
        let to = folder.join(entry.strip_prefix(&from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&entry, to).unwrap();
    }
}

fn walkdir(folder: &Path) -> Vec<std::path::PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .flat_map(|e| {
            let path = e.unwrap().path();
            if path.is_dir() {
                walkdir(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn kept(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("embeddings.json")).unwrap()).unwrap()
}

#[test]
fn vectors_are_kept_by_enrolment_and_made_again_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    plain_dice_in(folder.path());
    let copy = copy::load(folder.path()).unwrap();
    let mut reader = Reader::load(&models_folder().join("dice-reader.onnx"), 2).unwrap();
    let file = folder.path().join("embeddings.json");

    reader.enrol(&copy).unwrap();
    assert!(!file.exists(), "reading alone leaves a copy as it is");
    reader.enrol_and_keep(&copy).unwrap();
    let first = kept(folder.path());
    assert_eq!(first["model"], reader.info().sha256.as_str());
    let pictures: usize = copy
        .dice
        .iter()
        .flat_map(|d| &d.faces)
        .map(|f| f.pictures.len())
        .sum();
    let faces = first["pictures"].as_object().unwrap().len();
    assert!(faces > 0 && faces <= pictures, "{faces} of {pictures}");

    // as if another model had made them: wrong vectors under its name
    let mut other = first.clone();
    other["model"] = "another".into();
    for kept in other["pictures"].as_object_mut().unwrap().values_mut() {
        for v in kept["turns"].as_array_mut().unwrap() {
            v.as_array_mut().unwrap().reverse();
        }
    }
    fs::write(&file, other.to_string()).unwrap();
    reader.enrol(&copy).unwrap();
    assert_eq!(
        kept(folder.path()),
        first,
        "made again after a model update"
    );

    // a vector that is none is not taken
    let mut spoilt = first.clone();
    for kept in spoilt["pictures"].as_object_mut().unwrap().values_mut() {
        kept["turns"][0] = serde_json::json!([0.0, 1.0]);
    }
    fs::write(&file, spoilt.to_string()).unwrap();
    reader.enrol(&copy).unwrap();
    assert_eq!(kept(folder.path()), first);

    // broken, it is as if it were not there
    fs::write(&file, b"{").unwrap();
    reader.enrol(&copy).unwrap();
    assert_eq!(kept(folder.path()), first);

    // a picture taken anew has new vectors; the old one's go
    let picture = &copy.dice[0].faces[0].pictures[0];
    let another = fs::read(&copy.dice[0].faces[1].pictures[0]).unwrap();
    let before = fs::read(picture).unwrap();
    assert_ne!(before, another, "the test's pictures are the same");
    fs::write(picture, another).unwrap();
    reader.enrol(&copy).unwrap();
    assert_eq!(
        kept(folder.path())["pictures"].as_object().unwrap().len(),
        faces - 1
    );
}

#[test]
fn vectors_of_pieces_are_kept_too() {
    let folder = tempfile::tempdir().unwrap();
    shipped_in(folder.path(), "practice");
    let copy = copy::load(folder.path()).unwrap();
    let file = folder.path().join("piece-embeddings.json");
    let read = || -> Value { serde_json::from_slice(&fs::read(&file).unwrap()).unwrap() };
    let open = || Eye::open(&models_folder(), &copy, 2).unwrap();

    open();
    assert!(!file.exists(), "reading alone leaves a copy as it is");
    let mut enroller = Enroller::open(&models_folder(), 2).unwrap();
    enroller.keep(&copy).unwrap();
    let first = read();
    assert!(!first["pictures"].as_object().unwrap().is_empty());

    // as if another model had made them
    let mut other = first.clone();
    other["model"] = "another".into();
    for kept in other["pictures"].as_object_mut().unwrap().values_mut() {
        kept["vectors"][0].as_array_mut().unwrap().reverse();
    }
    fs::write(&file, other.to_string()).unwrap();
    open();
    assert_eq!(read(), first, "made again after a model update");

    // a vector that is none is not taken
    let mut spoilt = first.clone();
    for kept in spoilt["pictures"].as_object_mut().unwrap().values_mut() {
        kept["vectors"][0] = serde_json::json!([1.0]);
    }
    fs::write(&file, spoilt.to_string()).unwrap();
    open();
    assert_eq!(read(), first);
}

/// One picture that cannot be read is left out and named; everything else goes on.
#[test]
fn a_broken_picture_costs_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    shipped_in(folder.path(), "practice");
    let copy = copy::load(folder.path()).unwrap();
    let display = copy.surfaces.iter().find_map(|s| s.reference.clone());
    let broken = [
        display.unwrap(),
        copy.dice[0].faces[0].pictures[0].clone(),
        copy.tokens[0].sides[0].pictures[0].clone(),
        copy.miniatures[0].views[0].picture.clone(),
    ];
    for path in &broken {
        fs::write(path, b"no picture").unwrap();
    }
    let eye = Eye::open(&models_folder(), &copy, 2).unwrap();
    let said = eye.unread();
    assert_eq!(said.len(), broken.len(), "{said:?}");
    for path in &broken {
        let name = path.display().to_string();
        assert_eq!(
            said.iter().filter(|s| s.contains(&name)).count(),
            1,
            "{said:?}"
        );
    }
}
