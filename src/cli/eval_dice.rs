//! Dice of whole tables, held against the truth.

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    UserError,
    eval::{Share, share},
    eval_reliability::{Bin, Said},
    eval_scenes::{Spread, spread},
    eval_slices::{Slice, Slices, View},
};
use crate::{
    copy::{Status, in_words, read_text},
    session::{DieReport, PictureReport},
};

/// Lines of sight up to which a foot is asked to be known well.
const STEEP_DEG: f64 = 45.0;
/// A die is clear where so much of its top face is seen.
const CLEAR: f64 = 0.9;
/// It is readable where so much of the whole die is seen, and where its top face agrees with its own print so well and so
/// much better than with any other of its copy.
pub(super) const VISIBLE: f64 = 0.8;
const AGREES: f64 = 0.8;
const APART: f64 = 0.03;
/// A top face whose middle lies nearer to the picture's edge is cut off, pixels.
const RIM_PX: f64 = 10.0;
/// A reading belongs to a die whose top face's middle is nearer than this part of its side.
const NEAR: f64 = 0.5;

/// How well the top faces that pictures show agree with their own prints (`readability.json`), by picture (`FOLDER/NAME`)
/// and the object's number.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Readability(BTreeMap<String, BTreeMap<String, Agreement>>);

#[derive(Debug, Deserialize)]
struct Agreement {
    /// Normalised correlation with its own print.
    ncc: f64,
    /// How much less the likest other print of the copy has.
    margin: f64,
}

impl Readability {
    const FILE: &str = "readability.json";

    /// The file in `dir`, or beside it; `None` where there is none.
    pub fn beside(dir: &Path) -> anyhow::Result<Option<Self>> {
        for path in [dir.join(Self::FILE), dir.join("..").join(Self::FILE)] {
            let text = match read_text(&path) {
                Ok(text) => text,
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => {
                    return Err(UserError(format!("{}: {}", path.display(), in_words(&e))).into());
                }
            };
            return serde_json::from_str(&text)
                .map(Some)
                .map_err(|e| UserError(format!("{}: {e}", path.display())).into());
        }
        Ok(None)
    }

    /// Whether a person could read it there. What the file does not name could not be.
    pub fn is_readable(&self, picture: &str, object: u64) -> bool {
        let die = self.0.get(picture).and_then(|p| p.get(&object.to_string()));
        die.is_some_and(|a| a.ncc >= AGREES && a.margin >= APART)
    }
}

/// A die, as the truth has it.
#[derive(Debug, Clone)]
pub(super) struct Die {
    pub kind: String,
    pub symbol: Option<String>,
    /// Its top face.
    pub top_px: Vec<[f64; 2]>,
    /// Of the whole die.
    pub visible: f64,
    /// Of its top face.
    pub face_visible: f64,
    /// Whether its print can be read; `None` where nobody says.
    pub agrees: Option<bool>,
    /// The zone it lies in; `None` where that is not asked for.
    pub zone: Option<String>,
    /// The surface it lies on, and where its foot is there.
    pub foot: Option<(String, [f64; 2])>,
    /// It stands on another die: its foot is that much higher than the surface.
    pub stacked: bool,
    pub view: View,
}

impl Die {
    pub fn middle(&self) -> [f64; 2] {
        middle(&self.top_px)
    }

    /// Square root of the top face's area, pixels.
    pub fn side(&self) -> f64 {
        let [ax, ay, bx, by] = match self.top_px.as_slice() {
            [a, b, c, d] => [c[0] - a[0], c[1] - a[1], d[0] - b[0], d[1] - b[1]],
            _ => return 0.0,
        };
        ((ax * by - ay * bx).abs() / 2.0).sqrt()
    }
}

fn middle(corners: &[[f64; 2]]) -> [f64; 2] {
    let n = corners.len().max(1) as f64;
    corners
        .iter()
        .fold([0.0, 0.0], |[x, y], p| [x + p[0] / n, y + p[1] / n])
}

