//! All that a program can do if some statements are free, for the judge.
//!
//! Plainly: a run is made, all of its trace is executed with a symbol for each free value, and for each condition with symbols,
//! in order, the solver is asked for values with which the ones before hold and this one does not. These conditions are a
//! *region* of all that can happen, in which there is another run. So a region is divided: one part is what happens as in its run, the others are
//! regions in turn; and when none is left, the runs are all that the program can do. It does not matter whether a run has the
//! points of the one that it comes from: what holds in its region is said by the region. From states that runs have [met] in, only one goes on.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use failure::run::Unfolded;
use failure::{Courses, Ended, Failure, Force, Forced, Look, Looks, State};
use program::{EdgeId, Program, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::facts::Facts;
use super::is_change_of;
use super::met::Met;
use super::points::{Asked, Kind, Otherwise, Point, Points, number};
use super::questions::{Questions, Solved, about};
use super::view::View;
use crate::context::Context;
use crate::corrections::whole;
use crate::costs;

/// So many runs are made for one set of statements.
const MOST_RUNS: u64 = 4_000;
/// After so many it is worth looking at states.
const FEW_RUNS: u64 = 50;
/// When what is known of runs has so many steps, it is forgotten: memory costs more than to make them again.
const MOST_STEPS: usize = 300_000;
/// When an arena has so many terms, everything is forgotten.
const MOST_TERMS: usize = 1_000_000;

const TOO_MUCH: &str = "there is too much to try";
const ELSEWHERE: &str = "a run cannot be repeated";
const UNTOLD: &str = "what the library does is not known";

/// What a program can do if some statements are free.
#[derive(Clone, Debug)]
pub(super) enum Explored {
    /// It can pass.
    Passes,
    /// It always fails. The statements that can be changed in these runs.
    Fails(Vec<SiteId>),
    Open(&'static str),
}

/// One failing test.
pub(super) struct Explorer<'a> {
    failure: &'a Failure<'a>,
    context: Context<'a>,
    terms: Terms,
    questions: Questions<'a>,
    /// The runs that were made, by what was forced, and what they have in common.
    runs: FxHashMap<Vec<Forced>, Made>,
    courses: Courses,
    /// By the address of what a run did.
    facts: FxHashMap<usize, Rc<Facts>>,
    /// How many steps all of these have.
    steps: usize,
    /// How many instructions a run may have.
    longest: u64,
    /// The same for runs that are looked at.
    most: u64,
    /// What a pointer can be changed to.
    pointers: Vec<Value>,
    /// The work that was done, but for questions.
    work: Duration,
}

/// A run that was made.
#[derive(Clone)]
pub(super) struct Made {
    pub end: Ended,
    /// How many instructions it took.
    effort: u64,
    /// What it did, with the values of the first run that did the same.
    pub unfolded: Option<Rc<Unfolded>>,
    pub values: Rc<Vec<Option<Value>>>,
    /// Those that are not as there.
    pub changed: Rc<Vec<(u32, Value)>>,
}

impl Made {
    /// It, if it is known what it did.
    pub fn view<'a>(&'a self, program: &'a Program) -> Option<View<'a>> {
        let unfolded = self.unfolded.as_ref()?;
        let (values, changed) = (&self.values, &self.changed);
        Some(View { program, unfolded, values, changed, end: self.end })
    }
}

/// A part of all that can happen, in which all runs go the same way up to some place, unless they fail before: that a value was never set
/// is not always seen in the trace of a run in which it was.
#[derive(Clone, Default)]
struct Region {
    /// What is forced upon a run in it.
    forced: Vec<Forced>,
    /// The place where it leaves the run that it comes from: the index in the path. What is said here is about what is no later.
    place: Option<usize>,
    /// The run that it leaves there.
    left: Option<Rc<Unfolded>>,
    holds: Vec<Term>,
    decided: FxHashSet<Decided>,
    /// Where a condition does not hold that did.
    flipped: Option<usize>,
    /// Places where the trace of another run did not tell what happens here.
    untold: Vec<usize>,
}

/// What is as it is forced, but has no condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Decided {
    /// A decision, by its place in the path.
    Decision(usize),
    /// A pointer, by its number.
    Pointer(u32),
}

