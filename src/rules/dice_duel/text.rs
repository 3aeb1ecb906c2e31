//! A position as text: the map drawn in letters, the ships and their displays below it.
//!
//! ```
//! # use sightline::rules::dice_duel::Position;
//! # let text = "\
//! . . . . . .@black:S . . . .
//! . .1 . . . . . . . .
//! . . . . . . . .1 . .
//! . . . . .1 A . . . .
//! . . . . . .1 . . . .
//! . . .1 . . . N* . . .
//! . . . . . . . . .1 .
//! . . . . .@white:N . . . . .
//! white [4,0] N
//!   mines 1
//!   weapons.front-1.nose: NOSE
//!   sensors.lock: L2 L1|L2
//! black [5,7] S
//!   mines 2
//!   shields.1: S1 -|S1
//! # ";
//! # let position: Position = text.parse()?;
//! # assert_eq!(position.to_string(), text);
//! # Ok::<(), sightline::rules::dice_duel::ParseTextError>(())
//! ```
//!
//! A square is written as [`Cell`] says; what stands behind `@` shows where ships are and is not
//! read. A ship's line gives square, facing and, in a shared square, its half (`half N`); `?` is
//! unknown, `|` stands between what it may be. The lines below it name what is not empty.

use std::fmt;
use std::str::FromStr;

use super::board::Cell;
use super::flow::Flow;
use super::position::{Position, cell_tokens, claim};
use super::print::{MAX_BOARD_SIDE, Print};
use super::setup::{DieSetup, Setup, ShipSetup, Showing};
use super::ship_id::ShipId;
use super::square::{Facing, Half, Square};
use super::symbol::{DieKind, Faces};
use super::zone::{Spot, Zone};
use crate::rules::{MAX_INPUT_BYTES, Place, Span};

/// A position's text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ParseTextError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

pub(super) fn place<T: fmt::Display>(f: &mut fmt::Formatter<'_>, place: &Place<T>) -> fmt::Result {
    match place.candidates() {
        None => f.write_str("?"),
        Some(values) => values.iter().enumerate().try_for_each(|(i, value)| {
            let bar = if i > 0 { "|" } else { "" };
            write!(f, "{bar}{value}")
        }),
    }
}

pub(super) fn span(span: Span) -> String {
    match span.value() {
        Some(n) => n.to_string(),
        None => format!("{}-{}", span.min, span.max),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.board.rows()).rev() {
            for x in 0..self.board.cols() {
                let square = Square::new(x, y);
                let space = if x > 0 { " " } else { "" };
                write!(f, "{space}{}", self.board.cell(square))?;
                for ship in &self.ships {
                    if ship.square().known() == Some(&square) {
                        write!(f, "@{}:", ship.id())?;
                        place(f, ship.facing())?;
                    }
                }
            }
            writeln!(f)?;
        }
        for ship in &self.ships {
            write!(f, "{} ", ship.id())?;
            place(f, &ship.said)?;
            f.write_str(" ")?;
            place(f, ship.facing())?;
            // Without a word, a ship is alone if it can be; if it may share, it is said.
            if ship.half().known() != Some(&Half::Whole) || self.may_share(ship) {
                f.write_str(" half ")?;
                place(f, ship.half())?;
            }
            writeln!(f)?;
            if ship.team() != ship.id() {
                writeln!(f, "  team {}", ship.team())?;
            }
            if ship.crystals() != Span::known(0) {
                writeln!(f, "  crystals {}", span(ship.crystals()))?;
            }
            writeln!(f, "  mines {}", span(ship.mines()))?;
            let damage = ship.damage();
            if damage.total() != Span::known(0) {
                writeln!(f, "  damage {damage}")?;
            }
            for spot in Spot::all() {
                let dice = ship.dice(spot);
                if !dice.is_empty() {
                    writeln!(f, "  {spot}: {dice}")?;
                }
            }
        }
        for die in &self.loose {
            writeln!(f, "{}: {}/{}", die.at, die.kind, die.faces)?;
        }
        if self.used_crystals != Span::known(0) {
            writeln!(f, "used {}", span(self.used_crystals))?;
        }
        if self.flow != Flow::default() {
            writeln!(f, "flow {}", self.flow)?;
        }
        Ok(())
    }
}

/// With the default [`Print`]; for another, read a [`Setup`] and resolve it with that.
impl FromStr for Position {
    type Err = ParseTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let setup: Setup = text.parse()?;
        Ok(setup.resolve(&Print::default()).0)
    }
}

pub(super) fn parse_place<T: FromStr>(text: &str) -> Result<Place<T>, String>
where
    T::Err: fmt::Display,
{
    if text == "?" {
        return Ok(Place::Unknown);
    }
    let mut values = text
        .split('|')
        .map(|t| t.parse().map_err(|e: T::Err| e.to_string()))
        .collect::<Result<Vec<T>, String>>()?;
    Ok(match values.len() {
        1 => values.pop().map_or(Place::Unknown, Place::Known),
        _ => Place::OneOf(values),
    })
}

pub(super) fn parse_span(text: &str) -> Result<Span, String> {
    let number = |t: &str| {
        t.parse::<u16>()
            .map_err(|_| format!("{t:?} is not a number"))
    };
    match text.split_once('-') {
        Some((least, most)) => Ok(Span::between(number(least)?, number(most)?)),
        None => Ok(Span::known(number(text)?)),
    }
}

