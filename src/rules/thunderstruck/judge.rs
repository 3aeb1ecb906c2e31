//! The rules alone: a state in, problems and calls out.

use std::fmt;

use schemars::{JsonSchema, Schema, schema_for};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::action::Action;
use super::call::Call;
use super::fault::Problem;
use super::flow::Phase;
use super::play::Refused;
use super::position::{EndedBy, Position};
use super::print::Print;
use super::setup::Setup;
use crate::rules::{Document, Fault, Form, InputError, NotJudged, from_json, with_example};

/// What `sightline judge --game thunderstruck` reads: a table as claimed, and the copy it is
/// played with where that is not the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct State {
    /// The copy and its options.
    pub print: Print,
    /// The table.
    pub setup: Setup,
}

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

/// Thunderstruck Duel, as `judge` and `schema` see it.
pub struct Core;

impl crate::rules::Core for Core {
    fn judge(&self, state: &[u8], actions: &[Vec<u8>], form: Form) -> Result<String, NotJudged> {
        let mut judgement = State::from_json(state).map_err(NotJudged::State)?.judge();
        for (index, bytes) in actions.iter().enumerate() {
            let action =
                Action::from_json(bytes).map_err(|error| NotJudged::Action { index, error })?;
            judgement = judgement.after(&action).map_err(|e| NotJudged::Refused {
                index,
                reason: e.to_string(),
            })?;
        }
        match form {
            Form::Json => {
                serde_json::to_string(&judgement).map_err(|e| NotJudged::Unwritten(e.to_string()))
            }
            Form::Text => Ok(judgement.to_string()),
        }
    }

    fn schema(&self, document: Document) -> Schema {
        let schema = match document {
            Document::Setup => schema_for!(Setup),
            Document::State => State::schema(),
            Document::Action => Action::schema(),
            Document::Judgement => Judgement::schema(),
        };
        with_example(self, document, schema)
    }

    fn example_state(&self) -> &'static str {
        EXAMPLE_STATE
    }

    fn example_action(&self) -> &'static str {
        EXAMPLE_ACTION
    }
}

impl State {
    /// Reads a state from JSON.
    ///
    /// # Errors
    ///
    /// One sentence with the path in the JSON: for what is no JSON, has an unknown field, or
    /// claims what no table can hold.
    pub fn from_json(bytes: &[u8]) -> Result<State, InputError> {
        let state: State = from_json(bytes)?;
        state.print.check("print")?;
        state.setup.check(&state.print, "setup")?;
        Ok(state)
    }

    /// The position with all that follows from it.
    pub fn judge(&self) -> Judgement {
        let (position, problems) = self.setup.resolve(&self.print);
        Judgement::of(position, problems)
    }

    /// The JSON Schema of a state.
    pub fn schema() -> Schema {
        schema_for!(State)
    }

    /// The state of a position, to be read again.
    pub fn of(position: &Position) -> State {
        State {
            print: position.print().clone(),
            setup: position.to_setup(),
        }
    }
}

impl Action {
    /// Reads an action from JSON.
    ///
    /// # Errors
    ///
    /// One sentence with the path in the JSON.
    pub fn from_json(bytes: &[u8]) -> Result<Action, InputError> {
        from_json(bytes)
    }

    /// The JSON Schema of an action.
    pub fn schema() -> Schema {
        schema_for!(Action)
    }
}

/// A position with what was wrong on the way to it and what may be announced. As JSON:
/// `{"state", "problems", "calls"}`; as text, what a person would read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What the rules reason over.
    pub position: Position,
    /// What was wrong or unknown.
    pub problems: Vec<Problem>,
    /// What may be announced.
    pub calls: Vec<Call>,
}

impl Judgement {
    /// Everything about a position.
    pub fn of(position: Position, problems: Vec<Problem>) -> Judgement {
        let calls = position.calls();
        Judgement {
            position,
            problems,
            calls,
        }
    }

    /// The JSON Schema of what it is written as.
    pub fn schema() -> Schema {
        schemars::json_schema!({
            "type": "object",
            "required": ["state", "problems", "calls"],
            "properties": {
                "state": State::schema(),
                "problems": { "type": "array" },
                "calls": { "type": "array" },
            },
        })
    }

    /// The same after an action. Problems of the table stay with the table.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the position, unchanged, and the reason.
    pub fn after(self, action: &Action) -> Result<Judgement, Box<Refused>> {
        let (position, _) = self.position.play(action)?;
        Ok(Judgement::of(position, Vec::new()))
    }
}

impl Serialize for Judgement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("state", &State::of(&self.position))?;
        map.serialize_entry("problems", &self.problems)?;
        map.serialize_entry("calls", &self.calls)?;
        map.end()
    }
}

/// As a person would read it: the position, the problems, the calls with their reasons.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flow = self.position.flow();
        let rounds = self.position.print().numbers.rounds;
        match flow.phase {
            Phase::Planning => writeln!(f, "Round {} of {rounds}, planning.", flow.round)?,
            Phase::Actions => {
                let (round, turn) = (flow.round, flow.turn);
                writeln!(f, "Round {round} of {rounds}, turn of {turn}.")?;
            }
            Phase::RoundEnd => writeln!(f, "Round {} of {rounds} is over.", flow.round)?,
        }
        writeln!(f, "{}", self.position)?;
        if !self.problems.is_empty() {
            writeln!(f, "Problems:")?;
        }
        for problem in &self.problems {
            write!(f, "- {problem}")?;
            match problem.fault.rule() {
                Some(rule) => writeln!(f, " [{}]", rule.section)?,
                None => writeln!(f)?,
            }
        }
        if let Some(outcome) = self.position.outcome() {
            let names: Vec<&str> = outcome.winners.iter().map(|w| w.name()).collect();
            let by = match outcome.by {
                EndedBy::LastShip => "the last ship",
                EndedBy::FirstLoss => "a ship was destroyed, least damage",
                EndedBy::Rounds => "the last round is over, least damage",
            };
            return match names.as_slice() {
                [one] => writeln!(f, "{one} has won: {by}. [Ending the Round]"),
                [] => writeln!(f, "Nobody is left. [Ending the Round]"),
                _ => writeln!(
                    f,
                    "{} are level: {by}. [Ending the Round]",
                    names.join(", ")
                ),
            };
        }
        writeln!(f, "Calls:")?;
        for call in &self.calls {
            let later = if call.now { "" } else { " (not now)" };
            writeln!(f, "- {}{later}", call.explain())?;
        }
        Ok(())
    }
}
