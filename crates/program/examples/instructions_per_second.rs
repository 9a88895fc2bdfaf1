//! How fast processes run: a loop nest over an array in memory, as a C compiler without optimisation
//! writes it (every variable in memory), and the same with variables in slots.
//!
//!     cargo run --release -p program --example instructions_per_second

use std::time::Instant;

use program::process::{
    ExternalCall, Fault, Host, Image, Limits, Nature, Nothing, Objects, Observer, Outcome, Process,
    Recorder, Response,
};
use program::{
    Builder, Language, LocalObject, LocationId, Memory, Place, ProcedureId, Program, Site, SiteId,
    Statement, Stop, Trust,
};
use term::{Sort, Term, Value};

const ELEMENTS: u128 = 1000;

struct Writer {
    builder: Builder,
    procedure: ProcedureId,
    site: SiteId,
    at: LocationId,
    names: u32,
}

/// A variable: in memory, at this address, or in a slot.
#[derive(Clone, Copy)]
enum Variable {
    Memory(Term),
    Slot(Term),
}

impl Writer {
    fn new() -> Writer {
        let mut builder = Builder::new(Language::C, Vec::new());
        let text = "statement".to_owned();
        let site = Site { span: None, text, trust: Trust::User, property: None };
        let site = builder.site(site);
        let procedure = builder.procedure("main");
        builder.enter_at(procedure);
        let at = builder.entry_of(procedure);
        Writer { builder, procedure, site, at, names: 0 }
    }

    fn temporary(&mut self, width: u32) -> Term {
        self.names += 1;
        self.builder.local(self.procedure, &format!("v{}", self.names), &Sort::BitVec(width))
    }

    fn constant(&mut self, width: u32, value: u128) -> Term {
        self.builder.terms.constant(&Value::bitvec(width, value))
    }

    fn then(&mut self, statement: Statement) {
        let next = self.builder.location(self.procedure);
        self.builder.edge(self.at, next, statement, self.site);
        self.at = next;
    }

    fn object(&mut self, size: u128) -> Term {
        let (target, size) = (self.temporary(64), self.constant(64, size));
        let object = LocalObject { name: String::new(), ty: None, align: 8, declared: None };
        self.then(Statement::Memory(Memory::Alloc { target, size, object }));
        target
    }

    fn read(&mut self, variable: Variable) -> Term {
        match variable {
            Variable::Slot(term) => term,
            Variable::Memory(address) => {
                let target = self.temporary(32);
                self.then(Statement::Memory(Memory::Load { target, address }));
                target
            }
        }
    }

    fn write(&mut self, variable: Variable, value: Term) {
        match variable {
            Variable::Slot(term) => {
                self.then(Statement::Assign { place: Place::variable(term), value });
            }
            Variable::Memory(address) => {
                self.then(Statement::Memory(Memory::Store { address, value }));
            }
        }
    }

    /// `for (v = 0; v < count; v++) { body }`
    fn repeat(&mut self, v: Variable, count: u128, body: impl FnOnce(&mut Writer)) {
        let zero = self.constant(32, 0);
        self.write(v, zero);
        let head = self.at;
        let (value, count) = (self.read(v), self.constant(32, count));
        let condition = self.builder.terms.bv_slt(value, count);
        let negation = self.builder.terms.not(condition);
        let inside = self.builder.location(self.procedure);
        let after = self.builder.location(self.procedure);
        self.builder.edge(self.at, inside, Statement::Assume { condition }, self.site);
        self.builder.edge(self.at, after, Statement::Assume { condition: negation }, self.site);
        self.at = inside;
        body(self);
        let (value, one) = (self.read(v), self.constant(32, 1));
        let next = self.builder.terms.add(&[value, one]);
        self.write(v, next);
        self.builder.jump(self.at, head);
        self.at = after;
    }
}

/// Sums up the elements of an array, again and again; changes the array on the way.
fn program(in_memory: bool, first: u128, rounds: u128) -> Program {
    let mut w = Writer::new();
    let array = w.object(4 * ELEMENTS);
    let variable = |w: &mut Writer| match in_memory {
        true => Variable::Memory(w.object(4)),
        false => Variable::Slot(w.temporary(32)),
    };
    let (i, round, sum) = (variable(&mut w), variable(&mut w), variable(&mut w));
    let element = |w: &mut Writer, i: Variable| {
        let (index, four) = (w.read(i), w.constant(64, 4));
        let index = w.builder.terms.sign_extend(index, 64);
        let offset = w.builder.terms.mul(index, four);
        Variable::Memory(w.builder.terms.add(&[array, offset]))
    };
    let zero = w.constant(32, 0);
    w.write(sum, zero);
    // Elements before the first stay undefined.
    w.repeat(i, ELEMENTS - first, |w| {
        let index = w.read(i);
        let place = element(w, i);
        w.write(place, index);
    });
    w.repeat(round, rounds, |w| {
        w.repeat(i, ELEMENTS, |w| {
            let place = element(w, i);
            let (value, old) = (w.read(place), w.read(sum));
            let new = w.builder.terms.add(&[value, old]);
            w.write(sum, new);
            let place = element(w, i);
            let new = w.read(sum);
            w.write(place, new);
        });
    });
    let exit = w.builder.exit_of(w.procedure);
    w.builder.edge(w.at, exit, Statement::Return, w.site);
    w.builder.finish().expect("well-formed")
}

struct NoWorld;

impl Host for NoWorld {
    fn call(&mut self, _: ExternalCall<'_>, _: &mut Objects) -> Result<Response, Fault> {
        Ok(Response::Return { results: Vec::new(), nature: Nature::Fixed })
    }
}

/// The best of several runs: other work on the machine only makes them slower.
fn measure<O: Observer>(name: &str, program: &Program, observer: impl Fn() -> O) {
    let image = Image::new(program).expect("machine words");
    let (mut best, mut count) = (f64::INFINITY, 0);
    for _ in 0..8 {
        let mut process = Process::new(&image, program.entries[0], &[]);
        let mut observer = observer();
        let start = Instant::now();
        let limits = Limits::default();
        let outcome = process.run(&mut NoWorld, &mut observer, limits, &Stop::default());
        best = best.min(start.elapsed().as_secs_f64());
        assert!(matches!(outcome, Outcome::Finished { .. }), "{outcome:?}");
        count = process.instructions();
    }
    let millions = count as f64 / 1e6;
    println!("{name:32} {:7.1} M instructions a second", millions / best);
}

fn main() {
    for (name, in_memory) in [("variables in slots", false), ("variables in memory", true)] {
        measure(name, &program(in_memory, 0, 1000), || Nothing);
        let recorder = || Recorder::new(usize::MAX);
        measure(&format!("{name}, recorded"), &program(in_memory, 0, 200), recorder);
        measure(&format!("{name}, undefined"), &program(in_memory, 1, 1000), || Nothing);
    }
}
