//! Conditions pulled backwards along a trace, as far as they stay simple.
//!
//! A hint at position i is a condition over the variables there that must hold for the trace to go on
//! from i: the weakest precondition of a later condition. Falsifying one blocks the trace, whatever
//! happens in between, and thanks to linear normal forms a hint of a loop is as small at its start as
//! at its end. Those that grow, or depend on a later havoc, are dropped; the hints remember which
//! variables a dropped condition depends on. About all others the hints say everything: a change that
//! falsifies none of them blocks nothing.

use failure::Action;
use failure::transform::update;
use rustc_hash::FxHashSet;
use term::number::IBig;
use term::{Op, Term, Terms, Value};

/// Keep at most this many conditions, of at most this many nodes.
const MOST: usize = 24;
const LARGEST: usize = 48;

#[derive(Debug, Default)]
pub struct Hints {
    /// The newest (nearest) last, with the step of the condition it came from.
    conditions: Vec<(Term, usize)>,
    /// The variables that conditions which were dropped depend on.
    lost: FxHashSet<Term>,
}

impl Hints {
    /// The hints that mention a variable, nearest first.
    pub fn about(&self, terms: &Terms, variable: Term) -> Vec<(Term, usize)> {
        let hints = self.conditions.iter().rev();
        hints.filter(|(c, _)| terms.mentions(*c, variable)).copied().collect()
    }

    /// Whether all conditions that depend on a variable are among the hints.
    pub fn are_complete(&self, variable: Term) -> bool {
        !self.lost.contains(&variable)
    }

    /// Moves from after a step to before it.
    pub fn pull_back(&mut self, terms: &mut Terms, step: usize, action: &Action) {
        match action {
            Action::Assume { condition } => {
                let conjuncts = match terms.op(*condition) {
                    Op::And => terms.args(*condition).to_vec(),
                    _ => vec![*condition],
                };
                for conjunct in conjuncts {
                    self.add(terms, conjunct, step);
                }
            }
            Action::Assign { place, .. } => {
                let variable = place.variable;
                if self.lost.contains(&variable) {
                    if place.indices.is_empty() {
                        self.lost.remove(&variable);
                    }
                    self.lost.extend(action.reads(terms));
                }
                if !self.conditions.iter().any(|(c, _)| terms.mentions(*c, variable)) {
                    return;
                }
                if let Some(update) = update(terms, action) {
                    for (condition, _) in &mut self.conditions {
                        *condition = terms.replace(*condition, variable, update.value);
                    }
                }
                self.drop_unless(terms, is_small);
                self.tighten(terms);
            }
            Action::Havoc { place } => {
                let variable = place.variable;
                self.drop_unless(terms, |terms, c| !terms.mentions(c, variable));
                if place.indices.is_empty() {
                    self.lost.remove(&variable);
                }
                self.lost.extend(place.indices.iter().flat_map(|&i| terms.variables_of(&[i])));
            }
        }
    }

    /// Drops conditions, remembering what they depend on. Constant ones need no remembering.
    fn drop_unless(&mut self, terms: &Terms, keep: impl Fn(&Terms, Term) -> bool) {
        let lost = &mut self.lost;
        self.conditions.retain(|(c, _)| {
            let keep = keep(terms, *c);
            if !keep {
                lost.extend(terms.variables_of(&[*c]));
            }
            keep && terms.value(*c).is_none()
        });
    }

    fn add(&mut self, terms: &Terms, condition: Term, step: usize) {
        if terms.value(condition).is_some() {
            return;
        }
        if !is_small(terms, condition) {
            self.lost.extend(terms.variables_of(&[condition]));
            return;
        }
        self.conditions.push((condition, step));
        self.tighten(terms);
        if self.conditions.len() > MOST {
            // Keep the condition that was violated and the nearest ones.
            let (dropped, _) = self.conditions.remove(1);
            self.lost.extend(terms.variables_of(&[dropped]));
        }
    }

    /// Drops bounds on a linear form that a tighter one implies, and repetitions.
    fn tighten(&mut self, terms: &Terms) {
        let bounds: Vec<Option<(Term, IBig)>> =
            self.conditions.iter().map(|(c, _)| bound(terms, *c)).collect();
        let mut keep = vec![true; bounds.len()];
        for i in 0..bounds.len() {
            for j in 0..bounds.len() {
                let implied = match (&bounds[i], &bounds[j]) {
                    (Some((f, k)), Some((g, l))) if f == g => k > l || (k == l && i < j),
                    _ => self.conditions[i].0 == self.conditions[j].0 && i < j,
                };
                if i != j && implied {
                    keep[i] = false;
                }
            }
        }
        let mut keep = keep.into_iter();
        self.conditions.retain(|_| keep.next().unwrap_or(true));
    }
}

fn bound(terms: &Terms, condition: Term) -> Option<(Term, IBig)> {
    match (terms.op(condition), terms.args(condition)) {
        (Op::Le, &[form, bound]) => match terms.value(bound) {
            Some(Value::Int(bound)) => Some((form, bound.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn is_small(terms: &Terms, term: Term) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > LARGEST {
                return false;
            }
            stack.extend_from_slice(terms.args(term));
        }
    }
    true
}
