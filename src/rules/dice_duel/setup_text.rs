//! Claims as text: the same lines as a position's, and for what a position cannot hold
//! `die ZONES: FACES`, `token ZONE: KINDS` and `hidden ZONE`.
//!
//! ```
//! # use sightline::rules::dice_duel::Setup;
//! let text = "\
//! white [4,2] N
//!   crystals 1
//! black [5,4]|[5,5] ?
//! die white.sensors.lock: L1|L2
//! die white.sensors.lock|table: sensor/L2
//! token board[3,6]: asteroid|nebula
//! hidden black.shields
//! ";
//! let setup: Setup = text.parse()?;
//! assert_eq!(setup.to_string(), text);
//! # Ok::<(), sightline::rules::dice_duel::ParseTextError>(())
//! ```

use std::fmt;

use super::flow::Flow;
use super::setup::{Damage, DieSetup, Setup, TokenSetup};
use super::symbol::DieKind;
use super::text::{parse_place, place, span};
use super::zone::Zone;
use crate::rules::{Place, Span};

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ship in &self.ships {
            write!(f, "{} ", ship.id)?;
            place(f, &ship.square)?;
            f.write_str(" ")?;
            place(f, &ship.facing)?;
            if ship.half != Place::Unknown {
                f.write_str(" half ")?;
                place(f, &ship.half)?;
            }
            writeln!(f)?;
            if let Some(team) = ship.team {
                writeln!(f, "  team {team}")?;
            }
            if ship.crystals != Span::known(0) {
                writeln!(f, "  crystals {}", span(ship.crystals))?;
            }
            if let Some(mines) = ship.mines {
                writeln!(f, "  mines {}", span(mines))?;
            }
            if ship.damage != Damage::default() {
                writeln!(f, "  damage {}", ship.damage)?;
            }
        }
        for die in &self.dice {
            f.write_str("die ")?;
            place(f, &die.at)?;
            f.write_str(": ")?;
            if let Some(kind) = die.kind {
                write!(f, "{kind}/")?;
            }
            place(f, &die.means)?;
            writeln!(f)?;
        }
        for token in &self.tokens {
            write!(f, "token {}: ", token.at)?;
            place(f, &token.kind)?;
            writeln!(f)?;
        }
        for zone in &self.hidden {
            writeln!(f, "hidden {zone}")?;
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

impl Setup {
    /// Reads a line of claims; `None` if it is no such line.
    pub(super) fn read_claim(&mut self, words: &[&str]) -> Option<Result<(), String>> {
        match words {
            ["die", at, shows] => Some(die(at, shows).map(|die| self.dice.push(die))),
            ["token", at, kind] => Some(token(at, kind).map(|token| self.tokens.push(token))),
            ["hidden", zone] => {
                let zone = zone.parse::<Zone>().map_err(|e| e.to_string());
                Some(zone.map(|zone| self.hidden.push(zone)))
            }
            _ => None,
        }
    }
}

fn before_colon(text: &str) -> Result<&str, String> {
    let cut = text.strip_suffix(':');
    cut.ok_or_else(|| format!("{text:?} should end with a colon"))
}

fn die(at: &str, shows: &str) -> Result<DieSetup, String> {
    let (kind, means) = match shows.split_once('/') {
        Some((kind, means)) => {
            let kind: DieKind = kind.parse().map_err(|e| format!("{e}"))?;
            (Some(kind), means)
        }
        None => (None, shows),
    };
    Ok(DieSetup {
        at: parse_place(before_colon(at)?)?,
        kind,
        means: parse_place(means)?,
    })
}

fn token(at: &str, kind: &str) -> Result<TokenSetup, String> {
    Ok(TokenSetup {
        at: before_colon(at)?.parse().map_err(|e| format!("{e}"))?,
        kind: parse_place(kind)?,
    })
}
