//! Ships that move: by helm, by tractor beam, by Warp Jump, and what they run into.

use crate::rules::Place;
use crate::rules::dice_duel::action::obstacle_spots;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::flow::Owed;
use crate::rules::dice_duel::helm::Course;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::{Print, WormholeHalf};
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::{Placement, Ship};
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::{Facing, Half, Square};
use crate::rules::dice_duel::stand::{Halved, halves};
use crate::rules::dice_duel::symbol::Symbol;
use crate::rules::dice_duel::zone::{HelmSlot, Spot, Station, Zone};
use crate::rules::{Span, Verdict};

/// A move by helm that may be carried out.
pub(crate) struct Ready {
    pub(crate) course: Course,
    pub(crate) dice: [Symbol; 3],
}

impl Position {
    /// The move that a ship's helm dice make, or why there is none yet.
    pub(crate) fn helm_course(&self, ship: &Ship) -> Result<Ready, Reason> {
        let (empty, unsure) = ship.helm_gaps();
        if empty > 0 {
            return Err(Reason::HelmWaits { empty });
        }
        if let Some(at) = unsure.first() {
            return Err(Reason::Unknown { at: *at });
        }
        let dice = ship.helm_dice().ok_or(Reason::HelmWaits { empty: 0 })?;
        let start = self.stand_of(ship)?;
        let hull_left = ship.hull_left(&self.print);
        let course = Course::of_dice(
            &self.board,
            &self.print,
            start,
            &dice,
            hull_left.unwrap_or(u16::MAX),
        );
        self.course_is_sure(ship, &course)?;
        Ok(Ready { course, dice })
    }

    pub(crate) fn course_is_sure(&self, ship: &Ship, course: &Course) -> Result<(), Reason> {
        if let Some(square) = course.unsure.first() {
            return Err(Reason::Unknown {
                at: Zone::Board(*square),
            });
        }
        if !course.mines.is_empty() && ship.hull_left(&self.print).is_none() {
            return Err(Reason::Unknown {
                at: Zone::Damage(ship.id(), None),
            });
        }
        Ok(())
    }

    /// Where a ship stands, if square and facing are known; the half may be open.
    pub(crate) fn stand_of(&self, ship: &Ship) -> Result<Placement, Reason> {
        match (ship.square().known(), ship.facing().known()) {
            (Some(square), Some(facing)) => Ok(Placement {
                square: *square,
                facing: *facing,
                half: ship.half().known().copied().unwrap_or_default(),
            }),
            _ => Err(Reason::Unknown {
                at: Zone::Ship(ship.id()),
            }),
        }
    }

    /// Whether a ship other than `id` is on a square, and still flies: surely, or perhaps.
    pub(crate) fn others_on(&self, id: ShipId, square: Square) -> Others {
        let mut others = Others::default();
        for other in self.ships.iter().filter(|s| s.id() != id) {
            match other.destroyed(&self.print) {
                Some(true) => {}
                _ if other.square().known() == Some(&square) => others.sure = true,
                _ if other
                    .square()
                    .candidates()
                    .is_none_or(|c| c.contains(&square)) =>
                {
                    others.perhaps = true;
                }
                _ => {}
            }
        }
        others
    }

    /// Whether another ship that still flies may be on the same square, by what was said of both.
    pub(crate) fn may_share(&self, ship: &Ship) -> bool {
        if ship.destroyed(&self.print) == Some(true) {
            return false;
        }
        let others = self.ships.iter().filter(|o| o.id() != ship.id());
        let mut flying = others.filter(|o| o.destroyed(&self.print) != Some(true));
        flying.any(
            |other| match (ship.said.candidates(), other.said.candidates()) {
                (Some(a), Some(b)) => a.iter().any(|s| b.contains(s)),
                _ => true,
            },
        )
    }

