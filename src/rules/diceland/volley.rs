//! An all-range shot hits its targets one after the other, the closest first: where one of them
//! falls or rolls to may decide whether the next has room to take damage. Rule text, sections
//! "Shooting Range" and "Hit, Block, and Damage".
//!
//! Every table that may lie there when a target's turn comes is followed: in every order that is
//! not ruled out, and with everything that a target hit before may suffer.

use super::aim::Mark;
use super::change::Edits;
use super::face::{Arrow, Colour, Shot};
use super::geometry::TopFace;
use super::hit::{Outcome, attacks};
use super::name::DieId;
use super::play::{kill, roll};
use super::position::{Lies, Position};
use super::reason::Reason;
use super::scene::{Actor, Reading, Scene};
use super::suffer::suffered;
use super::tri::Tri;
use crate::rules::Place;

/// Tables that are followed in one group of targets; with more, nothing is said.
const MOST_TABLES: usize = 96;

/// What lies there when a target is hit.
pub(super) enum Before {
    /// The table as it is.
    Now,
    /// One of these: others are hit first, or may be.
    After(Vec<Position>),
    /// More than can be followed.
    Unknown,
}

/// Why the tables of a shot are not followed to their end.
pub(super) enum Halt {
    TooMany,
    Because(Reason),
}

