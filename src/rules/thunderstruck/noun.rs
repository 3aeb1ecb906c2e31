//! Nouns that are written as text: their names, how they are read, and what is said of a text that
//! is none of them.

use std::fmt;

/// What is not a noun of the game, and what would have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {noun}: {hint}")]
pub struct ParseNounError {
    text: String,
    noun: &'static str,
    hint: String,
}

impl ParseNounError {
    pub(crate) fn new(text: &str, noun: &'static str, hint: impl fmt::Display) -> Self {
        ParseNounError {
            text: text.chars().take(60).collect(),
            noun,
            hint: hint.to_string(),
        }
    }
}

/// An enumeration with a name for each value: `ALL`, `name`, `Display`, `FromStr`, serde, schema.
macro_rules! noun {
    (
        $(#[$meta:meta])*
        $name:ident, $what:literal { $( $(#[$vmeta:meta])* $variant:ident = $text:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $( $(#[$vmeta])* $variant ),+ }

        impl $name {
            /// Every one of them.
            pub const ALL: &'static [$name] = &[ $( $name::$variant ),+ ];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $( $name::$variant => $text ),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::rules::thunderstruck::ParseNounError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $( $text => Ok($name::$variant), )+
                    _ => {
                        let names: &[&str] = &[ $( $text ),+ ];
                        let hint = format!("write {}", names.join(", "));
                        Err($crate::rules::thunderstruck::ParseNounError::new(text, $what, hint))
                    }
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "enum": [ $( $text ),+ ], "description": $what })
            }
        }
    };
}
pub(crate) use noun;
