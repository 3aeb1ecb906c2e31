//! Every worked case of the rule book and its facts, as data, through the public API.
//!
//! The dispatcher is here, not in the product: it turns a case's input into a position or an
//! action, and what comes of it back into the case's words.

// A test that cannot go on should stop at the line that says why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::field_reassign_with_default
)]

use std::collections::BTreeMap;

use crate::schemas::fits_judgement;
use serde_json::{Value, json};
use sightline::rules::dice_duel::*;
use sightline::rules::{Because, Game, Span, Verdict};

const OURS: &str = include_str!("../../data/dice_duel_cases.json");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/rules/cases.json");

type Case = (String, String, Value, Value);

fn cases(json: &str) -> Vec<Case> {
    let all: Vec<Value> = serde_json::from_str(json).expect("the case file is broken");
    all.into_iter()
        .filter(|c| c["id"].as_str().is_some_and(|id| id.starts_with("DD-")))
        .map(|c| {
            let text = |key: &str| c[key].as_str().unwrap().to_string();
            (
                text("id"),
                text("kind"),
                c["input"].clone(),
                c["expected"].clone(),
            )
        })
        .collect()
}

#[test]
fn every_case_comes_out_as_it_should() {
    let cases = cases(OURS);
    assert_eq!(cases.len(), 64, "the data file lost cases");
    let mut wrong = Vec::new();
    for (id, kind, input, expected) in &cases {
        let got = run(kind, input, expected);
        if &got != expected {
            wrong.push(format!(
                "{id} {kind} {input}\n  expected {expected}\n  got      {got}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The shared file is the source; where it is at hand, ours must not have drifted from it.
#[test]
fn our_cases_are_those_of_the_shared_file() {
    let Ok(shared) = std::fs::read_to_string(SHARED) else {
        eprintln!("no shared case file here: nothing to compare with");
        return;
    };
    assert_eq!(cases(OURS), cases(&shared));
}

fn white() -> ShipId {
    ShipId::WHITE
}

fn black() -> ShipId {
    ShipId::BLACK
}

/// A position written as text, on a map of this size.
fn on(print: &Print, text: &str) -> Position {
    let setup: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (position, problems) = setup.resolve(print);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    shown(&position);
    position
}

/// What is printed of every position that a case comes to is as the schema says.
fn shown(position: &Position) {
    let judgement = Judgement::of(position.clone(), Vec::new());
    fits_judgement(Game::DiceDuel, &judgement);
}

fn read(text: &str) -> Position {
    on(&Print::default(), text)
}

/// Two ships, and what lies on their displays.
fn duel(white: &str, white_dice: &[&str], black: &str, black_dice: &[&str]) -> Position {
    duel_on(&Print::default(), white, white_dice, black, black_dice)
}

fn duel_on(print: &Print, white: &str, ours: &[&str], black: &str, theirs: &[&str]) -> Position {
    let lines = |dice: &[&str]| dice.iter().map(|d| format!("  {d}\n")).collect::<String>();
    on(
        print,
        &format!(
            "white {white}\n{}black {black}\n{}",
            lines(ours),
            lines(theirs)
        ),
    )
}

const FRONT_1: [&str; 3] = [
    "weapons.front-1.nose: NOSE",
    "weapons.front-1.body: BODY",
    "weapons.front-1.tail: TAIL",
];
const FRONT_2: [&str; 3] = [
    "weapons.front-2.nose: NOSE",
    "weapons.front-2.body: BODY",
    "weapons.front-2.tail: TAIL",
];

fn act(position: &Position, action: &Action) -> Position {
    match position.clone().play(action) {
        Ok((after, _)) => {
            shown(&after);
            after
        }
        Err(refused) => panic!("{action}: {}", refused.because),
    }
}

fn reason(position: &Position, action: &Action) -> Reason {
    let Err(refused) = position.clone().play(action) else {
        panic!("{action} was not refused");
    };
    let Because(reason) = refused.because;
    reason
}

fn square(value: &Value) -> Square {
    serde_json::from_value(value.clone()).unwrap()
}

fn squares(value: &Value) -> Vec<Square> {
    serde_json::from_value(value.clone()).unwrap()
}

fn facing(value: &Value) -> Facing {
    serde_json::from_value(value.clone()).unwrap()
}

fn symbol(value: &Value) -> Symbol {
    value.as_str().unwrap().parse().unwrap()
}

fn number(value: &Value) -> u8 {
    u8::try_from(value.as_u64().unwrap()).unwrap()
}

fn known(span: Span) -> u16 {
    span.value().expect("known")
}

fn ship(position: &Position, id: ShipId) -> &Ship {
    position.ship(id).unwrap()
}

fn placement(position: &Position, id: ShipId) -> Placement {
    ship(position, id).placement().expect("known")
}

fn map(cols: u8, rows: u8) -> Print {
    let mut print = Print::default();
    print.board.cols = cols;
    print.board.rows = rows;
    print
        .board
        .crystal_squares
        .retain(|s| s.x < i16::from(cols) && s.y < i16::from(rows));
    print
}

fn fire(torpedoes: u8, target: Target, tubes: &[&str]) -> Action {
    Action::Fire {
        ship: white(),
        torpedoes,
        target,
        tubes: tubes.iter().map(|t| t.parse().unwrap()).collect(),
    }
}

fn count(position: &Position, id: ShipId, spots: &[&str]) -> u16 {
    spots
        .iter()
        .map(|s| known(ship(position, id).dice(s.parse().unwrap()).count()))
        .sum()
}

/// Locks that add up to `n`, and jammers.
fn points(box_name: &str, letter: char, n: u64) -> String {
    let dice: Vec<String> = (0..n / 2)
        .map(|_| format!("{letter}2"))
        .chain((n % 2 == 1).then(|| format!("{letter}1")))
        .collect();
    format!("sensors.{box_name}: {}", dice.join(" "))
}

/// White in the middle facing north, black ahead at a range.
fn shot(range: u64, lock: u64, jam: u64, torpedoes: u64, black_more: &[&str]) -> Position {
    let lock = points("lock", 'L', lock);
    let jam = points("jammer", 'J', jam);
    let mut ours: Vec<&str> = vec![&lock];
    if torpedoes > 0 {
        ours.extend(FRONT_1);
    }
    if torpedoes > 1 {
        ours.extend(FRONT_2);
    }
    let mut theirs: Vec<&str> = vec![&jam];
    theirs.extend(black_more);
    if range == 0 {
        return duel("[4,2] N half S", &ours, "[4,2] N half N", &theirs);
    }
    duel("[4,2] N", &ours, &format!("[4,{}] N", 2 + range), &theirs)
}

fn verdict(position: &Position, torpedoes: u8, target: Target) -> Verdict {
    let what = What::Launch {
        ship: white(),
        torpedoes,
        target,
    };
    position.call(what).expect("a call").verdict
}

/// What the case's question comes to, in the case's words.
fn run(kind: &str, input: &Value, expected: &Value) -> Value {
    match kind {
        "energy_route" => {
            let die = number(&input["energy_die"]);
            let position = read(&format!("table: {die}\n"));
            let calls = position.calls();
            let [call] = calls.as_slice() else {
                panic!("{calls:?}");
            };
            match (call.what, call.verdict) {
                (
                    What::Energy {
                        station: Some(s), ..
                    },
                    Verdict::May,
                ) => {
                    json!({ "station": s.to_string() })
                }
                (What::Energy { station: None, .. }, Verdict::Must) => {
                    json!({ "station": null, "must_reroll": true })
                }
                other => json!(format!("{other:?}")),
            }
        }
        "roll_allowance" => {
            let station: Station = input["station"].as_str().unwrap().parse().unwrap();
            let energy: Vec<String> = input["energy_dice"]
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect();
            let position = duel(
                "[0,0] N",
                &[&format!("{station}.energy: {}", energy.join(" "))],
                "[5,5] N",
                &[],
            );
            let dice = ship(&position, white()).rollable(position.print(), station);
            json!({ "dice_rollable": known(dice) })
        }
        "energy_return" => {
            let mut position = duel("[0,0] N", &["sensors.energy: 2 2"], "[5,5] N", &[]);
            for die in input["dice_placed_now"].as_array().unwrap() {
                let place = Action::Place {
                    ship: white(),
                    spot: "sensors.lock".parse().unwrap(),
                    symbol: symbol(die),
                };
                position = act(&position, &place);
            }
            let own = ship(&position, white());
            assert_eq!(count(&position, white(), &["sensors.energy"]), 0);
            json!({
                "energy_returned": count(&position, white(), &["engineering.pool"]),
                "lock": known(own.lock().span()),
                "jam": known(own.jammers().span()),
            })
        }
        "energy_conservation" => {
            let damage = number(&input["damage_dice"]);
            let position = read(&format!("white [0,0] N\n  damage {damage}\n"));
            let own = ship(&position, white());
            assert_eq!(json!(position.print().dice.energy), input["start"]);
            json!({ "energy_dice_in_play": known(own.energy_in_play(position.print())) })
        }
        "helm_ready" => {
            let dice: Vec<String> = ["A", "B", "C"]
                .into_iter()
                .filter_map(|slot| Some(format!("helm.{slot}: {}", input[slot].as_str()?)))
                .collect();
            let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
            let position = duel("[4,4] N", &dice, "[9,7] S", &[]);
            json!({ "move": position.is_legal(&Action::Move { ship: white() }) })
        }
        "helm_move" | "helm_order" => {
            let before = helm(&Print::default(), input, &["A", "B", "C"], &[], &[]);
            let what = What::Helm { ship: white() };
            let call = before.call(what).unwrap();
            let after = act(&before, &Action::Move { ship: white() });
            let end = placement(&after, white());
            let mut got = json!({ "pos": end.square, "facing": end.facing });
            if expected.get("path").is_some() {
                got["path"] = json!(call.numbers.path);
            }
            got
        }
        "same_square_fire" => {
            let enemy = format!(
                "{} {}",
                square(&input["enemy_pos"]),
                facing(&input["enemy_facing"])
            );
            let loaded = [&FRONT_1[..], &["sensors.lock: L1"]].concat();
            let mut ours: Vec<String> = loaded.iter().map(|s| s.to_string()).collect();
            ours.extend(helm_dice(input, &["A", "B", "C"]));
            let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
            let start = format!("{} {}", square(&input["pos"]), facing(&input["facing"]));
            let before = duel(&start, &ours, &enemy, &loaded);
            let after = act(&before, &Action::Move { ship: white() });
            let fires = |ship, target| {
                let what = What::Launch {
                    ship,
                    torpedoes: 1,
                    target: Target::Ship(target),
                };
                after.call(what).unwrap()
            };
            let (mover, enemy) = (fires(white(), black()), fires(black(), white()));
            json!({
                "mover_half": placement(&after, white()).half,
                "enemy_half": placement(&after, black()).half,
                "mover_can_fire": mover.verdict == Verdict::Hit,
                "enemy_can_fire": enemy.verdict == Verdict::Hit,
                "enemy_arc": enemy.numbers.arc,
                "range": enemy.numbers.range,
            })
        }
        "helm_edge" => {
            let print = map(number(&input["board"][0]), number(&input["board"][1]));
            let walk = one_die(&print, input);
            let (square, facing) = walk.end.unwrap();
            json!({ "pos": square, "facing": facing })
        }
        "wormhole" => {
            let print = Print::default();
            let walk = one_die(&print, input);
            let (square, facing) = walk.end.unwrap();
            json!({ "pos": square, "facing": facing })
        }
        "helm_obstacle" => helm_obstacle(input),
        "helm_cleanup" => {
            let case = json!({"pos": [4, 4], "facing": "N", "A": "F1", "B": "F1", "C": "FR"});
            let before = helm(&Print::default(), &case, &["A", "B", "C"], &[], &[]);
            let slots = ["helm.A", "helm.B", "helm.C"];
            assert_eq!(count(&before, white(), &slots), 3);
            let after = act(&before, &Action::Move { ship: white() });
            json!({ "helm_dice_on_display": count(&after, white(), &slots) })
        }
        "sensor_sum" => {
            let mut boxes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for die in input["dice"].as_array().unwrap() {
                let die = die.as_str().unwrap();
                let name = if die.starts_with('J') {
                    "jammer"
                } else {
                    "lock"
                };
                boxes.entry(name).or_default().push(die);
            }
            let lines: Vec<String> = boxes
                .iter()
                .map(|(name, dice)| format!("sensors.{name}: {}", dice.join(" ")))
                .collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let position = duel("[0,0] N", &lines, "[5,5] N", &[]);
            let own = ship(&position, white());
            json!({ "lock": known(own.lock().span()), "jam": known(own.jammers().span()) })
        }
        "range" => {
            let (a, b) = (square(&input["a"]), square(&input["b"]));
            let mut print = Print::default();
            print.options.wormholes = true;
            let mut setup: Setup = format!("white {a} N\nblack {b} S\n").parse().unwrap();
            if let Some(ends) = input.get("wormholes") {
                for end in squares(ends) {
                    setup.tokens.push(TokenSetup {
                        kind: TokenKind::Ground(Terrain::Wormhole).into(),
                        at: Zone::Board(end),
                    });
                }
            }
            let (position, _) = setup.resolve(&print);
            let what = What::Launch {
                ship: white(),
                torpedoes: 1,
                target: Target::Ship(black()),
            };
            assert_eq!(range(a, b), range(b, a));
            json!({ "range": position.call(what).unwrap().numbers.range })
        }
        "arc" => {
            let (from, to) = (square(&input["pos"]), square(&input["target"]));
            let (dx, dy) = from.vector_to(to);
            // Put into the middle of the map, so that what lies behind is on it too.
            let here = Square::new(4, 4);
            let there = here.offset(dx, dy);
            let position = duel(
                &format!("{here} {}", facing(&input["facing"])),
                &[],
                &format!("{there} N"),
                &[],
            );
            let what = What::Launch {
                ship: white(),
                torpedoes: 1,
                target: Target::Ship(black()),
            };
            let arc: Vec<Side> = position
                .call(what)
                .unwrap()
                .numbers
                .arc
                .into_iter()
                .collect();
            let mut got = json!({ "arc": arc });
            if expected.get("also_side").is_some() {
                got["also_side"] = json!(is_diagonal((dx, dy)));
            }
            got
        }
        "torpedo_hit" => {
            assert_eq!(input["in_arc"], "front");
            let before = shot(
                input["range"].as_u64().unwrap(),
                input["lock"].as_u64().unwrap(),
                input["jam"].as_u64().unwrap(),
                input["loaded_that_side"].as_u64().unwrap(),
                &[],
            );
            let target = Target::Ship(black());
            let mut got = json!({ "hit": verdict(&before, 1, target) == Verdict::Hit });
            if expected.get("target_jammers_removed").is_some() {
                let after = act(&before, &fire(1, target, &["front-1"]));
                let gone = |id, spot: &str| {
                    count(&before, id, &[spot]) > 0 && count(&after, id, &[spot]) == 0
                };
                got["target_jammers_removed"] = json!(gone(black(), "sensors.jammer"));
                got["shooter_locks_removed"] = json!(gone(white(), "sensors.lock"));
            }
            got
        }
        "torpedo_miss_side" => {
            let ours = [&FRONT_1[..], &["sensors.lock: L2 L2"]].concat();
            let theirs = ["sensors.jammer: J1", "shields.3: S3", "shields.4: S4"];
            let before = duel("[4,4] N", &ours, "[6,4] N", &theirs);
            let target = Target::Ship(black());
            let fired = number(&input["fire"]);
            let hit = verdict(&before, fired, target) == Verdict::Hit;
            let after = act(&before, &fire(fired, target, &["front-1"]));
            let tube = [
                "weapons.front-1.nose",
                "weapons.front-1.body",
                "weapons.front-1.tail",
            ];
            let shields = ["shields.3", "shields.4"];
            json!({
                "hit": hit,
                "torpedoes_removed": (count(&before, white(), &tube) - count(&after, white(), &tube)) / 3,
                "shooter_locks_removed": count(&after, white(), &["sensors.lock"]) == 0,
                "target_jammers_removed": count(&after, black(), &["sensors.jammer"]) == 0,
                "target_shields_removed": count(&after, black(), &shields) < 2,
            })
        }
        "fire2_one_available" => {
            let before = shot(1, 4, 0, input["loaded_front"].as_u64().unwrap(), &[]);
            let target = Target::Ship(black());
            let declared = number(&input["fire"]);
            let after = act(&before, &fire(declared, target, &["front-1"]));
            // Two declared, one damage owed: one flew.
            let flew = after.flow().owed.len();
            let what = What::Launch {
                ship: white(),
                torpedoes: declared,
                target,
            };
            assert_eq!(
                before
                    .call(what)
                    .unwrap()
                    .numbers
                    .torpedoes
                    .map(usize::from),
                Some(flew)
            );
            json!({ "launched": flew })
        }
        "damage" => damage(input),
        "shield_sector" => shield_sector(input, expected),
        "cleanup" => cleanup(input),
        "destroyed" => {
            let before = number(&input["damage_before"]);
            let now = number(&input["damage_now"]);
            assert_eq!(now, 1);
            let position = duel(
                "[4,2] N",
                &[&FRONT_1[..], &["sensors.lock: L1"]].concat(),
                "[4,3] N",
                &[&format!("damage {before}"), "engineering.pool: 1 2 3"],
            );
            let after = act(&position, &fire(1, Target::Ship(black()), &["front-1"]));
            let after = act(
                &after,
                &Action::Damage {
                    ship: black(),
                    from: Some(Spot::Pool),
                },
            );
            assert_eq!(after.winner(), Some(white()));
            json!({ "destroyed": ship(&after, black()).destroyed(after.print()) })
        }
        "torpedo_vs_mine" => {
            let lock = points("lock", 'L', input["lock"].as_u64().unwrap());
            let ours = [&FRONT_1[..], &[&lock]].concat();
            let mine = Square::new(4, 2 + i16::from(number(&input["range"])));
            let mut setup: Setup = duel("[4,2] N", &ours, "[0,0] N", &[]).to_setup();
            setup.tokens.push(TokenSetup {
                kind: TokenKind::Mine.into(),
                at: Zone::Board(mine),
            });
            let (before, _) = setup.resolve(&Print::default());
            let target = Target::Mine(mine);
            let after = act(&before, &fire(1, target, &["front-1"]));
            json!({
                "hit": verdict(&before, 1, target) == Verdict::Hit,
                "mine_removed": after.board().cell(mine).mines.value() == Some(0),
            })
        }
        "tractor" => tractor(input, expected),
        "tractor_destinations" => {
            let print = map(number(&input["board"][0]), number(&input["board"][1]));
            let target = format!(
                "{} {}",
                square(&input["target_pos"]),
                facing(&input["facing"])
            );
            let before = duel_on(&print, "[4,3] N", &["tractor.beam: T2"], &target, &[]);
            let squares = before.push_squares(black());
            let facings: Vec<Facing> = squares
                .iter()
                .map(|to| {
                    let push = |enter_by| Action::Tractor {
                        ship: white(),
                        target: black(),
                        to: *to,
                        enter_by,
                    };
                    // White stands on one of the eight.
                    let after = act(&before, &push(None));
                    assert_eq!(placement(&after, black()).square, *to);
                    placement(&after, black()).facing
                })
                .collect();
            let same = facings.iter().all(|f| *f == facings[0]);
            json!({ "count": squares.len(), "facing": same.then(|| facings[0]) })
        }
        "tractor_into_asteroid" => {
            let n = number(&input["shield_dice"]);
            let shields: Vec<String> = (1..=n).map(|i| format!("shields.{i}: S{i}")).collect();
            let shields: Vec<&str> = shields.iter().map(String::as_str).collect();
            let print = Print::default();
            let mut setup = duel("[4,4] N", &["tractor.beam: T2"], "[4,5] N", &shields).to_setup();
            setup.tokens.push(TokenSetup {
                kind: TokenKind::Ground(Terrain::Asteroid).into(),
                at: "board[4,6]".parse().unwrap(),
            });
            let (before, _) = setup.resolve(&print);
            let push = Action::Tractor {
                ship: white(),
                target: black(),
                to: Square::new(4, 6),
                enter_by: None,
            };
            let after = pay(&act(&before, &push));
            json!({ "shield_dice_removed": shield_dice(&before) - shield_dice(&after) })
        }
        "tractor_two_crystals" => {
            let there = Square::new(4, 5);
            let mut setup = duel("[4,4] N", &["tractor.beam: T2 T2"], "[0,0] N", &[]).to_setup();
            for _ in 0..number(&input["crystals_in_square"]) {
                setup.tokens.push(TokenSetup {
                    kind: TokenKind::Crystal.into(),
                    at: Zone::Board(there),
                });
            }
            let (mut position, _) = setup.resolve(&Print::default());
            let pull = Action::PullCrystal {
                ship: white(),
                square: there,
            };
            for _ in 0..number(&input["attempts"]) {
                position = act(&position, &pull);
            }
            // The dice left with the first: a second attempt needs new ones.
            assert!(matches!(reason(&position, &pull), Reason::Strength { .. }));
            json!({ "captured": known(ship(&position, white()).crystals()) })
        }
        "mine" => mine(input),
        "override" => {
            let before = duel(
                "[0,0] N",
                &[&format!("crystals {}", input["crystals"])],
                "[5,5] N",
                &[],
            );
            assert_eq!(input["die"], "shield");
            let spot: Spot = format!("shields.{}", input["face"]).parse().unwrap();
            let after = act(
                &before,
                &Action::Override {
                    ship: white(),
                    spot,
                    symbol: format!("S{}", input["face"]).parse().unwrap(),
                },
            );
            json!({
                "crystals": known(ship(&after, white()).crystals()),
                "used_box": known(after.used_crystals()),
                "sector3_dice": count(&after, white(), &["shields.3"]),
            })
        }
        "crystal_return" => {
            let ours = [&FRONT_1[..], &["sensors.lock: L1"]].concat();
            let mut setup = duel("[4,4] N", &ours, "[9,4] N", &[]).to_setup();
            setup.used_crystals = Span::known(u16::from(number(&input["used_box"])));
            let (before, _) = setup.resolve(&Print::default());
            let after = act(&before, &fire(1, Target::Ship(black()), &["front-1"]));
            let roll = number(&input["roll"]);
            assert_eq!(reason(&after, &Action::Resume), Reason::NotFinished);
            let after = act(&after, &Action::ReturnCrystal { number: roll });
            let after = act(&after, &Action::Resume);
            let there = after.print().crystal_square(roll).unwrap();
            assert_eq!(after.board().cell(there).crystals.value(), Some(1));
            json!({ "crystal_on_space": roll, "used_box": known(after.used_crystals()) })
        }
        "warp" => warp(input, expected),
        "surge" => {
            let dice = input["damage_track"].as_array().unwrap().len();
            let before = duel(
                "[0,0] N",
                &[
                    &format!("crystals {}", input["crystals"]),
                    &format!("damage {dice}"),
                ],
                "[5,5] N",
                &[],
            );
            let after = act(&before, &Action::Surge { ship: white() });
            let own = ship(&after, white());
            let track = own.damage();
            let items = std::iter::repeat_n("die", usize::from(known(track.dice))).chain(
                std::iter::repeat_n("crystal", usize::from(known(track.crystals))),
            );
            json!({
                "damage_track": items.collect::<Vec<&str>>(),
                "energy_dice_in_play": known(own.energy_in_play(after.print())),
                "used_box": known(after.used_crystals()),
                "damage": known(track.total()),
            })
        }
        "placement" => {
            let die = symbol(&input["die"]);
            let spots: Vec<Spot> = match input["zone"].as_str().unwrap() {
                "any" => Spot::all()
                    .filter(|s| !Print::default().legal(*s).is_empty())
                    .collect(),
                zone => vec![format!("sensors.{zone}").parse().unwrap()],
            };
            let mut legal = true;
            let mut removed = true;
            for spot in spots {
                let mut setup = Setup::default();
                setup.dice.push(DieSetup {
                    kind: Some(spot.die_kind()),
                    ..DieSetup::new(Zone::On(white(), spot), die)
                });
                let (position, problems) = setup.resolve(&Print::default());
                legal &= problems.is_empty();
                removed &= ship(&position, white()).dice(spot).is_empty();
            }
            assert!(removed);
            let mut got = json!({ "legal": legal });
            if expected.get("fix").is_some() {
                got["fix"] = json!("die removed");
            }
            got
        }
        "freeze_queue" => freeze_queue(input),
        other => json!(format!("no runner for {other}")),
    }
}

fn helm_dice(input: &Value, slots: &[&str]) -> Vec<String> {
    slots
        .iter()
        .map(|slot| format!("helm.{slot}: {}", input[*slot].as_str().unwrap()))
        .collect()
}

/// White with helm dice, black out of the way.
fn helm(
    print: &Print,
    input: &Value,
    slots: &[&str],
    more: &[&str],
    tokens: &[TokenSetup],
) -> Position {
    // The order in which dice were placed does not matter: they are placed in it here.
    let dice = match input.get("placement_order") {
        Some(order) => {
            let order: Vec<&str> = order
                .as_array()
                .unwrap()
                .iter()
                .map(|s| s.as_str().unwrap())
                .collect();
            helm_dice(input, &order)
        }
        None => helm_dice(input, slots),
    };
    let mut ours: Vec<&str> = dice.iter().map(String::as_str).collect();
    ours.extend(more);
    let start = format!("{} {}", square(&input["pos"]), facing(&input["facing"]));
    let mut setup = duel_on(print, &start, &ours, "[9,7] S", &[]).to_setup();
    setup.tokens.extend_from_slice(tokens);
    setup.resolve(print).0
}

/// What a single helm die does: the same engine that moves ships, with dice that add nothing.
fn one_die(print: &Print, input: &Value) -> Course {
    let mut setup = Setup::default();
    if let Some(ends) = input.get("wormholes") {
        for end in squares(ends) {
            setup.tokens.push(TokenSetup {
                kind: TokenKind::Ground(Terrain::Wormhole).into(),
                at: Zone::Board(end),
            });
        }
    }
    let (position, _) = setup.resolve(print);
    let start = Placement::new(square(&input["pos"]), facing(&input["facing"]));
    Course::of_dice(position.board(), print, start, &[symbol(&input["die"])], 4)
}

fn shield_dice(position: &Position) -> u16 {
    let spots = ["shields.1", "shields.2", "shields.3", "shields.4"];
    count(position, black(), &spots) + count(position, white(), &spots)
}

/// Pays what is owed with the first thing that will do.
fn pay(position: &Position) -> Position {
    let mut position = position.clone();
    while !position.flow().owed.is_empty() {
        let next = position
            .legal_actions()
            .into_iter()
            .find(|a| matches!(a, Action::Discard { .. } | Action::Damage { .. }))
            .expect("what is owed can be paid");
        position = act(&position, &next);
    }
    position
}

fn helm_obstacle(input: &Value) -> Value {
    let (name, terrain, before_key) = match input.get("asteroid") {
        Some(_) => ("asteroid", Terrain::Asteroid, "shield_dice"),
        None => ("nebula", Terrain::Nebula, "sensor_dice"),
    };
    let n = number(&input[before_key]);
    let dice: Vec<String> = (1..=n)
        .map(|i| match terrain {
            Terrain::Asteroid => format!("shields.{i}: S{i}"),
            _ => "sensors.jammer: J1".to_string(),
        })
        .collect();
    let tokens: Vec<TokenSetup> = squares(&input[name])
        .into_iter()
        .map(|s| TokenSetup {
            kind: TokenKind::Ground(terrain).into(),
            at: Zone::Board(s),
        })
        .collect();
    // The case is about one die. The others turn the ship about and back, off the obstacle.
    let case = json!({
        "pos": input["pos"], "facing": input["facing"],
        "A": input["die"], "B": "FR", "C": "F1",
    });
    let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
    let before = helm(&Print::default(), &case, &["A", "B", "C"], &dice, &tokens);
    let after = pay(&act(&before, &Action::Move { ship: white() }));
    match terrain {
        Terrain::Asteroid => json!({
            "shield_dice_removed": shield_dice(&before) - shield_dice(&after)
        }),
        _ => {
            let spots = ["sensors.lock", "sensors.jammer"];
            json!({
                "sensor_dice_removed": count(&before, white(), &spots) - count(&after, white(), &spots)
            })
        }
    }
}

fn damage(input: &Value) -> Value {
    let torpedoes = number(&input["torpedoes"]);
    let shields = number(&input["shield_dice"]);
    let line = format!("shields.3: {}", vec!["S3"; usize::from(shields)].join(" "));
    let before = shot(
        1,
        1,
        0,
        u64::from(torpedoes),
        &[&line, "engineering.pool: 1 1 1 1 1 1"],
    );
    let tubes: &[&str] = if torpedoes == 2 {
        &["front-1", "front-2"]
    } else {
        &["front-1"]
    };
    let mut position = act(&before, &fire(torpedoes, Target::Ship(black()), tubes));
    for roll in input["rolls"].as_array().unwrap() {
        let symbol = match roll.as_u64().unwrap() {
            0 => Symbol::Nose,
            1 => Symbol::Blast1,
            _ => Symbol::Blast2,
        };
        position = act(&position, &Action::Blast { symbol });
    }
    assert!(position.flow().launch.is_none(), "all was rolled");
    let after = pay(&position);
    json!({
        "damage": known(ship(&after, black()).damage().total()),
        "shield_dice_removed": shield_dice(&before) - shield_dice(&after),
    })
}

fn shield_sector(input: &Value, expected: &Value) -> Value {
    let there = Square::new(4, 4);
    let rel = input["shooter_rel"].as_array().unwrap();
    let shooter = there.offset(
        rel[0].as_i64().unwrap() as i32,
        rel[1].as_i64().unwrap() as i32,
    );
    let mut theirs = Vec::new();
    if let Some(dice) = input.get("dice") {
        for (sector, n) in dice.as_object().unwrap() {
            let die = format!("S{sector} ");
            theirs.push(format!(
                "shields.{sector}: {}",
                die.repeat(usize::from(number(n)))
            ));
        }
    }
    let theirs: Vec<&str> = theirs.iter().map(String::as_str).collect();
    // The shooter faces so that it may fire.
    let call = Facing::ALL
        .into_iter()
        .map(|f| {
            let ours = [&FRONT_1[..], &["sensors.lock: L2 L2 L2 L2"]].concat();
            let target = format!("{there} {}", facing(&input["target_facing"]));
            let position = duel(&format!("{shooter} {f}"), &ours, &target, &theirs);
            let what = What::Launch {
                ship: white(),
                torpedoes: 1,
                target: Target::Ship(black()),
            };
            position.call(what).unwrap()
        })
        .find(|c| c.verdict == Verdict::Hit)
        .expect("one facing brings the front to bear");
    let numbers: Vec<u8> = call.numbers.sectors.iter().map(|s| s.number()).collect();
    let mut got = json!({ "sector": numbers });
    if expected.get("chooser").is_some() {
        let chooser = call.choices.iter().find_map(|c| match c {
            Choice::Sector { by, .. } if *by == black() => Some("defender"),
            _ => None,
        });
        got["chooser"] = json!(chooser);
    }
    got
}

fn cleanup(input: &Value) -> Value {
    // White N at range 3, black facing E two up and one right: sector 2 is struck.
    let lock = points("lock", 'L', input["white"]["lock"].as_u64().unwrap());
    let ours = [&FRONT_1[..], &[&lock]].concat();
    let jam = points("jammer", 'J', input["black"]["jam"].as_u64().unwrap());
    let mut theirs = vec![jam, "sensors.lock: L1".to_string()];
    for (sector, n) in input["black"]["shield"].as_object().unwrap() {
        theirs.push(format!(
            "shields.{sector}: {}",
            vec![format!("S{sector}"); usize::from(number(n))].join(" ")
        ));
    }
    let theirs: Vec<&str> = theirs.iter().map(String::as_str).collect();
    let before = duel("[4,2] N", &ours, "[5,4] E", &theirs);
    let target = Target::Ship(black());
    assert_eq!(
        json!(verdict(&before, 1, target) == Verdict::Hit),
        input["hit"]
    );
    let after = act(&before, &fire(1, target, &["front-1"]));
    let after = pay(&act(
        &after,
        &Action::Blast {
            symbol: Symbol::Blast1,
        },
    ));
    let after = act(&after, &Action::Resume);
    let tube: Vec<Symbol> = ["nose", "body", "tail"]
        .into_iter()
        .filter_map(|part| {
            let spot: Spot = format!("weapons.front-1.{part}").parse().unwrap();
            ship(&after, white()).dice(spot).dice().first()?.known()
        })
        .collect();
    json!({
        "white": { "torpedo_front": tube.iter().map(|s| s.to_string()).collect::<Vec<_>>(),
                   "lock": known(ship(&after, white()).lock().span()) },
        "black": { "jam": known(ship(&after, black()).jammers().span()),
                   "lock_dice": count(&after, black(), &["sensors.lock"]),
                   "shield": { "2": count(&after, black(), &["shields.2"]),
                               "3": count(&after, black(), &["shields.3"]) } },
    })
}

fn tractor(input: &Value, expected: &Value) -> Value {
    let dice: Vec<&str> = input["dice"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d.as_str().unwrap())
        .collect();
    let beam = format!("tractor.beam: {}", dice.join(" "));
    let range = i16::from(number(&input["range"]));
    let facing = input.get("own_facing").map_or(Facing::N, facing);
    // To the side of a ship that faces north: facing does not matter.
    let there = Square::new(4 + range, 4);
    let own = format!("[4,4] {facing}");
    let what = match input["target"].as_str().unwrap() {
        "ship" => What::Tractor {
            ship: white(),
            target: black(),
        },
        _ => What::Crystal {
            ship: white(),
            square: there,
        },
    };
    let far = if input["target"] == "ship" {
        format!("{there} N")
    } else {
        "[0,0] N".into()
    };
    let mut setup = duel(&own, &[&beam], &far, &[]).to_setup();
    setup.tokens.push(TokenSetup {
        kind: TokenKind::Crystal.into(),
        at: Zone::Board(there),
    });
    let (before, _) = setup.resolve(&Print::default());
    let call = before.call(what).unwrap();
    let success = call.verdict == Verdict::May;
    let action = match what {
        What::Tractor { .. } => Action::Tractor {
            ship: white(),
            target: black(),
            to: there.offset(0, 1),
            enter_by: None,
        },
        _ => Action::PullCrystal {
            ship: white(),
            square: there,
        },
    };
    assert_eq!(before.is_legal(&action), success);
    let mut got = json!({ "need": call.numbers.need, "success": success });
    if expected.get("strength").is_some() {
        got["strength"] = json!(call.numbers.strength);
    }
    if expected.get("dice_removed").is_some() {
        let after = act(&before, &action);
        let beams = ["tractor.beam"];
        got["dice_removed"] =
            json!(count(&before, white(), &beams) - count(&after, white(), &beams));
    }
    if expected.get("freeze").is_some() {
        let after = act(&before, &action);
        got["freeze"] = json!(after.flow().stop.is_some());
    }
    got
}

fn mine(input: &Value) -> Value {
    let here = Square::new(4, 4);
    if input["event"] == "ship enters" {
        assert_eq!(input["owner"], "self", "whose mine it is does not matter");
        let mut ours: Vec<String> = (1..=number(&input["shield_dice"]))
            .map(|i| format!("shields.{i}: S{i}"))
            .collect();
        ours.extend(["helm.A: F1", "helm.B: F1", "helm.C: F1"].map(String::from));
        ours.push("engineering.pool: 1 2 3 4 5 6".into());
        let ours: Vec<&str> = ours.iter().map(String::as_str).collect();
        let mut setup = duel("[4,2] N", &ours, "[9,7] S", &[]).to_setup();
        setup.tokens.push(TokenSetup {
            kind: TokenKind::Mine.into(),
            at: Zone::Board(here),
        });
        let (before, _) = setup.resolve(&Print::default());
        let after = pay(&act(&before, &Action::Move { ship: white() }));
        return json!({
            "damage": known(ship(&after, white()).damage().total()),
            "mine_removed": after.board().cell(here).mines.value() == Some(0),
            "shield_dice_removed": shield_dice(&before) - shield_dice(&after),
        });
    }
    let armed = if input["armed"] == true {
        "tractor.mine-A: MINE_A"
    } else {
        "tractor.beam:"
    };
    let mut setup = duel("[4,4] N", &[armed, "tractor.beam: T1 T2"], "[9,7] S", &[]).to_setup();
    if input["mine_in_square"] == true {
        setup.tokens.push(TokenSetup {
            kind: TokenKind::Mine.into(),
            at: Zone::Board(here),
        });
    }
    let (before, _) = setup.resolve(&Print::default());
    let lay = Action::ReleaseMine { ship: white() };
    if !before.is_legal(&lay) {
        assert_eq!(reason(&before, &lay), Reason::MineThere { square: here });
        return json!({ "placed": false });
    }
    let after = act(&before, &lay);
    let left = count(
        &after,
        white(),
        &["tractor.beam", "tractor.mine-A", "tractor.mine-B"],
    );
    json!({
        "placed": after.board().cell(here).mines.value() == Some(1),
        "tractor_dice_removed": if left == 0 { json!("all") } else { json!(left) },
        "damage": known(ship(&after, white()).damage().total()),
    })
}

fn warp(input: &Value, expected: &Value) -> Value {
    let print = Print::default();
    let enemy = match input["enemy_on_space"].as_u64() {
        Some(n) => print.crystal_square(n as u8).unwrap(),
        None => Square::new(9, 7),
    };
    let mut position = duel("[0,0] E", &["crystals 3"], &format!("{enemy} S"), &[]);
    let rolled = |v: &Value| [number(&v[0]), number(&v[1])];
    position = act(&position, &Action::Warp { ship: white() });
    position = act(
        &position,
        &Action::WarpRoll {
            numbers: rolled(&input["roll"]),
        },
    );
    if let Some(more) = input.get("extra_crystal_roll") {
        position = act(&position, &Action::WarpAgain);
        position = act(
            &position,
            &Action::WarpRoll {
                numbers: rolled(more),
            },
        );
    }
    let allowed: Vec<u8> = (1..=6)
        .filter(|n| {
            position.is_legal(&Action::WarpTo {
                number: *n,
                enter_by: None,
            })
        })
        .collect();
    let mut got = json!({ "allowed": allowed });
    if expected.get("reroll").is_some() {
        got["reroll"] = json!(position.is_legal(&Action::WarpRoll { numbers: [1, 2] }));
    }
    if expected.get("crystals_spent").is_some() {
        got["crystals_spent"] = json!(3 - known(ship(&position, white()).crystals()));
        let after = act(
            &position,
            &Action::WarpTo {
                number: allowed[0],
                enter_by: None,
            },
        );
        let end = placement(&after, white());
        assert_eq!(end.square, print.crystal_square(allowed[0]).unwrap());
        got["facing"] = json!(if end.facing == Facing::E {
            "unchanged"
        } else {
            "changed"
        });
    }
    got
}

fn freeze_queue(input: &Value) -> Value {
    assert_eq!(input["freeze_by"], "white");
    let both = [&FRONT_1[..], &["sensors.lock: L2 L2"]].concat();
    let ours = [&both[..], &["crystals 1"]].concat();
    let mut order = Vec::new();
    let position = duel("[4,2] N", &ours, "[4,4] S", &both);
    let position = act(&position, &fire(1, Target::Ship(black()), &["front-1"]));
    order.push("white fire".to_string());
    let freeze = input["black_declares"].as_str().unwrap().parse().unwrap();
    let position = act(
        &position,
        &Action::Claim {
            ship: black(),
            freeze,
        },
    );
    let position = act(&pay(&position), &Action::Resume);
    let wants = Action::Warp { ship: white() };
    assert_eq!(input["white_wants"], "warp");
    assert!(matches!(reason(&position, &wants), Reason::Claimed { .. }));
    let back = Action::Fire {
        ship: black(),
        torpedoes: 1,
        target: Target::Ship(white()),
        tubes: vec!["front-1".parse().unwrap()],
    };
    let position = act(&position, &back);
    order.push("black fire".to_string());
    assert!(matches!(reason(&position, &wants), Reason::Stopped { .. }));
    let position = act(&pay(&position), &Action::Resume);
    if position.is_legal(&wants) {
        order.push("then white may warp".to_string());
    }
    json!({ "order": order })
}
