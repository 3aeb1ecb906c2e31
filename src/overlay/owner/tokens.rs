//! The page of tokens: what each is called, looks like, and is to the rules on either side.

use std::collections::BTreeMap;

use eframe::egui::{self, Grid};

use super::{
    MISSING, WRONG,
    forms::{absent, mm, name_field},
};
use crate::{
    copy::{Outline, Owner, OwnerToken, TOKENS, names_photographs},
    session::token_meanings,
};

/// What somebody did to a row, once all are drawn: rows stand in the order of names.
enum Done {
    Renamed { from: String, to: String },
    Gone(String),
}

pub(super) fn page(ui: &mut egui::Ui, owner: &mut Owner) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.heading("Tokens");
        ui.label("Each kind of token that your copy has: its name, its outline, how wide it is (between opposite edges), what it is to the rules, and what its other side is. Photographs are named after it.");
        ui.add_space(8.0);
        let known = token_meanings();
        let mut done = None;
        Grid::new("tokens").striped(true).show(ui, |ui| {
            if !owner.tokens.is_empty() {
                for title in ["your word", "outline", "across", "is to the rules", "other side", "is to the rules"] {
                    ui.weak(title);
                }
                ui.end_row();
            }
            let names: Vec<String> = owner.tokens.keys().cloned().collect();
            for name in names {
                row(ui, owner, &name, &known, &mut done);
            }
        });
        match done {
            Some(Done::Renamed { from, to }) => rename(owner, &from, to),
            Some(Done::Gone(name)) => drop(owner.tokens.remove(&name)),
            None => {}
        }
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| more(ui, owner));
        if owner.tokens.is_empty() {
            ui.add_space(8.0);
            absent(ui, owner, TOKENS, "this copy has no tokens");
        }
    });
}

fn row(
    ui: &mut egui::Ui,
    owner: &mut Owner,
    name: &str,
    known: &[String],
    done: &mut Option<Done>,
) {
    let by_name = owner.token_means(name);
    let renamed = name_field(ui, "token", name, |to| owner.tokens.contains_key(to));
    if let Some(to) = renamed {
        *done = Some(Done::Renamed {
            from: name.to_owned(),
            to,
        });
    }
    let Some(token) = owner.tokens.get_mut(name) else {
        return;
    };
    egui::ComboBox::from_id_salt((name, "outline"))
        .width(80.0)
        .selected_text(words(token.outline))
        .show_ui(ui, |ui| {
            for o in [
                Outline::Round,
                Outline::Square,
                Outline::Hexagon,
                Outline::Other,
            ] {
                ui.selectable_value(&mut token.outline, o, words(o));
            }
        });
    mm(ui, &mut token.size_mm);
    ui.horizontal(|ui| {
        if let Some(means) = meaning(ui, (name, "front"), by_name, known) {
            token.means = Some(means);
        }
    });
    // a file may have more than one other side: those stay as they stand there
    if token.back.len() <= 1 {
        other_side(ui, name, &mut token.back, known);
    } else {
        ui.weak("more sides");
        ui.label("");
    }
    if ui.small_button("x").on_hover_text("take it away").clicked() {
        *done = Some(Done::Gone(name.to_owned()));
    }
    ui.end_row();
}

fn other_side(
    ui: &mut egui::Ui,
    name: &str,
    back: &mut BTreeMap<String, String>,
    known: &[String],
) {
    let (mut side, mut shows) = back.pop_first().unwrap_or_default();
    let field = egui::TextEdit::singleline(&mut side).hint_text("none");
    ui.add_sized([90.0, 20.0], field);
    ui.horizontal(|ui| {
        if side.is_empty() && shows.is_empty() {
            return;
        }
        if let Some(means) = meaning(ui, (name, "back"), shows.clone(), known) {
            shows = means;
        }
        if side.is_empty() {
            ui.colored_label(MISSING, "name the other side");
        } else if !names_photographs(&side) {
            ui.colored_label(WRONG, "its name: letters, digits, - _ only");
        }
    });
    if !(side.is_empty() && shows.is_empty()) {
        back.insert(side, shows);
    }
}

