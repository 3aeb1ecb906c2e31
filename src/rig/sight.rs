//! What one camera sees of a rig, for pictures of one size.

use std::sync::Arc;

use super::{
    CALIBRATION_BOARD, Rig, Wish,
    draft::{stretch, stretched},
};
use crate::{
    copy::Status,
    geometry::{Drift, Joint, Laid, Lens, Meets, Point, Quad, Sighted, USUAL_FOCAL, View, joint},
};

/// How far a corner that a person clicked, or that a detector found, may be off; pixels.
const CORNER_ERROR_PX: f64 = 1.0;

/// A surface that the camera which all agree on sees so many times farther off than the middle one of them, and more than
/// these pixels, does not lie on the table as they do.
const ODD: f64 = 4.0;
const ODD_PX: f64 = 4.0;

/// What the size of a die's outline is off by, laid flat, as a part of it: on three made copies (`tables.py`, seed 8300, copies 0, 1 and 3; 485 sure dice) its
/// standard deviation among those of one picture is 0.037 to 0.046. One die on another would look larger by 0.03 from half a metre.
const SIZE_ERROR: f64 = 0.045;

/// A surface lies as it lay while no corner of it is farther off, pixels.
const SAME_PX: f64 = 0.3;

/// What a surface's frame may be off by far from all print that was found to lie where it should, millimetres.
const UNMEASURED_MM: f64 = 1.5;

/// A rectangle in the picture on which things lie: a tray, or a surface that the picture shows.
#[derive(Debug, Clone)]
pub struct Tray {
    pub id: String,
    pub corners_px: Quad,
    pub size_mm: [f64; 2],
    /// How far off its frame may lie, in millimetres, where no print says it: 0 for what a person marked.
    pub error_mm: f64,
    /// Places of its print, millimetres, each with the pixel where it is seen.
    pub print: Arc<Vec<(Point, Point)>>,
    /// How far that is from where the camera's view of it has it; [`Sight`] makes it up.
    pub drift: Option<Arc<Drift>>,
    /// Of its face over the table.
    pub height_mm: f64,
    /// How sure it is that it lies there; `sure` for what a person marked.
    pub status: Status,
}

impl Tray {
    /// The place that is seen where its corners have `at`, and how far off that may be, of both axes together; all in
    /// millimetres.
    pub fn place(&self, at: Point) -> (Point, f64) {
        let Some(drift) = &self.drift else {
            return (at, self.error_mm);
        };
        match drift.at(at) {
            Some(shifted) if self.status == Status::Sure => (at - shifted.by, shifted.error_mm),
            Some(shifted) => (at - shifted.by, shifted.error_mm.max(self.error_mm)),
            // far from all that was measured
            None => (at, self.error_mm.max(UNMEASURED_MM)),
        }
    }

    /// How far off what is known of the print at a place may be, of both axes together, millimetres.
    pub fn drift_error_mm(&self, at: Point) -> f64 {
        self.place(at).1
    }

    /// Whether all its corners lie in a picture of this width and height.
    pub fn whole_in(&self, [width, height]: [u32; 2]) -> bool {
        let inside = |p: &Point| {
            (-0.5..f64::from(width) - 0.5).contains(&p.x)
                && (-0.5..f64::from(height) - 0.5).contains(&p.y)
        };
        self.corners_px.0.iter().all(inside)
    }
}

/// Where something lies on a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Lies {
    pub surface: String,
    /// How well it is known that the surface lies there.
    pub status: Status,
    /// The middle of its foot, from the surface's upper left, x right, y down.
    pub at_mm: [f64; 2],
    /// Standard error of `at_mm`, of both axes together.
    pub error_mm: f64,
    /// Clockwise from the surface's x axis.
    pub heading_deg: f64,
}

