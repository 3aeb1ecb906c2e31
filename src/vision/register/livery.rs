//! Which of two surfaces of one layout it is: two teams' displays often differ in a title and their colours alone. And which way
//! round one lies whose lines are much the same both ways.
//!
//! What both print says nothing of it, and dice hide parts of either. So it is asked of what only one of them prints, blot by blot, each as far as the two differ
//! there (a matched filter for their difference, limited where neither is seen). Beside that their colours are asked. Light has a tint, and references were
//! photographed in lights of their own; so it is not asked what colour a surface has, but how its parts differ in brightness and colour: one gain for each
//! channel is free.

use opencv::{
    core::{Mat, MatTraitConst, MatTraitConstManual, Size, ToInputArray, Vec3b},
    imgproc,
};

use super::{
    Hypothesis, Map, Seek,
    align::Pyramid,
    grey, map,
    repeats::{self, HALF},
    trial::{better, weighed_fully},
};
use crate::{geometry::Point, vision::eye::VisionError};

/// Cells across and down a surface whose colours are compared; pixels of its print across and down each; and of a blot of print, across and down.
const CELLS: (i32, i32) = (32, 20);
const FINE: i32 = 6;
const BLOT: i32 = 8;
/// Surfaces whose sides differ by less, as logarithms, may be each other.
const AS_LARGE: f64 = 0.1;
/// Added to each channel before logarithms are taken, so that what is dark says little; and what a cell differs by at most: dice lie on some.
/// Found, of a few values, on 2,045 displays that lie where truth says on 25 made copies (`tables.py`, seeds 7700, 7800, 7900).
const FLOOR: f64 = 120.0;
const MOST: f64 = 1.0;
/// Of fewer cells nothing is told.
const LEAST: usize = 160;
/// Pixels of print about which light is evened out, and by how many it is softened: corners are a millimetre off. Set by judgement, of a few that do as well.
const ABOUT: i32 = 17;
const SOFT: f64 = 2.0;
/// A blot says whose it is as far as it differs (mean squares of evened print), of at least the first; what it says at most, where 1 is all of the
/// difference; and added for each blot, so that surfaces of one print are not told apart by noise.
const DIFFERS: f64 = 0.05;
const SAYS: f64 = 1.5;
const NOTHING: f64 = 0.1;
/// What print and colours count, for log-odds: a logistic regression on 1,656 displays that lie where truth says, off by 0.7 pixels, on 21 made copies (seeds
/// 8000, 8100, 8400, 4750, 3750, 900), each beside the other team's of its station. Of them 11 are the other's by these, three beyond [`SURELY`] (two of
/// them in one picture that is white with light), and by colours alone 58.
const BY_PRINT: f64 = 12.5;
const BY_COLOURS: f64 = 5.5;
/// From these log-odds on it is surely one of the two.
const SURELY: f64 = 3.0;
/// What it counts for log-odds how much more or less of the picture the other one explains, as logarithms; and from which sum of both it is the other one, or
/// may be. Less counts more: where two prints differ much, blocks tell them apart, and what dice hide is no evidence against the one that prints more. Of 61
/// places on the copies of seeds 8100 and 8400 where a display was tried and another one's print was there at least half as well 29 were the other's: 26 of
/// them are by this, two may be; of the display's own one is the other's (half turned, in a blurred picture) and one may be.
const BY_MORE: f64 = 3.0;
const BY_LESS: f64 = 8.0;
const ANOTHER: f64 = 1.5;
const OPEN: f64 = -1.0;
/// Another one is not tried below these log-odds, and is none that explains less than this part of what this one does.
const LIKELY: f64 = -2.0;
const PARTLY: f64 = 0.5;

/// How a surface looks, small.
pub(in crate::vision) struct Livery {
    fine: Mat,
    /// Logarithms of red, green and blue, cell by cell.
    cells: Vec<[f64; 3]>,
    /// Its print, light evened out.
    print: Vec<f32>,
}

/// What of a picture lies under a surface, and which cells and blots of it are in the picture.
struct Under {
    livery: Livery,
    cells: Vec<bool>,
    blots: Vec<bool>,
}

