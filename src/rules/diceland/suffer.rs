//! What each target of a weapon would suffer.

use super::aim::Mark;
use super::call::Call;
use super::calls::why_way;
use super::face::{Arrow, FacePrint, Shot};
use super::hit::{Hit, Outcome, attacks, hit};
use super::reason::Reason;
use super::scene::{Actor, Reading, Scene};
use super::tri::Tri;

/// What a target would suffer; says whether it has an effect.
pub(super) fn suffer(
    scene: &Scene,
    other: &Actor,
    shot: &Shot,
    mark: &Mark,
    call: &mut Call,
) -> Tri {
    let by: Vec<(Arrow, Tri)> = mark.arrows.iter().map(|a| (a.arrow, a.sees)).collect();
    let attack = attacks(&by);
    if let (Some(least), Some(most)) = (attack.first(), attack.last()) {
        call.why(Reason::Attack {
            least: *least,
            most: *most,
        });
    }
    if other.readings.is_empty() {
        call.why(Reason::FaceUnknown { die: other.id() });
        call.waits_for(other.id());
        call.numbers.attack = attack;
        return None;
    }
    let points = scene.position.points(other.die);
    let mut outcomes = Vec::new();
    let mut effects = Vec::new();
    let single = attack.len() == 1 && other.readings.len() == 1;
    for reading in &other.readings {
        for value in &attack {
            let (found, why) = suffered(scene, other, reading.face, reading, shot, *value);
            effects.extend(found.iter().map(|o| *o != Outcome::NoEffect));
            if single {
                for reason in why {
                    call.why(reason);
                }
            }
            outcomes.extend(found);
        }
    }
    outcomes.sort_unstable();
    outcomes.dedup();
    if outcomes.len() > 1 {
        call.waits_for(other.id());
        if attack.len() > 1
            && let Some(die) = call.what.die()
        {
            call.waits_for(die);
        }
        if other.readings.len() > 1 {
            call.why(Reason::FaceUnknown { die: other.id() });
        }
    }
    if outcomes.contains(&Outcome::Kill) {
        call.why(Reason::Worth { points });
        call.numbers.points = Some(points);
    }
    call.numbers.attack = attack;
    call.numbers.outcomes = outcomes;
    super::tri::agree(effects.into_iter())
}

/// What one attack does to one face: more than one thing where it is not sure whether the die is
/// pinned.
fn suffered(
    scene: &Scene,
    other: &Actor,
    face: &FacePrint,
    reading: &Reading,
    shot: &Shot,
    attack: u16,
) -> (Vec<Outcome>, Vec<Reason>) {
    let block = face.block.unwrap_or(0);
    match hit(attack, shot.colour, face, false) {
        Hit::Immune(colour) => (vec![Outcome::NoEffect], vec![Reason::Immune { colour }]),
        Hit::Shielded(x) => (
            vec![Outcome::NoEffect],
            vec![Reason::Shielded { x, attack }],
        ),
        Hit::LastSide => (vec![Outcome::Kill], vec![Reason::LastSide]),
        Hit::Beaten { block: None } => (vec![Outcome::Kill], vec![Reason::NoBlock { attack }]),
        Hit::Beaten { block: Some(block) } => {
            (vec![Outcome::Kill], vec![Reason::Beaten { attack, block }])
        }
        Hit::Damaged(corner) | Hit::Pinned(corner) => {
            let to = face.corner(corner).to;
            let side = reading.kind().faces.iter().find(|f| f.id == to);
            let down = Outcome::Damage {
                to,
                side: side.map_or(1, |f| f.side),
            };
            let step = Reason::OneStep {
                attack,
                block,
                corner,
                to,
            };
            let way = scene.way(other, corner);
            let mut why = vec![step];
            match way.free {
                Some(true) => (vec![down], why),
                Some(false) => {
                    why.push(Reason::Pinned { corner });
                    why.push(why_way(&way));
                    (vec![Outcome::Kill], why)
                }
                None => {
                    why.push(Reason::PinnedUnsure { corner });
                    why.push(why_way(&way));
                    (vec![down, Outcome::Kill], why)
                }
            }
        }
    }
}
