//! Searching for inputs with which a program with memory fails.
//!
//! The program is run, and what it did is unfolded into a trace in which the inputs are symbols. Each
//! condition of the trace that depends on them is a decision: the solver is asked for inputs that lead
//! to it and decide otherwise, and the program is run with these. Decisions that lead to a failure come first, then
//! those that lead to code that has not been seen, then the others in the order of their discovery.
//! Since every step is a run, memory needs no symbols.
//!
//! Runs are short at first: a program that never ends would keep us forever in its first execution.

use std::collections::VecDeque;

use program::process::{Host, Limits, Outcome};
use program::{EdgeId, Program, Stop};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use solver::{Answer, Model, Solver};
use std::hash::{Hash, Hasher};
use term::{Sort, Term, Value};

use super::{InputMode, Job, Unfolded, unfold};
use crate::inputs::simplest_inputs;
use crate::symbolic;
use crate::trace::{Action, Trace};

/// The bytes of each input, in the order in which the program asks for them.
pub type Asked = Vec<Vec<u8>>;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Inputs with which the program fails, one for each way.
    pub failing: Vec<Asked>,
    pub runs: u64,
    /// Whether runs were cut off.
    pub cut: bool,
    /// Whether the solver could not decide something.
    pub undecided: bool,
    /// Whether the search was stopped before its end.
    pub stopped: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct ExploreLimits {
    /// How many failures are wanted.
    pub failures: usize,
    /// Instructions of the longest runs.
    pub instructions: u64,
}

/// Searches for failing inputs. `world` makes the world in which the program gets these inputs.
pub fn explore<W: Host + Clone>(
    job: Job<'_>,
    world: &dyn Fn(Asked) -> W,
    solver: &mut dyn Solver,
    limits: ExploreLimits,
    stop: &Stop,
) -> Explored {
    let mut explored = Explored::default();
    // What fails in short runs is kept: longer ones may be stopped before they come to it.
    let mut failed = FxHashSet::default();
    let mut longest = FIRST;
    loop {
        longest = limits.instructions.min(longest);
        let job = Job { limits: Limits { instructions: longest, ..job.limits }, ..job };
        let mut round = Round {
            job,
            world,
            solver: &mut *solver,
            covered: FxHashSet::default(),
            decided: FxHashSet::default(),
            failed,
            new: VecDeque::new(),
            rest: VecDeque::new(),
            explored: Explored {
                failing: explored.failing,
                runs: explored.runs,
                ..Explored::default()
            },
            wanted: limits.failures,
            most_runs: match longest < limits.instructions {
                true => explored.runs + MOST_RUNS,
                false => u64::MAX,
            },
        };
        round.run(stop);
        (explored, failed) = (round.explored, round.failed);
        let done = explored.failing.len() >= limits.failures || !explored.cut;
        if done || explored.stopped || longest >= limits.instructions {
            return explored;
        }
        // Exhausting a length takes twice as long with one more decision: small steps first.
        longest = if longest < 2_000 { longest * 3 / 2 } else { longest * 3 };
    }
}

struct Round<'a, 'p, W> {
    job: Job<'p>,
    world: &'a dyn Fn(Asked) -> W,
    solver: &'a mut dyn Solver,
    covered: FxHashSet<EdgeId>,
    /// Decisions that have been asked about: a path, and its end decided otherwise.
    decided: FxHashSet<u64>,
    /// The paths that failed, also in earlier rounds.
    failed: FxHashSet<Vec<EdgeId>>,
    /// Inputs that lead to code that has not been seen, and other inputs.
    new: VecDeque<Asked>,
    rest: VecDeque<Asked>,
    explored: Explored,
    wanted: usize,
    most_runs: u64,
}

/// How many instructions the first runs have, and how many runs of a length there are before longer ones
/// are tried.
const FIRST: u64 = 40;
const MOST_RUNS: u64 = 10_000;

/// A decision of a run.
struct Decision {
    step: usize,
    condition: Term,
    /// The edges that were not taken.
    others: Vec<EdgeId>,
    path: u64,
}

