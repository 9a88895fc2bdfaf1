//! From a failing program to solutions: edits are made, screened, judged, and accepted.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::syntax::{Kind as Node, NodeId, Range, Syntax};
use program::{EdgeId, FailureKind, Program, Property, Stop};
use rustc_hash::FxHashSet;

use crate::accept::accept;
use crate::apart::{self, Refuted};
use crate::build::{Build, Engine};
use crate::claims::{Change, Grade, Plausible, Repair, Solution, Tried};
use crate::edit::{Edit, Replacement, applied};
use crate::generate::{Dialect, Given, Ranked, generate, synthesis};
use crate::judge::{Check, Judged, Verdict, classify, judge};
use crate::kinds::{Kind, Weights};
use crate::neighbours::{Neighbour, neighbours};
use crate::observe::observe;
use crate::runs::{End, Runnable, Test};
use crate::schema::{Choice, Schema, Watch, schema};
use crate::screen::{
    BATCH, COMPILE, Source, Tally, Trial, in_parallel, screen, screen_apart, spend,
};
use crate::told::is_told;

mod together;

/// A source file of the user.
#[derive(Clone, Debug)]
pub struct Text {
    pub file: u32,
    pub syntax: Arc<Syntax>,
    pub dialect: Dialect,
    /// What must not be edited.
    pub fixed: Vec<Range>,
}

/// What fails, and all that is needed to try edits.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'p> {
    pub program: &'p Program,
    pub engine: &'p Engine,
    pub texts: &'p [Text],
    pub build: &'p dyn Build,
    /// The failing ones first, then the shortest first.
    pub tests: &'p [Test],
    pub failing: usize,
    pub failure: Place<'p>,
    pub weights: &'p Weights,
    /// What is known to be wrong for other inputs.
    pub refuted: &'p [Refuted],
    /// Says what is right for other inputs.
    pub reference: Option<&'p dyn Judge>,
    pub jobs: usize,
    pub stop: &'p Stop,
}

/// What is violated, and where.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    pub kind: FailureKind,
    /// The file and the range of the check, then those of the calls that lead to it, the innermost first.
    pub places: &'p [(u32, Range)],
}

/// Who knows what is right.
pub trait Judge: std::fmt::Debug + Sync {
    /// The input with what the program should print and return; None if nothing is right, or that takes more instructions.
    fn judged(&self, neighbour: &Neighbour, most: u64, stop: &Stop) -> Option<Neighbour>;
}

/// How much of the work is for screening, and of the rest for what is compiled apart, in hundredths.
const FOR_SCREENING: u32 = 50;
const FOR_APART: u32 = 30;
/// How many instructions screening may take.
const EFFORT: u64 = 1_500_000_000;
/// How many edits are tried.
const MOST_EDITS: usize = 6 * BATCH;
/// How many small expressions are tried, if nothing else is found.
const MOST_SYNTHESISED: usize = 4 * BATCH;
/// How many are compiled apart.
const MOST_APART: usize = 24;
/// How many are judged on neighbours, how many of those that are compiled apart, how many neighbours there are, and how many instructions that may take.
const MOST_JUDGED: usize = 600;
const MOST_JUDGED_APART: usize = 6;
const MOST_NEIGHBOURS: usize = 240;
const EFFORT_OF_JUDGING: u64 = 600_000_000;
/// How many solutions are compiled and run as they are.
pub const MOST_SOLUTIONS: usize = 8;

/// The edits with which the failing tests pass, the best first.
pub fn repair(problem: Problem<'_>) -> Repair {
    let tests = to_their_end(problem);
    let problem = Problem { tests: &tests, ..problem };
    let executed = executed(problem);
    let mut lines: Vec<(u32, u32)> = executed.iter().copied().collect();
    lines.sort_unstable();
    let mut finding = Finding {
        problem,
        executed,
        edits: Vec::new(),
        texts: Vec::new(),
        parts: BTreeMap::new(),
        effort: 0,
        repair: Repair { executed: lines, ..Repair::default() },
    };
    finding.learn(&|_, given| generate(given));
    let mut tallies = finding.screened(0, MOST_EDITS);
    if !tallies.iter().any(|it| it.passes_all(problem.failing)) {
        tallies.extend(finding.synthesised());
    }
    finding.repair.tried = tallies.len();
    finding.nearest(&tallies);
    finding.places(&tallies);
    tallies.extend(finding.together(&tallies));
    let candidates = finding.candidates(tallies);
    let judged = finding.judged(candidates);
    finding.solved(judged);
    finding.repair
}

