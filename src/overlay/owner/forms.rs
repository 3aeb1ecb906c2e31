//! Sizes of dice, displays and the board as fields to fill in.

use eframe::egui::{self, Color32, DragValue, Grid};

use super::{
    MISSING, WRONG,
    canvas::Pick,
    sheet::{Sheet, no_board},
};
use crate::copy::{BOARD, Owner, OwnerBoard, OwnerStart, PerKind, names_photographs};

/// A page's name for people.
pub(super) fn title(id: &str) -> String {
    if id == BOARD {
        return "The board".to_owned();
    }
    let mut letters = id.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

pub(super) fn mm(ui: &mut egui::Ui, value: &mut f64) {
    let field = DragValue::new(value)
        .range(0.0..=3000.0)
        .speed(0.2)
        .max_decimals(1)
        .update_while_editing(false)
        .suffix(" mm");
    ui.add(field);
}

/// One value for all names or one for each: the choice, and the fields.
fn per_kind<T: Copy>(
    ui: &mut egui::Ui,
    id: &str,
    names: &[String],
    value: &mut PerKind<T>,
    none: T,
    field: impl Fn(&mut egui::Ui, &mut T),
) {
    let mut each = matches!(value, PerKind::Each(_));
    if ui.checkbox(&mut each, "not all alike").changed() {
        *value = match value {
            PerKind::All(v) => PerKind::Each(names.iter().map(|n| (n.clone(), *v)).collect()),
            PerKind::Each(each) => PerKind::All(each.values().next().copied().unwrap_or(none)),
        };
    }
    match value {
        PerKind::All(v) => {
            ui.horizontal(|ui| field(ui, v));
        }
        PerKind::Each(each) => {
            Grid::new(id).show(ui, |ui| {
                for name in names {
                    ui.label(name);
                    ui.horizontal(|ui| field(ui, each.entry(name.clone()).or_insert(none)));
                    ui.end_row();
                }
            });
        }
    }
}

pub(super) fn sizes(ui: &mut egui::Ui, sheet: &mut Sheet) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.heading("Sizes");
        ui.label("Measure with a ruler, to half a millimetre. Drag a number or click it and type.");
        ui.add_space(8.0);
        let kinds: Vec<String> = sheet.owner.faces.keys().cloned().collect();
        let displays: Vec<String> = sheet.owner.displays.keys().cloned().collect();
        ui.strong("Edge of a die");
        if !sheet.owner.shapes.is_empty() {
            ui.weak("Of one that is no cube: how high the face on top lies, or a d4's point; of a paper octahedron 0.816 of an edge.");
        }
        per_kind(ui, "die_mm", &kinds, &mut sheet.owner.die_mm, 0.0, mm);
        ui.add_space(8.0);
        ui.strong("Displays: width and height, as they are read");
        per_kind(
            ui,
            "card_mm",
            &displays,
            &mut sheet.owner.card_mm,
            [0.0; 2],
            |ui, [w, h]| {
                mm(ui, w);
                ui.label("by");
                mm(ui, h);
            },
        );
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.label("how thick their card is");
            mm(ui, &mut sheet.owner.card_thickness_mm);
        });
        ui.add_space(8.0);
        ui.strong("Ships");
        ui.horizontal(|ui| {
            ui.label("from nose to tail");
            let mut long = sheet.owner.ship_mm.unwrap_or_default();
            mm(ui, &mut long);
            sheet.owner.ship_mm = (long > 0.0).then_some(long);
            ui.weak("nothing: four fifths of a square");
        });
        ui.add_space(8.0);
        ui.strong("Who plays");
        ui.label("Photographs are named after them.");
        ui.horizontal(|ui| {
            let mut renamed = None;
            let teams = &sheet.owner.teams;
            for (i, team) in teams.iter().enumerate() {
                let is_taken = |name: &str| teams.iter().any(|t| t == name);
                if let Some(to) = name_field(ui, "team", team, is_taken) {
                    renamed = Some((i, to));
                }
            }
            if let Some((i, to)) = renamed {
                sheet.rename_team(i, to);
            }
        });
        // below, so that no field moves while it is filled in
        ui.add_space(12.0);
        for missing in sheet.missing_sizes() {
            ui.colored_label(MISSING, format!("still missing: {missing}"));
        }
    });
}

