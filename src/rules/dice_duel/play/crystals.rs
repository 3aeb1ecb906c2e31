//! Crystals: what they buy, and how they come back.

use super::course::{Entered, land, suffer};
use super::tractor::entry;
use crate::rules::Span;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::flow::{Claim, Freeze, Warp};
use crate::rules::dice_duel::helm::Course;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::RuleNumbers;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::Facing;
use crate::rules::dice_duel::standing::firm;
use crate::rules::dice_duel::symbol::DieKind;
use crate::rules::dice_duel::zone::{Spot, Zone};

impl Position {
    /// Whether a ship has crystals for a price.
    pub(crate) fn can_pay(&self, ship: &Ship, price: u8) -> Result<(), Reason> {
        let have = ship.crystals();
        if have.min >= u16::from(price) {
            Ok(())
        } else if have.max < u16::from(price) {
            Err(Reason::Crystals { have, price })
        } else {
            Err(Reason::Unknown {
                at: Zone::Crystals(ship.id()),
            })
        }
    }

    /// Why there may be no Energy Surge.
    pub(crate) fn may_surge(&self, id: ShipId) -> Result<(), Reason> {
        let ship = self.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
        let damage = ship.damage();
        let hull = u16::from(self.print.numbers.hull);
        let die = match damage.dice {
            Span { min: 1.., .. } => Ok(()),
            Span { max: 0, .. } => Err(Reason::NoDamageDie),
            // The first die would be the one that destroys it.
            _ if damage.crystals.min.saturating_add(1) >= hull => Err(Reason::NoDamageDie),
            _ => Err(Reason::Unknown {
                at: Zone::Damage(id, None),
            }),
        };
        firm([
            self.may_act(id).map(|_| ()),
            self.can_pay(ship, self.print.numbers.surge_crystals),
            die,
        ])
    }

    /// Why there may be no Station Override.
    pub(crate) fn may_override(&self, id: ShipId) -> Result<(), Reason> {
        let ship = self.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
        let price = self.print.numbers.override_crystals;
        firm([self.may_act(id).map(|_| ()), self.can_pay(ship, price)])
    }

    /// Why there may be no Warp Jump.
    pub(crate) fn may_warp(&self, id: ShipId) -> Result<(), Reason> {
        let ship = self.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
        let moving = match self.flow.moving.contains(&id) {
            true => Err(Reason::Moving { ship: id }),
            false => Ok(()),
        };
        firm([
            self.may_freeze(id, Freeze::Warp).map(|_| ()),
            moving,
            self.can_pay(ship, self.print.numbers.warp_crystals),
        ])
    }

    /// Of numbers that were rolled, those whose squares a jumping ship may choose, in order.
    ///
    /// # Errors
    ///
    /// The enemy whose square matters and is not known.
    pub fn warp_choices(&self, id: ShipId, rolled: &[u8]) -> Result<Vec<u8>, Zone> {
        let team = self.ship(id).map(Ship::team);
        let mut choices = Vec::new();
        for number in 1..=6 {
            if !rolled.contains(&number) {
                continue;
            }
            let Some(square) = self.print.crystal_square(number) else {
                continue;
            };
            let mut held = false;
            for enemy in self.ships.iter().filter(|s| Some(s.team()) != team) {
                if enemy.destroyed(&self.print) == Some(true) {
                    continue;
                }
                match enemy.square().candidates() {
                    Some([only]) => held |= *only == square,
                    Some(squares) if !squares.contains(&square) => {}
                    _ => return Err(Zone::Ship(enemy.id())),
                }
            }
            if !held {
                choices.push(number);
            }
        }
        Ok(choices)
    }
}

/// Takes the price off a ship's crystals and puts it into the used box.
pub(super) fn pay(
    edits: &mut Edits<'_>,
    id: ShipId,
    price: impl Fn(&RuleNumbers) -> u8,
) -> Result<(), Reason> {
    let position = edits.position();
    let price = price(&position.print.numbers);
    let ship = position.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
    position.can_pay(ship, price)?;
    edits.crystals(id, |have| have.less(u16::from(price)));
    edits.used(|used| used.and(u16::from(price)));
    Ok(())
}

pub(super) fn surge(edits: &mut Edits<'_>, id: ShipId) -> Result<(), Reason> {
    edits.position().may_surge(id)?;
    let price = edits.position().print.numbers.surge_crystals;
    edits.crystals(id, |have| have.less(u16::from(price)));
    // One of them takes the die's place on the damage display.
    edits.used(|used| used.and(u16::from(price.saturating_sub(1))));
    let hull = u16::from(edits.position().print.numbers.hull);
    edits.damage(id, |damage| {
        damage.dice = damage.dice.less(1);
        damage.crystals = damage.crystals.and(1);
        *damage = damage.within(hull);
    });
    edits.dice(id, Spot::Pool, |dice| {
        dice.push(DieKind::Energy.symbols());
    });
    Ok(())
}

