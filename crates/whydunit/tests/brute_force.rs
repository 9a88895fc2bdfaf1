//! Random small programs: every verdict of relevance is compared with the definition, decided by
//! enumerating all executions.
//!
//! `WHYDUNIT_PROGRAMS=100000 cargo test --release --test brute_force` tries more of them.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::time::Duration;

use failure::{
    Action, Failure, Incomplete, SearchLimits, Trace, search, simplest_inputs, symbolic,
};
use localize::check::{Judgement, check_relevance};
use localize::relevance::{Role, Verdict, relevance};
use localize::{Context, Settings};
use program::{Stop, Trust};
use solver::{Answer, Model, Quantified, Solver, Z3};
use term::{ArrayValue, Code, Sort, Term, Terms, Value};

#[test]
fn relevance_agrees_with_enumeration() {
    let count: u64 = std::env::var("WHYDUNIT_PROGRAMS")
        .ok()
        .map_or(2500, |n| n.parse().expect("a number of programs"));
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get() as u64);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    for seed in (0..count).filter(|seed| seed % threads == worker) {
                        if let Err(why) = compare(seed, &mut tally) {
                            let text = Generator::new(seed).program();
                            tally.wrong.push(format!("seed {seed}: {why}\n{text}"));
                        }
                    }
                    tally
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    let mut sum = Tally::default();
    for mut tally in tallies {
        sum.failing += tally.failing;
        sum.relevant += tally.relevant;
        sum.irrelevant += tally.irrelevant;
        sum.unknown += tally.unknown;
        sum.wrong.append(&mut tally.wrong);
    }
    assert!(sum.wrong.is_empty(), "{}", sum.wrong.join("\n"));
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
    wrong: Vec<String>,
}

/// Compares all answers for one program. Says what is wrong.
fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let text = Generator::new(seed).program();
    let program = boogie::read("random.bpl", &text).map_err(|e| format!("{e:?}"))?;
    let make = || -> Box<dyn Solver> { Box::new(Lazy(None)) };
    let stop = Stop::default();
    let limits = SearchLimits { traces: 2, ..SearchLimits::default() };
    let found = search(&program, &mut *make(), limits, &stop);
    let enough = found.incomplete.contains(&Incomplete::Enough);
    if found.incomplete.contains(&Incomplete::Solver) || !(enough || found.incomplete.is_empty()) {
        return Err(format!("the search is not complete: {:?}", found.incomplete));
    }
    for (entry, path) in &found.paths {
        tally.failing += 1;
        let trace = Trace::from_path(&program, *entry, path);
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let inputs = simplest_inputs(&mut terms, &mut *make(), &trace, &run).ok_or("no inputs")?;
        let failure = Failure::new(&program, trace, inputs).ok_or("no replay")?;
        let context = Context { solvers: &make, stop: &stop, settings: &Settings::default() };
        let claims = relevance(&failure, context);
        let judgements = check_relevance(&failure, &claims, context);
        let truth = enumerate(&failure.trace);
        for (claim, judgement) in claims.steps.iter().zip(judgements) {
            let step = &failure.trace.steps[claim.step];
            let expected = truth[claim.step];
            let claimed = match &claim.verdict {
                Verdict::Relevant { role, .. } => {
                    tally.relevant += 1;
                    Some(*role)
                }
                Verdict::Irrelevant(_) => {
                    tally.irrelevant += 1;
                    None
                }
                Verdict::Unknown(_) => {
                    tally.unknown += 1;
                    continue;
                }
            };
            if claimed != expected || judgement != Judgement::Confirmed {
                let statement = &program.site(step.site).text;
                return Err(format!(
                    "step {} `{statement}`: {:?}, judged {judgement:?}; by enumeration {expected:?}",
                    claim.step, claim.verdict
                ));
            }
        }
        let asked =
            failure.trace.steps.iter().filter(|s| {
                s.action.place().is_some() && program.site(s.site).trust == Trust::User
            });
        if asked.count() != claims.steps.len() {
            return Err("not every assignment was asked about".to_owned());
        }
    }
    Ok(())
}

