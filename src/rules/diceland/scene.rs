//! A position's dice in play with their geometry worked out once, and the questions that actions
//! and calls ask of it.

use std::cell::OnceCell;

use super::distance::{Gap, Nearer, gap, nearer};
use super::face::{Corner, FacePrint, Filter};
use super::flow::Ruling;
use super::geometry::{Pose, TopFace};
use super::kind::{DieKind, Mould};
use super::name::{DieId, Label};
use super::position::{Die, Lies, Position};
use super::roll::{Other, Room, inside, room_beside};
use super::sight::{Sight, sight};
use super::tri::{Tri, agree};

/// Readings of one die that are followed; with more it counts as unknown.
const MAX_READINGS: usize = 24;

/// What a die may be: a kind with one of its faces up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub mould: &'a Mould,
    pub index: u8,
    pub face: &'a FacePrint,
}

impl<'a> Reading<'a> {
    pub fn kind(&self) -> &'a DieKind {
        self.mould.kind()
    }
}

/// A die that is in play, or may be.
#[derive(Debug)]
pub(crate) struct Actor<'a> {
    pub die: &'a Die,
    /// Its outline; `None` where it lies is not known.
    pub body: Option<TopFace>,
    /// What it may be; empty where that is not bounded.
    pub readings: Vec<Reading<'a>>,
    /// By corner: whether it can roll so, once that was asked.
    ways: [OnceCell<Way>; 3],
}

impl<'a> Actor<'a> {
    pub fn id(&self) -> DieId {
        self.die.id
    }

    /// What all its readings say.
    pub fn about(&self, says: impl Fn(&Reading<'a>) -> bool) -> Tri {
        agree(self.readings.iter().map(says))
    }

    pub fn is(&self, filter: &Filter) -> Tri {
        match self.readings.as_slice() {
            [] if *filter == Filter::default() => Some(true),
            _ => self.about(|r| r.kind().is(filter)),
        }
    }

    /// Whether it is of the other army than `other`.
    pub fn is_enemy_of(&self, other: &Die) -> Tri {
        let ours = self.die.owner.known()?;
        let theirs = other.owner.known()?;
        Some(ours != theirs)
    }

    /// The one thing it is, if that is known.
    pub fn sure(&self) -> Option<Reading<'a>> {
        match self.readings.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The headings that it may have.
    pub fn headings(&self) -> &'a [f64] {
        let stand = self.die.stand();
        stand
            .and_then(|s| s.heading_deg.candidates())
            .unwrap_or_default()
    }

    /// Its pose, if that is known.
    pub fn pose(&self) -> Option<Pose> {
        let stand = self.die.stand()?;
        stand.heading_deg.known().map(|deg| stand.pose(*deg))
    }
}

/// The dice in play.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub position: &'a Position,
    pub actors: Vec<Actor<'a>>,
}

/// What stands in the way of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Obstacle {
    Edge,
    Die(DieId),
    /// By its number among the things on the table, and its name.
    Thing(u16, Label),
    /// A die of which it is not known where it lies.
    Unplaced(DieId),
    /// The die itself: it is not known how it lies.
    Itself,
}

/// Whether a die can roll, with the least room it has and beside what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    pub free: Tri,
    pub ruled: bool,
    pub room: Room,
    pub beside: Option<Obstacle>,
}

