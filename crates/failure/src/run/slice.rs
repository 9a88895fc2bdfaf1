//! Which steps of a long run are kept: a dynamic slice of its failure.
//!
//! A run of millions of instructions is too long to become a trace as a whole. Most of it has nothing to
//! do with the failure. So the record is read backwards from the failure, with the variables and the
//! bytes that are *needed*: at first those of the last step. A step that assigns one of them is kept, and
//! then needs what it reads itself: operands, addresses, areas of memory. A branch is kept if a step that
//! was kept depends on it, and so is what decided about the call around it. Checks are no branches
//! here: else everything would depend on every check before it.
//!
//! What is kept is complete in one respect: a kept step reads nothing that a step which was left out has
//! assigned. It is only a choice in all others, and [`super::left_out`] makes sure that the trace is
//! right whatever was chosen. The end of the run is kept as a whole.

use program::graph::Checks;
use program::graph::control::{ControlDependence, control_dependence};
use program::process::{Detail, Effect, Event, Log, LogReader, Outcome};
use program::{EdgeId, Memory, ProcedureId, Program, Scope, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

/// The steps of a record that become steps of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// For each step before the end of the run, whether it is kept.
    steps: Vec<bool>,
    /// How many values were assigned before the end of the run.
    pub values: u32,
}

impl Kept {
    /// Where the end of the run begins, which is kept as a whole.
    pub fn whole_from(&self) -> usize {
        self.steps.len()
    }

    pub fn contains(&self, step: usize) -> bool {
        self.steps.get(step).is_none_or(|&kept| kept)
    }
}

/// So many steps are read forwards, and then backwards.
const BLOCK: usize = 1 << 16;

/// Reads a record backwards. `tail` is the position where its end begins; `extra` are bytes that the
/// failure depends on besides. None if more than `most` steps before the end would be kept.
pub(super) fn slice(
    program: &Program,
    log: &Log,
    tail: usize,
    outcome: &Outcome,
    extra: Option<u64>,
    most: usize,
) -> Option<Kept> {
    let (blocks, length, values, calls) = survey(program, log, tail);
    let mut needs = Needs::new(program, calls + 1);
    needs.criterion(outcome, extra);
    let mut kept = Kept { steps: vec![false; length], values };
    let mut count = 0;
    for (number, block) in blocks.iter().enumerate().rev() {
        let steps = read_block(block.clone());
        for (index, step) in steps.taken.iter().enumerate().rev() {
            let number = number * BLOCK + index;
            let events = steps.events.get(step.begin..step.end).unwrap_or(&[]);
            if needs.step(step, events)
                && let Some(kept) = kept.steps.get_mut(number)
            {
                *kept = true;
                count += 1;
                if count > most {
                    return None;
                }
            }
        }
    }
    Some(kept)
}

/// Where each block of steps begins; how many steps and values come before the tail; how many calls
/// have not returned at the end.
fn survey<'a>(
    program: &'a Program,
    log: &'a Log,
    tail: usize,
) -> (Vec<LogReader<'a>>, usize, u32, usize) {
    let mut reader = log.events(program);
    let mut blocks = Vec::new();
    let (mut steps, mut length, mut values) = (0, 0, 0);
    loop {
        let before = reader.position();
        let block = (steps % BLOCK == 0).then(|| reader.clone());
        match reader.next() {
            Some(Event::Step(_)) => {
                blocks.extend(block);
                steps += 1;
                length += usize::from(before < tail);
            }
            Some(Event::Value(_)) => values += u32::from(before < tail),
            Some(_) => {}
            None => return (blocks, length, values, reader.calls().len()),
        }
    }
}

/// A step of a record.
struct Taken {
    edge: EdgeId,
    /// The call that a return returns from.
    call: Option<EdgeId>,
    /// Where its events are.
    begin: usize,
    end: usize,
}

struct Block {
    taken: Vec<Taken>,
    events: Vec<Event>,
}

