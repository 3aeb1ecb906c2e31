use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::say;
use crate::capture::webcam::{self, Control};

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
        let controls = webcam::controls(&camera.id);
        let line = if args.json {
            let settings: serde_json::Map<_, _> = controls.iter().map(field).collect();
            json!({"id": camera.id.0, "name": camera.name, "device": camera.device, "formats": formats, "settings": settings}).to_string()
        } else {
            let first = format!(
                "{}\n    {} ({}), {} formats",
                camera.id.0,
                camera.name,
                camera.device.display(),
                formats.len()
            );
            let settings = controls.iter().map(|c| format!("\n    {}", words(c)));
            first + &settings.collect::<String>()
        };
        say(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a camera can be set to, as `--json` has it.
fn field(control: &Control) -> (String, serde_json::Value) {
    let about = json!({
        "least": control.least,
        "most": control.most,
        "step": control.step,
        "now": control.now,
        "by_itself": control.by_itself,
    });
    (control.setting.field().to_owned(), about)
}

/// The same in words.
fn words(control: &Control) -> String {
    let step = match control.step {
        1 => String::new(),
        n => format!(" in steps of {n}"),
    };
    let now = control.now.map(|now| format!(", now {now}"));
    let by_itself = match control.by_itself {
        Some(true) => ", which it sees to by itself",
        _ => "",
    };
    format!(
        "{}: {} to {}{step}{}{by_itself}",
        control.setting.field(),
        control.least,
        control.most,
        now.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Setting;

    #[test]
    fn what_a_camera_can_be_set_to_is_told_in_the_words_of_a_rig_file() {
        let control = Control {
            setting: Setting::Exposure,
            least: 300,
            most: 204_700,
            step: 100,
            now: Some(15_600),
            by_itself: Some(true),
        };
        assert_eq!(
            words(&control),
            "exposure_us: 300 to 204700 in steps of 100, now 15600, which it sees to by itself"
        );
        let (name, about) = field(&control);
        assert_eq!(
            (name.as_str(), &about["most"]),
            ("exposure_us", &json!(204_700))
        );
    }
}
