//! The interpreter: what a program means.
//!
//! A [`Machine`] is a state: a location, the values of the globals, a stack of activations. It takes
//! one edge at a time. Whatever is open (initial values, havocs, which of several possible edges) is
//! asked of an [`Oracle`], so that an execution is determined by its oracle. The oracle also sees, and
//! may change, every value that is about to be assigned: that is how what-if questions are replayed.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use term::{Code, Sort, Term, Value};

use crate::program::{EdgeId, LocationId, ProcedureId, Program, Scope, Statement};
use crate::stop::Stop;

/// Decides what a program leaves open.
pub trait Oracle {
    /// The value of a variable before its first assignment, in the given activation (counted from 0 in
    /// order of their creation; globals are asked with activation 0). Parameters are not asked, but
    /// for those of the entry.
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        let _ = (activation, variable);
        Value::zero(sort)
    }

    /// The value of a havoc.
    fn havoc(&mut self, sort: &Sort) -> Value {
        Value::zero(sort)
    }

    /// Which of several possible edges to take, as an index.
    fn choose(&mut self, possible: &[EdgeId]) -> usize {
        let _ = possible;
        0
    }

    /// Sees each value that is about to be assigned (by assignments, havocs, bindings of parameters and
    /// of results, in this order of execution); what it returns is assigned instead.
    fn assign(&mut self, value: Value) -> Value {
        value
    }
}

/// An oracle that answers zero and the first edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Oracle for Zeros {}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The entry procedure returned.
    Finished,
    /// A property was violated: by this edge to the error location.
    Failed(EdgeId),
    /// No edge was possible.
    Blocked(LocationId),
    StepLimit,
    Stopped,
}

/// A program made ready to be run many times.
#[derive(Clone, Debug)]
pub struct Prepared(Arc<Compiled>);

impl Prepared {
    pub fn new(program: &Program) -> Prepared {
        Prepared(Arc::new(compile(program)))
    }
}

/// Code for every edge, compiled once and shared by machines.
#[derive(Debug)]
struct Compiled {
    edges: Vec<EdgeCode>,
    slots: Slots,
}

#[derive(Debug)]
struct EdgeCode {
    /// Values of the indices of the place, then the value or condition; or the arguments of a call.
    code: Code,
    /// Where the variables of the code live, in its order.
    operands: Vec<Slot>,
    /// What is written: by an assignment or havoc, or with the results of a call.
    targets: Vec<Slot>,
}

/// Where a variable lives: among the globals or in the innermost activation.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Global(u32),
    Local(u32),
}

/// The slots of all variables; that of a local counts only in activations of its procedure.
type Slots = FxHashMap<Term, (Scope, Slot)>;

/// A program state.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    compiled: Arc<Compiled>,
    location: LocationId,
    globals: Vec<Value>,
    frames: Vec<Frame>,
    activations: u32,
    /// Memory for evaluation, kept from step to step. Empty between steps.
    registers: RefCell<Vec<Value>>,
}

#[derive(Clone, Debug)]
struct Frame {
    procedure: ProcedureId,
    values: Vec<Value>,
    /// Where to go on after the return, and what the results are bound to.
    caller: Option<EdgeId>,
}

impl<'p> Machine<'p> {
    /// The machine at the beginning of an entry procedure of a verified program.
    pub fn new(program: &'p Program, entry: ProcedureId, oracle: &mut dyn Oracle) -> Machine<'p> {
        Machine::prepared(program, &Prepared::new(program), entry, oracle)
    }

    /// The same for a program that was made ready before.
    pub fn prepared(
        program: &'p Program,
        prepared: &Prepared,
        entry: ProcedureId,
        oracle: &mut dyn Oracle,
    ) -> Machine<'p> {
        let globals = program
            .globals
            .iter()
            .map(|&global| oracle.initial(0, global, program.terms.sort(global)))
            .collect();
        let mut machine = Machine {
            program,
            compiled: prepared.0.clone(),
            location: program.procedure(entry).entry,
            globals,
            frames: Vec::new(),
            activations: 0,
            registers: RefCell::default(),
        };
        let parameters = program
            .procedure(entry)
            .parameters
            .iter()
            .map(|&p| oracle.initial(0, p, program.terms.sort(p)))
            .collect();
        machine.activate(entry, parameters, None, oracle);
        machine
    }

