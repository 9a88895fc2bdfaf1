//! What opens, closes and moves in streams, and asks about them.

use program::process::{Objects, Origin};

use super::{handle, stream, stream_at};
use crate::call::{Answer, Call};
use crate::files::{EBADF, EINVAL};
use crate::stream::Mode;
use crate::variadic::word;
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", freopen),
    ("freopen64", freopen),
    ("fdopen", |world, call, memory| {
        let descriptor = call.int(0)? as usize;
        match world.streams.get(descriptor) {
            Some(_) => opened(world, call, Ok(descriptor), memory),
            None => opened(world, call, Err(EBADF), memory),
        }
    }),
    ("tmpfile", |world, call, memory| {
        let number = world.streams.temporary();
        opened(world, call, number, memory)
    }),
    ("tmpfile64", |world, call, memory| {
        let number = world.streams.temporary();
        opened(world, call, number, memory)
    }),
    ("fclose", fclose),
    ("pclose", fclose),
    ("fflush", nothing),
    ("fflush_unlocked", nothing),
    ("fpurge", nothing),
    ("__fpurge", nothing),
    ("setvbuf", nothing),
    ("setbuf", nothing),
    ("setbuffer", nothing),
    ("setlinebuf", nothing),
    ("flockfile", nothing),
    ("funlockfile", nothing),
    ("fwide", nothing),
    ("fileno", |_, call, memory| {
        let stream = stream(call, 0, memory)?;
        call.fixed(stream as u64)
    }),
    ("feof", feof),
    ("feof_unlocked", feof),
    ("ferror", ferror),
    ("ferror_unlocked", ferror),
    ("clearerr", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        if let Some(open) = world.streams.get(stream) {
            (open.at_end, open.error) = (false, false);
        }
        call.status(0)
    }),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("fseeko64", fseek),
    ("rewind", |world, call, memory| {
        let stream = stream(call, 0, memory)?;
        let _ = world.streams.seek(stream, 0, 0);
        if let Some(open) = world.streams.get(stream) {
            (open.at_end, open.error) = (false, false);
        }
        call.status(0)
    }),
    ("ftell", ftell),
    ("ftello", ftell),
    ("ftello64", ftell),
    ("fgetpos", fgetpos),
    ("fgetpos64", fgetpos),
    ("fsetpos", fsetpos),
    ("fsetpos64", fsetpos),
    ("remove", remove),
    ("unlink", remove),
    ("rename", rename),
];

fn nothing(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.status(0)
}

/// -1, with the reason in `errno`.
pub(super) fn failed(
    world: &mut World,
    call: Call<'_>,
    errno: i32,
    memory: &mut Objects,
) -> Answer {
    world.set_errno(errno, memory)?;
    call.input(-1)
}

/// A stream in memory for what was opened, or NULL.
fn opened(
    world: &mut World,
    call: Call<'_>,
    number: Result<usize, i32>,
    memory: &mut Objects,
) -> Answer {
    let number = match number {
        Ok(number) => number,
        Err(errno) => {
            world.set_errno(errno, memory)?;
            return call.input(0);
        }
    };
    // On the heap, so that its use after fclose is found.
    let Some(address) = memory.allocate(8, 8, Origin::Heap(call.edge())) else {
        return call.fixed(0);
    };
    memory.write(address, &handle(number))?;
    call.fixed(address)
}

fn fopen(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (path, mode) = (call.string(0, memory)?, call.string(1, memory)?);
    let files = world.setup.files.clone();
    let number = match Mode::parse(&mode) {
        Some(mode) => world.streams.open(&path, mode, &*files),
        None => Err(EINVAL),
    };
    opened(world, call, number, memory)
}

fn freopen(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (path, mode) = (call.word(0)?, call.string(1, memory)?);
    let stream = stream(call, 2, memory)?;
    let files = world.setup.files.clone();
    let result = match Mode::parse(&mode) {
        // Only the mode changes: what is open stays so.
        Some(_) if path == 0 => Ok(()),
        Some(mode) => {
            let path = memory.string(path)?.to_vec();
            world.streams.reopen(stream, &path, mode, &*files)
        }
        None => Err(EINVAL),
    };
    match result {
        Ok(()) => call.fixed(call.word(2)?),
        Err(errno) => {
            let _ = world.streams.close(stream);
            world.set_errno(errno, memory)?;
            call.input(0)
        }
    }
}

fn fclose(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let address = call.word(0)?;
    let stream = stream_at(address, memory)?;
    let closed = world.streams.close(stream);
    let facts = memory.object_at(address);
    if facts.is_some_and(|facts| matches!(facts.origin, Origin::Heap(_))) {
        memory.free(address, call.edge())?;
    }
    match closed {
        Ok(()) => call.status(0),
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn feof(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    let at_end = world.streams.get(stream).is_some_and(|open| open.at_end);
    call.input(at_end.into())
}

fn ferror(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    let error = world.streams.get(stream).is_none_or(|open| open.error);
    call.fixed(error.into())
}

fn fseek(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (offset, whence) = (call.word(1)? as i64, call.int(2)?);
    let stream = stream(call, 0, memory)?;
    match world.streams.seek(stream, offset, whence) {
        Ok(_) => call.status(0),
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn ftell(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    match world.streams.tell(stream) {
        Ok(place) => call.input(place),
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn fgetpos(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    match world.streams.tell(stream) {
        Ok(place) => {
            // A place and a state of conversion.
            memory.write(call.word(1)?, &[place.to_le_bytes(), [0; 8]].concat())?;
            call.input(0)
        }
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn fsetpos(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let stream = stream(call, 0, memory)?;
    let place = word(memory.defined_bytes(call.word(1)?, 8)?) as i64;
    match world.streams.seek(stream, place, 0) {
        Ok(_) => call.status(0),
        Err(errno) => failed(world, call, errno, memory),
    }
}

fn remove(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let path = call.string(0, memory)?;
    let files = world.setup.files.clone();
    match world.streams.folder.find(&path, &*files) {
        Ok(_) => {
            world.streams.folder.remove(&path);
            call.input(0)
        }
        Err(refused) => failed(world, call, refused.errno(), memory),
    }
}

fn rename(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (old, new) = (call.string(0, memory)?, call.string(1, memory)?);
    let files = world.setup.files.clone();
    match world.streams.folder.find(&old, &*files) {
        Ok(number) => {
            world.streams.folder.remove(&old);
            world.streams.folder.name(&new, number);
            call.input(0)
        }
        Err(refused) => failed(world, call, refused.errno(), memory),
    }
}
