//! What each game answers to a person or a program outside.

use std::str::FromStr;

use schemars::Schema;

use super::{Game, InputError};

/// What `sightline schema` prints the JSON Schema of, for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Document {
    /// A table as a camera or a person claims it.
    Setup,
    /// What `judge` reads: a set-up, and the copy it is played with.
    State,
    /// What `judge --action` reads.
    Action,
    /// What `judge --json` prints.
    Judgement,
}

/// How a judgement is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// One JSON object: the state, the problems, the calls.
    Json,
    /// As a person would read it, with every call's reasons.
    Text,
}

/// Why there is no judgement. Each is one sentence without a file name; the caller knows the files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotJudged {
    /// The state cannot be read.
    #[error("{0}")]
    State(InputError),
    /// An action cannot be read.
    #[error("{error}")]
    Action {
        /// Which of the actions, from 0.
        index: usize,
        /// What is wrong with it.
        error: InputError,
    },
    /// The rules refuse an action.
    #[error("{reason}")]
    Refused {
        /// Which of the actions, from 0.
        index: usize,
        /// The game's reason, with the rule it rests on.
        reason: String,
    },
    /// The judgement could not be written as JSON: a fault in here.
    #[error("the judgement cannot be written: {0}")]
    Unwritten(String),
}

/// A game's rules, seen from outside: JSON in, a judgement out.
pub trait Core: Sync {
    /// Judges a state after carrying out `actions` in order.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be read or is not allowed.
    fn judge(&self, state: &[u8], actions: &[Vec<u8>], form: Form) -> Result<String, NotJudged>;

    /// The JSON Schema of one of the game's documents.
    fn schema(&self, document: Document) -> Schema;

    /// A state that a newcomer can edit, as JSON.
    fn example_state(&self) -> &'static str;

    /// An action that the example state allows, as JSON.
    fn example_action(&self) -> &'static str;
}

/// The games from their list: each folder's module, and what is said of it outside.
macro_rules! games {
    ($($(#[$doc:meta])* $game:ident, $folder:ident, $name:literal, $title:literal;)*) => {
        $(pub mod $folder;)*

        /// The games the program calls.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        pub enum Game {
            $($(#[$doc])* #[serde(rename = $name)] $game,)*
        }

        impl Game {
            /// Every game, in the order of the list.
            pub const ALL: &'static [Game] = &[$(Game::$game,)*];

            /// The name on the command line and in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Game::$game => $name,)*
                }
            }

            /// The game's rules.
            pub fn core(self) -> &'static dyn Core {
                match self {
                    $(Game::$game => &$folder::Core,)*
                }
            }
        }

        /// The title on the box.
        impl std::fmt::Display for Game {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Game::$game => $title,)*
                })
            }
        }
    };
}
pub(super) use games;

/// No game of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game is called \"{0}\": use {list}", list = Game::ALL.iter().map(|g| g.name()).collect::<Vec<_>>().join(", "))]
pub struct NoSuchGame(String);

impl FromStr for Game {
    type Err = NoSuchGame;

    fn from_str(name: &str) -> Result<Game, NoSuchGame> {
        Game::ALL
            .iter()
            .copied()
            .find(|g| g.name() == name)
            .ok_or_else(|| NoSuchGame(name.to_string()))
    }
}
