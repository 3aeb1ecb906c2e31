//! One camera of a rig, as the file has it.

use crate::geometry::{Lens, Point, Pose, Quad};

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
