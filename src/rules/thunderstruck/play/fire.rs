//! Shots, hits, damage.

use crate::rules::Place;
use crate::rules::thunderstruck::action::Aim;
use crate::rules::thunderstruck::flow::Owed;
use crate::rules::thunderstruck::pips::Pips;
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::print::{FireWay, FullColour};
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::ship::Ship;
use crate::rules::thunderstruck::spot::{Duty, Shield, ShipId, Side, Spot};
use crate::rules::thunderstruck::track::Heading;

use super::dice::number_for;

/// A shot as it would come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) distance: u16,
    pub(crate) reach: u8,
    /// The side that is hit and the shields that answer there; `None` where it misses.
    pub(crate) hit: Option<(Side, Vec<Shield>)>,
}

/// The ways a shot may fly at a target, with the distance.
pub(crate) fn ways(
    position: &Position,
    ship: ShipId,
    target: ShipId,
) -> Result<Vec<(Heading, u16)>, Reason> {
    if ship == target {
        return Err(Reason::NotItself);
    }
    if !position.alive(target)? {
        return Err(Reason::Retired { ship: target });
    }
    if position.sector(ship)? != position.sector(target)? {
        return Err(Reason::OtherSector { target });
    }
    let (from, to) = (position.space(ship)?, position.space(target)?);
    let mut ways = Vec::new();
    for way in Heading::ALL {
        let steps = position.field().steps(from, to, *way);
        let steps = steps.ok_or(Reason::OtherSector { target })?;
        let mut uncounted = 0;
        if !position.print.options.distance_counts_ships {
            for other in position.living()? {
                if other == ship || other == target || position.sector(other)? != from.sector {
                    continue;
                }
                let between = position.field().steps(from, position.space(other)?, *way);
                uncounted += u16::from(between.is_some_and(|n| n < steps));
            }
        }
        ways.push((*way, steps.saturating_sub(uncounted)));
    }
    match position.print.options.fire {
        FireWay::Ahead => {
            let ahead = position.heading(ship)?;
            ways.retain(|(way, _)| *way == ahead);
        }
        FireWay::Shortest => {
            let least = ways.iter().map(|(_, n)| *n).min();
            ways.retain(|(_, n)| Some(*n) == least);
        }
    }
    Ok(ways)
}

/// What a shot does.
pub(crate) fn shot(
    position: &Position,
    ship: ShipId,
    from: Spot,
    aim: Aim,
) -> Result<Shot, Reason> {
    let reach = number_for(position, ship, from, Duty::Fire)?;
    let Aim { target, way } = aim;
    let ways = ways(position, ship, target)?;
    let Some((_, distance)) = ways.iter().find(|(w, _)| *w == way) else {
        return Err(match position.print.options.fire {
            FireWay::Ahead => Reason::NotAhead { way },
            FireWay::Shortest => Reason::LongerWay { way },
        });
    };
    let hit = if *distance <= reach {
        // The shot comes from where the shooter is: against its own way of flight.
        let side = match position.heading(target)? == way.opposite() {
            true => Side::Front,
            false => Side::Rear,
        };
        Some((side, position.answering(target, side)?))
    } else {
        None
    };
    Ok(Shot {
        distance: *distance,
        reach: u8::try_from(reach).unwrap_or(u8::MAX),
        hit,
    })
}

