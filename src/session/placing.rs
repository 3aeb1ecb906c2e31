//! Where a die lies, in the words of the contracts.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Session, setup};
use crate::{
    copy::{Region, Status, Surface},
    geometry::Point,
    rig::{Lies, Sight},
    rules::{Place, dice_duel::Zone},
    table::{Cover, Die, DieSeen, Foot, Look, PieceSeen},
    vision::{Form, Sighting, Standing},
};

/// How many of the standard errors that are claimed a foot must lie from a zone's edge to be surely in it: they are 1.4 times what they are (of
/// 1,283 feet on six made copies, seed 8300, 95 % lie within 1.25 of them, where of a normal distribution 1.73 is said), so that this is three.
/// What an outline's own error is counts as before (`OUTLINE` in rig/sight.rs).
pub(super) const REGION_SIGMAS: f64 = 2.1;

/// What a foot may be off by, as a part of its die's edge, where not even the die's kind is sure.
const DOUBTFUL: f64 = 0.25;

/// What two cameras may disagree by about a place on the table, millimetres.
const APART_MM: f64 = 15.0;

/// Where a die lies: on which surface, in which zone.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Placing {
    pub surface: Option<String>,
    /// The zone of its foot, in the rules' words; the surface's id beside all its zones, `table` off them
    /// all. The best guess also when unsure.
    pub zone: Option<String>,
    /// `unsure` where the foot lies nearer to the zone's edge than 2.1 of the standard errors that are claimed (more for a die of which not even the kind is
    /// sure: the face that was read may be another of its faces), where the surface is
    /// hidden or not surely found, and beside all surfaces that were found while another of the copy's was not.
    pub zone_status: Status,
    /// The middle of its foot, from the surface's upper left, x right, y down.
    pub at_mm: Option<[f64; 2]>,
    /// Standard error of `at_mm`, of both axes together.
    pub error_mm: Option<f64>,
    /// The middle of its foot in the rig's table frame; null where no rig says how the camera stands.
    pub table_mm: Option<[f64; 2]>,
}

impl Default for Placing {
    /// Nothing is known of where it lies.
    fn default() -> Self {
        Self {
            surface: None,
            zone: None,
            zone_status: Status::Unsure,
            at_mm: None,
            error_mm: None,
            table_mm: None,
        }
    }
}

/// A foot on a surface.
pub(super) struct Footing {
    pub lies: Lies,
    /// `None` on a tray, which has no regions.
    pub region: Option<Region>,
}

pub(super) fn rounded(v: f64, digits: i32) -> f64 {
    let k = 10_f64.powi(digits);
    (v * k).round() / k
}

impl Session {
    /// Whether a die that lies beside all surfaces that its camera has found surely lies on none: on none of those that are
    /// not found it may. What only other cameras see it is not on where their places in the table's frame are known.
    fn lies_beside_all(&self, die: &Die, sight: &Sight) -> bool {
        let own = sight.of_camera(&die.camera);
        let mut near = own.may_lie_on(&die.polygon, self.height_mm(die), die.error, REGION_SIGMAS);
        // trays are none of the copy's
        if near.any(|id| self.surface(id).is_some()) {
            return false;
        }
        let at = match &die.foot {
            Some(foot) => foot.table_mm,
            None => None,
        };
        let beside = |s: &Surface| {
            if own.own_status_of(&s.id) == Some(Status::Sure) {
                return true;
            }
            let elsewhere = sight.status_of(&s.id) == Some(Status::Sure);
            let outline = elsewhere.then(|| sight.outline_on_table(&s.id)).flatten();
            outline.zip(at).is_some_and(|(outline, [x, y])| {
                let at = Point::new(x, y);
                !outline.contains(at) && outline.edge_distance(at) > APART_MM
            })
        };
        let mut all = self.copy.surfaces.iter().filter(|s| s.reference.is_some());
        all.all(beside)
    }

