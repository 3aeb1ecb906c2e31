//! A token's print beside its photograph's, at every turn: it may lie anyhow, and some differ in little.

use opencv::{
    core::{self, Mat, Size, Vector},
    imgproc,
    prelude::*,
};

use super::{enrolled::Enrolled, reader::PieceReader};
use crate::{
    geometry::Point,
    vision::{Form, crop, eye::VisionError},
};

/// Steps of a whole turn, and rings from the middle to the edge; the innermost are the same at every turn.
const TURNS: i32 = 64;
const RINGS: i32 = 16;
const INNERMOST: i32 = 2;
/// The part of a token's radius that is compared: its edge is worn, lit and shadowed otherwise.
const WITHIN: f64 = 0.85;
/// What lies between pixels is as soft in both.
const SOFT: f64 = 0.6;
/// How often the middle may be put a pixel further, to where both are more alike.
const STEPS: usize = 3;

/// A print in rings: a row a turn, a column a ring, three colours about their mean; its square is 1.
pub(super) struct Rings(Mat);

/// A token as the reader cuts it out, a little softened.
pub(super) struct Cut {
    soft: Mat,
    middle: f64,
    radius: f64,
}

impl Cut {
    /// `wide` pixels of a picture about `middle` are the reader's share of the token's width.
    pub fn of(
        reader: &PieceReader,
        picture: &Mat,
        middle: Point,
        wide: f64,
    ) -> Result<Self, VisionError> {
        let cut = crop::square(picture, middle, wide, 0.0, reader.size as i32)?;
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&cut, &mut soft, Size::default(), SOFT)?;
        let size = reader.size as f64;
        Ok(Self {
            soft,
            middle: (size - 1.0) / 2.0,
            radius: size / 2.0 / reader.share,
        })
    }

    /// Its rings about a place so many pixels off its middle.
    pub fn rings(&self, [dx, dy]: [i32; 2]) -> Result<Rings, VisionError> {
        let middle = core::Point2f::new(
            (self.middle + f64::from(dx)) as f32,
            (self.middle + f64::from(dy)) as f32,
        );
        let mut polar = Mat::default();
        imgproc::warp_polar(
            &self.soft,
            &mut polar,
            Size::new(RINGS, TURNS),
            middle,
            WITHIN * self.radius,
            imgproc::INTER_LINEAR,
        )?;
        let outer = Mat::roi(
            &polar,
            core::Rect::new(INNERMOST, 0, RINGS - INNERMOST, TURNS),
        )?;
        let mut values = Mat::default();
        outer.convert_to_def(&mut values, core::CV_32F)?;
        // each ring counts as its area
        let weights: Vec<f32> = (INNERMOST..RINGS).map(|r| r as f32).collect();
        let all = weights.iter().sum::<f32>() * TURNS as f32;
        let mut mean = [0.0_f32; 3];
        for row in 0..TURNS {
            for (px, w) in values.at_row::<core::Vec3f>(row)?.iter().zip(&weights) {
                mean.iter_mut()
                    .zip(px.0)
                    .for_each(|(m, v)| *m += v * w / all);
            }
        }
        let mut square = 0.0;
        for row in 0..TURNS {
            for (px, w) in values
                .at_row_mut::<core::Vec3f>(row)?
                .iter_mut()
                .zip(&weights)
            {
                for (v, m) in px.0.iter_mut().zip(mean) {
                    *v = (*v - m) * (w / all).sqrt();
                    square += *v * *v;
                }
            }
        }
        let unit = f64::from(square).sqrt().max(1e-6);
        let mut out = Mat::default();
        values.convert_to(&mut out, core::CV_32F, 1.0 / unit, 0.0)?;
        Ok(Rings(out))
    }

    /// How like it is to any of a token's photographs, at the turn and within the few pixels of play at which it is likest:
    /// correlation, -1 to 1.
    pub fn like(&self, photographs: &[Rings]) -> Result<f64, VisionError> {
        let mut seen: Vec<([i32; 2], f64)> = Vec::new();
        let mut value = |at: [i32; 2]| -> Result<f64, VisionError> {
            if let Some((_, value)) = seen.iter().find(|(a, _)| *a == at) {
                return Ok(*value);
            }
            let here = self.rings(at)?.at_every_turn()?;
            let mut best = -1.0_f64;
            for photograph in photographs {
                best = best.max(photograph.like(&here)?);
            }
            seen.push((at, best));
            Ok(best)
        };
        let mut at = [0, 0];
        let mut best = value(at)?;
        for _ in 0..STEPS {
            let mut next = at;
            for [dx, dy] in [[1, 0], [-1, 0], [0, 1], [0, -1]] {
                let there = [at[0] + dx, at[1] + dy];
                let value = value(there)?;
                if value > best {
                    (best, next) = (value, there);
                }
            }
            if next == at {
                break;
            }
            at = next;
        }
        Ok(best)
    }
}

impl Rings {
    /// A token's photograph, as the owner's pictures of pieces are: in its middle.
    pub fn of_photograph(reader: &PieceReader, picture: &Mat) -> Result<Self, VisionError> {
        let [w, h] = [f64::from(picture.cols()), f64::from(picture.rows())];
        let middle = Point::new((w - 1.0) / 2.0, (h - 1.0) / 2.0);
        Cut::of(reader, picture, middle, w.max(h))?.rings([0, 0])
    }

