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
mod notes;
mod printed;
mod rerun;
mod scope;
mod settled;
mod slice;
mod states;
mod unfold;

pub use self::explore::{Asked, ExploreLimits, Explored, explore};
pub use self::job::{Extent, Job, Ran, Record, Tail};
pub use self::slice::Kept;

use std::rc::Rc;

use program::process::Host;
use program::{Language, Memory, ProcedureId, Program, Statement, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use self::cut::Cuts;
use self::left_out::LeftOut;
use self::printed::Printed;
pub(crate) use self::scope::Copies;
use self::settled::Settled;
use self::unfold::Unfold;
use crate::cells::Object;
use crate::replay::Inputs;
use crate::rerun::Forced;
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
    /// The values that are not defined: by their numbers, which bits.
    pub undefined: FxHashMap<u32, u128>,
    /// Whether something in memory is or becomes undefined of which no note says so.
    pub blurred: bool,
    /// What the last statement reads, if the run ends because that is not defined.
    pub asked: Vec<Term>,
    /// The calls that were active at the end, the innermost first.
    pub calls: Vec<program::EdgeId>,
    /// Which havocs are which inputs that the program asked for.
    pub choices: Vec<Choice>,
}

impl Unfolded {
    /// Whether a step is that of a store of what surely is no pointer.
    fn stores_number(&self, program: &Program, step: usize) -> bool {
        let edge = self.trace.path.get(self.trace.steps[step].at as usize);
        match edge.map(|&edge| &program.edge(edge).statement) {
            Some(Statement::Memory(Memory::Store { value, .. })) => {
                program.variables.get(value).is_some_and(|stored| stored.is_number)
            }
            _ => false,
        }
    }

    /// Whether a step assigns a pointer.
    pub fn is_pointer(&self, program: &Program, step: usize) -> bool {
        let trace = &self.trace;
        let place = trace.steps[step].action.place();
        let Some(place) = place.filter(|_| program.language == Language::C) else { return false };
        let is_cell = trace.cells.contains_key(&place.variable);
        let ty = trace.types.get(&place.variable).copied();
        let own = program.variables.get(&trace.origin(place.variable).1);
        let ty = ty.or_else(|| own?.ty);
        if let Some(ty) = ty.and_then(|ty| program.types.get(ty.0 as usize)) {
            return matches!(ty, Type::Pointer(_));
        }
        let is_number = match own {
            Some(own) => own.is_number,
            // What is neither in memory nor in a variable is taken apart first.
            None => !is_cell || self.stores_number(program, step),
        };
        // The library comes without types.
        !is_number
            && matches!(&self.values[step], Some(Value::BitVec(bits))
                if bits.width() == 64 && bits.unsigned() >> 32 != 0)
    }
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
    let Unfolder { mut terms, mut copies, used, .. } = Unfolder::new(program);
    let (settled, forced) = (Vec::new(), &[][..]);
    let (arena, copies) = (&mut terms, &mut copies);
    let basis =
        Basis { terms: arena, copies, used: &used, settled, forced, length: 0, noted: false };
    let mut unfolded = unfold_into(program, record, entry, mode, Vec::new(), basis);
    unfolded.trace.terms = terms;
    unfolded
}

/// Makes traces of several runs of a program, which share an arena, without the steps of calls that are [settled].
#[derive(Debug)]
pub struct Unfolder<'p> {
    program: &'p Program,
    pub terms: Terms,
    copies: Copies,
    used: Rc<FxHashSet<Term>>,
}

impl<'p> Unfolder<'p> {
    pub fn new(program: &'p Program) -> Unfolder<'p> {
        let (terms, copies) = (program.terms.clone(), Copies::default());
        Unfolder { program, terms, copies, used: unfold::used(program) }
    }

    /// The trace of a run. It is in the arena of this; its own is empty.
    pub fn unfold<W: Host>(
        &mut self,
        record: &Record<'_, W>,
        entry: ProcedureId,
        mode: InputMode,
    ) -> Unfolded {
        let settled = settled::settled(self.program, &record.log, &mut self.copies.settling);
        let (terms, copies) = (&mut self.terms, &mut self.copies);
        let basis = Basis {
            terms,
            copies,
            used: &self.used,
            settled,
            forced: &[],
            length: 0,
            noted: false,
        };
        unfold_into(self.program, record, entry, mode, Vec::new(), basis)
    }
}

/// What the unfolding of several runs of a program can share.
struct Basis<'a> {
    /// An arena that extends the program's. The trace is in it; its own is empty.
    terms: &'a mut Terms,
    copies: &'a mut Copies,
    used: &'a Rc<FxHashSet<Term>>,
    /// The calls that need not be unfolded.
    settled: Vec<Settled>,
    /// What was forced upon the run.
    forced: &'a [Forced],
    /// How many edges it took, if that is known.
    length: usize,
    /// Whether it is noted what in memory is defined.
    noted: bool,
}

