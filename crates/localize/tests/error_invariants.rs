//! Error invariants on small programs.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{Judgement, check_conditions_are_implied, check_error_invariants};
use localize::commands::Encoding;
use localize::error_invariants::naive::error_invariants_by_recursion;
use localize::error_invariants::{ErrorInvariants, What, error_invariants};
use localize::{Context, Settings};
use program::{Program, Stop};
use solver::{Answer, Solver, Z3};
use term::Value;

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// Runs a test with the first failure of a program.
fn with_failure(text: &str, test: impl FnOnce(&Failure<'_>, Context<'_>)) {
    let program: Program = boogie::read("test.bpl", text).unwrap();
    let (stop, settings) = (Stop::default(), Settings::default());
    let limits = SearchLimits { traces: 1, ..SearchLimits::default() };
    let found = search(&program, &mut *solvers(), limits, &stop);
    let (entry, path) = &found.paths[0];
    let trace = Trace::from_path(&program, *entry, path);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut *solvers(), &trace, &run).unwrap();
    let failure = Failure::new(&program, trace, inputs).unwrap();
    test(&failure, Context { solvers: &solvers, stop: &stop, settings: &settings });
}

/// The abstract trace: statements that were kept, by their text, with the formula after each. Frames are in brackets.
fn shape(failure: &Failure<'_>, found: &ErrorInvariants) -> Vec<String> {
    let text = |kept: &localize::error_invariants::Kept| {
        let text = &failure.program.site(failure.trace.steps[kept.step].site).text;
        match &kept.what {
            What::Frame(variables) => {
                let names: Vec<&str> = variables
                    .iter()
                    .map(|&v| failure.program.name(failure.trace.origin(v).1))
                    .collect();
                format!("[{}]", names.join(", "))
            }
            _ => text.clone(),
        }
    };
    found.kept.iter().map(text).collect()
}

/// Whether the formula of an interval is equivalent to a condition on the variables of `main`, in Boogie.
fn means(failure: &Failure<'_>, found: &ErrorInvariants, number: usize, expected: &str) -> bool {
    // The condition is read as a part of the same program, so that it has the same variables.
    let mut terms = found.terms.clone();
    let program = failure.program;
    let mut parts = Vec::new();
    for part in expected.split(" && ").filter(|part| *part != "true") {
        let words: Vec<&str> = part.split(' ').collect();
        let &[name, operator, value] = &words[..] else { panic!("{part}") };
        let mut variables =
            program.globals.iter().copied().chain(program.procedures[0].variables());
        let variable = variables.find(|&v| program.name(v) == name).unwrap();
        let value = terms.constant(&Value::int(value.parse::<i32>().unwrap()));
        parts.push(match operator {
            "==" => terms.eq(variable, value),
            "<=" => terms.le(variable, value),
            _ => panic!("{operator}"),
        });
    }
    let expected = terms.and(&parts);
    let claimed = terms.and(&found.intervals[number].invariant);
    let same = terms.eq(expected, claimed);
    let differ = terms.not(same);
    terms.is_false(differ) || solvers().check(&terms, &[differ]) == Answer::Unsat
}

fn check(name: &str, encoding: Encoding, kept: &[&str], invariants: &[&str]) {
    let text = std::fs::read_to_string(format!("../../corpus/papers/{name}.bpl")).unwrap();
    with_failure(&text, |failure, context| {
        let found = error_invariants(failure, encoding, context).unwrap();
        assert_eq!(shape(failure, &found), kept, "{name}");
        assert_eq!(found.intervals.len(), invariants.len());
        for (number, expected) in invariants.iter().enumerate() {
            assert!(means(failure, &found, number, expected), "{name}: {expected}");
        }
        assert!(found.fewest);
        assert_eq!(check_error_invariants(failure, &found, context), Judgement::Confirmed);
        let recursive = error_invariants_by_recursion(failure, context).unwrap();
        assert_eq!(check_error_invariants(failure, &recursive, context), Judgement::Confirmed);
        assert_eq!(
            check_conditions_are_implied(failure, &recursive, context),
            Judgement::Confirmed
        );
    });
}

#[test]
fn figure_1_needs_the_branch() {
    let name = "flow-sensitive-fig1-then-branch";
    check(name, Encoding::Plain, &["gain := 0"], &["true", "gain == 0"]);
    check(
        name,
        Encoding::FlowSensitive,
        &["excess := reading - 42", "gain := 0"],
        &["reading <= 41", "excess <= -1", "gain == 0"],
    );
}

#[test]
fn figure_2_does_not_need_the_branch() {
    for encoding in [Encoding::Plain, Encoding::FlowSensitive] {
        let name = "flow-sensitive-fig2-both-branches";
        check(name, encoding, &["gain := 0"], &["true", "gain == 0"]);
    }
}

#[test]
fn figure_5_misses_a_branch() {
    let name = "flow-sensitive-fig5-locking";
    check(name, Encoding::Plain, &["locked := 1"], &["true", "locked == 1"]);
    check(
        name,
        Encoding::FlowSensitive,
        &["locked := 1", "result := command", "[locked]"],
        &[
            "device == 0 && command == -1",
            "device == 0 && command == -1 && locked == 1",
            "device == 0 && locked == 1 && result == -1",
            "locked == 1",
        ],
    );
}

#[test]
fn figure_7_assigns_the_wrong_variable() {
    let name = "flow-sensitive-fig7-absolute";
    check(name, Encoding::Plain, &["far := number"], &["true", "far <= -1"]);
    check(
        name,
        Encoding::FlowSensitive,
        &["far := number", "side := -1", "[far]"],
        &["number <= -1", "number <= -1 && far <= -1", "far <= -1 && side == -1", "far <= -1"],
    );
}

#[test]
fn one_of_two_equal_assignments_is_enough() {
    for encoding in [Encoding::Plain, Encoding::FlowSensitive] {
        check("draft-3.1-twice", encoding, &["level := 7"], &["true", "level == 7"]);
    }
}

#[test]
fn the_judge_refutes_what_is_wrong() {
    let name = "flow-sensitive-fig7-absolute";
    let text = std::fs::read_to_string(format!("../../corpus/papers/{name}.bpl")).unwrap();
    with_failure(&text, |failure, context| {
        let right = error_invariants(failure, Encoding::FlowSensitive, context).unwrap();
        let judge = |claims: &ErrorInvariants| check_error_invariants(failure, claims, context);
        assert_eq!(judge(&right), Judgement::Confirmed);
        let is_refuted = |claims: &ErrorInvariants| matches!(judge(claims), Judgement::Refuted(_));
        // Too weak: it does not exclude the property, or not the way to it.
        for number in 0..right.intervals.len() {
            for part in 0..right.intervals[number].invariant.len() {
                let mut wrong = right.clone();
                wrong.intervals[number].invariant.remove(part);
                assert!(is_refuted(&wrong), "{number} {part}");
            }
        }
        // Too strong: it does not hold.
        let mut wrong = right.clone();
        let nothing = wrong.terms.bool(false);
        wrong.intervals[1].invariant.push(nothing);
        assert!(is_refuted(&wrong));
        // A statement that is needed is left out.
        let mut wrong = right.clone();
        wrong.kept.remove(0);
        let first = wrong.intervals.remove(0);
        wrong.intervals[0].positions.0 = first.positions.0;
        assert!(is_refuted(&wrong));
        // The flow-insensitive answer is no flow-sensitive one.
        let mut wrong = error_invariants(failure, Encoding::Plain, context).unwrap();
        wrong.encoding = Encoding::FlowSensitive;
        assert!(is_refuted(&wrong));
    });
}
