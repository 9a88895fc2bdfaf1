//! Assignments that are missing: to what, and where they could be.
//!
//! That an assignment is missing is found out where its variable is read: what would have to be in it there? But who writes the
//! program may put it anywhere between there and the assignment before. And, if the statement that reads it may as well read the old
//! value, later. These places are found by trying: what was set before the statement is set before another one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use failure::{Force, Forced, Home, Part};
use program::process::Origin;
use program::{
    EdgeId, Memory, ProcedureId, Program, Scope, SiteId, Span, Statement, Trust, Type, TypeId,
    VariableRole,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms};

use super::Correction;
use super::course::Course;

/// What an assignment could be missing to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Settable {
    /// A variable of the program.
    Variable(Term),
    /// An object in memory: a variable whose address is taken.
    Object(Origin),
}

/// An assignment that may be missing.
#[derive(Clone, Debug)]
pub struct Insertion {
    pub variable: Settable,
    /// Where it may be: the first is before a statement that reads the variable, then others come, in the order of the program. Each by
    /// itself makes the tests pass.
    pub places: Vec<Correction>,
}

impl Settable {
    /// The name in the source, and the type.
    pub fn declared(self, program: &Program) -> Option<(&str, Option<TypeId>)> {
        match self {
            Settable::Variable(variable) => {
                let declared = program.variables.get(&variable)?;
                Some((&declared.name, declared.ty))
            }
            Settable::Object(Origin::Static(id)) => {
                let object = program.statics.get(id.index())?;
                Some((&object.name, object.ty))
            }
            Settable::Object(Origin::Local(edge)) => match &program.edge(edge).statement {
                Statement::Memory(Memory::Alloc { object, .. }) => Some((&object.name, object.ty)),
                _ => None,
            },
            Settable::Object(Origin::Heap(_) | Origin::Start) => None,
        }
    }

    /// The procedure of which it is a variable; none if it is a global one.
    pub fn procedure(self, program: &Program) -> Option<ProcedureId> {
        match self {
            Settable::Variable(variable) => match program.variables.get(&variable)?.scope {
                Scope::Global => None,
                Scope::Local(procedure) => Some(procedure),
            },
            Settable::Object(Origin::Local(edge)) => procedure_of(program, edge),
            Settable::Object(_) => None,
        }
    }

    /// Whether an edge is where the variable can be named.
    pub fn is_visible(self, program: &Program, edge: EdgeId) -> bool {
        let own = self.procedure(program);
        own.is_none() || own == procedure_of(program, edge)
    }

    /// Whether it is a scalar of the source that can be assigned, and no pointer. Its values have this sort.
    fn is_scalar(self, program: &Program, sort: &Sort) -> bool {
        let Some((name, ty)) = self.declared(program) else { return false };
        let ty = ty.and_then(|ty| program.types.get(ty.0 as usize));
        match self {
            Settable::Variable(variable) => {
                let role = program.variables.get(&variable).map(|declared| declared.role);
                role == Some(VariableRole::Source) && !matches!(ty, Some(Type::Pointer(_)))
            }
            Settable::Object(origin) => {
                let is_constant = match origin {
                    Origin::Static(id) => !program.statics[id.index()].writable,
                    _ => false,
                };
                let is_scalar = match ty {
                    Some(Type::Float { .. }) => matches!(sort, Sort::Float(_)),
                    Some(
                        Type::Integer { .. }
                        | Type::Character { .. }
                        | Type::Bool
                        | Type::Enum { .. },
                    ) => matches!(sort, Sort::BitVec(_)),
                    _ => false,
                };
                is_scalar && !is_constant && !name.is_empty()
            }
        }
    }

    /// Where it is declared, if that is not a statement.
    fn declaration(self, program: &Program) -> Option<SiteId> {
        match self {
            Settable::Variable(variable) => program.variables.get(&variable)?.declared,
            Settable::Object(Origin::Local(edge)) => match &program.edge(edge).statement {
                Statement::Memory(Memory::Alloc { object, .. }) => object.declared,
                _ => None,
            },
            Settable::Object(_) => None,
        }
    }

