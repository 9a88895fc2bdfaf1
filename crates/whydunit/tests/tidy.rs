//! The tree is as the documents say. Each check is a function from texts to problems, so that it can be
//! shown to fail.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// By crate: a set of crates.
type Uses = BTreeMap<String, BTreeSet<String>>;

const LONGEST_FILE: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The files of the tree with these extensions (scripts have none), by their path from the root.
fn sources(extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", ".git", ".deps"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if extensions.contains(&name.rsplit_once('.').map_or("", |(_, end)| end)) {
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The manifests, by crate.
fn manifests() -> BTreeMap<String, String> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    crates
        .map(|entry| {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            let text = read(&format!("crates/{name}/Cargo.toml"));
            (name, text)
        })
        .collect()
}

fn none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// What is quoted by backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The table `| crate | purpose | may use |`.
fn table(text: &str) -> Uses {
    let after = text.lines().skip_while(|line| *line != "| crate | purpose | may use |").skip(2);
    let rows = after.take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| match row.split('|').collect::<Vec<_>>()[..] {
        [_, name, _, uses, _] => Some((quoted(name).into_iter().next()?, quoted(uses))),
        _ => None,
    })
    .collect()
}

/// The keys of a section of a manifest, up to the first dot.
fn keys(manifest: &str, section: &str) -> BTreeSet<String> {
    let after = manifest.lines().skip_while(|line| line.trim() != section).skip(1);
    let lines = after.take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split_once('='))
        .map(|(key, _)| key.split('.').next().unwrap_or_default().trim().to_owned())
        .collect()
}

/// Where the table and the dependencies among our crates differ.
fn compare(table: &Uses, manifests: &BTreeMap<String, String>) -> Vec<String> {
    let ours: BTreeSet<String> = manifests.keys().cloned().collect();
    let mut problems = Vec::new();
    for name in table.keys().filter(|name| !ours.contains(*name)) {
        problems.push(format!("ARCHITECTURE.md: there is no crate `{name}`"));
    }
    for (name, manifest) in manifests {
        let Some(allowed) = table.get(name) else {
            problems.push(format!("ARCHITECTURE.md: the crate `{name}` is missing"));
            continue;
        };
        let used = &keys(manifest, "[dependencies]") & &ours;
        for other in used.difference(allowed) {
            problems.push(format!("`{name}` uses `{other}`, which the table does not allow"));
        }
        for other in allowed.difference(&used) {
            problems.push(format!("`{name}` does not use `{other}`, as the table claims"));
        }
    }
    problems
}

#[test]
fn the_table_of_crates_is_true() {
    none(compare(&table(&read("ARCHITECTURE.md")), &manifests()));
}

#[test]
fn a_wrong_table_is_noticed() {
    let text = "| crate | purpose | may use |\n|---|---|---|\n| `a` | uses `x` | – |\n| `b` | it | `a`, `c` |\n\n| `no` | x | `a` |";
    let table = table(text);
    assert_eq!(table.keys().collect::<Vec<_>>(), ["a", "b"]);
    let manifest =
        |text: &str| format!("[package]\nname = \"it\"\n\n[dependencies]\n{text}\n[lints]");
    let mut manifests = BTreeMap::from([
        ("a".to_owned(), manifest("serde = \"1\"")),
        ("b".to_owned(), manifest("a.workspace = true\nc = { path = \"c\" }")),
    ]);
    let only = |manifests: &BTreeMap<String, String>| compare(&table, manifests).join("; ");
    assert_eq!(only(&manifests), "`b` does not use `c`, as the table claims");
    manifests.insert("c".to_owned(), manifest(""));
    assert_eq!(only(&manifests), "ARCHITECTURE.md: the crate `c` is missing");
    manifests.remove("c");
    manifests.insert("a".to_owned(), manifest("b.workspace = true"));
    assert!(only(&manifests).starts_with("`a` uses `b`, which the table does not allow"));
    manifests.remove("a");
    assert!(only(&manifests).starts_with("ARCHITECTURE.md: there is no crate `a`"));
}

