//! Edits that are made together, where none suffices alone.
//!
//! There are far too many pairs to try them all. So those come first of which something is known: each of the two makes some
//! failing test pass; or one of them lets a run go further, in that more of its output is right. The same edit in two places, or in all
//! of them, is one thought of a programmer, and comes next. Of several faults in a suite, fixes that repair some failing tests
//! are taken, those that repair most first, until all pass.
//!
//! Pairs are run in the text that has all edits in it, with the choices of both; so nothing is compiled for them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::Finding;
use crate::edit::{Edit, Replacement};
use crate::kinds::Kind;
use crate::runs::Runnable;
use crate::schema::{Choice, Schema};
use crate::screen::{BATCH, Batch, Screened, Tally, compiled, in_parallel, limits, spend, tally};

/// The part of the work that is left for this, in hundredths, and how many instructions it may take.
const FOR_PAIRS: u32 = 40;
const EFFORT: u64 = 120_000_000;
/// How many failing tests are looked at one by one.
const MOST_TESTS: usize = 6;
/// How many edits that help are combined with each other; how many of them with how many that seem to do nothing alone.
const MOST_HELPERS: usize = 48;
const MOST_LEADING: usize = 8;
const MOST_FOLLOWING: usize = 250;
/// How many places the same edit may have, and how many edits are made together at most.
const MOST_PLACES: usize = 12;
const MOST_TOGETHER: usize = 4;
/// So many that pass are enough.
const ENOUGH: usize = 64;
/// So many are run before it is seen whether that is enough.
const ROUND: usize = 128;

/// What an edit does by itself.
#[derive(Clone, Copy, Debug)]
struct Effect {
    edit: usize,
    /// The failing tests that pass, as bits.
    fixed: u32,
    /// How much of the output of the first failing test is right.
    right: u64,
}

