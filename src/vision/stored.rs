//! What models made of a copy's pictures, kept beside it: a start need not read every picture again.
//!
//! The file says which model made them. After a model update, or when a picture has changed, what no longer
//! fits is made anew from the pictures; nobody has to enrol again.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::copy::{Copy, WriteError, read_file, write};

/// The files beside a copy: of faces of cubes, of other dice's, and of pieces.
pub(super) const FACES: &str = "embeddings.json";
pub(super) const SOLIDS: &str = "solid-embeddings.json";
pub(super) const PIECES: &str = "piece-embeddings.json";

/// What one model made of pictures.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stored<T> {
    /// SHA-256 of the model file, hexadecimal.
    model: String,
    /// By SHA-256 of the picture file, hexadecimal.
    pictures: BTreeMap<String, T>,
    #[serde(skip)]
    path: PathBuf,
    #[serde(skip, default = "BTreeMap::new")]
    used: BTreeMap<String, T>,
}

/// Whether it is a unit vector of so many numbers: somebody may have had their hands in the file.
pub(super) fn is_unit(v: &[f32], dim: usize) -> bool {
    v.len() == dim && (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-3
}

/// What a picture's file is called here; `None` where it cannot be read.
pub(super) fn name(path: &Path) -> Option<String> {
    let bytes = read_file(path).ok()?;
    Some(
        Sha256::digest(bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect(),
    )
}

impl<T: Clone + PartialEq + Serialize + DeserializeOwned> Stored<T> {
    /// What is kept for this copy and this model; nothing where there is no such file, or another model's.
    pub fn open(copy: &Copy, file: &str, model: &str) -> Self {
        let path = copy.folder.join(file);
        let stored: Option<Self> = read_file(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let stored = stored.filter(|s| s.model == model);
        Self {
            pictures: stored.map(|s| s.pictures).unwrap_or_default(),
            model: model.to_owned(),
            path,
            used: BTreeMap::new(),
        }
    }

    /// What was made of the picture of that name, where it is what it should be.
    pub fn get(&mut self, name: &str, is_good: impl Fn(&T) -> bool) -> Option<T> {
        let kept = self.pictures.get(name).filter(|k| is_good(k))?;
        self.used.insert(name.to_owned(), kept.clone());
        Some(kept.clone())
    }

    pub fn put(&mut self, name: String, kept: T) {
        self.used.insert(name, kept);
    }

    /// Writes the file anew where it no longer holds just what was used. Whether there is one is for enrolment
    /// to say (`keep`): copies that ship have none.
    ///
    /// # Errors
    /// The disk. What was to be kept can always be made again.
    pub fn close(mut self, keep: bool) -> Result<(), WriteError> {
        if (!keep && !self.path.exists()) || self.used == self.pictures {
            return Ok(());
        }
        self.pictures = std::mem::take(&mut self.used);
        // numbers and names always are JSON
        match serde_json::to_vec(&self) {
            Ok(text) => write(&self.path, text),
            Err(_) => Ok(()),
        }
    }
}
