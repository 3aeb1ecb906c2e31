//! A position as text: the turn, the players with what is not empty, sectors, checks, dice.
//!
//! ```
//! # use sightline::rules::nearspace::Position;
//! # let text = "\
//! turn a energy
//! a homeworld 5
//!   resource 20
//!   wanted 40
//!   hand sector encounter|event ?
//!   project artifice cost 12 banked 5
//!   project terraform 0 cost 10 banked 0-3
//!   die d20 rolled 19
//!   die d20 held 12-14
//! sector system a:yes b:? owner b
//! check d8 for 2 rolled 3
//! bring 1 2 3 1 2 3|4 permission
//! ";
//! # let position: Position = text.parse()?;
//! # assert_eq!(position.to_string(), text);
//! # Ok::<(), sightline::rules::nearspace::ParseTextError>(())
//! ```
//!
//! `?` is unknown, `|` stands between what may be, `-` between the least and the most. `#` begins
//! a comment.

use std::fmt;
use std::str::FromStr;

use super::die::DieClaim;
use super::position::Position;
use super::print::Print;
use super::setup::{Check, EngineDie, PlayerSetup, Project, Purpose, Sector, Setup};
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

fn place<T: fmt::Display>(place: &Place<T>) -> String {
    match place.candidates() {
        None => "?".into(),
        Some(values) => {
            let values: Vec<String> = values.iter().map(T::to_string).collect();
            values.join("|")
        }
    }
}

fn present(place: &Place<bool>) -> &'static str {
    match place.known() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "?",
    }
}

fn span(span: Span) -> String {
    match span.value() {
        Some(n) => n.to_string(),
        None => format!("{}-{}", span.min, span.max),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = &self.table;
        writeln!(f, "turn {} {}", table.turn, table.phase)?;
        for player in &table.players {
            write_player(f, player)?;
        }
        for sector in &table.sectors {
            let kind = place(&sector.kind);
            let (a, b) = (present(&sector.a), present(&sector.b));
            write!(f, "sector {kind} a:{a} b:{b}")?;
            match sector.owner {
                Some(owner) => writeln!(f, " owner {owner}")?,
                None => writeln!(f)?,
            }
        }
        for check in &table.checks {
            write!(f, "check d{} for {}", check.size, check.number)?;
            match check.rolled {
                Some(rolled) => writeln!(f, " rolled {}", span(rolled))?,
                None => writeln!(f)?,
            }
        }
        for die in &table.dice {
            f.write_str("bring")?;
            for face in &die.faces {
                write!(f, " {}", place(face))?;
            }
            if die.symbols > 0 {
                write!(f, " symbols {}", die.symbols)?;
            }
            if die.foreign_numerals {
                f.write_str(" foreign")?;
            }
            if die.coin {
                f.write_str(" coin")?;
            }
            if let Some(design) = die.design {
                write!(f, " design {design}")?;
            }
            writeln!(f, "{}", if die.permission { " permission" } else { "" })?;
        }
        Ok(())
    }
}

