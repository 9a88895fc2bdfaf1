//! The command line: exit statuses, messages, and what users do to programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Run, finish, unwrapped, whydunit};
use serde_json::Value;

/// A program that fails.
const FAILING: &str = "procedure main()\n{\n  var x: int;\n\n  x := 1;\n  assert x == 2;\n}\n";

/// Needs the solver to find the failure and again to explain it: numbers are factorised.
const HEAVY: &str = r#"
function {:bvbuiltin "bvmul"} times(a: bv64, b: bv64) returns (bv64);
function {:bvbuiltin "bvult"} below(a: bv64, b: bv64) returns (bool);
procedure main(a: bv64, b: bv64)
{
  var i, n: int;
  var p: bv64;

  i := 0;
  n := 0;
  while (i < 20000) {
    n := n + i;
    i := i + 1;
  }
  assume below(1bv64, a) && below(a, b) && below(b, 4294967296bv64);
  p := times(a, b);
  assert p != 1000000016000000063bv64;
}
"#;

/// No factors will be found in time.
const FACTORS: &str = r#"
function {:bvbuiltin "bvmul"} times(a: bv64, b: bv64) returns (bv64);
function {:bvbuiltin "bvult"} below(a: bv64, b: bv64) returns (bool);
procedure main(a: bv64, b: bv64)
{
  assume below(1bv64, a) && below(a, b) && below(b, 4294967296bv64);
  assert times(a, b) != 1000000016000000063bv64;
}
"#;

/// A file of this test in a folder for temporary files.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn run(path: &Path, options: &[&str]) -> Run {
    finish(whydunit().arg(path).args(options)).unwrap()
}

/// Runs whydunit on text at standard input.
fn run_text(text: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let mut command = whydunit();
    command.arg("-").args(options).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It need not read what it refuses.
    let _ = child.stdin.take().unwrap().write_all(text.as_ref());
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// It ends with this status and says this on standard error.
#[track_caller]
fn says(run: &Run, status: i32, message: &str) {
    assert_eq!(run.status, Some(status), "{}", run.stderr);
    assert!(run.stderr.contains(message), "`{message}` is not in\n{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    if status != 0 {
        assert_eq!(run.stdout, "");
    }
}

#[track_caller]
fn explains(run: &Run) {
    says(run, 0, "");
    assert_eq!(run.stderr, "", "nothing is said when all is well");
}

#[track_caller]
fn json(run: &Run) -> Value {
    explains(run);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    says(&run(&folder.join("missing.bpl"), &[]), 2, "missing.bpl: there is no such file");
    says(&run(folder, &[]), 2, "it is a directory");
    let binary = file("binary.bpl", b"procedure main() { \xff }");
    says(&run(&binary, &[]), 2, "it is not text (invalid UTF-8 at byte 19)");
    let other = file("program.txt", FAILING);
    says(
        &run(&other, &[]),
        2,
        "program.txt: this is no program; whydunit reads C (.c, .i, .bc, .ll) and Boogie (.bpl)",
    );
    let c = file("program.c", "int main(void) { return 0; }");
    says(&run(&c, &[]), 1, "program.c ended with status 0");
    says(&run(&folder.join("missing.c"), &[]), 2, "missing.c: there is no such file");
}

#[test]
fn programs_with_nothing_to_run() {
    for text in ["", "  \n", "// nothing\n", "procedure main();\n", "var x: int;\n"] {
        says(&run_text(text, &[]), 2, "has no procedure with a body: there is nothing to run");
    }
    let empty = file("empty.bpl", "");
    says(&run(&empty, &[]), 2, "empty.bpl has no procedure with a body");
}

#[test]
fn errors_point_at_the_token() {
    let wrong = file("wrong.bpl", "procedure main()\n{\n  assert true\n}\n");
    let run_wrong = run(&wrong, &[]);
    says(&run_wrong, 2, "error: expected `;` after the assertion, found `}`");
    says(&run_wrong, 2, "wrong.bpl:4:1");
    let run_type = run_text("procedure main()\n{\n  assert 1 + true == 2;\n}\n", &[]);
    says(&run_type, 2, "<stdin>:3:");
    let text = "procedure main()\n{\n  assert (exists x: int :: x > 1);\n}\n";
    let run_unsupported = run_text(text, &[]);
    says(&run_unsupported, 2, "`exists` is not supported");
    says(&run_unsupported, 2, "<stdin>:3:11");
}

#[test]
fn what_is_missing_at_the_end_is_missing_after_the_last_word() {
    let run = run_text("procedure main()\n{\n  assert true;\n\n\n", &[]);
    says(&run, 2, "<stdin>:3:15");
    says(&run, 2, "3 |   assert true;\n");
}

#[test]
fn long_lines_and_statements() {
    let body = "var x: int; x := 1; assert x == 2;";
    let far = format!("procedure main() {{ {}{body} }}", " ".repeat(100_000));
    let run = run_text(&far, &["--technique", "relevance"]);
    explains(&run);
    assert!(run.stdout.contains("<stdin>:1:100040: error: "), "{}", run.stdout);
    assert!(unwrapped(&run.stdout).contains("^^^^^^ With `x := 2` here"), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.chars().count() < 300), "{}", run.stdout);
    let tall = format!("procedure main() {{ assert 0 {}== 1; }}", "+ 1\n".repeat(5_000));
    let run = run_text(&tall, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(4), ""), "nobody is suspected");
    assert!(run.stdout.lines().count() < 30, "{}", run.stdout);
    let long = format!("procedure main() {{ {body} }} // {}", "é".repeat(100_000));
    explains(&run_text(&long, &[]));
    let wrong = format!("procedure main() {{ {} x := 1; }}", " ".repeat(100_000));
    says(&run_text(&wrong, &[]), 2, "<stdin>:1:100021");
}

