//! Keeps a copy's displays and boards found from frame to frame.
//!
//! What lies where it lay is checked on a small flattened picture and followed when it is nudged. What is
//! not there is `hidden`, its last pose kept, and looked for nearby, one surface a frame; what is missing is
//! looked for in the whole picture, a step of the search a frame, with longer and longer rests between
//! searches, and once it was looked for in vain, where something is new. Times are the source's own, so that a recording gives the same on any machine.

mod track;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use self::track::Track;
use super::{
    crop,
    detector::Effort,
    eye::VisionError,
    news::{News, Searched},
    register::{
        Beside, Care, Fit, Hypothesis, Map, Pyramid, Registered, Registrar, Search, Seek, Step,
        Whose, apart, farthest, grey, of_corners, on_one_table, scaled, whose,
    },
};
use crate::{capture::Picture, geometry::Quad};

/// Share of the comparable blocks that must agree for a surface that was pushed or is found anew; and for one of which little is seen, but more
/// than agrees by chance. Such a one is looked for elsewhere, too.
const FOUND: f64 = 0.45;
const LITTLE: f64 = 0.36;
/// What dice leave free of a surface is compared, and its edges are asked about, so often; and what that says is believed for so long.
pub(super) const PAST_AGAIN: Duration = Duration::from_secs(2);
const BELIEVED_FOR: Duration = Duration::from_millis(4500);
/// Where looks leave open which of two a surface is, they are asked again after so long.
const LOOKS_AGAIN: Duration = Duration::from_secs(2);
/// A search that a change hastens begins no sooner after the end of the last one, however much changes meanwhile.
const BETWEEN: Duration = Duration::from_secs(5);
/// Share of a surface's print that must be in the picture.
const SEEN: f64 = 0.15;
/// For so long a surface that is not where it was is looked for nearby, and after so long in the whole picture.
const NEARBY_FOR: Duration = Duration::from_secs(5);
const ANYWHERE_AFTER: Duration = Duration::from_millis(400);
/// One in so many frames looks for one nearby: that takes some 40 ms where all else that is followed takes five, and under a hand there is nothing
/// to be found.
const NEARBY_EVERY: usize = 2;
/// So many frames in a row go without a step of a search where something else is waited for.
const PATIENCE: u32 = 6;
/// A surface hidden for longer is lost.
const LOST_AFTER: Duration = Duration::from_secs(60);
/// Rests between two searches of the whole picture: longer and longer ones while nothing is found.
const REST: (Duration, Duration) = (Duration::from_millis(700), Duration::from_secs(20));
/// Of so many searches one looks for rectangles on the table, too: that takes half of its time (31 s of the 60 s of five searches in 40 s of a made match, beside other
/// work). Until one has since the last change, not everything was looked for, and the first one at rest does. Set by judgement.
const SWEEPS_EVERY: u32 = 2;
/// What was looked for everywhere in vain is looked for again where there is something new, and after so long.
const AGAIN_AFTER: Duration = Duration::from_secs(60);
/// Where no surface is known a card's shorter side is taken for this part of the picture's width.
const USUAL: f64 = 1.0 / 16.0;
/// Steps of the first search that a frame is given: until it is over little is sure.
const AT_FIRST: u32 = 3;
/// A place farther off, in pixels, is another.
const ELSEWHERE_PX: f64 = 4.0;

/// A search under way.
enum Searching {
    /// Some steps a frame: a recording gives the same on any machine.
    Stepped(Box<Search>),
    Beside(Beside),
}

/// Follows the surfaces of one camera's pictures.
#[derive(Default)]
pub struct Follower {
    tracks: Vec<Track>,
    search: Option<Searching>,
    /// Searches go on beside the frames, and not a step a frame.
    beside: bool,
    /// Expected poses that no frame has confirmed yet.
    expected: Vec<(usize, Quad)>,
    size: [u32; 2],
    next_search: Duration,
    rest: Duration,
    /// Searches since the last one that swept the table, and whether this one does.
    unswept: u32,
    sweeps: bool,
    /// What was searched in vain, and what the search that goes on looks at.
    vain: Searched,
    /// Whose turn it is to be looked for nearby.
    turn: usize,
    /// When the last search began that looked for every surface everywhere; and the one that goes on.
    searched: Option<Duration>,
    search_began: Duration,
    search_ended: Duration,
    /// Steps of a search that the last frame was given.
    steps: u32,
    /// The next frame is given none, and so many before it were not.
    hurries: bool,
    waited: u32,
}

