//! Which of two surfaces of one layout it is, by their colours: two teams' displays often differ in little else, and print is compared grey. And which way
//! round one lies whose lines are much the same both ways.
//!
//! Light has a tint, and references were photographed in lights of their own. So it is not asked what colour a surface has, but how its parts differ in
//! brightness and colour: one gain for each channel is free.

use opencv::{
    core::{Mat, MatTraitConst, MatTraitConstManual, Size, ToInputArray, Vec3b},
    imgproc,
};

use super::{
    Hypothesis, Map, Seek,
    align::Pyramid,
    map,
    repeats::HALF,
    trial::{NEARLY, better, weighed_fully},
};
use crate::{geometry::Point, vision::eye::VisionError};

/// Cells across and down a surface whose colours are compared, and pixels looked at for each, across and down.
const CELLS: (i32, i32) = (32, 20);
const FINE: i32 = 6;
/// Surfaces whose sides differ by less, as logarithms, may be each other.
const AS_LARGE: f64 = 0.1;
/// Added to each channel before logarithms are taken, so that what is dark says little; and what a cell differs by at most: dice lie on some.
/// Found, of a few values, on the displays of [`SURELY`].
const FLOOR: f64 = 120.0;
const MOST: f64 = 1.0;
/// Where a surface differs from itself by more than from its like, as a logarithm of both, it is not surely what its print says; and by so much more it is the
/// other. Of 2,045 displays that lie where truth says on 25 made copies (`tables.py`, seeds 7700, 7800, 7900) and in table-photos, at 20 pixels a 16 mm and
/// more, 11 are beyond the first and 2 of them beyond the second; were each taken for its like, 96 % and 83 % would be.
const RATHER: f64 = 0.1;
const SURELY: f64 = 0.3;
/// Of fewer cells nothing is told.
const LEAST: usize = 160;

/// A surface's colours, cell by cell: logarithms of red, green and blue.
pub(in crate::vision) struct Livery(Vec<[f64; 3]>);

/// Whose colours a surface has that was found by its print.
pub(in crate::vision) enum Whose {
    /// Its own, or nobody's.
    Own,
    /// Rather another one's, whose print is there nearly as well.
    Open,
    /// Another one's, which lies there, too; or its own, which lies the other way round.
    Another(usize, Hypothesis),
}

