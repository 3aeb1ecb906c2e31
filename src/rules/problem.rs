//! What was wrong or unknown on the way from a table to a position.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Rule;

/// What can be wrong, in one game's own terms.
pub trait Fault: fmt::Display {
    /// A short stable name, for programs.
    fn code(&self) -> &'static str;
    /// The rule that is broken, if it is one.
    fn rule(&self) -> Option<Rule>;
    /// Whether play goes on unharmed; such a thing is shown, not insisted on.
    fn is_soft(&self) -> bool;
}

/// Something wrong, and where. As JSON: `{"code", "where", "what"}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem<Z, F> {
    /// The zone, in the words of the design (`white.helm.A`, `board[3,4]`).
    pub at: Z,
    /// What is wrong.
    pub fault: F,
}

impl<Z: fmt::Display, F: Fault> fmt::Display for Problem<Z, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.fault)
    }
}

impl<Z: fmt::Display, F: Fault> Serialize for Problem<Z, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("code", self.fault.code())?;
        map.serialize_entry("where", &self.at.to_string())?;
        map.serialize_entry("what", &self.fault.to_string())?;
        map.end()
    }
}

impl<Z, F> JsonSchema for Problem<Z, F> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Problem".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "something wrong or unknown, and where",
            "type": "object",
            "properties": {
                "code": { "type": "string", "description": "a short stable name" },
                "where": { "type": "string", "description": "the zone" },
                "what": { "type": "string", "description": "what is wrong, as a sentence" }
            },
            "required": ["code", "where", "what"],
            "additionalProperties": false
        })
    }
}
