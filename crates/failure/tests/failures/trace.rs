//! A path as straight-line code.

use std::collections::BTreeSet;
use std::sync::Arc;

use failure::{Action, Inputs, Part, Replay, Trace, replay, symbolic};
use program::interpret::{Machine, Oracle, Outcome, Zeros, run};
use program::{EdgeId, Place, Program, Stop};
use rustc_hash::FxHashMap;
use solver::Model;
use term::{ArrayValue, Sort, Term, Value};

use crate::random::{self, Numbers, Random};
use crate::{procedure, read, texts, variable};

/// The trace of the execution that begins at `main` with zeros and takes first edges.
fn trace_of(program: &Program) -> Trace {
    let main = procedure(program, "main");
    let mut machine = Machine::new(program, main, &mut Zeros);
    let mut path = Vec::new();
    run(&mut machine, &mut Zeros, 10_000, &Stop::default(), &mut |edge| path.push(edge));
    Trace::from_path(program, main, &path)
}

/// The steps in words: depth, part, site, action.
fn words(program: &Program, trace: &Trace) -> Vec<String> {
    let name = |v: Term| {
        let (activation, variable) = trace.origin(v);
        format!("{}{}", program.name(variable), "'".repeat(activation as usize))
    };
    let number = |t: Term| match trace.terms.value(t) {
        Some(value) => value.to_string(),
        None if trace.terms.is_var(t) => name(t),
        None => {
            let variables: Vec<String> =
                trace.terms.variables_of(&[t]).into_iter().map(name).collect();
            format!("…{}…", variables.join(" "))
        }
    };
    let step = |step: &failure::Step| {
        let part = match step.part {
            Part::Whole | Part::Temporary | Part::Input => String::new(),
            Part::Argument(n) => format!(" argument {n}"),
            Part::Result(n) => format!(" result {n}"),
        };
        let action = match &step.action {
            Action::Assign { place, value } => {
                format!("{} := {}", name(place.variable), number(*value))
            }
            Action::Havoc { place } => format!("havoc {}", name(place.variable)),
            Action::Assume { condition } => format!("assume {}", number(*condition)),
        };
        format!("{}{part} [{}] {action}", step.frame.depth, program.site(step.site).text)
    };
    trace.steps.iter().map(step).collect()
}

#[test]
fn calls_are_bindings_in_order() {
    let program = read(
        "procedure two(a: int, b: int) returns (r: int, s: int) { r := b; s := a; }
         procedure main() { var x, y: int; x := 1; call x, y := two(x, 7); assert x == 1; }",
    );
    let trace = trace_of(&program);
    assert_eq!(
        words(&program, &trace),
        [
            "0 [x := 1] x := 1",
            "0 argument 0 [call x, y := two(x, 7)] a' := x",
            "0 argument 1 [call x, y := two(x, 7)] b' := 7",
            "1 [r := b] r' := b'",
            "1 [s := a] s' := a'",
            "0 result 0 [call x, y := two(x, 7)] x := r'",
            "0 result 1 [call x, y := two(x, 7)] y := s'",
            "0 [assert x == 1] assume …x…",
        ]
    );
    // The bindings of results are at the edge that returns.
    let at: Vec<u32> = trace.steps.iter().map(|step| step.at).collect();
    assert_eq!(at, [0, 1, 1, 2, 3, 4, 4, 5]);
    assert_eq!(trace.path.len(), 6);
}

#[test]
fn each_activation_has_its_variables_and_globals_are_shared() {
    let program = read(
        "var g: int;
         procedure down(n: int) returns (r: int) modifies g; {
           var l: int;
           l := n; g := g + 1;
           if (n > 0) { call r := down(n - 1); }
           r := l;
         }
         procedure main() modifies g; { var n: int; call n := down(1); call n := down(0); }",
    );
    let trace = trace_of(&program);
    let found = words(&program, &trace);
    let expected = [
        "0 argument 0 [call n := down(1)] n' := 1",
        "1 [l := n] l' := n'",
        "1 [g := g + 1] g := …g…",
        "1 [n > 0] assume …n'…",
        "1 argument 0 [call r := down(n - 1)] n'' := …n'…",
        "2 [l := n] l'' := n''",
        "2 [g := g + 1] g := …g…",
        "2 [n > 0] assume …n''…",
        "2 [r := l] r'' := l''",
        "1 result 0 [call r := down(n - 1)] r' := r''",
        "1 [r := l] r' := l'",
        "0 result 0 [call n := down(1)] n := r'",
        "0 argument 0 [call n := down(0)] n''' := 0",
        "1 [l := n] l''' := n'''",
        "1 [g := g + 1] g := …g…",
        "1 [n > 0] assume …n'''…",
        "1 [r := l] r''' := l'''",
        "0 result 0 [call n := down(0)] n := r'''",
    ];
    assert_eq!(found, expected);
    let g = variable(&program, None, "g");
    assert!(trace.steps.iter().filter_map(|s| s.action.place()).any(|p| p.variable == g));
    assert_eq!(trace.origin(g), (0, g));
    let names: BTreeSet<&str> = trace
        .steps
        .iter()
        .filter_map(|step| trace.terms.name(step.action.place()?.variable))
        .collect();
    let expected = ["g", "l@1", "l@2", "l@3", "main:n", "n@1", "n@2", "n@3", "r@1", "r@2", "r@3"];
    assert_eq!(names, BTreeSet::from(expected));
}