impl Livery {
    /// Of a whole reference picture.
    pub(super) fn of(rgb: &(impl MatTraitConst + ToInputArray)) -> Result<Self, VisionError> {
        let mut small = Mat::default();
        let size = Size::new(CELLS.0, CELLS.1);
        imgproc::resize(rgb, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let cells: &[Vec3b] = small.data_typed()?;
        let cell = |c: &Vec3b| c.0.map(|v| (f64::from(v) + FLOOR).ln());
        Ok(Self(cells.iter().map(cell).collect()))
    }

    /// Of what of a picture lies under a surface of that size, and which cells are in the picture.
    fn under(
        rgb: &(impl MatTraitConst + ToInputArray),
        map: &Map,
        [w, h]: [f64; 2],
    ) -> Result<(Self, Vec<bool>), VisionError> {
        let (across, down) = (f64::from(CELLS.0), f64::from(CELLS.1));
        let mut cell = Map::from_diagonal(&[w / across, h / down, 1.0].into());
        let seen = |x: f64, y: f64| {
            let at = map::apply(&(map * cell), Point::new(x, y));
            at.is_some_and(|p| {
                (0.0..f64::from(rgb.cols())).contains(&p.x)
                    && (0.0..f64::from(rgb.rows())).contains(&p.y)
            })
        };
        let all =
            (0..CELLS.1).flat_map(|y| (0..CELLS.0).map(move |x| (f64::from(x), f64::from(y))));
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let whole = |(x, y): (f64, f64)| corners.iter().all(|(dx, dy)| seen(x + dx, y + dy));
        let whole = all.map(whole).collect();
        // a pixel's middle is half a pixel in
        let fine = f64::from(FINE);
        cell /= fine;
        cell[(2, 2)] = 1.0;
        cell[(0, 2)] = cell[(0, 0)] / 2.0;
        cell[(1, 2)] = cell[(1, 1)] / 2.0;
        let size = Size::new(FINE * CELLS.0, FINE * CELLS.1);
        Ok((Self::of(&map::laid(rgb, &(map * cell), size)?)?, whole))
    }

    /// By how much the colours of what lies there differ from these, on the mean of all cells that are seen; one gain a channel is free.
    fn apart(
        &self,
        rgb: &(impl MatTraitConst + ToInputArray),
        map: &Map,
        size_mm: [f64; 2],
    ) -> Result<Option<f64>, VisionError> {
        let (seen, cells) = Self::under(rgb, map, size_mm)?;
        Ok(self.beside(&seen, &cells))
    }

    fn beside(&self, seen: &Self, which: &[bool]) -> Option<f64> {
        let pairs = self.0.iter().zip(&seen.0).zip(which);
        let pairs = pairs.filter(|(_, seen)| **seen);
        let ratios: Vec<[f64; 3]> = pairs
            .map(|((was, is), _)| [0, 1, 2].map(|c| is[c] - was[c]))
            .collect();
        if ratios.len() < LEAST {
            return None;
        }
        let light = [0, 1, 2].map(|c| {
            let mut all: Vec<f64> = ratios.iter().map(|r| r[c]).collect();
            let middle = all.len() / 2;
            *all.select_nth_unstable_by(middle, f64::total_cmp).1
        });
        let off = |r: &[f64; 3]| {
            let each = r.iter().zip(light).map(|(v, light)| (v - light).abs());
            each.sum::<f64>().min(MOST)
        };
        Some(ratios.iter().map(off).sum::<f64>() / ratios.len() as f64)
    }
}

/// Whose colours are seen where `which` was found. `free` says where another one may lie.
///
/// # Errors
/// Only where a library fails.
pub(in crate::vision) fn whose(
    seeks: &[Seek],
    (which, found): (usize, &Hypothesis),
    rgb: &(impl MatTraitConst + ToInputArray),
    pictures: &Pyramid,
    free: impl Fn(usize, &Hypothesis) -> bool,
) -> Result<Whose, VisionError> {
    let Some(own) = seeks.get(which) else {
        return Ok(Whose::Own);
    };
    let size_mm = own.reference.size_mm;
    let Some(apart) = own.livery.apart(rgb, &found.map, size_mm)? else {
        return Ok(Whose::Own);
    };
    let liker = |seek: &Seek, map: &Map| -> Result<Option<f64>, VisionError> {
        let other = seek.livery.apart(rgb, map, seek.reference.size_mm)?;
        let by = other.map(|other| (apart / other.max(1e-6)).ln());
        Ok(by.filter(|by| *by > RATHER))
    };
    let mut rivals: Vec<(f64, usize, &Seek, Map)> = Vec::new();
    for (i, seek) in seeks.iter().enumerate() {
        for map in places(own, seek, i == which) {
            let map = found.map * map;
            if let Some(by) = liker(seek, &map)? {
                rivals.push((by, i, seek, map));
            }
        }
    }
    rivals.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut open = false;
    for (_, i, seek, map) in rivals {
        let free = |h: &Hypothesis| free(i, h);
        let mut best = None;
        better(seek, pictures, &map, &free, &mut best)?;
        let Some(h) = weighed_fully(seek, pictures, best, free)? else {
            continue;
        };
        if h.explains() <= NEARLY * found.explains() {
            continue;
        }
        // it may have come to lie otherwise
        match liker(seek, &h.map)? {
            Some(by) if by > SURELY || h.explains() > found.explains() => {
                return Ok(Whose::Another(i, h));
            }
            by => open |= by.is_some(),
        }
    }
    Ok(if open { Whose::Open } else { Whose::Own })
}

/// Where another surface may lie, in millimetres of one that was found there; or the same one, otherwise. Boards are never turned.
fn places(own: &Seek, seek: &Seek, is_own: bool) -> Vec<Map> {
    let ([w, h], [v, u]) = (own.reference.size_mm, seek.reference.size_mm);
    let as_large = (w / v).ln().abs() < AS_LARGE && (h / u).ln().abs() < AS_LARGE;
    let turned =
        |turn: f64| map::rigid(turn, w / 2.0, h / 2.0) * map::rigid(0.0, -v / 2.0, -u / 2.0);
    let may_turn = !seek.reference.is_board();
    let mut all = Vec::new();
    if as_large && !is_own {
        all.push(turned(0.0));
    }
    if as_large && may_turn {
        all.push(turned(HALF));
    }
    if is_own {
        all.extend(seek.reference.halves.iter().copied());
    }
    all
}

#[cfg(test)]
pub(in crate::vision) mod tests {
    #![allow(clippy::unwrap_used)]
    use image::{Rgb, RgbImage, imageops};

