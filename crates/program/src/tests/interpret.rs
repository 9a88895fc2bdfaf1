//! What each statement does, what the oracle decides, and how executions end.

use std::collections::VecDeque;

use term::{Sort, Term, Value};

use crate::interpret::{Machine, Oracle, Outcome, Zeros, run};
use crate::testing::{Sketch, assign, assign_cell, havoc};
use crate::{EdgeId, Place, ProcedureId, Program, Statement, Stop};

/// Writes down what it is asked, and answers from lists; then zero.
#[derive(Default)]
struct Script {
    initials: Vec<(u32, Term)>,
    havocs: VecDeque<i32>,
    choices: VecDeque<usize>,
    assigned: Vec<Value>,
    /// Replaces the assigned value with this number.
    instead: Option<(usize, i32)>,
}

impl Oracle for Script {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        self.initials.push((activation, variable));
        match sort {
            Sort::Int => Value::int(10 * activation + self.initials.len() as u32),
            _ => Value::zero(sort),
        }
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        Value::number(sort, &self.havocs.pop_front().unwrap_or(0).into())
    }

    fn choose(&mut self, possible: &[EdgeId]) -> usize {
        assert!(possible.len() > 1, "there is a choice");
        self.choices.pop_front().unwrap_or(0)
    }

    fn assign(&mut self, value: Value) -> Value {
        self.assigned.push(value.clone());
        match self.instead {
            Some((at, other)) if at + 1 == self.assigned.len() => Value::int(other),
            _ => value,
        }
    }
}

fn main_of(sketch: &mut Sketch) -> ProcedureId {
    let main = sketch.builder.procedure("main");
    sketch.builder.enter_at(main);
    main
}

/// `main` is a chain of statements.
fn straight(mut sketch: Sketch, main: ProcedureId, statements: Vec<Statement>) -> Program {
    let (entry, last) = (sketch.builder.entry_of(main), sketch.builder.location(main));
    sketch.chain(main, entry, last, statements);
    sketch.ret(main, last);
    sketch.builder.finish().expect("well-formed")
}

fn execute<'p>(program: &'p Program, oracle: &mut dyn Oracle) -> (Machine<'p>, Outcome, u64) {
    let mut machine = Machine::new(program, program.entries[0], oracle);
    let mut steps = 0;
    let stop = Stop::default();
    let outcome = run(&mut machine, oracle, 10_000_000, &stop, &mut |_| steps += 1);
    (machine, outcome, steps)
}

#[test]
fn assignment_and_havoc() {
    let mut sketch = Sketch::new();
    let g = sketch.builder.global("g", &Sort::Int);
    let main = main_of(&mut sketch);
    let x = sketch.builder.local(main, "x", &Sort::Int);
    let sum = sketch.builder.terms.add(&[g, x, x]);
    let program = straight(sketch, main, vec![havoc(x), assign(g, sum), assign(x, g)]);
    let mut script = Script { havocs: [20].into(), ..Script::default() };
    let (machine, outcome, steps) = execute(&program, &mut script);
    assert_eq!((outcome, steps), (Outcome::Finished, 4));
    // `g` began with 1.
    assert_eq!(machine.value(g), Some(&Value::int(41)));
    assert_eq!(machine.value(x), Some(&Value::int(41)));
    assert_eq!(script.initials, [(0, g), (0, x)]);
    assert_eq!(script.assigned, [20, 41, 41].map(Value::int));
    assert_eq!((machine.depth(), machine.finished()), (1, true));
    assert_eq!(machine.location(), program.procedures[0].exit);
}

#[test]
fn cells_of_nested_maps() {
    let mut sketch = Sketch::new();
    let main = main_of(&mut sketch);
    let inner = Sort::array(Sort::Int, Sort::Int);
    let m = sketch.builder.local(main, "m", &Sort::array(Sort::Bool, inner.clone()));
    let copy = sketch.builder.local(main, "copy", &inner);
    let [zero, seven, nine] = [0, 7, 9].map(|n| sketch.int(n));
    let [no, yes] = [false, true].map(|b| sketch.builder.terms.bool(b));
    let row = sketch.builder.terms.select(m, yes);
    let element = sketch.builder.terms.select(row, seven);
    let hole = Place { variable: m, indices: vec![no, seven] };
    let statements = vec![
        assign_cell(m, &[yes, seven], nine),
        assign(copy, row),
        assign_cell(m, &[no, zero], element),
        assign_cell(m, &[yes, seven], seven),
        Statement::Havoc { place: hole },
        assign_cell(m, &[no, zero], zero),
    ];
    let program = straight(sketch, main, statements);
    let mut script = Script { havocs: [5].into(), ..Script::default() };
    let (machine, ..) = execute(&program, &mut script);
    // Writing the default again leaves no entry; the copy keeps the old cell.
    let value = |v| machine.value(v).expect("it has a value").to_string();
    assert_eq!(value(m), "[false := [7 := 5, else 0], true := [7 := 7, else 0], else [else 0]]");
    assert_eq!(value(copy), "[7 := 9, else 0]");
    assert_eq!(
        script.assigned,
        [Value::int(9), machine.value(copy).unwrap().clone()]
            .into_iter()
            .chain([9, 7, 5, 0].map(Value::int))
            .collect::<Vec<_>>()
    );
}

