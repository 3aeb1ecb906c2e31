//! The calibration board and what is learnt from pictures of it: a lens (Zhang's method in OpenCV).
//!
//! The board is a chessboard with a marker in each white square (ChArUco), so that a part of it is
//! enough. OpenCV's old marker interface, which 4.7 replaced, is used here and in `register/markers.rs` alone.

use opencv::{
    aruco, calib3d,
    core::{self, Mat, Ptr, Size, TermCriteria, Vector},
    imgproc,
    prelude::*,
};

use super::{crop, eye::VisionError};
use crate::{
    capture::Picture,
    geometry::{Lens, Point, Quad},
};

/// Squares across and down.
pub const SQUARES: [i32; 2] = [7, 10];
/// A square's side in millimetres: the board fits A4 and Letter.
pub const SQUARE_MM: f64 = 25.0;
/// A marker's side: seven modules of 2.5 mm.
pub const MARKER_MM: f64 = 17.5;
/// Fewer corners than this make no view.
const LEAST_CORNERS: usize = 8;
/// Fewer views than this make no lens.
pub const LEAST_VIEWS: usize = 8;
/// Views wanted before nothing more is asked for.
pub const WANTED_VIEWS: usize = 12;
/// The picture is cut into so many parts each way; each should have shown corners.
const PARTS: usize = 3;
/// A view counts as tilted when one side of the board appears so much longer than the opposite one.
const TILTED: f64 = 1.08;

fn dictionary() -> Result<Ptr<aruco::Dictionary>, VisionError> {
    Ok(aruco::get_predefined_dictionary(
        aruco::PREDEFINED_DICTIONARY_NAME::DICT_5X5_100,
    )?)
}

fn board() -> Result<Ptr<aruco::CharucoBoard>, VisionError> {
    Ok(aruco::CharucoBoard::create(
        SQUARES[0],
        SQUARES[1],
        SQUARE_MM as f32,
        MARKER_MM as f32,
        &dictionary()?,
    )?)
}

/// The board, `pixels_per_mm` (a multiple of 4 is exact): width, height, and a byte a pixel, 0 or 255.
///
/// # Errors
/// Only where a library fails.
pub fn drawn(pixels_per_mm: i32) -> Result<(u32, u32, Vec<u8>), VisionError> {
    let size = |n: i32| n * SQUARE_MM as i32 * pixels_per_mm;
    let (w, h) = (size(SQUARES[0]), size(SQUARES[1]));
    let mut out = Mat::default();
    board()?.draw(Size::new(w, h), &mut out, 0, 1)?;
    Ok((w as u32, h as u32, out.data_bytes()?.to_vec()))
}

/// What one picture shows of the board.
#[derive(Debug, Clone)]
struct Seen {
    corners: Vector<core::Point2f>,
    ids: Vector<i32>,
}

impl Seen {
    /// `None` where too little of the board is in the picture.
    fn of(
        picture: &Picture,
        board: &Ptr<aruco::CharucoBoard>,
        dictionary: &Ptr<aruco::Dictionary>,
    ) -> Result<Option<Self>, VisionError> {
        let mut grey = Mat::default();
        imgproc::cvt_color_def(
            &crop::borrowed(picture)?,
            &mut grey,
            imgproc::COLOR_RGB2GRAY,
        )?;
        let (mut corners, mut ids) = (Vector::<Vector<core::Point2f>>::new(), Vector::<i32>::new());
        aruco::detect_markers_def(&grey, dictionary, &mut corners, &mut ids)?;
        if ids.is_empty() {
            return Ok(None);
        }
        let (mut at, mut which) = (Vector::<core::Point2f>::new(), Vector::<i32>::new());
        aruco::interpolate_corners_charuco_def(&corners, &ids, &grey, board, &mut at, &mut which)?;
        Ok((at.len() >= LEAST_CORNERS).then_some(Self {
            corners: at,
            ids: which,
        }))
    }

    /// The pixel of the corner that is `x` squares from the left and `y` from the top of the inner ones.
    fn at(&self, x: i32, y: i32) -> Option<Point> {
        let id = y * (SQUARES[0] - 1) + x;
        let i = self.ids.iter().position(|other| other == id)?;
        let p = self.corners.get(i).ok()?;
        Some(Point::new(f64::from(p.x), f64::from(p.y)))
    }
}

/// What lies between the board's outermost inner corners: width and height in millimetres.
pub const BOARD_MM: [f64; 2] = [
    (SQUARES[0] - 2) as f64 * SQUARE_MM,
    (SQUARES[1] - 2) as f64 * SQUARE_MM,
];