    pub fn location(&self) -> LocationId {
        self.location
    }

    /// How many procedures are active.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The value of a global, or of a variable of the innermost activation.
    pub fn value(&self, variable: Term) -> Option<&Value> {
        self.value_in(self.frames.len().checked_sub(1)?, variable)
    }

    /// The value of a global, or of a variable of this activation (the outermost is 0).
    pub fn value_in(&self, activation: usize, variable: Term) -> Option<&Value> {
        let frame = self.frames.get(activation)?;
        match *self.compiled.slots.get(&variable)? {
            (Scope::Local(owner), _) if owner != frame.procedure => None,
            (_, Slot::Global(slot)) => self.globals.get(slot as usize),
            (_, Slot::Local(slot)) => frame.values.get(slot as usize),
        }
    }

    /// Gives a value to a global, or to a variable of the innermost activation. False if there is none.
    pub fn set(&mut self, variable: Term, value: Value) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let place = match self.compiled.slots.get(&variable) {
            Some(&(Scope::Local(owner), _)) if owner != frame.procedure => None,
            Some(&(_, Slot::Global(slot))) => self.globals.get_mut(slot as usize),
            Some(&(_, Slot::Local(slot))) => frame.values.get_mut(slot as usize),
            None => None,
        };
        place.map(|place| *place = value).is_some()
    }

    /// Whether the edge can be taken now: only conditions can be impossible.
    pub fn possible(&self, edge: EdgeId) -> bool {
        match self.program.edge(edge).statement {
            Statement::Assume { .. } => {
                let mut holds = false;
                self.evaluate(edge, |value| holds = value.is_true());
                holds
            }
            // Programs with memory are run by `process`.
            Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {
                false
            }
            _ => true,
        }
    }

    /// The edges that can be taken now.
    pub fn possible_edges(&self) -> Vec<EdgeId> {
        let edges = &self.program.location(self.location).edges;
        edges.iter().copied().filter(|&e| self.possible(e)).collect()
    }

    /// Takes an edge that leaves the current location and is possible.
    pub fn take(&mut self, edge: EdgeId, oracle: &mut dyn Oracle) {
        let program = self.program;
        let taken = program.edge(edge);
        self.location = taken.to;
        match &taken.statement {
            Statement::Assume { .. } => {}
            Statement::Assign { .. } => {
                let (mut indices, mut value) = (Vec::new(), None);
                self.evaluate(edge, |v| indices.extend(value.replace(v.clone())));
                if let Some(value) = value {
                    self.write(edge, 0, &indices, oracle.assign(value));
                }
            }
            Statement::Havoc { place } => {
                let mut indices = Vec::new();
                self.evaluate(edge, |v| indices.push(v.clone()));
                let value = oracle.havoc(&place.sort(&program.terms));
                self.write(edge, 0, &indices, oracle.assign(value));
            }
            Statement::Call { callee, arguments, .. } => {
                let mut values = Vec::with_capacity(arguments.len());
                self.evaluate(edge, |v| values.push(v.clone()));
                let values = values.into_iter().map(|a| oracle.assign(a)).collect();
                self.location = program.procedure(*callee).entry;
                self.activate(*callee, values, Some(edge), oracle);
            }
            Statement::Return => self.leave(oracle),
            // See `possible`.
            Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {}
        }
    }

    fn activate(
        &mut self,
        procedure: ProcedureId,
        parameters: Vec<Value>,
        caller: Option<EdgeId>,
        oracle: &mut dyn Oracle,
    ) {
        let called = self.program.procedure(procedure);
        let activation = self.activations;
        self.activations += 1;
        let mut values = parameters;
        for &variable in called.results.iter().chain(&called.locals) {
            values.push(oracle.initial(activation, variable, self.program.terms.sort(variable)));
        }
        self.frames.push(Frame { procedure, values, caller });
    }

    /// Ends the innermost activation. That of the entry stays, at its exit.
    fn leave(&mut self, oracle: &mut dyn Oracle) {
        let Some(call) = self.frames.last().and_then(|frame| frame.caller) else { return };
        let Some(frame) = self.frames.pop() else { return };
        let parameters = self.program.procedure(frame.procedure).parameters.len();
        self.location = self.program.edge(call).to;
        let targets = self.compiled.edges[call.index()].targets.len();
        for (result, value) in frame.values.into_iter().skip(parameters).take(targets).enumerate() {
            self.write(call, result, &[], oracle.assign(value));
        }
    }

    /// Shows the values of the edge's terms, in the order of [`EdgeCode::code`].
    fn evaluate(&self, edge: EdgeId, result: impl FnMut(&Value)) {
        let EdgeCode { code, operands, .. } = &self.compiled.edges[edge.index()];
        let globals = &self.globals[..];
        let locals = self.frames.last().map_or(&[][..], |frame| &frame.values);
        let of = |operand: usize| match operands[operand] {
            Slot::Global(slot) => &globals[slot as usize],
            Slot::Local(slot) => &locals[slot as usize],
        };
        code.run_over(&mut self.registers.borrow_mut(), of, result);
    }

    /// Writes what the edge writes: the place, or the result of a call with this number.
    fn write(&mut self, edge: EdgeId, target: usize, indices: &[Value], value: Value) {
        let target = match self.compiled.edges[edge.index()].targets[target] {
            Slot::Global(slot) => self.globals.get_mut(slot as usize),
            Slot::Local(slot) => {
                self.frames.last_mut().and_then(|f| f.values.get_mut(slot as usize))
            }
        };
        if let Some(target) = target {
            store(target, indices, value);
        }
    }
}

