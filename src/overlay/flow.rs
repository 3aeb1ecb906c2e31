//! What the play waits for, under the picture: a launch from its declaration to the last die taken off, what is wrong, and what people may
//! say next.

use eframe::egui::{self, RichText, Ui};

use super::{
    game::{BY_HAND, STOPPED, WRONG},
    paint, shown_text,
};
use crate::{
    copy::Status,
    rules::{
        Verdict,
        dice_duel::{Action, Claim, Freeze, Zone},
    },
    session::{Choice, Declaration, GameState, Told},
};

/// The declaration that the play goes on.
pub(super) fn resume() -> Declaration {
    Declaration::Do {
        action: Box::new(Action::Resume),
    }
}

/// What stopped the play, and what has to be done before it goes on. Returns what somebody declared by a button.
pub(super) fn panel(ui: &mut Ui, game: &GameState, over: bool) -> Option<Declaration> {
    let mut said = None;
    title_ui(ui, game, over, &mut said);
    verdict_ui(ui, game);
    if !game.blasts.is_empty() {
        let list: Vec<String> = game.blasts.iter().map(ToString::to_string).collect();
        ui.label(format!("Blasts rolled: {}", list.join(" and ")));
    }
    for (i, line) in game.to_do.iter().enumerate() {
        let line = RichText::new(format!("• {line}")).size(16.0);
        ui.label(if i == 0 {
            line.strong().color(STOPPED)
        } else {
            line
        });
    }
    choices_ui(ui, game, &mut said);
    if !game.clean_up.is_empty() {
        let list = format!("Take off: {}", in_groups(&game.clean_up));
        ui.label(RichText::new(list).size(16.0).strong());
    }
    // what comes and goes stands below the buttons: they stay under the pointer
    if let Some(why) = &game.refused {
        ui.colored_label(WRONG, format!("Not possible: {}", shown_text(why)));
    }
    for wrong in &game.wrong {
        ui.colored_label(WRONG, &wrong.text);
    }
    if let Some(next) = &game.next {
        ui.label(format!("Next: {}", does(*next)));
    }
    if !game.disagree.is_empty() {
        let at = in_groups(&game.disagree);
        ui.colored_label(
            paint::colour(Status::Unsure),
            format!("The table shows something else than was played: {at}"),
        );
        ui.horizontal(|ui| {
            if ui.button("the table is right").clicked() {
                said = Some(Declaration::TakeTable);
            }
            if ui.button("the record is right").clicked() {
                said = Some(Declaration::TakeRecord);
            }
        });
    }
    for word in &game.by_hand {
        ui.colored_label(BY_HAND, format!("by hand: {}", word.text));
    }
    said
}

/// Who stopped the play, or that it runs; and on the right what can be taken back.
fn title_ui(ui: &mut Ui, game: &GameState, over: bool, said: &mut Option<Declaration>) {
    ui.horizontal(|ui| {
        let (text, stopped) = title(game);
        let text = RichText::new(text).size(19.0);
        ui.label(if stopped {
            text.strong().color(STOPPED)
        } else {
            text
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let button = egui::Button::new("Take back (Z)");
            let may = game.takes_back.as_ref();
            let mut response = ui.add_enabled(may.is_some(), button);
            if let Some(last) = may {
                response = response.on_hover_text(shown_text(last));
            }
            if response.clicked() {
                *said = Some(Declaration::Undo);
            }
        });
    });
    let Some(declared) = game.declared.as_ref().filter(|_| game.stopped.is_none()) else {
        return;
    };
    ui.label(match (is_judged(game), game.judged.is_some()) {
        (true, _) => "What it depends on was not seen: click a place to say what lay there, or settle it among yourselves.".to_owned(),
        (false, true) => format!("Not settled yet: {declared}"),
        (false, false) if over => "It could not be judged.".to_owned(),
        (false, false) => "Judged by the table of that moment, as soon as all of it is seen.".to_owned(),
    });
    if ui.button("It is settled: play on (Enter)").clicked() {
        *said = Some(resume());
    }
}

