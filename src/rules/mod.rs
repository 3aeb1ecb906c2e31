//! The rules of the games: pure, no clock, no I/O, no floats where integers do.
//!
//! What every game shares is here and small: a [`Verdict`], the [`Rule`] a step rests on, a
//! [`Because`] that carries a reason as data, a [`Problem`] found on the way from a table to a
//! position, exact [`Odds`], a quantity known within a [`Span`], and a place whose content is
//! [`Known`](Place::Known), one of several, or unknown.
//!
//! A game is one folder beside these files, with a [`Rulebook`] called `Core`, and one line in the
//! list at the end of this one.

mod game;
mod json;
mod judgement;
mod objects;
mod odds;
mod place;
mod problem;
mod reason;
mod span;
mod verdict;

pub use game::{Core, Document, Form, NoSuchGame, NotJudged};
pub use json::{InputError, MAX_INPUT_BYTES, from_json};
pub use judgement::{Course, Judgement, Refused, Rulebook, State};
pub use odds::{Odds, OddsSpan};
pub use place::Place;
pub use problem::{Fault, Problem};
pub use reason::{Because, Explain, Rule};
pub use span::Span;
pub use verdict::Verdict;

pub(crate) use json::{string_serde, told_as_text};
pub(crate) use judgement::{played, rulebook};

// The list: name in the code, folder, name on the command line, title. It declares the modules
// too, and rustfmt does not look into it: `tests/layers.rs` sees to the folders' format.
game::games! {
    /// Space Cadets: Dice Duel.
    DiceDuel, dice_duel, "dice-duel", "Dice Duel";
    /// Diceland: Space.
    Diceland, diceland, "diceland", "Diceland: Space";
    /// Thunderstruck Duel.
    Thunderstruck, thunderstruck, "thunderstruck", "Thunderstruck Duel";
    /// Nearspace's dice rules.
    Nearspace, nearspace, "nearspace", "Nearspace";
}
