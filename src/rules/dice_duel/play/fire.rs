//! Launches, from "Fire!" to the last crystal on its way back.

use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::dice_box::Sums;
use crate::rules::dice_duel::flow::{Claim, Freeze, Launch, Owed, Target};
use crate::rules::dice_duel::launch::{Aim, Arms};
use crate::rules::dice_duel::pending::Pending;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::OwnSquareMine;
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::Square;
use crate::rules::dice_duel::standing::firm;
use crate::rules::dice_duel::symbol::{DieKind, Part, Symbol};
use crate::rules::dice_duel::zone::{Sector, Side, Spot, Tube, Zone};
use crate::rules::{Span, Verdict};

impl Position {
    /// Why a launch may not be declared whatever it would do; `Unknown` where that depends.
    pub(crate) fn may_fire(&self, id: ShipId, declared: u8, target: Target) -> Result<(), Reason> {
        let ship = self.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
        let number = match declared {
            1 | 2 => Ok(()),
            _ => Err(Reason::OneOrTwo { declared }),
        };
        let enemy = |m: &&ShipId| self.ship(**m).is_none_or(|s| s.team() != ship.team());
        let moving = match self.flow.moving.iter().find(enemy) {
            Some(moving) => Err(Reason::Moving { ship: *moving }),
            None => Ok(()),
        };
        firm([
            self.may_freeze(id, Freeze::Fire).map(|_| ()),
            number,
            moving,
            match target {
                Target::Ship(target) => self.may_target(ship, target),
                Target::Mine(square) => self.may_target_mine(ship, square),
            },
        ])
    }

    fn may_target(&self, ship: &Ship, target: ShipId) -> Result<(), Reason> {
        let other = self.ship(target);
        let other = other.ok_or(Reason::NoSuchShip { ship: target })?;
        if other.team() == ship.team() {
            return Err(Reason::Friendly { ship: target });
        }
        self.standing(&[ship.id(), target])
    }

