//! What libraries below take from the environment alone, which a program may not safely change of itself: it starts once
//! more with what is not set already.

use std::{env, os::unix::process::CommandExt, process::Command};

type Variables = &'static [(&'static str, &'static str)];

/// FFmpeg's own lines on standard error are turned off.
const ALWAYS: Variables = &[("OPENCV_FFMPEG_LOGLEVEL", "-8")];

/// glibc gives the memory of large pictures back to the system when they are freed: left to itself it keeps what it once
/// had, 140 MB of 550 after a search of a 1920x1080 picture. (From 256 kB on it would be 170, and a fifth of the time spent
/// on it.) And threads share two heaps, not eight, each of which keeps what one of them had: some 60 MB.
const LIVE: Variables = &[
    ("MALLOC_MMAP_THRESHOLD_", "4194304"),
    ("MALLOC_TRIM_THRESHOLD_", "16777216"),
    ("MALLOC_ARENA_MAX", "2"),
];

/// A command that soon ends keeps what it had: a fifth of the time of reading a picture went by with asking for memory anew.
const STILL: Variables = &[
    // older ones take no more
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
    ("MALLOC_TRIM_THRESHOLD_", "1073741824"),
];

/// Starts the program once more where something of that is not set: for hours, or for some pictures.
pub(super) fn settle(live: bool) {
    let wanted = ALWAYS.iter().chain(if live { LIVE } else { STILL });
    let unset = wanted.filter(|(k, _)| env::var_os(k).is_none());
    let unset: Vec<_> = unset.copied().collect();
    let mut args = env::args_os();
    if !unset.is_empty()
        && let (Ok(this), Some(name)) = (env::current_exe(), args.next())
    {
        // comes back only where it fails: then it goes on as it is
        let _ = Command::new(this).arg0(name).args(args).envs(unset).exec();
    }
}

/// How often memory that was freed in small pieces is given back: what a search leaves lies between what is kept.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const EVERY: std::time::Duration = std::time::Duration::from_secs(5);

/// Gives it back from now on, in a few milliseconds each time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(super) fn give_back() {
    let again = || loop {
        std::thread::sleep(EVERY);
        // SAFETY: it takes a number and locks its own heaps
        unsafe { libc::malloc_trim(0) };
    };
    // without a thread it is only larger
    let _ = std::thread::Builder::new()
        .name("heap".to_owned())
        .spawn(again);
}

/// Other systems see to it themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) const fn give_back() {}
