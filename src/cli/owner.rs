//! `owner.json` read, and `owner`: the window in which it is written.

use std::path::{Path, PathBuf};
#[cfg(feature = "app")]
use std::process::ExitCode;

use super::UserError;
use crate::copy::{BOARD, Owner, OwnerError, in_words, read_text};

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
        read(&file)?.owner
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

/// What an owner told, and the file that it stands in.
pub(super) struct Told {
    pub owner: Owner,
    path: PathBuf,
    text: String,
}

impl Told {
    /// An error that says on which line of the file the field stands.
    pub fn wrong(&self, why: &OwnerError) -> UserError {
        UserError(why.within(&self.path, &self.text))
    }

    /// What can be lived with, and is hardly meant, a sentence each.
    pub fn odd(&self) -> Vec<String> {
        let odd = self.owner.odd_faces().into_iter();
        let odd = odd.chain(self.owner.odd_sizes()).chain(self.unmeasured());
        odd.map(|why| self.wrong(&why).to_string()).collect()
    }

    /// Thicknesses of what is there that nobody has told: dice lie so much higher.
    fn unmeasured(&self) -> Vec<OwnerError> {
        let text: serde_json::Value = serde_json::from_str(&self.text).unwrap_or_default();
        let is_said = |field: &[&str]| text.pointer(&format!("/{}", field.join("/"))).is_some();
        let cards = !self.owner.displays.is_empty();
        let all = [
            (cards, &["card_thickness_mm"][..]),
            (self.owner.board.is_some(), &[BOARD, "thickness_mm"]),
        ];
        let untold = all
            .into_iter()
            .filter(|(is_there, field)| *is_there && !is_said(field));
        let what = "is missing, and taken for 0: measure it, dice are placed the better for it";
        untold
            .map(|(_, field)| OwnerError::new(field, what))
            .collect()
    }
}

/// Reads the file, and says on standard error which of its fields nobody asks for.
///
/// # Errors
/// It is no such file, or what stands in it contradicts itself: one sentence with file, line and field.
pub(super) fn load(path: &Path) -> anyhow::Result<Told> {
    let told = read(path)?;
    let whole = told.owner.check().and_then(|()| told.owner.check_words());
    whole.map_err(|e| told.wrong(&e))?;
    Ok(told)
}

/// The same of a file that need not be whole.
fn read(path: &Path) -> anyhow::Result<Told> {
    let text = read_text(path).map_err(|e| {
        let makes = match (e.kind(), path.parent()) {
            (std::io::ErrorKind::NotFound, Some(folder)) => {
                format!("; sightline owner --from {} makes one", folder.display())
            }
            _ => String::new(),
        };
        UserError(format!("{}: {}{makes}", path.display(), in_words(&e)))
    })?;
    // some editors put a mark before all else
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let (owner, unknown) = Owner::parse(&text).map_err(|e| UserError(e.within(path, &text)))?;
    for field in unknown {
        let steps: Vec<&str> = field.split('.').collect();
        let what = "nothing is known of such a field, and it is passed over";
        let passed_over = OwnerError::new(&steps, what);
        complain!("sightline: {}", passed_over.within(path, &text));
    }
    Ok(Told {
        owner,
        path: path.to_owned(),
        text,
    })
}
