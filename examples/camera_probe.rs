//! Looks at cameras: `list` names them, `check` is what `tests/vm/run` runs inside its machine.
//!
//! `check` needs the kernel's `vivid` driver (two cameras with colour bars that can be unplugged) and
//! v4l2loopback at `/dev/video10` (a camera whose frames this program writes itself).

fn main() -> std::process::ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => list(),
        #[cfg(target_os = "linux")]
        ["check"] => check::all(),
        #[cfg(target_os = "linux")]
        ["feed", device] => check::feed(device),
        _ => {
            eprintln!("usage: camera_probe list|check");
            std::process::ExitCode::from(2)
        }
    }
}

fn list() -> std::process::ExitCode {
    match sightline::capture::webcam::list() {
        Ok(cameras) => {
            for camera in cameras {
                println!(
                    "{} {} {}",
                    camera.id.0,
                    camera.device.display(),
                    camera.name
                );
                for format in camera.formats {
                    println!("  {format:?}");
                }
            }
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

#[cfg(target_os = "linux")]
mod check {
    use std::{
        fs,
        process::{Child, Command, ExitCode},
        thread::sleep,
        time::{Duration, Instant},
    };

    use image::{ImageBuffer, ImageFormat, Rgb};
    use sightline::capture::{
        Format, Frame, Next, Picture, Source, SourceEvent,
        live::Live,
        webcam::{self, Wanted},
    };
    use sightline::rig::{Setting, Settings};
    use v4l::{
        FourCC,
        buffer::Type,
        io::{mmap::Stream, traits::OutputStream},
        video::Output,
    };

    type Outcome = Result<String, String>;
    type Check = fn() -> Outcome;

    const LEFT: &str = "vivid@platform:vivid-000";
    const RIGHT: &str = "vivid@platform:vivid-001";
    const LOOP: &str = "/dev/video10";
    const LOOP_ID: &str = "loop-mjpg@platform:v4l2loopback-000";
    const LOOP_SIZE: (u32, u32) = (320, 240);
    const LIMIT: Duration = Duration::from_secs(2);
    /// How long the slow machine may take for anything else.
    const AT_MOST: Duration = Duration::from_secs(20);

    /// SMPTE-like bars at 75 %, as vivid draws them from left to right.
    const BARS: [[u8; 3]; 8] = [
        [191, 191, 191],
        [191, 191, 0],
        [0, 191, 191],
        [0, 191, 0],
        [191, 0, 191],
        [191, 0, 0],
        [0, 0, 191],
        [0, 0, 0],
    ];
    const FIELDS: [[u8; 3]; 4] = [[220, 40, 30], [30, 160, 60], [40, 60, 200], [240, 230, 60]];

    pub fn all() -> ExitCode {
        let checks: [(&str, Check); 9] = [
            ("cameras that look alike are told apart", identities),
            (
                "a missing camera is an error that names the others",
                missing,
            ),
            ("YUYV colour bars arrive right", yuyv),
            ("colour bars of other kinds arrive right", other_kinds),
            ("the format is asked for and read back", formats),
            ("MJPG frames arrive right", mjpg),
            ("what it came to by itself is held", held),
            ("unplugged and plugged in ten times", replugged),
            ("a stall is seen and its end too", stalled),
        ];
        let mut failed = 0;
        for (name, check) in &checks {
            match check() {
                Ok(measured) => println!("ok {name}: {measured}"),
                Err(why) => {
                    failed += 1;
                    println!("FAIL {name}: {why}");
                }
            }
        }
        println!("{} passed, {failed} failed", checks.len() - failed);
        ExitCode::from(u8::from(failed > 0))
    }

    fn identities() -> Outcome {
        let cameras = webcam::list().map_err(|error| error.to_string())?;
        let ids: Vec<_> = cameras.iter().map(|camera| camera.id.0.as_str()).collect();
        let formats: Vec<_> = cameras.iter().map(|camera| camera.formats.len()).collect();
        let told = format!("{ids:?} with {formats:?} formats");
        demand(
            ids == [LEFT, RIGHT] && formats.iter().all(|&count| count > 5),
            told,
        )
    }

    fn missing() -> Outcome {
        let error = Live::open("webcam@usb-7", &Wanted::default()).err();
        let error = error.ok_or("it opened")?.to_string();
        let named = error.contains("is not there") && error.contains(LEFT) && error.contains(RIGHT);
        demand(named, error)
    }

    fn yuyv() -> Outcome {
        let (mut live, format) = open(LEFT, 640, 360, 30.0)?;
        let mut ages = Vec::new();
        let mut worst = 0;
        let begin = Instant::now();
        let mut sequences = Vec::new();
        while ages.len() < 30 {
            let frame = frame(&mut live)?;
            ages.push(
                frame
                    .captured
                    .map_or(AT_MOST, |captured| captured.elapsed()),
            );
            worst = worst.max(bars_error(&frame.picture));
            sequences.push(frame.sequence);
        }
        ages.sort();
        let told = format!(
            "{} {}x{}, worst bar off by {worst} of 255, 30 frames in {} ms, age when taken {} ms (median), {} ms (most)",
            format.fourcc,
            format.width,
            format.height,
            begin.elapsed().as_millis(),
            ages[15].as_millis(),
            ages[29].as_millis(),
        );
        let in_order = sequences.windows(2).all(|pair| pair[0] < pair[1]);
        demand(in_order && format.fourcc == "YUYV" && worst <= 12, told)
    }

    fn other_kinds() -> Outcome {
        let mut told = Vec::new();
        for kind in ["NV12", "UYVY", "RGB3", "BGR3"] {
            let wanted = Wanted {
                fourcc: Some(kind.into()),
                ..wanted(640, 360, 15.0)
            };
            let (mut live, format) = open_as(LEFT, &wanted)?;
            let worst = bars_error(&frame(&mut live)?.picture);
            told.push(format!("{} worst bar off by {worst}", format.fourcc));
            if format.fourcc != kind || worst > 12 {
                return Err(told.join(", "));
            }
        }
        Ok(told.join(", "))
    }

    fn formats() -> Outcome {
        let mut told = Vec::new();
        for (asked, given) in [
            ((320, 180, 10.0), (320, 180, 10.0)),
            ((330, 190, 15.0), (640, 360, 15.0)),
            ((640, 480, 1000.0), (640, 480, 25.0)),
        ] {
            let (mut live, format) = open(RIGHT, asked.0, asked.1, asked.2)?;
            let picture = frame(&mut live)?.picture;
            let got = (format.width, format.height, format.frames_per_second);
            told.push(format!("asked {asked:?}, given {got:?}"));
            if got != given || (picture.width(), picture.height()) != (given.0, given.1) {
                return Err(format!("{}, not {given:?}", told.join("; ")));
            }
        }
        Ok(told.join("; "))
    }

    fn mjpg() -> Outcome {
        let _writer = Writer::start()?;
        let (mut live, format) = open(LOOP, LOOP_SIZE.0, LOOP_SIZE.1, 20.0)?;
        let mut worst = 0;
        for _ in 0..20 {
            worst = worst.max(fields_error(&frame(&mut live)?.picture));
        }
        let told = format!(
            "{} is {} {}x{}, worst field off by {worst} of 255, {} broken",
            live.camera().0,
            format.fourcc,
            format.width,
            format.height,
            live.broken()
        );
        let size = (format.width, format.height);
        demand(
            live.camera().0 == LOOP_ID
                && format.fourcc == "MJPG"
                && size == LOOP_SIZE
                && worst <= 12,
            told,
        )
    }

    /// vivid has a gain that goes up by one each second while it sees to it by itself, and no focus.
    fn held() -> Outcome {
        let (live, _) = open(LEFT, 640, 360, 15.0)?;
        let camera = live.camera().clone();
        let gain = || {
            let all = webcam::controls(&camera);
            let gain = all.into_iter().find(|c| c.setting == Setting::Gain);
            gain.ok_or("it has no gain")
        };
        webcam::let_itself(&camera, &[Setting::Gain]);
        let first = gain()?;
        sleep(Duration::from_millis(2500));
        let later = gain()?;
        let wish = Settings {
            gain: Some(77),
            focus: Some(3),
            ..Settings::default()
        };
        let notes = webcam::set(&camera, &wish);
        let last = gain()?;
        let told = format!(
            "{} to {}, by itself at {:?} and {:?}, by hand at {:?}; {}",
            first.least,
            first.most,
            first.now,
            later.now,
            last.now,
            notes.join("; ")
        );
        demand(
            [first.least, first.most, first.step] == [0, 255, 1]
                && [first.by_itself, last.by_itself] == [Some(true), Some(false)]
                && first.now != later.now
                && last.now == Some(77)
                && notes.len() == 1
                && notes[0].contains("no setting focus"),
            told,
        )
    }

    fn replugged() -> Outcome {
        let (mut live, _) = open(LEFT, 640, 360, 30.0)?;
        let (threads, files) = (entries("/proc/self/task"), entries("/proc/self/fd"));
        let (mut lost_ms, mut back_ms, mut devices) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..10 {
            let device = webcam::find(LEFT)
                .map_err(|error| error.to_string())?
                .device;
            // While somebody holds the old device, the camera comes back as another one.
            let held = (round % 2 == 1).then(|| fs::File::open(&device));
            devices.push(device.display().to_string());
            let begin = Instant::now();
            plug("unbind", "vivid.0")?;
            until(&mut live, |next| {
                matches!(next, Next::Event(SourceEvent::Lost { .. }))
            })?;
            lost_ms.push(begin.elapsed().as_millis());
            let begin = Instant::now();
            plug("bind", "vivid.0")?;
            until(&mut live, |next| {
                matches!(next, Next::Event(SourceEvent::Opened(_)))
            })?;
            for _ in 0..3 {
                let worst = bars_error(&frame(&mut live)?.picture);
                if worst > 12 {
                    return Err(format!("a bar is off by {worst} after round {round}"));
                }
            }
            back_ms.push(begin.elapsed().as_millis());
            drop(held);
        }
        let leaked = entries("/proc/self/task") != threads || entries("/proc/self/fd") != files;
        devices.sort();
        devices.dedup();
        let told = format!(
            "lost seen within {} ms, frames again within {} ms, as {}, {threads} threads and {files} files open {}",
            lost_ms.iter().max().unwrap_or(&0),
            back_ms.iter().max().unwrap_or(&0),
            devices.join(" and "),
            if leaked {
                "before, others after"
            } else {
                "before and after"
            },
        );
        let in_time = lost_ms.iter().all(|&ms| ms < LIMIT.as_millis());
        demand(in_time && !leaked && devices.len() > 1, told)
    }

    fn stalled() -> Outcome {
        let writer = Writer::start()?;
        let (mut live, _) = open(LOOP_ID, LOOP_SIZE.0, LOOP_SIZE.1, 20.0)?;
        frame(&mut live)?;
        let begin = Instant::now();
        drop(writer);
        until(&mut live, |next| {
            matches!(next, Next::Event(SourceEvent::Stalled { .. }))
        })?;
        let seen = begin.elapsed();
        // Long enough for the device to be closed and opened again in vain.
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(5) {
            match live.next().map_err(|error| error.to_string())? {
                Next::Pending => {}
                other => return Err(format!("{other:?} while it stalled")),
            }
        }
        let begin = Instant::now();
        let _writer = Writer::start()?;
        until(&mut live, |next| {
            matches!(next, Next::Event(SourceEvent::Opened(_)))
        })?;
        let worst = fields_error(&frame(&mut live)?.picture);
        let told = format!(
            "seen after {} ms, frames {} ms after the writer came back, worst field off by {worst}",
            seen.as_millis(),
            begin.elapsed().as_millis()
        );
        demand(seen < LIMIT && worst <= 12, told)
    }

    fn demand(is_right: bool, told: String) -> Outcome {
        if is_right { Ok(told) } else { Err(told) }
    }

    fn wanted(width: u32, height: u32, frames_per_second: f64) -> Wanted {
        Wanted {
            width,
            height,
            frames_per_second,
            ..Wanted::default()
        }
    }

    fn open(spec: &str, width: u32, height: u32, rate: f64) -> Result<(Live, Format), String> {
        open_as(spec, &wanted(width, height, rate))
    }

    fn open_as(spec: &str, wanted: &Wanted) -> Result<(Live, Format), String> {
        let mut live = Live::open(spec, wanted).map_err(|error| error.to_string())?;
        match until(&mut live, |next| !matches!(next, Next::Pending))? {
            Next::Event(SourceEvent::Opened(format)) => Ok((live, format)),
            other => Err(format!("{other:?} at first")),
        }
    }

    fn until(live: &mut Live, wanted: impl Fn(&Next) -> bool) -> Result<Next, String> {
        let begin = Instant::now();
        while begin.elapsed() < AT_MOST {
            let next = live.next().map_err(|error| error.to_string())?;
            if wanted(&next) {
                return Ok(next);
            }
        }
        Err(format!("nothing came in {} s", AT_MOST.as_secs()))
    }

    fn frame(live: &mut Live) -> Result<Frame, String> {
        match until(live, |next| matches!(next, Next::Frame(_)))? {
            Next::Frame(frame) => Ok(frame),
            other => Err(format!("{other:?}")),
        }
    }

    fn entries(folder: &str) -> usize {
        fs::read_dir(folder).map_or(0, Iterator::count)
    }

    fn plug(what: &str, device: &str) -> Result<(), String> {
        fs::write(format!("/sys/bus/platform/drivers/vivid/{what}"), device)
            .map_err(|error| format!("{what} {device}: {error}"))
    }

    /// The largest difference of any channel in the middle of each of `expected`, side by side, three
    /// quarters down (vivid writes text above).
    fn error(picture: &Picture, expected: &[[u8; 3]]) -> u8 {
        let (width, count) = (picture.width() as usize, expected.len());
        let row = picture.height() as usize * 3 / 4;
        let difference = |(place, colour): (usize, &[u8; 3])| {
            let at = (row * width + (2 * place + 1) * width / (2 * count)) * 3;
            let seen = &picture.rgb()[at..at + 3];
            seen.iter()
                .zip(colour)
                .map(|(a, b)| a.abs_diff(*b))
                .max()
                .unwrap_or(255)
        };
        expected
            .iter()
            .enumerate()
            .map(difference)
            .max()
            .unwrap_or(255)
    }

    fn bars_error(picture: &Picture) -> u8 {
        error(picture, &BARS)
    }

    fn fields_error(picture: &Picture) -> u8 {
        error(picture, &FIELDS)
    }

    /// Another process of this program that writes frames into the loopback device.
    struct Writer(Child);

    impl Writer {
        fn start() -> Result<Self, String> {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let child = Command::new(program).args(["feed", LOOP]).spawn();
            let writer = Self(child.map_err(|error| error.to_string())?);
            let begin = Instant::now();
            while begin.elapsed() < AT_MOST {
                if webcam::find(LOOP).is_ok() {
                    return Ok(writer);
                }
                sleep(Duration::from_millis(100));
            }
            Err("the loopback device does not become a camera".into())
        }
    }

    impl Drop for Writer {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Writes the same MJPG picture twenty times a second until killed.
    pub fn feed(path: &str) -> ExitCode {
        let (width, height) = LOOP_SIZE;
        let field = |x, _| Rgb(FIELDS[(x * FIELDS.len() as u32 / width) as usize]);
        let mut jpeg = std::io::Cursor::new(Vec::new());
        let result = ImageBuffer::from_fn(width, height, field)
            .write_to(&mut jpeg, ImageFormat::Jpeg)
            .map_err(|error| error.to_string())
            .and_then(|()| write(path, jpeg.get_ref()).map_err(|error| error.to_string()));
        if let Err(error) = result {
            eprintln!("{path}: {error}");
        }
        ExitCode::FAILURE
    }

    fn write(path: &str, jpeg: &[u8]) -> std::io::Result<()> {
        let device = v4l::Device::with_path(path)?;
        let mut format = v4l::Format::new(LOOP_SIZE.0, LOOP_SIZE.1, FourCC::new(b"MJPG"));
        format.size = LOOP_SIZE.0 * LOOP_SIZE.1 * 2;
        Output::set_format(&device, &format)?;
        // Streaming, not plain writes: only then the driver notes that the writer has gone.
        let mut stream = Stream::with_buffers(&device, Type::VideoOutput, 2)?;
        loop {
            let (buffer, about) = OutputStream::next(&mut stream)?;
            buffer[..jpeg.len()].copy_from_slice(jpeg);
            about.bytesused = jpeg.len() as u32;
            sleep(Duration::from_millis(50));
        }
    }
}
