//! What `rig` sets a camera to: as a person says, or as the camera has come to by itself.

use std::time::{Duration, Instant};

use clap::Args;

use super::{UserError, say};
use crate::{
    capture::{
        CameraId, Next, Picture, Source,
        webcam::{self, Control},
    },
    rig::{Setting, Settings},
};

/// How long a camera is given to find its exposure, focus and white balance.
const SETTLES: Duration = Duration::from_secs(4);
/// And to take what it was set to: pictures that were under way are as before.
const TAKES: Duration = Duration::from_millis(1200);
/// Held, a picture is so much brighter or darker at most.
const SAME_LIGHT: f64 = 1.3;

const RECORDED: [&str; 3] = ["video", "images", "image"];

#[derive(Debug, Args)]
pub(super) struct SettingsArgs {
    /// Set how long each picture is exposed, in microseconds, and keep that in the file.
    #[arg(long, value_name = "N", conflicts_with_all = RECORDED, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    exposure_us: Option<u32>,
    /// Set the gain, in the driver's units (see `sightline cameras`), and keep that.
    #[arg(long, value_name = "N", conflicts_with_all = RECORDED, allow_negative_numbers = true)]
    gain: Option<i32>,
    /// Set the focus, in the driver's units, and keep that.
    #[arg(long, value_name = "N", conflicts_with_all = RECORDED, allow_negative_numbers = true)]
    focus: Option<i32>,
    /// Set the white balance, in kelvin, and keep that.
    #[arg(long, value_name = "N", conflicts_with_all = RECORDED, value_parser = clap::value_parser!(u32).range(1000..=20_000))]
    white_balance_k: Option<u32>,
    /// Let the camera set itself to the light, then keep what it has come to.
    #[arg(long, conflicts_with_all = RECORDED)]
    hold: bool,
    /// Keep none of these any longer: the camera sees to them by itself.
    #[arg(long, conflicts_with_all = RECORDED, conflicts_with = "hold")]
    automatic: bool,
}

impl SettingsArgs {
    fn given(&self) -> Settings {
        Settings {
            exposure_us: self.exposure_us,
            gain: self.gain,
            focus: self.focus,
            white_balance_k: self.white_balance_k,
        }
    }

    /// Whether there is anything to keep in the file besides what is seen.
    pub fn says_something(&self) -> bool {
        self.hold || self.automatic || self.given() != Settings::default()
    }

    /// What the camera is to be opened with, where the rig has `kept` of it; what is beyond its range is refused.
    pub fn before(&self, camera: &CameraId, kept: &Settings) -> Result<Settings, UserError> {
        let given = self.given();
        let given = if given == Settings::default() {
            given
        } else {
            let (given, notes) = taken(camera, &given, &webcam::controls(camera))?;
            for note in notes {
                complain!("sightline: {note}");
            }
            given
        };
        Ok(if self.hold || self.automatic {
            given
        } else {
            given.or(kept)
        })
    }

    /// What the camera, which streams, is set to from now on.
    pub fn settled(&self, source: &mut dyn Source, opened: Settings) -> anyhow::Result<Settings> {
        let camera = source.camera().clone();
        if !self.hold && !self.automatic {
            return Ok(opened);
        }
        let free = |c: &Control| opened.get(c.setting).is_none();
        let controls = webcam::controls(&camera);
        let free: Vec<Setting> = controls
            .iter()
            .filter(|c| free(c))
            .map(|c| c.setting)
            .collect();
        if free.is_empty() {
            complain!(
                "sightline: camera '{}' has nothing else that it can be set to: it sees to all by itself",
                camera.0
            );
            return Ok(opened);
        }
        webcam::let_itself(&camera, &free);
        say(&format!("{} sets itself to the light…", camera.0))?;
        let by_itself = pictures_for(source, SETTLES)?;
        if self.automatic {
            return Ok(opened);
        }
        let (settings, notes) = held(&camera, opened, &webcam::controls(&camera));
        for note in notes.into_iter().chain(webcam::set(&camera, &settings)) {
            complain!("sightline: {note}");
        }
        let by_hand = pictures_for(source, TAKES)?;
        if let (Some(before), Some(after)) = (by_itself, by_hand)
            && let Some(differs) = differs(light(&before), light(&after))
        {
            complain!(
                "sightline: camera '{}' takes {differs} pictures now that it is held: its driver does not say truly what it had come to; run this again with --exposure-us and --gain",
                camera.0
            );
        }
        Ok(settings)
    }
}