/// Z3, once it is needed. Most questions about these programs are decided without it, and to set it up
/// takes longer than to answer the others.
struct Lazy(Option<Z3>);

impl Lazy {
    fn z3(&mut self) -> &mut Z3 {
        self.0.get_or_insert_with(|| Z3::new(Duration::from_secs(20)))
    }
}

impl Solver for Lazy {
    fn push(&mut self) {
        self.z3().push();
    }

    fn pop(&mut self) {
        self.z3().pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.z3().assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.z3().check(terms, assumptions)
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.z3().model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        self.z3().core()
    }

    fn queries(&self) -> u64 {
        self.0.as_ref().map_or(0, Z3::queries)
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        self.z3().quantified()
    }
}

/// A trace with more states takes too long and too much memory.
const MOST_STATES: usize = 1 << 18;

/// All states of a trace, as numbers: each variable is a digit. The digit of a map is itself made of
/// digits, one for each cell.
struct States<'t> {
    terms: &'t Terms,
    /// With the weight of its digit.
    variables: Vec<(Term, usize)>,
    count: usize,
}

impl States<'_> {
    fn new(trace: &Trace) -> States<'_> {
        let operands = trace.steps.iter().flat_map(|s| s.action.operands());
        let places = trace.steps.iter().filter_map(|s| s.action.place().map(|p| p.variable));
        let roots: Vec<Term> = operands.chain(places).collect();
        let mut states = States { terms: &trace.terms, variables: Vec::new(), count: 1 };
        for variable in trace.terms.variables_of(&roots) {
            states.variables.push((variable, states.count));
            states.count *= size(trace.terms.sort(variable));
        }
        assert!(states.count <= MOST_STATES, "the generator makes programs that are too large");
        states
    }

    fn weight(&self, variable: Term) -> usize {
        self.variables.iter().find(|(v, _)| *v == variable).unwrap().1
    }

    fn digit(&self, state: usize, variable: Term) -> usize {
        state / self.weight(variable) % size(self.terms.sort(variable))
    }

    /// Calls back for each state, in order, with the numbers of the terms' values.
    fn evaluate(&self, roots: &[Term], mut each: impl FnMut(usize, &[usize])) {
        let code = Code::compile(self.terms, roots);
        let variables = self.terms.variables_of(roots);
        let sizes: Vec<(usize, usize)> =
            variables.iter().map(|&v| (self.weight(v), size(self.terms.sort(v)))).collect();
        // Many states agree on these variables; such states share a row of this table.
        let mut rows: Vec<Option<Vec<usize>>> = Vec::new();
        rows.resize(sizes.iter().map(|(_, size)| size).product(), None);
        for state in 0..self.count {
            let digits = sizes.iter().map(|(weight, size)| (size, state / weight % size));
            let row = digits.fold(0, |row, (size, digit)| row * size + digit);
            let values = rows[row].get_or_insert_with(|| {
                let value = |v| Some(value(self.terms.sort(v), self.digit(state, v)));
                code.run(&mut { value }).unwrap().iter().map(number).collect()
            });
            each(state, values);
        }
    }
}

/// What a step does to each state.
enum Effect {
    /// It goes on, or not.
    Keep(Vec<bool>),
    Write {
        targets: Vec<Target>,
        size: usize,
    },
}

/// What a step writes: the state is then `rest + weight * element`.
struct Target {
    rest: usize,
    weight: usize,
    /// The element it assigns, if it does not choose one.
    element: Option<usize>,
}

/// Whether to look at a step as it is, or at `x := v` for all v in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Written,
    AnyValue,
}

