//! What comes from outside is shown, never obeyed; and nothing is said that was not asked for.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use common::{Run, finish, whydunit};

/// It clears the screen, rings, and turns what follows around.
const EVIL: &str = "\x1b[2J\x07\u{9b}2J\u{202e}";
const SHOWN: &str = "\\x1b[2J\\x07\\u{9b}2J\\u{202e}";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("screen-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("tests")).unwrap();
    folder
}

fn run(folder: &Path, words: &[&str]) -> Run {
    finish(whydunit().current_dir(folder).args(words)).unwrap()
}

fn is_evil(letter: char) -> bool {
    !"\n\t".contains(letter) && letter.is_control() || letter == '\u{202e}'
}

/// All that is printed does nothing to a terminal, and what was escaped is seen.
#[track_caller]
fn is_harmless(run: &Run, shown: &str) {
    let all = format!("{}{}", run.stdout, run.stderr);
    assert!(!all.contains(is_evil), "{all:?}");
    assert!(all.contains(shown), "`{shown}` is not in\n{all}");
}

const FORMATS: &[&str] = &["text", "json", "html", "sarif", "dot"];

#[test]
fn names_and_source_in_all_formats() {
    let folder = folder("source");
    let name = format!("a{EVIL}.c");
    let program = format!(
        "#include <assert.h>
        int main(int argc, char **argv) {{
            const char *text = \"{EVIL}\"; int x = /* {EVIL} */ argc + 1;
            assert(x != 2 /* {EVIL} */ && text && argv); return 0; }}\n"
    );
    fs::write(folder.join(&name), program).unwrap();
    fs::write(folder.join(format!("tests/t{EVIL}.args")), "").unwrap();
    fs::write(folder.join(format!("tests/t{EVIL}.exit")), "0").unwrap();
    for format in FORMATS {
        let shown = match *format {
            "json" | "sarif" => SHOWN.replace('\\', "\\\\"),
            "dot" => SHOWN.replace('\\', "\\\\"),
            _ => SHOWN.to_owned(),
        };
        let words = [name.as_str(), "--format", format, "--tests", "tests"];
        let explained = run(&folder, &words);
        assert_eq!(explained.status, Some(0), "{}", explained.stderr);
        is_harmless(&explained, &shown);
        let all = run(&folder, &[&words[..], &["--technique", "all"]].concat());
        is_harmless(&all, &shown);
    }
    // With colours, there are only ours.
    let coloured = run(&folder, &[&name, "--color", "always"]).stdout;
    assert!(coloured.contains("\x1b[1;31merror:"), "{coloured}");
    assert!(!coloured.contains("\x1b[2J") && !coloured.contains('\u{202e}'), "{coloured:?}");
}

#[test]
fn messages_of_boogie_programs() {
    let folder = folder("boogie");
    let name = format!("b{EVIL}.bpl");
    let program = format!(
        "procedure main() {{ var x: int; x := 1; assert {{:msg \"so{EVIL}\"}} x == 2; }}\n"
    );
    fs::write(folder.join(&name), program).unwrap();
    for format in FORMATS {
        let escaped = if ["text", "html"].contains(format) { SHOWN } else { "\\\\x1b[2J" };
        is_harmless(&run(&folder, &[&name, "--format", format]), escaped);
    }
    fs::write(folder.join(&name), format!("procedure main() {{ x := 1; }} // {EVIL}\n")).unwrap();
    is_harmless(&run(&folder, &[&name]), SHOWN);
}

#[test]
fn errors() {
    let folder = folder("errors");
    let evil = format!("no{EVIL}.c");
    is_harmless(&run(&folder, &[&evil]), SHOWN);
    is_harmless(&run(&folder, &[&format!("--no{EVIL}")]), "\\u{202e}");
    fs::write(folder.join(&evil), "int main(void) { return x; }\n").unwrap();
    is_harmless(&run(&folder, &[&evil]), SHOWN);
    fs::write(folder.join(&evil), "int main(void) { return 0; }\n").unwrap();
    is_harmless(&run(&folder, &[&evil]), SHOWN);
    is_harmless(&run(&folder, &[&evil, "-o", &format!("none{EVIL}/a.txt")]), SHOWN);
    fs::write(folder.join(format!("tests/t{EVIL}.args")), "").unwrap();
    is_harmless(&run(&folder, &[&evil, "--tests", "tests", "--test", "x"]), SHOWN);
}

