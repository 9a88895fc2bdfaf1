//! What if a step had assigned another value?
//!
//! The answer are the later conditions that the change reaches, each as a term in the new value. Everything the change does not reach keeps its known value, and is not even looked at: the
//! change is propagated from use to use of the variables that differ. A change that is overwritten or
//! makes no difference ends by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::ops::ControlFlow;

use failure::{Access, Action, Direction, Symbolic, Trace, cells};
use program::Place;
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use crate::flow::Variables;
use crate::interval::{Bounds, Interval, interval};

/// Where each variable of a trace is used.
#[derive(Debug)]
pub struct Uses {
    /// Steps that read or write the variable, in order.
    steps: FxHashMap<Term, Vec<u32>>,
}

impl Uses {
    pub fn of(trace: &Trace) -> Uses {
        let mut known = Variables::default();
        let mut steps: FxHashMap<Term, Vec<u32>> = FxHashMap::default();
        let mut roots: Vec<Term> = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            roots.clear();
            roots.extend(step.operands().chain(step.action.place().map(|place| place.variable)));
            // The same few actions come again and again in loops.
            for &variable in &*known.of(&trace.terms, &roots) {
                steps.entry(variable).or_default().push(at as u32);
            }
        }
        Uses { steps }
    }

    /// All reads of variables, with their steps.
    pub fn reads<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = (usize, Term)> + 'a {
        self.steps.iter().flat_map(move |(&variable, steps)| {
            let is_read = move |&at: &usize| match trace.steps[at].action.place() {
                Some(place) if place.variable == variable && place.indices.is_empty() => {
                    let mut operands = trace.steps[at].operands();
                    operands.any(|operand| trace.terms.mentions(operand, variable))
                }
                _ => true,
            };
            steps.iter().map(|&at| at as usize).filter(is_read).map(move |at| (at, variable))
        })
    }

    /// The first use of a variable after a step.
    fn after(&self, step: usize, variable: Term) -> Option<u32> {
        let steps = self.steps.get(&variable)?;
        steps.get(steps.partition_point(|&s| s as usize <= step)).copied()
    }
}

/// Sees conditions, with their steps.
type Visit<'a> = dyn FnMut(&mut Terms, usize, Term) -> ControlFlow<()> + 'a;

/// Follows what happens if a step assigns another element. `visit` sees the conditions that the change
/// reaches, with their steps, in order, until it has seen enough. An error says why the change cannot be
/// followed to the end; what `visit` has seen before is right.
pub fn follow_change(
    terms: &mut Terms,
    trace: &Trace,
    run: &Symbolic,
    uses: &Uses,
    step: usize,
    element: Term,
    visit: &mut Visit<'_>,
) -> Result<(), Lost> {
    let (changed, log) = (FxHashMap::default(), cells::Log::default());
    let mut change = Change { terms, trace, run, changed, log };
    let mut lost = None;
    // Steps to look at, each with a changed variable that is used there.
    let mut queue: BinaryHeap<Reverse<(u32, Option<Term>)>> = BinaryHeap::new();
    queue.push(Reverse((step as u32, None)));
    let mut affected: Vec<Term> = Vec::new();
    while let Some(Reverse((at, variable))) = queue.pop() {
        affected.clear();
        affected.extend(variable);
        while let Some(&Reverse((next, variable))) = queue.peek()
            && next == at
        {
            queue.pop();
            affected.extend(variable);
        }
        let at = at as usize;
        if at != step && change.changed.is_empty() {
            break;
        }
        let written = match &trace.steps[at].action {
            Action::Assume { condition } => {
                let condition = change.value(at, *condition);
                if trace.pinned.contains(&at) && !change.terms.is_true(condition) {
                    if !trace.left_out.contains(&at) {
                        return Err(Lost::Copied);
                    }
                    // What follows is right if what was left out does not matter. A run decides.
                    lost = Some(Lost::LeftOut);
                } else if condition != run.result(at)
                    && visit(change.terms, at, condition).is_break()
                {
                    return Ok(());
                }
                Vec::new()
            }
            _ if at == step => change.write(at, element)?,
            Action::Assign { value, .. } => {
                let element = change.read(at, *value)?;
                change.write(at, element)?
            }
            Action::Havoc { .. } => change.write(at, run.havocs[&at])?,
        };
        affected.extend(written);
        affected.extend(trace.steps[at].action.place().map(|place| place.variable));
        affected.sort_unstable();
        affected.dedup();
        for &variable in &affected {
            if change.changed.contains_key(&variable) {
                let next = uses.after(at, variable);
                queue.extend(next.map(|next| Reverse((next, Some(variable)))));
            }
        }
    }
    lost.map_or(Ok(()), Err)
}

