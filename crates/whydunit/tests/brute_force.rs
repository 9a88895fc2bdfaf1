//! Random small programs: every verdict of relevance is compared with the definition, decided by
//! enumerating all executions.
//!
//! `WHYDUNIT_PROGRAMS=100000 cargo test --release --test brute_force` tries more of them.

use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

use failure::{Action, Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::Context;
use localize::check::{Judgement, check_relevance};
use localize::relevance::{Role, Verdict, relevance};
use program::{Stop, Trust};
use solver::{Solver, Z3};
use term::{Code, Sort, Term, Value};

#[test]
fn relevance_agrees_with_enumeration() {
    let count: u64 = std::env::var("WHYDUNIT_PROGRAMS")
        .ok()
        .map_or(2500, |n| n.parse().expect("a number of programs"));
    let threads = 2;
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    for seed in (0..count).filter(|seed| seed % threads == worker) {
                        compare(seed, &mut tally);
                    }
                    tally
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    let mut sum = Tally::default();
    for tally in tallies {
        sum.failing += tally.failing;
        sum.relevant += tally.relevant;
        sum.irrelevant += tally.irrelevant;
        sum.unknown += tally.unknown;
    }
    println!("{sum:?}");
    // The generator must make interesting programs, and the analysis must decide them.
    assert!(sum.failing * 2 > count, "{sum:?}");
    assert!(sum.relevant > count / 2 && sum.irrelevant > count / 2, "{sum:?}");
    assert_eq!(sum.unknown, 0, "{sum:?}");
}

#[derive(Debug, Default)]
struct Tally {
    failing: u64,
    relevant: u64,
    irrelevant: u64,
    unknown: u64,
}

fn compare(seed: u64, tally: &mut Tally) {
    let text = Generator::new(seed).program();
    let program =
        boogie::read("random.bpl", &text).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
    let make = || -> Box<dyn Solver> { Box::new(Z3::new(Duration::from_secs(20))) };
    let stop = Stop::default();
    let limits = SearchLimits { traces: 2, ..SearchLimits::default() };
    let found = search(&program, &mut *make(), limits, &stop);
    assert!(!found.incomplete.iter().any(|r| *r == failure::Incomplete::Solver), "seed {seed}");
    if found.paths.is_empty() {
        assert!(found.incomplete.is_empty(), "seed {seed}: {:?}", found.incomplete);
    }
    for (entry, path) in &found.paths {
        tally.failing += 1;
        let trace = Trace::from_path(&program, *entry, path);
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let inputs = simplest_inputs(&mut terms, &mut *make(), &trace, &run)
            .unwrap_or_else(|| panic!("seed {seed}: no inputs\n{text}"));
        let failure = Failure::new(&program, trace, inputs)
            .unwrap_or_else(|| panic!("seed {seed}: no replay\n{text}"));
        let context = Context { solvers: &make, stop: &stop };
        let claims = relevance(&failure, context);
        let judgements = check_relevance(&failure, &claims, context);
        let truth = enumerate(&failure.trace);
        for (claim, judgement) in claims.steps.iter().zip(judgements) {
            let step = &failure.trace.steps[claim.step];
            let here = format!(
                "seed {seed}, step {} `{}`: {:?}\n{text}",
                claim.step,
                program.site(step.site).text,
                claim.verdict
            );
            let expected = truth[claim.step];
            match &claim.verdict {
                Verdict::Relevant { role, .. } => {
                    tally.relevant += 1;
                    assert_eq!(expected, Some(*role), "{here}");
                }
                Verdict::Irrelevant(_) => {
                    tally.irrelevant += 1;
                    assert_eq!(expected, None, "{here}");
                }
                Verdict::Unknown(_) => tally.unknown += 1,
            }
            assert_eq!(judgement, Judgement::Confirmed, "{here}");
        }
        let asked =
            failure.trace.steps.iter().filter(|s| {
                s.action.place().is_some() && program.site(s.site).trust == Trust::User
            });
        assert_eq!(asked.count(), claims.steps.len(), "seed {seed}");
    }
}

type State = Vec<Value>;

/// For each step: its role if it is relevant, by enumeration of all states.
fn enumerate(trace: &Trace) -> Vec<Option<Role>> {
    let roots: Vec<Term> = trace
        .steps
        .iter()
        .flat_map(|s| s.action.operands().chain(s.action.place().map(|p| p.variable)))
        .collect();
    let variables = trace.terms.variables_of(&roots);
    let mut states: Vec<State> = vec![Vec::new()];
    for &variable in &variables {
        let domain = domain(trace.terms.sort(variable));
        states = states
            .iter()
            .flat_map(|s| domain.iter().map(|v| [s.as_slice(), std::slice::from_ref(v)].concat()))
            .collect();
    }
    let index = |v: Term| variables.iter().position(|w| *w == v).unwrap();
    // The successors of a state under a step; under `x := v` for all v if `any`.
    let successors = |state: &State, action: &Action, any: bool| -> Vec<State> {
        let roots: Vec<Term> = action.operands().collect();
        let code = Code::compile(&trace.terms, &roots);
        let values = code.run(&mut |v| Some(state[index(v)].clone())).unwrap();
        let Some(place) = action.place() else {
            return if values[0].is_true() { vec![state.clone()] } else { Vec::new() };
        };
        let at = index(place.variable);
        let elements = match action {
            Action::Assign { .. } if !any => vec![values[place.indices.len()].clone()],
            _ => domain(&place.sort(&trace.terms)),
        };
        let write = |element: Value| {
            let mut next = state.clone();
            next[at] = match (&state[at], &place.indices[..]) {
                (Value::Array(map), [_]) => {
                    let mut map = (**map).clone();
                    map.set(values[0].clone(), element);
                    canonical(&map)
                }
                _ => element,
            };
            next
        };
        elements.into_iter().map(write).collect()
    };
    let mut reachable: Vec<HashSet<State>> = vec![states.iter().cloned().collect()];
    for step in &trace.steps {
        let last = reachable.last().unwrap();
        let next = last.iter().flat_map(|s| successors(s, &step.action, false)).collect();
        reachable.push(next);
    }
    let mut coreachable: Vec<HashSet<State>> = vec![states.iter().cloned().collect()];
    for step in trace.steps.iter().rev() {
        let last = coreachable.last().unwrap();
        let completes =
            |s: &&State| successors(s, &step.action, false).iter().any(|n| last.contains(n));
        let before = states.iter().filter(completes).cloned().collect();
        coreachable.push(before);
    }
    coreachable.reverse();
    assert!(!reachable.last().unwrap().is_empty(), "the trace is feasible");
    let mut roles = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        let both: Vec<&State> =
            reachable[at].iter().filter(|s| coreachable[at].contains(*s)).collect();
        let escapes = |any: bool| {
            both.iter().any(|s| {
                successors(s, &step.action, any).iter().any(|n| !coreachable[at + 1].contains(n))
            })
        };
        let relevant = step.action.place().is_some() && escapes(true);
        let role = if escapes(false) { Role::Admitting } else { Role::Enforcing };
        roles.push(relevant.then_some(role));
    }
    roles
}

