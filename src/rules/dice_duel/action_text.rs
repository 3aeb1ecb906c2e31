//! Actions as sentences, and back: what [`Action`]'s `Display` writes, its `FromStr` reads.
//!
//! ```
//! # use sightline::rules::dice_duel::Action;
//! let action: Action = "white: fire 2 at black (front-1, front-2)".parse()?;
//! assert_eq!(action.to_string(), "white: fire 2 at black (front-1, front-2)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::action::{Action, Correction};
use super::board::Cell;
use super::setup::Damage;
use super::ship_id::{ParseNounError, ShipId};
use super::square::{Facing, Half, Square};
use super::symbol::{Faces, Symbol};
use super::text::{parse_place, parse_span, place, span};
use super::zone::Spot;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Action::*;
        let by = |f: &mut fmt::Formatter<'_>, edge: &Option<Facing>| match edge {
            Some(edge) => write!(f, ", coming in by the {edge} edge"),
            None => Ok(()),
        };
        match self {
            Route { ship, number } => write!(f, "{ship}: energy die {number} to its station"),
            Place { ship, spot, symbol } => write!(f, "{ship}: {symbol} on {spot}"),
            Take { ship, spot, symbol } => write!(f, "{ship}: {symbol} off {spot}"),
            StartMove { ship } => write!(f, "{ship}: begins to move"),
            Move { ship } => write!(f, "{ship}: moves"),
            Fire {
                ship,
                torpedoes,
                target,
                tubes,
            } => {
                write!(f, "{ship}: fire {torpedoes} at {target} (")?;
                for (i, tube) in tubes.iter().enumerate() {
                    write!(f, "{}{tube}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            ChooseSector { sector } => write!(f, "the defender takes it on sector {sector}"),
            Blast { symbol } => write!(f, "rolled for damage: {symbol}"),
            Damage { ship, from } => match from {
                Some(from) => write!(f, "{ship}: energy die from {from} to damage"),
                None => write!(f, "{ship}: energy die to damage"),
            },
            Discard { ship, spot, symbol } => write!(f, "{ship}: loses {symbol} from {spot}"),
            ReturnCrystal { number } => write!(f, "used crystal to square {number}"),
            Tractor {
                ship,
                target,
                to,
                enter_by,
            } => {
                write!(f, "{ship}: tractor {target} to {to}")?;
                by(f, enter_by)
            }
            PullCrystal { ship, square } => write!(f, "{ship}: pulls the crystal from {square}"),
            ReleaseMine { ship } => write!(f, "{ship}: lays a mine"),
            Override { ship, spot, symbol } => {
                write!(f, "{ship}: Station Override, {symbol} on {spot}")
            }
            PlaceSaved { ship, slot, symbol } => {
                write!(f, "{ship}: saved helm die, {symbol} on {slot}")
            }
            Warp { ship } => write!(f, "{ship}: Warp Jump"),
            WarpRoll { numbers: [a, b] } => write!(f, "rolled for the jump: {a} and {b}"),
            WarpAgain => f.write_str("another crystal for the jump"),
            WarpTo { number, enter_by } => {
                write!(f, "jumps to square {number}")?;
                by(f, enter_by)
            }
            Surge { ship } => write!(f, "{ship}: Energy Surge"),
            Claim { ship, freeze } => write!(f, "{ship}: claims the next action, {freeze}"),
            Waive => f.write_str("the claim is given up"),
            Resume => f.write_str("the play goes on"),
            Correct(correction) => write!(f, "corrected: {correction}"),
        }
    }
}

/// What is not an action's sentence.
fn no(text: &str) -> ParseNounError {
    ParseNounError::new(
        text,
        "an action",
        "write for instance white: L2 on sensors.lock, white: fire 1 at black (front-1), \
         white: moves, rolled for damage: BLAST1 or the play goes on",
    )
}

fn noun<T: FromStr>(whole: &str, text: &str) -> Result<T, ParseNounError> {
    text.parse().map_err(|_| no(whole))
}

/// `TO` and the edge, from `TO, coming in by the N edge`.
fn entry<'a>(whole: &str, text: &'a str) -> Result<(&'a str, Option<Facing>), ParseNounError> {
    match text.split_once(", coming in by the ") {
        None => Ok((text, None)),
        Some((to, edge)) => {
            let edge = edge.strip_suffix(" edge").ok_or_else(|| no(whole))?;
            Ok((to, Some(noun(whole, edge)?)))
        }
    }
}