impl Follower {
    /// Says that a surface surely is what it was taken for, by its print beside what hides it or by its edges: that is believed for a while.
    pub fn know(&mut self, registrar: &Registrar, surface: &str, at: Duration) {
        let is = |t: &&mut Track| {
            let seek = registrar.seeks().get(t.which);
            t.held && seek.is_some_and(|s| s.reference.id == surface)
        };
        if let Some(track) = self.tracks.iter_mut().find(is) {
            track.past_until = at + BELIEVED_FOR;
        }
    }

    /// Those that are believed in by that alone, and will not be any more before it is asked again.
    pub fn fading(&self, registrar: &Registrar, at: Duration) -> Vec<String> {
        let fades =
            |t: &&Track| t.held && !t.known && (at..at + PAST_AGAIN).contains(&t.past_until);
        let which = self.tracks.iter().filter(fades).map(|t| t.which);
        let seeks = which.filter_map(|which| registrar.seeks().get(which));
        seeks.map(|seek| seek.reference.id.clone()).collect()
    }

    /// Says where a surface should lie, in pixels: it is looked for there first.
    pub fn expect(&mut self, registrar: &Registrar, surface: &str, at: Quad) {
        let which = registrar
            .seeks()
            .iter()
            .position(|s| s.reference.id == surface);
        self.expected.extend(which.map(|w| (w, at)));
    }

    /// Something in the next frame is waited for: it is given no step of a search, unless many frames in a row were given none.
    pub fn hurry(&mut self) {
        self.hurries = true;
    }

    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Whether every surface was looked for everywhere since a time, or lies where it was said to lie: before, what
    /// is printed on one that was not found yet may be taken for a die.
    pub fn has_searched(&self, registrar: &Registrar, since: Duration) -> bool {
        let seeks = registrar.seeks();
        self.searched.is_some_and(|began| began >= since)
            || seeks.len() == self.tracks.iter().filter(|t| t.held).count()
    }

    /// Nothing has changed since the last frame: what lay there lies there.
    pub fn rest(&mut self, at: Duration) {
        let held = self.tracks.iter_mut().filter(|t| t.held);
        held.for_each(|t| t.held_at = at);
    }