    use super::*;
    use crate::{
        capture::Picture,
        copy::{Status, Surface, load, shipped},
        vision::{
            crop,
            register::{Care, Registrar, grey},
        },
    };

    /// Reds and greens that are equally bright.
    pub const RED: [u8; 3] = [200, 60, 60];
    pub const GREEN: [u8; 3] = [60, 131, 60];

    /// A display's art with a band of that colour along its upper side.
    fn banded(surface: &Surface, colour: [u8; 3]) -> RgbImage {
        let art = image::open(surface.reference.as_ref().unwrap()).unwrap();
        let mut art = art.to_rgb8();
        let band = art.height() / 5;
        for (_, y, pixel) in art.enumerate_pixels_mut() {
            if y < band {
                *pixel = Rgb(colour);
            }
        }
        art
    }

    /// Two displays that differ in the colour of a band, and a picture of the one with that band in that light.
    pub fn table(band: [u8; 3], light: [f64; 3]) -> (Registrar, Picture, Map) {
        let dir = tempfile::tempdir().unwrap();
        let of = load(&shipped("practice")).unwrap().surfaces[1].clone();
        let two = [("red", RED), ("green", GREEN)].map(|(name, colour)| {
            let path = dir.path().join(format!("{name}.png"));
            banded(&of, colour).save(&path).unwrap();
            Surface {
                id: name.to_owned(),
                reference: Some(path),
                ..of.clone()
            }
        });
        let registrar = Registrar::new(&two).unwrap();
        let (picture, map) = photograph(&banded(&of, band), of.size_mm, light);
        (registrar, picture, map)
    }

    /// A card seen from straight above, a pixel and a half a millimetre.
    fn photograph(art: &RgbImage, size_mm: [f64; 2], light: [f64; 3]) -> (Picture, Map) {
        let [w, h] = size_mm.map(|v| (v * 1.5).round() as u32);
        let mut card = imageops::resize(art, w, h, imageops::FilterType::Triangle);
        for pixel in card.pixels_mut() {
            for (v, light) in pixel.0.iter_mut().zip(light) {
                *v = (f64::from(*v) * 0.7 * light).min(255.0) as u8;
            }
        }
        let mut rgb = RgbImage::from_pixel(w + 200, h + 200, Rgb([90, 80, 70]));
        imageops::replace(&mut rgb, &card, 100, 100);
        let map = Map::new(1.5, 0.0, 99.5, 0.0, 1.5, 99.5, 0.0, 0.0, 1.0);
        let picture = Picture::from_rgb(w + 200, h + 200, rgb.into_raw()).unwrap();
        (picture, map)
    }

