//! What players do.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::face::Corner;
use super::flow::{Flow, Ruling};
use super::geometry::PoseError;
use super::name::{DieId, FaceId};
use super::player::Player;
use super::setup::{DieSetup, TableSetup};
use crate::rules::Span;

/// Something that is done. What rests on the hand, where a die lands, comes with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The player with the smaller army says who goes first.
    GoFirst {
        /// Who says so.
        by: Player,
        /// Who goes first.
        first: Player,
    },
    /// The first turn: a die is placed in the table's centre, any way up.
    Open {
        /// Which.
        die: DieId,
        /// How.
        spot: Landing,
    },
    /// A die is thrown.
    Throw {
        /// Which, and why.
        throw: Throw,
        /// Where it comes to rest; `null`, which has to be said, is off the table.
        #[serde(deserialize_with = "stated")]
        #[schemars(with = "Stated")]
        lands: Option<Landing>,
        /// Other dice that it moves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        knocks: Vec<Knock>,
    },
    /// A corner with a green dot is pressed.
    Manoeuvre {
        /// Of which die.
        die: DieId,
        /// Which corner.
        corner: Corner,
    },
    /// A weapon is fired.
    Fire {
        /// By whom.
        die: DieId,
        /// At whom: needed at long range, no choice at the others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<DieId>,
    },
    /// Allies are commanded.
    Command {
        /// By whom.
        die: DieId,
        /// Whom: needed at long range, no choice at the others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<DieId>,
    },
    /// An enemy is sent back to its owner's hand.
    Remove {
        /// By whom.
        die: DieId,
        /// Whom: needed at long range, no choice at the others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<DieId>,
    },
    /// Dice are called: they are then thrown, one by one.
    Call {
        /// By whom.
        die: DieId,
    },
    /// What waits next is not done.
    Waive,
    /// The turn is passed.
    Pass,
    /// The opponent does not allow a throw from too near.
    Foul {
        /// What becomes of the die.
        penalty: Penalty,
    },
    /// A person's word on what was too close to call.
    Rule(Ruling),
    /// A person's word on anything else.
    Correct(Correction),
}

/// Which die is thrown, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Throw {
    /// One of the hand, as the turn's action or called.
    Hand {
        /// Which.
        die: DieId,
    },
    /// One that jumps.
    Jump {
        /// Which.
        die: DieId,
    },
    /// An ally, by jump ally.
    JumpAlly {
        /// By whom.
        die: DieId,
        /// Who is thrown.
        target: DieId,
    },
}

impl Throw {
    /// The die that flies.
    pub fn flies(&self) -> DieId {
        match self {
            Throw::Hand { die } | Throw::Jump { die } => *die,
            Throw::JumpAlly { target, .. } => *target,
        }
    }
}

/// How a die comes to rest on the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Landing {
    /// The face that is up.
    pub face: FaceId,
    /// The middle of its top face, mm.
    pub at_mm: [f64; 2],
    /// The turn of its print, degrees.
    pub heading_deg: f64,
    /// How far that is known; if nothing is said, the copy's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<PoseError>,
}

/// A die that was moved by one that was thrown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Knock {
    /// Which.
    pub die: DieId,
    /// Where it comes to rest; `null`, which has to be said, is off the table.
    #[serde(deserialize_with = "stated")]
    #[schemars(with = "Stated")]
    pub lands: Option<Landing>,
}

/// A landing or `null`, and never nothing: a die must not leave the table by a slip of the pen.
fn stated<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Landing>, D::Error> {
    Option::deserialize(d)
}

/// The schema of that: `Option` would not be required.
struct Stated;

impl JsonSchema for Stated {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Stated".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Option<Landing>>()
    }
}

/// What a foul costs, where the opponent does not allow the throw. The turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// The die may not act.
    NoShot,
    /// The die goes into reserve.
    OutOfPlay,
}

/// A person's word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// A die is as said here; one that was not there is added.
    Die(Box<DieSetup>),
    /// A player's points.
    Score {
        /// Whose.
        player: Player,
        /// How many.
        points: Span,
    },
    /// Where the game stands.
    Flow(Flow),
    /// The table.
    Table(TableSetup),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |f: &mut fmt::Formatter<'_>, what: &str, die: &DieId, to: &Option<DieId>| {
            write!(f, "{die} {what}")?;
            to.map_or(Ok(()), |to| write!(f, " at {to}"))
        };
        match self {
            Action::GoFirst { by, first } => write!(f, "player {by}: {first} goes first"),
            Action::Open { die, .. } => write!(f, "{die} is placed in the centre"),
            Action::Throw { throw, lands, .. } => {
                write!(f, "{} is thrown", throw.flies())?;
                match lands {
                    Some(lands) => write!(f, " and shows {}", lands.face),
                    None => f.write_str(" off the table"),
                }
            }
            Action::Manoeuvre { die, corner } => write!(f, "{die} rolls by its {corner} corner"),
            Action::Fire { die, target } => at(f, "fires", die, target),
            Action::Command { die, target } => at(f, "commands", die, target),
            Action::Remove { die, target } => at(f, "removes", die, target),
            Action::Call { die } => write!(f, "{die} calls"),
            Action::Waive => f.write_str("what waits is waived"),
            Action::Pass => f.write_str("the turn is passed"),
            Action::Foul { .. } => f.write_str("a foul"),
            Action::Rule(ruling) => ruling.fmt(f),
            Action::Correct(_) => f.write_str("corrected by hand"),
        }
    }
}
