//! Every worked case of Nearspace, as data, through the public API.
//!
//! The dispatcher is here, not in the product: it turns a case's input into a position or an
//! action, and what comes of it back into the case's words.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::schemas::fits_judgement;
use serde_json::{Value, json};
use sightline::rules::nearspace::*;
use sightline::rules::{Game, Span, Verdict};

const OURS: &str = include_str!("../../data/nearspace_cases.json");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/rules/cases.json");
const A: PlayerId = PlayerId::A;

type Case = (String, String, Value, Value);

fn cases(json: &str) -> Vec<Case> {
    let all: Vec<Value> = serde_json::from_str(json).expect("the case file is broken");
    let ours = all
        .into_iter()
        .filter(|c| c["id"].as_str().unwrap().starts_with("NS-"));
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
    assert_eq!(cases.len(), 12, "the data file lost cases");
    let mut wrong = Vec::new();
    for (id, kind, input, expected) in &cases {
        let got = run(kind, input);
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

fn read(text: &str) -> Position {
    let setup: Setup = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (position, problems) = setup.resolve(&Print::default());
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    shown(&position);
    position
}

/// What is printed of every position that a case comes to is as the schema says.
fn shown(position: &Position) {
    let judgement = Judgement::of(position.clone(), Vec::new());
    fits_judgement(Game::Nearspace, &judgement);
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

fn list(value: &Value) -> Vec<u16> {
    let values = value.as_array().unwrap().iter();
    values
        .map(|v| u16::try_from(v.as_u64().unwrap()).unwrap())
        .collect()
}

/// Twenty-sided engine dice, some of them stored.
fn engine(idle: usize, stored: &[u16]) -> Position {
    let mut text = String::from("turn a engine\na homeworld 5\n");
    for _ in 0..idle {
        text += "  die d20 idle\n";
    }
    for n in stored {
        text += &format!("  die d20 stored {n}\n");
    }
    read(&text)
}

fn energy(position: &Position) -> u16 {
    position
        .call(What::Energy { player: A })
        .unwrap()
        .numbers
        .energy
        .unwrap()
        .value()
        .unwrap()
}

/// Dice that are rolled in the next turn: the turn is played to there.
fn rolled_next(position: &Position) -> u16 {
    let said = position
        .call(What::Energy { player: A })
        .unwrap()
        .numbers
        .dice
        .unwrap();
    let next = act(position, &Action::EndTurn { player: A });
    let next = act(&next, &Action::EndBuild { player: A });
    let rolls = next.call(What::Roll { player: A }).unwrap();
    assert_eq!(rolls.numbers.dice, Some(said));
    said
}

fn run(kind: &str, input: &Value) -> Value {
    match kind {
        "engine_store" => {
            let (roll, keep) = (list(&input["roll"]), list(&input["keep"]));
            let position = act(
                &engine(roll.len(), &[]),
                &Action::Roll {
                    player: A,
                    shows: roll.clone(),
                },
            );
            let mut kept = position;
            for n in keep {
                let die = roll.iter().position(|r| *r == n).unwrap();
                kept = act(&kept, &Action::Keep { player: A, die });
            }
            json!({ "energy_now": energy(&kept), "next_turn_dice_rolled": rolled_next(&kept) })
        }
        "engine_store_next" => {
            let (roll, kept) = (list(&input["roll"]), list(&input["kept"]));
            let position = engine(roll.len(), &kept);
            let rolled = act(
                &position,
                &Action::Roll {
                    player: A,
                    shows: roll,
                },
            );
            json!({ "energy_available": energy(&rolled) })
        }
        "engine_charge" => {
            let (roll, discard) = (list(&input["roll"]), list(&input["discard"]));
            let mut position = act(
                &engine(roll.len(), &[]),
                &Action::Roll {
                    player: A,
                    shows: roll.clone(),
                },
            );
            // "6a" is the first die that shows 6, "6b" the second.
            let again = input["reroll"].as_object().unwrap().iter();
            for ((name, shows), gone) in again.zip(discard) {
                let (number, nth) = name.split_at(name.len() - 1);
                let number: u16 = number.parse().unwrap();
                let nth = usize::from(nth.as_bytes()[0] - b'a');
                let mut dice = roll.iter().enumerate().filter(|(_, n)| **n == number);
                let reroll = dice.nth(nth).unwrap().0;
                let remove = roll.iter().position(|n| *n == gone).unwrap();
                let shows = u16::try_from(shows.as_u64().unwrap()).unwrap();
                position = act(
                    &position,
                    &Action::Charge {
                        player: A,
                        remove,
                        reroll,
                        shows,
                    },
                );
            }
            json!({ "energy_now": energy(&position), "next_turn_dice_rolled": rolled_next(&position) })
        }
        "artifice" => artifice(input),
        "check" => {
            let (number, roll) = (&input["number"], &input["roll"]);
            let position = read(&format!("check d8 for {number} rolled {roll}\n"));
            let call = position.call(What::Check { check: 0 }).unwrap();
            assert!(call.verdict.is_sure());
            json!({ "success": call.verdict == Verdict::May })
        }
        "die_legal" => {
            let faces = list(&input["faces"])
                .into_iter()
                .map(|n| u8::try_from(n).unwrap());
            let ruling = DieClaim::new(faces).judge(&Print::default().dice);
            let mut out = json!({ "legal": ruling.legal.unwrap() });
            if let (Some(true), Some(size)) = (ruling.needs_permission, ruling.counts_as) {
                out["needs_permission"] = json!(true);
                out["counts_as"] = json!(format!("d{size}"));
            }
            out
        }
        "terraform" => {
            let kind = match input["kind"].as_str().unwrap() {
                "normal sector" => "system",
                "space sector" => "space",
                home => home,
            };
            let position = read(&format!(
                "turn a build\na homeworld 5\n  cp 10\nsector {kind} a:yes b:no\n"
            ));
            let call = position
                .call(What::Terraform {
                    player: A,
                    sector: 0,
                })
                .unwrap();
            let purpose = Purpose::Terraform { sector: 0 };
            let begun = |cost| {
                position
                    .clone()
                    .play(&Action::Begin {
                        player: A,
                        purpose,
                        cost,
                    })
                    .is_ok()
            };
            match call.numbers.cp {
                Some(cp) => {
                    assert!(begun(cp) && !begun(cp + 1));
                    json!({ "cp": cp })
                }
                None => {
                    assert!(![5, 10].into_iter().any(begun));
                    json!({ "allowed": call.verdict != Verdict::Cannot })
                }
            }
        }
        "hand_cycle" => {
            let cards = input["cards"].as_u64().unwrap();
            let mut position = read(
                "turn a build\na homeworld 5\n  cp 9\n  resource 9\n  hand event hero other sector\n",
            );
            for _ in 0..cards {
                let drawn = Some(CardKind::Directive);
                position = act(
                    &position,
                    &Action::Cycle {
                        player: A,
                        card: 0,
                        drawn,
                    },
                );
            }
            let player = position.player(A).unwrap();
            assert_eq!((player.hand.len(), player.resource), (4, Span::known(6)));
            json!({ "cp": 9 - player.cp.value().unwrap() })
        }
        _ => panic!("no way to run a case of kind {kind}: {input}"),
    }
}

/// Played turn by turn: every build phase brings the Homeworld's artifice CP anew.
fn artifice(input: &Value) -> Value {
    let (target, cp) = (&input["target"], &input["cp_per_turn"]);
    let mut position = read(&format!(
        "turn a build\na homeworld {cp}\n  artifice {cp}\n  project artifice cost {target} banked 0\n"
    ));
    let said = position
        .call(What::Invest {
            player: A,
            project: 0,
        })
        .unwrap()
        .numbers;
    let mut turns = 1;
    let left_over = loop {
        let player = position.player(A).unwrap();
        let project = player.projects[0];
        let left = project.cost - project.banked.value().unwrap();
        let pool = player.artifice.value().unwrap();
        position = act(
            &position,
            &Action::Invest {
                player: A,
                project: 0,
                points: left.min(pool),
            },
        );
        if left <= pool {
            let done = act(
                &position,
                &Action::Complete {
                    player: A,
                    project: 0,
                    with: None,
                },
            );
            assert!(done.player(A).unwrap().projects.is_empty());
            break done.player(A).unwrap().artifice.value().unwrap();
        }
        for action in [
            Action::EndBuild { player: A },
            Action::Roll {
                player: A,
                shows: Vec::new(),
            },
            Action::EndTurn { player: A },
        ] {
            position = act(&position, &action);
        }
        turns += 1;
    };
    assert_eq!((said.turns, said.left_over), (Some(turns), Some(left_over)));
    json!({ "turns": turns, "left_over": left_over })
}
