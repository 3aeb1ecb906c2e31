//! What people do, as data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::noun::{CardKind, Phase, PlayerId, SectorKind};
use super::setup::Purpose;
use crate::rules::{Place, Span};

/// One thing somebody did. Rolls, drawn cards and what the rest of the rules decides are inputs;
/// where the players choose, [`Position::legal_actions`](super::Position::legal_actions) lists the
/// choices. Things in a list count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The build phase brings CP; how many the rest of the rules says.
    Income {
        /// Whose.
        player: PlayerId,
        /// How many.
        cp: u16,
    },
    /// A card is discarded for CP and replaced.
    Cycle {
        /// Whose.
        player: PlayerId,
        /// Which card of the hand.
        card: usize,
        /// What was drawn; nothing where the Resource is empty.
        #[serde(default)]
        drawn: Option<CardKind>,
    },
    /// Something is put under construction.
    Begin {
        /// Whose.
        player: PlayerId,
        /// What.
        purpose: Purpose,
        /// What it costs.
        cost: u16,
    },
    /// CP are put into a project.
    Invest {
        /// Whose.
        player: PlayerId,
        /// Which project.
        project: usize,
        /// How many.
        points: u16,
    },
    /// An event or a directive is paid for.
    Buy {
        /// Whose.
        player: PlayerId,
        /// Which of the two.
        purpose: Purpose,
        /// What it costs.
        cost: u16,
    },
    /// A project that is paid for comes into play.
    Complete {
        /// Whose.
        player: PlayerId,
        /// Which project.
        project: usize,
        /// What replaces a terraformed sector.
        #[serde(default)]
        with: Option<Replacement>,
    },
    /// A player gains or loses presence in a sector.
    Presence {
        /// Who.
        player: PlayerId,
        /// Where.
        sector: usize,
        /// Whether there is presence now.
        present: bool,
    },
    /// The build phase is over.
    EndBuild {
        /// Whose.
        player: PlayerId,
    },
    /// The engine dice are rolled, but for those that were kept.
    Roll {
        /// Whose.
        player: PlayerId,
        /// What they show, in the order of the idle dice.
        shows: Vec<u16>,
    },
    /// A rolled die is removed for this turn, another is rolled again.
    Charge {
        /// Whose.
        player: PlayerId,
        /// Which is removed.
        remove: usize,
        /// Which is rolled again.
        reroll: usize,
        /// What it shows.
        shows: u16,
    },
    /// A die is set aside as it lies.
    Keep {
        /// Whose.
        player: PlayerId,
        /// Which.
        die: usize,
    },
    /// Energy is spent.
    Spend {
        /// Whose.
        player: PlayerId,
        /// How much.
        energy: u16,
    },
    /// The turn is over: energy that is left goes.
    EndTurn {
        /// Whose.
        player: PlayerId,
    },
    /// A person says what is so.
    Correct(Correction),
}

/// What replaces a terraformed sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// Whose card; the opponent's only where the own hand and Resource have no sector.
    pub from: PlayerId,
    /// Where it comes from.
    pub source: Source,
    /// What the sector is then.
    pub becomes: SectorKind,
}

/// Where a sector card comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// A card of the hand, which is replaced.
    Hand {
        /// Which.
        card: usize,
        /// What was drawn; nothing where the Resource is empty.
        #[serde(default)]
        drawn: Option<CardKind>,
    },
    /// The Resource, revealed card by card.
    Resource {
        /// Cards that went to the bottom.
        passed: u16,
        /// The card that ended it.
        found: CardKind,
    },
    /// Nowhere: neither player has one.
    Nowhere,
}

/// A person's word on one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Correction {
    /// CP to spend.
    Cp { player: PlayerId, count: Span },
    /// Artifice CP to spend.
    Artifice { player: PlayerId, count: Span },
    /// Cards in the Resource.
    Resource { player: PlayerId, count: Span },
    /// A card of the hand.
    Card {
        player: PlayerId,
        card: usize,
        kind: Place<CardKind>,
    },
    /// What is banked on a project.
    Banked {
        player: PlayerId,
        project: usize,
        points: Span,
    },
    /// What an engine die shows.
    Engine {
        player: PlayerId,
        die: usize,
        shows: Span,
    },
    /// A sector.
    Sector {
        sector: usize,
        kind: Place<SectorKind>,
    },
    /// A player's presence.
    Presence {
        player: PlayerId,
        sector: usize,
        present: Place<bool>,
    },
    /// Whose turn it is, and its part.
    Turn { player: PlayerId, phase: Phase },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Action::*;
        match self {
            Income { player, cp } => write!(f, "{player}: {cp} CP come in"),
            Cycle { player, card, .. } => write!(f, "{player}: discards card {card}"),
            Begin {
                player,
                purpose,
                cost,
            } => write!(f, "{player}: begins {purpose} for {cost}"),
            Invest {
                player,
                project,
                points,
            } => write!(f, "{player}: {points} points into project {project}"),
            Buy {
                player,
                purpose,
                cost,
            } => write!(f, "{player}: {purpose} for {cost}"),
            Complete {
                player, project, ..
            } => write!(f, "{player}: project {project} is finished"),
            Presence {
                player,
                sector,
                present: true,
            } => write!(f, "{player}: present in sector {sector}"),
            Presence { player, sector, .. } => write!(f, "{player}: out of sector {sector}"),
            EndBuild { player } => write!(f, "{player}: has built"),
            Roll { player, shows } => {
                write!(f, "{player}: rolls")?;
                shows.iter().try_for_each(|n| write!(f, " {n}"))
            }
            Charge {
                player,
                remove,
                reroll,
                shows,
            } => write!(
                f,
                "{player}: removes die {remove}, rolls die {reroll} again: {shows}"
            ),
            Keep { player, die } => write!(f, "{player}: keeps die {die}"),
            Spend { player, energy } => write!(f, "{player}: spends {energy} E"),
            EndTurn { player } => write!(f, "{player}: ends the turn"),
            Correct(_) => f.write_str("corrected by hand"),
        }
    }
}
