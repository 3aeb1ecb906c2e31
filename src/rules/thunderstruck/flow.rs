//! Where the game stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noun::noun;
use super::spot::{ShipId, Side, Spot};

noun! {
    /// The part of the round.
    Phase, "a part of the round" {
        /// Dice are rolled and placed behind the screens, then shown.
        Planning = "planning",
        /// Die by die, in turn.
        Actions = "actions",
        /// Every die is actioned.
        RoundEnd = "round_end",
    }
}

noun! {
    /// A ship's screen during planning.
    Screen, "what a screen does" {
        /// It stands, and dice are placed behind it.
        Up = "up",
        /// It stands, and the dice behind it are placed.
        Ready = "ready",
        /// It is off the table: everybody sees the console.
        Off = "off",
    }
}

impl Screen {
    /// Whether the console is hidden behind it.
    pub fn hides(self) -> bool {
        self != Screen::Off
    }
}

/// Something that has to be done before the next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Owed {
    /// A ship that was hit says which shield answers and where the damage goes.
    Answer {
        /// Which ship.
        ship: ShipId,
        /// Where it was hit.
        side: Side,
    },
    /// A ship that won its sector's contest says what it does.
    Steer {
        /// Which ship.
        ship: ShipId,
        /// Whether it had two dice in the contest, so that it may warp.
        warp: bool,
    },
}

impl Owed {
    /// Who has to do it.
    pub fn ship(self) -> ShipId {
        match self {
            Owed::Answer { ship, .. } | Owed::Steer { ship, .. } => ship,
        }
    }
}

impl std::fmt::Display for Owed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Owed::Answer { ship, .. } => write!(f, "{ship} answers the hit"),
            Owed::Steer { ship, .. } => write!(f, "{ship} flips, warps, or does nothing"),
        }
    }
}

/// Where the game stands. What says nothing here is as at the start of a round's actions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flow {
    /// The round, from 1.
    pub round: u8,
    /// Its part.
    pub phase: Phase,
    /// Who has the turn marker.
    pub first: ShipId,
    /// Whose turn it is, in the action phase.
    pub turn: ShipId,
    /// The dice that cubes were spent on this turn: these are actioned next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acting: Vec<Spot>,
    /// Whether a cube moved a die this turn: it is actioned at once.
    #[serde(skip_serializing_if = "is_false")]
    pub moved: bool,
    /// What has to be done before the next turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<Owed>,
    /// Who has the Reflex die this round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflex: Option<ShipId>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Default for Flow {
    fn default() -> Self {
        Flow {
            round: 1,
            phase: Phase::Actions,
            first: ShipId::A,
            turn: ShipId::A,
            acting: Vec::new(),
            moved: false,
            owed: Vec::new(),
            reflex: None,
        }
    }
}
