//! A folder of pictures as a recording.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(any(feature = "camera", feature = "vision"))]

use std::{fs, path::Path, time::Duration};

use image::{ImageBuffer, Rgb};
use sightline::capture::{CameraId, Next, Source, folder::Folder};
use tempfile::TempDir;

fn picture(path: &Path, red: u8) {
    ImageBuffer::from_pixel(4, 4, Rgb([red, 0, 0]))
        .save(path)
        .unwrap();
}

fn all(mut source: impl Source) -> Vec<Next> {
    let mut seen = Vec::new();
    loop {
        match source.next().unwrap() {
            Next::End => return seen,
            next => seen.push(next),
        }
    }
}

#[test]
fn pictures_come_in_natural_order_on_the_clock_and_a_bad_one_is_skipped() {
    let folder = TempDir::new().unwrap();
    for (name, red) in [("shot10.png", 10), ("shot2.png", 2), ("shot1.PNG", 1)] {
        picture(&folder.path().join(name), red);
    }
    fs::write(folder.path().join("shot3.jpg"), b"").unwrap();
    fs::write(folder.path().join("notes.txt"), b"no picture").unwrap();
    fs::write(folder.path().join("._shot1.png"), b"no picture").unwrap();
    fs::create_dir(folder.path().join("more.png")).unwrap();

    let source = Folder::open(folder.path(), 4.0)
        .unwrap()
        .named(CameraId("left".into()));
    assert!(!source.is_live());
    let seen: Vec<_> = all(source)
        .into_iter()
        .map(|next| match next {
            Next::Frame(frame) => {
                assert_eq!((frame.camera.0.as_str(), frame.captured), ("left", None));
                let name = frame
                    .file
                    .unwrap()
                    .file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                (name, frame.at, frame.sequence, frame.picture.rgb()[0])
            }
            Next::Skipped(error) => {
                let error = error.to_string();
                assert!(error.contains("shot3.jpg: is empty"), "{error}");
                ("skipped".into(), Duration::ZERO, 0, 0)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let at = Duration::from_millis;
    assert_eq!(
        seen,
        [
            ("shot1.PNG".into(), at(0), 0, 1),
            ("shot2.png".into(), at(250), 1, 2),
            ("skipped".into(), at(0), 0, 0),
            ("shot10.png".into(), at(750), 3, 10),
        ]
    );
}

#[test]
fn a_list_keeps_its_order_and_tells_what_was_converted() {
    let folder = TempDir::new().unwrap();
    let (deep, missing) = (
        folder.path().join("deep.png"),
        folder.path().join("gone.png"),
    );
    ImageBuffer::from_pixel(2, 2, Rgb([9u16, 9, 9]))
        .save(&deep)
        .unwrap();
    let mut source = Folder::from_files(vec![missing, deep], 1.0).unwrap();
    assert!(matches!(source.next().unwrap(), Next::Skipped(_)));
    assert!(matches!(source.next().unwrap(), Next::Frame(frame) if frame.sequence == 1));
    let notes = source.take_notes();
    assert!(
        notes.len() == 1 && notes[0].contains("16 bits"),
        "{notes:?}"
    );
    assert!(matches!(source.next().unwrap(), Next::End));
    assert!(matches!(source.next().unwrap(), Next::End));
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = TempDir::new().unwrap();
    let refused = |folder: &Path, rate| Folder::open(folder, rate).unwrap_err().to_string();
    assert!(refused(folder.path(), 1.0).contains("holds no picture"));
    assert!(refused(&folder.path().join("nowhere"), 1.0).contains("cannot be read"));
    picture(&folder.path().join("a.png"), 1);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        assert!(refused(folder.path(), rate).contains("rate above 0"));
    }
    assert!(Folder::from_files(Vec::new(), 1.0).is_err());
}
