//! scanf: the format is followed through the input, and what is read is stored where the arguments point.
//!
//! Where the standard and glibc differ we do what glibc does: it gives back one byte at most, so a number that turns
//! out to be none may have used up its beginning.

mod convert;

use program::process::{Fault, Objects};

use crate::call::{Answer, Call};
use crate::decimal::is_space;
use crate::printf::{Cursor, Length};
use crate::stdio::{STDIN, stream};
use crate::stream::Reader;
use crate::variadic::{Kind, Passed, Variadic};
use crate::world::{Table, World};

use convert::Converted;

pub(crate) const FUNCTIONS: Table = &[
    ("scanf", |world, call, memory| from_stream(world, call, STDIN, 0, Passed::List, memory)),
    ("__isoc99_scanf", |world, call, memory| {
        from_stream(world, call, STDIN, 0, Passed::List, memory)
    }),
    ("__isoc23_scanf", |world, call, memory| {
        from_stream(world, call, STDIN, 0, Passed::List, memory)
    }),
    ("fscanf", fscanf),
    ("__isoc99_fscanf", fscanf),
    ("__isoc23_fscanf", fscanf),
    ("sscanf", sscanf),
    ("__isoc99_sscanf", sscanf),
    ("__isoc23_sscanf", sscanf),
    ("vscanf", |world, call, memory| from_stream(world, call, STDIN, 0, Passed::Area, memory)),
    ("__isoc99_vscanf", |world, call, memory| {
        from_stream(world, call, STDIN, 0, Passed::Area, memory)
    }),
    ("__isoc23_vscanf", |world, call, memory| {
        from_stream(world, call, STDIN, 0, Passed::Area, memory)
    }),
    ("vfscanf", vfscanf),
    ("__isoc99_vfscanf", vfscanf),
    ("__isoc23_vfscanf", vfscanf),
    ("vsscanf", vsscanf),
    ("__isoc99_vsscanf", vsscanf),
    ("__isoc23_vsscanf", vsscanf),
];

fn fscanf(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    from_stream(world, call, stream, 1, Passed::List, memory)
}

fn vfscanf(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    from_stream(world, call, stream, 1, Passed::Area, memory)
}

fn sscanf(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    from_text(call, Passed::List, memory)
}

fn vsscanf(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    from_text(call, Passed::Area, memory)
}

fn from_text(call: Call<'_>, passed: Passed, memory: &mut Objects) -> Answer {
    let mut arguments = Variadic::behind(call, 1, passed, memory)?;
    let (text, format) = (call.string(0, memory)?, call.string(1, memory)?);
    let mut position = 0;
    let mut reader = Reader::text(&text, &mut position);
    let count = scan(&format, &mut reader, &mut arguments, call, memory)?;
    call.opaque(count)
}

fn from_stream(
    world: &mut World,
    call: Call<'_>,
    stream: usize,
    format: usize,
    passed: Passed,
    memory: &mut Objects,
) -> Answer {
    let mut arguments = Variadic::behind(call, format, passed, memory)?;
    let format = call.string(format, memory)?;
    let Some(mut reader) = world.streams.reader(stream) else { return call.input(END) };
    let count = scan(&format, &mut reader, &mut arguments, call, memory)?;
    call.input(count)
}

/// What scanf returns when the input ended before the first value.
const END: i64 = -1;

/// A directive of scanf.
#[derive(Debug)]
struct Directive {
    suppressed: bool,
    position: Option<usize>,
    width: Option<usize>,
    allocate: bool,
    length: Length,
    conversion: u8,
    /// Of `%[`: the bytes that match.
    set: Vec<bool>,
}

/// Why reading stopped.
enum Stopped {
    /// The input ended.
    AtEnd,
    Mismatch,
}

/// Follows the format; returns how many values were stored.
fn scan(
    format: &[u8],
    reader: &mut Reader<'_>,
    arguments: &mut Variadic<'_>,
    call: Call<'_>,
    memory: &mut Objects,
) -> Result<i64, Fault> {
    let mut stored = 0;
    let mut cursor = Cursor { text: format, at: 0 };
    while let Some(byte) = cursor.peek() {
        cursor.at += 1;
        let step = if is_space(byte) {
            skip_space(reader);
            Ok(())
        } else if byte != b'%' {
            literal(byte, reader)
        } else {
            match directive(&mut cursor) {
                Some(it) => value(&it, reader, arguments, call, memory, &mut stored)?,
                None => break,
            }
        };
        match step {
            Ok(()) => {}
            Err(Stopped::AtEnd) if stored == 0 => {
                arguments.finish(memory)?;
                return Ok(END);
            }
            Err(_) => break,
        }
    }
    arguments.finish(memory)?;
    Ok(stored)
}

