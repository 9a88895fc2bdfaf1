//! What is known about each statement.

use failure::{Action, After, Failure, Part, Step};
use program::{FailureKind, Memory, Program, SiteId, Statement, Trust};
use repair::claims::{Grade, Plausible};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, Terms, Value};

use super::Clue;
use crate::aftermath::Aftermath;
use crate::cascade::{Condition, Strength};
use crate::diagnose::Diagnosis;
use crate::error_invariants::What;
use crate::flow::Flow;
use crate::relevance::Verdict;
use crate::spectrum::Formula;

/// The clues about a statement. Of each, the largest amount counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    amounts: FxHashMap<Clue, f64>,
    /// What it does, where that is most telling.
    kind: Option<Kind>,
}

/// What a statement does; the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Decides,
    Computes,
    Counts,
    Constant,
    Zero,
    Copies,
    Passes,
    Other,
}

impl Known {
    fn add(&mut self, clue: Clue, amount: f64) {
        let most = self.amounts.entry(clue).or_default();
        *most = most.max(amount);
    }

    fn is(&mut self, kind: Kind) {
        self.kind = Some(self.kind.map_or(kind, |known| known.min(kind)));
    }

    fn has(&self, clue: Clue) -> bool {
        self.amounts.contains_key(&clue)
    }

    /// What is known about two parts of a statement.
    pub(super) fn and(mut self, other: Known) -> Known {
        for (clue, amount) in other.amounts {
            self.add(clue, amount);
        }
        if let Some(kind) = other.kind {
            self.is(kind);
        }
        self
    }

    /// What follows from it: with what prevents the failure, something else may fail. Changes may have been looked for.
    pub(super) fn conclude(&mut self, changes: bool) {
        let passes = [Clue::Corrects, Clue::Repairs, Clue::RepairsAll, Clue::Saves];
        if passes.into_iter().any(|clue| self.has(clue)) {
            self.amounts.remove(&Clue::OtherFailure);
        } else if changes && let Some(&relevant) = self.amounts.get(&Clue::Relevant) {
            self.add(Clue::OtherFailure, relevant);
        }
    }

    /// Whether any technique speaks for it. That an assertion that is violated is in a slice says nothing.
    pub(super) fn is_suspect(&self) -> bool {
        if self.has(Clue::Slice) && !self.has(Clue::Checks) {
            return true;
        }
        let of_techniques = [
            Clue::Repairs,
            Clue::RepairsAll,
            Clue::RepairsSome,
            Clue::Corrects,
            Clue::Relevant,
            Clue::Cause,
            Clue::CriticalDecision,
            Clue::Needed,
            Clue::Declares,
        ];
        of_techniques.into_iter().any(|clue| self.has(clue))
    }

    /// In the order of the clues.
    pub(super) fn clues(&self) -> Vec<(Clue, f64)> {
        let mut amounts = self.amounts.clone();
        match self.kind {
            Some(Kind::Decides) if self.has(Clue::Corrects) => {
                amounts.insert(Clue::Decides, 1.0);
            }
            Some(Kind::Computes) => {
                amounts.insert(Clue::Computes, 1.0);
            }
            Some(Kind::Counts) => {
                amounts.insert(Clue::Counts, 1.0);
            }
            Some(Kind::Constant) => {
                amounts.insert(Clue::Constant, 1.0);
            }
            Some(Kind::Zero) => {
                amounts.insert(Clue::Zero, 1.0);
            }
            Some(Kind::Copies) => {
                amounts.insert(Clue::Copies, 1.0);
            }
            Some(Kind::Passes) => {
                amounts.insert(Clue::Passes, 1.0);
            }
            _ => {}
        }
        if amounts.contains_key(&Clue::Relevant) {
            amounts.remove(&Clue::Irrelevant);
        }
        let mut clues: Vec<(Clue, f64)> = amounts.into_iter().collect();
        clues.sort_by_key(|(clue, _)| *clue);
        clues
    }

    pub(super) fn points(&self) -> f64 {
        self.clues().iter().map(|(clue, amount)| clue.weight() * amount).sum()
    }
}

type All = FxHashMap<SiteId, Known>;

