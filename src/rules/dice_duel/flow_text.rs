//! Where the game stands, in words: `stopped by white: fire; launch white at black from front-1
//! on 2; crystals return`.

use std::fmt;
use std::str::FromStr;

use super::flow::{Claim, Flow, Launch, Owed, Warp};
use super::ship_id::ParseNounError;

/// `white: fire`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.ship, self.freeze)
    }
}

impl FromStr for Claim {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (ship, freeze) = text.split_once(": ").ok_or_else(|| no(text))?;
        Ok(Claim {
            ship: ship.parse()?,
            freeze: freeze.parse()?,
        })
    }
}

impl FromStr for Owed {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(ship) = text.strip_suffix(" puts an energy die on the damage display") {
            let ship = ship.parse()?;
            return Ok(Owed::Damage { ship });
        }
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            [ship, "takes", dice, "dice", "off", station] => Ok(Owed::Discard {
                ship: ship.parse()?,
                station: station.parse()?,
                dice: dice.parse().map_err(|_| no(text))?,
            }),
            _ => Err(no(text)),
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, of: &[T]) -> fmt::Result {
    for (i, item) in of.iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { "|" } else { "" })?;
    }
    Ok(())
}

fn read<T: FromStr>(text: &str) -> Result<Vec<T>, ParseNounError> {
    let items = text.split('|').filter(|t| !t.is_empty());
    items.map(|t| t.parse().map_err(|_| no(text))).collect()
}

/// `white at black from front-1|front-2 on 1|2 rolled 2`; `chosen` where the defender chose.
impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} from ", self.shooter, self.target)?;
        list(f, &self.tubes)?;
        f.write_str(" on ")?;
        list(f, &self.sectors)?;
        if self.chosen {
            f.write_str(" chosen")?;
        }
        if !self.blasts.is_empty() {
            f.write_str(" rolled ")?;
            list(f, &self.blasts)?;
        }
        Ok(())
    }
}

impl FromStr for Launch {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let [
            shooter,
            "at",
            target,
            "from",
            tubes,
            "on",
            sectors,
            rest @ ..,
        ] = words.as_slice()
        else {
            return Err(no(text));
        };
        let (chosen, blasts) = match rest {
            [] => (false, ""),
            ["chosen"] => (true, ""),
            ["rolled", blasts] => (false, *blasts),
            ["chosen", "rolled", blasts] => (true, *blasts),
            _ => return Err(no(text)),
        };
        Ok(Launch {
            shooter: shooter.parse()?,
            target: target.parse()?,
            tubes: read(tubes)?,
            sectors: read(sectors)?,
            chosen,
            blasts: read(blasts)?,
        })
    }
}

/// `white rolled 3|5`; `rolls` where two dice are still to be rolled.
impl fmt::Display for Warp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ship)?;
        if !self.rolled.is_empty() {
            f.write_str(" rolled ")?;
            list(f, &self.rolled)?;
        }
        f.write_str(if self.to_roll { " rolls" } else { "" })
    }
}

impl FromStr for Warp {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let (ship, rolled, to_roll) = match words.as_slice() {
            [ship] => (ship, "", false),
            [ship, "rolls"] => (ship, "", true),
            [ship, "rolled", rolled] => (ship, *rolled, false),
            [ship, "rolled", rolled, "rolls"] => (ship, *rolled, true),
            _ => return Err(no(text)),
        };
        Ok(Warp {
            ship: ship.parse()?,
            rolled: read(rolled)?,
            to_roll,
        })
    }
}

/// What is so, with semicolons between; `running` where nothing is.
impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.moving.iter().map(|ship| format!("moving {ship}")));
        parts.extend(self.stop.map(|claim| format!("stopped by {claim}")));
        parts.extend(self.next.map(|claim| format!("next {claim}")));
        parts.extend(self.launch.iter().map(|launch| format!("launch {launch}")));
        parts.extend(self.warp.iter().map(|warp| format!("jump {warp}")));
        parts.extend(self.returning.then(|| "crystals return".to_string()));
        parts.extend(self.owed.iter().map(|owed| format!("owed: {owed}")));
        if parts.is_empty() {
            parts.push("running".to_string());
        }
        f.write_str(&parts.join("; "))
    }
}

impl FromStr for Flow {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut flow = Flow::default();
        for part in text.split("; ") {
            let after = |prefix: &str| part.strip_prefix(prefix);
            if let Some(ship) = after("moving ") {
                flow.moving.push(ship.parse()?);
            } else if let Some(claim) = after("stopped by ") {
                flow.stop = Some(claim.parse()?);
            } else if let Some(claim) = after("next ") {
                flow.next = Some(claim.parse()?);
            } else if let Some(launch) = after("launch ") {
                flow.launch = Some(launch.parse()?);
            } else if let Some(warp) = after("jump ") {
                flow.warp = Some(warp.parse()?);
            } else if let Some(owed) = after("owed: ") {
                flow.owed.push(owed.parse()?);
            } else if part == "crystals return" {
                flow.returning = true;
            } else if part != "running" {
                return Err(no(part));
            }
        }
        Ok(flow)
    }
}

fn no(text: &str) -> ParseNounError {
    ParseNounError::new(
        text,
        "a state of the play",
        "write for instance stopped by white: fire; crystals return",
    )
}
