//! Runs of programs upon which something is forced, wherever they begin, and whoever runs them.

use failure::{Ended, Failure, Force, Forced, Part, Rerun, Trace, When};
use program::interpret::{Machine, Outcome, Zeros, run};
use program::process::Image;
use program::{EdgeId, Statement, Stop};
use term::Value;

use crate::flip::of_process;
use crate::read;

const PROGRAM: &str = "
    function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);
    function {:bvbuiltin \"bvult\"} ult(a: bv8, b: bv8) returns (bool);
    procedure twice(a: bv8) returns (r: bv8) { r := add(a, a); }
    procedure main() { var i, s, t: bv8;
      i := 0bv8; s := 0bv8;
      while (ult(i, 90bv8)) {
        call t := twice(i);
        if (t == 4bv8) { s := add(s, 1bv8); } else { s := add(s, t); }
        i := add(i, 1bv8);
      }
      assert s == 0bv8; }";

/// Everything that one thing can be forced to in a run.
fn changes(failure: &Failure<'_>) -> Vec<Forced> {
    let (program, trace) = (failure.program, &failure.trace);
    let mut found = Vec::new();
    for (step, of) in trace.steps.iter().enumerate() {
        let at = of.at as usize;
        for value in [3, 40, 88, 90] {
            if of.action.place().is_some() {
                found.push((at, Force::Value { step, value: Value::bitvec(8, value) }));
            }
        }
        let edge = program.edge(trace.path[at]);
        if let Statement::Assume { .. } = edge.statement {
            let edges: Vec<EdgeId> = program.out_edges(edge.from).map(|(id, _)| id).collect();
            found.extend((edges.len() == 2).then_some((at, Force::OtherEdge)));
            found.extend(edges.into_iter().map(|edge| (at, Force::Edge(edge))));
        }
    }
    let both = found.into_iter().flat_map(|(at, what)| {
        [When::Once, When::Always].map(|when| Forced { at, what: what.clone(), when })
    });
    both.collect()
}

/// All that can be told of a run, however far it was from where it began.
fn told(rerun: Rerun) -> (Ended, u32, u64) {
    (rerun.end, rerun.executions, rerun.path)
}

#[test]
fn where_a_run_begins_does_not_matter() {
    let program = read(PROGRAM);
    let image = Image::new(&program).unwrap();
    let fresh = || of_process(&program, &image, 100_000, 0).unwrap();
    let repeated = fresh();
    let path = &repeated.trace.path;
    let trace = Trace::from_path(&program, repeated.trace.entry, path);
    let interpreted = Failure::new(&program, trace, repeated.inputs.clone()).unwrap();
    let alone = changes(&repeated).into_iter().step_by(23);
    let mut all: Vec<Vec<Forced>> = alone.map(|one| vec![one]).collect();
    let pairs = all.windows(4).map(|some| [&some[0][..], &some[3]].concat());
    let pairs: Vec<Vec<Forced>> = pairs.collect();
    all.extend(pairs);
    assert!(all.len() > 100);
    // First later and later ones, then from the last.
    all.extend(all.clone().into_iter().rev());
    for most in [10_000, 700] {
        let mut passed = 0;
        for forced in &all {
            let again = repeated.rerun(forced, most).unwrap();
            let first = fresh().rerun(forced, most).unwrap();
            assert_eq!(told(again), told(first), "{forced:?}");
            assert!(again.effort <= first.effort);
            passed += usize::from(first.end == Ended::Passed);
        }
        assert!(most == 700 || (2..all.len()).contains(&passed), "{passed}");
    }
    // The steps of the two traces are not the same, but decisions are. What is counted is not the same, either.
    let is_decision = |forced: &Forced| !matches!(forced.what, Force::Value { .. });
    for forced in all.iter().filter(|forced| forced.iter().all(is_decision)) {
        let [one, other] =
            [&repeated, &interpreted].map(|failure| failure.rerun(forced, 10_000).unwrap());
        if one.end != Ended::Cut {
            assert_eq!(told(one), told(other), "{forced:?}");
        }
    }
}

/// What a program does that always does what is forced, instead of what it says.
fn edited(failure: &Failure<'_>, forced: &Forced) -> Ended {
    let mut program = failure.program.clone();
    let taken = failure.trace.path[forced.at];
    let from = program.edge(taken).from;
    let edges: Vec<EdgeId> = program.out_edges(from).map(|(id, _)| id).collect();
    match &forced.what {
        Force::Value { value, .. } => {
            let value = program.terms.constant(value);
            match &mut program.edges[taken.index()].statement {
                Statement::Assign { value: own, .. } => *own = value,
                other => panic!("{other:?} assigns several values, or none"),
            }
        }
        Force::OtherEdge => {
            let [one, other] = [0, 1].map(|at| program.edge(edges[at]).statement.clone());
            program.edges[edges[0].index()].statement = other;
            program.edges[edges[1].index()].statement = one;
        }
        Force::Edge(edge) => {
            for id in edges {
                let condition = program.terms.bool(id == *edge);
                program.edges[id.index()].statement = Statement::Assume { condition };
            }
        }
        Force::Output => panic!("nothing is printed"),
    }
    let mut machine = Machine::new(&program, failure.trace.entry, &mut Zeros);
    match run(&mut machine, &mut Zeros, 10_000, &Stop::default(), &mut |_| {}) {
        Outcome::Finished => Ended::Passed,
        Outcome::Failed(_) => Ended::Failed(failure.property.kind),
        Outcome::Blocked(_) => Ended::Blocked,
        Outcome::StepLimit | Outcome::Stopped => Ended::Cut,
    }
}

#[test]
fn what_is_always_forced_could_be_written() {
    let program = read(PROGRAM);
    let image = Image::new(&program).unwrap();
    let repeated = of_process(&program, &image, 100_000, 0).unwrap();
    let trace = Trace::from_path(&program, repeated.trace.entry, &repeated.trace.path);
    let failure = Failure::new(&program, trace, repeated.inputs.clone()).unwrap();
    let mut passed = 0;
    for forced in changes(&failure).iter().filter(|forced| forced.when == When::Always).step_by(7) {
        let is_plain = match forced.what {
            Force::Value { step, .. } => failure.trace.steps[step].part == Part::Whole,
            _ => true,
        };
        if is_plain {
            let end = failure.rerun(std::slice::from_ref(forced), 10_000).unwrap().end;
            assert_eq!(end, edited(&failure, forced), "{forced:?}");
            passed += usize::from(end == Ended::Passed);
        }
    }
    assert!(passed > 0);
}
