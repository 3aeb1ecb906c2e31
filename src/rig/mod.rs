//! A camera set-up, as data: which part of whose picture is a surface, and how large it is.
//!
//! In this version a rig names trays: rectangles that a person has marked in the picture. Dice
//! outside every tray are not looked at. Where a die lies on a tray is where its foot is, straight
//! under its top face: the tray's corners give the camera's pose, and the lens is the file's or, from
//! the corners again, one with square pixels and the axis through the middle of the picture.

mod camera_info;

pub use camera_info::CameraInfo;

use std::{collections::HashSet, path::Path};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::{
    copy::{FileError, Source, Status, in_words},
    geometry::{Homography, Lens, Meets, Point, Quad, View, focal_from_rectangle},
};

/// How far a corner that a person clicked, or that a detector found, may be off; pixels.
const CORNER_ERROR_PX: f64 = 1.0;

/// A webcam's focal length where nothing tells it, in picture widths, and how wrong that may be:
/// 50 to 90 degrees across.
const USUAL_FOCAL: (f64, f64) = (0.78, 0.3);

/// The file as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "rig file")]
pub struct RigFile {
    /// Version of this format; 1.
    #[schemars(with = "u32")]
    format: Spanned<u32>,
    /// The camera this rig is for, as `sightline cameras` lists it; any, where left out.
    camera: Option<String>,
    /// The camera's lens; estimated from the trays where left out.
    lens: Option<LensFile>,
    /// The lens as a ROS `camera_info` file, beside this one; in place of `lens`.
    #[schemars(with = "Option<String>")]
    camera_info: Option<Spanned<String>>,
    #[serde(default)]
    trays: Vec<TrayFile>,
}

/// A lens as `camera_info` has it, for pictures of one size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LensFile {
    /// Width and height of the pictures it was calibrated with.
    size_px: [u32; 2],
    /// Focal lengths across and down.
    #[schemars(with = "[f64; 2]")]
    focal_px: Spanned<[f64; 2]>,
    /// Where the optical axis meets the picture.
    centre_px: [f64; 2],
    /// k1, k2, p1, p2, k3 as OpenCV counts them; none where left out.
    #[serde(default)]
    distortion: [f64; 5],
}

impl LensFile {
    /// Standard error of a focal length that was measured, as a part of it.
    const ERROR: f64 = 0.005;
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TrayFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    id: Spanned<String>,
    /// Its corners in the picture: upper left, upper right, lower right, lower left.
    #[schemars(with = "[[f64; 2]; 4]")]
    corners_px: Spanned<[[f64; 2]; 4]>,
    /// Width and height in millimetres.
    #[schemars(with = "[f64; 2]")]
    size_mm: Spanned<[f64; 2]>,
}

/// A camera set-up. The default one knows no surfaces and looks everywhere.
#[derive(Debug, Clone, Default)]
pub struct Rig {
    pub camera: Option<String>,
    pub trays: Vec<Tray>,
    /// Surfaces that the picture at hand shows.
    seen: Vec<Tray>,
    /// A lens, and the size of the pictures that it is for.
    lens: Option<(Lens, [u32; 2])>,
}

/// A rectangle on the table where dice are rolled.
#[derive(Debug, Clone)]
pub struct Tray {
    pub id: String,
    pub corners_px: Quad,
    pub size_mm: [f64; 2],
    /// How far off its frame may lie, in millimetres: 0 for what a person marked.
    pub error_mm: f64,
    /// How sure it is that it lies there; `sure` for what a person marked.
    pub status: Status,
}

impl Tray {
    /// Whether all its corners lie in a picture of this width and height.
    pub fn whole_in(&self, [width, height]: [u32; 2]) -> bool {
        let inside = |p: &Point| {
            (-0.5..f64::from(width) - 0.5).contains(&p.x)
                && (-0.5..f64::from(height) - 0.5).contains(&p.y)
        };
        self.corners_px.0.iter().all(inside)
    }
}

/// Where something lies on a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Lies {
    pub surface: String,
    /// How well it is known that the surface lies there.
    pub status: Status,
    /// The middle of its foot, from the surface's upper left, x right, y down.
    pub at_mm: [f64; 2],
    /// Standard error of `at_mm`.
    pub error_mm: f64,
    /// Clockwise from the surface's x axis.
    pub heading_deg: f64,
}

impl Rig {
    /// What of this rig does not lie in a picture of this width and height; a sentence each.
    pub fn misfits(&self, size: [u32; 2]) -> Vec<String> {
        let [w, h] = size;
        self.trays
            .iter()
            .filter(|t| !t.whole_in(size))
            .map(|t| {
                format!(
                    "the rig's tray {} does not lie wholly in pictures of {w}x{h}: was it drawn on pictures of another size?",
                    t.id
                )
            })
            .collect()
    }