/// Reads the steps of a block, with their events.
fn read_block(mut reader: LogReader<'_>) -> Block {
    let mut block = Block { taken: Vec::with_capacity(BLOCK), events: Vec::new() };
    let mut call = reader.calls().last().copied();
    while let Some(event) = reader.next() {
        match event {
            Event::Step(edge) => {
                if block.taken.len() == BLOCK {
                    break;
                }
                let at = block.events.len();
                block.taken.push(Taken { edge, call, begin: at, end: at });
            }
            event => {
                block.events.push(event);
                if let Some(step) = block.taken.last_mut() {
                    step.end += 1;
                }
            }
        }
        call = reader.calls().last().copied();
    }
    block
}

/// What is needed at some point of the record.
struct Needs<'p> {
    program: &'p Program,
    /// The activations at this point, outermost first.
    frames: Vec<Frame>,
    globals: FxHashSet<Term>,
    /// Bytes of memory: by groups of eight, a bit for each.
    bytes: FxHashMap<u64, u8>,
    /// The variables that an edge reads.
    reads: FxHashMap<EdgeId, Vec<Term>>,
    control: FxHashMap<ProcedureId, ControlDependence>,
    /// Whether the step that failed is still to be seen.
    failing: bool,
    /// The object that is missed because it was freed.
    missed: Option<u64>,
}

#[derive(Default)]
struct Frame {
    variables: FxHashSet<Term>,
    branches: FxHashSet<EdgeId>,
    /// Whether a step of the activation is kept.
    any: bool,
}

