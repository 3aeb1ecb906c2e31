//! The whole table at once: every sight line between dice in play.

use super::face::Corner;
use super::geometry::TopFace;
use super::name::DieId;
use super::position::Position;
use super::scene::Scene;
use super::sight::{Sight, sight};

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
        let (Some(reading), Some(pose)) = (actor.sure(), actor.pose()) else {
            continue;
        };
        let view = TopFace::of(&pose, position.print());
        for other in &scene.actors {
            let Some(body) = other.body.as_ref().filter(|_| other.id() != actor.id()) else {
                continue;
            };
            for (arrow, _) in reading.face.arrows() {
                lines.push(Line {
                    die: actor.id(),
                    arrow,
                    target: other.id(),
                    sight: sight(&view, arrow, body, part),
                });
            }
        }
    }
    lines
}
