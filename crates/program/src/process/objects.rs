//! Objects in memory: bytes with bounds, provenance, lifetime, and a note of which bits are undefined.
//!
//! An address names its object: see [`static_address`](super::static_address). So an access is an index
//! into a table, and an address that was moved out of its object is still known to be about it. The
//! number of a dead object is used again late, and then with the next generation, so that old
//! addresses are recognised.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::{Access, Detail, Effect, Fault, ObjectFacts, Origin, static_address};
use crate::bytes;
use crate::program::{EdgeId, FailureKind, Program, StaticId};

/// How many numbers there are: 23 bits.
const NUMBERS: usize = 1 << 23;
/// Sizes are below this, so that an object never leaves the low half of its addresses.
const LARGEST: u64 = 1 << 31;
/// The low halves of addresses lie between these: moved by up to 2^28, they name the same object.
const LOW: u64 = 0x1000_0000;
const HIGH: u64 = 0x7000_0000;
/// How many dead objects are remembered before their numbers are used again. Those of activations are
/// many and short-lived.
const DEAD_LOCALS: usize = 1 << 10;
const DEAD_OTHERS: usize = 1 << 14;
/// Of larger objects often only parts are used, and memory that is not used costs nothing.
const LARGE: u64 = 1 << 20;
/// What an object takes besides its bytes.
const OVERHEAD: u64 = 160;
/// Addresses below this are taken for null with an offset.
const NULL_PAGE: u64 = 4096;

/// All objects of a process.
#[derive(Clone, Debug)]
pub struct Objects {
    /// By number. Nothing has the number 0.
    table: Vec<Object>,
    dead_locals: VecDeque<u32>,
    dead_others: VecDeque<u32>,
    /// Where a bump allocator would put the next object.
    next: u64,
    serials: [u64; 4],
    live: u64,
    /// How many bytes living objects may take.
    pub limit: u64,
    journal: Journal,
}

/// What the world does to memory, while that is of interest. Reading is noted, too, by those who may
/// only look: hence the lock.
#[derive(Debug, Default)]
struct Journal {
    open: bool,
    effects: Mutex<Vec<Effect>>,
}

impl Clone for Journal {
    fn clone(&self) -> Journal {
        Journal::default()
    }
}

impl Journal {
    fn note(&self, effect: impl FnOnce() -> Effect) {
        if self.open {
            self.effects.lock().unwrap_or_else(PoisonError::into_inner).push(effect());
        }
    }
}

#[derive(Debug)]
struct Object {
    base: u64,
    /// Empty when it is dead: then every access fails, and why is found out later.
    bytes: Vec<u8>,
    /// The defined bits of each byte; empty if all are defined.
    defined: Vec<u8>,
    size: u64,
    serial: u64,
    origin: Origin,
    ended: Option<EdgeId>,
    life: Life,
    writable: bool,
}

