//! Finds paper octahedra by the print on their top faces. A face two inches wide has so much of it that features (SIFT) say where
//! it lies and how it is turned, as they do for displays; no net is asked. Each place that some matches agree on (Lowe 2004, section 7) is laid exactly
//! on the print (ECC: Evangelidis and Psarakis 2008) and compared, in colour, with every face of the copy in its three turns.

mod solid;
mod tops;

use std::time::Duration;

use nalgebra::Vector2;
use opencv::{
    calib3d,
    core::{self, Mat, Point2f, Size, TermCriteria, Vector},
    imgproc,
    prelude::*,
    video,
};

use self::{
    solid::{Face, Looks},
    tops::{Found, Lies},
};
use super::{
    Next, Reading, Sighting, VisionError, crop,
    detector::Effort,
    gallery::{self, dot},
    register::{
        Descriptors, Keypoint, Map, apply, describe, grey, of_corners, rigid, scaled, sift,
    },
};
use crate::{
    capture::{Picture, still},
    copy::{Copy, Shape, Status},
    geometry::{Point, Quad, square_about, triangle_in},
};

/// Pixels of the square about a face as it is compared, its margin included; the margin as a part of the face's edge.
const FRAME: i32 = 96;
const MARGIN: f64 = 0.2;
/// Pixels of the same in which an enrolled face's features are looked for.
const LARGE: i32 = 224;
/// Features looked for in a face, in a picture, and in one of a live line.
const OF_A_FACE: i32 = 120;
const OF_A_PICTURE: i32 = 14_000;
const OF_A_FRAME: i32 = 6000;
/// A larger picture is scaled down to so many pixels before.
const PIXELS: f64 = 4.2e6;
/// The least edge of a face, pixels, in which its print is anything.
const LEAST_EDGE: f64 = 34.0;
/// Matches that agree: of the middle as a part of the edge, of the logarithm of the size, and of the turn in degrees; and how many are enough to try.
const MIDDLE: f64 = 0.25;
const SIZE: f64 = 0.45;
const TURN: f64 = 30.0;
const ENOUGH: usize = 3;
/// Places tried for each picture of a face.
const TRIES: usize = 3;
/// Correlation of the print from which on a place is one: half of what a face is like itself.
const THERE: f64 = 0.5;
/// What is less like any face than this, or rather another one than what it is likest to, is not told of: on those four sets 22 of 47 places where no top is, and 7 of 154 faces that were read right.
const TOLD: f64 = 0.65;
const LIKELY: f64 = 0.5;
/// The same before it is laid exactly; by how much the faces beside one must be likelier if it looks one way than the other; and faces whose
/// neighbours are looked for, at most.
const WORTH_LAYING: f64 = 0.2;
const CLEARLY: f64 = 0.2;
const MOST_FACES: usize = 60;
/// Of a line of frames: how long after the whole frame was looked through it is again, and by how much less like its picture what lies where it lay
/// may have become.
const AGAIN: Duration = Duration::from_millis(1500);
const FADED: f64 = 0.1;
/// Faces compared with all care at each place.
const CLOSE: usize = 4;
/// The part of a face that is compared: its edges are worn, and the last thing to be known exactly.
const WITHIN: f64 = 0.95;
/// What was tried so near to a face that was read, as a part of an edge, is that one; a die's other sides are further off.
const APART: f64 = 0.25;

/// A face of the copy.
struct Known {
    kind: String,
    face: String,
}

/// A feature of an enrolled face: its place in the unit square, its size as a part of that, its angle.
struct Feature {
    at: Point,
    size: f64,
    angle_deg: f64,
}

/// One enrolled picture of a face.
struct Shown {
    face: usize,
    features: Vec<Feature>,
    descriptors: Descriptors,
    /// The square about it, grey, for each third of a turn that it may be seen in.
    grey: [Mat; 3],
    /// The print of the triangle in these, each colour about its mean, as a unit vector.
    prints: [Vec<f32>; 3],
}

