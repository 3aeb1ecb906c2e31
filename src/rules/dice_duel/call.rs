//! What may be announced from a position.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::damage::LaunchOdds;
use super::flow::Target;
use super::reason::Reason;
use super::ship_id::ShipId;
use super::square::{Facing, Square};
use super::symbol::{Faces, Part};
use super::zone::{Sector, Side, Station, Tube, Zone};
use crate::rules::{Explain, Span, Verdict};

/// A step of an explanation with the rule it rests on.
pub type Because = crate::rules::Because<Reason>;

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum What {
    /// Where an energy die goes.
    Energy {
        /// Where it lies.
        at: Zone,
        /// What it shows, or may show.
        shows: Faces,
        /// The station it powers, if that is sure.
        #[serde(skip_serializing_if = "Option::is_none")]
        station: Option<Station>,
    },
    /// How many dice a station may roll.
    Roll {
        /// Whose.
        ship: ShipId,
        /// Which.
        station: Station,
    },
    /// A move by helm.
    Helm {
        /// Whose.
        ship: ShipId,
    },
    /// "Fire 1" or "Fire 2".
    Launch {
        /// Who fires.
        ship: ShipId,
        /// How many are declared.
        torpedoes: u8,
        /// At what.
        target: Target,
    },
    /// What the torpedoes of a launch that hit, and is not yet resolved, do to their target.
    Damage {
        /// Who fired.
        ship: ShipId,
        /// Who was hit.
        target: ShipId,
    },
    /// Where a ship that jumps goes.
    Jump {
        /// Who jumps.
        ship: ShipId,
    },
    /// What a ship has to do before it goes on.
    Owed {
        /// Who.
        ship: ShipId,
    },
    /// Used crystals are rolled back onto the map.
    Return,
    /// What one side's tubes lack to hit a ship.
    Side {
        /// Whose tubes.
        ship: ShipId,
        /// Which side.
        side: Side,
        /// The ship to hit.
        target: ShipId,
    },
    /// The tractor beam on a ship.
    Tractor {
        /// Who pulls.
        ship: ShipId,
        /// The ship that would be moved.
        target: ShipId,
    },
    /// The tractor beam on a crystal.
    Crystal {
        /// Who pulls.
        ship: ShipId,
        /// Where the crystal lies.
        square: Square,
    },
    /// Laying a mine.
    Mine {
        /// Who.
        ship: ShipId,
    },
    /// Station Override.
    Override {
        /// Whose.
        ship: ShipId,
    },
    /// Warp Jump.
    Warp {
        /// Whose.
        ship: ShipId,
    },
    /// Energy Surge.
    Surge {
        /// Whose.
        ship: ShipId,
    },
}

impl What {
    /// Whose call it is.
    pub fn ship(self) -> Option<ShipId> {
        match self {
            What::Energy { at, .. } => at.ship(),
            What::Return => None,
            What::Roll { ship, .. }
            | What::Helm { ship }
            | What::Launch { ship, .. }
            | What::Damage { ship, .. }
            | What::Jump { ship }
            | What::Owed { ship }
            | What::Side { ship, .. }
            | What::Tractor { ship, .. }
            | What::Crystal { ship, .. }
            | What::Mine { ship }
            | What::Override { ship }
            | What::Warp { ship }
            | What::Surge { ship } => Some(ship),
        }
    }
}

impl What {
    /// Whose station does it, where it is one's alone.
    pub fn station(self) -> Option<(ShipId, Station)> {
        match self {
            What::Roll { ship, station } => Some((ship, station)),
            What::Helm { ship } => Some((ship, Station::Helm)),
            What::Launch { ship, .. } | What::Side { ship, .. } => Some((ship, Station::Weapons)),
            What::Tractor { ship, .. } | What::Crystal { ship, .. } | What::Mine { ship } => {
                Some((ship, Station::Tractor))
            }
            _ => None,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Energy { at, shows, station } => {
                write!(f, "energy die {shows} at {at}")?;
                match station {
                    Some(station) => write!(f, " to {station}"),
                    None => Ok(()),
                }
            }
            What::Roll { ship, station } => write!(f, "{ship}: {station} rolls"),
            What::Helm { ship } => write!(f, "{ship}: move"),
            What::Launch {
                ship,
                torpedoes,
                target,
            } => write!(f, "{ship}: fire {torpedoes} at {target}"),
            What::Damage { ship, target } => write!(f, "{ship}: damage to {target}"),
            What::Jump { ship } => write!(f, "{ship}: end of the jump"),
            What::Owed { ship } => write!(f, "{ship}: to be done first"),
            What::Return => f.write_str("used crystals return"),
            What::Side { ship, side, target } => write!(f, "{ship}: {side} tubes on {target}"),
            What::Tractor { ship, target } => write!(f, "{ship}: tractor on {target}"),
            What::Crystal { ship, square } => write!(f, "{ship}: crystal at {square}"),
            What::Mine { ship } => write!(f, "{ship}: lay a mine"),
            What::Override { ship } => write!(f, "{ship}: Station Override"),
            What::Warp { ship } => write!(f, "{ship}: Warp Jump"),
            What::Surge { ship } => write!(f, "{ship}: Energy Surge"),
        }
    }
}

