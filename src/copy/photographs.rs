//! The photographs of an enrolment: files in `enrol/`, each called after the thing it shows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// The folder beside `owner.json` in which the photographs lie.
pub fn photographs_of(folder: &Path) -> PathBuf {
    folder.join("enrol")
}

/// Where a person's corners of a photograph stand: beside it, by its own name.
pub fn corners_beside(photograph: &Path) -> PathBuf {
    photograph.with_extension("corners.json")
}

/// Endings of the pictures that telephones and cameras make besides JPEG.
const OTHER_KINDS: [&str; 11] = [
    "avif", "bmp", "cr2", "dng", "gif", "heic", "heif", "nef", "tif", "tiff", "webp",
];

/// Photographs by what they are asked for as, without their endings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Photographs(BTreeMap<String, PathBuf>);

impl Photographs {
    /// Those in a folder, by the names of their files.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(enrol: &Path) -> io::Result<Self> {
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(enrol)? {
            let path = entry?.path();
            let ending = path
                .extension()
                .map(|e| e.to_string_lossy().to_ascii_lowercase());
            if matches!(ending.as_deref(), Some("jpg" | "jpeg" | "png"))
                && let Some(stem) = path.file_stem()
            {
                all.insert(stem.to_string_lossy().into_owned(), path);
            }
        }
        Ok(Self(all))
    }

    /// Pictures in a folder of kinds that nothing here reads.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn of_other_kinds(enrol: &Path) -> io::Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(enrol)? {
            let path = entry?.path();
            let ending = path.extension();
            let ending = ending.map(|e| e.to_string_lossy().to_ascii_lowercase());
            if ending.is_some_and(|e| OTHER_KINDS.contains(&e.as_str())) {
                all.push(path);
            }
        }
        all.sort();
        Ok(all)
    }

    /// Calls photographs by the names that they are asked for by, where these differ in `-`, `_` and letter case alone: a
    /// person who writes `mine-white` photographs `token_mine_white`. A file that is asked for by its very name serves that alone.
    #[must_use]
    pub fn serving(mut self, asked: &BTreeSet<String>) -> Self {
        let spare = self.0.keys().filter(|name| !asked.contains(*name));
        let mut spare: BTreeMap<String, String> =
            spare.map(|name| (alike(name), name.clone())).collect();
        for name in asked {
            if self.0.contains_key(name) {
                continue;
            }
            let path = spare.remove(&alike(name)).and_then(|s| self.0.remove(&s));
            self.0.extend(path.map(|path| (name.clone(), path)));
        }
        self
    }

    pub fn get(&self, name: &str) -> Option<&Path> {
        self.0.get(name).map(PathBuf::as_path)
    }

    pub fn take(&mut self, name: &str) -> Option<PathBuf> {
        self.0.remove(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }
}

/// A name as photographs are found by: `-`, `_` and letter case tell nothing apart.
pub fn alike(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(files: &[&str], asked: &[&str]) -> (tempfile::TempDir, Photographs) {
        let dir = tempfile::tempdir().expect("a folder");
        for file in files {
            fs::write(dir.path().join(file), "").expect("written");
        }
        let asked = asked.iter().map(|n| (*n).to_owned()).collect();
        let there = Photographs::list(dir.path()).expect("a folder");
        (dir, there.serving(&asked))
    }

    #[test]
    fn pictures_of_other_kinds_are_seen() {
        let (dir, there) = listed(&["board.HEIC", "token_a.webp", "notes.txt", "c.jpg"], &[]);
        let other = Photographs::of_other_kinds(dir.path()).expect("a folder");
        let names: Vec<_> = other.iter().filter_map(|p| p.file_name()).collect();
        assert_eq!(names, ["board.HEIC", "token_a.webp"]);
        assert_eq!(there.names().count(), 1);
    }

    #[test]
    fn dashes_and_letter_case_hide_no_photograph() {
        let files = [
            "token_mine_white.JPG",
            "Board.png",
            "notes.txt",
            "ship_white_N.jpg",
        ];
        let (_dir, mut there) = listed(&files, &["token_mine-white", "board"]);
        let file = |p: Option<&Path>| p.and_then(|p| p.file_name()).map(|n| n.to_owned());
        assert_eq!(
            file(there.get("token_mine-white")),
            Some("token_mine_white.JPG".into())
        );
        assert!(there.take("board").is_some());
        // what nothing asks for keeps its name
        let rest: Vec<&String> = there.names().collect();
        assert_eq!(rest, ["ship_white_N", "token_mine-white"]);
    }

    #[test]
    fn an_exact_name_comes_first() {
        let (_dir, there) = listed(
            &["die_a_X_1.png", "die_a_x_1.png"],
            &["die_a_x_1", "die_A_x_1"],
        );
        let names: Vec<&String> = there.names().collect();
        assert_eq!(names, ["die_A_x_1", "die_a_x_1"]);
        let (_dir, there) = listed(&["die_a_x_1.png"], &["die_a_X_1", "die_a_x_1"]);
        assert_eq!(there.get("die_a_X_1"), None, "it is another's");
    }

    #[test]
    fn corners_stand_beside_the_file_itself() {
        let at = corners_beside(Path::new("enrol/die_helm_v1.5_1.jpg"));
        assert_eq!(at, Path::new("enrol/die_helm_v1.5_1.corners.json"));
    }
}
