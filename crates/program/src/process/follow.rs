//! Running a process again along a record, with one value changed: does it go the same way?
//!
//! The way is the same as long as the edges, the procedures that pointers lead to, and the objects that
//! are accessed are the same. Values, and places within an object, may differ.

use super::observe::{Effect, Observer};
use super::record::{EXTERNAL, Log, NATURE, READ, WRITE};
use super::{Nature, Scalar};
use crate::program::{EdgeId, ExternalId, ProcedureId};

/// Stops a process where it leaves the way of a record.
#[derive(Clone, Debug)]
pub struct Follower<'a> {
    log: &'a Log,
    position: usize,
    values: u32,
    changed: u32,
    replacement: Scalar,
    left: bool,
}

impl<'a> Follower<'a> {
    /// Changes the value with this number, counted from 0 over all values of the record.
    pub fn new(log: &'a Log, changed: u32, replacement: Scalar) -> Follower<'a> {
        Follower::from(log, (0, 0), changed, replacement)
    }

    /// The same for a process that has already gone so many words of the record, with so many values.
    pub fn from(
        log: &'a Log,
        (position, values): (usize, u32),
        changed: u32,
        replacement: Scalar,
    ) -> Follower<'a> {
        Follower { log, position, values, changed, replacement, left: false }
    }

    /// Whether the process went the whole way of the record.
    pub fn at_end(&self) -> bool {
        !self.left && self.position == self.log.words.len()
    }

    /// Whether the process left the way of the record, or went on at its end.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// How many values have been assigned.
    pub fn values(&self) -> u32 {
        self.values
    }

    /// Compares the next word of the record.
    fn expect(&mut self, same: impl Fn(u64) -> bool) -> bool {
        match self.log.words.get(self.position) {
            Some(&word) if !self.left && same(word) => self.position += 1,
            _ => self.left = true,
        }
        !self.left
    }
}

impl Observer for Follower<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        self.expect(|word| word as u32 == edge.0)
    }

    fn value(&mut self, value: Scalar, bits: u32) -> Scalar {
        self.expect(|_| true);
        if bits > 64 {
            self.expect(|_| true);
        }
        self.values += 1;
        if self.values - 1 != self.changed {
            return value;
        }
        let mask = super::machine::mask(bits);
        let Scalar { bits, undefined } = self.replacement;
        Scalar { bits: bits & mask, undefined: undefined & mask }
    }

    fn access(&mut self, address: u64, _: u64) -> bool {
        self.expect(|word| word >> 32 == address >> 32)
    }

    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        self.expect(|word| word == u64::from(procedure.0))
    }

    fn external(&mut self, function: ExternalId) -> bool {
        self.expect(|word| word == EXTERNAL | u64::from(function.0))
    }

    fn effect(&mut self, effect: &Effect) {
        // How much the world reads and writes may depend on values; what it makes and frees may not.
        let Some(&word) = self.log.words.get(self.position) else {
            self.left = true;
            return;
        };
        let payload = match word & 0xff {
            READ | WRITE => (word >> 8).div_ceil(8),
            _ => 0,
        };
        if self.expect(|word| word & 0xff == super::record::tag(effect)) {
            self.expect(|address| address >> 32 == super::record::address(effect) >> 32);
            self.position += payload as usize;
        }
    }

    fn nature(&mut self, _: Nature) {
        self.expect(|word| word & 0xff == NATURE);
    }
}
