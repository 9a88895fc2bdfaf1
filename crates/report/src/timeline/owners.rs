//! Which call of a function an object in memory belongs to.

use std::collections::{HashMap, HashSet};

use failure::{Failure, Part};
use program::process::Origin;
use program::{Language, ProcedureId, Statement};

/// The activations that objects of functions belong to. Who first uses an object while only one call of its function is
/// active does so in that call, or in one that was called from it.
pub(super) fn owners(failure: &Failure<'_>) -> HashMap<u32, u32> {
    let (program, trace) = (failure.program, &failure.trace);
    let mut owners = HashMap::new();
    // In a run that is not known from its start, other calls may be active.
    let begins = trace.path.first().map(|&edge| program.edge(edge).from);
    if program.language != Language::C || begins != Some(program.procedure(trace.entry).entry) {
        return owners;
    }
    let procedure_at = |index: usize| {
        let edge = trace.path.get(index).map(|&edge| program.edge(edge));
        edge.and_then(|edge| program.location(edge.from).procedure)
    };
    let mut seen: HashSet<u32> = HashSet::new();
    // The calls that are active: the procedure of each, and its activation once a step tells.
    let mut stack: Vec<(Option<ProcedureId>, Option<u32>)> = vec![(procedure_at(0), None)];
    let mut walked = 0;
    for step in &trace.steps {
        while walked < step.at as usize {
            let edge = trace.path.get(walked).map(|&edge| program.edge(edge));
            let next = trace.path.get(walked + 1).map(|&edge| program.edge(edge));
            if let (Some(edge), Some(next)) = (edge, next)
                && edge.to != next.from
            {
                match edge.statement {
                    Statement::Return => drop(stack.pop()),
                    _ => stack.push((procedure_at(walked + 1), None)),
                }
            }
            walked += 1;
        }
        if let Some(top) = stack.last_mut()
            && !matches!(step.part, Part::Argument(_) | Part::Result(_))
        {
            top.1 = Some(step.frame.activation);
        }
        let own = step.action.place().map(|place| place.variable);
        let Some(&number) = own.and_then(|variable| trace.cells.get(&variable)) else { continue };
        if !seen.insert(number) {
            continue;
        }
        let Some(Origin::Local(edge)) = trace.objects.get(number as usize).map(|o| o.origin) else {
            continue;
        };
        let home = program.location(program.edge(edge).from).procedure;
        let mut homes = stack.iter().filter(|(procedure, _)| *procedure == home);
        if let (Some(&(_, Some(activation))), None) = (homes.next(), homes.next()) {
            owners.insert(number, activation);
        }
    }
    owners
}
