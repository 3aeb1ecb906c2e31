//! The window in which an owner tells what no camera sees: sizes, symbols, and where the zones of displays and of the board
//! lie. It writes `owner.json`, and the corners of photographs that were dragged.

mod canvas;
mod dice;
mod drawing;
mod forms;
mod missing;
mod photos;
mod rules;
mod sheet;
mod shelf;
mod tokens;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use eframe::egui::{self, Color32};

use self::{
    canvas::{Canvas, Pick},
    photos::{Photo, Photos, Subject},
    sheet::Sheet,
    shelf::Shelf,
};
use super::no_window;
use crate::{
    copy::{self, BOARD, Owner},
    geometry::Quad,
    session::{HouseRule, How, wanted_or_there},
};

/// The place where saving is spoken of: two lines; points of the screen.
const SAVE_HIGH: f32 = 52.0;
const GOOD: Color32 = Color32::from_rgb(110, 210, 120);
const MISSING: Color32 = Color32::from_rgb(240, 190, 80);
const WRONG: Color32 = Color32::from_rgb(255, 110, 110);

/// Opens the window on `folder/owner.json` as it was read (or as an owner of the usual copy begins), and runs until it is
/// closed. What is told is kept whenever somebody saves; who closes it with something unsaved is asked.
///
/// # Errors
/// One sentence, where no window can be opened.
pub fn measure(folder: PathBuf, owner: Owner, models: PathBuf) -> Result<(), String> {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("sightline: what an owner knows")
            .with_inner_size([1180.0, 760.0])
            .with_min_inner_size([720.0, 480.0]),
        ..Default::default()
    };
    eframe::run_native(
        "sightline-owner",
        options,
        Box::new(move |cc| {
            let photos = Photos::start(models, cc.egui_ctx.clone())?;
            Ok(Box::new(App::new(folder, owner, photos)))
        }),
    )
    .map_err(|e| {
        no_window(
            &e,
            "write owner.json by hand: calibration/README.md has its fields",
        )
    })
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
enum Page {
    Sizes,
    Dice,
    Tokens,
    Photographs,
    Rules,
    /// One of these, by its name.
    Photograph(String),
    /// A display's name, or [`BOARD`].
    Surface(String),
}

struct App {
    folder: PathBuf,
    sheet: Sheet,
    page: Page,
    photos: Photos,
    shelf: Shelf,
    /// What a group may play otherwise.
    rules: Vec<HouseRule>,
    canvas: Canvas,
    /// Kinds of dice whose symbols are given words.
    own_words: BTreeSet<String>,
    /// Photographs as they were last looked at.
    looked_at: BTreeMap<String, Subject>,
    /// The file as it was last written, or read.
    kept: String,
    /// What became of saving.
    said: Option<Result<String, String>>,
    /// Somebody closes the window, and not all is saved.
    leaving: bool,
}

