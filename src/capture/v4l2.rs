//! Webcams on Linux, straight from the kernel.
//!
//! nokhwa reads the same devices, but waits for ever on a stalled one, hands out stale bytes behind an
//! MJPG frame, and cannot open a camera at a rate such as 12.5 (nokhwa 0.10.11).

use std::{
    fs, io,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::time::{ClockId, clock_gettime};
use v4l::{
    FourCC, Fraction,
    buffer::{Flags, Metadata, Type},
    capability,
    device::Handle,
    frameinterval::FrameIntervalEnum,
    framesize::FrameSizeEnum,
    io::{
        mmap::Stream,
        traits::{CaptureStream, Stream as _},
    },
    video::{Capture, capture::Parameters},
};

use super::{
    CameraId, CaptureError, Format, controls,
    live::{Device, Fault, Taken},
    pixels::{self, Layout},
    webcam::{CameraInfo, Control, Wanted, choose, slug},
};
use crate::rig::{Setting, Settings};

const BUFFERS: u32 = 4;
const WAIT_MS: i32 = 200;
const POLLIN: i16 = 1;
const ENODEV: i32 = 19;
const EBUSY: i32 = 16;
const ENOSPC: i32 = 28;

/// A video device that could be opened; not all of them give pictures.
struct Node {
    id: CameraId,
    name: String,
    path: PathBuf,
    device: v4l::Device,
    gives_pictures: bool,
}

pub(super) fn list() -> Result<Vec<CameraInfo>, CaptureError> {
    let mut denied = None;
    let mut cameras = Vec::new();
    for path in paths() {
        match node(&path) {
            Ok(node) if node.gives_pictures => cameras.push(CameraInfo {
                formats: offered(&node.device),
                id: node.id,
                name: node.name,
                device: node.path,
            }),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => denied = Some(path),
            _ => {}
        }
    }
    match denied {
        Some(path) if cameras.is_empty() => Err(CaptureError::Camera {
            camera: path.display().to_string(),
            why: "may not be opened: join the group 'video' and log in anew".into(),
        }),
        _ => Ok(cameras),
    }
}

pub(super) fn device(number: u32) -> PathBuf {
    format!("/dev/video{number}").into()
}

fn named(id: &CameraId) -> Option<Node> {
    let nodes = paths().into_iter().filter_map(|path| node(&path).ok());
    nodes.into_iter().find(|node| node.id == *id)
}

/// What a camera that is plugged in can be set to; it may be streaming meanwhile, as for the next two.
pub(super) fn controls(id: &CameraId) -> Vec<Control> {
    named(id).map_or_else(Vec::new, |node| controls::all(&node.device))
}

pub(super) fn set(id: &CameraId, settings: &Settings) -> Vec<String> {
    named(id).map_or_else(Vec::new, |node| {
        controls::apply(&node.device, &id.0, settings)
    })
}

pub(super) fn let_itself(id: &CameraId, settings: &[Setting]) {
    if let Some(node) = named(id) {
        controls::let_itself(&node.device, settings);
    }
}

pub(super) fn open(id: &CameraId, wanted: &Wanted) -> Result<Box<dyn Device>, Fault> {
    let node = named(id).ok_or_else(|| Fault::Gone("it is not plugged in".into()))?;
    if !node.gives_pictures {
        return Err(Fault::Failed("it is there but gives no pictures".into()));
    }
    let mut camera = Camera::start(&node.device, wanted)?;
    // most drivers take settings only while the camera streams
    camera.notes = controls::apply(&node.device, &id.0, &wanted.settings);
    Ok(Box::new(camera))
}

/// Every `/dev/video` device by its number, as nokhwa lists them. Its listing panics where a udev rule
/// has made a link such as `/dev/video-cam`; the kernel's own list serves then.
fn paths() -> Vec<PathBuf> {
    let names = |folder: &str| -> Vec<String> {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| Some(name.strip_prefix("video")?.to_owned()))
            .collect()
    };
    let plain = names("/dev").iter().all(|n| n.parse::<u32>().is_ok());
    let listed = plain
        .then(|| nokhwa::query(nokhwa::utils::ApiBackend::Video4Linux).ok())
        .flatten();
    let mut numbers: Vec<u32> = match listed {
        Some(cameras) => cameras
            .iter()
            .filter_map(|camera| camera.index().as_index().ok())
            .collect(),
        None => names("/sys/class/video4linux")
            .iter()
            .filter_map(|n| n.parse().ok())
            .collect(),
    };
    numbers.sort_unstable();
    numbers.into_iter().map(device).collect()
}

