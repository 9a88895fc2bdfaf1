//! What a trace computes: each value as a term over the trace's *symbols*.
//!
//! The symbols are the initial values of variables (written as the variables themselves) and one
//! fresh symbol for each havoc. Everything that does not depend on them is a constant by
//! construction, so on a trace without nondeterminism this is concrete execution.

use std::rc::Rc;

use program::Place;
use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

use crate::cells;
use crate::trace::{Action, Direction, Part, Trace};

/// The result of executing a trace symbolically.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// Per step: the new value of the assigned variable (the whole map, for a cell), or the condition.
    pub results: Rc<Vec<Term>>,
    /// What is different from that in another run of the trace.
    changed: FxHashMap<u32, Term>,
    /// Per step: the values of the indices of the assigned place.
    pub indices: Vec<Vec<Term>>,
    /// The symbol of each havoc step.
    pub havocs: FxHashMap<usize, Term>,
    /// Whether the terms say all that executions do. If not, some addresses were taken from the run.
    pub exact: bool,
    /// By step: the condition that what it reads is defined, or that it is not, as it was in the run.
    pub noted: FxHashMap<usize, Term>,
    /// Per variable: the steps that assign it.
    history: Rc<FxHashMap<Term, Vec<u32>>>,
    /// What a step assigns to other variables than its own: to a cell that its address might be that of.
    others: FxHashMap<(u32, Term), Term>,
    /// What is set before steps, in their order.
    set: Vec<Set>,
    initial: Rc<FxHashMap<Term, Term>>,
}

/// A variable has another value before a step than the steps of the trace have assigned.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub step: u32,
    pub variable: Term,
    pub value: Term,
}

impl Symbolic {
    /// The value of a variable before step `position`.
    pub fn before(&self, position: usize, variable: Term) -> Term {
        let last = self.last(position, variable);
        last.unwrap_or_else(|| self.initial.get(&variable).copied().unwrap_or(variable))
    }

    /// The last value that a variable was assigned, or set to, before step `position`.
    fn last(&self, position: usize, variable: Term) -> Option<Term> {
        let history = self.history.get(&variable).map_or(&[][..], Vec::as_slice);
        let index = history.partition_point(|&step| (step as usize) < position);
        let last = index.checked_sub(1).map(|last| history[last]);
        let is_set = |set: &&Set| set.variable == variable && set.step as usize <= position;
        match self.set.iter().rev().find(is_set) {
            Some(set) if last.is_none_or(|last| last < set.step) => Some(set.value),
            _ => last.map(|last| self.assigned(last, variable)),
        }
    }

    fn assigned(&self, step: u32, variable: Term) -> Term {
        let other = match self.others.is_empty() {
            true => None,
            false => self.others.get(&(step, variable)),
        };
        other.copied().unwrap_or_else(|| self.result(step as usize))
    }

    /// The result of a step.
    pub fn result(&self, step: usize) -> Term {
        let changed = match self.changed.is_empty() {
            true => None,
            false => self.changed.get(&(step as u32)),
        };
        changed.copied().unwrap_or_else(|| self.results[step])
    }

    /// The same trace in another run, in which some steps assign other values, and others are set.
    pub fn with_values(
        &self,
        terms: &mut Terms,
        changed: &[(u32, Value)],
        set: Vec<Set>,
    ) -> Symbolic {
        let mut run = Symbolic { set, ..self.clone() };
        for (step, value) in changed {
            let value = terms.constant(value);
            run.changed.insert(*step, value);
            if let Some(havoc) = run.havocs.get_mut(&(*step as usize)) {
                *havoc = value;
            }
        }
        run
    }

    fn gives(&mut self, result: Term) {
        Rc::make_mut(&mut self.results).push(result);
    }

    fn assigns(&mut self, variable: Term, step: usize) {
        Rc::make_mut(&mut self.history).entry(variable).or_default().push(step as u32);
    }

    /// A term over variables as it evaluates before step `position`.
    pub fn evaluate_before(&self, terms: &mut Terms, position: usize, term: Term) -> Term {
        terms.substitute(term, &mut |v| Some(self.before(position, v)))
    }

