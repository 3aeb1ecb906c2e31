//! Looks for surfaces in a whole picture, in steps, so that a live line can spread it over its frames.
//!
//! Surfaces with markers are looked for by these first. Then the picture is searched in several forms. First as it is; a surface is sought by robust matching. Once
//! one surface is found, the table's plane is known: the picture is laid flat and lightened, where all
//! others have the size and shape of their references, so that a few matches that agree on a place and a
//! turn are enough. Where none was found, the picture is lightened and enlarged instead. What is then still missing
//! is looked for where a network sees a card, laid flat as it is seen, and by its outline: wherever a rectangle of its size lies, its print is compared.
//! What was found and is not clear is looked for again in every form that follows.

use std::{collections::VecDeque, thread};

use opencv::prelude::*;

use super::{
    Seek, Shown,
    align::Pyramid,
    apart,
    form::Form,
    grounds::Grounds,
    hypothesis::Hypothesis,
    livery::{Whose, whose},
    map::{self, Map},
    markers::{self, Markers},
    outline::{self, Place, Sweep},
    reference::Care,
    shape::on_one_table,
    table::{self, Table},
    trial::{better, in_its_shape, is_rivalled, laid_fully},
};
use crate::{
    geometry::{Quad, covered},
    vision::{crop, detector::Effort, eye::VisionError},
};

/// A surface is believed in at once from this share of agreeing blocks.
pub(super) const CLEAR: f64 = 0.6;
/// Pixels a millimetre from which an outline and some lines in it are a card: a usual die has 20 pixels then. Where fewer are, its
/// print must be clear or four edges speak for it, and below the second it may be anything.
pub(super) const FINE: f64 = 1.25;
const LEAST_FINE: f64 = 0.8;
/// Of two cards that a network sees, one is meant where so much of each lies in the other. Set by judgement.
const MOSTLY: f64 = 0.75;
/// What seems to lie on another one covers more of one of the two. Set by judgement.
const TOUCHING: f64 = 0.06;
/// How often a search is begun anew because the table became known. Set by judgement.
const ANEW: u32 = 3;
/// Forms of a picture that are searched, still and live.
const FORMS: [usize; 2] = [3, 2];

/// A search of one picture for some surfaces.
pub(in crate::vision) struct Search {
    pictures: Pyramid,
    /// Beside its greys; the cards are taken out once they are tried.
    shown: Shown,
    /// The markers in it, once they have been looked for, and the surfaces still to be looked for by them.
    markers: Option<Markers>,
    marked: VecDeque<usize>,
    /// Those still to be looked for, by their place among the references, in this form.
    queue: VecDeque<usize>,
    /// What came of the next in the queue, which was looked for beside the last.
    ahead: Option<(usize, Option<(usize, Hypothesis)>)>,
    missing: Vec<usize>,
    forms: usize,
    form: Option<Form>,
    /// Whether the picture was looked at lightened.
    lightened: bool,
    /// How often it was begun anew since the table was known.
    anew: u32,
    /// What a network sees as cards, each laid flat as a card of one size.
    flat: Vec<([f64; 2], Form)>,
    outlines: Outlines,
    /// What is known to lie where: found before or by this search.
    found: Vec<(usize, Hypothesis)>,
    /// How the table lies by what is clear of it, millimetres to pixels, once that was asked since something was found.
    plane: Option<Map>,
    effort: Effort,
    /// Whether rectangles on a known table are looked for, too.
    sweeps: bool,
}

/// How far the search by outlines has come.
enum Outlines {
    NotYet,
    /// Looking for rectangles on the table.
    Sweeping(Sweep),
    /// Trying surfaces at these places.
    Trying(Vec<Place>, Whence),
    Over,
}

/// Whence places come that surfaces are tried at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whence {
    /// A network sees a card there.
    Seen,
    /// Four straight lines enclose it.
    Enclosed,
    /// A rectangle of its size on a known table.
    Table,
}

