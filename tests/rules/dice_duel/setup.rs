//! From claims to a position: what is taken off, what becomes unknown, and what is said.

// A test that cannot go on should stop at the line that says why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::field_reassign_with_default
)]

use sightline::rules::dice_duel::*;
use sightline::rules::{Fault as _, Place, Verdict};

fn setup(json: &str) -> Setup {
    serde_json::from_str(json).expect("the test's JSON is broken")
}

fn resolve(json: &str) -> (Position, Vec<Problem>) {
    setup(json).resolve(&Print::default())
}

fn codes(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|p| format!("{} {}", p.at, p.fault.code()))
        .collect()
}

fn dice(position: &Position, zone: &str) -> String {
    match zone.parse() {
        Ok(Zone::On(ship, spot)) => position.ship(ship).unwrap().dice(spot).to_string(),
        other => panic!("{zone} is no place on a display: {other:?}"),
    }
}

fn said(position: &Position) -> Vec<String> {
    let calls = position.calls();
    let energy = calls
        .iter()
        .filter(|c| matches!(c.what, What::Energy { .. }));
    energy.map(Call::to_string).collect()
}

#[test]
fn free_energy_dice_are_called_wherever_they_lie() {
    let (position, problems) = resolve(
        r#"{"dice": [
            {"at": "table", "means": "4"},
            {"at": "white.table", "means": "6"},
            {"at": "white.engineering.pool", "means": "1"},
            {"at": "black.engineering", "means": "3"},
            {"at": "table", "means": ["2", "5"]},
            {"at": null, "kind": "energy", "means": null}
        ]}"#,
    );
    assert_eq!(
        said(&position),
        [
            "white: energy die 1 → Weapons",
            "black: energy die 3 → Tractor",
            "energy die 4 → Shields",
            "white: six: roll again",
            "energy die 2|5: unsure",
            "energy die 1|2|3|4|5|6: unsure",
        ]
    );
    assert_eq!(codes(&problems), ["table unsure_die", "table unsure_die"]);
    let calls = position.calls();
    let unsure = calls.iter().find(|c| c.verdict == Verdict::Unsure).unwrap();
    assert_eq!(unsure.unsure_on, [Zone::Table]);
}

#[test]
fn an_expansion_is_of_no_energy_die_and_of_its_own_station_alone() {
    // what may be a 1 or an expansion is an energy die or another: nothing is called of it
    let (position, _) = resolve(r#"{"dice": [{"at": "table", "means": ["1", "EXP"]}]}"#);
    assert_eq!(said(&position), [""; 0]);
    let placed = |kind: &str| {
        let die = format!(
            r#"{{"dice": [{{"at": "white.tractor.mine-B", "kind": "{kind}", "means": "EXP"}}]}}"#
        );
        codes(&resolve(&die).1)
    };
    assert_eq!(placed("shield"), ["white.tractor.mine-B die_of_wrong_kind"]);
    assert_eq!(
        placed("tractor"),
        ["white.tractor.mine-B unusable_symbol_placed"]
    );
}

#[test]
fn the_mapping_of_numbers_to_stations_is_the_copys() {
    let mut print = Print::default();
    print.energy = vec![None, Some(Station::Helm)];
    let setup = setup(r#"{"dice": [{"at":"table","means":"1"},{"at":"table","means":"2"}]}"#);
    let (position, _) = setup.resolve(&print);
    assert_eq!(
        said(&position),
        ["energy die 1: roll again", "energy die 2 → Helm"]
    );
}

#[test]
fn what_may_not_lie_where_it_lies_is_taken_off_and_said() {
    let (position, problems) = resolve(
        r#"{"dice": [
            {"at": "white.sensors.lock", "means": "J1"},
            {"at": "white.sensors.lock", "means": "L2"},
            {"at": "white.sensors.jammer", "means": "EXP"},
            {"at": "white.weapons.front-1.nose", "means": "BLAST1"},
            {"at": "white.weapons.front-1.body", "means": "TAIL"},
            {"at": "white.shields.2", "kind": "shield", "means": "3"},
            {"at": "white.shields.2", "kind": "shield", "means": "2"},
            {"at": "white.shields.energy", "means": "S1"},
            {"at": "white.helm.A", "means": "5"},
            {"at": "white.helm", "means": "F1"},
            {"at": "white.weapons.energy", "means": "2"},
            {"at": "white.weapons.front-3.nose", "means": "NOSE"},
            {"at": "white.tractor.beam", "means": null}
        ]}"#,
    );
    assert_eq!(
        codes(&problems),
        [
            "white.sensors.lock die_in_wrong_zone",
            "white.sensors.jammer unusable_symbol_placed",
            "white.weapons.front-1.nose unusable_symbol_placed",
            "white.weapons.front-1.body die_in_wrong_zone",
            "white.shields.2 die_in_wrong_zone",
            "white.shields.energy station_die_in_energy_zone",
            "white.helm.A die_of_wrong_kind",
            "white.helm die_outside_any_zone",
            "white.weapons.energy wrong_energy_number",
            "white.weapons.front-3.nose no_such_place",
            "white.tractor.beam foreign_die",
        ]
    );
    assert_eq!(dice(&position, "white.sensors.lock"), "L2");
    assert_eq!(dice(&position, "white.sensors.jammer"), "");
    assert_eq!(dice(&position, "white.weapons.front-1.nose"), "");
    assert_eq!(dice(&position, "white.shields.2"), "S2");
    assert_eq!(dice(&position, "white.helm.A"), "");
    assert_eq!(dice(&position, "white.weapons.energy"), "2");
    assert_eq!(dice(&position, "white.tractor.beam"), "-|T1|T2");
}

