//! `rig.toml`: read, checked, refused with file, line and field.

use std::{collections::HashSet, path::Path};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::{Camera, CameraInfo, Placed, Rig, Setting, Settings, TrayPlace, Wish};
use crate::{
    copy::{FileError, Source, in_words},
    geometry::{Homography, Laid, Lens, Point, Pose, Quad},
};

/// Only the version, whatever else there is.
#[derive(Debug, Deserialize)]
struct Versioned {
    format: Spanned<u32>,
}

/// The first format: one camera, and trays in its pictures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstFile {
    #[serde(rename = "format")]
    _format: Spanned<u32>,
    camera: Option<String>,
    lens: Option<LensFile>,
    camera_info: Option<Spanned<String>>,
    #[serde(default)]
    trays: Vec<TrayFile>,
}

/// The file as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "rig file")]
pub struct RigFile {
    /// Version of this format; 2. Files of format 1 are read, too.
    #[serde(rename = "format")]
    #[schemars(with = "u32", rename = "format")]
    _format: Spanned<u32>,
    /// One table for each camera.
    #[serde(default)]
    cameras: Vec<CameraFile>,
    /// Where displays and boards of the copy lie in the table's frame.
    #[serde(default)]
    surfaces: Vec<SurfaceFile>,
    /// One table for each rectangle that dice are rolled on.
    #[serde(default)]
    trays: Vec<TrayFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CameraFile {
    /// As `sightline cameras` lists it; each only once.
    #[schemars(with = "String")]
    id: Spanned<String>,
    /// The owner's word for it.
    name: Option<String>,
    /// Width and height of its pictures: it is asked for them, and all its pixels below are of them.
    #[schemars(with = "[u32; 2]")]
    size_px: Spanned<[u32; 2]>,
    /// Pictures a second that it is asked for.
    #[schemars(with = "Option<f64>")]
    frames_per_second: Option<Spanned<f64>>,
    /// The kind of pictures that it is asked for: `MJPG`, `YUYV`, …
    #[schemars(with = "Option<String>")]
    fourcc: Option<Spanned<String>>,
    /// What is set each time it is opened.
    #[serde(default)]
    settings: SettingsFile,
    /// Its lens; estimated from what it sees where left out.
    lens: Option<LensFile>,
    /// The lens as a ROS `camera_info` file, beside this one; in place of `lens`.
    #[schemars(with = "Option<String>")]
    camera_info: Option<Spanned<String>>,
    /// How it stands over the table.
    pose: Option<PoseFile>,
    /// Polygons in its pictures that are never looked at.
    #[serde(default)]
    #[schemars(with = "Vec<Vec<[f64; 2]>>")]
    masks: Vec<Spanned<Vec<[f64; 2]>>>,
    /// Surfaces whose corners a person clicked in its pictures.
    #[serde(default)]
    clicked: Vec<ClickedFile>,
}

/// What is set anew each time the camera is opened; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    /// Time of exposure, 1 to 1000000; its own exposure is turned off.
    #[schemars(with = "Option<u32>")]
    exposure_us: Option<Spanned<u32>>,
    /// In the driver's units.
    gain: Option<i32>,
    /// In the driver's units; its own focus is turned off.
    focus: Option<i32>,
    /// 1000 to 20000; its own white balance is turned off.
    #[schemars(with = "Option<u32>")]
    white_balance_k: Option<Spanned<u32>>,
}

/// A lens as `camera_info` has it, for pictures of one size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LensFile {
    /// Width and height of the pictures it was calibrated with.
    #[schemars(with = "[u32; 2]")]
    size_px: Spanned<[u32; 2]>,
    /// Focal lengths across and down.
    #[schemars(with = "[f64; 2]")]
    focal_px: Spanned<[f64; 2]>,
    /// Where the optical axis meets the picture.
    centre_px: [f64; 2],
    /// k1, k2, p1, p2, k3 as OpenCV counts them; none where left out.
    #[serde(default)]
    distortion: [f64; 5],
    /// Standard error of the focal length, as a part of it; that of a calibration where left out.
    focal_error: Option<f64>,
}

