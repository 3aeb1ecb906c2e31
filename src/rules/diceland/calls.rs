//! All calls of a position: for every die in play what it sees, what it may do, and what each
//! target would suffer.

use super::aim::{Mark, aim};
use super::call::{Call, Numbers, What};
use super::face::{Corner, Does, Effect, Range, Shot};
use super::fault::Zone;
use super::flow::Stage;
use super::geometry::TopFace;
use super::merge::merge;
use super::mm::Mm;
use super::name::DieId;
use super::player::Player;
use super::position::{Lies, Position};
use super::reason::Reason;
use super::scene::{Actor, Obstacle, Reading, Scene, Way};
use super::suffer::suffer;
use super::tri::{Tri, and};
use super::volley::{self, Before};
use crate::rules::{Span, Verdict};

/// Ways that one die may be read, kind, face and heading together; with more, nothing is said.
const MOST_READINGS: usize = 24;

/// Bearings of one die: what it may be, and how it may be turned.
struct View<'a> {
    reading: Reading<'a>,
    heading_deg: Option<f64>,
    face: Option<TopFace>,
}

impl Position {
    /// What may be announced.
    pub fn calls(&self) -> Vec<Call> {
        let scene = Scene::of(self);
        let mut calls = Vec::new();
        for actor in &scene.actors {
            let views = views(&scene, actor);
            if views.is_empty() || !matches!(actor.die.lies, Lies::Play(_)) {
                let mut call = Call::new(What::Act { die: actor.id() }, Verdict::Unsure);
                call.why(Reason::FaceUnknown { die: actor.id() });
                call.waits_for(actor.id());
                calls.push(call);
                continue;
            }
            let all = views.iter().map(|view| calls_of(&scene, actor, view));
            calls.extend(merge(actor.id(), all.collect()));
        }
        for call in &mut calls {
            call.now = self.is_now(&call.what);
        }
        calls.extend(self.opening_calls());
        for player in Player::BOTH {
            calls.extend(self.army_call(player));
            calls.extend(self.pass_call(player));
        }
        calls
    }

    /// Before the first turn: who says who goes first, and what may be placed in the centre.
    /// Rule text, sections "Who Goes First" and "The First Turn".
    fn opening_calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        if self.flow.stage == Stage::Choosing {
            for player in Player::BOTH {
                let (ours, theirs) = (self.army(player).points, self.army(player.other()).points);
                let even = ours.value().is_some() && ours == theirs;
                let (verdict, reason) = if even {
                    (Verdict::May, Some(Reason::CoinFlip))
                } else if ours.max < theirs.min {
                    (Verdict::Must, Some(Reason::ArmyChooses { player }))
                } else if ours.min > theirs.max {
                    let player = player.other();
                    (Verdict::Cannot, Some(Reason::ArmyChooses { player }))
                } else {
                    (Verdict::Unsure, None)
                };
                let mut call = Call::new(What::GoFirst { player }, verdict);
                call.now = Some(verdict != Verdict::Cannot);
                call.why(Reason::ArmyPoints { points: ours });
                if let Some(reason) = reason {
                    call.why(reason);
                } else {
                    call.unsure_on = Player::BOTH.map(Zone::Army).to_vec();
                }
                calls.push(call);
            }
        }
        for die in self.legal_openings() {
            let mut call = Call::new(What::Open { die }, Verdict::May);
            call.now = Some(true);
            call.why(Reason::Opens);
            calls.push(call);
        }
        calls
    }

    fn army_call(&self, player: Player) -> Option<Call> {
        self.dice_of(player).next()?;
        let army = self.army(player);
        let verdict = match army.is_legal() {
            Some(true) => Verdict::May,
            Some(false) => Verdict::Cannot,
            None => Verdict::Unsure,
        };
        let mut call = Call::new(What::Army { player }, verdict);
        call.numbers.points = Some(army.points);
        call.numbers.most = army.most;
        let points = army.points;
        call.why(Reason::ArmyPoints { points });
        let limit = self.print.numbers.army;
        match (army.smallest, army.most) {
            (Some(smallest), _) => call.why(Reason::OneTeam {
                army: limit,
                smallest,
            }),
            (None, Some(_)) => call.why(Reason::Mixed { army: limit }),
            (None, None) => {}
        }
        if !army.twice.is_empty() {
            call.why(Reason::NotUnique);
        }
        if verdict == Verdict::Unsure {
            call.unsure_on.push(Zone::Army(player));
        }
        Some(call)
    }

    fn pass_call(&self, player: Player) -> Option<Call> {
        if self.flow.stage != Stage::Turn(player) || !self.flow.waiting.is_empty() {
            return None;
        }
        let (verdict, reason) = match self.may_pass() {
            Ok(()) => (Verdict::May, Reason::MayPass),
            Err(reason) => (Verdict::Cannot, reason),
        };
        let mut call = Call::new(What::Pass { player }, verdict);
        call.now = Some(verdict == Verdict::May);
        call.why(reason);
        Some(call)
    }
}

