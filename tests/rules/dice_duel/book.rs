//! The rule book, section by section, played out in its own words: what each test expects was
//! read in the rule text and in facts.md, not in the code.

// A test that cannot go on should stop at the line that says why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::field_reassign_with_default
)]

use sightline::rules::dice_duel::*;
use sightline::rules::{Fault as _, Place, Span, Verdict};

fn on(print: &Print, text: &str) -> Position {
    let setup: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    setup.resolve(print).0
}

fn read(text: &str) -> Position {
    on(&Print::default(), text)
}

/// The position after these actions.
fn play(position: &Position, actions: &[&str]) -> Position {
    actions.iter().fold(position.clone(), |position, text| {
        let action: Action = text.parse().unwrap_or_else(|e| panic!("{e}"));
        match position.play(&action) {
            Ok((after, _)) => after,
            Err(refused) => panic!("{text}: {}\n{}", refused.because, refused.position),
        }
    })
}

/// Why an action is refused.
fn refused(position: &Position, text: &str) -> String {
    let action: Action = text.parse().unwrap_or_else(|e| panic!("{e}"));
    match position.clone().play(&action) {
        Ok(_) => panic!("{text}: accepted\n{position}"),
        Err(refused) => {
            assert_eq!(&refused.position, position, "handed back unchanged");
            refused.because.to_string()
        }
    }
}

fn may(position: &Position, text: &str) -> bool {
    let action: Action = text.parse().unwrap_or_else(|e| panic!("{e}"));
    let may = position.is_legal(&action);
    assert_eq!(position.legal_actions().contains(&action), may, "{text}");
    may
}

fn call(position: &Position, what: &str) -> Call {
    let what: What = what.parse().unwrap_or_else(|e| panic!("{e}"));
    position.call(what).expect("something to call")
}

fn verdict(position: &Position, what: &str) -> Verdict {
    call(position, what).verdict
}

fn ship<'a>(position: &'a Position, id: &str) -> &'a Ship {
    position.ship(id.parse().unwrap()).unwrap()
}

fn stands(position: &Position, id: &str) -> String {
    ship(position, id).placement().unwrap().to_string()
}

/// What lies in a zone such as `white.sensors.lock`.
fn dice(position: &Position, zone: &str) -> String {
    let Zone::On(id, spot) = zone.parse().unwrap() else {
        panic!("{zone}");
    };
    position.ship(id).unwrap().dice(spot).to_string()
}

fn words<T: std::fmt::Display>(of: &[T]) -> Vec<String> {
    of.iter().map(|t| t.to_string()).collect()
}

fn loaded(tubes: &[&str]) -> String {
    let tube = |t| {
        format!("  weapons.{t}.nose: NOSE\n  weapons.{t}.body: BODY\n  weapons.{t}.tail: TAIL\n")
    };
    tubes.iter().map(|t| tube(*t)).collect()
}

fn helm(a: &str, b: &str, c: &str) -> String {
    format!("  helm.A: {a}\n  helm.B: {b}\n  helm.C: {c}\n")
}

/// An 8-row map from the rows that are not empty, counted from the bottom.
fn map(rows: &[(i16, &str)]) -> String {
    let row = |y: i16| rows.iter().find(|(at, _)| *at == y).map(|(_, r)| *r);
    (0..8i16)
        .rev()
        .map(|y| format!("{}\n", row(y).unwrap_or(". . . . . . . . . .")))
        .collect()
}

fn tiles() -> Print {
    let mut print = Print::default();
    print.options.original_tiles = true;
    print
}

// ---------------------------------------------------------------------------------------------
// Action timing

/// Both sides ready for everything.
fn ready() -> Position {
    read(&format!(
        "white [4,2] N\n  crystals 2\n  engineering.pool: 1 2 3\n{0}  sensors.lock: L2 L2\n  tractor.beam: T2 T2\n\
         black [4,4] S\n  crystals 2\n  engineering.pool: 1 2 3\n{0}  sensors.lock: L2 L2\n  tractor.beam: T2 T2\n",
        loaded(&["front-1"])
    ))
}

/// Each of the three freeze actions, up to the point where play may go on.
const FREEZES: [(&str, &[&str]); 3] = [
    (
        "fire",
        &[
            "white: fire 1 at black (front-1)",
            "black: energy die from engineering.pool to damage",
        ],
    ),
    ("tractor", &["white: tractor black to [5,5]"]),
    (
        "warp",
        &[
            "white: Warp Jump",
            "rolled for the jump: 1 and 2",
            "jumps to square 1",
        ],
    ),
];

#[test]
fn the_other_side_may_claim_the_next_freeze_at_any_time_during_each() {
    for (name, actions) in FREEZES {
        for stop in 1..=actions.len() {
            let stopped = play(&ready(), &actions[..stop]);
            assert_eq!(stopped.flow().stop.unwrap().freeze.to_string(), name);
            // The side that froze the play has no claim on the next freeze, the other has.
            for next in ["fire", "tractor", "warp"] {
                assert!(!may(
                    &stopped,
                    &format!("white: claims the next action, {next}")
                ));
                assert!(may(
                    &stopped,
                    &format!("black: claims the next action, {next}")
                ));
            }
            // Nothing else is done meanwhile.
            assert!(!may(&stopped, "black: fire 1 at white (front-1)"));
            assert!(!may(&stopped, "white: Energy Surge"));
            assert!(!may(&stopped, "black: energy die 1 to its station"));
        }
    }
}

#[test]
fn a_claim_comes_first_and_then_both_are_free_again() {
    let (_, fire) = FREEZES[0];
    let claimed = play(&ready(), &fire[..1]);
    let claimed = play(&claimed, &["black: claims the next action, fire"]);
    let free = play(&claimed, &[fire[1], "the play goes on"]);
    // White wants to jump away, and has to let black fire first.
    assert!(!may(&free, "white: Warp Jump"));
    assert!(!may(&free, "black: Warp Jump"), "fire was claimed");
    let fired = play(
        &free,
        &[
            "black: fire 1 at white (front-1)",
            "white: energy die from engineering.pool to damage",
            "the play goes on",
        ],
    );
    assert!(may(&fired, "white: Warp Jump"));
    assert!(
        may(&fired, "black: Warp Jump"),
        "either may declare as normal"
    );
    // Who no longer wants to may say so.
    assert!(may(
        &play(&free, &["the claim is given up"]),
        "white: Warp Jump"
    ));
}

#[test]
fn the_second_ship_of_a_side_claims_for_its_side_and_in_a_free_for_all_anybody_else_does() {
    let four = |teams: bool| {
        let team = |t: &str| {
            if teams {
                format!("  team {t}\n")
            } else {
                String::new()
            }
        };
        read(&format!(
            "white [4,2] N\n{}{}  sensors.lock: L2\nblack [4,4] S\nwhite-2 [5,2] N\n{}black-2 [5,4] S\n{}",
            team("white"),
            loaded(&["front-1"]),
            team("white"),
            team("black"),
        ))
    };
    let claim = |id: &str| format!("{id}: claims the next action, fire");
    let sides = play(&four(true), &["white: fire 1 at black (front-1)"]);
    assert!(may(&sides, &claim("black-2")));
    assert!(!may(&sides, &claim("white-2")));
    let all = play(&four(false), &["white: fire 1 at black (front-1)"]);
    assert!(may(&all, &claim("white-2")));
    assert!(!may(&all, &claim("white")));
}

// ---------------------------------------------------------------------------------------------
// Multiple ships per side