#[test]
fn an_unsure_die_is_what_may_lie_there_or_is_taken_off() {
    let (position, _) = resolve(
        r#"{"dice": [
            {"at": "white.sensors.lock", "means": ["L1", "L2"]},
            {"at": "white.sensors.lock", "means": ["L1", "J1"]},
            {"at": ["white.sensors.lock", "white.sensors.jammer"], "means": "J2"},
            {"at": ["white.shields.1", "table"], "means": "S1"},
            {"at": "white.helm.A", "means": "F1"},
            {"at": "white.helm.A", "means": "FR"}
        ]}"#,
    );
    assert_eq!(dice(&position, "white.sensors.lock"), "L1|L2 -|L1");
    assert_eq!(dice(&position, "white.sensors.jammer"), "-|J2");
    assert_eq!(dice(&position, "white.shields.1"), "-|S1");
    assert_eq!(dice(&position, "white.helm.A"), "F1|FR");
}

#[test]
fn a_hidden_zone_may_hold_what_is_not_accounted_for_and_no_more() {
    let (position, problems) = resolve(
        r#"{"dice": [
            {"at": "white.shields.1", "means": "S1"},
            {"at": "white.table", "means": "S4"}
        ], "hidden": ["white.shields.2", "white.weapons.front-1.nose"]}"#,
    );
    assert_eq!(dice(&position, "white.shields.2"), "-|S2");
    assert_eq!(
        dice(&position, "white.weapons.front-1.nose"),
        "-|NOSE|NOSE+BLAST1|NOSE+BLAST2"
    );
    assert_eq!(problems.len(), 2);
}

#[test]
fn a_seventh_die_makes_its_kind_doubtful() {
    let lock = r#"{"at": "white.sensors.lock", "means": "L1"}"#;
    let five = [lock; 5].join(",");
    let (position, problems) = resolve(&format!(r#"{{"dice": [{five}]}}"#));
    assert_eq!(codes(&problems), ["white.sensors too_many_dice"]);
    assert_eq!(dice(&position, "white.sensors.lock"), ["-|L1"; 5].join(" "));

    let (_, problems) = resolve(
        r#"{"ships": [{"id": "white", "square": [0,0], "facing": "N", "damage": {"dice": 1}}],
            "dice": [
            {"at": "white.engineering.pool", "means": "1"}, {"at": "white.engineering.pool", "means": "1"},
            {"at": "white.engineering.pool", "means": "1"}, {"at": "white.engineering.pool", "means": "1"},
            {"at": "white.engineering.pool", "means": "1"}, {"at": "white.helm.energy", "means": "5"}]}"#,
    );
    assert_eq!(codes(&problems), ["white.engineering too_many_dice"]);
}

#[test]
fn ships_tokens_and_damage_are_resolved_or_said() {
    let (position, problems) = resolve(
        r#"{"ships": [
            {"id": "white", "square": [12, 0], "facing": "N"},
            {"id": "black", "square": [[3,4],[3,5]], "facing": ["N","N"]},
            {"id": "red", "square": [1,1], "facing": "E", "half": "N"}
          ],
          "dice": [{"at": "red.damage.1", "means": "3"}, {"at": "red.damage", "means": "S1"}],
          "tokens": [
            {"kind": "asteroid", "at": "board[0,0]"},
            {"kind": "nebula", "at": "board[0,0]"},
            {"kind": "mine", "at": "board[5,5]"},
            {"kind": "mine", "at": "board[5,5]"},
            {"kind": ["asteroid", "nebula"], "at": "board[6,6]"},
            {"kind": "wormhole", "at": "board[7,7]"},
            {"kind": "crystal", "at": "red.damage"},
            {"kind": "crystal", "at": "board.used-crystals"},
            {"kind": "asteroid", "at": "board[9,9]"},
            {"kind": "mine", "at": "red.tractor.mine-A"}
          ]}"#,
    );
    assert_eq!(
        codes(&problems),
        [
            "white.ship ship_off_map",
            "white.ship unsure_ship",
            "black.ship unsure_ship",
            "red.damage not_damage",
            "board[0,0] two_tokens_in_square",
            "board[5,5] two_mines_in_square",
            "board[6,6] unsure_token",
            "board[9,9] token_off_map",
            "board[7,7] wormhole_count",
        ]
    );
    let red = position.ship("red".parse().unwrap()).unwrap();
    assert_eq!(red.damage().total().value(), Some(2));
    assert_eq!(red.mines().value(), Some(1));
    let white = position.ship(ShipId::WHITE).unwrap();
    assert_eq!(white.square(), &Place::Unknown);
    assert_eq!(position.used_crystals().value(), Some(1));
}

