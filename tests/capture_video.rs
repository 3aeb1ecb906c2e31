//! Video files: nothing lost, the container's clock, and files that end early or are no video.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(feature = "camera")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use opencv::{
    core::{CV_8UC3, Mat, Rect, Scalar, Size},
    imgproc,
    prelude::*,
    videoio::{CAP_FFMPEG, VideoWriter},
};
use sightline::capture::{Frame, Next, Picture, Source, video::Video};
use tempfile::TempDir;

/// What picture `k` shows: grey on the left, a colour on the right, both tell `k`.
fn expected(k: u64) -> [[u8; 3]; 2] {
    let k = k as u8;
    [[8 * k + 20; 3], [250 - 8 * k, 40, 8 * k + 20]]
}

fn write(path: &Path, fourcc: &[u8; 4], pictures: u64, frames_per_second: f64) {
    let fourcc = i32::from_le_bytes(*fourcc);
    let size = Size::new(64, 48);
    let mut writer = VideoWriter::new_with_backend(
        path.to_str().unwrap(),
        CAP_FFMPEG,
        fourcc,
        frames_per_second,
        size,
        true,
    )
    .unwrap();
    assert!(writer.is_opened().unwrap(), "this OpenCV writes {fourcc:x}");
    for k in 0..pictures {
        let mut bgr = Mat::new_size_with_default(size, CV_8UC3, Scalar::all(0.0)).unwrap();
        for (half, [r, g, b]) in expected(k).into_iter().enumerate() {
            let rect = Rect::new(32 * half as i32, 0, 32, 48);
            let colour = Scalar::new(b.into(), g.into(), r.into(), 0.0);
            imgproc::rectangle(&mut bgr, rect, colour, -1, 8, 0).unwrap();
        }
        writer.write(&bgr).unwrap();
    }
    writer.release().unwrap();
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// All frames, and what was skipped.
fn read(path: &Path) -> (Vec<Frame>, Vec<String>) {
    let mut video = Video::open(path).unwrap();
    let (mut frames, mut skipped) = (Vec::new(), Vec::new());
    loop {
        match video.next().unwrap() {
            Next::Frame(frame) => frames.push(frame),
            Next::Skipped(error) => skipped.push(error.to_string()),
            Next::End => return (frames, skipped),
            other => panic!("{other:?}"),
        }
    }
}

/// Every pixel away from the middle is what was written as picture `k`.
fn assert_shows(picture: &Picture, k: u64, tolerance: u8) {
    assert_eq!((picture.width(), picture.height()), (64, 48));
    for (at, pixel) in picture.rgb().chunks_exact(3).enumerate() {
        let x = at % 64;
        if (24..40).contains(&x) {
            continue;
        }
        let colour = expected(k)[x / 32];
        let is_near = (0..3).all(|i| pixel[i].abs_diff(colour[i]) <= tolerance);
        assert!(is_near, "picture {k}, pixel {at}: {pixel:?} for {colour:?}");
    }
}

#[test]
fn every_picture_comes_once_on_its_time_in_rgb() {
    let folder = TempDir::new().unwrap();
    for (name, fourcc) in [
        ("a.avi", b"MJPG"),
        ("a.mp4", b"mp4v"),
        ("h264.mp4", b"avc1"),
        ("h264.mkv", b"X264"),
    ] {
        let path = folder.path().join(name);
        write(&path, fourcc, 20, 10.0);
        let (frames, skipped) = read(&path);
        assert_eq!(
            (frames.len(), skipped.len()),
            (20, 0),
            "{name}: {skipped:?}"
        );
        for (frame, k) in frames.iter().zip(0..) {
            assert_eq!(frame.sequence, k, "{name}");
            assert_eq!(
                frame.at.as_secs_f64(),
                k as f64 / 10.0,
                "{name} picture {k}"
            );
            assert_eq!(
                (frame.camera.0.as_str(), frame.captured),
                (path.file_stem().unwrap().to_str().unwrap(), None)
            );
            assert_shows(&frame.picture, k, 14);
        }
    }
}

#[test]
fn pictures_stored_out_of_order_come_in_order() {
    let (frames, skipped) = read(&data("b_frames_24.mp4"));
    assert_eq!((frames.len(), skipped.len()), (24, 0));
    for (frame, k) in frames.iter().zip(0..) {
        assert!(
            (frame.at.as_secs_f64() - k as f64 / 12.0).abs() < 1e-3,
            "{:?}",
            frame.at
        );
        assert_shows(&frame.picture, k, 10);
    }
}

/// One picture of four is missing; the others keep their times.
#[test]
fn a_changing_rate_keeps_its_times() {
    let (frames, skipped) = read(&data("variable_rate_18.mkv"));
    assert_eq!((frames.len(), skipped.len()), (18, 0));
    let kept = (0..24).filter(|k| k % 4 != 1);
    for (frame, k) in frames.iter().zip(kept) {
        assert!(
            (frame.at.as_secs_f64() - k as f64 / 12.0).abs() < 2e-3,
            "{k}: {:?}",
            frame.at
        );
        assert_shows(&frame.picture, k, 14);
    }
}

/// Whatever the place: a clear error at opening, or whole pictures and one sentence at the end.
#[test]
fn a_file_cut_anywhere_gives_whole_pictures_and_one_sentence() {
    let folder = TempDir::new().unwrap();
    let (avi, mkv) = (
        folder.path().join("whole.avi"),
        folder.path().join("whole.mkv"),
    );
    write(&avi, b"MJPG", 20, 10.0);
    write(&mkv, b"X264", 20, 10.0);
    for whole in [
        avi,
        mkv,
        data("b_frames_24.mp4"),
        data("variable_rate_18.mkv"),
    ] {
        let bytes = fs::read(&whole).unwrap();
        let cut = folder
            .path()
            .join("cut")
            .with_extension(whole.extension().unwrap());
        let (all, _) = read(&whole);
        let mut most = 0;
        for length in (1..bytes.len()).step_by(bytes.len() / 40) {
            fs::write(&cut, &bytes[..length]).unwrap();
            if let Err(error) = Video::open(&cut) {
                let error = error.to_string();
                assert!(error.contains("cut.") && !error.contains('\n'), "{error}");
                continue;
            }
            let (frames, skipped) = read(&cut);
            for (frame, whole) in frames.iter().zip(&all) {
                assert_eq!(frame.at, whole.at);
                assert!(frame.picture == whole.picture, "{length} bytes: {frame:?}");
            }
            let [sentence] = &skipped[..] else {
                panic!("{length} bytes of {whole:?}: {skipped:?}");
            };
            let last = frames.last().map_or(Duration::ZERO, |frame| frame.at);
            let at = format!("ends early, at {:.2} s", last.as_secs_f64());
            assert!(sentence.contains(&at), "{sentence} for {at}");
            most = most.max(frames.len());
        }
        assert!(
            most + 8 >= all.len(),
            "{most} of {} pictures before the cut",
            all.len()
        );
    }
}

/// A program stream has no index and no end; it is cut where its last packet is.
#[test]
fn a_cut_program_stream_says_so() {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole.mpg");
    write(&whole, b"PIM1", 28, 25.0);
    let (all, skipped) = read(&whole);
    assert!(skipped.is_empty(), "{skipped:?}");
    let bytes = fs::read(&whole).unwrap();
    let cut = folder.path().join("cut.mpg");
    // packets are of 2048 bytes: this is in the midst of one
    fs::write(&cut, &bytes[..bytes.len() * 6 / 10 / 2048 * 2048 + 700]).unwrap();
    let (frames, skipped) = read(&cut);
    assert!(frames.len() < all.len());
    let [sentence] = &skipped[..] else {
        panic!("{skipped:?}");
    };
    assert!(sentence.contains("cut.mpg: ends early, at"), "{sentence}");
}

#[test]
fn what_is_no_video_is_refused_at_opening() {
    let folder = TempDir::new().unwrap();
    let refused = |name: &str, bytes: Option<&[u8]>, part: &str| {
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            fs::write(&path, bytes).unwrap();
        }
        let error = Video::open(&path).err().expect(name).to_string();
        assert!(error.contains(name) && error.contains(part), "{error}");
        assert!(!error.contains('\n'), "{error}");
    };
    refused("empty.mp4", Some(b""), "is empty (0 bytes)");
    refused(
        "text.mp4",
        Some(b"a text of more than twelve letters"),
        "is not a video",
    );
    refused(
        "list.m3u8",
        Some(b"#EXTM3U\nhttp://localhost/a.ts\n"),
        "is not a video",
    );
    refused("gone.mp4", None, "cannot be read");
    refused("", None, "is not a file");
    refused(
        "nothing.mp4",
        Some(b"\0\0\0\x10ftypisom\0\0\0\0"),
        "cannot be decoded",
    );
    refused(
        "short.mkv",
        Some(b"\x1A\x45\xDF\xA3"),
        "ends before its first picture",
    );
    // Written to the end, but the index is missing: a recorder that was switched off.
    let mut bytes = fs::read(data("b_frames_24.mp4")).unwrap();
    let index = bytes.windows(4).position(|four| four == b"moov").unwrap();
    bytes[index..index + 4].copy_from_slice(b"junk");
    refused("no_index.mp4", Some(&bytes), "cannot be decoded");
}

/// A recording with a damaged picture in it goes on behind it, and says what it left out.
#[test]
fn a_damaged_picture_in_the_middle_is_left_out_and_said() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hole.avi");
    write(&path, b"MJPG", 20, 10.0);
    let mut bytes = fs::read(&path).unwrap();
    let starts: Vec<usize> = bytes
        .windows(3)
        .enumerate()
        .filter_map(|(at, three)| (three == [0xFF, 0xD8, 0xFF]).then_some(at))
        .collect();
    assert_eq!(starts.len(), 20);
    bytes[starts[10]..starts[11] - 16].fill(0);
    fs::write(&path, &bytes).unwrap();
    let (frames, skipped) = read(&path);
    assert_eq!(frames.len(), 19, "{skipped:?}");
    for (frame, k) in frames.iter().zip((0..20).filter(|k| *k != 10)) {
        assert_shows(&frame.picture, k, 14);
    }
    let [sentence] = &skipped[..] else {
        panic!("{skipped:?}");
    };
    assert!(
        sentence.contains("damaged pictures after 0.90 s"),
        "{sentence}"
    );
}