/// The same on a basis. Calls of the world are numbered in order; what these print is to stay as it is.
fn unfold_into<W: Host>(
    program: &Program,
    record: &Record<'_, W>,
    entry: ProcedureId,
    mode: InputMode,
    printing: Vec<Option<Printed>>,
    basis: Basis<'_>,
) -> Unfolded {
    let mut terms = std::mem::take(basis.terms);
    let (start, end) = (&record.start.0, &record.end.0);
    let tail = record.tail.as_ref();
    let is_passed = |step: usize| {
        let next = basis.settled.partition_point(|settled| settled.end <= step);
        basis.settled.get(next).is_some_and(|settled| settled.begin < step)
    };
    let kept = |step: usize| tail.is_none_or(|tail| tail.kept.contains(step)) && !is_passed(step);
    let mut cuts = Cuts::of(program, record.log.events(program), start.memory(), &kept);
    cuts.might_be_meant(&record.outcome, end.memory());
    cuts.changed = basis.noted;
    let memory = tail.map(|tail| tail.process.memory());
    let ends = [start.memory(), end.memory()];
    let mut layout = cuts.finish(program, &mut terms, &mut basis.copies.cells, ends, memory);
    if basis.noted {
        layout.take_notes(program, &mut terms, &mut basis.copies.notes);
    }
    let there = |object: &Object| end.memory().bytes(object.address, object.size).is_ok();
    let numbered = layout.objects.iter().enumerate();
    let live = numbered.filter(|(_, object)| there(object)).map(|(n, _)| n as u32).collect();
    let mut unfold = {
        let copies = std::mem::take(basis.copies);
        Unfold::new(program, terms, layout, start, mode, Rc::clone(basis.used), copies)
    };
    let externals = program.externals.iter().map(|external| &external.name);
    unfold.open = externals.filter(|name| record.end.1.asks(name)).cloned().collect();
    (unfold.live, unfold.expected_status) = (live, record.expected_status);
    unfold.printing = printing.into();
    unfold.settled = basis.settled.into();
    unfold.forced = basis.forced;
    unfold.reserve(basis.length);
    unfold.left_out = tail.map(|tail| LeftOut::new(&tail.kept, &tail.process));
    unfold.events(record.log.events(program), &record.outcome);
    let opening = unfold.opening_values();
    let calls = unfold.stack.iter().rev().filter_map(|activation| activation.call).collect();
    let (involved, ended) = (std::mem::take(&mut unfold.involved), unfold.ended);
    let (printed, loose) = (std::mem::take(&mut unfold.printed), std::mem::take(&mut unfold.loose));
    let Unfold { terms, layout, steps, path, havocs, copies, pinned, choices, sizes, .. } = unfold;
    let (whole_from, left_out) = (unfold.whole_from, unfold.pinned_outside);
    let mut trace = Trace::new(Terms::new(), entry, path, Rc::clone(&copies.origins));
    (*basis.terms, *basis.copies) = (terms, copies);
    (trace.involved, trace.ended) = (involved, ended);
    trace.objects = layout.objects;
    trace.cells = layout.cells;
    (trace.labels, trace.types) = (layout.labels, layout.types);
    trace.pinned = pinned.into_iter().collect();
    trace.printed = printed.into_iter().collect();
    trace.loose = loose.into_iter().collect();
    (trace.whole_from, trace.left_out) = (whole_from, left_out.into_iter().collect());
    trace.sizes = sizes.into_values().collect();
    trace.steps = steps;
    let (mut values, mut numbers) = (unfold.assigned, unfold.numbers);
    // Thousands of runs may be kept.
    trace.steps.shrink_to_fit();
    values.shrink_to_fit();
    numbers.shrink_to_fit();
    let mut initial = layout.initial;
    initial.extend(opening);
    let (undefined, blurred, asked) = (unfold.undefined, unfold.blurred, unfold.asked);
    let inputs = Inputs { initial, havocs };
    Unfolded { trace, inputs, values, numbers, undefined, blurred, asked, calls, choices }
}
