//! What reads: getchar, fgets, fread, getline.

use program::process::{Objects, Origin};

use super::{STDIN, stream};
use crate::call::{Answer, Call};
use crate::files::{EBADF, EINVAL};
use crate::variadic::word;
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("getchar", |world, call, memory| character(world, call, STDIN, memory)),
    ("getchar_unlocked", |world, call, memory| character(world, call, STDIN, memory)),
    ("fgetc", fgetc),
    ("getc", fgetc),
    ("_IO_getc", fgetc),
    ("getc_unlocked", fgetc),
    ("fgetc_unlocked", fgetc),
    ("ungetc", ungetc),
    ("gets", gets),
    ("fgets", fgets),
    ("fgets_unlocked", fgets),
    ("fread", fread),
    ("fread_unlocked", fread),
    ("getline", |world, call, memory| {
        let stream = stream(call, 2, memory)?;
        line(world, call, stream, b'\n', memory)
    }),
    ("getdelim", delimited),
    ("__getdelim", delimited),
];

const END: i64 = -1;

fn character(world: &mut World, call: Call<'_>, stream: usize, memory: &mut Objects) -> Answer {
    match world.streams.reader(stream) {
        Some(mut reader) => call.input(reader.next().map_or(END, i64::from)),
        None => {
            world.set_errno(EBADF, memory)?;
            call.input(END)
        }
    }
}

fn fgetc(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    character(world, call, stream, memory)
}

fn ungetc(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (value, stream) = (call.int(0)?, stream(call, 1, memory)?);
    let byte = value as u8;
    let pushed = value != -1 && world.streams.get(stream).is_some_and(|open| open.push_back(byte));
    call.opaque(if pushed { byte.into() } else { END })
}

fn gets(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let address = call.word(0)?;
    let Some(mut reader) = world.streams.reader(STDIN) else { return call.input(0) };
    let mut line = reader.take_until(b'\n', usize::MAX);
    if line.is_empty() {
        return call.input(0);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    line.push(0);
    memory.write(address, &line)?;
    call.input(address as i64)
}

fn fgets(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (address, size, stream) = (call.word(0)?, call.int(1)?, stream(call, 2, memory)?);
    let Some(most) = usize::try_from(size).ok().and_then(|size| size.checked_sub(1)) else {
        return call.fixed(0);
    };
    let Some(mut reader) = world.streams.reader(stream) else { return call.input(0) };
    let mut line = reader.take_until(b'\n', most);
    if line.is_empty() && most > 0 {
        return call.input(0);
    }
    line.push(0);
    memory.write(address, &line)?;
    call.input(address as i64)
}

fn fread(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (address, size, count) = (call.word(0)?, call.word(1)?, call.word(2)?);
    let stream = stream(call, 3, memory)?;
    let total = size.saturating_mul(count);
    if total == 0 {
        return call.fixed(0);
    }
    let Some(mut reader) = world.streams.reader(stream) else { return call.input(0) };
    let bytes = reader.take(usize::try_from(total).unwrap_or(usize::MAX));
    memory.write(address, &bytes)?;
    call.input((bytes.len() as u64 / size) as i64)
}

fn delimited(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (last, stream) = (call.int(2)? as u8, stream(call, 3, memory)?);
    line(world, call, stream, last, memory)
}

/// Reads a line into a buffer that grows, whose address and size are in memory.
fn line(
    world: &mut World,
    call: Call<'_>,
    stream: usize,
    last: u8,
    memory: &mut Objects,
) -> Answer {
    let (place, size_place) = (call.word(0)?, call.word(1)?);
    if place == 0 || size_place == 0 {
        world.set_errno(EINVAL, memory)?;
        return call.input(END);
    }
    let old = word(memory.defined_bytes(place, 8)?);
    // The size counts only if there is a buffer.
    let size = if old == 0 { 0 } else { word(memory.defined_bytes(size_place, 8)?) };
    let Some(mut reader) = world.streams.reader(stream) else { return call.input(END) };
    let mut line = reader.take_until(last, usize::MAX);
    if line.is_empty() {
        return call.input(END);
    }
    let count = line.len();
    line.push(0);
    let mut address = old;
    if (line.len() as u64) > size {
        // As glibc grows it.
        let new_size = (line.len() as u64).max(size.saturating_mul(2)).max(120);
        let origin = Origin::Heap(call.edge());
        let Some(new) = memory.allocate(new_size, 16, origin) else { return call.input(END) };
        if old != 0 {
            memory.free(old, call.edge())?;
        }
        memory.write(place, &new.to_le_bytes())?;
        memory.write(size_place, &new_size.to_le_bytes())?;
        address = new;
    }
    memory.write(address, &line)?;
    call.input(count as i64)
}
