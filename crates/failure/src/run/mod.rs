//! Failures from runs: a program with memory is run with given inputs, and what it did becomes a trace.
//!
//! The run is recorded. Its record says which edges were taken, which cells were accessed and
//! which values were assigned; [`cut`] divides memory into cells and [`unfold`] makes the steps. Of a long
//! run, [`slice`] says which steps are kept, and [`left_out`] how the others are left out. So
//! every address is known, and a trace of a program with memory is straight-line code over scalars like
//! any other. What remains of addresses is said by [`crate::Access`].

mod after;
mod bytes;
mod cut;
mod describe;
mod explore;
mod external;
mod fail;
mod flip;
mod forcing;
mod job;
mod left_out;
mod printed;
mod scope;
mod slice;
mod unfold;

pub use self::explore::{Asked, ExploreLimits, Explored, explore};
pub use self::job::{Extent, Job, Ran, Record, Tail};
pub use self::slice::Kept;

use std::rc::Rc;

use program::process::Host;
use program::{ProcedureId, Program};
use term::Value;

use self::cut::Cuts;
use self::left_out::LeftOut;
use self::unfold::Unfold;
use crate::cells::Object;
use crate::replay::Inputs;
use crate::trace::Trace;

/// What the definition of a technique makes of the values that a run got from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputMode {
    /// They are given, like constants.
    Fixed,
    /// They are nondeterministic.
    Free,
    /// Those that the program asks for by the conventions of verifiers are nondeterministic.
    Asked,
}

/// The trace of a run, with its values.
#[derive(Clone, Debug)]
pub struct Unfolded {
    pub trace: Trace,
    pub inputs: Inputs,
    /// For each assigning step, the value that it assigned.
    pub values: Vec<Option<Value>>,
    /// For each assigning step, the number of its value in the record.
    pub numbers: Vec<Option<u32>>,
    /// The calls that were active at the end, the innermost first.
    pub calls: Vec<program::EdgeId>,
    /// Which havocs are which inputs that the program asked for.
    pub choices: Vec<Choice>,
}

/// A havoc that is a part of an input that the program asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number of the havoc in the trace.
    pub havoc: usize,
    /// The number of the input, and which bytes of it.
    pub ask: u32,
    pub offset: u32,
    pub size: u32,
}

/// Makes a trace of a recorded run.
pub fn unfold<W: Host>(
    program: &Program,
    record: &Record<'_, W>,
    entry: ProcedureId,
    mode: InputMode,
) -> Unfolded {
    let mut terms = program.terms.clone();
    let (start, end) = (&record.start.0, &record.end.0);
    let tail = record.tail.as_ref();
    let kept = |step: usize| tail.is_none_or(|tail| tail.kept.contains(step));
    let mut cuts = Cuts::of(program, record.log.events(program), start.memory(), &kept);
    cuts.might_be_meant(&record.outcome, end.memory());
    let memory = tail.map(|tail| tail.process.memory());
    let ends = [start.memory(), end.memory()];
    let layout = cuts.finish(program, &mut terms, ends, memory);
    let there = |object: &Object| end.memory().bytes(object.address, object.size).is_ok();
    let numbered = layout.objects.iter().enumerate();
    let live = numbered.filter(|(_, object)| there(object)).map(|(n, _)| n as u32).collect();
    let mut unfold = Unfold::new(program, terms, layout, start, mode);
    let externals = program.externals.iter().map(|external| &external.name);
    unfold.open = externals.filter(|name| record.end.1.asks(name)).cloned().collect();
    (unfold.live, unfold.expected_status) = (live, record.expected_status);
    unfold.left_out = tail.map(|tail| LeftOut::new(&tail.kept, &tail.process));
    unfold.events(record.log.events(program), &record.outcome);
    let opening = unfold.opening_values();
    let calls = unfold.stack.iter().rev().filter_map(|activation| activation.call).collect();
    let (involved, ended) = (std::mem::take(&mut unfold.involved), unfold.ended);
    let Unfold { terms, layout, steps, path, havocs, copies, pinned, choices, sizes, .. } = unfold;
    let (whole_from, left_out) = (unfold.whole_from, unfold.pinned_outside);
    let mut trace = Trace::new(terms, entry, path, Rc::new(copies.origins));
    (trace.involved, trace.ended) = (involved, ended);
    trace.objects = layout.objects;
    trace.cells = layout.cells;
    (trace.labels, trace.types) = (layout.labels, layout.types);
    trace.pinned = pinned.into_iter().collect();
    (trace.whole_from, trace.left_out) = (whole_from, left_out.into_iter().collect());
    trace.sizes = sizes.into_values().collect();
    trace.steps = steps;
    let (values, numbers) = (unfold.assigned, unfold.numbers);
    let mut initial = layout.initial;
    initial.extend(opening);
    let inputs = Inputs { initial, havocs };
    Unfolded { trace, inputs, values, numbers, calls, choices }
}