    /// What steps assign, in their order: the step, the variable, and its value.
    pub fn assignments(&self) -> Vec<(usize, Term, Term)> {
        let of = |(&variable, steps): (&Term, &Vec<u32>)| {
            let value = move |&step: &u32| (step as usize, variable, self.assigned(step, variable));
            steps.iter().map(value).collect::<Vec<_>>()
        };
        let mut assignments: Vec<_> = self.history.iter().flat_map(of).collect();
        assignments.sort_unstable();
        assignments
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

/// What a trace computes in the run at hand: constants throughout, except that what the world might have
/// computed from other arguments is a symbol. These are all its variables.
pub fn concrete(
    terms: &mut Terms,
    trace: &Trace,
    values: &[Option<Value>],
    initial: &FxHashMap<Term, Value>,
    set: Vec<Set>,
    variables: impl Iterator<Item = Term>,
) -> Symbolic {
    let mut run = Symbolic {
        results: Rc::new(Vec::with_capacity(trace.steps.len())),
        changed: FxHashMap::default(),
        indices: Vec::new(),
        havocs: FxHashMap::default(),
        exact: true,
        noted: FxHashMap::default(),
        history: Rc::default(),
        others: FxHashMap::default(),
        set,
        initial: Rc::default(),
    };
    let anything = terms.bool(true);
    for (at, (step, value)) in trace.steps.iter().zip(values).enumerate() {
        let (Some(place), Some(value)) = (step.action.place(), value) else {
            run.gives(anything);
            continue;
        };
        let mut whole = match (&step.action, step.part) {
            (Action::Havoc { .. }, Part::Temporary) => {
                let sort = place.sort(terms);
                terms.var(&format!("other!{}", step.at), &sort)
            }
            _ => terms.constant(value),
        };
        if let Action::Havoc { .. } = step.action {
            run.havocs.insert(at, whole);
        }
        if !place.indices.is_empty() {
            let now = |terms: &mut Terms, term| {
                let mut known = |v: Term| {
                    let value = run.last(at, v).map(|term| terms.value(term).cloned());
                    let first = || initial.get(&v).cloned();
                    let zero = || Value::zero(terms.sort(v));
                    Some(value.flatten().or_else(first).unwrap_or_else(zero))
                };
                let value = term::evaluate(terms, term, &mut known);
                value.map_or(term, |value| terms.constant(&value))
            };
            let old = now(terms, place.variable);
            let indices: Vec<Term> = place.indices.iter().map(|&i| now(terms, i)).collect();
            whole = Place::updated(terms, old, &indices, whole);
        }
        run.assigns(place.variable, at);
        run.gives(whole);
    }
    let mut known = FxHashMap::default();
    for variable in variables {
        let zero = || Value::zero(terms.sort(variable));
        let value = initial.get(&variable).cloned().unwrap_or_else(zero);
        known.insert(variable, terms.constant(&value));
    }
    run.initial = Rc::new(known);
    run
}

/// Executes the trace symbolically, from any initial state. `terms` is the trace's arena or an
/// extension of it.
pub fn execute(terms: &mut Terms, trace: &Trace) -> Symbolic {
    execute_from(terms, trace, &FxHashMap::default())
}

/// Executes the trace symbolically, from an initial state in which these variables have these values.
pub fn execute_from(terms: &mut Terms, trace: &Trace, initial: &FxHashMap<Term, Term>) -> Symbolic {
    execute_suffix(terms, trace, 0, initial)
}

/// Executes the trace symbolically from a step on, before which these variables have these values. The steps before are
/// as they are in the run: nothing is known of their results, except that their conditions hold.
pub fn execute_suffix(
    terms: &mut Terms,
    trace: &Trace,
    from: usize,
    initial: &FxHashMap<Term, Term>,
) -> Symbolic {
    let mut now = initial.clone();
    let anything = terms.bool(true);
    let mut run = Symbolic {
        results: Rc::new(vec![anything; from]),
        changed: FxHashMap::default(),
        indices: vec![Vec::new(); from],
        havocs: FxHashMap::default(),
        exact: true,
        noted: FxHashMap::default(),
        history: Rc::default(),
        others: FxHashMap::default(),
        set: Vec::new(),
        initial: Rc::new(initial.clone()),
    };
    let mut log = cells::Log::default();
    for (at, step) in trace.steps.iter().enumerate().skip(from) {
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
                            (*value, address),
                            &log,
                            &mut |terms, cell| value_of(terms, cell),
                        );
                        run.exact &= read.is_some();
                        let noted = cells::is_as_noted(
                            terms,
                            &trace.objects,
                            access,
                            address,
                            &log,
                            &mut |terms, cell| value_of(terms, cell),
                        );
                        run.noted.extend(noted.map(|noted| (at, noted)));
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
                        (place.variable, address, element),
                        &mut log,
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
            run.assigns(cell, at);
            run.others.insert((at as u32, cell), value);
        }
        if let Some(place) = step.action.place() {
            now.insert(place.variable, result);
            run.assigns(place.variable, at);
        }
        run.gives(result);
        run.indices.push(indices);
    }
    run
}