impl Effect {
    fn new(states: &States<'_>, action: &Action) -> Effect {
        let operands: Vec<Term> = action.operands().collect();
        let Some(place) = action.place() else {
            let mut kept = Vec::with_capacity(states.count);
            states.evaluate(&operands, |_, values| kept.push(values[0] == 1));
            return Effect::Keep(kept);
        };
        let variable = states.weight(place.variable);
        let size = size(&place.sort(states.terms));
        let mut targets = Vec::with_capacity(states.count);
        states.evaluate(&operands, |state, values| {
            let weight = match place.indices[..] {
                [] => variable,
                [_] => variable * size.pow(values[0] as u32),
                _ => panic!("the generator makes no maps of maps"),
            };
            let element = match action {
                Action::Assign { .. } => Some(values[place.indices.len()]),
                _ => None,
            };
            targets.push(Target { rest: state - state / weight % size * weight, weight, element });
        });
        Effect::Write { targets, size }
    }

    /// Whether some successor of a state is as wanted.
    fn leads(&self, state: usize, how: As, mut wanted: impl FnMut(usize) -> bool) -> bool {
        match self {
            Effect::Keep(kept) => kept[state] && wanted(state),
            Effect::Write { targets, size } => {
                let Target { rest, weight, element } = targets[state];
                match element {
                    Some(element) if how == As::Written => wanted(rest + weight * element),
                    _ => (0..*size).any(|element| wanted(rest + weight * element)),
                }
            }
        }
    }
}

/// For each step: its role if it is relevant, by enumeration of all states.
fn enumerate(trace: &Trace) -> Vec<Option<Role>> {
    let states = States::new(trace);
    let steps = &trace.steps;
    let effects: Vec<Effect> = steps.iter().map(|s| Effect::new(&states, &s.action)).collect();
    let all = vec![true; states.count];
    let mut reachable = vec![all.clone()];
    for effect in &effects {
        let last = reachable.last().unwrap();
        let mut next = vec![false; states.count];
        for state in (0..states.count).filter(|s| last[*s]) {
            effect.leads(state, As::Written, |to| {
                next[to] = true;
                false
            });
        }
        reachable.push(next);
    }
    let mut coreachable = vec![all];
    for effect in effects.iter().rev() {
        let last = coreachable.last().unwrap();
        let completes = |state| effect.leads(state, As::Written, |to| last[to]);
        let before = (0..states.count).map(completes).collect();
        coreachable.push(before);
    }
    coreachable.reverse();
    assert!(reachable.last().unwrap().contains(&true), "the trace is feasible");
    let role = |at: usize| {
        let escapes = |how| {
            let mut both = (0..states.count).filter(|&s| reachable[at][s] && coreachable[at][s]);
            both.any(|s| effects[at].leads(s, how, |to| !coreachable[at + 1][to]))
        };
        let relevant = steps[at].action.place().is_some() && escapes(As::AnyValue);
        let role = if escapes(As::Written) { Role::Admitting } else { Role::Enforcing };
        relevant.then_some(role)
    };
    (0..steps.len()).map(role).collect()
}

/// How many values a sort has.
fn size(sort: &Sort) -> usize {
    match sort {
        Sort::Bool => 2,
        Sort::BitVec(width) => 1 << width,
        Sort::Array(array) => size(&array.element).pow(size(&array.index) as u32),
        Sort::Int | Sort::Real | Sort::Float(_) => panic!("infinite"),
    }
}

/// The value with a number.
fn value(sort: &Sort, number: usize) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number == 1),
        Sort::BitVec(width) => Value::bitvec(*width, number as u128),
        Sort::Array(array) => {
            let zero = Value::zero(&array.element);
            let mut map = ArrayValue::new(array.index.clone(), zero);
            let elements = size(&array.element);
            for index in 0..size(&array.index) {
                let digit = number / elements.pow(index as u32) % elements;
                map.set(value(&array.index, index), value(&array.element, digit));
            }
            Value::Array(std::sync::Arc::new(map))
        }
        Sort::Int | Sort::Real | Sort::Float(_) => panic!("infinite"),
    }
}