    /// What tells it apart from others in the name of a symbol.
    fn number(self) -> String {
        match self {
            Settable::Variable(variable) => variable.index().to_string(),
            Settable::Object(Origin::Static(id)) => format!("static{}", id.index()),
            Settable::Object(Origin::Local(edge) | Origin::Heap(edge)) => {
                format!("local{}", edge.0)
            }
            Settable::Object(Origin::Start) => "start".to_owned(),
        }
    }
}

fn procedure_of(program: &Program, edge: EdgeId) -> Option<ProcedureId> {
    program.location(program.edge(edge).from).procedure
}

/// Before a statement that reads it, something could be set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The index in the path, and the first step there.
    pub at: usize,
    pub step: usize,
    /// The variable of the trace, and where its value is.
    pub copy: Term,
    pub home: Home,
}

impl Reading {
    /// The symbol for what is set.
    pub fn symbol(&self, variable: Settable, terms: &mut Terms) -> Term {
        let sort = terms.sort(self.copy).clone();
        terms.var(&format!("?{}!{}", self.at, variable.number()), &sort)
    }
}

/// The statements that the sites of a program are, or are parts of.
#[derive(Debug)]
pub(super) struct Statements {
    whole: FxHashMap<SiteId, SiteId>,
}

impl Statements {
    pub fn of(program: &Program) -> Statements {
        let own = (0..).map(SiteId).zip(&program.sites);
        let own = own.filter(|(_, site)| site.trust == Trust::User);
        let mut spans: Vec<(Span, SiteId)> =
            own.filter_map(|(id, site)| Some((site.span?, id))).collect();
        // What contains others comes first; of those at the same place, the last, which is what assigns.
        spans.sort_by_key(|(span, id)| (span.file.0, span.start, Reverse(span.end), Reverse(*id)));
        let mut whole = FxHashMap::default();
        let mut last: Option<(Span, SiteId)> = None;
        for (span, id) in spans {
            match last {
                Some((around, statement)) if around.file == span.file && span.end <= around.end => {
                    whole.insert(id, statement);
                }
                _ => last = Some((span, id)),
            }
        }
        Statements { whole }
    }

    /// The statement that a site is a part of, or is.
    pub fn whole(&self, site: SiteId) -> SiteId {
        self.whole.get(&site).copied().unwrap_or(site)
    }
}

/// The executions of statements, told apart by their edges: within one, none is taken twice.
#[derive(Default)]
struct Executions {
    /// The last one, by statement and activation.
    last: FxHashMap<(SiteId, u32), Execution>,
}

#[derive(Default)]
struct Execution {
    /// The index of the path at which it began.
    begin: usize,
    /// The edges that it has taken, and where.
    edges: Vec<(usize, EdgeId)>,
}

impl Executions {
    /// Where the execution of a statement began that takes this edge now.
    fn begin(&mut self, site: SiteId, activation: u32, at: usize, edge: EdgeId) -> usize {
        let last = self.last.entry((site, activation)).or_default();
        let again = last.edges.iter().any(|&(before, same)| same == edge && before != at);
        if again || last.edges.is_empty() {
            *last = Execution { begin: at, edges: Vec::new() };
        }
        last.edges.push((at, edge));
        last.begin
    }
}

impl Course {
    /// What a variable of the trace is, and where its value is.
    pub fn home(&self, copy: Term) -> Option<(Settable, Home)> {
        let trace = self.trace();
        let Some(&number) = trace.cells.get(&copy) else {
            let variable = trace.origin(copy).1;
            return Some((Settable::Variable(variable), Home::Variable(variable)));
        };
        let object = trace.objects.get(number as usize)?;
        let cell = object.cell(copy)?;
        let is_whole = cell.offset == 0 && cell.size == object.size;
        is_whole.then_some((Settable::Object(object.origin), Home::Address(object.address)))
    }

    /// What has this home.
    pub fn settable(&self, home: Home) -> Option<Settable> {
        match home {
            Home::Variable(variable) => Some(Settable::Variable(variable)),
            Home::Address(address) => {
                let object = self.trace().objects.iter().find(|object| object.has(address))?;
                Some(Settable::Object(object.origin))
            }
        }
    }

