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
    let mut run = Symbolic {
        results: Rc::default(),
        changed: FxHashMap::default(),
        indices: Vec::new(),
        havocs: FxHashMap::default(),
        exact: true,
        noted: FxHashMap::default(),
        history: Rc::default(),
        others: FxHashMap::default(),
        set: Vec::new(),
        initial: Rc::new(initial.clone()),
    };
    let mut execution = Execution::new(trace, initial.clone(), None);
    for (at, step) in trace.steps.iter().enumerate() {
        let symbol = match &step.action {
            Action::Havoc { place } => {
                let name = terms.name(place.variable).unwrap_or("havoc").to_owned();
                let sort = place.sort(terms);
                let symbol = terms.fresh(&name, &sort);
                run.havocs.insert(at, symbol);
                Some(symbol)
            }
            _ => None,
        };
        let Computed { result, indices, others, noted } = execution.compute(terms, at, symbol);
        for (cell, value) in others {
            execution.now.insert(cell, value);
            run.assigns(cell, at);
            run.others.insert((at as u32, cell), value);
        }
        if let Some(place) = step.action.place() {
            execution.now.insert(place.variable, result);
            run.assigns(place.variable, at);
        }
        run.noted.extend(noted.map(|noted| (at, noted)));
        run.gives(result);
        run.indices.push(indices);
    }
    run.exact = execution.exact;
    run
}

/// Executes only what is otherwise than in a run if some steps assign these terms instead. For each such step, in order, it is said
/// what it computes, and what is known before it. `reads` has the variables that each step reads. Whether these terms say all that
/// executions do: if not, some addresses were taken from the run.
pub fn follow(
    terms: &mut Terms,
    trace: &Trace,
    run: &Symbolic,
    reads: &[Rc<[Term]>],
    instead: &FxHashMap<usize, Term>,
    found: &mut dyn FnMut(&mut Terms, &Execution<'_>, Otherwise),
) -> bool {
    let mut execution = Execution::new(trace, FxHashMap::default(), Some(run));
    let first = instead.keys().copied().min().unwrap_or(trace.steps.len());
    for (at, step) in trace.steps.iter().enumerate().skip(first) {
        let new = instead.get(&at).copied();
        let variable = step.action.place().map(|place| place.variable);
        if new.is_none() && !reads[at].iter().any(|read| execution.now.contains_key(read)) {
            let again = variable.filter(|variable| execution.now.remove(variable).is_some());
            if let Some(variable) = again {
                let assigned = vec![(variable, None)];
                found(terms, &execution, Otherwise { at, result: None, noted: None, assigned });
            }
            continue;
        }
        let Computed { result, mut others, noted, .. } = execution.compute(terms, at, new);
        others.extend(variable.map(|variable| (variable, result)));
        // What is a constant is what it was.
        let is_otherwise = |value: Term| Some(value).filter(|&value| terms.value(value).is_none());
        let assigned: Vec<(Term, Option<Term>)> = others
            .into_iter()
            .map(|(variable, value)| (variable, is_otherwise(value)))
            .filter(|(variable, value)| value.is_some() || execution.now.contains_key(variable))
            .collect();
        let result = Some(result);
        found(terms, &execution, Otherwise { at, result, noted, assigned: assigned.clone() });
        for (variable, value) in assigned {
            match value {
                Some(value) => drop(execution.now.insert(variable, value)),
                None => drop(execution.now.remove(&variable)),
            }
        }
    }
    execution.exact
}

/// A step that does something else than in a run.
#[derive(Clone, Debug)]
pub struct Otherwise {
    /// The number of the step.
    pub at: usize,
    /// What it computes; none if it does what it did, but there was something else in the variable before.
    pub result: Option<Term>,
    /// The condition that what it reads is defined, or that it is not, as it was in the run.
    pub noted: Option<Term>,
    /// The variables that become something else than in the run, and what; or that no longer are.
    pub assigned: Vec<(Term, Option<Term>)>,
}

/// What is known in the middle of an execution.
#[derive(Debug)]
pub struct Execution<'t> {
    trace: &'t Trace,
    now: FxHashMap<Term, Term>,
    /// What other variables are: as in this run, or anything.
    otherwise: Option<&'t Symbolic>,
    log: cells::Log,
    exact: bool,
}

/// What a step computes.
struct Computed {
    result: Term,
    indices: Vec<Term>,
    /// What it assigns to other variables than its own.
    others: Vec<(Term, Term)>,
    noted: Option<Term>,
}

impl<'t> Execution<'t> {
    fn new(
        trace: &'t Trace,
        now: FxHashMap<Term, Term>,
        otherwise: Option<&'t Symbolic>,
    ) -> Execution<'t> {
        Execution { trace, now, otherwise, log: cells::Log::default(), exact: true }
    }

    /// What a variable is before a step.
    pub fn before(&self, at: usize, variable: Term) -> Term {
        let otherwise = || self.otherwise.map_or(variable, |run| run.before(at, variable));
        self.now.get(&variable).copied().unwrap_or_else(otherwise)
    }

    /// A term over variables as it evaluates before a step.
    pub fn evaluate_before(&self, terms: &mut Terms, at: usize, term: Term) -> Term {
        terms.substitute(term, &mut |variable| Some(self.before(at, variable)))
    }

    /// What a step computes, if it assigns this instead of its value. A havoc needs it.
    fn compute(&mut self, terms: &mut Terms, at: usize, instead: Option<Term>) -> Computed {
        let trace = self.trace;
        let step = &trace.steps[at];
        let (place, value) = match &step.action {
            Action::Assume { condition } => {
                let result = self.evaluate_before(terms, at, *condition);
                return Computed { result, indices: Vec::new(), others: Vec::new(), noted: None };
            }
            Action::Assign { place, value } => (place, *value),
            Action::Havoc { place } => (place, place.variable),
        };
        let indices: Vec<Term> =
            place.indices.iter().map(|&index| self.evaluate_before(terms, at, index)).collect();
        let (mut others, mut noted) = (Vec::new(), None);
        let element = match (&step.access, instead) {
            (_, Some(instead)) => instead,
            (Some(access), None) if access.direction == Direction::Read => {
                let address = self.evaluate_before(terms, at, access.address);
                let (objects, log) = (&trace.objects, &self.log);
                let now = &mut |terms: &mut Terms, cell| self.evaluate_before(terms, at, cell);
                let read = cells::read(terms, objects, access, (value, address), log, now);
                noted = cells::is_as_noted(terms, objects, access, address, log, now);
                self.exact &= read.is_some();
                read.unwrap_or_else(|| self.evaluate_before(terms, at, value))
            }
            _ => self.evaluate_before(terms, at, value),
        };
        let old = self.before(at, place.variable);
        let result = match &step.access {
            Some(access) if access.direction == Direction::Write => {
                let address = self.evaluate_before(terms, at, access.address);
                let mut log = std::mem::take(&mut self.log);
                let written = (place.variable, address, element);
                let now = &mut |terms: &mut Terms, cell| self.evaluate_before(terms, at, cell);
                let writes = cells::write(terms, &trace.objects, access, written, &mut log, now);
                self.log = log;
                self.exact &= writes.is_some();
                match writes {
                    Some(writes) => {
                        let own = writes.iter().find(|(cell, _)| *cell == place.variable);
                        let own = own.map_or(old, |own| own.1);
                        others = writes;
                        others.retain(|(cell, _)| *cell != place.variable);
                        own
                    }
                    None => element,
                }
            }
            _ => Place::updated(terms, old, &indices, element),
        };
        Computed { result, indices, others, noted }
    }
}
