//! The formats: each is as its schema says, and the same twice, byte for byte.
//!
//! `corpus.rs` asks for all programs in all formats; here a sample is looked at more closely.

mod common;
#[path = "common/schema.rs"]
mod schema;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{finish, whydunit};
use schema::{Schema, Undescribed};
use serde_json::{Value, json};

const OWN: &str = include_str!("../../../docs/schema/whydunit.schema.json");
/// The schema of the standard; see `data/README.md`.
const SARIF: &str = include_str!("data/sarif-schema-2.1.0.json");

/// Programs of the corpus, and with which options to run them.
const SAMPLE: [(&str, &[&str]); 14] = [
    ("papers/draft-3.1-twice.bpl", &[]),
    ("boogie/several-traces.bpl", &["--max-traces=5"]),
    ("boogie/function-axiom.bpl", &[]),
    ("bugs/sort-three.bpl", &[]),
    ("c/failure-heap-overrun.c", &[]),
    ("c/failure-global-overread.c", &[]),
    ("c/failure-use-after-free.c", &[]),
    ("c/failure-uninitialised-branch.c", &[]),
    ("c/failure-double-free.c", &[]),
    ("c/failure-division-by-zero.c", &[]),
    ("c/failure-wrong-output-text.c", &[]),
    ("c/failure-verifier-error.c", &[]),
    ("c/cascade-function-table.c", &[]),
    ("c/cascade-recursion.c", &[]),
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The formats, by how the names of their files end.
const FORMATS: [&str; 5] = ["json", "sarif", "dot", "html", "txt"];

/// Runs a program of the sample as it says that it is to be run: the answer in all formats.
fn answers(name: &str, options: &[&str]) -> [String; 5] {
    let file = corpus().join(name);
    let text = std::fs::read_to_string(&file).expect("a program of the corpus");
    let said = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("//@ {key}: ")));
        line.map(str::trim).filter(|words| !words.is_empty()).map(str::to_owned)
    };
    // Tests run at the same time.
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("formats-{run}"));
    let mut command = whydunit();
    command.current_dir(file.parent().expect("a folder"));
    command.arg(file.file_name().expect("a name")).args(options).arg("--time-limit=60s");
    for format in FORMATS {
        command.arg("-o").arg(target.with_extension(format));
    }
    for key in ["stdin", "expect"] {
        if let Some(name) = said(key) {
            command.arg(format!("--{key}")).arg(name);
        }
    }
    if let Some(arguments) = said("args") {
        command.arg("--").args(arguments.split_whitespace()).arg("--");
    }
    let run = finish(&mut command).expect("it can be run");
    assert_eq!(run.status, Some(0), "{name}: {}", run.stderr);
    FORMATS.map(|format| std::fs::read_to_string(target.with_extension(format)).expect("a file"))
}

#[test]
fn answers_are_valid_and_the_same_twice() {
    let own = Schema::new(OWN, Undescribed::Forbidden).expect("a schema");
    let standard = Schema::new(SARIF, Undescribed::AsTheSchemaSays).expect("a schema");
    for (name, options) in SAMPLE {
        let (first, second) = (answers(name, options), answers(name, options));
        for (format, (first, second)) in FORMATS.iter().zip(first.iter().zip(&second)) {
            assert!(first == second, "{name} as {format}:\n{first}\n{second}");
        }
        let [json, sarif, dot, ..] = first;
        let answer: Value = serde_json::from_str(&json).expect("JSON");
        own.check(&answer).unwrap_or_else(|errors| panic!("{name}: {errors}"));

        let log: Value = serde_json::from_str(&sarif).expect("JSON");
        standard.check(&log).unwrap_or_else(|errors| panic!("{name}: {errors}"));
        consistent(&log).unwrap_or_else(|error| panic!("{name}: {error}"));
        let result = &log["runs"][0]["results"][0];
        let region = &result["locations"][0]["physicalLocation"]["region"];
        let location = &answer["failure"]["location"];
        assert_eq!(result["ruleId"], answer["failure"]["kind"], "{name}");
        assert_eq!(region["startLine"], location["line"], "{name}");
        assert_eq!(region["endColumn"], location["end_column"], "{name}");
        let related = result["relatedLocations"].as_array().map_or(0, Vec::len);
        let suspects = answer["suspects"].as_array().expect("a list");
        let placed = suspects.iter().filter(|suspect| !suspect["location"].is_null()).count();
        assert_eq!(related, placed.min(20), "{name}");

        let nodes = graph(&dot).unwrap_or_else(|error| panic!("{name}: {error}\n{dot}"));
        let entries = answer["diagnoses"]["cascade"]["entries"].as_u64().expect("a number");
        let conditions = nodes.iter().filter(|node| !node.contains('s')).count() as u64;
        assert_eq!(conditions, entries, "{name}");
    }
}

