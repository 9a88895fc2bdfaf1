//! A running program: its state, how it starts, how it is run.

use super::execute::Exit;
use super::image::{Home, Image, NONE, Part};
use super::objects::Objects;
use super::observe::Observer;
use super::{Host, Origin, Outcome, Scalar};
use crate::program::{EdgeId, LocationId, ProcedureId};
use crate::stop::Stop;
use term::Term;

/// How far a process may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many instructions it may have executed, from its start. It may go on for some more, until
    /// the next jump; how many does not depend on who watches.
    pub instructions: u64,
    /// How many activations there may be at a time.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { instructions: u64::MAX, depth: 100_000 }
    }
}

/// How often a request to stop is looked for, in instructions.
const SLICE: u64 = 1 << 20;

/// A running program. A clone goes its own way.
#[derive(Clone, Debug)]
pub struct Process<'i> {
    pub(super) image: &'i Image,
    pub(super) objects: Objects,
    pub(super) globals: Vec<u64>,
    /// The undefined bits of the globals, and of the slots: once there are any.
    pub(super) global_shadow: Vec<u64>,
    pub(super) stack: Vec<u64>,
    pub(super) shadow: Vec<u64>,
    pub(super) mode: Mode,
    pub(super) frames: Vec<Frame>,
    /// The objects that activations have made: address and size.
    pub(super) locals: Vec<(u64, u64)>,
    pub(super) local_bytes: u64,
    /// Where the innermost activation begins on the stack.
    pub(super) base: usize,
    pub(super) pc: usize,
    pub(super) count: u64,
}

/// Whether undefined bits are kept track of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Plain,
    Shadow,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub procedure: u32,
    /// The call, in the image's list; [`NONE`] for the entry.
    pub site: u32,
    /// Where the caller goes on.
    pub back: u32,
    /// How many objects activations had made before.
    pub locals: u32,
    pub base: usize,
}

impl<'i> Process<'i> {
    /// A process that is about to enter a procedure with these arguments. Those that are missing are
    /// zero.
    pub fn new(image: &'i Image, entry: ProcedureId, arguments: &[Scalar]) -> Process<'i> {
        let mut process = Process {
            image,
            objects: image.objects.clone(),
            globals: vec![0; image.globals as usize],
            global_shadow: Vec::new(),
            stack: Vec::new(),
            shadow: Vec::new(),
            mode: Mode::Plain,
            frames: Vec::new(),
            locals: Vec::new(),
            local_bytes: 0,
            base: 0,
            pc: usize::MAX,
            count: 0,
        };
        let Some(procedure) = image.procedures.get(entry.index()) else { return process };
        process.stack.resize(procedure.size as usize, 0);
        for (&part, argument) in procedure.parameters.iter().zip(arguments) {
            process.set_part(0, part, *argument);
        }
        process.pc = procedure.entry as usize;
        let frame = Frame { procedure: entry.0, site: NONE, back: NONE, locals: 0, base: 0 };
        process.frames.push(frame);
        process
    }

    /// A process that is about to enter `main`, with objects for the arguments and the environment.
    /// None if there is not enough memory for them.
    pub fn start(
        image: &'i Image,
        entry: ProcedureId,
        arguments: &[&[u8]],
        environment: &[&[u8]],
    ) -> Option<Process<'i>> {
        let mut process = Process::new(image, entry, &[]);
        let argv = process.strings(arguments)?;
        let envp = process.strings(environment)?;
        let values = [arguments.len() as u64, argv, envp];
        let parameters = image.procedures.get(entry.index()).map(|p| &p.parameters);
        for (&part, value) in parameters.into_iter().flatten().zip(values) {
            process.set_part(0, part, Scalar::new(value.into()));
        }
        Some(process)
    }

    /// An array of pointers to these strings, ended by null.
    fn strings(&mut self, strings: &[&[u8]]) -> Option<u64> {
        let mut pointers = Vec::new();
        for string in strings {
            let size = string.len() as u64 + 1;
            let address = self.objects.allocate_zeroed(size, 1, Origin::Start)?;
            self.objects.write(address, string).ok()?;
            pointers.extend(address.to_le_bytes());
        }
        pointers.extend([0; 8]);
        let array = self.objects.allocate_zeroed(pointers.len() as u64, 8, Origin::Start)?;
        self.objects.write(array, &pointers).ok()?;
        Some(array)
    }

    /// Memory as it is now.
    pub fn memory(&self) -> &Objects {
        &self.objects
    }

    pub fn memory_mut(&mut self) -> &mut Objects {
        &mut self.objects
    }

    /// How many instructions have been executed.
    pub fn instructions(&self) -> u64 {
        self.count
    }

