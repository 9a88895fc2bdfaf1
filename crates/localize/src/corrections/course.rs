//! What runs have in common that do the same with other values: their course.

use std::cell::OnceCell;
use std::rc::Rc;

use failure::run::Unfolded;
use failure::{
    Action, Courses, Direction, Ended, Failure, Forced, Inputs, Part, Step, Symbolic, Trace,
    symbolic,
};
use program::graph::writes::{prints, reads};
use program::{EdgeId, FailureKind, Program, Property, SiteId, Statement, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms};

use super::missing::Statements;
use crate::flow::{Facts, Flow};
use crate::slice::{Omissions, slice_from};
use crate::what_if::Uses;

/// What runs have in common that do the same with other values.
#[derive(Debug)]
pub(super) struct Course {
    pub unfolded: Rc<Unfolded>,
    pub uses: Uses,
    pub base: Symbolic,
    /// The steps of each statement that can be changed, in order.
    pub sites: FxHashMap<SiteId, Vec<u32>>,
    /// The steps that matter: nothing else can prevent that the run ends as it does.
    pub core: Vec<bool>,
    /// The index of the path at which each print call is, by its statement.
    pub prints: FxHashMap<SiteId, Vec<usize>>,
    /// The steps of which it depends on values whether what they compute is defined.
    pub lenient: Vec<u32>,
    /// The variables of which the same is true at the end.
    pub asked: Vec<Term>,
    pub statements: Rc<Statements>,
    cells: OnceCell<Vec<(Term, (u64, u64))>>,
}

/// The courses that are known, and what is needed to know another one.
pub(super) struct Known<'p> {
    program: &'p Program,
    facts: Facts<'p>,
    unfolded: Courses,
    courses: FxHashMap<usize, Rc<Course>>,
    pub statements: Rc<Statements>,
    /// How many steps all of them have.
    pub steps: usize,
}

impl<'p> Known<'p> {
    pub fn new(program: &'p Program) -> Known<'p> {
        Known {
            program,
            facts: Facts::new(program),
            unfolded: Courses::default(),
            courses: FxHashMap::default(),
            statements: Rc::new(Statements::of(program)),
            steps: 0,
        }
    }

    pub fn courses(&mut self) -> &mut Courses {
        &mut self.unfolded
    }

    /// Forgets the courses that no run has any more.
    pub fn forget_unused(&mut self) {
        self.courses.retain(|_, course| Rc::strong_count(course) > 1);
        self.unfolded.forget_unused();
        self.steps = self.courses.values().map(|course| course.trace().steps.len()).sum();
    }

    pub fn course(&mut self, unfolded: Rc<Unfolded>, end: Ended, terms: &mut Terms) -> Rc<Course> {
        let key = Rc::as_ptr(&unfolded).addr();
        if let Some(known) = self.courses.get(&key) {
            return Rc::clone(known);
        }
        // It is kept, so no other has its address.
        let (program, statements) = (self.program, Rc::clone(&self.statements));
        let course = Course::new(program, unfolded, end, terms, &mut self.facts, statements);
        let course = Rc::new(course);
        self.steps += course.trace().steps.len();
        self.courses.insert(key, Rc::clone(&course));
        course
    }
}

impl Course {
    fn new(
        program: &Program,
        unfolded: Rc<Unfolded>,
        end: Ended,
        terms: &mut Terms,
        facts: &mut Facts<'_>,
        statements: Rc<Statements>,
    ) -> Course {
        let core = core(program, &unfolded, end, terms, facts);
        let uses = Uses::of_in(terms, &unfolded.trace, &mut facts.variables);
        let (values, initial) = (&unfolded.values, &unfolded.inputs.initial);
        let variables = uses.variables().chain(unfolded.trace.cells.keys().copied());
        let set = Vec::new();
        let base = symbolic::concrete(terms, &unfolded.trace, values, initial, set, variables);
        let (sites, prints) = (FxHashMap::default(), FxHashMap::default());
        let (lenient, asked) = (unfolded.lenient(terms), unfolded.asked(terms));
        let cells = OnceCell::new();
        let mut course =
            Course { unfolded, uses, base, sites, core, prints, lenient, asked, statements, cells };
        course.find_sites(program, end);
        course
    }

    pub fn trace(&self) -> &Trace {
        &self.unfolded.trace
    }

    /// Whether a variable is a cell of an object, and no note.
    pub fn is_cell(&self, variable: Term) -> bool {
        let object = self.trace().cells.get(&variable);
        object.is_some_and(|&object| !self.trace().objects[object as usize].notes)
    }

    /// The indices of the path at which something is printed that is compared, and that at which the run fails.
    pub fn compared(&self) -> FxHashSet<usize> {
        let trace = self.trace();
        let steps = trace.printed.iter().map(|&step| trace.steps[step].at as usize);
        steps.chain(trace.path.len().checked_sub(1)).collect()
    }