    /// What a helm display allows: the verdict, without words. With three dice there a ship has
    /// to move, wherever that leads.
    pub(crate) fn helm_verdict(&self, ship: &Ship) -> Verdict {
        let filled = HelmSlot::ALL.map(|slot| ship.slot_filled(Spot::Helm(slot)));
        match self.may_act(ship.id()).map(|_| ()) {
            _ if filled.contains(&Some(false)) => Verdict::Cannot,
            Err(Reason::Unknown { .. }) => Verdict::Unsure,
            Err(_) => Verdict::Cannot,
            Ok(()) if filled.contains(&None) => Verdict::Unsure,
            Ok(()) => Verdict::Must,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Others {
    pub(crate) sure: bool,
    pub(crate) perhaps: bool,
}

pub(super) fn start(edits: &mut Edits<'_>, id: ShipId) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    position.helm_course(ship)?;
    if position.flow.moving.contains(&id) {
        return Err(Reason::Moving { ship: id });
    }
    edits.flow(|flow| flow.moving.push(id));
    Ok(())
}

pub(super) fn go(edits: &mut Edits<'_>, id: ShipId) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_act(id)?;
    let Ready { course, dice } = position.helm_course(ship)?;
    for slot in HelmSlot::ALL {
        edits.clear(id, Spot::Helm(slot));
    }
    for die in dice.into_iter().take(usize::from(course.saved)) {
        edits.dice(id, Spot::Energy(Station::Helm), |energy| {
            energy.push(crate::rules::dice_duel::symbol::Faces::one(die));
        });
    }
    if edits.position().flow.moving.contains(&id) {
        edits.flow(|flow| flow.moving.retain(|m| *m != id));
    }
    if let Some((square, facing)) = course.end {
        land(
            edits,
            id,
            square,
            facing,
            course.heading.map(|heading| {
                let print = &edits.position().print;
                Entered::by(heading.opposite(), &course, print)
            }),
        );
    }
    suffer(edits, id, &course);
    pass(edits, id, &course);
    Ok(())
}

/// Where passing through pushes: a ship alone on a square that was passed is left in the half
/// away from the edge by which the other came in.
fn pass(edits: &mut Edits<'_>, id: ShipId, course: &Course) {
    let options = &edits.position().print.options;
    let (Some((end, _)), true) = (course.end, options.passing_takes_half) else {
        return;
    };
    for (square, heading) in course.path.iter().zip(&course.headings) {
        if *square == end {
            continue;
        }
        let position = edits.position();
        let here = position.ships().iter().filter(|s| {
            let flies = s.destroyed(&position.print) != Some(true);
            s.id() != id && flies && s.square().known() == Some(square)
        });
        let here: Vec<ShipId> = here.map(Ship::id).collect();
        if let [other] = here.as_slice() {
            let half = Place::Known(Half::At(*heading));
            edits.stand(*other, |ship| ship.half = half);
        }
    }
}

/// How a ship came into the square it ends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// By this edge.
    At(Facing),
    /// Out of a wormhole, and these players say themselves which half it takes.
    Asked,
}

impl Entered {
    pub(super) fn by(edge: Facing, course: &Course, print: &Print) -> Entered {
        let ask = print.options.wormhole_half == WormholeHalf::Ask;
        match course.through_wormhole && ask {
            true => Entered::Asked,
            false => Entered::At(edge),
        }
    }
}

/// Puts a ship down: `entered` is how it came in, `None` if it did not leave its square.
pub(super) fn land(
    edits: &mut Edits<'_>,
    id: ShipId,
    square: Square,
    facing: Facing,
    entered: Option<Entered>,
) {
    let Some(entered) = entered else {
        edits.stand(id, |ship| ship.facing = Place::Known(facing));
        return;
    };
    let others = edits.position().others_on(id, square);
    let (half, other_half) = match entered {
        _ if !others.sure && !others.perhaps => {
            (Place::Known(Half::Whole), Place::Known(Half::Whole))
        }
        Entered::At(edge) => (
            Place::Known(Half::At(edge)),
            Place::Known(Half::At(edge.opposite())),
        ),
        Entered::Asked => (Place::Unknown, Place::Unknown),
    };
    let position = edits.position();
    let met = position.ships().iter().filter(|s| s.id() != id);
    let met = met.filter(|s| s.squares(&position.board).any(|s| s == square));
    let met: Vec<(ShipId, bool)> = met.map(|s| (s.id(), s.square().is_known())).collect();
    edits.stand(id, |ship| {
        ship.put(Place::Known(square));
        ship.facing = Place::Known(facing);
        ship.half = half.clone();
    });
    for (other, sure) in met {
        edits.stand(other, |ship| {
            if sure {
                ship.put(Place::Known(square));
                ship.half = other_half.clone();
            } else {
                // Alone so far, it may have been joined.
                ship.half = Place::Unknown;
            }
        });
    }
}

/// Brings halves in order after ships moved, were destroyed or were spoken for: who shares its square
/// with nobody has no half, and two in one square have opposite ones or are not known. The same as when
/// a position is resolved, so that what is written down reads back as itself.
pub(super) fn settle_halves(edits: &mut Edits<'_>) {
    // who is settled may settle who shares its square: once more than there are ships is enough
    for _ in 0..=edits.position().ships().len() {
        let position = edits.position();
        let found: Vec<Halved> = halves(&position.ships, &position.print)
            .into_iter()
            .filter(|h| {
                position
                    .ship(h.ship)
                    .is_some_and(|ship| *ship.half() != h.half)
            })
            .collect();
        if found.is_empty() {
            return;
        }
        for Halved { ship, half, .. } in found {
            edits.stand(ship, |ship| ship.half = half);
        }
    }
}

/// What a course costs: mines, asteroids, nebulas, rifts.
pub(super) fn suffer(edits: &mut Edits<'_>, id: ShipId, course: &Course) {
    for square in &course.mines {
        edits.cell(*square, |cell| cell.mines = Span::known(0));
    }
    let numbers = edits.position().print.numbers.clone();
    let mut owed = Vec::new();
    let hits = course.mines.len().min(64) * usize::from(numbers.mine_damage);
    let hull_left = edits
        .position()
        .ship(id)
        .and_then(|s| s.hull_left(&edits.position().print))
        .unwrap_or(u16::from(numbers.hull));
    for _ in 0..hits.min(usize::from(hull_left)) {
        owed.push(Owed::Damage { ship: id });
    }
    let times = |n: u8, each: u8| n.saturating_mul(each);
    let shields = match course.met.rifts {
        0 => times(course.met.asteroids, numbers.asteroid_shields),
        _ => u8::MAX,
    };
    let sensors = times(course.met.nebulas, numbers.nebula_sensors);
    for (station, dice) in [(Station::Shields, shields), (Station::Sensors, sensors)] {
        if dice == 0 {
            continue;
        }
        let there = edits.position().ship(id).map_or(0, |ship| {
            obstacle_spots(station)
                .iter()
                .map(|s| ship.dice(*s).count().max)
                .sum::<u16>()
        });
        if there <= u16::from(dice) {
            for spot in obstacle_spots(station) {
                edits.clear(id, *spot);
            }
        } else {
            owed.push(Owed::Discard {
                ship: id,
                station,
                dice,
            });
        }
    }
    if !owed.is_empty() {
        edits.flow(|flow| flow.owed.extend(owed));
    }
}