/// Cameras are told apart by their name, by the port they are plugged into, and by their place among
/// the devices of one piece of hardware.
fn node(path: &Path) -> io::Result<Node> {
    let device = v4l::Device::with_path(path)?;
    // The crate panics on a name that is not UTF-8, which a long one becomes where it is cut off.
    let about = panic::catch_unwind(AssertUnwindSafe(|| device.query_caps()))
        .map_err(|_| io::Error::other("its name cannot be read"))??;
    let index = path
        .file_name()
        .map(|name| Path::new("/sys/class/video4linux").join(name).join("index"))
        .and_then(|file| fs::read_to_string(file).ok())
        .and_then(|text| text.trim().parse::<u32>().ok())
        .unwrap_or(0);
    let place = if index > 0 {
        format!("#{index}")
    } else {
        String::new()
    };
    let flags = about.capabilities;
    Ok(Node {
        id: CameraId(format!("{}@{}{place}", slug(&about.card), about.bus)),
        gives_pictures: flags.contains(capability::Flags::VIDEO_CAPTURE)
            && flags.contains(capability::Flags::STREAMING),
        name: about.card,
        path: path.to_owned(),
        device,
    })
}

/// What the driver lists of what can be read here; ranges are tried at usual sizes and rates.
fn offered(device: &v4l::Device) -> Vec<Format> {
    const SIZES: [(u32, u32); 9] = [
        (320, 240),
        (640, 360),
        (640, 480),
        (800, 600),
        (1280, 720),
        (1280, 960),
        (1920, 1080),
        (2560, 1440),
        (3840, 2160),
    ];
    const RATES: [f64; 7] = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 60.0];
    let mut formats = Vec::new();
    for kind in device.enum_formats().unwrap_or_default() {
        if !pixels::KNOWN.contains(&name(kind.fourcc).as_str()) {
            continue;
        }
        let mut sizes = Vec::new();
        for size in device.enum_framesizes(kind.fourcc).unwrap_or_default() {
            match size.size {
                FrameSizeEnum::Discrete(size) => sizes.push((size.width, size.height)),
                FrameSizeEnum::Stepwise(range) => {
                    sizes.extend(SIZES.iter().filter(|(width, height)| {
                        (range.min_width..=range.max_width).contains(width)
                            && (range.min_height..=range.max_height).contains(height)
                    }));
                    sizes.push((range.max_width, range.max_height));
                }
            }
        }
        if sizes.is_empty() {
            sizes.extend(device.format().map(|format| (format.width, format.height)));
        }
        for (width, height) in sizes {
            let mut rates = Vec::new();
            for interval in device
                .enum_frameintervals(kind.fourcc, width, height)
                .unwrap_or_default()
            {
                match interval.interval {
                    FrameIntervalEnum::Discrete(interval) => rates.push(rate(interval)),
                    FrameIntervalEnum::Stepwise(range) => {
                        let (low, high) = (rate(range.max), rate(range.min));
                        rates.extend(RATES.iter().filter(|rate| (low..high).contains(rate)));
                        rates.push(high);
                    }
                }
            }
            if rates.is_empty() {
                rates.push(0.0);
            }
            formats.extend(rates.into_iter().map(|frames_per_second| Format {
                width,
                height,
                fourcc: name(kind.fourcc),
                frames_per_second,
            }));
        }
    }
    formats
}

fn name(fourcc: FourCC) -> String {
    String::from_utf8_lossy(&fourcc.repr).trim_end().into()
}

/// Pictures a second; 0 when the driver does not tell.
fn rate(interval: Fraction) -> f64 {
    match interval.numerator {
        0 => 0.0,
        numerator => f64::from(interval.denominator) / f64::from(numerator),
    }
}

/// A camera that streams.
struct Camera {
    stream: Stream<'static>,
    handle: Arc<Handle>,
    format: Format,
    stride: u32,
    notes: Vec<String>,
}