#[test]
fn suspects_have_a_role() {
    let text = "procedure main() { var x, y: int; x := 42;\nhavoc y;\n\
        assume x >= 23 && y >= 0; assert false; }";
    let report = json(&run_text(text, &["--format", "json"]));
    let found = |statement: &str| {
        let suspects = report["suspects"].as_array().unwrap();
        suspects.iter().find(|suspect| suspect["statement"] == statement).unwrap().clone()
    };
    assert_eq!(found("x := 42")["role"], "enforcing");
    assert_eq!(found("havoc y")["role"], "admitting");
    let run = run_text(text, &[]);
    let sentence = "This may be any value; with `y := -1`, this failure cannot happen.";
    assert!(unwrapped(&run.stdout).contains(sentence), "{}", run.stdout);
}

#[test]
fn one_value_for_all_failures_ranks_first() {
    let text = "procedure main(b: bool) { var e, x: int; havoc e;\n\
        x := 1;\n\
        if (b) { assume e != 5; } else { assume e == 5; }\nassert x != 1; }";
    let report = json(&run_text(text, &["--max-traces", "2", "--format", "json"]));
    let suspects = report["suspects"].as_array().unwrap();
    let score = |n: usize| suspects[n]["score"].as_f64().unwrap();
    assert_eq!(suspects[0]["statement"], "x := 1", "{report}");
    let other = suspects.iter().position(|it| it["statement"] == "havoc e").unwrap();
    assert!(1.0 >= score(0) && score(0) > score(other) && score(other) >= 0.0, "{report}");
}

#[test]
fn no_failure() {
    let fine = file("fine.bpl", "procedure main(n: int) { assert n == n; }");
    let message = "fine.bpl has no execution that violates a property";
    says(&run(&fine, &[]), 1, message);
    says(&run(&fine, &["--format", "json"]), 1, message);
}

