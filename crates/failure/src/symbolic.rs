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
    /// Per variable: the steps that assign it.
    history: FxHashMap<Term, Vec<u32>>,
    /// What a step assigns to other variables than its own: to a cell that its address might be that of.
    others: FxHashMap<(u32, Term), Term>,
    initial: FxHashMap<Term, Term>,
}

impl Symbolic {
    /// The value of a variable before step `position`.
    pub fn before(&self, position: usize, variable: Term) -> Term {
        let history = self.history.get(&variable).map_or(&[][..], Vec::as_slice);
        let index = history.partition_point(|&step| (step as usize) < position);
        match index.checked_sub(1) {
            Some(last) => self.assigned(history[last], variable),
            None => self.initial.get(&variable).copied().unwrap_or(variable),
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
        self.results[step]
    }

    fn assigns(&mut self, variable: Term, step: usize) {
        self.history.entry(variable).or_default().push(step as u32);
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
    let mut run = Symbolic {
        results: Vec::with_capacity(trace.steps.len()),
        indices: Vec::new(),
        havocs: FxHashMap::default(),
        exact: true,
        history: FxHashMap::default(),
        others: FxHashMap::default(),
        initial: initial.clone(),
    };
    let (now, log) = (initial.clone(), cells::Log::default());
    let mut execution = Execution { trace, now, log, exact: true };
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
        let Computed { result, indices, others } = execution.compute(terms, at, symbol);
        for (cell, value) in others {
            execution.now.insert(cell, value);
            run.assigns(cell, at);
            run.others.insert((at as u32, cell), value);
        }
        if let Some(place) = step.action.place() {
            execution.now.insert(place.variable, result);
            run.assigns(place.variable, at);
        }
        run.results.push(result);
        run.indices.push(indices);
    }
    run.exact = execution.exact;
    run
}

/// What is known in the middle of an execution.
#[derive(Debug)]
struct Execution<'t> {
    trace: &'t Trace,
    now: FxHashMap<Term, Term>,
    log: cells::Log,
    exact: bool,
}

/// What a step computes.
struct Computed {
    result: Term,
    indices: Vec<Term>,
    /// What it assigns to other variables than its own.
    others: Vec<(Term, Term)>,
}

impl Execution<'_> {
    /// A term over variables as it evaluates now.
    fn evaluate(&self, terms: &mut Terms, term: Term) -> Term {
        terms.substitute(term, &mut |variable| Some(self.variable(variable)))
    }

    fn variable(&self, variable: Term) -> Term {
        self.now.get(&variable).copied().unwrap_or(variable)
    }

    /// What a step computes; a havoc gives this symbol.
    fn compute(&mut self, terms: &mut Terms, at: usize, symbol: Option<Term>) -> Computed {
        let trace = self.trace;
        let step = &trace.steps[at];
        let (place, value) = match &step.action {
            Action::Assume { condition } => {
                let result = self.evaluate(terms, *condition);
                return Computed { result, indices: Vec::new(), others: Vec::new() };
            }
            Action::Assign { place, value } => (place, *value),
            Action::Havoc { place } => (place, place.variable),
        };
        let indices: Vec<Term> =
            place.indices.iter().map(|&index| self.evaluate(terms, index)).collect();
        let mut others = Vec::new();
        let element = match (&step.access, symbol) {
            (_, Some(symbol)) => symbol,
            (Some(access), None) if access.direction == Direction::Read => {
                let address = self.evaluate(terms, access.address);
                let (objects, log) = (&trace.objects, &self.log);
                let now = &mut |terms: &mut Terms, cell| self.evaluate(terms, cell);
                let read = cells::read(terms, objects, access, (value, address), log, now);
                self.exact &= read.is_some();
                read.unwrap_or_else(|| self.evaluate(terms, value))
            }
            _ => self.evaluate(terms, value),
        };
        let old = self.variable(place.variable);
        let result = match &step.access {
            Some(access) if access.direction == Direction::Write => {
                let address = self.evaluate(terms, access.address);
                let mut log = std::mem::take(&mut self.log);
                let written = (place.variable, address, element);
                let now = &mut |terms: &mut Terms, cell| self.evaluate(terms, cell);
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
        Computed { result, indices, others }
    }
}
