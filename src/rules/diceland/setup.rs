//! What a camera or a person claims about the table: plain data, perhaps illegal, perhaps
//! incomplete.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{Flow, MAX_WAITING, Ruling};
use super::geometry::{MAX_MM, PoseError, Vec2};
use super::name::{DieId, FaceId, KindId};
use super::outline::{crosses_itself, twice_area};
use super::player::{ByPlayer, Player};
use super::print::Print;
use crate::rules::{InputError, Place, Span};

/// Dice of both players together: more than both boxes hold.
pub const MAX_DICE: usize = 120;
/// Corners of a table's edge, or of a thing's outline.
pub const MAX_CORNERS: usize = 64;
/// Things on a table.
pub const MAX_THINGS: usize = 64;

/// The table as somebody claims it is. [`Setup::resolve`] makes a
/// [`Position`](super::Position) of it, whatever it holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The table itself.
    pub table: TableSetup,
    /// Points scored.
    pub score: ByPlayer<Span>,
    /// Every die of both armies, wherever it is.
    pub dice: Vec<DieSetup>,
    /// Where the game stands; if nothing is said, turns are not kept.
    pub flow: Flow,
    /// What players have said about what was too close to call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<Ruling>,
}

/// The table: millimetres, x right, y down as seen from above.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TableSetup {
    /// The corners of its edge, in order; none where no edge is near.
    pub edge_mm: Vec<[f64; 2]>,
    /// What else stands on it. Flat counters are table, and not listed.
    pub things: Vec<ThingSetup>,
    /// How far its edge and the things' outlines are known, as one standard deviation across
    /// them, mm; if nothing is said, the copy's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_mm: Option<f64>,
}

/// Something on the table that is no die.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThingSetup {
    /// What people call it.
    pub name: String,
    /// The corners of its outline, in order.
    pub outline_mm: Vec<[f64; 2]>,
}

/// Where a die is. Rule text, section "Core Definitions".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Where {
    /// On the table.
    Play,
    /// Ready to be thrown.
    Hand,
    /// Killed, and waiting to return to the hand.
    Reserve,
}

/// A die as claimed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DieSetup {
    /// Its name on this table.
    pub id: DieId,
    /// Whose it is.
    #[serde(default)]
    pub owner: Place<Player>,
    /// Its kind.
    #[serde(default)]
    pub kind: Place<KindId>,
    /// Where it is; on the table if nothing is said.
    #[serde(default = "in_play")]
    pub at: Place<Where>,
    /// The face that is up.
    #[serde(default)]
    pub face: Place<FaceId>,
    /// The middle of its top face, `[x, y]` in mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_mm: Option<[f64; 2]>,
    /// The turn of the print of its top face, degrees clockwise as seen from above, 0 where its
    /// upper corner points towards -y.
    #[serde(default)]
    pub heading_deg: Place<f64>,
    /// How far its place is known; if nothing is said, the copy's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<PoseError>,
    /// Whether it lies flat on all three corners.
    #[serde(default = "flat", skip_serializing_if = "Clone::clone")]
    pub flat: bool,
    /// In reserve: ends of turns until it returns to the hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns_left: Option<u8>,
}

fn in_play() -> Place<Where> {
    Place::Known(Where::Play)
}

fn flat() -> bool {
    true
}

impl DieSetup {
    /// A die in a hand.
    pub fn in_hand(id: DieId, owner: Player, kind: KindId) -> DieSetup {
        DieSetup {
            id,
            owner: Place::Known(owner),
            kind: Place::Known(kind),
            at: Place::Known(Where::Hand),
            face: Place::Unknown,
            at_mm: None,
            heading_deg: Place::Unknown,
            error: None,
            flat: true,
            turns_left: None,
        }
    }

    /// A die on the table, its place as well known as the copy's default says.
    pub fn in_play(
        id: DieId,
        owner: Player,
        kind: KindId,
        face: FaceId,
        at_mm: [f64; 2],
        heading_deg: f64,
    ) -> DieSetup {
        DieSetup {
            at: in_play(),
            face: Place::Known(face),
            at_mm: Some(at_mm),
            heading_deg: Place::Known(heading_deg),
            ..DieSetup::in_hand(id, owner, kind)
        }
    }
}

pub(crate) fn is_sane_mm(at: &[f64; 2]) -> bool {
    at.iter().all(|x| x.abs() <= MAX_MM)
}

pub(crate) fn is_sane_turn(deg: f64) -> bool {
    deg.abs() <= 36_000.0
}

