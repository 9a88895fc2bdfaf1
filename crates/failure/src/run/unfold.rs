//! From the record of a run to its trace.

use program::process::{Effect, Event, Nature, Outcome, Process, Scalar};
use program::{
    EdgeId, Memory, Place, ProcedureId, Program, Scope, SiteId, Statement, Variable, VariableRole,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms, Value};

use super::cut::Layout;
use super::{Choice, InputMode};
use crate::cells::value_of_bits;
use crate::trace::{Access, Action, Direction, Part, Step};

/// A step with what happened in it.
pub(super) struct Happened {
    pub step: Step,
    /// What an assigning step assigned.
    pub value: Option<Value>,
    /// The number of the value among all values of the record.
    pub number: Option<u32>,
}

pub(super) struct Unfold<'a> {
    pub program: &'a Program,
    pub terms: Terms,
    pub layout: Layout,
    pub mode: InputMode,
    pub happened: Vec<Happened>,
    pub path: Vec<EdgeId>,
    /// The values of havocs, in order.
    pub havocs: Vec<Value>,
    pub origins: FxHashMap<Term, (u32, Term)>,
    pub stack: Vec<Activation>,
    /// The objects that are there at the end, in the order in which they were first seen.
    pub live: Vec<u32>,
    /// What the status at the end should have been.
    pub expected_status: Option<i32>,
    /// The conditions that only say that something is as in the run.
    pub pinned: Vec<usize>,
    /// The values of variables now, where they are not the initial ones.
    now: FxHashMap<Term, Value>,
    /// The size of an object that was made with a size that depends on variables.
    sizes: FxHashMap<u32, Term>,
    /// Terms of the program as seen in an activation.
    copies: FxHashMap<(u32, Term), Term>,
    /// Variables of an activation that hold the address of its object.
    addresses: FxHashMap<(u32, Term), Term>,
    activations: u32,
    epochs: u32,
    values: u32,
    fresh: u32,
    /// The variables that some statement of the program reads.
    used: FxHashSet<Term>,
    pub choices: Vec<Choice>,
    /// How many inputs the program has asked for; the one it is asking for, and how much of it is known.
    asks: u32,
    asking: Option<(u32, u32)>,
}

/// Whether a function ends executions that are of no interest.
fn assumes(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "klee_assume")
}

