//! What a die in play does: fire, command, remove, call and manoeuvre.

use super::throw::to_hand;
use super::{Doing, begin};
use crate::rules::diceland::aim::{Mark, aim};
use crate::rules::diceland::change::Edits;
use crate::rules::diceland::face::{Arrow, Colour, Corner, Does, Effect, FacePrint, Range};
use crate::rules::diceland::flow::{MAX_WAITING, Stage, Waiting};
use crate::rules::diceland::geometry::TopFace;
use crate::rules::diceland::hit::{Hit, attacks, hit};
use crate::rules::diceland::name::DieId;
use crate::rules::diceland::position::{Lies, Position, Stand};
use crate::rules::diceland::reason::Reason;
use crate::rules::diceland::scene::{Actor, Obstacle, Scene};
use crate::rules::diceland::tri::{Tri, agree};
use crate::rules::diceland::volley::{self, Halt};
use crate::rules::{Place, Span};

/// A target of what a die does.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub die: DieId,
    /// The attack values it may be hit with; none for an effect.
    attacks: Vec<u16>,
    /// Why there is more than one.
    doubt: Reason,
    /// The targets that it is surely hit before.
    ahead_of: Vec<DieId>,
}

impl Target {
    fn sure_before(&self, other: &Target) -> bool {
        self.ahead_of.contains(&other.die)
    }
}

/// Two targets of which it is not sure that the first is hit before the second.
fn out_of_order<'a>(targets: impl Iterator<Item = &'a Target> + Clone) -> Option<Reason> {
    let mut pairs = targets.clone().zip(targets.skip(1));
    let (a, b) = pairs.find(|(a, b)| !a.sure_before(b))?;
    Some(Reason::OrderMatters {
        first: a.die,
        second: b.die,
    })
}

/// The face that is up.
fn face_of<'a>(actor: &Actor<'a>) -> Result<&'a FacePrint, Reason> {
    let reading = actor
        .sure()
        .ok_or(Reason::FaceUnknown { die: actor.id() })?;
    Ok(reading.face)
}

/// The reason for which a mark is not sure.
fn open_reason(mark: &Mark, id: DieId) -> Reason {
    let open = mark.because.iter().find(|r| {
        matches!(
            r,
            Reason::OnTheLine { .. }
                | Reason::EquallyClose { .. }
                | Reason::PlaceUnknown { .. }
                | Reason::OwnerUnknown { .. }
        )
    });
    open.copied().unwrap_or(Reason::FaceUnknown { die: id })
}

/// The targets of what a die does, in the order of effect. What is not sure is refused.
pub(super) fn targets(
    scene: &Scene,
    id: DieId,
    named: Option<DieId>,
    does: impl Fn(&Does) -> bool,
) -> Result<Vec<Target>, Reason> {
    let (_, actor) = scene.find(id).ok_or(Reason::NotInPlay { die: id })?;
    let face = face_of(actor)?;
    let shot = face
        .shot
        .filter(|s| does(&s.does))
        .ok_or(Reason::NoSuchEffect)?;
    let view = actor.pose().map(|p| TopFace::of(&p, &scene.position.print));
    let marks = aim(scene, actor, view.as_ref(), face, &shot);
    let name = |mark: &Mark| scene.actors.get(mark.at).map_or(id, Actor::id);
    if let Some(named) = named
        && !marks.iter().any(|m| name(m) == named)
    {
        return Err(match scene.position.die(named) {
            Some(_) => Reason::NotATarget { die: named },
            None => Reason::NoSuchDie { die: named },
        });
    }
    let chosen: Vec<&Mark> = match (shot.range, named) {
        (Range::Long, None) => return Err(Reason::NameOne),
        // It throws one die, however far its arrows reach.
        (Range::All, Some(named)) if shot.does == Does::JumpAlly => {
            marks.iter().filter(|m| name(m) == named).collect()
        }
        (Range::All, Some(_)) => return Err(Reason::NotAChoice { range: shot.range }),
        (Range::Short | Range::Long, Some(named)) => {
            marks.iter().filter(|m| name(m) == named).collect()
        }
        (Range::Short | Range::All, None) => marks.iter().collect(),
    };
    let mut found: Vec<Target> = Vec::new();
    for mark in chosen {
        match mark.target {
            Some(true) => {}
            None => return Err(open_reason(mark, name(mark))),
            Some(false) if named.is_some() => {
                return Err(Reason::NotATarget { die: name(mark) });
            }
            Some(false) => continue,
        }
        let target = scene.actors.get(mark.at).ok_or(Reason::NoTarget)?;
        let mut values = Vec::new();
        if shot.does == Does::Weapon {
            let by: Vec<(Arrow, Tri)> = mark.arrows.iter().map(|a| (a.arrow, a.sees)).collect();
            values = attacks(&by);
        } else {
            match target.about(|r| r.face.immune == Some(shot.colour)) {
                Some(false) => {}
                // It is reached, and not affected.
                Some(true) if named.is_none() => continue,
                Some(true) => {
                    let colour = shot.colour;
                    return Err(Reason::Immune { colour });
                }
                None => return Err(Reason::FaceUnknown { die: target.id() }),
            }
        }
        found.push(Target {
            die: target.id(),
            attacks: values,
            doubt: open_reason(mark, target.id()),
            ahead_of: Vec::new(),
        });
    }
    if found.is_empty() {
        return Err(Reason::NoTarget);
    }
    // A player's word may turn two around that are measured the other way.
    if found.len() > 1 {
        put_in_order(scene, id, view.as_ref(), &mut found);
    }
    Ok(found)
}

