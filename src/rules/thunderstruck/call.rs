//! What may be announced: the verdict, its numbers, its reasons, what is to be chosen.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::action::Course;
use super::reason::{Because, Reason};
use super::spot::{Shield, ShipId, Side, Spot};
use super::track::{Heading, Space};
use super::zone::Zone;
use crate::rules::{Span, Verdict};

/// What a call is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum What {
    /// Rolling and placing dice behind the screen.
    Plan { ship: ShipId },
    /// Rolling them again, for a cube.
    Reroll { ship: ShipId },
    /// Taking the screen off.
    Reveal { ship: ShipId },
    /// A boost with one die, or with both.
    Boost { ship: ShipId, from: Vec<Spot> },
    /// The contest.
    Manoeuvre { ship: ShipId },
    /// Raising a shield.
    Shield { ship: ShipId, shield: Shield },
    /// A shot.
    Fire {
        ship: ShipId,
        from: Spot,
        target: ShipId,
    },
    /// Taking cubes.
    Power { ship: ShipId, from: Spot },
    /// Letting a shield answer a hit.
    Answer { ship: ShipId },
    /// Flip, warp, or nothing.
    Steer { ship: ShipId },
    /// The next round, and who may take the Reflex die.
    NextRound,
}

impl What {
    /// Who does it.
    pub fn ship(&self) -> Option<ShipId> {
        match self {
            What::Plan { ship }
            | What::Reroll { ship }
            | What::Reveal { ship }
            | What::Boost { ship, .. }
            | What::Manoeuvre { ship }
            | What::Shield { ship, .. }
            | What::Fire { ship, .. }
            | What::Power { ship, .. }
            | What::Answer { ship }
            | What::Steer { ship } => Some(*ship),
            What::NextRound => None,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Plan { ship } => write!(f, "{ship}: roll and place dice"),
            What::Reroll { ship } => write!(f, "{ship}: a cube to roll again"),
            What::Reveal { ship } => write!(f, "{ship}: screen off"),
            What::Boost { ship, from } => {
                write!(f, "{ship}: boost with ")?;
                for (i, spot) in from.iter().enumerate() {
                    write!(f, "{}{spot}", if i > 0 { " and " } else { "" })?;
                }
                Ok(())
            }
            What::Manoeuvre { ship } => write!(f, "{ship}: manoeuvre"),
            What::Shield { ship, shield } => write!(f, "{ship}: {shield} shield"),
            What::Fire { ship, from, target } => write!(f, "{ship}: {from} at {target}"),
            What::Power { ship, from } => write!(f, "{ship}: power from {from}"),
            What::Answer { ship } => write!(f, "{ship}: answer the hit"),
            What::Steer { ship } => write!(f, "{ship}: steer"),
            What::NextRound => f.write_str("next round"),
        }
    }
}

/// The numbers of a call; those that do not belong to it are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Numbers {
    /// Spaces a boost travels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spaces: Option<Span>,
    /// Where it ends; missing where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Space>,
    /// Spaces to a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<Span>,
    /// The number on the fire die.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<Span>,
    /// The side that is hit; missing where it is not known, or the shooter chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Shields that answer, or may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shields: Vec<Shield>,
    /// Whether the ship that is hit is destroyed; missing where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destroys: Option<bool>,
    /// Damage tokens that a hit costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage_tokens: Option<u8>,
    /// Cubes that are gained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cubes: Option<Span>,
    /// Dice to roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<Span>,
    /// Who wins a contest, sector by sector.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub winners: Vec<ShipId>,
    /// Who is the lowest of the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lowest: Option<ShipId>,
}

fn same<T: PartialEq>(a: Option<T>, b: &Option<T>) -> Option<T> {
    if a == *b { a } else { None }
}

fn both(a: Option<Span>, b: Option<Span>) -> Option<Span> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.union(b)),
        (one, other) => one.or(other),
    }
}

fn all<T: Ord + Clone>(a: &mut Vec<T>, b: &[T]) {
    a.extend_from_slice(b);
    a.sort_unstable();
    a.dedup();
}

impl Numbers {
    /// What is left of two answers to one question.
    pub(crate) fn merge(&mut self, other: &Numbers) {
        self.spaces = both(self.spaces, other.spaces);
        self.distance = both(self.distance, other.distance);
        self.reach = both(self.reach, other.reach);
        self.cubes = both(self.cubes, other.cubes);
        self.dice = both(self.dice, other.dice);
        self.ends_at = same(self.ends_at, &other.ends_at);
        self.side = same(self.side, &other.side);
        self.destroys = same(self.destroys, &other.destroys);
        self.damage_tokens = same(self.damage_tokens, &other.damage_tokens);
        self.lowest = same(self.lowest, &other.lowest);
        all(&mut self.shields, &other.shields);
        all(&mut self.winners, &other.winners);
    }
}