/// What came of some dice.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n: u64,
    found: u64,
    kind: u64,
    face: u64,
    zones: u64,
    zone: u64,
    zone_sure: u64,
    right: u64,
    sure: u64,
}

impl Counts {
    fn add(&mut self, o: &Self) {
        self.n += o.n;
        self.found += o.found;
        self.kind += o.kind;
        self.face += o.face;
        self.zones += o.zones;
        self.zone += o.zone;
        self.zone_sure += o.zone_sure;
        self.right += o.right;
        self.sure += o.sure;
    }

    fn figures(&self) -> Counted {
        Counted {
            found: share(self.found, self.n),
            kind: share(self.kind, self.n),
            face: share(self.face, self.n),
            zone: share(self.zone, self.zones),
            zone_sure: share(self.zone_sure, self.zones),
            right: share(self.right, self.n),
            sure: share(self.sure, self.n),
        }
    }
}

/// Shares of all that are asked for: what was not found is not right.
#[derive(Debug, Serialize)]
struct Counted {
    found: Share,
    kind: Share,
    face: Share,
    /// Of those whose zone is asked for.
    zone: Share,
    zone_sure: Share,
    /// Kind, face and, where it is asked for, zone.
    right: Share,
    /// Kind and face.
    sure: Share,
}

impl std::fmt::Display for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "found {}; kind {}; face {}; zone {}, sure {}; all three {}; sure {}",
            self.found, self.kind, self.face, self.zone, self.zone_sure, self.right, self.sure
        )
    }
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    clear: Counts,
    readable: Counts,
    slices: Slices,
    /// All readings of dice that are sure, whether a person could read them or not.
    sure: u64,
    wrong_and_sure: u64,
    zones_sure: u64,
    zones_wrong_and_sure: u64,
    /// Dice of which the kind alone is sure, and the zones of those that are.
    kind_sure: u64,
    kind_wrong_and_sure: u64,
    kind_zones_sure: u64,
    kind_zones_wrong_and_sure: u64,
    feet_mm: Vec<f64>,
    /// Of dice read surely.
    sure_feet_mm: Vec<f64>,
    /// Of those seen at no more than [`STEEP_DEG`] off the vertical.
    steep_feet_mm: Vec<f64>,
    /// Of dice that stand on others, which are in none of these.
    stacked_feet_mm: Vec<f64>,
    /// What readings of dice that were found say of themselves.
    said: Said,
    /// What is wrong, a line each.
    pub wrong: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// Dice of whose top face nine tenths are seen.
    dice: Counted,
    /// Dice that a person could read; nothing where there is no `readability.json`.
    readable: Option<Counted>,
    /// Of all that is said to be surely a die of some kind and face: what is another, or none.
    dice_wrong_and_sure: Share,
    zones_wrong_and_sure: Share,
    /// Of dice of which the kind is sure and the face is not: what is another kind, or none; and of their zones that are sure.
    kinds_wrong_and_sure: Share,
    zones_wrong_and_sure_of_those: Share,
    feet_mm: Spread,
    sure_feet_mm: Spread,
    /// Of dice seen at up to 45 degrees off the vertical.
    feet_to_45_deg_mm: Spread,
    /// Of dice that stand on other dice; all the others are of dice that stand on their surface.
    stacked_feet_mm: Spread,
    /// How often readings of clear dice are right, by the chance that they say.
    reliability: Vec<Bin>,
    /// Of the readable dice, or of the clear ones where nobody says which are.
    dice_by: Vec<Slice>,
}

