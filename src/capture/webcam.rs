//! Which cameras are plugged in, and which of a camera's formats to ask for.
//!
//! On Linux the kernel is asked directly (`v4l2`), elsewhere nokhwa is (`portable`): see there.

use std::{cmp::Reverse, path::PathBuf};

#[cfg(not(target_os = "linux"))]
use super::portable as system;
#[cfg(target_os = "linux")]
use super::v4l2 as system;
use super::{
    CameraId, CaptureError, Format,
    live::{Device, Fault, Opener},
    pixels,
};
use crate::rig::{Setting, Settings, Wish};

/// A camera that is plugged in.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraInfo {
    /// The same for the same camera in the same port, whatever its device number.
    pub id: CameraId,
    /// As its maker calls it.
    pub name: String,
    /// `/dev/video0` on Linux, the system's number elsewhere.
    pub device: PathBuf,
    /// What it offers of what can be read here; empty where only opening it would tell (not on
    /// Linux).
    pub formats: Vec<Format>,
}

/// Something that a camera can be set to, in the units of a rig file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    pub setting: Setting,
    pub least: i64,
    pub most: i64,
    /// From one value that it takes to the next.
    pub step: i64,
    /// What it is at.
    pub now: Option<i64>,
    /// Whether the camera sees to it by itself now; `None` where it never does.
    pub by_itself: Option<bool>,
}

impl Control {
    /// The value nearest to this one that the camera takes; `None` beyond all that it takes.
    pub fn nearest(&self, value: i64) -> Option<i64> {
        if !(self.least..=self.most).contains(&value) {
            return None;
        }
        // a driver may say anything of itself
        let [least, most, value] = [self.least, self.most, value].map(i128::from);
        let step = i128::from(self.step.max(1));
        let steps = (value - least + step / 2) / step;
        i64::try_from(least + steps.min((most - least) / step) * step).ok()
    }
}

/// What a camera can be set to; nothing, where it has none of these or the system does not say.
pub fn controls(camera: &CameraId) -> Vec<Control> {
    system::controls(camera)
}

/// Sets a camera, which may be streaming, to these; a sentence for each that it does not take as it was wished.
pub fn set(camera: &CameraId, settings: &Settings) -> Vec<String> {
    system::set(camera, settings)
}

/// Lets a camera, which may be streaming, see to these by itself.
pub fn let_itself(camera: &CameraId, settings: &[Setting]) {
    system::let_itself(camera, settings);
}

/// What a camera is asked for; what it gave stands in [`super::SourceEvent::Opened`].
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub width: u32,
    pub height: u32,
    pub frames_per_second: f64,
    /// Only this kind ("MJPG", "YUYV", …), for cameras that are bad at the one they would get.
    pub fourcc: Option<String>,
    /// Set each time it is opened, and read back.
    pub settings: Settings,
}

impl From<Wish> for Wanted {
    fn from(wish: Wish) -> Self {
        let usual = Self::default();
        let [width, height] = wish.size_px.unwrap_or([usual.width, usual.height]);
        Self {
            width,
            height,
            frames_per_second: wish.frames_per_second.unwrap_or(usual.frames_per_second),
            fourcc: wish.fourcc,
            settings: wish.settings,
        }
    }
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            width: 1920,
            height: 1080,
            frames_per_second: 30.0,
            fourcc: None,
            settings: Settings::default(),
        }
    }
}

/// Every camera that is plugged in, in the system's order.
///
/// # Errors
/// No camera may be opened, or the system cannot be asked.
pub fn list() -> Result<Vec<CameraInfo>, CaptureError> {
    system::list()
}

