//! Error invariants of random programs, compared with brute force over all subsets of the statements.
//!
//! The trace formula is made a second time here, from the syntax of the program and as the paper defines it; formulas are
//! sets of states, and what is claimed to be the fewest statements is compared with all subsets.
//!
//! `WHYDUNIT_PROGRAMS=100000 cargo test --release -p localize --test error_invariants_brute_force` tries more of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{Judgement, check_conditions_are_implied, check_error_invariants};
use localize::commands::Encoding;
use localize::error_invariants::error_invariants;
use localize::error_invariants::naive::error_invariants_by_recursion;
use localize::{Context, Settings};
use program::Stop;
use solver::{Solver, Z3};
use term::Value;

/// Variables are two bits wide.
const NAMES: [&str; 3] = ["a", "b", "c"];
const VALUES: usize = 4;

#[derive(Clone, Debug)]
enum Expression {
    Constant(usize),
    Variable(usize),
    Sum(usize, usize),
    Shifted(usize, usize),
}

impl Expression {
    fn value(&self, state: &State) -> usize {
        match *self {
            Expression::Constant(value) => value,
            Expression::Variable(v) => state.variables[v],
            Expression::Sum(v, w) => (state.variables[v] + state.variables[w]) % VALUES,
            Expression::Shifted(v, by) => (state.variables[v] + by) % VALUES,
        }
    }

    fn text(&self) -> String {
        match *self {
            Expression::Constant(value) => format!("{value}bv2"),
            Expression::Variable(v) => NAMES[v].to_owned(),
            Expression::Sum(v, w) => format!("add({}, {})", NAMES[v], NAMES[w]),
            Expression::Shifted(v, by) => format!("add({}, {by}bv2)", NAMES[v]),
        }
    }

    fn reads(&self) -> Vec<usize> {
        match *self {
            Expression::Constant(_) => vec![],
            Expression::Variable(v) | Expression::Shifted(v, _) => vec![v],
            Expression::Sum(v, w) => vec![v, w],
        }
    }
}

#[derive(Clone, Debug)]
struct Condition {
    left: usize,
    right: Expression,
    kind: usize,
    negated: bool,
}

impl Condition {
    fn holds(&self, state: &State) -> bool {
        let (a, b) = (state.variables[self.left], self.right.value(state));
        let holds = match self.kind {
            0 => a == b,
            _ => a < b,
        };
        holds != self.negated
    }

    fn text(&self) -> String {
        let (a, b) = (NAMES[self.left], self.right.text());
        let text = match self.kind {
            0 => format!("{a} == {b}"),
            _ => format!("less({a}, {b})"),
        };
        if self.negated { format!("!({text})") } else { text }
    }

    fn reads(&self) -> Vec<usize> {
        let mut reads = self.right.reads();
        reads.push(self.left);
        reads
    }

    fn not(&self) -> Condition {
        Condition { negated: !self.negated, ..self.clone() }
    }
}

#[derive(Clone, Debug)]
enum Tree {
    Assign(usize, Expression),
    Assume(Condition),
    If(Condition, Vec<Tree>, Vec<Tree>),
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn expression(&mut self) -> Expression {
        match self.below(5) {
            0 | 1 => Expression::Constant(self.below(VALUES)),
            2 => Expression::Variable(self.below(3)),
            3 => Expression::Sum(self.below(3), self.below(3)),
            _ => Expression::Shifted(self.below(3), 1 + self.below(VALUES - 1)),
        }
    }

    /// A condition that is neither always true nor always false.
    fn condition(&mut self) -> Condition {
        let (left, kind) = (self.below(3), self.below(2));
        let right = match self.below(3) {
            0 => Expression::Variable((left + 1 + self.below(2)) % 3),
            _ => Expression::Constant(1 + self.below(VALUES - 1)),
        };
        Condition { left, right, kind, negated: self.below(2) == 0 }
    }

    fn block(&mut self, depth: usize, length: usize) -> Vec<Tree> {
        (0..length)
            .map(|_| match self.below(8) {
                0..3 if depth > 0 => {
                    let condition = self.condition();
                    let (n, m) = (1 + self.below(2), self.below(3));
                    Tree::If(condition, self.block(depth - 1, n), self.block(depth - 1, m))
                }
                3 if depth > 1 => Tree::Assume(self.condition()),
                _ => Tree::Assign(self.below(3), self.expression()),
            })
            .collect()
    }
}

