//! The covering of a trace by intervals, with the fewest commands between them.
//!
//! A position is before a command. An interval of positions is *valid* if one formula is an error invariant
//! at all of them. With the weakest ones at hand that is easy to decide: their conjunction over the interval is
//! the weakest candidate, so it must hold in the run at each position of the interval. (The paper asks for this only
//! at the two ends. Then the formula need not be true in between, and a reader who looks would be surprised.)
//!
//! Parts of valid intervals are valid. So taking the longest interval from the left, again and again, needs the
//! fewest; and taking them from the right does, too. Between the cuts of these two coverings lie those of all others
//! that have as many. Of these, the simplest is found as a shortest path: its cuts are commands whose effect matters,
//! if possible, and its invariants are short.
//!
//! Two kinds of commands are special. If the premises of a command are needed, it must be a cut: that it was
//! executed is part of the explanation (the paper's auxiliary variables have this purpose). And a command that has premises
//! but no effect that matters cannot be a cut, because the invariants before it need not imply its premises.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::decide::Decide;
use super::weakest::{Id, Weakest};
use crate::commands::{Commands, Effect};

/// What may be done with a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It must be kept.
    Forced,
    /// It may be kept, and assigns something that matters.
    Live,
    /// It may be kept.
    Dead,
    /// It cannot be kept.
    Barred,
}

/// The role of each command.
pub fn roles(commands: &Commands<'_>, weakest: &Weakest) -> Vec<Role> {
    let mut roles = Vec::with_capacity(commands.list.len());
    let mut known: Option<(Rc<[Id]>, FxHashSet<Term>)> = None;
    for (at, command) in commands.list.iter().enumerate() {
        let after = &weakest.at[at + 1];
        let same = known.as_ref().is_some_and(|(ids, _)| Rc::ptr_eq(ids, after));
        if !same {
            let all = after.iter().flat_map(|&id| weakest.variables[id as usize].iter().copied());
            known = Some((Rc::clone(after), all.collect()));
        }
        let Some((_, variables)) = &known else { continue };
        let live = match command.action {
            Effect::Assign { variable, .. } => variables.contains(&variable),
            Effect::Assume { .. } => weakest.at[at] != *after,
            Effect::Decision { remembers } => {
                remembers.is_some_and(|(own, _)| variables.contains(&own))
                    || variables.iter().any(|&v| commands.frames(at, v))
            }
        };
        let guarded = !command.premises.is_empty();
        roles.push(match (live, guarded, command.action) {
            (false, _, Effect::Assume { .. } | Effect::Decision { .. }) => Role::Barred,
            (false, false, _) => Role::Dead,
            (false, true, _) => Role::Barred,
            (true, true, Effect::Assign { .. }) => Role::Forced,
            (true, _, Effect::Decision { .. })
                if variables.iter().any(|&v| commands.frames(at, v)) =>
            {
                Role::Forced
            }
            // Of a condition, what is claimed before it may be less than its premises.
            (true, true, Effect::Assume { .. }) => Role::Barred,
            (true, ..) => Role::Live,
        });
    }
    roles
}

/// How good a covering is; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cost {
    pub kept: usize,
    pub dead: usize,
    pub size: usize,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost {
            kept: self.kept + other.kept,
            dead: self.dead + other.dead,
            size: self.size + other.size,
        }
    }
}

/// How many positions may be looked at in the search for the simplest covering.
const BUDGET: usize = 300_000;

/// The commands to keep, in order, and the cost.
pub fn cover(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    roles: &[Role],
    decide: &mut Decide<'_>,
) -> Option<(Vec<usize>, Cost)> {
    let end = commands.list.len();
    let latest = from_the_left(commands, weakest, roles, decide)?;
    let earliest = from_the_right(commands, weakest, roles, decide, end)?;
    if latest.len() != earliest.len() {
        // Questions that were left open: validity is then not exactly hereditary.
        let cost = Cost { kept: latest.len(), ..Cost::default() };
        return Some((latest, cost));
    }
    let candidates: Vec<Vec<usize>> = earliest
        .iter()
        .zip(&latest)
        .map(|(&from, &to)| (from..=to).filter(|&at| may_cut(roles[at])).collect())
        .collect();
    simplest(commands, weakest, roles, decide, &candidates)
        .or_else(|| Some((latest.clone(), Cost { kept: latest.len(), ..Cost::default() })))
}

fn may_cut(role: Role) -> bool {
    role != Role::Barred
}

fn from_the_left(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    roles: &[Role],
    decide: &mut Decide<'_>,
) -> Option<Vec<usize>> {
    let end = commands.list.len();
    let mut cuts: Vec<usize> = Vec::new();
    let mut start = 0;
    'intervals: loop {
        let mut window = Window::new(start);
        if !window.add(commands, weakest, start, decide) {
            return None;
        }
        let mut cut = None;
        loop {
            let at = window.high;
            if at == end {
                return Some(cuts);
            }
            if may_cut(roles[at]) {
                cut = Some(at);
            }
            if decide.stop.requested() {
                return None;
            }
            if roles[at] == Role::Forced || !window.add(commands, weakest, at + 1, decide) {
                let cut = cut?;
                cuts.push(cut);
                start = cut + 1;
                continue 'intervals;
            }
        }
    }
}

fn from_the_right(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    roles: &[Role],
    decide: &mut Decide<'_>,
    end: usize,
) -> Option<Vec<usize>> {
    let mut cuts: Vec<usize> = Vec::new();
    let mut last = end;
    'intervals: loop {
        let mut window = Window::new(last);
        if !window.add(commands, weakest, last, decide) {
            return None;
        }
        let mut cut = None;
        loop {
            let at = window.low;
            if at == 0 {
                cuts.reverse();
                return Some(cuts);
            }
            if may_cut(roles[at - 1]) {
                cut = Some(at - 1);
            }
            if decide.stop.requested() {
                return None;
            }
            if roles[at - 1] == Role::Forced || !window.add(commands, weakest, at - 1, decide) {
                let cut = cut?;
                cuts.push(cut);
                last = cut;
                continue 'intervals;
            }
        }
    }
}

