//! Edits: what is found, and that the judge refutes wrong claims.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{Judgement, check_edit};
use localize::edits::{Change, Edits, edits};
use localize::{Context, Settings};
use program::Stop;
use solver::{Solver, Z3};

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// What is found in a program, and a test with it.
fn with_edits(text: &str, test: impl FnOnce(&[Failure<'_>], Edits, Context<'_>)) {
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
    let found = edits(&failures, None, context);
    test(&failures, found, context);
}

/// The loop goes one round too far.
const ROUNDS: &str = "procedure main() {
    var i, sum: int;
    i := 0;
    sum := 0;
    while (i <= 10) {
        sum := sum + 2;
        i := i + 1;
    }
    assert sum == 20;
}";

/// The statements of edits, with their kinds.
fn described(failures: &[Failure<'_>], found: &Edits) -> Vec<String> {
    let program = failures[0].program;
    let text = |edit: &localize::edits::Edit| {
        format!("{}: {}", program.site(edit.site).text, edit.change.name())
    };
    found.repairs.iter().map(text).collect()
}

#[test]
fn the_bound_of_a_loop() {
    with_edits(ROUNDS, |failures, found, context| {
        let all = described(failures, &found);
        assert!(all.iter().any(|it| it.starts_with("i <= 10: ")), "{all:?}");
        assert!(all.contains(&"i := 0: constant".to_owned()), "one round less: {all:?}");
        // What is asserted is right.
        assert!(!all.iter().any(|it| it.contains("assert")), "{all:?}");
        assert!(found.tried > 10 && !found.cut);
        for edit in &found.repairs {
            assert_eq!(check_edit(failures, &found, edit, context), Judgement::Confirmed);
        }
    });
}

#[test]
fn another_variable_is_assigned() {
    let text = "procedure main() {
        var here, there: int;
        here := 1;
        there := 1;
        here := 2;
        there := there + 0;
        assert there == 2;
    }";
    with_edits(text, |failures, found, context| {
        let target = found.repairs.iter().find(|it| matches!(it.change, Change::Target { .. }));
        let target = target.unwrap_or_else(|| panic!("{:?}", described(failures, &found)));
        assert_eq!(failures[0].program.site(target.site).text, "here := 2");
        assert_eq!(check_edit(failures, &found, target, context), Judgement::Confirmed);
    });
}

#[test]
fn arguments_change_places() {
    let text = "procedure less(a: int, b: int) returns (c: int) { c := a - b; }
    procedure main() {
        var small, large, difference: int;
        small := 30;
        large := 80;
        call difference := less(small, large);
        assert difference == 50;
    }";
    with_edits(text, |failures, found, context| {
        let swapped = found.repairs.iter().find(|it| it.change == Change::Exchange(0));
        let swapped = swapped.unwrap_or_else(|| panic!("{:?}", described(failures, &found)));
        assert_eq!(check_edit(failures, &found, swapped, context), Judgement::Confirmed);
    });
}

#[test]
fn wrong_claims_are_refuted() {
    with_edits(ROUNDS, |failures, found, context| {
        let right = &found.repairs[0];
        // Another edit, which does not help.
        let is_right = |number: u32| found.repairs.iter().any(|edit| edit.number == number);
        let refuted = (1..found.tried as u32).filter(|&number| !is_right(number)).any(|number| {
            let wrong = localize::edits::Edit { number, ..right.clone() };
            matches!(check_edit(failures, &found, &wrong, context), Judgement::Refuted(_))
        });
        assert!(refuted);
        // The right edit, said to be of another statement.
        let other = failures[0].trace.steps.iter().map(|step| step.site);
        let other = other.into_iter().find(|&site| site != right.site).unwrap();
        let wrong = localize::edits::Edit { site: other, ..right.clone() };
        let judged = check_edit(failures, &found, &wrong, context);
        assert!(matches!(judged, Judgement::Refuted(_)), "{judged:?}");
    });
}
