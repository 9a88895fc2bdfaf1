//! Objects in memory: bytes with bounds, provenance, lifetime, and a note of which bits are undefined.

use super::{Fault, ObjectFacts, Origin};
use crate::program::EdgeId;

/// All objects of a process.
#[derive(Clone, Debug, Default)]
pub struct Objects {}

impl Objects {
    /// The bytes of an area that must lie in one living object. They may be undefined.
    pub fn bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        let _ = (address, size);
        Ok(&[])
    }
    /// The same; bytes that were never written are a failure.
    pub fn defined_bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        self.bytes(address, size)
    }
    /// The bytes before the first zero byte, all of which must be defined.
    pub fn string(&self, address: u64) -> Result<&[u8], Fault> {
        self.bytes(address, 0)
    }
    /// Writes defined bytes.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        let _ = (address, bytes);
        Ok(())
    }
    /// Copies bytes, defined or not.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Fault> {
        let _ = (to, from, size);
        Ok(())
    }
    /// A new object of undefined bytes; none if memory is exhausted.
    pub fn allocate(&mut self, size: u64, align: u32, origin: Origin) -> Option<u64> {
        let _ = (size, align, origin);
        None
    }
    /// The same, of zero bytes.
    pub fn allocate_zeroed(&mut self, size: u64, align: u32, origin: Origin) -> Option<u64> {
        self.allocate(size, align, origin)
    }
    /// Ends the life of a heap object, of which this must be the beginning.
    pub fn free(&mut self, address: u64, edge: EdgeId) -> Result<(), Fault> {
        let _ = (address, edge);
        Ok(())
    }
    /// The living object that the address points into or just behind.
    pub fn object_at(&self, address: u64) -> Option<ObjectFacts> {
        let _ = address;
        None
    }
}