    fn told(
        registrar: &Registrar,
        picture: &Picture,
        map: &Map,
        which: usize,
        free: bool,
    ) -> Whose {
        let rgb = crop::borrowed(picture).unwrap();
        let pictures = Pyramid::of(grey(&rgb).unwrap()).unwrap();
        let reference = &registrar.seeks()[which].reference;
        let found = reference.weighed(pictures.full(), map, Care::Full);
        let found = found.unwrap().unwrap();
        whose(
            registrar.seeks(),
            (which, &found),
            &rgb,
            &pictures,
            |_, _| free,
        )
        .unwrap()
    }

    #[test]
    fn of_two_displays_of_one_layout_it_is_the_one_whose_colours_differ_so_in_any_light() {
        for light in [[1.0, 1.0, 1.0], [1.25, 1.0, 0.6], [0.7, 0.8, 1.0]] {
            for (band, is) in [(RED, 0), (GREEN, 1)] {
                let (registrar, picture, map) = table(band, light);
                let own = told(&registrar, &picture, &map, is, true);
                assert!(matches!(own, Whose::Own), "{light:?}");
                let other = told(&registrar, &picture, &map, 1 - is, true);
                assert!(
                    matches!(other, Whose::Another(i, _) if i == is),
                    "{light:?}"
                );
                // the other lies elsewhere
                let alone = told(&registrar, &picture, &map, 1 - is, false);
                assert!(matches!(alone, Whose::Own), "{light:?}");
            }
        }
    }

    #[test]
    fn a_picture_shows_the_display_whose_colours_are_seen() {
        for (band, name) in [(RED, "red"), (GREEN, "green")] {
            let (registrar, picture, _) = table(band, [1.1, 1.0, 0.8]);
            let found = registrar.find(&picture).unwrap();
            let found = found.iter().map(|s| (s.surface.as_str(), s.status));
            assert_eq!(found.collect::<Vec<_>>(), [(name, Status::Sure)]);
        }
    }

    #[test]
    fn a_display_whose_lines_are_the_same_both_ways_lies_as_its_colours_do() {
        let mut of = load(&shipped("practice")).unwrap().surfaces[1].clone();
        let mut art = banded(&of, RED);
        let (w, h) = art.dimensions();
        let turned = imageops::rotate180(&art);
        let lower = imageops::crop_imm(&turned, 0, h / 2, w, h - h / 2).to_image();
        imageops::replace(&mut art, &lower, 0, i64::from(h / 2));
        for (_, y, pixel) in art.enumerate_pixels_mut() {
            if y >= h - h / 5 {
                *pixel = Rgb(GREEN);
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("both.png");
        art.save(&path).unwrap();
        of.reference = Some(path);
        let registrar = Registrar::new(std::slice::from_ref(&of)).unwrap();
        let (picture, map) = photograph(&art, of.size_mm, [1.1, 1.0, 0.8]);
        let as_it_lies = told(&registrar, &picture, &map, 0, true);
        assert!(matches!(as_it_lies, Whose::Own));
        let [w, h] = of.size_mm;
        let other_way = map * map::rigid(HALF, w, h);
        let Whose::Another(0, there) = told(&registrar, &picture, &other_way, 0, true) else {
            panic!("it was left as it was");
        };
        let first = map::apply(&there.map, Point::new(0.0, 0.0)).unwrap();
        assert!((first - Point::new(99.5, 99.5)).norm() < 2.0, "{first:?}");
    }

    #[test]
    fn a_die_on_a_display_says_little_of_whose_it_is() {
        let (registrar, picture, map) = table(RED, [1.0; 3]);
        let mut rgb =
            RgbImage::from_raw(picture.width(), picture.height(), picture.rgb().to_vec()).unwrap();
        // as green as the other's band, on the red one
        imageops::replace(
            &mut rgb,
            &RgbImage::from_pixel(24, 24, Rgb([40, 190, 40])),
            112,
            104,
        );
        let [w, h] = [rgb.width(), rgb.height()];
        let picture = Picture::from_rgb(w, h, rgb.into_raw()).unwrap();
        assert!(matches!(
            told(&registrar, &picture, &map, 0, true),
            Whose::Own
        ));
    }
}
