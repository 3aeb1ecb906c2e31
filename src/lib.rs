//! `sightline` watches a real game table through a webcam and calls the game.
//!
//! The line is `frames → sightings → settled table → setup → position → calls → people`; each
//! arrow is one module with one type on each side of it. Dependencies point one way:
//! `geometry ← copy ← rig ← capture ← vision ← table`; `rules` stands alone; `table` and `rules`
//! meet only in `session`; `overlay`, `broadcast` and `cli` stand on `session`. `tests/layers.rs`
//! reads the sources and fails when an arrow turns.

pub mod geometry;

pub mod copy;

pub mod rig;

pub mod capture;

pub mod vision;

pub mod table;

pub mod rules;

pub mod session;

#[cfg(feature = "app")]
pub mod overlay;

#[cfg(feature = "stream")]
pub mod broadcast;

pub mod cli;