#[test]
fn with_two_ships_a_side_the_target_is_announced_and_only_it_is_hit() {
    let position = read(&format!(
        "white [4,2] N\n  team white\n  crystals 1\n{}  sensors.lock: L2\n\
         white-2 [3,2] N\n  team white\n  tractor.beam: T2 T2 T2\n\
         black [4,4] N\n  team black\n  sensors.jammer: J1\n  shields.3: S3\n\
         black-2 [5,4] N\n  team black\n  sensors.jammer: J1\n  shields.3: S3\n",
        loaded(&["front-1"])
    ));
    // Range 2 and a jammer: need 3, lock 2. The launch is declared at one of the two.
    let at = |id: &str| format!("white: fire 1 at {id}");
    assert_eq!(verdict(&position, &at("black")), Verdict::Miss);
    let after = play(&position, &["white: fire 1 at black (front-1)"]);
    assert_eq!(dice(&after, "black.sensors.jammer"), "", "aimed at");
    assert_eq!(dice(&after, "black-2.sensors.jammer"), "J1", "not aimed at");
    assert!(refused(&position, "white: fire 1 at white-2 (front-1)").contains("same side"));
    // A friend may be towed, also by a ship that has no crystal; crystals are a ship's own.
    assert!(may(&position, "white-2: tractor white to [5,3]"));
    assert!(may(&position, "white: Warp Jump"));
    assert!(!may(&position, "white-2: Warp Jump"));
}

#[test]
fn a_free_for_all_starts_in_the_corners_and_is_won_by_the_last() {
    let print = Print::default();
    let (position, problems) = Setup::start(&print, Lineup::FreeForAll).resolve(&print);
    assert_eq!(problems, []);
    let mut corners = words(
        &position
            .ships()
            .iter()
            .map(|s| *s.square().known().unwrap())
            .collect::<Vec<Square>>(),
    );
    corners.sort();
    assert_eq!(corners, ["[0,0]", "[0,7]", "[9,0]", "[9,7]"]);
    for a in position.ships() {
        for b in position.ships().iter().filter(|b| b.id() != a.id()) {
            assert_ne!(a.team(), b.team());
            let targets = format!("{}: fire 1 at {}", a.id(), b.id());
            assert!(
                position
                    .calls()
                    .iter()
                    .any(|c| c.what.to_string() == targets)
            );
        }
    }
    let gone = |ids: &[&str]| {
        let told: Vec<String> = ids
            .iter()
            .map(|id| format!("corrected: {id} damage 4 dice 0 crystals"))
            .collect();
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        play(&position, &told).winner().map(|w| w.to_string())
    };
    assert_eq!(gone(&["black", "white-2"]), None, "two are left");
    assert_eq!(gone(&["black", "white-2", "white"]), Some("black-2".into()));
}

#[test]
fn the_second_ship_of_a_side_starts_beside_the_first_in_its_row() {
    let print = Print::default();
    let (position, problems) = Setup::start(&print, Lineup::TwoASide).resolve(&print);
    assert_eq!(problems, []);
    for (first, second) in [("white", "white-2"), ("black", "black-2")] {
        let (a, b) = (ship(&position, first), ship(&position, second));
        assert_eq!(a.team(), b.team());
        let (a, b) = (a.square().known().unwrap(), b.square().known().unwrap());
        assert_eq!((a.x - b.x).abs(), 1);
        assert_eq!(a.y, b.y);
    }
}

// ---------------------------------------------------------------------------------------------
// Space Cadets map tiles

#[test]
fn passing_through_a_rift_costs_all_shields_and_a_mine_damage_besides() {
    // Forward two passes over the rift and the mine on it.
    let position = on(
        &tiles(),
        &format!(
            "{}white [4,2] N\n  engineering.pool: 1 2 3 4 5 2\n{}  shields.1: S1\n  shields.2: S2\n  shields.4: S4\nblack [9,7] S\n",
            map(&[(3, ". . . . R* . . . . .")]),
            helm("F2", "FR", "F1")
        ),
    );
    let after = play(&position, &["white: moves"]);
    for zone in ["white.shields.1", "white.shields.2", "white.shields.4"] {
        assert_eq!(dice(&after, zone), "");
    }
    assert_eq!(
        words(&after.flow().owed),
        ["white puts an energy die on the damage display"]
    );
}

#[test]
fn fire_is_not_traced_through_a_rift_but_past_it_and_beams_do_not_care() {
    let table = |rift: (i16, &str), black: &str| {
        on(
            &tiles(),
            &format!(
                "{}white [4,2] N\n{}  sensors.lock: L2 L2 L2\n  tractor.beam: T2 T2 T2\nblack {black}\n",
                map(&[rift]),
                loaded(&["front-1"])
            ),
        )
    };
    let shot = "white: fire 1 at black";
    // On the one row between the two it blocks; beside that row it does not.
    assert_eq!(
        verdict(&table((3, ". . . . R . . . . ."), "[4,5] N"), shot),
        Verdict::Miss
    );
    assert_eq!(
        verdict(&table((3, ". . . R . R . . . ."), "[4,5] N"), shot),
        Verdict::Hit
    );
    // From (4,2) to (5,5) the line crosses (4,3) and (5,4), and only touches corners elsewhere.
    assert_eq!(
        verdict(&table((4, ". . . . . R . . . ."), "[5,5] N"), shot),
        Verdict::Miss
    );
    assert_eq!(
        verdict(&table((4, ". . . R . . R . . ."), "[5,5] N"), shot),
        Verdict::Hit
    );
    // Behind the target it does not matter.
    assert_eq!(
        verdict(&table((6, ". . . . R . . . . ."), "[4,5] N"), shot),
        Verdict::Hit
    );
    let beam = verdict(
        &table((3, ". . . . R . . . . ."), "[4,5] N"),
        "white: tractor on black",
    );
    assert_eq!(beam, Verdict::May);
}

#[test]
fn gravity_against_a_or_b_drops_c_and_with_it_keeps_a_die_for_each_arrow() {
    let moved = |column: &[(i16, &str)], dice: [&str; 3]| {
        let rows: Vec<(i16, String)> = column
            .iter()
            .map(|(y, letter)| (*y, format!("{letter} . . . . . . . . .")))
            .collect();
        let rows: Vec<(i16, &str)> = rows.iter().map(|(y, r)| (*y, r.as_str())).collect();
        let [a, b, c] = dice;
        let position = on(
            &tiles(),
            &format!(
                "{}white [0,0] N\n{}black [9,7] S\n",
                map(&rows),
                helm(a, b, c)
            ),
        );
        let after = play(&position, &["white: moves"]);
        let kept = ship(&after, "white")
            .dice(Spot::Energy(Station::Helm))
            .count();
        for slot in ["white.helm.A", "white.helm.B", "white.helm.C"] {
            assert_eq!(dice_of(&after, slot), "", "all leave their slots");
        }
        (stands(&after, "white"), kept.value().unwrap())
    };
    fn dice_of(position: &Position, zone: &str) -> String {
        dice(position, zone)
    }
    // Against in A, in B, in C: C is dropped for the first two only.
    assert_eq!(
        moved(&[(1, "v")], ["F1", "F1", "FR"]),
        ("[0,2] N".into(), 0)
    );
    assert_eq!(
        moved(&[(2, "v")], ["F1", "F1", "FR"]),
        ("[0,2] N".into(), 0)
    );
    assert_eq!(
        moved(&[(3, "v")], ["F1", "F1", "FR"]),
        ("[0,3] E".into(), 0)
    );
    // Across an arrow nothing happens.
    assert_eq!(
        moved(&[(1, ">"), (2, "<")], ["F1", "F1", "FR"]),
        ("[0,3] E".into(), 0)
    );
    // With one arrow, with two under one forward two, with one in C.
    assert_eq!(
        moved(&[(1, "^")], ["F1", "F1", "FR"]),
        ("[0,3] E".into(), 1)
    );
    assert_eq!(
        moved(&[(1, "^"), (2, "^")], ["F2", "F1", "FR"]),
        ("[0,4] E".into(), 2)
    );
    assert_eq!(
        moved(&[(3, "^")], ["F1", "F1", "FR"]),
        ("[0,3] E".into(), 1)
    );
    // Both: C is dropped, and a die is kept.
    assert_eq!(
        moved(&[(1, "^"), (2, "v")], ["F1", "F1", "FR"]),
        ("[0,2] N".into(), 1)
    );
}

