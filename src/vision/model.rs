//! An ONNX file with what it says of itself, checked before it is used.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    str::FromStr,
};

use ort::{
    session::{Session, builder::GraphOptimizationLevel},
    value::TensorRef,
};
use prost::Message;
use sha2::{Digest, Sha256};

use super::{eye::VisionError, runtime};

const TAKE_OURS: &str = "take the models that came with this program";

/// The one part of ONNX's `ModelProto` that is wanted here. It is read from the file itself since
/// not every engine hands it out.
#[derive(Clone, PartialEq, Message)]
struct ModelProto {
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<Entry>,
}

#[derive(Clone, PartialEq, Message)]
struct Entry {
    #[prost(string, optional, tag = "1")]
    key: Option<String>,
    #[prost(string, optional, tag = "2")]
    value: Option<String>,
}

/// What a model file says of itself.
#[derive(Debug, Clone)]
pub struct ModelInfo {
    pub path: PathBuf,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    properties: BTreeMap<String, String>,
}

impl ModelInfo {
    /// A property of the file, under the prefix `sightline.`.
    pub fn get<T: FromStr>(&self, key: &str) -> Result<T, VisionError> {
        let key = format!("sightline.{key}");
        let Some(text) = self.properties.get(&key) else {
            return Err(self.wrong(format!(
                "not a model for sightline: its metadata has no {key}"
            )));
        };
        text.parse().map_err(|_| {
            self.wrong(format!(
                "its metadata {key} is \"{text}\", which cannot be read"
            ))
        })
    }

    /// A number of the file within bounds; `or` where older files say nothing of it.
    pub fn within_or(&self, key: &str, least: f64, most: f64, or: f64) -> Result<f64, VisionError> {
        if self.properties.contains_key(&format!("sightline.{key}")) {
            self.within(key, least, most)
        } else {
            Ok(or)
        }
    }

    /// A number of the file within bounds.
    pub fn within(&self, key: &str, least: f64, most: f64) -> Result<f64, VisionError> {
        let value: f64 = self.get(key)?;
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(self.wrong(format!(
            "its metadata sightline.{key} is {value}, but {least} to {most} is possible"
        )))
    }

    /// What the log-odds of a face count, its likeness, and besides, for the chance that it is right.
    pub fn sure(&self) -> Result<[f64; 3], VisionError> {
        Ok([
            self.within("sure_odds", 0.1, 10.0)?,
            self.within("sure_likeness", -100.0, 100.0)?,
            self.within("sure_bias", -100.0, 100.0)?,
        ])
    }

    pub fn wrong(&self, why: String) -> VisionError {
        VisionError::Model {
            path: self.path.clone(),
            why,
        }
    }
}

/// What a dimension of a model's input must be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dim {
    /// Left open by the model.
    Free,
    /// This, or left open.
    Is(i64),
    Any,
}

impl Dim {
    fn fits(self, dim: i64) -> bool {
        match self {
            Self::Free => dim < 0,
            Self::Is(n) => dim == n || dim < 0,
            Self::Any => true,
        }
    }
}

/// A model, ready to run.
pub(super) struct Model {
    pub info: ModelInfo,
    session: Session,
    input: String,
    output: String,
}

