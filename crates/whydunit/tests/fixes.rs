//! Fixes as patches, in formats, and applied.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests may panic, too

mod common;
#[path = "common/schema.rs"]
mod schema;

use std::fs;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Run, finish, whydunit};
use schema::{Schema, Undescribed};
use serde_json::Value;

/// One element too much is read.
const MARKS: &str = "#include <assert.h>

int main(void)
{
    int marks[3] = { 2, 5, 1 };
    int sum = 0;
    for (int i = 0; i <= 3; i++)
        sum += marks[i];
    assert(sum == 8);
    return 0;
}
";
const RIGHT: &str = "i < 3;";
const WRONG: &str = "i <= 3;";

/// A sum where a product is meant; whatever is given, the check knows better.
const AREA: &str = "#include <assert.h>
#include <stdlib.h>

int area(int width, int height)
{
    return width + height;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    int width = atoi(argv[1]);
    int height = atoi(argv[2]);
    int counted = 0;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            counted++;
    if (width >= 0 && height >= 0)
        assert(area(width, height) == counted);
    return 0;
}
";

/// An empty repository with these files.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fixes-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    git(&folder, &["init", "--quiet"], b"");
    for (file, content) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[track_caller]
fn git(folder: &Path, arguments: &[&str], input: &[u8]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(input));
}

fn run(folder: &Path, line: &str) -> Run {
    finish(whydunit().current_dir(folder).args(line.split_whitespace())).unwrap()
}

