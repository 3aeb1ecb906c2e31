//! What may be announced, on the right of the picture.

use eframe::egui;

use super::{flow, game, paint, shown_text};
use crate::{
    copy::Status,
    rules::Verdict,
    session::{TableCall, Told, View},
};

/// Lists what may be announced, and what is wrong where that does not stand under the picture; returns the dice of the call under the pointer.
pub(super) fn list(ui: &mut egui::Ui, view: Option<&View>) -> Vec<u64> {
    let mut pointed = Vec::new();
    ui.add_space(6.0);
    ui.heading("Calls");
    ui.add_space(4.0);
    let Some(view) = view else { return pointed };
    egui::ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            if view.judged.calls.is_empty() {
                ui.weak(if view.dice.is_empty() {
                    "No dice are read yet."
                } else {
                    "Waiting for the dice to lie still…"
                });
            }
            // what waits for displays that nobody sees is told where somebody asks
            let waits = |c: &&TableCall| c.call.verdict == Verdict::Unsure && c.dice.is_empty();
            let cannot = |c: &&TableCall| c.call.verdict == Verdict::Cannot;
            let calls = || view.judged.calls.iter();
            let may: Vec<&TableCall> = calls().filter(|c| !cannot(c) && !waits(c)).collect();
            for (first, others) in alike(&may) {
                if call_ui(ui, first, 1 + others.len()).contains_pointer() {
                    let all = std::iter::once(first).chain(others);
                    pointed.extend(all.flat_map(|c| &c.dice));
                }
            }
            folded_ui(ui, "Depend on what is not seen", calls().filter(waits));
            folded_ui(ui, "Not possible now", calls().filter(cannot));
            let (wrong, doubts) = game::wrong_and_doubtful(view);
            for problem in wrong {
                ui.colored_label(game::WRONG, problem);
            }
            // a die that still rolls is nothing wrong
            for doubt in doubts {
                ui.colored_label(paint::colour(Status::Unsure), doubt);
            }
            let unknown = view
                .dice
                .iter()
                .filter(|d| d.settled && d.status() == Status::Unknown)
                .count();
            if unknown > 0 {
                ui.add_space(6.0);
                ui.colored_label(
                    paint::colour(Status::Unknown),
                    format!(
                        "{unknown} {} not of this copy",
                        if unknown == 1 { "die is" } else { "dice are" }
                    ),
                );
            }
        });
    pointed
}

/// Calls that are told only where somebody asks.
fn folded_ui<'a>(
    ui: &mut egui::Ui,
    title: &str,
    calls: impl Iterator<Item = &'a TableCall> + Clone,
) {
    let n = calls.clone().count();
    if n > 0 {
        egui::CollapsingHeader::new(format!("{title}: {n}"))
            .id_salt(title)
            .show(ui, |ui| {
                calls.for_each(|spoken| drop(call_ui(ui, spoken, 1)))
            });
    }
}

/// Calls that say the same, as those of three dice with one number do, together: the first, and the others.
fn alike<'a>(calls: &[&'a TableCall]) -> Vec<(&'a TableCall, Vec<&'a TableCall>)> {
    let mut out: Vec<(&TableCall, Vec<&TableCall>)> = Vec::new();
    for &call in calls {
        let same = |of: &&mut (&TableCall, _)| {
            of.0.call.short() == call.call.short() && of.0.call.because == call.call.because
        };
        match out.iter_mut().find(same) {
            Some((_, others)) => others.push(call),
            None => out.push((call, Vec::new())),
        }
    }
    out
}

/// One call with its reasons, and how often it is made.
fn call_ui(ui: &mut egui::Ui, spoken: &TableCall, times: usize) -> egui::Response {
    let call = &spoken.call;
    let colour = match call.verdict {
        Verdict::Unsure => paint::colour(Status::Unsure),
        Verdict::Must => game::STOPPED,
        Verdict::Cannot => ui.visuals().weak_text_color(),
        Verdict::Miss => ui.visuals().text_color(),
        _ => paint::colour(Status::Sure),
    };
    let frame = egui::Frame::group(ui.style())
        .stroke(egui::Stroke::new(1.5, colour))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let often = if times > 1 {
                format!(" ×{times}")
            } else {
                String::new()
            };
            let text = shown_text(&call.short()) + &often;
            let text = egui::RichText::new(text).size(17.0);
            ui.label(match call.verdict {
                Verdict::Unsure => text.italics().color(colour),
                Verdict::Cannot => text.size(15.0),
                _ => text.strong(),
            });
            let steps: Vec<Told> = call.because.iter().map(Told::from).collect();
            flow::because_ui(ui, &steps, 11.0);
        });
    frame.response
}