/// The paper octahedra of a copy.
pub(super) struct Octahedra {
    faces: Vec<Known>,
    shown: Vec<Shown>,
    /// The triangle in a square as it is compared.
    mask: Mat,
    unread: Vec<VisionError>,
    /// Of a line of frames: what lay on top in the last one, and when all of a frame was last looked through.
    last: Vec<(Place, Sighting)>,
    looked: Option<Duration>,
}

/// Where a face may lie: from the unit square to the picture.
#[derive(Clone)]
struct Place {
    map: Map,
    /// Which enrolled picture it is like, in which third of a turn, and how like.
    shown: usize,
    turn: usize,
    like: f64,
}

impl Place {
    fn square(&self) -> Option<Quad> {
        let unit = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let [a, b, c, d] = unit.map(|[x, y]| apply(&self.map, Point::new(x, y)));
        Some(Quad([a?, b?, c?, d?]))
    }
}

/// A face that was read.
struct Seen {
    /// In the turn in which it was compared.
    place: Place,
    sighting: Sighting,
    /// Which way it looks, where its neighbours tell.
    looks: Option<Looks>,
}

/// A picture in which faces are looked for.
struct Scene {
    rgb: Mat,
    keypoints: Vec<Keypoint>,
    descriptors: Descriptors,
}

/// A feature of a face that may be one of the picture's, and where the face would lie then.
struct Match {
    feature: usize,
    from: Point,
    to: Point,
    middle: Point,
    edge: f64,
    turn_deg: f64,
}

impl Octahedra {
    /// `None` for a copy that has none.
    ///
    /// # Errors
    /// Only where a library fails: a picture that cannot be read is as one that is missing.
    pub fn of(copy: &Copy) -> Result<Option<Self>, VisionError> {
        let kinds = copy.dice.iter().filter(|d| d.shape == Shape::Octahedron);
        let mask = triangle(FRAME, WITHIN)?;
        let (mut faces, mut shown, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, face) in kinds.flat_map(|k| k.faces.iter().map(move |f| (k, f))) {
            for path in &face.pictures {
                let picture = match still::load(path) {
                    Ok((picture, _)) => picture,
                    Err(e) => {
                        unread.push(e.into());
                        continue;
                    }
                };
                if let Err(e) = gallery::fits(path, &picture) {
                    unread.push(e);
                    continue;
                }
                shown.push(Shown::of(&picture, faces.len(), &mask)?);
            }
            faces.push(Known {
                kind: kind.kind.clone(),
                face: face.face.clone(),
            });
        }
        let out = Self {
            faces,
            shown,
            mask,
            unread,
            last: Vec::new(),
            looked: None,
        };
        Ok((!out.faces.is_empty()).then_some(out))
    }

    /// Pictures of faces that could not be read, or show none.
    pub fn unread(&self) -> &[VisionError] {
        &self.unread
    }

