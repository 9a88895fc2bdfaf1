//! `docs/evaluation.md`: what the table says, in short.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::measure::DEFAULT;
use crate::table::{Row, State};

/// A fault that comes later is said to be missed.
const SHOWN: usize = 5;

/// The document.
pub fn summary(rows: &[Row]) -> String {
    let programs: BTreeSet<&str> = rows.iter().map(|row| row.program.as_str()).collect();
    let mut out = format!(
        "# Evaluation\n\n\
         Where the fault is in what whydunit answers, for {} programs of the [corpus](../corpus), in which it is marked.\n\
         This page and [eval/eval.csv](../eval/eval.csv), which has all numbers, are written by\n\n\
         ```sh\nUPDATE_EVAL=all cargo test -p whydunit --test evaluation\n```\n\n\
         With names of techniques instead of `all`, or with `-- NAME…` for the programs whose path contains one of these, only they are run\n\
         again, and the other rows stay.\n\n{HOW}\n",
        programs.len()
    );
    let default: Vec<&Row> = rows.iter().filter(|row| row.technique == DEFAULT).collect();
    out += "## The suspects that are shown by default\n\n";
    out += &table("family", &grouped(&default, |row| &row.family));
    out += "\nBy what kind of statement is wrong:\n\n";
    out += &table("fault", &grouped(&default, |row| &row.kind));
    out += "\n## By technique\n\n";
    let all: Vec<&Row> = rows.iter().collect();
    out += &table("technique", &by_technique(&all));
    for (family, of_family) in grouped(&all, |row| &row.family) {
        if family != TOTAL {
            let _ = writeln!(out, "\n### {family}\n");
            out += &table("technique", &by_technique(&of_family));
        }
    }
    out += &pairs(&all);
    out += &failures(rows);
    out
}

const HOW: &str = "\
## How it is counted

- The *rank* of a fault is the position of the first suspect whose text includes a marked line. If a list does not order some of its
  suspects, all of them are counted: ties are as bad as they can be. *Top 1, 3, 5*: the rank is not above that.
- *EXAM* is the part of the executable lines that a reader sees until the fault is found: the lines of all suspects up to
  this rank, divided by the lines with a statement or a condition. It is 1 if the list does not name the fault.
- *No answer*: the technique does not know, or the time was not enough. These
  count as not found in all columns but that of the suspects.
- If there are two faults, the first one that is named counts. In the CSV, `rank_of_last` is where both have been named.
- `suspects` is the list that is shown if no technique is chosen. *cascade* is its tree, level by level, without the root,
  which is the failure itself; *error-invariants* its statements from the beginning of the trace; *changes* its list; a *slice* has no order; of a *spectrum*, statements
  with the same score are together, and those that no failing test executes are no suspects.
- In the CSV, `steps` is the length of the failing trace, `queries` how often a solver was asked, also to find the failure.
- A technique has 60 s, and so have all of them together for `suspects`. Where this is not enough (state `limit`), rows may
  differ between machines; otherwise no number depends on time.
- *repair* names the places of its solutions, in their order.
";

const TOTAL: &str = "all";

/// Rows by a word in them, and all.
fn grouped<'r>(
    rows: &[&'r Row],
    key: impl Fn(&'r Row) -> &'r String,
) -> Vec<(String, Vec<&'r Row>)> {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(key(row)).or_default().push(row);
    }
    let groups = groups.into_iter().map(|(name, rows)| (name.to_owned(), rows));
    groups.chain([(TOTAL.to_owned(), rows.to_vec())]).collect()
}

/// Rows by technique, in the order of the first program's.
fn by_technique<'r>(rows: &[&'r Row]) -> Vec<(String, Vec<&'r Row>)> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.technique.as_str()) {
            names.push(&row.technique);
        }
    }
    let of = |name: &str| rows.iter().filter(|row| row.technique == name).copied().collect();
    names.into_iter().map(|name| (name.to_owned(), of(name))).collect()
}

