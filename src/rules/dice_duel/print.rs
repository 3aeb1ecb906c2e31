//! What is printed on a copy and how a group plays it: data. Every default is in
//! `demo_print.json` beside this file, and nowhere in the code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::Terrain;
use super::ship_id::ShipId;
use super::square::{Facing, Square};
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{MAX_TUBES_A_SIDE, Side, Spot, Station, Tube};
use crate::rules::InputError;

pub use super::options::{
    ArcEdge, EdgeMove, OffMapPush, Options, OwnSquareMine, SavedDie, WormholeHalf,
};

/// The copy that is meant where nothing is said: the demo board, and the defaults of every open
/// point. A copy's own data need to name only what differs.
pub const DEMO_PRINT: &str = include_str!("demo_print.json");

/// A part of [`DEMO_PRINT`], read into a type that has no defaults to fall back on.
pub(super) fn from_demo<T: serde::de::DeserializeOwned>(part: &str) -> T {
    let read = || {
        let whole: serde_json::Value = serde_json::from_str(DEMO_PRINT)?;
        let part = match part {
            "" => Some(&whole),
            _ => whole.get(part),
        };
        T::deserialize(part.unwrap_or(&serde_json::Value::Null))
    };
    match read() {
        Ok(value) => value,
        // The file is compiled in and every test reads it: no user's data leads here.
        Err(error) => panic!("demo_print.json, {part:?}: {error}"),
    }
}

/// The default of a struct is its part of `demo_print.json`, read once. Reading the struct itself
/// would ask for its default, so it is read as one with the same fields that must all be there.
macro_rules! demo {
    ($name:ident, $part:literal { $($field:ident: $type:ty,)* }) => {
        impl Default for $name {
            fn default() -> Self {
                #[derive(serde::Deserialize)]
                #[serde(deny_unknown_fields)]
                struct All {
                    $($field: $type,)*
                }
                static DEMO: std::sync::OnceLock<$name> = std::sync::OnceLock::new();
                DEMO.get_or_init(|| {
                    let All { $($field,)* } = super::print::from_demo($part);
                    $name { $($field,)* }
                })
                .clone()
            }
        }
    };
}
pub(super) use demo;

/// The most columns or rows a map may have.
pub const MAX_BOARD_SIDE: u8 = 64;
/// The most dice of one kind a ship may have.
pub const MAX_DICE_OF_A_KIND: u8 = 8;

/// A copy's printed matter and the options it is played with. Every field has a default; the
/// board is a demo, not the published one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Print {
    /// The map.
    pub board: BoardPrint,
    /// The station each number of an energy die powers, from 1; `null` must be rolled again.
    pub energy: Vec<Option<Station>>,
    /// How many dice of each kind a ship has.
    pub dice: DiceCount,
    /// What is on the faces of each kind of die, once for each face: for chances only.
    pub faces: DiceFaces,
    /// Torpedo tubes on each side of a ship.
    pub tubes_a_side: u8,
    /// Mine tokens of each ship.
    pub mines_a_ship: u8,
    /// Crystals in the box.
    pub crystals: u8,
    /// The numbers of the rule book.
    pub numbers: RuleNumbers,
    /// Open points of the rule book, and options.
    pub options: Options,
}

/// The map: its size, its numbered crystal squares (from 1) and where ships start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BoardPrint {
    /// What to call it.
    pub name: String,
    /// Squares from left to right.
    pub cols: u8,
    /// Squares from bottom to top.
    pub rows: u8,
    /// The squares numbered 1, 2, 3, …
    pub crystal_squares: Vec<Square>,
    /// Where the two ships of a duel start.
    pub starts: Vec<Start>,
    /// Where the second ships start when each side has two.
    pub second_starts: Vec<Start>,
    /// Where ships start when all are against all.
    pub free_for_all: Vec<Start>,
}

/// Where a ship starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The ship.
    pub ship: ShipId,
    /// Its side.
    pub team: ShipId,
    /// Its square.
    pub square: Square,
    /// Where it faces.
    pub facing: Facing,
}

/// How many dice of each kind a ship has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiceCount {
    /// White.
    pub energy: u8,
    /// Yellow.
    pub helm: u8,
    /// Red.
    pub weapon: u8,
    /// Green.
    pub sensor: u8,
    /// Blue.
    pub shield: u8,
    /// Orange.
    pub tractor: u8,
}

