//! What a technique answers, and where the fault is in it.
//!
//! An answer is a list of groups of places. The groups are in the order in which they are to be looked at; within a group the technique
//! has no order, so who looks for the fault may have to look at all of it: ties count as the worst.

use std::collections::BTreeSet;
use std::time::Duration;

use localize::spectrum::Formula;
use localize::{LOCALIZERS, When};
use serde_json::Value;

use crate::common;
use crate::subjects::Subject;
use crate::table::{Row, State};

/// So long that only what would never end is stopped, even by a slow machine.
const TIME_LIMIT: &str = "--time-limit=60s";
const HANGS: Duration = Duration::from_secs(120);
/// What the list is called that is shown to those who choose no technique.
pub const DEFAULT: &str = "suspects";

/// A location as in JSON.
type Place = Value;
type Groups = Vec<Vec<Place>>;

/// A run of whydunit gives one list of suspects, or several.
pub struct Analysis {
    /// None if none is chosen.
    technique: Option<&'static str>,
    pub lists: Vec<String>,
}

/// One run for each technique, and one without a choice.
pub fn analyses() -> Vec<Analysis> {
    let chosen = LOCALIZERS.iter().map(|localizer| Some(localizer.name));
    let techniques = [None].into_iter().chain(chosen);
    techniques.map(|technique| Analysis { technique, lists: lists(technique) }).collect()
}

impl Analysis {
    pub fn name(&self) -> &'static str {
        self.technique.unwrap_or(DEFAULT)
    }

    fn is_for(&self, subject: &Subject) -> bool {
        let needs_tests = LOCALIZERS
            .iter()
            .any(|it| Some(it.name) == self.technique && it.when == When::WithTests);
        !needs_tests || subject.has_tests()
    }
}

/// The rows of a program: one for each list.
pub fn measure(subject: &Subject, analyses: &[Analysis]) -> Result<Vec<Row>, String> {
    let lines = subject.executable_lines()?;
    let mut found = Vec::new();
    for analysis in analyses.iter().filter(|it| it.is_for(subject)) {
        found.append(&mut rows(subject, analysis, lines)?);
    }
    Ok(found)
}

fn rows(subject: &Subject, analysis: &Analysis, lines: usize) -> Result<Vec<Row>, String> {
    let row = |name: &str| Row {
        program: subject.name.clone(),
        family: subject.family.clone(),
        kind: subject.kind.to_owned(),
        technique: name.to_owned(),
        faults: subject.faults.len(),
        ..Row::default()
    };
    let report = match run(subject, analysis.technique)? {
        Ok(report) => report,
        Err(state) => {
            let rows = analysis.lists.iter().map(|name| Row { state, ..row(name) });
            return Ok(rows.collect());
        }
    };
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let (steps, queries) =
        (number(&report["failure"]["steps"]), number(&report["time"]["solver_queries"]));
    let mut found = Vec::new();
    for name in &analysis.lists {
        let mut row = Row { steps, queries, ..row(name) };
        match groups(name, &report)? {
            None => row.state = State::NoAnswer,
            Some(groups) => rank(&mut row, &ranked(groups), subject, lines),
        }
        found.push(row);
    }
    Ok(found)
}

/// The names of the lists that a technique gives.
fn lists(technique: Option<&str>) -> Vec<String> {
    match technique {
        None => vec![DEFAULT.to_owned()],
        Some("slice") => ["dynamic", "relevant"].map(|it| format!("slice-{it}")).to_vec(),
        Some("spectrum") => Formula::ALL.map(|it| format!("spectrum-{}", it.name())).to_vec(),
        Some(name) => vec![name.to_owned()],
    }
}

/// The report; or why there is none.
fn run(subject: &Subject, technique: Option<&str>) -> Result<Result<Value, State>, String> {
    let mut command = common::whydunit();
    command.current_dir(&subject.folder).arg(&subject.file);
    command.args(["--format=json", "--jobs=1", TIME_LIMIT]);
    command.args(technique.map(|name| format!("--technique={name}"))).args(&subject.options);
    if !subject.arguments.is_empty() {
        // The last `--` would end the arguments.
        command.arg("--").args(&subject.arguments).arg("--");
    }
    let Ok(run) = common::finish_within(&mut command, HANGS) else {
        return Ok(Err(State::Limit));
    };
    match run.status {
        Some(0 | 4) if !run.stdout.is_empty() => {
            let report: Value =
                serde_json::from_str(&run.stdout).map_err(|error| format!("no JSON: {error}"))?;
            // So it says of the whole run, of a query, and of a technique.
            let words = ["time limit", "ran out of time", "was no time"];
            // One list of all techniques is an answer, whichever of them had too little time.
            match technique.is_some() && words.iter().any(|words| run.stdout.contains(words)) {
                true => Ok(Err(State::Limit)),
                false => Ok(Ok(report)),
            }
        }
        Some(4) => Ok(Err(State::Limit)),
        Some(1) => Ok(Err(State::NoFailure)),
        status => Err(format!("{}: exit status {status:?}\n{}", subject.name, run.stderr)),
    }
}