#[test]
fn a_helm_die_that_was_kept_is_placed_with_any_face_for_no_energy() {
    let position = on(
        &tiles(),
        &format!(
            "{}white [0,0] N\n{}black [9,7] S\n",
            map(&[(1, "^ . . . . . . . . .")]),
            helm("F1", "F1", "F1")
        ),
    );
    let after = play(&position, &["white: moves"]);
    let after = play(&after, &["white: saved helm die, FU on C"]);
    assert_eq!(dice(&after, "white.helm.C"), "FU");
    assert_eq!(dice(&after, "white.helm.energy"), "");
    assert!(
        !may(&after, "white: saved helm die, F1 on A"),
        "only one was kept"
    );
    assert!(
        !may(&after, "white: F1 on helm.A"),
        "the others need energy"
    );
}

// ---------------------------------------------------------------------------------------------
// Helm

#[test]
fn at_the_edge_a_die_turns_without_moving_and_forward_two_stays_or_clips() {
    let clip = {
        let mut print = Print::default();
        print.options.edge_forward_two = EdgeMove::Clip;
        print
    };
    let end = |print: &Print, start: &str, dice: [&str; 3]| {
        let [a, b, c] = dice;
        let text = format!("white {start}\n{}black [5,0] S\n", helm(a, b, c));
        stands(&play(&on(print, &text), &["white: moves"]), "white")
    };
    let literal = Print::default();
    // Each turn is made at the edge, and none of the steps.
    for (die, facing) in [
        ("FR", "E"),
        ("FL", "W"),
        ("FU", "S"),
        ("F1", "N"),
        ("F2", "N"),
    ] {
        let facing_after = end(&literal, "[0,7] N", [die, "F1", "F1"]);
        let expected = match facing {
            "N" => "[0,7] N",
            "E" => "[2,7] E",
            "W" => "[0,7] W",
            _ => "[0,5] S",
        };
        assert_eq!(facing_after, expected, "{die}");
    }
    // One square before the edge: literally the whole die stays, or it clips.
    assert_eq!(end(&literal, "[0,6] N", ["FU", "FU", "F2"]), "[0,6] N");
    assert_eq!(end(&clip, "[0,6] N", ["FU", "FU", "F2"]), "[0,7] N");
    // Two squares before it there is nothing to decide.
    for print in [&literal, &clip] {
        assert_eq!(end(print, "[0,5] N", ["F2", "F2", "F2"]), "[0,7] N");
    }
}

#[test]
fn who_enters_sits_where_it_came_in_and_pushes_the_other_across() {
    // From each side, whichever way the other faces: the newcomer's half is the edge it came by.
    for (start, edge, across) in [
        ("[4,1] N", "S", "N"),
        ("[1,4] E", "W", "E"),
        ("[4,7] S", "N", "S"),
        ("[7,4] W", "E", "W"),
    ] {
        for its in ["N", "E", "S", "W"] {
            let text = format!(
                "white {start}\n{}black [4,4] {its}\n",
                helm("F1", "F1", "F1")
            );
            let after = play(&read(&text), &["white: moves"]);
            let heading = start.split(' ').nth(1).unwrap();
            assert_eq!(
                stands(&after, "white"),
                format!("[4,4] {heading} in the {edge} half")
            );
            assert_eq!(
                stands(&after, "black"),
                format!("[4,4] {its} in the {across} half")
            );
        }
    }
    // The turn on the last die does not change by which edge it came.
    let text = format!("white [4,1] N\n{}black [4,4] S\n", helm("F1", "F1", "FR"));
    let after = play(&read(&text), &["white: moves"]);
    assert_eq!(stands(&after, "white"), "[4,4] E in the S half");
}

#[test]
fn in_one_square_the_range_is_nothing_but_a_lock_point_and_a_strength_are_needed() {
    let table = |white: &str| {
        read(&format!(
            "white [4,4] N half S\n{}{white}black [4,4] S half N\n  shields.1: S1\n",
            loaded(&["front-1", "rear-1"])
        ))
    };
    let none = table("");
    let shot = call(&none, "white: fire 1 at black");
    assert_eq!(
        (shot.verdict, shot.numbers.range),
        (Verdict::Miss, Some(Span::known(0)))
    );
    assert_eq!(shot.numbers.need, Some(Span::known(1)));
    let one = table("  sensors.lock: L1\n  tractor.beam: T1\n");
    let shot = call(&one, "white: fire 1 at black");
    assert_eq!(shot.verdict, Verdict::Hit);
    assert_eq!(
        words(&shot.numbers.sectors),
        ["1"],
        "black looks at white across the square"
    );
    assert_eq!(verdict(&none, "white: tractor on black"), Verdict::Cannot);
    let beam = call(&one, "white: tractor on black");
    assert_eq!(
        (beam.verdict, beam.numbers.need),
        (Verdict::May, Some(Span::known(1)))
    );
    // Pushed away, each has its square to itself.
    let after = play(&one, &["white: tractor black to [5,5]"]);
    assert_eq!(stands(&after, "white"), "[4,4] N");
    assert_eq!(stands(&after, "black"), "[5,5] S");
}

// ---------------------------------------------------------------------------------------------
// Wormholes

#[test]
fn a_wormhole_shifts_the_ship_in_mid_move_without_a_step_or_a_turn() {
    let rows = map(&[(3, ". . W . . . . . . ."), (5, ". . . . . . . W . .")]);
    let end = |dice: [&str; 3]| {
        let [a, b, c] = dice;
        let text = format!("{rows}white [2,2] N\n{}black [9,0] S\n", helm(a, b, c));
        let position = read(&text);
        let path = words(&call(&position, "white: move").numbers.path).join(" ");
        (path, stands(&play(&position, &["white: moves"]), "white"))
    };
    // The first step of a forward two enters, the second goes on from the other end.
    let (path, at) = end(["F2", "FR", "FL"]);
    assert_eq!(path, "[2,3] [7,5] [7,6] [7,7] [8,7]");
    assert_eq!(at, "[8,7] N");
    // A turn comes after the step, so at the other end; and back in from there.
    let (path, at) = end(["FU", "FU", "FU"]);
    assert_eq!(path, "[2,3] [7,5] [7,4] [7,5] [2,3]");
    assert_eq!(at, "[2,3] S");
}

#[test]
fn a_push_into_a_wormhole_transfers_and_ranges_ignore_it() {
    let rows = map(&[(3, ". . W . . . . . . ."), (5, ". . . . . . . W . .")]);
    let position = read(&format!(
        "{rows}white [2,1] N\n  tractor.beam: T2\n{}  sensors.lock: L2 L2 L2\nblack [2,2] W\n",
        loaded(&["front-1"])
    ));
    let after = play(&position, &["white: tractor black to [2,3]"]);
    assert_eq!(stands(&after, "black"), "[7,5] W");
    // Nine squares by the map, though the hole is two squares away.
    let shot = call(&after, "white: fire 1 at black");
    assert_eq!(shot.numbers.range, Some(Span::known(9)));
    let beam = call(&after, "white: tractor on black");
    assert_eq!(beam.numbers.need, Some(Span::known(18)));
}

