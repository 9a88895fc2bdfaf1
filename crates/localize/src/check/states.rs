//! The states of an execution, as the interpreter saw them.

use failure::{Failure, Inputs, Replay};
use program::Place;
use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

/// Per variable of a trace: after which steps it has which value.
pub(super) type History = FxHashMap<Term, Vec<(usize, Value)>>;

/// The values of an execution, from what the interpreter assigned.
pub(super) fn history(failure: &Failure<'_>, inputs: &Inputs) -> History {
    let mut history: History = FxHashMap::default();
    for (&variable, value) in &inputs.initial {
        history.insert(variable, vec![(0, value.clone())]);
    }
    let assigned: Vec<Option<Value>> = match *inputs == failure.inputs {
        true => failure.values.clone(),
        false => match failure.replay(inputs) {
            Replay::Completed { assigned } => {
                let mut assigned = assigned.into_iter();
                let steps = failure.trace.steps.iter();
                steps.map(|step| step.action.place().and_then(|_| assigned.next())).collect()
            }
            _ => return history,
        },
    };
    let mut terms = failure.trace.terms.clone();
    for (at, step) in failure.trace.steps.iter().enumerate() {
        let Some(place) = step.action.place() else { continue };
        let Some(mut value) = assigned.get(at).cloned().flatten() else { continue };
        if !place.indices.is_empty() {
            let element = terms.constant(&value);
            let whole = Place::updated(&mut terms, place.variable, &place.indices, element);
            let new =
                term::evaluate(&terms, whole, &mut |v| Some(state_before(&history, &terms, at, v)));
            value = new.unwrap_or(value);
        }
        history.entry(place.variable).or_default().push((at + 1, value));
    }
    history
}

pub(super) fn state_before(history: &History, terms: &Terms, step: usize, variable: Term) -> Value {
    let values = history.get(&variable).map_or(&[][..], Vec::as_slice);
    match values.partition_point(|(from, _)| *from <= step).checked_sub(1) {
        Some(index) => values[index].1.clone(),
        None => Value::zero(terms.sort(variable)),
    }
}