#[test]
fn loops_without_end() {
    let free = "procedure main() { var i: int; i := 0; while (*) { i := i + 1; } assert i >= 0; }";
    says(&run_text(free, &["--unroll", "4"]), 4, "Loops were unrolled 4 times; --unroll 20");
    let bounded = "procedure main() { var i, n: int; i := 0; havoc n; while (i < n) { i := i + 1; }\n\
         assert i >= 0; }";
    says(&run_text(bounded, &[]), 4, "Loops were unrolled 20 times");
    let endless = "procedure main() { while (true) { } assert false; }";
    let message = "did not end within 500 steps (--max-steps): is there an endless loop?";
    says(&run_text(endless, &["--max-steps", "500"]), 4, message);
    let label = "procedure main() { A: goto A; }";
    says(&run_text(label, &["--max-steps", "500"]), 4, message);
    let recursive = "procedure p(n: int) { call p(n + 1); } procedure main() { call p(0); }";
    says(&run_text(recursive, &["--max-steps", "500"]), 4, message);
    let unknown = "procedure p(n: int) { if (n > 0) { call p(n - 1); } assert n >= 0; }\n\
                   procedure main(n: int) requires n >= 0; { call p(n); }";
    says(&run_text(unknown, &[]), 4, "--unroll");
}

#[test]
fn endless_recursion_ends_with_the_usual_limits() {
    let recursive = "procedure p(n: int) { call p(n + 1); } procedure main() { call p(0); }";
    says(&run_text(recursive, &["--time-limit", "5s"]), 4, "No failure was found");
}

#[test]
fn wrong_options() {
    let failing = file("options.bpl", FAILING);
    let table: &[(&[&str], &str)] = &[
        (
            &["--technique", "magic"],
            "possible values: slice, spectrum, relevance, cascade, changes, repair, error-invariants, all, auto",
        ),
        (&["--technique", "relevance,magic"], "invalid value 'magic'"),
        (&["--technique", "slice,corrections"], "`corrections` is now `changes`"),
        (&["--technique", "cascad"], "a similar value exists: 'cascade'"),
        (&["--top", "some"], "expected a number, or `all`"),
        (&["--color", "blue"], "--color"),
        (&["--time-limit", "soon"], "expected a time such as 500ms, 60s or 5m"),
        (&["--time-limit", "-3s"], ""),
        (&["--memory-limit", "much"], "expected a size such as 500M or 2G"),
        (&["--memory-limit", "10M"], "nothing can be done with less than 200 MB"),
        (&["--entry", "start"], "there is no procedure `start` with a body; there is: main"),
        (&["--trust", "start"], "there is no file or procedure `start` with a body"),
        (&["--max-traces", "0"], "--max-traces"),
        (&["--unroll", "0"], "--unroll"),
        (&["--format", "xml"], "--format"),
        (&["--nonsense"], "--nonsense"),
    ];
    for (options, message) in table {
        says(&run(&failing, options), 2, message);
    }
    says(&finish(&mut whydunit()).unwrap(), 2, "Usage: whydunit [OPTIONS] FILE");
}