/// What is wrong with a manifest by itself.
fn manifest_problems(name: &str, manifest: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !manifest.contains("[lints]\nworkspace = true") {
        problems.push(format!("{name}: it does not have the lints of the workspace"));
    }
    for section in ["[dependencies]", "[dev-dependencies]", "[build-dependencies]"] {
        if name != "solver" && keys(manifest, section).iter().any(|key| key.starts_with("z3")) {
            problems.push(format!("{name}: only `solver` may know Z3"));
        }
        if name != "llvm" && keys(manifest, section).iter().any(|key| key.starts_with("llvm-")) {
            problems.push(format!("{name}: only `llvm` may know LLVM"));
        }
    }
    problems
}

#[test]
fn manifests_are_in_order() {
    none(manifests().iter().flat_map(|(name, text)| manifest_problems(name, text)).collect());
}

#[test]
fn a_bad_manifest_is_noticed() {
    let lints = "[lints]\nworkspace = true\n";
    let z3 = "[dev-dependencies]\nz3-sys = \"1\"\n";
    assert_eq!(manifest_problems("term", lints), Vec::<String>::new());
    assert_eq!(manifest_problems("term", "").len(), 1);
    assert_eq!(manifest_problems("term", &format!("{z3}{lints}")).len(), 1);
    assert_eq!(manifest_problems("solver", &format!("{z3}{lints}")).len(), 0);
    let llvm = "[dependencies]\nllvm-sys = \"221\"\n";
    assert_eq!(manifest_problems("solver", &format!("{llvm}{lints}")).len(), 1);
    assert_eq!(manifest_problems("llvm", &format!("{llvm}{lints}")).len(), 0);
}

/// What is wrong with a source file.
fn source_problems(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let is_rust = name.ends_with(".rs");
    let lines = text.lines().count();
    if is_rust && lines > LONGEST_FILE {
        problems.push(format!("{name}: {lines} lines are too many; {LONGEST_FILE} are enough"));
    }
    // Written in parts, or this file would have the problems it looks for.
    let folders = ["home", "root", "work", "Users", "tmp"].map(|folder| format!("/{folder}/"));
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let unchecked = concat!("un", "safe");
    let unchecked =
        [" {", " fn", " impl", " extern", "_code)"].map(|end| format!("{unchecked}{end}"));
    let outside = ["fs", "env", "process", "net"].map(|module| format!("std::{module}::"));
    let is_library = name.contains("/src/")
        && !name.starts_with("crates/whydunit/")
        && !name.starts_with("crates/solver/src/wrap/")
        && !name.starts_with("crates/llvm/src/compile")
        && !name.contains("test");
    for (number, line) in (1..).zip(text.lines()) {
        let mut report = |what: &str| problems.push(format!("{name}:{number}: {what}"));
        if folders.iter().any(|folder| starts_path(line, folder)) {
            report("a path of somebody's machine");
        }
        for mark in marks {
            if let Some((_, after)) = line.split_once(mark)
                && !after.starts_with('(')
            {
                report("what is left to do needs a reason in parentheses");
            }
        }
        let may_be_unchecked = !is_rust
            || name.starts_with("crates/solver/src/z3")
            || name.starts_with("crates/llvm/src/");
        if !may_be_unchecked && unchecked.iter().any(|word| line.contains(word)) {
            report("only what calls Z3 and LLVM may have code that the compiler does not check");
        }
        if is_rust && is_library && outside.iter().any(|module| line.contains(module)) {
            report("only `whydunit` may look outside");
        }
    }
    problems
}

/// Whether a path in the line begins with the folder.
fn starts_path(line: &str, folder: &str) -> bool {
    let mut places = line.match_indices(folder);
    places.any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !"/._-}*)$".contains(c))
    })
}

#[test]
fn sources_are_in_order() {
    let sources = sources(&["rs", "toml", "md", "sh", "bpl", "txt", ""]);
    assert!(sources.len() > 50, "only {} sources were found", sources.len());
    none(sources.iter().flat_map(|(name, text)| source_problems(name, text)).collect());
}

