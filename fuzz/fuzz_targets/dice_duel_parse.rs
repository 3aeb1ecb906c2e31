//! Whatever is handed in is read or refused, and what was read can be written and read again.
//!
//! `cargo +nightly fuzz run dice_duel_parse`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{
    Action, ArcEdge, EdgeMove, OffMapPush, OwnSquareMine, Print, SavedDie, Setup, State, What,
    WormholeHalf,
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
        // The end of the text, so that what is before it is read as it is.
        let print = print(&data[data.len().saturating_sub(4)..]);
        let claims: Setup = setup.to_string().parse().expect("claims that were written");
        assert_eq!(claims.resolve(&print), setup.resolve(&print));
        let (position, _) = setup.resolve(&print);
        let read: Setup = position.to_string().parse().expect("what was written");
        assert_eq!(read.resolve(&print).0, position, "text round trip");
        assert_eq!(position.calls().len(), position.verdicts().len());
    }
});
