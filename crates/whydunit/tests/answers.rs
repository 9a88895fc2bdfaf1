//! What a run leaves behind: answers in files, and the exit status.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, finish, whydunit};
use serde_json::Value;

const FAILING: &str = "#include <assert.h>
    #include \"limit.h\"
    int main(int argc, char **argv) { int x = argc + LIMIT; assert(x != 3 && argv); return 0; }\n";

/// An empty folder with a failing program.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("answers-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("tests")).unwrap();
    fs::write(folder.join("prog.c"), FAILING).unwrap();
    fs::write(folder.join("limit.h"), "#define LIMIT 2\n").unwrap();
    fs::write(folder.join("expected"), "").unwrap();
    fs::write(folder.join("tests/one.args"), "").unwrap();
    fs::write(folder.join("tests/one.out"), "1\n").unwrap();
    folder
}

fn run(folder: &Path, line: &str) -> Run {
    finish(whydunit().current_dir(folder).args(line.split_whitespace())).unwrap()
}

#[track_caller]
fn says(run: &Run, status: i32, part: &str) {
    let all = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(run.status, Some(status), "{all}");
    assert!(all.contains(part), "`{part}` is not in\n{all}");
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_read_is_never_written_over() {
    let folder = folder("inputs");
    std::os::unix::fs::symlink("prog.c", folder.join("link.txt")).unwrap();
    fs::hard_link(folder.join("expected"), folder.join("hard.txt")).unwrap();
    fs::write(folder.join("list"), "< in.txt\n").unwrap();
    fs::write(folder.join("in.txt"), "").unwrap();
    let before: Vec<String> =
        ["prog.c", "limit.h", "tests/one.out"].map(|name| content(&folder, name)).into();
    for line in [
        "prog.c -o prog.c",
        "prog.c -o ./prog.c",
        "prog.c -o link.txt",
        "prog.c --format text -o limit.h",
        "prog.c --expect expected -o expected",
        "prog.c --expect expected -o hard.txt",
        "prog.c --stdin in.txt -o in.txt",
        "prog.c --tests tests --format text -o tests/one.out",
        "prog.c --test-list list -o list",
        "prog.c --test-list list -o in.txt",
    ] {
        let refused = run(&folder, line);
        says(&refused, 2, "which is read: give another name");
        let after: Vec<String> =
            ["prog.c", "limit.h", "tests/one.out"].map(|name| content(&folder, name)).into();
        assert_eq!(after, before, "{line}");
    }
    says(&run(&folder, "prog.c -o a.txt -o ./a.txt"), 2, "only one answer fits");
    assert!(!folder.join("a.txt").exists());
}

fn content(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn all_answers_are_written_or_none() {
    let folder = folder("several");
    fs::write(folder.join("a.html"), "old").unwrap();
    says(&run(&folder, "prog.c -o a.html -o none/b.json"), 2, "there is no such folder");
    assert_eq!(content(&folder, "a.html"), "old");
    fs::create_dir(folder.join("c.txt")).unwrap();
    says(&run(&folder, "prog.c -o a.html -o c.txt"), 2, "it is a directory");
    assert_eq!(content(&folder, "a.html"), "old");
    fs::remove_dir(folder.join("c.txt")).unwrap();
    // Of a link, the file is replaced, and a device stays what it is.
    std::os::unix::fs::symlink("a.html", folder.join("b.html")).unwrap();
    says(&run(&folder, "prog.c -o b.html -o /dev/null -o -"), 0, "does not hold");
    assert!(folder.join("b.html").is_symlink());
    assert!(content(&folder, "a.html").starts_with("<!DOCTYPE html>"));
    let left = ["a.html", "b.html", "expected", "limit.h", "prog.c", "tests"];
    assert_eq!(names(&folder), left, "no other file is left");
}

#[test]
fn no_older_answer_is_left() {
    let folder = folder("older");
    let fine = FAILING.replace("x != 3", "x != 4");
    let outputs = "-o a.txt -o a.json -o a.html -o a.sarif";
    let all = ["a.html", "a.json", "a.sarif", "a.txt"];
    let answers = || -> Vec<String> {
        names(&folder).into_iter().filter(|name| name.starts_with("a.")).collect()
    };
    says(&run(&folder, &format!("prog.c {outputs}")), 0, "");
    assert_eq!(answers(), all);
    // Results say that there is none.
    fs::write(folder.join("prog.c"), &fine).unwrap();
    says(&run(&folder, &format!("prog.c {outputs}")), 1, "No failure");
    assert_eq!(answers(), ["a.sarif"]);
    assert!(content(&folder, "a.sarif").contains("\"results\": []"));
    fs::write(folder.join("prog.c"), FAILING).unwrap();
    says(&run(&folder, &format!("prog.c {outputs}")), 0, "");
    fs::write(folder.join("prog.c"), "int main(void) { return }\n").unwrap();
    says(&run(&folder, &format!("prog.c {outputs}")), 2, "expected expression");
    assert_eq!(answers(), [""; 0]);
    // What is no report might be read by what could not be compiled.
    says(&run(&folder, "prog.c --format text -o limit.h"), 2, "expected expression");
    assert_eq!(content(&folder, "limit.h"), "#define LIMIT 2\n");
}

const ENDLESS: &str = "int __VERIFIER_nondet_int(void);
    int main(void) { int x = __VERIFIER_nondet_int(); while (x) if (x == 8) x = 8; }\n";

#[test]
fn what_is_not_known_is_no_success() {
    let folder = folder("unknown");
    fs::write(folder.join("endless.c"), ENDLESS).unwrap();
    let limited = run(&folder, "endless.c --max-steps 1000 --format sarif");
    says(&limited, 4, "Some executions were cut off");
    let log: Value = serde_json::from_str(&limited.stdout).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 4);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert!(notification["message"]["text"].as_str().unwrap().contains("--max-steps"), "{log}");
    let loops = "procedure main(n: int) { var i: int; i := 0;
        while (i < n) { i := i + 1; } assert i < 100; }\n";
    fs::write(folder.join("loop.bpl"), loops).unwrap();
    says(&run(&folder, "loop.bpl"), 4, "Loops were unrolled");
    let fine = FAILING.replace("x != 3", "x != 4");
    fs::write(folder.join("fine.c"), fine).unwrap();
    let none = run(&folder, "fine.c --format sarif");
    says(&none, 1, "\"executionSuccessful\": true");
}

#[test]
fn a_failure_without_a_suspect_is_not_explained() {
    let folder = folder("nobody");
    fs::write(folder.join("nobody.bpl"), "procedure main() { assert false; }\n").unwrap();
    let text = run(&folder, "nobody.bpl");
    says(&text, 4, "note: no statement is suspected");
    let json = run(&folder, "nobody.bpl --format json");
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["suspects"], Value::Array(Vec::new()));
    says(&json, 4, "no statement is suspected");
    says(&run(&folder, "nobody.bpl --format sarif"), 4, "\"executionSuccessful\": false");
}