    /// The cells of objects, and where they are.
    pub fn cells(&self) -> &[(Term, (u64, u64))] {
        self.cells.get_or_init(|| {
            let objects = self.trace().objects.iter().filter(|object| !object.notes);
            let cells = objects.flat_map(|object| {
                object.cells.iter().map(|cell| {
                    let begin = object.address.wrapping_add(cell.offset);
                    (cell.variable, (begin, begin.wrapping_add(cell.size)))
                })
            });
            cells.collect()
        })
    }

    /// The index of the path at which a statement that can be changed is executed for the last time.
    pub fn last(&self, site: SiteId) -> Option<usize> {
        let last = self.sites.get(&site).and_then(|steps| steps.last());
        let last = last.map(|&step| self.trace().steps[step as usize].at as usize);
        last.max(self.prints.get(&site).and_then(|places| places.last().copied()))
    }

    fn find_sites(&mut self, program: &Program, end: Ended) {
        let unfolded = Rc::clone(&self.unfolded);
        let trace = &unfolded.trace;
        for (at, step) in trace.steps.iter().enumerate() {
            if program.site(step.site).trust != Trust::User {
                continue;
            }
            let changeable = match &step.action {
                Action::Assume { .. } => self.free_edges(program, at).is_some(),
                _ => {
                    step.is_assignment()
                        && unfolded.numbers[at].is_some()
                        && !(self.is_pointer(program, at)
                            && is_given_to_library(program, trace, step))
                }
            };
            if changeable {
                let site = self.site(program, at);
                self.sites.entry(site).or_default().push(at as u32);
            }
        }
        for &step in &trace.printed {
            let (at, site) = (trace.steps[step].at as usize, trace.steps[step].site);
            self.prints.entry(site).or_default().push(at);
        }
        if let Ended::Failed { kind: FailureKind::WrongOutput, .. } = end
            && let Some(last) = trace.steps.last()
            && self.is_external(program, last.at as usize)
        {
            self.prints.entry(last.site).or_default().push(last.at as usize);
        }
        for (&site, places) in &mut self.prints {
            places.sort_unstable();
            places.dedup();
            if program.site(site).trust == Trust::User {
                self.sites.entry(site).or_default();
            }
        }
    }

    /// What is set, which no step of the trace does.
    pub fn set(&self, forced: &[Forced], terms: &mut Terms) -> Vec<symbolic::Set> {
        let mut set = Vec::new();
        for forced in forced {
            for (step, variable, value) in self.set_at(forced, terms) {
                let (step, value) = (step as u32, terms.constant(&value));
                set.push(symbolic::Set { step, variable, value });
            }
        }
        set
    }

    fn is_external(&self, program: &Program, at: usize) -> bool {
        self.trace().path.get(at).is_some_and(|&edge| {
            matches!(
                program.edge(edge).statement,
                Statement::External { .. } | Statement::CallPointer { .. }
            )
        })
    }

    /// The edge of a decision, and the others that could have been taken; none if it is none that a
    /// change of the statement could make otherwise.
    pub fn free_edges(&self, program: &Program, step: usize) -> Option<(EdgeId, Vec<EdgeId>)> {
        let &taken = self.trace().path.get(self.trace().steps[step].at as usize)?;
        let edge = program.edge(taken);
        if !matches!(edge.statement, Statement::Assume { .. }) {
            return None;
        }
        let others: Vec<EdgeId> =
            program.out_edges(edge.from).map(|(id, _)| id).filter(|&id| id != taken).collect();
        let fails = |&id: &EdgeId| program.edge(id).to == Program::ERROR;
        let plain = edge.to != Program::ERROR && !others.is_empty() && !others.iter().any(fails);
        plain.then_some((taken, others))
    }

    /// The statement of a step that can be changed.
    pub fn site(&self, program: &Program, step: usize) -> SiteId {
        match self.free_edges(program, step) {
            Some((taken, _)) => program.decider(taken),
            None => self.trace().steps[step].site,
        }
    }

    /// Whether a step assigns a pointer.
    pub fn is_pointer(&self, program: &Program, step: usize) -> bool {
        self.unfolded.is_pointer(program, step)
    }