impl Finding<'_> {
    /// If no edit passes all tests: those that do together, with how they do. They are edits like others from then on.
    pub(super) fn together(&mut self, singles: &[Tally]) -> Vec<Tally> {
        let failing = self.problem.failing;
        let mut found = Vec::new();
        if failing == 0 || singles.iter().any(|it| it.passes_all(failing)) {
            return found;
        }
        for text in 0..self.problem.texts.len() {
            for (parts, mut tally) in self.together_in(text, singles) {
                let Some(edit) = combined(&self.edits, &parts) else { continue };
                tally.edit = self.edits.len();
                self.parts.insert(tally.edit, parts);
                self.edits.push(edit);
                self.texts.push(text);
                found.push(tally);
            }
        }
        found
    }

    fn together_in(&mut self, text: usize, singles: &[Tally]) -> Vec<(Vec<usize>, Tally)> {
        let own = singles.iter().filter(|it| self.texts[it.edit] == text);
        let mut own: Vec<&Tally> = own.collect();
        own.sort_by_key(|it| (it.fixed == 0, it.edit));
        let numbers: Vec<usize> = own.iter().take(BATCH).map(|it| it.edit).collect();
        let stop = self.problem.stop.part(FOR_PAIRS);
        let trial = self.trial(&stop);
        if numbers.len() < 2 || stop.requested() {
            return Vec::new();
        }
        let mut screened = Screened::default();
        let made = compiled(trial, self.source(text), &self.edits, &numbers, &mut screened);
        let Some((schema, built)) = made else { return Vec::new() };
        let batch = Batch { schema, built };
        let runnable = Runnable::new(&batch.built.program, &batch.built.engine);
        let Some(limits) = limits(trial, runnable) else { return Vec::new() };
        let effects = self.effects(&numbers, singles, &batch, &limits);
        let wanted = self.wanted(&numbers, &effects, &batch.schema);
        let one = |parts: &Vec<usize>| {
            let choices = batch.schema.together(parts)?;
            let (first, jobs) = (parts.first()?, trial);
            Some((parts.clone(), tally(jobs, runnable, *first, &choices, &limits)?))
        };
        let (mut found, mut effort, mut count) = (Vec::new(), 0, 0);
        for round in wanted.chunks(ROUND) {
            if stop.requested() || effort > EFFORT || found.len() > ENOUGH {
                break;
            }
            let all = in_parallel(self.problem.jobs, round, &one);
            let instructions = all.iter().map(|(_, it)| it.instructions).sum();
            spend(&stop, all.len(), instructions);
            effort += instructions;
            count += all.len();
            found.extend(all.into_iter().filter(|(_, it)| it.repairs(self.problem.failing)));
        }
        self.repair.together += count;
        found
    }

    /// The edits that help, the most helpful first.
    fn effects(
        &self,
        numbers: &[usize],
        singles: &[Tally],
        batch: &Batch,
        limits: &[u64],
    ) -> Vec<Effect> {
        let (tests, stop) = (self.problem.tests, self.problem.stop.part(FOR_PAIRS));
        let runnable = Runnable::new(&batch.built.program, &batch.built.engine);
        let Some(first) = tests.first() else { return Vec::new() };
        let usual = runnable.run(&first.input, &[], limits[0], &stop).right;
        let mut found: Vec<Effect> = Vec::new();
        let count = self.problem.failing.min(MOST_TESTS);
        if count == 1 {
            let known = singles.iter().filter(|it| it.right > usual);
            let one = |it: &Tally| Effect { edit: it.edit, fixed: 0, right: it.right };
            found.extend(known.filter(|it| numbers.contains(&it.edit)).map(one));
        } else {
            let one = |&edit: &usize| {
                let (mut fixed, mut right, mut instructions) = (0, 0, 0);
                for (at, test) in tests.iter().enumerate().take(count) {
                    let choices = &batch.schema.choices[edit];
                    let ran = runnable.run(&test.input, choices, limits[at], &stop);
                    fixed |= u32::from(ran.end.passed()) << at;
                    right = if at == 0 { ran.right } else { right };
                    instructions += ran.instructions;
                }
                Some((Effect { edit, fixed, right }, instructions))
            };
            let mut effort = 0;
            for round in numbers.chunks(ROUND) {
                if stop.requested() || effort > EFFORT {
                    break;
                }
                let all = in_parallel(self.problem.jobs, round, &one);
                let instructions = all.iter().map(|(_, it)| it).sum();
                spend(&stop, all.len() * count, instructions);
                effort += instructions;
                found.extend(all.into_iter().map(|(effect, _)| effect));
            }
            found.retain(|it| it.fixed != 0 || it.right > usual);
        }
        found.sort_by_key(|it| (Reverse(it.fixed.count_ones()), Reverse(it.right), it.edit));
        found
    }

    /// What is tried together, in order.
    fn wanted(&self, numbers: &[usize], effects: &[Effect], schema: &Schema) -> Vec<Vec<usize>> {
        let mut wanted: Vec<Vec<usize>> = Vec::new();
        wanted.extend(cover(effects, schema));
        let helpers = &effects[..effects.len().min(MOST_HELPERS)];
        let mut pairs: Vec<(Reverse<u32>, usize, [usize; 2])> = Vec::new();
        for (i, a) in helpers.iter().enumerate() {
            for (j, b) in helpers.iter().enumerate().skip(i + 1) {
                let union = (a.fixed | b.fixed).count_ones();
                pairs.push((Reverse(union), i + j, [a.edit, b.edit]));
            }
        }
        pairs.sort_unstable();
        wanted.extend(pairs.into_iter().map(|(.., pair)| pair.to_vec()));
        wanted.extend(self.repeated(numbers));
        let mut following: Vec<(usize, [usize; 2])> = Vec::new();
        for (i, a) in helpers.iter().take(MOST_LEADING).enumerate() {
            for (j, &b) in numbers.iter().take(MOST_FOLLOWING).enumerate() {
                following.push((MOST_FOLLOWING / MOST_LEADING * i + j, [a.edit, b]));
            }
        }
        following.sort_unstable();
        wanted.extend(following.into_iter().map(|(_, pair)| pair.to_vec()));
        let mut seen = FxHashSet::default();
        wanted.retain_mut(|parts| {
            parts.sort_unstable();
            parts.windows(2).all(|it| it[0] != it[1])
                && schema.together(parts).is_some()
                && seen.insert(parts.clone())
        });
        wanted
    }

    /// The same edit in all its places, and in each two of them.
    fn repeated(&self, numbers: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<(Kind, &str, &str), Vec<usize>> = BTreeMap::new();
        for &number in numbers {
            let edit = &self.edits[number];
            let [only] = &edit.replacements[..] else { continue };
            let old = self.problem.texts[self.texts[number]].syntax.slice(only.range);
            if !old.trim().is_empty() && !only.new.trim().is_empty() {
                groups.entry((edit.kind, old, &only.new)).or_default().push(number);
            }
        }
        // Those that are more likely come first.
        let mut groups: Vec<Vec<usize>> =
            groups.into_values().filter(|group| (2..=MOST_PLACES).contains(&group.len())).collect();
        groups.sort_unstable();
        let mut all = Vec::new();
        for group in groups {
            for (i, &a) in group.iter().enumerate() {
                all.extend(group.iter().skip(i + 1).map(|&b| vec![a, b]));
            }
            if group.len() > 2 {
                all.push(group);
            }
        }
        all
    }
}