/// The numbers of a call; those that do not belong to it are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Numbers {
    /// Squares to the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Span>,
    /// Weapon lock points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<Span>,
    /// The target's jammer points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jammers: Option<Span>,
    /// Lock or strength that is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need: Option<Span>,
    /// Tractor strength.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Span>,
    /// The arc the target is in; missing where it is abeam or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arc: Option<Side>,
    /// Shield sectors that may be struck; two where the defender chooses or it is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sectors: Vec<Sector>,
    /// Shield dice there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shield_dice: Option<Span>,
    /// Blasts each torpedo must roll; missing where nothing gets through or it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blasts_needed: Option<u8>,
    /// Torpedoes that fly at the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torpedoes: Option<u8>,
    /// Chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<LaunchOdds>,
    /// Dice that may be rolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<Span>,
    /// Crystals the ship has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crystals: Option<Span>,
    /// Squares a move enters, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Square>,
    /// Where it ends facing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<Facing>,
}

/// A turn of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// A quarter clockwise.
    Right,
    /// A quarter anticlockwise.
    Left,
    /// Half.
    Around,
}

impl Turn {
    /// All three.
    pub const ALL: [Turn; 3] = [Turn::Right, Turn::Left, Turn::Around];

    /// The facing after it.
    pub fn of(self, facing: Facing) -> Facing {
        match self {
            Turn::Right => facing.right(),
            Turn::Left => facing.left(),
            Turn::Around => facing.opposite(),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Turn::Right => "turn right",
            Turn::Left => "turn left",
            Turn::Around => "turn around",
        })
    }
}

/// Something that is missing for a call to become possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", content = "of", rename_all = "snake_case")]
pub enum Missing {
    /// Weapon lock points.
    Lock(Span),
    /// A die of a torpedo.
    Part(Tube, Part),
    /// A turn that brings the target into an arc.
    Turn(Turn, Side),
    /// A step off the diagonal, where a copy's arcs leave it out.
    OffDiagonal,
    /// A direction: two ships are in one half of one square.
    Direction,
    /// A rift is in the way.
    ClearLine,
    /// Tractor strength.
    Strength(Span),
    /// Helm dice.
    HelmDice(u8),
    /// Crystals.
    Crystals(u16),
    /// A mine die in its place.
    ArmedMine,
    /// An energy die on the damage display.
    DamageDie,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dice = |n: u16| if n == 1 { "die" } else { "dice" };
        match self {
            Missing::Lock(n) => write!(f, "{n} more lock"),
            Missing::Part(tube, part) => write!(f, "one {part} die in {tube}"),
            Missing::Turn(turn, side) => write!(f, "{turn}: {side} arc"),
            Missing::OffDiagonal => f.write_str("a step off the diagonal"),
            Missing::Direction => f.write_str("the other half of the square"),
            Missing::ClearLine => f.write_str("a line without a rift"),
            Missing::Strength(n) => write!(f, "{n} more strength"),
            Missing::HelmDice(n) => write!(f, "{n} more helm {}", dice(u16::from(*n))),
            Missing::Crystals(1) => f.write_str("1 more crystal"),
            Missing::Crystals(n) => write!(f, "{n} more crystals"),
            Missing::ArmedMine => f.write_str("one mine die in its place"),
            Missing::DamageDie => f.write_str("damage that an energy die stands for"),
        }
    }
}

