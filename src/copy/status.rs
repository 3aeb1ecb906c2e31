use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How well something is known. Everywhere the same four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Sure,
    /// A best guess exists.
    Unsure,
    /// Something covers it; the last sure reading is kept beside it.
    Hidden,
    /// Seen, but not of this copy.
    Unknown,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Unsure => "unsure",
            Self::Hidden => "hidden",
            Self::Unknown => "unknown",
        }
    }
}
