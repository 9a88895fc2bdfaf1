//! A suite, as text and as JSON.

use serde_json::{Value, json as object};

use crate::suite::{SuiteReport, TestReport, TestVerdict};

/// How many failing tests are listed.
const MOST_NAMES: usize = 8;

/// How the tests went, and which failure is explained.
pub fn suite_text(suite: &SuiteReport) -> String {
    let mut out = format!("{}\n", suite.summary());
    for verdict in TestVerdict::ALL.into_iter().filter(|verdict| verdict.is_failure()) {
        let tests = suite.tests.iter().filter(|test| test.verdict == verdict);
        let names: Vec<&str> = tests.map(|test| test.name.as_str()).collect();
        if names.is_empty() {
            continue;
        }
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let shown = names[..names.len().min(MOST_NAMES)].join(", ");
        out += &format!("{}: {shown}{more}\n", verdict.words());
    }
    let failing = suite.tests.iter().filter(|test| test.verdict.is_failure()).count();
    if let Some(first) = suite.explained.first().and_then(|&test| suite.tests.get(test)) {
        let why = match failing {
            1 => "",
            _ if is_shortest(suite, first) => ", the shortest failing run",
            _ => "",
        };
        out += &format!("This is test {}{why}:\n\n", first.name);
    }
    out
}

fn is_shortest(suite: &SuiteReport, test: &TestReport) -> bool {
    let failing = suite.tests.iter().filter(|test| test.verdict.is_failure());
    failing.map(|test| test.instructions).min() == Some(test.instructions)
}

pub fn suite_value(suite: &SuiteReport) -> Value {
    let mut value = object!({ "tests": suite.tests.len() });
    for verdict in TestVerdict::ALL {
        value[verdict.name()] = suite.count(verdict).into();
    }
    let name = |&test: &usize| suite.tests.get(test).map(|test| test.name.clone());
    value["explained"] = suite.explained.iter().filter_map(name).collect();
    value["results"] = suite.tests.iter().map(test_value).collect();
    value
}

fn test_value(test: &TestReport) -> Value {
    let mut value = object!({
        "name": test.name,
        "verdict": test.verdict.name(),
        "kind": test.kind.map(|kind| kind.name()),
        "instructions": test.instructions,
    });
    if let Some(what) = test.forgiven {
        value["differs_in"] = what.into();
    }
    value
}
