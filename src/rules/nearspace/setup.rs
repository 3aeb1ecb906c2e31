//! What a camera or a person claims about the table, in plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::die::{DieClaim, MAX_FACETS};
use super::noun::{CardKind, DieState, Phase, PlayerId, SectorKind};
use super::print::{MAX_POINTS, Print};
use crate::rules::{InputError, Place, Span};

/// The table as somebody claims it is. [`Setup::resolve`] makes a [`Position`](super::Position)
/// of it, whatever it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// Whose turn it is.
    pub turn: PlayerId,
    /// Its part.
    pub phase: Phase,
    /// The players.
    pub players: Vec<PlayerSetup>,
    /// The sectors of Nearspace.
    pub sectors: Vec<Sector>,
    /// Checks to judge.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Dice that somebody wants to play with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<DieClaim>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            turn: PlayerId::A,
            phase: Phase::Build,
            players: Vec::new(),
            sectors: Vec::new(),
            checks: Vec::new(),
            dice: Vec::new(),
        }
    }
}

/// A player as claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerSetup {
    /// Who.
    pub id: PlayerId,
    /// The CP value of the Homeworld: the artifice CP of each build phase.
    #[serde(default)]
    pub homeworld: u16,
    /// CP to spend.
    #[serde(default)]
    pub cp: Span,
    /// Artifice CP to spend.
    #[serde(default)]
    pub artifice: Span,
    /// The cards in the hand.
    #[serde(default)]
    pub hand: Vec<Place<CardKind>>,
    /// Cards in the Resource.
    #[serde(default)]
    pub resource: Span,
    /// What is under construction.
    #[serde(default)]
    pub projects: Vec<Project>,
    /// The engine dice.
    #[serde(default)]
    pub engine: Vec<EngineDie>,
    /// Ships that were built, as their sizes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub built: Vec<u8>,
    /// Energy spent this turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spent: u16,
    /// Energy that the player would like to have: the chances are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<u16>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &u16) -> bool {
    *n == 0
}

impl PlayerSetup {
    /// A player with nothing.
    pub fn new(id: PlayerId) -> PlayerSetup {
        PlayerSetup {
            id,
            homeworld: 0,
            cp: Span::known(0),
            artifice: Span::known(0),
            hand: Vec::new(),
            resource: Span::known(0),
            projects: Vec::new(),
            engine: Vec::new(),
            built: Vec::new(),
            spent: 0,
            wanted: None,
        }
    }
}

/// A sector of Nearspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sector {
    /// What it is.
    pub kind: Place<SectorKind>,
    /// To whom its card belongs, if there is a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<PlayerId>,
    /// Whether player a has presence there.
    #[serde(default = "absent")]
    pub a: Place<bool>,
    /// Whether player b has presence there.
    #[serde(default = "absent")]
    pub b: Place<bool>,
}

fn absent() -> Place<bool> {
    Place::Known(false)
}

impl Sector {
    /// Whether a player has presence there.
    pub fn presence(&self, player: PlayerId) -> &Place<bool> {
        match player {
            PlayerId::A => &self.a,
            PlayerId::B => &self.b,
        }
    }

    pub(crate) fn presence_mut(&mut self, player: PlayerId) -> &mut Place<bool> {
        match player {
            PlayerId::A => &mut self.a,
            PlayerId::B => &mut self.b,
        }
    }
}

/// What CP are spent on over time, or at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Purpose {
    /// A ship, in the shipyard.
    Ship {
        /// Its die's facets.
        size: u8,
    },
    /// An engine die.
    EngineDie {
        /// Its facets.
        size: u8,
    },
    /// A hero.
    Hero,
    /// Replacing a sector.
    Terraform {
        /// Which, from 0.
        sector: usize,
    },
    /// An artifice, paid with artifice CP.
    Artifice,
    /// An event: all at once.
    Event,
    /// A directive: all at once.
    Directive,
}

impl Purpose {
    /// Whether CP can be banked on it over several turns.
    pub fn can_be_banked(self) -> bool {
        !matches!(self, Purpose::Event | Purpose::Directive)
    }

    /// Whether it is paid with artifice CP.
    pub fn is_artifice(self) -> bool {
        self == Purpose::Artifice
    }
}

impl std::fmt::Display for Purpose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Purpose::Ship { size } => write!(f, "ship d{size}"),
            Purpose::EngineDie { size } => write!(f, "engine d{size}"),
            Purpose::Hero => f.write_str("hero"),
            Purpose::Terraform { sector } => write!(f, "terraform {sector}"),
            Purpose::Artifice => f.write_str("artifice"),
            Purpose::Event => f.write_str("event"),
            Purpose::Directive => f.write_str("directive"),
        }
    }
}

