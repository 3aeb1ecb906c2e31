//! The rules alone: a state in, problems and calls out.

use schemars::{JsonSchema, Schema, json_schema, schema_for};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::action::Action;
use super::call::Call;
use super::fault::Problem;
use super::play::Refused;
use super::position::Position;
use super::print::Print;
use super::setup::Setup;
use crate::rules::{Document, Form, InputError, NotJudged, from_json, with_example};

/// What `sightline judge --game diceland` reads: a table as claimed, and the copy it is played
/// with where that is not the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct State {
    /// The copy and its options.
    pub print: Print,
    /// The table.
    pub setup: Setup,
}

/// An example that a newcomer can edit.
pub const EXAMPLE_STATE: &str = include_str!("example_state.json");

/// An example of an action: a shot that the example state allows.
pub const EXAMPLE_ACTION: &str = r#"{
  "fire": {
    "die": "ace"
  }
}
"#;

/// Diceland in the list of games.
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
#[derive(Clone, Debug, PartialEq)]
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
        json_schema!({
            "type": "object",
            "required": ["state", "problems", "calls"],
            "properties": {
                "state": State::schema(),
                "problems": { "type": "array", "items": {
                    "type": "object",
                    "required": ["code", "where", "what"],
                } },
                "calls": { "type": "array", "items": call_schema() },
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

/// A call is one flat object: what it is about, its verdict, and the numbers that belong to it.
/// Only what every call has is required.
fn call_schema() -> Schema {
    let corner = json_schema!({ "enum": ["top", "right", "left"] });
    let mm = json_schema!({ "type": "number", "description": "millimetres, to a hundredth" });
    let number = json_schema!({ "type": "integer", "minimum": 0 });
    let text = json_schema!({ "type": "string" });
    let list = |of: &Schema| json_schema!({ "type": "array", "items": of });
    let outcome = json_schema!({
        "type": "object",
        "required": ["is"],
        "properties": {
            "is": { "enum": ["no_effect", "damage", "kill"] },
            "to": text,
            "side": number,
        },
    });
    let because = json_schema!({
        "type": "object",
        "required": ["rule", "step", "text"],
        "properties": {
            "rule": { "type": "object", "required": ["game", "section"] },
            "step": { "type": "object", "required": ["is"] },
            "text": text,
        },
    });
    let mut properties = serde_json::Map::new();
    for (name, schema) in [
        (
            "call",
            json_schema!({ "enum": [
                "see", "fire", "command", "jump_ally", "remove", "call_dice", "jump",
                "manoeuvre", "act", "go_first", "open", "army", "pass",
            ] }),
        ),
        (
            "verdict",
            json_schema!({ "enum": ["hit", "miss", "may", "must", "cannot", "unsure"] }),
        ),
        ("now", json_schema!({ "type": ["boolean", "null"] })),
        ("die", text.clone()),
        ("target", text.clone()),
        ("corner", corner.clone()),
        ("after", corner.clone()),
        ("player", json_schema!({ "enum": ["one", "two"] })),
        ("above_mm", mm.clone()),
        ("error_mm", mm.clone()),
        ("arrows", list(&corner)),
        ("distance_mm", mm.clone()),
        ("distance_error_mm", mm.clone()),
        ("order", number.clone()),
        ("attack", list(&number)),
        ("outcomes", list(&outcome)),
        ("points", schema_for!(crate::rules::Span)),
        ("face", text.clone()),
        ("side", number.clone()),
        ("at_mm", list(&mm)),
        ("heading_deg", json_schema!({ "type": "number" })),
        ("room_mm", mm.clone()),
        ("dice", list(&text)),
        ("count", number.clone()),
        ("most", number),
        ("because", list(&because)),
        ("unsure_on", list(&text)),
    ] {
        properties.insert(name.into(), schema.into());
    }
    json_schema!({
        "type": "object",
        "required": ["call", "verdict", "now", "because"],
        "properties": properties,
    })
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
