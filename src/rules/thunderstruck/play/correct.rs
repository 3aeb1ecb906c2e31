//! A person's word. It is taken as it is, as long as it can be put on a table at all.

use crate::rules::Fault as _;
use crate::rules::Place;
use crate::rules::thunderstruck::action::Correction;
use crate::rules::thunderstruck::position::Position;
use crate::rules::thunderstruck::reason::Reason;
use crate::rules::thunderstruck::setup::{DieSetup, Setup, ShipSetup};
use crate::rules::thunderstruck::spot::ShipId;

pub(super) fn correct(position: &mut Position, correction: &Correction) -> Result<(), Reason> {
    let mut setup = position.to_setup();
    if let Some(ship) = correction.ship() {
        position.get(ship)?;
    }
    match correction {
        Correction::Die { ship, at, shows } => {
            if position.get(*ship)?.screen.hides() {
                return Err(Reason::BehindScreen { ship: *ship });
            }
            let own = find(&mut setup, *ship)?;
            own.dice.retain(|d| d.at != Place::Known(*at));
            own.dice.push(DieSetup::new(*at, *shows));
        }
        Correction::Damage { ship, at, there } => {
            let own = find(&mut setup, *ship)?;
            tell(&mut own.damage, &mut own.damage_unsure, *at, there);
        }
        Correction::Shield { ship, shield, up } => {
            let own = find(&mut setup, *ship)?;
            tell(&mut own.shields, &mut own.shields_unsure, *shield, up);
        }
        Correction::Stand {
            ship,
            space,
            heading,
        } => {
            let own = find(&mut setup, *ship)?;
            own.space = space.clone();
            own.heading = heading.clone();
        }
        Correction::Cubes { ship, count } => find(&mut setup, *ship)?.cubes = *count,
        Correction::Boosted { ship, dice } => find(&mut setup, *ship)?.boosted = dice.clone(),
        Correction::Manoeuvred { ship, dice } => {
            find(&mut setup, *ship)?.manoeuvred = dice.clone();
        }
        Correction::Screen { ship, screen } => find(&mut setup, *ship)?.screen = *screen,
        Correction::Retired { ship, retired } => find(&mut setup, *ship)?.retired = *retired,
        Correction::Flow(flow) => setup.flow = flow.clone(),
    }
    let (_, before) = position.to_setup().resolve(&position.print);
    let (next, problems) = setup.resolve(&position.print);
    let new = problems
        .iter()
        .find(|p| !p.fault.is_soft() && !before.contains(p));
    if let Some(problem) = new {
        return Err(Reason::CannotBe {
            at: problem.at,
            code: problem.fault.code(),
        });
    }
    position.ships = next.ships;
    position.flow = next.flow;
    Ok(())
}

fn find(setup: &mut Setup, id: ShipId) -> Result<&mut ShipSetup, Reason> {
    let ship = setup.ships.iter_mut().find(|s| s.id == id);
    ship.ok_or(Reason::NoSuchShip { ship: id })
}

fn tell<T: PartialEq + Copy>(sure: &mut Vec<T>, open: &mut Vec<T>, what: T, there: &Place<bool>) {
    sure.retain(|t| *t != what);
    open.retain(|t| *t != what);
    let may = there.candidates().unwrap_or(&[true, false]);
    match (may.contains(&true), may.contains(&false)) {
        (true, false) => sure.push(what),
        (true, true) => open.push(what),
        _ => {}
    }
}
