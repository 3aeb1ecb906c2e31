//! Finds a copy's displays and boards in a picture by their reference pictures.
//!
//! Markers on a surface say where it lies, where its owner has stuck some on it. A network ([`super::cards`]) says where cards may lie, and their print
//! whether one does. Features (SIFT) that agree on place, turn and size give hypotheses by robust matching (USAC MAGSAC), several a surface, since displays of
//! one copy share print. A hypothesis is believed for what it explains: the surface is laid flat by
//! it and compared block by block with the reference, so that dice and hands cost only the blocks they
//! cover. Blocks are then matched once more near where they should be, and the map is fitted to them. Print repeats itself
//! (a row of slots, a board's squares): a place is believed only if a repetition further on explains clearly less. Of one whose print says too little edges along
//! its sides speak, in a picture that is asked about by itself.

mod align;
mod beside;
mod company;
mod descriptors;
mod form;
mod grounds;
mod hypothesis;
mod level;
pub(super) mod livery;
mod map;
pub mod markers;
mod outline;
mod past;
mod printed;
mod reference;
mod repeats;
mod search;
mod shape;
mod table;
mod trial;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use opencv::{
    core::{self, KeyPoint, Mat, Ptr, ToInputArray, Vector},
    features2d, imgproc,
    prelude::*,
};

pub use self::grounds::Grounds;
use self::trial::is_rivalled;
pub(super) use self::{
    align::{Aligner, Fit, Freedom, Pyramid, farthest},
    beside::Beside,
    descriptors::Descriptors,
    grounds::sure_by_grounds,
    hypothesis::Hypothesis,
    livery::{Livery, Whose, whose},
    map::{Map, apply, corners, of_corners, rigid, scaled},
    past::sure_past,
    reference::{Care, Reference},
    search::{Search, Step},
    shape::{in_shape, on_one_table},
};
use super::{cards::Cards, crop, detector::Effort, eye::VisionError};
use crate::{
    capture::{CaptureError, Picture, still},
    copy::{Status, Surface},
    geometry::{Drift, Point, Quad, covered},
};

/// Share of the comparable blocks that must agree for `unsure` where they say no more than chance would, and how much of the surface's print must be in the
/// picture for `sure` by that alone.
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
    /// Share of the comparable blocks that show what the reference shows; dice that lie on it count against it, also where it is sure beside them.
    pub agreement: f64,
    /// Share of the printed blocks that could be compared: in the picture.
    pub seen: f64,
    /// Places of its print, millimetres, each with the pixel where it is seen: a lens may bend it and card may be warped.
    /// Empty where too little of it was found.
    pub print: Arc<Vec<(Point, Point)>>,
    /// Millimetres to pixels, by its print.
    pub(super) map: Map,
    /// What a repetition of its print further on explains, as a part of what it explains here; as much where its looks leave open which surface it is.
    pub(super) repeated: f64,
    /// What speaks for it beside its print, where that was asked in a picture by itself because that alone did not say enough.
    pub grounds: Option<Grounds>,
}

impl Registered {
    /// Millimetres to pixels about a place of the picture.
    fn map_about(&self, at: Point, size_mm: [f64; 2]) -> Option<Map> {
        let map = of_corners(&self.corners, size_mm)?;
        let back = map::back(&map)?;
        let each = self.print.iter();
        let drift = Drift::new(each.filter_map(|(at, px)| Some((*at, apply(&back, *px)?))));
        let shifted = drift.at(apply(&back, at)?);
        let by = shifted.map_or([0.0; 2], |s| [s.by.x, s.by.y]);
        scaled(map * map::rigid(0.0, by[0], by[1]))
    }
}

/// A surface to look for.
pub(super) struct Seek {
    pub reference: Reference,
    pub aligner: Aligner,
    /// Those that its owner has stuck on it.
    pub markers: markers::Markers,
    /// Its looks: what tells it from another of its layout.
    pub livery: Livery,
}

/// A picture as it is, where a network sees cards in it, and its colours, by which their edges are found.
pub(super) struct Shown {
    cards: Vec<Quad>,
    colours: outline::Colours,
    picture: Picture,
}

