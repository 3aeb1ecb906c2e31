//! What may be announced from a position.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::face::Corner;
use super::fault::Zone;
use super::hit::Outcome;
use super::mm::Mm;
use super::name::{DieId, FaceId};
use super::player::Player;
use super::reason::Reason;
use crate::rules::{Explain, Span, Verdict};

/// A step of an explanation with the rule it rests on.
pub type Because = crate::rules::Because<Reason>;

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum What {
    /// Whether a die sees another by any of its arrows: `may`, `cannot`, or `unsure`.
    See {
        /// Who looks.
        die: DieId,
        /// At whom.
        target: DieId,
    },
    /// A weapon at a target: `hit` if it does something, `miss` if it may be fired and does
    /// nothing.
    Fire {
        /// Who fires.
        die: DieId,
        /// Rolled by this corner first: it moves and shoots.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Corner>,
        /// At whom.
        target: DieId,
    },
    /// A command.
    Command {
        /// By whom.
        die: DieId,
        /// To whom.
        target: DieId,
    },
    /// An ally thrown again.
    JumpAlly {
        /// By whom.
        die: DieId,
        /// Who.
        target: DieId,
    },
    /// An enemy sent home.
    Remove {
        /// By whom.
        die: DieId,
        /// Who.
        target: DieId,
    },
    /// Dice called from the hand.
    CallDice {
        /// By whom.
        die: DieId,
    },
    /// Throwing itself again.
    Jump {
        /// Who.
        die: DieId,
    },
    /// A roll over one corner.
    Manoeuvre {
        /// Who.
        die: DieId,
        /// The corner that is pressed.
        corner: Corner,
    },
    /// Anything by a die of which it is not known what it shows.
    Act {
        /// Which.
        die: DieId,
    },
    /// Saying who goes first.
    GoFirst {
        /// Who says so.
        player: Player,
    },
    /// Placing a die in the table's centre, which opens the game.
    Open {
        /// Which.
        die: DieId,
    },
    /// A player's army.
    Army {
        /// Whose.
        player: Player,
    },
    /// A pass.
    Pass {
        /// Whose.
        player: Player,
    },
}

impl What {
    /// The die it is about.
    pub fn die(&self) -> Option<DieId> {
        match self {
            What::See { die, .. }
            | What::Fire { die, .. }
            | What::Command { die, .. }
            | What::JumpAlly { die, .. }
            | What::Remove { die, .. }
            | What::CallDice { die }
            | What::Jump { die }
            | What::Manoeuvre { die, .. }
            | What::Open { die }
            | What::Act { die } => Some(*die),
            What::GoFirst { .. } | What::Army { .. } | What::Pass { .. } => None,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::See { die, target } => write!(f, "{die}: see {target}"),
            What::Fire {
                die,
                after: None,
                target,
            } => write!(f, "{die}: fire at {target}"),
            What::Fire {
                die,
                after: Some(corner),
                target,
            } => write!(f, "{die}: roll by {corner}, then fire at {target}"),
            What::Command { die, target } => write!(f, "{die}: command {target}"),
            What::JumpAlly { die, target } => write!(f, "{die}: jump {target}"),
            What::Remove { die, target } => write!(f, "{die}: remove {target}"),
            What::CallDice { die } => write!(f, "{die}: call"),
            What::Jump { die } => write!(f, "{die}: jump"),
            What::Manoeuvre { die, corner } => write!(f, "{die}: roll by {corner}"),
            What::Act { die } => write!(f, "{die}: act"),
            What::GoFirst { player } => write!(f, "player {player}: say who goes first"),
            What::Open { die } => write!(f, "{die}: open in the centre"),
            What::Army { player } => write!(f, "player {player}: army"),
            What::Pass { player } => write!(f, "player {player}: pass"),
        }
    }
}

/// The numbers of a call; those that do not belong to it are not there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Numbers {
    /// How far the target stands from the baseline that decides; below it if negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above_mm: Option<Mm>,
    /// The error of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_mm: Option<Mm>,
    /// The arrows that surely see the target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Corner>,
    /// Between the closest points of the top faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_mm: Option<Mm>,
    /// The error of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_error_mm: Option<Mm>,
    /// Its place in the order of effect, from 1; a command's flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u8>,
    /// The attack value, or those it may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attack: Vec<u16>,
    /// What the target would suffer, or what it may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<Outcome>,
    /// Points to whoever kills it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Span>,
    /// The face that comes up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face: Option<FaceId>,
    /// Its side number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<u8>,
    /// Where the die then lies, mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_mm: Option<[Mm; 2]>,
    /// How it is then turned, degrees, to a tenth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_deg: Option<f64>,
    /// The room it has on the way; where nothing is near, it has at least that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_mm: Option<Mm>,
    /// Dice that may be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<DieId>,
    /// How many of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// The most points an army may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<u16>,
}

/// What may be announced: a verdict with its numbers and its reasons.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Call {
    /// What it is about.
    #[serde(flatten)]
    pub what: What,
    /// What is announced.
    pub verdict: Verdict,
    /// Whether it could be done at this moment of the game; `null` where turns are not kept.
    pub now: Option<bool>,
    /// The numbers it rests on.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// Why, step by step.
    pub because: Vec<Because>,
    /// What the verdict, or what it would do, waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsure_on: Vec<Zone>,
}

impl Call {
    pub(crate) fn new(what: What, verdict: Verdict) -> Call {
        Call {
            what,
            verdict,
            now: None,
            numbers: Numbers::default(),
            because: Vec::new(),
            unsure_on: Vec::new(),
        }
    }

    pub(crate) fn why(&mut self, reason: Reason) {
        self.because.push(crate::rules::Because(reason));
    }

    pub(crate) fn waits_for(&mut self, die: DieId) {
        let zone = Zone::Die(die);
        if !self.unsure_on.contains(&zone) {
            self.unsure_on.push(zone);
        }
    }

    /// The call as a person would read it: the announcement, then each step with its rule.
    pub fn explain(&self) -> Explained<'_> {
        Explained(self)
    }
}

/// The call in one line, as it would be said.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (self.what, self.verdict) {
            (What::See { .. }, Verdict::May) => "yes".to_string(),
            (What::See { .. }, Verdict::Cannot) => "no".to_string(),
            (What::See { .. }, _) if self.numbers.above_mm.is_some() => {
                "too close to call".to_string()
            }
            (_, verdict) => verdict.to_string(),
        };
        write!(f, "{}: {word}", self.what)?;
        if let (What::See { .. }, Some(by), Some(error)) =
            (self.what, self.numbers.above_mm, self.numbers.error_mm)
        {
            write!(f, " (by {}, error {error})", Mm::new(by.mm().abs()))?;
        }
        for (i, outcome) in self.numbers.outcomes.iter().enumerate() {
            write!(f, "{}{outcome}", if i == 0 { ", " } else { " or " })?;
        }
        if let Some(face) = self.numbers.face {
            write!(f, ", face {face}")?;
        }
        for (i, zone) in self.unsure_on.iter().enumerate() {
            write!(f, "{}{zone}", if i == 0 { " — depends on " } else { ", " })?;
        }
        Ok(())
    }
}

/// A call put into words; see [`Call::explain`].
pub struct Explained<'a>(&'a Call);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        for because in &self.0.because {
            write!(f, "\n  - {} [{}]", because.0, because.0.rule().section)?;
        }
        Ok(())
    }
}
