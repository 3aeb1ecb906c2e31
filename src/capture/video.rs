//! A video file, read without loss on the time stamps of its container.

use std::{
    collections::VecDeque,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Once,
    time::Duration,
};

use opencv::{
    core::{self, Mat},
    videoio::{self, VideoCapture, VideoCaptureTrait, VideoCaptureTraitConst},
};

use super::{CameraId, CaptureError, Frame, Next, Picture, Source, pixels};

/// A decoder hands out what it has of a picture whose data end early, and pictures may be stored up to
/// three ahead of their turn: so many at the end of a cut-off file are not to be trusted.
const DOUBTFUL_PICTURES: usize = 4;

/// After so many failed reads in a row the rest of a file cannot be decoded; one alone is a picture that
/// is damaged, with whole ones behind it.
const FAILED_READS: usize = 8;

/// What a container says of its length may be so far off without anything being lost.
const LENGTH_ERROR: Duration = Duration::from_millis(500);

/// A video file (MP4, MOV, MKV, WebM, AVI, MPEG-TS, MPEG-PS, FLV, Ogg) decoded by FFmpeg.
///
/// Every picture comes, in order, as it is stored: a turn written into the file is ignored. A file that
/// ends early gives the pictures that are whole, then one [`Next::Skipped`] that says so, then
/// [`Next::End`].
pub struct Video {
    path: PathBuf,
    camera: CameraId,
    capture: VideoCapture,
    frames_per_second: f64,
    /// How long the container says it is; `None` where it does not say.
    declared: Option<Duration>,
    is_cut: bool,
    /// Decoded and not handed out: one picture, or [`DOUBTFUL_PICTURES`] of a cut-off file.
    ahead: VecDeque<Frame>,
    decoded: u64,
    /// The time of the picture decoded last, and of the one handed out last.
    decoded_at: Option<Duration>,
    given_at: Duration,
    is_drained: bool,
    /// Damaged pictures were left out behind the picture of this time.
    hole_after: Option<Duration>,
    /// What is to be said behind the last picture.
    complaint: Option<CaptureError>,
}

