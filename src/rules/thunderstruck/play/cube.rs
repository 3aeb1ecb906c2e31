//! Power cubes, spent on the die that is about to be actioned.

use crate::rules::Span;
use crate::rules::thunderstruck::action::CubeUse;
use crate::rules::thunderstruck::pips::{FACES, Pips};
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::spot::{Duty, ShipId, Spot};

pub(super) fn spend(
    position: &mut Position,
    ship: ShipId,
    at: Spot,
    does: CubeUse,
) -> Result<(), Reason> {
    position.may_act(ship)?;
    if position.flow.moved
        && let Some(spot) = position.flow.acting.last()
    {
        return Err(Reason::Moved { spot: *spot });
    }
    let left = position.cubes(ship)?.checked_sub(1).ok_or(Reason::NoCube)?;
    let shows = position.number(ship, at)?;
    let (spot, number) = match does {
        CubeUse::Raise => (at, shows + 1),
        CubeUse::Lower => (at, shows - 1),
        CubeUse::Move { to } => (to, shows),
    };
    let Some(pips) = Pips::known(number).filter(|_| number <= FACES) else {
        return Err(Reason::NoFurther { shows });
    };
    let takes = position.print.console.takes(spot, number);
    if let CubeUse::Move { to } = does {
        may_move(position, ship, at, to)?;
        if !takes {
            return Err(Reason::ShieldNumber {
                spot: to,
                shows: number,
            });
        }
    } else if !takes && left == 0 {
        // With a cube left, the number can at least be changed back.
        return Err(Reason::WouldStrand { spot });
    }
    if spot.duty() == Duty::Manoeuvre && position.contest_done()? {
        return Err(Reason::ContestDone);
    }
    let mut acting = position.flow.acting.clone();
    acting.retain(|s| *s != at);
    acting.push(spot);
    // All dice on which cubes are spent are actioned together: one, or a pair of one kind.
    if let Some(other) = acting.iter().find(|s| !together(**s, spot)) {
        return Err(Reason::Acting { spot: *other });
    }
    acting.sort_unstable();
    acting.dedup();
    let own = position.get_mut(ship)?;
    own.cubes = Span::known(left);
    own.set_die(at, Pips::NONE);
    own.set_die(spot, pips);
    position.flow.acting = acting;
    position.flow.moved = matches!(does, CubeUse::Move { .. });
    Ok(())
}

fn together(a: Spot, b: Spot) -> bool {
    a == b || (a.duty() == b.duty() && matches!(a.duty(), Duty::Boost | Duty::Manoeuvre))
}

fn may_move(position: &Position, ship: ShipId, at: Spot, to: Spot) -> Result<(), Reason> {
    if position.die(ship, to)?.is_some() {
        return Err(Reason::Occupied { spot: to });
    }
    if position.damaged(ship, to)? {
        return Err(Reason::Damaged { spot: to });
    }
    let duty = at.duty();
    let needed = match duty {
        Duty::Boost => !position.has_boosted(ship)?,
        Duty::Manoeuvre => !position.contest_done()?,
        _ => false,
    };
    // Moved within the pair, the die has not left it.
    if needed && to.duty() != duty {
        let mut others = 0;
        for spot in duty.spots().iter().filter(|s| **s != at) {
            others += usize::from(position.die(ship, *spot)?.is_some());
        }
        if others == 0 {
            return Err(Reason::LastDie { duty });
        }
    }
    Ok(())
}
