//! How the judge re-decides error invariants.
//!
//! The claims are an abstract error trace: intervals of positions, each with a formula, and commands between them. The
//! judge makes the trace formula again, and proves by itself:
//!
//! 1. *It is a covering* of the whole trace, in order.
//! 2. *Each formula holds after the prefix*, at every position of its interval: it is evaluated on the values of the run.
//!    For variables without a value it must hold whatever they are.
//! 3. *Each formula excludes the property after the suffix*, at every position of its interval. Proving this by
//!    the whole suffix would be quadratic, so it is first tried step by step: from a formula, the next command must
//!    lead to the formula of the next position. That is free for parts whose variables it does not touch. Where it is not
//!    so, the weakest precondition of the whole suffix decides.
//! 4. *Definition 4*, for the flow-sensitive formula: before each command that was kept, the formula implies the
//!    conditions of the decisions around it; and so does each earlier formula, by the commands in between.
//!
//! From 2 and 3 follow Definitions 1 and 2 of the paper, which ask for them at the ends of the intervals only.

use failure::Failure;
use rustc_hash::FxHashMap;
use solver::{Answer, Solver};
use term::{Term, Terms};

use super::Judgement;
use super::facts::Facts;
use crate::commands::{Command, Commands, Effect, Encoding, encode};
use crate::context::Context;
use crate::error_invariants::{ErrorInvariants, Kept, What, without_overflow};
use crate::sample::is_falsified;
use crate::unary::{Falsify, falsify};

/// The largest formula that is pulled backwards.
const LARGEST: usize = 20_000;
/// On suffixes that are long it must stay small.
const LONG: usize = 2_000;
const FEW: usize = 1_000;
/// So many suffixes are looked at as a whole.
const MOST_SUFFIXES: usize = 300;
/// Solvers become slow with the questions that they have answered.
const REPLACED_AFTER: usize = 40;

/// Judges an abstract error trace.
pub fn check_error_invariants(
    failure: &Failure<'_>,
    claims: &ErrorInvariants,
    context: Context<'_>,
) -> Judgement {
    let commands = match encode(failure, claims.encoding) {
        Ok(commands) => commands,
        Err(why) => return Judgement::Open(why),
    };
    let mut judge = Judge {
        // The same encoding again has the same terms; the claims have added some.
        terms: claims.terms.clone(),
        commands,
        claims,
        context,
        solver: None,
        asked: 0,
        known: FxHashMap::default(),
    };
    let checked = judge.is_covering().and_then(|()| judge.same_run()).and_then(|()| judge.walk());
    match checked {
        Ok(()) => Judgement::Confirmed,
        Err(judgement) => judgement,
    }
}

/// Judges Definition 4 as it stands, for claims about any encoding: for each command that was kept and each
/// condition around it, what of some formula before it still holds when the command is reached implies the condition.
pub fn check_conditions_are_implied(
    failure: &Failure<'_>,
    claims: &ErrorInvariants,
    context: Context<'_>,
) -> Judgement {
    let encoded = encode(failure, claims.encoding)
        .and_then(|own| Ok((own, encode(failure, Encoding::FlowSensitive)?)));
    let (commands, sensitive) = match encoded {
        Ok(encoded) => encoded,
        Err(why) => return Judgement::Open(why),
    };
    let mut judge = Judge {
        terms: claims.terms.clone(),
        commands,
        claims,
        context,
        solver: None,
        asked: 0,
        known: FxHashMap::default(),
    };
    for (number, kept) in claims.kept.iter().enumerate() {
        let command = sensitive.list.iter().find(|command| command.step == kept.step);
        let Some(Command { premises, action, .. }) = command else { continue };
        // A decision has its own condition among its premises, but is not inside itself.
        if premises.is_empty() || matches!(action, Effect::Decision { .. }) {
            continue;
        }
        if !sensitive.remembered.is_empty() {
            return Judgement::Open("conditions have changed since they were decided".to_owned());
        }
        let premises: Vec<Term> =
            premises.iter().map(|&p| import(&mut judge.terms, &sensitive.terms, p)).collect();
        let implied = premises.iter().all(|&premise| {
            (0..=number).rev().any(|earlier| {
                let interval = &claims.intervals[earlier];
                let from = interval.positions.0;
                let mut still = interval.invariant.clone();
                still.retain(|&part| judge.is_true_in(part, from, kept.command));
                judge.valid(&Facts::of(&judge.terms, &still), premise) == Some(true)
            })
        });
        if !implied {
            return refuted("the conditions of a command are not implied");
        }
    }
    Judgement::Confirmed
}

