//! Random programs with memory are run. Whatever is written between a branch and the place where
//! its ways meet must be among what the analysis says for the edge that was not taken, and whatever
//! an edge writes among what it says for the edge, at every level of calls.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Term;

use super::Random;
use super::sketch::Writer;
use crate::Stop;
use crate::graph::dominators::post_dominators;
use crate::graph::writes::{Omitted, Writes};
use crate::graph::{Checks, Flow};
use crate::process::{
    Detail, Effect, ExternalCall, Fault, Host, Image, Limits, Nature, Objects, Observer, Origin,
    Process, Response, Scalar,
};
use crate::program::{
    EdgeId, FailureKind, LocationId, Memory, ProcedureId, Program, Scope, Statement, StaticId,
    Target,
};

/// A stretch of an activation: from a branch until its ways meet, or a call until it returns.
struct Stretch {
    start: u64,
    meet: Option<LocationId>,
    allowed: Rc<Omitted>,
}

/// Watches a run.
struct Watch<'p> {
    program: &'p Program,
    writes: Writes<'p>,
    /// For each activation: the stretches it is in.
    activations: Vec<Vec<Stretch>>,
    time: u64,
    edge: EdgeId,
    accesses: u32,
    /// By the high half of its address: an object and when it was made.
    objects: FxHashMap<u64, (Origin, u64)>,
    checked: u64,
}

impl Watch<'_> {
    /// An object is written.
    fn written(&mut self, address: u64) {
        let number = (address >> 32) as u32;
        let found = self.objects.get(&(address >> 32)).copied();
        let (origin, made) = found.unwrap_or((Origin::Static(StaticId(number - 1)), 0));
        if made == self.time {
            return;
        }
        let own = self.writes.of_edge(self.edge);
        assert!(own.objects.contains(&origin), "{origin:?} at {:?}", self.edge);
        let is_local = matches!(origin, Origin::Local(_));
        for stretch in self.activations.iter().flatten() {
            if !is_local || made <= stretch.start {
                self.checked += 1;
                assert!(stretch.allowed.objects.contains(&origin), "{origin:?} at {:?}", self.edge);
            }
        }
    }

    /// Variables of the innermost activation, or global ones, are assigned.
    fn assigned(&mut self, variables: &[Term]) {
        for variable in variables {
            let is_global = self.program.variables[variable].scope == Scope::Global;
            let all = self.activations.len();
            let seen = if is_global { 0..all } else { all - 1..all };
            for stretch in self.activations[seen].iter().flatten() {
                self.checked += 1;
                assert!(stretch.allowed.variables.contains(variable), "at {:?}", self.edge);
            }
        }
    }

    fn call(&mut self) {
        let allowed = Rc::new(self.writes.of_edge(self.edge));
        // The callee's own variables are not the caller's: they are not seen by this stretch.
        if let Some(caller) = self.activations.last_mut() {
            caller.push(Stretch { start: self.time, meet: None, allowed });
        }
        self.activations.push(Vec::new());
    }

    /// Where all ways from a location meet.
    fn meet(&self, from: LocationId) -> Option<LocationId> {
        let procedure = self.program.location(from).procedure?;
        let flow = Flow::new(self.program, procedure, Checks::GoOn);
        let post = post_dominators(&flow.graph, flow.entry);
        let meet = post.immediate(flow.node(from)?)?;
        (meet != post.root).then(|| flow.location(meet))
    }
}

impl Observer for Watch<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        self.time += 1;
        (self.edge, self.accesses) = (edge, 0);
        let (from, statement) =
            (self.program.edge(edge).from, self.program.edge(edge).statement.clone());
        let Some(activation) = self.activations.last_mut() else { return false };
        activation.retain(|stretch| stretch.meet != Some(from));
        let others = self.program.location(from).edges.clone();
        for other in others.into_iter().filter(|&other| other != edge) {
            let (meet, allowed) = (self.meet(from), self.writes.omitted(other));
            let stretch = Stretch { start: self.time, meet, allowed };
            self.activations.last_mut().expect("an activation").push(stretch);
        }
        match &statement {
            Statement::Call { .. } => self.call(),
            Statement::CallPointer { .. } => {}
            Statement::Return => {
                self.activations.pop();
                // The end of the call, and the assignment of its results.
                self.activations.last_mut().map(Vec::pop);
            }
            _ => self.assigned(statement.targets()),
        }
        true
    }
    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        let statement = &self.program.edge(self.edge).statement;
        if let Statement::Memory(Memory::Alloc { .. }) = statement {
            let made = (Origin::Local(self.edge), self.time);
            self.objects.insert(value.bits as u64 >> 32, made);
        }
        value
    }
    fn access(&mut self, address: u64, _: u64) -> bool {
        self.accesses += 1;
        match &self.program.edge(self.edge).statement {
            Statement::Memory(Memory::Store { .. } | Memory::Fill { .. }) => self.written(address),
            Statement::Memory(Memory::Copy { .. }) if self.accesses == 2 => self.written(address),
            _ => {}
        }
        true
    }
    fn procedure(&mut self, _: ProcedureId) -> bool {
        self.call();
        true
    }
    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Write { address, .. } => self.written(*address),
            Effect::New { address, .. } => {
                self.objects.insert(address >> 32, (Origin::Heap(self.edge), self.time));
            }
            Effect::Read { .. } | Effect::Freed { .. } => {}
        }
    }
    fn nature(&mut self, _: Nature) {}
}