/// What a side is to the rules, from the list of their words. Returns what is chosen anew.
fn meaning(ui: &mut egui::Ui, id: (&str, &str), means: String, known: &[String]) -> Option<String> {
    let is_known = means.is_empty() || known.contains(&means);
    let mut chosen = means.clone();
    let shown = if means.is_empty() { "nothing" } else { &means };
    egui::ComboBox::from_id_salt((id, "means"))
        .width(100.0)
        // all of them are seen at once
        .height(320.0)
        .selected_text(if is_known { shown } else { "nothing yet" })
        .show_ui(ui, |ui| {
            for word in known {
                ui.selectable_value(&mut chosen, word.clone(), word);
            }
            ui.selectable_value(&mut chosen, String::new(), "nothing");
        });
    if !is_known {
        ui.colored_label(MISSING, "say what it is");
    }
    (chosen != means).then_some(chosen)
}

/// Calls a token otherwise; not as another one is called. It means what it meant.
fn rename(owner: &mut Owner, from: &str, to: String) {
    if owner.tokens.contains_key(&to) {
        return;
    }
    let means = owner.token_means(from);
    let Some(mut token) = owner.tokens.remove(from) else {
        return;
    };
    let is_known = means.is_empty() || token_meanings().contains(&means);
    token.means = None;
    owner.tokens.insert(to.clone(), token);
    if is_known
        && owner.token_means(&to) != means
        && let Some(token) = owner.tokens.get_mut(&to)
    {
        token.means = Some(means);
    }
}

/// Tokens that most copies have, and another one.
fn more(ui: &mut egui::Ui, owner: &mut Owner) {
    for (label, outline, size_mm) in [
        ("asteroid", Outline::Round, owner.token_radius_mm),
        ("nebula", Outline::Round, owner.token_radius_mm),
        ("wormhole", Outline::Round, owner.token_radius_mm),
        ("mine-white", Outline::Round, owner.mine_radius_mm),
        ("mine-black", Outline::Round, owner.mine_radius_mm),
        ("crystal", Outline::Other, 5.0),
    ] {
        let there = owner.tokens.contains_key(label);
        if !there && ui.button(format!("add {label}")).clicked() {
            let token = OwnerToken {
                outline,
                size_mm: 2.0 * size_mm,
                means: label.starts_with("mine").then(|| "mine".to_owned()),
                back: BTreeMap::new(),
            };
            owner.tokens.insert(label.to_owned(), token);
            owner.absent.remove(TOKENS);
        }
    }
    if ui.button("add another").clicked() {
        let mut names = (1..).map(|n| format!("token{n}"));
        let free = names.find(|n| !owner.tokens.contains_key(n));
        let token = OwnerToken {
            outline: Outline::Round,
            size_mm: 2.0 * owner.token_radius_mm,
            means: None,
            back: BTreeMap::new(),
        };
        owner.tokens.insert(free.unwrap_or_default(), token);
        owner.absent.remove(TOKENS);
    }
}

fn words(outline: Outline) -> &'static str {
    match outline {
        Outline::Round => "round",
        Outline::Square => "square",
        Outline::Hexagon => "six-sided",
        Outline::Other => "another",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::usual_owner;

    #[test]
    fn a_token_that_is_called_otherwise_means_what_it_meant() {
        let mut owner = usual_owner();
        let token = |means: Option<&str>| OwnerToken {
            outline: Outline::Round,
            size_mm: 40.0,
            means: means.map(str::to_owned),
            back: BTreeMap::new(),
        };
        owner.tokens.insert("asteroid".to_owned(), token(None));
        owner.tokens.insert("token1".to_owned(), token(None));
        rename(&mut owner, "asteroid", "rock".to_owned());
        assert_eq!(owner.token_means("rock"), "asteroid");
        rename(&mut owner, "rock", "token1".to_owned());
        assert!(owner.tokens.contains_key("rock"), "that is another's name");
        rename(&mut owner, "token1", "nebula".to_owned());
        assert_eq!(owner.token_means("nebula"), "nebula");
        rename(&mut owner, "rock", "asteroid".to_owned());
        let means = owner.tokens.get("asteroid").map(|t| t.means.clone());
        assert_eq!(means, Some(None), "its name says it");
    }
}
