//! A camera's exposure, gain, focus and white balance on Linux: what it takes of them, set, and read back.

use std::mem;

use v4l::{
    control::{self, Value},
    v4l_sys::v4l2_query_ext_ctrl,
    v4l2,
};

use super::webcam::Control;
use crate::rig::{Setting, Settings};

const AUTOGAIN: u32 = 0x0098_0912;
const GAIN: u32 = 0x0098_0913;
const AUTO_WHITE_BALANCE: u32 = 0x0098_090c;
const WHITE_BALANCE: u32 = 0x0098_091a;
const EXPOSURE_AUTO: u32 = 0x009a_0901;
/// In units of 100 µs.
const EXPOSURE: u32 = 0x009a_0902;
const FOCUS: u32 = 0x009a_090a;
const FOCUS_AUTO: u32 = 0x009a_090c;
/// `V4L2_EXPOSURE_MANUAL`, and `V4L2_EXPOSURE_SHUTTER_PRIORITY`, where a person says how long, too.
const BY_HAND: i64 = 1;
const LONG_BY_HAND: i64 = 2;
/// `V4L2_EXPOSURE_APERTURE_PRIORITY`, which webcams have, and `V4L2_EXPOSURE_AUTO`.
const BY_ITSELF: [i64; 2] = [3, 0];
/// A control that stands in the list and does nothing.
const DISABLED: u32 = 1;

/// The control for a setting, how many of the setting's units one of its own is, and the control that says whether the camera
/// sees to it by itself.
fn of(setting: Setting) -> (u32, i64, u32) {
    match setting {
        Setting::Exposure => (EXPOSURE, 100, EXPOSURE_AUTO),
        Setting::Gain => (GAIN, 1, AUTOGAIN),
        Setting::Focus => (FOCUS, 1, FOCUS_AUTO),
        Setting::WhiteBalance => (WHITE_BALANCE, 1, AUTO_WHITE_BALANCE),
    }
}

fn set(device: &v4l::Device, id: u32, value: Value) -> bool {
    device.set_control(control::Control { id, value }).is_ok()
}

fn get(device: &v4l::Device, id: u32) -> Option<i64> {
    match device.control(id).ok()?.value {
        Value::Integer(v) => Some(v),
        Value::Boolean(v) => Some(v.into()),
        _ => None,
    }
}

/// What the driver says of a control. The crate's own list panics on the first kind of control that is newer than it, and
/// asks for all of a camera's where these few are wanted.
#[allow(unsafe_code)]
fn about(device: &v4l::Device, id: u32) -> Option<v4l2_query_ext_ctrl> {
    // SAFETY: it is numbers and arrays of numbers, of which zeros are some
    let mut about: v4l2_query_ext_ctrl = unsafe { mem::zeroed() };
    about.id = id;
    let (asked, to) = (v4l2::vidioc::VIDIOC_QUERY_EXT_CTRL, &raw mut about);
    // SAFETY: the kernel fills in the struct that this question is for, which outlives the call
    let answer = unsafe { v4l2::ioctl(device.handle().fd(), asked, to.cast()) };
    answer.ok()?;
    (about.flags & DISABLED == 0).then_some(about)
}

/// Which of the settings the camera has.
pub(super) fn all(device: &v4l::Device) -> Vec<Control> {
    let one = |setting: &Setting| {
        let (id, unit, hand) = of(*setting);
        let about = about(device, id)?;
        let own = get(device, hand).filter(|_| self::about(device, hand).is_some());
        Some(Control {
            setting: *setting,
            least: about.minimum.saturating_mul(unit),
            most: about.maximum.saturating_mul(unit),
            step: i64::try_from(about.step).unwrap_or(1).max(1) * unit,
            now: get(device, id).map(|v| v.saturating_mul(unit)),
            by_itself: own.map(|own| match setting {
                Setting::Exposure => ![BY_HAND, LONG_BY_HAND].contains(&own),
                _ => own != 0,
            }),
        })
    };
    Setting::ALL.iter().filter_map(one).collect()
}

/// Lets the camera see to these by itself.
pub(super) fn let_itself(device: &v4l::Device, settings: &[Setting]) {
    for setting in settings {
        let (_, _, hand) = of(*setting);
        match setting {
            Setting::Exposure => {
                let mut ways = BY_ITSELF.into_iter();
                ways.any(|way| set(device, hand, Value::Integer(way)));
            }
            _ => drop(set(device, hand, Value::Boolean(true))),
        }
    }
}

/// Sets what is wished; a sentence for each that the camera does not take as it was wished.
pub(super) fn apply(device: &v4l::Device, camera: &str, wished: &Settings) -> Vec<String> {
    let mut notes = Vec::new();
    for setting in Setting::ALL {
        let Some(wish) = wished.get(setting) else {
            continue;
        };
        let (id, unit, hand) = of(setting);
        // its own hand must be off before it takes a person's
        let off = match setting {
            Setting::Exposure => Value::Integer(BY_HAND),
            _ => Value::Boolean(false),
        };
        set(device, hand, off);
        set(device, id, Value::Integer(wish / unit));
        let field = setting.field();
        match get(device, id).map(|v| v * unit) {
            Some(is) if (is - wish).abs() < unit => {}
            Some(is) => notes.push(format!(
                "camera '{camera}' was asked for {field} = {wish}, and has {is}: the rig file's settings are what its driver takes"
            )),
            None => notes.push(format!(
                "camera '{camera}' has no setting {field}: leave it out of the rig file"
            )),
        }
    }
    notes
}