/// The places that a list names, in groups. None if the technique has no answer.
fn groups(name: &str, report: &Value) -> Result<Option<Groups>, String> {
    let diagnoses = &report["diagnoses"];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let apart = |places: Vec<Place>| places.into_iter().map(|place| vec![place]).collect();
    if let Some(formula) = name.strip_prefix("spectrum-") {
        return Ok(Some(by_score(formula, &list(&diagnoses["spectrum"]["statements"]))));
    }
    Ok(match name {
        DEFAULT | "relevance" => {
            let suspects = list(&report["suspects"]);
            Some(apart(suspects.iter().map(|suspect| suspect["location"].clone()).collect()))
        }
        "cascade" => Some(apart(level_by_level(&diagnoses["cascade"]))),
        "error-invariants" => match &diagnoses[name]["unknown"] {
            Value::Null => Some(apart(list(&diagnoses[name]["relevant"]))),
            _ => None,
        },
        "changes" => {
            let changes = list(&diagnoses[name]);
            Some(apart(changes.iter().map(|change| change["location"].clone()).collect()))
        }
        "repair" => {
            let solutions = list(&diagnoses[name]["solutions"]);
            let places = |solution: &Value| -> Vec<Value> {
                list(&solution["edits"]).iter().map(|edit| edit["location"].clone()).collect()
            };
            Some(solutions.iter().map(places).collect())
        }
        "slice-dynamic" => Some(vec![list(&diagnoses["slice"]["dynamic"])]),
        "slice-relevant" => Some(vec![list(&diagnoses["slice"]["relevant"])]),
        _ => return Err(format!("where does {name} name its suspects?")),
    })
}

/// Statements that failing tests execute, those with the same score together.
fn by_score(formula: &str, statements: &[Value]) -> Groups {
    let worst = |statement: &Value| statement["ranks"][formula]["worst"].as_u64().unwrap_or(0);
    let mut suspects: Vec<&Value> =
        statements.iter().filter(|it| it["failed"].as_u64() > Some(0)).collect();
    suspects.sort_by_key(|statement| worst(statement));
    let groups = suspects.chunk_by(|a, b| worst(a) == worst(b));
    groups.map(|group| group.iter().map(|it| it["location"].clone()).collect()).collect()
}

/// The conditions and statements of the tree of causes. The root is what fails: everybody knows that.
fn level_by_level(answer: &Value) -> Vec<Place> {
    let mut nodes = Vec::new();
    let deeper = answer["deeper"].as_array().into_iter().flatten();
    let mut open: Vec<&Value> = [&answer["tree"]].into_iter().chain(deeper).collect();
    while let Some(node) = open.pop() {
        open.extend(node["children"].as_array().into_iter().flatten());
        nodes.push(node);
    }
    nodes.sort_by_key(|node| (node["level"].as_u64(), node["id"].as_u64()));
    let mut places = Vec::new();
    for node in nodes {
        if node["level"].as_u64() > Some(0) {
            places.push(node["condition"].clone());
        }
        places.extend(node["cause"].as_array().into_iter().flatten().cloned());
    }
    places
}

/// A place that a list names, and how many places must be looked at until it has certainly been seen.
#[derive(Debug, PartialEq)]
struct Ranked {
    file: String,
    lines: (usize, usize),
    rank: usize,
}

/// Each place once, where it comes first.
fn ranked(groups: Groups) -> Vec<Ranked> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<Ranked> = Vec::new();
    for group in groups {
        let before = found.len();
        for place in group.iter().filter(|place| !place.is_null()) {
            let number = |key: &str| place[key].as_u64().unwrap_or(0) as usize;
            let file = place["file"].as_str().unwrap_or_default().to_owned();
            let lines = (number("line"), number("end_line"));
            let columns = (number("column"), number("end_column"));
            if seen.insert((file.clone(), lines, columns)) {
                found.push(Ranked { file, lines, rank: 0 });
            }
        }
        let rank = found.len();
        found[before..].iter_mut().for_each(|place| place.rank = rank);
    }
    found
}

