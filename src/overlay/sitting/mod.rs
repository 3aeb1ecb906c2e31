//! The window in which a person photographs a copy: what the camera sees, what is wanted now, and what is amiss.

mod worker;

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{self, Color32, Key, RichText, Shape as Drawn, Stroke};

use self::worker::{Asked, Finding, Shared, Shown, Word, Workers};
use super::{corners::on_screen, no_window, paint};
use crate::{
    capture::{Picture, Source},
    copy::Status,
    session::{How, Sitting},
    vision::Enroller,
};

const AMISS: Color32 = Color32::from_rgb(255, 200, 60);

/// Whether there may be a screen to open a window on.
fn has_display() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
        .into_iter()
        .any(set)
}

type Given = (Sitting, Enroller, Box<dyn Source>);

/// There is no window: why, in a sentence, and what was given for it.
pub struct NoWindow {
    pub why: String,
    pub given: Given,
}

/// Opens the window, and runs until it is closed or a person stops. What was taken is kept in any case.
///
/// # Errors
/// No window can be opened; then nothing was done.
pub fn photograph(
    sitting: Sitting,
    enroller: Enroller,
    source: Box<dyn Source>,
) -> Result<(), Box<NoWindow>> {
    let instead = "go on by words on the terminal";
    let given = (sitting, enroller, source);
    if !has_display() {
        let why = format!("no window can be opened without a display: {instead}");
        return Err(Box::new(NoWindow { why, given }));
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("sightline: photographs of your copy")
            .with_inner_size([1180.0, 820.0])
            .with_min_inner_size([640.0, 480.0]),
        ..Default::default()
    };
    // they come back where the window is not opened after all
    let given = Arc::new(Mutex::new(Some(given)));
    let for_window = Arc::clone(&given);
    let ran = eframe::run_native(
        "sightline-photographs",
        options,
        Box::new(move |cc| {
            let given = for_window
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            let (sitting, enroller, source) = given.ok_or("the window was opened twice")?;
            let shared = Shared::default();
            let workers = Workers::start(sitting, enroller, source, &shared, &cc.egui_ctx)?;
            Ok(Box::new(App {
                shared,
                workers,
                texture: None,
                in_texture: None,
            }))
        }),
    );
    let given = given.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (ran, given) {
        (Err(e), Some(given)) => {
            let why = no_window(&e, instead);
            Err(Box::new(NoWindow { why, given }))
        }
        // a window that breaks down has kept what was taken
        _ => Ok(()),
    }
}

/// What a person does by a button or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Take,
    Keep,
    Skip,
    Back,
    Stop,
}

/// The acts, their keys, and what their buttons say.
const ACTS: [(Act, &[Key], &str); 5] = [
    (Act::Take, &[Key::Space, Key::Enter], "Take it (space)"),
    (Act::Keep, &[Key::K], "Keep it all the same (K)"),
    (Act::Skip, &[Key::S], "Skip it (S)"),
    (Act::Back, &[Key::B, Key::Backspace], "Back to the last (B)"),
    (Act::Stop, &[Key::Q, Key::Escape], "Stop (Q)"),
];

impl Act {
    /// Whether it can be done where this is wanted, and a picture is there or not.
    fn is_possible(self, asked: &Asked, picture: bool, busy: bool) -> bool {
        let wanted = asked.shows.is_some();
        match self {
            Self::Stop => true,
            _ if busy => false,
            Self::Take | Self::Keep => wanted && picture,
            Self::Skip => wanted,
            Self::Back => asked.past > 0,
        }
    }
}

/// What a key does that was pressed since the last frame; one that is held does it once.
fn pressed(events: &[egui::Event]) -> Option<Act> {
    let down = |key: &Key| {
        events.iter().any(|e| {
            matches!(e, egui::Event::Key { key: k, pressed: true, repeat: false, modifiers, .. }
                if k == key && !modifiers.any())
        })
    };
    let act = ACTS.iter().find(|(_, keys, _)| keys.iter().any(down));
    act.map(|(act, ..)| *act)
}

