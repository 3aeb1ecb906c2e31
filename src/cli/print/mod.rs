//! `print`: what a person needs on paper, as PDF, to scale.

mod art;
mod document;
mod paper;
mod set;
mod sheets;
#[cfg(feature = "vision")]
mod targets;
mod words;

#[cfg(test)]
mod tests;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};

use self::{paper::Paper, set::PrintSet};
use super::{UserError, say};
use crate::copy::{shipped, write};

#[derive(Debug, Args)]
pub(super) struct PrintArgs {
    #[arg(value_enum)]
    what: What,
    #[arg(long, value_enum, default_value_t = Paper::A4)]
    paper: Paper,
    /// The PDF to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A copy of your own with a `print.toml`, in place of the practice set.
    #[arg(long, value_name = "DIR")]
    copy: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The calibration board for `sightline calibrate`.
    #[cfg(feature = "vision")]
    Charuco,
    /// Markers to stick on displays and boards that are hard to tell apart or to find.
    #[cfg(feature = "vision")]
    Markers,
    /// The practice set: board, displays, dice to fold, stickers, ships, tokens, crystals.
    Practice,
}

pub(super) fn print(args: &PrintArgs) -> anyhow::Result<ExitCode> {
    if args.copy.is_some() && args.what != What::Practice {
        return Err(UserError(
            "--copy goes with `print practice`: boards to calibrate with and markers are of no copy".to_owned(),
        )
        .into());
    }
    let (pdf, advice) = match args.what {
        #[cfg(feature = "vision")]
        What::Charuco => (
            targets::charuco(args.paper)?,
            "print it at 100 %, glue it to something flat, and check that the bar under it is 150 mm long".to_owned(),
        ),
        #[cfg(feature = "vision")]
        What::Markers => (
            targets::sheet_of_markers(args.paper)?,
            "print it at 100 %; displays with two markers or more, stuck on before they are enrolled, are found by them".to_owned(),
        ),
        What::Practice => {
            let folder = args.copy.clone().unwrap_or_else(|| shipped("practice"));
            let set = PrintSet::load(&folder)?;
            let sheets = sheets::sheets(&set, args.paper)?;
            let advice = format!(
                "{} pages; print them at 100 % and check that the bar at their foot is 100 mm long; the first says what to do",
                sheets.len()
            );
            (
                document::document(&set.title, &set.art, &sheets, args.paper),
                advice,
            )
        }
    };
    write(&args.out, pdf)?;
    say(&format!("{}: {advice}", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
