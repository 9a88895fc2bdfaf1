//! How long relevance takes on long traces, and how many questions it asks the solver; how fast C programs run.
//!
//! `cargo bench -p whydunit` prints one line per program of `benches/`, each of which has one failing
//! trace; the number is that of the rounds of its loop. For a C program, the search is its run.

mod c;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{check_relevance, keep_confirmed};
use localize::relevance::{Verdict, relevance};
use localize::{Context, Settings};
use program::Stop;
use solver::{Counted, Solver, Z3};

/// The program, and how often its loop is run.
const PROGRAMS: &[(&str, u32)] = &[
    ("sums", 200),
    ("sums", 2_000),
    ("conditions", 400),
    ("bits", 400),
    ("hash", 200),
    ("map", 400),
    ("calls", 100),
    ("inputs", 40),
    ("remainders", 200),
];

/// The same for C programs.
const C_PROGRAMS: &[(&str, u64)] = &[("array", 1_000), ("array", 8_334)];

/// No program is worked on for longer; what is not decided then is unknown.
const TIME_LIMIT: Duration = Duration::from_secs(20);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!(
        "{:<18} {:>7} {:>9} {:>11} {:>8} {:>8} {:>9} {:>11} {:>8}",
        "program",
        "steps",
        "search",
        "relevance",
        "judge",
        "queries",
        "relevant",
        "irrelevant",
        "unknown"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches");
    for &(name, rounds) in PROGRAMS {
        if wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str())) {
            let text = std::fs::read_to_string(folder.join(format!("{name}.bpl"))).expect("a file");
            let text = text.replacen("{ 200", &format!("{{ {rounds}"), 1);
            measure(&format!("{name} {rounds}"), &text);
        }
    }
    for &(name, rounds) in C_PROGRAMS {
        if wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str())) {
            c::explain(&folder, name, rounds, explain);
        }
    }
    if wanted.is_empty() || wanted.iter().any(|w| w == "speed") {
        c::speed(&folder);
    }
}

fn measure(name: &str, text: &str) {
    let program = boogie::read(name, text).expect("a program that we wrote");
    let make = || Z3::new(TIME_LIMIT / 10);
    let start = Instant::now();
    let found = search(&program, &mut make(), SearchLimits::default(), &Stop::default());
    let (entry, path) = found.paths.first().expect("a program that fails");
    let trace = Trace::from_path(&program, *entry, path);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut make(), &trace, &run).expect("inputs");
    let failure = Failure::new(&program, trace, inputs).expect("a path that can be replayed");
    explain(name, &failure, start.elapsed());
}

/// Measures relevance on a failure, and prints what there is to say.
fn explain(name: &str, failure: &Failure<'_>, searched: Duration) {
    let (stop, queries) = (Stop::default(), Arc::new(AtomicU64::new(0)));
    let late = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(TIME_LIMIT);
        late.request();
    });
    let make =
        || -> Box<dyn Solver> { Box::new(Counted::new(Z3::new(TIME_LIMIT / 10), queries.clone())) };
    let context = Context { solvers: &make, stop: &stop, settings: &Settings::default() };
    let start = Instant::now();
    let found = relevance(failure, context);
    let decided = start.elapsed();
    let start = Instant::now();
    let judgements = check_relevance(failure, &found, context);
    let judged = start.elapsed();
    let [mut relevant, mut irrelevant, mut unknown] = [0; 3];
    for step in keep_confirmed(found, &judgements).steps {
        match step.verdict {
            Verdict::Relevant { .. } => relevant += 1,
            Verdict::Irrelevant(_) => irrelevant += 1,
            Verdict::Unknown(_) => unknown += 1,
        }
    }
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    println!(
        "{name:<18} {:>7} {:>9} {:>11} {:>8} {:>8} {relevant:>9} {irrelevant:>11} {unknown:>8}",
        failure.trace.steps.len(),
        seconds(searched),
        seconds(decided),
        seconds(judged),
        queries.load(Ordering::Relaxed),
    );
}
