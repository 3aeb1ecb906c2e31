//! States and actions: read or refused, and judged.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none diceland_parse`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::diceland::Core;
use sightline_fuzz::{judged, play_json};

fuzz_target!(|data: &[u8]| {
    // A state, and behind the first zero byte an action.
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let (state, action) = (parts.next().unwrap_or_default(), parts.next());
    if let Some(mut judgement) = judged::<Core>(state) {
        let _ = judgement.position.legal_actions();
        let _ = judgement.position.legal_throws();
        play_json(&mut judgement.position, action.unwrap_or_default());
    }
});
