//! The game beside the picture: both ships, what may be declared, and what a stopped play waits for.

use eframe::egui::{self, Color32, Key, RichText, Ui};

use super::paint;
use crate::{
    copy::Status,
    rules::{
        Verdict,
        dice_duel::{Action, Call, Sector, ShipId, Side, Station, Target, What, Zone},
    },
    session::{Declaration, GameState, ShipState, View, ZoneOutline},
};

const STOPPED: Color32 = Color32::from_rgb(255, 140, 90);
const WRONG: Color32 = Color32::from_rgb(255, 110, 110);
const BY_HAND: Color32 = Color32::from_rgb(90, 200, 255);

/// The keys of the first two ships: one torpedo, two, tractor beam, Warp Jump.
const KEYS: [[Key; 4]; 2] = [
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4],
    [Key::Num7, Key::Num8, Key::Num9, Key::Num0],
];
/// How much of what happened is shown, newest last.
const LOG: usize = 6;
const UNDO: Key = Key::Z;
const RESUME: Key = Key::Enter;

/// What a ship may declare, with its label.
fn declarations(ship: ShipId) -> [(&'static str, Declaration); 4] {
    let fire = |torpedoes| Declaration::Fire {
        ship,
        torpedoes,
        target: None,
    };
    [
        ("Fire 1", fire(1)),
        ("Fire 2", fire(2)),
        ("Tractor", Declaration::Tractor { ship, target: None }),
        (
            "Warp",
            Declaration::Do {
                action: Box::new(Action::Warp { ship }),
            },
        ),
    ]
}

fn resume() -> Declaration {
    Declaration::Do {
        action: Box::new(Action::Resume),
    }
}

/// What a key declares that somebody pressed since the last frame; one that is held declares once.
pub(super) fn pressed(events: &[egui::Event], game: &GameState) -> Option<Declaration> {
    let down = |key: Key| {
        events.iter().any(|e| {
            matches!(e, egui::Event::Key { key: k, pressed: true, repeat: false, modifiers, .. }
                if *k == key && !modifiers.any())
        })
    };
    for (ship, keys) in game.ships.iter().zip(KEYS) {
        for ((_, said), key) in declarations(ship.ship).into_iter().zip(keys) {
            if down(key) {
                return Some(said);
            }
        }
    }
    if down(UNDO) {
        return Some(Declaration::Undo);
    }
    let waits = game.stopped.is_some() || game.declared.is_some();
    (waits && down(RESUME)).then(resume)
}

/// Both ships, and what the play waits for. Returns what somebody declared by a button.
pub(super) fn panel(
    ui: &mut Ui,
    view: &View,
    game: &GameState,
    log: &[String],
) -> Option<Declaration> {
    let mut said = None;
    ui.add_space(6.0);
    flow_ui(ui, game, &mut said);
    for wrong in &game.wrong {
        ui.colored_label(WRONG, &wrong.text);
    }
    for word in &game.by_hand {
        ui.colored_label(BY_HAND, format!("by hand: {}", word.text));
    }
    if !log.is_empty() {
        ui.weak("What happened");
        for line in log.iter().rev().take(LOG).rev() {
            ui.small(short(line));
        }
        ui.separator();
    }
    egui::ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for (i, ship) in game.ships.iter().enumerate() {
                let keys = KEYS.get(i).map_or(&[][..], |k| &k[..]);
                ship_ui(ui, ship, view, keys, &mut said);
            }
        });
    said
}

/// What is wrong, and what may be, for the list of the calls. A game that is followed tells beside its ships what is wrong, if these are shown.
pub(super) fn wrong_and_doubtful(view: &View, ships_open: bool) -> (Vec<String>, Vec<String>) {
    let by_copy = view.judged.misplaced.iter().map(ToString::to_string);
    match view.game.as_ref().filter(|g| !g.ships.is_empty()) {
        None => (view.judged.wrong(), view.judged.doubts()),
        Some(_) if ships_open => (by_copy.collect(), Vec::new()),
        Some(game) => {
            let refused = game.refused.iter().cloned();
            let wrong = game.wrong.iter().map(|w| w.text.clone());
            (refused.chain(wrong).chain(by_copy).collect(), Vec::new())
        }
    }
}

