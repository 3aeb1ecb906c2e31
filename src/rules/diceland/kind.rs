//! A kind of die: eight faces on an octahedron, and whether they can be.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::face::{Arrow, Corner, Does, Effect, FacePrint, Filter};
use super::name::{Class, FaceId, KindId, Team};

/// A kind of die as its print says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DieKind {
    /// Its name.
    pub id: KindId,
    /// Its team.
    pub team: Team,
    /// Its class.
    pub class: Class,
    /// Its point value.
    pub points: u16,
    /// Whether an army holds at most one of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// Where the figures are from; for people only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its eight faces, in any order.
    pub faces: Vec<FacePrint>,
}

impl DieKind {
    /// Whether it is of a sort.
    pub fn is(&self, filter: &Filter) -> bool {
        filter.team.is_none_or(|team| team == self.team)
            && filter.class.is_none_or(|class| class == self.class)
            && filter.kind.is_none_or(|kind| kind == self.id)
    }
}

/// What is wrong with a kind of die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum KindFault {
    /// An octahedron has eight faces.
    NotEightFaces { faces: usize },
    /// Two faces of one name.
    FaceTwice { face: FaceId },
    /// Side numbers are 1 to 8.
    NoSuchSide { face: FaceId, side: u8 },
    /// A corner leads to a face that is not there.
    NoSuchFace { face: FaceId, to: FaceId },
    /// Two faces that are said to be neighbours do not lie so on an octahedron.
    NotAdjacent { face: FaceId, to: FaceId },
    /// Side 1 has no block.
    BlockOnSideOne { face: FaceId },
    /// Side 1 has no red dot.
    RedOnSideOne { face: FaceId },
    /// Every other side has one red dot.
    RedDots { face: FaceId, red: u8 },
    /// Damage goes to a lower side.
    DamageNotDown { face: FaceId, to: FaceId },
    /// Damage goes to the next lower side that the die has.
    DamageSkips { face: FaceId, to: FaceId },
    /// A weapon's arrows carry numbers, and an effect's none.
    WrongArrow { face: FaceId, corner: Corner },
    /// A weapon line without arrows, or arrows without one.
    ArrowsWithoutLine { face: FaceId },
    /// A face that commands, or makes an ally jump, is itself immune to that.
    LoopsForever { face: FaceId },
    /// A fleet of no dice.
    CallsNothing { face: FaceId },
    /// A second kind of the same name.
    KindTwice,
}

impl KindFault {
    /// Whether the die can be played with all the same.
    pub fn is_soft(self) -> bool {
        matches!(
            self,
            KindFault::DamageSkips { .. } | KindFault::LoopsForever { .. }
        )
    }
}

impl fmt::Display for KindFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KindFault::NotEightFaces { faces } => {
                write!(f, "{faces} faces, but an octahedron has 8")
            }
            KindFault::FaceTwice { face } => {
                write!(f, "two faces are named {face}; name the second {face}b")
            }
            KindFault::NoSuchSide { face, side } => {
                write!(f, "face {face} has side number {side}; they are 1 to 8")
            }
            KindFault::NoSuchFace { face, to } => {
                write!(f, "face {face} leads to {to}, which is no face of this die")
            }
            KindFault::NotAdjacent { face, to } => write!(
                f,
                "faces {face} and {to} cannot lie beside each other so: check which face comes up at each corner of both"
            ),
            KindFault::BlockOnSideOne { face } => {
                write!(f, "face {face} is a Side 1 and has no block")
            }
            KindFault::RedOnSideOne { face } => {
                write!(f, "face {face} is a Side 1 and has no red dot")
            }
            KindFault::RedDots { face, red } => {
                write!(f, "face {face} has {red} red dots and should have one")
            }
            KindFault::DamageNotDown { face, to } => {
                write!(f, "damage on {face} leads to {to}, which is no lower side")
            }
            KindFault::DamageSkips { face, to } => write!(
                f,
                "damage on {face} leads to {to}, though the die has a side in between"
            ),
            KindFault::WrongArrow { face, corner } => write!(
                f,
                "the {corner} arrow of face {face}: a weapon's has a number, an effect's is blank"
            ),
            KindFault::ArrowsWithoutLine { face } => write!(
                f,
                "face {face} needs both a weapon line and an arrow, or neither"
            ),
            KindFault::LoopsForever { face } => write!(
                f,
                "face {face} commands or makes allies jump and is not immune to that colour itself: two of them could go on for ever"
            ),
            KindFault::CallsNothing { face } => write!(f, "face {face} calls no dice at all"),
            KindFault::KindTwice => f.write_str("another kind of die has this name"),
        }
    }
}

