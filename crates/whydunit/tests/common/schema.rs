//! Checks a JSON document against a JSON schema.
//!
//! Of JSON Schema it knows what our own schema (draft 2020-12) and that of SARIF (draft 7) use. Whatever else a schema
//! says is an error here, so nothing is left unchecked. References are to definitions of the same schema.
#![allow(dead_code, reason = "each test that has this module uses some of it")]

use serde_json::{Map, Value};

/// What becomes of fields that a schema does not describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undescribed {
    /// It is as the schema says: they are allowed, unless it forbids them.
    AsTheSchemaSays,
    /// They are errors, even if the schema allows them: somebody forgot to describe them.
    Forbidden,
}

#[derive(Debug)]
pub struct Schema {
    root: Value,
    undescribed: Undescribed,
}

/// So many errors are enough to see what is wrong.
const MOST_ERRORS: usize = 20;

impl Schema {
    pub fn new(text: &str, undescribed: Undescribed) -> Result<Schema, String> {
        let root = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(Schema { root, undescribed })
    }

    /// All is well, or what is not.
    pub fn check(&self, document: &Value) -> Result<(), String> {
        let mut check = Check { schema: self, errors: Vec::new() };
        check.value(&self.root, document, "");
        match check.errors.len() {
            0 => Ok(()),
            _ => {
                check.errors.truncate(MOST_ERRORS);
                Err(check.errors.join("\n"))
            }
        }
    }

    /// The properties that have no description, as paths.
    pub fn without_description(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), &self.root)];
        while let Some((path, value)) = open.pop() {
            match value {
                Value::Object(fields) => {
                    for (name, value) in fields {
                        open.push((format!("{path}/{name}"), value));
                    }
                    if let Some(Value::Object(properties)) = fields.get("properties") {
                        for (name, property) in properties {
                            if property["description"].as_str().is_none_or(str::is_empty) {
                                found.push(format!("{path}/properties/{name}"));
                            }
                        }
                    }
                }
                Value::Array(items) => {
                    open.extend(items.iter().map(|item| (format!("{path}/…"), item)));
                }
                _ => {}
            }
        }
        found
    }
}

struct Check<'s> {
    schema: &'s Schema,
    errors: Vec<String>,
}

impl Check<'_> {
    fn fail(&mut self, path: &str, what: &str) {
        let path = if path.is_empty() { "/" } else { path };
        self.errors.push(format!("{path}: {what}"));
    }

    fn value(&mut self, schema: &Value, value: &Value, path: &str) {
        let rules = match schema {
            Value::Object(rules) => rules,
            Value::Bool(true) => return,
            _ => return self.fail(path, "nothing is allowed here"),
        };
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "$schema" | "$id" | "title" | "description" | "default" | "$defs"
                | "definitions" => {}
                "$ref" => {
                    let found = rule.as_str().and_then(|target| target.strip_prefix('#'));
                    match found.and_then(|pointer| self.schema.root.pointer(pointer)) {
                        Some(target) => self.value(target, value, path),
                        None => self.fail(path, &format!("there is no schema {rule}")),
                    }
                }
                "type" => {
                    let is_one = match rule {
                        Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                        name => has_type(value, name),
                    };
                    if !is_one {
                        self.fail(path, &format!("{} is not of type {rule}", shown(value)));
                    }
                }
                "enum" => {
                    if !rule.as_array().is_some_and(|values| values.contains(value)) {
                        self.fail(path, &format!("{} is not one of {rule}", shown(value)));
                    }
                }
                "anyOf" | "oneOf" => self.alternatives(keyword, rule, value, path),
                "format" => self.format(rule, value, path),
                "minimum" | "maximum" => self.limit(keyword, rule, value, path),
                "required" | "properties" | "additionalProperties" => {}
                "minItems" | "uniqueItems" | "items" => self.list(keyword, rule, value, path),
                // There is nothing here that a pattern is asked for.
                "pattern" => self.fail(path, &format!("cannot compare with the pattern {rule}")),
                _ => self.fail(path, &format!("the schema says {keyword}, which is not known")),
            }
        }
        if let Value::Object(fields) = value {
            self.fields(rules, fields, path);
        }
    }

    fn alternatives(&mut self, keyword: &str, rule: &Value, value: &Value, path: &str) {
        let mut fitting = 0;
        let mut errors = Vec::new();
        for alternative in rule.as_array().into_iter().flatten() {
            let mut check = Check { schema: self.schema, errors: Vec::new() };
            check.value(alternative, value, path);
            match check.errors.is_empty() {
                true => fitting += 1,
                false => errors.append(&mut check.errors),
            }
        }
        if fitting == 0 {
            self.errors.append(&mut errors);
        } else if keyword == "oneOf" && fitting > 1 {
            self.fail(path, "it fits several alternatives");
        }
    }

    fn format(&mut self, rule: &Value, value: &Value, path: &str) {
        let Some(text) = value.as_str() else { return };
        let is_reference = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte));
        let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        });
        let fits = match rule.as_str() {
            Some("uri") => is_reference && has_scheme,
            Some("uri-reference") => is_reference,
            _ => false,
        };
        if !fits {
            self.fail(path, &format!("{} has not the format {rule}", shown(value)));
        }
    }

    fn limit(&mut self, keyword: &str, rule: &Value, value: &Value, path: &str) {
        let (Some(limit), Some(number)) = (rule.as_f64(), value.as_f64()) else { return };
        if (keyword == "minimum" && number < limit) || (keyword == "maximum" && number > limit) {
            self.fail(path, &format!("{number} is beyond the {keyword} {limit}"));
        }
    }

    fn list(&mut self, keyword: &str, rule: &Value, value: &Value, path: &str) {
        let Some(items) = value.as_array() else { return };
        match keyword {
            "minItems" => {
                if (items.len() as u64) < rule.as_u64().unwrap_or(u64::MAX) {
                    self.fail(path, "there are too few items");
                }
            }
            "uniqueItems" => {
                let mut texts: Vec<String> = items.iter().map(Value::to_string).collect();
                texts.sort();
                if *rule == true && texts.windows(2).any(|pair| pair[0] == pair[1]) {
                    self.fail(path, "an item is there twice");
                }
            }
            _ => {
                for (number, item) in items.iter().enumerate() {
                    self.value(rule, item, &format!("{path}/{number}"));
                }
            }
        }
    }

    fn fields(&mut self, rules: &Map<String, Value>, fields: &Map<String, Value>, path: &str) {
        for name in rules.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !name.as_str().is_some_and(|name| fields.contains_key(name)) {
                self.fail(path, &format!("{name} is missing"));
            }
        }
        let properties = rules.get("properties").and_then(Value::as_object);
        let others = rules.get("additionalProperties");
        for (name, value) in fields {
            let path = format!("{path}/{name}");
            match (properties.and_then(|known| known.get(name)), others) {
                (Some(rule), _) | (None, Some(rule)) => self.value(rule, value, &path),
                (None, None) if properties.is_none() => {}
                (None, None) => {
                    if self.schema.undescribed == Undescribed::Forbidden {
                        self.fail(&path, "the schema does not describe it");
                    }
                }
            }
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}
