//! The coreachable states of a trace, position by position, and the data flow of the judge.

use failure::transform::update;
use failure::{Access, Action, Direction, Step, Trace};
use program::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms};

use crate::interval::{Bounds, interval};

/// The coreachable states as a list of conditions, with the havocs that are quantified in them.
pub(super) struct Conjunction {
    /// The most nodes of all conditions together.
    most_nodes: usize,
    conditions: Vec<Term>,
    pub(super) bound: Vec<Term>,
}

impl Conjunction {
    /// The states at the end of a trace: all.
    pub(super) fn new(most_nodes: usize) -> Conjunction {
        Conjunction { most_nodes, conditions: Vec::new(), bound: Vec::new() }
    }

    /// `pre` of one action; false if the conditions have become too large.
    pub(super) fn pull_back(&mut self, terms: &mut Terms, trace: &Trace, step: &Step) -> bool {
        let action = &step.action;
        if let Some(access) = &step.access
            && self.concerns(terms, trace, step, access)
        {
            return false; // a case split for every access would be too large
        }
        if let Action::Assume { condition } = action {
            self.conditions.push(*condition);
            return true;
        }
        let Some(variable) = action.place().map(|place| place.variable) else { return true };
        if !self.conditions.iter().any(|&c| terms.mentions(c, variable)) {
            return true;
        }
        if let Some(update) = update(terms, action) {
            for condition in &mut self.conditions {
                *condition = terms.replace(*condition, variable, update.value);
            }
            self.bound.extend(update.any);
        }
        self.conditions.retain(|c| !terms.is_true(*c));
        self.conditions.dedup();
        let mut nodes = 0;
        self.conditions.iter().all(|&c| {
            nodes += size(terms, c, self.most_nodes);
            nodes <= self.most_nodes
        })
    }

    /// Whether what the access does to other cells, at another address, matters.
    fn concerns(&self, terms: &Terms, trace: &Trace, step: &Step, access: &Access) -> bool {
        let Some(place) = step.action.place() else { return false };
        self.conditions.iter().flat_map(|&c| terms.variables_of(&[c])).any(|variable| match access
            .direction
        {
            Direction::Read => variable == place.variable,
            Direction::Write => trace.cells.get(&variable) == Some(&access.object),
        })
    }

    /// The conjunction in a state, with the place holding the element. Conditions that have nothing to
    /// do with the place, not even through a havoc, hold after a change as they did before and are left
    /// out.
    pub(super) fn at(
        &self,
        terms: &mut Terms,
        place: &Place,
        element: Term,
        state: &mut dyn FnMut(&mut Terms, Term) -> Term,
    ) -> Term {
        let bound: FxHashSet<Term> = self.bound.iter().copied().collect();
        let mut parts = Vec::new();
        let indices: Vec<Term> = place.indices.iter().map(|&i| in_state(terms, i, state)).collect();
        let old = state(terms, place.variable);
        let whole = Place::updated(terms, old, &indices, element);
        for condition in self.concerning(terms, place.variable, &bound) {
            let part = in_state(terms, condition, &mut |terms, variable| {
                if variable == place.variable {
                    whole
                } else if bound.contains(&variable) {
                    variable
                } else {
                    state(terms, variable)
                }
            });
            parts.push(part);
        }
        terms.and(&parts)
    }

    /// Whether intervals show that each condition holds, whatever the place holds.
    pub(super) fn holds_anyway(
        &self,
        terms: &Terms,
        place: &Place,
        state: &mut dyn FnMut(Term) -> Term,
    ) -> bool {
        let mut bounds = Bounds::default();
        self.conditions.iter().filter(|c| terms.mentions(**c, place.variable)).all(|&condition| {
            for variable in terms.variables_of(&[condition]) {
                if variable != place.variable && !self.bound.contains(&variable) {
                    let value = interval(terms, state(variable), &Bounds::default());
                    bounds.insert(variable, value);
                }
            }
            interval(terms, condition, &bounds).as_truth() == Some(true)
        })
    }

    /// The conditions that mention a variable, or share a havoc with one that does.
    fn concerning(&self, terms: &Terms, variable: Term, bound: &FxHashSet<Term>) -> Vec<Term> {
        let (mut found, mut rest): (Vec<Term>, Vec<Term>) =
            self.conditions.iter().partition(|c| terms.mentions(**c, variable));
        if bound.is_empty() {
            return found;
        }
        let mut reached: FxHashSet<Term> = FxHashSet::default();
        let mut next = 0;
        while next < found.len() {
            let havocs = terms.variables_of(&[found[next]]).into_iter();
            let new: Vec<Term> =
                havocs.filter(|v| bound.contains(v) && reached.insert(*v)).collect();
            next += 1;
            if !new.is_empty() {
                let (more, others): (Vec<Term>, Vec<Term>) =
                    rest.iter().partition(|c| new.iter().any(|v| terms.mentions(**c, *v)));
                found.extend(more);
                rest = others;
            }
        }
        found
    }
}

/// The number of nodes of a condition, or a little more than the most that are of interest.
fn size(terms: &Terms, condition: Term, most: usize) -> usize {
    let mut seen = FxHashSet::default();
    let mut stack = vec![condition];
    while let Some(term) = stack.pop() {
        if seen.len() <= most && seen.insert(term) {
            stack.extend_from_slice(terms.args(term));
        }
    }
    seen.len()
}

fn in_state(
    terms: &mut Terms,
    term: Term,
    state: &mut dyn FnMut(&mut Terms, Term) -> Term,
) -> Term {
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    for variable in terms.variables_of(&[term]) {
        let value = state(terms, variable);
        values.insert(variable, value);
    }
    terms.substitute(term, &mut |v| values.get(&v).copied())
}

/// The judge's own data flow: which variables influence a later condition.
pub(super) fn flow(influential: &mut FxHashSet<Term>, terms: &Terms, step: &Step) {
    match &step.action {
        Action::Assume { condition } => influential.extend(terms.variables_of(&[*condition])),
        Action::Assign { place, .. } | Action::Havoc { place } => {
            if !influential.contains(&place.variable) {
                return;
            }
            if place.indices.is_empty() {
                influential.remove(&place.variable);
            }
            let operands: Vec<Term> = step.operands().collect();
            influential.extend(terms.variables_of(&operands));
        }
    }
}
