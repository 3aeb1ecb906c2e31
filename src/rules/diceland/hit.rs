//! What a hit does to one face. Rule text, sections "Hit, Block, and Damage", "Color Immunity"
//! and "Special Effects: Shield".

use schemars::JsonSchema;
use serde::Serialize;

use super::face::{Arrow, Colour, Corner, FacePrint};
use super::name::FaceId;
use super::tri::Tri;

/// What comes of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hit {
    /// The face is immune to that colour.
    Immune(Colour),
    /// Shield X stops an attack of that value.
    Shielded(u16),
    /// The attack reaches the block: killed.
    Beaten {
        /// The block; none counts as nothing.
        block: Option<u16>,
    },
    /// Any damage kills on Side 1.
    LastSide,
    /// It cannot take the damage, so it is killed.
    Pinned(Corner),
    /// It takes damage: this corner is pressed.
    Damaged(Corner),
}

impl Hit {
    /// Whether the die is killed.
    pub fn kills(self) -> bool {
        matches!(self, Hit::Beaten { .. } | Hit::LastSide | Hit::Pinned(_))
    }

    /// Whether anything happens at all.
    pub fn has_effect(self) -> bool {
        !matches!(self, Hit::Immune(_) | Hit::Shielded(_))
    }
}

/// What becomes of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Outcome {
    /// Nothing.
    NoEffect,
    /// It goes down to this face.
    Damage { to: FaceId, side: u8 },
    /// It is killed.
    Kill,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::NoEffect => f.write_str("no effect"),
            Outcome::Damage { to, .. } => write!(f, "damage down to face {to}"),
            Outcome::Kill => f.write_str("killed"),
        }
    }
}

/// What an attack of a colour does to a face; `pinned` where it has no room to take damage.
pub fn hit(attack: u16, colour: Colour, face: &FacePrint, pinned: bool) -> Hit {
    if face.immune == Some(colour) {
        return Hit::Immune(colour);
    }
    if let Some(x) = face.shield()
        && attack <= x
    {
        return Hit::Shielded(x);
    }
    if face.side == 1 {
        return Hit::LastSide;
    }
    if attack >= face.block.unwrap_or(0) {
        return Hit::Beaten { block: face.block };
    }
    match face.red() {
        Some(corner) if pinned => Hit::Pinned(corner),
        Some(corner) => Hit::Damaged(corner),
        None => Hit::LastSide,
    }
}

/// The attack values a target may be hit with: the largest of the arrows that see it counts.
/// Arrows that surely do not see it are left out of `arrows`' yes and no by `Some(false)`.
pub fn attacks(arrows: &[(Arrow, Tri)]) -> Vec<u16> {
    let value = |arrow: &Arrow| match arrow {
        Arrow::Value(n) => Some(*n),
        Arrow::Blank(_) => None,
    };
    let sure = arrows.iter().filter(|(_, sees)| *sees == Some(true));
    let least = sure.filter_map(|(arrow, _)| value(arrow)).max();
    let mut all: Vec<u16> = arrows
        .iter()
        .filter(|(_, sees)| *sees != Some(false))
        .filter_map(|(arrow, _)| value(arrow))
        .filter(|n| least.is_none_or(|least| *n >= least))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