/// The regions that are left, the earliest first: so runs come to a state by short ways first.
#[derive(Default)]
struct Regions {
    left: BTreeMap<(Option<usize>, Reverse<usize>), Region>,
    count: usize,
}

impl Regions {
    fn add(&mut self, region: Region) {
        self.count += 1;
        self.left.insert((region.place, Reverse(self.count)), region);
    }

    fn next(&mut self) -> Option<Region> {
        Some(self.left.pop_first()?.1)
    }
}

/// What is tried for one set of statements.
struct Trying<'s> {
    sites: &'s [SiteId],
    regions: Regions,
    met: Met,
    runs: u64,
    /// No more work in all than this.
    enough: Duration,
}

impl<'a> Explorer<'a> {
    pub fn new(failure: &'a Failure<'a>, context: Context<'a>) -> Explorer<'a> {
        let mut explorer = Explorer {
            failure,
            context,
            terms: failure.program.terms.clone(),
            questions: Questions::new(context),
            runs: FxHashMap::default(),
            courses: Courses::default(),
            facts: FxHashMap::default(),
            steps: 0,
            longest: u64::MAX,
            most: u64::MAX,
            pointers: Vec::new(),
            work: Duration::ZERO,
        };
        let Made { end, effort, .. } = explorer.run(&[]);
        let whole = whole(failure, effort);
        explorer.longest = context.settings.corrections.longest(whole, end);
        explorer.look_at(explorer.longest);
        let run = explorer.run(&[]);
        explorer.pointers = run.view(failure.program).map_or(Vec::new(), |view| view.pointers());
        explorer
    }

    /// The work that was done.
    pub fn work(&self) -> Duration {
        self.work + self.questions.work
    }

    fn spend(&mut self, count: usize, each: Duration) {
        self.work += self.context.stop.spend(count, each);
    }

    /// Runs with more instructions are not looked at.
    pub fn look_at(&mut self, length: u64) {
        self.most = self.longest.min(length);
        self.runs.clear();
    }

    /// How a run ends, and what it did, if it takes no more instructions than runs may have.
    fn run(&mut self, forced: &[Forced]) -> Made {
        if let Some(made) = self.runs.get(forced) {
            return made.clone();
        }
        let made = self.run_for(forced, self.most);
        self.runs.insert(forced.to_vec(), made.clone());
        made
    }

    /// The same, however long it takes, within reason.
    pub fn run_through(&mut self, forced: &[Forced]) -> Made {
        self.run_for(forced, self.longest.saturating_mul(2))
    }

    fn run_for(&mut self, forced: &[Forced], most: u64) -> Made {
        let terms = self.terms.len();
        let run = self.failure.rerun(forced, most, &mut self.terms, &mut self.courses);
        self.spend(1, costs::RUN);
        self.spend(run.effort as usize, costs::EDGE);
        self.spend(self.terms.len() - terms, costs::TERM);
        let mut values = run.unfolded.as_ref().map_or(Vec::new(), |own| own.values.clone());
        for (step, value) in &run.changed {
            values[*step as usize] = Some(value.clone());
        }
        let (values, changed) = (Rc::new(values), Rc::new(run.changed));
        Made { end: run.end, effort: run.effort, unfolded: run.unfolded, values, changed }
    }

    /// What is the same in all runs that did the same.
    fn facts(&mut self, view: &View<'_>, unfolded: &Rc<Unfolded>) -> Rc<Facts> {
        let address = Rc::as_ptr(unfolded).addr();
        if let Some(known) = self.facts.get(&address) {
            return Rc::clone(known);
        }
        self.steps += unfolded.trace.steps.len();
        self.spend(unfolded.trace.steps.len(), costs::STEP);
        let facts = Rc::new(Facts::of(&mut self.terms, view, unfolded));
        self.facts.insert(address, Rc::clone(&facts));
        facts
    }

    /// Forgets everything: the arena would grow and grow.
    fn forget(&mut self) {
        self.forget_runs();
        self.terms = self.failure.program.terms.clone();
        self.courses = Courses::default();
        self.questions.forget();
    }

    fn forget_runs(&mut self) {
        self.runs.clear();
        self.facts.clear();
        self.steps = 0;
        self.courses.forget_unused();
    }

    /// What can happen if these statements are free. If that takes more work in all than `enough`, it is open.
    pub fn explore(&mut self, sites: &[SiteId], enough: Duration) -> Explored {
        if self.terms.len() > MOST_TERMS {
            self.forget();
        }
        let (mut regions, met) = (Regions::default(), Met::default());
        regions.add(Region::default());
        let mut trying = Trying { sites, regions, met, runs: 0, enough };
        let mut seen: FxHashSet<SiteId> = FxHashSet::default();
        let (mut open, mut most) = (None, MOST_RUNS);
        self.questions.is_open = false;
        while let Some(region) = trying.regions.next() {
            if self.context.stop.requested() {
                return Explored::Open("the time is over");
            }
            if self.steps > MOST_STEPS {
                self.forget_runs();
            }
            trying.runs += 1;
            if trying.runs > most || self.work() > enough {
                return Explored::Open(open.unwrap_or(TOO_MUCH));
            }
            let run = self.run(&region.forced);
            match run.end {
                Ended::Passed => {
                    return match self.changes_only(sites, &region.forced) {
                        true => Explored::Passes,
                        false => Explored::Open(ELSEWHERE),
                    };
                }
                Ended::Cut => trying.met.some_are_cut = true,
                _ => {}
            }
            if trying.met.some_are_cut && trying.met.relies_on_later {
                // From the start. Now it matters how long runs are.
                trying.met = Met::with_lengths();
                trying.regions = Regions::default();
                trying.regions.add(Region::default());
                continue;
            }
            let (Some(view), Some(unfolded)) = (run.view(self.failure.program), &run.unfolded)
            else {
                open = Some("a run is too long");
                continue;
            };
            let facts = self.facts(&view, unfolded);
            seen.extend(facts.changeable.keys().copied().chain(view.printers()));
            if let Some(more) = view.unset(sites) {
                // What is free is what it is, but has been set.
                let forced = with(&region.forced, more);
                trying.regions.add(Region { forced, ..region });
                continue;
            }
            let terms = self.terms.len();
            if let Err(why) = self.divide(&view, &facts, &region, &mut trying) {
                // It may still be found out that the program can pass.
                most = most.min(trying.runs + FEW_RUNS);
                open = Some(why);
            }
            self.spend(self.terms.len() - terms, costs::TERM);
        }
        match open {
            Some(why) => Explored::Open(why),
            None => {
                let mut seen: Vec<SiteId> = seen.into_iter().collect();
                seen.sort_unstable();
                Explored::Fails(seen)
            }
        }
    }

    /// Whether only these statements are changed by what is forced upon a run that passes. It may have gone elsewhere, and have the values with
    /// the same numbers there.
    fn changes_only(&mut self, sites: &[SiteId], forced: &[Forced]) -> bool {
        // It has no trace. But one without the last part of the change is the same up to there.
        let mut forced = forced;
        while let Some((_, before)) = forced.split_last() {
            let run = self.run_through(before);
            match run.view(self.failure.program) {
                Some(view) => return forced.iter().all(|one| is_change_of(&view, sites, one)),
                None if run.end == Ended::Passed => forced = before,
                None => return false,
            }
        }
        false
    }

    /// Divides a region: adds the parts that are not as in its run.
    fn divide(
        &mut self,
        view: &View<'_>,
        facts: &Facts,
        region: &Region,
        trying: &mut Trying<'_>,
    ) -> Result<(), &'static str> {
        let is_decided = |number: u32| region.decided.contains(&Decided::Pointer(number));
        let asked =
            Asked { sites: trying.sites, pointers: &self.pointers, is_pointer: &is_decided };
        let points = Points::of(&mut self.terms, view, facts, &region.forced, asked);
        let run = &facts.unfolded;
        self.spend(points.executed, costs::STEP);
        if !self.is_in(view, &points, region) {
            return Err(ELSEWHERE);
        }
        let mut result = points.open.map_or(Ok(()), Err);
        if !region.untold.iter().all(|&at| tells(&points.all, at)) {
            result = Err(UNTOLD);
        }
        let states = match trying.runs > FEW_RUNS {
            true => self.states(view, region, &points),
            false => FxHashMap::default(),
        };
        // What is as in the run up to a point.
        let mut here = Region { flipped: None, ..region.clone() };
        let mut holds: FxHashSet<Term> = here.holds.iter().copied().collect();
        let mut last = None;
        for (number, point) in points.all.iter().enumerate() {
            if last.replace(point.at) != Some(point.at)
                && let Some((state, values)) = states.get(&point.at)
            {
                let conditions = about(&self.terms, &here.holds, values);
                if trying.met.is_met(&mut self.terms, state, values, conditions) {
                    return result;
                }
            }
            here.untold.retain(|&at| !tells(&points.all[..number], at));
            let before = Before { region: &here, points: &points, number };
            let place = before.place();
            let otherwise = |what: Force, decided: Option<Decided>| {
                let mut region = Region { place, left: Some(Rc::clone(run)), ..here.clone() };
                region.forced = before.forced(&FxHashMap::default(), Some(what));
                region.decided.extend(decided);
                region
            };
            match &point.kind {
                Kind::Condition(condition, _) if holds.contains(condition) => {}
                Kind::Condition(condition, otherwise) => {
                    // Here it is not known what fails if another did not fail.
                    let is_again = region.flipped == Some(point.at);
                    if *otherwise != Otherwise::Fails || is_again {
                        if self.work() > trying.enough {
                            return Err(TOO_MUCH);
                        }
                        let not = self.terms.not(*condition);
                        match self.questions.solve(&mut self.terms, &here.holds, not) {
                            Solved::Impossible => {}
                            Solved::Unknown => result = Err("the solver gave up"),
                            Solved::Values(values) => match by_number(&self.terms, &values) {
                                Some(values) => {
                                    let mut other = Region { place, ..here.clone() };
                                    other.left = Some(Rc::clone(run));
                                    other.forced = before.forced(&values, None);
                                    other.flipped = Some(point.at);
                                    other.holds.push(not);
                                    if *otherwise == Otherwise::Untold {
                                        other.untold.push(point.at);
                                    }
                                    trying.regions.add(other);
                                }
                                None => result = Err(UNTOLD),
                            },
                        }
                    }
                    holds.insert(*condition);
                    here.holds.push(*condition);
                }
                Kind::Decision(_, others) => {
                    let decided = Decided::Decision(point.at);
                    if !here.decided.contains(&decided) {
                        for &other in others {
                            trying.regions.add(otherwise(Force::Edge(other), Some(decided)));
                        }
                        here.decided.insert(decided);
                    }
                }
                Kind::Pointer(number, _, others) => {
                    let decided = Decided::Pointer(*number);
                    if !here.decided.contains(&decided) {
                        for other in others {
                            let what = Force::Value { number: *number, value: other.clone() };
                            trying.regions.add(otherwise(what, Some(decided)));
                        }
                        here.decided.insert(decided);
                    }
                }
                Kind::Print => {
                    trying.regions.add(otherwise(Force::Output, None));
                    // Anything includes what it did print.
                    return result;
                }
            }
        }
        result
    }

