//! A position and a judgement as a person would read them.

use std::fmt;

use super::flow::Stage;
use super::geometry::PoseError;
use super::player::Player;
use super::position::{Die, Lies, Position};
use crate::rules::Place;

fn place<T: fmt::Display>(f: &mut fmt::Formatter<'_>, place: &Place<T>) -> fmt::Result {
    match place.candidates() {
        None => f.write_str("?"),
        Some(values) => values.iter().enumerate().try_for_each(|(i, value)| {
            let bar = if i > 0 { "|" } else { "" };
            write!(f, "{bar}{value}")
        }),
    }
}

/// One line: whose it is, what it is, and where.
impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (player ", self.id)?;
        place(f, &self.owner)?;
        f.write_str(", ")?;
        place(f, &self.kind)?;
        f.write_str(") ")?;
        match &self.lies {
            Lies::Hand => f.write_str("in hand"),
            Lies::Reserve { turns_left } => {
                write!(f, "in reserve, back after {turns_left} more turn ends")
            }
            Lies::Away => f.write_str("in hand or in reserve"),
            Lies::Somewhere => f.write_str("not seen"),
            Lies::Play(stand) => {
                f.write_str("shows ")?;
                place(f, &self.face)?;
                let Some(stand) = stand else {
                    return f.write_str(", place not known");
                };
                let [x, y] = stand.at_mm;
                write!(f, " at {x:.1}, {y:.1} mm, turned ")?;
                place(f, &stand.heading_deg)?;
                match stand.error {
                    PoseError::CornerMm(e) => write!(f, "°, corners to {e:.2} mm"),
                    _ => f.write_str("°, with a covariance"),
                }
            }
        }
    }
}

/// The dice, the points, and what waits, a line each.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for die in &self.dice {
            writeln!(f, "{die}")?;
        }
        for player in Player::BOTH {
            writeln!(f, "player {player}: {} points", self.score(player))?;
        }
        match self.flow.stage {
            Stage::Free => writeln!(f, "turns are not kept")?,
            Stage::Choosing => writeln!(f, "the smaller army says who goes first")?,
            Stage::Opening(player) => writeln!(f, "player {player} places the first die")?,
            Stage::Turn(player) => writeln!(f, "player {player}'s turn")?,
            Stage::Over(player) => writeln!(f, "player {player} has won")?,
        }
        for waiting in self.flow.waiting.iter().rev() {
            writeln!(f, "next: {waiting}")?;
        }
        for ruling in &self.rulings {
            writeln!(f, "players say: {ruling}")?;
        }
        Ok(())
    }
}
