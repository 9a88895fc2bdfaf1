//! Small programs with memory, statement by statement.

use term::{Sort, Term, Value};

use crate::process::{
    Detail, ExternalCall, Fault, Host, Image, Limits, Nature, Nothing, Objects, Outcome, Process,
    Response, Scalar,
};
use crate::program::{
    FailureKind, LocalObject, LocationId, Memory, ProcedureId, Program, Property, Statement,
};
use crate::testing::{Sketch, assign, site};
use crate::{Builder, Language, Stop};

/// A procedure that is written from its beginning to its end.
pub struct Writer {
    pub sketch: Sketch,
    pub procedure: ProcedureId,
    pub at: LocationId,
    names: u32,
}

impl Writer {
    pub fn new() -> Writer {
        let mut builder = Builder::new(Language::C, Vec::new());
        let property =
            Property { kind: FailureKind::ReachableError, message: "reached".to_owned() };
        let site = builder.site(site(Some(property)));
        let mut sketch = Sketch { builder, site };
        let procedure = sketch.builder.procedure("main");
        sketch.builder.enter_at(procedure);
        let at = sketch.builder.entry_of(procedure);
        Writer { sketch, procedure, at, names: 0 }
    }

    /// Goes on in a new procedure.
    pub fn begin(&mut self, name: &str) -> ProcedureId {
        self.procedure = self.sketch.builder.procedure(name);
        self.at = self.sketch.builder.entry_of(self.procedure);
        self.procedure
    }

    pub fn go_to(&mut self, procedure: ProcedureId) {
        self.procedure = procedure;
        self.at = self.sketch.builder.entry_of(procedure);
    }

    pub fn local(&mut self, width: u32) -> Term {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.sketch.builder.local(self.procedure, &name, &Sort::BitVec(width))
    }

    pub fn parameter(&mut self, width: u32) -> Term {
        self.names += 1;
        let name = format!("p{}", self.names);
        self.sketch.builder.parameter(self.procedure, &name, &Sort::BitVec(width))
    }

    pub fn result(&mut self, width: u32) -> Term {
        self.names += 1;
        let name = format!("r{}", self.names);
        self.sketch.builder.result(self.procedure, &name, &Sort::BitVec(width))
    }

    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        self.sketch.builder.terms.constant(&Value::bitvec(width, value))
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.sketch.builder.terms.add(&[a, b])
    }

    pub fn plus(&mut self, a: Term, c: u128) -> Term {
        let width = match self.sketch.builder.terms.sort(a) {
            Sort::BitVec(width) => *width,
            _ => 64,
        };
        let c = self.constant(width, c);
        self.add(a, c)
    }

    pub fn then(&mut self, statement: Statement) {
        let next = self.sketch.builder.location(self.procedure);
        self.sketch.add(self.at, next, statement);
        self.at = next;
    }

    pub fn assign(&mut self, variable: Term, value: Term) {
        self.then(assign(variable, value));
    }

    pub fn alloc(&mut self, size: u64) -> Term {
        let target = self.local(64);
        let size = self.constant(64, size.into());
        let object = LocalObject { name: String::new(), ty: None, align: 8, declared: None };
        self.then(Statement::Memory(Memory::Alloc { target, size, object }));
        target
    }

    pub fn load(&mut self, width: u32, address: Term) -> Term {
        let target = self.local(width);
        self.then(Statement::Memory(Memory::Load { target, address }));
        target
    }

    pub fn store(&mut self, address: Term, value: Term) {
        self.then(Statement::Memory(Memory::Store { address, value }));
    }

    pub fn external(&mut self, name: &str, arguments: &[Term], results: &[Term]) {
        let function = self.sketch.builder.external(name);
        let (arguments, results) = (arguments.to_vec(), results.to_vec());
        self.then(Statement::External { function, arguments, results });
    }

    /// Goes on only if the condition holds; else the property is violated.
    pub fn check(&mut self, condition: Term) {
        let next = self.sketch.builder.location(self.procedure);
        self.sketch.branch(self.at, condition, next, Program::ERROR);
        self.at = next;
    }

    pub fn check_equal(&mut self, a: Term, value: u128) {
        let width = match self.sketch.builder.terms.sort(a) {
            Sort::BitVec(width) => *width,
            _ => 1,
        };
        let value = self.constant(width, value);
        let condition = self.sketch.builder.terms.eq(a, value);
        self.check(condition);
    }

    pub fn ret(&mut self) {
        self.sketch.ret(self.procedure, self.at);
    }

    pub fn finish(self) -> Program {
        self.sketch.builder.finish().expect("well-formed")
    }
}

/// A world with a heap, and a function `give` that returns what it is told to.
#[derive(Default)]
pub struct World {
    pub gives: Vec<Scalar>,
    pub seen: Vec<(String, Vec<Scalar>)>,
}

impl Host for World {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        self.seen.push((call.name.to_owned(), call.arguments.to_vec()));
        let word = |n: usize| call.arguments.get(n).map_or(0, |argument| argument.bits as u64);
        let results = match call.name {
            "malloc" => {
                let origin = crate::process::Origin::Heap(call.edge);
                vec![Scalar::new(memory.allocate(word(0), 16, origin).unwrap_or(0).into())]
            }
            "free" => {
                memory.free(word(0), call.edge)?;
                Vec::new()
            }
            "write" => {
                memory.write(word(0), b"hello world")?;
                Vec::new()
            }
            "exit" => return Ok(Response::Exit(word(0) as i32)),
            "block" => return Ok(Response::Block),
            "give" => {
                vec![if self.gives.is_empty() { Scalar::default() } else { self.gives.remove(0) }]
            }
            _ => {
                let detail = Detail::Text(call.name.to_owned());
                return Err(Fault { kind: FailureKind::Abort, detail });
            }
        };
        Ok(Response::Return { results, nature: Nature::Fixed })
    }
}

pub fn run(program: &Program) -> Outcome {
    let image = Image::new(program).expect("machine words");
    let mut process = Process::new(&image, program.entries[0], &[]);
    process.run(&mut World::default(), &mut Nothing, Limits::default(), &Stop::default())
}

pub fn kind(outcome: &Outcome) -> Option<FailureKind> {
    match outcome {
        Outcome::Failed { fault, .. } => Some(fault.kind),
        _ => None,
    }
}