/// Looks for a copy's surfaces.
pub struct Registrar {
    /// A search on a thread of its own has them, too.
    seeks: Arc<Vec<Seek>>,
    unread: Vec<CaptureError>,
    /// Sees where cards may lie; `None` where no model was given.
    cards: Option<Mutex<Cards>>,
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
                let rgb = crop::borrowed(&picture)?;
                let grey = grey(&rgb)?;
                let mut reference = Reference::of(&s.id, s.size_mm, &grey)?;
                if let Some(grid) = &s.grid {
                    reference = reference.with_squares(grid);
                }
                seeks.push(Seek {
                    reference,
                    aligner: Aligner::of(&grey, s.size_mm)?,
                    markers: markers::of_reference(&grey, s.size_mm)?,
                    livery: Livery::of(&rgb)?,
                });
            }
        }
        Ok(Self {
            seeks: Arc::new(seeks),
            unread,
            cards: None,
        })
    }

    /// The same with the network that sees cards, from a folder of models; it is wanted only where there is something to look for.
    ///
    /// # Errors
    /// A missing runtime, or a model that does not match what this program expects.
    pub fn open(models: &Path, surfaces: &[Surface], threads: usize) -> Result<Self, VisionError> {
        let mut registrar = Self::new(surfaces)?;
        if !registrar.is_empty() {
            let cards = Cards::load(&models.join("card-detector.onnx"), threads)?;
            registrar.cards = Some(Mutex::new(cards));
        }
        Ok(registrar)
    }

    /// What a search wants to know of a picture beside its greys.
    pub(super) fn shown(&self, picture: &Picture) -> Result<Shown, VisionError> {
        let cards = match &self.cards {
            // what a thread that failed left undone is begun anew with each picture
            Some(cards) => cards
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .find(picture)?,
            None => Vec::new(),
        };
        Ok(Shown {
            cards,
            colours: outline::Colours::of(&crop::borrowed(picture)?)?,
            picture: picture.clone(),
        })
    }

    /// Reference pictures that could not be read: their surfaces lie only where a person shows them.
    pub fn unread(&self) -> &[CaptureError] {
        &self.unread
    }

    /// Whether there is anything to look for.
    pub fn is_empty(&self) -> bool {
        self.seeks.is_empty()
    }

    pub(super) fn seeks(&self) -> &Arc<Vec<Seek>> {
        &self.seeks
    }

    /// All surfaces that are seen, each at most once; of two in one place the likelier, or the one whose looks are seen there.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn find(&self, picture: &Picture) -> Result<Vec<Registered>, VisionError> {
        if self.seeks.is_empty() {
            return Ok(Vec::new());
        }
        let pictures = Pyramid::of(grey(&crop::borrowed(picture)?)?)?;
        let all = (0..self.seeks.len()).collect();
        let shown = self.shown(picture)?;
        let mut search = Search::new(pictures, shown, all, Vec::new(), Effort::Still);
        while !matches!(search.step(&self.seeks)?, Step::Over) {}
        let (pictures, mut found) = search.found();
        found.sort_by(|a, b| b.1.explains().total_cmp(&a.1.explains()));
        let rgb = crop::borrowed(picture)?;
        let mut out = Vec::new();
        for at in 0..found.len() {
            let Some((which, h)) = found.get(at) else {
                break;
            };
            let others = found.iter().enumerate().filter(|(i, _)| *i != at);
            let free = |i: usize, h: &Hypothesis| {
                others.clone().all(|(_, (f, g))| {
                    let size_mm = self.seeks.get(*f).map(|s| s.reference.size_mm);
                    *f != i
                        && apart(&g.corners, &h.corners)
                        && size_mm.is_none_or(|size_mm| on_one_table(g, size_mm, h))
                })
            };
            let whose = whose(&self.seeks, (*which, h), &rgb, &pictures, free)?;
            let is_open = matches!(whose, Whose::Open);
            if let (Whose::Another(which, h), Some(found)) = (whose, found.get_mut(at)) {
                *found = (which, h);
            }
            if let Some((which, h)) = found.get(at)
                && let Some(seek) = self.seeks.get(*which)
            {
                let mut found = registered(seek, pictures.full(), h.clone())?;
                if is_open {
                    found.status = Status::Unsure;
                    found.repeated = 1.0;
                } else if found.status == Status::Unsure && h.is_possible() {
                    let grounds = Grounds::of(h, seek.reference.size_mm, &rgb)?;
                    let asked = (picture, &pictures);
                    if grounds.are_enough(h) && !is_rivalled(*which, h, &self.seeks, asked)? {
                        found.status = Status::Sure;
                    }
                    found.grounds = Some(grounds);
                }
                out.push(found);
            }
        }
        Ok(out)
    }
}

/// Whether two surfaces can lie so: not one in the other.
pub(super) fn apart(a: &Quad, b: &Quad) -> bool {
    let (a, b) = (a.polygon(), b.polygon());
    covered(&a, &b) < 0.3 && covered(&b, &a) < 0.3
}

