//! Why a call is what it is, or why an action is refused: each step as data, put into words only
//! when shown.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::noun::{DieState, Phase, PlayerId};
use super::setup::Purpose;
use super::zone::Zone;
use crate::rules::{Explain, Game, Rule, Span};

/// One step of an explanation.
pub type Because = crate::rules::Because<Reason>;

/// Why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reason {
    /// It depends on what is not known.
    Unknown { at: Zone },
    /// What a correction claims is no table.
    CannotBe { at: Zone, code: &'static str },
    // Dice.
    /// A die from 1 up by one, each number once.
    RegularDie { size: u8 },
    /// Numbers that repeat evenly: it counts as a smaller die.
    CountsAs { facets: usize, size: u8 },
    /// The numbers do not advance by one.
    NotByOne,
    /// The lowest number is not one.
    LowestNotOne { least: u8 },
    /// A die without facets.
    NoFacets,
    /// Some number stands on more facets than another.
    UnequalNumbers,
    /// Symbols for too many numbers.
    TooManySymbols { symbols: u8 },
    /// Symbols for some numbers.
    SomeSymbols { symbols: u8 },
    /// Numerals that are not the western ones.
    ForeignNumerals,
    /// Too small to be deployed.
    TooSmall { size: u8 },
    /// A coin is no die.
    Coin,
    /// Allowed, but discouraged.
    Discouraged { size: u8 },
    /// The ship's description asks for another size.
    NotThatDesign { wanted: u8, size: u8 },
    /// It takes the opponent's permission.
    NeedsPermission,
    /// The opponent has given it.
    Permitted,
    /// Facets that were not read.
    FacetsNotRead { facets: usize },
    // Checks.
    /// The number or less succeeds.
    CheckFor { number: u8 },
    /// What was rolled.
    Rolled { rolled: Span },
    /// Nothing is rolled yet.
    NotRolledYet,
    // The turn.
    /// There is no such player.
    NoSuchPlayer { player: PlayerId },
    /// It is the other player's turn.
    NotTurn { turn: PlayerId },
    /// That belongs to another part of the turn.
    NotPhase { phase: Phase },
    /// A count that cannot be.
    NoSuchCount { count: u16 },
    /// There is no such thing on the table.
    NotThere { at: Zone },
    // Cards.
    /// Encounters are not discarded.
    EncounterStays,
    /// CP against a price.
    Price { price: u16, have: Span },
    /// The top card of the Resource takes the place.
    DrawsNext { resource: Span },
    /// A card was drawn though none is left, or none was though there is one.
    DrawnWrong { resource: Span },
    // Building.
    /// A Homeworld is never terraformed.
    NoHomeworld { sector: usize },
    /// What it costs to terraform a sector.
    TerraformPrice { price: u16 },
    /// It takes presence in the sector.
    Presence { sector: usize },
    /// The player terraforms that sector already.
    UnderWay { project: usize },
    /// Points still to be invested.
    ToGo { left: Span },
    /// Artifice is paid with artifice CP only.
    ArtificePool { have: Span },
    /// All at once, never banked.
    AllAtOnce { purpose: Purpose },
    /// This is built over time.
    Banked { purpose: Purpose },
    /// Every point is invested.
    Paid { cost: u16 },
    /// Say what replaces the sector, or do not.
    SayReplacement { needed: bool },
    /// The card has to be a sector.
    SectorCard { card: usize },
    /// A sector card in the hand comes first.
    NoSectorInHand { player: PlayerId },
    /// The reveal ends with a sector or an encounter.
    RevealEnds,
    /// A terraformed sector becomes a system or space.
    Becomes,
    /// More than fits on a table.
    TooMany,
    // Engine dice.
    /// Dice that are rolled; kept ones are not.
    RollsIdle { dice: u16 },
    /// What a die cannot show.
    NoSuchFace { size: u8, shows: u16 },
    /// Energy of the dice, and what of it is spent.
    Energy { energy: Span, spent: u16 },
    /// Dice that were kept give their energy without a roll.
    HeldEnergy { energy: Span },
    /// What is wanted.
    Wanted { wanted: u16 },
    /// A charge takes a rolled die.
    DieIs { die: usize, state: DieState },
    /// The die that is removed is not the one that is rolled again.
    TwoDice,
    /// Dice whose energy is spent are charged no more.
    NothingSpent { spent: u16 },
    /// The die to remove and the die to roll again.
    BestCharge { remove: usize, reroll: usize },
    /// The chance is that of so many charges in a row; more were not looked at.
    ChargesAhead { charges: u8 },
    /// The chance of so many dice is not counted.
    TooManyToCount { dice: u16 },
    /// What is wanted is there already.
    Reached,
    /// Fewer than two rolled dice.
    NoDiceToCharge,
    /// What is left without the die has to cover what is spent.
    LeftWithout { energy: Span, spent: u16 },
}

