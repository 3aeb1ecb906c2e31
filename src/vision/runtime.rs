//! Which engine runs the models, and where it and they lie.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ort::environment::Environment;

use super::eye::VisionError;

/// The engine in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    OnnxRuntime,
    Tract,
}

impl Backend {
    pub fn name(self) -> &'static str {
        match self {
            Self::OnnxRuntime => "ONNX Runtime",
            Self::Tract => "tract",
        }
    }
}

static RUNTIME: OnceLock<Result<(Environment, Backend), String>> = OnceLock::new();

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

fn start() -> Result<(Environment, Backend), String> {
    let wants_tract = env::var("SIGHTLINE_BACKEND").is_ok_and(|b| b == "tract");
    if !wants_tract && let Some(path) = library() {
        let opened = ort::init_from(&path).map_err(|e| e.to_string());
        match opened.and_then(|b| b.build().map_err(|e| e.to_string())) {
            Ok(environment) => return Ok((environment, Backend::OnnxRuntime)),
            Err(why) if !cfg!(feature = "tract") => {
                return Err(format!(
                    "{}, which could not be used: {why}",
                    path.display()
                ));
            }
            Err(_) => {}
        }
    }
    #[cfg(feature = "tract")]
    {
        ort::set_api(ort_tract::api());
        let environment = ort::init().build().map_err(|e| e.to_string())?;
        Ok((environment, Backend::Tract))
    }
    #[cfg(not(feature = "tract"))]
    Err(format!(
        "ORT_DYLIB_PATH and .setup/onnxruntime/{}",
        library_name()
    ))
}

pub(super) fn environment() -> Result<&'static Environment, VisionError> {
    match RUNTIME.get_or_init(start) {
        Ok((environment, _)) => Ok(environment),
        Err(looked) => Err(VisionError::NoRuntime {
            looked: looked.clone(),
        }),
    }
}

/// The engine that runs the models in this process, once one was loaded.
///
/// # Errors
/// Where no engine can be had.
pub fn backend() -> Result<Backend, VisionError> {
    match RUNTIME.get_or_init(start) {
        Ok((_, backend)) => Ok(*backend),
        Err(looked) => Err(VisionError::NoRuntime {
            looked: looked.clone(),
        }),
    }
}
