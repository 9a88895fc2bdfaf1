//! Runs of programs with changes, wherever they begin.

use failure::{Courses, Ended, Failure, Force, Forced, Rerun};
use program::process::Image;
use program::{EdgeId, Statement};
use term::Value;

use crate::flip::of_process;
use crate::read;

const PROGRAM: &str = "
    function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);
    function {:bvbuiltin \"bvult\"} ult(a: bv8, b: bv8) returns (bool);
    procedure twice(a: bv8) returns (r: bv8) { r := add(a, a); }
    procedure main() { var i, s, t: bv8;
      i := 0bv8; s := 0bv8;
      while (ult(i, 4bv8)) {
        call t := twice(i);
        if (t == 4bv8) { s := add(s, 1bv8); } else { s := add(s, t); }
        i := add(i, 1bv8);
      }
      assert s == 0bv8; }";

/// Everything that one thing can be forced to in a run.
fn changes(failure: &Failure<'_>) -> Vec<Forced> {
    let run =
        failure.rerun(&[], 10_000, &mut failure.program.terms.clone(), &mut Courses::default());
    let run = run.unfolded.unwrap();
    let numbered = run.trace.steps.iter().zip(&run.numbers);
    let mut found: Vec<Forced> = numbered
        .filter_map(|(step, number)| {
            let what = Force::Value { number: (*number)?, value: Value::bitvec(8, 3) };
            Some(Forced { at: step.at as usize, what })
        })
        .collect();
    for (at, &taken) in run.trace.path.iter().enumerate() {
        let edge = failure.program.edge(taken);
        if let Statement::Assume { .. } = edge.statement {
            let others = failure.program.out_edges(edge.from).map(|(id, _)| id);
            let others = others.filter(|&id| id != taken);
            found.extend(others.map(|id| Forced { at, what: Force::Edge(id) }));
        }
    }
    found.sort_by_key(|forced| forced.at);
    found
}

/// All that can be told of a run: how it ended, its edges and its values.
fn told(rerun: &Rerun) -> (Ended, u64, Vec<EdgeId>, Vec<Option<Value>>) {
    let (mut path, mut values) = (Vec::new(), Vec::new());
    if let Some(unfolded) = &rerun.unfolded {
        (path, values) = (unfolded.trace.path.clone(), unfolded.values.clone());
    }
    for (step, value) in &rerun.changed {
        values[*step as usize] = Some(value.clone());
    }
    (rerun.end, rerun.effort, path, values)
}

#[test]
fn where_a_run_begins_does_not_matter() {
    let program = read(PROGRAM);
    let image = Image::new(&program).unwrap();
    let fresh = || of_process(&program, &image, 100_000, 0).unwrap();
    let repeated = fresh();
    let (mut terms, mut courses) = (program.terms.clone(), Courses::default());
    let changes = changes(&repeated);
    let alone = changes.iter().map(|one| vec![one.clone()]);
    let pairs = changes.windows(4).map(|some| vec![some[0].clone(), some[3].clone()]);
    let mut all: Vec<Vec<Forced>> = alone.chain(pairs).collect();
    assert!(all.len() > 50);
    // First later and later ones, then from the last.
    all.extend(all.clone().into_iter().rev());
    for most in [10_000, 60] {
        let mut passed = 0;
        for forced in &all {
            let again = repeated.rerun(forced, most, &mut terms, &mut courses);
            let (terms, courses) = (&mut program.terms.clone(), &mut Courses::default());
            let first = fresh().rerun(forced, most, terms, courses);
            assert_eq!(told(&again), told(&first), "{forced:?}");
            passed += usize::from(first.end == Ended::Passed);
        }
        assert!(most == 60 || (2..all.len()).contains(&passed));
    }
}
