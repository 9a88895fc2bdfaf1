//! What is known about the lines of programs whose faults are known.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use localize::rank::Clue;
use serde_json::Value;

use crate::common;
use crate::subjects::{self, Subject};

/// A program.
#[derive(Clone, Debug)]
pub struct Case {
    pub suite: String,
    /// Programs that are like each other have the same.
    pub family: String,
    pub rows: Vec<Row>,
}

/// A line of it.
#[derive(Clone, Debug)]
pub struct Row {
    pub is_fault: bool,
    pub is_suspect: bool,
    pub clues: Vec<(Clue, f64)>,
}

/// At most so many lines of a program that are not faulty are kept: those of which most is known.
const MOST_ROWS: usize = 40;
const HANGS: Duration = Duration::from_secs(120);

/// The text of rows: first the names of the clues, then for each program its suite and family and its lines. A line begins with
/// `!` if it is faulty and `?` if it is suspected; then the clues by number, with hundredths.
pub fn write(cases: &[Case]) -> String {
    let names: Vec<&str> = Clue::ALL.iter().map(|clue| clue.name()).collect();
    let mut text = format!("{}\n", names.join(" "));
    for case in cases {
        let _ = writeln!(text, "= {} {}", case.suite, case.family);
        for row in &case.rows {
            let marks = [(row.is_fault, '!'), (row.is_suspect, '?')];
            text.extend(marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark));
            for (clue, much) in &row.clues {
                let _ = write!(text, " {}:{}", *clue as usize, (much * 100.0).round());
            }
            text.push('\n');
        }
    }
    text
}

pub fn read(text: &str) -> Vec<Case> {
    let mut lines = text.lines();
    let clue = |name: &str| Clue::ALL.iter().copied().find(|clue| clue.name() == name);
    let names: Vec<Option<Clue>> = lines.next().unwrap_or("").split(' ').map(clue).collect();
    let mut cases: Vec<Case> = Vec::new();
    for line in lines {
        if let Some(rest) = line.strip_prefix("= ") {
            let (suite, family) = rest.split_once(' ').expect("a suite and a family");
            cases.push(Case { suite: suite.into(), family: family.into(), rows: Vec::new() });
            continue;
        }
        let (marks, clues) = line.split_once(' ').unwrap_or((line, ""));
        let clues = clues.split(' ').filter_map(|word| {
            let (number, much) = word.split_once(':')?;
            // What is no clue any more is no longer known.
            let clue = *names.get(number.parse::<usize>().ok()?)?;
            Some((clue?, much.parse::<f64>().ok()? / 100.0))
        });
        cases.last_mut().expect("a program before its lines").rows.push(Row {
            is_fault: marks.contains('!'),
            is_suspect: marks.contains('?'),
            clues: clues.collect(),
        });
    }
    cases
}

/// A program that is to be run, and its faulty lines.
struct Job {
    suite: &'static str,
    family: String,
    command: Command,
    faults: BTreeSet<(String, u64)>,
}

/// Runs all programs. Those of other people stay as they are known if there are none here.
pub fn collect(corpus: &Path, cases: Option<&Path>, known: Vec<Case>) -> Vec<Case> {
    let mut jobs: Vec<Job> = subjects::subjects(corpus).unwrap().iter().map(own).collect();
    let mut kept = Vec::new();
    match cases {
        Some(folder) => jobs.extend(others(folder)),
        None => kept.extend(known.into_iter().filter(|case| case.suite != "corpus")),
    }
    let (next, total) = (AtomicUsize::new(0), jobs.len());
    let jobs = Mutex::new(jobs.into_iter().enumerate().collect::<Vec<_>>());
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((number, mut job)) = jobs.lock().unwrap().pop() else { return };
                    let case = run(&mut job);
                    let done = next.fetch_add(1, Ordering::Relaxed) + 1;
                    eprintln!("{done}/{total}");
                    found.lock().unwrap().extend(case.map(|case| (number, case)));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, case)| case).chain(kept).collect()
}