/// Whose look a surface has that was found by its print.
pub(in crate::vision) enum Whose {
    /// Its own, or nobody's.
    Own,
    /// It may be another one's, whose print is there nearly as well.
    Open,
    /// Another one's, which lies there, too; or its own, which lies the other way round.
    Another(usize, Hypothesis),
}

impl Livery {
    /// Of a whole reference picture.
    pub(super) fn of(rgb: &(impl MatTraitConst + ToInputArray)) -> Result<Self, VisionError> {
        let mut fine = Mat::default();
        let size = Size::new(FINE * CELLS.0, FINE * CELLS.1);
        imgproc::resize(rgb, &mut fine, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let mut small = Mat::default();
        let size = Size::new(CELLS.0, CELLS.1);
        imgproc::resize(&fine, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let cells: &[Vec3b] = small.data_typed()?;
        let cell = |c: &Vec3b| c.0.map(|v| (f64::from(v) + FLOOR).ln());
        let cells = cells.iter().map(cell).collect();
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&grey(&fine)?, &mut soft, Size::new(0, 0), SOFT)?;
        let print = repeats::evened(&soft, ABOUT)?.data_typed()?.to_vec();
        Ok(Self { fine, cells, print })
    }

    /// How this one, of `own_mm`, would look under a surface of `size_mm`, in whose millimetres it lies as `place` says; what is beyond it is not seen.
    fn laid(
        &self,
        own_mm: [f64; 2],
        place: &Map,
        size_mm: [f64; 2],
    ) -> Result<Option<Under>, VisionError> {
        let Some((back, to_fine)) = map::back(place).zip(map::back(&fine(own_mm))) else {
            return Ok(None);
        };
        Under::of(&self.fine, &(to_fine * back), size_mm).map(Some)
    }

    /// By how much these colours differ from what is seen, on the mean of these cells; one gain a channel is free.
    fn apart(&self, seen: &Self, which: &[bool]) -> Option<f64> {
        let pairs = self.cells.iter().zip(&seen.cells).zip(which);
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

    /// How far what is seen prints what only the `other` one prints (towards 1) or what only this one does (towards -1).
    fn prints(&self, other: &Under, seen: &Under) -> f64 {
        let (wide, blot) = ((FINE * CELLS.0) as usize, BLOT as usize);
        let mut says = vec![0.0; seen.blots.len()];
        let mut differs = says.clone();
        let each = self.print.iter().zip(&other.livery.print);
        for (i, ((a, b), x)) in each.zip(&seen.livery.print).enumerate() {
            let at = i / wide / blot * (wide / blot) + i % wide / blot;
            let by = f64::from(b - a);
            if let (Some(says), Some(differs)) = (says.get_mut(at), differs.get_mut(at)) {
                *says += (2.0 * f64::from(*x) - f64::from(a + b)) * by;
                *differs += by * by;
            }
        }
        let (mut sum, mut most) = (0.0, 0.0);
        let in_both = seen.blots.iter().zip(&other.blots).map(|(a, b)| *a && *b);
        let each = says.iter().zip(&differs).zip(in_both);
        for ((says, differs), _) in each.filter(|(_, in_both)| *in_both) {
            let [says, differs] = [says, differs].map(|v| v / f64::from(BLOT * BLOT));
            sum += differs * (says / differs.max(DIFFERS)).clamp(-SAYS, SAYS);
            most += differs + NOTHING;
        }
        if most > 0.0 { sum / most } else { 0.0 }
    }

    /// Log-odds that what is seen is the `other` one's rather than this one's; nothing where too little is.
    fn rather(&self, other: &Under, seen: &Under) -> Option<f64> {
        let both = seen.cells.iter().zip(&other.cells).map(|(a, b)| *a && *b);
        let both: Vec<bool> = both.collect();
        let apart = |l: &Self| Some(l.apart(&seen.livery, &both)?.max(1e-6).ln());
        let by_colours = apart(self)? - apart(&other.livery)?;
        Some(BY_PRINT * self.prints(other, seen) + BY_COLOURS * by_colours)
    }
}

/// From pixels of its print to millimetres on a surface of that size: a pixel's middle is half a pixel in.
fn fine([w, h]: [f64; 2]) -> Map {
    let (across, down) = (f64::from(FINE * CELLS.0), f64::from(FINE * CELLS.1));
    let (x, y) = (w / across, h / down);
    Map::new(x, 0.0, x / 2.0, 0.0, y, y / 2.0, 0.0, 0.0, 1.0)
}

impl Under {
    /// Of what lies under a surface of that size.
    fn of(
        rgb: &(impl MatTraitConst + ToInputArray),
        map: &Map,
        size_mm: [f64; 2],
    ) -> Result<Self, VisionError> {
        let map = map * fine(size_mm);
        let edge = |n: i32| f64::from(n) - 0.5;
        let inside = |x: i32, y: i32| {
            let at = map::apply(&map, Point::new(edge(x), edge(y)));
            at.is_some_and(|p| {
                (-1.0..f64::from(rgb.cols())).contains(&p.x)
                    && (-1.0..f64::from(rgb.rows())).contains(&p.y)
            })
        };
        let parts = |part: i32| -> Vec<bool> {
            let (across, down) = (FINE * CELLS.0 / part, FINE * CELLS.1 / part);
            let all = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let whole = |(x, y)| {
                corners
                    .iter()
                    .all(|(dx, dy)| inside((x + dx) * part, (y + dy) * part))
            };
            all.map(whole).collect()
        };
        let (cells, blots) = (parts(FINE), parts(BLOT));
        let size = Size::new(FINE * CELLS.0, FINE * CELLS.1);
        Ok(Self {
            livery: Livery::of(&map::laid(rgb, &map, size)?)?,
            cells,
            blots,
        })
    }
}

/// Log-odds that another surface, which lies there as `place` says in the millimetres of the own one, is seen rather than the own one; nothing
/// where too little is.
fn rather(own: &Seek, seen: &Under, other: &Seek, place: &Map) -> Result<Option<f64>, VisionError> {
    let [own_mm, other_mm] = [own, other].map(|s| s.reference.size_mm);
    let other = other.livery.laid(other_mm, place, own_mm)?;
    Ok(other.and_then(|other| own.livery.rather(&other, seen)))
}

/// A surface as it is seen where it was found.
pub(super) struct Own<'a> {
    seek: &'a Seek,
    seen: Under,
}

impl<'a> Own<'a> {
    /// Of a surface where it lies by this map.
    pub fn of(
        seek: &'a Seek,
        rgb: &(impl MatTraitConst + ToInputArray),
        map: &Map,
    ) -> Result<Self, VisionError> {
        let seen = Under::of(rgb, map, seek.reference.size_mm)?;
        Ok(Self { seek, seen })
    }

