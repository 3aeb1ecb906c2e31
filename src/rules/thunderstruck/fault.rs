//! What can be wrong with a table.

use std::fmt;

use super::pips::Pips;
use super::spot::{Duty, ShipId};
use super::track::Space;
use crate::rules::{Game, Rule};

/// Something wrong on the way from a set-up to a position.
pub type Problem = crate::rules::Problem<super::zone::Zone, Fault>;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Two ships of one name: the second is left out.
    ShipTwice,
    /// One ship alone: another has to be there, or to have been.
    Alone,
    /// A space that the battlefield does not have.
    OffField {
        /// Which.
        space: Space,
    },
    /// Two ships on one space: where they are is not known.
    SharedSpace {
        /// The other ship.
        with: ShipId,
    },
    /// More than one die on a space.
    SpotTaken {
        /// How many.
        dice: usize,
    },
    /// A die on a damaged space.
    DieOnDamage,
    /// A number that does not raise this shield.
    ShieldNumber {
        /// What it shows.
        shows: Pips,
    },
    /// A shield on a damaged space.
    ShieldOnDamage,
    /// More dice than the ship has.
    TooManyDice {
        /// How many are seen.
        seen: u16,
        /// How many there are.
        exist: u16,
    },
    /// More cubes than fit.
    TooManyCubes {
        /// How many are seen.
        seen: u16,
        /// How many fit.
        fit: u16,
    },
    /// A plan without a die where one has to be.
    NotPlanned {
        /// For what.
        duty: Duty,
    },
    /// A screen that stands though the screens are off: what is behind it is not known.
    ScreenStands,
    /// Not sure what lies here.
    Unsure,
    /// The game cannot be waiting for this.
    FlowUnclear,
}

impl crate::rules::Fault for Fault {
    fn code(&self) -> &'static str {
        match self {
            Fault::ShipTwice => "ship_twice",
            Fault::Alone => "ship_alone",
            Fault::OffField { .. } => "ship_off_battlefield",
            Fault::SharedSpace { .. } => "two_ships_on_space",
            Fault::SpotTaken { .. } => "two_dice_on_space",
            Fault::DieOnDamage => "die_on_damaged_space",
            Fault::ShieldNumber { .. } => "wrong_shield_number",
            Fault::ShieldOnDamage => "shield_on_damaged_space",
            Fault::TooManyDice { .. } => "too_many_dice",
            Fault::TooManyCubes { .. } => "too_many_cubes",
            Fault::NotPlanned { .. } => "die_missing_in_plan",
            Fault::ScreenStands => "screen_stands",
            Fault::Unsure => "unsure",
            Fault::FlowUnclear => "flow_unclear",
        }
    }

    fn rule(&self) -> Option<Rule> {
        let section = match self {
            Fault::SharedSpace { .. } => "Actions: Boost",
            Fault::SpotTaken { .. }
            | Fault::DieOnDamage
            | Fault::NotPlanned { .. }
            | Fault::ScreenStands => "Planning Phase",
            Fault::ShieldNumber { .. } => "Actions: Shields",
            Fault::ShieldOnDamage => "Actions: Fire",
            Fault::TooManyDice { .. } | Fault::Alone => "Setup",
            Fault::TooManyCubes { .. } => "Actions: Power",
            _ => return None,
        };
        Some(Rule {
            game: Game::Thunderstruck,
            section,
        })
    }

    fn is_soft(&self) -> bool {
        matches!(self, Fault::Unsure | Fault::ScreenStands | Fault::Alone)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::ShipTwice => f.write_str("named twice"),
            Fault::Alone => f.write_str("not on the table: two or three ships play, name it too"),
            Fault::OffField { space } => write!(f, "{space} is off the battlefield"),
            Fault::SharedSpace { with } => {
                write!(f, "on one space with {with}: no ship lands on another")
            }
            Fault::SpotTaken { dice } => write!(f, "{dice} dice where one fits"),
            Fault::DieOnDamage => f.write_str("a die on a damaged space: take it off"),
            Fault::ShieldNumber { shows } => {
                write!(f, "{shows} does not raise this shield: take the die off")
            }
            Fault::ShieldOnDamage => {
                f.write_str("a shield on a damaged space: the damage took it down")
            }
            Fault::TooManyDice { seen, exist } => {
                write!(
                    f,
                    "{seen} dice, but the ship has {exist}: one is misread or foreign"
                )
            }
            Fault::TooManyCubes { seen, fit } => write!(f, "{seen} cubes, but {fit} fit"),
            Fault::NotPlanned { duty } => {
                write!(f, "no die on {duty}: a plan needs at least one there")
            }
            Fault::ScreenStands => f.write_str(
                "a screen stands after the planning, so nothing behind it counts: lift it",
            ),
            Fault::Unsure => f.write_str("not sure what lies here"),
            Fault::FlowUnclear => f.write_str("the game cannot be waiting for this"),
        }
    }
}
