//! Kinds of dice and their faces.

use std::{collections::HashSet, path::PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{piece::picture, source::FileError, surface::Around};
use crate::geometry::{Point, Quad, TRIANGLE, corners_in, square_of};

/// What is printed on a copy's dice: pips are read by a model that knows nothing better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Prints {
    /// Pips on every face of every die.
    Pips,
    /// Anything.
    #[default]
    Any,
}

/// One kind of die: all its faces carry prints of one family.
#[derive(Debug, Clone)]
pub struct DieKind {
    pub kind: String,
    pub shape: Shape,
    /// How high the top face lies over what the die lies on, in millimetres: a cube's edge.
    pub size_mm: f64,
    /// The owner's word for its body's colour, where one kind comes in several.
    pub colour: Option<String>,
    /// How many of them each player's ship has; the rules' default where `None`.
    pub each: Option<u32>,
    /// What the kind is to the rules, e.g. `energy`.
    pub means: Option<String>,
    /// Likeness below which a print is none of this kind's; the model's own where `None`.
    pub near: Option<Near>,
    /// Where the number that counts stands.
    pub read: Read,
    pub faces: Vec<Face>,
    /// Line of `copy.toml` on which `kind` stands, from 1.
    pub line: usize,
}

/// One symbol of a die kind.
#[derive(Debug, Clone)]
pub struct Face {
    pub face: String,
    /// What the symbol is to the rules, e.g. `J2` or `4`.
    pub means: String,
    /// How many of the die's faces carry it; odds are counted with it.
    pub count: u32,
    /// Pictures of the upright face with a margin round it.
    pub pictures: Vec<PathBuf>,
    /// Line of `copy.toml` on which `face` stands, from 1.
    pub line: usize,
}

/// How like an enrolled face a print must be to be one of its kind's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number, or \"pictures\",")]
pub enum Near {
    /// A cosine.
    Is(f64),
    From(NearFrom),
}

/// What says how like it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NearFrom {
    /// The pictures of the kind's own faces: each is left out once and compared with the others of its face.
    Pictures,
}

/// Where on a die that lies the number that counts stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Read {
    /// On the face that is up.
    Top,
    /// Upright beside the point that is up, on every side that is seen: one way to print a d4.
    Point,
    /// Upright along the edges that lie on the table: the other way.
    Base,
}

/// What a detector can tell apart without knowing a copy.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    D4,
    D6,
    D8,
    D10,
    D12,
    D20,
    /// A paper octahedron, as Diceland's dice are.
    Octahedron,
}