/// The places on which it depends where a move leads.
fn open_course(call: &Call) -> Vec<String> {
    let steps = call.because.iter();
    let open = steps.filter_map(|b| match b.0 {
        Reason::CourseOpen { at } => Some(at.to_string()),
        _ => None,
    });
    open.collect()
}

#[test]
fn one_wormhole_alone_is_said_and_where_a_move_into_it_leads_is_open() {
    let text = format!(
        "{}white [2,2] N\n{}black [9,0] S\n",
        map(&[(3, ". . W . . . . . . .")]),
        helm("F1", "F1", "F1")
    );
    let setup: Setup = text.parse().unwrap();
    let (position, problems) = setup.resolve(&Print::default());
    let codes: Vec<&str> = problems.iter().map(|p| p.fault.code()).collect();
    assert_eq!(codes, ["wormhole_count"]);
    let moved = call(&position, "white: move");
    assert_eq!(moved.verdict, Verdict::Must);
    assert_eq!(open_course(&moved), ["board[2,3]"]);
}

// ---------------------------------------------------------------------------------------------
// Tractor beams

#[test]
fn all_eight_squares_around_are_offered_as_far_as_they_are_on_the_map() {
    let around = |black: &str| {
        // Six points reach three squares; white stands within that of each corner tried.
        let position = read(&format!(
            "white [2,2] W\n  tractor.beam: T2 T2 T2\nblack {black}\n"
        ));
        let beam = call(&position, "white: tractor on black");
        let offered = match beam.choices.as_slice() {
            [Choice::PushTo { squares }, ..] => squares.clone(),
            other => panic!("{other:?}"),
        };
        for x in -1..=4i16 {
            for y in -1..=4i16 {
                let to = Square::new(x, y);
                let push = format!("white: tractor black to {to}");
                // Into white's own square a diagonal push asks by which edge.
                let diagonal = format!("{push}, coming in by the W edge");
                let may = may(&position, &push) || may(&position, &diagonal);
                assert_eq!(may, offered.contains(&to), "{push}");
            }
        }
        words(&offered)
    };
    assert_eq!(
        around("[1,1] E"),
        [
            "[1,2]", "[2,2]", "[2,1]", "[2,0]", "[1,0]", "[0,0]", "[0,1]", "[0,2]"
        ]
    );
    // Onto white it comes in by either of two edges, and the call says so.
    let position = read("white [2,2] W\n  tractor.beam: T2 T2 T2\nblack [1,1] E\n");
    let beam = call(&position, "white: tractor on black");
    assert_eq!(
        words(&beam.choices[1..]),
        ["black comes into [2,2] by S, W"]
    );
    assert_eq!(
        around("[1,0] E"),
        ["[1,1]", "[2,1]", "[2,0]", "[0,0]", "[0,1]"]
    );
    let corner = read("white [1,1] W\n  tractor.beam: T2 T2\nblack [0,0] E\n");
    let beam = call(&corner, "white: tractor on black");
    let Choice::PushTo { squares } = &beam.choices[0] else {
        panic!("{beam:?}");
    };
    assert_eq!(words(squares), ["[0,1]", "[1,1]", "[1,0]"]);
}

#[test]
fn a_pushed_ship_keeps_its_facing_and_suffers_at_once_and_all_tractor_dice_leave() {
    let rows = map(&[
        (5, ". . . . A . . . . ."),
        (4, ". . . . . . N . . ."),
        (3, ". . . . . .* . . . ."),
    ]);
    let position = read(&format!(
        "{rows}white [5,2] E\n  tractor.beam: T2 T2\n  tractor.mine-A: MINE_A\n\
         black [5,4] W\n  engineering.pool: 1 2\n  shields.1: S1\n  shields.2: S2\n  shields.3: S3\n  sensors.lock: L1\n  sensors.jammer: J1 J2\n"
    ));
    let push = |to: &str| play(&position, &[&format!("white: tractor black to {to}")]);
    let after = push("[4,5]");
    assert_eq!(stands(&after, "black"), "[4,5] W");
    assert_eq!(
        words(&after.flow().owed),
        ["black takes 2 dice off shields"]
    );
    assert_eq!(
        words(&push("[6,4]").flow().owed),
        ["black takes 2 dice off sensors"]
    );
    let mined = push("[4,3]");
    assert_eq!(
        words(&mined.flow().owed),
        [] as [&str; 0],
        "the mine lies on [5,3]"
    );
    let mined = push("[5,3]");
    assert_eq!(
        words(&mined.flow().owed),
        ["black puts an energy die on the damage display"]
    );
    assert_eq!(mined.board().cell(Square::new(5, 3)).mines, Span::known(0));
    for zone in ["white.tractor.beam", "white.tractor.mine-A"] {
        assert_eq!(dice(&after, zone), "", "all dice of the display leave");
    }
    // The play stands still until what is owed is paid: black's officer says which two.
    assert!(!may(&after, "the play goes on"));
    let owed = call(&after, "black: to be done first");
    assert_eq!(
        words(&owed.choices),
        ["black chooses which 2 dice of shields leave"]
    );
    let after = play(
        &after,
        &[
            "black: loses S3 from shields.3",
            "black: loses S1 from shields.1",
            "the play goes on",
        ],
    );
    assert_eq!(dice(&after, "black.shields.2"), "S2");
}

#[test]
fn a_crystal_is_pulled_without_a_stop_one_at_a_time_and_from_any_side() {
    let rows = map(&[(4, ". . . . . .2 . . . .")]);
    let position = read(&format!(
        "{rows}white [5,2] S\n  tractor.beam: T1 T2 T2\nblack [9,7] W\n"
    ));
    let after = play(&position, &["white: pulls the crystal from [5,4]"]);
    assert_eq!(after.flow(), &Flow::default(), "the action does not stop");
    assert_eq!(ship(&after, "white").crystals(), Span::known(1));
    assert_eq!(
        after.board().cell(Square::new(5, 4)).crystals,
        Span::known(1)
    );
    assert_eq!(
        dice(&after, "white.tractor.beam"),
        "",
        "also what was not needed"
    );
    assert!(refused(&after, "white: pulls the crystal from [5,4]").contains("strength 0"));
}

// ---------------------------------------------------------------------------------------------
// Mines

#[test]
fn a_mine_is_laid_in_the_ships_own_square_and_waits_for_who_enters() {
    let position = read(&format!(
        "white [4,4] N\n  engineering.pool: 1\n  tractor.mine-B: MINE_B\n  tractor.beam: T1\n{}black [4,7] S\n{}  engineering.pool: 1 2\n",
        helm("F1", "FU", "F1"),
        helm("F1", "FU", "F1")
    ));
    let laid = play(&position, &["white: lays a mine"]);
    assert_eq!(
        laid.flow(),
        &Flow::default(),
        "it does not go off under its own ship"
    );
    for zone in ["white.tractor.beam", "white.tractor.mine-B"] {
        assert_eq!(dice(&laid, zone), "");
    }
    assert_eq!(ship(&laid, "white").mines(), Span::known(1));
    // White goes two up, turns, and comes back by one: not onto it. It never does go off twice.
    let after = play(&laid, &["white: moves"]);
    assert_eq!(stands(&after, "white"), "[4,5] S");
    assert_eq!(after.flow().owed, []);
    // The ship that laid it is harmed like any other.
    let told = ["A", "B", "C"].map(|s| format!("corrected: white helm.{s}: F1"));
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    let back = play(&play(&after, &told), &["white: moves"]);
    assert_eq!(
        words(&back.flow().owed),
        ["white puts an energy die on the damage display"]
    );
    assert_eq!(back.board().cell(Square::new(4, 4)).mines, Span::known(0));
}

