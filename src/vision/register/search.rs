//! Looks for surfaces in a whole picture, in steps, so that a live line can spread it over its frames.
//!
//! Surfaces with markers are looked for by these first. Then the picture is searched in several forms. First as it is; a surface is sought by robust matching. Once
//! one surface is found, the table's plane is known: the picture is laid flat and lightened, where all
//! others have the size and shape of their references, so that a few matches that agree on a place and a
//! turn are enough. Where none was found, the picture is lightened and enlarged instead. What is then still missing
//! is looked for by its outline: wherever a rectangle of its size lies, its print is compared.

use std::collections::{HashMap, VecDeque};

use opencv::{
    core::{self, DMatch, KeyPoint, Mat, Point2f, Size, Vector},
    features2d, imgproc,
    prelude::*,
};

use super::{
    Seek,
    align::Pyramid,
    apart, describe,
    map::{self, Map},
    markers::{self, Markers},
    outline::{self, Place, Sweep},
    reference::{Care, Hypothesis},
    sift,
};
use crate::{
    geometry::Point,
    vision::{crop, detector::Effort, eye::VisionError},
};

/// Features looked for in two million pixels; more in larger still pictures, up to the second number.
const FEATURES: f64 = 6000.0;
const FEATURES_MOST: f64 = 18_000.0;
/// Pixels of a live picture in which features are looked for; a larger one is scaled down.
const LIVE_PIXELS: f64 = 2.1e6;
/// Hypotheses tried for each surface in each form.
const TRIES: usize = 6;
/// A surface is believed in at once from this share of agreeing blocks.
const CLEAR: f64 = 0.6;
/// So much more a surface must explain than another one to say that this is not on its table, and by so much that
/// one's sides are then wrong there: cards a few millimetres thick and bent ones are by less.
const MUCH: f64 = 2.0;
const OUT_OF_SHAPE: f64 = 0.15;
/// Surfaces whose sides differ by less, as logarithms, may be taken for each other by their outlines; and what explains
/// so much of what another one does may be there in its place.
const AS_LARGE: f64 = 0.35;
const NEARLY: f64 = 0.7;
/// Pixels a millimetre below which an outline and a few lines in it may be anything: a usual die has 20 pixels then.
const FINE: f64 = 1.25;
/// Pixels of a table laid flat, at most, and how far from the surface that gives the plane it reaches.
const FLAT_PIXELS: f64 = 8.0e6;
/// Forms of a picture that are searched, still and live.
const FORMS: [usize; 2] = [3, 2];
const REACH_MM: f64 = 1800.0;

/// What of a table's plane is in a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    /// Millimetres on the plane.
    pub low: Point,
    pub high: Point,
    /// Pixels a millimetre, in the middle of its range.
    pub per_mm: f64,
}

impl Table {
    /// By the plane's map, millimetres to pixels; `None` where too little of it is seen.
    fn of(grey: &Mat, plane: &Map) -> Option<Self> {
        let to_plane = plane.try_inverse().and_then(map::scaled)?;
        let (w, h) = (f64::from(grey.cols() - 1), f64::from(grey.rows() - 1));
        let mut places = Vec::new();
        for i in 0..=32 {
            for j in 0..=18 {
                let p = Point::new(w * f64::from(i) / 32.0, h * f64::from(j) / 18.0);
                let near = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
                    .map(|[x, y]| map::apply(&to_plane, Point::new(p.x + x, p.y + y)));
                let [Some(a), Some(b), Some(c)] = near else {
                    continue;
                };
                let per_mm = 2.0 / (b - a).perp(&(c - a)).abs().sqrt().max(1e-6);
                if a.coords.norm() < REACH_MM && per_mm > 0.35 {
                    places.push((a, per_mm));
                }
            }
        }
        if places.len() < 12 {
            return None;
        }
        let mut fine: Vec<f64> = places.iter().map(|p| p.1).collect();
        fine.sort_by(f64::total_cmp);
        let mut all = places.iter().map(|p| p.0);
        let first = all.next()?;
        let (low, high) = all.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
        Some(Self {
            low,
            high,
            per_mm: fine.get(fine.len() / 2).copied()?,
        })
    }
}

/// How the features of a form are turned into hypotheses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    /// Any map of a plane.
    Anyhow,
    /// A shift and a turn on the plane; pixels of the form a millimetre.
    OnPlane(f64),
}

