//! What a call is about, read from the words that announce it.

use std::str::FromStr;

use super::call::{Missing, Turn, What};
use super::ship_id::{ParseNounError, ShipId};
use crate::rules::Span;

fn no(text: &str) -> ParseNounError {
    ParseNounError::new(
        text,
        "what a call is about",
        "write for instance white: fire 1 at black, white: front tubes on black, white: move, \
         white: tractor on black or white: Warp Jump",
    )
}

fn noun<T: FromStr>(whole: &str, text: &str) -> Result<T, ParseNounError> {
    text.parse().map_err(|_| no(whole))
}

impl FromStr for What {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(rest) = text.strip_prefix("energy die ") {
            let (shows, rest) = rest.split_once(" at ").ok_or_else(|| no(text))?;
            let (at, station) = match rest.split_once(" to ") {
                Some((at, station)) => (at, Some(noun(text, station)?)),
                None => (rest, None),
            };
            return Ok(What::Energy {
                at: noun(text, at)?,
                shows: noun(text, shows)?,
                station,
            });
        }
        if text == "used crystals return" {
            return Ok(What::Return);
        }
        let (ship, about) = text.split_once(": ").ok_or_else(|| no(text))?;
        about_ship(text, noun(text, ship)?, about)
    }
}

fn about_ship(text: &str, ship: ShipId, about: &str) -> Result<What, ParseNounError> {
    let after = |prefix: &str| about.strip_prefix(prefix);
    match about {
        "move" => return Ok(What::Helm { ship }),
        "end of the jump" => return Ok(What::Jump { ship }),
        "to be done first" => return Ok(What::Owed { ship }),
        "lay a mine" => return Ok(What::Mine { ship }),
        "Station Override" => return Ok(What::Override { ship }),
        "Warp Jump" => return Ok(What::Warp { ship }),
        "Energy Surge" => return Ok(What::Surge { ship }),
        _ => {}
    }
    if let Some((torpedoes, target)) = after("fire ").and_then(|t| t.split_once(" at ")) {
        return Ok(What::Launch {
            ship,
            torpedoes: noun(text, torpedoes)?,
            target: noun(text, target)?,
        });
    }
    if let Some(target) = after("damage to ") {
        let target = noun(text, target)?;
        return Ok(What::Damage { ship, target });
    }
    if let Some(target) = after("tractor on ") {
        let target = noun(text, target)?;
        return Ok(What::Tractor { ship, target });
    }
    if let Some(square) = after("crystal at ") {
        let square = noun(text, square)?;
        return Ok(What::Crystal { ship, square });
    }
    if let Some(station) = about.strip_suffix(" rolls") {
        let station = noun(text, station)?;
        return Ok(What::Roll { ship, station });
    }
    let (side, target) = about.split_once(" tubes on ").ok_or_else(|| no(text))?;
    Ok(What::Side {
        ship,
        side: noun(text, side)?,
        target: noun(text, target)?,
    })
}

impl FromStr for Turn {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Turn::ALL.into_iter().find(|t| t.to_string() == text);
        found.ok_or_else(|| {
            ParseNounError::new(text, "a turn", "write turn right, turn left or turn around")
        })
    }
}

impl FromStr for Missing {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no = || {
            ParseNounError::new(
                text,
                "something missing",
                "write for instance 2 more lock, one body die in front-1 or turn right: front arc",
            )
        };
        match text {
            "a step off the diagonal" => return Ok(Missing::OffDiagonal),
            "the other half of the square" => return Ok(Missing::Direction),
            "a line without a rift" => return Ok(Missing::ClearLine),
            "one mine die in its place" => return Ok(Missing::ArmedMine),
            "damage that an energy die stands for" => return Ok(Missing::DamageDie),
            _ => {}
        }
        if let Some((turn, side)) = text.split_once(": ") {
            let side = side.strip_suffix(" arc").ok_or_else(no)?;
            return Ok(Missing::Turn(turn.parse()?, side.parse()?));
        }
        if let Some((part, tube)) = text
            .strip_prefix("one ")
            .and_then(|t| t.split_once(" die in "))
        {
            return Ok(Missing::Part(tube.parse()?, part.parse()?));
        }
        let (count, of) = text.split_once(" more ").ok_or_else(no)?;
        let span = || count.parse::<Span>().map_err(|_| no());
        Ok(match of {
            "lock" => Missing::Lock(span()?),
            "strength" => Missing::Strength(span()?),
            "helm die" | "helm dice" => Missing::HelmDice(count.parse().map_err(|_| no())?),
            "crystal" | "crystals" => Missing::Crystals(count.parse().map_err(|_| no())?),
            _ => return Err(no()),
        })
    }
}
