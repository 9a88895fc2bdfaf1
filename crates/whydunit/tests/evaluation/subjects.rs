//! The programs of the corpus of which it is known where they are wrong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use program::{Program, Trust};

use crate::compile::compile;
use crate::expectations::parse;

/// A faulty program, and how it is run.
pub struct Subject {
    /// Its path below `corpus`.
    pub name: String,
    pub family: String,
    /// What kind of statement is wrong.
    pub kind: &'static str,
    pub folder: PathBuf,
    pub file: String,
    pub options: Vec<String>,
    pub arguments: Vec<String>,
    /// The lines to correct.
    pub faults: Vec<usize>,
}

/// All of them, by name.
pub fn subjects(corpus: &Path) -> Result<Vec<Subject>, String> {
    let mut found = Vec::new();
    let mut folders = vec![corpus.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            let end = path.extension().and_then(|end| end.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if matches!(end, Some("c" | "bpl")) {
                let subject = subject(corpus, &folder, &path);
                found.extend(subject.map_err(|why| format!("{}: {why}", path.display()))?);
            }
        }
    }
    found.sort_by(|a: &Subject, b| a.name.cmp(&b.name));
    Ok(found)
}

/// None if no fault is marked.
fn subject(corpus: &Path, folder: &Path, path: &Path) -> Result<Option<Subject>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let expected = parse(&text)?;
    let faults: Vec<usize> =
        expected.lines.iter().filter(|(_, line)| line.fault).map(|(number, _)| *number).collect();
    if faults.is_empty() {
        return Ok(None);
    }
    let name = path.strip_prefix(corpus).map_err(|error| error.to_string())?.display().to_string();
    let family = family(&name, faults.len());
    let mut options = expected.options;
    match family.as_str() {
        "traffic" => {
            options.extend(["--test-list=tests.txt", "--expected=expected.txt"].map(str::to_owned))
        }
        "student" | "student-pair" => options.push("--tests=tests".to_owned()),
        _ => {}
    }
    let reference = std::fs::read_to_string(folder.join("reference.c")).ok();
    Ok(Some(Subject {
        kind: kind(&text, &faults, reference.as_deref()),
        family,
        folder: folder.to_owned(),
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        options,
        arguments: expected.arguments,
        faults,
        name,
    }))
}

/// Programs that are like each other, by their path.
fn family(name: &str, faults: usize) -> String {
    let words: Vec<&str> = name.split('/').collect();
    match words.as_slice() {
        ["c", file] => {
            let begin = file.split('-').next().unwrap_or_default();
            format!("c-{}", begin.trim_end_matches(|c: char| c.is_ascii_digit()))
        }
        ["suites", "student", ..] if faults > 1 => "student-pair".to_owned(),
        ["suites", family, ..] | [family, ..] => (*family).to_owned(),
        [] => String::new(),
    }
}

/// What kind of statement is wrong: that with which the marked line begins. Where there is a program that is right, it says
/// whether lines are missing.
fn kind(text: &str, faults: &[usize], reference: Option<&str>) -> &'static str {
    let [fault] = faults else { return "several" };
    let line_count = |text: &str| text.lines().filter(|line| !code(line).is_empty()).count();
    if reference.is_some_and(|right| line_count(right) > line_count(text)) {
        return "missing";
    }
    let line = text.lines().nth(fault - 1).unwrap_or_default();
    let is_global = line.starts_with(|c: char| c.is_ascii_alphabetic());
    let code = code(line);
    let code = code.trim_start_matches(['}', ' ']);
    let code = code.strip_prefix("else ").unwrap_or(code);
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            code.strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    if begins(&["if", "switch", "case"]) {
        "condition"
    } else if begins(&["for", "while", "do"]) {
        "loop"
    } else if begins(&["return"]) {
        "return"
    } else if is_global && code.contains('=') {
        "global"
    } else if code.contains('=') || code.contains("++") || code.contains("--") {
        "assignment"
    } else if code.contains('(') {
        "call"
    } else {
        "other"
    }
}

/// A line without comment and space around it.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim()
}

impl Subject {
    pub fn has_tests(&self) -> bool {
        self.options.iter().any(|option| option.starts_with("--test"))
    }

    /// How many lines of the file begin a statement or a condition.
    pub fn executable_lines(&self) -> Result<usize, String> {
        let path = self.folder.join(&self.file);
        let program = match self.file.ends_with(".c") {
            true => {
                let flags = self.options.iter().filter_map(|it| it.strip_prefix("--cflags="));
                let flags = flags.flat_map(|it| it.split_whitespace().map(str::to_owned));
                compile(&path, &flags.collect::<Vec<_>>())
            }
            false => {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
                boogie::read(&self.file, &text).map_err(|errors| format!("{errors:?}"))?
            }
        };
        Ok(executable_lines(&program, &self.file))
    }
}

fn executable_lines(program: &Program, name: &str) -> usize {
    let sites = program.edges.iter().map(|edge| program.site(edge.site));
    let spans = sites.filter(|site| site.trust == Trust::User).filter_map(|site| site.span);
    let lines = spans.filter_map(|span| {
        let file = program.file(span);
        file.name.ends_with(name).then(|| file.position(span.start).line)
    });
    lines.collect::<BTreeSet<u32>>().len()
}

/// Checks how programs are sorted.
pub fn self_test() {
    assert_eq!(family("c/paper4-fig5.c", 1), "c-paper");
    assert_eq!(family("bugs/gcd.bpl", 1), "bugs");
    assert_eq!(family("suites/traffic/v01.c", 1), "traffic");
    assert_eq!(family("suites/student/21-numbers/program.c", 2), "student-pair");
    let kinds = [
        ("    } else if (a < b) //~ fault", "condition"),
        ("    for (int i = 0; i < n; i++) //~ fault", "loop"),
        ("    forest = 1; //~ fault", "assignment"),
        ("    i++; //~ fault", "assignment"),
        ("static int limit[] = { 1, 2 }; //~ fault", "global"),
        ("    return a; //~ fault", "return"),
        ("    sort(a, n); //~ fault", "call"),
        ("    default: //~ fault", "other"),
    ];
    for (line, expected) in kinds {
        assert_eq!(kind(line, &[1], None), expected, "{line}");
        assert_eq!(kind(line, &[1], Some("a\nb\n")), "missing");
        assert_eq!(kind(line, &[1, 1], None), "several");
    }
}