/// The best choice of one cut from each list. None if that takes too long.
fn simplest(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    roles: &[Role],
    decide: &mut Decide<'_>,
    candidates: &[Vec<usize>],
) -> Option<(Vec<usize>, Cost)> {
    let end = commands.list.len();
    let mut budget = BUDGET;
    // The best way to each start of an interval: its cost and the cut before.
    let mut best: Vec<FxHashMap<usize, (Cost, Option<usize>)>> =
        vec![FxHashMap::from_iter([(0, (Cost::default(), None))])];
    let last = [end];
    for number in 0..=candidates.len() {
        let ends = candidates.get(number).map_or(&last[..], Vec::as_slice);
        let mut next: FxHashMap<usize, (Cost, Option<usize>)> = FxHashMap::default();
        let mut starts: Vec<(usize, Cost)> =
            best[number].iter().map(|(start, (cost, _))| (*start, *cost)).collect();
        starts.sort_unstable();
        for (start, cost) in starts {
            let mut window = Window::new(start);
            let mut at = start;
            while window.add(commands, weakest, at, decide) {
                budget = budget.checked_sub(1)?;
                if ends.binary_search(&at).is_ok() {
                    let dead = at < end && roles[at] == Role::Dead;
                    let kept = usize::from(at < end);
                    let own = Cost { kept, dead: dead.into(), size: window.size };
                    let all = cost.plus(own);
                    let from = start.checked_sub(1);
                    let known = next.entry(at + 1).or_insert((all, from));
                    // Of equal ones, the later cut.
                    if (all, std::cmp::Reverse(from)) < (known.0, std::cmp::Reverse(known.1)) {
                        *known = (all, from);
                    }
                }
                if at == end || Some(&at) >= ends.last() || roles[at] == Role::Forced {
                    break;
                }
                at += 1;
            }
        }
        best.push(next);
    }
    let (cost, _) = *best.last()?.get(&(end + 1))?;
    let mut cuts = Vec::new();
    let mut start = end + 1;
    for level in best.iter().rev() {
        match level.get(&start)?.1 {
            Some(cut) => {
                cuts.push(cut);
                start = cut + 1;
            }
            None => break,
        }
    }
    cuts.reverse();
    Some((cuts, cost))
}

/// An interval that grows, with what must hold in it.
struct Window {
    low: usize,
    high: usize,
    ids: FxHashSet<Id>,
    by_variable: FxHashMap<Term, Vec<Id>>,
    /// The size of what must hold.
    size: usize,
}

impl Window {
    fn new(at: usize) -> Window {
        Window {
            low: at,
            high: at,
            ids: FxHashSet::default(),
            by_variable: FxHashMap::default(),
            size: 0,
        }
    }

    /// Adds a position next to it, or its first one. Says whether it is still valid; if not, it is of no use any more,
    /// but its ends stay as they were.
    fn add(
        &mut self,
        commands: &mut Commands<'_>,
        weakest: &Weakest,
        at: usize,
        decide: &mut Decide<'_>,
    ) -> bool {
        let (low, high) = (self.low.min(at), self.high.max(at));
        // What was required so far, in the new state.
        let changed = if at < self.low { at } else { at.wrapping_sub(1) };
        if (at != self.low || at != self.high)
            && let Some(command) = commands.list.get(changed)
        {
            let variable = match command.action {
                Effect::Assign { variable, .. } => Some(variable),
                Effect::Decision { remembers } => remembers.map(|(variable, _)| variable),
                Effect::Assume { .. } => None,
            };
            let required =
                variable.and_then(|v| self.by_variable.get(&v)).map_or(&[][..], Vec::as_slice);
            if !required.iter().all(|&id| holds(commands, weakest, id, at, decide)) {
                return false;
            }
        }
        // What is required there, in all states.
        for &id in weakest.at[at].iter() {
            if self.ids.contains(&id) {
                continue;
            }
            let variables = Rc::clone(&weakest.variables[id as usize]);
            let mut positions = vec![low];
            for &variable in variables.iter() {
                positions.extend(commands.states.changes(variable, low, high));
            }
            positions.sort_unstable_by_key(|&position| position.abs_diff(at));
            positions.dedup();
            if !positions.iter().all(|&position| holds(commands, weakest, id, position, decide)) {
                return false;
            }
            self.ids.insert(id);
            let conjunct = &weakest.conjuncts[id as usize];
            self.size += commands.terms.reachable(&[conjunct.main]).len();
            for &variable in variables.iter() {
                self.by_variable.entry(variable).or_default().push(id);
            }
        }
        (self.low, self.high) = (low, high);
        true
    }
}

/// Whether a conjunct surely holds in the run at a position.
pub fn holds(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    id: Id,
    at: usize,
    decide: &mut Decide<'_>,
) -> bool {
    let conjunct = &weakest.conjuncts[id as usize];
    let Commands { terms, states, .. } = commands;
    let all = std::iter::once(conjunct.main).chain(conjunct.escapes.iter().copied());
    let mut open = Vec::new();
    for condition in all {
        match states.holds(terms, at, condition) {
            Some(true) => return true,
            Some(false) => {}
            None => open.push(states.substitute(terms, at, condition)),
        }
    }
    match open.split_last() {
        Some((main, escapes)) => decide.is_valid(terms, *main, escapes),
        None => false,
    }
}
