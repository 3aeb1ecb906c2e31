//! Miniatures, tokens, crystals and dice on surfaces that were found, and what hides a surface.
//!
//! A surface is laid flat beside its print. One network sees both, and how far what stands up leans away from the
//! camera at each place, and says what may stand where; a second looks at each of these closely; another turns each piece that was cut out into a vector, which
//! is compared with those of the owner's photographs. A surface that looks as it did is not looked at again.

mod enrolled;
mod flat;
mod found;
mod judge;
mod maps;
mod reader;
mod turned;
mod views;

use std::path::Path;

use nalgebra::Vector2;
use opencv::{
    core::{self, Mat},
    prelude::*,
};

use self::{
    enrolled::{Enrolled, QUARTERS, mean},
    flat::{Cast, Flat, Sizes},
    found::{Found, OnToken},
    judge::{Judge, Laid},
    maps::{CHANNELS, Maps, Peak, STRIDE},
    reader::norm,
};
use super::{
    Cube, Form, PieceSighting, Standing, crop,
    detector::Effort,
    eye::VisionError,
    gallery::dot,
    likeliest::{self, Answers, Chances},
    model::{Dim, Model},
};
use crate::{
    capture::Picture,
    copy::{Copy, Shape, Status, Surface},
    geometry::{Point, Quad, View},
    rig::{Sight, Tray},
};
pub(super) use reader::PieceReader;

/// A ship or token is `sure` when the chance that it is this one is at least this: of what is said so on 67 copies that trained
/// nothing, 1,283 of 1,284 tokens and 297 of 298 ships are right (`piece_chances.py`), on tables of 23 copies 117 of 118 ships since what is said of them is weighed by tables, too
/// (`recalibrate.py`). And a crystal when it is there by that chance.
const SURE: f64 = 0.95;
/// How likely a miniature of the copy's stands on a board all of which is in the picture; set by judgement.
const ON_BOARD: f64 = 0.9;
/// What is a ship by at least this chance is compared with the copy's: what they are like then counts more.
const MAYBE_SHIP: f64 = 0.1;
/// A token is bare if its print is so like a photograph of it: correlation in colour, as of a surface that shows just what is printed there.
const BARE: f64 = 0.85;
/// Log-odds that a crystal is the copy's: the reader has not learnt to tell crystals, so that none is compared.
const UNCOMPARED: f64 = 20.0;
/// The least length of the heading's vector, 1 where the net has no doubt, at which the nose is known.
const POINTED: f64 = 0.8;
/// How much liker the copy's ships one must be that is turned by a quarter or a half from where its nose was found to be: of 414 ships of 35 copies 310 lay within
/// an eighth of a turn without looking, 320 with this (0.05: 318, 0.15: 317).
const TURNED: f64 = 0.1;
/// How a ship faces is sure only if it is liker by so much than turned: of the same ships 124 of 125 that are sure so have their nose where it is said to be, 180 of 187 of all that
/// would be sure without. The length of its heading's vector tells little of it.
const NOSE: f64 = 0.1;
/// Ways in which a picture that is asked about by itself is shown to the detector.
const VIEWS: usize = 8;
/// The least score of what may be a die.
const MAYBE_DIE: f64 = 0.1;
/// A surface looks as it did while no block of pixels of it changed by more levels, and no corner moved by more
/// pixels.
const SAME_LEVELS: f64 = 8.0;
const SAME_PX: f64 = 0.5;
const BLOCK: i32 = 4;

/// What a surface showed when it was last looked at.
struct Last {
    corners: Quad,
    camera_mm: [f64; 3],
    /// In means of blocks.
    look: Mat,
    /// Ways in which it was shown to the detector.
    views: usize,
    found: Vec<Found>,
    dice: Vec<Die>,
    /// Millimetres: what is covered, and what is so well within that a place there is hidden.
    covers: Vec<Quad>,
    hidden: Vec<Quad>,
    /// How much of the surface is in the picture.
    shown: f64,
}

/// A die on one surface.
struct Die {
    score: f64,
    /// Its foot's middle, and half its edge.
    at_mm: [f64; 2],
    half_mm: f64,
    /// Clockwise from up, degrees; one of the four ways it may be turned.
    heading: f64,
}