impl Whence {
    /// The share of its print that must agree for a card to be believed in there that few blocks speak for, seen at so many pixels a millimetre; `None` where
    /// none is.
    fn asks(self, density: f64) -> Option<f64> {
        match self {
            Self::Enclosed | Self::Table if density >= FINE => Some(super::POSSIBLE),
            _ => (density >= LEAST_FINE).then_some(CLEAR),
        }
    }
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
        shown: Shown,
        missing: Vec<usize>,
        known: Vec<(usize, Hypothesis)>,
        effort: Effort,
    ) -> Self {
        Self {
            pictures,
            shown,
            markers: None,
            marked: VecDeque::new(),
            queue: VecDeque::new(),
            ahead: None,
            missing,
            forms: 0,
            form: None,
            lightened: false,
            anew: 0,
            flat: Vec::new(),
            outlines: Outlines::NotYet,
            found: known,
            plane: None,
            effort,
            sweeps: true,
        }
    }

    /// The same without its longest part: on a known table cards are tried where a network sees them, and not wherever straight lines may be their sides.
    pub fn without_sweep(mut self) -> Self {
        self.sweeps = false;
        self
    }

    /// Makes one form, or looks for one surface in it.
    pub fn step(&mut self, seeks: &[Seek]) -> Result<Step, VisionError> {
        self.see_plane(seeks);
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
            return Ok(self.take(found.map(|h| (which, h)), seeks));
        }
        if let Some(which) = self.queue.pop_front() {
            let found = self.looked_for(which, seeks)?;
            return Ok(self.take(found, seeks));
        }
        let most = match self.effort {
            Effort::Live => FORMS[1],
            _ => FORMS[0],
        };
        if self.missing.is_empty() {
            return Ok(Step::Over);
        }
        if self.forms >= most {
            if !self.shown.cards.is_empty() {
                self.try_cards(seeks)?;
                return Ok(Step::Nothing);
            }
            if let Outlines::Trying(_, Whence::Seen) = self.outlines {
                self.outlines = Outlines::NotYet;
                self.flat.clear();
                let was_flat = self.form.as_ref().is_some_and(Form::is_flat);
                if !was_flat && self.plane.is_some() && self.anew < ANEW {
                    // now that the table is known, a few features will do for the others
                    self.anew += 1;
                    self.forms = 1;
                    return Ok(Step::Nothing);
                }
            }
            return self.next_outlines(seeks);
        }
        self.form = self.next_form()?;
        let is_lightened = |form: &Form| self.forms > 0 && !form.is_flat();
        self.lightened |= self.form.as_ref().is_some_and(is_lightened);
        self.forms += 1;
        if self.form.is_some() {
            self.queue = self.missing.iter().copied().collect();
        }
        Ok(Step::Nothing)
    }

    /// Looks for a surface of the queue in this form, and for the next one beside it, as if that came after: two processors are
    /// twice as fast, and what is found is the same.
    fn looked_for(
        &mut self,
        which: usize,
        seeks: &[Seek],
    ) -> Result<Option<(usize, Hypothesis)>, VisionError> {
        if let Some((_, found)) = self.ahead.take().filter(|(of, _)| *of == which) {
            let stays = |(i, h): &(usize, Hypothesis)| {
                let elsewhere = *i != which && self.found.iter().any(|(f, _)| f == i);
                let seek = seeks.get(*i).filter(|_| !elsewhere);
                seek.is_some_and(|seek| free(h, seek, &self.found))
            };
            if found.as_ref().is_none_or(stays) {
                return Ok(found);
            }
            // what was found before it lies there
            return self.look(which, seeks);
        }
        let Some(next) = self.queue.front().copied() else {
            return self.look(which, seeks);
        };
        let (now, then) = thread::scope(|scope| {
            let this = &*self;
            let beside = move || this.look(next, seeks);
            let beside = thread::Builder::new().spawn_scoped(scope, beside);
            let now = this.look(which, seeks);
            (now, beside.ok().and_then(|beside| beside.join().ok()))
        });
        let now = now?;
        // what went wrong is met again when its turn comes, and a machine without a thread looks for one at a time
        if let Some(Ok(then)) = then {
            self.ahead = Some((next, then));
        }
        Ok(now)
    }

    /// What is found where a surface is looked for: itself, or another one, if that is what is seen there.
    fn look(
        &self,
        which: usize,
        seeks: &[Seek],
    ) -> Result<Option<(usize, Hypothesis)>, VisionError> {
        let Some(seek) = seeks.get(which) else {
            return Ok(None);
        };
        // whether it lies better than where it was found before is asked when all is known of the new place
        let others = self.found.iter().filter(|(f, _)| *f != which);
        let others: Vec<_> = others.cloned().collect();
        let found = self.likeliest(which, seek, seeks, &others)?;
        match found {
            Some(h) => self.whose(which, h, seeks, &others).map(Some),
            None => Ok(None),
        }
    }

    /// Which surface is seen where one was found.
    fn whose(
        &self,
        which: usize,
        found: Hypothesis,
        seeks: &[Seek],
        others: &[(usize, Hypothesis)],
    ) -> Result<(usize, Hypothesis), VisionError> {
        let rgb = crop::borrowed(&self.shown.picture)?;
        let may_lie = |i: usize, h: &Hypothesis| {
            others.iter().all(|(f, _)| *f != i)
                && seeks.get(i).is_some_and(|seek| free(h, seek, others))
        };
        match whose(seeks, (which, &found), &rgb, &self.pictures, may_lie)? {
            Whose::Another(i, h) => Ok((i, h)),
            Whose::Own | Whose::Open => Ok((which, found)),
        }
    }

    /// The best place of a surface in this form, or at these places.
    fn likeliest(
        &self,
        which: usize,
        seek: &Seek,
        seeks: &[Seek],
        others: &[(usize, Hypothesis)],
    ) -> Result<Option<Hypothesis>, VisionError> {
        match (&self.form, &self.outlines) {
            (_, Outlines::Trying(places, whence)) => {
                self.by_outline(which, seek, seeks, others, places, *whence)
            }
            (Some(form), _) => {
                let found = form.look(seek, &self.pictures, others)?;
                let Some(h) = found else {
                    return Ok(None);
                };
                // where little of it is seen, what another one prints may be what agrees
                let is_another = h.agreement < super::POSSIBLE
                    && is_rivalled(which, &h, seeks, (&self.shown.picture, &self.pictures))?;
                Ok((!is_another).then_some(h))
            }
            _ => Ok(None),
        }
    }

    /// Where the print of a surface agrees best with what is seen at places of its size; `None` where another surface's does
    /// nearly as well there, for plain ones are alike, and no features say which it is.
    fn by_outline(
        &self,
        which: usize,
        seek: &Seek,
        seeks: &[Seek],
        others: &[(usize, Hypothesis)],
        places: &[Place],
        whence: Whence,
    ) -> Result<Option<Hypothesis>, VisionError> {
        let free = |h: &Hypothesis| free(h, seek, others);
        let table = self.plane.as_ref().filter(|_| whence == Whence::Seen);
        let mut best: Option<Hypothesis> = None;
        for place in places
            .iter()
            .filter(|p| p.size_mm == seek.reference.size_mm)
        {
            let map = match (table, whence) {
                // on a known table a card keeps its shape, and what is seen as one of another size is another
                (Some(table), _) => in_its_shape(table, place),
                // its shape is as rough as its place
                (None, Whence::Seen) => {
                    let fit = seek.aligner.unfolded(&self.pictures, &place.map)?;
                    fit.map(|fit| fit.map)
                }
                _ => Some(place.map),
            };
            if let Some(map) = map {
                better(seek, &self.pictures, &map, &free, &mut best)?;
            }
        }
        let by_print = match whence {
            Whence::Seen => self.by_print(seek, free)?,
            _ => None,
        };
        // what several features agree on is no mere outline, also where it was laid on by that
        let is_printed = by_print.as_ref().is_some_and(|p| {
            let of_outline = best.as_ref();
            of_outline.is_none_or(|b| p.agreement > b.agreement || !apart(&p.corners, &b.corners))
        });
        let asks = if is_printed { Whence::Table } else { whence };
        let more = |p: &Hypothesis| best.as_ref().is_none_or(|b| p.agreement > b.agreement);
        let best = by_print.filter(more).or(best);
        let Some(best) = laid_fully(seek, &self.pictures, best, free)? else {
            return Ok(None);
        };
        let [w, h] = seek.reference.size_mm;
        let density = map::density(&best.corners, [w, h]);
        let by_share = asks.asks(density);
        let is_found = best.is_telling() || by_share.is_some_and(|asked| best.agreement >= asked);
        if !is_found && !self.is_likely(&best, [w, h], others)? {
            return Ok(None);
        }
        Ok(
            (!is_rivalled(which, &best, seeks, (&self.shown.picture, &self.pictures))?)
                .then_some(best),
        )
    }

    /// Whether a surface of that size may lie where it was tried on a known table, by its edges and what little of its print agrees: never where it would be
    /// followed, for much more has to agree for that, nor where it would lie on another one.
    fn is_likely(
        &self,
        h: &Hypothesis,
        size_mm: [f64; 2],
        others: &[(usize, Hypothesis)],
    ) -> Result<bool, VisionError> {
        let lies_on = |(_, f): &(usize, Hypothesis)| !are_beside(&f.corners, &h.corners);
        let may_lie = self.effort == Effort::Still
            && self.plane.is_some()
            && map::density(&h.corners, size_mm) >= LEAST_FINE
            && !others.iter().any(lies_on);
        if !may_lie {
            return Ok(false);
        }
        let rgb = crop::borrowed(&self.shown.picture)?;
        Ok(Grounds::of(h, size_mm, &rgb)?.are_likely())
    }

    /// The place that features agree on best of what a network sees as cards of its size, laid flat.
    fn by_print(
        &self,
        seek: &Seek,
        free: impl Fn(&Hypothesis) -> bool + Copy,
    ) -> Result<Option<Hypothesis>, VisionError> {
        let mut best: Option<Hypothesis> = None;
        let own = self.flat.iter();
        for (_, form) in own.filter(|(size, _)| *size == seek.reference.size_mm) {
            if let Some(h) = form.likeliest(seek, &self.pictures, free)? {
                better(seek, &self.pictures, &h.map, &free, &mut best)?;
                if best.as_ref().is_none_or(|b| h.agreement > b.agreement) {
                    best = Some(h);
                }
            }
        }
        Ok(best)
    }

    fn take(&mut self, found: Option<(usize, Hypothesis)>, seeks: &[Seek]) -> Step {
        let Some((which, h)) = found else {
            return Step::Nothing;
        };
        self.queue.retain(|m| *m != which);
        let own = self.found.iter().find(|(f, _)| *f == which);
        let moves = own.is_some();
        if own.is_some_and(|(_, own)| own.explains() >= h.explains()) {
            return Step::Nothing;
        }
        self.found.retain(|(f, _)| *f != which);
        // what is not clear is looked for in the other forms, too: a board's squares agree with a place one further on, or
        // with a board that is drawn out, and what explains more may be seen on a known table
        let is_clear = h.agreement >= CLEAR && h.stands_out();
        self.missing.retain(|m| *m != which || !is_clear);
        // cards do not lie in each other, and all on one table: what explains less is looked for elsewhere
        let (kept, beaten): (Vec<_>, Vec<_>) = std::mem::take(&mut self.found)
            .into_iter()
            .partition(|(f, g)| {
                // what is followed says no more of how little of it agrees
                let stays = match g.is_possible() || self.effort == Effort::Live {
                    true => apart(&g.corners, &h.corners),
                    false => are_beside(&g.corners, &h.corners),
                };
                stays
                    && seeks
                        .get(*f)
                        .is_none_or(|s| on_one_table(g, s.reference.size_mm, &h))
            });
        if moves || !beaten.is_empty() {
            // there is room now where there was none
            self.ahead = None;
        }
        for (b, _) in beaten {
            if !self.missing.contains(&b) {
                self.missing.push(b);
            }
        }
        if let Outlines::Trying(_, Whence::Seen) = self.outlines {
            // the next one was looked for on a table that is known better now
            self.ahead = None;
        }
        self.found = kept;
        self.plane = None;
        self.found.push((which, h.clone()));
        Step::Found(which, h)
    }

    /// The picture that was searched, grey, and everything found in it, each surface at most once, none in another's place.
    pub fn found(self) -> (Pyramid, Vec<(usize, Hypothesis)>) {
        (self.pictures, self.found)
    }

    /// Sees how the table lies by all surfaces that are clear.
    fn see_plane(&mut self, seeks: &[Seek]) {
        if self.plane.is_none() {
            let clear = self.found.iter().filter(|(_, h)| h.agreement >= CLEAR);
            let sized = clear.filter_map(|(f, h)| Some((h, seeks.get(*f)?.reference.size_mm)));
            let mut clear: Vec<_> = sized.collect();
            let says = |h: &Hypothesis| h.corners.area() * h.explains();
            clear.sort_by(|a, b| says(b.0).total_cmp(&says(a.0)));
            self.plane = table::plane(clear, self.pictures.full());
        }
    }

    /// What is still missing is tried where a network sees a card and nothing clear was found.
    fn try_cards(&mut self, seeks: &[Seek]) -> Result<(), VisionError> {
        let mut cards = std::mem::take(&mut self.shown.cards);
        let clear = |h: &Hypothesis| h.agreement >= CLEAR;
        let found = self.found.iter().map(|(_, h)| h).filter(|h| clear(h));
        cards.retain(|card| found.clone().all(|h| apart(&h.corners, card)));
        let sizes = self.missing_sizes(seeks);
        // on a known table features are looked for as it lies flat
        if self.plane.is_none() {
            self.lay_flat(&cards, &sizes)?;
        }
        let cards = outline::sharpened(&self.shown.colours, &cards)?;
        let places = sizes
            .iter()
            .flat_map(|s| outline::within(&cards, *s, outline::TILTED));
        self.outlines = Outlines::Trying(places.collect(), Whence::Seen);
        // the largest first: it says best how the table lies, on which the others keep their shape
        let area = |which: &usize| {
            let size = seeks.get(*which).map(|s| s.reference.size_mm);
            size.map_or(0.0, |[w, h]| w * h)
        };
        let mut queue = self.missing.clone();
        queue.sort_by(|a, b| area(b).total_cmp(&area(a)).then(a.cmp(b)));
        self.queue = queue.into();
        Ok(())
    }

    /// Lays flat what a network sees as cards, each as one of every size that it may have.
    fn lay_flat(&mut self, cards: &[Quad], sizes: &[[f64; 2]]) -> Result<(), VisionError> {
        let mut once: Vec<Quad> = Vec::new();
        for card in cards {
            if once.iter().all(|o| !is_one(o, card)) {
                once.push(*card);
            }
        }
        for place in sizes
            .iter()
            .flat_map(|s| outline::within(&once, *s, outline::TILTED))
        {
            if !place.other_way {
                let form = Form::of_card(self.pictures.full(), &place, self.effort)?;
                self.flat.extend(form.map(|form| (place.size_mm, form)));
            }
        }
        Ok(())
    }

    /// The sizes of what is still missing, each once.
    fn missing_sizes(&self, seeks: &[Seek]) -> Vec<[f64; 2]> {
        let missing = self.missing.iter().filter_map(|m| seeks.get(*m));
        let mut sizes: Vec<[f64; 2]> = missing.map(|s| s.reference.size_mm).collect();
        sizes.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sizes.dedup();
        sizes
    }

    /// The next places to try by outlines: where nothing is known of the table, what four straight lines enclose;
    /// then rectangles on it.
    fn next_outlines(&mut self, seeks: &[Seek]) -> Result<Step, VisionError> {
        let sizes = self.missing_sizes(seeks);
        let table = self.plane;
        self.outlines = match std::mem::replace(&mut self.outlines, Outlines::Over) {
            Outlines::Trying(_, Whence::Enclosed) if table.is_some() && self.anew < ANEW => {
                // now that the table is known, a few features will do for the others
                self.anew += 1;
                self.forms = 1;
                Outlines::NotYet
            }
            Outlines::NotYet if table.is_some() && !self.sweeps => Outlines::Over,
            Outlines::NotYet if table.is_some() => {
                let table =
                    table.and_then(|map| Some((map, Table::of(self.pictures.full(), &map)?)));
                table.map_or(Outlines::Over, |(map, table)| {
                    Outlines::Sweeping(Sweep::new(map, table, sizes))
                })
            }
            Outlines::NotYet => {
                let quads = outline::quads(self.pictures.full())?;
                let places = sizes
                    .iter()
                    .flat_map(|s| outline::within(&quads, *s, outline::SLANTED));
                Outlines::Trying(places.collect(), Whence::Enclosed)
            }
            Outlines::Sweeping(mut sweep) => {
                if sweep.step(&self.pictures)? {
                    Outlines::Trying(sweep.places(), Whence::Table)
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
        match (self.forms, &self.plane) {
            (0, _) => Form::plain(grey, 1.0, false, self.effort).map(Some),
            (_, Some(plane)) => Form::on_plane(grey, plane, self.forms, self.effort),
            (_, None) if self.lightened => Ok(None),
            _ => {
                let small = f64::from(grey.cols()) * f64::from(grey.rows()) < 3.0e6;
                let by = if small { 1.6 } else { 1.0 };
                Form::plain(grey, by, true, self.effort).map(Some)
            }
        }
    }
}

/// Whether two quadrilaterals are of one card.
fn is_one(a: &Quad, b: &Quad) -> bool {
    let (a, b) = (a.polygon(), b.polygon());
    covered(&a, &b).min(covered(&b, &a)) > MOSTLY
}

/// Whether next to nothing of either lies in the other: cards that touch seem to by what they are off.
fn are_beside(a: &Quad, b: &Quad) -> bool {
    let (a, b) = (a.polygon(), b.polygon());
    covered(&a, &b).max(covered(&b, &a)) < TOUCHING
}

/// Whether a surface can lie so beside what was found: where another one is that explains more, it does not, and
/// it lies on the same table.
pub(super) fn free(h: &Hypothesis, seek: &Seek, found: &[(usize, Hypothesis)]) -> bool {
    found.iter().all(|(_, f)| {
        (f.explains() < h.explains() || apart(&f.corners, &h.corners))
            && on_one_table(h, seek.reference.size_mm, f)
    })
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
    Ok(found.is_possible().then_some(found))
}

#[cfg(test)]
mod tests;
