//! Why a call is what it is, or why an action is refused: each step as data, put into words only
//! when shown.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::flow::Owed;
use super::spot::{Duty, Shield, ShipId, Side, Spot};
use super::track::{Heading, Space};
use super::zone::Zone;
use crate::rules::{Explain, Game, Rule};

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
    // The order of play.
    /// There is no such ship.
    NoSuchShip { ship: ShipId },
    /// The ship was destroyed.
    Retired { ship: ShipId },
    /// The game is over.
    Over,
    /// Dice are placed only in the planning phase.
    NotPlanning,
    /// Dice are actioned only in the action phase.
    NotActions,
    /// It is another ship's turn.
    NotTurn { turn: ShipId },
    /// Something has to be done first.
    First { owed: Owed },
    /// Nothing of this kind is waited for.
    NotAsked { ship: ShipId },
    /// The round is not over.
    RoundGoesOn,
    /// The screen is off already, or the dice behind it are placed.
    AlreadyPlaced { ship: ShipId },
    /// Somebody is still placing dice: no screen comes off before that.
    StillPlacing { ship: ShipId },
    /// What is behind a screen stays there.
    BehindScreen { ship: ShipId },
    /// Dice that are to be rolled and placed behind the screen.
    RollAndPlace { dice: u16 },
    /// Everybody's dice are placed: the screens come off.
    AllPlaced,
    // Plans.
    /// A plan needs at least one die there.
    NeedsOne { duty: Duty },
    /// A damaged space holds no die.
    Damaged { spot: Spot },
    /// One die a space.
    TwoDice { spot: Spot },
    /// A number that does not raise this shield.
    ShieldNumber { spot: Spot, shows: u8 },
    /// No die has that number.
    NoSuchNumber { shows: u8 },
    /// All dice have to be accounted for.
    DiceCount { told: u16, has: u16 },
    /// A die that is left aside could lie on a space.
    CouldLie { shows: u8, spot: Spot },
    // Dice.
    /// There is no die there.
    NoDie { spot: Spot },
    /// That space is for another action.
    WrongSpot { spot: Spot, duty: Duty },
    /// A space is named twice, or none is.
    SayDice,
    /// Cubes were spent on another die: that one is actioned.
    Acting { spot: Spot },
    // Boost.
    /// How far a boost goes.
    Travels { spaces: u16, from: Space, to: Space },
    /// Spaces with ships on them are passed without being counted.
    Passes { ships: u16 },
    /// No space is free.
    NoFreeSpace,
    // Manoeuvre.
    /// There was a contest this round already.
    ContestDone,
    /// The highest total of a sector wins.
    Wins {
        ship: ShipId,
        sector: u8,
        total: u16,
    },
    /// Equal highest totals: nobody wins the sector.
    Draw { sector: u8, total: u16 },
    /// Nobody has a manoeuvre die in the sector.
    NoContest { sector: u8 },
    /// Nobody opposes it there, and this copy's rule says that is no win.
    AloneThere { ship: ShipId, sector: u8 },
    /// With two dice in the contest, a winner may warp.
    MayWarp { ship: ShipId },
    /// With one die it may not.
    OneDieOnly { ship: ShipId },
    /// No warp spot for where the ship stands.
    NotWarpSpot { space: Space },
    /// A ship is there.
    SpaceTaken { space: Space },
    /// The sector is off limits.
    SectorClosed { sector: u8 },
    // Shields.
    /// The number raises the shield.
    Raises { shield: Shield, shows: u8 },
    /// The shield is up already: nothing changes.
    StillUp { shield: Shield },
    // Fire.
    /// A ship does not fire at itself.
    NotItself,
    /// The target is in another sector: no number of spaces leads there.
    OtherSector { target: ShipId },
    /// The shot flies the shorter way.
    LongerWay { way: Heading },
    /// The shot flies ahead.
    NotAhead { way: Heading },
    /// Both ways are equally long: the shooter chooses.
    EitherWay,
    /// There is something to fire at: say what.
    SayTarget,
    /// Spaces to the target against the number on the die.
    Distance { distance: u16, reach: u8 },
    /// The side of the target that the shot comes in on.
    Struck { side: Side },
    /// A shield that may answer.
    Answers { shield: Shield },
    /// No shield answers: the ship is destroyed.
    Unshielded { side: Side },
    /// A shield that does not answer this hit, or is down.
    NotThatShield { shield: Shield },
    /// The space does not have the colour of the shield.
    NotThatColour { spot: Spot, shield: Shield },
    /// It has a damage token already.
    AlreadyDamaged { spot: Spot },
    // Power.
    /// What a power die brings.
    Brings { cubes: u16, shows: u8 },
    /// The store is full.
    StoreFull { fit: u16 },
    /// No cube is left.
    NoCube,
    /// A cube re-rolls all dice behind the screen.
    RerollsAll,
    /// A die shows 1 to 6.
    NoFurther { shows: u8 },
    /// A moved die is actioned at once.
    Moved { spot: Spot },
    /// The space has a die.
    Occupied { spot: Spot },
    /// The last die stays there until that action was carried out.
    LastDie { duty: Duty },
    /// The changed number would not raise this shield, and no cube is left to move the die.
    WouldStrand { spot: Spot },
    // The end of a round.
    /// A ship's totals on the two areas.
    Totals {
        ship: ShipId,
        boost: u16,
        manoeuvre: u16,
    },
    /// Lowest on one, and lowest or level on the other.
    Lowest { ship: ShipId },
    /// Nobody is.
    NobodyLowest,
    /// Who may take the Reflex die.
    MayTakeReflex { ship: ShipId },
    /// This ship may not.
    NotReflex { ship: ShipId },
}

