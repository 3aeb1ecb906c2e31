//! States, set-ups as text, and sequences of actions.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none thunderstruck`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::thunderstruck::{Action, Change, Core, Position, Print, Setup};
use sightline_fuzz::{judged, play_json, told, unwind, walk_with};

/// What is legal, and some of the plans for a roll that the bytes draw.
fn legal(position: &Position, bytes: [u8; 2]) -> Vec<Action> {
    let mut legal = position.legal_actions();
    for ship in position.ships() {
        let ship = ship.id();
        let roll: Vec<u8> = (0..position.dice_of(ship))
            .map(|i| 1 + bytes[usize::from(i) % 2].wrapping_mul(i as u8 + 1) % 6)
            .collect();
        let plans = position.legal_plans(ship, &roll, 4);
        let shown = plans.into_iter().map(|plan| Action::Reveal { ship, plan });
        legal.extend(shown.filter(|a| position.clone().act(a).is_ok()));
    }
    legal
}

fn walk(position: &mut Position, data: &[u8]) -> Vec<Change> {
    walk_with(position, data, 60, legal)
}

fuzz_target!(|data: &[u8]| {
    if let Some(mut judgement) = judged::<Core>(data) {
        walk(&mut judgement.position, data);
    }
    let print = Print::default();
    if let Some(mut position) = told::<Core>(data, &print) {
        walk(&mut position, data);
    }
    let start = Setup::start(&print, 2 + data.len() % 2).resolve(&print).0;
    let mut position = start.clone();
    let mut changes = Vec::from_iter(play_json(&mut position, data));
    changes.extend(walk(&mut position, data));
    unwind(position, &changes, &start);
});
