//! The corpus: each program of `corpus/` is run, and its answers are compared, both ways, with the
//! expectations on its lines (see `common/expectations.rs`).
//!
//! Of a C program that says nothing about relevance, only the failure is compared; of any program the tree of
//! causes and the changes, if it says something about these. All answers must be as `docs/schema` says.

mod common;
#[path = "common/expectations.rs"]
mod expectations;
#[path = "common/formulas.rs"]
mod formulas;
#[path = "common/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use expectations::{Expectations, InTree, Outcome, Part, Program, parse};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// The time that a program has, and when it is stopped if it does not stop by itself.
const TIME_LIMIT: &str = "--time-limit=20s";
/// The same, where only the failure of a C program is looked at. It is found within a second.
const TIME_LIMIT_FOR_FAILURE: &str = "--time-limit=5s";
const HANGS: Duration = Duration::from_secs(40);

/// Many programs with many tests each: `families.rs` is about them.
const FAMILIES: [&str; 2] = ["suites/traffic", "suites/student"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Boogie,
    C,
}

fn language(file: &Path) -> Option<Language> {
    match file.extension()?.to_str()? {
        "bpl" => Some(Language::Boogie),
        "c" => Some(Language::C),
        _ => None,
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut trials = vec![Trial::test("expectations are read", || Ok(expectations::self_test()?))];
    for file in programs(&root) {
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        trials.push(Trial::test(name, move || Ok(check(&file)?)));
    }
    let count = trials.len() - 1;
    trials.push(Trial::test("there are programs", move || match count {
        0 => Err(Failed::from("the corpus is empty")),
        _ => Ok(()),
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// All programs below a folder, in order.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if FAMILIES.iter().any(|family| path.ends_with(family)) {
            continue;
        }
        if path.is_dir() {
            found.append(&mut programs(&path));
        } else if language(&path).is_some() {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn check(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let expected = parse(&text)?;
    let language = language(file).ok_or("a program in no language")?;
    // The files that a program needs are beside it.
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err("it has no name".to_owned());
    };
    let says_relevance = expected.lines.values().any(|line| !line.relevance.is_empty());
    let says_tree = says_levels(&expected)
        || expected.lines.values().any(|line| line.cascade == Some(InTree::Anywhere));
    let answers = Answers::new(file);
    let json = {
        let mut command = common::whydunit();
        let limit = match language {
            Language::C if !says_relevance && !says_tree => TIME_LIMIT_FOR_FAILURE,
            _ => TIME_LIMIT,
        };
        command.current_dir(folder).arg(name).arg(limit);
        if language == Language::C && says_tree && !says_relevance {
            command.arg("--technique=cascade");
        }
        command.args(&expected.options);
        let chooses = expected.options.iter().any(|option| option.starts_with("--technique"));
        answers.ask_for(&mut command, !chooses);
        if !expected.arguments.is_empty() {
            // The last `--` would end the arguments.
            command.arg("--").args(&expected.arguments).arg("--");
        }
        common::finish_within(&mut command, HANGS)?
    };
    let status = match expected.outcome {
        // Without a suspect it is not explained; see below.
        Outcome::Failure if json.status == Some(4) => 4,
        Outcome::Failure => 0,
        Outcome::NoFailure => 1,
        Outcome::Unknown => 4,
        Outcome::Rejected => 2,
    };
    if json.status != Some(status) {
        return Err(format!("exit status {:?} instead of {status}\n{}", json.status, json.stderr));
    }
    for message in &expected.messages {
        if !json.stderr.contains(message) {
            return Err(format!("it does not say `{message}`, but\n{}", json.stderr));
        }
    }
    let mut difference = Difference::default();
    if !json.stdout.is_empty() {
        return Err(format!("nothing should be printed, but\n{}", json.stdout));
    }
    if expected.outcome == Outcome::Failure {
        let report = answer(&answers.read("json")?)?;
        let is_explained = report["suspects"].as_array().is_some_and(|list| !list.is_empty());
        if is_explained != (status == 0) {
            return Err(format!("exit status {status}, but: {}", report["suspects"]));
        }
        answers.check(&report)?;
        compare(&expected, language, &report, &mut difference)?;
        if says_tree {
            compare_tree(&expected, &name.to_string_lossy(), &report, &mut difference)?;
        }
        let ask = |technique: &str, option: Option<&str>| -> Result<Value, String> {
            let mut command = common::whydunit();
            command.current_dir(folder).arg(name).args(["--format", "json", TIME_LIMIT]);
            command.args(["--technique", technique]).args(option).args(&expected.options);
            if !expected.arguments.is_empty() {
                command.arg("--").args(&expected.arguments).arg("--");
            }
            let run = common::finish_within(&mut command, HANGS)?;
            answer(&run.stdout).map_err(|error| format!("{error}\n{}", run.stderr))
        };
        for (number, option) in
            ["--flow-sensitive=yes", "--flow-sensitive=no"].into_iter().enumerate()
        {
            let Some(start) = &expected.invariants[number] else { continue };
            let report = ask("error-invariants", Some(option))?;
            compare_invariants(&expected, number, start, language, &report, &mut difference)?;
        }
        if expected.lines.values().any(|line| line.changes) {
            compare_changes(&expected, &ask("changes", None)?, &mut difference);
        }
    } else {
        compare_errors(&expected, &json.stderr, &mut difference);
    }
    match difference.show(&text) {
        shown if shown.is_empty() => Ok(()),
        shown => Err(format!("the answer differs:\n{shown}")),
    }
}

/// Compares the lines of changes. They are complete.
fn compare_changes(expected: &Expectations, report: &Value, difference: &mut Difference) {
    let found = report["diagnoses"]["changes"].as_array().into_iter().flatten();
    let found: BTreeSet<u64> =
        found.filter_map(|change| change["location"]["line"].as_u64()).collect();
    let own = expected.lines.iter().filter(|(_, line)| line.changes);
    let wanted: BTreeSet<u64> = own.map(|(&number, _)| number as u64).collect();
    for &number in found.union(&wanted) {
        let text = |lines: &BTreeSet<u64>| lines.contains(&number).then(|| "changes".to_owned());
        difference.note(number as usize, text(&wanted), text(&found));
    }
}

/// The answers about a program in all formats, in a folder that is removed in the end.
struct Answers(PathBuf);

impl Answers {
    fn new(file: &Path) -> Answers {
        let name = file.to_string_lossy().replace(['/', '\\', '.', ':'], "-");
        let folder = format!("whydunit-corpus-{}{name}", std::process::id());
        Answers(std::env::temp_dir().join(folder))
    }

    fn ask_for(&self, command: &mut Command, with_dot: bool) {
        let _ = std::fs::create_dir_all(&self.0);
        for end in ["json", "txt", "html", "sarif", "dot"] {
            if end != "dot" || with_dot {
                command.arg("-o").arg(self.0.join("answer").with_extension(end));
            }
        }
    }

    fn read(&self, end: &str) -> Result<String, String> {
        let path = self.0.join("answer").with_extension(end);
        std::fs::read_to_string(path).map_err(|error| format!("no answer as {end}: {error}"))
    }

    /// Whether all formats are what they should be, if this is the answer.
    fn check(&self, report: &Value) -> Result<(), String> {
        let line = &report["failure"]["location"]["line"];
        let text = self.read("txt")?;
        if !text.contains(&format!(":{line}:")) {
            return Err(format!("as text, line {line} is not mentioned:\n{text}"));
        }
        let log: Value =
            serde_json::from_str(&self.read("sarif")?).map_err(|error| error.to_string())?;
        let standard = include_str!("data/sarif-schema-2.1.0.json");
        let schema = schema::Schema::new(standard, schema::Undescribed::AsTheSchemaSays)?;
        schema.check(&log).map_err(|errors| format!("no SARIF:\n{errors}"))?;
        let page = self.read("html")?;
        if !page.to_lowercase().starts_with("<!doctype html>")
            || !page.trim_end().ends_with("</html>")
        {
            return Err("the page is not whole".to_owned());
        }
        match self.read("dot") {
            Ok(tree) if !tree.starts_with("digraph") => Err(format!("no graph: {tree}")),
            _ => Ok(()),
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The answer as JSON, if that is what it should be.
fn answer(text: &str) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let described = include_str!("../../../docs/schema/whydunit.schema.json");
    let schema = schema::Schema::new(described, schema::Undescribed::Forbidden)?;
    schema.check(&answer).map_err(|errors| format!("not as the schema says:\n{errors}"))?;
    Ok(answer)
}

/// What was expected and not found, and the reverse, by line.
#[derive(Default)]
struct Difference {
    missing: BTreeSet<(usize, String)>,
    unexpected: BTreeSet<(usize, String)>,
}

impl Difference {
    fn note(&mut self, line: usize, expected: Option<String>, found: Option<String>) {
        if expected != found {
            self.missing.extend(expected.map(|text| (line, text)));
            self.unexpected.extend(found.map(|text| (line, text)));
        }
    }

    fn show(&self, text: &str) -> String {
        let mut out = String::new();
        let lines: BTreeSet<usize> =
            self.missing.iter().chain(&self.unexpected).map(|(line, _)| *line).collect();
        for number in lines {
            let source = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
            let source = source.split("//~").next().unwrap_or_default().trim();
            let _ = writeln!(out, "{number:>4} | {source}");
            for (sign, notes) in [("expected", &self.missing), ("found", &self.unexpected)] {
                for (_, note) in notes.iter().filter(|(line, _)| *line == number) {
                    let _ = writeln!(out, "     | {sign:>8}  {note}");
                }
            }
        }
        out
    }
}

fn compare(
    expected: &Expectations,
    language: Language,
    report: &Value,
    difference: &mut Difference,
) -> Result<(), String> {
    if report["refuted"] != Value::Array(Vec::new()) {
        return Err(format!("claims did not pass their check: {}", report["refuted"]));
    }
    let traces = report["failure"]["traces"].as_u64();
    if expected.traces.is_some() && expected.traces != traces {
        return Err(format!("{traces:?} traces instead of {:?}", expected.traces));
    }
    let failing = line_of(&report["failure"]).unwrap_or(0);
    let kind = report["failure"]["kind"].as_str().unwrap_or_default();
    let says_relevance = expected.lines.values().any(|line| !line.relevance.is_empty());
    let relevance = match language {
        Language::C if !says_relevance => BTreeMap::new(),
        _ => relevance(report),
    };
    let program = program(report);
    let mut lines: BTreeSet<usize> = expected.lines.keys().copied().collect();
    lines.extend(relevance.keys().chain(program.keys()).chain([&failing]));
    let says_failure = expected.lines.values().any(|line| line.failure.is_some());
    let several = traces != Some(1);
    let nothing = expectations::Line::default();
    for number in lines {
        let line = expected.lines.get(&number).unwrap_or(&nothing);
        let found = relevance.get(&number).map_or(&[][..], Vec::as_slice);
        let found = worth_saying(found, &line.relevance);
        difference.note(number, parts_text(&line.relevance, None), {
            parts_text(&found, Some(&line.relevance))
        });
        if several || line.program.is_some() {
            let found = program.get(&number).cloned();
            // What is not said about the value is not compared.
            let found = match (&line.program, found) {
                (Some(Program::Relevant), Some(_)) => Some(Program::Relevant),
                (_, found) => found,
            };
            let text = |p: &Program| format!("program: {p:?}");
            difference.note(number, line.program.as_ref().map(text), found.as_ref().map(text));
        }
        if says_failure {
            let found = (number == failing).then(|| format!("failure: {kind}"));
            let wanted = line.failure.as_ref().map(|kind| format!("failure: {kind}"));
            difference.note(number, wanted, found);
        }
    }
    if !says_failure {
        difference.note(failing, Some("some `//~ failure: …`".to_owned()), None);
    }
    let says_fault = expected.lines.values().any(|line| line.fault);
    if language == Language::C && !says_fault {
        difference.note(failing, Some("some `//~ fault`".to_owned()), None);
    }
    Ok(())
}

/// The statements that are needed, by line, with what is true after each.
fn compare_invariants(
    expected: &Expectations,
    number: usize,
    start: &str,
    language: Language,
    report: &Value,
    difference: &mut Difference,
) -> Result<(), String> {
    let answer = &report["diagnoses"]["error-invariants"];
    let text = |at: usize| answer["invariants"][at]["text"].as_str().unwrap_or("?").to_owned();
    let same = |a: &str, b: &str| formulas::equivalent(a, b, language == Language::C);
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (at, kept) in answer["kept"].as_array().into_iter().flatten().enumerate() {
        let framed: Vec<&str> =
            kept["variables"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let formula = match framed.is_empty() {
            true => text(at + 1),
            false => format!("frame {}; {}", framed.join(", "), text(at + 1)),
        };
        found.entry(line_of(kept).unwrap_or(0)).or_default().push(formula);
    }
    let mut note = |line: usize, wanted: &[String], found: &[String]| -> Result<(), String> {
        let mut equal = wanted.len() == found.len();
        for (wanted, found) in wanted.iter().zip(found) {
            let split = |text: &str| match text.split_once("; ") {
                Some((frame, formula)) => (frame.to_owned(), formula.to_owned()),
                None => (String::new(), text.to_owned()),
            };
            let (wanted, found) = (split(wanted), split(found));
            equal = equal && wanted.0 == found.0 && same(&wanted.1, &found.1)?;
        }
        if !equal {
            let shown = |list: &[String]| {
                (!list.is_empty()).then(|| format!("invariants: {}", list.join(" | ")))
            };
            difference.note(line, shown(wanted), shown(found));
        }
        Ok(())
    };
    note(1, &[start.to_owned()], &[text(0)])?;
    let mut lines: BTreeSet<usize> = expected.lines.keys().copied().collect();
    lines.extend(found.keys());
    for line in lines {
        let wanted = expected.lines.get(&line).map_or(&[][..], |l| &l.invariants[number]);
        note(line, wanted, found.get(&line).map_or(&[][..], Vec::as_slice))?;
    }
    Ok(())
}

fn says_levels(expected: &Expectations) -> bool {
    let leveled = |line: &expectations::Line| {
        line.critical.is_some() || matches!(line.cascade, Some(InTree::First(_)))
    };
    expected.lines.values().any(leveled)
}

/// The first level of each line, by line: in a cause, and as the condition of an entry.
#[derive(Default)]
struct Levels {
    cascade: BTreeMap<usize, u64>,
    critical: BTreeMap<usize, u64>,
}

fn compare_tree(
    expected: &Expectations,
    name: &str,
    report: &Value,
    difference: &mut Difference,
) -> Result<(), String> {
    let complete = &report["diagnoses"]["cascade"]["complete"];
    if says_levels(expected) && *complete != true {
        return Err(format!("whether the tree of causes is complete: {complete}"));
    }
    let found = levels(name, report)?;
    let failing = line_of(&report["failure"]).unwrap_or(0);
    let mut lines: BTreeSet<usize> = expected.lines.keys().copied().collect();
    lines.extend(found.cascade.keys());
    let nothing = expectations::Line::default();
    for number in lines {
        let line = expected.lines.get(&number).unwrap_or(&nothing);
        let at = found.cascade.get(&number).copied();
        let anywhere = || "cascade".to_owned();
        if line.cascade == Some(InTree::Anywhere) {
            difference.note(number, Some(anywhere()), at.map(|_| anywhere()));
        }
        if !says_levels(expected) {
            continue;
        }
        let property = (number == failing).then_some(0);
        let critical = line.critical.or(property);
        let text = |level: u64| format!("critical: {level}");
        let condition = found.critical.get(&number).copied();
        difference.note(number, critical.map(text), condition.map(text));
        let cascade = match line.cascade {
            Some(InTree::Anywhere) => continue,
            Some(InTree::First(level)) => Some(level),
            None => critical,
        };
        let text = |level: u64| format!("cascade: {level}");
        difference.note(number, cascade.map(text), at.map(text));
    }
    Ok(())
}

fn levels(name: &str, report: &Value) -> Result<Levels, String> {
    let mut found = Levels::default();
    let mut open = vec![&report["diagnoses"]["cascade"]["tree"]];
    while let Some(node) = open.pop() {
        // Its entry is elsewhere.
        if !node["same_as"].is_null() {
            continue;
        }
        let level = node["level"].as_u64().ok_or("there is no tree of causes")?;
        let line = |location: &Value| {
            if location["file"] != name {
                return Err(format!("a cause is not in the program: {location}"));
            }
            let line = location["line"].as_u64().and_then(|line| usize::try_from(line).ok());
            line.ok_or_else(|| format!("a cause is nowhere: {location}"))
        };
        let lower = |levels: &mut BTreeMap<usize, u64>, line: usize| {
            levels.entry(line).and_modify(|first| *first = level.min(*first)).or_insert(level);
        };
        let condition = line(&node["condition"])?;
        lower(&mut found.critical, condition);
        lower(&mut found.cascade, condition);
        for statement in node["cause"].as_array().into_iter().flatten() {
            lower(&mut found.cascade, line(statement)?);
        }
        open.extend(node["children"].as_array().into_iter().flatten());
    }
    Ok(found)
}

/// Statements that are irrelevant need not be mentioned, and are not if others of the line are relevant.
fn worth_saying(found: &[Part], expected: &[Part]) -> Vec<Part> {
    let irrelevant = |part: &&Part| part.verdict == "irrelevant";
    match expected {
        [only] if irrelevant(&only) && found.iter().all(|part| irrelevant(&part)) => {
            found.iter().take(1).cloned().collect()
        }
        _ => found.iter().filter(|part| !irrelevant(part)).cloned().collect(),
    }
}

/// The parts of a line. Witnesses are shown where the expectation has them.
fn parts_text(parts: &[Part], shown: Option<&[Part]>) -> Option<String> {
    if parts.is_empty() {
        return None;
    }
    let texts = parts.iter().enumerate().map(|(index, part)| {
        let wanted =
            shown.is_none_or(|e| e.get(index).is_some_and(|expected| expected.witness.is_some()));
        match &part.witness {
            Some(witness) if wanted => format!("{} {witness}", part.verdict),
            _ => part.verdict.clone(),
        }
    });
    Some(format!("relevance: {}", texts.collect::<Vec<_>>().join(", ")))
}

/// The statements of the first trace, by line. Of several instances of a statement the last relevant one
/// counts; if none is relevant, one that could not be decided.
fn relevance(report: &Value) -> BTreeMap<usize, Vec<Part>> {
    let mut statements: BTreeMap<(usize, u64, u64, String), Part> = BTreeMap::new();
    let steps = report["diagnoses"]["relevance"]["steps"].as_array();
    for step in steps.into_iter().flatten() {
        let verdict = step["verdict"].as_str().unwrap_or_default();
        let text = step["statement"].as_str().unwrap_or_default();
        let column = step["location"]["column"].as_u64().unwrap_or(0);
        let line = line_of(step).unwrap_or(0);
        let same =
            |key: &&(usize, u64, u64, String)| (key.0, key.1) == (line, column) && key.3 == text;
        let known = statements.keys().find(same).cloned();
        let number = step["step"].as_u64().unwrap_or(0);
        let key = known.unwrap_or_else(|| (line, column, number, text.to_owned()));
        let part = Part {
            verdict: step["role"].as_str().unwrap_or(verdict).to_owned(),
            witness: step["witness"].as_str().map(str::to_owned),
        };
        let better = |old: &Part| match verdict {
            "relevant" => true,
            "unknown" => old.verdict == "irrelevant",
            _ => false,
        };
        if statements.get(&key).is_none_or(better) {
            statements.insert(key, part);
        }
    }
    let mut lines: BTreeMap<usize, Vec<Part>> = BTreeMap::new();
    for ((line, ..), part) in statements {
        lines.entry(line).or_default().push(part);
    }
    lines
}

/// The statements that are relevant in all traces, by line.
fn program(report: &Value) -> BTreeMap<usize, Program> {
    let mut lines = BTreeMap::new();
    let statements = report["diagnoses"]["relevance"]["statements"].as_array();
    for statement in statements.into_iter().flatten() {
        if statement["in_all_traces"] != true {
            continue;
        }
        let reason = statement["one_value_reason"].as_str();
        let answer = match (statement["one_value"].as_str(), reason) {
            (Some(value), _) => Program::RepairedBy(value.to_owned()),
            (None, Some(reason)) if reason.starts_with("no single value") => Program::NoSingleValue,
            (None, Some(_)) => Program::ValueUnknown,
            (None, None) => Program::Relevant,
        };
        lines.insert(line_of(statement).unwrap_or(0), answer);
    }
    lines
}

fn line_of(value: &Value) -> Option<usize> {
    value["location"]["line"].as_u64().and_then(|line| usize::try_from(line).ok())
}

/// Compares the errors that have a place: `error: message` and below it `--> file:line:column`.
fn compare_errors(expected: &Expectations, stderr: &str, difference: &mut Difference) {
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut message = "";
    for line in stderr.lines() {
        if let Some(text) = line.strip_prefix("error: ") {
            message = text;
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let number = place.rsplit(':').nth(1).and_then(|number| number.parse().ok());
            found.entry(number.unwrap_or(0)).or_default().push(message.to_owned());
        }
    }
    let lines: BTreeSet<usize> = expected.lines.keys().chain(found.keys()).copied().collect();
    for number in lines {
        let wanted = expected.lines.get(&number).map_or(&[][..], |line| &line.errors);
        let messages = found.get(&number).map_or(&[][..], Vec::as_slice);
        for index in 0..wanted.len().max(messages.len()) {
            let (wanted, message) = (wanted.get(index), messages.get(index));
            if let (Some(wanted), Some(message)) = (wanted, message)
                && message.contains(wanted.as_str())
            {
                continue;
            }
            let text = |message: &String| format!("error: {message}");
            difference.note(number, wanted.map(text), message.map(text));
        }
    }
}
