use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Cube, Reading, Sighting, Standing,
    body::Bodies,
    crop,
    detector::{Detection, Detector, Effort, as_large},
    doubt,
    follow::{Follower, PAST_AGAIN},
    gallery::Alike,
    memory::{Memory, Patch},
    octahedra::Octahedra,
    pieces::Pieces,
    reader::Reader,
    register::{Registered, Registrar, sure_past},
    solids::Solids,
};
use crate::{
    capture::{CaptureError, Picture},
    copy::{Copy, Shape, Status, WriteError},
    geometry::Quad,
    rig::Sight,
};

/// Why seeing failed; one sentence each.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error(
        "ONNX Runtime was not found (looked for {looked}): run ./run setup, or set ORT_DYLIB_PATH to libonnxruntime.so, or build with --features tract"
    )]
    NoRuntime { looked: String },
    /// An engine was asked for that cannot be had.
    #[error("{0}")]
    Wish(String),
    #[error("{}: {why}", path.display())]
    Enrolment { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    Model { path: PathBuf, why: String },
    #[error(transparent)]
    Picture(#[from] CaptureError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("looking at a picture failed: {0}")]
    Failed(String),
}

impl VisionError {
    /// Whether the user can mend it (exit status 2) or something went wrong in here (1).
    pub fn is_the_users(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }
}

impl From<opencv::Error> for VisionError {
    fn from(e: opencv::Error) -> Self {
        Self::Failed(e.message)
    }
}

/// What is likelier no die than a die is left out.
const THERE: f64 = 0.5;

/// The least score of a die that stands on a surface: whether it is one is then asked of its print too.
const STANDS: f64 = 0.3;
/// Below this score none is sure: what looks like one of the copy's prints may be a picture of it.
const BELIEVED: f64 = 0.5;
/// A die that was found twice: its two top faces' middles are no further apart than this part of its side.
const SAME_DIE: f64 = 0.5;

/// Two dice beside each other are further apart than this part of a side, however they are foreshortened.
const BESIDE: f64 = 0.7;

/// Whether a die was seen where no other can stand beside it.
fn crowded(sightings: &[Sighting], face: &Quad) -> bool {
    sightings.iter().any(|s| {
        let side = s.polygon.side().max(face.side());
        as_large(&s.polygon, face) && (s.polygon.centre() - face.centre()).norm() < BESIDE * side
    })
}

/// Whether something small is seen on an octahedron: a hexagon about its top face is all that is seen of it from above.
fn is_on(octahedron: &Sighting, s: &Sighting) -> bool {
    let middle = (octahedron.polygon.centre() - s.polygon.centre()).norm();
    middle < 0.9 * octahedron.polygon.side()
}

/// Which sighting may be of the die whose top face lies there: the nearest that is `taken` for no other one's. A card with dice on it may
/// look like a die about one of them.
fn seen_at(face: &Quad, sightings: &[Sighting], taken: impl Fn(usize) -> bool) -> Option<usize> {
    let away = |s: &Sighting| (s.polygon.centre() - face.centre()).norm();
    let each = sightings.iter().enumerate();
    let near = each.filter(|(i, s)| {
        away(s) < SAME_DIE * face.side() && as_large(&s.polygon, face) && !taken(*i)
    });
    let nearest = near.min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
    nearest.map(|(i, _)| i)
}

/// Adds octahedra that were found; what is printed on one may look like a die, and is none.
fn stand_for_themselves(octahedra: Vec<Sighting>, sightings: &mut Vec<Sighting>) {
    sightings.retain(|s| !octahedra.iter().any(|o| is_on(o, s)));
    sightings.extend(octahedra);
}

/// Of sightings of the same die, the best: two outlines of it may be refined to one. It is not sure where another is
/// sure of something else.
fn each_once(mut sightings: Vec<Sighting>) -> Vec<Sighting> {
    sightings.sort_by(|a, b| b.there.total_cmp(&a.there));
    let mut kept: Vec<Sighting> = Vec::new();
    for s in sightings {
        let same = |k: &Sighting| {
            let side = s.polygon.side().min(k.polygon.side());
            let near = (s.polygon.centre() - k.polygon.centre()).norm() < SAME_DIE * side;
            near && as_large(&s.polygon, &k.polygon)
        };
        match kept.iter_mut().find(|k| same(k)) {
            None => kept.push(s),
            Some(k) if s.score >= BELIEVED && disagree(&k.reading, &s.reading) => {
                k.reading.doubt();
            }
            Some(_) => {}
        }
    }
    kept
}

/// The score of what two detectors hold for a die, of which one has not seen the print of what it lies on: log-odds add up,
/// and the other one's doubt counts for nothing, since it is much oftener wrong where dice touch.
fn together(score: f64, on_surface: f64) -> f64 {
    let odds = |p: f64| {
        let p = p.clamp(1e-6, 1.0 - 1e-6);
        (p / (1.0 - p)).ln()
    };
    let both = odds(score) + odds(on_surface).max(0.0);
    1.0 / (1.0 + (-both).exp())
}

/// What two detectors found: where one has a cube and the other another die, what the surer one has.
fn either(
    mut cubes: Vec<Detection>,
    mut others: Vec<Detection>,
) -> (Vec<Detection>, Vec<Detection>) {
    let same = |a: &Detection, b: &Detection| {
        (a.centre - b.centre).norm() < SAME_DIE * a.face.side().max(b.face.side())
    };
    let rivals = cubes.clone();
    cubes.retain(|c| !others.iter().any(|o| same(c, o) && o.score >= c.score));
    others.retain(|o| !rivals.iter().any(|c| same(c, o) && c.score > o.score));
    (cubes, others)
}

/// Whether both are sure, of different things.
fn disagree(a: &Reading, b: &Reading) -> bool {
    let sure = [a, b].iter().all(|r| r.status == Status::Sure);
    let kind_sure = [a, b].iter().all(|r| r.kind_sure);
    sure && (&a.kind, &a.face) != (&b.kind, &b.face) || kind_sure && a.kind != b.kind
}

fn is_sure(sightings: &[Sighting], which: Option<usize>) -> bool {
    let sighting = which.and_then(|i| sightings.get(i));
    sighting.is_some_and(|s| s.reading.status == Status::Sure)
}

/// What one picture shows.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Dice, best first; not those that are printed on a surface.
    pub sightings: Vec<Sighting>,
    /// The copy's displays and boards.
    pub surfaces: Vec<Registered>,
}