/// A form of the picture, with its features.
struct Form {
    how: How,
    keypoints: Vector<KeyPoint>,
    descriptors: Mat,
    /// For [`How::Anyhow`] the form's pixels to the picture's, for [`How::OnPlane`] to millimetres on the plane.
    back: Map,
    /// For [`How::OnPlane`]: millimetres on the plane to the picture's pixels.
    plane: Option<Map>,
}

/// A search of one picture for some surfaces.
pub(in crate::vision) struct Search {
    pictures: Pyramid,
    /// The markers in it, once they have been looked for, and the surfaces still to be looked for by them.
    markers: Option<Markers>,
    marked: VecDeque<usize>,
    /// Those still to be looked for, by their place among the references, in this form.
    queue: VecDeque<usize>,
    missing: Vec<usize>,
    forms: usize,
    form: Option<Form>,
    outlines: Outlines,
    /// What is known to lie where: found before or by this search.
    found: Vec<(usize, Hypothesis)>,
    effort: Effort,
}

/// How far the search by outlines has come.
enum Outlines {
    NotYet,
    /// Looking for rectangles on the table.
    Sweeping(Sweep),
    /// Trying surfaces at these places; whether they are on a known table.
    Trying(Vec<Place>, bool),
    Over,
}

/// What one step of a search came to.
#[derive(Debug)]
pub(in crate::vision) enum Step {
    /// A surface was found, by its place among the references.
    Found(usize, Hypothesis),
    Nothing,
    Over,
}

impl Search {
    /// Looks for `missing` in a picture in which `known` lie already.
    pub fn new(
        pictures: Pyramid,
        missing: Vec<usize>,
        known: Vec<(usize, Hypothesis)>,
        effort: Effort,
    ) -> Self {
        Self {
            pictures,
            markers: None,
            marked: VecDeque::new(),
            queue: VecDeque::new(),
            missing,
            forms: 0,
            form: None,
            outlines: Outlines::NotYet,
            found: known,
            effort,
        }
    }

    /// Makes one form, or looks for one surface in it.
    pub fn step(&mut self, seeks: &[Seek]) -> Result<Step, VisionError> {
        let Some(in_picture) = &self.markers else {
            let has = |m: &&usize| seeks.get(**m).is_some_and(|s| !s.markers.is_empty());
            self.marked = self.missing.iter().filter(has).copied().collect();
            self.markers = Some(if self.marked.is_empty() {
                Markers::new()
            } else {
                markers::seen(self.pictures.full())?
            });
            return Ok(Step::Nothing);
        };
        if let Some(which) = self.marked.pop_front() {
            let Some(seek) = seeks.get(which) else {
                return Ok(Step::Nothing);
            };
            let found = match markers::lies(&seek.markers, in_picture)? {
                Some(map) => by_markers(seek, &self.pictures, &map)?,
                None => None,
            };
            let found = found.filter(|h| free(h, seek, &self.found));
            return Ok(self.take(which, found, seeks));
        }
        if let Some(which) = self.queue.pop_front() {
            let Some(seek) = seeks.get(which) else {
                return Ok(Step::Nothing);
            };
            let found = match (&self.form, &self.outlines) {
                (_, Outlines::Trying(places, _)) => {
                    by_outline(which, seeks, &self.pictures, places, &self.found)?
                }
                (Some(form), _) => form.look(seek, &self.pictures, &self.found)?,
                _ => None,
            };
            return Ok(self.take(which, found, seeks));
        }
        let most = match self.effort {
            Effort::Live => FORMS[1],
            _ => FORMS[0],
        };
        if self.missing.is_empty() {
            return Ok(Step::Over);
        }
        if self.forms >= most {
            return self.next_outlines(seeks);
        }
        self.form = self.next_form()?;
        self.forms += 1;
        if self.form.is_some() {
            self.queue = self.missing.iter().copied().collect();
        }
        Ok(Step::Nothing)
    }

