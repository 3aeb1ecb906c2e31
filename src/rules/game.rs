//! The list of games, and what each answers to a person or a program outside.
//!
//! A new game is a folder beside this file with a [`Core`], its `pub mod` in `mod.rs`, and one line
//! in the list below.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::InputError;

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

/// A schema with an example in it: the example state or its set-up, the example action, or what
/// the example state is judged to be.
pub(crate) fn with_example(core: &dyn Core, document: Document, mut schema: Schema) -> Schema {
    let state = core.example_state();
    let text = match document {
        Document::Setup | Document::State => state.to_string(),
        Document::Action => core.example_action().to_string(),
        // A slip in an example is found by a test; a schema without one still holds.
        Document::Judgement => core
            .judge(state.as_bytes(), &[], Form::Json)
            .unwrap_or_default(),
    };
    if let Ok(mut example) = serde_json::from_str::<serde_json::Value>(&text) {
        if let (Document::Setup, Some(setup)) = (document, example.get_mut("setup")) {
            example = setup.take();
        }
        schema.insert("examples".into(), vec![example].into());
    }
    // A schema put together from others refers to definitions at its root.
    let mut found = serde_json::Map::new();
    for (name, part) in schema.ensure_object().iter_mut() {
        if name != "examples" && name != "$defs" {
            take_definitions(part, &mut found);
        }
    }
    if !found.is_empty() {
        let own = schema.remove("$defs");
        found.extend(
            own.and_then(|d| d.as_object().cloned())
                .into_iter()
                .flatten(),
        );
        schema.insert("$defs".into(), found.into());
    }
    schema
}

/// Takes the definitions out of the parts of a schema.
fn take_definitions(
    part: &mut serde_json::Value,
    found: &mut serde_json::Map<String, serde_json::Value>,
) {
    match part {
        serde_json::Value::Object(fields) => {
            if let Some(serde_json::Value::Object(definitions)) = fields.remove("$defs") {
                found.extend(definitions);
            }
            fields.remove("$schema");
            for part in fields.values_mut() {
                take_definitions(part, found);
            }
        }
        serde_json::Value::Array(parts) => {
            for part in parts {
                take_definitions(part, found);
            }
        }
        _ => {}
    }
}

macro_rules! games {
    ($($(#[$doc:meta])* $game:ident, $folder:ident, $name:literal, $title:literal;)*) => {
        /// The games the program calls.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
                    $(Game::$game => &super::$folder::Core,)*
                }
            }
        }

        /// The title on the box.
        impl fmt::Display for Game {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Game::$game => $title,)*
                })
            }
        }
    };
}

// The list: name in the code, folder, name on the command line, title.
games! {
    /// Space Cadets: Dice Duel.
    DiceDuel, dice_duel, "dice-duel", "Dice Duel";
    /// Diceland: Space.
    Diceland, diceland, "diceland", "Diceland: Space";
    /// Thunderstruck Duel.
    Thunderstruck, thunderstruck, "thunderstruck", "Thunderstruck Duel";
    /// Nearspace's dice rules.
    Nearspace, nearspace, "nearspace", "Nearspace";
}

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