impl Shape {
    pub const ALL: [Self; 7] = [
        Self::D4,
        Self::D6,
        Self::D8,
        Self::D10,
        Self::D12,
        Self::D20,
        Self::Octahedron,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::D4 => "d4",
            Self::D6 => "d6",
            Self::D8 => "d8",
            Self::D10 => "d10",
            Self::D12 => "d12",
            Self::D20 => "d20",
            Self::Octahedron => "octahedron",
        }
    }

    /// How many faces a die of this shape has.
    pub fn faces(self) -> u32 {
        match self {
            Self::D4 => 4,
            Self::D6 => 6,
            Self::D8 | Self::Octahedron => 8,
            Self::D10 => 10,
            Self::D12 => 12,
            Self::D20 => 20,
        }
    }

    /// The corners of its top face in the unit square that stands for it (y down), from its own upper (left) one, clockwise: of triangles about
    /// their middle and as wide as their edges are long; of a d12 about the circle that touches all edges, of a d10, which has the corner at its pole first, with a circle
    /// that touches them three fifths as wide. A d4 has the face it lies on instead.
    fn in_unit(self) -> &'static [[f64; 2]] {
        // a flat kite whose pole is as high as its girdle is wide by half
        const KITE: [[f64; 2]; 4] = [
            [0.5, -0.184_7],
            [0.901_3, 0.639_0],
            [0.5, 0.833_3],
            [0.098_7, 0.639_0],
        ];
        const PENTAGON: [[f64; 2]; 5] = [
            [0.5, -0.118_033_988_749_9],
            [1.087_785_252_292_5, 0.309_016_994_374_9],
            [0.863_271_264_002_7, 1.0],
            [0.136_728_735_997_3, 1.0],
            [-0.087_785_252_292_5, 0.309_016_994_374_9],
        ];
        match self {
            Self::D6 => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Self::D10 => &KITE,
            Self::D12 => &PENTAGON,
            Self::D4 | Self::D8 | Self::D20 | Self::Octahedron => &TRIANGLE,
        }
    }

    /// The corners of its top face, from its own upper (left) one, clockwise, in pixels: a sighting has four of any shape, those of the square
    /// that stands for the face.
    pub fn outline(self, square: &Quad) -> Vec<Point> {
        match self {
            Self::D6 => square.0.to_vec(),
            _ => corners_in(self.in_unit(), square).unwrap_or_default(),
        }
    }

    /// The square that stands for a face with these corners; `None` where they are not its.
    pub fn square(self, corners: &[Point]) -> Option<Quad> {
        square_of(self.in_unit(), corners)
    }

    /// Of the square that stands for a face, the part about the circle that touches all edges: where its print is read.
    pub fn printed(self, square: &Quad) -> Quad {
        match self {
            Self::D6 | Self::D12 => *square,
            Self::D10 => square.scaled(0.6),
            Self::D4 | Self::D8 | Self::D20 | Self::Octahedron => {
                square.scaled(1.0 / 3.0_f64.sqrt())
            }
        }
    }

    /// How high the face that stands for a die of this size lies over what the die lies on: its top face, and of a d4 the one it stands on.
    pub fn face_mm(self, size_mm: f64) -> f64 {
        match self {
            Self::D4 => 0.0,
            _ => size_mm,
        }
    }

    /// In how many turns its top face looks the same but for its print.
    pub fn turns(self) -> usize {
        match self {
            Self::D10 => 1,
            Self::D12 => 5,
            Self::D6 => 4,
            Self::D4 | Self::D8 | Self::D20 | Self::Octahedron => 3,
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Every name, for a sentence.
    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

/// `[[dice]]`, as it is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DieFile {
    /// The owner's word for it.
    #[schemars(with = "String")]
    pub kind: Spanned<String>,
    /// `d4`, `d6`, `d8`, `d10`, `d12`, `d20` or `octahedron`.
    #[schemars(with = "String")]
    shape: Spanned<String>,
    /// How high the top face lies over what the die lies on, in millimetres: a cube's edge.
    #[schemars(with = "f64")]
    size_mm: Spanned<f64>,
    /// The owner's word for its body's colour, where one kind comes in several.
    colour: Option<String>,
    /// How many of them each player's ship has, 1 to 100; the rules' default where left out.
    #[schemars(with = "Option<u32>")]
    each: Option<Spanned<u32>>,
    /// What this kind is to the rules, e.g. `energy`.
    means: Option<String>,
    /// Likeness (-1 to 1) below which a print is none of this kind's, or `"pictures"` (enrolment writes that): what leaving one
    /// of its pictures out says, anew for each model. The model's own where left out.
    #[schemars(with = "Option<Near>")]
    near: Option<Spanned<Near>>,
    /// Where the number that counts stands: `top` (where left out), or on a `d4`, which must say it,
    /// `point` (beside the point that is up) or `base` (along the lower edges).
    #[schemars(with = "Option<Read>")]
    read: Option<Spanned<Read>>,
    /// One table for each symbol.
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
    #[schemars(with = "Option<u32>")]
    count: Option<Spanned<u32>>,
    /// Pictures of the upright face, beside this file.
    #[schemars(with = "Vec<String>")]
    pictures: Vec<Spanned<String>>,
}

impl DieFile {
    pub(super) fn check(self, around: &mut Around<'_>) -> Result<DieKind, FileError> {
        let source = around.source;
        let kind = self.kind.get_ref().clone();
        let Some(shape) = Shape::from_name(self.shape.get_ref()) else {
            let what = format!(
                "shape = \"{}\": no such shape; there is {}",
                self.shape.get_ref(),
                Shape::names()
            );
            return Err(source.wrong(&self.shape, what));
        };
        if kind.trim().is_empty() {
            return Err(source.wrong(&self.kind, "kind is empty: give the dice a name".to_owned()));
        }
        let size_mm = *self.size_mm.get_ref();
        if !(3.0..=100.0).contains(&size_mm) {
            return Err(source.wrong(
                &self.size_mm,
                format!("size_mm = {size_mm}: a die's top face lies between 3 and 100 mm up"),
            ));
        }
        if let Some(field) = &self.near
            && let Near::Is(near) = field.get_ref()
            && !(-1.0..=1.0).contains(near)
        {
            let what = format!("near = {near}: a likeness lies between -1 and 1");
            return Err(source.wrong(field, what));
        }
        if let Some(each) = self
            .each
            .as_ref()
            .filter(|n| !(1..=100).contains(n.get_ref()))
        {
            let what = format!(
                "each = {}: a ship has 1 to 100 dice of a kind",
                each.get_ref()
            );
            return Err(source.wrong(each, what));
        }
        let read = self.read.as_ref().map_or(Read::Top, |r| *r.get_ref());
        if (shape == Shape::D4) != (read != Read::Top) {
            let what = if shape == Shape::D4 {
                format!(
                    "read of kind \"{kind}\": a d4 has no face on top: say read = \"point\" where the number that counts stands beside the point that is up, \"base\" where it stands along the lower edges"
                )
            } else {
                format!(
                    "read of kind \"{kind}\": a {} is read on its top face: leave it out",
                    shape.name()
                )
            };
            return Err(match &self.read {
                Some(r) => source.wrong(r, what),
                None => source.wrong(&self.shape, what),
            });
        }
        let mut names = HashSet::new();
        let mut faces = Vec::new();
        let mut total = 0_u32;
        for f in self.faces.get_ref() {
            let face = f.face.get_ref().clone();
            if !names.insert(face.clone()) {
                return Err(source.wrong(
                    &f.face,
                    format!(
                        "face = \"{face}\": twice on one die; use count for a symbol on several faces"
                    ),
                ));
            }
            if face.trim().is_empty() {
                return Err(
                    source.wrong(&f.face, "face is empty: give the symbol a name".to_owned())
                );
            }
            if let Some(count) = f.count.as_ref().filter(|c| *c.get_ref() == 0) {
                let what = format!(
                    "count of face \"{face}\" is 0: leave the face out, or say on how many faces it stands"
                );
                return Err(source.wrong(count, what));
            }
            if f.pictures.is_empty() {
                let what = format!(
                    "pictures of face \"{face}\": none; a face is known by at least one picture"
                );
                return Err(source.wrong(&f.face, what));
            }
            let of = format!("face \"{face}\"");
            let pictures = f
                .pictures
                .iter()
                .filter_map(|p| picture(around, p, &of))
                .collect();
            let count = f.count.as_ref().map_or(1, |c| *c.get_ref());
            total = total.saturating_add(count);
            faces.push(Face {
                means: f.means.clone().unwrap_or_else(|| face.clone()),
                face,
                count,
                pictures,
                line: source.line(&f.face),
            });
        }
        if total > shape.faces() {
            let what = format!(
                "faces of kind \"{kind}\": {total} in all, but a {} has {}",
                shape.name(),
                shape.faces()
            );
            return Err(source.wrong(&self.faces, what));
        }
        Ok(DieKind {
            kind,
            shape,
            size_mm,
            colour: self.colour,
            each: self.each.map(Spanned::into_inner),
            means: self.means,
            near: self.near.map(Spanned::into_inner),
            read,
            faces,
            line: source.line(&self.kind),
        })
    }
}
