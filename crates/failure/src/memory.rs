//! Memory at a moment of a run, and what the run does to it then.

use std::hash::{DefaultHasher, Hash, Hasher};

use program::process::Contents;
use term::{Sort, Value};

use crate::cells::value_of_bytes;

/// The part of an address that tells objects apart.
pub(crate) fn key(address: u64) -> u64 {
    address >> 32
}

/// Parts of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Areas {
    /// Where each begins, and ends; in order, with something between them.
    parts: Vec<(u64, u64)>,
}

impl Areas {
    pub fn add(&mut self, begin: u64, end: u64) {
        if begin >= end {
            return;
        }
        let first = self.parts.partition_point(|part| part.1 < begin);
        let last = self.parts.partition_point(|part| part.0 <= end);
        let joined = match self.parts.get(first..last) {
            Some([one]) if one.0 <= begin && end <= one.1 => return,
            Some([one, .., other]) => (begin.min(one.0), end.max(other.1)),
            Some([one]) => (begin.min(one.0), end.max(one.1)),
            _ => (begin, end),
        };
        self.parts.splice(first..last, [joined]);
    }

    pub fn extend(&mut self, parts: impl IntoIterator<Item = (u64, u64)>) {
        for (begin, end) in parts {
            self.add(begin, end);
        }
    }

    pub fn take_away(&mut self, begin: u64, end: u64) {
        let first = self.parts.partition_point(|part| part.1 <= begin);
        let last = self.parts.partition_point(|part| part.0 < end);
        if begin >= end || first >= last {
            return;
        }
        let rest = [(self.parts[first].0, begin), (end, self.parts[last - 1].1)];
        let rest = rest.into_iter().filter(|(begin, end)| begin < end);
        self.parts.splice(first..last, rest);
    }

    /// Whether there is something of this.
    pub fn meets(&self, begin: u64, end: u64) -> bool {
        let first = self.parts.partition_point(|part| part.1 <= begin);
        begin < end && self.parts.get(first).is_some_and(|part| part.0 < end)
    }

    /// Adds all of others; whether that was more.
    pub fn join(&mut self, others: &Areas) -> bool {
        let new: Vec<(u64, u64)> =
            others.iter().filter(|&(begin, end)| !self.has(begin, end)).collect();
        self.extend(new.iter().copied());
        !new.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether all of this is there.
    pub fn has(&self, begin: u64, end: u64) -> bool {
        let first = self.parts.partition_point(|part| part.1 < end);
        begin >= end || self.parts.get(first).is_some_and(|part| part.0 <= begin)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.parts.iter().copied()
    }
}

/// What a part of a run does to memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// What the program loads that was not written before.
    pub loaded: Areas,
    /// What else is read.
    pub read: Areas,
    /// What is written in any case.
    pub written: Areas,
}

impl Touched {
    pub fn load(&mut self, begin: u64, end: u64) {
        let new = self.unwritten(begin, end);
        self.loaded.join(&new);
    }

    pub fn read(&mut self, begin: u64, end: u64) {
        let new = self.unwritten(begin, end);
        self.read.join(&new);
    }

    fn unwritten(&self, begin: u64, end: u64) -> Areas {
        let mut new = Areas::default();
        new.add(begin, end);
        self.before(new)
    }

    /// What of this there is already before.
    pub fn before(&self, mut areas: Areas) -> Areas {
        for (begin, end) in self.written.iter() {
            areas.take_away(begin, end);
        }
        areas
    }
}

/// There is nothing at the null pointer. So it stands for the standard input, which is like memory: what a run does depends on
/// where it was before.
pub const INPUT: (u64, u64) = (0, 1);

/// An access whose address can be changed: it may be to any part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The index of the edge in the path.
    pub at: usize,
    /// Where the object begins, and ends.
    pub object: (u64, u64),
    pub direction: crate::trace::Direction,
}

/// What is in memory at a moment of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    pub contents: Contents,
    /// What tells apart states of the standard input.
    pub input: u64,
    /// Where there are values that can be changed.
    pub changed: Vec<Cell>,
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub begin: u64,
    pub end: u64,
    /// Whether it is about what is defined there.
    pub notes: bool,
}

