//! The game beside the picture: both ships, what they may declare, and what happened.

use eframe::egui::{self, Color32, Key, RichText, Ui};

use super::{flow::resume, paint};
use crate::{
    copy::Status,
    rules::{
        Verdict,
        dice_duel::{Action, Call, Sector, ShipId, Side, Station, Target, What, Zone},
    },
    session::{ByHand, Declaration, GameState, ShipState, View, ZoneOutline},
};

pub(super) const STOPPED: Color32 = Color32::from_rgb(255, 140, 90);
pub(super) const WRONG: Color32 = Color32::from_rgb(255, 110, 110);
pub(super) const BY_HAND: Color32 = Color32::from_rgb(90, 200, 255);

/// The keys of the first two ships: one torpedo, two, tractor beam, Warp Jump.
const KEYS: [[Key; 4]; 2] = [
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4],
    [Key::Num7, Key::Num8, Key::Num9, Key::Num0],
];
/// How much of what happened is shown, newest last.
const LOG: usize = 12;
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

/// Whether somebody has just pressed a key by itself.
pub(super) fn down(events: &[egui::Event], key: Key) -> bool {
    events.iter().any(|e| {
        matches!(e, egui::Event::Key { key: k, pressed: true, repeat: false, modifiers, .. }
            if *k == key && !modifiers.any())
    })
}

/// What a key declares that somebody pressed since the last frame; one that is held declares once.
pub(super) fn pressed(events: &[egui::Event], game: &GameState) -> Option<Declaration> {
    let down = |key: Key| down(events, key);
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

/// Both ships, and what happened last. Returns what somebody declared by a button.
pub(super) fn panel(
    ui: &mut Ui,
    view: &View,
    game: &GameState,
    log: &[String],
) -> Option<Declaration> {
    let mut said = None;
    ui.add_space(6.0);
    egui::ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for (i, ship) in game.ships.iter().enumerate() {
                let keys = KEYS.get(i).map_or(&[][..], |k| &k[..]);
                ship_ui(ui, ship, view, keys, &mut said);
            }
            if !log.is_empty() {
                ui.weak("What happened");
                for line in log.iter().rev().take(LOG).rev() {
                    ui.small(short(line));
                }
            }
        });
    said
}

/// What is wrong, and what may be, for the list of the calls; what a game that is followed tells of that stands under the picture.
pub(super) fn wrong_and_doubtful(view: &View) -> (Vec<String>, Vec<String>) {
    match view.game.as_ref().filter(|g| !g.ships.is_empty()) {
        None => (view.judged.wrong(), view.judged.doubts()),
        Some(_) => {
            let by_copy = view.judged.misplaced.iter().map(ToString::to_string);
            (by_copy.collect(), Vec::new())
        }
    }
}

/// The first of what is wrong, where the calls are folded away.
pub(super) fn in_short(wrong: &[String]) -> Option<String> {
    let (first, more) = wrong.split_first()?;
    let more = match more.len() {
        0 => String::new(),
        n => format!(" (and {n} more, under Calls)"),
    };
    Some(format!("{}{more}", short(first)))
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
        // all four in one row
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 5.0;
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
    let mut stands = vec![
        format!("damage {}", ship.damage),
        format!("crystals {}", ship.crystals),
    ];
    if seen(Station::Sensors) {
        stands.push(format!("lock {}", ship.lock));
        stands.push(format!("jammers {}", ship.jammers));
    }
    if seen(Station::Tractor) {
        stands.push(format!("beam {}", ship.beam));
    }
    ui.label(stands.join("   "));
    if seen(Station::Shields) {
        let shields = Sector::ALL.iter().zip(ship.shields);
        let shields: Vec<String> = shields.map(|(s, n)| format!("{s}: {n}")).collect();
        ui.label(format!("shields {}", shields.join("   ")));
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
        ui.weak(format!("not found in the picture: {}", list.join(", ")));
    }
    shots_ui(ui, ship.ship, view);
    let dice = match lying(ship) {
        1 => "1 die on its displays".to_owned(),
        n => format!("{n} dice on its displays"),
    };
    egui::CollapsingHeader::new(dice)
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
            Verdict::Unsure if !call.hits_nothing() => paint::colour(Status::Unsure),
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

/// Where a person's word on dice or a ship counts in the picture, and what is there by it.
pub(super) fn words(view: &View) -> Vec<(&ZoneOutline, Vec<String>)> {
    let Some(game) = &view.game else {
        return Vec::new();
    };
    let at = |zone: Zone| view.zones.iter().find(|z| z.zone == zone);
    let said = |word: &ByHand| match word.at {
        Zone::Ship(id) => {
            let here = |z: &&ZoneOutline| is_outlined_for(word.at, z.zone, game);
            Some((view.zones.iter().find(here)?, vec![id.to_string()]))
        }
        zone => Some((at(zone)?, word.dice.clone()?)),
    };
    game.by_hand.iter().filter_map(said).collect()
}

/// Whether a person said where this ship stands.
pub(super) fn stands_by_hand(view: &View, what: &str) -> bool {
    let words = view.game.iter().flat_map(|game| &game.by_hand);
    words
        .filter_map(|w| match w.at {
            Zone::Ship(id) => Some(id.to_string()),
            _ => None,
        })
        .any(|ship| ship == what)
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
    use crate::rules::Span;

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
    fn the_first_of_what_is_wrong_is_told_without_the_calls() {
        let told = |wrong: &[&str]| {
            let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            in_short(&wrong)
        };
        assert_eq!(told(&[]), None);
        assert_eq!(told(&["no launch"]).as_deref(), Some("no launch"));
        let more = told(&["a", "b", "c"]);
        assert_eq!(more.as_deref(), Some("a (and 2 more, under Calls)"));
    }
}
