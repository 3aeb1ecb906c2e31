//! How a surface's print repeats itself: a row of slots shifted by one slot, a board by one square, looks much the same.
//! A surface that is found a repetition beside its place agrees with most of the picture; and so does one whose rows of slots are taken for those of the
//! other way round.

use nalgebra::Vector2;
use opencv::{
    core::{self, Mat, Scalar, Size},
    imgproc,
    prelude::*,
};

use super::map::{self, Map};
use crate::vision::{crop, eye::VisionError};

/// Pixels a millimetre of the print that is compared with itself, and pixels of its longer side at most.
const PER_MM: f64 = 1.0;
const LONGEST: f64 = 480.0;
/// Light and contrast are evened out over squares of this many millimetres; print that varies by fewer grey levels than
/// the second number there counts for less.
const ABOUT_MM: f64 = 14.0;
const TEXTURE: f64 = 6.0;
/// Shorter shifts are no other place, and for longer ones too little of the print is left: the least share of its energy.
const LEAST_MM: f64 = 8.0;
const OVERLAP: f64 = 0.3;
/// Correlation of the print with itself from which on a shift is a repetition, and how many of them are kept.
const ALIKE: f64 = 0.3;
const MOST: usize = 8;
/// The other way round.
pub(super) const HALF: f64 = std::f64::consts::PI;

/// How a surface's print is like itself elsewhere.
pub(super) struct Alike {
    /// Shifts in millimetres by which it looks much the same, likest first, each in one of its two directions.
    pub shifts: Vec<Vector2<f64>>,
    /// Turns by a half, about any point, by which it does.
    pub turns: Vec<Map>,
}

/// How the print of `grey`, a whole surface, is like itself elsewhere.
pub(super) fn of(grey: &Mat, size_mm: [f64; 2]) -> Result<Alike, VisionError> {
    let per_mm = PER_MM.min(LONGEST / size_mm[0].max(size_mm[1]));
    let [w, h] = size_mm.map(|v| (v * per_mm).round().max(8.0) as i32);
    let print = evened(&crop::scaled(grey, w, h)?, (ABOUT_MM * per_mm) as i32)?;
    let least = LEAST_MM * per_mm;
    let further = |d: &Vector2<f64>| d.norm() >= least && (d.x > 0.0 || d.x == 0.0 && d.y > 0.0);
    let shifts = peaks(&print, &print, least, further)?;
    let mut turned = Mat::default();
    core::flip(&print, &mut turned, -1)?;
    let turns = peaks(&print, &turned, least, |_| true)?;
    let about = |shift: Vector2<f64>| map::rigid(HALF, size_mm[0] + shift.x, size_mm[1] + shift.y);
    Ok(Alike {
        shifts: shifts.into_iter().map(|shift| shift / per_mm).collect(),
        turns: turns
            .into_iter()
            .map(|shift| about(shift / per_mm))
            .collect(),
    })
}

/// Shifts in pixels from `other` to the print where they are much alike, likest first, of those that are `asked` for.
fn peaks(
    print: &Mat,
    other: &Mat,
    least: f64,
    asked: impl Fn(&Vector2<f64>) -> bool,
) -> Result<Vec<Vector2<f64>>, VisionError> {
    let (w, h) = (print.cols(), print.rows());
    let correlation = correlated(print, other)?;
    let (energy, others) = (sums_of_squares(print)?, sums_of_squares(other)?);
    let whole = energy.of(0, 0);
    let likeness = |dx: i32, dy: i32| -> Result<Option<f64>, VisionError> {
        let both = others.of(dx, dy) * energy.of(-dx, -dy);
        if both.sqrt() < OVERLAP * whole {
            return Ok(None);
        }
        let at = |v: i32, n: i32| if v < 0 { v + n } else { v };
        let (row, col) = (at(dy, correlation.rows()), at(dx, correlation.cols()));
        let value = f64::from(*correlation.at_2d::<f32>(row, col)?);
        Ok(Some(value / both.sqrt()))
    };
    let mut peaks = Vec::new();
    for dy in -(h - 2)..h - 1 {
        for dx in -(w - 2)..w - 1 {
            let by = Vector2::new(f64::from(dx), f64::from(dy));
            if !asked(&by) {
                continue;
            }
            let Some(alike) = likeness(dx, dy)?.filter(|l| *l >= ALIKE) else {
                continue;
            };
            let mut highest = true;
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                highest &= likeness(dx + x, dy + y)?.is_none_or(|l| l <= alike);
            }
            if highest {
                peaks.push((alike, by));
            }
        }
    }
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut out: Vec<Vector2<f64>> = Vec::new();
    for (_, shift) in peaks {
        if out.len() < MOST && out.iter().all(|o| (o - shift).norm() >= least) {
            out.push(shift);
        }
    }
    Ok(out)
}