    /// All faces in a picture that lie on top.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn look(&self, picture: &Picture) -> Result<Vec<Sighting>, VisionError> {
        let found = self.all(picture, Effort::Still)?;
        Ok(found.into_iter().map(|(_, s)| s).collect())
    }

    /// The same in the next frame of many: what lay on top in the last one is looked for where it lay, and now and then the whole frame is
    /// looked through.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn look_next(
        &mut self,
        picture: &Picture,
        at: Duration,
    ) -> Result<Vec<Sighting>, VisionError> {
        if self
            .looked
            .is_none_or(|then| at >= then + AGAIN || at < then)
        {
            self.last = self.all(picture, Effort::Live)?;
            self.looked = Some(at);
        } else {
            let rgb = crop::mat(picture)?;
            let mut still = Vec::new();
            for (place, mut sighting) in std::mem::take(&mut self.last) {
                let before = place.clone();
                let mut now = place;
                if self.laid(&rgb, &mut now)?
                    && now.like > before.like - FADED
                    && let Some(square) = (Place {
                        map: now.map * about_middle(now.turn),
                        ..now.clone()
                    })
                    .square()
                {
                    sighting.polygon = square;
                    // little by little it would fade into anything
                    now.like = now.like.max(before.like);
                    still.push((now, sighting));
                }
            }
            self.last = still;
        }
        Ok(self.last.iter().map(|(_, s)| s.clone()).collect())
    }

    /// When all of a frame was last looked through.
    pub fn looked(&self) -> Option<Duration> {
        self.looked
    }

    fn all(
        &self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<(Place, Sighting)>, VisionError> {
        if self.shown.is_empty() {
            return Ok(Vec::new());
        }
        let scene = Scene::of(picture, effort)?;
        let mut places: Vec<Place> = Vec::new();
        for (which, shown) in self.shown.iter().enumerate() {
            for ways in scene.tried(which, shown)? {
                for mut place in ways {
                    if self.laid(&scene.rgb, &mut place)? && place.like >= THERE {
                        places.push(place);
                        break;
                    }
                }
            }
        }
        places.sort_by(|a, b| b.like.total_cmp(&a.like));
        let mut faces: Vec<Seen> = Vec::new();
        for place in places {
            self.add(&scene, &place, &mut faces)?;
        }
        // what lies beside a face on its die says which way it looks, and may not have been found by itself
        let mut next = 0;
        while next < faces.len() && next < MOST_FACES {
            let looks = self.beside(&scene, next, &mut faces)?;
            if let Some(face) = faces.get_mut(next) {
                face.looks = looks;
            }
            next += 1;
        }
        let size = [f64::from(picture.width()), f64::from(picture.height())];
        let found = faces.iter().map(|f| {
            Some(Found {
                face: Face::of(&f.sighting.polygon)?,
                looks: f.looks,
                worth: f.sighting.score,
            })
        });
        let Some(found) = found.collect::<Option<Vec<Found>>>() else {
            return Ok(Vec::new());
        };
        let lies = tops::which(&found, size);
        let mut out = Vec::new();
        for (face, lies) in faces.into_iter().zip(lies) {
            let mut sighting = face.sighting;
            if sighting.score < TOLD || sighting.reading.confidence < LIKELY {
                continue;
            }
            match lies {
                Lies::OnTop => {}
                Lies::Perhaps => sighting.reading.status = Status::Unsure,
                Lies::Otherwise => continue,
            }
            out.push((face.place, sighting));
        }
        Ok(out)
    }

    /// Reads the face at a place, if none was read there.
    fn add(&self, scene: &Scene, place: &Place, faces: &mut Vec<Seen>) -> Result<(), VisionError> {
        let Some(square) = place.square() else {
            return Ok(());
        };
        let apart = |s: &Sighting| {
            let far = (s.polygon.centre() - square.centre()).norm();
            far > APART * s.polygon.side().max(square.side())
        };
        if faces.iter().all(|f| apart(&f.sighting))
            && let Some(seen) = self.read(scene, place)?
            && faces
                .iter()
                .all(|f| !over(&f.sighting.polygon, &seen.sighting.polygon))
        {
            faces.push(seen);
        }
        Ok(())
    }

    /// Looks for the faces that share an edge with one, adds those that show a face of its kind, and says by them which way it looks.
    fn beside(
        &self,
        scene: &Scene,
        which: usize,
        faces: &mut Vec<Seen>,
    ) -> Result<Option<Looks>, VisionError> {
        let Some(Seen { sighting: this, .. }) = faces.get(which) else {
            return Ok(None);
        };
        let Some(face) = Face::of(&this.polygon) else {
            return Ok(None);
        };
        let kind = this.reading.kind.clone();
        let mut ways: Vec<(f64, Looks, Vec<Place>)> = Vec::new();
        for looks in [Looks::Up, Looks::Down] {
            let (mut sum, mut all) = (0.0, Vec::new());
            for corners in face.neighbours(looks) {
                let square = square_about(corners);
                if !is_a_face(&square) {
                    continue;
                }
                if let Some(place) = self.likest(scene, &square, kind.as_deref())?
                    && place.like >= THERE
                {
                    sum += place.like;
                    all.push(place);
                }
            }
            ways.push((sum, looks, all));
        }
        ways.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [best, other] = ways.as_slice() else {
            return Ok(None);
        };
        if best.0 < THERE || best.0 < other.0 + CLEARLY {
            return Ok(None);
        }
        for place in &best.2 {
            self.add(scene, place, faces)?;
        }
        Ok(Some(best.1))
    }

    /// The face of a kind that a square is likest to, laid exactly on it.
    fn likest(
        &self,
        scene: &Scene,
        square: &Quad,
        kind: Option<&str>,
    ) -> Result<Option<Place>, VisionError> {
        let Some(map) = of_corners(square, [1.0, 1.0]) else {
            return Ok(None);
        };
        let seen = crop::rectify(&scene.rgb, square, FRAME, MARGIN)?;
        let seen = print(&seen, &self.mask)?;
        let mut best: Option<Place> = None;
        for (which, shown) in self.shown.iter().enumerate() {
            let of = self.faces.get(shown.face).map(|f| f.kind.as_str());
            if of != kind {
                continue;
            }
            for (turn, print) in shown.prints.iter().enumerate() {
                let like = dot(&seen, print);
                if best.as_ref().is_none_or(|b| like > b.like) {
                    best = Some(Place {
                        map,
                        shown: which,
                        turn,
                        like,
                    });
                }
            }
        }
        let Some(mut place) = best.filter(|b| b.like >= WORTH_LAYING) else {
            return Ok(None);
        };
        Ok(self.laid(&scene.rgb, &mut place)?.then_some(place))
    }

    /// Lays a place exactly on the picture of a face that it is like; whether that can be done. What it is like is known then.
    fn laid(&self, rgb: &Mat, place: &mut Place) -> Result<bool, VisionError> {
        let Some(shown) = self.shown.get(place.shown) else {
            return Ok(false);
        };
        let Some(square) = place.square().filter(is_a_face) else {
            return Ok(false);
        };
        let seen = crop::rectify(rgb, &square, FRAME, MARGIN)?;
        let Some(map) = aligned(&grey(&seen)?, &shown.grey[place.turn], &self.mask)? else {
            return Ok(false);
        };
        let to_unit = unit_of_frame();
        let Some(back) = to_unit.try_inverse() else {
            return Ok(false);
        };
        let Some(moved) = scaled(place.map * to_unit * map * back) else {
            return Ok(false);
        };
        place.map = moved;
        let Some(square) = place.square().filter(is_a_face) else {
            return Ok(false);
        };
        let seen = crop::rectify(rgb, &square, FRAME, MARGIN)?;
        place.like = dot(&print(&seen, &self.mask)?, &shown.prints[place.turn]);
        Ok(true)
    }

    /// What the face at a place is: every face is compared there, and the likest are laid exactly.
    fn read(&self, scene: &Scene, place: &Place) -> Result<Option<Seen>, VisionError> {
        let Some(square) = place.square() else {
            return Ok(None);
        };
        let seen = crop::rectify(&scene.rgb, &square, FRAME, MARGIN)?;
        let seen = print(&seen, &self.mask)?;
        // the likest picture and turn of each face
        let mut likest: Vec<Option<(f64, usize, usize)>> = vec![None; self.faces.len()];
        for (i, shown) in self.shown.iter().enumerate() {
            for (turn, print) in shown.prints.iter().enumerate() {
                let like = dot(&seen, print);
                if let Some(best) = likest.get_mut(shown.face)
                    && best.is_none_or(|b| like > b.0)
                {
                    *best = Some((like, i, turn));
                }
            }
        }
        let mut likest: Vec<(f64, usize, usize)> = likest.into_iter().flatten().collect();
        likest.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut close: Vec<Place> = Vec::new();
        for (like, shown, turn) in likest.into_iter().take(CLOSE) {
            let mut this = Place {
                map: place.map,
                shown,
                turn,
                like,
            };
            let before = this.clone();
            if !self.laid(&scene.rgb, &mut this)? || this.like < like {
                this = before;
            }
            close.push(this);
        }
        close.sort_by(|a, b| b.like.total_cmp(&a.like));
        let Some(best) = close.first() else {
            return Ok(None);
        };
        // seen upright, whatever third of a turn it was compared in
        let upright = best.map * about_middle(best.turn);
        let upright = Place {
            map: upright,
            ..best.clone()
        };
        let Some(square) = upright.square().filter(is_a_face) else {
            return Ok(None);
        };
        let next = close.get(1);
        let chance = chance(best.like, next.map_or(0.0, |n| n.like));
        let named = |place: &Place| {
            let face = self.shown.get(place.shown).map(|s| s.face);
            face.and_then(|f| self.faces.get(f))
        };
        let known = named(best);
        let sighting = Sighting {
            shape: Shape::Octahedron,
            score: best.like.clamp(0.0, 1.0),
            there: best.like.clamp(0.0, 1.0),
            polygon: square,
            error: ERROR,
            reading: Reading {
                kind: known.map(|k| k.kind.clone()),
                face: known.map(|k| k.face.clone()),
                status: if chance >= SURE {
                    Status::Sure
                } else {
                    Status::Unsure
                },
                confidence: chance,
                likeness: best.like,
                next: next.and_then(named).map(|k| Next {
                    kind: k.kind.clone(),
                    face: k.face.clone(),
                    confidence: (1.0 - chance) / 2.0,
                }),
                alike_after_deg: 360,
            },
        };
        Ok(Some(Seen {
            place: best.clone(),
            sighting,
            looks: None,
        }))
    }
}

