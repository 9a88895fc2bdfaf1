//! The points of the clues: where they come from.
//!
//! `eval/rows.txt` has, for programs whose faults are known, what is known about each of their lines: numbers only. The points
//! in `crates/localize/src/rank/weights.txt` are fitted to it, which this test does again.
//!
//! ```sh
//! UPDATE_RANKING=rows cargo test -p whydunit --test ranking    # runs all programs of the corpus, then fits
//! UPDATE_RANKING=fit  cargo test -p whydunit --test ranking    # fits anew, and writes how good it is
//! ```
//!
//! With `CASES=FOLDER`, `rows` also runs the programs of other people in that folder: `truth.json` names for each folder of a case the lines
//! that are wrong (`faulty_lines`, pairs of lines between which something is `missing`), `buggy.c` is the program, `tests` has its
//! tests. Without it, the rows that are there stay.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;
#[path = "common/compile.rs"]
#[allow(dead_code, reason = "what counts lines needs it")]
mod compile;
#[path = "common/expectations.rs"]
#[allow(dead_code, reason = "only what says how a program is run is needed")]
mod expectations;
#[path = "ranking/fit.rs"]
mod fit;
#[path = "ranking/rows.rs"]
mod rows;
#[path = "evaluation/subjects.rs"]
#[allow(dead_code, reason = "only which programs there are is needed")]
mod subjects;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fit::{Fold, cross_validated, fitted, ranks};
use localize::rank::Clue;
use rows::Case;

const ROWS: &str = "eval/rows.txt";
const WEIGHTS: &str = "crates/localize/src/rank/weights.txt";
const PAGE: &str = "docs/ranking.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The weights are those that fit the rows, and the page says how good they are.
#[test]
fn the_points_are_fitted_to_the_rows() {
    let updates = env::var("UPDATE_RANKING").unwrap_or_default();
    if updates == "rows" {
        let cases = env::var_os("CASES").map(PathBuf::from);
        let known =
            fs::read_to_string(root().join(ROWS)).map_or_else(|_| Vec::new(), |it| rows::read(&it));
        let found = rows::collect(&root().join("corpus"), cases.as_deref(), known);
        fs::write(root().join(ROWS), rows::write(&found)).unwrap();
    }
    let cases = rows::read(&read(ROWS));
    assert!(cases.len() > 300, "only {} programs", cases.len());
    let text = weights_text(&fitted(&cases.iter().collect::<Vec<_>>()));
    if !updates.is_empty() {
        fs::write(root().join(WEIGHTS), &text).unwrap();
        let page = with_figures(&read(PAGE), &figures(&cases));
        fs::write(root().join(PAGE), page).unwrap();
        eprintln!(
            "UPDATE_DOCS=1 cargo test -p whydunit --test documentation writes the table of the clues"
        );
        return;
    }
    assert_eq!(text, read(WEIGHTS), "UPDATE_RANKING=fit fits them anew");
}

fn weights_text(weights: &BTreeMap<Clue, f64>) -> String {
    let head = "# The points of the clues, as fitted to eval/rows.txt: see docs/ranking.md.\n";
    let line = |(clue, points): (&Clue, &f64)| format!("{} {points:.2}\n", clue.name());
    head.to_owned() + &weights.iter().map(line).collect::<String>()
}

/// How often the fault is first, and among the first: fitted to all programs, and to the programs of other families only.
fn figures(cases: &[Case]) -> String {
    let mut suites: Vec<&str> = cases.iter().map(|case| case.suite.as_str()).collect();
    suites.sort_unstable();
    suites.dedup();
    let all: Vec<&Case> = cases.iter().collect();
    let inside = ranks(&all, &fitted(&all));
    let outside = cross_validated(&all, Fold::Family);
    let mut table = String::from(
        "| programs | | first | first, fitted elsewhere | among five | among five, fitted elsewhere |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for suite in suites {
        let of = |ranks: &[Option<usize>], most: usize| {
            let own = cases.iter().zip(ranks).filter(|(case, _)| case.suite == suite);
            own.filter(|(_, rank)| rank.is_some_and(|rank| rank <= most)).count()
        };
        let count = cases.iter().filter(|case| case.suite == suite).count();
        let share = |part: usize| format!("{part} ({} %)", (100 * part + count / 2) / count);
        table += &format!(
            "| {suite} | {count} | {} | {} | {} | {} |\n",
            share(of(&inside, 1)),
            share(of(&outside, 1)),
            share(of(&inside, 5)),
            share(of(&outside, 5)),
        );
    }
    table
}

fn with_figures(page: &str, table: &str) -> String {
    let (begin, end) = ("<!-- figures -->\n", "<!-- end of figures -->");
    let (before, rest) = page.split_once(begin).expect("the page has a place for figures");
    let (_, after) = rest.split_once(end).expect("the place for figures ends");
    format!("{before}{begin}{table}{end}{after}")
}
