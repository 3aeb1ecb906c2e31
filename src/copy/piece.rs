//! Miniatures and tokens: what lies or stands on a board and is no die.

use std::{
    collections::HashSet,
    path::{Component, Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{means::Means, source::FileError, surface::Around};

/// A ship's miniature.
#[derive(Debug, Clone)]
pub struct Miniature {
    pub id: String,
    /// Which ship it is to the rules, e.g. `white`.
    pub means: Means,
    /// From nose to tail.
    pub length_mm: f64,
    pub views: Vec<MiniatureView>,
}

/// A picture of a miniature from above.
#[derive(Debug, Clone)]
pub struct MiniatureView {
    /// Where the nose points in the picture: 0 is up, clockwise, below 360.
    pub heading_deg: f64,
    pub picture: PathBuf,
}

/// A flat piece with one or two sides.
#[derive(Debug, Clone)]
pub struct Token {
    pub kind: String,
    pub outline: Outline,
    /// Diameter of a round one, between opposite edges of the others.
    pub size_mm: f64,
    pub sides: Vec<TokenSide>,
}

/// One side of a token.
#[derive(Debug, Clone)]
pub struct TokenSide {
    pub side: String,
    /// What it is to the rules, e.g. `mine`.
    pub means: Means,
    pub pictures: Vec<PathBuf>,
}

/// A token's outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outline {
    Round,
    Square,
    Hexagon,
    /// Any other; the pictures tell.
    Other,
}

impl Outline {
    /// How long the smallest rectangle about one is, of what measures 1 between opposite edges: a hexagon is longer from corner to corner.
    pub fn longest(self) -> f64 {
        match self {
            Self::Hexagon => 2.0 / 3.0_f64.sqrt(),
            Self::Round | Self::Square | Self::Other => 1.0,
        }
    }
}

/// `[[miniatures]]`, as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MiniatureFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    pub id: Spanned<String>,
    /// Which ship it is to the rules; its id where left out.
    #[schemars(with = "Option<String>")]
    means: Option<Spanned<String>>,
    /// From nose to tail, millimetres.
    #[schemars(with = "f64")]
    length_mm: Spanned<f64>,
    /// Pictures of it, turned in one way or several.
    views: Vec<ViewFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ViewFile {
    /// Where the nose points in the picture: 0 is up, clockwise, below 360.
    #[schemars(with = "f64")]
    heading_deg: Spanned<f64>,
    /// Seen from above, beside this file.
    #[schemars(with = "String")]
    picture: Spanned<String>,
}

/// `[[tokens]]`, as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenFile {
    /// The owner's word for it; each only once.
    #[schemars(with = "String")]
    pub kind: Spanned<String>,
    /// What it looks like from above: `round`, `square`, `hexagon` or `other`.
    outline: Outline,
    /// Diameter of a round one, between opposite edges of the others; millimetres.
    #[schemars(with = "f64")]
    size_mm: Spanned<f64>,
    /// One table for each of its sides.
    sides: Vec<SideFile>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SideFile {
    /// The owner's word for it; each only once a token.
    #[schemars(with = "String")]
    side: Spanned<String>,
    /// What it is to the rules; the side's own name where left out.
    #[schemars(with = "Option<String>")]
    means: Option<Spanned<String>>,
    /// Pictures of it from above, beside this file.
    #[schemars(with = "Vec<String>")]
    pictures: Vec<Spanned<String>>,
}

/// The file of a picture; `None` where it lies outside the copy's folder: a copy is one folder, which its owner may move or
/// give away.
pub(super) fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let plain = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    let all = Path::new(name).components().all(plain);
    all.then(|| folder.join(name))
}

/// A picture of `of`. One that is not there is noted: all else of the copy is as good without it.
pub(super) fn picture(
    around: &mut Around<'_>,
    name: &Spanned<String>,
    of: &str,
) -> Option<PathBuf> {
    let Some(file) = inside(around.folder, name.get_ref()) else {
        let what = format!(
            "pictures of {of}: {} lies outside the copy's folder, and is left out: put it into the folder",
            name.get_ref()
        );
        around.notes.push(around.source.about(name, what));
        return None;
    };
    if file.is_file() {
        return Some(file);
    }
    let what = format!(
        "pictures of {of}: there is no file {}; it is known by its other pictures alone, and without any not at all: enrol it again",
        file.display()
    );
    around.notes.push(around.source.about(name, what));
    None
}

impl MiniatureFile {
    pub(super) fn check(self, around: &mut Around<'_>) -> Result<Miniature, FileError> {
        let source = around.source;
        let id = self.id.get_ref().clone();
        let length_mm = *self.length_mm.get_ref();
        if !(5.0..=300.0).contains(&length_mm) {
            return Err(source.wrong(
                &self.length_mm,
                format!("length_mm = {length_mm}: a miniature is between 5 and 300 mm long"),
            ));
        }
        if self.views.is_empty() {
            let what = format!("views of miniature \"{id}\": none; it is known by at least one");
            return Err(source.wrong(&self.id, what));
        }
        let mut views = Vec::new();
        for v in self.views {
            let heading_deg = *v.heading_deg.get_ref();
            if !(0.0..360.0).contains(&heading_deg) {
                return Err(source.wrong(
                    &v.heading_deg,
                    format!("heading_deg = {heading_deg}: 0 is up, clockwise, below 360"),
                ));
            }
            let of = format!("miniature \"{id}\"");
            let picture = picture(around, &v.picture, &of);
            views.extend(picture.map(|picture| MiniatureView {
                heading_deg,
                picture,
            }));
        }
        Ok(Miniature {
            means: Means::of(source, self.means.as_ref(), &self.id),
            id,
            length_mm,
            views,
        })
    }
}

impl TokenFile {
    pub(super) fn check(self, around: &mut Around<'_>) -> Result<Token, FileError> {
        let source = around.source;
        let kind = self.kind.get_ref().clone();
        let size_mm = *self.size_mm.get_ref();
        if !(3.0..=200.0).contains(&size_mm) {
            return Err(source.wrong(
                &self.size_mm,
                format!("size_mm = {size_mm}: a token is between 3 and 200 mm across"),
            ));
        }
        if !(1..=2).contains(&self.sides.len()) {
            let what = format!(
                "sides of token \"{kind}\": {}; a token has one or two",
                self.sides.len()
            );
            return Err(source.wrong(&self.kind, what));
        }
        let mut names = HashSet::new();
        let mut sides = Vec::new();
        for s in self.sides {
            let side = s.side.get_ref().clone();
            if !names.insert(side.clone()) {
                let what = format!("side = \"{side}\": twice on token \"{kind}\"");
                return Err(source.wrong(&s.side, what));
            }
            if s.pictures.is_empty() {
                let what = format!(
                    "pictures of side \"{side}\": none; a side is known by at least one picture"
                );
                return Err(source.wrong(&s.side, what));
            }
            let of = format!("side \"{side}\" of token \"{kind}\"");
            let pictures = s
                .pictures
                .iter()
                .filter_map(|p| picture(around, p, &of))
                .collect();
            sides.push(TokenSide {
                means: Means::of(source, s.means.as_ref(), &s.side),
                side,
                pictures,
            });
        }
        Ok(Token {
            kind,
            outline: self.outline,
            size_mm,
            sides,
        })
    }
}
