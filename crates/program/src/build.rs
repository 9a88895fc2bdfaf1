//! Building a program, one edge at a time.
//!
//! Front ends may use jumps: edges without a statement. [`Builder::finish`] removes them, drops what
//! cannot be reached, and numbers locations and edges by a walk from each procedure's entry. So two
//! front ends, or a front end and the reader of our own text form, that describe the same automaton
//! get the same program.

use std::iter::successors;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms};

use crate::program::{
    Edge, EdgeId, External, ExternalId, Gap, Language, Location, LocationId, Procedure,
    ProcedureId, Program, Scope, Site, SiteId, Statement, Static, StaticId, Variable, VariableRole,
};
use crate::source::SourceFile;
use crate::types::{Type, TypeId};
use crate::verify::{Malformed, verify};

#[derive(Debug)]
pub struct Builder {
    pub terms: Terms,
    program: Program,
    jumps: FxHashMap<LocationId, Vec<LocationId>>,
}

impl Builder {
    pub fn new(language: Language, files: Vec<SourceFile>) -> Builder {
        let error = Location { procedure: None, edges: Vec::new() };
        let program = Program {
            terms: Terms::new(),
            files,
            language,
            variables: FxHashMap::default(),
            globals: Vec::new(),
            procedures: Vec::new(),
            locations: vec![error],
            edges: Vec::new(),
            sites: Vec::new(),
            statics: Vec::new(),
            externals: Vec::new(),
            types: Vec::new(),
            entries: Vec::new(),
            gaps: Vec::new(),
            argument_sites: FxHashMap::default(),
        };
        Builder { terms: Terms::new(), program, jumps: FxHashMap::default() }
    }

    pub fn global(&mut self, name: &str, sort: &Sort) -> Term {
        let variable = self.variable(name, sort, Scope::Global);
        self.program.globals.push(variable);
        variable
    }

    /// A procedure with an entry and an exit, yet without edges or variables.
    pub fn procedure(&mut self, name: &str) -> ProcedureId {
        let id = ProcedureId(self.program.procedures.len() as u32);
        let (entry, exit) = (self.location(id), self.location(id));
        self.program.procedures.push(Procedure {
            name: name.to_owned(),
            parameters: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            entry,
            exit,
        });
        id
    }

