//! A file being written, whole or not at all: what lay there before stays until the new one is whole.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

/// Why a file could not be written; one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be written: {why}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub why: String,
}

impl WriteError {
    pub(crate) fn new(path: &Path, error: &io::Error) -> Self {
        Self {
            path: path.to_owned(),
            why: in_words(path, error),
        }
    }
}

/// Writes a person's file, beside it first.
///
/// # Errors
/// The folder is missing, may not be written, or the disk is full; the old file is as it was.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), WriteError> {
    put(path, bytes.as_ref()).map_err(|e| WriteError::new(path, &e))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    if there.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // a pipe or a device is no file that another may take the place of
    if there.as_ref().is_some_and(|t| !t.is_file()) {
        return fs::write(path, bytes);
    }
    let mut path = path.to_owned();
    if there.is_some() {
        // a link stays a link, and a file that may not be written stays as it is
        path = path.canonicalize()?;
        fs::OpenOptions::new().write(true).open(&path)?;
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // as any new file's, less what the user's mask takes away
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut beside = builder.tempfile_in(folder)?;
    beside.write_all(bytes)?;
    if let Some(there) = there {
        beside.as_file().set_permissions(there.permissions())?;
    }
    beside.persist(&path).map_err(|e| e.error)?;
    Ok(())
}

/// What an error of the file system means for the person who named the file to be written.
fn in_words(path: &Path, error: &io::Error) -> String {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => match path.parent() {
            Some(folder) if folder.is_dir() => {
                format!(
                    "in the folder {} no file can be made: name another place",
                    folder.display()
                )
            }
            Some(folder) if folder != Path::new("") => {
                format!("the folder {} is missing: make it first", folder.display())
            }
            _ => "its folder is missing: make it first".to_owned(),
        },
        Kind::PermissionDenied => {
            "this user may not write there: change the rights, or name another place".to_owned()
        }
        Kind::IsADirectory => "is a folder: name a file".to_owned(),
        Kind::NotADirectory => "a part of its name is a file, not a folder".to_owned(),
        Kind::StorageFull | Kind::QuotaExceeded => "the disk is full: make room".to_owned(),
        Kind::ReadOnlyFilesystem => {
            "nothing can be written to that disk: name another place".to_owned()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> String {
        write(path, "new").expect_err("refused").to_string()
    }

    #[test]
    fn errors_are_about_writing() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing");
        assert_eq!(
            refused(&missing.join("a.pdf")),
            format!(
                "{}: cannot be written: the folder {} is missing: make it first",
                missing.join("a.pdf").display(),
                missing.display()
            )
        );
        let here = in_words(&folder.path().join("a"), &io::ErrorKind::NotFound.into());
        assert!(
            here.ends_with("no file can be made: name another place"),
            "{here}"
        );
        assert!(refused(folder.path()).ends_with("is a folder: name a file"));
        let full = in_words(Path::new("a"), &io::ErrorKind::StorageFull.into());
        assert_eq!(full, "the disk is full: make room");
        let denied = in_words(Path::new("a"), &io::ErrorKind::PermissionDenied.into());
        assert!(denied.contains("may not write"), "{denied}");
    }

    /// Whoever writes into the file itself has emptied it before the disk is found full. A new file in its
    /// place is seen by a second name of the old one, which keeps what it held.
    #[test]
    #[cfg(unix)]
    fn the_old_file_is_not_written_into() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "old").expect("written");
        fs::set_permissions(at("a"), fs::Permissions::from_mode(0o640)).expect("set");
        fs::hard_link(at("a"), at("second")).expect("linked");
        std::os::unix::fs::symlink(at("a"), at("link")).expect("linked");
        write(&at("link"), "new").expect("written");
        assert_eq!(fs::read_to_string(at("second")).expect("read"), "old");
        assert_eq!(fs::read_to_string(at("a")).expect("read"), "new");
        assert!(at("link").is_symlink());
        let mode = fs::metadata(at("a")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 3);
        write(&at("fresh"), "new").expect("written");
        let mode = fs::metadata(at("fresh"))
            .expect("there")
            .permissions()
            .mode();
        assert_ne!(mode & 0o044, 0, "others may read it: {mode:o}");
    }
}