#[test]
fn no_mine_is_laid_while_a_ship_is_moved_or_where_one_lies() {
    let position = read(&format!(
        "white [4,4] N\n  tractor.mine-B: MINE_B\nblack [4,7] S\n{}",
        helm("F1", "FU", "F1")
    ));
    assert!(may(&position, "white: lays a mine"));
    let moving = play(&position, &["black: begins to move"]);
    assert!(!may(&moving, "white: lays a mine"));
    let told = play(&position, &["corrected: [4,4] .*"]);
    assert!(refused(&told, "white: lays a mine").contains("[4,4] already"));
    let told = play(&position, &["corrected: white mines 0"]);
    assert!(!may(&told, "white: lays a mine"), "at most two in a game");
}

// ---------------------------------------------------------------------------------------------
// Clean-up after a launch

/// White with a torpedo in front and black somewhere, both with all that could leave.
fn before_launch(black: &str, tubes: &[&str], lock: &str) -> Position {
    read(&format!(
        "{}white [4,2] N\n{}  sensors.lock: {lock}\n  sensors.jammer: J1\n  shields.1: S1\n\
         black {black}\n  engineering.pool: 1 2\n  sensors.lock: L1\n  sensors.jammer: J1\n  shields.2: S2\n  shields.3: S3\n",
        map(&[(5, ". . . . .* . . . . .")]),
        loaded(tubes)
    ))
}

/// The zones that held dice and hold none after a launch.
fn emptied(before: &Position, after: &Position) -> Vec<String> {
    let mut gone = Vec::new();
    for ship in before.ships() {
        for spot in Spot::all() {
            let then = after.ship(ship.id()).unwrap().dice(spot);
            if !ship.dice(spot).is_empty() && then.is_empty() {
                let zone = Zone::On(ship.id(), spot).to_string();
                gone.push(zone.replace("weapons.", ""));
            }
        }
    }
    gone
}

const FRONT: [&str; 3] = [
    "white.front-1.nose",
    "white.front-1.body",
    "white.front-1.tail",
];
const REAR: [&str; 3] = [
    "white.rear-1.nose",
    "white.rear-1.body",
    "white.rear-1.tail",
];

#[test]
fn a_hit_takes_torpedo_locks_jammers_and_the_shields_that_were_struck() {
    let before = before_launch("[4,4] N", &["front-1"], "L2 L1");
    let after = play(
        &before,
        &[
            "white: fire 1 at black (front-1)",
            "rolled for damage: NOSE",
        ],
    );
    assert_eq!(
        after.flow().owed,
        [],
        "no blast, no damage, and the shield leaves all the same"
    );
    let expected = [
        &FRONT[..],
        &[
            "white.sensors.lock",
            "black.sensors.jammer",
            "black.shields.3",
        ],
    ];
    assert_eq!(emptied(&before, &after), expected.concat());
}

#[test]
fn a_miss_in_the_arc_takes_jammers_and_no_shields() {
    // Range 2, one jammer: three are needed.
    let before = before_launch("[4,4] N", &["front-1"], "L2");
    let after = play(&before, &["white: fire 1 at black (front-1)"]);
    let expected = [&FRONT[..], &["white.sensors.lock", "black.sensors.jammer"]];
    assert_eq!(emptied(&before, &after), expected.concat());
    // Even with no lock at all.
    let before = before_launch("[4,4] N", &["front-1"], "");
    let after = play(&before, &["white: fire 1 at black (front-1)"]);
    assert_eq!(
        emptied(&before, &after),
        [&FRONT[..], &["black.sensors.jammer"]].concat()
    );
}

#[test]
fn a_shot_at_a_side_facing_takes_the_torpedo_from_wherever_and_nothing_of_the_target() {
    for tubes in [["front-1"], ["rear-1"]] {
        let before = before_launch("[7,2] N", &tubes, "L2 L2");
        let after = play(
            &before,
            &[&format!("white: fire 1 at black ({})", tubes[0])],
        );
        let own = if tubes == ["front-1"] { FRONT } else { REAR };
        assert_eq!(
            emptied(&before, &after),
            [&own[..], &["white.sensors.lock"]].concat()
        );
    }
}

#[test]
fn with_no_torpedo_on_the_side_that_bears_one_leaves_from_the_other_side() {
    let before = before_launch("[4,4] N", &["rear-1"], "L2 L2");
    assert_eq!(verdict(&before, "white: fire 1 at black"), Verdict::Miss);
    let after = play(&before, &["white: fire 1 at black (rear-1)"]);
    assert_eq!(
        emptied(&before, &after),
        [&REAR[..], &["white.sensors.lock"]].concat()
    );
}

#[test]
fn a_shot_at_a_mine_takes_torpedo_and_locks_and_the_mine_only_if_it_hits() {
    let mine = |after: &Position| after.board().cell(Square::new(4, 5)).mines.max;
    // Range 3, no jammers and no shields, whoever stands in between.
    let fire = "white: fire 1 at the mine at [4,5] (front-1)";
    let hit = before_launch("[4,4] N", &["front-1"], "L2 L1");
    let after = play(&hit, &[fire]);
    assert_eq!(
        emptied(&hit, &after),
        [&FRONT[..], &["white.sensors.lock"]].concat()
    );
    assert_eq!(mine(&after), 0);
    assert!(may(&after, "the play goes on"), "nothing is rolled");
    let miss = before_launch("[4,4] N", &["front-1"], "L2");
    let after = play(&miss, &[fire]);
    assert_eq!(
        emptied(&miss, &after),
        [&FRONT[..], &["white.sensors.lock"]].concat()
    );
    assert_eq!(mine(&after), 1);
}

#[test]
fn two_torpedoes_are_rolled_one_by_one_and_never_again() {
    let before = read(&format!(
        "white [4,2] N\n{}  sensors.lock: L1\nblack [4,3] N\n  engineering.pool: 1 2\n  shields.3: S3 S3\n",
        loaded(&["front-1", "front-2"])
    ));
    let fired = play(&before, &["white: fire 2 at black (front-1, front-2)"]);
    let impact = call(&fired, "white: damage to black");
    assert_eq!(impact.verdict, Verdict::Must);
    assert_eq!(words(&impact.choices), ["white rolls 2 weapon dice"]);
    assert_eq!(impact.numbers.blasts_needed, Some(2));
    assert_eq!(impact.numbers.odds.unwrap().damage.to_string(), "11/36");
    let once = play(&fired, &["rolled for damage: BLAST1"]);
    let impact = call(&once, "white: damage to black");
    assert_eq!(words(&impact.choices), ["white rolls one weapon die"]);
    assert_eq!(impact.numbers.odds.unwrap().damage.to_string(), "1/6");
    let twice = play(&once, &["rolled for damage: BLAST2"]);
    assert_eq!(twice.flow().owed.len(), 1);
    assert!(!may(&twice, "rolled for damage: BLAST2"));
}

// ---------------------------------------------------------------------------------------------
// Crystals

