//! Judging causes and influences.
//!
//! A cause claims: whatever the state was before the step `from` (or: with the state at the beginning of the trace),
//! if the steps of the cause are executed and the premises hold, then the condition holds; and no premise can be
//! spared. The judge executes these steps forwards, with symbols for all else, and asks whether the condition can be false. So it does not repeat what
//! the technique did, which pulled the condition backwards.
//!
//! An influence claims that another decision makes a difference. The judge runs the program again with
//! the decision made otherwise ([`failure::Flip`]). Where this shows the difference, it is confirmed; else it
//! remains possible.

use std::time::Duration;

use failure::{Action, Failure, Flip, Flipped, Part, Watch};
use program::{Place, SiteId};
use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

use super::Judgement;
use crate::asking::Asking;
use crate::cascade::{Cascade, Cause, Condition, Evidence, InfluenceKind, Strength};
use crate::context::Context;
use crate::flow::Flow;

/// So many steps of causes are executed.
const MOST_STEPS: usize = 3_000_000;
/// So many decisions are made otherwise: in all, and for one statement and what it influences.
const MOST_FLIPS: usize = 10_000;
const MOST_FLIPS_OF_ONE: u32 = 4;
const LONGEST_QUERY: Duration = Duration::from_millis(100);
const MOST_QUERIES: u64 = 4000;

/// Judges every cause, in order.
pub fn check_cascade(
    failure: &Failure<'_>,
    cascade: &Cascade,
    context: Context<'_>,
) -> Vec<Judgement> {
    let flow = Flow::of(failure);
    let asking = Asking::new(context, LONGEST_QUERY, MOST_QUERIES);
    let mut judge = Judge { flow: &flow, terms: failure.trace.terms.clone(), asking, steps: 0 };
    let judged = cascade.causes.iter().map(|cause| match &cause.evidence {
        Evidence::Core { from, premises } => {
            if context.stop.requested() || judge.steps > MOST_STEPS {
                return Judgement::Open("there was no time to check it".to_owned());
            }
            judge.cause(cause, *from, premises)
        }
        Evidence::DataFlow | Evidence::Unknown(_) => Judgement::Confirmed,
    });
    judged.collect()
}

/// Keeps what was confirmed: a core that was not is only data flow.
pub fn keep_confirmed_causes(cascade: &mut Cascade, judgements: &[Judgement]) {
    for (cause, judgement) in cascade.causes.iter_mut().zip(judgements) {
        match judgement {
            Judgement::Confirmed => {}
            Judgement::Open(_) => cause.evidence = Evidence::DataFlow,
            Judgement::Refuted(why) => {
                cause.evidence =
                    Evidence::Unknown(format!("the answer did not pass its check: {why}"));
            }
        }
    }
}

struct Judge<'a, 'f> {
    flow: &'a Flow<'f>,
    terms: Terms,
    asking: Asking<'a>,
    /// How many steps were executed.
    steps: usize,
}

