//! The words of the game that are written as text.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is not a word of the game, and what would have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {noun}: write {hint}")]
pub struct ParseNounError {
    text: String,
    noun: &'static str,
    hint: &'static str,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident, $what:literal, $hint:literal {
        $( $(#[$vmeta:meta])* $variant:ident = $text:literal ),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            JsonSchema,
        )]
        pub enum $name { $( $(#[$vmeta])* #[serde(rename = $text)] $variant ),+ }

        impl $name {
            /// Every one of them.
            pub const ALL: &'static [$name] = &[ $( $name::$variant ),+ ];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $( $name::$variant => $text ),+ })
            }
        }

        impl FromStr for $name {
            type Err = ParseNounError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $( $text => Ok($name::$variant), )+
                    _ => Err(ParseNounError {
                        text: text.chars().take(60).collect(),
                        noun: $what,
                        hint: $hint,
                    }),
                }
            }
        }
    };
}

words! {
    /// A player.
    PlayerId, "a player", "a or b" {
        /// One.
        A = "a",
        /// The other.
        B = "b",
    }
}

words! {
    /// What a card is.
    CardKind, "a kind of card", "sector, encounter, event, directive, hero or other" {
        /// A sector, which may replace one in Nearspace.
        Sector = "sector",
        /// An encounter, which cannot be discarded.
        Encounter = "encounter",
        /// An event.
        Event = "event",
        /// A directive.
        Directive = "directive",
        /// A hero.
        Hero = "hero",
        /// Anything else.
        Other = "other",
    }
}

words! {
    /// What a sector of Nearspace is.
    SectorKind, "a kind of sector", "system, space or homeworld" {
        /// An established system.
        System = "system",
        /// A space sector.
        Space = "space",
        /// A Homeworld.
        Homeworld = "homeworld",
    }
}

words! {
    /// The parts of a turn that these rules know.
    Phase, "a part of a turn", "build, engine or energy" {
        /// Construction points are spent.
        Build = "build",
        /// Engine dice are about to be rolled.
        Engine = "engine",
        /// They are rolled; their energy is spent.
        Energy = "energy",
    }
}

words! {
    /// What an engine die is doing.
    DieState, "a state of an engine die", "idle, stored, rolled, held, kept or removed" {
        /// It will be rolled.
        Idle = "idle",
        /// It was kept in an earlier turn, and will not be rolled.
        Stored = "stored",
        /// It was rolled this turn and gives energy.
        Rolled = "rolled",
        /// It was kept in an earlier turn and gives energy now.
        Held = "held",
        /// It is set aside for later turns.
        Kept = "kept",
        /// A charge removed it for this turn.
        Removed = "removed",
    }
}

impl PlayerId {
    /// The other player.
    #[must_use]
    pub fn opponent(self) -> PlayerId {
        match self {
            PlayerId::A => PlayerId::B,
            PlayerId::B => PlayerId::A,
        }
    }
}

impl DieState {
    /// Whether a number can be read off it that counts.
    pub fn shows(self) -> bool {
        !matches!(self, DieState::Idle | DieState::Removed)
    }

    /// Whether it gives energy this turn.
    pub fn gives_energy(self) -> bool {
        matches!(self, DieState::Rolled | DieState::Held)
    }
}
