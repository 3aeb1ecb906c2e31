//! The tractor beam: ships pushed, crystals pulled, mines laid.

use super::course::{Entered, land, suffer};
use crate::rules::dice_duel::action::TRACTOR_SPOTS;
use crate::rules::dice_duel::bearing::range;
use crate::rules::dice_duel::change::Edits;
use crate::rules::dice_duel::flow::{Claim, Freeze};
use crate::rules::dice_duel::helm::Course;
use crate::rules::dice_duel::position::Position;
use crate::rules::dice_duel::print::{OffMapPush, Print, WormholeHalf};
use crate::rules::dice_duel::reason::Reason;
use crate::rules::dice_duel::ship::Ship;
use crate::rules::dice_duel::ship_id::ShipId;
use crate::rules::dice_duel::square::{Facing, Square};
use crate::rules::dice_duel::standing::firm;
use crate::rules::dice_duel::zone::{Spot, Station, Zone};
use crate::rules::{Span, Verdict};

/// The strength a tractor beam needs over a range.
pub(crate) fn beam_needed(print: &Print, range: u16) -> u16 {
    u16::from(print.numbers.beam_a_square)
        .saturating_mul(range)
        .max(u16::from(print.numbers.least_beam))
}

/// A pull, judged by bounds: strength rises and falls with its dice, need with the range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    pub(crate) verdict: Verdict,
    pub(crate) strength: Span,
    pub(crate) range: Span,
    pub(crate) need: Span,
}

impl Position {
    /// Whether a ship's beam reaches the squares something may be on.
    fn pull(&self, ship: &Ship, to: &mut dyn Iterator<Item = Square>, may_meet: bool) -> Pull {
        let mut ranges: Option<Span> = None;
        let from: Vec<Square>;
        // One square is the rule; only a ship that is not known costs a list.
        let own = match ship.square().known() {
            Some(square) => std::slice::from_ref(square),
            None => {
                from = ship.squares(&self.board).collect();
                &from
            }
        };
        for there in to {
            for here in own {
                if *here == there && !may_meet {
                    continue;
                }
                let n = Span::known(range(*here, there));
                ranges = Some(ranges.map_or(n, |r| r.union(n)));
            }
        }
        // Claims that rule out every square leave the one they name.
        let range = ranges.unwrap_or(Span::known(0));
        let strength = ship.beam().span();
        let need = Span::between(
            beam_needed(&self.print, range.min),
            beam_needed(&self.print, range.max),
        );
        let verdict = if strength.min >= need.max {
            Verdict::May
        } else if strength.max < need.min {
            Verdict::Cannot
        } else {
            Verdict::Unsure
        };
        Pull {
            verdict,
            strength,
            range,
            need,
        }
    }

    /// The pull of one ship on another.
    pub(crate) fn pull_ship(&self, ship: &Ship, target: &Ship) -> Pull {
        let may_meet = ship.may_meet(target);
        self.pull(ship, &mut target.squares(&self.board), may_meet)
    }

    /// The pull of a ship on a crystal.
    pub(crate) fn pull_crystal(&self, ship: &Ship, square: Square) -> Pull {
        self.pull(ship, &mut std::iter::once(square), true)
    }

    /// Why the beam may not be turned on a ship, whatever its strength.
    pub(crate) fn may_tractor(&self, id: ShipId, target: ShipId) -> Result<(), Reason> {
        let itself = match id == target {
            true => Err(Reason::NotItself),
            false => Ok(()),
        };
        let moving = self.flow.moving.iter().find(|m| **m == id || **m == target);
        let moving = moving.map_or(Ok(()), |m| Err(Reason::Moving { ship: *m }));
        firm([
            self.may_freeze(id, Freeze::Tractor).map(|_| ()),
            itself,
            self.standing(&[id, target]),
            moving,
        ])
    }

    /// Why a crystal may not be pulled from a square, whatever the strength.
    pub(crate) fn may_pull(&self, id: ShipId, square: Square) -> Result<&Ship, Reason> {
        let moving = match self.flow.moving.contains(&id) {
            true => Err(Reason::Moving { ship: id }),
            false => Ok(()),
        };
        let crystal = match self.board.cell(square).crystals {
            Span { min: 1.., .. } => Ok(()),
            Span { max: 0, .. } => Err(Reason::NoCrystalAt { square }),
            _ => Err(Reason::Unknown {
                at: Zone::Board(square),
            }),
        };
        firm([self.may_act(id).map(|_| ()), moving, crystal])?;
        self.ship(id).ok_or(Reason::NoSuchShip { ship: id })
    }