/// The print by itself: light and contrast evened out, 32-bit, about zero, and nearly zero where it is bare.
pub(super) fn evened(grey: &Mat, about: i32) -> Result<Mat, VisionError> {
    let mut print = Mat::default();
    grey.convert_to_def(&mut print, core::CV_32F)?;
    let size = Size::new(2 * (about / 2) + 1, 2 * (about / 2) + 1);
    let (mut mean, mut without) = (Mat::default(), Mat::default());
    imgproc::blur_def(&print, &mut mean, size)?;
    core::subtract_def(&print, &mean, &mut without)?;
    let (mut square, mut spread) = (Mat::default(), Mat::default());
    core::multiply_def(&without, &without, &mut square)?;
    imgproc::blur_def(&square, &mut spread, size)?;
    let mut by = Mat::default();
    core::add(
        &spread,
        &Scalar::all(TEXTURE * TEXTURE),
        &mut square,
        &core::no_array(),
        -1,
    )?;
    core::sqrt(&square, &mut by)?;
    let mut out = Mat::default();
    core::divide2_def(&without, &by, &mut out)?;
    Ok(out)
}

/// The correlation of two pictures of one size for every shift of the second, a negative one counted from the end.
fn correlated(print: &Mat, other: &Mat) -> Result<Mat, VisionError> {
    let room = |n: i32| core::get_optimal_dft_size(2 * n);
    let (rows, cols) = (room(print.rows())?, room(print.cols())?);
    let spectrum = |of: &Mat| -> Result<Mat, VisionError> {
        let (mut wide, mut spectrum) = (Mat::default(), Mat::default());
        core::copy_make_border(
            of,
            &mut wide,
            0,
            rows - of.rows(),
            0,
            cols - of.cols(),
            core::BORDER_CONSTANT,
            Scalar::default(),
        )?;
        core::dft_def(&wide, &mut spectrum)?;
        Ok(spectrum)
    };
    let (mut power, mut out) = (Mat::default(), Mat::default());
    core::mul_spectrums(&spectrum(print)?, &spectrum(other)?, &mut power, 0, true)?;
    core::idft(&power, &mut out, core::DFT_SCALE | core::DFT_REAL_OUTPUT, 0)?;
    Ok(out)
}

/// Sums of a picture's squares over what of it remains when it is shifted.
struct Energy {
    sums: Vec<f64>,
    width: usize,
    height: usize,
}

fn sums_of_squares(print: &Mat) -> Result<Energy, VisionError> {
    let pixels: &[f32] = print.data_typed()?;
    let (width, height) = (print.cols() as usize, print.rows() as usize);
    let mut sums = vec![0.0; (width + 1) * (height + 1)];
    for y in 0..height {
        let mut row = 0.0;
        for x in 0..width {
            row += f64::from(pixels[y * width + x]).powi(2);
            sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
        }
    }
    Ok(Energy {
        sums,
        width,
        height,
    })
}

impl Energy {
    /// Of the part that still lies on the picture when this is shifted by (dx, dy).
    fn of(&self, dx: i32, dy: i32) -> f64 {
        let span = |d: i32, n: usize| {
            let by = (d.unsigned_abs() as usize).min(n);
            if d < 0 { (by, n) } else { (0, n - by) }
        };
        let ((x0, x1), (y0, y1)) = (span(dx, self.width), span(dy, self.height));
        let at = |x: usize, y: usize| self.sums[y * (self.width + 1) + x];
        at(x1, y1) - at(x0, y1) - at(x1, y0) + at(x0, y0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::geometry::Point;

    fn card(boxes: &[(i32, i32)]) -> Mat {
        let mut card =
            Mat::new_size_with_default(Size::new(400, 240), core::CV_8UC1, Scalar::all(230.0))
                .unwrap();
        for (x, y) in boxes {
            for (inset, ink) in [(0, 20.0), (14, 90.0)] {
                let side = 48 - 2 * inset;
                let rect = core::Rect::new(x + inset, y + inset, side, side);
                imgproc::rectangle(&mut card, rect, Scalar::all(ink), 3, imgproc::LINE_8, 0)
                    .unwrap();
            }
        }
        card
    }

    #[test]
    fn a_row_of_slots_repeats_by_its_pitch_and_unlike_print_does_not() {
        // four slots 64 pixels apart, two pixels a millimetre
        let row = card(&[(40, 90), (104, 90), (168, 90), (232, 90)]);
        let shifts = of(&row, [200.0, 120.0]).unwrap().shifts;
        assert!(
            shifts
                .iter()
                .any(|s| (s - Vector2::new(32.0, 0.0)).norm() < 1.5),
            "{shifts:?}"
        );
        // patches in no order
        let mut chance = 17_u32;
        let mut patches = Vec::new();
        for _ in 0..25 * 15 {
            chance ^= chance << 13;
            chance ^= chance >> 17;
            chance ^= chance << 5;
            patches.push((chance >> 24) as u8);
        }
        let patches = Mat::from_slice::<u8>(&patches).unwrap();
        let patches = patches.reshape(1, 15).unwrap().try_clone().unwrap();
        let unlike = crop::scaled(&patches, 400, 240).unwrap();
        assert!(of(&unlike, [200.0, 120.0]).unwrap().shifts.is_empty());
    }

    #[test]
    fn a_row_of_slots_is_like_itself_turned_about_its_own_middle() {
        // from 20 to 140 and from 45 to 69 mm
        let row = card(&[(40, 90), (104, 90), (168, 90), (232, 90)]);
        let alike = of(&row, [200.0, 120.0]).unwrap();
        let [from, to] = [Point::new(30.0, 60.0), Point::new(130.0, 54.0)];
        let [best, ..] = alike.turns.as_slice() else {
            panic!("no turn");
        };
        let there = map::apply(best, from).unwrap();
        assert!((there - to).norm() < 1.5, "{there:?}");
    }
}
