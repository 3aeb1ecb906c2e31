use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::say;
use crate::capture::webcam;

#[derive(Debug, Args)]
pub(super) struct CamerasArgs {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn cameras(args: &CamerasArgs) -> anyhow::Result<ExitCode> {
    let cameras = webcam::list()?;
    if cameras.is_empty() && !args.json {
        say("no camera is plugged in")?;
    }
    for camera in cameras {
        let formats: Vec<String> = camera
            .formats
            .iter()
            .map(|f| {
                format!(
                    "{}x{} {} at {:.0}",
                    f.width, f.height, f.fourcc, f.frames_per_second
                )
            })
            .collect();
        let line = if args.json {
            json!({"id": camera.id.0, "name": camera.name, "device": camera.device, "formats": formats}).to_string()
        } else {
            format!(
                "{}\n    {} ({}), {} formats",
                camera.id.0,
                camera.name,
                camera.device.display(),
                formats.len()
            )
        };
        say(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}
