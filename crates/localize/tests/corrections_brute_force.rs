//! Corrections of random programs, compared with all that the programs can do.
//!
//! Programs have three variables of two or three bits, and sometimes a procedure. Which sets of statements are corrections is decided
//! by going through all states that can be reached if these statements are free.
//!
//! `WHYDUNIT_PROGRAMS=100000 cargo test --release -p localize --test corrections_brute_force` tries more of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::Duration;

use failure::{Failure, SearchLimits, Trace, search, simplest_inputs, symbolic};
use localize::check::{Judgement, check_corrections};
use localize::corrections::{Spot, corrections};
use localize::{Context, Settings};
use program::{Program, Stop};
use solver::{Solver, Z3};
use term::Value;

/// Three globals, then the parameter and the result of the procedure.
const NAMES: [&str; 5] = ["a", "b", "c", "x", "r"];
const PARAMETER: usize = 3;
const RESULT: usize = 4;

type State = [u8; 5];

#[derive(Clone, Copy, Debug)]
enum Operand {
    Constant(u8),
    Variable(usize),
}

#[derive(Clone, Copy, Debug)]
struct Expression {
    operator: Option<&'static str>,
    left: Operand,
    right: Operand,
}

#[derive(Clone, Copy, Debug)]
struct Condition {
    operator: &'static str,
    left: usize,
    right: Operand,
    negated: bool,
}

#[derive(Clone, Debug)]
enum Tree {
    Assign(usize, Expression),
    Assume(Condition),
    Assert(Condition),
    Call(usize, Operand),
    If(Condition, Vec<Tree>, Vec<Tree>),
    While(Condition, Vec<Tree>),
}

/// What a program does, with its line. Jumps go to an index.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Assign(usize, Expression),
    /// Goes on if the condition holds.
    Branch(Condition, usize),
    Jump(usize),
    Assume(Condition),
    Assert(Condition),
}

impl Operand {
    fn value(self, state: &State) -> u8 {
        match self {
            Operand::Constant(value) => value,
            Operand::Variable(v) => state[v],
        }
    }

    fn text(self, width: u32) -> String {
        match self {
            Operand::Constant(value) => format!("{value}bv{width}"),
            Operand::Variable(v) => NAMES[v].to_owned(),
        }
    }
}

impl Expression {
    fn value(&self, state: &State, width: u32) -> u8 {
        let (left, right) = (self.left.value(state), self.right.value(state));
        let value = match self.operator {
            None => left,
            Some("add") => left.wrapping_add(right),
            Some("sub") => left.wrapping_sub(right),
            Some("mul") => left.wrapping_mul(right),
            _ => left & right,
        };
        value & ((1 << width) - 1)
    }

    fn text(&self, width: u32) -> String {
        let (left, right) = (self.left.text(width), self.right.text(width));
        self.operator.map_or(left.clone(), |operator| format!("{operator}({left}, {right})"))
    }
}

impl Condition {
    fn holds(&self, state: &State) -> bool {
        let (left, right) = (state[self.left], self.right.value(state));
        let holds = match self.operator {
            "less" => left < right,
            _ => left == right,
        };
        holds != self.negated
    }

    fn text(&self, width: u32) -> String {
        let (left, right) = (NAMES[self.left], self.right.text(width));
        let text = match self.operator {
            "less" => format!("less({left}, {right})"),
            _ => format!("{left} == {right}"),
        };
        if self.negated { format!("!({text})") } else { text }
    }
}

struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..20 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn operand(&mut self, variables: &[usize], width: u32) -> Operand {
        match self.below(2) {
            0 => Operand::Constant(self.below(1 << width) as u8),
            _ => Operand::Variable(variables[self.below(variables.len())]),
        }
    }

    fn expression(&mut self, variables: &[usize], width: u32) -> Expression {
        let operators = [None, Some("add"), Some("add"), Some("sub"), Some("mul"), Some("conj")];
        Expression {
            operator: operators[self.below(operators.len())],
            left: self.operand(variables, width),
            right: self.operand(variables, width),
        }
    }

    fn condition(&mut self, variables: &[usize], width: u32) -> Condition {
        let left = variables[self.below(variables.len())];
        let others: Vec<usize> = variables.iter().copied().filter(|&v| v != left).collect();
        let right = match self.below(3) {
            0 if !others.is_empty() => Operand::Variable(others[self.below(others.len())]),
            _ => Operand::Constant(1 + self.below((1 << width) - 1) as u8),
        };
        let operator = ["less", "equal"][self.below(2)];
        Condition { operator, left, right, negated: self.below(2) == 0 }
    }
}

/// A random program.
struct Generator {
    random: Random,
    width: u32,
    calls: bool,
    loops: bool,
}

