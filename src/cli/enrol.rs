//! `enrol`: photographs of somebody's copy become a copy.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

#[cfg(feature = "camera")]
use super::photograph;
use super::{UserError, owner::Owner, say};
#[cfg(feature = "camera")]
use crate::capture::{live::Live, webcam};
use crate::{
    capture::{Picture, still},
    copy::{
        self, Draft, DraftDie, DraftFace, DraftGrid, DraftMark, DraftMiniature, DraftSide,
        DraftSurface, DraftToken, DraftView, DraftZone,
    },
    geometry::Quad,
    rig::Rig,
    rules::dice_duel::{DieKind, Symbol},
    session::Session,
    vision::{self, Enrolled, Enroller},
};

#[derive(Debug, Args)]
pub(super) struct EnrolArgs {
    /// A folder with `owner.json` and the photographs in `enrol/`.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Take the photographs that are still missing with this camera (see `sightline cameras`), one after the
    /// other, and put them into the folder.
    #[cfg(feature = "camera")]
    #[arg(long, value_name = "ID")]
    camera: Option<String>,
    /// The folder to write the copy to.
    #[arg(long, value_name = "DIR", visible_alias = "out")]
    copy: PathBuf,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Threads for the models.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

/// A photograph's shorter side below which nothing is looked for in it.
const LEAST_SIDE: u32 = 32;

/// More pairs of too-like faces than this are only counted.
const ALIKE_SAID: usize = 6;

/// The photographs, with what has been taken from them.
struct Album {
    folder: PathBuf,
    enroller: Enroller,
    /// Names of the photographs there are, without their endings.
    names: BTreeMap<String, PathBuf>,
    /// Corners that a person gave: `enrol/NAME.corners.json`, `[[x, y] × 4]`.
    files: BTreeMap<String, Vec<u8>>,
    missing: Vec<String>,
    flawed: usize,
}

/// The rules' word for a symbol or kind in this layout.
fn symbol_of(kind: &str, face: &str) -> Option<&'static str> {
    let symbol = match (kind, face) {
        ("energy", _) => face.parse().ok().and_then(Symbol::energy)?,
        ("helm", "forward1") => Symbol::Forward1,
        ("helm", "forward2") => Symbol::Forward2,
        ("helm", "forward_right") => Symbol::ForwardRight,
        ("helm", "forward_left") => Symbol::ForwardLeft,
        ("helm", "forward_turn") => Symbol::ForwardAround,
        ("weapons", "nose") => Symbol::Nose,
        ("weapons", "body") => Symbol::Body,
        ("weapons", "tail") => Symbol::Tail,
        ("weapons", "blast1") => Symbol::Blast1,
        ("weapons", "blast2") => Symbol::Blast2,
        ("sensors", "lock1") => Symbol::Lock1,
        ("sensors", "lock2") => Symbol::Lock2,
        ("sensors", "jammer1") => Symbol::Jammer1,
        ("sensors", "jammer2") => Symbol::Jammer2,
        ("shields", "1") => Symbol::Shield1,
        ("shields", "2") => Symbol::Shield2,
        ("shields", "3") => Symbol::Shield3,
        ("shields", "4") => Symbol::Shield4,
        ("tractor", "beam1") => Symbol::Beam1,
        ("tractor", "beam2") => Symbol::Beam2,
        ("tractor", "mineA") => Symbol::MineA,
        ("tractor", "mineB") => Symbol::MineB,
        (_, "expansion") => Symbol::Expansion,
        _ => return None,
    };
    Some(symbol.name())
}

fn kind_of(kind: &str) -> Option<String> {
    Some(
        match kind {
            "energy" => DieKind::Energy,
            "helm" => DieKind::Helm,
            "weapons" => DieKind::Weapon,
            "sensors" => DieKind::Sensor,
            "shields" => DieKind::Shield,
            "tractor" => DieKind::Tractor,
            _ => return None,
        }
        .to_string(),
    )
}

