//! How the dice of a scene that were surely read lie, as `eval --scenes --each` prints it: `models/train/stance.py` fits on it whether they are tops.

use serde::Serialize;

use crate::{
    copy::Status,
    vision::{Sighting, Stance},
};

use super::eval_dice::Die;

/// What is no farther from a die's top than this part of its side is that die.
const IT: f64 = 0.5;

/// A die that was surely read, and what lies there.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Told {
    /// `die`
    form: &'static str,
    said: String,
    /// Nothing where no top lies so near.
    is: Option<String>,
    #[serde(flatten)]
    stance: Stance,
}

/// Of what was read, what was surely, beside the `dice` that truth has.
pub(super) fn told(read: &[(Sighting, Stance)], dice: &[Die]) -> Vec<Told> {
    let surely = read.iter();
    let surely = surely.filter(|(s, _)| s.reading.status == Status::Sure);
    let told = surely.map(|(s, stance)| {
        let at = s.polygon.centre();
        let off = |d: &Die| {
            let [x, y] = d.middle();
            (at.x - x).hypot(at.y - y) / d.side().max(1.0)
        };
        let near = dice.iter().filter(|d| off(d) < IT);
        let it = near.min_by(|a, b| off(a).total_cmp(&off(b)));
        let name = |kind: Option<&str>, face: Option<&str>| {
            format!("{} {}", kind.unwrap_or_default(), face.unwrap_or_default())
        };
        Told {
            form: "die",
            said: name(s.reading.kind.as_deref(), s.reading.face.as_deref()),
            is: it.map(|d| name(Some(&d.kind), d.symbol.as_deref())),
            stance: *stance,
        }
    });
    told.collect()
}
