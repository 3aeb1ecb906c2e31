//! What can be wrong with a table of Dice Duel.

use std::fmt;

use super::ship_id::ShipId;
use super::square::Square;
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{Station, Zone};
use crate::rules::{Game, Rule};

/// A problem and its zone.
pub type Problem = crate::rules::Problem<Zone, Fault>;

/// What is wrong, or not known, at a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A die shows what may not lie there: it is taken off.
    WrongZone {
        /// What it shows.
        shows: Faces,
    },
    /// A die shows a symbol that is of no use on a display: it is taken off.
    UnusableSymbol {
        /// What it shows.
        shows: Symbol,
    },
    /// A die of another station: it is taken off.
    WrongKind {
        /// What it is.
        kind: DieKind,
        /// What may lie there.
        wants: DieKind,
    },
    /// A station die among the energy: it is taken off.
    StationDieInEnergy {
        /// What it is.
        kind: DieKind,
    },
    /// More than one die in a slot.
    SlotTaken {
        /// How many.
        dice: u8,
    },
    /// A die on a display, outside its zones: it counts for nothing.
    OutsideZones,
    /// A die of which not even the kind is known.
    ForeignDie,
    /// More dice of a kind than a ship has.
    TooManyDice {
        /// Which.
        kind: DieKind,
        /// How many are seen.
        seen: u16,
        /// How many there are.
        exist: u8,
    },
    /// More dice in a place than can be.
    Crowded,
    /// An energy die whose number is of another station.
    WrongEnergyNumber {
        /// What it shows.
        number: u8,
        /// Where it lies.
        station: Station,
    },
    /// What a die shows is not sure.
    UnsureDie {
        /// What it may show.
        shows: Faces,
    },
    /// A die may be here or elsewhere.
    UnsureZone,
    /// A zone could not be seen.
    Hidden,
    /// A ship is off the map.
    ShipOffMap {
        /// Where it is said to be.
        square: Square,
    },
    /// Where a ship is, or how it faces, is not known.
    ShipUnsure,
    /// More ships than any table holds.
    TooManyShips,
    /// Two ships of one name.
    ShipTwice,
    /// A zone names a ship that is not among those that are listed.
    ShipNotListed,
    /// The only ship of its side, where that may be a slip.
    AloneOnItsSide {
        /// The side.
        team: ShipId,
    },
    /// Ships share a square and their halves are not known, or are no halves.
    HalvesUnclear {
        /// The other ship.
        with: ShipId,
    },
    /// A token is off the map.
    TokenOffMap,
    /// A token where it has no business.
    TokenMisplaced,
    /// What a token is, is not sure.
    TokenUnsure,
    /// Two terrain tokens in a square.
    TwoTokens,
    /// Two mines in a square.
    TwoMines,
    /// A wormhole without its other end, or more than two.
    Wormholes {
        /// How many lie on the map.
        count: u8,
    },
    /// A token on a crystal or start square.
    OnMarkedSquare,
    /// A token of the original tiles, or an optional one, that this copy plays without.
    NotInPlay,
    /// More mines than the box has.
    TooManyMines {
        /// How many are seen.
        seen: u16,
        /// How many there are.
        exist: u16,
    },
    /// More crystals than the box has.
    TooManyCrystals {
        /// How many are seen.
        seen: u16,
        /// How many there are.
        exist: u16,
    },
    /// More damage than destroys a ship.
    TooMuchDamage {
        /// How much is seen.
        seen: u16,
        /// What destroys a ship.
        hull: u16,
    },
    /// A die that is no energy die, or a token that is no crystal, on the damage display.
    NotDamage,
    /// A tube that this copy does not have.
    NoSuchPlace,
    /// The game is said to wait for something that cannot be.
    FlowUnclear,
}

