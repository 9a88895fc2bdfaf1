//! Families of faulty programs with tests, `corpus/suites/traffic` and `corpus/suites/student`: what others measure on
//! them is worth something only if they are what they claim to be.
//!
//! Each program differs from its reference only around its marks `//~ fault`, and fails some tests but not most. If it has two
//! faults, correcting one is not enough. The reference passes all tests. A fault is in the relevant slice.
//!
//! Of a few, all techniques are asked, and no claim may fail its check.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::ops::Range;
use std::path::{Path, PathBuf};

use common::{finish, whydunit};
use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

/// How many lines there may be between a mark and a difference.
const NEAR: usize = 3;

/// Programs about which claims have once failed their check.
const ALL_TECHNIQUES: [&str; 5] = [
    "traffic/v08.c",
    "traffic/v25.c",
    "student/04-bubble-sort/program.c",
    "student/11-best-student/program.c",
    "student/13-caesar/program.c",
];

/// A program with its tests, and with the program that is right.
struct Member {
    folder: PathBuf,
    program: String,
    /// Options that name the tests.
    options: &'static [&'static str],
    /// How many tests there are.
    tests: u64,
    faults: usize,
    /// How many tests are passed at least.
    passed: u64,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/suites");
    let mut trials = vec![Trial::test("differences", || {
        differences();
        Ok(())
    })];
    for member in traffic(&root.join("traffic")).into_iter().chain(student(&root.join("student"))) {
        let file = member.folder.join(&member.program);
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        trials.push(Trial::test(name.clone(), move || {
            check(&member)?;
            if ALL_TECHNIQUES.contains(&name.as_str()) {
                nothing_refuted(&member)?;
            }
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What is in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Versions of one program, which have their tests in common.
fn traffic(folder: &Path) -> Vec<Member> {
    let list = std::fs::read_to_string(folder.join("tests.txt")).unwrap();
    let tests = list.lines().filter(|line| !line.starts_with('#')).count() as u64;
    assert!(tests >= 300, "only {tests} tests");
    let member = |program: String, faults: usize| Member {
        folder: folder.to_owned(),
        program,
        options: &["--test-list", "tests.txt", "--expected", "expected.txt"],
        tests,
        faults,
        passed: tests * 6 / 10,
    };
    let programs = names(folder).into_iter();
    let programs = programs.filter(|name| name.starts_with('v') && name.ends_with(".c"));
    let mut members: Vec<Member> = programs.map(|program| member(program, 1)).collect();
    assert!(members.len() >= 40, "only {} programs", members.len());
    members.push(member("reference.c".to_owned(), 0));
    members
}

/// Programs of their own. The last ten have two faults.
fn student(folder: &Path) -> Vec<Member> {
    let folders = names(folder);
    assert_eq!(folders.len(), 30);
    let member = |name: &str, program: &str, faults: usize| Member {
        folder: folder.join(name),
        program: program.to_owned(),
        options: &["--tests", "tests"],
        tests: 10,
        faults,
        passed: 3,
    };
    let members = folders.iter().enumerate().flat_map(|(at, name)| {
        let faults = if at < 20 { 1 } else { 2 };
        [member(name, "program.c", faults), member(name, "reference.c", 0)]
    });
    members.collect()
}

fn check(member: &Member) -> Result<(), String> {
    let read = |name: &str| std::fs::read_to_string(member.folder.join(name)).unwrap();
    let (text, right) = (read(&member.program), read("reference.c"));
    let (program, reference) = (code(&text), code(&right));
    let marks = marks(&text);
    if marks.len() != member.faults {
        return Err(format!("it has {} faults", marks.len()));
    }
    if member.faults == 0 {
        return all_pass(member);
    }
    let mut by_mark = vec![Vec::new(); marks.len()];
    for hunk in diff(&program, &reference) {
        let away = |at: &usize| distance(&program, &hunk, marks[*at]);
        let at = (0..marks.len()).min_by_key(away).unwrap();
        if away(&at) > NEAR {
            let line = program.get(hunk.program.start).map_or(0, |line| line.0);
            return Err(format!("line {line}: it differs from the reference, but has no mark"));
        }
        by_mark[at].push(hunk);
    }
    if let Some(at) = by_mark.iter().position(Vec::is_empty) {
        return Err(format!("line {}: it is as in the reference", marks[at]));
    }
    let answer = some_fail(member, &member.folder.join(&member.program))?;
    let passed = answer["suite"]["passed"].as_u64().unwrap();
    if passed < member.passed {
        return Err(format!("it passes only {passed} tests"));
    }
    if !marks.iter().any(|mark| is_in_slice(&answer, *mark)) {
        return Err(format!("no fault is in the relevant slice: {marks:?}"));
    }
    if member.faults == 1 {
        return Ok(());
    }
    for (mark, hunks) in marks.iter().zip(&by_mark) {
        let name = member.folder.file_name().unwrap().to_string_lossy();
        let file = format!("{}/family-{name}-{mark}.c", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&file, corrected(&program, &reference, hunks)).unwrap();
        some_fail(member, Path::new(&file))
            .map_err(|why| format!("with line {mark} corrected: {why}"))?;
    }
    Ok(())
}

/// Runs the tests, of which at least one must fail.
fn some_fail(member: &Member, program: &Path) -> Result<Value, String> {
    let mut command = whydunit();
    command.current_dir(&member.folder).arg(program).args(member.options);
    let run = finish(command.args(["--technique=slice", "--time-limit=20s", "--format=json"]))?;
    if run.status != Some(0) {
        return Err(format!("exit status {:?}\n{}", run.status, run.stderr));
    }
    let answer: Value = serde_json::from_str(&run.stdout).map_err(|error| error.to_string())?;
    let counts = ["passed", "failed", "crashed", "timed_out"]
        .map(|key| answer["suite"][key].as_u64().unwrap());
    match counts.iter().sum::<u64>() == member.tests {
        true => Ok(answer),
        false => Err(format!("not all tests were run: {counts:?}")),
    }
}

/// Asks all techniques. No claim may fail its check.
fn nothing_refuted(member: &Member) -> Result<(), String> {
    let mut command = whydunit();
    command.current_dir(&member.folder).arg(&member.program).args(member.options);
    let run = finish(command.arg("--format=json"))?;
    let answer: Value = serde_json::from_str(&run.stdout).map_err(|error| error.to_string())?;
    match answer["refuted"].as_array() {
        Some(refuted) if refuted.is_empty() => Ok(()),
        _ => Err(format!("refuted: {}", answer["refuted"])),
    }
}

fn is_in_slice(answer: &Value, line: usize) -> bool {
    let places = answer["diagnoses"]["slice"]["relevant"].as_array().unwrap();
    places.iter().any(|place| place["line"] == line)
}

fn all_pass(member: &Member) -> Result<(), String> {
    let mut command = whydunit();
    command.current_dir(&member.folder).arg(&member.program).args(member.options);
    let run = finish(&mut command)?;
    let message = format!("No failure: {0} tests: {0} passed.", member.tests);
    match run.status == Some(1) && run.stderr.contains(&message) {
        true => Ok(()),
        false => Err(format!("{}{}", run.stdout, run.stderr)),
    }
}

/// The lines with a fault, from 1.
fn marks(text: &str) -> Vec<usize> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| line.contains("//~ fault")).map(|(number, _)| number).collect()
}

/// The lines that are not only comments, with their numbers.
fn code(text: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.split("//").next().unwrap().trim_end()));
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// Where two programs differ: lines of one, by index, instead of lines of the other. One range may be empty.
#[derive(Clone, Debug, PartialEq)]
struct Hunk {
    program: Range<usize>,
    reference: Range<usize>,
}

/// By a longest common subsequence.
fn diff(program: &[(usize, &str)], reference: &[(usize, &str)]) -> Vec<Hunk> {
    let same = |i: usize, j: usize| program[i].1 == reference[j].1;
    let mut common = vec![vec![0; reference.len() + 1]; program.len() + 1];
    for i in (0..program.len()).rev() {
        for j in (0..reference.len()).rev() {
            common[i][j] = match same(i, j) {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let mut hunks = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < program.len() || j < reference.len() {
        let (from_i, from_j) = (i, j);
        while (i < program.len() || j < reference.len())
            && !(i < program.len() && j < reference.len() && same(i, j))
        {
            match j == reference.len() || i < program.len() && common[i + 1][j] >= common[i][j + 1]
            {
                true => i += 1,
                false => j += 1,
            }
        }
        if (from_i, from_j) != (i, j) {
            hunks.push(Hunk { program: from_i..i, reference: from_j..j });
        }
        (i, j) = (i + 1, j + 1);
    }
    hunks
}

/// In lines of the program. Between two lines, the nearer one counts.
fn distance(program: &[(usize, &str)], hunk: &Hunk, mark: usize) -> usize {
    let Range { start, end } = hunk.program;
    let lines = if start == end { start.saturating_sub(1)..end + 1 } else { start..end };
    let lines = program.get(lines.start..lines.end.min(program.len())).unwrap_or_default();
    lines.iter().map(|line| line.0.abs_diff(mark)).min().unwrap_or(usize::MAX)
}

/// The program with these lines as in the reference.
fn corrected(program: &[(usize, &str)], reference: &[(usize, &str)], hunks: &[Hunk]) -> String {
    let mut lines: Vec<&str> = program.iter().map(|line| line.1).collect();
    for hunk in hunks.iter().rev() {
        let right = reference[hunk.reference.clone()].iter().map(|line| line.1);
        lines.splice(hunk.program.clone(), right);
    }
    lines.join("\n") + "\n"
}

fn differences() {
    let program = "// About\nint a;\n\nint b = 1; //~ fault\nint d;\n";
    let reference = "int a;\nint b = 2;\nint c;\nint d;\nint e;\n";
    assert_eq!(marks(program), [4]);
    let (program, reference) = (code(program), code(reference));
    assert_eq!(program, [(2, "int a;"), (4, "int b = 1;"), (5, "int d;")]);
    let hunks = diff(&program, &reference);
    let expected = [(1..2, 1..3), (3..3, 4..5)];
    assert_eq!(hunks, expected.map(|(program, reference)| Hunk { program, reference }));
    assert_eq!(hunks.iter().map(|hunk| distance(&program, hunk, 4)).collect::<Vec<_>>(), [0, 1]);
    let all: String = reference.iter().map(|line| format!("{}\n", line.1)).collect();
    assert_eq!(corrected(&program, &reference, &hunks), all);
    assert_eq!(
        corrected(&program, &reference, &hunks[1..]),
        "int a;\nint b = 1;\nint d;\nint e;\n"
    );
}