/// The standard error of a face's middle, as a part of its edge.
const ERROR: f64 = 0.01;
/// What of a face no picture of it explains, at least: noise.
const LEAST_UNEXPLAINED: f64 = 0.005;
/// Chance from which on a face is sure.
const SURE: f64 = 0.99;

/// The chance that a face which is so like its own picture, and so like the next likest face's, is the first: what is left unexplained by either counts as a ratio, since the
/// faces of a die differ by a number or an arrow. A logistic regression on the 170 faces that were found on four made sets (`synth/octahedra.py --seed 5100 --sets 4 --pictures 16`),
/// strangers among them; of these all 104 that are said to be 0.99 and more are right.
fn chance(like: f64, next: f64) -> f64 {
    let unexplained = (1.0 - like).max(LEAST_UNEXPLAINED);
    let ratio = ((1.0 - next) / unexplained).max(1.0).ln();
    let odds = -3.6 + 4.3 * like + 4.8 * ratio;
    1.0 / (1.0 + (-odds).exp())
}

/// Whether a square may be the one about a face: seen from the front, no flatter than one under a camera that looks along the table.
fn is_a_face(square: &Quad) -> bool {
    let edge = square.side();
    let Some([a, b, c]) = triangle_in(square) else {
        return false;
    };
    let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| (p - q).norm());
    let (least, most) = sides
        .iter()
        .fold((f64::MAX, 0.0_f64), |(l, m), s| (l.min(*s), m.max(*s)));
    square.is_clockwise() && edge >= LEAST_EDGE && most < 2.6 * least
}

