//! A display or the board, flat, on which zones are drawn; and any photograph, on which corners are dragged.

use eframe::egui::{
    self, Color32, FontId, Key, Painter, Pos2, Rect, Sense, Shape, Stroke, TextureHandle, pos2,
    vec2,
};

use super::{
    GOOD, MISSING, WRONG,
    drawing::Drawing,
    forms,
    photos::{Photo, Subject},
    sheet::{Outline, Sheet},
};
use crate::{
    capture::Picture,
    copy::{BOARD, OwnerBoard, Shape as DieShape},
    geometry::{Point, Quad},
    session::{How, Wanted},
};

const DRAWN: Color32 = Color32::from_rgb(90, 200, 255);
/// The list of zones; points of the screen.
const LIST_WIDE: f32 = 290.0;
/// What is cut out of a photograph; points of the screen.
const TAKEN_WIDE: f32 = 200.0;
/// What stands above the picture: two lines.
const HEADER_HIGH: f32 = 36.0;
/// How near to a corner's mark the pointer takes it, and to a shape's first corner closes it; points of the screen.
const REACH: f32 = 14.0;

/// What a click on the flat picture sets.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pick {
    Zone(String),
    /// The square of a crystal's number.
    Crystal(String),
    /// The square where a team's ship starts.
    Start(String),
}

#[derive(Default)]
pub(super) struct Canvas {
    pick: Option<Pick>,
    drawing: Drawing,
    /// The photograph is shown in place of the flat picture.
    corners: bool,
    /// Corners under the pointer, and which of them.
    dragged: Option<(Vec<Point>, usize)>,
    shown: Texture,
    /// Of a photograph: what is cut out of it.
    taken: Texture,
}

impl Canvas {
    pub fn on(pick: Option<Pick>) -> Self {
        Self {
            pick,
            ..Self::default()
        }
    }

