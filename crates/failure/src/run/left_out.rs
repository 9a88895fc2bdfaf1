//! Leaving steps of a long run out of its trace.
//!
//! The trace of a long run has the steps that [`super::slice`] keeps, and then the end of the run as a
//! whole. It must say nothing wrong about the run, whatever is kept. What is left out does not happen in
//! the trace, so three things are to be done.
//!
//! *Where a step that is left out reads what a kept step assigned*, the trace does not know what would
//! happen with another value. A pinned condition says that the value is as in the run: whoever
//! changes it cannot say that this makes no difference. This includes the conditions that are left out.
//! If no pinned condition is violated, everything that is left out happens as in the run, by induction.
//!
//! *Where the end of the run reads what was left out*, it gets the value of the run: where the end begins,
//! variables and cells whose values come from steps that were left out are assigned what they are.
//!
//! *Addresses*: which bytes of an object the left-out steps access is not known to the trace. So a kept
//! access before the end has the address of the run, by another pinned condition.

use program::process::{Event, Process};
use program::{EdgeId, Memory, Place, Scope, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Value};

use super::slice::{Kept, area, is_global, read, reads, written};
use super::unfold::{Unfold, Values};
use crate::cells::{value_of_bits, value_of_bytes};
use crate::trace::{Action, Part};

/// What is known about the part of a run of which steps are left out.
#[derive(Debug)]
pub(super) struct LeftOut<'a> {
    pub kept: &'a Kept,
    /// The process where the end of the run begins.
    pub process: &'a Process<'a>,
    /// The variables whose value comes from a kept step, by activation and variable of the program
    /// (cells have activation 0); whether a condition says that it is as in the run.
    own: FxHashMap<(u32, Term), Pinned>,
    reads: FxHashMap<EdgeId, Vec<Term>>,
    /// Once the end has begun.
    end: Option<Opening>,
}

