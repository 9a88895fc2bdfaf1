//! How the steps of a failing run depend on each other.
//!
//! *Data*: a step reads variables; each was assigned last by some earlier step, its *definition*.
//!
//! *Control*: a *decision* is a step that takes one of several ways: a branch, or a call through a pointer. The
//! *guard* of a step is the last decision that determines whether the step is executed. By
//! post-dominance: if every way from a branch leads to the step, the branch does not guard it. A step
//! of a called procedure has the guard of the call, if none of its own. Checks are no decisions: nobody would say that the
//! rest of a procedure is inside an assertion.
//!
//! *Omission*: on the way that a decision did not take, something might have been assigned that a later step
//! reads. What might have been is known from the program ([`program::graph::writes`]): variables, and
//! objects in memory by where they come from. A local variable is only assigned by its own activation.
//! A decision is a potential cause of what a step reads if it lies between the definition and the step.

use std::cell::OnceCell;
use std::rc::Rc;

use failure::{Action, Failure, Part, Step};
use program::graph::Checks;
use program::graph::control::scopes;
use program::graph::writes::{Omitted, Writes, prints};
use program::process::Origin;
use program::{EdgeId, FailureKind, Program, Scope, Statement};
use rustc_hash::FxHashMap;
use term::{Term, Terms};

#[derive(Debug)]
pub struct Flow<'f> {
    pub failure: &'f Failure<'f>,
    /// For each step, its guard.
    guards: Vec<Option<u32>>,
    /// The steps that assign a variable, in order; once somebody wants to know.
    definitions: OnceCell<FxHashMap<Term, Vec<u32>>>,
    /// For each step, the variables that it reads.
    reads: Vec<Rc<[Term]>>,
    /// The decisions with an alternative that is known, in order, by the edge that was taken.
    instances: FxHashMap<EdgeId, Vec<u32>>,
    /// The edges whose alternatives may assign something; once somebody wants to know.
    omitting: OnceCell<FxHashMap<Spot, Vec<EdgeId>>>,
    omitted: FxHashMap<EdgeId, Rc<Omitted>>,
    is_decision: Vec<bool>,
}

/// What can be assigned, as far as it is distinguished when it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spot {
    /// A variable of the program.
    Variable(Term),
    /// An object that comes from there.
    Object(Origin),
}

/// The variables of terms of an arena, as far as somebody wanted to know.
#[derive(Debug, Default)]
pub struct Variables {
    /// By few terms, which are found without a look elsewhere.
    known: FxHashMap<[Option<Term>; FEW], Rc<[Term]>>,
    of_many: FxHashMap<Vec<Term>, Rc<[Term]>>,
}

/// Most steps have so few terms.
const FEW: usize = 3;

impl Variables {
    pub fn of(&mut self, terms: &Terms, roots: &[Term]) -> Rc<[Term]> {
        let variables = || terms.variables_of(roots).into();
        if roots.len() <= FEW {
            let mut few = [None; FEW];
            few.iter_mut().zip(roots).for_each(|(one, &root)| *one = Some(root));
            return Rc::clone(self.known.entry(few).or_insert_with(variables));
        }
        if let Some(known) = self.of_many.get(roots) {
            return Rc::clone(known);
        }
        let variables: Rc<[Term]> = variables();
        self.of_many.insert(roots.to_vec(), Rc::clone(&variables));
        variables
    }
}

