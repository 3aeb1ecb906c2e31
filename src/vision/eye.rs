use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Cube, Sighting, Standing,
    body::Bodies,
    crop,
    detector::{Detection, Detector, Effort},
    doubt,
    follow::{Follower, PAST_AGAIN},
    gallery::Alike,
    memory::{Memory, Patch},
    octahedra::Octahedra,
    pieces::Pieces,
    reader::Reader,
    register::{Registered, Registrar, sure_by_grounds, sure_past},
    rivals::{self, each_once, either, seen_at, stand_for_themselves, together},
    solids::Solids,
    stance::Stance,
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

/// What lies as a die's top would may be one from this chance on, if its print is one of the copy's with the other, as it is read. Both set by judgement: of
/// what was less likely, or beside a die on a display, icons that are printed there were taken for dice.
const FAINT: f64 = 0.2;
const CLEARLY: f64 = 0.95;

/// So many surfaces that are not sure are asked about their edges at a time, in turn: that takes some ten milliseconds each, and more where others may lie there.
const ASKED: usize = 3;

/// The least score of a die that stands on a surface: whether it is one is then asked of its print too.
const STANDS: f64 = 0.3;
/// Below this score none is sure of which nothing else is known: what looks like one of the copy's prints may be a picture of it.
pub(super) const BELIEVED: f64 = 0.5;

/// Whether it hardly looks like a die, but its print is clearly one of the copy's.
fn is_faint(s: &Sighting) -> bool {
    let read = s.reading.status != Status::Unknown && s.reading.confidence >= CLEARLY;
    (FAINT..THERE).contains(&s.there) && read
}

fn is_sure(sightings: &[Sighting], which: Option<usize>) -> bool {
    let sighting = which.and_then(|i| sightings.get(i));
    sighting.is_some_and(|s| s.reading.status == Status::Sure)
}