/// Something under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// What it is for.
    pub purpose: Purpose,
    /// What it costs.
    pub cost: u16,
    /// What is banked.
    #[serde(default)]
    pub banked: Span,
}

/// An engine die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineDie {
    /// Its facets.
    pub size: u8,
    /// What it is doing.
    pub state: DieState,
    /// What it shows; 0 where that does not count.
    #[serde(default)]
    pub shows: Span,
}

impl EngineDie {
    /// A die that waits to be rolled.
    pub fn idle(size: u8) -> EngineDie {
        EngineDie {
            size,
            state: DieState::Idle,
            shows: Span::known(0),
        }
    }
}

/// A check: the ship's die against a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The die's facets.
    pub size: u8,
    /// The number: it or less succeeds.
    pub number: u8,
    /// What was rolled; missing before the roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Span>,
}

/// No list of a table is longer.
pub const MAX_LIST: usize = 60;

impl Setup {
    /// Checks that the claim is one that a table could give.
    ///
    /// # Errors
    ///
    /// [`InputError::Impossible`] with the path of the first claim that no table can hold.
    pub fn check(&self, _print: &Print, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        let long = |n: usize| n > MAX_LIST;
        let much = format!("lists more than {MAX_LIST} things");
        let size = |n: u8| (1..=MAX_FACETS).contains(&n);
        let no_size = format!("a die has 1 to {MAX_FACETS} facets");
        if self.players.len() > 2 {
            return no("players".into(), "two play".into());
        }
        for (name, n) in [
            ("sectors", self.sectors.len()),
            ("checks", self.checks.len()),
            ("dice", self.dice.len()),
        ] {
            if long(n) {
                return no(name.into(), much);
            }
        }
        for (i, player) in self.players.iter().enumerate() {
            let at = |field: &str| format!("players[{i}].{field}");
            if self.players.iter().take(i).any(|p| p.id == player.id) {
                return no(at("id"), format!("there are two players {}", player.id));
            }
            for (name, n) in [
                ("hand", player.hand.len()),
                ("projects", player.projects.len()),
                ("engine", player.engine.len()),
                ("built", player.built.len()),
            ] {
                if long(n) {
                    return no(at(name), much);
                }
            }
            for (name, n) in [
                ("homeworld", player.homeworld),
                ("cp", player.cp.max),
                ("artifice", player.artifice.max),
                ("resource", player.resource.max),
                ("spent", player.spent),
            ] {
                if n > MAX_POINTS {
                    return no(at(name), format!("{n}, more than {MAX_POINTS}"));
                }
            }
            for (j, project) in player.projects.iter().enumerate() {
                let at = |field: &str| format!("players[{i}].projects[{j}].{field}");
                if project.cost > MAX_POINTS || project.cost == 0 {
                    return no(at("cost"), format!("costs are 1 to {MAX_POINTS}"));
                }
                match project.purpose {
                    Purpose::Ship { size: n } | Purpose::EngineDie { size: n } if !size(n) => {
                        return no(at("purpose"), no_size);
                    }
                    Purpose::Terraform { sector } if sector >= self.sectors.len() => {
                        return no(at("purpose"), format!("there is no sector {sector}"));
                    }
                    _ => {}
                }
            }
            for (j, die) in player.engine.iter().enumerate() {
                let at = |field: &str| format!("players[{i}].engine[{j}].{field}");
                if !size(die.size) {
                    return no(at("size"), no_size);
                }
                if die.state.shows() && (die.shows.min < 1 || die.shows.max > u16::from(die.size)) {
                    let what = format!("a d{} does not show {}", die.size, die.shows);
                    return no(at("shows"), what);
                }
            }
        }
        for (i, check) in self.checks.iter().enumerate() {
            if !size(check.size) {
                return no(format!("checks[{i}].size"), no_size);
            }
            let off = |s: Span| s.min < 1 || s.max > u16::from(check.size);
            if let Some(rolled) = check.rolled.filter(|s| off(*s)) {
                let what = format!("a d{} does not show {rolled}", check.size);
                return no(format!("checks[{i}].rolled"), what);
            }
        }
        for (i, die) in self.dice.iter().enumerate() {
            if die.faces.len() > usize::from(MAX_FACETS) {
                return no(format!("dice[{i}].faces"), no_size);
            }
        }
        Ok(())
    }
}
