//! Millimetres as they are told: rounded to a hundredth, so that a reason can be compared.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A length in millimetres, to a hundredth. Calls and reasons carry these; geometry itself
/// reckons in `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mm(i64);

impl Mm {
    /// The nearest hundredth; what is no number counts as nothing.
    pub fn new(mm: f64) -> Mm {
        // `as` saturates, and turns what is no number into 0.
        Mm((mm * 100.0).round() as i64)
    }

    /// In millimetres.
    pub fn mm(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl fmt::Display for Mm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} mm", self.mm())
    }
}

impl Serialize for Mm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.mm())
    }
}

impl JsonSchema for Mm {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Mm".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "description": "millimetres, to a hundredth" })
    }
}

/// The same for variances, which may be as small as the square of a thousandth of a radian: at
/// most a million, they have fifteen digits to a billionth.
pub(crate) fn settle_finely(x: f64) -> f64 {
    let settled = (x * 1e9).round() / 1e9;
    if settled == 0.0 { 0.0 } else { settled }
}

/// Rounded to a millionth: what is written as JSON reads back as the same number, which the
/// quick reader of `serde_json` promises for up to fifteen digits only.
pub(crate) fn settle(x: f64) -> f64 {
    let settled = (x * 1e6).round() / 1e6;
    // No negative nothing: it would be written as -0.0 and compare as equal, but read oddly.
    if settled == 0.0 { 0.0 } else { settled }
}
