//! The world: its set-up, its state, and how a call finds its function.

use std::sync::Arc;

use program::FailureKind;
use program::process::{ExternalCall, Fault, Host, Nature, Objects, Origin, Response, Scalar};

use crate::call::{Answer, Call, fault};
use crate::compare::{self, Compare, Expected, Place};
use crate::expect::{self, Source};
use crate::files::{Files, NoFiles};
use crate::inputs::{self, Asked};
use crate::printf::{OUTPUT_LIMIT, too_much};
use crate::stream::{Reading, Streams};
use crate::variadic::word;
use crate::{heap, math, process, scanf, stdio};

/// What a program is run with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Those of the command line; the first is the name of the program. Whoever starts it passes them on.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=value`
    pub environment: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub files: Arc<dyn Files>,
    pub expected_output: Option<Vec<u8>>,
    /// How the output is compared with it.
    pub compare: Compare,
    pub expected_status: Option<i32>,
    /// The values of `__VERIFIER_nondet_…` and the like in the order in which they are asked for, least
    /// significant byte first. Missing bytes and values are zero.
    pub inputs: Vec<Vec<u8>>,
}

impl Setup {
    pub(crate) fn expected(&self) -> Option<Expected<'_>> {
        let text = self.expected_output.as_deref()?;
        Some(Expected { text, compare: self.compare })
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            arguments: vec![b"program".to_vec()],
            environment: Vec::new(),
            stdin: Vec::new(),
            files: Arc::new(NoFiles),
            expected_output: None,
            compare: Compare::default(),
            expected_status: None,
            inputs: Vec::new(),
        }
    }
}

/// Everything around one run of a program.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) setup: Setup,
    pub(crate) streams: Streams,
    output: Vec<u8>,
    error_output: Vec<u8>,
    /// How far the expected output has come; the places, if that may be more than one; and whether anything
    /// is right that is written now.
    place: Place,
    places: Option<Vec<Place>>,
    accepting: bool,
    /// How many names of temporary files were given out.
    pub(crate) temporary_names: u32,
    /// How many bytes were written to all streams.
    pub(crate) written: usize,
    pub(crate) asked: Vec<Asked>,
    /// What an edited program noted of the values that a check reads.
    pub(crate) seen: Vec<u64>,
    unknown: Vec<String>,
    /// Where the program's `errno` is, once somebody wants to know.
    errno: Option<u64>,
    /// Nanoseconds since the program started.
    pub(crate) clock: u64,
    /// By the number of an external function.
    functions: Vec<Option<Function>>,
}

/// A function of the world.
pub(crate) type Function = fn(&mut World, Call<'_>, &mut Objects) -> Answer;

/// Names and functions.
pub(crate) type Table = &'static [(&'static str, Function)];

const TABLES: [Table; 9] = [
    heap::FUNCTIONS,
    inputs::FUNCTIONS,
    math::FUNCTIONS,
    process::FUNCTIONS,
    scanf::FUNCTIONS,
    stdio::FUNCTIONS,
    stdio::PRINTF,
    stdio::READ,
    stdio::DESCRIPTORS,
];

impl Host for World {
    fn asks(&self, name: &str) -> bool {
        inputs::is_open(name) || self.unknown.iter().any(|unknown| unknown == name)
    }

    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let index = call.function.index();
        if self.functions.len() <= index {
            self.functions.resize(index + 1, None);
        }
        let function = match self.functions[index] {
            Some(function) => function,
            None => *self.functions[index].insert(find(call.name)),
        };
        function(self, Call(call), memory)
    }

    fn accept_output(&mut self, whatever: bool) {
        self.accepting = whatever;
    }

    fn finish(&mut self, status: i32) -> Result<(), Fault> {
        if let Some(expected) = self.setup.expected() {
            let places = self.places.as_deref().unwrap_or(std::slice::from_ref(&self.place));
            if !places.iter().any(|place| expected.is_complete(place)) {
                return Err(expect::incomplete(expected, &self.output, &self.place));
            }
        }
        match self.setup.expected_status {
            Some(expected) if expected & 255 != status & 255 => {
                let (expected, status) = (expected & 255, status & 255);
                let text = format!("the program ended with status {status} instead of {expected}");
                Err(fault(FailureKind::ExitStatus, text))
            }
            _ => Ok(()),
        }
    }
}