/// Sorts by nearness where that is sure; the measured order stays for the rest.
fn put_in_order(scene: &Scene, id: DieId, view: Option<&TopFace>, found: &mut [Target]) {
    let nearer = |a: DieId, b: DieId| {
        let (_, first) = scene.find(a)?;
        let (_, second) = scene.find(b)?;
        let (near, far) = (scene.gap(view, first), scene.gap(view, second));
        let (is, _) = scene.nearer((id, view), (first, near.as_ref()), (second, far.as_ref()));
        is
    };
    // As many rounds as there are targets: a ring of rulings must not turn for ever.
    for _ in 0..found.len() {
        let mut turned = false;
        for i in 1..found.len() {
            let (Some(a), Some(b)) = (found.get(i - 1).map(|t| t.die), found.get(i).map(|t| t.die))
            else {
                continue;
            };
            if nearer(a, b) == Some(false) {
                found.swap(i - 1, i);
                turned = true;
            }
        }
        if !turned {
            break;
        }
    }
    let all: Vec<DieId> = found.iter().map(|t| t.die).collect();
    for target in found {
        let behind = all.iter().copied();
        target.ahead_of = behind
            .filter(|other| *other != target.die && nearer(target.die, *other) == Some(true))
            .collect();
    }
}

pub(super) fn fire(edits: &mut Edits<'_>, id: DieId, named: Option<DieId>) -> Result<(), Reason> {
    let position = edits.position();
    position.may_act(id, Doing::Fire)?;
    let scene = Scene::of(position);
    let (_, actor) = scene.find(id).ok_or(Reason::NotInPlay { die: id })?;
    let face = face_of(actor)?;
    let colour = face.shot.map(|s| s.colour).ok_or(Reason::NoSuchEffect)?;
    let moves_after = face.has(Effect::ShootAndMove);
    let victims = targets(&scene, id, named, |d| *d == Does::Weapon)?;
    drop(scene);
    order_must_not_matter(edits.position(), &victims, colour)?;
    let was = begin(edits);
    if moves_after && !matches!(was, Some(Waiting::MayShoot { .. })) {
        edits.wait([Waiting::MayMove { die: id }]);
    }
    // The targets are hit one after the other, until there is a winner.
    for victim in &victims {
        strike(edits, victim, colour)?;
        if edits.position().winner().is_some() {
            break;
        }
    }
    Ok(())
}