    /// Whether a run is where it should be.
    fn is_in(&self, view: &View<'_>, points: &Points, region: &Region) -> bool {
        let forced = region.forced.iter().filter_map(|forced| match &forced.what {
            Force::Value { number, value } => Some((*number, value)),
            _ => None,
        });
        // What is forced upon steps that the trace leaves out is not seen.
        let mut values: FxHashMap<u32, &Value> = forced.collect();
        values.extend(points.free.iter().map(|free| (free.number, &free.value)));
        let holds = |&condition: &Term| {
            let known = &mut |symbol| {
                number(&self.terms, symbol).and_then(|number| values.get(&number).copied().cloned())
            };
            // Of what the world would do, nothing is known.
            let value = term::evaluate(&self.terms, condition, known);
            value.is_none_or(|value| value == Value::Bool(true))
        };
        is_same_way(&view.unfolded.trace.path, region) && region.holds.iter().all(holds)
    }

    /// The states of a run after the place where it leaves another, with the values that depend on what is free; by their place.
    fn states(
        &mut self,
        view: &View<'_>,
        region: &Region,
        points: &Points,
    ) -> FxHashMap<usize, (State, Vec<Term>)> {
        let mut places: Vec<usize> = points.all.iter().map(|point| point.at).collect();
        places.dedup();
        places.retain(|&at| region.place.is_none_or(|place| place < at));
        let mut changes = points.changes.iter().peekable();
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut looks, mut values) = (Vec::new(), Vec::new());
        for at in places {
            while let Some((_, variable, value)) = changes.next_if(|(from, ..)| *from < at) {
                match value {
                    Some(value) => drop(now.insert(*variable, *value)),
                    None => drop(now.remove(variable)),
                }
            }
            looks.push(Look { at, changed: now.keys().copied().collect() });
            values.push(now.clone());
        }
        let asked = Looks { places: &looks, closely: None };
        let looked: usize = values.iter().map(FxHashMap::len).sum();
        self.spend(looks.len() + looked, costs::STEP);
        self.spend(view.unfolded.trace.path.len(), costs::EDGE);
        let found = self.failure.states(&region.forced, &view.unfolded.trace, asked);
        let found = looks.into_iter().zip(values).zip(found.states);
        let known = found.filter_map(|((look, values), state)| {
            let state = state?;
            let values = state.changed.iter().map(|variable| values[variable]).collect();
            Some((look.at, (state, values)))
        });
        known.collect()
    }
}

