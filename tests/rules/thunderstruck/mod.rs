//! Thunderstruck Duel.

mod cases;
mod properties;
mod rules;
