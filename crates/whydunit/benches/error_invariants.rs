//! How long error invariants take on long runs of C programs, with both encodings.
//!
//! `cargo bench -p whydunit --bench error_invariants` prints one line per program of `benches/` and encoding; the number is that
//! of the rounds of its loops.

#[allow(dead_code, reason = "how fast programs run is measured elsewhere")]
mod c;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use failure::Failure;
use localize::check::{Judgement, check_error_invariants};
use localize::commands::Encoding;
use localize::error_invariants::error_invariants;
use localize::{Context, Settings};
use program::Stop;
use solver::{Counted, Solver, Z3};

/// About 2,000 and 20,000 statements each, without and with an array.
const PROGRAMS: &[(&str, u64)] =
    &[("scan", 500), ("scan", 5_000), ("array", 220), ("array", 2_200)];

fn main() {
    println!(
        "{:<12} {:<14} {:>7} {:>10} {:>9} {:>8} {:>8} {:>7} {:>9}",
        "program",
        "encoding",
        "steps",
        "statements",
        "found",
        "judge",
        "queries",
        "kept",
        "confirmed"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches");
    for &(name, rounds) in PROGRAMS {
        c::explain(&folder, name, rounds, |name, failure, _| {
            for encoding in [Encoding::FlowSensitive, Encoding::Plain] {
                measure(name, failure, encoding);
            }
        });
    }
}

fn measure(name: &str, failure: &Failure<'_>, encoding: Encoding) {
    let (stop, queries) = (Stop::default(), Arc::new(AtomicU64::new(0)));
    let make = || -> Box<dyn Solver> {
        Box::new(Counted::new(Z3::new(Duration::from_secs(10)), queries.clone()))
    };
    let context = Context { solvers: &make, stop: &stop, settings: &Settings::default() };
    let start = Instant::now();
    let found = match error_invariants(failure, encoding, context) {
        Ok(found) => found,
        Err(why) => return println!("{name:<12} {encoding:<14?} {why}"),
    };
    let decided = start.elapsed();
    let start = Instant::now();
    let judgement = check_error_invariants(failure, &found, context);
    let judged = start.elapsed();
    println!(
        "{name:<12} {:<14} {:>7} {:>10} {:>9} {:>8} {:>8} {:>7} {:>9}",
        format!("{encoding:?}"),
        failure.trace.steps.len(),
        found.commands,
        format!("{:.2} s", decided.as_secs_f64()),
        format!("{:.2} s", judged.as_secs_f64()),
        queries.load(Ordering::Relaxed),
        found.kept.len(),
        judgement == Judgement::Confirmed,
    );
}
