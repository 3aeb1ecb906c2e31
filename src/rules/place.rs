//! A place whose content may be known, one of several, or unknown.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What a place holds. As JSON: the value, a list of the values it may be, or `null`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Place<T> {
    /// This and nothing else.
    Known(T),
    /// One of these.
    OneOf(Vec<T>),
    /// Anything that can lie there.
    #[default]
    Unknown,
}

impl<T> Place<T> {
    /// The content, where it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Place::Known(value) => Some(value),
            Place::OneOf(_) | Place::Unknown => None,
        }
    }

    /// What it may be; `None` where that is not even bounded.
    pub fn candidates(&self) -> Option<&[T]> {
        match self {
            Place::Known(value) => Some(std::slice::from_ref(value)),
            Place::OneOf(values) => Some(values),
            Place::Unknown => None,
        }
    }

    /// Whether the content is known.
    pub fn is_known(&self) -> bool {
        matches!(self, Place::Known(_))
    }
}

impl<T> From<T> for Place<T> {
    fn from(value: T) -> Self {
        Place::Known(value)
    }
}

impl<T: Serialize> Serialize for Place<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Place::Known(value) => value.serialize(serializer),
            Place::OneOf(values) => values.serialize(serializer),
            Place::Unknown => serializer.serialize_unit(),
        }
    }
}

impl<'de, T: de::DeserializeOwned> Deserialize<'de> for Place<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if value.is_null() {
            return Ok(Place::Unknown);
        }
        // A square is itself a list, so the single value is tried first.
        let single = match T::deserialize(&value) {
            Ok(value) => return Ok(Place::Known(value)),
            Err(error) => error,
        };
        let serde_json::Value::Array(values) = value else {
            return Err(de::Error::custom(single));
        };
        if values.is_empty() {
            return Err(de::Error::custom(
                "an empty list says that nothing is possible; write null for unknown",
            ));
        }
        // A list that is no list of such values may be meant as one value that is itself a list.
        let lists = |v: &serde_json::Value| v.is_array() || v.is_string();
        let single = (!values.iter().any(lists)).then_some(single);
        let mut values = values
            .into_iter()
            .map(|v| T::deserialize(v).map_err(de::Error::custom))
            .collect::<Result<Vec<T>, D::Error>>()
            .map_err(|error| single.map_or(error, de::Error::custom))?;
        // One of one is that one: every place has one way to be written.
        match (values.len(), values.pop()) {
            (1, Some(only)) => Ok(Place::Known(only)),
            (_, last) => {
                values.extend(last);
                Ok(Place::OneOf(values))
            }
        }
    }
}

impl<T: JsonSchema> JsonSchema for Place<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("PlaceOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({
            "description": "what it is, a list of what it may be, or null where it is unknown",
            "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }, { "type": "null" }]
        })
    }
}
