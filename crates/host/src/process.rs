//! The process and its time.
//!
//! Time is part of the world, so it is the same in every run: it starts at a fixed moment and advances a little with every
//! look at a clock, so that a program that waits for it goes on.

use program::FailureKind;
use program::process::{Fault, Objects, Origin, Response};

use crate::call::{Answer, Call, fault};
use crate::decimal;
use crate::world::{Table, World};

pub(crate) const FUNCTIONS: Table = &[
    ("_exit", exit),
    ("_Exit", exit),
    ("exit", exit),
    ("setjmp", |_, call, _| call.status(0)),
    ("_setjmp", |_, call, _| call.status(0)),
    ("sigsetjmp", |_, call, _| call.status(0)),
    ("__sigsetjmp", |_, call, _| call.status(0)),
    ("longjmp", jump),
    ("_longjmp", jump),
    ("siglongjmp", jump),
    ("__longjmp_chk", jump),
    ("__whydunit_environment", environment),
    ("__errno_location", |world, call, memory| {
        let address = world.errno(memory);
        call.fixed(address)
    }),
    ("time", time),
    ("clock", |world, call, _| {
        let micros = world.now() / 1000;
        call.input(micros as i64)
    }),
    ("gettimeofday", |world, call, memory| {
        let now = world.now();
        moment(call, 0, now, 1000, memory)
    }),
    ("clock_gettime", |world, call, memory| {
        let now = world.now();
        moment(call, 1, now, 1, memory)
    }),
    ("timespec_get", |world, call, memory| {
        let now = world.now();
        moment(call, 0, now, 1, memory)?;
        call.input(call.int(1)?.into())
    }),
    ("sleep", |world, call, _| {
        world.wait(call.bits(0, 32)? as u64, 1_000_000_000);
        call.status(0)
    }),
    ("usleep", |world, call, _| {
        world.wait(call.bits(0, 32)? as u64, 1000);
        call.status(0)
    }),
    ("nanosleep", |_, call, _| call.status(0)),
    ("getpid", |_, call, _| call.input(4711)),
    ("getppid", |_, call, _| call.input(1)),
    ("getuid", |_, call, _| call.input(1000)),
    ("geteuid", |_, call, _| call.input(1000)),
    ("getgid", |_, call, _| call.input(1000)),
    ("getegid", |_, call, _| call.input(1000)),
    // There is no other program to start.
    ("system", |_, call, _| call.status(if call.word(0)? == 0 { 0 } else { -1 })),
    ("popen", |_, call, _| call.fixed(0)),
    ("fork", |_, call, _| call.status(-1)),
    ("alarm", |_, call, _| call.status(0)),
    ("strtod", strtod),
    ("strtold", strtod),
    ("strtof", |world, call, memory| {
        let parsed = number(world, call, memory)?;
        if parsed.single.is_infinite() && parsed.value.is_finite() {
            world.set_errno(ERANGE, memory)?;
        }
        call.opaque_float(parsed.single)
    }),
];

/// A jump out of functions is not modelled: the run cannot go on.
fn jump(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    let text = format!("the program calls `{}`, and whydunit cannot follow it there", call.0.name);
    Err(fault(FailureKind::Abort, text))
}

/// 2001-09-09, 01:46:40 UTC.
const START: u64 = 1_000_000_000;
const SECOND: u64 = 1_000_000_000;
/// How long a look at the clock takes, in nanoseconds.
const LOOK: u64 = 1_000_000;
const ERANGE: i32 = 34;

impl World {
    /// Nanoseconds since the start.
    fn now(&mut self) -> u64 {
        self.clock = self.clock.saturating_add(LOOK);
        self.clock
    }

    fn wait(&mut self, count: u64, nanoseconds: u64) {
        self.clock = self.clock.saturating_add(count.saturating_mul(nanoseconds));
    }
}

fn exit(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    Ok(Response::Exit(call.int(0)?))
}

/// The strings of the environment, for a program that was not started with them.
fn environment(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let mut addresses = Vec::new();
    for text in &world.setup.environment {
        let Some(address) = memory.allocate(text.len() as u64 + 1, 1, Origin::Start) else {
            return call.fixed(0);
        };
        memory.write(address, &[text, &[0][..]].concat())?;
        addresses.extend(address.to_le_bytes());
    }
    addresses.extend([0; 8]);
    let Some(array) = memory.allocate(addresses.len() as u64, 16, Origin::Start) else {
        return call.fixed(0);
    };
    memory.write(array, &addresses)?;
    call.fixed(array)
}

fn time(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let seconds = START + world.now() / SECOND;
    let place = call.word(0)?;
    if place != 0 {
        memory.write(place, &seconds.to_le_bytes())?;
    }
    call.input(seconds as i64)
}

/// Writes seconds and a fraction of one, in this many nanoseconds.
fn moment(call: Call<'_>, index: usize, now: u64, unit: u64, memory: &mut Objects) -> Answer {
    let place = call.word(index)?;
    if place != 0 {
        memory.write(place, &(START + now / SECOND).to_le_bytes())?;
        memory.write(place.wrapping_add(8), &(now % SECOND / unit).to_le_bytes())?;
    }
    call.input(0)
}

/// Reads a number from a string and writes where it ends.
fn number(
    world: &mut World,
    call: Call<'_>,
    memory: &mut Objects,
) -> Result<decimal::Parsed, Fault> {
    let address = call.word(0)?;
    let parsed = decimal::parse(memory.string(address)?);
    let end = call.word(1)?;
    if end != 0 {
        memory.write(end, &address.wrapping_add(parsed.length as u64).to_le_bytes())?;
    }
    if parsed.out_of_range {
        world.set_errno(ERANGE, memory)?;
    }
    Ok(parsed)
}

fn strtod(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let parsed = number(world, call, memory)?;
    call.opaque_double(parsed.value)
}