impl Video {
    /// Opens the file and decodes its first picture.
    ///
    /// # Errors
    /// The file is not there, empty, not a video, cut off before its first picture, or in a format that
    /// FFmpeg does not decode.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        quiet();
        let failed = |why: String| CaptureError::file(path, why);
        let is_cut = inspect(path).map_err(failed)?;
        let undecodable = || {
            failed(if is_cut {
                "ends before its first picture or its index: copy or record it anew".into()
            } else {
                "is a video that cannot be decoded: convert it to H.264 in an MP4 file".into()
            })
        };
        // An absolute path, so that FFmpeg takes no file name for a network address.
        let absolute = path.canonicalize().map_err(|error| {
            failed(format!(
                "cannot be read ({})",
                crate::copy::in_words(&error)
            ))
        })?;
        let capture = VideoCapture::from_file(&absolute, videoio::CAP_FFMPEG)
            .ok()
            .filter(|capture| capture.is_opened().unwrap_or(false))
            .ok_or_else(undecodable)?;
        let mut video = Self {
            path: path.to_owned(),
            camera: CameraId(
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into(),
            ),
            capture,
            frames_per_second: 0.0,
            declared: None,
            is_cut,
            ahead: VecDeque::new(),
            decoded: 0,
            decoded_at: None,
            given_at: Duration::ZERO,
            is_drained: false,
            hole_after: None,
            complaint: None,
        };
        let _ = video.capture.set(videoio::CAP_PROP_ORIENTATION_AUTO, 0.0);
        let (width, height) = (
            video.property(videoio::CAP_PROP_FRAME_WIDTH),
            video.property(videoio::CAP_PROP_FRAME_HEIGHT),
        );
        if width * height > Picture::PIXELS_MAX as f64 {
            return Err(failed(format!(
                "is {width}x{height}, more than {} megapixels: scale it down",
                Picture::PIXELS_MAX / 1_000_000
            )));
        }
        let rate = video.property(videoio::CAP_PROP_FPS);
        video.frames_per_second = if (1e-3..1e4).contains(&rate) {
            rate
        } else {
            25.0
        };
        let count = video.property(videoio::CAP_PROP_FRAME_COUNT);
        video.declared = (count > 0.0)
            .then(|| Duration::try_from_secs_f64(count / video.frames_per_second).ok())
            .flatten();
        match video.decode() {
            Some(frame) => video.ahead.push_back(frame),
            None => return Err(undecodable()),
        }
        Ok(video)
    }

    /// What the container says of itself; 0 where it does not say.
    fn property(&self, property: i32) -> f64 {
        let value = self.capture.get(property).unwrap_or(0.0);
        if value.is_finite() {
            value.max(0.0)
        } else {
            0.0
        }
    }

    /// The next picture in order, past damaged ones; `None` at the end of what can be decoded.
    fn decode(&mut self) -> Option<Frame> {
        let mut bgr = Mat::default();
        let failed =
            (0..FAILED_READS).position(|_| self.capture.read(&mut bgr).unwrap_or(false))?;
        if failed > 0 && !self.is_cut {
            self.hole_after = Some(self.decoded_at.unwrap_or_default());
        }
        let picture = pixels::from_bgr(&bgr)?;
        let stamp =
            Duration::try_from_secs_f64(self.property(videoio::CAP_PROP_POS_MSEC) / 1e3).ok();
        let at = match (self.decoded_at, stamp) {
            (None, stamp) => stamp.unwrap_or_default(),
            (Some(last), Some(stamp)) if stamp > last => stamp,
            // Raw streams have no time stamps: go on at the average rate.
            (Some(last), _) => {
                last.saturating_add(Duration::from_secs_f64(1.0 / self.frames_per_second))
            }
        };
        let sequence = self.decoded;
        self.decoded += 1;
        self.decoded_at = Some(at);
        Some(Frame {
            picture,
            at,
            captured: None,
            sequence,
            camera: self.camera.clone(),
            file: None,
        })
    }

    /// When decoding ended: leaves the pictures that are whole, and says what is missing.
    fn drain(&mut self) -> Option<CaptureError> {
        self.is_drained = true;
        if self.is_cut {
            // A very short video keeps its first picture where others follow it.
            let is_first_among_them = self.decoded == self.ahead.len() as u64;
            let is_first_whole = is_first_among_them && self.decoded > 1;
            self.ahead.truncate(usize::from(is_first_whole));
        }
        let last = self.ahead.back().map_or(self.given_at, |frame| frame.at);
        let end = last.as_secs_f64();
        let of = self
            .declared
            .map(|declared| format!(" of {:.2} s", declared.as_secs_f64()))
            .unwrap_or_default();
        let damaged = self.declared.is_some_and(|declared| {
            let error = LENGTH_ERROR.max(Duration::from_secs_f64(4.0 / self.frames_per_second));
            last + error < declared
        });
        if self.is_cut {
            let why = format!("ends early, at {end:.2} s{of}: copy it anew if the rest is needed");
            return Some(CaptureError::file(&self.path, why));
        }
        damaged.then(|| {
            let why = format!("cannot be decoded after {end:.2} s{of}: it may be damaged");
            CaptureError::file(&self.path, why)
        })
    }
}

impl Source for Video {
    fn camera(&self) -> &CameraId {
        &self.camera
    }

    fn is_live(&self) -> bool {
        false
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        let hold = if self.is_cut { DOUBTFUL_PICTURES } else { 0 };
        while !self.is_drained && self.ahead.len() <= hold {
            match self.decode() {
                Some(frame) => self.ahead.push_back(frame),
                None => self.complaint = self.drain(),
            }
        }
        if let Some(after) = self
            .hole_after
            .filter(|at| *at <= self.given_at && self.decoded > 1)
        {
            self.hole_after = None;
            let why = format!(
                "holds damaged pictures after {:.2} s: they are left out",
                after.as_secs_f64()
            );
            return Ok(Next::Skipped(CaptureError::file(&self.path, why)));
        }
        if let Some(frame) = self.ahead.pop_front() {
            self.given_at = frame.at;
            return Ok(Next::Frame(frame));
        }
        Ok(self.complaint.take().map_or(Next::End, Next::Skipped))
    }
}

/// Keeps OpenCV from writing to standard error by itself: what goes wrong is said once, by us.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = core::set_log_level(core::LogLevel::LOG_LEVEL_SILENT);
    });
}

