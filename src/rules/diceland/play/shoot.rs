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
use crate::rules::{Place, Span};

/// A target of what a die does.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub die: DieId,
    /// The attack values it may be hit with; none for an effect.
    attacks: Vec<u16>,
    /// Why there is more than one.
    doubt: Reason,
    /// Whether it is sure that the one before it comes first.
    in_order: bool,
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
        (Range::All, Some(_)) => return Err(Reason::NotAChoice { range: shot.range }),
        (Range::Short | Range::Long, Some(named)) => {
            marks.iter().filter(|m| name(m) == named).collect()
        }
        (Range::Short | Range::All, None) => marks.iter().collect(),
    };
    let mut found: Vec<Target> = Vec::new();
    let mut last: Option<&Mark> = None;
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
        let before = last.and_then(|l| Some((l, scene.actors.get(l.at)?)));
        let in_order = before.is_none_or(|(l, first)| {
            let (nearer, _) = scene.nearer(
                (id, view.as_ref()),
                (first, l.gap.as_ref()),
                (target, mark.gap.as_ref()),
            );
            nearer == Some(true)
        });
        found.push(Target {
            die: target.id(),
            attacks: values,
            doubt: open_reason(mark, target.id()),
            in_order,
        });
        last = Some(mark);
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
    for i in 1..found.len() {
        let (Some(a), Some(b)) = (found.get(i - 1).map(|t| t.die), found.get(i).map(|t| t.die))
        else {
            continue;
        };
        let sure = nearer(a, b) == Some(true);
        if let Some(target) = found.get_mut(i) {
            target.in_order = sure;
        }
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
    order_must_not_matter(edits.position(), &victims, id, colour)?;
    let was = begin(edits);
    if moves_after && !matches!(was, Some(Waiting::MayShoot { .. })) {
        edits.wait([Waiting::MayMove { die: id }]);
    }
    volley(edits, id, &victims, colour)
}

/// Hits the targets one after the other, until there is a winner.
fn volley(
    edits: &mut Edits<'_>,
    by: DieId,
    victims: &[Target],
    colour: Colour,
) -> Result<(), Reason> {
    for victim in victims {
        strike(edits, by, victim, colour)?;
        if edits.position().winner().is_some() {
            break;
        }
    }
    Ok(())
}

/// Where it is too close to call which of two targets comes first, both orders have to come to
/// the same.
fn order_must_not_matter(
    position: &Position,
    victims: &[Target],
    by: DieId,
    colour: Colour,
) -> Result<(), Reason> {
    let end = |victims: &[Target]| {
        let mut trial = position.clone();
        let mut edits = Edits::new(&mut trial);
        let done = volley(&mut edits, by, victims, colour);
        let _ = edits.done();
        done.map(|()| (trial.dice, trial.score))
    };
    let mut straight = None;
    for i in 1..victims.len() {
        let (Some(first), Some(second)) = (victims.get(i - 1), victims.get(i)) else {
            continue;
        };
        if second.in_order {
            continue;
        }
        if straight.is_none() {
            straight = Some(end(victims)?);
        }
        let mut turned = victims.to_vec();
        turned.swap(i - 1, i);
        if Some(end(&turned)?) != straight {
            return Err(Reason::OrderMatters {
                first: first.die,
                second: second.die,
            });
        }
    }
    Ok(())
}

/// One hit on one die.
fn strike(edits: &mut Edits<'_>, by: DieId, target: &Target, colour: Colour) -> Result<(), Reason> {
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
        hit if hit.kills() => kill(edits, by, victim),
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
fn kill(edits: &mut Edits<'_>, by: DieId, victim: DieId) -> Result<(), Reason> {
    let position = edits.position();
    let die = position.in_play(victim)?;
    let owner = die.owner.known().copied();
    let owner = owner.ok_or(Reason::OwnerUnknown { die: victim })?;
    let points: Span = position.points(die);
    let turns = position.print.numbers.reserve_turns;
    debug_assert_ne!(by, victim);
    edits.die(victim, |die| {
        die.face = Place::Unknown;
        die.lies = Lies::Reserve {
            turns_left: turns.saturating_add(1),
        };
    });
    edits.score(owner.other(), points);
    Ok(())
}

/// Rolls a die over one corner, where there is room.
fn roll(edits: &mut Edits<'_>, id: DieId, corner: Corner) -> Result<(), Reason> {
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
    for pair in all.windows(2) {
        if let [first, second] = pair
            && !second.in_order
        {
            return Err(Reason::OrderMatters {
                first: first.die,
                second: second.die,
            });
        }
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
