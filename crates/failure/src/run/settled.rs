//! Calls of the library that no change of the program's statements can make otherwise.
//!
//! A run that is [repeated with changes](crate::rerun) becomes a trace, so that changed values can be followed through it. Where none
//! can come, nothing is to be followed: a call of a trusted function is *settled* if it only computes something, from
//! what the statements of the user have no part in. `atoi(argv[1])` is one, and takes eighty steps; in a program that
//! converts a dozen arguments, that is most of the run. Of a settled call, the trace has what is passed and what is
//! returned.
//!
//! What the statements of the user have a part in is found in one pass over the record, generously: all that they assign, and all
//! objects that somebody writes to. What is passed to the library can be changed, except for pointers. Variables of the
//! source may be set before a statement, except for pointers, too.

use program::process::{Event, Log, Scalar};
use program::{
    EdgeId, Memory, ProcedureId, Program, Statement, Trust, Type, Variable, VariableRole,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::cut::key;
use super::slice::{area, is_global, reads, written};
use super::unfold::Values;

/// A settled call, by the indices of the path at which it begins and returns.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub begin: usize,
    pub end: usize,
    /// What it returns.
    pub results: Vec<(Term, Scalar)>,
}

/// What is known about the edges of a program, whatever the run.
#[derive(Debug, Default)]
pub(super) struct Known {
    edges: FxHashMap<EdgeId, Facts>,
    library: FxHashMap<ProcedureId, bool>,
    /// The variables that procedures return; once somebody wants to know.
    returned: Option<FxHashSet<Term>>,
}

#[derive(Clone, Debug)]
struct Facts {
    reads: Vec<Term>,
    /// Those of them that all procedures share.
    shared: Vec<Term>,
    /// Whether it reads a variable that may be set before.
    settable: bool,
}

impl Known {
    fn facts(&mut self, program: &Program, edge: EdgeId) -> &Facts {
        self.edges.entry(edge).or_insert_with(|| {
            let reads = reads(program, edge);
            let shared = reads.iter().copied().filter(|&v| is_global(program, v)).collect();
            let declared = |variable: &Term| program.variables.get(variable);
            let settable = |variable: &Variable| {
                variable.role == VariableRole::Source && is_pointer(program, variable) != Some(true)
            };
            let settable = reads.iter().any(|variable| declared(variable).is_none_or(settable));
            Facts { reads, shared, settable }
        })
    }

    /// Whether a variable has a value on its way, and not one that a programmer would say is assigned.
    fn is_temporary(&mut self, program: &Program, variable: Term) -> bool {
        let returned = self.returned.get_or_insert_with(|| {
            program.procedures.iter().flat_map(|p| p.results.iter().copied()).collect()
        });
        let role = program.variables.get(&variable).map(|variable| variable.role);
        role == Some(VariableRole::Temporary) && !returned.contains(&variable)
    }

    /// Whether no statement of a procedure is the user's.
    fn is_library(&mut self, program: &Program, procedure: ProcedureId) -> bool {
        *self.library.entry(procedure).or_insert_with(|| {
            let entry = program.procedure(procedure).entry;
            let (mut seen, mut open) = (FxHashSet::from_iter([entry]), vec![entry]);
            while let Some(location) = open.pop() {
                for (_, edge) in program.out_edges(location) {
                    if program.site(edge.site).trust == Trust::User {
                        return false;
                    }
                    open.extend(seen.insert(edge.to).then_some(edge.to));
                }
            }
            true
        })
    }
}

/// Whether a variable is a pointer, if its type is known.
fn is_pointer(program: &Program, variable: &Variable) -> Option<bool> {
    let ty = program.types.get(variable.ty?.0 as usize)?;
    Some(matches!(ty, Type::Pointer(_)))
}

/// The settled calls of a run, in order.
pub(super) fn settled(program: &Program, log: &Log, known: &mut Known) -> Vec<Settled> {
    let events = log.events(program);
    let open = events.calls().iter().map(|&call| Some(call));
    let frames = [None].into_iter().chain(open).map(Frame::of).collect();
    let (shared, written, found) = (FxHashSet::default(), FxHashSet::default(), Vec::new());
    let mut search = Search { program, known, frames, shared, written, call: None, found };
    let mut current: Option<EdgeId> = None;
    let mut happened: Vec<Event> = Vec::new();
    let mut number = 0;
    for event in events {
        match event {
            Event::Step(edge) => {
                if let Some(done) = current.replace(edge) {
                    search.step(number, done, &happened);
                    number += 1;
                }
                happened.clear();
            }
            event => happened.push(event),
        }
    }
    search.found
}

