//! How a group plays what the rule book leaves open. The defaults are in `demo_print.json`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::print::demo;
use super::ship_id::ParseNounError;

/// A choice between words, written alike in JSON, in text and in the code's names.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal, $hint:literal:
     $($(#[$word_doc:meta])* $word:ident = $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($name::$word => $text,)*
                })
            }
        }

        impl FromStr for $name {
            type Err = ParseNounError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok($name::$word),)*
                    _ => Err(ParseNounError::new(text, $what, $hint)),
                }
            }
        }
    };
}

words! {
    /// Whether a target exactly on a diagonal is in the arc.
    ArcEdge, "where the arc ends", "write quadrant_inclusive or quadrant_exclusive":
    /// Diagonals belong to the arc.
    QuadrantInclusive = "quadrant_inclusive",
    /// Diagonals belong to the side.
    QuadrantExclusive = "quadrant_exclusive",
}

words! {
    /// What a forward-two does with one free square before the edge.
    EdgeMove, "a move at the edge", "write whole_die_stays or clip":
    /// The die moves the ship not at all.
    WholeDieStays = "whole_die_stays",
    /// The ship goes as far as the edge.
    Clip = "clip",
}

words! {
    /// Whether a tractor beam may move a ship towards a square off the map.
    OffMapPush, "a push off the map", "write forbidden or stays":
    /// It may not.
    Forbidden = "forbidden",
    /// It may: the ship stays where it is, and the beam's dice are spent.
    Stays = "stays",
}

words! {
    /// Whether a torpedo can be aimed at a mine in the ship's own square.
    OwnSquareMine, "a mine in the ship's own square", "write not_a_target or front_arc":
    /// There is no direction to it, so it is no target.
    NotATarget = "not_a_target",
    /// It counts as ahead: the front tubes bear on it, at range 0.
    FrontArc = "front_arc",
}

words! {
    /// Which half is taken by a ship that comes out of a wormhole onto another ship.
    WormholeHalf, "the half behind a wormhole", "write travel or ask":
    /// As anywhere: it comes in by the edge its direction of travel leads through.
    Travel = "travel",
    /// Both halves are open until somebody says which is whose.
    Ask = "ask",
}

words! {
    /// What a helm die that a gravity arrow saved may become.
    SavedDie, "a saved helm die", "write any_face or as_rolled":
    /// It may be turned to any face.
    AnyFace = "any_face",
    /// It is placed again with the face it had.
    AsRolled = "as_rolled",
}

/// Open points of the rule book, and options. Each default is an assumption that `demo_print.json`
/// holds and a copy's own data may replace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The edge of the firing arc.
    pub arc: ArcEdge,
    /// Forward two at the edge of the map.
    pub edge_forward_two: EdgeMove,
    /// "Fire 2" with one torpedo on the right side and one on the other: does the other leave
    /// too?
    pub fire_two_removes_other_side: bool,
    /// "Fire 2" at a target abeam: do both torpedoes leave?
    pub side_shot_removes_all_declared: bool,
    /// May a launch be declared with no torpedo loaded on any side? It then misses.
    pub fire_unloaded: bool,
    /// A torpedo at a mine in the ship's own square.
    pub mine_in_own_square: OwnSquareMine,
    /// Does a Warp Jump's arrival count as entering the square?
    pub warp_arrival_enters: bool,
    /// Do a tractor attempt's dice leave when the strength is not enough?
    pub failed_tractor_removes_dice: bool,
    /// Tractoring a ship off the map.
    pub tractor_off_map: OffMapPush,
    /// Does what lies on the first square of a wormhole act too?
    pub wormhole_entry_acts: bool,
    /// Coming out of a wormhole onto another ship.
    pub wormhole_half: WormholeHalf,
    /// Does a ship keep its half when the other leaves the square?
    pub half_is_kept: bool,
    /// Does a ship that only passes through another's square push it into a half? That shows only
    /// where `half_is_kept`.
    pub passing_takes_half: bool,
    /// Is an energy die with a number of another station only worth a remark?
    pub energy_number_is_soft: bool,
    /// May tokens lie on crystal and start squares? Where they do, that is remarked all the same.
    pub tokens_on_marked_squares: bool,
    /// Original Space Cadets tiles: rifts and gravity arrows may lie on the map.
    pub original_tiles: bool,
    /// Does a rift block fire also from and to its own square?
    pub rift_blocks_at_its_own_square: bool,
    /// Does each square of a forward-two count for gravity arrows? If not, a die counts once.
    pub gravity_counts_each_square: bool,
    /// What a helm die that gravity saved may become.
    pub saved_helm_die: SavedDie,
    /// Wormhole tokens may lie on the map.
    pub wormholes: bool,
    /// Expansion symbols are of use: they may lie on displays (and count nothing here).
    pub expansion_symbols: bool,
}

demo!(Options, "options" {
    arc: ArcEdge,
    edge_forward_two: EdgeMove,
    fire_two_removes_other_side: bool,
    side_shot_removes_all_declared: bool,
    fire_unloaded: bool,
    mine_in_own_square: OwnSquareMine,
    warp_arrival_enters: bool,
    failed_tractor_removes_dice: bool,
    tractor_off_map: OffMapPush,
    wormhole_entry_acts: bool,
    wormhole_half: WormholeHalf,
    half_is_kept: bool,
    passing_takes_half: bool,
    energy_number_is_soft: bool,
    tokens_on_marked_squares: bool,
    original_tiles: bool,
    rift_blocks_at_its_own_square: bool,
    gravity_counts_each_square: bool,
    saved_helm_die: SavedDie,
    wormholes: bool,
    expansion_symbols: bool,
});
