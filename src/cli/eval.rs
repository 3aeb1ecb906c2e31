//! How right is it? Photographs whose dice are known, read as `read` reads them.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use image::imageops;
use pathfinding::prelude::{Matrix, kuhn_munkres};
use serde::{Deserialize, Serialize};

use super::{UserError, eval_scenes::Shown, say};
use crate::{
    capture::{Picture, still},
    copy::{Copy, Status},
    rig::Rig,
    vision::{self, Effort, Eye, Sighting},
};

/// The sets of pip dice with boxes; those of other dice are read only when named.
const SETS: [&str; 3] = ["tray", "table", "floor"];

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct EvalArgs {
    /// A folder of sets: NAME.jsonl and the pictures it names.
    #[arg(long, value_name = "DIR", group = "what")]
    photos: Option<PathBuf>,
    /// Pictures of whole tables, each with its truth beside it (NAME.jpg, NAME.json), in this folder or
    /// those in it.
    #[arg(long, value_name = "DIR", group = "what", requires = "copy",
          conflicts_with_all = ["sets", "held_out", "errata", "turn"])]
    scenes: Option<PathBuf>,
    /// The camera set-up that the pictures of `--scenes` were taken with.
    #[arg(long, value_name = "FILE", requires = "scenes")]
    rig: Option<PathBuf>,
    /// The copy whose dice they are.
    #[arg(long, value_name = "DIR")]
    copy: Option<PathBuf>,
    /// Which sets; tray, table and floor where none is named.
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR", conflicts_with = "held_out")]
    models: Option<PathBuf>,
    /// A folder with one folder of models a scene, trained without that scene: each scene is read
    /// with its own, and scenes that have none are left out.
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,
    /// Count dice whose box is at least this many pixels on its shorter side, and whole in the picture.
    #[arg(long, default_value_t = 28.0)]
    min_side: f64,
    /// Print what was wrong, a line each: picture, place, truth, reading.
    #[arg(long)]
    wrong: bool,
    /// How closely each picture is looked at: as `read` does, or as `watch` and `run` look at a frame.
    #[arg(long, value_enum, default_value_t = EffortName::Still)]
    effort: EffortName,
    /// Turn each picture clockwise by this many degrees, as of a camera that stands on its side or its head.
    #[arg(long, value_name = "DEGREES", default_value = "0", value_parser = ["0", "90", "180", "270"])]
    turn: String,
    /// Labels of the set that were found wrong by eye, a JSON line each: {"image", "box", "value"} takes
    /// the place of the set's own, {"image", "unmarked": true} names a picture whose dice nobody marked.
    #[arg(long, value_name = "FILE")]
    errata: Option<PathBuf>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Print a JSON line for everything looked at, in place of the figures: of photographs all that may be a die,
    /// also what is likelier none (`models/train/fit.py` fits chances on it); of scenes every ship, token and
    /// crystal that is told of a board (`models/train/recalibrate.py`), every die that is surely read by its print (`models/train/stance.py`), and every surface that is not sure by that alone (`models/train/grounds.py`).
    #[arg(long, conflicts_with_all = ["json", "wrong"])]
    each: bool,
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum EffortName {
    Still,
    Live,
}

