//! Which engine runs the models, and where it and they lie.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ort::{
    AsPointer,
    environment::Environment,
    memory::{AllocationDevice, AllocatorType, MemoryInfo, MemoryType},
};

use super::eye::VisionError;

/// Why no engine runs the models.
#[derive(Debug, Clone)]
enum Fault {
    /// Where ONNX Runtime was looked for.
    NotFound(String),
    /// What was asked for cannot be had; one sentence.
    Wish(String),
}

static RUNTIME: OnceLock<Result<Environment, Fault>> = OnceLock::new();

static PASSED_OVER: OnceLock<String> = OnceLock::new();

/// An ONNX Runtime that is there and could not be used, and why: tract runs the models then, which takes seconds a
/// picture.
pub fn passed_over() -> Option<&'static str> {
    PASSED_OVER.get().map(String::as_str)
}

/// Folders that may hold what `./run` puts in place: beside the program, its parents, and the
/// source tree it was built from.
fn homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = env::current_exe()
        .ok()
        .iter()
        .flat_map(|exe| {
            exe.ancestors()
                .skip(1)
                .take(4)
                .map(Path::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    homes.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    homes
}

/// Where the ONNX models are: `SIGHTLINE_MODELS`, or `models` beside the program or in the source.
pub fn models_folder() -> PathBuf {
    if let Some(dir) = env::var_os("SIGHTLINE_MODELS") {
        return dir.into();
    }
    homes()
        .into_iter()
        .map(|h| h.join("models"))
        .find(|m| m.join("dice-detector.onnx").is_file())
        .unwrap_or_else(|| PathBuf::from("models"))
}

fn library() -> Option<PathBuf> {
    if let Some(path) = env::var_os("ORT_DYLIB_PATH").filter(|p| !p.is_empty()) {
        return Some(path.into());
    }
    homes()
        .into_iter()
        .map(|h| h.join(".setup/onnxruntime").join(library_name()))
        .find(|p| p.is_file())
}

fn library_name() -> &'static str {
    if cfg!(windows) {
        "onnxruntime.dll"
    } else if cfg!(target_os = "macos") {
        "libonnxruntime.dylib"
    } else {
        "libonnxruntime.so"
    }
}

static SHARES: OnceLock<bool> = OnceLock::new();

/// Whether all models take their memory from one arena.
pub(super) fn shares() -> bool {
    SHARES.get() == Some(&true)
}

/// Gives all models one arena for what they compute with: left to themselves each keeps as much as it once needed, and rounds that up. Whether there is one.
#[allow(unsafe_code)]
fn shares_memory(environment: &Environment) -> bool {
    let Ok(memory) = MemoryInfo::new(
        AllocationDevice::CPU,
        0,
        AllocatorType::Arena,
        MemoryType::Default,
    ) else {
        return false;
    };
    // SAFETY: the environment and the description are alive, no settings are meant by null, and what it answers is taken once. There is no safe call for it.
    unsafe {
        let environment = environment.ptr().cast_mut();
        let registered =
            (ort::api().CreateAndRegisterAllocator)(environment, memory.ptr(), std::ptr::null());
        ort::Error::result_from_status(registered).is_ok()
    }
}

fn start() -> Result<Environment, Fault> {
    let wanted = env::var("SIGHTLINE_BACKEND").unwrap_or_default();
    let wants_tract = wanted == "tract";
    if !["", "onnxruntime", "tract"].contains(&wanted.as_str()) {
        return Err(Fault::Wish(format!(
            "SIGHTLINE_BACKEND is \"{wanted}\": there are onnxruntime and tract"
        )));
    }
    if wants_tract && !cfg!(feature = "tract") {
        return Err(Fault::Wish(
            "SIGHTLINE_BACKEND is tract, but this program was built without it: build with --features tract"
                .to_owned(),
        ));
    }
    if !wants_tract && let Some(path) = library() {
        let opened = ort::init_from(&path).map_err(|e| e.to_string());
        match opened.and_then(|b| b.build().map_err(|e| e.to_string())) {
            Ok(environment) => {
                let _ = SHARES.set(shares_memory(&environment));
                return Ok(environment);
            }
            Err(why) if !cfg!(feature = "tract") => {
                return Err(Fault::NotFound(format!(
                    "{}, which could not be used: {why}",
                    path.display()
                )));
            }
            Err(why) => {
                let _ = PASSED_OVER.set(format!("{}: {why}", path.display()));
            }
        }
    }
    #[cfg(feature = "tract")]
    {
        ort::set_api(ort_tract::api());
        ort::init()
            .build()
            .map_err(|e| Fault::Wish(format!("tract cannot be started: {e}")))
    }
    #[cfg(not(feature = "tract"))]
    Err(Fault::NotFound(format!(
        "ORT_DYLIB_PATH and .setup/onnxruntime/{}",
        library_name()
    )))
}

pub(super) fn environment() -> Result<&'static Environment, VisionError> {
    RUNTIME
        .get_or_init(start)
        .as_ref()
        .map_err(|fault| match fault {
            Fault::NotFound(looked) => VisionError::NoRuntime {
                looked: looked.clone(),
            },
            Fault::Wish(why) => VisionError::Wish(why.clone()),
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn models_that_onnx_runtime_runs_share_an_arena() {
        environment().unwrap();
        let is_tract = env::var("SIGHTLINE_BACKEND").is_ok_and(|v| v == "tract");
        assert_eq!(shares(), !is_tract && passed_over().is_none());
    }
}
