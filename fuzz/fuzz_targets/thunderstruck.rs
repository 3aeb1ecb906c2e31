//! Whatever is handed in is read or refused; what the list offers is accepted, every change can be
//! undone, and a refused action leaves nothing behind.
//!
//! `cargo +nightly fuzz run thunderstruck`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::thunderstruck::{Action, Print, Setup, State};

fuzz_target!(|data: &[u8]| {
    let action = Action::from_json(data);
    if let Ok(state) = State::from_json(data) {
        let judgement = state.judge();
        let again = State::of(&judgement.position).judge();
        assert_eq!(again.position, judgement.position, "JSON round trip");
        let _ = judgement.to_string();
        walk(judgement.position, data);
    }
    let print = Print::default();
    let start = Setup::start(&print, 2 + data.len() % 2).resolve(&print).0;
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
        let (position, _) = setup.resolve(&print);
        let read: Setup = position.to_string().parse().expect("what was written");
        assert_eq!(read.resolve(&print).0, position, "text round trip");
        walk(position, data);
    }
    walk(start, data);
});

/// Two bytes choose one of the legal actions, or of the legal plans for a roll.
fn walk(mut position: sightline::rules::thunderstruck::Position, data: &[u8]) {
    for pair in data.chunks_exact(2).take(60) {
        let index = usize::from(pair[0]) * 256 + usize::from(pair[1]);
        let mut legal = position.legal_actions();
        for ship in position.ships() {
            let roll: Vec<u8> = (0..position.dice_of(ship.id()))
                .map(|i| 1 + pair[usize::from(i) % 2].wrapping_mul(i as u8 + 1) % 6)
                .collect();
            let plans = position.legal_plans(ship.id(), &roll, 4);
            let ship = ship.id();
            let shown = plans.into_iter().map(|plan| Action::Reveal { ship, plan });
            legal.extend(shown.filter(|a| position.clone().act(a).is_ok()));
        }
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
