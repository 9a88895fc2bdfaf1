//! Executing a trace itself, with concrete values.
//!
//! The interpreter runs programs; this runs the straight-line code of a trace, for executions that the
//! interpreter cannot be made to take because their inputs are known only as values in memory.

use rustc_hash::FxHashMap;
use term::{Term, Value};

use crate::cells::{self, Contents};
use crate::replay::{Change, Inputs, Replay};
use crate::trace::{Access, Action, Direction, Trace};

/// Executes the trace with the inputs, possibly changed in one step.
pub(crate) fn walk(trace: &Trace, inputs: &Inputs, change: Option<&Change>) -> Replay {
    let mut now: FxHashMap<Term, Value> = inputs.initial.clone();
    let mut havocs = inputs.havocs.iter();
    let mut assigned = Vec::new();
    let mut scratch = trace.terms.clone();
    for (at, step) in trace.steps.iter().enumerate() {
        let lookup = |now: &FxHashMap<Term, Value>, variable: Term| {
            let zero = || Value::zero(trace.terms.sort(variable));
            now.get(&variable).cloned().unwrap_or_else(zero)
        };
        let evaluate = |now: &FxHashMap<Term, Value>, term: Term| {
            term::evaluate(&trace.terms, term, &mut |variable| Some(lookup(now, variable)))
        };
        let address = step.access.as_deref().map(|access| (access, evaluate(&now, access.address)));
        let value = match &step.action {
            Action::Assume { condition } => match evaluate(&now, *condition) {
                Some(value) if value.is_true() => continue,
                Some(_) if trace.pinned.contains(&at) => return Replay::Unclear,
                Some(_) => return Replay::Blocked { at: step.at as usize },
                None => return Replay::Unclear,
            },
            Action::Havoc { .. } => havocs.next().cloned(),
            Action::Assign { value, .. } => match &address {
                Some((access, Some(address))) if access.direction == Direction::Read => {
                    match place_at(trace, &mut scratch, access, *value, address) {
                        Some(Contents::Cell(cell)) => Some(lookup(&now, cell)),
                        Some(Contents::Untouched(value)) => scratch.value(value).cloned(),
                        None => return Replay::Unclear,
                    }
                }
                _ => evaluate(&now, *value),
            },
        };
        let (Some(value), Some(place)) = (value, step.action.place()) else {
            return Replay::Unclear;
        };
        if !place.indices.is_empty() {
            return Replay::Unclear; // maps are not in memory
        }
        let value = match change {
            Some(change) if change.step == at => change.value.clone(),
            _ => value,
        };
        assigned.push(value.clone());
        let target = match &address {
            Some((access, Some(address))) if access.direction == Direction::Write => {
                match place_at(trace, &mut scratch, access, place.variable, address) {
                    Some(Contents::Cell(cell)) => cell,
                    _ => return Replay::Unclear,
                }
            }
            _ => place.variable,
        };
        now.insert(target, value);
    }
    Replay::Completed { assigned }
}

/// What is at an address.
fn place_at(
    trace: &Trace,
    terms: &mut term::Terms,
    access: &Access,
    cell: Term,
    address: &Value,
) -> Option<Contents> {
    let Value::BitVec(address) = address else { return None };
    let address = address.unsigned() as u64;
    let object = trace.objects.get(access.object as usize)?;
    let own = object.cell(cell)?;
    if object.address.wrapping_add(own.offset) == address {
        return Some(Contents::Cell(cell));
    }
    let cases = cells::alternatives(terms, &trace.objects, access, cell)?.cases;
    cases.into_iter().find(|(at, _)| *at == address).map(|(_, contents)| contents)
}
