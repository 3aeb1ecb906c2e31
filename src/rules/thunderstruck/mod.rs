//! Thunderstruck Duel, the whole order of play as a pure core.
//!
//! A [`Setup`] is what a camera or a person claims; [`Setup::resolve`] makes a [`Position`] of it
//! and says what was wrong or unknown. [`Position::calls`] answers what may be announced, and
//! [`Position::play`] turns it into the next.
//!
//! What is behind a screen never enters a position: a plan comes in with the lifted screen
//! ([`Action::Reveal`]), once every ship has said that its dice are placed.
//!
//! What the text leaves open is decided here as follows, or by [`Options`]:
//!
//! - Each sector is one closed loop; two play on one loop.
//! - A contest takes the manoeuvre dice of all ships; two dice *in the contest* allow a warp.
//! - A die turned by cubes stays within 1 to 6, and is actioned in the same turn; cubes may turn
//!   both dice of a pair that is actioned together. A moved die is actioned at once.
//! - A die is left aside only if no free, undamaged space takes it.
//! - A destroyed ship leaves the battlefield with its dice.
//! - With three players the opposite sector is closed when two are left in one sector.
//!
//! ```
//! use sightline::rules::thunderstruck::{Action, Print, Setup, ShipId};
//!
//! let print = Print::default();
//! let (position, problems) = Setup::start(&print, 2).resolve(&print);
//! assert!(problems.is_empty());
//! let (position, _) = position.play(&Action::Ready { ship: ShipId::A })?;
//! assert!(position.clone().play(&Action::Ready { ship: ShipId::A }).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod call;
mod calls;
mod change;
mod fault;
mod flow;
mod judge;
mod noun;
mod pips;
mod play;
mod position;
mod print;
mod reason;
mod resolve;
mod setup;
mod ship;
mod spot;
mod text;
mod track;
mod zone;

pub use action::{Action, Aim, Correction, Course, CubeUse, Placed, Plan};
pub use call::{Call, Choice, Explained, Missing, Numbers as CallNumbers, What};
pub use change::{Change, Edit};
pub use fault::{Fault, Problem};
pub use flow::{Flow, Owed, Phase, Screen};
pub use judge::{Core, EXAMPLE_ACTION, EXAMPLE_STATE, Judgement, State};
pub use noun::ParseNounError;
pub use pips::{FACES, Pips};
pub use play::Refused;
pub use position::{EndedBy, Outcome, Position};
pub use print::{
    Console, FireWay, FullColour, MAX_CUBES, MAX_DICE, Numbers, Options, Print, ReflexTo,
};
pub use reason::{Because, Reason};
pub use setup::{DieSetup, Setup, ShipSetup};
pub use ship::Ship;
pub use spot::{Duty, SPOTS, Shield, ShipId, Side, Spot};
pub use text::ParseTextError;
pub use track::{Field, Heading, MAX_LOOP, Space, Start, Warp};
pub use zone::Zone;