/// A name that may be changed: it takes effect when it is whole, for rows stand in the order of names. One that another has
/// (`is_taken`), or that no photograph can be called after, takes none and stays to be corrected, in red.
pub(super) fn name_field(
    ui: &mut egui::Ui,
    of: &str,
    name: &str,
    is_taken: impl Fn(&str) -> bool,
) -> Option<String> {
    let refused = |typed: &str| {
        if typed.is_empty() || (typed == name && names_photographs(name)) {
            None
        } else if !names_photographs(typed) {
            Some("letters, digits, - _ only")
        } else {
            is_taken(typed).then_some("another is called so")
        }
    };
    let kept = egui::Id::unique((of, "name", name));
    let typed = ui.data(|d| d.get_temp::<String>(kept));
    let mut typed = typed.unwrap_or_else(|| name.to_owned());
    let why = refused(typed.trim());
    let mut field = |ui: &mut egui::Ui, colour: Option<Color32>| {
        let field = egui::TextEdit::singleline(&mut typed).id(kept.with("field"));
        ui.add_sized([120.0, 20.0], field.text_color_opt(colour))
    };
    let field = match why {
        None => field(ui, None),
        Some(why) => {
            ui.vertical(|ui| {
                let field = field(ui, Some(WRONG));
                ui.colored_label(WRONG, why);
                field
            })
            .inner
        }
    };
    if field.changed() {
        ui.data_mut(|d| d.insert_temp(kept, typed.clone()));
    }
    let typed = typed.trim().to_owned();
    if !field.lost_focus() || refused(&typed).is_some() {
        return None;
    }
    ui.data_mut(|d| d.remove::<String>(kept));
    (!typed.is_empty() && typed != name).then_some(typed)
}

/// A tick: this copy lacks what `word` names.
pub(super) fn absent(ui: &mut egui::Ui, owner: &mut Owner, word: &str, label: &str) {
    let mut lacks = owner.absent.contains(word);
    if ui.checkbox(&mut lacks, label).changed() {
        let _ = match lacks {
            true => owner.absent.insert(word.to_owned()),
            false => owner.absent.remove(word),
        };
    }
}

/// The board's sizes.
pub(super) fn board(ui: &mut egui::Ui, owner: &mut Owner) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let mut there = owner.board.is_some();
        if ui.checkbox(&mut there, "this copy has a board").changed() {
            owner.board = there.then(no_board);
            owner.absent.remove(BOARD);
        }
        if !there {
            absent(ui, owner, BOARD, "this copy has no board");
        }
    });
    let Some(board) = &mut owner.board else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        // as wide whatever stands in them, so that no line breaks anew and what lies below jumps
        ui.spacing_mut().interact_size.x = 70.0;
        ui.label("whole:");
        mm(ui, &mut board.width_mm);
        ui.label("by");
        mm(ui, &mut board.height_mm);
        ui.label("thick:");
        mm(ui, &mut board.thickness_mm);
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().interact_size.x = 70.0;
        ui.label("squares:");
        ui.add(DragValue::new(&mut board.cols).range(1..=60).speed(0.05));
        ui.label("across,");
        ui.add(DragValue::new(&mut board.rows).range(1..=60).speed(0.05));
        ui.label("down, of");
        mm(ui, &mut board.square_mm);
        ui.label("each; the first begins");
        mm(ui, &mut board.grid_origin_mm[0]);
        ui.label("from the left,");
        mm(ui, &mut board.grid_origin_mm[1]);
        ui.label("from the top");
    });
}

/// Whether this copy has such a display, and which energy dice power its station.
pub(super) fn display(ui: &mut egui::Ui, sheet: &mut Sheet, display: &str) {
    ui.add_space(6.0);
    let mut there = sheet.owner.displays.contains_key(display);
    if ui
        .checkbox(&mut there, "this copy has such a display")
        .changed()
    {
        sheet.has_display(display, there);
    }
    if there {
        number(ui, sheet, display);
    }
}

