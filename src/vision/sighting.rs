use crate::{
    copy::{Shape, Status},
    geometry::{Point, Quad},
};

/// One thing seen in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    pub shape: Shape,
    /// The detector's score for a die being here, 0 to 1. Not a chance: see `there`.
    pub score: f64,
    /// Chance that a die is here, 0 to 1: the detector's score and the print's likeness together.
    pub there: f64,
    /// The top face in pixels of the frame, from the symbol's own upper left, clockwise; of a face with three corners, the square about
    /// its middle that is as wide as its edges are long ([`Shape::outline`] has the face).
    pub polygon: Quad,
    /// Standard error of its middle along each of the frame's axes, as a part of its side.
    pub error: f64,
    pub reading: Reading,
}

/// What a top face was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Best guesses, also when `unsure`; `None` where nothing enrolled is anything like it.
    pub kind: Option<String>,
    pub face: Option<String>,
    pub status: Status,
    /// Chance that `face` is right, 0 to 1.
    pub confidence: f64,
    /// Whether `kind` is sure, whatever face it shows: what is known of a die of which only that is.
    pub kind_sure: bool,
    /// Cosine of the print's vector to that of the likest enrolled picture, -1 to 1.
    pub likeness: f64,
    /// The next best face.
    pub next: Option<Next>,
    /// The faces after that, likeliest first: what it may be where neither of the two makes sense.
    pub others: Vec<Next>,
    /// The face looks the same after this turn: 90, 180 or 360 degrees. What its heading may be is
    /// known up to that.
    pub alike_after_deg: u16,
}

impl Reading {
    /// Doubts that a die lies there with this print: neither its face nor its kind is sure any more.
    pub fn doubt(&mut self) {
        if self.status == Status::Sure {
            self.status = Status::Unsure;
        }
        self.kind_sure = false;
    }
}

/// A face that came second.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    pub kind: String,
    pub face: String,
    /// Chance that it is right, 0 to 1.
    pub confidence: f64,
}

/// What a piece is by its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A ship's miniature: it has a nose.
    Ship,
    /// Flat, with a print.
    Token,
    Crystal,
}

/// A miniature, a token or a crystal that one frame shows on a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceSighting {
    pub surface: String,
    pub form: Form,
    /// The copy's word for it: a miniature's id, or a token's kind and side with a blank between. The best guess
    /// also when unsure; `None` where nothing of the copy is anything like it.
    pub what: Option<String>,
    /// All that it may be, `what` among them; `None` for nothing of the copy.
    pub may_be: Vec<Option<String>>,
    pub status: Status,
    /// Chance that it is there and `what` is right, 0 to 1.
    pub confidence: f64,
    /// The middle of its foot, from the surface's upper left, x right, y down; with its standard error.
    pub at_mm: [f64; 2],
    pub error_mm: f64,
    /// From nose to tail, or across.
    pub size_mm: f64,
    /// Where its nose points, clockwise from the surface's x axis; `None` for what has no front, and where the nose
    /// cannot be told from the tail.
    pub heading_deg: Option<f64>,
    /// Whether it is liker so than turned by a quarter or a half: of a ship that is not, `status` says which it is and where it
    /// stands, and only that.
    pub heading_sure: bool,
    /// A square about its foot, in pixels of the frame.
    pub polygon: Quad,
    /// All of its print is seen, so that nothing else is there: of tokens only.
    pub bare: bool,
}

/// A die that was found on a surface by how the surface looks with it: its top face, not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Cube {
    pub surface: String,
    /// 0 to 1.
    pub score: f64,
    /// The top face of a die of the copy's size that stands there; pixels, clockwise from any corner.
    pub face: Quad,
    /// Its middle, half its edge over the surface.
    pub middle: Point,
}

/// What stands on the surfaces of one frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    pub pieces: Vec<PieceSighting>,
    /// Dice on surfaces, likely or not.
    pub cubes: Vec<Cube>,
    /// Parts of the picture that show neither a surface nor anything of the game; pixels.
    pub covers: Vec<Quad>,
    /// What they hide, by surface: quadrilaterals in its millimetres.
    pub hidden: Vec<(String, Quad)>,
}
