//! How right is it on whole tables? Pictures with exact truth beside them, read as `read` reads them.
//!
//! The truth is opened only after a picture was read.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde::{Deserialize, Serialize};

use super::{
    UserError,
    eval::Share,
    eval_dice::{self, Die, Readability},
    eval_displays::{self, Display, State, zone_name},
    eval_grounds::Lies,
    eval_pieces::{self, Piece},
    eval_slices::{Slice, Slices, View},
    eval_stances, say,
};
use crate::{
    capture::still,
    copy::{Status, in_words, read_text},
    geometry::Quad,
    rig::Rig,
    session::{PictureReport, Session},
    table,
    vision::{Effort, Eye, Seen},
};

/// A corner farther off than this is another place, not an inexact one.
const ELSEWHERE_MM: f64 = 15.0;
/// Of a surface, this much must be seen for it to be asked for, and for zones on it.
const SURFACE_SEEN: f64 = 0.5;
const ZONES_SEEN: f64 = 0.6;
/// The usual edge of a die, by which sizes in pixels are told.
const DIE_MM: f64 = 16.0;

#[derive(Debug, Deserialize)]
struct Truth {
    plates: Vec<Plate>,
    objects: Vec<Object>,
    #[serde(default)]
    state: State,
    #[serde(default)]
    camera: Camera,
    #[serde(default)]
    setup: Setup,
}

#[derive(Debug, Default, Deserialize)]
struct Camera {
    position_mm: Option<[f64; 3]>,
}

#[derive(Debug, Default, Deserialize)]
struct Setup {
    #[serde(default)]
    develop: Develop,
}

#[derive(Debug, Default, Deserialize)]
struct Develop {
    /// Stops over or under what the light asks for.
    ev: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Pose {
    position_mm: [f64; 3],
}

#[derive(Debug, Deserialize)]
struct Plate {
    name: String,
    team: Option<String>,
    station: Option<String>,
    size_mm: [f64; 2],
    centre_mm: Option<[f64; 3]>,
    corners_px: [[f64; 2]; 4],
    #[serde(default = "one")]
    visible_fraction: f64,
    grid: Option<Grid>,
    #[serde(default)]
    all_corners_in_frame: bool,
    #[serde(default)]
    slots_mm: BTreeMap<String, Vec<[f64; 2]>>,
}

#[derive(Debug, Deserialize)]
struct Grid {
    rows: u32,
}

#[derive(Debug, Deserialize)]
struct Object {
    id: Option<u64>,
    #[serde(rename = "type")]
    what: String,
    pose: Option<Pose>,
    kind: String,
    team: Option<String>,
    symbol: Option<String>,
    visible_fraction: Option<f64>,
    top_polygon_px: Option<Vec<[f64; 2]>>,
    face_visible_fraction: Option<f64>,
    location: Option<Location>,
}

#[derive(Debug, Deserialize)]
struct Location {
    #[serde(rename = "where")]
    place: String,
    display: Option<String>,
    slot: Option<String>,
    local_mm: Option<[f64; 2]>,
    square: Option<[u32; 2]>,
    heading: Option<String>,
    heading_deg_ccw_from_board_north: Option<f64>,
}

fn one() -> f64 {
    1.0
}

/// What came of the pictures of one folder.
#[derive(Debug, Default)]
struct Tally {
    pictures: u64,
    surfaces: u64,
    surfaces_found: u64,
    surfaces_unsure: u64,
    surfaces_false: u64,
    corners_mm: Vec<f64>,
    surfaces_by: Slices,
    /// A line for each surface that is not surely found where it is, or where none is.
    surfaces_wrong: Vec<String>,
    dice: eval_dice::Tally,
    pieces: eval_pieces::Tally,
    displays: eval_displays::Tally,
}

/// A piece or die that was told of, as `--each` prints it.
#[derive(Debug, Serialize)]
struct Line<'a, T> {
    picture: &'a str,
    #[serde(flatten)]
    told: &'a T,
}

