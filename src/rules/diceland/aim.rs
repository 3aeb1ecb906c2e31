//! Who is a target of a shot: seen, of the right side, not cloaked, and as near as the arrow's
//! range asks. Rule text, sections "Shooting Range" and "Special Effects".

use super::distance::Gap;
use super::face::{Arrow, Corner, Does, Effect, FacePrint, Filter, Range, Shot};
use super::geometry::TopFace;
use super::mm::Mm;
use super::position::Lies;
use super::reason::Reason;
use super::scene::{Actor, Scene};
use super::sight::Sight;
use super::tri::{Tri, and, any, not, or};

/// What one arrow makes of one target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByArrow {
    pub corner: Corner,
    pub arrow: Arrow,
    pub sees: Tri,
    pub sight: Option<Sight>,
}

/// A die that may be a target.
#[derive(Debug)]
pub(crate) struct Mark {
    /// Its place in the scene.
    pub at: usize,
    pub arrows: Vec<ByArrow>,
    /// Whether any arrow sees it.
    pub seen: Tri,
    /// Whether the shot can hit it, or may be aimed at it.
    pub target: Tri,
    pub gap: Option<Gap>,
    pub gap_error_mm: f64,
    /// Why.
    pub because: Vec<Reason>,
    visible: Tri,
    dodges: Tri,
}

/// Every other die as a target of a shot, the nearest first; what lies nobody knows where comes
/// last.
pub(crate) fn aim(
    scene: &Scene,
    shooter: &Actor,
    view: Option<&TopFace>,
    face: &FacePrint,
    shot: &Shot,
) -> Vec<Mark> {
    let mut marks: Vec<Mark> = scene
        .actors
        .iter()
        .enumerate()
        .filter(|(_, other)| other.id() != shooter.id())
        .map(|(at, other)| mark(scene, shooter, view, face, shot, at, other))
        .collect();
    let length = |m: &Mark| m.gap.map_or(f64::INFINITY, |g| g.mm);
    marks.sort_by(|a, b| length(a).total_cmp(&length(b)));
    for i in 0..marks.len() {
        let (target, because) = in_range(scene, shooter, view, shot, &marks, i);
        let Some(mark) = marks.get_mut(i) else {
            continue;
        };
        mark.target = target;
        mark.because.extend(because);
        if target == Some(true) && shot.range == Range::All && shot.does == Does::JumpAlly {
            mark.because.push(Reason::AnyOne);
        }
    }
    if shot.range == Range::All && shot.does != Does::JumpAlly {
        for i in 0..marks.len() {
            let because = in_order(scene, shooter, view, shot, &marks, i);
            if let Some(mark) = marks.get_mut(i) {
                mark.because.extend(because);
            }
        }
    }
    marks
}

/// Whether a target takes a place in the order of effect: a command's flags go to those who
/// receive it only.
fn is_counted(scene: &Scene, shot: &Shot, mark: &Mark) -> Tri {
    let immune = match (shot.does, scene.actors.get(mark.at)) {
        (Does::Command(_), Some(other)) => other.about(|r| r.face.immune == Some(shot.colour)),
        _ => Some(false),
    };
    and(mark.target, not(immune))
}

