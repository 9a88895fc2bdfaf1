//! Trees of causes: their judge, their slice, and what holds of every tree.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::cascade::{Cascade, Condition, Evidence, InfluenceKind, Strength, cascade};
use localize::check::{Judgement, check_cascade, confirm_influences};
use localize::flow::{Flow, spots};
use localize::slice::{Omissions, slice};
use localize::{Context, Settings};
use program::{Program, Stop};
use solver::{Solver, Z3};

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// Runs a test with the first failure of a program.
fn with_failure(text: &str, test: impl FnOnce(&Failure<'_>, Context<'_>)) {
    let program: Program = boogie::read("test.bpl", text).unwrap();
    let stop = Stop::default();
    let found = search(&program, &mut *solvers(), SearchLimits::default(), &stop);
    let (entry, path) = found.paths.first().unwrap();
    let trace = Trace::from_path(&program, *entry, path);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut *solvers(), &trace, &run).unwrap();
    let failure = Failure::new(&program, trace, inputs).unwrap();
    test(&failure, Context { solvers: &solvers, stop: &stop, settings: &Settings::default() });
}

/// The texts of the statements of a cause.
fn texts(failure: &Failure<'_>, tree: &Cascade, cause: usize) -> Vec<String> {
    let text = |&step: &usize| {
        failure.program.site(failure.trace.steps[step].site).text.trim_end_matches(';').to_owned()
    };
    tree.causes[cause].steps.iter().map(text).collect()
}

const LOOP: &str = "procedure main() {
    var i, n, sum, unused: int;
    n := 4;
    sum := 0;
    unused := 7;
    i := 0;
    while (i < n) {
        if (i == 2) { sum := sum + 10; } else { unused := i; }
        sum := sum + i;
        i := i + 1;
    }
    assert sum == 6;
}";

const CALLS: &str = "var last: int;
procedure note(x: int) returns (r: int)
  modifies last;
{
    if (x > 3) { last := x; }
    r := x + 1;
}
procedure main()
  modifies last;
{
    var a, b, c: int;
    last := 0;
    call a := note(2);
    c := a;
    call b := note(c);
    if (b != 4) { b := 0; }
    assert last + b == 9;
}";

/// `x` is tested twice, so the second test could only go as it did.
const PREMISE: &str = "procedure main(x: int) {
    var y, z: int;
    z := x;
    y := 0;
    if (x > 5) { y := 1; }
    if (y == 1) { assert x <= 5; }
}";

const MAPS: &str = "procedure main() {
    var m: [int]int;
    var i, k: int;
    i := 3;
    m[i] := 4;
    m[2] := 5;
    k := i + 0;
    k := k;
    if (m[2] == 5) { m[k] := 6; }
    assert m[3] == 4;
}";

const PROGRAMS: &[&str] = &[LOOP, CALLS, PREMISE, MAPS];

/// The slice as it is defined: the smallest set that is closed.
fn naive(flow: &Flow<'_>, omissions: Omissions) -> BTreeSet<usize> {
    let steps = &flow.failure.trace.steps;
    let mut set = BTreeSet::from([steps.len() - 1]);
    loop {
        let before = set.len();
        for at in set.clone() {
            set.extend(flow.guard(at));
            for &variable in flow.reads(at) {
                let definition = flow.definition(variable, at);
                set.extend(definition);
                if omissions == Omissions::Ignored {
                    continue;
                }
                let (spot, activation) = flow.spot(variable);
                let between =
                    steps.iter().enumerate().take(at).skip(definition.map_or(0, |d| d + 1));
                for (decision, step) in between {
                    let own = activation.is_none_or(|a| step.frame.activation == a);
                    let might = |omitted| spots(omitted).any(|other| other == spot);
                    if own
                        && flow.is_decision(decision)
                        && flow.omitted(decision).is_some_and(might)
                    {
                        set.insert(decision);
                    }
                }
            }
        }
        if set.len() == before {
            return set;
        }
    }
}

#[test]
fn slices_are_the_smallest_closed_sets() {
    for text in PROGRAMS {
        with_failure(text, |failure, _| {
            let flow = Flow::of(failure);
            for omissions in [Omissions::Ignored, Omissions::Followed] {
                let fast = slice(&flow, omissions);
                let fast: BTreeSet<usize> = (0..fast.len()).filter(|&at| fast[at]).collect();
                assert_eq!(fast, naive(&flow, omissions), "{omissions:?} of {text}");
            }
        });
    }
}

#[test]
fn a_tree_is_within_the_slice_and_confirmed() {
    for text in PROGRAMS {
        with_failure(text, |failure, context| {
            let flow = Flow::of(failure);
            let slice = slice(&flow, Omissions::Followed);
            let mut tree = cascade(failure, context);
            assert_eq!(tree.incomplete, None);
            for cause in &tree.causes {
                assert!(cause.steps.iter().all(|&step| slice[step]), "{cause:?} of {text}");
                if let Condition::Held(step) | Condition::Address(step) = cause.condition {
                    assert!(slice[step], "{cause:?} of {text}");
                }
            }
            for judgement in check_cascade(failure, &tree, context) {
                assert_eq!(judgement, Judgement::Confirmed, "{text}");
            }
            confirm_influences(failure, &mut tree, context);
            let influences = tree.causes.iter().flat_map(|cause| &cause.influences);
            assert!(influences.clone().any(|i| i.strength == Strength::Confirmed), "{text}");
        });
    }
}