/// Whether two faces' triangles cover each other: one of them is none.
fn over(a: &Quad, b: &Quad) -> bool {
    let triangle = |q: &Quad| {
        let ring = triangle_in(q)?.iter().map(|p| (p.x, p.y)).collect();
        Some(geo::Polygon::new(ring, vec![]))
    };
    let (Some(a), Some(b)) = (triangle(a), triangle(b)) else {
        return true;
    };
    crate::geometry::covered(&a, &b).max(crate::geometry::covered(&b, &a)) > 0.3
}

/// Pixels of a frame to the unit square.
fn unit_of_frame() -> Map {
    let k = (1.0 + 2.0 * MARGIN) / f64::from(FRAME);
    let off = 0.5 * k - MARGIN;
    Map::new(k, 0.0, off, 0.0, k, off, 0.0, 0.0, 1.0)
}

/// Turns the unit square about its middle by so many thirds.
fn about_middle(thirds: usize) -> Map {
    let turn = std::f64::consts::TAU / 3.0 * thirds as f64;
    rigid(0.0, 0.5, 0.5) * rigid(turn, 0.0, 0.0) * rigid(0.0, -0.5, -0.5)
}

/// The triangle in a square of `size` pixels with its margin, drawn in by a part; 8 bits.
fn triangle(size: i32, drawn_in: f64) -> Result<Mat, VisionError> {
    let n = f64::from(size);
    let edge = n / (1.0 + 2.0 * MARGIN) * drawn_in;
    let (lo, hi) = ((n - edge) / 2.0 - 0.5, (n + edge) / 2.0 - 0.5);
    let square = Quad::from_pairs([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]);
    let mut mask = Mat::zeros(size, size, core::CV_8U)?.to_mat()?;
    let corners = triangle_in(&square).unwrap_or([Point::origin(); 3]);
    let ring: Vector<core::Point> = corners
        .iter()
        .map(|p| core::Point::new(p.x.round() as i32, p.y.round() as i32))
        .collect();
    imgproc::fill_convex_poly_def(&mut mask, &ring, core::Scalar::all(255.0))?;
    Ok(mask)
}