/// Detector and reader, with one copy enrolled.
pub struct Eye {
    detector: Detector,
    reader: Reader,
    bodies: Bodies,
    alike: Vec<Alike>,
    registrar: Registrar,
    /// When what dice leave free of a surface is looked at again.
    past_again: Duration,
    follower: Follower,
    /// `None` for a copy that has none.
    octahedra: Option<Octahedra>,
    solids: Option<Solids>,
    /// `None` for a copy with no pieces, or no surface to find them on.
    pieces: Option<Pieces>,
    /// Not all surfaces were looked for yet.
    searching: bool,
    /// The picture is one of many.
    follows: bool,
    /// Dice of the last frame, as the detector found them, and as they stand on surfaces.
    dice: Memory,
    cubes: Memory,
}

impl Eye {
    /// Loads both models from `models` and enrols `copy`.
    ///
    /// # Errors
    /// A missing runtime, or a model that does not match what this program expects.
    pub fn open(models: &Path, copy: &Copy, threads: usize) -> Result<Self, VisionError> {
        let detector = Detector::load(&models.join("dice-detector.onnx"), threads)?;
        let mut reader = Reader::load(&models.join(Reader::file(copy.prints)), threads)?;
        let mut alike = reader.enrol(copy)?;
        let solids = Solids::of(models, copy, threads)?.map(|(solids, theirs)| {
            alike.extend(theirs);
            solids
        });
        Ok(Self {
            detector,
            reader,
            bodies: Bodies::of(copy),
            alike,
            registrar: Registrar::open(models, &copy.surfaces, threads)?,
            past_again: Duration::ZERO,
            octahedra: Octahedra::of(copy)?,
            solids,
            follower: Follower::default(),
            pieces: Pieces::open(models, copy, threads)?,
            searching: false,
            follows: false,
            dice: Memory::default(),
            cubes: Memory::default(),
        })
    }