impl Tally {
    pub fn add(&mut self, o: &Self) {
        self.clear.add(&o.clear);
        self.readable.add(&o.readable);
        self.slices.add(&o.slices);
        self.sure += o.sure;
        self.wrong_and_sure += o.wrong_and_sure;
        self.zones_sure += o.zones_sure;
        self.zones_wrong_and_sure += o.zones_wrong_and_sure;
        self.kind_sure += o.kind_sure;
        self.kind_wrong_and_sure += o.kind_wrong_and_sure;
        self.kind_zones_sure += o.kind_zones_sure;
        self.kind_zones_wrong_and_sure += o.kind_zones_wrong_and_sure;
        self.feet_mm.extend(&o.feet_mm);
        self.sure_feet_mm.extend(&o.sure_feet_mm);
        self.steep_feet_mm.extend(&o.steep_feet_mm);
        self.stacked_feet_mm.extend(&o.stacked_feet_mm);
        self.said.extend(&o.said);
    }

    pub fn figures(&self) -> Figures {
        Figures {
            dice: self.clear.figures(),
            readable: (self.readable.n > 0).then(|| self.readable.figures()),
            dice_wrong_and_sure: share(self.wrong_and_sure, self.sure),
            zones_wrong_and_sure: share(self.zones_wrong_and_sure, self.zones_sure),
            kinds_wrong_and_sure: share(self.kind_wrong_and_sure, self.kind_sure),
            zones_wrong_and_sure_of_those: share(
                self.kind_zones_wrong_and_sure,
                self.kind_zones_sure,
            ),
            feet_mm: spread(&self.feet_mm),
            sure_feet_mm: spread(&self.sure_feet_mm),
            feet_to_45_deg_mm: spread(&self.steep_feet_mm),
            stacked_feet_mm: spread(&self.stacked_feet_mm),
            reliability: self.said.bins(),
            dice_by: self.slices.figures(),
        }
    }

