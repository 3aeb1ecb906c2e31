//! Whatever is handed in is read or refused, and what was read can be written and read again.
//!
//! `cargo +nightly fuzz run diceland_parse`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::diceland::{Action, State};

fuzz_target!(|data: &[u8]| {
    let action = Action::from_json(data);
    if let Ok(state) = State::from_json(data) {
        let judgement = state.judge();
        let again = State::of(&judgement.position).judge();
        assert_eq!(again.position, judgement.position, "JSON round trip");
        let _ = judgement.to_string();
        let _ = judgement.position.legal_actions();
        let _ = judgement.position.legal_throws();
        if let Ok(action) = action {
            let _ = judgement.after(&action);
        }
    }
});
