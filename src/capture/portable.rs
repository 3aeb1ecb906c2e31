//! Webcams through nokhwa, on Windows and macOS.
//!
//! nokhwa waits for a frame as long as it takes; [`super::live`] watches it from outside.

use std::{path::PathBuf, sync::Once, time::Instant};

use nokhwa::{
    Camera, NokhwaError,
    utils::{
        ApiBackend, CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType,
    },
};

use super::{
    CameraId, CaptureError, Format,
    live::{Device, Fault, Taken},
    pixels::{self, Layout},
    webcam::{CameraInfo, Control, Wanted, choose, slug},
};
use crate::rig::{Setting, Settings};

/// The kinds that mean the same on every system.
const KINDS: [(FrameFormat, &str); 3] = [
    (FrameFormat::MJPEG, "MJPG"),
    (FrameFormat::YUYV, "YUYV"),
    (FrameFormat::NV12, "NV12"),
];

pub(super) fn list() -> Result<Vec<CameraInfo>, CaptureError> {
    let cameras = query().map_err(|error| CaptureError::Camera {
        camera: "any".into(),
        why: format!("cannot be looked for ({error}): allow this program to use the camera"),
    })?;
    Ok(cameras.into_iter().map(|(camera, _)| camera).collect())
}

pub(super) fn device(number: u32) -> PathBuf {
    number.to_string().into()
}

/// Nothing can be set here yet.
pub(super) fn controls(_: &CameraId) -> Vec<Control> {
    Vec::new()
}

pub(super) fn set(_: &CameraId, _: &Settings) -> Vec<String> {
    Vec::new()
}

pub(super) fn let_itself(_: &CameraId, _: &[Setting]) {}

pub(super) fn open(id: &CameraId, wanted: &Wanted) -> Result<Box<dyn Device>, Fault> {
    let (_, index) = query()
        .map_err(failed)?
        .into_iter()
        .find(|(camera, _)| camera.id == *id)
        .ok_or_else(|| Fault::Gone("it is not plugged in".into()))?;
    let kinds = KINDS.map(|(kind, _)| kind);
    let any = RequestedFormat::with_formats(RequestedFormatType::None, &kinds);
    let mut camera = Camera::new(index, any).map_err(failed)?;
    let offered = camera.compatible_camera_formats().map_err(failed)?;
    let offered: Vec<_> = offered.into_iter().filter_map(format).collect();
    let asked = choose(&offered, wanted)
        .and_then(request)
        .ok_or_else(|| Fault::Failed("it offers no format that can be read here".into()))?;
    let asked = RequestedFormat::with_formats(RequestedFormatType::Exact(asked), &kinds);
    camera.set_camera_requset(asked).map_err(failed)?;
    camera.open_stream().map_err(failed)?;
    let given = format(camera.camera_format())
        .ok_or_else(|| Fault::Failed("it gave a format that cannot be read here".into()))?;
    Ok(Box::new(Stream {
        id: id.clone(),
        camera,
        given,
        count: 0,
    }))
}

/// The system's own identity (a path on Windows, a number for the port on macOS) stands in `misc`.
fn query() -> Result<Vec<(CameraInfo, CameraIndex)>, NokhwaError> {
    static ASKED: Once = Once::new();
    ASKED.call_once(|| nokhwa::nokhwa_initialize(|_| {}));
    let cameras = nokhwa::query(ApiBackend::Auto)?.into_iter();
    Ok(cameras
        .map(|camera| {
            let name = camera.human_name();
            let about = CameraInfo {
                id: CameraId(format!("{}@{}", slug(&name), camera.misc())),
                name,
                device: camera.index().as_string().into(),
                formats: Vec::new(),
            };
            (about, camera.index().clone())
        })
        .collect())
}

fn format(format: CameraFormat) -> Option<Format> {
    let (_, fourcc) = KINDS.iter().find(|(kind, _)| *kind == format.format())?;
    Some(Format {
        width: format.width(),
        height: format.height(),
        fourcc: (*fourcc).into(),
        frames_per_second: format.frame_rate().into(),
    })
}

fn request(format: &Format) -> Option<CameraFormat> {
    let (kind, _) = KINDS.iter().find(|(_, fourcc)| *fourcc == format.fourcc)?;
    let rate = format.frames_per_second.round() as u32;
    Some(CameraFormat::new_from(
        format.width,
        format.height,
        *kind,
        rate,
    ))
}

fn failed(error: NokhwaError) -> Fault {
    Fault::Failed(error.to_string())
}

struct Stream {
    id: CameraId,
    camera: Camera,
    given: Format,
    count: u64,
}

impl Device for Stream {
    fn format(&self) -> &Format {
        &self.given
    }

    fn next(&mut self) -> Result<Taken, Fault> {
        let frame = self.camera.frame().map_err(|error| {
            let is_there =
                query().is_ok_and(|all| all.iter().any(|(camera, _)| camera.id == self.id));
            match is_there {
                true => failed(error),
                false => Fault::Gone("it was unplugged".into()),
            }
        })?;
        let layout = Layout {
            fourcc: &self.given.fourcc,
            width: self.given.width,
            height: self.given.height,
            stride: 0,
        };
        self.count += 1;
        Ok(match pixels::decode(frame.buffer(), layout) {
            Some(picture) => Taken::Picture {
                picture,
                captured: Instant::now(),
                sequence: self.count,
            },
            None => Taken::Broken,
        })
    }
}
