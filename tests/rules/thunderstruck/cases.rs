//! Every worked case of Thunderstruck Duel, as data, through the public API.
//!
//! The dispatcher is here, not in the product: it turns a case's input into a position or an
//! action, and what comes of it back into the case's words.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::schemas::fits_judgement;
use serde_json::{Value, json};
use sightline::rules::thunderstruck::*;
use sightline::rules::{Game, Verdict};

const OURS: &str = include_str!("../../data/thunderstruck_cases.json");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/rules/cases.json");

type Case = (String, String, Value, Value);

fn cases(json: &str) -> Vec<Case> {
    let all: Vec<Value> = serde_json::from_str(json).expect("the case file is broken");
    let ours = all
        .into_iter()
        .filter(|c| c["id"].as_str().unwrap().starts_with("TS-"));
    ours.map(|c| {
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
    assert_eq!(cases.len(), 23, "the data file lost cases");
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
    fits_judgement(Game::Thunderstruck, &judgement);
}

fn read(text: &str) -> Position {
    on(&Print::default(), text)
}

fn act(position: &Position, action: &Action) -> Position {
    match position.clone().play(action) {
        Ok((after, _)) => {
            shown(&after);
            after
        }
        Err(refused) => panic!("{action}: {}", refused.because),
    }
}

fn n(value: &Value) -> u8 {
    u8::try_from(value.as_u64().unwrap()).unwrap()
}

fn list(value: &Value) -> Vec<u8> {
    value.as_array().unwrap().iter().map(n).collect()
}

fn words(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect()
}

const A: ShipId = ShipId::A;
const B: ShipId = ShipId::B;

/// Fires with a die of `reach` from `at` spaces behind b, b showing its rear or front.
fn shoot(reach: u8, distance: u8, front: bool, shields: &[&str]) -> (Position, Call, Action) {
    let heading = if front { "anticlockwise" } else { "clockwise" };
    let up = match shields.is_empty() {
        true => String::new(),
        false => format!("  shields {}\n", shields.join(" ")),
    };
    let position = read(&format!(
        "a 1.0 clockwise\n  fire-1: {reach}\n  boost-1: 1\nb 1.{distance} {heading}\n{up}  boost-1: 1\n"
    ));
    let what = What::Fire {
        ship: A,
        from: Spot::Fire1,
        target: B,
    };
    let call = position.call(what);
    let aim = Some(Aim {
        target: B,
        way: Heading::Clockwise,
    });
    (
        position,
        call,
        Action::Fire {
            ship: A,
            from: Spot::Fire1,
            aim,
        },
    )
}

fn run(kind: &str, input: &Value, expected: &Value) -> Value {
    match kind {
        "plan_legal" => plan_legal(input),
        "boost" => boost(input),
        "fire" => {
            let (position, call, fire) =
                shoot(n(&input["die"]), n(&input["distance"]), true, &["mid"]);
            let hit = !act(&position, &fire).flow().owed.is_empty();
            assert_eq!(hit, call.verdict == Verdict::Hit);
            json!({ "direct_hit": hit })
        }
        "hit" => hit(input),
        "shield_space" => {
            // The one shield space that takes the die; on any other it is taken off.
            let takes = |shield: &&Shield| {
                let text = format!(
                    "a 1.0 clockwise\n  {}: {}\nb 1.9 clockwise\n",
                    shield.spot(),
                    input["die"]
                );
                let setup: Setup = text.parse().unwrap();
                setup.resolve(&Print::default()).1.is_empty()
            };
            let spaces: Vec<&Shield> = Shield::ALL.iter().filter(takes).collect();
            assert_eq!(spaces.len(), 1);
            json!({ "space": spaces[0].name() })
        }
        "power" => {
            let position = read(&format!(
                "a 1.0 clockwise\n  power-2: {}\n  cubes {}\nb 1.9 clockwise\n",
                input["die"], input["cubes"]
            ));
            let after = act(
                &position,
                &Action::Power {
                    ship: A,
                    from: Spot::Power2,
                },
            );
            json!({ "cubes": after.ship(A).unwrap().cubes().value().unwrap() })
        }
        "manoeuvre" => manoeuvre(input),
        "destroyed" => {
            let spots: Vec<String> = words(&input["damaged"])
                .iter()
                .map(|s| s.replace("fire", "fire-"))
                .collect();
            // By the table as it is seen, and by the token that does it.
            let seen = read(&format!(
                "a 1.0 clockwise\n  damage {}\nb 1.9 clockwise\n",
                spots.join(" ")
            ));
            let position = read(&format!(
                "a 1.3 clockwise\n  damage {}\n  shields front\nb 1.9 clockwise\n  boost-1: 1\nflow {}\n",
                spots[0], r#"{"turn":"b","owed":[{"answer":{"ship":"a","side":"front"}}]}"#
            ));
            let damage = spots[1].parse().unwrap();
            let after = act(
                &position,
                &Action::Answer {
                    ship: A,
                    shield: Shield::Front,
                    damage,
                },
            );
            let gone = after.ship(A).unwrap().is_retired();
            assert_eq!(seen.ship(A).unwrap().is_retired(), gone);
            json!({ "destroyed": gone })
        }
        "damage_on_shield_space" => {
            let position = read(&format!(
                "a 1.3 clockwise\n  shields front rear mid\nb 1.9 clockwise\n  boost-1: 1\nflow {}\n",
                r#"{"turn":"b","owed":[{"answer":{"ship":"a","side":"front"}}]}"#
            ));
            let damage = Spot::ShieldRear;
            let after = act(
                &position,
                &Action::Answer {
                    ship: A,
                    shield: Shield::Mid,
                    damage,
                },
            );
            let up = after
                .ship(A)
                .unwrap()
                .shield(Shield::Rear)
                .known()
                .copied()
                .unwrap();
            json!({ "shield_active": up })
        }
        "reflex" => reflex(input),
        "game_end" => {
            let damage = |ship: &str| {
                let spots = [Spot::Power1, Spot::Power2, Spot::Fire1];
                let tokens = usize::from(n(&input["damage"][ship]));
                spots[..tokens]
                    .iter()
                    .map(|s| s.name())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            let position = read(&format!(
                "a 1.0 clockwise\n  damage {}\nb 1.9 clockwise\n  damage {}\nflow {{\"round\":{},\"phase\":\"round_end\"}}\n",
                damage("a"),
                damage("b"),
                input["round_completed"]
            ));
            let outcome = position.outcome().unwrap();
            assert_eq!(outcome.by, EndedBy::Rounds);
            json!({ "winner": outcome.winners[0].name() })
        }
        _ => panic!("no way to run a case of kind {kind}: {input} {expected}"),
    }
}

fn plan_legal(input: &Value) -> Value {
    let print = Print::default();
    let position = Setup::start(&print, 2).resolve(&print).0;
    let mut dice = Vec::new();
    let others = [Spot::Fire1, Spot::Power1, Spot::Fire2];
    for (key, spots) in [
        ("boost", Duty::Boost.spots()),
        ("manoeuvre", Duty::Manoeuvre.spots()),
        ("other", &others[..]),
    ] {
        let count = usize::from(n(&input[key]));
        dice.extend(
            spots
                .iter()
                .take(count)
                .map(|at| Placed { at: *at, shows: 3 }),
        );
    }
    let plan = Plan {
        dice,
        aside: Vec::new(),
    };
    let faults = position.plan_faults(A, &plan);
    // The lifted screen is judged the same way.
    let ready = [A, B]
        .iter()
        .fold(position, |p, ship| act(&p, &Action::Ready { ship: *ship }));
    let shown = ready.play(&Action::Reveal { ship: A, plan });
    assert_eq!(shown.is_ok(), faults.is_empty());
    json!({ "legal": faults.is_empty() })
}

fn boost(input: &Value) -> Value {
    let dice = list(&input["dice"]);
    let spots = &Duty::Boost.spots()[..dice.len()];
    let lines: String = spots
        .iter()
        .zip(&dice)
        .map(|(s, n)| format!("  {s}: {n}\n"))
        .collect();
    let ahead = input.get("occupied_ahead").map(list).unwrap_or_default();
    let other = ahead.first().copied().unwrap_or(20);
    let position = read(&format!(
        "a 1.0 clockwise\n{lines}b 1.{other} clockwise\n  boost-1: 2\n"
    ));
    let from = spots.to_vec();
    let call = position.call(What::Boost {
        ship: A,
        from: from.clone(),
    });
    let after = act(&position, &Action::Boost { ship: A, from });
    let at = after.ship(A).unwrap().space().known().unwrap().at;
    assert_eq!(call.numbers.ends_at.unwrap().at, at);
    assert_eq!(after.ship(A).unwrap().boosted().len(), dice.len());
    if !ahead.is_empty() {
        return json!({ "ends_at": at });
    }
    let mut out = json!({ "spaces": call.numbers.spaces.unwrap().value().unwrap() });
    if input.get("together").is_some() {
        // Both dice are gone, and one turn with them.
        out["single_move"] = json!(after.flow().turn == B);
    }
    out
}

fn hit(input: &Value) -> Value {
    let shields = words(&input["shields"]);
    let front = input.get("from").is_none_or(|f| f == "front");
    let (position, call, fire) = shoot(6, 3, front, &shields);
    assert_eq!(call.verdict, Verdict::Hit);
    let after = act(&position, &fire);
    if after.ship(B).unwrap().is_retired() {
        assert_eq!(call.numbers.destroys, Some(true));
        assert_eq!(after.outcome().unwrap().winners, [A]);
        return json!({ "destroyed": true });
    }
    let asked = after.call(What::Answer { ship: B });
    let mut chooses: Vec<&str> = asked.numbers.shields.iter().map(|s| s.name()).collect();
    chooses.sort_by_key(|name| shields.iter().position(|s| s == name));
    let answer = after.legal_actions().into_iter().next().unwrap();
    let tokens = act(&after, &answer).ship(B).unwrap().damage_count();
    json!({ "defender_chooses": chooses, "damage_tokens": tokens.value().unwrap() })
}

fn manoeuvre(input: &Value) -> Value {
    let dice = |many: &str, one: &str| match input.get(many) {
        Some(dice) if dice.is_array() => list(dice),
        Some(die) => vec![n(die)],
        None => vec![n(&input[one])],
    };
    let (mine, theirs) = (dice("mine_dice", "mine"), dice("theirs", "theirs"));
    let lines = |dice: &[u8]| -> String {
        let spots = Duty::Manoeuvre.spots().iter().zip(dice);
        spots.map(|(s, n)| format!("  {s}: {n}\n")).collect()
    };
    let position = read(&format!(
        "a 1.0 clockwise\n{}b 1.9 clockwise\n  boost-1: 1\n{}",
        lines(&mine),
        lines(&theirs)
    ));
    let after = act(&position, &Action::Manoeuvre { ship: A });
    let Some(Owed::Steer { ship, .. }) = after.flow().owed.first().copied() else {
        return json!({ "winner": null });
    };
    let mut options: Vec<&str> = after
        .legal_actions()
        .iter()
        .map(|action| match action {
            Action::Steer {
                course: Course::Flip,
                ..
            } => "flip",
            Action::Steer {
                course: Course::Nothing,
                ..
            } => "nothing",
            Action::Steer {
                course: Course::Warp { .. },
                ..
            } => "warp",
            other => panic!("{other}"),
        })
        .collect();
    options.dedup();
    let winner = if ship == A { "me" } else { "them" };
    json!({ "winner": winner, "options": options })
}

fn reflex(input: &Value) -> Value {
    let (boost, manoeuvre) = (list(&input["boost_total"]), list(&input["manoeuvre_total"]));
    let text = format!(
        "a 1.0 clockwise\n  boosted {}\n  manoeuvred {}\nb 1.9 clockwise\n  boosted {}\n  manoeuvred {}\nflow {{\"phase\":\"round_end\"}}\n",
        boost[0], manoeuvre[0], boost[1], manoeuvre[1]
    );
    let takers = |reflex_to| {
        let mut print = Print::default();
        print.options.reflex_to = reflex_to;
        let position = on(&print, &text);
        let call = position.call(What::NextRound);
        let may: Vec<ShipId> = position
            .legal_actions()
            .into_iter()
            .filter_map(|action| match action {
                Action::NextRound { reflex } => reflex,
                _ => None,
            })
            .collect();
        (call.numbers.lowest, may)
    };
    let (lowest, literal) = takers(ReflexTo::Opponent);
    let (_, catch_up) = takers(ReflexTo::Lowest);
    assert_eq!(lowest, Some(A));
    assert_eq!(
        (literal.as_slice(), catch_up.as_slice()),
        (&[B][..], &[A][..])
    );
    json!({
        "lowest": format!("player A ({} and {})", boost[0], manoeuvre[0]),
        "reflex_to_literal": "opponent of A",
        "reflex_to_catch_up_reading": "A",
    })
}
