//! How fast Diceland's geometry is. Goal: the visibility of a whole table of 20 dice in 50 µs.
//!
//! `cargo bench --no-default-features --bench diceland`
//!
//! Last measured on one core of a slow machine, nearly alone on it: 47 µs from a position, 63 µs with an arrow
//! at every corner; distances 221 µs, all calls, which follow every table of an all-range shot and of a roll,
//! 1.14 ms. Before baselines were worked out once, on a machine on which distances took 125 µs, it was
//! 49 µs and 76 µs: 0.39 and 0.61 of the distances, now 0.21 and 0.29.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sightline::rules::diceland::*;

/// Twenty dice on a table, strewn by a rule: every kind of arrow is among them.
fn table(print: &Print) -> Position {
    let mut setup = Setup::default();
    for n in 0..20usize {
        let kind = &print.dice[(n * 7) % print.dice.len()];
        let owner = if n % 2 == 0 { Player::One } else { Player::Two };
        let (col, row) = ((n % 5) as f64, (n / 5) as f64);
        setup.dice.push(DieSetup::in_play(
            format!("die-{n}").parse().unwrap(),
            owner,
            kind.id,
            kind.faces[n % 8].id,
            [
                150.0 + col * 240.0 + row * 31.0,
                150.0 + row * 190.0 + col * 17.0,
            ],
            (n * 53 % 360) as f64,
        ));
    }
    setup.resolve(print).0
}

fn diceland(c: &mut Criterion) {
    let print = Print::default();
    let position = table(&print);
    let faces: Vec<TopFace> = position
        .dice()
        .iter()
        .map(|d| {
            let stand = d.stand().unwrap();
            let pose = Pose {
                at_mm: stand.at_mm,
                heading_deg: *stand.heading_deg.known().unwrap(),
                error: stand.error,
            };
            TopFace::of(&pose, &print)
        })
        .collect();
    c.bench_function(
        "diceland/visibility of 20 dice, every corner an arrow",
        |b| {
            b.iter(|| {
                let mut seen = 0u32;
                for (i, from) in faces.iter().enumerate() {
                    for (j, to) in faces.iter().enumerate() {
                        if i != j {
                            for corner in Corner::ALL {
                                let sight = sight(black_box(from), corner, to, SeenPart::TopFace);
                                seen += u32::from(sight.sees() == Some(true));
                            }
                        }
                    }
                }
                seen
            });
        },
    );
    c.bench_function("diceland/visibility of 20 dice, from a position", |b| {
        b.iter(|| sight_lines(black_box(&position)));
    });
    c.bench_function("diceland/distances of 20 dice", |b| {
        b.iter(|| {
            let mut sum = 0.0;
            for (i, from) in faces.iter().enumerate() {
                for to in faces.iter().take(i) {
                    sum += gap(black_box(from), to).mm;
                }
            }
            sum
        });
    });
    c.bench_function("diceland/all calls of 20 dice", |b| {
        b.iter(|| black_box(&position).calls());
    });
}

criterion_group!(benches, diceland);
criterion_main!(benches);