    /// Whether it is surely seen itself rather than another one as large, which would lie as `place` says in its millimetres: of others nothing is told.
    pub fn is_rather_than(&self, other: &Seek, place: &Map) -> Result<bool, VisionError> {
        if !is_as_large(self.seek, other) {
            return Ok(false);
        }
        let odds = rather(self.seek, &self.seen, other, place)?;
        Ok(odds.is_some_and(|odds| odds < -SURELY))
    }
}

/// Whose look is seen where `which` was found. `free` says where another one may lie.
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
    let seen = Under::of(rgb, &found.map, own.reference.size_mm)?;
    let mut rivals: Vec<(f64, usize, &Seek, Map)> = Vec::new();
    for (i, seek) in seeks.iter().enumerate() {
        for place in places(own, seek, i == which) {
            if let Some(odds) = rather(own, &seen, seek, &place)?.filter(|odds| *odds > LIKELY) {
                rivals.push((odds, i, seek, found.map * place));
            }
        }
    }
    rivals.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut open = false;
    for (odds, i, seek, map) in rivals {
        let free = |h: &Hypothesis| free(i, h);
        let mut best = None;
        better(seek, pictures, &map, &free, &mut best)?;
        let Some(h) = weighed_fully(seek, pictures, best, free)? else {
            continue;
        };
        if h.explains() <= PARTLY * found.explains() {
            continue;
        }
        // it may have come to lie otherwise: each is seen best where it is laid itself
        let there = Under::of(rgb, &h.map, seek.reference.size_mm)?;
        let Some(place) = map::back(&h.map).map(|back| back * found.map) else {
            continue;
        };
        let Some(other) = rather(seek, &there, own, &place)? else {
            continue;
        };
        let looks = (odds - other) / 2.0;
        let more = (h.explains() / found.explains().max(1e-6)).ln();
        let odds = looks + BY_MORE * more.max(0.0) + BY_LESS * more.min(0.0);
        // lines of its own that lie otherwise are not told from another one's so easily: half turned, nothing of a print fits
        let least = if i == which { SURELY } else { ANOTHER };
        if looks > 0.0 && odds > least {
            return Ok(Whose::Another(i, h));
        }
        open |= odds > OPEN;
    }
    Ok(if open { Whose::Open } else { Whose::Own })
}

