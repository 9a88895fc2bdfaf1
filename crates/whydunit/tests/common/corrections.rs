//! The corrections of a program of the corpus, compared with what is expected.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Difference;
use super::expectations::{Expectations, InSets};

/// Compares the lines of corrections. They must be complete.
pub fn compare(
    expected: &Expectations,
    report: &Value,
    difference: &mut Difference,
) -> Result<(), String> {
    let answer = &report["diagnoses"]["corrections"];
    if answer["complete"] != true || report["refuted"] != Value::Array(Vec::new()) {
        return Err(format!(
            "corrections are undecided: {}, or refuted: {}",
            answer["undecided"], report["refuted"]
        ));
    }
    let found = found(answer);
    hits_all(answer)?;
    let mut lines: BTreeSet<usize> = expected.lines.keys().copied().collect();
    lines.extend(found.keys());
    let text = |in_sets: InSets| match in_sets {
        InSets::Together => "corrections".to_owned(),
        InSets::Alone => "corrections: alone".to_owned(),
    };
    for number in lines {
        let wanted = expected.lines.get(&number).and_then(|line| line.corrections);
        difference.note(number, wanted.map(text), found.get(&number).copied().map(text));
    }
    Ok(())
}

fn sets(answer: &Value) -> impl Iterator<Item = &Vec<Value>> {
    answer["sets"].as_array().into_iter().flatten().filter_map(Value::as_array)
}

/// The lines that are in sets.
fn found(answer: &Value) -> BTreeMap<usize, InSets> {
    let mut found: BTreeMap<usize, InSets> = BTreeMap::new();
    for set in sets(answer) {
        let how = if set.len() == 1 { InSets::Alone } else { InSets::Together };
        for place in set {
            let line = place["line"].as_u64().unwrap_or(0) as usize;
            let known = found.entry(line).or_insert(how);
            *known = how.max(*known);
        }
    }
    found
}

/// Every set has one of the statements that it must have one of.
fn hits_all(answer: &Value) -> Result<(), String> {
    let must = answer["must"].as_array().ok_or("there is no set that must be changed")?;
    match sets(answer).find(|set| !set.iter().any(|place| must.contains(place))) {
        Some(set) => Err(format!("{set:?} has none of {must:?}")),
        None => Ok(()),
    }
}
