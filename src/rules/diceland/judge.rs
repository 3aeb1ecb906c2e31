//! The game's nouns in the words that all games are judged in.

use crate::rules::{Course, rulebook};

/// An example that a newcomer can edit.
pub const EXAMPLE_STATE: &str = include_str!("example_state.json");

/// An example of an action: a shot that the example state allows.
pub const EXAMPLE_ACTION: &str = r#"{
  "fire": {
    "die": "ace"
  }
}
"#;

rulebook! {
    /// Diceland, as `judge` and `schema` see it.
    course: |position| Course {
        now: None,
        outcome: position.winner().map(|w| format!("player {w} has won.")),
    }
}