/// The rules' word for a zone: `front-1/nose` is `front-1.nose`, `mineA` is `mine-A`.
fn zone_means(zone: &str) -> String {
    match zone {
        "mineA" => "mine-A".to_owned(),
        "mineB" => "mine-B".to_owned(),
        // printed on the board, but a ship's: `damage/white/1` is `white.damage.1`
        other => match other
            .strip_prefix("damage/")
            .and_then(|d| d.split_once('/'))
        {
            Some((team, n)) => format!("/{team}.damage.{n}"),
            None => other.replace('/', "."),
        },
    }
}

impl Album {
    fn open(args: &EnrolArgs) -> anyhow::Result<Self> {
        let folder = args.from.join("enrol");
        let unreadable = |e: std::io::Error| {
            UserError(format!(
                "{}: {}; the photographs lie in the folder enrol beside owner.json",
                folder.display(),
                copy::in_words(&e)
            ))
        };
        let mut names = BTreeMap::new();
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let ending = path
                .extension()
                .map(|e| e.to_string_lossy().to_ascii_lowercase());
            if matches!(ending.as_deref(), Some("jpg" | "jpeg" | "png"))
                && let Some(stem) = path.file_stem()
            {
                names.insert(stem.to_string_lossy().into_owned(), path);
            }
        }
        let models = args.models.clone().unwrap_or_else(vision::models_folder);
        Ok(Self {
            folder,
            enroller: Enroller::open(&models, args.threads.into())?,
            names,
            files: BTreeMap::new(),
            missing: Vec::new(),
            flawed: 0,
        })
    }

    /// What `take` makes of the photograph `name`; what is amiss is said, and the rest goes on.
    fn look(
        &mut self,
        name: &str,
        take: impl Fn(
            &mut Enroller,
            &Picture,
            Option<Quad>,
        ) -> Result<Option<Enrolled>, vision::VisionError>,
    ) -> anyhow::Result<Option<(Picture, Enrolled)>> {
        let Some(path) = self.names.remove(name) else {
            self.missing.push(name.to_owned());
            return Ok(None);
        };
        let picture = match still::load(&path) {
            Ok((picture, _)) => picture,
            Err(error) => {
                complain!("sightline: {error}");
                self.missing.push(name.to_owned());
                return Ok(None);
            }
        };
        let given = corners_beside(&self.folder.join(format!("{name}.corners.json")))?;
        let (w, h) = (picture.width(), picture.height());
        let enrolled = if w.min(h) < LEAST_SIDE {
            Err(format!(
                "is {w}x{h}, too small to show anything: take it anew"
            ))
        } else {
            match take(&mut self.enroller, &picture, given) {
                Ok(enrolled) => enrolled.ok_or_else(|| format!(
                    "what it should show was not found in it: take it anew on a ground of another colour, or give its corners in {name}.corners.json beside it"
                )),
                // what a library makes of one photograph spoils no other
                Err(e) if !e.is_the_users() => Err(e.to_string()),
                Err(e) => return Err(e.into()),
            }
        };
        let enrolled = match enrolled {
            Ok(enrolled) => enrolled,
            Err(why) => {
                complain!("sightline: {}: {why}", path.display());
                self.missing.push(name.to_owned());
                return Ok(None);
            }
        };
        Ok(Some((picture, enrolled)))
    }

    /// Puts what was taken from the photograph `name` by for the copy; returns its file there.
    fn keep(
        &mut self,
        name: &str,
        to: &str,
        picture: &Picture,
        enrolled: &Enrolled,
    ) -> anyhow::Result<String> {
        for flaw in &enrolled.flaws {
            complain!("sightline: {name}: {flaw}");
            self.flawed += 1;
        }
        let file = format!("{to}.png");
        self.files.insert(
            format!("check/{name}.png"),
            vision::shown(picture, &enrolled.corners)?,
        );
        self.files.insert(file.clone(), enrolled.png.clone());
        Ok(file)
    }

    fn take(
        &mut self,
        name: &str,
        to: &str,
        take: impl Fn(
            &mut Enroller,
            &Picture,
            Option<Quad>,
        ) -> Result<Option<Enrolled>, vision::VisionError>,
    ) -> anyhow::Result<Option<String>> {
        match self.look(name, take)? {
            Some((picture, enrolled)) => self.keep(name, to, &picture, &enrolled).map(Some),
            None => Ok(None),
        }
    }

    /// The photographs of one face, made to agree with each other.
    fn faces(&mut self, numbered: &[String], to: &str) -> anyhow::Result<Vec<String>> {
        let mut taken: Vec<(usize, Picture, Enrolled)> = Vec::new();
        for (n, name) in numbered.iter().enumerate() {
            let looked = self.look(name, |e, p, corners| e.face(p, corners))?;
            taken.extend(looked.map(|(picture, enrolled)| (n, picture, enrolled)));
        }
        let mut group: Vec<(&Picture, &mut Enrolled)> =
            taken.iter_mut().map(|(_, p, e)| (&*p, e)).collect();
        self.enroller.agree(&mut group)?;
        taken
            .iter()
            .map(|(n, picture, enrolled)| {
                self.keep(&numbered[*n], &format!("{to}-{}", n + 1), picture, enrolled)
            })
            .collect()
    }
}

