//! Replays: what is a failure, and what a change does.

use failure::{
    Change, Failure, Inputs, Replay, SearchLimits, Step, Trace, replay, replay_changes, search,
    simplest_inputs, symbolic,
};
use program::interpret::{Machine, Oracle};
use program::{EdgeId, FailureKind, Program, Stop};
use rustc_hash::FxHashMap;
use term::{Sort, Term, Value};

use crate::random::{self, Numbers, Random};
use crate::{procedure, read, texts, variable, z3};

fn failures(program: &Program, traces: usize) -> Vec<Failure<'_>> {
    let limits = SearchLimits { traces, ..SearchLimits::default() };
    let found = search(program, &mut z3(), limits, &Stop::default());
    let failure = |(entry, path): &(_, Vec<EdgeId>)| {
        let trace = Trace::from_path(program, *entry, path);
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let inputs = simplest_inputs(&mut terms, &mut z3(), &trace, &run).unwrap();
        Failure::new(program, trace, inputs).unwrap()
    };
    found.paths.iter().map(failure).collect()
}

#[test]
fn a_failure_knows_its_values_and_its_property() {
    let program = read(
        "var m: [int]int;
         procedure f(p: int) returns (r: int) { r := p + 1; }
         procedure main(x: int) modifies m; {
           var y: int;
           havoc y; assume y == 4; call y := f(y); m[y] := 7; assert m[5] != 7;
         }",
    );
    let failures = failures(&program, 1);
    let values: Vec<Option<String>> =
        failures[0].values.iter().map(|v| v.as_ref().map(Value::to_string)).collect();
    let some = |text: &str| Some(text.to_owned());
    // The havoc, a condition, the argument, the body, the result, the cell, the condition.
    assert_eq!(values, [some("4"), None, some("4"), some("5"), some("5"), some("7"), None]);
    assert_eq!(program.site(failures[0].site()).text, "assert m[5] != 7");
    assert_eq!(failures[0].property.kind, FailureKind::Assertion);
}

#[test]
fn only_failing_executions_are_failures() {
    let program = read(
        "procedure main(x: int) { var y: int; havoc y; assume y > x; y := y - x; assert y > 1; }",
    );
    let failure = failures(&program, 1).remove(0);
    let Failure { trace, inputs, .. } = failure;
    let again = |path: &[EdgeId], inputs: &Inputs| {
        let trace = Trace::from_path(&program, trace.entry, path);
        Failure::new(&program, trace, inputs.clone())
    };
    let path = &trace.path[..];
    assert!(again(path, &inputs).is_some());
    // Inputs that block the path, at the assumption and at the end.
    let x = variable(&program, Some("main"), "x");
    let with = |initial: i32, havoc: i32| Inputs {
        initial: FxHashMap::from_iter([(x, Value::int(initial))]),
        havocs: vec![Value::int(havoc)],
    };
    assert!(again(path, &with(3, 4)).is_some());
    assert!(again(path, &with(3, 3)).is_none());
    assert!(again(path, &with(3, 5)).is_none());
    assert!(again(path, &Inputs::default()).is_none());
    assert_eq!(replay(&program, &trace, &with(3, 3)), Replay::Blocked { at: 1 });
    assert_eq!(replay(&program, &trace, &with(3, 5)), Replay::Blocked { at: path.len() - 1 });
    // Paths that do not reach the error, or are none.
    assert!(again(&path[..path.len() - 1], &inputs).is_none());
    assert!(again(&[], &inputs).is_none());
    assert!(again(&path[1..], &inputs).is_none());
    assert!(again(&[path[0], path[2], path[3]], &inputs).is_none());
    assert!(again(&[path, path].concat(), &inputs).is_none());
    let holds = program.location(program.edge(path[path.len() - 1]).from).edges.iter();
    let holds = *holds.copied().collect::<Vec<_>>().iter().find(|e| !path.contains(e)).unwrap();
    assert!(again(&[&path[..path.len() - 1], &[holds]].concat(), &with(3, 5)).is_none());
}

#[test]
fn what_is_not_given_is_zero() {
    let program = read(
        "procedure f() returns (r: int) { var l: int; r := l; havoc l; r := r + l; }
         procedure main() { var x: int; call x := f(); assert x != 0; }",
    );
    let failure = failures(&program, 1).remove(0);
    assert!(texts(&program, &failure.trace.path).contains(&"havoc l"));
    assert!(Failure::new(&program, failure.trace.clone(), Inputs::default()).is_some());
    let l = variable(&program, Some("f"), "l");
    let roots: Vec<Term> = failure.trace.steps.iter().flat_map(|s| s.action.operands()).collect();
    let of_l = failure.trace.terms.variables_of(&roots);
    let copy = *of_l.iter().find(|&&v| failure.trace.origin(v) == (1, l)).unwrap();
    let with = |variable: Term, initial: i32, havoc: i32| Inputs {
        initial: FxHashMap::from_iter([(variable, Value::int(initial))]),
        havocs: vec![Value::int(havoc)],
    };
    let is_failure =
        |inputs: Inputs| Failure::new(&program, failure.trace.clone(), inputs).is_some();
    assert!(is_failure(with(copy, 3, -3)));
    assert!(!is_failure(with(copy, 3, 3)));
    // The variable of the program is that of the first activation, which is not one of `f`.
    assert!(is_failure(with(l, 3, 0)));
}