impl Clone for Object {
    fn clone(&self) -> Object {
        Object { bytes: bytes::copy(&self.bytes), defined: bytes::copy(&self.defined), ..*self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Alive,
    Dead,
}

impl Default for Objects {
    fn default() -> Objects {
        let nothing = Object {
            base: 0,
            bytes: Vec::new(),
            defined: Vec::new(),
            size: 0,
            serial: 0,
            origin: Origin::Start,
            ended: None,
            life: Life::Dead,
            writable: false,
        };
        Objects {
            table: vec![nothing],
            dead_locals: VecDeque::new(),
            dead_others: VecDeque::new(),
            next: LOW,
            serials: [0; 4],
            live: 0,
            limit: 3 << 29,
            journal: Journal::default(),
        }
    }
}

/// What an object takes of the limit: small ones take what their bytes, the notes of which are defined, and
/// they themselves need.
fn cost(size: u64) -> u64 {
    if size < LARGE { 2 * size + OVERHEAD } else { size }
}

fn number(address: u64) -> usize {
    (address >> 32) as usize & (NUMBERS - 1)
}

impl Objects {
    /// The objects that exist before the program starts.
    pub(super) fn of_program(program: &Program) -> Result<Objects, String> {
        let mut objects = Objects::default();
        if program.statics.len() >= NUMBERS / 2 {
            return Err("there are too many static objects".to_owned());
        }
        for (index, object) in program.statics.iter().enumerate() {
            let id = StaticId(index as u32);
            let bytes = object.image();
            let size = bytes.len() as u64;
            if size >= LARGEST {
                return Err(format!("`{}` is too large", object.name));
            }
            objects.live += cost(size);
            objects.table.push(Object {
                base: static_address(id),
                bytes,
                defined: Vec::new(),
                size,
                serial: index as u64,
                origin: Origin::Static(id),
                ended: None,
                life: Life::Alive,
                writable: object.writable,
            });
        }
        Ok(objects)
    }

    /// The object of the address, and where in it the address is, if that is inside or just behind.
    #[inline(always)]
    fn find(&self, address: u64) -> Option<(&Object, usize)> {
        let object = self.table.get(number(address))?;
        let offset = address.wrapping_sub(object.base);
        (offset <= object.bytes.len() as u64).then_some((object, offset as usize))
    }

    #[inline(always)]
    fn find_mut(&mut self, address: u64) -> Option<(&mut Object, usize)> {
        let object = self.table.get_mut(number(address))?;
        let offset = address.wrapping_sub(object.base);
        (offset <= object.bytes.len() as u64).then_some((object, offset as usize))
    }

    /// Reads up to 8 bytes: the value and its undefined bits. None if the access is bad.
    #[inline(always)]
    pub(super) fn load<const N: usize>(&self, address: u64) -> Option<(u64, u64)> {
        let (object, offset) = self.find(address)?;
        let bytes: &[u8; N] = object.bytes.get(offset..)?.first_chunk()?;
        let mut word = [0; 8];
        word[..N].copy_from_slice(bytes);
        let mut defined = [0xff; 8];
        if !object.defined.is_empty() {
            defined[..N].copy_from_slice(object.defined.get(offset..offset + N)?);
        }
        Some((u64::from_le_bytes(word), !u64::from_le_bytes(defined)))
    }

    /// The same for up to 16 bytes.
    pub(super) fn load_any(&self, address: u64, size: usize) -> Option<(u128, u128)> {
        let (object, offset) = self.find(address)?;
        let range = offset..offset + size;
        let (mut word, mut defined) = ([0; 16], [0xff; 16]);
        word.get_mut(..size)?.copy_from_slice(object.bytes.get(range.clone())?);
        if !object.defined.is_empty() {
            defined.get_mut(..size)?.copy_from_slice(object.defined.get(range)?);
        }
        Some((u128::from_le_bytes(word), !u128::from_le_bytes(defined)))
    }

    /// Writes up to 8 bytes. None if the access is bad.
    #[inline(always)]
    pub(super) fn store<const N: usize>(
        &mut self,
        address: u64,
        value: u64,
        undefined: u64,
    ) -> Option<()> {
        let (object, offset) = self.find_mut(address)?;
        let bytes: &mut [u8; N] = object.bytes.get_mut(offset..)?.first_chunk_mut()?;
        if !object.writable {
            return None;
        }
        bytes.copy_from_slice(&value.to_le_bytes()[..N]);
        if !object.defined.is_empty() || undefined != 0 {
            object.define(offset, &(!undefined).to_le_bytes()[..N]);
        }
        Some(())
    }

    /// The same for up to 16 bytes; whether they may be written has been checked.
    pub(super) fn put(
        &mut self,
        address: u64,
        size: usize,
        value: u128,
        undefined: u128,
    ) -> Option<()> {
        let (object, offset) = self.find_mut(address)?;
        let place = object.bytes.get_mut(offset..offset + size)?;
        place.copy_from_slice(value.to_le_bytes().get(..size)?);
        if !object.defined.is_empty() || undefined != 0 {
            object.define(offset, (!undefined).to_le_bytes().get(..size)?);
        }
        Some(())
    }

    /// Whether the area may be written.
    pub(super) fn check(&self, access: Access, address: u64, size: u64) -> Result<(), Fault> {
        match self.find(address) {
            _ if size == 0 => Ok(()),
            Some((object, offset))
                if size <= (object.bytes.len() - offset) as u64
                    && (object.writable || access == Access::Read) =>
            {
                Ok(())
            }
            _ => Err(self.fault(access, address, size)),
        }
    }

    /// Why an access is bad.
    #[cold]
    pub(super) fn fault(&self, access: Access, address: u64, size: u64) -> Fault {
        let (kind, object) = match self.table.get(number(address)) {
            _ if address < NULL_PAGE => (FailureKind::NullDereference, None),
            Some(object) if number(address) != 0 && object.base >> 55 == address >> 55 => {
                let facts = Some(object.facts());
                let offset = address.wrapping_sub(object.base);
                let outside = offset > object.size || size > object.size - offset;
                match object.life {
                    Life::Dead => (FailureKind::UseAfterFree, facts),
                    Life::Alive if outside => (FailureKind::OutOfBounds, facts),
                    Life::Alive => (FailureKind::ReadOnly, facts),
                }
            }
            // The number has been given to a later object.
            Some(object)
                if number(address) != 0
                    && address >> 63 == 0
                    && object.base >> 55 > address >> 55 =>
            {
                (FailureKind::UseAfterFree, None)
            }
            _ => (FailureKind::WildPointer, None),
        };
        Fault { kind, detail: Detail::Access { access, address, size, object } }
    }

    /// How many bytes living objects take.
    pub fn live(&self) -> u64 {
        self.live
    }

    /// The bytes of an area that must lie in one living object. They may be undefined.
    pub fn bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        let bytes = self.view(address, size)?;
        self.journal.note(|| Effect::Read { address, bytes: bytes.to_vec() });
        Ok(bytes)
    }

    /// The same, for those who only show it.
    pub fn view(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        self.check(Access::Read, address, size)?;
        Ok(self.area(address, size).map_or(&[], |(object, range)| &object.bytes[range]))
    }

    /// The object and the range of an area that is not empty and was checked.
    fn area(&self, address: u64, size: u64) -> Option<(&Object, std::ops::Range<usize>)> {
        let (object, offset) = self.find(address).filter(|_| size > 0)?;
        Some((object, offset..offset + size as usize))
    }

    /// The same; bytes that were never written are a failure.
    pub fn defined_bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        let bytes = self.bytes(address, size)?;
        match self.area(address, size).and_then(|(object, range)| object.defined.get(range)) {
            Some(defined) if defined.iter().any(|&bits| bits != 0xff) => {
                let first = defined.iter().take_while(|&&bits| bits == 0xff).count() as u64;
                Err(self.undefined(address + first, 1))
            }
            _ => Ok(bytes),
        }
    }

