//! Whether anything has changed: asked of a small grey picture, so that the models rest while nothing moves.

use std::time::Duration;

use opencv::core;

use super::{crop, eye::VisionError, small::Small};
use crate::capture::Picture;

/// So many pixels that differ are something that moved.
const PIXELS: i32 = 4;
/// After the last change all is looked at for so long, and in so many frames: until votes over frames are cast.
const LINGER: Duration = Duration::from_millis(1500);
const LOOKS: u32 = 8;

/// Watches one camera's pictures for change.
#[derive(Debug, Default)]
pub struct Gate {
    /// The small picture of the last change, and when that was.
    changed: Option<(Small, Duration)>,
    /// Frames that were looked at since.
    looks: u32,
}

impl Gate {
    /// Forgets what was seen: the next picture is a change.
    pub fn clear(&mut self) {
        self.changed = None;
    }

    /// When something last changed.
    pub fn changed_at(&self) -> Duration {
        self.changed.as_ref().map_or(Duration::ZERO, |c| c.1)
    }

    /// Says that the frame was looked at, with all that is known of the table.
    pub fn looked(&mut self) {
        self.looks = self.looks.saturating_add(1);
    }

    /// Takes the next frame; `at` is its time on its source's clock. Whether it has to be looked at: something
    /// changed in it, or did shortly before.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn is_open(&mut self, picture: &Picture, at: Duration) -> Result<bool, VisionError> {
        let now = Small::of(&crop::borrowed(picture)?)?;
        if let Some((then, changed_at)) = &self.changed
            && core::count_non_zero(&now.change(then)?)? < PIXELS
        {
            return Ok(self.looks < LOOKS || at.saturating_sub(*changed_at) < LINGER);
        }
        self.changed = Some((now, at));
        self.looks = 0;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey picture of 1280x720 with webcam noise, a light of its own, and perhaps a die-sized blot.
    fn shown(seed: u32, light: i32, blot: Option<(usize, u8)>) -> Picture {
        let (w, h) = (1280_usize, 720_usize);
        let mut chance = seed.wrapping_mul(2_654_435_761) | 1;
        let mut rgb = Vec::with_capacity(w * h * 3);
        for y in 0..h {
            for x in 0..w {
                chance ^= chance << 13;
                chance ^= chance >> 17;
                chance ^= chance << 5;
                let there = blot.filter(|(at, _)| x.abs_diff(*at) < 10 && y.abs_diff(300) < 10);
                let level = there.map_or(110, |(_, level)| i32::from(level));
                let v = (level + light + (chance % 13) as i32 - 6).clamp(0, 255) as u8;
                rgb.extend([v; 3]);
            }
        }
        Picture::from_rgb(1280, 720, rgb).expect("a picture")
    }

    #[test]
    fn it_closes_over_noise_and_light_and_opens_for_a_die() {
        let mut gate = Gate::default();
        let mut at = Duration::ZERO;
        let mut open = |picture: &Picture| {
            at += Duration::from_millis(100);
            let open = gate.is_open(picture, at).expect("looked at");
            if open {
                gate.looked();
            }
            open
        };
        // until votes are cast
        for seed in 1..=15 {
            assert!(open(&shown(seed, 0, None)), "{seed}");
        }
        for seed in 16..24 {
            assert!(!open(&shown(seed, 2 * seed as i32 - 40, None)), "{seed}");
        }
        let die = Some((600, 150));
        for seed in 24..39 {
            assert!(open(&shown(seed, 0, die)), "{seed}");
        }
        assert!(!open(&shown(39, 0, die)));
        // pushed by its own width
        assert!(open(&shown(40, 0, Some((620, 150)))));
    }

    #[test]
    fn few_frames_a_second_are_looked_at_for_longer() {
        let mut gate = Gate::default();
        let still = shown(1, 0, None);
        let mut open = |s: u64| {
            let open = gate
                .is_open(&still, Duration::from_secs(s))
                .expect("looked at");
            gate.looked();
            open
        };
        assert!((0..8).all(&mut open));
        assert!(!open(8));
    }
}