fn die(at: Zone, text: &str) -> Result<DieSetup, String> {
    let (kind, faces) = match text.split_once('/') {
        Some((kind, faces)) => (
            Some(kind.parse::<DieKind>().map_err(|e| e.to_string())?),
            faces,
        ),
        None => (None, text),
    };
    let faces: Faces = faces.parse().map_err(|e| format!("{e}"))?;
    if faces.is_contradiction() {
        return Err(format!("{text:?} is no die: write - where there is none"));
    }
    let kind = kind.or_else(|| match at {
        Zone::On(_, spot) => Some(spot.die_kind()),
        _ => None,
    });
    let symbols: Vec<Showing> = faces.symbols().map(Showing::Symbol).collect();
    Ok(match kind {
        Some(kind) => claim(at, faces, kind),
        None => DieSetup {
            at: Place::Known(at),
            kind: None,
            means: Place::OneOf(symbols),
        },
    })
}

impl FromStr for Setup {
    type Err = ParseTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > MAX_INPUT_BYTES {
            return Err(ParseTextError {
                line: 1,
                what: format!("the text is larger than {MAX_INPUT_BYTES} bytes"),
            });
        }
        let mut setup = Setup::default();
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line))
            .filter(|(_, line)| !line.trim().is_empty())
            .collect();
        let is_row = |line: &str| {
            line.starts_with(['.', 'A', 'N', 'W', 'R', '^', '>', 'v', '<'])
                && line.split_whitespace().next().is_some_and(|cell| {
                    let cell = cell.split('@').next().unwrap_or_default();
                    cell.parse::<Cell>().is_ok()
                })
        };
        let rows = lines.iter().take_while(|(_, line)| is_row(line)).count();
        let side = usize::from(MAX_BOARD_SIDE);
        let wide = |line: &str| line.split_whitespace().count() > side;
        let too_large = lines.iter().take(rows).find(|(_, line)| wide(line));
        if let Some((line, _)) = too_large.or(lines.get(side).filter(|_| rows > side)) {
            return Err(ParseTextError {
                line: *line,
                what: format!("a map has at most {side} rows and columns"),
            });
        }
        for (y, (number, line)) in lines.iter().take(rows).rev().enumerate() {
            for (x, cell) in line.split_whitespace().enumerate() {
                let cell = cell.split('@').next().unwrap_or_default();
                let cell: Cell = cell.parse().map_err(|e| ParseTextError {
                    line: *number,
                    what: format!("{e}"),
                })?;
                let to = |n: usize| i16::try_from(n).unwrap_or(i16::MAX);
                // More tokens than this are no map, and no reader of one would write them.
                if cell.crystals.max > 64 {
                    return Err(ParseTextError {
                        line: *number,
                        what: format!("{} crystals on one square", cell.crystals),
                    });
                }
                let square = Square::new(to(x), to(y));
                setup.tokens.extend(cell_tokens(square, cell));
            }
        }
        for (number, line) in lines.iter().skip(rows) {
            setup.read_line(line).map_err(|what| ParseTextError {
                line: *number,
                what,
            })?;
        }
        Ok(setup)
    }
}

impl Setup {
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with(' ') {
            let ship = self
                .ships
                .last_mut()
                .ok_or("a line of a display before any ship")?;
            return read_detail(ship, &mut self.dice, &words);
        }
        if let Some(read) = self.read_claim(&words) {
            return read;
        }
        match words.as_slice() {
            ["used", count] => self.used_crystals = parse_span(count)?,
            ["flow", ..] => {
                let flow = line.trim().trim_start_matches("flow").trim_start();
                self.flow = flow.parse().map_err(|e| format!("{e}"))?;
            }
            [zone, dice @ ..] if zone.ends_with(':') => {
                let zone: Zone = zone
                    .trim_end_matches(':')
                    .parse()
                    .map_err(|e| format!("{e}"))?;
                for text in dice {
                    self.dice.push(die(zone, text)?);
                }
            }
            [id, square, facing, rest @ ..] => {
                let id: ShipId = id.parse().map_err(|e| format!("{e}"))?;
                let mut ship = ShipSetup::new(id);
                ship.square = parse_place(square)?;
                ship.facing = parse_place::<Facing>(facing)?;
                ship.half = match rest {
                    [] => Place::Unknown,
                    ["half", half] => parse_place(half)?,
                    _ => return Err(format!("{:?} after a ship's facing", rest.join(" "))),
                };
                self.ships.push(ship);
            }
            _ => return Err(format!("{line:?} is no line of a position")),
        }
        Ok(())
    }
}

fn read_detail(
    ship: &mut ShipSetup,
    dice: &mut Vec<DieSetup>,
    words: &[&str],
) -> Result<(), String> {
    match words {
        ["team", team] => ship.team = Some(team.parse().map_err(|e| format!("{e}"))?),
        ["crystals", count] => ship.crystals = parse_span(count)?,
        ["mines", count] => ship.mines = Some(parse_span(count)?),
        ["damage", count @ ..] => {
            ship.damage = count.join(" ").parse().map_err(|e| format!("{e}"))?;
        }
        [spot, shown @ ..] if spot.ends_with(':') => {
            let spot: Spot = spot
                .trim_end_matches(':')
                .parse()
                .map_err(|e| format!("{e}"))?;
            for text in shown {
                dice.push(die(Zone::On(ship.id, spot), text)?);
            }
        }
        _ => return Err(format!("{:?} says nothing about a ship", words.join(" "))),
    }
    Ok(())
}
