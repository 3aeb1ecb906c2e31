//! Stations, the places on their displays where dice lie, and every other named region.

use std::fmt;
use std::str::FromStr;

use super::ship_id::{ParseNounError, ShipId};
use super::square::Square;
use super::symbol::{DieKind, Faces, Part, Symbol};
use crate::rules::string_serde;

/// The six stations of a ship, in the order in which its displays are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Station {
    /// Rolls the energy dice and hands them out.
    Engineering,
    /// Moves the ship.
    Helm,
    /// Loads torpedoes.
    Weapons,
    /// Locks on, and jams.
    Sensors,
    /// Guards the four sides.
    Shields,
    /// Pulls crystals and ships, lays mines.
    Tractor,
}

impl Station {
    /// All six.
    pub const ALL: [Station; 6] = [
        Station::Engineering,
        Station::Helm,
        Station::Weapons,
        Station::Sensors,
        Station::Shields,
        Station::Tractor,
    ];

    /// The five that receive energy.
    pub const POWERED: [Station; 5] = [
        Station::Helm,
        Station::Weapons,
        Station::Sensors,
        Station::Shields,
        Station::Tractor,
    ];

    /// The dice this station rolls.
    pub fn die_kind(self) -> DieKind {
        match self {
            Station::Engineering => DieKind::Energy,
            Station::Helm => DieKind::Helm,
            Station::Weapons => DieKind::Weapon,
            Station::Sensors => DieKind::Sensor,
            Station::Shields => DieKind::Shield,
            Station::Tractor => DieKind::Tractor,
        }
    }

    /// The name as people say it.
    pub fn title(self) -> &'static str {
        match self {
            Station::Engineering => "Engineering",
            Station::Helm => "Helm",
            Station::Weapons => "Weapons",
            Station::Sensors => "Sensors",
            Station::Shields => "Shields",
            Station::Tractor => "Tractor",
        }
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Station::Engineering => "engineering",
            Station::Helm => "helm",
            Station::Weapons => "weapons",
            Station::Sensors => "sensors",
            Station::Shields => "shields",
            Station::Tractor => "tractor",
        })
    }
}

impl FromStr for Station {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Station::ALL
            .into_iter()
            .find(|s| s.to_string() == text)
            .ok_or_else(|| {
                ParseNounError::new(
                    text,
                    "a station",
                    "write engineering, helm, weapons, sensors, shields or tractor",
                )
            })
    }
}

string_serde!(
    Station,
    "Station",
    "engineering, helm, weapons, sensors, shields or tractor"
);

/// The side of a ship on which a torpedo tube is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Ahead.
    Front,
    /// Astern.
    Rear,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Front, Side::Rear];
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Front => "front",
            Side::Rear => "rear",
        })
    }
}

impl FromStr for Side {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "front" => Ok(Side::Front),
            "rear" => Ok(Side::Rear),
            _ => Err(ParseNounError::new(
                text,
                "a side with tubes",
                "write front or rear",
            )),
        }
    }
}

string_serde!(Side, "Side", "front or rear");

/// The most tubes a side of a ship may have in a copy's data.
pub const MAX_TUBES_A_SIDE: u8 = 3;

/// A torpedo tube, such as `front-1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tube {
    side: Side,
    number: u8,
}

impl Tube {
    /// Tube `number` (from 1, at most [`MAX_TUBES_A_SIDE`]) of a side.
    pub fn new(side: Side, number: u8) -> Option<Tube> {
        (1..=MAX_TUBES_A_SIDE)
            .contains(&number)
            .then_some(Tube { side, number })
    }

    /// Every tube there can be, front before rear.
    pub fn all() -> impl Iterator<Item = Tube> {
        Side::ALL
            .into_iter()
            .flat_map(|side| (1..=MAX_TUBES_A_SIDE).map(move |number| Tube { side, number }))
    }

    /// Front or rear.
    pub fn side(self) -> Side {
        self.side
    }

    /// Counted from 1 on its side.
    pub fn number(self) -> u8 {
        self.number
    }
}

impl fmt::Display for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.side, self.number)
    }
}

impl fmt::Debug for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Tube {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('-')
            .and_then(|(side, number)| Tube::new(side.parse().ok()?, number.parse().ok()?))
            .ok_or_else(|| {
                ParseNounError::new(text, "a tube", "write front-1, front-2, rear-1 or rear-2")
            })
    }
}

string_serde!(
    Tube,
    "Tube",
    "a torpedo tube: front-1, front-2, rear-1 or rear-2"
);

/// One of the four sides that shields guard: 1 front, 2 right, 3 back, 4 left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sector {
    /// 1.
    Front,
    /// 2.
    Right,
    /// 3.
    Back,
    /// 4.
    Left,
}