#[test]
fn entries_and_trust() {
    let text = "procedure a() { assert false; }\nprocedure b() { var x: int; x := 1;\n\
                call x := c(x);\nassert x == 5; }\n\
                procedure c(n: int) returns (m: int) { m := n + 1; }\n";
    let suspects = |options: &[&str]| -> Vec<String> {
        let options: Vec<&str> = [&["--format", "json"], options].concat();
        let run = run_text(text, &options);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        let list = report["suspects"].as_array().unwrap();
        assert_eq!(run.status, Some(if list.is_empty() { 4 } else { 0 }), "{}", run.stderr);
        list.iter().map(|s| s["statement"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(suspects(&[]), [""; 0], "`a` comes first, and assigns nothing");
    let of_b = suspects(&["--entry", "b"]);
    assert!(of_b.contains(&"m := n + 1".to_owned()), "{of_b:?}");
    let trusting = suspects(&["--entry", "b", "--trust", "c"]);
    assert!(!trusting.contains(&"m := n + 1".to_owned()), "{trusting:?}");
    assert!(trusting.contains(&"x := 1".to_owned()), "{trusting:?}");
    assert_eq!(suspects(&["--entry", "b", "--trust", "b", "--trust", "c"]), [""; 0]);
}

#[test]
fn standard_input_and_output_files() {
    let printed = run_text(FAILING, &[]);
    explains(&printed);
    assert!(printed.stdout.contains("<stdin>:6:3"), "{}", printed.stdout);
    let target = file("answer.txt", "old");
    let written = run_text(FAILING, &["-o", target.to_str().unwrap()]);
    explains(&written);
    assert_eq!(written.stdout, "");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), printed.stdout);
}

#[test]
fn several_answers_of_one_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("several-answers");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let names = ["a.json", "a.html", "a.sarif", "a.dot", "a.txt"].map(path);
    let mut options: Vec<&str> = names.iter().flat_map(|name| ["-o", name.as_str()]).collect();
    options.extend(["-o", "-"]);
    let printed = run_text(FAILING, &options);
    explains(&printed);
    let read = |name: &String| std::fs::read_to_string(name).unwrap();
    let [json, html, sarif, dot, text] = names.each_ref().map(read);
    assert_eq!(json, run_text(FAILING, &["--format", "json"]).stdout);
    assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
    assert!(sarif.contains("\"2.1.0\""), "{sarif}");
    assert!(dot.starts_with("digraph"), "{dot}");
    assert_eq!(text, printed.stdout);
    let written = run_text(FAILING, &["--format", "json", "-o", &path("b.txt")]);
    explains(&written);
    assert_eq!(read(&path("b.txt")), json);
    let run = run_text(FAILING, &["--format", "json", "-o", &names[0], "-o", &names[1]]);
    says(&run, 2, "leave --format out");
}

#[test]
fn an_answer_that_cannot_be_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder/answer.txt");
    let run = run_text(FAILING, &["-o", folder.to_str().unwrap()]);
    says(&run, 2, "error: cannot write ");
    says(&run, 2, "answer.txt: there is no such folder\n");
    let run = run_text(FAILING, &["-o", env!("CARGO_TARGET_TMPDIR")]);
    says(&run, 2, "it is a directory");
}

#[test]
fn an_output_that_is_full() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let failing = file("full.bpl", FAILING);
    let failing = failing.to_str().unwrap();
    for arguments in [&[failing][..], &["explain", "relevance"], &["--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = whydunit().args(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert_eq!(stderr, "error: cannot write to standard output: no space left on device\n");
    }
}

#[test]
fn no_colour_when_piped() {
    let failing = file("colour.bpl", FAILING);
    let plain = run(&failing, &[]);
    explains(&plain);
    assert!(!plain.stdout.contains('\x1b'), "{}", plain.stdout);
    let asked = finish(whydunit().env("NO_COLOR", "1").arg(&failing)).unwrap();
    assert_eq!(asked.stdout, plain.stdout);
    let errors = run_text("procedure main() { x := 1; }", &[]);
    says(&errors, 2, "x");
    assert!(!errors.stderr.contains('\x1b'), "{}", errors.stderr);
}

