//! The map and what lies on it.

use std::fmt;
use std::str::FromStr;

use super::ship_id::ParseNounError;
use super::square::{Facing, Square};
use crate::rules::{Span, string_serde};

/// What a square's ground is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Terrain {
    /// Free space.
    Open,
    /// Asteroids.
    Asteroid,
    /// A nebula.
    Nebula,
    /// One end of the wormhole.
    Wormhole,
    /// A rift (original Space Cadets tiles).
    Rift,
    /// A gravity arrow (original Space Cadets tiles).
    Gravity(Facing),
}

impl Terrain {
    /// All nine.
    pub const ALL: [Terrain; 9] = [
        Terrain::Open,
        Terrain::Asteroid,
        Terrain::Nebula,
        Terrain::Wormhole,
        Terrain::Rift,
        Terrain::Gravity(Facing::N),
        Terrain::Gravity(Facing::E),
        Terrain::Gravity(Facing::S),
        Terrain::Gravity(Facing::W),
    ];

    fn bit(self) -> u16 {
        let index = match self {
            Terrain::Open => 0,
            Terrain::Asteroid => 1,
            Terrain::Nebula => 2,
            Terrain::Wormhole => 3,
            Terrain::Rift => 4,
            Terrain::Gravity(to) => 5 + to.index(),
        };
        1 << index
    }

    fn letter(self) -> &'static str {
        match self {
            Terrain::Open => ".",
            Terrain::Asteroid => "A",
            Terrain::Nebula => "N",
            Terrain::Wormhole => "W",
            Terrain::Rift => "R",
            Terrain::Gravity(Facing::N) => "^",
            Terrain::Gravity(Facing::E) => ">",
            Terrain::Gravity(Facing::S) => "v",
            Terrain::Gravity(Facing::W) => "<",
        }
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terrain::Open => f.write_str("open"),
            Terrain::Asteroid => f.write_str("asteroid"),
            Terrain::Nebula => f.write_str("nebula"),
            Terrain::Wormhole => f.write_str("wormhole"),
            Terrain::Rift => f.write_str("rift"),
            Terrain::Gravity(to) => write!(f, "gravity-{to}"),
        }
    }
}

string_serde!(
    Terrain,
    "Terrain",
    "open, asteroid, nebula, wormhole, rift, or gravity-N, -E, -S, -W"
);

impl FromStr for Terrain {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Terrain::ALL
            .into_iter()
            .find(|t| t.to_string() == text)
            .ok_or_else(|| {
                ParseNounError::new(
                    text,
                    "a ground",
                    "write open, asteroid, nebula, wormhole, rift or gravity-N (E, S, W)",
                )
            })
    }
}

/// What may lie on the map or wait beside it, as a camera or person names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// A terrain token.
    Ground(Terrain),
    /// A mine.
    Mine,
    /// A crystal.
    Crystal,
    /// Nothing: one alternative of what may be there.
    Nothing,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Ground(Terrain::Open) | TokenKind::Nothing => f.write_str("-"),
            TokenKind::Ground(terrain) => terrain.fmt(f),
            TokenKind::Mine => f.write_str("mine"),
            TokenKind::Crystal => f.write_str("crystal"),
        }
    }
}

impl FromStr for TokenKind {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "-" => TokenKind::Nothing,
            "mine" => TokenKind::Mine,
            "crystal" => TokenKind::Crystal,
            _ => Terrain::ALL
                .into_iter()
                .skip(1)
                .find(|t| t.to_string() == text)
                .map(TokenKind::Ground)
                .ok_or_else(|| {
                    ParseNounError::new(
                        text,
                        "a token",
                        "write asteroid, nebula, wormhole, rift, gravity-N (E, S, W), mine, \
                         crystal, or - for nothing",
                    )
                })?,
        })
    }
}

string_serde!(
    TokenKind,
    "TokenKind",
    "asteroid, nebula, wormhole, rift, gravity-N, gravity-E, gravity-S, gravity-W, mine, crystal, or - for nothing"
);

/// A set of grounds: what a square may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grounds(u16);

impl Grounds {
    /// Nothing is possible.
    pub const NONE: Grounds = Grounds(0);

    /// Surely this.
    pub fn one(terrain: Terrain) -> Grounds {
        Grounds(terrain.bit())
    }

    /// This too.
    #[must_use]
    pub fn with(self, terrain: Terrain) -> Grounds {
        Grounds(self.0 | terrain.bit())
    }

    /// Not this.
    #[must_use]
    pub fn without(self, terrain: Terrain) -> Grounds {
        Grounds(self.0 & !terrain.bit())
    }

    /// The ground, where only one is possible.
    pub fn known(self) -> Option<Terrain> {
        if self.0.is_power_of_two() {
            self.iter().next()
        } else {
            None
        }
    }

    /// Whether it may be this.
    pub fn contains(self, terrain: Terrain) -> bool {
        self.0 & terrain.bit() != 0
    }

    /// Whether it may be anything but free space.
    pub fn may_act(self) -> bool {
        self.0 & !Terrain::Open.bit() != 0
    }

    /// Every ground that is possible.
    pub fn iter(self) -> impl Iterator<Item = Terrain> {
        Terrain::ALL.into_iter().filter(move |t| self.contains(*t))
    }
}