/// What must be seen where the ships or the calls are not: who has won, what the play waits for, its verdict, what has to be done next, that
/// table and record disagree, and the first of what is wrong.
pub(super) fn in_short(game: Option<&GameState>, wrong: &[String]) -> Vec<(Color32, String)> {
    let mut lines = Vec::new();
    if let Some(game) = game {
        let winner = game.winner.iter().map(|w| format!("{w} has won"));
        let stopped = game.stopped.as_ref();
        let stopped = stopped.map(|s| format!("Stopped: {} {}", s.ship, s.freeze));
        let waits = stopped.or_else(|| game.declared.clone());
        let told: Vec<String> = winner.chain(waits).collect();
        if !told.is_empty() {
            lines.push((STOPPED, told.join(" · ")));
        }
        let verdict = game.judged.iter();
        lines.extend(verdict.map(|call| (of_verdict(call.verdict), short(&call.text))));
        let mut next: Vec<String> = game.to_do.first().cloned().into_iter().collect();
        if !game.clean_up.is_empty() {
            let places: Vec<String> = game.clean_up.iter().map(ToString::to_string).collect();
            next.push(format!("take off: {}", places.join(", ")));
        }
        if !next.is_empty() {
            lines.push((STOPPED, next.join(" · ")));
        }
        if !game.disagree.is_empty() {
            let text = "The table shows something else than was played: see Ships";
            lines.push((paint::colour(Status::Unsure), text.to_owned()));
        }
    }
    if let Some((first, more)) = wrong.split_first() {
        let more = match more.len() {
            0 => String::new(),
            n => format!(" (and {n} more, under Calls)"),
        };
        lines.push((WRONG, format!("{}{more}", short(first))));
    }
    lines
}

fn of_verdict(verdict: Verdict) -> Color32 {
    match verdict {
        Verdict::Unsure => paint::colour(Status::Unsure),
        Verdict::Cannot | Verdict::Miss => WRONG,
        _ => paint::colour(Status::Sure),
    }
}

/// What stopped the play, and what has to be done before it goes on.
fn flow_ui(ui: &mut Ui, game: &GameState, said: &mut Option<Declaration>) {
    let mut button = |ui: &mut Ui, text: &str, what: &dyn Fn() -> Declaration| {
        if ui.button(text).clicked() {
            *said = Some(what());
        }
    };
    if let Some(winner) = game.winner {
        ui.heading(format!("{winner} has won"));
    }
    match (&game.stopped, &game.declared) {
        (Some(stop), _) => {
            let title = format!("Stopped: {} {}", stop.ship, stop.freeze);
            ui.label(RichText::new(title).size(19.0).strong().color(STOPPED));
        }
        (None, Some(declared)) => {
            ui.label(RichText::new(declared).size(19.0).strong().color(STOPPED));
            ui.label("Judged by the table of that moment, as soon as all of it was seen.");
            button(ui, "It is settled: play on (Enter)", &resume);
        }
        (None, None) => {
            ui.label(RichText::new("The play runs").size(19.0));
        }
    }
    if let Some(call) = &game.judged {
        let colour = of_verdict(call.verdict);
        ui.label(RichText::new(short(&call.text)).size(16.0).color(colour));
        for step in &call.because {
            ui.small(step.to_string());
        }
    }
    if let Some(why) = &game.refused {
        ui.colored_label(WRONG, why);
    }
    if !game.blasts.is_empty() {
        let list: Vec<String> = game.blasts.iter().map(ToString::to_string).collect();
        ui.label(format!("Blasts rolled: {}", list.join(" and ")));
    }
    for line in &game.to_do {
        ui.label(RichText::new(format!("• {line}")).size(16.0));
    }
    if !game.clean_up.is_empty() {
        ui.label(RichText::new("Take off:").strong());
        for zone in &game.clean_up {
            ui.label(format!("• {zone}"));
        }
    }
    if let Some(next) = &game.next {
        ui.label(format!("Next: {} {}", next.ship, next.freeze));
    }
    if !game.choices.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for choice in &game.choices {
                let resumes = choice.action == Action::Resume;
                let text = if resumes {
                    "Play on (Enter)".to_owned()
                } else {
                    choice.text.clone()
                };
                button(ui, &text, &|| Declaration::Do {
                    action: Box::new(choice.action.clone()),
                });
            }
        });
    }
    if !game.disagree.is_empty() {
        let at: Vec<String> = game.disagree.iter().map(ToString::to_string).collect();
        ui.colored_label(
            paint::colour(Status::Unsure),
            format!(
                "The table shows something else than was played: {}",
                at.join(", ")
            ),
        );
        ui.horizontal(|ui| {
            button(ui, "the table is right", &|| Declaration::TakeTable);
            button(ui, "the record is right", &|| Declaration::TakeRecord);
        });
    }
    button(ui, "Take back (Z)", &|| Declaration::Undo);
    ui.separator();
}

