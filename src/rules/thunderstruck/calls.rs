//! Every call of a position. A question is asked of every state that the unknown places allow:
//! only where all of them give one verdict is it said, else the call is `unsure`.

use super::action::Aim;
use super::call::{Call, Choice, Missing, What};
use super::flow::{Owed, Phase, Screen};
use super::play::{boost_course, contest, damage_spots, power_gain, reflex, shot, steer_options};
use super::position::Position;
use super::reason::Reason;
use super::spot::{Duty, ShipId, Side, Spot};
use super::zone::Zone;
use crate::rules::{Span, Verdict};

/// More states than this are not looked at for one call: it is `unsure` then.
const MOST_STATES: usize = 1024;

impl Position {
    /// What may be announced: for every die in play what it would do, for every ship that is
    /// asked something what it may answer.
    pub fn calls(&self) -> Vec<Call> {
        let whats = self.questions();
        whats.into_iter().map(|what| self.call(what)).collect()
    }

    /// The verdict on one question.
    pub fn call(&self, what: What) -> Call {
        let mut merged: Option<Call> = None;
        let mut zones: Vec<Zone> = Vec::new();
        let mut stack = vec![self.clone()];
        let (mut looked, mut cut) = (0, false);
        while let Some(state) = stack.pop() {
            looked += 1;
            if looked > MOST_STATES {
                cut = true;
                break;
            }
            let call = match answer(&state, &what) {
                Ok(call) => call,
                Err(Reason::Unknown { at }) => {
                    if !zones.contains(&at) {
                        zones.push(at);
                    }
                    let states = state.each_content(at);
                    cut |= states.is_empty();
                    stack.extend(states);
                    continue;
                }
                Err(reason) => {
                    let mut call = Call::new(what.clone(), Verdict::Cannot);
                    call.why(reason);
                    call
                }
            };
            match &mut merged {
                None => merged = Some(call),
                Some(merged) => merge(merged, &call),
            }
        }
        let mut call = merged.unwrap_or_else(|| Call::new(what, Verdict::Unsure));
        if cut {
            call.verdict = Verdict::Unsure;
        }
        if call.verdict == Verdict::Unsure {
            zones.sort_unstable();
            for at in &zones {
                call.why(Reason::Unknown { at: *at });
            }
            call.unsure_on = zones;
        }
        call.now = self.is_now(&call.what);
        call
    }

    fn is_now(&self, what: &What) -> bool {
        match what {
            What::Boost { ship, .. }
            | What::Manoeuvre { ship }
            | What::Shield { ship, .. }
            | What::Fire { ship, .. }
            | What::Power { ship, .. } => self.may_act(*ship).is_ok(),
            _ => true,
        }
    }

    fn questions(&self) -> Vec<What> {
        let mut whats = Vec::new();
        if self.outcome().is_some() {
            return whats;
        }
        match self.flow.phase {
            Phase::RoundEnd => whats.push(What::NextRound),
            Phase::Planning => {
                let placing = |s: &&super::ship::Ship| !s.retired && s.screen == Screen::Up;
                let any = self.ships.iter().any(|s| placing(&s));
                for ship in self.ships.iter().filter(|s| !s.retired) {
                    let ship_id = ship.id;
                    match ship.screen {
                        Screen::Up => {
                            whats.push(What::Plan { ship: ship_id });
                            whats.push(What::Reroll { ship: ship_id });
                        }
                        Screen::Ready if !any => whats.push(What::Reveal { ship: ship_id }),
                        _ => {}
                    }
                }
            }
            Phase::Actions => {
                for owed in &self.flow.owed {
                    whats.push(match owed {
                        Owed::Answer { ship, .. } => What::Answer { ship: *ship },
                        Owed::Steer { ship, .. } => What::Steer { ship: *ship },
                    });
                }
                let turn = self.flow.turn;
                let (now, later): (Vec<_>, Vec<_>) = self
                    .ships
                    .iter()
                    .filter(|s| !s.retired && !s.screen.hides())
                    .partition(|s| s.id == turn);
                for ship in now.into_iter().chain(later) {
                    self.questions_of(ship.id, &mut whats);
                }
            }
        }
        whats
    }

