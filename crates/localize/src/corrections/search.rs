//! The search for a change that helps: what was seen, what is to be tried, and what must be forced for that.

use std::collections::BTreeMap;
use std::time::Duration;

use failure::{Force, Forced};
use program::EdgeId;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::Spot;
use super::cover::Covering;
use super::merge::{Merging, claimed};
use super::runs::{Changed, Influence, Kind, Point, Run, Which, in_order, needed, place};

/// The search for a change of some statements that helps: what was seen, and what is to be tried.
pub(super) struct Search {
    /// What is forced upon all runs, as long as nothing else happens before.
    pub base: Vec<Forced>,
    pub tree: FxHashMap<u64, Node>,
    queue: BTreeMap<Turn, Next>,
    /// How many were put first, and how many last.
    put: (i64, i64),
    /// What is forced upon them, in all.
    waiting: usize,
    /// How many runs were seen, and the statements that matter in them.
    pub seen: usize,
    pub spots: FxHashSet<Spot>,
    pub merging: Merging,
    pub covering: Covering,
    pub merged_after: usize,
    pub order: Order,
    /// Why nothing follows if no path is left, and after how many instructions.
    pub unknown: Option<(&'static str, u64)>,
    pub queries: u64,
    /// The work that was done.
    pub work: Duration,
    /// Questions that stayed open.
    pub open: u32,
}

/// In which order decisions are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Order {
    /// What does not matter yet is changed later, when it does; it is not known how short the runs are that come of that.
    Any,
    /// All of them, whether they matter or not.
    OfTheRun,
}

/// A run that is to be tried.
pub(super) struct Next {
    pub forced: Vec<Forced>,
    /// The number of the run that it leaves, and the place in the path.
    pub parent: usize,
    pub from: Option<usize>,
    /// How many instructions that took, at least. Where it is no bound, it may be the place itself: it only says which come first.
    pub effort: u64,
    /// What is known if it was looked at before, in part.
    pub begun: Option<Begun>,
}

impl Next {
    pub fn new(forced: Vec<Forced>, from: Option<usize>, effort: u64) -> Next {
        Next { forced: in_order(forced), parent: 0, from, effort, begun: None }
    }
}

/// How far a run was looked at when there had been too many questions.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    /// The number of the run.
    pub number: usize,
    pub part: Part,
    /// How many points have been looked at. That others go on from there counts on this one, so it is not asked again whether
    /// it could leave that to one of them.
    pub points: usize,
    /// The last place up to which decisions matter that did not seem to.
    pub last: Option<usize>,
}

/// When a run is tried: of runs that come to the same, the shortest should be first. Then its number.
type Turn = (u64, i64);

impl Search {
    pub fn new(merged_after: usize, order: Order) -> Search {
        Search::begin(Vec::new(), merged_after, order)
    }

    /// The same, but one that begins with a run upon which this is forced.
    pub fn from(base: Vec<Forced>, merged_after: usize) -> Search {
        Search::begin(base, merged_after, Order::Any)
    }

    fn begin(base: Vec<Forced>, merged_after: usize, order: Order) -> Search {
        let (first, waiting) = (Next::new(base.clone(), None, 0), base.len());
        Search {
            base,
            tree: FxHashMap::default(),
            queue: BTreeMap::from([((0, 0), first)]),
            put: (0, 0),
            waiting,
            seen: 0,
            spots: FxHashSet::default(),
            merging: Merging::default(),
            covering: Covering::default(),
            merged_after,
            order,
            unknown: None,
            queries: 0,
            work: Duration::ZERO,
            open: 0,
        }
    }

    pub fn is_in_order(&self) -> bool {
        self.order == Order::OfTheRun
    }

    pub fn put_first(&mut self, next: Next) {
        self.put.0 -= 1;
        self.waiting += next.forced.len();
        self.queue.insert((next.effort, self.put.0), next);
    }

    pub fn put_last(&mut self, next: Next) {
        self.put.1 += 1;
        self.waiting += next.forced.len();
        self.queue.insert((next.effort, self.put.1), next);
    }

    /// The run that is to be tried next.
    pub fn next(&mut self) -> Option<Next> {
        let (_, next) = self.queue.pop_first()?;
        self.waiting -= next.forced.len();
        Some(next)
    }

    /// How much is kept: in things of about a hundred bytes.
    pub fn size(&self) -> usize {
        self.waiting + self.tree.len() + self.states()
    }

    /// How much is kept of states.
    pub fn states(&self) -> usize {
        self.merging.size + self.covering.size
    }

    /// All runs with up to so many instructions have been tried.
    pub fn tried(&self) -> u64 {
        if !self.is_in_order() {
            return 0;
        }
        let left = self.queue.keys().next().map_or(u64::MAX, |(effort, _)| *effort);
        let unknown = self.unknown.map_or(u64::MAX, |(_, effort)| effort);
        claimed(left.min(unknown).saturating_sub(1))
    }

    /// What happens after so many instructions is not known.
    pub fn leave(&mut self, why: &'static str, effort: u64) {
        let before = self.unknown.map_or(u64::MAX, |(_, before)| before);
        self.unknown = Some((why, before.min(effort)));
    }
}

/// The part of a run that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub which: Which,
    /// The last place in the path.
    pub last: usize,
}

/// A place in the tree: what has been seen there.
#[derive(Default)]
pub(super) struct Node {
    /// Where what happens otherwise is only known by trying: the index in the path.
    pub pinned: Option<usize>,
    pub conditions: Vec<Term>,
    pub edges: Vec<EdgeId>,
    pub values: Vec<Value>,
}

/// What must be forced to come to a point in the same way, with other values of some symbols. All symbols in the
/// conditions before have to stay as they are, and so has what is forced upon all runs.
pub(super) fn prefix(
    run: &Run,
    influence: &Influence,
    point: &Point,
    conditions: &[Term],
    values: &[(Term, Value)],
    base: &[Forced],
    terms: &Terms,
) -> Vec<Forced> {
    let kept = base.iter().filter(|forced| forced.at < point.at);
    let mut wished: Vec<(Forced, bool)> = kept.map(|forced| (forced.clone(), false)).collect();
    let mentioned = terms.variables_of(conditions);
    // What is set before the step of the point comes before it.
    let before = |c: &&Changed| c.step < point.step || c.set.is_some() && c.step == point.step;
    for changed in influence.changed.iter().filter(before) {
        if !mentioned.contains(&changed.symbol) {
            continue;
        }
        let old = run.changed_value(changed, terms);
        let new = values.iter().find(|(symbol, _)| *symbol == changed.symbol);
        let new = new.map(|(_, value)| value.clone());
        let is_other = new.is_some() && new != old;
        let Some(value) = new.or(old) else { continue };
        let what = match changed.set {
            Some((home, _)) => Force::Set { home, value },
            None => Force::Value { number: changed.number, value },
        };
        wished.push((Forced { at: changed.at, what }, is_other));
    }
    // A call that prints something else has no step of its own.
    let is_earlier = |earlier: &&Point| (earlier.step, earlier.at) < (point.step, point.at);
    for earlier in influence.points.iter().filter(is_earlier) {
        let what = match &earlier.kind {
            Kind::Free { taken, .. } => Force::Edge(*taken),
            Kind::Pointer { number, value, .. } => {
                Force::Value { number: *number, value: value.clone() }
            }
            Kind::Print => Force::Output,
            _ => continue,
        };
        wished.push((Forced { at: earlier.at, what }, false));
    }
    wished.sort_by_key(|(wish, _)| place(wish));
    needed(wished, &run.forced)
}
