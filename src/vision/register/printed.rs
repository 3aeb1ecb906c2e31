//! What is printed on a surface looks like a die now and then: whether the picture shows at a place just what the empty surface does.

use opencv::{
    core::{Mat, Rect},
    prelude::*,
};

use super::{
    Registered, Registrar, grey,
    level::{self, Level, TEXTURE},
    map::{self, Map},
    outline,
    reference::{Care, Reference},
};
use crate::{
    capture::Picture,
    geometry::Quad,
    vision::{crop, eye::VisionError},
};

/// What is compared of the print round a face, as a part of the face: a die would cover that.
const ROUND_IT: f64 = 1.4;

/// Pixels of a flat picture that are the least to compare, each way. Set by judgement.
const SMALL: i32 = 6;

/// What looks at least so like the reference as this is its print.
const PRINTED: f64 = 0.75;

impl Registrar {
    /// Which of these places are printed on a surface: there it looks as the empty surface's
    /// reference does, and a die or a piece that lies there would not. Where a face was read, it must look so within that, too: a dark die on a dark
    /// zone leaves the lines about it as they are.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn printed(
        &self,
        picture: &Picture,
        surfaces: &[&Registered],
        faces: &[(Quad, bool)],
    ) -> Result<Vec<bool>, VisionError> {
        let mut seen = None;
        let mut out = Vec::new();
        for (face, was_read) in faces {
            let mut printed = false;
            for surface in surfaces {
                if !surface.corners.contains(face.centre()) {
                    continue;
                }
                let seek = self
                    .seeks
                    .iter()
                    .find(|s| s.reference.id == surface.surface);
                let Some(reference) = seek.map(|s| &s.reference) else {
                    continue;
                };
                let Some(map) = surface.map_about(face.centre(), reference.size_mm) else {
                    continue;
                };
                let grey = match &seen {
                    Some(grey) => grey,
                    None => seen.insert(grey(&crop::borrowed(picture)?)?),
                };
                let likeness = reference.shows(grey, &map, face)?;
                printed |= likeness.is_some_and(|l| l >= PRINTED)
                    && !(*was_read && reference.is_hidden_at(grey, &map, face)?);
            }
            out.push(printed);
        }
        Ok(out)
    }
}

impl Reference {
    /// How far the picture shows at `face` (pixels) what the reference has printed there, and a little round it:
    /// correlation, -1 to 1; `None` where the reference is bare there, or the place is not on it.
    pub fn shows(&self, grey: &Mat, map: &Map, face: &Quad) -> Result<Option<f64>, VisionError> {
        let Some((level, [x, y, right, below])) = self.about(map, &face.scaled(ROUND_IT)) else {
            return Ok(None);
        };
        let (w, h) = (level.flat.cols(), level.flat.rows());
        let at = Rect::new(
            x.max(0),
            y.max(0),
            right.min(w) - x.max(0),
            below.min(h) - y.max(0),
        );
        // half of it at least
        if at.width < SMALL || at.height < SMALL || 2 * at.area() < (right - x) * (below - y) {
            return Ok(None);
        }
        if level.texture(at)? < TEXTURE {
            return Ok(None);
        }
        level.correlated(grey, map, at).map(Some)
    }

    /// Whether something lies at `face` (pixels) that hides what the reference has there: what is printed about it may be seen all the same.
    pub fn is_hidden_at(&self, grey: &Mat, map: &Map, face: &Quad) -> Result<bool, VisionError> {
        let Some((level, [x, y, right, below])) = self.about(map, face) else {
            return Ok(false);
        };
        // of one that is turned, the rectangle within it that is as wide for its height
        let back = map::flat_of_mm(level.per_mm) * map.try_inverse().unwrap_or_default();
        let flat = map::scaled(back).and_then(|back| outline::quad(&back, face));
        let about = f64::from((right - x).max(1)) * f64::from((below - y).max(1));
        let part = flat.map_or(0.0, |flat| (flat.area() / about).min(1.0));
        let within = |from: i32, to: i32| {
            let less = (f64::from(to - from) * (1.0 - part) / 2.0).ceil() as i32;
            (from + less, to - from - 2 * less)
        };
        let ((x, w), (y, h)) = (within(x, right), within(y, below));
        let at = Rect::new(x, y, w, h);
        let whole = Rect::new(0, 0, level.flat.cols(), level.flat.rows());
        if w < SMALL || h < SMALL || (at & whole) != at {
            return Ok(false);
        }
        if level.texture(at)? < TEXTURE {
            return Ok(level.shown(grey, map, at)? >= level::SHOWN);
        }
        let shown = level.shown(grey, map, at)? >= level::SHOWN;
        Ok(shown && level.correlated(grey, map, at)? < f64::from(level::SAME))
    }