    fn take(&mut self, which: usize, found: Option<Hypothesis>, seeks: &[Seek]) -> Step {
        let Some(h) = found else {
            return Step::Nothing;
        };
        self.missing.retain(|m| *m != which);
        self.queue.retain(|m| *m != which);
        // cards do not lie in each other, and all on one table: what explains less is looked for elsewhere
        let (kept, beaten): (Vec<_>, Vec<_>) = std::mem::take(&mut self.found)
            .into_iter()
            .partition(|(f, g)| {
                apart(&g.corners, &h.corners)
                    && seeks.get(*f).is_none_or(|s| on_one_table(g, s, &h))
            });
        self.missing.extend(beaten.iter().map(|(b, _)| *b));
        self.found = kept;
        self.found.push((which, h.clone()));
        Step::Found(which, h)
    }

    /// Everything found, each surface at most once, none in another's place.
    pub fn found(self) -> Vec<(usize, Hypothesis)> {
        self.found
    }

    /// The surface that says best how the table lies.
    fn plane(&self) -> Option<&Hypothesis> {
        let says = |h: &Hypothesis| h.corners.area() * h.explains();
        let all = self.found.iter().map(|(_, h)| h);
        all.filter(|h| h.agreement >= CLEAR)
            .max_by(|a, b| says(a).total_cmp(&says(b)))
    }

    /// The next places to try by outlines: where nothing is known of the table, what four straight lines enclose;
    /// then rectangles on it.
    fn next_outlines(&mut self, seeks: &[Seek]) -> Result<Step, VisionError> {
        let missing = self.missing.iter().filter_map(|m| seeks.get(*m));
        let mut sizes: Vec<[f64; 2]> = missing.map(|s| s.reference.size_mm).collect();
        sizes.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sizes.dedup();
        let table = self.plane().map(|h| h.map);
        self.outlines = match std::mem::replace(&mut self.outlines, Outlines::Over) {
            Outlines::Trying(_, false) if table.is_some() => {
                // now that the table is known, a few features will do for the others
                self.forms = 1;
                Outlines::NotYet
            }
            Outlines::NotYet if table.is_some() => {
                let table =
                    table.and_then(|map| Some((map, Table::of(self.pictures.full(), &map)?)));
                table.map_or(Outlines::Over, |(map, table)| {
                    Outlines::Sweeping(Sweep::new(map, table, sizes))
                })
            }
            Outlines::NotYet => {
                let quads = outline::quads(self.pictures.full())?;
                let places = sizes.iter().flat_map(|s| outline::within(&quads, *s));
                Outlines::Trying(places.collect(), false)
            }
            Outlines::Sweeping(mut sweep) => {
                if sweep.step(&self.pictures)? {
                    Outlines::Trying(sweep.places(), true)
                } else {
                    Outlines::Sweeping(sweep)
                }
            }
            Outlines::Trying(..) | Outlines::Over => Outlines::Over,
        };
        match self.outlines {
            Outlines::Over => return Ok(Step::Over),
            Outlines::Trying(..) => self.queue = self.missing.iter().copied().collect(),
            _ => {}
        }
        Ok(Step::Nothing)
    }

    fn next_form(&self) -> Result<Option<Form>, VisionError> {
        let grey = self.pictures.full();
        match (self.forms, self.plane()) {
            (0, _) => Form::plain(grey, 1.0, false, self.effort).map(Some),
            (_, Some(h)) => Form::on_plane(grey, &h.map, self.forms, self.effort),
            _ => {
                let small = f64::from(grey.cols()) * f64::from(grey.rows()) < 3.0e6;
                let by = if small { 1.6 } else { 1.0 };
                Form::plain(grey, by, true, self.effort).map(Some)
            }
        }
    }
}

/// Whether a surface can lie so beside what was found: where another one is that explains more, it does not, and
/// it lies on the same table.
fn free(h: &Hypothesis, seek: &Seek, found: &[(usize, Hypothesis)]) -> bool {
    found.iter().all(|(_, f)| {
        (f.explains() < h.explains() || apart(&f.corners, &h.corners)) && on_one_table(h, seek, f)
    })
}

/// Whether a surface has its true shape where it lies on the table of another one; of two that do not agree on the
/// table, the one that explains much less is wrong.
pub(in crate::vision) fn on_one_table(h: &Hypothesis, seek: &Seek, sure: &Hypothesis) -> bool {
    if sure.agreement < CLEAR || sure.explains() < MUCH * h.explains() {
        return true;
    }
    let Some(back) = sure.map.try_inverse().and_then(map::scaled) else {
        return true;
    };
    let mut at = [Point::origin(); 4];
    for (a, p) in at.iter_mut().zip(&h.corners.0) {
        // beyond the horizon there is no table
        let Some(mm) = map::apply(&back, *p) else {
            return false;
        };
        *a = mm;
    }
    let [w, d] = seek.reference.size_mm;
    let across = w.hypot(d);
    let is = |a: usize, b: usize, mm: f64| ((at[a] - at[b]).norm() / mm - 1.0).abs() < OUT_OF_SHAPE;
    is(0, 1, w) && is(2, 3, w) && is(1, 2, d) && is(3, 0, d) && is(0, 2, across) && is(1, 3, across)
}

