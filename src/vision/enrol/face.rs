//! Top faces of dice: each cut out of its photograph, and several of one made to agree.

use opencv::{
    core::{self, Mat},
    imgproc,
};

use super::{A_DISC, Enrolled, Enroller, Flaw, lit, png, solid};
use crate::{
    capture::Picture,
    copy::Shape,
    geometry::Quad,
    vision::{
        alone, crop,
        detector::{Detection, Effort},
        eye::VisionError,
        gallery::dot,
        quality,
        refiner::Refined,
        solids::from_corner,
    },
};

/// Side of a die's enrolment picture, its margin included.
const FACE: i32 = 96;
/// The margin, as a part of the face's side; the reader's own.
const MARGIN: f64 = 0.2;
/// Variance of the Laplacian of a face's crop below which it is out of focus.
const BLURRED: f64 = 25.0;
/// Side of a die's top face, in pixels, below which its print is too small to enrol.
const SMALL: f64 = 40.0;

impl Enroller {
    /// The top face of the die that lies alone in a photograph, its own upper left to the photograph's (a turn
    /// of less than 45° either way). `corners`, where given, are a person's word. Where the detector knows no die, it
    /// is taken for what lies there alone, and that is said. `None` where nothing does.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn face(
        &mut self,
        picture: &Picture,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        if let Some(corners) = corners {
            return cut(&mat, corners).map(Some);
        }
        let Some(TopFace {
            face,
            seen,
            covers,
            no_die,
        }) = self.top_face(picture, &mat)?
        else {
            return Ok(None);
        };
        let upright = (0..4)
            .map(|t| face.turned(t))
            .min_by(|a, b| slant(a).total_cmp(&slant(b)))
            .unwrap_or(face);
        let mut taken = cut(&mat, upright)?;
        if !(seen || covers && is_printed(&mat, &upright)?) {
            taken.flaws.push(Flaw::Unknown);
        }
        if no_die {
            taken.flaws.push(Flaw::NoDie);
        }
        Ok(Some(taken))
    }

    /// The top face of the die that lies alone in a photograph, cut as it will be read, and whether the detector saw a
    /// die there. A part of the print may look like a face, too, and so may a shadow: of all that fits well, the largest
    /// that covers what lies there and nothing else.
    fn top_face(&mut self, picture: &Picture, mat: &Mat) -> Result<Option<TopFace>, VisionError> {
        let alone = alone::outlined(mat)?;
        let mut found = self.detector.detect(picture, Effort::Still)?;
        found.retain(|d| d.score >= SEEN);
        let around = |face: &Quad, scales: [f64; 3]| scales.map(|by| face.scaled(by));
        let mut starts: Vec<Quad> = Vec::new();
        for detection in &found {
            starts.extend(around(&detection.face, ROUND_A_PRINT));
        }
        if let Some(alone) = &alone {
            starts.extend(around(&alone.corners, ROUND_A_FACE));
        }
        let mut best: Option<(f64, Quad, bool)> = None;
        let refined = self.reader.refined(mat, &starts)?.into_iter().flatten();
        for Refined { face, error } in refined.filter(|r| is_square(&r.face)) {
            let here =
                |d: &&Detection| (d.face.centre() - face.centre()).norm() < HERE * face.side();
            let seen = found.iter().filter(here).map(|d| d.score);
            let seen = seen.fold(0.0, f64::max);
            let covers = alone.as_ref().map_or(0.0, |a| a.covered_by(&face));
            let worth = face.side() * (0.5 + seen) * (0.5 + covers) * (-error / ERROR).exp();
            if best.is_none_or(|(w, ..)| worth > w) {
                best = Some((worth, face, seen > 0.0));
            }
        }
        // nothing that the refiner holds for one, as where the die is seen from too low: what there is, to be checked
        let likeliest = found.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let square = alone.as_ref().map(|a| a.corners).filter(is_square);
        let taken = best
            .map(|(_, face, seen)| (face, seen))
            .or(likeliest.map(|d| (d.face, true)))
            .or(square.map(|corners| (corners, false)));
        Ok(taken.map(|(face, seen)| {
            let elsewhere =
                |d: &&Detection| (d.face.centre() - face.centre()).norm() > HERE * face.side();
            let of_alone = |of: &dyn Fn(&alone::Outlined) -> bool| alone.as_ref().is_some_and(of);
            TopFace {
                face,
                seen,
                covers: of_alone(&|a| a.covered_by(&face) > COVERED),
                no_die: found.iter().filter(elsewhere).count() >= MANY
                    || of_alone(&|a| is_no_die(&face, a)),
            }
        }))
    }

    /// Makes several photographs of one face agree: the first says how it is upright, the others are turned to
    /// be like it.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn agree(&mut self, taken: &mut [(&Picture, &mut Enrolled)]) -> Result<(), VisionError> {
        if taken.len() < 2 {
            return Ok(());
        }
        let mats = taken
            .iter()
            .map(|(picture, _)| crop::mat(picture))
            .collect::<Result<Vec<Mat>, _>>()?;
        let outlines: Vec<Quad> = taken.iter().map(|(_, e)| e.corners).collect();
        let shape = taken.iter().find_map(|(_, e)| e.shape);
        let shape = shape.unwrap_or(Shape::D6);
        let turned = move |outline: &Quad, k: usize| match shape {
            Shape::D6 => outline.turned(k),
            _ => from_corner(shape, outline, k).unwrap_or(*outline),
        };
        let jobs: Vec<(&Mat, Quad)> = mats
            .iter()
            .zip(&outlines)
            .flat_map(|(mat, outline)| {
                let each = (0..shape.turns()).map(move |k| shape.printed(&turned(outline, k)));
                each.map(move |face| (mat, face))
            })
            .collect();
        let vectors = self.reader.embed(&jobs)?;
        let each: Vec<&[Vec<f32>]> = vectors.chunks(shape.turns()).collect();
        let chosen = likest(&each, if shape == Shape::D6 { TURNED } else { 0.0 });
        let near = self.reader.near();
        let unlike: Vec<bool> = (0..each.len())
            .map(|i| {
                let others = (0..each.len()).filter(|j| *j != i);
                let like = |j: usize| dot(&each[i][chosen[i]], &each[j][chosen[j]]);
                others.map(like).fold(-1.0, f64::max) < near
            })
            .collect();
        for (i, (((_, enrolled), mat), (outline, turns))) in taken
            .iter_mut()
            .zip(&mats)
            .zip(outlines.iter().zip(chosen))
            .enumerate()
        {
            let of_the_photograph = [Flaw::Unknown, Flaw::NoDie, Flaw::Given];
            let kept: Vec<Flaw> = enrolled
                .flaws
                .iter()
                .copied()
                .filter(|f| of_the_photograph.contains(f))
                .collect();
            let square = turned(outline, turns);
            **enrolled = match shape {
                Shape::D6 => cut(mat, square)?,
                _ => solid::cut(mat, shape, square, None)?,
            };
            enrolled.flaws.extend(kept);
            if unlike[i] {
                enrolled.flaws.push(Flaw::Unlike);
            }
        }
        Ok(())
    }
}

