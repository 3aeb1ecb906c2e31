//! What a thing of a copy is to the rules.

use std::{fmt, ops::Deref};

use toml::Spanned;

use super::source::Source;

/// The rules' word for a thing, and where the file has it from. Rules that do not know a word that somebody wrote refuse the
/// copy; a thing whose own name they do not know is merely none of the game's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    pub word: String,
    /// It was written as `means`, and is not just the thing's own name.
    pub said: bool,
    /// `means` is empty: its owner says that it is nothing to the rules.
    pub nothing: bool,
    /// Line of `copy.toml` on which `means` stands, or else the thing's own name; from 1.
    pub line: usize,
}

impl Means {
    /// What `means` says, or else the thing's own name.
    pub(super) fn of(
        source: &Source,
        means: Option<&Spanned<String>>,
        name: &Spanned<String>,
    ) -> Self {
        let nothing = means.is_some_and(|m| m.get_ref().is_empty());
        let means = means.filter(|_| !nothing);
        let from = means.unwrap_or(name);
        Self {
            word: from.get_ref().clone(),
            said: means.is_some(),
            nothing,
            line: source.line(from),
        }
    }
}

impl Deref for Means {
    type Target = str;

    fn deref(&self) -> &str {
        &self.word
    }
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

impl From<&str> for Means {
    /// As a thing that is called so.
    fn from(word: &str) -> Self {
        Self {
            word: word.to_owned(),
            said: false,
            nothing: false,
            line: 1,
        }
    }
}
