//! Which conjuncts there are at which positions.
//!
//! From one position to the next little changes, even if the lists are long, as those about the cells of an array. So
//! what is kept is from where to where a conjunct is there.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::Term;

pub type Id = u32;

/// A conjunct is there at all positions from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub from: u32,
    pub id: Id,
    pub to: u32,
}

#[derive(Debug, Default)]
pub struct Spans {
    /// By their first position.
    list: Vec<Span>,
    /// By their last position.
    by_end: Vec<Span>,
    /// Those that mention a variable, by their first position, and the last position of these and all before.
    about: FxHashMap<Term, Vec<(Span, u32)>>,
}

impl Spans {
    pub fn new(mut list: Vec<Span>, variables: &[Rc<[Term]>]) -> Spans {
        list.sort_unstable();
        let mut by_end = list.clone();
        by_end.sort_unstable_by_key(|span| (span.to, span.id));
        let mut about: FxHashMap<Term, Vec<(Span, u32)>> = FxHashMap::default();
        for span in &list {
            for &variable in variables[span.id as usize].iter() {
                let known = about.entry(variable).or_default();
                let reach = known.last().map_or(span.to, |(_, reach)| span.to.max(*reach));
                known.push((*span, reach));
            }
        }
        Spans { list, by_end, about }
    }

    pub fn all(&self) -> &[Span] {
        &self.list
    }

    /// What begins at the positions from one to another.
    pub fn starting(&self, from: usize, to: usize) -> &[Span] {
        let first = self.list.partition_point(|span| (span.from as usize) < from);
        let last = self.list.partition_point(|span| span.from as usize <= to);
        &self.list[first..last.max(first)]
    }

    /// What ends at a position.
    pub fn ending(&self, at: usize) -> &[Span] {
        let first = self.by_end.partition_point(|span| (span.to as usize) < at);
        let last = self.by_end.partition_point(|span| span.to as usize <= at);
        &self.by_end[first..last]
    }

    /// What is mentioned at a position, in order.
    pub fn variables_at(&self, at: usize) -> Vec<Term> {
        let mut all: Vec<Term> = self.about.keys().copied().collect();
        all.retain(|&variable| self.about(variable, at, at).next().is_some());
        all.sort_unstable();
        all
    }

    /// What is somewhere between two positions and mentions a variable.
    pub fn about(
        &self,
        variable: Term,
        low: usize,
        high: usize,
    ) -> impl Iterator<Item = Id> + use<'_> {
        let known = self.about.get(&variable).map_or(&[][..], Vec::as_slice);
        let count = known.partition_point(|(span, _)| span.from as usize <= high);
        let near = known[..count].iter().rev().take_while(move |(_, reach)| *reach as usize >= low);
        near.filter(move |(span, _)| span.to as usize >= low).map(|(span, _)| span.id)
    }
}

/// The conjuncts of one interval after another.
pub struct Sweep<'a> {
    spans: &'a Spans,
    begun: usize,
    ended: usize,
}

impl<'a> Sweep<'a> {
    pub fn new(spans: &'a Spans) -> Sweep<'a> {
        Sweep { spans, begun: 0, ended: 0 }
    }

    /// Moves on to an interval: what is there that was not, and what is not any more. Something may be in both.
    pub fn advance(&mut self, from: usize, to: usize) -> (&'a [Span], &'a [Span]) {
        let Spans { list, by_end, .. } = self.spans;
        let begun = self.begun + list[self.begun..].partition_point(|s| s.from as usize <= to);
        let ended = self.ended + by_end[self.ended..].partition_point(|s| (s.to as usize) < from);
        let (first, last) = (self.begun, self.ended);
        (self.begun, self.ended) = (begun, ended);
        (&list[first..begun], &by_end[last..ended])
    }
}
