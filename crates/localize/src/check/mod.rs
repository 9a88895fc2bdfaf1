//! The judge: re-decides every claim, with code that did not make it.
//!
//! A *relevant* step comes with a value, and with the inputs of an execution if that is not the failing
//! run. The judge runs the interpreter along the path with that value in place: it must block. If the
//! program may still choose values after the step, running once proves nothing; then the coreachable
//! states of the rest of the trace, computed with `pre`, must not contain the changed state. On long
//! traces, running every claim to its end is quadratic; claims beyond a budget of interpreted edges are
//! checked by the weakest precondition of the violation of the condition that is said to block.
//!
//! An *irrelevant* step is checked against Theorem 3.2 as it stands: no bireachable state before the
//! step and no value may lead outside the coreachable states after it, where `pre` gives the latter. If no
//! later condition depends on the variable at all, by the judge's own data flow, that is proof enough.
//! Where the coreachable states of a long trace are too large to be written down, the change is followed
//! forwards instead.
//!
//! Causes, error invariants, and forced changes have judges of their own.
//!
//! A claim that the judge cannot re-decide within its limits is not a claim.

mod causes;
mod changes;
mod coreachable;
mod facts;
mod invariants;
mod states;

pub use self::causes::{check_cascade, confirm_influences, keep_confirmed_causes};
pub use self::changes::check_change;

use std::ops::ControlFlow;

use failure::transform::{Predicate, pre, update};
use failure::{
    Action, Change, Failure, Force, Forced, Inputs, Part, Replay, Step, Symbolic, Trace, When,
};
use program::{Place, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Solver, exists_forall};
use term::{Term, Terms, Value};

use self::coreachable::{Conjunction, flow};
pub use self::invariants::{check_conditions_are_implied, check_error_invariants};
use self::states::{History, history, state_before};
use crate::context::Context;
use crate::costs;
use crate::interval::{Bounds, interval};
use crate::relevance::{Relevance, Verdict, Witness};
use crate::what_if::{Known, Uses, follow_change, holds_anyway};

/// What the judge says of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Confirmed,
    /// The claim is wrong: a bug in a technique.
    Refuted(String),
    /// It could not be re-decided.
    Open(String),
}

/// How many edges the interpreter may take for all replays together.
const MOST_EDGES: usize = 3_000_000;
/// Programs with memory run faster.
const MOST_EDGES_OF_RUNS: usize = 100_000_000;
/// The largest formula that is pulled backwards.
const LARGEST: usize = 20_000;
const ROUNDS: u32 = 64;

/// Judges each verdict; *unknown* is confirmed as such.
pub fn check_relevance(
    failure: &Failure<'_>,
    relevance: &Relevance,
    context: Context<'_>,
) -> Vec<Judgement> {
    let mut judge = Judge {
        failure,
        context,
        solver: (context.solvers)(),
        states: history(failure, &failure.inputs),
        judgements: vec![Judgement::Confirmed; relevance.steps.len()],
    };
    let mut by_replay = Vec::new();
    let mut by_theorem = Vec::new();
    for (claim, step) in relevance.steps.iter().enumerate() {
        match &step.verdict {
            Verdict::Relevant { witness, .. } => by_replay.push((claim, step.step, witness)),
            Verdict::Irrelevant(_) => by_theorem.push((claim, step.step, None)),
            Verdict::Unknown(_) => {}
        }
    }
    by_theorem.extend(judge.relevant(&by_replay));
    by_theorem.sort_by_key(|(_, step, _)| *step);
    judge.by_theorem(&by_theorem);
    judge.judgements
}

/// Replaces claims that were not confirmed: `unknown`, with the judge's reason.
pub fn keep_confirmed(relevance: Relevance, judgements: &[Judgement]) -> Relevance {
    let mut relevance = relevance;
    for (step, judgement) in relevance.steps.iter_mut().zip(judgements) {
        match judgement {
            Judgement::Confirmed => {}
            Judgement::Refuted(why) => {
                step.verdict =
                    Verdict::Unknown(format!("the answer did not pass its check: {why}"));
            }
            Judgement::Open(why) => {
                step.verdict = Verdict::Unknown(format!("the answer could not be checked: {why}"));
            }
        }
    }
    relevance
}

