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
//!    lead to the formula of the next position. That is free for commands that touch none of its variables. Where it is not
//!    so, the weakest precondition of the whole suffix decides.
//! 4. *Definition 4*, for the flow-sensitive formula: before each command that was kept, the formula implies the
//!    conditions of the decisions around it; and so does each earlier formula, by the commands in between.
//!
//! From 2 and 3 follow Definitions 1 and 2 of the paper, which ask for them at the ends of the intervals only.

use failure::Failure;
use rustc_hash::FxHashMap;
use solver::{Answer, Solver};
use term::{Op, Term, Terms};

use super::Judgement;
use crate::commands::{Command, Commands, Effect, Encoding, encode};
use crate::context::Context;
use crate::error_invariants::{ErrorInvariants, Kept, What};
use crate::sample::is_falsified;
use crate::unary::{Falsify, falsify};

/// The largest formula that is pulled backwards.
const LARGEST: usize = 20_000;
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
    let checked = judge.is_covering().and_then(|()| judge.holds()).and_then(|()| judge.excludes());
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
                judge.valid(&still, premise) == Some(true)
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

    fn holds(&mut self) -> Result<(), Judgement> {
        let failure = self.commands.failure;
        for (at, command) in self.commands.list.iter().enumerate() {
            // The states must be those that the interpreter saw.
            let action = &failure.trace.steps[command.step].action;
            if let (Effect::Assign { variable, .. }, Some(place)) = (command.action, action.place())
                && place.indices.is_empty()
                && let Some(Some(seen)) = failure.values.get(command.step)
                && self.commands.states.value(at + 1, variable).is_none_or(|v| !v.same(seen))
            {
                return Err(Judgement::Open("the trace differs from the run".to_owned()));
            }
        }
        for interval in &self.claims.intervals {
            let (from, to) = interval.positions;
            for &part in &interval.invariant {
                let mut positions = vec![from];
                for variable in self.terms.variables_of(&[part]) {
                    positions.extend(self.commands.states.changes(variable, from, to));
                }
                for position in positions {
                    match self.commands.states.holds(&mut self.terms, position, part) {
                        Some(true) => {}
                        Some(false) => return Err(refuted("a formula does not hold in the run")),
                        None => {
                            let states = &self.commands.states;
                            let rest = states.substitute(&mut self.terms, position, part);
                            self.prove(&[], rest, "a formula need not hold in the run")?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Items 3 and 4.
    fn excludes(&mut self) -> Result<(), Judgement> {
        let claims = self.claims;
        let mut broken = Vec::new();
        for (number, interval) in claims.intervals.iter().enumerate() {
            let (from, to) = interval.positions;
            for at in from..to {
                if !self.leads(at, &interval.invariant, &interval.invariant)? {
                    broken.push((at, number));
                }
            }
            if let Some(next) = claims.intervals.get(number + 1)
                && !self.leads(to, &interval.invariant, &next.invariant)?
            {
                broken.push((to, number));
            }
        }
        let end = self.commands.list.len();
        if let Some(last) = claims.intervals.last() {
            let violation = self.commands.violation;
            self.prove(&last.invariant, violation, "the last formula allows the property")?;
        }
        if claims.encoding == Encoding::FlowSensitive {
            for (number, kept) in claims.kept.iter().enumerate() {
                for premise in self.conditions_of(kept) {
                    let before = &claims.intervals[number].invariant;
                    self.prove(before, premise, "the conditions of a command are not implied")?;
                }
            }
        }
        if broken.is_empty() {
            return Ok(());
        }
        // What does not follow step by step: the property, and the conditions of later commands that were kept.
        let mut targets = vec![(end, self.commands.violation)];
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
            let mut formula = target;
            let mut next = end;
            for &(at, number) in broken.iter().rev().filter(|(at, _)| *at < end) {
                while next > at {
                    next -= 1;
                    formula = self.weakest_precondition(next, formula);
                    if self.terms.reachable(&[formula]).len() > LARGEST
                        || self.context.stop.requested()
                    {
                        return Err(Judgement::Open(
                            "the rest of the trace is too large".to_owned(),
                        ));
                    }
                }
                let before = &claims.intervals[number].invariant;
                self.prove(before, formula, "the rest of the trace may do something else")?;
            }
        }
        Ok(())
    }

    /// What must be shown of the conditions around a command. What remembers an outcome is no statement.
    fn conditions_of(&self, kept: &Kept) -> Vec<Term> {
        match kept.what {
            What::Outcome => Vec::new(),
            _ => self.commands.list[kept.command].premises.clone(),
        }
    }

    /// Whether a command leads from one formula to another. That this is not so need not be wrong.
    fn leads(&mut self, at: usize, before: &[Term], after: &[Term]) -> Result<bool, Judgement> {
        if self.context.stop.requested() {
            return Err(Judgement::Open("there was no time left".to_owned()));
        }
        for &part in after {
            let touched = self
                .terms
                .variables_of(&[part])
                .into_iter()
                .any(|variable| self.commands.assigns(at, variable));
            if !touched && before.contains(&part) {
                continue;
            }
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

    fn prove(&mut self, before: &[Term], formula: Term, why: &str) -> Result<(), Judgement> {
        match self.valid(before, formula) {
            Some(true) => Ok(()),
            Some(false) => Err(refuted(why)),
            None => Err(Judgement::Open("the solver does not know".to_owned())),
        }
    }

    /// Whether one formula follows from others. What these say about single variables is used first, then all
    /// possible values of a single unknown are tried, then the solver is asked.
    fn valid(&mut self, before: &[Term], formula: Term) -> Option<bool> {
        if before.contains(&formula) {
            return Some(true);
        }
        let terms = &mut self.terms;
        let mut constants: Vec<(Term, Term)> = Vec::new();
        for &part in before {
            match (terms.op(part), terms.args(part)) {
                (Op::Eq, &[a, b]) if terms.is_var(a) && terms.value(b).is_some() => {
                    constants.push((a, b));
                }
                (Op::Eq, &[a, b]) if terms.is_var(b) && terms.value(a).is_some() => {
                    constants.push((b, a));
                }
                _ => {}
            }
        }
        let known = |v: Term| constants.iter().find(|(own, _)| *own == v).map(|c| c.1);
        let formula = terms.substitute(formula, &mut { known });
        let about = terms.variables_of(&[formula]);
        let mut premises = Vec::new();
        for &part in before {
            let part = terms.substitute(part, &mut { known });
            if part == formula {
                return Some(true);
            }
            premises.push(part);
        }
        let near: Vec<Term> = premises
            .iter()
            .copied()
            .filter(|&part| terms.variables_of(&[part]).iter().all(|v| about.contains(v)))
            .collect();
        let mut answer = None;
        for premises in [near, premises] {
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