/// What stands at the top, and whether the play is stopped or waits.
fn title(game: &GameState) -> (String, bool) {
    if let Some(winner) = game.winner {
        return (format!("{winner} has won"), true);
    }
    match (&game.stopped, &game.declared) {
        (Some(stop), _) => (format!("Stopped: {}", does(*stop)), true),
        (None, Some(declared)) if game.judged.is_none() => (declared.clone(), true),
        (None, Some(_)) if is_judged(game) => ("Not settled yet".to_owned(), true),
        _ => ("Nothing is declared".to_owned(), false),
    }
}

/// Whether the last verdict is of what is open, and not of something that was declared since.
fn is_judged(game: &GameState) -> bool {
    let both = game.judged.as_ref().zip(game.declared.as_ref());
    both.is_some_and(|(call, declared)| call.text.starts_with(declared.as_str()))
}

fn does(Claim { ship, freeze }: Claim) -> String {
    let what = match freeze {
        Freeze::Fire => "fires",
        Freeze::Tractor => "uses its tractor beam",
        Freeze::Warp => "jumps",
    };
    format!("{ship} {what}")
}

fn verdict_ui(ui: &mut Ui, game: &GameState) {
    let Some(call) = &game.judged else { return };
    let colour = of_verdict(call.verdict);
    let text = shown_text(&call.text);
    ui.label(RichText::new(text).size(18.0).strong().color(colour));
    because_ui(ui, &call.because, 12.0);
}

/// Steps of a reason, those of one rule together, in letters of a size in points.
pub(super) fn because_ui(ui: &mut Ui, steps: &[Told], size: f32) {
    for (rule, steps) in by_rule(steps) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.label(RichText::new(shown_text(&steps.join("; "))).size(size));
            ui.label(RichText::new(format!("  {rule}")).size(size).weak());
        });
    }
}

/// Rules in the order in which they are first rested on, each with its steps.
fn by_rule(steps: &[Told]) -> Vec<(&str, Vec<&str>)> {
    let mut out: Vec<(&str, Vec<&str>)> = Vec::new();
    for told in steps {
        match out.iter_mut().find(|(rule, _)| *rule == told.rule) {
            Some((_, steps)) => steps.push(&told.step),
            None => out.push((&told.rule, vec![&told.step])),
        }
    }
    out
}

pub(super) fn of_verdict(verdict: Verdict) -> egui::Color32 {
    match verdict {
        Verdict::Unsure => paint::colour(Status::Unsure),
        Verdict::Cannot | Verdict::Miss => WRONG,
        _ => paint::colour(Status::Sure),
    }
}

/// Places by what they have in common: `white.weapons.front-1: nose, body · white.sensors: lock`.
fn in_groups(zones: &[Zone]) -> String {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for zone in zones {
        let text = zone.to_string();
        let (of, part) = text.rsplit_once('.').unwrap_or((&text, ""));
        match out.iter_mut().find(|(o, _)| o == of) {
            Some((_, parts)) => parts.push(part.to_owned()),
            None => out.push((of.to_owned(), vec![part.to_owned()])),
        }
    }
    let one = |(of, parts): (String, Vec<String>)| match parts.join(", ") {
        parts if parts.is_empty() => of,
        parts => format!("{of}: {parts}"),
    };
    out.into_iter().map(one).collect::<Vec<_>>().join("  ·  ")
}

/// What people may say next: a row for those that begin with the same words.
fn choices_ui(ui: &mut Ui, game: &GameState, said: &mut Option<Declaration>) {
    for (words, choices) in alike(&game.choices) {
        ui.horizontal_wrapped(|ui| {
            if !words.is_empty() {
                ui.label(words);
            }
            for (text, choice) in choices {
                if ui.button(text).clicked() {
                    *said = Some(Declaration::Do {
                        action: Box::new(choice.action.clone()),
                    });
                }
            }
        });
    }
}