/// Reads what stands on a copy's surfaces.
pub struct Pieces {
    detector: Model,
    judge: Judge,
    reader: PieceReader,
    /// Mean and deviation that the detector takes pixels by.
    norm: (f32, f32),
    /// The least score of what is looked at closely.
    threshold: f64,
    flats: Vec<Flat>,
    enrolled: Vec<Enrolled>,
    unread: Vec<VisionError>,
    /// Edges of the copy's dice.
    edges_mm: Vec<f64>,
}

impl Pieces {
    /// Loads both models from `models`; `None` for a copy with nothing to read them on.
    ///
    /// # Errors
    /// A model that does not match, or a picture of the copy that cannot be read.
    pub fn open(models: &Path, copy: &Copy, threads: usize) -> Result<Option<Self>, VisionError> {
        let surfaces: Vec<&Surface> = copy
            .surfaces
            .iter()
            .filter(|s| s.reference.is_some())
            .collect();
        if surfaces.is_empty() || (copy.miniatures.is_empty() && copy.tokens.is_empty()) {
            return Ok(None);
        }
        let any = [Dim::Is(1), Dim::Is(8), Dim::Free, Dim::Free];
        let detector = Model::load(
            &models.join("piece-detector.onnx"),
            "piece-detector",
            1,
            any,
            4,
            threads,
        )?;
        let square = detector.info.within("square", 16.0, 128.0)?;
        let mut reader = PieceReader::load(models, threads)?;
        let enrolled = reader.enrol(copy)?;
        let mut pieces = Self {
            norm: norm(&detector)?,
            threshold: detector.info.within("threshold", 0.01, 0.99)?,
            judge: Judge::load(models, threads)?,
            detector,
            reader,
            flats: Vec::new(),
            enrolled: enrolled.all,
            unread: enrolled.unread,
            edges_mm: edges(copy),
        };
        for s in surfaces {
            match Flat::of(s, square, pieces.norm) {
                Ok(flat) => pieces.flats.extend(flat),
                // a surface whose reference cannot be read is one that has none
                Err(e @ VisionError::Picture(_)) => pieces.unread.push(e),
                Err(e) => return Err(e),
            }
        }
        Ok(Some(pieces))
    }

    /// Pictures of pieces and surfaces that could not be read.
    pub fn unread(&self) -> &[VisionError] {
        &self.unread
    }

