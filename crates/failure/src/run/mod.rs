//! Failures from runs: a program with memory is run with given inputs, and what it did becomes a trace.
//!
//! The run is recorded. Its record says which edges were taken, which cells were accessed and
//! which values were assigned; [`cut`] divides memory into cells and [`unfold`] makes the steps. So
//! every address is known, and a trace of a program with memory is straight-line code over scalars like
//! any other. What remains of addresses is said by [`crate::Access`].

mod bytes;
mod cut;
mod unfold;

use program::process::{Event, Objects, Outcome};
use program::{ProcedureId, Program};
use rustc_hash::FxHashMap;
use term::Value;

use self::cut::Cuts;
use self::unfold::Unfold;
use crate::replay::Inputs;
use crate::trace::Trace;

/// What the definition of a technique makes of the values that a run got from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputMode {
    /// They are given, like constants.
    Fixed,
    /// They are nondeterministic.
    Free,
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
}

/// Makes a trace of a recorded run. The memory is that at its end.
pub fn unfold<E: Iterator<Item = Event>>(
    program: &Program,
    events: impl Fn() -> E,
    outcome: &Outcome,
    memory: &Objects,
    entry: ProcedureId,
    mode: InputMode,
) -> Unfolded {
    let mut terms = program.terms.clone();
    let layout = Cuts::of(program, events(), memory).finish(program, &mut terms, memory);
    let mut unfold = Unfold::new(program, terms, layout, entry, mode);
    unfold.events(events(), outcome);
    let calls = unfold.stack.iter().rev().filter_map(|activation| activation.call).collect();
    let Unfold { terms, layout, happened, path, havocs, origins, pinned, .. } = unfold;
    let mut trace = Trace::new(terms, entry, path, origins);
    trace.objects = layout.objects;
    trace.cells = layout.cells;
    trace.labels = layout.labels;
    trace.pinned = pinned.into_iter().collect();
    let (mut values, mut numbers) = (Vec::new(), Vec::new());
    for event in happened {
        trace.steps.push(event.step);
        values.push(event.value);
        numbers.push(event.number);
    }
    let initial: FxHashMap<_, _> = layout.initial;
    Unfolded { trace, inputs: Inputs { initial, havocs }, values, numbers, calls }
}
