//! Sequences of actions: what the list offers is accepted, every change can be undone, and a
//! refused action leaves nothing behind.
//!
//! `cargo +nightly fuzz run dice_duel_actions`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{
    Action, ArcEdge, EXAMPLE_STATE, EdgeMove, Lineup, OffMapPush, OwnSquareMine, Print, SavedDie,
    Setup, State, WormholeHalf,
};

/// A copy whose options the bytes draw.
fn print(seed: &[u8]) -> Print {
    let bits = seed.iter().fold(0u32, |n, b| n.rotate_left(5) ^ u32::from(*b));
    let mut print = Print::default();
    let on = |bit: u32| bits & (1 << bit) != 0;
    let options = &mut print.options;
    options.fire_two_removes_other_side = on(0);
    options.side_shot_removes_all_declared = on(1);
    options.fire_unloaded = on(2);
    options.warp_arrival_enters = on(3);
    options.failed_tractor_removes_dice = on(4);
    options.wormhole_entry_acts = on(5);
    options.half_is_kept = on(6);
    options.passing_takes_half = on(7);
    options.original_tiles = on(8);
    options.gravity_counts_each_square = on(9);
    options.rift_blocks_at_its_own_square = on(10);
    if on(11) {
        options.arc = ArcEdge::QuadrantExclusive;
    }
    if on(12) {
        options.edge_forward_two = EdgeMove::Clip;
    }
    if on(13) {
        options.mine_in_own_square = OwnSquareMine::FrontArc;
    }
    if on(14) {
        options.tractor_off_map = OffMapPush::Stays;
    }
    if on(15) {
        options.wormhole_half = WormholeHalf::Ask;
    }
    if on(16) {
        options.saved_helm_die = SavedDie::AsRolled;
    }
    print
}

fuzz_target!(|data: &[u8]| {
    let Some((options, data)) = data.split_at_checked(4) else {
        return;
    };
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let print = print(options);
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
