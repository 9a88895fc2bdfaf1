//! C programs that are not as they should be, and limits: messages, exit statuses, time and memory.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::path::{Path, PathBuf};
use std::time::Instant;

use common::{Run, finish, unwrapped, whydunit};
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-inputs-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs whydunit on a file with these bytes, in a folder of its own.
fn run(file: &str, bytes: impl AsRef<[u8]>, options: &[&str]) -> Run {
    let folder = folder(file);
    std::fs::write(folder.join(file), bytes).unwrap();
    finish(whydunit().current_dir(&folder).arg(format!("./{file}")).args(options)).unwrap()
}

/// Both outputs, after a check of the exit status.
#[track_caller]
fn says(run: &Run, status: i32, parts: &[&str]) {
    let all = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(run.status, Some(status), "{all}");
    for part in parts {
        assert!(all.contains(part), "`{part}` is not in\n{all}");
    }
    assert!(!all.contains("Please report"), "{all}");
}

#[test]
fn wrong_sources() {
    let wrong = run("syntax.c", "int main(void) { int x = ; }\n", &[]);
    says(&wrong, 2, &["syntax.c:1:26: error: expected expression"]);
    let wrong = run("header.c", "#include \"none.h\"\nint main(void) { return 0; }\n", &[]);
    says(&wrong, 2, &["'none.h' file not found"]);
    says(&run("no-main.c", "int f(int x) { return x; }\n", &[]), 2, &["no function `main`"]);
    says(&run("empty.c", "", &[]), 2, &["no function `main`"]);
    let missing = finish(whydunit().arg("no-such-file.c")).unwrap();
    says(&missing, 2, &["cannot read no-such-file.c: there is no such file"]);
    let directory = folder("directory.c");
    let run = finish(whydunit().arg(&directory)).unwrap();
    says(&run, 2, &["cannot read", "it is a directory"]);
}

#[test]
fn a_compiler_that_crashes() {
    // clang recurses over what is nested.
    let (open, close) = ("(".repeat(20_000), "+1)".repeat(20_000));
    let deep =
        run("deep.c", format!("int main(void) {{ int x = {open}1{close}; return x; }}\n"), &[]);
    assert_eq!(deep.status, Some(2), "{}", deep.stderr);
    assert!(deep.stderr.contains("error"), "{}", deep.stderr);
}