/// The print within a mask, softened, each colour about its mean, as a unit vector.
fn print(square: &Mat, mask: &Mat) -> Result<Vec<f32>, VisionError> {
    let mut soft = Mat::default();
    imgproc::gaussian_blur_def(square, &mut soft, Size::new(0, 0), 1.2)?;
    let pixels = soft.data_typed::<core::Vec3b>()?;
    let within = mask.data_bytes()?;
    let mut out = Vec::with_capacity(3 * within.len() / 2);
    for colour in 0..3 {
        let from = out.len();
        let inside = pixels.iter().zip(within).filter(|(_, m)| **m > 0);
        out.extend(inside.map(|(p, _)| f32::from(p[colour])));
        let mean = out[from..].iter().sum::<f32>() / (out.len() - from).max(1) as f32;
        out[from..].iter_mut().for_each(|v| *v -= mean);
    }
    let norm = out.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
    out.iter_mut().for_each(|v| *v /= norm);
    Ok(out)
}

/// The map from a print's pixels to those of what is seen, by which both are likest within the mask; `None` where none is found.
fn aligned(seen: &Mat, print: &Mat, mask: &Mat) -> Result<Option<Map>, VisionError> {
    let mut warp = Mat::eye(2, 3, core::CV_32F)?.to_mat()?;
    let until = TermCriteria::new(core::TermCriteria_COUNT + core::TermCriteria_EPS, 30, 1e-3)?;
    // what is seen is the template, since the mask is the other one's
    let found =
        video::find_transform_ecc(seen, print, &mut warp, video::MOTION_AFFINE, until, mask, 5);
    // says so where it does not come to an end
    if found.is_err() {
        return Ok(None);
    }
    let v: &[f32] = warp.data_typed()?;
    let v: Vec<f64> = v.iter().map(|v| f64::from(*v)).collect();
    let to_print = Map::new(v[0], v[1], v[2], v[3], v[4], v[5], 0.0, 0.0, 1.0);
    Ok(to_print.try_inverse())
}

/// What a face lying in a square of a picture looks like in each third of a turn.
pub(super) fn prints(rgb: &Mat, square: &Quad) -> Result<[Vec<f32>; 3], VisionError> {
    let mask = triangle(FRAME, WITHIN)?;
    let mut out: [Vec<f32>; 3] = Default::default();
    for (turn, out) in out.iter_mut().enumerate() {
        let seen = crop::rectify(rgb, &seen_turned(square, turn), FRAME, MARGIN)?;
        *out = print(&seen, &mask)?;
    }
    Ok(out)
}