/// Four corners that a person wrote down.
fn corners_beside(path: &Path) -> anyhow::Result<Option<Quad>> {
    let text = match copy::read_text(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            return Err(UserError(format!("{}: {}", path.display(), copy::in_words(&e))).into());
        }
    };
    let pairs: [[f64; 2]; 4] = serde_json::from_str(&text).map_err(|e| {
        UserError(format!(
            "{}: four corners are wanted, [[x, y], …] from the upper left, clockwise: {e}",
            path.display()
        ))
    })?;
    let corners = Quad::from_pairs(pairs);
    if !corners.is_clockwise() {
        return Err(UserError(format!(
            "{}: the corners are not clockwise from the upper left",
            path.display()
        ))
        .into());
    }
    Ok(Some(corners))
}

pub(super) fn enrol(args: &EnrolArgs) -> anyhow::Result<ExitCode> {
    let owner = Owner::load(&args.from.join("owner.json"))?;
    #[cfg(feature = "camera")]
    if let Some(id) = &args.camera {
        let models = args.models.clone().unwrap_or_else(vision::models_folder);
        let mut enroller = Enroller::open(&models, args.threads.into())?;
        let mut source = Live::open(id, &webcam::Wanted::default())?;
        let words = photograph::typed()?;
        let folder = args.from.join("enrol");
        photograph::take(&owner, &folder, &mut enroller, &mut source, &words)?;
    }
    let mut album = Album::open(args)?;
    let teams = ["white", "black"];
    let bar = indicatif::ProgressBar::new(album.names.len() as u64);
    let mut draft = Draft {
        format: 1,
        name: args
            .from
            .canonicalize()
            .ok()
            .and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()))
            .unwrap_or_else(|| "copy".to_owned()),
        game: "dice-duel".to_owned(),
        ..Draft::default()
    };
    for (kind, faces) in &owner.faces {
        let mut counted: Vec<(String, u32)> = Vec::new();
        for face in faces {
            match counted.iter_mut().find(|c| c.0 == *face) {
                Some(c) => c.1 += 1,
                None => counted.push((face.clone(), 1)),
            }
        }
        let mut die = DraftDie {
            kind: kind.clone(),
            shape: "d6".to_owned(),
            size_mm: owner.die_mm.of(kind),
            means: kind_of(kind),
            near: None,
            faces: Vec::new(),
        };
        for (face, count) in counted {
            let numbered: Vec<String> = (1..=9)
                .map(|n| format!("die_{kind}_{face}_{n}"))
                .filter(|name| album.names.contains_key(name))
                .collect();
            if numbered.is_empty() {
                album.missing.push(format!("die_{kind}_{face}_1"));
                continue;
            }
            let pictures = album.faces(&numbered, &format!("faces/{kind}-{face}"))?;
            bar.inc(numbered.len() as u64);
            if pictures.is_empty() {
                continue;
            }
            die.faces.push(DraftFace {
                means: symbol_of(kind, &face)
                    .filter(|m| *m != face)
                    .map(str::to_owned),
                face,
                count,
                pictures,
            });
        }
        draft.dice.push(die);
    }
    for team in teams {
        for (station, zones) in &owner.displays {
            let size = owner.card_mm.of(station);
            let id = format!("{team}.{station}");
            let reference = album.take(
                &format!("display_{team}_{station}"),
                &format!("displays/{team}-{station}"),
                |e, p, corners| e.surface(p, size, owner.card_thickness_mm, corners),
            )?;
            bar.inc(1);
            draft.displays.push(DraftSurface {
                id: id.clone(),
                means: id,
                size_mm: size,
                thickness_mm: owner.card_thickness_mm,
                reference,
                grid: None,
                zones: zones.iter().map(|(z, p)| zone(z, p)).collect(),
            });
        }
    }
    if let Some(board) = &owner.board {
        let size = [board.width_mm, board.height_mm];
        let reference = album.take("board", "boards/board", |e, p, corners| {
            e.surface(p, size, board.thickness_mm, corners)
        })?;
        bar.inc(1);
        draft.boards.push(DraftSurface {
            id: "board".to_owned(),
            means: "board".to_owned(),
            size_mm: size,
            thickness_mm: board.thickness_mm,
            reference,
            grid: Some(DraftGrid {
                origin_mm: board.grid_origin_mm,
                square_mm: board.square_mm,
                columns: board.cols,
                rows: board.rows,
                marked: marks(board),
            }),
            zones: board.zones.iter().map(|(z, p)| zone(z, p)).collect(),
        });
    }
    for team in teams {
        let mut views = Vec::new();
        for (heading, degrees) in [("N", 0.0), ("E", 90.0), ("S", 180.0), ("W", 270.0)] {
            let picture = album.take(
                &format!("ship_{team}_{heading}"),
                &format!("ships/{team}-{heading}"),
                |e, p, _| e.piece(p, Some(degrees)),
            )?;
            bar.inc(1);
            views.extend(picture.map(|picture| DraftView {
                heading_deg: degrees,
                picture,
            }));
        }
        if !views.is_empty() {
            draft.miniatures.push(DraftMiniature {
                id: team.to_owned(),
                means: team.to_owned(),
                // it stands within a square
                length_mm: owner.board.as_ref().map_or(40.0, |b| 0.8 * b.square_mm),
                views,
            });
        }
    }
    let pieces: Vec<String> = album
        .names
        .keys()
        .filter(|n| n.starts_with("token_") || n.as_str() == "crystal")
        .cloned()
        .collect();
    for name in pieces {
        let kind = name.trim_start_matches("token_").replace('_', "-");
        let picture = album.take(&name, &format!("tokens/{kind}"), |e, p, _| e.piece(p, None))?;
        bar.inc(1);
        let is_mine = kind.starts_with("mine");
        draft.tokens.extend(picture.map(|picture| DraftToken {
            outline: if kind == "crystal" { "other" } else { "round" }.to_owned(),
            size_mm: 2.0
                * if is_mine {
                    owner.mine_radius_mm
                } else {
                    owner.token_radius_mm
                },
            sides: vec![DraftSide {
                side: "up".to_owned(),
                // whose mine it is, its name says
                means: Some(if is_mine {
                    "mine".to_owned()
                } else {
                    kind.clone()
                }),
                pictures: vec![picture],
            }],
            kind,
        }));
    }
    bar.finish_and_clear();
    for name in album.names.keys() {
        complain!(
            "sightline: {name}: nothing in owner.json asks for this photograph; it is left out"
        );
    }
    try_out(&draft, &album.files, &args.from.join("owner.json"))?;
    draft.write(&args.copy, &album.files)?;
    let written = super::load_copy(&args.copy)?;
    let near = vision::leave_one_out(album.enroller.reader(), &written)?;
    for die in &mut draft.dice {
        die.near = near
            .get(&die.kind)
            .map(|near| (near * 1000.0).round() / 1000.0);
    }
    draft.write(&args.copy, &BTreeMap::new())?;
    let alike = album.enroller.reader().enrol_and_keep(&written)?;
    for a in alike.iter().take(ALIKE_SAID) {
        let [x, y] = &a.faces;
        complain!(
            "sightline: {x} and {y} are too alike ({:.0} %): neither will be sure until better pictures tell them apart",
            a.likeness * 100.0
        );
    }
    if alike.len() > ALIKE_SAID {
        complain!(
            "sightline: and {} more pairs of faces are too alike",
            alike.len() - ALIKE_SAID
        );
    }
    let faces: usize = draft.dice.iter().map(|d| d.faces.len()).sum();
    let surfaces = draft.displays.len() + draft.boards.len();
    let flat = draft
        .displays
        .iter()
        .chain(&draft.boards)
        .filter(|s| s.reference.is_some())
        .count();
    say(&format!(
        "{}: {} kinds of dice with {faces} faces, {flat} of {surfaces} displays and boards, {} miniatures, {} tokens; look at check/ to see what was taken",
        args.copy.display(),
        draft.dice.len(),
        draft.miniatures.len(),
        draft.tokens.len()
    ))?;
    if !album.missing.is_empty() {
        say(&format!("still missing: {}", album.missing.join(", ")))?;
    }
    Ok(ExitCode::from(if album.missing.is_empty() { 0 } else { 2 }))
}

