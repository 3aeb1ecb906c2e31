//! The whole table at once: every sight line between dice in play.

use super::face::Corner;
use super::name::DieId;
use super::position::Position;
use super::scene::Scene;
use super::sight::{Baseline, Sight};

/// Who sees whom by which arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Who looks.
    pub die: DieId,
    /// By which arrow.
    pub arrow: Corner,
    /// At whom.
    pub target: DieId,
    /// How far above the baseline, and how well that is known.
    pub sight: Sight,
}

/// Every arrow of every die whose face and place are known, at every other die whose place is
/// known. What players have ruled is not in it: this is what is measured.
pub fn sight_lines(position: &Position) -> Vec<Line> {
    let scene = Scene::of(position);
    let part = position.print().options.seen;
    let mut lines = Vec::with_capacity(scene.actors.len() * scene.actors.len() * 3);
    for actor in &scene.actors {
        // Of a heading that is known, the outline is all that is seen from.
        let (Some(reading), Some(_), Some(view)) = (actor.sure(), actor.pose(), &actor.body) else {
            continue;
        };
        let arrows = reading.face.arrows().map(|(arrow, _)| arrow);
        let baselines: Vec<_> = arrows.map(|a| (a, Baseline::of(view, a))).collect();
        for other in &scene.actors {
            let Some(body) = other.body.as_ref().filter(|_| other.id() != actor.id()) else {
                continue;
            };
            for (arrow, baseline) in &baselines {
                lines.push(Line {
                    die: actor.id(),
                    arrow: *arrow,
                    target: other.id(),
                    sight: baseline.sight(body, part),
                });
            }
        }
    }
    lines
}
