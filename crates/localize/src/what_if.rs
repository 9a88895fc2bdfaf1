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
        Uses::of_in(&trace.terms, trace, &mut Variables::default())
    }

    /// The same for a trace whose terms are in another arena.
    pub fn of_in(terms: &Terms, trace: &Trace, known: &mut Variables) -> Uses {
        let mut steps: FxHashMap<Term, Vec<u32>> = FxHashMap::default();
        let mut roots: Vec<Term> = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            roots.clear();
            roots.extend(step.operands().chain(step.action.place().map(|place| place.variable)));
            // The same few actions come again and again in loops.
            for &variable in &*known.of(terms, &roots) {
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

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = Term> {
        self.steps.keys().copied()
    }

    /// The steps that read or write a variable, in order.
    pub fn of_variable(&self, variable: Term) -> &[u32] {
        self.steps.get(&variable).map_or(&[], Vec::as_slice)
    }

    /// The first use of a variable after a step.
    fn after(&self, step: usize, variable: Term) -> Option<u32> {
        let steps = self.steps.get(&variable)?;
        steps.get(steps.partition_point(|&s| s as usize <= step)).copied()
    }
}

/// A change of a run.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub step: usize,
    /// The variable that gets another value before the step; if there is none, what the step assigns is
    /// another element.
    pub variable: Option<Term>,
    pub element: Term,
}

/// Who is told what a change reaches, in order.
pub trait Visitor {
    /// A condition. Break if enough has been seen.
    fn condition(&mut self, terms: &mut Terms, step: usize, condition: Term) -> ControlFlow<()>;

    /// A condition that something is as in the run, because nobody knows what happens otherwise.
    fn pinned(&mut self, terms: &mut Terms, step: usize, condition: Term) -> ControlFlow<Lost> {
        let _ = (terms, step, condition);
        ControlFlow::Break(Lost::Copied)
    }

    /// A variable has another value from an index of the path on; or again that of the run.
    fn changed(&mut self, from: usize, variable: Term, value: Option<Term>) {
        let _ = (from, variable, value);
    }

    /// A step reads a variable that has another value, and does not assign another element by itself.
    fn reached(&mut self, step: usize) {
        let _ = step;
    }

    /// The address that a step accesses depends on the change, so that it may read or write another cell than that of the run.
    fn moved(&mut self, step: usize) {
        let _ = step;
    }

    /// The condition that what a step reads is defined, or that it is not, as it was.
    fn noted(&mut self, terms: &mut Terms, step: usize, condition: Term) {
        let _ = (terms, step, condition);
    }

    /// Whether each address is to be that of the run, if that is possible: see [`Visitor::is_where_it_was`].
    fn stays(&self) -> bool {
        false
    }

    /// An address that may now be that of anything. True if it is that of the run, for the visitor.
    fn is_where_it_was(&mut self, terms: &mut Terms, step: usize, address: Term) -> bool {
        let _ = (terms, step, address);
        false
    }
}

/// Sees conditions, with their steps.
type Visit<'a> = dyn FnMut(&mut Terms, usize, Term) -> ControlFlow<()> + 'a;

struct Conditions<'a, 'b>(&'a mut Visit<'b>);

impl Visitor for Conditions<'_, '_> {
    fn condition(&mut self, terms: &mut Terms, step: usize, condition: Term) -> ControlFlow<()> {
        (self.0)(terms, step, condition)
    }
}

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
    let source = Source { step, variable: None, element };
    follow_changes(terms, trace, run, uses, &[source], &mut Conditions(visit))
}

