//! Replaying a path in the interpreter: the last word on whether a failure is real.

use std::fmt;
use std::rc::Rc;

use program::interpret::{Machine, Oracle};
use program::{EdgeId, FailureKind, Program, Property, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms, Value};

use crate::flip::{Flip, Flipped};
use crate::rerun::{Rerun, Rule};
use crate::symbolic::{self, Symbolic};
use crate::trace::Trace;
use crate::walk::walk;

/// Everything that an execution of a trace leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Initial values, by variable of the trace; zero if not mentioned.
    pub initial: FxHashMap<Term, Value>,
    /// The values of the havocs, in order.
    pub havocs: Vec<Value>,
}

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Failure<'p> {
    pub program: &'p Program,
    pub trace: Trace,
    pub inputs: Inputs,
    /// For each assigning step, the value that it assigned.
    pub values: Vec<Option<Value>>,
    /// What is violated.
    pub property: Property,
    /// The calls that were active when it failed, the innermost first.
    pub calls: Vec<SiteId>,
    /// Where what it is about comes from: the object that was accessed, the variable that was never set.
    pub about: Vec<SiteId>,
    /// How to repeat it, if it is a run of a program with memory.
    pub run: Option<Rc<dyn Repeat + 'p>>,
}

/// A recorded run that can be repeated.
pub trait Repeat: fmt::Debug {
    /// Runs it once for each change. Changes are ordered by their steps.
    fn with_changes(&self, changes: &[Change]) -> Vec<Replay>;

    /// Runs it with a change, wherever that leads: see [`Failure::run_on`].
    fn run_on(&self, change: &Change) -> (After, u64);

    /// Runs it with decisions made otherwise: see [`Failure::flipped`].
    fn flipped(&self, trace: &Trace, flips: &[Flip]) -> Vec<Flipped>;

    /// Whether it is repeated from the start of the program. A very long run is not.
    fn is_whole(&self) -> bool;

    /// The number of the value that a step assigns, among those of its edge, which is at this index of the path.
    fn number_on_edge(&self, step: usize, at: usize) -> Option<u32>;

    /// Runs it with what is forced: see [`Failure::rerun`].
    fn rerun(&self, rules: &[Rule], most: u64) -> Rerun;

    /// See [`Failure::length`].
    fn length(&self, most: u64) -> Option<u64>;
}

impl<'p> Failure<'p> {
    /// Runs the trace with the inputs. None if it is not a failing execution.
    pub fn new(program: &'p Program, trace: Trace, inputs: Inputs) -> Option<Failure<'p>> {
        let assigned = match replay(program, &trace, &inputs) {
            Replay::Completed { assigned } => assigned,
            Replay::Blocked { .. } | Replay::Unclear => return None,
        };
        let mut assigned = assigned.into_iter();
        let values = trace
            .steps
            .iter()
            .map(|step| step.action.place().and_then(|_| assigned.next()))
            .collect();
        let last = program.edge(*trace.path.last()?);
        let property = program.site(trace.steps.last()?.site).property.clone()?;
        let calls = active_calls(program, &trace.path);
        (last.to == Program::ERROR).then_some(Failure {
            program,
            trace,
            inputs,
            values,
            property,
            calls,
            about: Vec::new(),
            run: None,
        })
    }

    /// Executes the trace symbolically, over all that its program leaves open. Where a program with
    /// memory begins is not left open.
    pub fn execute(&self, terms: &mut Terms) -> Symbolic {
        match self.run {
            None => symbolic::execute(terms, &self.trace),
            Some(_) => {
                let initial = self.initial(terms);
                symbolic::execute_from(terms, &self.trace, &initial)
            }
        }
    }

    /// The initial values of the failing run, as constants, of all variables that get no value later
    /// from nowhere.
    pub fn initial(&self, terms: &mut Terms) -> FxHashMap<Term, Term> {
        let roots: Vec<Term> = self
            .trace
            .steps
            .iter()
            .flat_map(|step| step.operands().chain(step.action.place().map(|p| p.variable)))
            .chain(self.trace.cells.keys().copied())
            .collect();
        let open: FxHashSet<Term> = self.trace.open.iter().map(|open| open.variable).collect();
        let mut initial = FxHashMap::default();
        for variable in self.trace.terms.variables_of(&roots) {
            if !open.contains(&variable) {
                // Variables that the inputs do not mention are zero in the failing run.
                let zero = || Value::zero(self.trace.terms.sort(variable));
                let value = self.inputs.initial.get(&variable).cloned().unwrap_or_else(zero);
                initial.insert(variable, terms.constant(&value));
            }
        }
        initial
    }

    /// Runs the trace with other inputs.
    pub fn replay(&self, inputs: &Inputs) -> Replay {
        match self.run {
            None => replay(self.program, &self.trace, inputs),
            Some(_) => walk(&self.trace, inputs, None),
        }
    }

    /// Runs the trace with the inputs, once for each change. Changes are ordered by their steps.
    pub fn replay_changes(&self, inputs: &Inputs, changes: &[Change]) -> Vec<Replay> {
        match &self.run {
            None => replay_changes(self.program, &self.trace, inputs, changes),
            Some(run) if *inputs == self.inputs => {
                let outcomes = run.with_changes(changes).into_iter().zip(changes);
                let clear = |(outcome, change): (Replay, &Change)| match outcome {
                    // The run cannot be changed there, but the trace can.
                    Replay::Unclear => walk(&self.trace, inputs, Some(change)),
                    outcome => outcome,
                };
                outcomes.map(clear).collect()
            }
            Some(_) => changes.iter().map(|c| walk(&self.trace, inputs, Some(c))).collect(),
        }
    }

    /// Runs the program with a change, and lets it go wherever that leads: what comes of it, and after how many instructions.
    /// What a program without memory would choose then is not known.
    pub fn run_on(&self, change: &Change) -> (After, u64) {
        self.run.as_ref().map_or((After::Unknown, 0), |run| run.run_on(change))
    }

    /// The statement whose property is violated.
    pub fn site(&self) -> SiteId {
        self.trace.steps.last().map_or(SiteId(0), |step| step.site)
    }
}

/// How a replay ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The execution took the whole path, assigning these values.
    Completed { assigned: Vec<Value> },
    /// The edge at this index of the path was not possible.
    Blocked { at: usize },
    /// It cannot be said.
    Unclear,
}

