//! The documentation is true: every session in it is run and its output compared.
//!
//! In `README.md` and in `docs/`, a block marked `c file=NAME` (or `boogie`, or `text`) is a file, and a block
//! marked `console` is a session with these files and the folder `examples`: lines `$ whydunit …`, each followed by
//! what it prints. `UPDATE_DOCS=1 cargo test --test documentation` writes what it prints now into the documents.
//!
//! The programs in `examples/` say how to try them (`// Try: whydunit …`): these commands explain a failure.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn every_session_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![root.join("README.md")];
    find_documents(&root.join("docs"), &mut documents);
    let mut wrong = Vec::new();
    let mut sessions = 0;
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        let result = run_document(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        sessions += result.commands;
        if result.text == text {
            continue;
        }
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &result.text).unwrap();
        } else {
            wrong.push(format!("{}:\n{}", path.display(), differences(&text, &result.text)));
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE_DOCS=1 corrects the documents.", wrong.join("\n"));
    assert!(sessions > 3, "only {sessions} commands were found");
}

/// The table of clues in `docs/ranking.md` is that of the code.
#[test]
fn the_ranking_is_documented() {
    use localize::rank::Clue;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ranking.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut table = String::from("| clue | points | what it means |\n|---|--:|---|\n");
    let mut clues: Vec<Clue> = Clue::ALL.iter().copied().filter(|it| it.weight() != 0.0).collect();
    clues.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    for clue in clues {
        table += &format!("| `{}` | {} | {} |\n", clue.name(), clue.weight(), clue.meaning());
    }
    let mut fixes = String::from("| what is known of a fix | points |\n|---|--:|\n");
    for (name, meaning) in localize::rank::OF_SOLUTIONS {
        fixes += &format!("| {meaning} | {} |\n", localize::rank::points(name));
    }
    let expected = with_table(&with_table(&text, "clues", &table), "fixes", &fixes);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "UPDATE_DOCS=1 corrects the table");
    }
}

/// The text with this table between the marks of this name.
fn with_table(text: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = text.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    format!("{before}{begin}{table}{end}{after}")
}

fn find_documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find_documents(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}

/// A document with true outputs.
struct True {
    text: String,
    commands: usize,
}

/// Runs the sessions of a document.
fn run_document(text: &str) -> Result<True, String> {
    let folder = Folder::new();
    copy_examples(&folder.0.join("examples"));
    let mut result = True { text: String::new(), commands: 0 };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        result.text += &format!("{line}\n");
        let ticks = line.bytes().take_while(|&b| b == b'`').count();
        if ticks < 3 {
            continue;
        }
        let (fence, info) = line.split_at(ticks);
        let block: Vec<&str> = lines.by_ref().take_while(|&line| line != fence).collect();
        let (language, title) = info.split_once(' ').unwrap_or((info, ""));
        match (language, title.strip_prefix("file=")) {
            (_, Some(name)) => {
                fs::write(folder.0.join(name), as_lines(&block)).map_err(|e| e.to_string())?;
                result.text += &as_lines(&block);
            }
            ("console", None) => {
                for command in block.iter().filter(|line| line.starts_with("$ ")) {
                    let (_, output) = run(&command[2..], &folder.0)?;
                    result.text += &format!("{command}\n{output}");
                    result.commands += 1;
                }
            }
            _ => result.text += &as_lines(&block),
        }
        result.text += &format!("{fence}\n");
    }
    Ok(result)
}

fn as_lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The status of a command, and what it prints.
fn run(command: &str, folder: &Path) -> Result<(Option<i32>, String), String> {
    let mut words = command.split_whitespace();
    if words.next() != Some("whydunit") {
        return Err(format!("a session can only run whydunit, not `{command}`"));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_whydunit"))
        .args(words)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .map_err(|error| error.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    if text.lines().any(|line| line.starts_with("$ ") || line.starts_with("```")) {
        return Err(format!("the output of `{command}` would end its block"));
    }
    Ok((output.status.code(), text))
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn copy_examples(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for file in examples() {
        fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
}

#[test]
fn examples_fail_as_they_say() {
    let folder = Folder::new();
    copy_examples(&folder.0.join("examples"));
    let readme = fs::read_to_string(folder.0.join("examples/README.md")).unwrap();
    let is_program = |path: &PathBuf| path.extension().is_some_and(|e| e == "c" || e == "bpl");
    for path in examples().into_iter().filter(is_program) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let command = text.lines().find_map(|line| line.strip_prefix("// Try: "));
        let command = command.unwrap_or_else(|| panic!("{name} does not say how to try it"));
        assert!(command.contains(&format!("examples/{name}")), "{name}: {command}");
        assert!(readme.contains(&format!("| `{command}` |")), "examples/README.md lacks {command}");
        let (status, output) = run(command, &folder.0).unwrap();
        assert_eq!(status, Some(0), "{command}\n{output}");
        assert!(!output.contains("warning:"), "{command}\n{output}");
    }
}

fn differences(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let missing = |lines: &[&str], of: &[&str], sign: char| -> String {
        let missing = lines.iter().filter(|line| !of.contains(line));
        missing.map(|line| format!("{sign} {line}\n")).collect()
    };
    missing(&old, &new, '-') + &missing(&new, &old, '+')
}

/// A temporary folder, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("whydunit-documentation-{}-{number}", std::process::id());
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SAMPLE: &str = "\
Text.
```boogie file=a.bpl
procedure main() { }
```
````text
```
$ not a session
````
```console
$ whydunit a.bpl
something wrong
```
";

#[test]
fn a_wrong_output_is_noticed_and_replaced() {
    let first = run_document(SAMPLE).unwrap();
    assert_eq!(first.commands, 1);
    assert_ne!(first.text, SAMPLE);
    let truth = "No failure: a.bpl has no execution that violates a property.";
    assert_eq!(first.text, SAMPLE.replace("something wrong", truth));
    assert_eq!(differences(SAMPLE, &first.text), format!("- something wrong\n+ {truth}\n"));
    let second = run_document(&first.text).unwrap();
    assert_eq!(second.text, first.text);
}

#[test]
fn only_whydunit_is_run() {
    assert!(run_document("```console\n$ rm -r folder\n```\n").is_err());
}
