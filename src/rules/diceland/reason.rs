//! Why a call is what it is, or why an action is refused: each step as data, put into words only
//! when shown.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::face::{Colour, Corner, Filter, Range};
use super::flow::Waiting;
use super::mm::Mm;
use super::name::{DieId, FaceId, Label};
use super::player::Player;
use crate::rules::{Explain, Game, Rule, Span};

/// One step of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reason {
    // What is seen.
    /// A target stands above an arrow's baseline.
    Above {
        arrow: Corner,
        by_mm: Mm,
        error_mm: Mm,
    },
    /// It stands below.
    Below {
        arrow: Corner,
        by_mm: Mm,
        error_mm: Mm,
    },
    /// Too close to call.
    OnTheLine {
        arrow: Corner,
        by_mm: Mm,
        error_mm: Mm,
    },
    /// A player has said so.
    RuledSight { arrow: Corner, sees: bool },
    /// An arrow in every corner.
    SeesAllRound,
    /// Where a die lies is not known.
    PlaceUnknown { die: DieId },
    /// What a die shows is not known.
    FaceUnknown { die: DieId },
    /// Whose a die is is not known.
    OwnerUnknown { die: DieId },
    // Who is a target.
    /// It reaches enemies only.
    NotAnEnemy,
    /// It reaches allies only.
    NotAnAlly,
    /// It is not of the sort.
    NotOfSort { of: Filter },
    /// Only all-range arrows see a cloaked die.
    Cloaked,
    /// A dodging die is seen only where it is the closest.
    Dodges { closer: Option<DieId> },
    /// The closest visible target.
    Closest { distance_mm: Mm, error_mm: Mm },
    /// Another is closer.
    NotClosest {
        closer: DieId,
        by_mm: Mm,
        error_mm: Mm,
    },
    /// Which of two is closer is too close to call.
    EquallyClose {
        other: DieId,
        by_mm: Mm,
        error_mm: Mm,
    },
    /// Any one visible target.
    AnyOne,
    /// All visible targets, the closest first: its place among them, or those it may have.
    Every { first: u8, last: u8 },
    /// Whether another is a target too is not sure.
    PerhapsToo { other: DieId },
    /// Others are hit first, close enough to matter: it is judged on what they leave.
    AfterOthers,
    // What it does.
    /// The attack value, by the largest arrow that sees the target.
    Attack { least: u16, most: u16 },
    /// Immune to the colour.
    Immune { colour: Colour },
    /// Shield X stops attacks up to it.
    Shielded { x: u16, attack: u16 },
    /// The attack reaches the block.
    Beaten { attack: u16, block: u16 },
    /// There is no block.
    NoBlock { attack: u16 },
    /// Any damage kills on Side 1.
    LastSide,
    /// The attack is below the block: one step down.
    OneStep {
        attack: u16,
        block: u16,
        corner: Corner,
        to: FaceId,
    },
    /// It cannot take the damage.
    Pinned { corner: Corner },
    /// Whether it can take the damage is too close to call.
    PinnedUnsure { corner: Corner },
    /// Points to the opponent of its owner.
    Worth { points: Span },
    /// Back to its owner's hand, and no points.
    ToHand,
    // Rolling.
    /// No green dot at that corner.
    NoGreenDot { corner: Corner },
    /// The face that comes up.
    ComesUp {
        corner: Corner,
        face: FaceId,
        side: u8,
    },
    /// There is room: so much, or at least so much where nothing is near.
    Room {
        room_mm: Mm,
        error_mm: Mm,
        at_least: bool,
    },
    /// Nothing is near.
    NothingNear,
    /// A die is in the way.
    DieInTheWay {
        die: DieId,
        room_mm: Mm,
        error_mm: Mm,
    },
    /// Something else is in the way; `thing` is its number among the table's, from 0.
    ThingInTheWay {
        thing: u16,
        name: Label,
        room_mm: Mm,
        error_mm: Mm,
    },
    /// It would hang over the edge.
    EdgeInTheWay { room_mm: Mm, error_mm: Mm },
    /// A player has said so.
    RuledRoom { free: bool },
    // Effects.
    /// Dice in the hand that may be called.
    InHand { dice: u8, of: Filter },
    /// None of that sort is in the hand.
    NoneInHand { of: Filter },
    /// The die is thrown again.
    ThrownAgain,
    /// The command flag it gets, or those it may get.
    Flag { first: u8, last: u8 },
    /// It loses its command flag.
    LosesFlag,
    /// The face has no such effect.
    NoSuchEffect,
    /// No target is visible.
    NoTarget,
    /// It may not be chosen.
    NotATarget { die: DieId },
    /// One target has to be named.
    NameOne,
    /// The shot hits the closest, or all; no target is chosen.
    NotAChoice { range: Range },
    /// In which order two targets are hit makes a difference, and is too close to call.
    OrderMatters { first: DieId, second: DieId },
    // The flow.
    /// Nobody of that name.
    NoSuchDie { die: DieId },
    /// It is not in play.
    NotInPlay { die: DieId },
    /// It is not in the hand.
    NotInHand { die: DieId },
    /// It is not that player's turn.
    NotYourTurn { turn: Player },
    /// The game is over.
    Over { winner: Player },
    /// Something has to be done, or waived, first.
    First { waiting: Waiting },
    /// Nothing waits.
    NothingWaits,
    /// Only in its own stage of the game.
    WrongStage,
    /// The smaller army chooses.
    ArmyChooses { player: Player },
    /// Armies are of one size: a coin is flipped.
    CoinFlip,
    /// The opening die lies in the centre.
    NotCentre { by_mm: Mm, most_mm: Mm },
    /// Both passed: not again unless there is no other way.
    PassedTwice,
    /// A pass.
    MayPass,
    /// The first turn.
    Opens,
    /// The landing is not on the table.
    LandsOff { by_mm: Mm },
    /// The landing is in another die.
    LandsIn { die: DieId },
    /// The landing is no place.
    NoPlace,
    /// The die has no such face.
    NoSuchFace { face: FaceId },
    /// Named twice.
    NamedTwice { die: DieId },
    /// More waits than any turn has.
    TooMuchWaits,
    /// A correction that names nothing of this table.
    NothingToCorrect,
    // Armies.
    /// One team: the smallest die's points more.
    OneTeam { army: u16, smallest: u16 },
    /// Several teams.
    Mixed { army: u16 },
    /// Points of an army.
    ArmyPoints { points: Span },
    /// A unique die twice.
    NotUnique,
}