/// The bytes of a patch, which need not be text.
#[track_caller]
fn patch(folder: &Path, words: &[&str]) -> Vec<u8> {
    let output = whydunit().current_dir(folder).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[track_caller]
fn says(run: &Run, status: i32, part: &str) {
    let all = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(run.status, Some(status), "{all}");
    assert!(all.contains(part), "`{part}` is not in\n{all}");
}

fn content(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Takes the patch that is printed, applies it, and sees that only this is changed, and that nothing fails any more.
#[track_caller]
fn applies(name: &str, file: &str, old: &[u8], wrong: &str, right: &str) {
    let folder = folder(name, &[(file, old)]);
    let patch = patch(&folder, &[file, "--fix"]);
    git(&folder, &["apply"], &patch);
    let at = old.windows(wrong.len()).position(|it| it == wrong.as_bytes()).unwrap();
    let expected = [&old[..at], right.as_bytes(), &old[at + wrong.len()..]].concat();
    assert_eq!(fs::read(folder.join(file)).unwrap(), expected);
    says(&run(&folder, file), 1, "No failure");
}

#[test]
fn git_takes_patches() {
    applies("plain", "marks.c", MARKS.as_bytes(), WRONG, RIGHT);
    applies("subfolder", "src/sub/marks.c", MARKS.as_bytes(), WRONG, RIGHT);
    let crlf = MARKS.replace('\n', "\r\n");
    applies("crlf", "marks.c", crlf.as_bytes(), WRONG, RIGHT);
    let tabs = MARKS.replace("    ", "\t");
    applies("tabs", "marks.c", tabs.as_bytes(), WRONG, RIGHT);
    applies("unended", "marks.c", MARKS.trim_end().as_bytes(), WRONG, RIGHT);
    // The last line itself is changed.
    let lines = MARKS.replace("    ", " ").replace("<assert.h>\n", "<assert.h>@");
    let one = lines.replace('\n', " ").replace('@', "\n");
    applies("one-line", "marks.c", one.trim_end().as_bytes(), WRONG, RIGHT);
    let both = one.trim_end().replace('\n', "\r\n");
    applies("one-line-crlf", "marks.c", both.as_bytes(), WRONG, RIGHT);
}

#[test]
fn bytes_that_are_no_text_stay() {
    let mut old = MARKS.replace("int sum", "/* @ */ int sum").into_bytes();
    let at = old.iter().position(|it| *it == b'@').unwrap();
    old[at] = 0xe9;
    let name = "latin.c";
    let with_lone = [&old[..at], b"\xe9 \r \x0c ", &old[at..]].concat();
    applies("latin", name, &old, WRONG, RIGHT);
    applies("lone", name, &with_lone, WRONG, RIGHT);
}

#[test]
fn names_of_files() {
    let folder = folder("names", &[("my marks.c", MARKS.as_bytes()), ("é\"x.c", MARKS.as_bytes())]);
    for name in ["my marks.c", "é\"x.c"] {
        git(&folder, &["apply"], &patch(&folder, &[name, "--fix"]));
        assert!(content(&folder, name).contains(RIGHT), "{name}");
    }
    // In a folder of the repository, names are relative to it.
    fs::create_dir(folder.join("src")).unwrap();
    fs::write(folder.join("src/marks.c"), MARKS).unwrap();
    let inner = folder.join("src");
    git(&inner, &["apply"], &patch(&inner, &["marks.c", "--fix"]));
    assert!(content(&inner, "marks.c").contains(RIGHT));
    // What is elsewhere cannot be patched from here.
    fs::write(folder.join("marks.c"), MARKS).unwrap();
    says(&run(&inner, "../marks.c --fix"), 0, "is not in the current folder");
    says(&run(&inner, "../marks.c --apply --yes"), 0, "Edited: ");
    assert!(content(&folder, "marks.c").contains(RIGHT));
}

#[test]
fn an_edit_of_a_header() {
    let header = "static int last(int count)\n{\n    return count;\n}\n";
    let main = "#include <assert.h>\n#include \"inc/last.h\"\nint main(void)\n{\n    int marks[3] = { 2, 5, 1 };\n    assert(marks[last(3)] == 1);\n    return 0;\n}\n";
    let folder =
        folder("header", &[("main.c", main.as_bytes()), ("inc/last.h", header.as_bytes())]);
    let found = run(&folder, "main.c --format json");
    let answer: Value = serde_json::from_str(&found.stdout).unwrap();
    let solutions = answer["diagnoses"]["repair"]["solutions"].as_array().unwrap();
    let is_there = |it: &&Value| it["edits"][0]["location"]["file"] == "inc/last.h";
    let rank = solutions.iter().find(is_there).map(|it| it["rank"].to_string());
    let rank = rank.unwrap_or_else(|| panic!("{}", found.stdout));
    git(&folder, &["apply"], &patch(&folder, &["main.c", "--fix", &rank]));
    assert_ne!(content(&folder, "inc/last.h"), header);
    assert_eq!(content(&folder, "main.c"), main);
    says(&run(&folder, "main.c"), 1, "No failure");
}

#[test]
fn which_fix_and_where() {
    let folder = folder("which", &[("area.c", AREA.as_bytes())]);
    let best = run(&folder, "area.c --fix -- 3 4");
    says(&best, 0, "+    return width * height;\n");
    assert!(best.stdout.starts_with("--- a/area.c\n+++ b/area.c\n@@ "), "{}", best.stdout);
    assert!(best.stderr.contains("with `width * height` instead of `width + height`"));
    let quiet = run(&folder, "area.c --fix=1 --quiet -- 3 4");
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), (best.stdout.as_str(), ""));
    says(&run(&folder, "area.c --fix 4000 -- 3 4"), 4, "There is no fix 4000, only ");
    says(&run(&folder, "area.c --fix 0 -- 3 4"), 2, "expected the rank of a fix");
    says(&run(&folder, "--fix area.c -- 3 4"), 2, "names of files are written before --fix");
    says(&run(&folder, "area.c --fix --format json -- 3 4"), 2, "cannot be used with");
    says(&run(&folder, "area.c --fix --technique slice -- 3 4"), 2, "add it to --technique");
    // In files, also beside other answers, and the list has the same order as the patches.
    let several = run(&folder, "area.c -o fix.patch -o area.json -- 3 4");
    says(&several, 0, "");
    assert_eq!((several.stdout.as_str(), content(&folder, "fix.patch")), ("", best.stdout.clone()));
    let beside = run(&folder, "area.c --fix -o area.txt -- 3 4");
    assert_eq!(beside.stdout, best.stdout);
    assert!(content(&folder, "area.txt").contains("width * height"));
    let answer: Value = serde_json::from_str(&content(&folder, "area.json")).unwrap();
    let solutions = answer["diagnoses"]["repair"]["solutions"].as_array().unwrap();
    for solution in solutions {
        let own = run(&folder, &format!("area.c --fix {} -- 3 4", solution["rank"]));
        assert_eq!(own.stdout, solution["patch"].as_str().unwrap());
    }
    assert_eq!(answer["suspects"][0]["fix"], 1, "{}", answer["suspects"]);
}