/// Doubts what is seen of a picture of which nothing else is known.
fn doubt_each(picture: &Picture, sightings: &mut [Sighting]) {
    let size_px = [picture.width(), picture.height()];
    let doubted = |s: &&mut Sighting| doubt::by_itself(s, size_px);
    for s in sightings.iter_mut().filter(doubted) {
        s.reading.doubt();
    }
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
    /// Whose turn it is to be asked about its edges.
    turn: usize,
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
    /// What is likelier no die by what was seen of it alone, in the last picture, if its print is clear.
    faint: Vec<Sighting>,
    /// Where dice were read in it, before anything else was known.
    read: Vec<Quad>,
    /// How they lay, as they were read, if that is kept.
    stances: Vec<(Sighting, Stance)>,
    keeps_stances: bool,
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
        let mut reader = Reader::among(models, copy.prints, threads)?;
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
            turn: 0,
            octahedra: Octahedra::of(copy)?,
            solids,
            follower: Follower::default(),
            pieces: Pieces::open(models, copy, threads)?,
            searching: false,
            follows: false,
            faint: Vec::new(),
            read: Vec::new(),
            stances: Vec::new(),
            keeps_stances: false,
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
        let mut sightings = self.read(picture, effort, None)?;
        doubt_each(picture, &mut sightings);
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

    /// The same before what hardly looks like a die is doubted. `surfaces`: those of the picture, if they were looked for.
    fn read(
        &mut self,
        picture: &Picture,
        effort: Effort,
        surfaces: Option<&[Registered]>,
    ) -> Result<Vec<Sighting>, VisionError> {
        let (mut cubes, others) = self.detect(picture, effort)?;
        if let Some(surfaces) = surfaces {
            for d in &mut cubes {
                let lies_on = |s: &Registered| s.corners.contains(d.face.centre());
                d.on_table = !surfaces.iter().any(lies_on);
            }
        }
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
        let (there, rest) = sightings.into_iter().partition(|s| s.there >= THERE);
        // of many frames another one shows it better
        self.faint = if self.follows { Vec::new() } else { rest };
        self.faint.retain(is_faint);
        let once = each_once(there);
        self.read = once.iter().map(|s| s.polygon).collect();
        Ok(once)
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
        doubt_each(picture, &mut sightings);
        Ok(sightings)
    }

    /// A picture that is asked about by itself; all surfaces are looked for, the rest is seen with this `effort`. What hardly looks like a die, or is cut, is doubted
    /// only by [`Eye::standing`], which knows what it lies on.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see(&mut self, picture: &Picture, effort: Effort) -> Result<Seen, VisionError> {
        self.searching = false;
        self.faint.clear();
        self.follows = effort != Effort::Still;
        self.dice.clear();
        self.cubes.clear();
        let surfaces = self.registrar.find(picture)?;
        let mut sightings = self.read(picture, effort, Some(&surfaces))?;
        if let Some(octahedra) = &self.octahedra {
            stand_for_themselves(octahedra.look(picture)?, &mut sightings);
        }
        self.seen(picture, sightings, surfaces, None)
    }

    /// The next frame of many: surfaces that were found are followed, and what is missing is looked for bit by
    /// bit; until all were looked for once no die is read, for what is printed on one that was not found may look like it. `at` is the frame's time on its source's clock.
    ///
    /// # Errors
    /// Only when a library fails.
    pub fn see_next(&mut self, picture: &Picture, at: Duration) -> Result<Seen, VisionError> {
        self.follows = true;
        self.faint.clear();
        self.read.clear();
        let first = !self.has_searched(Duration::ZERO);
        let surfaces = self.follower.follow(&self.registrar, picture, at)?;
        let mut sightings = Vec::new();
        if !first || self.registrar.is_empty() {
            sightings = self.read(picture, Effort::Live, Some(&surfaces))?;
            if let Some(octahedra) = &mut self.octahedra {
                stand_for_themselves(octahedra.look_next(picture, at)?, &mut sightings);
            }
        }
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
        let lie = surfaces.iter().filter(|s| s.status != Status::Hidden);
        let lie: Vec<&Registered> = lie.collect();
        for all in [&mut sightings, &mut self.faint] {
            let read = |s: &Sighting| matches!(s.reading.status, Status::Sure | Status::Unsure);
            let faces = all.iter().map(|s| (s.polygon, read(s)));
            let printed = self
                .registrar
                .printed(picture, &lie, &faces.collect::<Vec<_>>())?;
            let mut printed = printed.into_iter();
            all.retain(|_| !printed.next().unwrap_or(false));
        }
        self.believe(picture, &sightings, &mut surfaces, at)?;
        Ok(Seen {
            sightings,
            surfaces,
        })
    }

    /// Makes surfaces sure that are so by what dice leave free of them and, where they are followed, by their edges: there now and then, and for a while.
    fn believe(
        &mut self,
        picture: &Picture,
        sightings: &[Sighting],
        surfaces: &mut [Registered],
        at: Option<Duration>,
    ) -> Result<(), VisionError> {
        if at.is_some_and(|at| at < self.past_again) {
            return Ok(());
        }
        let mut asked = surfaces.to_vec();
        if let Some(at) = at {
            // what is believed is asked about before that is over
            let fading = self.follower.fading(&self.registrar, at);
            for s in asked.iter_mut().filter(|s| fading.contains(&s.surface)) {
                s.status = Status::Unsure;
            }
        }
        if asked.iter().all(|s| s.status != Status::Unsure) {
            return Ok(());
        }
        // only what is surely a die of this copy hides print
        let is_one = |s: &&Sighting| s.reading.kind_sure || s.reading.status == Status::Sure;
        let cubes = sightings.iter().filter(|s| s.shape == Shape::D6);
        let tops: Vec<Quad> = cubes.filter(is_one).map(|s| s.polygon).collect();
        let mut sure = sure_past(&self.registrar, picture, &asked, &tops)?;
        if at.is_some() {
            // in a picture that is asked about by itself it was asked when it was found
            let unsure = asked.iter().enumerate();
            let unsure = unsure.filter(|(i, s)| s.status == Status::Unsure && !sure.contains(i));
            let unsure: Vec<(usize, &Registered)> = unsure.collect();
            self.turn = self.turn.wrapping_add(ASKED);
            let turn = self.turn.checked_rem(unsure.len()).unwrap_or(0);
            let (after, before) = unsure.split_at(turn);
            let some: Vec<_> = before.iter().chain(after).take(ASKED).copied().collect();
            sure.extend(sure_by_grounds(&self.registrar, picture, &some)?);
        }
        let at = at.unwrap_or_default();
        for i in sure {
            if let Some(surface) = surfaces.get_mut(i) {
                surface.status = Status::Sure;
                self.follower.know(&self.registrar, &surface.surface, at);
            }
        }
        self.past_again = at + PAST_AGAIN;
        Ok(())
    }

    /// What stands on the surfaces that `sight` has of this picture, and what hides them; `None` for a copy whose
    /// pieces nobody can tell. Dice that stand on them join the `sightings`, of which none is sure any more that does not lie as a top of its kind would.
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
        self.add_faint(sight, sightings);
        self.doubt_by_neighbours(sight, standing.as_ref(), sightings);
        Ok(standing)
    }

    /// Adds what hardly looks like a die, but whose print is clearly one of the copy's, where it lies as a die's top would; none is sure where the surface is not.
    fn add_faint(&mut self, sight: &Sight, sightings: &mut Vec<Sighting>) {
        let mut faint = std::mem::take(&mut self.faint);
        faint.sort_by(|a, b| b.there.total_cmp(&a.there));
        for mut s in faint {
            if !rivals::is_seen(&s.polygon, sightings)
                && self.bodies.may_stand(sight, &s, sightings)
            {
                if !self.bodies.is_firm(sight, &s) {
                    s.reading.doubt();
                }
                sightings.push(s);
            }
        }
    }

    /// What dice lie beside and on says of them.
    fn doubt_by_neighbours(
        &mut self,
        sight: &Sight,
        standing: Option<&Standing>,
        sightings: &mut Vec<Sighting>,
    ) {
        if let Some(standing) = standing {
            doubt::stacked(&standing.cubes, sightings);
            doubt::on_ships(&standing.pieces, sightings);
            doubt::on_bare_tokens(&standing.pieces, sightings);
        }
        let read = if self.keeps_stances {
            sightings.clone()
        } else {
            Vec::new()
        };
        let stances = doubt::by_stance(&self.bodies, sight, sightings);
        let each = read.into_iter().zip(stances);
        self.stances = each.filter_map(|(s, stance)| Some((s, stance?))).collect();
        self.bodies.rule_out(sight, sightings);
        doubt::within_another(sightings);
        self.doubt(sightings);
    }

    /// Keeps how the dice of each picture lie, for who fits chances on it.
    pub fn keep_stances(mut self) -> Self {
        self.keeps_stances = true;
        self
    }

    /// What was read in the last picture before it was doubted, with how it lies: what [`Stance`] is fitted on. Empty unless they are kept.
    pub fn stances(&self) -> &[(Sighting, Stance)] {
        &self.stances
    }

    /// Where something was read as a die in the last frame that is none for all that is known: print, an octahedron, a card, what lies where nobody looks. `dice` are
    /// those that are left.
    pub fn none_after_all(&self, dice: &[Sighting]) -> Vec<Quad> {
        let read = self.read.iter();
        let none = read.filter(|face| !rivals::is_seen(face, dice));
        none.copied().collect()
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
        let mut new: Vec<Sighting> = Vec::new();
        for (_, which) in of {
            let again = (!is_sure(sightings, which)).then(|| read.next()).flatten();
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
                (None, Some(s)) if s.there >= THERE => new.push(s),
                _ => {}
            }
        }
        // once it is known how much the others are dice
        new.sort_by(|a, b| b.there.total_cmp(&a.there));
        new.into_iter().for_each(|s| rivals::add(s, sightings));
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
