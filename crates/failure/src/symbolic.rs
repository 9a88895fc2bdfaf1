//! What a trace computes: each value as a term over the trace's *symbols*.
//!
//! The symbols are the initial values of variables (written as the variables themselves) and one
//! fresh symbol for each havoc. Everything that does not depend on them is a constant by
//! construction, so on a trace without nondeterminism this is concrete execution.

use program::Place;
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use crate::cells;
use crate::trace::{Action, Direction, Trace};

/// The result of executing a trace symbolically.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// Per step: the new value of the assigned variable (the whole map, for a cell), or the condition.
    pub results: Vec<Term>,
    /// Per step: the values of the indices of the assigned place.
    pub indices: Vec<Vec<Term>>,
    /// The symbol of each havoc step.
    pub havocs: FxHashMap<usize, Term>,
    /// Whether the terms say all that executions do. If not, some addresses were taken from the run.
    pub exact: bool,
    /// Per variable: after which steps it has which value.
    history: FxHashMap<Term, Vec<(u32, Term)>>,
    initial: FxHashMap<Term, Term>,
}

impl Symbolic {
    /// The value of a variable before step `position`.
    pub fn before(&self, position: usize, variable: Term) -> Term {
        let history = self.history.get(&variable).map_or(&[][..], Vec::as_slice);
        let index = history.partition_point(|&(step, _)| (step as usize) < position);
        match index.checked_sub(1) {
            Some(last) => history[last].1,
            None => self.initial.get(&variable).copied().unwrap_or(variable),
        }
    }

    /// A term over variables as it evaluates before step `position`.
    pub fn evaluate_before(&self, terms: &mut Terms, position: usize, term: Term) -> Term {
        terms.substitute(term, &mut |v| Some(self.before(position, v)))
    }

    /// The conditions of the trace that are not true anyway, with their steps.
    pub fn conditions(&self, terms: &Terms, trace: &Trace) -> Vec<(usize, Term)> {
        let steps = trace.steps.iter().enumerate();
        steps
            .filter(|(_, step)| matches!(step.action, Action::Assume { .. }))
            .map(|(at, _)| (at, self.results[at]))
            .filter(|&(_, condition)| !terms.is_true(condition))
            .collect()
    }
}

/// Executes the trace symbolically, from any initial state. `terms` is the trace's arena or an
/// extension of it.
pub fn execute(terms: &mut Terms, trace: &Trace) -> Symbolic {
    execute_from(terms, trace, &FxHashMap::default())
}

/// Executes the trace symbolically, from an initial state in which these variables have these values.
pub fn execute_from(terms: &mut Terms, trace: &Trace, initial: &FxHashMap<Term, Term>) -> Symbolic {
    let mut now = initial.clone();
    let mut run = Symbolic {
        results: Vec::with_capacity(trace.steps.len()),
        indices: Vec::with_capacity(trace.steps.len()),
        havocs: FxHashMap::default(),
        exact: true,
        history: FxHashMap::default(),
        initial: initial.clone(),
    };
    for (at, step) in trace.steps.iter().enumerate() {
        let value_of = |terms: &mut Terms, term| {
            terms.substitute(term, &mut |v| Some(now.get(&v).copied().unwrap_or(v)))
        };
        let (mut indices, mut others) = (Vec::new(), Vec::new());
        let result = match &step.action {
            Action::Assume { condition } => value_of(terms, *condition),
            Action::Assign { place, value } => {
                indices = place.indices.iter().map(|&i| value_of(terms, i)).collect();
                let element = match &step.access {
                    Some(access) if access.direction == Direction::Read => {
                        let address = value_of(terms, access.address);
                        let read = cells::read(
                            terms,
                            &trace.objects,
                            access,
                            *value,
                            address,
                            &mut |terms, cell| value_of(terms, cell),
                        );
                        run.exact &= read.is_some();
                        read.unwrap_or_else(|| value_of(terms, *value))
                    }
                    _ => value_of(terms, *value),
                };
                if let Some(access) = &step.access
                    && access.direction == Direction::Write
                {
                    let address = value_of(terms, access.address);
                    let writes = cells::write(
                        terms,
                        &trace.objects,
                        access,
                        place.variable,
                        address,
                        element,
                        &mut |terms, cell| value_of(terms, cell),
                    );
                    run.exact &= writes.is_some();
                    let own = |writes: &[(Term, Term)]| {
                        writes.iter().find(|(cell, _)| *cell == place.variable).map(|w| w.1)
                    };
                    let element = match &writes {
                        Some(writes) => own(writes).unwrap_or(value_of(terms, place.variable)),
                        None => element,
                    };
                    others = writes.unwrap_or_default();
                    others.retain(|(cell, _)| *cell != place.variable);
                    element
                } else {
                    let old = value_of(terms, place.variable);
                    Place::updated(terms, old, &indices, element)
                }
            }
            Action::Havoc { place } => {
                indices = place.indices.iter().map(|&i| value_of(terms, i)).collect();
                let name = terms.name(place.variable).unwrap_or("havoc").to_owned();
                let sort = place.sort(terms);
                let symbol = terms.fresh(&name, &sort);
                run.havocs.insert(at, symbol);
                let old = value_of(terms, place.variable);
                Place::updated(terms, old, &indices, symbol)
            }
        };
        for (cell, value) in others {
            now.insert(cell, value);
            run.history.entry(cell).or_default().push((at as u32, value));
        }
        if let Some(place) = step.action.place() {
            now.insert(place.variable, result);
            run.history.entry(place.variable).or_default().push((at as u32, result));
        }
        run.results.push(result);
        run.indices.push(indices);
    }
    run
}
