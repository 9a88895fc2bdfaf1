//! States that are the same in what matters.
//!
//! Runs that fill an array in different ways are in different [states](super::merge), and go on separately even if they fail before
//! the array is read. So where all ways are tried in their order, a state need not be the same as another in all of memory, but
//! only in what is read from there on: by the run that was in the other state, by those that leave it later, and by those to which
//! they leave the rest. Then the same ways can be taken from both, they do the same, and if none of the one helps, none of the
//! other does. Where it is known in which conditions something ends up that is read, it need not even be the same: the conditions
//! must hold (see [`segments`](super::segments)).
//!
//! What is read becomes known while others are already waiting for it. Whenever more of memory turns out to be needed in a
//! state, those that wait there are looked at again. Who is no longer the same goes on by itself. The others pass on what is needed to
//! the states that led to them, up to what is written in between. A state may so come to wait for one that depends on it. That is
//! no circle: it is about runs that are shorter by the way between them.

use std::rc::Rc;

use failure::{Areas, Forced};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

use super::knowledge::{Knowledge, leave_out_what_follows};
use super::merge::{Changeable, Renamed, States};
use super::names::Names;
use super::runs::Point;
use super::search::{Begun, Next};
use super::segments::{Needed, Segment};
use super::solve::Solving;
use crate::costs;

/// What is kept of a place counts as so much.
const PLACE: usize = 4;

/// The states that runs have been in.
#[derive(Default)]
pub(super) struct Covering {
    /// By the number of the run.
    paths: FxHashMap<usize, Path>,
    nodes: Vec<Node>,
    /// By what is not in memory.
    known: FxHashMap<u64, Vec<Group>>,
    /// The runs that have to go on after all.
    pub reopened: Vec<Next>,
    pub size: usize,
}

/// A run.
struct Path {
    /// The run that it leaves, and where.
    from: Option<(usize, usize)>,
    places: Vec<Place>,
}

/// A place in the path of a run.
struct Place {
    /// What is done from there to the next.
    segment: Segment,
    /// What matters from there on.
    needed: Needed,
    node: Option<usize>,
}

/// A state from which a run goes on.
struct Node {
    /// The run, and which of its places it is.
    run: usize,
    place: usize,
    seen: Seen,
    view: View,
    waiting: Vec<Waiting>,
}

/// A state, and what holds there.
#[derive(Clone)]
struct Seen {
    here: Rc<Changeable>,
    before: Rc<[Term]>,
}

/// What matters in a state.
#[derive(Clone)]
struct View {
    /// In memory: what cannot be changed, and the numbers of the values that can be.
    fingerprint: u64,
    changed: Vec<usize>,
    /// The values that can be changed, and what holds about them, in new names.
    values: Rc<[Term]>,
    known: Rc<Knowledge>,
}

/// States of which the same is needed, by what is there.
struct Group {
    needed: Areas,
    nodes: FxHashMap<u64, Vec<usize>>,
}

/// A run that is in a like state.
struct Waiting {
    forced: Vec<Forced>,
    begun: Begun,
    place: usize,
    seen: Seen,
    view: View,
}

/// What is needed to compare values that can be changed.
pub(super) struct Comparing<'a, 's> {
    pub terms: &'a mut Terms,
    pub solving: &'a mut Solving<'s>,
    pub renamed: &'a mut Renamed,
    pub names: &'a Names,
}

impl Comparing<'_, '_> {
    /// Whether conditions hold in a state.
    fn hold(&self, Seen { here, .. }: &Seen, conditions: &[Term]) -> bool {
        let memory = here.state.memory.as_ref();
        memory.is_some_and(|memory| self.names.hold(self.terms, conditions, memory))
    }

    /// What matters in a state, if something else did before. None if nothing is known about memory.
    fn view(
        &mut self,
        Seen { here, before }: &Seen,
        needed: &Areas,
        earlier: Option<&View>,
    ) -> Option<View> {
        let memory = here.state.memory.as_ref()?;
        let (fingerprint, changed) = memory.within(needed);
        if let Some(earlier) = earlier.filter(|earlier| earlier.changed == changed) {
            return Some(View { fingerprint, ..earlier.clone() });
        }
        let others = &here.values[memory.changed.len()..];
        let own = changed.iter().map(|&number| here.values[number]);
        let mut values: Vec<Term> = own.chain(others.iter().copied()).collect();
        let mut conditions = match values.is_empty() {
            true => Vec::new(),
            false => self.solving.about(self.terms, before, &values),
        };
        self.put_in(&mut values, &mut conditions);
        self.leave_out(&values, &mut conditions);
        let (values, conditions) = self.renamed.rename(self.terms, &values, &conditions);
        let known = Knowledge::of(self.terms, &conditions);
        Some(View { fingerprint, changed, values: values.into(), known: Rc::new(known) })
    }