/// A target's place among all that a shot reaches, the closest first, as far as that is sure.
/// Rule text, sections "Shooting Range" and "Special Effects: Command".
fn in_order(
    scene: &Scene,
    shooter: &Actor,
    view: Option<&TopFace>,
    shot: &Shot,
    marks: &[Mark],
    i: usize,
) -> Vec<Reason> {
    let Some((mark, this)) = marks
        .get(i)
        .and_then(|m| Some((m, scene.actors.get(m.at)?)))
    else {
        return Vec::new();
    };
    if is_counted(scene, shot, mark) != Some(true) {
        return Vec::new();
    }
    let (mut first, mut open) = (1u8, Vec::new());
    for (j, rival) in marks.iter().enumerate() {
        let counted = is_counted(scene, shot, rival);
        let Some(other) = scene.actors.get(rival.at) else {
            continue;
        };
        if j == i || counted == Some(false) {
            continue;
        }
        let near = (other, rival.gap.as_ref());
        let from = (shooter.id(), view);
        let (nearer, found) = scene.nearer(from, near, (this, mark.gap.as_ref()));
        match (counted, nearer) {
            (_, Some(false)) => {}
            (Some(true), Some(true)) => first = first.saturating_add(1),
            (_, Some(true)) => open.push(Reason::PerhapsToo { other: other.id() }),
            (_, None) => open.push(match found {
                Some(found) => Reason::EquallyClose {
                    other: other.id(),
                    by_mm: found.by(),
                    error_mm: found.error(),
                },
                None => Reason::PlaceUnknown { die: other.id() },
            }),
        }
    }
    let last = first.saturating_add(u8::try_from(open.len()).unwrap_or(u8::MAX));
    let place = match shot.does {
        Does::Command(_) => Reason::Flag { first, last },
        _ => Reason::Every { first, last },
    };
    open.insert(0, place);
    open
}

fn mark(
    scene: &Scene,
    shooter: &Actor,
    view: Option<&TopFace>,
    face: &FacePrint,
    shot: &Shot,
    at: usize,
    other: &Actor,
) -> Mark {
    let mut because = Vec::new();
    let arrows: Vec<ByArrow> = face
        .arrows()
        .map(|(corner, arrow)| {
            let (sees, sight) = scene.sees(shooter.id(), view, corner, other);
            ByArrow {
                corner,
                arrow,
                sees,
                sight,
            }
        })
        .collect();
    let mut seen = any(arrows.iter().map(|a| a.sees));
    if arrows.len() == 3 {
        // Three half-planes leave nothing out, wherever the two dice are.
        seen = Some(true);
        because.push(Reason::SeesAllRound);
    }
    because.extend(arrows.iter().map(|a| why_seen(other, shooter, a)));
    let enemy = other.is_enemy_of(shooter.die);
    let side = if shot.does.at_enemies() {
        enemy
    } else {
        not(enemy)
    };
    match side {
        Some(true) => {}
        Some(false) if shot.does.at_enemies() => because.push(Reason::NotAnEnemy),
        Some(false) => because.push(Reason::NotAnAlly),
        None => {
            let unknown = if other.die.owner.is_known() {
                shooter.id()
            } else {
                other.id()
            };
            because.push(Reason::OwnerUnknown { die: unknown });
        }
    }
    let of = match shot.does {
        Does::Command(of) => of,
        _ => Filter::default(),
    };
    let sort = other.is(&of);
    if sort == Some(false) {
        because.push(Reason::NotOfSort { of });
    }
    let cloaked = other.about(|r| r.face.has(Effect::Cloak));
    let hidden = match shot.range {
        Range::All => Some(false),
        Range::Short | Range::Long => cloaked,
    };
    if hidden == Some(true) {
        because.push(Reason::Cloaked);
    }
    if hidden.is_none() || sort.is_none() {
        because.push(Reason::FaceUnknown { die: other.id() });
    }
    let there = match other.die.lies {
        Lies::Play(_) => Some(true),
        _ => None,
    };
    let visible = and(and(seen, there), and(and(side, sort), not(hidden)));
    let gap = scene.gap(view, other);
    let gap_error_mm = match (&gap, view, &other.body) {
        (Some(gap), Some(view), Some(body)) => gap.error_mm(view, body),
        _ => 0.0,
    };
    Mark {
        at,
        arrows,
        seen,
        target: visible,
        gap,
        gap_error_mm,
        because,
        visible,
        dodges: if shot.does.at_enemies() {
            other.about(|r| r.face.has(Effect::Dodge))
        } else {
            Some(false)
        },
    }
}