impl<'a> Scene<'a> {
    pub fn of(position: &'a Position) -> Scene<'a> {
        let dice = position.dice.iter();
        let actors = dice
            .filter(|d| matches!(d.lies, Lies::Play(_) | Lies::Somewhere))
            .map(|die| Actor {
                die,
                body: die.stand().and_then(|s| s.body(&position.print)),
                readings: readings(position, die),
                ways: Default::default(),
            })
            .collect();
        Scene { position, actors }
    }

    pub fn find(&self, id: DieId) -> Option<(usize, &Actor<'a>)> {
        let mut actors = self.actors.iter().enumerate();
        actors.find(|(_, a)| a.id() == id)
    }

    /// Whether an arrow of a die, which lies as `view` says, sees another.
    pub fn sees(
        &self,
        from: DieId,
        view: Option<&TopFace>,
        arrow: Corner,
        to: &Actor,
    ) -> (Tri, Option<Sight>) {
        let part = self.position.print.options.seen;
        let sight = match (view, &to.body) {
            (Some(view), Some(body)) => Some(sight(view, arrow, body, part)),
            _ => None,
        };
        let ruled = self.position.rulings.iter().rev().find_map(|r| match r {
            Ruling::Sees {
                die,
                arrow: by,
                target,
                sees,
            } if (*die, *by, *target) == (from, arrow, to.id()) => Some(*sees),
            _ => None,
        });
        (ruled.or_else(|| sight.and_then(|s| s.sees())), sight)
    }

    /// Whether one target is nearer than another.
    pub fn nearer(
        &self,
        from: (DieId, Option<&TopFace>),
        first: (&Actor, Option<&Gap>),
        second: (&Actor, Option<&Gap>),
    ) -> (Tri, Option<Nearer>) {
        let (a, b) = (first.0.id(), second.0.id());
        let ruled = self.position.rulings.iter().rev().find_map(|r| match r {
            Ruling::Nearer { to, near, far } if *to == from.0 => match (*near, *far) {
                (near, far) if (near, far) == (a, b) => Some(true),
                (near, far) if (near, far) == (b, a) => Some(false),
                _ => None,
            },
            _ => None,
        });
        let found = match (from.1, &first.0.body, &second.0.body, first.1, second.1) {
            (Some(view), Some(a), Some(b), Some(near), Some(far)) => {
                Some(nearer(view, (a, near), (b, far)))
            }
            _ => None,
        };
        (ruled.or_else(|| found.and_then(|n| n.is())), found)
    }

    /// The gap between a die that lies as `view` says and another.
    pub fn gap(&self, view: Option<&TopFace>, to: &Actor) -> Option<Gap> {
        Some(gap(view?, to.body.as_ref()?))
    }

    /// Whether a die has room to roll when a corner is pressed.
    pub fn way(&self, actor: &Actor, corner: Corner) -> Way {
        match actor.ways.get(corner.index()) {
            Some(way) => *way.get_or_init(|| self.work_out_way(actor, corner)),
            None => self.work_out_way(actor, corner),
        }
    }

    fn work_out_way(&self, actor: &Actor, corner: Corner) -> Way {
        let none = Way {
            free: None,
            ruled: false,
            room: Room::WIDE,
            beside: Some(Obstacle::Itself),
        };
        let ruled = self.position.rulings.iter().rev().find_map(|r| match r {
            Ruling::Room {
                die,
                corner: by,
                free,
            } if (*die, *by) == (actor.id(), corner) => Some(*free),
            _ => None,
        });
        let ways = actor
            .headings()
            .iter()
            .map(|deg| self.way_from(actor, corner, *deg));
        let mut ways = ways.peekable();
        let mut way = if ways.peek().is_none() {
            none
        } else {
            let mut least: Option<Way> = None;
            let mut free = Vec::new();
            for way in ways {
                free.push(way.free);
                let worse = least.is_none_or(|l| way.room.mm < l.room.mm);
                if worse {
                    least = Some(way);
                }
            }
            let first = free.first().copied().flatten();
            let same = free.iter().all(|f| *f == first);
            Way {
                free: if same { first } else { None },
                ..least.unwrap_or(none)
            }
        };
        if let Some(free) = ruled {
            way.free = Some(free);
            way.ruled = true;
        }
        way
    }

    fn way_from(&self, actor: &Actor, corner: Corner, heading_deg: f64) -> Way {
        let print = &self.position.print;
        let Some(stand) = actor.die.stand() else {
            return Way {
                free: None,
                ruled: false,
                room: Room::WIDE,
                beside: Some(Obstacle::Itself),
            };
        };
        let pose = stand.pose(heading_deg);
        let face = TopFace::of(&pose, print);
        let height = print.height_mm();
        let table_error = self.position.table_error_mm();
        let mut way = Way {
            free: Some(true),
            ruled: false,
            room: Room::WIDE,
            beside: None,
        };
        let mut meet = |room: Room, what: Obstacle| {
            let free = room.is_free();
            // A sure no outweighs a perhaps, and the nearer of two alike is told.
            let rank = |free: Tri| match free {
                Some(false) => 0,
                None => 1,
                Some(true) => 2,
            };
            let worse = rank(free) < rank(way.free)
                || (free == way.free && room.mm < way.room.mm && free != Some(true));
            if worse || (way.free == Some(true) && room.mm < way.room.mm) {
                way = Way {
                    free,
                    ruled: false,
                    room,
                    beside: Some(what),
                };
            }
        };
        if !self.position.edge.is_empty() {
            // Which corner of the new face leads back does not matter for where it stands.
            let rolled = pose.rolled(corner, corner, print.radius_mm());
            let foot = TopFace::of(&rolled, print);
            let room = inside(&foot, &self.position.edge, table_error);
            meet(room, Obstacle::Edge);
        }
        for (i, thing) in self.position.things.iter().enumerate() {
            let number = u16::try_from(i).unwrap_or(u16::MAX);
            for part in &thing.parts {
                let other = Other::Thing(part, table_error);
                let room = room_beside(&face, corner, height, &other);
                meet(room, Obstacle::Thing(number, Label::of(&thing.name)));
            }
        }
        let mut unplaced = None;
        for other in &self.actors {
            if other.id() == actor.id() {
                continue;
            }
            match &other.body {
                Some(body) => {
                    let room = room_beside(&face, corner, height, &Other::Die(body));
                    meet(room, Obstacle::Die(other.id()));
                }
                None => unplaced = unplaced.or(Some(other.id())),
            }
        }
        if let (Some(id), Some(true)) = (unplaced, way.free) {
            way.free = None;
            way.beside = Some(Obstacle::Unplaced(id));
        }
        way
    }
}

fn readings<'a>(position: &'a Position, die: &Die) -> Vec<Reading<'a>> {
    let mut all = Vec::new();
    for kind in die.kind.candidates().unwrap_or_default() {
        let Some(mould) = position.mould(*kind) else {
            continue;
        };
        let faces = mould.kind().faces.iter().enumerate();
        for (index, face) in faces {
            let may = die
                .face
                .candidates()
                .is_none_or(|all| all.contains(&face.id));
            if let (true, Ok(index)) = (may, u8::try_from(index)) {
                all.push(Reading { mould, index, face });
            }
        }
        if all.len() > MAX_READINGS {
            return Vec::new();
        }
    }
    all
}