/// The same for several changes at once, in the order of their steps.
pub fn follow_changes(
    terms: &mut Terms,
    trace: &Trace,
    run: &Symbolic,
    uses: &Uses,
    sources: &[Source],
    visit: &mut impl Visitor,
) -> Result<(), Lost> {
    let (changed, log) = (FxHashMap::default(), cells::Log::default());
    let mut change = Change { terms, trace, run, changed, log };
    let mut lost = None;
    // Steps to look at, each with a changed variable that is used there.
    let mut queue: BinaryHeap<Reverse<(u32, Option<Term>)>> =
        sources.iter().map(|source| Reverse((source.step as u32, None))).collect();
    let mut sources = sources.iter().peekable();
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
        let mut element = None;
        while let Some(source) = sources.next_if(|source| source.step == at) {
            match source.variable {
                Some(variable) => {
                    change.changed.insert(variable, source.element);
                    affected.push(variable);
                    visit.changed(trace.steps[at].at as usize, variable, Some(source.element));
                }
                None => element = Some(source.element),
            }
        }
        if change.changed.is_empty() && element.is_none() {
            if sources.peek().is_none() {
                break;
            }
            continue;
        }
        if element.is_none() {
            visit.reached(at);
        }
        let written = match &trace.steps[at].action {
            Action::Assume { condition } => {
                let condition = change.value(at, *condition);
                if trace.pinned.contains(&at) && !change.terms.is_true(condition) {
                    if trace.left_out.contains(&at) {
                        // What follows is right if what was left out does not matter. A run decides.
                        lost = Some(Lost::LeftOut);
                    } else if let ControlFlow::Break(lost) =
                        visit.pinned(change.terms, at, condition)
                    {
                        return Err(lost);
                    }
                } else if condition != run.result(at)
                    && visit.condition(change.terms, at, condition).is_break()
                {
                    return Ok(());
                }
                Vec::new()
            }
            Action::Assign { value, .. } => {
                let element = match element {
                    Some(element) => element,
                    None => change.read(at, *value, visit)?,
                };
                change.write(at, element, visit)?
            }
            Action::Havoc { .. } => {
                let element = element.unwrap_or(run.havocs[&at]);
                change.write(at, element, visit)?
            }
        };
        let own = trace.steps[at].action.place().map(|place| place.variable);
        for variable in written.into_iter().chain(own) {
            let value = change.changed.get(&variable).copied();
            visit.changed(trace.steps[at].at as usize + 1, variable, value);
            affected.push(variable);
        }
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
    /// It changes where something is that was never set, or whether that matters.
    NeverSet,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::TooManyCells => "a change makes an address reach too many parts of an object",
            Lost::Copied => "a change alters how many bytes are copied, or from where to where",
            Lost::LeftOut => "a change reaches a part of the long run that was left out",
            Lost::NeverSet => "a change alters whether something matters that was never set",
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
    fn read(&mut self, at: usize, value: Term, visit: &mut impl Visitor) -> Result<Term, Lost> {
        let trace = self.trace;
        let Some(access) = &trace.steps[at].access else { return Ok(self.value(at, value)) };
        if access.direction == Direction::Write {
            return Ok(self.value(at, value));
        }
        let mut address = self.value(at, access.address);
        if self.terms.value(address).is_none() {
            if visit.stays() && visit.is_where_it_was(self.terms, at, address) {
                address = self.run.evaluate_before(self.terms, at, access.address);
            } else {
                visit.moved(at);
            }
        }
        let (run, changed) = (self.run, &self.changed);
        let mut now = |terms: &mut Terms, cell: Term| {
            let _ = terms;
            changed.get(&cell).copied().unwrap_or_else(|| run.before(at, cell))
        };
        let (terms, objects, log) = (&mut *self.terms, &trace.objects, &self.log);
        if let Some(noted) = cells::is_as_noted(terms, objects, access, address, log, &mut now) {
            visit.noted(terms, at, noted);
        }
        match cells::read(terms, objects, access, (value, address), log, &mut now) {
            Some(read) => Ok(read),
            None if visit.is_where_it_was(self.terms, at, address) => Ok(self.value(at, value)),
            None => Err(Lost::TooManyCells),
        }
    }

    /// Writes an element to the place of a step; the variables that have another value than they had,
    /// or may have had one before.
    fn write(
        &mut self,
        at: usize,
        element: Term,
        visit: &mut impl Visitor,
    ) -> Result<Vec<Term>, Lost> {
        let trace = self.trace;
        let Some(place) = trace.steps[at].action.place() else { return Ok(Vec::new()) };
        if let Some(access) = &trace.steps[at].access
            && access.direction == Direction::Write
        {
            let address = self.value(at, access.address);
            let original = self.run.evaluate_before(self.terms, at, access.address);
            let is_other = address != original;
            if is_other && !(visit.stays() && visit.is_where_it_was(self.terms, at, address)) {
                visit.moved(at);
                match self.write_elsewhere(at, place, access, address, element) {
                    Err(_) if visit.is_where_it_was(self.terms, at, address) => {}
                    written => return written,
                }
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