    /// What stands on these surfaces, and what hides them.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn look(
        &mut self,
        picture: &Picture,
        sight: &Sight,
        effort: Effort,
    ) -> Result<Standing, VisionError> {
        let views = match effort {
            Effort::Still => VIEWS,
            _ => 1,
        };
        let mat = crop::mat(picture)?;
        let mut out = Standing::default();
        let mut found = Vec::new();
        let mut sizes = Sizes::of(mat);
        for (tray, view) in sight.views() {
            let Some(which) = self.flats.iter().position(|f| f.id == tray.id) else {
                continue;
            };
            let cast = self.flats.get(which).and_then(|f| Cast::of(f, tray, view));
            let Some(cast) = cast else { continue };
            self.examine(&mut sizes, which, &cast, views)?;
            let Some(flat) = self.flats.get(which) else {
                continue;
            };
            let Some(last) = &flat.last else { continue };
            let in_picture = |q: &Quad| cast.quad(q);
            out.covers.extend(last.covers.iter().filter_map(in_picture));
            let hidden = last.hidden.iter().map(|q| (tray.id.clone(), *q));
            out.hidden.extend(hidden);
            found.extend(last.found.iter().map(|f| (which, cast.clone(), f.clone())));
            let cube = |d: &Die| self.cube(tray, d, view);
            out.cubes.extend(last.dice.iter().filter_map(cube));
        }
        let chances = self.told_apart(&found);
        for ((which, cast, f), (name, answers)) in found.into_iter().zip(chances) {
            // what was looked at in case, and is none of the copy's
            if name.is_none() && f.score < self.judge.threshold {
                continue;
            }
            out.pieces
                .extend(self.sighting(which, &cast, &f, name, &answers));
        }
        Ok(out)
    }

    /// Looks at one surface, if it does not look as it did.
    fn examine(
        &mut self,
        picture: &mut Sizes,
        which: usize,
        cast: &Cast,
        views: usize,
    ) -> Result<(), VisionError> {
        let Some(flat) = self.flats.get_mut(which) else {
            return Ok(());
        };
        let twice = flat.laid(picture, cast)?;
        let flat = &*flat;
        let now = crop::scaled(&twice, flat.size_px[0] as i32, flat.size_px[1] as i32)?;
        let look = small(&now)?;
        if let Some(last) = &flat.last
            && last.views >= views
            && last.is_same(cast, &look)?
        {
            return Ok(());
        }
        let [w, h] = flat.size_px;
        let lean = |x: f64, y: f64| {
            let [cx, cy, cz] = cast.camera_mm;
            let p = flat.mm(x, y);
            [(p.x - cx) / cz, (p.y - cy) / cz]
        };
        let mut data = Vec::with_capacity(8 * w * h);
        crop::append_planes(&now, w, h, self.norm.0, self.norm.1, &mut data)?;
        data.extend(&flat.print);
        for axis in 0..2 {
            for y in 0..h {
                data.extend((0..w).map(|x| lean(x as f64, y as f64)[axis] as f32));
            }
        }
        let (mw, mh) = (w / STRIDE, h / STRIDE);
        let mut answers = Vec::new();
        for way in views::ways(views) {
            let [sw, sh] = way.size(w, h);
            let [mw, mh] = way.size(mw, mh);
            let shown = way.planes(&data, [w, h]);
            let expected = [1, CHANNELS, mh, mw];
            let answer = self.detector.run([1, 8, sh, sw], &shown, &expected)?;
            answers.push((way, answer));
        }
        let answer = views::weighed(answers, [mw, mh]);
        let maps = Maps {
            values: &answer,
            w: mw,
            h: mh,
        };
        let seen = maps.peaks(self.threshold.min(MAYBE_DIE));
        let (pieces, mut seen): (Vec<Peak>, Vec<Peak>) =
            seen.into_iter().partition(|p| p.form.is_some());
        seen.retain(|p| p.score >= MAYBE_DIE);
        let pieces = pieces.into_iter().filter(|p| p.score >= self.threshold);
        let laid = Laid {
            twice: &twice,
            print: &flat.picture,
        };
        let leans = |p: Point| Vector2::from(lean(p.x, p.y));
        seen.extend(self.judge.judged(&laid, leans, pieces.collect(), views)?);
        let [pw, ph] = picture.size();
        // what is outside the picture nobody sees
        let is_in = |p: Point| {
            let px = cast.about(p);
            px.is_some_and(|p| (0.0..pw).contains(&p.x) && (0.0..ph).contains(&p.y))
        };
        let outside: Vec<bool> = (0..mh)
            .flat_map(|y| (0..mw).map(move |x| (x, y)))
            .map(|(x, y)| !is_in(flat.cell(x, y)))
            .collect();
        let beyond = outside.iter().filter(|o| **o).count();
        let shown = 1.0 - beyond as f64 / outside.len().max(1) as f64;
        let on_it = |q: Quad| flat.inside(&Quad(q.0.map(|p| flat.mm(p.x, p.y))));
        let covers = maps.covers(&outside, false)?.into_iter().filter_map(on_it);
        let covers = covers.collect();
        let hidden = maps.covers(&outside, true)?.into_iter().filter_map(on_it);
        let hidden = hidden.collect();
        let mut found = Vec::new();
        let mut dice = Vec::new();
        let mut cuts = Vec::new();
        let mut prints = Vec::new();
        let mut turns = Vec::new();
        for p in seen {
            let at = flat.mm(p.at.x, p.at.y);
            let inside = |v: f64, most: f64| (0.0..=most).contains(&v);
            let [w, h] = flat.size_mm;
            if !inside(at.x, w) || !inside(at.y, h) || !is_in(at) {
                continue;
            }
            let Some(form) = p.form else {
                dice.push(Die {
                    score: p.score,
                    at_mm: [at.x, at.y],
                    half_mm: p.half / flat.per_mm,
                    heading: p.heading,
                });
                continue;
            };
            // a miniature covers more than the place about its foot
            let is_print = || form != Form::Ship && flat.is_printed(&data, p.at, p.half);
            let least = match form {
                Form::Ship => MAYBE_SHIP,
                _ => self.judge.threshold,
            };
            if p.score < least || is_print() {
                continue;
            }
            let mut middle = p.at;
            if form == Form::Ship {
                middle += Vector2::from(lean(p.at.x, p.at.y)) * p.half * self.reader.lift;
            }
            let middle = Point::new(middle.x * 2.0 + 0.5, middle.y * 2.0 + 0.5);
            let (from, angles): (f64, &[f64]) = match form {
                Form::Ship => (p.heading, &QUARTERS),
                Form::Token => (0.0, &QUARTERS),
                Form::Crystal => (0.0, &[]),
            };
            for angle in angles {
                cuts.push(crop::square(
                    &twice,
                    middle,
                    4.0 * p.half * self.reader.share,
                    from + angle,
                    self.reader.size as i32,
                )?);
            }
            turns.push(angles.len());
            prints.push(match form {
                Form::Token => turned::prints(
                    &self.reader,
                    &self.enrolled,
                    &twice,
                    middle,
                    [p.half / flat.per_mm, 2.0 * flat.per_mm],
                )?,
                _ => Vec::new(),
            });
            found.push(Found {
                form,
                score: p.score,
                at_mm: [at.x, at.y],
                half_mm: p.half / flat.per_mm,
                heading: p.heading,
                pointed: p.pointed,
                nose: 0.0,
                bare: false,
                may_be_print: false,
                like: Vec::new(),
            });
        }
        let mut vectors = self.reader.vectors(&cuts)?.into_iter();
        for ((f, n), prints) in found.iter_mut().zip(turns).zip(&prints) {
            let seen: Vec<Vec<f32>> = vectors.by_ref().take(n).collect();
            let own = if f.form == Form::Ship {
                let (turn, liker) = self.nose(&seen);
                f.nose = liker;
                f.heading = (f.heading + QUARTERS.get(turn).copied().unwrap_or_default()) % 360.0;
                seen.into_iter().nth(turn)
            } else {
                mean(seen).into_iter().next()
            };
            f.like = self.likenesses(f, own.as_ref(), prints, views);
            f.bare = prints.iter().any(|p| p.1 >= BARE);
        }
        let bare: Vec<Found> = found.iter().filter(|f| f.bare).cloned().collect();
        let on = |f: &Found, what| bare.iter().any(|token| f.on(token) == Some(what));
        found.retain(|f| !on(f, OnToken::IsPrint));
        for f in &mut found {
            f.may_be_print = on(f, OnToken::MayLie);
        }
        if let Some(flat) = self.flats.get_mut(which) {
            flat.last = Some(Last {
                corners: cast.corners,
                camera_mm: cast.camera_mm,
                look,
                views,
                found,
                dice,
                covers,
                hidden,
                shown,
            });
        }
        Ok(())
    }

    /// The top face of a die of the copy's that stands there.
    fn cube(&self, tray: &Tray, d: &Die, view: &View) -> Option<Cube> {
        let off = |edge: &f64| (edge / (2.0 * d.half_mm)).ln().abs();
        let edge = self
            .edges_mm
            .iter()
            .min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let turn = nalgebra::Rotation2::new(d.heading.to_radians());
        let mut face = [Point::origin(); 4];
        let foot = Point::from(d.at_mm);
        let drift = tray.drift.as_ref().and_then(|drift| drift.at(foot));
        let foot = drift.map_or(foot, |drift| foot + drift.by);
        for (corner, [x, y]) in face.iter_mut().zip(RING) {
            let at = foot + turn * Vector2::new(x, y) * (edge / 2.0);
            *corner = view.pixel(at, *edge)?;
        }
        Some(Cube {
            surface: tray.id.clone(),
            score: d.score,
            face: Quad(face),
            middle: view.pixel(foot, edge / 2.0)?,
        })
    }

    /// In which of four quarter turns from where its nose was thought to be a miniature is like one of the copy's, and by how much more than in the
    /// others: a tail may look like a nose, and the owner's photographs know better.
    fn nose(&self, seen: &[Vec<f32>]) -> (usize, f64) {
        let ships = || self.enrolled.iter().filter(|e| e.form == Form::Ship);
        let like = |v: &Vec<f32>| {
            let views = ships().flat_map(|e| &e.vectors);
            views.map(|o| dot(o, v)).fold(-1.0, f64::max)
        };
        likest_turn(&seen.iter().map(like).collect::<Vec<_>>())
    }

    /// Log-odds of each enrolled piece of that form against being none.
    fn likenesses(
        &self,
        f: &Found,
        vector: Option<&Vec<f32>>,
        prints: &[(usize, f64)],
        views: usize,
    ) -> Vec<(usize, f64)> {
        let weights = self.reader.weights(f.form, views);
        let all = self.enrolled.iter().enumerate();
        let all = all.filter(|(_, e)| e.fits(f.form, f.half_mm));
        all.map(|(i, e)| {
            let Some(v) = vector else {
                return (i, UNCOMPARED);
            };
            let dot = |o: &Vec<f32>| dot(o, v);
            if f.form == Form::Ship {
                // the likest of its views, since a photograph may have failed
                let like = e.vectors.iter().map(dot).fold(-1.0, f64::max);
                return (i, weights.odds(f.score, like, 0.0));
            }
            let like = e.vectors.first().map_or(-1.0, dot);
            let print = prints.iter().find(|(of, _)| *of == i).map_or(0.0, |p| p.1);
            (i, weights.odds(f.score, like, print))
        })
        .collect()
    }

    /// For each piece what it is taken for, and what it may be: there is only one of each miniature, and it is expected to stand on
    /// the board.
    fn told_apart(&self, found: &[(usize, Cast, Found)]) -> Vec<(Option<usize>, Answers)> {
        let is_ship = |i: &usize| found.get(*i).is_some_and(|f| f.2.form == Form::Ship);
        let (ships, rest): (Vec<usize>, Vec<usize>) = (0..found.len()).partition(is_ship);
        let mut out = vec![(None, Answers::new()); found.len()];
        let odds = |i: &usize| found.get(*i).map(|f| f.2.like.clone()).unwrap_or_default();
        for i in rest {
            let answers = likeliest::alone(&odds(&i));
            let first = answers.first().and_then(|a| a.0);
            if let Some(o) = out.get_mut(i) {
                *o = (first, answers);
            }
        }
        let board = |which: usize| self.flats.get(which).filter(|f| f.is_board);
        let shown = found.iter().filter_map(|f| board(f.0)?.last.as_ref());
        let shown = shown.map(|last| last.shown).fold(0.0, f64::max);
        let here = ON_BOARD * shown;
        let missed = ((1.0 - here) / here.max(1.0 - ON_BOARD)).ln().min(0.0);
        // the likeliest first: only so many are weighed together
        let best = |o: &Chances| o.iter().map(|o| o.1).fold(f64::MIN, f64::max);
        let mut like: Vec<(usize, Chances)> = Vec::new();
        for i in ships {
            let mut odds = odds(&i);
            if found.get(i).is_none_or(|f| board(f.0).is_none()) {
                // nobody expects it anywhere else
                odds.iter_mut().for_each(|o| o.1 += missed);
            }
            like.push((i, odds));
        }
        like.sort_by(|a, b| best(&b.1).total_cmp(&best(&a.1)));
        let (ships, like): (Vec<usize>, Vec<Chances>) = like.into_iter().unzip();
        let names = likeliest::one_each(&likeliest::each_once(&like, missed));
        // what is expected makes nothing surer
        let answers = likeliest::each_once(&like, 0.0);
        for ((i, name), answers) in ships.into_iter().zip(names).zip(answers) {
            if let Some(o) = out.get_mut(i) {
                *o = (name, answers);
            }
        }
        out
    }

    fn sighting(
        &self,
        which: usize,
        cast: &Cast,
        f: &Found,
        name: Option<usize>,
        answers: &Answers,
    ) -> Option<PieceSighting> {
        let flat = self.flats.get(which)?;
        let chance = answers.iter().find(|a| a.0 == name).map_or(0.0, |a| a.1);
        let what = name.and_then(|i| self.enrolled.get(i));
        let may_be = answers.iter().filter(|(_, chance)| *chance >= 1.0 - SURE);
        let may_be = may_be.map(|(i, _)| Some(self.enrolled.get((*i)?)?.what.clone()));
        let status = match what {
            None => Status::Unknown,
            Some(_) if f.form == Form::Crystal && (f.score < SURE || f.may_be_print) => {
                Status::Unsure
            }
            Some(_) if chance >= SURE => Status::Sure,
            Some(_) => Status::Unsure,
        };
        let has_front = f.form == Form::Ship && f.pointed >= POINTED;
        let turn = nalgebra::Rotation2::new(f.heading.to_radians());
        let middle = Point::from(f.at_mm);
        let round = RING.map(|[x, y]| middle + turn * Vector2::new(x, y) * f.half_mm);
        let polygon = cast.quad(&Quad(round))?;
        Some(PieceSighting {
            surface: flat.id.clone(),
            form: f.form,
            what: what.map(|e| e.what.clone()),
            may_be: may_be.collect(),
            status,
            confidence: if f.form == Form::Crystal {
                f.score
            } else {
                chance
            },
            at_mm: f.at_mm,
            error_mm: self.judge.error_px / flat.per_mm,
            size_mm: 2.0 * f.half_mm,
            heading_deg: has_front.then(|| (f.heading - 90.0).rem_euclid(360.0)),
            heading_sure: f.form != Form::Ship || has_front && f.nose >= NOSE,
            polygon,
            bare: f.bare,
        })
    }
}

