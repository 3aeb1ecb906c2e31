//! The spaces of a ship's console, and the shields.

use super::noun::noun;

noun! {
    /// A ship, in seating order. A copy says which colour is which.
    ShipId, "a ship" {
        /// The first seat.
        A = "a",
        /// The second seat.
        B = "b",
        /// The third seat, where three play.
        C = "c",
    }
}

noun! {
    /// A space of a console; each holds one die.
    Spot, "a space of a console" {
        /// Boost.
        Boost1 = "boost-1",
        /// Boost.
        Boost2 = "boost-2",
        /// Manoeuvre.
        Manoeuvre1 = "manoeuvre-1",
        /// Manoeuvre.
        Manoeuvre2 = "manoeuvre-2",
        /// Fire.
        Fire1 = "fire-1",
        /// Fire.
        Fire2 = "fire-2",
        /// Power.
        Power1 = "power-1",
        /// Power.
        Power2 = "power-2",
        /// The front shield.
        ShieldFront = "shield-front",
        /// The mid shield.
        ShieldMid = "shield-mid",
        /// The rear shield.
        ShieldRear = "shield-rear",
    }
}

noun! {
    /// What the die in a space is for.
    Duty, "an action" {
        /// Moving along the track.
        Boost = "boost",
        /// The contest for position.
        Manoeuvre = "manoeuvre",
        /// Shooting.
        Fire = "fire",
        /// Taking power cubes.
        Power = "power",
        /// Raising a shield.
        Shield = "shield",
    }
}

noun! {
    /// A shield.
    Shield, "a shield" {
        /// Answers hits from the front.
        Front = "front",
        /// Answers hits from either side.
        Mid = "mid",
        /// Answers hits from the rear.
        Rear = "rear",
    }
}

noun! {
    /// The side of a ship that is hit.
    Side, "a side of a ship" {
        /// Where it is headed.
        Front = "front",
        /// Where it comes from.
        Rear = "rear",
    }
}

/// How many spaces a console has.
pub const SPOTS: usize = 11;

impl Spot {
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// What a die there is for.
    pub fn duty(self) -> Duty {
        use Spot::*;
        match self {
            Boost1 | Boost2 => Duty::Boost,
            Manoeuvre1 | Manoeuvre2 => Duty::Manoeuvre,
            Fire1 | Fire2 => Duty::Fire,
            Power1 | Power2 => Duty::Power,
            ShieldFront | ShieldMid | ShieldRear => Duty::Shield,
        }
    }

    /// The shield that stands on the space, if it is one of those three.
    pub fn shield(self) -> Option<Shield> {
        match self {
            Spot::ShieldFront => Some(Shield::Front),
            Spot::ShieldMid => Some(Shield::Mid),
            Spot::ShieldRear => Some(Shield::Rear),
            _ => None,
        }
    }
}

impl Duty {
    /// The spaces for it.
    pub fn spots(self) -> &'static [Spot] {
        match self {
            Duty::Boost => &[Spot::Boost1, Spot::Boost2],
            Duty::Manoeuvre => &[Spot::Manoeuvre1, Spot::Manoeuvre2],
            Duty::Fire => &[Spot::Fire1, Spot::Fire2],
            Duty::Power => &[Spot::Power1, Spot::Power2],
            Duty::Shield => &[Spot::ShieldFront, Spot::ShieldMid, Spot::ShieldRear],
        }
    }

    /// The pairs that a ship cannot do without: both damaged, and it is destroyed.
    pub const VITAL: [Duty; 3] = [Duty::Fire, Duty::Boost, Duty::Manoeuvre];
}

impl Shield {
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The space it stands on.
    pub fn spot(self) -> Spot {
        match self {
            Shield::Front => Spot::ShieldFront,
            Shield::Mid => Spot::ShieldMid,
            Shield::Rear => Spot::ShieldRear,
        }
    }

    /// Whether it answers a hit from a side.
    pub fn answers(self, side: Side) -> bool {
        match self {
            Shield::Front => side == Side::Front,
            Shield::Mid => true,
            Shield::Rear => side == Side::Rear,
        }
    }
}
