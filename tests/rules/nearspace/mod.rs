//! Nearspace's dice.

mod cases;
mod properties;
mod rules;
