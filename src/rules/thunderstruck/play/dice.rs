//! Boost, shields and power: what a die does by itself.

use crate::rules::Place;
use crate::rules::Span;
use crate::rules::thunderstruck::pips::{FACES, Pips};
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::spot::{Duty, Shield, ShipId, Spot};
use crate::rules::thunderstruck::track::Space;

/// A boost: from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boost {
    pub(crate) spaces: u16,
    pub(crate) from: Space,
    pub(crate) to: Space,
    pub(crate) passed: u16,
}

/// What a boost with these dice does.
pub(crate) fn boost_course(
    position: &Position,
    ship: ShipId,
    dice: &[Spot],
) -> Result<Boost, Reason> {
    let spaces = match dice {
        [one] => number_for(position, ship, *one, Duty::Boost)?,
        [a, b] if a < b => {
            number_for(position, ship, *a, Duty::Boost)?
                + number_for(position, ship, *b, Duty::Boost)?
        }
        _ => return Err(Reason::SayDice),
    };
    let (from, heading) = (position.space(ship)?, position.heading(ship)?);
    let mut others = Vec::new();
    for other in position.living()? {
        // A ship in another sector is not in the way, wherever it is there.
        if other != ship && position.sector(other)? == from.sector {
            others.push(position.space(other)?);
        }
    }
    let (to, passed) = position
        .field()
        .travel(from, heading, spaces, &others)
        .ok_or(Reason::NoFreeSpace)?;
    Ok(Boost {
        spaces,
        from,
        to,
        passed,
    })
}

/// The number on a die that lies on a space for this.
pub(super) fn number_for(
    position: &Position,
    ship: ShipId,
    spot: Spot,
    duty: Duty,
) -> Result<u16, Reason> {
    if spot.duty() != duty {
        return Err(Reason::WrongSpot { spot, duty });
    }
    position.number(ship, spot).map(u16::from)
}

pub(super) fn boost(position: &mut Position, ship: ShipId, dice: &[Spot]) -> Result<(), Reason> {
    position.may_action(ship, dice)?;
    let course = boost_course(position, ship, dice)?;
    let own = position.get_mut(ship)?;
    own.space = Place::Known(course.to);
    for spot in dice {
        let die = own.die(*spot);
        own.boosted.push(die);
        own.set_die(*spot, Pips::NONE);
    }
    own.boosted.sort_unstable();
    position.next_turn()
}

pub(super) fn shield(position: &mut Position, ship: ShipId, shield: Shield) -> Result<(), Reason> {
    let spot = shield.spot();
    position.may_action(ship, &[spot])?;
    let shows = position.number(ship, spot)?;
    if !position.print.console.takes(spot, shows) {
        return Err(Reason::ShieldNumber { spot, shows });
    }
    if position.damaged(ship, spot)? {
        return Err(Reason::Damaged { spot });
    }
    let own = position.get_mut(ship)?;
    own.set_shield(shield, Place::Known(true));
    own.set_die(spot, Pips::NONE);
    position.next_turn()
}

/// The cubes that a power die brings, and how many of them find room.
pub(crate) fn power_gain(
    position: &Position,
    ship: ShipId,
    spot: Spot,
) -> Result<(u8, u16, u16), Reason> {
    let shows = number_for(position, ship, spot, Duty::Power)?;
    let numbers = &position.print.numbers;
    let brings = u16::from(match shows == u16::from(FACES) {
        true => numbers.gain_on_highest,
        false => numbers.gain,
    });
    let room = position
        .cubes_that_fit()
        .saturating_sub(position.cubes(ship)?);
    Ok((u8::try_from(shows).unwrap_or(0), brings, brings.min(room)))
}

pub(super) fn power(position: &mut Position, ship: ShipId, spot: Spot) -> Result<(), Reason> {
    position.may_action(ship, &[spot])?;
    let (_, _, gain) = power_gain(position, ship, spot)?;
    let own = position.get_mut(ship)?;
    own.cubes = own.cubes.plus(Span::known(gain));
    own.set_die(spot, Pips::NONE);
    position.next_turn()
}
