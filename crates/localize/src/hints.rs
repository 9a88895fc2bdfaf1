//! Conditions pulled backwards along a trace, as far as they stay simple.
//!
//! A hint at position i is a condition over the variables there that must hold for the trace to go on
//! from i: the weakest precondition of a later condition. Falsifying one blocks the trace, whatever
//! happens in between, and thanks to linear normal forms a hint of a loop is as small at its start as
//! at its end.
//!
//! A hint that grows is *frozen* in part: in `c + (a mod 3) + (a' mod 3) + … >= 0` everything but `c` is
//! replaced by its value on the failing run. That value does not change on the way backwards, so the
//! hint stays right for changes of variables that the frozen part does not depend on; which those are is
//! kept up to date. A hint that is still too large, or depends on a later havoc, is dropped, and
//! the variables it depends on are remembered. About all other variables the hints say everything: a
//! change that falsifies none of them blocks nothing.

use failure::transform::update;
use failure::{Access, Action, Direction, Step, Trace};
use rustc_hash::FxHashSet;
use term::number::IBig;
use term::{Op, Term, Terms, Value};

/// Keep at most this many conditions, of at most this many nodes.
const MOST: usize = 24;
const LARGEST: usize = 40;

#[derive(Debug, Default)]
pub struct Hints {
    /// The newest (nearest) last.
    hints: Vec<Hint>,
    /// The variables that conditions which were dropped depend on.
    lost: FxHashSet<Term>,
}

#[derive(Clone, Debug)]
pub struct Hint {
    pub condition: Term,
    /// The step of the condition it came from.
    pub origin: usize,
    /// The variables of the condition.
    variables: Vec<Term>,
    /// The variables that its frozen part depends on.
    frozen: FxHashSet<Term>,
}

impl Hint {
    fn new(terms: &Terms, condition: Term, origin: usize) -> Hint {
        let variables = terms.variables_of(&[condition]);
        Hint { condition, origin, variables, frozen: FxHashSet::default() }
    }

    /// Whether it holds of all executions, not only of the failing run.
    pub fn is_exact(&self) -> bool {
        self.frozen.is_empty()
    }
}

impl Hints {
    /// The hints that mention a variable and are right for changes of it, nearest first.
    pub fn about(&self, variable: Term) -> Vec<Hint> {
        let hints = self.hints.iter().rev();
        hints
            .filter(|h| h.variables.contains(&variable) && !h.frozen.contains(&variable))
            .cloned()
            .collect()
    }

    /// Whether all conditions that depend on a variable are hints about it.
    pub fn are_complete(&self, variable: Term) -> bool {
        !self.lost.contains(&variable) && !self.hints.iter().any(|h| h.frozen.contains(&variable))
    }

    /// Moves from after a step to before it. `value` gives the values of terms over variables before
    /// the step, on the failing run.
    pub fn pull_back(
        &mut self,
        terms: &mut Terms,
        at: usize,
        trace: &Trace,
        step: &Step,
        value: &mut dyn FnMut(&mut Terms, Term) -> Option<Value>,
    ) {
        if let Some(access) = &step.access {
            self.pull_back_address(terms, trace, step, access);
        }
        match &step.action {
            Action::Assume { condition } if trace.pinned.contains(&at) => {
                self.lost.extend(terms.variables_of(&[*condition]));
            }
            Action::Assume { condition } => {
                let conjuncts = match terms.op(*condition) {
                    Op::And => terms.args(*condition).to_vec(),
                    _ => vec![*condition],
                };
                for condition in conjuncts {
                    self.add(terms, Hint::new(terms, condition, at));
                }
            }
            Action::Assign { place, .. } => {
                let (variable, whole) = (place.variable, place.indices.is_empty());
                let mut reads = None;
                let mut depends = |set: &mut FxHashSet<Term>, terms: &Terms| {
                    if set.contains(&variable) {
                        if whole {
                            set.remove(&variable);
                        }
                        set.extend(reads.get_or_insert_with(|| step.reads(terms)).iter());
                    }
                };
                depends(&mut self.lost, terms);
                for hint in &mut self.hints {
                    depends(&mut hint.frozen, terms);
                }
                if self.hints.iter().any(|h| h.variables.contains(&variable))
                    && let Some(update) = update(terms, &step.action)
                {
                    for hint in &mut self.hints {
                        if !hint.variables.contains(&variable) {
                            continue;
                        }
                        hint.condition = terms.replace(hint.condition, variable, update.value);
                        if !is_small(terms, hint.condition) {
                            freeze(terms, hint, value);
                        }
                        hint.variables = terms.variables_of(&[hint.condition]);
                    }
                    self.drop_unless(terms, |terms, hint| is_small(terms, hint.condition));
                    self.tighten(terms);
                }
            }
            Action::Havoc { place } => {
                let variable = place.variable;
                self.drop_unless(terms, |_, hint| {
                    !hint.variables.contains(&variable) && !hint.frozen.contains(&variable)
                });
                if place.indices.is_empty() {
                    self.lost.remove(&variable);
                }
                self.lost.extend(place.indices.iter().flat_map(|&i| terms.variables_of(&[i])));
            }
        }
    }

