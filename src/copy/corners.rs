//! Four corners that a person gave for what a photograph shows, kept beside it as `NAME.corners.json`.

use std::{io::ErrorKind, path::Path};

use super::{WriteError, in_words, read_text, write};
use crate::geometry::Quad;

/// Reads the file, if it is there.
///
/// # Errors
/// One sentence with the file's name, where it cannot be read or holds no four corners in order.
pub fn read_corners(path: &Path) -> Result<Option<Quad>, String> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(format!("{}: {}", path.display(), in_words(&e))),
    };
    let pairs: [[f64; 2]; 4] = serde_json::from_str(&text).map_err(|e| {
        format!(
            "{}:{}: four corners are wanted, [[x, y], [x, y], [x, y], [x, y]], from the upper left, clockwise",
            path.display(),
            e.line().max(1)
        )
    })?;
    let corners = Quad::from_pairs(pairs);
    if !corners.is_clockwise() {
        return Err(format!(
            "{}: the corners are not clockwise from the upper left",
            path.display()
        ));
    }
    Ok(Some(corners))
}

/// Writes the file, to a tenth of a pixel.
///
/// # Errors
/// A folder that cannot be written to, or a full disk.
pub fn write_corners(path: &Path, corners: &Quad) -> Result<(), WriteError> {
    let tenth = |v: f64| (v * 10.0).round() / 10.0;
    let pairs = corners.pairs().map(|p| p.map(tenth));
    write(path, format!("{pairs:?}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_kept_and_wrong_ones_are_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("board.corners.json");
        assert_eq!(read_corners(&path), Ok(None));
        let quad = Quad::from_pairs([[1.25, 2.0], [90.0, 3.0], [91.0, 70.0], [0.0, 71.0]]);
        write_corners(&path, &quad).expect("written");
        let back = read_corners(&path).expect("read").expect("there");
        assert_eq!(back.pairs()[2], [91.0, 70.0]);
        for wrong in ["[[0, 0], [0, 9], [9, 9], [9, 0]]", "[1]"] {
            std::fs::write(&path, wrong).expect("written");
            let said = read_corners(&path).expect_err("refused");
            assert!(said.contains("board.corners.json"), "{said}");
        }
    }
}