/// The tests, where those that fail take as long as if their output did not matter: a fix may let them go on.
fn to_their_end(problem: Problem<'_>) -> Vec<Test> {
    const MOST: u64 = 5_000_000;
    let runnable = Runnable::new(problem.program, problem.engine);
    let mut tests = problem.tests.to_vec();
    for test in tests.iter_mut().take(problem.failing).filter(|it| it.input.is_judged()) {
        let most = (20 * test.instructions + 100_000).min(MOST);
        let whole = runnable.run(&test.input.unjudged(), &[], most, problem.stop);
        if whole.end != End::Cut {
            test.instructions = test.instructions.max(whole.instructions);
        }
    }
    tests
}

/// The lines that failing tests execute, by file.
fn executed(problem: Problem<'_>) -> FxHashSet<(u32, u32)> {
    const MOST_TESTS: usize = 5;
    let runnable = Runnable::new(problem.program, problem.engine);
    let mut found = FxHashSet::default();
    for test in problem.tests.iter().take(problem.failing.min(MOST_TESTS)) {
        let most = 2 * test.instructions + 10_000;
        let edges = runnable.covered(&test.input, most, problem.stop);
        let places = edges.into_iter().filter_map(|edge: EdgeId| {
            let span = problem.program.site(problem.program.edge(edge).site).span?;
            Some((span.file.0, problem.program.file(span).position(span.start).line))
        });
        found.extend(places);
    }
    found
}

struct Lines(Vec<u32>);

impl Lines {
    fn of(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect())
    }

    /// From 1.
    fn line(&self, at: u32) -> u32 {
        self.0.partition_point(|start| *start <= at) as u32
    }
}

struct Finding<'p> {
    problem: Problem<'p>,
    /// The lines that failing tests execute, by file.
    executed: FxHashSet<(u32, u32)>,
    edits: Vec<Edit>,
    /// Which text each edit is of.
    texts: Vec<usize>,
    /// The edits that some of them are made of.
    parts: BTreeMap<usize, Vec<usize>>,
    /// How many instructions were run.
    effort: u64,
    repair: Repair,
}

/// An edit that repairs the failing tests, and what it does to neighbours.
struct Candidate {
    tally: Tally,
    verdict: Option<Verdict>,
}

