//! Diceland: Space, the whole rule text as a pure core, with the table's geometry.
//!
//! A [`Setup`] is what a camera or a person claims; [`Setup::resolve`] makes a [`Position`] of it
//! and says what was wrong or unknown. [`Position::calls`] answers, for every die in play, what
//! it sees, what it may do, and what each target would suffer. [`Position::play`] turns one
//! position into the next by an [`Action`] that can be taken back.
//!
//! Places are millimetres on the table, x right, y down as seen from above; angles are degrees,
//! clockwise as seen. Every place carries its error, and what is within it is *too close to
//! call*: a half-plane of a sight arrow is known as well as its two corners are, carried along
//! the line.
//!
//! ```
//! use sightline::rules::diceland::{DieSetup, Player, Print, Setup};
//!
//! let die = |id: &str, owner, kind: &str, face: &str, at, heading| {
//!     Ok::<_, Box<dyn std::error::Error>>(DieSetup::in_play(
//!         id.parse()?, owner, kind.parse()?, face.parse()?, at, heading,
//!     ))
//! };
//! let mut setup = Setup::default();
//! setup.dice.push(die("ace", Player::One, "terran-fighter-ace", "4", [0.0, 0.0], 0.0)?);
//! setup.dice.push(die("runt", Player::Two, "garthan-runt", "2", [0.0, -300.0], 0.0)?);
//! let (position, problems) = setup.resolve(&Print::default());
//! assert!(problems.is_empty());
//! let calls = position.calls();
//! assert!(calls.iter().any(|c| c.to_string().starts_with("ace: fire at runt: hit, killed")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod aim;
mod army;
mod call;
mod calls;
mod change;
mod distance;
mod face;
mod fault;
mod flow;
mod geometry;
mod hit;
mod judge;
mod kind;
mod merge;
mod mm;
mod name;
mod outline;
mod play;
mod player;
mod position;
mod print;
mod reason;
mod resolve;
mod roll;
mod scene;
mod setup;
mod sight;
mod suffer;
mod table;
mod text;
mod tri;
mod volley;

pub use action::{Action, Correction, Knock, Landing, Penalty, Throw};
pub use army::{Army, army_max};
pub use call::{Because, Call, Explained, Numbers, What};
pub use change::{Change, Edit, Misfit, Whole};
pub use distance::{Gap, Nearer, gap, nearer};
pub use face::{
    Arrow, Blank, Colour, Corner, CornerPrint, Does, Effect, FacePrint, Filter, Range, Shot,
};
pub use fault::{Fault, Problem, Zone};
pub use flow::{Flow, MAX_WAITING, Ruling, Stage, Waiting};
pub use geometry::{MAX_MM, Pose, PoseError, TopFace, Vec2, direction};
pub use hit::{Hit, Outcome, attacks, hit};
pub use judge::{Core, EXAMPLE_ACTION, EXAMPLE_STATE, Judgement, State};
pub use kind::{DieKind, KindFault, Mould};
pub use mm::Mm;
pub use name::{Class, DieId, FaceId, KindId, Label, ParseNounError, Team};
pub use play::Refused;
pub use player::{ByPlayer, Player};
pub use position::{Die, Lies, Position, Stand, Thing};
pub use print::{MAX_KINDS, Options, Print, RuleNumbers, SampleArmy, SeenPart};
pub use reason::Reason;
pub use roll::Room;
pub use setup::{
    DieSetup, MAX_CORNERS, MAX_DICE, MAX_THINGS, Setup, TableSetup, ThingSetup, Where,
};
pub use sight::{Sight, sight};
pub use table::{Line, sight_lines};
