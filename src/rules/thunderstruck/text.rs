//! A position as text: where the game stands, then each ship with what is not empty.
//!
//! ```
//! # use sightline::rules::thunderstruck::Position;
//! # let text = "\
//! flow {\"round\":1,\"phase\":\"actions\",\"first\":\"a\",\"turn\":\"a\"}
//! a 1.0 clockwise
//!   boost-1: 3
//!   manoeuvre-1: 4
//!   fire-1: 5|6
//!   shields mid
//!   cubes 1
//! b 1.4 anticlockwise
//!   manoeuvre-2: 2
//!   shields front? mid
//!   damage power-1
//!   boosted 3 4
//! ";
//! # let position: Position = text.parse()?;
//! # assert_eq!(position.to_string(), text);
//! # Ok::<(), sightline::rules::thunderstruck::ParseTextError>(())
//! ```
//!
//! `?` alone is unknown, `|` stands between what it may be, `-` is no die; a `?` behind a token
//! says that it may be there. `#` begins a comment.

use std::fmt;
use std::str::FromStr;

use super::position::{EndedBy, Outcome, Position};
use super::print::Print;
use super::setup::{DieSetup, Setup, ShipSetup};
use super::spot::{Shield, Spot};
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

fn place<T: fmt::Display>(f: &mut fmt::Formatter<'_>, place: &Place<T>) -> fmt::Result {
    match place.candidates() {
        None => f.write_str("?"),
        Some(values) => values.iter().enumerate().try_for_each(|(i, value)| {
            let bar = if i > 0 { "|" } else { "" };
            write!(f, "{bar}{value}")
        }),
    }
}

fn tokens<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    all: impl Iterator<Item = (T, Option<bool>)>,
) -> fmt::Result {
    let mut named = false;
    for (token, there) in all.filter(|(_, there)| *there != Some(false)) {
        if !named {
            write!(f, "  {name}")?;
            named = true;
        }
        let open = if there.is_none() { "?" } else { "" };
        write!(f, " {token}{open}")?;
    }
    if named { writeln!(f) } else { Ok(()) }
}

/// Who has won, and by what, with the rule.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.winners.iter().map(|w| w.name()).collect();
        let by = match self.by {
            EndedBy::LastShip => "the last ship",
            EndedBy::FirstLoss => "a ship was destroyed, least damage",
            EndedBy::Rounds => "the last round is over, least damage",
        };
        match names.as_slice() {
            [one] => write!(f, "{one} has won: {by}."),
            [] => f.write_str("Nobody is left."),
            _ => write!(f, "{} are level: {by}.", names.join(", ")),
        }?;
        f.write_str(" [Ending the Round]")
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flow = serde_json::to_string(&self.flow).map_err(|_| fmt::Error)?;
        writeln!(f, "flow {flow}")?;
        for ship in &self.ships {
            write!(f, "{} ", ship.id)?;
            place(f, &ship.space)?;
            f.write_str(" ")?;
            place(f, &ship.heading)?;
            writeln!(f, "{}", if ship.retired { " retired" } else { "" })?;
            if ship.screen.hides() {
                writeln!(f, "  screen {}", ship.screen)?;
            } else {
                for spot in Spot::ALL.iter().filter(|s| ship.die(**s).may_be_there()) {
                    writeln!(f, "  {spot}: {}", ship.die(*spot))?;
                }
            }
            let up = Shield::ALL.iter();
            tokens(
                f,
                "shields",
                up.map(|s| (s, ship.shield(*s).known().copied())),
            )?;
            let hit = Spot::ALL.iter();
            tokens(
                f,
                "damage",
                hit.map(|s| (s, ship.damage(*s).known().copied())),
            )?;
            if ship.cubes != Span::known(0) {
                match ship.cubes.value() {
                    Some(n) => writeln!(f, "  cubes {n}")?,
                    None => writeln!(f, "  cubes {}-{}", ship.cubes.min, ship.cubes.max)?,
                }
            }
            for (name, dice) in [("boosted", &ship.boosted), ("manoeuvred", &ship.manoeuvred)] {
                if !dice.is_empty() {
                    write!(f, "  {name}")?;
                    dice.iter().try_for_each(|die| write!(f, " {die}"))?;
                    writeln!(f)?;
                }
            }
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

fn one<T: FromStr>(text: &str) -> Result<T, String>
where
    T::Err: fmt::Display,
{
    text.parse().map_err(|e: T::Err| e.to_string())
}

fn several<T: FromStr>(text: &str) -> Result<Place<T>, String>
where
    T::Err: fmt::Display,
{
    if text == "?" {
        return Ok(Place::Unknown);
    }
    let mut values = text
        .split('|')
        .map(one)
        .collect::<Result<Vec<T>, String>>()?;
    Ok(match values.len() {
        1 => values.pop().map_or(Place::Unknown, Place::Known),
        _ => Place::OneOf(values),
    })
}

fn span(text: &str) -> Result<Span, String> {
    let number = |t: &str| {
        let n = t.parse::<u16>();
        n.map_err(|_| format!("{t:?} is not a number"))
    };
    match text.split_once('-') {
        Some((least, most)) => Ok(Span::between(number(least)?, number(most)?)),
        None => Ok(Span::known(number(text)?)),
    }
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
        for (i, line) in text.lines().enumerate() {
            let wrong = |what| ParseTextError { line: i + 1, what };
            setup.read_line(line).map_err(wrong)?;
        }
        Ok(setup)
    }
}

impl Setup {
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            _ if line.starts_with(' ') => {
                let ship = self.ships.last_mut();
                let ship = ship.ok_or("a line of a console before any ship")?;
                return read_detail(ship, &words);
            }
            ["flow", ..] => {
                let json = line.trim_start().trim_start_matches("flow");
                self.flow = serde_json::from_str(json).map_err(|e| e.to_string())?;
            }
            [id, space, heading, rest @ ..] => {
                let mut ship = ShipSetup::new(one(id)?);
                ship.space = several(space)?;
                ship.heading = several(heading)?;
                ship.retired = match rest {
                    [] => false,
                    ["retired"] => true,
                    _ => return Err(format!("{:?} after a ship's heading", rest.join(" "))),
                };
                self.ships.push(ship);
            }
            _ => return Err(format!("{line:?} is no line of a position")),
        }
        Ok(())
    }
}

fn read_detail(ship: &mut ShipSetup, words: &[&str]) -> Result<(), String> {
    match words {
        ["screen", screen] => ship.screen = one(screen)?,
        ["cubes", count] => ship.cubes = span(count)?,
        ["shields", named @ ..] => {
            for name in named {
                match name.strip_suffix('?') {
                    Some(name) => ship.shields_unsure.push(one(name)?),
                    None => ship.shields.push(one(name)?),
                }
            }
        }
        ["damage", named @ ..] => {
            for name in named {
                match name.strip_suffix('?') {
                    Some(name) => ship.damage_unsure.push(one(name)?),
                    None => ship.damage.push(one(name)?),
                }
            }
        }
        ["boosted", dice @ ..] => {
            for die in dice {
                ship.boosted.push(one(die)?);
            }
        }
        ["manoeuvred", dice @ ..] => {
            for die in dice {
                ship.manoeuvred.push(one(die)?);
            }
        }
        [spot, dice @ ..] if spot.ends_with(':') => {
            let at: Place<Spot> = several(spot.trim_end_matches(':'))?;
            for die in dice {
                ship.dice.push(DieSetup {
                    at: at.clone(),
                    shows: one(die)?,
                });
            }
        }
        _ => return Err(format!("{:?} says nothing about a ship", words.join(" "))),
    }
    Ok(())
}
