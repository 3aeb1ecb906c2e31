//! What a group may play otherwise: the rules' options and numbers, one by one, for a person to choose.

use serde_json::Value;

use crate::rules::dice_duel::Print;

/// The tables of the rules' print that a group may have otherwise.
const TABLES: [&str; 2] = ["options", "numbers"];

/// One option, or one number.
#[derive(Debug, Clone, PartialEq)]
pub struct HouseRule {
    /// `options` or `numbers`.
    pub table: &'static str,
    pub name: String,
    /// What it is where nobody says otherwise.
    pub usual: Value,
    /// All that it may be, where it is a word.
    pub words: Vec<String>,
    /// What it is about, a sentence.
    pub says: String,
}

impl HouseRule {
    /// All of Dice Duel's.
    pub fn all() -> Vec<Self> {
        // both are the program's own, and are as they are; what is not found there is not shown
        let usual = serde_json::to_value(Print::default()).unwrap_or_default();
        let schema = schemars::schema_for!(Print).to_value();
        let mut all = Vec::new();
        for table in TABLES {
            let described = schema.pointer(&format!("/properties/{table}"));
            let described = described.map(|d| resolved(&schema, d));
            for (name, usual) in usual
                .get(table)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                let field = described.and_then(|d| d.pointer(&format!("/properties/{name}")));
                let says = field
                    .and_then(|f| f.get("description"))
                    .and_then(Value::as_str);
                all.push(Self {
                    table,
                    name: name.clone(),
                    usual: usual.clone(),
                    words: field
                        .map(|f| words(resolved(&schema, f)))
                        .unwrap_or_default(),
                    says: says.unwrap_or_default().replace('\n', " "),
                });
            }
        }
        all
    }

    /// What an owner's `rules` say of it; `None` where they leave it as it is.
    pub fn said(&self, rules: &toml::Table) -> Option<Value> {
        let said = rules.get(self.table)?.get(&self.name)?;
        serde_json::to_value(said).ok()
    }

    /// Writes what it is to be; what is as usual stands nowhere.
    pub fn say(&self, rules: &mut toml::Table, value: &Value) {
        let said = toml::Value::try_from(value).ok();
        let said = said.filter(|_| *value != self.usual);
        let table = rules
            .entry(self.table)
            .or_insert_with(|| toml::Table::new().into());
        if let Some(table) = table.as_table_mut() {
            match said {
                Some(said) => drop(table.insert(self.name.clone(), said)),
                None => drop(table.remove(&self.name)),
            }
            if table.is_empty() {
                rules.remove(self.table);
            }
        }
    }
}

/// A part of the schema itself, where it is only named.
fn resolved<'a>(schema: &'a Value, part: &'a Value) -> &'a Value {
    let named = part.get("$ref").and_then(Value::as_str);
    let there = named.and_then(|n| schema.pointer(n.trim_start_matches('#')));
    there.unwrap_or(part)
}

/// The words that a part of the schema allows.
fn words(part: &Value) -> Vec<String> {
    let one_of = part.get("oneOf").and_then(Value::as_array);
    let each = one_of.into_iter().flatten().flat_map(|one| {
        let all = one.get("enum").and_then(Value::as_array);
        one.get("const")
            .into_iter()
            .chain(all.into_iter().flatten())
    });
    let plain = part.get("enum").and_then(Value::as_array);
    let all = each.chain(plain.into_iter().flatten());
    all.filter_map(|w| w.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_and_number_is_there_with_what_it_may_be() {
        let all = HouseRule::all();
        let rule = |name: &str| all.iter().find(|r| r.name == name).expect("a rule");
        assert_eq!(
            rule("arc").words,
            ["quadrant_inclusive", "quadrant_exclusive"]
        );
        assert_eq!(rule("hull").usual, 4);
        assert!(
            rule("fire_unloaded")
                .says
                .starts_with("May a launch be declared")
        );
        for rule in &all {
            assert!(!rule.says.is_empty(), "{}", rule.name);
            // a word is one that may be chosen
            if let Some(usual) = rule.usual.as_str() {
                assert!(rule.words.iter().any(|w| w == usual), "{}", rule.name);
            }
        }
    }

    #[test]
    fn only_what_differs_is_written() {
        let all = HouseRule::all();
        let hull = all.iter().find(|r| r.name == "hull").expect("a rule");
        let mut rules = toml::Table::new();
        hull.say(&mut rules, &Value::from(5));
        assert_eq!(rules.to_string(), "[numbers]\nhull = 5\n");
        assert_eq!(hull.said(&rules), Some(Value::from(5)));
        hull.say(&mut rules, &hull.usual);
        assert!(rules.is_empty());
        assert_eq!(hull.said(&rules), None);
    }
}
