//! `#line`: the places of programs that tools have written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, finish, whydunit};
use serde_json::Value;

/// The least of three numbers, with a mistake in line 8.
const LEAST: &str = "\
#include <assert.h>
#include <stdlib.h>
static int least(int a, int b, int c)
{
    int best = a;
    if (b < best)
        best = b;
    if (c < a)
        best = c;
    return best;
}
int main(int argc, char **argv)
{
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    int found = least(a, b, c);
    assert(found <= a && found <= b && found <= c);
    return argc != 4;
}
";

/// As tools for verification write it: what was one line is several, and its source is elsewhere.
const MACHINE: &str = "\
extern void abort(void);
extern int atoi(char const *);
#line 5 \"/nowhere/machine.c\"
int state ;
#line 7
int step(int input)
{
  int next ;
#line 9
  next = state + input;
#line 9
  if (next >= 3) {
#line 9
    next = 2;
  }
#line 10
  return (next);
}
#line 14 \"/nowhere/machine.c\"
int main(int argc , char **argv )
{
  int i ;
#line 16
  i = 1;
#line 16
  while (i < argc) {
#line 17
    state = step(atoi(argv[i]));
#line 16
    i = i + 1;
  }
#line 18
  if (state == 2) {
#line 19
    abort();
  }
  return (0);
}
";

const GRAMMAR: &str = "\
%{
#include <stdlib.h>
%}
%%
less: num '-' num { $$ = $3 - $1; };
%%
int main(int argc, char **argv)
{
    if (less(atoi(argv[1]), atoi(argv[2])) < 0)
        abort();
    return argc != 3;
}
";

/// What a generator makes of the grammar.
const PARSER: &str = "\
/* made by a generator */
#line 2 \"less.y\"
#include <stdlib.h>
#line 5 \"less.tab.c\"
static int less(int one, int two)
{
    int value;
#line 5 \"less.y\"
 { value = two - one; }
#line 11 \"less.tab.c\"
    return value;
}
#line 7 \"less.y\"
int main(int argc, char **argv)
{
    if (less(atoi(argv[1]), atoi(argv[2])) < 0)
        abort();
    return argc != 3;
}
";

const SECRET: &str = "\
#include <stdlib.h>
#line 3 \"/etc/passwd\"
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    if (n > 3)
        abort();
    return argc != 2;
}
";

/// A new folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    for (name, content) in files {
        std::fs::write(path.join(name), content).unwrap();
    }
    path
}

fn run(folder: &Path, words: &[&str]) -> Run {
    let run = finish(whydunit().current_dir(folder).args(words)).unwrap();
    assert_eq!(run.status, Some(0), "{}{}", run.stdout, run.stderr);
    run
}

fn json(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&run(folder, &[&["--format=json"], words].concat()).stdout).unwrap()
}

fn clang(folder: &Path, words: &[&str]) {
    let status = Command::new("clang-22").args(words).current_dir(folder).status().unwrap();
    assert!(status.success());
}

/// A file, a part of its text, and where that comes from.
type Place = (String, String, Option<(String, u64)>);

/// A location, with its text in this source, and its origin.
#[track_caller]
fn place(at: &Value, text: &str) -> Place {
    let number = |name: &str| at[name].as_u64().unwrap_or_else(|| panic!("{at}")) as usize;
    let line = text.lines().nth(number("line") - 1).unwrap();
    let part = &line[number("column") - 1..number("end_column") - 1];
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let origin = at.get("origin").map(|o| (word(&o["file"]), o["line"].as_u64().unwrap()));
    (word(&at["file"]), part.to_owned(), origin)
}

fn suspects(answer: &Value, text: &str) -> Vec<Place> {
    let all = answer["suspects"].as_array().unwrap().iter();
    all.map(|suspect| place(&suspect["location"], text)).collect()
}

#[test]
fn a_preprocessed_program_has_the_places_of_the_file_that_was_given() {
    let folder = folder("preprocessed", &[("gone.c", LEAST)]);
    clang(&folder, &["-E", "gone.c", "-o", "least.i"]);
    std::fs::remove_file(folder.join("gone.c")).unwrap();
    let text = std::fs::read_to_string(folder.join("least.i")).unwrap();
    let answer = json(&folder, &["least.i", "--", "5", "2", "3"]);
    let found = suspects(&answer, &text);
    assert!(found.contains(&("least.i".to_owned(), "c < a".to_owned(), None)), "{found:?}");
    assert_eq!(answer["failure"]["location"]["file"], "least.i");
    assert_eq!(answer["gaps"], serde_json::json!([]));
}

#[test]
fn what_comes_from_headers_of_the_system_is_no_statement_of_the_user() {
    let text = "#include <assert.h>\nint main(int n, char **v)\n{\n    n = v[0][0] + 1;\n    \
                assert(n < 0);\n    return 0;\n}\n";
    let folder = folder("headers", &[("a.c", text)]);
    clang(&folder, &["-E", "a.c", "-o", "a.i"]);
    let out = |file: &str| {
        let answer = json(&folder, &[file]);
        let failing = answer["failure"]["location"]["line"].clone();
        let all = answer["suspects"].as_array().unwrap().clone();
        // What the assertion stands for is on a line of its own statements there.
        all.into_iter().filter(|it| it["location"]["line"] != failing).count()
    };
    assert_eq!(out("a.i"), out("a.c"));
}