fn find(name: &str) -> Function {
    let all = || TABLES.iter().copied().flatten();
    let exact = |name: &str| all().find(|(known, _)| *known == name).map(|(_, function)| *function);
    exact(name)
        .or_else(|| math::intrinsic(name).and_then(exact))
        .or_else(|| inputs::find(name))
        .unwrap_or(unknown)
}

/// The results of so many calls of unknown functions may be chosen; then they are zero.
const MOST_UNKNOWN: usize = 10_000;

/// A function that nobody knows: it may return anything.
fn unknown(world: &mut World, call: Call<'_>, _: &mut Objects) -> Answer {
    if !world.unknown.iter().any(|name| name == call.0.name) {
        world.unknown.push(call.0.name.to_owned());
    }
    // What is as wide as a pointer might be one: then nothing is the safest.
    let results = match call.0.results {
        &[bits] if bits <= 32 && world.asked.len() < MOST_UNKNOWN => {
            vec![Scalar::new(world.ask(bits, call.0.name)?)]
        }
        results => vec![Scalar::default(); results.len()],
    };
    Ok(Response::Return { results, nature: Nature::Input })
}

impl World {
    pub fn new(setup: Setup) -> World {
        let place = setup.expected().map(Expected::start).unwrap_or_default();
        World {
            streams: Streams::new(setup.stdin.clone()),
            setup,
            output: Vec::new(),
            error_output: Vec::new(),
            place,
            places: None,
            accepting: false,
            temporary_names: 0,
            written: 0,
            asked: Vec::new(),
            seen: Vec::new(),
            unknown: Vec::new(),
            errno: None,
            clock: 0,
            functions: Vec::new(),
        }
    }

    /// What the program wrote to its standard output.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// In what the output differs from the expected one, of all that does not count.
    pub fn forgiven(&self) -> Option<&'static str> {
        let expected = self.setup.expected_output.as_deref()?;
        compare::forgiven(expected, &self.output, self.setup.compare)
    }

    pub fn error_output(&self) -> &[u8] {
        &self.error_output
    }

    /// The nondeterministic values that the program asked for.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The values that were noted by `whydunit_seen`, which only edited programs call.
    pub fn seen(&self) -> &[u64] {
        &self.seen
    }

    /// How far the output has come in what is expected.
    pub fn compared(&self) -> u64 {
        self.place.at as u64
    }

    /// How much of the standard input was read.
    pub fn reading(&self) -> Reading {
        self.streams.reading()
    }

    /// The functions that were called and that the world does not know, in order of the first call.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Writes to the standard output, as far as it is the expected one.
    pub(crate) fn write_output(&mut self, bytes: &[u8], source: Source<'_>) -> Result<(), Fault> {
        let start = self.output.len();
        if start + bytes.len() > OUTPUT_LIMIT {
            return Err(too_much());
        }
        self.output.extend_from_slice(bytes);
        let Some(expected) = self.setup.expected() else { return Ok(()) };
        if self.accepting {
            let first = self.places.as_ref().and_then(|places| places.first());
            let first = first.unwrap_or(&self.place).at;
            let place = |at: usize| Place { at, begun: Vec::new() };
            self.places = Some((first..=expected.text.len()).map(place).collect());
            return Ok(());
        }
        if let Some(places) = &mut self.places {
            return expect::go_on(expected, places, bytes, source);
        }
        match expected.advance(&self.place, bytes) {
            Ok(next) => self.place = next,
            Err(_) => {
                return Err(expect::wrong(expected, &self.output, start, &self.place, source));
            }
        }
        Ok(())
    }

    pub(crate) fn write_error_output(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if self.error_output.len() + bytes.len() > OUTPUT_LIMIT {
            return Err(too_much());
        }
        self.error_output.extend_from_slice(bytes);
        Ok(())
    }

    /// The address of `errno`.
    pub(crate) fn errno(&mut self, memory: &mut Objects) -> u64 {
        let address = self.errno.or_else(|| memory.allocate_zeroed(4, 4, Origin::Start));
        self.errno = address;
        address.unwrap_or(0)
    }

    pub(crate) fn errno_value(&self, memory: &Objects) -> i32 {
        let bytes = self.errno.and_then(|address| memory.view(address, 4).ok());
        bytes.map_or(0, |bytes| word(bytes) as i32)
    }

    pub(crate) fn set_errno(&mut self, code: i32, memory: &mut Objects) -> Result<(), Fault> {
        match self.errno(memory) {
            0 => Ok(()),
            address => memory.write(address, &code.to_le_bytes()),
        }
    }
}

/// All functions, for tests.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().copied().flatten().map(|(name, _)| *name)
}
