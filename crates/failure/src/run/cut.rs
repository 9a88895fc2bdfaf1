//! Cutting objects into cells, such that every access of a run covers whole cells.

use std::collections::BTreeSet;

use program::process::{Detail, Effect, Event, Objects, Origin, Outcome};
use program::{EdgeId, Memory, Program, Statement, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms, Value};

use super::external;
use super::fail::MOST_OBJECTS;
use crate::cells::{Cell, Object, value_of_bytes};
/// The part of an address that tells objects apart.
pub(super) fn key(address: u64) -> u64 {
    address >> 32
}

/// Cells that no access of their own size tells apart are not larger than this.
const LARGEST: u64 = 8;

/// The objects of a run, and where accesses begin and end in them.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    objects: Vec<Cut>,
    /// By the part of the address that tells objects apart.
    numbers: FxHashMap<u64, u32>,
    /// Objects that steps which are left out have made.
    made: FxHashMap<u64, Made>,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    /// In the order of creation.
    serial: usize,
    address: u64,
    size: Option<u64>,
    origin: Origin,
}

#[derive(Debug)]
struct Cut {
    address: u64,
    size: Option<u64>,
    origin: Origin,
    boundaries: BTreeSet<u64>,
    /// The areas that are accessed: offset and size.
    areas: FxHashSet<(u64, u64)>,
    /// The sort of accesses to exactly this area; none if they differ.
    sorts: FxHashMap<(u64, u64), Option<Sort>>,
}

/// Whether an edge calls a function that may move an object.
fn moves(program: &Program, edge: EdgeId) -> bool {
    let Statement::External { function, .. } = &program.edge(edge).statement else { return false };
    program.externals.get(function.index()).is_some_and(|e| external::moves(&e.name))
}

impl Cuts {
    /// Looks at all accesses of the kept steps. What the run does not make itself is in the memory at its
    /// start.
    pub(super) fn of(
        program: &Program,
        events: impl Iterator<Item = Event>,
        memory: &Objects,
        kept: &dyn Fn(usize) -> bool,
    ) -> Cuts {
        let mut cuts = Cuts::default();
        let mut initialised: Vec<(u64, u64, Sort)> = Vec::new();
        let mut read: FxHashSet<u64> = FxHashSet::default();
        let (mut edge, mut steps, mut keep) = (EdgeId(0), 0, true);
        for event in events {
            match event {
                Event::Step(next) => {
                    (edge, keep) = (next, kept(steps));
                    steps += 1;
                }
                event if !keep => cuts.left_out(program, edge, &event),
                Event::Access { address, size } => {
                    if let Statement::Memory(Memory::Initialise { value, .. }) =
                        &program.edge(edge).statement
                    {
                        initialised.push((address, size, program.terms.sort(*value).clone()));
                        continue;
                    }
                    let sort = match &program.edge(edge).statement {
                        Statement::Memory(Memory::Load { target, .. }) => Some(*target),
                        Statement::Memory(Memory::Store { value, .. }) => Some(*value),
                        _ => None,
                    };
                    let sort = sort.map(|term| program.terms.sort(term).clone());
                    cuts.access(memory, address, size, sort);
                }
                Event::Value(value) => {
                    if let Some(size) = local_size(program, edge) {
                        cuts.object(value.bits as u64, size, Origin::Local(edge));
                    }
                }
                Event::Effect(Effect::New { address, size }) => {
                    cuts.object(address, Some(size), Origin::Heap(edge));
                }
                Event::Effect(Effect::Write { address, bytes }) => {
                    cuts.access(memory, address, bytes.len() as u64, None);
                }
                Event::Effect(Effect::Read { address, bytes }) if moves(program, edge) => {
                    cuts.access(memory, address, bytes.len() as u64, None);
                }
                Event::Effect(Effect::Read { address, .. }) => {
                    read.insert(key(address));
                }
                Event::Effect(_) | Event::Procedure(_) | Event::Nature(_) => {}
            }
        }
        // An object that is only initialised matters to nobody, and gets no cells.
        read.extend(cuts.numbers.keys());
        for (address, size, sort) in initialised {
            if read.contains(&key(address)) {
                cuts.access(memory, address, size, Some(sort));
            }
        }
        cuts
    }

    /// A step that is left out may make an object that others access.
    fn left_out(&mut self, program: &Program, edge: EdgeId, event: &Event) {
        let (address, size, origin) = match (event, local_size(program, edge)) {
            (Event::Value(value), Some(size)) => (value.bits as u64, size, Origin::Local(edge)),
            (Event::Effect(Effect::New { address, size }), _) => {
                (*address, Some(*size), Origin::Heap(edge))
            }
            _ => return,
        };
        self.numbers.remove(&key(address));
        let serial = self.made.len();
        self.made.insert(key(address), Made { serial, address, size, origin });
    }

