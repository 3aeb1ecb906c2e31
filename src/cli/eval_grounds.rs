//! Where the surfaces of a scene lie of which print alone does not say enough, as `eval --scenes --each` prints it: `models/train/grounds.py` fits on it whether they
//! lie where they were found.

use serde::Serialize;

use crate::{
    geometry::{Homography, Point, Quad},
    vision::{Grounds, Registered},
};

/// So many places along each side are asked for, and so many of them all must be in the picture.
const ALONG: u32 = 7;
const FEW: usize = 4;

/// A surface that is not sure by its print alone.
#[derive(Debug, Serialize)]
pub(super) struct Lies {
    /// `surface`
    form: &'static str,
    said: String,
    /// How far its places that are in the picture are off, in the middle, millimetres; nothing where hardly any is in it.
    off_mm: Option<f64>,
    #[serde(flatten)]
    grounds: Grounds,
}

impl Lies {
    /// Of a surface in a picture of so many pixels whose size is, and whose corners are, `truly` so; nothing where its print says enough.
    pub(super) fn of(
        s: &Registered,
        truly: Option<([f64; 2], Quad)>,
        size_px: [u32; 2],
    ) -> Option<Self> {
        Some(Self {
            form: "surface",
            said: s.surface.clone(),
            off_mm: truly.and_then(|(size_mm, truly)| off_mm(&s.corners, size_mm, &truly, size_px)),
            grounds: s.grounds?,
        })
    }
}

fn off_mm(corners: &Quad, [w, d]: [f64; 2], truly: &Quad, size_px: [u32; 2]) -> Option<f64> {
    let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, d], [0.0, d]]);
    let mm_a_pixel = (w * d / truly.area().max(1.0)).sqrt();
    let found = Homography::between(&flat, corners)?;
    let truly = Homography::between(&flat, truly)?;
    let [width, height] = size_px.map(f64::from);
    let part = |i: u32| f64::from(i) / f64::from(ALONG - 1);
    let places = (0..ALONG).flat_map(|i| (0..ALONG).map(move |j| (part(i), part(j))));
    let off = places.filter_map(|(x, y)| {
        let at = Point::new(w * x, d * y);
        let seen = truly.apply(at)?;
        let inside = (0.0..width).contains(&seen.x) && (0.0..height).contains(&seen.y);
        inside.then_some((found.apply(at)? - seen).norm() * mm_a_pixel)
    });
    let mut off: Vec<f64> = off.collect();
    off.sort_by(f64::total_cmp);
    off.get(off.len() / 2).copied().filter(|_| off.len() >= FEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_the_picture_counts() {
        // two pixels a millimetre, half beyond the picture's right edge
        let truly = [[100.0, 50.0], [300.0, 50.0], [300.0, 150.0], [100.0, 150.0]];
        let off = |corners| {
            let (corners, truly) = (Quad::from_pairs(corners), Quad::from_pairs(truly));
            off_mm(&corners, [100.0, 50.0], &truly, [200, 400])
        };
        let along = truly.map(|[x, y]| [x + 4.0, y]);
        assert!((off(along).unwrap() - 2.0).abs() < 1e-9);
        // a corner there that is far off says little of the rest
        let drawn_out = [[100.0, 50.0], [312.0, 50.0], [312.0, 150.0], [100.0, 150.0]];
        assert!(off(drawn_out).unwrap() < 2.0);
        let beyond = [[500.0, 50.0], [700.0, 50.0], [700.0, 150.0], [500.0, 150.0]];
        let beyond = Quad::from_pairs(beyond);
        assert_eq!(off_mm(&beyond, [100.0, 50.0], &beyond, [200, 400]), None);
    }
}
