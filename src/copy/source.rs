//! A TOML file that a person wrote, and what is wrong in it: file, line and field.

use std::{
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
        Ok(Self::new(path, &fs::read_to_string(path)?))
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
        toml::from_str(&self.text).map_err(|e| {
            let what = e.message().trim().replace('\n', " ");
            self.note(e.span().map_or(0, |s| s.start), what).into()
        })
    }

    /// Refuses the file for what stands in one field.
    pub fn wrong<T>(&self, field: &Spanned<T>, what: String) -> FileError {
        self.about(field, what).into()
    }

    /// Says something about one field.
    pub fn about<T>(&self, field: &Spanned<T>, what: String) -> Note {
        self.note(field.span().start, what)
    }

    fn note(&self, offset: usize, what: String) -> Note {
        Note {
            path: self.path.clone(),
            line: self
                .text
                .get(..offset)
                .unwrap_or(&self.text)
                .matches('\n')
                .count()
                + 1,
            what,
        }
    }
}