fn why_seen(other: &Actor, shooter: &Actor, by: &ByArrow) -> Reason {
    let arrow = by.corner;
    let Some(sight) = by.sight else {
        return match by.sees {
            Some(sees) => Reason::RuledSight { arrow, sees },
            None if other.body.is_none() => Reason::PlaceUnknown { die: other.id() },
            None => Reason::PlaceUnknown { die: shooter.id() },
        };
    };
    let (by_mm, error_mm) = (sight.by(), sight.error());
    match (sight.sees(), by.sees) {
        (found, Some(sees)) if found != Some(sees) => Reason::RuledSight { arrow, sees },
        (Some(true), _) => Reason::Above {
            arrow,
            by_mm,
            error_mm,
        },
        (Some(false), _) => Reason::Below {
            arrow,
            by_mm,
            error_mm,
        },
        (None, _) => Reason::OnTheLine {
            arrow,
            by_mm,
            error_mm,
        },
    }
}

/// Whether a mark is a target at the shot's range, and why.
fn in_range(
    scene: &Scene,
    shooter: &Actor,
    view: Option<&TopFace>,
    shot: &Shot,
    marks: &[Mark],
    i: usize,
) -> (Tri, Vec<Reason>) {
    let mut because = Vec::new();
    let Some(mark) = marks.get(i) else {
        return (None, because);
    };
    let dodges = mark.dodges;
    let asks_closest = shot.range == Range::Short || dodges != Some(false);
    if mark.visible == Some(false) {
        return (Some(false), because);
    }
    if !asks_closest {
        if shot.range == Range::Long && mark.visible == Some(true) {
            because.push(Reason::AnyOne);
        }
        return (mark.visible, because);
    }
    let (closest, why, closer) = closest(scene, shooter, view, marks, i, mark);
    let target = match shot.range {
        Range::Short => {
            because.push(why);
            and(mark.visible, closest)
        }
        Range::Long | Range::All => {
            if dodges.is_none() && closest != Some(true) {
                let die = scene.actors.get(mark.at).map_or(shooter.id(), Actor::id);
                because.push(Reason::FaceUnknown { die });
            } else if dodges == Some(true) {
                because.push(match closest {
                    Some(false) => Reason::Dodges { closer },
                    _ => why,
                });
            }
            and(mark.visible, or(not(dodges), closest))
        }
    };
    (target, because)
}

/// Whether a mark is the closest of all that are visible; why; and one that is surely closer.
fn closest(
    scene: &Scene,
    shooter: &Actor,
    view: Option<&TopFace>,
    marks: &[Mark],
    i: usize,
    mark: &Mark,
) -> (Tri, Reason, Option<super::name::DieId>) {
    let mut all: Tri = Some(true);
    let mut why = Reason::Closest {
        distance_mm: mark.gap.map(|g| g.told()).unwrap_or_default(),
        error_mm: Mm::new(mark.gap_error_mm),
    };
    let Some(this) = scene.actors.get(mark.at) else {
        return (None, why, None);
    };
    for (j, rival) in marks.iter().enumerate() {
        if j == i || rival.visible == Some(false) {
            continue;
        }
        let Some(other) = scene.actors.get(rival.at) else {
            continue;
        };
        let (nearer, found) = scene.nearer(
            (shooter.id(), view),
            (this, mark.gap.as_ref()),
            (other, rival.gap.as_ref()),
        );
        // What is perhaps not even visible cannot make a sure no.
        let term = match rival.visible {
            Some(true) => nearer,
            _ => nearer.filter(|n| *n),
        };
        let by_mm = found.map(|n| n.by()).unwrap_or_default();
        let error_mm = found.map(|n| n.error()).unwrap_or_default();
        match term {
            Some(true) => {}
            Some(false) => {
                let closer = other.id();
                let why = Reason::NotClosest {
                    closer,
                    by_mm,
                    error_mm,
                };
                return (Some(false), why, Some(closer));
            }
            None if all.is_none() => {}
            None => {
                all = None;
                why = if found.is_none() {
                    Reason::PlaceUnknown { die: other.id() }
                } else {
                    Reason::EquallyClose {
                        other: other.id(),
                        by_mm,
                        error_mm,
                    }
                };
            }
        }
    }
    (all, why, None)
}