fn views<'a>(scene: &Scene<'a>, actor: &Actor<'a>) -> Vec<View<'a>> {
    let print = &scene.position.print;
    let headings = actor.headings();
    if actor.readings.len() * headings.len().max(1) > MOST_READINGS {
        return Vec::new();
    }
    let mut all = Vec::new();
    for reading in &actor.readings {
        let blind = View {
            reading: *reading,
            heading_deg: None,
            face: None,
        };
        match (actor.die.stand(), headings) {
            (None, _) | (_, []) => all.push(blind),
            (Some(stand), some) => all.extend(some.iter().map(|deg| View {
                reading: *reading,
                heading_deg: Some(*deg),
                face: Some(TopFace::of(&stand.pose(*deg), print)),
            })),
        }
    }
    all
}

fn verdict_of(may: Tri) -> Verdict {
    match may {
        Some(true) => Verdict::May,
        Some(false) => Verdict::Cannot,
        None => Verdict::Unsure,
    }
}

fn calls_of(scene: &Scene, actor: &Actor, view: &View) -> Vec<Call> {
    let face = view.reading.face;
    let mut calls = Vec::new();
    if let Some(shot) = face.shot {
        let marks = aim(scene, actor, view.face.as_ref(), face, &shot);
        for mark in &marks {
            calls.extend(see_call(scene, actor, mark));
        }
        let before = befores(scene, (actor.id(), view.face.as_ref()), &shot, &marks);
        for (mark, before) in marks.iter().zip(&before) {
            calls.extend(shot_call(scene, actor, &shot, mark, before, None));
        }
    }
    for effect in &face.effects {
        calls.extend(effect_call(scene, actor, effect));
    }
    for corner in Corner::ALL {
        if face.corner(corner).green {
            let way = scene.way(actor, corner);
            calls.push(roll_call(scene, actor, view, corner, &way));
            if face.has(Effect::MoveAndShoot) && way.free != Some(false) {
                calls.extend(shots_after(scene, actor, view, corner, &way));
            }
        }
    }
    calls
}

fn see_call(scene: &Scene, actor: &Actor, mark: &Mark) -> Option<Call> {
    let target = scene.actors.get(mark.at)?.id();
    let die = actor.id();
    let mut call = Call::new(What::See { die, target }, verdict_of(mark.seen));
    for reason in &mark.because {
        if matches!(
            reason,
            Reason::SeesAllRound
                | Reason::Above { .. }
                | Reason::Below { .. }
                | Reason::OnTheLine { .. }
                | Reason::RuledSight { .. }
                | Reason::PlaceUnknown { .. }
        ) {
            call.why(*reason);
        }
    }
    // The arrow that settles it: the one that sees it best, or comes nearest to.
    let sights = mark.arrows.iter().filter_map(|a| a.sight);
    let best = sights.max_by(|a, b| {
        let least = |s: &super::sight::Sight| s.above_mm - s.error_mm;
        let most = |s: &super::sight::Sight| s.above_mm + s.error_mm;
        match mark.seen {
            Some(true) => least(a).total_cmp(&least(b)),
            _ => most(a).total_cmp(&most(b)),
        }
    });
    fill(&mut call.numbers, mark);
    if let Some(sight) = best {
        call.numbers.above_mm = Some(Mm::new(sight.above_mm));
        call.numbers.error_mm = Some(sight.error());
    }
    if call.verdict == Verdict::Unsure {
        call.waits_for(die);
        call.waits_for(target);
    }
    Some(call)
}

fn fill(numbers: &mut Numbers, mark: &Mark) {
    let seen = mark.arrows.iter().filter(|a| a.sees == Some(true));
    numbers.arrows = seen.map(|a| a.corner).collect();
    if let Some(gap) = &mark.gap {
        numbers.distance_mm = Some(gap.told());
        numbers.distance_error_mm = Some(Mm::new(mark.gap_error_mm));
    }
}

