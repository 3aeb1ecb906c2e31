//! Finds paper octahedra by the print on their top faces. A face two inches wide has so much of it that features (SIFT) say where
//! it lies and how it is turned, as they do for displays; no net is asked. Each place that some matches agree on (Lowe 2004, section 7) is laid exactly
//! on the print (ECC: Evangelidis and Psarakis 2008) and compared, in colour, with every face of the copy in its three turns.

mod place;
mod scene;
mod shown;
mod solid;
mod tops;

use std::time::Duration;

use opencv::core::Mat;

pub(super) use self::shown::prints;
use self::{
    place::{Place, about_middle, aligned, is_a_face, over},
    scene::Scene,
    shown::{FRAME, Known, MARGIN, Shown, WITHIN, print, triangle, unit_of_frame},
    solid::{Face, Looks},
    tops::{Found, Lies},
};
use super::{
    Next, Reading, Sighting, VisionError, crop,
    detector::Effort,
    gallery::{self, dot},
    register::{grey, of_corners, scaled},
};
use crate::{
    capture::{Picture, still},
    copy::{Copy, Shape, Status},
    geometry::{Quad, square_about},
};

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
/// What was tried so near to a face that was read, as a part of an edge, is that one; a die's other sides are further off.
const APART: f64 = 0.25;

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

/// A face that was read.
struct Seen {
    /// In the turn in which it was compared.
    place: Place,
    sighting: Sighting,
    /// Which way it looks, where its neighbours tell.
    looks: Option<Looks>,
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
                Lies::Perhaps => sighting.reading.doubt(),
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
                kind_sure: chance >= SURE,
                likeness: best.like,
                next: next.and_then(named).map(|k| Next {
                    kind: k.kind.clone(),
                    face: k.face.clone(),
                    confidence: (1.0 - chance) / 2.0,
                }),
                others: Vec::new(),
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
