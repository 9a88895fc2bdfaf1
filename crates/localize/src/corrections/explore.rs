//! Whether a change of some statements can make one failing test pass.
//!
//! The statements are free: each of their executions may assign any value, or decide in any way. All paths that the program
//! can take then are taken. The first is the failing run. The conditions that depend on the free values, in their order,
//! are a path through a tree; wherever a condition could be another, the solver is asked for values with
//! which it is, and the program is run with these. So every node of the tree is visited, and when none is left, no
//! change of these statements helps. Of the first runs, a value that prevents the failure itself is tried first; later, the runs
//! come in the order in which they leave others.

use std::cell::Cell;
use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::time::Duration;

use failure::{Courses, Ended, Failure, Force, Forced, Rerun};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use term::{Term, Terms, Value};

use super::course::Known;
use super::cover::Comparing;
use super::effort::Effort;
use super::merge::{Closely, Merging, Renamed, States, followed};
use super::names::Names;
use super::passing::Did;
use super::runs::{Asked, Influence, Kind, Point, Repeated, Run, Taken, Which, repeat};
use super::search::{Begun, Next, Node, Order, Part, Search, prefix};
use super::solve::{Solved, Solving};
use super::{Instead, Needed, Spot, Witness};
use crate::context::Context;
use crate::costs;

/// So many questions may stay open for one set.
const MOST_OPEN: u32 = 2;
/// So many steps of runs are kept: about a gigabyte.
const MOST_STEPS: usize = 3_000_000;
/// So many terms are made: about a gigabyte.
const MOST_TERMS: usize = 10_000_000;
/// So much is kept of sets that are not decided: see [`Search::size`].
const MOST_KEPT: usize = 6_000_000;
/// So many runs are made for a set in any case.
const FEW: usize = 100;
/// No more if no ways are seen to come to the same: they lead nowhere.
const MOST_APART: usize = 10_000;
/// A question to the solver takes as long as so many runs.
const QUERY: usize = 40;

/// A run that could go other ways in more places is not worth it: each of them is a question about all that come before.
pub(super) const MOST_POINTS: usize = 5_000;

pub(super) const MANY_PATHS: &str = "there are too many paths";
const UNTOLD: &str = "what a library function would return is not known";

/// How much is kept of sets that are not decided, for all tests.
pub(super) type Kept = Rc<Cell<usize>>;

/// What is found out about a set of statements.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    /// With this, the test passes.
    Repairs(Vec<Forced>),
    /// Nothing helps. The statements that were executed on the way.
    Never(Rc<[Spot]>),
    Unknown(&'static str),
    /// There are more paths to be tried.
    Unfinished,
}

/// How far a run has been looked at.
enum Looked {
    /// This is to be looked at next.
    Begun(Begun),
    /// The same, when more questions may be asked.
    Paused(Begun),
    Through,
}

/// A run that was made; none if it passed.
struct Made {
    run: Option<Rc<Run>>,
    is_kept: bool,
    /// For so many instructions it was followed.
    most: u64,
}

/// One failing test.
pub(super) struct Explorer<'a> {
    pub failure: &'a Failure<'a>,
    pub(super) context: Context<'a>,
    /// How many there are: they share what there is.
    count: usize,
    pub(super) terms: Terms,
    pub(super) known: Known<'a>,
    pub(super) solving: Solving<'a>,
    renamed: Renamed,
    names: Names,
    /// The runs that were made, by what was forced.
    runs: FxHashMap<Vec<Forced>, Made>,
    /// Whether those that are made now are kept as long as possible.
    pub(super) keeps: bool,
    /// Of runs with up to so many instructions all is to be known.
    pub longest: u64,
    /// Runs are followed for so many.
    most: u64,
    /// At the beginning, they were followed for so many.
    at_first: u64,
    /// The failing one has so many.
    pub failing: u64,
    /// It would have so many if whatever it prints were right.
    whole: u64,
    /// How many instructions the shortest run had that passed.
    shortest: Option<u64>,
    /// What pointers can be changed to; and whether one was.
    pub(super) pointers: Vec<Value>,
    pub has_pointers: bool,
    /// Sets that are not decided yet, and how much is kept of those of all tests.
    unfinished: FxHashMap<(Vec<Spot>, Order), Search>,
    kept: Kept,
    /// Sets of which nothing will become known from short runs.
    given_up: FxHashSet<Vec<Spot>>,
    pub made: u64,
}

