//! What `read` prints: the contract of `sightline schema read`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    Judged, Session, TableCall,
    placing::{Placing, rounded},
    surfaces::SurfaceReport,
};
use crate::{
    copy::{Shape, Status},
    rig::Sight,
    rules::Verdict,
    table::{Die, Table},
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
    pub minis: Vec<Value>,
    pub tokens: Vec<Value>,
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
    /// Chance that `face` is right; 0 where it is null.
    pub confidence: f64,
    /// The top face, clockwise from its own upper left.
    pub polygon: [[f64; 2]; 4],
    #[serde(flatten)]
    pub placing: Placing,
    /// Clockwise from the surface's x axis; null for a face that looks the same after a turn.
    pub heading_deg: Option<f64>,
    pub next: Option<NextReport>,
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
    pub because: Vec<String>,
    /// Numbers of the dice it is about (in `read`: places in `dice`, from 0); empty where no single
    /// die decides it.
    pub dice: Vec<u64>,
    /// The call as data; see `sightline schema judgement`.
    pub call: Value,
}

impl From<&TableCall> for SpokenCall {
    fn from(TableCall { call, dice }: &TableCall) -> Self {
        Self {
            dice: dice.clone(),
            text: call.to_string(),
            verdict: call.verdict,
            because: call.because.iter().map(ToString::to_string).collect(),
            call: serde_json::to_value(call).unwrap_or(Value::Null),
        }
    }
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
            confidence: if known { rounded(r.confidence, 4) } else { 0.0 },
            polygon: die.polygon.pairs().map(|p| p.map(|v| rounded(v, 2))),
            // a face that looks the same after a turn does not say which way it lies
            heading_deg: footing
                .as_ref()
                .filter(|_| known && r.alike_after_deg == 360)
                .map(|f| rounded(f.lies.heading_deg, 1)),
            next: r.next.clone().filter(|_| known).map(|n| NextReport {
                face: n.face,
                confidence: rounded(n.confidence, 4),
            }),
        }
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
            minis: Vec::new(),
            tokens: Vec::new(),
            setup: serde_json::to_value(&judged.setup).unwrap_or(Value::Null),
            problems: judged
                .problems
                .iter()
                .filter_map(|p| serde_json::to_value(p).ok())
                .collect(),
            calls: judged.calls.iter().map(SpokenCall::from).collect(),
        }
    }
}
