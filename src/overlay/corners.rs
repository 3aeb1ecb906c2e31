//! Four clicks: a person shows where a display or board lies, what dice are rolled on, and what is not to be looked at.

use eframe::egui::{self, Color32, Painter, Pos2, Sense, Stroke, pos2};

use super::paint;
use crate::{
    copy::Status,
    geometry::{Point, Quad},
    rig::Marked,
    session::{SurfaceReport, View},
};

/// How a surface's corners are asked for.
const CORNERS: [&str; 4] = ["upper left", "upper right", "lower right", "lower left"];

/// Something whose corners are being clicked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clicking {
    what: Marked,
    corners: Vec<Point>,
    /// Why the last four did not do.
    again: Option<&'static str>,
}

/// What a click came to.
#[derive(Debug, PartialEq)]
pub(super) enum Clicked {
    /// More corners are wanted.
    More,
    /// All four: what they are of, in pixels.
    All(Marked, Quad),
}

impl Clicking {
    pub fn of(what: Marked) -> Self {
        Self {
            what,
            corners: Vec::new(),
            again: None,
        }
    }

    /// Takes the next corner, in pixels of the picture. Four that are no card's front are asked for again.
    pub fn click(&mut self, at: Point) -> Clicked {
        self.again = None;
        self.corners.push(at);
        let Ok(four) = <[Point; 4]>::try_from(self.corners.as_slice()) else {
            return Clicked::More;
        };
        let quad = Quad(four);
        if quad.is_clockwise() {
            return Clicked::All(self.what.clone(), quad);
        }
        self.corners.clear();
        self.again = Some("Those four do not go round clockwise: once more from the upper left.");
        Clicked::More
    }

    /// Takes the last corner back.
    pub fn back(&mut self) {
        self.corners.pop();
    }

    /// What is to be done next.
    pub fn asks(&self) -> String {
        let corner = CORNERS.get(self.corners.len()).copied().unwrap_or_default();
        let of = match &self.what {
            Marked::Surface(id) => format!("of {id}, as it is read"),
            Marked::Tray { .. } => "of the tray".to_owned(),
            Marked::Mask => "of what is not to be looked at".to_owned(),
        };
        format!(
            "{}Click the {corner} corner {of}.  Backspace: one back.  Esc: leave it.",
            self.again.map(|a| format!("{a} ")).unwrap_or_default(),
        )
    }

    /// Draws the corners so far, and lines to where the pointer is.
    pub fn paint(
        &self,
        painter: &Painter,
        to_screen: impl Fn(Point) -> Pos2,
        pointer: Option<Pos2>,
    ) {
        let colour = Color32::from_rgb(90, 200, 255);
        let points: Vec<Pos2> = self.corners.iter().map(|p| to_screen(*p)).collect();
        for p in &points {
            painter.circle(*p, 5.0, colour, Stroke::new(1.5, Color32::BLACK));
        }
        let line = points.iter().copied().chain(pointer).collect::<Vec<_>>();
        painter.line(line, Stroke::new(2.0, colour));
    }
}

/// The copy's displays and boards, how each was found, and a button to click its corners. Returns the one that is
/// to be clicked.
pub(super) fn list(ui: &mut egui::Ui, ids: &[String], seen: &[&SurfaceReport]) -> Option<String> {
    let sure = |id: &String| {
        let mut found = seen.iter().filter(|s| s.id == *id);
        found.any(|s| s.status == Status::Sure)
    };
    let found = ids.iter().filter(|id| sure(id)).count();
    let title = format!("Displays and boards: {found} of {} found", ids.len());
    let mut wanted = None;
    egui::CollapsingHeader::new(title)
        .id_salt("surfaces")
        .default_open(false)
        .show(ui, |ui| {
            for id in ids {
                let status = seen.iter().find(|s| s.id == *id).map(|s| s.status);
                let status = if sure(id) { Some(Status::Sure) } else { status };
                ui.horizontal(|ui| {
                    let (word, colour) = match status {
                        Some(status) => (status.name(), paint::colour(status)),
                        None => ("not found", ui.visuals().weak_text_color()),
                    };
                    ui.label(id);
                    ui.colored_label(colour, word);
                    if ui.small_button("click its corners").clicked() {
                        wanted = Some(id.clone());
                    }
                });
            }
        });
    wanted
}

/// What is asked for beneath the picture besides displays.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    Mark(Marked),
    /// Trays and masks are forgotten.
    Unmark,
}