    /// Puts in what symbols are equal to, where that is known, so that it does not matter how it is said.
    fn put_in(&mut self, values: &mut [Term], conditions: &mut Vec<Term>) {
        loop {
            let known = Knowledge::of(self.terms, conditions);
            let equal: Vec<(Term, Value)> =
                known.equal(self.terms).filter(|(term, _)| self.terms.is_var(*term)).collect();
            let known: FxHashMap<Term, Term> =
                equal.iter().map(|(symbol, value)| (*symbol, self.terms.constant(value))).collect();
            if known.is_empty() {
                return;
            }
            for term in values.iter_mut().chain(conditions.iter_mut()) {
                *term = self.terms.substitute(*term, &mut |symbol| known.get(&symbol).copied());
            }
            *conditions = self.solving.about(self.terms, conditions, values);
        }
    }

    /// Leaves out what is said about symbols that do not matter any more, if nothing follows for those that do.
    fn leave_out(&mut self, values: &[Term], conditions: &mut Vec<Term>) {
        let mut is_done = conditions.is_empty();
        while !is_done {
            is_done = true;
            leave_out_what_follows(self.terms, conditions);
            let of = |&condition: &Term| self.solving.symbols_of(self.terms, condition);
            let symbols: Vec<Rc<[Term]>> = conditions.iter().map(of).collect();
            let mut counts: FxHashMap<Term, u32> = FxHashMap::default();
            for &symbol in symbols.iter().flat_map(|own| own.iter()) {
                *counts.entry(symbol).or_default() += 1;
            }
            for symbol in self.terms.variables_of(values) {
                counts.insert(symbol, u32::MAX);
            }
            let known = std::mem::take(conditions).into_iter();
            conditions.extend(known.filter_map(|condition| {
                match without(self.terms, condition, |symbol| counts.get(&symbol) == Some(&1)) {
                    None => Some(condition),
                    Some(rest) => {
                        is_done = false;
                        (!self.terms.is_true(rest)).then_some(rest)
                    }
                }
            }));
        }
        *conditions = self.solving.about(self.terms, conditions, values);
    }
}

impl View {
    /// Whether another is the same, and no more is known about it.
    fn is_like(&self, other: &View) -> bool {
        self.fingerprint == other.fingerprint
            && self.values == other.values
            && self.known.implies(&other.known)
    }
}

impl Covering {
    /// A run begins, which leaves another at a place.
    pub fn begin(
        &mut self,
        run: usize,
        from: Option<(usize, usize)>,
        states: &States,
        comparing: &mut Comparing<'_, '_>,
    ) {
        let places = &mut self.paths.entry(run).or_insert(Path { from, places: Vec::new() }).places;
        let known = places.len();
        let mut needed = Needed::default();
        for segment in states.segments.get(known..).unwrap_or(&[]).iter().rev() {
            needed = segment.needed(comparing.terms, comparing.names, &needed);
            let (segment, needed) = (segment.clone(), needed.clone());
            places.push(Place { segment, needed, node: None });
        }
        places[known..].reverse();
        self.size += usize::from(known == 0) + PLACE * (places.len() - known);
        let place = match known.checked_sub(1) {
            // It was left to others from there on.
            Some(last) => {
                let segment = &places[last].segment;
                Some(((run, last), segment.needed(comparing.terms, comparing.names, &needed)))
            }
            None => self.left(run, &needed, comparing),
        };
        if let Some((place, needed)) = place {
            self.need(place, needed, comparing);
        }
    }

    /// Whether a run need not go on from a point, because another does from a state that is the same in what matters. Else it
    /// goes on.
    pub fn is_covered(
        &mut self,
        states: &States,
        point: &Point,
        before: &[Term],
        (forced, begun): (&[Forced], Begun),
        comparing: &mut Comparing<'_, '_>,
    ) -> bool {
        let run = begun.number;
        let Some(here) = states.here(point) else { return false };
        let Some(path) = self.paths.get(&run) else { return false };
        let place = path.places.partition_point(|place| place.segment.at < point.at);
        let Some(own) = path.places.get(place).filter(|own| own.segment.at == point.at) else {
            return false;
        };
        if own.node.is_some() {
            return false;
        }
        let seen = Seen { here: Rc::clone(here), before: before.into() };
        let mut view = None;
        if let Some(node) = self.like(run, &seen, &mut view, comparing)
            && let Some(view) = view
        {
            let needed = self.needed(node).clone();
            self.size += 2 + forced.len();
            let waiting = Waiting { forced: forced.to_vec(), begun, place, seen, view };
            self.nodes[node].waiting.push(waiting);
            if let Some(path) = self.paths.get_mut(&run) {
                self.size -= PLACE * (path.places.len() - place - 1);
                path.places.truncate(place + 1);
            }
            self.need((run, place), needed, comparing);
            return true;
        }
        let view = comparing.view(&seen, &own.needed.areas, view.as_ref());
        let Some(view) = view else { return false };
        let node = self.nodes.len();
        let memory = here.state.memory.as_ref().map_or(0, |memory| memory.contents.size());
        self.size += 4 + (here.values.len() + before.len() + memory / 8) / 8;
        self.nodes.push(Node { run, place, seen, view, waiting: Vec::new() });
        if let Some(own) = self.place((run, place)) {
            own.node = Some(node);
        }
        self.insert(node);
        false
    }

