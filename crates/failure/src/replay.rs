//! Replaying a path in the interpreter: the last word on whether a failure is real.

use program::interpret::{Machine, Oracle};
use program::{EdgeId, Program, Property, SiteId};
use rustc_hash::FxHashMap;
use term::{Sort, Term, Value};

use crate::trace::Trace;

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
}

impl<'p> Failure<'p> {
    /// Runs the trace with the inputs. None if it is not a failing execution.
    pub fn new(program: &'p Program, trace: Trace, inputs: Inputs) -> Option<Failure<'p>> {
        let assigned = match replay(program, &trace, &inputs, None) {
            Replay::Completed { assigned } => assigned,
            Replay::Blocked { .. } => return None,
        };
        let mut assigned = assigned.into_iter();
        let values = trace
            .steps
            .iter()
            .map(|step| step.action.place().and_then(|_| assigned.next()))
            .collect();
        let last = program.edge(*trace.path.last()?);
        (last.to == Program::ERROR).then_some(Failure { program, trace, inputs, values })
    }

    /// The statement whose property is violated.
    pub fn site(&self) -> SiteId {
        self.trace.steps.last().map_or(SiteId(0), |step| step.site)
    }

    pub fn property(&self) -> Option<&Property> {
        self.program.site(self.site()).property.as_ref()
    }
}

/// How a replay ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The execution took the whole path, assigning these values.
    Completed { assigned: Vec<Value> },
    /// The edge at this index of the path was not possible.
    Blocked { at: usize },
}

/// Runs the path of a trace in the interpreter. With `instead = (n, v)`, the `n`th assigning step
/// (counted from 0) assigns `v` instead of what it says.
pub fn replay(
    program: &Program,
    trace: &Trace,
    inputs: &Inputs,
    instead: Option<(usize, Value)>,
) -> Replay {
    let mut oracle = Recorded { trace, inputs, havocs: 0, assigned: Vec::new(), instead };
    let mut machine = Machine::new(program, trace.entry, &mut oracle);
    match follow(&mut machine, &trace.path, &mut oracle) {
        Some(at) => Replay::Blocked { at },
        None => Replay::Completed { assigned: oracle.assigned },
    }
}

/// Takes the edges in turn; the index of the first that is not possible.
fn follow(machine: &mut Machine<'_>, path: &[EdgeId], oracle: &mut dyn Oracle) -> Option<usize> {
    for (at, &edge) in path.iter().enumerate() {
        if !machine.possible(edge) {
            return Some(at);
        }
        machine.take(edge, oracle);
    }
    None
}

struct Recorded<'a> {
    trace: &'a Trace,
    inputs: &'a Inputs,
    havocs: usize,
    assigned: Vec<Value>,
    instead: Option<(usize, Value)>,
}

impl Oracle for Recorded<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        let found = self.inputs.initial.iter().find(|(v, _)| {
            **v == variable && activation == 0
                || self.trace.origins.get(v) == Some(&(activation, variable))
        });
        found.map_or_else(|| Value::zero(sort), |(_, value)| value.clone())
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        let value = self.inputs.havocs.get(self.havocs).cloned();
        self.havocs += 1;
        value.unwrap_or_else(|| Value::zero(sort))
    }

    fn assign(&mut self, value: Value) -> Value {
        let value = match &self.instead {
            Some((number, instead)) if *number == self.assigned.len() => instead.clone(),
            _ => value,
        };
        self.assigned.push(value.clone());
        value
    }
}
