//! Launches, from "Fire!" to the last crystal on its way back.

use crate::rules::dice_duel::bearing::Sectors;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::dice_box::Sums;
use crate::rules::dice_duel::flow::{Claim, Freeze, Launch, Owed, Target};
use crate::rules::dice_duel::launch::{Aim, Arms, Need, Shot};
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::symbol::{DieKind, Part, Symbol};
use crate::rules::dice_duel::zone::{Sector, Side, Spot, Tube, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    /// Why a launch may not be declared whatever it would do; `Unknown` where that depends.
    pub(crate) fn may_fire(&self, id: ShipId, declared: u8, target: Target) -> Result<(), Reason> {
        let ship = self.may_freeze(id, Freeze::Fire)?;
        if !(1..=2).contains(&declared) {
            return Err(Reason::OneOrTwo { declared });
        }
        let enemies_moving = self
            .flow
            .moving
            .iter()
            .find(|m| self.ship(**m).is_none_or(|s| s.team() != ship.team()));
        if let Some(moving) = enemies_moving {
            return Err(Reason::Moving { ship: *moving });
        }
        match target {
            Target::Ship(target) => {
                let other = self
                    .ship(target)
                    .ok_or(Reason::NoSuchShip { ship: target })?;
                if other.team() == ship.team() {
                    return Err(Reason::Friendly { ship: target });
                }
                match other.destroyed(&self.print) {
                    Some(false) => Ok(()),
                    Some(true) => Err(Reason::Destroyed { ship: target }),
                    None => Err(Reason::Unknown {
                        at: Zone::Damage(target, None),
                    }),
                }
            }
            Target::Mine(square) => {
                if !self.board.contains(square) {
                    return Err(Reason::OffMap { square });
                }
                match self.board.cell(square).mines.value() {
                    Some(0) => return Err(Reason::NoMine { square }),
                    Some(_) => {}
                    None => {
                        return Err(Reason::Unknown {
                            at: Zone::Board(square),
                        });
                    }
                }
                match ship.square().candidates() {
                    Some([own]) if *own == square => Err(Reason::OwnSquare { square }),
                    Some(squares) if !squares.contains(&square) => Ok(()),
                    _ => Err(Reason::Unknown { at: Zone::Ship(id) }),
                }
            }
        }
    }

    /// What is aimed at, and its jammers.
    pub(crate) fn aim(&self, target: Target) -> Option<(Aim<'_>, Sums)> {
        match target {
            Target::Ship(id) => self.ship(id).map(|s| (Aim::Ship(s), s.jammers())),
            Target::Mine(square) => Some((Aim::Mine(square), Sums::ZERO)),
        }
    }
}

pub(super) fn fire(
    edits: &mut Edits<'_>,
    id: ShipId,
    declared: u8,
    target: Target,
    chosen: &[Tube],
) -> Result<(), Reason> {
    let position = edits.position();
    position.may_fire(id, declared, target)?;
    let ship = position.may_freeze(id, Freeze::Fire)?;
    let arms = Arms::of(ship, &position.print);
    let (aim, jammers) = position.aim(target).ok_or(Reason::NoMine {
        square: crate::rules::dice_duel::Square::new(0, 0),
    })?;
    let shot = position.shot(ship, &arms, aim, jammers);
    let unknown = |position: &Position| {
        let waits = position.shot_waits_for(ship, &arms, target, aim, jammers);
        Reason::Unknown {
            at: waits.first().copied().unwrap_or(Zone::Ship(id)),
        }
    };
    match shot.verdict {
        Verdict::Hit | Verdict::Miss => {}
        Verdict::Cannot => return Err(Reason::NothingLoaded),
        _ => return Err(unknown(position)),
    }
    // What leaves the displays depends on tubes and side even where the verdict does not.
    if !arms.torpedoes.is_known() {
        let at = Spot::all()
            .filter(|s| matches!(s, Spot::Tube(..)))
            .find(|s| ship.slot_filled(*s).is_none())
            .map_or(Zone::Ship(id), |s| Zone::On(id, s));
        return Err(Reason::Unknown { at });
    }
    let (Some(line), true) = (shot.line, shot.directed) else {
        let at = match target {
            Target::Ship(other) if ship.square().is_known() && ship.facing().is_known() => other,
            _ => id,
        };
        return Err(Reason::Unknown { at: Zone::Ship(at) });
    };
    let tubes = position.launched(ship, line, declared);
    if !tubes.allows(chosen) {
        return Err(match chosen.iter().find(|t| !tubes.of.contains(t)) {
            Some(tube) => Reason::NotThatTube { tube: *tube },
            None => Reason::SayTubes {
                leave: tubes.leave.min(255) as u8,
            },
        });
    }
    let struck = match (shot.verdict, target) {
        (Verdict::Hit, Target::Ship(other)) => Some(struck(position, other, &shot)?),
        _ => None,
    };
    let bearing = tubes.launched > 0;
    let flying: Vec<Tube> = chosen
        .iter()
        .copied()
        .filter(|t| Some(t.side()) == line.side)
        .take(tubes.launched)
        .collect();
    edits.flow(|flow| {
        flow.stop = Some(Claim {
            ship: id,
            freeze: Freeze::Fire,
        });
        flow.next = None;
    });
    for tube in chosen {
        for part in Part::ALL {
            edits.clear(id, Spot::Tube(*tube, part));
        }
    }
    edits.clear(id, Spot::Lock);
    match target {
        Target::Ship(other) => {
            if bearing {
                edits.clear(other, Spot::Jammer);
            }
            if let Some(sectors) = struck {
                edits.flow(|flow| {
                    flow.launch = Some(Launch {
                        shooter: id,
                        target: other,
                        tubes: flying,
                        sectors: sectors.iter().collect(),
                        blasts: Vec::new(),
                    });
                });
                return settle(edits);
            }
        }
        Target::Mine(square) => {
            if shot.verdict == Verdict::Hit {
                edits.cell(square, |cell| cell.mines = Span::known(0));
            }
        }
    }
    after_launch(edits);
    Ok(())
}

