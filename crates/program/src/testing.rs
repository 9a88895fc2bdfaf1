//! Small programs for the tests of this crate.

use term::{Term, Value};

use crate::graph::Graph;
use crate::program::{
    Edge, EdgeId, FailureKind, Location, LocationId, ProcedureId, Program, Property, Site, SiteId,
    Statement, Trust,
};
use crate::{Builder, Place};

/// A program under construction whose statements all have the same site.
pub struct Sketch {
    pub builder: Builder,
    pub site: SiteId,
}

pub fn site(property: Option<Property>) -> Site {
    Site { span: None, text: "statement".to_owned(), trust: Trust::User, property }
}

impl Sketch {
    pub fn new() -> Sketch {
        let mut builder = Builder::new(crate::Language::Boogie, Vec::new());
        let property = Property { kind: FailureKind::Assertion, message: "fails".to_owned() };
        let site = builder.site(site(Some(property)));
        Sketch { builder, site }
    }

    pub fn int(&mut self, value: i32) -> Term {
        self.builder.terms.constant(&Value::int(value))
    }

    pub fn add(&mut self, from: LocationId, to: LocationId, statement: Statement) {
        self.builder.edge(from, to, statement, self.site);
    }

    /// A chain of statements from one location to another.
    pub fn chain(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        to: LocationId,
        statements: Vec<Statement>,
    ) {
        let mut at = from;
        let count = statements.len();
        for (index, statement) in statements.into_iter().enumerate() {
            let next = if index + 1 == count { to } else { self.builder.location(procedure) };
            self.add(at, next, statement);
            at = next;
        }
    }

    pub fn assume(&mut self, from: LocationId, to: LocationId, condition: Term) {
        self.add(from, to, Statement::Assume { condition });
    }

    /// Goes to `yes` if the condition holds, to `no` if it does not.
    pub fn branch(&mut self, from: LocationId, condition: Term, yes: LocationId, no: LocationId) {
        let negated = self.builder.terms.not(condition);
        self.assume(from, yes, condition);
        self.assume(from, no, negated);
    }

    /// Ends the procedure.
    pub fn ret(&mut self, procedure: ProcedureId, from: LocationId) {
        let exit = self.builder.exit_of(procedure);
        self.add(from, exit, Statement::Return);
    }
}

pub fn assign(variable: Term, value: Term) -> Statement {
    Statement::Assign { place: Place::variable(variable), value }
}

pub fn assign_cell(variable: Term, indices: &[Term], value: Term) -> Statement {
    Statement::Assign { place: Place { variable, indices: indices.to_vec() }, value }
}

pub fn havoc(variable: Term) -> Statement {
    Statement::Havoc { place: Place::variable(variable) }
}

/// One procedure whose locations are the nodes of the graph, entered at node 0. A node without
/// successors returns if its number is even, and fails if it is odd. Made by hand, so that what cannot
/// be reached stays, and node `n` is the location that [`location`] gives.
pub fn program_of(graph: &Graph) -> Program {
    let mut sketch = Sketch::new();
    let main = sketch.builder.procedure("main");
    sketch.builder.enter_at(main);
    let entry = sketch.builder.entry_of(main);
    sketch.ret(main, entry);
    let mut program = sketch.builder.finish().expect("well-formed");
    let condition = program.terms.bool(true);
    let exit = location(graph.len() as u32);
    (program.procedures[0].entry, program.procedures[0].exit) = (location(0), exit);
    program.locations.truncate(1);
    let inside = Location { procedure: Some(main), edges: Vec::new() };
    program.locations.resize(graph.len() + 2, inside);
    program.edges.clear();
    let last = (0..graph.len() as u32).filter(|&n| graph.successors(n as usize).is_empty());
    let ends = last.map(|n| match n % 2 {
        0 => (location(n), exit, Statement::Return),
        _ => (location(n), Program::ERROR, Statement::Assume { condition }),
    });
    let between = |(from, to)| (location(from), location(to), Statement::Assume { condition });
    for (from, to, statement) in graph.edges().map(between).chain(ends) {
        let id = EdgeId(program.edges.len() as u32);
        program.edges.push(Edge { from, to, statement, site: sketch.site });
        program.locations[from.index()].edges.push(id);
    }
    crate::verify(&program).expect("well-formed");
    program
}

/// The location of a node in [`program_of`].
pub fn location(node: u32) -> LocationId {
    LocationId(node + 1)
}

/// The first edge between two nodes in [`program_of`].
pub fn edge_between(program: &Program, from: u32, to: u32) -> EdgeId {
    let mut edges = program.out_edges(location(from)).filter(|(_, edge)| edge.to == location(to));
    edges.next().expect("an edge").0
}
