//! What the rules reason over.

use std::sync::Arc;

use super::flow::{Flow, Ruling, Stage};
use super::geometry::{Pose, PoseError, TopFace, Vec2};
use super::kind::Mould;
use super::name::{DieId, FaceId, KindId};
use super::player::{ByPlayer, Player};
use super::print::Print;
use super::setup::{DieSetup, Setup, TableSetup, ThingSetup, Where};
use crate::rules::{Place, Span};

/// Where a die on the table lies, as far as that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// The middle of its top face, mm.
    pub at_mm: [f64; 2],
    /// The turn of its print, degrees.
    pub heading_deg: Place<f64>,
    /// How far that is known.
    pub error: PoseError,
}

impl Stand {
    /// A place that is known.
    pub fn of(pose: &Pose) -> Stand {
        let pose = pose.settled();
        Stand {
            at_mm: pose.at_mm,
            heading_deg: Place::Known(pose.heading_deg),
            error: pose.error,
        }
    }

    /// The pose, with one of the headings it may have.
    pub(crate) fn pose(&self, heading_deg: f64) -> Pose {
        Pose {
            at_mm: self.at_mm,
            heading_deg,
            error: self.error,
        }
    }

    /// The outline of the top face, where every heading it may have gives the same one.
    pub(crate) fn body(&self, print: &Print) -> Option<TopFace> {
        let turns = self.heading_deg.candidates()?;
        let first = *turns.first()?;
        let apart = |turn: &f64| {
            let third = (turn - first).rem_euclid(120.0);
            third.min(120.0 - third)
        };
        turns
            .iter()
            .all(|turn| apart(turn) < 1e-3)
            .then(|| TopFace::of(&self.pose(first), print))
    }
}

/// Where a die is.
#[derive(Clone, Debug, PartialEq)]
// Most dice of a game are in play, and there are a few dozen of them.
#[allow(clippy::large_enum_variant)]
pub enum Lies {
    /// On the table; `None` where its place there is not known.
    Play(Option<Stand>),
    /// In its owner's hand.
    Hand,
    /// In reserve.
    Reserve {
        /// Ends of turns until it returns to the hand.
        turns_left: u8,
    },
    /// In the hand or in reserve.
    Away,
    /// Perhaps on the table, perhaps not.
    Somewhere,
}

/// A die of one of the armies.
#[derive(Clone, Debug, PartialEq)]
pub struct Die {
    pub(crate) id: DieId,
    pub(crate) owner: Place<Player>,
    pub(crate) kind: Place<KindId>,
    pub(crate) face: Place<FaceId>,
    pub(crate) lies: Lies,
}

impl Die {
    /// Its name.
    pub fn id(&self) -> DieId {
        self.id
    }

    /// Whose it is.
    pub fn owner(&self) -> &Place<Player> {
        &self.owner
    }

    /// Its kind.
    pub fn kind(&self) -> &Place<KindId> {
        &self.kind
    }

    /// The face that is up; unknown unless it is in play.
    pub fn face(&self) -> &Place<FaceId> {
        &self.face
    }

    /// Where it is.
    pub fn lies(&self) -> &Lies {
        &self.lies
    }

    /// Whether it is on the table.
    pub fn is_in_play(&self) -> bool {
        matches!(self.lies, Lies::Play(_))
    }

    /// Where it lies on the table, if that is known.
    pub fn stand(&self) -> Option<&Stand> {
        match &self.lies {
            Lies::Play(stand) => stand.as_ref(),
            _ => None,
        }
    }

    /// The same as a claim.
    pub fn to_setup(&self) -> DieSetup {
        let stand = self.stand();
        DieSetup {
            id: self.id,
            owner: self.owner.clone(),
            kind: self.kind.clone(),
            at: match &self.lies {
                Lies::Play(_) => Place::Known(Where::Play),
                Lies::Hand => Place::Known(Where::Hand),
                Lies::Reserve { .. } => Place::Known(Where::Reserve),
                Lies::Away => Place::OneOf(vec![Where::Hand, Where::Reserve]),
                Lies::Somewhere => Place::Unknown,
            },
            face: self.face.clone(),
            at_mm: stand.map(|s| s.at_mm),
            heading_deg: stand.map_or(Place::Unknown, |s| s.heading_deg.clone()),
            error: stand.map(|s| s.error),
            flat: true,
            turns_left: match self.lies {
                Lies::Reserve { turns_left } => Some(turns_left),
                _ => None,
            },
        }
    }
}

