//! Whatever is handed in is read or refused, and what was read can be written and read again.
//!
//! `cargo +nightly fuzz run dice_duel_parse`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{Action, Print, Setup, State, What};

fuzz_target!(|data: &[u8]| {
    let _ = Action::from_json(data);
    if let Ok(state) = State::from_json(data) {
        let judgement = state.judge();
        let again = State::of(&judgement.position).judge();
        assert_eq!(again.position, judgement.position, "JSON round trip");
        let _ = judgement.to_string();
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(what) = text.parse::<What>() {
        assert_eq!(what.to_string().parse(), Ok(what), "what a call is about");
    }
    if let Ok(setup) = text.parse::<Setup>() {
        let claims: Setup = setup.to_string().parse().expect("claims that were written");
        assert_eq!(claims.resolve(&Print::default()), setup.resolve(&Print::default()));
        let (position, _) = setup.resolve(&Print::default());
        let read: Setup = position.to_string().parse().expect("what was written");
        assert_eq!(read.resolve(&Print::default()).0, position, "text round trip");
        assert_eq!(position.calls().len(), position.verdicts().len());
    }
});