/// What comes of where a surface's markers lie: a small marker says little of a far corner.
fn by_markers(
    seek: &Seek,
    pictures: &Pyramid,
    map: &Map,
) -> Result<Option<Hypothesis>, VisionError> {
    let settled = seek.aligner.settled(pictures, map)?;
    let map = settled.map_or(*map, |fit| fit.map);
    let grey = pictures.full();
    let Some(found) = seek.reference.weighed(grey, &map, Care::Full)? else {
        return Ok(None);
    };
    let found = seek.reference.tuned(grey, found)?;
    Ok((found.agreement >= super::POSSIBLE).then_some(found))
}

/// Where the print of a surface agrees best with what is seen at places of its size; `None` where another surface's does
/// nearly as well there, for plain ones are alike, and no features say which it is.
fn by_outline(
    which: usize,
    seeks: &[Seek],
    pictures: &Pyramid,
    places: &[Place],
    found: &[(usize, Hypothesis)],
) -> Result<Option<Hypothesis>, VisionError> {
    let Some(seek) = seeks.get(which) else {
        return Ok(None);
    };
    let free = |h: &Hypothesis| free(h, seek, found);
    let mut best: Option<Hypothesis> = None;
    for place in places
        .iter()
        .filter(|p| p.size_mm == seek.reference.size_mm)
    {
        better(seek, pictures, &place.map, &free, &mut best)?;
    }
    let Some(best) = weighed_fully(seek, pictures, best, free)? else {
        return Ok(None);
    };
    let [w, h] = seek.reference.size_mm;
    if map::density(&best.corners, [w, h]) < FINE {
        return Ok(None);
    }
    let is_as_large = |s: &Seek| {
        let [v, u] = s.reference.size_mm;
        (w / v).ln().abs() < AS_LARGE && (h / u).ln().abs() < AS_LARGE
    };
    let others = seeks.iter().enumerate();
    for (_, other) in others.filter(|(i, s)| *i != which && is_as_large(s)) {
        let [v, u] = other.reference.size_mm;
        let mut rival = None;
        for half in [0.0, std::f64::consts::PI] {
            let there =
                best.map * map::rigid(half, w / 2.0, h / 2.0) * map::rigid(0.0, -v / 2.0, -u / 2.0);
            better(other, pictures, &there, &|_| true, &mut rival)?;
        }
        if rival.is_some_and(|r: Hypothesis| r.explains() > NEARLY * best.explains()) {
            return Ok(None);
        }
    }
    Ok(Some(best))
}

/// Takes a place (millimetres on the surface to pixels, not exact) for the best where it explains more.
fn better(
    seek: &Seek,
    pictures: &Pyramid,
    map: &Map,
    free: &impl Fn(&Hypothesis) -> bool,
    best: &mut Option<Hypothesis>,
) -> Result<(), VisionError> {
    let Some(fit) = seek.aligner.settled(pictures, map)? else {
        return Ok(());
    };
    let fit = if fit.agreement > 0.3 {
        let any = super::align::Freedom::Any;
        seek.aligner.nudged(pictures, &fit.map, any)?.unwrap_or(fit)
    } else {
        fit
    };
    if let Some(h) = seek
        .reference
        .weighed(pictures.full(), &fit.map, Care::Quick)?
        && best.as_ref().is_none_or(|b| h.agreement > b.agreement)
        && free(&h)
    {
        *best = Some(h);
    }
    Ok(())
}

/// The best of several hypotheses, compared once more with all care.
fn weighed_fully(
    seek: &Seek,
    pictures: &Pyramid,
    best: Option<Hypothesis>,
    free: impl Fn(&Hypothesis) -> bool,
) -> Result<Option<Hypothesis>, VisionError> {
    let Some(best) = best else {
        return Ok(None);
    };
    let grey = pictures.full();
    let Some(best) = seek.reference.weighed(grey, &best.map, Care::Full)? else {
        return Ok(None);
    };
    let best = seek.reference.tuned(grey, best)?;
    Ok((best.agreement >= super::POSSIBLE && free(&best)).then_some(best))
}