    pub fn parameter(&mut self, procedure: ProcedureId, name: &str, sort: &Sort) -> Term {
        let variable = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure.index()].parameters.push(variable);
        variable
    }

    pub fn result(&mut self, procedure: ProcedureId, name: &str, sort: &Sort) -> Term {
        let variable = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure.index()].results.push(variable);
        variable
    }

    pub fn local(&mut self, procedure: ProcedureId, name: &str, sort: &Sort) -> Term {
        let variable = self.variable(name, sort, Scope::Local(procedure));
        self.program.procedures[procedure.index()].locals.push(variable);
        variable
    }

    fn variable(&mut self, name: &str, sort: &Sort, scope: Scope) -> Term {
        let qualified = match scope {
            Scope::Global => name.to_owned(),
            Scope::Local(p) => format!("{}:{name}", self.program.procedures[p.index()].name),
        };
        let mut term = self.terms.var(&qualified, sort);
        if self.program.variables.contains_key(&term) {
            term = self.terms.fresh(&qualified, sort);
        }
        self.program.variables.insert(term, Variable::new(name, scope));
        term
    }

    /// Says more about a variable than its name.
    pub fn describe(&mut self, variable: Term, role: VariableRole, ty: Option<TypeId>) {
        if let Some(known) = self.program.variables.get_mut(&variable) {
            known.role = role;
            known.ty = ty;
        }
    }

    /// Where a variable is declared.
    pub fn declare_at(&mut self, variable: Term, site: SiteId) {
        if let Some(known) = self.program.variables.get_mut(&variable) {
            known.declared = Some(site);
        }
    }

    /// An object that exists before the program starts. Its contents can be set later.
    pub fn object(&mut self, object: Static) -> StaticId {
        self.program.statics.push(object);
        StaticId(self.program.statics.len() as u32 - 1)
    }

    pub fn object_mut(&mut self, id: StaticId) -> Option<&mut Static> {
        self.program.statics.get_mut(id.index())
    }

    /// The function of the world with this name.
    pub fn external(&mut self, name: &str) -> ExternalId {
        let externals = &mut self.program.externals;
        let index = externals.iter().position(|e| e.name == name).unwrap_or_else(|| {
            externals.push(External { name: name.to_owned() });
            externals.len() - 1
        });
        ExternalId(index as u32)
    }

    pub fn ty(&mut self, ty: Type) -> TypeId {
        self.program.types.push(ty);
        TypeId(self.program.types.len() as u32 - 1)
    }

    /// Replaces a type that was made before its parts were known.
    pub fn set_type(&mut self, id: TypeId, ty: Type) {
        if let Some(known) = self.program.types.get_mut(id.0 as usize) {
            *known = ty;
        }
    }

    pub fn location(&mut self, procedure: ProcedureId) -> LocationId {
        let id = LocationId(self.program.locations.len() as u32);
        self.program.locations.push(Location { procedure: Some(procedure), edges: Vec::new() });
        id
    }

    pub fn entry_of(&self, procedure: ProcedureId) -> LocationId {
        self.program.procedure(procedure).entry
    }

    pub fn exit_of(&self, procedure: ProcedureId) -> LocationId {
        self.program.procedure(procedure).exit
    }

    pub fn site(&mut self, site: Site) -> SiteId {
        let id = SiteId(self.program.sites.len() as u32);
        self.program.sites.push(site);
        id
    }

    pub fn edge(&mut self, from: LocationId, to: LocationId, statement: Statement, site: SiteId) {
        let id = EdgeId(self.program.edges.len() as u32);
        self.program.edges.push(Edge { from, to, statement, site });
        self.program.locations[from.index()].edges.push(id);
    }

    /// Control may go from one location to the other without doing anything. A location has either
    /// jumps or edges.
    pub fn jump(&mut self, from: LocationId, to: LocationId) {
        self.jumps.entry(from).or_default().push(to);
    }

    pub fn enter_at(&mut self, procedure: ProcedureId) {
        self.program.entries.push(procedure);
    }

    /// The arguments of a call have sites of their own, by the numbers of the parameters.
    pub fn argument_sites(&mut self, call: SiteId, arguments: Vec<SiteId>) {
        self.program.argument_sites.insert(call, arguments);
    }

    pub fn gap(&mut self, gap: Gap) {
        self.program.gaps.push(gap);
    }

    /// The program without jumps, verified. Jumps must not be the whole way to an end: only returns
    /// lead to the exit, and only conditions to the error location.
    pub fn finish(self) -> Result<Program, Malformed> {
        let Builder { terms, program: mut raw, jumps } = self;
        // They may be large.
        let statics = std::mem::take(&mut raw.statics);
        let mut walk = Walk { raw: &raw, jumps: &jumps, resolved: FxHashMap::default() };
        let mut program =
            Program { terms, statics, edges: vec![], locations: vec![], ..raw.clone() };
        program.locations.push(Location { procedure: None, edges: Vec::new() });
        let mut idle = None;
        for (index, procedure) in raw.procedures.iter().enumerate() {
            let id = ProcedureId(index as u32);
            let mut numbers: FxHashMap<LocationId, LocationId> = FxHashMap::default();
            numbers.insert(Program::ERROR, Program::ERROR);
            let mut queue = vec![];
            let mut number =
                |old: LocationId, program: &mut Program, queue: &mut Vec<LocationId>| {
                    *numbers.entry(old).or_insert_with(|| {
                        program.locations.push(Location { procedure: Some(id), edges: Vec::new() });
                        queue.push(old);
                        LocationId(program.locations.len() as u32 - 1)
                    })
                };
            let entry = number(walk.resolve(procedure.entry), &mut program, &mut queue);
            let exit = number(procedure.exit, &mut program, &mut queue);
            let mut next = 0;
            while let Some(&old) = queue.get(next) {
                next += 1;
                if raw.location(old).procedure != Some(id) {
                    return malformed("control leaves a procedure without a call");
                }
                let from = number(old, &mut program, &mut queue);
                let Ways { edges, ends } = walk.ways(old);
                let forbidden = |&end: &LocationId| end == Program::ERROR || end == procedure.exit;
                if old != procedure.exit && ends.iter().any(forbidden) {
                    return malformed("a jump leads to the exit or to the error location");
                }
                if edges.is_empty() && ends.is_empty() {
                    // Only jumps in a circle: an execution that never ends.
                    let condition = program.terms.bool(true);
                    let site = *idle.get_or_insert_with(|| idle_site(&mut program.sites));
                    push_edge(&mut program, from, from, Statement::Assume { condition }, site);
                }
                for edge in edges {
                    let edge = raw.edge(edge);
                    let to = number(walk.resolve(edge.to), &mut program, &mut queue);
                    push_edge(&mut program, from, to, edge.statement.clone(), edge.site);
                }
            }
            program.procedures[index] = Procedure { entry, exit, ..procedure.clone() };
        }
        verify(&program)?;
        Ok(program)
    }
}