impl Generator {
    fn block(&mut self, depth: usize, length: usize, taken: Option<usize>) -> Vec<Tree> {
        let mut trees = Vec::new();
        for _ in 0..length {
            let width = self.width;
            // The counter of a loop around is assigned only there.
            let targets: Vec<usize> = (0..3).filter(|&v| Some(v) != taken).collect();
            let target = targets[self.random.below(targets.len())];
            match self.random.below(12) {
                0..4 if depth > 0 => {
                    let condition = self.random.condition(&[0, 1, 2], width);
                    let (n, m) = (1 + self.random.below(2), self.random.below(3));
                    let yes = self.block(depth - 1, n, taken);
                    trees.push(Tree::If(condition, yes, self.block(depth - 1, m, taken)));
                }
                4 if depth > 0 && self.loops && taken.is_none() => {
                    let count = 1 + self.random.below(3) as u8;
                    let number = |value| Operand::Constant(value);
                    let zero = Expression { operator: None, left: number(0), right: number(0) };
                    trees.push(Tree::Assign(target, zero));
                    let n = 1 + self.random.below(2);
                    let mut body = self.block(depth - 1, n, Some(target));
                    let (left, right) = (Operand::Variable(target), number(1));
                    body.push(Tree::Assign(
                        target,
                        Expression { operator: Some("add"), left, right },
                    ));
                    let (operator, right) = ("less", number(count));
                    let condition = Condition { operator, left: target, right, negated: false };
                    trees.push(Tree::While(condition, body));
                }
                5 => trees.push(Tree::Assume(self.random.condition(&[0, 1, 2], width))),
                6 => trees.push(Tree::Assert(self.random.condition(&[0, 1, 2], width))),
                7 | 8 if self.calls => {
                    trees.push(Tree::Call(target, self.random.operand(&[0, 1, 2], width)));
                }
                _ => trees.push(Tree::Assign(target, self.random.expression(&[0, 1, 2], width))),
            }
        }
        trees
    }
}

/// The text of a program, and what it does.
struct Written {
    width: u32,
    text: String,
    line: usize,
    code: Vec<(Instruction, usize)>,
    procedure: Vec<Tree>,
}

impl Written {
    fn line(&mut self, indent: usize, text: &str) -> usize {
        writeln!(self.text, "{}{text}", " ".repeat(indent)).unwrap();
        self.line += 1;
        self.line
    }

    /// Writes statements. A procedure is written once, but its code is at each call, with its lines.
    fn block(&mut self, trees: &[Tree], indent: usize, procedure: usize) {
        let width = self.width;
        for tree in trees {
            match tree {
                Tree::Assign(v, e) => {
                    let text = format!("{} := {};", NAMES[*v], e.text(width));
                    let line = self.line(indent, &text);
                    self.code.push((Instruction::Assign(*v, *e), line));
                }
                Tree::Assume(c) => {
                    let line = self.line(indent, &format!("assume {};", c.text(width)));
                    self.code.push((Instruction::Assume(*c), line));
                }
                Tree::Assert(c) => {
                    let line = self.line(indent, &format!("assert {};", c.text(width)));
                    self.code.push((Instruction::Assert(*c), line));
                }
                Tree::Call(v, argument) => {
                    let text = format!("call {} := step({});", NAMES[*v], argument.text(width));
                    let line = self.line(indent, &text);
                    let copy =
                        |operand| Expression { operator: None, left: operand, right: operand };
                    let bind = Instruction::Assign(PARAMETER, copy(*argument));
                    self.code.push((bind, line));
                    let mut body = Written {
                        width,
                        text: String::new(),
                        line: procedure,
                        code: std::mem::take(&mut self.code),
                        procedure: Vec::new(),
                    };
                    let trees = self.procedure.clone();
                    body.block(&trees, 0, 0);
                    self.code = body.code;
                    let bind = Instruction::Assign(*v, copy(Operand::Variable(RESULT)));
                    self.code.push((bind, line));
                }
                Tree::If(c, yes, no) => {
                    let line = self.line(indent, &format!("if ({}) {{", c.text(width)));
                    let branch = self.code.len();
                    self.code.push((Instruction::Branch(*c, 0), line));
                    self.block(yes, indent + 2, procedure);
                    self.code[branch].0 = Instruction::Branch(*c, self.code.len());
                    if !no.is_empty() {
                        self.line(indent, "} else {");
                        let jump = self.code.len();
                        self.code.push((Instruction::Jump(0), line));
                        self.code[branch].0 = Instruction::Branch(*c, jump + 1);
                        self.block(no, indent + 2, procedure);
                        self.code[jump].0 = Instruction::Jump(self.code.len());
                    }
                    self.line(indent, "}");
                }
                Tree::While(c, body) => {
                    let line = self.line(indent, &format!("while ({}) {{", c.text(width)));
                    let branch = self.code.len();
                    self.code.push((Instruction::Branch(*c, 0), line));
                    self.block(body, indent + 2, procedure);
                    self.code.push((Instruction::Jump(branch), line));
                    self.code[branch].0 = Instruction::Branch(*c, self.code.len());
                    self.line(indent, "}");
                }
            }
        }
    }
}

