//! The simplest inputs that drive a trace.

use std::time::Duration;

use failure::{Inputs, Replay, Trace, replay, simplest_inputs, simplest_value, symbolic};
use program::Program;
use program::interpret::{Machine, Zeros};
use solver::{Answer, Model, Reason, Solver, Z3};
use term::number::IBig;
use term::{Code, Sort, Term, Terms, Value};

use crate::random::Random;
use crate::{procedure, read, z3};

/// The trace of the only path through `main` that reaches its assertion and violates it.
fn failing_trace(program: &Program) -> Trace {
    let main = procedure(program, "main");
    let mut machine = Machine::new(program, main, &mut Zeros);
    let mut path = Vec::new();
    while machine.location() != Program::ERROR {
        let edges = &program.location(machine.location()).edges;
        let edge =
            *edges.iter().find(|&&e| program.edge(e).to == Program::ERROR).unwrap_or(&edges[0]);
        path.push(edge);
        machine.take(edge, &mut Zeros);
    }
    Trace::from_path(program, main, &path)
}

fn simplest(program: &Program) -> (Trace, Option<Inputs>) {
    let trace = failing_trace(program);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut z3(), &trace, &run);
    (trace, inputs)
}

/// The values of the parameters of `main` and of the havocs, in order.
fn values(text: &str) -> Option<String> {
    let program = read(text);
    let (trace, inputs) = simplest(&program);
    let inputs = inputs?;
    assert!(matches!(replay(&program, &trace, &inputs), Replay::Completed { .. }), "{text}");
    let parameters = &program.procedure(trace.entry).parameters;
    let zero = |v: Term| Value::zero(program.terms.sort(v));
    let initial = parameters.iter().map(|v| inputs.initial.get(v).cloned().unwrap_or(zero(*v)));
    let all: Vec<String> = initial.chain(inputs.havocs).map(|value| value.to_string()).collect();
    Some(all.join(" "))
}

#[test]
fn small_values_are_preferred() {
    let main = |condition: &str| {
        values(&format!("procedure main(x: int, y: int) {{ assert !({condition}); }}"))
    };
    assert_eq!(main("true").unwrap(), "0 0");
    assert_eq!(main("x != 0").unwrap(), "1 0");
    assert_eq!(main("x < 0").unwrap(), "-1 0");
    assert_eq!(main("x == 17 || x == -17 || x == 18").unwrap(), "17 0");
    assert_eq!(main("x == -16 || x == 17").unwrap(), "-16 0");
    assert_eq!(main("x > 1000000000000000000000").unwrap(), "1000000000000000000001 0");
    // The first one is as small as it can be, and only then the second.
    assert_eq!(main("x + y == 10").unwrap(), "0 10");
    assert_eq!(main("x + y == 10 && y < 8").unwrap(), "3 7");
    assert_eq!(main("x < y && y < x"), None);
}

#[test]
fn other_sorts() {
    let flag = "procedure main(b: bool, c: bool) { assert !(b || c); }";
    assert_eq!(values(flag).unwrap(), "false true");
    let real = "procedure main(r: real) { assert r == 0.0; }";
    assert_ne!(values(real).unwrap(), "0.0");
    let map = "procedure main(m: [int]int) { assert m[3] == 0; }";
    assert_ne!(values(map).unwrap(), "[else 0]");
    let bits = "function {:bvbuiltin \"bvslt\"} slt(a: bv8, b: bv8) returns (bool);
        procedure main(x: bv8) { assert !slt(x, CBV); }";
    let lowest = bits.replace("CBV", "129bv8");
    assert_eq!(values(&lowest).unwrap(), "128bv8");
    assert_eq!(values(&bits.replace("CBV", "0bv8")).unwrap(), "255bv8");
    assert_eq!(values(&bits.replace("CBV", "128bv8")), None);
}

#[test]
fn havocs_and_initial_values_of_callees() {
    let text = "var g: int;
        procedure f() returns (r: int) { var l: int; assume l > 3; r := l; havoc l; assume l == r - 9; }
        procedure main(x: int) modifies g; {
          var y: int;
          havoc y; call g := f(); havoc y; assume y > x; assert y + g != 5;
        }";
    // l@1 is 4; x, the second havoc and the third: -5 and 1, since y + 4 == 5 and y > x.
    assert_eq!(values(text).unwrap(), "0 0 -5 1");
}

/// Zero, then by magnitude, positive before negative.
fn preference(value: &Value) -> (IBig, bool) {
    let number = match value {
        Value::Int(i) => i.clone(),
        Value::BitVec(b) => IBig::from(b.signed()),
        _ => panic!("no number"),
    };
    match number < IBig::ZERO {
        true => (-number, true),
        false => (number, false),
    }
}

#[test]
fn the_simplest_inputs_by_enumeration() {
    let (mut none, mut zero, mut other) = (0, 0, 0);
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let bits = seed % 2 == 0;
        let text = condition_program(&mut random, bits);
        let program = read(&text);
        let (trace, inputs) = simplest(&program);
        // All conditions in one; the order of the symbols is that of their terms.
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let conditions: Vec<Term> =
            run.conditions(&terms, &trace).into_iter().map(|c| c.1).collect();
        let symbols = terms.variables_of(&conditions);
        let domain: Vec<Value> = match bits {
            true => crate::domain::values(&Sort::BitVec(4)),
            false => (-6..=6).map(Value::int).collect(),
        };
        let all = terms.and(&conditions);
        let code = Code::compile(&terms, &[all]);
        let mut domain = domain;
        domain.sort_by_key(preference);
        let best = first(&symbols, &domain, &mut Vec::new(), &mut |values| {
            let of = &mut |v| Some(values[symbols.iter().position(|&s| s == v)?].clone());
            code.run(of).unwrap()[0].is_true()
        });
        let found = inputs.map(|inputs| {
            let mut havocs = inputs.havocs.into_iter();
            let havoc_symbols: Vec<Term> =
                (0..trace.steps.len()).filter_map(|at| run.havocs.get(&at).copied()).collect();
            let of_havoc: Vec<(Term, Value)> =
                havoc_symbols.into_iter().map(|s| (s, havocs.next().unwrap())).collect();
            let value = |s: &Term| match of_havoc.iter().find(|(symbol, _)| symbol == s) {
                Some((_, value)) => value.clone(),
                None => inputs.initial[s].clone(),
            };
            symbols.iter().map(value).collect::<Vec<Value>>()
        });
        assert_eq!(found, best, "seed {seed}\n{text}");
        match best {
            None => none += 1,
            Some(values) if values.iter().all(Value::is_zero) => zero += 1,
            Some(_) => other += 1,
        }
    }
    assert!(none > 5 && zero > 5 && other > 50, "{none} {zero} {other}");
}