struct App {
    shared: Shared,
    workers: Workers,
    texture: Option<egui::TextureHandle>,
    /// The number of the picture in the texture.
    in_texture: Option<u64>,
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let (frame, camera, asked, finding, said, busy) = {
            let shown: &Shown = &self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            (
                shown.frame.clone(),
                shown.camera.clone(),
                shown.asked.clone(),
                shown.finding.clone(),
                shown.said.clone(),
                shown.busy,
            )
        };
        // of what was wanted before it says nothing
        let finding = finding.filter(|f| f.past == asked.past && asked.shows.is_some());
        // a key is no press of the button that was clicked last, too
        let key = ui.input_mut(|i| {
            let key = pressed(&i.events);
            i.events.retain(|e| {
                !matches!(
                    e,
                    egui::Event::Key {
                        key: Key::Space | Key::Enter,
                        ..
                    }
                )
            });
            key
        });
        egui::Panel::top("wanted").show(ui, |ui| wanted_ui(ui, &asked));
        let mut act = key;
        egui::Panel::bottom("acts").show(ui, |ui| {
            state_ui(ui, &asked, finding.as_ref(), said.as_ref(), busy);
            act = act.or(acts_ui(ui, &asked, frame.is_some(), busy));
        });
        egui::CentralPanel::default().show(ui, |ui| match &frame {
            Some((number, picture)) => self.picture_ui(ui, *number, picture, finding.as_ref()),
            None => {
                let why = camera
                    .as_deref()
                    .unwrap_or("Waiting for the first picture…");
                ui.centered_and_justified(|ui| ui.label(RichText::new(why).size(20.0)));
            }
        });
        if let Some(act) = act.filter(|a| a.is_possible(&asked, frame.is_some(), busy)) {
            self.act(ui, act, frame.map(|f| f.1));
        } else if key == Some(Act::Take) && asked.shows.is_none() {
            self.act(ui, Act::Stop, None);
        }
    }
}

impl App {
    fn act(&mut self, ui: &egui::Ui, act: Act, picture: Option<Picture>) {
        // what the person saw when it was said is what is taken
        let word = match (act, picture) {
            (Act::Stop, _) => {
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
                return;
            }
            (Act::Take, Some(picture)) => Word::Take(picture),
            (Act::Keep, Some(picture)) => Word::Keep(picture),
            (Act::Take | Act::Keep, None) => return,
            (Act::Skip, _) => Word::Skip,
            (Act::Back, _) => Word::Back,
        };
        // one word at a time: a second press would be of the next photograph
        self.shared
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .busy = true;
        self.workers.say(word);
    }

    fn picture_ui(
        &mut self,
        ui: &mut egui::Ui,
        number: u64,
        picture: &Picture,
        finding: Option<&Finding>,
    ) {
        let size = [picture.width() as usize, picture.height() as usize];
        if self.in_texture != Some(number) {
            let image = egui::ColorImage::from_rgb(size, picture.rgb());
            match &mut self.texture {
                Some(t) => t.set(image, egui::TextureOptions::LINEAR),
                None => {
                    let options = egui::TextureOptions::LINEAR;
                    self.texture = Some(ui.ctx().load_texture("camera", image, options));
                }
            }
            self.in_texture = Some(number);
        }
        let Some(texture) = &self.texture else { return };
        let space = ui.available_rect_before_wrap();
        let scale = (space.width() / size[0] as f32).min(space.height() / size[1] as f32);
        let shown = egui::vec2(size[0] as f32 * scale, size[1] as f32 * scale);
        let rect = egui::Rect::from_center_size(space.center(), shown);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        ui.painter()
            .image(texture.id(), rect, whole, Color32::WHITE);
        let Some((found, corners)) = finding.and_then(|f| Some((f, f.corners?))) else {
            return;
        };
        let painter = ui.painter().with_clip_rect(rect);
        let mut ring: Vec<_> = corners
            .0
            .iter()
            .map(|p| on_screen(*p, rect.min, scale))
            .collect();
        ring.extend(ring.first().copied());
        if found.amiss.is_none() {
            let stroke = Stroke::new(3.0, paint::colour(Status::Sure));
            painter.add(Drawn::line(ring, stroke));
        } else {
            let stroke = Stroke::new(3.0, AMISS);
            painter.extend(Drawn::dashed_line(&ring, stroke, 10.0, 6.0));
        }
    }
}