fn written(seed: u64) -> Written {
    let mut random = Random::new(seed);
    let width = 2 + random.below(2) as u32;
    let calls = width == 2 && random.below(2) == 0;
    let loops = random.below(3) == 0;
    let mut generator = Generator { random, width, calls, loops };
    let length = 2 + generator.random.below(4);
    let mut trees = generator.block(2, length, None);
    trees.push(Tree::Assert(generator.random.condition(&[0, 1, 2], width)));
    let result = generator.random.expression(&[0, PARAMETER], width);
    let other = generator.random.expression(&[0, PARAMETER, RESULT], width);
    let when = generator.random.condition(&[PARAMETER, RESULT], width);
    let mut procedure = vec![Tree::Assign(RESULT, result)];
    if generator.random.below(2) == 0 {
        procedure.push(Tree::If(when, vec![Tree::Assign(RESULT, other)], Vec::new()));
    }
    let mut program =
        Written { width, text: String::new(), line: 0, code: Vec::new(), procedure: Vec::new() };
    for (name, builtin) in [("add", "bvadd"), ("sub", "bvsub"), ("mul", "bvmul"), ("conj", "bvand")]
    {
        let text = format!(
            "function {{:bvbuiltin \"{builtin}\"}} {name}(x: bv{width}, y: bv{width}): bv{width};"
        );
        program.line(0, &text);
    }
    let text = format!("function {{:bvbuiltin \"bvult\"}} less(x: bv{width}, y: bv{width}): bool;");
    program.line(0, &text);
    program.line(0, &format!("var a, b, c: bv{width};"));
    let mut first = 0;
    if calls {
        let text = format!("procedure step(x: bv{width}) returns (r: bv{width}) {{");
        first = program.line(0, &text);
        program.block(&procedure, 2, 0);
        program.line(0, "}");
        program.code.clear();
    }
    program.procedure = procedure;
    program.line(0, "procedure {:entrypoint} main() modifies a, b, c; {");
    program.block(&trees, 2, first);
    program.line(0, "}");
    program
}