/// Whether what lies there cannot be a die with that top face. Of a cube that is seen under an angle from the vertical, as much
/// of the top is seen as its cosine, and of a side as its sine: so that the part that the top is of the whole, times how much
/// longer than wide the whole is, is at most 1.
fn is_no_die(face: &Quad, alone: &alone::Outlined) -> bool {
    let share = face.area() / alone.area().max(1.0);
    // where the face is the larger, not all of the die was cut out, and its outline says nothing
    let whole = share < 1.1;
    alone.round() > A_DISC
        || share < LEAST_SHARE
        || face.out_of_square() > SLANTED * face.side()
        || whole && share * alone.length_by_width() > LONGER
}

/// A top face that was found.
struct TopFace {
    face: Quad,
    /// The detector saw a die there.
    seen: bool,
    /// It covers what lies there alone, and nothing else.
    covers: bool,
    /// What lies there alone is no die, by its outline.
    no_die: bool,
}

/// Least score of what the detector takes for a die.
const SEEN: f64 = 0.2;
/// It saw the die of a face whose middle is no further off than this part of its side.
const HERE: f64 = 0.35;
/// An error of an outline's middle, as a part of its side, that speaks against it: of outlines that were right on made
/// photographs, 95 in 100 said less than two fifths of this.
const ERROR: f64 = 0.08;
/// How large top faces may be, of what the detector took for one: that may be a frame within the print.
const ROUND_A_PRINT: [f64; 3] = [1.0, 1.35, 1.8];
/// The same, of the rectangle round a die seen nearly from above.
const ROUND_A_FACE: [f64; 3] = [1.0, 0.9, 0.8];
/// A top face is at least so large a part of what is seen of its die: from 45 degrees off the vertical a cube shows as much of
/// a side, and half of that is left for shadows.
const LEAST_SHARE: f64 = 0.25;
/// So much longer than wide, for the part of it that its top is, a cube is not.
const LONGER: f64 = 1.35;
/// A top face is no farther from a square, as a part of its side, from as low: of 513 photographs of faces of seven copies the farthest is at
/// 0.08, and of 13 of crystals, ships, displays and a board under a face's name six are beyond this.
const SLANTED: f64 = 0.1;
/// The detector sees so many dice elsewhere where none lies alone, but a card: in photographs of one face three at most, and in those of cards eleven at
/// least.
const MANY: usize = 6;
/// A face that covers so much of what lies there alone, and nothing else, was cut out along it, whether the detector knows it or not: if something
/// is printed there, by which grey levels differ so (standard deviation).
const COVERED: f64 = 0.85;
const PRINTED: f64 = 6.0;
/// What a turn costs, in likeness: dice are more often laid upright for their picture than not.
const TURNED: f64 = 0.1;