impl<W: Host + Clone> Round<'_, '_, W> {
    fn run(&mut self, stop: &Stop) {
        self.new.push_back(Vec::new());
        while let Some(inputs) = self.new.pop_front().or_else(|| self.rest.pop_front()) {
            if stop.requested() {
                self.explored.stopped = true;
                return;
            }
            if self.explored.runs >= self.most_runs {
                self.explored.cut = true;
                return;
            }
            self.try_inputs(inputs, stop);
            if self.explored.failing.len() >= self.wanted {
                return;
            }
        }
    }

    fn try_inputs(&mut self, inputs: Asked, stop: &Stop) {
        let world = (self.world)(inputs.clone());
        self.explored.runs += 1;
        let mode = InputMode::Asked;
        let Some(record) = self.job.record(world, 0, mode, stop) else {
            self.explored.cut = true;
            return;
        };
        let unfolded = unfold(self.job.program, &record, self.job.entry, mode);
        match record.outcome {
            // Several inputs may go one way.
            Outcome::Failed { .. } if self.failed.insert(unfolded.trace.path.clone()) => {
                let simplest = self.simplest(&unfolded, &inputs);
                self.explored.failing.push(simplest);
            }
            Outcome::Failed { .. } => {}
            Outcome::StepLimit { .. } => self.explored.cut = true,
            Outcome::Stopped => self.explored.stopped = true,
            Outcome::Finished { .. } | Outcome::Blocked { .. } => {}
        }
        self.covered.extend(unfolded.trace.path.iter().copied());
        if self.explored.failing.len() < self.wanted {
            self.decide_otherwise(&unfolded, &inputs, stop);
        }
    }

    /// The inputs of a failing run made simple, if the program then fails in the same way.
    fn simplest(&mut self, unfolded: &Unfolded, inputs: &Asked) -> Asked {
        let trace = &unfolded.trace;
        let mut terms = trace.terms.clone();
        let initial = constants(&mut terms, unfolded);
        let run = symbolic::execute_from(&mut terms, trace, &initial);
        match simplest_inputs(&mut terms, self.solver, trace, &run) {
            Some(simple) if run.exact => {
                let value = |havoc: usize| simple.havocs.get(havoc).cloned();
                let candidate = with_values(unfolded, inputs, &value);
                let ran = self.job.run((self.world)(candidate.clone()), &Stop::default());
                match ran.outcome {
                    Outcome::Failed { .. } => candidate,
                    _ => inputs.clone(),
                }
            }
            _ => inputs.clone(),
        }
    }

    /// Asks for inputs that take the same way up to a decision, and then another one.
    fn decide_otherwise(&mut self, unfolded: &Unfolded, inputs: &Asked, stop: &Stop) {
        let trace = &unfolded.trace;
        let mut terms = trace.terms.clone();
        let initial = constants(&mut terms, unfolded);
        let run = symbolic::execute_from(&mut terms, trace, &initial);
        let symbols: Vec<(usize, Term)> = havoc_symbols(trace, &run);
        let decisions = decisions(self.job.program, trace, &run.results, &terms);
        let values = unfolded.inputs.havocs.iter().cloned();
        let current: FxHashMap<Term, Value> =
            symbols.iter().map(|&(_, symbol)| symbol).zip(values).collect();
        let mut parts = Parts::default();
        for decision in decisions {
            if stop.requested() {
                self.explored.stopped = true;
                break;
            }
            let variables = terms.variables_of(&[decision.condition]);
            if self.decided.insert(decision.path) {
                let otherwise = terms.not(decision.condition);
                let (conditions, wanted) = parts.connected(&variables);
                if let [symbol] = variables[..]
                    && let Some(value) = by_trying(&terms, &conditions, otherwise, symbol, &current)
                {
                    let value = |havoc: usize| {
                        let own = symbols.get(havoc).is_some_and(|s| s.1 == symbol);
                        own.then(|| value.clone())
                    };
                    let next = with_values(unfolded, inputs, &value);
                    self.add(trace, &decision, next);
                    parts.add(decision.condition, &variables);
                    continue;
                }
                match self.ask(&terms, &conditions, otherwise, &wanted) {
                    Some(Some(model)) => {
                        let value = |havoc: usize| {
                            let symbol = symbols.get(havoc).map(|&(_, symbol)| symbol)?;
                            wanted.contains(&symbol).then(|| model.value(&terms, symbol))
                        };
                        let next = with_values(unfolded, inputs, &value);
                        self.add(trace, &decision, next);
                    }
                    Some(None) => {}
                    None => self.explored.undecided = true,
                }
            }
            parts.add(decision.condition, &variables);
        }
    }

