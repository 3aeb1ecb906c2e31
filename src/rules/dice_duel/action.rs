//! What people do, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::Cell;
use super::flow::{Flow, Freeze, Target};
use super::setup::Damage;
use super::ship_id::ShipId;
use super::square::{Facing, Half, Square};
use super::symbol::{Faces, Symbol};
use super::zone::{HelmSlot, Sector, Spot, Station, Tube};
use crate::rules::{Place, Span};

/// One thing somebody did. Rolls are inputs; where the players choose, the choice is in the
/// action, and [`Position::legal_actions`](super::Position::legal_actions) lists the choices.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Engineering hands an energy die with this number to its station.
    Route {
        /// Whose engineering.
        ship: ShipId,
        /// What the die shows.
        number: u8,
    },
    /// A station die is placed; an energy die goes back to engineering for it.
    Place {
        /// Whose.
        ship: ShipId,
        /// Where.
        spot: Spot,
        /// What it shows.
        symbol: Symbol,
    },
    /// A station die is taken off its display.
    Take {
        /// Whose.
        ship: ShipId,
        /// From where.
        spot: Spot,
        /// What it shows.
        symbol: Symbol,
    },
    /// A hand begins to move a ship whose three helm dice are placed.
    StartMove {
        /// Which.
        ship: ShipId,
    },
    /// The helm dice are carried out.
    Move {
        /// Whose.
        ship: ShipId,
    },
    /// "Fire 1!" or "Fire 2!"
    Fire {
        /// Who fires.
        ship: ShipId,
        /// How many are declared.
        torpedoes: u8,
        /// At what.
        target: Target,
        /// The tubes whose dice leave, in order: a choice where more are loaded than leave.
        tubes: Vec<Tube>,
    },
    /// On a diagonal with equal shields, the defender chooses the sector.
    ChooseSector {
        /// Which.
        sector: Sector,
    },
    /// A weapon die is rolled for the next torpedo.
    Blast {
        /// What it shows.
        symbol: Symbol,
    },
    /// An energy die goes to the damage display.
    Damage {
        /// Whose.
        ship: ShipId,
        /// From where; `null` if it was being rolled or lay beside the displays.
        #[serde(default)]
        from: Option<Spot>,
    },
    /// A die leaves a display because of an obstacle.
    Discard {
        /// Whose.
        ship: ShipId,
        /// From where.
        spot: Spot,
        /// What it shows.
        symbol: Symbol,
    },
    /// A used crystal is rolled back onto the map.
    ReturnCrystal {
        /// What was rolled.
        number: u8,
    },
    /// "Tractor!": a ship is pushed to a square beside it.
    Tractor {
        /// Who pulls.
        ship: ShipId,
        /// Which ship is moved.
        target: ShipId,
        /// To where.
        to: Square,
        /// By which edge it comes in, where it comes in diagonally and another ship is there:
        /// the moved ship's choice.
        #[serde(default)]
        enter_by: Option<Facing>,
    },
    /// A crystal is pulled in.
    PullCrystal {
        /// Who pulls.
        ship: ShipId,
        /// From where.
        square: Square,
    },
    /// An armed mine is laid in the ship's own square.
    ReleaseMine {
        /// Who.
        ship: ShipId,
    },
    /// Station Override: a crystal places a die with any face.
    Override {
        /// Whose.
        ship: ShipId,
        /// Where.
        spot: Spot,
        /// Which face.
        symbol: Symbol,
    },
    /// A helm die that a gravity arrow saved is placed with any face.
    PlaceSaved {
        /// Whose.
        ship: ShipId,
        /// Where.
        slot: HelmSlot,
        /// Which face.
        symbol: Symbol,
    },
    /// "Warp Jump!", for a crystal.
    Warp {
        /// Who jumps.
        ship: ShipId,
    },
    /// Two energy dice are rolled for the jump.
    WarpRoll {
        /// What they show.
        numbers: [u8; 2],
    },
    /// Another crystal, for two more dice.
    WarpAgain,
    /// The ship goes to the crystal square with this number.
    WarpTo {
        /// Which.
        number: u8,
        /// By which edge it comes in, where a friend is there.
        #[serde(default)]
        enter_by: Option<Facing>,
    },
    /// Energy Surge: a crystal takes the place of an energy die on the damage display.
    Surge {
        /// Whose.
        ship: ShipId,
    },
    /// While the play is stopped: the next freeze action is ours.
    Claim {
        /// Who.
        ship: ShipId,
        /// What.
        freeze: Freeze,
    },
    /// The claim is given up.
    Waive,
    /// The stopped action is over; the play goes on.
    Resume,
    /// A person says what is so.
    Correct(Correction),
}

/// A person's word on one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// The dice in a place.
    Dice {
        /// Whose.
        ship: ShipId,
        /// Where.
        spot: Spot,
        /// All of them.
        dice: Vec<Faces>,
    },
    /// Where a ship stands.
    Stand {
        /// Which.
        ship: ShipId,
        /// Its square.
        square: Place<Square>,
        /// Where it faces.
        facing: Place<Facing>,
        /// Its half.
        #[serde(default)]
        half: Place<Half>,
    },
    /// A square of the map.
    Cell {
        /// Which.
        square: Square,
        /// What lies there, as the map is drawn.
        cell: Cell,
    },
    /// A ship's crystals.
    Crystals {
        /// Whose.
        ship: ShipId,
        /// How many.
        count: Span,
    },
    /// A ship's mine tokens.
    Mines {
        /// Whose.
        ship: ShipId,
        /// How many.
        count: Span,
    },
    /// A ship's damage.
    Damage {
        /// Whose.
        ship: ShipId,
        /// How much.
        damage: Damage,
    },
    /// Crystals in the used box.
    Used {
        /// How many.
        count: Span,
    },
    /// Where the game stands.
    Flow(Flow),
}

impl Action {
    /// Who does it, where the action says so.
    pub fn ship(&self) -> Option<ShipId> {
        use Action::*;
        match self {
            Route { ship, .. }
            | Place { ship, .. }
            | Take { ship, .. }
            | StartMove { ship }
            | Move { ship }
            | Fire { ship, .. }
            | Damage { ship, .. }
            | Discard { ship, .. }
            | Tractor { ship, .. }
            | PullCrystal { ship, .. }
            | ReleaseMine { ship }
            | Override { ship, .. }
            | PlaceSaved { ship, .. }
            | Warp { ship }
            | Surge { ship }
            | Claim { ship, .. } => Some(*ship),
            ChooseSector { .. }
            | Blast { .. }
            | ReturnCrystal { .. }
            | WarpRoll { .. }
            | WarpAgain
            | WarpTo { .. }
            | Waive
            | Resume
            | Correct(_) => None,
        }
    }
}

pub(crate) const TRACTOR_SPOTS: [Spot; 3] = [Spot::Beam, Spot::MineA, Spot::MineB];

/// The places of a display from which an obstacle takes dice.
pub(crate) fn obstacle_spots(station: Station) -> &'static [Spot] {
    const SHIELDS: [Spot; 4] = [
        Spot::Shield(Sector::Front),
        Spot::Shield(Sector::Right),
        Spot::Shield(Sector::Back),
        Spot::Shield(Sector::Left),
    ];
    const SENSORS: [Spot; 2] = [Spot::Lock, Spot::Jammer];
    match station {
        Station::Shields => &SHIELDS,
        Station::Sensors => &SENSORS,
        _ => &[],
    }
}
