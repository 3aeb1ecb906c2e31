//! What it costs to see one 1280x720 picture with two threads, decoding apart.
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
    copy,
    vision::{Effort, Eye, Gate},
};

/// A frame of the demo's clip, four times over: some twenty dice of 20 to 30 pixels.
fn picture() -> Picture {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut clip = Video::open(&root.join("calibration/demo/energy.mp4")).expect("the demo's clip");
    let mut frame = None;
    while let Next::Frame(f) = clip.next().expect("a frame") {
        let late = f.at.as_secs_f64() > 3.5;
        frame = Some(f);
        if late {
            break;
        }
    }
    let frame = frame.expect("the clip has frames").picture;
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
    group.bench_function(format!("reader, {n} dice"), |b| {
        b.iter(|| black_box(eye.reader().read(&picture, found.clone()).unwrap()));
    });
    group.bench_function("detector and reader", |b| {
        b.iter(|| black_box(eye.look(&picture, Effort::Live).unwrap()))
    });
    group.finish();
}

criterion_group!(benches, see);
criterion_main!(benches);