    fn questions_of(&self, ship: ShipId, whats: &mut Vec<What>) {
        let there = |s: &&Spot| {
            self.ship(ship)
                .is_some_and(|own| own.die(**s).may_be_there())
        };
        let spots = |duty: Duty| duty.spots().iter().filter(there).copied();
        let boosts: Vec<Spot> = spots(Duty::Boost).collect();
        for spot in &boosts {
            let from = vec![*spot];
            whats.push(What::Boost { ship, from });
        }
        if boosts.len() == 2 {
            whats.push(What::Boost { ship, from: boosts });
        }
        if spots(Duty::Manoeuvre).next().is_some() {
            whats.push(What::Manoeuvre { ship });
        }
        for from in spots(Duty::Fire) {
            for other in self.ships.iter().filter(|s| s.id != ship && !s.retired) {
                let target = other.id;
                whats.push(What::Fire { ship, from, target });
            }
        }
        for shield in spots(Duty::Shield).filter_map(Spot::shield) {
            whats.push(What::Shield { ship, shield });
        }
        for from in spots(Duty::Power) {
            whats.push(What::Power { ship, from });
        }
    }
}

fn merge(merged: &mut Call, call: &Call) {
    if merged.verdict != call.verdict {
        merged.verdict = Verdict::Unsure;
    }
    merged.numbers.merge(&call.numbers);
    merged.because.retain(|b| call.because.contains(b));
    merged.missing.retain(|m| call.missing.contains(m));
    merged.choices.retain(|c| call.choices.contains(c));
}

/// The answer in a state in which all that matters is known, or the place that has to be known.
fn answer(state: &Position, what: &What) -> Result<Call, Reason> {
    let mut call = Call::new(what.clone(), Verdict::May);
    if let Some(ship) = what.ship()
        && !state.alive(ship)?
    {
        return Err(Reason::Retired { ship });
    }
    match what {
        What::Plan { ship } => {
            call.verdict = Verdict::Must;
            let dice = state.dice_of(*ship);
            call.numbers.dice = Some(Span::known(dice));
            call.why(Reason::RollAndPlace { dice });
            for duty in [Duty::Boost, Duty::Manoeuvre] {
                call.why(Reason::NeedsOne { duty });
            }
        }
        What::Reroll { ship } => {
            if state.cubes(*ship)? == 0 {
                call.verdict = Verdict::Cannot;
                call.why(Reason::NoCube);
                call.missing.push(Missing::Cube);
            } else {
                call.why(Reason::RerollsAll);
            }
        }
        What::Reveal { .. } => {
            call.verdict = Verdict::Must;
            call.why(Reason::AllPlaced);
        }
        What::Boost { ship, from } => {
            acting(state, *ship, from)?;
            let boost = boost_course(state, *ship, from)?;
            call.numbers.spaces = Some(Span::known(boost.spaces));
            call.numbers.ends_at = Some(boost.to);
            call.why(Reason::Travels {
                spaces: boost.spaces,
                from: boost.from,
                to: boost.to,
            });
            if boost.passed > 0 {
                call.why(Reason::Passes {
                    ships: boost.passed,
                });
            }
        }
        What::Manoeuvre { ship } => {
            acting(state, *ship, Duty::Manoeuvre.spots())?;
            let mut has_die = false;
            for spot in Duty::Manoeuvre.spots() {
                has_die |= state.die(*ship, *spot)?.is_some();
            }
            if !has_die {
                return Err(Reason::NoDie {
                    spot: Spot::Manoeuvre1,
                });
            }
            if state.contest_done()? {
                return Err(Reason::ContestDone);
            }
            let found = contest(state)?;
            call.numbers.winners = found.winners.iter().map(|w| w.0).collect();
            for reason in found.because {
                call.why(reason);
            }
        }
        What::Shield { ship, shield } => {
            let spot = shield.spot();
            acting(state, *ship, &[spot])?;
            let shows = state.number(*ship, spot)?;
            if !state.print.console.takes(spot, shows) {
                return Err(Reason::ShieldNumber { spot, shows });
            }
            if state.damaged(*ship, spot)? {
                return Err(Reason::Damaged { spot });
            }
            let shield = *shield;
            call.why(Reason::Raises { shield, shows });
            if state.shield_up(*ship, shield)? {
                call.why(Reason::StillUp { shield });
            }
        }
        What::Fire { ship, from, target } => fire(state, *ship, *from, *target, &mut call)?,
        What::Power { ship, from } => {
            acting(state, *ship, &[*from])?;
            let (shows, cubes, gain) = power_gain(state, *ship, *from)?;
            call.numbers.cubes = Some(Span::known(gain));
            call.why(Reason::Brings { cubes, shows });
            if gain < cubes {
                let fit = state.cubes_that_fit();
                call.why(Reason::StoreFull { fit });
            }
        }
        What::Answer { ship } => hit(state, *ship, &mut call)?,
        What::Steer { ship } => {
            call.verdict = Verdict::Must;
            let asked = state.flow.owed.iter().find_map(|o| match o {
                Owed::Steer { ship: s, warp } if s == ship => Some(*warp),
                _ => None,
            });
            let warp = asked.ok_or(Reason::NotAsked { ship: *ship })?;
            let ship = *ship;
            call.why(match warp {
                true => Reason::MayWarp { ship },
                false => Reason::OneDieOnly { ship },
            });
            let of = steer_options(state, ship, warp)?;
            call.choices.push(Choice::Course { of });
        }
        What::NextRound => {
            call.verdict = Verdict::Must;
            let found = reflex(state)?;
            call.numbers.lowest = found.lowest;
            for reason in found.because {
                call.why(reason);
            }
            if !found.may_take.is_empty() {
                let of = found.may_take;
                call.choices.push(Choice::Reflex { of });
            }
        }
    }
    Ok(call)
}