impl Finding<'_> {
    fn trial<'a>(&'a self, stop: &'a Stop) -> Trial<'a> {
        let Problem { build, tests, failing, jobs, .. } = self.problem;
        Trial { build, tests, failing, jobs, stop }
    }

    fn source(&self, text: usize) -> Source<'_> {
        let text = &self.problem.texts[text];
        Source { syntax: &text.syntax, file: text.file, dialect: text.dialect }
    }

    /// What a function makes of a text and what is known of it.
    fn given<R>(&self, text: &Text, make: impl FnOnce(&Given<'_>) -> R) -> R {
        let lines = Lines::of(&text.syntax.text);
        let ids = text.syntax.ids();
        let macros = ids.filter(|it| text.syntax.kind(*it) == Node::Macro);
        let macros: Vec<Range> = macros.map(|it| text.syntax.range(it)).collect();
        let may_edit = |range: Range| {
            !text.fixed.iter().any(|it| it.start < range.end && range.start < it.end)
        };
        let is_executed = |range: Range| {
            self.executed.contains(&(text.file, lines.line(range.start)))
                || macros.iter().any(|it| it.contains(range))
        };
        make(&Given {
            syntax: &text.syntax,
            file: text.file,
            dialect: text.dialect,
            weights: self.problem.weights,
            may_edit: &may_edit,
            is_executed: &is_executed,
        })
    }

    /// Adds the edits that a function makes of each text, in the order of trying.
    fn learn(&mut self, make: &dyn Fn(&Text, &Given<'_>) -> Vec<Ranked>) {
        let mut found: Vec<(f64, usize, Edit)> = Vec::new();
        for (number, text) in self.problem.texts.iter().enumerate() {
            let made = self.given(text, |given| make(text, given));
            found.extend(made.into_iter().map(|(rank, edit)| (rank, number, edit)));
        }
        let known: FxHashSet<(usize, &[Replacement])> = self
            .texts
            .iter()
            .copied()
            .zip(self.edits.iter().map(|it| &it.replacements[..]))
            .collect();
        found.retain(|(_, text, edit)| !known.contains(&(*text, &edit.replacements[..])));
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.texts.extend(found.iter().map(|(_, text, _)| *text));
        self.edits.extend(found.into_iter().map(|(_, _, edit)| edit));
        self.repair.known = self.edits.len();
    }

    /// Tries small expressions where values are wanted.
    fn synthesised(&mut self) -> Vec<Tally> {
        let Problem { build, tests, failing, .. } = self.problem;
        let stop = self.problem.stop.part(FOR_SCREENING);
        if stop.requested() || self.effort > EFFORT {
            return Vec::new();
        }
        let known = self.edits.len();
        self.learn(&|text, given| {
            if text.dialect != Dialect::C {
                return Vec::new();
            }
            let places = synthesis::places(given);
            let failing = &tests[..failing.min(tests.len())];
            let observed = observe((build, text.file), &text.syntax, places, failing, &stop);
            stop.spend(1, COMPILE);
            synthesis::synthesised(given, &observed)
        });
        self.screened(known, MOST_SYNTHESISED)
    }

    /// Tries edits from a number on in their order, batch by batch, then what has to be compiled apart.
    fn screened(&mut self, from: usize, most: usize) -> Vec<Tally> {
        let (mut tallies, mut apart) = (Vec::new(), Vec::new());
        // Who finds much must also have it judged.
        let stop = self.problem.stop.part(FOR_SCREENING);
        let all: Vec<usize> = (from..self.edits.len()).take(most).collect();
        for batch in all.chunks(BATCH) {
            if stop.requested() || self.effort > EFFORT {
                break;
            }
            for text in 0..self.problem.texts.len() {
                let own: Vec<usize> =
                    batch.iter().copied().filter(|&it| self.texts[it] == text).collect();
                if own.is_empty() {
                    continue;
                }
                let screened = screen(self.trial(&stop), self.source(text), &self.edits, &own);
                self.repair.rejected += screened.rejected;
                self.effort += screened.tallies.iter().map(|it| it.instructions).sum::<u64>();
                tallies.extend(screened.tallies);
                apart.extend(screened.apart);
            }
        }
        apart.sort_by_key(|&it| (self.is_idle(&self.edits[it]), it));
        apart.truncate(MOST_APART);
        let stop = self.problem.stop.part(FOR_APART);
        for round in apart.chunks(2) {
            if stop.requested() {
                break;
            }
            let one = |&number: &usize| {
                let source = self.source(self.texts[number]);
                screen_apart(self.trial(&stop), source, &self.edits[number], number)
            };
            tallies.extend(in_parallel(self.problem.jobs, round, &one));
        }
        tallies
    }

    /// Whether an edit makes no difference to what went wrong: that an array is too small, or a type, would have been seen.
    fn is_idle(&self, edit: &Edit) -> bool {
        let failure = self.problem.failure.kind;
        match edit.kind {
            Kind::Size => failure != FailureKind::OutOfBounds,
            Kind::Type => failure == FailureKind::OutOfBounds,
            _ => false,
        }
    }

    /// What came of the edits of each place.
    fn places(&mut self, tallies: &[Tally]) {
        let failing = self.problem.failing;
        let mut places: BTreeMap<(u32, Range), Tried> = BTreeMap::new();
        for tally in tallies {
            let Edit { file, place, .. } = self.edits[tally.edit];
            let nothing = Tried { file, place, edits: 0, fixed: 0, repairing: 0, breaking: 0 };
            let known = places.entry((file, place)).or_insert(nothing);
            known.edits += 1;
            known.fixed = known.fixed.max(tally.fixed);
            known.repairing += usize::from(tally.repairs(failing));
            known.breaking += usize::from(tally.repairs(failing) && tally.broken.is_some());
        }
        self.repair.failing = failing;
        self.repair.places = places.into_values().collect();
    }

    /// If nothing passes all failing tests: where most of them pass.
    fn nearest(&mut self, tallies: &[Tally]) {
        let best = tallies
            .iter()
            .filter(|it| it.fixed > 0)
            .max_by_key(|it| (it.fixed, std::cmp::Reverse(it.edit)));
        if let Some(best) = best.filter(|it| !it.repairs(self.problem.failing)) {
            let edit = &self.edits[best.edit];
            self.repair.nearest = Some((edit.file, edit.place, best.fixed));
        }
    }

    /// Those that are worth being judged. If none passes all tests, these are those with which most failing tests pass.
    fn candidates(&mut self, mut tallies: Vec<Tally>) -> Vec<Candidate> {
        let failing = self.problem.failing;
        let helping = tallies.iter().filter(|it| it.helps());
        let most = helping.map(|it| it.fixed).max().unwrap_or(failing);
        // What passes without the right output may have avoided the check.
        let failing_tests = self.problem.tests.iter().take(failing);
        let are_judged = failing_tests.into_iter().all(|it| it.input.is_judged());
        let is_best = |it: &Tally| are_judged && it.helps() && it.fixed == most;
        tallies.retain(|it| it.repairs(failing) || is_best(it));
        tallies.sort_by_key(|it| {
            let edit = &self.edits[it.edit];
            (!it.helps(), std::cmp::Reverse(it.fixed), std::cmp::Reverse(edit.weight), it.edit)
        });
        tallies.into_iter().map(|tally| Candidate { tally, verdict: None }).collect()
    }

    /// Judges candidates on the neighbours of the first failing test.
    fn judged(&mut self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        let Some(first) = self.problem.tests.first() else { return candidates };
        if candidates.is_empty() || self.problem.failing == 0 {
            return candidates;
        }
        let near = self.neighbours(first);
        for text in 0..self.problem.texts.len() {
            let is_own = |it: &Candidate| self.texts[it.tally.edit] == text;
            let numbers: Vec<usize> = candidates
                .iter()
                .filter(|it| is_own(it) && it.tally.passes_all(self.problem.failing))
                .map(|it| it.tally.edit)
                .take(MOST_JUDGED)
                .collect();
            if numbers.is_empty() || self.problem.stop.raised() {
                continue;
            }
            let verdicts = self.verdicts(text, &numbers, &near, first);
            for (number, verdict) in verdicts {
                let own = candidates.iter_mut().find(|it| it.tally.edit == number);
                own.into_iter().for_each(|it| it.verdict = Some(verdict.clone()));
            }
        }
        candidates
    }

    /// The numbers that are written in the program, without the smallest.
    fn constants(&self) -> Vec<i64> {
        let constants: Vec<i64> = self
            .problem
            .texts
            .iter()
            .flat_map(|text| {
                let numbers = text.syntax.ids().filter(|it| text.syntax.kind(*it) == Node::Integer);
                numbers.filter_map(|it| text.syntax.text_of(it).parse().ok()).collect::<Vec<i64>>()
            })
            .filter(|it| *it > 1)
            .collect();
        let mut seen = FxHashSet::default();
        constants.into_iter().filter(|it| seen.insert(*it)).collect()
    }

    fn neighbours(&self, first: &Test) -> Vec<Neighbour> {
        let near = neighbours(&first.input, &self.constants(), MOST_NEIGHBOURS);
        match self.problem.reference {
            Some(reference) => {
                let most = 8 * first.instructions + 100_000;
                spend(self.problem.stop, near.len(), near.len() as u64 * first.instructions);
                near.iter().filter_map(|it| reference.judged(it, most, self.problem.stop)).collect()
            }
            None => near,
        }
    }

    /// What some edits of a text do to the neighbours.
    fn verdicts(
        &mut self,
        text: usize,
        numbers: &[usize],
        near: &[Neighbour],
        first: &Test,
    ) -> Vec<(usize, Verdict)> {
        let source = self.source(text);
        let (watches, is_watched) = self.watches(text);
        let mut parts: Vec<usize> = numbers.iter().flat_map(|&it| self.parts(it)).collect();
        parts.sort_unstable();
        parts.dedup();
        let schema = schema(source.syntax, source.dialect, &self.edits, &parts, &watches);
        let Some(built) = self.problem.build.build(source.file, &schema.text).built else {
            return Vec::new();
        };
        let watched = self.watched(text, &schema, &built.program);
        let runnable = Runnable::new(&built.program, &built.engine).watching(&watched);
        let is_watched = is_watched && (!watched.is_empty() || !watches.is_empty());
        let check = Check { kind: self.problem.failure.kind, is_watched };
        let stop = &self.problem.stop.patient();
        let most = 8 * first.instructions + 20_000;
        // Most of what only avoids the check is seen by one run.
        let (mut avoiding, mut wanted) = (Vec::new(), Vec::new());
        for &number in numbers {
            let Some(choices) = schema.together(&self.parts(number)) else { continue };
            let ran = runnable.run(&first.input, &choices, most, stop);
            let is_wrong =
                |it: &Refuted| it.refutes(&runnable.run(&it.input, &choices, most, stop));
            match check.is_avoided(&ran) || self.problem.refuted.iter().any(is_wrong) {
                true => avoiding.push((number, Verdict::avoiding())),
                false => wanted.push((number, choices)),
            }
        }
        let mut near = near.to_vec();
        let each = (first.instructions + 2_000) * wanted.len() as u64;
        near.truncate((EFFORT_OF_JUDGING / each.max(1)) as usize);
        let judged = classify(runnable, check, near, most, stop);
        self.count(&judged);
        let one = |(number, choices): &(usize, Vec<Choice>)| {
            let judgement = judge(runnable, check, &judged, choices, stop);
            judgement.map(|(verdict, instructions)| (*number, verdict, instructions))
        };
        let found = in_parallel(self.problem.jobs, &wanted, &one);
        let instructions = found.iter().map(|it| it.2).sum();
        spend(stop, found.len() * judged.len(), instructions);
        avoiding.extend(found.into_iter().map(|(number, verdict, _)| (number, verdict)));
        let is_apart = |it: &&usize| schema.choices[**it].is_empty();
        let apart: Vec<usize> = numbers.iter().filter(is_apart).copied().collect();
        avoiding.extend(self.verdicts_apart(self.source(text), &apart, &judged));
        avoiding
    }

    /// The same for edits of which each has a text of its own, in which the check is not watched.
    fn verdicts_apart(
        &self,
        source: Source<'_>,
        numbers: &[usize],
        judged: &[Judged],
    ) -> Vec<(usize, Verdict)> {
        let check = Check { kind: self.problem.failure.kind, is_watched: false };
        let stop = &self.problem.stop.patient();
        let one = |&number: &usize| {
            let text = applied(&source.syntax.text, &self.edits[number].replacements);
            let built = self.problem.build.build(source.file, &text).built?;
            let runnable = Runnable::new(&built.program, &built.engine);
            let (verdict, instructions) = judge(runnable, check, judged, &[], stop)?;
            spend(stop, judged.len(), instructions);
            Some((number, verdict))
        };
        let numbers = &numbers[..numbers.len().min(MOST_JUDGED_APART)];
        in_parallel(self.problem.jobs, numbers, &one)
    }

    fn count(&mut self, judged: &[Judged]) {
        use crate::judge::Class;
        let of = |class: Class| judged.iter().filter(|it| it.class == class).count();
        self.repair.neighbours = [of(Class::Alike), of(Class::Passing), of(Class::Unjudged)];
    }

    /// Where it is noted that the check is reached, and with which values; and whether that can be known.
    fn watches(&self, text: usize) -> (Vec<Watch>, bool) {
        let Some(&(file, range)) = self.problem.failure.places.first() else {
            return (Vec::new(), false);
        };
        let own = &self.problem.texts[text];
        if file != own.file {
            return (Vec::new(), false);
        }
        let syntax = &own.syntax;
        if own.dialect == Dialect::Boogie {
            // The interpreter notes it.
            return (Vec::new(), true);
        }
        let watch = |range: Range| -> Option<Watch> {
            let statement = statement_around(syntax, range)?;
            // Where an access fails, another index may be just what is right.
            let values = match self.problem.failure.kind.is_specified() {
                true => values_in(syntax, range),
                false => Vec::new(),
            };
            Some(Watch { statement: syntax.range(statement), values })
        };
        let Some(first) = watch(range) else { return (Vec::new(), false) };
        let mut all = vec![first];
        // What is checked may have been computed by the caller, as the argument of a function that checks.
        if let Some(&(_, call)) = self.problem.failure.places.get(1).filter(|it| it.0 == file)
            && self.problem.failure.kind.is_specified()
            && let Some(caller) = watch(call)
            && caller.statement != all[0].statement
        {
            all.push(caller);
        }
        (all, true)
    }

    /// The edges of the check, in a program without memory made of a text with edits.
    fn watched(&self, text: usize, schema: &Schema, program: &Program) -> Vec<EdgeId> {
        let own = &self.problem.texts[text];
        let place = self.problem.failure.places.first();
        let Some(&(_, range)) =
            place.filter(|it| own.dialect == Dialect::Boogie && it.0 == own.file)
        else {
            return Vec::new();
        };
        let is_check = |edge: &EdgeId| {
            let site = program.site(program.edge(*edge).site);
            let is_same = |it: &Property| it.kind == self.problem.failure.kind;
            site.property.as_ref().is_some_and(is_same)
                && site.span.is_some_and(|it| schema.origin(it.start) == Some(range.start))
        };
        (0..program.edges.len() as u32).map(EdgeId).filter(is_check).collect()
    }

    /// Orders the candidates, and keeps what is right when its text is compiled and run as it is.
    fn solved(&mut self, candidates: Vec<Candidate>) {
        let failing = self.problem.failing;
        let mut graded: Vec<(Grade, Candidate)> = Vec::new();
        let constants = self.constants();
        let is_right = |it: &Verdict| it.wrong == 0 && !it.is_refused();
        let some_is_right = candidates.iter().any(|it| it.verdict.as_ref().is_some_and(is_right));
        for candidate in candidates {
            // What nobody judged is not shown, unless it breaks tests, which is evidence as well.
            let refused =
                candidate.verdict.as_ref().map_or(candidate.tally.passes_all(failing), |it| {
                    it.is_refused() || some_is_right && it.wrong > 0
                });
            if refused {
                self.repair.refused += 1;
                continue;
            }
            let grade = match grade(&candidate, failing) {
                Grade::AllTests if self.is_told(candidate.tally.edit, &constants) => {
                    Grade::OnlyThisTest
                }
                grade => grade,
            };
            graded.push((grade, candidate));
        }
        graded.sort_by_key(|(grade, it)| {
            let edit = &self.edits[it.tally.edit];
            let weight = edit.weight + suits(self.problem.failure.kind, edit.kind);
            let harm = it.verdict.as_ref().map_or(0, Verdict::harm);
            (*grade, i64::from(harm) - i64::from(weight), it.tally.edit)
        });
        let mut counts: BTreeMap<(u32, Range, Kind), usize> = BTreeMap::new();
        for edit in &self.edits[..self.repair.known] {
            *counts.entry((edit.file, edit.place, edit.kind)).or_default() += 1;
        }
        self.repair.plausible = graded
            .iter()
            .flat_map(|(grade, it)| {
                self.parts(it.tally.edit).into_iter().map(move |edit| (grade, it, edit))
            })
            .map(|(grade, it, edit)| {
                let edit = &self.edits[edit];
                let Edit { file, place, kind, weight, .. } = *edit;
                let harm = it.verdict.as_ref().map_or(0, Verdict::harm);
                let inserts = edit.replacements.iter().all(|it| it.range.is_empty());
                let among = counts.get(&(file, place, kind)).copied().unwrap_or(1);
                Plausible { file, place, kind, weight, grade: *grade, among, inserts, harm }
            })
            .collect();
        let mut shown = FxHashSet::default();
        let best: Vec<Solution> = graded
            .into_iter()
            .filter(|(grade, _)| *grade < Grade::BreaksOthers)
            .filter(|(_, it)| self.is_new(it, &mut shown))
            .take(MOST_SOLUTIONS)
            .map(|(grade, it)| {
                let edit = self.edits[it.tally.edit].clone();
                let Edit { file, replacements, kind, weight, .. } = edit;
                let (tests, verdict) = (self.problem.tests.len(), it.verdict.unwrap_or_default());
                let mut changes = self.changes(it.tally.edit);
                let more = changes.split_off(1);
                let Change { place, old, new, .. } = changes.remove(0);
                let fixed = it.tally.fixed;
                Solution {
                    file,
                    replacements,
                    place,
                    old,
                    new,
                    more,
                    kind,
                    weight,
                    grade,
                    tests,
                    failing,
                    fixed,
                    verdict,
                }
            })
            .collect();
        self.accepted(&best);
    }

    /// Keeps what is right when its text is compiled and run as it is, and sees what tells it apart.
    fn accepted(&mut self, best: &[Solution]) {
        let Problem { tests, stop, reference, jobs, .. } = self.problem;
        // Who has a reference need not be asked.
        let candidates = match best.len() {
            2.. if reference.is_none() => apart::candidates(tests, &self.constants(), best.len()),
            _ => Vec::new(),
        };
        let one = |solution: &Solution| {
            let built = accept(self.problem, solution)?;
            Some((solution.clone(), apart::observe(&built, tests, &candidates, stop)))
        };
        let accepted = in_parallel(jobs, best, &one);
        let (solutions, behaviours): (Vec<_>, Vec<_>) = accepted.into_iter().unzip();
        self.repair.solutions = solutions;
        self.repair.apart = apart::apart(&candidates, &behaviours);
    }
}

impl Finding<'_> {
    /// Whether no other edit of the same statement was taken that does the same on all neighbours.
    fn is_new(&self, candidate: &Candidate, shown: &mut FxHashSet<(u32, u32, u64)>) -> bool {
        let (edit, syntax) = (
            &self.edits[candidate.tally.edit],
            &self.problem.texts[self.texts[candidate.tally.edit]].syntax,
        );
        let statement = statement_around(syntax, edit.place);
        let start = statement.map_or(edit.place.start, |id| syntax.range(id).start);
        let signature = candidate.verdict.as_ref().map_or(0, |it| it.signature);
        signature == 0 || shown.insert((edit.file, start, signature))
    }

    /// The edits that one is made of; itself, if it is made of no others.
    fn parts(&self, number: usize) -> Vec<usize> {
        self.parts.get(&number).cloned().unwrap_or_else(|| vec![number])
    }

    /// Whether an edit only writes down what the one test says.
    fn is_told(&self, number: usize, constants: &[i64]) -> bool {
        let edit = &self.edits[number];
        let [only] = &edit.replacements[..] else { return false };
        let old = self.problem.texts[self.texts[number]].syntax.slice(only.range);
        is_told(edit.kind, old, &only.new, constants, self.problem.tests)
    }

    /// What an edit changes, in the order of the text; there is at least one place.
    fn changes(&self, number: usize) -> Vec<Change> {
        let mut parts = self.parts(number);
        parts.sort_by_key(|&it| self.edits[it].extent());
        let one = |it: usize| {
            let ((old, new), edit) = (self.shown(it), &self.edits[it]);
            let is_behind = edit.extent().start >= edit.place.end;
            Change { place: edit.place, is_behind, old, new }
        };
        parts.into_iter().map(one).collect()
    }

    /// What an edit changes, as a person would say it: the expression around it, or what is inserted or deleted.
    fn shown(&self, number: usize) -> (String, String) {
        const SHORT: u32 = 60;
        let (edit, syntax) = (&self.edits[number], &self.problem.texts[self.texts[number]].syntax);
        let extent = edit.extent();
        if let [only] = &edit.replacements[..]
            && (only.range.is_empty() || only.new.trim().is_empty())
            && !edit.new_is_guard()
        {
            return (syntax.slice(only.range).to_owned(), only.new.clone());
        }
        let is_around = |id: &NodeId| {
            let node = syntax.node(*id);
            let is_whole = node.kind.is_expression() || node.kind.is_statement();
            is_whole && node.kind != Node::Block && node.range.contains(extent)
        };
        let around: Vec<NodeId> = syntax.ids().filter(is_around).collect();
        // A name or an operator by itself says little; what is compared with it says more.
        let says_much = |id: &NodeId| {
            let (kind, range) = (syntax.kind(*id), syntax.range(*id));
            let is_leaf =
                matches!(kind, Node::Name | Node::Integer | Node::Floating | Node::Character);
            range.len() <= SHORT && kind != Node::Parenthesised && !is_leaf
        };
        let chosen =
            around.iter().filter(|id| says_much(id)).min_by_key(|id| syntax.range(**id).len());
        let range = chosen.map_or(extent, |id| syntax.range(*id));
        let mut replacements = edit.replacements.clone();
        for it in &mut replacements {
            it.range.start -= range.start;
            it.range.end -= range.start;
        }
        let old = syntax.slice(range).to_owned();
        let new = applied(&old, &replacements);
        (old, new)
    }
}