    /// A state that is the same in what matters, which is viewed.
    fn like(
        &self,
        run: usize,
        seen: &Seen,
        viewed: &mut Option<View>,
        comparing: &mut Comparing<'_, '_>,
    ) -> Option<usize> {
        let (state, here) = (&seen.here.state, &seen.here);
        let memory = state.memory.as_ref()?;
        for group in self.known.get(&state.fingerprint)? {
            let (fingerprint, _) = memory.within(&group.needed);
            let Some(nodes) = group.nodes.get(&fingerprint) else { continue };
            let view = viewed.insert(comparing.view(seen, &group.needed, viewed.as_ref())?);
            let is_like = |&number: &usize| {
                let node = &self.nodes[number];
                here.is_after(node.seen.here.state.effort, node.run == run)
                    && view.is_like(&node.view)
                    && comparing.hold(seen, &self.needed(number).conditions)
            };
            let at = nodes.iter().position(is_like);
            let looked = at.map_or(nodes.len(), |at| at + 1);
            comparing.solving.spend(looked, costs::LOOK);
            if let Some(at) = at {
                return Some(nodes[at]);
            }
        }
        None
    }

    fn place(&mut self, (run, place): (usize, usize)) -> Option<&mut Place> {
        self.paths.get_mut(&run)?.places.get_mut(place)
    }

    fn needed(&self, node: usize) -> &Needed {
        let Node { run, place, .. } = &self.nodes[node];
        &self.paths[run].places[*place].needed
    }

    /// Where a run leaves another: the last place of that, and what is needed there if this is needed where it is left.
    fn left(
        &self,
        mut run: usize,
        needed: &Needed,
        comparing: &Comparing<'_, '_>,
    ) -> Option<((usize, usize), Needed)> {
        loop {
            let (other, at) = self.paths.get(&run)?.from?;
            let places = &self.paths.get(&other)?.places;
            match places.partition_point(|place| place.segment.at <= at).checked_sub(1) {
                Some(place) => {
                    let segment = &places[place].segment;
                    let needed = match segment.at == at {
                        true => needed.clone(),
                        false => segment.before_a_part(comparing.terms, comparing.names, needed),
                    };
                    return Some(((other, place), needed));
                }
                None => run = other,
            }
        }
    }

    /// At a place, this is needed; and so at those before.
    fn need(&mut self, place: (usize, usize), needed: Needed, comparing: &mut Comparing<'_, '_>) {
        let mut queue = vec![(place, needed)];
        while let Some(((run, place), needed)) = queue.pop() {
            let Some(own) = self.place((run, place)) else { continue };
            let new = own.needed.join(&needed, comparing.terms, comparing.names);
            let Some(new) = new else { continue };
            if let Some(node) = own.node {
                self.look_again(node, &new, comparing, &mut queue);
            }
            match place.checked_sub(1) {
                Some(before) => {
                    let Some(earlier) = self.place((run, before)) else { continue };
                    let needed = earlier.segment.before(comparing.terms, comparing.names, &new);
                    queue.push(((run, before), needed));
                }
                None => queue.extend(self.left(run, &new, comparing)),
            }
        }
    }