impl Camera {
    fn start(device: &v4l::Device, wanted: &Wanted) -> Result<Self, Fault> {
        let offered = offered(device);
        let Some(chosen) = choose(&offered, wanted) else {
            let kinds = device.enum_formats().unwrap_or_default();
            let kinds: Vec<_> = kinds.iter().map(|kind| name(kind.fourcc)).collect();
            let why = format!(
                "it offers no format that can be read here, or none as asked for ({})",
                kinds.join(", ")
            );
            return Err(Fault::Failed(why));
        };
        let mut repr = [b' '; 4];
        for (to, from) in repr.iter_mut().zip(chosen.fourcc.bytes()) {
            *to = from;
        }
        let asked = v4l::Format::new(chosen.width, chosen.height, FourCC::new(&repr));
        let given = device.set_format(&asked).map_err(fault)?;
        if !pixels::KNOWN.contains(&name(given.fourcc).as_str()) {
            let why = format!(
                "it gave {} although asked for {}",
                name(given.fourcc),
                chosen.fourcc
            );
            return Err(Fault::Failed(why));
        }
        // Not every driver lets its rate be set; what it runs at is read back.
        if chosen.frames_per_second > 0.0 {
            let interval = Fraction::new(1000, (chosen.frames_per_second * 1000.0).round() as u32);
            let _ = device.set_params(&Parameters::new(interval));
        }
        let frames_per_second = device.params().map_or(0.0, |given| rate(given.interval));

        let mut stream =
            Stream::with_buffers(device, Type::VideoCapture, BUFFERS).map_err(fault)?;
        // `Stream::next` queues buffer 0 by itself at first, and fails for good once it timed out;
        // so it is called only when a frame is waiting.
        for index in 1..32 {
            if CaptureStream::queue(&mut stream, index).is_err() {
                break;
            }
        }
        stream.start().map_err(fault)?;
        Ok(Self {
            handle: stream.handle(),
            stream,
            stride: given.stride,
            notes: Vec::new(),
            format: Format {
                width: given.width,
                height: given.height,
                fourcc: name(given.fourcc),
                frames_per_second,
            },
        })
    }
}

impl Device for Camera {
    fn format(&self) -> &Format {
        &self.format
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn next(&mut self) -> Result<Taken, Fault> {
        match self.handle.poll(POLLIN, WAIT_MS) {
            Ok(0) => return Ok(Taken::Nothing),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Taken::Nothing),
            waiting => waiting.map_err(fault)?,
        };
        // Of several frames that wait only the newest is worth decoding.
        let mut older = BUFFERS - 1;
        loop {
            let (buffer, about) = self.stream.next().map_err(fault)?;
            let captured = captured_at(about);
            if older > 0 && self.handle.poll(POLLIN, 0).is_ok_and(|waiting| waiting > 0) {
                older -= 1;
                continue;
            }
            let used = buffer.get(..about.bytesused as usize).unwrap_or(buffer);
            let layout = Layout {
                fourcc: &self.format.fourcc,
                width: self.format.width,
                height: self.format.height,
                stride: self.stride,
            };
            if about.flags.contains(Flags::ERROR) {
                return Ok(Taken::Broken);
            }
            return Ok(match pixels::decode(used, layout) {
                Some(picture) => Taken::Picture {
                    picture,
                    captured,
                    sequence: about.sequence.into(),
                },
                None => Taken::Broken,
            });
        }
    }
}

/// The driver's time stamp, where it is of the clock that `Instant` reads; else now.
fn captured_at(about: &Metadata) -> Instant {
    let now = Instant::now();
    let stamp = Duration::try_from_secs_f64(
        about.timestamp.sec as f64 + about.timestamp.usec as f64 * 1e-6,
    );
    if about.flags & Flags::TIMESTAMP_MASK != Flags::TIMESTAMP_MONOTONIC {
        return now;
    }
    let clock = clock_gettime(ClockId::Monotonic);
    let clock = Duration::try_from_secs_f64(clock.tv_sec as f64 + clock.tv_nsec as f64 * 1e-9);
    match (clock, stamp) {
        (Ok(clock), Ok(stamp)) => clock
            .checked_sub(stamp)
            .filter(|age| *age < Duration::from_secs(10))
            .and_then(|age| now.checked_sub(age))
            .unwrap_or(now),
        _ => now,
    }
}

fn fault(error: io::Error) -> Fault {
    match error.raw_os_error() {
        Some(ENODEV) => Fault::Gone("it was unplugged".into()),
        // what a USB host answers to a stream that it has no bandwidth left for
        Some(ENOSPC) => Fault::Failed(
            "too many cameras stream on its USB bus: plug it into another port, or set the others to fewer pixels or MJPG".into(),
        ),
        Some(EBUSY) => Fault::Failed("it is in use by another program: close it there".into()),
        _ => Fault::Failed(format!("its driver reports an error ({error})")),
    }
}
