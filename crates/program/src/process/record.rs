//! The record of what a process did: words, one after the other.
//!
//! A step is a word with the edge in its low half; in its high half is the size of the area that the
//! step accesses, if it does. The words of its events follow, in the order of [`Observer`]. Which events
//! these are is known from the statement of the edge, so that they need no tags; those of the world do.
//! Values of up to 64 bits are one word, others are two. Undefined bits are rare and kept apart.

use super::image::bits;
use super::observe::{Effect, Event, Observer};
use super::{Nature, Scalar};
use crate::program::{EdgeId, ExternalId, Memory, ProcedureId, Program, Statement};

/// What a process did, from some point on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    pub(super) words: Vec<u64>,
    /// The undefined bits of the value at a position, in order.
    pub(super) undefined: Vec<(u64, u128)>,
    /// The calls that had not returned when the record began, outermost first.
    pub(super) calls: Vec<EdgeId>,
}

pub(super) const WRITE: u64 = 1;
pub(super) const NEW: u64 = 2;
pub(super) const FREED: u64 = 3;
pub(super) const NATURE: u64 = 4;
pub(super) const READ: u64 = 5;
/// Marks an external function in the place of a procedure.
pub(super) const EXTERNAL: u64 = 1 << 63;

/// What the first word of an effect begins with.
pub(super) fn tag(effect: &Effect) -> u64 {
    match effect {
        Effect::Read { .. } => READ,
        Effect::Write { .. } => WRITE,
        Effect::New { .. } => NEW,
        Effect::Freed { .. } => FREED,
    }
}

/// The second word.
pub(super) fn address(effect: &Effect) -> u64 {
    match effect {
        Effect::Read { address, .. }
        | Effect::Write { address, .. }
        | Effect::New { address, .. }
        | Effect::Freed { address } => *address,
    }
}

impl Log {
    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The events, in order. The program must be the one that was recorded.
    pub fn events<'a>(&'a self, program: &'a Program) -> LogReader<'a> {
        LogReader {
            program,
            log: self,
            position: 0,
            next_undefined: 0,
            calls: self.calls.clone(),
            step: 0,
            expected: Vec::new(),
        }
    }
}

/// Records what a process does.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    log: Log,
    /// Where the last step is.
    step: usize,
    most: usize,
    full: bool,
}

impl Recorder {
    /// A recorder of a process from its start. It gives up at the first step after so many words.
    pub fn new(most_words: usize) -> Recorder {
        Recorder::within(Vec::new(), most_words)
    }

    /// A recorder of a process where these calls have not returned: see [`super::Process::calls`].
    pub fn within(calls: Vec<EdgeId>, most_words: usize) -> Recorder {
        let log = Log { calls, ..Log::default() };
        Recorder { log, step: 0, most: most_words, full: false }
    }

    /// The record; None if there was more than there was space for.
    pub fn finish(self) -> Option<Log> {
        (!self.full).then_some(self.log)
    }

    /// The record as far as there was space for it.
    pub fn log(&self) -> &Log {
        &self.log
    }

    #[inline]
    fn push(&mut self, word: u64) {
        if !self.full {
            self.log.words.push(word);
        }
    }
}

impl Observer for Recorder {
    const ACTIVE: bool = true;

    #[inline]
    fn step(&mut self, edge: EdgeId) -> bool {
        if self.log.words.len() >= self.most {
            self.full = true;
            return true;
        }
        self.step = self.log.words.len();
        self.push(edge.0.into());
        true
    }

    #[inline]
    fn value(&mut self, value: Scalar, bits: u32) -> Scalar {
        if value.undefined != 0 && !self.full {
            self.log.undefined.push((self.log.words.len() as u64, value.undefined));
        }
        self.push(value.bits as u64);
        if bits > 64 {
            self.push((value.bits >> 64) as u64);
        }
        value
    }

    #[inline]
    fn access(&mut self, address: u64, size: u64) -> bool {
        if !self.full
            && let Some(step) = self.log.words.get_mut(self.step)
        {
            *step = *step & 0xffff_ffff | size << 32;
        }
        self.push(address);
        true
    }

    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        self.push(procedure.0.into());
        true
    }

    fn external(&mut self, function: ExternalId) -> bool {
        self.push(EXTERNAL | u64::from(function.0));
        true
    }

    fn effect(&mut self, effect: &Effect) {
        let (size, bytes): (u64, &[u8]) = match effect {
            Effect::Read { bytes, .. } | Effect::Write { bytes, .. } => (bytes.len() as u64, bytes),
            Effect::New { size, .. } => (*size, &[]),
            Effect::Freed { .. } => (0, &[]),
        };
        self.push(tag(effect) | size << 8);
        self.push(address(effect));
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.push(u64::from_le_bytes(word));
        }
    }

    fn nature(&mut self, nature: Nature) {
        let nature = match nature {
            Nature::Input => 0,
            Nature::Opaque => 1,
            Nature::Fixed => 2,
        };
        self.push(NATURE | nature << 8);
    }
}

/// What is still to be read of a step.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Value(u32),
    Access,
    Callee,
    /// Effects of the world, up to its nature.
    World,
}

