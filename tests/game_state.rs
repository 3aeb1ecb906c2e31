//! What the window and the pages show of a game, step by step through a launch.
#![allow(clippy::expect_used, clippy::panic)]

mod table_script;

use sightline::{
    rules::dice_duel::{Action, Correction, Faces, Facing, Freeze, Half, ShipId, Square, Symbol},
    rules::{Place, Verdict},
    session::{Choice, Declaration, GameState, Happened},
};
use table_script::Play;

fn state(play: &Play) -> GameState {
    play.session.duel().expect("a game").state()
}

fn act(action: Action) -> Declaration {
    Declaration::Do {
        action: Box::new(action),
    }
}

fn has(choices: &[Choice], of: impl Fn(&Action) -> bool) -> bool {
    choices.iter().any(|c| of(&c.action))
}

/// Puts dice down: kind, face, zone.
fn lay(play: &mut Play, dice: &[(&str, &str, &str)]) {
    for (kind, face, zone) in dice {
        play.put(kind, face, zone);
    }
}

#[test]
fn a_launch_is_shown_from_the_loaded_tube_to_the_last_die_taken_off() {
    let mut play = Play::new(3);
    play.wait(1500);
    lay(
        &mut play,
        &[
            ("weapon", "NOSE", "white.weapons.front-1.nose"),
            ("weapon", "BODY", "white.weapons.front-1.body"),
            ("weapon", "TAIL", "white.weapons.front-1.tail"),
            ("sensor", "L2", "white.sensors.lock"),
            ("sensor", "L1", "white.sensors.lock"),
            ("shield", "S1", "black.shields.1"),
        ],
    );
    play.wait(2500);
    let game = state(&play);
    let white = game
        .ships
        .iter()
        .find(|s| s.ship == ShipId::WHITE)
        .expect("white");
    assert_eq!(white.square, Some(Square { x: 4, y: 2 }));
    assert_eq!(white.lock.value(), Some(3));
    assert_eq!(white.loaded.len(), 1);
    let lock = white
        .places
        .iter()
        .find(|p| p.zone.to_string() == "white.sensors.lock");
    let mut lock = lock.expect("dice lie there").dice.clone();
    lock.sort();
    assert_eq!(lock, ["L1", "L2"]);
    let black = game
        .ships
        .iter()
        .find(|s| s.ship == ShipId::BLACK)
        .expect("black");
    let shields: u16 = black.shields.iter().filter_map(|s| s.value()).sum();
    assert_eq!(shields, 1);
    assert!(game.stopped.is_none() && game.to_do.is_empty() && game.choices.is_empty());

    play.declare(&Declaration::Fire {
        ship: ShipId::WHITE,
        torpedoes: 1,
        target: None,
    });
    play.wait(500);
    let game = state(&play);
    assert_eq!(game.stopped.map(|s| s.freeze), Some(Freeze::Fire));
    let to_roll = "white rolls a weapon die (read in a tray; else press what it shows)";
    assert_eq!(game.to_do, [to_roll]);
    assert!(has(&game.choices, |a| matches!(a, Action::Blast { .. })));
    let mut left: Vec<String> = game.clean_up.iter().map(ToString::to_string).collect();
    left.sort();
    assert!(left.contains(&"white.sensors.lock".to_owned()), "{left:?}");

    let judged = game.judged.expect("the verdict is shown");
    assert_eq!(judged.verdict, sightline::rules::Verdict::Hit);
    assert!(
        judged.text.starts_with("white: fire 1 at black: hit"),
        "{}",
        judged.text
    );
    assert!(judged.because.len() > 3);

    play.roll("weapon", "BLAST2");
    play.wait(1800);
    let game = state(&play);
    assert_eq!(game.to_do, ["black: energy dice to the damage display: 1"]);
    // what is taken off leaves the list
    for die in play.in_zone("white.sensors.lock") {
        play.take(die);
    }
    play.wait(1500);
    let game = state(&play);
    assert!(
        game.clean_up
            .iter()
            .all(|z| z.to_string() != "white.sensors.lock")
    );
    assert!(game.stopped.is_some());
    // a choice that is shown can be declared as it stands
    let damage = game
        .choices
        .iter()
        .find(|c| matches!(c.action, Action::Damage { .. }));
    let damage = damage.expect("the damage can be said").action.clone();
    play.declare(&act(damage));
    let refused = |h: &&sightline::session::Happening| matches!(h.what, Happened::Refused { .. });
    assert_eq!(play.said.iter().find(refused), None);
    assert!(state(&play).to_do.is_empty());
}