fn domain(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1u128 << width).map(|b| Value::bitvec(*width, b)).collect(),
        Sort::Array(array) => {
            let elements = domain(&array.element);
            let mut maps =
                vec![term::ArrayValue::new(array.index.clone(), Value::zero(&array.element))];
            for index in domain(&array.index) {
                maps = maps
                    .iter()
                    .flat_map(|map| {
                        elements.iter().map(|e| {
                            let mut map = map.clone();
                            map.set(index.clone(), e.clone());
                            map
                        })
                    })
                    .collect();
            }
            maps.iter().map(canonical).collect()
        }
        Sort::Int | Sort::Real => panic!("infinite"),
    }
}

/// A map with zero as default, so that equal maps look the same.
fn canonical(map: &term::ArrayValue) -> Value {
    let zero = Value::zero(&map.default.sort());
    let mut result = term::ArrayValue::new(map.index.clone(), zero);
    for index in domain(&map.index) {
        result.set(index.clone(), map.get(&index).clone());
    }
    Value::Array(std::sync::Arc::new(result))
}

/// Random programs over two to three bit-vectors, a flag and sometimes a small map.
struct Generator {
    state: u64,
    width: u32,
    numbers: Vec<&'static str>,
    map: bool,
    statements: u32,
    calls: bool,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator = Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
            width: 3,
            numbers: vec!["x", "y", "z"],
            map: false,
            statements: 0,
            calls: false,
        };
        for _ in 0..8 {
            generator.next();
        }
        if generator.below(3) == 0 {
            generator.width = 4;
            generator.numbers.pop();
        } else if generator.below(3) == 0 {
            generator.width = 2;
            generator.map = true;
        }
        if generator.below(5) == 0 {
            generator.calls = true;
            generator.width = 2;
            generator.map = false;
            generator.numbers = vec!["x", "y"];
        }
        generator
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 16) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn program(&mut self) -> String {
        let w = self.width;
        let mut text = String::new();
        for name in ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "udiv", "srem"] {
            let _ = writeln!(
                text,
                "function {{:bvbuiltin \"bv{name}\"}} {name}(a: bv{w}, b: bv{w}) returns (bv{w});"
            );
        }
        for name in ["ult", "ule", "slt", "sle"] {
            let _ = writeln!(
                text,
                "function {{:bvbuiltin \"bv{name}\"}} {name}(a: bv{w}, b: bv{w}) returns (bool);"
            );
        }
        let names = self.numbers.join(", ");
        let _ = writeln!(text, "var {names}: bv{w};\nvar b: bool;");
        if self.map {
            let _ = writeln!(text, "var m: [bool]bv{w};");
        }
        if self.calls {
            let body = self.number(1);
            let _ = writeln!(
                text,
                "procedure f(p: bv{w}) returns (r: bv{w}) {{ r := {body}; if (b) {{ r := add(r, p); }} }}"
            );
        }
        let _ = writeln!(text, "procedure main() {{");
        let count = 2 + self.below(6) as u32;
        self.statements = count;
        while self.statements > 0 {
            let statement = self.statement(2);
            text += &statement;
        }
        let condition = self.condition(2);
        let _ = writeln!(text, "  assert {condition};\n}}");
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        self.statements = self.statements.saturating_sub(1);
        match self.below(12) {
            0 | 1 => format!("  havoc {};\n", self.variable()),
            2 if depth > 0 => {
                let condition = if self.below(4) == 0 { "*".to_owned() } else { self.condition(1) };
                let then = self.statement(depth - 1);
                match self.below(2) {
                    0 => format!("  if ({condition}) {{\n{then}  }}\n"),
                    _ => {
                        let otherwise = self.statement(depth - 1);
                        format!("  if ({condition}) {{\n{then}  }} else {{\n{otherwise}  }}\n")
                    }
                }
            }
            3 => format!("  assume {};\n", self.condition(1)),
            4 => format!("  b := {};\n", self.condition(1)),
            5 if self.map => {
                let (index, value) = (self.condition(0), self.number(1));
                format!("  m[{index}] := {value};\n")
            }
            6 if self.calls => {
                let (target, argument) = (self.variable_number(), self.number(1));
                format!("  call {target} := f({argument});\n")
            }
            7 => {
                let (a, b) = (self.number(1), self.number(1));
                format!("  {}, {} := {a}, {b};\n", self.numbers[0], self.numbers[1])
            }
            _ => {
                let target = self.variable_number();
                format!("  {target} := {};\n", self.number(2))
            }
        }
    }

    fn variable_number(&mut self) -> &'static str {
        let numbers = self.numbers.clone();
        self.pick(&numbers)
    }

    fn variable(&mut self) -> String {
        match self.below(6) {
            0 => "b".to_owned(),
            1 if self.map => "m".to_owned(),
            _ => self.variable_number().to_owned(),
        }
    }

    fn number(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => format!("{}bv{}", self.below(1 << self.width), self.width),
            1 | 2 => self.variable_number().to_owned(),
            3 if self.map => format!("m[{}]", self.condition(0)),
            4 => format!(
                "(if {} then {} else {})",
                self.condition(depth - 1),
                self.number(depth - 1),
                self.number(depth - 1)
            ),
            _ => {
                let op = self.pick(&[
                    "add", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "udiv", "srem",
                ]);
                format!("{op}({}, {})", self.number(depth - 1), self.number(depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => "b".to_owned(),
            1 => {
                let (a, b) = (self.number(depth.min(1)), self.number(0));
                format!("{a} == {b}")
            }
            2 | 3 | 4 => {
                let op = self.pick(&["ult", "ule", "slt", "sle"]);
                format!("{op}({}, {})", self.number(depth.min(1)), self.number(0))
            }
            5 => format!("!({})", self.condition(depth - 1)),
            6 => format!("(({}) && ({}))", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("(({}) || ({}))", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }
}