    /// What is to be said of pictures whose camera's lens nobody knows: a die's foot is seen under its top, and how far
    /// beside it hangs on the lens.
    pub fn without_lens(&self, sight: &Sight) -> Option<&'static str> {
        let places = self.copy.surfaces.iter().any(|s| s.reference.is_some());
        (places && !sight.has_lens()).then_some(
            "no lens is known for this camera: it is estimated, and where dice stand is less exact (sightline calibrate makes one, --rig takes it)",
        )
    }

    /// Whether what lies at this place of the picture is looked at. Trays leave out the table around them where a copy is
    /// nothing but dice; where it has displays or a board, dice are rolled beside those, too.
    pub fn looks_at(&self, sight: &Sight, at: Point) -> bool {
        if !self.copy.surfaces.is_empty() {
            !sight.leaves_out(at)
        } else {
            sight.looks_at(at)
        }
    }

    pub(super) fn surface(&self, id: &str) -> Option<&Surface> {
        self.copy.surfaces.iter().find(|s| s.id == id)
    }

    /// Pieces with their places on the table. What is like nothing of the copy is none of the game's.
    pub fn pieces(&self, standing: &Standing, sight: &Sight) -> Vec<PieceSeen> {
        let known = standing.pieces.iter();
        let known = known.filter_map(|p| Some((p, p.what.clone()?)));
        let seen = known.map(|(p, what)| {
            let on = sight.seen().iter().find(|t| t.id == p.surface);
            PieceSeen {
                what,
                may_be: p.may_be.clone(),
                only: p.form == Form::Ship,
                foot: Foot {
                    lies: on.map(|tray| Lies {
                        surface: p.surface.clone(),
                        status: tray.status,
                        at_mm: p.at_mm,
                        error_mm: p.error_mm.hypot(tray.drift_error_mm(Point::from(p.at_mm))),
                        heading_deg: p.heading_deg.unwrap_or_default(),
                    }),
                    table_mm: sight.on_table(&p.polygon, 0.0, Some(&p.surface)),
                },
                heading_deg: p.heading_deg,
                heading_sure: p.heading_sure,
                status: match on.map(|tray| tray.status) {
                    Some(Status::Sure) => p.status,
                    _ => Status::Unsure,
                },
                confidence: p.confidence,
                polygon: p.polygon,
            }
        });
        seen.collect()
    }

    /// What is hidden, for things by where they are seen and for zones by where they lie. A surface that is hidden
    /// hides what lies on it, and a ship what it stands on.
    pub fn covers(&self, standing: &Standing, sight: &Sight) -> Vec<Cover> {
        let ships = standing.pieces.iter().filter(|p| p.form == Form::Ship);
        let in_picture = standing.covers.iter().chain(ships.map(|p| &p.polygon));
        let in_picture = in_picture.map(|part| (None, Some(*part)));
        let on_surfaces = standing.hidden.iter();
        let on_surfaces = on_surfaces.map(|(id, part)| (Some(id.clone()), Some(*part)));
        let gone = sight.seen().iter();
        let gone = gone.filter(|t| sight.status_of(&t.id) == Some(Status::Hidden));
        let gone = gone.map(|t| (Some(t.id.clone()), None));
        let all = in_picture.chain(on_surfaces).chain(gone);
        all.map(|(surface, part)| Cover { surface, part }).collect()
    }

    /// What one frame shows, with the place on the table of each thing that `sight` gives it. Where nobody looks
    /// for pieces and hands there is no `standing`.
    pub fn look(
        &self,
        camera: &str,
        frame: u64,
        at: Duration,
        sightings: &[Sighting],
        standing: Option<&Standing>,
        sight: &Sight,
    ) -> Look {
        let dice = sightings
            .iter()
            .map(|s| {
                let size_mm = self.size_mm(s.reading.kind.as_deref());
                let high_mm = s.shape.face_mm(size_mm);
                let lies = sight.place(&s.polygon, high_mm, s.error);
                let on = lies.as_ref().map(|l| l.surface.as_str());
                let table_mm = sight.on_table(&s.polygon, high_mm, on);
                DieSeen {
                    sighting: s.clone(),
                    foot: Foot { lies, table_mm },
                    size_mm,
                }
            })
            .collect();
        Look {
            camera: camera.to_owned(),
            frame,
            at,
            dice,
            pieces: standing.map_or_else(Vec::new, |s| self.pieces(s, sight)),
            covers: standing.map_or_else(Vec::new, |s| self.covers(s, sight)),
            sees: standing.map_or_else(Vec::new, |_| {
                // of what reaches over the picture's edge it does not see all
                let whole = |t: &&crate::rig::Tray| t.whole_in(sight.size_px());
                let surely = sight.seen().iter().filter(|t| t.status == Status::Sure);
                let surely = surely.filter(whole);
                surely.map(|t| t.id.clone()).collect()
            }),
            // hands are looked for on surfaces only, and not all are seen
            blind: true,
            untouched: Vec::new(),
        }
    }

    /// How high the face that stands for a die is over what it lies on.
    fn height_mm(&self, die: &Die) -> f64 {
        let size_mm = self.size_mm(die.reading.kind.as_deref());
        die.shape.face_mm(size_mm)
    }

    fn size_mm(&self, kind: Option<&str>) -> f64 {
        let mut all = self.copy.dice.iter();
        all.find(|d| Some(d.kind.as_str()) == kind)
            .map_or(16.0, |d| d.size_mm)
    }

    /// Where a die's foot lies, and in which region, if the surface is one of the copy's.
    pub(super) fn footing(&self, die: &Die, sight: &Sight) -> Option<Footing> {
        let mut lies = match &die.foot {
            Some(foot) => {
                // a display that was moved has taken the die along
                let mut lies = foot.lies.clone()?;
                // as the camera knows it whose picture says where the foot is
                let own = sight.of_camera(&die.camera);
                if let Some(now) = own.own_status_of(&lies.surface) {
                    lies.status = now;
                }
                lies
            }
            None => sight.place(&die.polygon, self.height_mm(die), die.error)?,
        };
        let [x, y] = lies.at_mm;
        // of a die that is not surely read the face may be another of its faces, or its kind of another size, if not just its print is in doubt
        let unread = matches!(die.reading.status, Status::Unsure | Status::Unknown);
        if unread && !die.reading.kind_sure {
            lies.error_mm = lies.error_mm.hypot(self.height_mm(die) * DOUBTFUL);
        }
        let region = self.surface(&lies.surface).map(|s| {
            // across an edge counts one axis of the two
            let error_mm = lies.error_mm / std::f64::consts::SQRT_2;
            let region = s.region(Point::new(x, y), REGION_SIGMAS * error_mm);
            match region {
                // what is covered may have been pushed, and what is not surely there may lie otherwise
                Region::Sure(name) if lies.status != Status::Sure => Region::Unsure {
                    among: vec![name],
                    outside: true,
                    off: false,
                },
                other => other,
            }
        });
        Some(Footing { lies, region })
    }

    /// Where the rules are told that a die lies.
    pub(super) fn claimed(&self, die: &Die, sight: &Sight) -> Place<Zone> {
        let beside = || match self.lies_beside_all(die, sight) {
            true => Place::Known(Zone::Table),
            false => Place::Unknown,
        };
        let Some(Footing { lies, region }) = self.footing(die, sight) else {
            return beside();
        };
        match (self.surface(&lies.surface), region) {
            (Some(_), Some(Region::Outside)) if lies.status != Status::Sure => Place::Unknown,
            (Some(surface), Some(region)) => setup::zone(surface, &region),
            _ => beside(),
        }
    }

    /// Where a die lies, for people and other programs.
    pub fn placing(&self, die: &Die, sight: &Sight) -> Placing {
        self.placed(die, self.footing(die, sight).as_ref(), sight)
    }

    pub(super) fn placed(&self, die: &Die, footing: Option<&Footing>, sight: &Sight) -> Placing {
        let beside = || {
            let status = if self.lies_beside_all(die, sight) {
                Status::Sure
            } else {
                Status::Unsure
            };
            ("table".to_owned(), status)
        };
        let (zone, zone_status) = match footing {
            None => beside(),
            Some(Footing { lies, region }) => match region {
                None => beside(),
                Some(Region::Sure(name)) => (name.clone(), Status::Sure),
                Some(Region::Outside) if lies.status != Status::Sure => {
                    (lies.surface.clone(), Status::Unsure)
                }
                Some(Region::Outside) => (lies.surface.clone(), Status::Sure),
                Some(Region::Unsure { among, outside, .. }) => {
                    // the best guess is where the foot seems to lie
                    let [x, y] = lies.at_mm;
                    let here = self
                        .surface(&lies.surface)
                        .map(|s| s.region(Point::new(x, y), 0.0));
                    let guess = match here {
                        Some(Region::Sure(name)) => Some(name),
                        Some(Region::Outside) if *outside => Some(lies.surface.clone()),
                        _ => among.first().cloned(),
                    };
                    (
                        guess.unwrap_or_else(|| lies.surface.clone()),
                        Status::Unsure,
                    )
                }
            },
        };
        let lies = footing.map(|f| &f.lies);
        Placing {
            surface: lies.map(|l| l.surface.clone()),
            zone: Some(zone),
            zone_status,
            at_mm: lies.map(|l| l.at_mm.map(|v| rounded(v, 1))),
            error_mm: lies.map(|l| rounded(l.error_mm, 1)),
            table_mm: match &die.foot {
                Some(foot) => foot.table_mm,
                None => sight.on_table(
                    &die.polygon,
                    self.height_mm(die),
                    lies.map(|l| l.surface.as_str()),
                ),
            }
            .map(|at| at.map(|v| rounded(v, 1))),
        }
    }
}