/// Where no miniature is seen, a person says where it stands.
#[test]
fn a_ship_stands_where_somebody_clicked() {
    let mut play = Play::without_miniatures(5);
    play.wait(1500);
    assert!(state(&play).ships.iter().all(|s| s.square.is_none()));
    for (ship, y, facing) in [(ShipId::WHITE, 2, Facing::N), (ShipId::BLACK, 4, Facing::S)] {
        play.declare(&act(Action::Correct(Correction::Stand {
            ship,
            square: Place::Known(Square { x: 4, y }),
            facing: Place::Known(facing),
            half: Place::Known(Half::Whole),
        })));
    }
    play.wait(500);
    let game = state(&play);
    assert!(
        game.ships.iter().all(|s| s.square.is_some()),
        "{:?}",
        game.ships
    );
    play.declare(&Declaration::Fire {
        ship: ShipId::WHITE,
        torpedoes: 1,
        target: None,
    });
    play.wait(1500);
    let judged = play.said.iter().find_map(|h| match &h.what {
        Happened::Judged { call } => Some(call),
        _ => None,
    });
    let judged = judged.expect("judged");
    assert_eq!(judged.text, "white: fire 1 at black: cannot");
    let why = format!("{:?}", judged.because);
    assert!(why.contains("front arc") && why.contains("loaded"), "{why}");
}

fn stand(ship: ShipId, square: [i16; 2], facing: Facing) -> Declaration {
    act(Action::Correct(Correction::Stand {
        ship,
        square: Place::Known(Square::new(square[0], square[1])),
        facing: Place::Known(facing),
        half: Place::Known(Half::Whole),
    }))
}

/// A square that was clicked is where the ship stood then: it moves on from there.
#[test]
fn a_ship_that_was_clicked_moves_on_by_its_dice() {
    let mut play = Play::without_miniatures(7);
    play.wait(1500);
    play.declare(&stand(ShipId::WHITE, [4, 2], Facing::N));
    play.declare(&stand(ShipId::BLACK, [0, 7], Facing::S));
    for (face, slot) in [("F1", "A"), ("FR", "B"), ("F1", "C")] {
        play.put("helm", face, &format!("white.helm.{slot}"));
    }
    play.wait(2500);
    let game = state(&play);
    let goes = Action::Move {
        ship: ShipId::WHITE,
    };
    assert!(has(&game.choices, |a| *a == goes), "{:?}", game.choices);
    play.declare(&act(goes));
    play.wait(4000);
    let game = state(&play);
    let white = game
        .ships
        .iter()
        .find(|s| s.ship == ShipId::WHITE)
        .expect("white");
    // from [4,2] north: [4,3], [4,4] and right, [5,4]
    assert_eq!(white.square, Some(Square::new(5, 4)));
    assert_eq!(white.facing, Some(Facing::E));
}

/// The moment is that of the first declaration, and nobody's is lost over another's.
#[test]
fn what_is_being_judged_is_not_replaced() {
    let mut play = Play::new(9);
    play.wait(1500);
    lay(
        &mut play,
        &[
            ("weapon", "NOSE", "white.weapons.front-1.nose"),
            ("weapon", "BODY", "white.weapons.front-1.body"),
            ("weapon", "TAIL", "white.weapons.front-1.tail"),
            ("sensor", "L2", "white.sensors.lock"),
            ("sensor", "L2", "white.sensors.lock"),
        ],
    );
    play.wait(2500);
    play.hand("white.weapons.front-1.nose", 5000);
    play.wait(200);
    let fire = |ship| Declaration::Fire {
        ship,
        torpedoes: 1,
        target: None,
    };
    play.declare(&fire(ShipId::WHITE));
    assert_eq!(
        state(&play).declared.as_deref(),
        Some("white: fire 1 at black")
    );
    let before = play.said.len();
    play.declare(&fire(ShipId::WHITE));
    assert_eq!(play.said.len(), before);
    play.declare(&fire(ShipId::BLACK));
    let refused = state(&play).refused.expect("it is refused");
    assert!(refused.contains("white: fire 1 at black"), "{refused}");
    assert_eq!(
        state(&play).declared.as_deref(),
        Some("white: fire 1 at black")
    );
}

