use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::say;
use crate::rules::{Document, Game};

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    #[arg(value_enum)]
    name: Name,
    /// Whose, where each game has its own: setup, state, action, judgement.
    #[arg(long, value_name = "NAME", value_parser = super::game_parser(), default_value = Game::ALL[0].name())]
    game: Game,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// A line of `sightline read`.
    Read,
    /// `copy.toml`, as JSON.
    Copy,
    /// A rig file, as JSON.
    Rig,
    /// A game's table as a camera or a person claims it.
    Setup,
    /// What `sightline judge` reads.
    State,
    /// What `sightline judge --action` reads.
    Action,
    /// What `sightline judge --json` prints.
    Judgement,
    /// An event in the lines of `sightline run`.
    Event,
}

pub(super) fn schema(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schema = match args.name {
        Name::Read => schemars::schema_for!(crate::session::PictureReport),
        Name::Copy => schemars::schema_for!(crate::copy::CopyFile),
        Name::Rig => schemars::schema_for!(crate::rig::RigFile),
        Name::Setup => args.game.core().schema(Document::Setup),
        Name::State => args.game.core().schema(Document::State),
        Name::Action => args.game.core().schema(Document::Action),
        Name::Judgement => args.game.core().schema(Document::Judgement),
        Name::Event => schemars::schema_for!(crate::session::Event),
    };
    say(&serde_json::to_string_pretty(&schema)?)?;
    Ok(ExitCode::SUCCESS)
}
