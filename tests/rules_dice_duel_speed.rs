//! How fast the rules are. Not run by default, and nothing here fails for want of speed alone on
//! a busy machine: the figures are printed, with the goals beside them.
//!
//! `cargo test --release --no-default-features --test rules_dice_duel_speed -- --ignored --nocapture`

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "rules_dice_duel_support.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use sightline::rules::dice_duel::*;
use support::{Rng, choose, start};

/// Everything that can lie on a table of two ships, and known.
const FULL: &str = "\
. . . A . . . N . .
. .1 . . . . . . . .
. . A . . . . .1 . .
. . . . .1 N . . . .
. . N . .* .1 . A . .
. . . . . . . N . .
. A . . .* . . . . .
. . . . . . N . . .
white [4,2] N
  crystals 1
  mines 1
  damage 1
  engineering.pool: 1 6 4
  sensors.energy: 2
  shields.energy: 4
  helm.A: F1
  helm.B: FR
  helm.C: F2
  weapons.front-1.nose: NOSE
  weapons.front-1.body: BODY
  weapons.front-1.tail: TAIL
  weapons.rear-1.nose: NOSE
  weapons.rear-1.body: BODY
  weapons.rear-1.tail: TAIL
  sensors.lock: L2 L2 L1
  sensors.jammer: J2
  shields.1: S1 S1
  shields.2: S2
  tractor.beam: T2 T1
  tractor.mine-A: MINE_A
black [5,4] E
  crystals 1
  mines 1
  damage 1
  engineering.pool: 2 3
  helm.energy: 5
  weapons.energy: 1
  helm.A: F2
  helm.B: FL
  helm.C: F1
  weapons.front-1.nose: NOSE
  weapons.front-1.body: BODY
  weapons.front-1.tail: TAIL
  weapons.front-2.nose: NOSE
  weapons.front-2.body: BODY
  weapons.front-2.tail: TAIL
  sensors.lock: L2 L2
  sensors.jammer: J1 J1
  shields.2: S2
  shields.3: S3 S3
  tractor.beam: T2 T2
  tractor.mine-B: MINE_B
";

fn micros(times: u32, mut run: impl FnMut()) -> f64 {
    for _ in 0..times / 10 {
        run();
    }
    // The best of several: what else runs on the machine only ever adds.
    (0..7)
        .map(|_| {
            let from = Instant::now();
            (0..times).for_each(|_| run());
            from.elapsed().as_secs_f64() * 1e6 / f64::from(times)
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints figures; see the head of the file"]
fn figures() {
    let setup: Setup = FULL.parse().unwrap();
    let print = Print::default();
    let (position, problems) = setup.resolve(&print);
    assert!(problems.is_empty(), "{problems:?}");
    let calls = position.calls().len();
    println!(
        "all {calls} calls of a full position, with reasons: {:.1} µs (goal 50)",
        micros(2000, || drop(black_box(black_box(&position).calls())))
    );
    println!(
        "their verdicts alone: {:.2} µs (goal 5)",
        micros(20_000, || drop(black_box(black_box(&position).verdicts())))
    );
    println!(
        "claims to position: {:.1} µs",
        micros(2000, || drop(black_box(black_box(&setup).resolve(&print))))
    );

    // A match of 200 legal actions; if one ends early, the next seed is played.
    let (first, actions) = (0..)
        .find_map(|seed| {
            let mut rng = Rng(seed);
            let first = start(seed, Lineup::Duel);
            let mut position = first.clone();
            let mut actions = Vec::new();
            while actions.len() < 200 {
                let action = choose(&mut rng, &position)?;
                position = position.play(&action).ok()?.0;
                actions.push(action);
            }
            Some((first, actions))
        })
        .unwrap();
    let replay = micros(500, || {
        let mut position = first.clone();
        for action in &actions {
            black_box(position.act(action).expect("legal"));
        }
    });
    println!(
        "a match of 200 actions replayed {:.0} times a second (goal 1000)",
        1e6 / replay
    );
}