    /// The statement before which something is set that is read at a site. What is in memory is read by parts of statements.
    pub fn inserted_before(&self, site: SiteId, variable: Settable) -> SiteId {
        match variable {
            Settable::Variable(_) => site,
            Settable::Object(_) => self.statements.whole(site),
        }
    }

    /// The statement before which something is set at an index of the path.
    pub fn set_before(&self, at: usize, variable: Settable, terms: &Terms) -> Option<SiteId> {
        let here = self.trace().steps[self.first_step(at)..].iter();
        let here = || here.clone().take_while(|step| step.at as usize == at);
        let is_own = |copy: Term| self.home(copy).is_some_and(|(own, _)| own == variable);
        let reads = here().find(|step| step.reads(terms).into_iter().any(is_own));
        Some(self.inserted_before(reads.or_else(|| here().next())?.site, variable))
    }

    /// Whether what is set is set before this statement, where it can be named.
    pub fn is_set_before(&self, program: &Program, forced: &Forced, before: SiteId) -> bool {
        let Force::Set { home, .. } = forced.what else { return false };
        let (edge, variable) = (self.trace().path.get(forced.at), self.settable(home));
        edge.zip(variable).is_some_and(|(&edge, variable)| {
            self.statements.whole(program.edge(edge).site) == before
                && variable.is_visible(program, edge)
        })
    }

    /// What a step reads to which an assignment could be missing, and as which variables of the trace.
    pub fn scalars(&self, program: &Program, step: usize, terms: &Terms) -> Vec<(Term, Settable)> {
        let step = &self.trace().steps[step];
        let Some(&edge) = self.trace().path.get(step.at as usize) else { return Vec::new() };
        let known =
            step.reads(terms).into_iter().filter_map(|copy| Some((copy, self.home(copy)?.0)));
        let is_scalar = |copy: Term, variable: Settable| match variable {
            Settable::Variable(_) => variable.is_scalar(program, terms.sort(copy)),
            Settable::Object(_) => {
                variable.is_scalar(program, terms.sort(copy)) && variable.is_visible(program, edge)
            }
        };
        known.filter(|&(copy, variable)| is_scalar(copy, variable)).collect()
    }

    /// Where a statement reads something.
    pub fn readings(&self, before: SiteId, variable: Settable, terms: &Terms) -> Vec<Reading> {
        let trace = self.trace();
        let (mut found, mut executions) = (Vec::new(), Executions::default());
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        for step in &trace.steps {
            let at = step.at as usize;
            let begin = match (variable, trace.path.get(at)) {
                // Nothing else can change it while the statement is executed.
                (Settable::Variable(_), _) if step.site == before => at,
                (Settable::Object(_), Some(&edge))
                    if !matches!(step.part, Part::Result(_))
                        && self.statements.whole(step.site) == before =>
                {
                    executions.begin(before, step.frame.activation, at, edge)
                }
                _ => continue,
            };
            if !seen.contains(&begin)
                && let Some((copy, home)) = self.read_at(at, variable, terms)
            {
                seen.insert(begin);
                found.push(Reading { at: begin, step: self.first_step(begin), copy, home });
            }
        }
        found
    }

    /// The first step at an index of the path, or after it.
    fn first_step(&self, at: usize) -> usize {
        self.trace().steps.partition_point(|step| (step.at as usize) < at)
    }

    /// As which variable of the trace something is read at an index of the path.
    fn read_at(&self, at: usize, variable: Settable, terms: &Terms) -> Option<(Term, Home)> {
        let steps = self.trace().steps[self.first_step(at)..].iter();
        let mut copies =
            steps.take_while(|step| step.at as usize == at).flat_map(|s| s.reads(terms));
        copies.find_map(|copy| {
            let (own, home) = self.home(copy)?;
            (own == variable).then_some((copy, home))
        })
    }

