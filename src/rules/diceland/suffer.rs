//! What each target of a weapon would suffer.

use super::aim::Mark;
use super::call::Call;
use super::calls::why_way;
use super::face::{Arrow, Colour, Corner, Shot};
use super::hit::{Hit, Outcome, attacks, hit};
use super::name::DieId;
use super::reason::Reason;
use super::scene::{Actor, Reading, Scene};
use super::tri::Tri;
use super::volley::Before;

/// What a target would suffer, on the table that lies there when it is hit; says whether it has
/// an effect.
pub(super) fn suffer(
    scene: &Scene,
    other: &Actor,
    shot: &Shot,
    mark: &Mark,
    before: &Before,
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
    let fates = match before {
        Before::Now => vec![fate(scene, other.id(), shot.colour, &attack)],
        Before::After(tables) => tables
            .iter()
            .map(|table| fate(&Scene::of(table), other.id(), shot.colour, &attack))
            .collect(),
        Before::Unknown => vec![open_fate(other, shot.colour, &attack)],
    };
    if !matches!(before, Before::Now) {
        call.why(Reason::AfterOthers);
    }
    let mut outcomes: Vec<Outcome> = fates.iter().flat_map(|f| f.outcomes.clone()).collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    let effects = outcomes.iter().map(|o| *o != Outcome::NoEffect);
    let effect = super::tri::agree(effects);
    // Reasons that hold on one of several tables only are none.
    if let Some((one, rest)) = fates.split_first()
        && rest.iter().all(|f| f.why == one.why)
    {
        for reason in &one.why {
            call.why(*reason);
        }
    }
    if outcomes.len() > 1 {
        call.waits_for(other.id());
        if !matches!(before, Before::Now)
            && let Some(die) = call.what.die()
        {
            call.waits_for(die);
        }
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
    effect
}

/// What may become of a target on one table.
struct Fate {
    outcomes: Vec<Outcome>,
    /// Why, where there is no doubt about the die and the attack.
    why: Vec<Reason>,
}

fn fate(scene: &Scene, id: DieId, colour: Colour, attack: &[u16]) -> Fate {
    let mut fate = Fate {
        outcomes: Vec::new(),
        why: Vec::new(),
    };
    // Nobody is hit any more once somebody has won.
    if let (Some(winner), Some(_)) = (scene.position.winner(), scene.find(id)) {
        fate.outcomes.push(Outcome::NoEffect);
        fate.why.push(Reason::Over { winner });
        return fate;
    }
    let Some((_, other)) = scene.find(id) else {
        return fate;
    };
    let single = attack.len() == 1 && other.readings.len() == 1;
    for reading in &other.readings {
        for value in attack {
            let (found, why) = suffered(scene, other, reading, colour, *value);
            if single {
                fate.why.extend(why);
            }
            fate.outcomes.extend(found);
        }
    }
    fate
}

/// The same where it is not known what stands in its way by then.
fn open_fate(other: &Actor, colour: Colour, attack: &[u16]) -> Fate {
    let mut outcomes = vec![Outcome::NoEffect];
    for reading in &other.readings {
        for value in attack {
            let came = hit(*value, colour, reading.face, false);
            if let Hit::Damaged(corner) | Hit::Pinned(corner) = came {
                outcomes.push(down(reading, corner));
            }
            if came.has_effect() {
                outcomes.push(Outcome::Kill);
            }
        }
    }
    Fate {
        outcomes,
        why: Vec::new(),
    }
}

/// One step of damage over a corner.
fn down(reading: &Reading, corner: Corner) -> Outcome {
    let to = reading.face.corner(corner).to;
    let side = reading.kind().faces.iter().find(|f| f.id == to);
    Outcome::Damage {
        to,
        side: side.map_or(1, |f| f.side),
    }
}

/// What one attack does to one face: more than one thing where it is not sure whether the die is
/// pinned.
pub(super) fn suffered(
    scene: &Scene,
    other: &Actor,
    reading: &Reading,
    colour: Colour,
    attack: u16,
) -> (Vec<Outcome>, Vec<Reason>) {
    let face = reading.face;
    let block = face.block.unwrap_or(0);
    match hit(attack, colour, face, false) {
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
            let down = down(reading, corner);
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
