//! Reads top faces: a print becomes a unit vector, which is compared with every enrolled face in
//! each of its possible turns.

mod choose;
mod compare;
mod enrolled;
mod judge;
mod light;
mod load;

use std::collections::BTreeMap;

use opencv::core::Mat;

use super::{
    Sighting, crop,
    detector::Detection,
    eye::VisionError,
    gallery::{Gallery, Known},
    memory::{self, Memory, Patch, Remembered},
    model::{Model, ModelInfo},
    plane,
    refiner::{Dice, Refined, Refiner},
    shift::{AS_OTHERS_VIEWS, FIRST_VIEWS, NEAR_VIEWS, Shift, VIEWS},
};
use crate::{
    capture::Picture,
    copy::{Shape, Status},
    geometry::Quad,
};
use compare::{Comparer, Evidence, Said};
use judge::{Judged, Look, Print, doubt_colour};

/// How far off the middle of an outline may be that a detector found, along each of the picture's axes, as a part of the
/// face's side: on made tables that none had seen, half of the middles are within 0.119 of a side
/// (`models/README.md`), which is 0.1 along each axis.
const FACE_ERROR: f64 = 0.1;
/// A doubtful face is read where it was found, too, if refining moved it by more than this part of its side.
const AS_FOUND: f64 = 0.1;

/// The face reader with a copy's faces.
pub struct Reader {
    model: Model,
    /// Whose faces it has learnt to read.
    dice: Dice,
    refiner: Refiner,
    size: usize,
    dim: usize,
    margin: f64,
    /// How large a part of a face's side its middle is that is looked at by itself: prints leave a margin, and the net sees few pixels.
    closer: Option<f64>,
    mean: f32,
    std: f32,
    /// Likeness to log-chance; the model's metadata says it.
    scale: f64,
    /// Likeness of what is no face at all: it competes with every enrolled face.
    none: f64,
    /// Log-odds that the likeliest face is right: weights of its log-odds among the copy's faces and of its likeness
    /// (less `judge::AT_BEST`), and a bias.
    sure: [f64; 3],
    /// That bias by shape, where the model says more: how often a side is taken for the top differs.
    biases: BTreeMap<Shape, f64>,
    /// Log-odds that a die is there: weights of the detector's log-odds and of the likeness, and a bias.
    there: [f64; 3],
    /// Faces of one shape each, which compete with each other.
    galleries: BTreeMap<Shape, Gallery>,
    /// Likeness below which nothing is an enrolled face; fitted on prints that were never enrolled.
    near: f64,
    /// What looks at cubes beside their pictures, where their prints may be anything.
    comparer: Option<Comparer>,
    unread: Vec<VisionError>,
}

/// Another place of a face than its own outline was refined to.
#[derive(Debug, Clone, Copy)]
struct Elsewhere {
    outline: Quad,
    truly: Refined,
}

/// How much larger a face is than a frame that is printed on it, and than the square about a diamond that does not reach its sides. Set by judgement: an outline is
/// refined from farther off than they may differ.
const FRAMED: f64 = 1.35;
const WIDER: f64 = 1.2;
/// What is less like any of the copy's faces may be a part of one. Set by judgement.
const LIKE: f64 = 0.7;

/// What a detector holds for a die by less than this score most often is none.
const HARDLY: f64 = 0.5;

/// How a die of one frame of many is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Haste {
    /// In every way, until it is sure.
    None,
    /// So too, as long as it may be a die.
    Again,
    /// The first time that something is seen there, or again what was none in every way: hardly in other ways than where it was found, if it seems to
    /// be none. Most of it is hands and sleeves, and what is printed on a cloth.
    New,
}

/// So many faces are read at once: more are no faster, and take more memory for good.
const BATCH: usize = 16;

impl Reader {
    /// Likeness below which nothing is an enrolled face, of any copy.
    pub(super) fn near(&self) -> f64 {
        self.near
    }

    pub fn info(&self) -> &ModelInfo {
        &self.model.info
    }

    /// Pictures of the copy's faces that could not be read, or show no face.
    pub fn unread(&self) -> &[VisionError] {
        &self.unread
    }

    /// Outlines as a detector finds them, as they truly are, and how far off that may be; `None` for one that would be
    /// another face.
    pub(super) fn refined(
        &mut self,
        mat: &Mat,
        found: &[Quad],
    ) -> Result<Vec<Option<Refined>>, VisionError> {
        self.refiner.refine(mat, found)
    }