/// The sectors a hit meets, each with dice that are known.
fn struck(position: &Position, target: ShipId, shot: &Shot) -> Result<Sectors, Reason> {
    let ship = position
        .ship(target)
        .ok_or(Reason::NoSuchShip { ship: target })?;
    let struck = position.struck(ship, shot.sectors);
    let open = |s: Sector| ship.shields(s).span().value().is_none();
    let unsure = struck
        .sectors
        .iter()
        .find(|s| open(*s))
        .or_else(|| shot.sectors.iter().find(|s| struck.unsure && open(*s)));
    match unsure {
        Some(sector) => Err(Reason::Unknown {
            at: Zone::On(target, Spot::Shield(sector)),
        }),
        None => Ok(struck.sectors),
    }
}

pub(super) fn choose_sector(edits: &mut Edits<'_>, sector: Sector) -> Result<(), Reason> {
    match &edits.position().flow.launch {
        Some(launch) if launch.sectors.len() > 1 => {
            if !launch.sectors.contains(&sector) {
                return Err(Reason::NotThatSector { sector });
            }
        }
        _ => return Err(Reason::NotAsked),
    }
    edits.flow(|flow| {
        if let Some(launch) = &mut flow.launch {
            launch.sectors = vec![sector];
        }
    });
    settle(edits)
}

pub(super) fn blast(edits: &mut Edits<'_>, symbol: Symbol) -> Result<(), Reason> {
    match &edits.position().flow.launch {
        Some(launch) if launch.sectors.len() == 1 => {}
        _ => return Err(Reason::NotAsked),
    }
    let faces = edits.position().print.faces_of(DieKind::Weapon);
    if !faces.contains(&symbol) {
        return Err(Reason::NoSuchFace { symbol });
    }
    edits.flow(|flow| {
        if let Some(launch) = &mut flow.launch {
            launch.blasts.push(symbol.blasts());
        }
    });
    settle(edits)
}

/// Ends a launch once sector and rolls are there: damage, and the shields that were struck leave.
fn settle(edits: &mut Edits<'_>) -> Result<(), Reason> {
    let position = edits.position();
    let Some(launch) = &position.flow.launch else {
        return Ok(());
    };
    let [sector] = launch.sectors.as_slice() else {
        return Ok(());
    };
    let (target, sector) = (launch.target, *sector);
    let ship = position
        .ship(target)
        .ok_or(Reason::NoSuchShip { ship: target })?;
    let Some(dice) = ship.shields(sector).span().value() else {
        return Err(Reason::Unknown {
            at: Zone::On(target, Spot::Shield(sector)),
        });
    };
    let need = Need::against(&position.print, dice);
    let damage = if need.is_automatic() {
        match need {
            Need::Never => 0,
            Need::Blasts(_) => launch.tubes.len(),
        }
    } else if launch.blasts.len() >= launch.tubes.len() {
        launch.blasts.iter().filter(|b| need.met_by(**b)).count()
    } else {
        return Ok(());
    };
    let hull_left = ship
        .hull_left(&position.print)
        .unwrap_or(u16::from(position.print.numbers.hull));
    let owed = damage.min(usize::from(hull_left));
    edits.clear(target, Spot::Shield(sector));
    edits.flow(|flow| {
        flow.launch = None;
        flow.owed
            .extend(std::iter::repeat_n(Owed::Damage { ship: target }, owed));
    });
    after_launch(edits);
    Ok(())
}

/// What was used goes back onto the map after a launch.
fn after_launch(edits: &mut Edits<'_>) {
    if edits.position().used_crystals.max > 0 {
        edits.flow(|flow| flow.returning = true);
    }
}

/// Tubes of a ship that are surely loaded.
pub(super) fn loaded_tubes(position: &Position, ship: &Ship) -> Vec<Tube> {
    Side::ALL
        .into_iter()
        .flat_map(|side| position.print.tubes_on(side))
        .filter(|t| ship.loaded(*t) == Some(true))
        .collect()
}
