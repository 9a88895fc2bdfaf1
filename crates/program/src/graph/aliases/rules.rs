//! What the statements of a procedure do with addresses, as rules between nodes.
//!
//! A node is what has values: a variable, the contents of an object, or a term of more than one
//! variable. The rules of a procedure are written once, with places for its own nodes, and made
//! concrete for each instance.

use rustc_hash::FxHashMap;
use term::Term;

use super::carry::{Carried, carried, carries, is_word, target};
use super::world::{self, Given};
use crate::program::{EdgeId, Memory, ProcedureId, Program, Scope, Statement, Target};

#[derive(Clone, Copy, Debug)]
pub enum Rule<N> {
    /// The node may be the address of this object.
    Points {
        node: N,
        object: u32,
    },
    Flow {
        from: N,
        to: N,
    },
    /// The contents of what the address points to flow to a node.
    Load {
        address: N,
        to: N,
    },
    Store {
        address: N,
        value: N,
    },
}

/// A number that stands for a node.
pub trait Node: Copy {
    /// A node that is the same everywhere.
    fn fixed(number: u32) -> Self;
    /// The nth node of those that belong to the rules.
    fn own(number: u32) -> Self;
}

impl Node for u32 {
    fn fixed(number: u32) -> u32 {
        number
    }
    fn own(number: u32) -> u32 {
        number
    }
}

/// A node in the rules of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Fixed(u32),
    Own(u32),
}

impl Node for Place {
    fn fixed(number: u32) -> Place {
        Place::Fixed(number)
    }
    fn own(number: u32) -> Place {
        Place::Own(number)
    }
}

impl Place {
    /// The node in the instance whose nodes begin here.
    pub fn at(self, base: u32) -> u32 {
        match self {
            Place::Fixed(node) => node,
            Place::Own(node) => base + node,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Rules<N> {
    /// How many own nodes there are, or where new ones begin.
    pub nodes: u32,
    pub rules: Vec<Rule<N>>,
    /// The edge writes to what the node points to.
    pub writes: Vec<(EdgeId, N)>,
}

impl<N: Node> Rules<N> {
    pub fn new(nodes: u32) -> Rules<N> {
        Rules { nodes, rules: Vec::new(), writes: Vec::new() }
    }

    pub fn fresh(&mut self) -> N {
        self.nodes += 1;
        N::own(self.nodes - 1)
    }

    pub fn write(&mut self, edge: EdgeId, address: N) {
        self.writes.push((edge, address));
    }

    pub fn points(&mut self, node: Option<N>, object: Option<u32>) {
        if let (Some(node), Some(object)) = (node, object) {
            self.rules.push(Rule::Points { node, object });
        }
    }

    pub fn flow(&mut self, from: N, to: N) {
        self.rules.push(Rule::Flow { from, to });
    }

    pub fn store(&mut self, address: N, value: N) {
        self.rules.push(Rule::Store { address, value });
    }

    /// A node for what is in memory at the address.
    pub fn loaded(&mut self, address: N) -> N {
        let to = self.fresh();
        self.rules.push(Rule::Load { address, to });
        to
    }
}

/// A call of a procedure, or of whatever a node points to.
#[derive(Clone, Debug)]
pub struct Call<N> {
    pub edge: EdgeId,
    pub callee: Callee<N>,
    pub arguments: Vec<Option<N>>,
    pub results: Vec<Option<N>>,
    /// The first result, if it may be a whole address.
    pub word: Option<N>,
}

#[derive(Clone, Copy, Debug)]
pub enum Callee<N> {
    Procedure(ProcedureId),
    Pointer(Option<N>),
}

impl Call<Place> {
    pub fn at(&self, base: u32) -> Call<u32> {
        let at = |places: &[Option<Place>]| {
            places.iter().map(|place| place.map(|place| place.at(base))).collect()
        };
        Call {
            edge: self.edge,
            callee: match self.callee {
                Callee::Procedure(id) => Callee::Procedure(id),
                Callee::Pointer(pointer) => Callee::Pointer(pointer.map(|place| place.at(base))),
            },
            arguments: at(&self.arguments),
            results: at(&self.results),
            word: self.word.map(|place| place.at(base)),
        }
    }
}

/// What is known about the whole program before its rules are written.
pub struct Frame<'p> {
    pub program: &'p Program,
    pub given: Given,
    /// The first object of each kind, whose numbers follow each other.
    pub statics: u32,
    pub procedures: u32,
    pub externals: u32,
    /// The object that an edge makes.
    pub made: FxHashMap<EdgeId, u32>,
    pub globals: FxHashMap<Term, u32>,
}

impl Frame<'_> {
    /// The object at a constant address. A constant without addresses in it is none: nobody may
    /// write to it.
    pub fn object(&self, target: Target) -> Option<u32> {
        match target {
            Target::Object(id, _) => {
                let object = &self.program.statics[id.index()];
                let matters = object.writable || !object.pointers.is_empty();
                matters.then_some(self.statics + id.0)
            }
            Target::Procedure(id) => Some(self.procedures + id.0),
            Target::External(id) => Some(self.externals + id.0),
        }
    }
}

/// The rules of one procedure. Its own nodes are its parameters, its results, its other variables,
/// then terms.
#[derive(Clone, Debug)]
pub struct Body {
    pub rules: Rules<Place>,
    pub calls: Vec<Call<Place>>,
}

struct Reader<'f, 'p> {
    frame: &'f Frame<'p>,
    locals: FxHashMap<Term, u32>,
    terms: FxHashMap<Term, Option<Place>>,
    body: Body,
}

/// The bodies of all procedures.
pub fn bodies(frame: &Frame<'_>) -> Vec<Body> {
    let program = frame.program;
    let mut edges = vec![Vec::new(); program.procedures.len()];
    for (index, edge) in program.edges.iter().enumerate() {
        if let Some(procedure) = program.location(edge.from).procedure {
            edges[procedure.index()].push(EdgeId(index as u32));
        }
    }
    let procedures = program.procedures.iter().zip(edges);
    let bodies = procedures.map(|(procedure, edges)| {
        let locals: FxHashMap<Term, u32> = procedure.variables().zip(0..).collect();
        let body = Body { rules: Rules::new(locals.len() as u32), calls: Vec::new() };
        let mut reader = Reader { frame, locals, terms: FxHashMap::default(), body };
        for id in edges {
            reader.statement(id, &program.edge(id).statement);
        }
        reader.body
    });
    bodies.collect()
}

impl Reader<'_, '_> {
    fn variable(&self, variable: Term) -> Option<Place> {
        let program = self.frame.program;
        if !carries(program.terms.sort(variable)) {
            return None;
        }
        match program.variables.get(&variable)?.scope {
            Scope::Global => self.frame.globals.get(&variable).map(|&node| Place::Fixed(node)),
            Scope::Local(_) => self.locals.get(&variable).map(|&node| Place::Own(node)),
        }
    }