    /// The variables of the trace that something which is set has, with the first step that sees it, and the value.
    pub fn set_at(&self, forced: &Forced, terms: &Terms) -> Vec<(usize, Term, term::Value)> {
        let Force::Set { home, value } = &forced.what else { return Vec::new() };
        let step = self.first_step(forced.at);
        match *home {
            Home::Variable(variable) => {
                let read = self.read_at(forced.at, Settable::Variable(variable), terms);
                read.map(|(copy, _)| (step, copy, value.clone())).into_iter().collect()
            }
            Home::Address(address) => {
                let cells = self.trace().written(terms, address, value).into_iter();
                cells.map(|(cell, value)| (step, cell, value)).collect()
            }
        }
    }

    /// Where else the same could be set as is forced upon a run of this course, by the statement before which it would be.
    pub fn elsewhere(
        &self,
        program: &Program,
        forced: &[Forced],
        terms: &Terms,
    ) -> BTreeMap<SiteId, Vec<Forced>> {
        let mut all: Option<BTreeMap<SiteId, Vec<Forced>>> = None;
        for (number, one) in forced.iter().enumerate() {
            let before = number.checked_sub(1).map(|last| forced[last].at);
            let after = forced.get(number + 1).map(|next| next.at);
            let places = self.places_of(program, one, (before, after), terms);
            let moved = |at: usize| Forced { at, ..one.clone() };
            all = Some(match all {
                None => places.into_iter().map(|(site, at)| (site, vec![moved(at)])).collect(),
                Some(mut known) => {
                    known.retain(|site, forced| match places.get(site) {
                        Some(&at) => {
                            forced.push(moved(at));
                            true
                        }
                        None => false,
                    });
                    known
                }
            });
        }
        all.unwrap_or_default()
    }

    /// The statements before which something could be set instead, and where: until it is assigned, and not before it was assigned
    /// last. Of several executions, that before the place where it is set; or else the first.
    fn places_of(
        &self,
        program: &Program,
        forced: &Forced,
        (before, after): (Option<usize>, Option<usize>),
        terms: &Terms,
    ) -> BTreeMap<SiteId, usize> {
        let (trace, mut places) = (self.trace(), BTreeMap::new());
        let Force::Set { home, .. } = forced.what else { return places };
        let Some(variable) = self.settable(home) else { return places };
        let set = self.set_at(forced, terms);
        let Some(&(first, ..)) = set.first() else { return places };
        let is_assigned = |step: &failure::Step| {
            let place = step.action.place().map(|place| place.variable);
            place.is_some_and(|place| set.iter().any(|&(_, copy, _)| copy == place))
        };
        let steps = &trace.steps;
        let last = steps[..first].iter().rev().find(|step| is_assigned(step));
        let next = steps[first..].iter().find(|step| is_assigned(step));
        let begin = last.map(|step| step.at as usize).max(before).map_or(0, |at| at + 1);
        let next = next.map(|step| step.at as usize);
        let end = next.into_iter().chain(after).min().unwrap_or(usize::MAX);
        let Some(own) = steps.get(first).map(|step| step.frame.activation) else { return places };
        let is_local = variable.procedure(program).is_some();
        let declared = variable.declaration(program).and_then(|site| program.site(site).span);
        let mut executions = Executions::default();
        for step in steps.iter().take_while(|step| step.at as usize <= end) {
            let at = step.at as usize;
            let Some(&edge) = trace.path.get(at) else { break };
            // What a call gives back is bound where it returns, in another procedure.
            if let Part::Result(_) = step.part {
                continue;
            }
            let site = self.statements.whole(program.edge(edge).site);
            let begun = executions.begin(site, step.frame.activation, at, edge);
            if begun < begin
                || is_local && step.frame.activation != own
                || !variable.is_visible(program, edge)
            {
                continue;
            }
            let written = program.site(site);
            let Some(span) = written.span.filter(|_| written.trust == Trust::User) else {
                continue;
            };
            let is_early = |known: Span| known.file == span.file && span.start < known.start;
            if is_local && declared.is_some_and(is_early) {
                continue;
            }
            let place = places.entry(site).or_insert(begun);
            if begun <= forced.at {
                *place = begun;
            }
        }
        places
    }
}
