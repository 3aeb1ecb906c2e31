//! The window: the live picture with what was read drawn over it, and the calls beside it.

mod calls;
mod corners;
mod fix;
mod flow;
mod game;
mod owner;
mod paint;
mod sitting;
mod worker;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::{Duration, Instant},
};

use eframe::egui;

use self::{
    corners::{Asked, Clicking},
    fix::Fixing,
};
use crate::{
    capture::CameraId,
    copy::{Status, WriteError},
    geometry::Quad,
    rig::{Marked, Rig},
    rules::dice_duel::{Symbol, Zone},
    session::{Declaration, GameState, Player, View},
};

pub use self::{
    owner::measure,
    sitting::{NoWindow, photograph},
};

/// Opens what is offered under a key, with the copy that is watched there, or anew, with this rig, what the window was started with; or says
/// in a sentence why not.
pub type Opener = Box<dyn Fn(Option<&str>, &Rig) -> Result<Player, String> + Send>;

/// Hears of every view, before it is shown.
pub type Hearer = Box<dyn Fn(&View) + Send>;

/// What was declared elsewhere, on a page, since last asked.
pub type Sayer = Box<dyn Fn() -> Vec<Declaration> + Send>;

/// Keeps a rig to which a person has added something; says where it was kept, if it was.
pub type Keeper = Box<dyn Fn(&Rig) -> Result<Option<PathBuf>, WriteError> + Send>;

/// What the window needs besides the player.
pub struct Around {
    /// Sources a person may choose from.
    pub offers: Vec<Offer>,
    pub open: Opener,
    pub hear: Hearer,
    pub said: Sayer,
    pub keep: Keeper,
}

/// A source a person may choose: label and key.
pub type Offer = (String, String);

/// What the worker has to show, the newest only.
#[derive(Default)]
struct Shown {
    view: Option<Arc<View>>,
    /// The newest of each camera.
    of_each: BTreeMap<CameraId, Arc<View>>,
    /// What happened to the source or the line, newest last.
    notice: Option<String>,
    /// Where what a person has drawn is kept.
    kept: Option<String>,
    over: bool,
    /// A person has stopped the recording.
    paused: bool,
    /// What happened in the game, newest last.
    log: std::collections::VecDeque<String>,
    /// A zone that somebody asked for, and what may lie there.
    symbols: Option<(Zone, Vec<Symbol>)>,
    /// When views were made, for the rate.
    times: std::collections::VecDeque<Instant>,
}

type Shared = Arc<Mutex<Shown>>;

/// What a person asks of the worker.
enum Wish {
    /// Watch the source of this key; from the start what the window was started with.
    Source(Option<String>),
    /// The recording stands still, or goes on.
    Pause(bool),
    /// Something lies at these corners in a camera's picture, in pixels.
    Corners(CameraId, Marked, Quad),
    /// A camera's trays and masks are forgotten.
    Unmark(CameraId),
    /// Somebody declares something.
    Declare(Declaration),
    /// What may lie in a zone is put right: which symbols the rules let lie there is asked.
    Fix(Zone),
}

/// Opens the window and runs until it is closed.
///
/// # Errors
/// One sentence, where no window can be opened.
pub fn show(player: Player, around: Around) -> Result<(), String> {
    let shared: Shared = Arc::default();
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("sightline")
            .with_inner_size([1280.0, 760.0])
            .with_min_inner_size([640.0, 400.0]),
        ..Default::default()
    };
    let (wish, wishes) = mpsc::channel();
    let ids = |s: &crate::copy::Surface| s.id.clone();
    let surfaces = player.session().copy().surfaces.iter().map(ids).collect();
    let Around {
        offers,
        open,
        hear,
        said,
        keep,
    } = around;
    let for_worker = Arc::clone(&shared);
    eframe::run_native(
        "sightline",
        options,
        Box::new(move |cc| {
            // what happened is read from across a table
            cc.egui_ctx.all_styles_mut(|style| {
                let small = egui::FontId::proportional(11.0);
                style.text_styles.insert(egui::TextStyle::Small, small);
            });
            let worker = worker::Worker {
                player,
                open,
                hear,
                said,
                keep,
                shared: for_worker,
                ctx: cc.egui_ctx.clone(),
            };
            worker.start(wishes)?;
            Ok(Box::new(App {
                shared,
                offers,
                surfaces,
                wish,
                camera: None,
                texture: None,
                shown: None,
                pointed: Vec::new(),
                clicking: None,
                tray_mm: [250.0, 180.0],
                fixing: None,
                ships_open: true,
                calls_open: true,
                flow_height: 0.0,
            }))
        }),
    )
    .map_err(|e| no_window(&e, "use demo --headless or run --json, which need none"))
}

