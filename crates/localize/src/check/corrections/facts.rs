//! What is the same in all runs of a course, for the judge.

use std::rc::Rc;

use failure::run::Unfolded;
use failure::{Action, Step, Symbolic, symbolic};
use program::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::view::View;

pub(super) struct Facts {
    /// It is kept, so no other has its address.
    pub unfolded: Rc<Unfolded>,
    /// The statements that can be changed, but for what they print, with the steps in which that matters.
    pub changeable: FxHashMap<SiteId, Vec<usize>>,
    /// The steps in which anything may be assigned.
    pub havocs: Vec<usize>,
    /// The variables that each step reads.
    pub reads: Vec<Rc<[Term]>>,
    /// The terms on which it depends what is defined, by the steps that read them.
    pub depends: FxHashMap<usize, Vec<Term>>,
    /// All variables.
    variables: Vec<Term>,
    has_maps: bool,
    /// The first run.
    first: Symbolic,
}

impl Facts {
    pub fn of(terms: &mut Terms, view: &View<'_>, unfolded: &Rc<Unfolded>) -> Facts {
        let trace = &unfolded.trace;
        let mut depends: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
        for (step, read) in view.depends(terms) {
            depends.entry(step).or_default().push(read);
        }
        let mut variables: FxHashSet<Term> = trace.cells.keys().copied().collect();
        let mut reads: Vec<Rc<[Term]>> = Vec::with_capacity(trace.steps.len());
        for (number, step) in trace.steps.iter().enumerate() {
            let mut roots: Vec<Term> = step.operands().collect();
            roots.extend(depends.get(&number).into_iter().flatten());
            let place = step.action.place();
            roots.extend(place.filter(|place| !place.indices.is_empty()).map(|p| p.variable));
            let own = terms.variables_of(&roots);
            variables.extend(own.iter().copied().chain(place.map(|place| place.variable)));
            reads.push(own.into());
        }
        let variables: Vec<Term> = variables.into_iter().collect();
        let maps = |step: &Step| step.action.place().is_some_and(|p| !p.indices.is_empty());
        let has_maps = trace.steps.iter().any(maps);
        let first = concrete(terms, unfolded, &unfolded.values, &variables);
        let mut changeable: FxHashMap<SiteId, Vec<usize>> = FxHashMap::default();
        for step in (0..trace.steps.len()).filter(|&step| view.can_change(step)) {
            changeable.entry(view.site(step)).or_default().push(step);
        }
        let is_havoc = |&step: &usize| matches!(trace.steps[step].action, Action::Havoc { .. });
        let havocs = (0..trace.steps.len()).filter(is_havoc).collect();
        let unfolded = Rc::clone(unfolded);
        Facts { unfolded, changeable, havocs, reads, depends, variables, has_maps, first }
    }

    /// A run with these values: all of them, and the ones that are not as in the first.
    pub fn run(
        &self,
        terms: &mut Terms,
        values: &[Option<Value>],
        changed: &[(u32, Value)],
    ) -> Symbolic {
        match self.has_maps {
            // What a step assigns is an element.
            true => concrete(terms, &self.unfolded, values, &self.variables),
            false => self.first.with_values(terms, changed, Vec::new()),
        }
    }
}

fn concrete(
    terms: &mut Terms,
    unfolded: &Unfolded,
    values: &[Option<Value>],
    variables: &[Term],
) -> Symbolic {
    let (trace, initial) = (&unfolded.trace, &unfolded.inputs.initial);
    symbolic::concrete(terms, trace, values, initial, Vec::new(), variables.iter().copied())
}