#[test]
fn used_crystals_return_after_the_next_launch_and_after_nothing_else() {
    let position = read(&format!(
        "white [4,2] N\n  crystals 3\n  damage 1\n  engineering.pool: 1 2\n{}  sensors.lock: L2\n  tractor.beam: T2 T2\nblack [4,4] N\n  engineering.pool: 1 2\n",
        loaded(&["front-1"])
    ));
    let used = play(&position, &["white: Station Override, S3 on shields.3"]);
    assert_eq!(used.used_crystals(), Span::known(1));
    // A surge puts one on the damage track and one into the box.
    let used = play(&used, &["white: Energy Surge"]);
    assert_eq!(used.used_crystals(), Span::known(2));
    let white = ship(&used, "white");
    assert_eq!(white.damage().to_string(), "0 dice 1 crystals");
    assert_eq!(white.energy_in_play(used.print()), Span::known(6));
    // A tractor beam stops the play and brings none back.
    let beamed = play(&used, &["white: tractor black to [4,5]"]);
    assert!(!may(&beamed, "used crystal to square 1"));
    let beamed = play(&beamed, &["the play goes on"]);
    assert_eq!(beamed.used_crystals(), Span::known(2));
    // A launch does, also one that misses: both, each where its roll says.
    let fired = play(&beamed, &["white: fire 1 at black (front-1)"]);
    assert!(!may(&fired, "the play goes on"));
    assert!(!may(&fired, "used crystal to square 7"));
    assert_eq!(verdict(&fired, "used crystals return"), Verdict::Must);
    let back = play(
        &fired,
        &["used crystal to square 2", "used crystal to square 2"],
    );
    let square = back.print().crystal_square(2).unwrap();
    assert_eq!(
        back.board().cell(square).crystals,
        Span::known(2),
        "any number in one square"
    );
    assert!(!may(&back, "used crystal to square 2"));
    let back = play(&back, &["the play goes on"]);
    assert_eq!(
        ship(&back, "white").damage().to_string(),
        "0 dice 1 crystals",
        "not that one"
    );
}

#[test]
fn a_jump_goes_where_no_enemy_is_and_each_crystal_buys_two_more_dice() {
    // Squares 1 to 6 of the demo board: (1,6) (4,4) (7,5) (2,2) (5,3) (8,1).
    let position =
        read("white [0,0] E\n  crystals 3\nblack [7,5] S\nwhite-2 [8,1] N\n  team white\n");
    let jump = play(&position, &["white: Warp Jump"]);
    assert_eq!(ship(&jump, "white").crystals(), Span::known(2));
    let rolled = play(&jump, &["rolled for the jump: 3 and 5"]);
    let jumps = call(&rolled, "white: end of the jump");
    assert_eq!(
        (jumps.verdict, words(&jumps.choices)),
        (
            Verdict::Must,
            vec![
                "white jumps to 5".into(),
                "white may spend a crystal to roll two more dice".into()
            ]
        )
    );
    assert!(!may(&rolled, "jumps to square 3"), "the enemy is there");
    assert!(!may(&rolled, "jumps to square 1"), "not rolled");
    assert!(!may(&rolled, "the play goes on"));
    assert_eq!(
        stands(&play(&rolled, &["jumps to square 5"]), "white"),
        "[5,3] E"
    );
    // Doubles on the enemy are rolled again, for no crystal.
    let doubles = play(&jump, &["rolled for the jump: 3 and 3"]);
    assert!(!may(&doubles, "jumps to square 3"));
    assert!(!may(&doubles, "another crystal for the jump"));
    let again = play(&doubles, &["rolled for the jump: 2 and 4"]);
    assert_eq!(ship(&again, "white").crystals(), Span::known(2));
    // Another crystal, and then one of all four.
    let more = play(
        &rolled,
        &[
            "another crystal for the jump",
            "rolled for the jump: 1 and 6",
        ],
    );
    for (number, there) in [(1, true), (2, false), (3, false), (4, false), (5, true)] {
        assert_eq!(
            may(&more, &format!("jumps to square {number}")),
            there,
            "{number}"
        );
    }
    // A friend may be there; the jumping ship says by which edge it comes.
    let joined = play(&more, &["jumps to square 6, coming in by the N edge"]);
    assert_eq!(stands(&joined, "white"), "[8,1] E in the N half");
    assert_eq!(
        joined.used_crystals(),
        Span::known(2),
        "until the next launch"
    );
}

// ---------------------------------------------------------------------------------------------
// What is missing

