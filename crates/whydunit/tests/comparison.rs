//! How outputs are compared with the expected ones, and what is said of differences that do not count.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::path::{Path, PathBuf};

use common::{Run, finish, unwrapped, whydunit};
use serde_json::Value;

/// Prints two numbers on lines that end with a blank.
const PROGRAM: &str = "\
#include <stdio.h>
int main(void)
{
    int n = 0;
    double third = 0;
    if (scanf(\"%d\", &n) == 1)
        third = n / 3.0;
    printf(\"%d \\n\", n);
    printf(\"%.4f\", third);
    return 0;
}
";

const EXACT: &str = "which --compare exact would count";

/// A new folder with the program and these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("comparison").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("tests")).unwrap();
    for (name, content) in [("third.c", PROGRAM), ("one", "1\n")].iter().chain(files) {
        std::fs::write(path.join(name), content).unwrap();
    }
    path
}

fn run(folder: &Path, words: &[&str]) -> Run {
    finish(whydunit().current_dir(folder).arg("third.c").args(words)).unwrap()
}

/// Whether the program passes if this is expected, and what is said then.
#[track_caller]
fn passes(expected: &str, words: &[&str]) -> Result<String, String> {
    let name: String = words.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    let folder = folder(&format!("one-{name}"), &[("out", expected)]);
    let run = run(&folder, &[&["--stdin", "one", "--expect", "out"], words].concat());
    match run.status {
        Some(1) => Ok(unwrapped(&run.stderr)),
        Some(0) => Err(unwrapped(&run.stdout)),
        other => panic!("{other:?} {}", run.stderr),
    }
}

#[test]
fn a_difference_that_does_not_count_is_said() {
    let said = passes("1\n0.3333\n", &[]).unwrap();
    let sentence = "Its output differs from the expected one only in trailing white space, ";
    assert!(said.contains(&format!("{sentence}{EXACT}.")), "{said}");
    let said = passes("1 \n0.3333", &[]).unwrap();
    assert!(!said.contains("differs"), "{said}");
    // As written on Windows.
    assert!(passes("1\r\n0.3333\r\n", &["--compare", "lines"]).unwrap().contains(EXACT));
    passes("1 0.3333\n", &[]).unwrap_err();
}

#[test]
fn every_byte_may_count() {
    passes("1 \n0.3333", &["--compare", "exact"]).unwrap();
    let said = passes("1 \n0.3333\n", &["--compare", "exact"]).unwrap_err();
    assert!(
        said.contains("line 2 of the output has `0.3333` where `0.3333\\n` is expected"),
        "{said}"
    );
    let said = passes("1\n0.3333", &["--compare", "exact"]).unwrap_err();
    assert!(said.contains("has `1 \\n` where `1\\n` is expected"), "{said}");
}

#[test]
fn words_may_be_all_that_counts() {
    let tokens = ["--compare", "tokens"];
    let said = passes("1 0.3333\n", &tokens).unwrap();
    assert!(said.contains("only in white space, which --compare exact would count"), "{said}");
    passes("1 0.333333\n", &tokens).unwrap_err();
    let near = ["--compare", "tokens", "--tolerance", "1e-3"];
    let said = passes("1 0.333333\n", &near).unwrap();
    assert!(said.contains("only in numbers that --tolerance allows"), "{said}");
    let said = passes("1 0.335\n", &near).unwrap_err();
    assert!(said.contains("has `0.3333` where `0.335` is expected"), "{said}");
    // Each number is compared by itself.
    passes("2 0.3333\n", &near).unwrap_err();
}

#[test]
fn a_tolerance_is_one_of_words() {
    let folder = folder("tolerance", &[("out", "1")]);
    for (words, message) in [
        (&["--tolerance", "1"][..], "add --compare tokens"),
        (&["--compare", "lines", "--tolerance", "1"], "add --compare tokens"),
        (&["--compare", "tokens", "--tolerance", "-1"], "not negative"),
        (&["--compare", "tokens", "--tolerance", "x"], "such as 1e-6"),
        (&["--compare", "words"], "exact, lines, tokens"),
    ] {
        let run = run(&folder, &[&["--expect", "out"], words].concat());
        assert_eq!(run.status, Some(2));
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

fn suite(name: &str, compare: &str) -> PathBuf {
    let files = [
        ("tests/a.in", "1\n"),
        ("tests/a.out", "1\n0.3333\n"),
        ("tests/b.in", "3\n"),
        ("tests/b.out", "3 1.000001\n"),
        ("tests/c.in", "4\n"),
        ("tests/c.out", "5 1.3333\n"),
        ("tests/compare", compare),
    ];
    folder(name, &files)
}

fn passed(folder: &Path, words: &[&str]) -> (Vec<String>, Value) {
    let words = [&["--tests", "tests", "--format", "json"], words].concat();
    let run = run(folder, &words);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let all = answer["suite"]["results"].as_array().unwrap().iter();
    let some = all.filter(|test| test["verdict"] == "passed");
    (some.map(|test| test["name"].as_str().unwrap().to_owned()).collect(), answer)
}

#[test]
fn a_folder_of_tests_may_say_how_outputs_are_compared() {
    let folder = suite("suite", "tokens 1e-4\n");
    let (names, answer) = passed(&folder, &[]);
    assert_eq!(names, ["a", "b"]);
    let notes = answer["notes"].to_string();
    assert!(notes.contains("the output of test a, which passed, differs"), "{notes}");
    let first = &answer["suite"]["results"][0];
    assert_eq!(first["differs_in"], format!("trailing white space, {EXACT}"));
    assert!(answer["suite"]["results"][2].get("differs_in").is_none());
    // Who says it on the command line means it.
    assert_eq!(passed(&folder, &["--compare", "tokens"]).0, ["a"]);
    assert_eq!(passed(&folder, &["--compare", "exact"]).0, Vec::<String>::new());
    for format in ["text", "html", "sarif"] {
        let words = ["--tests", "tests", "--format", format];
        let said = unwrapped(&run(&folder, &words).stdout);
        assert!(said.contains("only in trailing white space"), "{format}: {said}");
    }
}

#[test]
fn a_comparison_that_is_none_is_refused() {
    for wrong in ["", "tokens many", "lines 1e-6", "tokens 1 2", "words"] {
        let folder = suite("refused", wrong);
        let run = run(&folder, &["--tests", "tests"]);
        assert_eq!(run.status, Some(2), "{wrong}");
        assert!(run.stderr.contains("tests/compare: expected `exact`, `lines` or `tokens`"));
    }
}
