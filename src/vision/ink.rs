//! Whether what is printed on a die is lighter than its body or darker: light and exposure do not turn one into the other, glare aside, so that a black die with
//! white pips is none of a copy whose are white with black ones, whatever it shows.

use opencv::{core::Mat, prelude::*};

use super::{crop, eye::VisionError};
use crate::geometry::Quad;

/// Side of the small picture that is looked at, pixels, and what of a face it shows. Set by judgement, as all numbers here.
const SIZE: i32 = 16;
const PART: f64 = 0.9;
/// So many of its pixels at either end are left out: noise, and a spark of light.
const ENDS: usize = 5;
/// Grey levels between the ends below which nothing can be told.
const CONTRAST: f64 = 20.0;
/// From this on an ink is lighter, or darker, and half of that where its owner's pictures show it, nine in ten of them. Set once, by judgement; of 3,023 dice of 22
/// made copies whose kinds' ink is known so and that a person can read (`tables.py --seed 7800` and `7700`) none contradicts, of 356 of no copy 75 do energy dice.
const TELLING: f64 = 0.4;
const MOST: f64 = 0.9;
/// Fewer pictures of a kind tell nothing.
const LEAST: usize = 3;

/// How much lighter a face's print is than its body, -1 to 1: the body is what most of it is as light as; nothing where there is no contrast.
///
/// # Errors
/// Where the corners make no quadrilateral.
pub(super) fn of_face(picture: &Mat, face: &Quad) -> Result<f64, VisionError> {
    let small = crop::rectify(picture, &face.scaled(PART), SIZE, 0.0)?;
    let pixels = small.data_typed::<opencv::core::Vec3b>()?;
    // as OpenCV makes colours grey
    let grey =
        |[r, g, b]: [u8; 3]| 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
    let mut all: Vec<f64> = pixels.iter().map(|p| grey(p.0)).collect();
    all.sort_by(f64::total_cmp);
    let at = |i: usize| all.get(i).copied().unwrap_or_default();
    let (low, middle, high) = (
        at(ENDS),
        at(all.len() / 2),
        at(all.len().saturating_sub(ENDS + 1)),
    );
    if high - low < CONTRAST {
        return Ok(0.0);
    }
    Ok(((high - middle) - (middle - low)) / (high - low))
}

/// Whether each kind's ink is lighter than its body, where its owner's pictures agree.
#[derive(Debug, Default)]
pub(super) struct Inks(Vec<(String, bool)>);

impl Inks {
    /// By kind, of each of the owner's pictures.
    pub fn new(seen: &[(String, f64)]) -> Self {
        let mut kinds: Vec<&String> = seen.iter().map(|(kind, _)| kind).collect();
        kinds.sort();
        kinds.dedup();
        let agreed = kinds.into_iter().filter_map(|kind| {
            let own = seen.iter().filter(|(k, ink)| k == kind && *ink != 0.0);
            let own: Vec<f64> = own.map(|(_, ink)| *ink).collect();
            let share = |sign: f64| {
                let so = own
                    .iter()
                    .filter(|ink| sign * **ink > TELLING / 2.0)
                    .count();
                so as f64 / own.len().max(1) as f64
            };
            let lighter = [1.0, -1.0].map(|sign| own.len() >= LEAST && share(sign) > MOST);
            lighter.contains(&true).then(|| (kind.clone(), lighter[0]))
        });
        Self(agreed.collect())
    }

    /// Whether a face with such an ink is none of that kind's.
    pub fn contradict(&self, kind: &str, ink: f64) -> bool {
        let own = self.0.iter().find(|(k, _)| k == kind);
        own.is_some_and(|(_, lighter)| {
            if *lighter {
                ink < -TELLING
            } else {
                ink > TELLING
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face of 64 pixels with four pips.
    fn face(body: u8, pips: u8) -> f64 {
        let mut pixels = Vec::new();
        for (y, x) in (0..64_i32).flat_map(|y| (0..64_i32).map(move |x| (y, x))) {
            let pip = [x, y].map(|v| (v - 18).abs().min((v - 46).abs()));
            let v = if pip[0].pow(2) + pip[1].pow(2) < 36 {
                pips
            } else {
                body
            };
            pixels.push(opencv::core::Vec3b::from([v; 3]));
        }
        let mat = Mat::from_slice(&pixels).unwrap();
        let mat = mat.reshape(3, 64).unwrap().try_clone().unwrap();
        let whole = [[0.0, 0.0], [63.0, 0.0], [63.0, 63.0], [0.0, 63.0]];
        of_face(&mat, &Quad::from_pairs(whole)).unwrap()
    }

    #[test]
    fn white_pips_on_black_are_no_black_ones_on_white_in_any_light() {
        let (light, dark) = (face(20, 230), face(230, 20));
        assert!(light > 0.9 && dark < -0.9, "{light} {dark}");
        // in the shade, and nearly burnt out; and what shows nothing
        assert!(face(10, 50) > 0.9 && face(254, 200) < -0.9);
        assert_eq!(face(100, 110), 0.0);
        let seen = |kind: &str, ink: f64| (kind.to_owned(), ink);
        let energy = [dark, dark, 0.0, -0.3].map(|ink| seen("energy", ink));
        let helm = [light, light, dark].map(|ink| seen("helm", ink));
        let few = [light, light].map(|ink| seen("shield", ink));
        let inks = Inks::new(&[&energy[..], &helm, &few].concat());
        assert!(inks.contradict("energy", light) && !inks.contradict("energy", dark));
        assert!(!inks.contradict("energy", 0.3), "glare on a pip");
        // prints that cover half of a face are neither, and two pictures tell nothing
        for kind in ["helm", "shield", "crystal"] {
            assert!(!inks.contradict(kind, light) && !inks.contradict(kind, dark));
        }
    }
}
