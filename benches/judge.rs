//! How fast the rules are: calls of a full position, verdicts alone, a match replayed.
//!
//! `cargo bench --no-default-features --bench judge -- --quick`
//!
//! The baseline of the same run is what no call can do without: looking at every die of a full
//! position once. Ratios to it hold on other machines, microseconds do not.
//!
//! What one ship brings to a target is worked out once for both launches and both sides. Last
//! measured on one core of a shared machine: 45 calls with reasons 12.3 µs, verdicts alone 3.5 µs, with
//! unknowns 15.6 µs, a match of 200 actions 259 µs; the baseline 0.25 µs.

// A benchmark that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../tests/rules/chance.rs"]
mod chance;
#[path = "../tests/rules/dice_duel/support.rs"]
mod support;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
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

/// A match of 200 legal actions, from the start of a game; if one ends early, the next seed is
/// played.
fn random_match() -> (Position, Vec<Action>) {
    (0..)
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
        .expect("some match lasts 200 actions")
}

/// The same table with some places not read: a lock die, a shield, a facing.
fn blurred() -> Setup {
    let text = FULL
        .replace("sensors.lock: L2 L2 L1", "sensors.lock: L2 L2 L1|L2")
        .replace("shields.3: S3 S3", "shields.3: S3 -|S3")
        .replace("black [5,4] E", "black [5,4]|[5,5] E|S");
    text.parse().unwrap()
}

fn judge(c: &mut Criterion) {
    let setup: Setup = FULL.parse().unwrap();
    let print = Print::default();
    let (position, problems) = setup.resolve(&print);
    assert!(problems.is_empty(), "{problems:?}");
    let calls = position.calls().len();
    assert_eq!(calls, position.verdicts().len());

    let mut group = c.benchmark_group("judge");
    group.bench_function("baseline: adding up every die of a full position", |b| {
        b.iter(|| {
            let ships = black_box(&position).ships().iter();
            let dice = ships.flat_map(|s| Spot::all().map(|spot| s.dice(spot).count().max));
            black_box(dice.sum::<u16>())
        });
    });
    // Goal: at most 50 µs.
    group.bench_function(format!("all {calls} calls with reasons"), |b| {
        b.iter(|| black_box(black_box(&position).calls()));
    });
    // Goal: at most 5 µs.
    group.bench_function(format!("all {calls} verdicts alone"), |b| {
        b.iter(|| black_box(black_box(&position).verdicts()));
    });
    // No goal: what a table that is not read to its end costs more.
    let unsure = blurred().resolve(&print).0;
    group.bench_function("all calls of a position with unknowns", |b| {
        b.iter(|| black_box(black_box(&unsure).calls()));
    });
    group.bench_function("claims to position", |b| {
        b.iter(|| black_box(black_box(&setup).resolve(&print)));
    });
    // Goal: at least 1,000 matches a second, which is at most 1 ms each.
    let (first, actions) = random_match();
    group.throughput(Throughput::Elements(1));
    group.bench_function("a legal match of 200 actions replayed", |b| {
        b.iter(|| {
            let mut position = first.clone();
            for action in &actions {
                black_box(position.act(action).expect("legal"));
            }
            position
        });
    });
    group.finish();
}

criterion_group!(benches, judge);
criterion_main!(benches);
