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
//! if possible, and its invariants are short. Of equally simple ones it has the earliest cuts: if an assignment is
//! repeated, what it makes true is true from the first one on, and the second one is not needed.
//!
//! Two kinds of commands are special. If the premises of a command are needed, it must be a cut: that it was
//! executed is part of the explanation (the paper's auxiliary variables have this purpose). And a command that has premises
//! but no effect that matters cannot be a cut, because the invariants before it need not imply its premises. Of a condition, whose
//! premises are not asked for, that is looked at.

use rustc_hash::FxHashMap;
use term::Term;

use super::decide::Decide;
use super::spans::{Id, Sweep};
use super::weakest::Weakest;
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
pub fn roles(commands: &mut Commands<'_>, weakest: &Weakest, decide: &mut Decide<'_>) -> Vec<Role> {
    let mut roles = Vec::with_capacity(commands.list.len());
    let mut assumed = Vec::new();
    let mut sweep = Sweep::new(&weakest.spans);
    let mut variables: FxHashMap<Term, u32> = FxHashMap::default();
    for (at, command) in commands.list.iter().enumerate() {
        // What is mentioned after the command.
        let (begun, ended) = sweep.advance(at + 1, at + 1);
        for &variable in begun.iter().flat_map(|span| weakest.variables[span.id as usize].iter()) {
            *variables.entry(variable).or_default() += 1;
        }
        for &variable in ended.iter().flat_map(|span| weakest.variables[span.id as usize].iter()) {
            let count = variables.entry(variable).or_default();
            *count -= 1;
            if *count == 0 {
                variables.remove(&variable);
            }
        }
        let framing = commands.frames_any(at) && variables.keys().any(|&v| commands.frames(at, v));
        let live = match command.action {
            Effect::Assign { variable, .. } => variables.contains_key(&variable),
            Effect::Assume { .. } => {
                let spans = &weakest.spans;
                !spans.starting(at + 1, at + 1).is_empty() || !spans.ending(at).is_empty()
            }
            Effect::Decision { remembers } => {
                framing || remembers.is_some_and(|(own, _)| variables.contains_key(&own))
            }
        };
        let guarded = !command.premises.is_empty();
        roles.push(match (live, guarded, command.action) {
            (false, _, Effect::Assume { .. } | Effect::Decision { .. }) => Role::Barred,
            (false, false, _) => Role::Dead,
            (false, true, _) => Role::Barred,
            (true, true, Effect::Assign { .. }) => Role::Forced,
            (true, _, Effect::Decision { .. }) if framing => Role::Forced,
            (true, true, Effect::Assume { .. }) => {
                assumed.push(at);
                Role::Barred
            }
            (true, ..) => Role::Live,
        });
    }
    // What is claimed before a condition may be less than its premises. Only if it is not can the condition be kept.
    for at in assumed {
        let premises = commands.list[at].premises.clone();
        if premises.into_iter().all(|premise| is_claimed(commands, weakest, at, premise, decide)) {
            roles[at] = Role::Live;
        }
    }
    roles
}