/// Where it is too close to call which of two targets comes first, every order that may be has to
/// come to the same.
fn order_must_not_matter(
    position: &Position,
    victims: &[Target],
    colour: Colour,
) -> Result<(), Reason> {
    if out_of_order(victims.iter()).is_none() {
        return Ok(());
    }
    let dice: Vec<DieId> = victims.iter().map(|v| v.die).collect();
    let scene = Scene::of(position);
    for group in volley::groups(&scene, &dice) {
        let Some(doubt) = out_of_order(group.iter().filter_map(|i| victims.get(*i))) else {
            continue;
        };
        let first = |i: usize, j: usize| {
            let (a, b) = (victims.get(i), victims.get(j));
            a.zip(b).is_some_and(|(a, b)| a.sure_before(b))
        };
        let fates = |table: &Position, i: usize| {
            let mut then = table.clone();
            if let (None, Some(victim)) = (table.winner(), victims.get(i)) {
                let mut edits = Edits::new(&mut then);
                strike(&mut edits, victim, colour).map_err(Halt::Because)?;
                edits.done();
            }
            Ok(vec![then])
        };
        match volley::follow(position, &group, first, fates, |_, _| {}) {
            Ok(ends) if ends.len() == 1 => {}
            Ok(_) | Err(Halt::TooMany) => return Err(doubt),
            Err(Halt::Because(reason)) => return Err(reason),
        }
    }
    Ok(())
}

/// One hit on one die.
fn strike(edits: &mut Edits<'_>, target: &Target, colour: Colour) -> Result<(), Reason> {
    let position = edits.position();
    let victim = target.die;
    let scene = Scene::of(position);
    let (_, actor) = scene
        .find(victim)
        .ok_or(Reason::NotInPlay { die: victim })?;
    let came = agree_on_hit(&scene, actor, target, colour)?;
    drop(scene);
    match came {
        Hit::Damaged(corner) => roll(edits, victim, corner),
        hit if hit.kills() => kill(edits, victim),
        _ => Ok(()),
    }
}

/// What every reading of a die makes of a hit, whichever of the arrows it is.
fn agree_on_hit(
    scene: &Scene,
    actor: &Actor,
    target: &Target,
    colour: Colour,
) -> Result<Hit, Reason> {
    let mut hits = Vec::new();
    for reading in &actor.readings {
        for attack in &target.attacks {
            let mut came = hit(*attack, colour, reading.face, false);
            if let Hit::Damaged(corner) = came {
                came = match scene.way(actor, corner).free {
                    Some(true) => came,
                    Some(false) => Hit::Pinned(corner),
                    None => return Err(Reason::PinnedUnsure { corner }),
                };
            }
            hits.push(came);
        }
    }
    let unknown = if actor.readings.len() == 1 {
        target.doubt
    } else {
        Reason::FaceUnknown { die: actor.id() }
    };
    let (first, rest) = hits.split_first().ok_or(unknown)?;
    let first = *first;
    // All the same, or at least all dead.
    let same = rest.iter().all(|h| *h == first);
    let dead = first.kills() && rest.iter().all(|h| h.kills());
    let unmoved = !first.has_effect() && rest.iter().all(|h| !h.has_effect());
    if same || dead || unmoved {
        Ok(first)
    } else {
        Err(unknown)
    }
}

/// Takes a die out of play and scores it for its owner's opponent.
pub(in crate::rules::diceland) fn kill(edits: &mut Edits<'_>, victim: DieId) -> Result<(), Reason> {
    let position = edits.position();
    let die = position.in_play(victim)?;
    let owner = die.owner.known().copied();
    let owner = owner.ok_or(Reason::OwnerUnknown { die: victim })?;
    let points: Span = position.points(die);
    let turns_left = position.print.numbers.most_turns();
    edits.die(victim, |die| {
        die.face = Place::Unknown;
        die.lies = Lies::Reserve { turns_left };
    });
    edits.score(owner.other(), points);
    Ok(())
}

/// Rolls a die over one corner, where there is room.
pub(in crate::rules::diceland) fn roll(
    edits: &mut Edits<'_>,
    id: DieId,
    corner: Corner,
) -> Result<(), Reason> {
    let position = edits.position();
    let scene = Scene::of(position);
    let (_, actor) = scene.find(id).ok_or(Reason::NotInPlay { die: id })?;
    let unknown = Reason::FaceUnknown { die: id };
    let reading = actor.sure().ok_or(unknown)?;
    let (next, back) = reading.mould.roll(reading.index, corner).ok_or(unknown)?;
    let face = reading.mould.face(next).ok_or(unknown)?.id;
    let print = &position.print;
    let pose = actor.pose().map(|pose| {
        pose.rolled(corner, back, print.radius_mm())
            .blurred(print.options.roll_error_mm, print.radius_mm())
    });
    let stand = pose.map(|p| Stand::of(&p));
    drop(scene);
    edits.die(id, |die| {
        die.face = Place::Known(face);
        die.lies = Lies::Play(stand);
    });
    // Where players said that there is room and there is none, one of the dice was misread.
    let found = edits.position().overlapping();
    for (a, b, _) in found.iter().filter(|(a, b, _)| id == *a || id == *b) {
        for misread in [*a, *b] {
            edits.die(misread, |die| die.lies = Lies::Play(None));
        }
    }
    Ok(())
}