/// How a camera stands in the table's frame.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PoseFile {
    /// Its optical centre: x, y, and the height over the table.
    #[schemars(with = "[f64; 3]")]
    at_mm: Spanned<[f64; 3]>,
    /// The turn that takes the table's x, its y and downwards to the camera's right, down and forward: axis
    /// times angle.
    #[schemars(with = "[f64; 3]")]
    turn_deg: Spanned<[f64; 3]>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClickedFile {
    /// The surface's id in the copy.
    #[schemars(with = "String")]
    surface: Spanned<String>,
    /// Its corners in the picture, from its own upper left, clockwise.
    #[schemars(with = "[[f64; 2]; 4]")]
    corners_px: Spanned<[[f64; 2]; 4]>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SurfaceFile {
    /// Its id in the copy; each only once.
    #[schemars(with = "String")]
    id: Spanned<String>,
    /// Where its upper left corner lies.
    #[schemars(with = "[f64; 2]")]
    at_mm: Spanned<[f64; 2]>,
    /// Of its x axis, clockwise from the table's.
    #[schemars(with = "Option<f64>")]
    turn_deg: Option<Spanned<f64>>,
    /// Of its face over the table; 0 where left out.
    #[schemars(with = "Option<f64>")]
    height_mm: Option<Spanned<f64>>,
    /// Width and height; the copy's where left out.
    #[schemars(with = "Option<[f64; 2]>")]
    size_mm: Option<Spanned<[f64; 2]>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TrayFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    id: Spanned<String>,
    /// Width and height in millimetres.
    #[schemars(with = "[f64; 2]")]
    size_mm: Spanned<[f64; 2]>,
    /// Its corners in a camera's picture: upper left, upper right, lower right, lower left; or `at_mm`.
    #[schemars(with = "Option<[[f64; 2]; 4]>")]
    corners_px: Option<Spanned<[[f64; 2]; 4]>>,
    /// The camera that `corners_px` are of, by its id; may be left out where there is one.
    #[schemars(with = "Option<String>")]
    camera: Option<Spanned<String>>,
    /// Where its upper left corner lies in the table's frame.
    #[schemars(with = "Option<[f64; 2]>")]
    at_mm: Option<Spanned<[f64; 2]>>,
    /// Of its x axis, clockwise from the table's.
    #[schemars(with = "Option<f64>")]
    turn_deg: Option<Spanned<f64>>,
}

pub(super) fn load(path: &Path) -> Result<Rig, FileError> {
    let source = Source::read(path).map_err(|e| FileError::Unreadable {
        path: path.to_owned(),
        why: in_words(&e),
    })?;
    parse(&source, path.parent().unwrap_or(Path::new(".")))
}

pub(super) fn parse(source: &Source, folder: &Path) -> Result<Rig, FileError> {
    let format = source.parse::<Versioned>()?.format;
    match format.get_ref() {
        1 => first(source.parse()?, source, folder),
        2 => second(source.parse()?, source, folder),
        other => {
            let what = format!("format = {other}: this program reads formats 1 and 2");
            Err(source.wrong(&format, what))
        }
    }
}

fn first(file: FirstFile, source: &Source, folder: &Path) -> Result<Rig, FileError> {
    let camera = Camera {
        id: file.camera,
        lens: lens(file.lens, file.camera_info, source, folder)?,
        ..Camera::default()
    };
    let trays = trays(file.trays, &[], source)?;
    Ok(Rig {
        cameras: vec![camera],
        surfaces: Vec::new(),
        trays,
    })
}

fn second(file: RigFile, source: &Source, folder: &Path) -> Result<Rig, FileError> {
    let mut cameras = Vec::new();
    let mut ids = HashSet::new();
    for c in file.cameras {
        if !ids.insert(c.id.get_ref().clone()) {
            let what = format!(
                "id = \"{}\": there are two cameras of that name",
                c.id.get_ref()
            );
            return Err(source.wrong(&c.id, what));
        }
        cameras.push(camera(c, source, folder)?);
    }
    let mut surfaces = Vec::new();
    let mut names = HashSet::new();
    for s in file.surfaces {
        if !names.insert(s.id.get_ref().clone()) {
            let what = format!(
                "id = \"{}\": there are two surfaces of that name",
                s.id.get_ref()
            );
            return Err(source.wrong(&s.id, what));
        }
        let height_mm = within(s.height_mm.as_ref(), "height_mm", -500.0, 500.0, source)?;
        let size_mm = match &s.size_mm {
            Some(size) => Some(sides(size, source)?),
            None => None,
        };
        surfaces.push(Placed {
            id: s.id.into_inner(),
            size_mm,
            laid: Laid {
                at_mm: place(&s.at_mm, source)?,
                turn_deg: within(s.turn_deg.as_ref(), "turn_deg", -360.0, 360.0, source)?,
                height_mm,
            },
        });
    }
    let trays = trays(file.trays, &cameras, source)?;
    Ok(Rig {
        cameras,
        surfaces,
        trays,
    })
}

fn camera(c: CameraFile, source: &Source, folder: &Path) -> Result<Camera, FileError> {
    let [w, h] = size(&c.size_px, source)?;
    if let Some(rate) = &c.frames_per_second
        && !(0.1..=1000.0).contains(rate.get_ref())
    {
        let what = format!(
            "frames_per_second = {}: between 0.1 and 1000",
            rate.get_ref()
        );
        return Err(source.wrong(rate, what));
    }
    if let Some(kind) = &c.fourcc
        && (kind.get_ref().len() != 4 || !kind.get_ref().is_ascii())
    {
        let what = format!(
            "fourcc = \"{}\": four letters, as `sightline cameras --json` lists them",
            kind.get_ref()
        );
        return Err(source.wrong(kind, what));
    }
    let whole = |v: &Option<Spanned<u32>>, of: Setting| match v {
        Some(v) if !(of.range()[0]..=of.range()[1]).contains(&(*v.get_ref()).into()) => {
            let [least, most] = of.range();
            let what = format!(
                "{} = {}: between {least} and {most}",
                of.field(),
                v.get_ref()
            );
            Err(source.wrong(v, what))
        }
        other => Ok(other.as_ref().map(|v| *v.get_ref())),
    };
    let settings = Settings {
        exposure_us: whole(&c.settings.exposure_us, Setting::Exposure)?,
        gain: c.settings.gain,
        focus: c.settings.focus,
        white_balance_k: whole(&c.settings.white_balance_k, Setting::WhiteBalance)?,
    };
    let pose = match &c.pose {
        None => None,
        Some(p) => {
            let at_mm = *p.at_mm.get_ref();
            if at_mm.iter().any(|v| beyond(*v, 20_000.0)) || at_mm[2] <= 0.0 {
                let what = format!(
                    "at_mm = {at_mm:?}: x, y and the height over the table, within 20 m and above it"
                );
                return Err(source.wrong(&p.at_mm, what));
            }
            let turn_deg = *p.turn_deg.get_ref();
            if turn_deg.iter().any(|v| beyond(*v, 360.0)) {
                let what = format!("turn_deg = {turn_deg:?}: three numbers up to 360");
                return Err(source.wrong(&p.turn_deg, what));
            }
            Some(Pose { at_mm, turn_deg })
        }
    };
    let mut masks = Vec::new();
    for mask in &c.masks {
        let far =
            |[x, y]: &[f64; 2]| beyond(*x, 4.0 * f64::from(w)) || beyond(*y, 4.0 * f64::from(h));
        if !(3..=64).contains(&mask.get_ref().len()) || mask.get_ref().iter().any(far) {
            let what = "masks: a mask has 3 to 64 corners, in pixels of the camera's pictures";
            return Err(source.wrong(mask, what.to_owned()));
        }
        masks.push(
            mask.get_ref()
                .iter()
                .map(|&[x, y]| Point::new(x, y))
                .collect(),
        );
    }
    let mut clicked: Vec<(String, Quad)> = Vec::new();
    for k in c.clicked {
        let quad = rectangle(&k.corners_px, source)?;
        if clicked.iter().any(|(id, _)| id == k.surface.get_ref()) {
            let what = format!(
                "surface = \"{}\": clicked twice for one camera",
                k.surface.get_ref()
            );
            return Err(source.wrong(&k.surface, what));
        }
        clicked.push((k.surface.into_inner(), quad));
    }
    Ok(Camera {
        id: Some(c.id.into_inner()),
        name: c.name,
        wish: Wish {
            size_px: Some([w, h]),
            frames_per_second: c.frames_per_second.map(Spanned::into_inner),
            fourcc: c.fourcc.map(Spanned::into_inner),
            settings,
        },
        lens: lens(c.lens, c.camera_info, source, folder)?,
        pose,
        masks,
        clicked,
    })
}

fn size(field: &Spanned<[u32; 2]>, source: &Source) -> Result<[u32; 2], FileError> {
    let [w, h] = *field.get_ref();
    if [w, h].iter().any(|v| !(16..=32_766).contains(v)) {
        let what =
            format!("size_px = [{w}, {h}]: width and height are between 16 and 32766 pixels");
        return Err(source.wrong(field, what));
    }
    Ok([w, h])
}

/// No number, or one that is larger than can be.
fn beyond(v: f64, most: f64) -> bool {
    !v.is_finite() || v.abs() > most
}

fn sides(field: &Spanned<[f64; 2]>, source: &Source) -> Result<[f64; 2], FileError> {
    let [w, h] = *field.get_ref();
    if [w, h].iter().any(|v| !(10.0..=5000.0).contains(v)) {
        let what = format!("size_mm = [{w}, {h}]: sides are between 10 mm and 5 m");
        return Err(source.wrong(field, what));
    }
    Ok([w, h])
}

fn place(field: &Spanned<[f64; 2]>, source: &Source) -> Result<[f64; 2], FileError> {
    let [x, y] = *field.get_ref();
    if [x, y].iter().any(|v| beyond(*v, 20_000.0)) {
        let what = format!("at_mm = [{x}, {y}]: within 20 m of the table's origin");
        return Err(source.wrong(field, what));
    }
    Ok([x, y])
}

fn within(
    field: Option<&Spanned<f64>>,
    name: &str,
    lo: f64,
    hi: f64,
    source: &Source,
) -> Result<f64, FileError> {
    match field {
        None => Ok(0.0),
        Some(v) if (lo..=hi).contains(v.get_ref()) => Ok(*v.get_ref()),
        Some(v) => {
            let what = format!("{name} = {}: between {lo} and {hi}", v.get_ref());
            Err(source.wrong(v, what))
        }
    }
}

fn rectangle(field: &Spanned<[[f64; 2]; 4]>, source: &Source) -> Result<Quad, FileError> {
    let corners = Quad::from_pairs(*field.get_ref());
    let flat = Quad::from_pairs([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    if !corners.is_clockwise() || Homography::between(&corners, &flat).is_none() {
        let what = "corners_px: these are not the four corners of a rectangle as a camera sees it; give upper left, upper right, lower right, lower left";
        return Err(source.wrong(field, what.to_owned()));
    }
    Ok(corners)
}

fn trays(
    files: Vec<TrayFile>,
    cameras: &[Camera],
    source: &Source,
) -> Result<Vec<TrayPlace>, FileError> {
    let mut out = Vec::new();
    let mut ids = HashSet::new();
    for tray in files {
        let size_mm = sides(&tray.size_mm, source)?;
        let in_picture = match &tray.corners_px {
            None => None,
            Some(corners) => {
                let quad = rectangle(corners, source)?;
                let which = match &tray.camera {
                    Some(id) => cameras
                        .iter()
                        .position(|c| [&c.id, &c.name].contains(&&Some(id.get_ref().clone())))
                        .ok_or_else(|| {
                            let what = format!(
                                "camera = \"{}\": the rig has no camera of that name",
                                id.get_ref()
                            );
                            source.wrong(id, what)
                        })?,
                    None if cameras.len() > 1 => {
                        let what = "corners_px: say of which camera's pictures (camera = \"…\")";
                        return Err(source.wrong(corners, what.to_owned()));
                    }
                    None => 0,
                };
                Some((which, quad))
            }
        };
        let laid = match &tray.at_mm {
            None => None,
            Some(at) => Some(Laid {
                at_mm: place(at, source)?,
                turn_deg: within(tray.turn_deg.as_ref(), "turn_deg", -360.0, 360.0, source)?,
                height_mm: 0.0,
            }),
        };
        match (&in_picture, &laid) {
            (None, None) => {
                let what = format!(
                    "id = \"{}\": a tray lies somewhere: give corners_px, or at_mm on the table",
                    tray.id.get_ref()
                );
                return Err(source.wrong(&tray.id, what));
            }
            (Some(_), Some(_)) => {
                let what = format!(
                    "id = \"{}\": corners_px and at_mm say the same in two ways; one is enough",
                    tray.id.get_ref()
                );
                return Err(source.wrong(&tray.id, what));
            }
            _ => {}
        }
        if !ids.insert(tray.id.get_ref().clone()) {
            let what = format!(
                "id = \"{}\": there are two trays of that name",
                tray.id.get_ref()
            );
            return Err(source.wrong(&tray.id, what));
        }
        out.push(TrayPlace {
            id: tray.id.into_inner(),
            size_mm,
            in_picture,
            laid,
        });
    }
    Ok(out)
}

fn lens(
    own: Option<LensFile>,
    info: Option<Spanned<String>>,
    source: &Source,
    folder: &Path,
) -> Result<Option<(Lens, [u32; 2])>, FileError> {
    match (own, info) {
        (Some(_), Some(info)) => {
            let what = "camera_info: there is a lens, too; one of the two is enough".to_owned();
            Err(source.wrong(&info, what))
        }
        (None, Some(info)) => {
            let read = CameraInfo::load(&folder.join(info.get_ref()))
                .map_err(|why| source.wrong(&info, format!("camera_info: {why}")))?;
            Ok(Some((read.lens, read.size_px)))
        }
        (Some(l), None) => {
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
                focal_error: l
                    .focal_error
                    .map_or(super::FOCAL_ERROR, |e| e.clamp(0.0, 0.5)),
            };
            Ok(Some((lens, size(&l.size_px, source)?)))
        }
        (None, None) => Ok(None),
    }
}