    /// Reads a rig file.
    ///
    /// # Errors
    /// The first thing that is wrong, with file, line and field.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let source = Source::read(path).map_err(|e| FileError::Unreadable {
            path: path.to_owned(),
            why: in_words(&e),
        })?;
        Self::parse(&source, path.parent().unwrap_or(Path::new(".")))
    }

    fn parse(source: &Source, folder: &Path) -> Result<Self, FileError> {
        let file: RigFile = source.parse()?;
        if *file.format.get_ref() != 1 {
            let what = format!(
                "format = {}: this program reads format 1",
                file.format.get_ref()
            );
            return Err(source.wrong(&file.format, what));
        }
        let mut trays = Vec::new();
        let mut ids = HashSet::new();
        for tray in file.trays {
            let [w, h] = *tray.size_mm.get_ref();
            if !(10.0..=5000.0).contains(&w) || !(10.0..=5000.0).contains(&h) {
                let what =
                    format!("size_mm = [{w}, {h}]: a tray's sides are between 10 mm and 5 m");
                return Err(source.wrong(&tray.size_mm, what));
            }
            let corners_px = Quad::from_pairs(*tray.corners_px.get_ref());
            let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
            if !corners_px.is_clockwise() || Homography::between(&corners_px, &flat).is_none() {
                let what = "corners_px: these are not the four corners of a rectangle as a camera sees it; give upper left, upper right, lower right, lower left".to_owned();
                return Err(source.wrong(&tray.corners_px, what));
            }
            if !ids.insert(tray.id.get_ref().clone()) {
                let what = format!(
                    "id = \"{}\": there are two trays of that name",
                    tray.id.get_ref()
                );
                return Err(source.wrong(&tray.id, what));
            }
            trays.push(Tray {
                id: tray.id.into_inner(),
                corners_px,
                size_mm: [w, h],
                error_mm: 0.0,
                status: Status::Sure,
            });
        }
        if let (Some(_), Some(info)) = (&file.lens, &file.camera_info) {
            let what = "camera_info: there is a [lens], too; one of the two is enough".to_owned();
            return Err(source.wrong(info, what));
        }
        let from_info = match &file.camera_info {
            Some(info) => {
                let read = CameraInfo::load(&folder.join(info.get_ref()))?;
                Some((read.lens, read.size_px))
            }
            None => None,
        };
        let lens = match file.lens {
            Some(l) => {
                let focal_px = *l.focal_px.get_ref();
                if focal_px.iter().any(|f| !(10.0..=1e5).contains(f)) {
                    let [x, y] = focal_px;
                    let what = format!("focal_px = [{x}, {y}]: it is between 10 and 100000 pixels");
                    return Err(source.wrong(&l.focal_px, what));
                }
                let lens = Lens {
                    focal_px,
                    centre_px: l.centre_px,
                    distortion: l.distortion,
                    focal_error: LensFile::ERROR,
                };
                Some((lens, l.size_px))
            }
            None => from_info,
        };
        Ok(Self {
            camera: file.camera,
            trays,
            seen: Vec::new(),
            lens,
        })
    }

    /// The same with the surfaces that one picture shows: they say where things lie, and how the camera
    /// stands, but not where to look.
    #[must_use]
    pub fn with_seen(&self, seen: Vec<Tray>) -> Self {
        Self {
            seen,
            ..self.clone()
        }
    }

    /// Surfaces of this picture, besides the trays.
    pub fn seen(&self) -> &[Tray] {
        &self.seen
    }

    /// Whether anything at this place of the picture is to be looked at.
    pub fn looks_at(&self, p: Point) -> bool {
        self.trays.is_empty() || self.trays.iter().any(|t| t.corners_px.contains(p))
    }

    /// The lens for pictures of this size: the file's, or the one at which the trays are rectangles,
    /// or a usual one.
    pub fn lens(&self, [width, height]: [u32; 2]) -> Lens {
        if let Some((lens, [w, h])) = &self.lens
            && f64::from(*w) * f64::from(height) == f64::from(*h) * f64::from(width)
        {
            let k = f64::from(width) / f64::from(*w);
            return Lens {
                focal_px: lens.focal_px.map(|f| f * k),
                centre_px: lens.centre_px.map(|c| (c + 0.5) * k - 0.5),
                ..*lens
            };
        }
        // each rectangle has its say, by how sure it is (inverse variances)
        let (mut sum, mut weight) = (0.0, 0.0);
        for t in self.trays.iter().chain(&self.seen) {
            if let Some((focal, error)) =
                focal_from_rectangle(&t.corners_px, t.size_mm, (width, height), CORNER_ERROR_PX)
            {
                let w = 1.0 / (error * error);
                sum += w * focal;
                weight += w;
            }
        }
        let (focal, error) = if weight > 0.0 {
            (sum / weight, weight.sqrt().recip())
        } else {
            (USUAL_FOCAL.0 * f64::from(width), USUAL_FOCAL.1)
        };
        Lens::ideal(width, height, focal, error)
    }

    /// Where a die lies whose top face is `face` in a picture of `size_px`, `height_mm` over the
    /// surface; `None` off every tray.
    pub fn place(&self, face: &Quad, height_mm: f64, size_px: [u32; 2]) -> Option<Lies> {
        let lens = self.lens(size_px);
        self.seen.iter().chain(&self.trays).find_map(|tray| {
            let view = View::of_rectangle(&tray.corners_px, tray.size_mm, lens)?;
            let Meets { at, error_mm, .. } =
                view.meets(face.centre(), height_mm, CORNER_ERROR_PX)?;
            let [w, h] = tray.size_mm;
            if !(0.0..=w).contains(&at.x) || !(0.0..=h).contains(&at.y) {
                return None;
            }
            let mut flat = *face;
            for p in &mut flat.0 {
                *p = view.meets(*p, height_mm, CORNER_ERROR_PX)?.at;
            }
            Some(Lies {
                surface: tray.id.clone(),
                status: tray.status,
                at_mm: [at.x, at.y],
                error_mm: error_mm.hypot(tray.error_mm),
                heading_deg: flat.heading_deg(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAY: &str = "format = 1\n[[trays]]\nid = \"tray\"\ncorners_px = [[100, 100], [300, 100], [300, 200], [100, 200]]\nsize_mm = [200.0, 100.0]\n";

    #[test]
    fn a_tray_gives_millimetres() {
        let rig = Rig::parse(&Source::new(Path::new("rig.toml"), TRAY), Path::new("."))
            .expect("a good rig");
        let face = Quad::from_pairs([
            [192.0, 142.0],
            [208.0, 142.0],
            [208.0, 158.0],
            [192.0, 158.0],
        ]);
        // seen straight from above, in the middle of the picture: nothing is shifted there
        let lies = rig.place(&face, 16.0, [401, 301]).expect("on the tray");
        assert!((lies.at_mm[0] - 100.0).abs() < 1e-6 && (lies.at_mm[1] - 50.0).abs() < 1e-6);
        assert!(lies.heading_deg.abs() < 1e-6);
        // towards the edge the top face appears farther out than the foot is
        let face = Quad(face.0.map(|p| Point::new(p.x + 80.0, p.y)));
        let lies = rig.place(&face, 16.0, [401, 301]).expect("on the tray");
        assert!(lies.at_mm[0] < 178.0 && lies.at_mm[0] > 170.0, "{lies:?}");
        assert!(lies.error_mm > 1.0 && lies.error_mm < 4.0, "{lies:?}");
        assert!(!rig.looks_at(Point::new(20.0, 20.0)));
        assert!(Rig::default().looks_at(Point::new(20.0, 20.0)));
    }

    #[test]
    fn a_lens_is_scaled_to_the_picture() {
        let text = format!(
            "{}[lens]\nsize_px = [800, 600]\nfocal_px = [700, 700]\ncentre_px = [399.5, 299.5]\n",
            TRAY.replace("[[trays]]", "#")
                .split('#')
                .next()
                .unwrap_or_default()
        );
        let rig = Rig::parse(&Source::new(Path::new("rig.toml"), &text), Path::new("."))
            .expect("a good rig");
        let lens = rig.lens([400, 300]);
        assert_eq!(lens.focal_px, [350.0, 350.0]);
        assert_eq!(lens.centre_px, [199.5, 149.5]);
        // another picture shape is another crop of the sensor: the file says nothing of it
        assert!(rig.lens([400, 225]).focal_error > 0.1);
    }

    #[test]
    fn errors_name_file_line_and_field() {
        let bad = TRAY.replace("[300, 100], [300, 200]", "[200, 100], [300, 100]");
        let e = Rig::parse(&Source::new(Path::new("rig.toml"), &bad), Path::new("."))
            .expect_err("three corners on a line")
            .to_string();
        assert_eq!(
            e,
            "rig.toml:4: corners_px: these are not the four corners of a rectangle as a camera sees it; give upper left, upper right, lower right, lower left"
        );
        let e = Rig::parse(
            &Source::new(Path::new("rig.toml"), "format = 1\nfoo = 2\n"),
            Path::new("."),
        )
        .expect_err("no such field")
        .to_string();
        assert!(e.starts_with("rig.toml:2: unknown field `foo`"), "{e}");
    }
}
