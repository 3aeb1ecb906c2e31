//! Enrolment: photographs of one thing each become what a copy knows it by.

mod face;
mod piece;
mod solid;
mod triangle;

use std::path::{Path, PathBuf};

use opencv::{
    core::{self, Mat, Vector},
    imgcodecs, imgproc,
    prelude::*,
};

use super::{
    card::{self, OUT_OF_PROPORTION},
    crop,
    detector::{Detection, Detector, Effort},
    eye::VisionError,
    gallery::{Alike, Misnamed},
    pieces::PieceReader,
    quality,
    reader::Reader,
    solids::Solids,
};
use crate::{
    capture::Picture,
    copy::{Copy, Measured, Prints, Shape},
    geometry::{Point, Quad},
};

/// Pixels of a reference picture a millimetre: print of half a millimetre is still there.
const PER_MM: f64 = 6.0;
/// Longest side of a reference picture; boards are large.
const LONGEST: f64 = 1600.0;
/// Grey level that a fiftieth of a photograph reaches where it isn't too dark: something in it is lit, whatever lies there; and
/// the same of the thing itself, which may be black.
const DARK: f64 = 85.0;
const DARK_THING: f64 = 40.0;
/// Mean grey level above which a thing is washed out.
const BRIGHT: f64 = 235.0;
/// Millimetres by which a surface's edges may be smeared, and part of a piece's length: the finest print and outlines that
/// are compared are larger.
const SMEARED_MM: f64 = 0.8;
const SMEARED_PART: f64 = 0.04;

/// Least score of a die that is no print, and the part of the thing that its face takes up.
const A_DIE: f64 = 0.5;
const A_DIES_SHARE: f64 = 0.3;
/// What an ellipse and the outline of a disc share, of what either covers; a cube's outline has corners from everywhere.
const A_DISC: f64 = 0.96;

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
        "has no outline of the proportions that were measured: lay it on a ground of another colour, or give its corners; or was it measured wrongly?"
    )]
    OtherProportions,
    #[error(
        "is cut out by the corners that were given, and they lie elsewhere than what is found by itself: see in check/ whether they are of this photograph"
    )]
    Given,
    #[error(
        "may not be cut out along its top face: see in check/, and give its corners where it is not"
    )]
    Unknown,
    #[error(
        "seems to show no die, or several: take it of what its name says, alone, or see in check/ what was taken"
    )]
    NoDie,
    #[error(
        "is unlike the other photographs of this face: of another one, or wrongly cut out (see check/)"
    )]
    Unlike,
    #[error(
        "looks like a die, where something else is wanted: see whether it shows what its name says"
    )]
    Die,
    #[error(
        "shows a card or another rectangle, where a piece is wanted: take it of what its name says"
    )]
    Card,
    #[error(
        "shows nothing round, where a round token is wanted: take it of what its name says, or say that the token has another outline"
    )]
    NotRound,
    #[error(
        "is unlike the other photographs of it: turned otherwise than its name says, of another thing, or wrongly cut out (see check/)"
    )]
    Heading,
}

impl Flaw {
    /// It was found by comparing photographs of one thing: the others say otherwise.
    pub fn is_by_comparison(self) -> bool {
        matches!(self, Self::Unlike | Self::Heading)
    }

    /// Better light, focus or distance would mend it.
    pub fn is_of_the_camera(self) -> bool {
        matches!(
            self,
            Self::Dark | Self::Bright | Self::Blurred | Self::Small
        )
    }

    /// What was taken from the photograph may be another thing than its name says: better light would mend nothing.
    pub fn is_of_another_thing(self) -> bool {
        use Flaw::{Card, Die, Given, NoDie, NotRound, OtherProportions, Unclear};
        self.is_by_comparison()
            || matches!(
                self,
                Given | Unclear | OtherProportions | NoDie | Die | Card | NotRound
            )
    }
}

/// An enrolled thing: its picture as PNG, and what is amiss.
#[derive(Debug, Clone)]
pub struct Enrolled {
    pub png: Vec<u8>,
    pub flaws: Vec<Flaw>,
    /// Where it lies in the photograph, for a person to check.
    pub corners: Quad,
    /// Of pieces that were cut out: what they cover in the photograph.
    pub(super) outline: Option<geo::Polygon<f64>>,
    /// Of a die's face: of which shape.
    pub(super) shape: Option<Shape>,
}