/// The square in which a face is seen turned by so many thirds.
fn seen_turned(square: &Quad, turn: usize) -> Quad {
    let back = about_middle(3 - turn);
    let [a, b, _, d] = square.0;
    let corner = |[x, y]: [f64; 2]| {
        let p = apply(&back, Point::new(x, y)).unwrap_or(Point::new(x, y));
        a + (b - a) * p.x + (d - a) * p.y
    };
    Quad([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(corner))
}

/// A face's features where its square is so many pixels wide.
fn features(
    rgb: &Mat,
    inner: &Quad,
    size: i32,
) -> Result<(Vec<Feature>, Descriptors), VisionError> {
    let flat = crop::rectify(rgb, inner, size, MARGIN)?;
    let (keypoints, descriptors) = describe(
        &mut sift(OF_A_FACE)?,
        &grey(&flat)?,
        &triangle(size, WITHIN)?,
    )?;
    let k = (1.0 + 2.0 * MARGIN) / f64::from(size);
    let unit = |v: f32| (f64::from(v) + 0.5) * k - MARGIN;
    let features = keypoints.iter().map(|p| Feature {
        at: Point::new(unit(p.at.x), unit(p.at.y)),
        size: p.size * k,
        angle_deg: p.angle_deg,
    });
    Ok((features.collect(), descriptors))
}

impl Shown {
    fn of(picture: &Picture, face: usize, mask: &Mat) -> Result<Self, VisionError> {
        let rgb = crop::mat(picture)?;
        let inner = gallery::inner_face(picture.width(), picture.height(), MARGIN);
        // of a face that is seen small the finest features are not
        let (mut features, fine) = self::features(&rgb, &inner, LARGE)?;
        let (coarser, coarse) = self::features(&rgb, &inner, LARGE / 2)?;
        features.extend(coarser);
        // a face that is seen a third of a turn on has, in the square it was laid flat in, its own corners there
        let mut greys: [Mat; 3] = [Mat::default(), Mat::default(), Mat::default()];
        let mut prints: [Vec<f32>; 3] = Default::default();
        for turn in 0..3 {
            let square = crop::rectify(&rgb, &seen_turned(&inner, turn), FRAME, MARGIN)?;
            greys[turn] = grey(&square)?;
            prints[turn] = print(&square, mask)?;
        }
        Ok(Self {
            face,
            features,
            descriptors: Descriptors::joined(&[fine, coarse]),
            grey: greys,
            prints,
        })
    }
}

impl Scene {
    fn of(picture: &Picture, effort: Effort) -> Result<Self, VisionError> {
        let rgb = crop::mat(picture)?;
        let whole = grey(&rgb)?;
        let area = f64::from(whole.cols()) * f64::from(whole.rows());
        let k = (PIXELS / area).sqrt().min(1.0);
        let (w, h) = (
            (f64::from(whole.cols()) * k).round() as i32,
            (f64::from(whole.rows()) * k).round() as i32,
        );
        let picture = crop::scaled(&whole, w, h)?;
        let most = match effort {
            Effort::Live => OF_A_FRAME,
            _ => OF_A_PICTURE,
        };
        let (mut keypoints, descriptors) = describe(&mut sift(most)?, &picture, &core::no_array())?;
        for p in &mut keypoints {
            let full = |v: f32| ((f64::from(v) + 0.5) / k - 0.5) as f32;
            p.at = Point2f::new(full(p.at.x), full(p.at.y));
            p.size /= k;
        }
        Ok(Self {
            rgb,
            keypoints,
            descriptors,
        })
    }

    /// Where a face may lie: for each place that several matches agree on, how it may lie there.
    fn tried(&self, which: usize, shown: &Shown) -> Result<Vec<Vec<Place>>, VisionError> {
        let mut all: Vec<Match> = Vec::new();
        for near in self.descriptors.nearest(&shown.descriptors, 3) {
            let Some(farthest) = near.last().map(|m| m.distance) else {
                continue;
            };
            for (rank, m) in near.iter().take(2).enumerate() {
                if rank > 0 && m.distance > 0.9 * farthest {
                    continue;
                }
                let (Some(feature), Some(p)) = (
                    shown.features.get(m.reference),
                    self.keypoints.get(m.picture),
                ) else {
                    continue;
                };
                let edge = p.size / feature.size.max(1e-6);
                if edge < 0.7 * LEAST_EDGE {
                    continue;
                }
                let turn_deg = p.angle_deg - feature.angle_deg;
                let (s, c) = turn_deg.to_radians().sin_cos();
                let off = Point::new(0.5, 0.5) - feature.at;
                let to = Point::new(f64::from(p.at.x), f64::from(p.at.y));
                let middle = to + Vector2::new(c * off.x - s * off.y, s * off.x + c * off.y) * edge;
                all.push(Match {
                    feature: m.reference,
                    from: feature.at,
                    to,
                    middle,
                    edge,
                    turn_deg,
                });
            }
        }
        let mut out = Vec::new();
        for _ in 0..TRIES {
            let with = |seed: &Match| -> Vec<usize> {
                let agrees = |m: &Match| {
                    let turn = (m.turn_deg - seed.turn_deg).rem_euclid(360.0);
                    (m.middle - seed.middle).norm() < MIDDLE * seed.edge
                        && (m.edge / seed.edge).ln().abs() < SIZE
                        && turn.min(360.0 - turn) < TURN
                };
                let all = all.iter().enumerate();
                all.filter(|(_, m)| agrees(m)).map(|(i, _)| i).collect()
            };
            let features = |which: &[usize]| {
                let mut of: Vec<usize> = which.iter().map(|i| all[*i].feature).collect();
                of.sort_unstable();
                of.dedup();
                of.len()
            };
            let groups = all.iter().map(with);
            let best = groups.max_by_key(|g| features(g));
            let Some(group) = best.filter(|g| features(g) >= ENOUGH) else {
                break;
            };
            let agreeing: Vec<&Match> = group.iter().map(|i| &all[*i]).collect();
            out.push(placed(&agreeing, which)?);
            let middle = Point::from(
                agreeing
                    .iter()
                    .map(|m| m.middle.coords)
                    .sum::<nalgebra::Vector2<f64>>()
                    / agreeing.len() as f64,
            );
            let edge = agreeing[0].edge;
            all.retain(|m| (m.middle - middle).norm() > 0.5 * edge);
        }
        Ok(out)
    }
}

/// Where matches that agree may have the face, likeliest first: by an affine map of their places where enough agree on one, by a turn and a size of these, and by what each
/// match says on the mean.
fn placed(agreeing: &[&Match], which: usize) -> Result<Vec<Place>, VisionError> {
    let place = |map: Map| Place {
        map,
        shown: which,
        turn: 0,
        like: 0.0,
    };
    let n = agreeing.len() as f64;
    let point = |p: Point| Point2f::new(p.x as f32, p.y as f32);
    let from: Vector<Point2f> = agreeing.iter().map(|m| point(m.from)).collect();
    let to: Vector<Point2f> = agreeing.iter().map(|m| point(m.to)).collect();
    let (mut s, mut c, mut size) = (0.0, 0.0, 0.0);
    let mut middle = Vector2::zeros();
    for m in agreeing {
        let (sin, cos) = m.turn_deg.to_radians().sin_cos();
        (s, c) = (s + sin, c + cos);
        size += m.edge.ln();
        middle += m.middle.coords;
    }
    let (edge, middle) = ((size / n).exp(), middle / n);
    let within = (0.06 * edge).max(2.0);
    let mut out = Vec::new();
    for (least, any) in [(5, true), (3, false)] {
        if agreeing.len() < least {
            continue;
        }
        let mut inliers = Mat::default();
        let (ransac, tries) = (calib3d::RANSAC, 2000);
        let found = match any {
            true => calib3d::estimate_affine_2d(
                &from,
                &to,
                &mut inliers,
                ransac,
                within,
                tries,
                0.99,
                10,
            ),
            false => calib3d::estimate_affine_partial_2d(
                &from,
                &to,
                &mut inliers,
                ransac,
                within,
                tries,
                0.99,
                10,
            ),
        }?;
        let agree = match inliers.empty() {
            true => 0,
            false => core::count_non_zero(&inliers)?,
        };
        if agree >= if any { 4 } else { 3 }
            && let Ok(v) = found.data_typed::<f64>()
            && let [a, b, c, d, e, f] = *v
        {
            out.push(place(Map::new(a, b, c, d, e, f, 0.0, 0.0, 1.0)));
        }
    }
    let spread = Map::new(edge, 0.0, 0.0, 0.0, edge, 0.0, 0.0, 0.0, 1.0);
    let map = rigid(s.atan2(c), middle.x, middle.y) * spread * rigid(0.0, -0.5, -0.5);
    out.push(place(map));
    out.retain(|p| p.square().is_some_and(|s| is_a_face(&s)));
    Ok(out)
}
