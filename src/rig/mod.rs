//! A camera set-up, as data: which part of whose picture is a surface, and how large it is.
//!
//! In this version a rig names trays: rectangles that a person has marked in the picture. Dice
//! outside every tray are not looked at, and where a die lies on a tray is given in millimetres.
//! Lens and pose come with calibration; until then a die's height shifts it by an unknown part of
//! its size, and that is what its error says.

use std::{fs, path::Path, path::PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::geometry::{Homography, Point, Quad};

/// Why a rig cannot be used; one sentence with file, line and field.
#[derive(Debug, thiserror::Error)]
pub enum RigError {
    #[error("{}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{}:{line}: {what}", path.display())]
    Field {
        path: PathBuf,
        line: usize,
        what: String,
    },
}

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
    #[serde(default)]
    trays: Vec<TrayFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TrayFile {
    id: String,
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
}

/// A rectangle on the table where dice are rolled.
#[derive(Debug, Clone)]
pub struct Tray {
    pub id: String,
    pub corners_px: Quad,
    pub size_mm: [f64; 2],
    tray_from_picture: Homography,
}

/// Where something lies on a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Lies {
    pub surface: String,
    /// From the surface's upper left, x right, y down.
    pub at_mm: [f64; 2],
    pub error_mm: f64,
    /// Clockwise from the surface's x axis.
    pub heading_deg: f64,
}

impl Rig {
    /// Reads a rig file.
    ///
    /// # Errors
    /// The first thing that is wrong, with file, line and field.
    pub fn load(path: &Path) -> Result<Self, RigError> {
        let text = fs::read_to_string(path).map_err(|e| RigError::Unreadable {
            path: path.to_owned(),
            why: e.to_string(),
        })?;
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, RigError> {
        let at = |offset: usize, what: String| RigError::Field {
            path: path.to_owned(),
            line: text.get(..offset).unwrap_or(text).matches('\n').count() + 1,
            what,
        };
        let file: RigFile = toml::from_str(text).map_err(|e| {
            at(
                e.span().map_or(0, |s| s.start),
                e.message().trim().replace('\n', " "),
            )
        })?;
        if *file.format.get_ref() != 1 {
            let what = format!(
                "format = {}: this program reads format 1",
                file.format.get_ref()
            );
            return Err(at(file.format.span().start, what));
        }
        let mut trays = Vec::new();
        for tray in file.trays {
            let [w, h] = *tray.size_mm.get_ref();
            if !(10.0..=5000.0).contains(&w) || !(10.0..=5000.0).contains(&h) {
                let what =
                    format!("size_mm = [{w}, {h}]: a tray's sides are between 10 mm and 5 m");
                return Err(at(tray.size_mm.span().start, what));
            }
            let corners_px = Quad::from_pairs(*tray.corners_px.get_ref());
            let flat = Quad::from_pairs([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]);
            let Some(tray_from_picture) = Homography::between(&corners_px, &flat) else {
                let what = "corners_px: three of the corners lie on one line".to_owned();
                return Err(at(tray.corners_px.span().start, what));
            };
            trays.push(Tray {
                id: tray.id,
                corners_px,
                size_mm: [w, h],
                tray_from_picture,
            });
        }
        Ok(Self {
            camera: file.camera,
            trays,
        })
    }

    /// Whether anything at this place of the picture is to be looked at.
    pub fn looks_at(&self, p: Point) -> bool {
        self.trays.is_empty() || self.trays.iter().any(|t| t.corners_px.contains(p))
    }

    /// Where a die whose top face is `face` in the picture lies; `None` off every tray.
    pub fn place(&self, face: &Quad, size_mm: f64) -> Option<Lies> {
        let tray = self
            .trays
            .iter()
            .find(|t| t.corners_px.contains(face.centre()))?;
        let centre = tray.tray_from_picture.apply(face.centre())?;
        let mut flat = *face;
        for p in &mut flat.0 {
            *p = tray.tray_from_picture.apply(*p)?;
        }
        Some(Lies {
            surface: tray.id.clone(),
            at_mm: [centre.x, centre.y],
            // up to 45° off the vertical, the top face appears at most its height away from the foot
            error_mm: size_mm,
            heading_deg: flat.heading_deg(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAY: &str = "format = 1\n[[trays]]\nid = \"tray\"\ncorners_px = [[100, 100], [300, 100], [300, 200], [100, 200]]\nsize_mm = [200.0, 100.0]\n";

    #[test]
    fn a_tray_gives_millimetres() {
        let rig = Rig::parse(Path::new("rig.toml"), TRAY).expect("a good rig");
        let face = Quad::from_pairs([
            [150.0, 120.0],
            [166.0, 120.0],
            [166.0, 136.0],
            [150.0, 136.0],
        ]);
        let lies = rig.place(&face, 16.0).expect("on the tray");
        assert!((lies.at_mm[0] - 58.0).abs() < 1e-6 && (lies.at_mm[1] - 28.0).abs() < 1e-6);
        assert!(lies.heading_deg.abs() < 1e-6);
        assert!(!rig.looks_at(Point::new(20.0, 20.0)));
        assert!(Rig::default().looks_at(Point::new(20.0, 20.0)));
    }

    #[test]
    fn errors_name_file_line_and_field() {
        let bad = TRAY.replace("[300, 100], [300, 200]", "[200, 100], [300, 100]");
        let e = Rig::parse(Path::new("rig.toml"), &bad)
            .expect_err("three corners on a line")
            .to_string();
        assert_eq!(
            e,
            "rig.toml:4: corners_px: three of the corners lie on one line"
        );
        let e = Rig::parse(Path::new("rig.toml"), "format = 1\nfoo = 2\n")
            .expect_err("no such field")
            .to_string();
        assert!(e.starts_with("rig.toml:2: unknown field `foo`"), "{e}");
    }
}
