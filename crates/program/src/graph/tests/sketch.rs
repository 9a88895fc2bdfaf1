//! Programs with memory and branches, statement by statement. Each statement has a text by which it
//! is found again.

use term::{Sort, Term, Value};

use crate::graph::writes::Omitted;
use crate::process::Origin;
use crate::program::{
    EdgeId, LocalObject, LocationId, Memory, ProcedureId, Program, Statement, Static, StaticId,
    Target,
};
use crate::testing::{Sketch, assign, site};

/// A program that is written from the beginning to the end of each of its procedures.
pub struct Writer {
    pub sketch: Sketch,
    pub procedure: ProcedureId,
    pub at: LocationId,
}

impl Writer {
    /// A program with an empty main procedure.
    pub fn new() -> Writer {
        let mut sketch = Sketch::new();
        let procedure = sketch.builder.procedure("main");
        sketch.builder.enter_at(procedure);
        let at = sketch.builder.entry_of(procedure);
        Writer { sketch, procedure, at }
    }

    /// Goes on in a new procedure.
    pub fn begin(&mut self, name: &str) -> ProcedureId {
        let procedure = self.sketch.builder.procedure(name);
        self.go_to(procedure);
        procedure
    }

    /// Goes on at the beginning of a procedure.
    pub fn go_to(&mut self, procedure: ProcedureId) {
        self.procedure = procedure;
        self.at = self.sketch.builder.entry_of(procedure);
    }

    pub fn local(&mut self, name: &str, width: u32) -> Term {
        self.sketch.builder.local(self.procedure, name, &Sort::BitVec(width))
    }

    pub fn parameter(&mut self, name: &str) -> Term {
        self.sketch.builder.parameter(self.procedure, name, &Sort::BitVec(64))
    }

    pub fn result(&mut self, name: &str) -> Term {
        self.sketch.builder.result(self.procedure, name, &Sort::BitVec(64))
    }

    pub fn global(&mut self, name: &str) -> Term {
        self.sketch.builder.global(name, &Sort::BitVec(64))
    }

    /// An object of 64 bytes with addresses in its first words.
    pub fn object(&mut self, name: &str, pointers: &[Target]) -> StaticId {
        let pointers = (0..).step_by(8).zip(pointers.iter().copied()).collect();
        self.sketch.builder.object(Static {
            name: name.to_owned(),
            ty: None,
            align: 8,
            writable: true,
            bytes: vec![0; 64],
            pointers,
        })
    }

    pub fn word(&mut self, value: u64) -> Term {
        self.sketch.builder.terms.constant(&Value::bitvec(64, value.into()))
    }

    pub fn address(&mut self, target: Target) -> Term {
        self.word(target.address())
    }

    pub fn plus(&mut self, a: Term, b: Term) -> Term {
        self.sketch.builder.terms.add(&[a, b])
    }

    pub fn moved(&mut self, address: Term, offset: u64) -> Term {
        let offset = self.word(offset);
        self.plus(address, offset)
    }

    fn edge(&mut self, to: LocationId, text: &str, statement: Statement) {
        let mut site = site(None);
        site.text = text.to_owned();
        let site = self.sketch.builder.site(site);
        self.sketch.builder.edge(self.at, to, statement, site);
    }

    pub fn then(&mut self, text: &str, statement: Statement) {
        let next = self.sketch.builder.location(self.procedure);
        self.edge(next, text, statement);
        self.at = next;
    }

    pub fn assign(&mut self, variable: Term, value: Term) {
        self.then("assign", assign(variable, value));
    }

    pub fn alloc(&mut self, name: &str) -> Term {
        let target = self.local(name, 64);
        let size = self.word(64);
        let object = LocalObject { name: name.to_owned(), ty: None, align: 8, declared: None };
        self.then("alloc", Statement::Memory(Memory::Alloc { target, size, object }));
        target
    }

    pub fn store(&mut self, address: Term, value: Term) {
        self.then("store", Statement::Memory(Memory::Store { address, value }));
    }