/// Decides at random, and does what the functions that the programs use do.
struct World(Random);

impl Host for World {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let word = |n: usize| call.arguments.get(n).map_or(0, |argument| argument.bits as u64);
        let mut new = || memory.allocate(64, 16, Origin::Heap(call.edge)).unwrap_or(0);
        let result = match call.name {
            "give" => self.0.below(2) as u64,
            "malloc" => new(),
            "realloc" => {
                let address = new();
                memory.copy(address, word(0), 64)?;
                address
            }
            "fgets" => {
                memory.write(word(0).wrapping_add(56), b"hello")?;
                word(0)
            }
            "strtod" => {
                memory.write(word(1), &word(0).to_le_bytes())?;
                0
            }
            _ => return Err(Fault { kind: FailureKind::Abort, detail: Detail::None }),
        };
        let results = call.results.iter().map(|_| Scalar::new(result.into())).collect();
        Ok(Response::Return { results, nature: Nature::Input })
    }
}

/// Writes programs in which every variable and nearly every word in memory is the address of an
/// object.
struct Author<'r> {
    w: Writer,
    random: &'r mut Random,
    procedures: Vec<ProcedureId>,
    statics: Vec<StaticId>,
    globals: Vec<Term>,
    /// The variables of the procedure.
    pointers: Vec<Term>,
    forks: u32,
}