#[test]
fn variables_of_one_name_stay_apart() {
    // As a front end of a language with nested scopes writes them. One global looks like a copy.
    let program = read(
        "var {:name \"x@1\"} global: int;
         procedure f(p: int) returns (r: int) modifies global; {
           var {:name \"x\"} outer: int; var {:name \"x\"} inner: int; var {:name \"x\"} flag: bool;
           global := 5; outer := p; inner := outer + 1; flag := inner > outer;
           inner := inner + 1; outer := outer + inner;
           r := outer + inner;
           if (flag) { r := r + global; }
         }
         procedure main() modifies global; { var x: int; call x := f(10); call x := f(x); assert x == 0; }",
    );
    let trace = trace_of(&program);
    let f = procedure(&program, "f");
    for activation in [1, 2] {
        let assigned: BTreeSet<Term> = trace
            .steps
            .iter()
            .filter_map(|step| Some(step.action.place()?.variable))
            .filter(|&v| trace.origin(v).0 == activation)
            .collect();
        assert_eq!(assigned.len(), program.procedure(f).variables().count());
    }
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let x = variable(&program, Some("main"), "x");
    // 10, 11, 12, 22: 34 + 5; then 39, 40, 41, 80: 121 + 5.
    let value = run.before(trace.steps.len(), x);
    assert_eq!(terms.value(value), Some(&Value::int(126)));
    let Replay::Completed { assigned } = replay(&program, &trace, &Inputs::default()) else {
        panic!("the path is possible")
    };
    assert_eq!(assigned.last(), Some(&Value::int(126)));
}

#[test]
fn a_path_through_jumps_has_only_its_statements() {
    let program = read(
        "procedure main() { var x: int; goto B;
         A: x := x + 1; goto C; B: x := 2; goto A; C: assert x == 0; }",
    );
    let trace = trace_of(&program);
    assert_eq!(texts(&program, &trace.path), ["x := 2", "x := x + 1", "assert x == 0"]);
    assert_eq!(trace.path.len(), trace.steps.len());
}

#[test]
fn what_an_action_reads() {
    let program = read(
        "var m: [int]int; var i, x: int;
         procedure main() modifies m, x; { m[i] := x; m[0] := {:havoc} 0; havoc x; x := m[i]; m := m[0 := x]; }",
    );
    let trace = trace_of(&program);
    let reads = |at: usize| -> Vec<&str> {
        let reads = trace.steps[at].reads(&trace.terms);
        let mut names: Vec<&str> = reads.into_iter().map(|v| program.name(v)).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(reads(0), ["i", "m", "x"]);
    assert_eq!(reads(1), ["m"]);
    assert_eq!(reads(2), [""; 0]);
    assert_eq!(reads(3), ["i", "m"]);
    assert_eq!(reads(4), ["m", "x"]);
}

/// Answers at random and remembers all it said and saw.
struct Dice {
    random: Random,
    initial: FxHashMap<(u32, Term), Value>,
    havocs: Vec<Value>,
    assigned: Vec<Value>,
}

impl Dice {
    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.one_in(2)),
            Sort::Array(array) => {
                let mut map = ArrayValue::new(array.index.clone(), self.value(&array.element));
                for _ in 0..self.random.below(3) {
                    let (index, element) = (self.value(&array.index), self.value(&array.element));
                    map.set(index, element);
                }
                Value::Array(Arc::new(map))
            }
            _ => Value::number(sort, &(self.random.below(9) as i32 - 4).into()),
        }
    }
}

impl Oracle for Dice {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        let value = self.value(sort);
        self.initial.insert((activation, variable), value.clone());
        value
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        let value = self.value(sort);
        self.havocs.push(value.clone());
        value
    }

    fn choose(&mut self, possible: &[EdgeId]) -> usize {
        self.random.below(possible.len())
    }

    fn assign(&mut self, value: Value) -> Value {
        self.assigned.push(value.clone());
        value
    }
}