/// The targets that can come into each other's way, as numbers in `dice`: each group may be
/// looked at by itself. Where the shot may win the game, and so end in the middle, it is one
/// group.
pub(super) fn groups(scene: &Scene, dice: &[DieId]) -> Vec<Vec<usize>> {
    let position = scene.position;
    let found: Vec<Option<&Actor>> = dice
        .iter()
        .map(|id| scene.find(*id).map(|(_, a)| a))
        .collect();
    let at_stake: u64 = found
        .iter()
        .flatten()
        .map(|a| u64::from(position.points(a.die).max))
        .sum();
    let score = super::player::Player::BOTH.map(|p| u64::from(position.score(p).max));
    let may_win =
        at_stake + score.into_iter().max().unwrap_or(0) >= u64::from(position.print.numbers.win);
    let radius = position.print.radius_mm();
    let linked = |i: usize, j: usize| {
        let body = |i: usize| {
            found
                .get(i)
                .copied()
                .flatten()
                .and_then(|a| a.body.as_ref())
        };
        match (body(i), body(j)) {
            // A roll sweeps less than three radii from where a die stands, another reaches one
            // from its own middle, and that may have moved by one.
            (Some(a), Some(b)) => {
                let reach = 5.0 * radius + a.error_mm() + b.error_mm();
                may_win || (a.centre() - b.centre()).norm() < reach
            }
            _ => true,
        }
    };
    let mut left: Vec<usize> = (0..dice.len()).collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(i) = group.get(at).copied() {
            let (near, far) = left.into_iter().partition(|j| linked(i, *j));
            left = far;
            group.extend::<Vec<usize>>(near);
            at += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// Follows a group's hits in every order that `first` (is this surely hit before that?) leaves
/// open. `meet` is told every table that a target may be hit on, `fates` says what may come of
/// it. Answers with the tables at the end.
pub(super) fn follow(
    start: &Position,
    group: &[usize],
    first: impl Fn(usize, usize) -> bool,
    mut fates: impl FnMut(&Position, usize) -> Result<Vec<Position>, Halt>,
    mut meet: impl FnMut(usize, &Position),
) -> Result<Vec<Position>, Halt> {
    let mut tables: Vec<(Vec<usize>, Position)> = vec![(group.to_vec(), start.clone())];
    let mut followed = 0;
    for _ in group {
        let mut next: Vec<(Vec<usize>, Position)> = Vec::new();
        for (left, table) in &tables {
            let mut now: Vec<usize> = left
                .iter()
                .copied()
                .filter(|i| !left.iter().any(|j| j != i && first(*j, *i)))
                .collect();
            // Rulings may run in a ring; then none of them orders anything.
            if now.is_empty() {
                now.clone_from(left);
            }
            for i in now {
                meet(i, table);
                for then in fates(table, i)? {
                    followed += 1;
                    if followed > MOST_TABLES {
                        return Err(Halt::TooMany);
                    }
                    let left: Vec<usize> = left.iter().copied().filter(|j| *j != i).collect();
                    let known = next.iter().any(|(l, t)| *l == left && alike(t, &then));
                    if !known {
                        next.push((left, then));
                    }
                }
            }
        }
        tables = next;
    }
    let mut ends: Vec<Position> = Vec::new();
    for (_, end) in tables {
        if !ends.iter().any(|e| alike(e, &end)) {
            ends.push(end);
        }
    }
    Ok(ends)
}

/// Whether two tables of one shot are the same: what a shot changes is compared.
fn alike(a: &Position, b: &Position) -> bool {
    a.dice == b.dice && a.score == b.score && a.rulings == b.rulings
}

/// What lies there when each mark of an all-range weapon is hit.
pub(super) fn before(
    scene: &Scene,
    shooter: (DieId, Option<&TopFace>),
    shot: &Shot,
    marks: &[Mark],
) -> Vec<Before> {
    let mut all: Vec<Before> = marks.iter().map(|_| Before::Now).collect();
    let hit: Vec<(usize, &Mark, &Actor)> = marks
        .iter()
        .enumerate()
        .filter(|(_, mark)| mark.target != Some(false))
        .filter_map(|(i, mark)| Some((i, mark, scene.actors.get(mark.at)?)))
        .collect();
    let dice: Vec<DieId> = hit.iter().map(|(_, _, actor)| actor.id()).collect();
    for group in groups(scene, &dice).into_iter().filter(|g| g.len() > 1) {
        let first = |i: usize, j: usize| {
            let (Some((_, a, here)), Some((_, b, there))) = (hit.get(i), hit.get(j)) else {
                return false;
            };
            let (near, far) = ((*here, a.gap.as_ref()), (*there, b.gap.as_ref()));
            scene.nearer(shooter, near, far).0 == Some(true)
        };
        let fates = |table: &Position, i: usize| match hit.get(i) {
            Some((_, mark, actor)) => fates(table, actor.id(), mark, shot.colour),
            None => Err(Halt::TooMany),
        };
        let mut met: Vec<(usize, Position)> = Vec::new();
        let meet = |i: usize, table: &Position| {
            if !met.iter().any(|(at, t)| *at == i && alike(t, table)) {
                met.push((i, table.clone()));
            }
        };
        let ended = follow(scene.position, &group, first, fates, meet);
        for i in group {
            let Some(place) = hit.get(i).and_then(|(at, _, _)| all.get_mut(*at)) else {
                continue;
            };
            let tables: Vec<Position> = met
                .iter()
                .filter(|(at, _)| *at == i)
                .map(|(_, table)| table.clone())
                .collect();
            *place = match (&ended, tables.as_slice()) {
                (Err(_), _) => Before::Unknown,
                // It comes first.
                (Ok(_), [one]) if alike(one, scene.position) => Before::Now,
                (Ok(_), _) => Before::After(tables),
            };
        }
    }
    all
}

/// The tables that may follow when a mark is hit.
fn fates(table: &Position, id: DieId, mark: &Mark, colour: Colour) -> Result<Vec<Position>, Halt> {
    // The game is over: nobody is hit any more.
    if table.winner().is_some() {
        return Ok(vec![table.clone()]);
    }
    let scene = Scene::of(table);
    let (_, actor) = scene.find(id).ok_or(Halt::TooMany)?;
    if actor.readings.is_empty() {
        return Err(Halt::TooMany);
    }
    let by: Vec<(Arrow, Tri)> = mark.arrows.iter().map(|a| (a.arrow, a.sees)).collect();
    let mut all: Vec<Position> = Vec::new();
    if mark.target.is_none() {
        all.push(table.clone());
    }
    for reading in &actor.readings {
        for attack in attacks(&by) {
            let (outcomes, _) = suffered(&scene, actor, reading, colour, attack);
            for outcome in outcomes {
                let then = after(table, id, reading, outcome)?;
                if !all.iter().any(|t| alike(t, &then)) {
                    all.push(then);
                }
            }
        }
    }
    Ok(all)
}

/// The table after a die, read so, has suffered this.
fn after(
    table: &Position,
    id: DieId,
    reading: &Reading,
    outcome: Outcome,
) -> Result<Position, Halt> {
    let mut then = table.clone();
    let mut edits = Edits::new(&mut then);
    let done = match outcome {
        Outcome::NoEffect => Ok(()),
        Outcome::Damage { .. } => match reading.face.red() {
            Some(corner) => {
                edits.die(id, |die| {
                    die.kind = Place::Known(reading.kind().id);
                    die.face = Place::Known(reading.face.id);
                });
                roll(&mut edits, id, corner)
            }
            None => Ok(()),
        },
        Outcome::Kill => kill(&mut edits, id),
    };
    match done {
        Ok(()) => {
            edits.done();
            Ok(then)
        }
        Err(reason) => Err(Halt::Because(reason)),
    }
}

/// The die as one that is read so and lies so, with its corner pressed: the table on which a die
/// that moves and shoots then shoots.
pub(super) fn rolled(
    table: &Position,
    id: DieId,
    reading: &Reading,
    heading_deg: f64,
    corner: super::face::Corner,
) -> Option<Position> {
    let mut then = table.clone();
    let mut edits = Edits::new(&mut then);
    edits.die(id, |die| {
        die.kind = Place::Known(reading.kind().id);
        die.face = Place::Known(reading.face.id);
        if let Lies::Play(Some(stand)) = &mut die.lies {
            stand.heading_deg = Place::Known(heading_deg);
        }
    });
    roll(&mut edits, id, corner).ok()?;
    edits.done();
    Some(then)
}