    /// Objects that a failing access might have meant, although nothing accesses them: the one that it
    /// missed, and those that were made last.
    pub(super) fn might_be_meant(&mut self, outcome: &Outcome, end: &Objects) {
        let is_there = |made: &&Made| end.view(made.address, made.size.unwrap_or(0)).is_ok();
        let unknown = |made: &&Made| !self.numbers.contains_key(&key(made.address));
        let mut last: Vec<Made> =
            self.made.values().filter(unknown).filter(is_there).copied().collect();
        last.sort_unstable_by_key(|made| made.serial);
        for made in last.iter().skip(last.len().saturating_sub(MOST_OBJECTS)) {
            self.object(made.address, made.size, made.origin);
        }
        if let Outcome::Failed { fault, .. } = outcome
            && let Detail::Access { object: Some(object), .. } = &fault.detail
            && !self.numbers.contains_key(&key(object.address))
        {
            self.object(object.address, Some(object.size), object.origin);
        }
    }

    fn object(&mut self, address: u64, size: Option<u64>, origin: Origin) -> u32 {
        let number = self.objects.len() as u32;
        self.numbers.insert(key(address), number);
        self.objects.push(Cut {
            address,
            size,
            origin,
            boundaries: BTreeSet::new(),
            areas: FxHashSet::default(),
            sorts: FxHashMap::default(),
        });
        number
    }

    fn access(&mut self, memory: &Objects, address: u64, size: u64, sort: Option<Sort>) {
        if size == 0 {
            return;
        }
        let number = match self.numbers.get(&key(address)) {
            Some(&number) => number,
            None => match (self.made.get(&key(address)).copied(), memory.object_at(address)) {
                (Some(made), _) => self.object(made.address, made.size, made.origin),
                (None, Some(facts)) => self.object(facts.address, Some(facts.size), facts.origin),
                (None, None) => self.object(address, None, Origin::Start),
            },
        };
        let Some(cut) = self.objects.get_mut(number as usize) else { return };
        let offset = address.wrapping_sub(cut.address);
        if cut.areas.insert((offset, size)) {
            cut.boundaries.insert(offset);
            cut.boundaries.insert(offset.wrapping_add(size));
        }
        if let Some(sort) = sort {
            let known = cut.sorts.entry((offset, size)).or_insert_with(|| Some(sort.clone()));
            if *known != Some(sort) {
                *known = None;
            }
        } else if size > LARGEST {
            // A copy of many bytes: nothing may be larger than a word.
            let mut at = offset.next_multiple_of(LARGEST);
            while at < offset.wrapping_add(size) && cut.boundaries.len() < MOST_BOUNDARIES {
                cut.boundaries.insert(at);
                at += LARGEST;
            }
        }
    }

    /// The objects with their cells, the cells' object numbers, and the values they begin with. The memory
    /// is that of the start and of the end, and of where the part begins of which nothing is left out.
    pub(super) fn finish(
        self,
        program: &Program,
        terms: &mut Terms,
        [start, end]: [&Objects; 2],
        whole: Option<&Objects>,
    ) -> Layout {
        let mut layout = Layout { numbers: self.numbers, ..Layout::default() };
        for cut in self.objects {
            let number = layout.objects.len() as u32;
            let name = name(program, cut.origin, number);
            let ty = ty(program, cut.origin);
            let known = whole.and_then(|memory| memory.object_at(cut.address));
            let size = cut.size.or(known.map(|facts| facts.size)).unwrap_or(0);
            let bytes = |memory| bytes(memory, cut.address, size);
            let beginning = bytes(start);
            let rest = whole.and_then(bytes).or(beginning).or_else(|| bytes(end));
            let rest = rest.map(<[u8]>::to_vec);
            let parts = cut.parts();
            let mut cells = Vec::with_capacity(parts.len());
            for (offset, size) in parts {
                let sort = match cut.sorts.get(&(offset, size)) {
                    Some(Some(Sort::Float(format))) => Sort::Float(*format),
                    _ => Sort::BitVec(8 * size as u32),
                };
                let path = ty.and_then(|ty| {
                    let scalar = program.path_to(ty, offset, size);
                    scalar.or_else(|| program.path_around(ty, offset, size))
                });
                let (path, ty) = path.unzip();
                let label = match path {
                    Some(path) => format!("{name}{path}"),
                    None => format!("{name}+{offset}"),
                };
                let variable = terms.fresh(&label, &sort);
                let bytes = beginning
                    .and_then(|bytes| bytes.get(offset as usize..(offset + size) as usize));
                if let Some(value) = bytes.and_then(|bytes| value_of_bytes(&sort, bytes)) {
                    layout.initial.insert(variable, value);
                }
                layout.cells.insert(variable, number);
                layout.types.extend(ty.map(|ty| (variable, ty)));
                layout.labels.insert(variable, (label, ty));
                cells.push(Cell { offset, size, variable });
            }
            let (address, origin) = (cut.address, cut.origin);
            layout.objects.push(Object { name, ty, origin, address, size, cells, rest });
        }
        layout
    }
}