    fn may_target_mine(&self, ship: &Ship, square: Square) -> Result<(), Reason> {
        if !self.board.contains(square) {
            return Err(Reason::NoMine { square });
        }
        let mine = match self.board.cell(square).mines.value() {
            Some(0) => Err(Reason::NoMine { square }),
            Some(_) => Ok(()),
            None => Err(Reason::Unknown {
                at: Zone::Board(square),
            }),
        };
        let apart = match ship.square().candidates() {
            _ if self.print.options.mine_in_own_square == OwnSquareMine::FrontArc => Ok(()),
            Some([own]) if *own == square => Err(Reason::OwnSquare { square }),
            Some(squares) if !squares.contains(&square) => Ok(()),
            _ => Err(Reason::Unknown {
                at: Zone::Ship(ship.id()),
            }),
        };
        firm([mine, apart])
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
    let (aim, jammers) = position.aim(target).ok_or(Reason::NotAsked)?;
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
    // What leaves the displays depends on the side even where the verdict does not.
    let (Some(bears), true) = (shot.side, shot.directed) else {
        let at = match target {
            Target::Ship(other) if ship.square().is_known() && ship.facing().is_known() => other,
            _ => id,
        };
        return Err(Reason::Unknown { at: Zone::Ship(at) });
    };
    may_leave(position, ship, bears, declared, chosen)?;
    let flying: Vec<Tube> = chosen
        .iter()
        .copied()
        .filter(|t| Some(t.side()) == bears)
        .collect();
    let bearing = !flying.is_empty();
    let struck = match (shot.verdict, target) {
        (Verdict::Hit, Target::Ship(target)) => {
            let mut launch = Launch {
                shooter: id,
                target,
                tubes: flying,
                sectors: shot.sectors.iter().collect(),
                chosen: false,
                blasts: Vec::new(),
            };
            if let Some(sectors) = position.impact(&launch) {
                launch.sectors = sectors;
            }
            Some(launch)
        }
        _ => None,
    };
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
            if let Some(launch) = struck {
                edits.flow(|flow| flow.launch = Some(launch));
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

/// Whether these torpedoes are the ones that leave, however the tubes that were not read are
/// loaded.
fn may_leave(
    position: &Position,
    ship: &Ship,
    bears: Option<Side>,
    declared: u8,
    chosen: &[Tube],
) -> Result<(), Reason> {
    let (mut any, mut all) = (false, true);
    let mut refused = Reason::NothingLoaded;
    for loaded in position.loadings(ship) {
        let tubes = position.launched(&loaded, bears, declared);
        if tubes.allows(chosen) {
            any = true;
            continue;
        }
        all = false;
        refused = match chosen.iter().find(|t| !tubes.of.contains(t)) {
            Some(tube) => Reason::NotThatTube { tube: *tube },
            None => Reason::SayTubes {
                leave: tubes.leave.min(255) as u8,
            },
        };
    }
    if any && all {
        return Ok(());
    }
    if !any {
        return Err(refused);
    }
    let open = Spot::all()
        .filter(|s| matches!(s, Spot::Tube(..)))
        .find(|s| ship.slot_filled(*s).is_none());
    Err(Reason::Unknown {
        at: open.map_or(Zone::Ship(ship.id()), |s| Zone::On(ship.id(), s)),
    })
}

pub(super) fn choose_sector(edits: &mut Edits<'_>, sector: Sector) -> Result<(), Reason> {
    let position = edits.position();
    let Some(launch) = &position.flow.launch else {
        return Err(Reason::NotAsked);
    };
    match position.pending(launch) {
        Pending::Sector if launch.sectors.contains(&sector) => {}
        Pending::Sector => return Err(Reason::NotThatSector { sector }),
        Pending::Unknown {
            at,
            may_roll: false,
        } => return Err(unknown(&at, launch)),
        _ => return Err(Reason::NotAsked),
    }
    edits.flow(|flow| {
        if let Some(launch) = &mut flow.launch {
            launch.sectors = vec![sector];
            launch.chosen = true;
        }
    });
    settle(edits)
}

pub(super) fn blast(edits: &mut Edits<'_>, symbol: Symbol) -> Result<(), Reason> {
    let position = edits.position();
    let Some(launch) = &position.flow.launch else {
        return Err(Reason::NotAsked);
    };
    match position.pending(launch) {
        Pending::Roll(_) | Pending::Unknown { may_roll: true, .. } => {}
        Pending::Unknown { at, .. } => return Err(unknown(&at, launch)),
        _ => return Err(Reason::NotAsked),
    }
    if !position.print.faces_of(DieKind::Weapon).contains(&symbol) {
        return Err(Reason::NoSuchFace { symbol });
    }
    edits.flow(|flow| {
        if let Some(launch) = &mut flow.launch {
            launch.blasts.push(symbol.blasts());
        }
    });
    settle(edits)
}

fn unknown(at: &[Zone], launch: &Launch) -> Reason {
    let first = at.first().copied();
    Reason::Unknown {
        at: first.unwrap_or(Zone::Ship(launch.target)),
    }
}

/// Ends a launch once sector and rolls are there: damage, and the shields that were struck leave.
pub(super) fn settle(edits: &mut Edits<'_>) -> Result<(), Reason> {
    let position = edits.position();
    let Some(launch) = &position.flow.launch else {
        return Ok(());
    };
    let ([sector], Pending::Done(damage)) = (launch.sectors.as_slice(), position.pending(launch))
    else {
        return Ok(());
    };
    let (target, sector) = (launch.target, *sector);
    let hull_left = position
        .ship(target)
        .and_then(|s| s.hull_left(&position.print))
        .unwrap_or(u16::from(position.print.numbers.hull));
    let owed = usize::from(damage).min(usize::from(hull_left));
    edits.clear(target, Spot::Shield(sector));
    edits.flow(|flow| {
        flow.launch = None;
        flow.owed
            .extend(std::iter::repeat_n(Owed::Damage { ship: target }, owed));
    });
    after_launch(edits);
    Ok(())
}

/// A launch after somebody has said what was not known: it may now be settled.
pub(super) fn look_again(edits: &mut Edits<'_>) -> Result<(), Reason> {
    let position = edits.position();
    if let Some(launch) = &position.flow.launch
        && !launch.chosen
        && let Some(sectors) = position.impact(launch)
    {
        edits.flow(|flow| {
            if let Some(launch) = &mut flow.launch {
                launch.sectors = sectors;
            }
        });
    }
    settle(edits)
}

/// What was used goes back onto the map after a launch.
fn after_launch(edits: &mut Edits<'_>) {
    if edits.position().used_crystals.max > 0 {
        edits.flow(|flow| flow.returning = true);
    }
}
