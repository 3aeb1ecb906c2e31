//! One surface that is followed: where it lies, whether it lies there still, and whether it surely is that one.

use std::{sync::Arc, time::Duration};

use super::{ELSEWHERE_PX, SEEN, weighed};
use crate::{
    copy::Status,
    geometry::{Drift, Point, Quad},
    vision::{
        eye::VisionError,
        register::{
            Fit, Freedom, Hypothesis, Map, Pyramid, Registered, Seek, apply, corners, farthest,
            in_shape, scaled,
        },
    },
};

/// Share of the comparable blocks that must agree where a surface is known to lie, for it to be there still.
const HELD: f64 = 0.3;
/// From this share on a surface that was found unsurely is sure.
const SURE: f64 = 0.6;
/// An unsure surface is compared with its repetitions again after so long: what lay on it may have gone.
const COMPARE_AGAIN: Duration = Duration::from_secs(2);
/// What is not sure is compared with its reference so often: what lay on it may have gone. Set by judgement.
const WEIGHED_AGAIN: Duration = Duration::from_millis(300);
/// Print in the picture is made up anew once a corner is farther off, pixels.
const REPRINT_PX: f64 = 0.2;
/// Frames for which a surface that came to lie anew is fitted in all directions.
const FRESH: u32 = 12;
/// A corner that seems to move by less, in pixels, is let in slowly: that is noise.
const STILL_PX: f64 = 0.4;
const SLOWLY: f64 = 0.25;

/// One surface that is followed.
pub(super) struct Track {
    /// Its place among the registrar's references.
    pub(super) which: usize,
    pub(super) map: Map,
    pub(super) corners: Quad,
    /// The map with which it came to lie: pushed along its table it keeps its shape by that.
    came: Map,
    pub(super) agreement: f64,
    seen: f64,
    /// As a [`Hypothesis`] has them, when it came to lie there.
    strange_mm2: f64,
    same_mm2: f64,
    repeated: f64,
    /// When that was looked at.
    compared_at: Duration,
    /// When it was last held against its reference, while it is not known.
    weighed_at: Duration,
    /// Whether it was ever found surely.
    pub(super) known: bool,
    /// By its looks it may be another one, or lie the other way round: then it is not known; when they were asked.
    pub(super) open: Option<Duration>,
    /// Until when it is sure by its print beside the dice on it, or by its edges.
    pub(super) past_until: Duration,
    /// How far its print lies from where the map has it, when it came to lie still; and that print in the picture.
    drift: Drift,
    print: Arc<Vec<(Point, Point)>>,
    /// The corners then.
    printed_at: Quad,
    pub(super) held: bool,
    /// When it was last seen where it is said to be.
    pub(super) held_at: Duration,
    fresh: u32,
}

impl Track {
    /// One that came to lie as `h` has it, and is `known` or not.
    pub(super) fn laid(
        which: usize,
        fit: &Fit,
        h: &Hypothesis,
        drift: Drift,
        known: bool,
        at: Duration,
    ) -> Self {
        Self {
            which,
            map: h.map,
            corners: h.corners,
            came: h.map,
            agreement: fit.agreement,
            seen: fit.seen,
            strange_mm2: h.strange_mm2,
            same_mm2: h.same_mm2,
            repeated: h.repeated,
            compared_at: at,
            weighed_at: at,
            known,
            open: None,
            past_until: Duration::ZERO,
            print: printed(&drift, &h.map),
            printed_at: h.corners,
            drift,
            held: true,
            held_at: at,
            fresh: FRESH,
        }
    }