/// A kind of die that can be: which face lies where is worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mould {
    kind: DieKind,
    /// By face and corner: the face that comes up, and the corner of it that brings back the
    /// first.
    rolls: [[(u8, Corner); 3]; 8],
}

impl Mould {
    /// Works out the die, or says what is wrong with it. Soft faults come with the die.
    ///
    /// # Errors
    ///
    /// Every fault, soft ones too, where one of them is not soft.
    pub fn of(kind: &DieKind) -> Result<(Mould, Vec<KindFault>), Vec<KindFault>> {
        let mut faults = Vec::new();
        if kind.faces.len() != 8 {
            faults.push(KindFault::NotEightFaces {
                faces: kind.faces.len(),
            });
            return Err(faults);
        }
        for (i, face) in kind.faces.iter().enumerate() {
            if kind.faces.iter().take(i).any(|f| f.id == face.id) {
                faults.push(KindFault::FaceTwice { face: face.id });
            }
            check_face(kind, face, &mut faults);
        }
        let rolls = octahedron(kind, &mut faults);
        if faults.iter().any(|f| !f.is_soft()) {
            return Err(faults);
        }
        let kind = kind.clone();
        Ok((Mould { kind, rolls }, faults))
    }

    /// The print.
    pub fn kind(&self) -> &DieKind {
        &self.kind
    }

    /// A face by its number in the print's order.
    pub(crate) fn face(&self, index: u8) -> Option<&FacePrint> {
        self.kind.faces.get(usize::from(index))
    }

    /// A face's number in the print's order.
    pub(crate) fn index(&self, face: FaceId) -> Option<u8> {
        let at = self.kind.faces.iter().position(|f| f.id == face)?;
        u8::try_from(at).ok()
    }

    /// The face that comes up when a corner is pressed, and its corner that brings back the one
    /// that was up: it points the opposite way.
    pub(crate) fn roll(&self, face: u8, corner: Corner) -> Option<(u8, Corner)> {
        let rolls = self.rolls.get(usize::from(face))?;
        rolls.get(corner.index()).copied()
    }

    /// The same die seen in a mirror: what a table's reflection is played with. Its faces run
    /// the other way round.
    #[must_use]
    pub fn mirrored(kind: &DieKind) -> DieKind {
        let mut kind = kind.clone();
        for face in &mut kind.faces {
            let [top, right, left] = face.corners;
            face.corners = [top, left, right];
        }
        kind
    }
}

fn check_face(kind: &DieKind, face: &FacePrint, faults: &mut Vec<KindFault>) {
    let id = face.id;
    if !(1..=8).contains(&face.side) {
        faults.push(KindFault::NoSuchSide {
            face: id,
            side: face.side,
        });
    }
    let red = Corner::ALL.into_iter().filter(|c| face.corner(*c).red);
    let red = u8::try_from(red.count()).unwrap_or(u8::MAX);
    if face.side == 1 {
        if face.block.is_some() {
            faults.push(KindFault::BlockOnSideOne { face: id });
        }
        if red > 0 {
            faults.push(KindFault::RedOnSideOne { face: id });
        }
    } else if red != 1 {
        faults.push(KindFault::RedDots { face: id, red });
    }
    let weapon = face.shot.map(|s| s.does == Does::Weapon);
    for (corner, arrow) in face.arrows() {
        if weapon.is_some_and(|weapon| weapon != matches!(arrow, Arrow::Value(_))) {
            faults.push(KindFault::WrongArrow { face: id, corner });
        }
    }
    if face.shot.is_some() != face.arrows().next().is_some() {
        faults.push(KindFault::ArrowsWithoutLine { face: id });
    }
    if let Some(shot) = face.shot
        && matches!(shot.does, Does::Command(_) | Does::JumpAlly)
        && face.immune != Some(shot.colour)
    {
        faults.push(KindFault::LoopsForever { face: id });
    }
    if face
        .effects
        .iter()
        .any(|e| matches!(e, Effect::Call { count: 0, .. }))
    {
        faults.push(KindFault::CallsNothing { face: id });
    }
    if let Some(corner) = face.red() {
        let to = face.corner(corner).to;
        if let Some(lower) = kind.faces.iter().find(|f| f.id == to) {
            let between = |f: &FacePrint| lower.side < f.side && f.side < face.side;
            if lower.side >= face.side {
                faults.push(KindFault::DamageNotDown { face: id, to });
            } else if kind.faces.iter().any(between) {
                faults.push(KindFault::DamageSkips { face: id, to });
            }
        }
    }
}

