//! Which of two displays with one layout it is, by their colours: two teams' displays often differ in little else, and print is compared grey.
//!
//! Light has a tint, and cameras balance it in their own way: what all other surfaces of the picture say of it is taken off first.

use nalgebra::Vector3;
use opencv::{
    core::{Mat, MatTraitConst, MatTraitConstManual, Size, ToInputArray, Vec3b},
    imgproc,
};

use super::{Map, Registered, Registrar, map};
use crate::{
    capture::Picture,
    copy::Status,
    vision::{crop, eye::VisionError},
};

/// Cells along each side of a surface whose colours are compared.
const CELLS: i32 = 24;
/// Surfaces whose sides differ by less, as logarithms, may be each other.
const AS_LARGE: f64 = 0.1;
/// Tints of two surfaces that differ by less, as logarithms of the channels, say nothing. Set by judgement: light is not the same all over a table.
const APART: f64 = 0.12;
/// How far on the way from its own tint to another one's the light has to be for the colours to be that one's: reference pictures were taken in a light of
/// their own each. Of 349 displays on four made copies (`tables.py --copies 14 --pictures 364 --seed 7800`, copies 0, 3, 6 and 9), laid where they
/// are, whose likes have another tint, none is farther; of the same, each taken for its like, 267 are.
const NEARER: f64 = 0.8;
/// Colours darker than this, or lighter, have none that can be told.
const DARK: f64 = 12.0;
const LIGHT: f64 = 250.0;

/// A surface's colours, cell by cell, red, green and blue.
pub(in crate::vision) struct Tint(Vec<Vector3<f64>>);