    /// The undefined bits of each byte of an area; None if all are defined.
    pub fn undefined_bits(&self, address: u64, size: u64) -> Option<Vec<u8>> {
        let (object, range) = self.area(address, size)?;
        let defined = object.defined.get(range)?;
        let undefined = || defined.iter().map(|bits| !bits).collect();
        defined.iter().any(|&bits| bits != 0xff).then(undefined)
    }

    /// Something depends on bytes that were never written.
    fn undefined(&self, address: u64, size: u64) -> Fault {
        let object = self.table.get(number(address)).map(Object::facts);
        let detail = Detail::Access { access: Access::Read, address, size, object };
        Fault { kind: FailureKind::Uninitialised, detail }
    }

    /// The bytes before the first zero byte, all of which must be defined.
    pub fn string(&self, address: u64) -> Result<&[u8], Fault> {
        self.check(Access::Read, address, 1)?;
        let Some((object, offset)) = self.find(address) else { return Ok(&[]) };
        let bytes = &object.bytes[offset..];
        match bytes.iter().position(|&byte| byte == 0) {
            Some(end) => {
                self.defined_bytes(address, end as u64 + 1)?;
                Ok(&bytes[..end])
            }
            None => {
                self.defined_bytes(address, bytes.len() as u64)?;
                Err(self.fault(Access::Read, address + bytes.len() as u64, 1))
            }
        }
    }

