//! What is printed on a copy and how a group plays it: data, with the documented defaults.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ship_id::{ParseNounError, ShipId};
use super::square::{Facing, Square};
use super::symbol::{DieKind, Faces, Symbol};
use super::zone::{MAX_TUBES_A_SIDE, Side, Spot, Station, Tube};
use crate::rules::InputError;

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

/// Whether a target exactly on a diagonal is in the arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArcEdge {
    /// Diagonals belong to the arc.
    #[default]
    QuadrantInclusive,
    /// Diagonals belong to the side.
    QuadrantExclusive,
}

impl std::fmt::Display for ArcEdge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ArcEdge::QuadrantInclusive => "quadrant_inclusive",
            ArcEdge::QuadrantExclusive => "quadrant_exclusive",
        })
    }
}

impl std::str::FromStr for ArcEdge {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "quadrant_inclusive" => Ok(ArcEdge::QuadrantInclusive),
            "quadrant_exclusive" => Ok(ArcEdge::QuadrantExclusive),
            _ => Err(ParseNounError::new(
                text,
                "where the arc ends",
                "write quadrant_inclusive or quadrant_exclusive",
            )),
        }
    }
}

/// What a forward-two does with one free square before the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EdgeMove {
    /// The die moves the ship not at all.
    #[default]
    WholeDieStays,
    /// The ship goes as far as the edge.
    Clip,
}

impl std::fmt::Display for EdgeMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EdgeMove::WholeDieStays => "whole_die_stays",
            EdgeMove::Clip => "clip",
        })
    }
}

impl std::str::FromStr for EdgeMove {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "whole_die_stays" => Ok(EdgeMove::WholeDieStays),
            "clip" => Ok(EdgeMove::Clip),
            _ => Err(ParseNounError::new(
                text,
                "a move at the edge",
                "write whole_die_stays or clip",
            )),
        }
    }
}

/// Open points, each with the default that facts.md documents, and options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The edge of the firing arc.
    pub arc: ArcEdge,
    /// Forward two at the edge of the map.
    pub edge_forward_two: EdgeMove,
    /// "Fire 2" with one torpedo on the right side and one on the other: does the other leave
    /// too?
    pub fire_two_removes_other_side: bool,
    /// "Fire 2" at a target abeam: do both torpedoes leave?
    pub side_shot_removes_all_declared: bool,
    /// Does a Warp Jump's arrival count as entering the square?
    pub warp_arrival_enters: bool,
    /// Do a tractor attempt's dice leave when the strength is not enough?
    pub failed_tractor_removes_dice: bool,
    /// Does what lies on the first square of a wormhole act too?
    pub wormhole_entry_acts: bool,
    /// Does a ship keep its half when the other leaves the square?
    pub half_is_kept: bool,
    /// Is an energy die with a number of another station only worth a remark?
    pub energy_number_is_soft: bool,
    /// May tokens lie on crystal and start squares?
    pub tokens_on_marked_squares: bool,
    /// Original Space Cadets tiles: rifts and gravity arrows may lie on the map.
    pub original_tiles: bool,
    /// Does a rift block fire also from and to its own square?
    pub rift_blocks_at_its_own_square: bool,
    /// Wormhole tokens may lie on the map.
    pub wormholes: bool,
    /// Expansion symbols are of use: they may lie on displays (and count nothing here).
    pub expansion_symbols: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            arc: ArcEdge::default(),
            edge_forward_two: EdgeMove::default(),
            fire_two_removes_other_side: false,
            side_shot_removes_all_declared: true,
            warp_arrival_enters: true,
            failed_tractor_removes_dice: false,
            wormhole_entry_acts: true,
            half_is_kept: false,
            energy_number_is_soft: true,
            tokens_on_marked_squares: true,
            original_tiles: false,
            rift_blocks_at_its_own_square: true,
            wormholes: true,
            expansion_symbols: false,
        }
    }
}

impl Default for RuleNumbers {
    fn default() -> Self {
        RuleNumbers {
            hull: 4,
            least_lock: 1,
            beam_a_square: 2,
            least_beam: 1,
            asteroid_shields: 2,
            nebula_sensors: 2,
            mine_damage: 1,
            blasts_needed: vec![0, 1, 2],
            override_crystals: 1,
            warp_crystals: 1,
            surge_crystals: 2,
        }
    }
}

impl Default for DiceCount {
    fn default() -> Self {
        DiceCount {
            energy: 6,
            helm: 3,
            weapon: 6,
            sensor: 4,
            shield: 3,
            tractor: 3,
        }
    }
}

impl Default for DiceFaces {
    fn default() -> Self {
        use Symbol::*;
        DiceFaces {
            helm: vec![
                Forward1,
                Forward1,
                Forward2,
                ForwardRight,
                ForwardLeft,
                ForwardAround,
            ],
            weapon: vec![Nose, Body, Tail, Blast1, Blast1, Blast2],
            sensor: vec![Lock1, Lock1, Lock2, Jammer1, Jammer2, Expansion],
            shield: vec![Shield1, Shield2, Shield3, Shield4, Expansion, Expansion],
            tractor: vec![Beam1, Beam1, Beam2, MineA, MineB, Expansion],
        }
    }
}

impl Default for BoardPrint {
    fn default() -> Self {
        let start = |ship: ShipId, team: ShipId, x, y, facing| Start {
            ship,
            team,
            square: Square::new(x, y),
            facing,
        };
        let named = |name: &str| name.parse().unwrap_or(ShipId::WHITE);
        let (white, black) = (ShipId::WHITE, ShipId::BLACK);
        let (white2, black2) = (named("white-2"), named("black-2"));
        BoardPrint {
            name: "demo 10x8, not the printed board".into(),
            cols: 10,
            rows: 8,
            crystal_squares: [(1, 6), (4, 4), (7, 5), (2, 2), (5, 3), (8, 1)]
                .map(|(x, y)| Square::new(x, y))
                .to_vec(),
            starts: vec![
                start(white, white, 4, 0, Facing::N),
                start(black, black, 5, 7, Facing::S),
            ],
            second_starts: vec![
                start(white2, white, 3, 0, Facing::N),
                start(black2, black, 6, 7, Facing::S),
            ],
            free_for_all: vec![
                start(white, white, 0, 0, Facing::N),
                start(black, black, 9, 7, Facing::S),
                start(white2, white2, 0, 7, Facing::E),
                start(black2, black2, 9, 0, Facing::W),
            ],
        }
    }
}

impl Default for Print {
    fn default() -> Self {
        Print {
            board: BoardPrint::default(),
            energy: vec![
                Some(Station::Weapons),
                Some(Station::Sensors),
                Some(Station::Tractor),
                Some(Station::Shields),
                Some(Station::Helm),
                None,
            ],
            dice: DiceCount::default(),
            faces: DiceFaces::default(),
            tubes_a_side: 2,
            mines_a_ship: 2,
            crystals: 6,
            numbers: RuleNumbers::default(),
            options: Options::default(),
        }
    }
}

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
