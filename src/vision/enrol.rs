//! Enrolment: photographs of one thing each become what a copy knows it by.

use std::path::Path;

use opencv::{
    core::{self, Mat, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

use super::{
    alone, card, crop,
    detector::{Detector, Effort},
    eye::VisionError,
    reader::Reader,
};
use crate::{
    capture::Picture,
    copy::Prints,
    geometry::{Point, Quad},
};

/// Pixels of a reference picture a millimetre: print of half a millimetre is still there.
const PER_MM: f64 = 6.0;
/// Longest side of a reference picture; boards are large.
const LONGEST: f64 = 1600.0;
/// Side of a die's enrolment picture, its margin included.
const FACE: i32 = 96;
/// The margin, as a part of the face's side; the reader's own.
const MARGIN: f64 = 0.2;
/// Mean grey level below which a photograph is too dark, and above which it is washed out.
const DARK: f64 = 40.0;
const BRIGHT: f64 = 235.0;
/// Variance of the Laplacian of a face's crop below which it is out of focus.
const BLURRED: f64 = 25.0;
/// Side of a die's top face, in pixels, below which its print is too small to enrol.
const SMALL: f64 = 40.0;

/// What is amiss with a photograph that was taken all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    #[error("is too dark: put a lamp near, or open the lens")]
    Dark,
    #[error("is washed out: less light, or a shorter exposure")]
    Bright,
    #[error("is blurred: hold the camera still, and see that it focuses on the table")]
    Blurred,
    #[error("shows it too small: bring the camera nearer")]
    Small,
    #[error(
        "has no clear edge on every side: lay it on a ground of another colour, or give its corners"
    )]
    Unclear,
    #[error(
        "is of a die that the models do not know: see in check/ whether its top face was cut out, or give its corners"
    )]
    Unknown,
}

/// An enrolled thing: its picture as PNG, and what is amiss.
#[derive(Debug, Clone)]
pub struct Enrolled {
    pub png: Vec<u8>,
    pub flaws: Vec<Flaw>,
    /// Where it lies in the photograph, for a person to check.
    pub corners: Quad,
}

/// Turns photographs into enrolment pictures.
pub struct Enroller {
    detector: Detector,
    reader: Reader,
}

impl Enroller {
    /// Loads the models from a folder.
    ///
    /// # Errors
    /// A missing runtime or a model that does not match.
    pub fn open(models: &Path, threads: usize) -> Result<Self, VisionError> {
        Ok(Self {
            detector: Detector::load(&models.join("dice-detector.onnx"), threads)?,
            reader: Reader::load(&models.join(Reader::file(Prints::Any)), threads)?,
        })
    }

    pub fn reader(&mut self) -> &mut Reader {
        &mut self.reader
    }