impl Enrolled {
    /// The line round it in the photograph, from its own upper left, clockwise.
    pub fn drawn(&self) -> Vec<Point> {
        match self.shape {
            Some(shape) => shape.outline(&self.corners),
            None => self.corners.0.to_vec(),
        }
    }
}

/// What is too alike to be told apart.
#[derive(Debug, Clone)]
pub struct TooAlike {
    pub faces: Vec<Alike>,
    /// Tokens, each with its side.
    pub pieces: Vec<[String; 2]>,
}

/// Turns photographs into enrolment pictures.
pub struct Enroller {
    detector: Detector,
    reader: Reader,
    pieces: PieceReader,
    /// Loaded where a copy has such dice.
    solids: Option<Solids>,
    models: PathBuf,
    threads: usize,
}

impl Enroller {
    /// Loads the models from a folder.
    ///
    /// # Errors
    /// A missing runtime or a model that does not match.
    pub fn open(models: &Path, threads: usize) -> Result<Self, VisionError> {
        Ok(Self {
            detector: Detector::load(&models.join("dice-detector.onnx"), threads)?,
            reader: Reader::among(models, Prints::Any, threads)?,
            pieces: PieceReader::load(models, threads)?,
            solids: None,
            models: models.to_owned(),
            threads,
        })
    }

    /// Makes the vectors of a copy's faces and pieces, and keeps them beside it. Returns what is too alike.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn keep(&mut self, copy: &Copy) -> Result<TooAlike, VisionError> {
        let pieces = self.pieces.enrol_and_keep(copy)?;
        let mut faces = self.reader.enrol_and_keep(copy)?;
        if Solids::are_in(copy) {
            faces.extend(self.solids()?.reader_mut().enrol_and_keep(copy)?);
        }
        Ok(TooAlike { pieces, faces })
    }

    /// The flat picture of a display or board that lies alone in a photograph. `corners`, where given,
    /// are a person's word; otherwise they are looked for. `None` where nothing of its size is there.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn surface(
        &mut self,
        picture: &Picture,
        measured: &Measured,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        let size_mm = measured.size_mm;
        let mat = crop::mat(picture)?;
        let mut flaws = Vec::new();
        let corners = match corners {
            Some(corners) => corners,
            None => {
                let Some(card) = card::find(&mat, measured)? else {
                    return Ok(None);
                };
                if card.off_mm > OUT_OF_PROPORTION * size_mm[0].min(size_mm[1]) {
                    flaws.push(Flaw::OtherProportions);
                } else if card.support < 0.6 {
                    flaws.push(Flaw::Unclear);
                }
                card.corners
            }
        };
        let per_mm = PER_MM.min(LONGEST / size_mm[0].max(size_mm[1]));
        let flat = card::flatten(&mat, &corners, size_mm, per_mm)?;
        flaws.extend(lit(&mat, &flat)?);
        if quality::smear(&flat)? > SMEARED_MM * per_mm {
            flaws.push(Flaw::Blurred);
        }
        if self.die_fills(picture, corners.area())? {
            flaws.push(Flaw::Die);
        }
        if corners.side() < 0.25 * per_mm * (size_mm[0] * size_mm[1]).sqrt() {
            flaws.push(Flaw::Small);
        }
        Ok(Some(Enrolled {
            png: png(&flat)?,
            flaws,
            corners,
            outline: None,
            shape: None,
        }))
    }

    /// Whether a die's top face takes up much of what was found.
    fn die_fills(&mut self, picture: &Picture, area: f64) -> Result<bool, VisionError> {
        let found = self.detector.detect(picture, Effort::Still)?;
        let fills = |d: &Detection| d.score >= A_DIE && d.face.area() > A_DIES_SHARE * area;
        Ok(found.iter().any(fills))
    }

    /// Pictures of the copy that was kept last that seem to be of another face than it says.
    pub fn misnamed(&self) -> Vec<Misnamed> {
        let mut all = self.reader.misnamed();
        all.extend(self.solids.iter().flat_map(|s| s.reader().misnamed()));
        all
    }

    /// Loaded when it is first asked for.
    fn solids(&mut self) -> Result<&mut Solids, VisionError> {
        Ok(match &mut self.solids {
            Some(solids) => solids,
            none => none.insert(Solids::load(&self.models, self.threads)?),
        })
    }
}