impl Model {
    /// Loads a model and refuses one that is not `kind` in version `version`, or whose input is not
    /// one float tensor of `dims`, or whose output has not `output_rank` dimensions.
    pub fn load(
        path: &Path,
        kind: &str,
        version: u32,
        dims: [Dim; 4],
        output_rank: usize,
        threads: usize,
    ) -> Result<Self, VisionError> {
        let wrong = |why: String| VisionError::Model {
            path: path.to_owned(),
            why,
        };
        let bytes = crate::copy::read_file(path).map_err(|e| {
            wrong(if e.kind() == std::io::ErrorKind::NotFound {
                format!("there is no such model: {TAKE_OURS}")
            } else {
                format!("the model cannot be read: {}", crate::copy::in_words(&e))
            })
        })?;
        if bytes.is_empty() {
            return Err(wrong(format!("is empty (0 bytes): {TAKE_OURS}")));
        }
        let properties = ModelProto::decode(bytes.as_slice())
            .map_err(|_| wrong("not an ONNX model".to_owned()))?
            .metadata_props
            .into_iter()
            .filter_map(|e| Some((e.key?, e.value?)))
            .collect();
        let sha256 = Sha256::digest(&bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        let info = ModelInfo {
            path: path.to_owned(),
            sha256,
            properties,
        };
        let found: String = info.get("model")?;
        let format: u32 = info.get("format")?;
        if found != kind || format != version {
            return Err(info.wrong(format!(
                "a {found} model of format {format}, but a {kind} of format {version} is needed: take the models that came with this program"
            )));
        }
        let environment = runtime::environment()?;
        let builder = Session::builder(environment).map_err(|e| info.wrong(e.to_string()))?;
        let builder = match runtime::shares() {
            true => builder
                .with_env_allocators()
                .unwrap_or_else(|e| e.recover()),
            false => builder,
        };
        let session = builder
            .with_optimization_level(GraphOptimizationLevel::Level3)
            .unwrap_or_else(|e| e.recover())
            .with_intra_threads(threads)
            .unwrap_or_else(|e| e.recover())
            // two models take turns: threads of the one that spin while the other runs cost it half its time
            .with_intra_op_spinning(false)
            .unwrap_or_else(|e| e.recover())
            // as many dice as lie there are read at once: a plan of the memory for each number of them would be kept
            .with_memory_pattern(false)
            .unwrap_or_else(|e| e.recover())
            .commit_from_memory(&bytes)
            .map_err(|e| {
                info.wrong(format!(
                    "the model cannot be loaded ({}): {TAKE_OURS}",
                    engine_words(&e.to_string())
                ))
            })?;
        let (input, output) = match (session.inputs(), session.outputs()) {
            ([i], [o]) => {
                let rank = |t: &ort::value::ValueType| t.tensor_shape().map(|s| s.len());
                let (ri, ro) = (rank(i.dtype()), rank(o.dtype()));
                if ri.is_some_and(|r| r != 4) || ro.is_some_and(|r| r != output_rank) {
                    return Err(info.wrong(format!(
                        "its input has {} and its output {} dimensions, but 4 and {output_rank} are needed",
                        ri.unwrap_or(0),
                        ro.unwrap_or(0)
                    )));
                }
                if let Some(shape) = i.dtype().tensor_shape()
                    && !shape.iter().zip(dims).all(|(d, want)| want.fits(*d))
                {
                    return Err(info.wrong(format!(
                        "its input is {:?}, which is not what this program gives it: take the models that came with it",
                        shape.iter().collect::<Vec<_>>()
                    )));
                }
                let float = |t: &ort::value::ValueType| {
                    t.tensor_type()
                        .is_none_or(|t| t == ort::value::TensorElementType::Float32)
                };
                if !float(i.dtype()) || !float(o.dtype()) {
                    return Err(info.wrong(
                        "its input and output are not both of 32-bit floats: take the models that came with this program".to_owned(),
                    ));
                }
                (i.name().to_owned(), o.name().to_owned())
            }
            (i, o) => {
                return Err(info.wrong(format!(
                    "it has {} inputs and {} outputs, but one of each is needed",
                    i.len(),
                    o.len()
                )));
            }
        };
        Ok(Self {
            info,
            session,
            input,
            output,
        })
    }

    /// Runs on one float tensor, shape `[n, c, h, w]`; returns the values of its output, which must be of shape `expected`.
    pub fn run(
        &mut self,
        shape: [usize; 4],
        data: &[f32],
        expected: &[usize],
    ) -> Result<Vec<f32>, VisionError> {
        let info = &self.info;
        let failed = |e: ort::Error| {
            info.wrong(format!(
                "the model does not run ({}): {TAKE_OURS}",
                engine_words(&e.to_string())
            ))
        };
        let dims: Vec<i64> = shape.iter().map(|d| *d as i64).collect();
        let tensor = TensorRef::from_array_view((dims, data)).map_err(failed)?;
        let outputs = self
            .session
            .run(ort::inputs![self.input.as_str() => tensor])
            .map_err(failed)?;
        let Some(value) = outputs.get(&self.output) else {
            return Err(info.wrong("the model gave no output".to_owned()));
        };
        let (shape, values) = value.try_extract_tensor::<f32>().map_err(failed)?;
        if !values.iter().all(|v| v.is_finite()) {
            return Err(info.wrong(format!(
                "the model is damaged (it answers with what is no number): {TAKE_OURS}"
            )));
        }
        if !shape
            .iter()
            .map(|d| *d as usize)
            .eq(expected.iter().copied())
        {
            return Err(info.wrong(format!(
                "its output is {:?}, but {expected:?} is expected",
                &shape[..]
            )));
        }
        Ok(values.to_vec())
    }
}

/// What an engine says, without the places of its own source and the signatures of its functions.
fn engine_words(message: &str) -> String {
    let is_code = |word: &str| {
        word.contains("::") || [".cc:", ".cpp:", ".h:"].iter().any(|at| word.contains(at))
    };
    let words: Vec<&str> = message.split_whitespace().collect();
    let from = words
        .iter()
        .rposition(|w| is_code(w))
        .map_or(0, |at| at + 1);
    match words.get(from..) {
        Some(said @ [_, ..]) => said.join(" ").trim_end_matches('.').to_owned(),
        _ => "the engine does not say why".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engines_source_is_not_shown() {
        let said = "Load model failed:/onnxruntime_src/onnxruntime/core/graph/model_load_utils.h:47 void onnxruntime::model_load_utils::Check(const std::unordered_map<std::string, int>&, const onnxruntime::logging::Logger&)\nONNX Runtime only guarantees support for opset 23.";
        assert_eq!(
            engine_words(said),
            "ONNX Runtime only guarantees support for opset 23"
        );
        assert_eq!(engine_words("no such\nthing"), "no such thing");
        assert_eq!(engine_words("a.cc:3 x::y()"), "the engine does not say why");
    }
}