    /// The edges of the calls that have not returned, outermost first.
    pub fn calls(&self) -> Vec<EdgeId> {
        let site = |frame: &Frame| self.image.calls.get(frame.site as usize);
        self.frames.iter().filter_map(site).map(|site| EdgeId(site.edge)).collect()
    }

    /// The procedures of the activations and the calls that made them, outermost first.
    pub fn activations(&self) -> Vec<(ProcedureId, Option<EdgeId>)> {
        let site = |frame: &Frame| self.image.calls.get(frame.site as usize);
        let call = |frame: &Frame| site(frame).map(|site| EdgeId(site.edge));
        self.frames.iter().map(|frame| (ProcedureId(frame.procedure), call(frame))).collect()
    }

    /// The value of a global variable, or of a variable of the procedure of this activation (the
    /// outermost is 0).
    pub fn value(&self, activation: usize, variable: Term, bits: u32) -> Option<Scalar> {
        let (words, shadow, at) = match *self.image.homes.get(&variable)? {
            Home::Global(slot) => (&self.globals, &self.global_shadow, slot as usize),
            Home::Slot(slot) => {
                let frame = self.frames.get(activation)?;
                (&self.stack, &self.shadow, frame.base + slot as usize)
            }
        };
        let word = |words: &[u64], at: usize| words.get(at).map_or(0, |&word| u128::from(word));
        let both = |words: &[u64]| match bits {
            0..=64 => word(words, at),
            _ => word(words, at) | word(words, at + 1) << 64,
        };
        Some(Scalar { bits: both(words), undefined: both(shadow) })
    }

    /// Goes on at another location of the procedure that it is in, whatever the conditions on the way
    /// there say. False if no way leads there.
    pub fn go_to(&mut self, location: LocationId) -> bool {
        match self.image.locations.get(location.index()) {
            Some(&place) if place != NONE => {
                self.pc = place as usize;
                true
            }
            _ => false,
        }
    }

    /// Runs until the process ends or a limit is reached. After [`Outcome::StepLimit`] and
    /// [`Outcome::Stopped`] it can go on, with another observer if so wished; also where an observer
    /// did not let it take a step: the step is announced again.
    pub fn run<O: Observer>(
        &mut self,
        host: &mut dyn Host,
        observer: &mut O,
        limits: Limits,
        stop: &Stop,
    ) -> Outcome {
        loop {
            if stop.requested() {
                return Outcome::Stopped;
            }
            if self.count >= limits.instructions {
                return Outcome::StepLimit { edge: self.edge() };
            }
            let end = limits.instructions.min(self.count.saturating_add(SLICE));
            let exit = match self.mode {
                Mode::Plain => self.execute::<O, false>(host, observer, limits.depth, end),
                Mode::Shadow => self.execute::<O, true>(host, observer, limits.depth, end),
            };
            match exit {
                Exit::Pause => {}
                Exit::Done(outcome) => return outcome,
            }
        }
    }

    /// The edge that the process is at: after its end, the last one.
    pub fn last_edge(&self) -> EdgeId {
        self.edge()
    }

    /// The edge that the next instruction belongs to.
    pub(super) fn edge(&self) -> EdgeId {
        EdgeId(self.image.notes.get(self.pc).map_or(0, |note| note.edge))
    }

    /// From now on, undefined bits are kept track of.
    pub(super) fn track_undefined(&mut self) {
        self.mode = Mode::Shadow;
        self.shadow.clear();
        self.shadow.resize(self.stack.len(), 0);
        self.global_shadow.resize(self.globals.len(), 0);
    }

    /// The value of a part of an activation.
    pub(super) fn part(&self, base: usize, part: Part) -> Scalar {
        let word = |words: &[u64], n: usize| {
            words.get(base + part.slot as usize + n).map_or(0, |&word| u128::from(word))
        };
        let both = |words: &[u64]| match part.bits {
            0..=64 => word(words, 0),
            _ => word(words, 0) | word(words, 1) << 64,
        };
        let undefined = if self.mode == Mode::Shadow { both(&self.shadow) } else { 0 };
        Scalar { bits: both(&self.stack), undefined }
    }

    /// Sets a part of an activation, cut to its width.
    pub(super) fn set_part(&mut self, base: usize, part: Part, value: Scalar) {
        if value.undefined != 0 && self.mode == Mode::Plain {
            self.track_undefined();
        }
        let set = |words: &mut [u64], value: u128| {
            let value = value & mask(part.bits);
            let first = base + part.slot as usize;
            if let Some(word) = words.get_mut(first) {
                *word = value as u64;
            }
            if part.bits > 64
                && let Some(word) = words.get_mut(first + 1)
            {
                *word = (value >> 64) as u64;
            }
        };
        set(&mut self.stack, value.bits);
        if self.mode == Mode::Shadow {
            set(&mut self.shadow, value.undefined);
        }
    }
}

/// The bits of a width.
pub(super) fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits.clamp(1, 128))
}
