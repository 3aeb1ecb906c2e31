//! The schemas describe what is read and printed: every field, for every position tried.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "rules_dice_duel_support.rs"]
mod support;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sightline::rules::dice_duel::*;
use sightline::rules::{Core as _, Document};
use support::{Rng, blur, choose, correction, table};

fn schema(of: Document) -> Value {
    serde_json::to_value(Core.schema(of)).unwrap()
}

/// Checks a value against a schema, as far as ours go, and that every field of it is described:
/// more than a schema asks. Answers with the fields that are.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<BTreeSet<String>, String> {
    let mut described = BTreeSet::new();
    let Some(schema) = schema.as_object() else {
        return match schema {
            Value::Bool(true) => Ok(described),
            _ => Err(format!("nothing is allowed here, not {value}")),
        };
    };
    for (key, rule) in schema {
        match key.as_str() {
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let to = root
                    .pointer(path)
                    .expect("a reference that leads somewhere");
                described.extend(check(root, to, value)?);
            }
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "integer" => value.is_i64() || value.is_u64(),
                    other => panic!("type {other}"),
                };
                let fits = match rule {
                    Value::Array(any) => any.iter().any(|t| is(t.as_str().unwrap())),
                    one => is(one.as_str().unwrap()),
                };
                if !fits {
                    return Err(format!("{value} is no {rule}"));
                }
            }
            "const" if rule != value => return Err(format!("{value} is not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                return Err(format!("{value} is none of {rule}"));
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    described.insert(name.clone());
                    if let Some(field) = value.get(name) {
                        whole(root, rule, field).map_err(|e| format!("{name}: {e}"))?;
                    }
                }
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|n| n.as_str().unwrap());
                for name in names {
                    if value.get(name).is_none() {
                        return Err(format!("{name} is missing in {value}"));
                    }
                }
            }
            "items" => {
                let first = schema
                    .get("prefixItems")
                    .map_or(0, |p| p.as_array().unwrap().len());
                for item in value.as_array().into_iter().flatten().skip(first) {
                    whole(root, rule, item)?;
                }
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (rule, item) in rule.as_array().unwrap().iter().zip(items) {
                    whole(root, rule, item)?;
                }
            }
            "minItems" | "maxItems" | "minimum" | "maximum" => {
                let n = match key.as_str() {
                    "minItems" | "maxItems" => value.as_array().map(|a| a.len() as i64),
                    _ => value.as_i64(),
                };
                let limit = rule.as_i64().unwrap();
                let within = n.is_none_or(|n| match key.starts_with("min") {
                    true => n >= limit,
                    false => n <= limit,
                });
                if !within {
                    return Err(format!("{value}: {key} is {limit}"));
                }
            }
            "allOf" => {
                for rule in rule.as_array().unwrap() {
                    described.extend(check(root, rule, value)?);
                }
            }
            "oneOf" | "anyOf" => {
                let tried: Vec<_> = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|rule| check(root, rule, value))
                    .collect();
                let fits: Vec<_> = tried.iter().filter_map(|r| r.as_ref().ok()).collect();
                if fits.is_empty() || (key == "oneOf" && fits.len() > 1) {
                    return Err(format!("{value} fits {} of {key}: {tried:?}", fits.len()));
                }
                described.extend(fits.into_iter().flatten().cloned());
            }
            _ => {}
        }
    }
    Ok(described)
}

fn whole(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let described = check(root, schema, value)?;
    for field in value.as_object().into_iter().flat_map(|o| o.keys()) {
        if !described.contains(field) {
            return Err(format!("{field} is not described: {value}"));
        }
    }
    Ok(())
}

fn fits(schema: &Value, value: &Value) {
    if let Err(error) = whole(schema, schema, value) {
        panic!("{error}");
    }
}

#[test]
fn each_schema_holds_an_example_that_fits_it_and_is_read() {
    let documents = [
        Document::Setup,
        Document::State,
        Document::Action,
        Document::Judgement,
    ];
    for document in documents {
        let schema = schema(document);
        let examples = schema["examples"].as_array().expect("an example");
        assert_eq!(examples.len(), 1, "{document:?}");
        fits(&schema, &examples[0]);
        let bytes = serde_json::to_vec(&examples[0]).unwrap();
        match document {
            Document::Setup => {
                serde_json::from_slice::<Setup>(&bytes).unwrap();
            }
            Document::State => {
                State::from_json(&bytes).unwrap();
            }
            Document::Action => {
                Action::from_json(&bytes).unwrap();
            }
            Document::Judgement => {
                let state = serde_json::to_vec(&examples[0]["state"]).unwrap();
                let again = State::from_json(&state).unwrap().judge();
                let calls = serde_json::to_value(&again.calls).unwrap();
                assert_eq!(calls, examples[0]["calls"]);
            }
        }
    }
}

/// Every field has a sentence that says what it is.
#[test]
fn every_field_of_a_state_and_a_judgement_is_documented() {
    for document in [Document::State, Document::Judgement] {
        let schema = schema(document);
        let defs = schema["$defs"].as_object().unwrap();
        let named = defs.iter().map(|(name, def)| (name.as_str(), def));
        for (name, def) in named.chain([("(top)", &schema)]) {
            // A reason and a call's subject are documented as a whole.
            if ["Reason", "What", "Call", "Choice", "Owed", "Target"].contains(&name) {
                continue;
            }
            let fields = def["properties"].as_object().into_iter().flatten();
            for (field, rule) in fields {
                let said = rule["description"].is_string()
                    || rule["$ref"].as_str().is_some_and(|to| {
                        schema.pointer(&to[1..]).unwrap()["description"].is_string()
                    });
                assert!(said, "{document:?} {name}.{field} is not explained");
            }
        }
    }
}

#[test]
fn what_is_printed_and_read_is_as_the_schemas_say() {
    let judgements = schema(Document::Judgement);
    let states = schema(Document::State);
    let actions = schema(Document::Action);
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
        fits(&states, &serde_json::to_value(&state).unwrap());
        let judgement = Judgement::of(position.clone(), problems);
        fits(&judgements, &serde_json::to_value(&judgement).unwrap());
        for _ in 0..12 {
            let told = Action::Correct(correction(&mut rng, &position));
            fits(&actions, &serde_json::to_value(&told).unwrap());
            let Some(action) = choose(&mut rng, &position) else {
                break;
            };
            fits(&actions, &serde_json::to_value(&action).unwrap());
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

/// The check above is worth something: it notices what is wrong.
#[test]
fn what_does_not_fit_is_noticed() {
    let judgements = schema(Document::Judgement);
    let good = judgements["examples"][0].clone();
    let wrong: [(&str, Value); 5] = [
        ("/calls/0/verdict", json!("perhaps")),
        ("/calls/0/because", json!("so")),
        ("/problems/0/code", json!(3)),
        ("/state/setup/ships/0/square", json!("here")),
        ("/calls", json!({})),
    ];
    for (at, value) in wrong {
        let mut bad = good.clone();
        *bad.pointer_mut(at).expect(at) = value;
        assert!(whole(&judgements, &judgements, &bad).is_err(), "{at}");
    }
    let mut more = good.clone();
    more["calls"][0]["colour"] = json!("red");
    assert!(whole(&judgements, &judgements, &more).is_err());
}