/// What leaves the table when a call comes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Leaving {
    /// From where.
    pub from: Zone,
    /// How many dice, crystals or tokens.
    pub count: Span,
}

/// Something the players choose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "choose", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Choice {
    /// Which torpedoes leave.
    Tubes { leave: u8, of: Vec<Tube> },
    /// Which sector is struck, by the defender.
    Sector { by: ShipId, of: Vec<Sector> },
    /// Where a pushed ship goes.
    PushTo { squares: Vec<Square> },
    /// The crystal square a jump ends on, by its number.
    Jump { by: ShipId, of: Vec<u8> },
    /// Crystals for two more dice before the square is chosen; nobody has to.
    JumpAgain { by: ShipId, crystals: u8 },
    /// What energy dice show that are rolled for a jump: rolled, not chosen.
    Energy { by: ShipId, dice: u8 },
    /// By which edge a ship comes in that is moved onto another: the moved ship's choice.
    Entry {
        by: ShipId,
        square: Square,
        of: Vec<Facing>,
    },
    /// What weapon dice show that are rolled for damage, one a torpedo: rolled, not chosen.
    Roll { by: ShipId, dice: u8 },
    /// Which dice an obstacle takes.
    Discard {
        by: ShipId,
        station: Station,
        dice: u8,
    },
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, of: &[T]) -> fmt::Result {
            for (i, item) in of.iter().enumerate() {
                write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
            }
            Ok(())
        }
        match self {
            Choice::Tubes { leave, of } => {
                write!(f, "choose {leave} of ")?;
                list(f, of)
            }
            Choice::Sector { by, of } => {
                write!(f, "{by} chooses the sector: ")?;
                list(f, of)
            }
            Choice::PushTo { squares } => {
                f.write_str("may be moved to ")?;
                list(f, squares)
            }
            Choice::Jump { by, of } => {
                write!(f, "{by} jumps to ")?;
                list(f, of)
            }
            Choice::JumpAgain { by, crystals: 1 } => {
                write!(f, "{by} may spend a crystal to roll two more dice")
            }
            Choice::JumpAgain { by, crystals } => {
                write!(
                    f,
                    "{by} may spend {crystals} crystals to roll two more dice"
                )
            }
            Choice::Energy { by, dice } => write!(f, "{by} rolls {dice} energy dice"),
            Choice::Entry { by, square, of } => {
                write!(f, "{by} comes into {square} by ")?;
                list(f, of)
            }
            Choice::Roll { by, dice: 1 } => write!(f, "{by} rolls one weapon die"),
            Choice::Roll { by, dice } => write!(f, "{by} rolls {dice} weapon dice"),
            Choice::Discard { by, station, dice } => {
                write!(f, "{by} chooses which {dice} dice of {station} leave")
            }
        }
    }
}

/// What may be announced: a verdict with its numbers and its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// What it is about.
    #[serde(flatten)]
    pub what: What,
    /// What is announced.
    pub verdict: Verdict,
    /// The numbers it rests on.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// Why, step by step.
    pub because: Vec<Because>,
    /// What is missing for it to become possible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// What leaves the table when it is done; where a choice decides, the choice says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<Leaving>,
    /// What the players choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The places whose content the verdict waits for; empty unless it is `unsure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsure_on: Vec<Zone>,
    /// The places that would have to be known for the chances to be exact; empty where they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds_on: Vec<Zone>,
}

impl Call {
    pub(crate) fn new(what: What, verdict: Verdict) -> Call {
        Call {
            what,
            verdict,
            numbers: Numbers::default(),
            because: Vec::new(),
            missing: Vec::new(),
            leaves: Vec::new(),
            choices: Vec::new(),
            unsure_on: Vec::new(),
            odds_on: Vec::new(),
        }
    }

    pub(crate) fn why(&mut self, reason: Reason) {
        self.because.push(crate::rules::Because(reason));
    }