impl Explain for Reason {
    fn rule(&self) -> Rule {
        use Reason::*;
        let section = match self {
            Above { .. }
            | Below { .. }
            | OnTheLine { .. }
            | RuledSight { .. }
            | PlaceUnknown { .. } => "Shooting",
            FaceUnknown { .. } | NoSuchFace { .. } => "Elements of the Die Face",
            SeesAllRound | Attack { .. } => "Multiple Sight Arrows",
            OwnerUnknown { .. } | NotAnEnemy | NotAnAlly => "Core Definitions",
            NotOfSort { .. } | Flag { .. } => "Special Effects: Command",
            Cloaked => "Special Effects: Cloak",
            Dodges { .. } => "Special Effects: Dodge",
            Closest { .. }
            | NotClosest { .. }
            | EquallyClose { .. }
            | AnyOne
            | Every { .. }
            | PerhapsToo { .. }
            | AfterOthers
            | NoTarget
            | NotATarget { .. }
            | NameOne
            | NotAChoice { .. }
            | OrderMatters { .. } => "Shooting Range",
            Immune { .. } => "Color Immunity",
            Shielded { .. } => "Special Effects: Shield",
            Beaten { .. }
            | NoBlock { .. }
            | LastSide
            | OneStep { .. }
            | Pinned { .. }
            | PinnedUnsure { .. }
            | Worth { .. } => "Hit, Block, and Damage",
            ToHand => "Special Effects: Remove",
            NoGreenDot { .. }
            | ComesUp { .. }
            | Room { .. }
            | NothingNear
            | DieInTheWay { .. }
            | ThingInTheWay { .. }
            | EdgeInTheWay { .. }
            | RuledRoom { .. } => "Maneuvering a Die",
            InHand { .. } | NoneInHand { .. } => "Special Effects: Call",
            ThrownAgain => "Special Effects: Jump",
            LosesFlag => "Special Effects: Jump Ally",
            NoSuchEffect => "Special Effects",
            NoSuchDie { .. } | NotInPlay { .. } | NotInHand { .. } => "Core Definitions",
            NotYourTurn { .. }
            | First { .. }
            | NothingWaits
            | PassedTwice
            | MayPass
            | WrongStage
            | TooMuchWaits
            | NothingToCorrect => "On Every Turn",
            Over { .. } => "Winning",
            ArmyChooses { .. } | CoinFlip => "Who Goes First",
            NotCentre { .. } | Opens => "The First Turn",
            LandsOff { .. } => "Dice Off the Table",
            LandsIn { .. } | NoPlace | NamedTwice { .. } => "Throwing a Die",
            OneTeam { .. } | Mixed { .. } | ArmyPoints { .. } => "Building an Army",
            NotUnique => "Uniqueness",
        };
        Rule {
            game: Game::Diceland,
            section,
        }
    }
}

