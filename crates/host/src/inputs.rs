//! Nondeterministic values, by the conventions of SV-COMP and KLEE.

use program::FailureKind;
use program::process::{Fault, Nature, Objects, Response};

use crate::call::{Answer, Call, fault, mask};
use crate::printf::sign_extend;
use crate::variadic::word;
use crate::world::{Function, Table, World};

/// A nondeterministic value that the program asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub bits: u64,
    /// The function that was called, or the name that the program gave.
    pub name: String,
}

/// A loop that asks and asks must not fill the memory.
const MOST_ASKED: usize = 4_000_000;

pub(crate) const FUNCTIONS: Table = &[
    ("__VERIFIER_assume", assume),
    ("whydunit_seen", seen),
    ("__VERIFIER_nondet_memory", |world, call, memory| {
        let (address, size) = (call.word(0)?, call.word(1)?);
        fill(world, call, address, size, call.0.name, memory)
    }),
    ("__VERIFIER_atomic_begin", nothing),
    ("__VERIFIER_atomic_end", nothing),
    ("klee_assume", assume),
    ("klee_make_symbolic", |world, call, memory| {
        let (address, size) = (call.word(0)?, call.word(1)?);
        let name = name(call, 2, memory);
        fill(world, call, address, size, &name, memory)
    }),
    ("klee_int", |world, call, memory| {
        let name = name(call, 0, memory);
        let value = world.ask(32, &name)?;
        call.input_bits(value)
    }),
    ("klee_range", klee_range),
    ("klee_silent_exit", |_, _, _| Ok(Response::Block)),
    ("klee_prefer_cex", nothing),
    ("klee_print_expr", nothing),
    ("klee_warning", nothing),
    ("klee_warning_once", nothing),
    ("klee_is_symbolic", nothing),
    ("klee_is_replay", nothing),
    // The front end makes failures of these. They come here through pointers to functions.
    ("abort", |_, _, _| Err(fault(FailureKind::Abort, "the program calls `abort`"))),
    ("__assert_fail", |_, call, memory| {
        let condition = call.string(0, memory).unwrap_or_default();
        let text = format!("the assertion `{}` does not hold", String::from_utf8_lossy(&condition));
        Err(fault(FailureKind::Assertion, text))
    }),
    ("reach_error", reached),
    ("__VERIFIER_error", reached),
];

/// Whether a function gives an open value, by these conventions.
pub(crate) fn is_open(name: &str) -> bool {
    find(name).is_some() || matches!(name, "klee_make_symbolic" | "klee_int" | "klee_range")
}

/// `__VERIFIER_nondet_` of any type: the result says how wide it is.
pub(crate) fn find(name: &str) -> Option<Function> {
    name.starts_with("__VERIFIER_nondet_").then_some(nondeterministic as Function)
}

fn nothing(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    call.status(0)
}

fn reached(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    Err(fault(FailureKind::ReachableError, format!("the program calls `{}`", call.0.name)))
}

fn nondeterministic(world: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    let Some(&bits) = call.0.results.first() else { return call.status(0) };
    let truth = call.0.name.ends_with("_bool") || call.0.name.ends_with("_Bool");
    let value = world.ask(if truth { 1 } else { bits }, call.0.name)?;
    call.input_bits(value)
}

fn assume(_: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    // An int by one convention, a word by the other: whatever is defined counts.
    let Some(argument) = call.0.arguments.first() else { return Err(call.missing(0)) };
    if argument.undefined != 0 {
        return Err(call.undefined(0));
    }
    if argument.bits == 0 { Ok(Response::Block) } else { call.status(0) }
}

/// So many values are noted.
const MOST_SEEN: usize = 100_000;

/// Notes a value, for who compares runs; what is not set counts as zero.
fn seen(world: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    let Some(argument) = call.0.arguments.first() else { return Err(call.missing(0)) };
    if world.seen.len() < MOST_SEEN {
        world.seen.push((argument.bits & !argument.undefined) as u64);
    }
    call.status(0)
}

/// The name that the program gave, or that of the function.
fn name(call: Call<'_>, index: usize, memory: &Objects) -> String {
    match call.string(index, memory) {
        Ok(name) => String::from_utf8_lossy(&name).into_owned(),
        Err(_) => call.0.name.to_owned(),
    }
}

/// One value for a whole area.
fn fill(
    world: &mut World,
    call: Call<'_>,
    address: u64,
    size: u64,
    name: &str,
    memory: &mut Objects,
) -> Answer {
    // Before anything of that size is made.
    memory.view(address, size)?;
    let bytes = world.ask_bytes(size, name)?;
    memory.write(address, &bytes)?;
    Ok(Response::Return {
        results: vec![Default::default(); call.0.results.len()],
        nature: Nature::Input,
    })
}

/// A value in a range without its end; the smallest if none is given.
fn klee_range(world: &mut World, call: Call<'_>, memory: &mut Objects) -> Answer {
    let (begin, end) = (call.int(0)?, call.int(1)?);
    let given = world.asked.len() < world.setup.inputs.len();
    let value = world.ask(32, &name(call, 2, memory))?;
    let value = if given { sign_extend(value as u64, 32) } else { begin.into() };
    let possible = i64::from(begin) <= value && value < i64::from(end);
    if possible { call.input(value) } else { Ok(Response::Block) }
}

impl World {
    pub(crate) fn ask(&mut self, bits: u32, name: &str) -> Result<u128, Fault> {
        let bytes = self.ask_bytes(u64::from(bits.div_ceil(8)), name)?;
        if let Some(asked) = self.asked.last_mut() {
            asked.bits = bits.into();
        }
        let (low, high) = bytes.split_at(bytes.len().min(8));
        Ok((u128::from(word(high)) << 64 | u128::from(word(low))) & mask(bits))
    }

    fn ask_bytes(&mut self, size: u64, name: &str) -> Result<Vec<u8>, Fault> {
        if self.asked.len() >= MOST_ASKED {
            let text = format!("the program asked for more than {MOST_ASKED} values");
            return Err(fault(FailureKind::StepLimit, text));
        }
        let given = self.setup.inputs.get(self.asked.len()).cloned();
        let mut bytes = given.unwrap_or_default();
        bytes.resize(usize::try_from(size).unwrap_or(0), 0);
        self.asked.push(Asked { bits: size.saturating_mul(8), name: name.to_owned() });
        Ok(bytes)
    }
}