/// One camera's part of a rig, and what its newest picture shows.
#[derive(Debug, Clone)]
pub struct Sight {
    size_px: [u32; 2],
    trays: Vec<Tray>,
    masks: Vec<Vec<Point>>,
    /// Where surfaces should lie, by id: clicked by a person, or from the table's frame.
    expected: Vec<(String, Quad)>,
    /// Of those, how many a person clicked: they come first.
    clicked: usize,
    /// The table's frame as the camera sees it, where the rig says how it stands.
    table: Option<View>,
    /// The camera's own lens; none where it is estimated.
    own: Option<Lens>,
    seen: Vec<Tray>,
    /// The lens for `seen`, and each tray's and surface's view through it: surfaces first.
    lens: Lens,
    views: Vec<Option<View>>,
    /// What the other cameras of the table see, and whose sights they are.
    others: Vec<(String, Arc<Sight>)>,
}

impl Rig {
    /// What this camera of the rig (the only one, where none is named) sees in pictures of this size, and what
    /// of the rig cannot be used for them; a sentence each.
    pub fn sight(&self, camera: Option<&str>, size_px: [u32; 2]) -> (Sight, Vec<String>) {
        let mut notes = Vec::new();
        let [w, h] = size_px;
        let which = self.camera(camera);
        if which.is_none() && self.cameras.len() > 1 && camera.is_none() {
            notes.push("the rig has several cameras: say which of them took the pictures with --as, or none of its trays, masks and lenses are used".to_owned());
        } else if which.is_none() && !self.cameras.is_empty() {
            notes.push(format!(
                "the rig knows no camera {}: surfaces are found by themselves, without its lens and its place; `sightline rig` adds it",
                camera.unwrap_or_default()
            ));
        }
        let mut sight = Sight {
            size_px,
            trays: Vec::new(),
            masks: Vec::new(),
            expected: Vec::new(),
            clicked: 0,
            table: None,
            own: None,
            seen: Vec::new(),
            lens: Lens::ideal(w, h, USUAL_FOCAL.0 * f64::from(w), USUAL_FOCAL.1),
            views: Vec::new(),
            others: Vec::new(),
        };
        let Some((place, camera)) = which else {
            sight.look();
            return (sight, notes);
        };
        let stretch = |of| stretch(of, size_px);
        sight.own = camera.lens.as_ref().and_then(|(lens, of)| {
            let k = stretch(*of)?;
            Some(Lens {
                focal_px: lens.focal_px.map(|f| f * k),
                centre_px: lens.centre_px.map(|c| (c + 0.5) * k - 0.5),
                ..*lens
            })
        });
        let scale = match camera.wish.size_px {
            None => Some(1.0),
            Some(of) => stretch(of),
        };
        let Some(k) = scale else {
            let [of_w, of_h] = camera.wish.size_px.unwrap_or_default();
            notes.push(format!(
                "the rig's camera {} is for pictures of {of_w}x{of_h}, and these are {w}x{h}, of another shape: its {}trays, masks and corners are left out",
                camera.called(),
                if sight.own.is_none() { "lens, " } else { "" }
            ));
            sight.look();
            return (sight, notes);
        };
        if let (Some((_, [lw, lh])), None) = (&camera.lens, &sight.own) {
            notes.push(format!(
                "the rig's lens is for pictures of {lw}x{lh}, and these are {w}x{h}, of another shape: it is estimated instead"
            ));
        }
        let point = |p: &Point| stretched(*p, k);
        let quad = |q: &Quad| Quad([0, 1, 2, 3].map(|i| point(&q.0[i])));
        sight.masks = camera
            .masks
            .iter()
            .map(|m| m.iter().map(point).collect())
            .collect();
        let lens = sight.own.unwrap_or(sight.lens);
        sight.table = camera.pose.as_ref().map(|p| View::of_pose(p, lens));
        let laid = |view: &View, laid: &Laid, size_mm| view.of_laid(laid).corners(size_mm);
        for tray in &self.trays {
            let corners_px = match (&tray.in_picture, &tray.laid, &sight.table) {
                (Some((of, corners)), _, _) if *of == place => Some(quad(corners)),
                (None, Some(l), Some(view)) => laid(view, l, tray.size_mm),
                _ => None,
            };
            sight.trays.extend(corners_px.map(|corners_px| Tray {
                id: tray.id.clone(),
                corners_px,
                size_mm: tray.size_mm,
                error_mm: 0.0,
                print: Arc::default(),
                drift: None,
                height_mm: tray.laid.map_or(0.0, |l| l.height_mm),
                status: Status::Sure,
            }));
        }
        sight.expected = camera
            .clicked
            .iter()
            .map(|(id, corners)| (id.clone(), quad(corners)))
            .collect();
        sight.clicked = sight.expected.len();
        if let Some(view) = &sight.table {
            let surfaces = self.surfaces.iter();
            for s in surfaces.filter(|s| s.id != CALIBRATION_BOARD) {
                let known = sight.expected.iter().any(|(id, _)| *id == s.id);
                let corners = s.size_mm.and_then(|size| laid(view, &s.laid, size));
                if let Some(corners) = corners.filter(|_| !known) {
                    sight.expected.push((s.id.clone(), corners));
                }
            }
        }
        for t in sight.trays.iter().filter(|t| !t.whole_in(size_px)) {
            notes.push(format!(
                "the rig's tray {} does not lie wholly in pictures of {w}x{h}: was it drawn on pictures of another size?",
                t.id
            ));
        }
        sight.look();
        (sight, notes)
    }