#[test]
fn colour_letters_and_width() {
    let failing = file("drawn.bpl", FAILING);
    let drawn = |options: &[&str], variables: &[(&str, &str)]| {
        let mut command = whydunit();
        let run = finish(command.arg(&failing).args(options).envs(variables.iter().copied()));
        let run = run.unwrap();
        explains(&run);
        run.stdout
    };
    let tree = ["--technique", "cascade"];
    let plain = drawn(&tree, &[]);
    assert!(drawn(&["--color=always"], &[("NO_COLOR", "1")]).contains("\x1b[1;31merror:"));
    assert!(drawn(&[], &[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    assert!(!drawn(&["--colour", "never"], &[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    let ascii = drawn(&tree, &[("LC_ALL", "C")]);
    assert!(ascii.is_ascii(), "{ascii}");
    assert_eq!(drawn(&["--technique", "cascade", "--ascii"], &[]), ascii);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    assert!(widest(&plain) <= Some(80), "{plain}");
    let (usual, narrow) = (drawn(&[], &[]), drawn(&[], &[("COLUMNS", "70")]));
    assert!(widest(&usual) > Some(70) && widest(&narrow) <= Some(70), "{narrow}");
}

#[test]
fn the_manual_page_and_completions() {
    let page = finish(whydunit().arg("man")).unwrap();
    explains(&page);
    assert!(page.stdout.contains(".TH whydunit 1"), "{}", page.stdout);
    for (shell, part) in
        [("bash", "complete -F"), ("zsh", "#compdef whydunit"), ("fish", "complete -c whydunit")]
    {
        let script = finish(whydunit().args(["completions", shell])).unwrap();
        explains(&script);
        assert!(script.stdout.contains(part) && script.stdout.contains("technique"), "{shell}");
    }
    says(&finish(whydunit().args(["completions", "dos"])).unwrap(), 2, "[possible values: bash, ");
    // Who has a program that knows the language of manual pages is told what is wrong with ours.
    let path = file("whydunit.1", &page.stdout);
    for words in [&["mandoc", "-Tlint", "-Wwarning"][..], &["groff", "-man", "-ww", "-z"]] {
        let mut command = Command::new(words[0]);
        let Ok(lint) = command.args(&words[1..]).arg(&path).output() else { continue };
        let found = String::from_utf8_lossy(&[lint.stdout, lint.stderr].concat()).into_owned();
        assert!(lint.status.success() && found.is_empty(), "{words:?}:\n{found}");
    }
}

/// Runs a command whose standard output nobody reads.
fn run_unread(command: &mut Command) -> (Option<i32>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (child.wait().unwrap().code(), stderr)
}

#[test]
fn a_reader_that_goes_away() {
    let failing = file("unread.bpl", FAILING);
    for format in ["text", "json"] {
        let result = run_unread(whydunit().arg(&failing).args(["--format", format]));
        assert_eq!(result, (Some(0), String::new()));
    }
    assert_eq!(run_unread(whydunit().args(["explain", "relevance"])), (Some(0), String::new()));
    assert_eq!(run_unread(whydunit().arg("--help")), (Some(0), String::new()));
}

#[test]
fn nobody_reads_the_errors() {
    let mut command = whydunit();
    command.arg("missing.bpl").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    // Closed from the beginning.
    let fine = file("unheard.bpl", "procedure main() { }");
    let fine = fine.to_str().unwrap();
    let failing = file("unheard-failing.bpl", FAILING);
    let failing = failing.to_str().unwrap();
    for (arguments, status) in [
        ("missing.bpl", 2),
        ("--nonsense", 2),
        ("explain magic", 2),
        ("", 2),
        (fine, 1),
        (failing, 0),
    ] {
        let script = format!("'{}' {arguments} 2>&-", env!("CARGO_BIN_EXE_whydunit"));
        let run = finish(Command::new("sh").args(["-c", &script])).unwrap();
        assert_eq!(run.status, Some(status), "{arguments}");
    }
}

#[test]
fn explain() {
    let page = finish(whydunit().args(["explain", "relevance"])).unwrap();
    explains(&page);
    assert!(page.stdout.contains("relevant"), "{}", page.stdout);
    let unknown = finish(whydunit().args(["explain", "magic"])).unwrap();
    says(&unknown, 2, "invalid value 'magic'");
    says(&unknown, 2, "relevance");
    let list = finish(whydunit().arg("explain")).unwrap();
    explains(&list);
    let names = localize::LOCALIZERS.iter().map(|localizer| localizer.name);
    for name in names.chain(["ranking", "limitations"]) {
        assert!(list.stdout.contains(&format!("\n  {name} ")), "{name}\n{}", list.stdout);
        explains(&finish(whydunit().args(["explain", name])).unwrap());
    }
    // A file of this name has a path.
    says(&run(Path::new("./explain"), &[]), 2, "cannot read ./explain: there is no such file");
}

#[test]
fn help_and_version() {
    let help = finish(whydunit().arg("--help")).unwrap();
    explains(&help);
    assert!(help.stdout.contains("Exit status"), "{}", help.stdout);
    let short = finish(whydunit().arg("-h")).unwrap();
    explains(&short);
    for line in help.stdout.lines().chain(short.stdout.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let version = finish(whydunit().arg("--version")).unwrap();
    assert_eq!(version.stdout, format!("whydunit {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn logged_queries() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("queries");
    let _ = std::fs::remove_dir_all(&folder);
    let text = "procedure main(n: int) { var x: int; havoc x; assume x > n; assert x < n + 3; }";
    explains(&run_text(text, &["--log-queries", folder.to_str().unwrap()]));
    let mut files = Vec::new();
    for solver in std::fs::read_dir(&folder).unwrap() {
        let entries = std::fs::read_dir(solver.unwrap().path()).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    assert!(!files.is_empty());
    for file in files {
        let query = std::fs::read_to_string(&file).unwrap();
        assert!(query.contains("(check-sat"), "{}: {query}", file.display());
    }
    let blocked = file("not-a-folder", "");
    let run = run_text(text, &["--log-queries", blocked.to_str().unwrap()]);
    says(&run, 2, "not-a-folder");
}

#[test]
fn hardly_any_time() {
    for limit in ["0.001ms", "1ms", "20ms"] {
        let start = Instant::now();
        let run = run_text(HEAVY, &["--time-limit", limit]);
        assert!(matches!(run.status, Some(0 | 4)), "{limit}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert!(start.elapsed() < Duration::from_secs(10), "{limit}: {:?}", start.elapsed());
        if run.status == Some(4) && run.stdout.is_empty() {
            assert!(run.stderr.contains("--time-limit"), "{limit}: {}", run.stderr);
        }
    }
}

/// Starts whydunit, sends it a signal after a while, and waits for it.
#[cfg(unix)]
fn run_signalled(path: &Path, options: &[&str], signal: &str) -> Run {
    let mut command = whydunit();
    command.arg(path).args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let sent = Instant::now();
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[cfg(unix)]
#[test]
fn signals() {
    let endless = file("endless.bpl", "procedure main() { while (true) { } }");
    let options = ["--max-steps", "10000000000"];
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let run = run_signalled(&endless, &options, signal);
        says(&run, status, "No failure was found in");
        says(&run, status, "The search was interrupted.");
    }
    let hard = file("hard.bpl", FACTORS);
    let run = run_signalled(&hard, &[], "-INT");
    says(&run, 130, "The search was interrupted.");
}

#[test]
fn the_time_limit_ends_a_query() {
    for limit in ["300ms", "2s"] {
        let start = Instant::now();
        let run = run_text(FACTORS, &["--time-limit", limit]);
        assert!(start.elapsed() < Duration::from_secs(6), "{limit}: {:?}", start.elapsed());
        says(&run, 4, "was reached; raise it with --time-limit.");
    }
}

#[test]
fn failures_found_before_the_time_limit_are_explained() {
    let text = format!(
        "{} procedure main(a: bv64, b: bv64, early: bool) {{ var x: int; x := 1; \
         if (early) {{ assert x == 2; }} else {{ call factors(a, b); }} }}",
        FACTORS.replace("main", "factors")
    );
    let run = run_text(text, &["--time-limit", "3s", "--max-traces", "2"]);
    explains(&run);
    for part in ["x := 2; if (early)", "Fix 1: this run does not fail"] {
        assert!(unwrapped(&run.stdout).contains(part), "{}", run.stdout);
    }
}

#[test]
fn a_failure_found_in_time_is_shown_with_what_is_known() {
    let text = "procedure main() { var i, n: int; i := 0; n := 0;
        while (i < 30000) { n := n + i mod 7; i := i + 1; } assert n < 0; }";
    let start = Instant::now();
    let run = run_text(text, &["--time-limit", "100ms", "--format", "json"]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(matches!(run.status, Some(0 | 4)), "{run:?}");
    if run.status == Some(0) {
        let report = json(&run);
        let complete = &report["diagnoses"]["relevance"]["complete"];
        assert!(complete == true || report["notes"] != Value::Array(Vec::new()), "{report}");
    }
}

/// All keys are there.
#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "no `{key}` in {value}");
    }
}

/// Of two equal assignments one is enough for the error to happen; only the second can prevent it.
#[test]
fn two_techniques_side_by_side() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/papers/draft-3.1-twice.bpl");
    let both = ["--technique", "relevance,error-invariants"];
    let text = run(&path, &both).stdout;
    let parts = [
        "1 of 2 assignments on the failing trace",
        "1 of 2 statements and conditions",
        "Only relevant: line 11. Only needed: line 10.",
    ];
    for part in parts {
        assert!(text.contains(part), "{text}");
    }
    let report = json(&run(&path, &[&both[..], &["--format", "json"]].concat()));
    let steps = report["diagnoses"]["relevance"]["steps"].as_array().unwrap();
    let verdicts: Vec<&Value> = steps.iter().map(|step| &step["verdict"]).collect();
    assert_eq!(verdicts, ["irrelevant", "relevant"]);
    let abstracted = &report["diagnoses"]["error-invariants"];
    assert_eq!(abstracted["kept"].as_array().unwrap().len(), 1);
    assert_eq!(abstracted["fewest"], true);
    let formulas: Vec<&Value> =
        abstracted["invariants"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(formulas, ["true", "level == 7"]);
}

/// What was freed is known because `free` did not fail: a check, inside a loop, that must be kept.
#[test]
fn a_check_inside_a_loop_can_be_needed() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/failure-use-after-free-list.c");
    let report = json(&run(&path, &["--technique", "error-invariants", "--format", "json"]));
    let answer = &report["diagnoses"]["error-invariants"];
    assert_eq!(answer["unknown"], Value::Null);
    let kept = answer["kept"].as_array().unwrap();
    let last = kept.last().unwrap();
    assert_eq!((&last["kind"], &last["statement"]), (&"check".into(), &"free(done)".into()));
    assert_eq!(last["value"], "done == heap@11#3");
}

/// `true`, with no statement, would explain nothing: the report says why.
#[test]
fn error_invariants_that_need_nothing_say_why() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let technique = ["--technique", "error-invariants"];
    let sensitive = run(&corpus.join("failure-uninitialised-branch.c"), &technique);
    let sensitive = unwrapped(&sensitive.stdout);
    let plain = [&technique[..], &["--flow-sensitive=no"]].concat();
    let insensitive = unwrapped(&run(&corpus.join("failure-stack-overflow.c"), &plain).stdout);
    for text in [&sensitive, &insensitive] {
        assert!(text.contains("on this path it happens whatever these are"), "{text}");
        assert!(!text.contains("are needed"), "{text}");
    }
    assert!(insensitive.contains("is not asked with --flow-sensitive=no"), "{insensitive}");
}

#[test]
fn json_has_the_documented_fields() {
    let place = ["file", "line", "column", "end_line", "end_column"];
    let text = "procedure main(n: int) { var x, y: int; y := 3; havoc x; assume x > n;\n\
                assert x < n + 3; }";
    let report = json(&run_text(text, &["--format", "json", "--technique", "relevance"]));
    has(&report, &["whydunit", "failure", "suspects", "diagnoses", "gaps", "time"]);
    assert_eq!(report["whydunit"], env!("CARGO_PKG_VERSION"));
    let failure = &report["failure"];
    has(failure, &["kind", "message", "location", "steps", "input"]);
    has(&failure["location"], &place);
    assert_eq!(failure["kind"], "assertion");
    assert_eq!(failure["location"]["file"], "<stdin>");
    assert_eq!(failure["location"]["line"], 2);
    assert_eq!(failure["location"]["column"], 1);
    assert_eq!(failure["location"]["end_column"], 17);
    assert!(failure["input"].is_object());
    let suspects = report["suspects"].as_array().unwrap();
    assert_eq!(suspects.len(), 1);
    for (index, suspect) in suspects.iter().enumerate() {
        let keys = [
            "rank",
            "location",
            "statement",
            "role",
            "score",
            "why",
            "evidence",
            "terms",
            "techniques",
            "fix",
        ];
        has(suspect, &keys);
        has(&suspect["location"], &place);
        assert_eq!(suspect["rank"], index + 1);
        assert_eq!(suspect["techniques"], serde_json::json!(["relevance"]));
    }
    let relevance = &report["diagnoses"]["relevance"];
    assert_eq!(relevance["complete"], true);
    let steps = relevance["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2);
    for step in steps {
        has(step, &["location", "statement", "verdict"]);
        has(&step["location"], &place);
    }
    assert_eq!(steps[0]["verdict"], "irrelevant");
    assert_eq!(steps[1]["verdict"], "relevant");
    has(&steps[1], &["role", "witness"]);
    assert!(report["gaps"].is_array());
    assert!(report["time"].is_object());
}

#[test]
fn two_runs_give_the_same_answer() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for name in [
        "papers/simple-bugs-fig2.bpl",
        "boogie/map-index.bpl",
        "boogie/function-uninterpreted.bpl",
        "boogie/bv-extract.bpl",
        "bugs/binary-search.bpl",
        "bugs/bank-account.bpl",
        "bugs/overflow-midpoint.bpl",
    ] {
        let path = corpus.join(name);
        let options = ["--max-traces", "3"];
        let (first, second) = (run(&path, &options), run(&path, &options));
        explains(&first);
        assert_eq!(first.stdout, second.stdout, "{name}");
        let answer = || {
            let text = run(&path, &["--max-traces", "3", "--format", "json"]).stdout;
            // The time comes last.
            let time = text.find("\n  \"time\":").unwrap();
            text[..time].to_owned()
        };
        assert_eq!(answer(), answer(), "{name}");
    }
}

#[test]
fn truncated_programs() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for name in ["bugs/ring-buffer.bpl", "boogie/bv-signed.bpl", "boogie/call-modifies.bpl"] {
        let text = std::fs::read(corpus.join(name)).unwrap();
        for length in (0..text.len()).step_by(7) {
            let run = run_text(&text[..length], &["--max-steps", "1000"]);
            assert!(matches!(run.status, Some(0..=2 | 4)), "{name}, {length} bytes: {run:?}");
            assert!(!run.stderr.contains("panicked"), "{name}, {length} bytes: {run:?}");
            assert!(run.status == Some(0) || !run.stderr.is_empty(), "{name}, {length} bytes");
        }
    }
}

#[test]
fn strange_programs() {
    let nested = format!(
        "procedure main() {{ var x: int; x := {}1{}; assert x == 2; }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let sum = format!("procedure main() {{ assert 0 {}== 1; }}", "+ 1 ".repeat(20_000));
    let blocks = format!(
        "procedure main() {{ {} assert false; {} }}",
        "if (*) { ".repeat(3_000),
        "}".repeat(3_000)
    );
    let long = format!("procedure main() {{ assert {} == 1; }}", "9".repeat(20_000));
    let names =
        format!("procedure {0}() {{ var é: int; é := 1; assert é == 2; }}", "ä".repeat(999));
    let line_ends = FAILING.replace('\n', "\r\n");
    let no_end = FAILING.trim_end().to_owned();
    let tabs = FAILING.replace("  ", "\t");
    let mark = format!("\u{feff}{FAILING}");
    let one_line = format!("/*{}*/{}", "-".repeat(5_000), FAILING.replace('\n', " "));
    let mut wrong = Vec::new();
    for text in [nested, sum, blocks, long, names, line_ends, no_end, tabs, mark, one_line] {
        let run = run_text(&text, &["--time-limit", "10s"]);
        if !matches!(run.status, Some(0..=2 | 4)) || run.stderr.contains("panicked") {
            let shown: String = text.chars().take(80).collect();
            wrong.push(format!("{shown}: {:?} {}", run.status, run.stderr));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn line_ends_of_windows() {
    let report = json(&run_text(FAILING.replace('\n', "\r\n"), &["--format", "json"]));
    let location = &report["failure"]["location"];
    assert_eq!((&location["line"], &location["column"]), (&6.into(), &3.into()));
}
