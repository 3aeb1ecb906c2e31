//! The game's nouns in the words that all games are judged in.

use std::fmt;

use super::action::Action;
use super::call::Call;
use super::fault::{Fault, Problem};
use super::play::Refused;
use super::position::Position;
use super::print::Print;
use super::reason::Reason;
use super::setup::Setup;
use super::zone::Zone;
use crate::rules::{Course, InputError, Rulebook};

/// What `sightline judge` reads: a table as claimed, and the copy it is played with.
pub type State = crate::rules::State<Core>;

/// A position with what was wrong on the way to it and what may be announced.
pub type Judgement = crate::rules::Judgement<Core>;

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

/// Dice Duel, as `judge` and `schema` see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Core;

impl Rulebook for Core {
    type Print = Print;
    type Setup = Setup;
    type Position = Position;
    type Action = Action;
    type Zone = Zone;
    type Fault = Fault;
    type Reason = Reason;
    type Call = Call;

    const EXAMPLE_STATE: &'static str = EXAMPLE_STATE;
    const EXAMPLE_ACTION: &'static str = EXAMPLE_ACTION;

    fn check(state: &State) -> Result<(), InputError> {
        state.print.check("print")?;
        state.setup.check(&state.print, "setup")
    }

    fn resolve(state: &State) -> (Position, Vec<Problem>) {
        state.setup.resolve(&state.print)
    }

    fn state(position: &Position) -> State {
        State {
            print: position.print().clone(),
            setup: position.to_setup(),
        }
    }

    fn calls(position: &Position) -> Vec<Call> {
        position.calls()
    }

    fn play(position: Position, action: &Action) -> Result<Position, Box<Refused>> {
        Ok(position.play(action)?.0)
    }

    fn explain(call: &Call) -> impl fmt::Display {
        call.explain()
    }

    fn course(position: &Position) -> Course {
        Course {
            now: None,
            outcome: position.winner().map(|w| format!("{w} has won.")),
        }
    }
}
