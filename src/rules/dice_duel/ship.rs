//! One ship: where it stands and what lies on its displays.

use super::board::Board;
use super::dice_box::{DiceBox, Sums};
use super::print::Print;
use super::setup::Damage;
use super::ship_id::{ParseNounError, ShipId};
use super::square::{Facing, Half, Square};
use super::symbol::{DieKind, Part, Symbol};
use super::zone::{SPOTS, Sector, Side, Spot, Station, Tube};
use crate::rules::{Place, Span};

static NO_DICE: DiceBox = DiceBox::EMPTY;

/// Where a ship stands: square, facing, and half where it shares the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Its square.
    pub square: Square,
    /// Where it faces.
    pub facing: Facing,
    /// Its half.
    pub half: Half,
}

impl Placement {
    /// Alone in a square.
    pub const fn new(square: Square, facing: Facing) -> Placement {
        Placement {
            square,
            facing,
            half: Half::Whole,
        }
    }
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.square, self.facing)?;
        match self.half {
            Half::Whole => Ok(()),
            Half::At(edge) => write!(f, " in the {edge} half"),
        }
    }
}

impl std::str::FromStr for Placement {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let (stand, half) = match words.as_slice() {
            [square, facing] => ([square, facing], None),
            [square, facing, "in", "the", edge, "half"] => ([square, facing], Some(edge)),
            _ => {
                let hint = "write for instance [3,4] N, or [3,4] N in the S half";
                return Err(ParseNounError::new(text, "where a ship stands", hint));
            }
        };
        let [square, facing] = stand;
        Ok(Placement {
            square: square.parse()?,
            facing: facing.parse()?,
            half: half.map_or(Ok(Half::Whole), |edge| edge.parse().map(Half::At))?,
        })
    }
}

/// A ship of a [`Position`](super::Position).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ship {
    pub(crate) id: ShipId,
    pub(crate) team: ShipId,
    /// Its square as it was said; written by [`Ship::put`] only.
    pub(crate) said: Place<Square>,
    /// What the other ships leave of it: see [`Position::narrow`](super::Position::narrow).
    pub(crate) square: Place<Square>,
    pub(crate) facing: Place<Facing>,
    pub(crate) half: Place<Half>,
    pub(crate) dice: [DiceBox; SPOTS],
    pub(crate) crystals: Span,
    pub(crate) mines: Span,
    pub(crate) damage: Damage,
}

impl Ship {
    pub(crate) fn new(id: ShipId, team: ShipId) -> Ship {
        Ship {
            id,
            team,
            said: Place::Unknown,
            square: Place::Unknown,
            facing: Place::Unknown,
            half: Place::Unknown,
            dice: [DiceBox::EMPTY; SPOTS],
            crystals: Span::known(0),
            mines: Span::known(0),
            damage: Damage::default(),
        }
    }

    /// Its name.
    pub fn id(&self) -> ShipId {
        self.id
    }

    /// Its side.
    pub fn team(&self) -> ShipId {
        self.team
    }

    /// Its square, as far as the other ships leave it open.
    pub fn square(&self) -> &Place<Square> {
        &self.square
    }

    /// Says where it is.
    pub(crate) fn put(&mut self, square: Place<Square>) {
        self.square.clone_from(&square);
        self.said = square;
    }

    /// Whether it and another may be in one square: only ever in opposite halves.
    pub(crate) fn may_meet(&self, other: &Ship) -> bool {
        self.halves().iter().any(|half| match half {
            Half::At(edge) => other.halves().contains(&Half::At(edge.opposite())),
            Half::Whole => false,
        })
    }

    /// Where it faces.
    pub fn facing(&self) -> &Place<Facing> {
        &self.facing
    }

    /// Its half of the square.
    pub fn half(&self) -> &Place<Half> {
        &self.half
    }

    /// Where it stands, if all of that is known.
    pub fn placement(&self) -> Option<Placement> {
        Some(Placement {
            square: *self.square.known()?,
            facing: *self.facing.known()?,
            half: *self.half.known()?,
        })
    }

    /// The dice in a place.
    pub fn dice(&self, spot: Spot) -> &DiceBox {
        self.dice.get(spot.index()).unwrap_or(&NO_DICE)
    }

    pub(crate) fn dice_mut(&mut self, spot: Spot) -> Option<&mut DiceBox> {
        self.dice.get_mut(spot.index())
    }

    /// Crystals it has.
    pub fn crystals(&self) -> Span {
        self.crystals
    }

    /// Mine tokens on its display.
    pub fn mines(&self) -> Span {
        self.mines
    }

    /// Its damage.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Weapon lock points that are possible.
    pub fn lock(&self) -> Sums {
        self.dice(Spot::Lock).sums(Symbol::lock)
    }

    /// Jammer points that are possible.
    pub fn jammers(&self) -> Sums {
        self.dice(Spot::Jammer).sums(Symbol::jammer)
    }

    /// Tractor strength that is possible.
    pub fn beam(&self) -> Sums {
        self.dice(Spot::Beam).sums(Symbol::beam)
    }

    /// Shield dice that are possible in a sector.
    pub fn shields(&self, sector: Sector) -> Sums {
        self.dice(Spot::Shield(sector)).counts()
    }

    /// Whether a tube's slot is filled: surely, surely not, or `None`.
    pub(crate) fn slot_filled(&self, spot: Spot) -> Option<bool> {
        let dice = self.dice(spot).dice();
        if dice.is_empty() {
            Some(false)
        } else if dice.iter().any(|d| d.is_present()) {
            Some(true)
        } else {
            None
        }
    }