/// Whether a run goes the same way as the one that its region leaves, up to there, or until it fails.
fn is_same_way(path: &[EdgeId], region: &Region) -> bool {
    let (Some(left), Some(place)) = (&region.left, region.place) else { return true };
    let length = place.min(path.len().saturating_sub(1));
    left.trace.path.get(..length) == Some(&path[..length])
}

/// Whether a run tells what happens at a place if something is otherwise there.
fn tells(points: &[Point], at: usize) -> bool {
    let is_told = |point: &Point| matches!(point.kind, Kind::Condition(_, Otherwise::Untold));
    points.iter().any(|point| point.at == at && is_told(point))
}

/// Values by the numbers of what is free. None if something else has to have a value.
fn by_number(terms: &Terms, values: &FxHashMap<Term, Value>) -> Option<FxHashMap<u32, Value>> {
    values.iter().map(|(&symbol, value)| Some((number(terms, symbol)?, value.clone()))).collect()
}

/// What a run did before a point.
struct Before<'p> {
    /// What all runs do that go the same way.
    region: &'p Region,
    points: &'p Points,
    /// The number of the point.
    number: usize,
}

impl Before<'_> {
    /// How far all go the same way that leave the run at the point.
    fn place(&self) -> Option<usize> {
        self.region.place.max(Some(self.points.all[self.number].at))
    }

    /// What is forced to come to the point in the same way, with these values, and upon the point itself.
    fn forced(&self, values: &FxHashMap<u32, Value>, last: Option<Force>) -> Vec<Forced> {
        let point = &self.points.all[self.number];
        let mut forced: BTreeMap<_, Forced> = BTreeMap::new();
        let mut force = |one: Forced| drop(forced.insert(order(&one), one));
        self.region.forced.iter().cloned().for_each(&mut force);
        for free in self.points.free.iter().filter(|free| free.step < point.step) {
            let (number, value) = (free.number, free.value.clone());
            force(Forced { at: free.at, what: Force::Value { number, value } });
        }
        for earlier in &self.points.all[..self.number] {
            let what = match &earlier.kind {
                Kind::Decision(taken, _) => Force::Edge(*taken),
                Kind::Pointer(number, value, _) => {
                    Force::Value { number: *number, value: value.clone() }
                }
                Kind::Condition(..) | Kind::Print => continue,
            };
            force(Forced { at: earlier.at, what });
        }
        if let Some(what) = last {
            force(Forced { at: point.at, what });
        }
        for one in forced.values_mut() {
            if let Force::Value { number, value } = &mut one.what
                && let Some(new) = values.get(number)
            {
                value.clone_from(new);
            }
        }
        forced.into_values().collect()
    }
}

/// What is forced, and more.
fn with(forced: &[Forced], more: Vec<Forced>) -> Vec<Forced> {
    let mut forced = [forced, &more].concat();
    forced.sort_by_key(order);
    forced
}

/// When something is forced.
fn order(forced: &Forced) -> (usize, (u8, u32)) {
    let rank = match forced.what {
        Force::Value { number, .. } => (0, number),
        Force::Output => (2, 0),
        _ => (1, 0),
    };
    (forced.at, rank)
}