fn idle_site(sites: &mut Vec<Site>) -> SiteId {
    sites.push(Site {
        span: None,
        text: "goto".to_owned(),
        trust: crate::program::Trust::Trusted,
        property: None,
    });
    SiteId(sites.len() as u32 - 1)
}

fn push_edge(
    program: &mut Program,
    from: LocationId,
    to: LocationId,
    statement: Statement,
    site: SiteId,
) {
    let id = EdgeId(program.edges.len() as u32);
    program.edges.push(Edge { from, to, statement, site });
    program.locations[from.index()].edges.push(id);
}

/// The automaton while it still has jumps.
struct Walk<'a> {
    raw: &'a Program,
    jumps: &'a FxHashMap<LocationId, Vec<LocationId>>,
    /// Where single jumps lead, as far as it has been asked: many edges may enter one long chain.
    resolved: FxHashMap<LocationId, LocationId>,
}

impl Walk<'_> {
    /// Follows single jumps: such a location is its target. Of a circle of them, the first made.
    fn resolve(&mut self, location: LocationId) -> LocationId {
        let mut way = Vec::new();
        let mut seen = FxHashSet::default();
        let mut last = location;
        let end = loop {
            if let Some(&end) = self.resolved.get(&last) {
                break end;
            }
            let Some(target) = self.only_jump(last) else { break last };
            if !seen.insert(last) {
                let circle = successors(self.only_jump(last), |&l| self.only_jump(l));
                break circle.take_while(|&l| l != last).fold(last, LocationId::min);
            }
            way.push(last);
            last = target;
        };
        self.resolved.extend(way.into_iter().map(|passed| (passed, end)));
        end
    }

    /// The target, if all a location does is to jump there.
    fn only_jump(&self, location: LocationId) -> Option<LocationId> {
        match self.jumps.get(&location).map(Vec::as_slice) {
            Some([target]) if self.raw.location(location).edges.is_empty() => Some(*target),
            _ => None,
        }
    }

    /// How control may go on from a location, at once or after jumps.
    fn ways(&self, start: LocationId) -> Ways {
        let mut seen = FxHashSet::default();
        let mut stack = vec![start];
        let mut ways = Ways { edges: Vec::new(), ends: Vec::new() };
        while let Some(location) = stack.pop() {
            if seen.insert(location) {
                let edges = &self.raw.location(location).edges;
                ways.edges.extend_from_slice(edges);
                match self.jumps.get(&location) {
                    Some(targets) => stack.extend(targets.iter().rev()),
                    None if edges.is_empty() => ways.ends.push(location),
                    None => {}
                }
            }
        }
        ways
    }
}

struct Ways {
    edges: Vec<EdgeId>,
    /// Locations from which control does not go on.
    ends: Vec<LocationId>,
}

fn malformed<T>(message: &str) -> Result<T, Malformed> {
    Err(Malformed { edge: None, message: message.to_owned() })
}