    /// Goes on with the search where nothing else has changed; whether surfaces lie otherwise by it than was known.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn search_on(
        &mut self,
        registrar: &Registrar,
        picture: &Picture,
        at: Duration,
    ) -> Result<bool, VisionError> {
        let lying = |tracks: &[Track]| -> BTreeSet<(usize, bool, bool)> {
            let each = tracks.iter();
            each.map(|t| (t.which, t.held, t.known)).collect()
        };
        let before = lying(&self.tracks);
        // a table at rest is swept by the next search, and then all was looked for
        self.unswept = SWEEPS_EVERY;
        self.follow(registrar, picture, at)?;
        Ok(lying(&self.tracks) != before)
    }

    /// Whether a search goes on, or is due.
    pub fn is_searching(&self, at: Duration) -> bool {
        self.search.is_some() || at >= self.next_search
    }

    /// Something has changed: what is missing may be there now.
    pub fn wake(&mut self, at: Duration) {
        // hands move all the time, and what is missing is seldom laid down: the more searches found nothing, the less often
        let between = BETWEEN.max(self.rest / 2);
        let soon = (at + REST.0).max(self.search_ended + between);
        self.next_search = self.next_search.min(soon);
    }

    /// Takes the next frame; `at` is its time on the source's own clock.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn follow(
        &mut self,
        registrar: &Registrar,
        picture: &Picture,
        at: Duration,
    ) -> Result<Vec<Registered>, VisionError> {
        let seeks = registrar.seeks();
        if seeks.is_empty() {
            return Ok(Vec::new());
        }
        let size = [picture.width(), picture.height()];
        if size != self.size {
            let expected = std::mem::take(&mut self.expected);
            *self = Self {
                size,
                expected,
                next_search: at,
                rest: REST.0,
                beside: self.beside,
                ..Self::default()
            };
        }
        let pictures = Pyramid::of(grey(&crop::borrowed(picture)?)?)?;
        self.take_expected(seeks, &pictures, at)?;
        for track in &mut self.tracks {
            if let Some(seek) = seeks.get(track.which) {
                let was_held = track.held;
                track.check(seek, &pictures, at)?;
                // that one of which little was seen is not held says next to nothing
                if was_held && !track.held && (track.known || track.agreement >= FOUND) {
                    self.rest = REST.0;
                    self.unswept = SWEEPS_EVERY;
                    self.next_search = self.next_search.min(at + ANYWHERE_AFTER);
                }
            }
        }
        self.look_nearby(seeks, &pictures, at)?;
        self.tracks
            .retain(|t| t.held || at.saturating_sub(t.held_at) < LOST_AFTER);
        self.ask_looks(registrar, picture, &pictures, at)?;
        self.look_anywhere(registrar, picture, pictures, at)?;
        // a hand over one that lies where it was said to lie begins no first search
        if self.tracks.iter().filter(|t| t.held).count() == seeks.len() {
            self.searched.get_or_insert(at);
        }
        let mut out: Vec<Registered> = self
            .tracks
            .iter()
            .filter_map(|t| Some(t.registered(seeks.get(t.which)?, at)))
            .collect();
        out.sort_by(|a, b| a.surface.cmp(&b.surface));
        Ok(out)
    }

    fn take_expected(
        &mut self,
        seeks: &[Seek],
        pictures: &Pyramid,
        at: Duration,
    ) -> Result<(), VisionError> {
        for (which, quad) in std::mem::take(&mut self.expected) {
            let Some(seek) = seeks.get(which) else {
                continue;
            };
            let Some(map) = of_corners(&quad, seek.reference.size_mm) else {
                continue;
            };
            if let Some(fit) = settled(seek, pictures, &map)?
                && self.put(which, seek, pictures, &fit, false, at)?
            {
                self.vain.found();
            }
        }
        Ok(())
    }

    /// One of those that are not where they were; and where one is found, the others moved the same way if it
    /// was the camera that moved.
    fn look_nearby(
        &mut self,
        seeks: &[Seek],
        pictures: &Pyramid,
        at: Duration,
    ) -> Result<(), VisionError> {
        let n = self.tracks.len();
        self.turn = self.turn.wrapping_add(1);
        if !self.turn.is_multiple_of(NEARBY_EVERY) {
            return Ok(());
        }
        let turn = self.turn / NEARBY_EVERY;
        let next = (0..n).map(|i| (i + turn) % n).find(|i| {
            self.tracks
                .get(*i)
                .is_some_and(|t| !t.held && at.saturating_sub(t.held_at) < NEARBY_FOR)
        });
        let Some(track) = next.and_then(|i| self.tracks.get_mut(i)) else {
            return Ok(());
        };
        let Some(seek) = seeks.get(track.which) else {
            return Ok(());
        };
        let before = track.map;
        let fit = seek.aligner.moved(pictures, &track.map)?;
        let Some(fit) = fit.filter(is_found) else {
            return Ok(());
        };
        let (which, open) = (track.which, track.open.is_some());
        self.put(which, seek, pictures, &fit, open, at)?;
        let Some(back) = before.try_inverse() else {
            return Ok(());
        };
        let camera = fit.map * back;
        for i in 0..self.tracks.len() {
            let Some(t) = self.tracks.get(i).filter(|t| !t.held) else {
                continue;
            };
            let (which, open, Some(map)) = (t.which, t.open.is_some(), scaled(camera * t.map))
            else {
                continue;
            };
            let Some(seek) = seeks.get(which) else {
                continue;
            };
            if let Some(fit) = settled(seek, pictures, &map)? {
                self.put(which, seek, pictures, &fit, open, at)?;
            }
        }
        Ok(())
    }

    /// Searches go on beside the frames from now on: none waits for one. What is found comes when it is found.
    pub fn search_beside(&mut self) {
        self.beside = true;
    }

    /// Some steps of a search for what is missing, or what the one beside has come to.
    fn look_anywhere(
        &mut self,
        registrar: &Registrar,
        picture: &Picture,
        pictures: Pyramid,
        at: Duration,
    ) -> Result<(), VisionError> {
        let seeks = registrar.seeks();
        self.steps = 0;
        let hurries = std::mem::take(&mut self.hurries) && self.searched.is_some();
        if hurries && !self.beside && self.waited < PATIENCE {
            self.waited += 1;
            return Ok(());
        }
        self.waited = 0;
        let Some(mut search) = self.search.take() else {
            let missing: Vec<usize> = (0..seeks.len())
                .filter(|which| {
                    self.tracks.iter().all(|t| {
                        t.which != *which
                            || !t.held && at.saturating_sub(t.held_at) >= ANYWHERE_AFTER
                            || t.held && !t.known && at >= t.past_until && t.agreement < FOUND
                    })
                })
                .collect();
            if missing.is_empty()
                || at < self.next_search
                || !self.is_worth_searching(seeks, &missing, &pictures, at)?
            {
                return Ok(());
            }
            self.vain.begin(pictures.full(), &missing)?;
            let known = self
                .tracks
                .iter()
                .filter(|t| t.held)
                .map(|t| (t.which, t.hypothesis()))
                .collect();
            let shown = registrar.shown(picture)?;
            let search = Search::new(pictures, shown, missing, known, Effort::Live);
            self.sweeps = self.searched.is_none() || self.unswept + 1 >= SWEEPS_EVERY;
            let mut search = Box::new(match self.sweeps {
                true => search,
                false => search.without_sweep(),
            });
            self.search = if self.beside {
                // a machine that has no thread now is asked again with the next frame
                let search = Beside::begin(*search, Arc::clone(seeks));
                search.ok().map(Searching::Beside)
            } else {
                self.steps = 1;
                search.step(seeks)?;
                Some(Searching::Stepped(search))
            };
            if self.search.is_some() {
                self.search_began = at;
            }
            return Ok(());
        };
        let most = if self.searched.is_none() { AT_FIRST } else { 1 };
        loop {
            let step = match &mut search {
                Searching::Stepped(_) if self.steps >= most => break,
                Searching::Stepped(search) => {
                    self.steps += 1;
                    search.step(seeks)?
                }
                Searching::Beside(search) => match search.step() {
                    Some(step) => step?,
                    None => break,
                },
            };
            match step {
                Step::Found(which, h) => {
                    // the searched picture is some frames old
                    match self.take_found(registrar, picture, &pictures, (which, &h), at)? {
                        Some(true) => {
                            self.rest = REST.0;
                            self.vain.found();
                        }
                        Some(false) => self.vain.saw(),
                        None => {}
                    }
                }
                Step::Nothing => {}
                Step::Over => {
                    if self.sweeps {
                        self.searched = Some(self.search_began);
                        self.unswept = 0;
                        self.vain.in_vain();
                    } else {
                        self.unswept += 1;
                    }
                    self.search_ended = at;
                    self.next_search = at + self.rest;
                    self.rest = (self.rest * 2).min(REST.1);
                    return Ok(());
                }
            }
        }
        self.search = Some(search);
        Ok(())
    }

    /// What a search found in a picture that may be some frames old, if it lies there still; by its looks it may be another one, which lies there. Whether
    /// one has come to lie anew; `None` where that one is known to lie there, or it would be searched for without end.
    fn take_found(
        &mut self,
        registrar: &Registrar,
        picture: &Picture,
        pictures: &Pyramid,
        (which, h): (usize, &Hypothesis),
        at: Duration,
    ) -> Result<Option<bool>, VisionError> {
        let seeks = registrar.seeks();
        let Some(seek) = seeks.get(which) else {
            return Ok(Some(false));
        };
        let fit = seek.aligner.settled(pictures, &h.map)?;
        let lies =
            |f: &Fit| is_found(f) || h.is_telling() && f.agreement >= LITTLE && f.seen >= SEEN;
        let Some(fit) = fit.filter(lies) else {
            return Ok(Some(false));
        };
        let Some(now) = weighed(seek, pictures, &fit.map)? else {
            return Ok(Some(false));
        };
        let put = match self.whose(registrar, picture, pictures, (which, &now))? {
            Whose::Own => self.put(which, seek, pictures, &fit, false, at)?,
            Whose::Open => self.put(which, seek, pictures, &fit, true, at)?,
            Whose::Another(other, there) => {
                let lies = |t: &Track| {
                    t.which == other
                        && t.held
                        && farthest(&t.corners, &there.corners) <= ELSEWHERE_PX
                };
                if self.tracks.iter().any(lies) {
                    return Ok(None);
                }
                self.put_instead(registrar, pictures, (other, &there), at)?
            }
        };
        Ok(Some(put))
    }

    fn whose(
        &self,
        registrar: &Registrar,
        picture: &Picture,
        pictures: &Pyramid,
        found: (usize, &Hypothesis),
    ) -> Result<Whose, VisionError> {
        let rgb = crop::borrowed(picture)?;
        // one that is held elsewhere is not here
        let elsewhere = |i: usize, h: &Hypothesis| {
            let mut held = self.tracks.iter().filter(|t| t.which == i && t.held);
            held.any(|t| i != found.0 && apart(&t.corners, &h.corners))
        };
        let free = |i: usize, h: &Hypothesis| !elsewhere(i, h);
        whose(registrar.seeks(), found, &rgb, pictures, free)
    }

    /// Puts the surface whose looks are seen.
    fn put_instead(
        &mut self,
        registrar: &Registrar,
        pictures: &Pyramid,
        (which, there): (usize, &Hypothesis),
        at: Duration,
    ) -> Result<bool, VisionError> {
        let Some(seek) = registrar.seeks().get(which) else {
            return Ok(false);
        };
        match settled(seek, pictures, &there.map)? {
            Some(fit) => self.put(which, seek, pictures, &fit, false, at),
            None => Ok(false),
        }
    }

    /// One whose looks left open which it is is asked again: what lay on it may have gone.
    fn ask_looks(
        &mut self,
        registrar: &Registrar,
        picture: &Picture,
        pictures: &Pyramid,
        at: Duration,
    ) -> Result<(), VisionError> {
        let due = |t: &&mut Track| t.held && t.open.is_some_and(|asked| at >= asked + LOOKS_AGAIN);
        let Some(track) = self.tracks.iter_mut().find(due) else {
            return Ok(());
        };
        track.open = Some(at);
        let which = track.which;
        let Some(seek) = registrar.seeks().get(which) else {
            return Ok(());
        };
        let Some(now) = weighed(seek, pictures, &track.map)? else {
            return Ok(());
        };
        match self.whose(registrar, picture, pictures, (which, &now))? {
            Whose::Open => {}
            Whose::Own => {
                let mut tracks = self.tracks.iter_mut();
                if let Some(track) = tracks.find(|t| t.which == which) {
                    track.open = None;
                }
            }
            Whose::Another(other, there) => {
                self.tracks.retain(|t| t.which != which);
                self.put_instead(registrar, pictures, (other, &there), at)?;
            }
        }
        Ok(())
    }

    /// Whether what is missing may be found where it was not: everything was looked for before, and nothing of a card's size is new since.
    fn is_worth_searching(
        &mut self,
        seeks: &[Seek],
        missing: &[usize],
        pictures: &Pyramid,
        at: Duration,
    ) -> Result<bool, VisionError> {
        if !self.vain.is_any(missing) {
            return Ok(true);
        }
        if at >= self.search_began + AGAIN_AFTER {
            self.unswept = SWEEPS_EVERY;
            return Ok(true);
        }
        let size = |which: usize| Some(seeks.get(which)?.reference.size_mm);
        let clear = |t: &&Track| t.held && (t.known || t.agreement >= FOUND);
        let held: Vec<&Track> = self.tracks.iter().filter(clear).collect();
        let densities = held.iter().filter_map(|t| {
            let [w, h] = size(t.which)?;
            Some((t.corners.area() / (w * h)).sqrt())
        });
        // the farthest away
        let density = densities.min_by(f64::total_cmp);
        let shorts = missing.iter().filter_map(|m| size(*m));
        let short = shorts.map(|[w, h]| w.min(h)).min_by(f64::total_cmp);
        let usual = USUAL * f64::from(self.size[0]);
        let short_px = density.zip(short).map_or(usual, |(d, s)| d * s);
        let known = held.iter().map(|t| t.corners);
        let news = self
            .vain
            .news(pictures.full(), missing, known, short_px, at)?;
        if news == News::None {
            self.searched = Some(at);
        }
        Ok(news == News::Lies)
    }

    /// A surface was found; what was thought to lie there and explains less does not. `open`: by its looks it may be another one. Whether it lies there now.
    fn put(
        &mut self,
        which: usize,
        seek: &Seek,
        pictures: &Pyramid,
        fit: &Fit,
        open: bool,
        at: Duration,
    ) -> Result<bool, VisionError> {
        let Some(h) = weighed(seek, pictures, &fit.map)? else {
            return Ok(false);
        };
        let little = fit.agreement < FOUND;
        if little && !h.is_telling() {
            return Ok(false);
        }
        let h = seek.reference.placed(pictures.full(), h)?;
        let beaten = |t: &Track| {
            t.which != which
                && (!t.held && !(little && t.known) || t.hypothesis().explains() < h.explains())
                && !apart(&t.corners, &h.corners)
        };
        let taken = self.tracks.iter().any(|t| {
            t.which != which
                && ((!beaten(t) && !apart(&t.corners, &h.corners))
                    || (t.held && !on_one_table(&h, seek.reference.size_mm, &t.hypothesis())))
        });
        // a search may find it twice, the first time not clearly, in a picture that is some frames old
        let stays = self.tracks.iter().any(|t| {
            t.which == which
                && t.held
                && farthest(&t.corners, &h.corners) > ELSEWHERE_PX
                && t.hypothesis().explains() >= h.explains()
        });
        if taken || stays {
            return Ok(false);
        }
        self.tracks.retain(|t| !beaten(t));
        let known = self.tracks.iter().any(|t| t.which == which && t.known);
        let there =
            |t: &&Track| t.which == which && farthest(&t.corners, &h.corners) <= ELSEWHERE_PX;
        let past_until = self.tracks.iter().find(there).map(|t| t.past_until);
        let drift = seek.reference.drift(pictures.full(), &h)?;
        let drift = drift.unwrap_or_default();
        self.tracks.retain(|t| t.which != which);
        let known = !open && (known && h.stands_out() || h.is_sure());
        let mut track = Track::laid(which, fit, &h, drift, known, at);
        track.open = open.then_some(at);
        track.past_until = past_until.filter(|_| !open).unwrap_or_default();
        self.tracks.push(track);
        Ok(true)
    }
}

