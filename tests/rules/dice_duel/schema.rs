//! Dice Duel's schemas describe what is read and printed, for every position tried.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use super::support::{self, Rng, blur, choose, correction, table};
use crate::schemas::{fits, schema};
use sightline::rules::dice_duel::*;
use sightline::rules::{Document, Game};

#[test]
fn what_is_printed_and_read_is_as_the_schemas_say() {
    let judgements = schema(Game::DiceDuel, Document::Judgement);
    let states = schema(Game::DiceDuel, Document::State);
    let actions = schema(Game::DiceDuel, Document::Action);
    let mut calls = BTreeSet::new();
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let print = support::print(&mut rng);
        let mut setup = table(&mut rng, &print);
        if seed % 2 == 0 {
            blur(&mut rng, &mut setup, 5);
        }
        let (mut position, problems) = setup.resolve(&print);
        let state = State { print, setup };
        fits(&states, &state);
        let judgement = Judgement::of(position.clone(), problems);
        fits(&judgements, &judgement);
        for _ in 0..12 {
            let told = Action::Correct(correction(&mut rng, &position));
            fits(&actions, &told);
            let Some(action) = choose(&mut rng, &position) else {
                break;
            };
            fits(&actions, &action);
            position = position.play(&action).unwrap().0;
            let judgement = Judgement::of(position.clone(), Vec::new());
            let printed = serde_json::to_value(&judgement).unwrap();
            for call in printed["calls"].as_array().unwrap() {
                calls.insert(call["call"].as_str().unwrap().to_string());
            }
            fits(&judgements, &printed);
        }
    }
    assert!(calls.len() >= 11, "only {calls:?}");
}
