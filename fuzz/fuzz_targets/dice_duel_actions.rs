//! Sequences of actions, on copies with all their options; a sequence may also bring actions and
//! corrections as JSON, or as sentences, one a line.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none dice_duel_actions`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{Action, EXAMPLE_STATE, Lineup, Setup, State};
use sightline::rules::from_json;
use sightline_fuzz::{dice_duel_print, play, unwind, walk};

fuzz_target!(|data: &[u8]| {
    let Some((options, data)) = data.split_at_checked(4) else {
        return;
    };
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let print = dice_duel_print(options);
    let mut position = match first % 4 {
        0 => Setup::start(&print, Lineup::Duel).resolve(&print).0,
        1 => Setup::start(&print, Lineup::TwoASide).resolve(&print).0,
        2 => Setup::start(&print, Lineup::FreeForAll).resolve(&print).0,
        _ => match State::from_json(EXAMPLE_STATE.as_bytes()) {
            Ok(state) => state.setup.resolve(&print).0,
            Err(_) => return,
        },
    };
    let start = position.clone();
    let mut changes = walk(&mut position, rest, 30);
    let json = from_json::<Action>(rest).ok();
    let text = std::str::from_utf8(rest).unwrap_or_default();
    let lines = text.lines().take(100).filter_map(|line| line.parse().ok());
    for action in json.into_iter().chain(lines) {
        if let Some(change) = play(&mut position, &action, false) {
            changes.push(change);
            let again = position.to_setup().resolve(position.print()).0;
            assert_eq!(again, position, "what comes of it can be written down");
        }
        assert_eq!(
            action.to_string().parse(),
            Ok(action),
            "a sentence read is written"
        );
    }
    assert_eq!(position.calls().len(), position.verdicts().len());
    unwind(position, &changes, &start);
});
