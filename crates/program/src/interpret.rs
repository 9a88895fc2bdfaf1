//! The interpreter: what a program means.
//!
//! A [`Machine`] is a state: a location, the values of the globals, a stack of activations. It takes
//! one edge at a time. Whatever is open (initial values, havocs, which of several possible edges) is
//! asked of an [`Oracle`], so that an execution is determined by its oracle. The oracle also sees, and
//! may change, every value that is about to be assigned: that is how what-if questions are replayed.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use term::{Code, Sort, Term, Value};

use crate::program::{EdgeId, LocationId, Place, ProcedureId, Program, Scope, Statement};
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

/// Code for the terms of every edge, compiled once and shared by machines.
#[derive(Debug)]
struct Compiled {
    edges: Vec<EdgeCode>,
    /// Where a variable lives, by the index of its term.
    slots: FxHashMap<Term, Slot>,
}

#[derive(Debug)]
struct EdgeCode {
    /// Values of the indices of the place, then the value or condition; or the arguments of a call.
    code: Option<Code>,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    Global(u32),
    Local(u32),
}

/// A program state.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    compiled: Rc<Compiled>,
    location: LocationId,
    globals: Vec<Value>,
    frames: Vec<Frame>,
    activations: u32,
}

#[derive(Clone, Debug)]
struct Frame {
    procedure: ProcedureId,
    values: Vec<Value>,
    /// Where to go on after the return, and what the results are bound to.
    caller: Option<EdgeId>,
}

impl<'p> Machine<'p> {
    /// The machine at the beginning of an entry procedure.
    pub fn new(program: &'p Program, entry: ProcedureId, oracle: &mut dyn Oracle) -> Machine<'p> {
        let globals = program
            .globals
            .iter()
            .map(|&global| oracle.initial(0, global, program.terms.sort(global)))
            .collect();
        let mut machine = Machine {
            program,
            compiled: Rc::new(compile(program)),
            location: program.procedure(entry).entry,
            globals,
            frames: Vec::new(),
            activations: 0,
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
        match self.compiled.slots.get(&variable)? {
            Slot::Global(slot) => self.globals.get(*slot as usize),
            Slot::Local(slot) => self.frames.last()?.values.get(*slot as usize),
        }
    }

    /// Whether the edge can be taken now: only conditions can be impossible.
    pub fn possible(&self, edge: EdgeId) -> bool {
        match self.program.edge(edge).statement {
            Statement::Assume { .. } => self.evaluate(edge).first().is_some_and(Value::is_true),
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
            Statement::Assign { place, .. } => {
                let mut values = self.evaluate(edge);
                if let Some(value) = values.pop() {
                    self.write(place, values, oracle.assign(value));
                }
            }
            Statement::Havoc { place } => {
                let indices = self.evaluate(edge);
                let value = oracle.havoc(&place.sort(&program.terms));
                self.write(place, indices, oracle.assign(value));
            }
            Statement::Call { callee, .. } => {
                let arguments = self.evaluate(edge);
                let arguments = arguments.into_iter().map(|a| oracle.assign(a)).collect();
                self.location = program.procedure(*callee).entry;
                self.activate(*callee, arguments, Some(edge), oracle);
            }
            Statement::Return => self.leave(oracle),
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
        let edge = self.program.edge(call);
        self.location = edge.to;
        if let Statement::Call { results, .. } = &edge.statement {
            for (&variable, value) in results.iter().zip(&frame.values[parameters..]) {
                let value = oracle.assign(value.clone());
                self.write(&Place::variable(variable), Vec::new(), value);
            }
        }
    }

    fn evaluate(&self, edge: EdgeId) -> Vec<Value> {
        let Some(code) = &self.compiled.edges[edge.index()].code else { return Vec::new() };
        code.run(&mut |variable| self.value(variable).cloned()).unwrap_or_default()
    }

    fn write(&mut self, place: &Place, indices: Vec<Value>, value: Value) {
        let target = match self.compiled.slots.get(&place.variable) {
            Some(Slot::Global(slot)) => self.globals.get_mut(*slot as usize),
            Some(Slot::Local(slot)) => {
                self.frames.last_mut().and_then(|f| f.values.get_mut(*slot as usize))
            }
            None => None,
        };
        if let Some(target) = target {
            store(target, &indices, value);
        }
    }
}

/// Writes the value into a cell of a (nested) map.
fn store(target: &mut Value, indices: &[Value], value: Value) {
    match (target, indices) {
        (target, []) => *target = value,
        (Value::Array(array), [index, rest @ ..]) => {
            let array = Arc::make_mut(array);
            let mut element = array.get(index).clone();
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
    for step in 0..steps {
        if step % 1024 == 0 && stop.requested() {
            return Outcome::Stopped;
        }
        let location = machine.location();
        let possible = machine.possible_edges();
        let edge = match possible[..] {
            [] if machine.finished() => return Outcome::Finished,
            [] => return Outcome::Blocked(location),
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
    let mut slots = FxHashMap::default();
    for (slot, &global) in program.globals.iter().enumerate() {
        slots.insert(global, Slot::Global(slot as u32));
    }
    for procedure in &program.procedures {
        for (slot, local) in procedure.variables().enumerate() {
            slots.insert(local, Slot::Local(slot as u32));
        }
    }
    debug_assert!(program.variables.iter().all(|(term, variable)| {
        matches!(
            (variable.scope, slots.get(term)),
            (Scope::Global, Some(Slot::Global(_))) | (Scope::Local(_), Some(Slot::Local(_)))
        )
    }));
    let code = |roots: Vec<Term>| EdgeCode { code: Some(Code::compile(&program.terms, &roots)) };
    let edges = program
        .edges
        .iter()
        .map(|edge| match &edge.statement {
            Statement::Assume { condition } => code(vec![*condition]),
            Statement::Assign { place, value } => {
                code(place.indices.iter().copied().chain([*value]).collect())
            }
            Statement::Havoc { place } => code(place.indices.clone()),
            Statement::Call { arguments, .. } => code(arguments.clone()),
            Statement::Return => EdgeCode { code: None },
        })
        .collect();
    Compiled { edges, slots }
}
