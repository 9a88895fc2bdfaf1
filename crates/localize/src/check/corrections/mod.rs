//! Judging corrections.
//!
//! That a set *suffices* is seen: each failing test is run with the change that is said to repair it, and passes; and each
//! part of the change is one of a statement of the set. That a set is *minimal*, and that no correction avoids the statements
//! of which one *must* be changed, is a claim about all that the program can do. It is tried out again, more plainly: see [`explore`].
//! That may cost so much as to be left open.

mod explore;
mod facts;
mod met;
mod points;
mod questions;
mod view;

use std::time::Duration;

use failure::{Ended, Failure, Force, Forced, Home};
use program::{Memory, Program, SiteId, Statement, Trust};
use rustc_hash::{FxHashMap, FxHashSet};

use self::explore::{Explored, Explorer};
use self::view::View;
use super::Judgement;
use crate::context::Context;
use crate::corrections::{
    Correction, Corrections, Minimality, Settable, Spot, Undecided, find_corrections,
};

/// So much work is done for the sets, and as much for what must be changed.
const MOST_WORK: Duration = Duration::from_secs(4);

/// If it would take so many times as much, it is not begun.
const HARDLY: u32 = 4;

/// What the judge says about the claims.
#[derive(Clone, Debug)]
pub struct JudgedCorrections {
    /// In the order of the sets.
    pub sets: Vec<JudgedSet>,
    /// That the assignments that may be missing suffice: each place of each of them, in order.
    pub insertions: Vec<Judgement>,
    /// That every correction has one of the statements of which that is said.
    pub must: Judgement,
}

#[derive(Clone, Debug)]
pub struct JudgedSet {
    pub suffices: Judgement,
    pub minimal: Judgement,
}