    pub fn load(&mut self, target: Term, address: Term) {
        self.then("load", Statement::Memory(Memory::Load { target, address }));
    }

    pub fn call(&mut self, callee: ProcedureId, arguments: &[Term], results: &[Term]) {
        let (arguments, results) = (arguments.to_vec(), results.to_vec());
        self.then("call", Statement::Call { callee, arguments, results });
    }

    pub fn call_pointer(&mut self, pointer: Term, arguments: &[Term], results: &[Term]) {
        let (arguments, results) = (arguments.to_vec(), results.to_vec());
        self.then("call", Statement::CallPointer { pointer, arguments, results });
    }

    pub fn external(&mut self, name: &str, arguments: &[Term], results: &[Term]) {
        let function = self.sketch.builder.external(name);
        let (arguments, results) = (arguments.to_vec(), results.to_vec());
        self.then(name, Statement::External { function, arguments, results });
    }

    pub fn ret(&mut self) {
        let exit = self.sketch.builder.exit_of(self.procedure);
        self.edge(exit, "return", Statement::Return);
        self.at = self.sketch.builder.location(self.procedure);
    }

    /// Two ways; the world decides. The edges are called by the text, with `+` and `-`.
    pub fn fork(&mut self, text: &str) -> [LocationId; 2] {
        let bit = self.local("bit", 8);
        self.external("give", &[], &[bit]);
        let terms = &mut self.sketch.builder.terms;
        let zero = terms.constant(&Value::bitvec(8, 0));
        let is_zero = terms.eq(bit, zero);
        let is_one = terms.not(is_zero);
        let ways = [(); 2].map(|()| self.sketch.builder.location(self.procedure));
        for (way, (condition, sign)) in ways.iter().zip([(is_one, '+'), (is_zero, '-')]) {
            self.edge(*way, &format!("{text}{sign}"), Statement::Assume { condition });
        }
        ways
    }

    /// `if (…) yes else no`
    pub fn either(
        &mut self,
        text: &str,
        yes: impl FnOnce(&mut Writer),
        no: impl FnOnce(&mut Writer),
    ) {
        let [first, second] = self.fork(text);
        let end = self.sketch.builder.location(self.procedure);
        self.at = first;
        yes(self);
        self.sketch.builder.jump(self.at, end);
        self.at = second;
        no(self);
        self.sketch.builder.jump(self.at, end);
        self.at = end;
    }

    /// `while (…) body`
    pub fn repeat(&mut self, text: &str, body: impl FnOnce(&mut Writer)) {
        let head = self.sketch.builder.location(self.procedure);
        self.sketch.builder.jump(self.at, head);
        self.at = head;
        let [inside, after] = self.fork(text);
        self.at = inside;
        body(self);
        self.sketch.builder.jump(self.at, head);
        self.at = after;
    }

    pub fn finish(self) -> Program {
        self.sketch.builder.finish().expect("well-formed")
    }
}

/// The edge with this text.
pub fn edge(program: &Program, text: &str) -> EdgeId {
    let mut edges = (0..).map(EdgeId).zip(&program.edges);
    let found = edges.find(|(_, edge)| program.site(edge.site).text == text);
    found.expect("an edge with this text").0
}

/// The names of variables, then those of objects, each in order. Those of the world's decisions are
/// left out.
pub fn names(program: &Program, omitted: &Omitted) -> Vec<String> {
    let names = omitted.variables.iter().map(|&variable| program.name(variable).to_owned());
    let mut variables: Vec<String> = names.filter(|name| name != "bit").collect();
    variables.sort();
    let mut objects: Vec<String> = omitted
        .objects
        .iter()
        .map(|&object| match object {
            Origin::Static(id) => program.statics[id.index()].name.clone(),
            Origin::Local(edge) => match &program.edge(edge).statement {
                Statement::Memory(Memory::Alloc { object, .. }) => object.name.clone(),
                _ => "?".to_owned(),
            },
            Origin::Heap(_) => "heap".to_owned(),
            Origin::Start => "start".to_owned(),
        })
        .collect();
    objects.sort();
    variables.append(&mut objects);
    variables
}
