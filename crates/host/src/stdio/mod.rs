//! stdio.h, and the same files by their descriptors.

mod descriptors;
mod print;
mod read;
mod streams;

use program::FailureKind;
use program::process::{Fault, Objects};

pub(crate) use descriptors::FUNCTIONS as DESCRIPTORS;
pub(crate) use print::FUNCTIONS as PRINTF;
pub(crate) use read::FUNCTIONS as READ;
pub(crate) use streams::FUNCTIONS;

use crate::call::{Call, fault};
use crate::expect::Source;
use crate::files::EBADF;
use crate::printf::{OUTPUT_LIMIT, too_much};
use crate::stream::Target;
use crate::variadic::word;
use crate::world::World;

/// What a stream begins with in memory, then follows its number. The C library has the same.
pub(crate) const MARK: u32 = 0x0045_c1f0;

/// The bytes of a stream in memory.
pub(crate) fn handle(number: usize) -> [u8; 8] {
    (u64::from(MARK) | (number as u64) << 32).to_le_bytes()
}

/// The number of a stream, by its address.
pub(crate) fn stream_at(address: u64, memory: &Objects) -> Result<usize, Fault> {
    let word = word(memory.view(address, 8)?);
    if word as u32 != MARK {
        return Err(fault(FailureKind::WildPointer, "the pointer is not that of a stream"));
    }
    Ok((word >> 32) as usize)
}

pub(crate) fn stream(call: Call<'_>, index: usize, memory: &Objects) -> Result<usize, Fault> {
    stream_at(call.word(index)?, memory)
}

pub(crate) const STDIN: usize = 0;
pub(crate) const STDOUT: usize = 1;

impl World {
    /// Writes bytes to a stream. False if it cannot be written to.
    pub(crate) fn write(
        &mut self,
        stream: usize,
        bytes: &[u8],
        source: Source<'_>,
        memory: &mut Objects,
    ) -> Result<bool, Fault> {
        self.written = self.written.saturating_add(bytes.len());
        let length = self.streams.length_after(stream, bytes.len());
        if length > OUTPUT_LIMIT || self.written > 4 * OUTPUT_LIMIT {
            return Err(too_much());
        }
        let target = self.streams.get(stream).map(|open| open.target);
        if !self.streams.write(stream, bytes) {
            self.set_errno(EBADF, memory)?;
            return Ok(false);
        }
        match target {
            Some(Target::Output) => self.write_output(bytes, source)?,
            Some(Target::ErrorOutput) => self.write_error_output(bytes)?,
            _ => {}
        }
        Ok(true)
    }
}
