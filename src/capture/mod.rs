//! Where pictures come from: webcams, video files, picture folders.
//!
//! One [`Source`] a kind of input. Recordings are pulled frame by frame, without loss, on their own
//! clock. Live sources run in a reader thread of their own ([`live`]) and meet the rest of the
//! program at a one-place mailbox that keeps the newest frame.

#[cfg(any(feature = "camera", feature = "vision"))]
mod coded;
#[cfg(all(feature = "camera", target_os = "linux"))]
mod controls;
#[cfg(any(feature = "camera", feature = "vision"))]
pub mod folder;
#[cfg(any(feature = "camera", feature = "vision"))]
mod jpeg;
#[cfg(feature = "camera")]
pub mod live;
pub mod paced;
#[cfg(feature = "camera")]
mod pixels;
// Compiled, but not used, on Linux too, so that it is checked where it cannot be run.
#[cfg(feature = "camera")]
#[cfg_attr(target_os = "linux", allow(dead_code))]
mod portable;
pub mod several;
#[cfg(any(feature = "camera", feature = "vision"))]
pub mod still;
#[cfg(all(feature = "camera", target_os = "linux"))]
mod v4l2;
#[cfg(feature = "camera")]
pub mod video;
#[cfg(feature = "camera")]
pub mod webcam;

use std::{
    fmt,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// Pixels: 8-bit RGB, row by row from the top left, no padding. An integer pixel coordinate is the
/// pixel's centre.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgb: Arc<Vec<u8>>,
}

impl Picture {
    /// No picture is larger than this (width times height).
    pub const PIXELS_MAX: u64 = 64_000_000;

    /// `rgb` must hold `width * height * 3` bytes; `None` when it does not. A `Vec` is taken over
    /// without copying.
    pub fn from_rgb(width: u32, height: u32, rgb: impl Into<Vec<u8>>) -> Option<Self> {
        let rgb = rgb.into();
        let expected = (width as usize)
            .checked_mul(height as usize)?
            .checked_mul(3)?;
        (rgb.len() == expected && expected > 0).then_some(Self {
            width,
            height,
            rgb: Arc::new(rgb),
        })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

/// What a person or a rig file calls a camera by. It stays the same when the camera is plugged into
/// the same port again, whatever `/dev/video` number it gets.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CameraId(pub String);

/// One picture with its time and its camera.
#[derive(Debug, Clone)]
pub struct Frame {
    pub picture: Picture,
    /// Time on the source's own clock: the recording's time stamp, or time since a live source began.
    pub at: Duration,
    /// When a live frame was captured, on this machine's monotonic clock; `None` for recordings.
    pub captured: Option<Instant>,
    /// Counts frames of this source, also those nobody looked at.
    pub sequence: u64,
    pub camera: CameraId,
    /// The file a picture was read from, for folders.
    pub file: Option<PathBuf>,
}

/// What a source has to say when asked for the next thing.
#[derive(Debug)]
pub enum Next {
    Frame(Frame),
    /// Something happened to the source itself.
    Event(SourceEvent),
    /// One file of several could not be read; the others still come.
    Skipped(CaptureError),
    /// A live source has nothing new yet (asked again, it may).
    Pending,
    /// A recording is over.
    End,
}

/// What a source goes through. A camera that is gone or stalled is an event, never an error that ends
/// the program.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceEvent {
    /// Frames come (again), in the format that the driver really gave.
    Opened(Format),
    /// The device vanished.
    Lost { why: String },
    /// The device is there but no frame came for `silent`; `why` is what its driver said, if it said something.
    Stalled {
        silent: Duration,
        why: Option<String>,
    },
}

/// What the driver really gave, read back after asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Format {
    pub width: u32,
    pub height: u32,
    pub fourcc: String,
    pub frames_per_second: f64,
}

/// From one frame of a live source to the next while nothing moves.
#[cfg_attr(not(feature = "camera"), allow(dead_code))]
const RESTING: Duration = Duration::from_millis(125);

/// A kind of input. `next` blocks for at most about a quarter of a second.
pub trait Source: Send {
    fn camera(&self) -> &CameraId;
    /// Live sources drop what nobody takes in time; recordings never do.
    fn is_live(&self) -> bool;
    fn next(&mut self) -> Result<Next, CaptureError>;
    /// The same, waiting so long at most. Recordings never wait.
    fn poll(&mut self, _wait: Duration) -> Result<Next, CaptureError> {
        self.next()
    }
    /// How many cameras it is.
    fn cameras(&self) -> usize {
        1
    }
    /// Says that nothing moves, or that something does: a live source that rests decodes at most eight frames a
    /// second. Recordings give all they have.
    fn rest(&mut self, _resting: bool) {}
    /// What was converted on the way since last asked, one sentence each.
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// One sentence each, with the file or the camera it is about and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: String },
    #[error("camera '{camera}' {why}")]
    Camera { camera: String, why: String },
}

#[cfg(any(feature = "camera", feature = "vision"))]
impl CaptureError {
    /// `why` reads on after the file's name.
    fn file(path: &std::path::Path, why: impl Into<String>) -> Self {
        Self::File {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}