/// Why there is no window, and what else may be done.
fn no_window(error: &eframe::Error, instead: &str) -> String {
    match error {
        // winit's own words name files of its source, and no remedy
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
            format!("no window can be opened: start it where there is a display, or {instead}")
        }
        other => format!("no window can be opened ({other}): {instead}"),
    }
}

struct App {
    shared: Shared,
    offers: Vec<Offer>,
    /// The copy's displays and boards.
    surfaces: Vec<String>,
    wish: mpsc::Sender<Wish>,
    /// The camera whose picture is shown, where there are several; the first one where none was chosen.
    camera: Option<CameraId>,
    texture: Option<egui::TextureHandle>,
    /// Which frame is in the texture.
    shown: Option<(CameraId, u64, Duration)>,
    /// Dice of the call under the pointer: they are drawn thicker.
    pointed: Vec<u64>,
    /// What a person is showing the corners of.
    clicking: Option<Clicking>,
    /// How large the next tray is inside.
    tray_mm: [f64; 2],
    /// The place that a person is putting right.
    fixing: Option<Fixing>,
    /// What stands beside the picture: ships on the left, calls on the right.
    ships_open: bool,
    calls_open: bool,
    /// How much room what stands under the picture took last, in points.
    flow_height: f32,
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let (view, of_each, notice, kept, [over, paused], rate, log, symbols) = {
            let mut shown = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            (
                shown.view.clone(),
                shown.of_each.clone(),
                shown.notice.clone(),
                shown.kept.clone(),
                [shown.over, shown.paused],
                rate(&shown.times),
                Vec::from(shown.log.clone()),
                shown.symbols.take(),
            )
        };
        let game = view.as_ref().and_then(|v| v.game.as_ref());
        let followed = game.is_some_and(|g| !g.ships.is_empty());
        egui::Panel::top("sources").show(ui, |ui| {
            self.sources_ui(ui, &of_each, [over, paused], followed)
        });
        // of several cameras one is shown; what they know together stands beside it
        let chosen = self.camera.as_ref().and_then(|c| of_each.get(c));
        let picture = chosen.or(of_each.values().next()).cloned();
        egui::Panel::bottom("state").show(ui, |ui| {
            state_ui(
                ui,
                view.as_deref(),
                [notice.as_deref(), kept.as_deref()],
                (!over && !paused).then_some(rate),
                self.calls_open,
            )
        });
        if let Some(view) = view.as_deref() {
            self.game_ui(ui, view, &log, symbols);
        }
        let mut calls_open = self.calls_open;
        egui::Panel::right("calls")
            .default_size(beside(ui, 310.0))
            .min_size(120.0)
            .max_size(beside(ui, 420.0))
            .show_collapsible(ui, &mut calls_open, |ui| {
                if !self.surfaces.is_empty() {
                    ui.add_space(6.0);
                    let seen: Vec<_> = of_each.values().flat_map(|v| &v.surfaces).collect();
                    let wanted = corners::list(ui, &self.surfaces, &seen);
                    if let Some(id) = wanted {
                        self.clicking = Some(Clicking::of(Marked::Surface(id)));
                    }
                }
                match corners::trays(
                    ui,
                    &mut self.tray_mm,
                    picture.as_deref(),
                    self.surfaces.is_empty(),
                ) {
                    Some(Asked::Mark(what)) => self.clicking = Some(Clicking::of(what)),
                    Some(Asked::Unmark) => {
                        let camera = picture.as_ref().map(|v| v.camera.clone());
                        let _ = camera.map(|c| self.wish.send(Wish::Unmark(c)));
                    }
                    None => {}
                }
                ui.separator();
                self.pointed = calls::list(ui, view.as_deref());
            });
        self.calls_open = calls_open;
        egui::CentralPanel::default().show(ui, |ui| match &picture {
            Some(picture) => {
                let game = view.as_ref().and_then(|v| v.game.as_ref());
                self.picture_and_flow_ui(ui, picture, game.filter(|_| followed), over);
            }
            None => {
                ui.centered_and_justified(|ui| {
                    ui.label(
                        notice
                            .as_deref()
                            .unwrap_or("Waiting for the first picture…"),
                    )
                });
            }
        });
    }
}