/// What is amiss with the light on a thing that was cut out of a photograph.
fn lit(photograph: &Mat, thing: &Mat) -> Result<Option<Flaw>, VisionError> {
    let (mean, brightest) = quality::light(thing)?;
    let dark = quality::light(photograph)?.1 < DARK || brightest < DARK_THING;
    Ok(match dark {
        true => Some(Flaw::Dark),
        false => (mean > BRIGHT).then_some(Flaw::Bright),
    })
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
pub fn shown(picture: &Picture, corners: &[Point]) -> Result<Vec<u8>, VisionError> {
    let mat = crop::mat(picture)?;
    let k = (800.0 / f64::from(mat.cols().max(mat.rows()))).min(1.0);
    let size = |n: i32| (f64::from(n) * k).round() as i32;
    let mut small = crop::scaled(&mat, size(mat.cols()), size(mat.rows()))?;
    let points: Vector<core::Point> = corners
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

#[cfg(test)]
mod tests {
    use super::{face::tests::framed, *};
    use crate::copy::Outline;
    use crate::vision::{alone, models_folder};

    /// What one drawing shows on a plain ground, a little soft.
    fn drawn(draw: impl Fn(&mut Mat)) -> Picture {
        let n = 400;
        let ground = core::Scalar::new(96.0, 110.0, 92.0, 0.0);
        let mut mat = Mat::new_rows_cols_with_default(n, n, core::CV_8UC3, ground).unwrap();
        draw(&mut mat);
        let mut soft = Mat::default();
        imgproc::gaussian_blur_def(&mat, &mut soft, core::Size::new(5, 5), 0.0).unwrap();
        Picture::from_rgb(n as u32, n as u32, soft.data_bytes().unwrap().to_vec()).unwrap()
    }

    fn filled(mat: &mut Mat, corners: &[[i32; 2]], colour: [f64; 3]) {
        let points: Vector<core::Point> = corners
            .iter()
            .map(|[x, y]| core::Point::new(*x, *y))
            .collect();
        let colour = core::Scalar::new(colour[0], colour[1], colour[2], 0.0);
        imgproc::fill_poly_def(mat, &points, colour).unwrap();
    }

    const BODY: [f64; 3] = [60.0, 80.0, 170.0];
    const INK: [f64; 3] = [235.0, 235.0, 230.0];

    #[test]
    fn a_photograph_of_another_thing_is_noticed() {
        let mut enroller = Enroller::open(&models_folder(), 2).unwrap();
        let disc = drawn(|mat| {
            for (radius, colour) in [(95, BODY), (60, INK), (45, BODY)] {
                let colour = core::Scalar::new(colour[0], colour[1], colour[2], 0.0);
                let middle = core::Point::new(200, 200);
                imgproc::circle(mat, middle, radius, colour, -1, imgproc::LINE_AA, 0).unwrap();
            }
        });
        let card = drawn(|mat| {
            filled(mat, &[[50, 90], [350, 90], [350, 310], [50, 310]], BODY);
            filled(mat, &[[80, 120], [160, 120], [160, 200], [80, 200]], INK);
        });
        let (die, _) = framed(160, 0.6);
        let face = |e: &mut Enroller, p: &Picture| e.face(p, None).unwrap().map(|e| e.flaws);
        for (name, picture) in [("a disc", &disc), ("a card", &card)] {
            let flaws = face(&mut enroller, picture);
            assert!(
                flaws.as_ref().is_none_or(|f| f.contains(&Flaw::NoDie)),
                "{name}: {flaws:?}"
            );
        }
        assert!(!face(&mut enroller, &die).unwrap().contains(&Flaw::NoDie));
        let mut piece = |p: &Picture, outline: Option<Outline>| {
            let heading = outline.is_none().then_some(0.0);
            let taken = enroller.piece(p, heading, outline, None).unwrap();
            taken.unwrap().flaws
        };
        assert_eq!(piece(&disc, Some(Outline::Round)), []);
        let wrong = [Flaw::Die, Flaw::NotRound, Flaw::Card];
        let noticed = |flaws: Vec<Flaw>| flaws.iter().any(|f| wrong.contains(f));
        assert!(noticed(piece(&die, Some(Outline::Round))));
        assert!(noticed(piece(&card, Some(Outline::Round))));
        assert!(noticed(piece(&card, None)));
    }

    #[test]
    fn a_dark_photograph_is_noticed_and_a_dark_thing_is_not() {
        let mut enroller = Enroller::open(&models_folder(), 2).unwrap();
        let mut flaws = |lit: f64, body: [f64; 3]| {
            let piece = drawn(|mat| {
                let white = core::Scalar::all(235.0 * lit);
                mat.set_scalar(white).unwrap();
                let colour = body.map(|c| c * lit);
                filled(
                    mat,
                    &[[110, 150], [300, 120], [280, 290], [120, 260]],
                    colour,
                );
                filled(
                    mat,
                    &[[180, 180], [220, 180], [200, 230]],
                    INK.map(|c| c * lit),
                );
            });
            let taken = enroller.piece(&piece, None, Some(Outline::Other), None);
            taken.unwrap().unwrap().flaws
        };
        assert!(!flaws(1.0, BODY).contains(&Flaw::Dark));
        assert!(!flaws(1.0, [18.0; 3]).contains(&Flaw::Dark));
        assert!(flaws(0.25, BODY).contains(&Flaw::Dark));
    }

    #[test]
    fn a_seam_of_the_table_is_no_part_of_a_piece() {
        let piece =
            |mat: &mut Mat| filled(mat, &[[150, 150], [250, 150], [250, 250], [150, 250]], BODY);
        let seam = |mat: &mut Mat| {
            filled(
                mat,
                &[[0, 196], [399, 198], [399, 203], [0, 201]],
                [45.0, 30.0, 25.0],
            );
            piece(mat);
        };
        for (name, picture) in [("plain", drawn(piece)), ("a seam", drawn(seam))] {
            let mat = crop::mat(&picture).unwrap();
            let alone = alone::outlined(&mat).unwrap().expect(name);
            let wide = alone.bounds.width;
            assert!((90..112).contains(&wide), "{name}: {wide} wide");
        }
    }

    #[test]
    fn a_ship_that_is_turned_otherwise_than_its_name_says_is_noticed() {
        let mut enroller = Enroller::open(&models_folder(), 2).unwrap();
        let ship = |turns: i32| {
            drawn(|mat| {
                let turned = |[x, y]: [i32; 2]| match turns {
                    0 => [200 + x, 200 + y],
                    1 => [200 - y, 200 + x],
                    2 => [200 - x, 200 - y],
                    _ => [200 + y, 200 - x],
                };
                let hull = [[0, -90], [45, 80], [15, 60], [-15, 60], [-45, 80]];
                filled(mat, &hull.map(turned), [220.0, 215.0, 190.0]);
                filled(
                    mat,
                    &[[-8, -30], [8, -30], [8, 5], [-8, 5]].map(turned),
                    BODY,
                );
            })
        };
        let mut said = |turns: [i32; 4]| -> Vec<bool> {
            let named = [0.0, 90.0, 180.0, 270.0].into_iter().zip(turns);
            let mut views: Vec<(f64, Enrolled)> = named
                .map(|(heading, turns)| {
                    let taken = enroller.piece(&ship(turns), Some(heading), None, None);
                    (heading, taken.unwrap().unwrap())
                })
                .collect();
            let mut all: Vec<(f64, &mut Enrolled)> =
                views.iter_mut().map(|(h, e)| (*h, e)).collect();
            enroller.headings(&mut all).unwrap();
            let odd = |e: &Enrolled| e.flaws.contains(&Flaw::Heading);
            views.iter().map(|(_, e)| odd(e)).collect()
        };
        assert_eq!(said([0, 1, 2, 3]), [false; 4]);
        assert_eq!(said([0, 3, 2, 3]), [false, true, false, false]);
        // two exchanged
        assert_eq!(said([1, 0, 2, 3]), [true, true, false, false]);
    }
}
