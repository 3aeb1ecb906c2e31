//! Space Cadets: Dice Duel.

mod book;
mod cases;
mod cli;
mod input;
mod nouns;
mod options;
mod oracle;
mod properties;
mod regression;
mod rules;
mod schema;
mod setup;
mod support;