fn is_as_large(one: &Seek, other: &Seek) -> bool {
    let ([w, h], [v, u]) = (one.reference.size_mm, other.reference.size_mm);
    (w / v).ln().abs() < AS_LARGE && (h / u).ln().abs() < AS_LARGE
}

/// Where another surface may lie, in millimetres of one that was found there; or the same one, otherwise. Boards are never turned.
fn places(own: &Seek, seek: &Seek, is_own: bool) -> Vec<Map> {
    let ([w, h], [v, u]) = (own.reference.size_mm, seek.reference.size_mm);
    let as_large = is_as_large(own, seek);
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

    /// A display's art with a title of three bars, at its left or right end.
    fn titled(surface: &Surface, right: bool) -> RgbImage {
        let mut art = banded(surface, RED);
        let (w, h) = art.dimensions();
        let from = if right { w * 5 / 8 } else { w / 16 };
        for bar in 0..3 {
            let bar = (from + bar * w / 9, h / 20);
            let ink = RgbImage::from_pixel(w / 18, h / 9, Rgb([240, 240, 240]));
            imageops::replace(&mut art, &ink, i64::from(bar.0), i64::from(bar.1));
        }
        art
    }

    #[test]
    fn of_two_displays_that_differ_in_a_title_alone_it_is_the_one_that_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let of = load(&shipped("practice")).unwrap().surfaces[1].clone();
        let two = [false, true].map(|right| {
            let path = dir.path().join(format!("{right}.png"));
            titled(&of, right).save(&path).unwrap();
            Surface {
                id: right.to_string(),
                reference: Some(path),
                ..of.clone()
            }
        });
        let registrar = Registrar::new(&two).unwrap();
        for (is, right) in [(0, false), (1, true)] {
            let (picture, map) = photograph(&titled(&of, right), of.size_mm, [1.0, 1.1, 0.8]);
            let own = told(&registrar, &picture, &map, is, true);
            assert!(matches!(own, Whose::Own), "{right}");
            let other = told(&registrar, &picture, &map, 1 - is, true);
            assert!(matches!(other, Whose::Another(i, _) if i == is), "{right}");
            // what is surely another's is no rival
            let rgb = crop::borrowed(&picture).unwrap();
            let seeks = registrar.seeks();
            let seen = |which: usize| Own::of(&seeks[which], &rgb, &map).unwrap();
            let straight = Map::identity();
            assert!(seen(is).is_rather_than(&seeks[1 - is], &straight).unwrap());
            assert!(!seen(1 - is).is_rather_than(&seeks[is], &straight).unwrap());
        }
    }

    #[test]
    fn of_two_displays_of_one_print_nothing_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let of = load(&shipped("practice")).unwrap().surfaces[1].clone();
        let path = dir.path().join("both.png");
        banded(&of, RED).save(&path).unwrap();
        let two = ["one", "other"].map(|id| Surface {
            id: id.to_owned(),
            reference: Some(path.clone()),
            ..of.clone()
        });
        let registrar = Registrar::new(&two).unwrap();
        let (picture, map) = photograph(&banded(&of, RED), of.size_mm, [1.0; 3]);
        for which in [0, 1] {
            let whose = told(&registrar, &picture, &map, which, true);
            assert!(matches!(whose, Whose::Open));
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