fn write_player(f: &mut fmt::Formatter<'_>, player: &PlayerSetup) -> fmt::Result {
    writeln!(f, "{} homeworld {}", player.id, player.homeworld)?;
    for (name, count) in [
        ("cp", player.cp),
        ("artifice", player.artifice),
        ("resource", player.resource),
        ("spent", Span::known(player.spent)),
    ] {
        if count != Span::known(0) {
            writeln!(f, "  {name} {}", span(count))?;
        }
    }
    if let Some(wanted) = player.wanted {
        writeln!(f, "  wanted {wanted}")?;
    }
    if !player.hand.is_empty() {
        let cards: Vec<String> = player.hand.iter().map(place).collect();
        writeln!(f, "  hand {}", cards.join(" "))?;
    }
    if !player.built.is_empty() {
        f.write_str("  built")?;
        player
            .built
            .iter()
            .try_for_each(|size| write!(f, " d{size}"))?;
        writeln!(f)?;
    }
    for project in &player.projects {
        let (cost, banked) = (project.cost, span(project.banked));
        writeln!(
            f,
            "  project {} cost {cost} banked {banked}",
            project.purpose
        )?;
    }
    for die in &player.engine {
        write!(f, "  die d{} {}", die.size, die.state)?;
        match die.state.shows() {
            true => writeln!(f, " {}", span(die.shows))?,
            false => writeln!(f)?,
        }
    }
    Ok(())
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
    text.parse().map_err(|e: T::Err| format!("{text:?}: {e}"))
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

fn read_span(text: &str) -> Result<Span, String> {
    match text.split_once('-') {
        Some((least, most)) => Ok(Span::between(one(least)?, one(most)?)),
        None => Ok(Span::known(one(text)?)),
    }
}

fn size(text: &str) -> Result<u8, String> {
    let number = text.strip_prefix('d');
    one(number.ok_or_else(|| format!("{text:?} is no die: write for instance d8"))?)
}

fn yes(text: &str) -> Result<Place<bool>, String> {
    match text {
        "yes" => Ok(Place::Known(true)),
        "no" => Ok(Place::Known(false)),
        "?" => Ok(Place::Unknown),
        _ => Err(format!("{text:?}: write yes, no or ?")),
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
            words if line.starts_with(' ') => {
                let player = self.players.last_mut();
                let player = player.ok_or("a player's line before any player")?;
                return read_detail(player, words);
            }
            ["turn", turn, phase] => (self.turn, self.phase) = (one(turn)?, one(phase)?),
            ["sector", kind, a, b, rest @ ..] => self.sectors.push(Sector {
                kind: several(kind)?,
                owner: match rest {
                    [] => None,
                    ["owner", owner] => Some(one(owner)?),
                    _ => return Err(format!("{:?} after a sector", rest.join(" "))),
                },
                a: yes(a.strip_prefix("a:").ok_or("write a:yes, a:no or a:?")?)?,
                b: yes(b.strip_prefix("b:").ok_or("write b:yes, b:no or b:?")?)?,
            }),
            ["check", die, "for", number, rest @ ..] => self.checks.push(Check {
                size: size(die)?,
                number: one(number)?,
                rolled: match rest {
                    [] => None,
                    ["rolled", rolled] => Some(read_span(rolled)?),
                    _ => return Err(format!("{:?} after a check", rest.join(" "))),
                },
            }),
            ["bring", words @ ..] => self.dice.push(read_die(words)?),
            [id, "homeworld", cp] => self.players.push(PlayerSetup {
                homeworld: one(cp)?,
                ..PlayerSetup::new(one(id)?)
            }),
            _ => return Err(format!("{line:?} is no line of a position")),
        }
        Ok(())
    }
}

fn read_die(mut words: &[&str]) -> Result<DieClaim, String> {
    let mut die = DieClaim::new([]);
    loop {
        words = match words {
            [] => return Ok(die),
            ["symbols", n, rest @ ..] => {
                die.symbols = one(n)?;
                rest
            }
            ["design", n, rest @ ..] => {
                die.design = Some(one(n)?);
                rest
            }
            ["foreign", rest @ ..] => {
                die.foreign_numerals = true;
                rest
            }
            ["coin", rest @ ..] => {
                die.coin = true;
                rest
            }
            ["permission", rest @ ..] => {
                die.permission = true;
                rest
            }
            [face, rest @ ..] => {
                die.faces.push(several(face)?);
                rest
            }
        };
    }
}

fn read_detail(player: &mut PlayerSetup, words: &[&str]) -> Result<(), String> {
    match words {
        ["cp", n] => player.cp = read_span(n)?,
        ["artifice", n] => player.artifice = read_span(n)?,
        ["resource", n] => player.resource = read_span(n)?,
        ["spent", n] => player.spent = one(n)?,
        ["wanted", n] => player.wanted = Some(one(n)?),
        ["hand", cards @ ..] => {
            for card in cards {
                player.hand.push(several(card)?);
            }
        }
        ["built", sizes @ ..] => {
            for text in sizes {
                player.built.push(size(text)?);
            }
        }
        ["project", purpose @ .., "cost", cost, "banked", banked] => {
            let purpose = match purpose {
                ["ship", die] => Purpose::Ship { size: size(die)? },
                ["engine", die] => Purpose::EngineDie { size: size(die)? },
                ["terraform", sector] => Purpose::Terraform {
                    sector: one(sector)?,
                },
                ["hero"] => Purpose::Hero,
                ["artifice"] => Purpose::Artifice,
                ["event"] => Purpose::Event,
                ["directive"] => Purpose::Directive,
                _ => return Err(format!("{:?} is no project", purpose.join(" "))),
            };
            player.projects.push(Project {
                purpose,
                cost: one(cost)?,
                banked: read_span(banked)?,
            });
        }
        ["die", die, state, shows @ ..] => player.engine.push(EngineDie {
            size: size(die)?,
            state: one(state)?,
            shows: match shows {
                [] => Span::known(0),
                [n] => read_span(n)?,
                _ => return Err(format!("{:?} after an engine die", shows.join(" "))),
            },
        }),
        _ => return Err(format!("{:?} says nothing about a player", words.join(" "))),
    }
    Ok(())
}