    /// Values with which the conditions hold: none if there are none, nothing if that is not known.
    fn ask(
        &mut self,
        terms: &term::Terms,
        conditions: &[Term],
        last: Term,
        wanted: &[Term],
    ) -> Option<Option<Model>> {
        self.solver.push();
        for &condition in conditions.iter().chain([&last]) {
            self.solver.assert(terms, condition);
        }
        let answer = match self.solver.check(terms, &[]) {
            Answer::Sat => self.solver.model(terms, wanted).map(Some),
            Answer::Unsat => Some(None),
            Answer::Unknown(_) => None,
        };
        self.solver.pop();
        answer
    }

    fn add(&mut self, trace: &Trace, decision: &Decision, inputs: Asked) {
        let program = self.job.program;
        let fails = |edge: &EdgeId| program.edge(*edge).to == Program::ERROR;
        let at = trace.steps[decision.step].at as usize;
        let is_guard = trace.path.get(at).is_some_and(|&edge| {
            !matches!(program.edge(edge).statement, program::Statement::Assume { .. })
        });
        if is_guard || decision.others.iter().any(fails) {
            self.new.push_front(inputs);
        } else if decision.others.iter().any(|edge| !self.covered.contains(edge)) {
            self.new.push_back(inputs);
        } else {
            self.rest.push_back(inputs);
        }
    }
}

/// A value of one symbol with which the conditions hold while the others stay as they are; one that is
/// easily guessed, because it is a constant of the last condition or beside one.
fn by_trying(
    terms: &term::Terms,
    conditions: &[Term],
    last: Term,
    symbol: Term,
    current: &FxHashMap<Term, Value>,
) -> Option<Value> {
    let &Sort::BitVec(width) = terms.sort(symbol) else { return None };
    let mut candidates = vec![0, 1, u128::MAX];
    for node in terms.reachable(&[last]) {
        if let Some(Value::BitVec(bits)) = terms.value(node) {
            let bits = bits.unsigned();
            candidates.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1)]);
        }
        if candidates.len() > MOST_CANDIDATES {
            break;
        }
    }
    let holds = |value: &Value, condition: Term| {
        let truth = term::evaluate(terms, condition, &mut |variable| {
            if variable == symbol { Some(value.clone()) } else { current.get(&variable).cloned() }
        });
        truth.is_some_and(|truth| truth.is_true())
    };
    candidates.into_iter().map(|bits| Value::bitvec(width, bits)).find(|value| {
        holds(value, last) && conditions.iter().all(|&condition| holds(value, condition))
    })
}

const MOST_CANDIDATES: usize = 24;

/// Conditions, divided into parts that have no symbol in common. Only what is connected with a decision
/// matters for it; all other inputs may stay as they are.
#[derive(Default)]
struct Parts {
    /// The part of each symbol; parts that were merged refer to another one.
    of: FxHashMap<Term, usize>,
    merged: Vec<usize>,
    contents: Vec<(Vec<Term>, Vec<Term>)>,
}

impl Parts {
    fn root(&self, part: usize) -> usize {
        let mut part = part;
        while self.merged[part] != part {
            part = self.merged[part];
        }
        part
    }

