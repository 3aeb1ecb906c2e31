use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;

use super::{UserError, say};
use crate::rules::{Form, Game, MAX_INPUT_BYTES, NotJudged};

#[derive(Debug, Args)]
pub(super) struct JudgeArgs {
    /// Whose rules.
    #[arg(long, value_name = "NAME", value_parser = super::game_parser())]
    game: Game,
    /// One JSON object: the state, the problems and the calls.
    #[arg(long)]
    json: bool,
    /// For people: every call with its reasons. So it is printed where no form is named, too.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Actions to carry out first, one JSON file each, in order.
    #[arg(long = "action", value_name = "FILE")]
    actions: Vec<PathBuf>,
    /// Print a state to start from, and nothing else.
    #[arg(long, conflicts_with_all = ["state", "actions", "example_action"])]
    example: bool,
    /// Print an action that the example state allows, and nothing else.
    #[arg(long, conflicts_with_all = ["state", "actions"])]
    example_action: bool,
    /// The state, as `sightline schema state` describes it; `-` for standard input.
    #[arg(value_name = "STATE", required_unless_present_any = ["example", "example_action"])]
    state: Option<PathBuf>,
}

/// Never more than what the rules would read, whatever the file is.
fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let wrong =
        |e: io::Error| UserError(format!("{}: {}", path.display(), crate::copy::in_words(&e)));
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
    let core = args.game.core();
    let Some(path) = &args.state else {
        let example = if args.example_action {
            core.example_action()
        } else {
            core.example_state()
        };
        say(example.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let state = bytes(path)?;
    let actions = args
        .actions
        .iter()
        .map(|file| bytes(file))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let form = if args.json { Form::Json } else { Form::Text };
    let judgement = core.judge(&state, &actions, form).map_err(|e| {
        let file = match &e {
            NotJudged::State(_) => path,
            NotJudged::Action { index, .. } | NotJudged::Refused { index, .. } => {
                args.actions.get(*index).unwrap_or(path)
            }
            NotJudged::Unwritten(_) => return anyhow::Error::new(e),
        };
        UserError(format!("{}: {e}", file.display())).into()
    })?;
    say(judgement.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
