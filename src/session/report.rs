//! What `read` prints: the contract of `sightline schema read`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    Judged, Session, TableCall,
    placing::{Placing, REGION_SIGMAS, rounded},
    scene::facing,
    surfaces::SurfaceReport,
};
use crate::{
    copy::{Shape, Status},
    rig::Sight,
    rules::{Because, Explain, Verdict, dice_duel::Facing},
    table::{Die, Piece, Table},
};

/// One picture, read. Pixels are those of the file; `null` where not known.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "read")]
pub struct PictureReport {
    pub image: String,
    /// Width and height.
    pub size: [u32; 2],
    /// Displays, boards and trays; `sure` where all their corners lie in the picture.
    pub surfaces: Vec<SurfaceReport>,
    pub dice: Vec<DieReport>,
    pub minis: Vec<MiniReport>,
    /// Tokens and crystals.
    pub tokens: Vec<TokenReport>,
    /// What the rules were given; see `sightline schema setup`.
    pub setup: Value,
    /// `{"code", "where", "what"}`, one for each thing that is wrong.
    pub problems: Vec<Value>,
    /// What may be announced.
    pub calls: Vec<SpokenCall>,
}

/// One die.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DieReport {
    pub shape: Shape,
    pub kind: Option<String>,
    /// The best guess, also when `unsure`.
    pub face: Option<String>,
    /// What the face is to the rules.
    pub means: Option<String>,
    pub status: Status,
    /// Whether `kind` is sure by itself: a die whose face is not may still lie where none of its kind belongs.
    pub kind_sure: bool,
    /// Chance that `face` is right; 0 where it is null.
    pub confidence: f64,
    /// The top face, clockwise from its own upper left.
    pub polygon: Vec<[f64; 2]>,
    #[serde(flatten)]
    pub placing: Placing,
    /// Clockwise from the surface's x axis; null for a face that looks the same after a turn.
    pub heading_deg: Option<f64>,
    pub next: Option<NextReport>,
}

/// A ship's miniature.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MiniReport {
    /// The best guess, also when `unsure`.
    pub id: String,
    pub surface: Option<String>,
    /// Column and row from the board's lower left; null beside all squares, and too near to an edge of one.
    pub square: Option<[u32; 2]>,
    /// At which edge its half of a square lies that two ships share; null where it has the square for itself.
    pub half: Option<Facing>,
    /// `N` is up as the board is read; null where the nose points between two ways, or cannot be told from the tail.
    pub facing: Option<Facing>,
    /// The middle of its foot, from the surface's upper left, x right, y down.
    pub at_mm: Option<[f64; 2]>,
    /// Clockwise from the surface's x axis.
    pub heading_deg: Option<f64>,
    /// Of all that is said of it.
    pub status: Status,
    /// Of which ship it is and where it stands, whichever way it faces: where a nose may be a tail, `status` is less.
    pub place_status: Status,
    pub confidence: f64,
}

/// A token, a mine or a crystal.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TokenReport {
    /// The best guess, also when `unsure`.
    pub kind: String,
    pub side: String,
    pub surface: Option<String>,
    /// As a miniature's.
    pub square: Option<[u32; 2]>,
    pub at_mm: Option<[f64; 2]>,
    pub status: Status,
    pub confidence: f64,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NextReport {
    pub face: String,
    pub confidence: f64,
}

/// A call with the words it is spoken in.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SpokenCall {
    pub text: String,
    pub verdict: Verdict,
    /// Each step, with the section of the rules it rests on.
    #[schemars(with = "Vec<String>")]
    pub because: Vec<Told>,
    /// Numbers of the dice it is about (in `read`: places in `dice`, from 1); empty where no single
    /// die decides it.
    pub dice: Vec<u64>,
    /// The call as data; see `sightline schema judgement`.
    pub call: Value,
}

/// A step of a call's reasons, in words; as JSON one string, with the rule in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub step: String,
    /// The game and section that it rests on.
    pub rule: String,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.step, self.rule)
    }
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<R: Explain> From<&Because<R>> for Told {
    fn from(because: &Because<R>) -> Self {
        Self {
            step: because.0.to_string(),
            rule: because.rule().to_string(),
        }
    }
}

impl From<&TableCall> for SpokenCall {
    fn from(TableCall { call, dice }: &TableCall) -> Self {
        Self {
            dice: dice.clone(),
            text: call.short(),
            verdict: call.verdict,
            because: call.because.iter().map(Told::from).collect(),
            call: serde_json::to_value(call).unwrap_or(Value::Null),
        }
    }
}

/// A chance to four digits, never more than it is: what is not certain is not 1.
fn chance(v: f64) -> f64 {
    (v * 1e4).floor() / 1e4
}

