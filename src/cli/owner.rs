//! `owner.json` read, and `owner`: the window in which it is written.

use std::path::Path;
#[cfg(feature = "app")]
use std::{path::PathBuf, process::ExitCode};

use super::UserError;
use crate::copy::{Owner, in_words, read_text};

#[cfg(feature = "app")]
#[derive(Debug, clap::Args)]
pub(super) struct OwnerArgs {
    /// A folder for `owner.json`, and for the photographs in `enrol/`; it is made where it is not there.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Where the ONNX models are.
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// Opens the window on what is told so far.
#[cfg(feature = "app")]
pub(super) fn owner(args: &OwnerArgs) -> anyhow::Result<ExitCode> {
    let file = args.from.join("owner.json");
    let owner = if file.is_file() {
        read(&file)?
    } else {
        let enrol = args.from.join("enrol");
        std::fs::create_dir_all(&enrol)
            .map_err(|e| UserError(format!("{}: {}", enrol.display(), in_words(&e))))?;
        crate::session::usual_owner()
    };
    let models = args
        .models
        .clone()
        .unwrap_or_else(crate::vision::models_folder);
    crate::overlay::measure(args.from.clone(), owner, models).map_err(UserError)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the file, and says on standard error which of its fields nobody asks for.
///
/// # Errors
/// It is no such file, or what stands in it contradicts itself: one sentence with file and field.
pub(super) fn load(path: &Path) -> anyhow::Result<Owner> {
    let owner = read(path)?;
    let lacks = |why| UserError(format!("{}: {why}", path.display()));
    owner.check().map_err(lacks)?;
    owner.check_words().map_err(lacks)?;
    Ok(owner)
}

/// The same of a file that need not be whole.
fn read(path: &Path) -> anyhow::Result<Owner> {
    let wrong = |why: String| UserError(format!("{}: {why}", path.display()));
    let text = read_text(path).map_err(|e| wrong(in_words(&e)))?;
    let (owner, unknown) = Owner::parse(&text).map_err(wrong)?;
    for field in unknown {
        complain!(
            "sightline: {}: {field}: nothing is known of such a field, and it is passed over",
            path.display()
        );
    }
    Ok(owner)
}