/// A launch that nobody could judge is still open when another is refused, and is said to be left when another is made.
#[test]
fn what_nobody_could_judge_stays_open_until_something_is_done() {
    let mut play = Play::new(8);
    play.wait(1500);
    lay(
        &mut play,
        &[
            ("weapon", "BODY", "white.weapons.front-1.body"),
            ("weapon", "TAIL", "white.weapons.front-1.tail"),
            ("sensor", "L2", "white.sensors.lock"),
            ("sensor", "L2", "white.sensors.lock"),
        ],
    );
    play.hand("white.weapons.front-1.nose", 30_000);
    play.wait(2500);
    let fire = |ship| Declaration::Fire {
        ship,
        torpedoes: 1,
        target: None,
    };
    let whites = "white: fire 1 at black";
    play.declare(&fire(ShipId::WHITE));
    play.wait(2000);
    let game = state(&play);
    assert_eq!(game.judged.map(|c| c.verdict), Some(Verdict::Unsure));
    assert_eq!(game.takes_back.as_deref(), Some(whites));
    // nothing is loaded
    play.declare(&fire(ShipId::BLACK));
    play.wait(500);
    let game = state(&play);
    assert_eq!(game.judged.map(|c| c.verdict), Some(Verdict::Cannot));
    assert_eq!(game.declared.as_deref(), Some(whites));
    // after a while what is open is what is shown again
    play.wait(10_000);
    let game = state(&play);
    let judged = game.judged.expect("a verdict");
    assert_eq!(judged.verdict, Verdict::Unsure);
    assert!(judged.text.starts_with(whites), "{}", judged.text);
    for part in ["nose", "body", "tail"] {
        let zone = format!("black.weapons.front-1.{part}");
        play.put("weapon", &part.to_uppercase(), &zone);
    }
    play.wait(2500);
    play.declare(&fire(ShipId::BLACK));
    play.wait(500);
    let game = state(&play);
    assert_eq!(game.stopped.map(|c| c.ship), Some(ShipId::BLACK));
    assert_eq!(game.declared, None);
    let left: Vec<&str> = play
        .said
        .iter()
        .filter(|h| matches!(h.what, Happened::LeftUnsettled { .. }))
        .map(|h| h.text.as_str())
        .collect();
    assert_eq!(left, ["never settled: white: fire 1 at black"]);
}

/// Of two that nobody could judge the last is open; and nothing is so for ever.
#[test]
fn one_declaration_is_open_at_a_time_and_not_for_ever() {
    let mut play = Play::new(8);
    play.wait(1500);
    for ship in ["white", "black"] {
        for part in ["nose", "body"] {
            let zone = format!("{ship}.weapons.front-1.{part}");
            play.put("weapon", &part.to_uppercase(), &zone);
        }
        play.put("sensor", "L2", &format!("{ship}.sensors.lock"));
        play.put("sensor", "L2", &format!("{ship}.sensors.lock"));
        play.hand(&format!("{ship}.weapons.front-1.tail"), 120_000);
    }
    play.wait(2500);
    let left = |play: &Play| -> Vec<String> {
        let said = play.said.iter();
        let left = said.filter(|h| matches!(h.what, Happened::LeftUnsettled { .. }));
        left.map(|h| h.text.clone()).collect()
    };
    for ship in [ShipId::WHITE, ShipId::BLACK] {
        play.declare(&Declaration::Fire {
            ship,
            torpedoes: 1,
            target: None,
        });
        play.wait(2000);
        let judged = state(&play).judged.expect("a verdict");
        assert_eq!(judged.verdict, Verdict::Unsure, "{}", judged.text);
    }
    assert_eq!(left(&play), ["never settled: white: fire 1 at black"]);
    play.wait(60_000);
    assert_eq!(left(&play).len(), 2);
    assert_eq!(state(&play).declared, None);
}

#[test]
fn a_correction_is_taken_back_like_any_other_word() {
    let mut play = Play::new(4);
    play.wait(1500);
    play.put("sensor", "L1", "white.sensors.lock");
    play.wait(2000);
    let lock = |play: &Play| {
        let game = state(play);
        let white = game.ships.into_iter().find(|s| s.ship == ShipId::WHITE);
        white.expect("white").lock.value()
    };
    assert_eq!(lock(&play), Some(1));
    let spot = "sensors.lock".parse().expect("a spot");
    play.declare(&act(Action::Correct(Correction::Dice {
        ship: ShipId::WHITE,
        spot,
        dice: vec![Faces::one(Symbol::Lock2)],
    })));
    play.wait(400);
    assert_eq!(lock(&play), Some(2));
    let by_hand = |play: &Play| -> Vec<String> {
        let words = state(play).by_hand.into_iter();
        words.map(|w| format!("{} {}", w.at, w.text)).collect()
    };
    assert_eq!(
        by_hand(&play),
        ["white.sensors.lock white sensors.lock: L2"]
    );
    let said = "corrected: white sensors.lock: L2 (read: L1)";
    assert!(play.said.iter().any(|h| h.text == said), "{:?}", play.said);
    play.declare(&Declaration::Undo);
    play.wait(400);
    assert_eq!(lock(&play), Some(1));
    assert!(by_hand(&play).is_empty());
    play.declare(&act(Action::Correct(Correction::Dice {
        ship: ShipId::WHITE,
        spot,
        dice: vec![],
    })));
    play.wait(400);
    let nothing = "white.sensors.lock white sensors.lock: nothing";
    assert_eq!(by_hand(&play), [nothing]);
}

