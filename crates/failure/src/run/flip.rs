//! Other ways through a run of a program with memory.
//!
//! The process of the record's start runs along, with its world; at each decision that is asked about, both are
//! copied, once for each way. See [`crate::flip`].

use program::process::{Detail, Effect, Host, Limits, Nature, Observer, Outcome, Process, Scalar};
use program::{EdgeId, ExternalId, LocationId, Memory, ProcedureId, Program, Statement, Stop};
use rustc_hash::FxHashMap;

use super::job::{Job, finished};
use crate::flip::{
    Budget, End, Flip, Flipped, Seen, Stack, Until, Watched, Watcher, Way, ask, digest,
};
use crate::trace::Trace;

/// In instructions.
const BUDGET: Budget = Budget { total: 100_000_000, slack: 100_000 };
/// So many bytes are copied in the time of an instruction.
const BYTES: u64 = 32;
/// Copying an activation takes as long as so many instructions.
const ACTIVATION: u64 = 8;

pub(super) fn flipped<W: Host + Clone>(
    job: &Job<'_>,
    start: &(Process<'_>, W),
    trace: &Trace,
    flips: &[Flip],
) -> Vec<Flipped> {
    let (process, world) = start.clone();
    let stack = Stack::new(process.activations().into_iter().map(|(_, call)| call));
    let way = Running { job, process, world, stack, at: 0 };
    ask(job.program, trace, flips, way, BUDGET)
}

#[derive(Clone)]
struct Running<'a, 'p, W> {
    job: &'a Job<'p>,
    process: Process<'a>,
    world: W,
    stack: Stack,
    /// Up to there the failing run was repeated.
    at: usize,
}

impl<W: Host + Clone> Way for Running<'_, '_, W> {
    fn forward(&mut self, at: usize) -> bool {
        let until = Until::Edges(at - self.at);
        let mut watch = Watch::new(self.job.program, self.stack.clone(), until, &[]);
        self.process.run(&mut self.world, &mut watch, self.job.limits, &Stop::default());
        self.stack = watch.watcher.stack;
        self.at = at;
        watch.watcher.arrived
    }

    fn take(&mut self, edge: EdgeId) -> bool {
        let edge = self.job.program.edge(edge);
        matches!(edge.statement, Statement::Assume { .. }) && self.process.go_to(edge.to)
    }

    fn stack(&self) -> &Stack {
        &self.stack
    }

    fn run(&mut self, meeting: Option<LocationId>, watched: &[Watched], most: Option<u64>) -> Seen {
        // What is made later may have the address of something else on the other way.
        let there: Vec<bool> = watched.iter().map(|watched| self.is_there(watched)).collect();
        let until = meeting.map_or(Until::Return, Until::Location);
        let mut watch = Watch::new(self.job.program, self.stack.clone(), until, watched);
        let begin = self.process.instructions();
        let end = self.go_on(&mut watch, most);
        let place =
            |(watched, &there): (&Watched, &bool)| self.place(&watch, watched).filter(|_| there);
        let places: Vec<Option<u64>> = watched.iter().zip(&there).map(place).collect();
        if end == End::Met && meeting.is_none() {
            watch.watcher.until = Until::Edges(1);
            self.go_on(&mut watch, None);
        }
        let edges = watch.watcher.digests().into_iter();
        let digests = places.into_iter().zip(edges).map(|(place, edge)| place.or(edge)).collect();
        let effort = self.process.instructions() - begin;
        Seen { end, steps: watch.watcher.edges, digests, effort }
    }

    fn weight(&self) -> u64 {
        self.process.memory().live() / BYTES + self.stack.depth() as u64 * ACTIVATION
    }
}

impl<W: Host> Running<'_, '_, W> {
    fn go_on(&mut self, watch: &mut Watch<'_>, most: Option<u64>) -> End {
        let begin = self.process.instructions();
        let limits = match most {
            None => self.job.limits,
            Some(most) => Limits { instructions: begin.saturating_add(most), ..self.job.limits },
        };
        let outcome = self.process.run(&mut self.world, watch, limits, &Stop::default());
        if watch.watcher.arrived {
            return End::Met;
        }
        match finished(outcome, &self.process, &mut self.world) {
            Outcome::Failed { edge, fault } => {
                // A decision about undefined bits fails before an edge is taken.
                if watch.watcher.last != Some(edge) && !watch.watcher.step(edge) {
                    return End::Met;
                }
                watch.watcher.note(fault.kind.name());
                if let Detail::Output(wrong) = fault.detail {
                    watch.watcher.note(wrong.position);
                }
                End::Ended
            }
            Outcome::Finished { status } => {
                watch.watcher.note(status);
                End::Ended
            }
            // The failure is that the run is too long.
            Outcome::StepLimit { .. } if most.is_none() => End::Ended,
            Outcome::StepLimit { .. } | Outcome::Blocked { .. } | Outcome::Stopped => End::Unknown,
        }
    }

    fn is_there(&self, watched: &Watched) -> bool {
        match *watched {
            Watched::Cell { address, size } => self.process.memory().view(address, size).is_ok(),
            _ => true,
        }
    }

    fn place(&self, watch: &Watch<'_>, watched: &Watched) -> Option<u64> {
        match *watched {
            Watched::Variable { frame, variable } => {
                let bits = self.job.program.terms.sort(variable).bits();
                let value = self.process.value(frame, variable, bits)?;
                Some(digest(watch.comparable(value)))
            }
            Watched::Cell { address, size } => {
                let memory = self.process.memory();
                let bytes = memory.view(address, size).ok()?;
                let undefined = memory.undefined_bits(address, size);
                match (<[u8; 8]>::try_from(bytes), &undefined) {
                    (Ok(word), None) => {
                        let value = Scalar::new(u64::from_le_bytes(word).into());
                        Some(digest(watch.comparable(value)))
                    }
                    _ => Some(digest((bytes, undefined))),
                }
            }
            _ => None,
        }
    }
}

/// Watches a process.
struct Watch<'a> {
    program: &'a Program,
    watcher: Watcher<'a>,
    /// The objects that were made: what tells them apart, and their addresses.
    made: FxHashMap<u64, u64>,
    /// The next value is the address of a new object.
    makes: bool,
}

