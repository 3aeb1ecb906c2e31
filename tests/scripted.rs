//! A match played by a script on a table that is seen badly: what is told is what happened, once, and no more.
#![allow(clippy::expect_used, clippy::panic)]

mod table_script;

use sightline::{
    rules::dice_duel::{Action, Freeze, ShipId},
    session::{Declaration, Happened},
};
use table_script::Play;

const SEEDS: std::ops::Range<u64> = 1..7;

fn fire(ship: ShipId, torpedoes: u8) -> Declaration {
    Declaration::Fire {
        ship,
        torpedoes,
        target: None,
    }
}

fn act(action: Action) -> Declaration {
    Declaration::Do {
        action: Box::new(action),
    }
}

/// White loads a torpedo and locks on, black raises a shield and a jammer.
fn ready(play: &mut Play) {
    play.wait(1500);
    for station in ["weapons", "weapons", "weapons"] {
        play.give("white", station);
    }
    play.place("white", "weapon", "NOSE", "weapons.front-1.nose");
    play.place("white", "weapon", "BODY", "weapons.front-1.body");
    play.place("white", "weapon", "TAIL", "weapons.front-1.tail");
    play.give("white", "sensors");
    play.give("white", "sensors");
    play.place("white", "sensor", "L2", "sensors.lock");
    play.place("white", "sensor", "L1", "sensors.lock");
    play.give("black", "sensors");
    play.place("black", "sensor", "J1", "sensors.jammer");
    play.give("black", "shields");
    play.place("black", "shield", "S1", "shields.1");
}

/// Everything lies where the launch found it, and leaves.
fn clean(play: &mut Play, but: &[&str]) {
    let zones = [
        "white.weapons.front-1.nose",
        "white.weapons.front-1.body",
        "white.weapons.front-1.tail",
        "white.sensors.lock",
        "black.sensors.jammer",
        "black.shields.1",
    ];
    for zone in zones.into_iter().filter(|z| !but.contains(z)) {
        play.hand(zone, 400);
        for die in play.in_zone(zone) {
            play.take(die);
        }
        play.wait(500);
    }
}

/// An energy die goes to the damage display.
fn damage(play: &mut Play) {
    let pool = "black.engineering.pool";
    let die = play.in_zone(pool)[0];
    play.hand(pool, 400);
    play.take(die);
    play.wait(600);
    play.hand("black.damage.1", 400);
    play.put("energy", "6", "black.damage.1");
    play.wait(1200);
}

/// Every die that was placed was told once, with what it shows and where, soon; and none that was not.
fn told_once(play: &Play) {
    let mut told = play.told_placed();
    for (at, what, zone) in &play.placed {
        let at = *at as f64 / 1000.0;
        let here = |t: &&(f64, String, String)| t.1 == *what && t.2 == *zone;
        let found = told.iter().position(|t| here(&t) && t.0 >= at);
        let found = found.unwrap_or_else(|| panic!("{what} in {zone} at {at}: not told"));
        let (when, ..) = told.remove(found);
        assert!(when < at + 2.2, "{what} in {zone} at {at}: told at {when}");
    }
    told.retain(|(at, ..)| *at > 0.8);
    let about =
        |e: &&sightline::session::Event| told.iter().any(|t| Some(&t.2) == e.placing.zone.as_ref());
    let lines = play.events.iter().filter(about).map(|e| {
        let (zone, face) = (e.placing.zone.as_deref(), e.face.as_deref());
        format!("{:7.2} {:?} {} {face:?} {zone:?}", e.at_s, e.change, e.die)
    });
    let lines: Vec<String> = lines.collect();
    assert!(told.is_empty(), "invented: {told:?}\n{}", lines.join("\n"));
    let (asked, exact) = play.still;
    assert!(asked > 0 && exact == asked, "exact in {exact} of {asked}");
}

