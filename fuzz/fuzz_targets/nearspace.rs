//! States, set-ups as text, and sequences of actions.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none nearspace`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::nearspace::{Core, EXAMPLE_STATE, Print, State};
use sightline_fuzz::{judged, play_json, told, unwind, walk};

fuzz_target!(|data: &[u8]| {
    if let Some(mut judgement) = judged::<Core>(data) {
        walk(&mut judgement.position, data, 40);
    }
    if let Some(mut position) = told::<Core>(data, &Print::default()) {
        walk(&mut position, data, 40);
    }
    let Ok(example) = State::from_json(EXAMPLE_STATE.as_bytes()) else {
        return;
    };
    let start = example.judge().position;
    let mut position = start.clone();
    let mut changes = Vec::from_iter(play_json(&mut position, data));
    changes.extend(walk(&mut position, data, 40));
    unwind(position, &changes, &start);
});