#[test]
fn without_a_fix() {
    // What is printed has nothing to do with the program.
    let program = "#include <stdio.h>\nint main(void)\n{\n    puts(\"a\");\n    return 0;\n}\n";
    let folder = folder("none", &[("p.c", program.as_bytes()), ("expected", b"12 of 400\n")]);
    fs::write(folder.join("fix.diff"), "--- an older one\n").unwrap();
    let none = run(&folder, "p.c --expect expected -o fix.diff");
    says(&none, 4, "No fix was found: ");
    assert!(none.stderr.contains("tried, none passes"), "{}", none.stderr);
    assert!(!folder.join("fix.diff").exists());
    let none = run(&folder, "p.c --expect expected --fix");
    assert_eq!((none.status, none.stdout.as_str()), (Some(4), ""));
    let none = run(&folder, "p.c --expect expected --apply --yes");
    assert_eq!((none.status, none.stdout.as_str()), (Some(4), ""));
    assert_eq!(content(&folder, "p.c"), program);
    fs::write(folder.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    let fine = run(&folder, "p.c --fix");
    assert_eq!((fine.status, fine.stdout.as_str()), (Some(1), ""));
    // If there was no time, this is said.
    fs::write(folder.join("area.c"), AREA).unwrap();
    let late = run(&folder, "area.c --apply --yes --time-limit 1ms -- 3 4");
    assert_eq!((late.status, late.stdout.as_str()), (Some(4), ""), "{}", late.stderr);
    assert!(late.stderr.contains("--time-limit"), "{}", late.stderr);
    assert_eq!(content(&folder, "area.c"), AREA);
    // Bitcode has no text that could be edited.
    fs::write(folder.join("m.c"), MARKS).unwrap();
    let mut clang = Command::new("clang");
    clang.current_dir(&folder).args(["-g", "-O0", "-c", "-emit-llvm", "m.c", "-o", "m.bc"]);
    if clang.status().is_ok_and(|status| status.success()) {
        says(&run(&folder, "m.bc --fix"), 4, "that takes the source");
    }
}

#[test]
fn applied_without_asking() {
    let old = MARKS.replace('\n', "\r\n");
    let folder = folder("applied", &[("src/marks.c", old.as_bytes())]);
    let file = folder.join("src/marks.c");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let refused = run(&folder, "src/marks.c --apply");
    says(&refused, 2, "there is no terminal: add --yes");
    assert_eq!(content(&folder, "src/marks.c"), old);
    says(&run(&folder, "src/marks.c --yes"), 2, "--apply");
    let applied = run(&folder, "src/marks.c --apply --yes");
    says(&applied, 0, "Edited: src/marks.c.");
    assert!(applied.stdout.starts_with("--- a/src/marks.c\n"), "{}", applied.stdout);
    assert_eq!(content(&folder, "src/marks.c"), old.replace(WRONG, RIGHT));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.join("src")).unwrap().count(), 1, "no other file is left");
    says(&run(&folder, "src/marks.c --apply --yes"), 1, "No failure");
}

/// Runs it in a terminal. At the question something may happen, and it is answered.
fn answered(folder: &Path, words: &[&str], at_question: &dyn Fn(), keys: &str) -> (i32, String) {
    answered_at(folder, words, "? [y/N] ", at_question, keys)
}

