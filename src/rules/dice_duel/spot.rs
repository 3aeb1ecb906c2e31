//! The places on one ship's displays where dice lie.

use std::fmt;
use std::str::FromStr;

use super::sector::Sector;
use super::ship_id::ParseNounError;
use super::station::Station;
use super::symbol::{DieKind, Faces, Part, Symbol};
use super::tube::{MAX_TUBES_A_SIDE, Side, Tube};
use crate::rules::string_serde;

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
                let tube_index = match tube.side() {
                    Side::Front => 0,
                    Side::Rear => usize::from(MAX_TUBES_A_SIDE),
                } + usize::from(tube.number().saturating_sub(1));
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
    pub(super) fn parse(text: &str) -> Option<Spot> {
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