impl<'f> Flow<'f> {
    pub fn of(failure: &'f Failure<'f>) -> Flow<'f> {
        let mut variables = Variables::default();
        let (program, trace) = (failure.program, &failure.trace);
        let mut flow = Flow {
            failure,
            guards: Vec::with_capacity(trace.steps.len()),
            definitions: OnceCell::new(),
            reads: Vec::with_capacity(trace.steps.len()),
            instances: FxHashMap::default(),
            omitting: OnceCell::new(),
            omitted: FxHashMap::default(),
            is_decision: vec![false; trace.steps.len()],
        };
        // The decision at an index of the path.
        let mut decisions: FxHashMap<usize, u32> = FxHashMap::default();
        let mut roots: Vec<Term> = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            roots.clear();
            roots.extend(step.operands());
            if at + 1 == trace.steps.len() {
                roots.extend(&trace.involved);
            }
            if let Some(place) = step.action.place() {
                roots.extend((!place.indices.is_empty()).then_some(place.variable));
            }
            flow.reads.push(variables.of(&trace.terms, &roots));
            let Some(&edge) = trace.path.get(step.at as usize) else { continue };
            if matches!(step.action, Action::Assume { .. }) && step.part == Part::Whole {
                match program.edge(edge).statement {
                    Statement::Assume { .. } if is_branch(program, edge) => {
                        decisions.insert(step.at as usize, at as u32);
                        flow.instances.entry(edge).or_default().push(at as u32);
                        flow.is_decision[at] = true;
                    }
                    Statement::CallPointer { .. } => {
                        decisions.entry(step.at as usize).or_insert(at as u32);
                        flow.is_decision[at] = true;
                    }
                    _ => {}
                }
            }
        }
        flow.guard_all(&decisions);
        flow.omissions(&mut Writes::new(program));
        flow
    }

    fn guard_all(&mut self, decisions: &FxHashMap<usize, u32>) {
        let trace = &self.failure.trace;
        let scopes = scopes(self.failure.program, &trace.path, Checks::GoOn);
        // The closest decision around each index of the path; scopes are earlier than what is in them.
        let mut guards: Vec<Option<u32>> = Vec::with_capacity(scopes.len());
        for &scope in &scopes {
            guards.push(scope.and_then(|scope| match decisions.get(&scope) {
                Some(&decision) => Some(decision),
                None => guards.get(scope).copied().flatten(),
            }));
        }
        for step in &trace.steps {
            self.guards.push(guards.get(step.at as usize).copied().flatten());
        }
    }

    fn omissions(&mut self, writes: &mut Writes<'_>) {
        self.omitted = self.instances.keys().map(|&edge| (edge, writes.omitted(edge))).collect();
    }

    fn definitions(&self) -> &FxHashMap<Term, Vec<u32>> {
        self.definitions.get_or_init(|| {
            let mut definitions: FxHashMap<Term, Vec<u32>> = FxHashMap::default();
            for (at, step) in self.failure.trace.steps.iter().enumerate() {
                if let Some(place) = step.action.place() {
                    definitions.entry(place.variable).or_default().push(at as u32);
                }
            }
            definitions
        })
    }

    fn omitting(&self) -> &FxHashMap<Spot, Vec<EdgeId>> {
        self.omitting.get_or_init(|| {
            let mut omitting: FxHashMap<Spot, Vec<EdgeId>> = FxHashMap::default();
            for (&edge, omitted) in &self.omitted {
                for spot in spots(omitted) {
                    omitting.entry(spot).or_default().push(edge);
                }
            }
            omitting
        })
    }

    /// The decision that determines whether the step is executed.
    pub fn guard(&self, step: usize) -> Option<usize> {
        self.guards.get(step).copied().flatten().map(|guard| guard as usize)
    }

    pub fn is_decision(&self, step: usize) -> bool {
        self.is_decision.get(step).copied().unwrap_or(false)
    }

    /// The variables whose value before the step matters to it.
    pub fn reads(&self, step: usize) -> &[Term] {
        self.reads.get(step).map_or(&[], |reads| reads)
    }

    /// The step that assigned the variable last before a step.
    pub fn definition(&self, variable: Term, before: usize) -> Option<usize> {
        let steps = self.definitions().get(&variable)?;
        let count = steps.partition_point(|&step| (step as usize) < before);
        Some(*steps.get(count.checked_sub(1)?)? as usize)
    }

    /// What a variable of the trace counts as when it is not assigned, and its activation if it is local.
    pub fn spot(&self, variable: Term) -> (Spot, Option<u32>) {
        let trace = &self.failure.trace;
        if let Some(&object) = trace.cells.get(&variable)
            && let Some(object) = trace.objects.get(object as usize)
        {
            return (Spot::Object(object.origin), None);
        }
        let (activation, own) = trace.origin(variable);
        let scope = self.failure.program.variables.get(&own).map(|variable| variable.scope);
        (Spot::Variable(own), matches!(scope, Some(Scope::Local(_))).then_some(activation))
    }

    /// The decisions after a definition and before a step on whose other way the variable might have been assigned, in
    /// order.
    pub fn omissions_between(
        &self,
        variable: Term,
        after: Option<usize>,
        before: usize,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        self.omissions_by_edge(variable, after, before, |instances, is_own| {
            found.extend(instances.iter().map(|&step| step as usize).filter(is_own));
        });
        found.sort_unstable();
        found
    }

    /// The same, for each edge apart: its instances, and which of them count, if the variable is local to an activation.
    pub fn omissions_by_edge(
        &self,
        variable: Term,
        after: Option<usize>,
        before: usize,
        mut found: impl FnMut(&[u32], &dyn Fn(&usize) -> bool),
    ) {
        let (spot, activation) = self.spot(variable);
        let steps = &self.failure.trace.steps;
        let is_own = |step: &usize| activation.is_none_or(|a| steps[*step].frame.activation == a);
        for edge in self.omitting().get(&spot).map_or(&[][..], Vec::as_slice) {
            let Some(instances) = self.instances.get(edge) else { continue };
            let first = instances.partition_point(|&step| Some(step as usize) <= after);
            let end = instances.partition_point(|&step| (step as usize) < before);
            found(instances.get(first..end).unwrap_or(&[]), &is_own);
        }
    }

    /// If something else should have been printed: the decisions since the last output on whose other way
    /// something might have been.
    pub fn missing_output(&self) -> Vec<usize> {
        let failure = self.failure;
        if failure.property.kind != FailureKind::WrongOutput {
            return Vec::new();
        }
        let program = failure.program;
        let printed = |step: &Step| match failure.trace.path.get(step.at as usize) {
            Some(&edge) => match &program.edge(edge).statement {
                Statement::External { function, .. } => {
                    program.externals.get(function.index()).is_some_and(|e| prints(&e.name))
                }
                _ => false,
            },
            None => false,
        };
        let Some((last, before)) = failure.trace.steps.split_last() else { return Vec::new() };
        let earlier = |step: &Step| step.at < last.at && printed(step);
        let after = before.iter().rposition(earlier).map_or(0, |step| step + 1);
        let decisions = (after..before.len()).filter(|&step| self.is_decision(step));
        decisions.filter(|&step| self.omitted(step).is_some_and(|omitted| omitted.prints)).collect()
    }

    /// What might have been assigned if a decision had been another.
    pub fn omitted(&self, decision: usize) -> Option<&Omitted> {
        let step = self.failure.trace.steps.get(decision)?;
        let edge = self.failure.trace.path.get(step.at as usize)?;
        self.omitted.get(edge).map(|omitted| &**omitted)
    }
}

/// What is omitted, in the terms of [`Spot`].
pub fn spots(omitted: &Omitted) -> impl Iterator<Item = Spot> + '_ {
    let variables = omitted.variables.iter().map(|&variable| Spot::Variable(variable));
    variables.chain(omitted.objects.iter().map(|&origin| Spot::Object(origin)))
}

/// Whether the edge is one of several ways, not counting those to the error location.
fn is_branch(program: &Program, edge: EdgeId) -> bool {
    let from = program.edge(edge).from;
    program.edge(edge).to != Program::ERROR
        && program.out_edges(from).filter(|(_, edge)| edge.to != Program::ERROR).count() > 1
}