/// A weapon, a command or the like at one target; nothing where the side is wrong.
fn shot_call(
    scene: &Scene,
    actor: &Actor,
    shot: &Shot,
    mark: &Mark,
    before: &Before,
    after: Option<(Corner, Tri)>,
) -> Option<Call> {
    let other = scene.actors.get(mark.at)?;
    let (die, target) = (actor.id(), other.id());
    let wrong_side = |r: &Reason| matches!(r, Reason::NotAnEnemy | Reason::NotAnAlly);
    if mark.because.iter().any(wrong_side) {
        return None;
    }
    let what = match shot.does {
        Does::Weapon => What::Fire {
            die,
            after: after.map(|(corner, _)| corner),
            target,
        },
        Does::Command(_) => What::Command { die, target },
        Does::JumpAlly => What::JumpAlly { die, target },
        Does::Remove => What::Remove { die, target },
    };
    let may = and(mark.target, after.map_or(Some(true), |(_, free)| free));
    let mut call = Call::new(what, verdict_of(may));
    for reason in &mark.because {
        call.why(*reason);
    }
    call.numbers.order = mark.because.iter().find_map(|r| match r {
        Reason::Every { first, last } | Reason::Flag { first, last } if first == last => {
            Some(*first)
        }
        _ => None,
    });
    fill(&mut call.numbers, mark);
    if may == Some(false) {
        return Some(call);
    }
    let effect = if shot.does == Does::Weapon {
        suffer(scene, other, shot, mark, before, &mut call)
    } else {
        let immune = other.about(|r| r.face.immune == Some(shot.colour));
        if immune == Some(true) {
            let colour = shot.colour;
            call.why(Reason::Immune { colour });
        } else if immune.is_none() {
            call.why(Reason::FaceUnknown { die: target });
            call.waits_for(target);
        }
        match shot.does {
            Does::Remove => call.why(Reason::ToHand),
            Does::JumpAlly => call.why(Reason::LosesFlag),
            _ => {}
        }
        super::tri::not(immune)
    };
    call.verdict = match (may, effect, shot.does) {
        (Some(true), Some(true), Does::Weapon) => Verdict::Hit,
        (Some(true), Some(true), _) => Verdict::May,
        (Some(true), Some(false), _) => Verdict::Miss,
        _ => Verdict::Unsure,
    };
    // Flags are carried out one by one: whose turn comes first is never all the same.
    if matches!(shot.does, Does::Command(_)) {
        for reason in &mark.because {
            if let Reason::EquallyClose { other, .. } | Reason::PerhapsToo { other } = reason {
                call.waits_for(*other);
            }
        }
    }
    if may.is_none() {
        call.waits_for(die);
        call.waits_for(target);
        for reason in &mark.because {
            if let Reason::EquallyClose { other, .. }
            | Reason::PlaceUnknown { die: other }
            | Reason::OwnerUnknown { die: other } = reason
            {
                call.waits_for(*other);
            }
        }
    }
    Some(call)
}

/// What stands in the way of a roll, or that nothing does.
pub(super) fn why_way(way: &Way) -> Reason {
    if let (true, Some(free)) = (way.ruled, way.free) {
        return Reason::RuledRoom { free };
    }
    let (room_mm, error_mm) = (way.room.told(), way.room.error());
    match (way.beside, way.free) {
        (None, _) => Reason::NothingNear,
        (Some(_), Some(true)) => Reason::Room {
            room_mm,
            error_mm,
            at_least: way.room.at_least,
        },
        (Some(Obstacle::Edge), _) => Reason::EdgeInTheWay { room_mm, error_mm },
        (Some(Obstacle::Die(die)), _) => Reason::DieInTheWay {
            die,
            room_mm,
            error_mm,
        },
        (Some(Obstacle::Thing(thing, name)), _) => Reason::ThingInTheWay {
            thing,
            name,
            room_mm,
            error_mm,
        },
        (Some(Obstacle::Unplaced(die)), _) => Reason::PlaceUnknown { die },
        (Some(Obstacle::Itself), _) => Reason::Room {
            room_mm: Mm::default(),
            error_mm: Mm::default(),
            at_least: false,
        },
    }
}

fn roll_call(scene: &Scene, actor: &Actor, view: &View, corner: Corner, way: &Way) -> Call {
    let die = actor.id();
    let mut call = Call::new(What::Manoeuvre { die, corner }, verdict_of(way.free));
    let mould = view.reading.mould;
    if let Some((next, back)) = mould.roll(view.reading.index, corner)
        && let Some(face) = mould.face(next)
    {
        let side = face.side;
        call.numbers.face = Some(face.id);
        call.numbers.side = Some(side);
        let face = face.id;
        call.why(Reason::ComesUp { corner, face, side });
        if let (Some(stand), Some(deg)) = (actor.die.stand(), view.heading_deg) {
            let radius = scene.position.print.radius_mm();
            let pose = stand.pose(deg).rolled(corner, back, radius);
            call.numbers.at_mm = Some(pose.at_mm.map(Mm::new));
            call.numbers.heading_deg = Some((pose.heading_deg * 10.0).round() / 10.0 % 360.0);
        }
    }
    call.why(match way.beside {
        Some(Obstacle::Itself) if !way.ruled => Reason::PlaceUnknown { die },
        _ => why_way(way),
    });
    if way.room.mm.is_finite() {
        call.numbers.room_mm = Some(way.room.told());
    }
    if way.free.is_none() {
        call.waits_for(die);
        if let Some(Obstacle::Die(other) | Obstacle::Unplaced(other)) = way.beside {
            call.waits_for(other);
        }
    }
    call
}