impl Sector {
    /// All four, clockwise.
    pub const ALL: [Sector; 4] = [Sector::Front, Sector::Right, Sector::Back, Sector::Left];

    /// The number on the display.
    pub fn number(self) -> u8 {
        match self {
            Sector::Front => 1,
            Sector::Right => 2,
            Sector::Back => 3,
            Sector::Left => 4,
        }
    }

    /// The sector with that number.
    pub fn from_number(n: u8) -> Option<Sector> {
        Sector::ALL.into_iter().find(|s| s.number() == n)
    }

    /// The shield die that may lie there.
    pub fn symbol(self) -> Symbol {
        match self {
            Sector::Front => Symbol::Shield1,
            Sector::Right => Symbol::Shield2,
            Sector::Back => Symbol::Shield3,
            Sector::Left => Symbol::Shield4,
        }
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.number()) - 1
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl FromStr for Sector {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse()
            .ok()
            .and_then(Sector::from_number)
            .ok_or_else(|| ParseNounError::new(text, "a shield sector", "write 1, 2, 3 or 4"))
    }
}

string_serde!(
    Sector,
    "Sector",
    "a shield sector: 1 front, 2 right, 3 back, 4 left"
);

/// A slot of the helm display; the dice are carried out in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HelmSlot {
    /// First.
    A,
    /// Second.
    B,
    /// Third.
    C,
}

impl HelmSlot {
    /// In the order in which they are carried out.
    pub const ALL: [HelmSlot; 3] = [HelmSlot::A, HelmSlot::B, HelmSlot::C];
}

impl fmt::Display for HelmSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl FromStr for HelmSlot {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        HelmSlot::ALL
            .into_iter()
            .find(|s| s.to_string() == text)
            .ok_or_else(|| ParseNounError::new(text, "a slot of the helm", "write A, B or C"))
    }
}

string_serde!(HelmSlot, "HelmSlot", "A, B or C");

/// A place on one ship's displays where dice lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// Engineering's dice, to be rolled.
    Pool,
    /// The striped energy section of a display.
    Energy(Station),
    /// A slot of the helm display.
    Helm(HelmSlot),
    /// A third of a torpedo tube.
    Tube(Tube, Part),
    /// The weapon lock box.
    Lock,
    /// The jammer box.
    Jammer,
    /// A shield sector.
    Shield(Sector),
    /// Where tractor strength lies.
    Beam,
    /// Where the first mine is armed.
    MineA,
    /// Where the second mine is armed.
    MineB,
}

const TUBE_SLOTS: usize = 2 * (MAX_TUBES_A_SIDE as usize) * 3;
/// How many spots there are.
pub(crate) const SPOTS: usize = 1 + 5 + 3 + TUBE_SLOTS + 2 + 4 + 3;

impl Spot {
    /// Every spot, in the order of the displays.
    pub fn all() -> impl Iterator<Item = Spot> {
        std::iter::once(Spot::Pool)
            .chain(Station::POWERED.into_iter().map(Spot::Energy))
            .chain(HelmSlot::ALL.into_iter().map(Spot::Helm))
            .chain(Tube::all().flat_map(|t| Part::ALL.into_iter().map(move |p| Spot::Tube(t, p))))
            .chain([Spot::Lock, Spot::Jammer])
            .chain(Sector::ALL.into_iter().map(Spot::Shield))
            .chain([Spot::Beam, Spot::MineA, Spot::MineB])
    }

    /// Its place in [`Spot::all`].
    pub(crate) fn index(self) -> usize {
        match self {
            Spot::Pool => 0,
            Spot::Energy(station) => match station {
                Station::Engineering => 0,
                Station::Helm => 1,
                Station::Weapons => 2,
                Station::Sensors => 3,
                Station::Shields => 4,
                Station::Tractor => 5,
            },
            Spot::Helm(slot) => 6 + slot as usize,
            Spot::Tube(tube, part) => {
                let tube_index = match tube.side {
                    Side::Front => 0,
                    Side::Rear => usize::from(MAX_TUBES_A_SIDE),
                } + usize::from(tube.number.saturating_sub(1));
                9 + 3 * tube_index + part as usize
            }
            Spot::Lock => 9 + TUBE_SLOTS,
            Spot::Jammer => 10 + TUBE_SLOTS,
            Spot::Shield(sector) => 11 + TUBE_SLOTS + sector as usize,
            Spot::Beam => 15 + TUBE_SLOTS,
            Spot::MineA => 16 + TUBE_SLOTS,
            Spot::MineB => 17 + TUBE_SLOTS,
        }
    }