#[test]
fn a_source_that_is_there_is_shown_with_the_physical_place_beside_it() {
    let folder = folder("there", &[("least.c", LEAST)]);
    clang(&folder, &["-E", "least.c", "-o", "least.i"]);
    let answer = json(&folder, &["least.i", "--", "5", "2", "3"]);
    let origin = Some(("least.c".to_owned(), 8));
    let found = suspects(&answer, &std::fs::read_to_string(folder.join("least.i")).unwrap());
    assert!(found.contains(&("least.i".to_owned(), "c < a".to_owned(), origin)), "{found:?}");
}

#[test]
fn one_line_may_have_become_many() {
    let folder = folder("machine", &[("machine.cil.c", MACHINE)]);
    let answer = json(&folder, &["machine.cil.c", "--", "1", "4"]);
    let found = suspects(&answer, MACHINE);
    let parts: Vec<&str> = found.iter().map(|(_, part, _)| part.as_str()).collect();
    assert!(parts.contains(&"next = 2"), "{parts:?}");
    assert!(parts.contains(&"next >= 3"), "{parts:?}");
    assert!(found.iter().all(|(file, _, origin)| file == "machine.cil.c" && origin.is_none()));
}

#[test]
fn a_grammar_is_named_where_it_is_there() {
    let files = [("less.y", GRAMMAR), ("less.tab.c", PARSER)];
    let folder = folder("grammar", &files);
    let answer = json(&folder, &["less.tab.c", "--", "5", "3"]);
    let of = |part: &str, line| {
        let origin = Some(("less.y".to_owned(), line));
        ("less.tab.c".to_owned(), part.to_owned(), origin)
    };
    assert_eq!(place(&answer["failure"]["location"], PARSER), of("abort()", 10));
    let found = suspects(&answer, PARSER);
    assert!(found.contains(&of("value = two - one", 5)), "{found:?}");
    let text = run(&folder, &["less.tab.c", "--", "5", "3"]).stdout;
    assert!(text.starts_with("less.y:10 (less.tab.c:17:9): error: "), "{text}");
    assert!(text.contains("less.y:5 (line 9) | { value = two - one; }"), "{text}");
    for format in ["html", "sarif"] {
        let format = format!("--format={format}");
        let text = run(&folder, &["less.tab.c", &format, "--", "5", "3"]).stdout;
        assert!(text.contains("less.y:10"), "{text}");
        // What clang did not read is not shown.
        assert!(!text.contains("$$ = $3 - $1"), "{text}");
    }
}

#[test]
fn so_it_is_where_it_is_included_or_bitcode() {
    let driver = ("driver.c", "#include \"less.tab.c\"\n");
    let folder = folder("included", &[("less.y", GRAMMAR), ("less.tab.c", PARSER), driver]);
    clang(&folder, &["-g", "-c", "-emit-llvm", "less.tab.c", "-o", "less.bc"]);
    let direct = json(&folder, &["less.tab.c", "--", "5", "3"]);
    for other in ["driver.c", "less.bc"] {
        let answer = json(&folder, &[other, "--", "5", "3"]);
        assert_eq!(direct["failure"], answer["failure"], "{other}");
        // Only where a source was given, there are fixes.
        let first = |answer: &Value| answer["suspects"][0]["location"].clone();
        assert_eq!(first(&direct), first(&answer), "{other}");
    }
}

#[test]
fn headers_are_found_beside_a_file_with_lines() {
    let file = "#line 1 \"gone.y\"\n#include \"limit.h\"\nint main(int n, char **v)\n{\n    \
                return n < LIMIT ? 0 : v[n][0];\n}\n";
    let folder = folder("beside", &[]);
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::write(folder.join("sub/limit.h"), "#define LIMIT 1\n").unwrap();
    std::fs::write(folder.join("sub/a.c"), file).unwrap();
    let answer = json(&folder, &["sub/a.c"]);
    assert_eq!(answer["failure"]["location"]["file"], "sub/a.c");
    assert_eq!(answer["failure"]["location"]["line"], 5);
}

#[test]
fn no_other_file_gets_into_a_report() {
    let folder = folder("secret", &[("a.c", SECRET), ("b.c", "#include \"a.c\"\n")]);
    clang(&folder, &["-g", "-c", "-emit-llvm", "a.c", "-o", "a.bc"]);
    clang(&folder, &["-gdwarf-4", "-c", "-emit-llvm", "b.c", "-o", "b.bc"]);
    let secret = std::fs::read_to_string("/etc/passwd").unwrap();
    let secret = secret.lines().next().unwrap();
    for file in ["a.c", "b.c", "a.bc", "b.bc"] {
        for format in ["text", "html", "json", "sarif", "dot"] {
            let format = format!("--format={format}");
            let words = [file, &format, "--", "5"];
            let out = finish(whydunit().current_dir(&folder).args(words)).unwrap().stdout;
            assert!(!out.is_empty());
            assert!(!out.contains(secret), "{file} {format}\n{out}");
            assert!(!out.contains("/etc/passwd:"), "{file} {format}\n{out}");
        }
    }
}

#[test]
fn a_source_that_is_missing_is_named() {
    let folder = folder("missing", &[("least.c", LEAST)]);
    clang(&folder, &["-g", "-c", "-emit-llvm", "least.c", "-o", "least.bc"]);
    std::fs::remove_file(folder.join("least.c")).unwrap();
    let words = ["least.bc", "--format=json", "--", "5", "2", "3"];
    let run = finish(whydunit().current_dir(&folder).args(words)).unwrap();
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let why = "the source least.c was not there to be read, so its statements are not examined";
    assert_eq!(answer["gaps"], serde_json::json!([why]));
}
