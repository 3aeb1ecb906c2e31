//! What a person or another program hands in: bounded, and refused in one sentence that names
//! the path in the JSON, where it is not about the whole of it.

use serde::de::DeserializeOwned;

use super::objects::Objects;

/// No position needs a megabyte; what is larger is not read at all.
pub const MAX_INPUT_BYTES: usize = 1 << 20;

/// Why an input is refused, as one sentence that says where and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// More than [`MAX_INPUT_BYTES`].
    #[error(
        "the input is larger than {MAX_INPUT_BYTES} bytes: a game's state is a few kilobytes, check that this is the right file"
    )]
    TooLarge,
    /// Not JSON, or not of the shape that `sightline schema` prints.
    #[error("{}{what} ({})", within(path), place(*line, *column))]
    Shape {
        /// Path in the JSON, such as `ships[1].square`.
        path: String,
        /// What is wrong there.
        what: String,
        /// Line in the input, from 1.
        line: usize,
        /// Column in the input, from 1; 0 at the end of a line that ends too soon.
        column: usize,
    },
    /// Of the right shape, and impossible.
    #[error("{path}: {what}")]
    Impossible {
        /// Path in the JSON, such as `setup.ships[1].square`.
        path: String,
        /// What is wrong there, and what to do.
        what: String,
    },
}

/// What the whole of an input is called where a part of it has a path.
const TOP: &str = "(top)";

/// Where in the JSON, before what is wrong there; of the whole of it nothing needs to be said.
fn within(path: &str) -> String {
    match path {
        TOP => String::new(),
        path => format!("{path}: "),
    }
}

/// Columns count from 1: what ends before a line's first character is at none.
fn place(line: usize, column: usize) -> String {
    match column {
        0 => format!("line {line}"),
        column => format!("line {line}, column {column}"),
    }
}

/// Reads a value from JSON text.
///
/// # Errors
///
/// [`InputError`] with the path in the JSON where it does not fit.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, InputError> {
    if bytes.len() > MAX_INPUT_BYTES {
        return Err(InputError::TooLarge);
    }
    // Some editors begin a file with a byte-order mark, which says nothing here.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let shape = |path: String, error: &serde_json::Error| {
        let what = error.to_string();
        // serde_json ends its sentence with the place, which has fields of its own here.
        let what = what
            .rsplit_once(" at line ")
            .map_or(what.as_str(), |(what, _)| what);
        let what = match error.classify() {
            serde_json::error::Category::Eof if bytes.trim_ascii().is_empty() => {
                "nothing stands here".to_owned()
            }
            serde_json::error::Category::Eof => "the JSON breaks off: it is not whole".to_owned(),
            serde_json::error::Category::Syntax if what == "expected value" => {
                "this is no JSON".to_owned()
            }
            _ => what.to_owned(),
        };
        InputError::Shape {
            path: if path == "." { TOP.into() } else { path },
            what,
            line: error.line(),
            column: error.column(),
        }
    };
    let value = serde_path_to_error::deserialize(Objects(&mut reader))
        .map_err(|error| shape(error.path().to_string(), error.inner()))?;
    reader.end().map_err(|error| shape(".".into(), &error))?;
    Ok(value)
}

/// Serde and schema for a noun that is told as text, by its `Display`, and never read.
macro_rules! told_as_text {
    ($type:ty, $name:literal, $what:literal) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $what })
            }
        }
    };
}
pub(crate) use told_as_text;

/// Serde and schema for a noun that is written as text: its `Display` and `FromStr`.
macro_rules! string_serde {
    ($type:ty, $name:literal, $what:literal) => {
        crate::rules::told_as_text!($type, $name, $what);

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                /// Says in its own words what is written here.
                struct Word;
                impl serde::de::Visitor<'_> for Word {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a word in quotes: ", $what))
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                d.deserialize_str(Word)
            }
        }
    };
}
pub(crate) use string_serde;