/// What the schema of SARIF cannot say: references lead somewhere, and there is not too much for viewers.
fn consistent(log: &Value) -> Result<(), String> {
    fn list(value: &Value) -> impl Iterator<Item = &Value> {
        value.as_array().into_iter().flatten()
    }
    let run = &log["runs"][0];
    let rules: Vec<&Value> = list(&run["tool"]["driver"]["rules"]).collect();
    for result in list(&run["results"]) {
        let rule = result["ruleIndex"].as_u64().and_then(|index| rules.get(index as usize));
        if rule.is_none_or(|rule| rule["id"] != result["ruleId"]) {
            return Err("the rule is another".to_owned());
        }
        for taxon in list(&result["taxa"]) {
            let place = taxon["index"].as_u64().expect("an index") as usize;
            if run["taxonomies"][0]["taxa"][place]["id"] != taxon["id"] {
                return Err(format!("there is no weakness {taxon}"));
            }
        }
        let ids: BTreeSet<u64> =
            list(&result["relatedLocations"]).filter_map(|at| at["id"].as_u64()).collect();
        let text = result["message"]["text"].as_str().unwrap_or_default();
        for link in text.split("](").skip(1) {
            let id = link.split(')').next().and_then(|id| id.parse().ok());
            if !id.is_some_and(|id: u64| ids.contains(&id)) {
                return Err(format!("a link leads nowhere: {text}"));
            }
        }
        if result["partialFingerprints"]["primaryLocationLineHash"].is_null() {
            return Err("there is no fingerprint".to_owned());
        }
        for flow in list(&result["codeFlows"]) {
            let steps: Vec<&Value> = list(&flow["threadFlows"][0]["locations"]).collect();
            let last = steps.last().ok_or("a flow without steps")?;
            if steps.len() > 300 || last["importance"] != "essential" {
                return Err(format!("{} steps, the last one {last}", steps.len()));
            }
            let order: Vec<u64> =
                steps.iter().filter_map(|step| step["executionOrder"].as_u64()).collect();
            if !order.is_sorted() || order.len() != steps.len() {
                return Err("the steps are not in order".to_owned());
            }
        }
        for graph in list(&result["graphs"]) {
            let nodes: BTreeSet<&str> =
                list(&graph["nodes"]).filter_map(|node| node["id"].as_str()).collect();
            for end in list(&graph["edges"]).flat_map(|e| [&e["sourceNodeId"], &e["targetNodeId"]])
            {
                if !end.as_str().is_some_and(|id| nodes.contains(id)) {
                    return Err(format!("an edge leads to {end}"));
                }
            }
            let edge = |id: &Value| list(&graph["edges"]).find(|edge| edge["id"] == *id);
            for way in list(&result["graphTraversals"]) {
                let way: Option<Vec<&Value>> =
                    list(&way["edgeTraversals"]).map(|part| edge(&part["edgeId"])).collect();
                let way = way.ok_or("a way along an edge that is not there")?;
                if way.windows(2).any(|two| two[0]["targetNodeId"] != two[1]["sourceNodeId"]) {
                    return Err("a way that is interrupted".to_owned());
                }
            }
        }
    }
    let artifacts = run["artifacts"].as_array().map_or(0, Vec::len);
    let texts = log.to_string();
    for index in texts.split("\"index\":").skip(1) {
        let digits: String = index.chars().take_while(char::is_ascii_digit).collect();
        let is_taxon = index[digits.len()..].starts_with(",\"toolComponent\"");
        if !is_taxon && digits.parse::<usize>().is_ok_and(|index| index >= artifacts) {
            return Err(format!("there is no file {digits}"));
        }
    }
    Ok(())
}