/// A term of another arena that has the same variables.
fn import(terms: &mut Terms, from: &Terms, term: Term) -> Term {
    terms.import(from, term, &mut |_, variable| variable)
}

struct Judge<'a, 'f> {
    terms: Terms,
    commands: Commands<'f>,
    claims: &'a ErrorInvariants,
    context: Context<'a>,
    solver: Option<Box<dyn Solver>>,
    /// How many questions it was asked.
    asked: usize,
    known: FxHashMap<Term, bool>,
}

fn refuted(why: &str) -> Judgement {
    Judgement::Refuted(why.to_owned())
}

impl Judge<'_, '_> {
    fn is_covering(&mut self) -> Result<(), Judgement> {
        let (intervals, kept) = (&self.claims.intervals, &self.claims.kept);
        let end = self.commands.list.len();
        let mut next = 0;
        for (number, interval) in intervals.iter().enumerate() {
            let (from, to) = interval.positions;
            let cut = kept.get(number).map(|kept| kept.command);
            let steps = cut.is_none_or(|cut| {
                self.commands.list.get(cut).is_some_and(|c| c.step == kept[number].step)
            });
            if from != next || to < from || to != cut.unwrap_or(end) || !steps {
                return Err(refuted("the intervals do not cover the trace"));
            }
            next = to + 1;
        }
        match next == end + 1 && intervals.len() == kept.len() + 1 {
            true => Ok(()),
            false => Err(refuted("the intervals do not cover the trace")),
        }
    }

    /// Whether a condition is true in the run from one position to another.
    fn is_true_in(&mut self, part: Term, from: usize, to: usize) -> bool {
        let mut positions = vec![from];
        for variable in self.terms.variables_of(&[part]) {
            positions.extend(self.commands.states.changes(variable, from, to));
        }
        let states = &self.commands.states;
        positions.into_iter().all(|at| states.holds(&mut self.terms, at, part) == Some(true))
    }

    /// The states must be those that the interpreter saw.
    fn same_run(&mut self) -> Result<(), Judgement> {
        let failure = self.commands.failure;
        for (at, command) in self.commands.list.iter().enumerate() {
            let action = &failure.trace.steps[command.step].action;
            if let (Effect::Assign { variable, .. }, Some(place)) = (command.action, action.place())
                && place.indices.is_empty()
                && let Some(Some(seen)) = failure.values.get(command.step)
                && self.commands.states.value(at + 1, variable).is_none_or(|v| !v.same(seen))
            {
                return Err(Judgement::Open("the trace differs from the run".to_owned()));
            }
        }
        Ok(())
    }

    /// That a part of a formula holds at a position.
    fn holds(&mut self, part: Term, position: usize) -> Result<(), Judgement> {
        let states = &self.commands.states;
        match states.holds(&mut self.terms, position, part) {
            Some(true) => Ok(()),
            Some(false) => Err(refuted("a formula does not hold in the run")),
            None => {
                let rest = states.substitute(&mut self.terms, position, part);
                self.prove(&Facts::default(), rest, "a formula need not hold in the run")
            }
        }
    }

    /// Items 2 to 4, from the first position to the last. What stays the same from one to the next is not looked at
    /// again.
    fn walk(&mut self) -> Result<(), Judgement> {
        let claims = self.claims;
        let mut facts = Facts::default();
        let mut broken = Vec::new();
        for (number, interval) in claims.intervals.iter().enumerate() {
            let (from, to) = interval.positions;
            let (added, removed) = facts.compare(&interval.invariant);
            let mut staying = Vec::new();
            if let Some(cut) = from.checked_sub(1) {
                staying = self.touched(&facts, cut);
                staying.retain(|part| !removed.contains(part));
                if !self.leads(cut, &facts, &added)? || !self.leads(cut, &facts, &staying)? {
                    broken.push((cut, number - 1));
                }
            }
            facts.apply(&self.terms, &added, &removed);
            for part in added.into_iter().chain(staying) {
                self.holds(part, from)?;
            }
            for at in from..to {
                let touched = self.touched(&facts, at);
                if !self.leads(at, &facts, &touched)? {
                    broken.push((at, number));
                }
                for part in touched {
                    self.holds(part, at + 1)?;
                }
            }
            if let Some(kept) = claims.kept.get(number)
                && claims.encoding == Encoding::FlowSensitive
            {
                for premise in self.conditions_of(kept) {
                    self.prove(&facts, premise, "the conditions of a command are not implied")?;
                }
            }
        }
        let violation = self.commands.violation;
        self.prove(&facts, violation, "the last formula allows the property")?;
        match broken.is_empty() {
            true => Ok(()),
            false => self.suffixes(&broken),
        }
    }