/// The same, where questions end with this.
fn answered_at(
    folder: &Path,
    words: &[&str],
    end: &str,
    at_question: &dyn Fn(),
    keys: &str,
) -> (i32, String) {
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    let command = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_whydunit"))
        .args(words)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8");
    let mut child = command.spawn(pts).unwrap();
    let mut reader = fs::File::from(pty.as_fd().try_clone_to_owned().unwrap());
    let mut seen = String::new();
    let mut bytes = [0; 4096];
    let mut is_asked = false;
    // When the program has ended, reading is an error.
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        seen += &String::from_utf8_lossy(&bytes[..count]);
        if !is_asked && seen.ends_with(end) {
            is_asked = true;
            at_question();
            pty.write_all(keys.as_bytes()).unwrap();
        }
    }
    assert!(is_asked, "{seen}");
    (child.wait().unwrap().code().unwrap(), seen)
}

#[test]
fn applied_after_asking() {
    let folder = folder("asked", &[("marks.c", MARKS.as_bytes())]);
    let words = ["marks.c", "--apply"];
    for no in ["n\n", "\n", "why?\n", "\x04"] {
        let (status, seen) = answered(&folder, &words, &|| {}, no);
        assert!(seen.contains("Apply this fix to marks.c? [y/N] "), "{seen}");
        assert!(seen.contains("Nothing was edited."), "{seen}");
        assert_eq!((status, content(&folder, "marks.c")), (0, MARKS.to_owned()), "{seen}");
    }
    // A signal is no answer.
    let (status, seen) = answered(&folder, &words, &|| {}, "\x03");
    assert_eq!((status, content(&folder, "marks.c")), (130, MARKS.to_owned()), "{seen}");
    let (status, seen) = answered(&folder, &words, &|| {}, "y\n");
    assert!(seen.contains(&format!("+    for (int i = 0; {RIGHT}")), "the patch is seen:\n{seen}");
    assert_eq!((status, content(&folder, "marks.c")), (0, MARKS.replace(WRONG, RIGHT)), "{seen}");
}

/// Sides in descending order; whether two are equal is not asked of all pairs.
const TRIANGLE: &str = "#include <stdio.h>
#include <stdlib.h>