/// Why a change cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A changed address may be that of too many cells, or of parts of cells.
    TooManyCells,
    /// It changes something that the trace takes from the run as it is.
    Copied,
    /// It changes something that was left out of the trace.
    LeftOut,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::TooManyCells => "a change makes an address reach too many parts of an object",
            Lost::Copied => "a change alters how many bytes are copied, or from where to where",
            Lost::LeftOut => "a change reaches a part of the long run that was left out",
        })
    }
}

struct Change<'a> {
    terms: &'a mut Terms,
    trace: &'a Trace,
    run: &'a Symbolic,
    /// The variables whose value differs from the original run now.
    changed: FxHashMap<Term, Term>,
    log: cells::Log,
}

impl Change<'_> {
    fn value(&mut self, at: usize, term: Term) -> Term {
        let (run, changed) = (self.run, &self.changed);
        self.terms.substitute(term, &mut |v| {
            Some(changed.get(&v).copied().unwrap_or_else(|| run.before(at, v)))
        })
    }

    /// The value of a step, which reads another cell if its address has changed.
    fn read(&mut self, at: usize, value: Term) -> Result<Term, Lost> {
        let trace = self.trace;
        let Some(access) = &trace.steps[at].access else { return Ok(self.value(at, value)) };
        if access.direction == Direction::Write {
            return Ok(self.value(at, value));
        }
        let address = self.value(at, access.address);
        let (run, changed) = (self.run, &self.changed);
        let mut now = |terms: &mut Terms, cell: Term| {
            let _ = terms;
            changed.get(&cell).copied().unwrap_or_else(|| run.before(at, cell))
        };
        let (terms, objects, log) = (&mut *self.terms, &trace.objects, &self.log);
        let read = cells::read(terms, objects, access, (value, address), log, &mut now);
        read.ok_or(Lost::TooManyCells)
    }

    /// Writes an element to the place of a step; the variables that have another value than they had,
    /// or may have had one before.
    fn write(&mut self, at: usize, element: Term) -> Result<Vec<Term>, Lost> {
        let trace = self.trace;
        let Some(place) = trace.steps[at].action.place() else { return Ok(Vec::new()) };
        if let Some(access) = &trace.steps[at].access
            && access.direction == Direction::Write
        {
            let address = self.value(at, access.address);
            let original = self.run.evaluate_before(self.terms, at, access.address);
            if address != original {
                return self.write_elsewhere(at, place, access, address, element);
            }
        }
        let indices: Vec<Term> = place.indices.iter().map(|&i| self.value(at, i)).collect();
        let old = self.value(at, place.variable);
        let whole = Place::updated(self.terms, old, &indices, element);
        if whole == self.run.result(at) {
            self.changed.remove(&place.variable);
            return Ok(Vec::new());
        }
        self.changed.insert(place.variable, whole);
        Ok(vec![place.variable])
    }

    /// Writes to whichever cell has the address now. The cell of the run is not written, unless it is
    /// that cell.
    fn write_elsewhere(
        &mut self,
        at: usize,
        place: &Place,
        access: &Access,
        address: Term,
        element: Term,
    ) -> Result<Vec<Term>, Lost> {
        let (run, changed) = (self.run, &self.changed);
        let mut now = |_: &mut Terms, cell: Term| {
            changed.get(&cell).copied().unwrap_or_else(|| run.before(at, cell))
        };
        let own = now(self.terms, place.variable);
        let objects = &self.trace.objects;
        let written = (place.variable, address, element);
        let writes = cells::write(self.terms, objects, access, written, &mut self.log, &mut now);
        let mut writes = writes.ok_or(Lost::TooManyCells)?;
        if !writes.iter().any(|(cell, _)| *cell == place.variable) {
            writes.push((place.variable, own));
        }
        let mut written = Vec::new();
        for (cell, value) in writes {
            let original = match cell == place.variable {
                true => run.result(at),
                false => run.before(at, cell),
            };
            if value == original {
                self.changed.remove(&cell);
            } else {
                self.changed.insert(cell, value);
            }
            written.push(cell);
        }
        Ok(written)
    }
}