/// The number of a value.
fn number(value_: &Value) -> usize {
    match value_ {
        Value::Bool(b) => usize::from(*b),
        Value::BitVec(b) => b.unsigned() as usize,
        Value::Array(map) => {
            let elements = size(&map.default.sort());
            let cell = |index| number(map.get(&value(&map.index, index)));
            (0..size(&map.index)).map(|i| cell(i) * elements.pow(i as u32)).sum()
        }
        _ => panic!("infinite"),
    }
}

/// Random programs over two to three bit-vectors, a flag and sometimes a small map.
struct Generator {
    state: u64,
    width: u32,
    numbers: Vec<&'static str>,
    map: bool,
    statements: u32,
    /// Calls that may still be made. Each has variables of its own.
    calls: u32,
    /// Whether there are loops, which are counted by `i`.
    loops: bool,
    labels: u32,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator = Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
            width: 3,
            numbers: vec!["x", "y", "z"],
            map: false,
            statements: 0,
            calls: 0,
            loops: false,
            labels: 0,
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
            generator.calls = 2;
            generator.width = 2;
            generator.map = false;
            generator.numbers = vec!["x", "y"];
        }
        if generator.below(4) == 0 && generator.calls == 0 && !generator.map {
            generator.loops = true;
            generator.numbers.truncate(2);
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
        if self.loops {
            let _ = writeln!(
                text,
                "var i: bv2;\n\
                 function {{:bvbuiltin \"bvadd\"}} next(a: bv2, b: bv2) returns (bv2);\n\
                 function {{:bvbuiltin \"bvult\"}} less(a: bv2, b: bv2) returns (bool);"
            );
        }
        if self.map {
            let _ = writeln!(text, "var m: [bool]bv{w};");
        }
        if self.calls > 0 {
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
            let statement = match self.below(10) {
                0 if self.loops => self.repeated(),
                1 => self.jumps(),
                _ => self.statement(3),
            };
            text += &statement;
        }
        let condition = self.condition(2);
        let _ = writeln!(text, "  assert {condition};\n}}");
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        self.statements = self.statements.saturating_sub(1);
        match self.below(13) {
            0 | 1 => format!("  havoc {};\n", self.variable()),
            2 | 8 if depth > 0 => {
                let condition = if self.below(4) == 0 { "*".to_owned() } else { self.condition(1) };
                let then = self.block(depth - 1);
                match self.below(2) {
                    0 => format!("  if ({condition}) {{\n{then}  }}\n"),
                    _ => {
                        let otherwise = self.block(depth - 1);
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
            6 if self.calls > 0 => {
                self.calls -= 1;
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

    /// One statement or two.
    fn block(&mut self, depth: u32) -> String {
        let first = self.statement(depth);
        if self.below(3) == 0 { first + &self.statement(depth) } else { first }
    }

    /// A loop that ends after a few rounds.
    fn repeated(&mut self) -> String {
        let body = self.block(1);
        let rounds = 1 + self.below(3);
        let leave = match self.below(3) {
            0 => format!("  if ({}) {{ break; }}\n", self.condition(1)),
            _ => String::new(),
        };
        format!(
            "  i := 0bv2;\n  while (less(i, {rounds}bv2)) {{\n{body}{leave}  i := next(i, 1bv2);\n  }}\n"
        )
    }

    /// A free choice by `goto`.
    fn jumps(&mut self) -> String {
        self.labels += 1;
        let n = self.labels;
        let (left, right) = (self.block(1), self.block(1));
        format!(
            "  goto A{n}, B{n};\n A{n}:\n{left}  goto C{n};\n B{n}:\n{right}  goto C{n};\n C{n}:\n"
        )
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
            2..=4 => {
                let op = self.pick(&["ult", "ule", "slt", "sle"]);
                format!("{op}({}, {})", self.number(depth.min(1)), self.number(0))
            }
            5 => format!("!({})", self.condition(depth - 1)),
            6 => format!("(({}) && ({}))", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("(({}) || ({}))", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }
}