fn write(trees: &[Tree], text: &mut String, indent: usize) {
    for tree in trees {
        let space = " ".repeat(indent);
        match tree {
            Tree::Assign(v, e) => writeln!(text, "{space}{} := {};", NAMES[*v], e.text()),
            Tree::Assume(c) => writeln!(text, "{space}assume {};", c.text()),
            Tree::If(c, yes, no) => {
                writeln!(text, "{space}if ({}) {{", c.text()).unwrap();
                write(yes, text, indent + 2);
                if !no.is_empty() {
                    writeln!(text, "{space}}} else {{").unwrap();
                    write(no, text, indent + 2);
                }
                writeln!(text, "{space}}}")
            }
        }
        .unwrap();
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    variables: [usize; 3],
    /// Which decisions had the outcome of the run, by number.
    outcomes: u32,
}

/// A conjunct of the trace formula.
#[derive(Clone, Debug)]
struct Item {
    kind: Kind,
    /// Decisions around it, by number.
    around: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Kind {
    Assign(usize, Expression),
    Assume(Condition),
    /// Its number, its condition as it was decided, and the variables that it frames.
    Decision(usize, Condition, Vec<usize>),
}

fn assigned(trees: &[Tree]) -> [bool; 3] {
    let mut found = [false; 3];
    for tree in trees {
        match tree {
            Tree::Assign(v, _) => found[*v] = true,
            Tree::Assume(_) => {}
            Tree::If(_, yes, no) => {
                for inner in [assigned(yes), assigned(no)] {
                    (0..3).for_each(|v| found[v] |= inner[v]);
                }
            }
        }
    }
    found
}

/// The items along the run. None if an assumption blocks it.
fn run(
    trees: &[Tree],
    state: &mut State,
    around: &[usize],
    items: &mut Vec<Item>,
    decisions: &mut usize,
) -> Option<()> {
    for tree in trees {
        let around_it = around.to_vec();
        match tree {
            Tree::Assign(v, e) => {
                items.push(Item { kind: Kind::Assign(*v, e.clone()), around: around_it });
                state.variables[*v] = e.value(state);
            }
            Tree::Assume(c) => {
                items.push(Item { kind: Kind::Assume(c.clone()), around: around_it });
                c.holds(state).then_some(())?;
            }
            Tree::If(c, yes, no) => {
                let taken = c.holds(state);
                let (way, other) = if taken { (yes, no) } else { (no, yes) };
                let number = *decisions;
                *decisions += 1;
                // What the way taken may assign, or frames itself, needs no frame here.
                let (here, there) = (assigned(way), assigned(other));
                let framed = (0..3).filter(|&v| there[v] && !here[v]).collect();
                let outcome = if taken { c.clone() } else { c.not() };
                let mut inside = vec![number];
                inside.extend(around);
                let kind = Kind::Decision(number, outcome, framed);
                items.push(Item { kind, around: inside.clone() });
                run(way, state, &inside, items, decisions)?;
            }
        }
    }
    Some(())
}

/// Sets of states, by number.
fn states(decisions: usize) -> impl Iterator<Item = State> {
    let values = VALUES * VALUES * VALUES;
    (0..values << decisions).map(move |number| {
        let v = number % values;
        State {
            variables: [v % VALUES, v / VALUES % VALUES, v / VALUES / VALUES],
            outcomes: (number / values) as u32,
        }
    })
}

fn number(state: &State) -> usize {
    let [a, b, c] = state.variables;
    a + VALUES * (b + VALUES * (c + VALUES * state.outcomes as usize))
}

struct Oracle {
    items: Vec<Item>,
    encoding: Encoding,
    decisions: usize,
    property: Condition,
    start: [usize; 3],
}

impl Oracle {
    /// Whether the variables of a decision have changed since.
    fn changed(&self, decision: usize, at: usize) -> bool {
        let mut reads = Vec::new();
        let mut changed = false;
        for item in &self.items[..at] {
            match &item.kind {
                Kind::Decision(number, condition, _) if *number == decision => {
                    reads = condition.reads();
                }
                Kind::Assign(v, _) => changed |= reads.contains(v),
                _ => {}
            }
        }
        changed
    }

    fn premises(&self, at: usize, state: &State) -> bool {
        self.encoding == Encoding::Plain
            || self.items[at].around.iter().all(|&decision| {
                let condition = self.items.iter().find_map(|item| match &item.kind {
                    Kind::Decision(number, condition, _) if *number == decision => Some(condition),
                    _ => None,
                });
                match self.changed(decision, at) {
                    true => state.outcomes & 1 << decision != 0,
                    false => condition.unwrap().holds(state),
                }
            })
    }

    /// Whether a set of states depends on a variable.
    fn depends(&self, set: &[bool], v: usize) -> bool {
        states(self.decisions).any(|state| {
            (0..VALUES).any(|value| {
                let mut other = state.clone();
                other.variables[v] = value;
                set[number(&state)] != set[number(&other)]
            })
        })
    }

    /// The weakest error invariants.
    fn weakest(&self) -> Vec<Vec<bool>> {
        let mut now: Vec<bool> = states(self.decisions).map(|s| !self.property.holds(&s)).collect();
        let mut all = vec![now.clone()];
        for (at, item) in self.items.iter().enumerate().rev() {
            let matters: Vec<bool> = (0..3).map(|v| self.depends(&now, v)).collect();
            let before = |state: State| match &item.kind {
                Kind::Assign(v, e) => {
                    let with = |value: usize| {
                        let mut next = state.clone();
                        next.variables[*v] = value;
                        now[number(&next)]
                    };
                    // If its value matters, it must be shown that it is assigned.
                    match matters[*v] {
                        true => self.premises(at, &state) && with(e.value(&state)),
                        false => now[number(&state)],
                    }
                }
                Kind::Assume(c) => {
                    !self.premises(at, &state) || !c.holds(&state) || now[number(&state)]
                }
                Kind::Decision(_, c, _) if self.encoding == Encoding::Plain => {
                    !c.holds(&state) || now[number(&state)]
                }
                Kind::Decision(decision, c, framed) => {
                    let premises = self.premises(at, &state);
                    let mut next = state.clone();
                    next.outcomes &= !(1 << decision);
                    next.outcomes |= u32::from(c.holds(&state)) << decision;
                    let matters = framed.iter().any(|&v| matters[v]);
                    (premises || !matters) && now[number(&next)]
                }
            };
            now = states(self.decisions).map(before).collect();
            all.push(now.clone());
        }
        all.reverse();
        all
    }

    /// For each position, all states that it may have.
    fn positions(&self) -> Vec<Vec<State>> {
        // A variable has a value if it is assigned, or read before.
        let mut known = [false; 3];
        let mut written = [false; 3];
        let mut read = |reads: Vec<usize>, written: &[bool; 3]| {
            reads.into_iter().for_each(|v| known[v] |= !written[v]);
        };
        for item in &self.items {
            match &item.kind {
                Kind::Assign(v, e) => {
                    read(e.reads(), &written);
                    written[*v] = true;
                }
                Kind::Assume(c) | Kind::Decision(_, c, _) => read(c.reads(), &written),
            }
        }
        read(self.property.reads(), &written);
        let mut known: Vec<bool> = known.to_vec();
        let mut outcomes = vec![false; self.decisions];
        let mut state = State { variables: self.start, outcomes: 0 };
        let mut all = Vec::new();
        for at in 0..=self.items.len() {
            let agrees = |other: &State| {
                (0..3).all(|v| !known[v] || other.variables[v] == state.variables[v])
                    && (0..self.decisions).all(|d| {
                        let bit = 1 << d;
                        !outcomes[d] || other.outcomes & bit == state.outcomes & bit
                    })
            };
            all.push(states(self.decisions).filter(agrees).collect());
            let Some(item) = self.items.get(at) else { break };
            match &item.kind {
                Kind::Assign(v, e) => {
                    state.variables[*v] = e.value(&state);
                    known[*v] = true;
                }
                Kind::Assume(_) => {}
                Kind::Decision(number, ..) => {
                    state.outcomes |= 1 << number;
                    outcomes[*number] = true;
                }
            }
        }
        all
    }

    /// The fewest items that must be kept.
    fn fewest(&self) -> usize {
        let (weakest, positions) = (self.weakest(), self.positions());
        let count = self.items.len();
        let holds: Vec<Vec<bool>> = positions
            .iter()
            .map(|states| weakest.iter().map(|set| states.iter().all(|s| set[number(s)])).collect())
            .collect();
        let valid = |from: usize, to: usize| (from..=to).all(|p| (from..=to).all(|q| holds[p][q]));
        let sensitive = self.encoding == Encoding::FlowSensitive;
        let (mut forced, mut barred) = (0u32, 0u32);
        for (at, item) in self.items.iter().enumerate() {
            let after = &weakest[at + 1];
            let guarded = sensitive && !item.around.is_empty();
            let (matters, decision) = match &item.kind {
                Kind::Assign(v, _) => (self.depends(after, *v), false),
                Kind::Assume(_) => (false, false),
                Kind::Decision(_, _, framed) => {
                    (framed.iter().any(|&v| self.depends(after, v)), true)
                }
            };
            if guarded && matters {
                forced |= 1 << at;
            } else if guarded && !decision {
                barred |= 1 << at;
            }
        }
        (0u32..1 << count)
            .filter(|subset| subset & forced == forced && subset & barred == 0)
            .filter(|subset| {
                let mut from = 0;
                (0..=count).all(|at| {
                    if at < count && subset & 1 << at == 0 {
                        return true;
                    }
                    let covered = valid(from, at);
                    from = at + 1;
                    covered
                })
            })
            .map(u32::count_ones)
            .min()
            .expect("the whole trace") as usize
    }
}

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

#[derive(Debug, Default)]
struct Tally {
    failing: u64,
    kept: usize,
    fewest: u64,
    recursion: u64,
}

fn program(seed: u64) -> (Vec<Tree>, Condition, String) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..20 {
        random.below(2);
    }
    let length = 3 + random.below(4);
    let trees = random.block(2, length);
    let property = random.condition();
    let mut text = "function {:bvbuiltin \"bvadd\"} add(x: bv2, y: bv2): bv2;\n\
                    function {:bvbuiltin \"bvult\"} less(x: bv2, y: bv2): bool;\n\
                    var a, b, c: bv2;\n\
                    procedure main()\n  modifies a, b, c;\n{\n"
        .to_owned();
    write(&trees, &mut text, 2);
    writeln!(text, "  assert {};\n}}", property.text()).unwrap();
    (trees, property, text)
}

fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (trees, property, text) = program(seed);
    let program = boogie::read("random.bpl", &text).map_err(|e| format!("{e:?}"))?;
    let (stop, settings) = (Stop::default(), Settings::default());
    let context = Context { solvers: &solvers, stop: &stop, settings: &settings };
    let limits = SearchLimits { traces: 1, ..SearchLimits::default() };
    let found = search(&program, &mut *solvers(), limits, &stop);
    for (entry, path) in &found.paths {
        let trace = Trace::from_path(&program, *entry, path);
        let mut terms = trace.terms.clone();
        let symbolic = symbolic::execute(&mut terms, &trace);
        let inputs =
            simplest_inputs(&mut terms, &mut *solvers(), &trace, &symbolic).ok_or("no inputs")?;
        let value = |index: usize| {
            let value = inputs.initial.get(&program.globals[index]);
            match value {
                Some(Value::BitVec(bits)) => bits.unsigned() as usize,
                _ => 0,
            }
        };
        let start = [value(0), value(1), value(2)];
        let failure = Failure::new(&program, trace, inputs).ok_or("no replay")?;
        tally.failing += 1;
        for encoding in [Encoding::Plain, Encoding::FlowSensitive] {
            let claims = error_invariants(&failure, encoding, context)?;
            let judged = check_error_invariants(&failure, &claims, context);
            if judged != Judgement::Confirmed {
                return Err(format!("{encoding:?}: {judged:?}"));
            }
            let mut state = State { variables: start, outcomes: 0 };
            let (mut items, mut decisions) = (Vec::new(), 0);
            run(&trees, &mut state, &[], &mut items, &mut decisions).ok_or("it blocks")?;
            if items.len() > 14 || decisions > 5 {
                continue;
            }
            let oracle = Oracle { items, encoding, decisions, property: property.clone(), start };
            let fewest = oracle.fewest();
            tally.kept += claims.kept.len();
            tally.fewest += u64::from(claims.fewest);
            if claims.kept.len() < fewest || claims.fewest && claims.kept.len() != fewest {
                return Err(format!(
                    "{encoding:?}: {} kept, {fewest} are enough: {:?}",
                    claims.kept.len(),
                    claims.kept.iter().map(|k| (k.step, k.what.clone())).collect::<Vec<_>>()
                ));
            }
        }
        if let Ok(claims) = error_invariants_by_recursion(&failure, context) {
            let judged = check_error_invariants(&failure, &claims, context);
            let implied = check_conditions_are_implied(&failure, &claims, context);
            if judged != Judgement::Confirmed || matches!(implied, Judgement::Refuted(_)) {
                return Err(format!("by recursion: {judged:?} {implied:?}"));
            }
            tally.recursion += u64::from(implied == Judgement::Confirmed);
        }
    }
    Ok(())
}

#[test]
fn fewest_statements_by_all_subsets() {
    let count: u64 = std::env::var("WHYDUNIT_PROGRAMS").ok().map_or(300, |n| n.parse().unwrap());
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in 0..count {
        if let Err(why) = compare(seed, &mut tally) {
            wrong.push(format!("seed {seed}: {why}\n{}", program(seed).2));
        }
    }
    println!("{tally:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n"));
    assert!(tally.failing > count / 2, "{tally:?}");
}
