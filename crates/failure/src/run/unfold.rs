//! From the record of a run to its trace.

use program::process::{Detail, Event, Outcome, Process, Scalar};
use program::{EdgeId, FailureKind, Memory, Place, ProcedureId, Program, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms, Value};

use super::cut::Layout;
use super::external::assumes;
use super::left_out::LeftOut;
use super::scope::{Copies, Epoch};
use super::{Choice, InputMode};
use crate::cells::value_of_bits;
use crate::trace::{Access, Action, Direction, Frame, Part, Step};

pub(super) struct Unfold<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub layout: Layout,
    pub mode: InputMode,
    pub steps: Vec<Step>,
    /// For each step, what it assigned, and the number of that among all values of the record.
    pub assigned: Vec<Option<Value>>,
    pub numbers: Vec<Option<u32>>,
    pub path: Vec<EdgeId>,
    /// The values of havocs, in order.
    pub havocs: Vec<Value>,
    pub stack: Vec<Activation>,
    /// The objects that are there at the end, in the order in which they were first seen.
    pub live: Vec<u32>,
    /// What the status at the end should have been.
    pub expected_status: Option<i32>,
    /// The conditions that only say that something is as in the run.
    pub pinned: Vec<usize>,
    /// Those among the pinned ones that are about steps that are left out.
    pub pinned_outside: Vec<usize>,
    /// The values of variables now, where they are not the initial ones.
    pub now: FxHashMap<Term, Value>,
    /// The size of an object that was made with a size that depends on variables.
    pub sizes: FxHashMap<u32, Term>,
    /// The step that freed an object.
    pub freed: FxHashMap<u32, usize>,
    /// What the failure is about, where no condition says so.
    pub involved: Vec<Term>,
    /// The step that ended the life of the object that is missed.
    pub ended: Option<usize>,
    pub copies: Copies,
    /// Terms with addresses in them as seen in an epoch of an activation.
    pub copied: FxHashMap<(Epoch, Term), Term>,
    /// Variables of an activation that hold the address of its object.
    pub addresses: FxHashMap<(u32, Term), u64>,
    pub activations: u32,
    pub epochs: u32,
    pub values: u32,
    pub fresh: u32,
    /// The variables that some statement of the program reads.
    pub used: FxHashSet<Term>,
    pub choices: Vec<Choice>,
    /// The functions that give values which the program leaves open.
    pub open: FxHashSet<String>,
    /// How many inputs the program has asked for; the one it is asking for, and how much of it is known.
    pub asks: u32,
    pub asking: Option<(u32, u32)>,
    /// The process where the record begins.
    pub start: &'a Process<'a>,
    /// Of a long run, what is left out.
    pub left_out: Option<LeftOut<'a>>,
    /// From this step on, nothing is.
    pub whole_from: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Activation {
    pub number: u32,
    /// Changes with the addresses that its variables stand for.
    pub epoch: u32,
    pub procedure: ProcedureId,
    pub call: Option<EdgeId>,
}