fn fouls(play: &Play) -> Vec<String> {
    let begins = |w: &String| {
        w.starts_with("foul_begins") || w.starts_with("problem_begins") || w.starts_with("desync")
    };
    let words = play.words().into_iter().map(|(_, w)| w);
    words.filter(begins).collect()
}

fn count(play: &Play, word: &str) -> usize {
    play.words()
        .iter()
        .filter(|(_, w)| w.starts_with(word))
        .count()
}

fn show(play: &Play) -> String {
    let lines = play
        .said
        .iter()
        .map(|h| format!("{:7.2} {}", h.at_s, h.text));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_honest_match_is_told_once_and_nobody_is_accused() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        ready(&mut play);
        play.nudge("white-weapons", 700);
        play.wait(4000);
        // helm: three dice, and the ship goes where they say
        for (face, slot) in [("F1", "A"), ("FR", "B"), ("F1", "C")] {
            play.give("black", "helm");
            play.place("black", "helm", face, &format!("helm.{slot}"));
        }
        play.declare(&fire(ShipId::WHITE, 1));
        play.wait(1500);
        play.roll("weapon", "BLAST2");
        play.wait(1800);
        clean(&mut play, &[]);
        damage(&mut play);
        play.wait(4000);
        told_once(&play);
        assert_eq!(
            fouls(&play),
            Vec::<String>::new(),
            "seed {seed}\n{}",
            show(&play)
        );
        for (word, times) in [
            ("launched", 1),
            ("blast_rolled", 1),
            ("damage_announced", 1),
            ("damage_taken", 1),
            ("clean_up_done", 1),
            ("resumed", 1),
            ("helm_complete", 1),
        ] {
            assert_eq!(
                count(&play, word),
                times,
                "seed {seed}: {word}\n{}",
                show(&play)
            );
        }
        let hit = play.said.iter().any(|h| {
            matches!(&h.what, Happened::Judged { call } if call.text.contains("fire 1")
                && !call.because.is_empty())
        });
        assert!(hit, "{}", show(&play));
    }
}

#[test]
fn shields_left_standing_and_jammers_not_removed_are_found() {
    for (zone, foul) in [
        ("black.shields.1", "shields_left_standing"),
        ("black.sensors.jammer", "jammers_left"),
    ] {
        let mut play = Play::new(11);
        ready(&mut play);
        play.declare(&fire(ShipId::WHITE, 1));
        play.wait(1200);
        play.roll("weapon", "BLAST2");
        play.wait(1800);
        clean(&mut play, &[zone]);
        damage(&mut play);
        play.wait(2500);
        assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
        let at = play.now as f64 / 1000.0;
        play.declare(&act(Action::Resume));
        play.wait(1500);
        let found = play.words().into_iter().find(|(_, w)| w.contains(foul));
        let (when, words) = found.unwrap_or_else(|| panic!("{}", show(&play)));
        assert_eq!(words, format!("foul_begins {foul} {zone} must"));
        assert!(when < at + 1.0, "{when} after {at}");
        // taken off at last
        for die in play.in_zone(zone) {
            play.take(die);
        }
        play.wait(1500);
        assert_eq!(count(&play, &format!("foul_ends {foul}")), 1);
        assert_eq!(fouls(&play).len(), 1);
    }
}

#[test]
fn a_die_that_goes_to_its_right_place_costs_no_energy_again() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        play.wait(1500);
        play.give("white", "shields");
        let wrong = play.place("white", "shield", "S2", "shields.3");
        play.wait(4000);
        // the hand is still over where it lay when it already lies where it belongs
        play.hand("white.shields.3", 2200);
        play.hand("white.shields.2", 500);
        play.take(wrong);
        play.wait(300);
        play.put("shield", "S2", "white.shields.2");
        play.wait(9000);
        let accused = count(&play, "foul_begins placed_without_energy");
        assert_eq!(accused, 0, "{}", show(&play));
    }
}