#[test]
fn modules_that_are_none() {
    let random: Vec<u8> =
        (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for (name, bytes) in [
        ("random.bc", random.as_slice()),
        ("random.ll", &random),
        ("empty.bc", b""),
        ("header.bc", b"BC\xc0\xde"),
        ("text.ll", b"define i32 @main() {\n  ret i32"),
    ] {
        says(&run(name, bytes, &[]), 2, &["error", name]);
    }
}

#[test]
fn options_that_cannot_be() {
    let program = "int main(void) { return 0; }\n";
    for (options, part) in [
        (["--stdin", "none.txt"], "cannot read none.txt: there is no such file"),
        (["--expect", "none.txt"], "cannot read none.txt: there is no such file"),
        (["--expect-exit", "abc"], "invalid value 'abc'"),
        (["--cflags", "-Zbad"], "unknown argument"),
        (["--cflags", "-E"], "not passed to clang"),
        (["--trust", "nobody"], "no file or procedure `nobody`"),
    ] {
        says(&run("options.c", program, &options), 2, &[part]);
    }
    says(&run("mixed.c", program, &["x.bpl"]), 2, &["x.bpl: there is no such file"]);
}

#[test]
fn positions_count_bytes() {
    // Latin-1, and lines that end as on Windows.
    let source = b"int main(void) {\r\n  const char *s = \"\xff\xfe\xe9\"; /* \xe9 */ return 1 / (s[1] + 2);\r\n}\r\n";
    let run = run("latin1.c", source, &["--format", "json", "--technique", "relevance"]);
    says(&run, 0, &[]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let location = &json["failure"]["location"];
    assert_eq!((&location["line"], &location["column"]), (&2.into(), &41.into()), "{location}");
    assert_eq!(location["end_column"], 55, "{location}");
    assert_eq!(json["suspects"][0]["statement"], "s = \"???\"");
}

#[test]
fn functions_that_nobody_defines() {
    let program = "int mystery(int);\nint main(void) { return mystery(3); }\n";
    let run = run("unknown.c", program, &[]);
    says(&run, 1, &["No failure", "the function `mystery` has no definition"]);
}

const ENDLESS: &str = "#include <stdlib.h>
int main(void) { for (;;) { char *p = malloc(1 << 24); if (!p) abort(); p[0] = 1; } }
";

#[test]
fn memory_ends() {
    // Filling all that memory takes a while on a busy machine.
    let limits = ["--time-limit", "30s", "--memory-limit", "8G"];
    says(&run("endless.c", ENDLESS, &limits), 0, &["the program calls `abort`"]);
    let usual = run("endless.c", ENDLESS, &["--memory-limit", "1G"]);
    says(&usual, 4, &["The memory limit of 1 GB was reached"]);
    let sparse = "#include <stdlib.h>\n#include <assert.h>\nchar a[1 << 30];
        int main(void) { char *p = malloc(1 << 28); p[1 << 27] = 2; a[1 << 29] = 1; assert(p[1 << 27] == a[1 << 29]); }\n";
    says(&run("sparse.c", sparse, &[]), 0, &["p[1 << 27] = 2", "a[1 << 29] = 1"]);
    let stack = "int main(void) { char a[1 << 30]; a[0] = 1; return a[0]; }\n";
    says(&run("stack.c", stack, &[]), 0, &["there is not enough space for `a` on the stack"]);
    let deep = "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n";
    says(&run("deep.c", deep, &["--time-limit", "2s"]), 0, &["nested too deeply at `f(n + 1)`"]);
}

#[test]
fn time_ends() {
    let start = Instant::now();
    let program = "int main(void) { volatile int i = 0; for (;;) i = !i; }\n";
    // More than any machine takes in that time.
    let limits = ["--time-limit=1s", "--max-steps=1000000000000"];
    let run = run("loop.c", program, &limits);
    says(&run, 4, &["The time limit of 1s was reached"]);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// The decisions of a loop, each of which might have set what all later ones read.
const LARGEST: &str = "#include <assert.h>
int count[30001];
int main(void) {
    int i, best = 1;
    for (i = 0; i <= 30000; i++) count[i] = i % 3 == 1;
    for (i = 2; i <= 30000; i++) if (count[i] > count[best]) best = i;
    assert(best == 2);
}
";

#[test]
fn influences_in_a_loop_take_little_memory() {
    let run = run("largest.c", LARGEST, &["--technique=cascade", "--memory-limit=500M"]);
    says(&run, 0, &["assert"]);
    assert!(!run.stdout.contains("--memory-limit"), "{}", run.stdout);
}

#[test]
fn repeated_runs_have_no_copies_of_large_objects() {
    let program = "#include <assert.h>
        static char large[2 << 20];
        int main(void) {
            int i, sum = 0;
            for (i = 0; i < 12; i++) { large[i << 16] = i; if (large[i << 16] % 2) sum += i; }
            assert(sum == 1);
        }\n";
    let options = ["--technique=changes", "--memory-limit=500M", "--time-limit=10s"];
    let run = run("large.c", program, &options);
    says(&run, 0, &[]);
    assert!(!run.stdout.contains("--memory-limit"), "{}", run.stdout);
}

#[test]
fn the_limit_of_memory() {
    let program = "#include <assert.h>
        int n[1 << 20];
        int main(void) {
            int i, sum = 0;
            for (i = 0; i < 1 << 20; i++) { n[i] = i; sum ^= n[i]; }
            assert(sum == 1);
        }\n";
    let run = run("much.c", program, &["--memory-limit=200M"]);
    assert!(matches!(run.status, Some(0 | 4)), "{run:?}");
    let all = format!("{}{}", run.stdout, run.stderr);
    assert!(unwrapped(&all).contains("memory limit of 200 MB was reached"), "{all}");
}

/// What is said where the address space is so small, in kilobytes.
#[cfg(target_os = "linux")]
fn in_space(kilobytes: u32, file: &str, text: &str) -> Run {
    let folder = folder(file);
    std::fs::write(folder.join(file), text).unwrap();
    let mut command = std::process::Command::new("sh");
    let script = "ulimit -v \"$0\"; ulimit -c 0; exec \"$@\"";
    command.args(["-c", script, &kilobytes.to_string()]).arg(whydunit().get_program());
    finish(command.current_dir(&folder).args([file, "--time-limit=10s"])).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_no_bug() {
    let program = "int main(void) { int x = 0; return 1 / x; }\n";
    for megabytes in [300, 350, 400] {
        says(&in_space(megabytes << 10, "space.c", program), 4, &["error: not enough memory"]);
    }
    for megabytes in [3000, 6000] {
        says(&in_space(megabytes << 10, "space.c", program), 0, &["the divisor is zero"]);
    }
    // An object that is larger than all there is.
    let large = "#include <stdlib.h>\nint main(void) { char *p = malloc(1 << 30); return p[1]; }\n";
    let run = in_space(1100 << 10, "object.c", large);
    says(&run, 4, &["error: not enough memory"]);
}

/// A compiler that takes its time.
#[cfg(unix)]
fn slow_clang(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("clang");
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'clang version 22.0' || exec sleep 60\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn the_end_while_reading() {
    let folder = folder("slow");
    std::fs::write(folder.join("slow.c"), "int main(void) { return 0; }\n").unwrap();
    let command = || {
        let mut command = whydunit();
        command.current_dir(&folder).env("WHYDUNIT_CLANG", slow_clang(&folder)).arg("slow.c");
        command
    };
    let start = Instant::now();
    let run = finish(command().args(["--time-limit", "1s"])).unwrap();
    says(&run, 4, &["The time limit of 1s was reached while the program was being read"]);
    let mut interrupted = command();
    interrupted.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = interrupted.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "Interrupted while the program was being read.\n");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn what_is_not_modelled_is_said_without_a_failure() {
    let program = "int main(void) { __asm__ volatile(\"nop\"); return 0; }\n";
    says(&run("asm.c", program, &[]), 1, &["No failure", "note: ", "assembly"]);
    let program = "int __VERIFIER_nondet_int(void);
        int main(void) { __asm__ volatile(\"nop\"); return __VERIFIER_nondet_int() & 0; }\n";
    says(&run("asm-search.c", program, &[]), 1, &["No failure", "note: ", "assembly"]);
}

#[test]
fn whether_there_are_other_traces() {
    let program = "#include <assert.h>
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int x = __VERIFIER_nondet_int();
            if (x > 5) assert(x > 10);
            if (x < 0) assert(x < -9);
        }\n";
    let many = ["--max-traces", "9"];
    says(&run("two.c", program, &many), 0, &["found 2 failing traces: there are no others"]);
    let endless = "#include <assert.h>
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int x = __VERIFIER_nondet_int();
            assert(x != 7);
            while (x) if (x == 8) x = 8;
        }\n";
    let options = ["--max-traces", "2", "--max-steps", "1000"];
    says(&run("endless.c", endless, &options), 0, &["found 1 failing trace; some executions were"]);
    let fixed = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); }\n";
    says(
        &run("fixed.c", fixed, &many),
        0,
        &["found 1 failing trace: the program asks for no values"],
    );
}

#[test]
fn results_have_the_types_of_their_functions() {
    let program = "#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
static uint16_t sum(const uint8_t *data, int n) { uint8_t s = 200; s += data[n]; return (uint16_t)~s; }
static bool odd(unsigned n) { return n & 1; }
int main(void) { const uint8_t data[] = { 10, 65 }; assert(sum(data, 1) == 0 || odd(sum(data, 1))); return 0; }
";
    let run = run("results.c", program, &["--format", "json"]);
    says(&run, 0, &[]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let steps = json["diagnoses"]["relevance"]["steps"].as_array().unwrap();
    let value = |statement: &str| {
        let step = steps.iter().rfind(|step| step["statement"] == statement);
        step.unwrap_or_else(|| panic!("no `{statement}` in {steps:#?}"))["value"].clone()
    };
    assert_eq!(value("return (uint16_t)~s"), "65526");
    assert_eq!(value("return n & 1"), "false");
    assert_eq!(value("s = 200"), "200");
    // Whichever operand is false, the assertion is all of it.
    let location = &json["failure"]["location"];
    let text = program.lines().nth(5).unwrap();
    let start = location["column"].as_u64().unwrap() as usize - 1;
    let end = location["end_column"].as_u64().unwrap() as usize - 1;
    assert_eq!(&text[start..end], "sum(data, 1) == 0 || odd(sum(data, 1))");
}

#[test]
fn calls_through_null() {
    let program = "static int (*f)(int);\nint main(void) { return f(1); }\n";
    says(&run("null.c", program, &[]), 0, &["`f(1)` calls a null pointer"]);
}

#[test]
fn expected_text_that_no_value_prints() {
    // Whatever an integer is, `%d\n` does not print 6.75.
    let program =
        "#include <stdio.h>\nint main(void) { int x = 7; printf(\"%d\\n\", x); return 0; }\n";
    std::fs::write(folder("format.c").join("out.txt"), "6.75\n").unwrap();
    let run = run("format.c", program, &["--expect", "out.txt"]);
    says(&run, 0, &["has `7` where `6.75` is expected"]);
    assert!(!run.stdout.contains("x = 6"), "{}", run.stdout);
}

#[test]
fn modules_without_positions() {
    let module = "declare void @abort()
define i32 @main() {
  call void @abort()
  unreachable
}
";
    let run = run("plain.ll", module, &[]);
    says(
        &run,
        4,
        &["the program calls `abort`", "`main` has no debug information", "compile with -g"],
    );
}

#[test]
fn messages_say_what_to_do() {
    let program = "int main(void) { return 0; }\n";
    says(&run("forgot.c", program, &["6", "5"]), 2, &["arguments of the program come after `--`"]);
    says(&run("fine.c", program, &[]), 1, &["ended with status 0", "--expect-exit N"]);
    says(&run("fine.c", program, &["--expect-exit", "0"]), 1, &["ended with status 0"]);
}