impl<'a> Explorer<'a> {
    /// One of so many, which share what may be kept.
    pub fn new(
        failure: &'a Failure<'a>,
        context: Context<'a>,
        count: usize,
        kept: Kept,
    ) -> Explorer<'a> {
        let mut explorer = Explorer {
            failure,
            context,
            count,
            terms: failure.program.terms.clone(),
            known: Known::new(failure.program),
            solving: Solving::new(context),
            renamed: Renamed::default(),
            names: Names::default(),
            runs: FxHashMap::default(),
            keeps: true,
            longest: u64::MAX,
            most: u64::MAX,
            at_first: u64::MAX,
            failing: 0,
            whole: 0,
            shortest: None,
            pointers: Vec::new(),
            has_pointers: false,
            unfinished: FxHashMap::default(),
            kept,
            given_up: FxHashSet::default(),
            made: 0,
        };
        // It may be much longer than the others.
        let (mut terms, mut courses) = (failure.program.terms.clone(), Courses::default());
        let first = failure.rerun(&[], u64::MAX, &mut terms, &mut courses);
        let Rerun { end, effort, .. } = first;
        explorer.failing = effort;
        explorer.whole = super::whole(failure, effort);
        explorer.longest = context.settings.corrections.longest(explorer.whole, end);
        explorer.most = followed(explorer.longest);
        explorer.at_first = explorer.most;
        if let Ok(Some(run)) = explorer.run(Vec::new()) {
            explorer.pointers = run.pointers(failure.program);
        }
        explorer
    }

    /// A change with which the test passes, by statement.
    pub fn witness(&mut self, spots: &[Spot], forced: Vec<Forced>) -> Witness {
        let mut needed: Vec<Needed> = Vec::new();
        for (number, one) in forced.iter().enumerate() {
            // The run up to there is that of what was forced before.
            let before = self.run(forced[..number].to_vec()).ok().flatten();
            let Some(spot) =
                before.as_ref().and_then(|run| run.spot_of(self.failure.program, one, &self.terms))
            else {
                continue;
            };
            if !spots.contains(&spot) {
                continue;
            }
            if let Some(known) = needed.iter_mut().find(|needed| needed.spot == spot) {
                known.executions += 1;
                continue;
            }
            let before = before.as_deref();
            let contradicted = before.and_then(|run| self.contradicted(run, one));
            let instead = match &one.what {
                Force::Value { number, value } => Instead::Value {
                    at: one.at,
                    was: before.and_then(|run| run.numbered(*number)).cloned(),
                    now: value.clone(),
                },
                Force::Set { value, .. } => {
                    Instead::Value { at: one.at, was: None, now: value.clone() }
                }
                Force::Edge(_) => Instead::Decision,
                Force::Output => Instead::Output,
            };
            needed.push(Needed { spot, instead, executions: 1, contradicted });
        }
        Witness { forced, needed }
    }

    /// The passing test in which the statement reads the same values, and does something else.
    fn contradicted(&self, run: &Run, forced: &Forced) -> Option<u32> {
        let needed = match &forced.what {
            Force::Value { value, .. } => Did::Assigned(value.clone()),
            Force::Edge(edge) => Did::Took(*edge),
            Force::Output | Force::Set { .. } => return None,
        };
        let (site, read) = run.read_by(forced, &self.terms)?;
        self.context.settings.corrections.passing.contradicts(site, &read, &needed)
    }

    pub fn queries(&self) -> u64 {
        self.solving.queries
    }

    pub fn work(&self) -> Duration {
        self.solving.work
    }

    /// What was done for all sets.
    pub fn spent(&self) -> Effort {
        Effort { runs: self.made as usize, queries: self.queries(), work: self.work() }
    }

    /// Asks for something, while runs are followed for as long as at the beginning.
    pub fn for_long<T>(&mut self, ask: impl FnOnce(&mut Explorer<'a>) -> T) -> T {
        let most = std::mem::replace(&mut self.most, self.at_first);
        let answer = ask(self);
        self.most = most;
        answer
    }

    /// Whether the run can be repeated, and fails again.
    pub fn repeats(&mut self) -> bool {
        matches!(self.run(Vec::new()), Ok(Some(_)))
    }

    /// The statements of the failing run that can be changed.
    pub fn spots(&mut self) -> Rc<[Spot]> {
        match self.run(Vec::new()) {
            Ok(Some(run)) => in_program_order(&run.spots_of_core().collect()),
            _ => Rc::default(),
        }
    }

    /// The same; those first that are executed last: what is near the failure is quickly tried, and likely to matter.
    pub fn latest_first(&mut self) -> Rc<[Spot]> {
        let mut spots = self.spots().to_vec();
        if let Ok(Some(run)) = self.run(Vec::new()) {
            spots.sort_by_key(|spot| Reverse(run.course.last(spot.site())));
        }
        spots.into()
    }

    /// Runs with what is forced: none if it passes.
    pub(super) fn run(&mut self, forced: Vec<Forced>) -> Result<Option<Rc<Run>>, &'static str> {
        if let Some(Made { run, most, .. }) = self.runs.get(&forced) {
            let is_cut = run.as_ref().is_some_and(|run| run.end == Ended::Cut);
            if !is_cut || *most >= self.most {
                return Ok(run.clone());
            }
        }
        let own = self.terms.len() - self.failure.program.terms.len();
        if own > MOST_TERMS / self.count {
            return Err("the runs are too long");
        }
        if self.known.steps > MOST_STEPS / self.count {
            self.forget();
        }
        self.made += 1;
        let steps = self.known.steps;
        self.solving.spend(self.failure.trace.path.len(), costs::EDGE);
        let (terms, known) = (&mut self.terms, &mut self.known);
        let run = match repeat(self.failure, forced.clone(), self.most, terms, known) {
            Repeated::Passed(effort) => {
                self.shortest = Some(self.shortest.map_or(effort, |known| known.min(effort)));
                None
            }
            Repeated::Run(run) => Some(Rc::new(*run)),
            Repeated::TooLong => return Err("a run is too long"),
        };
        self.solving.spend(self.known.steps - steps, costs::STEP);
        let made = Made { run: run.clone(), is_kept: self.keeps, most: self.most };
        self.runs.insert(forced, made);
        Ok(run)
    }

    /// Forgets runs: all but those with changes of one statement, because they come again with each larger set.
    fn forget(&mut self) {
        self.runs.retain(|_, made| made.is_kept);
        self.known.forget_unused();
        if self.known.steps > MOST_STEPS / self.count / 2 {
            self.runs.clear();
            self.known.forget_unused();
        }
    }

    /// Whether a change of these statements helps. What was begun before is continued.
    pub fn decide(&mut self, spots: &[Spot], effort: Effort) -> Decision {
        self.keeps = spots.len() == 1;
        let mut search = self.resume(spots, Order::Any);
        let decision = self.search(spots, effort, &mut search);
        self.keep(spots, search, &decision);
        decision
    }

    /// The same for short runs only; and up to which length nothing helps.
    pub fn decide_short(&mut self, spots: &[Spot], effort: Effort) -> (Decision, u64) {
        // Nothing is known about the states of others.
        if self.failure.run.is_none() || self.given_up.contains(spots) {
            return (Decision::Unknown(MANY_PATHS), 0);
        }
        self.keeps = false;
        let mut search = self.resume(spots, Order::OfTheRun);
        let decision = self.search(spots, effort, &mut search);
        let length = search.tried().min(self.longest);
        let decision = match decision {
            Decision::Unknown(_) | Decision::Unfinished if self.is_enough(length) => {
                Decision::Never(in_program_order(&search.spots))
            }
            decision => decision,
        };
        if let Decision::Unknown(_) = decision {
            self.given_up.insert(spots.to_vec());
        }
        self.keep(spots, search, &decision);
        (decision, length)
    }

    /// What was begun before, or a new search.
    fn resume(&mut self, spots: &[Spot], order: Order) -> Search {
        self.take(spots, order).unwrap_or_else(|| match order {
            Order::Any => Search::new(self.context.settings.corrections.merged_after, order),
            Order::OfTheRun => Search::new(0, order),
        })
    }

    /// Keeps a search if it is to be continued. Of assignments that are missing, no more is tried.
    fn keep(&mut self, spots: &[Spot], search: Search, decision: &Decision) {
        let is_change = spots.iter().all(|spot| matches!(spot, Spot::Change(_)));
        if matches!(decision, Decision::Unfinished) && is_change {
            self.kept.set(self.kept.get() + search.size());
            self.unfinished.insert((spots.to_vec(), search.order), search);
        }
    }

    /// Nothing more is to be known about a set.
    pub fn let_go(&mut self, spots: &[Spot]) {
        for order in [Order::Any, Order::OfTheRun] {
            drop(self.take(spots, order));
        }
    }

    fn take(&mut self, spots: &[Spot], order: Order) -> Option<Search> {
        let known = self.unfinished.remove(&(spots.to_vec(), order))?;
        self.kept.set(self.kept.get() - known.size());
        Some(known)
    }

    /// Of longer runs, nothing is to be known any more.
    pub fn limit(&mut self, longest: u64) {
        self.longest = self.longest.min(longest);
        self.most = followed(self.longest);
    }

    /// How long runs have to be, so that it says something that all of them have been tried: the failing run, if it had not ended
    /// early, and one that passes, are no longer.
    pub fn enough(&self) -> Option<u64> {
        Some(self.shortest?.max(self.whole).min(self.longest))
    }

    fn is_enough(&self, tried: u64) -> bool {
        self.enough().is_some_and(|enough| tried >= enough)
    }

    pub(super) fn search(&mut self, spots: &[Spot], most: Effort, search: &mut Search) -> Decision {
        let many = self.context.settings.corrections.many;
        loop {
            let tried = search.tried();
            // What is left is about longer runs.
            if search.is_in_order() && tried >= self.longest {
                return Decision::Never(in_program_order(&search.spots));
            }
            let Some(next) = search.next() else { break };
            if search.open >= MOST_OPEN && !search.is_in_order() {
                search.put_first(next);
                return Decision::Unknown("the solver gave up");
            }
            // Of longer runs, nothing will be known.
            if search.is_in_order() && search.unknown.is_some_and(|(_, at)| at <= next.effort) {
                search.put_first(next);
                return Decision::Unfinished;
            }
            if search.seen >= FEW && self.kept.get() + search.size() > MOST_KEPT {
                search.put_first(next);
                return Decision::Unknown(MANY_PATHS);
            }
            let is_apart = search.states() == 0
                && search.seen >= if search.is_in_order() { FEW } else { MOST_APART };
            if is_apart {
                search.put_first(next);
                return Decision::Unknown(MANY_PATHS);
            }
            let is_much = search.seen >= most.runs
                || search.queries > most.queries
                || search.work > most.work;
            let spent = search.seen + QUERY * search.queries as usize;
            let is_enough = search.is_in_order() && spent >= many && self.is_enough(tried);
            if is_much || is_enough || self.context.stop.requested() {
                search.put_first(next);
                return Decision::Unfinished;
            }
            let Next { forced, parent, from, effort, begun } = next;
            let run = match self.run(forced.clone()) {
                Ok(Some(run)) => run,
                Ok(None) => return Decision::Repairs(self.fewest(spots, forced)),
                Err(why) => {
                    search.leave(why, effort);
                    continue;
                }
            };
            let terms = self.terms.len();
            let asked =
                Asked { spots, pointers: &self.pointers, stays: search.is_in_order(), others: &[] };
            let influence = run.influence(self.failure.program, &mut self.terms, asked);
            if influence.lost.is_some() {
                search.leave("a change cannot be followed", effort);
            }
            if influence.points.len() > MOST_POINTS {
                search.leave("the runs are too long", effort);
                return Decision::Unknown("the runs are too long");
            }
            let begun = begun.unwrap_or_else(|| {
                search.seen += 1;
                let set = run.with_all_set(&influence, &self.terms);
                if let Some((forced, first)) = set.filter(|_| run.end.is_unset()) {
                    // Before, it is in the states of this one.
                    let next = Next::new(forced, from.max(Some(first)), effort);
                    search.put_last(Next { parent: search.seen, ..next });
                }
                let which = if search.is_in_order() { Which::All } else { Which::OfTheCore };
                let part = Part { which, last: usize::MAX };
                Begun { number: search.seen, part, points: 0, last: None }
            });
            search.spots.extend(run.spots_of_core());
            // What is in other cells may be needed, too, and no run has read it. And what does not matter here may later.
            if !influence.moved.is_empty() || search.is_in_order() {
                search.spots.extend(run.spots_until(usize::MAX));
            }
            let (queries, open, work) =
                (self.solving.queries, self.solving.open, self.solving.work);
            let states = match begun.number {
                number if number > search.merged_after && influence.lost.is_none() => {
                    let (terms, names) = (&mut self.terms, &mut self.names);
                    let closely = search.is_in_order().then_some(Closely { terms, names, asked });
                    States::of(self.failure, &run, &influence, from, number, closely)
                }
                _ => States::default(),
            };
            if search.is_in_order() {
                if from.is_some() && states.segments.is_empty() {
                    search.leave("the runs are too long", effort);
                }
                let left = from.map(|at| (parent, at));
                search.covering.begin(begun.number, left, &states, &mut self.comparing());
            }
            // At least one question more.
            let most = (
                queries + most.queries.saturating_sub(search.queries) + 1,
                work.saturating_add(most.work.saturating_sub(search.work)),
            );
            let mut looked = Looked::Begun(begun);
            while let Looked::Begun(begun) = looked {
                looked = self.alternatives(&run, &influence, begun, &states, search, most);
            }
            if let Looked::Paused(begun) = looked {
                search.put_first(Next { forced, parent, from, effort, begun: Some(begun) });
            }
            for next in std::mem::take(&mut search.covering.reopened) {
                search.put_last(next);
            }
            self.solving.spend(self.terms.len() - terms, costs::TERM);
            self.solving.spend(run.course.trace().steps.len(), costs::LOOK);
            search.queries += self.solving.queries - queries;
            search.open += self.solving.open - open;
            search.work += self.solving.work - work;
        }
        match search.unknown {
            Some((why, _)) => Decision::Unknown(why),
            None => Decision::Never(in_program_order(&search.spots)),
        }
    }

    /// Adds what leads to other ways up to a place in the path, the latest first. Decisions that do not matter stay as they are. But
    /// if one of them is in the way of another that does, they matter, and are to be looked at, too.
    fn alternatives(
        &mut self,
        run: &Run,
        influence: &Influence,
        begun: Begun,
        states: &States,
        search: &mut Search,
        (most_queries, most_work): (u64, Duration),
    ) -> Looked {
        let Part { which, last } = begun.part;
        let now = run.values_of(influence, &self.terms);
        // Where nothing is known about states, the places come in their order, but none is a bound.
        let by_place = begun.number > search.merged_after && !search.is_in_order();
        let effort = |point: &Point| match states.effort(point.at) {
            0 if by_place => point.at as u64,
            known => known,
        };
        let (unset, steps) = (run.end.is_unset(), run.course.trace().steps.len());
        let mut hasher = FxHasher::default();
        let mut before: Vec<Term> = Vec::new();
        // Those of the core: without what must hold, and the decisions that do not matter.
        let mut core: Vec<Term> = Vec::new();
        let mut is_whole = true;
        // The last place from where another run goes on; and the last where decisions that do not matter are in the way.
        let (mut merged, mut in_the_way) = (None, None);
        let mut paused = None;
        let mut found: Vec<Next> = Vec::new();
        for (number, point) in influence.points.iter().enumerate() {
            if point.at > last {
                is_whole = false;
                break;
            }
            let is_elsewhere = |node: &Node| node.pinned.is_some_and(|at| at != point.at);
            if search.tree.get(&hasher.finish()).is_some_and(is_elsewhere) {
                search.leave(UNTOLD, 0);
            }
            let in_order = search.is_in_order();
            let node = search.tree.entry(hasher.finish()).or_default();
            let is_printed =
                || run.forced.iter().any(|f| f.at == point.at && f.what == Force::Output);
            let is_left = match &point.kind {
                _ if number < begun.points => false,
                Kind::Holds(_) => false,
                Kind::Print if is_printed() => false,
                _ if in_order => {
                    let going_on = (&run.forced[..], Begun { points: number, ..begun });
                    let (covering, mut comparing) = (&mut search.covering, self.comparing());
                    covering.is_covered(states, point, &before, going_on, &mut comparing)
                }
                kind => kind.taken().is_some_and(|taken| {
                    self.is_known(states, point, taken, &before, &mut search.merging)
                }),
            };
            if is_left {
                merged = Some(point.at);
                is_whole = false;
                break;
            }
            point.at.hash(&mut hasher);
            match &point.kind {
                Kind::Free { taken, .. }
                    if which == Which::OfTheCore && !run.course.core[point.step] =>
                {
                    taken.hash(&mut hasher);
                }
                Kind::Free { taken, others } => {
                    // Without a value, it has not gone there.
                    let own = (unset && point.step + 1 == steps).then_some(taken);
                    if own.is_none() && !node.edges.contains(taken) {
                        node.edges.push(*taken);
                    }
                    for &other in others.iter().chain(own) {
                        if node.edges.contains(&other) {
                            continue;
                        }
                        node.edges.push(other);
                        let way = Taken::Edge(other);
                        if self.is_known(states, point, way, &before, &mut search.merging) {
                            merged = Some(point.at);
                            continue;
                        }
                        let mut forced =
                            prefix(run, influence, point, &before, &[], &search.base, &self.terms);
                        forced.push(Forced { at: point.at, what: Force::Edge(other) });
                        found.push(Next::new(forced, Some(point.at), effort(point)));
                    }
                    taken.hash(&mut hasher);
                }
                Kind::Pointer { value, .. }
                    if which == Which::OfTheCore && !run.course.core[point.step] =>
                {
                    value.hash(&mut hasher);
                }
                Kind::Pointer { number, value, others } => {
                    self.has_pointers = true;
                    for other in others {
                        if node.values.contains(other) {
                            continue;
                        }
                        node.values.push(other.clone());
                        let way = Taken::Value(other);
                        if self.is_known(states, point, way, &before, &mut search.merging) {
                            merged = Some(point.at);
                            continue;
                        }
                        let mut forced =
                            prefix(run, influence, point, &before, &[], &search.base, &self.terms);
                        let what = Force::Value { number: *number, value: other.clone() };
                        forced.push(Forced { at: point.at, what });
                        found.push(Next::new(forced, Some(point.at), effort(point)));
                    }
                    if !node.values.contains(value) {
                        node.values.push(value.clone());
                    }
                    value.hash(&mut hasher);
                }
                Kind::Print => {
                    if is_printed() {
                        continue;
                    }
                    // Whatever it prints includes what it did print.
                    is_whole = false;
                    if self.is_known(states, point, Taken::Output, &before, &mut search.merging) {
                        merged = Some(point.at);
                        break;
                    }
                    let mut forced =
                        prefix(run, influence, point, &before, &[], &search.base, &self.terms);
                    forced.push(Forced { at: point.at, what: Force::Output });
                    found.push(Next::new(forced, Some(point.at), effort(point)));
                    break;
                }
                Kind::Decides(condition)
                    if which == Which::OfTheCore && !run.course.core[point.step] =>
                {
                    condition.hash(&mut hasher);
                    before.push(*condition);
                }
                Kind::Holds(condition) => {
                    condition.hash(&mut hasher);
                    before.push(*condition);
                }
                Kind::Decides(condition) | Kind::Pinned(condition) => {
                    let is_new = !node.conditions.contains(condition);
                    let is_much =
                        self.solving.queries >= most_queries || self.solving.work > most_work;
                    if is_new && is_much && number > begun.points {
                        (paused, is_whole) = (Some(number), false);
                        break;
                    }
                    let mut goals: Vec<Term> = Vec::new();
                    if is_new {
                        node.conditions.push(*condition);
                        if let Kind::Pinned(_) = point.kind {
                            node.pinned = Some(point.at);
                        }
                        goals.extend(node.conditions.iter().map(|&c| self.terms.not(c)));
                    }
                    let way = Taken::Conditions(&goals);
                    if is_new && self.is_known(states, point, way, &before, &mut search.merging) {
                        merged = Some(point.at);
                    } else if is_new {
                        let solved = self.solving.solve(&mut self.terms, &before, &goals, &now);
                        let is_possible = !matches!(solved, Solved::Impossible);
                        match solved {
                            Solved::Values(values) => {
                                let variables = [&before[..], &goals].concat();
                                let forced = prefix(
                                    run,
                                    influence,
                                    point,
                                    &variables,
                                    &values,
                                    &search.base,
                                    &self.terms,
                                );
                                found.push(Next::new(forced, Some(point.at), effort(point)));
                            }
                            Solved::Impossible
                                if which == Which::OfTheCore && core.len() < before.len() =>
                            {
                                let (terms, solving) = (&mut self.terms, &mut self.solving);
                                let solved = solving.solve(terms, &core, &goals, &now);
                                // Who changes what is in the way may change how the run ends: a check may be avoided.
                                if !matches!(solved, Solved::Impossible) {
                                    in_the_way = Some(point.at);
                                }
                            }
                            Solved::Impossible => {}
                            Solved::Unknown => {
                                search.leave("the solver gave up", states.effort(point.at));
                            }
                        }
                        let foreign = self.terms.variables_of(&goals);
                        if is_possible && foreign.iter().any(|symbol| !now.contains_key(symbol)) {
                            search.leave(UNTOLD, states.effort(point.at));
                        }
                    }
                    condition.hash(&mut hasher);
                    before.push(*condition);
                    core.push(*condition);
                }
            }
        }
        // What is pinned is tried out until nothing else is possible. For that, each run must say when it is otherwise, too.
        if is_whole && search.tree.get(&hasher.finish()).is_some_and(|node| node.pinned.is_some()) {
            search.leave(UNTOLD, 0);
        }
        let wrong_output = matches!(run.end, Ended::Failed { .. });
        for (number, next) in found.into_iter().rev().enumerate() {
            let next = Next { parent: begun.number, ..next };
            // What prevents the failure itself comes first, among the first runs.
            match number == 0 && wrong_output {
                true => search.put_first(next),
                false => search.put_last(next),
            }
        }
        // What matters before a place from where another run goes on depends on how that ends.
        let last = begun.last.max(merged).max(in_the_way);
        if let Some(points) = paused {
            return Looked::Paused(Begun { points, last, ..begun });
        }
        let Some(last) = last else { return Looked::Through };
        search.spots.extend(run.spots_until(last));
        match which {
            Which::All => Looked::Through,
            Which::OfTheCore => {
                let part = Part { which: Which::All, last };
                Looked::Begun(Begun { part, points: 0, last: None, ..begun })
            }
        }
    }

    fn comparing(&mut self) -> Comparing<'_, 'a> {
        let Explorer { terms, solving, renamed, names, .. } = self;
        Comparing { terms, solving, renamed, names }
    }

    /// Whether another run tries all that can happen if this is done at a point.
    fn is_known(
        &mut self,
        states: &States,
        point: &Point,
        taken: Taken<'_>,
        before: &[Term],
        merging: &mut Merging,
    ) -> bool {
        let Some(way) = states.way(point, taken) else { return false };
        let conditions = self.solving.about(&self.terms, before, &way.terms);
        self.solving.spend(before.len() + way.terms.len() + conditions.len(), costs::RENAMING);
        merging.is_known(way, &conditions, &mut self.terms, &mut self.renamed)
    }
}

fn in_program_order(spots: &FxHashSet<Spot>) -> Rc<[Spot]> {
    let mut spots: Vec<Spot> = spots.iter().copied().collect();
    spots.sort_unstable();
    spots.into()
}
