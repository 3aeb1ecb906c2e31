//! What the line holds does not grow with the evening: `./run soak` plays a hundred thousand frames, `./run test` some of them.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "vision", feature = "camera", target_os = "linux"))]

use std::{path::Path, time::Duration};

use sightline::{
    capture::{CameraId, CaptureError, Frame, Next, Picture, Source, video::Video},
    copy,
    rig::Rig,
    session::{Player, Session, Step},
    vision::{Eye, models_folder},
};

/// Frames of the short form, and of `./run soak`.
const SOME: u64 = 1_500;
const MANY: u64 = 100_000;
/// What the allocator may keep between; MiB.
const SLACK_MIB: f64 = 24.0;

/// A clip, over and over.
struct Evening {
    id: CameraId,
    clip: Vec<Picture>,
    frame: u64,
    frames: u64,
}

impl Source for Evening {
    fn camera(&self) -> &CameraId {
        &self.id
    }

    fn is_live(&self) -> bool {
        false
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        if self.frame == self.frames {
            return Ok(Next::End);
        }
        let picture = self.clip[self.frame as usize % self.clip.len()].clone();
        self.frame += 1;
        Ok(Next::Frame(Frame {
            picture,
            at: Duration::from_millis(33 * self.frame),
            captured: None,
            sequence: self.frame,
            camera: self.id.clone(),
            file: None,
        }))
    }
}

/// What this process holds of the machine's memory, MiB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a Linux machine");
    let line = status
        .lines()
        .find(|l| l.starts_with("VmRSS:"))
        .expect("said");
    let kib = line.split_whitespace().nth(1).expect("a number");
    kib.parse::<f64>().expect("a number") / 1024.0
}

/// Plays so many frames; what was held after a third of them and at the end, and how many events there were.
fn played(frames: u64) -> ([f64; 2], usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut video = Video::open(&root.join("calibration/demo/energy.mp4")).expect("the clip");
    let mut clip = Vec::new();
    while let Next::Frame(frame) = video.next().expect("a picture") {
        clip.push(frame.picture);
    }
    let copy = copy::load(&root.join("calibration/copies/plain-dice")).expect("the copy");
    let eye = Eye::open(&models_folder(), &copy, 2).expect("the models");
    let source = Evening {
        id: CameraId("evening".to_owned()),
        clip,
        frame: 0,
        frames,
    };
    let session = Session::new(copy, Rig::default()).expect("a session");
    let mut player = Player::new(Box::new(source), eye, session);
    let (mut held, mut events, mut seen) = (0.0_f64, 0, 0);
    loop {
        match player.step().expect("a step") {
            Step::View(view) => {
                events += view.events.len();
                seen += 1;
                // asking costs
                if seen <= frames / 3 && seen % 100 == 0 {
                    held = held.max(resident());
                }
            }
            Step::End => return ([held, resident()], events),
            _ => {}
        }
    }
}

fn grows_not(frames: u64) {
    let ([early, late], events) = played(frames);
    println!(
        "{frames} frames, {events} events: {early:.0} MiB at most in the first third, {late:.0} MiB at the end"
    );
    assert!(events > 20, "{events} events: nothing happened");
    assert!(late < early + SLACK_MIB, "{early:.0} MiB became {late:.0}");
}

#[test]
fn what_is_held_does_not_grow() {
    grows_not(SOME);
}

#[test]
#[ignore = "minutes: ./run soak"]
fn soak_what_is_held_does_not_grow_in_an_evening() {
    grows_not(MANY);
}