    /// The display it is on.
    pub fn station(self) -> Station {
        match self {
            Spot::Pool => Station::Engineering,
            Spot::Energy(station) => station,
            Spot::Helm(_) => Station::Helm,
            Spot::Tube(..) => Station::Weapons,
            Spot::Lock | Spot::Jammer => Station::Sensors,
            Spot::Shield(_) => Station::Shields,
            Spot::Beam | Spot::MineA | Spot::MineB => Station::Tractor,
        }
    }

    /// The kind of die that may lie there.
    pub fn die_kind(self) -> DieKind {
        match self {
            Spot::Pool | Spot::Energy(_) => DieKind::Energy,
            _ => self.station().die_kind(),
        }
    }

    /// Whether one die fills it.
    pub fn is_slot(self) -> bool {
        matches!(
            self,
            Spot::Helm(_) | Spot::Tube(..) | Spot::MineA | Spot::MineB
        )
    }

    /// The symbols that may lie there.
    pub const fn legal(self) -> Faces {
        use Symbol::*;
        const fn all(symbols: &[Symbol]) -> Faces {
            let mut faces = Faces::NONE;
            let mut rest = symbols;
            while let [first, others @ ..] = rest {
                faces = faces.union(Faces::one(*first));
                rest = others;
            }
            faces
        }
        match self {
            Spot::Pool | Spot::Energy(_) => {
                all(&[Energy1, Energy2, Energy3, Energy4, Energy5, Energy6])
            }
            Spot::Helm(_) => all(&[Forward1, Forward2, ForwardRight, ForwardLeft, ForwardAround]),
            Spot::Tube(_, Part::Nose) => all(&[Nose, NoseBlast1, NoseBlast2]),
            Spot::Tube(_, Part::Body) => all(&[Body, BodyBlast1, BodyBlast2]),
            Spot::Tube(_, Part::Tail) => all(&[Tail, TailBlast1, TailBlast2]),
            Spot::Lock => all(&[Lock1, Lock2]),
            Spot::Jammer => all(&[Jammer1, Jammer2]),
            Spot::Shield(Sector::Front) => all(&[Shield1]),
            Spot::Shield(Sector::Right) => all(&[Shield2]),
            Spot::Shield(Sector::Back) => all(&[Shield3]),
            Spot::Shield(Sector::Left) => all(&[Shield4]),
            Spot::Beam => all(&[Beam1, Beam2]),
            Spot::MineA => all(&[MineA, MineAB]),
            Spot::MineB => all(&[MineB, MineAB]),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spot::Pool => f.write_str("engineering.pool"),
            Spot::Energy(station) => write!(f, "{station}.energy"),
            Spot::Helm(slot) => write!(f, "helm.{slot}"),
            Spot::Tube(tube, part) => write!(f, "weapons.{tube}.{part}"),
            Spot::Lock => f.write_str("sensors.lock"),
            Spot::Jammer => f.write_str("sensors.jammer"),
            Spot::Shield(sector) => write!(f, "shields.{sector}"),
            Spot::Beam => f.write_str("tractor.beam"),
            Spot::MineA => f.write_str("tractor.mine-A"),
            Spot::MineB => f.write_str("tractor.mine-B"),
        }
    }
}

impl FromStr for Spot {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Spot::parse(text).ok_or_else(|| {
            ParseNounError::new(
                text,
                "a place on a display",
                "write for instance sensors.lock, weapons.front-1.nose, helm.A, shields.2, \
                 tractor.mine-A or engineering.pool",
            )
        })
    }
}

impl Spot {
    fn parse(text: &str) -> Option<Spot> {
        let (station, place) = text.split_once('.')?;
        let station: Station = station.parse().ok()?;
        if place == "energy" && station != Station::Engineering {
            return Some(Spot::Energy(station));
        }
        match station {
            Station::Engineering => (place == "pool").then_some(Spot::Pool),
            Station::Helm => place.parse().ok().map(Spot::Helm),
            Station::Weapons => {
                let (tube, part) = place.split_once('.')?;
                Some(Spot::Tube(tube.parse().ok()?, part.parse().ok()?))
            }
            Station::Sensors => match place {
                "lock" => Some(Spot::Lock),
                "jammer" => Some(Spot::Jammer),
                _ => None,
            },
            Station::Shields => place.parse().ok().map(Spot::Shield),
            Station::Tractor => match place {
                "beam" => Some(Spot::Beam),
                "mine-A" => Some(Spot::MineA),
                "mine-B" => Some(Spot::MineB),
                _ => None,
            },
        }
    }
}

string_serde!(
    Spot,
    "Spot",
    "a place on one ship's displays, such as sensors.lock or weapons.front-1.nose"
);