impl FromStr for Action {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let after = |prefix: &str| text.strip_prefix(prefix);
        if let Some(correction) = after("corrected: ") {
            return correction.parse().map(Action::Correct);
        }
        if let Some(sector) = after("the defender takes it on sector ") {
            let sector = noun(text, sector)?;
            return Ok(Action::ChooseSector { sector });
        }
        if let Some(symbol) = after("rolled for damage: ") {
            let symbol = noun(text, symbol)?;
            return Ok(Action::Blast { symbol });
        }
        if let Some(number) = after("used crystal to square ") {
            let number = noun(text, number)?;
            return Ok(Action::ReturnCrystal { number });
        }
        if let Some((a, b)) = after("rolled for the jump: ").and_then(|t| t.split_once(" and ")) {
            let numbers = [noun(text, a)?, noun(text, b)?];
            return Ok(Action::WarpRoll { numbers });
        }
        if let Some(to) = after("jumps to square ") {
            let (number, enter_by) = entry(text, to)?;
            let number = noun(text, number)?;
            return Ok(Action::WarpTo { number, enter_by });
        }
        match text {
            "another crystal for the jump" => return Ok(Action::WarpAgain),
            "the claim is given up" => return Ok(Action::Waive),
            "the play goes on" => return Ok(Action::Resume),
            _ => {}
        }
        let (ship, does) = text.split_once(": ").ok_or_else(|| no(text))?;
        by_ship(text, noun(text, ship)?, does)
    }
}

/// What a ship does.
fn by_ship(text: &str, ship: ShipId, does: &str) -> Result<Action, ParseNounError> {
    let on = |words: &str, between: &str| -> Result<(Symbol, Spot), ParseNounError> {
        let (symbol, spot) = words.split_once(between).ok_or_else(|| no(text))?;
        Ok((noun(text, symbol)?, noun(text, spot)?))
    };
    let after = |prefix: &str| does.strip_prefix(prefix);
    match does {
        "begins to move" => return Ok(Action::StartMove { ship }),
        "moves" => return Ok(Action::Move { ship }),
        "lays a mine" => return Ok(Action::ReleaseMine { ship }),
        "Warp Jump" => return Ok(Action::Warp { ship }),
        "Energy Surge" => return Ok(Action::Surge { ship }),
        "energy die to damage" => return Ok(Action::Damage { ship, from: None }),
        _ => {}
    }
    if let Some(rest) = after("energy die from ") {
        let from = rest.strip_suffix(" to damage").ok_or_else(|| no(text))?;
        let from = Some(noun(text, from)?);
        return Ok(Action::Damage { ship, from });
    }
    if let Some(rest) = after("energy die ") {
        let number = rest.strip_suffix(" to its station");
        let number = noun(text, number.ok_or_else(|| no(text))?)?;
        return Ok(Action::Route { ship, number });
    }
    if let Some(rest) = after("fire ") {
        let (torpedoes, rest) = rest.split_once(" at ").ok_or_else(|| no(text))?;
        let (target, tubes) = rest.split_once(" (").ok_or_else(|| no(text))?;
        let tubes = tubes.strip_suffix(')').ok_or_else(|| no(text))?;
        let tubes = tubes.split(", ").filter(|t| !t.is_empty());
        return Ok(Action::Fire {
            ship,
            torpedoes: noun(text, torpedoes)?,
            target: noun(text, target)?,
            tubes: tubes.map(|t| noun(text, t)).collect::<Result<_, _>>()?,
        });
    }
    if let Some(rest) = after("loses ") {
        let (symbol, spot) = on(rest, " from ")?;
        return Ok(Action::Discard { ship, spot, symbol });
    }
    if let Some(rest) = after("tractor ") {
        let (rest, enter_by) = entry(text, rest)?;
        let (target, to) = rest.split_once(" to ").ok_or_else(|| no(text))?;
        return Ok(Action::Tractor {
            ship,
            target: noun(text, target)?,
            to: noun(text, to)?,
            enter_by,
        });
    }
    if let Some(square) = after("pulls the crystal from ") {
        let square = noun(text, square)?;
        return Ok(Action::PullCrystal { ship, square });
    }
    if let Some(rest) = after("Station Override, ") {
        let (symbol, spot) = on(rest, " on ")?;
        return Ok(Action::Override { ship, spot, symbol });
    }
    if let Some(rest) = after("saved helm die, ") {
        let (symbol, slot) = rest.split_once(" on ").ok_or_else(|| no(text))?;
        let (symbol, slot) = (noun(text, symbol)?, noun(text, slot)?);
        return Ok(Action::PlaceSaved { ship, slot, symbol });
    }
    if let Some(freeze) = after("claims the next action, ") {
        let freeze = noun(text, freeze)?;
        return Ok(Action::Claim { ship, freeze });
    }
    if does.contains(" off ") {
        let (symbol, spot) = on(does, " off ")?;
        return Ok(Action::Take { ship, spot, symbol });
    }
    let (symbol, spot) = on(does, " on ")?;
    Ok(Action::Place { ship, spot, symbol })
}

