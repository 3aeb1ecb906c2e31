//! A person's word. It is taken as it is, as long as it can be put on a table at all.

use crate::rules::dice_duel::action::Correction;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::dice_box::DiceBox;
use crate::rules::dice_duel::mines::MineTokens;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::resolve::narrowed;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::{Half, Square};
use crate::rules::dice_duel::symbol::{DieKind, Faces};
use crate::rules::dice_duel::zone::{Spot, Station};
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
            // A helm die that was kept lies among the helm's energy.
            let kinds = [spot.die_kind(), spot.station().die_kind()];
            for kind in kinds {
                let sure = |d: &&Faces| d.is_present() && d.symbols().all(|s| s.fits(kind));
                let sure = now.dice().iter().filter(sure).count();
                if sure > usize::from(position.print.dice_of(kind)) {
                    let station = spot.station();
                    return Err(Reason::NoDieFree { station });
                }
            }
            edits.dice(*ship, *spot, |dice| *dice = now);
            for kind in kinds {
                doubt_others(edits, *ship, kind, Some(*spot));
            }
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
                ship.put(square);
                ship.facing = set(facing);
                ship.half = set(half);
            });
            make_room(edits, *ship);
        }
        Correction::Cell { square, cell } => {
            if !position.board.contains(*square) {
                return Err(Reason::OffMap { square: *square });
            }
            let foreign = cell.ground.iter().find(|t| !position.print.in_play(*t));
            if let Some(terrain) = foreign {
                return Err(Reason::NotInPlay { terrain });
            }
            let most = u16::from(position.print.crystals);
            edits.cell(*square, |c| {
                c.ground = cell.ground;
                c.mines = cut(cell.mines, 1);
                c.crystals = cut(cell.crystals, most);
            });
            settle_mines(edits, Told::Square(*square));
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
            settle_mines(edits, Told::Ship(*ship));
        }
        Correction::Damage { ship, damage } => {
            let print = position.print.clone();
            let gone = there(*ship)?.destroyed(&print) == Some(true);
            let hull = u16::from(position.print.numbers.hull);
            let mut told = *damage;
            told.dice = cut(told.dice, hull);
            told.crystals = cut(told.crystals, hull.saturating_sub(told.dice.min));
            edits.damage(*ship, |damage| *damage = told);
            doubt_others(edits, *ship, DieKind::Energy, None);
            let now = edits.position().ship(*ship);
            if gone && now.is_some_and(|s| s.destroyed(&print) != Some(true)) {
                // While it was taken for destroyed, nobody shared a square with it.
                edits.stand(*ship, |ship| ship.half = Place::Unknown);
                make_room(edits, *ship);
            }
        }
        Correction::Used { count } => {
            let most = u16::from(position.print.crystals);
            edits.used(|_| cut(*count, most));
        }
        Correction::Flow(flow) => {
            for id in flow.ships() {
                there(id)?;
            }
            if !flow.can_be(&position.print, &position.ships) {
                return Err(Reason::CannotWait);
            }
            edits.flow(|now| *now = flow.clone());
        }
    }
    Ok(())
}

/// More dice than the ship has: what a person says stands, so it is the others of that kind of
/// which one is not where it seemed to be.
fn doubt_others(edits: &mut Edits<'_>, id: ShipId, kind: DieKind, told: Option<Spot>) {
    let position = edits.position();
    let Some(ship) = position.ship(id) else {
        return;
    };
    let damage = match kind {
        DieKind::Energy => ship.damage().dice.min,
        _ => 0,
    };
    let sure = ship.dice_on_displays(kind).min.saturating_add(damage);
    if sure <= u16::from(position.print.dice_of(kind)) {
        return;
    }
    let kept = |s: Spot| kind == DieKind::Helm && s == Spot::Energy(Station::Helm);
    let holds = |s: &Spot| s.die_kind() == kind || kept(*s);
    for spot in Spot::all().filter(|s| holds(s) && Some(*s) != told) {
        edits.dice(id, spot, DiceBox::doubt);
    }
    // what a person says of one place stands, also against dice that were counted as damage
    let position = edits.position();
    let (all, sure) = (
        u16::from(position.print.dice_of(kind)),
        position
            .ship(id)
            .map_or(0, |ship| ship.dice_on_displays(kind).min),
    );
    if kind == DieKind::Energy && told.is_some() {
        let most = all.saturating_sub(sure);
        edits.damage(id, |damage| damage.dice.min = damage.dice.min.min(most));
    }
}

/// A die that was moved is there: where a ship then has more dice of a kind than exist, something that
/// was read or said before was wrong, and none of the others is sure any more.
pub(super) fn doubt_overfull(edits: &mut Edits<'_>) {
    let ids: Vec<ShipId> = edits.position().ships().iter().map(Ship::id).collect();
    for id in ids {
        for kind in DieKind::ALL {
            doubt_others(edits, id, kind, None);
        }
    }
}

/// What a person said something about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Ship(ShipId),
    Square(Square),
}

/// More mine tokens than the box has: what a person says stands, so it is the others that are not
/// believed, those on displays first. And no display holds more than is left.
fn settle_mines(edits: &mut Edits<'_>, told: Told) {
    let over = |position: &Position| {
        let tokens = MineTokens::of(&position.board, &position.ships, &position.print);
        tokens.seen > tokens.exist
    };
    let ids: Vec<ShipId> = edits.position().ships().iter().map(Ship::id).collect();
    if over(edits.position()) {
        for id in ids.iter().filter(|id| told != Told::Ship(**id)) {
            edits.mines(*id, |n| Span::between(0, n.max));
        }
    }
    if over(edits.position()) {
        let cells = edits.position().board.cells();
        let mines: Vec<Square> = cells
            .filter(|(s, c)| c.mines.min > 0 && told != Told::Square(*s))
            .map(|(s, _)| s)
            .collect();
        for square in mines {
            edits.cell(square, |c| c.mines = Span::between(0, c.mines.max));
        }
    }
    for id in ids {
        let position = edits.position();
        let room = MineTokens::of(&position.board, &position.ships, &position.print).room(id);
        edits.mines(id, |n| cut(n, room));
    }
}

/// The half of a ship that was told is its own: another in that square has not got it.
fn make_room(edits: &mut Edits<'_>, id: ShipId) {
    let position = edits.position();
    let Some(ship) = position.ship(id) else {
        return;
    };
    let taken = match ship.half().known() {
        Some(Half::At(edge)) => Some(Half::At(edge.opposite())),
        _ => None,
    };
    let may_share = |other: &Ship| match (other.said.candidates(), ship.said.candidates()) {
        (Some(a), Some(b)) => a.iter().any(|s| b.contains(s)),
        _ => true,
    };
    let others: Vec<ShipId> = position
        .ships()
        .iter()
        .filter(|o| o.id() != id && o.half().is_known() && may_share(o))
        .filter(|o| {
            let same = ship.said.is_known() && ship.said == o.said;
            o.half().known() == Some(&Half::Whole) || (same && o.half().known() != taken.as_ref())
        })
        .map(Ship::id)
        .collect();
    for other in others {
        edits.stand(other, |ship| ship.half = Place::Unknown);
    }
}

fn cut(count: Span, most: u16) -> Span {
    Span {
        min: count.min.min(most),
        max: count.max.min(most),
    }
}