#[test]
fn a_die_without_energy_is_found_and_under_a_hand_it_is_unsure() {
    for hidden in [false, true] {
        for seed in SEEDS {
            let mut play = Play::new(seed);
            play.wait(1500);
            play.give("white", "sensors");
            play.wait(8000);
            if hidden {
                play.hand("white.sensors.energy", 900);
            }
            play.hand("white.sensors.jammer", 400);
            play.put("sensor", "L2", "white.sensors.lock");
            play.wait(6000);
            let verdict = if hidden { "unsure" } else { "must" };
            let wants = format!("foul_begins placed_without_energy white.sensors.lock {verdict}");
            assert_eq!(fouls(&play), [wants], "{}", show(&play));
            // where hands hid it nobody stands accused
            let wrong = play.session.duel().expect("a game").state().wrong;
            assert_eq!(wrong.len(), usize::from(!hidden), "{wrong:?}");
            // the energy goes back late, and all is well
            let back = play.in_zone("white.sensors.energy")[0];
            play.take(back);
            play.wait(2000);
            assert_eq!(count(&play, "foul_ends"), 1, "{}", show(&play));
        }
    }
}

#[test]
fn a_ship_that_does_not_play_declares_nothing_and_what_runs_is_not_resumed() {
    let mut play = Play::new(1);
    play.wait(3000);
    let purple: ShipId = "purple".parse().expect("a name");
    play.declare(&fire(purple, 1));
    assert_eq!(count(&play, "refused"), 1, "{}", show(&play));
    assert!(show(&play).contains("purple"), "{}", show(&play));
    let why = play
        .session
        .duel()
        .expect("a game")
        .state()
        .refused
        .expect("a reason");
    assert!(why.contains("black") && why.contains("white"), "{why}");
    // nothing was stopped
    play.declare(&act(Action::Resume));
    assert_eq!(count(&play, "refused"), 2, "{}", show(&play));
    assert_eq!(count(&play, "resumed"), 0, "{}", show(&play));
}

#[test]
fn a_die_that_is_read_late_was_put_there_by_nobody() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        play.wait(8000);
        // no hand was there
        play.put("sensor", "L2", "white.sensors.lock");
        play.wait(8000);
        assert_eq!(fouls(&play), [""; 0], "{}", show(&play));
    }
}

#[test]
fn a_ship_that_moves_with_two_helm_dice_is_found() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        play.wait(1500);
        for (face, slot) in [("F1", "A"), ("F1", "B")] {
            play.give("black", "helm");
            play.place("black", "helm", face, &format!("helm.{slot}"));
        }
        play.wait(3500);
        let at = play.now as f64 / 1000.0;
        play.stand("black", [4, 3], 90.0);
        play.wait(1600);
        let words = play.words();
        let found = words.iter().find(|(_, w)| w.contains("moved_without_helm"));
        let (when, _) = found.unwrap_or_else(|| panic!("{}", show(&play)));
        assert!(*when < at + 1.3, "{when} after {at}");
        assert!(words.iter().any(|(_, w)| w == "ship_moved black"));
        play.stand("black", [4, 4], 90.0);
        play.wait(3000);
        assert_eq!(
            count(&play, "foul_ends moved_without_helm"),
            1,
            "{}",
            show(&play)
        );
        assert_eq!(count(&play, "desync"), 0);
    }
}