/// Judges the sets, and what must be changed.
pub fn check_corrections(
    failures: &[Failure<'_>],
    found: &Corrections,
    context: Context<'_>,
) -> JudgedCorrections {
    let mut judge = CorrectionsJudge::new(failures, context);
    let mut judged = judge.check_rest(found);
    for (set, judged) in found.sets.iter().zip(&mut judged.sets) {
        judged.suffices = judge.suffices(set);
    }
    let places = found.insertions.iter().flat_map(|insertion| &insertion.places);
    judged.insertions = places.map(|place| judge.suffices(place)).collect();
    judged
}

/// Finds corrections. Each is judged when it is found, and shown, so that none is lost when the time is over. The claims
/// that were refuted.
pub fn judged_corrections(
    failures: &[Failure<'_>],
    context: Context<'_>,
    show: &mut dyn FnMut(&Corrections),
) -> (Corrections, Vec<String>) {
    let mut judge = CorrectionsJudge::new(failures, context);
    let mut refuted = Vec::new();
    let mut admitted: usize = 0;
    let mut found = find_corrections(failures, context, &mut |found, new| {
        let why = match judge.suffices(&new) {
            Judgement::Confirmed => {
                found.add(new);
                admitted += 1;
                // To show them all would be quadratic.
                if admitted.is_power_of_two() {
                    show(&so_far(found));
                }
                return;
            }
            Judgement::Open(_) => "the answer could not be checked",
            Judgement::Refuted(why) => {
                refuted.push(refutation(failures, &new, &why));
                "the answer did not pass its check"
            }
        };
        if !new.is_insertion() {
            found.undecided.push(Undecided { spots: new.spots, why });
        }
    });
    // What has not been judged is not shown.
    show(&Corrections { must: None, ..found.clone() });
    let judged = judge.check_rest(&found);
    refuted.append(&mut keep_confirmed_corrections(failures, &mut found, &judged));
    (found, refuted)
}

/// What is known if nothing more will be.
fn so_far(found: &Corrections) -> Corrections {
    let mut found = found.clone();
    found.undecided.push(Undecided { spots: Vec::new(), why: "the time is over" });
    found
}

/// What is wrong with a correction.
fn refutation(failures: &[Failure<'_>], set: &Correction, why: &str) -> String {
    let what = if set.is_insertion() { "assignment before" } else { "correction" };
    format!("{what} {}: {why}", texts(failures, &set.spots))
}

fn texts(failures: &[Failure<'_>], spots: &[Spot]) -> String {
    let Some(program) = failures.first().map(|failure| failure.program) else {
        return String::new();
    };
    let texts = spots.iter().map(|spot| format!("`{}`", program.site(spot.site()).text));
    texts.collect::<Vec<_>>().join(", ")
}

/// Keeps what was not refuted. The claims that were.
pub fn keep_confirmed_corrections(
    failures: &[Failure<'_>],
    found: &mut Corrections,
    judged: &JudgedCorrections,
) -> Vec<String> {
    let mut refuted = Vec::new();
    let mut undecided = Vec::new();
    let mut number = 0;
    found.sets.retain_mut(|set| {
        let of_set = judged.sets.get(number);
        number += 1;
        let Some(JudgedSet { suffices, minimal }) = of_set else { return false };
        let why = match (suffices, minimal) {
            (Judgement::Refuted(why), _) => {
                refuted.push(refutation(failures, set, why));
                "the answer did not pass its check"
            }
            // That was not claimed.
            (_, Judgement::Refuted(_)) if set.minimality == Minimality::Open => {
                "it is enough, but so is a part of it"
            }
            (_, Judgement::Refuted(why)) => {
                refuted.push(refutation(failures, set, why));
                "the answer did not pass its check"
            }
            (Judgement::Open(_), _) => "the answer could not be checked",
            (Judgement::Confirmed, minimal) => {
                if *minimal == Judgement::Confirmed {
                    set.minimality = Minimality::Confirmed;
                }
                return true;
            }
        };
        undecided.push(Undecided { spots: set.spots.clone(), why });
        false
    });
    let mut judgements = judged.insertions.iter();
    found.insertions.retain_mut(|insertion| {
        insertion.places.retain(|place| {
            let judgement = judgements.next();
            if let Some(Judgement::Refuted(why)) = judgement {
                refuted.push(refutation(failures, place, why));
            }
            judgement == Some(&Judgement::Confirmed)
        });
        !insertion.places.is_empty()
    });
    // Nothing follows from what is not known.
    if !undecided.is_empty() || judged.must != Judgement::Confirmed {
        if let (Judgement::Refuted(why), Some(must)) = (&judged.must, &found.must) {
            refuted.push(format!("one of {} must be changed: {why}", texts(failures, must)));
            let why = "the answer did not pass its check";
            undecided.push(Undecided { spots: Vec::new(), why });
        }
        found.must = None;
    }
    found.undecided.append(&mut undecided);
    refuted
}

struct CorrectionsJudge<'a> {
    failures: &'a [Failure<'a>],
    explorers: Vec<Explorer<'a>>,
    /// What is known of a test and a set.
    known: FxHashMap<(usize, Vec<SiteId>), Explored>,
    /// No more is done than this.
    enough: Duration,
}

impl<'a> CorrectionsJudge<'a> {
    fn new(failures: &'a [Failure<'a>], context: Context<'a>) -> CorrectionsJudge<'a> {
        let explorers = failures.iter().map(|failure| Explorer::new(failure, context));
        let (explorers, known) = (explorers.collect(), FxHashMap::default());
        CorrectionsJudge { failures, explorers, known, enough: Duration::ZERO }
    }

    /// Judges all but that corrections suffice, of which it says so.
    fn check_rest(&mut self, found: &Corrections) -> JudgedCorrections {
        for (explorer, &length) in self.explorers.iter_mut().zip(&found.lengths) {
            explorer.look_at(length);
        }
        let mut sets = Vec::new();
        self.enough = self.work() + MOST_WORK;
        for set in &found.sets {
            let minimal = self.is_minimal(&sites(&set.spots));
            sets.push(JudgedSet { suffices: Judgement::Confirmed, minimal });
        }
        self.enough = self.work() + MOST_WORK;
        let must = match &found.must {
            Some(must) => self.none_without(&sites(must), found.size),
            None => Judgement::Confirmed,
        };
        let places = found.insertions.iter().map(|insertion| insertion.places.len()).sum();
        let insertions = vec![Judgement::Confirmed; places];
        JudgedCorrections { sets, insertions, must }
    }

    /// Whether each test passes with its change.
    fn suffices(&mut self, set: &Correction) -> Judgement {
        if set.witnesses.len() != self.failures.len() {
            let why = "a test has no change with which it passes";
            return Judgement::Refuted(why.to_owned());
        }
        for (test, witness) in set.witnesses.iter().enumerate() {
            let judgement = self.suffices_for(test, set, &witness.forced);
            if judgement != Judgement::Confirmed {
                return judgement;
            }
        }
        Judgement::Confirmed
    }

    fn work(&self) -> Duration {
        self.explorers.iter().map(Explorer::work).sum()
    }

    /// Whether a test passes with a change, and the change is one of these statements; or an assignment before one.
    fn suffices_for(&mut self, test: usize, set: &Correction, forced: &[Forced]) -> Judgement {
        let explorer = &mut self.explorers[test];
        if explorer.run_through(forced).end != Ended::Passed {
            return Judgement::Refuted("the test does not pass".to_owned());
        }
        // A run that passes has no trace. But one without the last part of the change is the same up to there.
        let mut forced = forced;
        while let Some((_, before)) = forced.split_last() {
            let run = explorer.run_through(before);
            let Some(view) = run.view(self.failures[test].program) else {
                if run.end == Ended::Passed {
                    forced = before;
                    continue;
                }
                return Judgement::Open("a run is too long".to_owned());
            };
            let sites = sites(&set.spots);
            let is_right = |one: &Forced| match set.is_insertion() {
                true => set.spots.iter().any(|spot| is_inserted(&view, *spot, one)),
                false => is_change_of(&view, &sites, one),
            };
            let other = forced.iter().find(|one| !is_right(one));
            return match other {
                Some(_) => Judgement::Refuted("something else is changed".to_owned()),
                None => Judgement::Confirmed,
            };
        }
        Judgement::Refuted("the test passes without a change".to_owned())
    }

    /// Whether no part of a set suffices. If one does, so does a part that lacks only one statement.
    fn is_minimal(&mut self, sites: &[SiteId]) -> Judgement {
        let mut judgement = Judgement::Confirmed;
        for spared in 0..sites.len() {
            let mut part = sites.to_vec();
            part.remove(spared);
            match self.explore(&part) {
                Explored::Fails(_) => {}
                Explored::Passes => {
                    return Judgement::Refuted("a part of it is enough".to_owned());
                }
                Explored::Open(why) => judgement = Judgement::Open(why.to_owned()),
            }
        }
        judgement
    }

    /// Whether there is no correction of up to `size` statements without these.
    fn none_without(&mut self, must: &[SiteId], size: usize) -> Judgement {
        let mut sets: Vec<Vec<SiteId>> = vec![Vec::new()];
        let (begin, mut done) = (self.work(), 0);
        for length in 0..=size {
            // What can hardly be finished is not begun. Few of the smaller sets take most of the work.
            let average = (self.work() - begin).checked_div(done).unwrap_or_default();
            if self.work() + average * sets.len() as u32 / HARDLY > self.enough {
                return Judgement::Open("there is too much to try".to_owned());
            }
            done += sets.len() as u32;
            let mut larger: FxHashSet<Vec<SiteId>> = FxHashSet::default();
            for set in &sets {
                let more = match self.explore(set) {
                    Explored::Fails(more) => more,
                    Explored::Passes => {
                        let why = "there is a correction without them";
                        return Judgement::Refuted(why.to_owned());
                    }
                    Explored::Open(why) => return Judgement::Open(why.to_owned()),
                };
                if length == size {
                    continue;
                }
                // What no run of a set executes need not be added to it.
                for &site in more.iter().filter(|site| !must.contains(site)) {
                    let mut with = set.clone();
                    if let Err(at) = with.binary_search(&site) {
                        with.insert(at, site);
                        larger.insert(with);
                    }
                }
            }
            sets = larger.into_iter().collect();
            sets.sort_unstable();
        }
        Judgement::Confirmed
    }

    /// What all tests can do if these statements are free: if one of them always fails, it is no correction.
    fn explore(&mut self, sites: &[SiteId]) -> Explored {
        let mut open = None;
        for test in 0..self.explorers.len() {
            let key = (test, sites.to_vec());
            let explored = match self.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let others = self.work() - self.explorers[test].work();
                    let enough = self.enough.saturating_sub(others);
                    let explored = self.explorers[test].explore(sites, enough);
                    self.known.insert(key, explored.clone());
                    explored
                }
            };
            match explored {
                Explored::Fails(_) => return explored,
                Explored::Passes => {}
                Explored::Open(why) => open = Some(why),
            }
        }
        open.map_or(Explored::Passes, Explored::Open)
    }
}

fn sites(spots: &[Spot]) -> Vec<SiteId> {
    spots.iter().map(|spot| spot.site()).collect()
}

/// Whether something that is forced upon a run is this assignment before a statement: where the variable can be named.
fn is_inserted(view: &View<'_>, spot: Spot, forced: &Forced) -> bool {
    let (Spot::Insert { before, variable }, Force::Set { home, .. }) = (spot, &forced.what) else {
        return false;
    };
    let (program, trace) = (view.program, &view.unfolded.trace);
    let Some(&edge) = trace.path.get(forced.at) else { return false };
    let mut steps = trace.steps.iter().filter(|step| step.at as usize == forced.at);
    let is_before = is_part(program, program.edge(edge).site, before)
        || steps.any(|step| is_part(program, step.site, before));
    let is_its = match (variable, *home) {
        (Settable::Variable(variable), Home::Variable(set)) => variable == set,
        (Settable::Object(origin), Home::Address(address)) => {
            let mut objects = trace.objects.iter();
            objects.any(|object| object.origin == origin && object.address == address)
        }
        _ => false,
    };
    is_before
        && is_its
        && variable.is_visible(program, edge)
        && program.site(before).trust == Trust::User
}

/// Whether a site is one of a statement, or of a part of it.
fn is_part(program: &Program, site: SiteId, of: SiteId) -> bool {
    let spans = (program.site(site).span, program.site(of).span);
    site == of
        || matches!(spans, (Some(part), Some(whole))
            if part.file == whole.file && whole.start <= part.start && part.end <= whole.end)
}

/// Whether something that is forced upon a run is a change of one of these statements.
fn is_change_of(view: &View<'_>, sites: &[SiteId], forced: &Forced) -> bool {
    let trace = &view.unfolded.trace;
    let mut own = (0..trace.steps.len())
        .filter(|&step| sites.contains(&view.site(step)) && view.can_change(step));
    match &forced.what {
        Force::Value { number, .. } => match view.unfolded.numbers.contains(&Some(*number)) {
            true => own.any(|step| view.unfolded.numbers[step] == Some(*number)),
            // An entry of a table that this run does not read has no step.
            false => {
                trace.path.get(forced.at).map(|&edge| view.program.edge(edge)).is_some_and(|edge| {
                    matches!(edge.statement, Statement::Memory(Memory::Initialise { .. }))
                        && sites.contains(&edge.site)
                })
            }
        },
        Force::Edge(edge) => own.any(|step| {
            trace.steps[step].at as usize == forced.at
                && view
                    .edges(step)
                    .is_some_and(|(taken, others)| taken == *edge || others.contains(edge))
        }),
        Force::Output => view.is_call_of(sites, forced.at),
        Force::Set { .. } => false,
    }
}