impl<'a> Unfold<'a> {
    pub(super) fn new(
        program: &'a Program,
        terms: Terms,
        layout: Layout,
        start: &'a Process<'a>,
        mode: InputMode,
    ) -> Unfold<'a> {
        let mut stack = Vec::new();
        for (number, (procedure, call)) in start.activations().into_iter().enumerate() {
            let number = number as u32;
            stack.push(Activation { number, epoch: number, procedure, call });
        }
        let open = stack.len() as u32;
        // The variables of the first activation are the program's.
        let first = stack.first().map(|activation| program.procedure(activation.procedure));
        let own = first.into_iter().flat_map(|procedure| procedure.variables());
        let mut copies = Copies::default();
        copies.origins.extend(own.map(|variable| (variable, (0, variable))));
        Unfold {
            program,
            terms,
            layout,
            mode,
            steps: Vec::new(),
            assigned: Vec::new(),
            numbers: Vec::new(),
            path: Vec::new(),
            havocs: Vec::new(),
            stack,
            live: Vec::new(),
            expected_status: None,
            pinned: Vec::new(),
            pinned_outside: Vec::new(),
            now: FxHashMap::default(),
            sizes: FxHashMap::default(),
            freed: FxHashMap::default(),
            involved: Vec::new(),
            ended: None,
            copies,
            copied: FxHashMap::default(),
            addresses: FxHashMap::default(),
            activations: open,
            epochs: open,
            values: 0,
            fresh: 0,
            used: used(program),
            choices: Vec::new(),
            open: FxHashSet::default(),
            asks: 0,
            asking: None,
            start,
            left_out: None,
            whole_from: 0,
        }
    }

    /// The values that variables have where they begin, if that is before the record does.
    pub(super) fn opening_values(&self) -> Vec<(Term, Value)> {
        // Later ones begin in the record.
        let open = self.start.activations().len() as u32;
        let copies = self.copies.origins.iter();
        let early = copies.filter(|(_, origin)| origin.0 < open || self.left_out.is_some());
        let variables = early.map(|(copy, _)| copy).chain(&self.program.globals);
        variables.filter_map(|&v| self.opening(v).map(|value| (v, value))).collect()
    }

    fn opening(&self, copy: Term) -> Option<Value> {
        let bits = self.bits_of(copy);
        let first = |(activation, variable): (u32, Term)| {
            self.start.value(activation as usize, variable, bits).map(|scalar| scalar.bits)
        };
        let bits = match self.copies.origins.get(&copy) {
            Some(&origin) => {
                let left_out = self.left_out.as_ref();
                let later = left_out.and_then(|left_out| left_out.opening(copy, origin, bits));
                later.or_else(|| first(origin))
            }
            None => first((0, copy)),
        };
        value_of_bits(self.terms.sort(copy), bits?)
    }

    /// What a variable begins with, unless it is zero.
    pub(super) fn first(&self, variable: Term) -> Option<Value> {
        let cell = self.layout.initial.get(&variable).cloned();
        cell.or_else(|| self.opening(variable))
    }

    /// Unfolds all events; the last edge is the one that failed.
    pub(super) fn events(&mut self, events: impl Iterator<Item = Event>, outcome: &Outcome) {
        let mut current: Option<EdgeId> = None;
        let mut happened: Vec<Event> = Vec::new();
        for event in events {
            if let Event::Step(edge) = event {
                if let Some(done) = current.replace(edge) {
                    self.kept_or_not(done, &happened);
                }
                happened.clear();
            } else {
                happened.push(event);
            }
        }
        let Some(last) = current else { return };
        match outcome {
            // A decision about a value that was never set: what led to it has happened.
            Outcome::Failed { edge, fault }
                if *edge != last
                    && fault.kind == FailureKind::Uninitialised
                    && matches!(fault.detail, Detail::None) =>
            {
                self.edge(last, &happened);
                self.path.push(*edge);
                if let Statement::Assume { condition } = self.program.edge(*edge).statement {
                    let condition = self.copy(condition);
                    self.involved.push(condition);
                }
                self.condition_true(*edge);
            }
            Outcome::Failed { fault, .. } => {
                self.fail(last, &happened, fault);
            }
            _ => {
                self.path.push(last);
                let statement = &self.program.edge(last).statement;
                if let Statement::External { function, arguments, .. } = statement
                    && self
                        .program
                        .externals
                        .get(function.index())
                        .is_some_and(|f| assumes(&f.name))
                {
                    self.assumed(last, arguments, false);
                }
                self.condition_true(last);
            }
        }
    }

    fn kept_or_not(&mut self, edge: EdgeId, events: &[Event]) {
        let number = self.path.len();
        let kept = self.left_out.as_ref().map(|left_out| left_out.kept);
        if kept.is_some_and(|kept| kept.whole_from() == number) {
            self.begin_end();
        }
        match kept.is_none_or(|kept| kept.contains(number)) {
            true => self.edge(edge, events),
            false => self.skip(edge, events),
        }
    }

    fn edge(&mut self, id: EdgeId, events: &[Event]) {
        self.path.push(id);
        let program = self.program;
        let edge = program.edge(id);
        let mut values = Values { events: events.iter() };
        match &edge.statement {
            Statement::Assume { condition } => {
                let condition = self.copy(*condition);
                self.condition(id, condition);
            }
            Statement::Assign { place, value } => {
                let value = self.copy(*value);
                if let Some(scalar) = self.next(&mut values) {
                    let part = self.part(place.variable);
                    let target = self.copy(place.variable);
                    self.assign(edge.site, part, target, value, Some(scalar));
                }
            }
            Statement::Havoc { place } => {
                if let Some(scalar) = self.next(&mut values) {
                    let target = self.copy(place.variable);
                    self.input(edge.site, target, scalar);
                }
            }
            Statement::Call { callee, arguments, .. } => {
                self.enter(id, *callee, arguments, &mut values);
            }
            Statement::CallPointer { pointer, arguments, .. } => {
                let callee = events.iter().find_map(|event| match event {
                    Event::Procedure(procedure) => Some(*procedure),
                    _ => None,
                });
                match callee {
                    Some(callee) => {
                        self.stays(id, *pointer, program::Target::Procedure(callee).address());
                        self.enter(id, callee, arguments, &mut values);
                    }
                    None => self.external(id, "", arguments, edge.statement.targets(), events),
                }
            }
            Statement::Return => self.leave(&mut values),
            Statement::External { function, arguments, results } => {
                let name = program.externals.get(function.index()).map_or("", |e| &e.name);
                self.external(id, name, arguments, results, events);
            }
            Statement::Memory(memory) => self.memory(id, memory, events),
        }
    }

    /// Takes the next value of an edge's events.
    pub(super) fn next(&mut self, values: &mut Values<'_>) -> Option<(Scalar, u32)> {
        let value = values.next()?;
        self.values += 1;
        Some((value, self.values - 1))
    }

    pub(super) fn frame(&self) -> Frame {
        Frame {
            activation: self.stack.last().map_or(0, |top| top.number),
            depth: self.stack.len().saturating_sub(1) as u32,
        }
    }

    pub(super) fn push(&mut self, step: Step, value: Option<(Value, Option<u32>)>) {
        let (value, number) = match (value, &step.action) {
            (Some((value, number)), _) => (Some(value), number),
            (None, Action::Assign { value, .. }) => (self.value(*value), None),
            (None, _) => (None, None),
        };
        if let (Some(value), Some(place)) = (&value, step.action.place()) {
            self.now.insert(place.variable, value.clone());
            self.remember(place.variable);
        }
        self.steps.push(step);
        self.assigned.push(value);
        self.numbers.push(number);
    }

    /// The value of a term now.
    pub(super) fn value(&self, term: Term) -> Option<Value> {
        term::evaluate(&self.terms, term, &mut |variable| {
            let known = self.now.get(&variable).cloned().or_else(|| self.first(variable));
            Some(known.unwrap_or_else(|| Value::zero(self.terms.sort(variable))))
        })
    }

    pub(super) fn step(&self, site: SiteId, part: Part, action: Action) -> Step {
        Step::plain(self.path.len().saturating_sub(1) as u32, site, self.frame(), part, action)
    }

    pub(super) fn condition(&mut self, edge: EdgeId, condition: Term) {
        self.condition_at(self.program.edge(edge).site, condition);
    }

    pub(super) fn condition_at(&mut self, site: SiteId, condition: Term) {
        let step = self.step(site, Part::Whole, Action::Assume { condition });
        self.push(step, None);
    }

    pub(super) fn condition_true(&mut self, edge: EdgeId) {
        let anything = self.terms.bool(true);
        self.condition(edge, anything);
    }

    pub(super) fn assign(
        &mut self,
        site: SiteId,
        part: Part,
        target: Term,
        value: Term,
        assigned: Option<(Scalar, u32)>,
    ) {
        let sort = self.terms.sort(target).clone();
        let known = assigned.and_then(|(scalar, number)| {
            value_of_bits(&sort, scalar.bits).map(|value| (value, Some(number)))
        });
        let action = Action::Assign { place: Place::variable(target), value };
        let step = self.step(site, part, action);
        self.push(step, known);
    }

    pub(super) fn temporary(&mut self, name: &str, sort: &Sort) -> Term {
        self.fresh += 1;
        self.terms.fresh(&format!("{name}{}", self.fresh), sort)
    }

    /// That an area lies in an object.
    pub(super) fn within(&mut self, address: Term, size: Term, number: u32) -> Term {
        let object = &self.layout.objects[number as usize];
        let (base, bytes) = (object.address, object.size);
        let base = self.terms.constant(&Value::bitvec(64, u128::from(base)));
        let offset = self.terms.sub(address, base);
        let total = match self.sizes.get(&number).copied() {
            Some(total) => total,
            None => self.terms.constant(&Value::bitvec(64, u128::from(bytes))),
        };
        let fits = self.at_most(size, total);
        let last = self.terms.sub(total, size);
        let inside = self.at_most(offset, last);
        self.terms.and(&[fits, inside])
    }

    pub(super) fn at_most(&mut self, a: Term, b: Term) -> Term {
        let above = self.terms.bv_ult(b, a);
        self.terms.not(above)
    }

    fn memory(&mut self, id: EdgeId, memory: &Memory, events: &[Event]) {
        let mut accesses = events.iter().filter_map(|event| match event {
            Event::Access { address, size } => Some((*address, *size)),
            _ => None,
        });
        let mut values = Values { events: events.iter() };
        match memory {
            Memory::Load { target, address } => {
                let term = self.copy(*address);
                let assigned = self.next(&mut values);
                if let (Some((at, size)), Some(assigned)) = (accesses.next(), assigned) {
                    self.load(id, *target, term, at, size, assigned);
                }
            }
            Memory::Store { address, value } => {
                let (term, value) = (self.copy(*address), self.copy(*value));
                let assigned = self.next(&mut values);
                if let (Some((at, size)), Some(assigned)) = (accesses.next(), assigned) {
                    self.store(id, term, value, at, size, assigned);
                }
            }
            Memory::Initialise { value, .. } => {
                let value = self.copy(*value);
                let assigned = self.next(&mut values);
                if let (Some((at, size)), Some(assigned)) = (accesses.next(), assigned) {
                    let address = self.word(at);
                    self.store(id, address, value, at, size, assigned);
                }
            }
            Memory::Alloc { target, size, .. } => {
                let Some((scalar, _)) = self.next(&mut values) else { return };
                let size = self.copy(*size);
                if self.terms.value(size).is_none()
                    && let Some(number) = self.layout.number(scalar.bits as u64)
                {
                    let size = self.frozen(size);
                    self.sizes.insert(number, size);
                }
                self.bind_address(*target, scalar.bits as u64);
            }
            Memory::Mark { target } => {
                if let Some((scalar, _)) = self.next(&mut values) {
                    self.bind_address(*target, scalar.bits as u64);
                }
            }
            Memory::Release { .. } => {}
            Memory::Copy { to, from, size } => {
                let terms = [*to, *from, *size].map(|term| self.copy(term));
                if let (Some(source), Some(target)) = (accesses.next(), accesses.next()) {
                    self.copy_bytes(id, terms, source, target);
                }
            }
            Memory::Fill { to, byte, size } => {
                let terms = [*to, *byte, *size].map(|term| self.copy(term));
                if let Some(target) = accesses.next() {
                    self.fill_bytes(id, terms, target);
                }
            }
        }
    }

    pub(super) fn bits_of(&self, variable: Term) -> u32 {
        self.terms.sort(variable).bits()
    }

    pub(super) fn access(
        &self,
        term: Term,
        number: u32,
        direction: Direction,
    ) -> Option<Box<Access>> {
        let access = Access { object: number, address: term, direction };
        self.terms.value(term).is_none().then(|| Box::new(access))
    }
}

/// The variables that some statement of the program reads.
fn used(program: &Program) -> FxHashSet<Term> {
    let read: Vec<Term> = program.edges.iter().flat_map(|e| e.statement.operands()).collect();
    let used = program.terms.variables_of(&read).into_iter();
    let results = program.procedures.iter().flat_map(|p| p.results.iter().copied());
    used.chain(results).collect()
}

/// The values among the events of an edge.
pub(super) struct Values<'e> {
    pub events: std::slice::Iter<'e, Event>,
}

impl Values<'_> {
    pub(super) fn next(&mut self) -> Option<Scalar> {
        self.events.find_map(|event| match event {
            Event::Value(value) => Some(*value),
            _ => None,
        })
    }
}
