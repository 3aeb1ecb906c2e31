//! A person's word. It is taken as it is, as long as it can be put on a table at all.

use crate::rules::dice_duel::action::Correction;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::dice_box::DiceBox;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::resolve::narrowed;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::Half;
use crate::rules::dice_duel::symbol::Faces;
use crate::rules::{Place, Span};

pub(super) fn correct(edits: &mut Edits<'_>, correction: &Correction) -> Result<(), Reason> {
    let position = edits.position();
    let there = |id: ShipId| match position.ship(id) {
        Some(ship) => Ok(ship),
        None => Err(Reason::NoSuchShip { ship: id }),
    };
    match correction {
        Correction::Dice { ship, spot, dice } => {
            there(*ship)?;
            let legal = position.print.legal(*spot);
            let mut now = DiceBox::EMPTY;
            for die in dice {
                let wrong = die.minus(legal.union(Faces::ABSENT)).symbols().next();
                if let Some(symbol) = wrong {
                    return Err(Reason::MayNotLie {
                        symbol,
                        spot: *spot,
                    });
                }
                let full = (spot.is_slot() && !now.is_empty()) || !now.push(*die);
                if full || legal.is_empty() {
                    return Err(Reason::SlotFull { spot: *spot });
                }
            }
            edits.dice(*ship, *spot, |dice| *dice = now);
        }
        Correction::Stand {
            ship,
            square,
            facing,
            half,
        } => {
            there(*ship)?;
            let off = square
                .candidates()
                .unwrap_or_default()
                .iter()
                .find(|s| !position.board.contains(**s));
            if let Some(off) = off {
                return Err(Reason::OffMap { square: *off });
            }
            // A list without repetitions, in order: what may be is a set.
            fn set<T: Ord + Copy>(place: &Place<T>) -> Place<T> {
                let values = place.candidates().map(<[T]>::to_vec);
                values.map_or(Place::Unknown, narrowed)
            }
            let square = set(square);
            edits.stand(*ship, |ship| {
                ship.square = square.clone();
                ship.facing = set(facing);
                ship.half = set(half);
            });
            // Who was alone in a square may now share it; in which half, nobody has said.
            let may_share = |other: &Ship| {
                let it = other.square().candidates();
                match (it, square.candidates()) {
                    (Some(a), Some(b)) => a.iter().any(|s| b.contains(s)),
                    _ => true,
                }
            };
            let others: Vec<ShipId> = edits
                .position()
                .ships()
                .iter()
                .filter(|s| s.id() != *ship && s.half().known() == Some(&Half::Whole))
                .filter(|s| may_share(s))
                .map(Ship::id)
                .collect();
            for other in others {
                edits.stand(other, |ship| ship.half = Place::Unknown);
            }
            super::course::keep_halves(edits);
        }
        Correction::Cell { square, cell } => {
            if !position.board.contains(*square) {
                return Err(Reason::OffMap { square: *square });
            }
            edits.cell(*square, |c| *c = *cell);
        }
        Correction::Crystals { ship, count } => {
            there(*ship)?;
            let most = u16::from(position.print.crystals);
            edits.crystals(*ship, |_| cut(*count, most));
        }
        Correction::Mines { ship, count } => {
            there(*ship)?;
            let most = u16::from(position.print.mines_a_ship);
            edits.mines(*ship, |_| cut(*count, most));
        }
        Correction::Damage { ship, damage } => {
            there(*ship)?;
            let hull = u16::from(position.print.numbers.hull);
            let mut told = *damage;
            told.dice = cut(told.dice, hull);
            told.crystals = cut(told.crystals, hull);
            edits.damage(*ship, |damage| *damage = told);
        }
        Correction::Used { count } => {
            let most = u16::from(position.print.crystals);
            edits.used(|_| cut(*count, most));
        }
        Correction::Flow(flow) => {
            let known = |id: ShipId| position.ships().iter().map(Ship::id).any(|s| s == id);
            let named = flow
                .moving
                .iter()
                .copied()
                .chain(flow.stop.map(|c| c.ship))
                .chain(flow.next.map(|c| c.ship))
                .chain(flow.owed.iter().map(|o| o.ship()))
                .chain(flow.warp.as_ref().map(|w| w.ship))
                .chain(flow.launch.iter().flat_map(|l| [l.shooter, l.target]));
            for id in named {
                if !known(id) {
                    return Err(Reason::NoSuchShip { ship: id });
                }
            }
            edits.flow(|now| *now = flow.clone());
        }
    }
    Ok(())
}

fn cut(count: Span, most: u16) -> Span {
    Span {
        min: count.min.min(most),
        max: count.max.min(most),
    }
}