    /// Writes defined bytes.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.check(Access::Write, address, bytes.len() as u64)?;
        if let Some((object, offset)) = self.find_mut(address).filter(|_| !bytes.is_empty()) {
            let range = offset..offset + bytes.len();
            object.bytes[range.clone()].copy_from_slice(bytes);
            if let Some(defined) = object.defined.get_mut(range) {
                defined.fill(0xff);
            }
        }
        self.journal.note(|| Effect::Write { address, bytes: bytes.to_vec() });
        Ok(())
    }

    /// Copies bytes, defined or not.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Fault> {
        self.check(Access::Read, from, size)?;
        self.check(Access::Write, to, size)?;
        self.copy_checked(to, from, size);
        let bytes = self.view(to, size)?;
        self.journal.note(|| Effect::Read { address: from, bytes: bytes.to_vec() });
        self.journal.note(|| Effect::Write { address: to, bytes: bytes.to_vec() });
        Ok(())
    }

    /// Copies between areas that were checked.
    pub(super) fn copy_checked(&mut self, to: u64, from: u64, size: u64) {
        if size == 0 {
            return;
        }
        let size = size as usize;
        if number(to) == number(from) {
            let Some((source, start)) = self.find(from) else { return };
            let offset = to.wrapping_sub(source.base) as usize;
            let range = start..start + size;
            let Some((object, _)) = self.find_mut(to) else { return };
            object.bytes.copy_within(range.clone(), offset);
            if !object.defined.is_empty() {
                object.defined.copy_within(range, offset);
            }
            return;
        }
        let Ok([source, target]) = self.table.get_disjoint_mut([number(from), number(to)]) else {
            return;
        };
        let (start, end) = ((from - source.base) as usize, (to - target.base) as usize);
        target.bytes[end..end + size].copy_from_slice(&source.bytes[start..start + size]);
        match source.defined.get(start..start + size) {
            Some(defined) if !target.defined.is_empty() || defined.iter().any(|&b| b != 0xff) => {
                target.define(end, defined);
            }
            None if !target.defined.is_empty() => target.defined[end..end + size].fill(0xff),
            _ => {}
        }
    }

    /// Sets the bytes of an area that was checked.
    pub(super) fn fill_checked(&mut self, to: u64, byte: u8, undefined: u8, size: u64) {
        let Some((object, offset)) = self.find_mut(to).filter(|_| size > 0) else { return };
        let range = offset..offset + size as usize;
        object.bytes[range.clone()].fill(byte);
        if undefined == 0 && size == object.size {
            object.defined = Vec::new();
            return;
        }
        if undefined != 0 && object.defined.is_empty() {
            object.defined = vec![0xff; object.bytes.len()];
        }
        if let Some(defined) = object.defined.get_mut(range) {
            defined.fill(!undefined);
        }
    }

    /// A new object of undefined bytes; none if memory is exhausted.
    pub fn allocate(&mut self, size: u64, align: u32, origin: Origin) -> Option<u64> {
        let address = self.allocate_zeroed(size, align, origin)?;
        let (object, _) = self.find_mut(address)?;
        object.defined = vec![0; size as usize];
        Some(address)
    }

    /// The same, of zero bytes.
    pub fn allocate_zeroed(&mut self, size: u64, align: u32, origin: Origin) -> Option<u64> {
        if size >= LARGEST || self.live.checked_add(cost(size))? > self.limit {
            return None;
        }
        let (number, generation) = self.new_number()?;
        let least = if matches!(origin, Origin::Local(_)) { 1 } else { 16 };
        let align = u64::from(align).next_power_of_two().clamp(least, 1 << 20);
        let mut low = self.next.next_multiple_of(align);
        if low > HIGH {
            low = LOW;
        }
        // As a real allocator, which writes its own notes between objects.
        self.next = (low + size + 16).min(HIGH + 1);
        let base = generation << 55 | (number as u64) << 32 | low;
        let kind = match origin {
            Origin::Static(_) => 0,
            Origin::Local(_) => 1,
            Origin::Heap(_) => 2,
            Origin::Start => 3,
        };
        let serial = self.serials[kind];
        self.serials[kind] += 1;
        self.live += cost(size);
        let object = Object {
            base,
            bytes: vec![0; size as usize],
            defined: Vec::new(),
            size,
            serial,
            origin,
            ended: None,
            life: Life::Alive,
            writable: true,
        };
        match self.table.get_mut(number) {
            Some(place) => *place = object,
            None => self.table.push(object),
        }
        self.journal.note(|| Effect::New { address: base, size });
        Some(base)
    }

    /// A number that no living object has, and its generation.
    fn new_number(&mut self) -> Option<(usize, u64)> {
        let full = self.table.len() == NUMBERS;
        let reused = if self.dead_locals.len() > DEAD_LOCALS {
            self.dead_locals.pop_front()
        } else if self.dead_others.len() > DEAD_OTHERS || full {
            self.dead_others.pop_front().or_else(|| self.dead_locals.pop_front())
        } else {
            None
        };
        match reused {
            Some(number) => {
                let generation = (self.table.get(number as usize)?.base >> 55) + 1;
                Some((number as usize, generation & 0xff))
            }
            None if full => None,
            None => Some((self.table.len(), 0)),
        }
    }

    /// Ends the life of a heap object, of which this must be the beginning.
    pub fn free(&mut self, address: u64, edge: EdgeId) -> Result<(), Fault> {
        if address == 0 {
            return Ok(());
        }
        let fault = self.fault(Access::Free, address, 0);
        let error = |kind: FailureKind| Err(Fault { kind, ..fault.clone() });
        match self.table.get(number(address)) {
            Some(object) if fault.kind == FailureKind::UseAfterFree => match object.origin {
                Origin::Heap(_) => error(FailureKind::DoubleFree),
                _ => error(FailureKind::InvalidFree),
            },
            Some(Object { origin: Origin::Heap(_), base, .. }) if *base == address => {
                self.end(address, edge);
                self.journal.note(|| Effect::Freed { address });
                Ok(())
            }
            _ => error(FailureKind::InvalidFree),
        }
    }

    /// Ends the life of the object that begins here.
    pub(super) fn end(&mut self, address: u64, edge: EdgeId) {
        let Some((object, 0)) = self.find_mut(address) else { return };
        object.life = Life::Dead;
        object.ended = Some(edge);
        object.bytes = Vec::new();
        object.defined = Vec::new();
        let (size, origin) = (object.size, object.origin);
        self.live -= cost(size);
        match origin {
            Origin::Local(_) => self.dead_locals.push_back(number(address) as u32),
            _ => self.dead_others.push_back(number(address) as u32),
        }
    }

    /// The living object that the address points into or just behind.
    pub fn object_at(&self, address: u64) -> Option<ObjectFacts> {
        let (object, _) = self.find(address)?;
        (object.life == Life::Alive).then(|| object.facts())
    }

    /// Starts to note what is done to memory.
    pub(super) fn start_journal(&mut self) {
        self.journal = Journal { open: true, effects: Mutex::default() };
    }

    /// What was done since the journal was started.
    pub(super) fn take_journal(&mut self) -> Vec<Effect> {
        let journal = std::mem::take(&mut self.journal);
        journal.effects.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Object {
    /// Notes which bits of the bytes from an offset on are defined.
    fn define(&mut self, offset: usize, defined: &[u8]) {
        if offset == 0 && defined.len() == self.bytes.len() && defined.iter().all(|&b| b == 0xff) {
            self.defined = Vec::new();
            return;
        }
        if self.defined.is_empty() {
            self.defined = vec![0xff; self.bytes.len()];
        }
        if let Some(place) = self.defined.get_mut(offset..offset + defined.len()) {
            place.copy_from_slice(defined);
        }
    }

    fn facts(&self) -> ObjectFacts {
        ObjectFacts {
            origin: self.origin,
            serial: self.serial,
            address: self.base,
            size: self.size,
            ended: self.ended,
        }
    }
}
