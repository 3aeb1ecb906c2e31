//! Sequences of actions: what the list offers is accepted, every change can be undone, and a
//! refused action leaves nothing behind.
//!
//! `cargo +nightly fuzz run dice_duel_actions`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{Action, EXAMPLE_STATE, Lineup, Print, Setup, State};

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let print = Print::default();
    let mut position = match first % 4 {
        0 => Setup::start(&print, Lineup::Duel).resolve(&print).0,
        1 => Setup::start(&print, Lineup::TwoASide).resolve(&print).0,
        2 => Setup::start(&print, Lineup::FreeForAll).resolve(&print).0,
        _ => match State::from_json(EXAMPLE_STATE.as_bytes()) {
            Ok(state) => state.judge().position,
            Err(_) => return,
        },
    };
    let start = position.clone();
    let mut changes = Vec::new();
    // Two bytes choose one of the legal actions; a sequence may also bring one as JSON.
    for pair in rest.chunks(2).take(100) {
        let legal = position.legal_actions();
        let [a, b] = pair else { break };
        let index = usize::from(*a) * 256 + usize::from(*b);
        let Some(action) = legal.get(index % legal.len().max(1)) else {
            break;
        };
        let before = position.clone();
        let change = position.act(action).expect("what the list offers is accepted");
        let mut back = position.clone();
        back.replay(&change.inverse()).expect("a change can be undone");
        assert_eq!(back, before);
        changes.push(change);
    }
    // A sequence may also bring actions and corrections as JSON, or as sentences, one a line.
    let json = Action::from_json(rest).ok();
    let text = std::str::from_utf8(rest).unwrap_or_default();
    let lines = text.lines().take(100).filter_map(|line| line.parse().ok());
    for action in json.into_iter().chain(lines) {
        let before = position.clone();
        match position.act(&action) {
            Ok(change) => {
                changes.push(change);
                let again = position.to_setup().resolve(position.print()).0;
                assert_eq!(again, position, "what comes of it can be written down");
            }
            Err(_) => assert_eq!(position, before, "a refused action leaves nothing behind"),
        }
        assert_eq!(action.to_string().parse(), Ok(action), "a sentence read is written");
    }
    assert_eq!(position.calls().len(), position.verdicts().len());
    for change in changes.iter().rev() {
        position.replay(&change.inverse()).expect("a change can be undone");
    }
    assert_eq!(position, start);
});
