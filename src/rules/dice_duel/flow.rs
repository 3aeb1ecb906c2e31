//! Where the game stands: running, or stopped for a freeze action with things still to be done.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::print::Print;
use super::ship::Ship;
use super::ship_id::{ParseNounError, ShipId};
use super::square::Square;
use super::symbol::DieKind;
use super::zone::{Sector, Station, Tube};
use crate::rules::string_serde;

/// The actions that stop the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Freeze {
    /// A torpedo launch.
    Fire,
    /// The tractor beam on a ship.
    Tractor,
    /// A Warp Jump.
    Warp,
}

impl fmt::Display for Freeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Freeze::Fire => "fire",
            Freeze::Tractor => "tractor",
            Freeze::Warp => "warp",
        })
    }
}

impl FromStr for Freeze {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "fire" => Ok(Freeze::Fire),
            "tractor" => Ok(Freeze::Tractor),
            "warp" => Ok(Freeze::Warp),
            _ => Err(ParseNounError::new(
                text,
                "an action that stops the play",
                "write fire, tractor or warp",
            )),
        }
    }
}

string_serde!(Freeze, "Freeze", "fire, tractor or warp");

/// A ship and the freeze action it does, or wants to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Whose.
    pub ship: ShipId,
    /// What.
    pub freeze: Freeze,
}

/// What a launch is aimed at.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Target {
    /// A ship.
    Ship(ShipId),
    /// The mine in a square.
    Mine(Square),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Ship(ship) => ship.fmt(f),
            Target::Mine(square) => write!(f, "the mine at {square}"),
        }
    }
}

impl FromStr for Target {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("the mine at ") {
            Some(square) => square.parse().map(Target::Mine),
            None => text.parse().map(Target::Ship),
        }
    }
}

/// A launch that hit and is not yet resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// Who fired.
    pub shooter: ShipId,
    /// At whom.
    pub target: ShipId,
    /// The tubes that were launched.
    pub tubes: Vec<Tube>,
    /// The sectors that may be hit; more than one while the defender has to choose, or while
    /// that depends on what is not known.
    pub sectors: Vec<Sector>,
    /// The defender has chosen: a correction of the shields does not ask again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub chosen: bool,
    /// The blasts rolled so far, one entry a torpedo.
    #[serde(default)]
    pub blasts: Vec<u8>,
}

/// A Warp Jump under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warp {
    /// Who jumps.
    pub ship: ShipId,
    /// What was rolled; two dice for each crystal.
    #[serde(default)]
    pub rolled: Vec<u8>,
    /// Two dice are still to be rolled.
    #[serde(default)]
    pub to_roll: bool,
}

/// Something that has to be done before the play goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Owed {
    /// An energy die goes to the damage display.
    Damage {
        /// Whose.
        ship: ShipId,
    },
    /// Dice leave a display; the officer in charge says which.
    Discard {
        /// Whose.
        ship: ShipId,
        /// Which display.
        station: Station,
        /// How many.
        dice: u8,
    },
}

impl Owed {
    /// Who has to do it.
    pub fn ship(self) -> ShipId {
        match self {
            Owed::Damage { ship } | Owed::Discard { ship, .. } => ship,
        }
    }
}

impl fmt::Display for Owed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owed::Damage { ship } => write!(f, "{ship} puts an energy die on the damage display"),
            Owed::Discard {
                ship,
                station,
                dice,
            } => write!(f, "{ship} takes {dice} dice off {station}"),
        }
    }
}

/// Where the game stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flow {
    /// The ships that are being moved by hand at this moment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moving: Vec<ShipId>,
    /// Who stopped the play, and for what; nobody while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Claim>,
    /// Who has claimed the next freeze action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Claim>,
    /// The launch being resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
    /// The Warp Jump being resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp: Option<Warp>,
    /// A launch is over, and what lies in the used box has to be rolled back onto the map.
    #[serde(skip_serializing_if = "is_false")]
    pub returning: bool,
    /// What has to be done before the play goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owed: Vec<Owed>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The most tubes a launch, rolls a jump and debts a game can have: more is no game.
const MOST: usize = 64;

impl Flow {
    /// Every ship that is named.
    pub(crate) fn ships(&self) -> impl Iterator<Item = ShipId> + '_ {
        let claims = self.stop.into_iter().chain(self.next);
        let launch = self.launch.iter().flat_map(|l| [l.shooter, l.target]);
        let moving = self.moving.iter().copied();
        moving
            .chain(claims.map(|c| c.ship))
            .chain(self.owed.iter().map(|o| o.ship()))
            .chain(self.warp.iter().map(|w| w.ship))
            .chain(launch)
    }

    /// Whether the play can stand like this among these ships: what is waited for can come.
    pub(crate) fn can_be(&self, print: &Print, ships: &[Ship]) -> bool {
        let stopped = |ship: ShipId, freeze: Freeze| self.stop == Some(Claim { ship, freeze });
        let team = |id: ShipId| ships.iter().find(|s| s.id == id).map(|s| s.team);
        let most_blasts = print.faces_of(DieKind::Weapon).iter().map(|s| s.blasts());
        let most_blasts = most_blasts.max().unwrap_or(0).max(2);
        let launch = self.launch.as_ref().is_none_or(|l| {
            let mut pairs = l.tubes.iter().zip(l.tubes.iter().skip(1));
            let mut tubes = l.tubes.iter();
            stopped(l.shooter, Freeze::Fire)
                && team(l.shooter) != team(l.target)
                && (1..=4).contains(&l.sectors.len())
                && (1..=2).contains(&l.tubes.len())
                && tubes.all(|t| t.number() <= print.tubes_a_side)
                && pairs.all(|(a, b)| a < b && a.side() == b.side())
                && l.blasts.len() <= l.tubes.len()
                && l.blasts.iter().all(|b| *b <= most_blasts)
        });
        let warp = self.warp.as_ref().is_none_or(|w| {
            stopped(w.ship, Freeze::Warp)
                && w.rolled.len() <= MOST
                && w.rolled.iter().all(|n| (1..=6).contains(n))
        });
        // What was used returns once a launch is over.
        let over = self.stop.is_some_and(|s| s.freeze == Freeze::Fire) && self.launch.is_none();
        let returning = !self.returning || over;
        let owed = |o: &Owed| match o {
            Owed::Damage { .. } => true,
            Owed::Discard { station, dice, .. } => {
                *dice > 0 && matches!(station, Station::Shields | Station::Sensors)
            }
        };
        let owed = self.owed.len() <= MOST && self.owed.iter().all(owed);
        launch && warp && returning && owed && self.moving.len() <= MOST
    }

    /// Whether nothing is stopped and nothing is owed.
    pub fn is_running(&self) -> bool {
        self.stop.is_none() && self.next.is_none() && self.owed.is_empty()
    }
}