    /// What does not follow step by step: the property, and the conditions of later commands that were kept.
    fn suffixes(&mut self, broken: &[(usize, usize)]) -> Result<(), Judgement> {
        let claims = self.claims;
        let mut targets = vec![(self.commands.list.len(), self.commands.violation)];
        if claims.encoding == Encoding::FlowSensitive {
            for kept in &claims.kept {
                let premises = self.conditions_of(kept);
                if !premises.is_empty() {
                    targets.push((kept.command, self.terms.and(&premises)));
                }
            }
        }
        if targets.len() * broken.len() > MOST_SUFFIXES {
            return Err(Judgement::Open("it does not follow step by step".to_owned()));
        }
        for (end, target) in targets {
            if self.suffix(broken, end, target, Self::light_precondition).is_err() {
                self.suffix(broken, end, target, Self::weakest_precondition)?;
            }
        }
        Ok(())
    }

    /// That a condition holds at a position if one comes from the positions where the formulas do not lead on.
    fn suffix(
        &mut self,
        broken: &[(usize, usize)],
        end: usize,
        target: Term,
        before: fn(&mut Self, usize, Term) -> Term,
    ) -> Result<(), Judgement> {
        let claims = self.claims;
        let mut formula = target;
        let mut next = end;
        for &(at, number) in broken.iter().rev().filter(|(at, _)| *at < end) {
            while next > at {
                next -= 1;
                let size = self.terms.reachable(&[formula]).len();
                if size > LARGEST || size > FEW && end - at > LONG || self.context.stop.requested()
                {
                    return Err(Judgement::Open("the rest of the trace is too large".to_owned()));
                }
                formula = before(self, next, formula);
            }
            let facts = Facts::of(&self.terms, &claims.intervals[number].invariant);
            self.prove(&facts, formula, "the rest of the trace may do something else")?;
        }
        Ok(())
    }

    /// The same or less than [`Self::weakest_precondition`]: assumptions about other variables are not used, and bounds are
    /// moved over sums that do not overflow.
    fn light_precondition(&mut self, at: usize, formula: Term) -> Term {
        let Command { premises, checks, action, .. } = self.commands.list[at].clone();
        let terms = &mut self.terms;
        match action {
            Effect::Assume { condition } => {
                let about = terms.variables_of(&[formula]);
                let shared = terms.variables_of(&[condition]).iter().any(|v| about.contains(v));
                match shared {
                    true => self.weakest_precondition(at, formula),
                    false => formula,
                }
            }
            Effect::Assign { variable, value } if premises.is_empty() => {
                if !terms.mentions(formula, variable) {
                    return formula;
                }
                let executed = terms.replace(formula, variable, value);
                let moved = without_overflow(terms, executed, &checks);
                match moved == executed {
                    true => self.weakest_precondition(at, formula),
                    false => moved,
                }
            }
            _ => self.weakest_precondition(at, formula),
        }
    }

