//! The corners that a person gave for what a photograph shows, kept beside it as `NAME.corners.json`: four, or three of a face that has three,
//! for which the square about it stands.

use std::{io::ErrorKind, path::Path};

use super::{WriteError, in_words, read_text, write};
use crate::geometry::{Point, Quad, covered, square_about};

/// Corners that a person gave and those that are found by themselves share so much of either: where one was put right by hand, most.
const AS_FOUND: f64 = 0.5;
/// How far outside its photograph a corner that somebody gave may be, as a part of the photograph.
const BEYOND: f64 = 0.25;

/// Reads the file, if it is there.
///
/// # Errors
/// One sentence with the file's name, where it cannot be read or holds no corners in order.
pub fn read_corners(path: &Path) -> Result<Option<Quad>, String> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(format!("{}: {}", path.display(), in_words(&e))),
    };
    let wrong = |line: usize| {
        format!(
            "{}:{}: four corners are wanted, [[x, y], [x, y], [x, y], [x, y]], from the upper left, clockwise; of a face with three corners three, from the upper one",
            path.display(),
            line.max(1)
        )
    };
    let pairs: Vec<[f64; 2]> = serde_json::from_str(&text).map_err(|e| wrong(e.line()))?;
    let point = |[x, y]: [f64; 2]| Point::new(x, y);
    let corners = match *pairs.as_slice() {
        [a, b, c, d] => Quad::from_pairs([a, b, c, d]),
        [a, b, c] => square_about([a, b, c].map(point)),
        _ => return Err(wrong(1)),
    };
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

/// Whether corners that were given lie elsewhere than what is found by itself.
pub fn lie_elsewhere(given: &Quad, found: &Quad) -> bool {
    let (a, b) = (given.polygon(), found.polygon());
    covered(&a, &b).min(covered(&b, &a)) < AS_FOUND
}

/// Whether corners that were given lie outside a photograph of this width and height.
pub fn lie_beyond(given: &Quad, [w, h]: [u32; 2]) -> bool {
    let far = |v: f64, most: u32| !(-BEYOND..=1.0 + BEYOND).contains(&(v / f64::from(most)));
    given.0.iter().any(|p| far(p.x, w) || far(p.y, h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::triangle_in;

    #[test]
    fn corners_are_kept_and_wrong_ones_are_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("board.corners.json");
        assert_eq!(read_corners(&path), Ok(None));
        let quad = Quad::from_pairs([[1.25, 2.0], [90.0, 3.0], [91.0, 70.0], [0.0, 71.0]]);
        write_corners(&path, &quad).expect("written");
        let back = read_corners(&path).expect("read").expect("there");
        assert_eq!(back.pairs()[2], [91.0, 70.0]);
        std::fs::write(&path, "[[5, 1], [9, 8], [1, 8]]").expect("written");
        let three = read_corners(&path).expect("read").expect("there");
        let back = triangle_in(&three).expect("a triangle");
        assert!((back[1] - Point::new(9.0, 8.0)).norm() < 1e-6);
        for wrong in [
            "[[0, 0], [0, 9], [9, 9], [9, 0]]",
            "[1]",
            "[[0, 0], [0, 9], [9, 9]]",
        ] {
            std::fs::write(&path, wrong).expect("written");
            let said = read_corners(&path).expect_err("refused");
            assert!(said.contains("board.corners.json"), "{said}");
        }
    }

    #[test]
    fn corners_of_another_photograph_lie_elsewhere() {
        let square = |x: f64, side: f64| {
            Quad::from_pairs([
                [x, 100.0],
                [x + side, 100.0],
                [x + side, 100.0 + side],
                [x, 100.0 + side],
            ])
        };
        let found = square(100.0, 200.0);
        // put right by hand, a quarter of it and beside it
        assert!(!lie_elsewhere(&square(110.0, 185.0), &found));
        assert!(lie_elsewhere(&square(110.0, 90.0), &found));
        assert!(lie_elsewhere(&square(310.0, 200.0), &found));
        assert!(!lie_beyond(&square(-40.0, 200.0), [320, 320]));
        assert!(lie_beyond(&square(300.0, 200.0), [320, 320]));
    }
}