impl App {
    fn game_ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &View,
        log: &[String],
        symbols: Option<(Zone, Vec<Symbol>)>,
    ) {
        let Some(game) = view.game.as_ref().filter(|g| !g.ships.is_empty()) else {
            return;
        };
        let mut said = None;
        egui::Panel::left("game")
            .default_size(beside(ui, 300.0))
            .min_size(120.0)
            .max_size(beside(ui, 420.0))
            .show_collapsible(ui, &mut self.ships_open, |ui| {
                said = game::panel(ui, view, game, log);
            });
        if let Some((zone, symbols)) = symbols {
            self.fixing = Fixing::of(zone, symbols, game);
        }
        said = said.or_else(|| fix::window(ui.ctx(), game, &mut self.fixing));
        // a digit that is meant for a window that asks is no declaration
        if self.clicking.is_none() && self.fixing.is_none() {
            let keys = || ui.input(|i| game::pressed(&i.events, game));
            said = said.or_else(keys);
        }
        if let Some(said) = said {
            let _ = self.wish.send(Wish::Declare(said));
        }
    }

    /// The picture with what the play waits for under it; where there is not room for both, the picture is smaller.
    fn picture_and_flow_ui(
        &mut self,
        ui: &mut egui::Ui,
        picture: &View,
        game: Option<&GameState>,
        over: bool,
    ) {
        let all = ui.available_rect_before_wrap();
        let Some(game) = game else {
            self.picture_ui(ui, picture, all, egui::Align::Center);
            return;
        };
        const GAP: f32 = 6.0;
        // more than half is never taken from the picture: the rest is scrolled
        let height = self.flow_height.min(all.height() * 0.5);
        let room = all.with_max_y(all.bottom() - height - GAP);
        let shown = self.picture_ui(ui, picture, room, egui::Align::Min);
        let below = all.with_min_y(shown.bottom() + GAP);
        let inside = ui.scope_builder(egui::UiBuilder::new().max_rect(below), |ui| {
            let scroll = egui::ScrollArea::vertical().auto_shrink([false, true]);
            scroll.show(ui, |ui| flow::panel(ui, game, over))
        });
        let output = inside.inner;
        if (self.flow_height - output.content_size.y).abs() > 0.5 {
            self.flow_height = output.content_size.y;
            ui.ctx().request_repaint();
        }
        if let Some(said) = output.inner {
            let _ = self.wish.send(Wish::Declare(said));
        }
    }

    fn sources_ui(
        &mut self,
        ui: &mut egui::Ui,
        of_each: &BTreeMap<CameraId, Arc<View>>,
        [over, paused]: [bool; 2],
        followed: bool,
    ) {
        ui.horizontal(|ui| {
            ui.heading("sightline");
            ui.separator();
            for (label, key) in &self.offers {
                if ui.button(label).clicked() {
                    let _ = self.wish.send(Wish::Source(Some(key.clone())));
                }
            }
            if of_each.len() > 1 {
                ui.separator();
                let first = of_each.keys().next();
                let shown = self.camera.clone().or(first.cloned());
                for camera in of_each.keys() {
                    let this = shown.as_ref() == Some(camera);
                    // corners are of the picture that is shown
                    let free = self.clicking.is_none();
                    let button = egui::Button::selectable(this, &camera.0);
                    if ui.add_enabled(free, button).clicked() {
                        self.camera = Some(camera.clone());
                    }
                }
            }
            // over the picture it would lie on a corner
            if let Some(clicking) = &self.clicking {
                let words = egui::RichText::new(clicking.asks()).size(16.0);
                ui.colored_label(paint::colour(Status::Unsure), words);
            } else if over {
                ui.label("The recording is over.");
                if ui.button("From the start").clicked() {
                    let _ = self.wish.send(Wish::Source(None));
                    // it is asked for once, however long it takes to open
                    let mut shown = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
                    *shown = Shown::default();
                }
            } else if of_each.values().any(|v| v.age.is_none()) {
                let text = if paused {
                    "Go on (Space)"
                } else {
                    "Pause (Space)"
                };
                // a person who goes from button to button by keys presses them with Space, too
                let free = self.clicking.is_none()
                    && self.fixing.is_none()
                    && ui.memory(|m| m.focused().is_none());
                let typed = free && ui.input(|i| game::down(&i.events, egui::Key::Space));
                if ui.button(text).clicked() || typed {
                    let _ = self.wish.send(Wish::Pause(!paused));
                }
            }
            let right = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(right, |ui| {
                // without both the picture has all the room
                ui.toggle_value(&mut self.calls_open, "Calls");
                if followed {
                    ui.toggle_value(&mut self.ships_open, "Ships");
                }
            });
        });
    }

    /// The picture as large as there is room; returns where.
    fn picture_ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &View,
        space: egui::Rect,
        align: egui::Align,
    ) -> egui::Rect {
        let size = [
            view.picture.width() as usize,
            view.picture.height() as usize,
        ];
        let this = Some((view.camera.clone(), view.sequence, view.at));
        if self.shown != this {
            let image = egui::ColorImage::from_rgb(size, view.picture.rgb());
            match &mut self.texture {
                Some(t) => t.set(image, egui::TextureOptions::LINEAR),
                None => {
                    self.texture = Some(ui.ctx().load_texture(
                        "frame",
                        image,
                        egui::TextureOptions::LINEAR,
                    ));
                }
            }
            self.shown = this;
        }
        let Some(texture) = &self.texture else {
            return space;
        };
        let scale = (space.width() / size[0] as f32).min(space.height() / size[1] as f32);
        let size = egui::vec2(size[0] as f32 * scale, size[1] as f32 * scale);
        let rect = egui::Align2([egui::Align::Center, align]).align_size_within_rect(size, space);
        let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        ui.painter()
            .image(texture.id(), rect, whole, egui::Color32::WHITE);
        let painter = ui.painter().with_clip_rect(rect);
        let surfaces = view.surfaces.iter();
        let surfaces = surfaces.map(|s| paint::surface(&painter, rect.min, scale, s));
        let surfaces: Vec<_> = surfaces.collect();
        // what another camera saw last is in the pixels of that one
        let pieces = view.pieces.iter().filter(|p| p.camera == view.camera.0);
        let pieces: Vec<_> = pieces
            .map(|p| {
                let label = paint::piece(&painter, rect.min, scale, p);
                (label, game::stands_by_hand(view, &p.what))
            })
            .collect();
        let pieces = pieces.into_iter().filter(|(_, by_hand)| !by_hand);
        let pieces = pieces.map(|(label, _)| label);
        let dice = view.dice.iter().filter_map(|die| {
            let polygon = die.polygon_in(&view.camera.0)?;
            let thick = self.pointed.contains(&die.id);
            Some(paint::die(&painter, rect.min, scale, die, polygon, thick))
        });
        // where a person's word counts, what was read is not written
        let words = game::words(view);
        let corrected = |of: &paint::Label| {
            let at = corners::pixel(of.about.center(), rect.min, scale);
            words.iter().any(|(zone, _)| zone.contains(at))
        };
        let dice: Vec<_> = dice.collect();
        game::problems(&painter, rect, scale, view);
        // dice are read most
        let lie: Vec<_> = dice.iter().map(|label| label.about).collect();
        let read = dice.into_iter().filter(|label| !corrected(label));
        let words = words
            .iter()
            .map(|(zone, dice)| paint::word(rect.min, scale, zone, dice, game::BY_HAND));
        let all = words.chain(read).chain(pieces).chain(surfaces);
        paint::labels(&painter, rect, &lie, all.collect());
        if self.clicking.is_none() {
            self.pointing_ui(ui, rect, scale, view);
        }
        let all = corners::picture_ui(ui, rect, scale, &mut self.clicking);
        if let Some((what, corners)) = all {
            let camera = view.camera.clone();
            let _ = self.wish.send(Wish::Corners(camera, what, corners));
        }
        rect
    }
}