impl Judge<'_, '_> {
    fn cause(&mut self, cause: &Cause, from: Option<usize>, premises: &[usize]) -> Judgement {
        let steps = &self.flow.failure.trace.steps;
        let (at, address) = match cause.condition {
            Condition::Failure => (steps.len().saturating_sub(1), false),
            Condition::Held(step) => (step, false),
            Condition::Address(step) => (step, true),
            Condition::Trusted(..) => return Judgement::Open("it is no condition".to_owned()),
        };
        // Each step is executed once, in order, the conditions among them.
        let steps_of_cause = cause.steps.iter().chain(&cause.benign).copied();
        let executed = steps_of_cause.filter(|&step| Some(step) >= from && step < at);
        let mut all: Vec<usize> = executed.chain(premises.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        self.steps += all.len();
        let mut state = State { from, values: FxHashMap::default(), symbols: FxHashMap::default() };
        let mut assumed = Vec::new();
        for &step in &all {
            match self.execute(&mut state, step) {
                Some(condition) if premises.contains(&step) => assumed.push(condition),
                _ => {}
            }
        }
        let held = match (&steps[at].action, &steps[at].access) {
            (_, Some(access)) if address => {
                let term = self.value(&mut state, at, access.address);
                let Some(known) = self.known(access.address, at) else {
                    return Judgement::Open("the address is not known".to_owned());
                };
                let known = self.terms.constant(&known);
                self.terms.eq(term, known)
            }
            (Action::Assume { condition }, _) => self.value(&mut state, at, *condition),
            _ => return Judgement::Open("it is no condition".to_owned()),
        };
        let opposite = self.terms.not(held);
        let contradiction: Vec<Term> = assumed.iter().copied().chain([opposite]).collect();
        match self.asking.can_hold(&self.terms, &contradiction) {
            Some(false) => {}
            Some(true) => return Judgement::Refuted("the condition need not hold".to_owned()),
            None => return Judgement::Open("the solver did not decide it".to_owned()),
        }
        for spared in 0..assumed.len() {
            let mut rest = contradiction.clone();
            rest.remove(spared);
            match self.asking.can_hold(&self.terms, &rest) {
                Some(true) => {}
                Some(false) => return Judgement::Refuted("a premise can be spared".to_owned()),
                None => return Judgement::Open("the solver did not decide it".to_owned()),
            }
        }
        Judgement::Confirmed
    }

    /// Executes a step; the condition, if it is one.
    fn execute(&mut self, state: &mut State, at: usize) -> Option<Term> {
        let failure = self.flow.failure;
        let step = &failure.trace.steps[at];
        let (place, element) = match &step.action {
            Action::Assume { condition } => return Some(self.value(state, at, *condition)),
            Action::Assign { place, value } => (place, self.value(state, at, *value)),
            // What the world would do with other arguments is left open.
            Action::Havoc { .. } if step.part == Part::Temporary => return None,
            Action::Havoc { place } => {
                let value = failure.values.get(at)?.clone()?;
                (place, self.terms.constant(&value))
            }
        };
        let indices: Vec<Term> =
            place.indices.iter().map(|&index| self.value(state, at, index)).collect();
        let old = match indices.is_empty() {
            true => element,
            false => self.value(state, at, place.variable),
        };
        let whole = Place::updated(&mut self.terms, old, &indices, element);
        state.values.insert(at, whole);
        None
    }

    /// A term as it is before a step.
    fn value(&mut self, state: &mut State, at: usize, term: Term) -> Term {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for variable in self.terms.variables_of(&[term]) {
            let definition = self.flow.definition(variable, at);
            let value = match definition.and_then(|definition| state.values.get(&definition)) {
                Some(&value) => value,
                None => self.symbol(state, variable, definition),
            };
            values.insert(variable, value);
        }
        self.terms.substitute(term, &mut |v| values.get(&v).copied())
    }

    /// What a variable is that no step of the cause has assigned: anything, but for the start of the trace.
    fn symbol(&mut self, state: &mut State, variable: Term, definition: Option<usize>) -> Term {
        let failure = self.flow.failure;
        if definition.is_none() && state.from.is_none() {
            let initial = failure.inputs.initial.get(&variable).cloned();
            let initial = initial.unwrap_or_else(|| Value::zero(self.terms.sort(variable)));
            return self.terms.constant(&initial);
        }
        let sort = self.terms.sort(variable).clone();
        let terms = &mut self.terms;
        // All that was defined before the state is one state.
        let definition = definition.filter(|&definition| Some(definition) >= state.from);
        *state.symbols.entry((variable, definition)).or_insert_with(|| terms.fresh("any", &sort))
    }

    /// The value of a term before a step, in the run.
    fn known(&self, term: Term, at: usize) -> Option<Value> {
        let failure = self.flow.failure;
        term::evaluate(
            &self.terms,
            term,
            &mut |variable| match self.flow.definition(variable, at) {
                Some(definition) => failure.values.get(definition)?.clone(),
                None => {
                    let initial = failure.inputs.initial.get(&variable).cloned();
                    Some(initial.unwrap_or_else(|| Value::zero(self.terms.sort(variable))))
                }
            },
        )
    }
}

/// What is known while the steps of a cause are executed.
struct State {
    from: Option<usize>,
    /// What a step has assigned.
    values: FxHashMap<usize, Term>,
    /// Symbols for variables, by their definitions.
    symbols: FxHashMap<(Term, Option<usize>), Term>,
}

/// Finds out which influences can be seen, those of the highest levels first.
pub fn confirm_influences(failure: &Failure<'_>, cascade: &mut Cascade, context: Context<'_>) {
    let steps = &failure.trace.steps;
    let mut flips = 0;
    let mut of_one: FxHashMap<(SiteId, InfluenceKind, SiteId), u32> = FxHashMap::default();
    let mut first = 0;
    while first < cascade.causes.len() && flips < MOST_FLIPS && !context.stop.requested() {
        let level = cascade.causes[first].level;
        let end = cascade.causes.partition_point(|cause| cause.level <= level);
        let mut places = Vec::new();
        let mut questions = Vec::new();
        for number in first..end {
            let cause = &cascade.causes[number];
            for (place, influence) in cause.influences.iter().enumerate() {
                let Condition::Held(decision) = cascade.causes[influence.cause].condition else {
                    continue;
                };
                let watch = match (influence.kind, influence.variable) {
                    (InfluenceKind::Direct | InfluenceKind::Premise, _) => {
                        Watch::Step(influence.on)
                    }
                    (InfluenceKind::Indirect, Some(variable)) => Watch::Variable(variable),
                    _ => continue,
                };
                let key = (steps[decision].site, influence.kind, steps[influence.on].site);
                let asked = of_one.entry(key).or_default();
                *asked += 1;
                if *asked > MOST_FLIPS_OF_ONE {
                    continue;
                }
                questions.push(Flip { at: steps[decision].at as usize, watch });
                places.push((number, place));
            }
        }
        questions.truncate(MOST_FLIPS - flips);
        flips += questions.len();
        for (answer, (number, place)) in failure.flipped(&questions).into_iter().zip(places) {
            if answer == Flipped::Differs {
                cascade.causes[number].influences[place].strength = Strength::Confirmed;
            }
        }
        first = end;
    }
}
