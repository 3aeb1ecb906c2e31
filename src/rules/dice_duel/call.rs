//! What may be announced from a position.

use std::fmt;

use serde::{Serialize, Serializer};

use super::reason::Reason;
use super::symbol::Faces;
use super::zone::{Station, Zone};
use crate::rules::Verdict;

/// A step of an explanation with the rule it rests on.
pub type Because = crate::rules::Because<Reason>;

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum What {
    /// Where an energy die goes.
    Energy {
        /// Where it lies.
        at: Zone,
        /// What it shows, or may show.
        #[serde(serialize_with = "faces")]
        shows: Faces,
        /// The station it powers, if that is sure.
        #[serde(skip_serializing_if = "Option::is_none")]
        station: Option<Station>,
    },
}

pub(super) fn faces<S: Serializer>(faces: &Faces, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(faces)
}

/// What may be announced: a verdict with its numbers and its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// What it is about.
    #[serde(flatten)]
    pub what: What,
    /// What is announced.
    pub verdict: Verdict,
    /// Why, step by step.
    pub because: Vec<Because>,
    /// The places whose content the verdict waits for; empty unless it is `unsure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsure_on: Vec<Zone>,
}

/// The call in one line, as it would be said.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Energy { shows, station, .. } => match (station, self.verdict) {
                (Some(station), _) => write!(f, "energy die {shows} → {}", station.title()),
                (None, Verdict::Must) => match shows.known() {
                    Some(super::symbol::Symbol::Energy6) => f.write_str("six: roll again"),
                    _ => write!(f, "energy die {shows}: roll again"),
                },
                (None, _) => write!(f, "energy die {shows}: unsure"),
            },
        }
    }
}