/// Local contrast evened out, so that a surface in the shade has as many features as one in the light.
fn lightened(grey: &Mat) -> Result<Mat, VisionError> {
    let mut out = Mat::default();
    imgproc::create_clahe(3.0, Size::new(12, 8))?.apply(grey, &mut out)?;
    Ok(out)
}

fn how_many(grey: &Mat, effort: Effort) -> i32 {
    if effort == Effort::Live {
        return FEATURES as i32;
    }
    let area = f64::from(grey.cols()) * f64::from(grey.rows());
    (FEATURES * area / 2.0e6).clamp(FEATURES, FEATURES_MOST) as i32
}

impl Form {
    fn plain(grey: &Mat, by: f64, light: bool, effort: Effort) -> Result<Self, VisionError> {
        let area = f64::from(grey.cols()) * f64::from(grey.rows());
        let by = match effort {
            Effort::Live => by.min((LIVE_PIXELS / area).sqrt()),
            _ => by,
        };
        let (w, h) = (f64::from(grey.cols()) * by, f64::from(grey.rows()) * by);
        let mut picture = crop::scaled(grey, w.round() as i32, h.round() as i32)?;
        if light {
            picture = lightened(&picture)?;
        }
        let (keypoints, descriptors) = describe(&mut sift(how_many(&picture, effort))?, &picture)?;
        Ok(Self {
            how: How::Anyhow,
            keypoints,
            descriptors,
            back: Map::new(
                1.0 / by,
                0.0,
                0.5 / by - 0.5,
                0.0,
                1.0 / by,
                0.5 / by - 0.5,
                0.0,
                0.0,
                1.0,
            ),
            plane: None,
        })
    }

    /// The table laid flat; `None` where too little of it can be.
    fn on_plane(
        grey: &Mat,
        plane: &Map,
        which: usize,
        effort: Effort,
    ) -> Result<Option<Self>, VisionError> {
        let Some(Table { low, high, per_mm }) = Table::of(grey, plane) else {
            return Ok(None);
        };
        let ((x0, x1), (y0, y1)) = ((low.x, high.x), (low.y, high.y));
        let area = (x1 - x0).max(1.0) * (y1 - y0).max(1.0);
        // the second time at another scale
        let wish = if which <= 1 { 1.25 } else { 0.85 } * per_mm;
        let most = match effort {
            Effort::Live => LIVE_PIXELS,
            _ => FLAT_PIXELS,
        };
        let per_mm = wish.min(3.0).min((most / area).sqrt());
        let size = Size::new(
            ((x1 - x0) * per_mm).ceil().max(16.0) as i32,
            ((y1 - y0) * per_mm).ceil().max(16.0) as i32,
        );
        let back = map::rigid(0.0, x0, y0) * map::mm_of_flat(per_mm);
        let flat = lightened(&map::laid(grey, &(plane * back), size)?)?;
        let (keypoints, descriptors) = describe(&mut sift(how_many(&flat, effort))?, &flat)?;
        Ok(Some(Self {
            how: How::OnPlane(per_mm),
            keypoints,
            descriptors,
            back,
            plane: Some(*plane),
        }))
    }

    fn look(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        found: &[(usize, Hypothesis)],
    ) -> Result<Option<Hypothesis>, VisionError> {
        let free = |h: &Hypothesis| free(h, seek, found);
        let best = match self.how {
            How::Anyhow => self.anyhow(seek, pictures, free)?,
            How::OnPlane(per_mm) => self.placed(seek, pictures, per_mm, free)?,
        };
        weighed_fully(seek, pictures, best, free)
    }

    fn matches(&self, seek: &Seek, near: i32) -> Result<Vector<Vector<DMatch>>, VisionError> {
        let mut matches = Vector::new();
        if seek.reference.descriptors.rows() < 10 || self.descriptors.rows() < 10 {
            return Ok(matches);
        }
        let matcher = features2d::BFMatcher::create(core::NORM_L2, false)?;
        matcher.knn_train_match_def(
            &seek.reference.descriptors,
            &self.descriptors,
            &mut matches,
            near,
        )?;
        Ok(matches)
    }