/// Where the board lies in a picture: the corners of [`BOARD_MM`], in pixels, and how many inner corners were seen; `None` where fewer
/// than three of those four are. A fourth that is covered is where the others have it, if the lens bends no lines.
///
/// # Errors
/// Only where a library fails.
pub fn board_in(picture: &Picture) -> Result<Option<(Quad, usize)>, VisionError> {
    let Some(seen) = Seen::of(picture, &board()?, &dictionary()?)? else {
        return Ok(None);
    };
    let (w, h) = (SQUARES[0] - 2, SQUARES[1] - 2);
    let outer = [(0, 0), (w, 0), (w, h), (0, h)];
    if outer
        .iter()
        .filter(|(x, y)| seen.at(*x, *y).is_some())
        .count()
        < 3
    {
        return Ok(None);
    }
    let across = SQUARES[0] - 1;
    let mut flat = Vector::<core::Point2f>::new();
    for id in &seen.ids {
        flat.push(core::Point2f::new(
            (id % across) as f32,
            (id / across) as f32,
        ));
    }
    let map = calib3d::find_homography_ext(
        &flat,
        &seen.corners,
        0,
        3.0,
        &mut Mat::default(),
        2000,
        0.995,
    )?;
    let mut out = [Point::origin(); 4];
    if map.empty() {
        return Ok(None);
    }
    for (corner, (x, y)) in out.iter_mut().zip(outer) {
        *corner = match seen.at(x, y) {
            Some(at) => at,
            None => {
                let on =
                    Vector::<core::Point2f>::from_iter([core::Point2f::new(x as f32, y as f32)]);
                let mut px = Vector::<core::Point2f>::new();
                core::perspective_transform(&on, &mut px, &map)?;
                let p = px.get(0)?;
                Point::new(f64::from(p.x), f64::from(p.y))
            }
        };
    }
    // a board that is seen as in a mirror, or from so low that it folds over, is none
    let quad = Some(Quad(out)).filter(Quad::is_clockwise);
    Ok(quad.map(|quad| (quad, seen.corners.len())))
}

/// A lens and how well it explains the pictures.
#[derive(Debug, Clone)]
pub struct Calibrated {
    pub lens: Lens,
    /// Width and height of the pictures.
    pub size_px: [u32; 2],
    /// Root mean square of the distance between corners seen and corners computed, in pixels.
    pub error_px: f64,
    /// The same for each view, in the order they were added.
    pub views_px: Vec<f64>,
}

/// Collects pictures of the board.
pub struct Calibrator {
    board: Ptr<aruco::CharucoBoard>,
    dictionary: Ptr<aruco::Dictionary>,
    size_px: Option<[u32; 2]>,
    views: Vec<Seen>,
    /// Parts of the picture, row by row, in which corners were seen.
    parts: [bool; PARTS * PARTS],
    /// Tilted to the left, right, up, down.
    tilts: [bool; 4],
}

/// What became of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is a view, with so many corners.
    View(usize),
    /// The board is not in it, or too little of it.
    NoBoard,
    /// It has another size than the pictures before.
    OtherSize,
    /// It shows nothing that an earlier one did not.
    Same,
}

impl Calibrator {
    /// # Errors
    /// Only where a library fails.
    pub fn new() -> Result<Self, VisionError> {
        Ok(Self {
            board: board()?,
            dictionary: dictionary()?,
            size_px: None,
            views: Vec::new(),
            parts: [false; PARTS * PARTS],
            tilts: [false; 4],
        })
    }

    pub fn views(&self) -> usize {
        self.views.len()
    }

