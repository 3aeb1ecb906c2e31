//! `calibrate`: a camera's lens from pictures of the printed board.

use std::{
    fs::{self, OpenOptions},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use clap::{ArgGroup, Args};

use super::{UserError, say};
use crate::{
    capture::{Next, Source, folder::Folder, live::Live, video::Video, webcam::Wanted},
    copy,
    rig::{CameraInfo, FOCAL_ERROR},
    vision::{Added, Calibrator, LEAST_VIEWS},
};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true).multiple(false))]
pub(super) struct CalibrateArgs {
    /// A camera: its identity (see `sightline cameras`), device or number.
    #[arg(long, value_name = "ID", group = "source")]
    camera: Option<String>,
    /// A video of the board.
    #[arg(long, value_name = "FILE", group = "source")]
    video: Option<PathBuf>,
    /// A folder of pictures of the board.
    #[arg(long, value_name = "DIR", group = "source")]
    images: Option<PathBuf>,
    /// The lens is written here, as a ROS camera_info YAML file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A mean distance between corners above which something is wrong: a bent board, or another one.
const POOR_PX: f64 = 1.0;
/// And one above which there is no lens like that: nothing is written.
const ABSURD_PX: f64 = 10.0;

/// That the lens cannot be written is said before anybody has held a board for it.
fn can_be_written(out: &Path) -> anyhow::Result<()> {
    let there = out.exists();
    let opened = OpenOptions::new().create(true).append(true).open(out);
    opened.map_err(|e| UserError(format!("{}: {}", out.display(), copy::in_words(&e))))?;
    if !there {
        fs::remove_file(out)?;
    }
    Ok(())
}

pub(super) fn calibrate(args: &CalibrateArgs) -> anyhow::Result<ExitCode> {
    can_be_written(&args.out)?;
    let mut source: Box<dyn Source> = if let Some(id) = &args.camera {
        Box::new(Live::open(id, &Wanted::default())?)
    } else if let Some(file) = &args.video {
        Box::new(Video::open(file)?)
    } else if let Some(dir) = &args.images {
        Box::new(Folder::open(dir, 1.0)?)
    } else {
        return Err(UserError("name a source: --camera, --video or --images".to_owned()).into());
    };
    let live = source.is_live();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    if live {
        say(
            "Hold the board before the camera and move it about; Ctrl-C ends it with what there is.",
        )?;
    }
    let mut calibrator = Calibrator::new()?;
    let mut looked = 0;
    let mut asked = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        match source.next()? {
            Next::Frame(frame) => {
                looked += 1;
                let added = calibrator.add(&frame.picture)?;
                let wanted = calibrator.wanted();
                let name = frame
                    .file
                    .as_deref()
                    .map_or_else(|| format!("picture {looked}"), |f| f.display().to_string());
                match added {
                    Added::View(corners) => {
                        say(&format!(
                            "view {}: {corners} corners ({name})",
                            calibrator.views()
                        ))?;
                    }
                    Added::OtherSize => {
                        complain!(
                            "sightline: {name}: has another size than those before; it is left out"
                        );
                    }
                    Added::NoBoard if !live => {
                        complain!("sightline: {name}: the board is not in it, or too little of it");
                    }
                    Added::NoBoard | Added::Same => {}
                }
                if live && wanted != asked {
                    match wanted.first() {
                        Some(next) => say(&format!("still wanted: {next}"))?,
                        None => break,
                    };
                    asked = wanted;
                }
            }
            Next::Skipped(error) => complain!("sightline: {error}"),
            Next::Event(_) | Next::Pending => {}
            Next::End => break,
        }
    }
    let Some(done) = calibrator.solve()? else {
        return Err(UserError(format!(
            "the board was seen in {} of {looked} pictures, but {LEAST_VIEWS} different views are needed: print it with `sightline print charuco`, and show it from several sides",
            calibrator.views()
        ))
        .into());
    };
    let [w, h] = done.size_px;
    say(&format!(
        "{} views of {w}x{h}: corners are {:.2} pixels off on average (worst view {:.2})",
        calibrator.views(),
        done.error_px,
        done.views_px.iter().copied().fold(0.0, f64::max)
    ))?;
    say(&format!(
        "focal length {:.1} by {:.1} pixels (standard error {:.2} %), middle at {:.1}, {:.1}",
        done.lens.focal_px[0],
        done.lens.focal_px[1],
        done.lens.focal_error * 100.0,
        done.lens.centre_px[0],
        done.lens.centre_px[1]
    ))?;
    for missing in calibrator.wanted() {
        say(&format!("it would be better with {missing}"))?;
    }
    if done.error_px > ABSURD_PX {
        return Err(UserError(format!(
            "corners are {:.0} pixels off: no lens is like that; is it the board that `sightline print charuco` makes, printed at 100 %? Nothing was written",
            done.error_px
        ))
        .into());
    }
    if done.error_px > POOR_PX {
        complain!(
            "sightline: corners are {:.1} pixels off: is the board flat, and printed at 100 %? The lens was written all the same",
            done.error_px
        );
    }
    if done.lens.focal_error > FOCAL_ERROR {
        complain!(
            "sightline: the focal length is known to {:.1} % only: show the board from more sides, tilted and near",
            done.lens.focal_error * 100.0
        );
    }
    let info = CameraInfo {
        camera: source.camera().0.clone(),
        size_px: done.size_px,
        lens: done.lens,
    };
    copy::write(&args.out, info.to_yaml())?;
    say(&format!(
        "{}: put camera_info = \"{}\" into the rig file",
        args.out.display(),
        args.out
            .file_name()
            .map(|n| n.to_string_lossy())
            .unwrap_or_default()
    ))?;
    Ok(ExitCode::SUCCESS)
}
