//! The contest for position, flip and warp.

use crate::rules::Place;
use crate::rules::thunderstruck::action::Course;
use crate::rules::thunderstruck::flow::Owed;
use crate::rules::thunderstruck::pips::Pips;
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::spot::{Duty, ShipId};
use crate::rules::thunderstruck::track::{Heading, Space};

/// The contest as it would come out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contest {
    /// Who wins, with whether it had two dice in the contest.
    pub(crate) winners: Vec<(ShipId, bool)>,
    /// Sector by sector.
    pub(crate) because: Vec<Reason>,
}

/// Each sector's highest total wins it.
pub(crate) fn contest(position: &Position) -> Result<Contest, Reason> {
    let mut found = Contest::default();
    let mut entries = Vec::new();
    for id in position.living()? {
        let (mut total, mut dice) = (0u16, 0u8);
        for spot in Duty::Manoeuvre.spots() {
            if let Some(n) = position.die(id, *spot)? {
                total += u16::from(n);
                dice += 1;
            }
        }
        entries.push((id, position.sector(id)?, total, dice));
    }
    let sectors = u8::try_from(position.field().sectors.len()).unwrap_or(u8::MAX);
    for sector in 1..=sectors {
        let here: Vec<_> = entries.iter().filter(|e| e.1 == sector).collect();
        let Some(best) = here.iter().map(|e| e.2).max() else {
            continue;
        };
        let first: Vec<_> = here.iter().filter(|e| e.2 == best).collect();
        match first.as_slice() {
            _ if best == 0 => found.because.push(Reason::NoContest { sector }),
            [(ship, ..)] if here.len() == 1 && !position.print.options.alone_wins_contest => {
                let ship = *ship;
                found.because.push(Reason::AloneThere { ship, sector });
            }
            [(ship, _, total, dice)] => {
                let (ship, total) = (*ship, *total);
                found.because.push(Reason::Wins {
                    ship,
                    sector,
                    total,
                });
                found.because.push(match dice {
                    2 => Reason::MayWarp { ship },
                    _ => Reason::OneDieOnly { ship },
                });
                found.winners.push((ship, *dice == 2));
            }
            _ => {
                let total = best;
                found.because.push(Reason::Draw { sector, total });
            }
        }
    }
    Ok(found)
}

pub(super) fn manoeuvre(position: &mut Position, ship: ShipId) -> Result<(), Reason> {
    position.may_action(ship, Duty::Manoeuvre.spots())?;
    if position.contest_done()? {
        return Err(Reason::ContestDone);
    }
    let mut has_die = false;
    for spot in Duty::Manoeuvre.spots() {
        has_die |= position.die(ship, *spot)?.is_some();
    }
    if let (false, Some(spot)) = (has_die, Duty::Manoeuvre.spots().first()) {
        return Err(Reason::NoDie { spot: *spot });
    }
    let found = contest(position)?;
    for id in position.living()? {
        let own = position.get_mut(id)?;
        for spot in Duty::Manoeuvre.spots() {
            let die = own.die(*spot);
            if die.may_be_there() {
                own.manoeuvred.push(die);
                own.set_die(*spot, Pips::NONE);
            }
        }
        own.manoeuvred.sort_unstable();
    }
    let owed = found.winners.iter();
    position.flow.owed = owed
        .map(|(ship, warp)| Owed::Steer {
            ship: *ship,
            warp: *warp,
        })
        .collect();
    position.next_turn()
}

/// Where a winner may warp to: spots for where it stands that are free and open.
fn open_spots(position: &Position, ship: ShipId) -> Result<Vec<Space>, Reason> {
    let mut open = Vec::new();
    for space in position.field().warp_spots(position.space(ship)?) {
        if may_warp_to(position, ship, space)?.is_ok() {
            open.push(space);
        }
    }
    Ok(open)
}

fn may_warp_to(
    position: &Position,
    ship: ShipId,
    space: Space,
) -> Result<Result<(), Reason>, Reason> {
    let from = position.space(ship)?;
    if !position.field().warp_spots(from).contains(&space) {
        return Ok(Err(Reason::NotWarpSpot { space }));
    }
    for other in position.living()? {
        if other != ship && position.space(other)? == space {
            return Ok(Err(Reason::SpaceTaken { space }));
        }
    }
    let sector = space.sector;
    if position.closed()? == Some(sector) {
        return Ok(Err(Reason::SectorClosed { sector }));
    }
    Ok(Ok(()))
}

/// What a winner may do.
pub(crate) fn steer_options(
    position: &Position,
    ship: ShipId,
    warp: bool,
) -> Result<Vec<Course>, Reason> {
    let mut courses = vec![Course::Flip, Course::Nothing];
    if warp {
        for to in open_spots(position, ship)? {
            let headings = Heading::ALL.iter().copied();
            courses.extend(headings.map(|heading| Course::Warp { to, heading }));
        }
    }
    Ok(courses)
}

pub(super) fn steer(position: &mut Position, ship: ShipId, course: Course) -> Result<(), Reason> {
    position.get(ship)?;
    if position.ended()?.is_some() {
        return Err(Reason::Over);
    }
    let asked = |o: &Owed| matches!(o, Owed::Steer { ship: s, .. } if *s == ship);
    let Some(index) = position.flow.owed.iter().position(asked) else {
        return Err(Reason::NotAsked { ship });
    };
    match course {
        Course::Nothing => {}
        Course::Flip => {
            let heading = position.heading(ship)?.opposite();
            position.get_mut(ship)?.heading = Place::Known(heading);
        }
        Course::Warp { to, heading } => {
            let two = matches!(
                position.flow.owed.get(index),
                Some(Owed::Steer { warp: true, .. })
            );
            if !two {
                return Err(Reason::OneDieOnly { ship });
            }
            may_warp_to(position, ship, to)??;
            let own = position.get_mut(ship)?;
            own.space = Place::Known(to);
            own.heading = Place::Known(heading);
        }
    }
    position.flow.owed.remove(index);
    position.next_turn()
}
