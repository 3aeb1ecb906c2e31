//! Where the game stands: whose turn, and what still waits to be done in it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::face::{Corner, Filter};
use super::name::DieId;
use super::player::Player;

/// Things that can wait in one turn; a chain of calls and commands is far shorter.
pub const MAX_WAITING: usize = 256;

/// What part of the game it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Turns are not kept: every die may act, and nobody is told to wait.
    #[default]
    Free,
    /// The player with the smaller army says who goes first.
    Choosing,
    /// This player places a die in the table's centre.
    Opening(Player),
    /// This player's turn.
    Turn(Player),
    /// This player has won.
    Over(Player),
}

/// Something that waits to be done, or to be waived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Waiting {
    /// A die that was thrown may be activated.
    Landed {
        /// Which.
        die: DieId,
    },
    /// A die that was commanded may take an action.
    Commanded {
        /// Which.
        die: DieId,
        /// By whom.
        by: DieId,
        /// The number of its command flag.
        flag: u8,
    },
    /// More dice may be called.
    Calling {
        /// By whom.
        die: DieId,
        /// How many.
        left: u8,
        /// Of what sort.
        #[serde(default)]
        of: Filter,
    },
    /// A die that moved and shoots may fire.
    MayShoot {
        /// Which.
        die: DieId,
    },
    /// A die that shot and moves may manoeuvre.
    MayMove {
        /// Which.
        die: DieId,
    },
}

impl Waiting {
    /// The die it waits for.
    pub fn die(&self) -> DieId {
        match self {
            Waiting::Landed { die }
            | Waiting::Commanded { die, .. }
            | Waiting::Calling { die, .. }
            | Waiting::MayShoot { die }
            | Waiting::MayMove { die } => *die,
        }
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waiting::Landed { die } => write!(f, "{die} has landed and may act"),
            Waiting::Commanded { die, by, flag } => {
                write!(f, "{die} has command flag {flag} of {by}")
            }
            Waiting::Calling { die, left, of } => write!(f, "{die} may call {left} more: {of}"),
            Waiting::MayShoot { die } => write!(f, "{die} has moved and may shoot"),
            Waiting::MayMove { die } => write!(f, "{die} has shot and may move"),
        }
    }
}

/// Where the game stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flow {
    /// What part of the game it is.
    pub stage: Stage,
    /// How many turns in a row were passed.
    pub passes: u8,
    /// What waits in this turn; the last is next. What a new action brings is done before what
    /// waited already.
    pub waiting: Vec<Waiting>,
    /// A die that was thrown off the table, as long as nothing else is done: its throw may still
    /// be called a foul, though the turn may have ended with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<DieId>,
}

/// A person's word on what was too close to call. It holds until one of its dice lies anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ruling {
    /// Whether an arrow of a die sees a target.
    Sees {
        /// Who looks.
        die: DieId,
        /// Its arrow.
        arrow: Corner,
        /// At whom.
        target: DieId,
        /// Whether it does.
        sees: bool,
    },
    /// Which of two is nearer.
    Nearer {
        /// To whom.
        to: DieId,
        /// The nearer.
        near: DieId,
        /// The other.
        far: DieId,
    },
    /// Whether a die has room to roll.
    Room {
        /// Which.
        die: DieId,
        /// The corner that is pressed.
        corner: Corner,
        /// Whether it has.
        free: bool,
    },
}

impl Ruling {
    /// Whether it is about a die.
    pub fn names(&self, id: DieId) -> bool {
        match self {
            Ruling::Sees { die, target, .. } => id == *die || id == *target,
            Ruling::Nearer { to, near, far } => id == *to || id == *near || id == *far,
            Ruling::Room { die, .. } => id == *die,
        }
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ruling::Sees {
                die,
                arrow,
                target,
                sees,
            } => {
                let not = if *sees { "sees" } else { "does not see" };
                write!(f, "{die} {not} {target} by its {arrow} arrow")
            }
            Ruling::Nearer { to, near, far } => write!(f, "{near} is nearer to {to} than {far}"),
            Ruling::Room { die, corner, free } => {
                let not = if *free { "has" } else { "has no" };
                write!(f, "{die} {not} room to roll by its {corner} corner")
            }
        }
    }
}