    /// The map that explains most, of those that many matches agree on.
    fn anyhow(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        free: impl Fn(&Hypothesis) -> bool,
    ) -> Result<Option<Hypothesis>, VisionError> {
        // the same print may stand on several displays: its second and third likest are tried, too
        let mut pairs: Vec<(Point2f, Point2f)> = Vec::new();
        for near in &self.matches(seek, 3)? {
            let Some(farthest) = near.iter().map(|m| m.distance).reduce(f32::max) else {
                continue;
            };
            let second = near.get(1).map_or(f32::MAX, |m| m.distance);
            for (rank, m) in near.iter().enumerate() {
                let stands_out =
                    m.distance < 0.85 * farthest || rank == 0 && m.distance < 0.9 * second;
                let Some(from) = seek.reference.points.get(m.query_idx as usize) else {
                    continue;
                };
                if stands_out {
                    let to = self.keypoints.get(m.train_idx as usize)?.pt();
                    pairs.push((Point2f::new(from.at.x as f32, from.at.y as f32), to));
                }
            }
        }
        let mut best: Option<Hypothesis> = None;
        for _ in 0..TRIES {
            if pairs.len() < 10 {
                break;
            }
            let from: Vector<Point2f> = pairs.iter().map(|p| p.0).collect();
            let to: Vector<Point2f> = pairs.iter().map(|p| p.1).collect();
            let Some((map, inliers)) = map::agreed(&from, &to, 3.0)? else {
                break;
            };
            if inliers.iter().filter(|i| **i).count() < 10 {
                break;
            }
            if let Some(map) = map::scaled(self.back * map)
                && let Some(h) = seek.reference.weighed(pictures.full(), &map, Care::Quick)?
                && best.as_ref().is_none_or(|b| h.agreement > b.agreement)
                && free(&h)
            {
                best = Some(h);
            }
            if best.as_ref().is_some_and(|b| b.agreement > CLEAR) {
                break;
            }
            let mut keep = inliers.iter().map(|i| !i);
            pairs.retain(|_| keep.next().unwrap_or(false));
        }
        Ok(best)
    }

    /// The place on the plane that explains most, of those that several matches agree on.
    fn placed(
        &self,
        seek: &Seek,
        pictures: &Pyramid,
        per_mm: f64,
        free: impl Fn(&Hypothesis) -> bool,
    ) -> Result<Option<Hypothesis>, VisionError> {
        let Some(plane) = self.plane else {
            return Ok(None);
        };
        let [w, h] = seek.reference.size_mm;
        let middle = Point::new(w / 2.0, h / 2.0);
        let mut all: Vec<Match> = Vec::new();
        for near in &self.matches(seek, 4)? {
            let Some(farthest) = near.iter().map(|m| m.distance).reduce(f32::max) else {
                continue;
            };
            for m in &near {
                let Some(from) = seek.reference.points.get(m.query_idx as usize) else {
                    continue;
                };
                let keypoint = self.keypoints.get(m.train_idx as usize)?;
                let size = f64::from(keypoint.size()) / per_mm / from.size_mm.max(1e-3);
                if !(0.6..1.7).contains(&size) {
                    continue;
                }
                let p = keypoint.pt();
                let Some(to) = map::apply(&self.back, Point::new(f64::from(p.x), f64::from(p.y)))
                else {
                    continue;
                };
                let turn = (f64::from(keypoint.angle()) - from.angle_deg).to_radians();
                all.push(Match {
                    feature: m.query_idx,
                    from: from.at,
                    to,
                    turn,
                    centre: to + turned(middle - from.at, turn),
                    weight: f64::from(1.0 - 0.7 * m.distance / farthest.max(1.0)),
                });
            }
        }
        let mut best: Option<Hypothesis> = None;
        for place in crowded(&all) {
            let Some((turn, shift)) = agreed(&all, place) else {
                continue;
            };
            let map = plane * map::rigid(turn, shift.x, shift.y);
            let Some(map) = map::scaled(map) else {
                continue;
            };
            // far from the surface that gave the plane, the plane is not exact
            better(seek, pictures, &map, &free, &mut best)?;
            if best.as_ref().is_some_and(|b| b.agreement > CLEAR) {
                break;
            }
        }
        Ok(best)
    }
}