    /// Whether a condition leads somewhere else if it does not hold, and not to a failure.
    pub fn decides(&self, program: &Program, step: usize) -> bool {
        if step + 1 == self.trace().steps.len() {
            return true;
        }
        if self.trace().printed.contains(&step) {
            return self.trace().loose.contains(&step);
        }
        let Some(&taken) = self.trace().path.get(self.trace().steps[step].at as usize) else {
            return true;
        };
        let edge = program.edge(taken);
        match edge.statement {
            Statement::Assume { .. } => program
                .out_edges(edge.from)
                .any(|(id, other)| id != taken && other.to != Program::ERROR),
            // The target of a call.
            Statement::CallPointer { .. } => true,
            // An access within its object, the argument of free.
            _ => false,
        }
    }
}

/// Whether a step passes an argument to a function of the library.
fn is_given_to_library(program: &Program, trace: &Trace, step: &Step) -> bool {
    let edge = trace.path.get(step.at as usize).map(|&edge| &program.edge(edge).statement);
    match (step.part, edge) {
        (Part::Argument(_), Some(Statement::Call { callee, .. })) => {
            let entry = program.procedure(*callee).entry;
            let mut sites = program.out_edges(entry).map(|(_, edge)| program.site(edge.site));
            sites.any(|site| site.trust == Trust::Trusted)
        }
        _ => false,
    }
}

/// The steps on which it depends how a run ends: what its end depends on, as far as it is known from the
/// program what other ways might do. If it does not end, that may be anything.
fn core(
    program: &Program,
    unfolded: &Unfolded,
    end: Ended,
    terms: &mut Terms,
    facts: &mut Facts<'_>,
) -> Vec<bool> {
    let trace = &unfolded.trace;
    let Ended::Failed { kind, .. } = end else { return vec![true; trace.steps.len()] };
    let mut own = trace.clone();
    own.terms = std::mem::take(terms);
    let property = Property { kind, message: String::new() };
    let (inputs, values, calls) = (Inputs::default(), Vec::new(), Vec::new());
    let about = Vec::new();
    let mut failure =
        Failure { program, trace: own, inputs, values, property, calls, about, run: None };
    let included = {
        let flow = Flow::with(&failure, facts);
        let mut roots = outside(&flow, kind);
        roots.extend(assigned_last(&failure.trace, &unfolded.asked));
        loop {
            let included = slice_from(&flow, Omissions::Followed, &roots);
            let more = elsewhere(&failure.trace, &included);
            if more.is_empty() {
                break included;
            }
            roots.extend(more);
        }
    };
    *terms = std::mem::take(&mut failure.trace.terms);
    included
}

/// The steps that have assigned what some terms read at the end.
fn assigned_last(trace: &Trace, read: &[Term]) -> Vec<usize> {
    let mut variables: FxHashSet<Term> = trace.terms.variables_of(read).into_iter().collect();
    let is_last = |(_, step): &(usize, &Step)| {
        step.action.place().is_some_and(|place| variables.remove(&place.variable))
    };
    trace.steps.iter().enumerate().rev().filter(is_last).map(|(at, _)| at).collect()
}

/// Steps that wrote elsewhere to an object of which something is read that matters: with another index, it would have been there.
fn elsewhere(trace: &Trace, included: &[bool]) -> Vec<usize> {
    // Where each object is read last.
    let mut read: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, step) in trace.steps.iter().enumerate().filter(|(at, _)| included[*at]) {
        if let Action::Assign { value, .. } = &step.action {
            read.extend(trace.cells.get(value).map(|&object| (object, at)));
        }
        if let Some(access) = step.access.as_ref().filter(|a| a.direction == Direction::Read) {
            read.insert(access.object, at);
            read.extend(access.note.map(|note| (note.object, at)));
        }
    }
    let is_other = |(at, step): &(usize, &Step)| {
        let access = step.access.as_ref().filter(|a| a.direction == Direction::Write);
        let last = access.and_then(|access| read.get(&access.object));
        !included[*at] && last.is_some_and(|last| last > at)
    };
    trace.steps.iter().enumerate().filter(is_other).map(|(at, _)| at).collect()
}

/// The decisions that matter because of what they do to the world: whether the program ends, what it has read,
/// and, if that is what is wrong, what it has printed.
fn outside(flow: &Flow<'_>, kind: FailureKind) -> Vec<usize> {
    let (program, trace) = (flow.failure.program, &flow.failure.trace);
    let output = kind == FailureKind::WrongOutput;
    let mut found = Vec::new();
    for (at, step) in trace.steps.iter().enumerate() {
        // What was read is not defined, although it could be.
        let note = step.access.as_ref().and_then(|access| access.note);
        if kind == FailureKind::Uninitialised && note.is_some_and(|note| !note.defined) {
            found.push(at);
        }
        // What is printed next would be compared with something else.
        if output && trace.loose.contains(&at) {
            found.push(at);
        }
        let omits = flow.is_decision(at)
            && flow.omitted(at).is_some_and(|o| o.ends || o.reads || o.prints && output);
        if omits {
            found.push(at);
        }
        let external = trace.path.get(step.at as usize).and_then(|&edge| {
            match &program.edge(edge).statement {
                Statement::External { function, .. } => program.externals.get(function.index()),
                _ => None,
            }
        });
        if external.is_some_and(|e| reads(&e.name) || output && prints(&e.name)) {
            found.extend(flow.guard(at));
        }
    }
    found
}