fn weighed(seek: &Seek, pictures: &Pyramid, map: &Map) -> Result<Option<Hypothesis>, VisionError> {
    seek.reference.weighed(pictures.full(), map, Care::Full)
}

fn is_found(fit: &Fit) -> bool {
    fit.agreement >= FOUND && fit.seen >= SEEN
}

/// A surface where it should lie about there, if it does.
fn settled(seek: &Seek, pictures: &Pyramid, map: &Map) -> Result<Option<Fit>, VisionError> {
    Ok(seek.aligner.settled(pictures, map)?.filter(is_found))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        copy::Status,
        vision::register::livery::tests::{GREEN, RED, table},
    };

    #[test]
    fn the_display_whose_colours_are_seen_stays_found_search_after_search() {
        for (band, name) in [(RED, "red"), (GREEN, "green")] {
            let (registrar, picture, _) = table(band, [1.1, 1.0, 0.8]);
            let mut follower = Follower::default();
            let mut found = Vec::new();
            for frame in 0..120 {
                let at = Duration::from_millis(250 * frame);
                found = follower.follow(&registrar, &picture, at).unwrap();
                let others = found.iter().filter(|s| s.surface != name);
                assert_eq!(others.count(), 0, "{frame}: {found:?}");
            }
            let found = found.iter().map(|s| (s.surface.as_str(), s.status));
            assert_eq!(found.collect::<Vec<_>>(), [(name, Status::Sure)]);
        }
    }

    #[test]
    fn what_is_believed_for_a_while_is_asked_about_before_that_is_over() {
        let (registrar, picture, _) = table(RED, [1.0; 3]);
        let mut follower = Follower::default();
        let secs = Duration::from_secs_f64;
        for frame in 0..40 {
            let at = secs(0.25 * f64::from(frame));
            follower.follow(&registrar, &picture, at).unwrap();
        }
        follower.tracks[0].known = false;
        follower.know(&registrar, "red", secs(10.0));
        let fading = |follower: &Follower, at: f64| follower.fading(&registrar, secs(at));
        assert!(fading(&follower, 11.0).is_empty());
        assert_eq!(fading(&follower, 13.0), ["red"]);
        assert!(fading(&follower, 15.0).is_empty());
        // where it is found once more it is believed in as before
        let pictures = Pyramid::of(grey(&crop::borrowed(&picture).unwrap()).unwrap()).unwrap();
        let (which, map) = (follower.tracks[0].which, follower.tracks[0].map);
        let seek = &registrar.seeks()[which];
        let fit = settled(seek, &pictures, &map).unwrap().unwrap();
        let again = follower.put(which, seek, &pictures, &fit, false, secs(12.0));
        assert!(again.unwrap());
        assert_eq!(follower.tracks[0].past_until, secs(10.0) + BELIEVED_FOR);
    }
}
