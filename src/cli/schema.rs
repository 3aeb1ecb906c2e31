use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

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
    /// `owner.json`, what `sightline enrol` reads.
    #[cfg(feature = "vision")]
    Owner,
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
    /// A line of `sightline run` and `sightline demo --headless`.
    Line,
    /// What people declare: fire, tractor, an action of the rules, undo.
    Declaration,
    /// What `--serve` shows at `/state.json` and sends on `/ws`.
    Live,
}

pub(super) fn schema(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let schema = match args.name {
        Name::Read => printed::<crate::session::PictureReport>(),
        Name::Copy => schemars::schema_for!(crate::copy::CopyFile),
        #[cfg(feature = "vision")]
        Name::Owner => schemars::schema_for!(crate::copy::Owner),
        Name::Rig => schemars::schema_for!(crate::rig::RigFile),
        Name::Setup => args.game.core().schema(Document::Setup),
        Name::State => args.game.core().schema(Document::State),
        Name::Action => args.game.core().schema(Document::Action),
        Name::Judgement => args.game.core().schema(Document::Judgement),
        Name::Line => printed::<crate::session::Line>(),
        Name::Declaration => schemars::schema_for!(crate::session::Declaration),
        Name::Live => printed::<crate::session::LiveState>(),
    };
    say(&serde_json::to_string_pretty(&whole(schema.to_value()))?)?;
    Ok(ExitCode::SUCCESS)
}

/// The schema of what is printed: what is left out where it says nothing need not be there.
fn printed<T: schemars::JsonSchema>() -> schemars::Schema {
    schemars::generate::SchemaSettings::default()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
}

/// A schema inside another keeps its definitions to itself, but its references start at the root:
/// they are brought there.
fn whole(mut schema: Value) -> Value {
    let mut found = Map::new();
    if let Some(root) = schema.as_object_mut() {
        for part in root.values_mut() {
            lift(part, &mut found);
        }
        if !found.is_empty() {
            let root = root
                .entry("$defs")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Some(root) = root.as_object_mut() {
                for (name, definition) in found {
                    root.entry(name).or_insert(definition);
                }
            }
        }
    }
    schema
}

fn lift(part: &mut Value, found: &mut Map<String, Value>) {
    match part {
        Value::Object(fields) => {
            // a property may be called `$schema` only where it is no object of its own
            if fields.get("$schema").is_some_and(Value::is_string) {
                fields.remove("$schema");
            }
            if let Some(Value::Object(definitions)) = fields.remove("$defs") {
                for (name, mut definition) in definitions {
                    lift(&mut definition, found);
                    found.entry(name).or_insert(definition);
                }
            }
            for value in fields.values_mut() {
                lift(value, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                lift(value, found);
            }
        }
        _ => {}
    }
}
