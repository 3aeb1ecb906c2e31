//! The game's nouns in the words that all games are judged in.

use super::flow::Phase;
use crate::rules::{Course, rulebook};

/// An example that a newcomer can edit: the first ship is about to fire at the second.
pub const EXAMPLE_STATE: &str = include_str!("example_state.json");

/// An example of an action: the shot that the example state allows.
pub const EXAMPLE_ACTION: &str = r#"{
  "fire": {
    "ship": "a",
    "from": "fire-1",
    "aim": { "target": "b", "way": "clockwise" }
  }
}
"#;

rulebook! {
    /// Thunderstruck Duel, as `judge` and `schema` see it.
    course: |position| {
        let flow = position.flow();
        let (round, turn) = (flow.round, flow.turn);
        let rounds = position.print().numbers.rounds;
        let now = match flow.phase {
            Phase::Planning => format!("Round {round} of {rounds}, planning."),
            Phase::Actions => format!("Round {round} of {rounds}, turn of {turn}."),
            Phase::RoundEnd => format!("Round {round} of {rounds} is over."),
        };
        Course {
            now: Some(now),
            outcome: position.outcome().map(|o| o.to_string()),
        }
    }
}