    /// Shows a surface and its zones. Returns corners that were dragged in its photograph, in its pixels.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        sheet: &mut Sheet,
        id: &str,
        (subject, size_mm): (&Subject, [f64; 2]),
        photo: &Photo,
    ) -> Option<Quad> {
        let name = &subject.name;
        egui::Panel::right("zones")
            .resizable(false)
            .exact_size(LIST_WIDE)
            .show(ui, |ui| self.list(ui, sheet, id));
        ui.add_space(4.0);
        // always as high, so that the picture lies where it lay whatever is said above it
        let high = vec2(ui.available_width(), HEADER_HIGH);
        ui.allocate_ui(high, |ui| {
            ui.set_min_height(HEADER_HIGH);
            self.header(ui, name, photo);
        });
        match photo {
            Photo::Shown {
                picture, corners, ..
            } if self.corners => self.corners_ui(ui, picture, corners, DieShape::D6),
            Photo::Shown {
                flat: Some(flat), ..
            } => {
                self.zones_ui(ui, sheet, id, size_mm, Some(flat));
                None
            }
            _ => {
                self.zones_ui(ui, sheet, id, size_mm, None);
                None
            }
        }
    }

    /// Shows a photograph of a face or a piece, with what is cut out of it. Returns corners that were dragged, in its pixels.
    pub fn photograph(
        &mut self,
        ui: &mut egui::Ui,
        wanted: &Wanted,
        photo: &Photo,
    ) -> Option<Quad> {
        let (picture, corners, flat, amiss) = match photo {
            Photo::Waiting => {
                ui.label("Looking at it…");
                return None;
            }
            Photo::Absent(name) => {
                ui.colored_label(MISSING, format!("There is no photograph {name} in enrol/."));
                return None;
            }
            Photo::Failed(why) => {
                ui.colored_label(WRONG, why);
                return None;
            }
            Photo::Shown {
                picture,
                corners,
                flat,
                amiss,
                ..
            } => (picture, corners, flat, amiss),
        };
        ui.label(format!("It should show {}.", wanted.shows));
        let shape = match wanted.how {
            How::Face(shape) => shape,
            _ => DieShape::D6,
        };
        let (marks, first) = match shape {
            DieShape::D6 => ("four", "upper left"),
            DieShape::D10 => ("four", "corner at the pole"),
            DieShape::D12 => ("five", "upper corner"),
            DieShape::D4 | DieShape::D8 | DieShape::D20 | DieShape::Octahedron => {
                ("three", "upper corner")
            }
        };
        match flat {
            Some(_) => ui.label(format!("Where the line runs wrong, drag its marks, from the thing's own {first}; what is taken is on the right.")),
            None => ui.colored_label(MISSING, format!("It is not found by itself: drag the {marks} marks to its corners, from its own {first}.")),
        };
        for amiss in amiss {
            ui.colored_label(MISSING, amiss);
        }
        egui::Panel::right("taken")
            .resizable(false)
            .exact_size(TAKEN_WIDE)
            .show(ui, |ui| {
                let Some(flat) = flat else { return };
                ui.strong("Taken");
                let (w, h) = (flat.width() as f32, flat.height() as f32);
                let wide = ui.available_width();
                let (response, painter) =
                    ui.allocate_painter(vec2(wide, wide * h / w), Sense::hover());
                self.taken.paint(ui, &painter, response.rect, flat);
            });
        self.corners_ui(ui, picture, corners, shape)
    }

    /// What is shown, and what is amiss with it.
    fn header(&mut self, ui: &mut egui::Ui, name: &str, photo: &Photo) {
        match photo {
            Photo::Waiting => drop(ui.label(format!("Laying {name} flat…"))),
            Photo::Absent(name) => drop(ui.colored_label(
                MISSING,
                format!("There is no photograph {name} in enrol/ yet: zones may be drawn on the bare shape by a ruler."),
            )),
            Photo::Failed(why) => drop(ui.colored_label(WRONG, why)),
            Photo::Shown { flat: None, .. } => {
                self.corners = true;
                ui.colored_label(MISSING, format!("In the photograph {name} no card of this size was found: drag the four marks to its corners, from its own upper left."));
            }
            Photo::Shown { amiss, .. } => {
                ui.horizontal(|ui| {
                    ui.selectable_value(&mut self.corners, false, "Zones");
                    ui.selectable_value(&mut self.corners, true, "Corners in the photograph");
                    ui.weak(name);
                });
                if let Some(amiss) = amiss.first() {
                    ui.colored_label(MISSING, amiss);
                }
            }
        }
    }

    /// The zones, and on a board its marked squares: which is drawn, which is still to do.
    fn list(&mut self, ui: &mut egui::Ui, sheet: &mut Sheet, id: &str) {
        ui.add_space(4.0);
        ui.strong("Zones");
        ui.label("Choose one, then drag a rectangle over it, or click its corners one after the other and its first once more. Backspace: a corner back. Esc: begin again.");
        ui.add_space(4.0);
        egui::ScrollArea::vertical().show(ui, |ui| {
            let overlaps = sheet.overlaps(id);
            let mut cleared = None;
            for zone in sheet.owner.zones_wanted(id) {
                let drawn = sheet
                    .owner
                    .zones_of(id)
                    .is_some_and(|z| z.contains_key(&zone));
                let clash = overlaps.iter().flatten().any(|z| *z == zone);
                let absent = !drawn && sheet.owner.is_absent(id, &zone);
                ui.horizontal_wrapped(|ui| {
                    let pick = Pick::Zone(zone.clone());
                    self.entry(ui, pick, &zone);
                    match (clash, drawn, absent) {
                        (true, ..) => drop(ui.colored_label(WRONG, "over another")),
                        (_, true, _) => drop(ui.colored_label(GOOD, "drawn")),
                        (.., true) => drop(ui.weak("not on mine")),
                        _ => drop(ui.colored_label(MISSING, "to draw")),
                    }
                    if drawn && ui.small_button("x").on_hover_text("take it away").clicked() {
                        cleared = Some(zone.clone());
                    }
                    let label = if absent {
                        "on mine after all"
                    } else {
                        "not on mine"
                    };
                    if !drawn && ui.small_button(label).clicked() {
                        sheet.zone_is_absent(id, &zone, !absent);
                        self.pick = sheet.next_zone(id).map(Pick::Zone);
                    }
                });
            }
            if let (Some(zone), Some(zones)) = (cleared, sheet.zones_mut(id)) {
                zones.remove(&zone);
                if let Some(said) = sheet.owner.zones.get_mut(id) {
                    said.remove(&zone);
                }
                self.pick = Some(Pick::Zone(zone));
            }
            self.corner_fields(ui, sheet, id);
            if let Some(board) = sheet.owner.board.as_mut().filter(|_| id == BOARD) {
                ui.separator();
                ui.strong("Marked squares");
                ui.label("Choose one, then click its square.");
                for n in 1..=6 {
                    let n = n.to_string();
                    let at = board.crystal_squares.get(&n).copied();
                    ui.horizontal(|ui| {
                        self.entry(ui, Pick::Crystal(n.clone()), &format!("crystal {n}"));
                        forms::square(ui, at, board.rows);
                    });
                }
                for team in &sheet.owner.teams {
                    let at = board.start_squares.get(team).map(|s| s.square);
                    ui.horizontal(|ui| {
                        self.entry(ui, Pick::Start(team.clone()), &format!("{team} starts"));
                        forms::square(ui, at, board.rows);
                        if let Some(start) = board.start_squares.get_mut(team) {
                            forms::heading(ui, team, &mut start.heading);
                        }
                    });
                }
            }
        });
    }

    fn entry(&mut self, ui: &mut egui::Ui, pick: Pick, label: &str) {
        let this = self.pick.as_ref() == Some(&pick);
        if ui.selectable_label(this, label).clicked() {
            self.pick = Some(pick);
            self.drawing = Drawing::default();
            self.corners = false;
        }
    }

    /// The chosen zone's corners as numbers, for a ruler.
    fn corner_fields(&self, ui: &mut egui::Ui, sheet: &mut Sheet, id: &str) {
        let Some(Pick::Zone(zone)) = &self.pick else {
            return;
        };
        let Some(outline) = sheet.zones_mut(id).and_then(|z| z.get_mut(zone)) else {
            return;
        };
        ui.separator();
        ui.small(format!(
            "Corners of {zone}, millimetres from the upper left"
        ));
        for corner in outline {
            ui.horizontal(|ui| {
                for v in corner {
                    ui.add(egui::DragValue::new(v).speed(0.2).max_decimals(1));
                }
            });
        }
    }

    fn zones_ui(
        &mut self,
        ui: &mut egui::Ui,
        sheet: &mut Sheet,
        id: &str,
        [w, h]: [f64; 2],
        flat: Option<&Picture>,
    ) {
        let space = ui.available_size_before_wrap();
        let scale = (space.x / w as f32).min(space.y / h as f32).max(0.1);
        let size = vec2(w as f32 * scale, h as f32 * scale);
        let (response, painter) = ui.allocate_painter(size, Sense::click_and_drag());
        let rect = Rect::from_min_size(response.rect.min, size);
        match flat {
            Some(flat) => self.shown.paint(ui, &painter, rect, flat),
            None => drop(painter.rect_filled(rect, 4.0, Color32::from_gray(60))),
        }
        let to_screen = |[x, y]: [f64; 2]| rect.min + vec2(x as f32, y as f32) * scale;
        let to_mm = |p: Pos2| {
            let on = (p - rect.min) / scale;
            [
                round(f64::from(on.x).clamp(0.0, w)),
                round(f64::from(on.y).clamp(0.0, h)),
            ]
        };
        if let Some(board) = sheet.owner.board.as_ref().filter(|_| id == BOARD) {
            grid(&painter, board, &to_screen);
        }
        let overlaps = sheet.overlaps(id);
        for (name, outline) in sheet.owner.zones_of(id).into_iter().flatten() {
            let this = self.pick == Some(Pick::Zone(name.clone()));
            let clash = overlaps.iter().flatten().any(|z| z == name);
            let colour = if clash { WRONG } else { DRAWN };
            zone(&painter, outline, name, colour, this, &to_screen);
        }
        let pointer = response.interact_pointer_pos().or(response.hover_pos());
        let at = pointer.map(to_mm);
        match self.pick.clone() {
            Some(Pick::Zone(name)) => {
                let whole = self.draw(ui, &response, &painter, at, scale, &to_screen);
                if let (Some(outline), Some(zones)) = (whole, sheet.zones_mut(id)) {
                    zones.insert(name.clone(), outline);
                    sheet.zone_is_absent(id, &name, false);
                    self.pick = sheet.next_zone(id).map(Pick::Zone);
                }
            }
            Some(pick) => {
                if let (true, Some(at), Some(board)) =
                    (response.clicked(), at, sheet.owner.board.as_mut())
                {
                    forms::mark(board, &pick, at);
                }
            }
            None => {}
        }
    }

    /// Follows the pointer while a zone is drawn; its outline when it is whole.
    fn draw(
        &mut self,
        ui: &egui::Ui,
        response: &egui::Response,
        painter: &Painter,
        at: Option<[f64; 2]>,
        scale: f32,
        to_screen: &impl Fn([f64; 2]) -> Pos2,
    ) -> Option<Outline> {
        let key = |k| ui.input(|i| i.key_pressed(k));
        if key(Key::Escape) {
            self.drawing = Drawing::default();
        }
        if key(Key::Backspace) {
            self.drawing.points.pop();
        }
        if key(Key::Enter)
            && let Some(whole) = self.drawing.close()
        {
            return Some(whole);
        }
        let at = at?;
        if response.drag_started() {
            // the pointer has moved since it was pressed
            let pressed = ui.input(|i| i.pointer.press_origin());
            let moved = pressed.zip(response.interact_pointer_pos());
            let by = moved.map_or([0.0; 2], |(from, to)| {
                let d = (from - to) / scale;
                [f64::from(d.x), f64::from(d.y)]
            });
            self.drawing.from =
                Some([round(at[0] + by[0]).max(0.0), round(at[1] + by[1]).max(0.0)]);
        }
        if response.drag_stopped()
            && let Some(whole) = self.drawing.drop_at(at)
        {
            return Some(whole);
        }
        if response.clicked()
            && let Some(whole) = self.drawing.click(at, f64::from(REACH / scale))
        {
            return Some(whole);
        }
        let stroke = Stroke::new(2.0, MISSING);
        if let Some(from) = self.drawing.from {
            let rect = Rect::from_two_pos(to_screen(from), to_screen(at));
            painter.rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Middle);
        } else if !self.drawing.points.is_empty() {
            let corners = self.drawing.points.iter().copied().chain([at]);
            let line: Vec<Pos2> = corners.map(to_screen).collect();
            for p in line.iter().take(self.drawing.points.len()) {
                painter.circle_filled(*p, 4.0, MISSING);
            }
            painter.line(line, stroke);
        }
        None
    }

    /// The photograph with a mark to drag for each corner of what is square or a die's face. Returns the square that stands for it when one is let go.
    fn corners_ui(
        &mut self,
        ui: &mut egui::Ui,
        picture: &Picture,
        corners: &Quad,
        shape: DieShape,
    ) -> Option<Quad> {
        let marks = shape.outline(corners);
        let space = ui.available_size_before_wrap();
        let (w, h) = (picture.width() as f32, picture.height() as f32);
        let scale = (space.x / w).min(space.y / h).max(0.02);
        let (response, painter) =
            ui.allocate_painter(vec2(w * scale, h * scale), Sense::click_and_drag());
        let rect = Rect::from_min_size(response.rect.min, vec2(w * scale, h * scale));
        self.shown.paint(ui, &painter, rect, picture);
        let to_screen = |p: Point| super::super::corners::on_screen(p, rect.min, scale);
        let pointer = response.interact_pointer_pos();
        if response.drag_started()
            && let Some(from) = ui.input(|i| i.pointer.press_origin())
        {
            let near = marks
                .iter()
                .map(|p| (to_screen(*p) - from).length())
                .enumerate();
            let near = near.min_by(|a, b| a.1.total_cmp(&b.1));
            self.dragged = near
                .filter(|n| n.1 <= 2.0 * REACH)
                .map(|n| (marks.clone(), n.0));
        }
        let mut done = None;
        if let (Some((marks, which)), Some(at)) = (&mut self.dragged, pointer)
            && let Some(corner) = marks.get_mut(*which)
        {
            *corner = super::super::corners::pixel(at, rect.min, scale);
        }
        if response.drag_stopped()
            && let Some((marks, _)) = self.dragged.take()
        {
            let given = match (shape, marks.as_slice()) {
                // what is square keeps its perspective
                (DieShape::D6, [a, b, c, d]) => Some(Quad([*a, *b, *c, *d])),
                _ => shape.square(&marks),
            };
            done = given.filter(Quad::is_clockwise);
        }
        let shown = self.dragged.as_ref().map_or(&marks, |d| &d.0);
        let points: Vec<Pos2> = shown.iter().map(|p| to_screen(*p)).collect();
        painter.add(Shape::closed_line(points.clone(), Stroke::new(2.0, DRAWN)));
        let names: &[&str] = match shape {
            DieShape::D6 => &["upper left", "upper right", "lower right", "lower left"],
            DieShape::D10 => &["at the pole", "right", "low", "left"],
            DieShape::D12 => &["upper", "right", "lower right", "lower left", "left"],
            DieShape::D4 | DieShape::D8 | DieShape::D20 | DieShape::Octahedron => {
                &["upper", "lower right", "lower left"]
            }
        };
        for (p, name) in points.iter().zip(names) {
            painter.circle(*p, 7.0, DRAWN, Stroke::new(1.5, Color32::BLACK));
            label(&painter, *p + vec2(0.0, -20.0), name, Color32::WHITE);
        }
        done
    }
}

