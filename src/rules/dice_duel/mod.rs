//! Space Cadets: Dice Duel, the whole rule book as a pure core.
//!
//! A [`Setup`] is what a camera or a person claims; [`Setup::resolve`] makes a [`Position`] of it
//! and says what was wrong or unknown. [`Position::calls`] answers what may be announced.
//!
//! ```
//! use sightline::rules::dice_duel::{DieSetup, Print, Setup, Symbol, Zone};
//!
//! let mut setup = Setup::default();
//! setup.dice.push(DieSetup::new("table".parse()?, Symbol::Energy4));
//! let (position, problems) = setup.resolve(&Print::default());
//! assert!(problems.is_empty());
//! assert_eq!(
//!     position.calls().first().map(|c| c.to_string()).as_deref(),
//!     Some("energy die 4 → Shields"),
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod action_text;
mod bearing;
mod board;
mod call;
mod call_text;
mod calls;
mod change;
mod damage;
mod dice_box;
mod energy;
mod fault;
mod flow;
mod flow_text;
mod helm;
mod helm_waits;
mod judge;
mod launch;
mod launch_waits;
mod loading;
mod mines;
mod options;
mod pending;
mod play;
mod position;
mod print;
mod reason;
mod resolve;
mod sector;
mod setup;
mod setup_text;
mod ship;
mod ship_id;
mod spot;
mod square;
mod stand;
mod standing;
mod station;
mod symbol;
mod text;
mod tube;
mod zone;

pub use action::{Action, Correction};
pub use bearing::{Sectors, arc, is_diagonal, line_meets, offset, range, sectors};
pub use board::{Board, Cell, Grounds, Terrain, TokenKind};
pub use call::{Because, Call, Choice, Explained, Leaving, Missing, Numbers, Turn, What};
pub use change::{Change, Edit, Stand};
pub use damage::LaunchOdds;
pub use dice_box::{DiceBox, Sums};
pub use fault::{Fault, Problem};
pub use flow::{Claim, Flow, Freeze, Launch, Owed, Target, Warp};
pub use helm::{Course, Met};
pub use judge::{Core, EXAMPLE_ACTION, EXAMPLE_STATE, Judgement, State};
pub use launch::MOST_COMBINATIONS;
pub use play::Refused;
pub use position::{LooseDie, Position};
pub use print::{
    ArcEdge, BoardPrint, DEMO_PRINT, DiceCount, DiceFaces, EdgeMove, MAX_BOARD_SIDE,
    MAX_DICE_OF_A_KIND, OffMapPush, Options, OwnSquareMine, Print, RuleNumbers, SavedDie, Start,
    WormholeHalf,
};
pub use reason::Reason;
pub use resolve::MAX_SHIPS;
pub use setup::{Damage, DieSetup, Lineup, Setup, ShipSetup, Showing, TokenSetup};
pub use ship::{Placement, Ship};
pub use ship_id::{ParseNounError, ShipId};
pub use square::{Facing, Half, Square};
pub use symbol::{DieKind, Faces, Part, Symbol};
pub use text::ParseTextError;
pub use zone::{HelmSlot, MAX_TUBES_A_SIDE, Sector, Side, Spot, Station, Tube, Zone};
