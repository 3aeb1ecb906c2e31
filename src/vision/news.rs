//! Whether there is anything on a table that no search has looked at: a search of a whole picture takes seconds of a processor, and what was not
//! found where nothing has changed since is not found by looking again.

use std::{collections::VecDeque, time::Duration};

use opencv::{core, core::Mat, imgproc, prelude::*};

use super::{
    eye::VisionError,
    small::{Small, WIDTH},
};
use crate::geometry::Quad;

/// What differs for no longer than this is a hand in motion, and so often it is looked whether there is news.
const STILL: Duration = Duration::from_millis(500);
/// Share of a card that must have changed where one may lie anew: beside its print it may be of its table's colour.
const CHANGED: f64 = 0.3;
/// Pictures that were searched and are remembered: where a hand lay in one, others show the table.
const SEARCHED: usize = 8;

/// What a picture has that no search has looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// Something lies there.
    Lies,
    /// Something moves there.
    Moves,
    /// Nothing of a card's size.
    None,
    /// It was looked a moment ago.
    NotYet,
}

/// A small picture, and the surfaces that were looked for in it, by their places among the references.
struct Looked(Small, Vec<usize>);

/// Remembers what was searched in vain.
#[derive(Default)]
pub(super) struct Searched {
    /// Those that were searched everywhere, and nothing was found; the newest last.
    vain: VecDeque<Looked>,
    /// The one that is being searched.
    begun: Option<Looked>,
    /// That in which it was last looked for news.
    before: Option<(Small, Duration)>,
}

impl Searched {
    /// A search for what is `missing` begins.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn begin(&mut self, grey: &Mat, missing: &[usize]) -> Result<(), VisionError> {
        self.begun = Some(Looked(Small::of(grey)?, missing.to_vec()));
        Ok(())
    }

    /// It saw something that cannot lie there now: a hand may have come over it.
    pub fn saw(&mut self) {
        self.begun = None;
    }

    /// It is over, and saw nothing.
    pub fn in_vain(&mut self) {
        self.vain.extend(self.begun.take());
        while self.vain.len() > SEARCHED {
            self.vain.pop_front();
        }
    }

    /// Something was found: by how it lies other things may be.
    pub fn found(&mut self) {
        self.begun = None;
        self.vain.clear();
    }

    /// Whether all that is `missing` was searched for in vain since something was found last.
    pub fn is_any(&self, missing: &[usize]) -> bool {
        self.vain.iter().any(|looked| looked.was_for(missing))
    }

    /// What a picture has beside what is `known` to lie there that no search for what is `missing` has looked at, where a card may lie whose shorter side is so long, in pixels.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn news(
        &mut self,
        grey: &Mat,
        missing: &[usize],
        known: impl Iterator<Item = Quad>,
        short_px: f64,
        at: Duration,
    ) -> Result<News, VisionError> {
        let waits = |(_, then): &(Small, Duration)| at < *then + STILL;
        if self.before.as_ref().is_some_and(waits) {
            return Ok(News::NotYet);
        }
        let now = Small::of(grey)?;
        let Some((before, _)) = self.before.replace((now.clone(), at)) else {
            return Ok(News::NotYet);
        };
        let all = core::Scalar::all(255.0);
        let mut new = Mat::new_size_with_default(now.size()?, core::CV_8UC1, all)?;
        for Looked(then, _) in self.vain.iter().filter(|looked| looked.was_for(missing)) {
            let changed = now.change(then)?;
            new = and(&new, &changed)?;
        }
        let k = f64::from(WIDTH) / f64::from(grey.cols().max(1));
        for quad in known {
            let corners = quad.0.map(|p| {
                let at = |v: f64| ((v + 0.5) * k - 0.5).clamp(-1e4, 1e4).round() as i32;
                core::Point::new(at(p.x), at(p.y))
            });
            let corners: core::Vector<core::Point> = corners.into_iter().collect();
            imgproc::fill_convex_poly_def(&mut new, &corners, core::Scalar::all(0.0))?;
        }
        let side = (short_px * k).round().clamp(3.0, 200.0) as i32;
        if !is_dense(&new, side)? {
            return Ok(News::None);
        }
        let moves = now.change(&before)?;
        let mut still = Mat::default();
        core::bitwise_not_def(&moves, &mut still)?;
        Ok(match is_dense(&and(&new, &still)?, side)? {
            true => News::Lies,
            false => News::Moves,
        })
    }
}