/// Whether what is asked for at a position implies a condition.
fn is_claimed(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    at: usize,
    condition: Term,
    decide: &mut Decide<'_>,
) -> bool {
    let terms = &mut commands.terms;
    let mut about: Vec<Id> = Vec::new();
    for variable in terms.variables_of(&[condition]) {
        about.extend(weakest.spans.about(variable, at, at));
    }
    let mut claimed: Vec<Term> = Vec::new();
    for id in about {
        let conjunct = &weakest.conjuncts[id as usize];
        if conjunct.escapes.is_empty() {
            claimed.push(conjunct.main);
        }
    }
    if claimed.is_empty() || claimed.contains(&condition) {
        return !claimed.is_empty();
    }
    let claimed = terms.and(&claimed);
    decide.implies(terms, claimed, condition)
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
    if !every_position_is_valid(commands, weakest, decide) {
        return None;
    }
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
        let mut window = Window::new(weakest, start);
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
        let mut window = Window::new(weakest, last);
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
            let mut window = Window::new(weakest, start);
            let mut at = start;
            loop {
                budget = budget.checked_sub(1).filter(|_| !decide.stop.requested())?;
                if ends.binary_search(&at).is_ok() {
                    let dead = start > 0
                        && roles[start - 1] == Role::Dead
                        && !makes_true(commands, weakest, start - 1, at);
                    let kept = usize::from(at < end);
                    let own = Cost { kept, dead: dead.into(), size: window.size };
                    let all = cost.plus(own);
                    let from = start.checked_sub(1);
                    let known = next.entry(at + 1).or_insert((all, from));
                    *known = (*known).min((all, from));
                }
                if at == end || Some(&at) >= ends.last() || roles[at] == Role::Forced {
                    break;
                }
                at += 1;
                if !window.add(commands, weakest, at, decide) {
                    break;
                }
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

/// Whether the invariant from behind a command to a position is about what the command assigns, and the command alone
/// makes it true.
fn makes_true(commands: &mut Commands<'_>, weakest: &Weakest, at: usize, to: usize) -> bool {
    let Effect::Assign { variable, value } = commands.list[at].action else { return false };
    let terms = &mut commands.terms;
    let mut about = weakest.spans.about(variable, at + 1, to).peekable();
    about.peek().is_some()
        && about.all(|id| {
            let condition = weakest.conjuncts[id as usize].main;
            let condition = terms.substitute(condition, &mut |v| (v == variable).then_some(value));
            terms.is_true(condition)
        })
}

/// Whether what is asked for at each position holds there.
fn every_position_is_valid(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    decide: &mut Decide<'_>,
) -> bool {
    weakest.spans.all().iter().all(|span| {
        let (from, to) = (span.from as usize, span.to as usize);
        !decide.stop.requested() && holds_in(commands, weakest, span.id, from, to, from, decide)
    })
}

/// A valid interval that grows.
struct Window {
    low: usize,
    high: usize,
    /// The size of what must hold.
    size: usize,
}

impl Window {
    fn new(weakest: &Weakest, at: usize) -> Window {
        Window { low: at, high: at, size: weakest.sizes[at] }
    }

    /// Adds a position next to it. Says whether it is still valid; if not, it is as it was.
    fn add(
        &mut self,
        commands: &mut Commands<'_>,
        weakest: &Weakest,
        at: usize,
        decide: &mut Decide<'_>,
    ) -> bool {
        let (low, high) = (self.low.min(at), self.high.max(at));
        // What was required so far, in the new state.
        let changed = if at < self.low { at } else { at - 1 };
        let assigned = commands.list.get(changed).and_then(|command| match command.action {
            Effect::Assign { variable, .. } => Some(variable),
            Effect::Decision { remembers } => remembers.map(|(variable, _)| variable),
            Effect::Assume { .. } => None,
        });
        if let Some(variable) = assigned {
            let mut required = weakest.spans.about(variable, self.low, self.high);
            if !required.all(|id| holds(commands, weakest, id, at, decide)) {
                return false;
            }
        }
        // What is required there, in all states.
        let new = match at < self.low {
            true => weakest.spans.ending(at),
            false => weakest.spans.starting(at, at),
        };
        let mut more = 0;
        for span in new {
            if !holds_in(commands, weakest, span.id, low, high, at, decide) {
                return false;
            }
            let variables = &weakest.variables[span.id as usize];
            let again = variables.first().is_some_and(|&variable| {
                weakest.spans.about(variable, self.low, self.high).any(|id| id == span.id)
            });
            more += if again { 0 } else { weakest.shapes[span.id as usize].nodes };
        }
        *self = Window { low, high, size: self.size + more };
        true
    }
}

/// Whether a conjunct surely holds in the run from one position to another. Those near to a third are looked at
/// first.
fn holds_in(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    id: Id,
    low: usize,
    high: usize,
    near: usize,
    decide: &mut Decide<'_>,
) -> bool {
    let mut positions = vec![low];
    for &variable in weakest.variables[id as usize].iter() {
        positions.extend(commands.states.changes(variable, low, high));
    }
    positions.sort_unstable_by_key(|&position| position.abs_diff(near));
    positions.dedup();
    positions.into_iter().all(|position| holds(commands, weakest, id, position, decide))
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