/// What lies there when each mark is hit: only an all-range weapon hits more than one.
fn befores(
    scene: &Scene,
    shooter: (DieId, Option<&TopFace>),
    shot: &Shot,
    marks: &[Mark],
) -> Vec<Before> {
    if shot.does == Does::Weapon && shot.range == Range::All {
        volley::before(scene, shooter, shot, marks)
    } else {
        marks.iter().map(|_| Before::Now).collect()
    }
}

/// A die that moves and shoots: what it could hit after a roll, on the table as it then is. What
/// players ruled about the place it leaves is forgotten there.
fn shots_after(scene: &Scene, actor: &Actor, view: &View, corner: Corner, way: &Way) -> Vec<Call> {
    let Some(deg) = view.heading_deg else {
        return Vec::new();
    };
    let rolled = volley::rolled(scene.position, actor.id(), &view.reading, deg, corner);
    let Some(rolled) = rolled else {
        return Vec::new();
    };
    let scene = Scene::of(&rolled);
    let found = scene.find(actor.id()).map(|(_, a)| a);
    let Some((actor, reading)) = found.and_then(|a| Some((a, a.sure()?))) else {
        return Vec::new();
    };
    let Some(shot) = reading.face.shot.filter(|s| s.does == Does::Weapon) else {
        return Vec::new();
    };
    let top = actor.pose().map(|p| TopFace::of(&p, &rolled.print));
    let marks = aim(&scene, actor, top.as_ref(), reading.face, &shot);
    let before = befores(&scene, (actor.id(), top.as_ref()), &shot, &marks);
    let after = Some((corner, way.free));
    marks
        .iter()
        .zip(&before)
        .filter_map(|(mark, before)| shot_call(&scene, actor, &shot, mark, before, after))
        .collect()
}

fn effect_call(scene: &Scene, actor: &Actor, effect: &Effect) -> Option<Call> {
    let die = actor.id();
    match effect {
        Effect::Jump => {
            let mut call = Call::new(What::Jump { die }, Verdict::May);
            call.why(Reason::ThrownAgain);
            Some(call)
        }
        Effect::Call { count, of } => {
            let what = What::CallDice { die };
            let Some(owner) = actor.die.owner.known() else {
                let mut call = Call::new(what, Verdict::Unsure);
                call.why(Reason::OwnerUnknown { die });
                call.waits_for(die);
                return Some(call);
            };
            let (sure, perhaps) = scene.position.callable(*owner, of);
            let verdict = if !sure.is_empty() {
                Verdict::May
            } else if perhaps.is_empty() {
                Verdict::Cannot
            } else {
                Verdict::Unsure
            };
            let mut call = Call::new(what, verdict);
            call.numbers.count = Some(*count);
            call.why(match u8::try_from(sure.len()) {
                Ok(0) => Reason::NoneInHand { of: *of },
                n => Reason::InHand {
                    dice: n.unwrap_or(u8::MAX),
                    of: *of,
                },
            });
            if verdict == Verdict::Unsure {
                for other in perhaps {
                    call.waits_for(other);
                }
            }
            call.numbers.dice = sure;
            Some(call)
        }
        _ => None,
    }
}

impl Position {
    /// Dice of a player's hand that are of a sort, and those that may be.
    pub(crate) fn callable(
        &self,
        player: Player,
        of: &super::face::Filter,
    ) -> (Vec<DieId>, Vec<DieId>) {
        let (mut sure, mut perhaps) = (Vec::new(), Vec::new());
        for die in self.dice_of(player) {
            let in_hand = match die.lies {
                Lies::Hand => Some(true),
                Lies::Away | Lies::Somewhere => None,
                _ => Some(false),
            };
            let kinds = die.kind.candidates().unwrap_or_default();
            let kinds = kinds.iter().filter_map(|k| self.mould(*k));
            let is = super::tri::agree(kinds.map(|m| m.kind().is(of)));
            match and(in_hand, is) {
                Some(true) => sure.push(die.id),
                None => perhaps.push(die.id),
                Some(false) => {}
            }
        }
        (sure, perhaps)
    }

    /// The points of both players, as they stand.
    pub fn scores(&self) -> [Span; 2] {
        Player::BOTH.map(|p| self.score(p))
    }
}