#[test]
fn a_ship_that_moves_as_its_dice_say_is_told_so() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        play.wait(1500);
        for (face, slot) in [("F1", "A"), ("FR", "B"), ("F1", "C")] {
            play.give("white", "helm");
            play.place("white", "helm", face, &format!("helm.{slot}"));
        }
        play.wait(1500);
        // from [4,2] north: [4,3], [4,4] and right, [5,4]; the hand rests on the way
        play.stand("white", [4, 3], -90.0);
        play.wait(1500);
        play.stand("white", [5, 4], 0.0);
        play.wait(1000);
        for slot in ["A", "B", "C"] {
            let zone = format!("white.helm.{slot}");
            play.hand(&zone, 300);
            for die in play.in_zone(&zone) {
                play.take(die);
            }
            play.wait(350);
        }
        play.wait(5000);
        assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
        let moved = play.said.iter().filter(|h| {
            matches!(h.what, Happened::ShipMoved { ship, announced: true } if ship == ShipId::WHITE)
        });
        assert_eq!(moved.count(), 1, "{}", show(&play));
        told_once(&play);
    }
}

#[test]
fn a_die_in_the_wrong_box_is_a_problem_within_a_second_until_it_is_taken_off() {
    for seed in SEEDS {
        let mut play = Play::new(seed);
        play.wait(1500);
        play.give("white", "sensors");
        play.hand("white.sensors.energy", 300);
        let back = play.in_zone("white.sensors.energy")[0];
        play.take(back);
        play.wait(400);
        let at = play.now as f64 / 1000.0;
        let die = play.put("sensor", "J1", "white.sensors.lock");
        play.wait(2500);
        let words = play.words();
        let wants = "problem_begins die_in_wrong_zone white.sensors.lock";
        let found = words.iter().find(|(_, w)| w == wants);
        let (when, _) = found.unwrap_or_else(|| panic!("{}", show(&play)));
        assert!(*when < at + 1.0, "{when} after {at}");
        play.take(die);
        play.wait(2000);
        assert_eq!(count(&play, "problem_ends"), 1);
        assert_eq!(fouls(&play), [wants]);
    }
}

#[test]
fn a_person_has_the_last_word_until_the_table_shows_something_else() {
    let mut play = Play::new(3);
    play.wait(1500);
    play.give("white", "sensors");
    let die = play.place("white", "sensor", "L1", "sensors.lock");
    play.wait(2000);
    let lock = |play: &Play| {
        let position = play.session.duel().and_then(|d| d.position().cloned());
        let ship = position.expect("a table").ship(ShipId::WHITE).cloned();
        ship.expect("white").lock().span().to_string()
    };
    assert_eq!(lock(&play), "1");
    let correction: Action = serde_json::from_str(
        r#"{"correct": {"dice": {"ship": "white", "spot": "sensors.lock", "dice": ["L2"]}}}"#,
    )
    .expect("a correction");
    play.declare(&act(correction));
    play.wait(1000);
    assert_eq!(lock(&play), "2");
    // a shadow, and a hand that passes, end nothing
    play.hand("white.sensors.lock", 1500);
    play.wait(4000);
    assert_eq!(lock(&play), "2");
    assert_eq!(count(&play, "correction_ends"), 0);
    play.take(die);
    play.wait(2500);
    assert_eq!(lock(&play), "0");
    assert_eq!(count(&play, "correction_ends"), 1);
}

#[test]
fn a_ship_that_is_carried_off_is_a_desync_and_the_game_goes_on_from_what_is_picked() {
    for pick in [
        Some(Declaration::TakeTable),
        Some(Declaration::TakeRecord),
        None,
    ] {
        let mut play = Play::new(5);
        play.wait(1500);
        play.stand("black", [6, 4], 90.0);
        play.wait(1500);
        assert_eq!(count(&play, "desync"), 0);
        play.wait(1500);
        assert_eq!(count(&play, "desync"), 1, "{}", show(&play));
        let square = |play: &Play| {
            let record = play.session.duel().and_then(|d| d.record().cloned());
            let ship = record.expect("a record").ship(ShipId::BLACK).cloned();
            ship.and_then(|s| s.square().known().map(ToString::to_string))
        };
        assert_eq!(square(&play).as_deref(), Some("[4,4]"));
        if let Some(pick) = &pick {
            play.declare(pick);
        } else {
            play.wait(4000);
        }
        let wants = if pick == Some(Declaration::TakeRecord) {
            "[4,4]"
        } else {
            "[6,4]"
        };
        assert_eq!(square(&play).as_deref(), Some(wants), "{pick:?}");
        play.wait(8000);
        assert_eq!(square(&play).as_deref(), Some(wants), "{pick:?}");
        assert_eq!(count(&play, "desync"), 1);
    }
}