    /// Whether it lies where it lay, or a little beside it.
    pub(super) fn check(
        &mut self,
        seek: &Seek,
        pictures: &Pyramid,
        at: Duration,
    ) -> Result<(), VisionError> {
        let freedom = if self.fresh > 0 && self.held && self.agreement >= SURE && self.seen > 0.9 {
            Freedom::Any
        } else {
            Freedom::Slid
        };
        let fit = seek.aligner.nudged(pictures, &self.map, freedom)?;
        let fit = fit.filter(|f| f.agreement >= HELD && f.seen >= SEEN);
        let now = fit
            .as_ref()
            .and_then(|f| corners(&f.map, seek.reference.size_mm))
            // what little of it a hand leaves free would agree with maps that no card can have
            .filter(|now| in_shape(now, seek.reference.size_mm, &self.came));
        let (Some(fit), Some(now)) = (fit, now) else {
            self.held = false;
            return Ok(());
        };
        let moved = farthest(&self.corners, &now);
        if moved > STILL_PX {
            self.map = fit.map;
            self.corners = now;
            self.fresh = FRESH;
        } else if let Some(map) = scaled(self.map * (1.0 - SLOWLY) + fit.map * SLOWLY)
            && let Some(between) = corners(&map, seek.reference.size_mm)
        {
            self.map = map;
            self.corners = between;
            let was_fresh = self.fresh > 0;
            self.fresh = self.fresh.saturating_sub(1);
            if was_fresh && self.fresh == 0 {
                let drift = seek.reference.drift(pictures.full(), &self.hypothesis())?;
                self.drift = drift.unwrap_or_default();
                self.reprint();
            }
        }
        if farthest(&self.corners, &self.printed_at) > REPRINT_PX {
            self.reprint();
        }
        self.agreement = fit.agreement;
        self.seen = fit.seen;
        // what lay on it where it is bare may have gone
        if !self.known && fit.agreement >= SURE && at >= self.weighed_at + WEIGHED_AGAIN {
            self.weighed_at = at;
            if let Some(h) = weighed(seek, pictures, &fit.map)? {
                self.weigh(seek, pictures, h, at)?;
            }
        }
        self.held = true;
        self.held_at = at;
        Ok(())
    }

    /// Takes what a comparison with all care says of where it lies.
    fn weigh(
        &mut self,
        seek: &Seek,
        pictures: &Pyramid,
        mut h: Hypothesis,
        at: Duration,
    ) -> Result<(), VisionError> {
        h.repeated = self.repeated;
        if !h.stands_out() && at >= self.compared_at + COMPARE_AGAIN {
            self.compared_at = at;
            h = seek.reference.placed(pictures.full(), h)?;
            if farthest(&h.corners, &self.corners) > ELSEWHERE_PX {
                // it lies a repetition further on
                self.map = h.map;
                self.corners = h.corners;
                self.came = h.map;
                self.agreement = h.agreement;
                self.fresh = FRESH;
                self.drift = seek
                    .reference
                    .drift(pictures.full(), &h)?
                    .unwrap_or_default();
                self.reprint();
            }
        }
        self.strange_mm2 = h.strange_mm2;
        self.same_mm2 = h.same_mm2;
        self.repeated = h.repeated;
        self.known = self.open.is_none() && h.is_sure();
        Ok(())
    }

    fn reprint(&mut self) {
        self.print = printed(&self.drift, &self.map);
        self.printed_at = self.corners;
    }

    pub(super) fn hypothesis(&self) -> Hypothesis {
        Hypothesis {
            map: self.map,
            corners: self.corners,
            agreement: self.agreement,
            // whether that is more than by chance was asked when it was found
            compared: 0,
            seen: self.seen,
            strange_mm2: self.strange_mm2,
            same_mm2: self.same_mm2,
            repeated: self.repeated,
        }
    }

    pub(super) fn registered(&self, seek: &Seek, at: Duration) -> Registered {
        let straight = self
            .drift
            .straightened(&self.corners, seek.reference.size_mm);
        Registered {
            surface: seek.reference.id.clone(),
            corners: straight.unwrap_or(self.corners),
            status: match (self.held, self.known || at < self.past_until) {
                (false, _) => Status::Hidden,
                (true, true) => Status::Sure,
                (true, false) => Status::Unsure,
            },
            agreement: self.agreement,
            seen: self.seen,
            print: self.print.clone(),
            map: self.map,
            repeated: if self.open.is_some() {
                1.0
            } else {
                self.repeated
            },
            grounds: None,
        }
    }
}

/// Print that was found, in the picture.
fn printed(drift: &Drift, map: &Map) -> Arc<Vec<(Point, Point)>> {
    Arc::new(drift.pixels(|p| apply(map, p)))
}
