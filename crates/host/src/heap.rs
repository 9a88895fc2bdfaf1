//! malloc and its relatives. Limits are those of [`Objects`]: what does not fit is NULL.

use program::process::{Fault, Objects, Origin};

use crate::call::{Answer, Call};
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("malloc", |world, call, memory| {
        let size = call.word(0)?;
        allocated(world, call, size, 16, memory)
    }),
    ("calloc", calloc),
    ("realloc", |world, call, memory| {
        let (old, size) = (call.word(0)?, call.word(1)?);
        realloc(world, call, old, size, memory)
    }),
    ("reallocarray", |world, call, memory| match call.word(1)?.checked_mul(call.word(2)?) {
        Some(size) => realloc(world, call, call.word(0)?, size, memory),
        None => no_memory(world, call, memory),
    }),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", aligned),
    ("memalign", aligned),
    ("valloc", |world, call, memory| {
        let size = call.word(0)?;
        allocated(world, call, size, 4096, memory)
    }),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", |_, call, memory| {
        let address = call.word(0)?;
        call.fixed(if address == 0 { 0 } else { heap_size(address, call, memory)? })
    }),
];

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;

fn new(call: Call<'_>, size: u64, align: u32, memory: &mut Objects) -> Option<u64> {
    if i64::try_from(size).is_err() {
        return None;
    }
    memory.allocate(size, align, Origin::Heap(call.edge()))
}

fn allocated(
    world: &mut World,
    call: Call<'_>,
    size: u64,
    align: u32,
    memory: &mut Objects,
) -> Answer {
    match new(call, size, align, memory) {
        Some(address) => call.fixed(address),
        None => no_memory(world, call, memory),
    }
}

fn no_memory(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    world.set_errno(ENOMEM, memory)?;
    call.fixed(0)
}

fn calloc(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let size = call.word(0)?.checked_mul(call.word(1)?).filter(|&size| i64::try_from(size).is_ok());
    let origin = Origin::Heap(call.edge());
    match size.and_then(|size| memory.allocate_zeroed(size, 16, origin)) {
        Some(address) => call.fixed(address),
        None => no_memory(world, call, memory),
    }
}

/// The size of the heap object that begins here. Anything else fails as if it were freed.
fn heap_size(address: u64, call: Call<'_>, memory: &mut Objects) -> Result<u64, Fault> {
    match memory.object_at(address) {
        Some(facts) if matches!(facts.origin, Origin::Heap(_)) && facts.address == address => {
            Ok(facts.size)
        }
        _ => memory.free(address, call.edge()).map(|()| 0),
    }
}

fn realloc(world: &mut World, call: Call<'_>, old: u64, size: u64, memory: &mut Objects) -> Answer {
    if old == 0 {
        return allocated(world, call, size, 16, memory);
    }
    let old_size = heap_size(old, call, memory)?;
    // As glibc does it.
    if size == 0 {
        memory.free(old, call.edge())?;
        return call.fixed(0);
    }
    // The object always moves, so that pointers that were kept are found out.
    let Some(address) = new(call, size, 16, memory) else {
        return no_memory(world, call, memory);
    };
    memory.copy(address, old, old_size.min(size))?;
    memory.free(old, call.edge())?;
    call.fixed(address)
}

fn free(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let address = call.word(0)?;
    if address != 0 {
        memory.free(address, call.edge())?;
    }
    call.fixed(0)
}

fn alignment(bytes: u64) -> Option<u32> {
    u32::try_from(bytes).ok().filter(|align| align.is_power_of_two())
}

fn aligned(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (align, size) = (call.word(0)?, call.word(1)?);
    match alignment(align) {
        Some(align) => allocated(world, call, size, align, memory),
        None => {
            world.set_errno(EINVAL, memory)?;
            call.fixed(0)
        }
    }
}

fn posix_memalign(_: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (place, align, size) = (call.word(0)?, call.word(1)?, call.word(2)?);
    let Some(align) = alignment(align).filter(|align| *align >= 8) else {
        return call.status(EINVAL);
    };
    let Some(address) = new(call, size, align, memory) else {
        return call.status(ENOMEM);
    };
    memory.write(place, &address.to_le_bytes())?;
    call.status(0)
}
