//! The page of dice: what kinds there are, and what stands on them.

use std::collections::{BTreeMap, BTreeSet};

use eframe::egui::{self, DragValue, Grid};

use super::{MISSING, forms::name_field, sheet::Sheet};
use crate::{
    copy::Read,
    session::{kinds_of_dice, symbols_on},
};

/// A die has at most so many faces.
const MOST_FACES: usize = 20;
const SHAPES: [&str; 7] = ["d4", "d6", "d8", "d10", "d12", "d20", "octahedron"];

/// What somebody did on the page that changes names, once its rows are drawn.
enum Done {
    Kind {
        from: String,
        to: String,
    },
    Face {
        kind: String,
        from: String,
        to: String,
    },
    Gone(String),
}

pub(super) fn page(ui: &mut egui::Ui, sheet: &mut Sheet, own_words: &mut BTreeSet<String>) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.heading("Dice and their symbols");
        ui.label("On how many faces of a die does each symbol stand? What your dice have not gets 0. It matters to the odds alone: a die is read by what its photographs show.");
        ui.weak("Photographs are named after kinds and symbols (die_KIND_SYMBOL_1): whoever calls them otherwise later renames those, too.");
        let kinds: Vec<String> = sheet.owner.faces.keys().cloned().collect();
        let mut done = None;
        for kind in &kinds {
            ui.add_space(8.0);
            ui.separator();
            let known = symbols_on(sheet.owner.kind_means(kind).as_deref().unwrap_or_default());
            let faces = sheet.owner.faces.get(kind).into_iter().flatten();
            let strange = faces.into_iter().any(|f| !known.contains(f));
            heading(ui, sheet, kind, own_words, strange, &mut done);
            if strange || own_words.contains(kind) {
                words(ui, sheet, kind, &known, &mut done);
            } else {
                usual(ui, sheet, kind, known);
            }
        }
        ui.add_space(12.0);
        ui.horizontal_wrapped(|ui| {
            for kind in sheet.usual_kinds_left() {
                if ui.button(format!("add {kind} dice")).clicked() {
                    sheet.add_usual_kind(&kind);
                }
            }
            if ui.button("add another kind of die").clicked() {
                let kind = sheet.new_kind();
                own_words.insert(kind);
            }
        });
        match done {
            Some(Done::Kind { from, to }) => {
                let renamed = sheet.rename_kind(&from, &to);
                if renamed && own_words.remove(&from) {
                    own_words.insert(to);
                }
            }
            Some(Done::Face { kind, from, to }) => sheet.rename_face(&kind, &from, &to),
            Some(Done::Gone(kind)) => sheet.remove_kind(&kind),
            None => {}
        }
    });
}

/// One line: what the kind is called, is to the rules, and looks like.
fn heading(
    ui: &mut egui::Ui,
    sheet: &mut Sheet,
    kind: &str,
    own_words: &mut BTreeSet<String>,
    strange: bool,
    done: &mut Option<Done>,
) {
    ui.horizontal_wrapped(|ui| {
        let is_taken = |name: &str| sheet.owner.faces.contains_key(name);
        if let Some(to) = name_field(ui, "kind of die", kind, is_taken) {
            *done = Some(Done::Kind {
                from: kind.to_owned(),
                to,
            });
        }
        ui.label("is to the rules");
        let means = sheet.owner.kind_means(kind);
        let unsaid = sheet.is_unsaid(kind);
        let mut chosen = means.clone();
        let mut nothing = false;
        egui::ComboBox::from_id_salt((kind, "means"))
            .width(90.0)
            .selected_text(match &chosen {
                None if unsaid => "nothing yet",
                None => "nothing",
                Some(means) => means,
            })
            .show_ui(ui, |ui| {
                for known in kinds_of_dice() {
                    ui.selectable_value(&mut chosen, Some(known.clone()), known);
                }
                let is_nothing = chosen.is_none() && !unsaid;
                nothing = ui.selectable_label(is_nothing, "nothing").clicked();
            });
        if nothing {
            sheet.kind_is(kind, None);
        } else if chosen != means {
            sheet.kind_is(kind, chosen.as_deref());
        }
        if unsaid {
            ui.colored_label(MISSING, "say what it is");
        }
        let shape = sheet.owner.shapes.get(kind).cloned();
        let shape = shape.unwrap_or_else(|| "d6".to_owned());
        let mut shown = shape.clone();
        egui::ComboBox::from_id_salt((kind, "shape"))
            .width(80.0)
            .selected_text(&shown)
            .show_ui(ui, |ui| {
                for shape in SHAPES {
                    ui.selectable_value(&mut shown, shape.to_owned(), shape);
                }
            });
        if shown != shape {
            sheet.shape_is(kind, shown.clone());
        }
        if shown == "d4" {
            let read = sheet
                .owner
                .reads
                .entry(kind.to_owned())
                .or_insert(Read::Point);
            ui.label("its number stands");
            ui.selectable_value(read, Read::Point, "at the point");
            ui.selectable_value(read, Read::Base, "at the base");
        }
        ui.label("a ship has");
        let mut each = sheet.owner.dice_per_team.get(kind).copied().unwrap_or(0);
        let field = DragValue::new(&mut each)
            .range(0..=8)
            .speed(0.05)
            .clamp_existing_to_range(false);
        let usual = |n: f64, _: std::ops::RangeInclusive<usize>| match n as u32 {
            0 => "as usual".to_owned(),
            n => n.to_string(),
        };
        if ui.add(field.custom_formatter(usual)).changed() {
            let _ = match each {
                0 => sheet.owner.dice_per_team.remove(kind),
                n => sheet.owner.dice_per_team.insert(kind.to_owned(), n),
            };
        }
        // words that the rules do not know are its own, whatever the tick says
        let mut own = strange || own_words.contains(kind);
        let tick = egui::Checkbox::new(&mut own, "other words for its symbols");
        if ui.add_enabled(!strange, tick).changed() {
            let _ = match own {
                true => own_words.insert(kind.to_owned()),
                false => own_words.remove(kind),
            };
        }
        let gone = ui.small_button("x");
        if gone.on_hover_text("this copy has no such dice").clicked() {
            *done = Some(Done::Gone(kind.to_owned()));
        }
    });
}