/// A picture on its way to the screen.
#[derive(Default)]
struct Texture(Option<(Picture, TextureHandle)>);

impl Texture {
    fn paint(&mut self, ui: &egui::Ui, painter: &Painter, rect: Rect, picture: &Picture) {
        let same = self.0.as_ref().is_some_and(|(p, _)| p == picture);
        if !same {
            let image = image(picture);
            let texture = ui
                .ctx()
                .load_texture("photograph", image, egui::TextureOptions::LINEAR);
            self.0 = Some((picture.clone(), texture));
        }
        if let Some((_, texture)) = &self.0 {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
    }
}

/// A picture as a texture takes it: of one that is larger than graphics cards take, every second or third pixel.
fn image(picture: &Picture) -> egui::ColorImage {
    const MOST: u32 = 4096;
    let (w, h) = (picture.width() as usize, picture.height() as usize);
    let step = picture.width().max(picture.height()).div_ceil(MOST) as usize;
    if step <= 1 {
        return egui::ColorImage::from_rgb([w, h], picture.rgb());
    }
    let rows = picture.rgb().chunks_exact(3 * w).step_by(step);
    let few: Vec<u8> = rows
        .flat_map(|row| row.chunks_exact(3).step_by(step))
        .flatten()
        .copied()
        .collect();
    egui::ColorImage::from_rgb([w.div_ceil(step), h.div_ceil(step)], &few)
}

/// Half a millimetre is as fine as anybody draws.
fn round(mm: f64) -> f64 {
    (mm * 2.0).round() / 2.0
}

fn zone(
    painter: &Painter,
    outline: &Outline,
    name: &str,
    colour: Color32,
    this: bool,
    to_screen: &impl Fn([f64; 2]) -> Pos2,
) {
    let points: Vec<Pos2> = outline.iter().map(|p| to_screen(*p)).collect();
    let n = points.len().max(1) as f32;
    let sum = points.iter().fold(vec2(0.0, 0.0), |s, p| s + p.to_vec2());
    let stroke = Stroke::new(if this { 3.5 } else { 2.0 }, colour);
    painter.add(Shape::closed_line(points, stroke));
    label(painter, (sum / n).to_pos2(), name, Color32::WHITE);
}

/// Words that are legible on any print, wholly within what is painted on.
fn label(painter: &Painter, at: Pos2, words: &str, colour: Color32) {
    let text = painter.layout_no_wrap(words.to_owned(), FontId::proportional(13.0), colour);
    let mut rect = Rect::from_center_size(at, text.size() + vec2(6.0, 2.0));
    let all = painter.clip_rect();
    rect = rect.translate((all.min - rect.min).max(vec2(0.0, 0.0)));
    rect = rect.translate((all.max - rect.max).min(vec2(0.0, 0.0)));
    painter.rect_filled(rect, 3.0, Color32::from_black_alpha(170));
    painter.galley(rect.min + vec2(3.0, 1.0), text, colour);
}

/// The squares as they were measured, so that a person sees whether they fit; and the marked ones.
fn grid(painter: &Painter, board: &OwnerBoard, to_screen: &impl Fn([f64; 2]) -> Pos2) {
    if board.square_mm <= 0.0 {
        return;
    }
    let [x0, y0] = board.grid_origin_mm;
    let side = board.square_mm;
    let line = Stroke::new(1.0, Color32::from_white_alpha(150));
    let (w, h) = (f64::from(board.cols) * side, f64::from(board.rows) * side);
    for i in 0..=board.cols {
        let x = x0 + f64::from(i) * side;
        painter.line_segment([to_screen([x, y0]), to_screen([x, y0 + h])], line);
    }
    for i in 0..=board.rows {
        let y = y0 + f64::from(i) * side;
        painter.line_segment([to_screen([x0, y]), to_screen([x0 + w, y])], line);
    }
    let crystals = board
        .crystal_squares
        .iter()
        .map(|(n, at)| (format!("crystal {n}"), *at));
    let starts = board.start_squares.iter().map(|(team, s)| {
        let heading = s.heading.as_deref().unwrap_or_default();
        (format!("{team} {heading}"), s.square)
    });
    for (text, [c, r]) in crystals.chain(starts) {
        let at = [
            x0 + (f64::from(c) + 0.5) * side,
            y0 + (f64::from(r) + 0.5) * side,
        ];
        label(painter, to_screen(at), &text, GOOD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_too_large_for_a_texture_is_shown_smaller() {
        let wide = Picture::from_rgb(9001, 3, vec![7; 9001 * 9]).expect("a picture");
        assert_eq!(image(&wide).size, [3001, 1]);
        let small = Picture::from_rgb(5, 4, vec![7; 60]).expect("a picture");
        assert_eq!(image(&small).size, [5, 4]);
    }
}
