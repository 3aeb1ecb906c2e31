//! `print.toml`: what is laid out on paper of a copy, by its drawings.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::Spanned;

use super::art::Art;
use crate::copy::{FileError, Source, in_words};

/// More of one thing than this is a slip of the hand.
const MOST: u32 = 200;

/// What to print, its drawings read. A drawing is named by its place in `art`.
#[derive(Debug)]
pub(super) struct PrintSet {
    pub title: String,
    /// A drawing for the first page, and what is written there.
    pub picture: Option<usize>,
    pub how_to: Vec<String>,
    pub boards: Vec<Card>,
    pub cards: Vec<Card>,
    pub dice: Vec<Cube>,
    pub pieces: Vec<Piece>,
    pub art: Vec<Art>,
}

/// A flat thing with one side: a display, or a board that may be larger than the paper.
#[derive(Debug)]
pub(super) struct Card {
    pub name: String,
    pub art: usize,
}

/// A die to fold.
#[derive(Debug)]
pub(super) struct Cube {
    pub name: String,
    pub count: u32,
    /// Top, left, front, right, back, bottom.
    pub faces: [usize; 6],
    /// Side of a sticker for a blank die of the same size.
    pub sticker_mm: f64,
}

/// A flat thing with two sides, glued back to back.
#[derive(Debug)]
pub(super) struct Piece {
    pub name: String,
    pub count: u32,
    pub front: usize,
    pub back: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFile {
    format: Spanned<u32>,
    title: Spanned<String>,
    picture: Option<Spanned<String>>,
    #[serde(default)]
    how_to: Vec<Spanned<String>>,
    #[serde(default)]
    boards: Vec<CardFile>,
    #[serde(default)]
    cards: Vec<CardFile>,
    #[serde(default)]
    dice: Vec<CubeFile>,
    #[serde(default)]
    pieces: Vec<PieceFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CardFile {
    name: Spanned<String>,
    art: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CubeFile {
    name: Spanned<String>,
    count: Spanned<u32>,
    faces: Spanned<Vec<Spanned<String>>>,
    sticker_mm: Spanned<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceFile {
    name: Spanned<String>,
    count: Spanned<u32>,
    front: Spanned<String>,
    back: Spanned<String>,
}

/// Reads a set's file and, once each, its drawings.
struct Reading<'a> {
    folder: &'a Path,
    source: &'a Source,
    art: Vec<Art>,
    known: HashMap<PathBuf, usize>,
}

impl PrintSet {
    /// Reads `folder/print.toml` and every drawing it names.
    ///
    /// # Errors
    /// The first thing that is wrong, with file, line and field.
    pub fn load(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join("print.toml");
        let source = Source::read(&path).map_err(|e| FileError::Unreadable {
            why: match e.kind() {
                std::io::ErrorKind::NotFound => {
                    "there is no such file: nothing says what to print of this copy".to_owned()
                }
                _ => in_words(&e),
            },
            path,
        })?;
        Self::parse(folder, &source)
    }

    fn parse(folder: &Path, source: &Source) -> Result<Self, FileError> {
        let file: SetFile = source.parse()?;
        if *file.format.get_ref() != 1 {
            let what = format!(
                "format = {}: this program reads format 1",
                file.format.get_ref()
            );
            return Err(source.wrong(&file.format, what));
        }
        let mut r = Reading {
            folder,
            source,
            art: Vec::new(),
            known: HashMap::new(),
        };
        let picture = match &file.picture {
            Some(p) => Some(r.art(p, "picture")?),
            None => None,
        };
        let how_to = file
            .how_to
            .iter()
            .map(|line| r.plain(line, "how_to"))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            title: r.plain(&file.title, "title")?,
            picture,
            how_to,
            boards: r.cards(&file.boards)?,
            cards: r.cards(&file.cards)?,
            dice: r.dice(&file.dice)?,
            pieces: r.pieces(&file.pieces)?,
            art: r.art,
        })
    }
}

impl Reading<'_> {
    /// Words that every printer has letters for.
    fn plain(&self, words: &Spanned<String>, field: &str) -> Result<String, FileError> {
        let text = words.get_ref();
        match text.chars().find(|c| !(' '..='~').contains(c)) {
            None => Ok(text.clone()),
            Some(c) => Err(self.source.wrong(
                words,
                format!("{field} = \"{text}\": '{c}' cannot be printed; use plain letters, digits and signs"),
            )),
        }
    }

