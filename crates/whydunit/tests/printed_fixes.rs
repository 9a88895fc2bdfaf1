//! What is printed as a fix is one: each solution is written into the text by code of this test alone, and the program is run again.
//!
//! A part of the corpus is enough here; `WHYDUNIT_FIXES=all` takes all of it.

mod common;
#[path = "common/expectations.rs"]
#[allow(dead_code, reason = "only what the program is run with is of interest")]
mod expectations;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use expectations::{Outcome, parse};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Of so many programs, one is looked at.
const SAMPLE: usize = 8;
const HANGS: Duration = Duration::from_secs(60);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "c"));
    files.sort();
    let step = if std::env::var_os("WHYDUNIT_FIXES").is_some() { 1 } else { SAMPLE };
    let count = files.len();
    let mut trials: Vec<Trial> = files
        .into_iter()
        .step_by(step)
        .map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(name, move || Ok(check(&file)?))
        })
        .collect();
    trials.push(Trial::test("there are programs", move || match count {
        0 => Err(Failed::from("the corpus is empty")),
        _ => Ok(()),
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let expected = parse(&text)?;
    // What is searched for may fail for other inputs.
    if expected.outcome != Outcome::Failure || text.contains("//@ search") {
        return Ok(());
    }
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err("it has no name".to_owned());
    };
    let run = |folder: &Path, technique: &str| {
        let mut command = common::whydunit();
        command.current_dir(folder).arg(name).args(["--time-limit=30s", "--format=json"]);
        command.arg(technique).args(&expected.options);
        if !expected.arguments.is_empty() {
            command.arg("--").args(&expected.arguments).arg("--");
        }
        common::finish_within(&mut command, HANGS)
    };
    let answer = run(folder, "--technique=repair")?;
    let report: Value = serde_json::from_str(&answer.stdout).map_err(|error| error.to_string())?;
    let solutions = report["diagnoses"]["repair"]["solutions"].as_array();
    for solution in solutions.into_iter().flatten() {
        let edits = solution["edits"].as_array().ok_or("a solution without edits")?;
        let edited = edited(&text, edits)?;
        let scratch = beside(folder, name.as_ref(), &edited)?;
        let again = run(&scratch, "--technique=slice")?;
        if again.status != Some(1) {
            return Err(format!(
                "with {}, status {:?}\n{}",
                solution["patch"].as_str().unwrap_or_default(),
                again.status,
                again.stderr
            ));
        }
    }
    Ok(())
}

/// The text with these edits. Columns count characters.
fn edited(text: &str, edits: &[Value]) -> Result<String, String> {
    let offset = |line: &Value, column: &Value| -> Option<usize> {
        let (line, column) = (line.as_u64()? as usize, column.as_u64()? as usize);
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let within = text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>();
        Some(start + within)
    };
    let mut found = Vec::new();
    for edit in edits {
        let at = &edit["location"];
        let start = offset(&at["line"], &at["column"]).ok_or("no start")?;
        let end = offset(&at["end_line"], &at["end_column"]).ok_or("no end")?;
        if text.get(start..end) != edit["original"].as_str() {
            return Err(format!("{edit}: the text there is {:?}", text.get(start..end)));
        }
        found.push((start, end, edit["replacement"].as_str().ok_or("no replacement")?));
    }
    found.sort();
    let (mut result, mut done) = (String::new(), 0);
    for (start, end, new) in found {
        result += text.get(done..start).ok_or("edits overlap")?;
        result += new;
        done = end;
    }
    Ok(result + &text[done..])
}

/// A folder like this one in which one file has another text.
fn beside(folder: &Path, name: &Path, text: &str) -> Result<PathBuf, String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixes").join(name);
    let _ = std::fs::remove_dir_all(&scratch);
    let made = || -> std::io::Result<()> {
        std::fs::create_dir_all(&scratch)?;
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if let Some(other) = path.file_name().filter(|other| *other != name) {
                symlink(&path, scratch.join(other))?;
            }
        }
        std::fs::write(scratch.join(name), text)
    };
    made().map_err(|error| error.to_string())?;
    Ok(scratch)
}