/// What is known about the user's statements.
pub(super) fn collect(
    failures: &[Failure<'_>],
    failure: &Failure<'_>,
    diagnosis: &Diagnosis,
) -> Vec<(SiteId, Known)> {
    let mut all = All::default();
    of_the_run(failure, &mut all);
    of_relevance(failures, diagnosis, &mut all);
    of_causes(failure, diagnosis, &mut all);
    of_invariants(failure, diagnosis, &mut all);
    of_changes(diagnosis, &mut all);
    of_repair(failure, diagnosis, &mut all);
    if let Some(slices) = &diagnosis.slice {
        for site in &slices.relevant {
            all.entry(*site).or_default().add(Clue::Slice, 1.0);
        }
    }
    of_spectrum(diagnosis, &mut all);
    let is_own = |site: SiteId| failure.program.site(site).trust == Trust::User;
    all.into_iter().filter(|(site, _)| is_own(*site)).collect()
}

fn of_the_run(failure: &Failure<'_>, all: &mut All) {
    let (program, trace) = (failure.program, &failure.trace);
    let flow = Flow::of(failure);
    let drivers = drivers(failure);
    for (at, step) in trace.steps.iter().enumerate() {
        let known = all.entry(step.site).or_default();
        known.add(Clue::Late, (at + 1) as f64 / trace.steps.len() as f64);
        known.is(kind(&flow, at, step, &trace.terms));
        // What global variables begin with is not in any function.
        if let Some(&edge) = trace.path.get(step.at as usize)
            && !matches!(program.edge(edge).statement, Statement::Memory(Memory::Initialise { .. }))
            && program
                .location(program.edge(edge).from)
                .procedure
                .is_some_and(|it| drivers.contains(&it))
        {
            known.add(Clue::Driver, 1.0);
        }
    }
    let kind = failure.property.kind;
    let clue = match kind {
        FailureKind::WrongOutput => Clue::Checks,
        FailureKind::DivisionByZero | FailureKind::SignedOverflow | FailureKind::BadShift => {
            Clue::Arithmetic
        }
        kind if kind.is_specified() => Clue::Checks,
        _ => Clue::Accesses,
    };
    all.entry(failure.site()).or_default().add(clue, 1.0);
    for &call in &failure.calls {
        all.entry(call).or_default().add(Clue::Active, 1.0);
    }
    for &site in &failure.about {
        all.entry(site).or_default().add(Clue::Declares, 1.0);
    }
    if let Some(ended) = trace.ended {
        all.entry(trace.steps[ended].site).or_default().add(Clue::Ends, 1.0);
    }
}

/// The first function, if others of the user are executed.
fn drivers(failure: &Failure<'_>) -> FxHashSet<program::ProcedureId> {
    let (program, trace) = (failure.program, &failure.trace);
    let mut used = FxHashSet::default();
    for step in &trace.steps {
        if program.site(step.site).trust != Trust::User {
            continue;
        }
        let edge = trace.path.get(step.at as usize);
        used.extend(edge.and_then(|&edge| program.location(program.edge(edge).from).procedure));
    }
    let is_first = |id: &program::ProcedureId| {
        program.entries.contains(id) || program.procedure(*id).name == "main"
    };
    match used.iter().all(is_first) {
        true => FxHashSet::default(),
        false => used.into_iter().filter(is_first).collect(),
    }
}

fn kind(flow: &Flow<'_>, at: usize, step: &Step, terms: &Terms) -> Kind {
    let Action::Assign { place, value } = &step.action else {
        return match flow.is_decision(at) {
            true => Kind::Decides,
            false => Kind::Other,
        };
    };
    match step.part {
        Part::Temporary | Part::Input | Part::Result(_) => return Kind::Other,
        _ => {}
    }
    match terms.value(*value) {
        Some(constant) if is_zero(constant) => return Kind::Zero,
        Some(_) => return Kind::Constant,
        None => {}
    }
    if is_copy(terms, *value) {
        return match step.part {
            Part::Argument(_) => Kind::Passes,
            _ => Kind::Copies,
        };
    }
    match is_count(terms, place.variable, *value) {
        true => Kind::Counts,
        false => Kind::Computes,
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::BitVec(bits) => bits.unsigned() == 0,
        Value::Bool(value) => !value,
        other => other.to_string() == "0",
    }
}

fn is_copy(terms: &Terms, value: Term) -> bool {
    terms.is_var(value)
        || match (terms.op(value), terms.args(value)) {
            (Op::SignExtend | Op::ZeroExtend | Op::Extract { .. } | Op::FpConvert, &[inner]) => {
                is_copy(terms, inner)
            }
            _ => false,
        }
}

/// Whether the value is that of the variable and a constant.
fn is_count(terms: &Terms, variable: Term, value: Term) -> bool {
    let args = terms.args(value);
    terms.op(value) == Op::Add
        && args.len() == 2
        && args.contains(&variable)
        && args.iter().any(|&arg| terms.value(arg).is_some())
}

fn of_relevance(failures: &[Failure<'_>], diagnosis: &Diagnosis, all: &mut All) {
    let Some(relevance) = &diagnosis.relevance else { return };
    for statement in &relevance.statements {
        let share = statement.relevant_in.len() as f64 / failures.len() as f64;
        let known = all.entry(statement.site).or_default();
        known.add(Clue::Relevant, share);
        let saved = statement.after.iter().filter(|it| it.after == After::Passes).count();
        let fails = |it: &Aftermath| matches!(it.after, After::Fails { .. });
        if saved > 0 {
            known.add(Clue::Saves, saved as f64 / failures.len() as f64);
        } else if !statement.after.is_empty() && statement.after.iter().all(fails) {
            known.add(Clue::OtherFailure, share);
        }
    }
    let (Some(failure), Some(trace)) = (failures.first(), relevance.traces.first()) else { return };
    for step in &trace.steps {
        if let Verdict::Irrelevant(_) = step.verdict {
            let site = failure.trace.steps[step.step].site;
            all.entry(site).or_default().add(Clue::Irrelevant, 1.0);
        }
    }
}

fn of_causes(failure: &Failure<'_>, diagnosis: &Diagnosis, all: &mut All) {
    let Some(tree) = &diagnosis.cascade else { return };
    let steps = &failure.trace.steps;
    let step_of = |condition: Condition| match condition {
        Condition::Failure => None,
        Condition::Held(at) | Condition::Address(at) | Condition::Trusted(at, _) => Some(at),
    };
    for cause in &tree.causes {
        let nearness = 1.0 / f64::from(1 + cause.level);
        for &at in &cause.steps {
            all.entry(steps[at].site).or_default().add(Clue::Cause, nearness);
        }
        if let Some(at) = step_of(cause.condition) {
            let known = all.entry(steps[at].site).or_default();
            known.add(Clue::Cause, nearness);
            if let Condition::Held(_) = cause.condition {
                known.add(Clue::CriticalDecision, 1.0);
            }
        }
        for influence in &cause.influences {
            if influence.strength == Strength::Confirmed
                && let Some(at) = step_of(tree.causes[influence.cause].condition)
            {
                all.entry(steps[at].site).or_default().add(Clue::Confirmed, 1.0);
            }
        }
    }
}

fn of_invariants(failure: &Failure<'_>, diagnosis: &Diagnosis, all: &mut All) {
    let Some(Ok(found)) = &diagnosis.error_invariants else { return };
    let steps = &failure.trace.steps;
    for kept in &found.kept {
        let known = all.entry(steps[kept.step].site).or_default();
        if !matches!(kept.what, What::Check(_)) {
            known.add(Clue::Needed, 1.0);
        }
        for &at in &kept.inside {
            all.entry(steps[at].site).or_default().add(Clue::Guards, 1.0);
        }
    }
}

fn of_changes(diagnosis: &Diagnosis, all: &mut All) {
    for change in diagnosis.changes.iter().flat_map(|changes| &changes.found) {
        let known = all.entry(change.site).or_default();
        known.add(Clue::Corrects, 1.0);
        if change.is_once() {
            known.add(Clue::CorrectsOnce, 1.0);
        }
        if change.decides() {
            known.is(Kind::Decides);
        }
    }
}

/// Edits with which the failing tests pass speak for the statements that they are in.
fn of_repair(failure: &Failure<'_>, diagnosis: &Diagnosis, all: &mut All) {
    let Some(repair) = &diagnosis.repair else { return };
    let total: f64 = repair.plausible.iter().map(weight).sum();
    for edit in &repair.plausible {
        let clue = match edit.grade {
            Grade::AsBefore | Grade::AllTests => Clue::RepairsAll,
            Grade::OnlyThisTest => Clue::Repairs,
            Grade::BreaksOthers => Clue::RepairsSome,
        };
        let share = (weight(edit) / total).sqrt();
        for site in sites_of(failure.program, edit) {
            all.entry(site).or_default().add(clue, 0.5 + share / 2.0);
        }
    }
}

fn weight(edit: &Plausible) -> f64 {
    2f64.powf(f64::from(edit.weight) / 6.0)
}

/// The statements that an edit is in: those that begin on its line, and are in its place or around it.
fn sites_of(program: &Program, edit: &Plausible) -> Vec<SiteId> {
    let place = edit.place;
    let mut found = Vec::new();
    for (number, site) in program.sites.iter().enumerate() {
        let Some(span) = site.span.filter(|span| span.file.0 == edit.file) else { continue };
        let is_around = span.start <= place.start && place.end <= span.end;
        let file = program.file(span);
        let is_inside = place.start <= span.start
            && span.end <= place.end
            && file.position(span.start).line == file.position(place.start).line;
        if is_around || is_inside {
            found.push(SiteId(number as u32));
        }
    }
    found
}

fn of_spectrum(diagnosis: &Diagnosis, all: &mut All) {
    let Some(spectrum) = &diagnosis.spectrum else { return };
    let index = Formula::ALL.iter().position(|&formula| formula == Formula::Ochiai).unwrap_or(0);
    let most = spectrum.statements.iter().map(|it| it.scores[index].value).fold(0.0, f64::max);
    if most > 0.0 {
        for statement in spectrum.statements.iter().filter(|it| it.failed > 0) {
            let amount = statement.scores[index].value / most;
            all.entry(statement.site).or_default().add(Clue::Spectrum, amount);
        }
    }
}
