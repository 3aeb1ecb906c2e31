//! A camera's exposure, gain, focus and white balance on Linux: set, and read back.

use v4l::control::{Control, Value};

use crate::rig::Settings;

const AUTOGAIN: u32 = 0x0098_0912;
const GAIN: u32 = 0x0098_0913;
const AUTO_WHITE_BALANCE: u32 = 0x0098_090c;
const WHITE_BALANCE: u32 = 0x0098_091a;
const EXPOSURE_AUTO: u32 = 0x009a_0901;
/// In units of 100 µs.
const EXPOSURE: u32 = 0x009a_0902;
const FOCUS: u32 = 0x009a_090a;
const FOCUS_AUTO: u32 = 0x009a_090c;
/// `V4L2_EXPOSURE_MANUAL`.
const BY_HAND: i64 = 1;

fn set(device: &v4l::Device, id: u32, value: Value) -> bool {
    device.set_control(Control { id, value }).is_ok()
}

fn get(device: &v4l::Device, id: u32) -> Option<i64> {
    match device.control(id).ok()?.value {
        Value::Integer(v) => Some(v),
        Value::Boolean(v) => Some(v.into()),
        _ => None,
    }
}

/// Sets what is wished; a sentence for each that the camera does not take as it was wished.
pub(super) fn apply(device: &v4l::Device, camera: &str, wished: &Settings) -> Vec<String> {
    let mut notes = Vec::new();
    let mut try_one = |field: &str, wish: i64, id: u32, unit: i64| {
        set(device, id, Value::Integer(wish / unit));
        match get(device, id).map(|v| v * unit) {
            Some(is) if (is - wish).abs() < unit => {}
            Some(is) => notes.push(format!(
                "camera '{camera}' was asked for {field} = {wish}, and has {is}: the rig file's settings are what its driver takes"
            )),
            None => notes.push(format!(
                "camera '{camera}' has no setting {field}: leave it out of the rig file"
            )),
        }
    };
    // its own hand must be off before it takes a person's
    if let Some(us) = wished.exposure_us {
        set(device, EXPOSURE_AUTO, Value::Integer(BY_HAND));
        try_one("exposure_us", us.into(), EXPOSURE, 100);
    }
    if let Some(gain) = wished.gain {
        set(device, AUTOGAIN, Value::Boolean(false));
        try_one("gain", gain.into(), GAIN, 1);
    }
    if let Some(focus) = wished.focus {
        set(device, FOCUS_AUTO, Value::Boolean(false));
        try_one("focus", focus.into(), FOCUS, 1);
    }
    if let Some(kelvin) = wished.white_balance_k {
        set(device, AUTO_WHITE_BALANCE, Value::Boolean(false));
        try_one("white_balance_k", kelvin.into(), WHITE_BALANCE, 1);
    }
    notes
}
