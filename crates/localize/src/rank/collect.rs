//! What is known about each line.

use std::collections::{BTreeMap, BTreeSet};

use failure::{Action, After, Failure, Part, Step};
use program::{FailureKind, Memory, ProcedureId, SiteId, Statement, Trust};
use repair::claims::{Grade, Plausible, Repair};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, Terms};

use super::Clue;
use super::lines::{Line, Lines, Written};
use crate::aftermath::Aftermath;
use crate::cascade::{Condition, Strength};
use crate::diagnose::Diagnosis;
use crate::error_invariants::What;
use crate::flow::Flow;
use crate::relevance::Verdict;
use crate::spectrum::Formula;

/// The clues about a line. Of each, the largest amount counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    amounts: BTreeMap<Clue, f64>,
    /// Its parts that have a site, with how much techniques have to say about each.
    pub sites: BTreeMap<SiteId, f64>,
    pub written: Written,
    /// Whether it says what should hold, and does not.
    is_violated: bool,
}

impl Known {
    fn add(&mut self, clue: Clue, amount: f64) {
        let most = self.amounts.entry(clue).or_default();
        *most = most.max(amount);
    }

    fn is(&mut self, clue: Clue, holds: bool) {
        if holds {
            self.add(clue, 1.0);
        }
    }

    pub(super) fn has(&self, clue: Clue) -> bool {
        self.amounts.contains_key(&clue)
    }

    /// Whether any technique speaks for it. What is written there says nothing by itself.
    pub(super) fn is_suspect(&self) -> bool {
        let of_techniques = [
            Clue::Repairs,
            Clue::Helps,
            Clue::Breaks,
            Clue::Spectrum,
            Clue::Slice,
            Clue::Data,
            Clue::Cause,
            Clue::Relevant,
            Clue::Needed,
            Clue::Changed,
            Clue::ChangedOutput,
            Clue::Declares,
            Clue::Skipped,
        ];
        // What should hold is right, but something may be missing before it.
        let of_techniques =
            of_techniques.iter().take(if self.is_violated { 2 } else { usize::MAX });
        of_techniques.into_iter().any(|clue| self.has(*clue))
    }

    /// In their order, without those that say nothing.
    pub(super) fn clues(&self) -> Vec<(Clue, f64)> {
        let all = self.amounts.iter().map(|(clue, amount)| (*clue, *amount));
        all.filter(|(_, amount)| *amount > 0.0).collect()
    }

    pub(super) fn points(&self) -> f64 {
        self.amounts.iter().map(|(clue, amount)| clue.weight() * amount).sum()
    }
}

/// What is known about the lines of the user.
pub(super) fn collect(failures: &[Failure<'_>], diagnosis: &Diagnosis) -> BTreeMap<Line, Known> {
    let Some(failure) = failures.first() else { return BTreeMap::new() };
    let mut all = Collected {
        failure,
        lines: Lines::of(failure.program),
        places: FxHashMap::default(),
        known: BTreeMap::new(),
    };
    all.of_the_text();
    all.of_the_run();
    all.of_the_failure();
    all.of_data();
    all.of_relevance(failures, diagnosis);
    all.of_causes(diagnosis);
    all.of_invariants(diagnosis);
    all.of_changes(diagnosis);
    all.of_slices(diagnosis);
    all.of_spectrum(diagnosis);
    if let Some(repair) = &diagnosis.repair {
        all.of_repair(repair, diagnosis);
    }
    all.skipped();
    all.known
}

struct Collected<'f> {
    failure: &'f Failure<'f>,
    lines: Lines,
    /// The line of each site.
    places: FxHashMap<SiteId, Option<Line>>,
    known: BTreeMap<Line, Known>,
}

