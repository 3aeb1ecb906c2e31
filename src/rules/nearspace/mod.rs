//! Nearspace's dice, build and engine rules, as far as its text is known: which dice may be
//! brought, checks, hand cycling, terraforming, artifice, banking, engine dice.
//!
//! A [`Setup`] is what a camera or a person claims; [`Setup::resolve`] makes a [`Position`] of it
//! and says what was wrong or unknown. [`Position::calls`] answers what may be announced, and
//! [`Position::play`] turns it into the next. Income, the price of ships, movement and fighting
//! are of the rules that are not known: they come in as actions.
//!
//! What the text leaves open is decided here as follows, or by [`Print`]:
//!
//! - A charge comes before any energy is spent, and takes dice that were rolled this turn: a die
//!   kept from an earlier turn was not rolled.
//! - A kept die that gives energy this turn may be kept again before that energy is spent.
//! - Artifice CP come anew with each build phase and are not carried over.
//! - An encounter that is revealed while terraforming lies on the sector; what the sector is then,
//!   the players say.
//!
//! ```
//! use sightline::rules::nearspace::{DieClaim, Print};
//!
//! let ruling = DieClaim::new([1, 2, 3, 1, 2, 3]).judge(&Print::default().dice);
//! assert_eq!(ruling.counts_as, Some(3));
//! assert_eq!(ruling.needs_permission, Some(true));
//! ```

mod action;
mod call;
mod die;
mod fault;
mod judge;
mod legal;
mod noun;
mod odds;
mod play;
mod position;
mod print;
mod reason;
mod ruling;
mod setup;
mod text;
mod zone;

pub use action::{Action, Correction, Replacement, Source};
pub use call::{Call, Explained, Numbers, What};
pub use die::{DieClaim, DieRuling, MAX_FACETS};
pub use fault::{Fault, Problem};
pub use judge::{Core, EXAMPLE_ACTION, EXAMPLE_STATE, Judgement, State};
pub use legal::MOST_LISTED;
pub use noun::{CardKind, DieState, ParseNounError, Phase, PlayerId, SectorKind};
pub use odds::{Charge, Shown, as_it_lies, at_least, best_charge};
pub use play::{Change, Edit, Refused};
pub use position::Position;
pub use print::{BuildRules, DiceRules, EngineRules, MAX_POINTS, Print};
pub use reason::{Because, Reason};
pub use setup::{Check, EngineDie, MAX_LIST, PlayerSetup, Project, Purpose, Sector, Setup};
pub use text::ParseTextError;
pub use zone::Zone;