impl<'a> Watch<'a> {
    fn new(program: &'a Program, stack: Stack, until: Until, watched: &[Watched]) -> Watch<'a> {
        let watcher = Watcher::new(program, stack, until, watched);
        Watch { program, watcher, made: FxHashMap::default(), makes: false }
    }

    fn made(&mut self, address: u64) {
        if !self.watcher.is_idle() {
            self.made.insert(address >> 32, address);
        }
    }

    /// A value such that those of two ways can be compared: of an address in an object that was made on
    /// the way, the offset.
    fn comparable(&self, value: Scalar) -> (u128, u128, bool) {
        let made = u64::try_from(value.bits).ok().and_then(|word| {
            let base = self.made.get(&(word >> 32))?;
            Some(word.wrapping_sub(*base))
        });
        (made.map_or(value.bits, u128::from), value.undefined, made.is_some())
    }

    fn address(&self, address: u64) -> (u128, u128, bool) {
        self.comparable(Scalar::new(address.into()))
    }
}

impl Observer for Watch<'_> {
    const ACTIVE: bool = true;

    #[inline]
    fn step(&mut self, edge: EdgeId) -> bool {
        let statement = &self.program.edge(edge).statement;
        self.makes = matches!(statement, Statement::Memory(Memory::Alloc { .. }));
        self.watcher.step(edge)
    }

    #[inline]
    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        if self.makes {
            self.made(value.bits as u64);
        }
        if self.watcher.watching {
            self.watcher.value(self.comparable(value));
        }
        value
    }

    #[inline]
    fn access(&mut self, address: u64, size: u64) -> bool {
        if self.watcher.watching {
            self.watcher.note((self.address(address), size));
        }
        true
    }

    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        self.watcher.note(procedure.0);
        self.watcher.stack.push(self.watcher.last);
        true
    }

    fn external(&mut self, function: ExternalId) -> bool {
        self.watcher.note(function.0);
        true
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Read { address, bytes } => {
                self.watcher.note((0u8, self.address(*address), bytes));
            }
            Effect::Write { address, bytes } => {
                self.watcher.note((1u8, self.address(*address), bytes));
            }
            Effect::New { address, size } => {
                self.made(*address);
                self.watcher.note((2u8, size));
            }
            Effect::Freed { address } => self.watcher.note((3u8, self.address(*address))),
        }
    }

    fn nature(&mut self, nature: Nature) {
        self.watcher.note(matches!(nature, Nature::Input));
    }
}
