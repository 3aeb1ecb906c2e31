//! What may be announced about one thing somebody could do.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outcome of a call. `Unsure` is a verdict too: it is what is said when the answer depends
/// on something that was not read.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The shot would hit.
    Hit,
    /// The shot may be declared, and would miss.
    Miss,
    /// It may be done, and works.
    May,
    /// It has to be done.
    Must,
    /// It may not be done, or would not work.
    Cannot,
    /// It depends on what is not known.
    Unsure,
}

impl Verdict {
    /// Whether the verdict stands whatever the unknown places hold.
    pub fn is_sure(self) -> bool {
        self != Verdict::Unsure
    }
}

impl std::str::FromStr for Verdict {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const ALL: [Verdict; 6] = [
            Verdict::Hit,
            Verdict::Miss,
            Verdict::May,
            Verdict::Must,
            Verdict::Cannot,
            Verdict::Unsure,
        ];
        let found = ALL.into_iter().find(|v| v.to_string() == text);
        found.ok_or_else(|| {
            format!("{text:?} is not a verdict: write hit, miss, may, must, cannot or unsure")
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Hit => "hit",
            Verdict::Miss => "miss",
            Verdict::May => "may",
            Verdict::Must => "must",
            Verdict::Cannot => "cannot",
            Verdict::Unsure => "unsure",
        })
    }
}