/// Reads a log, event by event.
#[derive(Clone, Debug)]
pub struct LogReader<'a> {
    program: &'a Program,
    log: &'a Log,
    position: usize,
    next_undefined: usize,
    calls: Vec<EdgeId>,
    step: u64,
    /// In reverse.
    expected: Vec<Expected>,
}

impl<'a> LogReader<'a> {
    /// The calls that have not returned, outermost first.
    pub fn calls(&self) -> &[EdgeId] {
        &self.calls
    }

    /// How many words have been read.
    pub fn position(&self) -> usize {
        self.position
    }

    fn word(&mut self) -> Option<u64> {
        let word = self.log.words.get(self.position).copied();
        self.position += 1;
        word
    }

    fn edge(&self) -> EdgeId {
        EdgeId(self.step as u32)
    }

    /// The events of the statement that the step takes, the last first.
    fn expect(&mut self) {
        let program = self.program;
        let id = self.edge();
        let Some(edge) = program.edges.get(id.index()) else { return };
        match &edge.statement {
            Statement::Assign { place, .. } | Statement::Havoc { place } => {
                self.expect_values(&[place.variable]);
            }
            Statement::Assume { .. } => {}
            Statement::Call { arguments, .. } => {
                self.expect_values(arguments);
                self.calls.push(id);
            }
            Statement::CallPointer { .. } => self.expected.push(Expected::Callee),
            Statement::External { results, .. } => {
                self.expect_values(results);
                self.expected.push(Expected::World);
            }
            Statement::Return => {
                let call = self.calls.pop().and_then(|call| program.edges.get(call.index()));
                self.expect_values(call.map_or(&[], |call| call.statement.targets()));
            }
            Statement::Memory(memory) => match memory {
                Memory::Load { target, .. } => {
                    self.expect_values(&[*target]);
                    self.expected.push(Expected::Access);
                }
                Memory::Store { value: stored, .. } | Memory::Initialise { value: stored, .. } => {
                    self.expected.push(Expected::Access);
                    self.expect_values(&[*stored]);
                }
                Memory::Alloc { target, .. } | Memory::Mark { target } => {
                    self.expect_values(&[*target]);
                }
                Memory::Copy { .. } => self.expected.extend([Expected::Access, Expected::Access]),
                Memory::Fill { .. } => self.expected.push(Expected::Access),
                Memory::Release { .. } => {}
            },
        }
    }

    /// A value of the width of each term, before all else that is expected.
    fn expect_values(&mut self, terms: &[term::Term]) {
        let arena = &self.program.terms;
        let widths = terms.iter().rev().map(|&term| bits(arena.sort(term)).unwrap_or(64));
        self.expected.extend(widths.map(Expected::Value));
    }

    fn value(&mut self, bits: u32) -> Option<Event> {
        let at = self.position as u64;
        let mut value = Scalar::new(self.word()?.into());
        if bits > 64 {
            value.bits |= u128::from(self.word()?) << 64;
        }
        if let Some(&(position, undefined)) = self.log.undefined.get(self.next_undefined)
            && position == at
        {
            value.undefined = undefined;
            self.next_undefined += 1;
        }
        Some(Event::Value(value))
    }

    fn callee(&mut self) -> Option<Event> {
        let word = self.word()?;
        let program = self.program;
        if word & EXTERNAL != 0 {
            let edge = program.edges.get(self.edge().index())?;
            self.expect_values(edge.statement.targets());
            self.expected.push(Expected::World);
            return self.next();
        }
        let procedure = program.procedures.get(word as usize)?;
        self.expect_values(&procedure.parameters);
        self.calls.push(self.edge());
        Some(Event::Procedure(ProcedureId(word as u32)))
    }

    fn world(&mut self) -> Option<Event> {
        let word = self.word()?;
        let size = word >> 8;
        let effect = match word & 0xff {
            NATURE => {
                return Some(Event::Nature(match size {
                    0 => Nature::Input,
                    1 => Nature::Opaque,
                    _ => Nature::Fixed,
                }));
            }
            tag @ (READ | WRITE) => {
                let address = self.word()?;
                let count = usize::try_from(size).ok()?.div_ceil(8);
                let words = self.log.words.get(self.position..self.position + count)?;
                self.position += count;
                let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.truncate(size as usize);
                match tag {
                    READ => Effect::Read { address, bytes },
                    _ => Effect::Write { address, bytes },
                }
            }
            NEW => Effect::New { address: self.word()?, size },
            _ => Effect::Freed { address: self.word()? },
        };
        self.expected.push(Expected::World);
        Some(Event::Effect(effect))
    }
}

impl Iterator for LogReader<'_> {
    type Item = Event;

    /// The next event. A step that failed may lack its last events; it is the last.
    fn next(&mut self) -> Option<Event> {
        match self.expected.pop() {
            None => {
                self.step = self.word()?;
                self.expect();
                Some(Event::Step(self.edge()))
            }
            Some(Expected::Value(bits)) => self.value(bits),
            Some(Expected::Access) => {
                let address = self.word()?;
                Some(Event::Access { address, size: self.step >> 32 })
            }
            Some(Expected::Callee) => self.callee(),
            Some(Expected::World) => self.world(),
        }
    }
}