impl From<EffortName> for Effort {
    fn from(name: EffortName) -> Self {
        match name {
            EffortName::Still => Self::Still,
            EffortName::Live => Self::Live,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
struct Row {
    image: String,
    width: f64,
    height: f64,
    #[serde(default)]
    scene: Option<String>,
    dice: Vec<Truth>,
    /// Set by an erratum.
    #[serde(skip)]
    unmarked: bool,
}

#[derive(Debug, Clone, Deserialize)]
struct Truth {
    /// x, y, width, height.
    #[serde(rename = "box")]
    bounds: Option<[f64; 4]>,
    kind: String,
    value: Option<u32>,
}

/// What came of the dice of one scene.
#[derive(Debug, Clone, Default)]
struct Tally {
    pictures: u64,
    dice: u64,
    found: u64,
    /// Found, with a value in the truth.
    valued: u64,
    right: u64,
    sure: u64,
    wrong_and_sure: u64,
    false_dice: u64,
}

impl Tally {
    fn add(&mut self, o: &Self) {
        self.pictures += o.pictures;
        self.dice += o.dice;
        self.found += o.found;
        self.valued += o.valued;
        self.right += o.right;
        self.sure += o.sure;
        self.wrong_and_sure += o.wrong_and_sure;
        self.false_dice += o.false_dice;
    }
}

/// A share with its 95 % interval (Wilson's score interval).
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Share {
    #[serde(rename = "count")]
    of: u64,
    n: u64,
    percent: f64,
    low: f64,
    high: f64,
}

pub(super) fn share(of: u64, n: u64) -> Share {
    if n == 0 {
        return Share {
            of,
            n,
            percent: 0.0,
            low: 0.0,
            high: 100.0,
        };
    }
    let (z, nf) = (1.959_964_f64, n as f64);
    let p = of as f64 / nf;
    let mid = (p + z * z / (2.0 * nf)) / (1.0 + z * z / nf);
    let half = z / (1.0 + z * z / nf) * (p * (1.0 - p) / nf + z * z / (4.0 * nf * nf)).sqrt();
    Share {
        of,
        n,
        percent: p * 100.0,
        low: ((mid - half) * 100.0).max(0.0),
        high: ((mid + half) * 100.0).min(100.0),
    }
}

impl Share {
    fn text(&self) -> String {
        format!(
            "{:6.2} % ({:5.2} to {:6.2}; {} of {})",
            self.percent, self.low, self.high, self.of, self.n
        )
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text().trim_start())
    }
}

pub(super) fn eval(args: &EvalArgs) -> anyhow::Result<ExitCode> {
    if let (Some(dir), Some(folder)) = (&args.scenes, &args.copy) {
        let copy = super::load_copy(folder)?;
        let models = args.models.clone().unwrap_or_else(vision::models_folder);
        let eye = super::open_eye(&models, &copy, args.threads.into())?;
        let rig = args
            .rig
            .as_deref()
            .map(Rig::load)
            .transpose()?
            .unwrap_or_default();
        let session = super::open_session(copy, Rig::default())?;
        let shown = match (args.each, args.json) {
            (true, _) => Shown::Each,
            (_, true) => Shown::Lines,
            _ => Shown::Text,
        };
        let effort = args.effort.into();
        let wrong = args.wrong;
        return super::eval_scenes::eval(dir, eye, (&session, &rig), effort, shown, wrong);
    }
    let Some(photos) = args.photos.as_deref() else {
        return Err(UserError("name what to measure on: --photos or --scenes".to_owned()).into());
    };
    let copy_folder = args
        .copy
        .clone()
        .unwrap_or_else(|| vision::models_folder().join("../calibration/copies/plain-dice"));
    let copy = super::load_copy(&copy_folder)?;
    let sets: Vec<String> = if args.sets.is_empty() {
        SETS.map(str::to_owned).to_vec()
    } else {
        args.sets.clone()
    };
    let mut rows: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    for set in &sets {
        for row in read_set(photos, set)? {
            let scene = row.scene.clone().unwrap_or_else(|| set.clone());
            rows.entry((set.clone(), scene)).or_default().push(row);
        }
    }
    if let Some(errata) = &args.errata {
        correct(errata, rows.values_mut().flatten())?;
    }
    let mut pooled = Tally::default();
    let total: usize = rows.values().map(Vec::len).sum();
    let mut done = 0;
    let mut unread = false;
    let mut eyes: BTreeMap<PathBuf, Eye> = BTreeMap::new();
    for ((set, scene), rows) in &rows {
        let models = match &args.held_out {
            None => args.models.clone().unwrap_or_else(vision::models_folder),
            // a set that is held out as a whole, or a scene of it
            Some(dir) => match [scene, set]
                .into_iter()
                .map(|n| dir.join(n))
                .find(|d| d.is_dir())
            {
                Some(found) => found,
                None => {
                    complain!(
                        "sightline: {}: no models for scene {scene}, it is left out",
                        dir.display()
                    );
                    continue;
                }
            },
        };
        if !eyes.contains_key(&models) {
            let eye = super::open_eye(&models, &copy, args.threads.into())?;
            eyes.insert(models.clone(), eye);
        }
        let Some(eye) = eyes.get_mut(&models) else {
            continue;
        };
        let mut tally = Tally::default();
        for row in rows {
            done += 1;
            if std::io::stderr().is_terminal() {
                complain_part!("\r{done} of {total} pictures ");
            }
            let (upright, _) = match still::load(&photos.join(&row.image)) {
                Ok(loaded) => loaded,
                Err(error) => {
                    complain!("sightline: {error}; its dice count as not found");
                    unread = true;
                    if !args.each {
                        score(row, set, &[], args, &copy, &mut tally)?;
                    }
                    continue;
                }
            };
            let size = [upright.width(), upright.height()].map(f64::from);
            if size != [row.width, row.height] {
                return Err(UserError(format!(
                    "{}: is {}x{}, but the set {set} says width {} and height {}",
                    photos.join(&row.image).display(),
                    size[0],
                    size[1],
                    row.width,
                    row.height
                ))
                .into());
            }
            let (picture, turned);
            let row = match args.turn.as_str() {
                "0" => {
                    picture = upright;
                    row
                }
                degrees => {
                    (picture, turned) = turn(&upright, row, degrees);
                    &turned
                }
            };
            let sightings = if args.each {
                eye.candidates(&picture, args.effort.into())?
            } else {
                eye.look(&picture, args.effort.into())?
            };
            score(row, set, &sightings, args, &copy, &mut tally)?;
        }
        if std::io::stderr().is_terminal() {
            complain_part!("\r                                \r");
        }
        if !args.each {
            print(args, &format!("{set} / {scene}"), &tally)?;
        }
        pooled.add(&tally);
    }
    if !args.each {
        print(args, "pooled", &pooled)?;
    }
    Ok(ExitCode::from(if unread { 2 } else { 0 }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(untagged)]
enum Erratum {
    /// A die's value is another than its label says.
    Value {
        image: String,
        #[serde(rename = "box")]
        bounds: [f64; 4],
        value: u32,
    },
    /// The picture holds dice that nobody marked: what is found in no box tells nothing.
    Unmarked { image: String, unmarked: bool },
}

impl Erratum {
    fn image(&self) -> &str {
        match self {
            Self::Value { image, .. } | Self::Unmarked { image, .. } => image,
        }
    }
}

/// Puts right what the errata name. An erratum that fits no die of the sets that are read is passed
/// over where its picture is not among them, and refused where it is.
fn correct<'a>(path: &Path, rows: impl Iterator<Item = &'a mut Row>) -> anyhow::Result<()> {
    let text = crate::copy::read_text(path).map_err(|e| {
        UserError(format!(
            "{}: the errata cannot be read: {}",
            path.display(),
            crate::copy::in_words(&e)
        ))
    })?;
    let mut errata = Vec::new();
    for (n, line) in text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let erratum: Erratum = serde_json::from_str(line)
            .map_err(|e| UserError(format!("{}:{}: {e}", path.display(), n + 1)))?;
        errata.push((n + 1, erratum));
    }
    for row in rows {
        for (n, e) in errata.iter().filter(|(_, e)| e.image() == row.image) {
            let (bounds, value) = match e {
                Erratum::Value { bounds, value, .. } => (bounds, *value),
                Erratum::Unmarked { unmarked, .. } => {
                    row.unmarked = *unmarked;
                    continue;
                }
            };
            let close = |b: &[f64; 4]| b.iter().zip(bounds).all(|(x, y)| (x - y).abs() < 1.0);
            let die = row
                .dice
                .iter_mut()
                .find(|d| d.bounds.as_ref().is_some_and(close));
            let Some(die) = die else {
                let what = format!(
                    "{}:{n}: {} has no die at {bounds:?}",
                    path.display(),
                    row.image
                );
                return Err(UserError(what).into());
            };
            die.value = Some(value);
        }
    }
    Ok(())
}

fn read_set(photos: &Path, set: &str) -> anyhow::Result<Vec<Row>> {
    let path = photos.join(format!("{set}.jsonl"));
    let file = fs::File::open(&path).map_err(|e| {
        UserError(format!(
            "{}: the set cannot be read: {}; --photos wants a folder with {set}.jsonl in it",
            path.display(),
            crate::copy::in_words(&e)
        ))
    })?;
    let mut rows = Vec::new();
    for (n, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(|e| UserError(format!("{}:{}: {e}", path.display(), n + 1)))?;
        if line.trim().is_empty() {
            continue;
        }
        let row: Row = serde_json::from_str(&line)
            .map_err(|e| UserError(format!("{}:{}: {}", path.display(), n + 1, plain(&e))))?;
        for (i, die) in row.dice.iter().enumerate() {
            if die.kind == "d6" && !die.value.is_none_or(|v| (1..=6).contains(&v)) {
                return Err(UserError(format!(
                    "{}:{}: dice[{i}].value: {} is on no die with pips",
                    path.display(),
                    n + 1,
                    die.value.unwrap_or_default()
                ))
                .into());
            }
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(UserError(format!("{}: the set has no pictures", path.display())).into());
    }
    Ok(rows)
}

/// A picture turned clockwise by 90, 180 or 270 degrees, and its boxes with it.
fn turn(picture: &Picture, row: &Row, degrees: &str) -> (Picture, Row) {
    let rgb = image::RgbImage::from_raw(picture.width(), picture.height(), picture.rgb().to_vec())
        .unwrap_or_default();
    let (rgb, quarters) = match degrees {
        "90" => (imageops::rotate90(&rgb), 1),
        "180" => (imageops::rotate180(&rgb), 2),
        _ => (imageops::rotate270(&rgb), 3),
    };
    let mut row = row.clone();
    for _ in 0..quarters {
        for [x, y, w, h] in row.dice.iter_mut().filter_map(|d| d.bounds.as_mut()) {
            (*x, *y) = (row.height - *y - *h, *x);
            std::mem::swap(w, h);
        }
        std::mem::swap(&mut row.width, &mut row.height);
    }
    let turned = Picture::from_rgb(rgb.width(), rgb.height(), rgb.into_raw());
    (turned.unwrap_or_else(|| picture.clone()), row)
}

/// What is wrong with a line of JSON, without the line number that it has by itself: it is always 1.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line 1 column").unwrap_or(text.len());
    text.get(..end).unwrap_or(&text).to_owned()
}

/// Boxes enclose more or less, so a sighting belongs to the box that its centre lies in; where
/// several could, the pairs that lie closest together are taken.
fn score(
    row: &Row,
    set: &str,
    sightings: &[Sighting],
    args: &EvalArgs,
    copy: &Copy,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    tally.pictures += 1;
    let boxes: Vec<(&Truth, [f64; 4])> = row
        .dice
        .iter()
        .filter_map(|d| Some((d, d.bounds?)))
        .collect();
    let closeness = |b: &[f64; 4], s: &Sighting| {
        let c = s.polygon.centre();
        let (dx, dy) = (
            (c.x - b[0] - b[2] / 2.0) / b[2],
            (c.y - b[1] - b[3] / 2.0) / b[3],
        );
        (dx.abs() <= 0.5 && dy.abs() <= 0.5).then(|| 2.0 - dx.hypot(dy))
    };
    let mut of_box = vec![None; boxes.len()];
    if !boxes.is_empty() && !sightings.is_empty() {
        let weights = Matrix::from_fn(boxes.len(), sightings.len() + boxes.len(), |(r, c)| {
            let pair = boxes.get(r).zip(sightings.get(c));
            pair.and_then(|((_, b), s)| closeness(b, s))
                .map_or(0_i64, |v| (v * 1000.0) as i64)
        });
        let (_, chosen) = kuhn_munkres(&weights);
        for (r, &c) in chosen.iter().enumerate() {
            if c < sightings.len() && weights[(r, c)] > 0 {
                of_box[r] = sightings.get(c);
            }
        }
    }
    let counts = |b: &[f64; 4]| {
        b[2].min(b[3]) >= args.min_side
            && b[0] >= 0.0
            && b[1] >= 0.0
            && b[0] + b[2] <= row.width
            && b[1] + b[3] <= row.height
    };
    if args.each {
        for s in sightings {
            let of = boxes
                .iter()
                .zip(&of_box)
                .find(|(_, o)| o.is_some_and(|o| std::ptr::eq(o, s)));
            // what lies in a box beside what is nearest to its middle is another look at that die, and not a place without one
            let again = boxes.iter().any(|(_, b)| closeness(b, s).is_some());
            if of.is_none() && (row.unmarked || again) {
                continue;
            }
            say(&serde_json::json!({
                "set": set, "scene": row.scene.as_deref().unwrap_or(set), "image": row.image,
                "score": s.score, "there": s.there, "likeness": s.reading.likeness,
                "face": s.reading.face, "confidence": s.reading.confidence,
                "next": s.reading.next.as_ref().map(|n| n.confidence), "status": s.reading.status.name(),
                "die": of.is_some(), "kind": of.map(|((t, _), _)| &t.kind),
                "value": of.and_then(|((t, _), _)| t.value), "counts": of.is_some_and(|((_, b), _)| counts(b)),
            })
            .to_string())?;
        }
        return Ok(());
    }
    for ((truth, b), seen) in boxes.iter().zip(&of_box) {
        if !counts(b) {
            continue;
        }
        tally.dice += 1;
        let Some(s) = seen else {
            if args.wrong {
                say(&format!(
                    "{}: {b:?} shows {}: not found",
                    row.image,
                    truth.value.map_or("?".to_owned(), |v| v.to_string())
                ))?;
            }
            continue;
        };
        tally.found += 1;
        let Some(value) = truth.value else { continue };
        tally.valued += 1;
        // a die of another print than the copy's cannot be read right; sure is then always wrong
        let ours = truth.kind == "d6";
        let means = s
            .reading
            .kind
            .as_deref()
            .zip(s.reading.face.as_deref())
            .and_then(|(k, f)| copy.means(k, f));
        let right = ours && means.is_some_and(|(_, m)| m == value.to_string());
        let sure = s.reading.status == Status::Sure;
        tally.right += u64::from(right);
        tally.sure += u64::from(sure);
        tally.wrong_and_sure += u64::from(sure && !right);
        if args.wrong && !right {
            say(&format!(
                "{}: {b:?} shows {value}: read {} ({}, {:.3})",
                row.image,
                s.reading.face.as_deref().unwrap_or("nothing"),
                s.reading.status.name(),
                s.reading.confidence
            ))?;
        }
    }
    for s in sightings {
        let used = of_box.iter().flatten().any(|o| std::ptr::eq(*o, s));
        if !used && !row.unmarked {
            tally.false_dice += 1;
            if args.wrong {
                let c = s.polygon.centre();
                say(&format!(
                    "{}: at {:.0}, {:.0} nothing is marked: read {} ({}, {:.3}), score {:.2}",
                    row.image,
                    c.x,
                    c.y,
                    s.reading.face.as_deref().unwrap_or("nothing"),
                    s.reading.status.name(),
                    s.reading.confidence,
                    s.score
                ))?;
            }
        }
    }
    Ok(())
}

/// Between which means a count lies with a chance of 95 % (Poisson: Garwood's limits, by the approximation of Wilson and
/// Hilferty to the quantiles of chi squared).
fn poisson(count: u64) -> [f64; 2] {
    let limit = |n: f64, z: f64| n * (1.0 - 1.0 / (9.0 * n) + z / (3.0 * n.sqrt())).powi(3);
    let n = count as f64;
    let least = if count == 0 { 0.0 } else { limit(n, -1.96) };
    [least, limit(n + 1.0, 1.96)]
}

fn print(args: &EvalArgs, name: &str, t: &Tally) -> anyhow::Result<()> {
    let (found, right, sure, wrong) = (
        share(t.found, t.dice),
        share(t.right, t.valued),
        share(t.sure, t.valued),
        share(t.wrong_and_sure, t.valued),
    );
    let false_dice = t.false_dice as f64 / t.pictures.max(1) as f64;
    let between = poisson(t.false_dice).map(|n| n / t.pictures.max(1) as f64);
    let text = if args.json {
        serde_json::json!({
            "scene": name, "pictures": t.pictures, "dice": t.dice, "found": found, "read_right": right,
            "sure": sure, "wrong_and_sure": wrong, "false_per_picture": false_dice,
            "false_per_picture_95": between,
        })
        .to_string()
    } else {
        format!(
            "{name}: {} pictures, {} dice\n  found          {}\n  read right     {}\n  sure at all    {}\n  wrong and sure {}\n  false dice a picture {:.3} ({:.3} to {:.3}; {})",
            t.pictures,
            t.dice,
            found.text(),
            right.text(),
            sure.text(),
            wrong.text(),
            false_dice,
            between[0],
            between[1],
            t.false_dice
        )
    };
    say(&text)?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn a_box_turns_with_its_picture() {
        // two pixels of one colour, of which the box is, in a picture of 5 by 3
        let mut rgb = vec![0; 5 * 3 * 3];
        rgb[(5 + 3) * 3] = 200;
        rgb[(5 + 4) * 3] = 200;
        let picture = Picture::from_rgb(5, 3, rgb).expect("a picture");
        let row: Row = serde_json::from_value(serde_json::json!({
            "image": "x.png", "width": 5, "height": 3, "dice": [{"box": [3, 1, 2, 1], "kind": "d6", "value": 1}]
        }))
        .expect("a row");
        for (degrees, size, bounds) in [
            ("90", [3, 5], [1.0, 3.0, 1.0, 2.0]),
            ("180", [5, 3], [0.0, 1.0, 2.0, 1.0]),
            ("270", [3, 5], [1.0, 0.0, 1.0, 2.0]),
        ] {
            let (turned, row) = turn(&picture, &row, degrees);
            assert_eq!([turned.width(), turned.height()], size, "{degrees}");
            assert_eq!([row.width, row.height], size.map(f64::from), "{degrees}");
            assert_eq!(row.dice[0].bounds, Some(bounds), "{degrees}");
            let lit = |x: usize, y: usize| turned.rgb()[(y * size[0] as usize + x) * 3] == 200;
            let [x, y, w, h] = bounds.map(|v| v as usize);
            assert!(lit(x, y) && lit(x + w - 1, y + h - 1), "{degrees}");
        }
    }

    #[test]
    fn shares_have_wilsons_interval() {
        // Wilson's interval for 98 of 100, as tables give it
        let s = share(98, 100);
        assert!(
            (s.low - 93.0).abs() < 0.05 && (s.high - 99.45).abs() < 0.05,
            "{s:?}"
        );
        assert!(share(0, 100).low < 1e-9 && share(0, 0).high > 99.0);
    }
}