    /// Holds a picture's readings against the dice that it shows, or hides.
    pub fn compare(&mut self, report: &PictureReport, dice: &[Die]) {
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (t, die) in dice.iter().enumerate() {
            for (r, read) in report.dice.iter().enumerate() {
                let ([ax, ay], [bx, by]) = (die.middle(), middle(&read.polygon));
                let away = (ax - bx).hypot(ay - by);
                if away < NEAR * die.side() {
                    pairs.push((away, t, r));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut of: Vec<Option<usize>> = vec![None; dice.len()];
        let mut taken = vec![false; report.dice.len()];
        for (_, t, r) in pairs {
            if of[t].is_none() && !taken[r] {
                (of[t], taken[r]) = (Some(r), true);
            }
        }
        for (die, read) in dice.iter().zip(&of) {
            let read = read.and_then(|r| report.dice.get(r));
            self.compare_one(die, read, report);
        }
        // what is left is where no die is
        let rest = report.dice.iter().zip(&taken);
        let of_kind_only = |d: &DieReport| d.kind_sure && d.status != Status::Sure;
        let none = rest
            .clone()
            .filter(|(d, taken)| of_kind_only(d) && !**taken);
        let none = none.count() as u64;
        self.kind_sure += none;
        self.kind_wrong_and_sure += none;
        for (read, _) in rest.filter(|(d, taken)| d.status == Status::Sure && !**taken) {
            self.sure += 1;
            self.wrong_and_sure += 1;
            let [x, y] = middle(&read.polygon);
            self.wrong.push(format!(
                "{}: at {x:.0}, {y:.0} there is no die: read {}",
                report.image,
                in_short(Some(read))
            ));
        }
    }

    fn compare_one(&mut self, die: &Die, read: Option<&DieReport>, report: &PictureReport) {
        let kind = read.is_some_and(|r| r.kind.as_deref() == Some(&die.kind));
        let face = kind && read.is_some_and(|r| r.face == die.symbol);
        let sure = read.is_some_and(|r| r.status == Status::Sure);
        self.sure += u64::from(sure);
        self.wrong_and_sure += u64::from(sure && !face);
        let kind_only = !sure && read.is_some_and(|r| r.kind_sure);
        self.kind_sure += u64::from(kind_only);
        self.kind_wrong_and_sure += u64::from(kind_only && !kind);
        let placing = read.map(|r| &r.placing);
        let zone_sure = placing.is_some_and(|p| p.zone_status == Status::Sure);
        let zone = die.zone.as_ref().map(|want| {
            let right = placing.is_some_and(|p| p.zone.as_ref() == Some(want));
            self.zones_sure += u64::from(zone_sure);
            self.zones_wrong_and_sure += u64::from(zone_sure && !right);
            if kind_only {
                self.kind_zones_sure += u64::from(zone_sure);
                self.kind_zones_wrong_and_sure += u64::from(zone_sure && !right);
            }
            right
        });
        let [w, h] = report.size.map(f64::from);
        let [x, y] = die.middle();
        let inside = (RIM_PX..w - RIM_PX).contains(&x) && (RIM_PX..h - RIM_PX).contains(&y);
        let clear = die.face_visible >= CLEAR && inside;
        let readable = die.agrees.map(|agrees| agrees && die.visible >= VISIBLE);
        let right = face && zone != Some(false);
        let counts = Counts {
            n: 1,
            found: u64::from(read.is_some()),
            kind: u64::from(kind),
            face: u64::from(face),
            zones: u64::from(zone.is_some()),
            zone: u64::from(zone == Some(true)),
            zone_sure: u64::from(zone.is_some() && zone_sure),
            right: u64::from(right),
            sure: u64::from(sure),
        };
        if clear {
            self.clear.add(&counts);
            if let Some(r) = read.filter(|r| r.status != Status::Unknown) {
                self.said.add(r.confidence, face);
            }
        }
        if readable == Some(true) {
            self.readable.add(&counts);
        }
        let astray = zone == Some(false) && zone_sure;
        if sure && !face || astray || readable.unwrap_or(clear) && !right {
            self.wrong.push(format!(
                "{}: at {x:.0}, {y:.0} {} {} {}: read {}",
                report.image,
                die.kind,
                die.symbol.as_deref().unwrap_or("?"),
                die.zone.as_deref().unwrap_or("somewhere"),
                in_short(read)
            ));
        }
        if readable.unwrap_or(clear) {
            self.slices.count(&die.view, right, sure);
        }
        if let (true, Some(p), Some((surface, [tx, ty]))) = (clear, placing, &die.foot)
            && let (Some([x, y]), true) = (p.at_mm, p.surface.as_ref() == Some(surface))
        {
            let off = (x - tx).hypot(y - ty);
            if die.stacked {
                self.stacked_feet_mm.push(off);
                return;
            }
            self.feet_mm.push(off);
            if sure {
                self.sure_feet_mm.push(off);
            }
            if die.view.slant_deg.is_some_and(|deg| deg <= STEEP_DEG) {
                self.steep_feet_mm.push(off);
            }
        }
    }
}

fn in_short(read: Option<&DieReport>) -> String {
    let Some(r) = read else {
        return "nothing".to_owned();
    };
    let or_none = |s: &Option<String>| s.clone().unwrap_or_else(|| "none".to_owned());
    format!(
        "{} {} {} ({} {:.3}, zone {})",
        or_none(&r.kind),
        or_none(&r.face),
        or_none(&r.placing.zone),
        r.status.name(),
        r.confidence,
        r.placing.zone_status.name()
    )
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "  feet      {}; of sure dice {}; up to {STEEP_DEG} degrees off the vertical {}; of dice on other dice {}",
            self.feet_mm, self.sure_feet_mm, self.feet_to_45_deg_mm, self.stacked_feet_mm
        )?;
        writeln!(f, "  clear     {}", self.dice)?;
        if let Some(readable) = &self.readable {
            writeln!(f, "  readable  {readable}")?;
        }
        for slice in &self.dice_by {
            writeln!(f, "  {slice}")?;
        }
        for bin in &self.reliability {
            writeln!(f, "  says      {bin}")?;
        }
        write!(
            f,
            "  dice      wrong and sure {}; zones {}; where the kind alone is sure, kinds {}; zones {}",
            self.dice_wrong_and_sure,
            self.zones_wrong_and_sure,
            self.kinds_wrong_and_sure,
            self.zones_wrong_and_sure_of_those
        )
    }
}
