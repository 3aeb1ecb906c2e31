//! The game's nouns in the words that all games are judged in.

use crate::rules::{Course, rulebook};

/// An example that a newcomer can edit: engine dice that were just rolled, a check, an odd die.
pub const EXAMPLE_STATE: &str = include_str!("example_state.json");

/// An example of an action: a charge that the example state allows.
pub const EXAMPLE_ACTION: &str = r#"{
  "charge": { "player": "a", "remove": 0, "reroll": 2, "shows": 11 }
}
"#;

rulebook! {
    /// Nearspace, as `judge` and `schema` see it.
    course: |_| Course::default()
}
