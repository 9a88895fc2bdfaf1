//! The judge confirms what is right and refutes what is wrong, whoever claims it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use failure::{Failure, Part, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{Judgement, check_one_value, check_relevance, keep_confirmed};
use localize::relevance::{Proof, Relevance, Role, StepRelevance, Verdict, Witness, relevance};
use localize::repair_value::{OneValue, one_value};
use localize::{Context, Settings};
use program::{Program, Stop};
use solver::{Solver, Z3};
use term::Value;

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// Runs a test with the failures of a program.
fn with_failures(text: &str, traces: usize, test: impl FnOnce(&[Failure<'_>], Context<'_>)) {
    let program: Program = boogie::read("test.bpl", text).unwrap();
    let stop = Stop::default();
    let limits = SearchLimits { traces, ..SearchLimits::default() };
    let found = search(&program, &mut *solvers(), limits, &stop);
    let failures: Vec<Failure<'_>> = found
        .paths
        .iter()
        .map(|(entry, path)| {
            let trace = Trace::from_path(&program, *entry, path);
            let mut terms = trace.terms.clone();
            let run = symbolic::execute(&mut terms, &trace);
            let inputs = simplest_inputs(&mut terms, &mut *solvers(), &trace, &run).unwrap();
            Failure::new(&program, trace, inputs).unwrap()
        })
        .collect();
    test(&failures, Context { solvers: &solvers, stop: &stop, settings: &Settings::default() });
}

fn claim(step: usize, verdict: Verdict) -> Relevance {
    Relevance { steps: vec![StepRelevance { step, verdict }] }
}

fn relevant(value: Value) -> Verdict {
    let witness = Witness { value, blocks: None, execution: None };
    Verdict::Relevant { role: Role::Enforcing, witness }
}

fn judge(failure: &Failure<'_>, context: Context<'_>, claim: &Relevance) -> Judgement {
    check_relevance(failure, claim, context).remove(0)
}

const COUNTER: &str = "procedure main() {
    var a, b, i: int;
    a := 0;
    b := 0;
    i := 1;
    assume i < 10;
    assert a != 0 && b != 0;
}";

#[test]
fn a_witness_that_does_not_block_is_refuted() {
    with_failures(COUNTER, 1, |failures, context| {
        let failure = &failures[0];
        assert_eq!(
            judge(failure, context, &claim(2, relevant(Value::int(10)))),
            Judgement::Confirmed
        );
        let wrong = claim(2, relevant(Value::int(9)));
        assert!(matches!(judge(failure, context, &wrong), Judgement::Refuted(_)));
        let wrong = claim(0, relevant(Value::int(5)));
        let judgements = check_relevance(failure, &wrong, context);
        assert!(matches!(judgements[0], Judgement::Refuted(_)));
        let kept = keep_confirmed(wrong, &judgements);
        assert!(matches!(kept.steps[0].verdict, Verdict::Unknown(_)));
    });
}

#[test]
fn irrelevance_is_refuted_if_some_value_blocks() {
    with_failures(COUNTER, 1, |failures, context| {
        for proof in [Proof::NoInfluence, Proof::AlwaysHolds] {
            let right = claim(0, Verdict::Irrelevant(proof));
            assert_eq!(judge(&failures[0], context, &right), Judgement::Confirmed);
            let wrong = claim(2, Verdict::Irrelevant(proof));
            assert!(matches!(judge(&failures[0], context, &wrong), Judgement::Refuted(_)));
        }
    });
}

#[test]
fn later_havocs_can_make_a_witness_wrong() {
    let text = "procedure main() {
        var s, t: int;
        s := 5;
        havoc t;
        assume 0 <= t && t < 10;
        assert s + t < 5;
    }";
    with_failures(text, 1, |failures, context| {
        // With -4 the sum can still be 5, for t = 9; with -5 it cannot.
        let right = claim(0, relevant(Value::int(-5)));
        assert_eq!(judge(&failures[0], context, &right), Judgement::Confirmed);
        let wrong = claim(0, relevant(Value::int(-4)));
        assert!(matches!(judge(&failures[0], context, &wrong), Judgement::Refuted(_)));
        let found = relevance(&failures[0], context);
        let Verdict::Relevant { witness, .. } = &found.steps[0].verdict else {
            panic!("{found:?}")
        };
        assert_eq!(witness.value, Value::int(-5));
    });
}

#[test]
fn an_execution_must_follow_the_trace() {
    let text = "procedure main(n: int) {
        var x: int;
        x := 1;
        assume n > 3;
        assert x * n == 0;
    }";
    with_failures(text, 1, |failures, context| {
        let mut inputs = failures[0].inputs.clone();
        let with = |inputs| {
            let witness = Witness { value: Value::int(0), blocks: None, execution: Some(inputs) };
            claim(0, Verdict::Relevant { role: Role::Enforcing, witness })
        };
        assert_eq!(judge(&failures[0], context, &with(inputs.clone())), Judgement::Confirmed);
        let n = *inputs.initial.keys().next().unwrap();
        inputs.initial.insert(n, Value::int(2));
        assert!(matches!(judge(&failures[0], context, &with(inputs)), Judgement::Refuted(_)));
    });
}

/// Claims on a long trace exceed the budget of replays and are judged by weakest preconditions.
#[test]
fn long_traces_are_judged_too() {
    let text = "procedure main() {
        var a, b, i: int;
        a, b, i := 1, 2, 0;
        while (i < 1500) { a := a + b; b := b + 1; i := i + 1; }
        assert a < 0;
    }";
    with_failures(text, 1, |failures, context| {
        let mut found = relevance(&failures[0], context);
        let judgements = check_relevance(&failures[0], &found, context);
        assert!(judgements.iter().all(|j| *j == Judgement::Confirmed));
        // The first assignment to `a` is far beyond the budget.
        let Verdict::Relevant { witness, .. } = &mut found.steps[0].verdict else {
            panic!("{:?}", found.steps[0])
        };
        witness.value = Value::int(0);
        let judgements = check_relevance(&failures[0], &found, context);
        assert!(matches!(judgements[0], Judgement::Refuted(_)), "{:?}", judgements[0]);
        assert!(judgements[1..].iter().all(|j| *j == Judgement::Confirmed));
    });
}

#[test]
fn one_value_for_all_traces() {
    let text = "procedure main() {
        var flag: bool;
        var x: int;
        x := 1;
        havoc flag;
        if (flag) { assert x > 5; } else { assert x > 7; }
    }";
    with_failures(text, 5, |failures, context| {
        assert_eq!(failures.len(), 2);
        let sites = [0, 1].map(|step| failures[0].trace.steps[step].site);
        let answer = one_value(failures, sites[0], Part::Whole, &[], context);
        assert_eq!(answer, OneValue::Repairs(Value::int(8)));
        let ask =
            |value| check_one_value(failures, sites[0], Part::Whole, &Value::int(value), context);
        assert_eq!(ask(8), Judgement::Confirmed);
        assert!(matches!(ask(7), Judgement::Refuted(_)));
        let answer = one_value(failures, sites[1], Part::Whole, &[], context);
        assert_eq!(answer, OneValue::Impossible);
    });
}