#[test]
fn the_next_freeze_is_the_claimants_and_a_declaration_can_be_taken_back() {
    let mut play = Play::new(8);
    ready(&mut play);
    play.declare(&fire(ShipId::WHITE, 1));
    play.wait(1500);
    assert_eq!(count(&play, "launched"), 1, "{}", show(&play));
    let record = |play: &Play| play.session.duel().and_then(|d| d.record().cloned());
    assert!(record(&play).expect("a record").flow().stop.is_some());
    play.declare(&Declaration::Undo);
    assert!(record(&play).expect("a record").flow().is_running());
    play.wait(500);
    play.declare(&fire(ShipId::WHITE, 1));
    play.wait(1500);
    play.declare(&act(Action::Claim {
        ship: ShipId::BLACK,
        freeze: Freeze::Fire,
    }));
    assert_eq!(count(&play, "claimed"), 1, "{}", show(&play));
    play.roll("weapon", "BLAST2");
    play.wait(1800);
    clean(&mut play, &[]);
    damage(&mut play);
    play.wait(1500);
    assert_eq!(count(&play, "resumed"), 1, "{}", show(&play));
    // white would fire again: black has claimed it
    play.declare(&fire(ShipId::WHITE, 1));
    play.wait(200);
    let refused = |h: &&sightline::session::Happening| matches!(h.what, Happened::Refused { .. });
    let last = play.said.iter().rev().find(refused);
    assert!(
        last.is_some_and(|h| h.text.contains("black")),
        "{}",
        show(&play)
    );
}

#[test]
fn a_tractor_beam_is_judged_and_the_push_is_read_from_the_table() {
    let mut play = Play::new(21);
    play.wait(1500);
    for face in ["T1", "T1", "T2"] {
        play.give("white", "tractor");
        play.place("white", "tractor", face, "tractor.beam");
    }
    play.wait(1500);
    play.declare(&Declaration::Tractor {
        ship: ShipId::WHITE,
        target: None,
    });
    play.wait(1000);
    play.stand("black", [5, 5], 90.0);
    play.wait(1500);
    for die in play.in_zone("white.tractor.beam") {
        play.take(die);
    }
    play.wait(3000);
    assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
    for word in ["ship_moved black", "clean_up_done", "resumed"] {
        assert_eq!(count(&play, word), 1, "{word}\n{}", show(&play));
    }
}

#[test]
fn a_crystal_pays_for_a_die_and_a_mine_is_laid() {
    let mut play = Play::new(22);
    let crystal = play.crystal("white.crystals");
    let mine = play.token("mine-white mine", "white.tractor.rest");
    play.wait(2500);
    // no energy, but a crystal
    play.put("tractor", "MINE_A", "white.tractor.mine-A");
    play.wait(900);
    play.lay(crystal, "board.used-crystals");
    play.wait(6000);
    assert_eq!(count(&play, "crystal_moved"), 1, "{}", show(&play));
    play.lay(mine, "board[4,2]");
    play.wait(1500);
    for die in play.in_zone("white.tractor.mine-A") {
        play.take(die);
    }
    play.wait(4000);
    assert_eq!(count(&play, "mine_laid"), 1, "{}", show(&play));
    assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
}