/// Reads a graph as it is written here: one statement a line. The names of its nodes.
fn graph(text: &str) -> Result<BTreeSet<String>, String> {
    let inner = text.strip_prefix("digraph whydunit {\n").and_then(|t| t.strip_suffix("}\n"));
    let mut nodes = BTreeSet::new();
    let mut ends = BTreeSet::new();
    for line in inner.ok_or("no graph")?.lines() {
        let wrong = || format!("not a statement: {line}");
        let statement = line.trim().strip_suffix(';').ok_or_else(wrong)?;
        if quotes_are_odd(statement) {
            return Err(format!("quotation marks are not closed: {line}"));
        }
        if statement.starts_with("label=") || statement == "rankdir=BT" {
            continue;
        }
        let (head, attributes) = statement.split_once(" [").ok_or_else(wrong)?;
        if !attributes.ends_with(']') {
            return Err(wrong());
        }
        match head.split_once(" -> ") {
            Some((from, to)) => ends.extend([from.to_owned(), to.to_owned()]),
            None if head == "node" || head == "edge" => {}
            None => _ = nodes.insert(head.to_owned()),
        }
    }
    match ends.difference(&nodes).next() {
        Some(end) => Err(format!("there is no node {end}")),
        None => Ok(nodes),
    }
}

fn quotes_are_odd(text: &str) -> bool {
    let mut is_open = false;
    let mut is_escaped = false;
    for letter in text.chars() {
        match letter {
            '"' if !is_escaped => is_open = !is_open,
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    is_open
}

#[test]
fn every_field_is_described() {
    let own = Schema::new(OWN, Undescribed::Forbidden).expect("a schema");
    assert_eq!(own.without_description(), Vec::<String>::new());
}

#[test]
fn schemas_are_strict() {
    let own = Schema::new(OWN, Undescribed::Forbidden).expect("a schema");
    let [json, ..] = answers(SAMPLE[0].0, &[]);
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    let refuses = |change: &dyn Fn(&mut Value)| {
        let mut changed = answer.clone();
        change(&mut changed);
        own.check(&changed).expect_err("it is not as the schema says")
    };
    assert_eq!(own.check(&answer), Ok(()));
    let error = refuses(&|answer| answer["suspects"][0]["colour"] = "red".into());
    assert_eq!(error, "/suspects/0/colour: the schema does not describe it");
    let error = refuses(&|answer| answer["failure"]["kind"] = "sadness".into());
    assert!(error.starts_with("/failure/kind: \"sadness\" is not one of"), "{error}");
    let error = refuses(&|answer| answer["suspects"][0]["rank"] = 0.into());
    assert_eq!(error, "/suspects/0/rank: 0 is beyond the minimum 1");
    let error = refuses(&|answer| answer["failure"]["steps"] = json!("3"));
    assert_eq!(error, "/failure/steps: \"3\" is not of type \"integer\"");
    let error = refuses(&|answer| {
        answer["failure"].as_object_mut().expect("an object").remove("message");
    });
    assert_eq!(error, "/failure: \"message\" is missing");
}

#[test]
fn a_graph_needs_causes() {
    let file = corpus().join(SAMPLE[0].0);
    let mut command = whydunit();
    command.arg(file).args(["--format=dot", "--technique=relevance"]);
    let run = finish(&mut command).expect("it can be run");
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        run.stderr,
        "error: --format dot draws the tree of causes: add cascade to --technique\n"
    );
}

/// An upload without results closes the alerts that there were.
#[test]
fn without_a_failure_there_are_no_results() {
    let mut command = whydunit();
    command.current_dir(corpus().join("errors"));
    command.args(["no-failure-unreachable.bpl", "--format=sarif"]);
    let run = finish(&mut command).expect("it can be run");
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let standard = Schema::new(SARIF, Undescribed::AsTheSchemaSays).expect("a schema");
    assert_eq!(standard.check(&log), Ok(()));
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 1);
}