/// The faces of each station die, one entry a face. Only the symbols are certain; how often each
/// occurs was not found, so these are assumptions that a copy's own data replaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiceFaces {
    /// Yellow.
    pub helm: Vec<Symbol>,
    /// Red.
    pub weapon: Vec<Symbol>,
    /// Green.
    pub sensor: Vec<Symbol>,
    /// Blue.
    pub shield: Vec<Symbol>,
    /// Orange.
    pub tractor: Vec<Symbol>,
}

/// The numbers of the rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RuleNumbers {
    /// Damage that destroys a ship.
    pub hull: u8,
    /// The least lock that hits anything.
    pub least_lock: u8,
    /// Tractor strength for each square of range.
    pub beam_a_square: u8,
    /// The least tractor strength that pulls anything.
    pub least_beam: u8,
    /// Shield dice lost to an asteroid square.
    pub asteroid_shields: u8,
    /// Sensor dice lost to a nebula square.
    pub nebula_sensors: u8,
    /// Damage by a mine.
    pub mine_damage: u8,
    /// Blasts a torpedo must roll against 0, 1, 2, … shield dice; more dice than listed stop it.
    pub blasts_needed: Vec<u8>,
    /// Crystals for a Station Override.
    pub override_crystals: u8,
    /// Crystals for a Warp Jump, and for each further roll.
    pub warp_crystals: u8,
    /// Crystals for an Energy Surge, the one on the damage track included.
    pub surge_crystals: u8,
}

demo!(BoardPrint, "board" {
    name: String,
    cols: u8,
    rows: u8,
    crystal_squares: Vec<Square>,
    starts: Vec<Start>,
    second_starts: Vec<Start>,
    free_for_all: Vec<Start>,
});

demo!(DiceCount, "dice" {
    energy: u8,
    helm: u8,
    weapon: u8,
    sensor: u8,
    shield: u8,
    tractor: u8,
});

demo!(DiceFaces, "faces" {
    helm: Vec<Symbol>,
    weapon: Vec<Symbol>,
    sensor: Vec<Symbol>,
    shield: Vec<Symbol>,
    tractor: Vec<Symbol>,
});

demo!(RuleNumbers, "numbers" {
    hull: u8,
    least_lock: u8,
    beam_a_square: u8,
    least_beam: u8,
    asteroid_shields: u8,
    nebula_sensors: u8,
    mine_damage: u8,
    blasts_needed: Vec<u8>,
    override_crystals: u8,
    warp_crystals: u8,
    surge_crystals: u8,
});

demo!(Print, "" {
    board: BoardPrint,
    energy: Vec<Option<Station>>,
    dice: DiceCount,
    faces: DiceFaces,
    tubes_a_side: u8,
    mines_a_ship: u8,
    crystals: u8,
    numbers: RuleNumbers,
    options: Options,
});

impl Print {
    /// The station an energy die of this number powers; `None` where it must be rolled again.
    pub fn route(&self, number: u8) -> Option<Station> {
        let index = usize::from(number).checked_sub(1)?;
        self.energy
            .get(index)
            .copied()
            .flatten()
            .filter(|s| *s != Station::Engineering)
    }

    /// How many dice of a kind a ship has.
    pub fn dice_of(&self, kind: DieKind) -> u8 {
        match kind {
            DieKind::Energy => self.dice.energy,
            DieKind::Helm => self.dice.helm,
            DieKind::Weapon => self.dice.weapon,
            DieKind::Sensor => self.dice.sensor,
            DieKind::Shield => self.dice.shield,
            DieKind::Tractor => self.dice.tractor,
        }
        .min(MAX_DICE_OF_A_KIND)
    }

    /// Columns of the map.
    pub fn cols(&self) -> i16 {
        i16::from(self.board.cols.clamp(1, MAX_BOARD_SIDE))
    }

    /// Rows of the map.
    pub fn rows(&self) -> i16 {
        i16::from(self.board.rows.clamp(1, MAX_BOARD_SIDE))
    }

    /// Whether a square is on the map.
    pub fn on_map(&self, square: Square) -> bool {
        (0..self.cols()).contains(&square.x) && (0..self.rows()).contains(&square.y)
    }

    /// The square with a crystal number.
    pub fn crystal_square(&self, number: u8) -> Option<Square> {
        let index = usize::from(number).checked_sub(1)?;
        self.board
            .crystal_squares
            .get(index)
            .copied()
            .filter(|s| self.on_map(*s))
    }

