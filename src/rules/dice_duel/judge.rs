//! The game's nouns in the words that all games are judged in.

use crate::rules::{Course, rulebook};

/// An example that a newcomer can edit: White fires at Black, who stands three squares away.
pub const EXAMPLE_STATE: &str = include_str!("example_state.json");

/// An example of an action: the launch that the example state allows.
pub const EXAMPLE_ACTION: &str = r#"{
  "fire": {
    "ship": "white",
    "torpedoes": 1,
    "target": { "ship": "black" },
    "tubes": ["front-1"]
  }
}
"#;

rulebook! {
    /// Dice Duel, as `judge` and `schema` see it.
    course: |position| Course {
        now: None,
        outcome: position.winner().map(|w| format!("{w} has won.")),
    }
}