fn ship_ui(
    ui: &mut Ui,
    ship: &ShipState,
    view: &View,
    keys: &[Key],
    said: &mut Option<Declaration>,
) {
    let stands = match (ship.square, ship.facing) {
        (Some(square), Some(facing)) => format!("at {square} facing {facing}"),
        (Some(square), None) => format!("at {square}"),
        _ => "not seen: click its square".to_owned(),
    };
    ui.horizontal_wrapped(|ui| {
        ui.heading(ship.ship.to_string());
        ui.label(stands);
    });
    ui.horizontal_wrapped(|ui| {
        for (i, (label, what)) in declarations(ship.ship).into_iter().enumerate() {
            let key = keys.get(i).map(|k| format!(" ({})", k.symbol_or_name()));
            if ui
                .button(format!("{label}{}", key.unwrap_or_default()))
                .clicked()
            {
                *said = Some(what);
            }
        }
    });
    let seen = |station| !ship.unseen.contains(&station);
    ui.label(format!(
        "damage {}   crystals {}",
        ship.damage, ship.crystals
    ));
    if seen(Station::Sensors) {
        ui.label(format!("lock {}   jammers {}", ship.lock, ship.jammers));
    }
    if seen(Station::Shields) {
        let shields = Sector::ALL.iter().zip(ship.shields);
        let shields: Vec<String> = shields.map(|(s, n)| format!("{s}: {n}")).collect();
        ui.label(format!("shields {}", shields.join("   ")));
    }
    if seen(Station::Tractor) {
        ui.label(format!("beam {}", ship.beam));
    }
    if seen(Station::Weapons) {
        let tubes: Vec<String> = ship.loaded.iter().map(ToString::to_string).collect();
        let tubes = if tubes.is_empty() {
            "none".to_owned()
        } else {
            tubes.join(", ")
        };
        ui.label(format!("loaded: {tubes}"));
    }
    if !ship.unseen.is_empty() {
        let list: Vec<String> = ship.unseen.iter().map(ToString::to_string).collect();
        ui.weak(format!("not seen: {}", list.join(", ")));
    }
    shots_ui(ui, ship.ship, view);
    egui::CollapsingHeader::new(format!("{} dice on its displays", lying(ship)))
        .id_salt(("places", ship.ship))
        .show(ui, |ui| {
            for place in &ship.places {
                let name = place.zone.to_string();
                let name = name.split_once('.').map_or(name.as_str(), |(_, rest)| rest);
                ui.small(format!("{name}: {}", place.dice.join(", ")));
            }
        });
    ui.separator();
}

/// A line of what happened, cut where it only goes on to list places.
fn short(line: &str) -> String {
    const MOST: usize = 90;
    if line.chars().count() <= MOST {
        return super::shown_text(line);
    }
    let cut: String = line.chars().take(MOST).collect();
    format!("{}…", super::shown_text(&cut))
}

fn lying(ship: &ShipState) -> usize {
    ship.places.iter().map(|p| p.dice.len()).sum()
}

/// The shots of a ship: those that hit, and what those lack that nearly do.
fn shots_ui(ui: &mut Ui, ship: ShipId, view: &View) {
    let calls = || view.judged.calls.iter().map(|c| &c.call);
    let mut hits: Vec<&Call> = calls()
        .filter(|c| matches!(c.what, What::Launch { ship: s, .. } if s == ship))
        .filter(|c| matches!(c.verdict, Verdict::Hit | Verdict::Miss | Verdict::Unsure))
        .collect();
    // one torpedo before two, ships before mines
    hits.sort_by_key(|c| match c.what {
        What::Launch {
            target, torpedoes, ..
        } => (matches!(target, Target::Mine(_)), torpedoes),
        _ => (true, 0),
    });
    for call in hits {
        let colour = match call.verdict {
            Verdict::Hit => paint::colour(Status::Sure),
            Verdict::Unsure => paint::colour(Status::Unsure),
            _ => ui.visuals().text_color(),
        };
        ui.label(RichText::new(super::shown_text(&call.short())).color(colour));
    }
    for call in calls() {
        if let What::Side {
            ship: s,
            side,
            target,
        } = call.what
            && s == ship
            && let Some(text) = nearly(call, side)
        {
            ui.small(format!("{text} (at {target})"));
        }
    }
}

/// What a side's tubes lack, where it is little.
fn nearly(call: &Call, side: Side) -> Option<String> {
    if call.verdict != Verdict::Cannot || call.missing.is_empty() || call.missing.len() > 2 {
        return None;
    }
    let list: Vec<String> = call.missing.iter().map(ToString::to_string).collect();
    Some(format!("{side} tubes lack {}", list.join(" and ")))
}