/// Choices with what each adds to the words that several begin with; such words are empty of those that stand alone.
fn alike(choices: &[Choice]) -> Vec<(&str, Vec<(&str, &Choice)>)> {
    let mut out: Vec<(&str, Vec<(&str, &Choice)>)> = Vec::new();
    let mut alone = Vec::new();
    for choice in choices {
        let text = match choice.action {
            Action::Resume => "Play on (Enter)",
            _ => choice.text.as_str(),
        };
        let end = [": ", ", "].iter().filter_map(|s| Some(text.rfind(s)? + 2));
        let (words, rest) = text.split_at(end.max().unwrap_or(0));
        let others = choices.iter().filter(|c| c.text.starts_with(words));
        if words.is_empty() || others.count() < 2 {
            alone.push((text, choice));
            continue;
        }
        let words = words.trim_end();
        match out.iter_mut().find(|(w, _)| *w == words) {
            Some((_, of)) => of.push((rest, choice)),
            None => out.push((words, vec![(rest, choice)])),
        }
    }
    if !alone.is_empty() {
        out.push(("", alone));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::SpokenCall;

    fn zones(names: &[&str]) -> Vec<Zone> {
        let zones = names.iter().map(|n| n.parse().expect("a zone"));
        zones.collect()
    }

    #[test]
    fn places_of_one_display_are_named_together() {
        let of = |names: &[&str]| in_groups(&zones(names));
        assert_eq!(
            of(&[
                "white.weapons.front-1.nose",
                "white.weapons.front-1.body",
                "white.sensors.lock"
            ]),
            "white.weapons.front-1: nose, body  ·  white.sensors: lock"
        );
        assert_eq!(of(&["table"]), "table");
        assert_eq!(of(&[]), "");
    }

    #[test]
    fn what_several_choices_begin_with_stands_before_their_buttons_once() {
        let choice = |text: &str| Choice {
            text: text.to_owned(),
            action: Action::Waive,
        };
        let all = [
            choice("rolled for damage: NOSE"),
            choice("rolled for damage: BLAST1"),
            choice("black: claims the next action, fire"),
            choice("the defender takes it on sector 1"),
            choice("black: claims the next action, warp"),
            choice("jumps to square 3, coming in by the N edge"),
        ];
        let rows: Vec<(&str, Vec<&str>)> = alike(&all)
            .into_iter()
            .map(|(words, of)| (words, of.into_iter().map(|(text, _)| text).collect()))
            .collect();
        let wanted = [
            ("rolled for damage:", vec!["NOSE", "BLAST1"]),
            ("black: claims the next action,", vec!["fire", "warp"]),
            (
                "",
                vec![
                    "the defender takes it on sector 1",
                    "jumps to square 3, coming in by the N edge",
                ],
            ),
        ];
        assert_eq!(rows, wanted);
    }

    #[test]
    fn steps_of_one_rule_stand_together() {
        let told = |step: &str, rule: &str| Told {
            step: step.to_owned(),
            rule: rule.to_owned(),
        };
        let steps = [told("a", "R"), told("b", "S"), told("c", "R")];
        assert_eq!(by_rule(&steps), [("R", vec!["a", "c"]), ("S", vec!["b"])]);
    }

    #[test]
    fn the_title_says_who_stopped_the_play_or_what_waits() {
        let mut game = GameState::default();
        assert_eq!(title(&game), ("Nothing is declared".to_owned(), false));
        game.declared = Some("white: fire 1 at black".to_owned());
        assert_eq!(title(&game), ("white: fire 1 at black".to_owned(), true));
        game.judged = Some(SpokenCall {
            text: "white: fire 1 at black: unsure".to_owned(),
            verdict: Verdict::Unsure,
            because: vec![],
            dice: vec![],
            call: serde_json::Value::Null,
        });
        assert_eq!(title(&game).0, "Not settled yet");
        // of another declaration
        game.declared = Some("black: fire 2 at white".to_owned());
        assert_eq!(title(&game), ("Nothing is declared".to_owned(), false));
        game.stopped = Some(Claim {
            ship: "white".parse().expect("a ship"),
            freeze: Freeze::Fire,
        });
        assert_eq!(title(&game).0, "Stopped: white fires");
        game.winner = Some("white".parse().expect("a ship"));
        assert_eq!(title(&game).0, "white has won");
    }
}
