//! What people do, as data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{Flow, Screen};
use super::pips::Pips;
use super::spot::{Shield, ShipId, Spot};
use super::track::{Heading, Space};
use crate::rules::{Place, Span};

/// A die and the space it is placed on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Where.
    pub at: Spot,
    /// What it shows.
    pub shows: u8,
}

/// A roll and what was made of it, as the lifted screen shows it.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The dice on the console.
    pub dice: Vec<Placed>,
    /// What the dice show that found no space.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<u8>,
}

/// What a power cube is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CubeUse {
    /// One pip more.
    Raise,
    /// One pip less.
    Lower,
    /// The die moves to another space and is actioned there at once.
    Move {
        /// To where.
        to: Spot,
    },
}

/// At whom a shot is fired, and which way round the loop it flies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    /// At whom.
    pub target: ShipId,
    /// Which way.
    pub way: Heading,
}

/// What the winner of a contest does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Course {
    /// Turns round.
    Flip,
    /// Nothing.
    Nothing,
    /// Goes to a warp spot.
    Warp {
        /// Which.
        to: Space,
        /// Its heading there.
        heading: Heading,
    },
}

/// One thing somebody did. Rolls are inputs; where the players choose, the choice is in the
/// action, and [`Position::legal_actions`](super::Position::legal_actions) lists the choices
/// (plans: [`Position::legal_plans`](super::Position::legal_plans)).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Behind the screen, a cube rolls all dice again.
    Reroll {
        /// Whose.
        ship: ShipId,
    },
    /// The dice behind the screen are placed; what they are is not told.
    Ready {
        /// Whose.
        ship: ShipId,
    },
    /// The screen comes off.
    Reveal {
        /// Whose.
        ship: ShipId,
        /// What it hid.
        plan: Plan,
    },
    /// A power cube is spent on the die that is about to be actioned.
    Cube {
        /// Whose.
        ship: ShipId,
        /// The die's space.
        at: Spot,
        /// For what.
        does: CubeUse,
    },
    /// One Boost die, or both together.
    Boost {
        /// Who.
        ship: ShipId,
        /// The dice.
        from: Vec<Spot>,
    },
    /// The contest.
    Manoeuvre {
        /// Who calls for it.
        ship: ShipId,
    },
    /// A shield goes up.
    Shield {
        /// Whose.
        ship: ShipId,
        /// Which.
        shield: Shield,
    },
    /// A shot.
    Fire {
        /// Who.
        ship: ShipId,
        /// With which die.
        from: Spot,
        /// At whom; nothing only where nobody can be fired at.
        #[serde(default)]
        aim: Option<Aim>,
    },
    /// Power cubes are taken.
    Power {
        /// Who.
        ship: ShipId,
        /// With which die.
        from: Spot,
    },
    /// A ship that was hit lets a shield answer and takes a damage token.
    Answer {
        /// Who was hit.
        ship: ShipId,
        /// Which shield goes.
        shield: Shield,
        /// Where the token goes.
        damage: Spot,
    },
    /// What the winner of a contest does.
    Steer {
        /// Who.
        ship: ShipId,
        /// What.
        course: Course,
    },
    /// The next round begins.
    NextRound {
        /// Who takes the Reflex die.
        #[serde(default)]
        reflex: Option<ShipId>,
    },
    /// A person says what is so.
    Correct(Correction),
}

/// A person's word on one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Correction {
    /// What lies on a space of a console.
    Die { ship: ShipId, at: Spot, shows: Pips },
    /// Whether a space has a damage token.
    Damage {
        ship: ShipId,
        at: Spot,
        there: Place<bool>,
    },
    /// Whether a shield is up.
    Shield {
        ship: ShipId,
        shield: Shield,
        up: Place<bool>,
    },
    /// Where a ship stands and how.
    Stand {
        ship: ShipId,
        space: Place<Space>,
        heading: Place<Heading>,
    },
    /// Its cubes.
    Cubes { ship: ShipId, count: Span },
    /// Its dice in the Boost area.
    Boosted { ship: ShipId, dice: Vec<Pips> },
    /// Its dice on the Manoeuvre token.
    Manoeuvred { ship: ShipId, dice: Vec<Pips> },
    /// Its screen.
    Screen { ship: ShipId, screen: Screen },
    /// Whether it is out.
    Retired { ship: ShipId, retired: bool },
    /// Where the game stands.
    Flow(Flow),
}

impl Correction {
    /// Whose place it is about.
    pub fn ship(&self) -> Option<ShipId> {
        use Correction::*;
        match self {
            Die { ship, .. }
            | Damage { ship, .. }
            | Shield { ship, .. }
            | Stand { ship, .. }
            | Cubes { ship, .. }
            | Boosted { ship, .. }
            | Manoeuvred { ship, .. }
            | Screen { ship, .. }
            | Retired { ship, .. } => Some(*ship),
            Flow(_) => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Action::*;
        match self {
            Reroll { ship } => write!(f, "{ship}: a cube rolls all dice again"),
            Ready { ship } => write!(f, "{ship}: dice placed"),
            Reveal { ship, plan } => {
                write!(f, "{ship}: screen off,")?;
                for (i, die) in plan.dice.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma} {} on {}", die.shows, die.at)?;
                }
                Ok(())
            }
            Cube { ship, at, does } => match does {
                CubeUse::Raise => write!(f, "{ship}: a cube, one more on {at}"),
                CubeUse::Lower => write!(f, "{ship}: a cube, one less on {at}"),
                CubeUse::Move { to } => write!(f, "{ship}: a cube, {at} to {to}"),
            },
            Boost { ship, from } => {
                write!(f, "{ship}: boost with ")?;
                for (i, spot) in from.iter().enumerate() {
                    write!(f, "{}{spot}", if i > 0 { " and " } else { "" })?;
                }
                Ok(())
            }
            Manoeuvre { ship } => write!(f, "{ship}: manoeuvre"),
            Shield { ship, shield } => write!(f, "{ship}: {shield} shield"),
            Fire { ship, from, aim } => match aim {
                Some(Aim { target, way }) => write!(f, "{ship}: {from} at {target}, {way}"),
                None => write!(f, "{ship}: {from} at nobody"),
            },
            Power { ship, from } => write!(f, "{ship}: power from {from}"),
            Answer {
                ship,
                shield,
                damage,
            } => write!(f, "{ship}: {shield} shield answers, damage on {damage}"),
            Steer { ship, course } => match course {
                Course::Flip => write!(f, "{ship}: flips"),
                Course::Nothing => write!(f, "{ship}: stays as it is"),
                Course::Warp { to, heading } => write!(f, "{ship}: warps to {to}, {heading}"),
            },
            NextRound { reflex: None } => f.write_str("next round"),
            NextRound { reflex: Some(ship) } => {
                write!(f, "next round, {ship} takes the Reflex die")
            }
            Correct(_) => f.write_str("corrected by hand"),
        }
    }
}