/// Whether there is anybody to fire at.
pub(super) fn anybody(position: &Position, ship: ShipId) -> Result<bool, Reason> {
    for other in position.living()? {
        if other != ship && !ways_or_none(position, ship, other)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn ways_or_none(
    position: &Position,
    ship: ShipId,
    target: ShipId,
) -> Result<Vec<(Heading, u16)>, Reason> {
    match ways(position, ship, target) {
        Err(unknown @ Reason::Unknown { .. }) => Err(unknown),
        Err(_) => Ok(Vec::new()),
        Ok(ways) => Ok(ways),
    }
}

pub(super) fn fire(
    position: &mut Position,
    ship: ShipId,
    from: Spot,
    aim: Option<Aim>,
) -> Result<(), Reason> {
    position.may_action(ship, &[from])?;
    number_for(position, ship, from, Duty::Fire)?;
    let Some(aim) = aim else {
        if anybody(position, ship)? {
            return Err(Reason::SayTarget);
        }
        position.get_mut(ship)?.set_die(from, Pips::NONE);
        return position.next_turn();
    };
    let shot = shot(position, ship, from, aim)?;
    position.get_mut(ship)?.set_die(from, Pips::NONE);
    match shot.hit {
        None => {}
        Some((_, shields)) if shields.is_empty() => position.retire(aim.target)?,
        Some((side, _)) => position.flow.owed.push(Owed::Answer {
            ship: aim.target,
            side,
        }),
    }
    position.next_turn()
}

/// Where the token of a hit may go that a shield answered: undamaged spaces with the shield's
/// colour, and anywhere for the mid shield; what where that colour has no space left is an option
/// of the copy.
pub(crate) fn damage_spots(
    position: &Position,
    ship: ShipId,
    shield: Shield,
) -> Result<Vec<Spot>, Reason> {
    let console = &position.print.console;
    let mut whole = Vec::new();
    for spot in Spot::ALL {
        if !position.damaged(ship, *spot)? {
            whole.push(*spot);
        }
    }
    let side = match shield {
        Shield::Mid => return Ok(whole),
        Shield::Front => Side::Front,
        Shield::Rear => Side::Rear,
    };
    let mut coloured = whole.clone();
    coloured.retain(|s| console.coloured(side).contains(s));
    let anywhere = position.print.options.full_colour == FullColour::Anywhere;
    Ok(if coloured.is_empty() && anywhere {
        whole
    } else {
        coloured
    })
}

pub(super) fn answer(
    position: &mut Position,
    ship: ShipId,
    shield: Shield,
    damage: Spot,
) -> Result<(), Reason> {
    position.get(ship)?;
    if position.ended()?.is_some() {
        return Err(Reason::Over);
    }
    let asked = position
        .flow
        .owed
        .iter()
        .enumerate()
        .find_map(|(i, o)| match o {
            Owed::Answer { ship: s, side } if *s == ship => Some((i, *side)),
            _ => None,
        });
    let (index, side) = asked.ok_or(Reason::NotAsked { ship })?;
    if !position.answering(ship, side)?.contains(&shield) {
        return Err(Reason::NotThatShield { shield });
    }
    if position.damaged(ship, damage)? {
        return Err(Reason::AlreadyDamaged { spot: damage });
    }
    if !damage_spots(position, ship, shield)?.contains(&damage) {
        return Err(Reason::NotThatColour {
            spot: damage,
            shield,
        });
    }
    let own = position.get_mut(ship)?;
    own.set_shield(shield, Place::Known(false));
    own.set_damage(damage, Place::Known(true));
    own.set_die(damage, Pips::NONE);
    if let Some(shield) = damage.shield() {
        own.set_shield(shield, Place::Known(false));
    }
    let lost = own.lost().is_some();
    position.flow.owed.remove(index);
    if lost {
        position.retire(ship)?;
    }
    position.next_turn()
}

impl Position {
    /// The ship is out: its piece and its dice leave the table.
    pub(super) fn retire(&mut self, id: ShipId) -> Result<(), Reason> {
        let own = self.get_mut(id)?;
        *own = Ship {
            retired: true,
            damage: own.damage.clone(),
            shields: own.shields.clone(),
            cubes: own.cubes,
            boosted: own.boosted.clone(),
            manoeuvred: own.manoeuvred.clone(),
            ..Ship::new(id)
        };
        self.flow.owed.retain(|o| o.ship() != id);
        Ok(())
    }

    /// The first ship from this one on, round the table, that is still in the game.
    pub(super) fn living_from(&self, id: ShipId) -> Result<ShipId, Reason> {
        match self.living()?.contains(&id) {
            true => Ok(id),
            false => Ok(self.next_living(id)?.unwrap_or(id)),
        }
    }

    /// The next ship round the table that is still in the game.
    pub(super) fn next_living(&self, id: ShipId) -> Result<Option<ShipId>, Reason> {
        let living = self.living()?;
        let after = living.iter().find(|s| **s > id);
        Ok(after.or(living.first()).copied())
    }
}