/// The first values that satisfy, trying those of each symbol in the order of the domain.
fn first(
    symbols: &[Term],
    domain: &[Value],
    values: &mut Vec<Value>,
    holds: &mut dyn FnMut(&[Value]) -> bool,
) -> Option<Vec<Value>> {
    if values.len() == symbols.len() {
        return holds(values).then(|| values.clone());
    }
    for value in domain {
        values.push(value.clone());
        let found = first(symbols, domain, values, holds);
        values.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Conditions on three numbers, the last of which is a havoc.
fn condition_program(random: &mut Random, bits: bool) -> String {
    let sort = if bits { "bv4" } else { "int" };
    let mut text = String::new();
    if bits {
        text += "function {:bvbuiltin \"bvslt\"} slt(a: bv4, b: bv4) returns (bool);
            function {:bvbuiltin \"bvadd\"} add(a: bv4, b: bv4) returns (bv4);
            function {:bvbuiltin \"bvmul\"} mul(a: bv4, b: bv4) returns (bv4);\n";
    }
    text += &format!("procedure main(x: {sort}, y: {sort}) {{ var z: {sort}; havoc z;\n");
    if !bits {
        for v in ["x", "y", "z"] {
            text += &format!("assume -6 <= {v} && {v} <= 6;\n");
        }
    }
    let number = |random: &mut Random| {
        let (a, b) = (random.pick(&["x", "y", "z"]), random.pick(&["x", "y", "z"]));
        match (random.below(4), bits) {
            (0, true) => format!("add({a}, {b})"),
            (1, true) => format!("mul({a}, {}bv4)", random.below(16)),
            (2, true) => format!("{}bv4", random.below(16)),
            (0, false) => format!("({a} + {b})"),
            (1, false) => format!("({a} - 2 * {b})"),
            (2, false) => format!("({} - 5)", random.below(11)),
            _ => a.to_owned(),
        }
    };
    for _ in 0..1 + random.below(4) {
        let (a, b) = (number(random), number(random));
        text += &match (random.below(3), bits) {
            (0, _) => format!("assume {a} == {b};\n"),
            (1, _) => format!("assume {a} != {b};\n"),
            (_, true) => format!("assume slt({a}, {b});\n"),
            (_, false) => format!("assume {a} < {b};\n"),
        };
    }
    text + "assert false; }\n"
}

/// A solver that answers only the first questions.
struct Tired {
    inner: Z3,
    patience: u32,
}

impl Solver for Tired {
    fn push(&mut self) {
        self.inner.push();
    }
    fn pop(&mut self) {
        self.inner.pop();
    }
    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.inner.assert(terms, formula);
    }
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        match self.patience.checked_sub(1) {
            Some(rest) => self.patience = rest,
            None => return Answer::Unknown(Reason::TimeLimit),
        }
        self.inner.check(terms, assumptions)
    }
    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.inner.model(terms, variables)
    }
    fn core(&mut self) -> Vec<Term> {
        self.inner.core()
    }
    fn queries(&self) -> u64 {
        self.inner.queries()
    }
}

#[test]
fn a_solver_that_gives_up_costs_simplicity_but_not_truth() {
    let program = read("procedure main(x: int, y: int) { assert !(x > 5 && y < x - 20); }");
    let trace = failing_trace(&program);
    for patience in 0..20 {
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let mut solver = Tired { inner: Z3::new(Duration::from_secs(20)), patience };
        let inputs = simplest_inputs(&mut terms, &mut solver, &trace, &run);
        assert_eq!(inputs.is_some(), patience > 0);
        if let Some(inputs) = inputs {
            assert!(matches!(replay(&program, &trace, &inputs), Replay::Completed { .. }));
        }
    }
    // A value that is known to be possible stays so, if nothing else is known.
    let mut terms = Terms::new();
    let x = terms.var("x", &Sort::Int);
    let mut solver = Tired { inner: z3(), patience: 0 };
    for possible in [7, -7] {
        let value = simplest_value(&mut terms, &mut solver, &[], x, Value::int(possible));
        assert_eq!(value, Value::int(possible));
    }
}

#[test]
fn under_what_is_fixed() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.var(name, &Sort::Int));
    let (three, ten) = (terms.constant(&Value::int(3)), terms.constant(&Value::int(10)));
    let sum = terms.add(&[x, y]);
    let (fixed, total) = (terms.eq(y, three), terms.eq(sum, ten));
    let mut solver = z3();
    solver.assert(&terms, total);
    let any = simplest_value(&mut terms, &mut solver, &[], x, Value::int(100));
    assert_eq!(any, Value::int(0));
    let only = simplest_value(&mut terms, &mut solver, &[fixed], x, Value::int(7));
    assert_eq!(only, Value::int(7));
    // The solver is as it was.
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
}