    /// What a camera of this identity is asked for; nothing, where the rig does not know it.
    pub fn wish(&self, camera: &str) -> Wish {
        self.camera(Some(camera))
            .map(|(_, c)| c.wish.clone())
            .unwrap_or_default()
    }
}

/// How much higher than the surface says a cube's top face may lie: one that looks larger than its edge, laid flat at that
/// height, is nearer to the camera, as where a hand holds it. What an outline's error (a part of its side, each way)
/// explains does not count, nor what outlines and owners' rulers may be off by; as much as another die under it lies within that, and
/// is for others to see.
fn higher_mm(flat: &Quad, edge_mm: f64, error: f64, camera_mm: f64) -> f64 {
    let larger = flat.side() / edge_mm - 2.0 * error;
    if larger > 1.0 + 3.0 * SIZE_ERROR {
        (camera_mm - edge_mm).max(0.0) * (1.0 - 1.0 / larger)
    } else {
        0.0
    }
}

/// What an outline says that it may be off by is less than it is (models/face-refiner.md), where all else that is claimed of a foot is more: by so
/// much the one is made to count for what the other is taken for (`REGION_SIGMAS` in session/placing.rs).
const OUTLINE: f64 = 3.0 / 2.1;

/// A die's top is seen no farther from what it stands on than so many of its own sides: at 60 degrees off the vertical it is 1.7. What
/// a surface of which little is in the picture says of its plane is far off elsewhere, and had dice lie on a board that lay across the table.
const OVERHANGS: f64 = 3.0;

/// Where on a surface's plane, a little beyond its edges, too, a die's foot is, as in [`Sight::place`].
fn foot_on(tray: &Tray, view: &View, face: &Quad, height_mm: f64, error: f64) -> Option<Lies> {
    let top = face.centre();
    let beside = !tray.corners_px.contains(top);
    if beside && tray.corners_px.edge_distance(top) > OVERHANGS * face.side() {
        return None;
    }
    let error_px = (OUTLINE * error * face.side()).max(CORNER_ERROR_PX);
    let Meets {
        at,
        error_mm,
        slant_deg,
    } = view.meets(face.centre(), height_mm, error_px)?;
    let (at, drift_mm) = tray.place(at);
    let mut flat = *face;
    for p in &mut flat.0 {
        *p = view.meets(*p, height_mm, CORNER_ERROR_PX)?.at;
    }
    let higher = higher_mm(&flat, height_mm, error, view.pose().at_mm[2]);
    let slid_mm = higher * slant_deg.to_radians().tan();
    // an outline that is no square is off as a whole, too: on made tables (`models/train/feet.py`) the middles of those that are
    // within 0.02 of a side are off by 0.017 of one (median), of those beyond 0.06 by 0.061
    let face_mm = flat.out_of_square().hypot(slid_mm);
    Some(Lies {
        surface: tray.id.clone(),
        status: tray.status,
        at_mm: [at.x, at.y],
        error_mm: error_mm.hypot(drift_mm).hypot(face_mm),
        heading_deg: flat.heading_deg(),
    })
}

