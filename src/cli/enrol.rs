//! `enrol`: photographs of somebody's copy become a copy.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

#[cfg(feature = "camera")]
use super::photograph;
use super::{UserError, album::Album, owner, say};
#[cfg(feature = "camera")]
use crate::capture::{live::Live, webcam};
use crate::{
    copy::{
        self, Copy, Draft, DraftDie, DraftFace, DraftGrid, DraftMark, DraftMiniature, DraftSide,
        DraftSurface, DraftToken, DraftView, DraftZone, NearFrom, Owner, OwnerBoard, Shape,
    },
    rig::Rig,
    session::{CRYSTAL, Session, asked_for, photograph_of_token, photographs_of_face, zone_means},
    vision::{self, Enroller},
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

/// More pairs of too-like faces than this are only counted.
const ALIKE_SAID: usize = 6;

pub(super) fn enrol(args: &EnrolArgs) -> anyhow::Result<ExitCode> {
    let owner = owner::load(&args.from.join("owner.json"))?;
    let models = args.models.clone().unwrap_or_else(vision::models_folder);
    #[cfg(feature = "camera")]
    if let Some(id) = &args.camera {
        let mut enroller = Enroller::open(&models, args.threads.into())?;
        let mut source = Live::open(id, &webcam::Wanted::default())?;
        let words = photograph::typed()?;
        let folder = copy::photographs_of(&args.from);
        photograph::take(&owner, &folder, &mut enroller, &mut source, &words)?;
    }
    let mut album = Album::open(&args.from, &asked_for(&owner), &models, args.threads.into())?;
    let draft = Drafting {
        owner: &owner,
        bar: indicatif::ProgressBar::new(album.names.names().count() as u64),
        album: &mut album,
    }
    .draft(named_after(&args.from))?;
    for name in album.names.names() {
        complain!(
            "sightline: {name}: nothing in owner.json asks for this photograph; it is left out"
        );
    }
    try_out(&draft, &album.files, &args.from.join("owner.json"))?;
    draft.write(&args.copy, &album.files)?;
    let written = super::open_session(super::load_copy(&args.copy)?, Rig::default())?;
    complain_of_likes(&mut album, written.copy())?;
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

/// What the copy is called: as the folder with its photographs is.
fn named_after(folder: &Path) -> String {
    let whole = folder.canonicalize().ok();
    let name = whole.and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "copy".to_owned())
}

/// Says which faces, and which surfaces, cannot be told apart.
fn complain_of_likes(album: &mut Album, written: &Copy) -> anyhow::Result<()> {
    let alike = album.enroller.keep(written)?;
    for m in album.enroller.misnamed() {
        complain!(
            "sightline: {}, said to show {} {}, is more like the pictures of {} {} than like the others of its own face: see whether the photograph is of that one",
            m.file.display(),
            m.kind,
            m.said,
            m.kind,
            m.like
        );
    }
    for a in alike.iter().take(ALIKE_SAID) {
        let [x, y] = &a.faces;
        let percent = a.likeness * 100.0;
        match a.turned {
            None => complain!(
                "sightline: {x} and {y} are too alike ({percent:.0} %): neither will be sure until better pictures tell them apart"
            ),
            Some(turns) => complain!(
                "sightline: {x} and {y} differ only by a turn of {} degrees ({percent:.0} % alike): neither will be sure until a mark on one of them tells which way is up",
                90 * turns
            ),
        }
    }
    if alike.len() > ALIKE_SAID {
        complain!(
            "sightline: and {} more pairs of faces are too alike",
            alike.len() - ALIKE_SAID
        );
    }
    for [x, y] in vision::same_print(written)? {
        complain!(
            "sightline: {x} and {y} carry the same print: if they are two things, one of the photographs is of the wrong one; if they do look the same, they are told apart only where their corners are clicked"
        );
    }
    Ok(())
}

/// A copy under way.
struct Drafting<'a> {
    owner: &'a Owner,
    album: &'a mut Album,
    bar: indicatif::ProgressBar,
}