/// What comes of a run with a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// It comes to its end, and nothing is wrong.
    Passes,
    /// It fails in this statement.
    Fails { kind: FailureKind, site: SiteId },
    /// It takes long, or it cannot be said.
    Unknown,
}

/// A change to an execution: the assigning step of this number (counted from 0), on the edge at this
/// index of the path, assigns another value.
#[derive(Clone, Debug)]
pub struct Change {
    /// The step of the trace.
    pub step: usize,
    pub at: usize,
    pub number: usize,
    pub value: Value,
}

fn active_calls(program: &Program, path: &[EdgeId]) -> Vec<SiteId> {
    let mut calls = Vec::new();
    for &edge in path {
        match program.edge(edge).statement {
            Statement::Call { .. } => calls.push(program.edge(edge).site),
            Statement::Return => drop(calls.pop()),
            _ => {}
        }
    }
    calls.reverse();
    calls
}

/// Runs the path of a trace in the interpreter.
pub fn replay(program: &Program, trace: &Trace, inputs: &Inputs) -> Replay {
    let mut oracle = Recorded::new(trace, inputs);
    oracle.record = Some(Vec::new());
    let mut machine = Machine::new(program, trace.entry, &mut oracle);
    match follow(program, &mut machine, &trace.path, &mut oracle) {
        Some(at) => Replay::Blocked { at },
        None => Replay::Completed { assigned: oracle.record.unwrap_or_default() },
    }
}

/// Runs the path once for each change, sharing the execution before it. Changes are ordered by `at`.
pub fn replay_changes(
    program: &Program,
    trace: &Trace,
    inputs: &Inputs,
    changes: &[Change],
) -> Vec<Replay> {
    let mut oracle = Recorded::new(trace, inputs);
    let mut machine = Machine::new(program, trace.entry, &mut oracle);
    let mut outcomes = Vec::with_capacity(changes.len());
    let mut done = 0;
    for change in changes {
        let blocked = follow(program, &mut machine, &trace.path[done..change.at], &mut oracle);
        if let Some(at) = blocked {
            outcomes.resize(changes.len(), Replay::Blocked { at: done + at });
            break;
        }
        done = change.at;
        let mut changed = oracle.clone();
        changed.change = Some(change);
        outcomes.push(
            match follow(program, &mut machine.clone(), &trace.path[done..], &mut changed) {
                Some(at) => Replay::Blocked { at: done + at },
                None => Replay::Completed { assigned: Vec::new() },
            },
        );
    }
    outcomes
}

/// Takes the edges in turn; the index of the first that is not possible, or does not go on from where
/// the one before it led.
fn follow(
    program: &Program,
    machine: &mut Machine<'_>,
    path: &[EdgeId],
    oracle: &mut dyn Oracle,
) -> Option<usize> {
    for (at, &edge) in path.iter().enumerate() {
        if program.edge(edge).from != machine.location() || !machine.possible(edge) {
            return Some(at);
        }
        machine.take(edge, oracle);
    }
    None
}

/// Answers with the inputs of an execution, possibly changed in one step.
#[derive(Clone, Debug)]
pub(crate) struct Recorded<'a> {
    inputs: &'a Inputs,
    /// Initial values by activation and variable of the program.
    initial: Rc<FxHashMap<(u32, Term), &'a Value>>,
    havocs: usize,
    assignments: usize,
    /// The values that were assigned, if wanted.
    record: Option<Vec<Value>>,
    change: Option<&'a Change>,
}

impl<'a> Recorded<'a> {
    pub fn new(trace: &Trace, inputs: &'a Inputs) -> Recorded<'a> {
        let initial = inputs.initial.iter().map(|(v, value)| (trace.origin(*v), value)).collect();
        Recorded {
            inputs,
            initial: Rc::new(initial),
            havocs: 0,
            assignments: 0,
            record: None,
            change: None,
        }
    }
}

impl Oracle for Recorded<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        match self.initial.get(&(activation, variable)) {
            Some(value) => (*value).clone(),
            None => Value::zero(sort),
        }
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        let value = self.inputs.havocs.get(self.havocs).cloned();
        self.havocs += 1;
        value.unwrap_or_else(|| Value::zero(sort))
    }

    fn assign(&mut self, value: Value) -> Value {
        let value = match self.change {
            Some(change) if change.number == self.assignments => change.value.clone(),
            _ => value,
        };
        self.assignments += 1;
        if let Some(record) = &mut self.record {
            record.push(value.clone());
        }
        value
    }
}