    /// The facts about what a command may give another value.
    fn touched(&self, facts: &Facts, at: usize) -> Vec<Term> {
        let mut variables = Vec::new();
        match self.commands.list[at].action {
            Effect::Assign { variable, .. } => variables.push(variable),
            Effect::Assume { .. } => {}
            Effect::Decision { remembers } => {
                variables.extend(remembers.map(|(variable, _)| variable));
                if self.commands.frames_any(at) {
                    let all = facts.by_variable.keys().copied();
                    variables.extend(all.filter(|&variable| self.commands.frames(at, variable)));
                }
            }
        }
        let mut parts: Vec<Term> = variables.iter().flat_map(|v| facts.about(*v)).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// What must be shown of the conditions around a command. What remembers an outcome is no statement.
    fn conditions_of(&self, kept: &Kept) -> Vec<Term> {
        match kept.what {
            What::Outcome => Vec::new(),
            _ => self.commands.list[kept.command].premises.clone(),
        }
    }

    /// Whether a command leads from the facts to other formulas. That this is not so need not be wrong.
    fn leads(&mut self, at: usize, before: &Facts, after: &[Term]) -> Result<bool, Judgement> {
        if self.context.stop.requested() {
            return Err(Judgement::Open("there was no time left".to_owned()));
        }
        for &part in after {
            let formula = self.weakest_precondition(at, part);
            if self.valid(before, formula) != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What must hold before a command so that a formula does after it. Variables that are made up stand for all values.
    fn weakest_precondition(&mut self, at: usize, formula: Term) -> Term {
        let Command { premises, checks, action, .. } = self.commands.list[at].clone();
        let terms = &mut self.terms;
        let premises = terms.and(&premises);
        let (mut executed, mut other) = (formula, formula);
        let mut checks = checks;
        match action {
            Effect::Assign { variable, value } => {
                if !terms.mentions(formula, variable) && checks.is_empty() {
                    return formula;
                }
                executed = terms.replace(formula, variable, value);
                let sort = terms.sort(variable).clone();
                let any = terms.fresh("any", &sort);
                other = terms.replace(formula, variable, any);
            }
            Effect::Assume { condition } => checks.push(condition),
            Effect::Decision { remembers } => {
                if let Some((variable, condition)) = remembers {
                    executed = terms.replace(executed, variable, condition);
                    other = executed;
                }
                for variable in terms.variables_of(&[other]) {
                    if self.commands.frames(at, variable) {
                        let sort = terms.sort(variable).clone();
                        let any = terms.fresh("any", &sort);
                        other = terms.replace(other, variable, any);
                    }
                }
            }
        }
        let checks = terms.and(&checks);
        let executed = terms.implies(checks, executed);
        if executed == other {
            return executed;
        }
        let taken = terms.implies(premises, executed);
        let not_taken = terms.or(&[premises, other]);
        terms.and(&[taken, not_taken])
    }

    fn prove(&mut self, before: &Facts, formula: Term, why: &str) -> Result<(), Judgement> {
        match self.valid(before, formula) {
            Some(true) => Ok(()),
            Some(false) => Err(refuted(why)),
            None => Err(Judgement::Open("the solver does not know".to_owned())),
        }
    }

    /// Whether a formula follows from facts. What these say about single variables is used first, then all
    /// possible values of a single unknown are tried, then the solver is asked.
    fn valid(&mut self, before: &Facts, formula: Term) -> Option<bool> {
        if before.contains(formula) {
            return Some(true);
        }
        let terms = &mut self.terms;
        let known = |v: Term| before.constants.get(&v).copied();
        let formula = terms.substitute(formula, &mut { known });
        if terms.is_true(formula) || before.contains(formula) {
            return Some(true);
        }
        let about = terms.variables_of(&[formula]);
        let mut near: Vec<Term> = about.iter().flat_map(|&v| before.about(v)).collect();
        near.sort_unstable();
        near.dedup();
        let mut answer = None;
        for premises in [near, before.rest.iter().copied().collect()] {
            let mut premises = premises;
            for premise in &mut premises {
                *premise = terms.substitute(*premise, &mut { known });
            }
            let premise = terms.and(&premises);
            let question = terms.implies(premise, formula);
            if let Some(value) = terms.value(question) {
                answer = Some(value.is_true());
                if answer == Some(true) {
                    return answer;
                }
                continue;
            }
            if self.known.get(&question) == Some(&true) {
                return Some(true);
            }
            let tried = match terms.variables_of(&[question])[..] {
                [unknown] => falsify(terms, question, unknown),
                _ => Falsify::Open,
            };
            answer = match tried {
                Falsify::Never => Some(true),
                Falsify::By(_) => Some(false),
                Falsify::Open if is_falsified(terms, question) => Some(false),
                Falsify::Open => {
                    if self.asked == REPLACED_AFTER {
                        (self.solver, self.asked) = (None, 0);
                    }
                    self.asked += 1;
                    let negated = terms.not(question);
                    let context = self.context;
                    let solver = self.solver.get_or_insert_with(|| (context.solvers)());
                    match solver.check(terms, &[negated]) {
                        Answer::Unsat => Some(true),
                        Answer::Sat => Some(false),
                        Answer::Unknown(_) => None,
                    }
                }
            };
            if answer == Some(true) {
                self.known.insert(question, true);
                return answer;
            }
        }
        answer
    }
}
