//! The page of rules: what a group plays otherwise than is usual.

use eframe::egui::{self, DragValue};
use serde_json::Value;

use super::{GOOD, WRONG};
use crate::{copy::Owner, session::HouseRule};

pub(super) fn page(ui: &mut egui::Ui, owner: &mut Owner, rules: &[HouseRule]) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.heading("Rules");
        if !owner.is_dice_duel() {
            ui.label("Of this game nothing can be chosen here; what differs stands in the table rules of owner.json.");
            return;
        }
        ui.label("What the rule book leaves open, and its numbers. All is as usual until you say otherwise.");
        let mut table = "";
        for rule in rules {
            if table != rule.table {
                table = rule.table;
                ui.add_space(8.0);
                ui.separator();
                ui.strong(if table == "options" { "Options" } else { "Numbers" });
            }
            row(ui, owner, rule);
        }
    });
}

/// One rule: what it is, what it is about, and how it differs.
fn row(ui: &mut egui::Ui, owner: &mut Owner, rule: &HouseRule) {
    let said = rule.said(&owner.rules);
    let now = said.as_ref().unwrap_or(&rule.usual);
    let mut new = now.clone();
    ui.horizontal_wrapped(|ui| {
        ui.push_id((rule.table, &rule.name), |ui| {
            if !field(ui, rule, &mut new) {
                ui.colored_label(WRONG, format!("{now} is nothing that it may be"));
            }
            ui.strong(readable(&rule.name));
            if said.is_some() {
                ui.colored_label(
                    GOOD,
                    format!("differs: as usual it is {}", shown(&rule.usual)),
                );
                if ui.small_button("as usual").clicked() {
                    new = rule.usual.clone();
                }
            }
        });
    });
    ui.weak(readable(&rule.says).replace('`', "\""));
    ui.add_space(4.0);
    if new != *now {
        rule.say(&mut owner.rules, &new);
    }
}

/// The field in which it is chosen; `false` where what stands there is of another sort.
fn field(ui: &mut egui::Ui, rule: &HouseRule, value: &mut Value) -> bool {
    let number = |ui: &mut egui::Ui, value: &mut Value| {
        let Some(mut n) = value.as_i64() else {
            return false;
        };
        if ui
            .add(DragValue::new(&mut n).range(0..=99).speed(0.05))
            .changed()
        {
            *value = n.into();
        }
        true
    };
    match (&rule.usual, value) {
        (Value::Bool(_), Value::Bool(on)) => {
            ui.checkbox(on, "");
            true
        }
        (Value::Number(_), value) => number(ui, value),
        (Value::Array(usual), Value::Array(all)) if all.len() == usual.len() => {
            all.iter_mut().all(|one| number(ui, one))
        }
        (Value::String(_), Value::String(word)) => {
            let known = rule.words.contains(word);
            egui::ComboBox::from_id_salt("word")
                .width(150.0)
                .selected_text(readable(word))
                .show_ui(ui, |ui| {
                    for one in &rule.words {
                        ui.selectable_value(word, one.clone(), readable(one));
                    }
                });
            known
        }
        _ => false,
    }
}

fn readable(name: &str) -> String {
    name.replace('_', " ")
}

/// A value in words.
fn shown(value: &Value) -> String {
    match value {
        Value::Bool(true) => "ticked".to_owned(),
        Value::Bool(false) => "not ticked".to_owned(),
        Value::String(word) => readable(word),
        other => other.to_string(),
    }
}