/// Something the players choose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "choose", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Choice {
    /// Which way round the shot flies, by the shooter.
    Way { of: Vec<Heading> },
    /// Which shield answers and where its damage may go, by the ship that is hit.
    Shield { shield: Shield, damage: Vec<Spot> },
    /// Flip, warp, or nothing, by the winner.
    Course { of: Vec<Course> },
    /// Who takes the Reflex die; nobody has to.
    Reflex { of: Vec<ShipId> },
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, of: &[T]) -> fmt::Result {
    of.iter().enumerate().try_for_each(|(i, one)| {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{one}")
    })
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Way { of } => {
                f.write_str("the shooter chooses the way: ")?;
                list(f, of)
            }
            Choice::Shield { shield, damage } => {
                write!(f, "{shield} shield, damage on ")?;
                list(f, damage)
            }
            Choice::Course { of } => {
                f.write_str("one of: ")?;
                of.iter().enumerate().try_for_each(|(i, course)| {
                    let comma = if i > 0 { ", " } else { "" };
                    match course {
                        Course::Flip => write!(f, "{comma}flip"),
                        Course::Nothing => write!(f, "{comma}nothing"),
                        Course::Warp { to, heading } => write!(f, "{comma}warp to {to} {heading}"),
                    }
                })
            }
            Choice::Reflex { of } => {
                f.write_str("the Reflex die may go to ")?;
                list(f, of)
            }
        }
    }
}

/// Something that is missing for a call to come true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", content = "of", rename_all = "snake_case")]
pub enum Missing {
    /// Pips on the fire die, or spaces nearer.
    Reach(u16),
    /// A power cube.
    Cube,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Reach(1) => f.write_str("1 pip, or 1 space nearer"),
            Missing::Reach(n) => write!(f, "{n} pips, or {n} spaces nearer"),
            Missing::Cube => f.write_str("a power cube"),
        }
    }
}

/// What may be announced about one thing somebody could do. Where it is not the ship's turn, it
/// says what would be if it were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// What it is about.
    pub what: What,
    /// Whether it can be done now: it is the ship's turn, or it is asked of the ship.
    pub now: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Its numbers.
    pub numbers: Numbers,
    /// Why, step by step.
    pub because: Vec<Because>,
    /// What is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// What the players choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The places whose content the verdict waits for; empty unless it is `unsure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsure_on: Vec<Zone>,
}

impl Call {
    pub(crate) fn new(what: What, verdict: Verdict) -> Call {
        Call {
            what,
            now: true,
            verdict,
            numbers: Numbers::default(),
            because: Vec::new(),
            missing: Vec::new(),
            choices: Vec::new(),
            unsure_on: Vec::new(),
        }
    }

    pub(crate) fn why(&mut self, reason: Reason) {
        self.because.push(crate::rules::Because(reason));
    }

    /// The call as a person would read it: the announcement, then each step with its rule, then
    /// what is to choose.
    pub fn explain(&self) -> Explained<'_> {
        Explained(self)
    }
}

/// The call in one line, as it would be said.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.verdict)?;
        if let Some(to) = self.numbers.ends_at {
            write!(f, ", to {to}")?;
        }
        if let Some(cubes) = self.numbers.cubes {
            write!(f, ", {cubes} cubes")?;
        }
        match self.numbers.destroys {
            Some(true) => f.write_str(", destroys the ship")?,
            Some(false) if self.verdict == Verdict::Hit => f.write_str(", a shield answers")?,
            _ => {}
        }
        for (i, missing) in self.missing.iter().enumerate() {
            f.write_str(if i == 0 { " — missing: " } else { ", " })?;
            missing.fmt(f)?;
        }
        for (i, zone) in self.unsure_on.iter().enumerate() {
            f.write_str(if i == 0 { " — depends on " } else { ", " })?;
            zone.fmt(f)?;
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
        if !call.now {
            f.write_str(" (not now)")?;
        }
        for because in &call.because {
            write!(f, "\n  - {} [{}]", because.0, because.rule().section)?;
        }
        for choice in &call.choices {
            write!(f, "\n  {choice}")?;
        }
        Ok(())
    }
}
