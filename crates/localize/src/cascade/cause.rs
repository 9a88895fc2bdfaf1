//! The cause of a condition (Algorithm 1).

use std::collections::{BTreeSet, BinaryHeap};
use std::time::Duration;

use failure::{Action, Part};
use program::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::{Condition, Evidence, Without};
use crate::asking::Asking;
use crate::context::Context;
use crate::flow::Flow;

/// So many conditions become conjuncts.
const MOST_CONDITIONS: usize = 16;
/// Beyond so many variables or assignments, a condition is pulled back by data flow only.
const MOST_VARIABLES: usize = 64;
const MOST_ASSIGNMENTS: usize = 600;
/// No question to the solver may take longer: there are many, and the answer is not worth it.
const LONGEST_QUERY: Duration = Duration::from_millis(200);
const MOST_QUERIES: u64 = 2000;

pub(super) struct Causes<'a, 'f> {
    pub flow: &'a Flow<'f>,
    pub without: Without,
    /// For each step, whether it is looked at.
    pub included: Vec<bool>,
    /// The conditions that may become conjuncts, by the variables that they read, in order.
    conditions: FxHashMap<Term, Vec<u32>>,
    pub terms: Terms,
    pub asking: Asking<'a>,
}

/// The steps of a cause, and how it is known.
pub(super) struct Found {
    pub steps: Vec<usize>,
    pub evidence: Evidence,
}

/// A condition, pulled back to some point of the trace.
#[derive(Clone, Debug)]
pub(super) struct Conjunct {
    pub term: Term,
    /// The step of the condition.
    pub origin: usize,
}

/// What pulling back over one step changed.
struct Update {
    /// The step; none: what is left at the beginning of the trace is replaced.
    at: Option<usize>,
    /// Conjuncts with their terms before and after. One that was added was true before.
    changes: Vec<(usize, Term, Term)>,
}

/// Pulling back a condition.
pub(super) struct Walk {
    /// The step of the condition that is to be explained.
    at: usize,
    /// The first is the condition that is to be explained.
    pub conjuncts: Vec<Conjunct>,
    updates: Vec<Update>,
    /// How many of the updates are done.
    done: usize,
    /// The variables that were met, and whose definition is ahead.
    leaves: FxHashSet<Term>,
    /// The steps ahead.
    queue: BinaryHeap<usize>,
    queued: FxHashSet<usize>,
    /// How many conditions were added.
    conditions: usize,
}

impl<'a, 'f> Causes<'a, 'f> {
    pub(super) fn new(
        flow: &'a Flow<'f>,
        without: Without,
        included: Vec<bool>,
        context: Context<'a>,
    ) -> Causes<'a, 'f> {
        let trace = &flow.failure.trace;
        let mut conditions: FxHashMap<Term, Vec<u32>> = FxHashMap::default();
        for (at, step) in trace.steps.iter().enumerate() {
            let is_condition = matches!(step.action, Action::Assume { .. });
            if is_condition && included[at] && !trace.pinned.contains(&at) {
                for &variable in flow.reads(at) {
                    conditions.entry(variable).or_default().push(at as u32);
                }
            }
        }
        let terms = trace.terms.clone();
        let most = if without.solving { u64::MAX } else { MOST_QUERIES };
        let asking = Asking::new(context, LONGEST_QUERY, most);
        Causes { flow, without, included, conditions, terms, asking }
    }

    /// How many questions the solver was asked, and about how many conjuncts.
    pub(super) fn asked(&self) -> (u64, u64) {
        (self.asking.asked, self.asking.formulas)
    }

    /// The condition whose opposite is pulled back, and the step before which it is.
    fn opposite(&mut self, condition: Condition) -> Option<(usize, Term)> {
        let steps = &self.flow.failure.trace.steps;
        let at = match condition {
            Condition::Failure => steps.len().checked_sub(1)?,
            Condition::Held(step) | Condition::Address(step) => step,
            Condition::Trusted(..) => return None,
        };
        let step = steps.get(at)?;
        let held = match (condition, &step.action, &step.access) {
            (Condition::Address(_), _, Some(access)) => {
                let value = self.evaluate(access.address, at)?;
                let value = self.terms.constant(&value);
                self.terms.eq(access.address, value)
            }
            (_, Action::Assume { condition }, _) => *condition,
            _ => return None,
        };
        Some((at, self.terms.not(held)))
    }

