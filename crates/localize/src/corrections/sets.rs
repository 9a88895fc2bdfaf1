//! The enumeration of corrections, by size.
//!
//! A set is looked at only if it can matter: of a set that is not a correction, one knows the statements on which it
//! depends how the runs fail that it makes possible. Every larger correction has one of these. (This is the duality of corrections and
//! cores; a core here is a slice of a run, so it costs no query.) And it contains no smaller correction.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use failure::{Failure, Forced};
use program::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effort::Effort;
use super::explore::{Decision, Explorer, Kept, MANY_PATHS};
use super::rounds::Rounds;
use super::{
    Correction, Corrections, Insertion, MANY, Minimality, Settable, Spot, Undecided, Witness,
};
use crate::context::Context;

/// What is done for each set of a size. What is easy comes first, so that something is known early.
const FIRST: [Effort; 6] = [
    FOR_ONE,
    effort(8, 8, 100),
    effort(SOON, 40, 400),
    GUESSED,
    effort(SOON, 40, 10_000),
    effort(MANY, 80, 1_500),
];
/// Only for single statements: what is easy for one of them need not be looked for in larger sets.
const FOR_ONE: Effort = effort(4, 4, 40);
/// Then larger sets have had their turn, and what is left is looked at again.
const LAST: [Effort; 2] = [effort(10_000, 400, 10_000), FOR_THE_LARGEST];
/// So much is done only for sets of the largest size.
const FOR_THE_LARGEST: Effort = effort(100_000, 400, 100_000);
/// Who does not ask for more is kept waiting for so many runs of a set.
const SOON: usize = 40;
/// Of many tests that may refute a set, so many that do not decide are looked at first, or as many as have so many runs. All are when
/// larger sets have had their turn.
const FEW_TESTS: usize = 2;
const FEW_RUNS: usize = 160;
/// What is done to find out about short runs, if a set takes many, and the runs that are known become longer. So many times the runs
/// of all lengths are made before that is looked at, because most are left to others soon; and this part of the length must be reached.
const FOR_SHORT_RUNS: Effort = effort(40_000, 400, 20_000);
const SHORT_RUNS: usize = 3;
const PROGRESS: u64 = 8;
/// If a set is open after so much, corrections are looked for where they are likely. For several rounds, this part of the questions that
/// it takes may be asked, and of the work be done.
const GUESSED: Effort = effort(400, 60, 800);
const ROUNDS: u32 = 4;
/// An assignment that is missing is only one more answer.
const FOR_AN_INSERTION: Effort = effort(400, 100, 1_000);
/// It is looked for before so many statements that read what the same assignments have assigned.
const MOST_READERS: usize = 3;
/// So many places are named for a variable.
const MOST_PLACES: usize = 20;
/// And so many are tried for each time that it is missing.
const MOST_TRIES: usize = 40;

/// So many runs, queries, and milliseconds of work.
const fn effort(runs: usize, queries: u64, work: u64) -> Effort {
    Effort { runs, queries, work: Duration::from_millis(work) }
}