#[test]
fn bad_sources_are_noticed() {
    let count = |name: &str, text: &str| source_problems(name, text).len();
    let (todo, fixme) = (concat!("// TO", "DO"), concat!("//~ FIX", "ME"));
    assert_eq!(count("a.rs", &"\n".repeat(LONGEST_FILE)), 0);
    assert_eq!(count("a.rs", &"\n".repeat(LONGEST_FILE + 1)), 1);
    assert_eq!(count("a.md", &"\n".repeat(LONGEST_FILE + 1)), 0);
    assert_eq!(count("a.rs", &format!("{todo} later")), 1);
    assert_eq!(count("a.bpl", &format!("{fixme}(products): unknown")), 0);
    assert_eq!(count("a.bpl", fixme), 1);
    assert_eq!(count("a.md", concat!("see /ho", "me/me/file")), 1);
    assert_eq!(count("a.md", "see docs/work/file and $root/root/x"), 0);
    let block = concat!("let x = un", "safe { y };");
    assert_eq!(count("crates/solver/src/z3/context.rs", block), 0);
    assert_eq!(count("crates/llvm/src/module/read.rs", block), 0);
    assert_eq!(count("crates/term/src/lib.rs", block), 1);
    assert_eq!(count("crates/term/src/lib.rs", "std::fs::read(path)"), 1);
    assert_eq!(count("crates/whydunit/src/input.rs", "std::fs::read(path)"), 0);
    assert_eq!(count("crates/llvm/src/compile.rs", "std::process::Command"), 0);
    assert_eq!(count("crates/llvm/src/extents.rs", "std::fs::read(path)"), 1);
}

const HEADINGS: [&str; 7] = [
    "What it answers",
    "Definition",
    "Example",
    "How to read the answer",
    "How it is decided",
    "Limits",
    "Literature",
];

/// What is wrong with the page of a technique, and with the README's words about it.
fn technique_problems(name: &str, summary: &str, page: &str, readme: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    if headings != HEADINGS {
        problems.push(format!("the page of {name} has the headings {headings:?}"));
    }
    if !page.contains("```console\n$ whydunit ") {
        problems.push(format!("the page of {name} has no example that is run"));
    }
    let row = format!("| `{name}` | {summary} | ");
    if !readme.contains(&row) || !readme.contains(&format!("(docs/techniques/{name}.md)")) {
        problems.push(format!("README.md does not list {name} in its table: {row}"));
    }
    problems
}

#[test]
fn techniques_are_documented() {
    let readme = read("README.md");
    let mut problems = Vec::new();
    let mut known = BTreeSet::new();
    for localizer in localize::LOCALIZERS {
        let file = format!("docs/techniques/{}.md", localizer.name);
        if read(&file) != localizer.page {
            problems.push(format!("`explain {}` does not print {file}", localizer.name));
        }
        problems.extend(technique_problems(
            localizer.name,
            localizer.summary,
            localizer.page,
            &readme,
        ));
        known.insert(file);
    }
    for (name, _) in sources(&["md"]) {
        if name.starts_with("docs/techniques/") && !known.contains(&name) {
            problems.push(format!("{name} is the page of no technique"));
        }
    }
    none(problems);
}

#[test]
fn an_undocumented_technique_is_noticed() {
    let mut page: String = HEADINGS.iter().map(|heading| format!("## {heading}\n\n")).collect();
    let readme = "| `x` | finds it | [page](docs/techniques/x.md) |";
    assert_eq!(technique_problems("x", "finds it", &page, readme).len(), 1);
    page += "```console\n$ whydunit a.bpl\n```\n";
    assert_eq!(technique_problems("x", "finds it", &page, readme), Vec::<String>::new());
    assert_eq!(technique_problems("x", "finds all", &page, readme).len(), 1);
    assert_eq!(technique_problems("x", "finds it", "## Example", readme).len(), 2);
}

/// The links of a document to files that do not exist.
fn dead_links(name: &str, text: &str, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !exists(&folder.join(target)))
        .map(|target| format!("{name}: there is no {target}"))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let exists = |path: &Path| root().join(path).exists();
    let documents = sources(&["md"]);
    none(documents.iter().flat_map(|(name, text)| dead_links(name, text, exists)).collect());
}

#[test]
fn a_dead_link_is_noticed() {
    let exists = |path: &Path| path == Path::new("docs/a.md");
    let text = "[a](a.md), [part](a.md#part), [web](https://example.org/b), [b](b.md)";
    assert_eq!(dead_links("docs/x.md", text, exists), ["docs/x.md: there is no b.md"]);
}