    /// An access takes the cell of the run. That is right as long as its address is that of the run.
    fn pull_back_address(&mut self, terms: &Terms, trace: &Trace, step: &Step, access: &Access) {
        let address = terms.variables_of(&[access.address]);
        let Some(place) = step.action.place() else { return };
        let concerns = |variable: &Term| match access.direction {
            Direction::Read => *variable == place.variable,
            Direction::Write => trace.cells.get(variable) == Some(&access.object),
        };
        for hint in &mut self.hints {
            if hint.variables.iter().any(concerns) || hint.frozen.iter().any(concerns) {
                hint.frozen.extend(&address);
            }
        }
        self.lost.extend(&address);
    }

    /// Drops hints, remembering what they depend on. Constant ones need no remembering, unless a part
    /// of them is frozen.
    fn drop_unless(&mut self, terms: &Terms, keep: impl Fn(&Terms, &Hint) -> bool) {
        let lost = &mut self.lost;
        self.hints.retain(|hint| {
            let keep = keep(terms, hint) && terms.value(hint.condition).is_none();
            if !keep {
                lost.extend(&hint.variables);
                lost.extend(&hint.frozen);
            }
            keep
        });
    }

    fn add(&mut self, terms: &Terms, hint: Hint) {
        if terms.value(hint.condition).is_some() {
            return;
        }
        if !is_small(terms, hint.condition) {
            self.lost.extend(&hint.variables);
            return;
        }
        self.hints.push(hint);
        self.tighten(terms);
        if self.hints.len() > MOST {
            // Keep the condition that was violated and the nearest ones.
            let dropped = self.hints.remove(1);
            self.lost.extend(&dropped.variables);
            self.lost.extend(&dropped.frozen);
        }
    }

    /// Drops bounds on a linear form that a tighter one implies, and repetitions.
    fn tighten(&mut self, terms: &Terms) {
        let bounds: Vec<Option<(Term, IBig)>> =
            self.hints.iter().map(|h| bound(terms, h.condition)).collect();
        let mut keep = vec![true; bounds.len()];
        for i in 0..bounds.len() {
            for j in 0..bounds.len() {
                let implied = match (&bounds[i], &bounds[j]) {
                    (Some((f, k)), Some((g, l))) if f == g => k > l || (k == l && i < j),
                    _ => self.hints[i].condition == self.hints[j].condition && i < j,
                };
                // What is frozen in one is not implied by the other.
                if i != j && implied && self.hints[i].frozen.is_empty() {
                    keep[i] &= !self.hints[j].frozen.is_empty();
                }
            }
        }
        let mut keep = keep.into_iter();
        self.hints.retain(|_| keep.next().unwrap_or(true));
    }
}

/// Replaces what is not a plain variable in the linear forms of a comparison by its value.
fn freeze(
    terms: &mut Terms,
    hint: &mut Hint,
    value: &mut dyn FnMut(&mut Terms, Term) -> Option<Value>,
) {
    let (negated, atom) = match (terms.op(hint.condition), terms.args(hint.condition)) {
        (Op::Not, &[atom]) => (true, atom),
        _ => (false, hint.condition),
    };
    let (op, sort) = (terms.op(atom), terms.sort(atom).clone());
    let [a, b] = *terms.args(atom) else { return };
    if !terms.sort(a).is_numeric() {
        return;
    }
    let mut sides = [a, b];
    for side in &mut sides {
        let sort = terms.sort(*side).clone();
        let mut form = terms.linear(*side);
        let mut kept = Vec::new();
        for (part, coefficient) in std::mem::take(&mut form.parts) {
            if terms.is_var(part) {
                kept.push((part, coefficient));
                continue;
            }
            let Some(constant) = value(terms, part) else { return };
            form.constant = form.constant.add(&coefficient.mul(&constant));
            hint.frozen.extend(terms.variables_of(&[part]));
        }
        form.parts = kept;
        *side = terms.from_linear(&sort, &form);
    }
    let atom = terms.make(op, &sort, &sides);
    hint.condition = if negated { terms.not(atom) } else { atom };
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
    let mut seen = FxHashSet::default();
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