fn line(picture: &str, told: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Line { picture, told })?)
}

#[derive(Debug, Serialize)]
pub(super) struct Spread {
    n: usize,
    median: Option<f64>,
    p95: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Figures<'a> {
    folder: &'a str,
    pictures: u64,
    /// Surely found, of those of which half is seen.
    surfaces_found: Share,
    surfaces_unsure: u64,
    /// Surely found where they are not.
    surfaces_false: u64,
    corners_mm: Spread,
    surfaces_by: Vec<Slice>,
    #[serde(flatten)]
    dice: eval_dice::Figures,
    #[serde(flatten)]
    pieces: eval_pieces::Figures,
    #[serde(flatten)]
    displays: eval_displays::Figures,
}

pub(super) fn spread(values: &[f64]) -> Spread {
    let mut v = values.to_vec();
    v.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let i = (part * (v.len().saturating_sub(1)) as f64).round() as usize;
        v.get(i).map(|x| (x * 100.0).round() / 100.0)
    };
    Spread {
        n: v.len(),
        median: at(0.5),
        p95: at(0.95),
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.median, self.p95) {
            (Some(m), Some(p)) => write!(f, "median {m:.2}, p95 {p:.2} mm (n {})", self.n),
            _ => f.write_str("none"),
        }
    }
}

impl Tally {
    fn add(&mut self, o: &Self) {
        self.pictures += o.pictures;
        self.surfaces += o.surfaces;
        self.surfaces_found += o.surfaces_found;
        self.surfaces_unsure += o.surfaces_unsure;
        self.surfaces_false += o.surfaces_false;
        self.corners_mm.extend(&o.corners_mm);
        self.surfaces_by.add(&o.surfaces_by);
        self.dice.add(&o.dice);
        self.pieces.add(&o.pieces);
        self.displays.add(&o.displays);
    }

