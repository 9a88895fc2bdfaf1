//! Predicate transformers on traces: `wp`, `pre`, `sp`, and the trace formula.
//!
//! Terms have no quantifiers. Where a transformer needs one (a havoc, a value that is overwritten) the
//! quantified variable becomes a fresh variable, listed in [`Predicate::bound`]. No transformer mixes
//! quantifiers: those of `wp` are universal, those of `pre` and `sp` existential.

use program::Place;
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use crate::trace::{Action, Trace};

/// A predicate over the variables of a trace, with quantified variables made explicit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    pub formula: Term,
    /// Universally quantified for [`wp`], existentially for [`pre`] and [`sp`].
    pub bound: Vec<Term>,
}

impl Predicate {
    pub fn new(formula: Term) -> Predicate {
        Predicate { formula, bound: Vec::new() }
    }
}

/// The states from which every execution of the actions ends in `post` (or blocks).
pub fn wp(terms: &mut Terms, post: Predicate, actions: &[&Action]) -> Predicate {
    backwards(terms, post, actions, |terms, condition, post| terms.implies(condition, post))
}

/// The states from which some execution of the actions ends in `post`.
pub fn pre(terms: &mut Terms, post: Predicate, actions: &[&Action]) -> Predicate {
    backwards(terms, post, actions, |terms, condition, post| terms.and(&[condition, post]))
}

fn backwards(
    terms: &mut Terms,
    mut post: Predicate,
    actions: &[&Action],
    assume: impl Fn(&mut Terms, Term, Term) -> Term,
) -> Predicate {
    for action in actions.iter().rev() {
        if let Action::Assume { condition } = action {
            post.formula = assume(terms, *condition, post.formula);
        } else if let Some(update) = update(terms, action) {
            post.formula = terms.replace(post.formula, update.variable, update.value);
            post.bound.extend(update.any);
        }
    }
    post
}

/// What an assigning action does to its variable.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    pub variable: Term,
    /// The new value of the whole variable, over the state before.
    pub value: Term,
    /// The variable in it that stands for the arbitrary value of a havoc.
    pub any: Option<Term>,
}

/// The update of an action; none if it is a condition.
pub fn update(terms: &mut Terms, action: &Action) -> Option<Update> {
    let place = action.place()?;
    let (element, any) = match action {
        Action::Assign { value, .. } => (*value, None),
        _ => {
            let any = fresh_for(terms, place);
            (any, Some(any))
        }
    };
    let value = Place::updated(terms, place.variable, &place.indices, element);
    Some(Update { variable: place.variable, value, any })
}

/// The states that executions of the actions from `before` can end in.
pub fn sp(terms: &mut Terms, mut before: Predicate, actions: &[&Action]) -> Predicate {
    for action in actions {
        if let Action::Assume { condition } = action {
            before.formula = terms.and(&[before.formula, *condition]);
            continue;
        }
        let Some(place) = action.place() else { continue };
        let sort = terms.sort(place.variable).clone();
        let old = terms.fresh("old", &sort);
        let element = match action {
            Action::Assign { value, .. } => terms.replace(*value, place.variable, old),
            _ => {
                let any = fresh_for(terms, place);
                before.bound.push(any);
                any
            }
        };
        let indices: Vec<Term> =
            place.indices.iter().map(|&i| terms.replace(i, place.variable, old)).collect();
        let whole = Place::updated(terms, old, &indices, element);
        let kept = terms.replace(before.formula, place.variable, old);
        let assigned = terms.eq(place.variable, whole);
        before.formula = terms.and(&[kept, assigned]);
        before.bound.push(old);
    }
    before
}

fn fresh_for(terms: &mut Terms, place: &Place) -> Term {
    let sort = place.sort(terms);
    terms.fresh("any", &sort)
}

/// The trace formula: one constraint per step over numbered copies of the variables. Its models are
/// the executions of the trace.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The constraint of each step.
    pub constraints: Vec<Term>,
    /// The copy of each assigned variable after its step.
    pub after: Vec<Option<Term>>,
    /// The copies that are current at the end.
    pub last: FxHashMap<Term, Term>,
}

/// The formula of the steps in `range`, starting from the given copies of variables (variables that
/// are not in it stand for themselves).
pub fn formula(
    terms: &mut Terms,
    trace: &Trace,
    range: std::ops::Range<usize>,
    start: &FxHashMap<Term, Term>,
) -> Formula {
    let mut formula = Formula { constraints: Vec::new(), after: Vec::new(), last: start.clone() };
    for step in &trace.steps[range] {
        let now = |terms: &mut Terms, last: &FxHashMap<Term, Term>, term| {
            terms.substitute(term, &mut |v| last.get(&v).copied())
        };
        let (constraint, copy) = match &step.action {
            Action::Assume { condition } => (now(terms, &formula.last, *condition), None),
            Action::Assign { place, .. } | Action::Havoc { place } => {
                let element = match &step.action {
                    Action::Assign { value, .. } => now(terms, &formula.last, *value),
                    _ => fresh_for(terms, place),
                };
                let indices: Vec<Term> =
                    place.indices.iter().map(|&i| now(terms, &formula.last, i)).collect();
                let old = now(terms, &formula.last, place.variable);
                let whole = Place::updated(terms, old, &indices, element);
                let name = terms.name(place.variable).unwrap_or("v").to_owned();
                let sort = terms.sort(place.variable).clone();
                let copy = terms.fresh(&name, &sort);
                formula.last.insert(place.variable, copy);
                (terms.eq(copy, whole), Some(copy))
            }
        };
        formula.constraints.push(constraint);
        formula.after.push(copy);
    }
    formula
}
