//! Somebody's physical copy of a game, as data: a folder with `copy.toml` and pictures.
//!
//! Faces are enrolled with pictures, never trained in. Every symbol says what it means to the rules.

mod file;
mod status;

pub use file::{CopyError, CopyFile, load};
pub use status::Status;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A copy that was read and found whole.
#[derive(Debug, Clone)]
pub struct Copy {
    pub folder: PathBuf,
    pub name: String,
    /// Which rules are played with it, e.g. `dice-duel`.
    pub game: String,
    pub dice: Vec<DieKind>,
}

/// One kind of die: all its faces carry prints of one family.
#[derive(Debug, Clone)]
pub struct DieKind {
    pub kind: String,
    pub shape: Shape,
    /// Edge length (d6) in millimetres.
    pub size_mm: f64,
    /// What the kind is to the rules, e.g. `energy`.
    pub means: Option<String>,
    pub faces: Vec<Face>,
}

/// One symbol of a die kind.
#[derive(Debug, Clone)]
pub struct Face {
    pub face: String,
    /// What the symbol is to the rules, e.g. `J2` or `4`.
    pub means: String,
    /// How many of the die's faces carry it; odds are counted with it.
    pub count: u32,
    /// Pictures of the upright face, cut along its edges.
    pub pictures: Vec<PathBuf>,
}

/// What the detector can tell apart without knowing a copy.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    D6,
}

impl Shape {
    pub fn name(self) -> &'static str {
        match self {
            Self::D6 => "d6",
        }
    }

    /// How many faces a die of this shape has.
    pub fn faces(self) -> u32 {
        match self {
            Self::D6 => 6,
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::D6].into_iter().find(|s| s.name() == name)
    }
}

impl Copy {
    /// What a face of a kind means to the rules: (kind, face).
    pub fn means(&self, kind: &str, face: &str) -> Option<(Option<&str>, &str)> {
        let kind = self.dice.iter().find(|d| d.kind == kind)?;
        let face = kind.faces.iter().find(|f| f.face == face)?;
        Some((kind.means.as_deref(), &face.means))
    }
}