    fn figures<'a>(&self, folder: &'a str) -> Figures<'a> {
        let share = super::eval::share;
        Figures {
            folder,
            pictures: self.pictures,
            surfaces_found: share(self.surfaces_found, self.surfaces),
            surfaces_unsure: self.surfaces_unsure,
            surfaces_false: self.surfaces_false,
            corners_mm: spread(&self.corners_mm),
            surfaces_by: self.surfaces_by.figures(),
            dice: self.dice.figures(),
            pieces: self.pieces.figures(),
            displays: self.displays.figures(),
        }
    }

    /// Holds the report of one picture, `FOLDER/NAME`, against its truth.
    fn compare(
        &mut self,
        report: &PictureReport,
        truth: &Truth,
        name: &str,
        readable: Option<&Readability>,
    ) {
        self.pictures += 1;
        let ids: BTreeMap<String, &Plate> = truth.plates.iter().map(|p| (p.id(), p)).collect();
        for (id, plate) in &ids {
            if plate.visible_fraction < SURFACE_SEEN {
                continue;
            }
            self.surfaces += 1;
            let read = report.surfaces.iter().find(|s| s.id == *id);
            let sure = read.is_some_and(|s| s.status == Status::Sure);
            let off = read.map(|s| worst(&off_mm(&s.corners, plate)));
            let there = off.is_some_and(|off| off <= ELSEWHERE_MM);
            if !(sure && there) {
                let read = match (sure, off) {
                    (_, None) => "not found".to_owned(),
                    (true, Some(off)) => format!("sure, {off:.1} mm off"),
                    (false, Some(off)) => format!("unsure, {off:.1} mm off"),
                };
                let seen = 100.0 * plate.visible_fraction;
                self.surfaces_wrong
                    .push(format!("surface {id}, {seen:.0} % seen: {read}"));
            }
            self.surfaces_found += u64::from(sure && there);
            self.surfaces_unsure += u64::from(read.is_some() && !sure);
            self.surfaces_by
                .count(&truth.view_of(plate), there, sure && there);
        }
        for s in report.surfaces.iter().filter(|s| s.status == Status::Sure) {
            let plate = ids.get(&s.id);
            let off = plate.map(|plate| off_mm(&s.corners, plate));
            match off {
                Some(off) if worst(&off) <= ELSEWHERE_MM => self.corners_mm.extend(off),
                _ => {
                    self.surfaces_false += 1;
                    // one that is asked for is told of above
                    let off = off.map_or("but not there".to_owned(), |off| {
                        format!("{:.1} mm off", worst(&off))
                    });
                    if plate.is_none_or(|p| p.visible_fraction < SURFACE_SEEN) {
                        let id = &s.id;
                        self.surfaces_wrong
                            .push(format!("surface {id}: sure, {off}"));
                    }
                }
            }
        }
        let dice = truth.objects.iter().filter(|o| o.what == "die");
        let agrees = |id| readable.map(|r| r.is_readable(name, id));
        let dice = dice.filter_map(|o| truth.die(o, o.id.and_then(agrees)));
        self.dice.compare(report, &dice.collect::<Vec<_>>());
        let grid = truth.plates.iter().find_map(|p| p.grid.as_ref());
        let rows = grid.map_or(0, |g| g.rows);
        let pieces: Vec<Piece> = truth.objects.iter().filter_map(piece).collect();
        self.pieces.compare(report, rows, &pieces);
        let whole = truth.plates.iter();
        let whole = whole.filter(|p| p.station.is_some() && p.all_corners_in_frame);
        let is_legible = |id| {
            let die = truth.objects.iter().find(|o| o.id == Some(id))?;
            let seen = die.visible_fraction.unwrap_or_default() >= eval_dice::VISIBLE;
            Some(agrees(id)? && seen)
        };
        let whole: Vec<Display> = whole
            .map(|p| Display {
                name: &p.name,
                view: truth.view_of(p),
                slots_mm: &p.slots_mm,
                shown: truth
                    .objects
                    .iter()
                    .filter(|o| o.is_shown_on(&p.name))
                    .count(),
                legible: readable.map(|_| {
                    let dice = truth.objects.iter().filter(|o| o.what == "die");
                    let shown = dice.filter(|o| o.is_shown_on(&p.name));
                    let shown: Vec<_> = shown.map(|o| o.id.and_then(is_legible)).collect();
                    !shown.is_empty() && shown.iter().all(|l| *l == Some(true))
                }),
            })
            .collect();
        self.displays
            .compare(report, &truth.state, &whole, is_legible);
    }
}

impl Truth {
    fn view(&self, at_mm: Option<[f64; 3]>) -> View {
        let slant = self.camera.position_mm.zip(at_mm).map(|(camera, at)| {
            let [dx, dy, dz] = [0, 1, 2].map(|i| camera[i] - at[i]);
            dx.hypot(dy).atan2(dz).to_degrees()
        });
        View {
            slant_deg: slant,
            exposure_ev: self.setup.develop.ev,
            ..View::default()
        }
    }

    fn view_of(&self, plate: &Plate) -> View {
        View {
            edge_px: Some(DIE_MM / mm_a_pixel(plate)),
            hidden: Some(1.0 - plate.visible_fraction),
            ..self.view(plate.centre_mm)
        }
    }

    /// Whether a die stands on another one: the middle of one is under its own, and lower by more than cards are thick.
    fn is_stacked(&self, o: &Object) -> bool {
        let dice = self.objects.iter().filter(|q| q.top_polygon_px.is_some());
        let mut others = dice.filter_map(|q| Some(q.pose.as_ref()?.position_mm));
        o.pose.as_ref().is_some_and(|p| {
            let [x, y, z] = p.position_mm;
            others.any(|[a, b, c]| z > c + UNDER_MM && (a - x).hypot(b - y) < DIE_MM)
        })
    }