/// Where the end of the run begins.
#[derive(Debug)]
struct Opening {
    /// The activations that have not returned, and which they are on the stack.
    activations: FxHashMap<u32, usize>,
    /// The variables of the trace so far: they begin where the record does.
    known: FxHashSet<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pinned {
    Yes,
    No,
}

impl<'a> LeftOut<'a> {
    pub(super) fn new(kept: &'a Kept, process: &'a Process<'a>) -> LeftOut<'a> {
        LeftOut { kept, process, own: FxHashMap::default(), reads: FxHashMap::default(), end: None }
    }

    /// The value that a variable has where the end of the run begins, if that is where it begins.
    pub(super) fn opening(
        &self,
        copy: Term,
        (activation, variable): (u32, Term),
        bits: u32,
    ) -> Option<u128> {
        let end = self.end.as_ref().filter(|end| !end.known.contains(&copy))?;
        let index = end.activations.get(&activation)?;
        self.process.value(*index, variable, bits).map(|scalar| scalar.bits)
    }
}

impl Unfold<'_> {
    /// Whether the part of the run that has steps left out is being unfolded.
    pub(super) fn is_before_end(&self) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| left_out.end.is_none())
    }

    /// Remembers that a kept step has assigned a variable.
    pub(super) fn remember(&mut self, variable: Term) {
        if self.is_before_end() {
            let key = self.copies.origins.get(&variable).copied().unwrap_or((0, variable));
            if let Some(left_out) = &mut self.left_out {
                left_out.own.insert(key, Pinned::No);
            }
        }
    }

    /// Before the end, an access has the address of the run.
    pub(super) fn fix_address(&mut self, edge: EdgeId, address: Term, at: u64) {
        if self.is_before_end() {
            let value = Value::bitvec(64, u128::from(at));
            self.pin_as(edge, address, &value);
        }
    }

    /// That a term has this value, because what would happen otherwise is left out.
    fn pin_as(&mut self, edge: EdgeId, term: Term, value: &Value) {
        let constant = self.terms.constant(value);
        if self.terms.sort(constant) != self.terms.sort(term) {
            return;
        }
        let condition = self.terms.eq(term, constant);
        if self.terms.is_true(condition) {
            return;
        }
        self.pinned.push(self.steps.len());
        self.pinned_outside.push(self.steps.len());
        let site = self.program.edge(edge).site;
        let step = self.step(site, Part::Temporary, Action::Assume { condition });
        self.push(step, None);
    }

    /// A step that is left out: it reads, writes, calls and returns, but is no step of the trace.
    pub(super) fn skip(&mut self, edge: EdgeId, events: &[Event]) {
        self.path.push(edge);
        let program = self.program;
        let statement = &program.edge(edge).statement;
        let here = self.stack.last().map_or(0, |top| top.number);
        let reads = match &mut self.left_out {
            Some(left_out) => match statement {
                Statement::Return => {
                    let procedure = self.stack.last().map(|activation| activation.procedure);
                    procedure.map_or(Vec::new(), |id| program.procedure(id).results.clone())
                }
                _ => left_out.reads.entry(edge).or_insert_with(|| reads(program, edge)).clone(),
            },
            None => return,
        };
        for variable in reads {
            let key = if is_global(program, variable) { (0, variable) } else { (here, variable) };
            self.read_outside(edge, key);
        }
        let values = events.iter().filter(|event| matches!(event, Event::Value(_)));
        self.values += values.count() as u32;
        let accesses: Vec<(u64, u64)> = events.iter().filter_map(area).collect();
        for &(address, _) in &accesses {
            self.read_size(edge, address);
        }
        match statement {
            Statement::Memory(Memory::Load { .. }) => {
                self.read_area(edge, accesses.first().copied());
            }
            Statement::Memory(
                Memory::Store { .. } | Memory::Initialise { .. } | Memory::Fill { .. },
            ) => {
                self.write_area(edge, accesses.first().copied());
            }
            Statement::Memory(Memory::Copy { .. }) => {
                self.read_area(edge, accesses.first().copied());
                self.write_area(edge, accesses.get(1).copied());
            }
            Statement::Memory(Memory::Alloc { target, .. } | Memory::Mark { target }) => {
                if let Some(value) = (Values { events: events.iter() }).next() {
                    self.bind_address(*target, value.bits as u64);
                }
                return;
            }
            Statement::Call { callee, .. } => {
                self.begin_activation(edge, *callee);
                return;
            }
            Statement::Return => return self.leave_outside(),
            _ => {}
        }
        for event in events {
            match event {
                Event::Procedure(callee) => {
                    self.begin_activation(edge, *callee);
                    return;
                }
                event => {
                    self.read_area(edge, read(event));
                    self.write_area(edge, written(event));
                }
            }
        }
        self.write_outside(here, statement.targets());
    }

    fn leave_outside(&mut self) {
        let call = self.stack.pop().and_then(|activation| activation.call);
        if let Some(call) = call {
            let caller = self.stack.last().map_or(0, |top| top.number);
            let targets = self.program.edge(call).statement.targets();
            self.write_outside(caller, targets);
        }
    }

    /// The variables of an activation have got values outside the trace.
    fn write_outside(&mut self, activation: u32, variables: &[Term]) {
        for &variable in variables {
            let global = is_global(self.program, variable);
            let key = if global { (0, variable) } else { (activation, variable) };
            if let Some(left_out) = &mut self.left_out {
                left_out.own.remove(&key);
            }
        }
    }

    /// Something outside the trace reads a variable.
    fn read_outside(&mut self, edge: EdgeId, key: (u32, Term)) {
        let Some(left_out) = &mut self.left_out else { return };
        match left_out.own.get_mut(&key) {
            Some(pinned @ Pinned::No) => *pinned = Pinned::Yes,
            _ => return,
        }
        let variable = match self.program.variables.contains_key(&key.1) {
            true => self.variable(key.0, key.1),
            false => key.1,
        };
        if let Some(value) = self.value(variable) {
            self.pin_as(edge, variable, &value);
        }
    }

    /// Something outside the trace accesses an object: its size must be as in the run.
    fn read_size(&mut self, edge: EdgeId, address: u64) {
        let size = self.layout.number(address).and_then(|number| self.sizes.get(&number));
        if let Some(&size) = size {
            self.read_outside(edge, (0, size));
        }
    }

    fn read_area(&mut self, edge: EdgeId, area: Option<(u64, u64)>) {
        let Some((address, size)) = area else { return };
        for cell in self.touched_cells(address, size) {
            self.read_outside(edge, (0, cell.variable));
        }
    }

    fn write_area(&mut self, edge: EdgeId, area: Option<(u64, u64)>) {
        let Some((address, size)) = area else { return };
        let Some(number) = self.layout.number(address) else { return };
        let base = self.layout.objects.get(number as usize).map_or(0, |object| object.address);
        let offset = address.wrapping_sub(base);
        for cell in self.touched_cells(address, size) {
            let is_whole =
                offset <= cell.offset && cell.offset + cell.size <= offset.saturating_add(size);
            if !is_whole {
                // A part of it stays.
                self.read_outside(edge, (0, cell.variable));
            }
            if let Some(left_out) = &mut self.left_out {
                left_out.own.remove(&(0, cell.variable));
            }
        }
    }

    /// The end of the run begins: what was assigned outside the trace gets its value.
    pub(super) fn begin_end(&mut self) {
        let Some(left_out) = &mut self.left_out else { return };
        let process = left_out.process;
        let own = std::mem::take(&mut left_out.own);
        let stack = self.stack.iter().enumerate();
        let activations: FxHashMap<u32, usize> =
            stack.map(|(index, activation)| (activation.number, index)).collect();
        let mut variables: Vec<((u32, Term), Term, usize)> = Vec::new();
        for (&copy, &(number, variable)) in self.copies.origins.iter() {
            let index = activations.get(&number).copied();
            let procedure = index.map(|index| self.stack[index].procedure);
            let scope = self.program.variables.get(&variable).map(|variable| variable.scope);
            if let (Some(index), Some(procedure)) = (index, procedure)
                && scope == Some(Scope::Local(procedure))
                && !self.addresses.contains_key(&(number, variable))
            {
                variables.push(((number, variable), copy, index));
            }
        }
        variables.extend(self.program.globals.iter().map(|&global| ((0, global), global, 0)));
        variables.retain(|(key, ..)| !own.contains_key(key));
        variables.sort_unstable();
        let mut given: Vec<(Term, Value)> = Vec::new();
        for ((_, variable), copy, index) in variables {
            let scalar = process.value(index, variable, self.bits_of(variable));
            let value = scalar.and_then(|s| value_of_bits(self.terms.sort(copy), s.bits));
            given.extend(value.map(|value| (copy, value)));
        }
        for object in &self.layout.objects {
            for cell in &object.cells {
                let address = object.address.wrapping_add(cell.offset);
                let Ok(bytes) = process.memory().view(address, cell.size) else { continue };
                if !own.contains_key(&(0, cell.variable))
                    && let Some(value) = value_of_bytes(self.terms.sort(cell.variable), bytes)
                {
                    given.push((cell.variable, value));
                }
            }
        }
        // What no kept step has assigned may have its value from the beginning.
        given.retain(|(variable, value)| {
            self.now.contains_key(variable) || self.first(*variable).as_ref() != Some(value)
        });
        if let Some(left_out) = &mut self.left_out {
            let known = self.copies.origins.keys().copied().collect();
            left_out.end = Some(Opening { activations, known });
        }
        let site = self.path.last().map_or(SiteId(0), |&edge| self.program.edge(edge).site);
        for (variable, value) in given {
            let constant = self.terms.constant(&value);
            let action = Action::Assign { place: Place::variable(variable), value: constant };
            let step = self.step(site, Part::Temporary, action);
            self.push(step, Some((value, None)));
        }
        self.whole_from = self.steps.len();
    }
}