/// A place in an order, or those it may be.
fn places(f: &mut fmt::Formatter<'_>, first: u8, last: u8) -> fmt::Result {
    match last.saturating_sub(first) {
        0 => write!(f, "{first}"),
        1 => write!(f, "{first} or {last}"),
        _ => write!(f, "{first} to {last}"),
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Reason::*;
        match self {
            Above {
                arrow,
                by_mm,
                error_mm,
            } => write!(
                f,
                "{by_mm} above the baseline of its {arrow} arrow, error {error_mm}"
            ),
            Below {
                arrow,
                by_mm,
                error_mm,
            } => write!(
                f,
                "{by_mm} below the baseline of its {arrow} arrow, error {error_mm}"
            ),
            OnTheLine {
                arrow,
                by_mm,
                error_mm,
            } => write!(
                f,
                "too close to call at its {arrow} arrow: {by_mm} from the baseline, error {error_mm}"
            ),
            RuledSight { arrow, sees: true } => {
                write!(f, "seen by its {arrow} arrow, as players said")
            }
            RuledSight { arrow, sees: false } => {
                write!(f, "not seen by its {arrow} arrow, as players said")
            }
            SeesAllRound => f.write_str("an arrow in every corner sees all round"),
            PlaceUnknown { die } => write!(f, "where {die} lies is not known"),
            FaceUnknown { die } => write!(f, "what {die} shows is not known"),
            OwnerUnknown { die } => write!(f, "whose {die} is is not known"),
            NotAnEnemy => f.write_str("it reaches enemies only"),
            NotAnAlly => f.write_str("it reaches allies only"),
            NotOfSort { of } => write!(f, "it reaches only: {of}"),
            Cloaked => f.write_str("cloaked: only all-range arrows see it"),
            Dodges { closer: Some(die) } => write!(f, "it dodges, and {die} is closer"),
            Dodges { closer: None } => f.write_str("it dodges, and is seen only as the closest"),
            Closest {
                distance_mm,
                error_mm,
            } => {
                write!(
                    f,
                    "the closest visible target, {distance_mm} away, error {error_mm}"
                )
            }
            NotClosest {
                closer,
                by_mm,
                error_mm,
            } => {
                write!(f, "{closer} is closer by {by_mm}, error {error_mm}")
            }
            EquallyClose {
                other,
                by_mm,
                error_mm,
            } => write!(
                f,
                "too close to call which is closer, this or {other}: {by_mm}, error {error_mm}"
            ),
            AnyOne => f.write_str("any one visible target may be chosen"),
            Every { first, last } => {
                f.write_str("every visible target is hit, this as number ")?;
                places(f, *first, *last)
            }
            PerhapsToo { other } => write!(f, "whether {other} is a target too is not sure"),
            AfterOthers => f.write_str(
                "others near it are hit first, and it is judged on the table as they leave it",
            ),
            Attack { least, most } if least == most => {
                write!(f, "attack {least}, by the largest arrow that sees it")
            }
            Attack { least, most } => {
                write!(f, "attack {least} or up to {most}, by which arrow sees it")
            }
            Immune { colour } => write!(f, "immune to {colour}"),
            Shielded { x, attack } => write!(f, "shield {x} stops an attack of {attack}"),
            Beaten { attack, block } => write!(f, "attack {attack} reaches block {block}"),
            NoBlock { attack } => write!(f, "attack {attack}, and no block"),
            LastSide => f.write_str("on Side 1 any damage kills"),
            OneStep {
                attack,
                block,
                corner,
                to,
            } => write!(
                f,
                "attack {attack} is below block {block}: one step, over the {corner} corner to face {to}"
            ),
            Pinned { corner } => {
                write!(
                    f,
                    "pinned: no room to take damage over its {corner} corner, which kills"
                )
            }
            PinnedUnsure { corner } => write!(
                f,
                "whether it has room to take damage over its {corner} corner is too close to call"
            ),
            Worth { points } => write!(f, "worth {points} points"),
            ToHand => f.write_str("back to its owner's hand, for no points"),
            NoGreenDot { corner } => write!(f, "no green dot at the {corner} corner"),
            ComesUp { corner, face, .. } => {
                write!(f, "press the {corner} corner and face {face} comes up")
            }
            Room {
                room_mm,
                at_least: true,
                ..
            } => write!(f, "at least {room_mm} to spare"),
            Room {
                room_mm, error_mm, ..
            } => write!(f, "{room_mm} to spare, error {error_mm}"),
            NothingNear => f.write_str("nothing is near"),
            DieInTheWay {
                die,
                room_mm,
                error_mm,
            } => {
                write!(f, "{die} is in the way: room {room_mm}, error {error_mm}")
            }
            ThingInTheWay {
                thing,
                name,
                room_mm,
                error_mm,
            } => {
                if name.as_str().is_empty() {
                    write!(f, "thing {thing} on the table")?;
                } else {
                    write!(f, "{name}")?;
                }
                write!(f, " is in the way: room {room_mm}, error {error_mm}")
            }
            EdgeInTheWay { room_mm, error_mm } => {
                write!(
                    f,
                    "the table's edge is in the way: room {room_mm}, error {error_mm}"
                )
            }
            RuledRoom { free: true } => f.write_str("it has room, as players said"),
            RuledRoom { free: false } => f.write_str("it has no room, as players said"),
            InHand { dice, of } => write!(f, "{dice} in the hand may be called: {of}"),
            NoneInHand { of } => write!(f, "none in the hand may be called: {of}"),
            ThrownAgain => f.write_str("it is picked up and thrown again"),
            Flag { first, last } => {
                f.write_str("command flag ")?;
                places(f, *first, *last)
            }
            LosesFlag => f.write_str("thrown again, it forgets its command flag"),
            NoSuchEffect => f.write_str("the face that is up does not say so"),
            NoTarget => f.write_str("no target is visible"),
            NotATarget { die } => write!(f, "{die} is not a target"),
            NameOne => f.write_str("a long-range arrow hits one: name it"),
            NotAChoice { range } => write!(f, "at {range} the target is no choice"),
            OrderMatters { first, second } => write!(
                f,
                "too close to call whether {first} or {second} is hit first, and it matters"
            ),
            NoSuchDie { die } => write!(f, "there is no die {die}"),
            NotInPlay { die } => write!(f, "{die} is not in play"),
            NotInHand { die } => write!(f, "{die} is not in the hand"),
            NotYourTurn { turn } => write!(f, "it is player {turn}'s turn"),
            Over { winner } => write!(f, "player {winner} has won"),
            First { waiting } => write!(f, "first: {waiting}"),
            NothingWaits => f.write_str("nothing waits to be done"),
            WrongStage => f.write_str("not at this stage of the game"),
            ArmyChooses { player } => {
                write!(
                    f,
                    "player {player} has the smaller army and says who goes first"
                )
            }
            CoinFlip => f.write_str("armies of one size: a coin says who goes first"),
            NotCentre { by_mm, most_mm } => {
                write!(f, "{by_mm} from the table's centre; at most {most_mm}")
            }
            PassedTwice => f.write_str("both have passed: not again while there is another way"),
            MayPass => f.write_str("nobody has to act"),
            Opens => f.write_str("the first turn: it is placed in the table's centre, any way up"),
            LandsOff { by_mm } => write!(f, "lands {by_mm} over the edge: say that it is off"),
            LandsIn { die } => write!(f, "lands in {die}"),
            NoPlace => f.write_str("no place on a table"),
            NoSuchFace { face } => write!(f, "it has no face {face}"),
            NamedTwice { die } => write!(f, "{die} is named twice"),
            TooMuchWaits => f.write_str("more waits than a turn can hold"),
            NothingToCorrect => f.write_str("nothing on this table to correct so"),
            OneTeam { army, smallest } => {
                write!(f, "one team: {army} and the smallest die's {smallest}")
            }
            Mixed { army } => write!(f, "several teams: {army}"),
            ArmyPoints { points } => write!(f, "its dice are worth {points}"),
            NotUnique => f.write_str("a unique die is in it twice"),
        }
    }
}
