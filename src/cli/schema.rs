use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::say;

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    #[arg(value_enum)]
    name: Name,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// A line of `sightline read`.
    Read,
    /// `copy.toml`, as JSON.
    Copy,
    /// A rig file, as JSON.
    Rig,
    /// A Dice Duel set-up.
    Setup,
    /// What `sightline judge` reads.
    State,
    /// What `sightline judge --action` reads.
    Action,
    /// An event in the lines of `sightline run`.
    Event,
}

pub(super) fn schema(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schema = match args.name {
        Name::Read => schemars::schema_for!(crate::session::PictureReport),
        Name::Copy => schemars::schema_for!(crate::copy::CopyFile),
        Name::Rig => schemars::schema_for!(crate::rig::RigFile),
        Name::Setup => schemars::schema_for!(crate::rules::dice_duel::Setup),
        Name::State => crate::rules::dice_duel::State::schema(),
        Name::Action => crate::rules::dice_duel::Action::schema(),
        Name::Event => schemars::schema_for!(crate::session::Event),
    };
    say(&serde_json::to_string_pretty(&schema)?)?;
    Ok(ExitCode::SUCCESS)
}
