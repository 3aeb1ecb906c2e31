//! The rules alone, for any game: a state in, problems and calls out. A game says with a
//! [`Rulebook`] which nouns are its own; what is done with them is here once.

use std::fmt;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use super::{
    Because, Core, Document, Explain, Fault, Form, InputError, NotJudged, Problem, from_json,
};

/// A game's nouns, and the few things that only the game knows of them.
pub trait Rulebook: Clone + fmt::Debug + Default + PartialEq + Sync + 'static {
    /// The copy that is played with, and its options.
    type Print: Clone + fmt::Debug + Default + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// A table as claimed.
    type Setup: Clone + fmt::Debug + Default + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// What the rules reason over; as text, what a person would read first.
    type Position: Clone + fmt::Debug + PartialEq + fmt::Display;
    /// What a player does, or corrects.
    type Action: DeserializeOwned + JsonSchema;
    /// A place of the table.
    type Zone: Clone + fmt::Debug + PartialEq + fmt::Display;
    /// What can be wrong there.
    type Fault: Clone + fmt::Debug + PartialEq + Fault;
    /// A step of an explanation.
    type Reason: fmt::Debug + Explain;
    /// What may be announced.
    type Call: Clone + fmt::Debug + PartialEq + Serialize + JsonSchema;

    /// A state that a newcomer can edit, as JSON.
    const EXAMPLE_STATE: &'static str;
    /// An action that the example state allows, as JSON.
    const EXAMPLE_ACTION: &'static str;

    /// Whether a state is one that any table can hold.
    ///
    /// # Errors
    ///
    /// [`InputError::Impossible`] with the path of the first field that cannot be.
    fn check(state: &State<Self>) -> Result<(), InputError>;

    /// The position of a state, and what was wrong or unknown.
    fn resolve(state: &State<Self>) -> (Self::Position, Vec<Problem<Self::Zone, Self::Fault>>);

    /// The state of a position, to be read again.
    fn state(position: &Self::Position) -> State<Self>;

    /// What may be announced.
    fn calls(position: &Self::Position) -> Vec<Self::Call>;

    /// The position after an action.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the position, unchanged, and the reason.
    fn play(
        position: Self::Position,
        action: &Self::Action,
    ) -> Result<Self::Position, Box<Refused<Self::Position, Self::Reason>>>;

    /// A call as a person would read it: the announcement, then its reasons, a line each.
    fn explain(call: &Self::Call) -> impl fmt::Display;

    /// What a person would be told of the game's course: how far it is, and who has won.
    fn course(position: &Self::Position) -> Course;
}

/// A game's course in words, each a sentence, as far as there is something to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// How far the game is.
    pub now: Option<String>,
    /// How it ended.
    pub outcome: Option<String>,
}

/// Makes `Core` of a game's nouns, which its folder gives out under the names and with the
/// methods that all games share; what a game says of its course is all that differs. The folder
/// has an `EXAMPLE_STATE` and an `EXAMPLE_ACTION` beside it.
macro_rules! rulebook {
    ($(#[$doc:meta])* course: $course:expr) => {
        /// What `sightline judge` reads: a table as claimed, and the copy it is played with.
        pub type State = crate::rules::State<Core>;

        /// A position with what was wrong on the way to it and what may be announced.
        pub type Judgement = crate::rules::Judgement<Core>;

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Core;

        impl crate::rules::Rulebook for Core {
            type Print = super::Print;
            type Setup = super::Setup;
            type Position = super::Position;
            type Action = super::Action;
            type Zone = super::Zone;
            type Fault = super::Fault;
            type Reason = super::Reason;
            type Call = super::Call;

            const EXAMPLE_STATE: &'static str = EXAMPLE_STATE;
            const EXAMPLE_ACTION: &'static str = EXAMPLE_ACTION;

            fn check(state: &State) -> Result<(), crate::rules::InputError> {
                state.print.check("print")?;
                state.setup.check(&state.print, "setup")
            }

            fn resolve(state: &State) -> (super::Position, Vec<super::Problem>) {
                state.setup.resolve(&state.print)
            }

            fn state(position: &super::Position) -> State {
                State {
                    print: position.print().clone(),
                    setup: position.to_setup(),
                }
            }

            fn calls(position: &super::Position) -> Vec<super::Call> {
                position.calls()
            }

            fn play(
                position: super::Position,
                action: &super::Action,
            ) -> Result<super::Position, Box<super::Refused>> {
                Ok(position.play(action)?.0)
            }

            fn explain(call: &super::Call) -> impl std::fmt::Display {
                call.explain()
            }

            fn course(position: &super::Position) -> crate::rules::Course {
                let course: fn(&super::Position) -> crate::rules::Course = $course;
                course(position)
            }
        }
    };
}
pub(crate) use rulebook;

/// What `sightline judge` reads: a table as claimed, and the copy it is played with where that is
/// not the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, bound = "")]
#[schemars(rename = "State", bound = "R: Rulebook")]
pub struct State<R: Rulebook> {
    /// The copy and its options.
    pub print: R::Print,
    /// The table.
    pub setup: R::Setup,
}

impl<R: Rulebook> State<R> {
    /// Reads a state from JSON.
    ///
    /// # Errors
    ///
    /// One sentence with the path in the JSON: for what is no JSON, has an unknown field, or
    /// claims what no table can hold.
    pub fn from_json(bytes: &[u8]) -> Result<State<R>, InputError> {
        let state = from_json(bytes)?;
        R::check(&state)?;
        Ok(state)
    }

    /// The position with all that follows from it.
    pub fn judge(&self) -> Judgement<R> {
        let (position, problems) = R::resolve(self);
        Judgement::of(position, problems)
    }

    /// The state of a position, to be read again.
    pub fn of(position: &R::Position) -> State<R> {
        R::state(position)
    }
}

/// An action that was refused, with the position as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{because}")]
pub struct Refused<P, R: Explain> {
    /// The position, unchanged.
    pub position: P,
    /// Why.
    pub because: Because<R>,
}

/// The position after what `act` does in place to it, and the change.
///
/// # Errors
///
/// [`Refused`] with the position, which `act` leaves unchanged where it refuses, and the reason.
pub(crate) fn played<P, C, R: Explain>(
    mut position: P,
    act: impl FnOnce(&mut P) -> Result<C, Because<R>>,
) -> Result<(P, C), Box<Refused<P, R>>> {
    match act(&mut position) {
        Ok(change) => Ok((position, change)),
        Err(because) => Err(Box::new(Refused { position, because })),
    }
}

/// A position with what was wrong on the way to it and what may be announced. As JSON:
/// `{"state", "problems", "calls"}`; as text, what a person would read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<R: Rulebook> {
    /// What the rules reason over.
    pub position: R::Position,
    /// What was wrong or unknown.
    pub problems: Vec<Problem<R::Zone, R::Fault>>,
    /// What may be announced.
    pub calls: Vec<R::Call>,
}