/// Reads a file's outermost structure: an error when it is no video container, `true` when the file ends
/// before the container does.
///
/// FFmpeg alone would play text files, playlists that lead elsewhere and single pictures, and says
/// nothing when a file is cut off.
fn inspect(path: &Path) -> Result<bool, String> {
    let unreadable = |error| format!("cannot be read: {}", crate::copy::in_words(&error));
    let about = path.metadata().map_err(unreadable)?;
    // a pipe would keep who opens it waiting
    if !about.is_file() {
        return Err("is not a file: name a video file".into());
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let length = about.len();
    if length == 0 {
        return Err("is empty (0 bytes): record or copy it anew".into());
    }
    let mut start = [0; 12];
    let _ = file.read(&mut start).map_err(unreadable)?;
    match start {
        [0x1A, 0x45, 0xDF, 0xA3, ..] => Ok(ebml_is_cut(&mut file, length).unwrap_or(true)),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', b' '] => {
            Ok(boxes_are_cut(length, |at| {
                let [_, _, _, _, size @ ..] = read_at::<8>(&mut file, at)?;
                let size = u64::from(u32::from_le_bytes(size));
                Some(8 + size + size % 2)
            }))
        }
        [_, _, _, _, b'f', b't', b'y', b'p', ..]
        | [_, _, _, _, b'm', b'o', b'o', b'v' | b'f', ..]
        | [_, _, _, _, b'm', b'd', b'a', b't', ..]
        | [_, _, _, _, b'f', b'r', b'e', b'e', ..]
        | [_, _, _, _, b's', b'k', b'i', b'p', ..]
        | [_, _, _, _, b'w', b'i', b'd', b'e', ..] => Ok(boxes_are_cut(length, |at| {
            let [size @ .., _, _, _, _] = read_at::<8>(&mut file, at)?;
            let size = match u32::from_be_bytes(size) {
                0 => return Some(length - at),
                1 => read_at(&mut file, at + 8).map(u64::from_be_bytes)?,
                size => size.into(),
            };
            (size >= 8).then_some(size)
        })),
        [0x47, ..] if matches!(read_at(&mut file, 188), Some([0x47])) => Ok(length % 188 != 0),
        [_, _, _, _, 0x47, ..] if matches!(read_at(&mut file, 196), Some([0x47])) => {
            Ok(length % 192 != 0)
        }
        [0, 0, 1, 0xBA, ..] => Ok(boxes_are_cut(length, |at| {
            // what is no packet is not judged
            Some(packet_length(&mut file, at).unwrap_or(length - at))
        })),
        [b'F', b'L', b'V', ..] | [b'O', b'g', b'g', b'S', ..] => Ok(false),
        _ => Err(
            "is not a video (MP4, MOV, MKV, WebM, AVI, …): name a video file, or convert it".into(),
        ),
    }
}

fn read_at<const N: usize>(file: &mut File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Walks boxes of `size_at(place)` bytes, header included; whether the last one is cut off.
fn boxes_are_cut(length: u64, mut size_at: impl FnMut(u64) -> Option<u64>) -> bool {
    let mut at = 0;
    while at < length {
        match size_at(at) {
            Some(size @ 1..) => at = at.saturating_add(size),
            _ => return true,
        }
    }
    at > length
}

/// MPEG-PS: the end code, a pack header, of MPEG-2 (with stuffing) or of MPEG-1, or a packet that says its
/// length (ISO 13818-1, 2.5.3; ISO 11172-1, 2.4.3). `None`: something else.
fn packet_length(file: &mut File, at: u64) -> Option<u64> {
    let [0, 0, 1, code] = read_at(file, at)? else {
        return None;
    };
    // what the file is too short to say is in what it lacks
    let said = read_at::<2>(file, at + 4).unwrap_or_default();
    match code {
        0xB9 => Some(4),
        0xBA if said[0] >> 6 == 1 => {
            let [stuffing] = read_at(file, at + 13).unwrap_or_default();
            Some(14 + u64::from(stuffing & 7))
        }
        0xBA => Some(12),
        0xBB.. => Some(6 + u64::from(u16::from_be_bytes(said))),
        _ => None,
    }
}

/// Matroska: an EBML header, then one segment (RFC 8794). A segment of unknown length is a recording
/// that was never finished; it is not called cut off.
fn ebml_is_cut(file: &mut File, length: u64) -> Option<bool> {
    let (header_length, header_start) = ebml_length(file, 4)?;
    let segment = header_start + header_length?;
    let (segment_length, segment_start) = ebml_length(file, segment + 4)?;
    Some(segment_length.is_some_and(|size| segment_start.saturating_add(size) > length))
}

/// The length that stands at `at` (`None` inside: unknown) and the place behind it.
fn ebml_length(file: &mut File, at: u64) -> Option<(Option<u64>, u64)> {
    let [first] = read_at(file, at)?;
    let bytes = u64::from(first.leading_zeros()) + 1;
    let mut value = u64::from(first) & (0x7F >> (bytes - 1).min(7));
    if bytes > 8 {
        return None;
    }
    for place in 1..bytes {
        let [byte] = read_at(file, at + place)?;
        value = value << 8 | u64::from(byte);
    }
    let unknown = value == (1 << (7 * bytes)) - 1;
    Some(((!unknown).then_some(value), at + bytes))
}