impl App {
    /// The zone under the pointer is drawn; a click there puts it right.
    fn pointing_ui(&mut self, ui: &mut egui::Ui, rect: egui::Rect, scale: f32, view: &View) {
        if view.game.as_ref().is_none_or(|g| g.ships.is_empty()) {
            return;
        }
        let response = ui.interact(rect, ui.scope_id().with("zones"), egui::Sense::click());
        let Some(at) = response.hover_pos() else {
            return;
        };
        let at = corners::pixel(at, rect.min, scale);
        let known = |z: &&crate::session::ZoneOutline| z.contains(at) && Fixing::knows(z.zone);
        let Some(zone) = view.zones.iter().find(known) else {
            return;
        };
        let painter = ui.painter().with_clip_rect(rect);
        paint::zone(&painter, rect.min, scale, zone, egui::Color32::WHITE);
        if response.clicked() {
            let _ = self.wish.send(Wish::Fix(zone.zone));
        }
        response.on_hover_text_at_pointer(format!("{} (click to put it right)", zone.zone));
    }
}

/// How things stand; `rate` is that of the frames, while any come. What is wrong stands here, too, where the calls are folded away.
fn state_ui(
    ui: &mut egui::Ui,
    view: Option<&View>,
    [notice, kept]: [Option<&str>; 2],
    rate: Option<f64>,
    calls_open: bool,
) {
    if let Some(view) = view.filter(|_| !calls_open) {
        let (wrong, _) = game::wrong_and_doubtful(view);
        if let Some(text) = game::in_short(&wrong) {
            ui.colored_label(game::WRONG, shown_text(&text));
        }
    }
    ui.horizontal_wrapped(|ui| {
        if let Some(view) = view {
            if let Some(rate) = rate {
                ui.label(format!("{rate:.1} frames/s"));
                ui.separator();
            }
            ui.label(match view.age {
                Some(age) => format!("frame {} ms old", age.as_millis()),
                None => format!("recording, {:.1} s", view.at.as_secs_f64()),
            });
            ui.separator();
            if rate.is_some() {
                ui.label(format!("seeing {} ms", view.seeing.as_millis()));
                ui.separator();
            }
            ui.label(&view.camera.0);
            for status in [
                Status::Sure,
                Status::Unsure,
                Status::Hidden,
                Status::Unknown,
            ] {
                let n = view.dice.iter().filter(|d| d.status() == status).count();
                if n > 0 {
                    ui.separator();
                    ui.colored_label(paint::colour(status), format!("{n} {}", status.name()));
                }
            }
        }
        if let Some(notice) = notice {
            ui.separator();
            ui.colored_label(egui::Color32::from_rgb(255, 110, 110), notice);
        }
        if let Some(kept) = kept {
            ui.separator();
            ui.label(kept);
        }
    });
}

/// How wide what stands beside the picture may be, at most so many points: the picture has the most of a narrow window.
fn beside(ui: &egui::Ui, most: f32) -> f32 {
    most.min(ui.ctx().content_rect().width() * 0.28)
}

/// The fonts that come with the window have another arrow than the one in calls.
fn shown_text(call: &str) -> String {
    call.replace('→', "›")
}

/// Views a second over the last two seconds.
fn rate(times: &std::collections::VecDeque<Instant>) -> f64 {
    let (Some(first), Some(last)) = (times.front(), times.back()) else {
        return 0.0;
    };
    let span = last.duration_since(*first).as_secs_f64();
    if span > 0.0 {
        (times.len() - 1) as f64 / span
    } else {
        0.0
    }
}