/// How much more likely an edit of a kind is if this is what went wrong, in units of weights.
fn suits(failure: FailureKind, kind: Kind) -> u32 {
    let usual: &[Kind] = match failure {
        FailureKind::SignedOverflow | FailureKind::BadShift => &[Kind::Cast, Kind::Type],
        FailureKind::OutOfBounds => &[Kind::Size, Kind::Index, Kind::Relational, Kind::Offset],
        FailureKind::NullDereference | FailureKind::DivisionByZero => &[Kind::Guard],
        FailureKind::Uninitialised => &[Kind::Initialised],
        FailureKind::UseAfterFree | FailureKind::DoubleFree => &[Kind::Moved],
        _ => &[],
    };
    if usual.contains(&kind) { 8 } else { 0 }
}

fn grade(candidate: &Candidate, failing: usize) -> Grade {
    match (&candidate.verdict, candidate.tally.passes_all(failing)) {
        (_, false) if candidate.tally.helps() => Grade::SomeTests,
        (_, false) => Grade::BreaksOthers,
        (Some(verdict), true) if verdict.is_as_before() && verdict.alike + verdict.passing > 0 => {
            Grade::AsBefore
        }
        _ => Grade::AllTests,
    }
}

/// The statement in which a range is, without what cannot be put into braces.
fn statement_around(syntax: &Syntax, range: Range) -> Option<NodeId> {
    let inner = syntax.ids().filter(|it| {
        let kind = syntax.kind(*it);
        kind.is_statement()
            && !matches!(kind, Node::Block | Node::Declare | Node::Case | Node::Labelled)
            && syntax.range(*it).contains(range)
    });
    inner.min_by_key(|it| syntax.range(*it).len())
}

/// The numbers that a part of the text reads, as expressions that can be evaluated before it.
fn values_in(syntax: &Syntax, range: Range) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for id in syntax.ids() {
        let node = syntax.node(id);
        let is_value = match node.kind {
            Node::Name => true,
            Node::Member | Node::Index => {
                let inner = syntax.ancestors(id).skip(1);
                let mut inner = inner.take_while(|it| range.contains(syntax.range(*it)));
                // What is only read if something else holds may not be there.
                syntax.is_pure(id)
                    && !inner.any(|it| {
                        matches!(syntax.operator(it), "&&" | "||")
                            || syntax.kind(it) == Node::Conditional
                    })
            }
            _ => false,
        };
        if is_value && range.contains(node.range) && node.ty.is_number() {
            let text = syntax.text_of(id);
            let value = match node.ty.is_integer() {
                true => text.to_owned(),
                false => format!("(long long)({text} * 1000)"),
            };
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}
