//! Finds where cards and boards may lie: a small network says where the four corners are of whatever looks like one. Which it is, if any of the copy's,
//! its print says ([`super::register`]).

use std::path::Path;

use nalgebra::{Rotation2, Vector2};

use super::{crop, detector::Maps, eye::VisionError};
use crate::{capture::Picture, geometry::Quad};

/// What the network's map holds a cell; `models/train/card_detector.py` says the same.
const CHANNELS: usize = 11;
/// Least divisor of a corner in perspective: none lies farther from the middle than 1 / 0.3 times where it would without.
const NEAREST: f64 = 0.3;
/// How many of a picture, at most.
const MOST: usize = 16;

/// The card detector.
pub(super) struct Cards {
    maps: Maps,
}

impl Cards {
    /// # Errors
    /// A model that is missing, is none, or is not a card detector of this format.
    pub fn load(path: &Path, threads: usize) -> Result<Self, VisionError> {
        Ok(Self {
            maps: Maps::load(path, "card-detector", "card", CHANNELS, threads)?,
        })
    }

    /// Four corners each, clockwise, in pixels, likeliest first; which comes first means nothing, and they may lie outside the picture.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn find(&mut self, picture: &Picture) -> Result<Vec<Quad>, VisionError> {
        let threshold = self.maps.threshold();
        let map = self.maps.whole(&crop::borrowed(picture)?)?;
        let mut found = Vec::new();
        for (cell, score) in map.peaks(threshold) {
            let (middle, size, stretch) = cell.stretched();
            let turn = Rotation2::new(cell.value(10).atan2(cell.value(9)) / 4.0);
            let further = Vector2::new(cell.value(4), cell.value(5)) / size;
            let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| {
                let along = stretch * (turn * Vector2::new(x, y));
                middle + along / (1.0 + further.dot(&along)).max(NEAREST)
            });
            let is_one = Quad(corners).area() > 1.0
                && corners.iter().all(|p| p.x.is_finite() && p.y.is_finite());
            if is_one {
                found.push((score, Quad(corners.map(|p| map.to_picture(p)))));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(MOST);
        Ok(found.into_iter().map(|(_, quad)| quad).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        copy::shipped,
        geometry::{Homography, Point},
        vision::models_folder,
    };

    /// A table of one colour with displays of the practice copy on it.
    fn table(cards: &[(Quad, &str)]) -> Picture {
        let mut rgb = image::RgbImage::from_fn(1280, 720, |x, y| {
            let grain = ((x * 7 + y * 13 + x * y) % 9) as u8;
            image::Rgb([92 + grain, 64 + grain, 40 + grain])
        });
        for (card, display) in cards {
            let path = shipped("practice").join("displays").join(display);
            let art = image::open(path).unwrap().to_rgb8();
            let (w, h) = (360, 240);
            let art = image::imageops::resize(&art, w, h, image::imageops::FilterType::Triangle);
            let (right, below) = (f64::from(w), f64::from(h));
            let flat = Quad::from_pairs([[0.0, 0.0], [right, 0.0], [right, below], [0.0, below]]);
            let map = Homography::between(card, &flat).unwrap();
            for (x, y, pixel) in rgb.enumerate_pixels_mut() {
                let p = Point::new(f64::from(x), f64::from(y));
                if let Some(at) = map.apply(p).filter(|_| card.contains(p)) {
                    let (u, v) = (at.x.clamp(0.0, right - 1.0), at.y.clamp(0.0, below - 1.0));
                    *pixel = *art.get_pixel(u as u32, v as u32);
                }
            }
        }
        Picture::from_rgb(1280, 720, rgb.into_raw()).unwrap()
    }

    #[test]
    fn displays_are_seen_where_they_lie() {
        let mut cards = Cards::load(&models_folder().join("card-detector.onnx"), 1).unwrap();
        let one = Quad::from_pairs([
            [180.0, 470.0],
            [470.0, 500.0],
            [440.0, 660.0],
            [120.0, 620.0],
        ]);
        let other = Quad::from_pairs([
            [760.0, 520.0],
            [1080.0, 500.0],
            [1110.0, 650.0],
            [740.0, 680.0],
        ]);
        let picture = table(&[(one, "white-shields.png"), (other, "black-weapons.png")]);
        let found = cards.find(&picture).unwrap();
        for card in [one, other] {
            let off = |q: &Quad| {
                let each = (0..4).map(|turn| {
                    let corners = q.turned(turn).0;
                    let all = corners.iter().zip(&card.0).map(|(a, b)| (a - b).norm());
                    all.fold(0.0, f64::max)
                });
                each.fold(f64::MAX, f64::min)
            };
            let nearest = found.iter().map(off).fold(f64::MAX, f64::min);
            // their edges are looked for from there
            assert!(nearest < 0.25 * card.side(), "{nearest}: {found:?}");
        }
    }
}