    /// Why a mine may not be laid, wherever the ship is.
    pub(crate) fn may_lay(&self, id: ShipId) -> Result<(), Reason> {
        let ship = self.ship(id).ok_or(Reason::NoSuchShip { ship: id })?;
        let moving = self.flow.moving.first();
        let moving = moving.map_or(Ok(()), |m| Err(Reason::Moving { ship: *m }));
        let armed = match ship.armed() {
            Some(true) => Ok(()),
            Some(false) => Err(Reason::NotArmed),
            None => {
                let open = |spot: &Spot| ship.slot_filled(*spot).is_none();
                let spot = [Spot::MineA, Spot::MineB].into_iter().find(open);
                Err(Reason::Unknown {
                    at: Zone::On(id, spot.unwrap_or(Spot::MineA)),
                })
            }
        };
        let left = match ship.mines() {
            Span { min: 1.., .. } => Ok(()),
            Span { max: 0, .. } => Err(Reason::NoMineLeft),
            _ => Err(Reason::Unknown {
                at: Zone::Display(id, Station::Tractor),
            }),
        };
        firm([
            self.may_act(id).map(|_| ()),
            moving,
            armed,
            left,
            self.room_for_mine(ship),
        ])
    }

    /// Whether the square a ship is on has no mine yet: a mine on every square it may be on
    /// forbids another wherever it is, and none on any allows one.
    fn room_for_mine(&self, ship: &Ship) -> Result<(), Reason> {
        let mines = |s: Square| self.board.cell(s).mines;
        let (mut taken, mut free) = (None, true);
        let mut full = true;
        for square in ship.squares(&self.board) {
            full &= mines(square).min > 0;
            free &= mines(square).max == 0;
            taken = taken.or((mines(square).max > 0).then_some(square));
        }
        match (taken, ship.square().known()) {
            _ if free => Ok(()),
            (Some(square), _) if full => Err(Reason::MineThere { square }),
            (_, Some(square)) => Err(Reason::Unknown {
                at: Zone::Board(*square),
            }),
            _ => Err(Reason::Unknown {
                at: Zone::Ship(ship.id()),
            }),
        }
    }

    /// The edges by which a ship that is moved from one square to one beside it can come in.
    pub(crate) fn edges(from: Square, to: Square) -> Vec<Facing> {
        let (dx, dy) = from.vector_to(to);
        let mut edges = Vec::new();
        match dy.signum() {
            1 => edges.push(Facing::S),
            -1 => edges.push(Facing::N),
            _ => {}
        }
        match dx.signum() {
            1 => edges.push(Facing::W),
            -1 => edges.push(Facing::E),
            _ => {}
        }
        edges
    }

    /// Where a pushed ship ends up, and by which edges it may come in: more than one only where
    /// that matters, which is a choice of the moved ship.
    pub(crate) fn push_to(&self, target: &Ship, to: Square) -> Result<Push, Reason> {
        let start = self.stand_of(target)?;
        let (dx, dy) = start.square.vector_to(to);
        if (dx, dy) == (0, 0) || dx.abs() > 1 || dy.abs() > 1 {
            return Err(Reason::NotAdjacent { square: to });
        }
        if !self.board.contains(to) {
            return match self.print.options.tractor_off_map {
                OffMapPush::Forbidden => Err(Reason::PushOffMap { square: to }),
                OffMapPush::Stays => Ok(Push {
                    course: Course::default(),
                    square: start.square,
                    facing: start.facing,
                    edges: vec![Facing::N],
                    stays: true,
                }),
            };
        }
        let hull_left = target.hull_left(&self.print).unwrap_or(u16::MAX);
        let course = Course::entering(&self.board, &self.print, to, hull_left);
        self.course_is_sure(target, &course)?;
        let square = course.end.map_or(to, |(square, _)| square);
        let others = self.others_on(target.id(), square);
        let mut edges = Position::edges(start.square, to);
        let asked =
            course.through_wormhole && self.print.options.wormhole_half == WormholeHalf::Ask;
        if !others.sure || asked {
            edges.truncate(1);
        }
        Ok(Push {
            course,
            square,
            facing: start.facing,
            edges,
            stays: false,
        })
    }