    /// Looks for the board in a picture.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn add(&mut self, picture: &Picture) -> Result<Added, VisionError> {
        let size = [picture.width(), picture.height()];
        if self.size_px.is_some_and(|s| s != size) {
            return Ok(Added::OtherSize);
        }
        let Some(seen) = Seen::of(picture, &self.board, &self.dictionary)? else {
            return Ok(Added::NoBoard);
        };
        if self.views.iter().any(|v| alike(v, &seen, size)) {
            return Ok(Added::Same);
        }
        self.size_px = Some(size);
        for p in &seen.corners {
            let part =
                |v: f32, n: u32| ((v.max(0.0) / n as f32 * PARTS as f32) as usize).min(PARTS - 1);
            self.parts[part(p.y, size[1]) * PARTS + part(p.x, size[0])] = true;
        }
        if let Some(tilts) = tilts(&seen) {
            for (all, now) in self.tilts.iter_mut().zip(tilts) {
                *all |= now;
            }
        }
        let n = seen.corners.len();
        self.views.push(seen);
        Ok(Added::View(n))
    }

    /// What is still missing for a good lens; a request each.
    pub fn wanted(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.views.len() < WANTED_VIEWS {
            out.push(format!(
                "{} more views of the board",
                WANTED_VIEWS - self.views.len()
            ));
        }
        let names = [
            "upper left",
            "top",
            "upper right",
            "left",
            "middle",
            "right",
            "lower left",
            "bottom",
            "lower right",
        ];
        let empty: Vec<&str> = names
            .iter()
            .zip(self.parts)
            .filter(|(_, seen)| !seen)
            .map(|(name, _)| *name)
            .collect();
        if !empty.is_empty() {
            out.push(format!("the board at the picture's {}", empty.join(", ")));
        }
        let sides = ["left", "right", "upper", "lower"];
        let flat: Vec<&str> = sides
            .iter()
            .zip(self.tilts)
            .filter(|(_, seen)| !seen)
            .map(|(side, _)| *side)
            .collect();
        if !flat.is_empty() {
            out.push(format!(
                "the board tilted so that its {} side is nearer",
                flat.join(", then its ")
            ));
        }
        out
    }

    /// The lens that explains the views best; `None` with fewer than [`LEAST_VIEWS`].
    ///
    /// # Errors
    /// The views do not fix a lens.
    pub fn solve(&self) -> Result<Option<Calibrated>, VisionError> {
        let Some(size_px) = self.size_px.filter(|_| self.views.len() >= LEAST_VIEWS) else {
            return Ok(None);
        };
        let all = self.board.chessboard_corners();
        let mut objects: Vector<Vector<core::Point3f>> = Vector::new();
        let mut images: Vector<Vector<core::Point2f>> = Vector::new();
        for v in &self.views {
            let mut points = Vector::new();
            for id in &v.ids {
                points.push(all.get(id as usize)?);
            }
            objects.push(points);
            images.push(v.corners.clone());
        }
        let (mut matrix, mut bend) = (Mat::default(), Mat::default());
        let (mut turns, mut shifts) = (Vector::<Mat>::new(), Vector::<Mat>::new());
        let (mut of_lens, mut of_poses, mut of_views) =
            (Mat::default(), Mat::default(), Mat::default());
        let until = TermCriteria::new(3, 200, 1e-9)?;
        // webcams bend little beyond the second order; more freedom fits the corners of few views only
        let flags = calib3d::CALIB_FIX_K3;
        let error_px = calib3d::calibrate_camera_extended(
            &objects,
            &images,
            Size::new(size_px[0] as i32, size_px[1] as i32),
            &mut matrix,
            &mut bend,
            &mut turns,
            &mut shifts,
            &mut of_lens,
            &mut of_poses,
            &mut of_views,
            flags,
            until,
        )?;
        let k: &[f64] = matrix.data_typed()?;
        let d: &[f64] = bend.data_typed()?;
        let errors: &[f64] = of_lens.data_typed()?;
        let (Some(fx), Some(fy), Some(cx), Some(cy)) = (k.first(), k.get(4), k.get(2), k.get(5))
        else {
            return Err(VisionError::Failed("no lens came of the views".to_owned()));
        };
        let mut distortion = [0.0; 5];
        for (to, from) in distortion.iter_mut().zip(d) {
            *to = *from;
        }
        let focal_error = errors.first().copied().unwrap_or(0.0) / fx;
        Ok(Some(Calibrated {
            lens: Lens {
                focal_px: [*fx, *fy],
                centre_px: [*cx, *cy],
                distortion,
                focal_error,
            },
            size_px,
            error_px,
            views_px: of_views.data_typed::<f64>()?.to_vec(),
        }))
    }
}

/// Whether two views show the same corners in nearly the same places.
fn alike(a: &Seen, b: &Seen, size: [u32; 2]) -> bool {
    let near = 0.03 * f64::from(size[0].max(size[1]));
    let mut both = 0;
    let mut off = 0.0_f64;
    for (id, p) in a.ids.iter().zip(&a.corners) {
        if let Some(i) = b.ids.iter().position(|o| o == id)
            && let Ok(q) = b.corners.get(i)
        {
            both += 1;
            off = off.max(f64::from((p.x - q.x).hypot(p.y - q.y)));
        }
    }
    both * 2 > a.ids.len() && off < near
}

/// Whether the left, right, upper or lower side of the board is clearly nearer.
fn tilts(seen: &Seen) -> Option<[bool; 4]> {
    let (w, h) = (SQUARES[0] - 2, SQUARES[1] - 2);
    let (a, b) = (seen.at(0, 0)?, seen.at(w, 0)?);
    let (c, d) = (seen.at(w, h)?, seen.at(0, h)?);
    let (top, right, bottom, left) = (
        (b - a).norm(),
        (c - b).norm(),
        (c - d).norm(),
        (d - a).norm(),
    );
    Some([
        left > TILTED * right,
        right > TILTED * left,
        top > TILTED * bottom,
        bottom > TILTED * top,
    ])
}
