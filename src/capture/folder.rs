//! A folder or list of pictures, read as a recording.

use std::{
    cmp::Ordering,
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{CameraId, CaptureError, Frame, Next, Source, still};

/// Pictures one after the other on a clock of so many a second. A file that cannot be read keeps its
/// place on the clock and comes as [`Next::Skipped`].
#[derive(Debug)]
pub struct Folder {
    camera: CameraId,
    files: VecDeque<PathBuf>,
    frames_per_second: f64,
    sequence: u64,
    notes: Vec<String>,
}

impl Folder {
    /// Every `.jpg`, `.jpeg` and `.png` in `folder` (not in folders below it) in natural order: `die2`
    /// before `die10`.
    ///
    /// # Errors
    /// The folder cannot be read or holds no picture, or `frames_per_second` is not above zero.
    pub fn open(folder: &Path, frames_per_second: f64) -> Result<Self, CaptureError> {
        let unreadable = |error: std::io::Error| {
            CaptureError::file(
                folder,
                format!(
                    "cannot be read ({}): name a folder of pictures",
                    crate::copy::in_words(&error)
                ),
            )
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if is_picture(&path) && !path.is_dir() {
                files.push(path);
            }
        }
        if files.is_empty() {
            return Err(CaptureError::file(
                folder,
                "holds no picture (.jpg, .jpeg, .png): name a folder of pictures",
            ));
        }
        files.sort_by(|a, b| natural(&name(a), &name(b)).then_with(|| a.cmp(b)));
        Self::new(folder, files, frames_per_second)
    }

    /// The files as they are given.
    ///
    /// # Errors
    /// No file is named, or `frames_per_second` is not above zero.
    pub fn from_files(files: Vec<PathBuf>, frames_per_second: f64) -> Result<Self, CaptureError> {
        let Some(first) = files.first().cloned() else {
            return Err(CaptureError::file(
                Path::new(""),
                "name at least one picture",
            ));
        };
        Self::new(first.parent().unwrap_or(&first), files, frames_per_second)
    }

    fn new(
        folder: &Path,
        files: Vec<PathBuf>,
        frames_per_second: f64,
    ) -> Result<Self, CaptureError> {
        // The clock must hold the last picture; a day for each picture is slow enough.
        if !(frames_per_second.is_finite() && frames_per_second > 1e-5) {
            return Err(CaptureError::file(
                folder,
                format!("{frames_per_second} pictures a second is no clock: give a rate above 0"),
            ));
        }
        Ok(Self {
            camera: CameraId(name(folder)),
            files: files.into(),
            frames_per_second,
            sequence: 0,
            notes: Vec::new(),
        })
    }

    /// Calls the camera `camera` instead of by the folder's name.
    #[must_use]
    pub fn named(mut self, camera: CameraId) -> Self {
        self.camera = camera;
        self
    }
}

impl Source for Folder {
    fn camera(&self) -> &CameraId {
        &self.camera
    }

    fn is_live(&self) -> bool {
        false
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn next(&mut self) -> Result<Next, CaptureError> {
        let Some(file) = self.files.pop_front() else {
            return Ok(Next::End);
        };
        let sequence = self.sequence;
        self.sequence += 1;
        let (picture, note) = match still::load(&file) {
            Ok(loaded) => loaded,
            Err(error) => return Ok(Next::Skipped(error)),
        };
        self.notes.extend(note);
        Ok(Next::Frame(Frame {
            picture,
            at: Duration::from_secs_f64(sequence as f64 / self.frames_per_second),
            captured: None,
            sequence,
            camera: self.camera.clone(),
            file: Some(file),
        }))
    }
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// By the end of its name; hidden files are not meant.
fn is_picture(path: &Path) -> bool {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    !name(path).starts_with('.') && matches!(ending.as_deref(), Some("jpg" | "jpeg" | "png"))
}

/// Digits compare as numbers, letters without regard to case.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (digits_a, digits_b) = (leading_digits(a), leading_digits(b));
        if !digits_a.is_empty() && !digits_b.is_empty() {
            let (x, y) = (
                digits_a.trim_start_matches('0'),
                digits_b.trim_start_matches('0'),
            );
            let order = x.len().cmp(&y.len()).then_with(|| x.cmp(y));
            if order.is_ne() {
                return order;
            }
            (a, b) = (&a[digits_a.len()..], &b[digits_b.len()..]);
            continue;
        }
        let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
        match (rest_a.next(), rest_b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => {
                let order = x.to_lowercase().cmp(y.to_lowercase());
                if order.is_ne() {
                    return order;
                }
            }
        }
        (a, b) = (rest_a.as_str(), rest_b.as_str());
    }
}

fn leading_digits(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_people_count() {
        let mut names = [
            "b1",
            "a10.jpg",
            "a2.jpg",
            "A3.jpg",
            "a02b",
            "a",
            "a99999999999999999999999",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "a",
                "a2.jpg",
                "a02b",
                "A3.jpg",
                "a10.jpg",
                "a99999999999999999999999",
                "b1"
            ]
        );
    }
}