/// Any named region of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// A place on a ship's display.
    On(ShipId, Spot),
    /// On a ship's display, in none of its places.
    Display(ShipId, Station),
    /// A ship's part of the damage display; its spaces may be numbered.
    Damage(ShipId, Option<u8>),
    /// A ship's crystals.
    Crystals(ShipId),
    /// The bare table beside a ship's displays.
    Beside(ShipId),
    /// The ship itself: its square, facing and half.
    Ship(ShipId),
    /// A square of the map.
    Board(Square),
    /// The map as a whole.
    Map,
    /// Where spent crystals wait.
    UsedCrystals,
    /// The bare table, anywhere.
    Table,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::On(ship, spot) => write!(f, "{ship}.{spot}"),
            Zone::Display(ship, station) => write!(f, "{ship}.{station}"),
            Zone::Damage(ship, None) => write!(f, "{ship}.damage"),
            Zone::Damage(ship, Some(n)) => write!(f, "{ship}.damage.{n}"),
            Zone::Crystals(ship) => write!(f, "{ship}.crystals"),
            Zone::Beside(ship) => write!(f, "{ship}.table"),
            Zone::Ship(ship) => write!(f, "{ship}.ship"),
            Zone::Board(square) => write!(f, "board{square}"),
            Zone::Map => f.write_str("board"),
            Zone::UsedCrystals => f.write_str("board.used-crystals"),
            Zone::Table => f.write_str("table"),
        }
    }
}

impl FromStr for Zone {
    type Err = ParseNounError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Zone::parse(text).ok_or_else(|| {
            ParseNounError::new(
                text,
                "a zone",
                "write for instance white.sensors.lock, black.weapons.rear-1.tail, \
                 white.damage, board[3,4], board.used-crystals or table",
            )
        })
    }
}

impl Zone {
    fn parse(text: &str) -> Option<Zone> {
        match text {
            "table" => return Some(Zone::Table),
            "board" => return Some(Zone::Map),
            "board.used-crystals" => return Some(Zone::UsedCrystals),
            _ => {}
        }
        if let Some(square) = text.strip_prefix("board") {
            return square.parse().ok().map(Zone::Board);
        }
        let (ship, rest) = text.split_once('.')?;
        let ship: ShipId = ship.parse().ok()?;
        match rest {
            "damage" => return Some(Zone::Damage(ship, None)),
            "crystals" => return Some(Zone::Crystals(ship)),
            "table" => return Some(Zone::Beside(ship)),
            "ship" => return Some(Zone::Ship(ship)),
            _ => {}
        }
        if let Some(n) = rest.strip_prefix("damage.") {
            return n.parse().ok().map(|n| Zone::Damage(ship, Some(n)));
        }
        if let Ok(station) = rest.parse() {
            return Some(Zone::Display(ship, station));
        }
        Spot::parse(rest).map(|spot| Zone::On(ship, spot))
    }

    /// Whose zone it is.
    pub fn ship(self) -> Option<ShipId> {
        match self {
            Zone::On(ship, _)
            | Zone::Display(ship, _)
            | Zone::Damage(ship, _)
            | Zone::Crystals(ship)
            | Zone::Beside(ship)
            | Zone::Ship(ship) => Some(ship),
            Zone::Board(_) | Zone::Map | Zone::UsedCrystals | Zone::Table => None,
        }
    }
}

string_serde!(
    Zone,
    "Zone",
    "a named region: white.sensors.lock, black.weapons.rear-1.tail, white.helm.A, white.shields.2, white.tractor.mine-A, white.engineering.pool, white.weapons.energy, white.damage, white.crystals, white.table, board[3,4], board.used-crystals, table"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_spot_has_its_own_place_in_the_order_of_all() {
        let all: Vec<Spot> = Spot::all().collect();
        assert_eq!(all.len(), SPOTS);
        for (i, spot) in all.iter().enumerate() {
            assert_eq!(spot.index(), i, "{spot}");
            assert_eq!(spot.to_string().parse(), Ok(*spot));
        }
    }

    #[test]
    fn only_the_zone_words_of_the_design_are_zones() {
        for text in [
            "white.weapons.front-1.nose",
            "black.helm.A",
            "white.shields.2",
            "board[3,4]",
            "board[-1,0]",
            "table",
            "white.table",
            "white.helm",
            "black-2.damage.4",
            "board.used-crystals",
            "white.crystals",
            "white.ship",
        ] {
            let zone: Zone = text.parse().unwrap();
            assert_eq!(zone.to_string(), text);
        }
        for text in [
            "",
            "white",
            "board[3]",
            "board[3,4",
            "White.helm.A",
            "white.helm.D",
            "white.shields.5",
            "white.weapons.front-4.nose",
            "white.engineering.energy",
            "board.helm.A",
            "white.sensors.lock.1",
        ] {
            assert!(text.parse::<Zone>().is_err(), "{text}");
        }
    }
}
