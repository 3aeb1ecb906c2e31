//! The rules of the games: pure, no clock, no I/O, no floats where integers do.
//!
//! What every game shares is here and small: a [`Verdict`], the [`Rule`] a step rests on, a
//! [`Because`] that carries a reason as data, a [`Problem`] found on the way from a table to a
//! position, exact [`Odds`], a quantity known within a [`Span`], and a place whose content is
//! [`Known`](Place::Known), one of several, or unknown. A game is one folder beside these files.

pub mod dice_duel;
pub mod diceland;
pub mod nearspace;
pub mod thunderstruck;

mod game;
mod json;
mod objects;
mod odds;
mod place;
mod problem;
mod reason;
mod span;
mod verdict;

pub use game::{Core, Document, Form, Game, NoSuchGame, NotJudged};
pub use json::{InputError, MAX_INPUT_BYTES};
pub use odds::{Odds, OddsSpan};
pub use place::Place;
pub use problem::{Fault, Problem};
pub use reason::{Because, Explain, Rule};
pub use span::Span;
pub use verdict::Verdict;

pub(crate) use game::with_example;
pub(crate) use json::{from_json, string_serde};