/// Three warnings, two of them the same.
const OLD: &str = "#include <assert.h>
    static int f(x) int x; { return x; }
    static int g(x) int x; { int unused; return x; }
    int main(void) { assert(f(1) == g(2)); return 0; }\n";

#[test]
fn warnings_are_told_to_who_asks() {
    let folder = folder("warnings");
    fs::write(folder.join("old.c"), OLD).unwrap();
    let silent = run(&folder, &["old.c"]);
    assert_eq!((silent.status, silent.stderr.as_str()), (Some(0), ""));
    let asked = run(&folder, &["old.c", "--cflags=-Wall"]);
    assert_eq!(asked.stdout, silent.stdout);
    assert_eq!(asked.stderr.matches("without a prototype").count(), 1, "{}", asked.stderr);
    assert!(asked.stderr.contains("(the same warning at one other place)"), "{}", asked.stderr);
    assert!(asked.stderr.contains("unused variable"), "{}", asked.stderr);
    let quiet = run(&folder, &["old.c", "--cflags=-Wall", "--quiet"]);
    assert_eq!((quiet.status, quiet.stderr.as_str()), (Some(0), ""));
}

#[test]
fn quiet_is_the_answer_only() {
    let folder = folder("quiet");
    let program = "#include <assert.h>
        int unknown(int x);
        int main(int argc, char **argv) {
            int x = argc + 1; unknown(x); assert(x != 2 && argv); return 0; }\n";
    fs::write(folder.join("a.c"), program).unwrap();
    let (loud, quiet) = (run(&folder, &["a.c"]), run(&folder, &["a.c", "-q"]));
    for part in ["note: ", "What to try next"] {
        assert!(loud.stdout.contains(part), "{}", loud.stdout);
        assert!(!quiet.stdout.contains(part), "{}", quiet.stdout);
    }
    assert_eq!((quiet.status, quiet.stderr.as_str()), (Some(0), ""));
    assert!(loud.stdout.starts_with(quiet.stdout.trim_end()), "{}", quiet.stdout);
    fs::write(folder.join("a.c"), program.replace("x != 2", "x == 2")).unwrap();
    let (loud, quiet) = (run(&folder, &["a.c"]), run(&folder, &["a.c", "--quiet"]));
    assert!(loud.stderr.contains("note: ") && !quiet.stderr.contains("note: "), "{}", loud.stderr);
    assert!(quiet.stderr.contains("No failure"), "{}", quiet.stderr);
}

/// All that is written to a terminal of this kind.
fn on_terminal(file: &Path, kind: &str, words: &[&str]) -> String {
    let (mut pty, pts) = pty_process::blocking::open().unwrap();
    pty.resize(pty_process::Size::new(24, 80)).unwrap();
    let command = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_whydunit"));
    let command = command.arg(file).args(words).env_remove("NO_COLOR").env("TERM", kind);
    let mut child = command.spawn(pts).unwrap();
    let mut bytes = Vec::new();
    // When it has ended, reading is an error.
    let _ = pty.read_to_end(&mut bytes);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_dumb_terminal_gets_lines_only() {
    let folder = folder("terminal");
    let file = folder.join("a.c");
    fs::write(&file, OLD).unwrap();
    let drawn = on_terminal(&file, "xterm", &[]);
    assert!(drawn.contains("\x1b[K") && drawn.contains("\x1b[1;31m"), "{drawn:?}");
    let dumb = on_terminal(&file, "dumb", &[]);
    assert!(!dumb.contains('\x1b') && dumb.contains("error: "), "{dumb:?}");
    let quiet = on_terminal(&file, "xterm", &["--quiet"]);
    assert!(!quiet.contains("\x1b[K") && quiet.contains("\x1b[1;31m"), "{quiet:?}");
}