/// The camera that `spec` means: its [`CameraId`], its device (`/dev/video2`, or a link to it), or its
/// number.
///
/// # Errors
/// It is not there; the sentence lists the cameras that are.
pub fn find(spec: &str) -> Result<CameraInfo, CaptureError> {
    let mut cameras = list()?;
    let device = match spec.parse::<u32>() {
        Ok(number) => system::device(number),
        Err(_) => PathBuf::from(spec),
    };
    let device = device.canonicalize().unwrap_or(device);
    let place = cameras
        .iter()
        .position(|camera| camera.id.0 == spec)
        .or_else(|| cameras.iter().position(|camera| camera.device == device));
    if let Some(place) = place {
        return Ok(cameras.swap_remove(place));
    }
    let there: Vec<_> = cameras
        .iter()
        .map(|camera| format!("{} ({})", camera.id.0, camera.device.display()))
        .collect();
    Err(CaptureError::Camera {
        camera: spec.into(),
        why: match there.is_empty() {
            true => "is not there; no camera is plugged in".into(),
            false => format!("is not there; plugged in: {}", there.join(", ")),
        },
    })
}

/// A camera by its identity, to be opened again and again.
#[derive(Debug, Clone)]
pub(super) struct Webcam {
    pub id: CameraId,
    pub wanted: Wanted,
}

impl Opener for Webcam {
    fn open(&self) -> Result<Box<dyn Device>, Fault> {
        system::open(&self.id, &self.wanted)
    }
}

/// The best of `offered` for `wanted`, or `None` when none can be read.
///
/// The size counts first: the smallest that covers what is wanted, else the largest; sizes that come
/// fewer than five times a second only when there is nothing else. Then the rate: the lowest that
/// suffices, else the highest. Then the kind: at 1280x720 and above MJPG, whose frames fit through
/// USB, and below it the raw kinds, which lose nothing.
pub fn choose<'a>(offered: &'a [Format], wanted: &Wanted) -> Option<&'a Format> {
    const SLOW: f64 = 5.0;
    let millihertz = |rate: f64| (rate * 1000.0).round() as u64;
    let needed = millihertz(wanted.frames_per_second);
    let readable = offered.iter().filter(|format| {
        pixels::KNOWN.contains(&format.fourcc.as_str())
            && wanted
                .fourcc
                .as_ref()
                .is_none_or(|kind| *kind == format.fourcc)
    });
    readable.min_by_key(|format| {
        let area = u64::from(format.width) * u64::from(format.height);
        let covers = format.width >= wanted.width && format.height >= wanted.height;
        // A driver that tells no rate is taken at its word that it has one.
        let rate = match format.frames_per_second > 0.0 {
            true => millihertz(format.frames_per_second),
            false => needed,
        };
        let is_slow = rate < needed.min(millihertz(SLOW));
        let size = if covers {
            (0, area)
        } else {
            (1, u64::MAX - area)
        };
        let speed = if rate >= needed {
            (0, rate)
        } else {
            (1, u64::MAX - rate)
        };
        let raw = ["YUYV", "NV12", "UYVY", "RGB3", "BGR3"];
        let kind = raw.iter().position(|kind| *kind == format.fourcc);
        let kind = match area >= 1280 * 720 {
            true => kind.map_or(0, |place| place + 1),
            false => kind.unwrap_or(raw.len()),
        };
        (is_slow, size, speed, kind, Reverse(area))
    })
}

