//! A TOML file that a person wrote, and what is wrong in it: file, line and field.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use toml::Spanned;

/// Why a file cannot be used; one sentence with file, line and field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("{}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error(transparent)]
    Field(#[from] Note),
}

/// Something about one line of a file; as a note, all else goes on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {what}", path.display())]
pub struct Note {
    pub path: PathBuf,
    /// From 1.
    pub line: usize,
    /// Begins with the field.
    pub what: String,
}

/// What an error of the file system means for the person who named the file.
pub fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file: check its name".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "this user may not read it: change its rights".to_owned()
        }
        io::ErrorKind::IsADirectory => "is a folder, but a file is wanted".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its name is a file, not a folder".to_owned(),
        io::ErrorKind::InvalidData => "is not text in UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// A file's bytes.
///
/// # Errors
/// As [`std::fs::read`]; and what is no regular file is refused, since a pipe may keep its reader waiting
/// for ever.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(io::Error::other(
            "is a pipe or a device, but a file is wanted",
        ));
    }
    fs::read(path)
}

/// A file's text, as [`read_file`].
///
/// # Errors
/// As [`read_file`], and what is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_file(path)?).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// A field as the file has it: `trays[0].corners_px`.
fn field(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut field = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => field += &format!("[{index}]"),
            // what `Spanned` puts between a field and its value
            Segment::Map { key } if key.starts_with("$__") => {}
            Segment::Map { key } | Segment::Enum { variant: key } => {
                if !field.is_empty() {
                    field.push('.');
                }
                field += key;
            }
            Segment::Unknown => {}
        }
    }
    field
}

/// What the parser says of a field, without Rust's names for what may stand there.
fn plainly(field: &str, message: &str) -> String {
    let told = |start: &str| {
        message
            .strip_prefix(start)
            .and_then(|rest| rest.split_once(", expected "))
    };
    if let Some((found, wanted)) = told("invalid type: ").or_else(|| told("invalid value: ")) {
        let found = match found.split_once(' ') {
            Some(("string", text)) => format!("the text {text}"),
            Some(("integer" | "boolean", value)) => value.trim_matches('`').to_owned(),
            Some(("floating", rest)) => rest
                .replace("point", "")
                .trim_matches([' ', '`'])
                .to_owned(),
            _ if found == "sequence" => "a list".to_owned(),
            _ if found == "map" => "a table".to_owned(),
            _ => found.to_owned(),
        };
        return format!(
            "{field}: {} is expected, but here is {found}",
            in_toml(wanted)
        );
    }
    if let Some((count, wanted)) = told("invalid length ") {
        return format!(
            "{field}: {} is expected, but here are {count}",
            in_toml(wanted)
        );
    }
    if (message.starts_with("missing field") || message.starts_with("unknown variant"))
        && !field.is_empty()
    {
        return format!("{field}: {message}");
    }
    message.to_owned()
}

/// What serde expects, as a person writes it.
fn in_toml(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not below 0,",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" => "text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        _ if wanted.starts_with("struct ") => "a table of fields",
        _ => {
            return wanted
                .strip_prefix("an array of length ")
                .map_or_else(|| wanted.to_owned(), |n| format!("a list of {n}"));
        }
    }
    .to_owned()
}

/// A file's text, with its name.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// # Errors
    /// [`std::io::Error`], for the caller to put into words.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(Self::new(path, &read_text(path)?))
    }

    pub fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// # Errors
    /// The first thing that is no TOML or not of `T`'s shape.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, FileError> {
        let words = |e: &toml::de::Error, field: &str| {
            plainly(field, &e.message().trim().replace('\n', " "))
        };
        let note = |e: &toml::de::Error, what: String| -> FileError {
            self.note(e.span().map_or(0, |s| s.start), what).into()
        };
        let twice = |e: &toml::de::Error| {
            let at = e.span().filter(|_| e.message().contains("duplicate key"));
            let key = at.and_then(|s| self.text.get(s)).map(str::trim);
            key.map(|key| format!("{key} stands here twice"))
        };
        let file = toml::Deserializer::parse(&self.text).map_err(|e| {
            let what = twice(&e).unwrap_or_else(|| format!("this is no TOML: {}", words(&e, "")));
            note(&e, what)
        })?;
        serde_path_to_error::deserialize(file)
            .map_err(|e| note(e.inner(), words(e.inner(), &field(e.path()))))
    }

    /// Refuses the file for what stands in one field.
    pub fn wrong<T>(&self, field: &Spanned<T>, what: String) -> FileError {
        self.about(field, what).into()
    }

    /// Says something about one field.
    pub fn about<T>(&self, field: &Spanned<T>, what: String) -> Note {
        self.note(field.span().start, what)
    }

    /// The line on which a field's value begins, from 1.
    pub fn line<T>(&self, field: &Spanned<T>) -> usize {
        self.line_at(field.span().start)
    }

    /// The lines on which the fields of one table stand, all that is in it and each by its path below it: `options.flak`,
    /// `board.starts[0]`.
    pub fn lines_of(&self, table: &str) -> BTreeMap<String, usize> {
        let mut lines = BTreeMap::new();
        if let Ok(root) = toml::de::DeTable::parse(&self.text) {
            let root = root.into_inner();
            let found = root.iter().find(|(key, _)| key.get_ref() == table);
            if let Some((_, value)) = found {
                self.lines_below(value, String::new(), &mut lines);
            }
        }
        lines
    }

    /// The deepest field that begins on this line, or on the last before it on which one does: `dice[2].faces[0].means`.
    pub fn field_at(&self, line: usize) -> Option<String> {
        let root = toml::de::DeTable::parse(&self.text).ok()?;
        let mut lines = BTreeMap::new();
        for (key, value) in root.get_ref() {
            lines.insert(key.get_ref().to_string(), self.line_at(key.span().start));
            self.lines_below(value, key.get_ref().to_string(), &mut lines);
        }
        let before = lines.into_iter().filter(|(_, at)| *at <= line);
        let last = before.max_by_key(|(path, at)| (*at, path.len()));
        last.map(|(path, _)| path)
    }

    fn lines_below(
        &self,
        value: &Spanned<toml::de::DeValue<'_>>,
        path: String,
        lines: &mut BTreeMap<String, usize>,
    ) {
        match value.get_ref() {
            toml::de::DeValue::Table(table) => {
                for (key, value) in table {
                    let dot = if path.is_empty() { "" } else { "." };
                    let path = format!("{path}{dot}{}", key.get_ref());
                    lines.insert(path.clone(), self.line_at(key.span().start));
                    self.lines_below(value, path, lines);
                }
            }
            toml::de::DeValue::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    let path = format!("{path}[{i}]");
                    lines.insert(path.clone(), self.line_at(item.span().start));
                    self.lines_below(item, path, lines);
                }
            }
            _ => {}
        }
    }

    fn line_at(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        before.matches('\n').count() + 1
    }

    fn note(&self, offset: usize, what: String) -> Note {
        Note {
            path: self.path.clone(),
            line: self.line_at(offset),
            what,
        }
    }
}