pub(super) fn warp(edits: &mut Edits<'_>, id: ShipId) -> Result<(), Reason> {
    edits.position().may_warp(id)?;
    pay(edits, id, |numbers| numbers.warp_crystals)?;
    edits.flow(|flow| {
        flow.stop = Some(Claim {
            ship: id,
            freeze: Freeze::Warp,
        });
        flow.next = None;
        flow.warp = Some(Warp {
            ship: id,
            rolled: Vec::new(),
            to_roll: true,
        });
    });
    Ok(())
}

pub(super) fn warp_roll(edits: &mut Edits<'_>, numbers: [u8; 2]) -> Result<(), Reason> {
    let warp = match &edits.position().flow.warp {
        Some(warp) if warp.to_roll => warp,
        _ => return Err(Reason::NotAsked),
    };
    if let Some(number) = numbers.into_iter().find(|n| !(1..=6).contains(n)) {
        return Err(Reason::NotThatNumber { number });
    }
    let mut rolled = warp.rolled.clone();
    rolled.extend(numbers);
    rolled.sort_unstable();
    rolled.dedup();
    let again = edits
        .position()
        .warp_choices(warp.ship, &rolled)
        .map_err(|at| Reason::Unknown { at })?
        .is_empty();
    edits.flow(|flow| {
        if let Some(warp) = &mut flow.warp {
            warp.rolled = rolled;
            warp.to_roll = again;
        }
    });
    Ok(())
}

pub(super) fn warp_again(edits: &mut Edits<'_>) -> Result<(), Reason> {
    let id = match &edits.position().flow.warp {
        Some(warp) if !warp.to_roll => warp.ship,
        _ => return Err(Reason::NotAsked),
    };
    pay(edits, id, |numbers| numbers.warp_crystals)?;
    edits.flow(|flow| {
        if let Some(warp) = &mut flow.warp {
            warp.to_roll = true;
        }
    });
    Ok(())
}

pub(super) fn warp_to(
    edits: &mut Edits<'_>,
    number: u8,
    enter_by: Option<Facing>,
) -> Result<(), Reason> {
    let position = edits.position();
    let (id, rolled) = match &position.flow.warp {
        Some(warp) if !warp.to_roll => (warp.ship, &warp.rolled),
        _ => return Err(Reason::NotAsked),
    };
    let choices = position
        .warp_choices(id, rolled)
        .map_err(|at| Reason::Unknown { at })?;
    if !choices.contains(&number) {
        return Err(Reason::NotThatNumber { number });
    }
    let to = position
        .print
        .crystal_square(number)
        .ok_or(Reason::NoSuchNumber { number })?;
    let ship = position.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
    let start = position.stand_of(ship)?;
    let stays = start.square == to;
    let hull_left = ship.hull_left(&position.print).unwrap_or(u16::MAX);
    let course = match stays || !position.print.options.warp_arrival_enters {
        true => Course {
            end: Some((to, start.facing)),
            ..Course::default()
        },
        false => Course::entering(&position.board, &position.print, to, hull_left),
    };
    position.course_is_sure(ship, &course)?;
    let square = course.end.map_or(to, |(square, _)| square);
    // A jump has no direction; where a friend is, the jumping ship says where it comes in.
    let edges: &[Facing] = match !stays && position.others_on(id, square).sure {
        true => &Facing::ALL,
        false => &[Facing::N],
    };
    let edge = entry(edges, enter_by)?;
    if !stays {
        // A jump has no direction of travel: where it matters, the edge was chosen.
        land(edits, id, square, start.facing, Some(Entered::At(edge)));
    }
    suffer(edits, id, &course);
    edits.flow(|flow| flow.warp = None);
    Ok(())
}

pub(super) fn give_back(edits: &mut Edits<'_>, number: u8) -> Result<(), Reason> {
    let position = edits.position();
    if !position.flow.returning {
        return Err(Reason::NotAsked);
    }
    if position.used_crystals.max == 0 {
        return Err(Reason::NoUsedCrystal);
    }
    let square = position
        .print
        .crystal_square(number)
        .ok_or(Reason::NoSuchNumber { number })?;
    edits.used(|used| used.less(1));
    edits.cell(square, |cell| cell.crystals = cell.crystals.and(1));
    if edits.position().used_crystals.max == 0 {
        edits.flow(|flow| flow.returning = false);
    }
    Ok(())
}
