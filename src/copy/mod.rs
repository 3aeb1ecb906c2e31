//! Somebody's physical copy of a game, as data: a folder with `copy.toml` and pictures.
//!
//! Faces are enrolled with pictures, never trained in. Every symbol says what it means to the rules.

mod corners;
mod die;
mod draft;
mod file;
mod means;
mod owner;
mod owner_error;
mod photographs;
mod piece;
mod shipped;
mod sink;
mod source;
mod status;
mod surface;

pub use corners::{lie_beyond, lie_elsewhere, read_corners, write_corners};
pub use die::{DieKind, Face, Near, NearFrom, Prints, Read, Shape};
pub use draft::{
    Draft, DraftDie, DraftFace, DraftGrid, DraftMark, DraftMiniature, DraftSide, DraftSurface,
    DraftToken, DraftView, DraftZone,
};
pub use file::HouseRules;
pub use file::{CopyError, CopyFile, load};
pub use means::Means;
pub use owner::{
    BOARD, Measured, Owner, OwnerBoard, OwnerStart, OwnerToken, PerKind, TOKENS, names_photographs,
};
pub use owner_error::OwnerError;
pub use photographs::{Photographs, alike, corners_beside, photographs_of};
pub use piece::{Miniature, MiniatureView, Outline, Token, TokenSide};
pub use shipped::shipped;
pub use sink::{WriteError, write};
pub use source::{FileError, Note, Source, in_words, read_file, read_text};
pub use status::Status;
pub use surface::{Grid, Mark, Region, Surface, SurfaceKind, Zone};

use std::path::PathBuf;

/// A copy that was read and found whole.
#[derive(Debug, Clone)]
pub struct Copy {
    pub folder: PathBuf,
    pub name: String,
    /// Which rules are played with it, e.g. `dice-duel`.
    pub game: String,
    pub prints: Prints,
    pub dice: Vec<DieKind>,
    /// Displays, then boards, as the file lists them.
    pub surfaces: Vec<Surface>,
    pub miniatures: Vec<Miniature>,
    pub tokens: Vec<Token>,
    /// What the rules are told of its print and of how its owners play; all else they have from the other fields or by
    /// default.
    pub rules: Option<HouseRules>,
    /// What is odd in the file and can be lived with; for the owner to read.
    pub notes: Vec<Note>,
}

impl Copy {
    /// What a face of a kind means to the rules: (kind, face).
    pub fn means(&self, kind: &str, face: &str) -> Option<(Option<&str>, &str)> {
        let kind = self.dice.iter().find(|d| d.kind == kind)?;
        let face = kind.faces.iter().find(|f| f.face == face)?;
        Some((kind.means.as_deref(), &face.means))
    }
}