/// Makes the copy elsewhere first: one that cannot be used takes no other's place, and what is wrong with it is wrong with what
/// the owner wrote.
fn try_out(draft: &Draft, files: &BTreeMap<String, Vec<u8>>, owner: &Path) -> anyhow::Result<()> {
    let elsewhere = tempfile::tempdir().map_err(|e| {
        let why = copy::in_words(&e);
        UserError(format!(
            "no folder for what is under way could be made: {why}"
        ))
    })?;
    draft.write(elsewhere.path(), files)?;
    let usable = copy::load(elsewhere.path())
        .map_err(|e| e.to_string())
        .and_then(|copy| {
            let session = Session::new(copy, Rig::default());
            session.map(drop).map_err(|e| e.to_string())
        });
    usable.map_err(|why| {
        // the line is of a file that nobody will see
        let (_, what) = why
            .split_once("copy.toml:")
            .and_then(|(_, rest)| rest.split_once(": "))
            .unwrap_or(("", &why));
        UserError(format!("{}: makes no copy: {what}", owner.display())).into()
    })
}

fn zone(name: &str, polygon: &[[f64; 2]]) -> DraftZone {
    let means = zone_means(name);
    DraftZone {
        zone: name.to_owned(),
        means: (means != name).then_some(means),
        polygon_mm: polygon.to_vec(),
        takes: Vec::new(),
    }
}

/// Crystal and start squares. The layout counts rows from the top; everything else here counts from the
/// bottom: they are flipped once, here.
fn marks(board: &super::owner::OwnerBoard) -> Vec<DraftMark> {
    let flipped = |[x, y]: [u32; 2]| [x, board.rows.saturating_sub(1).saturating_sub(y)];
    let crystals = board.crystal_squares.iter().map(|(n, at)| DraftMark {
        square: flipped(*at),
        means: format!("crystal-{n}"),
    });
    let starts = board.start_squares.iter().map(|(team, s)| DraftMark {
        square: flipped(s.square),
        means: format!("start-{team}"),
    });
    crystals.chain(starts).collect()
}