impl Explain for Reason {
    fn rule(&self) -> Rule {
        use Reason::*;
        let section = match self {
            RegularDie { .. }
            | CountsAs { .. }
            | NotByOne
            | LowestNotOne { .. }
            | NoFacets
            | UnequalNumbers
            | TooManySymbols { .. }
            | SomeSymbols { .. }
            | ForeignNumerals
            | TooSmall { .. }
            | Coin
            | Discouraged { .. }
            | NotThatDesign { .. }
            | NeedsPermission
            | Permitted
            | FacetsNotRead { .. } => "The Dice: Irregular Dice",
            CheckFor { .. } | Rolled { .. } | NotRolledYet => "The Dice: Check for #",
            EncounterStays | Price { .. } | DrawsNext { .. } | DrawnWrong { .. } => {
                "The Resource and Hand: Hand Cycling"
            }
            NoHomeworld { .. }
            | TerraformPrice { .. }
            | Presence { .. }
            | UnderWay { .. }
            | SayReplacement { .. }
            | SectorCard { .. }
            | NoSectorInHand { .. }
            | RevealEnds
            | Becomes => "3. Build: Terraforming",
            ArtificePool { .. } => "3. Build: Artifice",
            ToGo { .. } | AllAtOnce { .. } | Banked { .. } | Paid { .. } => "3. Build: Banking CP",
            RollsIdle { .. } | HeldEnergy { .. } | LeftWithout { .. } => {
                "4. Engine Dice: Engine Storing"
            }
            TwoDice
            | NothingSpent { .. }
            | BestCharge { .. }
            | ChargesAhead { .. }
            | NoDiceToCharge
            | DieIs { .. }
            | Reached => "4. Engine Dice: Engine Charging",
            NoSuchFace { .. } | Energy { .. } | Wanted { .. } | TooManyToCount { .. } => {
                "4. Engine Dice"
            }
            Unknown { .. }
            | CannotBe { .. }
            | NoSuchPlayer { .. }
            | NotTurn { .. }
            | NotPhase { .. }
            | NoSuchCount { .. }
            | NotThere { .. }
            | TooMany => "The Turn",
        };
        Rule {
            game: Game::Nearspace,
            section,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Reason::*;
        match self {
            Unknown { at } => write!(f, "{at} is not known"),
            CannotBe { at, code } => write!(f, "this cannot be so ({at}: {code})"),
            RegularDie { size } => write!(f, "1 to {size}, each once: a regular d{size}"),
            CountsAs { facets, size } => write!(
                f,
                "{facets} facets with {size} numbers, each equally often: it counts as a d{size}"
            ),
            NotByOne => f.write_str("the numbers do not advance by one"),
            LowestNotOne { least } => write!(f, "the lowest number is {least}, not one"),
            NoFacets => f.write_str("a die has facets"),
            UnequalNumbers => f.write_str("the numbers are not spread equally"),
            TooManySymbols { symbols } => write!(f, "{symbols} numbers are shown by symbols"),
            SomeSymbols { symbols: 1 } => f.write_str("a symbol stands for a number"),
            SomeSymbols { symbols } => write!(f, "symbols stand for {symbols} numbers"),
            ForeignNumerals => f.write_str("the numerals are not the western ones"),
            TooSmall { size } => write!(f, "a d{size} cannot be deployed"),
            Coin => f.write_str("a coin is no die"),
            Discouraged { size } => write!(f, "a d{size} is discouraged"),
            NotThatDesign { wanted, size } => {
                write!(f, "the ship is a d{wanted}, and this counts as a d{size}")
            }
            NeedsPermission => f.write_str("it takes the opponent's permission"),
            Permitted => f.write_str("the opponent has given permission"),
            FacetsNotRead { facets } => write!(f, "{facets} facets were not read"),
            CheckFor { number } => write!(f, "{number} or less succeeds"),
            Rolled { rolled } => write!(f, "rolled: {rolled}"),
            NotRolledYet => f.write_str("nothing is rolled yet"),
            NoSuchPlayer { player } => write!(f, "there is no player {player}"),
            NotTurn { turn } => write!(f, "it is the turn of {turn}"),
            NotPhase { phase } => write!(f, "the turn is at: {phase}"),
            NoSuchCount { count } => write!(f, "{count} cannot be"),
            NotThere { at } => write!(f, "there is no {at}"),
            EncounterStays => f.write_str("an encounter is not discarded, it is defeated"),
            Price { price, have } => write!(f, "{price} CP of {have}"),
            DrawsNext { resource } => {
                write!(
                    f,
                    "the top card takes the place; the Resource has {resource}"
                )
            }
            DrawnWrong { resource } => write!(f, "the Resource has {resource} cards"),
            NoHomeworld { .. } => f.write_str("a Homeworld is never terraformed"),
            TerraformPrice { price } => write!(f, "terraforming it costs {price} CP"),
            Presence { sector } => write!(f, "it takes presence in sector {sector}, all the time"),
            UnderWay { project } => write!(f, "project {project} terraforms it already"),
            ToGo { left } => write!(f, "{left} points are still to be invested"),
            ArtificePool { have } => {
                write!(
                    f,
                    "artifice CP only, and for artifice only: {have} are left"
                )
            }
            AllAtOnce { purpose } => write!(f, "{purpose} is bought all at once, never banked"),
            Banked { purpose } => write!(f, "{purpose} is built as a project"),
            Paid { cost } => write!(f, "all {cost} points are invested"),
            SayReplacement { needed: true } => f.write_str("say what replaces the sector"),
            SayReplacement { needed: false } => f.write_str("this replaces no sector"),
            SectorCard { card } => write!(f, "card {card} has to be a sector"),
            NoSectorInHand { player } => {
                write!(f, "only if {player} has no sector card in the hand")
            }
            RevealEnds => f.write_str("cards are revealed up to a sector or an encounter"),
            Becomes => f.write_str("a terraformed sector becomes a system or space"),
            TooMany => f.write_str("more than a table holds"),
            RollsIdle { dice } => write!(f, "{dice} dice are rolled; those that were kept are not"),
            NoSuchFace { size, shows } => write!(f, "a d{size} does not show {shows}"),
            Energy { energy, spent: 0 } => write!(f, "the dice give {energy} E"),
            Energy { energy, spent } => write!(f, "the dice give {energy} E, {spent} is spent"),
            HeldEnergy { energy } => write!(f, "dice that were kept bring {energy} E"),
            Wanted { wanted } => write!(f, "{wanted} E are wanted"),
            DieIs { die, state } => write!(f, "engine die {die} is {state}"),
            TwoDice => f.write_str("the die that is removed is not the one that is rolled again"),
            NothingSpent { spent: 0 } => f.write_str("no energy is spent yet"),
            NothingSpent { spent } => write!(f, "{spent} E are spent: charging comes before that"),
            BestCharge { remove, reroll } => {
                write!(f, "best: remove die {remove}, roll die {reroll} again")
            }
            ChargesAhead { charges: 1 } => {
                f.write_str("looked one charge ahead; more of them may reach it too")
            }
            ChargesAhead { charges } => write!(
                f,
                "looked {charges} charges ahead; more of them may reach it too"
            ),
            TooManyToCount { dice } => write!(f, "the chance of {dice} dice is not counted"),
            Reached => f.write_str("what is wanted is there without a charge"),
            NoDiceToCharge => f.write_str("a charge takes two rolled dice"),
            LeftWithout { energy, spent } => {
                write!(f, "without it the dice give {energy} E, {spent} is spent")
            }
        }
    }
}