impl Author<'_> {
    fn pointer(&mut self) -> Term {
        self.pointers[self.random.below(self.pointers.len())]
    }

    /// An address somewhere in the object of a variable.
    fn place(&mut self) -> Term {
        let pointer = self.pointer();
        let offset = 8 * self.random.below(7) as u64;
        self.w.moved(pointer, offset)
    }

    fn object(&mut self) -> Target {
        Target::Object(self.statics[self.random.below(self.statics.len())], 0)
    }

    /// Lets a variable point to a new object full of addresses.
    fn fill(&mut self, pointer: Term) {
        let from = self.object();
        let (from, size) = (self.w.address(from), self.w.word(64));
        self.w.then("copy", Statement::Memory(Memory::Copy { to: pointer, from, size }));
    }

    fn statement(&mut self, depth: u32) {
        let to = self.pointer();
        match self.random.below(if depth < 3 { 17 } else { 14 }) {
            0 => {
                let from = self.pointer();
                self.w.assign(to, from);
            }
            1 => {
                let object = self.object();
                let address = self.w.address(object);
                self.w.assign(to, address);
            }
            2 => {
                let made = self.w.alloc("made");
                self.fill(made);
                self.w.assign(to, made);
            }
            3..6 => {
                let from = self.place();
                self.w.load(to, from);
            }
            6..9 => {
                let place = self.place();
                self.w.store(place, to);
            }
            9 => {
                // Byte by byte.
                let (to, from) = (self.place(), self.place());
                let byte = self.w.local("byte", 8);
                for at in 0..8 {
                    let (to, from) = (self.w.moved(to, at), self.w.moved(from, at));
                    self.w.load(byte, from);
                    self.w.store(to, byte);
                }
            }
            10 => {
                let from = self.pointer();
                let size = self.w.word(56);
                self.w.then("copy", Statement::Memory(Memory::Copy { to, from, size }));
            }
            11 | 12 => {
                let arguments = [self.pointer(), self.pointer()];
                let callee = self.procedures[self.random.below(self.procedures.len())];
                if self.random.below(3) == 0 {
                    // By an address that comes from a variable.
                    let f = self.w.local("f", 64);
                    let address = self.w.address(Target::Procedure(callee));
                    self.w.assign(f, address);
                    self.w.call_pointer(f, &arguments, &[to]);
                } else {
                    self.w.call(callee, &arguments, &[to]);
                }
            }
            13 => {
                let (from, at) = (self.pointer(), self.place());
                match self.random.below(4) {
                    0 => {
                        self.w.external("malloc", &[], &[to]);
                        self.fill(to);
                    }
                    1 => self.w.external("realloc", &[from], &[to]),
                    2 => self.w.external("fgets", &[from], &[to]),
                    _ => self.w.external("strtod", &[from, at], &[]),
                }
            }
            14 | 15 => {
                let [yes, no] = self.fork();
                let end = self.w.sketch.builder.location(self.w.procedure);
                for way in [yes, no] {
                    self.w.at = way;
                    self.statements(depth + 1);
                    if self.random.below(8) == 0 {
                        self.w.ret();
                    }
                    self.w.sketch.builder.jump(self.w.at, end);
                }
                self.w.at = end;
            }
            _ => {
                let head = self.w.sketch.builder.location(self.w.procedure);
                self.w.sketch.builder.jump(self.w.at, head);
                self.w.at = head;
                let [inside, after] = self.fork();
                self.w.at = inside;
                self.statements(depth + 1);
                self.w.sketch.builder.jump(self.w.at, head);
                self.w.at = after;
            }
        }
    }

    fn fork(&mut self) -> [LocationId; 2] {
        self.forks += 1;
        self.w.fork(&format!("fork {}", self.forks))
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
    }

    fn body(&mut self, procedure: ProcedureId, parameters: &[Term], result: Term) {
        self.w.go_to(procedure);
        self.pointers = self.globals.iter().chain(parameters).copied().chain([result]).collect();
        for n in 0..2 {
            let local = self.w.local(&format!("l{n}"), 64);
            self.pointers.push(local);
        }
        let first = if procedure == self.procedures[0] { 0 } else { self.globals.len() + 2 };
        for n in first..self.pointers.len() {
            let object = self.object();
            let address = self.w.address(object);
            self.w.assign(self.pointers[n], address);
        }
        for _ in 0..1 + self.random.below(2) {
            self.statements(0);
        }
        self.w.ret();
    }

    fn write(mut self) -> Program {
        // Each begins with its own address everywhere, so that what points elsewhere came there.
        for n in 0..12 {
            let id = StaticId(n);
            self.w.object(&format!("s{n}"), &[Target::Object(id, 0); 8]);
            self.statics.push(id);
        }
        self.globals = (0..2).map(|n| self.w.global(&format!("g{n}"))).collect();
        let mut signatures = Vec::new();
        for n in 0..4 {
            let procedure = if n == 0 { self.w.procedure } else { self.w.begin(&format!("p{n}")) };
            let parameters = ["a", "b"].map(|name| self.w.parameter(name));
            let result = self.w.result("r");
            self.procedures.push(procedure);
            signatures.push((procedure, parameters, result));
        }
        for (procedure, parameters, result) in signatures {
            self.body(procedure, &parameters, result);
        }
        self.w.finish()
    }
}

fn random_program(random: &mut Random) -> Program {
    let author = Author {
        w: Writer::new(),
        random,
        procedures: Vec::new(),
        statics: Vec::new(),
        globals: Vec::new(),
        pointers: Vec::new(),
        forks: 0,
    };
    author.write()
}

#[test]
fn nothing_else_is_written() {
    let mut random = Random(11);
    let (mut steps, mut checked, mut said) = (0, 0, 0);
    for n in 0..1500 {
        let program = random_program(&mut random);
        let image = Image::new(&program).expect("machine words");
        for seed in 0..4 {
            let mut watch = Watch {
                program: &program,
                writes: Writes::new(&program),
                activations: vec![Vec::new()],
                time: 0,
                edge: EdgeId(0),
                accesses: 0,
                objects: FxHashMap::default(),
                checked: 0,
            };
            let limits = Limits { instructions: 400, depth: 20 };
            let mut process = Process::new(&image, program.entries[0], &[]);
            let mut world = World(Random(1000 * n + seed));
            process.run(&mut world, &mut watch, limits, &Stop::default());
            (steps, checked) = (steps + watch.time, checked + watch.checked);
        }
        // What is said is not just everything.
        let mut writes = Writes::new(&program);
        let branch = |edge: &&EdgeId| program.location(program.edge(**edge).from).edges.len() > 1;
        let all: Vec<EdgeId> = (0..program.edges.len() as u32).map(EdgeId).collect();
        let few = |edge: &&EdgeId| writes.omitted(**edge).objects.len() < 4;
        said += all.iter().filter(branch).filter(few).count();
    }
    assert!(steps > 20_000 && checked > 20_000 && said > 500, "{steps} {checked} {said}");
}