impl Tint {
    /// Of a whole reference picture.
    pub(super) fn of(rgb: &(impl MatTraitConst + ToInputArray)) -> Result<Self, VisionError> {
        let mut small = Mat::default();
        let size = Size::new(CELLS, CELLS);
        imgproc::resize(rgb, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        Self::cells(&small)
    }

    /// Of what of a picture lies under a surface of that size.
    fn under(rgb: &Mat, map: &Map, [w, h]: [f64; 2]) -> Result<Self, VisionError> {
        // four pixels a cell each way, or far fewer would be looked at than there are
        let fine = 4 * CELLS;
        let cell = Map::new(
            w / f64::from(fine),
            0.0,
            0.5 * w / f64::from(fine),
            0.0,
            h / f64::from(fine),
            0.5 * h / f64::from(fine),
            0.0,
            0.0,
            1.0,
        );
        Self::of(&map::laid(rgb, &(map * cell), Size::new(fine, fine))?)
    }

    fn cells(small: &Mat) -> Result<Self, VisionError> {
        let cells: &[Vec3b] = small.data_typed()?;
        let cell = |c: &Vec3b| Vector3::new(c.0[0], c.0[1], c.0[2]).map(f64::from);
        Ok(Self(cells.iter().map(cell).collect()))
    }

    /// By what the channels of a picture differ from these, as logarithms, brightness taken off: the median of all cells, so that dice on
    /// it say little. `None` where it has no colours that can be told.
    fn shift(&self, seen: &Self) -> Option<Vector3<f64>> {
        let told = |v: &Vector3<f64>| v.iter().all(|c| (DARK..LIGHT).contains(c));
        let pairs = self.0.iter().zip(&seen.0);
        let pairs = pairs.filter(|(was, is)| told(was) && told(is));
        let ratios: Vec<Vector3<f64>> = pairs
            .map(|(was, is)| {
                let ratio = is.zip_map(was, |is, was| (is / was).ln());
                ratio.add_scalar(-ratio.mean())
            })
            .collect();
        // a quarter of it at least
        if 4 * ratios.len() < self.0.len() {
            return None;
        }
        let middle = |channel: usize| {
            let mut all: Vec<f64> = ratios.iter().map(|r| r[channel]).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied()
        };
        Some(Vector3::new(middle(0)?, middle(1)?, middle(2)?))
    }
}

/// Surfaces that are sure and have rather another one's colours, as the picture's light is by all others: their places among `surfaces`.
///
/// # Errors
/// Only where a library fails.
pub(in crate::vision) fn of_another(
    registrar: &Registrar,
    picture: &Picture,
    surfaces: &[Registered],
) -> Result<Vec<usize>, VisionError> {
    let seek = |s: &Registered| {
        let mut seeks = registrar.seeks.iter();
        seeks.find(|k| k.reference.id == s.surface)
    };
    let sure = |s: &&Registered| s.status == Status::Sure;
    if surfaces.iter().filter(sure).count() < 2 {
        return Ok(Vec::new());
    }
    let rgb = crop::mat(picture)?;
    let mut seen = Vec::new();
    for s in surfaces {
        let under = match seek(s).filter(|_| sure(&s)) {
            Some(seek) => Some(Tint::under(&rgb, &s.map, seek.reference.size_mm)?),
            None => None,
        };
        let shift = seek(s).zip(under.as_ref());
        let shift = shift.and_then(|(seek, under)| seek.tint.shift(under));
        seen.push((under, shift));
    }
    let mut out = Vec::new();
    for (i, s) in surfaces.iter().enumerate() {
        let (Some(own), (Some(under), Some(shift))) = (seek(s), &seen[i]) else {
            continue;
        };
        // the light by all others, larger ones counting more
        let (mut light, mut weight) = (Vector3::zeros(), 0.0);
        for (j, (_, other)) in seen.iter().enumerate().filter(|(j, _)| *j != i) {
            if let Some(other) = other {
                let area = surfaces[j].corners.area();
                light += other * area;
                weight += area;
            }
        }
        if weight <= 0.0 {
            continue;
        }
        let light = light / weight;
        let is_other = registrar.seeks.iter().any(|rival| {
            let ([w, h], [v, u]) = (own.reference.size_mm, rival.reference.size_mm);
            let as_large = (w / v).ln().abs() < AS_LARGE && (h / u).ln().abs() < AS_LARGE;
            let found = surfaces
                .iter()
                .any(|o| sure(&o) && o.surface == rival.reference.id);
            if rival.reference.id == own.reference.id || !as_large || found {
                return false;
            }
            rival.tint.shift(under).is_some_and(|rivals| {
                let to = rivals - shift;
                to.norm() > APART && (light - shift).dot(&to) > NEARER * to.norm_squared()
            })
        });
        if is_other {
            out.push(i);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::copy::{load, shipped};

    /// A table with two surfaces seen from straight above, a pixel a millimetre, in a light of some tint, the second in another colour
    /// than its own.
    fn table(
        registrar: &Registrar,
        copy: &crate::copy::Copy,
        light: [f64; 3],
        other: [f64; 3],
    ) -> (Picture, Vec<Registered>) {
        let mut rgb = image::RgbImage::from_pixel(700, 500, image::Rgb([70, 60, 50]));
        let mut lie = Vec::new();
        for (i, at) in [(0, [20.0, 20.0]), (1, [380.0, 260.0])] {
            let surface = &copy.surfaces[i];
            let art = image::open(surface.reference.as_ref().unwrap())
                .unwrap()
                .to_rgb8();
            let [w, h] = surface.size_mm;
            let (w, h) = (w.round() as u32, h.round() as u32);
            let mut art =
                image::imageops::resize(&art, w, h, image::imageops::FilterType::Triangle);
            for pixel in art.pixels_mut() {
                for c in 0..3 {
                    let tint = if i == 1 {
                        light[c] * other[c]
                    } else {
                        light[c]
                    };
                    pixel.0[c] = (f64::from(pixel.0[c]) * 0.6 * tint).min(255.0) as u8;
                }
            }
            image::imageops::replace(&mut rgb, &art, at[0] as i64, at[1] as i64);
            let map = map::rigid(0.0, at[0] - 0.5, at[1] - 0.5);
            assert_eq!(registrar.seeks[i].reference.id, surface.id);
            lie.push(Registered {
                surface: surface.id.clone(),
                corners: map::corners(&map, surface.size_mm).unwrap(),
                status: Status::Sure,
                agreement: 0.9,
                seen: 1.0,
                print: Default::default(),
                map,
                repeated: 0.0,
            });
        }
        (Picture::from_rgb(700, 500, rgb.into_raw()).unwrap(), lie)
    }

    #[test]
    fn a_display_in_another_ones_colours_is_doubted_in_any_light() {
        let copy = load(&shipped("practice")).unwrap();
        let mut registrar = Registrar::new(&copy.surfaces).unwrap();
        // a third one is as the second one is, but green
        let green = [0.7, 1.0, 0.7];
        let size_mm = copy.surfaces[1].size_mm;
        let seeks = std::sync::Arc::get_mut(&mut registrar.seeks).unwrap();
        seeks[2].reference.size_mm = size_mm;
        let is = seeks[1].tint.0.clone();
        seeks[2].tint = Tint(
            is.iter()
                .map(|c| c.component_mul(&Vector3::from(green)))
                .collect(),
        );
        for light in [[1.0, 1.0, 1.0], [1.2, 1.0, 0.7], [0.8, 1.0, 1.25]] {
            for (other, doubted) in [([1.0; 3], vec![]), (green, vec![1])] {
                let (picture, lie) = table(&registrar, &copy, light, other);
                let found = of_another(&registrar, &picture, &lie).unwrap();
                assert_eq!(found, doubted, "{light:?}");
                // of one alone nobody knows the light
                assert!(
                    of_another(&registrar, &picture, &lie[1..])
                        .unwrap()
                        .is_empty()
                );
            }
        }
    }
}
