//! Copies that come with the program.

use std::{env, path::PathBuf};

/// The folder of the copy `name` that ships: `calibration/copies/NAME` beside the program, above it, or in
/// the source it was built from; where it is none of these, the last, for the error to name.
pub fn shipped(name: &str) -> PathBuf {
    let exe = env::current_exe().ok();
    let beside = exe.iter().flat_map(|e| e.ancestors().skip(1).take(4));
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let under = |home: PathBuf| home.join("calibration/copies").join(name);
    beside
        .map(|home| under(home.to_owned()))
        .find(|folder| folder.join("copy.toml").is_file())
        .unwrap_or_else(|| under(source))
}