/// For each picture the quarter turns by which all are likest to each other (mean cosine, less what turns cost), of each
/// picture's vectors for all four: one after the other is set to be like the rest until none changes. The first is not
/// turned.
fn likest(each: &[&[Vec<f32>]], turned: f64) -> Vec<usize> {
    let like = |i: usize, a: usize, j: usize, b: usize| match (each[i].get(a), each[j].get(b)) {
        (Some(x), Some(y)) => dot(x, y),
        _ => -1.0,
    };
    let n = each.len();
    let cost = |turns: usize| if turns == 0 { 0.0 } else { turned };
    let most = each.iter().map(|e| e.len()).max().unwrap_or(1);
    let best = |worth: &dyn Fn(usize) -> f64| {
        let turns = (0..most).max_by(|a, b| worth(*a).total_cmp(&worth(*b)));
        turns.unwrap_or(0)
    };
    let mut chosen: Vec<usize> = (0..n)
        .map(|i| {
            if i == 0 {
                0
            } else {
                best(&|t| like(0, 0, i, t) - cost(t))
            }
        })
        .collect();
    for _ in 0..8 {
        let before = chosen.clone();
        for i in 1..n {
            let others: Vec<usize> = (0..n).filter(|j| *j != i).collect();
            let mean = |t: usize| {
                let all = others.iter().map(|j| like(i, t, *j, chosen[*j]));
                all.sum::<f64>() / others.len() as f64
            };
            chosen[i] = best(&|t| mean(t) - cost(t));
        }
        if chosen == before {
            break;
        }
    }
    chosen
}

/// A face's enrolment picture, and what is wrong with it.
fn cut(photograph: &Mat, upright: Quad) -> Result<Enrolled, VisionError> {
    let crop = crop::rectify(photograph, &upright, FACE, MARGIN)?;
    let mut flaws: Vec<Flaw> = lit(photograph, &crop)?.into_iter().collect();
    // what is dark has no steep edges, sharp as it may be
    if !flaws.contains(&Flaw::Dark) && quality::sharpness(&crop)? < BLURRED {
        flaws.push(Flaw::Blurred);
    }
    if upright.side() < SMALL {
        flaws.push(Flaw::Small);
    }
    Ok(Enrolled {
        png: png(&crop)?,
        flaws,
        corners: upright,
        outline: None,
        shape: Some(Shape::D6),
    })
}

