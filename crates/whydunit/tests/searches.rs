//! Searches for failing inputs that are stopped.

#![allow(clippy::unwrap_used)] // helpers of tests may panic, too

#[path = "common/compile.rs"]
mod compile;

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use failure::run::{Asked, ExploreLimits, Extent, Job, explore};
use host::{Setup, World};
use program::Stop;
use program::process::{Image, Limits};
use solver::Z3;

/// It fails in two ways, and has runs of any length.
const ENDLESS: &str = "
    #include <assert.h>
    int __VERIFIER_nondet_int(void);
    int main(void) {
        int x = __VERIFIER_nondet_int();
        assert(x != 7);
        if (x > 100) assert(x != 2000);
        while (x) if (x == 8) x = 8;
    }\n";

#[test]
fn more_time_never_finds_less() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("searches-endless.c");
    std::fs::write(&path, ENDLESS).unwrap();
    let program = compile::compile(&path, &[]);
    let image = Image::new(&program).unwrap();
    let job = Job {
        program: &program,
        image: &image,
        entry: program.entries[0],
        arguments: &[],
        environment: &[],
        expected_status: None,
        limits: Limits::default(),
        extent: Extent::default(),
    };
    let limits = ExploreLimits { failures: 20, instructions: 2_000 };
    let mut found = Vec::new();
    for most in 1..80 {
        let (stop, runs) = (Stop::default(), Cell::new(0));
        let world = |inputs: Asked| {
            runs.set(runs.get() + 1);
            if runs.get() == most {
                stop.request();
            }
            World::new(Setup { inputs, ..Setup::default() })
        };
        let mut solver = Z3::new(Duration::from_secs(20));
        found.push(explore(job, &world, &mut solver, limits, &stop).failing.len());
    }
    assert!(found.is_sorted(), "{found:?}");
    assert_eq!(found.last(), Some(&2), "{found:?}");
}
