//! What the fuzz targets of all games ask: what is handed in is read or refused, and what was
//! read can be written and read again; what the list offers is accepted, every change can be
//! undone, and a refused action leaves nothing behind.

use std::fmt::Debug;

use sightline::rules::{
    Judgement, Rulebook, State, dice_duel, diceland, from_json, nearspace, thunderstruck,
};

/// A position that is played on.
pub trait Played: Clone + PartialEq + Debug {
    type Action;
    type Change;

    /// Carries out an action in place.
    ///
    /// # Errors
    ///
    /// Why it is refused, in words.
    fn act(&mut self, action: &Self::Action) -> Result<Self::Change, String>;

    /// Takes a change back.
    fn undo(&mut self, change: &Self::Change);

    /// What may be done.
    fn legal(&self) -> Vec<Self::Action>;
}

macro_rules! played {
    ($($game:ident),*) => {
        $(impl Played for $game::Position {
            type Action = $game::Action;
            type Change = $game::Change;

            fn act(&mut self, action: &$game::Action) -> Result<$game::Change, String> {
                $game::Position::act(self, action).map_err(|because| because.to_string())
            }

            fn undo(&mut self, change: &$game::Change) {
                self.replay(&change.inverse()).expect("a change can be undone");
            }

            fn legal(&self) -> Vec<$game::Action> {
                self.legal_actions()
            }
        })*
    };
}

played!(dice_duel, diceland, thunderstruck, nearspace);

/// Reads a state, judges it, and reads what comes of it again.
pub fn judged<R: Rulebook>(data: &[u8]) -> Option<Judgement<R>> {
    let judgement = State::<R>::from_json(data).ok()?.judge();
    let again = State::<R>::of(&judgement.position).judge();
    assert_eq!(again.position, judgement.position, "JSON round trip");
    let _ = judgement.to_string();
    Some(judgement)
}

/// Reads a set-up from text, and the position that it comes to again.
pub fn told<R: Rulebook>(data: &[u8], print: &R::Print) -> Option<R::Position>
where
    R::Setup: std::str::FromStr<Err: Debug>,
{
    let resolve = |setup: R::Setup| {
        let print = print.clone();
        R::resolve(&State { print, setup }).0
    };
    let position = resolve(std::str::from_utf8(data).ok()?.parse().ok()?);
    let read = position.to_string().parse().expect("what was written");
    assert_eq!(resolve(read), position, "text round trip");
    Some(position)
}

/// Carries out an action and takes it back on a copy; one that the list offers has to be accepted.
pub fn play<P: Played>(position: &mut P, action: &P::Action, offered: bool) -> Option<P::Change> {
    let before = position.clone();
    match position.act(action) {
        Ok(change) => {
            let mut back = position.clone();
            back.undo(&change);
            assert_eq!(back, before);
            Some(change)
        }
        Err(because) => {
            assert!(!offered, "what the list offers is accepted: {because}");
            assert_eq!(*position, before, "a refused action leaves nothing behind");
            None
        }
    }
}

/// Carries out an action that the bytes hold as JSON, if they do.
pub fn play_json<P: Played>(position: &mut P, data: &[u8]) -> Option<P::Change>
where
    P::Action: serde::de::DeserializeOwned,
{
    play(position, &from_json(data).ok()?, false)
}

/// Plays on: two bytes choose one of the legal actions.
pub fn walk<P: Played>(position: &mut P, data: &[u8], most: usize) -> Vec<P::Change> {
    walk_with(position, data, most, |position, _| position.legal())
}

/// The same for what else the two bytes make legal.
pub fn walk_with<P: Played>(
    position: &mut P,
    data: &[u8],
    most: usize,
    legal: impl Fn(&P, [u8; 2]) -> Vec<P::Action>,
) -> Vec<P::Change> {
    let mut changes = Vec::new();
    for pair in data.chunks_exact(2).take(most) {
        let pair = [pair[0], pair[1]];
        let legal = legal(position, pair);
        let index = usize::from(u16::from_be_bytes(pair));
        let Some(action) = legal.get(index % legal.len().max(1)) else {
            break;
        };
        changes.extend(play(position, action, true));
    }
    changes
}

/// Takes everything back.
pub fn unwind<P: Played>(mut position: P, changes: &[P::Change], start: &P) {
    for change in changes.iter().rev() {
        position.undo(change);
    }
    assert_eq!(position, *start);
}

/// A copy whose options the bytes draw.
pub fn dice_duel_print(seed: &[u8]) -> dice_duel::Print {
    let bits = seed
        .iter()
        .fold(0u32, |n, b| n.rotate_left(5) ^ u32::from(*b));
    let mut print = dice_duel::Print::default();
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
        options.arc = dice_duel::ArcEdge::QuadrantExclusive;
    }
    if on(12) {
        options.edge_forward_two = dice_duel::EdgeMove::Clip;
    }
    if on(13) {
        options.mine_in_own_square = dice_duel::OwnSquareMine::FrontArc;
    }
    if on(14) {
        options.tractor_off_map = dice_duel::OffMapPush::Stays;
    }
    if on(15) {
        options.wormhole_half = dice_duel::WormholeHalf::Ask;
    }
    if on(16) {
        options.saved_helm_die = dice_duel::SavedDie::AsRolled;
    }
    print
}