/// Judges that the value, assigned by every instance of the statement part, leaves no trace feasible.
pub fn check_one_value(
    failures: &[Failure<'_>],
    site: SiteId,
    part: Part,
    value: &Value,
    context: Context<'_>,
) -> Judgement {
    for failure in failures {
        let is_open = |step: &Step| {
            matches!(step.action, Action::Havoc { .. }) && step.part != Part::Temporary
        };
        if failure.run.is_some() && !failure.trace.steps.iter().any(is_open) {
            match one_value_in_run(failure, site, part, value) {
                Judgement::Confirmed => continue,
                other => return other,
            }
        }
        let mut terms = failure.trace.terms.clone();
        let constant = terms.constant(value);
        let changed: Vec<Action> = failure
            .trace
            .steps
            .iter()
            .map(|step| match step.action.place() {
                Some(place) if step.site == site && step.part == part => {
                    Action::Assign { place: place.clone(), value: constant }
                }
                _ => step.action.clone(),
            })
            .collect();
        let actions: Vec<&Action> = changed.iter().collect();
        let end = Predicate::new(terms.bool(true));
        let start = pre(&mut terms, end, &actions);
        // Where a run begins is not left open.
        let initial = match failure.run {
            None => FxHashMap::default(),
            Some(_) => failure.initial(&mut terms),
        };
        let feasible = terms.substitute(start.formula, &mut |v| initial.get(&v).copied());
        let answer = match terms.value(feasible) {
            Some(Value::Bool(false)) => Answer::Unsat,
            _ => (context.solvers)().check(&terms, &[feasible]),
        };
        match answer {
            Answer::Unsat => {}
            Answer::Sat => return Judgement::Refuted("a trace is still feasible".to_owned()),
            Answer::Unknown(_) => return Judgement::Open("the solver does not know".to_owned()),
        }
    }
    Judgement::Confirmed
}

/// The same for a run without choices: it is run with the value. Other cells may be read then than in the trace.
fn one_value_in_run(failure: &Failure<'_>, site: SiteId, part: Part, value: &Value) -> Judgement {
    let mut forced = Vec::new();
    let mut edges = FxHashSet::default();
    for (number, step) in failure.trace.steps.iter().enumerate() {
        let is_own = (step.site, step.part) == (site, part) && step.action.place().is_some();
        if is_own && edges.insert(failure.trace.path.get(step.at as usize)) {
            let what = Force::Value { step: number, value: value.clone() };
            forced.push(Forced { at: step.at as usize, what, when: When::Always });
        }
    }
    let Some(first) = failure.rerun(&[], u64::MAX) else {
        return Judgement::Open("the run is too long to be repeated".to_owned());
    };
    let Some(second) = failure.rerun(&forced, first.effort.saturating_add(1)) else {
        return Judgement::Open("it cannot be repeated".to_owned());
    };
    match (second.path, second.end) == (first.path, first.end) {
        true => Judgement::Refuted("the run still fails".to_owned()),
        false => Judgement::Confirmed,
    }
}

struct Judge<'a> {
    failure: &'a Failure<'a>,
    context: Context<'a>,
    solver: Box<dyn Solver>,
    states: History,
    judgements: Vec<Judgement>,
}