/// Which energy dice power a display's station.
fn number(ui: &mut egui::Ui, sheet: &mut Sheet, display: &str) {
    let Some(usual) = sheet
        .owner
        .usual_number(display)
        .filter(|_| sheet.owner.is_dice_duel())
    else {
        return;
    };
    let lacks = sheet.lacks_number(display);
    ui.horizontal(|ui| {
        ui.label("number of the energy dice that power it:");
        let said = &mut sheet.owner.station_number;
        let mut number = said.get(display).copied();
        let as_usual = format!("the rules' own ({usual})");
        egui::ComboBox::from_id_salt("number")
            .width(130.0)
            .selected_text(match number {
                Some(n) => n.to_string(),
                None if lacks => "none".to_owned(),
                None => as_usual.clone(),
            })
            .show_ui(ui, |ui| {
                for n in 1..=6 {
                    ui.selectable_value(&mut number, Some(n), n.to_string());
                }
                let label = if lacks { "none" } else { &as_usual };
                ui.selectable_value(&mut number, None, label);
            });
        match number {
            Some(n) => drop(said.insert(display.to_owned(), n)),
            None => drop(said.remove(display)),
        }
        if lacks {
            ui.colored_label(MISSING, "other displays say theirs: say this one's, too");
        }
    });
}

/// A square as the program says it of a table: column and row from the lower left, from 0.
pub(super) fn square(ui: &mut egui::Ui, at: Option<[u32; 2]>, rows: u32) {
    match at {
        Some([c, r]) => ui
            .weak(format!("square {c}, {}", rows.saturating_sub(r + 1)))
            .on_hover_text("column and row, from the lower left, from 0"),
        None => ui.colored_label(MISSING, "to click"),
    };
}

/// Where a ship looks at the start.
pub(super) fn heading(ui: &mut egui::Ui, team: &str, heading: &mut Option<String>) {
    egui::ComboBox::from_id_salt((team, "heading"))
        .width(44.0)
        .selected_text(heading.as_deref().unwrap_or("any"))
        .show_ui(ui, |ui| {
            for h in ["N", "E", "S", "W"] {
                ui.selectable_value(heading, Some(h.to_owned()), h);
            }
        });
}

/// Marks the square at a place of the board, if one is there.
pub(super) fn mark(board: &mut OwnerBoard, pick: &Pick, [x, y]: [f64; 2]) {
    let step = |v: f64, origin: f64, most: u32| {
        let n = ((v - origin) / board.square_mm).floor();
        (n >= 0.0 && n < f64::from(most)).then_some(n as u32)
    };
    let [x0, y0] = board.grid_origin_mm;
    let (Some(c), Some(r)) = (step(x, x0, board.cols), step(y, y0, board.rows)) else {
        return;
    };
    match pick {
        Pick::Crystal(n) => {
            // a square has one number
            board.crystal_squares.retain(|_, at| *at != [c, r]);
            board.crystal_squares.insert(n.clone(), [c, r]);
        }
        Pick::Start(team) => {
            let heading = board
                .start_squares
                .get(team)
                .and_then(|s| s.heading.clone());
            let start = OwnerStart {
                square: [c, r],
                heading,
            };
            board.start_squares.insert(team.clone(), start);
        }
        Pick::Zone(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_marks_the_square_under_it() {
        let mut board = OwnerBoard {
            cols: 8,
            rows: 6,
            square_mm: 50.0,
            grid_origin_mm: [44.0, 16.0],
            ..no_board()
        };
        mark(
            &mut board,
            &Pick::Crystal("2".to_owned()),
            [44.0 + 260.0, 16.0 + 40.0],
        );
        assert_eq!(board.crystal_squares.get("2"), Some(&[5, 0]));
        // beside the squares nothing is marked
        mark(&mut board, &Pick::Crystal("2".to_owned()), [20.0, 60.0]);
        assert_eq!(board.crystal_squares.get("2"), Some(&[5, 0]));
        // another number on the same square takes it
        let there = [44.0 + 260.0, 16.0 + 40.0];
        mark(&mut board, &Pick::Crystal("4".to_owned()), there);
        assert_eq!(board.crystal_squares.get("4"), Some(&[5, 0]));
        assert_eq!(board.crystal_squares.get("2"), None);
        mark(&mut board, &Pick::Start("white".to_owned()), [45.0, 300.0]);
        assert_eq!(
            board.start_squares.get("white").map(|s| s.square),
            Some([0, 5])
        );
    }
}