    /// Its rows twice, so that each turn of it is a part.
    fn at_every_turn(&self) -> Result<Mat, VisionError> {
        let mut out = Mat::default();
        let twice: Vector<Mat> = [self.0.clone(), self.0.clone()].into_iter().collect();
        core::vconcat(&twice, &mut out)?;
        Ok(out)
    }

    fn like(&self, turned: &Mat) -> Result<f64, VisionError> {
        let mut out = Mat::default();
        imgproc::match_template_def(turned, &self.0, &mut out, imgproc::TM_CCORR)?;
        let mut most = 0.0;
        core::min_max_loc(&out, None, Some(&mut most), None, None, &core::no_array())?;
        Ok(most)
    }
}

/// How like the print of each enrolled token of about that size is to what lies at `middle` of a picture with `per_mm` pixels
/// a millimetre.
pub(super) fn prints(
    reader: &PieceReader,
    enrolled: &[Enrolled],
    picture: &Mat,
    middle: Point,
    [half_mm, per_mm]: [f64; 2],
) -> Result<Vec<(usize, f64)>, VisionError> {
    // each is compared at the size that its owner measured, which is surer than the one that is seen
    let mut cuts: Vec<(f64, Cut)> = Vec::new();
    let mut out = Vec::new();
    for (i, e) in enrolled.iter().enumerate() {
        let Some(mm) = e.long_mm.filter(|_| e.fits(Form::Token, half_mm)) else {
            continue;
        };
        let cut = match cuts.iter().position(|(of, _)| *of == mm) {
            Some(n) => n,
            None => {
                let wide = mm * per_mm * reader.share;
                cuts.push((mm, Cut::of(reader, picture, middle, wide)?));
                cuts.len() - 1
            }
        };
        if let Some((_, cut)) = cuts.get(cut) {
            out.push((i, cut.like(&e.prints)?));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        capture::still,
        copy::{load, shipped},
        vision::models_folder,
    };

    /// A round token of 60 pixels about `middle`, its print turned clockwise: a bar and a dot, which some have on the other side.
    fn token(middle: [f64; 2], turn_deg: f64, mirrored: bool) -> Mat {
        let ground = core::Scalar::new(96.0, 110.0, 92.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(120, 120, core::CV_8UC3, ground).unwrap();
        let turn = nalgebra::Rotation2::new(turn_deg.to_radians());
        let at = |x: f64, y: f64| {
            let p = turn * nalgebra::Vector2::new(if mirrored { -x } else { x }, y);
            core::Point::new(
                (middle[0] + p.x).round() as i32,
                (middle[1] + p.y).round() as i32,
            )
        };
        let (body, ink) = (
            core::Scalar::new(40.0, 60.0, 150.0, 0.0),
            core::Scalar::new(230.0, 220.0, 90.0, 0.0),
        );
        imgproc::circle(&mut mat, at(0.0, 0.0), 30, body, -1, imgproc::LINE_AA, 0).unwrap();
        let ends = (at(-14.0, -12.0), at(-14.0, 14.0));
        imgproc::line(&mut mat, ends.0, ends.1, ink, 6, imgproc::LINE_AA, 0).unwrap();
        imgproc::circle(&mut mat, at(12.0, -12.0), 7, ink, -1, imgproc::LINE_AA, 0).unwrap();
        mat
    }

    #[test]
    fn a_hexagon_is_compared_as_long_as_its_picture_is_cut() {
        let copy = load(&shipped("practice")).unwrap();
        let mut reader = PieceReader::load(&models_folder(), 1).unwrap();
        let all = reader.enrol(&copy).unwrap().all;
        let path = shipped("practice").join("tokens/drift-asteroid.png");
        let picture = crop::mat(&still::load(&path).unwrap().0).unwrap();
        // 38 mm between opposite edges; its corners are two thirds of its picture apart
        let per_mm = f64::from(picture.cols()) / reader.share / (38.0 * 2.0 / 3.0_f64.sqrt());
        let middle = f64::from(picture.cols() - 1) / 2.0;
        let middle = Point::new(middle, middle);
        let said = prints(&reader, &all, &picture, middle, [19.0, per_mm]).unwrap();
        let most = said.iter().map(|(_, like)| *like).fold(0.0, f64::max);
        assert!(most > 0.99, "{said:?}");
    }

    #[test]
    fn a_print_is_like_itself_at_every_turn_and_no_other() {
        let reader = PieceReader::load(&models_folder(), 1).unwrap();
        let rings = |mirrored| {
            let mat = token([60.0, 60.0], 0.0, mirrored);
            let middle = Point::new(60.0, 60.0);
            let cut = Cut::of(&reader, &mat, middle, 60.0 * reader.share).unwrap();
            [cut.rings([0, 0]).unwrap()]
        };
        let (own, other) = (rings(false), rings(true));
        for turn_deg in [0.0, 37.0, 90.0, 161.0, 290.0] {
            // and where it is found a pixel or two beside
            let seen = token([61.5, 58.5], turn_deg, false);
            let middle = Point::new(60.0, 60.0);
            let cut = Cut::of(&reader, &seen, middle, 60.0 * reader.share).unwrap();
            let (mine, another) = (cut.like(&own).unwrap(), cut.like(&other).unwrap());
            assert!(mine > 0.9, "turned by {turn_deg}: {mine}");
            assert!(
                mine > another + 0.05,
                "turned by {turn_deg}: {mine}, {another}"
            );
        }
    }
}
