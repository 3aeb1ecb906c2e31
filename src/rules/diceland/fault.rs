//! What can be wrong with a table of Diceland.

use std::fmt;

use super::kind::KindFault;
use super::mm::Mm;
use super::name::{DieId, FaceId, KindId};
use super::player::Player;
use crate::rules::{Game, Rule, Span, told_as_text};

/// A problem and its zone.
pub type Problem = crate::rules::Problem<Zone, Fault>;

/// What something is about, and what a verdict waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// A die.
    Die(DieId),
    /// A player's army.
    Army(Player),
    /// A player's score.
    Score(Player),
    /// The table.
    Table,
    /// A kind of die in the catalogue.
    Kind(KindId),
    /// Where the game stands.
    Flow,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Die(die) => write!(f, "die.{die}"),
            Zone::Army(player) => write!(f, "{player}.army"),
            Zone::Score(player) => write!(f, "{player}.score"),
            Zone::Table => f.write_str("table"),
            Zone::Kind(kind) => write!(f, "catalogue.{kind}"),
            Zone::Flow => f.write_str("flow"),
        }
    }
}

told_as_text!(
    Zone,
    "Zone",
    "a place of the table: die.ace, one.army, one.score, table, catalogue.KIND or flow"
);

/// What is wrong, or not known, at a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Fault {
    /// A second die of the same name: it is left out.
    DieTwice,
    /// More dice than any game has: it is left out.
    TooManyDice,
    /// A kind that is not in the catalogue: it counts as unknown.
    NoSuchKind { kind: KindId },
    /// A kind of die that cannot be.
    Kind(KindFault),
    /// A face that the die has not: it counts as unknown.
    NoSuchFace { face: FaceId },
    /// What kind of die it is, is not sure.
    KindUnsure,
    /// Which face is up is not sure.
    FaceUnsure,
    /// Whose die it is, is not sure.
    OwnerUnsure,
    /// Where it lies on the table is not known.
    PlaceUnsure,
    /// Whether it is on the table is not known.
    NotSeen,
    /// It does not lie flat: it is off the table, and goes to its owner's hand.
    NotFlat,
    /// It hangs over the edge: it is off the table, and goes to its owner's hand.
    OverEdge { by: Mm, error: Mm },
    /// Whether it hangs over the edge is too close to call.
    PerhapsOverEdge { by: Mm, error: Mm },
    /// It lies in another die: one of the two is misread, so where they lie is not known.
    Overlaps { with: DieId, by: Mm },
    /// An outline that spans nothing: it is left out.
    NoOutline,
    /// The army has more points than it may.
    ArmyTooLarge { points: Span, most: u16 },
    /// A die that an army may hold only once.
    NotUnique { kind: KindId },
    /// Something waits for a die that cannot do it: it is dropped.
    WaitsForNobody { die: DieId },
    /// A ruling about a die that is not in play: it is dropped.
    RulesOnNobody,
}

const fn rule(section: &'static str) -> Option<Rule> {
    Some(Rule {
        game: Game::Diceland,
        section,
    })
}

impl crate::rules::Fault for Fault {
    fn code(&self) -> &'static str {
        match self {
            Fault::DieTwice => "die_twice",
            Fault::TooManyDice => "too_many_dice",
            Fault::NoSuchKind { .. } => "no_such_kind",
            Fault::Kind(_) => "kind",
            Fault::NoSuchFace { .. } => "no_such_face",
            Fault::KindUnsure => "kind_unsure",
            Fault::FaceUnsure => "face_unsure",
            Fault::OwnerUnsure => "owner_unsure",
            Fault::PlaceUnsure => "place_unsure",
            Fault::NotSeen => "not_seen",
            Fault::NotFlat => "not_flat",
            Fault::OverEdge { .. } => "over_edge",
            Fault::PerhapsOverEdge { .. } => "perhaps_over_edge",
            Fault::Overlaps { .. } => "overlaps",
            Fault::NoOutline => "no_outline",
            Fault::ArmyTooLarge { .. } => "army_too_large",
            Fault::NotUnique { .. } => "not_unique",
            Fault::WaitsForNobody { .. } => "waits_for_nobody",
            Fault::RulesOnNobody => "rules_on_nobody",
        }
    }

    fn rule(&self) -> Option<Rule> {
        match self {
            Fault::NotFlat | Fault::OverEdge { .. } | Fault::PerhapsOverEdge { .. } => {
                rule("Dice Off the Table")
            }
            Fault::ArmyTooLarge { .. } => rule("Building an Army"),
            Fault::NotUnique { .. } => rule("Uniqueness"),
            Fault::Kind(_) => rule("Elements of the Die Face"),
            _ => None,
        }
    }

    fn is_soft(&self) -> bool {
        match self {
            Fault::Kind(fault) => fault.is_soft(),
            Fault::KindUnsure
            | Fault::FaceUnsure
            | Fault::OwnerUnsure
            | Fault::PlaceUnsure
            | Fault::NotSeen
            | Fault::PerhapsOverEdge { .. }
            | Fault::WaitsForNobody { .. }
            | Fault::RulesOnNobody => true,
            _ => false,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::DieTwice => f.write_str("another die has this name: give it one of its own"),
            Fault::TooManyDice => f.write_str("more dice than a game has: left out"),
            Fault::NoSuchKind { kind } => {
                write!(
                    f,
                    "the catalogue has no {kind}: add it, or correct the kind"
                )
            }
            Fault::Kind(fault) => fault.fmt(f),
            Fault::NoSuchFace { face } => write!(f, "this die has no face {face}"),
            Fault::KindUnsure => f.write_str("not sure what kind of die this is"),
            Fault::FaceUnsure => f.write_str("not sure which face is up"),
            Fault::OwnerUnsure => f.write_str("not sure whose die this is"),
            Fault::PlaceUnsure => f.write_str("not sure where exactly it lies"),
            Fault::NotSeen => f.write_str("not seen: in a hand or in reserve"),
            Fault::NotFlat => {
                f.write_str("does not lie flat, so it is off the table: give it back")
            }
            Fault::OverEdge { by, .. } => {
                write!(
                    f,
                    "hangs {by} over the edge, so it is off the table: give it back"
                )
            }
            Fault::PerhapsOverEdge { by, error } => {
                write!(
                    f,
                    "{by} from the edge with an error of {error}: too close to call"
                )
            }
            Fault::Overlaps { with, by } => {
                write!(
                    f,
                    "lies {by} deep in {with}: one of them is misread, so neither place counts"
                )
            }
            Fault::NoOutline => f.write_str("an outline needs 3 to 64 corners that span an area"),
            Fault::ArmyTooLarge { points, most } => {
                write!(f, "an army of {points} points; at most {most}")
            }
            Fault::NotUnique { kind } => write!(f, "more than one {kind}, which is unique"),
            Fault::WaitsForNobody { die } => {
                write!(f, "something waits for {die}, which cannot do it: dropped")
            }
            Fault::RulesOnNobody => f.write_str("a ruling on dice that are not in play: dropped"),
        }
    }
}