/// Says in the row where the faults are in the list.
fn rank(row: &mut Row, list: &[Ranked], subject: &Subject, executable: usize) {
    let of = |fault: &usize| {
        let names = |place: &&Ranked| {
            place.file == subject.file && (place.lines.0..=place.lines.1).contains(fault)
        };
        list.iter().find(names).map(|place| place.rank)
    };
    let ranks: Vec<Option<usize>> = subject.faults.iter().map(of).collect();
    row.first = ranks.iter().flatten().copied().min();
    row.all = ranks.into_iter().collect::<Option<Vec<usize>>>().and_then(|it| it.into_iter().max());
    row.suspects = Some(list.len());
    row.state = match row.first {
        Some(_) => State::Found,
        None => State::NotFound,
    };
    let lines = row.first.map(|first| {
        let seen = list.iter().filter(|place| place.rank <= first);
        seen.map(|place| (&place.file, place.lines.0)).collect::<BTreeSet<_>>().len()
    });
    // Who does not find it in the list looks at everything.
    row.exam = Some(lines.map_or(1.0, |lines| (lines as f64 / executable.max(1) as f64).min(1.0)));
}

/// Checks how lists are read and ranked.
pub fn self_test() {
    use serde_json::json;
    let at = |line: u64, end_line: u64| json!({ "file": "a.c", "line": line, "end_line": end_line, "column": 1, "end_column": 9 });
    let ranks = |name: &str, report: Value| -> Vec<(usize, usize)> {
        let list = ranked(groups(name, &report).expect("a known list").expect("an answer"));
        list.iter().map(|place| (place.lines.0, place.rank)).collect()
    };
    let suspects = json!({ "suspects": [{ "location": at(3, 3) }, { "location": null }, { "location": at(1, 2) }, { "location": at(3, 3) }] });
    assert_eq!(ranks("relevance", suspects), [(3, 1), (1, 2)]);
    let changes =
        json!({ "diagnoses": { "changes": [{ "location": at(3, 3) }, { "location": at(1, 1) }] } });
    assert_eq!(ranks("changes", changes), [(3, 1), (1, 2)]);
    let slice = json!({ "diagnoses": { "slice": { "dynamic": [at(3, 3), at(4, 4)] } } });
    assert_eq!(ranks("slice-dynamic", slice), [(3, 2), (4, 2)]);
    let node = |id: u64, level: u64, line: u64, children: Value| json!({ "id": id, "level": level, "condition": at(line, line), "cause": [at(line + 10, line + 10)], "children": children });
    let tree = node(
        0,
        0,
        9,
        json!([node(1, 1, 2, json!([node(3, 2, 4, json!([]))])), node(2, 1, 3, json!([]))]),
    );
    let tree = json!({ "diagnoses": { "cascade": { "tree": tree, "deeper": [] } } });
    assert_eq!(
        ranks("cascade", tree),
        [(19, 1), (2, 2), (12, 3), (3, 4), (13, 5), (4, 6), (14, 7)]
    );
    let statement = |line: u64, failed: u64, worst: u64| json!({ "location": at(line, line), "failed": failed, "ranks": { "ochiai": { "worst": worst } } });
    let statements =
        [statement(5, 1, 3), statement(6, 2, 1), statement(7, 1, 3), statement(8, 0, 4)];
    let spectrum = json!({ "diagnoses": { "spectrum": { "statements": statements } } });
    assert_eq!(ranks("spectrum-ochiai", spectrum), [(6, 1), (5, 3), (7, 3)]);
    assert!(groups("astrology", &json!({})).is_err());

    let subject = Subject {
        name: String::new(),
        family: String::new(),
        kind: "several",
        folder: std::path::PathBuf::new(),
        file: "a.c".to_owned(),
        options: Vec::new(),
        arguments: Vec::new(),
        faults: vec![2, 4],
    };
    let place = |first: usize, last: usize, rank: usize| Ranked {
        file: "a.c".to_owned(),
        lines: (first, last),
        rank,
    };
    let list = [place(3, 3, 1), place(3, 3, 2), place(1, 2, 3), place(4, 4, 4)];
    let mut row = Row::default();
    rank(&mut row, &list, &subject, 8);
    assert_eq!(
        (row.first, row.all, row.suspects, row.exam),
        (Some(3), Some(4), Some(4), Some(0.25))
    );
    rank(&mut row, &list[..3], &subject, 8);
    assert_eq!((row.state, row.first, row.all), (State::Found, Some(3), None));
    rank(&mut row, &list[..2], &subject, 8);
    assert_eq!((row.state, row.first, row.exam), (State::NotFound, None, Some(1.0)));
}
