//! Whatever is handed in is read or refused; what the list offers is accepted, every change can be
//! undone, and a refused action leaves nothing behind.
//!
//! `cargo +nightly fuzz run nearspace`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::nearspace::{Action, EXAMPLE_STATE, Position, Print, Setup, State};

fuzz_target!(|data: &[u8]| {
    let action = Action::from_json(data);
    if let Ok(state) = State::from_json(data) {
        let judgement = state.judge();
        let again = State::of(&judgement.position).judge();
        assert_eq!(again.position, judgement.position, "JSON round trip");
        let _ = judgement.to_string();
        walk(judgement.position, data);
    }
    let Ok(example) = State::from_json(EXAMPLE_STATE.as_bytes()) else {
        return;
    };
    let start = example.judge().position;
    if let Ok(action) = action {
        let mut position = start.clone();
        match position.act(&action) {
            Ok(change) => position
                .replay(&change.inverse())
                .expect("a change can be undone"),
            Err(_) => assert_eq!(position, start, "a refused action leaves nothing behind"),
        }
        assert_eq!(position, start);
    }
    if let Some(setup) = std::str::from_utf8(data)
        .ok()
        .and_then(|text| text.parse::<Setup>().ok())
    {
        let print = Print::default();
        let (position, _) = setup.resolve(&print);
        let read: Setup = position.to_string().parse().expect("what was written");
        assert_eq!(read.resolve(&print).0, position, "text round trip");
        walk(position, data);
    }
    walk(start, data);
});

/// Two bytes choose one of the legal actions.
fn walk(mut position: Position, data: &[u8]) {
    for pair in data.chunks_exact(2).take(40) {
        let index = usize::from(pair[0]) * 256 + usize::from(pair[1]);
        let legal = position.legal_actions();
        let Some(action) = legal.get(index % legal.len().max(1)) else {
            return;
        };
        let before = position.clone();
        let change = position
            .act(action)
            .expect("what the list offers is accepted");
        let mut back = position.clone();
        back.replay(&change.inverse())
            .expect("a change can be undone");
        assert_eq!(back, before);
    }
}