fn registered(seek: &Seek, grey: &Mat, h: Hypothesis) -> Result<Registered, VisionError> {
    let sure = h.is_sure() && h.seen >= SEEN;
    let drift = seek.reference.drift(grey, &h)?.unwrap_or_default();
    let straight = drift.straightened(&h.corners, seek.reference.size_mm);
    let print = drift.pixels(|p| apply(&h.map, p));
    Ok(Registered {
        surface: seek.reference.id.clone(),
        corners: straight.unwrap_or(h.corners),
        status: if sure { Status::Sure } else { Status::Unsure },
        agreement: h.agreement,
        seen: h.seen,
        print: Arc::new(print),
        map: h.map,
        repeated: h.repeated,
        grounds: None,
    })
}

/// Surfaces, by their ids, that show next to no print: their outline alone, or a person, says where they lie.
///
/// # Errors
/// Only where a library fails.
pub fn plain(surfaces: &[Surface]) -> Result<Vec<String>, VisionError> {
    let mut plain = Vec::new();
    for surface in surfaces {
        // a picture that cannot be read is said to be so elsewhere
        let Some(Ok((picture, _))) = surface.reference.as_ref().map(|path| still::load(path))
        else {
            continue;
        };
        let grey = grey(&crop::borrowed(&picture)?)?;
        if Reference::is_plain(surface.size_mm, &grey)? {
            plain.push(surface.id.clone());
        }
    }
    Ok(plain)
}

pub(super) fn sift(features: i32) -> Result<Ptr<features2d::SIFT>, VisionError> {
    Ok(features2d::SIFT::create(features, 3, 0.02, 10.0, 1.6)?)
}

pub(super) fn grey(rgb: &impl ToInputArray) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::cvt_color_def(rgb, &mut out, imgproc::COLOR_RGB2GRAY)?;
    Ok(out)
}

/// Where a feature is, pixels: OpenCV's own key points stay on one thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keypoint {
    pub at: core::Point2f,
    pub size: f64,
    pub angle_deg: f64,
}

/// The features of a picture where the mask, if there is one, is not black.
pub(super) fn describe(
    sift: &mut Ptr<features2d::SIFT>,
    grey: &Mat,
    mask: &impl ToInputArray,
) -> Result<(Vec<Keypoint>, Descriptors), VisionError> {
    let (mut keypoints, mut descriptors) = (Vector::<KeyPoint>::new(), Mat::default());
    sift.detect_and_compute_def(grey, mask, &mut keypoints, &mut descriptors)?;
    let keypoints = keypoints.iter().map(|k| Keypoint {
        at: k.pt(),
        size: f64::from(k.size()),
        angle_deg: f64::from(k.angle()),
    });
    Ok((keypoints.collect(), Descriptors::of(&descriptors)?))
}

/// Pixels of a part of a picture whose features are looked for at once: SIFT keeps eleven pictures of four times their number in 32 bits at
/// once, and as much again in the smaller ones, half a gigabyte for two million. Live, parts are a third as large, so that less is held.
const PART: f64 = 0.6e6;
const LIVE_PART: f64 = 0.2e6;
/// Pixels round a part that its features may reach into: those of some ten pixels do. Set by judgement.
const ROUND_A_PART: i32 = 64;
/// A part may have so many times its share of the features, or the second number. Set by judgement.
const UNEVEN: (f64, i32) = (2.0, 1500);