    /// The squares a ship may be pushed to.
    pub fn push_squares(&self, target: ShipId) -> Vec<Square> {
        let Some(ship) = self.ship(target) else {
            return Vec::new();
        };
        let Some(square) = ship.square().known() else {
            return Vec::new();
        };
        let off_map = self.print.options.tractor_off_map == OffMapPush::Stays;
        square
            .around()
            .into_iter()
            .filter(|s| off_map || self.board.contains(*s))
            .collect()
    }
}

/// A push that may be made.
pub(crate) struct Push {
    pub(crate) course: Course,
    pub(crate) square: Square,
    pub(crate) facing: Facing,
    pub(crate) edges: Vec<Facing>,
    /// The edge of the map holds it where it is.
    pub(crate) stays: bool,
}

/// Where a choice of an edge is needed, it has to be made; where not, it may not.
pub(super) fn entry(edges: &[Facing], said: Option<Facing>) -> Result<Facing, Reason> {
    match (edges, said) {
        ([only], None) => Ok(*only),
        ([_], Some(_)) | ([], _) => Err(Reason::SayEntry { needed: false }),
        (_, Some(edge)) if edges.contains(&edge) => Ok(edge),
        _ => Err(Reason::SayEntry { needed: true }),
    }
}

fn strong_enough(pull: &Pull, id: ShipId, other: Option<ShipId>) -> Result<(), Reason> {
    match pull.verdict {
        Verdict::May => Ok(()),
        Verdict::Cannot => Err(Reason::Strength {
            strength: pull.strength,
            range: pull.range,
            need: pull.need,
        }),
        _ if pull.strength.value().is_none() => Err(Reason::Unknown {
            at: Zone::On(id, Spot::Beam),
        }),
        _ => Err(Reason::Unknown {
            at: Zone::Ship(other.unwrap_or(id)),
        }),
    }
}

fn beams_leave(edits: &mut Edits<'_>, id: ShipId) {
    for spot in TRACTOR_SPOTS {
        edits.clear(id, spot);
    }
}

pub(super) fn push(
    edits: &mut Edits<'_>,
    id: ShipId,
    target: ShipId,
    to: Square,
    enter_by: Option<Facing>,
) -> Result<(), Reason> {
    let position = edits.position();
    position.may_tractor(id, target)?;
    let ship = position.may_freeze(id, Freeze::Tractor)?;
    let other = position
        .ship(target)
        .ok_or(Reason::NoSuchShip { ship: target })?;
    let pull = position.pull_ship(ship, other);
    let stop = |edits: &mut Edits<'_>| {
        edits.flow(|flow| {
            flow.stop = Some(Claim {
                ship: id,
                freeze: Freeze::Tractor,
            });
            flow.next = None;
        });
    };
    let pushed = position.push_to(other, to)?;
    let edge = entry(&pushed.edges, enter_by)?;
    if pull.verdict == Verdict::Cannot && position.print.options.failed_tractor_removes_dice {
        stop(edits);
        beams_leave(edits, id);
        return Ok(());
    }
    strong_enough(&pull, id, Some(target))?;
    stop(edits);
    beams_leave(edits, id);
    if pushed.stays {
        return Ok(());
    }
    let entered = Entered::by(edge, &pushed.course, &edits.position().print);
    land(edits, target, pushed.square, pushed.facing, Some(entered));
    suffer(edits, target, &pushed.course);
    Ok(())
}

pub(super) fn pull(edits: &mut Edits<'_>, id: ShipId, square: Square) -> Result<(), Reason> {
    let position = edits.position();
    let ship = position.may_pull(id, square)?;
    let pull = position.pull_crystal(ship, square);
    if pull.verdict == Verdict::Cannot && position.print.options.failed_tractor_removes_dice {
        beams_leave(edits, id);
        return Ok(());
    }
    strong_enough(&pull, id, None)?;
    edits.cell(square, |cell| cell.crystals = cell.crystals.less(1));
    edits.crystals(id, |have| have.and(1));
    beams_leave(edits, id);
    Ok(())
}

pub(super) fn release(edits: &mut Edits<'_>, id: ShipId) -> Result<(), Reason> {
    let position = edits.position();
    position.may_lay(id)?;
    // That a mine may be laid does not say where.
    let square = position.ship(id).and_then(|s| s.square().known().copied());
    let square = square.ok_or(Reason::Unknown { at: Zone::Ship(id) })?;
    edits.cell(square, |cell| cell.mines = Span::known(1));
    edits.mines(id, |left| left.less(1));
    beams_leave(edits, id);
    Ok(())
}
