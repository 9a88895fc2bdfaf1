//! What is no program, no input or no option: each is refused at once, with what to give instead.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{finish_within, whydunit};

const PROGRAM: &str = "#include <stdlib.h>\nint main(void)\n{\n    abort();\n}\n";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("fine.c"), PROGRAM).unwrap();
    path
}

/// It is refused, and all of this is said.
#[track_caller]
fn refused(folder: &Path, words: &[&str], parts: &[&str]) {
    let run = finish_within(whydunit().current_dir(folder).args(words), Duration::from_secs(20));
    let run = run.unwrap();
    assert_eq!(run.status, Some(2), "{words:?}: {}{}", run.stdout, run.stderr);
    for part in parts {
        assert!(run.stderr.contains(part), "{words:?}: `{part}` is not in {}", run.stderr);
    }
}

fn made(folder: &Path, program: &str, words: &[&str]) {
    assert!(Command::new(program).args(words).current_dir(folder).status().unwrap().success());
}

#[test]
fn files_that_are_no_programs() {
    let folder = folder("files");
    made(&folder, "clang-22", &["-c", "fine.c", "-o", "fine.o"]);
    made(&folder, "clang-22", &["-c", "-emit-llvm", "fine.c", "-o", "fine.bitcode"]);
    // As an executable begins; nothing need be linked for that.
    let mut object = std::fs::read(folder.join("fine.o")).unwrap();
    object[16] = 3;
    std::fs::write(folder.join("a.out"), object).unwrap();
    std::fs::write(folder.join("lib.a"), "!<arch>\n").unwrap();
    for name in ["fine.cpp", "fine.h", "fine.s", "fine.txt"] {
        std::fs::write(folder.join(name), PROGRAM).unwrap();
    }
    for (name, what, instead) in [
        ("fine.o", "this is an object file", "give the .c file"),
        ("a.out", "this is an executable", "give the .c files"),
        ("lib.a", "this is a library", "give the .c files"),
        ("fine.bitcode", "this is LLVM bitcode", "ends with .bc"),
        ("fine.cpp", "C++ is not read", "ends with .c"),
        ("fine.h", "this is a header", "give the .c file"),
        ("fine.s", "assembly is not read", "give the .c file"),
        ("fine.txt", "this is no program", "(.bpl)"),
    ] {
        refused(&folder, &[name], &[name, what, instead]);
        refused(&folder, &["fine.c", name], &[name, what, instead]);
    }
    std::fs::write(folder.join("x.bpl"), "procedure main() {}").unwrap();
    refused(&folder, &["fine.c", "x.bpl"], &["x.bpl: this is Boogie", "give it alone"]);
}

#[test]
fn pipes_and_devices() {
    let folder = folder("pipes");
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    for pipe in ["pipe.c", "pipe.bc", "pipe.bpl", "pipe", "tests/a.in"] {
        made(&folder, "mkfifo", &[pipe]);
    }
    for words in [
        &["pipe.c"][..],
        &["fine.c", "pipe.bc"],
        &["pipe.bpl"],
        &["fine.c", "--stdin", "pipe"],
        &["fine.c", "--expect", "pipe"],
        &["fine.c", "--test-list", "pipe"],
        &["fine.c", "--tests", "tests"],
    ] {
        refused(&folder, words, &["it is a pipe", "give that"]);
    }
    refused(&folder, &["fine.c", "--stdin", "/dev/zero"], &["it is a device", "give a file"]);
    // This one is an empty file.
    let run = whydunit().current_dir(&folder).args(["fine.c", "--stdin", "/dev/null"]).status();
    // Whether anybody is suspected does not matter here.
    assert!(matches!(run.unwrap().code(), Some(0 | 4)));
}

#[test]
fn c_on_standard_input() {
    let mut command = whydunit();
    let command = command.arg("-").stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(PROGRAM.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("this is C: give a file whose name ends with .c"), "{said}");
}

#[test]
fn options_that_mean_nothing() {
    let folder = folder("options");
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    std::fs::write(folder.join("tests/a.in"), "").unwrap();
    std::fs::write(folder.join("tests/a.exit"), "300").unwrap();
    for (words, parts) in [
        (&["--expect-exit", "300"][..], &["from 0 to 255", "has status 44"][..]),
        (&["--expect-exit", "x"], &["from 0 to 255"]),
        (&["--tests", "tests"], &["a.exit", "from 0 to 255"]),
        (&["--time-limit", "0"], &["in no time", "60s"]),
        (&["--time-limit", "-5s"], &["'-5s'", "60s"]),
        (&["--max-steps", "0"], &["0 is not in 1.."]),
        (&["--top", "-1"], &["expected a number, or `all`"]),
        (&["--entry", "helper"], &["--entry is for Boogie", "that calls `helper`"]),
        (&["--env", "HOME"], &["NAME=VALUE"]),
        (&["-o", "x.pdf"], &["x.pdf: what is meant by .pdf?", ".html", "--format"]),
        (&["--format", "html", "-o", "x.json"], &["x.json", "--format html", "leave --format out"]),
    ] {
        refused(&folder, &[&["fine.c"], words].concat(), parts);
    }
    assert!(!folder.join("x.pdf").exists() && !folder.join("x.json").exists());
    for words in [
        &["--format", "sarif", "-o", "x.json"][..],
        &["--format", "html", "-o", "x.pdf"],
        &["-o", "answer"],
    ] {
        let run = whydunit().current_dir(&folder).arg("fine.c").args(words).status().unwrap();
        assert!(matches!(run.code(), Some(0 | 4)), "{words:?}");
    }
}
