//! Test suites: how they are read, run and reported.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use common::{Run, finish, whydunit};
use serde_json::Value;

/// Runs whydunit in the folder of the suite.
fn run(words: &[&str]) -> Run {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/suites/clamp");
    finish(whydunit().current_dir(folder).args(words).arg("--technique=relevance")).unwrap()
}

/// The answer as JSON, without what depends on the time.
fn json(words: &[&str]) -> Value {
    let run = run(&[words, &["--format=json"]].concat());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let mut value: Value = serde_json::from_str(&run.stdout).unwrap();
    value.as_object_mut().unwrap().remove("time");
    value
}

/// It ends with this status and says this on standard error.
#[track_caller]
fn says(run: &Run, status: i32, message: &str) {
    assert_eq!(run.status, Some(status), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(message), "`{message}` is not in\n{}", run.stderr);
}

/// A new folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    for (name, content) in files {
        std::fs::write(path.join(name), content).unwrap();
    }
    path
}

/// The tests with this verdict.
fn names(answer: &Value, verdict: &str) -> Vec<String> {
    let all = answer["suite"]["results"].as_array().unwrap().iter();
    let some = all.filter(|test| test["verdict"] == verdict);
    some.map(|test| test["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_of_tests() {
    let answer = json(&["clamp.c", "--tests", "tests"]);
    let suite = &answer["suite"];
    let counts = ["tests", "passed", "failed", "crashed", "timed_out", "skipped"];
    let counts = counts.map(|key| suite[key].as_u64().unwrap());
    assert_eq!(counts, [10, 6, 4, 0, 0, 0]);
    // Numbers in names are numbers.
    assert_eq!(names(&answer, "passed"), ["bound", "empty", "low-1", "low-2", "low-10", "usage"]);
    assert_eq!(names(&answer, "failed"), ["above", "inside", "inside-1", "mixed"]);
    assert_eq!(answer["failure"]["kind"], "wrong-output");
    let results = suite["results"].as_array().unwrap();
    let failing = results.iter().filter(|test| test["verdict"] == "failed");
    let shortest = failing.min_by_key(|test| test["instructions"].as_u64()).unwrap();
    assert_eq!(suite["explained"], serde_json::json!([shortest["name"]]));
    assert_eq!(shortest["kind"], "wrong-output");
}

#[test]
fn text_begins_with_the_suite() {
    let run = run(&["clamp.c", "--tests", "tests"]);
    let lines: Vec<&str> = run.stdout.lines().take(5).collect();
    assert_eq!(lines[0], "10 tests: 6 passed, 4 failed");
    assert_eq!(lines[1], "failed: above, inside, inside-1, mixed");
    assert!(lines[2].ends_with(", the shortest failing run:"), "{}", lines[2]);
    assert!(lines[4].starts_with("clamp.c:30:9: error: line 1 of the output has"), "{}", lines[4]);
}

#[test]
fn a_test_can_be_chosen() {
    let answer = json(&["clamp.c", "--tests", "tests", "--test", "mixed"]);
    assert_eq!(answer["suite"]["explained"], serde_json::json!(["mixed"]));
    let input = &answer["failure"]["input"];
    assert_eq!(input["arguments"], serde_json::json!(["0", "10"]));
    assert_eq!(input["stdin"], "-1 10 11\n");
    let passes = run(&["clamp.c", "--tests", "tests", "--test", "bound"]);
    says(&passes, 1, "No failure: test bound was passed (10 tests: 6 passed, 4 failed).");
    let unknown = run(&["clamp.c", "--tests", "tests", "--test", "magic"]);
    says(&unknown, 2, "there is no test `magic`; there is: above, bound, empty, ");
}

#[test]
fn several_tests_can_be_explained() {
    let answer = json(&["clamp.c", "--tests", "tests", "--max-traces", "3"]);
    assert_eq!(answer["suite"]["explained"].as_array().unwrap().len(), 3);
    assert_eq!(answer["failure"]["traces"], 3);
}

#[test]
fn nobody_fails() {
    let run = run(&["reference.c", "--tests", "tests", "--format", "json"]);
    says(&run, 1, "No failure: 10 tests: 10 passed.");
    assert_eq!(run.stdout, "");
}

#[test]
fn answers_do_not_depend_on_threads() {
    let one = json(&["clamp.c", "--tests", "tests", "--jobs", "1"]);
    for jobs in ["2", "7"] {
        assert_eq!(json(&["clamp.c", "--tests", "tests", "--jobs", jobs]), one);
    }
}

#[test]
fn a_list_of_tests() {
    let answer = json(&["clamp.c", "--test-list", "list.txt", "--expected", "list.out"]);
    assert_eq!(names(&answer, "passed"), ["2", "5"]);
    assert_eq!(names(&answer, "failed"), ["3"]);
    let files = [("2.out", "0\n"), ("3.out", "5"), ("5.out", "11\n")];
    let outputs = folder("suite-outputs", &files).display().to_string();
    let answer = json(&["clamp.c", "--test-list", "list.txt", "--expected", &outputs]);
    assert_eq!(names(&answer, "failed"), ["3", "5"]);
    // Without expectations, only crashes are failures.
    says(&run(&["clamp.c", "--test-list", "list.txt"]), 1, "No failure: 3 tests: 3 passed.");
}

#[test]
fn a_reference_says_what_is_right() {
    let with = ["--test-list", "list.txt", "--reference", "reference.c"];
    let answer = json(&[&["clamp.c"], &with[..]].concat());
    assert_eq!(names(&answer, "passed"), ["2", "5"]);
    assert_eq!(names(&answer, "failed"), ["3"]);
    // The status is compared, too.
    let program = |result: &str| format!("int main(int argc, char **argv) {{ return {result}; }}");
    let (it, good) = (program("argc - 3"), program("0"));
    let files = [("list", "1 2\n1 2 3\n"), ("it.c", &it), ("good.c", &good)];
    let folder = folder("suite-status", &files);
    let [list, it, good] =
        ["list", "it.c", "good.c"].map(|name| folder.join(name).display().to_string());
    let answer = json(&[&it, "--test-list", &list, "--reference", &good]);
    assert_eq!(names(&answer, "failed"), ["2"]);
    assert_eq!(answer["failure"]["kind"], "exit-status");
}

#[test]
fn tests_of_which_a_reference_says_nothing_are_skipped() {
    let good = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    \
                int n = atoi(argv[1]);\n    if (n == 0)\n        abort();\n    printf(\"%d\\n\", n);\n    return 0;\n}\n";
    let files =
        [("list", "1\n0\n-2\n0\n"), ("good.c", good), ("it.c", &good.replace("n);", "abs(n));"))];
    let folder = folder("suite-skipped", &files);
    let [list, good, it] =
        ["list", "good.c", "it.c"].map(|name| folder.join(name).display().to_string());
    let words = [&it[..], "--test-list", &list, "--reference", &good];
    let answer = json(&words);
    let verdicts = ["passed", "failed", "skipped"].map(|verdict| names(&answer, verdict));
    assert_eq!(verdicts, [vec!["1"], vec!["3"], vec!["2", "4"]]);
    let notes = answer["notes"].to_string();
    assert!(notes.contains("tests 2, 4 were skipped: the reference"), "{notes}");
    assert!(notes.contains("it fails itself (abort)"), "{notes}");
    let words = [&words[..], &["--test", "1"]].concat();
    says(&run(&words), 1, "note: tests 2, 4 were skipped");
}

#[test]
fn a_reference_must_not_fail() {
    let bad = "#include <stdlib.h>\nint main(void) { abort(); }\n";
    let files =
        [("bad.c", bad), ("loop.c", "int main(void) { for (;;) ; }"), ("wrong.c", "int main(")];
    let folder = folder("suite-references", &files);
    let with = |name: &str, more: &[&str]| {
        let reference = folder.join(name).display().to_string();
        let words = ["clamp.c", "--test-list", "list.txt", "--reference", &reference];
        run(&[&words, more].concat())
    };
    let message = "bad.c does not say what is right there: it fails itself (abort)";
    says(&with("bad.c", &[]), 2, message);
    let message = "no test left to run";
    says(&with("bad.c", &[]), 2, message);
    let message = "it does not end within 1000 steps (--max-steps)";
    says(&with("loop.c", &["--max-steps", "1000"]), 2, message);
    says(&with("wrong.c", &[]), 2, "error: expected");
    says(&with("none.c", &[]), 2, "there is no such file");
    says(&with("none.bpl", &[]), 2, "a reference is a C program");
}

#[test]
fn crashes_and_endless_loops() {
    let [it, list] = endless("suite-crashes", "7\n0\n1\n");
    let answer = json(&[&it, "--test-list", &list, "--max-steps", "20000"]);
    assert_eq!(names(&answer, "timed_out"), ["1"]);
    assert_eq!(names(&answer, "crashed"), ["2"]);
    assert_eq!(names(&answer, "passed"), ["3"]);
    assert_eq!(answer["failure"]["kind"], "division-by-zero");
}

/// Runs with other techniques than relevance.
fn with_technique(words: &[&str]) -> Run {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/suites/clamp");
    finish(whydunit().current_dir(folder).args(words)).unwrap()
}

#[test]
fn spectra_of_a_suite() {
    let words = ["clamp.c", "--tests", "tests", "--technique=spectrum", "--format=json"];
    let first = with_technique(&words);
    let answer: Value = serde_json::from_str(&first.stdout).unwrap();
    let spectrum = &answer["diagnoses"]["spectrum"];
    let counts = ["tests", "passed", "failed"].map(|key| spectrum[key].as_u64().unwrap());
    assert_eq!(counts, [10, 6, 4]);
    let statements = spectrum["statements"].as_array().unwrap();
    let find = |text: &str| statements.iter().find(|s| s["statement"] == text).unwrap();
    // Executed by two failing tests, and by no passing one.
    let wrong = find("result = high");
    assert_eq!(wrong["location"]["line"], 14);
    let executed = |s: &Value| (s["failed"].as_u64().unwrap(), s["passed"].as_u64().unwrap());
    assert_eq!(executed(wrong), (2, 0));
    assert_eq!((&wrong["barinel"], &wrong["tarantula"]), (&1.0.into(), &1.0.into()));
    assert_eq!(executed(find("value < high")), (4, 1));
    assert_eq!(find("value < high")["ochiai"], 0.894427191);
    assert_eq!(executed(find("result = low")), (1, 3));
    // The fault is the best, alone.
    assert_eq!(statements[0]["statement"], "value < high");
    assert_eq!(statements[0]["ranks"]["ochiai"], serde_json::json!({ "best": 1, "worst": 1 }));
    for pair in statements.windows(2) {
        let [a, b] = [&pair[0], &pair[1]].map(|s| s["ochiai"].as_f64().unwrap());
        assert!(a >= b, "{a} {b}");
    }
    let text = with_technique(&words[..4]).stdout;
    assert!(text.contains("spectrum of 10 tests, 4 of them failing:\n"), "{text}");
    assert!(text.contains("clamp.c:13 `value < high`\n"), "{text}");
    let without = with_technique(&["clamp.c", "--technique=spectrum", "--", "1"]);
    says(&without, 2, "spectrum compares tests: give some with --tests or --test-list");
}

#[test]
fn slices_of_a_test() {
    let words = ["clamp.c", "--tests", "tests", "--test=above", "--technique=slice"];
    let answer = with_technique(&[&words[..], &["--format=json"]].concat());
    let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
    let lines = |name: &str| {
        let places = answer["diagnoses"]["slice"][name].as_array().unwrap().iter();
        places.map(|at| at["line"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let (dynamic, relevant) = (lines("dynamic"), lines("relevant"));
    // Neither `result = low` nor `result = high` was executed; that they were not matters.
    assert!(dynamic.contains(&9) && dynamic.contains(&15), "{dynamic:?}");
    assert!(!dynamic.contains(&11) && !dynamic.contains(&13), "{dynamic:?}");
    assert!(relevant.contains(&11) && relevant.contains(&13), "{relevant:?}");
    assert!(dynamic.iter().all(|line| relevant.contains(line)), "{dynamic:?} {relevant:?}");
    let text = with_technique(&words).stdout;
    assert!(
        text.contains("\nslice: the failure depends on what is at\n  clamp.c, lines "),
        "{text}"
    );
    // They are for those who ask.
    let default = with_technique(&["clamp.c", "--tests", "tests"]).stdout;
    assert!(!default.contains("slice:") && !default.contains("spectrum of"), "{default}");
}

/// A program that divides by its argument, but does not end if that is 7; a list of tests of it.
fn endless(name: &str, tests: &str) -> [String; 2] {
    let program = "#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n    \
                   while (n == 7)\n        ;\n    return 100 / n;\n}\n";
    let folder = folder(name, &[("it.c", program), ("list", tests)]);
    ["it.c", "list"].map(|file| folder.join(file).display().to_string())
}

/// More than there is time for.
const ANY_STEPS: &str = "--max-steps=1000000000000";

#[test]
fn tests_take_half_of_the_time() {
    let [it, list] = endless("suite-time", "1\n0\n7\n");
    let found = run(&[&it, "--test-list", &list, ANY_STEPS, "--time-limit=6s"]);
    assert_eq!(found.status, Some(0), "{}", found.stderr);
    let first = found.stdout.lines().next();
    assert_eq!(first, Some("3 tests: 1 passed, 1 crashed, 1 not run to the end"));
    assert!(found.stdout.contains("\n 1  line "), "{}", found.stdout);
    let note = "note: not all tests were run in half of the time limit; --time-limit gives more";
    assert!(common::unwrapped(&found.stdout).contains(note), "{}", found.stdout);
    let [it, list] = endless("suite-time-1", "1\n7\n");
    let nothing = run(&[&it, "--test-list", &list, ANY_STEPS, "--time-limit=4s"]);
    says(
        &nothing,
        4,
        "No failure was found: 2 tests: 1 passed, 1 not run to the end.\nNot all were run in half",
    );
}

/// Runs whydunit on a terminal and presses Ctrl-C once this is shown. Its status, and all that it wrote.
fn interrupted_at(shown: &str, words: &[&str]) -> (Option<i32>, String) {
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(24, 80)).unwrap();
    let command = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_whydunit"));
    let mut child = command.args(words).spawn(pts).unwrap();
    let (mut all, mut bytes, mut pressed) = (String::new(), [0; 4096], false);
    // When it has ended, reading is an error.
    while let Ok(count @ 1..) = pty.read(&mut bytes) {
        all += &String::from_utf8_lossy(&bytes[..count]);
        if !pressed && all.contains(shown) {
            pty.write_all(b"\x03").unwrap();
            pressed = true;
        }
    }
    assert!(pressed, "`{shown}` was not shown: {all}");
    (child.wait().unwrap().code(), all)
}

#[test]
fn progress_and_ctrl_c() {
    let [it, list] = endless("suite-interrupted", "0\n7\n");
    let shown = "running the tests [##########..........] 1 of 2";
    let words = ["--test-list", &list, ANY_STEPS, "--technique=relevance"];
    let (status, all) = interrupted_at(shown, &[&[it.as_str()], &words[..]].concat());
    assert_eq!(status, Some(130), "{all}");
    // The line is gone, and what was known is shown: that a test fails, and how.
    let (_, answer) = all.rsplit_once("\r\x1b[K").unwrap();
    assert!(!answer.contains("running"), "{answer}");
    assert!(answer.contains("2 tests: 1 crashed, 1 not run to the end\r\n"), "{answer}");
    assert!(answer.contains("100 / n"), "{answer}");
    assert!(answer.contains("interrupted before all was decided"), "{answer}");
    let [it, list] = endless("suite-interrupted-1", "1\n7\n");
    let words = [&it, "--test-list", &list, ANY_STEPS];
    let (status, all) = interrupted_at(shown, &words);
    assert_eq!(status, Some(130), "{all}");
    assert!(
        all.contains("No failure was found: 2 tests: 1 passed, 1 not run to the end.\r\n"),
        "{all}"
    );
    assert!(all.contains("The run was interrupted."), "{all}");
}

#[test]
fn suites_that_cannot_be_read() {
    let files = [("t.args", "'a"), ("u.in", "")];
    let quote = folder("suite-quote", &files).display().to_string();
    let redirect = folder("suite-redirect", &[("t.args", "1 2 < in")]).display().to_string();
    let status = folder("suite-number", &[("t.in", ""), ("t.exit", "zero")]).display().to_string();
    let alone = folder("suite-alone", &[("t.exit", "0")]).display().to_string();
    let empty = folder("suite-empty", &[("notes.txt", "")]).display().to_string();
    let lists =
        folder("suite-lists", &[("none", "# nothing\n\n"), ("bad", "1\n2 <\n"), ("short", "1")]);
    let list = |name: &str| lists.join(name).display().to_string();
    let (none, bad, short) = (list("none"), list("bad"), list("short"));
    let cases: &[(&[&str], &str)] = &[
        (&["--tests", "nowhere"], "cannot read nowhere: there is no such folder"),
        (&["--tests", "clamp.c"], "cannot read clamp.c: it is not a folder"),
        (&["--tests", &empty], "there are no tests; a test NAME is in files NAME.in"),
        (&["--tests", &quote], "t.args: a quotation has no end"),
        (&["--tests", &redirect], "t.args: standard input is in the file that ends with .in"),
        (&["--tests", &status], "t.exit: expected a number"),
        (&["--tests", &alone], "t.exit: a test also has .in, .args or .out"),
        (&["--test-list", "nothing"], "cannot read nothing: there is no such file"),
        (&["--test-list", &none], "there are no tests; each line is one"),
        (&["--test-list", &bad], "bad:2: there is no file after `<`"),
        (&["--test-list", "list.txt", "--expected", &short], "there is no line 2"),
        (&["--test-list", "list.txt", "--expected", "tests"], "2.out: there is no such file"),
        (&["--tests", "tests", "--", "1"], "the tests have arguments of their own"),
        (&["--tests", "tests", "--stdin", "list.txt"], "cannot be used with"),
        (&["--tests", "tests", "--test-list", "list.txt"], "cannot be used with"),
        (&["--expected", "list.out"], "required"),
    ];
    for (options, message) in cases {
        let mut command = whydunit();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/suites/clamp");
        let run = finish(command.current_dir(folder).arg("clamp.c").args(*options)).unwrap();
        says(&run, 2, message);
    }
}

/// A ticket for three zones or more costs 400; the tests on lines 4 to 6 fail.
const TICKET: &str = "#include <stdio.h>\n\
    #include <stdlib.h>\n\
    int main(int argc, char **argv) {\n\
    \x20   int zones = atoi(argv[1]), bikes = atoi(argv[2]), cents = 150;\n\
    \x20   if (argc == 3 && zones > 3)\n\
    \x20       cents = 400;\n\
    \x20   if (bikes > 0)\n\
    \x20       cents += 200 * bikes;\n\
    \x20   printf(\"%d\\n\", cents);\n\
    \x20   return 0;\n\
    }\n";

#[test]
fn changes_of_one_test_and_of_all() {
    let files = [
        ("ticket.c", TICKET),
        ("list.txt", "1 0\n2 1\n4 0\n3 0\n3 1\n3 2\n"),
        ("list.out", "150\n350\n400\n400\n600\n800\n"),
    ];
    let folder = folder("changes", &files);
    let answer = |most: &str| -> Value {
        let mut command = whydunit();
        command.current_dir(&folder).args(["ticket.c", "--test-list=list.txt"]);
        command.args(["--expected=list.out", "--technique=changes", "--format=json"]);
        let run = finish(command.args(["--max-traces", most])).unwrap();
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    };
    let (one, all) = (answer("1"), answer("1000"));
    assert_eq!(all["suite"]["explained"].as_array().unwrap().len(), 3);
    for (answer, count) in [(&one, 1), (&all, 3)] {
        let found = answer["diagnoses"]["changes"].as_array().unwrap();
        let of = |statement: &str| found.iter().find(|change| change["statement"] == statement);
        assert!(found.iter().all(|change| change["passes"] == count), "{found:#?}");
        let decision = of("zones > 3").unwrap();
        assert_eq!(
            (&decision["instead"], &decision["executions"]),
            (&"decides otherwise".into(), &1.into())
        );
        // It is not executed by all of them.
        assert!(of("cents += 200 * bikes").is_none(), "{found:#?}");
        // What is printed comes last.
        let last = found.last().unwrap();
        assert_eq!(last["instead"], "prints what is expected", "{found:#?}");
    }
    assert_eq!(all["refuted"], Value::Array(Vec::new()));
}

/// Whether a year has 366 days; it says so of too few.
const LEAP: &str = "#include <stdio.h>\n\
    #include <stdlib.h>\n\
    \n\
    int main(int argc, char **argv)\n\
    {\n\
    \x20   int year = argc > 1 ? atoi(argv[1]) : 0;\n\
    \n\
    \x20   printf(\"%d\\n\", year % 4 == 0 && year % 100 == 0);\n\
    \x20   return 0;\n\
    }\n";

#[test]
fn fixes_are_what_one_would_write() {
    let files =
        [("leap.c", LEAP), ("list.txt", "2024\n2023\n2100\n1996\n"), ("list.out", "1\n0\n0\n1\n")];
    let folder = folder("leap", &files);
    let mut command = whydunit();
    command.current_dir(&folder).args(["leap.c", "--test-list=list.txt", "--technique=repair"]);
    command.args(["--expected=list.out", "--format=json"]);
    let answer: Value = serde_json::from_str(&finish(&mut command).unwrap().stdout).unwrap();
    let solutions = answer["diagnoses"]["repair"]["solutions"].as_array().unwrap();
    assert!(!solutions.is_empty(), "{answer}");
    for solution in solutions {
        assert_eq!(solution["checked"]["tests"], 4);
        // Somebody applies it.
        std::fs::write(folder.join("leap.c"), LEAP).unwrap();
        std::fs::write(folder.join("fix.patch"), solution["patch"].as_str().unwrap()).unwrap();
        let mut git = std::process::Command::new("git");
        git.current_dir(&folder).args(["apply", "--unsafe-paths", "-p1", "fix.patch"]);
        let applied =
            git.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap()).output().unwrap();
        assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
        assert_ne!(std::fs::read_to_string(folder.join("leap.c")).unwrap(), LEAP);
        let mut command = whydunit();
        command.current_dir(&folder).args(["leap.c", "--test-list=list.txt"]);
        let run = finish(command.arg("--expected=list.out")).unwrap();
        says(&run, 1, "No failure: 4 tests: 4 passed.");
    }
}