impl Drafting<'_> {
    fn draft(mut self, name: String) -> anyhow::Result<Draft> {
        let draft = Draft {
            format: 1,
            name,
            game: self.owner.game.clone(),
            dice: self.dice()?,
            displays: self.displays()?,
            boards: self.board()?.into_iter().collect(),
            miniatures: self.miniatures()?,
            tokens: self.tokens()?,
            rules: self.owner.rules.clone(),
        };
        self.bar.finish_and_clear();
        Ok(draft)
    }

    fn dice(&mut self) -> anyhow::Result<Vec<DraftDie>> {
        let mut dice = Vec::new();
        for (kind, symbols) in &self.owner.faces {
            let shape = self.owner.shapes.get(kind);
            let shape = shape.map_or_else(|| Shape::D6.name().to_owned(), Clone::clone);
            let Some(size_mm) = self.owner.die_mm.of(kind) else {
                continue;
            };
            dice.push(DraftDie {
                kind: kind.clone(),
                size_mm,
                means: self.owner.kind_means(kind),
                near: Some(NearFrom::Pictures),
                each: self.owner.dice_per_team.get(kind).copied(),
                read: self.owner.reads.get(kind).copied(),
                faces: self.faces(kind, symbols, shape == Shape::D6.name())?,
                shape,
            });
        }
        Ok(dice)
    }

    fn faces(
        &mut self,
        kind: &str,
        symbols: &[String],
        known_shape: bool,
    ) -> anyhow::Result<Vec<DraftFace>> {
        let mut counted: Vec<(&String, u32)> = Vec::new();
        for symbol in symbols {
            match counted.iter_mut().find(|c| c.0 == symbol) {
                Some(c) => c.1 += 1,
                None => counted.push((symbol, 1)),
            }
        }
        let mut faces = Vec::new();
        for (face, count) in counted {
            let numbered: Vec<String> = photographs_of_face(kind, face)
                .filter(|name| self.album.names.get(name).is_some())
                .collect();
            if numbered.is_empty() {
                self.album.missing.push(format!("die_{kind}_{face}_1"));
                continue;
            }
            let to = format!("faces/{kind}-{face}");
            let pictures = self.album.faces(&numbered, &to, known_shape)?;
            self.bar.inc(numbered.len() as u64);
            if pictures.is_empty() {
                continue;
            }
            faces.push(DraftFace {
                means: self.owner.symbol_means(kind, face),
                face: face.clone(),
                count,
                pictures,
            });
        }
        Ok(faces)
    }

    fn displays(&mut self) -> anyhow::Result<Vec<DraftSurface>> {
        let owner = self.owner;
        let mut displays = Vec::new();
        for team in &owner.teams {
            for (station, zones) in &owner.displays {
                let Some(size_mm) = owner.card_mm.of(station) else {
                    continue;
                };
                let id = format!("{team}.{station}");
                let reference = self.album.take(
                    &format!("display_{team}_{station}"),
                    &format!("displays/{team}-{station}"),
                    |e, p, corners| e.surface(p, size_mm, owner.card_thickness_mm, corners),
                )?;
                self.bar.inc(1);
                let number = owner.station_number.get(station);
                displays.push(DraftSurface {
                    id: id.clone(),
                    means: id,
                    size_mm,
                    thickness_mm: owner.card_thickness_mm,
                    powered_by: number.copied().into_iter().collect(),
                    reference,
                    grid: None,
                    zones: zones.iter().map(|(z, p)| zone(z, p)).collect(),
                });
            }
        }
        Ok(displays)
    }

    fn board(&mut self) -> anyhow::Result<Option<DraftSurface>> {
        let Some(board) = &self.owner.board else {
            return Ok(None);
        };
        let size_mm = [board.width_mm, board.height_mm];
        let reference = self.album.take("board", "boards/board", |e, p, corners| {
            e.surface(p, size_mm, board.thickness_mm, corners)
        })?;
        self.bar.inc(1);
        Ok(Some(DraftSurface {
            id: "board".to_owned(),
            means: "board".to_owned(),
            size_mm,
            thickness_mm: board.thickness_mm,
            powered_by: Vec::new(),
            reference,
            grid: Some(DraftGrid {
                origin_mm: board.grid_origin_mm,
                square_mm: board.square_mm,
                columns: board.cols,
                rows: board.rows,
                marked: marks(board),
            }),
            zones: board.zones.iter().map(|(z, p)| zone(z, p)).collect(),
        }))
    }

    fn miniatures(&mut self) -> anyhow::Result<Vec<DraftMiniature>> {
        let owner = self.owner;
        let mut miniatures = Vec::new();
        // ships stand on a board
        let Some(board) = &owner.board else {
            return Ok(miniatures);
        };
        for team in &owner.teams {
            let named = HEADINGS.map(|(heading, degrees)| {
                let name = format!("ship_{team}_{heading}");
                (name, format!("ships/{team}-{heading}"), degrees)
            });
            let views = self.album.views(&named)?;
            self.bar.inc(HEADINGS.len() as u64);
            if !views.is_empty() {
                let views = views.into_iter();
                miniatures.push(DraftMiniature {
                    id: team.to_owned(),
                    means: team.to_owned(),
                    // it stands within a square
                    length_mm: owner.ship_mm.unwrap_or(0.8 * board.square_mm),
                    views: views
                        .map(|(heading_deg, picture)| DraftView {
                            heading_deg,
                            picture,
                        })
                        .collect(),
                });
            }
        }
        Ok(miniatures)
    }

    fn tokens(&mut self) -> anyhow::Result<Vec<DraftToken>> {
        let owner = self.owner;
        let mut kinds: Vec<String> = owner.tokens.keys().cloned().collect();
        // and what was photographed without a word in owner.json
        let backs: Vec<String> = owner
            .tokens
            .iter()
            .flat_map(|(name, t)| t.back.keys().map(move |side| format!("{name}_{side}")))
            .collect();
        for name in self.album.names.names() {
            let kind = name
                .strip_prefix("token_")
                .or((name == CRYSTAL).then_some(CRYSTAL));
            let kind = kind.map(str::to_owned);
            kinds.extend(kind.filter(|k| !owner.tokens.contains_key(k) && !backs.contains(k)));
        }
        let mut tokens = Vec::new();
        for name in kinds {
            let token = owner.token(&name);
            let kind = name.replace('_', "-");
            let front = photograph_of_token(&name, None);
            let shows = owner.token_means(&name);
            let mut wanted = vec![(front, "up".to_owned(), shows, format!("tokens/{kind}"))];
            for (side, means) in &token.back {
                let (photograph, to) = (
                    photograph_of_token(&name, Some(side)),
                    format!("tokens/{kind}-{side}"),
                );
                wanted.push((photograph, side.clone(), means.clone(), to));
            }
            let mut sides = Vec::new();
            for (photograph, side, means, to) in wanted {
                let picture = self.album.take(&photograph, &to, |e, p, corners| {
                    e.piece(p, None, Some(token.outline), corners)
                })?;
                self.bar.inc(1);
                sides.extend(picture.map(|picture| DraftSide {
                    side,
                    means: Some(means),
                    pictures: vec![picture],
                }));
            }
            if !sides.is_empty() {
                tokens.push(DraftToken {
                    kind,
                    outline: token.outline,
                    size_mm: token.size_mm,
                    sides,
                });
            }
        }
        Ok(tokens)
    }
}

/// The headings in which ships are photographed, clockwise from up.
const HEADINGS: [(&str, f64); 4] = [("N", 0.0), ("E", 90.0), ("S", 180.0), ("W", 270.0)];

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
fn marks(board: &OwnerBoard) -> Vec<DraftMark> {
    let flipped = |[x, y]: [u32; 2]| [x, board.rows.saturating_sub(1).saturating_sub(y)];
    let crystals = board.crystal_squares.iter().map(|(n, at)| DraftMark {
        square: flipped(*at),
        means: format!("crystal-{n}"),
        facing: None,
    });
    let starts = board.start_squares.iter().map(|(team, s)| DraftMark {
        square: flipped(s.square),
        means: format!("start-{team}"),
        facing: s.heading.clone(),
    });
    crystals.chain(starts).collect()
}
