//! The page of photographs: which are wanted, which are there, and which nothing asks for.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use eframe::egui;

use super::{GOOD, MISSING, WRONG};
use crate::{
    copy::{Owner, Photographs, photographs_of},
    session::{Of, asked_for, unasked, wanted, wanted_or_there},
};

/// The files in `enrol/` are looked through so often: somebody puts photographs there while the window is open.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The photographs that lie in `enrol/`, as they lay when it was last looked through.
pub(super) struct Shelf {
    enrol: PathBuf,
    looked: Option<Instant>,
    listed: Photographs,
    /// Those that begin as no picture does, and when they were written.
    unreadable: BTreeMap<PathBuf, (Option<SystemTime>, bool)>,
}

impl Shelf {
    pub fn of(folder: &Path) -> Self {
        Self {
            enrol: photographs_of(folder),
            looked: None,
            listed: Photographs::default(),
            unreadable: BTreeMap::new(),
        }
    }

    /// By the names that `owner` asks for them by.
    pub fn serving(&mut self, owner: &Owner) -> Photographs {
        if self.looked.is_none_or(|at| at.elapsed() > LOOK_AGAIN) {
            self.looked = Some(Instant::now());
            // a folder that cannot be read shows nothing
            self.listed = Photographs::list(&self.enrol).unwrap_or_default();
            let files = self.listed.names().filter_map(|n| self.listed.get(n));
            for file in files {
                let written = file.metadata().and_then(|about| about.modified()).ok();
                let known = self.unreadable.get(file);
                if known.is_none_or(|(then, _)| *then != written) {
                    let size = image::ImageReader::open(file)
                        .and_then(image::ImageReader::with_guessed_format)
                        .ok()
                        .and_then(|reader| reader.into_dimensions().ok());
                    self.unreadable
                        .insert(file.to_owned(), (written, size.is_none()));
                }
            }
        }
        self.listed.clone().serving(&asked_for(owner))
    }

    /// Whether a file is no picture, by how it begins.
    pub fn is_unreadable(&self, file: &Path) -> bool {
        self.unreadable.get(file).is_some_and(|(_, is)| *is)
    }
}

/// How many photographs are wanted and not there.
pub(super) fn missing(owner: &Owner, there: &Photographs) -> usize {
    let wanted = wanted(owner).into_iter();
    wanted.filter(|w| there.get(&w.name).is_none()).count()
}

/// Returns the name of one that somebody wants to see.
pub(super) fn page(
    ui: &mut egui::Ui,
    owner: &Owner,
    there: &Photographs,
    shelf: &Shelf,
) -> Option<String> {
    let mut chosen = None;
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        // what is put there meanwhile is shown
        ui.ctx().request_repaint_after(LOOK_AGAIN);
        ui.heading("Photographs");
        ui.label("What an enrolment wants in the folder enrol/, one photograph of each thing by itself. Take them by these names, or with sightline enrol --camera, which asks for those that are missing. Click one to see what is taken from it, and to say where it lies.");
        strange(ui, owner, there);
        let all = wanted_or_there(owner, there);
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
                    match there.get(&one.name) {
                        Some(file) => {
                            let unreadable = shelf.is_unreadable(file);
                            let name = file.file_name().unwrap_or_default().display();
                            let name = egui::RichText::new(name.to_string());
                            let name = name.color(if unreadable { WRONG } else { GOOD });
                            if ui.link(name).clicked() {
                                chosen = Some(one.name.clone());
                            }
                            if unreadable {
                                ui.colored_label(WRONG, "is no picture that can be read");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_picture_is_not_taken_for_one() {
        let dir = tempfile::tempdir().expect("a folder");
        let enrol = photographs_of(dir.path());
        std::fs::create_dir_all(&enrol).expect("a folder");
        let [good, bad] = ["die_energy_1_1.png", "die_energy_1_2.png"].map(|name| enrol.join(name));
        image::RgbImage::new(4, 4).save(&good).expect("written");
        std::fs::write(&bad, "a letter").expect("written");
        let (owner, _) =
            Owner::parse(r#"{"die_mm": 16, "faces": {"energy": ["1"]}}"#).expect("an owner");
        let mut shelf = Shelf::of(dir.path());
        let there = shelf.serving(&owner);
        assert_eq!(there.names().count(), 2);
        assert!(!shelf.is_unreadable(&good) && shelf.is_unreadable(&bad));
    }
}
