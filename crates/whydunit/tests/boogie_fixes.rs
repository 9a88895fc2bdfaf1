//! Fixes of Boogie programs: the examples say in their heads what is wrong with them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The fixes that are shown, each as the lines that it removes and those that it adds.
fn fixes(program: &Path, more: &[&str]) -> Vec<(Vec<String>, Vec<String>)> {
    let run = Command::new(env!("CARGO_BIN_EXE_whydunit"))
        .arg(program)
        .args(["--technique", "repair", "--time-limit", "30s"])
        .args(more)
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let mut all: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("+++ ") {
            all.push((Vec::new(), Vec::new()));
        } else if let (Some(last), false) = (all.last_mut(), line.starts_with("---")) {
            last.0.extend(line.strip_prefix('-').map(|it| it.trim().to_owned()));
            last.1.extend(line.strip_prefix('+').map(|it| it.trim().to_owned()));
        }
    }
    assert!(!all.is_empty(), "no fixes: {text}");
    all
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Whether one of the first three fixes makes this of that.
fn has(name: &str, more: &[&str], old: &[&str], new: &[&str]) {
    let all = fixes(&example(name), more);
    let is_it = |(gone, come): &(Vec<String>, Vec<String>)| gone == old && come == new;
    assert!(all.iter().take(3).any(is_it), "{name}: {all:#?}");
}

#[test]
fn visitors_are_counted_from_nought() {
    has("counter.bpl", &[], &["visitor := 1;"], &["visitor := 0;"]);
}

#[test]
fn a_fee_is_positive() {
    has("transfer.bpl", &[], &["fee := -2;"], &["fee := 2;"]);
    has("transfer.bpl", &["--max-traces", "2"], &["fee := -2;"], &["fee := 2;"]);
}

#[test]
fn a_heater_is_off_at_first() {
    has("thermostat.bpl", &[], &[], &["power := 0;"]);
}

/// The texts with each of the fixes, as the printed lines say.
fn edited(program: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(program).expect("it is there");
    let run = Command::new(env!("CARGO_BIN_EXE_whydunit"))
        .arg(program)
        .args(["--technique", "repair", "--time-limit", "30s"])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let mut all = Vec::new();
    for diff in text.split("  +++ ").skip(1) {
        let mut edited = source.clone();
        for hunk in diff.split("\n  @@ ").skip(1) {
            let lines = hunk.lines().skip(1).map_while(|line| line.strip_prefix("  "));
            let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
            let with = |sign: char| -> String {
                let own = lines.iter().filter(|it| it.starts_with([' ', sign]));
                own.map(|it| format!("{}\n", &it[1..])).collect()
            };
            let (old, new) = (with('-'), with('+'));
            assert!(edited.contains(&old), "{}: no place for {diff}", program.display());
            edited = edited.replacen(&old, &new, 1);
        }
        all.push(edited);
    }
    all
}

/// What is printed is a change of the text that leaves a program.
#[test]
fn fixes_of_the_corpus_are_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/boogie");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        for text in edited(&path) {
            count += 1;
            if let Err(errors) = boogie::read("test", &text) {
                panic!("{}: {errors:?}:\n{text}", path.display());
            }
        }
    }
    assert!(count > 200, "only {count}");
}

/// What is shown, written into the file, has no failure.
#[test]
fn what_is_shown_can_be_applied() {
    let source = std::fs::read_to_string(example("transfer.bpl")).expect("it is there");
    let (old, new) = fixes(&example("transfer.bpl"), &[]).swap_remove(0);
    let edited = source.replacen(&old[0], &new[0], 1);
    let path = std::env::temp_dir().join(format!("whydunit-fixes-{}.bpl", std::process::id()));
    std::fs::write(&path, edited).expect("it is written");
    let run = Command::new(env!("CARGO_BIN_EXE_whydunit")).arg(&path).output().expect("it runs");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
}