/// Something on the table that is no die.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// What people call it.
    pub name: String,
    /// Its outline, mm.
    pub outline: Vec<Vec2>,
    /// The same as convex parts.
    pub(crate) parts: Vec<Vec<Vec2>>,
}

/// A state of the game in which every die lies where it may, and what is not known is marked so.
/// Made by [`Setup::resolve`] and by actions only; it does not promise that the state can arise
/// in play.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub(crate) print: Arc<Print>,
    pub(crate) moulds: Arc<Vec<Mould>>,
    pub(crate) edge: Vec<Vec2>,
    pub(crate) things: Vec<Thing>,
    /// One standard deviation of the edge and the things' outlines.
    pub(crate) table_error_mm: Option<f64>,
    pub(crate) score: ByPlayer<Span>,
    pub(crate) dice: Vec<Die>,
    pub(crate) flow: Flow,
    pub(crate) rulings: Vec<Ruling>,
}

impl Position {
    /// The copy and its options.
    pub fn print(&self) -> &Print {
        &self.print
    }

    /// Every die of both armies.
    pub fn dice(&self) -> &[Die] {
        &self.dice
    }

    /// A die by its name.
    pub fn die(&self, id: DieId) -> Option<&Die> {
        self.dice.iter().find(|d| d.id == id)
    }

    /// The corners of the table's edge, mm; none where no edge is near.
    pub fn edge(&self) -> &[Vec2] {
        &self.edge
    }

    /// What else stands on the table.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// How far the table's edge and the outlines on it are known, mm, as wide as every error is
    /// taken.
    pub(crate) fn table_error_mm(&self) -> f64 {
        let options = &self.print.options;
        self.table_error_mm.unwrap_or(options.table_error_mm) * options.sigmas
    }

    /// Points scored.
    pub fn score(&self, player: Player) -> Span {
        *self.score.of(player)
    }

    /// Where the game stands.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// What players have said about what was too close to call.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// Who has won, once somebody has. Rule text, section "Winning".
    pub fn winner(&self) -> Option<Player> {
        match self.flow.stage {
            Stage::Over(player) => Some(player),
            _ => Player::BOTH
                .into_iter()
                .find(|p| self.score(*p).min >= self.print.numbers.win),
        }
    }

    pub(crate) fn mould(&self, kind: KindId) -> Option<&Mould> {
        self.moulds.iter().find(|m| m.kind().id == kind)
    }

    /// What a die is worth.
    pub fn points(&self, die: &Die) -> Span {
        let all = match die.kind.candidates() {
            Some(kinds) => kinds
                .iter()
                .filter_map(|k| self.mould(*k))
                .map(|m| m.kind().points)
                .collect(),
            None => Vec::new(),
        };
        let most = self.moulds.iter().map(|m| m.kind().points).max();
        let any = Span {
            min: 0,
            max: most.unwrap_or(u16::MAX),
        };
        all.into_iter()
            .map(Span::known)
            .reduce(Span::union)
            .unwrap_or(any)
    }

    /// The same state as claims: `position.to_setup().resolve(position.print())` is the position
    /// again.
    pub fn to_setup(&self) -> Setup {
        let corners = |all: &[Vec2]| all.iter().map(|p| [p.x, p.y]).collect();
        Setup {
            table: TableSetup {
                edge_mm: corners(&self.edge),
                things: self
                    .things
                    .iter()
                    .map(|thing| ThingSetup {
                        name: thing.name.clone(),
                        outline_mm: corners(&thing.outline),
                    })
                    .collect(),
                error_mm: self.table_error_mm,
            },
            score: self.score,
            dice: self.dice.iter().map(Die::to_setup).collect(),
            flow: self.flow.clone(),
            rulings: self.rulings.clone(),
        }
    }
}