/// Lays the faces on an octahedron. Its six vertices are the ends of three axes, and a face is
/// one end of each: pressing a corner brings up the face with the other end of that corner's
/// axis. Seen from outside, the three axes run clockwise around every second face and
/// anticlockwise around the others; so one face and its three corners fix all.
fn octahedron(kind: &DieKind, faults: &mut Vec<KindFault>) -> [[(u8, Corner); 3]; 8] {
    let mut rolls = [[(0u8, Corner::Top); 3]; 8];
    // By face: its ends, one bit an axis, and the axis of each corner.
    let mut lies: [Option<(u8, [u8; 3])>; 8] = [None; 8];
    let index = |face: FaceId| kind.faces.iter().position(|f| f.id == face);
    if let Some(first) = lies.first_mut() {
        *first = Some((0, [0, 1, 2]));
    }
    let mut queue = std::collections::VecDeque::from([0usize]);
    while let Some(at) = queue.pop_front() {
        let (Some(face), Some(Some((ends, axes)))) = (kind.faces.get(at), lies.get(at).copied())
        else {
            continue;
        };
        for corner in Corner::ALL {
            let to = face.corner(corner).to;
            let Some(next) = index(to) else {
                faults.push(KindFault::NoSuchFace { face: face.id, to });
                continue;
            };
            let Some(neighbour) = kind.faces.get(next) else {
                continue;
            };
            let wrong = KindFault::NotAdjacent { face: face.id, to };
            let mut back = Corner::ALL
                .into_iter()
                .filter(|c| neighbour.corner(*c).to == face.id);
            let (Some(back), None) = (back.next(), back.next()) else {
                faults.push(wrong);
                continue;
            };
            let axis = axes.get(corner.index()).copied().unwrap_or_default();
            // The neighbour's corners run the other way round than ours.
            let mut theirs = [0u8; 3];
            for step in 0..3 {
                let ours = (corner.index() + step) % 3;
                let there = (back.index() + 3 - step) % 3;
                if let (Some(to), Some(from)) = (theirs.get_mut(there), axes.get(ours)) {
                    *to = *from;
                }
            }
            let found = (ends ^ (1 << axis), theirs);
            match lies.get_mut(next) {
                Some(Some(known)) if *known != found => faults.push(wrong),
                Some(Some(_)) | None => {}
                Some(empty) => {
                    *empty = Some(found);
                    queue.push_back(next);
                }
            }
            if let Some(roll) = rolls.get_mut(at).and_then(|r| r.get_mut(corner.index()))
                && let Ok(next) = u8::try_from(next)
            {
                *roll = (next, back);
            }
        }
    }
    // Every face has to be reached, and no two may lie in one place.
    for (i, face) in kind.faces.iter().enumerate() {
        let ends = lies.get(i).copied().flatten().map(|(ends, _)| ends);
        let twice = lies
            .iter()
            .take(i)
            .any(|other| other.is_some_and(|(o, _)| Some(o) == ends));
        if (ends.is_none() || twice) && faults.is_empty() {
            faults.push(KindFault::NotAdjacent {
                face: face.id,
                to: face.corner(Corner::Top).to,
            });
        }
    }
    rolls
}