    /// The node of a term; none if it cannot be an address.
    fn term(&mut self, term: Term) -> Option<Place> {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        let program = self.frame.program;
        let Carried { variables, constants } = carried(&program.terms, term);
        let from: Vec<Place> = variables.iter().filter_map(|&v| self.variable(v)).collect();
        let targets = constants.iter().filter_map(|&address| target(program, address));
        let objects: Vec<u32> = targets.filter_map(|target| self.frame.object(target)).collect();
        let place = match (from.as_slice(), objects.as_slice()) {
            ([], []) => None,
            (&[only], []) => Some(only),
            _ => {
                let rules = &mut self.body.rules;
                let node = rules.fresh();
                from.iter().for_each(|&from| rules.flow(from, node));
                objects.iter().for_each(|&object| rules.points(Some(node), Some(object)));
                Some(node)
            }
        };
        self.terms.insert(term, place);
        place
    }

    fn list(&mut self, terms: &[Term]) -> Vec<Option<Place>> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    fn word(&self, results: &[Term]) -> Option<Place> {
        let first = *results.first()?;
        is_word(self.frame.program.terms.sort(first)).then(|| self.variable(first))?
    }

    fn statement(&mut self, edge: EdgeId, statement: &Statement) {
        match statement {
            Statement::Assign { place, value } => {
                if let (Some(to), Some(from)) = (self.variable(place.variable), self.term(*value)) {
                    self.body.rules.flow(from, to);
                }
            }
            Statement::Call { callee, arguments, results } => {
                self.call(edge, Callee::Procedure(*callee), arguments, results);
            }
            Statement::CallPointer { pointer, arguments, results } => {
                let pointer = self.term(*pointer);
                self.call(edge, Callee::Pointer(pointer), arguments, results);
            }
            Statement::External { function, arguments, results } => {
                let call = world::Call {
                    edge,
                    name: &self.frame.program.externals[function.index()].name,
                    arguments: &self.list(arguments),
                    result: self.word(results),
                    new: self.frame.made.get(&edge).copied(),
                };
                world::act(&call, self.frame.given, &mut self.body.rules);
            }
            Statement::Memory(memory) => self.memory(edge, memory),
            Statement::Havoc { .. } | Statement::Assume { .. } | Statement::Return => {}
        }
    }

    fn call(&mut self, edge: EdgeId, callee: Callee<Place>, arguments: &[Term], results: &[Term]) {
        let call = Call {
            edge,
            callee,
            arguments: self.list(arguments),
            results: results.iter().map(|&result| self.variable(result)).collect(),
            word: self.word(results),
        };
        self.body.calls.push(call);
    }

    fn memory(&mut self, edge: EdgeId, memory: &Memory) {
        match memory {
            Memory::Load { target, address } => {
                if let (Some(to), Some(address)) = (self.variable(*target), self.term(*address)) {
                    self.body.rules.rules.push(Rule::Load { address, to });
                }
            }
            Memory::Store { address, value } => {
                let Some(address) = self.term(*address) else { return };
                self.body.rules.write(edge, address);
                if let Some(value) = self.term(*value) {
                    self.body.rules.store(address, value);
                }
            }
            Memory::Alloc { target, .. } => {
                let object = self.frame.made.get(&edge).copied();
                let target = self.variable(*target);
                self.body.rules.points(target, object);
            }
            Memory::Copy { to, from, .. } => {
                let (to, from) = (self.term(*to), self.term(*from));
                let rules = &mut self.body.rules;
                to.into_iter().for_each(|to| rules.write(edge, to));
                if let (Some(to), Some(from)) = (to, from) {
                    let contents = rules.loaded(from);
                    rules.store(to, contents);
                }
            }
            Memory::Fill { to, .. } => {
                let to = self.term(*to);
                to.into_iter().for_each(|to| self.body.rules.write(edge, to));
            }
            // What is initialised was there before, addresses among it: nothing is written that was read.
            Memory::Initialise { .. } | Memory::Mark { .. } | Memory::Release { .. } => {}
        }
    }
}