    /// The flat picture of a display or board that lies alone in a photograph. `corners`, where given,
    /// are a person's word; otherwise they are looked for. `None` where nothing of its size is there.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn surface(
        &self,
        picture: &Picture,
        size_mm: [f64; 2],
        thickness_mm: f64,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        let mut flaws = Vec::new();
        let corners = match corners {
            Some(corners) => corners,
            None => {
                let Some(card) = card::find(&mat, size_mm, thickness_mm)? else {
                    return Ok(None);
                };
                if card.support < 0.6 {
                    flaws.push(Flaw::Unclear);
                }
                card.corners
            }
        };
        let per_mm = PER_MM.min(LONGEST / size_mm[0].max(size_mm[1]));
        let flat = card::flatten(&mat, &corners, size_mm, per_mm)?;
        let (light, _) = card::quality(&flat)?;
        flaws.extend(lit(light));
        if corners.side() < 0.25 * per_mm * (size_mm[0] * size_mm[1]).sqrt() {
            flaws.push(Flaw::Small);
        }
        Ok(Some(Enrolled {
            png: png(&flat)?,
            flaws,
            corners,
        }))
    }

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
        // a part of the print may look like a face, too: the die is as large as what lies on the ground
        let alone = alone::unlike_its_ground(&mat)?;
        let least = alone.as_ref().map_or(0.0, |a| {
            0.4 * f64::from(a.bounds.width.min(a.bounds.height))
        });
        let found = self.detector.detect(picture, Effort::Still)?;
        let best = found
            .iter()
            .filter(|d| d.score >= 0.2 && d.face.side() >= least)
            .max_by(|a, b| (a.face.area() * a.score).total_cmp(&(b.face.area() * b.score)));
        let (face, known) = match (best, alone) {
            // cut as it will be read
            (Some(best), _) => (self.reader.refined(&mat, &best.face)?, true),
            (None, Some(alone)) if is_square(&alone.corners) => (alone.corners, false),
            _ => return Ok(None),
        };
        let upright = (0..4)
            .map(|t| face.turned(t))
            .min_by(|a, b| slant(a).total_cmp(&slant(b)))
            .unwrap_or(face);
        let mut taken = cut(&mat, upright)?;
        if !known {
            taken.flaws.push(Flaw::Unknown);
        }
        Ok(Some(taken))
    }

    /// Makes several photographs of one face agree: the first says how it is upright, the others are turned to
    /// be like it; and where one was found too large or too small, it is cut anew as the others are.
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
        let ways = ways();
        let jobs: Vec<(&Mat, Quad)> = mats
            .iter()
            .zip(&outlines)
            .flat_map(|(mat, outline)| ways.iter().map(move |way| (mat, way.of(outline))))
            .collect();
        let vectors = self.reader.embed(&jobs)?;
        let each: Vec<&[Vec<f32>]> = vectors.chunks(ways.len()).collect();
        let chosen = likest(&each, &ways);
        for (((_, enrolled), mat), (outline, way)) in
            taken.iter_mut().zip(&mats).zip(outlines.iter().zip(chosen))
        {
            let unknown = enrolled.flaws.contains(&Flaw::Unknown);
            **enrolled = cut(mat, ways[way].of(outline))?;
            if unknown {
                enrolled.flaws.push(Flaw::Unknown);
            }
        }
        Ok(())
    }

    /// A piece (miniature, token, crystal) that lies alone in a photograph, in the middle of a square one and a half
    /// times as wide as it is long: along its heading (0 is up, clockwise), or where it is longest.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn piece(
        &self,
        picture: &Picture,
        heading_deg: Option<f64>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let mat = crop::mat(picture)?;
        let Some((at, longest)) = alone::outlined(&mat)? else {
            return Ok(None);
        };
        let long = match heading_deg {
            Some(h) if (h / 90.0).round() as i64 % 2 == 0 => f64::from(at.height),
            Some(_) => f64::from(at.width),
            None => longest,
        };
        let side = long * PIECE_SHARE;
        let middle = |lo: i32, n: i32| f64::from(lo) + f64::from(n - 1) / 2.0;
        let middle = Point::new(middle(at.x, at.width), middle(at.y, at.height));
        let square = crop::square(&mat, middle, side, 0.0, side.min(256.0) as i32)?;
        let (light, _) = card::quality(&square)?;
        let mut flaws: Vec<Flaw> = lit(light).into_iter().collect();
        if side < 64.0 {
            flaws.push(Flaw::Small);
        }
        let (half, c) = (side / 2.0, middle);
        let (x0, y0, x1, y1) = (c.x - half, c.y - half, c.x + half, c.y + half);
        Ok(Some(Enrolled {
            png: png(&square)?,
            flaws,
            corners: Quad::from_pairs([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]),
        }))
    }
}

/// A piece's picture is so many times as wide as the piece is long.
const PIECE_SHARE: f64 = 1.5;

/// Another way to cut a face out: larger or smaller than it was found, and turned.
#[derive(Debug, Clone, Copy)]
struct Way {
    scale: f64,
    quarter_turns: usize,
}

impl Way {
    fn of(&self, outline: &Quad) -> Quad {
        outline.scaled(self.scale).turned(self.quarter_turns)
    }

    /// What it costs, in likeness: outlines are more often right than not, and dice are more often laid
    /// upright for their picture than not.
    fn cost(&self) -> f64 {
        let turned = if self.quarter_turns == 0 { 0.0 } else { 0.1 };
        0.4 * self.scale.ln().abs() + turned
    }
}

fn ways() -> Vec<Way> {
    [1.0, 0.8, 0.89, 1.12, 1.25, 1.4]
        .iter()
        .flat_map(|&scale| {
            (0..4).map(move |quarter_turns| Way {
                scale,
                quarter_turns,
            })
        })
        .collect()
}

