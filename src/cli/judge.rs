use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};

use super::{UserError, say};
use crate::rules::{
    MAX_INPUT_BYTES,
    dice_duel::{Action, EXAMPLE_STATE, State},
};

#[derive(Debug, Args)]
pub(super) struct JudgeArgs {
    /// Whose rules.
    #[arg(long, value_enum)]
    game: Game,
    /// One JSON object: the state, the problems and the calls.
    #[arg(long)]
    json: bool,
    /// For people: every call with its reasons.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Actions to carry out first, one JSON file each, in order.
    #[arg(long = "action", value_name = "FILE")]
    actions: Vec<PathBuf>,
    /// Print a state to start from, and nothing else.
    #[arg(long, conflicts_with_all = ["state", "actions"])]
    example: bool,
    /// The state, as `sightline schema state` describes it; `-` for standard input.
    #[arg(value_name = "STATE", required_unless_present = "example")]
    state: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Game {
    DiceDuel,
}

/// Never more than what the rules would read, whatever the file is.
fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let wrong = |e: io::Error| UserError(format!("{}: {e}", path.display()));
    let limit = MAX_INPUT_BYTES as u64 + 1;
    let mut out = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(limit)
            .read_to_end(&mut out)
            .map_err(wrong)?;
    } else {
        fs::File::open(path)
            .map_err(wrong)?
            .take(limit)
            .read_to_end(&mut out)
            .map_err(wrong)?;
    }
    Ok(out)
}

pub(super) fn judge(args: &JudgeArgs) -> anyhow::Result<ExitCode> {
    let Game::DiceDuel = args.game;
    let Some(path) = &args.state else {
        say(EXAMPLE_STATE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let named =
        |path: &Path, e: &dyn std::fmt::Display| UserError(format!("{}: {e}", path.display()));
    let state = State::from_json(&bytes(path)?).map_err(|e| named(path, &e))?;
    let mut judgement = state.judge();
    for file in &args.actions {
        let action = Action::from_json(&bytes(file)?).map_err(|e| named(file, &e))?;
        judgement = judgement.after(&action).map_err(|e| named(file, &e))?;
    }
    say(&if args.json {
        serde_json::to_string(&judgement)?
    } else {
        judgement.to_string()
    })?;
    Ok(ExitCode::SUCCESS)
}