    /// The cause of a condition, as a minimal contradiction.
    pub(super) fn exact(&mut self, condition: Condition) -> Found {
        let Some((at, opposite)) = self.opposite(condition) else {
            return self.by_data_flow(condition, &mut FxHashSet::default());
        };
        let mut walk = Walk {
            at,
            conjuncts: vec![Conjunct { term: opposite, origin: at }],
            updates: Vec::new(),
            done: 0,
            leaves: FxHashSet::default(),
            queue: BinaryHeap::new(),
            queued: FxHashSet::default(),
            conditions: 0,
        };
        self.meet(&mut walk, opposite, at);
        while !self.terms.is_false(walk.conjuncts[0].term) {
            let Some(step) = walk.queue.pop() else { break };
            if walk.leaves.len() > MOST_VARIABLES || walk.updates.len() > MOST_ASSIGNMENTS {
                return self.to_the_start(condition, at);
            }
            self.pull_back(&mut walk, step);
            if self.without.solving && self.is_contradiction(&walk) == Some(true) {
                break;
            }
        }
        self.begin(&mut walk);
        self.first_contradiction(condition, walk)
    }

    /// Puts the definitions of a term's variables on the way, and the conditions that share them.
    fn meet(&mut self, walk: &mut Walk, term: Term, before: usize) {
        for variable in self.terms.variables_of(&[term]) {
            if !walk.leaves.insert(variable) {
                continue;
            }
            let definition = self.flow.definition(variable, before);
            let mut ahead: Vec<usize> =
                definition.filter(|&d| !self.is_open(d)).into_iter().collect();
            let after = definition.map_or(0, |d| d + 1);
            if self.without.solving {
                // All conditions are conjuncts, whether they share a variable or not.
                ahead.extend((after..before).filter(|&s| self.included[s] && self.is_condition(s)));
            } else if let Some(sharing) = self.conditions.get(&variable) {
                let end = sharing.partition_point(|&s| (s as usize) < before);
                let near = sharing[..end].iter().rev().map(|&s| s as usize);
                ahead.extend(near.take_while(|&s| s >= after).take(MOST_CONDITIONS));
            }
            for step in ahead {
                if walk.queued.insert(step) {
                    walk.queue.push(step);
                }
            }
        }
    }

    /// Whether a step chooses what a function of the world would do with other arguments. This is left
    /// open, because else its result would not depend on its arguments.
    fn is_open(&self, step: usize) -> bool {
        let step = &self.flow.failure.trace.steps[step];
        step.part == Part::Temporary && matches!(step.action, Action::Havoc { .. })
    }

    pub(super) fn is_condition(&self, step: usize) -> bool {
        let trace = &self.flow.failure.trace;
        matches!(trace.steps[step].action, Action::Assume { .. }) && !trace.pinned.contains(&step)
    }

    fn pull_back(&mut self, walk: &mut Walk, at: usize) {
        let step = &self.flow.failure.trace.steps[at];
        if let Action::Assume { condition } = step.action {
            if walk.conditions >= MOST_CONDITIONS && !self.without.solving {
                return;
            }
            walk.conditions += 1;
            let always = self.terms.bool(true);
            let added = walk.conjuncts.len();
            walk.conjuncts.push(Conjunct { term: condition, origin: at });
            walk.push(Some(at), vec![(added, always, condition)]);
            self.meet(walk, condition, at);
            return;
        }
        let Some((variable, value)) = self.assigned(at) else { return };
        walk.leaves.remove(&variable);
        let mut changes = Vec::new();
        for (number, conjunct) in walk.conjuncts.iter_mut().enumerate() {
            // An assignment that changes nothing, such as `x = x`, transforms all the same.
            if self.terms.mentions(conjunct.term, variable) {
                let term = self.terms.replace(conjunct.term, variable, value);
                changes.push((number, conjunct.term, term));
                conjunct.term = term;
            }
        }
        if changes.is_empty() {
            return;
        }
        // What the value reads is met even if it cancels out in one conjunct: it may be in another.
        let terms: Vec<Term> = changes.iter().map(|change| change.2).collect();
        walk.push(Some(at), changes);
        for term in terms {
            self.meet(walk, term, at);
        }
    }

    /// The variable that a step assigns, and its new value as a term over the state before.
    fn assigned(&mut self, at: usize) -> Option<(Term, Term)> {
        let failure = self.flow.failure;
        let (place, element) = match &failure.trace.steps[at].action {
            Action::Assign { place, value } => (place, *value),
            Action::Havoc { place } => {
                let value = failure.values.get(at)?.clone()?;
                (place, self.terms.constant(&value))
            }
            Action::Assume { .. } => return None,
        };
        let new = Place::updated(&mut self.terms, place.variable, &place.indices, element);
        Some((place.variable, new))
    }