/// Trays and masks: a tray's size, and buttons to click their corners.
pub(super) fn trays(
    ui: &mut egui::Ui,
    size_mm: &mut [f64; 2],
    view: Option<&View>,
    plain: bool,
) -> Option<Asked> {
    let seen: &[SurfaceReport] = view.map_or(&[], |v| &v.surfaces);
    let n = seen.iter().filter(|s| s.kind == "tray").count();
    let mut asked = None;
    egui::CollapsingHeader::new(match n {
        0 => "Trays, and what is left out".to_owned(),
        n => format!("Trays, and what is left out ({n})"),
    })
    .id_salt("trays")
    .default_open(false)
    .show(ui, |ui| {
        ui.label(if plain {
            "Dice are looked for in trays alone, where there is one."
        } else {
            "A blast is read in a tray. Dice on the table around one are read, too."
        });
        ui.label("A tray, as wide and high as it is inside:");
        ui.horizontal(|ui| {
            for (v, after) in size_mm.iter_mut().zip(["by", ""]) {
                let field = egui::DragValue::new(v).range(30.0..=2000.0).max_decimals(0);
                ui.add(field.suffix(" mm"));
                ui.label(after);
            }
            if ui.small_button("click its corners").clicked() {
                asked = Some(Asked::Mark(Marked::Tray { size_mm: *size_mm }));
            }
        });
        ui.horizontal_wrapped(|ui| {
            ui.label("Not to be looked at:");
            if ui.small_button("click its corners").clicked() {
                asked = Some(Asked::Mark(Marked::Mask));
            }
        });
        if ui
            .small_button("forget trays and what is left out")
            .clicked()
        {
            asked = Some(Asked::Unmark);
        }
    });
    asked
}

/// The pixel of the picture under a point of the screen; a pixel's centre is an integer.
pub(super) fn pixel(at: Pos2, origin: Pos2, scale: f32) -> Point {
    Point::new(
        f64::from((at.x - origin.x) / scale - 0.5),
        f64::from((at.y - origin.y) / scale - 0.5),
    )
}

/// The point of the screen at which a pixel's centre is.
pub(super) fn on_screen(p: Point, origin: Pos2, scale: f32) -> Pos2 {
    origin + pos2((p.x as f32 + 0.5) * scale, (p.y as f32 + 0.5) * scale).to_vec2()
}

/// Takes clicks and keys for `clicking`; `Some` when all four corners are there.
pub(super) fn picture_ui(
    ui: &mut egui::Ui,
    rect: egui::Rect,
    scale: f32,
    clicking: &mut Option<Clicking>,
) -> Option<(Marked, Quad)> {
    let one = clicking.as_mut()?;
    let response = ui
        .interact(rect, ui.scope_id().with("corners"), Sense::click())
        .on_hover_cursor(egui::CursorIcon::Crosshair);
    let (back, leave) = ui.input(|i| {
        (
            i.key_pressed(egui::Key::Backspace),
            i.key_pressed(egui::Key::Escape),
        )
    });
    if back {
        one.back();
    }
    let mut all = None;
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
        && let Clicked::All(what, quad) = one.click(pixel(at, rect.min, scale))
    {
        all = Some((what, quad));
    }
    let to_screen = |p| on_screen(p, rect.min, scale);
    one.paint(ui.painter(), to_screen, response.hover_pos());
    if all.is_some() || leave {
        *clicking = None;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_are_taken_and_a_wrong_way_round_is_asked_again() {
        let mut clicking = Clicking::of(Marked::Surface("white.helm".to_owned()));
        assert!(clicking.asks().contains("upper left corner of white.helm"));
        for (x, y) in [(10.0, 10.0), (10.0, 60.0), (90.0, 60.0)] {
            assert_eq!(clicking.click(Point::new(x, y)), Clicked::More);
        }
        assert!(clicking.asks().contains("lower left"));
        // anticlockwise
        assert_eq!(clicking.click(Point::new(90.0, 10.0)), Clicked::More);
        assert!(clicking.asks().starts_with("Those four"));
        for (x, y) in [(10.0, 10.0), (90.0, 10.0), (1.0, 1.0)] {
            assert_eq!(clicking.click(Point::new(x, y)), Clicked::More);
        }
        clicking.back();
        assert_eq!(clicking.click(Point::new(90.0, 60.0)), Clicked::More);
        let Clicked::All(what, quad) = clicking.click(Point::new(10.0, 60.0)) else {
            panic!("four were given");
        };
        assert_eq!(what, Marked::Surface("white.helm".to_owned()));
        assert_eq!(quad.pairs()[2], [90.0, 60.0]);
    }

    #[test]
    fn a_pixel_is_clicked_where_it_is_drawn() {
        let origin = pos2(37.0, 12.0);
        for p in [Point::new(0.0, 0.0), Point::new(211.0, 97.5)] {
            let back = pixel(on_screen(p, origin, 0.61), origin, 0.61);
            assert!((back - p).norm() < 1e-3, "{back}");
        }
    }
}
