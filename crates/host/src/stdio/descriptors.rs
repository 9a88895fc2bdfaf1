//! Files by their descriptors: read, write, open.

use program::process::{Fault, Objects, Origin};

use super::streams::failed;
use crate::call::{Answer, Call};
use crate::expect::Source;
use crate::files::{EBADF, EINVAL};
use crate::stream::{Mode, Target};
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
    ("fsync", nothing),
    ("fdatasync", nothing),
    // Files have no owners, and anybody may do anything.
    ("chmod", nothing),
    ("fchmod", nothing),
    ("chown", nothing),
    ("fchown", nothing),
    ("utime", nothing),
    ("utimes", nothing),
    ("stat", stat),
    ("stat64", stat),
    ("lstat", stat),
    ("lstat64", stat),
    ("fstat", fstat),
    ("fstat64", fstat),
    ("mkstemp", mkstemp),
    ("mkstemp64", mkstemp),
    ("tmpnam", tmpnam),
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

fn nothing(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.status(0)
}

fn descriptor(call: Call<'_>) -> Result<usize, Fault> {
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
    match world.write(descriptor(call)?, &bytes, Source::Area(1), memory)? {
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

/// What a `struct stat` says about a file: that it is one, and its size.
fn describe(call: Call<'_>, mode: u32, size: u64, memory: &mut Objects) -> Answer {
    let mut bytes = [0; 144];
    let mut put = |offset: usize, field: &[u8]| {
        bytes[offset..offset + field.len()].copy_from_slice(field);
    };
    put(16, &1u64.to_le_bytes());
    put(24, &mode.to_le_bytes());
    put(48, &size.to_le_bytes());
    put(56, &4096u64.to_le_bytes());
    put(64, &size.div_ceil(512).to_le_bytes());
    memory.write(call.word(1)?, &bytes)?;
    call.input(0)
}

const REGULAR: u32 = 0o100_644;
const PIPE: u32 = 0o010_600;

fn stat(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let path = call.string(0, memory)?;
    let files = world.setup.files.clone();
    match world.streams.folder.find(&path, &*files) {
        Ok(file) => {
            let size = world.streams.folder.content(file).len() as u64;
            describe(call, REGULAR, size, memory)
        }
        Err(refused) => failed(world, call, refused.errno(), memory),
    }
}

fn fstat(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    match world.streams.get(descriptor(call)?).map(|open| open.target) {
        Some(Target::File(file)) => {
            let size = world.streams.folder.content(file).len() as u64;
            describe(call, REGULAR, size, memory)
        }
        Some(_) => describe(call, PIPE, 0, memory),
        None => failed(world, call, EBADF, memory),
    }
}

/// Six letters that no other file has.
fn letters(world: &mut World) -> String {
    world.temporary_names += 1;
    format!("{:06}", world.temporary_names % 1_000_000)
}

fn mkstemp(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let mut path = call.string(0, memory)?;
    if !path.ends_with(b"XXXXXX") {
        return failed(world, call, EINVAL, memory);
    }
    let start = path.len() - 6;
    let name = letters(world);
    path[start..].copy_from_slice(name.as_bytes());
    memory.write(call.word(0)?.wrapping_add(start as u64), name.as_bytes())?;
    let mode = Mode { read: true, write: true, create: true, truncate: true, ..Mode::default() };
    open_as(world, call, mode, memory)
}

fn tmpnam(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let name = format!("file{}\0", letters(world));
    let place = match call.word(0)? {
        0 => memory.allocate(20, 1, Origin::Start).unwrap_or(0),
        place => place,
    };
    memory.write(place, name.as_bytes())?;
    call.fixed(place)
}
