//! The trees of causes of the examples of paper 5, and what holds of every tree.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

/// The tree of a program of the corpus.
fn report(file: &str, options: &[&str], arguments: &[&str]) -> Value {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut command = common::whydunit();
    command.current_dir(corpus).arg(file).args(["--technique", "cascade", "--format", "json"]);
    command.args(options);
    if !arguments.is_empty() {
        command.arg("--").args(arguments).arg("--");
    }
    let run = common::finish(&mut command).unwrap();
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["refuted"], Value::Array(Vec::new()), "{file}");
    report
}

fn tree(report: &Value) -> &Value {
    &report["diagnoses"]["cascade"]["tree"]
}

fn line(location: &Value) -> u64 {
    location["line"].as_u64().unwrap_or(0)
}

/// The lines of a cause, that of the condition among them.
fn lines(entry: &Value) -> BTreeSet<u64> {
    let statements = entry["cause"].as_array().unwrap().iter().map(line);
    statements.chain([line(&entry["condition"])]).collect()
}

fn children(entry: &Value) -> &[Value] {
    entry["children"].as_array().unwrap()
}

/// All entries, with their levels.
fn entries(entry: &Value) -> Vec<&Value> {
    let mut all = vec![entry];
    let mut next = 0;
    while let Some(&entry) = all.get(next) {
        all.extend(children(entry));
        next += 1;
    }
    all
}

/// The line of each condition with its level.
fn conditions(report: &Value) -> BTreeSet<(u64, u64)> {
    let all = entries(tree(report)).into_iter();
    all.map(|entry| (entry["level"].as_u64().unwrap(), line(&entry["condition"]))).collect()
}

fn set(lines: &[u64]) -> BTreeSet<u64> {
    lines.iter().copied().collect()
}

#[test]
fn table_1() {
    let report = report("c/paper5-table1-pointer.c", &[], &[]);
    // The lines 0, 2, 3, 4 and 8 of the paper.
    assert_eq!(lines(tree(&report)), set(&[7, 9, 11, 12, 16]));
}

#[test]
fn figure_3() {
    for (file, first, second) in [
        ("c/paper5-fig3-guarded.c", set(&[8, 11, 12]), set(&[9, 10])),
        ("papers/cascade-fig3.bpl", set(&[7, 10, 12]), set(&[8, 9])),
    ] {
        let report = report(file, &[], &[]);
        let root = tree(&report);
        assert_eq!(lines(root), first, "{file}");
        assert_eq!(children(root).len(), 1, "{file}");
        assert_eq!(lines(&children(root)[0]), second, "{file}");
        assert_eq!(children(root)[0]["children"], Value::Array(Vec::new()), "{file}");
    }
}

#[test]
fn figure_6() {
    let report = report("c/paper5-fig6-omission.c", &[], &[]);
    let root = tree(&report);
    assert_eq!(lines(root), set(&[7, 13, 15]));
    let below: Vec<BTreeSet<u64>> = children(root).iter().map(lines).collect();
    assert_eq!(below, [set(&[7, 9]), set(&[7, 10])]);
    // The condition inside the branch that was not taken is not critical.
    assert!(entries(root).iter().all(|entry| line(&entry["condition"]) != 11));
    for influence in root["influenced_by"].as_array().unwrap() {
        assert_eq!(influence["confirmed"], true, "{influence}");
    }
}

#[test]
fn figure_1() {
    let report = report("c/paper5-fig1-triangle.c", &[], &["6", "5", "4"]);
    // The check, the assignment (with the way back from the function), the inputs.
    assert_eq!(lines(tree(&report)), set(&[49, 25, 38, 47]));
    let conditions = conditions(&report);
    assert!(conditions.contains(&(1, 23)), "{conditions:?}");
    for critical in [19, 15, 21] {
        assert!(conditions.contains(&(2, critical)), "{critical}: {conditions:?}");
    }
    assert!(conditions.iter().all(|&(_, line)| line != 17), "{conditions:?}");
}

#[test]
fn depth_is_limited() {
    let report = report("c/paper5-fig1-triangle.c", &["--depth", "1"], &["6", "5", "4"]);
    let levels = conditions(&report).into_iter().map(|(level, _)| level);
    assert_eq!(levels.max(), Some(1));
    assert_eq!(report["diagnoses"]["cascade"]["complete"], false);
}

#[test]
fn benign_causes_are_left_out() {
    let file = "c/paper5-fig1-triangle.c";
    let benign = |places: &[&str]| {
        let options: Vec<&str> = places.iter().flat_map(|&place| ["--benign", place]).collect();
        conditions(&report(file, &options, &["6", "5", "4"]))
    };
    // Without the switch, there is nothing that leads to the condition of the shape.
    let pruned = benign(&["paper5-fig1-triangle.c:23"]);
    for gone in [23, 19, 21] {
        assert!(pruned.iter().all(|&(_, line)| line != gone), "{gone}: {pruned:?}");
    }
    assert!(pruned.contains(&(1, 45)), "{pruned:?}");
    // The comparison of the sides also guards other things.
    let pruned = benign(&["19"]);
    assert!(pruned.iter().all(|&(_, line)| line != 19), "{pruned:?}");
    assert!(pruned.contains(&(2, 15)), "{pruned:?}");
}

#[test]
fn benign_places_are_checked() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    for (place, message) in [
        ("x", "expected FILE:LINE"),
        ("nowhere.c:3", "no statement on this line"),
        ("paper5-fig3-guarded.c:9999", "no statement on this line"),
    ] {
        let mut command = common::whydunit();
        command.current_dir(&corpus).args(["paper5-fig3-guarded.c", "--benign", place]);
        let run = common::finish(&mut command).unwrap();
        assert_eq!(run.status, Some(2), "{place}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_trusted_function_is_no_cause() {
    let options = ["--trust", "area_of"];
    let report = report("c/paper5-fig1-triangle.c", &options, &["6", "5", "4"]);
    for entry in entries(tree(&report)) {
        assert!(lines(entry).iter().all(|line| !(10..40).contains(line)), "{entry}");
    }
    // What it was given is.
    assert!(lines(tree(&report)).contains(&47));
}

/// What the optimisations change and what they do not: the tree of the paper's examples stays as it is without slicing
/// and with all questions asked.
#[test]
fn optimisations_keep_the_tree() {
    for file in ["c/paper5-fig3-guarded.c", "c/paper5-fig6-omission.c", "c/paper5-table1-pointer.c"]
    {
        let usual = report(file, &[], &[]);
        for off in ["slicing", "solving", "loops", "trust"] {
            let other = report(file, &["--no-opt", off], &[]);
            let all = |report: &Value| {
                entries(tree(report)).into_iter().map(lines).collect::<BTreeSet<_>>()
            };
            assert_eq!(all(&other), all(&usual), "{file} without {off}");
        }
    }
}