/// A feature of the reference that may be one of the table's; millimetres on the surface and on the plane.
struct Match {
    feature: i32,
    from: Point,
    to: Point,
    /// How the surface would be turned, and where its middle would be.
    turn: f64,
    centre: Point,
    weight: f64,
}

fn turned(v: nalgebra::Vector2<f64>, turn: f64) -> nalgebra::Vector2<f64> {
    let (s, c) = turn.sin_cos();
    nalgebra::Vector2::new(c * v.x - s * v.y, s * v.x + c * v.y)
}

/// Places (middle and turn) that most matches speak for, likeliest first.
fn crowded(all: &[Match]) -> Vec<(Point, f64)> {
    const CELL_MM: f64 = 24.0;
    const SECTORS: i64 = 24;
    let sector = |turn: f64| {
        let part = turn.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
        (part * SECTORS as f64) as i64 % SECTORS
    };
    let cell = |p: Point| {
        (
            (p.x / CELL_MM).floor() as i64,
            (p.y / CELL_MM).floor() as i64,
        )
    };
    let mut votes: HashMap<(i64, i64, i64), f64> = HashMap::new();
    for m in all {
        let ((x, y), s) = (cell(m.centre), sector(m.turn));
        *votes.entry((x, y, s)).or_default() += m.weight;
    }
    let around = |key: &(i64, i64, i64)| {
        let mut sum = 0.0;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for ds in -1..=1 {
                    let s = (key.2 + ds).rem_euclid(SECTORS);
                    sum += votes
                        .get(&(key.0 + dx, key.1 + dy, s))
                        .copied()
                        .unwrap_or(0.0);
                }
            }
        }
        sum
    };
    let mut ranked: Vec<((i64, i64, i64), f64)> = votes.keys().map(|k| (*k, around(k))).collect();
    // in an order that does not hang on the hash
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut out: Vec<(Point, f64)> = Vec::new();
    for ((x, y, s), sum) in ranked {
        if out.len() >= TRIES || sum < 2.0 {
            break;
        }
        let place = Point::new((x as f64 + 0.5) * CELL_MM, (y as f64 + 0.5) * CELL_MM);
        let turn = (s as f64 + 0.5) / SECTORS as f64 * std::f64::consts::TAU;
        let apart = out
            .iter()
            .all(|(p, t)| (p - place).norm() > 1.5 * CELL_MM || difference(*t, turn) > 0.5);
        if apart {
            out.push((place, turn));
        }
    }
    out
}

fn difference(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

/// The turn and shift that the matches near a place agree on; `None` for fewer than four features.
fn agreed(all: &[Match], (place, turn): (Point, f64)) -> Option<(f64, nalgebra::Vector2<f64>)> {
    let mut chosen: Vec<&Match> = all
        .iter()
        .filter(|m| (m.centre - place).norm() < 45.0 && difference(m.turn, turn) < 0.5)
        .collect();
    let mut out = None;
    for within in [14.0, 8.0, 5.0] {
        let (angle, shift) = rigid_between(&chosen)?;
        out = Some((angle, shift));
        let fits =
            |m: &&Match| (turned(m.from.coords, angle) + shift - m.to.coords).norm() < within;
        chosen = all.iter().filter(fits).collect();
        let mut features: Vec<i32> = chosen.iter().map(|m| m.feature).collect();
        features.sort_unstable();
        features.dedup();
        if features.len() < 4 {
            return None;
        }
    }
    rigid_between(&chosen).or(out)
}

/// Least squares for a turn and a shift.
fn rigid_between(matches: &[&Match]) -> Option<(f64, nalgebra::Vector2<f64>)> {
    if matches.len() < 2 {
        return None;
    }
    let n = matches.len() as f64;
    let mean = |f: fn(&Match) -> Point| {
        matches
            .iter()
            .fold(nalgebra::Vector2::zeros(), |s, m| s + f(m).coords)
            / n
    };
    let (a, b) = (mean(|m| m.from), mean(|m| m.to));
    let (mut along, mut across) = (0.0, 0.0);
    for m in matches {
        let (p, q) = (m.from.coords - a, m.to.coords - b);
        along += p.dot(&q);
        across += p.perp(&q);
    }
    let turn = across.atan2(along);
    Some((turn, b - turned(a, turn)))
}
