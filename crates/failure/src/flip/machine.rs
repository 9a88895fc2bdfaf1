//! Other ways through programs over mathematical values, in [`program::interpret`].
//!
//! What the program leaves open is as in the failing run: values in the order of its havocs, then zero.
//! Where several edges are possible on the other way, it is the next one that the failing run took later, or else
//! the first.

use program::interpret::{Machine, Oracle};
use program::{EdgeId, LocationId, Program, Statement};
use term::{Sort, Term, Value};

use super::watcher::digest;
use super::{Budget, End, Flip, Flipped, Seen, Stack, Until, Watched, Watcher, Way, ask};
use crate::replay::{Inputs, Recorded};
use crate::trace::Trace;

/// In edges.
const BUDGET: Budget = Budget { total: 5_000_000, slack: 10_000 };

pub(super) fn flipped(
    program: &Program,
    trace: &Trace,
    inputs: &Inputs,
    flips: &[Flip],
) -> Vec<Flipped> {
    let mut oracle = Recorded::new(trace, inputs);
    let machine = Machine::new(program, trace.entry, &mut oracle);
    let path = &trace.path;
    let way = Interpreted { program, machine, oracle, path, at: 0, stack: Stack::new([None]) };
    ask(program, trace, flips, way, BUDGET)
}

#[derive(Clone)]
struct Interpreted<'a> {
    program: &'a Program,
    machine: Machine<'a>,
    oracle: Recorded<'a>,
    /// The failing run.
    path: &'a [EdgeId],
    /// How far it was repeated, or looked at for a choice.
    at: usize,
    stack: Stack,
}

/// Answers as in the failing run, and shows what is assigned.
struct Shown<'o, 'a, 'w> {
    oracle: &'o mut Recorded<'a>,
    watcher: &'o mut Watcher<'w>,
}

impl Oracle for Shown<'_, '_, '_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        self.oracle.initial(activation, variable, sort)
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.oracle.havoc(sort)
    }

    fn assign(&mut self, value: Value) -> Value {
        self.watcher.value(&value);
        value
    }
}

impl Way for Interpreted<'_> {
    fn forward(&mut self, at: usize) -> bool {
        let until = Until::Edges(at - self.at);
        let mut watcher = Watcher::new(self.program, self.stack.clone(), until, &[]);
        while let Some(&edge) = self.path.get(self.at)
            && watcher.step(edge)
        {
            let is_next = self.program.edge(edge).from == self.machine.location();
            if !is_next || !self.machine.possible(edge) {
                return false;
            }
            self.machine.take(edge, &mut self.oracle);
            self.at += 1;
        }
        self.stack = watcher.stack;
        watcher.arrived
    }

    fn take(&mut self, edge: EdgeId) -> bool {
        let statement = &self.program.edge(edge).statement;
        if matches!(statement, Statement::Call { .. } | Statement::Return) {
            return false; // the region would be that of another activation
        }
        self.machine.take(edge, &mut self.oracle);
        self.at += 1;
        true
    }

    fn stack(&self) -> &Stack {
        &self.stack
    }

    fn run(&mut self, meeting: Option<LocationId>, watched: &[Watched], most: Option<u64>) -> Seen {
        let until = meeting.map_or(Until::Return, Until::Location);
        let mut watcher = Watcher::new(self.program, self.stack.clone(), until, watched);
        let mut effort = 0;
        let end = self.go_on(&mut watcher, most, &mut effort);
        let places = self.places(watched);
        if end == End::Met && meeting.is_none() {
            watcher.until = Until::Edges(1);
            self.go_on(&mut watcher, None, &mut effort);
        }
        let digests = places.into_iter().zip(watcher.digests()).map(|(place, edge)| place.or(edge));
        Seen { end, steps: watcher.edges, digests: digests.collect(), effort }
    }

    fn weight(&self) -> u64 {
        self.machine.depth() as u64
    }
}

impl Interpreted<'_> {
    fn go_on(&mut self, watcher: &mut Watcher<'_>, most: Option<u64>, effort: &mut u64) -> End {
        while most.is_none_or(|most| *effort < most) {
            if self.machine.location() == Program::ERROR {
                return End::Ended;
            }
            let possible = self.machine.possible_edges();
            let edge = match possible[..] {
                [] if self.machine.finished() => return End::Ended,
                [] => return End::Unknown,
                [edge] => edge,
                _ => self.choose(&possible, effort),
            };
            if !watcher.step(edge) {
                return End::Met;
            }
            *effort += 1;
            if self.path.get(self.at) == Some(&edge) {
                self.at += 1;
            }
            self.machine.take(edge, &mut Shown { oracle: &mut self.oracle, watcher });
        }
        End::Unknown
    }

    fn choose(&mut self, possible: &[EdgeId], effort: &mut u64) -> EdgeId {
        let later = self.path.get(self.at..).unwrap_or(&[]);
        let next = later.iter().position(|edge| possible.contains(edge));
        *effort += next.unwrap_or(later.len()) as u64;
        match next {
            Some(distance) => {
                self.at += distance;
                later[distance]
            }
            None => possible[0],
        }
    }

    fn places(&self, watched: &[Watched]) -> Vec<Option<u64>> {
        let place = |watched: &Watched| match *watched {
            Watched::Variable { frame, variable } => {
                self.machine.value_in(frame, variable).map(digest)
            }
            _ => None,
        };
        watched.iter().map(place).collect()
    }
}