struct Search<'a> {
    program: &'a Program,
    known: &'a mut Known,
    frames: Vec<Frame>,
    /// The variables of all procedures that statements of the user have a part in.
    shared: FxHashSet<Term>,
    /// The objects that somebody has written to.
    written: FxHashSet<u64>,
    /// The call of the library that has not returned yet: the outermost.
    call: Option<Call>,
    found: Vec<Settled>,
}

/// An activation.
struct Frame {
    call: Option<EdgeId>,
    /// Its variables that statements of the user have a part in.
    changeable: FxHashSet<Term>,
}

impl Frame {
    fn of(call: Option<EdgeId>) -> Frame {
        Frame { call, changeable: FxHashSet::default() }
    }
}

struct Call {
    begin: usize,
    callee: ProcedureId,
    /// How many activations there are with its own.
    depth: usize,
    /// Whether it only computes something, so far, from what cannot be changed.
    settled: bool,
    /// The objects that it has made.
    made: Vec<u64>,
    /// What its own activation has assigned last to what it returns.
    results: FxHashMap<Term, Scalar>,
}

impl Search<'_> {
    fn step(&mut self, number: usize, edge: EdgeId, events: &[Event]) {
        match self.call.take() {
            Some(call) => self.call = self.inside(call, number, edge, events),
            None => self.outside(number, edge, events),
        }
    }

    /// A step of a statement of the user.
    fn outside(&mut self, number: usize, edge: EdgeId, events: &[Event]) {
        let program = self.program;
        let statement = &program.edge(edge).statement;
        let facts = self.known.facts(program, edge);
        let Some(frame) = self.frames.last() else { return };
        let mut is_changeable = facts.settable
            || facts.reads.iter().any(|read| frame.changeable.contains(read))
            || facts.shared.iter().any(|read| self.shared.contains(read));
        match statement {
            Statement::Assume { .. } => return,
            Statement::Assign { .. } => {}
            Statement::Memory(Memory::Load { .. }) => {
                is_changeable |= objects(events).any(|object| self.written.contains(&object));
            }
            Statement::Memory(Memory::Alloc { .. } | Memory::Mark { .. }) => is_changeable = false,
            Statement::Memory(_) => self.written.extend(objects(events)),
            Statement::Call { callee, .. } => {
                return self.enter(number, edge, *callee, events, !is_changeable);
            }
            Statement::Return => return self.leave(true),
            Statement::Havoc { .. }
            | Statement::CallPointer { .. }
            | Statement::External { .. } => {
                if let Some(callee) = procedure(events) {
                    return self.enter(number, edge, callee, events, false);
                }
                is_changeable = true;
                self.written.extend(events.iter().filter_map(written).map(|area| key(area.0)));
            }
        }
        self.assign(edge, is_changeable);
    }

    /// The innermost activation assigns the variables of an edge.
    fn assign(&mut self, edge: EdgeId, is_changeable: bool) {
        let edge = self.program.edge(edge);
        let is_own = self.program.site(edge.site).trust == Trust::User;
        let Some(frame) = self.frames.last_mut() else { return };
        for &target in edge.statement.targets() {
            let known = match is_global(self.program, target) {
                true => &mut self.shared,
                false => &mut frame.changeable,
            };
            let is_assigned = is_own && !self.known.is_temporary(self.program, target);
            match is_changeable || is_assigned {
                true => known.insert(target),
                false => known.remove(&target),
            };
        }
    }

    fn enter(
        &mut self,
        begin: usize,
        edge: EdgeId,
        callee: ProcedureId,
        events: &[Event],
        is_given: bool,
    ) {
        let program = self.program;
        let parameters = &program.procedure(callee).parameters;
        let site = program.edge(edge).site;
        let is_own =
            program.site(site).trust == Trust::User || program.argument_sites.contains_key(&site);
        let mut frame = Frame::of(Some(edge));
        if self.known.is_library(program, callee) {
            let mut values = Values { events: events.iter() };
            let are_pointers = parameters.iter().all(|parameter| {
                let declared = program.variables.get(parameter);
                let value = values.next().map_or(0, |value| value.bits);
                let looks_like_one = value >> 32 != 0 && value >> 64 == 0;
                declared.and_then(|own| is_pointer(program, own)).unwrap_or(looks_like_one)
            });
            self.call = Some(Call {
                begin,
                callee,
                depth: self.frames.len() + 1,
                settled: is_given && are_pointers,
                made: Vec::new(),
                results: FxHashMap::default(),
            });
        } else if !is_given || is_own {
            frame.changeable.extend(parameters);
        }
        self.frames.push(frame);
    }

    fn leave(&mut self, is_changeable: bool) {
        if let Some(call) = self.frames.pop().and_then(|frame| frame.call) {
            self.assign(call, is_changeable);
        }
    }

    /// A step within a call of the library. The call, if it goes on.
    fn inside(
        &mut self,
        mut call: Call,
        number: usize,
        edge: EdgeId,
        events: &[Event],
    ) -> Option<Call> {
        let program = self.program;
        let statement = &program.edge(edge).statement;
        call.settled &= program.site(program.edge(edge).site).trust == Trust::Trusted;
        call.settled &= self.known.facts(program, edge).shared.is_empty();
        let mut targets = statement.targets();
        match statement {
            Statement::Assume { .. } | Statement::Assign { .. } => {}
            Statement::Memory(Memory::Load { .. }) => {
                let given = |object| call.made.contains(&object) || !self.written.contains(&object);
                call.settled &= objects(events).all(given);
            }
            Statement::Memory(Memory::Alloc { .. }) => {
                let made = Values { events: events.iter() }.next();
                call.made.extend(made.map(|value| key(value.bits as u64)));
            }
            Statement::Memory(_) => {
                call.settled &= objects(events).all(|object| call.made.contains(&object));
                self.written.extend(objects(events));
            }
            Statement::Call { .. } => {
                self.frames.push(Frame::of(Some(edge)));
                return Some(call);
            }
            Statement::Return => {
                if self.frames.len() == call.depth {
                    let settled = self.returned(&call, number);
                    self.leave(settled.is_none());
                    self.found.extend(settled);
                    return None;
                }
                let inner = self.frames.pop().and_then(|frame| frame.call);
                targets = inner.map_or(&[], |inner| program.edge(inner).statement.targets());
            }
            Statement::Havoc { .. }
            | Statement::CallPointer { .. }
            | Statement::External { .. } => {
                call.settled = false;
                self.written.extend(events.iter().filter_map(written).map(|area| key(area.0)));
                if procedure(events).is_some() {
                    self.frames.push(Frame::of(Some(edge)));
                    return Some(call);
                }
            }
        }
        for &target in targets.iter().filter(|&&target| is_global(program, target)) {
            call.settled = false;
            self.shared.insert(target);
        }
        if self.frames.len() == call.depth {
            let mut values = Values { events: events.iter() };
            for &target in targets {
                call.results.extend(values.next().map(|value| (target, value)));
            }
        }
        Some(call)
    }

    /// A call that returns, if it is settled.
    fn returned(&self, call: &Call, end: usize) -> Option<Settled> {
        let program = self.program;
        let edge = self.frames.last()?.call?;
        let targets = program.edge(edge).statement.targets();
        let returned = &program.procedure(call.callee).results;
        let mut results = Vec::new();
        for (_, variable) in targets.iter().zip(returned) {
            let value = call.results.get(variable).filter(|value| value.undefined == 0)?;
            results.push((*variable, *value));
        }
        let are_known = targets.len() == results.len();
        (call.settled && are_known).then_some(Settled { begin: call.begin, end, results })
    }
}

/// The objects that a step accesses.
fn objects(events: &[Event]) -> impl Iterator<Item = u64> {
    events.iter().filter_map(area).map(|(address, _)| key(address))
}

/// The procedure that is called through a pointer.
fn procedure(events: &[Event]) -> Option<ProcedureId> {
    events.iter().find_map(|event| match event {
        Event::Procedure(procedure) => Some(*procedure),
        _ => None,
    })
}