impl<'p> Needs<'p> {
    fn new(program: &'p Program, frames: usize) -> Needs<'p> {
        Needs {
            program,
            frames: (0..frames).map(|_| Frame::default()).collect(),
            globals: FxHashSet::default(),
            bytes: FxHashMap::default(),
            reads: FxHashMap::default(),
            control: FxHashMap::default(),
            failing: true,
            missed: None,
        }
    }

    /// What the failure depends on besides its last step.
    fn criterion(&mut self, outcome: &Outcome, extra: Option<u64>) {
        if let Outcome::Failed { edge, fault } = outcome {
            self.operands(*edge);
            self.decided(*edge);
            if let Detail::Access { object: Some(object), .. } = &fault.detail {
                self.missed = object.ended.map(|_| object.address);
            }
        }
        if let Some(address) = extra {
            self.need_area(address, 1);
        }
    }

    /// Goes back over a step. Whether it is kept.
    fn step(&mut self, step: &Taken, events: &[Event]) -> bool {
        let (program, edge) = (self.program, step.edge);
        let statement = &program.edge(edge).statement;
        let accesses: Vec<(u64, u64)> = events.iter().filter_map(area).collect();
        let failing = std::mem::take(&mut self.failing);
        let callee = events.iter().find_map(|event| match event {
            Event::Procedure(procedure) => Some(*procedure),
            _ => None,
        });
        let needed = match statement {
            Statement::Assume { .. } => self.frame().branches.remove(&edge),
            Statement::Call { callee, .. } => self.leave(edge, *callee),
            Statement::CallPointer { .. } if callee.is_some() => {
                callee.is_some_and(|callee| self.leave(edge, callee))
            }
            Statement::Return => return self.enter(edge, step.call),
            Statement::Memory(memory) => match (memory, &accesses[..]) {
                (
                    Memory::Store { .. } | Memory::Initialise { .. } | Memory::Fill { .. },
                    [area],
                )
                | (Memory::Copy { .. }, [_, area]) => self.take_area(*area),
                _ => self.take(statement.targets()),
            },
            _ => {
                let missed = self.missed;
                let frees = |event: &Event| match event {
                    Event::Effect(Effect::Freed { address }) => Some(*address) == missed,
                    _ => false,
                };
                let needed = self.take(statement.targets()) | events.iter().any(frees);
                let written: Vec<(u64, u64)> = events.iter().filter_map(written).collect();
                written.into_iter().fold(needed, |any, area| self.take_area(area) || any)
            }
        };
        if needed || failing {
            self.operands(edge);
            self.decided(edge);
            match (statement, &accesses[..]) {
                (Statement::Memory(Memory::Load { .. } | Memory::Copy { .. }), [area, ..]) => {
                    self.need_area(area.0, area.1);
                }
                _ => {
                    for (address, size) in events.iter().filter_map(read) {
                        self.need_area(address, size);
                    }
                }
            }
        }
        needed
    }

    /// Backwards out of an activation, to its call.
    fn leave(&mut self, call: EdgeId, callee: ProcedureId) -> bool {
        let inside = if self.frames.len() > 1 { self.frames.pop() } else { None };
        let inside = inside.unwrap_or_default();
        if inside.any {
            self.decided(call);
        }
        let parameters = &self.program.procedure(callee).parameters;
        parameters.iter().any(|parameter| inside.variables.contains(parameter))
    }

    /// Backwards into an activation, at its return.
    fn enter(&mut self, edge: EdgeId, call: Option<EdgeId>) -> bool {
        let program = self.program;
        let needed = match call {
            Some(call) => {
                let needed = self.take(program.edge(call).statement.targets());
                self.frames.push(Frame::default());
                needed
            }
            None => true, // the end of the program
        };
        if needed && let Some(procedure) = program.location(program.edge(edge).from).procedure {
            let results = program.procedure(procedure).results.iter().copied();
            self.frame().variables.extend(results);
            self.decided(edge);
        }
        needed
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Whether one of the variables is needed; before their assignment none is.
    fn take(&mut self, variables: &[Term]) -> bool {
        let mut any = false;
        for variable in variables {
            any |= self.frame().variables.remove(variable) || self.globals.remove(variable);
        }
        any
    }

    /// The variables that an edge reads are needed.
    fn operands(&mut self, edge: EdgeId) {
        let program = self.program;
        let reads = self.reads.entry(edge).or_insert_with(|| reads(program, edge));
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let Some(frame) = self.frames.last_mut() else { return };
        for &variable in reads.iter() {
            match is_global(program, variable) {
                true => self.globals.insert(variable),
                false => frame.variables.insert(variable),
            };
        }
    }

    /// The branches that decided about an edge are needed.
    fn decided(&mut self, edge: EdgeId) {
        let program = self.program;
        self.frame().any = true;
        let Some(procedure) = program.location(program.edge(edge).from).procedure else { return };
        let control = self
            .control
            .entry(procedure)
            .or_insert_with(|| control_dependence(program, procedure, Checks::GoOn));
        if let Some(frame) = self.frames.last_mut() {
            frame.branches.extend(control.of_edge(program, edge));
        }
    }

    fn need_area(&mut self, address: u64, size: u64) {
        for (group, mask) in groups(address, size) {
            *self.bytes.entry(group).or_default() |= mask;
        }
    }

    /// Whether a byte of the area is needed; before it was written none is.
    fn take_area(&mut self, (address, size): (u64, u64)) -> bool {
        let mut any = false;
        if self.bytes.is_empty() {
            return any;
        }
        for (group, mask) in groups(address, size) {
            if let Some(needed) = self.bytes.get_mut(&group) {
                any |= *needed & mask != 0;
                *needed &= !mask;
                if *needed == 0 {
                    self.bytes.remove(&group);
                }
            }
        }
        any
    }
}

/// The variables that an edge reads.
pub(super) fn reads(program: &Program, edge: EdgeId) -> Vec<Term> {
    program.terms.variables_of(&program.edge(edge).statement.operands())
}

pub(super) fn is_global(program: &Program, variable: Term) -> bool {
    program.variables.get(&variable).is_none_or(|variable| variable.scope == Scope::Global)
}

/// An area as groups of eight bytes, with a bit for each byte.
fn groups(address: u64, size: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(size);
    (address >> 3..end.div_ceil(8)).map(move |group| {
        let first = address.saturating_sub(group << 3).min(8) as u32;
        let last = (end - (group << 3)).min(8) as u32;
        (group, (0xff_u32 << first & (1_u32 << last).wrapping_sub(1)) as u8)
    })
}

pub(super) fn area(event: &Event) -> Option<(u64, u64)> {
    match event {
        Event::Access { address, size } => Some((*address, *size)),
        _ => None,
    }
}

/// What the world wrote.
pub(super) fn written(event: &Event) -> Option<(u64, u64)> {
    match event {
        Event::Effect(Effect::Write { address, bytes }) => Some((*address, bytes.len() as u64)),
        _ => None,
    }
}

/// What the world read.
pub(super) fn read(event: &Event) -> Option<(u64, u64)> {
    match event {
        Event::Effect(Effect::Read { address, bytes }) => Some((*address, bytes.len() as u64)),
        _ => None,
    }
}
