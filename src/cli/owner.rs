//! `owner.json`: what an owner measured and entered, beside the photographs of an unattended enrolment.
//!
//! Millimetres; zones from a card's upper left, x right, y down; squares as column and row from the
//! board's upper left.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::UserError;
use crate::copy::{in_words, read_text};

#[derive(Debug, Deserialize)]
pub(super) struct Owner {
    #[serde(default = "card")]
    pub card_mm: PerKind<[f64; 2]>,
    #[serde(default)]
    pub card_thickness_mm: f64,
    pub die_mm: PerKind<f64>,
    #[serde(default = "token_radius")]
    pub token_radius_mm: f64,
    #[serde(default = "mine_radius")]
    pub mine_radius_mm: f64,
    /// The six symbols of each kind of die.
    pub faces: BTreeMap<String, Vec<String>>,
    /// Station, zone, outline.
    #[serde(default)]
    pub displays: BTreeMap<String, BTreeMap<String, Vec<[f64; 2]>>>,
    pub board: Option<OwnerBoard>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OwnerBoard {
    pub cols: u32,
    pub rows: u32,
    pub square_mm: f64,
    pub width_mm: f64,
    pub height_mm: f64,
    #[serde(default)]
    pub thickness_mm: f64,
    pub grid_origin_mm: [f64; 2],
    #[serde(default)]
    pub crystal_squares: BTreeMap<String, [u32; 2]>,
    #[serde(default)]
    pub start_squares: BTreeMap<String, OwnerStart>,
    #[serde(default)]
    pub zones: BTreeMap<String, Vec<[f64; 2]>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OwnerStart {
    pub square: [u32; 2],
}

/// One value for all, or one for each kind or station.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum PerKind<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

impl PerKind<f64> {
    /// Of this kind; where it is not said, the first that is, or an ordinary die's.
    pub fn of(&self, kind: &str) -> f64 {
        match self {
            Self::All(v) => *v,
            Self::Each(each) => each
                .get(kind)
                .or_else(|| each.values().next())
                .copied()
                .unwrap_or(16.0),
        }
    }
}

impl PerKind<[f64; 2]> {
    pub fn of(&self, station: &str) -> [f64; 2] {
        match self {
            Self::All(v) => *v,
            Self::Each(each) => each
                .get(station)
                .or_else(|| each.values().next())
                .copied()
                .unwrap_or([150.0, 110.0]),
        }
    }
}

fn card() -> PerKind<[f64; 2]> {
    PerKind::All([150.0, 110.0])
}

fn token_radius() -> f64 {
    20.0
}

fn mine_radius() -> f64 {
    10.0
}

impl Owner {
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let wrong = |why: String| UserError(format!("{}: {why}", path.display()));
        let text = read_text(path).map_err(|e| wrong(in_words(&e)))?;
        let mut from = serde_json::Deserializer::from_str(&text);
        let owner: Self = serde_path_to_error::deserialize(&mut from)
            .map_err(|e| wrong(format!("{}: {}", e.path(), e.inner())))?;
        Ok(owner)
    }
}