/// The likest of a ship's turns, where the first is how it seems to lie, and by how much it is liker than the next.
fn likest_turn(like: &[f64]) -> (usize, f64) {
    let weighed = |turn: usize, like: f64| like + if turn == 0 { TURNED } else { 0.0 };
    let better =
        |a: &(usize, &f64), b: &(usize, &f64)| weighed(a.0, *a.1).total_cmp(&weighed(b.0, *b.1));
    let Some((turn, best)) = like.iter().enumerate().max_by(better) else {
        return (0, 0.0);
    };
    let others = like.iter().enumerate().filter(|t| t.0 != turn);
    (turn, best - others.map(|t| *t.1).fold(-1.0, f64::max))
}

/// Edges of the copy's dice, each once.
fn edges(copy: &Copy) -> Vec<f64> {
    let dice = copy.dice.iter().filter(|d| d.shape == Shape::D6);
    let mut out: Vec<f64> = dice.map(|d| d.size_mm).collect();
    out.sort_by(f64::total_cmp);
    out.dedup();
    out
}

/// Corners of a square about its middle, clockwise from the upper left.
const RING: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

impl Last {
    fn is_same(&self, cast: &Cast, look: &Mat) -> Result<bool, VisionError> {
        let corners = self.corners.0.iter().zip(&cast.corners.0);
        let moved = corners.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let mut stood = self.camera_mm.iter().zip(&cast.camera_mm);
        let stands = stood.all(|(a, b)| (a - b).abs() < 0.05 * b.abs().max(50.0));
        if !stands || moved > SAME_PX || look.size()? != self.look.size()? {
            return Ok(false);
        }
        let none = core::no_array();
        Ok(core::norm2(look, &self.look, core::NORM_INF, &none)? <= SAME_LEVELS)
    }
}

/// A flat picture in means of blocks.
fn small(now: &Mat) -> Result<Mat, VisionError> {
    crop::scaled(now, now.cols() / BLOCK, now.rows() / BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_no_nose_where_the_photographs_say_so_plainly() {
        let is = |like: &[f64], turn: usize, by: f64| {
            let (found, liker) = likest_turn(like);
            assert_eq!(found, turn, "{like:?}");
            assert!((liker - by).abs() < 1e-9, "{like:?}: {liker}");
        };
        is(&[0.8, 0.1, 0.3, 0.2], 0, 0.5);
        // the other way round it is a little liker: it stays, and is not sure
        is(&[0.6, 0.1, 0.65, 0.2], 0, -0.05);
        is(&[0.6, 0.1, 0.75, 0.2], 2, 0.15);
        // a copy without miniatures knows of none
        is(&[-1.0; 4], 0, 0.0);
        is(&[], 0, 0.0);
    }
}