impl Session {
    /// A die in the words of the contract.
    pub fn describe(&self, die: &Die, sight: &Sight) -> DieReport {
        let r = &die.reading;
        let known = die.status() != Status::Unknown;
        let (kind, face) = if known {
            (r.kind.clone(), r.face.clone())
        } else {
            (None, None)
        };
        let means = kind
            .as_deref()
            .zip(face.as_deref())
            .and_then(|(k, f)| self.copy.means(k, f));
        let footing = self.footing(die, sight);
        DieReport {
            shape: die.shape,
            means: means.map(|m| m.1.to_owned()),
            placing: self.placed(die, footing.as_ref(), sight),
            kind,
            face,
            status: die.status(),
            kind_sure: die.status() == Status::Sure || known && r.kind_sure,
            confidence: if known { chance(r.confidence) } else { 0.0 },
            polygon: die
                .outline()
                .into_iter()
                .map(|p| p.map(|v| rounded(v, 2)))
                .collect(),
            // a face that looks the same after a turn does not say which way it lies
            heading_deg: footing
                .as_ref()
                .filter(|_| known && r.alike_after_deg == 360)
                .map(|f| rounded(f.lies.heading_deg, 1)),
            next: r.next.clone().filter(|_| known).map(|n| NextReport {
                face: n.face,
                confidence: chance(n.confidence),
            }),
        }
    }

    /// Miniatures in the words of the contract.
    pub fn minis(&self, table: &Table) -> Vec<MiniReport> {
        let pieces = table.pieces.iter();
        pieces.filter_map(|p| self.mini(p, table)).collect()
    }

    /// Tokens and crystals in the words of the contract.
    pub fn tokens(&self, table: &Table) -> Vec<TokenReport> {
        table.pieces.iter().filter_map(|p| self.token(p)).collect()
    }

    /// A miniature in the words of the contract; none of what is none.
    fn mini(&self, piece: &Piece, table: &Table) -> Option<MiniReport> {
        let is_mini = |p: &Piece| self.copy.miniatures.iter().any(|m| m.id == p.what);
        if !is_mini(piece) {
            return None;
        }
        let square = self.square_of(piece);
        let mut others = table
            .pieces
            .iter()
            .filter(|p| p.id != piece.id && is_mini(p));
        let other = others.find(|p| square.is_some() && self.square_of(p) == square);
        let at_mm = |p: &Piece| p.foot.lies.as_ref().map(|l| l.at_mm);
        let half = other.and_then(|o| Some((at_mm(piece)?, at_mm(o)?)));
        let half = half.map(|([x, y], [ox, oy])| match (x - ox).abs() > (y - oy).abs() {
            true if x < ox => Facing::W,
            true => Facing::E,
            false if y < oy => Facing::N,
            false => Facing::S,
        });
        Some(MiniReport {
            id: piece.what.clone(),
            surface: piece.foot.lies.as_ref().map(|l| l.surface.clone()),
            square,
            half,
            facing: piece.heading_deg.and_then(facing),
            at_mm: at_mm(piece).map(|p| p.map(|v| rounded(v, 2))),
            heading_deg: piece.heading_deg.map(|d| rounded(d.rem_euclid(360.0), 1)),
            status: piece.facing_status(),
            place_status: piece.status,
            confidence: chance(piece.confidence),
        })
    }

    fn token(&self, piece: &Piece) -> Option<TokenReport> {
        let (token, side) = self.copy.tokens.iter().find_map(|t| {
            let side = piece.what.strip_prefix(&t.kind)?.strip_prefix(' ')?;
            t.sides.iter().find(|s| s.side == side).map(|s| (t, s))
        })?;
        let lies = piece.foot.lies.as_ref();
        Some(TokenReport {
            kind: token.kind.clone(),
            side: side.side.clone(),
            surface: lies.map(|l| l.surface.clone()),
            square: self.square_of(piece),
            at_mm: lies.map(|l| l.at_mm.map(|v| rounded(v, 2))),
            status: piece.status,
            confidence: chance(piece.confidence),
        })
    }

    /// The square that a piece's foot is surely in.
    fn square_of(&self, piece: &Piece) -> Option<[u32; 2]> {
        let lies = piece.foot.lies.as_ref()?;
        let grid = self.surface(&lies.surface)?.grid.as_ref()?;
        let near = REGION_SIGMAS * lies.error_mm / grid.square_mm;
        let [x, y] = [0, 1].map(|i| (lies.at_mm[i] - grid.origin_mm[i]) / grid.square_mm);
        let inside = |v: f64, most: u32| {
            let part = v.rem_euclid(1.0);
            (0.0..f64::from(most)).contains(&v) && (near..1.0 - near).contains(&part)
        };
        (inside(x, grid.columns) && inside(y, grid.rows))
            .then(|| [x as u32, grid.rows - 1 - y as u32])
    }

    /// Everything known of one picture.
    pub fn report(
        &self,
        image: &str,
        sight: &Sight,
        table: &Table,
        judged: &Judged,
    ) -> PictureReport {
        PictureReport {
            image: image.to_owned(),
            size: sight.size_px(),
            surfaces: self.surfaces(sight),
            dice: table.dice.iter().map(|d| self.describe(d, sight)).collect(),
            minis: self.minis(table),
            tokens: self.tokens(table),
            setup: serde_json::to_value(&judged.setup).unwrap_or(Value::Null),
            problems: {
                let by_rules = judged.problems.iter().map(serde_json::to_value);
                let by_copy = judged.misplaced.iter().map(serde_json::to_value);
                by_rules.chain(by_copy).filter_map(Result::ok).collect()
            },
            calls: judged.calls.iter().map(SpokenCall::from).collect(),
        }
    }
}
