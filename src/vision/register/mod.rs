//! Finds a copy's displays and boards in a picture by their reference pictures.
//!
//! Markers on a surface say where it lies, where its owner has stuck some on it. Features (SIFT) give hypotheses by robust matching (USAC MAGSAC), several a surface, since displays of
//! one copy share print. A hypothesis is believed for what it explains: the surface is laid flat by
//! it and compared block by block with the reference, so that dice and hands cost only the blocks they
//! cover. Blocks are then matched once more near where they should be, and the map is fitted to them.

mod align;
mod descriptors;
mod form;
mod map;
pub mod markers;
mod outline;
mod reference;
mod search;
mod table;

use opencv::{
    core::{self, KeyPoint, Mat, Ptr, Vector},
    features2d, imgproc,
    prelude::*,
};

pub(super) use self::{
    align::{Aligner, Fit, Freedom, Pyramid, farthest},
    descriptors::Descriptors,
    map::{Map, apply, corners, of_corners, scaled},
    reference::{Care, Hypothesis, Reference},
    search::{Search, Step, on_one_table},
};
use super::{crop, detector::Effort, eye::VisionError};
use crate::{
    capture::{CaptureError, Picture, still},
    copy::{Status, Surface},
    geometry::{Quad, covered},
};

/// Share of the comparable blocks that must agree for `unsure`, and how much of the surface's print must be in the
/// picture for `sure`.
const POSSIBLE: f64 = 0.45;
const SEEN: f64 = 0.4;

/// A surface found in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// The surface's id.
    pub surface: String,
    /// From its own upper left, clockwise, in pixels; they may lie outside the picture.
    pub corners: Quad,
    pub status: Status,
    /// Share of the comparable blocks that show what the reference shows.
    pub agreement: f64,
    /// Share of the printed blocks that could be compared: in the picture.
    pub seen: f64,
}

/// A surface to look for.
pub(super) struct Seek {
    pub reference: Reference,
    pub aligner: Aligner,
    /// Those that its owner has stuck on it.
    pub markers: markers::Markers,
}

/// Looks for a copy's surfaces.
pub struct Registrar {
    seeks: Vec<Seek>,
    unread: Vec<CaptureError>,
}

impl Registrar {
    /// Takes the reference pictures of all surfaces that have one. One that cannot be read is as one that is missing.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn new(surfaces: &[Surface]) -> Result<Self, VisionError> {
        let (mut seeks, mut unread) = (Vec::new(), Vec::new());
        for s in surfaces {
            if let Some(path) = &s.reference {
                let picture = match still::load(path) {
                    Ok((picture, _)) => picture,
                    Err(error) => {
                        unread.push(error);
                        continue;
                    }
                };
                let grey = grey(&crop::mat(&picture)?)?;
                seeks.push(Seek {
                    reference: Reference::of(&s.id, s.size_mm, &grey)?,
                    aligner: Aligner::of(&grey, s.size_mm)?,
                    markers: markers::of_reference(&grey, s.size_mm)?,
                });
            }
        }
        Ok(Self { seeks, unread })
    }

    /// Reference pictures that could not be read: their surfaces lie only where a person shows them.
    pub fn unread(&self) -> &[CaptureError] {
        &self.unread
    }

    /// Whether there is anything to look for.
    pub fn is_empty(&self) -> bool {
        self.seeks.is_empty()
    }

    pub(super) fn seeks(&self) -> &[Seek] {
        &self.seeks
    }

    /// All surfaces that are seen, each at most once; of two in one place the likelier.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn find(&self, picture: &Picture) -> Result<Vec<Registered>, VisionError> {
        if self.seeks.is_empty() {
            return Ok(Vec::new());
        }
        let pictures = Pyramid::of(grey(&crop::mat(picture)?)?)?;
        let all = (0..self.seeks.len()).collect();
        let mut search = Search::new(pictures, all, Vec::new(), Effort::Still);
        while !matches!(search.step(&self.seeks)?, Step::Over) {}
        let mut found = search.found();
        found.sort_by(|a, b| b.1.explains().total_cmp(&a.1.explains()));
        Ok(found
            .into_iter()
            .filter_map(|(which, h)| Some(registered(self.seeks.get(which)?, h)))
            .collect())
    }
}

/// What looks at least so like the reference as this is its print.
const PRINTED: f64 = 0.75;

impl Registrar {
    /// Which of these places are printed on a surface, given with its corners: there it looks as the empty surface's
    /// reference does, and a die or a piece that lies there would not.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn printed(
        &self,
        picture: &Picture,
        surfaces: &[(&str, Quad)],
        faces: &[Quad],
    ) -> Result<Vec<bool>, VisionError> {
        let mut seen = None;
        let mut out = Vec::new();
        for face in faces {
            let mut printed = false;
            for (id, corners) in surfaces {
                if !corners.contains(face.centre()) {
                    continue;
                }
                let seek = self.seeks.iter().find(|s| s.reference.id == *id);
                let Some(reference) = seek.map(|s| &s.reference) else {
                    continue;
                };
                let Some(map) = of_corners(corners, reference.size_mm) else {
                    continue;
                };
                let grey = match &seen {
                    Some(grey) => grey,
                    None => seen.insert(grey(&crop::mat(picture)?)?),
                };
                let likeness = reference.shows(grey, &map, face)?;
                printed |= likeness.is_some_and(|l| l >= PRINTED);
            }
            out.push(printed);
        }
        Ok(out)
    }
}

/// Whether two surfaces can lie so: not one in the other.
pub(super) fn apart(a: &Quad, b: &Quad) -> bool {
    let (a, b) = (a.polygon(), b.polygon());
    covered(&a, &b) < 0.3 && covered(&b, &a) < 0.3
}

fn registered(seek: &Seek, h: Hypothesis) -> Registered {
    let sure = h.is_sure() && h.seen >= SEEN;
    Registered {
        surface: seek.reference.id.clone(),
        corners: h.corners,
        status: if sure { Status::Sure } else { Status::Unsure },
        agreement: h.agreement,
        seen: h.seen,
    }
}

fn sift(features: i32) -> Result<Ptr<features2d::SIFT>, VisionError> {
    Ok(features2d::SIFT::create(features, 3, 0.02, 10.0, 1.6)?)
}

pub(super) fn grey(rgb: &Mat) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::cvt_color_def(rgb, &mut out, imgproc::COLOR_RGB2GRAY)?;
    Ok(out)
}

fn describe(
    sift: &mut Ptr<features2d::SIFT>,
    grey: &Mat,
) -> Result<(Vector<KeyPoint>, Descriptors), VisionError> {
    let (mut keypoints, mut descriptors) = (Vector::new(), Mat::default());
    let no_mask = core::no_array();
    sift.detect_and_compute_def(grey, &no_mask, &mut keypoints, &mut descriptors)?;
    Ok((keypoints, Descriptors::of(&descriptors)?))
}