#[test]
fn a_jump_is_paid_rolled_and_made() {
    let mut play = Play::new(23);
    let crystal = play.crystal("white.crystals");
    play.wait(2500);
    play.declare(&act(Action::Warp {
        ship: ShipId::WHITE,
    }));
    play.wait(600);
    play.lay(crystal, "board.used-crystals");
    for die in play.in_zone("white.engineering.pool").into_iter().take(2) {
        play.take(die);
    }
    play.roll("energy", "3");
    play.roll("energy", "6");
    play.wait(2500);
    // the third crystal square
    play.stand("white", [7, 5], -90.0);
    play.wait(3000);
    assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
    assert_eq!(count(&play, "ship_moved white"), 1, "{}", show(&play));
    assert_eq!(count(&play, "resumed"), 1, "{}", show(&play));
}

#[test]
fn a_seventh_weapon_die_is_said_to_be_one_too_many() {
    let mut play = Play::new(24);
    play.wait(1500);
    let slots = ["front-1.nose", "front-1.body", "front-1.tail"];
    let more = ["rear-1.nose", "rear-1.body", "rear-1.tail", "front-2.nose"];
    let mut last = 0;
    for slot in slots.iter().chain(&more) {
        let face = slot.rsplit('.').next().expect("a part").to_uppercase();
        if *slot != "front-2.nose" {
            play.give("white", "weapons");
            play.place("white", "weapon", &face, &format!("weapons.{slot}"));
        } else {
            play.wait(3000);
            assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
            last = play.put("weapon", &face, "white.weapons.front-2.nose");
            play.wait(1000);
        }
    }
    let wants = "foul_begins one_too_many white.weapons.front-2.nose unsure";
    assert_eq!(fouls(&play), [wants], "{}", show(&play));
    // the six others count
    let position = play.session.duel().and_then(|d| d.position().cloned());
    let white = position
        .and_then(|p| p.ship(ShipId::WHITE).cloned())
        .expect("white");
    let tube: sightline::rules::dice_duel::Tube = "front-1".parse().expect("a tube");
    assert_eq!(white.loaded(tube), Some(true));
    play.take(last);
    play.wait(1500);
    assert_eq!(count(&play, "foul_ends one_too_many"), 1, "{}", show(&play));
}

#[test]
fn dice_that_a_hand_still_covers_are_not_counted_with_those_it_has_put_down() {
    let mut play = Play::new(25);
    play.wait(1500);
    let pool = play.in_zone("white.engineering.pool");
    // the other hand puts down two of the six while the one over the pool has not gone
    play.hand("white.engineering.pool", 4000);
    play.wait(600);
    for die in pool.into_iter().take(2) {
        play.take(die);
        play.put("energy", "2", "white.sensors.energy");
        play.wait(900);
    }
    play.wait(4000);
    assert_eq!(fouls(&play), Vec::<String>::new(), "{}", show(&play));
}

#[test]
fn what_the_page_shows_can_be_declared_and_every_happening_is_a_line() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/game.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let shown = page.lines().filter(|l| l.starts_with("    {\"declare\""));
    let read = shown.map(|l| serde_json::from_str::<Declaration>(l.trim()).expect(l));
    assert!(read.count() >= 7);
    let mut play = Play::new(3);
    play.wait(1500);
    play.put("sensor", "J1", "white.sensors.lock");
    play.wait(1500);
    assert!(!play.said.is_empty());
    for said in &play.said {
        let line = sightline::session::Line::Game(said.clone());
        let line = serde_json::to_value(line).expect("JSON");
        assert_eq!(line["type"], "game");
        for key in ["at_s", "text", "happened", "frame", "crop"] {
            assert!(!line[key].is_null(), "no {key} in {line}");
        }
        let kind = line["happened"].as_str().unwrap_or_default();
        assert!(
            page.contains(&format!("`{kind}`")),
            "{kind} is not on the page"
        );
    }
    for event in &play.events {
        let line = sightline::session::Line::Event(event.clone());
        let line = serde_json::to_value(line).expect("JSON");
        assert_eq!(line["type"], "event");
        assert!(
            line["crop"].is_array() && line["zone"].is_string(),
            "{line}"
        );
    }
}