impl Explain for Reason {
    fn rule(&self) -> Rule {
        use Reason::*;
        let section = match self {
            NoSuchShip { .. } => "Setup",
            NotPlanning
            | AlreadyPlaced { .. }
            | StillPlacing { .. }
            | BehindScreen { .. }
            | RollAndPlace { .. }
            | AllPlaced
            | NeedsOne { .. }
            | Damaged { .. }
            | TwoDice { .. }
            | NoSuchNumber { .. }
            | DiceCount { .. }
            | CouldLie { .. } => "Planning Phase",
            Unknown { .. }
            | CannotBe { .. }
            | NotActions
            | NotTurn { .. }
            | First { .. }
            | NotAsked { .. }
            | NoDie { .. }
            | WrongSpot { .. }
            | SayDice => "Action Phase",
            Travels { .. } | Passes { .. } | NoFreeSpace => "Actions: Boost",
            ContestDone
            | Wins { .. }
            | Draw { .. }
            | NoContest { .. }
            | AloneThere { .. }
            | MayWarp { .. }
            | OneDieOnly { .. }
            | NotWarpSpot { .. }
            | SpaceTaken { .. } => "Actions: Manoeuvre",
            ShieldNumber { .. } | Raises { .. } | StillUp { .. } | Answers { .. } => {
                "Actions: Shields"
            }
            NotItself
            | OtherSector { .. }
            | LongerWay { .. }
            | NotAhead { .. }
            | EitherWay
            | SayTarget
            | Distance { .. }
            | Struck { .. }
            | Unshielded { .. }
            | NotThatShield { .. }
            | NotThatColour { .. }
            | AlreadyDamaged { .. } => "Actions: Fire",
            Acting { .. }
            | Brings { .. }
            | StoreFull { .. }
            | NoCube
            | RerollsAll
            | NoFurther { .. }
            | Moved { .. }
            | Occupied { .. }
            | LastDie { .. }
            | WouldStrand { .. } => "Actions: Power",
            Retired { .. }
            | Over
            | RoundGoesOn
            | SectorClosed { .. }
            | Totals { .. }
            | Lowest { .. }
            | NobodyLowest
            | MayTakeReflex { .. }
            | NotReflex { .. } => "Ending the Round",
        };
        Rule {
            game: Game::Thunderstruck,
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
            NoSuchShip { ship } => write!(f, "there is no ship {ship}"),
            Retired { ship } => write!(f, "{ship} is out of the duel"),
            Over => f.write_str("the duel is over"),
            NotPlanning => f.write_str("dice are placed only in the planning phase"),
            NotActions => f.write_str("dice are actioned only in the action phase"),
            NotTurn { turn } => write!(f, "it is the turn of {turn}"),
            First { owed } => write!(f, "first {owed}"),
            NotAsked { ship } => write!(f, "nothing of this kind is asked of {ship}"),
            RoundGoesOn => f.write_str("not every die is actioned yet"),
            AlreadyPlaced { ship } => write!(f, "the dice of {ship} are placed already"),
            StillPlacing { ship } => {
                write!(
                    f,
                    "{ship} is still placing dice: all screens come off together"
                )
            }
            BehindScreen { ship } => write!(f, "the console of {ship} is behind its screen"),
            RollAndPlace { dice } => write!(f, "roll {dice} dice and place them"),
            AllPlaced => f.write_str("everybody has placed the dice: the screens come off"),
            NeedsOne { duty } => write!(f, "a plan has at least one die on {duty}"),
            Damaged { spot } => write!(f, "{spot} is damaged"),
            TwoDice { spot } => write!(f, "{spot} holds one die"),
            ShieldNumber { spot, shows } => write!(f, "a {shows} does not raise {spot}"),
            NoSuchNumber { shows } => write!(f, "no die shows {shows}"),
            DiceCount { told, has } => write!(f, "{told} dice are told of, the ship has {has}"),
            CouldLie { shows, spot } => {
                write!(f, "the {shows} that was left aside could lie on {spot}")
            }
            NoDie { spot } => write!(f, "no die lies on {spot}"),
            WrongSpot { spot, duty } => write!(f, "{spot} is not for {duty}"),
            SayDice => f.write_str("name one die, or both of the pair"),
            Acting { spot } => write!(f, "cubes were spent on {spot}: that die is actioned now"),
            Travels { spaces, from, to } => write!(f, "{spaces} spaces, from {from} to {to}"),
            Passes { ships: 1 } => f.write_str("passes a ship, whose space is not counted"),
            Passes { ships } => write!(f, "passes ships {ships} times, not counting their spaces"),
            NoFreeSpace => f.write_str("no space is free"),
            ContestDone => f.write_str("there was a manoeuvre this round already"),
            Wins {
                ship,
                sector,
                total,
            } => write!(f, "{ship} wins sector {sector} with {total}"),
            Draw { sector, total } => {
                write!(
                    f,
                    "a draw at {total} in sector {sector}: nobody manoeuvres there"
                )
            }
            NoContest { sector } => write!(f, "no manoeuvre die in sector {sector}"),
            AloneThere { ship, sector } => {
                write!(f, "{ship} is alone in sector {sector}: no contest there")
            }
            MayWarp { ship } => write!(f, "{ship} has two dice in the contest: it may warp"),
            OneDieOnly { ship } => write!(f, "{ship} has one die in the contest: no warp"),
            NotWarpSpot { space } => write!(f, "{space} is no warp spot for this ship"),
            SpaceTaken { space } => write!(f, "a ship stands on {space}"),
            SectorClosed { sector } => write!(f, "sector {sector} is off limits"),
            Raises { shield, shows } => write!(f, "a {shows} raises the {shield} shield"),
            StillUp { shield } => {
                write!(f, "the {shield} shield is up already: nothing changes")
            }
            NotItself => f.write_str("a ship does not fire at itself"),
            OtherSector { target } => write!(f, "{target} is in the other sector"),
            LongerWay { way } => write!(f, "{way} is the longer way round"),
            NotAhead { way } => write!(f, "{way} is not ahead of the ship"),
            EitherWay => f.write_str("both ways are equally long: the shooter chooses"),
            SayTarget => f.write_str("somebody is in the sector: say who is fired at"),
            Distance { distance, reach } => {
                let is = if distance <= &u16::from(*reach) {
                    "within"
                } else {
                    "beyond"
                };
                write!(f, "{distance} spaces away, {is} the {reach} on the die")
            }
            Struck { side } => write!(f, "the shot comes in on the {side}"),
            Answers { shield } => write!(f, "the {shield} shield may answer"),
            Unshielded { side } => {
                write!(f, "no shield answers on the {side}: the ship is destroyed")
            }
            NotThatShield { shield } => write!(f, "the {shield} shield does not answer this hit"),
            NotThatColour { spot, shield } => {
                write!(f, "{spot} does not have the colour of the {shield} shield")
            }
            AlreadyDamaged { spot } => write!(f, "{spot} is damaged already"),
            Brings { cubes, shows } => write!(f, "a {shows} brings {cubes} power cubes"),
            StoreFull { fit } => write!(f, "{fit} cubes fit; the rest goes back"),
            NoCube => f.write_str("no power cube is left"),
            RerollsAll => f.write_str("a power cube rolls all dice again, behind the screen"),
            NoFurther { shows } => write!(f, "a die that shows {shows} goes no further"),
            Moved { spot } => write!(f, "a cube moved the die to {spot}: it is actioned at once"),
            Occupied { spot } => write!(f, "{spot} has a die"),
            LastDie { duty } => {
                write!(
                    f,
                    "the last die stays on {duty} until that was carried out this round"
                )
            }
            WouldStrand { spot } => write!(
                f,
                "the number would not raise {spot}, and no cube is left to move the die"
            ),
            Totals {
                ship,
                boost,
                manoeuvre,
            } => write!(f, "{ship}: {boost} on Boost, {manoeuvre} on Manoeuvre"),
            Lowest { ship } => write!(f, "{ship} is the lowest of all"),
            NobodyLowest => f.write_str("nobody is the lowest on both counts"),
            MayTakeReflex { ship } => write!(f, "{ship} may take the Reflex die"),
            NotReflex { ship } => write!(f, "{ship} may not take the Reflex die"),
        }
    }
}