/// Edits that make all failing tests pass, each some of them: those first that repair most of what is left.
fn cover(effects: &[Effect], schema: &Schema) -> Option<Vec<usize>> {
    let wanted = effects.iter().fold(0, |all, it| all | it.fixed);
    let (mut parts, mut fixed): (Vec<usize>, u32) = (Vec::new(), 0);
    while fixed != wanted && parts.len() < MOST_TOGETHER {
        let fits = |it: &&Effect| {
            let more = [&parts[..], &[it.edit]].concat();
            it.fixed & !fixed != 0 && schema.together(&more).is_some()
        };
        let gain = |it: &&Effect| ((it.fixed & !fixed).count_ones(), Reverse(it.edit));
        let best = effects.iter().filter(fits).max_by_key(gain)?;
        parts.push(best.edit);
        fixed |= best.fixed;
    }
    (parts.len() > 1).then_some(parts)
}

/// Several edits as one; None if they are in each other's way.
fn combined(edits: &[Edit], parts: &[usize]) -> Option<Edit> {
    let first = parts.iter().map(|&it| &edits[it]).min_by_key(|it| it.extent())?;
    let all = parts.iter().flat_map(|&it| edits[it].replacements.iter().cloned());
    let mut replacements: Vec<Replacement> = all.collect();
    replacements.sort();
    let is_apart = |pair: &[Replacement]| {
        let (a, b) = (pair[0].range, pair[1].range);
        a.end <= b.start && a.start < b.end
    };
    let weights: u32 = parts.iter().map(|&it| edits[it].weight).sum();
    let weight = weights / (2 * parts.len() as u32);
    replacements.windows(2).all(is_apart).then(|| Edit { replacements, weight, ..first.clone() })
}

impl Schema {
    /// What is to be chosen for several edits at once; None if they are in each other's way.
    pub fn together(&self, parts: &[usize]) -> Option<Vec<Choice>> {
        let mut all: Vec<Choice> = Vec::new();
        for &part in parts {
            let own = self.choices.get(part).filter(|it| !it.is_empty())?;
            let is_free = |new: &Choice| all.iter().all(|old| self.are_apart(old.chunk, new.chunk));
            if !own.iter().all(is_free) {
                return None;
            }
            all.extend(own);
        }
        Some(all)
    }

    fn are_apart(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.ranges[a as usize], self.ranges[b as usize]);
        match (a.is_empty(), b.is_empty()) {
            (true, true) => a != b,
            (true, false) => a.start <= b.start || b.end <= a.start,
            (false, true) => b.start <= a.start || a.end <= b.start,
            (false, false) => a.end <= b.start || b.end <= a.start,
        }
    }
}