    /// Replaces what is left by the values at the beginning of the trace.
    fn begin(&mut self, walk: &mut Walk) {
        if self.terms.is_false(walk.conjuncts[0].term) || !walk.queue.is_empty() {
            return;
        }
        let mut changes = Vec::new();
        for (number, conjunct) in walk.conjuncts.iter_mut().enumerate() {
            let failure = self.flow.failure;
            let mut values: FxHashMap<Term, Term> = FxHashMap::default();
            for variable in self.terms.variables_of(&[conjunct.term]) {
                let value = failure.inputs.initial.get(&variable).cloned();
                let value = value.unwrap_or_else(|| Value::zero(self.terms.sort(variable)));
                values.insert(variable, self.terms.constant(&value));
            }
            let term = self.terms.substitute(conjunct.term, &mut |v| values.get(&v).copied());
            if term != conjunct.term {
                changes.push((number, conjunct.term, term));
                conjunct.term = term;
            }
        }
        walk.push(None, changes);
    }

    /// Goes forward again to the first contradiction, and makes it minimal.
    fn first_contradiction(&mut self, condition: Condition, mut walk: Walk) -> Found {
        let at = walk.at;
        if self.is_contradiction(&walk) != Some(true) {
            return self.by_data_flow(condition, &mut FxHashSet::default());
        }
        // After so many updates there is a contradiction; after so many there is none.
        let (mut contradictory, mut open) = (walk.done, None);
        let mut stride = 1;
        loop {
            let next = match open {
                None if contradictory == 0 => break,
                None => contradictory.saturating_sub(stride),
                Some(open) if open + 1 >= contradictory => break,
                Some(open) => open + (contradictory - open) / 2,
            };
            walk.go(next);
            match self.is_contradiction(&walk) {
                Some(true) => contradictory = next,
                _ => open = Some(next),
            }
            stride *= 2;
        }
        walk.go(contradictory);
        let Some(core) = self.core(&walk) else { return self.to_the_start(condition, at) };
        let origins: Vec<usize> =
            core.iter().map(|&number| walk.conjuncts[number].origin).collect();
        let mut steps: BTreeSet<usize> = self.direct(&origins).into_iter().collect();
        for update in &walk.updates[..contradictory] {
            let transforms = |change: &(usize, Term, Term)| core.contains(&change.0);
            if update.changes.iter().any(transforms) {
                steps.extend(update.at.filter(|&at| !self.is_condition(at)));
            }
        }
        let premises = origins.into_iter().filter(|&origin| origin != at).collect();
        let evidence = Evidence::Core { from: walk.from(), premises };
        Found { steps: steps.into_iter().collect(), evidence }
    }

    /// The value of a term before a step, in the run.
    pub(super) fn evaluate(&self, term: Term, before: usize) -> Option<Value> {
        term::evaluate(&self.terms, term, &mut |variable| self.value_before(variable, before))
    }

    /// The value of a variable before a step, in the run; not of maps that were assigned in part.
    pub(super) fn value_before(&self, variable: Term, before: usize) -> Option<Value> {
        let failure = self.flow.failure;
        match self.flow.definition(variable, before) {
            Some(definition) => {
                let place = failure.trace.steps[definition].action.place()?;
                let whole = place.indices.is_empty();
                failure.values.get(definition)?.clone().filter(|_| whole)
            }
            None => {
                let initial = failure.inputs.initial.get(&variable).cloned();
                Some(initial.unwrap_or_else(|| Value::zero(self.terms.sort(variable))))
            }
        }
    }
}

impl Walk {
    fn push(&mut self, at: Option<usize>, changes: Vec<(usize, Term, Term)>) {
        self.updates.push(Update { at, changes });
        self.done = self.updates.len();
    }

    /// The step before which the conjuncts are.
    pub(super) fn position(&self) -> usize {
        self.from().unwrap_or(0)
    }

    /// The same; none if what is known about the beginning of the trace has been used.
    fn from(&self) -> Option<usize> {
        match self.done.checked_sub(1) {
            Some(last) => self.updates[last].at,
            None => Some(self.at),
        }
    }

    /// Undoes or repeats updates, until so many are done.
    fn go(&mut self, to: usize) {
        while self.done > to {
            self.done -= 1;
            for &(number, before, _) in &self.updates[self.done].changes {
                self.conjuncts[number].term = before;
            }
        }
        while self.done < to {
            for &(number, _, after) in &self.updates[self.done].changes {
                self.conjuncts[number].term = after;
            }
            self.done += 1;
        }
    }
}