/// For each picture the way in which all are likest to each other (mean cosine, less what the ways cost): one
/// after the other is set to be like the rest until none changes, from each way of the first in turn. The
/// first is not turned.
fn likest(each: &[&[Vec<f32>]], ways: &[Way]) -> Vec<usize> {
    let like = |i: usize, a: usize, j: usize, b: usize| match (each[i].get(a), each[j].get(b)) {
        (Some(x), Some(y)) => x.iter().zip(y).map(|(x, y)| f64::from(x * y)).sum(),
        _ => -1.0,
    };
    let n = each.len();
    let worth = |i: usize, way: usize, chosen: &[usize]| -> f64 {
        let others = (0..n).filter(|j| *j != i);
        others.map(|j| like(i, way, j, chosen[j])).sum::<f64>() / (n - 1) as f64 - ways[way].cost()
    };
    let free = |i: usize| (0..ways.len()).filter(move |w| i > 0 || ways[*w].quarter_turns == 0);
    let mut best = (f64::MIN, vec![0; n]);
    for start in free(0) {
        let mut chosen: Vec<usize> = (0..n)
            .map(|i| {
                let first = |w: &usize| like(0, start, i, *w) - ways[*w].cost();
                free(i)
                    .max_by(|a, b| first(a).total_cmp(&first(b)))
                    .filter(|_| i > 0)
                    .unwrap_or(start)
            })
            .collect();
        for _ in 0..8 {
            let before = chosen.clone();
            for i in 0..n {
                if let Some(way) =
                    free(i).max_by(|a, b| worth(i, *a, &chosen).total_cmp(&worth(i, *b, &chosen)))
                {
                    chosen[i] = way;
                }
            }
            if chosen == before {
                break;
            }
        }
        let total = (0..n).map(|i| worth(i, chosen[i], &chosen)).sum();
        if total > best.0 {
            best = (total, chosen);
        }
    }
    best.1
}

/// A face's enrolment picture, and what is wrong with it.
fn cut(photograph: &Mat, upright: Quad) -> Result<Enrolled, VisionError> {
    let crop = crop::rectify(photograph, &upright, FACE, MARGIN)?;
    let (light, sharp) = card::quality(&crop)?;
    let mut flaws: Vec<Flaw> = lit(light).into_iter().collect();
    if sharp < BLURRED {
        flaws.push(Flaw::Blurred);
    }
    if upright.side() < SMALL {
        flaws.push(Flaw::Small);
    }
    Ok(Enrolled {
        png: png(&crop)?,
        flaws,
        corners: upright,
    })
}

fn lit(light: f64) -> Option<Flaw> {
    if light < DARK {
        Some(Flaw::Dark)
    } else {
        (light > BRIGHT).then_some(Flaw::Bright)
    }
}

/// Whether it may be a die seen nearly from above, one of its sides with it.
fn is_square(q: &Quad) -> bool {
    let (a, b) = ((q.0[1] - q.0[0]).norm(), (q.0[2] - q.0[1]).norm());
    q.is_clockwise() && a.max(b) < 1.35 * a.min(b)
}

/// How far a face is turned from upright, in degrees.
fn slant(face: &Quad) -> f64 {
    let d = face.heading_deg().rem_euclid(360.0);
    d.min(360.0 - d)
}

fn png(rgb: &Mat) -> Result<Vec<u8>, VisionError> {
    let (mut bgr, mut out) = (Mat::default(), Vector::<u8>::new());
    imgproc::cvt_color_def(rgb, &mut bgr, imgproc::COLOR_RGB2BGR)?;
    imgcodecs::imencode_def(".png", &bgr, &mut out)?;
    Ok(out.to_vec())
}

/// The photograph, small, with what was taken outlined: for a person to check.
///
/// # Errors
/// Only where a library fails.
pub fn shown(picture: &Picture, corners: &Quad) -> Result<Vec<u8>, VisionError> {
    let mat = crop::mat(picture)?;
    let k = (800.0 / f64::from(mat.cols().max(mat.rows()))).min(1.0);
    let size = |n: i32| (f64::from(n) * k).round() as i32;
    let mut small = crop::scaled(&mat, size(mat.cols()), size(mat.rows()))?;
    let points: Vector<core::Point> = corners
        .0
        .iter()
        .map(|p| core::Point::new((p.x * k).round() as i32, (p.y * k).round() as i32))
        .collect();
    let green = core::Scalar::new(60.0, 230.0, 90.0, 0.0);
    imgproc::polylines(&mut small, &points, true, green, 2, imgproc::LINE_AA, 0)?;
    if let Ok(first) = points.get(0) {
        imgproc::circle(&mut small, first, 6, green, -1, imgproc::LINE_AA, 0)?;
    }
    png(&small)
}