    /// Whether a tube is loaded: surely, surely not, or `None`.
    pub fn loaded(&self, tube: Tube) -> Option<bool> {
        let mut all = Some(true);
        for part in Part::ALL {
            match self.slot_filled(Spot::Tube(tube, part)) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
        }
        all
    }

    /// How many torpedoes may be loaded on each side: every possible pair, front first.
    pub(crate) fn torpedoes(&self, print: &Print) -> Torpedoes {
        let mut pairs = Torpedoes::one(0, 0);
        let most = print.dice_of(DieKind::Weapon) / 3;
        for tube in print.tubes() {
            pairs = match self.loaded(tube) {
                Some(false) => pairs,
                Some(true) => pairs.more(tube.side(), most),
                None => pairs.union(pairs.more(tube.side(), most)),
            };
        }
        pairs
    }

    /// Whether it is destroyed: surely, surely not, or `None`.
    pub fn destroyed(&self, print: &Print) -> Option<bool> {
        let hull = u16::from(print.numbers.hull);
        let damage = self.damage.total();
        if damage.min >= hull {
            Some(true)
        } else if damage.max < hull {
            Some(false)
        } else {
            None
        }
    }

    /// Whether a mine is armed: surely, surely not, or `None`.
    pub(crate) fn armed(&self) -> Option<bool> {
        match (self.slot_filled(Spot::MineA), self.slot_filled(Spot::MineB)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }

    /// How many dice of a kind lie on its displays.
    pub fn dice_on_displays(&self, kind: DieKind) -> Span {
        Spot::all()
            .flat_map(|spot| self.dice(spot).dice().iter().map(move |d| (spot, d)))
            .filter(|(spot, die)| {
                // A saved helm die lies among the energy.
                match spot {
                    Spot::Energy(Station::Helm) => die.symbols().any(|s| s.fits(kind)),
                    _ => spot.die_kind() == kind,
                }
            })
            .fold(Span::known(0), |sum, (_, die)| {
                // What may be of another kind is not surely of this one.
                let surely = die.is_present() && die.symbols().all(|s| s.fits(kind));
                sum.plus(Span::between(u16::from(surely), 1))
            })
    }

    /// Energy dice that are not on the damage display.
    pub fn energy_in_play(&self, print: &Print) -> Span {
        let all = u16::from(print.dice_of(DieKind::Energy));
        Span::between(
            all.saturating_sub(self.damage.dice.max),
            all.saturating_sub(self.damage.dice.min),
        )
    }

    /// How many station dice may be rolled at this moment: one for each energy die in the
    /// station's energy section, as far as dice are free.
    pub fn rollable(&self, print: &Print, station: Station) -> Span {
        let placed = self.dice_on_displays(station.die_kind());
        self.rollable_besides(placed, print, station)
    }

    /// The same, where so many of the station's dice lie on the ship's displays.
    pub(crate) fn rollable_besides(&self, placed: Span, print: &Print, station: Station) -> Span {
        let all = u16::from(print.dice_of(station.die_kind()));
        let energy = self
            .dice(Spot::Energy(station))
            .dice()
            .iter()
            .filter(|d| d.symbols().any(|s| s.fits(DieKind::Energy)))
            .fold(Span::known(0), |sum, die| {
                sum.plus(Span::between(u16::from(die.is_present()), 1))
            });
        let free = Span::between(
            all.saturating_sub(placed.max),
            all.saturating_sub(placed.min),
        );
        Span {
            min: energy.min.min(free.min),
            max: energy.max.min(free.max),
        }
    }

    /// The squares it may be on.
    pub(crate) fn squares<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Square> + 'a {
        let named = self.square.candidates();
        let all = match named {
            Some(_) => None,
            None => Some(board.squares()),
        };
        named
            .unwrap_or_default()
            .iter()
            .copied()
            .chain(all.into_iter().flatten())
    }

    /// How many squares it may be on.
    pub(crate) fn square_count(&self, board: &Board) -> usize {
        match self.square.candidates() {
            Some(squares) => squares.len(),
            None => board.cols() as usize * board.rows() as usize,
        }
    }

    /// The ways it may face.
    pub(crate) fn facings(&self) -> &[Facing] {
        self.facing.candidates().unwrap_or(&Facing::ALL)
    }

    /// The halves it may be in.
    pub(crate) fn halves(&self) -> &[Half] {
        self.half.candidates().unwrap_or(&Half::ALL)
    }
}

/// Every possible pair of torpedoes loaded in front and in the rear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Torpedoes(u16);

impl Torpedoes {
    fn one(front: u8, rear: u8) -> Torpedoes {
        Torpedoes(1 << (front.min(3) * 4 + rear.min(3)))
    }

    fn union(self, other: Torpedoes) -> Torpedoes {
        Torpedoes(self.0 | other.0)
    }

    fn more(self, side: Side, most: u8) -> Torpedoes {
        let mut next = Torpedoes(0);
        for (front, rear) in self.pairs() {
            let (front, rear) = match side {
                Side::Front => (front + 1, rear),
                Side::Rear => (front, rear + 1),
            };
            // More than the dice make cannot be, whatever the unread places suggest.
            if front + rear <= most.max(2) {
                next = next.union(Torpedoes::one(front, rear));
            }
        }
        if next.0 == 0 { self } else { next }
    }

    /// The pairs: loaded in front, loaded in the rear.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (u8, u8)> {
        (0..16u8)
            .filter(move |i| self.0 & (1 << i) != 0)
            .map(|i| (i / 4, i % 4))
    }

    /// Whether only one pair is possible.
    pub(crate) fn is_known(self) -> bool {
        self.0.is_power_of_two()
    }
}