    /// The level that a picture is compared at, and of its pixels the rectangle about `face`: left, top, right, bottom.
    fn about(&self, map: &Map, face: &Quad) -> Option<(&Level, [i32; 4])> {
        let corners = map::corners(map, self.size_mm)?;
        let level = self.level(map::density(&corners, self.size_mm), Care::Full)?;
        let back = map::scaled(map::flat_of_mm(level.per_mm) * map.try_inverse()?)?;
        let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
        for p in &face.0 {
            let p = map::apply(&back, *p)?;
            for (axis, v) in [p.x, p.y].into_iter().enumerate() {
                low[axis] = low[axis].min(v);
                high[axis] = high[axis].max(v);
            }
        }
        let ([x, y], [right, below]) =
            (low.map(|v| v.floor() as i32), high.map(|v| v.ceil() as i32));
        Some((level, [x, y, right, below]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card of so many millimetres, and its pixels a millimetre.
    const SIDE_MM: usize = 90;
    const PER_MM: usize = 3;
    /// Where its zone is, and a die in it, millimetres.
    const ZONE: [usize; 2] = [33, 57];
    const DIE: [usize; 2] = [37, 53];

    /// A dark card with a zone's light lines, what is printed in the zone, and what lies there: for each place within the die its grey.
    fn card(drawn: impl Fn(usize, usize) -> Option<u8>) -> Mat {
        let side = SIDE_MM * PER_MM;
        let mut pixels = Vec::with_capacity(side * side);
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            let near = |v: usize, [from, to]: [usize; 2]| (from * PER_MM..to * PER_MM).contains(&v);
            let zone = near(x, ZONE) && near(y, ZONE);
            let line = zone && ![x, y].iter().all(|v| near(*v, [ZONE[0] + 2, ZONE[1] - 2]));
            let within = near(x, DIE) && near(y, DIE);
            let own = || within.then(|| drawn(x / PER_MM, y / PER_MM)).flatten();
            pixels.push(if line { 220 } else { own().unwrap_or(40) });
        }
        let grey = Mat::from_slice(&pixels).unwrap();
        grey.reshape(1, side as i32).unwrap().try_clone().unwrap()
    }

    #[test]
    fn a_dark_die_in_a_zone_hides_what_is_there_though_its_lines_are_seen() {
        let print = |x: usize, y: usize| ((x / 3 + y / 4) % 3 == 0).then_some(120);
        let symbol = |x: usize, y: usize| (x.abs_diff(45) + y.abs_diff(45) < 6).then_some(90);
        let faint = |_: usize, _: usize| Some(44);
        let [low, high] = DIE.map(|v| (v * PER_MM) as f64);
        let face = Quad::from_pairs([[low, low], [high, low], [high, high], [low, high]]);
        let whole = (SIDE_MM * PER_MM) as f64;
        let pixels = Quad::from_pairs([[0.0, 0.0], [whole, 0.0], [whole, whole], [0.0, whole]]);
        let size_mm = [SIDE_MM as f64; 2];
        let map = map::of_corners(&pixels, size_mm).unwrap();
        let is = |empty: Mat, seen: Mat, face: &Quad| {
            let reference = Reference::of("card", size_mm, &empty).unwrap();
            let like = reference.shows(&seen, &map, face).unwrap();
            let hidden = reference.is_hidden_at(&seen, &map, face).unwrap();
            (like.unwrap() >= PRINTED, hidden)
        };
        let bare = || card(|_, _| None);
        // nothing lies in it; a die whose symbol is faint; and one that shows nothing at all cannot be told
        assert_eq!(is(bare(), bare(), &face), (true, false));
        assert_eq!(is(bare(), card(symbol), &face), (true, true));
        assert_eq!(is(bare(), card(faint), &face), (true, false));
        // where something is printed: that, and another symbol in its place, however it is turned
        assert_eq!(is(card(print), card(print), &face), (true, false));
        assert!(is(card(print), card(symbol), &face).1);
        let turned = Quad::from_pairs([
            [135.0, 100.0],
            [170.0, 135.0],
            [135.0, 170.0],
            [100.0, 135.0],
        ]);
        assert!(is(card(print), card(symbol), &turned).1);
        assert!(!is(card(print), card(print), &turned).1);
    }
}
