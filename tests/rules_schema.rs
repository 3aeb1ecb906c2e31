//! The schemas of every game hold an example each, which fits its schema and is read.

// A test that cannot go on should stop at the line that says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sightline::rules::{Document, Form, Game};

/// Checks a value against a schema, as far as ours go; answers with the fields that it describes.
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
                    "number" => value.is_number(),
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
                        check(root, rule, field).map_err(|e| format!("{name}: {e}"))?;
                    }
                }
            }
            "additionalProperties" if *rule == Value::Bool(false) => {
                let known = schema.get("properties").and_then(Value::as_object);
                for field in value.as_object().into_iter().flat_map(|o| o.keys()) {
                    if !known.is_some_and(|k| k.contains_key(field)) {
                        return Err(format!("{field} is not known in {value}"));
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
                    check(root, rule, item)?;
                }
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (rule, item) in rule.as_array().unwrap().iter().zip(items) {
                    check(root, rule, item)?;
                }
            }
            "minItems" | "maxItems" | "minimum" | "maximum" => {
                let n = match key.as_str() {
                    "minItems" | "maxItems" => value.as_array().map(|a| a.len() as i64),
                    _ => value.as_i64(),
                };
                let Some(limit) = rule.as_i64() else { continue };
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

const DOCUMENTS: [Document; 4] = [
    Document::Setup,
    Document::State,
    Document::Action,
    Document::Judgement,
];

fn schema(game: Game, document: Document) -> Value {
    serde_json::to_value(game.core().schema(document)).unwrap()
}

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
            let schema = schema(*game, document);
            let example = example(*game, document);
            if let Err(error) = check(&schema, &schema, &example) {
                panic!("{game} {document:?}: {error}");
            }
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
        let schema = schema(*game, Document::Judgement);
        check(&schema, &schema, &then).unwrap_or_else(|e| panic!("{game}: {e}"));
        // And what is printed as a state is read again.
        let again = judge(*game, &then["state"], &[]).unwrap();
        assert_eq!(again["calls"], then["calls"], "{game}");
    }
}

/// The check above is worth something: it notices what is wrong.
#[test]
fn what_does_not_fit_is_noticed() {
    for game in Game::ALL {
        let schema = schema(*game, Document::Judgement);
        let good = example(*game, Document::Judgement);
        let wrong = [("/calls", json!({}))];
        for (at, value) in wrong {
            let mut bad = good.clone();
            *bad.pointer_mut(at).expect(at) = value;
            assert!(check(&schema, &schema, &bad).is_err(), "{game}: {at}");
        }
        let mut more = good.clone();
        more["state"]["colour-of-the-sky"] = json!("red");
        assert!(check(&schema, &schema, &more).is_err(), "{game}");
    }
}