impl Setup {
    /// The start of a game: both armies in their hands, the one with the smaller army about to
    /// say who goes first.
    pub fn start(armies: &ByPlayer<Vec<KindId>>, table: TableSetup) -> Setup {
        let mut setup = Setup {
            table,
            ..Setup::default()
        };
        setup.flow.stage = super::flow::Stage::Choosing;
        for player in Player::BOTH {
            for (i, kind) in armies.of(player).iter().enumerate() {
                if let Ok(id) = format!("{player}-{}", i + 1).parse() {
                    setup.dice.push(DieSetup::in_hand(id, player, *kind));
                }
            }
        }
        setup
    }

    /// Checks what no table can hold. A camera never claims such a thing; in a file it is a slip
    /// of the hand, and worth a sentence instead of a position full of unknowns.
    ///
    /// # Errors
    ///
    /// The first such claim, with its path below `path`.
    pub fn check(&self, print: &Print, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        if self.dice.len() > MAX_DICE {
            let what = format!("{} dice; at most {MAX_DICE}", self.dice.len());
            return no("dice".into(), what);
        }
        for (i, die) in self.dice.iter().enumerate() {
            if self.dice.iter().take(i).any(|other| other.id == die.id) {
                return no(format!("dice[{i}].id"), format!("there are two {}", die.id));
            }
            for kind in die.kind.candidates().unwrap_or_default() {
                let Some(kind) = print.kind(*kind) else {
                    let what = format!("the catalogue has no {kind}: add it to print.dice");
                    return no(format!("dice[{i}].kind"), what);
                };
                let faces = die.face.candidates().unwrap_or_default();
                let sure = die.kind.is_known();
                let missing = faces
                    .iter()
                    .find(|f| kind.faces.iter().all(|k| k.id != **f));
                if let (true, Some(face)) = (sure, missing) {
                    let what = format!("{} has no face {face}", kind.id);
                    return no(format!("dice[{i}].face"), what);
                }
            }
            if die.at_mm.is_some_and(|at| !is_sane_mm(&at)) {
                let what = format!("more than {MAX_MM} mm is on no table");
                return no(format!("dice[{i}].at_mm"), what);
            }
            let away = [Where::Hand, Where::Reserve].map(Place::Known);
            if die.at_mm.is_some() && away.contains(&die.at) {
                let what = "in the hand or in reserve it lies nowhere on the table: leave out one";
                return no(format!("dice[{i}].at_mm"), what.into());
            }
            let most = print.numbers.most_turns();
            if die.turns_left.is_some_and(|turns| turns > most) {
                let what = format!("a killed die is back after {most} ends of turns at most");
                return no(format!("dice[{i}].turns_left"), what);
            }
            let turns = die.heading_deg.candidates().unwrap_or_default();
            if turns.iter().any(|deg| !is_sane_turn(*deg)) {
                let what = "a heading is a number of degrees from 0 to 360".into();
                return no(format!("dice[{i}].heading_deg"), what);
            }
            if die.error.is_some_and(|error| !error.is_sane()) {
                let what = "no error of a measurement: it is symmetric, and not below nothing";
                return no(format!("dice[{i}].error"), what.into());
            }
        }
        if self.flow.waiting.len() > MAX_WAITING {
            let what = format!("more than {MAX_WAITING} things wait in no turn");
            return no("flow.waiting".into(), what);
        }
        let table = &self.table;
        if table.error_mm.is_some_and(|e| !is_sane_error(e)) {
            let what = "an error is a number of mm, not below nothing";
            return no("table.error_mm".into(), what.into());
        }
        if table.things.len() > MAX_THINGS {
            let what = format!("at most {MAX_THINGS} things stand on a table");
            return no("table.things".into(), what);
        }
        if !table.edge_mm.is_empty() && !is_outline(&table.edge_mm) {
            return no("table.edge_mm".into(), OUTLINE.into());
        }
        for (i, thing) in table.things.iter().enumerate() {
            if !is_outline(&thing.outline_mm) {
                return no(format!("table.things[{i}].outline_mm"), OUTLINE.into());
            }
        }
        Ok(())
    }
}

const OUTLINE: &str = "an outline has 3 to 64 corners that span an area, and does not cross itself";

pub(crate) fn is_sane_error(mm: f64) -> bool {
    (0.0..=1000.0).contains(&mm)
}

/// Whether corners span an area, and their outline does not cross itself.
pub(crate) fn is_outline(corners: &[[f64; 2]]) -> bool {
    if !(3..=MAX_CORNERS).contains(&corners.len()) || !corners.iter().all(is_sane_mm) {
        return false;
    }
    let corners: Vec<Vec2> = corners.iter().map(|p| Vec2::from(*p)).collect();
    twice_area(&corners).abs() > 1.0 && !crosses_itself(&corners)
}