/// Whether anything is printed on a face, well within its edges.
fn is_printed(photograph: &Mat, face: &Quad) -> Result<bool, VisionError> {
    let inside = crop::rectify(photograph, &face.scaled(0.8), FACE, 0.0)?;
    let mut grey = Mat::default();
    imgproc::cvt_color_def(&inside, &mut grey, imgproc::COLOR_RGB2GRAY)?;
    let (mut mean, mut deviation) = (core::Scalar::default(), core::Scalar::default());
    core::mean_std_dev_def(&grey, &mut mean, &mut deviation)?;
    Ok(deviation[0] > PRINTED)
}

/// Whether it may be the top of a die seen nearly from above.
fn is_square(q: &Quad) -> bool {
    let sides = [0, 1, 2, 3].map(|i| (q.0[(i + 1) % 4] - q.0[i]).norm());
    let (least, most) = sides
        .iter()
        .fold((f64::MAX, 0.0), |(l, m), s| (s.min(l), s.max(m)));
    q.is_clockwise() && most < 1.4 * least
}

/// How far a face is turned from upright, in degrees.
fn slant(face: &Quad) -> f64 {
    let d = face.heading_deg().rem_euclid(360.0);
    d.min(360.0 - d)
}

#[cfg(test)]
pub(super) mod tests {
    use opencv::{core, imgproc, prelude::*};

    use super::*;
    use crate::vision::models_folder;

    /// A die from straight above, `side` wide, with a frame within its print that is `frame` as wide.
    pub(in super::super) fn framed(side: i32, frame: f64) -> (Picture, Quad) {
        let n = 400;
        let ground = core::Scalar::new(96.0, 110.0, 92.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(n, n, core::CV_8UC3, ground).unwrap();
        let middle = f64::from(n) / 2.0;
        let square = |mat: &mut Mat, wide: f64, colour: [f64; 3]| {
            let at = (middle - wide / 2.0).round() as i32;
            let rect = core::Rect::new(at, at, wide.round() as i32, wide.round() as i32);
            let colour = core::Scalar::new(colour[0], colour[1], colour[2], 0.0);
            imgproc::rectangle(mat, rect, colour, -1, imgproc::LINE_8, 0).unwrap();
        };
        let (body, ink) = ([60.0, 80.0, 170.0], [235.0, 235.0, 230.0]);
        let side = f64::from(side);
        square(&mut mat, side, body);
        square(&mut mat, frame * side, ink);
        square(&mut mat, 0.85 * frame * side, body);
        square(&mut mat, 0.3 * frame * side, ink);
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&mat, &mut soft, core::Size::new(5, 5), 0.0).unwrap();
        let (a, b) = (middle - side / 2.0, middle + side / 2.0);
        let size = n as u32;
        (
            Picture::from_rgb(size, size, soft.data_bytes().unwrap().to_vec()).unwrap(),
            Quad::from_pairs([[a, a], [b, a], [b, b], [a, b]]),
        )
    }

    #[test]
    fn a_frame_within_the_print_is_not_the_face() {
        let mut enroller = Enroller::open(&models_folder(), 2).unwrap();
        for (side, frame) in [(160, 0.55), (160, 0.7), (200, 0.8)] {
            let (picture, face) = framed(side, frame);
            let taken = enroller.face(&picture, None).unwrap().unwrap();
            let size = taken.corners.side() / face.side();
            assert!(
                (0.9..1.1).contains(&size),
                "side {side}, frame {frame}: {size} as wide"
            );
        }
    }

    #[test]
    fn photographs_are_turned_to_be_like_the_first() {
        let turned = |by: usize| -> Vec<Vec<f32>> {
            (0..4)
                .map(|t| {
                    let mut v = vec![0.0; 4];
                    v[(t + by) % 4] = 1.0;
                    v
                })
                .collect()
        };
        let all = [turned(0), turned(1), turned(0), turned(3)];
        let all: Vec<&[Vec<f32>]> = all.iter().map(Vec::as_slice).collect();
        assert_eq!(likest(&all, TURNED), [0, 3, 0, 1]);
    }
}
