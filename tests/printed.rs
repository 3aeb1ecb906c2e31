//! What is printed on a display is no die, however like one it is; what lies on the display is one.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "vision")]

mod scene;

use std::path::Path;

use opencv::{
    core::{self, Mat, Size},
    imgcodecs, imgproc,
    prelude::*,
};
use scene::{Camera, Card, Light, PER_MM, Pose, card, cloth, enrolled, lay, taken, truth};
use sightline::{
    copy::{self, Copy},
    geometry::{Homography, Point, Quad},
    vision::{Effort, Eye, Sighting, models_folder},
};

const DIE_MM: f64 = 16.0;

/// Draws a pip face onto a card, its middle at `at` millimetres.
fn stamp(card: &mut Card, face: &str, at: [f64; 2]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("calibration/copies/plain-dice/faces/{face}-a.png"));
    let face =
        imgcodecs::imread(file.to_str().expect("a path"), imgcodecs::IMREAD_COLOR).expect("a face");
    // with the margin that enrolment pictures have
    let side = (DIE_MM * 1.4 * PER_MM) as i32;
    let mut small = Mat::default();
    imgproc::resize(
        &face,
        &mut small,
        Size::new(side, side),
        0.0,
        0.0,
        imgproc::INTER_AREA,
    )
    .expect("scaled");
    let corner = at.map(|v| (v * PER_MM) as i32 - side / 2);
    let mut there = Mat::roi_mut(
        &mut card.art,
        core::Rect::new(corner[0], corner[1], side, side),
    )
    .expect("on the card");
    small.copy_to(&mut there).expect("stamped");
}

#[test]
fn a_die_that_is_printed_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let size = [150.0, 110.0];
    let (printed, lying) = ([40.0, 60.0], [110.0, 50.0]);
    let mut display = card(1, 0, size);
    stamp(&mut display, "4", printed);
    let drawn = enrolled(folder.path(), std::slice::from_ref(&display));
    let plain = copy::load(&copy::shipped("plain-dice")).expect("the copy");
    let copy = Copy {
        surfaces: drawn.surfaces,
        ..plain
    };
    let mut eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    // the same display, with another face where the reference has none
    stamp(&mut display, "3", lying);
    let camera = Camera::over([1280, 720], [75.0, 55.0], 330.0, 18.0, 4.0);
    let pose = Pose::new(0.0, 0.0, 3.0);
    let mut scene = cloth([1280, 720], 5);
    lay(&mut scene, &camera, &display, &pose);
    let picture = taken(&scene, Light::default(), 1);
    let [w, h] = size;
    let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
    let back = Homography::between(&truth(&camera, &display, &pose), &flat).expect("a card");
    let is_at = |s: &Sighting, [x, y]: [f64; 2]| {
        let p = back.apply(s.polygon.centre()).expect("on the card");
        (p - Point::new(x, y)).norm() < 5.0
    };
    let looked = eye.look(&picture, Effort::Still).expect("looked at");
    assert!(
        looked.iter().any(|s| is_at(s, printed)),
        "nothing to be taken in by"
    );
    let seen = eye.see(&picture, Effort::Still).expect("looked at");
    assert_eq!(seen.surfaces.len(), 1);
    assert!(!seen.sightings.iter().any(|s| is_at(s, printed)));
    assert!(seen.sightings.iter().any(|s| is_at(s, lying)));
}