    fn count(&self, count: &Spanned<u32>, of: &str) -> Result<u32, FileError> {
        let n = *count.get_ref();
        if (1..=MOST).contains(&n) {
            return Ok(n);
        }
        let what = format!("count of \"{of}\" is {n}: it is between 1 and {MOST}");
        Err(self.source.wrong(count, what))
    }

    fn art(&mut self, name: &Spanned<String>, field: &str) -> Result<usize, FileError> {
        let path = self.folder.join(name.get_ref());
        if let Some(at) = self.known.get(&path) {
            return Ok(*at);
        }
        if !path.is_file() {
            let what = format!("{field}: there is no file {}", path.display());
            return Err(self.source.wrong(name, what));
        }
        self.art.push(Art::load(&path)?);
        let at = self.art.len() - 1;
        self.known.insert(path, at);
        Ok(at)
    }

    fn size(&self, art: usize) -> [f64; 2] {
        self.art.get(art).map_or([0.0; 2], |a| a.size_mm)
    }

    fn cards(&mut self, files: &[CardFile]) -> Result<Vec<Card>, FileError> {
        files
            .iter()
            .map(|f| {
                let name = self.plain(&f.name, "name")?;
                let art = self.art(&f.art, &format!("art of \"{name}\""))?;
                Ok(Card { name, art })
            })
            .collect()
    }

    fn dice(&mut self, files: &[CubeFile]) -> Result<Vec<Cube>, FileError> {
        files
            .iter()
            .map(|f| {
                let name = self.plain(&f.name, "name")?;
                let field = format!("faces of \"{name}\"");
                let mut faces = Vec::new();
                for face in f.faces.get_ref() {
                    faces.push(self.art(face, &field)?);
                }
                let Ok(faces) = <[usize; 6]>::try_from(faces) else {
                    let what = format!(
                        "{field}: {} of them; a cube has 6 (top, left, front, right, back, bottom)",
                        f.faces.get_ref().len()
                    );
                    return Err(self.source.wrong(&f.faces, what));
                };
                let [side, _] = self.size(faces[0]);
                for (face, at) in f.faces.get_ref().iter().zip(faces) {
                    let [w, h] = self.size(at);
                    if (w - side).abs() > 0.01 || (h - side).abs() > 0.01 {
                        let what =
                            format!("{field}: this one is {w:.1} by {h:.1} mm; a cube's sides are squares of one size");
                        return Err(self.source.wrong(face, what));
                    }
                }
                let sticker_mm = *f.sticker_mm.get_ref();
                if !(3.0..=side).contains(&sticker_mm) {
                    let what = format!(
                        "sticker_mm = {sticker_mm}: a sticker is between 3 mm and the die's {side:.1} mm"
                    );
                    return Err(self.source.wrong(&f.sticker_mm, what));
                }
                Ok(Cube {
                    count: self.count(&f.count, &name)?,
                    name,
                    faces,
                    sticker_mm,
                })
            })
            .collect()
    }

    fn pieces(&mut self, files: &[PieceFile]) -> Result<Vec<Piece>, FileError> {
        files
            .iter()
            .map(|f| {
                let name = self.plain(&f.name, "name")?;
                let front = self.art(&f.front, &format!("front of \"{name}\""))?;
                let back = self.art(&f.back, &format!("back of \"{name}\""))?;
                if self.size(front) != self.size(back) {
                    let what = format!("back of \"{name}\": it is not as large as its front");
                    return Err(self.source.wrong(&f.back, what));
                }
                Ok(Piece {
                    count: self.count(&f.count, &name)?,
                    name,
                    front,
                    back,
                })
            })
            .collect()
    }
}