    /// Unit vectors of faces, one a quadrilateral.
    pub(super) fn embed(&mut self, jobs: &[(&Mat, Quad)]) -> Result<Vec<Vec<f32>>, VisionError> {
        let mut out = Vec::with_capacity(jobs.len());
        for batch in jobs.chunks(BATCH) {
            let mut data = Vec::with_capacity(batch.len() * 3 * self.size * self.size);
            for (picture, face) in batch {
                let face = crop::rectify(*picture, face, self.size as i32, self.margin)?;
                crop::append_planes(&face, self.size, self.size, self.mean, self.std, &mut data)?;
            }
            let (n, size) = (batch.len(), self.size);
            let values = self.model.run([n, 3, size, size], &data, &[n, self.dim])?;
            out.extend(values.chunks(self.dim).map(<[f32]>::to_vec));
        }
        Ok(out)
    }

    /// Reads every detection of the next frame of many: a die that lies where one lay, and looks as that did, is
    /// what that was, for some frames. Dice that were read beside them tell the light.
    ///
    /// # Errors
    /// Only where a library fails.
    pub(super) fn read_next(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
        memory: &mut Memory,
        beside: &[Sighting],
    ) -> Result<Vec<Sighting>, VisionError> {
        let mat = crop::mat(picture)?;
        let looks: Vec<Patch> = found
            .iter()
            .map(|d| Patch::of(&mat, &d.face))
            .collect::<Result<_, _>>()?;
        let was_here: Vec<bool> = found.iter().map(|d| memory.was_here(d)).collect();
        let was_none = found.iter().map(|d| memory.was_none(&mat, d));
        let was_none: Vec<_> = was_none.collect::<Result<_, _>>()?;
        let before: Vec<_> = found
            .iter()
            .zip(&looks)
            .map(|(d, look)| memory.recall(d, look))
            .collect();
        let kept: Vec<Option<Sighting>> = found
            .iter()
            .zip(&before)
            .map(|(d, before)| {
                let same = before.as_ref()?;
                let there = self.there(d.score, same.sighting.reading.likeness);
                same.lasts(d, there).then(|| Sighting {
                    score: d.score,
                    there,
                    ..same.sighting.clone()
                })
            })
            .collect();
        let known: Vec<bool> = kept.iter().map(Option::is_some).collect();
        let faces: Vec<Quad> = found.iter().map(|d| d.face).collect();
        let haste = was_here.iter().zip(&was_none);
        let haste = haste.map(|(here, none)| match (here, none) {
            (true, None) => Haste::Again,
            _ => Haste::New,
        });
        let haste = haste.collect();
        let (sightings, hasty) = self.read_rest(&mat, found, kept, beside, haste)?;
        let now = sightings
            .iter()
            .zip(faces)
            .zip(looks.into_iter().zip(hasty));
        let before = before.into_iter().zip(known).zip(was_none);
        let now = now.zip(before).map(
            |(((sighting, face), (look, hasty)), ((before, known), was_none))| match before {
                Some(r) if known => r.used(),
                before => {
                    Remembered::new(face, look, sighting, before.as_ref()).if_hasty(hasty, was_none)
                }
            },
        );
        memory.renew(now);
        Ok(sightings)
    }