/// A program of the corpus.
fn own(subject: &Subject) -> Job {
    let mut command = common::whydunit();
    command.current_dir(&subject.folder).arg(&subject.file).args(&subject.options);
    command.args(["--format=rows", "--jobs=1"]);
    if !subject.arguments.is_empty() {
        // The last `--` would end the arguments.
        command.arg("--").args(&subject.arguments).arg("--");
    }
    let faults = subject.faults.iter().map(|line| (subject.file.clone(), *line as u64));
    Job { suite: "corpus", family: subject.family.clone(), command, faults: faults.collect() }
}

/// The programs in a folder of other people's, each with all its tests, and with one that fails. Their families have numbers.
fn others(folder: &Path) -> Vec<Job> {
    let truth = fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: serde_json::Map<String, Value> = serde_json::from_str(&truth).unwrap();
    let number = |it: &Value| it.as_u64();
    let mut names: Vec<&str> = Vec::new();
    let mut jobs = Vec::new();
    for (name, facts) in &truth {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let missing = list(&facts["missing"]);
        let beside = missing.iter().flat_map(list).filter_map(|it| number(&it));
        let lines = list(&facts["faulty_lines"]);
        let lines = lines.iter().filter_map(number).chain(beside).filter(|line| *line > 0);
        let faults: BTreeSet<(String, u64)> =
            lines.map(|line| ("buggy.c".to_owned(), line)).collect();
        let family = name.split("-bug").next().unwrap_or(name);
        let family = names.iter().position(|known| *known == family).unwrap_or_else(|| {
            names.push(family);
            names.len() - 1
        });
        let failing = fs::read_dir(folder.join(name).join("tests")).unwrap();
        let failing = failing.filter_map(|it| it.unwrap().file_name().into_string().ok());
        let Some(test) = failing.filter(|it| it.starts_with("neg") && it.ends_with(".in")).min()
        else {
            continue;
        };
        let one = [
            format!("--stdin=tests/{test}"),
            format!("--expect=tests/{}.out", test.trim_end_matches(".in")),
        ];
        for (suite, options) in [("tests", vec!["--tests=tests".to_owned()]), ("run", one.to_vec())]
        {
            let mut command = common::whydunit();
            command.current_dir(folder.join(name)).args(["buggy.c", "--cflags=-w"]).args(options);
            command.args(["--format=rows", "--jobs=1"]);
            jobs.push(Job { suite, family: format!("p{family}"), command, faults: faults.clone() });
        }
    }
    jobs
}

/// None if there is no answer.
fn run(job: &mut Job) -> Option<Case> {
    let run = common::finish_within(&mut job.command, HANGS).ok()?;
    let mut rows: Vec<Row> = run.stdout.lines().filter_map(|line| row(line, &job.faults)).collect();
    let mut others: Vec<usize> =
        rows.iter().filter(|row| !row.is_fault).map(|row| row.clues.len()).collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    let least = others.get(MOST_ROWS).copied().unwrap_or(0);
    rows.retain(|row| row.is_fault || row.clues.len() >= least);
    (!rows.is_empty()).then(|| Case { suite: job.suite.into(), family: job.family.clone(), rows })
}

fn row(line: &str, faults: &BTreeSet<(String, u64)>) -> Option<Row> {
    let mut words = line.split('\t');
    let (file, line, suspect) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
    let file = Path::new(file).file_name()?.to_string_lossy().into_owned();
    let clue = |word: &str| {
        let (name, much) = word.split_once('=')?;
        let clue = Clue::ALL.iter().copied().find(|clue| clue.name() == name)?;
        Some((clue, much.parse().ok()?))
    };
    Some(Row {
        is_fault: faults.contains(&(file, line)),
        is_suspect: suspect == "true",
        clues: words.filter_map(clue).collect(),
    })
}