impl Collected<'_> {
    /// The line of a site, if it is one of the user's.
    fn line(&mut self, site: SiteId) -> Option<Line> {
        let (program, lines) = (self.failure.program, &self.lines);
        *self.places.entry(site).or_insert_with(|| {
            let of = program.site(site);
            let span = of.span.filter(|_| of.trust == Trust::User)?;
            lines.of_span(program, span)
        })
    }

    fn add(&mut self, site: SiteId, clue: Clue, amount: f64) {
        // What a technique says of a part makes the part worth showing.
        const SHOWN: [Clue; 6] =
            [Clue::Changed, Clue::Saves, Clue::Relevant, Clue::Cause, Clue::Needed, Clue::Declares];
        let Some(line) = self.line(site) else { return };
        let known = self.known.entry(line).or_default();
        known.add(clue, amount);
        let shown = known.sites.entry(site).or_default();
        if SHOWN.contains(&clue) {
            *shown += amount;
        }
    }

    fn of_the_text(&mut self) {
        let files = &self.failure.program.files;
        let kind = self.failure.property.kind;
        let crashes = !kind.is_specified() && kind != FailureKind::WrongOutput;
        for (&line, &written) in &self.lines.written {
            let known = self.known.entry(line).or_default();
            known.written = written;
            known.is(Clue::Output, written.output);
            known.is(Clue::Input, written.input);
            known.is(Clue::Condition, written.condition);
            known.is(Clue::Loop, written.is_loop);
            known.is(Clue::Declaration, written.declaration);
            known.is(Clue::Global, written.global);
            known.is(Clue::Defines, written.defines);
            known.is(Clue::Returns, written.returns);
            known.is(Clue::Jumps, written.jumps);
            known.is(Clue::Sized, written.sized && crashes);
            known.is(Clue::Unset, written.unset);
            known.add(Clue::Compound, written.compound.min(6) as f64 / 2.0);
            let file = files.get(line.0 as usize);
            let last = file.map_or(1, |file| file.position(u32::MAX).line);
            known.add(Clue::Position, f64::from(line.1) / f64::from(last));
        }
    }

    /// What the failing run executed, how often, and when.
    fn of_the_run(&mut self) {
        let (program, path) = (self.failure.program, &self.failure.trace.path);
        let mut executions: FxHashMap<SiteId, (u32, usize)> = FxHashMap::default();
        let mut used: FxHashMap<SiteId, ProcedureId> = FxHashMap::default();
        for (at, &edge) in path.iter().enumerate() {
            let edge = program.edge(edge);
            let known = executions.entry(edge.site).or_default();
            *known = (known.0 + 1, at);
            // What global variables begin with is not in any function.
            let is_initial = matches!(edge.statement, Statement::Memory(Memory::Initialise { .. }));
            if let Some(procedure) = program.location(edge.from).procedure
                && !is_initial
            {
                used.insert(edge.site, procedure);
            }
        }
        let drivers = self.drivers(&used);
        let callers = self.callers();
        let mut executions: Vec<(SiteId, (u32, usize))> = executions.into_iter().collect();
        executions.sort_unstable();
        for (site, (count, last)) in executions {
            self.add(site, Clue::Executed, 1.0);
            self.add(site, Clue::Late, (last + 1) as f64 / path.len() as f64);
            self.add(site, Clue::Often, f64::from(count).ln_1p() / 10.0);
            if let Some(procedure) = used.get(&site) {
                let is_driver = drivers.contains(procedure);
                self.add(site, Clue::Driver, f64::from(u8::from(is_driver)));
                let shared = callers.get(procedure).copied().unwrap_or(0);
                let shared = f64::from(shared.saturating_sub(1)).ln_1p() / 5.0;
                self.add(site, Clue::Shared, shared);
            }
        }
        let flow = Flow::of(self.failure);
        for (at, step) in self.failure.trace.steps.iter().enumerate() {
            if let Some(kind) = kind(&flow, at, step, &self.failure.trace.terms) {
                self.add(step.site, kind, 1.0);
            }
        }
    }

    /// What was not executed because of a decision that was.
    fn skipped(&mut self) {
        let program = self.failure.program;
        let sites = (0..program.sites.len() as u32).map(SiteId);
        let with_sites: BTreeSet<Line> = sites.filter_map(|site| self.line(site)).collect();
        let executed = |line: &Line| self.known.get(line).is_some_and(|it| it.has(Clue::Executed));
        let is_skipped = |line: &Line| {
            let around = self.lines.written.get(line).and_then(|it| it.within);
            !executed(line) && around.is_some_and(|around| executed(&(line.0, around)))
        };
        let skipped: Vec<Line> = with_sites.into_iter().filter(is_skipped).collect();
        for line in skipped {
            self.known.entry(line).or_default().add(Clue::Skipped, 1.0);
        }
    }

    /// The first function, if others of the user are executed.
    fn drivers(&self, used: &FxHashMap<SiteId, ProcedureId>) -> FxHashSet<ProcedureId> {
        let program = self.failure.program;
        let is_own = |site: &SiteId| program.site(*site).trust == Trust::User;
        let own: FxHashSet<ProcedureId> =
            used.iter().filter(|(site, _)| is_own(site)).map(|(_, it)| *it).collect();
        let is_first = |id: &ProcedureId| {
            program.entries.contains(id) || program.procedure(*id).name == "main"
        };
        match own.iter().all(is_first) {
            true => FxHashSet::default(),
            false => own.into_iter().filter(is_first).collect(),
        }
    }

    /// From how many places of the program each procedure is called.
    fn callers(&self) -> FxHashMap<ProcedureId, u32> {
        let mut found: FxHashMap<ProcedureId, u32> = FxHashMap::default();
        for edge in &self.failure.program.edges {
            if let Statement::Call { callee, .. } = edge.statement {
                *found.entry(callee).or_default() += 1;
            }
        }
        found
    }

    fn of_the_failure(&mut self) {
        let failure = self.failure;
        let clue = match failure.property.kind {
            FailureKind::DivisionByZero | FailureKind::SignedOverflow | FailureKind::BadShift => {
                Clue::Arithmetic
            }
            FailureKind::WrongOutput => Clue::Checks,
            kind if kind.is_specified() => Clue::Checks,
            _ => Clue::Accesses,
        };
        self.add(failure.site(), clue, 1.0);
        if failure.property.kind.is_specified()
            && let Some(line) = self.line(failure.site())
        {
            self.known.entry(line).or_default().is_violated = self.is_alone(failure.site());
        }
        for &call in &failure.calls {
            self.add(call, Clue::Active, 1.0);
        }
        for &site in &failure.about {
            self.add(site, Clue::Declares, 1.0);
        }
        if let Some(ended) = failure.trace.ended {
            self.add(failure.trace.steps[ended].site, Clue::Ends, 1.0);
        }
    }

    /// Whether nothing else of the user is on the line of a site.
    fn is_alone(&mut self, site: SiteId) -> bool {
        let program = self.failure.program;
        let (line, Some(own)) = (self.line(site), program.site(site).span) else { return true };
        let sites = (0..program.sites.len() as u32).map(SiteId);
        let there: Vec<SiteId> = sites.filter(|&other| self.line(other) == line).collect();
        let mut spans = there.into_iter().filter_map(|other| program.site(other).span);
        spans.all(|it| {
            let is_inside = own.start <= it.start && it.end <= own.end;
            is_inside || it.start <= own.start && own.end <= it.end
        })
    }

    /// How far each value is from the failure: from the last step to what it reads, and so on.
    fn of_data(&mut self) {
        let steps = &self.failure.trace.steps;
        let Some(last) = steps.len().checked_sub(1) else { return };
        let flow = Flow::of(self.failure);
        let mut distance: FxHashMap<usize, u32> = FxHashMap::default();
        distance.insert(last, 0);
        let mut open = vec![last];
        while !open.is_empty() {
            let mut next = Vec::new();
            for at in open {
                let own = distance[&at];
                for &variable in flow.reads(at) {
                    if let Some(from) = flow.definition(variable, at)
                        && !distance.contains_key(&from)
                    {
                        distance.insert(from, own + 1);
                        next.push(from);
                    }
                }
            }
            open = next;
        }
        let mut distance: Vec<(usize, u32)> = distance.into_iter().collect();
        distance.sort_unstable();
        for (at, distance) in distance.into_iter().filter(|(at, _)| *at != last) {
            self.add(steps[at].site, Clue::Chain, 1.0 / f64::from(distance));
        }
    }

    fn of_relevance(&mut self, failures: &[Failure<'_>], diagnosis: &Diagnosis) {
        let Some(relevance) = &diagnosis.relevance else { return };
        for statement in &relevance.statements {
            let share = statement.relevant_in.len() as f64 / failures.len() as f64;
            self.add(statement.site, Clue::Relevant, share);
            let saved = statement.after.iter().filter(|it| it.after == After::Passes).count();
            let fails = |it: &Aftermath| matches!(it.after, After::Fails { .. });
            if saved > 0 {
                self.add(statement.site, Clue::Saves, saved as f64 / failures.len() as f64);
            } else if !statement.after.is_empty() && statement.after.iter().all(fails) {
                self.add(statement.site, Clue::OtherFailure, share);
            }
        }
        let Some(trace) = relevance.traces.first() else { return };
        for step in &trace.steps {
            if let Verdict::Irrelevant(_) = step.verdict {
                let site = self.failure.trace.steps[step.step].site;
                self.add(site, Clue::Irrelevant, 1.0);
            }
        }
    }

    fn of_causes(&mut self, diagnosis: &Diagnosis) {
        let Some(tree) = &diagnosis.cascade else { return };
        let steps = &self.failure.trace.steps;
        let step_of = |condition: Condition| match condition {
            Condition::Failure => None,
            Condition::Held(at) | Condition::Address(at) | Condition::Trusted(at, _) => Some(at),
        };
        for cause in &tree.causes {
            let nearness = 1.0 / f64::from(1 + cause.level);
            for &at in &cause.steps {
                self.add(steps[at].site, Clue::Cause, nearness);
            }
            if let Some(at) = step_of(cause.condition) {
                self.add(steps[at].site, Clue::Cause, nearness);
                if let Condition::Held(_) = cause.condition {
                    self.add(steps[at].site, Clue::Decision, nearness);
                }
            }
            for influence in &cause.influences {
                if influence.strength == Strength::Confirmed
                    && let Some(at) = step_of(tree.causes[influence.cause].condition)
                {
                    self.add(steps[at].site, Clue::Confirmed, nearness);
                }
            }
        }
    }

    fn of_invariants(&mut self, diagnosis: &Diagnosis) {
        let Some(Ok(found)) = &diagnosis.error_invariants else { return };
        let steps = &self.failure.trace.steps;
        for kept in &found.kept {
            if !matches!(kept.what, What::Check(_)) {
                self.add(steps[kept.step].site, Clue::Needed, 1.0);
            }
            for &at in &kept.inside {
                self.add(steps[at].site, Clue::Guards, 1.0);
            }
        }
    }

    fn of_changes(&mut self, diagnosis: &Diagnosis) {
        for change in diagnosis.changes.iter().flat_map(|changes| &changes.found) {
            // Everything can be said to print what is expected.
            if change.prints() {
                self.add(change.site, Clue::ChangedOutput, 1.0);
                continue;
            }
            self.add(change.site, Clue::Changed, 1.0);
            if change.is_once() {
                self.add(change.site, Clue::ChangedOnce, 1.0);
            }
            if change.decides() {
                self.add(change.site, Clue::ChangedWay, 1.0);
            }
        }
    }

    fn of_slices(&mut self, diagnosis: &Diagnosis) {
        let Some(slices) = &diagnosis.slice else { return };
        for &site in &slices.relevant {
            self.add(site, Clue::Slice, 1.0);
        }
        for &site in &slices.dynamic {
            self.add(site, Clue::Data, 1.0);
        }
    }

    fn of_spectrum(&mut self, diagnosis: &Diagnosis) {
        let Some(spectrum) = &diagnosis.spectrum else { return };
        let index = Formula::ALL.iter().position(|&it| it == Formula::Ochiai).unwrap_or(0);
        let scores = spectrum.statements.iter().map(|it| it.scores[index].value);
        let most = scores.fold(0.0, f64::max);
        for statement in spectrum.statements.iter().filter(|it| it.failed > 0 && most > 0.0) {
            let amount = statement.scores[index].value / most;
            self.add(statement.site, Clue::Spectrum, amount);
            self.add(statement.site, Clue::Executed, 1.0);
        }
    }

    /// Edits with which the failing tests pass speak for the lines that they are on.
    fn of_repair(&mut self, repair: &Repair, diagnosis: &Diagnosis) {
        let is_alone = super::is_alone(diagnosis);
        let passes = |edit: &&Plausible| edit.grade < Grade::BreaksOthers;
        let passing = || repair.plausible.iter().filter(passes);
        let total: f64 = passing().map(worth).sum();
        let inserted: f64 = passing().filter(|it| it.inserts).map(worth).sum();
        let best = passing().map(standing).fold(f64::MIN, f64::max);
        let (mut shares, mut inserts) = (BTreeMap::<Line, f64>::new(), BTreeMap::new());
        let mut counts = BTreeMap::<Line, u32>::new();
        for edit in passing() {
            let Some(line) = self.edited(edit.file, edit.place.start) else { continue };
            *shares.entry(line).or_default() += worth(edit) / total;
            *counts.entry(line).or_default() += 1;
            let known = self.known.entry(line).or_default();
            let gap = best - standing(edit);
            let nearest = if is_alone { Clue::NearestAlone } else { Clue::Nearest };
            known.add(Clue::Nearest, (1.0 - gap / 60.0).max(0.0));
            if nearest != Clue::Nearest {
                known.add(nearest, (1.0 - gap / 60.0).max(0.0));
            }
            known.is(Clue::AsBefore, edit.grade == Grade::AsBefore);
            if edit.inserts {
                let share = worth(edit) / inserted;
                *inserts.entry(line).or_insert(0.0) += share;
                // It may as well be missing behind the line before.
                if let Some(before) = self.lines.before(line) {
                    *inserts.entry(before).or_default() += share / 2.0;
                }
            }
        }
        let mut put = |line: Line, clue: Clue, alone: Clue, amount: f64| {
            let known = self.known.entry(line).or_default();
            known.add(clue, amount);
            if is_alone {
                known.add(alone, amount);
            }
        };
        for (line, share) in shares {
            put(line, Clue::Repairs, Clue::RepairsAlone, share.sqrt());
        }
        for (line, count) in counts {
            put(line, Clue::Fixes, Clue::FixesAlone, f64::from(count).ln_1p() / 4.0);
        }
        for (line, share) in inserts {
            put(line, Clue::Inserts, Clue::InsertsAlone, share.min(1.0));
        }
        self.of_places(repair, total > 0.0);
        // Of a long run the trace has only the end.
        for &line in &repair.executed {
            if let Some(known) = self.known.get_mut(&line) {
                known.add(Clue::Executed, 1.0);
            }
        }
    }

    /// What comes of all edits of a line, also of those that do not pass.
    fn of_places(&mut self, repair: &Repair, any_passes: bool) {
        let mut all: BTreeMap<Line, (usize, usize, usize)> = BTreeMap::new();
        let mut most = 0;
        for tried in &repair.places {
            let Some(line) = self.edited(tried.file, tried.place.start) else { continue };
            let known = all.entry(line).or_default();
            *known = (known.0 + tried.edits, known.1.max(tried.fixed), known.2 + tried.breaking);
            most = most.max(tried.fixed);
        }
        for (line, (edits, fixed, breaking)) in all {
            let known = self.known.entry(line).or_default();
            known.add(Clue::Edits, (edits as f64).ln_1p() / 7.0);
            if !any_passes && most > 0 && fixed > 0 {
                known.add(Clue::Helps, fixed as f64 / most as f64);
            }
            if breaking > 0 {
                known.add(Clue::Breaks, (breaking as f64).ln_1p() / 4.0);
            }
        }
    }

    fn edited(&self, file: u32, at: u32) -> Option<Line> {
        self.lines.at(self.failure.program, file, at)
    }
}

/// How likely an edit is, next to others: it shares what its kind is worth with the others of its kind there.
fn worth(edit: &Plausible) -> f64 {
    2f64.powf(standing(edit) / 6.0) / edit.among.max(1) as f64
}

fn standing(edit: &Plausible) -> f64 {
    f64::from(edit.weight) - f64::from(edit.harm)
}

/// What kind of assignment a step is.
fn kind(flow: &Flow<'_>, at: usize, step: &Step, terms: &Terms) -> Option<Clue> {
    let Action::Assign { place, value } = &step.action else { return None };
    if flow.is_decision(at) || matches!(step.part, Part::Temporary | Part::Input | Part::Result(_))
    {
        return None;
    }
    if terms.value(*value).is_some() {
        return Some(Clue::Constant);
    }
    if is_copy(terms, *value) {
        return Some(Clue::Copies);
    }
    Some(match is_count(terms, place.variable, *value) {
        true => Clue::Counts,
        false => Clue::Computes,
    })
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