impl Cut {
    /// The parts of the object that become cells: offset and size.
    fn parts(&self) -> Vec<(u64, u64)> {
        let mut areas: Vec<(u64, u64)> = self.areas.iter().copied().collect();
        areas.sort_unstable();
        let usual = areas.first().map_or(1, |area| area.1.min(LARGEST));
        let mut areas = areas.into_iter().peekable();
        // So far everything is accessed by one of the areas that begin before.
        let mut accessed = 0;
        let mut parts: Vec<(u64, u64)> = Vec::new();
        let boundaries: Vec<u64> = self.boundaries.iter().copied().collect();
        for (&offset, &end) in boundaries.iter().zip(boundaries.iter().skip(1)) {
            while let Some((begin, size)) = areas.next_if(|area| area.0 <= offset) {
                accessed = begin.saturating_add(size).max(accessed);
            }
            let size = end - offset;
            let own = parts.last().map_or(usual, |part| part.1);
            let between = accessed <= offset;
            if size > LARGEST_CELL {
                continue; // nothing accesses what lies between two accesses
            }
            // It might be accessed like its neighbour.
            if between && size % own == 0 {
                parts.extend((offset..end).step_by(own as usize).map(|offset| (offset, own)));
            } else {
                parts.push((offset, size));
            }
        }
        parts
    }
}

/// No cell is larger.
const LARGEST_CELL: u64 = 16;

/// The size of the local object that an edge makes, if it does and it is known.
fn local_size(program: &Program, edge: EdgeId) -> Option<Option<u64>> {
    let Statement::Memory(Memory::Alloc { size, .. }) = &program.edge(edge).statement else {
        return None;
    };
    Some(match program.terms.value(*size) {
        Some(Value::BitVec(size)) => Some(size.unsigned() as u64),
        _ => None,
    })
}

/// The contents of larger objects are not kept.
const LARGEST_COPY: u64 = 1 << 24;

/// The contents of an object in a memory, if they are there and not too much.
fn bytes(memory: &Objects, address: u64, size: u64) -> Option<&[u8]> {
    memory.view(address, size).ok().filter(|_| size < LARGEST_COPY)
}

/// Beyond so many, large copies are not cut further.
const MOST_BOUNDARIES: usize = 1 << 16;

/// The cells of a run.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub objects: Vec<Object>,
    pub cells: FxHashMap<Term, u32>,
    /// What a programmer calls a cell, and its type.
    pub labels: FxHashMap<Term, (String, Option<TypeId>)>,
    pub types: FxHashMap<Term, TypeId>,
    pub initial: FxHashMap<Term, Value>,
    numbers: FxHashMap<u64, u32>,
}

impl Layout {
    /// The number of the object that an address belongs to.
    pub(super) fn number(&self, address: u64) -> Option<u32> {
        self.numbers.get(&key(address)).copied()
    }
}

fn ty(program: &Program, origin: Origin) -> Option<TypeId> {
    match origin {
        Origin::Static(id) => program.statics.get(id.index())?.ty,
        Origin::Local(edge) => match &program.edge(edge).statement {
            Statement::Memory(Memory::Alloc { object, .. }) => object.ty,
            _ => None,
        },
        Origin::Heap(_) | Origin::Start => None,
    }
}

fn name(program: &Program, origin: Origin, number: u32) -> String {
    let name = match origin {
        Origin::Static(id) => program.statics.get(id.index()).map(|object| object.name.clone()),
        Origin::Local(edge) => match &program.edge(edge).statement {
            Statement::Memory(Memory::Alloc { object, .. }) => Some(object.name.clone()),
            _ => None,
        },
        Origin::Heap(_) => Some(format!("heap{number}")),
        Origin::Start => Some(format!("argument{number}")),
    };
    match name {
        Some(name) if !name.is_empty() => name,
        _ => format!("object{number}"),
    }
}
