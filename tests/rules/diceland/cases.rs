//! Every worked case of the rule text and its facts, as data, through the public API.
//!
//! The dispatcher is here, not in the product: it lays out a table that is as the case says, and
//! turns what comes of it back into the case's words.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::support::*;
use crate::schemas::fits_judgement;
use serde_json::{Value, json};
use sightline::rules::diceland::*;
use sightline::rules::{Game, Span, Verdict};

const OURS: &str = include_str!("../../data/diceland_cases.json");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/rules/cases.json");

fn cases(json: &str) -> Vec<(String, String, Value, Value)> {
    let all: Vec<Value> = serde_json::from_str(json).expect("the case file is broken");
    all.into_iter()
        .filter(|c| c["id"].as_str().is_some_and(|id| id.starts_with("DL-")))
        .map(|c| {
            let text = |key: &str| c[key].as_str().unwrap().to_string();
            let value = |key: &str| c[key].clone();
            (text("id"), text("kind"), value("input"), value("expected"))
        })
        .collect()
}

#[test]
fn every_case_comes_out_as_it_should() {
    let cases = cases(OURS);
    assert_eq!(cases.len(), 26, "the data file lost cases");
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

/// The shared file is the source; where it is at hand, ours must not have drifted from it. A CI
/// without it runs our copy alone, and this compares nothing there.
#[test]
fn our_cases_are_those_of_the_shared_file() {
    let Ok(shared) = std::fs::read_to_string(SHARED) else {
        eprintln!("no shared case file here: nothing to compare with");
        return;
    };
    assert_eq!(cases(OURS), cases(&shared));
}

/// What is printed of the positions that a case comes to is as the schema says.
fn shown(position: &Position) {
    let judgement = Judgement::of(position.clone(), Vec::new());
    fits_judgement(Game::Diceland, &judgement);
}

fn run(kind: &str, input: &Value, expected: &Value) -> Value {
    match kind {
        "visible_angle" => visible_angle(input, expected),
        "targets" => targets(input, expected),
        "attack_value" => attack_value(input),
        "hit" => hit_case(input),
        "army_max" => army_case(input),
        "win" => win(input),
        "off_table_thrown" => off_table(input, true),
        "off_table_others" => off_table(input, false),
        other => json!({ "unknown kind": other }),
    }
}

/// Looks round the horizon, far away, half a degree at a time, with a die small enough to be a
/// point.
fn visible_angle(input: &Value, expected: &Value) -> Value {
    let arrows = input["arrows"].as_u64().unwrap() as usize;
    let mut values = [None; 3];
    values.iter_mut().take(arrows).for_each(|v| *v = Some(1));
    let shooter = made(
        "shooter",
        &Made {
            top: Box::new(move |f| weapon(f, Range::All, Colour::Yellow, values)),
            ..Made::default()
        },
    );
    let mut print = print_of(vec![shooter, made("target", &Made::default())]);
    print.edge_mm = 50.8;
    let steps = 720;
    let mut seen = Vec::new();
    for step in 0..steps {
        let turn = (f64::from(step) + 0.5) * 360.0 / f64::from(steps);
        let far = 90_000.0;
        let (x, y) = (
            turn.to_radians().sin() * far,
            -turn.to_radians().cos() * far,
        );
        let position = resolve(
            &print,
            vec![
                at("shooter", Player::One, "shooter", "8", [0.0, 0.0], 0.0, 0.0),
                at("target", Player::Two, "target", "8", [x, y], 0.0, 0.0),
            ],
        );
        let what = What::See {
            die: id("shooter"),
            target: id("target"),
        };
        let calls = position.calls();
        seen.push(find(&calls, &what).unwrap().verdict == Verdict::May);
        if step % 90 == 0 {
            shown(&position);
        }
    }
    let count = seen.iter().filter(|s| **s).count() as f64 * 360.0 / f64::from(steps);
    let blind: Vec<usize> = (0..seen.len()).filter(|i| !seen[*i]).collect();
    let mut out = json!({ "visible_deg": count.round() as i64 });
    if expected.get("blind_deg").is_some() {
        out["blind_deg"] = json!((360.0 - count).round() as i64);
        // The wedge opens behind the corner without an arrow: here the left one, at 240 degrees.
        let middle = blind.iter().sum::<usize>() as f64 / blind.len() as f64 / 2.0;
        assert!((middle - 240.0).abs() < 1.0, "the wedge is at {middle}");
    }
    out
}

fn list(value: &Value) -> Vec<u64> {
    let all = value.as_array().cloned().unwrap_or_default();
    all.iter().map(|v| v.as_u64().unwrap()).collect()
}

/// The dice of a case lie ahead of the shooter where they are visible and behind it where they
/// are not, a hundred millimetres for each unit of distance.
fn targets(input: &Value, expected: &Value) -> Value {
    let range = match input["arrow"].as_str().unwrap() {
        "short" => Range::Short,
        "long" => Range::Long,
        _ => Range::All,
    };
    let colour = Colour::Yellow;
    let mut kinds = vec![made(
        "shooter",
        &Made {
            top: Box::new(move |f| weapon(f, range, colour, [Some(4), None, None])),
            ..Made::default()
        },
    )];
    let mut dice = vec![at(
        "shooter",
        Player::One,
        "shooter",
        "8",
        [0.0, 0.0],
        0.0,
        0.5,
    )];
    for (name, visible) in input["visible"].as_object().unwrap() {
        let number: u64 = name.parse().unwrap();
        let has = |key: &str| list(&input[key]).contains(&number);
        let (cloaked, dodges) = (has("cloaked"), has("dodge"));
        let immune = input["immune"][name] == json!("yellow");
        let distance = input["dist"][name].as_f64().unwrap() * 100.0;
        let owner = if has("allies") {
            Player::One
        } else {
            Player::Two
        };
        kinds.push(made(
            &format!("kind-{name}"),
            &Made {
                top: Box::new(move |f| {
                    f.immune = immune.then_some(colour);
                    f.effects.extend(cloaked.then_some(Effect::Cloak));
                    f.effects.extend(dodges.then_some(Effect::Dodge));
                }),
                ..Made::default()
            },
        ));
        let ahead = if visible == &json!(true) { -1.0 } else { 1.0 };
        // Side by side a little, so that nothing lies in anything.
        let aside = number as f64 * 70.0 - 140.0;
        let away = (distance + 60.0) * ahead;
        dice.push(at(
            &format!("die-{name}"),
            owner,
            &format!("kind-{name}"),
            "8",
            [aside, away],
            0.0,
            0.5,
        ));
    }
    let position = resolve(&print_of(kinds), dice);
    shown(&position);
    let calls = position.calls();
    let number =
        |target: DieId| -> u64 { target.as_str().trim_start_matches("die-").parse().unwrap() };
    let mut hits: Vec<(u8, u64, Verdict)> = calls
        .iter()
        .filter_map(|c| match c.what {
            What::Fire { target, .. } if c.verdict != Verdict::Cannot => {
                Some((c.numbers.order.unwrap_or(0), number(target), c.verdict))
            }
            _ => None,
        })
        .collect();
    hits.sort_by_key(|(order, n, _)| (*order, *n));
    assert!(hits.iter().all(|(_, _, v)| v.is_sure()), "{hits:?}");
    let numbers: Vec<u64> = hits.iter().map(|(_, n, _)| *n).collect();
    // What is offered is accepted, and nothing else.
    for other in position.dice().iter().filter(|d| d.id() != id("shooter")) {
        let target = (range == Range::Long).then_some(other.id());
        let fire = Action::Fire {
            die: id("shooter"),
            target,
        };
        let listed = range != Range::Long || numbers.contains(&number(other.id()));
        assert_eq!(position.is_legal(&fire), listed, "{}", other.id());
    }
    let mut out = match range {
        Range::Short => json!({ "targets": numbers }),
        Range::Long => json!({ "choose_one_of": numbers }),
        Range::All => json!({ "targets_in_order": numbers }),
    };
    if expected.get("effect").is_some() {
        let none = hits.iter().all(|(_, _, v)| *v == Verdict::Miss);
        out["effect"] = json!(if none { "none" } else { "some" });
        let fire = Action::Fire {
            die: id("shooter"),
            target: None,
        };
        let after = position.clone().play(&fire).unwrap().0;
        assert_eq!(after.dice(), position.dice(), "an immune die was moved");
    }
    if expected.get("can_hit_2").is_some() {
        out["can_hit_2"] = json!(numbers.contains(&2));
    }
    out
}

fn attack_value(input: &Value) -> Value {
    let seen: Vec<&str> = input["seen_by"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    let names = ["top", "right", "left"];
    let value = |name: &str| Some(input["arrows"][name].as_u64().unwrap() as u16);
    let values = names.map(value);
    let shooter = made(
        "shooter",
        &Made {
            top: Box::new(move |f| weapon(f, Range::Short, Colour::Yellow, values)),
            ..Made::default()
        },
    );
    let print = print_of(vec![shooter, made("target", &Made::default())]);
    // Where all round is the target seen by just these arrows?
    for step in 0..360 {
        let turn = f64::from(step).to_radians();
        let there = [turn.sin() * 400.0, -turn.cos() * 400.0];
        let position = resolve(
            &print,
            vec![
                at("shooter", Player::One, "shooter", "8", [0.0, 0.0], 0.0, 0.1),
                at("target", Player::Two, "target", "8", there, 0.0, 0.1),
            ],
        );
        let calls = position.calls();
        let call = find(
            &calls,
            &What::Fire {
                die: id("shooter"),
                after: None,
                target: id("target"),
            },
        )
        .unwrap();
        let mut by: Vec<String> = call.numbers.arrows.iter().map(Corner::to_string).collect();
        by.sort();
        let mut wanted: Vec<String> = seen.iter().map(|s| s.to_string()).collect();
        wanted.sort();
        if by == wanted {
            let [attack] = call.numbers.attack.as_slice() else {
                continue;
            };
            shown(&position);
            return json!({ "attack": attack });
        }
    }
    json!("nowhere on the table")
}

fn hit_case(input: &Value) -> Value {
    let number = |key: &str| input[key].as_u64().map(|n| n as u16);
    let attack = number("attack").unwrap();
    let side = number("side").unwrap_or(8) as u8;
    let shooter = made(
        "shooter",
        &Made {
            top: Box::new(move |f| {
                weapon(f, Range::Short, Colour::Yellow, [Some(attack), None, None]);
            }),
            ..Made::default()
        },
    );
    let mut target = made("target", &Made::default());
    if side > 1 {
        target.faces[0].block = number("block");
    }
    target.faces[0]
        .effects
        .extend(number("shield_x").map(Effect::Shield));
    let red = target.faces[0].red().unwrap();
    let print = print_of(vec![shooter, target]);
    let (x, y) = (0.0, -300.0);
    let mut setup = Setup {
        dice: vec![
            at("shooter", Player::One, "shooter", "8", [0.0, 0.0], 0.0, 0.1),
            at(
                "target",
                Player::Two,
                "target",
                &side.to_string(),
                [x, y],
                0.0,
                0.1,
            ),
        ],
        ..Setup::default()
    };
    if input["pinned"] == json!(true) {
        // A wall where the die would roll to.
        let way = direction(0.0, red);
        let side = Vec2::new(-way.y, way.x) * 200.0;
        let near = Vec2::new(x, y) + way * 32.0;
        let far = near + way * 20.0;
        setup.table.things.push(ThingSetup {
            name: "wall".into(),
            outline_mm: [near - side, near + side, far + side, far - side]
                .map(|p| [p.x, p.y])
                .to_vec(),
        });
    }
    let position = setup.resolve(&print).0;
    let fire = Action::Fire {
        die: id("shooter"),
        target: None,
    };
    let calls = position.calls();
    let what = What::Fire {
        die: id("shooter"),
        after: None,
        target: id("target"),
    };
    let foretold = find(&calls, &what).unwrap().numbers.outcomes.clone();
    shown(&position);
    let (after, _) = position.clone().play(&fire).unwrap();
    shown(&after);
    let target = after.die(id("target")).unwrap();
    let result = if !target.is_in_play() {
        assert_eq!(foretold, [Outcome::Kill]);
        assert_eq!(after.score(Player::One), Span::known(5));
        "killed"
    } else if after.dice() == position.dice() {
        assert_eq!(foretold, [Outcome::NoEffect]);
        "no effect"
    } else {
        assert_eq!(target.face().known(), Some(&face("7")));
        "damage one step"
    };
    json!({ "result": result })
}

fn army_case(input: &Value) -> Value {
    let teams = input["teams"].as_u64().unwrap();
    let smallest = input["smallest"].as_u64().unwrap() as u16;
    let of = |team, points| Made {
        team,
        points,
        ..Made::default()
    };
    let mut kinds = vec![made("small", &of("terran", smallest))];
    let large = smallest.max(3);
    let other = if teams > 1 { "garthan" } else { "terran" };
    kinds.push(made("large", &of(other, large)));
    let dice = ["small", "large"]
        .into_iter()
        .map(|name| DieSetup::in_hand(id(name), Player::One, kind(name)))
        .collect();
    let position = resolve(&print_of(kinds), dice);
    shown(&position);
    let army = position.army(Player::One);
    let max = army.most.unwrap();
    assert_eq!(max, army_max(&RuleNumbers::default(), teams == 1, smallest));
    json!({ "max": max })
}

fn win(input: &Value) -> Value {
    let score = input["score"].as_u64().unwrap() as u16;
    let won = |points: u16| {
        let mut setup = Setup::default();
        setup.score.one = Span::known(points);
        let position = setup.resolve(&Print::default()).0;
        shown(&position);
        position.winner() == Some(Player::One)
    };
    assert!(!won(score - 1), "one point less wins too");
    json!({ "win": won(score) })
}

fn off_table(input: &Value, thrown_too: bool) -> Value {
    let key = if thrown_too {
        "others_off"
    } else {
        "others_off_points"
    };
    let points: Vec<u16> = list(&input[key]).iter().map(|n| *n as u16).collect();
    let mut kinds = vec![made("thrown", &Made::default())];
    let mut dice = vec![DieSetup::in_hand(id("thrown"), Player::One, kind("thrown"))];
    let mut knocks = Vec::new();
    for (i, points) in points.iter().enumerate() {
        let name = format!("other-{i}");
        kinds.push(made(
            &name,
            &Made {
                points: *points,
                ..Made::default()
            },
        ));
        // Whoever owns them.
        let owner = if i % 2 == 0 { Player::One } else { Player::Two };
        let there = [i as f64 * 200.0, 0.0];
        dice.push(at(&name, owner, &name, "8", there, 0.0, 0.5));
        knocks.push(Knock {
            die: id(&name),
            lands: None,
        });
    }
    let position = resolve(&print_of(kinds), dice);
    let lands = (!thrown_too).then_some(Landing {
        face: face("8"),
        at_mm: [0.0, 300.0],
        heading_deg: 0.0,
        error: None,
    });
    let throw = Action::Throw {
        throw: Throw::Hand { die: id("thrown") },
        lands,
        knocks,
    };
    let after = position.play(&throw).unwrap().0;
    shown(&after);
    assert_eq!(after.score(Player::One), Span::known(0));
    for die in after.dice().iter().filter(|d| !d.is_in_play()) {
        assert_eq!(die.lies(), &Lies::Hand, "{} is not in the hand", die.id());
    }
    let scores = after.score(Player::Two).value().unwrap();
    if thrown_too {
        json!({ "opponent_scores": scores, "to": "hand" })
    } else {
        json!({ "opponent_scores": scores })
    }
}