#[test]
fn what_is_missing_is_said_for_every_ship_and_every_side() {
    type Row<'a> = (&'a str, &'a str, &'a str, &'a str, &'a [&'a str]);
    let front = loaded(&["front-1"]);
    let rows: [Row<'_>; 15] = [
        // Nothing at all is there: dice, a turn, lock for range 2.
        (
            "[4,4] N",
            "",
            "[4,6] N",
            "front",
            &[
                "one nose die in front-1",
                "one body die in front-1",
                "one tail die in front-1",
                "2 more lock",
            ],
        ),
        (
            "[4,4] N",
            "",
            "[4,6] N",
            "rear",
            &[
                "one nose die in rear-1",
                "one body die in rear-1",
                "one tail die in rear-1",
                "turn around: rear arc",
                "2 more lock",
            ],
        ),
        // Loaded in front, target ahead at 3 with a jammer: four are needed, two are there.
        (
            "[4,4] N",
            "front lock2",
            "[4,7] N jam1",
            "front",
            &["2 more lock"],
        ),
        (
            "[4,4] N",
            "front lock2",
            "[5,6] N jam1",
            "front",
            &["2 more lock"],
        ),
        // Abeam to the right, to the left, and astern.
        (
            "[4,4] N",
            "front lock4",
            "[7,4] N jam1",
            "front",
            &["turn right: front arc"],
        ),
        (
            "[4,4] N",
            "front lock4",
            "[1,4] N jam1",
            "front",
            &["turn left: front arc"],
        ),
        (
            "[4,4] N",
            "front lock4",
            "[4,1] N jam1",
            "front",
            &["turn around: front arc"],
        ),
        (
            "[4,4] N",
            "front lock4",
            "[7,4] N jam1",
            "rear",
            &[
                "one nose die in rear-1",
                "one body die in rear-1",
                "one tail die in rear-1",
                "turn left: rear arc",
            ],
        ),
        // One die of three, and another ship's facing as well.
        (
            "[4,4] E",
            "body lock4",
            "[7,4] S jam1",
            "front",
            &["one body die in front-1"],
        ),
        (
            "[4,4] S",
            "body lock4",
            "[7,4] S jam1",
            "front",
            &["one body die in front-1", "turn left: front arc"],
        ),
        // On a diagonal both a front and a side bear: no turn for the front.
        ("[4,4] N", "front lock4", "[6,6] N", "front", &[]),
        (
            "[4,4] N",
            "front lock4",
            "[6,6] N",
            "rear",
            &[
                "one nose die in rear-1",
                "one body die in rear-1",
                "one tail die in rear-1",
                "turn left: rear arc",
            ],
        ),
        // In one square: at least one lock, and the direction of the other half.
        (
            "[4,4] E half S",
            "front",
            "[4,4] N half N",
            "front",
            &["turn left: front arc", "1 more lock"],
        ),
        (
            "[4,4] N half S",
            "front",
            "[4,4] N half N jam1",
            "front",
            &["1 more lock"],
        ),
        // All is there.
        ("[4,4] N", "front lock4", "[4,7] N jam1", "front", &[]),
    ];
    for (at, has, target, side, expected) in rows {
        let mut own = String::new();
        for word in has.split(' ') {
            match word {
                "front" => own.push_str(&front),
                "body" => {
                    own.push_str("  weapons.front-1.nose: NOSE\n  weapons.front-1.tail: TAIL\n")
                }
                "lock2" => own.push_str("  sensors.lock: L2\n"),
                "lock4" => own.push_str("  sensors.lock: L2 L2\n"),
                _ => {}
            }
        }
        let (target, jam) = match target.strip_suffix(" jam1") {
            Some(target) => (target, "  sensors.jammer: J1\n"),
            None => (target, ""),
        };
        // Each ship in turn is the one that asks.
        for (us, them) in [("white", "black"), ("black", "white")] {
            let position = read(&format!("{us} {at}\n{own}{them} {target}\n{jam}"));
            let side: Side = side.parse().unwrap();
            let (a, b) = (us.parse().unwrap(), them.parse().unwrap());
            let missing = position.missing(a, side, b);
            assert_eq!(
                words(&missing),
                expected,
                "{us} {at} {has} {side} on {target}"
            );
            let sure = call(&position, &format!("{us}: {side} tubes on {them}"));
            let all = if expected.is_empty() {
                Verdict::Hit
            } else {
                Verdict::Cannot
            };
            assert_eq!(sure.verdict, all, "{}", sure.explain());
        }
    }
    // Every ship and every side is in the list, against each enemy.
    let position = read(
        "white [0,0] N\n  team w\nblack [5,5] N\n  team b\nwhite-2 [1,0] N\n  team w\nblack-2 [6,5] N\n  team b\n",
    );
    let calls = position.calls();
    let sides = calls.iter().filter(|c| matches!(c.what, What::Side { .. }));
    assert_eq!(sides.count(), 4 * 2 * 2);
}

/// What is said to be missing is enough: with that, it hits.
#[test]
fn with_what_was_missing_it_hits() {
    for black in [
        "[4,7] N", "[7,4] N", "[6,6] W", "[1,5] S", "[4,3] N", "[3,3] E",
    ] {
        for side in Side::ALL {
            let mut position = read(&format!(
                "white [4,4] N\nblack {black}\n  sensors.jammer: J1\n"
            ));
            let (white, target) = (ShipId::WHITE, ShipId::BLACK);
            for missing in position.missing(white, side, target) {
                let told = match missing {
                    Missing::Part(tube, part) => {
                        let symbol = part.to_string().to_uppercase();
                        format!("corrected: white weapons.{tube}.{part}: {symbol}")
                    }
                    Missing::Turn(turn, _) => {
                        let facing = turn.of(Facing::N);
                        format!("corrected: white stands [4,4] {facing} half whole")
                    }
                    Missing::Lock(n) => {
                        let n = usize::from(n.value().unwrap());
                        let dice = [vec!["L2"; n / 2], vec!["L1"; n % 2]].concat().join(" ");
                        format!("corrected: white sensors.lock: {dice}")
                    }
                    other => panic!("{other}"),
                };
                position = play(&position, &[&told]);
            }
            let what = format!("white: {side} tubes on black");
            assert_eq!(
                verdict(&position, &what),
                Verdict::Hit,
                "{black} {side}\n{position}"
            );
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Unknowns

#[test]
fn a_launch_at_shields_that_were_not_read_goes_on_and_says_what_it_waits_for() {
    let table = |shields: &str| {
        read(&format!(
            "white [4,2] N\n{}  sensors.lock: L1\nblack [4,3] N\n  engineering.pool: 1 2\n  shields.3: {shields}\n",
            loaded(&["front-1", "front-2"])
        ))
    };
    let fire = "white: fire 2 at black (front-1, front-2)";
    let what = "white: damage to black";
    // One die or two: a roll is needed in any case, and two blasts settle it.
    let one_or_two = table("S3 -|S3");
    let shot = call(&one_or_two, "white: fire 2 at black");
    assert_eq!(shot.verdict, Verdict::Hit);
    assert_eq!(shot.numbers.shield_dice, Some(Span::between(1, 2)));
    assert_eq!(
        shot.numbers.odds.unwrap().damage.to_string(),
        "11/36 to 3/4"
    );
    assert_eq!(words(&shot.odds_on), ["black.shields.3"]);
    let fired = play(&one_or_two, &[fire]);
    assert_eq!(verdict(&fired, what), Verdict::Must);
    let twos = play(
        &fired,
        &["rolled for damage: BLAST2", "rolled for damage: NOSE"],
    );
    assert_eq!(twos.flow().owed.len(), 1, "two blasts pass one die and two");
    // With one blast it depends: nobody guesses.
    let ones = play(
        &fired,
        &["rolled for damage: BLAST1", "rolled for damage: NOSE"],
    );
    let waits = call(&ones, what);
    assert_eq!(waits.verdict, Verdict::Unsure);
    assert_eq!(words(&waits.unsure_on), ["black.shields.3"]);
    assert!(!may(&ones, "the play goes on"));
    assert!(!may(&ones, "rolled for damage: BLAST2"));
    let told = play(&ones, &["corrected: black shields.3: S3"]);
    assert_eq!(told.flow().owed.len(), 1);
    assert_eq!(dice(&told, "black.shields.3"), "");
    let told = play(&ones, &["corrected: black shields.3: S3 S3"]);
    assert_eq!(told.flow().owed, []);
    assert_eq!(dice(&told, "black.shields.3"), "");
    // None or one: whether there is a roll at all is open; it may be made.
    let fired = play(&table("-|S3"), &[fire]);
    let waits = call(&fired, what);
    assert_eq!(waits.verdict, Verdict::Unsure);
    assert_eq!(words(&waits.unsure_on), ["black.shields.3"]);
    assert_eq!(waits.numbers.odds.unwrap().damage.to_string(), "3/4 to 1");
    assert_eq!(
        play(&fired, &["corrected: black shields.3:"])
            .flow()
            .owed
            .len(),
        2
    );
    let both = play(
        &fired,
        &["rolled for damage: BLAST1", "rolled for damage: BLAST1"],
    );
    assert_eq!(both.flow().owed.len(), 2, "either way both get through");
}

#[test]
fn on_a_diagonal_with_a_shield_not_read_nobody_chooses_before_it_is_known() {
    let position = read(&format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2\nblack [6,4] S\n  engineering.pool: 1 2\n  shields.1: S1\n  shields.2: -|S2\n",
        loaded(&["front-1"])
    ));
    let shot = call(&position, "white: fire 1 at black");
    assert_eq!(shot.verdict, Verdict::Hit);
    // Whichever is struck has one die.
    assert_eq!(shot.numbers.odds.unwrap().damage.to_string(), "1/2");
    let fired = play(&position, &["white: fire 1 at black (front-1)"]);
    let waits = call(&fired, "white: damage to black");
    assert_eq!(waits.verdict, Verdict::Unsure);
    assert_eq!(words(&waits.unsure_on), ["black.shields.2"]);
    assert!(!may(&fired, "the defender takes it on sector 1"));
    let tie = play(&fired, &["corrected: black shields.2: S2"]);
    let asks = call(&tie, "white: damage to black");
    assert_eq!(asks.verdict, Verdict::Must);
    assert_eq!(words(&asks.choices), ["black chooses the sector: 1, 2"]);
    let chosen = play(
        &tie,
        &[
            "the defender takes it on sector 2",
            "rolled for damage: BLAST1",
        ],
    );
    assert_eq!(dice(&chosen, "black.shields.2"), "");
    assert_eq!(dice(&chosen, "black.shields.1"), "S1");
    // What was chosen stays chosen, whatever else is said meanwhile.
    let chosen = play(
        &tie,
        &[
            "the defender takes it on sector 2",
            "corrected: black sensors.lock: L1",
        ],
    );
    assert_eq!(
        words(&chosen.flow().launch.as_ref().unwrap().sectors),
        ["2"]
    );
    let weaker = play(&fired, &["corrected: black shields.2:"]);
    assert_eq!(
        words(&weaker.flow().launch.as_ref().unwrap().sectors),
        ["1"]
    );
}

#[test]
fn a_target_that_may_stand_on_either_of_two_squares_can_be_hit() {
    // Both ahead, both within reach: a hit; behind or ahead of the diagonal decides the sector.
    let position = read(&format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2 L2\nblack [4,4]|[5,4] N\n  engineering.pool: 1 2\n  shields.3: S3\n",
        loaded(&["front-1"])
    ));
    assert_eq!(verdict(&position, "white: fire 1 at black"), Verdict::Hit);
    let fired = play(
        &position,
        &[
            "white: fire 1 at black (front-1)",
            "rolled for damage: BLAST1",
        ],
    );
    assert_eq!(fired.flow().owed.len(), 1);
    // Ahead or abeam: it hits or it misses, and what leaves differs.
    let unsure = read(&format!(
        "white [4,2] N\n{}  sensors.lock: L2 L2 L2\nblack [4,4]|[6,2] N\n",
        loaded(&["front-1"])
    ));
    let shot = call(&unsure, "white: fire 1 at black");
    assert_eq!(shot.verdict, Verdict::Unsure);
    assert_eq!(words(&shot.unsure_on), ["black.ship"]);
    assert!(refused(&unsure, "white: fire 1 at black (front-1)").contains("black.ship"));
    assert_eq!(shot.numbers.odds.unwrap().damage.to_string(), "0 to 1");
}

#[test]
fn a_tube_that_was_not_read_stops_only_what_depends_on_it() {
    let position = read(&format!(
        "white [4,2] N\n{}  weapons.front-2.nose: -|NOSE\n  weapons.front-2.body: BODY\n  weapons.front-2.tail: TAIL\n  sensors.lock: L2\nblack [4,3] N\n  shields.3: S3\n",
        loaded(&["front-1"])
    ));
    // One torpedo flies in any case.
    assert_eq!(verdict(&position, "white: fire 1 at black"), Verdict::Hit);
    assert!(may(&position, "white: fire 1 at black (front-1)"));
    // Of two declared one or both do: the hit is sure, the chances are not.
    let both = call(&position, "white: fire 2 at black");
    assert_eq!(both.verdict, Verdict::Hit);
    assert_eq!(both.numbers.odds.unwrap().damage.to_string(), "1/2 to 3/4");
    assert_eq!(words(&both.odds_on), ["white.weapons.front-2.nose"]);
    let said = refused(&position, "white: fire 2 at black (front-1)");
    assert!(said.contains("white.weapons.front-2.nose"), "{said}");
}

#[test]
fn chances_are_exact_where_what_is_unknown_does_not_matter_to_them() {
    let odds = |black: &str, faces: Option<Vec<Symbol>>| {
        let mut print = Print::default();
        if let Some(faces) = faces {
            print.faces.weapon = faces;
        }
        let text = format!(
            "white [4,2] N\n{}  sensors.lock: L2 L2 L2\nblack {black}",
            loaded(&["front-1", "front-2"])
        );
        let call = call(&on(&print, &text), "white: fire 2 at black");
        let odds = call.numbers.odds.unwrap();
        (
            odds.damage.to_string(),
            odds.destruction.to_string(),
            words(&call.odds_on),
        )
    };
    let none: Vec<String> = Vec::new();
    // On a diagonal the stronger sector is struck, so a weaker one need not be known.
    let stronger = odds("[6,4] S\n  shields.1: -|S1\n  shields.2: S2 S2\n", None);
    assert_eq!(stronger, ("11/36".into(), "0".into(), none.clone()));
    // Two get through: it does not matter whether one or two are left.
    let hull = odds("[4,3] N\n  damage 2-3\n", None);
    assert_eq!(hull, ("1".into(), "1".into(), none.clone()));
    // It matters against a shield.
    let hull = odds("[4,3] N\n  damage 2-3\n  shields.3: S3\n", None);
    assert_eq!(
        hull,
        (
            "3/4".into(),
            "1/4 to 3/4".into(),
            vec!["black.damage".into()]
        )
    );
    // A copy whose dice show blasts more often.
    let faces = vec![
        Symbol::Nose,
        Symbol::BodyBlast1,
        Symbol::TailBlast2,
        Symbol::Blast2,
    ];
    let often = odds("[4,3] N\n  shields.3: S3 S3\n", Some(faces));
    assert_eq!(often, ("3/4".into(), "0".into(), none));
}

#[test]
fn a_move_names_every_square_and_die_it_depends_on() {
    let waits = |rows: &[(i16, &str)], ship: &str, dice: [&str; 3]| {
        let [a, b, c] = dice;
        let text = format!(
            "{}white {ship}\n{}black [9,0] S\n",
            map(rows),
            helm(a, b, c)
        );
        let call = call(&read(&text), "white: move");
        assert_eq!(call.verdict, Verdict::Must, "{}", call.explain());
        assert!(call.unsure_on.is_empty(), "that it has to move is sure");
        open_course(&call)
    };
    // Three squares on the way, and one beside it that does not matter.
    let rows = [
        (1, ".A .N . . . . . . . ."),
        (2, ".*? . . . . . . . . ."),
        (3, ".N . . . . . . . . ."),
    ];
    assert_eq!(
        waits(&rows, "[0,0] N", ["F1", "F1", "F1"]),
        ["board[0,1]", "board[0,2]", "board[0,3]"]
    );
    // A die that was not read adds the squares it may lead to.
    assert_eq!(
        waits(&rows, "[0,0] N", ["F1|FR", "F1", "FU"]),
        [
            "white.helm.A",
            "board[0,1]",
            "board[0,2]",
            "board[0,3]",
            "board[1,1]"
        ]
        .into_iter()
        .filter(|z| *z != "board[2,1]")
        .collect::<Vec<_>>()
    );
    // What may be a wormhole leads to the other end, and what lies beyond it.
    let rows = [
        (1, ".W . . . . . . . . ."),
        (5, ". . . . . W . . . ."),
        (6, ". . . . . .A . . . ."),
    ];
    assert_eq!(
        waits(&rows, "[0,0] N", ["F1", "F1", "FR"]),
        ["board[0,1]", "board[5,6]"]
    );
    // A mine counts for a ship whose damage was not read.
    let rows = [(1, ".* . . . . . . . . .")];
    assert_eq!(
        waits(&rows, "[0,0] N\n  damage 0-3", ["F1", "F1", "F1"]),
        ["white.damage"]
    );
    // A ship that may face two ways has two courses.
    let rows = [(1, ".A . . . . . . . . ."), (0, ". .A . . . . . . . .")];
    assert_eq!(
        waits(&rows, "[0,0] N|E", ["F1", "F1", "F1"]),
        ["white.ship", "board[0,1]", "board[1,0]"]
    );
}

// ---------------------------------------------------------------------------------------------
// Bounds

/// The largest map there may be, hardly seen: bounded in time and in what is said.
#[test]
fn a_huge_table_that_was_hardly_seen_is_judged_in_time() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let ships: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{{"id":"{id}","square":[[1,1],[60,62]],"facing":null}}"#))
        .collect();
    let squares = (0..64).flat_map(|x| (0..64).map(move |y| (x, y)));
    let hidden: Vec<String> = squares
        .map(|(x, y)| format!(r#""board[{x},{y}]""#))
        .collect();
    let json = format!(
        r#"{{"print":{{"board":{{"cols":64,"rows":64}},"options":{{"original_tiles":true}}}},
            "setup":{{"ships":[{}],"hidden":[{}]}}}}"#,
        ships.join(","),
        hidden.join(",")
    );
    let from = std::time::Instant::now();
    let judgement = State::from_json(json.as_bytes()).unwrap().judge();
    assert!(judgement.calls.len() < 2_000, "{}", judgement.calls.len());
    let zones: usize = judgement.calls.iter().map(|c| c.unsure_on.len()).sum();
    assert!(zones < 5_000_000, "{zones}");
    // A second or two on a free core; the limit is for one that is shared.
    assert!(from.elapsed().as_secs() < 120, "{:?}", from.elapsed());
    assert_eq!(
        judgement
            .position
            .ship("a".parse().unwrap())
            .unwrap()
            .facing(),
        &Place::Unknown
    );
}
