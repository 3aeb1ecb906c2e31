//! The schemas of every game describe what is read and printed: each field of it, with an example
//! that fits and is read.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::schemas::{fits, schema, whole};
use serde_json::{Value, json};
use sightline::rules::{Document, Form, Game};

const DOCUMENTS: [Document; 4] = [
    Document::Setup,
    Document::State,
    Document::Action,
    Document::Judgement,
];

/// The example of a schema.
fn example(game: Game, document: Document) -> Value {
    let schema = schema(game, document);
    let examples = schema["examples"].as_array();
    let examples = examples.unwrap_or_else(|| panic!("{game} {document:?} has no example"));
    assert_eq!(examples.len(), 1, "{game} {document:?}");
    examples[0].clone()
}

fn judge(game: Game, state: &Value, actions: &[Value]) -> Result<Value, String> {
    let bytes = |value: &Value| serde_json::to_vec(value).unwrap();
    let actions: Vec<Vec<u8>> = actions.iter().map(bytes).collect();
    let told = game.core().judge(&bytes(state), &actions, Form::Json);
    told.map(|text| serde_json::from_str(&text).unwrap())
        .map_err(|e| e.to_string())
}

#[test]
fn each_schema_of_each_game_holds_an_example_that_fits_it() {
    for game in Game::ALL {
        for document in DOCUMENTS {
            fits(&schema(*game, document), &example(*game, document));
        }
    }
}

#[test]
fn judge_reads_each_example_and_prints_what_the_schema_says() {
    for game in Game::ALL {
        let state = example(*game, Document::State);
        let told = judge(*game, &state, &[]).unwrap();
        assert_eq!(told, example(*game, Document::Judgement), "{game}");
        // The set-up alone, with the copy's defaults, is read too.
        let setup = json!({ "setup": example(*game, Document::Setup) });
        judge(*game, &setup, &[]).unwrap();
        // The action is one that the example state allows; what follows fits as well.
        let then = judge(*game, &state, &[example(*game, Document::Action)]);
        let then = then.unwrap_or_else(|e| panic!("{game}: {e}"));
        fits(&schema(*game, Document::Judgement), &then);
        // And what is printed as a state is read again.
        let again = judge(*game, &then["state"], &[]).unwrap();
        assert_eq!(again["calls"], then["calls"], "{game}");
    }
}

/// Every field has a sentence that says what it is.
#[test]
fn every_field_of_a_state_and_a_judgement_is_documented() {
    for game in Game::ALL {
        for document in [Document::State, Document::Judgement] {
            let schema = schema(*game, document);
            let defs = schema["$defs"].as_object().unwrap();
            let named = defs.iter().map(|(name, def)| (name.as_str(), def));
            for (name, def) in named.chain([("(top)", &schema)]) {
                let fields = def["properties"].as_object().into_iter().flatten();
                for (field, rule) in fields {
                    let said = rule["description"].is_string()
                        || rule["$ref"].as_str().is_some_and(|to| {
                            schema.pointer(&to[1..]).unwrap()["description"].is_string()
                        });
                    assert!(said, "{game} {document:?} {name}.{field} is not explained");
                }
            }
        }
    }
}

/// Every place in a value that an object's field or a list's item is at.
fn places(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            let at = format!("{at}/{name}");
            out.push(at.clone());
            places(field, at, out);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| {
            places(item, format!("{at}/{i}"), out);
        }),
        _ => {}
    }
}

/// The reader of schemas is worth something: it notices what is wrong with a problem or a call.
#[test]
fn what_does_not_fit_is_noticed() {
    for game in Game::ALL {
        let schema = schema(*game, Document::Judgement);
        let good = example(*game, Document::Judgement);
        let problem = json!({ "code": "some_fault", "where": "table", "what": "odd" });
        // One call of each sort is enough.
        let mut sorts = BTreeSet::new();
        let calls = good["calls"].as_array().unwrap().iter();
        let calls = calls.filter(|call| {
            let sort = call.get("call").unwrap_or(&call["what"]["is"]);
            sorts.insert(sort.as_str().unwrap().to_string())
        });
        let calls = calls.map(|call| ("calls", call.clone()));
        let mut tried = 0;
        for (list, item) in calls.chain([("problems", problem)]) {
            let rule = &schema["properties"][list]["items"];
            whole(&schema, rule, &item).unwrap_or_else(|e| panic!("{game}: {e}"));
            tried += damaged_in_every_place(&item, |bad| whole(&schema, rule, bad).is_err());
        }
        assert!(tried > 20, "{game}: only {tried} fields were taken away");
        let mut more = good.clone();
        more["state"]["colour-of-the-sky"] = json!("red");
        assert!(whole(&schema, &schema, &more).is_err(), "{game}");
    }
}

/// Answers with how many fields were taken away in vain.
fn damaged_in_every_place(good: &Value, is_bad: impl Fn(&Value) -> bool) -> usize {
    let mut all = Vec::new();
    places(good, String::new(), &mut all);
    let mut tried = 0;
    for at in all {
        let (parent, name) = at.rsplit_once('/').unwrap();
        // A field of another type, and one that nobody knows.
        let mut bad = good.clone();
        *bad.pointer_mut(&at).unwrap() = json!({ "colour": "red" });
        assert!(is_bad(&bad), "{at} may be anything");
        let mut bad = good.clone();
        bad.pointer_mut(parent).unwrap()["colour"] = json!("red");
        assert!(is_bad(&bad), "{parent} may hold anything");
        // A word that is none of those it can be.
        if ["verdict", "call", "is", "choose", "game"].contains(&name) {
            let mut bad = good.clone();
            *bad.pointer_mut(&at).unwrap() = json!("perhaps");
            assert!(is_bad(&bad), "{at} may be any word");
        }
        // What is always there.
        let always = [
            "verdict", "call", "what", "is", "because", "rule", "step", "text", "game", "section",
            "code", "where",
        ];
        if always.contains(&name) {
            let mut bad = good.clone();
            let fields = bad.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            fields.remove(name);
            assert!(is_bad(&bad), "{at} may be missing");
            tried += 1;
        }
    }
    tried
}
