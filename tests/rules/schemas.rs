//! A reader of schemas, as far as ours go, and what the schema tests of all games ask of it.

// A test that cannot go on should stop at the line that says why; and every test takes what it
// needs from here.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use sightline::rules::{Document, Game};

pub fn schema(game: Game, document: Document) -> Value {
    serde_json::to_value(game.core().schema(document)).unwrap()
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
                        whole(root, rule, field).map_err(|e| format!("{name}: {e}"))?;
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
                    "minItems" | "maxItems" => value.as_array().map(|a| a.len() as f64),
                    _ => value.as_f64(),
                };
                let limit = rule.as_f64().unwrap();
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

pub fn whole(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let described = check(root, schema, value)?;
    for field in value.as_object().into_iter().flat_map(|o| o.keys()) {
        if !described.contains(field) {
            return Err(format!("{field} is not described: {value}"));
        }
    }
    Ok(())
}

/// A value that is printed or read is as its schema says, and no field of it goes unsaid.
pub fn fits(schema: &Value, value: &impl Serialize) {
    let value = serde_json::to_value(value).unwrap();
    if let Err(error) = whole(schema, schema, &value) {
        panic!("{error}");
    }
}

/// The same for a judgement, by the schema that the program prints.
pub fn fits_judgement(game: Game, judgement: &impl Serialize) {
    thread_local! {
        static KNOWN: std::cell::RefCell<Vec<(Game, Value)>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        if !known.iter().any(|(g, _)| *g == game) {
            known.push((game, schema(game, Document::Judgement)));
        }
        let (_, schema) = known.iter().find(|(g, _)| *g == game).unwrap();
        fits(schema, judgement);
    });
}