impl Memory {
    /// What is in an area, if it is defined and cannot be changed.
    pub fn value(&self, (begin, end): (u64, u64), sort: &Sort) -> Option<Value> {
        let is_changed = |cell: &Cell| cell.begin < end && begin < cell.end;
        if self.changed.iter().any(is_changed) {
            return None;
        }
        let (bytes, defined) = self.contents.area(begin, end)?;
        let is_whole =
            bytes.len() as u64 == end - begin && defined.iter().all(|&bits| bits == 0xff);
        is_whole.then(|| value_of_bytes(sort, bytes)).flatten()
    }

    /// What tells apart memories in some areas, but for the values that can be changed; and which of these are there.
    pub fn within(&self, areas: &Areas) -> (u64, Vec<usize>) {
        let mut hasher = DefaultHasher::new();
        let is_there = |&number: &usize| {
            let cell = self.changed[number];
            areas.meets(cell.begin, cell.end)
        };
        let changed: Vec<usize> = (0..self.changed.len()).filter(is_there).collect();
        for &number in &changed {
            self.changed[number].hash(&mut hasher);
        }
        if areas.meets(INPUT.0, INPUT.1) {
            self.input.hash(&mut hasher);
        }
        for (begin, end) in areas.iter() {
            let Some((bytes, defined)) = self.contents.area(begin, end) else {
                (begin, end).hash(&mut hasher);
                continue;
            };
            let end = begin + bytes.len() as u64;
            let mut own = bytes.to_vec();
            let mut notes =
                if defined.is_empty() { vec![0xff; own.len()] } else { defined.to_vec() };
            for cell in changed.iter().map(|&number| self.changed[number]) {
                let first = cell.begin.clamp(begin, end) - begin;
                let last = cell.end.clamp(begin, end) - begin;
                let plane = if cell.notes { &mut notes } else { &mut own };
                plane[first as usize..last as usize].fill(0);
            }
            (own, notes).hash(&mut hasher);
        }
        (hasher.finish(), changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas(parts: &[(u64, u64)]) -> Areas {
        let mut areas = Areas::default();
        for &(begin, end) in parts {
            areas.add(begin, end);
        }
        areas
    }

    #[test]
    fn areas_are_sets() {
        // Sets of numbers below 8, as bits.
        let of = |bits: u8| {
            let parts: Vec<(u64, u64)> =
                (0..8).filter(|n| bits >> n & 1 == 1).map(|n| (n, n + 1)).collect();
            areas(&parts)
        };
        for bits in 0..=255_u8 {
            for begin in 0..8_u64 {
                for end in begin..=8 {
                    let range = (((1_u32 << end) - (1 << begin)) & 0xff) as u8;
                    let (mut more, mut fewer) = (of(bits), of(bits));
                    more.add(begin, end);
                    fewer.take_away(begin, end);
                    assert_eq!(more, of(bits | range));
                    assert_eq!(fewer, of(bits & !range));
                    assert_eq!(of(bits).meets(begin, end), bits & range != 0);
                    assert_eq!(of(bits).has(begin, end), bits & range == range);
                }
            }
            for other in [0, 1, 0x18, 0x81, 0xaa, 0xff] {
                let mut joined = of(bits);
                assert_eq!(joined.join(&of(other)), other & !bits != 0);
                assert_eq!(joined, of(bits | other));
            }
        }
    }

    #[test]
    fn what_was_written_is_not_needed() {
        let mut touched = Touched::default();
        touched.read(0, 4);
        touched.written.add(4, 12);
        touched.read(8, 16);
        touched.load(2, 6);
        assert_eq!(touched.read, areas(&[(0, 4), (12, 16)]));
        assert_eq!(touched.loaded, areas(&[(2, 4)]));
        assert_eq!(touched.before(areas(&[(2, 20)])), areas(&[(2, 4), (12, 20)]));
    }
}