/// Answers with inputs, and changes one assignment.
struct Naive<'a> {
    trace: &'a Trace,
    inputs: &'a Inputs,
    havocs: usize,
    assignments: usize,
    change: &'a Change,
}

impl Oracle for Naive<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        let mut initial = self.inputs.initial.iter();
        let found = initial.find(|(v, _)| self.trace.origin(**v) == (activation, variable));
        found.map_or(Value::zero(sort), |(_, value)| value.clone())
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.havocs += 1;
        self.inputs.havocs.get(self.havocs - 1).cloned().unwrap_or(Value::zero(sort))
    }

    fn assign(&mut self, value: Value) -> Value {
        self.assignments += 1;
        if self.assignments - 1 == self.change.number { self.change.value.clone() } else { value }
    }
}

/// The index of the edge that blocks, replaying from the beginning.
fn blocked(program: &Program, trace: &Trace, inputs: &Inputs, change: &Change) -> Option<usize> {
    let mut oracle = Naive { trace, inputs, havocs: 0, assignments: 0, change };
    let mut machine = Machine::new(program, trace.entry, &mut oracle);
    for (at, &edge) in trace.path.iter().enumerate() {
        if !machine.possible(edge) {
            return Some(at);
        }
        machine.take(edge, &mut oracle);
    }
    None
}

#[test]
fn changes_agree_with_replays_from_the_beginning() {
    let (mut completed, mut stopped, mut bindings, mut unable) = (0, 0, 0, 0);
    for seed in 0..150 {
        let numbers = if seed % 3 == 0 { Numbers::Bits } else { Numbers::Ints };
        let text = random::program(seed, numbers);
        let program = read(&text);
        let mut random = Random::new(seed);
        for failure in failures(&program, 2) {
            let Failure { trace, inputs, values, .. } = failure;
            let is_binding = |step: &Step| step.part != failure::Part::Whole;
            let assigning = trace.steps.iter().zip(&values).filter(|(_, value)| value.is_some());
            let mut changes = Vec::new();
            for (number, (step, value)) in assigning.enumerate() {
                for _ in 0..1 + random.below(2) {
                    let value = other(&mut random, value.as_ref().unwrap());
                    changes.push(Change { step: 0, at: step.at as usize, number, value });
                    bindings += u32::from(is_binding(step));
                }
            }
            // With other inputs the path may be blocked before, or instead.
            let mut wrong = inputs.clone();
            for value in wrong.havocs.iter_mut().chain(wrong.initial.values_mut()) {
                if random.one_in(3) {
                    *value = other(&mut random, value);
                }
            }
            for inputs in [&inputs, &wrong] {
                let found = replay_changes(&program, &trace, inputs, &changes);
                assert_eq!(found.len(), changes.len());
                for (change, found) in changes.iter().zip(found) {
                    let expected = blocked(&program, &trace, inputs, change);
                    match found {
                        Replay::Completed { .. } => completed += 1,
                        Replay::Blocked { at } if at < change.at => unable += 1,
                        Replay::Blocked { .. } => stopped += 1,
                        Replay::Unclear => panic!("a path without memory is always clear"),
                    }
                    let found = match found {
                        Replay::Blocked { at } => Some(at),
                        _ => None,
                    };
                    assert_eq!(found, expected, "seed {seed}, {change:?}\n{text}");
                }
            }
        }
    }
    let counts = (completed, stopped, bindings, unable);
    assert!(completed > 500 && stopped > 300 && bindings > 100 && unable > 50, "{counts:?}");
}

/// Another value of the same sort, most of the time.
fn other(random: &mut Random, value: &Value) -> Value {
    match value {
        Value::Bool(b) => Value::Bool(!b),
        Value::Array(map) => {
            let mut map = (**map).clone();
            let element = other(random, &map.default);
            map.set(Value::zero(&map.index), element);
            Value::Array(map.into())
        }
        _ => value.add(&Value::number(&value.sort(), &(random.below(7) as i32 - 3).into())),
    }
}

#[test]
fn a_change_of_an_argument_lasts_for_its_activation() {
    let program = read(
        "procedure f(p: int) returns (r: int) { r := 0; if (p > 0) { call r := f(p - 1); r := r + 1; } }
         procedure main() { var x: int; call x := f(2); assert x != 2; }",
    );
    let failure = failures(&program, 1).remove(0);
    let main = procedure(&program, "main");
    assert_eq!(failure.trace.entry, main);
    let assigning = failure.trace.steps.iter().filter(|s| s.action.place().is_some());
    let changes: Vec<Change> = assigning
        .enumerate()
        .map(|(number, step)| Change {
            step: 0,
            at: step.at as usize,
            number,
            value: Value::int(1),
        })
        .collect();
    let outcomes = replay_changes(&program, &failure.trace, &failure.inputs, &changes);
    let completes = |n: usize| matches!(outcomes[n], Replay::Completed { .. });
    // p' := 2, r' := 0, p'' := 1, r'' := 0, p''' := 0, r''' := 0, r'' := r''', r'' := r'' + 1, …
    let expected = [false, true, true, true, false, false, false, true, true, false, false];
    let found: Vec<bool> = (0..outcomes.len()).map(completes).collect();
    assert_eq!(found, expected);
    assert!(replay_changes(&program, &failure.trace, &failure.inputs, &[]).is_empty());
}