fn skip_space(reader: &mut Reader<'_>) {
    while reader.peek().is_some_and(is_space) {
        reader.next();
    }
}

fn literal(byte: u8, reader: &mut Reader<'_>) -> Result<(), Stopped> {
    match reader.peek() {
        None => Err(Stopped::AtEnd),
        Some(found) if found == byte => {
            reader.next();
            Ok(())
        }
        Some(_) => Err(Stopped::Mismatch),
    }
}

fn directive(cursor: &mut Cursor<'_>) -> Option<Directive> {
    let mut position = cursor.position();
    let suppressed = cursor.take(b'*');
    if suppressed && position.is_none() {
        position = cursor.position();
    }
    while cursor.take(b'\'') || cursor.take(b'I') {}
    let width = cursor.number().filter(|width| *width > 0);
    let allocate = cursor.take(b'm');
    let length = cursor.length();
    let conversion = cursor.peek()?;
    cursor.at += 1;
    let set = if conversion == b'[' { set(cursor)? } else { Vec::new() };
    Some(Directive { suppressed, position, width, allocate, length, conversion, set })
}

/// The bytes of a `%[…]`, for each whether it matches.
fn set(cursor: &mut Cursor<'_>) -> Option<Vec<bool>> {
    let negated = cursor.take(b'^');
    let mut set = vec![negated; 256];
    let mut first = true;
    let mut last: Option<u8> = None;
    loop {
        let byte = cursor.peek()?;
        cursor.at += 1;
        let next = cursor.peek();
        match byte {
            b']' if !first => return Some(set),
            b'-' if last.is_some() && next.is_some_and(|next| next != b']') => {
                let (from, to) = (last.take()?, next?);
                if from <= to {
                    (from..=to).for_each(|byte| set[usize::from(byte)] = !negated);
                    cursor.at += 1;
                } else {
                    set[usize::from(b'-')] = !negated;
                }
            }
            byte => {
                set[usize::from(byte)] = !negated;
                last = Some(byte);
            }
        }
        first = false;
    }
}

/// Reads one value and stores it.
fn value(
    it: &Directive,
    reader: &mut Reader<'_>,
    arguments: &mut Variadic<'_>,
    call: Call<'_>,
    memory: &mut Objects,
    stored: &mut i64,
) -> Result<Result<(), Stopped>, Fault> {
    let size = it.length.bits() as usize / 8;
    if it.conversion == b'%' {
        skip_space(reader);
        return Ok(literal(b'%', reader));
    }
    let mut place = |memory: &Objects| match it.position {
        Some(position) => arguments.nth(position, Kind::Word(64), memory),
        None => arguments.next(Kind::Word(64), memory),
    };
    if it.conversion == b'n' {
        if !it.suppressed {
            let count = (reader.count as u64).to_le_bytes();
            let address = place(memory)?.bits;
            memory.write(address, &count[..size])?;
        }
        return Ok(Ok(()));
    }
    let converted = match convert::read(it, reader) {
        Ok(converted) => converted,
        Err(stopped) => return Ok(Err(stopped)),
    };
    if it.suppressed {
        return Ok(Ok(()));
    }
    let address = place(memory)?.bits;
    let bytes = match converted {
        Converted::Integer(n) => n.to_le_bytes()[..size].to_vec(),
        Converted::Pointer(n) => n.to_le_bytes().to_vec(),
        Converted::Float(parsed) => match it.length {
            Length::Long | Length::LongDouble => parsed.value.to_bits().to_le_bytes().to_vec(),
            _ => parsed.single.to_bits().to_le_bytes().to_vec(),
        },
        Converted::Text(text) if it.length == Length::Long => {
            text.iter().flat_map(|&byte| [byte, 0, 0, 0]).collect()
        }
        Converted::Text(text) => text,
    };
    if it.allocate {
        let origin = program::process::Origin::Heap(call.edge());
        let Some(new) = memory.allocate(bytes.len() as u64, 16, origin) else {
            return Ok(Err(Stopped::AtEnd));
        };
        memory.write(new, &bytes)?;
        memory.write(address, &new.to_le_bytes())?;
    } else {
        memory.write(address, &bytes)?;
    }
    *stored += 1;
    Ok(Ok(()))
}