impl crate::rules::Fault for Fault {
    fn code(&self) -> &'static str {
        match self {
            Fault::WrongZone { .. } => "die_in_wrong_zone",
            Fault::UnusableSymbol { .. } => "unusable_symbol_placed",
            Fault::WrongKind { .. } => "die_of_wrong_kind",
            Fault::StationDieInEnergy { .. } => "station_die_in_energy_zone",
            Fault::SlotTaken { .. } => "two_dice_in_slot",
            Fault::OutsideZones => "die_outside_any_zone",
            Fault::ForeignDie => "foreign_die",
            Fault::TooManyDice { .. } => "too_many_dice",
            Fault::Crowded => "zone_crowded",
            Fault::WrongEnergyNumber { .. } => "wrong_energy_number",
            Fault::UnsureDie { .. } => "unsure_die",
            Fault::UnsureZone => "unsure_zone",
            Fault::Hidden => "hidden",
            Fault::ShipOffMap { .. } => "ship_off_map",
            Fault::ShipUnsure => "unsure_ship",
            Fault::TooManyShips => "too_many_ships",
            Fault::ShipTwice => "ship_twice",
            Fault::ShipNotListed => "ship_not_listed",
            Fault::AloneOnItsSide { .. } => "alone_on_its_side",
            Fault::HalvesUnclear { .. } => "halves_unclear",
            Fault::TokenOffMap => "token_off_map",
            Fault::TokenMisplaced => "token_misplaced",
            Fault::TokenUnsure => "unsure_token",
            Fault::TwoTokens => "two_tokens_in_square",
            Fault::TwoMines => "two_mines_in_square",
            Fault::Wormholes { .. } => "wormhole_count",
            Fault::OnMarkedSquare => "token_on_marked_square",
            Fault::NotInPlay => "token_not_in_play",
            Fault::TooManyMines { .. } => "too_many_mines",
            Fault::TooManyCrystals { .. } => "too_many_crystals",
            Fault::TooMuchDamage { .. } => "too_much_damage",
            Fault::NotDamage => "not_damage",
            Fault::NoSuchPlace => "no_such_place",
            Fault::FlowUnclear => "flow_unclear",
        }
    }

    fn rule(&self) -> Option<Rule> {
        let section = match self {
            Fault::WrongZone { .. }
            | Fault::WrongKind { .. }
            | Fault::StationDieInEnergy { .. }
            | Fault::OutsideZones => "Placing Dice On Displays",
            Fault::UnusableSymbol { .. } => "Expansion Symbols",
            Fault::SlotTaken { .. } => "Helm; Weapons",
            Fault::TooManyDice { .. } => "Components",
            Fault::WrongEnergyNumber { .. } => "Engineering",
            Fault::TwoMines | Fault::TooManyMines { .. } => "Tractor Beams: Mines",
            Fault::Wormholes { .. } => "Optional Rules: Wormholes",
            Fault::TooManyCrystals { .. } => "Crystals",
            Fault::TooMuchDamage { .. } | Fault::NotDamage => "Winning",
            Fault::HalvesUnclear { .. } => "Helm",
            Fault::OnMarkedSquare => "Setup",
            _ => return None,
        };
        Some(Rule {
            game: Game::DiceDuel,
            section,
        })
    }

    fn is_soft(&self) -> bool {
        matches!(
            self,
            Fault::WrongEnergyNumber { .. }
                | Fault::OnMarkedSquare
                | Fault::UnsureDie { .. }
                | Fault::UnsureZone
                | Fault::Hidden
                | Fault::ShipUnsure
                | Fault::AloneOnItsSide { .. }
                | Fault::TokenUnsure
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::WrongZone { shows } => write!(f, "{shows} may not lie here: take it off"),
            Fault::UnusableSymbol { shows } => {
                write!(
                    f,
                    "{shows} is of no use on a display: take it off, roll it again"
                )
            }
            Fault::WrongKind { kind, wants } => {
                write!(
                    f,
                    "a die of the kind {kind}, where {wants} dice belong: take it off"
                )
            }
            Fault::StationDieInEnergy { kind } => {
                write!(
                    f,
                    "a die of the kind {kind} among the energy dice: take it off"
                )
            }
            Fault::SlotTaken { dice } => write!(f, "{dice} dice where one fits"),
            Fault::OutsideZones => f.write_str("a die in none of the display's places"),
            Fault::ForeignDie => f.write_str("a die that is not of this copy, or was not read"),
            Fault::TooManyDice { kind, seen, exist } => write!(
                f,
                "{seen} {kind} dice, but the ship has {exist}: one is misread or foreign"
            ),
            Fault::Crowded => f.write_str("more dice than can lie here"),
            Fault::WrongEnergyNumber { number, station } => {
                write!(f, "energy die {number} does not power {station}")
            }
            Fault::UnsureDie { shows } => write!(f, "not sure what the die shows: {shows}"),
            Fault::UnsureZone => f.write_str("not sure whether the die lies here"),
            Fault::Hidden => f.write_str("could not be seen"),
            Fault::ShipOffMap { square } => write!(f, "{square} is off the map"),
            Fault::ShipUnsure => f.write_str("not sure where the ship is or how it faces"),
            Fault::TooManyShips => f.write_str("more ships than a table holds: left out"),
            Fault::ShipTwice => f.write_str("named twice"),
            Fault::ShipNotListed => {
                f.write_str("named by a zone, but not among the ships that are listed")
            }
            Fault::AloneOnItsSide { team } => {
                write!(f, "the only ship on the side {team}: is that so?")
            }
            Fault::HalvesUnclear { with } => {
                write!(f, "shares its square with {with}: which half is whose?")
            }
            Fault::TokenOffMap => f.write_str("a token off the map"),
            Fault::TokenMisplaced => f.write_str("this token does not belong here"),
            Fault::TokenUnsure => f.write_str("not sure what lies here"),
            Fault::TwoTokens => f.write_str("two terrain tokens in one square"),
            Fault::TwoMines => f.write_str("two mines in one square: only one may lie there"),
            Fault::Wormholes { count } => write!(f, "{count} wormholes: there must be two or none"),
            Fault::OnMarkedSquare => f.write_str("a token on a crystal or start square"),
            Fault::NotInPlay => f.write_str("this game is played without such tokens: take it off"),
            Fault::TooManyMines { seen, exist } => {
                write!(f, "{seen} mines, but the box has {exist}")
            }
            Fault::TooManyCrystals { seen, exist } => {
                write!(f, "{seen} crystals, but the box has {exist}")
            }
            Fault::TooMuchDamage { seen, hull } => {
                write!(f, "{seen} damage, but {hull} destroy a ship")
            }
            Fault::NotDamage => f.write_str("only energy dice and crystals belong here"),
            Fault::NoSuchPlace => f.write_str("this copy has no such place"),
            Fault::FlowUnclear => f.write_str("the game cannot be waiting for this"),
        }
    }
}