    /// A die with what is asked of it; `None` where the picture has none of its top face.
    fn die(&self, o: &Object, agrees: Option<bool>) -> Option<Die> {
        let top = o.top_polygon_px.clone()?;
        let visible = o.visible_fraction.unwrap_or_default();
        let location = o.location.as_ref();
        let place = location.map(|l| l.place.as_str());
        let display = location.and_then(|l| l.display.as_deref());
        let slot = location.and_then(|l| l.slot.as_deref());
        let seen = |name: &str| {
            let plate = self.plates.iter().find(|p| p.name == name);
            plate.is_some_and(|p| p.visible_fraction >= ZONES_SEEN)
        };
        let zone = match (place, display) {
            (Some("display"), Some(display)) if seen(display) => Some(zone_name(display, slot)),
            // what is gone lies in the board's damage display
            (Some("board"), _) if seen("board") => slot
                .and_then(|s| s.strip_prefix("damage/"))
                .and_then(|s| s.split_once('/'))
                .map(|(team, n)| format!("{team}.damage.{n}")),
            (Some("table"), _) => Some("table".to_owned()),
            _ => None,
        };
        let at = location.and_then(|l| l.local_mm);
        let side = |a: Option<&[f64; 2]>, b: Option<&[f64; 2]>| {
            a.zip(b).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
        };
        Some(Die {
            kind: o.kind.clone(),
            symbol: o.symbol.clone(),
            visible,
            face_visible: o.face_visible_fraction.unwrap_or_default(),
            agrees,
            zone,
            stacked: self.is_stacked(o),
            foot: display.zip(at).map(|(d, at)| (zone_name(d, None), at)),
            view: View {
                edge_px: side(top.first(), top.get(1)),
                hidden: Some(1.0 - visible),
                ..self.view(o.pose.as_ref().map(|p| p.position_mm))
            },
            top_px: top,
        })
    }
}

impl Object {
    /// Whether at least half of it, of a die's top face, is seen on that display.
    fn is_shown_on(&self, display: &str) -> bool {
        let on = self.location.as_ref().and_then(|l| l.display.as_deref());
        let seen = self.face_visible_fraction.or(self.visible_fraction);
        on == Some(display) && seen.unwrap_or_default() >= 0.5
    }
}

/// By how much a die that another stands on is lower, at least.
const UNDER_MM: f64 = 6.0;

/// What stands on the board, as far as it can be seen.
fn piece(o: &Object) -> Option<Piece> {
    let l = o.location.as_ref().filter(|l| l.place == "board")?;
    (o.what != "die").then_some(())?;
    Some(Piece {
        what: o.what.clone(),
        team: o.team.clone(),
        symbol: o.symbol.clone(),
        visible: o.visible_fraction.unwrap_or_default(),
        at_mm: l.local_mm?,
        square: l.square,
        heading: l.heading.clone(),
        heading_deg: l.heading_deg_ccw_from_board_north,
    })
}

fn worst(off: &[f64; 4]) -> f64 {
    off.iter().copied().fold(0.0, f64::max)
}

/// Along its upper edge.
fn mm_a_pixel(plate: &Plate) -> f64 {
    let c = &plate.corners_px;
    let long = (c[1][0] - c[0][0]).hypot(c[1][1] - c[0][1]);
    plate.size_mm[0] / long.max(1.0)
}

impl Plate {
    /// The copy's word for it.
    fn id(&self) -> String {
        let name = self.station.as_deref().unwrap_or("board");
        match &self.team {
            Some(team) => format!("{team}.{name}"),
            None => name.to_owned(),
        }
    }
}

/// How far each corner is off, in millimetres at that place.
fn off_mm(corners: &[[f64; 2]; 4], plate: &Plate) -> [f64; 4] {
    let c = &plate.corners_px;
    let mm = mm_a_pixel(plate);
    std::array::from_fn(|i| (corners[i][0] - c[i][0]).hypot(corners[i][1] - c[i][1]) * mm)
}

