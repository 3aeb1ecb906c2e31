//! Why a call is what it is, or why an action is refused: each step as data, put into words only
//! when shown.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::board::Terrain;
use super::flow::{Freeze, Owed};
use super::ship_id::ShipId;
use super::square::Square;
use super::symbol::{Faces, Symbol};
use super::zone::{Sector, Side, Spot, Station, Tube, Zone};
use crate::rules::{Explain, Game, Rule, Span};

/// One step of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reason {
    // Engineering.
    /// An energy die's number powers a station.
    EnergyPowers { number: u8, station: Station },
    /// An energy die's number powers nothing.
    EnergyPowersNothing { number: u8 },
    /// What a die shows is not sure.
    NotRead { shows: Faces },
    /// One station die may be rolled for each energy die, as far as dice are free.
    Allowance {
        station: Station,
        energy: Span,
        free: Span,
    },
    /// No energy die can be handed out.
    NoEnergyDie,
    /// The station has no energy die.
    NoEnergyAt { station: Station },
    /// Every die of the kind lies on a display already.
    NoDieFree { station: Station },
    /// The symbol may not lie there.
    MayNotLie { symbol: Symbol, spot: Spot },
    /// The slot has a die.
    SlotFull { spot: Spot },
    /// There is no such die there.
    NoSuchDie { symbol: Symbol, spot: Spot },
    // The play.
    /// The play is stopped.
    Stopped { by: ShipId, freeze: Freeze },
    /// The next freeze action is claimed.
    Claimed { by: ShipId, freeze: Freeze },
    /// The play is not stopped.
    NotStopped,
    /// Only opponents of the ship that stopped the play may claim the next action.
    NotOpponent { of: ShipId },
    /// Something has to be done first.
    First { owed: Owed },
    /// Something of the stopped action is still to be done.
    NotFinished,
    /// A ship is being moved on the map.
    Moving { ship: ShipId },
    /// The ship is destroyed.
    Destroyed { ship: ShipId },
    /// One side has won.
    Over { winner: ShipId },
    /// There is no such ship.
    NoSuchShip { ship: ShipId },
    /// It depends on what is not known.
    Unknown { at: Zone },
    /// Nothing of this kind is waited for.
    NotAsked,
    /// The game cannot be waiting for this.
    CannotWait,
    // Helm.
    /// The ship moves once three dice lie on the helm display.
    HelmWaits { empty: u8 },
    /// All three lie there.
    HelmReady,
    /// Where the move ends.
    HelmEnds { square: Square },
    /// What an asteroid square takes.
    Asteroids { dice: u8 },
    /// What a nebula square takes.
    Nebula { dice: u8 },
    /// A rift takes all shields.
    Rift,
    /// A mine goes off.
    MineGoesOff { square: Square },
    /// Where the move leads depends on what is not known.
    CourseOpen { at: Zone },
    /// Gravity arrows keep helm dice.
    GravityKeeps { dice: u8 },
    /// A gravity arrow stops the third die.
    GravityStops,
    // Launches.
    /// Squares between the two, never diagonally.
    Range {
        from: Square,
        to: Square,
        range: u16,
    },
    /// Range between places that are not known.
    RangeBetween { range: Span },
    /// Both in one square: the halves give the direction.
    SameSquare,
    /// In one half of one square: no direction.
    NoDirection,
    /// The target is in an arc.
    InArc { side: Side, on_edge: bool },
    /// The target is abeam.
    Abeam,
    /// Torpedoes loaded on the side that bears.
    Loaded { side: Side, torpedoes: Span },
    /// None on the side that bears.
    NotLoadedThere { side: Side },
    /// None anywhere.
    NothingLoaded,
    /// A rift lies in between.
    RiftBetween,
    /// Lock against range and jammers.
    Lock {
        lock: Span,
        range: Span,
        jammers: Span,
        need: Span,
    },
    /// At least some lock is needed, whatever the range.
    LeastLock { least: u8 },
    /// Which sector is struck.
    Struck { sector: Sector },
    /// On a diagonal the stronger sector is struck.
    Stronger { sector: Sector, other: Sector },
    /// On a diagonal with equal dice the defender chooses.
    DefenderChooses { first: Sector, second: Sector },
    /// Shield dice in the way.
    Shields { dice: Span },
    /// Nothing in the way.
    HitsByItself,
    /// Each torpedo must roll this many blasts.
    MustRoll { blasts: u8 },
    /// Nothing gets through.
    StopsAll { dice: u8 },
    /// The target is of the same side.
    Friendly { ship: ShipId },
    /// One or two torpedoes.
    OneOrTwo { declared: u8 },
    /// Fewer fly than declared.
    FewerFly { declared: u8, fly: u8 },
    /// Which torpedoes leave has to be said.
    SayTubes { leave: u8 },
    /// A tube that was named is not loaded or does not bear.
    NotThatTube { tube: Tube },
    /// No mine there.
    NoMine { square: Square },
    /// A mine in the own square has no direction.
    OwnSquare { square: Square },
    /// Mines have neither jammers nor shields.
    MineUnguarded,
    /// A sector that cannot be chosen.
    NotThatSector { sector: Sector },
    /// A face the die does not have.
    NoSuchFace { symbol: Symbol },
    // Tractor beams.
    /// Strength against twice the range.
    Strength {
        strength: Span,
        range: Span,
        need: Span,
    },
    /// Any direction will do.
    AnyDirection,
    /// No crystal there.
    NoCrystalAt { square: Square },
    /// A ship does not pull itself.
    NotItself,
    /// A ship is pushed to one of the eight squares around it.
    NotAdjacent { square: Square },
    /// Off the map.
    OffMap { square: Square },
    /// No ship is pushed off the map.
    PushOffMap { square: Square },
    /// A token that this copy plays without.
    NotInPlay { terrain: Terrain },
    /// By which edge a ship comes in has to be said (or must not be).
    SayEntry { needed: bool },
    // Mines.
    /// A mine die lies in its place.
    Armed,
    /// None does.
    NotArmed,
    /// No token left.
    NoMineLeft,
    /// One lies there already.
    MineThere { square: Square },
    // Crystals.
    /// Crystals against a price.
    Crystals { have: Span, price: u8 },
    /// An Energy Surge needs a die on the damage display.
    NoDamageDie,
    /// A number that was not rolled, or whose square an enemy holds.
    NotThatNumber { number: u8 },
    /// No square has that number.
    NoSuchNumber { number: u8 },
    /// The used box is empty.
    NoUsedCrystal,
    /// No helm die was kept.
    NoSavedDie,
}