impl fmt::Debug for Grounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// One square: its ground, whether a mine lies there, how many crystals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// What the ground may be.
    pub ground: Grounds,
    /// How many mines: none, one, or not known.
    pub mines: Span,
    /// How many crystals.
    pub crystals: Span,
}

impl Cell {
    /// Free space with nothing on it.
    pub fn open() -> Cell {
        Cell {
            ground: Grounds::one(Terrain::Open),
            mines: Span::known(0),
            crystals: Span::known(0),
        }
    }

    /// Whether all that lies there is known.
    pub fn is_known(&self) -> bool {
        self.ground.known().is_some()
            && self.mines.value().is_some()
            && self.crystals.value().is_some()
    }
}

/// `.` open, `A N W R` tokens, `^ > v <` gravity, all that are possible in a row; then `*` for a
/// mine (`*?` perhaps), then the number of crystals (`0-2` where not known).
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for terrain in self.ground.iter() {
            f.write_str(terrain.letter())?;
        }
        match (self.mines.min, self.mines.max) {
            (0, 0) => {}
            (1.., _) => f.write_str("*")?,
            _ => f.write_str("*?")?,
        }
        match (self.crystals.min, self.crystals.max) {
            (0, 0) => Ok(()),
            (a, b) if a == b => write!(f, "{a}"),
            (a, b) => write!(f, "{a}-{b}"),
        }
    }
}

impl FromStr for Cell {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no = || {
            ParseNounError::new(
                text,
                "a square of the drawn map",
                "write . A N W R ^ > v or <, then * for a mine, then the number of crystals",
            )
        };
        let mut cell = Cell {
            ground: Grounds::NONE,
            ..Cell::open()
        };
        let mut rest = text;
        'letters: loop {
            for terrain in Terrain::ALL {
                if let Some(tail) = rest.strip_prefix(terrain.letter()) {
                    cell.ground = cell.ground.with(terrain);
                    rest = tail;
                    continue 'letters;
                }
            }
            break;
        }
        if cell.ground == Grounds::NONE {
            return Err(no());
        }
        if let Some(tail) = rest.strip_prefix('*') {
            cell.mines = Span::known(1);
            rest = tail;
            if let Some(tail) = rest.strip_prefix('?') {
                cell.mines = Span::between(0, 1);
                rest = tail;
            }
        }
        if !rest.is_empty() {
            let number = |t: &str| t.parse::<u16>().map_err(|_| no());
            cell.crystals = match rest.split_once('-') {
                Some((least, most)) => Span::between(number(least)?, number(most)?),
                None => Span::known(number(rest)?),
            };
        }
        Ok(cell)
    }
}

string_serde!(
    Cell,
    "Cell",
    "a square as the map is drawn: . open, A N W R asteroid, nebula, wormhole, rift, ^ > v < gravity (several letters where it may be either), then * for a mine (*? perhaps), then the number of crystals (0-2 where not known)"
);

/// The map as it lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cols: i16,
    rows: i16,
    cells: Vec<Cell>,
}

impl Board {
    /// An empty map.
    pub fn new(cols: i16, rows: i16) -> Board {
        let (cols, rows) = (cols.max(1), rows.max(1));
        Board {
            cols,
            rows,
            cells: vec![Cell::open(); cols as usize * rows as usize],
        }
    }

    /// Squares from left to right.
    pub fn cols(&self) -> i16 {
        self.cols
    }

    /// Squares from bottom to top.
    pub fn rows(&self) -> i16 {
        self.rows
    }

    /// Whether a square is on the map.
    pub fn contains(&self, square: Square) -> bool {
        (0..self.cols).contains(&square.x) && (0..self.rows).contains(&square.y)
    }

    fn index(&self, square: Square) -> Option<usize> {
        self.contains(square)
            .then(|| square.y as usize * self.cols as usize + square.x as usize)
    }

    /// A square; free space where it is off the map.
    pub fn cell(&self, square: Square) -> Cell {
        self.index(square)
            .and_then(|i| self.cells.get(i))
            .copied()
            .unwrap_or_else(Cell::open)
    }

    /// A square, to change it.
    pub(crate) fn cell_mut(&mut self, square: Square) -> Option<&mut Cell> {
        let index = self.index(square)?;
        self.cells.get_mut(index)
    }

    /// Every square with what lies there, row by row from the bottom left.
    pub fn cells(&self) -> impl Iterator<Item = (Square, Cell)> + '_ {
        let cols = self.cols;
        self.cells.iter().enumerate().map(move |(i, cell)| {
            let (x, y) = (i % cols as usize, i / cols as usize);
            (Square::new(x as i16, y as i16), *cell)
        })
    }

    /// Every square of the map.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (0..self.rows).flat_map(move |y| (0..self.cols).map(move |x| Square::new(x, y)))
    }

    /// Whether a rift lies, or may lie, anywhere.
    pub(crate) fn may_have_rifts(&self) -> bool {
        self.cells.iter().any(|c| c.ground.contains(Terrain::Rift))
    }

    /// The other end of the wormhole at `square`, where it is known.
    pub fn wormhole_exit(&self, square: Square) -> Option<Square> {
        let mut others = self
            .cells()
            .filter(|(s, c)| *s != square && c.ground.contains(Terrain::Wormhole));
        let (exit, cell) = others.next()?;
        (others.next().is_none() && cell.ground.known().is_some()).then_some(exit)
    }
}