impl Judge<'_> {
    fn trace(&self) -> &Trace {
        &self.failure.trace
    }

    /// Judges what can be judged by running; returns the claims for which later havocs matter.
    fn relevant<'w>(
        &mut self,
        claims: &[(usize, usize, &'w Witness)],
    ) -> Vec<(usize, usize, Option<&'w Witness>)> {
        let steps = &self.failure.trace.steps;
        let last_choice = self.last_open_choice();
        let numbers = assignment_numbers(self.trace());
        let mut edges = 0;
        let most_edges = match self.failure.run {
            None => MOST_EDGES,
            Some(_) => MOST_EDGES_OF_RUNS,
        };
        let (mut replays, mut rest, mut open) = (Vec::new(), Vec::new(), Vec::new());
        // The shortest replays first, so that the last instance of a statement is always replayed.
        for &(claim, step, witness) in claims.iter().rev() {
            let length = self.failure.trace.path.len() - steps[step].at as usize;
            let change = Change {
                step,
                at: steps[step].at as usize,
                number: numbers[step],
                value: witness.value.clone(),
            };
            if last_choice.is_some_and(|choice| choice > step) {
                open.push((claim, step, Some(witness)));
            } else if let Some(inputs) = &witness.execution {
                let outcome = self.replay_other(inputs, change);
                self.judgements[claim] = outcome;
            } else if edges + length <= most_edges {
                edges += length;
                self.context.stop.spend(length, costs::EDGE);
                replays.push((claim, change));
            } else {
                self.judgements[claim] = Judgement::Open("too long to replay".to_owned());
                rest.push((claim, step, witness));
            }
        }
        replays.reverse();
        let changes: Vec<Change> = replays.iter().map(|(_, change)| change.clone()).collect();
        let outcomes = self.failure.replay_changes(&self.failure.inputs, &changes);
        for ((claim, change), outcome) in replays.into_iter().zip(outcomes) {
            self.judgements[claim] = self.blocked(&outcome, &change);
        }
        // What is left out of a trace has no weakest precondition.
        rest.retain(|&(_, step, _)| step >= self.failure.trace.whole_from);
        self.by_weakest_precondition(&rest);
        open
    }

    fn blocked(&self, outcome: &Replay, change: &Change) -> Judgement {
        match outcome {
            Replay::Blocked { .. } => Judgement::Confirmed,
            Replay::Completed { .. } if change.step < self.failure.trace.whole_from => {
                Judgement::Open("a part of the run that was left out matters".to_owned())
            }
            Replay::Completed { .. } => {
                Judgement::Refuted(format!("with {} it still fails", change.value))
            }
            Replay::Unclear => Judgement::Open("it cannot be replayed".to_owned()),
        }
    }

    /// Replays a change on an execution that is not the failing run; the execution itself must follow
    /// the trace.
    fn replay_other(&self, inputs: &Inputs, change: Change) -> Judgement {
        if !matches!(self.failure.replay(inputs), Replay::Completed { .. }) {
            return Judgement::Refuted("the execution does not follow the trace".to_owned());
        }
        let outcomes = self.failure.replay_changes(inputs, std::slice::from_ref(&change));
        outcomes
            .first()
            .map_or(Judgement::Open("no replay".to_owned()), |o| self.blocked(o, &change))
    }

    /// Claims on the failing run, by the condition that is said to block them.
    fn by_weakest_precondition(&mut self, claims: &[(usize, usize, &Witness)]) {
        let mut by_condition: FxHashMap<usize, Vec<(usize, usize, &Value)>> = FxHashMap::default();
        for &(claim, step, witness) in claims {
            if let Some(condition) = witness.blocks {
                by_condition.entry(condition).or_default().push((claim, step, &witness.value));
            }
        }
        let mut by_condition: Vec<_> = by_condition.into_iter().collect();
        by_condition.sort_unstable_by_key(|(at, _)| *at);
        'conditions: for (at, mut claims) in by_condition {
            claims.sort_unstable_by_key(|&(_, step, _)| step);
            let mut terms = self.trace().terms.clone();
            let Action::Assume { condition } = self.trace().steps[at].action else { continue };
            let mut formula = terms.not(condition);
            let mut next = at;
            while let Some((claim, step, value)) = claims.pop() {
                while next > step + 1 {
                    if self.context.stop.requested() {
                        return; // the claims stay open
                    }
                    next -= 1;
                    let action = &self.failure.trace.steps[next].action;
                    if let Some(update) = update(&mut terms, action) {
                        formula = terms.replace(formula, update.variable, update.value);
                    }
                    if terms.reachable(&[formula]).len() > LARGEST {
                        continue 'conditions; // these claims stay open
                    }
                }
                let violated = self.holds_with(&mut terms, formula, step, value);
                self.judgements[claim] = if violated {
                    Judgement::Confirmed
                } else {
                    Judgement::Refuted(format!("with {value} the condition still holds"))
                };
            }
        }
    }

    /// Whether a formula over the state after a step holds on the failing run, had the step assigned
    /// this value.
    fn holds_with(&self, terms: &mut Terms, formula: Term, step: usize, value: &Value) -> bool {
        let Some(place) = self.trace().steps[step].action.place() else { return false };
        let element = terms.constant(value);
        let whole = Place::updated(terms, place.variable, &place.indices, element);
        let before = terms.replace(formula, place.variable, whole);
        let value = term::evaluate(terms, before, &mut |variable| {
            Some(state_before(&self.states, terms, step, variable))
        });
        value.is_some_and(|v| v.is_true())
    }

    /// Claims about the coreachable states, which one pass backwards computes for all positions: a
    /// witness must lead outside them, and an irrelevant step must not, by Theorem 3.2.
    fn by_theorem(&mut self, claims: &[(usize, usize, Option<&Witness>)]) {
        let Some(&(_, first, _)) = claims.first() else { return };
        let mut claims = claims.to_vec();
        let trace = &self.failure.trace;
        let mut terms = trace.terms.clone();
        let run = self.failure.execute(&mut terms);
        let path: Vec<Term> = run.conditions(&terms, trace).into_iter().map(|(_, c)| c).collect();
        let path = terms.and(&path);
        // Without choices there is another way, which is better for large conditions.
        let most_nodes = if self.last_choice().is_some() { 1_000_000 } else { 4_000 };
        let mut later = Conjunction::new(most_nodes);
        let mut influential: FxHashSet<Term> = FxHashSet::default();
        let mut small = true;
        let (uses, mut known) = (Uses::of(trace), Known::default());
        let last_choice = self.last_choice().unwrap_or(0);
        for (at, step) in trace.steps.iter().enumerate().skip(first).rev() {
            if self.context.stop.requested() {
                for (claim, ..) in claims {
                    self.judgements[claim] = Judgement::Open("there was no time left".to_owned());
                }
                return;
            }
            while claims.last().is_some_and(|&(_, step, _)| step == at)
                && let Some((claim, _, witness)) = claims.pop()
                && let Some(place) = step.action.place()
            {
                self.judgements[claim] = match witness {
                    None if !influential.contains(&place.variable) => Judgement::Confirmed,
                    None if !small => {
                        let judged =
                            self.followed_forwards(&mut terms, &run, &uses, &mut known, at, path);
                        match judged {
                            // What is chosen later might have completed the trace.
                            Judgement::Refuted(_) if at < last_choice => {
                                Judgement::Open("it depends on what is chosen later".to_owned())
                            }
                            judged => judged,
                        }
                    }
                    _ if !small => Judgement::Open("the rest of the trace is too large".to_owned()),
                    Some(witness) => self.leads_outside(&mut terms, &later, at, place, witness),
                    None if later.holds_anyway(&terms, place, &mut |v| run.before(at, v)) => {
                        Judgement::Confirmed
                    }
                    None => {
                        let sort = place.sort(&terms);
                        let any = terms.fresh("any", &sort);
                        let completes = later.at(&mut terms, place, any, &mut |_, variable| {
                            run.before(at, variable)
                        });
                        self.no_escape(&mut terms, path, completes, &later.bound)
                    }
                };
            }
            flow(&mut influential, &trace.terms, step);
            small = small && later.pull_back(&mut terms, trace, step);
            for open in trace.open_at(at) {
                let choice = open.choice();
                flow(&mut influential, &trace.terms, &choice);
                small = small && later.pull_back(&mut terms, trace, &choice);
            }
        }
    }

    /// The last step at which a value is chosen.
    fn last_choice(&self) -> Option<usize> {
        let steps = &self.failure.trace.steps;
        let last_havoc = steps.iter().rposition(|s| matches!(s.action, Action::Havoc { .. }));
        last_havoc.max(self.trace().open.last().map(|open| open.from))
    }

    /// The same, without the results of functions that only the world knows: in a run they are computed.
    fn last_open_choice(&self) -> Option<usize> {
        let steps = &self.failure.trace.steps;
        let is_open = |step: &Step| {
            matches!(step.action, Action::Havoc { .. })
                && !(self.failure.run.is_some() && step.part == Part::Temporary)
        };
        let last_havoc = steps.iter().rposition(is_open);
        last_havoc.max(self.trace().open.last().map(|open| open.from))
    }

    /// Irrelevance where the coreachable states are too large to be written down: the change is followed
    /// forwards. It is confirmed if nothing that is chosen later could block the trace either.
    fn followed_forwards(
        &mut self,
        terms: &mut Terms,
        run: &Symbolic,
        uses: &Uses,
        known: &mut Known,
        step: usize,
        path: Term,
    ) -> Judgement {
        let trace = &self.failure.trace;
        if holds_anyway(terms, trace, run, uses, step, known) {
            return Judgement::Confirmed;
        }
        let Some(place) = trace.steps[step].action.place() else { return Judgement::Confirmed };
        let sort = place.sort(terms);
        let any = terms.fresh("any", &sort);
        let mut reached = Vec::new();
        let followed = follow_change(terms, trace, run, uses, step, any, &mut |_, _, condition| {
            reached.push(condition);
            ControlFlow::Continue(())
        });
        if let Err(reason) = followed {
            return Judgement::Open(reason.to_string());
        }
        let completes = terms.and(&reached);
        self.no_escape(terms, path, completes, &[])
    }

    /// Whether the state that the witness makes is not coreachable.
    fn leads_outside(
        &mut self,
        terms: &mut Terms,
        later: &Conjunction,
        step: usize,
        place: &Place,
        witness: &Witness,
    ) -> Judgement {
        let own;
        let states = match &witness.execution {
            Some(inputs) => {
                if !matches!(self.failure.replay(inputs), Replay::Completed { .. }) {
                    return Judgement::Refuted(
                        "the execution does not follow the trace".to_owned(),
                    );
                }
                own = history(self.failure, inputs);
                &own
            }
            None => &self.states,
        };
        let element = terms.constant(&witness.value);
        let formula = later.at(terms, place, element, &mut |terms, variable| {
            let value = state_before(states, terms, step, variable);
            terms.constant(&value)
        });
        let answer = match terms.value(formula) {
            Some(value) if value.is_true() => Answer::Sat,
            Some(_) => Answer::Unsat,
            None => self.ask(terms, &[formula]),
        };
        match answer {
            Answer::Unsat => Judgement::Confirmed,
            Answer::Sat => Judgement::Refuted("later havocs can avoid the block".to_owned()),
            Answer::Unknown(_) => Judgement::Open("the solver does not know".to_owned()),
        }
    }

    fn ask(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(terms, formula);
        }
        let answer = self.solver.check(terms, &[]);
        self.solver.pop();
        answer
    }

    /// Whether all executions of the path can be completed after the change.
    fn no_escape(
        &mut self,
        terms: &mut Terms,
        path: Term,
        completes: Term,
        bound: &[Term],
    ) -> Judgement {
        if interval(terms, completes, &Bounds::default()).as_truth() == Some(true) {
            return Judgement::Confirmed;
        }
        let escapes = terms.not(completes);
        if bound.is_empty() {
            return match self.ask(terms, &[path, escapes]) {
                Answer::Unsat => Judgement::Confirmed,
                Answer::Sat => Judgement::Refuted("some value blocks".to_owned()),
                Answer::Unknown(_) => Judgement::Open("the solver does not know".to_owned()),
            };
        }
        let solvers = self.context.solvers;
        match exists_forall(&mut || solvers(), terms, path, bound, escapes, &[], ROUNDS) {
            solver::Verdict::Fails => Judgement::Confirmed,
            solver::Verdict::Holds(_) => Judgement::Refuted("some value blocks".to_owned()),
            solver::Verdict::Unknown(_) => Judgement::Open("the solver does not know".to_owned()),
        }
    }
}

/// For each step, how many assigning steps come before it.
fn assignment_numbers(trace: &Trace) -> Vec<usize> {
    let mut count = 0;
    let mut numbers = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        numbers.push(count);
        count += usize::from(step.action.place().is_some());
    }
    numbers
}
