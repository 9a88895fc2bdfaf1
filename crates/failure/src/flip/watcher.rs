//! Who watches a way: where it is, and what it does with what is watched.
//!
//! It is told of each edge before it is taken, and then of the values that the edge assigns, in the
//! order of [`program::process::Observer`].

use std::hash::{DefaultHasher, Hash, Hasher};

use program::{EdgeId, LocationId, Program, SiteId, Statement};
use term::Term;

/// What a digest has for each execution, before its values.
const EXECUTED: u8 = 1;

/// The activations that have not returned, outermost first.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    /// The number of each, as in the trace, and the call that began it.
    active: Vec<(u32, Option<EdgeId>)>,
    begun: u32,
}

impl Stack {
    /// The activations at the beginning of a trace, by the calls that began them.
    pub fn new(calls: impl IntoIterator<Item = Option<EdgeId>>) -> Stack {
        let active: Vec<_> = (0..).zip(calls).collect();
        Stack { begun: active.len() as u32, active }
    }

    pub fn push(&mut self, call: Option<EdgeId>) {
        self.active.push((self.begun, call));
        self.begun += 1;
    }

    pub fn depth(&self) -> usize {
        self.active.len()
    }

    /// Where the activation of this number is.
    pub fn position(&self, activation: u32) -> Option<usize> {
        self.active.binary_search_by_key(&activation, |&(number, _)| number).ok()
    }
}

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// What an edge does: only the value of this number, or all.
    Edge { edge: EdgeId, value: Option<u32> },
    /// What calls of this site return: only the result of this number, or all.
    Results { call: SiteId, value: Option<u32> },
    /// A variable of the program, in this activation.
    Variable { frame: usize, variable: Term },
    /// An area of memory.
    Cell { address: u64, size: u64 },
    /// Something that is not there.
    Nothing,
}

/// Where a watcher stops.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// After so many edges.
    Edges(usize),
    /// At this location in the innermost activation.
    Location(LocationId),
    /// Before the innermost activation returns.
    Return,
}

#[derive(Debug)]
pub(crate) struct Watcher<'a> {
    program: &'a Program,
    pub stack: Stack,
    /// How many activations there were at the beginning.
    depth: usize,
    pub until: Until,
    /// Whether it came to where it should stop.
    pub arrived: bool,
    /// How many edges were taken, and the last one.
    pub edges: usize,
    pub last: Option<EdgeId>,
    /// How many things are watched, and those of them that are edges.
    count: usize,
    sights: Vec<Sight>,
    /// Whether the current edge is watched.
    pub watching: bool,
}

/// What was seen of one thing that is watched.
#[derive(Clone, Debug)]
struct Sight {
    number: usize,
    watched: Watched,
    /// Whether the current edge is watched, and the number of its next value.
    active: bool,
    next: u32,
    digest: DefaultHasher,
}

impl<'a> Watcher<'a> {
    pub fn new(
        program: &'a Program,
        stack: Stack,
        until: Until,
        watched: &[Watched],
    ) -> Watcher<'a> {
        let is_edge = |(_, watched): &(usize, &Watched)| {
            matches!(watched, Watched::Edge { .. } | Watched::Results { .. })
        };
        let sight = |(number, &watched): (usize, &Watched)| Sight {
            number,
            watched,
            active: false,
            next: 0,
            digest: DefaultHasher::new(),
        };
        Watcher {
            program,
            depth: stack.depth(),
            stack,
            until,
            arrived: false,
            edges: 0,
            last: None,
            count: watched.len(),
            sights: watched.iter().enumerate().filter(is_edge).map(sight).collect(),
            watching: false,
        }
    }

    /// An edge is about to be taken. False if the way ends before it.
    pub fn step(&mut self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        let innermost = self.stack.depth() <= self.depth;
        self.arrived = match &mut self.until {
            Until::Edges(0) => true,
            Until::Edges(left) => {
                *left -= 1;
                false
            }
            Until::Location(location) => innermost && edge.from == *location,
            Until::Return => innermost && matches!(edge.statement, Statement::Return),
        };
        if self.arrived {
            return false;
        }
        self.edges += 1;
        self.last = Some(id);
        self.watching = false;
        for sight in &mut self.sights {
            sight.active = match sight.watched {
                Watched::Edge { edge, .. } => edge == id,
                Watched::Results { call, .. } => {
                    let own = self.stack.active.last().and_then(|&(_, call)| call);
                    matches!(edge.statement, Statement::Return)
                        && own.is_some_and(|own| self.program.edge(own).site == call)
                }
                _ => false,
            };
            if sight.active {
                sight.next = 0;
                self.watching = true;
                EXECUTED.hash(&mut sight.digest);
            }
        }
        match edge.statement {
            Statement::Call { .. } => self.stack.push(Some(id)),
            Statement::Return => drop(self.stack.active.pop()),
            _ => {}
        }
        true
    }

    /// The current edge assigns a value.
    pub fn value(&mut self, value: impl Hash) {
        for sight in self.sights.iter_mut().filter(|sight| sight.active) {
            let number = sight.next;
            sight.next += 1;
            match sight.watched {
                Watched::Edge { value: Some(only), .. }
                | Watched::Results { value: Some(only), .. }
                    if only != number => {}
                _ => value.hash(&mut sight.digest),
            }
        }
    }

    /// The current edge does something else.
    pub fn note(&mut self, what: impl Hash) {
        for sight in self.sights.iter_mut().filter(|sight| sight.active) {
            match sight.watched {
                Watched::Edge { value: None, .. } | Watched::Results { value: None, .. } => {
                    what.hash(&mut sight.digest);
                }
                _ => {}
            }
        }
    }

    /// Whether nothing is watched at all.
    pub fn is_idle(&self) -> bool {
        self.count == 0
    }

    /// A digest of what was seen of each edge that is watched; None for places.
    pub fn digests(&self) -> Vec<Option<u64>> {
        let mut digests = vec![None; self.count];
        for sight in &self.sights {
            digests[sight.number] = Some(sight.digest.finish());
        }
        digests
    }
}

/// A digest of one value.
pub(crate) fn digest(value: impl Hash) -> u64 {
    let mut digest = DefaultHasher::new();
    value.hash(&mut digest);
    digest.finish()
}