/// What stands in the file, in words; nothing where none does.
pub(super) fn told(settings: &Settings) -> Option<String> {
    let one = |s: &Setting| Some(format!("{} = {}", s.field(), settings.get(*s)?));
    let all: Vec<String> = Setting::ALL.iter().filter_map(one).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// What a camera takes of the wishes of a person, and a sentence for each that it takes otherwise or has not at all.
fn taken(
    camera: &CameraId,
    wished: &Settings,
    controls: &[Control],
) -> Result<(Settings, Vec<String>), UserError> {
    let (mut settings, mut notes) = (Settings::default(), Vec::new());
    let camera = &camera.0;
    for setting in Setting::ALL {
        let Some(wish) = wished.get(setting) else {
            continue;
        };
        let field = setting.field();
        let option = field.replace('_', "-");
        let Some(control) = controls.iter().find(|c| c.setting == setting) else {
            notes.push(format!(
                "camera '{camera}' has no {field} that can be set: --{option} is passed over"
            ));
            continue;
        };
        let Some(nearest) = control.nearest(wish) else {
            let Control { least, most, .. } = control;
            return Err(UserError(format!(
                "--{option} {wish}: camera '{camera}' takes {least} to {most}"
            )));
        };
        if nearest != wish {
            notes.push(format!(
                "camera '{camera}' takes {field} in steps of {}: it is set to {nearest}",
                control.step
            ));
        }
        settings.set(setting, Some(nearest));
    }
    Ok((settings, notes))
}

/// What was given, and of all else what the camera has come to by itself; a sentence for each that it does not tell.
fn held(camera: &CameraId, given: Settings, controls: &[Control]) -> (Settings, Vec<String>) {
    let (mut settings, mut notes) = (given, Vec::new());
    for control in controls {
        if settings.get(control.setting).is_some() {
            continue;
        }
        let has = control.now.and_then(|now| control.nearest(now));
        settings.set(control.setting, has);
        if settings.get(control.setting).is_none() {
            notes.push(format!(
                "camera '{}' does not tell its {}: that is not held",
                camera.0,
                control.setting.field()
            ));
        }
    }
    (settings, notes)
}

/// Takes the pictures that come in so long; the last of them.
fn pictures_for(source: &mut dyn Source, long: Duration) -> anyhow::Result<Option<Picture>> {
    let until = Instant::now() + long;
    let mut last = None;
    while Instant::now() < until {
        match source.next()? {
            Next::Frame(frame) => last = Some(frame.picture),
            Next::End => break,
            _ => {}
        }
    }
    Ok(last)
}

/// How light a picture is, 0 to 255.
fn light(picture: &Picture) -> f64 {
    // one in some is enough of a mean
    let some = || picture.rgb().iter().step_by(97);
    some().map(|v| f64::from(*v)).sum::<f64>() / some().count().max(1) as f64
}

fn differs(before: f64, after: f64) -> Option<&'static str> {
    // a black picture is not infinitely darker
    let times = (after + 2.0) / (before + 2.0);
    match times {
        t if t > SAME_LIGHT => Some("brighter"),
        t if t < 1.0 / SAME_LIGHT => Some("darker"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(setting: Setting, [least, most, step]: [i64; 3], now: Option<i64>) -> Control {
        Control {
            setting,
            least,
            most,
            step,
            now,
            by_itself: Some(true),
        }
    }

    fn camera() -> CameraId {
        CameraId("cam@usb-1".to_owned())
    }

    #[test]
    fn what_the_camera_does_not_take_is_said_with_its_range() {
        let controls = [
            control(Setting::Exposure, [300, 204_700, 100], Some(15_600)),
            control(Setting::Focus, [0, 250, 5], None),
        ];
        let wished = Settings {
            exposure_us: Some(8040),
            focus: Some(30),
            gain: Some(10),
            ..Settings::default()
        };
        let (settings, notes) = taken(&camera(), &wished, &controls).expect("taken");
        assert_eq!(
            (settings.exposure_us, settings.focus, settings.gain),
            (Some(8000), Some(30), None)
        );
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("steps of 100"), "{notes:?}");
        assert!(notes[1].contains("--gain is passed over"), "{notes:?}");
        let beyond = Settings {
            focus: Some(251),
            ..Settings::default()
        };
        let why = taken(&camera(), &beyond, &controls).expect_err("refused");
        assert_eq!(
            why.to_string(),
            "--focus 251: camera 'cam@usb-1' takes 0 to 250"
        );
    }

    #[test]
    fn what_the_camera_has_come_to_is_held_beside_what_was_given() {
        let controls = [
            control(Setting::Exposure, [300, 204_700, 100], Some(15_600)),
            control(Setting::Gain, [0, 255, 1], Some(41)),
            control(Setting::Focus, [0, 250, 5], Some(30)),
            // a driver that says nothing, and one that says what no rig file takes
            control(Setting::WhiteBalance, [0, 9000, 1], Some(0)),
        ];
        let given = Settings {
            exposure_us: Some(8000),
            ..Settings::default()
        };
        let (settings, notes) = held(&camera(), given, &controls);
        assert_eq!(
            told(&settings).as_deref(),
            Some("exposure_us = 8000, gain = 41, focus = 30")
        );
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert_eq!(told(&Settings::default()), None);
    }

    #[test]
    fn a_picture_that_is_held_is_as_light_as_before() {
        let grey = |v: u8| light(&Picture::from_rgb(64, 48, vec![v; 64 * 48 * 3]).expect("one"));
        assert_eq!(differs(grey(100), grey(110)), None);
        assert_eq!(differs(grey(100), grey(60)), Some("darker"));
        assert_eq!(differs(grey(60), grey(100)), Some("brighter"));
        assert_eq!(differs(grey(0), grey(0)), None);
    }
}