/// The first part of a [`CameraId`]: the camera's name in small letters and digits.
pub(super) fn slug(name: &str) -> String {
    let words: Vec<_> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("-").to_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn formats(list: &[(&str, u32, u32, f64)]) -> Vec<Format> {
        let format = |&(fourcc, width, height, frames_per_second): &(&str, _, _, _)| Format {
            width,
            height,
            fourcc: fourcc.into(),
            frames_per_second,
        };
        list.iter().map(format).collect()
    }

    fn chosen(
        list: &[(&str, u32, u32, f64)],
        width: u32,
        height: u32,
        frames_per_second: f64,
    ) -> String {
        let offered = formats(list);
        let wanted = Wanted {
            width,
            height,
            frames_per_second,
            fourcc: None,
            settings: Settings::default(),
        };
        let format = choose(&offered, &wanted).unwrap();
        format!(
            "{} {}x{} {}",
            format.fourcc, format.width, format.height, format.frames_per_second
        )
    }

    /// As a common USB 2 webcam offers them.
    const USB: [(&str, u32, u32, f64); 8] = [
        ("YUYV", 640, 480, 30.0),
        ("YUYV", 1280, 720, 10.0),
        ("YUYV", 1920, 1080, 2.5),
        ("MJPG", 640, 480, 30.0),
        ("MJPG", 1280, 720, 60.0),
        ("MJPG", 1280, 720, 30.0),
        ("MJPG", 1920, 1080, 30.0),
        ("H264", 1920, 1080, 30.0),
    ];

    #[test]
    fn high_sizes_come_as_mjpg_and_low_ones_raw() {
        assert_eq!(chosen(&USB, 1920, 1080, 30.0), "MJPG 1920x1080 30");
        assert_eq!(chosen(&USB, 1280, 720, 30.0), "MJPG 1280x720 30");
        assert_eq!(chosen(&USB, 640, 480, 30.0), "YUYV 640x480 30");
    }

    #[test]
    fn the_smallest_size_that_covers_else_the_largest() {
        assert_eq!(chosen(&USB, 1000, 700, 30.0), "MJPG 1280x720 30");
        assert_eq!(chosen(&USB, 3840, 2160, 30.0), "MJPG 1920x1080 30");
    }

    #[test]
    fn the_lowest_rate_that_suffices_else_the_highest() {
        assert_eq!(chosen(&USB, 1280, 720, 45.0), "MJPG 1280x720 60");
        assert_eq!(chosen(&USB, 1280, 720, 90.0), "MJPG 1280x720 60");
        assert_eq!(chosen(&USB[..3], 1280, 720, 30.0), "YUYV 1280x720 10");
    }

    #[test]
    fn a_size_that_hardly_moves_is_the_last_resort() {
        assert_eq!(chosen(&USB[..3], 1920, 1080, 30.0), "YUYV 1280x720 10");
        assert_eq!(chosen(&USB[2..3], 1920, 1080, 30.0), "YUYV 1920x1080 2.5");
        assert_eq!(chosen(&USB[..3], 1920, 1080, 2.0), "YUYV 1920x1080 2.5");
    }

    #[test]
    fn what_cannot_be_read_is_not_chosen() {
        assert_eq!(choose(&formats(&USB[7..]), &Wanted::default()), None);
        assert_eq!(choose(&[], &Wanted::default()), None);
        assert_eq!(
            chosen(&[("NV12", 640, 480, 0.0)], 640, 480, 30.0),
            "NV12 640x480 0"
        );
    }

    #[test]
    fn a_kind_that_is_asked_for_is_the_only_one() {
        let mut wanted = Wanted {
            fourcc: Some("YUYV".into()),
            ..Wanted::default()
        };
        let offered = formats(&USB);
        assert_eq!(choose(&offered, &wanted).unwrap().height, 720);
        wanted.fourcc = Some("NV12".into());
        assert_eq!(choose(&offered, &wanted), None);
    }

    #[test]
    fn a_value_between_two_steps_is_the_nearer_one() {
        let control = Control {
            setting: Setting::Exposure,
            least: 300,
            most: 204_750,
            step: 100,
            now: None,
            by_itself: None,
        };
        for (wish, takes) in [
            (300, Some(300)),
            (8049, Some(8000)),
            (8050, Some(8100)),
            (204_750, Some(204_700)),
            (299, None),
            (204_751, None),
        ] {
            assert_eq!(control.nearest(wish), takes, "{wish}");
        }
        // a driver that says nonsense of itself
        let odd = Control {
            least: i64::MIN,
            most: i64::MAX,
            step: 0,
            ..control
        };
        assert!(odd.nearest(7).is_some());
    }

    #[test]
    fn names_become_words() {
        assert_eq!(slug("HD Pro Webcam C920: (2)"), "hd-pro-webcam-c920-2");
    }
}