/// Whether a zone is where a person's word is about: of a ship its square, of damage all its places.
fn is_outlined_for(said: Zone, zone: Zone, game: &GameState) -> bool {
    match said {
        Zone::Ship(id) => {
            let ship = game.ships.iter().find(|s| s.ship == id);
            ship.and_then(|s| s.square).map(Zone::Board) == Some(zone)
        }
        Zone::Damage(ship, None) => matches!(zone, Zone::Damage(s, _) if s == ship),
        other => zone == other,
    }
}

/// Problems at their places in the picture.
pub(super) fn problems(painter: &egui::Painter, rect: egui::Rect, scale: f32, view: &View) {
    let at = |p: &Zone| view.zones.iter().find(|z| z.zone == *p);
    if let Some(game) = &view.game {
        for word in &game.by_hand {
            let here = |z: &&ZoneOutline| is_outlined_for(word.at, z.zone, game);
            for zone in view.zones.iter().filter(here) {
                paint::zone(painter, rect.min, scale, zone, BY_HAND);
            }
        }
        for zone in game.wrong.iter().filter_map(|w| at(&w.at)) {
            paint::zone(painter, rect.min, scale, zone, WRONG);
        }
        for zone in game.clean_up.iter().filter_map(at) {
            paint::zone(painter, rect.min, scale, zone, STOPPED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rules::Span, session::SpokenCall};

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
    fn a_word_is_outlined_where_it_is_about() {
        let zone = |name: &str| name.parse::<Zone>().expect("a zone");
        let game = GameState::default();
        let is = |said: &str, at: &str| is_outlined_for(zone(said), zone(at), &game);
        assert!(is("white.sensors.lock", "white.sensors.lock"));
        assert!(is("white.damage", "white.damage.2"));
        assert!(!is("white.damage", "black.damage.2"));
    }

    #[test]
    fn a_key_declares_once_and_enter_only_where_something_waits() {
        let ship = |name: &str| ShipState {
            ship: name.parse().expect("a ship"),
            square: None,
            facing: None,
            places: vec![],
            unseen: vec![],
            loaded: vec![],
            lock: Span::known(0),
            jammers: Span::known(0),
            shields: [Span::known(0); 4],
            beam: Span::known(0),
            damage: Span::known(0),
            damage_crystals: Span::known(0),
            crystals: Span::known(0),
        };
        let mut game = GameState {
            ships: vec![ship("black"), ship("white")],
            ..GameState::default()
        };
        let fire = |name: &str, torpedoes| Declaration::Fire {
            ship: name.parse().expect("a ship"),
            torpedoes,
            target: None,
        };
        let said = |k, game: &GameState| pressed(&[key(k, false)], game);
        assert_eq!(said(Key::Num2, &game), Some(fire("black", 2)));
        assert_eq!(said(Key::Num7, &game), Some(fire("white", 1)));
        assert_eq!(said(Key::Z, &game), Some(Declaration::Undo));
        assert_eq!(pressed(&[key(Key::Z, true)], &game), None);
        assert_eq!(said(Key::Enter, &game), None);
        game.declared = Some("white: fire 1 at black".to_owned());
        assert_eq!(said(Key::Enter, &game), Some(resume()));
        assert_eq!(said(Key::Num5, &game), None);
    }

    #[test]
    fn what_is_wrong_and_what_the_play_waits_for_is_told_without_ships_and_calls() {
        let texts = |game: Option<&GameState>, wrong: &[&str]| {
            let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            let lines = in_short(game, &wrong).into_iter();
            lines.map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert!(texts(Some(&GameState::default()), &[]).is_empty());
        let declared = GameState {
            declared: Some("white: fire 1 at black".to_owned()),
            ..GameState::default()
        };
        assert_eq!(texts(Some(&declared), &[]), ["white: fire 1 at black"]);
        assert_eq!(texts(None, &["no launch"]), ["no launch"]);
        let wrong = texts(Some(&declared), &["a", "b", "c"]);
        assert_eq!(wrong[1], "a (and 2 more, under Calls)");
        let fired = GameState {
            judged: Some(SpokenCall {
                text: "white: fire 1 at black: hit".to_owned(),
                verdict: Verdict::Hit,
                because: vec![],
                dice: vec![],
                call: serde_json::Value::Null,
            }),
            to_do: vec!["roll".to_owned(), "and more".to_owned()],
            clean_up: vec!["white.sensors.lock".parse().expect("a zone")],
            winner: Some("white".parse().expect("a ship")),
            ..declared
        };
        let told = [
            "white has won · white: fire 1 at black",
            "white: fire 1 at black: hit",
            "roll · take off: white.sensors.lock",
        ];
        assert_eq!(texts(Some(&fired), &[]), told);
    }
}
