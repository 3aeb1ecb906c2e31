//! What is wrong with an `owner.json`: its line and field.

use std::{collections::BTreeSet, path::Path};

use saphyr::{LoadableYamlNode, MarkedYaml, YamlData};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

/// What is wrong with an `owner.json`; as it is shown, without file and line: `die_mm.zap: is missing`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{what}", field.join("."), if field.is_empty() { "" } else { ": " })]
pub struct OwnerError {
    /// The names from the whole to the part that is meant, those of an element of a list by its place or its text; it need not be
    /// there, as where something is missing.
    pub field: Vec<String>,
    pub what: String,
    /// From 1, where the parser knows it.
    line: Option<usize>,
}

impl OwnerError {
    pub fn new(field: &[&str], what: impl Into<String>) -> Self {
        Self {
            field: field.iter().map(|step| (*step).to_owned()).collect(),
            what: what.into(),
            line: None,
        }
    }

    /// What serde says of a text that is no such file.
    pub(super) fn of_parser(field: &serde_path_to_error::Path, error: &serde_json::Error) -> Self {
        use serde_path_to_error::Segment;
        let steps = field.iter().filter_map(|step| match step {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } | Segment::Enum { variant: key } => Some(key.clone()),
            Segment::Unknown => None,
        });
        let (line, what) = (error.line(), error.to_string());
        let place = format!(" at line {line} column {}", error.column());
        Self {
            field: steps.collect(),
            what: in_words(what.replace(&place, "").trim_end_matches(','), field),
            line: (line > 0).then_some(line),
        }
    }

    /// One sentence with file, line and field.
    pub fn within(&self, path: &Path, text: &str) -> String {
        let path = path.display();
        match self.line.or_else(|| line_of(text, &self.field)) {
            Some(line) => format!("{path}:{line}: {self}"),
            None => format!("{path}: {self}"),
        }
    }
}

/// What a parser's sentence means for who wrote the file.
fn in_words(what: &str, field: &serde_path_to_error::Path) -> String {
    let of_a_list = matches!(
        field.iter().next_back(),
        Some(serde_path_to_error::Segment::Map { .. })
    );
    if what == "trailing characters" && of_a_list {
        return "has more in it than is wanted".to_owned();
    }
    // what is no JSON at all
    let no_json = [
        (
            "EOF while parsing an object",
            "the file ends before a closing brace }",
        ),
        (
            "EOF while parsing a list",
            "the file ends before a closing bracket ]",
        ),
        (
            "EOF while parsing a string",
            "a text is not closed by a quote",
        ),
        (
            "EOF while parsing a value",
            "the file ends where a value is wanted",
        ),
        ("trailing comma", "a comma too many stands before this"),
        (
            "expected `,` or `}`",
            "a comma, or a closing brace }, is missing before this",
        ),
        (
            "expected `,` or `]`",
            "a comma, or a closing bracket ], is missing before this",
        ),
        ("expected `:`", "a colon is missing before this"),
        (
            "key must be a string",
            "a name in straight quotes, as in \"helm\", is wanted here",
        ),
        (
            "expected value",
            "no value: texts stand in straight quotes, numbers have a point and no comma",
        ),
    ];
    if let Some((_, means)) = no_json.iter().find(|(parsers, _)| *parsers == what) {
        return (*means).to_owned();
    }
    let mut said = what
        .replace("invalid type: ", "is wrong: ")
        .replace("invalid value: ", "is wrong: ")
        .replace("invalid length ", "is wrong: there are so many in it: ");
    for (wanted, means) in [
        ("u32", "a whole number from 0 up is wanted"),
        ("f64", "a number is wanted"),
        ("a string", "a text in quotes is wanted"),
        ("a sequence", "a list in brackets is wanted"),
        ("a map", "names with values, in braces, are wanted"),
        (
            "an array of length 2",
            "a list of two numbers, as in [1, 2], is wanted",
        ),
    ] {
        if let Some(start) = said.strip_suffix(&format!(", expected {wanted}")) {
            said = format!("{start}; {means}");
        }
    }
    said
}

/// Refuses a text in which a name stands twice among the same fields: one of the two would be passed over.
///
/// # Errors
/// The first such name, or what is no JSON.
pub(super) fn each_name_once(text: &str) -> Result<(), OwnerError> {
    let mut track = serde_path_to_error::Track::new();
    let mut from = serde_json::Deserializer::from_str(text);
    let found = Once::deserialize(serde_path_to_error::Deserializer::new(
        &mut from, &mut track,
    ));
    found
        .map(drop)
        .map_err(|e| OwnerError::of_parser(&track.path(), &e))
}

/// Any value whose names are each other's only one.
struct Once;

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if names.contains(&name) {
                return Err(de::Error::custom(format!(
                    "\"{name}\" stands here twice: take one of them away"
                )));
            }
            map.next_value::<Self>()?;
            names.insert(name);
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self, A::Error> {
        while all.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// The line on which a field of a JSON text stands, or what is there of the way to it, from 1. JSON is YAML, whose parser says
/// where things stand.
pub fn line_of(text: &str, field: &[String]) -> Option<usize> {
    let documents = MarkedYaml::load_from_str(text).ok()?;
    let mut node = documents.first()?;
    let mut line = None;
    for step in field {
        let (at, inner) = match &node.data {
            YamlData::Mapping(map) => {
                let mut entries = map.iter();
                let entry = entries.find(|(key, _)| key.data.as_str() == Some(step));
                entry.map(|(key, inner)| (key.span.start.line(), inner))
            }
            YamlData::Sequence(items) => {
                let by_text = items.iter().find(|i| i.data.as_str() == Some(step));
                let by_place = step.parse().ok().and_then(|i: usize| items.get(i));
                let item = by_text.or(by_place);
                item.map(|item| (item.span.start.line(), item))
            }
            _ => None,
        }
        .unzip();
        let Some(inner) = inner else { break };
        (line, node) = (at, inner);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(field: &[&str]) -> Option<usize> {
        let text = "{\n\t\"die_mm\": 16,\n\t\"faces\": {\n\t\t\"zap\": [\"a\",\n\t\t\t\"b\"],\n\t\t\"1\": []},\n\t\"x.y\": {\"z\": 1}\n}\n";
        line_of(
            text,
            &field.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>(),
        )
    }

    #[test]
    fn a_field_has_the_line_of_its_name() {
        assert_eq!(line(&["die_mm"]), Some(2));
        assert_eq!(line(&["faces", "zap"]), Some(4));
        assert_eq!(line(&["faces", "zap", "b"]), Some(5));
        assert_eq!(line(&["faces", "zap", "0"]), Some(4));
        assert_eq!(line(&["faces", "1"]), Some(6));
        assert_eq!(line(&["x.y", "z"]), Some(7));
    }

    #[test]
    fn what_is_missing_has_the_line_of_what_it_is_missing_in() {
        assert_eq!(line(&["faces", "zip", "a"]), Some(3));
        assert_eq!(line(&["card_mm"]), None);
        assert_eq!(line_of("no JSON: {", &["a".to_owned()]), None);
    }

    #[test]
    fn it_is_told_with_file_line_and_field() {
        let wrong = OwnerError::new(&["faces", "zap"], "is wrong");
        let said = wrong.within(Path::new("owner.json"), "{\n\"faces\":\n{ \"zap\": 1 }}");
        assert_eq!(said, "owner.json:3: faces.zap: is wrong");
        let said = wrong.within(Path::new("owner.json"), "{}");
        assert_eq!(said, "owner.json: faces.zap: is wrong");
    }
}