#[test]
fn instances_of_a_loop_are_on_one_level() {
    with_failure(LOOP, |failure, context| {
        let tree = cascade(failure, context);
        assert_eq!(
            texts(failure, &tree, 0).iter().map(String::as_str).collect::<BTreeSet<_>>(),
            BTreeSet::from([
                "sum := 0",
                "sum := sum + 10",
                "sum := sum + i",
                "i := 0",
                "i := i + 1"
            ])
        );
        let levels: BTreeSet<u32> = tree.causes.iter().map(|cause| cause.level).collect();
        assert_eq!(levels, BTreeSet::from([0, 1]));
    });
}

#[test]
fn an_omission_in_a_callee_is_indirect() {
    with_failure(CALLS, |failure, context| {
        let tree = cascade(failure, context);
        let indirect: Vec<String> = tree.causes[0]
            .influences
            .iter()
            .filter(|influence| influence.kind == InfluenceKind::Indirect)
            .filter_map(|influence| match tree.causes[influence.cause].condition {
                Condition::Held(step) => {
                    Some(failure.program.site(failure.trace.steps[step].site).text.clone())
                }
                _ => None,
            })
            .collect();
        assert_eq!(indirect, ["x > 3", "x > 3", "b != 4"]);
    });
}

#[test]
fn a_condition_that_was_tested_before_is_a_premise() {
    with_failure(PREMISE, |failure, context| {
        let tree = cascade(failure, context);
        let Evidence::Core { premises, .. } = &tree.causes[0].evidence else { panic!() };
        assert_eq!(premises.len(), 1);
        let text = |step: usize| &failure.program.site(failure.trace.steps[step].site).text;
        assert_eq!(text(premises[0]), "x > 5");
        assert_eq!(tree.causes[0].influences[0].kind, InfluenceKind::Direct);
    });
}

fn is_confirmed(failure: &Failure<'_>, tree: &Cascade, context: Context<'_>) -> bool {
    let judgements = check_cascade(failure, tree, context);
    judgements.iter().all(|judgement| *judgement == Judgement::Confirmed)
}

#[test]
fn before_the_first_step_is_not_at_the_beginning() {
    // `x < 5` is needed, although `x` is known at the beginning: the contradiction is found before that.
    let text = "procedure main(x: int) {
        var limit: int;
        limit := 10;
        if (x < 5) { assert x >= limit; }
    }";
    with_failure(text, |failure, context| {
        let tree = cascade(failure, context);
        let Evidence::Core { from, premises } = &tree.causes[0].evidence else { panic!() };
        assert_eq!((*from, premises.len()), (Some(0), 1));
        assert!(is_confirmed(failure, &tree, context));
    });
}

#[test]
fn a_condition_of_many_parameters_is_about_the_beginning() {
    let names: Vec<String> = (0..70).map(|number| format!("x{number}")).collect();
    let text = format!(
        "procedure main({}: int) {{
            var unused, y, z: int;
            unused := 3;
            y := 1;
            z := y + 1;
            assert z + {} < 2;
        }}",
        names.join(", "),
        names.join(" + ")
    );
    with_failure(&text, |failure, context| {
        let tree = cascade(failure, context);
        assert!(matches!(tree.causes[0].evidence, Evidence::Core { from: None, .. }));
        assert!(is_confirmed(failure, &tree, context));
    });
}

#[test]
fn wrong_causes_are_refuted() {
    with_failure(LOOP, |failure, context| {
        let tree = cascade(failure, context);
        // Without one of its steps, the condition need not hold.
        let mut wrong = tree.clone();
        wrong.causes[0].steps.pop();
        assert!(matches!(check_cascade(failure, &wrong, context)[0], Judgement::Refuted(_)));
        // Nor from a later state on.
        let mut wrong = tree.clone();
        let Evidence::Core { from, .. } = &mut wrong.causes[0].evidence else { panic!() };
        *from = Some(failure.trace.steps.len() - 2);
        assert!(matches!(check_cascade(failure, &wrong, context)[0], Judgement::Refuted(_)));
    });
    with_failure(PREMISE, |failure, context| {
        // A premise that is not needed.
        let tree = cascade(failure, context);
        let mut wrong = tree.clone();
        let Evidence::Core { premises, .. } = &mut wrong.causes[0].evidence else { panic!() };
        let other = tree.causes.iter().find_map(|cause| match cause.condition {
            Condition::Held(step) if !premises.contains(&step) => Some(step),
            _ => None,
        });
        premises.push(other.unwrap());
        assert!(matches!(check_cascade(failure, &wrong, context)[0], Judgement::Refuted(_)));
    });
}
