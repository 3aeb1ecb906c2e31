//! The page of photographs: which are wanted, which are there, and which nothing asks for.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use eframe::egui;

use super::{GOOD, MISSING};
use crate::{
    copy::{Owner, Photographs, photographs_of},
    session::{Of, asked_for, unasked, wanted},
};

/// The files in `enrol/` are looked through so often: somebody puts photographs there while the window is open.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The photographs that lie in `enrol/`, as they lay when it was last looked through.
pub(super) struct Shelf {
    enrol: PathBuf,
    looked: Option<Instant>,
    listed: Photographs,
}

impl Shelf {
    pub fn of(folder: &Path) -> Self {
        Self {
            enrol: photographs_of(folder),
            looked: None,
            listed: Photographs::default(),
        }
    }

    /// By the names that `owner` asks for them by.
    pub fn serving(&mut self, owner: &Owner) -> Photographs {
        if self.looked.is_none_or(|at| at.elapsed() > LOOK_AGAIN) {
            self.looked = Some(Instant::now());
            // a folder that cannot be read shows nothing
            self.listed = Photographs::list(&self.enrol).unwrap_or_default();
        }
        self.listed.clone().serving(&asked_for(owner))
    }
}

/// How many photographs are wanted and not there.
pub(super) fn missing(owner: &Owner, there: &Photographs) -> usize {
    let wanted = wanted(owner).into_iter();
    wanted.filter(|w| there.get(&w.name).is_none()).count()
}

/// Returns the name of one that somebody wants to see.
pub(super) fn page(ui: &mut egui::Ui, owner: &Owner, there: &Photographs) -> Option<String> {
    let mut chosen = None;
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        // what is put there meanwhile is shown
        ui.ctx().request_repaint_after(LOOK_AGAIN);
        ui.heading("Photographs");
        ui.label("What an enrolment wants in the folder enrol/, one photograph of each thing by itself. Take them by these names, or with sightline enrol --camera, which asks for those that are missing. Click one to see what is taken from it, and to say where it lies.");
        strange(ui, owner, there);
        let all = wanted(owner);
        for (of, title) in [
            (Of::Board, "The board"),
            (Of::Displays, "Displays"),
            (Of::Dice, "Dice"),
            (Of::Ships, "Ships"),
            (Of::Tokens, "Tokens"),
        ] {
            let these: Vec<_> = all.iter().filter(|w| w.of == of).collect();
            if these.is_empty() {
                continue;
            }
            let n = these.iter().filter(|w| there.get(&w.name).is_some()).count();
            ui.add_space(8.0);
            ui.separator();
            ui.horizontal(|ui| {
                ui.strong(title);
                let colour = if n == these.len() { GOOD } else { MISSING };
                ui.colored_label(colour, format!("{n} of {} are there", these.len()));
            });
            for one in these {
                ui.horizontal_wrapped(|ui| {
                    match there.get(&one.name).and_then(Path::file_name) {
                        Some(file) => {
                            let name = egui::RichText::new(file.display().to_string());
                            if ui.link(name.color(GOOD)).clicked() {
                                chosen = Some(one.name.clone());
                            }
                        }
                        None => {
                            ui.colored_label(MISSING, format!("{}: missing", one.name));
                        }
                    }
                    ui.weak(&one.shows);
                });
            }
        }
    });
    chosen
}

/// Files that nothing asks for: most often a name was changed after the photograph was taken.
fn strange(ui: &mut egui::Ui, owner: &Owner, there: &Photographs) {
    let names = unasked(owner, there);
    if names.is_empty() {
        return;
    }
    ui.add_space(8.0);
    ui.separator();
    ui.colored_label(
        MISSING,
        "Nothing asks for these: names follow kinds and symbols, teams, displays and tokens",
    );
    for name in names {
        let file = there
            .get(&name)
            .and_then(Path::file_name)
            .unwrap_or_default();
        ui.colored_label(MISSING, file.display().to_string());
    }
}
