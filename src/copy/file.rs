//! `copy.toml`: read, checked, refused with file, line and field.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::{Copy, DieKind, Face, Shape};

/// Why a copy cannot be used; one sentence with file, line and field.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{}: no copy here: a copy is a folder with a copy.toml in it", .0.display())]
    Missing(PathBuf),
    #[error("{}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{}:{line}: {what}", path.display())]
    Field {
        path: PathBuf,
        line: usize,
        what: String,
    },
}

/// The file as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "copy.toml")]
pub struct CopyFile {
    /// Version of this format; 1.
    #[schemars(with = "u32")]
    format: Spanned<u32>,
    name: String,
    /// The rules that are played with it: `dice-duel`.
    #[schemars(with = "String")]
    game: Spanned<String>,
    dice: Vec<DieFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DieFile {
    /// The owner's word for it.
    #[schemars(with = "String")]
    kind: Spanned<String>,
    /// `d6`.
    #[schemars(with = "String")]
    shape: Spanned<String>,
    /// Edge length in millimetres.
    #[schemars(with = "f64")]
    size_mm: Spanned<f64>,
    /// What this kind is to the rules, e.g. `energy`.
    means: Option<String>,
    #[schemars(with = "Vec<FaceFile>")]
    faces: Spanned<Vec<FaceFile>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FaceFile {
    /// The owner's word for the symbol.
    #[schemars(with = "String")]
    face: Spanned<String>,
    /// What the symbol is to the rules, e.g. `J2`; the face's own name where left out.
    means: Option<String>,
    /// How many faces of the die carry it; 1 where left out.
    count: Option<u32>,
    /// Pictures of the upright face, beside this file.
    #[schemars(with = "Vec<String>")]
    pictures: Spanned<Vec<String>>,
}

/// Reads `folder/copy.toml`.
///
/// # Errors
/// The first thing that is wrong, with file, line and field.
pub fn load(folder: &Path) -> Result<Copy, CopyError> {
    let path = folder.join("copy.toml");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(CopyError::Missing(folder.to_owned()));
        }
        Err(e) => {
            return Err(CopyError::Unreadable {
                path,
                why: e.to_string(),
            });
        }
    };
    parse(folder, &path, &text)
}

fn parse(folder: &Path, path: &Path, text: &str) -> Result<Copy, CopyError> {
    let at = |offset: usize, what: String| CopyError::Field {
        path: path.to_owned(),
        line: text.get(..offset).unwrap_or(text).matches('\n').count() + 1,
        what,
    };
    let file: CopyFile = toml::from_str(text).map_err(|e| {
        at(
            e.span().map_or(0, |s| s.start),
            e.message().trim().replace('\n', " "),
        )
    })?;
    if *file.format.get_ref() != 1 {
        return Err(at(
            file.format.span().start,
            format!(
                "format = {}: this program reads format 1",
                file.format.get_ref()
            ),
        ));
    }
    if file.game.get_ref() != "dice-duel" {
        return Err(at(
            file.game.span().start,
            format!(
                "game = \"{}\": no such rules here; there is dice-duel",
                file.game.get_ref()
            ),
        ));
    }
    let mut kinds = HashSet::new();
    let mut dice = Vec::new();
    for die in file.dice {
        let kind = die.kind.get_ref().clone();
        if !kinds.insert(kind.clone()) {
            return Err(at(
                die.kind.span().start,
                format!("kind = \"{kind}\": there are two die kinds of that name"),
            ));
        }
        let Some(shape) = Shape::from_name(die.shape.get_ref()) else {
            return Err(at(
                die.shape.span().start,
                format!(
                    "shape = \"{}\": no such shape; there is d6",
                    die.shape.get_ref()
                ),
            ));
        };
        let size_mm = *die.size_mm.get_ref();
        if !(3.0..=60.0).contains(&size_mm) {
            return Err(at(
                die.size_mm.span().start,
                format!("size_mm = {size_mm}: a die's edge is between 3 and 60 mm"),
            ));
        }
        let mut names = HashSet::new();
        let mut faces = Vec::new();
        let mut total = 0_u32;
        let faces_at = die.faces.span().start;
        for f in die.faces.into_inner() {
            let face = f.face.get_ref().clone();
            if !names.insert(face.clone()) {
                return Err(at(
                    f.face.span().start,
                    format!(
                        "face = \"{face}\": twice on one die; use count for a symbol on several faces"
                    ),
                ));
            }
            if f.pictures.get_ref().is_empty() {
                return Err(at(
                    f.pictures.span().start,
                    format!(
                        "pictures of face \"{face}\": none; a face is known by at least one picture"
                    ),
                ));
            }
            let mut pictures = Vec::new();
            for name in f.pictures.get_ref() {
                let file = folder.join(name);
                if !file.is_file() {
                    return Err(at(
                        f.pictures.span().start,
                        format!(
                            "pictures of face \"{face}\": there is no file {}",
                            file.display()
                        ),
                    ));
                }
                pictures.push(file);
            }
            let count = f.count.unwrap_or(1);
            total = total.saturating_add(count);
            faces.push(Face {
                means: f.means.unwrap_or_else(|| face.clone()),
                face,
                count,
                pictures,
            });
        }
        if total > shape.faces() {
            return Err(at(
                faces_at,
                format!(
                    "faces of kind \"{kind}\": {total} in all, but a {} has {}",
                    shape.name(),
                    shape.faces()
                ),
            ));
        }
        dice.push(DieKind {
            kind,
            shape,
            size_mm,
            means: die.means,
            faces,
        });
    }
    Ok(Copy {
        folder: folder.to_owned(),
        name: file.name,
        game: file.game.into_inner(),
        dice,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse(
            Path::new("somewhere"),
            Path::new("somewhere/copy.toml"),
            text,
        )
        .expect_err("must be refused")
        .to_string()
    }

    const HEAD: &str = "format = 1\nname = \"x\"\ngame = \"dice-duel\"\n";

    #[test]
    fn errors_name_file_line_and_field() {
        assert_eq!(
            refused("format = 2\nname = \"x\"\ngame = \"dice-duel\"\ndice = []\n"),
            "somewhere/copy.toml:1: format = 2: this program reads format 1"
        );
        assert!(
            refused(&format!("{HEAD}dice = []\ncolour = 3\n"))
                .starts_with("somewhere/copy.toml:5: unknown field `colour`")
        );
        let shape =
            format!("{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d7\"\nsize_mm = 16.0\nfaces = []\n");
        assert_eq!(
            refused(&shape),
            "somewhere/copy.toml:6: shape = \"d7\": no such shape; there is d6"
        );
        let size =
            format!("{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d6\"\nsize_mm = 0.5\nfaces = []\n");
        assert!(refused(&size).contains("copy.toml:7: size_mm = 0.5"));
        let missing = format!(
            "{HEAD}[[dice]]\nkind = \"a\"\nshape = \"d6\"\nsize_mm = 16.0\n[[dice.faces]]\nface = \"1\"\npictures = [\"no.png\"]\n"
        );
        assert!(
            refused(&missing).contains("copy.toml:10: pictures of face \"1\": there is no file")
        );
    }
}
