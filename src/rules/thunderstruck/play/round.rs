//! The end of a round: the Reflex die, the marker, the screens.

use crate::rules::thunderstruck::flow::{Phase, Screen};
use crate::rules::thunderstruck::pips::Pips;
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::print::ReflexTo;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::spot::{SPOTS, ShipId};
use crate::rules::thunderstruck::zone::Zone;

/// Who is lowest, and who may therefore take the Reflex die.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reflex {
    pub(crate) lowest: Option<ShipId>,
    pub(crate) may_take: Vec<ShipId>,
    pub(crate) because: Vec<Reason>,
}

/// The ship with the lowest totals on the two areas: lowest on both, or lowest on one and level
/// with the lowest on the other.
pub(crate) fn reflex(position: &Position) -> Result<Reflex, Reason> {
    let mut found = Reflex::default();
    let mut totals = Vec::new();
    for id in position.living()? {
        let own = position.get(id)?;
        let boost = position.total(&own.boosted, Zone::Boosted(id))?;
        let manoeuvre = position.total(&own.manoeuvred, Zone::Manoeuvred(id))?;
        totals.push((id, boost, manoeuvre));
        found.because.push(Reason::Totals {
            ship: id,
            boost,
            manoeuvre,
        });
    }
    for (ship, boost, manoeuvre) in &totals {
        let others = || totals.iter().filter(|(other, ..)| other != ship);
        let least = others().all(|(_, b, m)| boost <= b && manoeuvre <= m);
        let alone = others().all(|(_, b, _)| boost < b) || others().all(|(.., m)| manoeuvre < m);
        if least && alone && totals.len() > 1 {
            found.lowest = Some(*ship);
        }
    }
    let Some(ship) = found.lowest else {
        found.because.push(Reason::NobodyLowest);
        return Ok(found);
    };
    found.because.push(Reason::Lowest { ship });
    found.may_take = match position.print.options.reflex_to {
        ReflexTo::Lowest => vec![ship],
        ReflexTo::Opponent => totals.iter().map(|t| t.0).filter(|t| *t != ship).collect(),
    };
    let may = found.may_take.iter();
    let may: Vec<Reason> = may
        .map(|ship| Reason::MayTakeReflex { ship: *ship })
        .collect();
    found.because.extend(may);
    Ok(found)
}

pub(super) fn next(position: &mut Position, taken: Option<ShipId>) -> Result<(), Reason> {
    if position.ended()?.is_some() {
        return Err(Reason::Over);
    }
    if position.flow.phase != Phase::RoundEnd {
        return Err(Reason::RoundGoesOn);
    }
    if let Some(ship) = taken
        && !reflex(position)?.may_take.contains(&ship)
    {
        return Err(Reason::NotReflex { ship });
    }
    let first = position.next_living(position.flow.first)?;
    let living = position.living()?;
    for ship in &mut position.ships {
        ship.boosted.clear();
        ship.manoeuvred.clear();
        if living.contains(&ship.id) {
            ship.screen = Screen::Up;
            ship.dice = [Pips::MAYBE; SPOTS];
        }
    }
    let flow = &mut position.flow;
    flow.round = flow.round.saturating_add(1);
    flow.phase = Phase::Planning;
    flow.first = first.unwrap_or(flow.first);
    flow.turn = flow.first;
    flow.reflex = taken;
    Ok(())
}