fn table(title: &str, groups: &[(String, Vec<&Row>)]) -> String {
    let mut out = format!(
        "| {title} | programs | top 1 | top 3 | top 5 | not found | no answer | suspects (median) | EXAM (median) |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for (name, rows) in groups {
        let top = |most: usize| {
            let count =
                rows.iter().filter(|row| row.first.is_some_and(|rank| rank <= most)).count();
            format!("{count} ({:.0} %)", 100.0 * count as f64 / rows.len().max(1) as f64)
        };
        let missing = rows.iter().filter(|row| row.state == State::NotFound).count();
        let found = rows.iter().filter(|row| row.state == State::Found).count();
        let suspects = rows.iter().filter_map(|row| row.suspects.map(|count| count as f64));
        let exam = rows.iter().map(|row| row.exam.unwrap_or(1.0));
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {missing} | {} | {} | {} |",
            rows.len(),
            top(1),
            top(3),
            top(5),
            rows.len() - found - missing,
            median(suspects.collect()).map_or("–".to_owned(), |it| it.to_string()),
            median(exam.collect()).map_or("–".to_owned(), |it| format!("{it:.3}")),
        );
    }
    out
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() % 2 {
        1 => numbers.get(middle).copied(),
        _ => Some((numbers.get(middle.checked_sub(1)?)? + numbers.get(middle)?) / 2.0),
    }
}

/// How often both of two faults are named.
fn pairs(rows: &[&Row]) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.faults > 1).copied().collect();
    let mut out = "\n## Two faults\n\nHow often one of them is named, and how often both:\n\n\
                   | technique | programs | one | both | both in the top 5 |\n|---|--:|--:|--:|--:|\n"
        .to_owned();
    for (name, rows) in by_technique(&rows) {
        let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} |",
            rows.len(),
            count(&|row| row.first.is_some()),
            count(&|row| row.all.is_some()),
            count(&|row| row.all.is_some_and(|rank| rank <= SHOWN)),
        );
    }
    out
}

/// The programs with which the answers are of little help.
fn failures(rows: &[Row]) -> String {
    let mut by_program: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_program.entry(&row.program).or_default().push(row);
    }
    let [mut nowhere, mut unlisted, mut late] = [const { Vec::new() }; 3];
    for (program, rows) in by_program {
        let found = rows.iter().filter(|row| row.first.is_some());
        let by: Vec<&str> = found.map(|row| row.technique.as_str()).collect();
        let shown = rows.iter().find(|row| row.technique == DEFAULT);
        match shown.and_then(|row| Some((row.first?, row.suspects?))) {
            _ if by.is_empty() => nowhere.push(format!("- {program}\n")),
            None => unlisted.push(format!("- {program}: {}\n", by.join(", "))),
            Some((rank, of)) if rank > SHOWN => late.push(format!("- {program}: {rank} of {of}\n")),
            Some(_) => {}
        }
    }
    let mut out = "\n## Failures\n".to_owned();
    for (title, list) in [
        ("No technique names the fault of", nowhere),
        (
            "The suspects that are shown by default do not include the fault of these; with what does",
            unlisted,
        ),
        ("It is among them, but not under the first five, in", late),
    ] {
        let _ = writeln!(out, "\n{title} ({}):\n", list.len());
        out += &list.concat();
    }
    out
}

/// Checks the arithmetic.
pub fn self_test() {
    assert_eq!(median(Vec::new()), None);
    assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
    let row = |program: &str, technique: &str, first: Option<usize>| Row {
        program: program.to_owned(),
        family: "f".to_owned(),
        kind: "loop".to_owned(),
        technique: technique.to_owned(),
        state: if first.is_some() { State::Found } else { State::NotFound },
        faults: 1,
        first,
        all: first,
        suspects: Some(8),
        exam: Some(if first.is_some() { 0.5 } else { 1.0 }),
        ..Row::default()
    };
    let none =
        Row { state: State::NoAnswer, suspects: None, exam: None, ..row("d", DEFAULT, None) };
    let rows = [
        row("a", DEFAULT, Some(1)),
        row("b", DEFAULT, Some(7)),
        row("c", DEFAULT, None),
        row("c", "cascade", Some(2)),
        none,
    ];
    let text = summary(&rows);
    assert!(
        text.contains("| f | 4 | 1 (25 %) | 1 (25 %) | 1 (25 %) | 1 | 1 | 8 | 0.750 |\n"),
        "{text}"
    );
    for line in ["\n- d\n", "\n- c: cascade\n", "\n- b: 7 of 8\n"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("\n- a"), "{text}");
}