    /// The parts of these symbols.
    fn roots(&self, symbols: &[Term]) -> Vec<usize> {
        let known = symbols.iter().filter_map(|symbol| self.of.get(symbol));
        let mut roots: Vec<usize> = known.map(|&part| self.root(part)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The conditions connected with these symbols, and all their symbols.
    fn connected(&self, symbols: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let mut all: Vec<Term> = symbols.to_vec();
        let mut conditions = Vec::new();
        for root in self.roots(symbols) {
            conditions.extend_from_slice(&self.contents[root].0);
            all.extend_from_slice(&self.contents[root].1);
        }
        all.sort_unstable();
        all.dedup();
        (conditions, all)
    }

    fn add(&mut self, condition: Term, symbols: &[Term]) {
        let mut roots = self.roots(symbols);
        // The largest takes in the others.
        roots.sort_by_key(|&root| std::cmp::Reverse(self.contents[root].0.len()));
        let main = match roots.first() {
            Some(&root) => root,
            None => {
                self.merged.push(self.contents.len());
                self.contents.push(Default::default());
                self.contents.len() - 1
            }
        };
        for &other in roots.iter().skip(1) {
            let (conditions, own) = std::mem::take(&mut self.contents[other]);
            self.contents[main].0.extend(conditions);
            self.contents[main].1.extend(own);
            self.merged[other] = main;
        }
        for &symbol in symbols {
            if self.of.insert(symbol, main).is_none() {
                self.contents[main].1.push(symbol);
            }
        }
        self.contents[main].0.push(condition);
    }
}

/// The initial values as constants: only the inputs are symbols.
fn constants(terms: &mut term::Terms, unfolded: &Unfolded) -> FxHashMap<Term, Term> {
    let trace = &unfolded.trace;
    let roots: Vec<Term> = trace
        .steps
        .iter()
        .flat_map(|step| step.operands().chain(step.action.place().map(|place| place.variable)))
        .collect();
    let mut initial = FxHashMap::default();
    for variable in trace.terms.variables_of(&roots) {
        let zero = || Value::zero(trace.terms.sort(variable));
        let value = unfolded.inputs.initial.get(&variable).cloned().unwrap_or_else(zero);
        initial.insert(variable, terms.constant(&value));
    }
    initial
}

/// The havocs in their order, with their symbols.
fn havoc_symbols(trace: &Trace, run: &symbolic::Symbolic) -> Vec<(usize, Term)> {
    let steps = trace.steps.iter().enumerate();
    let havocs = steps.filter(|(_, step)| matches!(step.action, Action::Havoc { .. }));
    havocs.enumerate().filter_map(|(n, (at, _))| Some((n, *run.havocs.get(&at)?))).collect()
}

fn decisions(
    program: &Program,
    trace: &Trace,
    results: &[Term],
    terms: &term::Terms,
) -> Vec<Decision> {
    let mut decisions = Vec::new();
    let mut hasher = FxHasher::default();
    let mut hashed = 0;
    for (at, step) in trace.steps.iter().enumerate() {
        if !matches!(step.action, Action::Assume { .. }) || terms.value(results[at]).is_some() {
            continue;
        }
        let position = step.at as usize;
        while hashed < position {
            trace.path[hashed].hash(&mut hasher);
            hashed += 1;
        }
        let edge = program.edge(trace.path[position]);
        let others = program.location(edge.from).edges.iter().copied();
        let others = others.filter(|other| *other != trace.path[position]).collect();
        let path = hasher.clone();
        let mut own = path;
        (trace.path[position], at - first_step(trace, at)).hash(&mut own);
        decisions.push(Decision { step: at, condition: results[at], others, path: own.finish() });
    }
    decisions
}

/// The first step of the edge that a step belongs to.
fn first_step(trace: &Trace, step: usize) -> usize {
    let at = trace.steps[step].at;
    (0..=step).rev().take_while(|&s| trace.steps[s].at == at).last().unwrap_or(step)
}

/// Inputs with other values of the havocs that are known; the bytes of the others stay.
fn with_values(
    unfolded: &Unfolded,
    inputs: &Asked,
    value: &dyn Fn(usize) -> Option<Value>,
) -> Asked {
    let mut inputs = inputs.clone();
    for choice in &unfolded.choices {
        let Some(value) = value(choice.havoc) else { continue };
        let bits = super::job::scalar(&value).bits;
        let (ask, offset) = (choice.ask as usize, choice.offset as usize);
        if inputs.len() <= ask {
            inputs.resize(ask + 1, Vec::new());
        }
        let bytes = &mut inputs[ask];
        let end = offset + choice.size as usize;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        for (n, byte) in bytes[offset..end].iter_mut().enumerate() {
            *byte = (bits >> (8 * n.min(15))) as u8;
        }
    }
    inputs
}
