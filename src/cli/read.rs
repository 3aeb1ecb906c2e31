use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

use super::{Said, say};
use crate::{
    capture::{Picture, still},
    copy::Status,
    rig::{Rig, Sight},
    session::{PictureReport, Session},
    table,
    vision::{self, Effort, Eye, Seen, VisionError},
};

/// A chance from which a reading is sure, if nothing but its print speaks.
const PLAIN: f64 = 0.99;

#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// The copy whose dice they are: a folder with a copy.toml.
    #[arg(long, value_name = "DIR")]
    copy: PathBuf,
    /// The camera set-up the pictures were taken with.
    #[arg(long, value_name = "FILE")]
    rig: Option<PathBuf>,
    /// Which of the rig's cameras took the pictures, where it has several: its identity or name.
    #[arg(long = "as", value_name = "CAMERA", requires = "rig")]
    taken_by: Option<String>,
    /// One JSON object a picture, each on a line (`sightline schema read`), in place of a list for people.
    #[arg(long)]
    json: bool,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Threads for the models.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// JPEG or PNG pictures.
    #[arg(required = true, value_name = "IMAGE")]
    images: Vec<PathBuf>,
}

/// A picture that cannot be read is said so in one sentence, and the others are read all the same.
pub(super) fn read(args: &ReadArgs) -> anyhow::Result<ExitCode> {
    let copy = super::load_copy(&args.copy)?;
    let rig = args
        .rig
        .as_deref()
        .map(Rig::load)
        .transpose()?
        .unwrap_or_default();
    let models = args.models.clone().unwrap_or_else(vision::models_folder);
    let mut eye = super::open_eye(&models, &copy, args.threads.into())?;
    let session = super::open_session(copy, rig)?;
    let (mut refused, mut failed, mut told) = (false, false, false);
    for path in &args.images {
        let (picture, note) = match still::load(path) {
            Ok(loaded) => loaded,
            Err(error) => {
                complain!("sightline: {error}");
                refused = true;
                continue;
            }
        };
        let (sight, misfits) = session.rig().sight(
            args.taken_by.as_deref(),
            [picture.width(), picture.height()],
        );
        for misfit in misfits {
            complain!("sightline: {}: {misfit}", path.display());
        }
        if let Some(lens) = session.without_lens(&sight).filter(|_| !told) {
            complain!("sightline: {lens}");
            told = true;
        }
        let picture = vision::masked(&picture, sight.masks())?;
        if let Some(note) = note {
            complain!("sightline: {note}");
        }
        let (report, wrong) = match report(&mut eye, &session, sight, path, &picture) {
            Ok(report) => report,
            Err(error) => {
                complain!("sightline: {}: {error}", path.display());
                *(if error.is_the_users() {
                    &mut refused
                } else {
                    &mut failed
                }) = true;
                continue;
            }
        };
        let text = if args.json {
            serde_json::to_string(&report)?
        } else {
            let surfaces = session.copy().surfaces.iter();
            let found = |id: &str| report.surfaces.iter().any(|s| s.id == id);
            let unfound: Vec<&str> = surfaces
                .map(|s| s.id.as_str())
                .filter(|id| !found(id))
                .collect();
            for_people(&report, &unfound, &wrong)
        };
        if say(&text)? == Said::NobodyListens {
            break;
        }
    }
    Ok(ExitCode::from(match () {
        () if failed => 1,
        () if refused => 2,
        () => 0,
    }))
}

/// What one picture shows, and what lies wrong in it, in sentences.
fn report(
    eye: &mut Eye,
    session: &Session,
    sight: Sight,
    path: &Path,
    picture: &Picture,
) -> Result<(PictureReport, Vec<String>), VisionError> {
    let Seen {
        mut sightings,
        surfaces,
    } = eye.see(picture, Effort::Still)?;
    let mut seen = session.lie(&surfaces);
    seen.extend(session.shown(&sight));
    let sight = sight.with_seen(seen);
    let standing = eye.standing(picture, &sight, &mut sightings)?;
    let mut standing = standing.unwrap_or_default();
    sightings.retain(|s| session.looks_at(&sight, s.polygon.centre()));
    standing
        .pieces
        .retain(|p| session.looks_at(&sight, p.polygon.centre()));
    let pieces = session.pieces(&standing, &sight);
    let mut table = table::snapshot(&sightings, &pieces, &session.covers(&standing, &sight));
    session.rank(&mut table, &sight);
    let judged = session.judge(&table, &sight);
    let report = session.report(&path.display().to_string(), &sight, &table, &judged);
    Ok((report, judged.wrong()))
}