/// How far from a surface a place on its plane is; 0 on it.
fn off_by_mm(tray: &Tray, lies: &Lies) -> f64 {
    let by = |v: f64, most: f64| (v - v.clamp(0.0, most)).abs();
    by(lies.at_mm[0], tray.size_mm[0]).hypot(by(lies.at_mm[1], tray.size_mm[1]))
}

impl Sight {
    /// Without a rig: everything is looked at, and nothing is known of the camera.
    pub fn plain(size_px: [u32; 2]) -> Self {
        Rig::default().sight(None, size_px).0
    }

    /// The same with the surfaces that one picture shows: they say where things lie, and how the camera
    /// stands, but not where to look.
    #[must_use]
    pub fn with_seen(&self, seen: Vec<Tray>) -> Self {
        let mut sight = self.clone();
        sight.seen = seen;
        sight.look();
        sight
    }

    /// Whether these surfaces lie as those that it has seen, to what following them is off by: then it says of them what
    /// one made anew would.
    pub fn shows(&self, seen: &[Tray]) -> bool {
        let near = |a: &Quad, b: &Quad| {
            let corners = a.0.iter().zip(&b.0);
            corners.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) <= SAME_PX
        };
        self.seen.len() == seen.len()
            && self.seen.iter().zip(seen).all(|(a, b)| {
                a.id == b.id
                    && a.status == b.status
                    && a.size_mm == b.size_mm
                    && a.height_mm == b.height_mm
                    && a.error_mm == b.error_mm
                    && Arc::ptr_eq(&a.print, &b.print)
                    && near(&a.corners_px, &b.corners_px)
            })
    }

    /// The same while its camera sends nothing: what it saw lies where it last was, for all that is known.
    #[must_use]
    pub fn lost(&self) -> Self {
        let mut sight = self.clone();
        sight
            .seen
            .iter_mut()
            .for_each(|t| t.status = Status::Hidden);
        sight
    }

    /// Makes up the lens and the views for what is seen. One camera sees all of it, and all of it lies on one table: so each
    /// surface has its tilt from all of them, which a small one alone hardly shows.
    fn look(&mut self) {
        let sighted = |t: &Tray| Sighted {
            corners_px: t.corners_px,
            print: t.print.clone(),
            size_mm: t.size_mm,
            height_mm: t.height_mm,
            laid: None,
        };
        let common = self.common(sighted);
        self.lens = common
            .as_ref()
            .map_or_else(|| self.own.unwrap_or(self.lens), |c| c.lens);
        // what lies on another plane has its tilt from its own corners alone, which leave more in doubt
        let alone = |t: &Tray| {
            let one = sighted(t);
            let by_itself = joint(std::slice::from_ref(&one), Some(self.lens), self.size_px);
            let view = by_itself.and_then(|j| j.view_of(&one, self.size_px));
            view.or_else(|| View::of_rectangle(&t.corners_px, t.size_mm, self.lens))
        };
        let view = |t: &Tray| {
            let as_all = common
                .as_ref()
                .and_then(|c| c.view_of(&sighted(t), self.size_px));
            as_all.or_else(|| alone(t))
        };
        self.views = self.seen.iter().chain(&self.trays).map(view).collect();
        for (tray, view) in self.seen.iter_mut().zip(&self.views) {
            let on = |px: Point| Some(view.as_ref()?.meets(px, 0.0, CORNER_ERROR_PX)?.at);
            let drift = Drift::new(
                tray.print
                    .iter()
                    .filter_map(|(at, px)| Some((*at, on(*px)?))),
            );
            tray.drift = (!drift.is_empty()).then(|| Arc::new(drift));
        }
    }

    /// The camera that sees all that surely lies on the table; without what does not fit.
    fn common(&self, sighted: impl Fn(&Tray) -> Sighted) -> Option<Joint> {
        let all: Vec<&Tray> = self.seen.iter().chain(&self.trays).collect();
        let sure = |t: &&&Tray| t.status == Status::Sure;
        let mut all: Vec<Sighted> = if all.iter().any(|t| sure(&t)) {
            all.iter().filter(sure).map(|t| sighted(t)).collect()
        } else {
            all.iter().map(|t| sighted(t)).collect()
        };
        // the frame begins with the first one
        let area = |s: &Sighted| s.corners_px.area();
        all.sort_by(|a, b| area(b).total_cmp(&area(a)));
        loop {
            let found = joint(&all, self.own, self.size_px)?;
            let mut errors = found.errors_px.clone();
            errors.sort_by(f64::total_cmp);
            let middle = errors.get((errors.len() - 1) / 2).copied()?;
            let worst = found.errors_px.iter().enumerate();
            let worst = worst.max_by(|a, b| a.1.total_cmp(b.1));
            match worst {
                Some((i, error)) if *error > ODD_PX.max(ODD * middle) && all.len() > 2 => {
                    all.remove(i);
                }
                _ => return Some(found),
            }
        }
    }

    /// The same, beside what other cameras see of the table.
    #[must_use]
    pub fn beside(mut self, others: Vec<(String, Arc<Self>)>) -> Self {
        self.others = others;
        self
    }

    /// This camera's sight and those of the others.
    pub fn cameras(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.others.iter().map(|(_, sight)| &**sight))
    }

    /// The sight of the camera of this name; this one, where it is none of the others.
    pub fn of_camera(&self, camera: &str) -> &Self {
        let mut others = self.others.iter();
        let other = others.find(|(name, _)| name == camera);
        other.map_or(self, |(_, sight)| sight)
    }

    /// How well this camera alone knows where a surface lies; `None` where it has not found it.
    pub fn own_status_of(&self, surface: &str) -> Option<Status> {
        let mut seen = self.seen.iter();
        seen.find(|t| t.id == surface).map(|t| t.status)
    }

    /// Where a surface lies in the table's frame, by a camera of which the rig says how it stands.
    pub fn outline_on_table(&self, surface: &str) -> Option<Quad> {
        self.cameras().find_map(|camera| {
            let tray = camera.seen.iter().find(|t| t.id == surface)?;
            let table = camera.table.as_ref()?;
            let mut out = tray.corners_px;
            for p in &mut out.0 {
                *p = table.meets(*p, tray.height_mm, CORNER_ERROR_PX)?.at;
            }
            Some(out)
        })
    }

    /// Whether the rig says how this camera stands.
    pub fn stands(&self) -> bool {
        self.table.is_some()
    }

    /// How well it is known where a surface lies, by the camera that sees it best; `None` where none has found it.
    pub fn status_of(&self, surface: &str) -> Option<Status> {
        let seen = self.cameras().flat_map(|c| c.seen.iter());
        let here = seen.filter(|t| t.id == surface).map(|t| t.status);
        here.min_by_key(|status| match status {
            Status::Sure => 0,
            Status::Unsure => 1,
            _ => 2,
        })
    }

    pub fn size_px(&self) -> [u32; 2] {
        self.size_px
    }

    pub fn trays(&self) -> &[Tray] {
        &self.trays
    }

    /// Surfaces of the newest picture, besides the trays.
    pub fn seen(&self) -> &[Tray] {
        &self.seen
    }

    /// Surfaces of the newest picture that are not hidden, and how the camera sees each.
    pub fn views(&self) -> impl Iterator<Item = (&Tray, &View)> {
        let seen = self.seen.iter().zip(&self.views);
        seen.filter(|(t, _)| t.status != Status::Hidden)
            .filter_map(|(t, view)| Some((t, view.as_ref()?)))
    }

    /// Polygons that are never looked at, pixels.
    pub fn masks(&self) -> &[Vec<Point>] {
        &self.masks
    }

    /// Where surfaces should lie, by id.
    pub fn expected(&self) -> &[(String, Quad)] {
        &self.expected
    }

    /// Where a person clicked that surfaces lie, by id.
    pub fn clicked(&self) -> &[(String, Quad)] {
        self.expected.get(..self.clicked).unwrap_or_default()
    }

    /// Whether anything at this place of the picture is to be looked at in a game of nothing but dice: where there are trays,
    /// what lies in one of them or on a surface that is seen.
    pub fn looks_at(&self, p: Point) -> bool {
        !self.leaves_out(p)
            && (self.trays.is_empty()
                || (self.trays.iter().chain(&self.seen)).any(|t| t.corners_px.contains(p)))
    }

    /// Whether this place of the picture is masked.
    pub fn leaves_out(&self, p: Point) -> bool {
        use geo::Contains;
        let masked = |m: &Vec<Point>| {
            let line: geo::LineString<f64> = m.iter().map(|p| (p.x, p.y)).collect();
            geo::Polygon::new(line, vec![]).contains(&geo::Point::new(p.x, p.y))
        };
        self.masks.iter().any(masked)
    }

    /// Whether the rig knows the camera's own lens.
    pub fn has_lens(&self) -> bool {
        self.own.is_some()
    }

    /// The camera's own lens, or the one at which what it sees are rectangles, or a usual one.
    pub fn lens(&self) -> Lens {
        self.lens
    }

    /// Where a die lies whose top face is `face`, `height_mm` over the surface, its middle known to this part of its side
    /// along each axis; `None` off every tray and surface.
    pub fn place(&self, face: &Quad, height_mm: f64, error: f64) -> Option<Lies> {
        let all = self.seen.iter().chain(&self.trays);
        all.zip(&self.views).find_map(|(tray, view)| {
            let lies = foot_on(tray, view.as_ref()?, face, height_mm, error)?;
            (off_by_mm(tray, &lies) == 0.0).then_some(lies)
        })
    }

    /// Surfaces that are seen, of which a die's foot, as in [`Sight::place`], is within so many standard errors, if not on them.
    pub fn may_lie_on(
        &self,
        face: &Quad,
        height_mm: f64,
        error: f64,
        sigmas: f64,
    ) -> impl Iterator<Item = &str> {
        let face = *face;
        let near = self.views().filter(move |(tray, view)| {
            let lies = foot_on(tray, view, &face, height_mm, error);
            // across a rim counts one axis of the two
            lies.is_some_and(|lies| {
                off_by_mm(tray, &lies) < sigmas * lies.error_mm / std::f64::consts::SQRT_2
            })
        });
        near.map(|(tray, _)| tray.id.as_str())
    }

    /// How the camera sees the surface or tray that is nearest to a place of the picture, and its plane round it; `None`
    /// where none is seen.
    pub fn plane_near(&self, p: Point) -> Option<&View> {
        self.nearest(p, |t| t.status != Status::Hidden)
    }

    /// The same of those that surely lie there.
    pub fn sure_plane_near(&self, p: Point) -> Option<&View> {
        self.nearest(p, |t| t.status == Status::Sure)
    }

    fn nearest(&self, p: Point, counts: impl Fn(&Tray) -> bool) -> Option<&View> {
        let all = self.seen.iter().chain(&self.trays).zip(&self.views);
        let views = all.filter(|(t, _)| counts(t));
        let views = views.filter_map(|(t, view)| Some((t, view.as_ref()?)));
        let far = |t: &Tray| (t.corners_px.centre() - p).norm();
        let nearest = views.min_by(|a, b| far(a.0).total_cmp(&far(b.0)));
        nearest.map(|(_, view)| view)
    }

    /// Where a top face's foot is in the table's frame, `height_mm` over the surface of this name or over the
    /// bare table; `None` where the rig does not say how the camera stands.
    pub fn on_table(&self, face: &Quad, height_mm: f64, surface: Option<&str>) -> Option<[f64; 2]> {
        let under = surface
            .and_then(|id| self.seen.iter().chain(&self.trays).find(|t| t.id == id))
            .map_or(0.0, |t| t.height_mm);
        let meets =
            self.table
                .as_ref()?
                .meets(face.centre(), under + height_mm, CORNER_ERROR_PX)?;
        Some([meets.at.x, meets.at.y])
    }
}