#[test]
fn symbolic_execution_agrees_with_the_interpreter() {
    let (mut longest, mut deepest, mut cells, mut havocs) = (0, 0, 0, 0);
    for seed in 0..400 {
        let numbers = if seed % 4 == 0 { Numbers::Bits } else { Numbers::Ints };
        let text = random::program(seed, numbers);
        let program = read(&text);
        let main = procedure(&program, "main");
        for run_seed in 0..4 {
            let mut dice = Dice {
                random: Random::new(seed * 7 + run_seed),
                initial: FxHashMap::default(),
                havocs: Vec::new(),
                assigned: Vec::new(),
            };
            let mut machine = Machine::new(&program, main, &mut dice);
            let mut path = Vec::new();
            let stop = Stop::default();
            let visit = &mut |edge| path.push(edge);
            let outcome = run(&mut machine, &mut dice, 2_000, &stop, visit);
            assert_ne!(outcome, Outcome::StepLimit, "seed {seed}\n{text}");
            let trace = Trace::from_path(&program, main, &path);
            longest = longest.max(trace.steps.len());
            deepest = deepest.max(trace.steps.iter().map(|s| s.frame.depth).max().unwrap_or(0));
            let is_cell = |s: &&failure::Step| {
                s.action.place().is_some_and(|place| !place.indices.is_empty())
            };
            cells += trace.steps.iter().filter(is_cell).count();
            havocs += dice.havocs.len();
            compare(&program, &trace, &dice, &machine, &format!("seed {seed}\n{text}"));
        }
    }
    assert!(longest > 50 && deepest > 2 && cells > 100 && havocs > 100);
}

fn compare(program: &Program, trace: &Trace, dice: &Dice, end: &Machine<'_>, here: &str) {
    let mut terms = trace.terms.clone();
    let roots: Vec<Term> = trace
        .steps
        .iter()
        .flat_map(|s| s.action.operands().chain(s.action.place().map(|p| p.variable)))
        .chain(program.globals.iter().copied())
        .collect();
    // What the oracle said, in terms of the trace.
    let mut inputs = Inputs { initial: FxHashMap::default(), havocs: dice.havocs.clone() };
    for symbol in terms.variables_of(&roots) {
        if let Some(value) = dice.initial.get(&trace.origin(symbol)) {
            inputs.initial.insert(symbol, value.clone());
        }
    }
    let completed = Replay::Completed { assigned: dice.assigned.clone() };
    assert_eq!(replay(program, trace, &inputs), completed, "{here}");

    // Once over symbols, evaluated afterwards; once with constants from the beginning.
    let open = symbolic::execute(&mut terms, trace);
    let mut model = Model::default();
    for (&symbol, value) in &inputs.initial {
        model.set(symbol, value.clone());
    }
    let mut fixed = trace.clone();
    let mut havocs = dice.havocs.iter();
    for (at, step) in fixed.steps.iter_mut().enumerate() {
        if let Action::Havoc { place } = &step.action {
            let value = havocs.next().unwrap();
            model.set(open.havocs[&at], value.clone());
            step.action = Action::Assign { place: place.clone(), value: terms.constant(value) };
        }
    }
    assert!(havocs.next().is_none() && open.havocs.len() == dice.havocs.len(), "{here}");
    let initial =
        inputs.initial.iter().map(|(&symbol, value)| (symbol, terms.constant(value))).collect();
    let closed = symbolic::execute_from(&mut terms, &fixed, &initial);

    let mut assigned = dice.assigned.iter();
    for (at, step) in trace.steps.iter().enumerate() {
        let Some(place) = step.action.place() else {
            assert!(terms.is_true(closed.results[at]), "step {at}, {here}");
            assert!(model.evaluate(&terms, open.results[at]).is_true(), "step {at}, {here}");
            continue;
        };
        let expected = assigned.next().unwrap();
        for run in [&closed, &open] {
            let cell = Place { variable: run.results[at], indices: run.indices[at].clone() };
            assert_eq!(cell.indices.len(), place.indices.len());
            let cell = cell.read(&mut terms);
            let value = model.evaluate(&terms, cell);
            assert!(value.same(expected), "step {at}: {value}, not {expected}, {here}");
        }
        assert!(terms.value(closed.results[at]).is_some(), "step {at}, {here}");
        // The history knows the value from the next step on, and not before.
        assert_eq!(open.before(at + 1, place.variable), open.results[at]);
        let before = trace.steps[..at].iter().rposition(|earlier| {
            earlier.action.place().is_some_and(|p| p.variable == place.variable)
        });
        let old = before.map_or(place.variable, |before| open.results[before]);
        assert_eq!(open.before(at, place.variable), old);
    }
    assert!(assigned.next().is_none(), "{here}");
    for &global in &program.globals {
        let last = open.before(trace.steps.len(), global);
        let value = model.evaluate(&terms, last);
        assert!(value.same(end.value(global).unwrap()), "{here}");
    }
}
