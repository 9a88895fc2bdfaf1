//! Long runs: what is left out of their traces, and that nothing wrong is said because of it.
//!
//! The programs of the corpus that fail are short. Here they are treated as if they were long: only their last
//! few instructions are kept as a whole. What is then said about a step must agree with what is said
//! about it on the whole trace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use failure::run::{Extent, InputMode, Job};
use failure::{Failure, Part, Replay};
use host::{Setup, World};
use llvm::compile::{Clang, Colour};
use llvm::lower::lower;
use llvm::module::{Input, read};
use localize::relevance::{Relevance, Verdict, relevance};
use localize::{Context, Settings, check};
use program::process::{Image, Limits};
use program::{Program, Stop, Trust};
use solver::Solver;

mod common;

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root).expect("the corpus").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "c"));
    files.sort();
    files
}

fn compile(file: &Path) -> Option<Program> {
    let clang = Clang::find(None).expect("clang");
    let files = [file.to_owned()];
    let compiled = clang.compile(&files, &[], Colour::Never, &Stop::default()).ok()?;
    let name = "program";
    let own = compiled.iter().map(|it| Input { name, bytes: &it.bytes, trust: Trust::User });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    lower(&read(&inputs).ok()?, &[]).ok()
}

fn job<'p>(program: &'p Program, image: &'p Image, extent: Extent) -> Job<'p> {
    Job {
        program,
        image,
        entry: program.entries[0],
        arguments: &[],
        environment: &[],
        expected_status: None,
        limits: Limits { instructions: 20_000, ..Limits::default() },
        extent,
    }
}

fn failure(job: Job<'_>) -> Option<Failure<'_>> {
    let (stop, mode) = (Stop::default(), InputMode::Fixed);
    let instructions = job.run(World::new(Setup::default()), &stop).instructions;
    job.record(World::new(Setup::default()), instructions, mode, &stop)?.failure(job, mode)
}

/// The answers, after the judge.
fn decide(failure: &Failure<'_>) -> Relevance {
    let solvers = || -> Box<dyn Solver> { Box::new(solver::Z3::new(Duration::from_millis(200))) };
    let stop = Stop::default();
    let settings = Settings::default();
    let context = Context { solvers: &solvers, stop: &stop, settings: &settings };
    let found = relevance(failure, context);
    let judgements = check::check_relevance(failure, &found, context);
    for (step, judgement) in found.steps.iter().zip(&judgements) {
        assert!(!matches!(judgement, check::Judgement::Refuted(_)), "{step:?}: {judgement:?}");
    }
    check::keep_confirmed(found, &judgements)
}

/// The answers by the edge of the step and its part. Copies of many bytes are many steps, which are not
/// the same in both traces.
fn answers<'r>(failure: &Failure<'_>, found: &'r Relevance) -> BTreeMap<(u32, Part), &'r Verdict> {
    let mut answers = BTreeMap::new();
    let mut several = BTreeSet::new();
    for answer in &found.steps {
        let step = &failure.trace.steps[answer.step];
        if answers.insert((step.at, step.part), &answer.verdict).is_some() {
            several.insert((step.at, step.part));
        }
    }
    answers.retain(|key, _| !several.contains(key));
    answers
}

#[test]
fn what_is_left_out_makes_no_answer_wrong() {
    let (mut compared, mut decided, mut shorter) = (0, 0, 0);
    for file in corpus() {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if text.contains("//@") {
            continue; // it needs inputs, or does not fail
        }
        let Some(program) = compile(&file) else { continue };
        let image = Image::new(&program).expect("machine words");
        let Some(whole) = failure(job(&program, &image, Extent::default())) else { continue };
        if whole.trace.steps.len() > 1_000 {
            continue;
        }
        let truth = decide(&whole);
        let truth = answers(&whole, &truth);
        for end in [10, 60] {
            let extent = Extent { whole: 0, end, ..Extent::default() };
            let Some(sliced) = failure(job(&program, &image, extent)) else { continue };
            let name = format!("{}, the last {end}", file.display());
            if sliced.trace.path != whole.trace.path {
                continue; // it was too short, and nothing was left out
            }
            let Replay::Completed { assigned } = sliced.replay(&sliced.inputs) else {
                panic!("{name}: the trace is no execution");
            };
            let known: Vec<_> = sliced.values.iter().flatten().cloned().collect();
            assert_eq!(assigned, known, "{name}");
            shorter += usize::from(sliced.trace.steps.len() < whole.trace.steps.len());
            let found = decide(&sliced);
            for (key, verdict) in answers(&sliced, &found) {
                let Some(truth) = truth.get(&key) else { continue };
                compared += 1;
                let wrong = match (verdict, truth) {
                    (Verdict::Relevant { .. }, Verdict::Irrelevant(_))
                    | (Verdict::Irrelevant(_), Verdict::Relevant { .. }) => true,
                    (Verdict::Unknown(_), _) => false,
                    _ => {
                        decided += 1;
                        false
                    }
                };
                assert!(!wrong, "{name}: {key:?}\n{verdict:?}\n{truth:?}");
            }
        }
    }
    println!("{compared} answers compared, {decided} decided, {shorter} traces shorter");
    assert!(compared > 300 && decided > 200 && shorter > 30);
}

/// A wrong value, ten million instructions of work that has nothing to do with it, and the failure.
const EARLY: &str = r#"
#include <assert.h>
#include <stdlib.h>
struct limits { int width, height; };
static int table[1000];
static struct limits *make(int width)
{
    struct limits *limits = malloc(sizeof *limits);
    limits->width = width;
    limits->height = 4;
    return limits;
}
static long work(int seed)
{
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        table[i] = (seed + i * 7) % 101;
    for (int i = 0; i < 1000; i++)
        sum += table[i];
    return sum;
}
int main(void)
{
    struct limits *limits = make(10);
    long total = 0;
    for (int round = 0; round < 350; round++)
        total += work(round);
    assert(total > 0);
    assert(limits->width * limits->height == 60);
    return 0;
}
"#;

/// What whydunit says about a program, as JSON, with bounded memory.
fn explain(name: &str, text: &str) -> serde_json::Value {
    let folder = std::env::temp_dir().join(format!("whydunit-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("program.c"), text).expect("a file");
    // Of the shell, because it can bound memory: here to 2 GB, with all libraries.
    let mut command = std::process::Command::new("sh");
    let run = format!(
        "ulimit -v 2000000; exec {} program.c --technique relevance --format json",
        env!("CARGO_BIN_EXE_whydunit")
    );
    command.current_dir(&folder).args(["-c", &run]);
    let output = common::finish_within(&mut command, Duration::from_secs(100)).expect("an end");
    std::fs::remove_dir_all(&folder).ok();
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    serde_json::from_str(&output.stdout).expect("JSON")
}

#[test]
fn the_early_mistake_of_a_long_run_is_found() {
    let report = explain("early", EARLY);
    let suspects = report["suspects"].as_array().expect("suspects");
    for why in [
        "with `limits->height = 6`",
        "with `limits->width = 15`",
        "with `width = 15` here, nothing fails",
    ] {
        let says = |suspect: &serde_json::Value| suspect["why"].to_string().contains(why);
        assert!(suspects.iter().any(says), "{why}: {suspects:?}");
    }
    assert!(report["refuted"].as_array().is_none_or(Vec::is_empty), "{}", report["refuted"]);
    let notes = report["notes"].to_string();
    assert!(notes.contains("only what the failure depends on was analysed"), "{notes}");
}