/// How many faces were told, and whether a die of its shape has so many.
fn faces_ui(ui: &mut egui::Ui, odd: Option<String>, faces: usize) {
    match odd {
        Some(odd) => ui.colored_label(MISSING, odd),
        None => ui.weak(format!("{faces} faces")),
    };
}

/// Symbols by the rules' own words: on how many faces each stands.
fn usual(ui: &mut egui::Ui, sheet: &mut Sheet, kind: &str, known: Vec<String>) {
    let odd = sheet.odd_faces(kind);
    let Some(faces) = sheet.owner.faces.get_mut(kind) else {
        return;
    };
    // what the rules know stays to be chosen where no face has it
    let mut counts: BTreeMap<String, usize> = known.into_iter().map(|f| (f, 0)).collect();
    for face in faces.iter() {
        *counts.entry(face.clone()).or_default() += 1;
    }
    ui.horizontal_wrapped(|ui| {
        for (face, n) in &mut counts {
            ui.label(face.as_str());
            ui.add(DragValue::new(n).range(0..=MOST_FACES).speed(0.05));
            ui.add_space(8.0);
        }
        faces_ui(ui, odd, faces.len());
    });
    let whole = counts
        .into_iter()
        .flat_map(|(f, n)| std::iter::repeat_n(f, n));
    let whole: Vec<String> = whole.collect();
    if whole.len() != faces.len() {
        *faces = whole;
    }
}

/// Symbols by the owner's own words, each with what it is to the rules.
fn words(
    ui: &mut egui::Ui,
    sheet: &mut Sheet,
    kind: &str,
    known: &[String],
    done: &mut Option<Done>,
) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for face in sheet.owner.faces.get(kind).into_iter().flatten() {
        match counts.iter_mut().find(|(f, _)| f == face) {
            Some((_, n)) => *n += 1,
            None => counts.push((face.clone(), 1)),
        }
    }
    let before = counts.clone();
    Grid::new((kind, "words")).striped(true).show(ui, |ui| {
        if !counts.is_empty() {
            for title in ["your word", "faces", "is to the rules"] {
                ui.weak(title);
            }
            ui.end_row();
        }
        for (face, n) in &mut counts {
            let is_taken = |name: &str| before.iter().any(|(other, _)| other == name);
            if let Some(to) = name_field(ui, kind, face, is_taken) {
                *done = Some(Done::Face {
                    kind: kind.to_owned(),
                    from: face.clone(),
                    to,
                });
            }
            ui.add(DragValue::new(n).range(1..=MOST_FACES).speed(0.05));
            let own = known.contains(face).then(|| face.clone());
            let means = sheet.owner.symbol_means(kind, face).or(own);
            let mut chosen = means.clone();
            egui::ComboBox::from_id_salt((kind, face.as_str(), "means"))
                .width(110.0)
                .selected_text(chosen.as_deref().unwrap_or("nothing yet"))
                .show_ui(ui, |ui| {
                    for symbol in known {
                        ui.selectable_value(&mut chosen, Some(symbol.clone()), symbol);
                    }
                });
            if let Some(chosen) = chosen.filter(|c| Some(c) != means.as_ref()) {
                sheet.symbol_is(kind, face, chosen);
            }
            let gone = ui.small_button("x");
            if gone.on_hover_text("not on these dice").clicked() {
                *n = 0;
            }
            if sheet.is_symbol_unsaid(kind, face) {
                ui.colored_label(MISSING, "say what it is");
            }
            ui.end_row();
        }
    });
    ui.horizontal(|ui| {
        if ui.button("add a symbol").clicked() {
            sheet.new_face(kind);
        }
        let faces: usize = counts.iter().map(|(_, n)| n).sum();
        faces_ui(ui, sheet.odd_faces(kind), faces);
    });
    if counts != before
        && let Some(faces) = sheet.owner.faces.get_mut(kind)
    {
        let whole = counts
            .into_iter()
            .flat_map(|(f, n)| std::iter::repeat_n(f, n));
        *faces = whole.collect();
        sheet.forget_words(kind);
    }
}