/// How sure a reading is, and the chance that its print gives; nothing of that where something else makes it unsure.
fn how_sure(status: Status, confidence: f64) -> String {
    match status {
        Status::Unknown => "unknown".to_owned(),
        Status::Unsure if confidence >= PLAIN => {
            "unsure (plain to read, doubtful otherwise)".to_owned()
        }
        status => format!("{} ({:.1} %)", status.name(), percent(confidence)),
    }
}

fn in_square(square: Option<[u32; 2]>) -> String {
    square.map_or_else(String::new, |[x, y]| format!(" in square {x}, {y}"))
}

/// The middle of a face's corners.
fn middle(corners: &[[f64; 2]]) -> [f64; 2] {
    let n = corners.len().max(1) as f64;
    let add = |[x, y]: [f64; 2], p: &[f64; 2]| [x + p[0] / n, y + p[1] / n];
    corners.iter().fold([0.0; 2], add)
}

/// A chance in per cent, to a tenth; never more than what is reported.
fn percent(confidence: f64) -> f64 {
    (confidence * 1000.0).floor() / 10.0
}

/// What a picture shows, a line each; `unfound` are the copy's surfaces that it does not.
fn for_people(report: &PictureReport, unfound: &[&str], wrong: &[String]) -> String {
    use std::fmt::Write;
    let n = report.dice.len();
    let dice = if n == 1 { "die" } else { "dice" };
    let mut out = format!("{}: {n} {dice}", report.image);
    if !report.surfaces.is_empty() {
        let each = report.surfaces.iter().map(|s| match s.status {
            Status::Sure => s.id.clone(),
            status => format!("{} ({})", s.id, status.name()),
        });
        let _ = write!(out, "\n  on {}", each.collect::<Vec<_>>().join(", "));
    }
    if !unfound.is_empty() {
        let _ = write!(out, "\n  not found: {}", unfound.join(", "));
    }
    for (i, d) in (1..).zip(&report.dice) {
        let middle = middle(&d.polygon);
        let _ = write!(
            out,
            "\n  [{i}] {} {}{}{} at {:.0}, {:.0}",
            d.kind.as_deref().unwrap_or("unknown die"),
            d.face
                .as_deref()
                .map_or_else(String::new, |face| format!("{face} ")),
            how_sure(d.status, d.confidence),
            match (&d.placing.zone, d.placing.zone_status) {
                _ if report.surfaces.is_empty() => String::new(),
                (Some(zone), Status::Sure) => format!(" in {zone}"),
                (Some(zone), _) => format!(" in {zone}, it seems,"),
                (None, _) => String::new(),
            },
            middle[0],
            middle[1]
        );
    }
    for m in &report.minis {
        let square = in_square(m.square);
        let facing = m
            .facing
            .map_or_else(String::new, |f| format!(" facing {f}"));
        let how = match m.place_status == m.status {
            true => m.status.name(),
            false => "sure but for the way it faces",
        };
        let _ = write!(
            out,
            "\n  ship {}{square}{facing}: {} ({:.1} %)",
            m.id,
            how,
            percent(m.confidence)
        );
    }
    for t in &report.tokens {
        let square = match (&t.surface, t.square) {
            (Some(surface), None) => format!(" on {surface}"),
            (_, square) => in_square(square),
        };
        let _ = write!(
            out,
            "\n  {}{square}: {} ({:.1} %)",
            t.kind,
            t.status.name(),
            percent(t.confidence)
        );
    }
    for wrong in wrong {
        let _ = write!(out, "\n  wrong: {wrong}");
    }
    for call in &report.calls {
        let of: Vec<String> = call.dice.iter().map(|id| format!("[{id}] ")).collect();
        let _ = write!(out, "\n  {}{}", of.concat(), call.text);
    }
    out
}
