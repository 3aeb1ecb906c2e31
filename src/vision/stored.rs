//! Vectors and colours of a copy's faces, kept beside it: a start need not read every picture again.
//!
//! The file says which model made them. After a model update, or when a picture has changed, what no longer
//! fits is made anew from the pictures; nobody has to enrol again.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::colour::Colour;
use crate::copy::{Copy, WriteError, read_file, write};

const FILE: &str = "embeddings.json";

/// What is kept of an enrolment picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Unit vectors, one a quarter turn.
    pub turns: [Vec<f32>; 4],
    pub colour: Colour,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Stored {
    /// SHA-256 of the model file, hexadecimal.
    model: String,
    /// By SHA-256 of the picture file, hexadecimal.
    faces: BTreeMap<String, Kept>,
    #[serde(skip)]
    path: PathBuf,
    #[serde(skip)]
    used: BTreeMap<String, Kept>,
}

impl Stored {
    /// What is kept for this copy and this model; nothing where there is no such file, or another model's.
    pub fn open(copy: &Copy, model: &str) -> Self {
        let path = copy.folder.join(FILE);
        let stored: Self = read_file(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            faces: if stored.model == model {
                stored.faces
            } else {
                BTreeMap::new()
            },
            model: model.to_owned(),
            path,
            used: BTreeMap::new(),
        }
    }

    pub fn name(picture: &[u8]) -> String {
        Sha256::digest(picture)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    /// The vectors of the picture of that name, each of `dim` numbers.
    pub fn get(&mut self, name: &str, dim: usize) -> Option<Kept> {
        let kept = self.faces.get(name)?;
        // somebody may have had their hands in the file
        let unit = |v: &Vec<f32>| (v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-3;
        if !kept.turns.iter().all(|v| v.len() == dim && unit(v)) {
            return None;
        }
        self.used.insert(name.to_owned(), kept.clone());
        Some(kept.clone())
    }

    pub fn put(&mut self, name: String, kept: Kept) {
        self.used.insert(name, kept);
    }

    /// Writes the file anew where it no longer holds just what was used. Whether there is one is for enrolment
    /// to say (`keep`): copies that ship have none.
    ///
    /// # Errors
    /// The disk. What was to be kept can always be made again.
    pub fn close(mut self, keep: bool) -> Result<(), WriteError> {
        if (!keep && !self.path.exists()) || self.used == self.faces {
            return Ok(());
        }
        self.faces = self.used;
        self.used = BTreeMap::new();
        // numbers and names always are JSON
        match serde_json::to_vec(&self) {
            Ok(text) => write(&self.path, text),
            Err(_) => Ok(()),
        }
    }
}