    /// Why pictures of the copy are left out, each once: they cannot be read, or show no face.
    pub fn unread(&self) -> Vec<String> {
        let surfaces = self.registrar.unread().iter().map(ToString::to_string);
        let octahedra = self.octahedra.iter().flat_map(|o| o.unread());
        let solids = self.solids.iter().flat_map(|s| s.reader().unread());
        let faces = self.reader.unread().iter().chain(solids).chain(octahedra);
        let faces = faces.map(ToString::to_string);
        let pieces = self.pieces.iter().flat_map(|p| p.unread());
        let mut all: Vec<String> = surfaces.chain(faces).collect();
        for e in pieces.map(ToString::to_string) {
            // a display's picture serves to find it and to see what lies on it
            if !all.contains(&e) {
                all.push(e);
            }
        }
        all
    }

    /// Faces of the copy that are too alike to be told apart surely, most alike first.
    pub fn alike(&self) -> &[Alike] {
        &self.alike
    }

    /// All dice in one picture, best first, whatever they lie on.
    ///
    /// # Errors
    /// Only when a library fails; a picture with nothing in it is an empty list.
    pub fn look(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Sighting>, VisionError> {
        let mut sightings = self.read(picture, effort)?;
        doubt::faint(&mut sightings, BELIEVED);
        doubt::within_another(&mut sightings);
        Ok(sightings)
    }

    /// Cubes, and other dice where the copy has any.
    fn detect(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<(Vec<Detection>, Vec<Detection>), VisionError> {
        let cubes = self.detector.detect(picture, effort)?;
        match &mut self.solids {
            Some(solids) => Ok(either(cubes, solids.detect(picture, effort)?)),
            None => Ok((cubes, Vec::new())),
        }
    }

    /// The same before what hardly looks like a die is doubted.
    fn read(&mut self, picture: &Picture, effort: Effort) -> Result<Vec<Sighting>, VisionError> {
        let (mut cubes, others) = self.detect(picture, effort)?;
        let mut sightings = if self.follows {
            // what would be left out whatever its print; a single picture has the time to read it
            cubes.retain(|d| self.reader.there_at_most(d.score) >= THERE);
            self.reader.read_next(picture, cubes, &mut self.dice, &[])?
        } else {
            self.reader.read(picture, cubes)?
        };
        if let Some(solids) = &mut self.solids {
            sightings.extend(match self.follows {
                true => solids.read_next(picture, others)?,
                false => solids.read(picture, others)?,
            });
        }
        sightings.retain(|s| s.there >= THERE);
        Ok(each_once(sightings))
    }

    /// The same with what is likelier no die: what the chances are fitted and measured on.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn candidates(
        &mut self,
        picture: &Picture,
        effort: Effort,
    ) -> Result<Vec<Sighting>, VisionError> {
        let (cubes, others) = self.detect(picture, effort)?;
        let mut sightings = self.reader.read(picture, cubes)?;
        if let Some(solids) = &mut self.solids {
            sightings.extend(solids.read(picture, others)?);
        }
        doubt::faint(&mut sightings, BELIEVED);
        Ok(sightings)
    }

    /// A picture that is asked about by itself; all surfaces are looked for, the rest is seen with this `effort`. What hardly looks like a die is doubted only
    /// by [`Eye::standing`], which knows what it lies on.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see(&mut self, picture: &Picture, effort: Effort) -> Result<Seen, VisionError> {
        self.searching = false;
        self.follows = effort != Effort::Still;
        self.dice.clear();
        self.cubes.clear();
        let mut sightings = self.read(picture, effort)?;
        if let Some(octahedra) = &self.octahedra {
            stand_for_themselves(octahedra.look(picture)?, &mut sightings);
        }
        let surfaces = self.registrar.find(picture)?;
        self.seen(picture, sightings, surfaces, None)
    }