pub(super) fn manoeuvre(edits: &mut Edits<'_>, id: DieId, corner: Corner) -> Result<(), Reason> {
    let position = edits.position();
    position.may_act(id, Doing::Roll)?;
    let scene = Scene::of(position);
    let (_, actor) = scene.find(id).ok_or(Reason::NotInPlay { die: id })?;
    let face = face_of(actor)?;
    if !face.corner(corner).green {
        return Err(Reason::NoGreenDot { corner });
    }
    let way = scene.way(actor, corner);
    if way.free != Some(true) {
        return Err(match way.beside {
            Some(Obstacle::Itself) => Reason::PlaceUnknown { die: id },
            _ => crate::rules::diceland::calls::why_way(&way),
        });
    }
    let shoots_after = face.has(Effect::MoveAndShoot);
    drop(scene);
    let was = begin(edits);
    roll(edits, id, corner)?;
    if shoots_after && !matches!(was, Some(Waiting::MayMove { .. })) {
        let armed = {
            let scene = Scene::of(edits.position());
            let actor = scene.find(id).map(|(_, a)| a);
            actor.and_then(|a| {
                agree(
                    a.readings
                        .iter()
                        .map(|r| r.face.shot.is_some_and(|s| s.does == Does::Weapon)),
                )
            })
        };
        if armed != Some(false) {
            edits.wait([Waiting::MayShoot { die: id }]);
        }
    }
    Ok(())
}

pub(super) fn command(
    edits: &mut Edits<'_>,
    id: DieId,
    named: Option<DieId>,
) -> Result<(), Reason> {
    let position = edits.position();
    position.may_act(id, Doing::Other)?;
    let scene = Scene::of(position);
    let all = targets(&scene, id, named, |d| matches!(d, Does::Command(_)))?;
    drop(scene);
    // Flags are carried out from the nearest on, so their order always matters.
    if let Some(doubt) = out_of_order(all.iter()) {
        return Err(doubt);
    }
    if edits.position().flow.waiting.len() + all.len() > MAX_WAITING {
        return Err(Reason::TooMuchWaits);
    }
    begin(edits);
    let flags: Vec<Waiting> = all
        .iter()
        .enumerate()
        .map(|(i, target)| Waiting::Commanded {
            die: target.die,
            by: id,
            flag: u8::try_from(i + 1).unwrap_or(u8::MAX),
        })
        .collect();
    edits.wait(flags.into_iter().rev());
    Ok(())
}

pub(super) fn remove(edits: &mut Edits<'_>, id: DieId, named: Option<DieId>) -> Result<(), Reason> {
    let position = edits.position();
    position.may_act(id, Doing::Other)?;
    let scene = Scene::of(position);
    let all = targets(&scene, id, named, |d| *d == Does::Remove)?;
    drop(scene);
    begin(edits);
    for target in all {
        to_hand(edits, target.die);
    }
    Ok(())
}

pub(super) fn call(edits: &mut Edits<'_>, id: DieId) -> Result<(), Reason> {
    let position = edits.position();
    position.may_act(id, Doing::Other)?;
    let scene = Scene::of(position);
    let (_, actor) = scene.find(id).ok_or(Reason::NotInPlay { die: id })?;
    let face = face_of(actor)?;
    let call = face.effects.iter().find_map(|e| match e {
        Effect::Call { count, of } => Some((*count, *of)),
        _ => None,
    });
    let (left, of) = call.ok_or(Reason::NoSuchEffect)?;
    drop(scene);
    let player = position.active(id)?;
    if position.callable(player, &of).0.is_empty() {
        return Err(Reason::NoneInHand { of });
    }
    if position.flow.stage != Stage::Free && position.flow.waiting.len() >= MAX_WAITING {
        return Err(Reason::TooMuchWaits);
    }
    begin(edits);
    edits.wait([Waiting::Calling { die: id, left, of }]);
    Ok(())
}