/// `(a, b) := call swap(b, a)`, where `swap` counts its calls in a global.
#[test]
fn calls_bind_parameters_and_results() {
    let mut sketch = Sketch::new();
    let count = sketch.builder.global("count", &Sort::Int);
    let main = main_of(&mut sketch);
    let [a, b] = ["a", "b"].map(|name| sketch.builder.parameter(main, name, &Sort::Int));
    let swap = sketch.builder.procedure("swap");
    let [p, q] = ["p", "q"].map(|name| sketch.builder.parameter(swap, name, &Sort::Int));
    let [r, s] = ["r", "s"].map(|name| sketch.builder.result(swap, name, &Sort::Int));
    let local = sketch.builder.local(swap, "local", &Sort::Int);
    let one = sketch.int(1);
    let more = sketch.builder.terms.add(&[count, one]);
    let (entry, last) = (sketch.builder.entry_of(swap), sketch.builder.location(swap));
    sketch.chain(swap, entry, last, vec![assign(r, p), assign(s, q), assign(count, more)]);
    sketch.ret(swap, last);
    let call = Statement::Call { callee: swap, arguments: vec![b, a], results: vec![a, b] };
    let program = straight(sketch, main, vec![call.clone(), call.clone(), call]);
    let mut script = Script::default();
    let (machine, outcome, steps) = execute(&program, &mut script);
    assert_eq!((outcome, steps), (Outcome::Finished, 3 * 5 + 1));
    // count, a and b began with 1, 2 and 3.
    let values = [count, a, b].map(|v| machine.value(v).cloned());
    assert_eq!(values, [4, 3, 2].map(|v| Some(Value::int(v))));
    // A variable of a procedure that is not active has no value.
    assert_eq!(machine.value(p), None);
    // Parameters are asked of the oracle only at the entry.
    let asked = |activation| [r, s, local].map(|v| (activation, v));
    let first = [count, a, b].map(|v| (0, v));
    assert_eq!(script.initials, [first, asked(1), asked(2), asked(3)].concat());
    // Parameters, then the assignments of the body, then results.
    assert_eq!(script.assigned[..7], [3, 2, 3, 2, 2, 3, 2].map(Value::int));
}

/// `r := if n <= 0 then 1 else n * f(n - 1)`, modulo a number so that values stay small.
fn factorial(n: i32) -> (Program, Term) {
    let mut sketch = Sketch::new();
    let main = main_of(&mut sketch);
    let result = sketch.builder.local(main, "result", &Sort::Int);
    let f = sketch.builder.procedure("f");
    let p = sketch.builder.parameter(f, "n", &Sort::Int);
    let r = sketch.builder.result(f, "r", &Sort::Int);
    let [zero, one, modulus, n] = [0, 1, 1_000_007, n].map(|v| sketch.int(v));
    let terms = &mut sketch.builder.terms;
    let (small, smaller, product) = (terms.le(p, zero), terms.sub(p, one), terms.mul(r, p));
    let product = terms.modulo(product, modulus);
    let (entry, last) = (sketch.builder.entry_of(f), sketch.builder.location(f));
    let (base, step) = (sketch.builder.location(f), sketch.builder.location(f));
    sketch.branch(entry, small, base, step);
    sketch.chain(f, base, last, vec![assign(r, one)]);
    let call = Statement::Call { callee: f, arguments: vec![smaller], results: vec![r] };
    sketch.chain(f, step, last, vec![call, assign(r, product)]);
    sketch.ret(f, last);
    let call = Statement::Call { callee: f, arguments: vec![n], results: vec![result] };
    (straight(sketch, main, vec![call]), result)
}

#[test]
fn recursion() {
    let (program, result) = factorial(6);
    assert_eq!(execute(&program, &mut Zeros).0.value(result), Some(&Value::int(720)));
}

#[test]
fn recursion_as_deep_as_memory_allows() {
    let (program, result) = factorial(100_000);
    let mut deepest = 0;
    let mut machine = Machine::new(&program, program.entries[0], &mut Zeros);
    while let Some(&edge) = machine.possible_edges().first() {
        machine.take(edge, &mut Zeros);
        deepest = deepest.max(machine.depth());
    }
    assert_eq!((machine.finished(), deepest), (true, 100_002));
    let expected = (1..=100_000u64).fold(1, |product, n| product * n % 1_000_007);
    assert_eq!(machine.value(result), Some(&Value::int(expected)));
}