impl Explain for Reason {
    fn rule(&self) -> Rule {
        use Reason::*;
        let section = match self {
            EnergyPowers { .. } | Allowance { .. } | NoEnergyAt { .. } | NoDieFree { .. } => {
                "Basic Game Flow: How Stations Work"
            }
            EnergyPowersNothing { .. } | NoEnergyDie => "Engineering",
            MayNotLie { .. } | SlotFull { .. } | NotRead { .. } => "Placing Dice On Displays",
            NoSuchDie { .. } => "Removing Dice",
            Stopped { freeze, .. } => match freeze {
                Freeze::Fire => "Launching Torpedoes",
                Freeze::Tractor => "Tractor Beams",
                Freeze::Warp => "Crystals: Warp Jump",
            },
            Claimed { .. }
            | NotStopped
            | NotOpponent { .. }
            | NotFinished
            | NotAsked
            | CannotWait => "Action Timing",
            First {
                owed: Owed::Damage { .. },
            } => "Launching Torpedoes, B: do they damage",
            First {
                owed: Owed::Discard { .. },
            } => "Map Obstacles",
            Moving { .. } => "Special Notes on Weapons; Special Notes on Tractor Beams; Mines",
            Destroyed { .. } | Over { .. } => "Winning",
            NoSuchShip { .. } => "Setup",
            Unknown { .. } => "Looking at the Opponents' Displays",
            HelmWaits { .. } | HelmReady | HelmEnds { .. } | CourseOpen { .. } => "Helm",
            OffMap { .. } | NotInPlay { .. } => "Setup",
            Asteroids { .. } | Nebula { .. } => "Map Obstacles",
            Rift | GravityKeeps { .. } | GravityStops | RiftBetween | NoSavedDie => {
                "Playing on Space Cadets Map Tiles"
            }
            MineGoesOff { .. } => "Tractor Beams: Mines",
            Range { .. }
            | RangeBetween { .. }
            | InArc { .. }
            | Abeam
            | Loaded { .. }
            | NotLoadedThere { .. }
            | Lock { .. } => "Launching Torpedoes, A: do they hit",
            SameSquare | NoDirection | SayEntry { .. } => "Helm: two ships in one square",
            NothingLoaded | OneOrTwo { .. } | SayTubes { .. } | NotThatTube { .. } => {
                "Launching Torpedoes"
            }
            LeastLock { .. } | FewerFly { .. } => "Special Notes on Weapons",
            Struck { .. }
            | Stronger { .. }
            | DefenderChooses { .. }
            | Shields { .. }
            | HitsByItself
            | MustRoll { .. }
            | StopsAll { .. }
            | NotThatSector { .. }
            | NoSuchFace { .. } => "Launching Torpedoes, B: do they damage",
            Friendly { .. } => "Multiple Ships Per Side",
            NoMine { .. }
            | OwnSquare { .. }
            | MineUnguarded
            | Armed
            | NotArmed
            | NoMineLeft
            | MineThere { .. } => "Tractor Beams: Mines",
            Strength { .. }
            | AnyDirection
            | NoCrystalAt { .. }
            | NotItself
            | PushOffMap { .. }
            | NotAdjacent { .. } => "Tractor Beams",
            Crystals { .. } => "Crystals",
            NoDamageDie => "Crystals: Energy Surge",
            NotThatNumber { .. } => "Crystals: Warp Jump",
            NoSuchNumber { .. } | NoUsedCrystal => "Crystals: Returning Crystals to Play",
        };
        Rule {
            game: Game::DiceDuel,
            section,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Reason::*;
        match self {
            EnergyPowers { number, station } => {
                write!(f, "{number} is the number of {}", station.title())
            }
            EnergyPowersNothing { number } => {
                write!(
                    f,
                    "no station has the number {number}; the die is rolled again"
                )
            }
            NotRead { shows } => write!(f, "the die may show {shows}"),
            Allowance {
                station,
                energy,
                free,
            } => write!(
                f,
                "{} has {energy} energy dice, and {free} of its dice are free",
                station.title()
            ),
            NoEnergyDie => f.write_str("engineering has no energy die to hand out"),
            NoEnergyAt { station } => write!(f, "{} has no energy die", station.title()),
            NoDieFree { station } => {
                write!(f, "all dice of {} lie on its display", station.title())
            }
            MayNotLie { symbol, spot } => write!(f, "{symbol} may not lie on {spot}"),
            SlotFull { spot } => write!(f, "{spot} has a die already"),
            NoSuchDie { symbol, spot } => write!(f, "no {symbol} is known to lie on {spot}"),
            Stopped { by, freeze } => write!(f, "{by} has stopped the play ({freeze})"),
            Claimed { by, freeze } => {
                write!(f, "{by} has claimed the next action ({freeze})")
            }
            NotStopped => f.write_str("the play is not stopped"),
            NotOpponent { of } => write!(f, "only an opponent of {of} may claim the next action"),
            First { owed } => write!(f, "first {owed}"),
            NotFinished => f.write_str("the action that stopped the play is not finished"),
            Moving { ship } => write!(f, "{ship} is being moved"),
            Destroyed { ship } => write!(f, "{ship} is destroyed"),
            Over { winner } => write!(f, "{winner} has won"),
            NoSuchShip { ship } => write!(f, "there is no ship {ship}"),
            Unknown { at } => write!(f, "{at} is not known"),
            NotAsked => f.write_str("nothing waits for this"),
            CannotWait => f.write_str("the game cannot be waiting for this"),
            HelmWaits { empty } => {
                write!(
                    f,
                    "the ship moves only when all three dice are placed; {empty} missing"
                )
            }
            HelmReady => f.write_str("all three helm dice lie there: A, then B, then C"),
            HelmEnds { square } => write!(f, "the move ends on {square}"),
            Asteroids { dice } => write!(f, "asteroids take {dice} shield dice"),
            Nebula { dice } => write!(f, "a nebula takes {dice} sensor dice"),
            Rift => f.write_str("a rift takes all shield dice"),
            MineGoesOff { square } => {
                write!(f, "the mine on {square} does its damage through any shield")
            }
            CourseOpen { at } => write!(f, "where the move leads depends on {at}"),
            GravityKeeps { dice } => write!(f, "moving with gravity keeps {dice} helm dice"),
            GravityStops => f.write_str("moving against gravity stops the die in C"),
            Range { from, to, range } => {
                write!(
                    f,
                    "from {from} to {to} it is {range}, counted without diagonals"
                )
            }
            RangeBetween { range } => write!(f, "the range is {range}"),
            SameSquare => f.write_str("both in one square: range 0, the halves give the direction"),
            NoDirection => f.write_str("in one square without two halves there is no direction"),
            InArc { side, on_edge } => {
                write!(f, "the target is in the {side} arc")?;
                if *on_edge {
                    f.write_str(", exactly on its edge")?;
                }
                Ok(())
            }
            Abeam => f.write_str("the target is abeam, in neither arc"),
            Loaded { side, torpedoes } => {
                write!(f, "{torpedoes} loaded on the {side} side")
            }
            NotLoadedThere { side } => write!(f, "nothing is loaded on the {side} side"),
            NothingLoaded => f.write_str("no torpedo is loaded: nose, body and tail in one tube"),
            RiftBetween => f.write_str("a rift lies in the line of fire"),
            Lock {
                lock,
                range,
                jammers,
                need,
            } => write!(
                f,
                "lock {lock} against {need}: range {range} and jammers {jammers}"
            ),
            LeastLock { least } => write!(f, "without {least} lock nothing is ever hit"),
            Struck { sector } => write!(f, "shield sector {sector} faces the shooter"),
            Stronger { sector, other } => write!(
                f,
                "on the diagonal of {sector} and {other} the stronger is struck: {sector}"
            ),
            DefenderChooses { first, second } => write!(
                f,
                "on the diagonal of {first} and {second}, equally strong: the defender chooses"
            ),
            Shields { dice } => write!(f, "{dice} shield dice there"),
            HitsByItself => f.write_str("no shield: each torpedo does damage without a roll"),
            MustRoll { blasts: 1 } => f.write_str("each torpedo must roll a blast"),
            MustRoll { blasts } => write!(f, "each torpedo must roll {blasts} blasts"),
            StopsAll { dice } => write!(f, "{dice} shield dice stop every torpedo"),
            Friendly { ship } => write!(f, "{ship} is on the same side"),
            OneOrTwo { declared } => write!(f, "one or two may be fired, not {declared}"),
            FewerFly { declared, fly } => {
                write!(f, "{declared} declared, {fly} on the side that bears")
            }
            SayTubes { leave } => write!(f, "say which {leave} torpedoes leave"),
            NotThatTube { tube } => write!(f, "{tube} is not one of those that leave"),
            NoMine { square } => write!(f, "no mine lies on {square}"),
            OwnSquare { square } => {
                write!(
                    f,
                    "a mine in the ship's own square {square} has no direction"
                )
            }
            MineUnguarded => f.write_str("a mine has neither jammers nor shields"),
            NotThatSector { sector } => write!(f, "sector {sector} is not struck"),
            NoSuchFace { symbol } => write!(f, "{symbol} is not on that die"),
            Strength {
                strength,
                range,
                need,
            } => write!(f, "strength {strength} against {need}, range {range}"),
            AnyDirection => f.write_str("a tractor beam reaches in any direction"),
            NoCrystalAt { square } => write!(f, "no crystal lies on {square}"),
            NotItself => f.write_str("a ship does not pull itself"),
            NotAdjacent { square } => write!(f, "{square} is not beside the ship that is moved"),
            OffMap { square } => write!(f, "{square} is off the map"),
            PushOffMap { square } => {
                write!(f, "{square} is off the map, and no ship is pushed there")
            }
            NotInPlay { terrain } => write!(f, "this game is played without {terrain} tokens"),
            SayEntry { needed: true } => f.write_str("say by which edge the ship comes in"),
            SayEntry { needed: false } => f.write_str("the edge it comes in by is not a choice"),
            Armed => f.write_str("a mine is armed"),
            NotArmed => f.write_str("no mine die lies in its place"),
            NoMineLeft => f.write_str("both mines have been laid"),
            MineThere { square } => write!(f, "a mine lies on {square} already"),
            Crystals { have, price } => write!(f, "{have} crystals, the price is {price}"),
            NoDamageDie => f.write_str("no energy die lies on the damage display"),
            NotThatNumber { number } => {
                write!(f, "{number} was not rolled, or an enemy is there")
            }
            NoSuchNumber { number } => write!(f, "no crystal square has the number {number}"),
            NoUsedCrystal => f.write_str("no used crystal waits to return"),
            NoSavedDie => f.write_str("no helm die was kept"),
        }
    }
}