impl Looked {
    fn was_for(&self, missing: &[usize]) -> bool {
        missing.iter().all(|m| self.1.contains(m))
    }
}

fn and(a: &Mat, b: &Mat) -> Result<Mat, VisionError> {
    let mut both = Mat::default();
    core::bitwise_and_def(a, b, &mut both)?;
    Ok(both)
}

/// Whether any square of that side is marked to the share that a new card changes.
fn is_dense(mask: &Mat, side: i32) -> Result<bool, VisionError> {
    let mut share = Mat::default();
    imgproc::box_filter_def(mask, &mut share, core::CV_32F, (side, side).into())?;
    let mut most = 0.0;
    core::min_max_loc(&share, None, Some(&mut most), None, None, &core::no_array())?;
    Ok(most > 255.0 * CHANGED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;
    use opencv::core::{Rect, Scalar};

    /// A grey table of 1280x720 with squares on it: left and upper side, length, level.
    fn table(squares: &[(i32, i32, i32, f64)]) -> Mat {
        let grey = Scalar::all(90.0);
        let mut table = Mat::new_rows_cols_with_default(720, 1280, core::CV_8UC1, grey).unwrap();
        for (x, y, side, level) in squares {
            let at = Rect::new(*x, *y, *side, *side);
            imgproc::rectangle(&mut table, at, Scalar::all(*level), -1, 8, 0).unwrap();
        }
        table
    }

    /// What is new in each of several pictures, half a second apart, of which the first was searched in vain.
    fn news(pictures: &[Mat], known: &[Quad]) -> Vec<News> {
        let mut searched = Searched::default();
        searched.begin(&pictures[0], &[0]).unwrap();
        searched.in_vain();
        let each = pictures.iter().enumerate();
        let news = each.map(|(i, grey)| {
            let at = STILL * i as u32;
            let known = known.iter().copied();
            searched.news(grey, &[0], known, 100.0, at).unwrap()
        });
        news.collect()
    }

    #[test]
    fn a_card_that_lies_is_news_and_a_hand_in_motion_or_a_die_is_not_yet() {
        let card = |x: i32| table(&[(x, 300, 120, 200.0)]);
        let is = news(&[table(&[]), card(200), card(600), card(600)], &[]);
        assert_eq!(is[1..], [News::Moves, News::Moves, News::Lies]);
        let dice = table(&[(500, 300, 25, 200.0), (560, 310, 25, 20.0)]);
        let is = news(&[table(&[]), dice.clone(), dice], &[]);
        assert_eq!(is[1..], [News::None; 2]);
    }

    #[test]
    fn what_lies_on_a_known_surface_is_none_and_what_a_hand_hid_is_news() {
        let hand = table(&[(200, 200, 200, 30.0)]);
        let at = Quad(
            [
                (180.0, 180.0),
                (420.0, 180.0),
                (420.0, 420.0),
                (180.0, 420.0),
            ]
            .map(|(x, y)| Point::new(x, y)),
        );
        let bare = table(&[]);
        let is = news(&[bare.clone(), hand.clone(), hand.clone()], &[at]);
        assert_eq!(is[1..], [News::None; 2]);
        let is = news(&[hand.clone(), bare.clone(), bare.clone()], &[]);
        assert_eq!(is[1..], [News::Moves, News::Lies]);
        // where both were searched neither is
        let mut searched = Searched::default();
        for grey in [&hand, &bare] {
            searched.begin(grey, &[0, 1]).unwrap();
            searched.in_vain();
        }
        for (i, grey) in [&bare, &hand, &bare, &bare].into_iter().enumerate() {
            let is = searched.news(grey, &[1], [].into_iter(), 100.0, STILL * i as u32);
            assert!([News::NotYet, News::None].contains(&is.unwrap()), "{i}");
        }
        assert!(
            searched.is_any(&[0]) && !searched.is_any(&[0, 2]),
            "2 was not looked for"
        );
        searched.found();
        assert!(!searched.is_any(&[0]));
        // what a search saw and does not lie there now was not looked for in vain
        searched.begin(&bare, &[0]).unwrap();
        searched.saw();
        searched.in_vain();
        assert!(!searched.is_any(&[0]));
    }
}