#[test]
fn ways_to_end() {
    // assume 0 <= x; check x <= 9; then return, or stay forever if x is 5.
    let mut sketch = Sketch::new();
    let main = main_of(&mut sketch);
    let x = sketch.builder.parameter(main, "x", &Sort::Int);
    let [zero, five, nine] = [0, 5, 9].map(|n| sketch.int(n));
    let terms = &mut sketch.builder.terms;
    let (low, high, stay) = (terms.le(zero, x), terms.le(x, nine), terms.eq(x, five));
    let entry = sketch.builder.entry_of(main);
    let [checked, head, last] = [(); 3].map(|()| sketch.builder.location(main));
    sketch.assume(entry, checked, low);
    sketch.branch(checked, high, head, Program::ERROR);
    sketch.branch(head, stay, head, last);
    sketch.ret(main, last);
    let program = sketch.builder.finish().expect("well-formed");

    struct Begin(i32);
    impl Oracle for Begin {
        fn initial(&mut self, _: u32, _: Term, _: &Sort) -> Value {
            Value::int(self.0)
        }
    }
    let end = |x: i32, steps: u64, stop: &Stop| {
        let mut machine = Machine::new(&program, program.entries[0], &mut Begin(x));
        let mut taken = Vec::new();
        let outcome = run(&mut machine, &mut Begin(x), steps, stop, &mut |edge| taken.push(edge.0));
        (outcome, taken)
    };
    let go = Stop::default();
    let first = program.procedures[0].entry;
    assert_eq!(end(-1, 9, &go), (Outcome::Blocked(first), vec![]));
    let failed = program.edges.iter().position(|e| e.to == Program::ERROR).unwrap() as u32;
    assert_eq!(end(10, 9, &go), (Outcome::Failed(EdgeId(failed)), vec![0, failed]));
    assert_eq!(end(3, 9, &go), (Outcome::Finished, vec![0, 1, 4, 5]));
    assert_eq!(end(5, 9, &go).0, Outcome::StepLimit);
    assert_eq!(end(5, 9, &go).1.len(), 9);
    // The limit is on steps: what ends within them has ended.
    assert_eq!(end(3, 4, &go).0, Outcome::Finished);
    assert_eq!(end(3, 3, &go).0, Outcome::StepLimit);
    assert_eq!(end(10, 2, &go).0, Outcome::Failed(EdgeId(failed)));
    assert_eq!(end(-1, 0, &go).0, Outcome::Blocked(first));

    let stop = Stop::default();
    stop.clone().request();
    assert_eq!(end(3, 9, &stop), (Outcome::Stopped, vec![]));
    // Raised while it runs.
    let stop = Stop::default();
    let mut machine = Machine::new(&program, program.entries[0], &mut Begin(5));
    let mut visit = |_| stop.request();
    let outcome = run(&mut machine, &mut Begin(5), u64::MAX, &stop, &mut visit);
    assert_eq!(outcome, Outcome::Stopped);
}

#[test]
fn the_oracle_chooses_among_possible_edges() {
    let mut sketch = Sketch::new();
    let main = main_of(&mut sketch);
    let x = sketch.builder.local(main, "x", &Sort::Int);
    let (entry, last) = (sketch.builder.entry_of(main), sketch.builder.location(main));
    let never = sketch.builder.terms.bool(false);
    let [one, two] = [1, 2].map(|n| sketch.int(n));
    sketch.assume(entry, last, never);
    sketch.add(entry, last, assign(x, one));
    sketch.add(entry, last, assign(x, two));
    sketch.ret(main, last);
    let program = sketch.builder.finish().expect("well-formed");
    // An index beyond the last means the last.
    for (choice, expected) in [(0, 1), (1, 2), (7, 2)] {
        let mut script = Script { choices: [choice].into(), ..Script::default() };
        let (machine, ..) = execute(&program, &mut script);
        assert_eq!(machine.value(x), Some(&Value::int(expected)));
    }
    let machine = Machine::new(&program, program.entries[0], &mut Zeros);
    assert_eq!(machine.possible_edges(), [EdgeId(1), EdgeId(2)]);
}

#[test]
fn what_if_a_value_had_been_another() {
    let (program, result) = factorial(3);
    // Assigned are n = 3, 2, 1, 0, then r = 1, and so on.
    for (at, other, expected) in [(0, 4, 24), (3, -1, 6), (4, 5, 30)] {
        let mut script = Script { instead: Some((at, other)), ..Script::default() };
        let (machine, ..) = execute(&program, &mut script);
        assert_eq!(machine.value(result), Some(&Value::int(expected)), "{at} {other}");
    }
}

#[test]
fn a_clone_of_a_machine_is_another_state() {
    let (program, result) = factorial(3);
    let mut machine = Machine::new(&program, program.entries[0], &mut Zeros);
    let edge = machine.possible_edges()[0];
    machine.take(edge, &mut Zeros);
    let (before, location) = (machine.clone(), machine.location());
    run(&mut machine, &mut Zeros, 100, &Stop::default(), &mut |_| {});
    assert_eq!(machine.value(result), Some(&Value::int(6)));
    assert_eq!((before.location(), before.depth()), (location, 2));
}