    /// More is needed at a state: who waits there may no longer be in a like one.
    fn look_again(
        &mut self,
        number: usize,
        new: &Needed,
        comparing: &mut Comparing<'_, '_>,
        queue: &mut Vec<((usize, usize), Needed)>,
    ) {
        let is_wider = !new.areas.is_empty();
        let areas = self.needed(number).areas.clone();
        if is_wider {
            self.remove(number);
            let Node { seen, view, .. } = &self.nodes[number];
            let Some(view) = comparing.view(seen, &areas, Some(view)) else { return };
            self.nodes[number].view = view;
            self.insert(number);
        }
        for mut waiting in std::mem::take(&mut self.nodes[number].waiting) {
            let is_like = comparing.hold(&waiting.seen, &new.conditions)
                && (!is_wider || {
                    let own = comparing.view(&waiting.seen, &areas, Some(&waiting.view));
                    own.is_some_and(|own| {
                        waiting.view = own;
                        waiting.view.is_like(&self.nodes[number].view)
                    })
                });
            if is_like {
                queue.push(((waiting.begun.number, waiting.place), new.clone()));
                self.nodes[number].waiting.push(waiting);
                continue;
            }
            let Waiting { forced, begun, seen, .. } = waiting;
            self.size -= 2 + forced.len();
            let from = self.paths.get(&begun.number).and_then(|path| path.from);
            let mut next = Next::new(forced, from.map(|(_, at)| at), seen.here.state.effort);
            (next.parent, next.begun) = (from.map_or(0, |(run, _)| run), Some(begun));
            self.reopened.push(next);
        }
    }

    fn insert(&mut self, number: usize) {
        let needed = self.needed(number).areas.clone();
        let Node { seen, view, .. } = &self.nodes[number];
        let groups = self.known.entry(seen.here.state.fingerprint).or_default();
        let at = groups.iter().position(|group| group.needed == needed).unwrap_or_else(|| {
            groups.push(Group { needed, nodes: FxHashMap::default() });
            groups.len() - 1
        });
        groups[at].nodes.entry(view.fingerprint).or_default().push(number);
    }

    fn remove(&mut self, number: usize) {
        let Node { seen, view, .. } = &self.nodes[number];
        let Some(groups) = self.known.get_mut(&seen.here.state.fingerprint) else { return };
        for group in groups.iter_mut() {
            let Some(nodes) = group.nodes.get_mut(&view.fingerprint) else { continue };
            nodes.retain(|&node| node != number);
            if nodes.is_empty() {
                group.nodes.remove(&view.fingerprint);
            }
        }
        groups.retain(|group| !group.nodes.is_empty());
    }
}

/// That a comparison holds for some value of a symbol that is only compared there; None if there is no such symbol.
fn without(terms: &mut Terms, condition: Term, is_free: impl Fn(Term) -> bool) -> Option<Term> {
    let (is_not, compared) = match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[compared]) => (true, compared),
        _ => (false, condition),
    };
    let (op, &[a, b]) = (terms.op(compared), terms.args(compared)) else {
        return None;
    };
    let &Sort::BitVec(width) = terms.sort(a) else { return None };
    let is_alone = |terms: &Terms, it: Term, other: Term| {
        terms.is_var(it) && is_free(it) && !terms.mentions(other, it)
    };
    let (other, is_less) = match () {
        () if is_alone(terms, a, b) => (b, true),
        () if is_alone(terms, b, a) => (a, false),
        () => return None,
    };
    let (all, low) = (u128::MAX >> (128 - width), 1 << (width - 1));
    // Nothing is less than the least, or more than the most.
    let last = match (op, is_less) {
        (Op::Eq, _) => return Some(terms.bool(true)),
        (Op::BvUlt | Op::BvSlt, _) if is_not => return Some(terms.bool(true)),
        (Op::BvUlt, true) => 0,
        (Op::BvUlt, false) => all,
        (Op::BvSlt, true) => low,
        (Op::BvSlt, false) => all ^ low,
        _ => return None,
    };
    let last = terms.constant(&Value::bitvec(width, last));
    let is_last = terms.eq(other, last);
    Some(terms.not(is_last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let (mut terms, sort) = (Terms::new(), Sort::BitVec(3));
        let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
        let mut comparisons = vec![terms.eq(x, y)];
        for op in [Op::BvUlt, Op::BvSlt] {
            comparisons.extend([terms.bit_operation(op, x, y), terms.bit_operation(op, y, x)]);
        }
        let opposite: Vec<Term> = comparisons.iter().map(|&one| terms.not(one)).collect();
        comparisons.extend(opposite);
        for condition in comparisons {
            let rest = without(&mut terms, condition, |symbol| symbol == x).unwrap();
            let holds = |term: Term, x_is: u128, y_is: u128| {
                let value = |symbol| Value::bitvec(3, if symbol == x { x_is } else { y_is });
                term::evaluate(&terms, term, &mut |symbol| Some(value(symbol)))
                    == Some(Value::Bool(true))
            };
            for value in 0..8 {
                let can_hold = (0..8).any(|other| holds(condition, other, value));
                assert_eq!(holds(rest, 0, value), can_hold);
            }
        }
    }
}