    /// The next frame of many: surfaces that were found are followed, and what is missing is looked for bit by
    /// bit; until all were looked for once no die is read, for what is printed on one that was not found may look like it. `at` is the frame's time on its source's clock.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see_next(&mut self, picture: &Picture, at: Duration) -> Result<Seen, VisionError> {
        self.follows = true;
        let first = !self.has_searched(Duration::ZERO);
        let mut sightings = Vec::new();
        if !first || self.registrar.is_empty() {
            sightings = self.read(picture, Effort::Live)?;
            if let Some(octahedra) = &mut self.octahedra {
                stand_for_themselves(octahedra.look_next(picture, at)?, &mut sightings);
            }
        }
        let surfaces = self.follower.follow(&self.registrar, picture, at)?;
        let mut seen = self.seen(picture, sightings, surfaces, Some(at))?;
        self.searching = !self.has_searched(Duration::ZERO);
        self.doubt(&mut seen.sightings);
        Ok(seen)
    }

    /// While surfaces are still looked for, what may be printed on one is no sure die.
    fn doubt(&self, sightings: &mut [Sighting]) {
        if self.searching {
            sightings.iter_mut().for_each(|s| s.reading.doubt());
        }
    }

    fn seen(
        &mut self,
        picture: &Picture,
        mut sightings: Vec<Sighting>,
        mut surfaces: Vec<Registered>,
        at: Option<Duration>,
    ) -> Result<Seen, VisionError> {
        let faces: Vec<Quad> = sightings.iter().map(|s| s.polygon).collect();
        let lie = surfaces.iter().filter(|s| s.status != Status::Hidden);
        let lie: Vec<&Registered> = lie.collect();
        let printed = self.registrar.printed(picture, &lie, &faces)?;
        let mut printed = printed.into_iter();
        sightings.retain(|_| !printed.next().unwrap_or(false));
        let doubted = surfaces.iter().any(|s| s.status == Status::Unsure);
        if doubted && at.is_none_or(|at| at >= self.past_again) {
            // only what is surely a die of this copy hides print
            let is_one = |s: &&Sighting| s.reading.kind_sure || s.reading.status == Status::Sure;
            let cubes = sightings.iter().filter(|s| s.shape == Shape::D6);
            let tops: Vec<Quad> = cubes.filter(is_one).map(|s| s.polygon).collect();
            for i in sure_past(&self.registrar, picture, &surfaces, &tops)? {
                if let Some(surface) = surfaces.get_mut(i) {
                    surface.status = Status::Sure;
                    let at = at.unwrap_or_default();
                    self.follower.know(&self.registrar, &surface.surface, at);
                }
            }
            self.past_again = at.unwrap_or_default() + PAST_AGAIN;
        }
        Ok(Seen {
            sightings,
            surfaces,
        })
    }

    /// What stands on the surfaces that `sight` has of this picture, and what hides them; `None` for a copy whose
    /// pieces nobody can tell. Dice that stand on them join the `sightings`, of which none is sure any more that is not of its kind's size.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn standing(
        &mut self,
        picture: &Picture,
        sight: &Sight,
        sightings: &mut Vec<Sighting>,
    ) -> Result<Option<Standing>, VisionError> {
        if self.searching {
            return Ok(self.pieces.is_some().then(Standing::default));
        }
        let standing = match &mut self.pieces {
            Some(pieces) => {
                let effort = if self.follows {
                    Effort::Live
                } else {
                    Effort::Still
                };
                Some(pieces.look(picture, sight, effort)?)
            }
            None => None,
        };
        if let Some(standing) = &standing {
            self.join(picture, &standing.cubes, sightings)?;
            *sightings = each_once(std::mem::take(sightings));
        }
        self.doubt_by_neighbours(sight, standing.as_ref(), sightings);
        Ok(standing)
    }

    /// What dice lie beside and on says of them.
    fn doubt_by_neighbours(
        &self,
        sight: &Sight,
        standing: Option<&Standing>,
        sightings: &mut Vec<Sighting>,
    ) {
        if let Some(standing) = standing {
            doubt::stacked(&standing.cubes, sightings);
            doubt::on_ships(&standing.pieces, sightings);
            doubt::on_bare_tokens(&standing.pieces, sightings);
        }
        doubt::faint(sightings, BELIEVED);
        self.bodies.doubt(sight, sightings);
        doubt::within_another(sightings);
        self.doubt(sightings);
    }

    /// Looks only at `which` of the dice that a picture `before` showed: those that lie `now` as they lay, read anew. All else is taken to
    /// be as it was.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn glance(
        &mut self,
        [before, now]: [&Picture; 2],
        sight: &Sight,
        standing: Option<&Standing>,
        sightings: &[Sighting],
        which: &[usize],
    ) -> Result<Vec<Sighting>, VisionError> {
        let (then, mat) = (crop::borrowed(before)?, crop::borrowed(now)?);
        let mut lie: Vec<(usize, Detection)> = Vec::new();
        for i in which {
            let Some(s) = sightings.get(*i) else { continue };
            if Patch::of(&mat, &s.polygon)?.is(&Patch::of(&then, &s.polygon)?) {
                let face = s.polygon;
                lie.push((*i, Detection::cube(s.score, face.centre(), face)));
            }
        }
        if lie.is_empty() {
            return Ok(Vec::new());
        }
        let (lie, dice): (Vec<usize>, Vec<Detection>) = lie.into_iter().unzip();
        let others = sightings.iter().enumerate();
        let others = others.filter(|(i, s)| !lie.contains(i) && s.reading.status == Status::Sure);
        let beside: Vec<Sighting> = others.map(|(_, s)| s.clone()).collect();
        let read = self.reader.read_beside(now, dice, &beside)?;
        let mut all = sightings.to_vec();
        let mut seen = Vec::new();
        for (i, read) in lie.into_iter().zip(read) {
            if let Some(s) = all.get_mut(i) {
                seen.push(read.polygon);
                let there = read.there.max(s.there);
                *s = Sighting { there, ..read };
            }
        }
        self.doubt_by_neighbours(sight, standing, &mut all);
        all.retain(|s| seen.contains(&s.polygon));
        Ok(all)
    }

    /// Takes over what is known of dice from the surfaces they stand on: where a top face lies, to be read there too if
    /// it is not sure where the detector had it; and dice that the detector missed.
    fn join(
        &mut self,
        picture: &Picture,
        cubes: &[Cube],
        sightings: &mut Vec<Sighting>,
    ) -> Result<(), VisionError> {
        let mut of: Vec<(&Cube, Option<usize>)> = Vec::new();
        for cube in cubes.iter().filter(|c| c.score >= STANDS) {
            let taken = |i: usize| of.iter().any(|o| o.1 == Some(i));
            let nearest = seen_at(&cube.face, sightings, taken);
            if let Some(s) = nearest.and_then(|i| sightings.get_mut(i)) {
                s.score = together(s.score, cube.score);
            }
            of.push((cube, nearest));
        }
        let unread = of.iter().filter(|o| !is_sure(sightings, o.1));
        let detections =
            unread.map(|(cube, _)| Detection::cube(cube.score, cube.middle, cube.face));
        let detections = detections.collect();
        let sure = sightings.iter();
        let sure = sure.filter(|s| s.reading.status == Status::Sure);
        let beside: Vec<Sighting> = sure.cloned().collect();
        let read = if self.follows {
            self.reader
                .read_next(picture, detections, &mut self.cubes, &beside)?
        } else {
            self.reader.read_beside(picture, detections, &beside)?
        };
        let mut read = read.into_iter();
        for (_, which) in of {
            let again = (!is_sure(sightings, which)).then(|| read.next()).flatten();
            let stands_alone = again
                .as_ref()
                .is_some_and(|s| !crowded(sightings, &s.polygon));
            match (which.and_then(|i| sightings.get_mut(i)), again) {
                (Some(s), Some(mut again))
                    if again.reading.status != Status::Unknown
                        && again.reading.confidence > s.reading.confidence =>
                {
                    let same = (&again.reading.kind, &again.reading.face)
                        == (&s.reading.kind, &s.reading.face);
                    let other_kind =
                        again.reading.kind_sure && again.reading.kind != s.reading.kind;
                    if !same && again.reading.status == Status::Sure || other_kind {
                        // two outlines, two answers
                        again.reading.doubt();
                    }
                    again.there = again.there.max(s.there);
                    again.score = s.score;
                    *s = again;
                }
                (None, Some(s)) if s.there >= THERE && stands_alone => sightings.push(s),
                _ => {}
            }
        }
        Ok(())
    }

    /// Says where a surface should lie in the next frame: it is looked for there first.
    pub fn expect(&mut self, surface: &str, at: Quad) {
        self.follower.expect(&self.registrar, surface, at);
    }

    /// Searches for displays and boards go on beside the frames from now on: none waits for one, and what comes of them depends on the
    /// machine.
    pub fn search_beside(&mut self) {
        self.follower.search_beside();
    }

    /// Something in the next frame is waited for: searches wait.
    pub fn hurry(&mut self) {
        self.follower.hurry();
    }

    /// How many steps of a search the last frame was given.
    pub fn searched(&self) -> u32 {
        self.follower.steps()
    }

    /// When a frame was last looked through for paper octahedra; `None` for a copy that has none.
    pub fn looked_through(&self) -> Option<Duration> {
        let octahedra = self.octahedra.as_ref()?;
        Some(octahedra.looked().unwrap_or_default())
    }

    /// Whether every display and board was looked for everywhere since a time, or lies where it lay.
    pub fn has_searched(&self, since: Duration) -> bool {
        self.follower.has_searched(&self.registrar, since)
    }

    /// Nothing has changed since the last frame, and not all surfaces were looked for since: goes on with that. Whether some
    /// lie otherwise by it than was known.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn search_on(&mut self, picture: &Picture, at: Duration) -> Result<bool, VisionError> {
        self.follower.search_on(&self.registrar, picture, at)
    }

    /// Whether the search for what is missing goes on, or is due.
    pub fn is_searching(&self, at: Duration) -> bool {
        self.follower.is_searching(at)
    }

    /// Nothing has changed since the last frame.
    pub fn rest(&mut self, at: Duration) {
        self.follower.rest(at);
    }

    /// Something has changed after nothing had.
    pub fn wake(&mut self, at: Duration) {
        self.follower.wake(at);
    }

    pub fn detector(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::Shape;

    fn seen(x: f64, there: f64) -> Sighting {
        Sighting {
            shape: Shape::D6,
            score: 0.9,
            there,
            polygon: Quad::from_pairs([[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]),
            error: 0.03,
            reading: Reading {
                kind: None,
                face: None,
                status: Status::Unknown,
                confidence: 0.0,
                kind_sure: false,
                likeness: 0.0,
                next: None,
                others: Vec::new(),
                alike_after_deg: 360,
            },
        }
    }

    #[test]
    fn a_die_that_stands_there_is_no_card_that_looks_like_one() {
        let die = seen(0.0, 0.9);
        let mut card = seen(0.0, 0.99);
        card.polygon = die.polygon.scaled(7.0);
        let face = Quad::from_pairs([[3.0, 2.0], [43.0, 2.0], [43.0, 42.0], [3.0, 42.0]]);
        let free = |_| false;
        assert_eq!(seen_at(&face, &[card.clone()], free), None);
        let all = [card, seen(15.0, 0.9), die];
        assert_eq!(seen_at(&face, &all, free), Some(2));
        assert_eq!(seen_at(&face, &all, |i| i == 2), Some(1));
        assert_eq!(seen_at(&face, &[seen(30.0, 0.9)], free), None);
    }

    #[test]
    fn two_outlines_that_are_sure_of_different_faces_are_not_sure() {
        let sure = |x: f64, there: f64, face: &str| {
            let mut s = seen(x, there);
            s.reading.status = Status::Sure;
            s.reading.face = Some(face.to_owned());
            s
        };
        let status = |faces: [&str; 2]| {
            let both = vec![sure(0.0, 0.9, faces[0]), sure(4.0, 0.7, faces[1])];
            let once = each_once(both);
            assert_eq!(once.len(), 1);
            once[0].reading.status
        };
        assert_eq!(status(["3", "5"]), Status::Unsure);
        assert_eq!(status(["3", "3"]), Status::Sure);
        // nor of its kind, where that alone was
        let of = |x: f64, kind: &str| {
            let mut s = seen(x, 0.9 - x / 100.0);
            (s.reading.status, s.reading.kind_sure) = (Status::Unsure, true);
            s.reading.kind = Some(kind.to_owned());
            s
        };
        let kind_sure = |kinds: [&str; 2]| {
            each_once(vec![of(0.0, kinds[0]), of(4.0, kinds[1])])[0]
                .reading
                .kind_sure
        };
        assert!(kind_sure(["helm", "helm"]) && !kind_sure(["helm", "energy"]));
    }

    #[test]
    fn two_detectors_believe_more_than_one_and_doubt_no_more() {
        assert!(together(0.45, 0.45) < BELIEVED);
        assert!(together(0.45, 0.6) > BELIEVED);
        assert!((together(0.8, 0.1) - 0.8).abs() < 1e-9);
    }

    #[test]
    fn a_die_that_was_found_twice_is_one() {
        let once = each_once(vec![seen(0.0, 0.7), seen(40.0, 0.6), seen(4.0, 0.9)]);
        let at: Vec<f64> = once.iter().map(|s| s.polygon.0[0].x).collect();
        assert_eq!(at, [4.0, 40.0]);
        // a pip in the middle of a face is another thing, whichever looks more like a die
        let pip = Sighting {
            polygon: seen(0.0, 0.0).polygon.scaled(0.2),
            ..seen(0.0, 0.95)
        };
        assert_eq!(each_once(vec![seen(0.0, 0.7), pip]).len(), 2);
    }
}
