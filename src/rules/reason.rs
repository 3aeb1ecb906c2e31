//! Reasons are data: which rule, with which numbers. Text is made when somebody looks.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Game;

/// A place in a rule book: the game and the heading under which the rule stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Rule {
    /// Whose rule book.
    pub game: Game,
    /// The heading, as the book's reader would look it up.
    pub section: &'static str,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.game, self.section)
    }
}

/// A reason that knows the rule it rests on and can be put into words.
pub trait Explain: fmt::Display {
    /// The rule this step rests on.
    fn rule(&self) -> Rule;
}

/// One step of an explanation: a game's own reason. As JSON it is the reason's fields with
/// `rule` and, made at that moment, `text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Because<R>(pub R);

impl<R: Explain> Because<R> {
    /// The rule this step rests on.
    pub fn rule(&self) -> Rule {
        self.0.rule()
    }
}

impl<R: Explain> fmt::Display for Because<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.0.rule())
    }
}

impl<R: Explain + Serialize> Serialize for Because<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("rule", &self.0.rule())?;
        map.serialize_entry("step", &self.0)?;
        map.serialize_entry("text", &self.0.to_string())?;
        map.end()
    }
}