static const char *kind(int a, int b, int c)
{
    if (a < b || b < c || a >= b + c)
        return \"no triangle\";
    if (a == b && b == c)
        return \"equilateral\";
    if (a == b || a == c)
        return \"isosceles\";
    return \"scalene\";
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 1;
    puts(kind(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
";

/// What is right, for an input as it is named in a question.
fn kind_of(sides: &str) -> &'static str {
    let sides: Vec<i64> = sides.split(' ').map(|it| it.parse().unwrap_or(0)).collect();
    match sides[..] {
        [a, b, c] if a < b || b < c || a >= b + c => "no triangle",
        [a, _, c] if a == c => "equilateral",
        [a, b, c] if a == b || b == c => "isosceles",
        [_, _, _] => "scalene",
        // The usage.
        _ => "",
    }
}

/// Answers questions through a pipe, as `answer` does with the input and its outcomes.
fn asked(folder: &Path, words: &[&str], answer: &dyn Fn(&str) -> Option<String>) -> (Run, usize) {
    let mut said = Vec::new();
    for count in 0.. {
        let mut command = whydunit();
        let command = command.current_dir(folder).args(words);
        fs::write(folder.join("answers"), said.join("")).unwrap();
        let run = finish(command.stdin(fs::File::open(folder.join("answers")).unwrap())).unwrap();
        // Whatever is asked after the last answer has none yet.
        let questions: Vec<&str> =
            run.stderr.split("With `").skip(1).filter_map(|it| it.split('`').next()).collect();
        match questions.get(count).and_then(|with| answer(with)) {
            Some(line) => said.push(line),
            None => return (run, count),
        }
    }
    unreachable!("there is an end to numbers")
}

#[test]
fn questions_tell_fixes_apart() {
    let folder = folder("ask", &[("t.c", TRIANGLE.as_bytes()), ("expected", b"isosceles\n")]);
    let plain = run(&folder, "t.c --expect expected -- 5 4 4");
    says(&plain, 0, "Which is right?");
    says(&plain, 0, "`--ask` asks what is right where fixes differ");
    let words = ["t.c", "--expect", "expected", "--ask", "--fix", "--", "5", "4", "4"];
    let (run, count) = asked(&folder, &words, &|with| Some(format!("\"{}\\n\"\n", kind_of(with))));
    assert!((1..=6).contains(&count), "{}", run.stderr);
    says(&run, 0, "+");
    git(&folder, &["apply"], run.stdout.as_bytes());
    for (sides, kind) in [("5 5 4", "isosceles"), ("5 4 3", "scalene"), ("6 6 6", "equilateral")] {
        fs::write(folder.join("expected"), format!("{kind}\n")).unwrap();
        let fixed = self::run(&folder, &format!("t.c --expect expected -- {sides}"));
        says(&fixed, 1, "No failure");
    }
}

#[test]
fn answers_are_kept_as_tests() {
    let folder = folder("keep", &[("t.c", TRIANGLE.as_bytes()), ("expected", b"isosceles\n")]);
    let words =
        ["t.c", "--expect", "expected", "--ask", "--keep", "new/tests", "--format", "json", "--"];
    let words = [&words[..], &["5", "4", "4"]].concat();
    // Not every question need be answered, and some answers are none.
    let replies = std::cell::RefCell::new(vec!["99\nnone\n", "\n", ""]);
    let (run, _) = asked(&folder, &words, &|with| match replies.borrow_mut().pop() {
        Some(reply) => {
            // All is asked again, with one more answer.
            let _ = fs::remove_dir_all(folder.join("new"));
            Some(if reply.is_empty() { format!("{}\n", kind_of(with)) } else { reply.to_owned() })
        }
        None => None,
    });
    let answer: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stderr));
    assert!(run.stderr.contains("there is no such outcome"), "{}", run.stderr);
    let notes = answer["notes"].to_string();
    assert!(notes.contains("you said that with") && notes.contains("was not kept"), "{notes}");
    assert_eq!(fs::read_dir(folder.join("new/tests")).unwrap().count(), 2);
    assert_eq!(content(&folder, "new/tests/answer-1.out").lines().count(), 1);
    says(&self::run(&folder, "t.c --tests new/tests"), 1, "No failure: 1 test: 1 passed");
}

/// The last version that was right says what is right, with the failing input and with those near it.
#[test]
fn a_reference_judges_fixes() {
    let good = TRIANGLE.replace("a == b || a == c", "a == b || b == c");
    let files = [("t.c", TRIANGLE.as_bytes()), ("good.c", good.as_bytes())];
    let folder = folder("reference", &files);
    let found = run(&folder, "t.c --reference good.c --format json -- 5 4 4");
    let answer: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(answer["failure"]["kind"], "wrong-output");
    let repair = &answer["diagnoses"]["repair"];
    assert_eq!(repair["apart"].as_array().unwrap().len(), 0, "{repair}");
    let solutions = repair["solutions"].as_array().unwrap();
    assert!(!solutions.is_empty(), "{repair}");
    for solution in solutions {
        let checked = &solution["checked"];
        assert_eq!(solution["grade"], "all-tests-neighbours-as-before", "{solution}");
        assert_eq!(checked["neighbours_repaired"], checked["neighbours_alike"], "{solution}");
        assert_eq!(checked["broken"], 0, "{solution}");
        // `return "isosceles"` for whatever is left passes the test only.
        assert!(solution["patch"].as_str().unwrap().contains("b == c"), "{solution}");
    }
    says(&run(&folder, "t.c --reference good.c -- 5 4 3"), 1, "No failure");
    says(&run(&folder, "t.c --reference none.c -- 5 4 4"), 2, "none.c");
    fs::write(folder.join("bad.c"), "int main(void) { return *(volatile int *)0; }\n").unwrap();
    let bad = run(&folder, "t.c --reference bad.c -- 5 4 4");
    says(&bad, 2, "bad.c does not say what is right: it fails itself (null-dereference)");
    // What the user says counts more.
    fs::write(folder.join("expected"), "scalene\n").unwrap();
    says(&run(&folder, "t.c --reference good.c --expect expected -- 5 4 4"), 1, "No failure");
}