/// The clearest features of a whole picture, a part of it at a time.
pub(super) fn described(
    features: i32,
    grey: &Mat,
    effort: Effort,
) -> Result<(Vec<Keypoint>, Descriptors), VisionError> {
    let (w, h) = (grey.cols(), grey.rows());
    let part = match effort {
        Effort::Live => LIVE_PART,
        Effort::Still => PART,
    };
    let parts = |side: i32| (f64::from(side) / part.sqrt()).ceil().max(1.0) as i32;
    let (across, down) = (parts(w), parts(h));
    if across * down == 1 {
        return describe(&mut sift(features)?, grey, &core::no_array());
    }
    let share = (UNEVEN.0 * f64::from(features) / f64::from(across * down)).ceil() as i32;
    let mut sift = sift(share.max(UNEVEN.1).min(features))?;
    let mut all: Vec<(f32, Keypoint, Vec<f32>)> = Vec::new();
    for (i, j) in (0..down).flat_map(|i| (0..across).map(move |j| (i, j))) {
        // its own pixels, and those of others about it
        let cut = |n: i32, of: i32, k: i32| (k * n / of, (k + 1) * n / of);
        let ((x0, x1), (y0, y1)) = (cut(w, across, j), cut(h, down, i));
        let (left, above) = ((x0 - ROUND_A_PART).max(0), (y0 - ROUND_A_PART).max(0));
        let (right, below) = ((x1 + ROUND_A_PART).min(w), (y1 + ROUND_A_PART).min(h));
        let at = core::Rect::new(left, above, right - left, below - above);
        let part = Mat::roi(grey, at)?.try_clone()?;
        let (mut keypoints, mut rows) = (Vector::<KeyPoint>::new(), Mat::default());
        sift.detect_and_compute_def(&part, &core::no_array(), &mut keypoints, &mut rows)?;
        if keypoints.is_empty() {
            continue;
        }
        let values: &[f32] = rows.data_typed()?;
        let each = values.chunks_exact(rows.cols().max(1) as usize);
        for (k, values) in keypoints.iter().zip(each) {
            let p = k.pt() + core::Point2f::new(left as f32, above as f32);
            let own = |v: f32, from: i32, to: i32| (from..to).contains(&(v as i32));
            if own(p.x, x0, x1) && own(p.y, y0, y1) {
                let keypoint = Keypoint {
                    at: p,
                    size: f64::from(k.size()),
                    angle_deg: f64::from(k.angle()),
                };
                all.push((k.response(), keypoint, values.to_vec()));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.truncate(features.max(0) as usize);
    let dim = all.first().map_or(0, |f| f.2.len());
    let keypoints = all.iter().map(|f| f.1).collect();
    let values = all.into_iter().flat_map(|f| f.2).collect();
    Ok((keypoints, Descriptors::of_values(dim, values)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::{load, shipped};

    #[test]
    fn features_are_the_same_in_parts_and_each_is_found_once() {
        // rings of three sizes, some across the borders of its parts
        let picture = image::GrayImage::from_fn(1400, 900, |x, y| {
            let (dx, dy) = ((x % 93) as f64 - 46.0, (y % 93) as f64 - 46.0);
            let size = 7.0 + 5.0 * ((x / 93 + y / 93) % 3) as f64;
            let edge = size - dx.hypot(1.3 * dy) + 0.01 * f64::from(x % 93);
            image::Luma([(90.0 + 120.0 * edge.clamp(0.0, 1.0)) as u8])
        });
        let grey = Mat::from_slice(picture.as_raw()).unwrap();
        let grey = grey.reshape(1, 900).unwrap().try_clone().unwrap();
        let (whole, _) = describe(&mut sift(4000).unwrap(), &grey, &core::no_array()).unwrap();
        for effort in [Effort::Still, Effort::Live] {
            let (parts, each) = described(4000, &grey, effort).unwrap();
            assert!(
                whole.len() > 200 && parts.len() > 200,
                "{} {}",
                whole.len(),
                parts.len()
            );
            assert_eq!(each.nearest(&each, 1).len(), parts.len());
            // a ring has no direction of its own: there it may have any
            let near = |all: &[Keypoint], k: &Keypoint, within: f32, turned: f64| {
                let is = |o: &&Keypoint| {
                    (o.at.x - k.at.x).hypot(o.at.y - k.at.y) < within
                        && (o.size / k.size).ln().abs() < 0.1
                        && (o.angle_deg - k.angle_deg).abs() < turned
                };
                all.iter().filter(is).count()
            };
            // large ones reach beyond a part
            let small: Vec<_> = whole.iter().filter(|k| k.size < 20.0).collect();
            let again = small.iter().filter(|k| near(&parts, k, 0.5, 360.0) > 0);
            let again = again.count();
            assert!(small.len() > 200, "{}", small.len());
            assert!(again * 20 > small.len() * 19, "{again} of {}", small.len());
            let once = parts
                .iter()
                .filter(|k| near(&parts, k, 0.2, 2.0) == 1)
                .count();
            assert_eq!(once, parts.len());
        }
    }

    #[test]
    fn a_card_without_print_is_plain() {
        let mut copy = load(&shipped("practice")).unwrap();
        assert_eq!(plain(&copy.surfaces).unwrap(), Vec::<String>::new());
        let dir = tempfile::tempdir().unwrap();
        let white = dir.path().join("white.png");
        image::RgbImage::from_fn(600, 400, |x, y| image::Rgb([225 + ((x + y) % 4) as u8; 3]))
            .save(&white)
            .unwrap();
        copy.surfaces[2].reference = Some(white);
        let id = copy.surfaces[2].id.clone();
        assert_eq!(plain(&copy.surfaces).unwrap(), [id]);
    }
}