/// What is known about changed states, to be reused from one question to the next.
#[derive(Debug, Default)]
pub struct Known {
    outcomes: FxHashMap<(usize, Vec<(Term, Interval)>), bool>,
}

/// Whether no condition can fail after a step, whatever it assigns and in whatever execution, as far
/// as [intervals](crate::interval) show.
///
/// The change is followed with intervals instead of terms. After a few steps of a loop they no longer
/// tell where the change began, so that questions about many steps soon meet, and the answer is known.
pub fn holds_anyway(
    terms: &Terms,
    trace: &Trace,
    run: &Symbolic,
    uses: &Uses,
    step: usize,
    known: &mut Known,
) -> bool {
    let Some(place) = trace.steps[step].action.place() else { return true };
    if !place.indices.is_empty() {
        return false;
    }
    let mut changed: BTreeMap<Term, Interval> = BTreeMap::new();
    changed.insert(place.variable, Interval::of_sort(terms.sort(place.variable)));
    let mut seen = Vec::new();
    let mut at = step;
    let holds = loop {
        let next = changed.keys().filter_map(|&v| uses.after(at, v)).min();
        let Some(next) = next else { break true };
        at = next as usize;
        let key = (at, changed.iter().map(|(v, i)| (*v, i.clone())).collect::<Vec<_>>());
        if let Some(&outcome) = known.outcomes.get(&key) {
            break outcome;
        }
        seen.push(key);
        let value = |term: Term| {
            let mut bounds = Bounds::default();
            for variable in terms.variables_of(&[term]) {
                let interval = match changed.get(&variable) {
                    Some(interval) => interval.clone(),
                    None => interval(terms, run.before(at, variable), &Bounds::default()),
                };
                bounds.insert(variable, interval);
            }
            interval(terms, term, &bounds)
        };
        if let Some(access) = &trace.steps[at].access
            && terms.variables_of(&[access.address]).iter().any(|v| changed.contains_key(v))
        {
            break false;
        }
        match &trace.steps[at].action {
            Action::Assume { condition } => {
                if value(*condition).as_truth() != Some(true) {
                    break false;
                }
            }
            Action::Assign { place, .. } | Action::Havoc { place } if !place.indices.is_empty() => {
                break false;
            }
            Action::Assign { place, value: term } => {
                let new = value(*term);
                let old = interval(terms, run.result(at), &Bounds::default());
                if new == old && new.is_point() {
                    changed.remove(&place.variable);
                } else {
                    changed.insert(place.variable, new);
                }
            }
            Action::Havoc { place } => {
                changed.remove(&place.variable);
            }
        }
    };
    if known.outcomes.len() < MOST_KNOWN {
        known.outcomes.extend(seen.into_iter().map(|key| (key, holds)));
    }
    holds
}

const MOST_KNOWN: usize = 1 << 20;
