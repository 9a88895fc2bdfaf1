//! What a failing run did before each step: values, executions, functions.

use std::collections::HashMap;

use failure::{Failure, Part, Step};
use program::{EdgeId, ProcedureId, Scope};
use term::{Term, Value};

/// For each step of a trace, what came before it.
#[derive(Debug)]
pub struct History {
    /// The step that assigned the same variable before.
    previous: Vec<Option<u32>>,
    /// The how many-th execution of its edge it belongs to, from 1.
    executions: Vec<u32>,
    /// Its number among the steps that a programmer sees, from 1.
    numbers: Vec<u32>,
    /// How many there are.
    pub seen: usize,
}

impl History {
    pub fn of(failure: &Failure<'_>) -> History {
        let trace = &failure.trace;
        let mut history = History {
            previous: Vec::with_capacity(trace.steps.len()),
            executions: Vec::with_capacity(trace.steps.len()),
            numbers: Vec::with_capacity(trace.steps.len()),
            seen: 0,
        };
        let mut assigned: HashMap<Term, u32> = HashMap::new();
        // One way along an edge may be several steps.
        let mut taken: HashMap<EdgeId, (u32, u32)> = HashMap::new();
        for (at, step) in trace.steps.iter().enumerate() {
            let place = step.action.place();
            history.previous.push(place.and_then(|p| assigned.insert(p.variable, at as u32)));
            let edge = trace.path.get(step.at as usize).copied().unwrap_or(EdgeId(0));
            let (count, last) = taken.entry(edge).or_insert((1, step.at));
            if *last != step.at {
                (*count, *last) = (*count + 1, step.at);
            }
            history.executions.push(*count);
            history.seen += usize::from(step.part != Part::Temporary);
            history.numbers.push(history.seen.max(1) as u32);
        }
        history
    }

    /// Its number among the steps that a programmer sees, from 1.
    pub fn number(&self, at: usize) -> usize {
        self.numbers.get(at).map_or(at + 1, |&number| number as usize)
    }

    /// The how many-th execution of the statement it belongs to, from 1.
    pub fn execution(&self, at: usize) -> u32 {
        self.executions.get(at).copied().unwrap_or(1)
    }

    /// The value that the variable of an assigning step had before, if it had any.
    pub fn before<'f>(&self, failure: &'f Failure<'_>, at: usize) -> Option<&'f Value> {
        let place = failure.trace.steps.get(at)?.action.place()?;
        if let Some(previous) = self.previous.get(at).copied().flatten() {
            return failure.values.get(previous as usize)?.as_ref();
        }
        // Variables of functions begin with nothing in particular.
        let (_, variable) = failure.trace.origin(place.variable);
        let declared = failure.program.variables.get(&variable);
        match declared.map(|declared| declared.scope) {
            Some(Scope::Local(_)) => None,
            Some(Scope::Global) | None => failure.inputs.initial.get(&place.variable),
        }
    }
}

/// The function that a step is in, and how many calls of functions of the source it is nested in.
pub fn function<'f>(failure: &'f Failure<'_>, step: &Step) -> (Option<&'f str>, u32) {
    let (program, trace) = (failure.program, &failure.trace);
    let edge = trace.path.get(step.at as usize).map(|&edge| program.edge(edge));
    let of_edge = edge.and_then(|edge| program.location(edge.from).procedure);
    // The edge of a result is the return, in another function.
    let of_result = || -> Option<ProcedureId> {
        let place = step.action.place()?;
        match program.variables.get(&trace.origin(place.variable).1)?.scope {
            Scope::Local(procedure) => Some(procedure),
            Scope::Global => None,
        }
    };
    let procedure = match step.part {
        Part::Result(_) => of_result().or(of_edge),
        _ => of_edge,
    };
    let name = |id: ProcedureId| program.procedure(id).name.as_str();
    // What a front end does before `main` is no function of the source.
    let is_made = |name: &&str| name.starts_with('<');
    let above = u32::from(is_made(&name(trace.entry)));
    let own = procedure.map(name).filter(|name| !is_made(name));
    (own, step.frame.depth.saturating_sub(above))
}
