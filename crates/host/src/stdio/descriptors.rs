//! Files by their descriptors: read, write, open.

use program::process::Objects;

use super::streams::failed;
use crate::call::{Answer, Call};
use crate::expect::Source;
use crate::files::EBADF;
use crate::stream::Mode;
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("open", open),
    ("open64", open),
    ("creat", |world, call, memory| {
        let mode = Mode { write: true, create: true, truncate: true, ..Mode::default() };
        open_as(world, call, mode, memory)
    }),
    ("close", |world, call, memory| match world.streams.close(descriptor(call)?) {
        Ok(()) => call.status(0),
        Err(errno) => failed(world, call, errno, memory),
    }),
    ("read", read),
    ("write", write),
    ("lseek", lseek),
    ("lseek64", lseek),
    ("fsync", |_, call, _| call.status(0)),
    ("isatty", |world, call, memory| {
        world.set_errno(ENOTTY, memory)?;
        call.status(0)
    }),
    ("access", |world, call, memory| {
        let path = call.string(0, memory)?;
        let files = world.setup.files.clone();
        match world.streams.folder.find(&path, &*files) {
            Ok(_) => call.input(0),
            Err(refused) => failed(world, call, refused.errno(), memory),
        }
    }),
];

const ENOTTY: i32 = 25;

fn descriptor(call: Call<'_>) -> Result<usize, program::process::Fault> {
    // A negative one is larger than any that is open.
    Ok(call.int(0)? as usize)
}

fn open(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let mode = Mode::from_flags(call.int(1)?);
    open_as(world, call, mode, memory)
}

fn open_as(world: &mut World, call: Call<'_>, mode: Mode, memory: &mut Objects) -> Answer {
    let path = call.string(0, memory)?;
    let files = world.setup.files.clone();
    match world.streams.open(&path, mode, &*files) {
        Ok(number) => call.fixed(number as u64),
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn read(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (address, count) = (call.word(1)?, call.word(2)?);
    let Some(mut reader) = world.streams.reader(descriptor(call)?) else {
        return failed(world, call, EBADF, memory);
    };
    let bytes = reader.take(usize::try_from(count).unwrap_or(usize::MAX));
    memory.write(address, &bytes)?;
    call.input(bytes.len() as i64)
}

fn write(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (address, count) = (call.word(1)?, call.word(2)?);
    let bytes = if count == 0 { Vec::new() } else { memory.bytes(address, count)?.to_vec() };
    match world.write(descriptor(call)?, &bytes, Source::Memory(Some(1)), memory)? {
        true => call.fixed(count),
        false => call.input(-1),
    }
}

fn lseek(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (offset, whence) = (call.word(1)? as i64, call.int(2)?);
    match world.streams.seek(descriptor(call)?, offset, whence) {
        Ok(place) => call.input(place as i64),
        Err(errno) => failed(world, call, errno, memory),
    }
}
