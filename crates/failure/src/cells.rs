//! Memory in traces: cells of objects are variables.
//!
//! In a run most addresses are known, so memory is no array to a trace: each object is cut into cells,
//! such that every access of the run covers whole cells, and a cell is a variable like any other. An
//! access whose address depends on variables is marked ([`Access`]); for whoever changes the address,
//! it is a case split over the cells of the object.

use std::collections::BTreeMap;

use program::TypeId;
use program::process::Origin;
use term::{Float, Op, Sort, Term, Terms, Value};

use crate::trace::Access;

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name in the source, or a description.
    pub name: String,
    pub ty: Option<TypeId>,
    pub origin: Origin,
    /// The address of its first byte.
    pub address: u64,
    pub size: u64,
    /// In the order of their offsets, and of their variables; they do not overlap.
    pub cells: Vec<Cell>,
    /// What the bytes that belong to no cell are, where that is known.
    pub rest: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub offset: u64,
    pub size: u64,
    pub variable: Term,
}

impl Object {
    /// The cell of a variable.
    pub fn cell(&self, variable: Term) -> Option<&Cell> {
        // Variables are made in the order of the cells, unless other runs have made them before.
        match self.cells.binary_search_by_key(&variable, |cell| cell.variable) {
            Ok(at) => self.cells.get(at),
            Err(_) => self.cells.iter().find(|cell| cell.variable == variable),
        }
    }

    /// The cells that lie in an area, in order.
    pub fn cells_in(&self, offset: u64, size: u64) -> &[Cell] {
        let first = self.cells.partition_point(|cell| cell.offset < offset);
        let end = offset.saturating_add(size);
        let last = self.cells.partition_point(|cell| cell.offset + cell.size <= end);
        self.cells.get(first..last).unwrap_or(&[])
    }
}

/// The places that an access may reach in the object of its run, if its address changes.
#[derive(Clone, Debug)]
pub struct Alternatives {
    /// Address and contents: a cell, or a value that nothing in the run accesses.
    pub cases: Vec<(u64, Contents)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    Cell(Term),
    /// A constant.
    Untouched(Term),
}

/// More places than this are too many for a case split.
const MOST: usize = 1 << 10;

/// All places of the same size as the accessed cell in its object, at a distance of whole sizes. None
/// if they are too many, or the bytes in between are not known.
pub fn alternatives(
    terms: &mut Terms,
    objects: &[Object],
    access: &Access,
    cell: Term,
) -> Option<Alternatives> {
    let object = objects.get(access.object as usize)?;
    let own = object.cell(cell)?;
    let (size, sort) = (own.size.max(1), terms.sort(cell).clone());
    let first = own.offset % size;
    let mut cases = Vec::new();
    let mut offset = first;
    while offset + size <= object.size {
        if cases.len() >= MOST {
            return None;
        }
        let address = object.address.wrapping_add(offset);
        let at = object.cells.partition_point(|cell| cell.offset + cell.size <= offset);
        match object.cells.get(at).filter(|cell| cell.offset < offset + size) {
            Some(cell) if cell.offset == offset && cell.size == size => {
                if *terms.sort(cell.variable) != sort {
                    return None;
                }
                cases.push((address, Contents::Cell(cell.variable)));
            }
            Some(_) => return None,
            None => {
                let bytes = object.rest.as_ref()?.get(offset as usize..(offset + size) as usize)?;
                let value = value_of_bytes(&sort, bytes)?;
                cases.push((address, Contents::Untouched(terms.constant(&value))));
            }
        }
        offset += size;
    }
    Some(Alternatives { cases })
}

/// The value of bytes, the least significant first.
pub fn value_of_bytes(sort: &Sort, bytes: &[u8]) -> Option<Value> {
    let mut bits = 0u128;
    for &byte in bytes.iter().take(16).rev() {
        bits = bits << 8 | u128::from(byte);
    }
    value_of_bits(sort, bits)
}

/// The value of a machine word.
pub fn value_of_bits(sort: &Sort, bits: u128) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(bits & 1 == 1)),
        Sort::BitVec(width) => Some(Value::bitvec(*width, bits)),
        Sort::Float(format) => Some(Value::Float(Float::new(*format, bits as u64))),
        _ => None,
    }
}

