//! What is to be said of tests besides how they went.

use std::collections::BTreeMap;

use report::TestReport;

use super::read::Case;

pub fn some_names(cases: &[Case]) -> String {
    listed(&cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>())
}

fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let more = if names.len() > MOST { ", …" } else { "" };
    names[..names.len().min(MOST)].join(", ") + more
}

/// That tests are not run, and why.
pub fn skipped(cases: &[Case]) -> Vec<String> {
    let all = cases.iter().filter_map(|case| Some((case.skipped.as_deref()?, case.name.as_str())));
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (why, name) in all {
        reasons.entry(why).or_default().push(name);
    }
    let note = |(why, names): (&str, Vec<&str>)| match names[..] {
        [name] => format!("test {name} was skipped: {why}"),
        _ => format!("tests {} were skipped: {why}", listed(&names)),
    };
    reasons.into_iter().map(note).collect()
}

/// That outputs of passing tests are not exactly the expected ones.
pub fn forgiven(tests: &[TestReport]) -> Vec<String> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for test in tests {
        if let Some(what) = test.forgiven {
            found.entry(what).or_default().push(&test.name);
        }
    }
    let note = |(what, names): (&str, Vec<&str>)| {
        let of = match names.len() {
            1 => format!("test {}, which passed,", names[0]),
            n => format!("{n} tests that passed ({})", listed(&names)),
        };
        format!("the output of {of} differs from the expected one only in {what}")
    };
    found.into_iter().map(note).collect()
}