/// The minimal corrections of all failing tests together.
pub fn corrections(failures: &[Failure<'_>], context: Context<'_>) -> Corrections {
    find_corrections(failures, context, &mut Corrections::add)
}

/// The same. Each correction is shown to `admit` when it is found, which adds it to the others, or does not.
pub fn find_corrections(
    failures: &[Failure<'_>],
    context: Context<'_>,
    admit: &mut dyn FnMut(&mut Corrections, Correction),
) -> Corrections {
    let size = context.settings.corrections.size;
    let mut found = Corrections { tests: failures.len(), size, ..Corrections::default() };
    let is_whole = |failure: &Failure<'_>| failure.run.as_ref().is_none_or(|run| run.is_whole());
    if !failures.iter().all(is_whole) {
        let why = "the run is too long to be repeated from the start, again and again";
        found.undecided.push(Undecided { spots: Vec::new(), why });
        return found;
    }
    let (count, kept) = (failures.len(), Kept::default());
    let explorers =
        failures.iter().map(|failure| Explorer::new(failure, context, count, Kept::clone(&kept)));
    let mut explorers: Vec<Explorer<'_>> = explorers.collect();
    if explorers.is_empty() || size == 0 {
        return found;
    }
    if !explorers.iter_mut().all(Explorer::repeats) {
        let why = "the run is too long, or does not fail again";
        found.undecided.push(Undecided { spots: Vec::new(), why });
        return found;
    }
    found.lengths = explorers.iter().map(|explorer| explorer.longest).collect();
    found.failing = explorers.iter().map(|explorer| explorer.failing).collect();
    let mut order: Vec<usize> = (0..explorers.len()).collect();
    order.sort_by_key(|&test| explorers[test].failing);
    let mut enumeration = Enumeration {
        context,
        explorers: &mut explorers,
        order,
        decided: FxHashMap::default(),
        chained: FxHashSet::default(),
        guessed: FxHashMap::default(),
        found: &mut found,
        admit,
    };
    if enumeration.run(size, context.settings.corrections.smallest).is_none() {
        found.undecided.push(Undecided { spots: Vec::new(), why: "the time is over" });
    }
    let rank = |set: &Correction| (set.spots.len(), set.contradictions(), set.spots.clone());
    found.sets.sort_by_cached_key(rank);
    found.must = found.complete().then(|| must(&found.sets));
    found.pointers = explorers.iter().any(|explorer| explorer.has_pointers);
    found.queries = explorers.iter().map(Explorer::queries).sum();
    found.runs = explorers.iter().map(|explorer| explorer.made).sum();
    found
}

struct Enumeration<'e, 'a> {
    context: Context<'a>,
    explorers: &'e mut Vec<Explorer<'a>>,
    /// The tests, those first that most sets do not correct; at the beginning, the shortest.
    order: Vec<usize>,
    /// What is known about a set and a test.
    decided: FxHashMap<(usize, Vec<Spot>), Decision>,
    /// Where the statements of a set were changed one by one.
    chained: FxHashSet<(usize, Vec<Spot>)>,
    /// With how many runs corrections were looked for where they are likely.
    guessed: FxHashMap<(usize, Vec<Spot>), usize>,
    found: &'e mut Corrections,
    admit: &'e mut dyn FnMut(&mut Corrections, Correction),
}

/// Which runs are looked at to decide a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    All,
    /// All; what stays open is looked at again later, with [`Runs::Short`].
    AllAtFirst,
    /// If they are too many for a test, its short ones, before another test is looked at.
    Short,
}

/// What is done for each set and test, and for how many tests that stay open.
type Turn = (Effort, usize);

/// A set that is no correction, and what may be added to it.
type Open = (Vec<Spot>, Rc<[Spot]>);

/// What is known about a set and all tests.
enum Joint {
    Repairs(Vec<Vec<Forced>>),
    /// It is not a correction of this test; these matter there.
    Never(Rc<[Spot]>),
    Unknown(&'static str),
    Unfinished,
}

impl Enumeration<'_, '_> {
    /// None if the time is over.
    fn run(&mut self, size: usize, smallest: bool) -> Option<()> {
        let is_soon = |effort: &Effort| !smallest || effort.runs <= SOON;
        let few = |effort: &Effort| (*effort, (FEW_RUNS / effort.runs).max(FEW_TESTS));
        let all = |effort: &Effort| (*effort, usize::MAX);
        let first: Vec<Turn> = FIRST.iter().filter(|effort| is_soon(effort)).map(few).collect();
        let is_new = |effort: &&Effort| few(effort).1 < self.explorers.len();
        let last: Vec<Turn> = FIRST.iter().filter(is_new).chain(&LAST).map(all).collect();
        let times: &[&[Turn]] = if smallest { &[&first] } else { &[&first, &last] };
        // The sets that are no corrections, and what may be added to them, by size.
        let mut open = vec![Vec::new(); size + 1];
        open[0].push((Vec::new(), self.explorers[0].latest_first()));
        let mut seen: FxHashSet<Vec<Spot>> = FxHashSet::default();
        let mut waiting: Vec<Vec<Vec<Spot>>> = vec![Vec::new(); size + 1];
        for (time, &turns) in times.iter().enumerate() {
            let is_last = time + 1 == times.len();
            for count in 1..=size {
                let mut sets = larger(&open[count - 1]);
                // Of what is larger than a set that waits, nothing can be said yet.
                let waits = |set: &[Spot]| waiting.iter().flatten().any(|part| is_part(part, set));
                sets.retain(|set| !seen.contains(set) && !waits(set));
                seen.extend(sets.iter().cloned());
                // Those that had to wait for others have their first turn now.
                let is_for = |turn: &&Turn| match turn.0 {
                    FOR_ONE => count == 1,
                    FOR_THE_LARGEST => count == size,
                    _ => true,
                };
                for &turn in times[..time].iter().copied().flatten().filter(is_for) {
                    sets = self.decide_all(sets, turn, &mut open[count])?;
                }
                sets.extend(std::mem::take(&mut waiting[count]));
                for &turn in turns.iter().filter(is_for) {
                    sets = self.decide_all(sets, turn, &mut open[count])?;
                }
                if !is_last {
                    waiting[count] = sets;
                } else {
                    for set in sets {
                        self.leave(set, MANY_PATHS, &mut open[count]);
                    }
                }
                if time == 0 && count == 1 {
                    self.insert()?;
                }
                if smallest && !self.found.sets.is_empty() {
                    self.found.size = count;
                    break;
                }
            }
        }
        Some(())
    }

    /// Decides sets, and gives back those for which more has to be done.
    fn decide_all(
        &mut self,
        sets: Vec<Vec<Spot>>,
        (effort, tests): Turn,
        open: &mut Vec<Open>,
    ) -> Option<Vec<Vec<Spot>>> {
        // Where it is said of short runs only, if there are too many.
        let settings = &self.context.settings.corrections;
        let runs = match effort.runs {
            _ if settings.smallest || settings.many == usize::MAX => Runs::All,
            runs if runs >= settings.many => Runs::Short,
            _ => Runs::AllAtFirst,
        };
        let mut rest = Vec::new();
        for set in sets {
            if self.contains_correction(&set) {
                self.let_go(&set);
                continue;
            }
            self.limit();
            let joint = self.decide(&set, effort, runs, tests);
            let is_open = match &joint {
                Joint::Repairs(_) => false,
                _ if self.context.stop.requested() => return None,
                Joint::Unfinished => true,
                Joint::Unknown(_) => runs == Runs::AllAtFirst,
                Joint::Never(_) => false,
            };
            if is_open {
                rest.push(set);
                continue;
            }
            self.let_go(&set);
            match joint {
                Joint::Repairs(forced) => self.admit(set, forced),
                Joint::Never(more) => open.push((set, more)),
                Joint::Unknown(why) => self.leave(set, why, open),
                Joint::Unfinished => {}
            }
        }
        Some(rest)
    }

    /// A set is settled. What is known of single statements is needed for larger ones.
    fn let_go(&mut self, set: &[Spot]) {
        if set.len() > 1 {
            self.explorers.iter_mut().for_each(|explorer| explorer.let_go(set));
        }
    }

    /// The more has been done, the shorter are the runs that are followed from now on, down to those that must be.
    fn limit(&mut self) {
        let work: Duration = self.explorers.iter().map(Explorer::work).sum();
        let most = self.context.settings.corrections.for_long_runs;
        let times = (most.as_secs_f64() / work.as_secs_f64()).max(1.0);
        for (explorer, length) in self.explorers.iter_mut().zip(&mut self.found.lengths) {
            if let Some(enough) = explorer.enough() {
                explorer.limit((enough as f64 * times) as u64);
                *length = explorer.longest;
            }
        }
    }

    /// What can be said about a set and a test if only short runs are looked at.
    fn decide_short(&mut self, test: usize, set: &[Spot], effort: Effort) -> Decision {
        let explorer = &mut self.explorers[test];
        let runs = effort.runs * SHORT_RUNS;
        let work = effort.work.max(FOR_SHORT_RUNS.work);
        let (mut decision, mut length) =
            explorer.decide_short(set, Effort { runs, work, ..FOR_SHORT_RUNS });
        // If it gets on, more runs are worth it.
        let gets_on = explorer.enough().is_some_and(|enough| length >= enough / PROGRESS);
        if matches!(decision, Decision::Unfinished) && gets_on && runs < FOR_SHORT_RUNS.runs {
            (decision, length) = explorer.decide_short(set, FOR_SHORT_RUNS);
        }
        match &decision {
            Decision::Never(_) => {
                self.explorers[test].limit(length);
                self.found.lengths[test] = self.explorers[test].longest;
            }
            Decision::Repairs(_) => {
                self.decided.insert((test, set.to_vec()), decision.clone());
            }
            _ => {}
        }
        decision
    }

    /// Leaves a set undecided. What the failing run depends on may be added to it; more could be, but something is undecided anyway.
    fn leave(&mut self, set: Vec<Spot>, why: &'static str, open: &mut Vec<Open>) {
        if !self.contains_correction(&set) {
            open.push((set.clone(), self.explorers[0].spots()));
            self.found.undecided.push(Undecided { spots: set, why });
        }
    }

    /// Looks for assignments that are missing.
    fn insert(&mut self) -> Option<()> {
        // Together, the statements that read what the same assignments have assigned.
        let mut groups: Vec<Vec<Spot>> = Vec::new();
        let mut numbers: FxHashMap<(Settable, Vec<SiteId>), usize> = FxHashMap::default();
        for (spot, mut read) in self.explorers[0].insertions() {
            read.sort_unstable();
            read.dedup();
            let Some(variable) = spot.variable() else { continue };
            let number = *numbers.entry((variable, read)).or_insert(groups.len());
            match groups.get_mut(number) {
                Some(group) => group.push(spot),
                None => groups.push(vec![spot]),
            }
        }
        let firsts = groups.iter().map(|group| self.whole(group[0]));
        let mut known: FxHashSet<Spot> = firsts.collect();
        for group in groups {
            for &spot in group.iter().take(MOST_READERS) {
                let Some(variable) = spot.variable() else { continue };
                match self.decide(&[spot], FOR_AN_INSERTION, Runs::All, 1) {
                    Joint::Repairs(forced) => {
                        known.insert(self.whole(spot));
                        self.found.insertions.push(Insertion { variable, places: Vec::new() });
                        self.admit(vec![spot], forced.clone());
                        self.admit_elsewhere(variable, forced, &mut known);
                        self.found.insertions.retain(|insertion| !insertion.places.is_empty());
                        break;
                    }
                    _ if self.context.stop.requested() => return None,
                    _ => {}
                }
            }
        }
        Some(())
    }

    /// The same before the whole of a statement.
    fn whole(&self, spot: Spot) -> Spot {
        match spot {
            Spot::Insert { before, variable } => {
                Spot::Insert { before: self.explorers[0].statement(before), variable }
            }
            change => change,
        }
    }

    /// Adds other places where the same may be assigned. No place is named twice.
    fn admit_elsewhere(
        &mut self,
        variable: Settable,
        forced: Vec<Vec<Forced>>,
        known: &mut FxHashSet<Spot>,
    ) {
        let mut places: Option<BTreeMap<SiteId, Vec<Vec<Forced>>>> = None;
        for (explorer, forced) in self.explorers.iter_mut().zip(&forced) {
            let mut own = explorer.for_long(|it| it.elsewhere(forced));
            places = Some(match places {
                None => own.into_iter().map(|(site, forced)| (site, vec![forced])).collect(),
                Some(places) => {
                    let both = places.into_iter().filter_map(|(site, mut all)| {
                        all.push(own.remove(&site)?);
                        Some((site, all))
                    });
                    both.collect()
                }
            });
        }
        // The nearest first.
        let first = |forced: &[Vec<Forced>]| Some(forced.first()?.first()?.at);
        let here = first(&forced).unwrap_or(0);
        let mut places: Vec<_> = places.into_iter().flatten().collect();
        places.sort_by_key(|(_, forced)| first(forced).map(|at| at.abs_diff(here)));
        let is_own = |spot: &&Spot| spot.variable() == Some(variable);
        let (mut count, mut tries) = (known.iter().filter(is_own).count(), 0);
        for (before, forced) in places {
            let spot = Spot::Insert { before, variable };
            if known.contains(&spot) {
                continue;
            }
            if count >= MOST_PLACES || tries >= MOST_TRIES || self.context.stop.requested() {
                break;
            }
            tries += 1;
            let mut tests = self.explorers.iter_mut().zip(&forced);
            if tests.all(|(explorer, forced)| explorer.for_long(|it| it.passes(forced, before))) {
                known.insert(spot);
                count += 1;
                let witnesses = forced.into_iter().map(|forced| Witness::set(spot, forced));
                let (spots, minimality) = (vec![spot], Minimality::Claimed);
                let witnesses = witnesses.collect();
                (self.admit)(self.found, Correction { spots, witnesses, minimality });
            }
        }
    }

    fn contains_correction(&self, set: &[Spot]) -> bool {
        self.found.sets.iter().any(|known| is_part(&known.spots, set))
    }

    fn has_undecided_part(&self, set: &[Spot]) -> bool {
        self.found.undecided.iter().any(|open| is_part(&open.spots, set))
    }

    /// Whether a set is a correction of all tests. It is unfinished as soon as it is open for so many `tests`.
    fn decide(&mut self, set: &[Spot], effort: Effort, runs: Runs, tests: usize) -> Joint {
        let mut witnesses = vec![Vec::new(); self.explorers.len()];
        let (mut unknown, mut unfinished) = (None, false);
        let mut open = 0;
        for number in 0..self.order.len() {
            let test = self.order[number];
            let mut decision = self.decide_for(test, set, effort);
            // As long as it may be a correction of all tests.
            if is_open(&decision)
                && !unfinished
                && unknown.is_none()
                && let Some(found) = self.find_for(test, set, effort)
            {
                decision = found;
            }
            if is_open(&decision) && runs == Runs::Short {
                match self.decide_short(test, set, effort) {
                    Decision::Unknown(_) => {}
                    // More may become known of short runs.
                    short => decision = short,
                }
            }
            open += usize::from(is_open(&decision));
            if open >= tests && number + 1 < self.order.len() {
                return Joint::Unfinished;
            }
            match decision {
                Decision::Repairs(forced) => witnesses[test] = forced,
                Decision::Never(more) => {
                    // What is no correction of this test is looked for in it first.
                    self.order[..=number].rotate_right(1);
                    return Joint::Never(more);
                }
                Decision::Unknown(why) => unknown = Some(why),
                Decision::Unfinished => unfinished = true,
            }
        }
        match (unfinished, unknown) {
            (true, _) => Joint::Unfinished,
            (false, Some(why)) => Joint::Unknown(why),
            (false, None) => Joint::Repairs(witnesses),
        }
    }

    fn decide_for(&mut self, test: usize, set: &[Spot], effort: Effort) -> Decision {
        for &spot in set.iter().filter(|_| set.len() > 1) {
            match self.decide_for(test, &[spot], effort) {
                // What repairs a test repairs it together with others.
                known @ Decision::Repairs(_) => return known,
                // Every larger correction has one of these.
                Decision::Never(more) if !set.iter().any(|s| *s != spot && more.contains(s)) => {
                    return Decision::Never(more);
                }
                _ => {}
            }
        }
        let key = (test, set.to_vec());
        if let Some(known) = self.decided.get(&key) {
            return known.clone();
        }
        let decision = self.explorers[test].decide(set, effort);
        if !matches!(decision, Decision::Unfinished) {
            self.decided.insert(key, decision.clone());
        }
        decision
    }

    /// Looks for a correction of a test where it is likely to be, if not all ways could be tried.
    fn find_for(&mut self, test: usize, set: &[Spot], effort: Effort) -> Option<Decision> {
        let is_change = set.iter().all(|spot| matches!(spot, Spot::Change(_)));
        let (key, explorer) = ((test, set.to_vec()), &mut self.explorers[test]);
        let guessed = self.guessed.get(&key).copied().unwrap_or(GUESSED.runs - 1);
        if effort.runs <= guessed || !is_change {
            return None;
        }
        let is_new = set.len() > 1 && self.chained.insert(key.clone());
        let mut found = is_new.then(|| explorer.one_by_one(set, GUESSED)).flatten();
        if found.is_none() {
            match explorer.several_rounds(set, effort.part(ROUNDS)) {
                Rounds::Repair(forced) => found = Some(forced),
                Rounds::Nothing => drop(self.guessed.insert(key.clone(), usize::MAX)),
                Rounds::Unfinished => drop(self.guessed.insert(key.clone(), effort.runs)),
            }
        }
        let decision = Decision::Repairs(found?);
        self.decided.insert(key, decision.clone());
        Some(decision)
    }

    /// Adds a set. If its witnesses change only a part of it, that is a correction.
    fn admit(&mut self, mut spots: Vec<Spot>, forced: Vec<Vec<Forced>>) {
        let mut witnesses = Vec::new();
        for (forced, explorer) in forced.into_iter().zip(self.explorers.iter_mut()) {
            witnesses.push(explorer.for_long(|it| it.witness(&spots, forced)));
        }
        let all = spots.clone();
        let is_changed = |spot: Spot| {
            let mut needed = witnesses.iter().flat_map(|witness| &witness.needed);
            needed.any(|needed| needed.spot == spot)
        };
        if witnesses.iter().all(Witness::is_told) {
            spots.retain(|&spot| is_changed(spot));
        }
        let minimality = match spots.len() > 1 && self.has_undecided_part(&spots) {
            true => Minimality::Open,
            false => Minimality::Claimed,
        };
        let new = Correction { spots, witnesses, minimality };
        let is_insertion = new.is_insertion();
        (self.admit)(self.found, new);
        // It may not have been added.
        let is_known = |open: &Undecided| open.spots == all;
        if !is_insertion
            && !self.contains_correction(&all)
            && !self.found.undecided.iter().any(is_known)
        {
            let why = "the answer could not be checked";
            self.found.undecided.push(Undecided { spots: all, why });
        }
    }
}

fn is_part(part: &[Spot], set: &[Spot]) -> bool {
    part.iter().all(|spot| set.contains(spot))
}

fn is_open(decision: &Decision) -> bool {
    matches!(decision, Decision::Unknown(_) | Decision::Unfinished)
}

/// Sets with a statement more, each once.
fn larger(sets: &[Open]) -> Vec<Vec<Spot>> {
    let mut seen: FxHashSet<Vec<Spot>> = FxHashSet::default();
    let mut larger = Vec::new();
    for (set, more) in sets {
        for &spot in more.iter() {
            let mut with = set.clone();
            if let Err(at) = with.binary_search(&spot) {
                with.insert(at, spot);
                if seen.insert(with.clone()) {
                    larger.push(with);
                }
            }
        }
    }
    larger
}

/// As few spots as possible of which every set has one: found set by set, a spot of many sets first.
fn must(sets: &[Correction]) -> Vec<Spot> {
    let mut must: Vec<Spot> = Vec::new();
    let mut rest: Vec<&Correction> = sets.iter().collect();
    loop {
        rest.retain(|set| !set.spots.iter().any(|spot| must.contains(spot)));
        // Sets come by size: those with one spot leave no choice.
        let Some(first) = rest.first() else { break };
        let count = |spot: &Spot| rest.iter().filter(|set| set.spots.contains(spot)).count();
        let best = first.spots.iter().max_by_key(|spot| (count(spot), std::cmp::Reverse(**spot)));
        let Some(&best) = best else { break };
        must.push(best);
    }
    must.sort_unstable();
    must
}