/// What was written to addresses that depend on variables. Each cell of the object may have been meant. But who reads
/// at such an address need not ask each cell: it is that of the last that was written, or of the one before, and so on.
#[derive(Debug, Default)]
pub struct Log {
    /// By object, in order.
    written: BTreeMap<u32, Vec<Written>>,
}

/// So many writes of an object are remembered: there may be many, and each of them remembers all cells.
const MOST_LOGGED: usize = 64;

#[derive(Debug)]
struct Written {
    address: Term,
    value: Term,
    /// What was there before, and after; by place, in order.
    contents: Vec<(u64, Term, Term)>,
}

/// What an access reads, given terms for its address and for the contents of cells now. None if that
/// cannot be said as a case split.
pub fn read(
    terms: &mut Terms,
    objects: &[Object],
    access: &Access,
    (cell, address): (Term, Term),
    log: &Log,
    now: &mut dyn FnMut(&mut Terms, Term) -> Term,
) -> Option<Term> {
    if let Some(number) = constant(terms, address)
        && let Some(direct) = cell_at(objects, access, cell, number)
    {
        return Some(now(terms, direct));
    }
    let alternatives = alternatives_at(terms, objects, access, cell, address)?;
    let contents = alternatives.cases.into_iter().map(|(place, contents)| match contents {
        Contents::Cell(other) => (place, now(terms, other)),
        Contents::Untouched(value) => (place, value),
    });
    let contents: Vec<(u64, Term)> = contents.collect();
    let written = log.written.get(&access.object).map_or(&[][..], Vec::as_slice);
    read_logged(terms, address, contents, written)
}

/// What is at an address, given the contents of all places, and what was written to unknown ones.
fn read_logged(
    terms: &mut Terms,
    address: Term,
    contents: Vec<(u64, Term)>,
    written: &[Written],
) -> Option<Term> {
    let Some((last, earlier)) = written.split_last() else {
        return read_case_by_case(terms, address, &contents);
    };
    // Some places may have been written since then; and other cells may be read than were written.
    let known = |place: u64| {
        let at = last.contents.binary_search_by_key(&place, |own| own.0).ok()?;
        Some(last.contents[at])
    };
    let is_as_left = |(place, value): (u64, Term)| known(place).is_some_and(|own| own.2 == value);
    if !contents.iter().any(|&own| is_as_left(own)) {
        return read_case_by_case(terms, address, &contents);
    }
    let before =
        contents.iter().map(|&(place, value)| (place, known(place).map_or(value, |k| k.1)));
    let rest = read_logged(terms, address, before.collect(), earlier)?;
    let here = terms.eq(address, last.address);
    let mut result = terms.ite(here, last.value, rest);
    for (place, value) in contents.into_iter().filter(|&own| !is_as_left(own)) {
        let here = is_between(terms, address, place, place);
        result = terms.ite(here, value, result);
    }
    Some(result)
}

fn read_case_by_case(terms: &mut Terms, address: Term, contents: &[(u64, Term)]) -> Option<Term> {
    // Neighbours with the same contents are one case: the first place, the last, and what is there.
    let mut cases: Vec<(u64, u64, Term)> = Vec::new();
    for &(place, value) in contents {
        match cases.last_mut() {
            Some((_, last, same)) if *same == value => *last = place,
            _ => cases.push((place, place, value)),
        }
    }
    // It is one of them, so the last is what is left.
    let mut result = cases.pop()?.2;
    for (first, last, value) in cases.into_iter().rev() {
        let here = is_between(terms, address, first, last);
        result = terms.ite(here, value, result);
    }
    Some(result)
}

/// Whether an address is one of those between two, if it is one of an object.
fn is_between(terms: &mut Terms, address: Term, first: u64, last: u64) -> Term {
    let lowest = terms.constant(&Value::bitvec(64, u128::from(first)));
    if first == last {
        return terms.eq(address, lowest);
    }
    let distance = terms.sub(address, lowest);
    let most = terms.constant(&Value::bitvec(64, u128::from(last - first)));
    let beyond = terms.bv_ult(most, distance);
    terms.not(beyond)
}

