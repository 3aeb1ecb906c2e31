//! One camera of a rig, as the file has it.

use crate::geometry::{Lens, Point, Pose, Quad};

/// Something that a camera can be set to, and that it can see to by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    Exposure,
    Gain,
    Focus,
    WhiteBalance,
}

impl Setting {
    pub const ALL: [Self; 4] = [Self::Exposure, Self::Gain, Self::Focus, Self::WhiteBalance];

    /// Its field in a rig file.
    pub fn field(self) -> &'static str {
        match self {
            Self::Exposure => "exposure_us",
            Self::Gain => "gain",
            Self::Focus => "focus",
            Self::WhiteBalance => "white_balance_k",
        }
    }

    /// The least and the most that a rig file takes.
    pub fn range(self) -> [i64; 2] {
        match self {
            Self::Exposure => [1, 1_000_000],
            Self::Gain | Self::Focus => [i32::MIN.into(), i32::MAX.into()],
            Self::WhiteBalance => [1000, 20_000],
        }
    }
}

/// What a camera is set to when it is opened; what is left out stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// How long each picture is exposed; this turns the camera's own exposure off.
    pub exposure_us: Option<u32>,
    /// In the driver's units.
    pub gain: Option<i32>,
    /// In the driver's units; this turns the camera's own focus off.
    pub focus: Option<i32>,
    /// This turns the camera's own white balance off.
    pub white_balance_k: Option<u32>,
}

impl Settings {
    /// What one of them is set to.
    pub fn get(&self, setting: Setting) -> Option<i64> {
        match setting {
            Setting::Exposure => self.exposure_us.map(i64::from),
            Setting::Gain => self.gain.map(i64::from),
            Setting::Focus => self.focus.map(i64::from),
            Setting::WhiteBalance => self.white_balance_k.map(i64::from),
        }
    }

    /// Sets one of them, or leaves it out; a number that no rig file takes leaves it out, too.
    pub fn set(&mut self, setting: Setting, to: Option<i64>) {
        let [least, most] = setting.range();
        let to = to.filter(|v| (least..=most).contains(v));
        let natural = to.and_then(|v| u32::try_from(v).ok());
        let whole = to.and_then(|v| i32::try_from(v).ok());
        match setting {
            Setting::Exposure => self.exposure_us = natural,
            Setting::Gain => self.gain = whole,
            Setting::Focus => self.focus = whole,
            Setting::WhiteBalance => self.white_balance_k = natural,
        }
    }

    /// These, and of what they leave out those.
    #[must_use]
    pub fn or(mut self, those: &Self) -> Self {
        for one in Setting::ALL {
            self.set(one, self.get(one).or(those.get(one)));
        }
        self
    }
}

/// What a camera is asked for when it is opened.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wish {
    pub size_px: Option<[u32; 2]>,
    pub frames_per_second: Option<f64>,
    /// `MJPG`, `YUYV`, …
    pub fourcc: Option<String>,
    pub settings: Settings,
}

/// A camera of the rig. All pixels are of pictures of the size in `wish`, where that says one.
#[derive(Debug, Clone, Default)]
pub struct Camera {
    /// As `sightline cameras` lists it; any, where left out.
    pub id: Option<String>,
    /// The owner's word for it.
    pub name: Option<String>,
    pub wish: Wish,
    /// A lens, and the size of the pictures that it is for.
    pub lens: Option<(Lens, [u32; 2])>,
    /// Where it stands in the table's frame.
    pub pose: Option<Pose>,
    /// Polygons that are never looked at.
    pub masks: Vec<Vec<Point>>,
    /// Corners of surfaces that a person clicked, by the surface's id.
    pub clicked: Vec<(String, Quad)>,
}

impl Camera {
    /// What people call it.
    pub fn called(&self) -> &str {
        self.name
            .as_deref()
            .or(self.id.as_deref())
            .unwrap_or("the rig's camera")
    }
}