/// Writes the value into a cell of a (nested) map.
fn store(target: &mut Value, indices: &[Value], value: Value) {
    match (target, indices) {
        (target, []) => *target = value,
        (Value::Array(array), [index]) => Arc::make_mut(array).set(index.clone(), value),
        (Value::Array(array), [index, rest @ ..]) => {
            let array = Arc::make_mut(array);
            let mut element = array.get(index).clone();
            // The outer map lets go of the inner one: a map that is not shared is changed in place.
            let default = array.default.clone();
            array.set(index.clone(), default);
            store(&mut element, rest, value);
            array.set(index.clone(), element);
        }
        _ => {}
    }
}

/// Runs a machine until it ends. `visit` sees each edge before it is taken.
pub fn run(
    machine: &mut Machine<'_>,
    oracle: &mut dyn Oracle,
    steps: u64,
    stop: &Stop,
    visit: &mut dyn FnMut(EdgeId),
) -> Outcome {
    let mut possible = Vec::new();
    for step in 0.. {
        if step % 1024 == 0 && stop.requested() {
            return Outcome::Stopped;
        }
        let location = machine.location();
        let edges = &machine.program.location(location).edges;
        possible.clear();
        possible.extend(edges.iter().copied().filter(|&edge| machine.possible(edge)));
        let edge = match possible[..] {
            [] if machine.finished() => return Outcome::Finished,
            [] => return Outcome::Blocked(location),
            _ if step == steps => break,
            [edge] => edge,
            _ => possible[oracle.choose(&possible).min(possible.len() - 1)],
        };
        visit(edge);
        machine.take(edge, oracle);
        if machine.location() == Program::ERROR {
            return Outcome::Failed(edge);
        }
    }
    Outcome::StepLimit
}

impl Machine<'_> {
    /// Whether the entry procedure has returned.
    pub fn finished(&self) -> bool {
        let procedure = self.program.location(self.location).procedure;
        self.frames.len() == 1
            && procedure.is_some_and(|p| self.program.procedure(p).exit == self.location)
    }
}

fn compile(program: &Program) -> Compiled {
    let mut slots = Slots::default();
    for (slot, &global) in program.globals.iter().enumerate() {
        slots.insert(global, (Scope::Global, Slot::Global(slot as u32)));
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let scope = Scope::Local(ProcedureId(index as u32));
        for (slot, local) in procedure.variables().enumerate() {
            slots.insert(local, (scope, Slot::Local(slot as u32)));
        }
    }
    let slot = |variable: Term| slots.get(&variable).expect("verified: it is declared").1;
    let edges = program.edges.iter().map(|edge| {
        let (terms, written) = (edge.statement.operands(), edge.statement.targets());
        let code = Code::compile(&program.terms, &terms);
        let operands = code.variables().map(slot).collect();
        EdgeCode { code, operands, targets: written.iter().copied().map(slot).collect() }
    });
    Compiled { edges: edges.collect(), slots }
}