    /// Reads every detection, in the order given.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn read(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
    ) -> Result<Vec<Sighting>, VisionError> {
        self.read_beside(picture, found, &[])
    }

    /// The same; dice that were read beside them tell the light.
    ///
    /// # Errors
    /// Only where a library fails.
    pub(super) fn read_beside(
        &mut self,
        picture: &Picture,
        found: Vec<Detection>,
        beside: &[Sighting],
    ) -> Result<Vec<Sighting>, VisionError> {
        let (kept, haste) = (vec![None; found.len()], vec![Haste::None; found.len()]);
        let read = self.read_rest(&crop::mat(picture)?, found, kept, beside, haste)?;
        Ok(read.0)
    }

    /// The same, where some are known already; and which of them were not looked at in every way.
    fn read_rest(
        &mut self,
        mat: &Mat,
        mut found: Vec<Detection>,
        mut kept: Vec<Option<Sighting>>,
        beside: &[Sighting],
        mut haste: Vec<Haste>,
    ) -> Result<(Vec<Sighting>, Vec<bool>), VisionError> {
        let asked = found.len();
        haste.resize(asked + beside.len(), Haste::None);
        for s in beside.iter().filter(|s| s.shape == Shape::D6) {
            let middle = s.polygon.centre();
            found.push(Detection::cube(s.score, middle, s.polygon));
            kept.push(Some(s.clone()));
        }
        let as_found: Vec<Quad> = found.iter().map(|d| d.face).collect();
        let errors = self.refine(mat, &mut found, &kept)?;
        let (first, more) = VIEWS.split_at(FIRST_VIEWS);
        let new = (0..found.len()).filter(|i| kept[*i].is_none());
        let places = new.map(|i| (i, found[i].prints(), first)).collect();
        let mut looks: Vec<Vec<Look>> = found.iter().map(|_| Vec::new()).collect();
        self.look_at(mat, places, &mut looks)?;
        let (weights, own) = self.weights(mat, &found, &looks, &kept)?;
        let doubtful = self.doubtful(&found, &looks, &weights, &kept);
        let clear: Vec<&Detection> = found
            .iter()
            .zip(doubtful.iter().zip(&kept))
            .take(asked)
            .filter_map(|(d, (doubtful, known))| {
                let sure = |s: &Sighting| s.reading.status == Status::Sure;
                let clear = !doubtful && known.as_ref().is_none_or(sure);
                (clear && d.score >= 0.5 && d.shape == Shape::D6).then_some(d)
            })
            .collect();
        let (near, far) = more.split_at(NEAR_VIEWS);
        let still = |doubtful: &[bool]| -> Vec<usize> {
            (0..found.len()).filter(|i| doubtful[*i]).collect()
        };
        let places = still(&doubtful)
            .into_iter()
            .map(|i| (i, found[i].prints(), near));
        self.look_at(mat, places.collect(), &mut looks)?;
        let mut places: Vec<(usize, Vec<Quad>, &[Shift])> = Vec::new();
        let mut framed = Vec::new();
        let mut hasty = vec![false; found.len()];
        for i in still(&self.doubtful(&found, &looks, &weights, &kept)) {
            let d = &found[i];
            hasty[i] = haste[i] == Haste::New && self.is_none(d, &looks[i], &weights[i]);
            if hasty[i] {
                continue;
            }
            places.push((i, d.prints(), far));
            if d.shape != Shape::D6 {
                continue;
            }
            if (d.face.centre() - as_found[i].centre()).norm() > AS_FOUND * d.face.side() {
                places.push((i, vec![as_found[i]], first));
            }
            let as_others = plane::outlines(d, &clear).into_iter();
            places.extend(as_others.map(|face| (i, vec![face], &VIEWS[..AS_OTHERS_VIEWS])));
            if self.may_be_framed(d, &looks[i], &weights[i], haste[i]) {
                framed.push(i);
            }
        }
        let about = self.outlines_about(mat, &framed, &found)?;
        let each = about.iter().enumerate();
        let outlines = each.flat_map(|(i, about)| about.iter().map(move |r| (i, r.face)));
        places.extend(outlines.map(|(i, face)| (i, vec![face], first)));
        self.look_at(mat, places, &mut looks)?;
        let none: Vec<bool> = (0..found.len())
            .map(|i| haste[i] != Haste::None && self.is_none(&found[i], &looks[i], &weights[i]))
            .collect();
        let elsewhere = self.elsewhere(mat, &found, &looks, &weights, &none)?;
        let by_it = VIEWS.split_at(FIRST_VIEWS + NEAR_VIEWS).0;
        let places = elsewhere.iter().enumerate().filter_map(|(i, e)| {
            let face = e.as_ref()?.truly.face;
            Some((i, vec![face], by_it))
        });
        self.look_at(mat, places.collect(), &mut looks)?;
        let unlikely: Vec<bool> = none.iter().zip(&hasty).map(|(a, b)| *a || *b).collect();
        let beside = self.beside(mat, &found, &looks, &weights, (&kept, &unlikely))?;
        let read = found
            .into_iter()
            .zip(looks.into_iter().zip(beside))
            .zip(weights.into_iter().zip(own))
            .zip(
                kept.into_iter()
                    .zip(errors.into_iter().zip(elsewhere.into_iter().zip(about))),
            )
            .take(asked)
            .map(
                |(((d, (looks, beside)), (weights, own)), (known, (error, (elsewhere, about))))| {
                    if let Some(known) = known {
                        return Ok(known);
                    }
                    let Judged {
                        mut reading,
                        of_kind,
                        turn,
                        outline,
                    } = self.judge_beside(&d, &looks, &weights, &beside);
                    let (face, error, polygon) = match d.shape {
                        Shape::D6 => {
                            let face = outline.unwrap_or(d.face);
                            let there =
                                elsewhere.filter(|e| [e.outline, e.truly.face].contains(&face));
                            let (face, error) = match there {
                                Some(e) => (e.truly.face, e.truly.error),
                                None if face == d.face => (face, error),
                                None => {
                                    let refined = about.iter().find(|r| r.face == face);
                                    (face, refined.map_or(FACE_ERROR, |r| r.error))
                                }
                            };
                            (face, error, face.turned((4 - turn) % 4))
                        }
                        _ => (d.face, error, d.from_corner(turn)),
                    };
                    doubt_colour(&mut reading, of_kind, &own);
                    if self.has_another_ink(mat, d.shape, &reading, &face)? {
                        reading.doubt();
                    }
                    Ok(Sighting {
                        shape: d.shape,
                        score: d.score,
                        there: self.there(d.score, reading.likeness),
                        polygon,
                        error,
                        reading,
                    })
                },
            )
            .collect::<Result<_, VisionError>>()?;
        Ok((read, hasty))
    }

    /// Whether a doubtful cube is looked at in outlines about its own: where it looks like none of the copy's faces, and no surface's print may be what is seen; in one frame of
    /// many only what looks like a die.
    fn may_be_framed(&self, d: &Detection, looks: &[Look], weights: &[f64], haste: Haste) -> bool {
        let in_time = haste == Haste::None || d.score >= HARDLY;
        let likeness = || self.judge(d, looks, weights).reading.likeness;
        d.on_table && in_time && likeness() < LIKE
    }

    /// The top faces that cubes may have whose outline, as it was refined, is a frame or a diamond in their print; for each die.
    fn outlines_about(
        &mut self,
        mat: &Mat,
        which: &[usize],
        found: &[Detection],
    ) -> Result<Vec<Vec<Refined>>, VisionError> {
        let about = which.iter().flat_map(|&i| {
            let face = found[i].face;
            let diamond = face.about();
            let wider = [face.scaled(FRAMED), diamond, diamond.scaled(WIDER)];
            wider.map(|wider| (i, wider))
        });
        let (of, about): (Vec<usize>, Vec<Quad>) = about.unzip();
        let refined = self.refiner.refine(mat, &about)?;
        let mut out: Vec<Vec<Refined>> = found.iter().map(|_| Vec::new()).collect();
        for (i, refined) in of.into_iter().zip(refined) {
            let Some(refined) = refined else {
                continue;
            };
            let face = refined.face;
            let same = |q: &Quad| {
                let larger = (q.side() / face.side()).ln().abs();
                (q.centre() - face.centre()).norm() < AS_FOUND * face.side() && larger < AS_FOUND
            };
            if !same(&found[i].face) && !out[i].iter().any(|r| same(&r.face)) {
                out[i].push(refined);
            }
        }
        Ok(out)
    }

    /// Whether it hardly looks like a die, and its print by the looks at it like no face of the copy's.
    fn is_none(&self, d: &Detection, looks: &[Look], weights: &[f64]) -> bool {
        let there = || self.there(d.score, self.judge(d, looks, weights).reading.likeness);
        d.score < HARDLY && there() < memory::NONE
    }

    /// Where cubes truly lie whose print is likest in another outline than the one that was refined for them; not of what
    /// is `none`.
    fn elsewhere(
        &mut self,
        mat: &Mat,
        found: &[Detection],
        looks: &[Vec<Look>],
        weights: &[Vec<f64>],
        none: &[bool],
    ) -> Result<Vec<Option<Elsewhere>>, VisionError> {
        let each = found.iter().zip(looks).zip(weights.iter().zip(none));
        let outlines: Vec<Option<Quad>> = each
            .map(|((d, looks), (weights, none))| {
                let cube = d.shape == Shape::D6 && !looks.is_empty() && !none;
                let outline = cube
                    .then(|| self.judge(d, looks, weights).outline)
                    .flatten();
                outline.filter(|o| *o != d.face)
            })
            .collect();
        let some: Vec<Quad> = outlines.iter().flatten().copied().collect();
        let mut refined = self.refiner.refine(mat, &some)?.into_iter();
        let mut place = |outline: Quad| {
            let truly = refined.next().flatten()?;
            Some(Elsewhere { outline, truly })
        };
        Ok(outlines
            .into_iter()
            .map(|o| o.and_then(&mut place))
            .collect())
    }

    /// Of each cube that is not known, nor `unlikely` to be any, the log-odds that it shows the faces that it may be, held beside their pictures: likeliest
    /// first, and no other one of what is sure by what was looked at.
    fn beside(
        &mut self,
        mat: &Mat,
        found: &[Detection],
        looks: &[Vec<Look>],
        weights: &[Vec<f64>],
        (kept, unlikely): (&[Option<Sighting>], &[bool]),
    ) -> Result<Vec<Said>, VisionError> {
        let Some(mut comparer) = self.comparer.take() else {
            return Ok(vec![Said::default(); found.len()]);
        };
        let doubtful = self.doubtful(found, looks, weights, kept);
        let asked = (0..found.len()).map(|i| -> (Option<Evidence>, Vec<(usize, Quad)>) {
            let d = &found[i];
            let asks = kept[i].is_none() && !unlikely[i] && d.shape == Shape::D6;
            let evidence = asks.then(|| self.evidence(d, &looks[i], &weights[i]));
            let evidence = evidence.flatten().filter(|e| {
                // whatever else is seen there need not be compared
                self.there(d.score, e.likeness()) >= memory::NONE
            });
            let mut faces = evidence.as_ref().map_or(Vec::new(), Evidence::likely);
            faces.truncate(if doubtful[i] { faces.len() } else { 1 });
            (evidence, faces)
        });
        let (evidence, asked): (Vec<_>, Vec<_>) = asked.unzip();
        let said = comparer.odds(mat, &asked).and_then(|odds| {
            let each = odds.into_iter().zip(evidence.iter().zip(&asked));
            let each = each.map(|(odds, (evidence, asked))| {
                let choices = Vec::new();
                let mut said = Said { odds, choices };
                if let Some(evidence) = evidence {
                    let kind = |i: usize| Some(self.faces(Shape::D6).get(i)?.kind.as_str());
                    said.choices = comparer.choose(mat, evidence, asked, &said, kind)?;
                }
                Ok(said)
            });
            each.collect()
        });
        self.comparer = Some(comparer);
        said
    }

    /// Reads faces at places round where they lie, each with the number of its die, whose looks they join.
    fn look_at(
        &mut self,
        mat: &Mat,
        places: Vec<(usize, Vec<Quad>, &[Shift])>,
        looks: &mut [Vec<Look>],
    ) -> Result<(), VisionError> {
        let mut jobs: Vec<(&Mat, Quad)> = Vec::new();
        for (_, faces, views) in &places {
            let each = views.iter().flat_map(|v| faces.iter().map(|f| v.of(f)));
            for view in each {
                jobs.push((mat, view));
                jobs.extend(self.closer.map(|part| (mat, view.scaled(part))));
            }
        }
        let mut vectors = self.embed(&jobs)?.into_iter();
        for (i, faces, views) in places {
            for _ in views {
                let prints = faces.iter().map(|face| Print {
                    outline: *face,
                    vector: vectors.next().unwrap_or_default(),
                    middle: self.closer.and_then(|_| vectors.next()),
                });
                looks[i].push(Look(prints.collect()));
            }
        }
        Ok(())
    }

    /// Which of the dice that are not known already are not sure by what was looked at.
    fn doubtful(
        &self,
        found: &[Detection],
        looks: &[Vec<Look>],
        weights: &[Vec<f64>],
        kept: &[Option<Sighting>],
    ) -> Vec<bool> {
        let each = found.iter().zip(looks).zip(weights).zip(kept);
        let sure = each.map(|(((d, looks), weights), known)| {
            known.is_none() && self.judge(d, looks, weights).reading.status != Status::Sure
        });
        sure.collect()
    }

    /// Takes outlines for what they truly are, of the dice that are not known already; and how far off their middles may
    /// be after that, as parts of their sides.
    fn refine(
        &mut self,
        mat: &Mat,
        found: &mut [Detection],
        kept: &[Option<Sighting>],
    ) -> Result<Vec<f64>, VisionError> {
        let mut errors = vec![FACE_ERROR; found.len()];
        let new = found.iter_mut().zip(&mut errors).zip(kept);
        let new = new.filter(|(_, k)| k.is_none()).map(|(new, _)| new);
        let new: Vec<(&mut Detection, &mut f64)> = new.collect();
        let faces: Vec<Quad> = new.iter().map(|(d, _)| d.face).collect();
        let refined = self.refiner.refine(mat, &faces)?;
        for ((d, error), refined) in new.into_iter().zip(refined) {
            if let Some(refined) = refined {
                d.lies_at(refined.face);
                *error = refined.error;
            }
        }
        Ok(errors)
    }

    /// The copy's faces on dice of a shape.
    fn faces(&self, shape: Shape) -> &[Known] {
        self.galleries
            .get(&shape)
            .map_or(&[], |g| g.faces.as_slice())
    }
}

#[cfg(test)]
mod tests;
