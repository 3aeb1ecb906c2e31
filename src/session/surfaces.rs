//! Displays, boards and trays as they are told, and what happened to them between two frames.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Session, placing::rounded};
use crate::{copy::Status, geometry::Quad, rig::Sight};

/// A surface that lies elsewhere by more than this share of its longer side was moved.
const MOVED: f64 = 0.012;

/// Where a surface lies in the picture.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SurfaceReport {
    pub id: String,
    /// `display`, `board` or `tray`.
    pub kind: String,
    /// In pixels, from its own upper left, clockwise; where it last was while it is `hidden`.
    pub corners: [[f64; 2]; 4],
    pub status: Status,
}

/// What became of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SurfaceChange {
    /// It is seen, and was not known before.
    Found,
    /// It lies elsewhere, and lies still again.
    Moved,
    /// Something covers it.
    Hidden,
    /// It is seen again where it was.
    Shown,
    /// It is nowhere to be found any more.
    Lost,
}

/// Something that happened to a surface.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SurfaceEvent {
    pub change: SurfaceChange,
    #[serde(flatten)]
    pub surface: SurfaceReport,
}

/// What was last said of each surface, and where each lay in the last frame.
#[derive(Debug, Clone, Default)]
pub(super) struct SurfaceLog {
    told: Vec<SurfaceReport>,
    last: Vec<SurfaceReport>,
}

fn far(a: &SurfaceReport, b: &SurfaceReport) -> bool {
    let (a, b) = (Quad::from_pairs(a.corners), Quad::from_pairs(b.corners));
    let long = (a.0[1] - a.0[0]).norm().max((a.0[2] - a.0[1]).norm());
    a.0.iter()
        .zip(&b.0)
        .any(|(p, q)| (p - q).norm() > MOVED * long)
}

impl SurfaceLog {
    /// Takes what the next frame shows.
    pub fn follow(&mut self, now: &[SurfaceReport]) -> Vec<SurfaceEvent> {
        let mut out = Vec::new();
        let mut told = Vec::new();
        for s in now {
            let before = self.told.iter().find(|t| t.id == s.id);
            let still = self
                .last
                .iter()
                .any(|l| l.id == s.id && l.status == s.status && !far(l, s));
            let hidden = s.status == Status::Hidden;
            let change = match before {
                None if hidden => None,
                None => Some(SurfaceChange::Found),
                Some(t) if hidden => (t.status != Status::Hidden).then_some(SurfaceChange::Hidden),
                Some(t) if far(t, s) => still.then_some(SurfaceChange::Moved),
                Some(t) if t.status == Status::Hidden => Some(SurfaceChange::Shown),
                Some(_) => None,
            };
            match (change, before) {
                (Some(change), _) => {
                    out.push(SurfaceEvent {
                        change,
                        surface: s.clone(),
                    });
                    told.push(s.clone());
                }
                (None, Some(t)) => told.push(t.clone()),
                (None, None) => {}
            }
        }
        for t in &self.told {
            if now.iter().all(|s| s.id != t.id) {
                out.push(SurfaceEvent {
                    change: SurfaceChange::Lost,
                    surface: t.clone(),
                });
            }
        }
        self.told = told;
        self.last = now.to_vec();
        out
    }
}

impl Session {
    /// Every surface that a picture shows, as `sight` has it.
    pub fn surfaces(&self, sight: &Sight) -> Vec<SurfaceReport> {
        let corners = |q: &Quad| q.pairs().map(|p| p.map(|v| rounded(v, 2)));
        let trays = sight.trays().iter().map(|t| SurfaceReport {
            id: t.id.clone(),
            kind: "tray".to_owned(),
            corners: corners(&t.corners_px),
            status: if t.whole_in(sight.size_px()) {
                Status::Sure
            } else {
                Status::Unsure
            },
        });
        let seen = sight.seen().iter().map(|t| SurfaceReport {
            id: t.id.clone(),
            kind: self
                .surface(&t.id)
                .map_or("tray", |s| s.kind.name())
                .to_owned(),
            corners: corners(&t.corners_px),
            status: t.status,
        });
        trays.chain(seen).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lying(x: f64, status: Status) -> SurfaceReport {
        SurfaceReport {
            id: "helm".into(),
            kind: "display".into(),
            corners: [[x, 0.0], [x + 100.0, 0.0], [x + 100.0, 70.0], [x, 70.0]],
            status,
        }
    }

    #[test]
    fn a_surface_is_found_hidden_shown_moved_and_lost() {
        use SurfaceChange::{Found, Hidden, Lost, Moved, Shown};
        let mut log = SurfaceLog::default();
        let mut then = |now: &[SurfaceReport]| -> Vec<SurfaceChange> {
            log.follow(now).iter().map(|e| e.change).collect()
        };
        assert_eq!(then(&[lying(0.0, Status::Sure)]), [Found]);
        // what trembles by less than it matters is not said
        assert_eq!(then(&[lying(0.6, Status::Sure)]), []);
        assert_eq!(then(&[lying(0.6, Status::Hidden)]), [Hidden]);
        assert_eq!(then(&[lying(0.6, Status::Hidden)]), []);
        assert_eq!(then(&[lying(0.0, Status::Sure)]), [Shown]);
        // while it slides nothing is said; when it lies still, once
        assert_eq!(then(&[lying(10.0, Status::Sure)]), []);
        assert_eq!(then(&[lying(20.0, Status::Sure)]), []);
        assert_eq!(then(&[lying(20.0, Status::Sure)]), [Moved]);
        assert_eq!(then(&[lying(20.0, Status::Sure)]), []);
        assert_eq!(then(&[]), [Lost]);
        assert_eq!(then(&[]), []);
    }
}