/// What is wanted, in words, and how far one is.
fn wanted_ui(ui: &mut egui::Ui, asked: &Asked) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let words = match &asked.shows {
            Some((shows, _)) => format!("Show {shows}"),
            None => format!(
                "Nothing more is asked for: {} of {} taken",
                asked.taken, asked.of
            ),
        };
        ui.label(RichText::new(words).size(22.0).strong());
    });
    ui.horizontal(|ui| {
        let done = asked.past as f32 / asked.of.max(1) as f32;
        let words = match asked.shows {
            Some(_) => format!("{} of {}", asked.past + 1, asked.of),
            None => format!("{} of {}", asked.past, asked.of),
        };
        ui.add(egui::ProgressBar::new(done).text(words));
    });
    ui.add_space(6.0);
}

/// How the picture is right now, and what came of the last word.
fn state_ui(
    ui: &mut egui::Ui,
    asked: &Asked,
    finding: Option<&Finding>,
    said: Option<&(bool, String)>,
    busy: bool,
) {
    ui.add_space(6.0);
    let (words, colour) = match (&asked.shows, finding) {
        (None, _) => (
            "Close the window: the copy is made of what is there.".to_owned(),
            paint::colour(Status::Sure),
        ),
        (Some(_), None) => ("Looking…".to_owned(), ui.visuals().weak_text_color()),
        (Some((_, how)), Some(Finding { amiss: None, .. })) => {
            let found = match how {
                How::Surface(..) => "It is found, where the line is.",
                _ => "It is found.",
            };
            (found.to_owned(), paint::colour(Status::Sure))
        }
        (
            Some(_),
            Some(Finding {
                amiss: Some(amiss), ..
            }),
        ) => (sentence(amiss), AMISS),
    };
    ui.label(RichText::new(words).size(18.0).color(colour));
    ui.horizontal_wrapped(|ui| match said {
        _ if busy => drop(ui.label("Looking at it…")),
        Some((true, words)) => drop(ui.label(words)),
        Some((false, words)) => drop(ui.colored_label(AMISS, words)),
        None => drop(ui.weak("What is taken is kept at once; the next time goes on from there.")),
    });
}

/// With a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().map(char::to_uppercase);
    first
        .into_iter()
        .flatten()
        .chain(rest)
        .chain(['.'])
        .collect()
}

fn acts_ui(ui: &mut egui::Ui, asked: &Asked, picture: bool, busy: bool) -> Option<Act> {
    let mut chosen = None;
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        for (act, _, words) in ACTS {
            let words = match (act, asked.shows.is_some()) {
                (Act::Stop, false) => "Make the copy (enter)",
                _ => words,
            };
            let words = RichText::new(words).size(17.0);
            let button = egui::Button::new(words).min_size(egui::vec2(0.0, 34.0));
            let possible = act.is_possible(asked, picture, busy);
            if ui.add_enabled(possible, button).clicked() {
                chosen = Some(act);
            }
        }
    });
    ui.add_space(6.0);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::Shape;

    fn key(key: Key, repeat: bool) -> egui::Event {
        egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat,
            modifiers: egui::Modifiers::NONE,
        }
    }

    #[test]
    fn a_key_that_is_held_takes_one_photograph() {
        assert_eq!(pressed(&[key(Key::Space, false)]), Some(Act::Take));
        assert_eq!(pressed(&[key(Key::Enter, true)]), None);
        assert_eq!(pressed(&[key(Key::Backspace, false)]), Some(Act::Back));
        assert_eq!(pressed(&[key(Key::X, false)]), None);
    }

    #[test]
    fn only_what_can_be_done_is_offered() {
        let asked = |past: usize, left: bool| Asked {
            past,
            of: 3,
            taken: past,
            shows: left.then(|| ("the empty board, whole".to_owned(), How::Face(Shape::D6))),
        };
        let can = |asked: &Asked, picture: bool, busy: bool| {
            let all = ACTS.iter().map(|a| a.0);
            all.filter(|a| a.is_possible(asked, picture, busy))
                .collect::<Vec<_>>()
        };
        use Act::{Back, Keep, Skip, Stop, Take};
        assert_eq!(can(&asked(0, true), true, false), [Take, Keep, Skip, Stop]);
        assert_eq!(can(&asked(1, true), false, false), [Skip, Back, Stop]);
        assert_eq!(can(&asked(1, true), true, true), [Stop]);
        assert_eq!(can(&asked(3, false), true, false), [Back, Stop]);
    }

    #[test]
    fn what_is_amiss_is_a_sentence() {
        assert_eq!(sentence("it is too dark"), "It is too dark.");
        assert_eq!(sentence(""), ".");
    }
}