    /// The call in one line, as [`fmt::Display`] has it; of the many places that an unsure one may wait for, a few displays.
    pub fn short(&self) -> String {
        const FEW: usize = 3;
        if self.unsure_on.len() <= FEW {
            return self.to_string();
        }
        let mut displays: Vec<String> = Vec::new();
        for zone in &self.unsure_on {
            let name = match zone {
                Zone::On(ship, spot) => Zone::Display(*ship, spot.station()).to_string(),
                other => other.to_string(),
            };
            if !displays.contains(&name) {
                displays.push(name);
            }
        }
        let more = displays.len().saturating_sub(FEW);
        displays.truncate(FEW);
        let list = displays.join(", ");
        let list = if more > 0 {
            format!("{list} and {more} more")
        } else {
            list
        };
        let what = self.what;
        format!("{what}: {} — depends on {list}", self.announced())
    }

    /// Whether it is a launch whose lock is too weak: it hits nothing, whatever else is not known of it.
    pub fn hits_nothing(&self) -> bool {
        let numbers = self.numbers.lock.zip(self.numbers.need);
        let weak = numbers.is_some_and(|(lock, need)| lock.max < need.min);
        matches!(self.what, What::Launch { .. }) && weak
    }

    /// The verdict in words.
    fn announced(&self) -> String {
        match (self.what, self.verdict) {
            (_, Verdict::Unsure) if self.hits_nothing() => "unsure, but no hit".to_owned(),
            (What::Launch { torpedoes, .. }, Verdict::Hit) => match self.numbers.torpedoes {
                Some(1) if torpedoes > 1 => "hit, with one torpedo".to_owned(),
                _ => self.verdict.to_string(),
            },
            _ => self.verdict.to_string(),
        }
    }

    /// The call as a person would read it: the announcement, then each step with its rule, then
    /// what leaves and what is to choose.
    pub fn explain(&self) -> Explained<'_> {
        Explained(self)
    }
}

/// The call in one line, as it would be said.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.what, self.verdict) {
            (What::Energy { at, shows, station }, verdict) => {
                // on the table nobody knows whose it is
                if let Some(ship) = at.ship() {
                    write!(f, "{ship}: ")?;
                }
                match (station, verdict) {
                    (Some(station), _) => write!(f, "energy die {shows} → {}", station.title()),
                    (None, Verdict::Must) => match shows.known() {
                        Some(super::symbol::Symbol::Energy6) => f.write_str("six: roll again"),
                        _ => write!(f, "energy die {shows}: roll again"),
                    },
                    (None, _) => write!(f, "energy die {shows}: unsure"),
                }?;
            }
            (What::Roll { .. }, _) => {
                let dice = self.numbers.dice.unwrap_or_default();
                write!(f, "{} {dice}", self.what)?;
            }
            (What::Helm { ship }, Verdict::Must) => write!(f, "{ship} must move")?,
            (What::Damage { ship, target }, Verdict::Must) => {
                write!(f, "{ship} rolls for damage to {target}")?;
            }
            (what, Verdict::Must) => what.fmt(f)?,
            (what, _) => write!(f, "{what}: {}", self.announced())?,
        }
        if let (Some(odds), Verdict::Hit) = (self.numbers.odds, self.verdict) {
            write!(f, ", chance of damage {}", odds.damage)?;
        }
        for (i, missing) in self.missing.iter().enumerate() {
            f.write_str(if i == 0 { " — missing: " } else { ", " })?;
            missing.fmt(f)?;
        }
        if !matches!(self.what, What::Energy { .. }) {
            for (i, zone) in self.unsure_on.iter().enumerate() {
                f.write_str(if i == 0 { " — depends on " } else { ", " })?;
                zone.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// A call put into words; see [`Call::explain`].
pub struct Explained<'a>(&'a Call);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = self.0;
        write!(f, "{call}")?;
        for because in &call.because {
            write!(f, "\n  - {} [{}]", because.0, because.0.rule().section)?;
        }
        if !call.leaves.is_empty() {
            f.write_str("\n  leaves the table:")?;
            for (i, leaving) in call.leaves.iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                write!(f, "{comma} {} from {}", leaving.count, leaving.from)?;
            }
        }
        for choice in &call.choices {
            write!(f, "\n  {choice}")?;
        }
        if let (Some(odds), true) = (call.numbers.odds, call.verdict != Verdict::Miss) {
            write!(
                f,
                "\n  chance of damage {}, of destruction {}",
                odds.damage, odds.destruction
            )?;
            for (i, zone) in call.odds_on.iter().enumerate() {
                let before = if i == 0 { ": depends on " } else { ", " };
                write!(f, "{before}{zone}")?;
            }
        }
        Ok(())
    }
}
