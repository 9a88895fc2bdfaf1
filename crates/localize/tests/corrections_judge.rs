//! The judge refutes wrong claims about corrections.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{
    Judgement, check_corrections, judged_corrections, keep_confirmed_corrections,
};
use localize::corrections::{Corrections, Settable, Spot, corrections};
use localize::{Context, Settings};
use program::Stop;
use solver::{Solver, Z3};

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// Two faults: no single change of the first two statements is enough.
const TEXT: &str = "procedure main() {
    var a, b, c: int;
    a := 1;
    b := 2;
    c := a + b;
    assert a == 5 && b == 6;
}";

fn with_corrections(test: impl FnOnce(&[Failure<'_>], Corrections, Context<'_>)) {
    with_corrections_of(TEXT, test);
}

/// What is found, and a test with it.
fn with_corrections_of(text: &str, test: impl FnOnce(&[Failure<'_>], Corrections, Context<'_>)) {
    let program = boogie::read("test.bpl", text).unwrap();
    let stop = Stop::default();
    let limits = SearchLimits { traces: 1, ..SearchLimits::default() };
    let found = search(&program, &mut *solvers(), limits, &stop);
    let (entry, path) = &found.paths[0];
    let trace = Trace::from_path(&program, *entry, path);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut *solvers(), &trace, &run).unwrap();
    let failures = [Failure::new(&program, trace, inputs).unwrap()];
    let settings = Settings::default();
    let context = Context { solvers: &solvers, stop: &stop, settings: &settings };
    let found = corrections(&failures, context);
    test(&failures, found, context);
}

fn is_refuted(judgement: &Judgement) -> bool {
    matches!(judgement, Judgement::Refuted(_))
}

#[test]
fn what_is_right_is_confirmed() {
    with_corrections(|failures, found, context| {
        assert_eq!(found.sets.len(), 1);
        assert_eq!(found.sets[0].spots.len(), 2);
        let judged = check_corrections(failures, &found, context);
        assert_eq!(judged.sets[0].suffices, Judgement::Confirmed);
        assert_eq!(judged.sets[0].minimal, Judgement::Confirmed);
        assert_eq!(judged.must, Judgement::Confirmed);
    });
}

#[test]
fn what_is_shown_early_claims_less() {
    with_corrections(|failures, _, context| {
        let mut shown = Vec::new();
        let (found, refuted) =
            judged_corrections(failures, context, &mut |early| shown.push(early.clone()));
        assert!(refuted.is_empty() && found.complete() && found.must.is_some());
        // While it is looked for more, that nothing is left to be found is not claimed; what must be changed is judged last.
        let [first, last] = &shown[..] else { panic!("shown {} times", shown.len()) };
        assert!(!first.complete() && first.sets.len() == 1 && first.must.is_none());
        assert!(last.complete() && last.must.is_none());
    });
}

#[test]
fn a_set_that_does_not_suffice() {
    with_corrections(|failures, found, context| {
        let mut wrong = found.clone();
        wrong.sets[0].witnesses[0].forced.pop();
        let judged = check_corrections(failures, &wrong, context);
        assert!(is_refuted(&judged.sets[0].suffices), "{judged:?}");
        // The change is one of two statements, but only one is in the set.
        let mut wrong = found;
        wrong.sets[0].spots.pop();
        let judged = check_corrections(failures, &wrong, context);
        assert!(is_refuted(&judged.sets[0].suffices), "{judged:?}");
        let refuted = keep_confirmed_corrections(failures, &mut wrong, &judged);
        assert!(!refuted.is_empty() && wrong.sets.is_empty() && wrong.must.is_none());
    });
}

#[test]
fn a_set_that_is_not_minimal() {
    with_corrections(|failures, mut wrong, context| {
        let other = failures[0].trace.steps[2].site;
        let spots = &mut wrong.sets[0].spots;
        assert!(spots.iter().all(|spot| spot.site() != other));
        spots.push(Spot::Change(other));
        let judged = check_corrections(failures, &wrong, context);
        assert_eq!(judged.sets[0].suffices, Judgement::Confirmed);
        assert!(is_refuted(&judged.sets[0].minimal), "{judged:?}");
    });
}

#[test]
fn what_need_not_be_changed() {
    with_corrections(|failures, mut wrong, context| {
        let other = failures[0].trace.steps[2].site;
        wrong.must = Some(vec![Spot::Change(other)]);
        let judged = check_corrections(failures, &wrong, context);
        assert!(is_refuted(&judged.must), "{judged:?}");
    });
}

/// A variable is not reset.
const NOT_RESET: &str = "procedure main() {
    var a, b, c: int;
    a := 1;
    b := a;
    c := 2;
    assert a == 0 && b == 1;
}";

#[test]
fn a_missing_assignment_is_the_one_that_is_named() {
    with_corrections_of(NOT_RESET, |failures, found, context| {
        let program = failures[0].program;
        let text = |spot: Spot| program.site(spot.site()).text.as_str();
        let [insertion] = &found.insertions[..] else { panic!("{:?}", found.insertions) };
        let places: Vec<&str> = insertion.places.iter().map(|it| text(it.spots[0])).collect();
        assert_eq!(places[1..], ["c := 2"], "{places:?}");
        let judged = check_corrections(failures, &found, context);
        assert_eq!(judged.insertions, [Judgement::Confirmed, Judgement::Confirmed]);
        let (&other, _) = program.variables.iter().find(|(_, own)| own.name == "b").unwrap();
        let before = insertion.places[0].spots[0].site();
        let elsewhere = failures[0].trace.steps[1].site;
        let wrong = [
            Spot::Insert { before, variable: Settable::Variable(other) },
            Spot::Insert { before: elsewhere, variable: insertion.variable },
        ];
        for spot in wrong {
            let mut wrong = found.clone();
            wrong.insertions[0].places[0].spots = vec![spot];
            let judged = check_corrections(failures, &wrong, context);
            assert!(is_refuted(&judged.insertions[0]), "{judged:?}");
            // What is right is kept.
            let refuted = keep_confirmed_corrections(failures, &mut wrong, &judged);
            assert_eq!((refuted.len(), wrong.insertions[0].places.len()), (1, 1));
        }
    });
}