impl Written {
    /// The lines that can be changed.
    fn lines(&self) -> Vec<usize> {
        let changeable = |code: &(Instruction, usize)| {
            matches!(code.0, Instruction::Assign(..) | Instruction::Branch(..)).then_some(code.1)
        };
        let mut lines: Vec<usize> = self.code.iter().filter_map(changeable).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Whether the program can come to its end if these lines are free.
    fn passes(&self, start: State, free: &[usize]) -> bool {
        let values = 1usize << self.width;
        let number = |at: usize, state: &State| {
            state.iter().fold(at, |number, &value| number * values + value as usize)
        };
        let mut seen = vec![false; (self.code.len() + 1) * values.pow(5)];
        let mut queue = VecDeque::from([(0, start)]);
        while let Some((at, state)) = queue.pop_front() {
            let Some((instruction, line)) = self.code.get(at) else { return true };
            let is_free = free.contains(line);
            let mut add = |at: usize, state: State| {
                if !std::mem::replace(&mut seen[number(at, &state)], true) {
                    queue.push_back((at, state));
                }
            };
            match instruction {
                Instruction::Assign(v, e) => {
                    let one = e.value(&state, self.width);
                    let all = if is_free { 0..values as u8 } else { one..one + 1 };
                    for value in all {
                        let mut next = state;
                        next[*v] = value;
                        add(at + 1, next);
                    }
                }
                Instruction::Branch(c, otherwise) => {
                    if is_free || c.holds(&state) {
                        add(at + 1, state);
                    }
                    if is_free || !c.holds(&state) {
                        add(*otherwise, state);
                    }
                }
                Instruction::Jump(to) => add(*to, state),
                Instruction::Assume(c) | Instruction::Assert(c) => {
                    if c.holds(&state) {
                        add(at + 1, state);
                    }
                }
            }
        }
        false
    }

    /// The minimal corrections of up to two lines, by size.
    fn corrections(&self, start: State) -> Vec<Vec<usize>> {
        let lines = self.lines();
        let (one, others): (Vec<usize>, Vec<usize>) =
            lines.iter().partition(|&&line| self.passes(start, &[line]));
        let mut sets: Vec<Vec<usize>> = one.into_iter().map(|line| vec![line]).collect();
        for (number, &line) in others.iter().enumerate() {
            for &other in &others[number + 1..] {
                if self.passes(start, &[line, other]) {
                    sets.push(vec![line, other]);
                }
            }
        }
        sets
    }
}

fn solvers() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

#[derive(Debug, Default)]
struct Tally {
    failing: u64,
    sets: usize,
    pairs: usize,
    complete: u64,
    minimal: u64,
    minimal_open: u64,
    must: u64,
    must_open: u64,
    finding: Duration,
    judging: Duration,
}

fn lines(program: &Program, spots: &[Spot]) -> Vec<usize> {
    let line = |spot: &Spot| {
        let span = program.site(spot.site()).span.unwrap();
        program.file(span).position(span.start).line as usize
    };
    let mut lines: Vec<usize> = spots.iter().map(line).collect();
    lines.sort_unstable();
    lines
}

fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let written = written(seed);
    let program = boogie::read("random.bpl", &written.text).map_err(|e| format!("{e:?}"))?;
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
        let value = |index: usize| match inputs.initial.get(&program.globals[index]) {
            Some(Value::BitVec(bits)) => bits.unsigned() as u8,
            _ => 0,
        };
        let start = [value(0), value(1), value(2), 0, 0];
        let failure = Failure::new(&program, trace, inputs).ok_or("no replay")?;
        if program.procedure(*entry).name != "main" {
            continue;
        }
        tally.failing += 1;
        let failures = [failure];
        let now = std::time::Instant::now();
        let found = corrections(&failures, context);
        tally.finding += now.elapsed();
        let now = std::time::Instant::now();
        let judged = check_corrections(&failures, &found, context);
        tally.judging += now.elapsed();
        let right = written.corrections(start);
        let claimed: Vec<Vec<usize>> =
            found.sets.iter().map(|set| lines(&program, &set.spots)).collect();
        let undecided: Vec<Vec<usize>> =
            found.undecided.iter().map(|set| lines(&program, &set.spots)).collect();
        let context = || {
            format!(
                "claimed {claimed:?}, right {right:?}, undecided {:?}, start {start:?}",
                found.undecided
            )
        };
        // Of what is undecided, not all larger sets are looked at.
        let is_open = |set: &Vec<usize>| {
            undecided.iter().any(|open| open.iter().all(|line| set.contains(line)))
        };
        if let Some(missing) = right.iter().find(|set| !claimed.contains(set) && !is_open(set)) {
            return Err(format!("missing {missing:?}: {}", context()));
        }
        if let Some(wrong) = claimed.iter().find(|set| !written.passes(start, set)) {
            return Err(format!("no correction {wrong:?}: {}", context()));
        }
        for (set, judged) in claimed.iter().zip(&judged.sets) {
            if judged.suffices != Judgement::Confirmed {
                return Err(format!("{set:?} suffices: {:?}: {}", judged.suffices, context()));
            }
            let is_minimal = right.contains(set);
            match &judged.minimal {
                Judgement::Open(_) => tally.minimal_open += 1,
                Judgement::Confirmed if is_minimal => tally.minimal += 1,
                Judgement::Refuted(_) if !is_minimal => {
                    return Err(format!("not minimal {set:?}: {}", context()));
                }
                judgement => {
                    return Err(format!("{set:?} minimal: {judgement:?}: {}", context()));
                }
            }
        }
        tally.sets += right.len();
        tally.pairs += right.iter().filter(|set| set.len() == 2).count();
        tally.complete += u64::from(found.complete());
        if let Some(must) = &found.must {
            match &judged.must {
                Judgement::Confirmed => tally.must += 1,
                Judgement::Open(_) => tally.must_open += 1,
                Judgement::Refuted(_) => {
                    return Err(format!("{must:?} {:?} {}", judged.must, context()));
                }
            }
            let must = lines(&program, must);
            if right.iter().any(|set| !set.iter().any(|line| must.contains(line))) {
                return Err(format!("must {must:?}: {}", context()));
            }
        }
    }
    Ok(())
}

#[test]
fn corrections_by_all_states() {
    let count: u64 = std::env::var("WHYDUNIT_PROGRAMS").ok().map_or(100, |n| n.parse().unwrap());
    let first: u64 = std::env::var("WHYDUNIT_FIRST").ok().map_or(0, |n| n.parse().unwrap());
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in first..first + count {
        if let Err(why) = compare(seed, &mut tally) {
            wrong.push(format!("seed {seed}: {why}\n{}", written(seed).text));
        }
    }
    println!("{tally:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n"));
    assert!(tally.failing > count / 2, "{tally:?}");
}
