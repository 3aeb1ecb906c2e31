//! What it costs to see one picture with two threads, decoding apart: 1280x720 of pip dice, and 1920x1080 of a match.
//!
//! The baseline of the same run is OpenCV's decoding of the same picture from JPEG: ratios to it hold
//! on other machines, milliseconds do not.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{hint::black_box, path::Path, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use opencv::{
    core::{Mat, Size, Vector},
    imgcodecs, imgproc,
    prelude::*,
};
use sightline::{
    capture::{Next, Picture, Source, video::Video},
    copy::{self, Status},
    rig::Rig,
    session::Session,
    vision::{Effort, Eye, Gate},
};

/// The frame of a clip at a time.
fn frame(clip: &Path, at_s: f64) -> Picture {
    let mut clip = Video::open(clip).expect("a clip");
    let mut frame = None;
    while let Next::Frame(f) = clip.next().expect("a frame") {
        let late = f.at.as_secs_f64() > at_s;
        frame = Some(f);
        if late {
            break;
        }
    }
    frame.expect("the clip has frames").picture
}

/// A frame of a clip, four times over: some twenty dice of 20 to 30 pixels.
fn picture() -> Picture {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let frame = frame(&root.join("calibration/demo/energy.mp4"), 3.5);
    let flat = Mat::from_slice(frame.rgb()).unwrap();
    let whole = flat.reshape(3, frame.height() as i32).unwrap();
    let mut small = Mat::default();
    imgproc::resize(
        &whole,
        &mut small,
        Size::new(640, 360),
        0.0,
        0.0,
        imgproc::INTER_AREA,
    )
    .unwrap();
    let mut row = Mat::default();
    opencv::core::hconcat2(&small, &small, &mut row).unwrap();
    let mut tiled = Mat::default();
    opencv::core::vconcat2(&row, &row, &mut tiled).unwrap();
    Picture::from_rgb(1280, 720, tiled.data_bytes().unwrap().to_vec()).unwrap()
}

fn see(c: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let _ = opencv::core::set_num_threads(2);
    let copy = copy::load(&root.join("calibration/copies/plain-dice")).expect("the plain dice");
    let mut eye = Eye::open(&root.join("models"), &copy, 2).expect("the models");
    let picture = picture();
    let found = eye.detector().detect(&picture, Effort::Live).unwrap();
    let n = found.len();
    assert!(n >= 12, "the benchmark's picture shows {n} dice only");

    let flat = Mat::from_slice(picture.rgb()).unwrap();
    let whole = flat.reshape(3, 720).unwrap();
    let mut jpeg = Vector::<u8>::new();
    imgcodecs::imencode(".jpg", &whole, &mut jpeg, &Vector::new()).unwrap();

    let mut group = c.benchmark_group("1280x720, 2 threads");
    group.sample_size(30);
    group.bench_function("baseline: OpenCV decodes the JPEG", |b| {
        b.iter(|| black_box(imgcodecs::imdecode(&jpeg, imgcodecs::IMREAD_COLOR).unwrap()));
    });
    let mut gate = Gate::default();
    group.bench_function("gate: nothing has changed", |b| {
        b.iter(|| black_box(gate.is_open(&picture, Duration::from_secs(9)).unwrap()))
    });
    group.bench_function("detector", |b| {
        b.iter(|| black_box(eye.detector().detect(&picture, Effort::Live).unwrap()))
    });
    let read = eye.reader().read(&picture, found.clone()).unwrap();
    let doubtful = read.iter().filter(|s| s.reading.status != Status::Sure);
    let doubtful = doubtful.count();
    group.bench_function(
        format!("reader, {n} dice, {doubtful} of them in doubt"),
        |b| {
            b.iter(|| black_box(eye.reader().read(&picture, found.clone()).unwrap()));
        },
    );
    group.bench_function("detector and reader", |b| {
        b.iter(|| black_box(eye.look(&picture, Effort::Live).unwrap()))
    });
    group.finish();
}

/// A match: ten displays and boards, two dozen dice, ships and tokens.
fn follow(c: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let _ = opencv::core::set_num_threads(2);
    let copy = copy::load(&root.join("calibration/copies/practice")).expect("the practice set");
    let mut eye = Eye::open(&root.join("models"), &copy, 2).expect("the models");
    let session = Session::new(copy, Rig::default()).expect("a session");
    let clip = root.join("calibration/demo/match.mp4");
    // dice lie otherwise in the second: what is on two displays has to be seen anew
    let two = [frame(&clip, 2.5), frame(&clip, 24.0)];
    let size = [two[0].width(), two[0].height()];
    let plain = Rig::default().sight(None, size).0;
    let mut at = Duration::ZERO;
    let mut sight = plain.clone();
    for i in 0..60 {
        at += Duration::from_millis(100);
        let seen = eye.see_next(&two[i / 30], at).unwrap();
        sight = plain.with_seen(session.lie(&seen.surfaces));
    }
    let surfaces = sight.seen().len();
    assert!(
        surfaces >= 9,
        "{surfaces} surfaces only are found in the benchmark's picture"
    );
    let found = eye.detector().detect(&two[0], Effort::Live).unwrap();
    let n = found.len();

    let flat = Mat::from_slice(two[0].rgb()).unwrap();
    let whole = flat.reshape(3, size[1] as i32).unwrap();
    let mut jpeg = Vector::<u8>::new();
    imgcodecs::imencode(".jpg", &whole, &mut jpeg, &Vector::new()).unwrap();
    let mut group = c.benchmark_group("1920x1080 of a match, 2 threads");
    group.sample_size(20);
    group.bench_function("baseline: OpenCV decodes the JPEG", |b| {
        b.iter(|| black_box(imgcodecs::imdecode(&jpeg, imgcodecs::IMREAD_COLOR).unwrap()));
    });
    group.bench_function("detector", |b| {
        b.iter(|| black_box(eye.detector().detect(&two[0], Effort::Live).unwrap()))
    });
    group.bench_function(format!("reader, {n} found, nothing known"), |b| {
        b.iter(|| black_box(eye.reader().read(&two[0], found.clone()).unwrap()));
    });
    let lying = sight.seen().to_vec();
    group.bench_function(
        format!("one camera for {surfaces} surfaces, its lens not known"),
        |b| {
            b.iter(|| black_box(plain.with_seen(lying.clone())));
        },
    );
    let mut look = |eye: &mut Eye, i: usize| {
        at += Duration::from_millis(100);
        let mut seen = eye.see_next(&two[i], at).unwrap();
        let sight = plain.with_seen(session.lie(&seen.surfaces));
        let standing = eye.standing(&two[i], &sight, &mut seen.sightings).unwrap();
        black_box((seen, standing));
    };
    group.bench_function(
        format!("all of it, {surfaces} surfaces, nothing has changed"),
        |b| {
            b.iter(|| look(&mut eye, 0));
        },
    );
    let mut turn = 0;
    group.bench_function(
        format!("all of it, {surfaces} surfaces, much has changed"),
        |b| {
            b.iter(|| {
                turn = 1 - turn;
                look(&mut eye, turn);
            });
        },
    );
    group.finish();
}

criterion_group!(benches, see, follow);
criterion_main!(benches);
