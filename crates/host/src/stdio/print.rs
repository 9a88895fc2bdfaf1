//! What prints: the family of printf, and puts, putchar, fwrite.

use program::process::{Fault, Objects, Origin};

use super::{STDOUT, stream};
use crate::call::{Answer, Call};
use crate::expect::Source;
use crate::printf::{self, Printed};
use crate::variadic::{Passed, Variadic};
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("printf", |world, call, memory| to_stream(world, call, STDOUT, 0, Passed::List, memory)),
    ("fprintf", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        to_stream(world, call, stream, 1, Passed::List, memory)
    }),
    ("dprintf", |world, call, memory| {
        let descriptor = call.int(0)? as usize;
        to_stream(world, call, descriptor, 1, Passed::List, memory)
    }),
    ("vprintf", |world, call, memory| to_stream(world, call, STDOUT, 0, Passed::Area, memory)),
    ("vfprintf", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        to_stream(world, call, stream, 1, Passed::Area, memory)
    }),
    ("vdprintf", |world, call, memory| {
        let descriptor = call.int(0)? as usize;
        to_stream(world, call, descriptor, 1, Passed::Area, memory)
    }),
    ("sprintf", |world, call, memory| to_buffer(world, call, None, 1, Passed::List, memory)),
    ("vsprintf", |world, call, memory| to_buffer(world, call, None, 1, Passed::Area, memory)),
    ("snprintf", |world, call, memory| {
        let size = call.word(1)?;
        to_buffer(world, call, Some(size), 2, Passed::List, memory)
    }),
    ("vsnprintf", |world, call, memory| {
        let size = call.word(1)?;
        to_buffer(world, call, Some(size), 2, Passed::Area, memory)
    }),
    ("asprintf", |world, call, memory| to_new(world, call, Passed::List, memory)),
    ("vasprintf", |world, call, memory| to_new(world, call, Passed::Area, memory)),
    // What headers make of them when they are told to check buffers.
    ("__printf_chk", |world, call, memory| to_stream(world, call, STDOUT, 1, Passed::List, memory)),
    ("__fprintf_chk", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        to_stream(world, call, stream, 2, Passed::List, memory)
    }),
    ("__vprintf_chk", |world, call, memory| {
        to_stream(world, call, STDOUT, 1, Passed::Area, memory)
    }),
    ("__vfprintf_chk", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        to_stream(world, call, stream, 2, Passed::Area, memory)
    }),
    ("__sprintf_chk", |world, call, memory| to_buffer(world, call, None, 3, Passed::List, memory)),
    ("__vsprintf_chk", |world, call, memory| to_buffer(world, call, None, 3, Passed::Area, memory)),
    ("__snprintf_chk", |world, call, memory| {
        let size = call.word(1)?;
        to_buffer(world, call, Some(size), 4, Passed::List, memory)
    }),
    ("__vsnprintf_chk", |world, call, memory| {
        let size = call.word(1)?;
        to_buffer(world, call, Some(size), 4, Passed::Area, memory)
    }),
    ("puts", |world, call, memory| {
        let mut line = call.string(0, memory)?;
        line.push(b'\n');
        text(world, call, STDOUT, &line, memory)
    }),
    ("fputs", fputs),
    ("fputs_unlocked", fputs),
    ("putchar", |world, call, memory| character(world, call, STDOUT, memory)),
    ("putchar_unlocked", |world, call, memory| character(world, call, STDOUT, memory)),
    ("fputc", fputc),
    ("putc", fputc),
    ("_IO_putc", fputc),
    ("putc_unlocked", fputc),
    ("fputc_unlocked", fputc),
    ("putw", |world, call, memory| {
        let bytes = call.int(0)?.to_le_bytes();
        let stream = stream(call, 1, memory)?;
        let done = world.write(stream, &bytes, Source::Unknown, memory)?;
        call.status(if done { 0 } else { -1 })
    }),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
];

/// Prints with the format that is this argument.
fn print(
    world: &mut World,
    call: Call<'_>,
    format: usize,
    passed: Passed,
    memory: &mut Objects,
) -> Result<Printed, Fault> {
    let mut arguments = Variadic::behind(call, format, passed, memory)?;
    let format = call.string(format, memory)?;
    let errno = world.errno_value(memory);
    printf::print(&format, &mut arguments, errno, memory)
}

fn count(call: Call<'_>, printed: &Printed) -> Answer {
    call.opaque(if printed.failed { -1 } else { printed.bytes.len() as i64 })
}

fn to_stream(
    world: &mut World,
    call: Call<'_>,
    stream: usize,
    format: usize,
    passed: Passed,
    memory: &mut Objects,
) -> Answer {
    let printed = print(world, call, format, passed, memory)?;
    let source = Source::Parts(&printed.parts);
    if !world.write(stream, &printed.bytes, source, memory)? {
        return call.status(-1);
    }
    count(call, &printed)
}

/// Prints to the memory at the first argument, at most so many bytes.
fn to_buffer(
    world: &mut World,
    call: Call<'_>,
    size: Option<u64>,
    format: usize,
    passed: Passed,
    memory: &mut Objects,
) -> Answer {
    let printed = print(world, call, format, passed, memory)?;
    let room = size.map_or(usize::MAX, |size| usize::try_from(size).unwrap_or(usize::MAX));
    if room > 0 {
        let mut text = printed.bytes[..printed.bytes.len().min(room - 1)].to_vec();
        text.push(0);
        memory.write(call.word(0)?, &text)?;
    }
    count(call, &printed)
}

fn to_new(world: &mut World, call: Call<'_>, passed: Passed, memory: &mut Objects) -> Answer {
    let printed = print(world, call, 1, passed, memory)?;
    let mut text = printed.bytes.clone();
    text.push(0);
    let origin = Origin::Heap(call.edge());
    let Some(address) = memory.allocate(text.len() as u64, 16, origin) else {
        return call.status(-1);
    };
    memory.write(address, &text)?;
    memory.write(call.word(0)?, &address.to_le_bytes())?;
    count(call, &printed)
}

/// Writes the string that the first argument points to.
fn text(
    world: &mut World,
    call: Call<'_>,
    stream: usize,
    bytes: &[u8],
    memory: &mut Objects,
) -> Answer {
    let done = world.write(stream, bytes, Source::String(0), memory)?;
    call.status(if done { 1 } else { -1 })
}

fn fputs(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let bytes = call.string(0, memory)?;
    let stream = stream(call, 1, memory)?;
    text(world, call, stream, &bytes, memory)
}

fn character(world: &mut World, call: Call<'_>, stream: usize, memory: &mut Objects) -> Answer {
    let byte = call.bits(0, 8)? as u8;
    let done = world.write(stream, &[byte], Source::Byte(0), memory)?;
    if done { call.opaque(byte.into()) } else { call.status(-1) }
}

fn fputc(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 1, memory)?;
    character(world, call, stream, memory)
}

/// Bytes that were never written are forgiven: a struct may have gaps.
fn fwrite(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (address, size, count) = (call.word(0)?, call.word(1)?, call.word(2)?);
    let stream = stream(call, 3, memory)?;
    let total = size.saturating_mul(count);
    if total == 0 {
        return call.fixed(0);
    }
    let bytes = memory.bytes(address, total)?.to_vec();
    let done = world.write(stream, &bytes, Source::Area(0), memory)?;
    call.fixed(if done { count } else { 0 })
}