/// On its turn, a ship that spent cubes on a die actions that die.
fn acting(state: &Position, ship: ShipId, dice: &[Spot]) -> Result<(), Reason> {
    if state.flow.turn != ship {
        return Ok(());
    }
    match state.flow.acting.iter().find(|s| !dice.contains(s)) {
        Some(spot) => Err(Reason::Acting { spot: *spot }),
        None => Ok(()),
    }
}

fn fire(
    state: &Position,
    ship: ShipId,
    from: Spot,
    target: ShipId,
    call: &mut Call,
) -> Result<(), Reason> {
    acting(state, ship, &[from])?;
    state.number(ship, from)?;
    let ways = super::play::ways(state, ship, target)?;
    let Some((first, _)) = ways.first() else {
        return Err(Reason::NotAhead {
            way: state.heading(ship)?.opposite(),
        });
    };
    if ways.len() > 1 {
        call.why(Reason::EitherWay);
        let of = ways.iter().map(|w| w.0).collect();
        call.choices.push(Choice::Way { of });
    }
    let found = shot(
        state,
        ship,
        from,
        Aim {
            target,
            way: *first,
        },
    )?;
    let (distance, reach) = (found.distance, found.reach);
    call.numbers.distance = Some(Span::known(distance));
    call.numbers.reach = Some(Span::known(u16::from(reach)));
    call.why(Reason::Distance { distance, reach });
    if found.hit.is_none() {
        call.verdict = Verdict::Miss;
        let short = distance.saturating_sub(u16::from(reach));
        call.missing.push(Missing::Reach(short));
        return Ok(());
    }
    call.verdict = Verdict::Hit;
    let mut sides: Vec<(Side, bool)> = Vec::new();
    for (way, _) in &ways {
        let Some((side, shields)) = shot(state, ship, from, Aim { target, way: *way })?.hit else {
            continue;
        };
        call.why(Reason::Struck { side });
        for shield in &shields {
            call.why(Reason::Answers { shield: *shield });
        }
        if shields.is_empty() {
            call.why(Reason::Unshielded { side });
        }
        sides.push((side, shields.is_empty()));
        call.numbers.shields.extend(shields);
    }
    call.numbers.shields.sort_unstable();
    call.numbers.shields.dedup();
    if let [(side, _)] = sides.as_slice() {
        call.numbers.side = Some(*side);
    }
    let destroys = sides.iter().any(|(_, gone)| *gone);
    if sides.iter().all(|(_, gone)| *gone == destroys) {
        call.numbers.destroys = Some(destroys);
        call.numbers.damage_tokens = Some(u8::from(!destroys));
    }
    Ok(())
}

fn hit(state: &Position, ship: ShipId, call: &mut Call) -> Result<(), Reason> {
    call.verdict = Verdict::Must;
    let asked = state.flow.owed.iter().find_map(|o| match o {
        Owed::Answer { ship: s, side } if *s == ship => Some(*side),
        _ => None,
    });
    let side = asked.ok_or(Reason::NotAsked { ship })?;
    call.numbers.side = Some(side);
    call.numbers.damage_tokens = Some(1);
    call.why(Reason::Struck { side });
    for shield in state.answering(ship, side)? {
        call.why(Reason::Answers { shield });
        call.numbers.shields.push(shield);
        let damage = damage_spots(state, ship, shield)?;
        call.choices.push(Choice::Shield { shield, damage });
    }
    Ok(())
}