/// What no edit corrects alone: two faults, each with tests of its own.
#[test]
fn two_faults_are_corrected_together() {
    let program = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int larger(int a, int b)
{
    return a < b ? a : b;
}

static int total(int a, int b)
{
    return a - b;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 1;
    int a = atoi(argv[2]);
    int b = atoi(argv[3]);
    printf(\"%d\\n\", strcmp(argv[1], \"larger\") == 0 ? larger(a, b) : total(a, b));
    return 0;
}
";
    let tests = [("larger 3 5", 5), ("larger 9 2", 9), ("total 1 2", 3), ("total 7 7", 14)];
    let folder = folder("two", &[("two.c", program.as_bytes())]);
    fs::create_dir(folder.join("tests")).unwrap();
    for (number, (arguments, output)) in tests.iter().enumerate() {
        fs::write(folder.join(format!("tests/{number}.args")), arguments).unwrap();
        fs::write(folder.join(format!("tests/{number}.out")), format!("{output}\n")).unwrap();
    }
    let found = run(&folder, "two.c --tests tests --fix");
    says(&found, 0, ", and with `");
    says(&found, 0, "all 4 tests pass");
    git(&folder, &["apply"], found.stdout.as_bytes());
    says(&run(&folder, "two.c --tests tests"), 1, "No failure");
    let right = content(&folder, "two.c");
    assert!(right.contains("a + b") && !right.contains("a < b ? a : b"), "{right}");
}

/// One test, of which an edit makes more right, and another one the rest.
#[test]
fn what_helps_is_the_first_of_two_edits() {
    let program = "#include <stdio.h>

int main(void)
{
    int marks[8], count, sum = 0, worst = 0;
    if (scanf(\"%d\", &count) != 1 || count > 8)
        return 1;
    for (int i = 0; i < count; i++)
        scanf(\"%d\", &marks[i]);
    for (int i = 1; i < count; i++)
        sum += marks[i];
    for (int i = 1; i < count; i++)
        if (marks[i] > marks[worst])
            worst = i;
    printf(\"%d %d\\n\", sum, marks[worst]);
    return 0;
}
";
    let files = [("two.c", program.as_bytes()), ("in", b"4\n3 9 1 5\n"), ("out", b"18 1\n")];
    let folder = folder("further", &files);
    let found = run(&folder, "two.c --stdin in --expect out --fix");
    says(&found, 0, ", and with");
    git(&folder, &["apply"], found.stdout.as_bytes());
    says(&run(&folder, "two.c --stdin in --expect out"), 1, "No failure");
}

#[test]
fn nobody_is_asked_in_vain() {
    let folder = folder("vain", &[("p.c", AREA.as_bytes()), ("expected", b"12 of 400\n")]);
    says(&run(&folder, "p.c --ask --technique slice -- 3 4"), 2, "add it to --technique");
    says(&run(&folder, "p.c --keep x -- 3 4"), 2, "--ask");
    says(&run(&folder, "b.bpl --ask --keep x"), 2, "only C programs have");
    says(&run(&folder, "- --ask"), 2, "give the program as a file");
    fs::write(
        folder.join("p.c"),
        "#include <stdio.h>\nint main(void) { puts(\"a\"); return 0; }\n",
    )
    .unwrap();
    says(
        &run(&folder, "p.c --expect expected --ask"),
        0,
        "There is nothing to ask: no fix was found.",
    );
}

#[test]
fn questions_on_a_terminal() {
    let folder = folder("think", &[("t.c", TRIANGLE.as_bytes()), ("expected", b"isosceles\n")]);
    let words =
        ["t.c", "--expect", "expected", "--technique", "repair", "--ask", "--", "5", "4", "4"];
    let (status, seen) = answered_at(&folder, &words, ": ", &|| {}, "1\n\x04");
    assert_eq!(status, 0, "{seen}");
    assert!(seen.contains("you said that with") && seen.contains("repair: "), "{seen}");
    // A signal is an answer, too.
    let (status, seen) = answered_at(&folder, &words, ": ", &|| {}, "\x03");
    assert_eq!(status, 130, "{seen}");
    assert!(seen.contains("repair: "), "{seen}");
}

#[test]
fn what_has_changed_meanwhile_is_not_edited() {
    let folder = folder("changed", &[("marks.c", MARKS.as_bytes())]);
    let changed = MARKS.replace("sum = 0", "sum = 00");
    let change = || fs::write(folder.join("marks.c"), &changed).unwrap();
    let (status, seen) = answered(&folder, &["marks.c", "--apply"], &change, "y\n");
    assert!(seen.contains("cannot edit marks.c: it has changed since it was read"), "{seen}");
    assert_eq!((status, content(&folder, "marks.c")), (2, changed.clone()));
    let remove = || fs::remove_file(folder.join("marks.c")).unwrap();
    let (status, seen) = answered(&folder, &["marks.c", "--apply"], &remove, "y\n");
    assert!(seen.contains("cannot edit marks.c: there is no such file"), "{seen}");
    assert_eq!(status, 2);
}

/// Applies the fixes of a log as an editor would: lines, columns and nothing else are known.
fn applied_fix(text: &str, fix: &Value) -> String {
    let offset = |line: u64, column: u64| {
        let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let letters = text[before..].chars().take(column as usize - 1);
        before + letters.map(char::len_utf8).sum::<usize>()
    };
    let mut new = text.to_owned();
    let replacements = fix["artifactChanges"][0]["replacements"].as_array().unwrap();
    for replacement in replacements.iter().rev() {
        let region = |name: &str| replacement["deletedRegion"][name].as_u64().unwrap();
        let start = offset(region("startLine"), region("startColumn"));
        let end = offset(region("endLine"), region("endColumn"));
        new.replace_range(
            start..end,
            replacement["insertedContent"]["text"].as_str().unwrap_or(""),
        );
    }
    new
}

#[test]
fn fixes_in_formats() {
    let program = AREA.replace("return width", "/* größer */ return width");
    let folder = folder("formats", &[("src/area.c", program.as_bytes())]);
    says(&run(&folder, "src/area.c -o a.sarif -o a.json -- 3 4"), 0, "");
    let log: Value = serde_json::from_str(&content(&folder, "a.sarif")).unwrap();
    let standard = include_str!("data/sarif-schema-2.1.0.json");
    Schema::new(standard, Undescribed::AsTheSchemaSays).unwrap().check(&log).unwrap();
    let answer: Value = serde_json::from_str(&content(&folder, "a.json")).unwrap();
    let own = include_str!("../../../docs/schema/whydunit.schema.json");
    Schema::new(own, Undescribed::Forbidden).unwrap().check(&answer).unwrap();

    let solutions = answer["diagnoses"]["repair"]["solutions"].as_array().unwrap();
    let fixes = log["runs"][0]["results"][0]["fixes"].as_array().unwrap();
    assert_eq!(fixes.len(), solutions.len());
    for (fix, solution) in fixes.iter().zip(solutions) {
        assert_eq!(fix["artifactChanges"][0]["artifactLocation"]["uri"], "src/area.c");
        assert_eq!(fix["properties"]["rank"], solution["rank"]);
        let new = applied_fix(&program, fix);
        git(&folder, &["apply"], solution["patch"].as_str().unwrap().as_bytes());
        assert_eq!(content(&folder, "src/area.c"), new);
        fs::write(folder.join("src/area.c"), &program).unwrap();
    }
    assert!(applied_fix(&program, &fixes[0]).contains("return width * height;"));
}