    /// The tubes a ship has.
    pub fn tubes(&self) -> impl Iterator<Item = Tube> + '_ {
        Tube::all().filter(|t| t.number() <= self.tubes_a_side)
    }

    /// The tubes on one side.
    pub fn tubes_on(&self, side: Side) -> impl Iterator<Item = Tube> + '_ {
        self.tubes().filter(move |t| t.side() == side)
    }

    /// Whether the options let a token of this ground lie on the map.
    pub fn in_play(&self, terrain: Terrain) -> bool {
        match terrain {
            Terrain::Open | Terrain::Asteroid | Terrain::Nebula => true,
            Terrain::Wormhole => self.options.wormholes,
            Terrain::Rift | Terrain::Gravity(_) => self.options.original_tiles,
        }
    }

    /// The symbols that may lie in a place of this copy.
    pub fn legal(&self, spot: Spot) -> Faces {
        match spot {
            Spot::Tube(tube, _) if tube.number() > self.tubes_a_side => Faces::NONE,
            // A helm die saved by a gravity arrow waits among the helm's energy.
            Spot::Energy(Station::Helm) if self.options.original_tiles => {
                spot.legal().union(DieKind::Helm.symbols())
            }
            _ => spot.legal(),
        }
    }

    /// The faces of a kind of die as the copy says, once each; energy dice are plain.
    pub fn faces_of(&self, kind: DieKind) -> &[Symbol] {
        const ENERGY: [Symbol; 6] = [
            Symbol::Energy1,
            Symbol::Energy2,
            Symbol::Energy3,
            Symbol::Energy4,
            Symbol::Energy5,
            Symbol::Energy6,
        ];
        match kind {
            DieKind::Energy => &ENERGY,
            DieKind::Helm => &self.faces.helm,
            DieKind::Weapon => &self.faces.weapon,
            DieKind::Sensor => &self.faces.sensor,
            DieKind::Shield => &self.faces.shield,
            DieKind::Tractor => &self.faces.tractor,
        }
    }

    /// Checks that the data describe a game that can be played.
    ///
    /// # Errors
    ///
    /// The first field that does not fit, with its path below `path`.
    pub fn check(&self, path: &str) -> Result<(), InputError> {
        let no = |field: String, what: String| {
            Err(InputError::Impossible {
                path: format!("{path}.{field}"),
                what,
            })
        };
        for (field, n) in [("cols", self.board.cols), ("rows", self.board.rows)] {
            if n == 0 || n > MAX_BOARD_SIDE {
                return no(
                    format!("board.{field}"),
                    format!("a map has 1 to {MAX_BOARD_SIDE} of them, not {n}"),
                );
            }
        }
        for kind in DieKind::ALL {
            let n = match kind {
                DieKind::Energy => self.dice.energy,
                DieKind::Helm => self.dice.helm,
                DieKind::Weapon => self.dice.weapon,
                DieKind::Sensor => self.dice.sensor,
                DieKind::Shield => self.dice.shield,
                DieKind::Tractor => self.dice.tractor,
            };
            if n > MAX_DICE_OF_A_KIND {
                return no(
                    format!("dice.{kind}"),
                    format!("a ship has at most {MAX_DICE_OF_A_KIND} dice of a kind, not {n}"),
                );
            }
            if let Some(i) = self.faces_of(kind).iter().position(|s| !s.fits(kind)) {
                return no(
                    format!("faces.{kind}[{i}]"),
                    format!("a {kind} die has no such face"),
                );
            }
        }
        if self.tubes_a_side > MAX_TUBES_A_SIDE {
            return no(
                "tubes_a_side".into(),
                format!("at most {MAX_TUBES_A_SIDE} tubes a side"),
            );
        }
        if self.energy.len() > 6 {
            return no("energy".into(), "an energy die has six numbers".into());
        }
        if self.energy.contains(&Some(Station::Engineering)) {
            return no(
                "energy".into(),
                "engineering gives energy and receives none".into(),
            );
        }
        if self.board.crystal_squares.len() > 6 {
            return no(
                "board.crystal_squares".into(),
                "a die names at most six squares".into(),
            );
        }
        for (i, square) in self.board.crystal_squares.iter().enumerate() {
            if !self.on_map(*square) {
                return no(
                    format!("board.crystal_squares[{i}]"),
                    format!("{square} is off the map"),
                );
            }
        }
        let lists = [
            ("starts", &self.board.starts),
            ("second_starts", &self.board.second_starts),
            ("free_for_all", &self.board.free_for_all),
        ];
        for (name, starts) in lists {
            for (i, start) in starts.iter().enumerate() {
                if !self.on_map(start.square) {
                    return no(
                        format!("board.{name}[{i}].square"),
                        format!("{} is off the map", start.square),
                    );
                }
            }
        }
        if self.numbers.hull == 0 {
            return no("numbers.hull".into(), "a ship needs some hull".into());
        }
        Ok(())
    }
}