#[test]
fn a_shared_square_needs_two_opposite_halves() {
    let ships = |a: &str, b: &str| {
        format!(
            r#"{{"ships": [{{"id":"white","square":[3,3],"facing":"N"{a}}},
                           {{"id":"black","square":[3,3],"facing":"S"{b}}}]}}"#
        )
    };
    let (position, problems) = resolve(&ships(r#","half":"S""#, ""));
    assert!(problems.is_empty(), "{problems:?}");
    let black = position.ship(ShipId::BLACK).unwrap();
    assert_eq!(black.half(), &Place::Known(Half::At(Facing::N)));

    let (position, problems) = resolve(&ships(r#","half":"S""#, r#","half":"E""#));
    assert_eq!(
        codes(&problems),
        ["white.ship halves_unclear", "black.ship halves_unclear"]
    );
    assert_eq!(
        position.ship(ShipId::BLACK).unwrap().half(),
        &Place::Unknown
    );
}

#[test]
fn a_position_written_as_claims_is_the_position_again() {
    let (position, _) = resolve(
        r#"{"ships": [
            {"id": "white", "team": "blue", "square": [1, 0], "facing": "N", "crystals": [0,2]},
            {"id": "black", "square": [[3,4],[3,5]], "facing": null, "damage": {"dice": 2, "crystals": 1}}
          ],
          "dice": [
            {"at": "white.sensors.lock", "means": ["L1", "J1"]},
            {"at": "white.sensors.jammer", "kind": "sensor", "means": ["J1", "EXP"]},
            {"at": "black.weapons.rear-1.tail", "means": "TAIL+BLAST1"},
            {"at": "table", "means": ["2", "3"]}
          ],
          "tokens": [
            {"kind": ["asteroid", "nebula"], "at": "board[6,6]"},
            {"kind": "crystal", "at": "board[6,6]"},
            {"kind": ["mine", "-"], "at": "board[6,5]"},
            {"kind": "wormhole", "at": "board[0,7]"}, {"kind": "wormhole", "at": "board[9,0]"}
          ],
          "hidden": ["black.shields", "board[2,2]", "black.crystals"],
          "flow": {"stop": {"ship": "white", "freeze": "fire"}}}"#,
    );
    let json = serde_json::to_string(&position.to_setup()).unwrap();
    let (again, _) = setup(&json).resolve(position.print());
    assert_eq!(again, position);
}

/// An unsure call may wait for dozens of places: in short it names three displays at most, and how many more there are.
#[test]
fn a_call_in_short_names_a_few_of_the_places_that_it_waits_for() {
    let unread = |ship: &str| {
        ["weapons", "sensors", "shields", "tractor", "helm"]
            .map(|station| format!("\"{ship}.{station}\""))
            .join(", ")
    };
    let (position, _) = resolve(&format!(
        r#"{{"hidden": [{}, {}]}}"#,
        unread("white"),
        unread("black")
    ));
    let calls = position.calls();
    let (long, brief): (Vec<&Call>, Vec<&Call>) =
        calls.iter().partition(|call| call.unsure_on.len() > 3);
    assert!(!long.is_empty() && !brief.is_empty(), "{calls:?}");
    for call in brief {
        assert_eq!(call.short(), call.to_string());
    }
    for call in long {
        let short = call.short();
        let named = short.split_once("depends on ").expect(&short).1;
        assert!(named.matches(", ").count() <= 2, "{short}");
        let displays = call.unsure_on.iter().map(|zone| match zone {
            Zone::On(ship, spot) => Zone::Display(*ship, spot.station()),
            other => *other,
        });
        let displays: std::collections::HashSet<Zone> = displays.collect();
        assert_eq!(short.contains(" more"), displays.len() > 3, "{short}");
    }
}
