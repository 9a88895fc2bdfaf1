//! What is in memory at some moment, to be compared with what is there at another.

use std::rc::Rc;

/// The contents of the objects that can be written.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// By address, in order.
    pub(super) objects: Vec<(u64, Rc<Bytes>)>,
}

/// The contents of an object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub bytes: Vec<u8>,
    /// The defined bits of each byte; empty if all are defined.
    pub defined: Vec<u8>,
}

impl Contents {
    /// The bytes of an area, as far as they are in the object where it begins, and which bits of them are defined; nothing is said
    /// if all are.
    pub fn area(&self, begin: u64, end: u64) -> Option<(&[u8], &[u8])> {
        let number = self.number(begin)?;
        let (base, object) = self.objects.get(number)?;
        let end = end.saturating_sub(*base).min(object.bytes.len() as u64);
        let range = (begin - base) as usize..end as usize;
        let bytes = object.bytes.get(range.clone())?;
        Some((bytes, object.defined.get(range).unwrap_or_default()))
    }

    /// About how many bytes of them are not shared with others.
    pub fn size(&self) -> usize {
        let is_own = |object: &&(u64, Rc<Bytes>)| Rc::strong_count(&object.1) == 1;
        let own = self.objects.iter().filter(is_own);
        16 * self.objects.len() + own.map(|(_, object)| object.bytes.len()).sum::<usize>()
    }

    pub(super) fn object(&self, base: u64) -> Option<&Rc<Bytes>> {
        let number = self.number(base)?;
        self.objects.get(number).filter(|object| object.0 == base).map(|(_, object)| object)
    }

    /// The number of the last object that begins at an address, or before.
    fn number(&self, address: u64) -> Option<usize> {
        self.objects.partition_point(|(base, _)| *base <= address).checked_sub(1)
    }
}