/// Whether a function gives a nondeterministic value, by the conventions of verifiers.
fn asks(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || matches!(name, "klee_make_symbolic" | "klee_int" | "klee_range")
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Activation {
    number: u32,
    /// Changes with the addresses that its variables stand for.
    epoch: u32,
    pub procedure: ProcedureId,
    pub call: Option<EdgeId>,
}

impl<'a> Unfold<'a> {
    pub(super) fn new(
        program: &'a Program,
        terms: Terms,
        layout: Layout,
        start: &Process<'_>,
        mode: InputMode,
    ) -> Unfold<'a> {
        let mut stack = Vec::new();
        for (number, (procedure, call)) in start.activations().into_iter().enumerate() {
            let number = number as u32;
            stack.push(Activation { number, epoch: number, procedure, call });
        }
        let open = stack.len() as u32;
        let read: Vec<Term> = program.edges.iter().flat_map(|e| e.statement.operands()).collect();
        let used = program.terms.variables_of(&read).into_iter();
        let results = program.procedures.iter().flat_map(|p| p.results.iter().copied());
        let used = used.chain(results).collect();
        let mut origins = FxHashMap::default();
        for procedure in &program.procedures {
            origins.extend(procedure.variables().map(|v| (v, (0, v))));
        }
        Unfold {
            program,
            terms,
            layout,
            mode,
            happened: Vec::new(),
            path: Vec::new(),
            havocs: Vec::new(),
            origins,
            stack,
            live: Vec::new(),
            expected_status: None,
            pinned: Vec::new(),
            now: FxHashMap::default(),
            sizes: FxHashMap::default(),
            copies: FxHashMap::default(),
            addresses: FxHashMap::default(),
            activations: open,
            epochs: open,
            values: 0,
            fresh: 0,
            used,
            choices: Vec::new(),
            asks: 0,
            asking: None,
        }
    }

    /// The values that variables of activations from before have where the record begins.
    pub(super) fn opening_values(&self, start: &Process<'_>) -> Vec<(Term, Value)> {
        let mut values = Vec::new();
        let count = start.activations().len() as u32;
        for (&copy, &(activation, variable)) in &self.origins {
            if activation < count
                && let Some(scalar) =
                    start.value(activation as usize, variable, self.bits_of(variable))
                && let Some(value) = value_of_bits(self.terms.sort(copy), scalar.bits)
            {
                values.push((copy, value));
            }
        }
        for &global in &self.program.globals {
            if let Some(scalar) = start.value(0, global, self.bits_of(global))
                && let Some(value) = value_of_bits(self.terms.sort(global), scalar.bits)
            {
                values.push((global, value));
            }
        }
        values
    }

    /// Unfolds all events; the last edge is the one that failed.
    pub(super) fn events(&mut self, events: impl Iterator<Item = Event>, outcome: &Outcome) {
        let mut current: Option<EdgeId> = None;
        let mut happened: Vec<Event> = Vec::new();
        for event in events {
            if let Event::Step(edge) = event {
                if let Some(done) = current.replace(edge) {
                    self.edge(done, &happened);
                }
                happened.clear();
            } else {
                happened.push(event);
            }
        }
        let Some(last) = current else { return };
        match outcome {
            Outcome::Failed { fault, .. } => self.fail(last, &happened, fault),
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

    /// That what the program assumes is so, or is not.
    fn assumed(&mut self, edge: EdgeId, arguments: &[Term], holds: bool) {
        let Some(&argument) = arguments.first() else { return };
        let argument = self.copy(argument);
        let sort = self.terms.sort(argument).clone();
        let zero = self.terms.constant(&Value::zero(&sort));
        let fails = self.terms.eq(argument, zero);
        let condition = if holds { self.terms.not(fails) } else { fails };
        self.condition(edge, condition);
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
    fn next(&mut self, values: &mut Values<'_>) -> Option<(Scalar, u32)> {
        let value = values.next()?;
        self.values += 1;
        Some((value, self.values - 1))
    }

    fn part(&self, variable: Term) -> Part {
        let declared = self.program.variables.get(&variable);
        let returned = self.stack.last().is_some_and(|activation| {
            self.program.procedure(activation.procedure).results.contains(&variable)
        });
        match declared.map(|v| v.role) {
            Some(VariableRole::Temporary) if !returned => Part::Temporary,
            _ => Part::Whole,
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.stack.len().saturating_sub(1) as u32
    }

    pub(super) fn push(&mut self, step: Step, value: Option<(Value, Option<u32>)>) {
        let (value, number) = match (value, &step.action) {
            (Some((value, number)), _) => (Some(value), number),
            (None, Action::Assign { value, .. }) => (self.value(*value), None),
            (None, _) => (None, None),
        };
        if let (Some(value), Some(place)) = (&value, step.action.place()) {
            self.now.insert(place.variable, value.clone());
        }
        self.happened.push(Happened { step, value, number });
    }

    /// The value of a term now.
    fn value(&self, term: Term) -> Option<Value> {
        term::evaluate(&self.terms, term, &mut |variable| {
            let known = self.now.get(&variable).or_else(|| self.layout.initial.get(&variable));
            Some(known.cloned().unwrap_or_else(|| Value::zero(self.terms.sort(variable))))
        })
    }

    pub(super) fn step(&self, site: SiteId, part: Part, action: Action) -> Step {
        Step::plain(self.path.len().saturating_sub(1) as u32, site, self.depth(), part, action)
    }

    pub(super) fn condition(&mut self, edge: EdgeId, condition: Term) {
        self.condition_at(self.program.edge(edge).site, condition);
    }

    pub(super) fn condition_at(&mut self, site: SiteId, condition: Term) {
        let step = self.step(site, Part::Whole, Action::Assume { condition });
        self.push(step, None);
    }

    fn condition_true(&mut self, edge: EdgeId) {
        let anything = self.terms.bool(true);
        self.condition(edge, anything);
    }

    fn assign(
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

    /// A value from outside.
    fn input(&mut self, site: SiteId, target: Term, (scalar, number): (Scalar, u32)) {
        let sort = self.terms.sort(target).clone();
        let Some(value) = value_of_bits(&sort, scalar.bits) else { return };
        self.given(site, target, value, Some(number));
    }

    fn given(&mut self, site: SiteId, target: Term, value: Value, number: Option<u32>) {
        let place = Place::variable(target);
        let size = u32::from(self.bits_of(target) > 0) * self.bits_of(target).div_ceil(8);
        let asked = self.asking.as_mut().map(|(ask, offset)| {
            *offset += size;
            (*ask, *offset - size)
        });
        let mode = match (self.mode, asked) {
            (InputMode::Asked, None) => InputMode::Fixed,
            (mode, _) => mode,
        };
        let (action, part) = match mode {
            InputMode::Fixed => {
                let constant = self.terms.constant(&value);
                (Action::Assign { place, value: constant }, Part::Input)
            }
            InputMode::Free | InputMode::Asked => {
                if let Some((ask, offset)) = asked {
                    let havoc = self.havocs.len();
                    self.choices.push(Choice { havoc, ask, offset, size });
                }
                self.havocs.push(value.clone());
                (Action::Havoc { place }, Part::Whole)
            }
        };
        let step = self.step(site, part, action);
        self.push(step, Some((value, number)));
    }

    fn enter(
        &mut self,
        call: EdgeId,
        callee: ProcedureId,
        arguments: &[Term],
        values: &mut Values<'_>,
    ) {
        let program = self.program;
        let site = program.edge(call).site;
        let number = self.activations;
        self.activations += 1;
        let epoch = self.new_epoch();
        let inside = Activation { number, epoch, procedure: callee, call: Some(call) };
        let parameters = &program.procedure(callee).parameters;
        let mut bindings = Vec::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            let Some(assigned) = self.next(values) else { break };
            let argument = match arguments.get(index) {
                Some(&argument) => self.copy(argument),
                None => self.constant_of(parameter, assigned.0),
            };
            bindings.push((index, parameter, argument, assigned));
        }
        let depth = self.depth();
        self.stack.push(inside);
        for (index, parameter, argument, assigned) in bindings {
            let target = self.copy(parameter);
            let wanted = self.terms.sort(target).clone();
            let argument = self.converted(argument, &wanted);
            let part = Part::Argument(index as u32);
            let own = program.argument_sites.get(&site).and_then(|sites| sites.get(index));
            self.assign(own.copied().unwrap_or(site), part, target, argument, Some(assigned));
            if let Some(last) = self.happened.last_mut() {
                last.step.depth = depth;
            }
        }
    }

    fn leave(&mut self, values: &mut Values<'_>) {
        let program = self.program;
        let Some(activation) = self.stack.last().copied() else { return };
        let Some(call) = activation.call else { return };
        let returned: Vec<Term> = program.procedure(activation.procedure).results.clone();
        let mut bindings = Vec::new();
        let targets = program.edge(call).statement.targets();
        for (index, &target) in targets.iter().enumerate() {
            let Some(assigned) = self.next(values) else { break };
            let value = match returned.get(index) {
                Some(&result) => self.copy(result),
                None => self.constant_of(target, assigned.0),
            };
            bindings.push((index, target, value, assigned));
        }
        self.stack.pop();
        for (index, target, value, assigned) in bindings {
            let part = match self.part(target) {
                Part::Temporary => Part::Temporary,
                _ => Part::Result(index as u32),
            };
            let target = self.copy(target);
            let wanted = self.terms.sort(target).clone();
            let value = self.converted(value, &wanted);
            self.assign(program.edge(call).site, part, target, value, Some(assigned));
        }
    }

    fn constant_of(&mut self, variable: Term, scalar: Scalar) -> Term {
        let sort = self.terms.sort(variable).clone();
        let value = value_of_bits(&sort, scalar.bits).unwrap_or_else(|| Value::zero(&sort));
        self.terms.constant(&value)
    }

    /// A condition that an address is the one of the run.
    fn stays(&mut self, edge: EdgeId, pointer: Term, address: u64) {
        let pointer = self.copy(pointer);
        let address = self.terms.constant(&Value::bitvec(64, u128::from(address)));
        let condition = self.terms.eq(pointer, address);
        if !self.terms.is_true(condition) {
            self.condition(edge, condition);
        }
    }

    fn external(
        &mut self,
        edge: EdgeId,
        name: &str,
        arguments: &[Term],
        results: &[Term],
        events: &[Event],
    ) {
        let site = self.program.edge(edge).site;
        if assumes(name) {
            self.assumed(edge, arguments, true);
        }
        if asks(name) {
            self.asking = Some((self.asks, 0));
            self.asks += 1;
        }
        let nature = events.iter().find_map(|event| match event {
            Event::Nature(nature) => Some(*nature),
            _ => None,
        });
        let same = match nature {
            Some(Nature::Opaque) => self.same_arguments(arguments, events),
            _ => self.terms.bool(true),
        };
        let mut values = Values { events: events.iter() };
        for event in events {
            match event {
                Event::Effect(Effect::Write { address, bytes }) => {
                    self.written(site, *address, bytes, nature, same);
                }
                Event::Effect(Effect::New { address, .. }) => {
                    if let Some(size) = self.requested(name, arguments)
                        && let Some(number) = self.layout.number(*address)
                    {
                        self.sizes.insert(number, size);
                    }
                }
                Event::Effect(Effect::Freed { address }) => {
                    if let Some(&pointer) = arguments.first() {
                        self.stays(edge, pointer, *address);
                    }
                }
                _ => {}
            }
        }
        for &result in results {
            let Some((scalar, number)) = self.next(&mut values) else { break };
            if !self.used.contains(&result) {
                continue;
            }
            let target = self.copy(result);
            let sort = self.terms.sort(target).clone();
            let Some(value) = value_of_bits(&sort, scalar.bits) else { continue };
            self.computed(site, target, value, Some(number), nature, same);
            if name.ends_with("nondet_bool") || name.ends_with("nondet__Bool") {
                self.is_truth(edge, target);
            }
        }
        self.asking = None;
    }

    /// A truth value is 0 or 1, however many bits it has.
    fn is_truth(&mut self, edge: EdgeId, target: Term) {
        if let (InputMode::Asked | InputMode::Free, &Sort::BitVec(width)) =
            (self.mode, self.terms.sort(target))
            && width > 1
        {
            let one = self.terms.constant(&Value::bitvec(width, 1));
            let truth = self.at_most(target, one);
            self.condition(edge, truth);
        }
    }

    /// A result of an external call, or a cell that it wrote.
    fn computed(
        &mut self,
        site: SiteId,
        target: Term,
        value: Value,
        number: Option<u32>,
        nature: Option<Nature>,
        same: Term,
    ) {
        if nature == Some(Nature::Input) {
            self.given(site, target, value, number);
            return;
        }
        let mut term = self.terms.constant(&value);
        if !self.terms.is_true(same) {
            // With other arguments, it may be any value.
            let sort = self.terms.sort(target).clone();
            let other = self.temporary("other", &sort);
            self.havocs.push(value.clone());
            let action = Action::Havoc { place: Place::variable(other) };
            let step = self.step(site, Part::Temporary, action);
            self.push(step, Some((value.clone(), None)));
            term = self.terms.ite(same, term, other);
        }
        let action = Action::Assign { place: Place::variable(target), value: term };
        let step = self.step(site, Part::Temporary, action);
        self.push(step, Some((value, number)));
    }

    pub(super) fn temporary(&mut self, name: &str, sort: &Sort) -> Term {
        self.fresh += 1;
        self.terms.fresh(&format!("{name}{}", self.fresh), sort)
    }

    /// The condition that all arguments, and all that the call reads, are as in the run.
    pub(super) fn same_arguments(&mut self, arguments: &[Term], events: &[Event]) -> Term {
        let mut parts = Vec::new();
        for &argument in arguments {
            let argument = self.copy(argument);
            if let Some(value) = self.value(argument) {
                let constant = self.terms.constant(&value);
                parts.push(self.terms.eq(argument, constant));
            }
        }
        for event in events {
            if let Event::Effect(Effect::Read { address, bytes }) = event {
                self.same_bytes(*address, bytes, &mut parts);
            }
        }
        self.terms.and(&parts)
    }

    fn same_bytes(&mut self, address: u64, bytes: &[u8], parts: &mut Vec<Term>) {
        let Some(number) = self.layout.number(address) else { return };
        let object = &self.layout.objects[number as usize];
        let offset = address.wrapping_sub(object.address);
        let cells: Vec<_> = object.cells_in(offset, bytes.len() as u64).to_vec();
        for cell in cells {
            let begin = (cell.offset - offset) as usize;
            let sort = self.terms.sort(cell.variable).clone();
            let value = bytes
                .get(begin..begin + cell.size as usize)
                .and_then(|bytes| crate::cells::value_of_bytes(&sort, bytes));
            if let Some(value) = value {
                let constant = self.terms.constant(&value);
                parts.push(self.terms.eq(cell.variable, constant));
            }
        }
    }

    /// Bytes that an external call wrote.
    fn written(
        &mut self,
        site: SiteId,
        address: u64,
        bytes: &[u8],
        nature: Option<Nature>,
        same: Term,
    ) {
        let Some(number) = self.layout.number(address) else { return };
        let object = &self.layout.objects[number as usize];
        let offset = address.wrapping_sub(object.address);
        for cell in object.cells_in(offset, bytes.len() as u64).to_vec() {
            let begin = (cell.offset - offset) as usize;
            let sort = self.terms.sort(cell.variable).clone();
            let value = bytes
                .get(begin..begin + cell.size as usize)
                .and_then(|bytes| crate::cells::value_of_bytes(&sort, bytes));
            if let Some(value) = value {
                self.computed(site, cell.variable, value, None, nature, same);
            }
        }
    }

    /// The size that a call of an allocation function asks for.
    fn requested(&mut self, name: &str, arguments: &[Term]) -> Option<Term> {
        let size = match (name, arguments) {
            ("malloc", [size]) | ("realloc", [_, size]) | ("aligned_alloc", [_, size]) => {
                self.copy(*size)
            }
            ("calloc", [count, each]) => {
                let (count, each) = (self.copy(*count), self.copy(*each));
                self.terms.mul(count, each)
            }
            _ => return None,
        };
        let is_word = *self.terms.sort(size) == Sort::BitVec(64);
        (is_word && self.terms.value(size).is_none()).then(|| self.frozen(size))
    }

    /// The value of a term now, for later.
    fn frozen(&mut self, term: Term) -> Term {
        let sort = self.terms.sort(term).clone();
        let variable = self.temporary("size", &sort);
        let site = self.path.last().map_or(SiteId(0), |&edge| self.program.edge(edge).site);
        let action = Action::Assign { place: Place::variable(variable), value: term };
        let step = self.step(site, Part::Temporary, action);
        self.push(step, None);
        variable
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

    fn at_most(&mut self, a: Term, b: Term) -> Term {
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

    /// From now on the variable stands for an address: it is no variable of the trace.
    fn bind_address(&mut self, target: Term, address: u64) {
        let Some(activation) = self.stack.last().copied() else { return };
        let constant = self.terms.constant(&Value::bitvec(64, u128::from(address)));
        let old = self.addresses.insert((activation.number, target), constant);
        if old.is_some_and(|old| old != constant) {
            let epoch = self.new_epoch();
            if let Some(activation) = self.stack.last_mut() {
                activation.epoch = epoch;
            }
        }
    }

    fn new_epoch(&mut self) -> u32 {
        self.epochs += 1;
        self.epochs - 1
    }

    /// The term as seen in the innermost activation.
    pub(super) fn copy(&mut self, term: Term) -> Term {
        let Some(activation) = self.stack.last().copied() else { return term };
        if let Some(&copy) = self.copies.get(&(activation.epoch, term)) {
            return copy;
        }
        for variable in self.program.terms.variables_of(&[term]) {
            if !self.copies.contains_key(&(activation.epoch, variable)) {
                let copy = self.variable(activation.number, variable);
                self.copies.insert((activation.epoch, variable), copy);
            }
        }
        let (copies, epoch) = (&self.copies, activation.epoch);
        let copy = self.terms.substitute(term, &mut |v| copies.get(&(epoch, v)).copied());
        self.copies.insert((activation.epoch, term), copy);
        copy
    }

    fn variable(&mut self, activation: u32, variable: Term) -> Term {
        if let Some(&address) = self.addresses.get(&(activation, variable)) {
            return address;
        }
        let declared: Option<&Variable> = self.program.variables.get(&variable);
        let Some(declared) = declared.filter(|v| v.scope != Scope::Global) else { return variable };
        if activation == 0 {
            return variable;
        }
        // The same in all epochs.
        let name = format!("{}@{activation}", declared.name);
        let sort = self.terms.sort(variable).clone();
        let mut copy = self.terms.var(&name, &sort);
        match self.origins.get(&copy) {
            Some(origin) if *origin == (activation, variable) => return copy,
            Some(_) => copy = self.terms.var(&format!("{name}#{}", variable_id(variable)), &sort),
            None => {}
        }
        self.origins.insert(copy, (activation, variable));
        copy
    }

    fn bits_of(&self, variable: Term) -> u32 {
        match self.terms.sort(variable) {
            Sort::BitVec(width) => *width,
            Sort::Float(format) => format.width(),
            _ => 1,
        }
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

fn variable_id(variable: Term) -> String {
    format!("{variable:?}").chars().filter(char::is_ascii_digit).collect()
}

/// The values among the events of an edge.
pub(super) struct Values<'e> {
    events: std::slice::Iter<'e, Event>,
}

impl Values<'_> {
    fn next(&mut self) -> Option<Scalar> {
        self.events.find_map(|event| match event {
            Event::Value(value) => Some(*value),
            _ => None,
        })
    }
}