impl App {
    fn new(folder: PathBuf, owner: Owner, photos: Photos) -> Self {
        let sheet = Sheet::new(owner);
        let kept = sheet.written().to_json().unwrap_or_default();
        Self {
            shelf: Shelf::of(&folder),
            rules: HouseRule::all(),
            folder,
            sheet,
            page: Page::Sizes,
            photos,
            canvas: Canvas::default(),
            own_words: BTreeSet::new(),
            looked_at: BTreeMap::new(),
            kept,
            said: None,
            leaving: false,
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("owner.json")
    }

    fn save(&mut self) {
        self.said = Some(self.written());
    }

    /// Writes the file, and says what to do next.
    fn written(&mut self) -> Result<String, String> {
        let owner = self.sheet.written();
        let mut text = owner.to_json().map_err(|e| e.to_string())?;
        if let Some(whole) = self.with_what_else_stands_there(&text) {
            text = whole;
        }
        copy::write(&self.file(), &text).map_err(|e| e.to_string())?;
        self.kept = owner.to_json().map_err(|e| e.to_string())?;
        Ok(match owner.check().and_then(|()| owner.check_words()) {
            Ok(()) => format!(
                "{}: saved. Next: sightline enrol --from {} --copy MY-COPY (--camera ID takes what is not photographed yet)",
                self.file().display(),
                self.folder.display()
            ),
            Err(lacks) => format!("saved; before it can be enrolled: {lacks}"),
        })
    }

    /// The text with the fields of the file that are none of ours: what somebody wrote there for other ends stays.
    fn with_what_else_stands_there(&self, text: &str) -> Option<String> {
        let before = copy::read_text(&self.file()).ok()?;
        let (_, unknown) = Owner::parse(&before).ok()?;
        let before: serde_json::Value = serde_json::from_str(&before).ok()?;
        let mut now: serde_json::Value = serde_json::from_str(text).ok()?;
        for path in unknown {
            let (within, name) = path.rsplit_once('.').unwrap_or(("", &path));
            let within = within.split('.').filter(|step| !step.is_empty());
            let (mut from, mut to) = (Some(&before), Some(&mut now));
            for step in within {
                from = from.and_then(|v| v.get(step));
                to = to.and_then(|v| v.get_mut(step));
            }
            // a table that was taken away takes along what stood in it
            let value = from.and_then(|v| v.get(name));
            if let (Some(value), Some(table)) = (value, to.and_then(|v| v.as_object_mut())) {
                table.insert(name.to_owned(), value.clone());
            }
        }
        Some(serde_json::to_string_pretty(&now).ok()? + "\n")
    }

    /// Asks somebody who closes the window with something unsaved.
    fn leaving_ui(&mut self, ctx: &egui::Context, unsaved: bool) {
        if ctx.input(|i| i.viewport().close_requested()) && unsaved && !self.leaving {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.leaving = true;
        }
        if !self.leaving {
            return;
        }
        let window = egui::Window::new("Not all is saved").collapsible(false);
        let window = window.anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]);
        window.show(ctx, |ui| {
            ui.horizontal(|ui| {
                if ui.button("Save and close").clicked() {
                    self.save();
                    self.leaving = self.said.as_ref().is_some_and(Result::is_ok);
                    if self.leaving {
                        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                    }
                }
                if ui.button("Close without saving").clicked() {
                    ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                }
                if ui.button("Go on").clicked() {
                    self.leaving = false;
                }
            });
        });
    }

    fn page(&mut self, page: Page) {
        if let Page::Surface(id) = &page {
            self.canvas = Canvas::on(self.sheet.next_zone(id).map(Pick::Zone));
        }
        self.page = page;
    }

    fn pages_ui(&mut self, ui: &mut egui::Ui) {
        ui.add_space(6.0);
        let mut chosen = None;
        let mut entry =
            |ui: &mut egui::Ui, page: Page, label: &str, missing: Option<usize>, now: &Page| {
                ui.horizontal(|ui| {
                    let (mark, colour) = match missing {
                        None => ("", GOOD),
                        Some(0) => ("done", GOOD),
                        Some(_) => ("to do", MISSING),
                    };
                    if ui.selectable_label(*now == page, label).clicked() {
                        chosen = Some(page);
                    }
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        ui.colored_label(colour, mark)
                    });
                });
            };
        let sizes = self.sheet.missing_sizes().len();
        entry(ui, Page::Sizes, "Sizes", Some(sizes), &self.page);
        let dice = self.sheet.missing_dice().len();
        entry(
            ui,
            Page::Dice,
            "Dice and their symbols",
            Some(dice),
            &self.page,
        );
        let tokens = self.sheet.missing_tokens().len();
        entry(ui, Page::Tokens, "Tokens", Some(tokens), &self.page);
        let there = self.shelf.serving(&self.sheet.owner);
        let photographs = shelf::missing(&self.sheet.owner, &there);
        entry(
            ui,
            Page::Photographs,
            "Photographs",
            Some(photographs),
            &self.page,
        );
        entry(ui, Page::Rules, "Rules", None, &self.page);
        ui.separator();
        for id in self.sheet.surfaces() {
            let missing = self.sheet.missing_on(&id).len() + self.sheet.overlaps(&id).len();
            entry(
                ui,
                Page::Surface(id.clone()),
                &forms::title(&id),
                Some(missing),
                &self.page,
            );
        }
        for id in self.sheet.usual_displays_left() {
            ui.horizontal(|ui| {
                let page = Page::Surface(id.clone());
                let title = egui::RichText::new(forms::title(&id)).weak();
                if ui.selectable_label(self.page == page, title).clicked() {
                    chosen = Some(page);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.weak("none")
                });
            });
        }
        ui.separator();
        ui.small("What the rules know and your copy has not, such as a tube: say so beside it, and it is no longer to do.");
        if let Some(page) = chosen {
            self.page(page);
        }
    }

    fn surface_ui(&mut self, ui: &mut egui::Ui, id: &str) {
        match id {
            BOARD => forms::board(ui, &mut self.sheet.owner),
            display => forms::display(ui, &mut self.sheet, display),
        }
        let is_there = match id {
            BOARD => self.sheet.owner.board.is_some(),
            display => self.sheet.owner.displays.contains_key(display),
        };
        if !is_there {
            return;
        }
        let measured = self.sheet.owner.measured(id);
        let Some((size_mm, measured)) = self.sheet.size_mm(id).zip(measured) else {
            ui.add_space(12.0);
            ui.label(if id == BOARD {
                "Measure the board first: its width and height, a square's side, and where the first square begins."
            } else {
                "Say on the page Sizes how wide and high the displays are: then its zones can be drawn."
            });
            return;
        };
        let there = self.shelf.serving(&self.sheet.owner);
        let names = self.sheet.photographs(id);
        // any team's will do: displays of one station are alike
        let name = names.iter().find(|n| there.get(n).is_some());
        let Some(name) = name.or(names.first()).cloned() else {
            return;
        };
        let subject = Subject {
            file: there.get(&name).map(Path::to_owned),
            name,
            how: How::Surface(measured),
        };
        let photo = self.photo(&subject);
        let of = (&subject, size_mm);
        let dragged = self.canvas.show(ui, &mut self.sheet, id, of, &photo);
        self.dragged(&subject, dragged);
    }

    /// A photograph as it is looked at now.
    fn photo(&mut self, subject: &Subject) -> Photo {
        let photo = self.photos.of(subject);
        let name = subject.name.clone();
        let last = self.looked_at.insert(name, subject.clone());
        if last.is_some_and(|last| last != *subject) {
            self.photos.again(subject, None);
        }
        photo
    }

    /// Keeps corners that a person dragged.
    fn dragged(&mut self, subject: &Subject, corners: Option<Quad>) {
        if let (Some(corners), Some(file)) = (corners, &subject.file) {
            let path = copy::corners_beside(file);
            self.said = Some(
                copy::write_corners(&path, &corners)
                    .map(|()| format!("{}: saved", path.display()))
                    .map_err(|e| e.to_string()),
            );
            self.photos.again(subject, Some(corners));
        }
    }

    /// The photographs, or one of them.
    fn photographs_ui(&mut self, ui: &mut egui::Ui, one: Option<&str>) {
        let there = self.shelf.serving(&self.sheet.owner);
        let wanted = wanted_or_there(&self.sheet.owner, &there);
        let one = one.and_then(|name| wanted.iter().find(|w| w.name == name).cloned());
        let Some(one) = one else {
            if let Some(name) = shelf::page(ui, &self.sheet.owner, &there, &self.shelf) {
                self.canvas = Canvas::default();
                self.page = Page::Photograph(name);
            }
            return;
        };
        let all = wanted.into_iter().map(|w| w.name);
        let all: Vec<String> = all.filter(|name| there.get(name).is_some()).collect();
        let place = all.iter().position(|name| *name == one.name);
        let beside = |by: isize| all.get(place?.checked_add_signed(by)?).cloned();
        let subject = Subject {
            file: there.get(&one.name).map(Path::to_owned),
            name: one.name.clone(),
            how: one.how,
        };
        let photo = self.photo(&subject);
        let given = matches!(photo, Photo::Shown { given: true, .. });
        let mut again = false;
        ui.horizontal(|ui| {
            if ui.button("All photographs").clicked() {
                self.page = Page::Photographs;
            }
            for (by, label) in [(-1, "Previous"), (1, "Next")] {
                let other = beside(by);
                let button = ui.add_enabled(other.is_some(), egui::Button::new(label));
                if let Some(other) = other.filter(|_| button.clicked()) {
                    self.page = Page::Photograph(other);
                    self.canvas = Canvas::default();
                }
            }
            ui.heading(&subject.name);
            again = given && ui.button("Find it without my corners").clicked();
        });
        let dragged = self.canvas.photograph(ui, &one, &photo);
        self.dragged(&subject, dragged);
        if let Some(file) = subject.file.as_ref().filter(|_| again) {
            let path = copy::corners_beside(file);
            self.said = Some(match std::fs::remove_file(&path) {
                Ok(()) => Ok(format!("{}: taken away", path.display())),
                Err(e) => Err(format!("{}: {}", path.display(), copy::in_words(&e))),
            });
            self.photos.again(&subject, None);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let now = self.sheet.written().to_json().unwrap_or_default();
        let unsaved = now != self.kept;
        self.leaving_ui(ui.ctx(), unsaved);
        let by_key = ui.input(|i| i.modifiers.command && i.key_pressed(egui::Key::S));
        // as high for one line as for two: what lies above must not jump under the pointer
        let save = egui::Panel::bottom("save").resizable(false);
        save.exact_size(SAVE_HIGH).show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal_wrapped(|ui| {
                let label = egui::RichText::new("Save owner.json").strong();
                let save =
                    ui.add_enabled(unsaved || !self.file().exists(), egui::Button::new(label));
                if save.clicked() || by_key {
                    self.save();
                }
                if unsaved {
                    ui.colored_label(MISSING, "not saved yet");
                }
                match &self.said {
                    // of what has changed since, nothing was said
                    Some(Ok(_)) if unsaved => {}
                    Some(Ok(words)) => drop(ui.label(words)),
                    Some(Err(why)) => drop(ui.colored_label(WRONG, why)),
                    None => drop(ui.weak(self.file().display().to_string())),
                }
            });
            ui.add_space(4.0);
        });
        egui::Panel::left("pages")
            .default_size(220.0)
            .min_size(180.0)
            .show(ui, |ui| self.pages_ui(ui));
        egui::CentralPanel::default().show(ui, |ui| match self.page.clone() {
            Page::Sizes => forms::sizes(ui, &mut self.sheet),
            Page::Dice => dice::page(ui, &mut self.sheet, &mut self.own_words),
            Page::Tokens => tokens::page(ui, &mut self.sheet.owner),
            Page::Photographs => self.photographs_ui(ui, None),
            Page::Photograph(name) => self.photographs_ui(ui, Some(&name)),
            Page::Rules => rules::page(ui, &mut self.sheet.owner, &self.rules),
            Page::Surface(id) => self.surface_ui(ui, &id),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::usual_owner;

    #[test]
    fn what_is_saved_is_an_owner_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let photos = Photos::start(PathBuf::new(), egui::Context::default()).expect("a thread");
        let mut app = App::new(dir.path().to_owned(), usual_owner(), photos);
        app.save();
        let said = app.said.take().expect("something").expect("saved");
        assert!(said.contains("die_mm"), "{said}");
        app.sheet.owner.die_mm = copy::PerKind::All(16.0);
        app.sheet.owner.card_mm = copy::PerKind::All([150.0, 110.0]);
        app.save();
        let said = app.said.take().expect("something").expect("saved");
        assert!(said.contains("sightline enrol"), "{said}");
        let text = copy::read_text(&app.file()).expect("a file");
        Owner::parse(&text)
            .expect("an owner")
            .0
            .check()
            .expect("whole");
        // what else stood there stays
        let more = text.replacen('{', "{\"notes\": \"ours\",", 1);
        std::fs::write(app.file(), more).expect("written");
        app.sheet.owner.die_mm = copy::PerKind::All(17.0);
        app.save();
        assert!(app.said.take().expect("something").is_ok());
        let text = copy::read_text(&app.file()).expect("a file");
        assert!(
            text.contains("\"notes\": \"ours\"") && text.contains("17"),
            "{text}"
        );
        // in a table of the file's, too, as long as that stands there
        app.sheet.owner.board = Some(sheet::no_board());
        app.save();
        let text = copy::read_text(&app.file()).expect("a file");
        let more = text.replacen("\"cols\"", "\"maker\": \"us\", \"cols\"", 1);
        std::fs::write(app.file(), more).expect("written");
        app.sheet.owner.die_mm = copy::PerKind::All(18.0);
        app.save();
        let text = copy::read_text(&app.file()).expect("a file");
        assert!(
            text.contains("\"maker\": \"us\"") && text.contains("18"),
            "{text}"
        );
        app.sheet.owner.board = None;
        app.save();
        let text = copy::read_text(&app.file()).expect("a file");
        assert!(!text.contains("maker") && text.contains("ours"), "{text}");
        // a folder that is gone is said
        drop(dir);
        app.save();
        assert!(app.said.take().expect("something").is_err());
    }
}
