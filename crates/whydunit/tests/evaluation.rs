//! The evaluation: where the fault is in the answers, for each program of the corpus in which it is marked.
//!
//! `UPDATE_EVAL=all` runs all programs and writes `eval/eval.csv` and `docs/evaluation.md`. With names of techniques instead of
//! `all`, separated by commas, only these are run; with names as arguments, only programs whose path contains one of them.
//! The other rows stay. Otherwise a sample of programs is compared with the rows that they have in the table.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;
#[path = "common/compile.rs"]
mod compile;
#[path = "common/expectations.rs"]
#[allow(dead_code, reason = "only what says how a program is run is needed")]
mod expectations;
#[path = "evaluation/measure.rs"]
mod measure;
#[path = "evaluation/subjects.rs"]
mod subjects;
#[path = "evaluation/summary.rs"]
mod summary;
#[path = "evaluation/table.rs"]
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use libtest_mimic::{Arguments, Trial};
use measure::{Analysis, analyses};
use subjects::Subject;
use table::Row;

/// Programs that are quickly run, of all families.
const SAMPLE: [&str; 12] = [
    "boogie/early-return.bpl",
    "bugs/bank-account.bpl",
    "bugs/binary-search.bpl",
    "c/bug-caesar.c",
    "c/bug-interval.c",
    "c/cascade-loop-bound.c",
    "c/failure-global-overrun.c",
    "c/language-vla.c",
    "papers/cascade-fig1-triangle.bpl",
    "suites/student/01-maximum/program.c",
    "suites/student/21-numbers/program.c",
    "suites/traffic/v02.c",
];

/// The analysis of one program may need much memory.
const MOST_AT_A_TIME: usize = 2;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn main() {
    let all = subjects::subjects(&root().join("corpus")).unwrap();
    if let Ok(techniques) = std::env::var("UPDATE_EVAL") {
        return update(&all, &techniques);
    }
    let mut trials = vec![
        Trial::test("how it is counted", || {
            subjects::self_test();
            measure::self_test();
            table::self_test();
            summary::self_test();
            Ok(())
        }),
        Trial::test("the summary is that of the table", || match summary::summary(&committed()) {
            text if text == read("docs/evaluation.md") => Ok(()),
            _ => Err(advice("docs/evaluation.md is out of date").into()),
        }),
    ];
    let names: BTreeSet<String> = all.iter().map(|subject| subject.name.clone()).collect();
    trials.push(Trial::test("the table has no other programs", move || {
        let listed: BTreeSet<String> = committed().into_iter().map(|row| row.program).collect();
        let unknown: Vec<&String> = listed.difference(&names).collect();
        match unknown.is_empty() {
            true => Ok(()),
            false => Err(advice(&format!("the corpus does not have {unknown:?}")).into()),
        }
    }));
    for subject in all.into_iter().filter(|subject| SAMPLE.contains(&subject.name.as_str())) {
        trials.push(Trial::test(subject.name.clone(), move || Ok(compare(&subject)?)));
    }
    assert_eq!(trials.len(), 3 + SAMPLE.len(), "a program of the sample is missing");
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_default()
}

fn committed() -> Vec<Row> {
    table::read(&read("eval/eval.csv")).unwrap_or_else(|why| panic!("{}", advice(&why)))
}

fn advice(what: &str) -> String {
    format!("{what}; see docs/evaluation.md for how it is written anew")
}

/// Compares a program's rows with those of the table.
fn compare(subject: &Subject) -> Result<(), String> {
    let expected: Vec<Row> =
        committed().into_iter().filter(|row| row.program == subject.name).collect();
    let is_listed = |list: &String| expected.iter().any(|row| row.technique == *list);
    let mut analyses = analyses();
    analyses.retain(|analysis| analysis.lists.iter().any(is_listed));
    // How many questions all techniques together ask depends on which of them had time.
    let without_queries = |row: &Row| match row.technique == measure::DEFAULT {
        true => Row { queries: None, ..row.clone() },
        false => row.clone(),
    };
    let compared = |rows: &[Row]| -> String {
        table::write(&rows.iter().map(without_queries).collect::<Vec<Row>>())
    };
    let found = compared(&measure::measure(subject, &analyses)?);
    let expected = compared(&expected);
    match found == expected {
        true => Ok(()),
        false => Err(advice(&format!("found\n{found}instead of\n{expected}"))),
    }
}

/// Runs programs and writes table and summary.
fn update(subjects: &[Subject], techniques: &str) {
    let names: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |subject: &&Subject| {
        names.is_empty() || names.iter().any(|name| subject.name.contains(name))
    };
    let wanted: Vec<&Subject> = subjects.iter().filter(is_wanted).collect();
    let mut chosen = analyses();
    chosen.retain(|it| techniques == "all" || techniques.split(',').any(|name| name == it.name()));
    assert!(!wanted.is_empty() && !chosen.is_empty(), "there is nothing to run");

    let is_known = |row: &Row| subjects.iter().any(|it| it.name == row.program);
    let is_new = |row: &Row| {
        wanted.iter().any(|it| it.name == row.program)
            && chosen.iter().any(|it| it.lists.contains(&row.technique))
    };
    let is_complete = names.is_empty() && techniques == "all";
    let kept = if is_complete { Vec::new() } else { committed() };
    let kept = kept.into_iter().filter(|row| is_known(row) && !is_new(row));
    measure_all(&wanted, &chosen, kept.collect());
}

/// Runs programs, few at a time, and says how far it is. After each one table and summary are written, so that nothing is lost if
/// somebody loses patience.
fn measure_all(subjects: &[&Subject], analyses: &[Analysis], kept: Vec<Row>) {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(kept));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(subject) = subjects.get(number) else { return };
            eprintln!("{}/{} {}", number + 1, subjects.len(), subject.name);
            let mut found = measure::measure(subject, analyses).unwrap();
            let mut rows = rows.lock().unwrap();
            rows.append(&mut found);
            write(&mut rows);
        }
    };
    thread::scope(|scope| {
        for _ in 0..MOST_AT_A_TIME {
            scope.spawn(work);
        }
    });
}

fn write(rows: &mut [Row]) {
    let lists: Vec<String> = analyses().into_iter().flat_map(|it| it.lists).collect();
    rows.sort_by_key(|row| {
        (row.program.clone(), lists.iter().position(|list| *list == row.technique))
    });
    std::fs::create_dir_all(root().join("eval")).unwrap();
    std::fs::write(root().join("eval/eval.csv"), table::write(rows)).unwrap();
    // Read again: the summary is that of the numbers as they are written.
    std::fs::write(root().join("docs/evaluation.md"), summary::summary(&committed())).unwrap();
}