impl<R: Rulebook> Judgement<R> {
    /// Everything about a position.
    pub fn of(position: R::Position, problems: Vec<Problem<R::Zone, R::Fault>>) -> Judgement<R> {
        let calls = R::calls(&position);
        Judgement {
            position,
            problems,
            calls,
        }
    }

    /// The same after an action. Problems of the table stay with the table.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the position, unchanged, and the reason.
    pub fn after(
        self,
        action: &R::Action,
    ) -> Result<Judgement<R>, Box<Refused<R::Position, R::Reason>>> {
        let position = R::play(self.position, action)?;
        Ok(Judgement::of(position, Vec::new()))
    }
}

/// What is printed of a judgement.
#[derive(Serialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(rename = "Judgement", bound = "R: Rulebook")]
struct Printed<'a, R: Rulebook> {
    /// The table as the rules see it: what may not lie there is taken off, what is not known is
    /// marked so. It can be handed in again.
    state: State<R>,
    /// What was wrong or unknown.
    problems: &'a [Problem<R::Zone, R::Fault>],
    /// What may be announced.
    calls: &'a [R::Call],
}

impl<R: Rulebook> Serialize for Judgement<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let printed = Printed::<R> {
            state: State::of(&self.position),
            problems: &self.problems,
            calls: &self.calls,
        };
        printed.serialize(serializer)
    }
}

impl<R: Rulebook> fmt::Display for Judgement<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let course = R::course(&self.position);
        if let Some(now) = course.now {
            writeln!(f, "{now}")?;
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
        if !self.calls.is_empty() {
            writeln!(f, "Calls:")?;
        }
        for call in &self.calls {
            writeln!(f, "- {}", R::explain(call))?;
        }
        if let Some(outcome) = course.outcome {
            writeln!(f, "{outcome}")?;
        }
        Ok(())
    }
}

impl<R: Rulebook> Core for R {
    fn judge(&self, state: &[u8], actions: &[Vec<u8>], form: Form) -> Result<String, NotJudged> {
        let state = State::<R>::from_json(state).map_err(NotJudged::State)?;
        let mut judgement = state.judge();
        for (index, bytes) in actions.iter().enumerate() {
            let action = from_json(bytes).map_err(|error| NotJudged::Action { index, error })?;
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
        let mut schema = match document {
            Document::Setup => schema_for!(R::Setup),
            Document::State => schema_for!(State<R>),
            Document::Action => schema_for!(R::Action),
            Document::Judgement => {
                let settings = SchemaSettings::draft2020_12().for_serialize();
                settings
                    .into_generator()
                    .into_root_schema_for::<Printed<R>>()
            }
        };
        if let Some(example) = example(self, document) {
            schema.insert("examples".into(), vec![example].into());
        }
        schema
    }

    fn example_state(&self) -> &'static str {
        R::EXAMPLE_STATE
    }

    fn example_action(&self) -> &'static str {
        R::EXAMPLE_ACTION
    }
}

/// The example state or its set-up, the example action, or what the example state is judged to
/// be. A slip in an example is found by a test; a schema without one still holds.
fn example(core: &impl Core, document: Document) -> Option<serde_json::Value> {
    let state = core.example_state();
    let text = match document {
        Document::Setup | Document::State => state.to_string(),
        Document::Action => core.example_action().to_string(),
        Document::Judgement => core.judge(state.as_bytes(), &[], Form::Json).ok()?,
    };
    let mut example: serde_json::Value = serde_json::from_str(&text).ok()?;
    match document {
        Document::Setup => Some(example.get_mut("setup")?.take()),
        _ => Some(example),
    }
}
