//! Diceland: Space.

mod cases;
mod play;
mod properties;
mod regression;
mod rules;
mod support;