/// A recording ends while a hand hides what was declared: nothing more will be seen of it.
#[test]
fn what_no_later_picture_can_tell_is_unsure_at_once() {
    let mut play = Play::new(6);
    play.wait(1500);
    lay(
        &mut play,
        &[
            ("weapon", "BODY", "white.weapons.front-1.body"),
            ("weapon", "TAIL", "white.weapons.front-1.tail"),
            ("sensor", "L2", "white.sensors.lock"),
            ("sensor", "L2", "white.sensors.lock"),
        ],
    );
    play.hand("white.weapons.front-1.nose", 9000);
    play.wait(2500);
    play.declare(&Declaration::Fire {
        ship: ShipId::WHITE,
        torpedoes: 1,
        target: None,
    });
    play.wait(80);
    let waits = |play: &Play| (state(play).declared.is_some(), state(play).judged.is_some());
    assert_eq!(waits(&play), (true, false));
    let duel = play.session.duel_mut().expect("a duel");
    duel.end();
    assert!(duel.waits());
    play.wait(40);
    let judged = state(&play).judged.expect("a verdict");
    assert_eq!(judged.verdict, Verdict::Unsure);
    // the players settle it, and take that back: the verdict is what it was
    play.declare(&act(Action::Resume));
    play.wait(40);
    play.declare(&Declaration::Undo);
    play.wait(40);
    assert_eq!(state(&play).judged, Some(judged));
    let told = "taken back: the play goes on";
    assert!(play.said.iter().any(|h| h.text == told), "{:?}", play.said);
    assert!(!play.session.duel().expect("a duel").waits());
}

/// Of a ship whose nose may be its tail the square is known, and that it moves; not how it faces.
#[test]
fn a_ship_whose_nose_is_doubted_stands_in_its_square() {
    let mut play = Play::new(5);
    play.doubted = Some("black");
    play.wait(2500);
    let black = |play: &Play| {
        let game = state(play);
        let ship = game
            .ships
            .into_iter()
            .find(|s| s.ship.to_string() == "black");
        let ship = ship.expect("black");
        (ship.square, ship.facing)
    };
    assert_eq!(black(&play), (Some(Square { x: 4, y: 4 }), None));
    let before = play.words().len();
    play.stand("black", [5, 4], 90.0);
    play.wait(4000);
    assert_eq!(black(&play), (Some(Square { x: 5, y: 4 }), None));
    let words = play.words().split_off(before);
    let entered = words.iter().filter(|(_, w)| w.starts_with("entered"));
    assert_eq!(
        entered.count(),
        1,
        "not whenever its nose is seen behind: {words:?}"
    );
    play.doubted = None;
    play.wait(1500);
    let south = (Some(Square { x: 5, y: 4 }), Some(Facing::S));
    assert_eq!(black(&play), south);
    // what was known of it is not forgotten, be its nose seen behind or before
    play.doubted = Some("black");
    play.wait(2500);
    assert_eq!(black(&play), south);
    // but that it may have been turned by a quarter is seen
    play.stand("black", [5, 4], 0.0);
    play.wait(2500);
    assert_eq!(black(&play), (Some(Square { x: 5, y: 4 }), None));
    // and where it was before it does not face as it did then
    play.stand("black", [4, 4], 90.0);
    play.wait(4000);
    play.stand("black", [5, 4], 90.0);
    play.wait(4000);
    assert_eq!(black(&play), (Some(Square { x: 5, y: 4 }), None));
}

/// Somebody says where a ship faces whose nose cannot be told from its tail: until it stands elsewhere.
#[test]
fn a_click_says_where_a_ship_faces_whose_nose_is_doubted() {
    let mut play = Play::new(5);
    play.doubted = Some("black");
    play.wait(2500);
    play.declare(&stand(ShipId::BLACK, [4, 4], Facing::S));
    play.wait(2500);
    let black = |play: &Play| {
        let game = state(play);
        let mut ships = game.ships.iter();
        let black = ships.find(|s| s.ship == ShipId::BLACK).expect("black");
        (black.square, black.facing)
    };
    let south = Some(Facing::S);
    assert_eq!(black(&play), (Some(Square::new(4, 4)), south));
    play.stand("black", [5, 4], 0.0);
    play.wait(4000);
    assert_eq!(black(&play), (Some(Square::new(5, 4)), None));
}