/// The new contents of the cells that an access may write, given terms for its address, the written
/// value and the contents now. None if that cannot be said as a case split.
pub fn write(
    terms: &mut Terms,
    objects: &[Object],
    access: &Access,
    (cell, address, value): (Term, Term, Term),
    log: &mut Log,
    now: &mut dyn FnMut(&mut Terms, Term) -> Term,
) -> Option<Vec<(Term, Term)>> {
    if let Some(number) = constant(terms, address)
        && let Some(direct) = cell_at(objects, access, cell, number)
    {
        return Some(vec![(direct, value)]);
    }
    let alternatives = alternatives_at(terms, objects, access, cell, address)?;
    let (mut writes, mut contents_of) = (Vec::new(), Vec::new());
    for (place, contents) in alternatives.cases {
        let here = is_between(terms, address, place, place);
        match contents {
            Contents::Cell(other) => {
                let old = now(terms, other);
                let new = terms.ite(here, value, old);
                writes.push((other, new));
                contents_of.push((place, old, new));
            }
            // It would become a cell, with a history that the trace does not have.
            Contents::Untouched(_) if terms.is_false(here) => {}
            Contents::Untouched(_) => return None,
        }
    }
    let written = log.written.entry(access.object).or_default();
    // What was before the first of them is in the cells.
    if written.len() == MOST_LOGGED {
        written.remove(0);
    }
    written.push(Written { address, value, contents: contents_of });
    Some(writes)
}

fn constant(terms: &Terms, address: Term) -> Option<u64> {
    match terms.value(address) {
        Some(Value::BitVec(bits)) => Some(bits.unsigned() as u64),
        _ => None,
    }
}

/// The cell at an address in the object of an access, if it is one like the accessed cell.
fn cell_at(objects: &[Object], access: &Access, cell: Term, address: u64) -> Option<Term> {
    let object = objects.get(access.object as usize)?;
    let own = object.cell(cell)?;
    let offset = address.wrapping_sub(object.address);
    let at = object.cells.binary_search_by_key(&offset, |cell| cell.offset).ok()?;
    object.cells.get(at).filter(|cell| cell.size == own.size).map(|cell| cell.variable)
}

/// The alternatives, if the address surely is that of one of them as long as it stays in the object.
fn alternatives_at(
    terms: &mut Terms,
    objects: &[Object],
    access: &Access,
    cell: Term,
    address: Term,
) -> Option<Alternatives> {
    let object = objects.get(access.object as usize)?;
    let own = object.cell(cell)?;
    let (size, first) = (own.size.max(1), object.address.wrapping_add(own.offset));
    if !is_congruent(terms, address, first, size) {
        return None;
    }
    alternatives(terms, objects, access, cell)
}

/// Whether the address surely differs from another one by a multiple of a size.
fn is_congruent(terms: &mut Terms, address: Term, other: u64, size: u64) -> bool {
    if size == 1 {
        return true;
    }
    if !size.is_power_of_two() {
        return false;
    }
    let other = terms.constant(&Value::bitvec(64, u128::from(other)));
    let distance = terms.sub(address, other);
    multiple_of(terms, distance, size.trailing_zeros(), 32)
}

/// Whether the low bits of a term are surely zero; it is looked at to a certain depth.
fn multiple_of(terms: &Terms, term: Term, bits: u32, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    if let Some(Value::BitVec(value)) = terms.value(term) {
        return value.unsigned().trailing_zeros() >= bits;
    }
    let args = terms.args(term);
    match terms.op(term) {
        Op::Add => args.iter().all(|&a| multiple_of(terms, a, bits, depth)),
        Op::Mul => args.iter().any(|&a| multiple_of(terms, a, bits, depth)),
        Op::Ite => args[1..].iter().all(|&a| multiple_of(terms, a, bits, depth)),
        Op::ZeroExtend | Op::SignExtend => multiple_of(terms, args[0], bits, depth),
        Op::BvAnd => args.iter().any(|&a| multiple_of(terms, a, bits, depth)),
        Op::BvShl => match terms.value(args[1]) {
            Some(Value::BitVec(by)) => by.unsigned() >= u128::from(bits),
            _ => false,
        },
        Op::Concat => multiple_of(terms, args[1], bits, depth),
        _ => false,
    }
}