/// A place of the table and what is so there, as a position's text writes it.
impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Correction::Dice { ship, spot, dice } => {
                write!(f, "{ship} {spot}:")?;
                dice.iter().try_for_each(|die| write!(f, " {die}"))
            }
            Correction::Stand {
                ship,
                square,
                facing,
                half,
            } => {
                write!(f, "{ship} stands ")?;
                place(f, square)?;
                f.write_str(" ")?;
                place(f, facing)?;
                f.write_str(" half ")?;
                place(f, half)
            }
            Correction::Cell { square, cell } => write!(f, "{square} {cell}"),
            Correction::Crystals { ship, count } => write!(f, "{ship} crystals {}", span(*count)),
            Correction::Mines { ship, count } => write!(f, "{ship} mines {}", span(*count)),
            Correction::Damage { ship, damage } => write!(f, "{ship} damage {damage}"),
            Correction::Used { count } => write!(f, "used {}", span(*count)),
            Correction::Flow(flow) => write!(f, "flow {flow}"),
        }
    }
}

impl FromStr for Correction {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no = || {
            ParseNounError::new(
                text,
                "a correction",
                "write for instance white sensors.lock: L1 L2, white stands [3,4] N half whole, \
                 [3,4] A*, white crystals 1, white damage 1 dice 0 crystals or used 2",
            )
        };
        if let Some(flow) = text.strip_prefix("flow ") {
            return flow.parse().map(Correction::Flow);
        }
        if let Some(count) = text.strip_prefix("used ") {
            let count = parse_span(count).map_err(|_| no())?;
            return Ok(Correction::Used { count });
        }
        if text.starts_with('[') {
            let (square, cell) = text.split_once(' ').ok_or_else(no)?;
            let square: Square = square.parse()?;
            let cell: Cell = cell.parse()?;
            return Ok(Correction::Cell { square, cell });
        }
        let words: Vec<&str> = text.split(' ').collect();
        let (ship, rest) = words.split_first().ok_or_else(no)?;
        let ship: ShipId = ship.parse()?;
        Ok(match rest {
            ["stands", square, facing, "half", half] => Correction::Stand {
                ship,
                square: parse_place::<Square>(square).map_err(|_| no())?,
                facing: parse_place::<Facing>(facing).map_err(|_| no())?,
                half: parse_place::<Half>(half).map_err(|_| no())?,
            },
            ["crystals", count] => Correction::Crystals {
                ship,
                count: parse_span(count).map_err(|_| no())?,
            },
            ["mines", count] => Correction::Mines {
                ship,
                count: parse_span(count).map_err(|_| no())?,
            },
            ["damage", damage @ ..] => Correction::Damage {
                ship,
                damage: damage.join(" ").parse::<Damage>()?,
            },
            [spot, dice @ ..] => {
                let spot: Spot = spot.strip_suffix(':').ok_or_else(no)?.parse()?;
                let dice: Result<Vec<Faces>, _> = dice.iter().map(|d| d.parse()).collect();
                let dice = dice?;
                Correction::Dice { ship, spot, dice }
            }
            [] => return Err(no()),
        })
    }
}