/// Pictures with a truth beside them, by folder: of `dir` itself, or of the folders in it.
fn pictures(dir: &Path) -> anyhow::Result<BTreeMap<String, Vec<PathBuf>>> {
    let wrong =
        |path: &Path, e: &std::io::Error| UserError(format!("{}: {}", path.display(), in_words(e)));
    let in_folder = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(|e| wrong(folder, &e))? {
            let path = entry.map_err(|e| wrong(folder, &e))?.path();
            if path.extension().is_some_and(|e| e == "jpg" || e == "png")
                && path.with_extension("json").is_file()
            {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    };
    let mut out = BTreeMap::new();
    let here = in_folder(dir)?;
    if !here.is_empty() {
        out.insert(".".to_owned(), here);
        return Ok(out);
    }
    for entry in fs::read_dir(dir).map_err(|e| wrong(dir, &e))? {
        let path = entry.map_err(|e| wrong(dir, &e))?.path();
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        // photographs of single things, and films, are measured otherwise
        if path.is_dir() && name != "enrol" && name != "seq" {
            let found = in_folder(&path)?;
            if !found.is_empty() {
                out.insert(name, found);
            }
        }
    }
    if out.is_empty() {
        return Err(UserError(format!(
            "{}: no picture with a truth beside it (NAME.jpg and NAME.json)",
            dir.display()
        ))
        .into());
    }
    Ok(out)
}

/// `FOLDER/NAME`, however the folder was named.
fn name_in_folder(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let part = |name: Option<&std::ffi::OsStr>| {
        let name = name.unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let folder = part(whole.parent().and_then(Path::file_name));
    format!("{folder}/{}", part(whole.file_stem()))
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Figures, for people.
    Text,
    /// The same as JSON.
    Lines,
    /// Every ship, token and crystal that is told of a board, every die that is surely read by its print, and every surface that is not sure by that alone, a
    /// JSON line each.
    Each,
}

/// Reads every picture of `dir`, and prints the figures by folder and pooled, or each piece.
pub(super) fn eval(
    dir: &Path,
    mut eye: Eye,
    (session, rig): (&Session, &Rig),
    effort: Effort,
    shown: Shown,
    wrong: bool,
) -> anyhow::Result<ExitCode> {
    if shown == Shown::Each {
        eye = eye.keep_stances();
    }
    let sets = pictures(dir)?;
    let readable = Readability::beside(dir)?;
    let bar = indicatif::ProgressBar::new(sets.values().map(|s| s.len() as u64).sum());
    let mut pooled = Tally::default();
    let mut unread = 0;
    let mut lines = Vec::new();
    for (name, files) in &sets {
        let mut tally = Tally::default();
        for path in files {
            bar.inc(1);
            let picture = match still::load(path) {
                Ok((picture, _)) => picture,
                Err(error) => {
                    complain!("sightline: {error}");
                    unread += 1;
                    continue;
                }
            };
            let Seen {
                mut sightings,
                surfaces,
            } = eye.see(&picture, effort)?;
            let seen = session.lie(&surfaces);
            let size = [picture.width(), picture.height()];
            // each picture may have been taken with a camera of its own, called as the picture is
            let taken_by = path.file_stem().map(|n| n.to_string_lossy());
            let taken_by = taken_by.as_deref().filter(|_| rig.cameras.len() > 1);
            let (sight, misfits) = rig.sight(taken_by, size);
            for misfit in misfits {
                complain!("sightline: {}: {misfit}", path.display());
            }
            let sight = sight.with_seen(seen);
            let standing = eye.standing(&picture, &sight, &mut sightings)?;
            let standing = standing.unwrap_or_default();
            let pieces = session.pieces(&standing, &sight);
            let mut table =
                table::snapshot(&sightings, &pieces, &session.covers(&standing, &sight));
            session.rank(&mut table, &sight);
            let judged = session.judge(&table, &sight);
            let report = session.report(&path.display().to_string(), &sight, &table, &judged);
            let beside = path.with_extension("json");
            let text = read_text(&beside)
                .map_err(|e| UserError(format!("{}: {}", beside.display(), in_words(&e))))?;
            let truth: Truth = serde_json::from_str(&text)
                .map_err(|e| UserError(format!("{}: {e}", beside.display())))?;
            let name = name_in_folder(path);
            tally.compare(&report, &truth, &name, readable.as_ref());
            let pieces: Vec<_> = tally.pieces.each.drain(..).collect();
            if shown == Shown::Each {
                let dice = truth.objects.iter().filter_map(|o| truth.die(o, None));
                let dice = eval_stances::told(eye.stances(), &dice.collect::<Vec<_>>());
                let surfaces = surfaces.iter().filter_map(|s| {
                    let plate = truth.plates.iter().find(|p| p.id() == s.surface);
                    let truly = plate.map(|p| (p.size_mm, Quad::from_pairs(p.corners_px)));
                    Lies::of(s, truly, size)
                });
                let surfaces: Vec<Lies> = surfaces.collect();
                let surfaces = surfaces.iter().map(|lies| line(&name, lies));
                let pieces = pieces.iter().map(|told| line(&name, told));
                let dice = dice.iter().map(|told| line(&name, told));
                for line in pieces.chain(dice).chain(surfaces) {
                    let line = line?;
                    bar.suspend(|| say(&line))?;
                }
            }
            let unlike = tally.displays.unlike.drain(..);
            let unlike = tally.pieces.wrong.drain(..).chain(unlike);
            let unlike = tally.surfaces_wrong.drain(..).chain(unlike);
            let unlike = unlike.map(|line| format!("{}: {line}", path.display()));
            for line in tally.dice.wrong.drain(..).chain(unlike).filter(|_| wrong) {
                bar.suspend(|| say(&line))?;
            }
        }
        pooled.add(&tally);
        lines.push((name.clone(), tally));
    }
    bar.finish_and_clear();
    if shown == Shown::Each {
        return Ok(ExitCode::SUCCESS);
    }
    lines.push(("pooled".to_owned(), pooled));
    for (name, tally) in &lines {
        let f = tally.figures(name);
        let text = if shown == Shown::Lines {
            serde_json::to_string(&f)?
        } else {
            for_people(&f)
        };
        say(&text)?;
    }
    if unread > 0 {
        say(&format!("{unread} pictures could not be read"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(f: &Figures<'_>) -> String {
    let said = f.pieces.pieces_reliability.iter();
    let said: String = said.map(|bin| format!("  say       {bin}\n")).collect();
    let slices: String = f.surfaces_by.iter().map(|s| format!("  {s}\n")).collect();
    format!(
        "{} ({} pictures)\n  surfaces  found {}; unsure {}; where they are not {}\n{slices}  corners   {}\n{}\n  ships     found {}; right {}; sure {}, but for the way it faces {}; where none is {}; {}; {}\n  tokens    found {}; right {}; sure {}; where none is {}; crystals found {}; where none is {}\n{said}  pieces    wrong and sure {}\n  {}",
        f.folder,
        f.pictures,
        f.surfaces_found,
        f.surfaces_unsure,
        f.surfaces_false,
        f.corners_mm,
        f.dice,
        f.pieces.ships_found,
        f.pieces.ships_right,
        f.pieces.ships_sure,
        f.pieces.ships_placed,
        f.pieces.ships_besides,
        f.pieces.ships_mm,
        f.pieces.ships_deg.to_string().replace(" mm", " degrees"),
        f.pieces.tokens_found,
        f.pieces.tokens_right,
        f.pieces.tokens_sure,
        f.pieces.tokens_besides,
        f.pieces.crystals_found,
        f.pieces.crystals_besides,
        f.pieces.pieces_wrong_and_sure,
        f.displays
    )
}
