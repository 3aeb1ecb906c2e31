//! A `copy.toml` being written: what enrolment found out, in the format that [`super::load`] reads.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    die::{NearFrom, Read},
    piece::Outline,
    sink::{WriteError, write},
};

/// The file as it will be written.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Draft {
    pub format: u32,
    pub name: String,
    pub game: String,
    pub dice: Vec<DraftDie>,
    pub displays: Vec<DraftSurface>,
    pub boards: Vec<DraftSurface>,
    pub miniatures: Vec<DraftMiniature>,
    pub tokens: Vec<DraftToken>,
    /// What differs from the rules' defaults.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftDie {
    pub kind: String,
    pub shape: String,
    pub size_mm: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    /// What says how like one of its faces a print must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearFrom>,
    /// How many of them each player's ship has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
    /// Where the number that counts stands, where that is not on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Read>,
    pub faces: Vec<DraftFace>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftFace {
    pub face: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    #[serde(skip_serializing_if = "is_one")]
    pub count: u32,
    pub pictures: Vec<String>,
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftSurface {
    pub id: String,
    pub means: String,
    pub size_mm: [f64; 2],
    pub thickness_mm: f64,
    /// Numbers of the energy dice that power its station.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub powered_by: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<DraftGrid>,
    pub zones: Vec<DraftZone>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftGrid {
    pub origin_mm: [f64; 2],
    pub square_mm: f64,
    pub columns: u32,
    pub rows: u32,
    pub marked: Vec<DraftMark>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftMark {
    /// Column and row from the bottom left, from 0.
    pub square: [u32; 2],
    pub means: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftZone {
    pub zone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    pub polygon_mm: Vec<[f64; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftMiniature {
    pub id: String,
    pub means: String,
    pub length_mm: f64,
    pub views: Vec<DraftView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftView {
    pub heading_deg: f64,
    pub picture: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftToken {
    pub kind: String,
    pub outline: Outline,
    pub size_mm: f64,
    pub sides: Vec<DraftSide>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DraftSide {
    pub side: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    pub pictures: Vec<String>,
}

impl Draft {
    /// Writes `folder/copy.toml` and the files named in it; what the folder held under other names stays. A `copy.toml` that says anything
    /// else, as one does into which its owner has written, is kept as `copy.toml.before`, or with a number where there is one; returns where, if so.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> Result<Option<PathBuf>, WriteError> {
        // where no photograph was any use there is no picture to make it for
        fs::create_dir_all(folder).map_err(|e| WriteError::new(folder, &e))?;
        for (name, bytes) in files {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|e| WriteError::new(parent, &e))?;
            }
            write(&path, bytes)?;
        }
        let path = folder.join("copy.toml");
        let text = toml::to_string(self).map_err(|e| WriteError {
            path: path.clone(),
            why: e.to_string(),
        })?;
        let names = (2..).map(|n| format!("copy.toml.before-{n}"));
        let names = std::iter::once("copy.toml.before".to_owned()).chain(names);
        let before = names
            .map(|name| folder.join(name))
            .find(|path| !path.exists())
            .unwrap_or_else(|| folder.join("copy.toml.before"));
        let other = fs::read(&path).is_ok_and(|was| was != text.as_bytes());
        if other {
            fs::rename(&path, &before).map_err(|e| WriteError::new(&before, &e))?;
        }
        write(&path, text)?;
        Ok(other.then_some(before))
    }
}
